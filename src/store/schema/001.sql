-- Names and values: id of the key, head of the audit chain.
CREATE TABLE meta (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE projects (
    id      TEXT NOT NULL PRIMARY KEY,
    root    BLOB NOT NULL UNIQUE,
    name    TEXT NOT NULL,
    created TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE proposals (
    id        TEXT    NOT NULL PRIMARY KEY,
    project   TEXT    NOT NULL REFERENCES projects (id),
    kind      TEXT    NOT NULL,
    state     TEXT    NOT NULL CHECK (state IN ('staged', 'applying', 'applied', 'discarded', 'returned', 'expired')),
    created   TEXT    NOT NULL,
    -- From when its age counts: staging, or its revival.
    queued    TEXT    NOT NULL,
    source    TEXT    NOT NULL,
    summary   TEXT    NOT NULL,
    -- For lists; the sealed body and the journal are what counts.
    changes   INTEGER NOT NULL,
    open      INTEGER NOT NULL,
    accepted  INTEGER NOT NULL DEFAULT 0,
    rejected  INTEGER NOT NULL DEFAULT 0,
    flagged   INTEGER NOT NULL,
    body      TEXT    NOT NULL,
    seal      TEXT    NOT NULL,
    -- What the reviewer tells the next curator, and the proposal whose curator was told.
    note      TEXT,
    told      TEXT,
    committed TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX proposals_by_state ON proposals (project, state);

CREATE TABLE spans (
    id          INTEGER PRIMARY KEY,
    project     TEXT    NOT NULL REFERENCES projects (id),
    source      TEXT    NOT NULL,
    start       INTEGER NOT NULL,
    stop        INTEGER NOT NULL,
    state       TEXT    NOT NULL CHECK (state IN ('staged', 'consumed', 'baseline', 'parked')),
    proposal    TEXT    REFERENCES proposals (id),
    fingerprint TEXT    NOT NULL,
    CHECK (0 <= start AND start <= stop)
) STRICT;
CREATE INDEX spans_by_source ON spans (project, source, start);
CREATE INDEX spans_by_proposal ON spans (proposal);

-- Message ids already distilled: the first 16 bytes of their SHA-256.
CREATE TABLE seen (
    project  TEXT NOT NULL REFERENCES projects (id),
    id       BLOB NOT NULL CHECK (length(id) = 16),
    proposal TEXT REFERENCES proposals (id),
    PRIMARY KEY (project, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX seen_by_proposal ON seen (proposal);

CREATE TABLE notes (
    project  TEXT NOT NULL REFERENCES projects (id),
    name     TEXT NOT NULL,
    state    TEXT NOT NULL CHECK (state IN ('staged', 'consumed')),
    proposal TEXT NOT NULL REFERENCES proposals (id),
    PRIMARY KEY (project, name)
) STRICT, WITHOUT ROWID;

-- Failed tries of a distill on the same material; the third parks it.
CREATE TABLE tries (
    project TEXT    NOT NULL REFERENCES projects (id),
    source  TEXT    NOT NULL,
    start   INTEGER NOT NULL,
    stop    INTEGER NOT NULL,
    count   INTEGER NOT NULL,
    reason  TEXT    NOT NULL,
    at      TEXT    NOT NULL,
    PRIMARY KEY (project, source, start)
) STRICT, WITHOUT ROWID;

-- Decisions as they were made. An undo is a row too.
CREATE TABLE journal (
    proposal TEXT    NOT NULL REFERENCES proposals (id),
    seq      INTEGER NOT NULL,
    step     TEXT    NOT NULL CHECK (step IN ('decide', 'undo', 'redo', 'settle')),
    body     TEXT    NOT NULL,
    at       TEXT    NOT NULL,
    seal     TEXT    NOT NULL,
    PRIMARY KEY (proposal, seq)
) STRICT, WITHOUT ROWID;

-- What an apply is about to write.
CREATE TABLE intents (
    proposal TEXT NOT NULL PRIMARY KEY REFERENCES proposals (id),
    project  TEXT NOT NULL UNIQUE REFERENCES projects (id),
    before   TEXT NOT NULL,
    body     TEXT NOT NULL,
    seal     TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE commits_owed (
    id       INTEGER PRIMARY KEY,
    proposal TEXT    NOT NULL UNIQUE REFERENCES proposals (id),
    project  TEXT    NOT NULL REFERENCES projects (id),
    message  TEXT    NOT NULL,
    sequence INTEGER NOT NULL,
    audit    TEXT    NOT NULL,
    at       TEXT    NOT NULL,
    tries    INTEGER NOT NULL DEFAULT 0,
    error    TEXT
) STRICT;

-- Every version of every entry; the highest one counts.
CREATE TABLE records (
    project       TEXT    NOT NULL REFERENCES projects (id),
    entry         TEXT    NOT NULL,
    version       INTEGER NOT NULL,
    format        INTEGER NOT NULL,
    file          TEXT    NOT NULL,
    section       TEXT    NOT NULL,
    text          TEXT    NOT NULL,
    origin        TEXT    NOT NULL,
    evidence      TEXT    NOT NULL,
    created       TEXT    NOT NULL,
    at            TEXT    NOT NULL,
    accepted      TEXT,
    confirmed     TEXT,
    confirmations INTEGER NOT NULL,
    lapses        TEXT,
    supersedes    TEXT,
    state         TEXT    NOT NULL,
    proposal      TEXT,
    key           TEXT    NOT NULL,
    seal          TEXT    NOT NULL,
    PRIMARY KEY (project, entry, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE manifests (
    project  TEXT    NOT NULL PRIMARY KEY REFERENCES projects (id),
    format   INTEGER NOT NULL,
    count    INTEGER NOT NULL,
    root     TEXT    NOT NULL,
    sequence INTEGER NOT NULL,
    at       TEXT    NOT NULL,
    key      TEXT    NOT NULL,
    seal     TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

-- What remains of rejected changes.
CREATE TABLE tombstones (
    project   TEXT    NOT NULL REFERENCES projects (id),
    proposal  TEXT    NOT NULL REFERENCES proposals (id),
    change    INTEGER NOT NULL,
    file      TEXT    NOT NULL,
    text      TEXT    NOT NULL,
    statement TEXT    NOT NULL,
    sources   TEXT    NOT NULL,
    at        TEXT    NOT NULL,
    PRIMARY KEY (project, proposal, change)
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
    seq      INTEGER NOT NULL PRIMARY KEY,
    prev     TEXT    NOT NULL,
    at       TEXT    NOT NULL,
    act      TEXT    NOT NULL,
    project  TEXT    NOT NULL,
    subjects TEXT    NOT NULL,
    details  TEXT    NOT NULL,
    mac      TEXT    NOT NULL
) STRICT;

CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit
BEGIN SELECT RAISE (ABORT, 'the audit chain only grows'); END;
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit
BEGIN SELECT RAISE (ABORT, 'the audit chain only grows'); END;
CREATE TRIGGER journal_no_update BEFORE UPDATE ON journal
BEGIN SELECT RAISE (ABORT, 'the journal only grows'); END;
CREATE TRIGGER journal_no_delete BEFORE DELETE ON journal
BEGIN SELECT RAISE (ABORT, 'the journal only grows'); END;
CREATE TRIGGER records_no_update BEFORE UPDATE ON records
BEGIN SELECT RAISE (ABORT, 'records only grow'); END;
CREATE TRIGGER records_no_delete BEFORE DELETE ON records
BEGIN SELECT RAISE (ABORT, 'records only grow'); END;
