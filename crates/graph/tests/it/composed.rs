//! Functions composed of the library's: the language, its checks, its limits.

use std::collections::{BTreeSet, VecDeque};

use graph::composed::{ComposedFunction, Proposal};
use graph::{Graph, NodeName, generators};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A proposal whose examples are right for no body in particular.
fn proposal(parameters: &[(&str, &str)], body: &str) -> Proposal {
    let parameters: Vec<Value> = parameters
        .iter()
        .map(|(name, kind)| json!({ "name": name, "type": kind, "description": "an input" }))
        .collect();
    let value = json!({
        "name": "made_up",
        "description": "Computes something for a test.",
        "parameters": parameters,
        "body": body,
        "examples": [
            { "graph": { "edges": [[0, 1]] }, "arguments": {}, "result": 1 },
            { "graph": { "edges": [[0, 1]] }, "arguments": {}, "result": 2 },
        ],
    });
    Proposal::from_json(&value).unwrap()
}

fn compiled(parameters: &[(&str, &str)], body: &str) -> ComposedFunction {
    ComposedFunction::compile(proposal(parameters, body))
        .unwrap_or_else(|faults| panic!("{body}: {faults:?}"))
}

/// What a body gives on a graph.
fn computed(graph: &Graph, body: &str) -> Value {
    compiled(&[], body).call(graph, &json!({})).unwrap_or_else(|e| panic!("{body}: {e}")).value
}

fn gnp(n: usize, p: f64, directed: bool, seed: u64) -> Graph {
    generators::gnp(n, p, directed, seed).unwrap()
}

/// Steps from a node to every other, by a search of our own.
fn hops(graph: &Graph, start: &NodeName, without: Option<&NodeName>) -> Vec<(NodeName, usize)> {
    let mut seen = vec![(start.clone(), 0)];
    let mut open = VecDeque::from([(start.clone(), 0)]);
    while let Some((at, n)) = open.pop_front() {
        for edge in graph.edges() {
            let next = if *edge.source == at {
                edge.target
            } else if *edge.target == at && !graph.is_directed() {
                edge.source
            } else {
                continue;
            };
            if Some(next) != without && seen.iter().all(|(s, _)| s != next) {
                seen.push((next.clone(), n + 1));
                open.push_back((next.clone(), n + 1));
            }
        }
    }
    seen
}

const FAR: &str = "let d = shortest_path_lengths(start: s).distances; \
                   count(filter(d, x => x.distance > limit))";
