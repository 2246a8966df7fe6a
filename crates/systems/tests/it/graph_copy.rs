//! Copies of graphs in stores: what is sent is carried out by an engine of Cypher and by oxigraph,
//! and what stands there then is the graph, beside what stood there before.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use agent::Transport;
use cypher::{CypherValue, Parameters, Query, QueryLimits};
use futures_util::FutureExt as _;
use kg::property::{GraphStore, NodeId, Properties, PropertyGraph, PropertyValue, triples};
use kg::stores::StoreAddress;
use llm::{Endpoint, HttpRequest};
use oxigraph::model::{GraphName, NamedNode, Quad};
use oxigraph::sparql::SparqlEvaluator;
use oxigraph::store::Store;
use proptest::prelude::*;
use serde_json::{Value, json};
use systems::remote::{CopyPlace, GraphCopy, StorePlace};
use test_support::{Answering, response};

/// Both kinds of stores, with something of their owner's in each.
struct Stores {
    neo4j: RefCell<GraphStore>,
    sparql: Store,
    n_requests: Cell<usize>,
    /// After how many requests all are refused.
    gives_up: Cell<usize>,
}

impl Stores {
    fn new() -> Self {
        let mut graph = PropertyGraph::default();
        let known = Properties::from([
            ("name".to_owned(), PropertyValue::from("not ours")),
            ("graphground_id".to_owned(), PropertyValue::Int(0)),
        ]);
        let theirs = graph.create_node(["Person"], known.clone()).unwrap();
        // Another copy, of another name.
        let other = Properties::from([("graphground".to_owned(), "other".into())]);
        let other = graph.create_node(["Graphground"], other).unwrap();
        graph.create_edge(theirs, "KNOWS", other, known).unwrap();
        let sparql = Store::new().unwrap();
        let name = |text: &str| NamedNode::new(text).unwrap();
        let fact = |graph: GraphName| {
            Quad::new(name("urn:graph:n0"), name("urn:graph:name"), name("urn:x"), graph)
        };
        sparql.insert(&fact(GraphName::DefaultGraph)).unwrap();
        sparql.insert(&fact(name("urn:graphground:other").into())).unwrap();
        Self {
            neo4j: RefCell::new(GraphStore::open(graph)),
            sparql,
            n_requests: Cell::default(),
            gives_up: Cell::new(usize::MAX),
        }
    }

    /// The way to both of them.
    fn transport(&self) -> impl Transport + '_ {
        Answering(|_: &Endpoint, request: HttpRequest| {
            self.n_requests.set(self.n_requests.get() + 1);
            let refuses = self.n_requests.get() > self.gives_up.get();
            Ok(if refuses { response(503, "busy") } else { response(200, self.answer(&request)) })
        })
    }

    fn answer(&self, request: &HttpRequest) -> String {
        if request.url.ends_with("/query/v2") {
            let body: Value = serde_json::from_str(&request.body).unwrap();
            assert_eq!(body["accessMode"], "Write");
            let parameters: Parameters = body["parameters"]
                .as_object()
                .into_iter()
                .flatten()
                .map(|(name, value)| (name.clone(), cypher_value(value)))
                .collect();
            let query = Query::parse(body["statement"].as_str().unwrap()).unwrap();
            query
                .write(&mut self.neo4j.borrow_mut(), &parameters, &QueryLimits::default())
                .unwrap_or_else(|error| panic!("{}: {error}", request.body));
            return json!({ "data": { "fields": [], "values": [] } }).to_string();
        }
        assert_eq!(request.url, "http://127.0.0.1:7878/update");
        let update = SparqlEvaluator::new().parse_update(&request.body).unwrap();
        update.on_store(&self.sparql).execute().unwrap();
        String::new()
    }

    /// What stands in the copy, without what marks it, and how much else there is.
    fn copied(&self) -> (Vec<Node>, Vec<Edge>, usize) {
        let store = self.neo4j.borrow();
        let now = store.now();
        let ours = |id: NodeId| {
            let node = now.node(id).unwrap();
            (node.properties.get("graphground") == Some(&"mine".into())).then(|| {
                let Some(PropertyValue::Int(own)) = node.properties.get("graphground_id") else {
                    panic!("{node:?} has no id");
                };
                *own
            })
        };
        let (mut nodes, mut edges, mut n_others) = (Vec::new(), Vec::new(), 0);
        for (id, node) in now.nodes() {
            let Some(own) = ours(id) else {
                n_others += 1;
                continue;
            };
            let mut labels = node.labels.clone();
            assert!(labels.remove("Graphground"));
            let mut properties = node.properties.clone();
            properties.retain(|name, _| !name.starts_with("graphground"));
            nodes.push((own, labels, properties));
        }
        for (_, edge) in now.edges() {
            let (Some(source), Some(target)) = (ours(edge.source), ours(edge.target)) else {
                n_others += 1;
                continue;
            };
            let mut properties = edge.properties.clone();
            let Some(PropertyValue::Int(own)) = properties.remove("graphground_id") else {
                panic!("{edge:?} has no id");
            };
            edges.push((own, source, edge.edge_type.clone(), target, properties));
        }
        nodes.sort_by_key(|node| node.0);
        edges.sort_by_key(|edge| edge.0);
        (nodes, edges, n_others)
    }

    fn quads(&self) -> (BTreeSet<String>, usize) {
        let all: Vec<Quad> = self.sparql.iter().collect::<Result<_, _>>().unwrap();
        let mine = NamedNode::new("urn:graphground:mine").unwrap();
        let (ours, others): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|quad| quad.graph_name == mine.clone().into());
        let line = |quad: Quad| format!("{} {} {}", quad.subject, quad.predicate, quad.object);
        (ours.into_iter().map(line).collect(), others.len())
    }
}

