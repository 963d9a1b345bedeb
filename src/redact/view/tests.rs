//! What texts look like to the rules, and the way back.

use super::*;

fn seen(raw: &str) -> String {
    String::from_utf8_lossy(View::new(raw.as_bytes()).bytes()).into_owned()
}

#[test]
fn escapes_are_decoded_and_colours_dropped() {
    assert_eq!(seen(r#"a\nb \\\"c\\\" d"#), "a\nb \"c\" d");
    assert_eq!(seen("x\u{1b}[31my\u{1b}[0m z"), "xy z");
    assert_eq!(seen(r"x\u001b[1my\x41\u0042 \033[0m"), "xyAB ");
    assert_eq!(seen("a%3Db &quot;c&quot; &#61; &#x3d;"), "a=b \"c\" = =");
    assert_eq!(seen("to\u{200b}ken \u{feff}é"), "token é");
    assert_eq!(seen(r"50% \d+ & C:\dir"), r"50% \d+ & C:\dir");
    assert_eq!(seen(r"%253D%25253d \u{3d}\075"), "== ==");
    assert_eq!(seen("a\0b\0c\0 x\\0y\\0z"), "abc\0 xy\\0z");
    assert_eq!(seen("x\u{202e}y\u{e0041}z\u{34f}"), "xyz");
}

#[test]
fn colours_in_all_spellings_are_dropped_and_moves_are_spaces() {
    for text in [
        "a\u{1b}[1;31mb\u{1b}[m\u{1b}[K c",
        "a^[[1mb^[[0m c",
        r"a\e[1mb\033[0m c",
        "a\u{9b}1mb\u{9b}0m c",
        "a[1mb[0m c",
        "a\u{1b}(B\u{1b}[mb c",
        "ab\u{1b}[1Cc",
        "a\u{1b}]8;;\u{7}b c",
    ] {
        assert_eq!(seen(text), "ab c", "{text:?}");
    }
    assert_eq!(seen("a[0] b[i] [m]"), "a[0] b[i] [m]");
    let link = "\u{1b}]8;id=1;http://h/x\u{1b}\\text\u{1b}]8;;\u{1b}\\ y";
    assert_eq!(seen(link), " http://h/x text y");
}

#[test]
fn what_is_not_seen_and_other_faces_of_letters_protect_nothing() {
    for unseen in [
        "\u{1}",
        "\u{7}",
        "\u{b}",
        "\u{c}",
        "\u{1f}",
        "\u{7f}",
        "\u{80}",
        "\u{9f}",
        "\u{301}",
        "\u{3164}",
        "\u{115f}",
        "\u{2800}",
        "\u{e0041}",
        "\u{fe0f}",
        "\u{1d173}",
        r"\u0001",
        r"\u200b",
        r"\u0301",
        "&#8203;",
        "[REDACTED:x#0000]",
    ] {
        let raw = format!("tok{unseen}en=1");
        let view = View::new(raw.as_bytes());
        assert_eq!(seen(&raw), "token=1", "{unseen:?}");
        assert_eq!(view.raw(&(0..5)), 0..raw.len() - 2, "{unseen:?}");
    }
    let wide =
        "\u{ff54}\u{ff4f}\u{ff4b}\u{ff45}\u{ff4e}\u{ff1d}\u{1d402}\u{1d41a}\u{1d7d7}\u{24d0}";
    assert_eq!(seen(wide), "token=Ca9a");
    let view = View::new(wide.as_bytes());
    assert_eq!(view.raw(&(6..8)), 18..26);
    assert_eq!(seen("A=b\0DB_PW=c\0"), "A=b\nDB_PW=c\0");
    assert_eq!(seen("tok\0en 1"), "token 1");
    for kept in [
        "x \u{c}\ny",
        "日本語、テスト。",
        "[REDACTED:x#0000] y",
        "\"[REDACTED:x#0000]\"",
        r"\n[REDACTED:x#0000]",
    ] {
        let decoded = kept.replace(r"\n", "\n");
        assert_eq!(seen(kept), decoded, "{kept:?}");
    }
}

#[test]
fn a_span_maps_back_to_the_raw_bytes() {
    let raw = "k\\u003dA\u{1b}[1mB\u{1b}[0m;";
    let view = View::new(raw.as_bytes());
    assert_eq!(view.bytes(), b"k=AB;");
    assert_eq!(&raw[view.raw(&(1..2))], "\\u003d");
    assert_eq!(&raw[view.raw(&(2..4))], "A\u{1b}[1mB");
    assert_eq!(&raw[view.raw(&(4..5))], ";");
}
