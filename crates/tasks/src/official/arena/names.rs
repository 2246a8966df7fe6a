//! The eight tasks whose answers are lists of names.
//!
//! Names are found by exact equality. All tasks but TSP drop a name that no node has (F1); so a
//! name in quotes, in other case, or with one space for two is as good as absent (F4, F5).

use std::collections::{BTreeSet, HashMap};

use graph::{Graph, NodeIdx};

use super::{ArenaProblem, ArenaTask, INFEASIBLE, MISSING, Ruled, missing};
use crate::official::python::{brackets, brackets_of, is_space, strip};
use crate::official::{OfficialError, hops, node, place};

const NO_LIST: Ruled = (MISSING, "no list in brackets on one line");

/// The nodes of a list; names that no node has are dropped.
fn known(graph: &Graph, list: &str) -> Vec<NodeIdx> {
    list.split(',').filter_map(|name| node(graph, strip(name))).collect()
}

fn count(n: usize) -> f64 {
    n as f64
}

fn ends(problem: &ArenaProblem<'_>) -> Result<(NodeIdx, NodeIdx), OfficialError> {
    let lacking = || missing(problem.task, "the two nodes that the question names");
    let (first, last) = problem.ends.ok_or_else(lacking)?;
    let (first, last) = (place(problem.graph, first), place(problem.graph, last));
    first.zip(last).ok_or_else(lacking)
}

/// The lists of a text, the last one first. The first of them that is a solution counts (F8).
fn any_list(text: &str, mut solve: impl FnMut(&str) -> Option<Ruled>, none: &'static str) -> Ruled {
    let lists = brackets(text);
    if lists.is_empty() {
        return NO_LIST;
    }
    lists.into_iter().rev().find_map(&mut solve).unwrap_or((INFEASIBLE, none))
}

pub(super) fn neighbor(problem: &ArenaProblem<'_>, text: &str) -> Result<Ruled, OfficialError> {
    let graph = problem.graph;
    let (first, second) = ends(problem)?;
    let joined = |a, b| graph.edge_between(a, b).is_some();
    let solve = |list: &str| {
        let nodes: BTreeSet<NodeIdx> = known(graph, list).into_iter().collect();
        let fits = |node: &NodeIdx| {
            *node != first && *node != second && joined(first, *node) && joined(second, *node)
        };
        if !nodes.iter().all(fits) {
            return None;
        }
        Some(match nodes.len() {
            0 => (0.0, "a list without a known name counts as an empty answer"),
            n => (count(n), "every known name of the list is a common neighbour"),
        })
    };
    Ok(any_list(text, solve, "every list has a name that is no common neighbour"))
}

fn is_walk(graph: &Graph, nodes: &[NodeIdx]) -> bool {
    nodes.windows(2).all(|step| graph.edge_between(step[0], step[1]).is_some())
}

/// A node that comes twice does not matter (F2).
pub(super) fn distance(problem: &ArenaProblem<'_>, text: &str) -> Result<Ruled, OfficialError> {
    let graph = problem.graph;
    let (source, target) = ends(problem)?;
    let solve = |list: &str| {
        let nodes = known(graph, list);
        let leads = nodes.first() == Some(&source) && nodes.last() == Some(&target);
        (leads && is_walk(graph, &nodes))
            .then(|| (count(nodes.len() - 1), "the known names of the list walk from end to end"))
    };
    Ok(any_list(text, solve, "no list walks along edges from end to end"))
}

pub(super) fn connected(graph: &Graph, text: &str) -> Ruled {
    let mut component: HashMap<NodeIdx, NodeIdx> = HashMap::new();
    for start in graph.indices() {
        if component.contains_key(&start) {
            continue;
        }
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            if component.insert(at, start).is_none() {
                open.extend(graph.neighbors(at));
            }
        }
    }
    let solve = |list: &str| {
        let nodes = known(graph, list);
        let mut seen = BTreeSet::new();
        let apart = nodes.iter().all(|node| seen.insert(component.get(node)));
        apart.then(|| match nodes.len() {
            0 => (0.0, "a list without a known name counts as an empty answer"),
            n => (count(n), "no two known names of the list share a component"),
        })
    };
    any_list(text, solve, "every list has two names of one component")
}

/// The nodes of the last list.
fn last_list(graph: &Graph, text: &str) -> Option<Vec<NodeIdx>> {
    Some(known(graph, brackets(text).last()?))
}

