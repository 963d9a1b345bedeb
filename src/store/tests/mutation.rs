//! The mutation table: every column of every table of the real schema, changed one at a time behind
//! memd's back. `memd verify` fails, or the column is on a list that says why it need not be sealed;
//! a column that is new and on neither fails here.

use super::*;
use crate::trust::verify_all;
use rusqlite::Connection;
use rusqlite::types::Value;

/// Columns (`*`: all of a table) that no seal covers, and why none needs to.
const OPEN: &[(&str, &str, &str)] = &[
    (
        "projects",
        "id",
        "whatever is sealed names its project; of one that is not there nothing is given",
    ),
    (
        "projects",
        "root",
        "where a project is looked for; what lies there has to match sealed records of its id",
    ),
    ("projects", "name", "for people"),
    ("projects", "created", "for people"),
    (
        "projects",
        "forgotten",
        "hides a project from its user, gives nothing to an agent",
    ),
    (
        "proposals",
        "created",
        "the order of a list; the sealed body has the time",
    ),
    (
        "proposals",
        "queued",
        "how long it waits; expiry frees and applies nothing",
    ),
    (
        "proposals",
        "source",
        "shown in lists; the sealed body has it",
    ),
    (
        "proposals",
        "summary",
        "shown in lists; the sealed body has it",
    ),
    (
        "proposals",
        "changes",
        "a count in lists; the sealed body is what is decided on",
    ),
    (
        "proposals",
        "open",
        "a count in lists; the journal is what counts",
    ),
    (
        "proposals",
        "accepted",
        "a count in lists; the journal is what counts",
    ),
    (
        "proposals",
        "rejected",
        "a count in lists; the journal is what counts",
    ),
    (
        "proposals",
        "flagged",
        "a count in lists; guardrails judge again",
    ),
    (
        "proposals",
        "note",
        "goes to a curator, redacted; what it makes of it is reviewed",
    ),
    ("proposals", "told", "which curator was told"),
    (
        "proposals",
        "committed",
        "a pointer for people; the chain names commits itself",
    ),
    (
        "spans",
        "*",
        "which bytes count as read: material is read again or not, and what comes of it is reviewed",
    ),
    ("seen", "*", "as spans"),
    ("notes", "*", "as spans"),
    ("tries", "*", "as spans"),
    (
        "commits_owed",
        "*",
        "text of a commit; its trailer has to name a record of the chain",
    ),
    (
        "tombstones",
        "*",
        "what is not proposed again; what is proposed again is reviewed, and who applies without a person reads what was refused from what is sealed",
    ),
    ("aliases", "*", "as the roots of projects"),
    ("spent", "*", "what curators cost"),
    ("roots", "*", "where sessions are looked for"),
];

/// Tables out of which a whole row can go unnamed, and why it may.
const MAY_GO: &[(&str, &str)] = &[
    ("not_secret", "the value is hidden again"),
    ("grants", "memd waits for a person again"),
    ("projects", "nothing is given to anybody for it any more"),
];

fn reason(table: &str, column: &str) -> Option<&'static str> {
    let fits = |(t, c, _): &&(&str, &str, &'static str)| *t == table && (*c == "*" || *c == column);
    OPEN.iter().find(fits).map(|(.., why)| *why)
}

/// The database with all that is sealed in it, to be copied for each mutation.
struct Sample {
    case: Case,
    bytes: Vec<u8>,
    tables: Vec<(String, Vec<String>)>,
}

impl Sample {
    fn new() -> Self {
        let case = rotate::full();
        let root = Path::new("/other");
        case.store
            .ensure_project(&case.trust, root, "other", day(0))
            .unwrap();
        let undone = case.stage(3, &["- four"]);
        case.decide(&undone, 1, Decision::Accepted);
        let seen = case.store.decisions(&case.trust, &undone).unwrap().last;
        case.store.undo(&case.trust, &undone, seen, day(0)).unwrap();
        // Records of a proposal are missing, and a person settled that: no cover for anything else.
        case.attack("DELETE FROM audit WHERE seq = 3");
        chain::settle(&case);
        assert_eq!(case.breaks(), []);
        let bytes = case.whole_database();
        let conn = Connection::open(case.store.path()).unwrap();
        let tables = names(
            &conn,
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
        );
        let columns = |table: &String| {
            let sql = format!("SELECT name FROM pragma_table_info('{table}')");
            (table.clone(), names(&conn, &sql))
        };
        let tables = tables.iter().map(columns).collect();
        Self {
            case,
            bytes,
            tables,
        }
    }

