//! Ways out of the text: a web host that is new here, an image, HTML, a link that hides its
//! target.
//!
//! A host is known when an entry of memory has it, or a user, a note or the model in words of its
//! own named it in the material. One that only a tool's output brought, or nothing at all, is new.

use super::speech::bare_hosts;
use super::{Context, Item, quote, warn};
use crate::proposal::{Origin, Verdict, hosts, origin_of};
use pulldown_cmark::{Event, Parser, Tag, TagEnd};

pub(super) const NAME: &str = "links";

/// HTML that hides, loads or draws something. Others, such as `<br>` or `<name>`, are plain text.
const ELEMENTS: &[&str] = &[
    "a",
    "applet",
    "area",
    "audio",
    "base",
    "bdo",
    "body",
    "canvas",
    "dialog",
    "frame",
    "map",
    "math",
    "noembed",
    "noframes",
    "noscript",
    "option",
    "plaintext",
    "select",
    "xmp",
    "button",
    "center",
    "details",
    "div",
    "embed",
    "font",
    "form",
    "head",
    "html",
    "iframe",
    "img",
    "input",
    "link",
    "marquee",
    "meta",
    "object",
    "p",
    "picture",
    "script",
    "source",
    "span",
    "style",
    "summary",
    "svg",
    "table",
    "template",
    "textarea",
    "title",
    "video",
];

pub(super) fn check(item: &Item, context: &Context) -> Vec<Verdict> {
    if item.change.op.takes_away() {
        return Vec::new();
    }
    let mut said: Vec<Verdict> = in_markup(&item.fresh)
        .into_iter()
        .map(|reason| warn(NAME, reason))
        .collect();
    said.extend(disguised(&item.fresh).map(|reason| warn(NAME, reason)));
    let named = hosts(&item.fresh);
    let bare = bare_hosts(&item.fresh);
    let bare = bare.into_iter().filter(|host| !named.contains(host));
    let new: Vec<String> = (named.iter().cloned().chain(bare))
        .filter(|host| !item.by_person && !is_known(host, context))
        .collect();
    if !new.is_empty() {
        said.push(warn(
            NAME,
            format!("names a web host that is new here: {}", new.join(", ")),
        ));
    }
    said
}

fn is_known(host: &str, context: &Context) -> bool {
    let is_local = matches!(host, "localhost" | "127.0.0.1" | "0.0.0.0" | "::1");
    let in_memory = || {
        let mut entries = context.entries.iter().filter(|e| e.sealed);
        entries.any(|e| hosts(&e.text).iter().any(|h| h == host))
    };
    is_local || in_memory() || is_named(host, context)
}

/// Whether a user, a note or the model named it, in lower case. What the model repeats word for word
/// of a tool's output is the tool's word still.
pub(super) fn is_named(name: &str, context: &Context) -> bool {
    let mut by_tools: Vec<String> = Vec::new();
    context.lines.iter().any(|line| {
        let before = words_before(&line.text.as_str().to_lowercase(), name);
        match origin_of(line.role) {
            Origin::Tool => {
                by_tools.extend(before);
                false
            }
            Origin::Assistant => before.iter().any(|words| !by_tools.contains(words)),
            _ => !before.is_empty(),
        }
    })
}

/// What stands before each mention of a host, without its marks: so many letters of it.
fn words_before(lower: &str, host: &str) -> Vec<String> {
    const LETTERS: usize = 20;
    let places = lower.match_indices(host).take(MENTIONS);
    let before = places.map(|(at, _)| {
        let letters = lower[..at].chars().rev().filter(|c| c.is_alphanumeric());
        letters.take(LETTERS).collect()
    });
    before.collect()
}

/// Mentions of a host in one line that are looked at.
const MENTIONS: usize = 16;

/// A host that is written so that it looks like another one.
fn disguised(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let mut urls = lower.match_indices("://").map(|(at, _)| &lower[at + 3..]);
    let found = urls.find_map(|rest| {
        let end = rest.find(|c: char| c.is_whitespace() || "/?#\"`)>|".contains(c));
        let authority = &rest[..end.unwrap_or(rest.len())];
        let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
        let name = host.split(':').next().unwrap_or(host);
        let is_number = name.starts_with("0x") || name.parse::<u64>().is_ok();
        let what = if user.split(':').next().is_some_and(|u| u.contains('.')) {
            "behind a name that looks like one"
        } else if name.starts_with("xn--") || name.contains(".xn--") {
            "in letters that only stand for others"
        } else if is_number {
            "as a number"
        } else {
            return None;
        };
        Some(format!("writes a host {what}: {}", quote(authority)))
    });
    let is_bare = |word: &&str| word.starts_with("xn--") && word.contains('.');
    found.or_else(|| {
        let bare = lower.split_whitespace().find(is_bare)?;
        Some(format!(
            "writes a host in letters that only stand for others: {}",
            quote(bare)
        ))
    })
}

