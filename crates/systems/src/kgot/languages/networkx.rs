//! Python with networkx, on a copy of the graph. What the code leaves is brought back as one
//! transaction, so code that fails or is ended changes nothing.
//!
//! A node has no name of its own in a property graph, but in networkx it has one: its key. It is the
//! property `id`, else `name`, where no other node could be meant by it, else the id of the node
//! ([`python_keys`]); whoever runs Python has the same rule. A new node keeps its key as its `name`,
//! or as its `id` where it is a number or the name is another, so that later code finds it again.
//!
//! Paper: Knowledge Graph of Thoughts §4.2 and Appendix C (NetworkX). The public code has a
//! `DiGraph`, which has one edge for two nodes; here there are several, and one that says what
//! another one says already is no second one.

use std::collections::{BTreeMap, BTreeSet};

use kg::property::{
    Changes, EdgeId, Element, GraphStore, NodeId, Properties, PropertyEdge, PropertyError,
    PropertyGraph, PropertyValue, Writing,
};
use llm::BoxFuture;
use serde_json::{Map, Value};

use super::{GraphLanguage, GraphRows};
use crate::kgot::tools::{
    MAX_PYTHON_CODE, MAX_PYTHON_GRAPH, PYTHON_LIMIT_MS, PythonEdge, PythonGraph, PythonKey,
    PythonReply, PythonRequest, PythonRunner, told_graph,
};

/// What the text of a graph begins with where Python reads it.
pub(in crate::kgot) const NODES_OF_G: &str = "Nodes of G:";

/// Python with networkx, by whoever runs it.
#[derive(Clone, Copy)]
pub struct Networkx<'a> {
    /// Who runs it; it must have networkx.
    pub runner: &'a dyn PythonRunner,
}

impl Networkx<'_> {
    /// Runs a line to see that Python is there, has networkx, and gives graphs back.
    ///
    /// # Errors
    /// It is not, has none, or does not; the words say which.
    pub async fn check(&self) -> Result<(), String> {
        let code = "G.add_node('here', labels=['Check'])".to_owned();
        let graph = Some(PythonGraph { directed: true, ..PythonGraph::default() });
        let limit_ms = PYTHON_LIMIT_MS;
        let request =
            PythonRequest { code, graph, wants_graph: true, limit_ms, ..PythonRequest::default() };
        let reply = self.runner.run(request).await.map_err(|e| format!("Python: {e}"))?;
        match reply.graph {
            Some(graph) if graph.nodes.len() == 1 => Ok(()),
            _ => Err("this Python gives no graphs back, so nothing can be written with it".into()),
        }
    }

    async fn run(
        &self,
        graph: &PropertyGraph,
        code: &str,
        wants_graph: bool,
    ) -> Result<PythonReply, String> {
        if code.trim().is_empty() || code.len() > MAX_PYTHON_CODE {
            let n = code.len();
            return Err(format!("the code has {n} bytes; expected 1 to {MAX_PYTHON_CODE}"));
        }
        if graph.n_nodes() + graph.n_edges() > MAX_PYTHON_GRAPH {
            return Err(format!(
                "the graph has more than {MAX_PYTHON_GRAPH} nodes and edges, too many for Python"
            ));
        }
        let request = PythonRequest {
            code: code.to_owned(),
            graph: Some(told_graph(graph)),
            wants_graph,
            limit_ms: PYTHON_LIMIT_MS,
            ..PythonRequest::default()
        };
        self.runner.run(request).await.map_err(|e| e.to_string())
    }
}

impl GraphLanguage for Networkx<'_> {
    fn write<'a>(
        &'a self,
        store: &'a mut GraphStore,
        query: &'a str,
    ) -> BoxFuture<'a, Result<Changes, String>> {
        Box::pin(async move {
            let reply = self.run(store.now(), query, true).await?;
            let told = reply.graph.ok_or("Python gave no graph back; nothing was written")?;
            let written = store.write(query, |writing| {
                bring_back(writing, &told)?;
                Ok(writing.changes().clone())
            });
            written.map_err(|Refused(why)| why)
        })
    }

    fn read<'a>(
        &'a self,
        graph: &'a PropertyGraph,
        query: &'a str,
    ) -> BoxFuture<'a, Result<GraphRows, String>> {
        Box::pin(async move {
            let reply = self.run(graph, query, false).await?;
            // What was not found may be None; what was never said is another matter.
            if reply.result.is_null() && !query.contains("result") {
                return Err("the code left nothing; put what it reads into `result`".into());
            }
            let (columns, rows) = rows_of(reply.result);
            Ok(GraphRows { columns, rows, nodes: BTreeSet::new() })
        })
    }

    fn tell(&self, graph: &PropertyGraph) -> String {
        tell(graph)
    }
}

