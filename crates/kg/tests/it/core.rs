//! Graph, indexes and schema against plain lists.

use std::collections::BTreeSet;

use kg::{Direction, EdgeTypeIx, Kg, KgBuilder, KgError, Schema};
use proptest::prelude::*;
use serde_json::{Map, json};

type Edges = Vec<(u8, u8, u8)>;

fn made(types: &[u8], edges: &Edges) -> Kg {
    let mut builder = KgBuilder::new("made");
    for (source, edge_type, target) in edges {
        let edge_type = format!("e{edge_type}");
        builder.edge(&source.to_string(), &edge_type, &target.to_string()).unwrap();
    }
    for (i, node_type) in types.iter().enumerate() {
        let (id, node_type) = (i.to_string(), format!("T{node_type}"));
        builder.node(&id, &node_type, &format!("Node_{}", i / 2), Map::new()).unwrap();
    }
    builder.build().unwrap()
}

fn parts() -> impl Strategy<Value = (Vec<u8>, Edges)> {
    (1usize..12).prop_flat_map(|n| {
        let edge = (0..n as u8, 0u8..4, 0..n as u8);
        (prop::collection::vec(0u8..3, n), prop::collection::vec(edge, 0..60))
    })
}

proptest! {
    #[test]
    fn indexes_agree_with_a_plain_list((types, edges) in parts()) {
        let kg = made(&types, &edges);
        let unique: BTreeSet<_> = edges.iter().copied().collect();
        prop_assert_eq!(kg.n_nodes(), types.len());
        prop_assert_eq!(kg.n_edges(), unique.len());
        for i in 0..types.len() as u8 {
            let node = kg.find_id(&i.to_string()).unwrap();
            prop_assert_eq!(kg.id(node), i.to_string());
            let namesakes: Vec<&str> =
                kg.named(&format!("node {}", i / 2)).iter().map(|n| kg.id(*n)).collect();
            prop_assert!(namesakes.contains(&i.to_string().as_str()));
            prop_assert!(namesakes.len() <= 2);
            for t in 0..4u8 {
                let Some(edge_type) = kg.schema().find_edge_type(&format!("e{t}")) else { continue };
                let outs: BTreeSet<u8> = unique.iter().filter(|e| e.0 == i && e.1 == t).map(|e| e.2).collect();
                let ins: BTreeSet<u8> = unique.iter().filter(|e| e.2 == i && e.1 == t).map(|e| e.0).collect();
                let both: BTreeSet<u8> = outs.union(&ins).copied().collect();
                for (way, expected) in [(Direction::Out, &outs), (Direction::In, &ins), (Direction::Both, &both)] {
                    let found = kg.neighbors(node, edge_type, way);
                    let set: BTreeSet<u8> = found.iter().map(|n| kg.id(*n).parse().unwrap()).collect();
                    prop_assert_eq!(set.len(), found.len());
                    prop_assert_eq!(&set, expected);
                }
                prop_assert_eq!(kg.degree(node, edge_type, Direction::Both), outs.len() + ins.len());
            }
        }
    }

    #[test]
    fn the_schema_is_what_the_edges_show((types, edges) in parts()) {
        let kg = made(&types, &edges);
        let schema = kg.schema();
        let unique: BTreeSet<_> = edges.iter().copied().collect();
        for edge_type in schema.edge_type_ixs() {
            let edge = schema.edge_type(edge_type);
            let t: u8 = edge.name[1..].parse().unwrap();
            prop_assert_eq!(edge.n_edges, unique.iter().filter(|e| e.1 == t).count());
            for ends in &edge.ends {
                let from: u8 = schema.node_type(ends.from).name[1..].parse().unwrap();
                let to: u8 = schema.node_type(ends.to).name[1..].parse().unwrap();
                let n = unique.iter().filter(|e| e.1 == t && types[e.0 as usize] == from && types[e.2 as usize] == to).count();
                prop_assert_eq!(ends.n_edges, n);
            }
        }
        // Hops over types, against walks of bounded length over all pairs of types.
        for from in schema.node_type_ixs() {
            for to in schema.node_type_ixs() {
                let mut front = BTreeSet::from([from]);
                let mut expected = None;
                for hops in 1..=6 {
                    front = front.iter().flat_map(|t| schema.edge_type_ixs().flat_map(|e| schema.ends_of(*t, e, Direction::Both))).collect();
                    if front.contains(&to) { expected = Some(hops); break; }
                }
                prop_assert_eq!(schema.hops(&BTreeSet::from([from]), to, Direction::Both), expected);
            }
        }
    }

    #[test]
    fn a_graph_is_made_again_from_itself((types, edges) in parts()) {
        let kg = made(&types, &edges);
        let again = KgBuilder::from_kg(&kg).unwrap().build().unwrap();
        let list = |kg: &Kg| -> BTreeSet<(String, EdgeTypeIx, String)> {
            kg.edges().map(|(s, t, o)| (kg.id(s).to_owned(), again.schema().find_edge_type(&kg.schema().edge_type(t).name).unwrap(), kg.id(o).to_owned())).collect()
        };
        prop_assert_eq!(list(&kg), list(&again));
    }
}