const SPLIT: &str = "let before = connected_components().n_components; \
                     sort(filter(describe_graph().nodes, v => ( \
                       delete_nodes(nodes: [v]); connected_components().n_components > before)))";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Held against a search of the test's own.
    #[test]
    fn a_composition_computes_what_it_says(
        n in 1..9_usize, p in 0.1..0.7, directed: bool, seed in 0..999_u64, limit in 0..4_usize,
    ) {
        let graph = gnp(n, p, directed, seed);
        let start = NodeName::from(seed as usize % n);
        let right = hops(&graph, &start, None).iter().filter(|(_, d)| *d > limit).count();
        let function = compiled(&[("s", "node"), ("limit", "number")], FAR);
        let got = function.call(&graph, &json!({ "s": start, "limit": limit })).unwrap();
        prop_assert_eq!(got.value, json!(right));
    }

    /// Nodes without which the graph falls apart, found by deleting each; the library finds them by
    /// one search, and the test by counting pieces.
    #[test]
    fn changes_are_made_to_a_copy_of_each_item(n in 2..8_usize, p in 0.2..0.7, seed in 0..999_u64) {
        let graph = gnp(n, p, false, seed);
        let pieces = |without: Option<&NodeName>| {
            let mut left: BTreeSet<NodeName> =
                graph.names().filter(|v| Some(*v) != without).cloned().collect();
            let mut n = 0;
            while let Some(start) = left.first().cloned() {
                n += 1;
                for (seen, _) in hops(&graph, &start, without) {
                    left.remove(&seen);
                }
            }
            n
        };
        let right: Vec<&NodeName> =
            graph.names().filter(|v| pieces(Some(v)) > pieces(None)).collect();
        let outcome = compiled(&[], SPLIT).call(&graph, &json!({})).unwrap();
        prop_assert_eq!(&outcome.value, &json!(right));
        prop_assert_eq!(outcome.value, computed(&graph, "sort(find_articulation_points().articulation_points)"));
        prop_assert!(outcome.deltas.is_empty());
        prop_assert_eq!(outcome.notes.len(), 1);
    }

    /// Arithmetic, comparisons and conditions against what Rust computes of the same tree.
    #[test]
    fn expressions_have_the_value_of_their_tree(tree in tree()) {
        let wanted = tree.value();
        let function = compiled(&[], &tree.text());
        match (function.call(&Graph::undirected(), &json!({})), wanted) {
            (Ok(got), Some(wanted)) => {
                let got = got.value.as_f64().unwrap();
                prop_assert!((got - wanted).abs() <= 1e-9 * wanted.abs().max(1.0), "{}", tree.text());
            }
            (Err(error), None) => prop_assert_eq!(error.code, "division_by_zero"),
            (got, wanted) => prop_assert!(false, "{}: {:?}, not {:?}", tree.text(), got, wanted),
        }
    }

    #[test]
    fn operations_on_lists_are_those_of_sets(
        a in prop::collection::vec(0..6_i64, 0..8), b in prop::collection::vec(0..6_i64, 0..8),
    ) {
        let graph = Graph::undirected();
        let function = |body: &str| {
            let made = compiled(&[("a", "numbers"), ("b", "numbers")], body);
            made.call(&graph, &json!({ "a": a, "b": b })).unwrap().value
        };
        let once = |list: &[i64]| {
            let mut seen: Vec<i64> = Vec::new();
            list.iter().for_each(|x| if !seen.contains(x) { seen.push(*x) });
            seen
        };
        let both = [a.clone(), b.clone()].concat();
        prop_assert_eq!(function("unique(a)"), json!(once(&a)));
        prop_assert_eq!(function("union(a, b)"), json!(once(&both)));
        prop_assert_eq!(function("concat(a, b)"), json!(both));
        let kept = |wants: bool| once(&a).into_iter().filter(|x| b.contains(x) == wants).collect::<Vec<_>>();
        prop_assert_eq!(function("intersection(a, b)"), json!(kept(true)));
        prop_assert_eq!(function("difference(a, b)"), json!(kept(false)));
        prop_assert_eq!(function("sum(a)"), json!(a.iter().sum::<i64>()));
        prop_assert_eq!(function("min(a)"), json!(a.iter().min()));
        prop_assert_eq!(function("max(a)"), json!(a.iter().max()));
        prop_assert_eq!(function("first(a)"), json!(a.first()));
        prop_assert_eq!(function("last(a)"), json!(a.last()));
        prop_assert_eq!(function("count(a)"), json!(a.len()));
        prop_assert_eq!(function("contains(a, 3)"), json!(a.contains(&3)));
        prop_assert_eq!(function("a[2]"), json!(a.get(2)));
        prop_assert_eq!(function("any(a, x => x > 3)"), json!(a.iter().any(|x| *x > 3)));
        prop_assert_eq!(function("all(a, x => x > 3)"), json!(a.iter().all(|x| *x > 3)));
        prop_assert_eq!(function("flatten([a, b, a])"), json!([both.clone(), a.clone()].concat()));
        let mut sorted = a.clone();
        sorted.sort_unstable();
        prop_assert_eq!(function("sort(a)"), json!(sorted));
        sorted.reverse();
        prop_assert_eq!(function("reverse(sort(a))"), json!(sorted));
        sorted = a.clone();
        sorted.sort_by_key(|x| (x - 3).abs());
        prop_assert_eq!(function("sort_by(a, x => abs(x - 3))"), json!(sorted));
        // The first of those that are equal.
        prop_assert_eq!(function("min_by(a, x => abs(x - 3))"), json!(a.iter().min_by_key(|x| (*x - 3).abs())));
        prop_assert_eq!(function("max_by(a, x => abs(x - 3))"), json!(a.iter().rev().max_by_key(|x| (*x - 3).abs())));
        let mean = (!a.is_empty()).then(|| a.iter().sum::<i64>() as f64 / a.len() as f64);
        prop_assert_eq!(function("mean(a)").as_f64(), mean);
        prop_assert_eq!(function("range(count(b))"), json!((0..b.len()).collect::<Vec<_>>()));
        prop_assert_eq!(function("map(a, x => { twice: 2 * x })"), a.iter().map(|x| json!({ "twice": 2 * x })).collect::<Value>());
    }

    #[test]
    fn no_text_makes_the_parser_fail(words in prop::collection::vec(
        prop::sample::select(vec![
            "let", "x", "=", ";", "(", ")", "[", "]", "{", "}", ":", ",", ".", "=>", "??", "-", "not",
            "if", "then", "else", "map", "count", "find_shortest_path", "start", "1", "2.5", "\"a\"",
            "and", "==", "/", "has_path", "null", "é", "'",
        ]), 0..40,
    )) {
        let _ = ComposedFunction::compile(proposal(&[("x", "node")], &words.join(" ")));
    }

    #[test]
    fn no_bytes_make_the_parser_fail(text in "\\PC{0,80}") {
        let _ = ComposedFunction::compile(proposal(&[], &text));
    }
}

