//! What holds for every function of the library.

use std::collections::BTreeSet;

use graph::Graph;
use graph::functions::{CatalogFormat, FUNCTIONS, Group, describe, find};
use serde_json::{Value, json};

#[test]
fn names_are_unique_and_spelt_like_functions() {
    let mut seen = BTreeSet::new();
    for f in FUNCTIONS {
        assert!(seen.insert(f.name), "{} is listed twice", f.name);
        assert!(f.name.chars().all(|c| c.is_ascii_lowercase() || c == '_'), "{}", f.name);
        assert!(std::ptr::eq(find(f.name).unwrap(), f));
    }
    assert!(FUNCTIONS.len() >= 40);
    assert!(find("no_such_function").is_none());
}

/// The one document that says how many there are.
#[test]
fn the_readme_counts_them_right() {
    let readme = include_str!("../../../../README.md");
    let right = format!("**Tools**: {} graph functions", FUNCTIONS.len());
    assert!(readme.contains(&right), "README.md should have {right:?}");
}

#[test]
fn the_catalogue_is_in_the_order_of_its_groups() {
    let mut order: Vec<Group> = FUNCTIONS.iter().map(|f| f.group).collect();
    order.dedup();
    let unique: BTreeSet<Group> = order.iter().copied().collect();
    assert_eq!(order.len(), unique.len(), "a group is split: {order:?}");
}

/// Walks a schema and calls `visit` on each part of it with a path for messages.
fn walk(path: &str, schema: &Value, visit: &mut impl FnMut(&str, &serde_json::Map<String, Value>)) {
    let Some(object) = schema.as_object() else { return };
    visit(path, object);
    for (name, property) in
        object.get("properties").and_then(Value::as_object).into_iter().flatten()
    {
        walk(&format!("{path}.{name}"), property, visit);
    }
    for key in ["items", "additionalProperties"] {
        if let Some(inner) = object.get(key) {
            walk(&format!("{path}.{key}"), inner, visit);
        }
    }
}

#[test]
fn schemas_stay_in_the_subset_that_all_providers_take() {
    let allowed = [
        "type",
        "description",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "minItems",
        "maxItems",
        "minimum",
    ];
    for f in FUNCTIONS {
        for (what, schema) in [("arguments", f.parameters()), ("result", f.returns())] {
            assert_eq!(schema["type"], "object", "{} {what}", f.name);
            walk(f.name, &schema, &mut |path, part| {
                for key in part.keys() {
                    assert!(allowed.contains(&key.as_str()), "{path} ({what}) uses {key}");
                }
            });
        }
        assert_eq!(f.parameters()["additionalProperties"], false);
    }
}

#[test]
fn what_models_read_of_arguments_has_one_type_each() {
    for f in FUNCTIONS {
        walk(f.name, &f.parameters(), &mut |path, part| {
            assert!(part["type"].is_string(), "{path} has the type {}", part["type"]);
        });
    }
}

#[test]
fn a_node_is_found_as_a_number_and_as_a_text() {
    let f = find("has_edge").unwrap();
    let graph = f.example().graph;
    let value = |arguments| f.call(&graph, arguments).map(|outcome| outcome.value);
    let numbers = value(serde_json::json!({ "source": 0, "target": 1 }));
    assert_eq!(numbers, value(serde_json::json!({ "source": "0", "target": "1" })));
}

#[test]
fn everything_a_model_reads_is_described() {
    for f in FUNCTIONS {
        assert!(f.description().ends_with('.'), "{}: {}", f.name, f.description());
        assert!(!f.title.is_empty() && f.complexity.starts_with(['O', 'e']), "{}", f.name);
        for (what, schema) in [("argument", f.parameters()), ("result", f.returns())] {
            for (name, property) in schema["properties"].as_object().unwrap() {
                let text = property["description"].as_str().unwrap_or_default();
                assert!(text.len() > 5, "{} {what} {name} has no description", f.name);
            }
        }
        let codes: BTreeSet<&str> = f.raises.iter().map(|r| r.0).collect();
        assert_eq!(codes.len(), f.raises.len(), "{} lists an error twice", f.name);
    }
}