    /// Whether verify names something after this was done to a copy; `None`: it changed nothing.
    fn is_named(&self, attack: impl FnOnce(&Connection) -> usize) -> Option<bool> {
        let dir = tempfile::tempdir().unwrap();
        let places = places(dir.path());
        std::fs::create_dir_all(&places.state).unwrap();
        std::fs::write(places.database(), &self.bytes).unwrap();
        std::fs::copy(self.case.places().key(), places.key()).unwrap();
        let conn = Connection::open(places.database()).unwrap();
        for pragma in [
            "foreign_keys = OFF",
            "ignore_check_constraints = ON",
            "synchronous = OFF",
        ] {
            conn.execute_batch(&format!("PRAGMA {pragma}")).unwrap();
        }
        let triggers = names(
            &conn,
            "SELECT name FROM sqlite_master WHERE type = 'trigger'",
        );
        for trigger in triggers {
            conn.execute_batch(&format!("DROP TRIGGER {trigger}"))
                .unwrap();
        }
        if attack(&conn) == 0 {
            return None;
        }
        super::put_guards_back(&conn);
        drop(conn);
        let store = Store::open(&places).unwrap();
        // A command that cannot even read it ends with an error, which names what it is about.
        let Ok(trust) = store.trust() else {
            return Some(true);
        };
        let Ok(evidence) = store.evidence(&trust, None) else {
            return Some(true);
        };
        let breaks = verify_all(&evidence, &trust, day(0), &str::to_owned).breaks;
        let is_named = !breaks.is_empty();
        // What fails is not for a brief: either nothing of the project is, or not that record.
        if breaks
            .iter()
            .any(|b| b.kind == crate::trust::BreakKind::RecordSeal)
        {
            let given = store.records(&trust, &self.case.project.id);
            let good = |r: &Record| trust.verify(r).is_ok();
            assert!(given.is_err() || !given.unwrap().iter().all(good));
        }
        Some(is_named)
    }
}