/// An expression with the value that Rust gives it.
#[derive(Clone, Debug)]
enum Tree {
    Number(u8),
    Binary(char, Box<Tree>, Box<Tree>),
    Negative(Box<Tree>),
    If(Box<Tree>, Box<Tree>, Box<Tree>),
    Let(Box<Tree>, Box<Tree>),
}

impl Tree {
    /// With as few parentheses as precedence allows: `level` is that of the place.
    fn text_at(&self, level: u8) -> String {
        let (own, text) = match self {
            Self::Number(n) => (9, n.to_string()),
            Self::Binary(sign, a, b) => {
                let own = if "+-".contains(*sign) { 1 } else { 2 };
                (own, format!("{} {sign} {}", a.text_at(own), b.text_at(own + 1)))
            }
            Self::Negative(of) => (3, format!("- {}", of.text_at(4))),
            Self::If(test, a, b) => (
                0,
                format!("if {} > 2 then {} else {}", test.text_at(1), a.text_at(0), b.text_at(0)),
            ),
            Self::Let(a, b) => (9, format!("(let v = {}; v + v * {})", a.text_at(0), b.text_at(3))),
        };
        if own < level { format!("({text})") } else { text }
    }

    fn text(&self) -> String {
        self.text_at(0)
    }

    fn value(&self) -> Option<f64> {
        Some(match self {
            Self::Number(n) => f64::from(*n),
            Self::Negative(of) => -of.value()?,
            Self::If(test, a, b) => {
                if test.value()? > 2.0 {
                    a.value()?
                } else {
                    b.value()?
                }
            }
            Self::Let(a, b) => {
                let v = a.value()?;
                v + v * b.value()?
            }
            Self::Binary(sign, a, b) => {
                let (a, b) = (a.value()?, b.value()?);
                match sign {
                    '+' => a + b,
                    '-' => a - b,
                    '*' => a * b,
                    _ if b == 0.0 => return None,
                    '/' => a / b,
                    _ => a - b * (a / b).floor(),
                }
            }
        })
    }
}

fn tree() -> impl Strategy<Value = Tree> {
    (0..9_u8).prop_map(Tree::Number).prop_recursive(4, 20, 3, |inner| {
        let boxed = || inner.clone().prop_map(Box::new);
        prop_oneof![
            (prop::sample::select(vec!['+', '-', '*', '/', '%']), boxed(), boxed())
                .prop_map(|(sign, a, b)| Tree::Binary(sign, a, b)),
            boxed().prop_map(Tree::Negative),
            (boxed(), boxed(), boxed()).prop_map(|(t, a, b)| Tree::If(t, a, b)),
            (boxed(), boxed()).prop_map(|(a, b)| Tree::Let(a, b)),
        ]
    })
}

