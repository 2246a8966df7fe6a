//! A Python for tests that is none: it knows the lines by which the script writes, and answers what
//! the script reads by the same question in Cypher, on the graph that it is given. All else is a
//! syntax error.

use std::collections::BTreeMap;

use futures_util::FutureExt as _;
use kg::property::{GraphStore, Properties, PropertyError, PropertyGraph, PropertyValue};
use llm::BoxFuture;
use serde_json::{Map, Value, json};
use systems::kgot::{
    KgotLanguage, Languages, PythonEdge, PythonFailure, PythonFault, PythonGraph, PythonKey,
    PythonNode, PythonReply, PythonRequest, PythonRunner,
};

pub struct FakePython {
    cypher: BTreeMap<String, String>,
}

impl FakePython {
    pub fn new(seeds: impl IntoIterator<Item = u64>) -> Self {
        let solutions = seeds.into_iter().flat_map(tasks::kgot::solved);
        let pairs = solutions.map(|(_, solution)| (solution.python, solution.cypher));
        Self { cypher: pairs.collect() }
    }

    fn answer(&self, request: &PythonRequest) -> Option<PythonReply> {
        let mut graph = request.graph.clone()?;
        if request.wants_graph {
            keyed(&mut graph);
            for line in request.code.lines() {
                carry_out(&mut graph, line)?;
            }
            return Some(PythonReply { graph: Some(graph), ..PythonReply::default() });
        }
        let cypher = self.cypher.get(&request.code)?;
        let graph = property_graph(&graph);
        let language = Languages::default().find(KgotLanguage::Cypher).ok()?;
        let rows = language.read(&graph, cypher).now_or_never()?.ok()?;
        let row = |row: Vec<Value>| Value::Object(rows.columns.iter().cloned().zip(row).collect());
        let result = rows.rows.clone().into_iter().map(row).collect();
        Some(PythonReply { result, ..PythonReply::default() })
    }
}

impl PythonRunner for FakePython {
    fn run<'a>(
        &'a self,
        request: PythonRequest,
    ) -> BoxFuture<'a, Result<PythonReply, PythonFailure>> {
        let answer = self.answer(&request).ok_or_else(|| PythonFailure {
            line: Some(1),
            ..PythonFailure::new(PythonFault::Syntax, "SyntaxError: invalid syntax")
        });
        Box::pin(std::future::ready(answer))
    }
}

/// The graph as the code knows it: nodes by their property `id` or `name`, which in a valley are
/// there once.
fn keyed(graph: &mut PythonGraph) {
    let mut keys = BTreeMap::new();
    for node in &mut graph.nodes {
        let key = ["id", "name"].iter().find_map(|name| node.properties.get(*name)).map_or_else(
            || PythonKey::Text(node.id.clone().unwrap()),
            |value| serde_json::from_value(value.clone()).unwrap(),
        );
        keys.insert(PythonKey::Text(node.id.clone().unwrap()), key.clone());
        node.key = Some(key);
    }
    for edge in &mut graph.edges {
        edge.source = keys[&edge.source].clone();
        edge.target = keys[&edge.target].clone();
    }
}

fn carry_out(graph: &mut PythonGraph, line: &str) -> Option<()> {
    let arguments = |call: &str| -> Option<(Vec<Value>, Map<String, Value>)> {
        let inner = line.strip_prefix(call)?.strip_suffix(')')?;
        let (mut plain, mut named) = (Vec::new(), Map::new());
        for argument in inner.split(", ") {
            let read = |text: &str| serde_json::from_str(&text.replace('\'', "\"")).ok();
            match argument.split_once('=') {
                Some((name, value)) => _ = named.insert(name.to_owned(), read(value)?),
                None => plain.push(read(argument)?),
            }
        }
        Some((plain, named))
    };
    let key = |value: &Value| serde_json::from_value::<PythonKey>(value.clone()).ok();
    if let Some((plain, mut named)) = arguments("G.add_node(") {
        let [node] = &plain[..] else { return None };
        let key = key(node)?;
        let labels = serde_json::from_value(named.remove("labels")?).ok()?;
        match graph.nodes.iter_mut().find(|node| node.key.as_ref() == Some(&key)) {
            Some(known) => {
                known.labels = labels;
                known.properties.extend(named);
            }
            None => {
                graph.nodes.push(PythonNode { id: None, key: Some(key), labels, properties: named })
            }
        }
        return Some(());
    }
    let (plain, mut named) = arguments("G.add_edge(")?;
    let [source, target] = &plain[..] else { return None };
    graph.edges.push(PythonEdge {
        id: None,
        source: key(source)?,
        target: key(target)?,
        edge_type: named.remove("type")?.as_str()?.to_owned(),
        properties: named,
    });
    Some(())
}

/// A graph that Python was given, as a graph again, under new ids.
pub fn property_graph(told: &PythonGraph) -> PropertyGraph {
    let properties = |json: &Map<String, Value>| -> Properties {
        json.iter().map(|(n, v)| (n.clone(), PropertyValue::from_json(v).unwrap())).collect()
    };
    let mut store = GraphStore::default();
    store
        .write("told", |graph| {
            let mut ids = BTreeMap::new();
            for node in &told.nodes {
                let made = graph.create_node(node.labels.clone(), properties(&node.properties))?;
                ids.insert(json!(node.id).to_string(), made);
            }
            for edge in &told.edges {
                let (source, target) =
                    (ids[&json!(edge.source).to_string()], ids[&json!(edge.target).to_string()]);
                graph.create_edge(source, &edge.edge_type, target, properties(&edge.properties))?;
            }
            Ok::<(), PropertyError>(())
        })
        .unwrap();
    store.now().clone()
}
