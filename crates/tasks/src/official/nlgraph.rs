//! NLGraph (arXiv 2305.10037): the scripts of its eight tasks, as they were released.
//!
//! The text is put into lower case, numbers are runs of ASCII digits, and what counts stands behind a
//! phrase. `docs/benchmark-rules.md` lists the faults.

use std::collections::{BTreeMap, BTreeSet};

use graph::{Graph, NodeName};

use crate::{Problem, Query, oracle};

/// What the script says of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NlGraphScore {
    /// Whether it counts as right.
    pub correct: bool,
    /// The part of the script that decided.
    pub cause: &'static str,
}

const NO_PHRASE: &str = "none of the phrases that it looks for";

/// Scores an answer as the released script of its task does. `None` for tasks of other benchmarks, and
/// where nodes are not called `0`, `1`, … as the script needs it: then it cannot be asked.
///
/// The flow is scored by its second figure, which the paper reports; a path of least weight by its
/// first. At a text at which the script ends in an error (a number that is no node, no job, too few
/// numbers of a table) the answer is wrong.
///
/// # Complexity
/// O(length) to read, then what the truth takes: see [`crate::verify()`].
pub fn score(problem: &Problem, text: &str) -> Option<NlGraphScore> {
    let text = &text.to_lowercase();
    let graph = &problem.graph;
    let is_pair = matches!(problem.query, Query::Matching(_));
    if !is_pair && !graph.names().enumerate().all(|(i, name)| name.as_int() == Some(i as i64)) {
        return None;
    }
    let (correct, cause) = match &problem.query {
        Query::Connectivity(ends) => connectivity(graph, &ends.source, &ends.target, text),
        Query::Cycle(_) => cycle(graph, text),
        Query::Topology(_) => topology(graph, text),
        Query::ShortestPath(ends) => shortest_path(graph, &ends.source, &ends.target, text),
        Query::Flow(ends) => flow(graph, &ends.source, &ends.sink, text),
        Query::Matching(_) => matching(graph, text),
        Query::Hamilton(_) => hamilton(graph, text),
        Query::Gnn(layers) => gnn(graph, layers.layers, text),
        _ => return None,
    };
    Some(NlGraphScore { correct, cause })
}

type Scored = (bool, &'static str);

/// The numbers of a text. The tasks of orders and paths drop digits that end it.
fn numbers(text: &str, last_too: bool) -> impl Iterator<Item = i64> {
    let ended = if last_too { text } else { text.trim_end_matches(|c: char| c.is_ascii_digit()) };
    let runs = ended.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty());
    runs.map(|run| run.parse().unwrap_or(i64::MAX))
}

fn connectivity(graph: &Graph, source: &NodeName, target: &NodeName, text: &str) -> Scored {
    let phrase = format!("there is a path between node {source} and node {target}");
    let says_yes = text.contains("the answer is yes") || text.contains(&phrase);
    let cause = if says_yes { "a phrase for yes" } else { "no phrase for yes, which counts as no" };
    (says_yes == oracle::are_connected(graph, source, target), cause)
}

fn cycle(graph: &Graph, text: &str) -> Scored {
    let (none, some) = (text.find("there is no cycle"), text.find("there is a cycle"));
    let says_yes = match (none, some) {
        (None, None) => return (false, NO_PHRASE),
        (Some(none), Some(some)) => some < none,
        (none, _) => none.is_none(),
    };
    let cause = if says_yes { "\"there is a cycle\"" } else { "\"there is no cycle\"" };
    (says_yes == oracle::has_cycle(graph), cause)
}

fn topology(graph: &Graph, text: &str) -> Scored {
    let at = text.find("solution").or_else(|| {
        // Of the two the later one; -1 of a phrase that is not there is before every place.
        text.find("yes").max(text.find("in the following order"))
    });
    let Some(at) = at else { return (false, NO_PHRASE) };
    let order = |text| -> Vec<i64> { numbers(text, false).take(graph.n_nodes()).collect() };
    let fault = order_fault(graph, &order(&text[at..]));
    if fault.is_some() && order_fault(graph, &order(text)).is_none() {
        return (true, "the first numbers of the text");
    }
    (fault.is_none(), fault.unwrap_or("the numbers behind its phrase"))
}

/// Counts in-degrees down: a node that nothing waits for may be missing.
fn order_fault(graph: &Graph, order: &[i64]) -> Option<&'static str> {
    // Nodes are called 0, 1, …, which was looked at before.
    let mut waits = vec![0_i64; graph.n_nodes()];
    let mut targets = vec![Vec::new(); graph.n_nodes()];
    let place = |name: &NodeName| name.as_int().and_then(|n| usize::try_from(n).ok());
    for edge in graph.edges() {
        if let (Some(source), Some(target)) = (place(edge.source), place(edge.target)) {
            targets[source].push(target);
            waits[target] += 1;
        }
    }
    for node in order {
        let at = usize::try_from(*node).ok().filter(|at| *at < waits.len());
        let Some(at) = at else { return Some("a number that is no node") };
        if waits[at] != 0 {
            return Some("a node before one that has to come earlier");
        }
        for target in &targets[at] {
            waits[*target] -= 1;
        }
    }
    waits.iter().any(|left| *left != 0).then_some("a node with predecessors is missing")
}

