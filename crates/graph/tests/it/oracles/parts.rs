//! The functions about two parts of a graph, and about what nodes share, beside trying everything on the
//! whole graph: how the parts are cut out and named back is held here, the searches in `exact`.

use std::collections::{BTreeMap, BTreeSet};

use graph::functions::find;
use graph::{Graph, generators};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::exact::{arc, partners};
use super::small::{Small, Weights, small};

fn called(graph: &Graph, name: &str, arguments: Value) -> Value {
    find(name).unwrap().call(graph, arguments).unwrap_or_else(|e| panic!("{name}: {e}")).value
}

/// The nodes on one side of a cut, and the others.
fn cut(g: &Small, sides: &[bool]) -> (Vec<usize>, Vec<usize>) {
    (0..g.n).partition(|v| sides[*v])
}

/// Nodes with their partners, as a result has them; those without one are left out.
fn pairs(value: &Value) -> Vec<(usize, usize)> {
    let number = |v: &Value| v.as_u64().map(|n| n as usize);
    let pair = |p: &Value| Some((number(&p["node"]).unwrap(), number(&p["partner"])?));
    value.as_array().unwrap().iter().filter_map(pair).collect()
}

fn is_one_to_one(pairs: &[(usize, usize)], from: &[usize], to: &[usize]) -> bool {
    let sources: BTreeSet<usize> = pairs.iter().map(|p| p.0).collect();
    let targets: BTreeSet<usize> = pairs.iter().map(|p| p.1).collect();
    sources.len() == pairs.len()
        && targets.len() == pairs.len()
        && sources.iter().all(|v| from.contains(v))
        && targets.iter().all(|v| to.contains(v))
}

/// The edges among some nodes; without directions, each once.
fn among(g: &Small, nodes: &[usize]) -> Vec<(usize, usize)> {
    let all = nodes.iter().flat_map(|u| nodes.iter().map(|v| (*u, *v)));
    all.filter(|(u, v)| arc(g, *u, *v) && (g.directed || u <= v)).collect()
}

