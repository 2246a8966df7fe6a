//! The part of WordNet that ships, as data.

use std::io::Read as _;

use systems::toolformer::data::Data;
use systems::toolformer::hubs::{DatasetKind, Hubs};
use systems::toolformer::prompts;
use systems::toolformer::wordnet::shipped;

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
    let hubs = Hubs::new().unwrap().with_data("WordNet", DatasetKind::Knowledge, data);
    let pairs = prompts::make(&hubs, "wordnet", 30, 1).unwrap();
    assert!(pairs.iter().any(|p| p.output.contains("_hyp") && p.answer.is_some()));
}

#[test]
fn what_cannot_be_read_is_said() {
    let lines = shipped("{\"id\": 3}\nmoss").unwrap_err().to_string();
    assert!(lines.starts_with("2 lines cannot be read; the first: "), "{lines}");
    assert!(shipped("").unwrap_err().to_string().contains("there is no relation"));
}
