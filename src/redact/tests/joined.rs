//! Tokens that were broken over lines, and the neighbours below that are none of theirs.

use super::redact;

/// Tokens of no fixed length, and some whose letters a commit has too.
fn tokens() -> Vec<String> {
    let body =
        "q7Zk20Vd9sLmW3xTbY8uHcR1eJ5nPa4KqBGbcEclakfOwP8Q4HeBt2V0NVzvqYXdvjmKBRPDVKTl188PfafLBRrI";
    vec![
        format!("ops_ey{}{body}", 'J'),
        format!("IQoJb3JpZ2luX2V{}{body}", 'j'),
        format!("xox{}-1234567890-1234567890123-{}", 'b', &body[..24]),
        format!("fm{}_{body}", 2),
    ]
}

#[test]
fn a_token_takes_no_neighbour_along() {
    for token in tokens() {
        for (text, below) in [
            ("AWS_ACCESS_KEY_ID=\"{}\"\nPORT=3000", "\"\nPORT=3000"),
            ("token=\"{}\"\nq7Zk20Vd9sLmW3xTbY8uHcR1", "\"\nq7Zk20"),
            ("token={}\nregion=eu-west-1", "\nregion=eu-west-1"),
            ("\\nSLACK_BOT_TOKEN={}\\nMODE=dev\\nEOF", "nMODE=dev\\nEOF"),
            ("TOKEN={}\nMODE=dev\n", "\nMODE=dev\n"),
            ("{}\n2f85f08a3ebb7b0e\n", "\n2f85f08a3ebb7b0e\n"),
            ("{}\nDone.", "\nDone."),
        ] {
            let shown = redact(&text.replace("{}", &token));
            assert!(!shown.contains(&token[8..]), "{shown}");
            assert!(shown.ends_with(below) || shown.contains(below), "{shown}");
        }
    }
}

#[test]
fn a_broken_token_is_hidden_whole() {
    for token in tokens().iter().take(2) {
        let (first, second) = token.split_at(64);
        for text in [
            "TOKEN={1}\n{2}\nDone.",
            "TOKEN=\"{1}\\\n{2}\"\n",
            "T = \"{1}\" +\n    \"{2}\"",
            "  8→T=\"{1}\"\n  9→  \"{2}\"",
        ] {
            let shown = redact(&text.replace("{1}", first).replace("{2}", second));
            assert!(!shown.contains(second), "{shown}");
        }
    }
}

#[test]
fn something_encoded_has_no_tokens_in_it() {
    let run =
        "Zh6kdlaAQyH2Pdb4YL8dDGwXYq8RzrrmqwutFR3Cfvf5rcDp4HJRJKoSeSLtBgAsNjCb7eyivDwLI3EVokDmgfZh";
    let text = format!(
        "\"encrypted_content\":\"gAAAAAB{run}_y{}_8uXF7o6MpU9BN6ZKvIRlo9WMpSZMM_yIsYvTqG4gPhn4F4cwjiZw3dTNf\"",
        3
    );
    assert_eq!(redact(&text), text);
}
