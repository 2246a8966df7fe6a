//! Depth-first traversal from a node: any order in which such a search may visit the nodes.

use graph::functions::bfs_order::bfs_order;
use graph::functions::dfs_order::dfs_order;
use graph::{Graph, NodeName};

use super::{
    LEVELS, OPENINGS, Start, ask_traversal, marked_list, order_of, read_traversal, slip_order,
    traversal,
};
use crate::definition::{Asked, Definition, Functions, Listed, Row, Speech};
use crate::query::Shape as _;
use crate::verify::named::NodeList;
pub use crate::verify::named::NodeList as Answer;
use crate::verify::traversal::{self as verify, Search};
use crate::{EdgeNumber, TaskGroup};

/// What it asks beside the graph.
pub type Query = Start;

/// The words for the order.
const KIND: &str = "depth-first search";

pub(crate) const TASK: Definition<Query, Answer> = Definition {
    title: "Depth-first order",
    lede: "In which order does a depth-first search visit the nodes?",
    group: TaskGroup::GraphInstruct,
    difficulties: &LEVELS,
    is_directed: false,
    edge_number: EdgeNumber::Unused,
    openings: &[OPENINGS[0]],
    question_words: &["in depth-first search order"],
    asks: "in depth-first search order",
    make: |difficulty, rng| traversal(difficulty, rng, is_plain),
    parse: |cursor| {
        let read = read_traversal(cursor)?;
        cursor.want(KIND)?;
        Ok(read)
    },
    ask: |problem, _, _, out| ask_traversal(problem, KIND, out),
    fits: |_| Ok(()),
    solve: |problem| Answer { nodes: order(problem.graph, &problem.query.start) },
    reference: |_, answer| marked_list(answer),
    reasoned,
    algorithm: "We can go on to a neighbour that was not visited yet for as long as there is one, and else go \
                back to the last node that has one.",
    n_exemplars: 4,
    read: verify::read,
    judge: |problem, answer, evidence| verify::judge(Search::Depth, problem, answer, evidence),
    unique: |problem, _| format!("a depth-first order from node {}", problem.query.start),
    ballot: NodeList::in_order,
    slip: slip_order,
    speech: Speech { list: Listed::Nodes, pair_is_edge: true, row: Row::Nothing },
    functions: Functions {
        goal: |query| {
            format!("The question asks for a depth-first order from node {}.", query.start)
        },
        answering: &["dfs_order"],
        similar: |query| ("bfs_order", query.arguments()),
        result: order_of,
    },
};

/// The order in which the edges stand decides between neighbours.
fn order(graph: &Graph, start: &NodeName) -> Vec<NodeName> {
    let start = graph.index(start).ok();
    start.map(|start| graph.names_of(&dfs_order(graph, start))).unwrap_or_default()
}

/// Whether the order of the other search is one of this search too.
fn is_plain(graph: &Graph, start: &NodeName) -> bool {
    let Ok(at) = graph.index(start) else { return true };
    verify::is_order(Search::Depth, graph, start, &graph.names_of(&bfs_order(graph, at)))
}

fn reasoned(_: Asked<'_, Query>, answer: &Answer) -> String {
    format!(
        "We go on to a new neighbour while there is one, and else back to the last node that has one. {}",
        marked_list(answer)
    )
}
