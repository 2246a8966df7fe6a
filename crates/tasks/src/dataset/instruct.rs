//! Rows of GraphInstruct as problems: the graph from one of its three texts, and the question.

use graph::{Delta, Graph, NodeName};

use super::rows::RowProblem;
use crate::graph_instruct::Start;
use crate::official::files::FileRow;
use crate::official::questions::Asks;
use crate::parse::has;
use crate::query::Shape as _;
use crate::{
    Ends, MAX_QUESTION_EDGES, MAX_QUESTION_NODES, ParseError, Problem, Query, Terminals, Whole,
};

/// An edge with its number, where it has one.
type Edge = (NodeName, NodeName, Option<f64>);

/// Reads the question of a row and its graph, which is taken from the first of `graph`, `graph_adj` and
/// `graph_nl` that is there.
///
/// # Errors
/// The question is of none of the tasks that we have, or the text of the graph has none of the three forms.
pub(super) fn problem(row: &FileRow) -> Result<RowProblem, ParseError> {
    let question = row.question.as_deref().unwrap_or_default().trim();
    let unknown = || ParseError::UnknownQuestion { found: question.chars().take(40).collect() };
    let has = |words: &str| has(question, words);
    let directed = match row.field("directed") {
        Some(told) => told.trim().eq_ignore_ascii_case("true") || told.trim() == "1",
        None => has("directed ") && !has("undirected "),
    };
    let ends = || Ends::in_words(question).ok_or_else(unknown);
    // Paths with a name come first: "Is there a Hamiltonian path" is no question about two nodes.
    let (query, asks) = if has("Hamiltonian path") {
        (Query::Hamilton(Whole), Asks::List)
    } else if has("path between") || has("path from") && !has("shortest") {
        (Query::Connectivity(ends()?), Asks::Decision)
    } else if has("have a cycle") {
        let query = if directed { Query::DirectedCycle(Whole) } else { Query::Cycle(Whole) };
        (query, Asks::Decision)
    } else if has("traversal") {
        let start = Start::in_words(question).ok_or_else(unknown)?;
        let query = if has("depth-first") { Query::DfsOrder } else { Query::BfsOrder };
        (query(start), Asks::List)
    } else if has("topological sorting") {
        (Query::Topology(Whole), Asks::List)
    } else if has("shortest path") {
        (Query::ShortestPath(ends()?), Asks::Value)
    } else if has("maximum flow") {
        (Query::Flow(Terminals::in_words(question).ok_or_else(unknown)?), Asks::Value)
    } else {
        return Err(ParseError::NoTask { question: question.chars().take(80).collect() });
    };
    let is_capacity = matches!(query, Query::Flow(_));
    let told = ["graph", "graph_adj", "graph_nl"].into_iter();
    let told = told.filter_map(|name| Some((name, row.field(name)?)));
    let (name, text) = told.into_iter().find(|(_, text)| !text.trim().is_empty()).ok_or(
        ParseError::Truncated { line: 1, expected: "a column graph, graph_adj or graph_nl".into() },
    )?;
    let edges = match name {
        "graph" => listed(text)?,
        "graph_adj" => by_node(text, name, ']', |part| part.split_once('['))?,
        _ => by_node(text, name, '.', |part| part.split_once(" is connected to node"))?,
    };
    let nodes = row.field("nodes").unwrap_or_default();
    let nodes = nodes.split(|c: char| "[](){}, ".contains(c)).map(name_of);
    let graph = build(directed, is_capacity, nodes.flatten(), edges)?;
    query.check(&graph).map_err(|reason| ParseError::Expected {
        line: 1,
        column: 1,
        expected: "a question about nodes of the graph".into(),
        found: reason,
    })?;
    let problem = Problem { difficulty: None, seed: None, graph, query };
    Ok(RowProblem { problem, asks: Some(asks) })
}

/// A name without what stands around it; nothing where nothing is left.
fn name_of(text: &str) -> Option<NodeName> {
    let name = text.trim_matches(|c: char| c.is_whitespace() || "'\":<>".contains(c));
    (!name.is_empty()).then(|| name.into())
}

