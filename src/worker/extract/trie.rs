//! The paths that matter in an answer, as one tree: what is not in it is
//! skipped unread. Keeps out what is done with what is found.

use crate::definition::Path;

#[derive(Debug, Clone, Default)]
pub(super) struct Trie {
    pub(super) root: Node,
    /// Of each slot.
    pub(super) paths: Vec<Path>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Node {
    /// A list, searched from its start: mappings have few keys.
    children: Vec<Child>,
    /// Where the value found here is put.
    pub(super) slot: Option<usize>,
    /// The records of the answer are here.
    pub(super) records: bool,
}

#[derive(Debug, Clone)]
struct Child {
    key: Box<str>,
    /// The key as a place in a list.
    index: Option<usize>,
    node: Node,
}

impl Trie {
    /// The slot of this path; fields that read the same value share one.
    pub(super) fn add(&mut self, path: &Path) -> usize {
        let node = self.root.reach(path);
        let slot = *node.slot.get_or_insert(self.paths.len());
        if slot == self.paths.len() {
            self.paths.push(path.clone());
        }
        slot
    }

    pub(super) fn mark_records(&mut self, path: &Path) {
        self.root.reach(path).records = true;
    }
}

impl Node {
    fn reach(&mut self, path: &Path) -> &mut Node {
        path.0.iter().fold(self, |node, key| node.child_or_new(key))
    }

    fn child_or_new(&mut self, key: &str) -> &mut Node {
        let at = self.children.iter().position(|child| &*child.key == key).unwrap_or_else(|| {
            self.children.push(Child { key: key.into(), index: key.parse().ok(), node: Node::default() });
            self.children.len() - 1
        });
        &mut self.children[at].node
    }

    pub(super) fn child(&self, key: &str) -> Option<&Node> {
        // Most keys differ in length already: that needs no call.
        let is = |child: &&Child| child.key.len() == key.len() && *child.key == *key;
        self.children.iter().find(is).map(|child| &child.node)
    }

    pub(super) fn at_index(&self, index: usize) -> Option<&Node> {
        self.children.iter().find(|child| child.index == Some(index)).map(|child| &child.node)
    }

    pub(super) fn is_leaf(&self) -> bool {
        self.children.is_empty()
    }

    /// Whether a list can have anything of interest.
    pub(super) fn has_indices(&self) -> bool {
        self.children.iter().any(|child| child.index.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> Path {
        Path::parse(text).expect(text)
    }

    #[test]
    fn equal_paths_share_a_slot_and_prefixes_do_not() {
        let mut trie = Trie::default();
        let slots: Vec<usize> = ["a", "a.b", "a", "a.b", "."].map(|text| trie.add(&path(text))).into();
        assert_eq!(slots, [0, 1, 0, 1, 2]);
        assert_eq!(trie.paths, ["a", "a.b", "."].map(path));
    }

    #[test]
    fn a_number_is_a_key_and_an_index() {
        let mut trie = Trie::default();
        trie.add(&path("xs.1"));
        let xs = trie.root.child("xs").expect("xs");
        assert!(xs.child("1").is_some() && xs.at_index(1).is_some() && xs.at_index(0).is_none());
        assert!(xs.has_indices() && !trie.root.has_indices());
    }
}