#[test]
fn every_example_runs_and_fits_its_schemas() {
    for f in FUNCTIONS {
        let example = f.example();
        let outcome = f.call(&example.graph, example.arguments.clone()).unwrap_or_else(|e| {
            panic!("{}: {e}", f.name);
        });
        let returns = f.returns();
        let described: BTreeSet<&String> =
            returns["properties"].as_object().unwrap().keys().collect();
        let given: BTreeSet<&String> = outcome.value.as_object().unwrap().keys().collect();
        assert_eq!(described, given, "{}", f.name);
        assert_eq!(f.writes, !outcome.deltas.is_empty(), "{}", f.name);
        let mut graph = example.graph.clone();
        for delta in &outcome.deltas {
            graph.apply(delta).unwrap();
        }
        for node in outcome
            .touched
            .nodes
            .iter()
            .chain(outcome.touched.edges.iter().flat_map(|(a, b)| [a, b]))
        {
            let there = graph.has_node(node) || example.graph.has_node(node);
            assert!(there, "{} touches {node}, which is in no graph", f.name);
        }
        // A replay gives the same bytes.
        let again = f.call(&example.graph, example.arguments).unwrap();
        assert_eq!(again, outcome, "{}", f.name);
    }
}

#[test]
fn building_functions_say_how_large_the_graph_becomes() {
    for f in FUNCTIONS.iter().filter(|f| f.writes) {
        let example = f.example();
        let outcome = f.call(&example.graph, example.arguments).unwrap();
        let mut graph = example.graph;
        for delta in &outcome.deltas {
            graph.apply(delta).unwrap();
        }
        for (key, size) in [("n_nodes", graph.n_nodes()), ("n_edges", graph.n_edges())] {
            if let Some(said) = outcome.value.get(key) {
                assert_eq!(said, size, "{} {key}", f.name);
            }
        }
    }
}

#[test]
fn the_catalogue_as_a_model_reads_it() {
    let catalogue: Vec<Value> =
        FUNCTIONS.iter().map(|f| describe(f, CatalogFormat::OpenAi)).collect();
    insta::assert_json_snapshot!("catalogue_openai", catalogue);
}

#[test]
fn one_function_in_all_shapes() {
    let f = find("find_shortest_distance").unwrap();
    let shapes: serde_json::Map<String, Value> = CatalogFormat::ALL
        .iter()
        .map(|(name, format)| ((*name).to_owned(), describe(f, *format)))
        .collect();
    insta::assert_json_snapshot!("shapes", shapes);
}

#[test]
fn the_table_of_functions() {
    let mut table = String::new();
    for f in FUNCTIONS {
        let group = serde_json::to_value(f.group).unwrap();
        let group = group.as_str().unwrap();
        table += &format!("{group:13} {:30} {:34} {}\n", f.name, f.complexity, f.paper);
    }
    insta::assert_snapshot!("table", table);
}

#[test]
fn the_results_of_all_examples() {
    let mut results = serde_json::Map::new();
    for f in FUNCTIONS {
        let example = f.example();
        let outcome = f.call(&example.graph, example.arguments.clone()).unwrap();
        results.insert(
            f.name.into(),
            json!({ "arguments": example.arguments, "result": outcome.value, "notes": outcome.notes }),
        );
    }
    insta::assert_json_snapshot!("examples", results);
}

