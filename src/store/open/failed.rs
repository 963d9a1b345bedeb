//! What SQLite's errors come to.

use super::super::error::{StoreError, said};
use super::super::schema::MIGRATIONS;
use rusqlite::ErrorCode;
use std::path::{Path, PathBuf};

pub(super) fn is_busy(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(
        code,
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}

/// Gives an error of SQLite the file it is about, and its kind.
pub(super) fn with_path(error: StoreError, path: &Path) -> StoreError {
    let StoreError::Sql(source) = error else {
        return error;
    };
    let path = path.to_owned();
    match source.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy { path },
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => damaged(path, &source),
        _ if is_incomplete(&source) => damaged(path, &source),
        _ if is_other_schema(&source) => StoreError::OtherSchema {
            path,
            what: said(&source),
            known: MIGRATIONS.len(),
        },
        _ => StoreError::Database { path, source },
    }
}

/// Whether a table of memd's, or a part of one, is not there.
fn is_incomplete(error: &rusqlite::Error) -> bool {
    let told = said(error);
    told.starts_with("no such table") || told.starts_with("no such column")
}

/// Whether the layout is not what the version says: all that memd asks fits its own.
fn is_other_schema(error: &rusqlite::Error) -> bool {
    let told = said(error);
    matches!(error, rusqlite::Error::SqlInputError { .. })
        || told.ends_with("already exists")
        || told.starts_with("duplicate column name")
}

fn damaged(path: PathBuf, source: &rusqlite::Error) -> StoreError {
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned());
    StoreError::Damaged {
        name: name.unwrap_or_default(),
        path,
        what: said(source),
    }
}
