-- What the newest act on each thing left standing: the manifest of a project's records, a word on a
-- value, how many proposals and decisions there are. A hash of all rows is sealed with the head of the audit chain, so that an act on them
-- that is missing from the chain changes nothing.
CREATE TABLE newest (
    name TEXT NOT NULL PRIMARY KEY,
    said TEXT NOT NULL
) STRICT, WITHOUT ROWID;
