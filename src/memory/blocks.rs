//! The top-level blocks of a markdown body, as byte ranges. Knows markdown, not memory.
//!
//! Every byte that is not blank lies in exactly one block: what the parser passes over (a link
//! definition) becomes a block of its own, so that nothing on disk can hide between entries.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use std::ops::Range;

/// What a block is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum BlockKind {
    /// A heading with its level (1 to 6) and its title.
    Heading(u8, String),
    /// A list, with the range of each of its items.
    List(Vec<Range<usize>>),
    /// A line across the page.
    Rule,
    /// Anything else: paragraph, table, code, quote, HTML.
    Text,
}

/// A top-level block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// From the start of its first line to the end of its last text.
    pub range: Range<usize>,
}

/// The top-level blocks of `text` from `start` on, in order.
pub(super) fn blocks(text: &str, start: usize) -> Vec<Block> {
    let body = &text[start..];
    let mut found = Vec::new();
    let mut depth = 0u32;
    let mut items: Vec<Range<usize>> = Vec::new();
    let mut is_list = false;
    for (event, range) in Parser::new_ext(body, Options::ENABLE_TABLES).into_offset_iter() {
        let range = range.start + start..range.end + start;
        match event {
            Event::Start(tag) => {
                if depth == 0 {
                    items.clear();
                    is_list = matches!(tag, Tag::List(_));
                }
                if depth == 1 && is_list && matches!(tag, Tag::Item) {
                    items.push(whole_lines(text, start, &range));
                }
                depth += 1;
            }
            Event::End(tag) => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    found.push(block(text, start, &tag, &range, std::mem::take(&mut items)));
                }
            }
            Event::Rule if depth == 0 => found.push(Block {
                kind: BlockKind::Rule,
                range: whole_lines(text, start, &range),
            }),
            _ => {}
        }
    }
    fill_gaps(text, start, found)
}

fn block(
    text: &str,
    start: usize,
    tag: &TagEnd,
    range: &Range<usize>,
    items: Vec<Range<usize>>,
) -> Block {
    let range = whole_lines(text, start, range);
    let kind = match tag {
        TagEnd::Heading(level) => {
            BlockKind::Heading(level_number(*level), heading_title(&text[range.clone()]))
        }
        TagEnd::List(_) => BlockKind::List(items),
        _ => BlockKind::Text,
    };
    Block { kind, range }
}

fn level_number(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

/// The title in a heading's source, on one line.
fn heading_title(source: &str) -> String {
    let source = source.trim();
    if source.starts_with('#') {
        let title = source.trim_start_matches('#').trim();
        let cut = title.trim_end_matches('#');
        let closed = cut.len() < title.len() && (cut.is_empty() || cut.ends_with([' ', '\t']));
        return if closed { cut.trim_end() } else { title }.to_owned();
    }
    let mut lines: Vec<&str> = source.lines().map(str::trim).collect();
    lines.pop();
    lines.join(" ")
}

/// Without the blank text at its end, and from the start of its first line where only blanks stand
/// before it.
fn whole_lines(text: &str, start: usize, range: &Range<usize>) -> Range<usize> {
    let line = text[start..range.start]
        .rfind('\n')
        .map_or(start, |at| start + at + 1);
    let from = if text[line..range.start].trim().is_empty() {
        line
    } else {
        range.start
    };
    let len = text[from..range.end].trim_end().len();
    from..from + len
}

/// Adds what stands between the blocks and is not blank.
fn fill_gaps(text: &str, start: usize, found: Vec<Block>) -> Vec<Block> {
    let mut all = Vec::with_capacity(found.len());
    let mut from = start;
    for block in found {
        push_gap(text, from..block.range.start, &mut all);
        from = from.max(block.range.end);
        all.push(block);
    }
    push_gap(text, from..text.len(), &mut all);
    all
}

fn push_gap(text: &str, gap: Range<usize>, into: &mut Vec<Block>) {
    if gap.start >= gap.end {
        return;
    }
    let slice = &text[gap.clone()];
    let lead = slice.len() - slice.trim_start().len();
    let range = gap.start + lead..gap.start + slice.trim_end().len();
    if range.start < range.end {
        into.push(Block {
            kind: BlockKind::Text,
            range,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn kinds(text: &str) -> Vec<(BlockKind, &str)> {
        blocks(text, 0)
            .into_iter()
            .map(|b| (b.kind, &text[b.range]))
            .collect()
    }

    #[test]
    fn a_fence_holds_no_headings_and_a_link_definition_is_a_block() {
        let text = "## A ##\n\n```sh\n## not a heading\n- nor an item\n```\n\n[x]: https://e.example\n\nTitle\n=====\n";
        let found = kinds(text);
        assert_eq!(found[0].0, BlockKind::Heading(2, "A".into()));
        assert_eq!(found[1].0, BlockKind::Text);
        assert_eq!(found[2], (BlockKind::Text, "[x]: https://e.example"));
        assert_eq!(found[3].0, BlockKind::Heading(1, "Title".into()));
        assert_eq!(found.len(), 4);
    }

    #[test]
    fn items_carry_their_children() {
        let text = "- a\n  - child\n\n  more\n- b\n";
        let BlockKind::List(items) = &blocks(text, 0)[0].kind else {
            panic!("no list")
        };
        let items: Vec<&str> = items.iter().map(|r| &text[r.clone()]).collect();
        assert_eq!(items, ["- a\n  - child\n\n  more", "- b"]);
    }

    proptest! {
        #[test]
        fn nothing_that_is_not_blank_lies_outside_a_block(text in "[-#>`|*_ \\na\\[\\]:<!1.é]{0,80}") {
            let mut covered = vec![false; text.len()];
            let mut last = 0;
            for block in blocks(&text, 0) {
                prop_assert!(block.range.start >= last, "{:?}", block);
                last = block.range.end;
                covered[block.range.clone()].fill(true);
                if let BlockKind::List(items) = &block.kind {
                    prop_assert!(items.windows(2).all(|w| w[0].end <= w[1].start));
                    prop_assert!(items.iter().all(|i| i.start >= block.range.start && i.end <= block.range.end));
                }
            }
            for (at, c) in text.char_indices() {
                prop_assert!(covered[at] || c.is_whitespace(), "{:?} at {}", c, at);
            }
        }
    }
}