/// By what Python knows each node: its property `id`, else `name`, if that is a text or a whole number
/// by which no other node could be meant; else its own id. O(n log n).
pub fn python_keys(graph: &PropertyGraph) -> BTreeMap<NodeId, PythonKey> {
    let wished: Vec<(NodeId, Option<PythonKey>)> =
        graph.nodes().map(|(id, node)| (id, wished_key(&node.properties))).collect();
    let mut times: BTreeMap<PythonKey, usize> = BTreeMap::new();
    for (id, key) in &wished {
        for key in key.iter().chain([&own_key(*id)]) {
            *times.entry(key.clone()).or_default() += 1;
        }
    }
    let known = |(id, key): (NodeId, Option<PythonKey>)| {
        let own = own_key(id);
        // A node whose property says its own id counts twice by itself.
        let alone = |key: &PythonKey| times.get(key) == Some(if *key == own { &2 } else { &1 });
        (id, key.filter(alone).unwrap_or_else(|| own.clone()))
    };
    wished.into_iter().map(known).collect()
}

fn own_key(id: NodeId) -> PythonKey {
    PythonKey::Text(id.0.to_string())
}

fn wished_key(properties: &Properties) -> Option<PythonKey> {
    ["id", "name"].iter().find_map(|name| properties.get(*name).and_then(as_key))
}

fn as_key(value: &PropertyValue) -> Option<PythonKey> {
    match value {
        PropertyValue::Text(text) if !text.is_empty() => Some(PythonKey::Text(text.clone())),
        PropertyValue::Int(number) => Some(PythonKey::Number(*number)),
        _ => None,
    }
}

/// A key as Python writes it.
fn written(key: &PythonKey) -> String {
    match key {
        PythonKey::Text(text) => Value::from(text.as_str()).to_string(),
        PythonKey::Number(number) => number.to_string(),
    }
}

/// Why what Python left cannot be in the graph.
#[derive(Debug)]
struct Refused(String);

impl From<PropertyError> for Refused {
    fn from(error: PropertyError) -> Self {
        Self(error.to_string())
    }
}

/// A node as Python left it.
struct Left<'a> {
    key: &'a PythonKey,
    /// Which it was before; none for a new one.
    old: Option<NodeId>,
    labels: BTreeSet<String>,
    properties: Properties,
}

/// An edge as Python left it.
struct LeftEdge {
    /// Which it was before; none for a new one.
    old: Option<EdgeId>,
    /// The places of its ends among the nodes.
    ends: (usize, usize),
    edge_type: String,
    properties: Properties,
}

