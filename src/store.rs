//! The database: schema, migrations, spans, proposals, decisions, records, audit. The only user of rusqlite.
