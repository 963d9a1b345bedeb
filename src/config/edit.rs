//! Changing the config file: projects come and go, folders are excluded. Everything else stays as it
//! was typed, in its order.

use super::file::{Config, ConfigError};
use super::places::Places;
use super::reading::expand;
use crate::lock;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long another memd that changes the file is waited for; it takes milliseconds.
const WAIT: Duration = Duration::from_secs(10);

impl Config {
    /// Changes the file: reads it again, changes what it holds now, and writes it if it differs.
    /// Only one memd does so at a time, so that nobody's change is lost.
    ///
    /// # Errors
    /// When it cannot be read or written, or means nothing; the file is as it was then.
    pub fn change(
        &mut self,
        places: &Places,
        edit: impl FnOnce(&mut Config),
    ) -> Result<(), ConfigError> {
        let what = "the configuration";
        let _lock = lock::take(&places.locks().join("config"), WAIT, what)?;
        *self = Config::load(places)?;
        let before = self.raw.clone();
        edit(self);
        match before == self.raw {
            true => Ok(()),
            false => self.save(),
        }
    }

    /// Records a project under its root; what is recorded of it stays.
    pub fn register(&mut self, root: &Path, name: &str) {
        self.edit(root, |project| {
            let name = || Value::String(name.to_owned());
            project.entry("name").or_insert_with(name);
        });
        let settings = self.settings.projects.entry(root.to_owned()).or_default();
        settings.name.get_or_insert_with(|| name.to_owned());
    }

    /// As [`Config::register`], for the global memory.
    pub fn register_global(&mut self, root: &Path, name: &str) {
        self.register(root, name);
        self.edit(root, |project| {
            project.insert("global".to_owned(), Value::Bool(true));
        });
        let settings = self.settings.projects.entry(root.to_owned()).or_default();
        settings.global = true;
    }

    /// Takes a project out, by its root however it is written; whether it was in.
    pub fn unregister(&mut self, root: &Path) -> bool {
        let keys = self.keys_of(root);
        let Some(projects) = self.projects() else {
            return false;
        };
        for key in &keys {
            projects.shift_remove(key);
        }
        self.settings.projects.retain(|key, _| !is_same(key, root));
        !keys.is_empty()
    }

    /// Writes a project's settings under another root, in their place.
    pub fn move_project(&mut self, from: &Path, to: &Path) {
        let keys = self.keys_of(from);
        let name = to.to_string_lossy().into_owned();
        if let Some(projects) = self.projects()
            && !projects.contains_key(&name)
        {
            let renamed = std::mem::take(projects).into_iter().map(|(key, value)| {
                let key = match keys.first() {
                    Some(old) if *old == key => name.clone(),
                    _ => key,
                };
                (key, value)
            });
            *projects = renamed.collect();
        }
        let settings = &mut self.settings.projects;
        let old = settings.keys().find(|key| is_same(key, from)).cloned();
        if let Some(found) = old.and_then(|key| settings.remove(&key)) {
            settings.entry(to.to_owned()).or_insert(found);
        }
    }

    /// Keeps memd away from a folder and what is below it.
    pub fn exclude(&mut self, dir: &Path) {
        if self.settings.exclude.iter().any(|known| known == dir) {
            return;
        }
        let list = self.raw.entry("exclude");
        let list = list.or_insert_with(|| Value::Array(Vec::new()));
        if let Value::Array(list) = list {
            list.push(Value::String(dir.to_string_lossy().into_owned()));
        }
        self.settings.exclude.push(dir.to_owned());
    }

    fn projects(&mut self) -> Option<&mut Map<String, Value>> {
        self.raw.get_mut("projects")?.as_object_mut()
    }

    /// Changes the settings of a project as typed; they are made where there are none.
    fn edit(&mut self, root: &Path, edit: impl FnOnce(&mut Map<String, Value>)) {
        let object = || Value::Object(Map::new());
        let key = self.keys_of(root).into_iter().next();
        let key = key.unwrap_or_else(|| root.to_string_lossy().into_owned());
        let projects = self.raw.entry("projects").or_insert_with(object);
        // Both are objects in every file that could be read.
        let project = projects.as_object_mut().map(|all| all.entry(key));
        let project = project.map(|entry| entry.or_insert_with(object));
        if let Some(Value::Object(project)) = project {
            edit(project);
        }
    }

    /// How a root is written in the file.
    fn keys_of(&self, root: &Path) -> Vec<String> {
        let projects = self.raw.get("projects").and_then(Value::as_object);
        let keys = projects.into_iter().flat_map(Map::keys);
        let is_it = |key: &&String| {
            expand(&self.home, key).is_some_and(|path: PathBuf| is_same(&path, root))
        };
        keys.filter(is_it).cloned().collect()
    }
}

/// Whether two spellings name one folder.
pub(super) fn is_same(a: &Path, b: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    a == b || real(a).is_some_and(|a| Some(a) == real(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// What the file holds after a change, as text.
    fn changed(text: &str, edit: impl FnOnce(&mut Config)) -> String {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().to_owned();
        let places = Places::from_env(|n| (n == "HOME").then(|| home.clone().into())).unwrap();
        std::fs::create_dir_all(places.config.parent().unwrap()).unwrap();
        std::fs::write(&places.config, text).unwrap();
        let mut config = Config::load(&places).unwrap();
        // What another memd wrote meanwhile is not lost.
        std::fs::write(&places.config, text.replacen('{', "{\"new\": 1, ", 1)).unwrap();
        config.change(&places, edit).unwrap();
        let read = std::fs::read_to_string(&places.config).unwrap();
        assert_eq!(Config::load(&places).unwrap().settings, config.settings);
        let value: Value = serde_json::from_str(&read).unwrap();
        value.to_string().replacen("\"new\":1,", "", 1)
    }

    #[test]
    fn projects_come_move_and_go_and_the_rest_stays_as_typed() {
        let text = r#"{"zeta": 1, "projects": {"/a": {"name": "a", "x": [1]}, "/b": {}, "/c": {}}, "alpha": {"b": 2}}"#;
        let gone = changed(text, |config| assert!(config.unregister(Path::new("/a"))));
        assert_eq!(
            gone,
            r#"{"zeta":1,"projects":{"/b":{},"/c":{}},"alpha":{"b":2}}"#
        );
        let moved = changed(text, |config| {
            config.move_project(Path::new("/a"), Path::new("/n"));
        });
        assert!(
            moved.contains(r#"{"/n":{"name":"a","x":[1]},"/b":{}"#),
            "{moved}"
        );
        let global = changed(text, |config| {
            config.register_global(Path::new("/c"), "all");
        });
        assert!(
            global.contains(r#""/c":{"name":"all","global":true}"#),
            "{global}"
        );
        let out = changed(text, |config| {
            config.exclude(Path::new("/x"));
            config.exclude(Path::new("/x"));
        });
        assert!(
            out.ends_with(r#""alpha":{"b":2},"exclude":["/x"]}"#),
            "{out}"
        );
        let same = changed(text, |config| assert!(!config.unregister(Path::new("/d"))));
        assert_eq!(
            serde_json::from_str::<Value>(&same).unwrap()["zeta"],
            json!(1)
        );
    }
}