/// Makes the graph what Python left of it.
fn bring_back(writing: &mut Writing, told: &PythonGraph) -> Result<(), Refused> {
    if !told.directed {
        let words = "G has no directions any more; leave it a networkx.MultiDiGraph";
        return Err(Refused(words.into()));
    }
    let nodes = left_nodes(writing, told)?;
    let places: BTreeMap<&PythonKey, usize> =
        nodes.iter().enumerate().map(|(i, node)| (node.key, i)).collect();
    if places.len() < nodes.len() {
        return Err(Refused("two nodes have the same key".into()));
    }
    let edges = left_edges(writing, told, &nodes, &places)?;
    let kept: BTreeSet<EdgeId> = edges.iter().filter_map(|edge| edge.old).collect();
    let gone: Vec<EdgeId> =
        writing.edges().map(|(id, _)| id).filter(|id| !kept.contains(id)).collect();
    for id in gone {
        writing.delete_edge(id)?;
    }
    let kept: BTreeSet<NodeId> = nodes.iter().filter_map(|node| node.old).collect();
    let gone: Vec<NodeId> =
        writing.nodes().map(|(id, _)| id).filter(|id| !kept.contains(id)).collect();
    for id in gone {
        writing.delete_node(id)?;
    }
    let mut ids = Vec::new();
    let mut created = Vec::new();
    for node in nodes {
        match node.old {
            Some(id) => {
                relabel(writing, id, &node.labels)?;
                revalue(writing, Element::Node(id), &node.properties, "labels")?;
                ids.push(id);
            }
            None => {
                let properties = with_key(node.key, node.properties)?;
                let id = writing.create_node(node.labels, properties)?;
                created.push((id, node.key));
                ids.push(id);
            }
        }
    }
    for edge in edges {
        match edge.old {
            Some(id) => revalue(writing, Element::Edge(id), &edge.properties, "type")?,
            None => {
                let (source, target) = (ids[edge.ends.0], ids[edge.ends.1]);
                writing.create_edge(source, &edge.edge_type, target, edge.properties)?;
            }
        }
    }
    if created.is_empty() {
        return Ok(());
    }
    let keys = python_keys(writing);
    match created.into_iter().find(|(id, key)| keys.get(id) != Some(key)) {
        Some((_, key)) => Err(Refused(format!(
            "the new node {} cannot be told from another, which has that id or name; give it a \
             key of its own and put what it is called into name",
            written(key)
        ))),
        None => Ok(()),
    }
}

fn left_nodes<'t>(writing: &Writing, told: &'t PythonGraph) -> Result<Vec<Left<'t>>, Refused> {
    let mut seen = BTreeSet::new();
    let mut nodes = Vec::new();
    for node in &told.nodes {
        let key = match &node.key {
            Some(PythonKey::Text(text)) if text.is_empty() => None,
            key => key.as_ref(),
        };
        let key = key.ok_or_else(|| Refused("a node is called by an empty text".into()))?;
        let of = format!("node {}", written(key));
        let old = match &node.id {
            None => None,
            Some(id) => {
                let id = id.parse().ok().map(NodeId).filter(|id| writing.node(*id).is_some());
                let id = id.filter(|id| seen.insert(*id));
                Some(id.ok_or_else(|| Refused(format!("{of} came back under a wrong id")))?)
            }
        };
        let mut labels: BTreeSet<String> = node.labels.iter().cloned().collect();
        let mut given = node.properties.clone();
        let before = old.and_then(|id| writing.node(id));
        // Code says `label` where it means a label, on nodes that have `labels` already too.
        if before.is_none_or(|before| !before.properties.contains_key("label"))
            && let Some(more) = given.get("label").and_then(as_labels)
        {
            labels.extend(more);
            given.remove("label");
        }
        labels.retain(|label| !label.trim().is_empty());
        let properties = properties_of(&given, &of)?;
        nodes.push(Left { key, old, labels, properties });
    }
    Ok(nodes)
}

fn as_labels(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::String(text) => Some(vec![text.clone()]),
        Value::Array(list) => list.iter().map(|one| one.as_str().map(str::to_owned)).collect(),
        _ => None,
    }
}