type Node = (i64, BTreeSet<String>, Properties);
type Edge = (i64, i64, String, i64, Properties);

fn cypher_value(value: &Value) -> CypherValue {
    match value {
        Value::Null => CypherValue::Null,
        Value::Bool(b) => CypherValue::Bool(*b),
        Value::Number(n) => {
            n.as_i64().map_or_else(|| CypherValue::Float(n.as_f64().unwrap()), CypherValue::Int)
        }
        Value::String(text) => CypherValue::text(text.as_str()),
        Value::Array(items) => CypherValue::list(items.iter().map(cypher_value).collect()),
        Value::Object(map) => CypherValue::map(
            map.iter().map(|(name, value)| (name.clone(), cypher_value(value))).collect(),
        ),
    }
}

fn place(kind: &str) -> CopyPlace {
    let (url, confirmed, update_url) = match kind {
        "neo4j" => ("http://127.0.0.1:7474", "http://127.0.0.1:7474/db/neo4j", None),
        _ => {
            let update = "http://127.0.0.1:7878/update";
            ("http://127.0.0.1:7878/query", update, Some(update.to_owned()))
        }
    };
    let address = StoreAddress { url: url.into(), database: None, language: "en".into() };
    let store = StorePlace { kind: kind.into(), address, update_url };
    CopyPlace { store, name: "mine".into(), confirmed: confirmed.into() }
}

/// What the copy is to be.
fn expected(graph: &PropertyGraph) -> (Vec<Node>, Vec<Edge>) {
    let own = |id: u64| i64::try_from(id).unwrap();
    let nodes = graph.nodes().map(|(id, node)| {
        let labels = node.labels.iter().map(|label| label.replace('\\', "/")).collect();
        (own(id.0), labels, node.properties.clone())
    });
    let edges = graph.edges().map(|(id, edge)| {
        let (source, target) = (own(edge.source.0), own(edge.target.0));
        (own(id.0), source, edge.edge_type.replace('\\', "/"), target, edge.properties.clone())
    });
    (nodes.collect(), edges.collect())
}

/// The triples by the module that queries a graph, which writes them another way.
fn expected_triples(graph: &PropertyGraph) -> BTreeSet<String> {
    let quads = triples(graph).into_iter();
    let store = Store::new().unwrap();
    quads.for_each(|t| store.insert(&t.in_graph(GraphName::DefaultGraph)).unwrap());
    let line = |quad: Quad| format!("{} {} {}", quad.subject, quad.predicate, quad.object);
    store.iter().map(|quad| line(quad.unwrap())).collect()
}

const WORDS: [&str; 8] = [
    "Person",
    "a`b",
    "} DETACH DELETE n //",
    "Größe",
    "x> <urn:y",
    "\\u0060",
    "name",
    "two\nlines",
];

fn value(of: u64) -> PropertyValue {
    match of % 7 {
        0 => PropertyValue::Int(of.cast_signed()),
        1 => PropertyValue::Float(of as f64 / 8.0 + 0.5),
        2 => PropertyValue::Bool(of.is_multiple_of(2)),
        3 => PropertyValue::List(vec!["a".into(), WORDS[of as usize % 8].into()]),
        4 => "quote \" ' \\ \\u0027 \u{1} end\r\n\t".into(),
        _ => WORDS[of as usize % 8].into(),
    }
}

/// Changes a graph at random.
fn change(graph: &mut PropertyGraph, (what, a, b): (u8, u64, u64)) {
    let word = |n: u64| WORDS[n as usize % WORDS.len()];
    let nodes: Vec<NodeId> = graph.nodes().map(|(id, _)| id).collect();
    let pick = |n: u64| nodes.get(n as usize % nodes.len().max(1)).copied();
    let known = Properties::from([(word(a).to_owned(), value(b))]);
    let (Some(one), Some(other)) = (pick(a), pick(b)) else {
        graph.create_node([word(a)], known).unwrap();
        return;
    };
    match what % 8 {
        0 | 1 => _ = graph.create_node([word(a), word(b)], known).unwrap(),
        2 | 3 => _ = graph.create_edge(one, word(a), other, known).unwrap(),
        4 => _ = graph.add_label(one, word(b)).unwrap(),
        5 => _ = graph.remove_label(one, word(b)).unwrap(),
        6 => graph.nodes().map(|(id, _)| id).take(1).collect::<Vec<_>>().iter().for_each(|id| {
            graph.at(*id).into_iter().for_each(|edge| _ = graph.delete_edge(edge).unwrap());
            graph.delete_node(*id).unwrap();
        }),
        _ => {
            let edge = graph.edges().nth(b as usize % 3).map(|(id, _)| id);
            if let Some(edge) = edge {
                graph.delete_edge(edge).unwrap();
            }
        }
    }
}