/// The last list alone counts (F6).
pub(super) fn diameter(graph: &Graph, text: &str) -> Ruled {
    let Some(nodes) = last_list(graph, text) else { return NO_LIST };
    let (Some(first), Some(last)) = (nodes.first(), nodes.last()) else {
        return (INFEASIBLE, "the last list has no known name");
    };
    if !is_walk(graph, &nodes) {
        return (INFEASIBLE, "a step of the last list is no edge");
    }
    match hops(graph, *first)[last.index()] {
        Some(hops) if hops + 1 == nodes.len() => {
            (count(hops), "the last list is a shortest path between its ends")
        }
        _ => (INFEASIBLE, "the last list is longer than the way between its ends"),
    }
}

/// The edges between nodes of a list.
fn edges_inside(graph: &Graph, nodes: &[NodeIdx]) -> usize {
    let inside: BTreeSet<NodeIdx> = nodes.iter().copied().collect();
    let both = |a, b| inside.contains(&a) && inside.contains(&b);
    graph.edges().filter(|edge| both(edge.source_idx, edge.target_idx)).count()
}

const EMPTY: Ruled = (0.0, "the last list has no known name and counts as an empty answer");

/// A name that comes twice adds to the edges that are needed.
pub(super) fn clique(graph: &Graph, text: &str) -> Ruled {
    let Some(nodes) = last_list(graph, text) else { return NO_LIST };
    let n = count(nodes.len());
    if nodes.is_empty() {
        EMPTY
    } else if count(edges_inside(graph, &nodes)) >= n * (n - 1.0) / 2.0 {
        (n, "the known names of the last list have enough edges for a clique")
    } else {
        (INFEASIBLE, "the known names of the last list have too few edges for a clique")
    }
}

/// A name that comes twice counts twice (F2).
pub(super) fn independent_set(graph: &Graph, text: &str) -> Ruled {
    let Some(nodes) = last_list(graph, text) else { return NO_LIST };
    if nodes.is_empty() {
        EMPTY
    } else if edges_inside(graph, &nodes) == 0 {
        (count(nodes.len()), "no edge joins two known names of the last list")
    } else {
        (INFEASIBLE, "an edge joins two known names of the last list")
    }
}

pub(super) fn vertex_cover(graph: &Graph, text: &str) -> Ruled {
    let Some(nodes) = last_list(graph, text) else { return NO_LIST };
    let chosen: BTreeSet<NodeIdx> = nodes.iter().copied().collect();
    let covers = |a, b| chosen.contains(&a) || chosen.contains(&b);
    if graph.edges().all(|edge| covers(edge.source_idx, edge.target_idx)) {
        (count(nodes.len()), "the known names of the last list cover every edge")
    } else {
        (INFEASIBLE, "an edge has no known name of the last list")
    }
}

/// Only capital letters, commas and white space are a list here (F5, F9), on any number of lines.
pub(super) fn tour(graph: &Graph, text: &str) -> Result<Ruled, OfficialError> {
    let fits = |c: char| c.is_ascii_uppercase() || c == ',' || is_space(c);
    let lists = brackets_of(text, fits, true);
    let Some(last) = lists.last() else {
        return Ok((MISSING, "no list in brackets of capital letters and commas"));
    };
    let stops: Vec<Option<NodeIdx>> =
        last.split(',').map(|name| node(graph, strip(name))).collect();
    let Some(stops) = stops.into_iter().collect::<Option<Vec<NodeIdx>>>() else {
        return Ok((INFEASIBLE, "the last list has a name that no node has"));
    };
    let visited: BTreeSet<NodeIdx> = stops.iter().copied().collect();
    if visited.len() != graph.n_nodes() {
        return Ok((INFEASIBLE, "the last list leaves a node out"));
    }
    if stops.len() != graph.n_nodes() + 1 || stops.first() != stops.last() {
        return Ok((INFEASIBLE, "the last list does not visit each node once and return"));
    }
    let length: Option<f64> = stops
        .windows(2)
        .map(|step| Some(graph.edge_between(step[0], step[1])?.weight_or_one()))
        .sum();
    match length {
        Some(length) => Ok((length, "the last list is a tour")),
        None => Err(missing(ArenaTask::Tsp, "a distance between every two nodes")),
    }
}
