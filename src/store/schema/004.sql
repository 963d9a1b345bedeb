-- What a person called a secret besides what the rules find: nothing of its text, but a keyed
-- fingerprint, its length, and keyed hashes of its ends. A row counts when its seal holds and the
-- newest act on its fingerprint says so.
CREATE TABLE also_secret (
    fingerprint TEXT    NOT NULL PRIMARY KEY CHECK (length(fingerprint) = 32),
    format      INTEGER NOT NULL,
    bytes       INTEGER NOT NULL,
    chars       INTEGER NOT NULL,
    head        INTEGER NOT NULL CHECK (head BETWEEN 0 AND 255),
    tail        INTEGER NOT NULL CHECK (tail BETWEEN 0 AND 255),
    at          TEXT    NOT NULL,
    key         TEXT    NOT NULL,
    seal        TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
