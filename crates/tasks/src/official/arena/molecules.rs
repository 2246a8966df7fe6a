//! The two tasks whose answers are lists of numbers: MCS and GED.

use std::collections::BTreeSet;

use graph::functions::is_isomorphic::{Isomorphism, is_isomorphic};
use graph::{Graph, NodeIdx};

use super::{ArenaProblem, INFEASIBLE, MISSING, Ruled, missing};
use crate::official::python::{brackets_of, digit, integers, is_space};
use crate::official::{OfficialError, node};

/// Steps of the comparison of two subgraphs; those of molecules take some thousands.
const BUDGET: u64 = 20_000_000;

fn lists(text: &str) -> Vec<&str> {
    brackets_of(text, |c| digit(c).is_some() || c == ',' || is_space(c), false)
}

fn second<'p>(problem: &ArenaProblem<'p>) -> Result<&'p Graph, OfficialError> {
    problem.second.ok_or_else(|| missing(problem.task, "a second graph"))
}

/// The graph between the nodes of a list; a number that no node has is left out (F3).
fn induced(graph: &Graph, list: &[String]) -> Graph {
    let inside: BTreeSet<NodeIdx> = list.iter().filter_map(|name| node(graph, name)).collect();
    let mut part = Graph::undirected();
    // All of it was in a graph before, so none of these can fail.
    for place in &inside {
        let _ = part.ensure_node(graph.name(*place).clone());
    }
    for edge in graph.edges() {
        if inside.contains(&edge.source_idx) && inside.contains(&edge.target_idx) {
            let _ = part.link(edge.source.clone(), edge.target.clone());
        }
    }
    part
}

/// The last two lists; their length counts, whatever is in them (F3, F10).
pub(super) fn common_subgraph(
    problem: &ArenaProblem<'_>,
    text: &str,
) -> Result<Ruled, OfficialError> {
    let other = second(problem)?;
    let lists = lists(text);
    let [.., first, last] = &lists[..] else {
        return Ok((MISSING, "fewer than two lists of numbers in brackets"));
    };
    let (Some(first), Some(last)) = (integers(first), integers(last)) else {
        return Ok((MISSING, "one of the last two lists begins or ends with a comma"));
    };
    if first.len() != last.len() {
        return Ok((INFEASIBLE, "the last two lists differ in length"));
    }
    match is_isomorphic(&induced(problem.graph, &first), &induced(other, &last), BUDGET) {
        Isomorphism::Same(_) => {
            Ok((first.len() as f64, "the known numbers of the last two lists have one shape"))
        }
        Isomorphism::Different { .. } => {
            Ok((INFEASIBLE, "the known numbers of the last two lists have two shapes"))
        }
        Isomorphism::Undecided { steps } => {
            Err(OfficialError::Undecided { task: problem.task.as_str(), steps })
        }
    }
}

/// The last list that has each number once.
pub(super) fn edit_distance(
    problem: &ArenaProblem<'_>,
    text: &str,
) -> Result<Ruled, OfficialError> {
    let (graph, other) = (problem.graph, second(problem)?);
    let n = graph.n_nodes();
    let [labels, others] = &problem.labels;
    if labels.len() < n || others.len() < n {
        return Err(missing(problem.task, "a label for every atom"));
    }
    let lists = lists(text);
    if lists.is_empty() {
        return Ok((MISSING, "no list of numbers in brackets"));
    }
    for list in lists.into_iter().rev() {
        let Some(numbers) = integers(list) else {
            return Ok((INFEASIBLE, "a list begins or ends with a comma"));
        };
        let Some(partner) = permutation(&numbers, n) else { continue };
        let relabelled =
            partner.iter().enumerate().filter(|(a, b)| labels[*a] != others[**b]).count();
        let cost = relabelled + changed(graph, other, &partner);
        return Ok((cost as f64, "the last list that has each number once"));
    }
    Ok((INFEASIBLE, "no list has each number once"))
}

fn permutation(numbers: &[String], n: usize) -> Option<Vec<usize>> {
    if numbers.len() != n {
        return None;
    }
    let partner: Vec<usize> =
        numbers.iter().map(|number| number.parse().ok()).collect::<Option<_>>()?;
    let distinct: BTreeSet<usize> = partner.iter().copied().filter(|b| *b < n).collect();
    (distinct.len() == n).then_some(partner)
}

/// The bonds that only one side has.
fn changed(graph: &Graph, other: &Graph, partner: &[usize]) -> usize {
    let number = |graph: &Graph, place: NodeIdx| {
        graph.name(place).as_int().and_then(|i| usize::try_from(i).ok())
    };
    let bonds = |graph: &Graph, map: &dyn Fn(usize) -> usize| -> BTreeSet<(usize, usize)> {
        let pair = |a: usize, b: usize| (a.min(b), a.max(b));
        let edges = graph.edges().filter_map(|edge| {
            Some(pair(map(number(graph, edge.source_idx)?), map(number(graph, edge.target_idx)?)))
        });
        edges.collect()
    };
    let moved = bonds(graph, &|a| partner.get(a).copied().unwrap_or(a));
    moved.symmetric_difference(&bonds(other, &|b| b)).count()
}
