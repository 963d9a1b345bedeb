//! Which rows stand on a branch of the conversation that the user went back from.
//!
//! Rows name their parent. From the leaf that is active at the end, the parents lead back through
//! the active branch; a branch beside it that holds a prompt of the user's own, and that the user
//! went on without, is abandoned. Parallel tool calls also branch, without prompts: they are not.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};

/// Rows remembered; in a longer session the older half is forgotten, as nobody goes back that far.
const REMEMBERED: usize = 200_000;

#[derive(Debug, Clone, Copy)]
struct Node {
    id: u64,
    /// 0: none.
    parent: u64,
    prompt: bool,
}

/// The rows of one session file by id and parent.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    leaf: Option<u64>,
    hash: RandomState,
}

/// Rows that were abandoned.
#[derive(Debug)]
pub(super) struct Abandoned {
    ids: HashSet<u64>,
    hash: RandomState,
}

impl Abandoned {
    /// Whether there are any.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Whether this row is one of them.
    pub fn contains(&self, id: &str) -> bool {
        self.ids.contains(&self.hash.hash_one(id))
    }
}

/// A branch beside the active one.
struct Branch {
    /// Index of its first prompt.
    prompt: Option<usize>,
}

impl Tree {
    /// Adds a row, in file order. The newest row is the leaf until one is named.
    pub fn add(&mut self, id: &str, parent: Option<&str>, prompt: bool) {
        if self.nodes.len() == REMEMBERED {
            self.nodes.drain(..REMEMBERED / 2);
        }
        let id = self.hash.hash_one(id);
        self.nodes.push(Node {
            id,
            parent: parent.map_or(0, |p| self.hash.hash_one(p)),
            prompt,
        });
        self.leaf = Some(id);
    }

    /// Names the leaf of the branch that is active at this point of the file.
    pub fn set_leaf(&mut self, id: &str) {
        self.leaf = Some(self.hash.hash_one(id));
    }

    /// The rows that were abandoned, by what is known at the end of the file.
    pub fn abandoned(self) -> Abandoned {
        let active = self.active();
        let last_prompt = self
            .nodes
            .iter()
            .rposition(|n| n.prompt && active.contains(&n.id));
        let mut branches: Vec<Branch> = Vec::new();
        let mut branch_of: HashMap<u64, usize> = HashMap::new();
        for (index, node) in self.nodes.iter().enumerate() {
            if active.contains(&node.id) {
                continue;
            }
            let branch = match branch_of.get(&node.parent) {
                Some(branch) => *branch,
                None if active.contains(&node.parent) => {
                    branches.push(Branch { prompt: None });
                    branches.len() - 1
                }
                None => continue,
            };
            branch_of.insert(node.id, branch);
            if node.prompt && branches[branch].prompt.is_none() {
                branches[branch].prompt = Some(index);
            }
        }
        let went_on_without =
            |branch: &Branch| branch.prompt.is_some_and(|p| last_prompt > Some(p));
        branch_of.retain(|_, branch| went_on_without(&branches[*branch]));
        Abandoned {
            ids: branch_of.into_keys().collect(),
            hash: self.hash,
        }
    }

    /// The leaf and its ancestors, the last known one's parent included. Ends on a cycle.
    fn active(&self) -> HashSet<u64> {
        let parents: HashMap<u64, u64> = self.nodes.iter().map(|n| (n.id, n.parent)).collect();
        let mut active = HashSet::new();
        let mut next = self.leaf;
        while let Some(id) = next.filter(|id| *id != 0 && active.insert(*id)) {
            next = parents.get(&id).copied();
        }
        active
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(rows: &[(&str, &str, bool)]) -> Tree {
        let mut tree = Tree::default();
        for (id, parent, prompt) in rows {
            tree.add(id, Some(*parent).filter(|p| !p.is_empty()), *prompt);
        }
        tree
    }

    fn abandoned(tree: Tree, ids: &str) -> String {
        let abandoned = tree.abandoned();
        ids.split(' ').filter(|id| abandoned.contains(id)).collect()
    }

    #[test]
    fn a_branch_that_the_user_went_back_from_is_abandoned() {
        let rows = [
            ("a", "", true),
            ("b", "a", false),
            ("c", "b", true),
            ("d", "c", false),
            ("e", "b", true),
            ("f", "e", false),
        ];
        assert_eq!(abandoned(tree(&rows), "a b c d e f"), "cd");
        // The user went back and said nothing yet: nothing was decided against.
        let mut back = tree(&rows[..4]);
        back.set_leaf("b");
        assert_eq!(abandoned(back, "a b c d"), "");
        // A named leaf wins over the newest row.
        let mut named = tree(&rows);
        named.set_leaf("d");
        assert_eq!(abandoned(named, "a b c d e f"), "");
    }

    #[test]
    fn parallel_tool_calls_are_no_abandoned_branches() {
        let rows = [
            ("a", "", true),
            ("call1", "a", false),
            ("call2", "call1", false),
            ("result1", "call1", false),
            ("result2", "call2", false),
            ("b", "result2", true),
        ];
        assert_eq!(
            abandoned(tree(&rows), "a call1 call2 result1 result2 b"),
            ""
        );
    }

    #[test]
    fn cycles_and_rows_that_are_their_own_parent_end() {
        assert_eq!(
            abandoned(tree(&[("a", "b", true), ("b", "a", true)]), "a b"),
            ""
        );
        assert_eq!(abandoned(tree(&[("a", "a", true)]), "a"), "");
    }
}
