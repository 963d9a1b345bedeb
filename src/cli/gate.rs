//! The last gate: whatever memd prints or logs passes it. Texts were redacted where they came in;
//! this is for what a message may quote besides, such as an argument, a path, or the words of a
//! library's error.
//!
//! A text without secrets costs one search. Only where there are some is the machine's key looked
//! for, and what a person called no secret: that is shown here too. Prints nothing itself.

use crate::config::Places;
use crate::redact::{Redactor, WITHHELD};
use crate::store::Store;
use serde_json::Value;
use std::borrow::Cow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

static GATE: Mutex<Gate> = Mutex::new(Gate {
    setup: None,
    finder: None,
    hider: None,
    is_keyed: None,
});

/// What is known so far. Held for moments: whatever takes longer is made without it.
struct Gate {
    /// Where things are, and the user's own patterns.
    setup: Option<(Places, Vec<String>)>,
    /// Finds; nobody sees a placeholder of it.
    finder: Option<Arc<Redactor>>,
    /// Hides, with this machine's key; made when there is something to hide.
    hider: Option<Arc<Redactor>>,
    /// Whether only the key finds all: a person called values a secret, of which memd has hashes.
    /// None: nobody has looked.
    is_keyed: Option<bool>,
}

fn gate() -> MutexGuard<'static, Gate> {
    GATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tells the gate of the configuration. Before, it knows the built-in rules only.
pub(super) fn set_up(places: &Places, patterns: &[String]) {
    gate().setup = Some((places.clone(), patterns.to_vec()));
    look_again();
}

/// What a person called no secret, or one besides, has changed.
pub(super) fn look_again() {
    let mut gate = gate();
    (gate.finder, gate.hider, gate.is_keyed) = (None, None, None);
}

fn patterns() -> Vec<String> {
    let gate = gate();
    let setup = gate.setup.as_ref();
    setup.map_or_else(Vec::new, |(_, patterns)| patterns.clone())
}

/// The database, if there is one and a key to it. Nobody waits for it longer than a hook may.
fn store() -> Option<Store> {
    let places = gate().setup.as_ref().map(|(places, _)| places.clone())?;
    if !places.key().is_file() {
        return None;
    }
    Store::open_in_passing(&places).ok().flatten()
}

fn is_keyed() -> bool {
    if let Some(known) = gate().is_keyed {
        return known;
    }
    let is_keyed = store().is_some_and(|store| store.has_also_secret().unwrap_or(true));
    gate().is_keyed = Some(is_keyed);
    is_keyed
}

fn finder() -> Arc<Redactor> {
    if let Some(finder) = gate().finder.clone() {
        return finder;
    }
    let finder = Arc::new(Redactor::new(&patterns(), &[0; 32]).0);
    teach(&finder);
    Arc::clone(gate().finder.get_or_insert(finder))
}

/// Nothing where only the key finds all, and the database does not answer.
fn hider() -> Option<Arc<Redactor>> {
    if let Some(hider) = gate().hider.clone() {
        return Some(hider);
    }
    let plain = || Some(Redactor::new(&patterns(), &random()?).0);
    let hider = match keyed() {
        Some(hider) => hider,
        None if is_keyed() => return None,
        None => plain()?,
    };
    teach(&hider);
    Some(Arc::clone(gate().hider.get_or_insert(Arc::new(hider))))
}

/// The secrets that the environment names: a program that memd starts may tell them, and a session
/// may hold what a tool printed of them.
pub(super) fn teach(redactor: &Redactor) {
    for (name, value) in std::env::vars_os() {
        if let (Some(name), Some(value)) = (name.to_str(), value.to_str()) {
            redactor.remember(name, value);
        }
    }
}

/// A text fit to be printed or logged.
pub(super) fn hide(text: &str) -> Cow<'_, str> {
    match is_clean(text) {
        true => Cow::Borrowed(text),
        false => Cow::Owned(shown(hider().as_deref(), text)),
    }
}

/// As [`hide`], owned.
pub(super) fn shown_text(text: &str) -> String {
    hide(text).into_owned()
}

/// A JSON text fit to be printed: its strings are, keys included.
pub(super) fn hide_json(json: &str) -> Cow<'_, str> {
    if is_clean(json) {
        return Cow::Borrowed(json);
    }
    let hider = hider();
    let hidden = match serde_json::from_str(json) {
        Ok(value) => shown_value(hider.as_deref(), value).to_string(),
        Err(_) => json.to_owned(),
    };
    // A value may be a secret's by the key beside it only.
    Cow::Owned(shown(hider.as_deref(), &hidden))
}

fn is_clean(text: &str) -> bool {
    let searcher = match is_keyed() {
        true => hider(),
        false => Some(finder()),
    };
    searcher.is_some_and(|searcher| searcher.check(text).is_empty())
}

