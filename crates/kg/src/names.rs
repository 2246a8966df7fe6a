//! Names as they are compared.

use std::hash::{Hash as _, Hasher as _};

use rustc_hash::FxHasher;

/// A name as it is compared: lower case, words parted by one space; `_` parts words too.
///
/// `"New_York  City"` and `"new york city"` are the same name.
pub fn fold(name: &str) -> String {
    let mut folded = String::with_capacity(name.len());
    for c in name.chars() {
        if c == '_' || c.is_whitespace() {
            if !folded.is_empty() && !folded.ends_with(' ') {
                folded.push(' ');
            }
        } else {
            folded.extend(c.to_lowercase());
        }
    }
    if folded.ends_with(' ') {
        folded.pop();
    }
    folded
}

/// A hash of a folded name.
pub(crate) fn hash(folded: &str) -> u32 {
    let mut hasher = FxHasher::default();
    folded.hash(&mut hasher);
    (hasher.finish() >> 32) as u32
}

/// Nodes by folded name: pairs of hash and node, sorted.
#[derive(Clone, Debug, Default)]
pub(crate) struct NameIndex(Vec<(u32, u32)>);

impl NameIndex {
    pub(crate) fn new<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let mut pairs: Vec<(u32, u32)> =
            names.enumerate().map(|(i, name)| (hash(&fold(name)), i as u32)).collect();
        pairs.sort_unstable();
        Self(pairs)
    }

    /// Candidates for a folded name, in the order of the nodes; their names are yet to be compared.
    pub(crate) fn candidates(&self, folded: &str) -> impl Iterator<Item = u32> {
        let wanted = hash(folded);
        let start = self.0.partition_point(|(h, _)| *h < wanted);
        self.0[start..].iter().take_while(move |(h, _)| *h == wanted).map(|(_, i)| *i)
    }

    pub(crate) fn memory(&self) -> usize {
        self.0.capacity() * size_of::<(u32, u32)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling_does_not_part_names() {
        assert_eq!(fold("  New_York   City "), "new york city");
        assert_eq!(fold("ÄRZTIN"), "ärztin");
        assert_eq!(fold("_"), "");
    }

    #[test]
    fn every_node_of_a_name_is_found() {
        let names = ["Rome", "rome", "Paris", "ROME "];
        let index = NameIndex::new(names.iter().copied());
        let found: Vec<u32> =
            index.candidates("rome").filter(|i| fold(names[*i as usize]) == "rome").collect();
        assert_eq!(found, [0, 1, 3]);
        assert_eq!(index.candidates("berlin").count(), 0);
    }
}