fn friends() -> Value {
    json!({
        "name": "friends_of_friends",
        "description": "Finds the nodes two steps away from a node.",
        "parameters": [{ "name": "s", "type": "node", "description": "The node." }],
        "body": "let near = get_neighbors(node: s).neighbors;\n\
                 let next = flatten(map(near, v => get_neighbors(node: v).neighbors));\n\
                 sort(difference(next, concat(near, [s])))",
        "examples": [
            { "graph": { "edges": [[0, 1], [1, 2], [2, 3]] }, "arguments": "{\"s\": 0}", "result": "[2]" },
            { "graph": { "edges": [["a", "b"]], "nodes": ["c"] }, "arguments": { "s": "a" }, "result": [] },
        ],
    })
}

#[test]
fn a_proposal_that_holds_is_accepted_with_what_was_tried() {
    let proposal = Proposal::from_json(&friends()).unwrap();
    let (function, report) = proposal.clone().check(&[]).unwrap();
    assert!(report.is_accepted() && report.examples.iter().all(|e| e.passed));
    assert!(report.random.n_graphs > 40);
    assert_eq!(report.random.n_results, report.random.n_graphs);
    assert_eq!(report.returns, "list of node");
    assert_eq!(report.calls, ["get_neighbors"]);
    assert_eq!(function.parameters()["properties"]["s"]["type"], "string");
    // The same proposal gives the same report, also where it went through JSON.
    let again: Proposal = serde_json::from_str(&serde_json::to_string(&proposal).unwrap()).unwrap();
    assert_eq!(again, proposal);
    assert_eq!(again.check(&[]).unwrap().1, report);
    let graph = generators::path(5).unwrap();
    let outcome = function.call(&graph, &json!({ "s": 2 })).unwrap();
    assert_eq!(outcome.value, json!([0, 4]));
    assert_eq!(outcome.touched.nodes, [0_usize, 4].map(NodeName::from));
    for wrong in [json!({}), json!({ "s": 1.5 }), json!({ "s": 1, "t": 2 }), json!([1])] {
        let error = function.call(&graph, &wrong).unwrap_err();
        assert_eq!(error.code, "bad_arguments");
        assert!(error.message.contains("s (node)"), "{}", error.message);
    }
    assert_eq!(function.call(&graph, &json!({ "s": 9 })).unwrap_err().code, "unknown_node");
}

#[test]
fn whatever_does_not_hold_is_refused_with_what_would_be_right() {
    let bodies = [
        ("", &[][..]),
        ("count(", &[]),
        ("let x = 1", &[]),
        ("1 < 2 < 3", &[]),
        ("1; 2", &[]),
        ("connected_componets().components", &[]),
        ("connected_components().parts", &[]),
        ("find_shortest_path(s, t).path", &[("s", "node"), ("t", "node")]),
        ("find_shortest_path(start: s).path", &[("s", "node")]),
        ("find_shortest_path(from: s, end: s).path", &[("s", "node")]),
        ("count(find_shortest_path(start: s, end: s).path)", &[("s", "node")]),
        ("find_shortest_path(start: s, end: s).length + 1", &[("s", "node")]),
        ("count(find_bridges())", &[]),
        ("sum(describe_graph().nodes)", &[]),
        ("has_path + 1", &[]),
        ("map(describe_graph().nodes, 3)", &[]),
        ("filter(describe_graph().nodes, v => v)", &[]),
        ("if true then 1 else [1]", &[]),
        ("[1, true]", &[]),
        ("x => x", &[]),
        ("count(1, 2)", &[]),
        ("made_up()", &[]),
        ("graph_convolution(layers: 1.5).embeddings", &[]),
        ("\"never closed", &[]),
        ("1 # 2", &[]),
        ("y", &[("x", "number")]),
    ];
    let mut text = String::new();
    for (body, parameters) in bodies {
        let faults = match proposal(parameters, body).check(&[]) {
            Err(report) => report.faults,
            Ok(_) => panic!("{body} was accepted"),
        };
        text += &format!("{body}\n");
        // Each of these bodies has one fault; that its examples fail too is no news.
        for fault in faults.iter().filter(|f| f.code != "example_differs") {
            text += &format!("  {}: {fault}\n", fault.code);
        }
    }
    insta::assert_snapshot!("proposals", text);
}

