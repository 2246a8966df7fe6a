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

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;
    use crate::toolformer::hubs::{Hubs, Kind};
    use crate::toolformer::prompts;

    const SHIPPED: &str =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/kgs/wordnet/graph.jsonl.gz");

    #[test]
    fn what_ships_is_the_data_of_wordnet() {
        let mut text = String::new();
        let file = std::fs::File::open(SHIPPED).unwrap();
        flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
        let data = shipped(&text).unwrap();
        let Data::Knowledge(kg) = &data else { panic!("facts") };
        let dog = kg.nodes().find(|n| kg.id(*n) == "dog.n.01").expect("dog.n.01");
        let facts: Vec<String> = kg
            .edges()
            .filter(|(head, ..)| *head == dog)
            .map(|(_, r, tail)| format!("{} {}", kg.schema().edge_type(r).name, kg.id(tail)))
            .collect();
        assert!(facts.contains(&"_hypernym canine.n.02".to_owned()), "{facts:?}");
        // Each fact of the file is there in both directions.
        let n_lines = text.lines().filter(|l| l.starts_with("{\"src\"")).count();
        assert_eq!(kg.n_edges(), 2 * n_lines);
        let hubs = Hubs::new().unwrap().with_data("WordNet", Kind::Knowledge, data);
        let pairs = prompts::make(&hubs, "wordnet", 30, 1).unwrap();
        assert!(pairs.iter().any(|p| p.output.contains("_hyp") && p.answer.is_some()));
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        let lines = shipped("{\"id\": 3}\nmoss").unwrap_err().to_string();
        assert!(lines.starts_with("2 lines cannot be read; the first: "), "{lines}");
        assert!(shipped("").unwrap_err().to_string().contains("there is no relation"));
    }
}
