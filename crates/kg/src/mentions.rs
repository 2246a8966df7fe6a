//! Names of nodes in a text.

use crate::{Kg, NodeIx};

/// The longest name that is looked for, in words.
const MAX_WORDS: usize = 10;

/// A name of a node in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// Where it begins, in bytes.
    pub start: usize,
    /// The byte behind its last one.
    pub end: usize,
    /// The nodes of that name.
    pub nodes: Vec<NodeIx>,
}

/// The names of nodes in a text, the longest at each place, from left to right, without overlap.
///
/// A name of one word counts only as the graph spells it, and a number only where `numbers` says
/// so: "general" is a word before it is a name. O(words · log n).
pub fn mentions(kg: &Kg, text: &str, numbers: bool) -> Vec<Mention> {
    let words = word_places(text);
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let start = words[at].0;
        let longest = (1..=MAX_WORDS.min(words.len() - at)).rev().find_map(|n| {
            let end = words[at + n - 1].1;
            let slice = &text[start..end];
            if slice.len() > crate::builder::MAX_NAME {
                return None;
            }
            let mut nodes = kg.named(slice);
            if n == 1 {
                let is_number = slice.bytes().all(|b| b.is_ascii_digit());
                if is_number && !numbers || !is_number && slice.chars().count() < 3 {
                    return None;
                }
                nodes.retain(|node| kg.name(*node) == slice);
            }
            (!nodes.is_empty()).then_some((n, Mention { start, end, nodes }))
        });
        match longest {
            Some((n, mention)) => {
                found.push(mention);
                at += n;
            }
            None => at += 1,
        }
    }
    found
}

/// Runs of letters and digits, as places in bytes.
fn word_places(text: &str) -> Vec<(usize, usize)> {
    let mut places = Vec::new();
    let mut start = None;
    for (i, c) in text.char_indices() {
        match (c.is_alphanumeric(), start) {
            (true, None) => start = Some(i),
            (false, Some(s)) => {
                places.push((s, i));
                start = None;
            }
            _ => {}
        }
    }
    places.extend(start.map(|s| (s, text.len())));
    places
}

#[cfg(test)]
mod tests {
    use serde_json::Map;

    use super::*;
    use crate::KgBuilder;

    #[test]
    fn the_longest_name_at_a_place_is_found() {
        let mut kg = KgBuilder::new("x");
        for name in ["Mill Gate", "Mill Gate Park", "general", "7", "Pax, forte", "Graves' disease"]
        {
            assert!(kg.node(name, "Thing", name, Map::new()).is_ok());
        }
        let kg = kg.build().unwrap_or_else(|e| panic!("{e}"));
        let list = |text: &str, numbers| -> Vec<String> {
            mentions(&kg, text, numbers).iter().map(|m| text[m.start..m.end].to_owned()).collect()
        };
        assert_eq!(
            list("from mill gate park to Mill  Gate.", false),
            ["mill gate park", "Mill  Gate"]
        );
        assert_eq!(
            list("General talk in general of 7 (Pax, forte)", false),
            ["general", "Pax, forte"]
        );
        assert_eq!(list("7: Graves' disease", true), ["7", "Graves' disease"]);
        assert!(list("", true).is_empty());
    }
}
