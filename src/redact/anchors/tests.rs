//! The anchors against a plain search.

use super::*;

fn anchors(literals: &[&str], exact: bool) -> Anchors {
    let all = literals.iter().enumerate().map(|(rule, text)| Literal {
        rule,
        text: text.as_bytes().to_vec(),
        exact,
    });
    Anchors::new(all).unwrap()
}

fn find(anchors: &Anchors, text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    anchors.each(text.as_bytes(), |a| {
        found.push((a.start, a.rule));
        ControlFlow::Continue(())
    });
    assert!(found.is_sorted_by_key(|(start, _)| *start));
    found.sort_unstable();
    found
}

#[test]
fn literals_are_found_in_any_case_where_they_overlap_and_at_the_ends() {
    let all = anchors(&["pass", "SK", "password", "_x-", "word"], false);
    assert_eq!(find(&all, "PassWord"), [(0, 0), (0, 2), (4, 4)]);
    assert_eq!(find(&all, "sk"), [(0, 1)]);
    assert_eq!(find(&all, "a_X-sk1 task"), [(1, 3), (4, 1), (10, 1)]);
    assert_eq!(find(&all, "pas"), []);
    assert_eq!(find(&all, "é p"), []);
    assert_eq!(find(&all, ""), []);
    let exact = anchors(&["pass", "SK"], true);
    assert_eq!(find(&exact, "Pass pass sk SK"), [(5, 0), (13, 1)]);
    let short = Literal {
        rule: 0,
        text: b"x".to_vec(),
        exact: false,
    };
    assert!(Anchors::new([short]).is_err());
}

#[test]
fn the_search_stops_when_told_to() {
    let mut seen = 0;
    anchors(&["key"], false).each("key ".repeat(100).as_bytes(), |_| {
        seen += 1;
        if seen == 3 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    assert_eq!(seen, 3);
}

proptest::proptest! {
    #[test]
    fn it_finds_what_a_plain_search_finds(text in "[abAB_\\-é]{0,40}", exact: bool) {
        let all = ["ab", "aba", "b_a", "bab-", "_-_-ba"];
        let fold = |text: &str| if exact { text.to_owned() } else { text.to_ascii_lowercase() };
        let low = fold(&text);
        let mut plain: Vec<_> = all
            .iter()
            .enumerate()
            .flat_map(|(n, l)| {
                let low = low.as_bytes();
                (0..low.len()).filter(move |at| low[*at..].starts_with(l.as_bytes())).map(move |at| (at, n))
            })
            .collect();
        plain.sort_unstable();
        let anchors = anchors(&all, exact);
        proptest::prop_assert_eq!(find(&anchors, &text), plain);
        for at in 0..=text.len() {
            let mut here: Vec<_> = anchors.at(text.as_bytes(), at).map(|a| (a.start, a.rule)).collect();
            here.sort_unstable();
            let all = find(&anchors, &text);
            let expected: Vec<_> = all.into_iter().filter(|(start, _)| *start == at).collect();
            proptest::prop_assert_eq!(here, expected);
        }
    }
}
