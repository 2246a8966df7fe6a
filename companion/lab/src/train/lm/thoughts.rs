//! Short thoughts before an answer, for questions that ask for them.

use std::fmt::Write as _;

use graph::NodeName;
use graph::functions::find_shortest_path::find_shortest_path;
use tasks::{Answer, Problem, Query};

fn list(nodes: &[NodeName], between: &str) -> String {
    nodes.iter().map(ToString::to_string).collect::<Vec<_>>().join(between)
}

/// What is thought before the answer; ends with a space or a new line.
pub(super) fn before(problem: &Problem, answer: &Answer) -> String {
    let graph = &problem.graph;
    let mut text = String::new();
    // A `String` takes whatever is written.
    let _ = match (&problem.query, answer) {
        (Query::Connectivity(ends), _) => {
            let places = graph.index(&ends.source).ok().zip(graph.index(&ends.target).ok());
            let path = places.and_then(|(s, t)| find_shortest_path(graph, s, t).ok().flatten());
            match path {
                Some(path) => {
                    let names: Vec<NodeName> =
                        path.nodes.iter().map(|i| graph.name(*i).clone()).collect();
                    write!(text, "There is the path {}. ", list(&names, "->"))
                }
                None => write!(text, "No edges lead there. "),
            }
        }
        (Query::Cycle(_), Answer::Cycle(answer)) if !answer.cycle.is_empty() => {
            write!(text, "There is the cycle {}. ", list(&answer.cycle, "->"))
        }
        (Query::Cycle(_), _) => write!(text, "No edges lead back. "),
        (Query::ShortestPath(_), Answer::ShortestPath(answer)) => {
            for step in answer.path.windows(2) {
                let weight = graph.edge(&step[0], &step[1]).map_or(0.0, |e| e.weight_or_one());
                let _ = writeln!(text, "{} -- {} : {weight}", step[0], step[1]);
            }
            Ok(())
        }
        (Query::Gnn(_), _) => {
            for node in graph.names() {
                let beside: Vec<NodeName> = graph
                    .edges()
                    .filter_map(|e| match (e.source == node, e.target == node) {
                        (true, _) => Some(e.target.clone()),
                        (_, true) => Some(e.source.clone()),
                        _ => None,
                    })
                    .collect();
                let _ = writeln!(text, "Node {node} has the neighbors {}.", list(&beside, ", "));
            }
            Ok(())
        }
        _ => Ok(()),
    };
    text
}
