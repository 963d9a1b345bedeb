//! The forms in which a secret stands in a transcript: each is written around one token of each
//! shape, and no eight characters of it may be left.

use super::redact;
use std::fmt::Write;

/// Tokens of different families, made as they are needed: none stands here.
fn tokens() -> Vec<String> {
    let body = "9fKq2LmZx7Tb4WvRc1YsHd8NgJ6UeA3oPi5BkX0wQz";
    let run = |len: usize| body.chars().cycle().take(len).collect::<String>();
    vec![
        format!("gh{}_{}", 'p', run(36)),
        format!("sk-{}-api03-{}-_{}", "ant", run(40), run(53)),
        format!("npm{}{}", '_', run(36)),
        format!("AKI{}{}", 'A', "T3FZBN7ZLVGB6BV2"),
        format!(
            "dop_v1{}{}",
            '_',
            "4c1d9ef77725a7fb0b9803d0711b028b".repeat(2)
        ),
    ]
}

/// The first eight characters of a token that a text still holds, if any.
fn left<'t>(token: &'t str, shown: &str) -> Option<&'t str> {
    let windows = (0..=token.len() - 8).map(|at| &token[at..at + 8]);
    windows.into_iter().find(|w| shown.contains(w))
}

fn hidden_in(forms: &[&str], written: impl Fn(&str) -> String) {
    let mut wrong = String::new();
    for token in tokens() {
        for form in forms {
            let shown = redact(&form.replace("{}", &written(&token)));
            if let Some(left) = left(&token, &shown) {
                let _ = writeln!(wrong, "{left} of {form:?}: {shown}");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn whatever_stands_before_and_behind() {
    let forms = [
        "R: {}",
        "use ({}).",
        "**{}**, then",
        "a\u{200b}{}\u{200b}b",
        "key\u{1b}[31m{}\u{1b}[0m",
        "a\u{1b}]8;;http://h/?k={}\u{1b}\\b\u{1b}]8;;\u{1b}\\",
        "\u{1b}]0;{}\u{7}$",
        "key [1m{}[0m end",
        r"grep '\b{}\b' .",
        r"line\n{}\nline",
        r"line\\\\n{}\\\\nline",
        "tool -t{} run",
        "k%253D{}%2526x",
        "k&equals;{}&amp;x",
        "密钥是{}，请保存",
        "🔑{}🔒",
    ];
    hidden_in(&forms, str::to_owned);
}

#[test]
fn broken_into_lines_and_strings() {
    let forms = [
        "the key {}",
        "the key {}\n",
        "the key {} is new",
        "k = \"{}\";",
    ];
    let joints = [
        "\n",
        "\r\n    ",
        "\\\n",
        "│\n│ ",
        "\n+",
        "\n> > ",
        "\n  8→",
        "\n",
        "<br>",
        "\" + \"",
        "\" +\n  \"",
        "\"\n  \"",
        "' . '",
    ];
    for joint in joints {
        hidden_in(&forms, |token| {
            let (a, b) = token.split_at(token.len() - 12);
            format!("{a}{joint}{b}").replace('\'', "\"")
        });
    }
    let numbered = ["  7→x {}\n", "  7 x {}\n", "a/b.md:7:x {}\n", "-x {}\n"];
    for form in numbered {
        let gutter = form.split('x').next().unwrap().replace('7', "8");
        hidden_in(&[form], |token| {
            let (a, b) = token.split_at(token.len() - 12);
            format!("{a}\n{gutter}{b}")
        });
    }
}

#[test]
fn escaped_or_coloured_within() {
    let each = |written: fn(char) -> String| {
        hidden_in(&["x={} y"], |token| token.chars().map(written).collect());
    };
    each(|c| format!("\\u{:04x}", u32::from(c)));
    each(|c| format!("\\u{{{:x}}}", u32::from(c)));
    each(|c| format!("\\x{:02x}", u32::from(c)));
    each(|c| format!("\\{:03o}", u32::from(c)));
    each(|c| format!("%{:02X}", u32::from(c)));
    each(|c| format!("&#{};", u32::from(c)));
    each(|c| format!("{c}\u{200b}"));
    each(|c| format!("{c}\0"));
    each(|c| format!("{c}\\0"));
    for within in [
        "\u{1b}[1m",
        "^[[0m",
        "\\033[0m",
        "\u{1b}(B\u{1b}[m",
        "\u{202e}",
        "\u{fe0f}",
    ] {
        hidden_in(&["x {} y"], |token| {
            let (a, b) = token.split_at(token.len() / 2);
            format!("{a}{within}{b}")
        });
    }
}

#[test]
fn cut_off() {
    let marks = [
        "",
        "...",
        "…",
        " [truncated]",
        "\n... (12 more lines)",
        "****",
        "…\"",
    ];
    for mark in marks {
        hidden_in(&[&format!("token {{}}{mark}")], |token| {
            token[..token.len() - 4].to_owned()
        });
    }
}