fn left_edges(
    writing: &Writing,
    told: &PythonGraph,
    nodes: &[Left<'_>],
    places: &BTreeMap<&PythonKey, usize>,
) -> Result<Vec<LeftEdge>, Refused> {
    let mut seen: BTreeSet<EdgeId> = BTreeSet::new();
    let mut edges = Vec::new();
    for edge in &told.edges {
        let of = format!("edge {} -> {}", written(&edge.source), written(&edge.target));
        let end = |key: &PythonKey| {
            let found = places.get(key).copied();
            found.ok_or_else(|| Refused(format!("{of}: there is no node {}", written(key))))
        };
        let ends = (end(&edge.source)?, end(&edge.target)?);
        if edge.edge_type.trim().is_empty() {
            return Err(Refused(format!("{of} has no type; say type='…' when you add it")));
        }
        let properties = properties_of(&edge.properties, &of)?;
        let old = match &edge.id {
            None => None,
            Some(id) => {
                let id = id.parse().ok().map(EdgeId).filter(|id| seen.insert(*id));
                let found = id.and_then(|id| Some((id, writing.edge(id)?)));
                let (id, before) =
                    found.ok_or_else(|| Refused(format!("{of} came back under a wrong id")))?;
                // An edge's ends and its type are for good: another type makes another edge.
                is_edge(before, edge, (nodes[ends.0].old, nodes[ends.1].old)).then_some(id)
            }
        };
        edges.push(LeftEdge { old, ends, edge_type: edge.edge_type.clone(), properties });
    }
    // What says the same as an edge that stays, or that came before it, is that edge.
    let mut kept: Vec<LeftEdge> = Vec::new();
    let mut between: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    let claimed: BTreeSet<EdgeId> = edges.iter().filter_map(|edge| edge.old).collect();
    let mut taken = claimed;
    let (old, new): (Vec<LeftEdge>, Vec<LeftEdge>) =
        edges.into_iter().partition(|edge| edge.old.is_some());
    for mut edge in old.into_iter().chain(new) {
        let beside = between.entry(edge.ends).or_default();
        if edge.old.is_none() {
            let says_the_same = |known: &&usize| {
                let known = &kept[**known];
                known.edge_type == edge.edge_type
                    && same_all(&known.properties, &edge.properties, "")
            };
            if beside.iter().any(|known| says_the_same(&known)) {
                continue;
            }
            // A graph that the code put in the place of G knows its edges by no ids.
            if let (Some(source), Some(target)) = (nodes[edge.ends.0].old, nodes[edge.ends.1].old) {
                let found = writing.outgoing(source).find(|id| {
                    !taken.contains(id)
                        && writing.edge(*id).is_some_and(|before| {
                            before.target == target
                                && before.edge_type == edge.edge_type
                                && same_all(&before.properties, &edge.properties, "type")
                        })
                });
                taken.extend(found);
                edge.old = found;
            }
        }
        beside.push(kept.len());
        kept.push(edge);
    }
    Ok(kept)
}

fn is_edge(
    before: &PropertyEdge,
    told: &PythonEdge,
    ends: (Option<NodeId>, Option<NodeId>),
) -> bool {
    ends == (Some(before.source), Some(before.target)) && before.edge_type == told.edge_type
}

/// The values of a node or an edge. None is nothing; the parts of a dict get names of their own.
fn properties_of(given: &Map<String, Value>, of: &str) -> Result<Properties, Refused> {
    let mut properties = Properties::new();
    for (name, value) in given {
        put(&mut properties, name.clone(), value, of)?;
    }
    Ok(properties)
}

fn put(all: &mut Properties, name: String, value: &Value, of: &str) -> Result<(), Refused> {
    match value {
        Value::Null => {}
        Value::Object(parts) => {
            for (part, value) in parts {
                put(all, format!("{name}_{part}"), value, of)?;
            }
        }
        value => {
            let value = PropertyValue::from_json(value)
                .map_err(|why| Refused(format!("{of}, {name:?}: {why}")))?;
            if all.insert(name.clone(), value).is_some() {
                return Err(Refused(format!("{of} would have {name:?} twice")));
            }
        }
    }
    Ok(())
}

/// The values of a new node, by which it is found again under its key.
fn with_key(key: &PythonKey, mut properties: Properties) -> Result<Properties, Refused> {
    if wished_key(&properties).as_ref() == Some(key) {
        return Ok(properties);
    }
    if let Some(id) = properties.get("id") {
        return Err(Refused(format!(
            "node {} has the id {id}, and nodes are called by their ids; call it by that, or leave \
             id out",
            written(key)
        )));
    }
    let (name, value) = match key {
        PythonKey::Number(number) => ("id", PropertyValue::Int(*number)),
        PythonKey::Text(text) if properties.contains_key("name") => ("id", text.as_str().into()),
        PythonKey::Text(text) => ("name", text.as_str().into()),
    };
    properties.insert(name.to_owned(), value);
    Ok(properties)
}

fn relabel(writing: &mut Writing, id: NodeId, labels: &BTreeSet<String>) -> Result<(), Refused> {
    let before = writing.node(id).map(|node| node.labels.clone()).unwrap_or_default();
    for label in before.difference(labels) {
        writing.remove_label(id, label)?;
    }
    for label in labels.difference(&before) {
        writing.add_label(id, label)?;
    }
    Ok(())
}

/// Gives an element its values. A property under the name `hidden` was not shown to Python, which has
/// something else there, and stays.
fn revalue(
    writing: &mut Writing,
    of: Element,
    now: &Properties,
    hidden: &str,
) -> Result<(), Refused> {
    let before = writing.properties(of).cloned().unwrap_or_default();
    for name in before.keys().filter(|name| *name != hidden && !now.contains_key(*name)) {
        writing.set_property(of, name, None)?;
    }
    for (name, value) in now {
        if !before.get(name).is_some_and(|before| same(before, value)) {
            writing.set_property(of, name, Some(value.clone()))?;
        }
    }
    Ok(())
}

/// Whether values are the same; 2 and 2.0 are, for on the way to Python and back one may become the
/// other.
fn same(a: &PropertyValue, b: &PropertyValue) -> bool {
    match (a, b) {
        (PropertyValue::Int(int), PropertyValue::Float(float))
        | (PropertyValue::Float(float), PropertyValue::Int(int)) => *int as f64 == *float,
        (PropertyValue::List(a), PropertyValue::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        _ => a == b,
    }
}

fn same_all(before: &Properties, now: &Properties, hidden: &str) -> bool {
    let shown = before.iter().filter(|(name, _)| *name != hidden);
    shown.clone().count() == now.len()
        && shown.zip(now).all(|((a, x), (b, y))| a == b && same(x, y))
}

/// What code left in `result`, as rows: a list of dicts is a table, a dict is a row, and all else is
/// a column `result`.
fn rows_of(result: Value) -> (Vec<String>, Vec<Vec<Value>>) {
    let items = match result {
        Value::Null => Vec::new(),
        Value::Array(items) => items,
        one => vec![one],
    };
    if !items.iter().all(Value::is_object) {
        return (vec!["result".into()], items.into_iter().map(|item| vec![item]).collect());
    }
    let mut columns: Vec<String> = Vec::new();
    let mut known = BTreeSet::new();
    let names = items.iter().filter_map(Value::as_object).flat_map(Map::keys);
    columns.extend(names.filter(|name| known.insert((*name).clone())).cloned());
    let row = |item: &Value| {
        columns.iter().map(|name| item.get(name).cloned().unwrap_or_default()).collect()
    };
    let rows = items.iter().map(row).collect();
    (columns, rows)
}

/// A value as Python writes it.
fn literal(value: &PropertyValue) -> String {
    match value {
        PropertyValue::Bool(true) => "True".into(),
        PropertyValue::Bool(false) => "False".into(),
        PropertyValue::List(list) => {
            format!("[{}]", list.iter().map(literal).collect::<Vec<_>>().join(", "))
        }
        one => one.to_string(),
    }
}

fn dict(properties: &Properties) -> String {
    let entry = |(name, value): (&String, &PropertyValue)| {
        format!("{}: {}", Value::from(name.as_str()), literal(value))
    };
    format!("{{{}}}", properties.iter().map(entry).collect::<Vec<_>>().join(", "))
}

fn tell(graph: &PropertyGraph) -> String {
    let keys = python_keys(graph);
    let called = |id: &NodeId| keys.get(id).map(written).unwrap_or_default();
    let shown = |properties: &Properties, hidden: &str| {
        let mut properties = properties.clone();
        properties.remove(hidden);
        properties
    };
    let mut by_labels: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (id, node) in graph.nodes() {
        let labels: Vec<String> =
            node.labels.iter().map(|label| Value::from(label.as_str()).to_string()).collect();
        let line = format!("  {}: {}", called(&id), dict(&shown(&node.properties, "labels")));
        by_labels.entry(format!("[{}]", labels.join(", "))).or_default().push(line);
    }
    let mut by_type: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (_, edge) in graph.edges() {
        let properties = shown(&edge.properties, "type");
        let more =
            if properties.is_empty() { String::new() } else { format!(" {}", dict(&properties)) };
        let line = format!("  {} -> {}{more}", called(&edge.source), called(&edge.target));
        by_type.entry(&edge.edge_type).or_default().push(line);
    }
    let mut lines = vec![NODES_OF_G.to_owned()];
    for (labels, nodes) in by_labels {
        lines.push(format!(" labels {labels}"));
        lines.extend(nodes);
    }
    lines.push("Edges of G:".into());
    for (edge_type, edges) in by_type {
        lines.push(format!(" type {}", Value::from(edge_type)));
        lines.extend(edges);
    }
    lines.join("\n")
}
