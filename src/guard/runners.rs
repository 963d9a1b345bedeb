//! Packages that a program would fetch and run on the spot (`npx`, `uvx`, `pipx run`), where neither
//! a person, the model nor memory ever named them: one letter beside a known name is another's code.

use super::links::is_named;
use super::{Context, Item, quote, warn};
use crate::proposal::Verdict;
use pulldown_cmark::{Event, Parser, Tag, TagEnd};

pub(super) const NAME: &str = "packages";

/// What runs a package that it fetches first.
const RUNNERS: [&[&str]; 10] = [
    &["npx"],
    &["bunx"],
    &["pnpx"],
    &["uvx"],
    &["pipx", "run"],
    &["pnpm", "dlx"],
    &["yarn", "dlx"],
    &["npm", "exec"],
    &["bun", "x"],
    &["uv", "tool", "run"],
];

pub(super) fn check(item: &Item, context: &Context) -> Option<Verdict> {
    if item.by_person || item.change.op.takes_away() {
        return None;
    }
    let mut named = in_code(&item.fresh);
    let is_new = |package: &String| {
        let in_memory = || {
            let mut entries = context.entries.iter().filter(|e| e.sealed);
            entries.any(|e| e.text.contains(package.as_str()))
        };
        !is_named(&package.to_lowercase(), context) && !in_memory()
    };
    let package = named.find(is_new)?;
    let reason = format!("runs a package that is new here: {}", quote(&package));
    Some(warn(NAME, reason))
}

/// The packages that the code of a text runs.
fn in_code(text: &str) -> impl Iterator<Item = String> {
    let mut is_block = false;
    let code = Parser::new(text).filter_map(move |event| match event {
        Event::Start(Tag::CodeBlock(_)) => {
            is_block = true;
            None
        }
        Event::End(TagEnd::CodeBlock) => {
            is_block = false;
            None
        }
        Event::Code(code) => Some(code.to_string()),
        Event::Text(code) if is_block => Some(code.to_string()),
        _ => None,
    });
    code.flat_map(|code| code.lines().flat_map(packages).collect::<Vec<_>>())
}

fn packages(line: &str) -> Vec<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let run = |at: usize| RUNNERS.iter().find(|r| words[at..].starts_with(r));
    let starts = (0..words.len()).filter_map(|at| run(at).map(|r| at + r.len()));
    starts.filter_map(|at| package(&words[at..])).collect()
}

/// The package behind a runner and its flags, without its version.
fn package(words: &[&str]) -> Option<String> {
    let is_flag = |w: &&&str| w.starts_with('-');
    let word = words.iter().find(|w| !is_flag(w))?;
    let bare =
        word.trim_matches(|c: char| !c.is_alphanumeric() && c != '@' && c != '.' && c != '/');
    let version = bare
        .char_indices()
        .skip(1)
        .find(|(_, c)| "@=<>~".contains(*c));
    let name = &bare[..version.map_or(bare.len(), |(at, _)| at)];
    let is_path = name.starts_with(['.', '/']) || name.contains(':');
    (name.len() > 1 && !is_path).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_found_behind_runners_and_their_flags() {
        for (text, package) in [
            ("- `npx -y requestz@1.2 --fix` mends it", "requestz"),
            ("- run `npx @acme/tool`", "@acme/tool"),
            ("- `uvx ruff==0.5 check`", "ruff"),
            (
                "- x\n\n  ```sh\n  cd a && pipx run cowsay hi\n  ```",
                "cowsay",
            ),
            ("- `pnpm dlx create-thing`", "create-thing"),
        ] {
            assert_eq!(in_code(text).collect::<Vec<_>>(), [package], "{text}");
        }
        for text in ["- npx is slow", "- `npx` runs tools", "- `npx ./local.js`"] {
            assert_eq!(in_code(text).next(), None, "{text}");
        }
    }
}
