//! What a script says without tools: the right answer, or one that errs as logged answers do.

use graph::NodeName;
use tasks::{Answer, Problem, Query, Verdict, reference_text, solve, verify};

use super::Mistake;

/// The right answer in the benchmark's words.
pub(super) fn careful(problem: &Problem) -> String {
    reference_text(problem, &solve(problem))
}

/// The number in a name such as `7` or `a7`.
pub(super) fn number(name: &NodeName) -> i64 {
    name.as_int()
        .unwrap_or_else(|| name.to_string().trim_start_matches(['a', 'j']).parse().unwrap_or(0))
}

/// An edge that the graph does not have, where it does most harm.
pub(super) fn invented(problem: &Problem) -> Option<(NodeName, NodeName)> {
    let graph = &problem.graph;
    let free = |a: &NodeName, b: &NodeName| a != b && graph.edge(a, b).is_none();
    let ends = match &problem.query {
        Query::Connectivity { source, target } | Query::ShortestPath { source, target } => {
            Some((source, target))
        }
        Query::MaxFlow { source, sink } => Some((source, sink)),
        _ => None,
    };
    if let Some((a, b)) = ends
        && free(a, b)
    {
        return Some((a.clone(), b.clone()));
    }
    let names: Vec<&NodeName> = graph.names().collect();
    let two_sided = matches!(problem.query, Query::Matching { .. });
    for (i, a) in names.iter().enumerate() {
        for b in &names[i + 1..] {
            let crosses = a.to_string().starts_with('a') != b.to_string().starts_with('a');
            // A backward arc may close a cycle, which is what a topological sort trips over.
            let pair = if graph.is_directed() { (*b, *a) } else { (*a, *b) };
            if (!two_sided || crosses) && free(pair.0, pair.1) {
                return Some((pair.0.clone(), pair.1.clone()));
            }
        }
    }
    None
}

/// The node that a careless reader leaves out.
pub(super) fn dropped(problem: &Problem) -> Option<NodeName> {
    match &problem.query {
        Query::Connectivity { target, .. } | Query::ShortestPath { target, .. } => {
            Some(target.clone())
        }
        Query::MaxFlow { sink, .. } => Some(sink.clone()),
        _ => problem.graph.names().last().cloned(),
    }
}

/// Makes the number in an answer wrong; an answer without one loses its last entry.
pub(super) fn spoil_total(answer: &mut Answer) {
    match answer {
        Answer::ShortestPath { total, .. } => *total = total.map(|t| t - 1.0),
        Answer::MaxFlow { value, flows } => {
            *value = value.map(|v| v + 2.0);
            flows.clear();
        }
        Answer::Matching { pairs, .. } => {
            // One applicant is forgotten.
            pairs.pop();
        }
        Answer::TopologicalSort { order, .. } => {
            order.pop();
        }
        Answer::HamiltonPath { path, .. } => {
            path.pop();
        }
        Answer::Convolution { rows } => {
            if let Some((_, values)) = rows.last_mut()
                && let Some(value) = values.first_mut()
            {
                *value += 1.0;
            }
        }
        Answer::Connectivity { connected, path } => {
            *connected = !*connected;
            path.clear();
        }
        Answer::Cycle { has_cycle, cycle, edges } => {
            *has_cycle = !*has_cycle;
            cycle.clear();
            edges.clear();
        }
    }
}

/// An answer that is wrong, and not only in part: the first mistake that leads to one, with the edge
/// that is not there before all others, because that is what models without tools make up.
pub(super) fn wrong(problem: &Problem) -> String {
    let mistakes = [Mistake::InventedEdge, Mistake::DroppedNode, Mistake::WrongTotal];
    let made_up = mistakes.into_iter().map(|mistake| mistaken(problem, mistake));
    // Who names a path that is none is right in part: there is one. Who denies it is not.
    let denied = Answer::HamiltonPath { exists: Some(false), path: Vec::new() };
    let denied =
        matches!(problem.query, Query::HamiltonPath).then(|| reference_text(problem, &denied));
    let is_wrong = |text: &String| verify(problem, text).verdict == Verdict::Incorrect;
    made_up.chain(denied).find(is_wrong).unwrap_or_else(|| mistaken(problem, mistakes[0]))
}

/// A wrong answer of the kind that a mistake leads to.
pub(super) fn mistaken(problem: &Problem, mistake: Mistake) -> String {
    let mut answer = solve(problem);
    let edge = invented(problem);
    match (&mut answer, edge) {
        (_, _) if matches!(mistake, Mistake::WrongTotal) => spoil_total(&mut answer),
        (Answer::ShortestPath { path, total, .. }, Some((a, b))) => {
            // By an edge that is not there, straight to the end.
            if let (Query::ShortestPath { source, target }, true) =
                (&problem.query, path.first() == Some(&a) && path.last() == Some(&b))
            {
                *path = vec![source.clone(), target.clone()];
                *total = Some(1.0);
            } else {
                *total = total.map(|t| t - 1.0);
            }
        }
        (Answer::HamiltonPath { path, .. }, _) if path.len() > 3 => {
            // The ends change places, and with them two steps that the graph has not.
            let last = path.len() - 1;
            path.swap(1, last);
        }
        (Answer::TopologicalSort { order, .. }, _) if order.len() > 1 => match mistake {
            Mistake::DroppedNode => drop(order.pop()),
            _ => order.reverse(),
        },
        (Answer::Matching { pairs, count }, _) if pairs.len() > 1 => {
            // Two applicants get the same job.
            let job = pairs[0].1.clone();
            pairs[1].1 = job;
            *count = Some(pairs.len() as u64);
        }
        (answer, _) => spoil_total(answer),
    }
    let text = reference_text(problem, &answer);
    match (&problem.query, invented(problem), &answer) {
        (
            Query::Connectivity { source, target },
            Some(_),
            Answer::Connectivity { connected: true, .. },
        ) => {
            format!(
                "Node {source} is joined to node {target} by the edge ({source},{target}), so they \
                 are connected. {text}"
            )
        }
        _ => text,
    }
}
