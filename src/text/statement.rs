//! The normal form in which two statements are compared.

use unicode_normalization::UnicodeNormalization;

/// A statement without what does not change its meaning: compatibility forms, case, hidden
/// characters, markup, punctuation, runs of white space. Equal forms are the same statement.
///
/// Operators and signs that carry meaning in code (`==`, `!=`, `<`, `-5`) are kept.
#[must_use]
pub fn statement(text: &str) -> String {
    words(text).join(" ")
}

/// The words of a statement, in order, in normal form.
#[must_use]
pub fn words(text: &str) -> Vec<String> {
    let folded: String = text
        .nfkc()
        .flat_map(char::to_lowercase)
        .filter(|c| super::hidden(c.encode_utf8(&mut [0; 4])).is_empty())
        .collect();
    folded
        .split(|c: char| c.is_whitespace() || "\"'`*“”‘’(){}[],;".contains(c))
        .map(|word| word.trim_matches(|c: char| ".:?_~#—–".contains(c)))
        .filter(|word| !word.is_empty() && *word != "-")
        .map(str::to_owned)
        .collect()
}

/// How many of the distinct words of `a` also stand in `b`, between 0 and 1; 1 when `a` has none.
#[must_use]
pub fn shared_words(a: &str, b: &str) -> f64 {
    let set = |t: &str| {
        words(t)
            .into_iter()
            .collect::<std::collections::BTreeSet<_>>()
    };
    let (a, b) = (set(a), set(b));
    if a.is_empty() {
        return 1.0;
    }
    a.intersection(&b).count() as f64 / a.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_case_do_not_change_a_statement_but_signs_do() {
        assert_eq!(
            statement("- **Use** `SQLite`, always."),
            statement("use sqlite always")
        );
        assert_eq!(statement("ig\u{200B}nore"), "ignore");
        assert_ne!(statement("a == b"), statement("a != b"));
        assert_ne!(statement("port 500"), statement("port 5000"));
        assert!(shared_words("the port is 8443", "the API port is 8443 now") > 0.99);
    }
}