#[test]
fn what_is_wrong_around_the_body_is_told_too() {
    let changed = |key: &str, value: Value| {
        let mut proposal = friends();
        proposal[key] = value;
        proposal
    };
    let mut off = friends();
    off["examples"][0]["result"] = json!([2, 3]);
    let mut no_graph = friends();
    no_graph["examples"][1]["graph"] = json!({ "edges": [[0, 1]], "weights": [1, 2] });
    let cases = [
        (changed("name", json!("max_flow")), "name_taken"),
        (changed("name", json!("count")), "name_taken"),
        (changed("name", json!("taken")), "name_taken"),
        (changed("name", json!("Friends!")), "bad_name"),
        (changed("description", json!("No.")), "bad_description"),
        (changed("examples", json!([friends()["examples"][0]])), "bad_examples"),
        (
            changed("examples", json!([friends()["examples"][0], friends()["examples"][0]])),
            "examples_alike",
        ),
        (changed("body", json!("[max_bipartite_matching().size]")), "example_differs"),
        (off, "example_differs"),
        (no_graph, "example_differs"),
        (
            changed("parameters", json!([{ "name": "s", "type": "vertex", "description": "" }])),
            "bad_form",
        ),
        (changed("more", json!(1)), "bad_form"),
        (changed("body", json!("x".repeat(70_000))), "too_long"),
        (changed("body", json!("1+".repeat(1_990) + "1")), "too_long"),
        (changed("body", json!("(".repeat(500))), "too_long"),
    ];
    for (value, code) in cases {
        let faults = match Proposal::from_json(&value).map(|p| p.check(&["taken"])) {
            Ok(Ok(_)) => panic!("{code}: accepted"),
            Ok(Err(report)) => report.faults,
            Err(fault) => vec![fault],
        };
        assert!(faults.iter().any(|f| f.code == code), "{code}: {faults:?}");
    }
}

#[test]
fn what_fails_on_some_graph_is_refused() {
    let check = |body: &str| proposal(&[], body).check(&[]).unwrap_err().faults;
    // No example meets a graph without edges.
    let faults = check("10 / describe_graph().n_edges");
    assert!(faults.iter().any(|f| f.code == "division_by_zero"), "{faults:?}");
    let told = faults.iter().find(|f| f.code == "division_by_zero").unwrap();
    assert!(told.message.contains("no edges"), "{told}");
    // What every call refuses is no function; what some graphs refuse is one.
    let faults = check("delete_nodes(nodes: describe_graph().nodes); diameter().diameter");
    assert!(faults.iter().any(|f| f.code == "always_refused"), "{faults:?}");
    let faults = check("max_bipartite_matching().size");
    assert!(faults.iter().all(|f| f.code == "example_differs"), "{faults:?}");
}