/// Images, HTML and links that are not what they seem, outside of code.
fn in_markup(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut link: Option<(String, String)> = None;
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::Image { dest_url, .. }) => {
                found.push(format!("holds an image from {}", quote(&dest_url)));
            }
            Event::Start(Tag::Link { dest_url, .. }) => {
                link = Some((dest_url.into_string(), String::new()));
            }
            Event::End(TagEnd::Link) => {
                found.extend(link.take().and_then(|(to, shown)| deceit(&to, &shown)));
            }
            Event::Text(part) | Event::Code(part) => {
                if let Some((_, shown)) = &mut link {
                    shown.push_str(&part);
                }
            }
            Event::Html(html) | Event::InlineHtml(html) => found.extend(element(&html)),
            _ => {}
        }
    }
    found
}

/// What is wrong with a link that shows one thing and leads to another.
fn deceit(to: &str, shown: &str) -> Option<String> {
    let scheme = to.split_once(':').map(|(s, _)| s.to_lowercase());
    if matches!(
        scheme.as_deref(),
        Some("javascript" | "data" | "vbscript" | "file")
    ) {
        return Some(format!("holds a link to {}", quote(to)));
    }
    let target = hosts(to).into_iter().next()?;
    let shown_url = if shown.contains("://") {
        shown.to_owned()
    } else {
        format!("https://{shown}")
    };
    let looks_like_host = !shown.contains(' ') && shown.contains('.');
    let claimed = hosts(&shown_url)
        .into_iter()
        .next()
        .filter(|_| looks_like_host)?;
    let is_same = claimed == target || target.ends_with(&format!(".{claimed}"));
    // `[main.rs](https://git.example/x/main.rs)` shows a file of its target.
    let is_file = to.to_lowercase().ends_with(&claimed);
    (!is_same && !is_file)
        .then(|| format!("holds a link that shows {claimed} and leads to {target}"))
}

fn element(html: &str) -> Option<String> {
    let inner = html.trim_start().strip_prefix('<')?;
    if inner.starts_with("!--") {
        return Some(format!(
            "holds a comment that a reader does not see: {}",
            quote(html)
        ));
    }
    let name: String = inner
        .trim_start_matches('/')
        .chars()
        .take_while(char::is_ascii_alphanumeric)
        .collect();
    let end = inner.trim_start_matches('/').chars().nth(name.len());
    let is_tag = matches!(end, Some('>' | ' ' | '\t' | '\n' | '/') | None);
    (is_tag && ELEMENTS.contains(&name.to_lowercase().as_str()))
        .then(|| format!("holds HTML: {}", quote(html)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_that_look_like_others_are_named() {
        for text in [
            "https://github.com@evil.example/x",
            "see https://xn--80ak6aa92e.com/",
            "npm uses xn--pypl-53dc.com for it",
            "http://2130706433/x",
            "http://0x7f000001/",
        ] {
            assert!(disguised(text).is_some(), "{text}");
        }
        for text in [
            "https://user@git.example/x",
            "postgres://app:pw@db:5432/x",
            "https://a.example/@scope/pkg",
            "http://10.0.0.1/",
        ] {
            assert_eq!(disguised(text), None, "{text}");
        }
    }

    #[test]
    fn images_html_and_false_links_are_seen_and_code_is_not() {
        let cases = [
            ("![s](https://e.example/?q=x)", "an image from"),
            ("<img src=x>", "HTML"),
            ("a <details>b</details>", "HTML"),
            ("a <!-- do it --> b", "does not see"),
            (
                "[docs.rs](https://evil.example/x)",
                "shows docs.rs and leads to evil.example",
            ),
            (
                "[https://a.example](https://b.example)",
                "shows a.example and leads to b.example",
            ),
            ("[x](javascript:alert(1))", "a link to"),
        ];
        for (text, reason) in cases {
            let found = in_markup(text).join("; ");
            assert!(found.contains(reason), "{text:?}: {found:?}");
        }
        for text in [
            "`<img src=x>` and `![a](b)`",
            "```html\n<script>\n```",
            "run it with <file> and <name>",
            "[the docs](https://docs.example/x)",
            "[docs.example](https://www.docs.example/x)",
            "[README.md](https://git.example/README.md)",
            "<https://docs.example>",
            "a <br> b, x < y > z",
        ] {
            assert_eq!(in_markup(text), Vec::<String>::new(), "{text:?}");
        }
    }
}