#[test]
fn order_of_neighbours_is_that_of_the_file() {
    let kg = made(&[0; 30], &(0..30).rev().map(|i| (0, 0, i)).collect());
    let found = kg.neighbors(kg.find_id("0").unwrap(), EdgeTypeIx(0), Direction::Out);
    let ids: Vec<u8> = found.iter().map(|n| kg.id(*n).parse().unwrap()).collect();
    assert_eq!(ids, (0..30).rev().collect::<Vec<u8>>());
}

#[test]
fn faults_say_what_is_wrong() {
    let mut builder = KgBuilder::new("x");
    builder.node("a", "Person", "Ann", Map::new()).unwrap();
    let error = builder.node("a", "Place", "Ann", Map::new()).unwrap_err();
    assert!(error.to_string().contains("\"Person\" and again of type \"Place\""), "{error}");
    let error = builder.edge("a", &"r".repeat(1_000_000), "b").unwrap_err();
    assert!(matches!(error, KgError::TooLong { length: 1_000_000, .. }));
    assert!(error.to_string().len() < 200);
    assert!(builder.edge("a", " ", "b").is_err());
    builder.edge("a", "knows", "b").unwrap();
    builder.node("b", "Person", "", [("age".to_owned(), json!(7))].into_iter().collect()).unwrap();
    let kg = builder.build().unwrap();
    assert_eq!(kg.name(kg.find_id("b").unwrap()), "b");
    assert_eq!(kg.schema().node_types()[0].attributes, ["age"]);
}

#[test]
fn a_given_schema_is_held_against_the_edges() {
    let kg = made(&[0, 1], &vec![(0, 0, 1)]);
    let schema = Schema::given(["T2"], [("e0", "T0", "T1"), ("e9", "T1", "T2")]);
    let with = kg.clone().with_schema(&schema).unwrap();
    assert!(with.schema().find_edge_type("e9").is_some());
    assert!(with.nodes_of_type(with.schema().find_node_type("T2").unwrap()).is_empty());
    let wrong = Schema::given([], [("e0", "T1", "T1")]);
    let error = kg.with_schema(&wrong).unwrap_err();
    assert!(error.to_string().contains("it has T1 → T1"), "{error}");
}

#[test]
fn a_label_tells_a_node_from_all_others() {
    let mut builder = KgBuilder::new("x");
    for (id, of, name) in [
        ("n23", "Number", "23"),
        ("a23", "Age", "23"),
        ("p", "Player", "Kim"),
        ("q", "Player", "Kim"),
    ] {
        builder.node(id, of, name, Map::new()).unwrap();
    }
    let kg = builder.build().unwrap();
    let labels: Vec<String> = kg.nodes().map(|n| kg.label(n)).collect();
    assert_eq!(labels, ["23 (Number)", "23 (Age)", "p", "q"]);
}
