//! The part of WordNet's nouns that ships with the page, as the data of `wordnet`.

use std::rc::Rc;

use kg::{KgBuilder, formats};
use serde_json::Map;

use super::data::{Data, DataError};

/// The relations of the shipped file, as WN18 names them in both directions.
const RELATIONS: [(&str, &str, &str); 5] = [
    ("kind_of", "_hypernym", "_hyponym"),
    ("instance_of", "_instance_hypernym", "_instance_hyponym"),
    ("member_of", "_member_holonym", "_member_meronym"),
    ("part_of", "_part_of", "_has_part"),
    // Substances are no relation of WN18; they are told by names in its manner.
    ("substance_of", "_substance_holonym", "_substance_meronym"),
];

/// Makes the data of the text of `assets/kgs/wordnet/graph.jsonl`, unpacked. Meanings are called as in
/// prompts, `dog.n.01`; relations are those of WN18, so that what was learned there is of use. A
/// relation that the file names otherwise keeps its name.
///
/// # Errors
/// A line is no meaning and no relation between two.
///
/// # Complexity
/// O(size of the text).
pub fn shipped(text: &str) -> Result<Data, DataError> {
    let mut read = KgBuilder::new("wordnet");
    let format = formats::find("jsonl").ok_or(DataError::Empty { what: "format jsonl" })?;
    let faults = (format.read)(text, &mut read);
    if let Some(first) = faults.first.first() {
        return Err(DataError::Lines { n: faults.n, first: first.to_string() });
    }
    let shipped = read.build()?;
    if shipped.n_edges() == 0 {
        return Err(DataError::Empty { what: "relation" });
    }
    let mut builder = KgBuilder::new("wordnet");
    for node in shipped.nodes() {
        let kind = &shipped.schema().node_type(shipped.node_type(node)).name;
        builder.node(shipped.id(node), kind, shipped.name(node), Map::new())?;
    }
    for (head, kind, tail) in shipped.edges() {
        let (head, tail) = (shipped.id(head), shipped.id(tail));
        let name = &shipped.schema().edge_type(kind).name;
        match RELATIONS.iter().find(|(told, ..)| told == name) {
            None => builder.edge(head, name, tail)?,
            Some((_, there, back)) => {
                builder.edge(head, there, tail)?;
                builder.edge(tail, back, head)?;
            }
        }
    }
    Ok(Data::Knowledge(Rc::new(builder.build()?)))
}