fn shown(hider: Option<&Redactor>, text: &str) -> String {
    hider.map_or_else(|| WITHHELD.to_owned(), |hider| hider.shown(text))
}

fn shown_value(hider: Option<&Redactor>, value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(shown(hider, &text)),
        Value::Array(items) => {
            let items = items.into_iter().map(|item| shown_value(hider, item));
            Value::Array(items.collect())
        }
        Value::Object(map) => {
            let shown = |(key, value): (String, Value)| {
                (self::shown(hider, &key), shown_value(hider, value))
            };
            Value::Object(map.into_iter().map(shown).collect())
        }
        other => other,
    }
}

/// With the machine's key and a person's word on values, where there is a database; it is only
/// looked at.
fn keyed() -> Option<Redactor> {
    let store = store()?;
    let trust = store.trust().ok()?;
    let mut redactor = Redactor::new(&patterns(), trust.redaction_key()).0;
    if let Ok(allowed) = store.not_secret(&trust) {
        redactor = redactor.allowing(allowed.fingerprints());
    }
    let also = store.also_secret(&trust).ok()?;
    Some(redactor.hiding(also.to_hide()))
}

fn random() -> Option<[u8; 32]> {
    let mut key = [0; 32];
    getrandom::fill(&mut key).ok()?;
    Some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One character is escaped, so that no scanner takes this file for a leak.
    const SECRET: &str = "g\u{68}p_BbrSK29CZTux1KMoBFeJDPYhgFy5pb20n4fa";

    fn is_hidden(text: &str) -> bool {
        text.contains("[REDACTED:github_pat#") && !text.contains(&SECRET[4..12])
    }

    #[test]
    fn what_a_message_quotes_is_hidden_and_the_rest_stays_as_it_is() {
        assert!(matches!(hide("cannot read \"/p/x\""), Cow::Borrowed(_)));
        let text =
            hide_json(&format!("{{\"{SECRET}\":[1,\"a\\n{SECRET}\"],\"b\":null}}")).into_owned();
        assert!(is_hidden(&text) && text.contains("\\n[REDACTED"), "{text}");
        let value: Value = serde_json::from_str(&text).unwrap();
        assert!(value["b"].is_null());
        let text = hide(&format!("unexpected argument '--token={SECRET}' found")).into_owned();
        assert!(is_hidden(&text) && text.ends_with("' found"), "{text}");
    }

    /// Such as stand in every environment.
    const USUAL: &[(&str, &str)] = &[
        ("PWD", "/home/dev/projects/app2"),
        ("OLDPWD", "/home/dev/Projects/App-3"),
        ("SSH_AUTH_SOCK", "/tmp/ssh-XXab12Cd/agent.4711"),
        ("SSH_AUTH_SOCK", "/run/user/1000/keyring/ssh"),
        (
            "SESSION_MANAGER",
            "local/host1:@/tmp/.ICE-unix/1234,unix/host1:/tmp/.ICE-unix/1234",
        ),
        ("XDG_SESSION_ID", "c2"),
        ("XDG_SESSION_DESKTOP", "ubuntu-22"),
        ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/run/user/1000/bus"),
        ("GNOME_KEYRING_CONTROL", "/run/user/1000/keyring"),
        (
            "TERM_SESSION_ID",
            "w0t1p0:7F3A91C2-1B2C-4D5E-8F90-A1B2C3D4E5F6",
        ),
        (
            "ITERM_SESSION_ID",
            "w0t0p0:0A1B2C3D-1B2C-4D5E-8F90-A1B2C3D4E5F6",
        ),
        (
            "CLAUDE_CODE_SESSION_ID",
            "7f3a91c2-1b2c-4d5e-8f90-a1b2c3d4e5f6",
        ),
        ("GPG_TTY", "/dev/pts/12"),
        ("KEYTIMEOUT", "12345678"),
        ("PASSWORD_STORE_DIR", "/home/dev/.password-store2"),
        ("GIT_AUTHOR_NAME", "Dev1Loper"),
        ("TOKENIZERS_PARALLELISM", "false"),
    ];

    #[test]
    fn the_usual_environment_hides_nothing_and_its_secrets_are_hidden() {
        let redactor = Redactor::new(&[], &[3; 32]).0;
        let hidden = |value: &str| !redactor.check(&format!("see {value} there")).is_empty();
        for (name, value) in USUAL {
            redactor.remember(name, value);
            assert!(!hidden(value), "{name}={value}");
        }
        let value = "Vq7wZk2mXr9TtYbnLcC3sPd5";
        assert!(!hidden(value));
        redactor.remember("SERVICE_TOKEN", value);
        assert!(hidden(value));
    }
}