fn shortest_path(graph: &Graph, source: &NodeName, target: &NodeName, text: &str) -> Scored {
    // A question in words of cities is answered in them.
    let behind = ["node", "city"].into_iter().find_map(|word| {
        let phrase = format!("the shortest path from {word} {source} to {word} {target}");
        text.split_once(phrase.as_str()).map(|(_, after)| after)
    });
    let Some(behind) = behind else { return (false, NO_PHRASE) };
    let mut path = Vec::new();
    for number in numbers(behind, false) {
        path.push(NodeName::from(number));
        if path.last() == Some(target) {
            break;
        }
    }
    let weight: Option<f64> =
        path.windows(2).map(|step| Some(graph.edge(&step[0], &step[1])?.weight_or_one())).sum();
    let least = oracle::lightest_path(graph, source, target).map(|(weight, _)| weight);
    match weight {
        None => (false, "a step that is no edge"),
        Some(_) if path.is_empty() => (false, "no number behind its phrase"),
        // Weights of questions are whole numbers.
        Some(weight) if Some(weight) == least => {
            (true, "the weight of the numbers behind its phrase")
        }
        Some(_) => (false, "another weight"),
    }
}

fn flow(graph: &Graph, source: &NodeName, sink: &NodeName, text: &str) -> Scored {
    let phrase = format!("the maximum flow from node {source} to node {sink}");
    let Some((_, behind)) = text.split_once(phrase.as_str()) else { return (false, NO_PHRASE) };
    let Some(first) = numbers(behind, true).next() else {
        return (false, "no number behind its phrase");
    };
    let most = oracle::min_cut(graph, source, sink).map(|cut| cut.value);
    (most == Some(first as f64), "the first number behind its phrase")
}

fn matching(graph: &Graph, text: &str) -> Scored {
    let (Some(job), Some(applicant)) = (text.find("job"), text.find("applicant")) else {
        return (false, NO_PHRASE);
    };
    let announced = text.find("make the following assignments").unwrap_or_default();
    let start = job.min(applicant).max(announced);
    let end = text.find("this way").filter(|end| *end >= start).unwrap_or(text.len());
    let list: Vec<i64> = numbers(&text[start..end], true).collect();
    let pairs: Vec<(i64, i64)> = list
        .chunks_exact(2)
        .map(|two| if job < applicant { (two[1], two[0]) } else { (two[0], two[1]) })
        .collect();
    let is_edge = |(a, j): &&(i64, i64)| {
        let name = |letter: char, n: i64| NodeName::from(format!("{letter}{n}"));
        graph.edge(&name('a', *a), &name('j', *j)).is_some()
    };
    // Neighbours in the list are never compared.
    let comes_again = |of: fn(&(i64, i64)) -> i64| {
        let mut first = BTreeMap::new();
        pairs.iter().enumerate().any(|(i, pair)| *first.entry(of(pair)).or_insert(i) + 1 < i)
    };
    if comes_again(|pair| pair.0) || comes_again(|pair| pair.1) {
        return (false, "somebody, or a job, comes twice");
    }
    let n_edges = pairs.iter().filter(is_edge).count();
    let cause = "the number of pairs that are edges";
    (Some(n_edges) == oracle::matching_number(graph), cause)
}

fn hamilton(graph: &Graph, text: &str) -> Scored {
    let Some(at) = text.find("the path can be") else { return (false, NO_PHRASE) };
    if text[..at].contains("no ") {
        return (false, "\"no \" before its phrase");
    }
    let n = graph.n_nodes();
    let list: Vec<i64> = numbers(&text[at..], false).take(n).collect();
    if list.len() < n {
        return (false, "too few numbers behind its phrase");
    }
    let is_edge = |step: &[i64]| graph.edge(&step[0].into(), &step[1].into()).is_some();
    if !list.windows(2).all(is_edge) {
        return (false, "a step that is no edge");
    }
    // The last one is not compared.
    let but_last = &list[..n.saturating_sub(1)];
    if but_last.iter().collect::<BTreeSet<_>>().len() < but_last.len() {
        return (false, "a node that comes twice");
    }
    (true, "the numbers behind its phrase")
}

/// Label and row of each node, behind the last `node 0`.
fn gnn(graph: &Graph, layers: u32, text: &str) -> Scored {
    let Some(at) = text.rfind("node 0") else { return (false, NO_PHRASE) };
    let list: Vec<i64> = numbers(&text[at..], true).collect();
    let rows = oracle::convolve(graph, layers);
    let width = 1 + rows.first().map_or(0, |(_, row)| row.len());
    if list.len() < width * rows.len() {
        return (false, "too few numbers");
    }
    let holds = rows.iter().zip(list.chunks_exact(width)).all(|((_, row), given)| {
        row.iter().zip(&given[1..]).all(|(value, given)| *value == *given as f64)
    });
    (holds, "the numbers behind the last \"node 0\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_question;

    const RING: &str = "In an undirected graph, (i,j) means that node i and node j are connected \
        with an undirected edge.\nThe nodes are numbered from 0 to 4, and the edges are: (0,1) (1,2) \
        (2,0) (3,4)\nQ: Is there a cycle in this graph?\nA:";

    #[test]
    fn a_graph_with_other_names_cannot_be_asked_about() {
        let mut problem = parse_question(RING).unwrap();
        assert!(score(&problem, "There is a cycle.").unwrap().correct);
        let delta = graph::Delta::RenameNode { from: 4_usize.into(), to: "Lyon".into() };
        problem.graph.apply(&delta).unwrap();
        assert_eq!(score(&problem, "There is a cycle."), None);
    }
}