fn now<T>(future: impl Future<Output = T>) -> T {
    future.now_or_never().expect("a transport that answers at once")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn a_copy_is_the_graph_after_every_change_and_nothing_else_is_touched(
        steps in prop::collection::vec(prop::collection::vec(any::<(u8, u64, u64)>(), 0..6), 1..6),
    ) {
        let stores = Stores::new();
        let (_, _, n_others) = stores.copied();
        let (_, n_quads) = stores.quads();
        let mut copies = ["neo4j", "sparql"].map(|kind| GraphCopy::open(&place(kind)).unwrap());
        let mut graph = PropertyGraph::default();
        for step in steps {
            step.into_iter().for_each(|one| change(&mut graph, one));
            for copy in &mut copies {
                now(copy.update(&graph, &stores.transport())).unwrap();
            }
            let (nodes, edges) = expected(&graph);
            prop_assert_eq!(stores.copied(), (nodes, edges, n_others));
            prop_assert_eq!(stores.quads(), (expected_triples(&graph), n_quads));
        }
        // What has not changed is not sent again.
        let n = stores.n_requests.get();
        for copy in &mut copies {
            prop_assert_eq!(now(copy.update(&graph, &stores.transport())).unwrap(), 0);
        }
        prop_assert_eq!(stores.n_requests.get(), n);
        // Another run under the same name begins anew.
        for kind in ["neo4j", "sparql"] {
            let mut copy = GraphCopy::open(&place(kind)).unwrap();
            now(copy.update(&PropertyGraph::default(), &stores.transport())).unwrap();
        }
        prop_assert_eq!(stores.copied(), (vec![], vec![], n_others));
        prop_assert_eq!(stores.quads(), (BTreeSet::new(), n_quads));
    }
}

#[test]
fn after_a_refusal_the_copy_is_made_anew() {
    let stores = Stores::new();
    let mut graph = PropertyGraph::default();
    for n in 0..1_200 {
        graph.create_node(["Person"], Properties::from([("n".into(), n.into())])).unwrap();
    }
    for kind in ["neo4j", "sparql"] {
        let mut copy = GraphCopy::open(&place(kind)).unwrap();
        stores.gives_up.set(stores.n_requests.get() + 2);
        let error = now(copy.update(&graph, &stores.transport())).unwrap_err().to_string();
        assert!(error.contains("503") && error.contains("busy"), "{error}");
        stores.gives_up.set(usize::MAX);
        // 500 rows at most in one statement, after the one that empties.
        let n = now(copy.update(&graph, &stores.transport())).unwrap();
        assert!(n == 4 || kind == "sparql" && n == 6, "{kind}: {n}");
    }
    assert_eq!(stores.copied().0.len(), 1_200);
    assert_eq!(stores.quads().0.len(), 2_400);
}

#[test]
fn lists_that_neo4j_does_not_store_become_some_that_it_does() {
    let stores = Stores::new();
    let mut graph = PropertyGraph::default();
    let list = |text: &str| PropertyValue::from_json(&serde_json::from_str(text).unwrap()).unwrap();
    let given = [("a", "[1, 2.5]"), ("b", "[1, \"x\", true]"), ("c", "[[1], [2]]"), ("d", "[]")];
    let known = given.iter().map(|(name, text)| ((*name).to_owned(), list(text))).collect();
    graph.create_node::<&str>([], known).unwrap();
    now(GraphCopy::open(&place("neo4j")).unwrap().update(&graph, &stores.transport())).unwrap();
    let (nodes, _, _) = stores.copied();
    let stored: BTreeMap<&str, String> =
        nodes[0].2.iter().map(|(name, value)| (name.as_str(), value.to_string())).collect();
    let expected =
        [("a", "[1.0,2.5]"), ("b", r#"["1","x","true"]"#), ("c", r#"["[1]","[2]"]"#), ("d", "[]")];
    assert_eq!(stored, expected.map(|(name, text)| (name, text.to_owned())).into());
}

#[test]
fn nothing_is_sent_where_nobody_typed_the_address_or_the_name_is_none() {
    for kind in ["neo4j", "sparql"] {
        let mut wrong = place(kind);
        wrong.confirmed = "http://127.0.0.1".into();
        let error = GraphCopy::open(&wrong).err().unwrap().to_string();
        assert!(error.contains("is not confirmed"), "{error}");
        for name in ["", "a b", "x> }", &"n".repeat(61)] {
            let wrong = CopyPlace { name: name.to_owned(), ..place(kind) };
            let error = GraphCopy::open(&wrong).err().unwrap().to_string();
            assert!(error.contains("no name of a copy"), "{error}");
        }
    }
}
