//! Makes the rule table ready at build time: JSON, without the examples, which only the tests run.
//! It is read at each start of memd, and YAML takes several times as long.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

const TABLE: &str = "assets/redact/rules.yaml";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={TABLE}");
    println!("cargo::rerun-if-changed=assets/redact/build.rs");
    let text = fs::read_to_string(TABLE)?;
    let mut table: serde_json::Value =
        serde_yaml::from_str(&text).map_err(|e| format!("{TABLE}: {e}"))?;
    let rules = table.get_mut("rules").and_then(|r| r.as_array_mut());
    for rule in rules.into_iter().flatten() {
        if let Some(fields) = rule.as_object_mut() {
            fields.remove("pos");
            fields.remove("neg");
        }
    }
    let to = env::var("OUT_DIR")?;
    fs::write(Path::new(&to).join("rules.json"), table.to_string())?;
    Ok(())
}
