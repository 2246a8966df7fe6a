//! No function panics, whatever it is given, and what it hands back fits its promises.

use std::collections::BTreeSet;

use graph::functions::FUNCTIONS;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::small::{Weights, small};

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3..9i64).prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(|x| json!(x)),
        Just(json!(1e308)),
        "[a-c0-3 ]{0,3}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::btree_map("[a-z]{1,3}", inner, 0..3)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Values that look like what the schema asks for, so that most calls get past the first check.
fn fitting(schema: &Value, pool: &mut impl Iterator<Item = u64>) -> Value {
    let roll = pool.next().unwrap_or(0);
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds[roll as usize % kinds.len()].as_str().unwrap_or("null"),
        kind => kind.as_str().unwrap_or("null"),
    };
    match kind {
        "integer" => json!(roll % 9),
        "number" => match roll % 7 {
            0 => json!(1e308),
            1 => json!(-2.5),
            _ => json!(roll % 10),
        },
        "string" => json!(["a", "0", "b", "passing"][roll as usize % 4]),
        "boolean" => json!(roll.is_multiple_of(2)),
        "array" => {
            let exact = schema["minItems"].as_u64();
            (0..exact.unwrap_or(roll % 5)).map(|_| fitting(&schema["items"], pool)).collect()
        }
        _ => Value::Null,
    }
}

fn check(g: &super::small::Small, name: &str, arguments: Value) -> Result<(), TestCaseError> {
    let f = graph::functions::find(name).unwrap();
    let mut graph = g.graph();
    match f.call(&graph, arguments.clone()) {
        Err(error) => {
            let listed = f.raises.iter().any(|r| r.0 == error.code);
            let general = ["bad_arguments", "too_many_entries"].contains(&error.code.as_str());
            prop_assert!(listed || general, "{} does not list {}", name, error.code);
            prop_assert!(!error.message.is_empty());
        }
        Ok(outcome) => {
            prop_assert!(f.writes || outcome.deltas.is_empty());
            for delta in &outcome.deltas {
                prop_assert!(graph.apply(delta).is_ok(), "{} {} {:?}", name, arguments, delta);
            }
            for (key, size) in [("n_nodes", graph.n_nodes()), ("n_edges", graph.n_edges())] {
                if let Some(said) = outcome.value.get(key) {
                    prop_assert_eq!(said, size, "{} {}", name, arguments);
                }
            }
            let returns = f.returns();
            let described: BTreeSet<&String> =
                returns["properties"].as_object().unwrap().keys().collect();
            let given: BTreeSet<&String> = outcome.value.as_object().unwrap().keys().collect();
            // A graph that is created without nodes and edges has no size worth a word.
            let bare = ["directed", "weighted"];
            let is_bare =
                name == "create_graph" && given.iter().all(|k| bare.contains(&k.as_str()));
            prop_assert!(is_bare || described == given, "{} gives {:?}", name, given);
            // A number that JSON cannot hold would have become null unseen.
            for (key, value) in outcome.value.as_object().unwrap() {
                let may = returns["properties"][key]["type"].is_array();
                prop_assert!(may || !value.is_null(), "{} {} is null", name, key);
            }
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_json_is_answered(g in small(5, Weights::Any), arguments in value()) {
        for f in FUNCTIONS {
            check(&g, f.name, arguments.clone())?;
            // The same value in each place that the function knows.
            let names: Vec<String> =
                f.parameters()["properties"].as_object().unwrap().keys().cloned().collect();
            let object: Map<String, Value> =
                names.into_iter().map(|name| (name, arguments.clone())).collect();
            check(&g, f.name, Value::Object(object))?;
        }
    }

    #[test]
    fn any_fitting_call_is_answered(g in small(6, Weights::Any), rolls in proptest::collection::vec(any::<u64>(), 60)) {
        for f in FUNCTIONS {
            let mut pool = rolls.iter().copied();
            let parameters = f.parameters();
            let mut arguments = Map::new();
            for (name, property) in parameters["properties"].as_object().unwrap() {
                arguments.insert(name.clone(), fitting(property, &mut pool));
            }
            check(&g, f.name, Value::Object(arguments))?;
        }
    }
}

/// A loop over nothing is still a loop.
#[test]
fn endless_layers_on_an_empty_graph_are_refused() {
    let f = graph::functions::find("graph_convolution").unwrap();
    let error = f.call(&graph::Graph::undirected(), json!({ "layers": i64::MAX })).unwrap_err();
    assert_eq!(error.code, "too_much_work");
}

/// Numbers at the edge of what a number can hold give an error, never a null or a panic.
#[test]
fn huge_weights_are_refused_or_answered() {
    let edges = vec![(0, 1, 1e308), (1, 2, 1e308), (2, 3, 1e308), (0, 3, 1e308)];
    for directed in [false, true] {
        let g = super::small::Small { n: 4, directed, edges: edges.clone(), weighted: true };
        for f in FUNCTIONS {
            let arguments = match f.name {
                "max_flow" | "min_cut" => json!({ "source": 0, "sink": 2 }),
                "shortest_path_lengths" => json!({ "start": 0 }),
                "find_shortest_path" | "find_shortest_distance" => json!({ "start": 0, "end": 2 }),
                _ => json!({}),
            };
            check(&g, f.name, arguments).unwrap();
        }
    }
}
