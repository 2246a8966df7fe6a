//! The entities of an answer, held against what a run reached.
//!
//! `// Departs from §4.4:` the paper names answers that the model makes up as a failure that its
//! method misses; here every entity of the answer that the execution did not reach is marked.

use std::collections::BTreeSet;

use kg::{Kg, NodeIx, fold, mentions};
use serde::{Deserialize, Serialize};
use tasks::kgqa::answer_part;

/// An entity that an answer names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntityClaim {
    /// What the text says, as it stands there.
    pub name: String,
    /// Where it begins, in bytes.
    pub start: usize,
    /// The byte behind its last one.
    pub end: usize,
    /// Whether the graph has a node of that name.
    pub is_known: bool,
    /// Whether the run reached such a node, or the question named it.
    pub is_supported: bool,
}

/// The entities of an answer in the order of the text: names of nodes anywhere, and on the line of
/// the answer also what is no node's name.
pub fn entities(
    kg: &Kg,
    text: &str,
    question: &str,
    reached: &BTreeSet<NodeIx>,
) -> Vec<EntityClaim> {
    let (part, has_line) = answer_part(text);
    // Where the part begins in the text; it is a slice of it.
    let part_start = part.as_ptr() as usize - text.as_ptr() as usize;
    let part_end = part_start + part.len();
    let asked: BTreeSet<NodeIx> =
        mentions(kg, question, true).into_iter().flat_map(|m| m.nodes).collect();
    let in_part = |at: usize| has_line && (part_start..part_end).contains(&at);
    let mut claims: Vec<EntityClaim> = mentions(kg, text, true)
        .into_iter()
        // A number in running words is most often a count.
        .filter(|m| in_part(m.start) || !text[m.start..m.end].bytes().all(|b| b.is_ascii_digit()))
        .map(|m| EntityClaim {
            name: text[m.start..m.end].to_owned(),
            start: m.start,
            end: m.end,
            is_known: true,
            is_supported: m.nodes.iter().any(|n| reached.contains(n) || asked.contains(n)),
        })
        .collect();
    if has_line {
        claims.extend(unknown_parts(text, part_start, part, &claims));
    }
    // A number that is no node's name is counted or read off an attribute.
    claims.retain(|c| c.is_supported || c.is_known || c.name.parse::<f64>().is_err());
    // A number that is a name too may be a count all the same: only names can be made up.
    for claim in &mut claims {
        claim.is_supported |= claim.name.parse::<f64>().is_ok();
    }
    claims.sort_by_key(|c| c.start);
    claims
}

/// Parts of the line of the answer that hold no name of a node.
fn unknown_parts(text: &str, offset: usize, part: &str, known: &[EntityClaim]) -> Vec<EntityClaim> {
    let mut found = Vec::new();
    let mut at = offset;
    for piece in part.split_inclusive([';', '\n']) {
        let start = at;
        at += piece.len();
        let trimmed = piece.trim_matches(|c: char| !c.is_alphanumeric());
        let is_filler = matches!(
            fold(trimmed).as_str(),
            "" | "none" | "unknown" | "nothing" | "and" | "yes" | "no"
        );
        if is_filler || known.iter().any(|c| c.start < at && c.end > start) {
            continue;
        }
        let begin = start + piece.find(trimmed).unwrap_or(0);
        let end = begin + trimmed.len();
        let name = text[begin..end].to_owned();
        found.push(EntityClaim { name, start: begin, end, is_known: false, is_supported: false });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_reached_is_marked() {
        let kg = kg::generators::metro(6, 1).unwrap_or_else(|e| panic!("{e}"));
        let stations = kg.nodes_of_type(kg.schema().find_node_type("Station").unwrap());
        let (here, there) = (kg.name(stations[0]), kg.name(stations[1]));
        let reached = BTreeSet::from([stations[0]]);
        let text = format!("There are 3 of them.\nAnswer: {here}; {there}; Atlantis Gate; 4");
        let told = entities(&kg, &text, "Which stations?", &reached);
        let list: Vec<(&str, bool, bool)> =
            told.iter().map(|c| (c.name.as_str(), c.is_known, c.is_supported)).collect();
        assert_eq!(
            list,
            [(here, true, true), (there, true, false), ("Atlantis Gate", false, false)]
        );
        assert!(told.iter().all(|c| text[c.start..c.end] == c.name));
        let asked = entities(&kg, &text, &format!("Is it {there}?"), &reached);
        assert!(asked[1].is_supported);
        assert!(entities(&kg, "Answer: none", "", &reached).is_empty());
        assert!(entities(&kg, "", "", &reached).is_empty());
    }
}
