//! Nodes are found as the definition says: each text by itself, and the best of them.

use std::rc::Rc;
use std::sync::Arc;

use kg::find::{FindOptions, FindOver, Finder, FoundBy, MAX_PASSAGE, MAX_PASSAGES, texts_of};
use kg::{Kg, KgBuilder, NodeIx};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use text::{NGrams, SimilarityMeasure};

fn attributes(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

fn library() -> Kg {
    let mut kg = KgBuilder::new("library");
    let long = "Nothing of note. ".repeat(MAX_PASSAGES + 4) + "It ends with a zeppelin.";
    for (id, name, known) in [
        ("b1", "Salt Roads", json!({ "blurb": "A caravan crosses the desert. It carries salt." })),
        ("b2", "Low Tide", json!({ "tags": ["harbour novel", "fog"], "year": 1998, "lent": true })),
        ("b3", "Long Book", json!({ "text": long })),
        ("b4", "Bare", json!({})),
    ] {
        kg.node(id, "Book", name, attributes(known)).unwrap();
    }
    kg.node("a1", "Author", "A caravan of words", Map::new()).unwrap();
    kg.build().unwrap()
}

#[test]
fn texts_of_attributes_are_found_where_they_are_searched() {
    let kg = Arc::new(library());
    let finder = Finder::new(kg.clone(), Rc::new(NGrams));
    let of = kg.schema().find_node_type("Book");
    let found = |hint: &str, over| -> Vec<&str> {
        let options = FindOptions { over, ..FindOptions::default() };
        finder.find(hint, of, options).hits.iter().map(|h| kg.id(h.node)).collect()
    };
    for (hint, id) in
        [("caravan crosses a desert", "b1"), ("harbour novel", "b2"), ("Salt Road", "b1")]
    {
        assert_eq!(found(hint, FindOver::Texts), [id], "{hint}");
    }
    assert!(found("harbour novel", FindOver::Names).is_empty());
    assert_eq!(found("Salt Road", FindOver::Names), ["b1"]);
    // What stands behind the bound is not searched, and numbers are no texts.
    assert!(found("it ends with a zeppelin", FindOver::Texts).is_empty());
    assert!(found("1998", FindOver::Texts).is_empty());
    // A name or an id still wins alone, whatever the texts say.
    let hits = finder.find(
        "low tide",
        of,
        FindOptions { over: FindOver::Texts, ..FindOptions::default() },
    );
    assert_eq!((hits.hits.len(), hits.hits[0].how), (1, FoundBy::Name));
}

#[test]
fn a_node_has_its_name_and_bounded_passages() {
    let kg = library();
    let texts = |id: &str| texts_of(&kg, kg.find_id(id).unwrap());
    assert_eq!(texts("b1"), ["Salt Roads", "A caravan crosses the desert.", "It carries salt."]);
    assert_eq!(texts("b2"), ["Low Tide", "harbour novel", "fog"]);
    assert_eq!(texts("b3").len(), 1 + MAX_PASSAGES);
    assert_eq!(texts("b4"), ["Bare"]);
    assert!(texts("b3").iter().all(|t| t.chars().count() <= MAX_PASSAGE));
}

/// A measure with a threshold of its own.
struct Strict(f32);

impl SimilarityMeasure for Strict {
    fn label(&self) -> String {
        "strict".into()
    }
    fn threshold(&self) -> f32 {
        self.0
    }
    fn index(&self, texts: &[&str]) -> Box<dyn text::Index> {
        NGrams.index(texts)
    }
}

fn graph() -> impl Strategy<Value = Vec<(String, Vec<String>, bool)>> {
    let text = "([ab]{1,4}[.]? ){0,6}";
    let node = ("[ab]{1,4}( [ab]{1,3})?", prop::collection::vec(text, 0..3), any::<bool>());
    prop::collection::vec(node, 1..8)
}

proptest! {
    /// Every text compared by itself; the best of a node's texts counts, and the bounds hold.
    #[test]
    fn finding_agrees_with_the_definition(
        nodes in graph(),
        hint in "[ab]{1,4}( [ab]{1,4})?",
        theta in 0.05..1.0_f32,
        is_own in any::<bool>(),
        over in prop::sample::select(vec![FindOver::Names, FindOver::Texts]),
    ) {
        let mut builder = KgBuilder::new("random");
        for (i, (name, texts, is_a)) in nodes.iter().enumerate() {
            let known: Map<String, Value> =
                texts.iter().enumerate().map(|(k, t)| (format!("t{k}"), json!(t))).collect();
            builder.node(&format!("#{i}"), if *is_a { "A" } else { "B" }, name, known).unwrap();
        }
        let kg = Arc::new(builder.build().unwrap());
        let of = kg.schema().find_node_type("A");
        let finder = Finder::new(kg.clone(), Rc::new(Strict(theta)));
        let options = FindOptions {
            theta: (!is_own).then_some(theta), over, max_hits: 3, gap: 0.2
        };
        let found = finder.find(&hint, of, options);
        let mut expected: Vec<(NodeIx, f32)> = kg
            .nodes()
            .filter(|n| of.is_none_or(|t| kg.node_type(*n) == t))
            .map(|n| {
                let mut best = NGrams.index(&[kg.name(n)]).scores(&hint)[0];
                if over == FindOver::Texts {
                    for value in kg.attributes(n).into_iter().flat_map(|a| a.values()) {
                        for sentence in value.as_str().unwrap().split_inclusive(". ") {
                            best = best.max(NGrams.index(&[sentence.trim()]).scores(&hint)[0]);
                        }
                    }
                }
                (n, best)
            })
            .collect();
        let is_named = |n: &NodeIx| kg::fold(kg.name(*n)) == kg::fold(&hint);
        if expected.iter().any(|(n, _)| is_named(n)) {
            expected.retain(|(n, _)| is_named(n));
        } else {
            expected.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            let best = expected.first().map_or(0.0, |e| e.1);
            expected.retain(|e| e.1 > 0.0 && e.1 >= theta && e.1 >= best - 0.2);
            expected.truncate(3);
        }
        let expected: Vec<NodeIx> = expected.into_iter().map(|e| e.0).collect();
        let found: Vec<NodeIx> = found.hits.iter().map(|h| h.node).collect();
        prop_assert_eq!(found, expected);
    }
}