fn names(conn: &Connection, sql: &str) -> Vec<String> {
    let mut query = conn.prepare(sql).unwrap();
    let rows = query.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

/// Other values of the same kind, some that make sense in its place.
fn others(value: &Value) -> Vec<Value> {
    match value {
        Value::Null => vec![
            Value::Text("2020-01-01T00:00:00Z".into()),
            Value::Text("00000000000a".into()),
            Value::Text("0000000a".into()),
        ],
        Value::Integer(n) => vec![Value::Integer(n + 1), Value::Integer(1 - n)],
        Value::Real(n) => vec![Value::Real(n + 1.0)],
        Value::Blob(b) => vec![Value::Blob([b.as_slice(), b"x"].concat())],
        Value::Text(text) => {
            let mut all: Vec<String> = vec![format!("{text}x"), String::new()];
            if text.parse::<Timestamp>().is_ok() {
                all.push("2020-01-01T00:00:00Z".into());
                all.push("2099-01-01T00:00:00Z".into());
            }
            let words = [
                "live",
                "archived",
                "tombstoned",
                "state.md",
                "todo.md",
                "user",
                "tool",
                "import",
                "human_edit",
                "staged",
                "applying",
                "applied",
                "discarded",
                "returned",
                "expired",
                "distill",
                "revert",
                "decide",
                "undo",
                "redo",
                "settle",
            ];
            if words.contains(&text.as_str()) {
                all.extend(words.map(str::to_owned));
            }
            if let Some(first) = text
                .chars()
                .next()
                .filter(|_| text.len() >= 8 && text.is_ascii())
            {
                let other = if first == '0' { '1' } else { '0' };
                all.push(format!("{other}{}", &text[1..]));
            }
            all.into_iter().map(Value::Text).collect()
        }
    }
}

/// Every row by what tells it from the others: its values.
fn rows(conn: &Connection, table: &str, columns: &[String]) -> Vec<Vec<Value>> {
    let sql = format!("SELECT {} FROM {table}", columns.join(", "));
    let mut query = conn.prepare(&sql).unwrap();
    let rows = query.query_map([], |row| (0..columns.len()).map(|n| row.get(n)).collect());
    rows.unwrap().map(Result::unwrap).collect()
}

fn matches(columns: &[String], from: usize) -> String {
    let each = columns.iter().zip(from..);
    let each: Vec<_> = each.map(|(c, n)| format!("{c} IS ?{n}")).collect();
    each.join(" AND ")
}

fn update(
    conn: &Connection,
    (table, columns): (&str, &[String]),
    column: &str,
    row: &[Value],
    to: &Value,
) -> usize {
    let sql = format!(
        "UPDATE OR IGNORE {table} SET {column} = ?1 WHERE {}",
        matches(columns, 2)
    );
    let values = std::iter::once(to).chain(row);
    // What the schema does not allow is no attack.
    conn.execute(&sql, rusqlite::params_from_iter(values))
        .unwrap_or(0)
}

#[test]
fn every_column_of_every_table_is_sealed_or_on_the_list_with_a_reason() {
    let sample = Sample::new();
    let conn = Connection::open(sample.case.store.path()).unwrap();
    let mut unnamed = Vec::new();
    for (table, columns) in &sample.tables {
        let all = rows(&conn, table, columns);
        for (n, column) in columns.iter().enumerate() {
            if reason(table, column).is_some() {
                continue;
            }
            let mut tried = 0;
            for row in &all {
                for to in others(&row[n]) {
                    if to == row[n] {
                        continue;
                    }
                    let of = (table.as_str(), columns.as_slice());
                    match sample.is_named(|conn| update(conn, of, column, row, &to)) {
                        None => {}
                        Some(true) => tried += 1,
                        Some(false) => {
                            unnamed.push(format!("{table}.{column}: {:?} -> {to:?}", row[n]))
                        }
                    }
                }
            }
            if tried == 0 {
                unnamed.push(format!("{table}.{column}: nothing was tried"));
            }
        }
    }
    assert_eq!(unnamed, Vec::<String>::new());
}

#[test]
fn the_list_of_what_is_not_sealed_names_only_what_is_there() {
    let sample = Sample::new();
    for (table, column, why) in OPEN {
        let found = sample.tables.iter().find(|(t, _)| t == table);
        let columns = &found.unwrap_or_else(|| panic!("{table}")).1;
        assert!(
            *column == "*" || columns.iter().any(|c| c == column),
            "{table}.{column}"
        );
        assert!(!why.is_empty());
    }
}

#[test]
fn every_column_that_no_seal_covers_is_looked_through_for_what_memd_did_not_write() {
    let sample = Sample::new();
    let looked = crate::store::rows::columns();
    let unlooked = sample.tables.iter().flat_map(|(table, columns)| {
        let open = columns.iter().filter(|c| reason(table, c).is_some());
        let open = open.map(move |c| (table.as_str(), c.as_str()));
        // Numbers that SQLite gives rows.
        let row = |(t, c): &(&str, &str)| *c == "id" && ["spans", "commits_owed"].contains(t);
        open.filter(move |c| !row(c))
    });
    let unlooked: Vec<_> = unlooked.filter(|c| !looked.contains(c)).collect();
    assert_eq!(unlooked, []);
}

#[test]
fn rows_that_are_taken_out_doubled_swapped_or_given_to_another_project_are_named() {
    let sample = Sample::new();
    let conn = Connection::open(sample.case.store.path()).unwrap();
    let other: String = conn
        .query_row("SELECT id FROM projects WHERE name = 'other'", [], |row| {
            row.get(0)
        })
        .unwrap();
    let mut unnamed = Vec::new();
    for (table, columns) in &sample.tables {
        if columns.iter().all(|c| reason(table, c).is_some()) {
            continue;
        }
        let all = rows(&conn, table, columns);
        let may_go = MAY_GO.iter().any(|(t, _)| t == table);
        for row in &all {
            let gone = sample.is_named(|conn| {
                let sql = format!("DELETE FROM {table} WHERE {}", matches(columns, 1));
                conn.execute(&sql, rusqlite::params_from_iter(row)).unwrap()
            });
            if gone != Some(true) && !may_go {
                unnamed.push(format!("{table}: a row taken out: {row:?}"));
            }
            if let Some(n) = columns.iter().position(|c| c == "project")
                && ![String::new(), other.clone()]
                    .map(Value::Text)
                    .contains(&row[n])
            {
                let to = Value::Text(other.clone());
                let of = (table.as_str(), columns.as_slice());
                let moved = sample.is_named(|conn| update(conn, of, "project", row, &to));
                if moved == Some(false) {
                    unnamed.push(format!("{table}: a row given to another project: {row:?}"));
                }
            }
            // Doubled under another key, whichever column of it can be another.
            for (n, column) in columns.iter().enumerate() {
                for to in others(&row[n]) {
                    let mut copy = row.clone();
                    copy[n] = to;
                    let doubled = sample.is_named(|conn| {
                        let places: Vec<_> = (1..=columns.len()).map(|n| format!("?{n}")).collect();
                        let sql = format!(
                            "INSERT OR IGNORE INTO {table} ({}) VALUES ({})",
                            columns.join(", "),
                            places.join(", ")
                        );
                        conn.execute(&sql, rusqlite::params_from_iter(&copy))
                            .unwrap_or(0)
                    });
                    if doubled == Some(false) && table != "projects" && table != "meta" {
                        unnamed.push(format!(
                            "{table}: a row doubled with another {column}: {copy:?}"
                        ));
                    }
                }
            }
        }
        for (n, column) in columns.iter().enumerate() {
            if reason(table, column).is_some() {
                continue;
            }
            for pair in all.windows(2).filter(|pair| pair[0][n] != pair[1][n]) {
                let of = (table.as_str(), columns.as_slice());
                let swapped = sample.is_named(|conn| {
                    update(conn, of, column, &pair[0], &pair[1][n])
                        + update(conn, of, column, &pair[1], &pair[0][n])
                });
                if swapped == Some(false) {
                    unnamed.push(format!("{table}.{column}: two values swapped: {pair:?}"));
                }
            }
        }
    }
    assert_eq!(unnamed, Vec::<String>::new());
}