/// How many changes a way from one part to the other takes.
fn changes(
    g: &Small,
    (first, second): (&[usize], &[usize]),
    label: impl Fn(usize) -> Option<u8>,
    to: &BTreeMap<usize, usize>,
) -> usize {
    let kept = among(g, first)
        .iter()
        .filter(|(u, v)| to.get(u).zip(to.get(v)).is_some_and(|(x, y)| arc(g, *x, *y)))
        .count();
    let other_labels = to.iter().filter(|(v, w)| label(**v) != label(**w)).count();
    let (n_first, n_second) = (among(g, first).len(), among(g, second).len());
    first.len() + second.len() - 2 * to.len() + other_labels + n_first + n_second - 2 * kept
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn parts_are_compared_as_they_are(
        g in small(8, Weights::Any),
        sides in prop::collection::vec(any::<bool>(), 8),
        labels in prop::collection::vec(prop::option::of(0..3_u8), 8),
    ) {
        let (first, second) = cut(&g, &sides);
        // Trying everything is for small parts.
        prop_assume!(first.len() <= 4 && second.len() <= 5);
        let graph = g.graph();
        let label = |v: usize| labels[v];
        let (mut most, mut is_there, mut least) = (0, false, usize::MAX);
        partners(first.len(), second.len(), &mut |to| {
            let to: BTreeMap<usize, usize> =
                (0..to.len()).filter_map(|i| Some((first[i], second[to[i]?]))).collect();
            let same = to.iter().all(|(u, x)| to.iter().all(|(v, y)| arc(&g, *u, *v) == arc(&g, *x, *y)));
            if same {
                most = most.max(to.len());
            }
            is_there |= to.len() == first.len()
                && among(&g, &first).iter().all(|(u, v)| arc(&g, to[u], to[v]));
            least = least.min(changes(&g, (&first, &second), label, &to));
        });

        let shared = called(&graph, "max_common_subgraph", json!({ "first": first, "second": second }));
        let to = pairs(&shared["pairs"]);
        prop_assert_eq!(&shared["size"], to.len());
        prop_assert_eq!((&shared["at_most"], &shared["is_proven"]), (&json!(most), &json!(true)));
        prop_assert!(to.len() == most && is_one_to_one(&to, &first, &second));
        let same = |a: &(usize, usize), b: &(usize, usize)| arc(&g, a.0, b.0) == arc(&g, a.1, b.1);
        prop_assert!(to.iter().all(|a| to.iter().all(|b| same(a, b))));

        let found = called(&graph, "find_subgraph", json!({ "pattern": first, "within": second }));
        prop_assert_eq!(&found["is_found"], is_there);
        if is_there {
            let to = pairs(&found["mapping"]);
            prop_assert!(to.len() == first.len() && is_one_to_one(&to, &first, &second));
            let to: BTreeMap<usize, usize> = to.into_iter().collect();
            prop_assert!(among(&g, &first).iter().all(|(u, v)| arc(&g, to[u], to[v])));
        } else {
            prop_assert!(found["mapping"].is_null() && found["reason"].is_string());
        }

        let names = ["C", "N", "O"];
        let listed: Vec<Value> =
            (0..g.n).filter_map(|v| Some(json!([v, names[label(v)? as usize]]))).collect();
        let arguments = json!({ "first": first, "second": second, "labels": listed });
        let way = called(&graph, "graph_edit_distance", arguments);
        prop_assert_eq!(&way["distance"], least);
        prop_assert_eq!((&way["at_least"], &way["is_proven"]), (&json!(least), &json!(true)));
        let to = pairs(&way["mapping"]);
        prop_assert!(is_one_to_one(&to, &first, &second));
        prop_assert_eq!(way["mapping"].as_array().unwrap().len(), first.len());
        let to: BTreeMap<usize, usize> = to.into_iter().collect();
        prop_assert_eq!(changes(&g, (&first, &second), label, &to), least);

        // All other nodes are what is not given.
        for (name, one, other) in [
            ("max_common_subgraph", "first", "second"),
            ("find_subgraph", "pattern", "within"),
            ("graph_edit_distance", "first", "second"),
        ] {
            let given = called(&graph, name, json!({ one: first, other: second }));
            prop_assert_eq!(called(&graph, name, json!({ one: first })), given);
        }
    }

    #[test]
    fn sets_and_tours_of_a_call_are_those_of_the_search(g in small(7, Weights::Natural)) {
        let graph = g.graph();
        let n_edges = among(&g, &(0..g.n).collect::<Vec<_>>()).len();
        let set = called(&graph, "max_independent_set", json!({}));
        let cover = called(&graph, "min_vertex_cover", json!({}));
        let list = |v: &Value| -> BTreeSet<usize> {
            v["nodes"].as_array().unwrap().iter().map(|v| v.as_u64().unwrap() as usize).collect()
        };
        let (set, cover) = (list(&set), list(&cover));
        prop_assert_eq!(set.len() + cover.len(), g.n);
        prop_assert!(g.edges.iter().all(|e| !(set.contains(&e.0) && set.contains(&e.1))));
        prop_assert!(g.edges.iter().all(|e| cover.contains(&e.0) || cover.contains(&e.1)));
        let tour = called(&graph, "find_shortest_tour", json!({}));
        prop_assert_eq!(&tour["is_proven"], true);
        match tour["tour"].as_array() {
            Some(nodes) => {
                let nodes: Vec<usize> =
                    nodes.iter().map(|v| v.as_u64().unwrap() as usize).collect();
                let n_named = if g.n == 1 { 1 } else { g.n + 1 };
                prop_assert_eq!((nodes.len(), nodes[0]), (n_named, nodes[n_named - 1]));
                prop_assert!(nodes[..g.n].iter().collect::<BTreeSet<_>>().len() == g.n);
                let walked = if g.n == 1 { 0.0 } else { g.weight_of(&nodes) };
                prop_assert!((tour["length"].as_f64().unwrap() - walked).abs() < 1e-9);
                prop_assert_eq!(&tour["at_least"], &tour["length"]);
            }
            None => {
                let reason = tour["reason"].as_str().unwrap();
                prop_assert!(reason.starts_with("there is no tour"), "{reason}");
                prop_assert!(g.n == 0 || n_edges < g.n * (g.n + 1) / 2 || g.directed);
            }
        }
    }

    #[test]
    fn common_neighbors_are_those_of_both(g in small(7, Weights::Any), u in 0..7_usize, v in 0..7_usize) {
        prop_assume!(u < g.n && v < g.n);
        let found = called(&g.graph(), "common_neighbors", json!({ "first": u, "second": v }));
        let right: BTreeSet<usize> =
            (0..g.n).filter(|w| *w != u && *w != v && arc(&g, u, *w) && arc(&g, v, *w)).collect();
        let list = found["neighbors"].as_array().unwrap();
        let ours: BTreeSet<usize> = list.iter().map(|w| w.as_u64().unwrap() as usize).collect();
        prop_assert_eq!(&ours, &right);
        prop_assert_eq!(&found["count"], right.len());
        prop_assert_eq!(list.len(), right.len());
    }
}

/// What is larger than the searches take ends in words, and what takes all steps says so.
#[test]
fn a_search_that_stops_says_so() {
    let edges = |n: usize| (0..n).flat_map(move |v| [1, 7, 20].map(move |d| (v, (v + d) % n)));
    let circulant = |n: usize, directed: bool| {
        let mut graph = if directed { Graph::directed() } else { Graph::undirected() };
        edges(n).for_each(|(u, v)| graph.link(u, v).unwrap());
        graph
    };
    let long = called(&circulant(201, false), "find_shortest_tour", json!({}));
    assert_eq!((&long["tour"], &long["is_proven"]), (&json!(null), &json!(false)));
    assert!(long["reason"].as_str().unwrap().contains("up to 200 nodes"), "{long}");
    let directed = called(&circulant(40, true), "find_shortest_tour", json!({}));
    assert!(directed["reason"].as_str().unwrap().contains("up to 16 nodes"), "{directed}");
    let first: Vec<usize> = (0..50).collect();
    let graph = generators::random_sparse(100, 400, false, 1).unwrap();
    let outcome =
        find("max_common_subgraph").unwrap().call(&graph, json!({ "first": first })).unwrap();
    assert_eq!(outcome.value["is_proven"], false);
    assert!(outcome.value["at_most"].as_u64() > outcome.value["size"].as_u64());
    assert!(outcome.notes[0].contains("20000000 steps"), "{:?}", outcome.notes);
}