#[test]
fn errors_tell_a_model_what_would_be_right() {
    let mut square = Graph::undirected();
    for (a, b) in [(0usize, 1usize), (1, 2), (2, 3), (3, 0)] {
        square.link_weighted(a, b, 1.0).unwrap();
    }
    let mut odd = square.clone();
    odd.link(0usize, 2usize).unwrap();
    let mut negative = Graph::directed();
    for (a, b, w) in [("a", "b", 1.0), ("b", "c", -3.0), ("c", "b", 1.0), ("c", "d", 1.0)] {
        negative.link_weighted(a, b, w).unwrap();
    }
    let mut apart = Graph::undirected();
    apart.link("Tom", "Katy").unwrap();
    apart.link("Paul", "Steve").unwrap();
    let mut long_path = Graph::undirected();
    (0..2_100usize).for_each(|v| long_path.link(v, v + 1).unwrap());
    let long: Vec<i64> = (0..100_001).collect();
    let calls = [
        ("find_shortest_path", &square, json!({ "from": 0, "to": 3 })),
        ("find_shortest_path", &square, json!({ "start": 0 })),
        ("find_shortest_path", &square, json!({ "start": 0, "end": 9 })),
        ("find_shortest_path", &square, json!({ "start": 0, "end": 1.5 })),
        ("find_shortest_path", &square, json!([0, 3])),
        ("find_shortest_path", &negative, json!({ "start": "a", "end": "d" })),
        ("find_cycle", &square, json!({ "start": 0 })),
        ("add_edges", &square, json!({ "edges": [[0, 1], [2]] })),
        ("add_edges", &square, json!({ "edges": [[0, 1, 5], [1, 2]] })),
        ("delete_edges", &square, json!({ "edges": [[0, 1, 5]] })),
        ("create_graph", &square, json!({ "directed": false, "nodes": 5 })),
        (
            "create_graph",
            &square,
            json!({ "directed": true, "edges": [[0, 1]], "weights": [1, 2] }),
        ),
        ("has_cycle", &square, json!({ "edges": [[0, 1], [1, 2]] })),
        ("add_edges", &square, json!({ "edges": "0 and 1" })),
        ("add_edges", &square, json!({ "edges": [[0, 1]], "weights": [1, 2] })),
        ("add_edges", &square, json!({ "edges": [[0, 1]], "weights": ["heavy"] })),
        ("add_edges", &square, json!({ "edges": [[0, 1]], "capacities": [-1] })),
        ("add_nodes", &square, json!({ "nodes": long })),
        ("add_nodes", &square, json!({ "nodes": [""] })),
        ("delete_edges", &negative, json!({ "edges": [["b", "a"]] })),
        ("delete_edges", &square, json!({ "edges": [[0, 2]] })),
        ("get_neighbors", &apart, json!({ "node": "katie" })),
        ("common_neighbors", &apart, json!({ "first": "Tom", "second": "Anna" })),
        ("max_common_subgraph", &square, json!({ "first": [0, 1, 0] })),
        ("max_common_subgraph", &square, json!({ "first": [0, 1], "second": [2, 1] })),
        ("find_subgraph", &square, json!({ "pattern": [0, 7] })),
        ("find_subgraph", &long_path, json!({ "pattern": [0, 1] })),
        ("max_independent_set", &long_path, json!({})),
        ("graph_edit_distance", &square, json!({ "first": [0], "labels": [[1, "C"], [1, "N"]] })),
        ("graph_edit_distance", &long_path, json!({ "first": [0] })),
        ("rename_node", &apart, json!({ "node": "Tom", "new_name": "Paul" })),
        ("max_bipartite_matching", &odd, json!({})),
        ("max_flow", &square, json!({ "source": 1, "sink": 1 })),
        ("max_flow", &negative, json!({ "source": "a", "sink": "d" })),
        ("topological_sort", &square, json!({})),
        ("diameter", &apart, json!({})),
        ("diameter", &Graph::undirected(), json!({})),
        ("graph_convolution", &apart, json!({ "layers": 2 })),
        ("graph_convolution", &apart, json!({ "layers": -1 })),
        ("pagerank", &negative, json!({})),
        ("pagerank", &square, json!({ "damping": 1.5 })),
        ("create_graph", &square, json!({ "directed": "yes", "weighted": true })),
        ("get_degrees", &Graph::undirected(), json!({ "nodes": [1] })),
        ("set_node_embeddings", &square, json!({ "nodes": [0, 1], "embeddings": [[1, 2], [1]] })),
    ];
    let mut text = String::new();
    for (name, graph, arguments) in calls {
        let shown = arguments.to_string();
        let shown: String = shown.chars().take(80).collect();
        let f = find(name).unwrap();
        let error = f.call(graph, arguments).unwrap_err();
        let listed = f.raises.iter().any(|r| r.0 == error.code);
        let general = ["bad_arguments", "too_many_entries"].contains(&error.code.as_str());
        assert!(listed || general, "{name} does not list {}", error.code);
        text += &format!("{name} {shown}\n  {}: {}\n", error.code, error.message);
        if let Some(witness) = error.witness {
            text += &format!("  witness {witness}\n");
        }
    }
    insta::assert_snapshot!("errors", text);
}