#[test]
fn work_is_bounded() {
    let graph = generators::complete(12).unwrap();
    let nested = "count(map(range(9000), a => count(map(range(9000), b => a + b))))";
    let doubled = (0..60).fold("let a0 = [1];".to_owned(), |text, i| {
        text + &format!("let a{} = concat(a{i}, a{i});", i + 1)
    }) + "count(a60)";
    let records = (0..40).fold("let a0 = { x: 1 };".to_owned(), |text, i| {
        text + &format!("let a{} = {{ x: a{i}, y: a{i} }};", i + 1)
    }) + "a40.x.x.x";
    let shared = (0..40).fold("let a0 = [[1]];".to_owned(), |text, i| {
        text + &format!("let a{} = [a{i}, a{i}];", i + 1)
    }) + "a40";
    let calls = "count(map(range(9000), i => has_edge(source: 0, target: 1)))";
    for (body, code) in [
        (nested, "too_much_work"),
        (&doubled, "too_large"),
        (&shared, "too_large"),
        (calls, "too_many_calls"),
        ("range(1e9)", ""),
        ("range(20000)", "bad_value"),
        (
            "let n = 9999999999; let m = n*n*n*n*n*n*n*n*n*n; let k = m*m*m; let l = k*k; l",
            "overflow",
        ),
    ] {
        match ComposedFunction::compile(proposal(&[], body)) {
            Ok(function) => {
                assert_eq!(function.call(&graph, &json!({})).unwrap_err().code, code, "{body}")
            }
            Err(faults) => assert!(code.is_empty(), "{body}: {faults:?}"),
        }
    }
    let faults = ComposedFunction::compile(proposal(&[], &records)).unwrap_err();
    assert!(faults.iter().any(|f| f.code == "too_long"), "{faults:?}");
}

#[test]
fn values_of_null_have_to_be_thought_of() {
    let mut apart = Graph::undirected();
    apart.link("Tom", "Katy").unwrap();
    apart.ensure_node("Paul").unwrap();
    let body = "find_shortest_path(start: \"Tom\", end: \"Paul\").length ?? -1";
    assert_eq!(computed(&apart, body), json!(-1));
    assert_eq!(computed(&apart, "find_cycle().cycle == null"), json!(true));
    assert_eq!(computed(&apart, "count(find_cycle().cycle ?? [])"), json!(0));
    assert_eq!(computed(&apart, "max_by(get_degrees().degrees, d => d.degree).node"), json!("Tom"));
    assert_eq!(
        computed(
            &apart,
            "first(filter(get_degrees().degrees, d => d.node == \"Paul\")).degree ?? 9"
        ),
        json!(0)
    );
}

/// A result crosses the language and comes out as the function gave it.
#[test]
fn every_function_can_be_called_and_its_result_is_read_whole() {
    for function in graph::functions::FUNCTIONS {
        let example = function.example();
        let given: Vec<String> = example
            .arguments
            .as_object()
            .unwrap()
            .iter()
            .map(|(name, value)| format!("{name}: {value}"))
            .collect();
        let body = format!("{}({})", function.name, given.join(", "));
        let direct = function.call(&example.graph, example.arguments).unwrap();
        assert_eq!(floats(computed(&example.graph, &body)), floats(direct.value), "{body}");
    }
}

/// The same with every number as a float: 2 and 2.0 are one number, and two values of JSON.
fn floats(value: Value) -> Value {
    match value {
        Value::Number(n) => json!(n.as_f64()),
        Value::Array(items) => items.into_iter().map(floats).collect(),
        // A field that a result leaves out is null in the language.
        Value::Object(map) => {
            map.into_iter().filter(|(_, v)| !v.is_null()).map(|(k, v)| (k, floats(v))).collect()
        }
        other => other,
    }
}

/// A body that takes its time on each graph is refused by one budget for all of them, and soon.
#[test]
fn a_check_has_one_budget_for_all_that_it_tries() {
    let text = r#"{
        "name": "slow_count", "description": "Counts slowly.", "parameters": [],
        "body": "count(map(range(10000), x => count(filter(range(600), y => y < x)))) + describe_graph().n_nodes",
        "examples": [
            { "graph": { "nodes": [0] }, "arguments": {}, "result": 10001 },
            { "graph": { "nodes": [0, 1] }, "arguments": {}, "result": 10002 }
        ]
    }"#;
    let proposal = Proposal::from_json(&serde_json::from_str(text).unwrap()).unwrap();
    let report = proposal.check(&[]).map(|_| ()).unwrap_err();
    let told: Vec<String> = report.faults.iter().map(ToString::to_string).collect();
    assert!(told.iter().any(|t| t.contains("steps") || t.contains("values")), "{told:?}");
}