/// A graph from nodes and edges.
pub(super) fn build(
    directed: bool,
    is_capacity: bool,
    nodes: impl Iterator<Item = NodeName>,
    edges: Vec<Edge>,
) -> Result<Graph, ParseError> {
    let mut graph = if directed { Graph::directed() } else { Graph::undirected() };
    if edges.len() > MAX_QUESTION_EDGES {
        let limit = MAX_QUESTION_EDGES;
        return Err(ParseError::TooLarge { what: "edges", found: edges.len(), limit });
    }
    let of_edges: Vec<NodeName> =
        edges.iter().flat_map(|(a, b, _)| [a.clone(), b.clone()]).collect();
    for name in nodes.chain(of_edges) {
        if graph.n_nodes() >= MAX_QUESTION_NODES && !graph.has_node(&name) {
            let limit = MAX_QUESTION_NODES;
            return Err(ParseError::TooLarge { what: "nodes", found: limit + 1, limit });
        }
        // Far below the graph's own limit.
        let _ = graph.ensure_node(name);
    }
    for (source, target, number) in edges {
        // Lists of neighbours tell an edge of an undirected graph twice.
        if graph.edge(&source, &target).is_none() {
            let (weight, capacity) = if is_capacity { (None, number) } else { (number, None) };
            let _ = graph.apply(&Delta::AddEdge { source, target, weight, capacity });
        }
    }
    Ok(graph)
}

/// The first number in a text, unless it is below zero: no weight here is.
pub(super) fn number(text: &str) -> Option<f64> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let rest = &text[start..];
    if text[..start].ends_with('-') {
        return None;
    }
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    rest[..end].trim_end_matches('.').parse::<f64>().ok().filter(|n| n.is_finite())
}

fn wrong(text: &str, at: usize, expected: &str) -> ParseError {
    let before = &text[..at];
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    ParseError::Expected {
        line: before.matches('\n').count() + 1,
        column: before[start..].chars().count() + 1,
        expected: expected.into(),
        found: text[at..].chars().take(40).collect(),
    }
}

/// `[(0, 1), (0, 2, weight:5)]`
fn listed(text: &str) -> Result<Vec<Edge>, ParseError> {
    let mut edges = Vec::new();
    for (at, _) in text.match_indices('(') {
        let inside = text[at + 1..].split(')').next().unwrap_or_default();
        let parts: Vec<&str> = inside.split(',').collect();
        let edge = match parts[..] {
            [a, b] => name_of(a).zip(name_of(b)).map(|(a, b)| (a, b, None)),
            [a, b, n] => {
                name_of(a).zip(name_of(b)).zip(number(n)).map(|((a, b), n)| (a, b, Some(n)))
            }
            _ => None,
        };
        edges.push(edge.ok_or_else(|| {
            wrong(text, at, "in graph: an edge such as (0, 1) or (0, 1, weight:5)")
        })?);
    }
    Ok(edges)
}

/// `{0: [1, 2],`, or `Node 0 is connected to nodes 1 (weight: 5), 2 (weight: 3).`: for each node, its
/// neighbours.
fn by_node(
    text: &str,
    field: &str,
    end: char,
    cut: fn(&str) -> Option<(&str, &str)>,
) -> Result<Vec<Edge>, ParseError> {
    let mut edges = Vec::new();
    let mut at = 0;
    for part in text.split(end) {
        let here = at;
        at += part.len() + end.len_utf8();
        if part.trim_matches(|c: char| c.is_whitespace() || "{},".contains(c)).is_empty() {
            continue;
        }
        let expected = format!("in {field}: a node with its neighbours");
        let (node, others) = cut(part).ok_or_else(|| wrong(text, here, &expected))?;
        let node = node.trim_matches(|c: char| c.is_whitespace() || "{},".contains(c));
        let node = name_of(node.strip_prefix("Node ").unwrap_or(node));
        let node = node.ok_or_else(|| wrong(text, here, &expected))?;
        let others = others.strip_prefix('s').unwrap_or(others);
        for other in others.split(',') {
            let (name, value) = other.split_once('(').unwrap_or((other, ""));
            if let Some(name) = name_of(name.trim_start().trim_start_matches("and ")) {
                edges.push((node.clone(), name, number(value)));
            }
        }
    }
    Ok(edges)
}
