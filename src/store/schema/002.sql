-- What a person called no secret, by the keyed fingerprint of the value. A row counts when its seal
-- holds and the newest act on its fingerprint says so.
CREATE TABLE not_secret (
    fingerprint TEXT    NOT NULL PRIMARY KEY CHECK (length(fingerprint) = 32),
    format      INTEGER NOT NULL,
    rule        TEXT    NOT NULL,
    length      TEXT    NOT NULL,
    at          TEXT    NOT NULL,
    key         TEXT    NOT NULL,
    seal        TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_by_project ON audit (project, seq);
CREATE INDEX audit_by_subject ON audit (subjects, seq);
