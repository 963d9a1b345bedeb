//! A tool's settings as they may be shown: what stands beside the hooks is the user's, and may be a key
//! to anything.

use super::json::{Kind, Node, parse};
use std::ops::Range;

/// The text with every text hidden that is a value outside of the hooks. Empty where it is no JSON.
#[must_use]
pub fn shown(text: &str) -> String {
    let Ok(root) = parse(text) else {
        return String::new();
    };
    let mut spans = Vec::new();
    for member in root.members().iter().filter(|m| m.key != "hooks") {
        texts(&member.value, &mut spans);
    }
    let mut shown = text.to_owned();
    for span in spans.into_iter().rev() {
        shown.replace_range(span, "\"…\"");
    }
    shown
}

/// Where the texts in a value stand, in order. Nesting is bounded by the parser.
fn texts(node: &Node, into: &mut Vec<Range<usize>>) {
    match &node.kind {
        Kind::Object(members) => members.iter().for_each(|m| texts(&m.value, into)),
        Kind::Array(items) => items.iter().for_each(|item| texts(item, into)),
        Kind::String(_) => into.push(node.span.clone()),
        Kind::True | Kind::Other => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_beside_the_hooks_are_hidden_and_all_else_stays() {
        let text = "{\n \"env\": {\"TOKEN\": \"tür-\\\"1\", \"n\": 7},\n \"a\": [\"x\", [\"y\"]],\n \"hooks\": {\"Stop\": [\"z\"]}\n}\n";
        let hidden = "{\n \"env\": {\"TOKEN\": \"…\", \"n\": 7},\n \"a\": [\"…\", [\"…\"]],\n \"hooks\": {\"Stop\": [\"z\"]}\n}\n";
        assert_eq!(shown(text), hidden);
        assert_eq!(shown(""), "");
        assert_eq!(shown("{\"env\": \"half"), "");
    }
}
