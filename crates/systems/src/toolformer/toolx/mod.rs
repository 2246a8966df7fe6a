//! The toolkit `toolx`: twelve properties of graphs, with results as Python prints them.
//!
//! Links count as one step whatever their weights. Paper: Graph-ToolFormer §4.3.2.
// Departs from §4.3.2: a graph in parts has no infinite eccentricity, radius and diameter but an
// error that names two nodes without a path, because a sentence with "inf" in it explains nothing.

pub mod graphs;

use std::rc::Rc;

use graph::functions::Touched;
use graph::functions::average_shortest_path_length::average_shortest_path_length;
use graph::functions::center::center;
use graph::functions::diameter::diameter;
use graph::functions::eccentricity::eccentricity;
use graph::functions::find_shortest_path::find_shortest_path;
use graph::functions::get_density::get_density;
use graph::functions::periphery::periphery;
use graph::functions::radius::radius;
use graph::{Graph, NodeIdx, NodeName, nearest_names};

use super::data::{Data, Network};
use super::error::CallError;
use super::python::{dict, float, list, text};
use super::reasoner::{Argument, Reasoned, Reasoner, ReasonerRequest};

/// A property: its name in calls and how it is computed.
pub struct Property {
    /// The name in calls.
    pub name: &'static str,
    compute: fn(&Graph, &[NodeIdx]) -> Result<Reasoned, CallError>,
}

const fn property(
    name: &'static str,
    compute: fn(&Graph, &[NodeIdx]) -> Result<Reasoned, CallError>,
) -> Property {
    Property { name, compute }
}

/// The twelve properties.
pub static PROPERTIES: [Property; 12] = [
    property("order", |graph, _| Ok(Reasoned::new(graph.n_nodes().to_string()))),
    property("size", |graph, _| Ok(Reasoned::new(graph.n_edges().to_string()))),
    property("density", |graph, _| Ok(Reasoned::new(float(get_density(graph))))),
    property("eccentricity", |graph, nodes| {
        let all = eccentricity(graph)?;
        let of = |node: &NodeIdx| all.iter().find(|(n, _)| n == node).map_or(0.0, |(_, e)| *e);
        if let [node] = nodes {
            return Ok(at(graph, whole(of(node)), nodes));
        }
        let shown: Vec<NodeIdx> =
            if nodes.is_empty() { all.iter().map(|(n, _)| *n).collect() } else { nodes.to_vec() };
        let lines = shown.iter().map(|n| (shown_name(graph.name(*n)), whole(of(n))));
        Ok(at(graph, dict(lines), nodes))
    }),
    property("radius", |graph, _| Ok(Reasoned::new(whole(radius(graph)?)))),
    property("diameter", |graph, _| Ok(Reasoned::new(whole(diameter(graph)?)))),
    property("center", |graph, _| Ok(nodes_of(graph, &center(graph)?.0))),
    property("periphery", |graph, _| Ok(nodes_of(graph, &periphery(graph)?.0))),
    property("shortest_path", |graph, nodes| {
        let [from, to] = nodes else { return Ok(Reasoned::default()) };
        match find_shortest_path(graph, *from, *to)? {
            Some(path) => Ok(Reasoned {
                text: (path.nodes.len().saturating_sub(1)).to_string(),
                looked_at: Touched::walk(graph, &path.nodes),
                ..Reasoned::default()
            }),
            None => Err(CallError::NoPath {
                from: graph.name(*from).to_string(),
                to: graph.name(*to).to_string(),
            }),
        }
    }),
    property("avg_path_length", |graph, _| {
        Ok(Reasoned::new(float(average_shortest_path_length(graph)?)))
    }),
    property("max_path_length", |graph, _| Ok(Reasoned::new(whole(diameter(graph)?)))),
    // Two nodes of a link are one step apart; where there is no link there is no path to measure.
    property("min_path_length", |graph, _| {
        Ok(Reasoned::new(u8::from(graph.edges().any(|e| e.source != e.target)).to_string()))
    }),
];

/// A distance in steps.
fn whole(steps: f64) -> String {
    format!("{steps:.0}")
}

fn shown_name(name: &NodeName) -> String {
    match name {
        NodeName::Int(i) => i.to_string(),
        NodeName::Text(t) => text(t),
    }
}

fn at(graph: &Graph, text: String, nodes: &[NodeIdx]) -> Reasoned {
    let looked_at = Touched { nodes: graph.names_of(nodes), edges: Vec::new() };
    Reasoned { text, looked_at, ..Reasoned::default() }
}

fn nodes_of(graph: &Graph, nodes: &[NodeIdx]) -> Reasoned {
    let all = list(nodes.iter().map(|n| shown_name(graph.name(*n))));
    at(graph, all, nodes)
}

/// The toolkit, as the model hub has it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Toolx;

impl Reasoner for Toolx {
    fn reason(&self, ask: &ReasonerRequest<'_>) -> Result<Reasoned, CallError> {
        let name = ask.function.name;
        let Some(property) = PROPERTIES.iter().find(|p| p.name == name) else {
            return Err(CallError::model(format!("toolx has no {name:?}")));
        };
        // Whether a graph is directed it says itself, so that word of `density` names no node.
        let takes_nodes = ask.function.takes.iter().any(|p| p.kinds.contains(&"node"));
        let arguments = if takes_nodes { ask.arguments } else { &[] };
        match &ask.data.data {
            Data::Network(network) => one(property, network, arguments),
            Data::Set(all) => match all.as_slice() {
                [] => Err(CallError::model("no graph was loaded".to_owned())),
                [member] => one(property, &member.network, arguments),
                // As the reference does for several graphs: a result for each.
                _ => {
                    let mut results = Vec::new();
                    for member in all {
                        let result = one(property, &member.network, arguments)?;
                        results.push((text(&member.name), result.text));
                    }
                    Ok(Reasoned::new(dict(results)))
                }
            },
            Data::Knowledge(_) => Err(CallError::DoesNotApply {
                function: format!("toolx:{name}"),
                dataset: ask.data.name.clone(),
                does: "it measures networks, not knowledge graphs".to_owned(),
            }),
        }
    }
}

fn one(
    property: &Property,
    network: &Rc<Network>,
    arguments: &[Argument],
) -> Result<Reasoned, CallError> {
    let graph = &network.graph;
    let mut nodes = Vec::new();
    for argument in arguments {
        let name = NodeName::from(argument.id.as_str());
        let found = graph.index(&name).map_err(|_| CallError::UnknownNode {
            node: argument.id.clone(),
            near: nearest_names(&name, graph.names(), 5).iter().map(NodeName::to_string).collect(),
        })?;
        nodes.push(found);
    }
    if !graph.is_weighted() {
        return (property.compute)(graph, &nodes);
    }
    // Paths are counted in links, whatever the links weigh.
    let mut plain = if graph.is_directed() { Graph::directed() } else { Graph::undirected() };
    for name in graph.names() {
        plain.ensure_node(name.clone()).map_err(|e| CallError::model(e.to_string()))?;
    }
    for edge in graph.edges() {
        plain
            .link(edge.source.clone(), edge.target.clone())
            .map_err(|e| CallError::model(e.to_string()))?;
    }
    let same = |node: &NodeIdx| plain.index(graph.name(*node)).ok();
    let nodes: Vec<NodeIdx> = nodes.iter().filter_map(same).collect();
    (property.compute)(&plain, &nodes)
}
