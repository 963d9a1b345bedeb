-- When a project was taken off the books by its user; a new registration brings it back.
ALTER TABLE projects ADD COLUMN forgotten TEXT;

-- Other folders that are or were a project's: its worktrees, and where it lay before. They are
-- asked only for what is gone.
CREATE TABLE aliases (
    path    BLOB NOT NULL PRIMARY KEY,
    project TEXT NOT NULL REFERENCES projects (id),
    at      TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Projects in which memd may apply without a person. A row counts when its seal holds and the newest
-- act on the project's trust says so.
CREATE TABLE grants (
    project TEXT    NOT NULL PRIMARY KEY REFERENCES projects (id),
    format  INTEGER NOT NULL,
    hooks   INTEGER NOT NULL CHECK (hooks IN (0, 1)),
    at      TEXT    NOT NULL,
    key     TEXT    NOT NULL,
    seal    TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

-- What curators took on each day (UTC): calls, characters of prompts, millionths of a US dollar.
CREATE TABLE spent (
    day    TEXT    NOT NULL PRIMARY KEY,
    calls  INTEGER NOT NULL,
    chars  INTEGER NOT NULL,
    micros INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Folders of AI tools that hooks were called from; an environment that names them is not there when
-- a timer runs.
CREATE TABLE roots (
    path BLOB NOT NULL PRIMARY KEY,
    tool TEXT NOT NULL,
    at   TEXT NOT NULL
) STRICT, WITHOUT ROWID;
