//! The fewest nodes such that every edge has one of them.

use graph::exact::independent_set::min_vertex_cover;
use graph::{Graph, NodeName};
use rand_chacha::ChaCha8Rng;

use super::named::{Judge, NamedTask, task};
use super::words::Told;
use super::{BUDGET, names, networks};
use crate::Whole;
use crate::definition::Definition;
use crate::verify::arena;
pub use crate::verify::named::NodeList as Answer;

/// What it asks beside the graph.
pub type Query = Whole;

struct VertexCover;

impl NamedTask for VertexCover {
    const TITLE: &str = "Smallest vertex cover";
    const LEDE: &str = "Which are the fewest nodes such that every edge has one of them?";
    const OPENINGS: &[&str] =
        &["Your task is to solve the Minimum Vertex Cover problem in the given social network"];
    const SIGNS: &[&str] = &["vertex cover"];
    const ASKS: &str = "Identify the Minimum Vertex Cover of this network.";
    const FORM: &str = "[UserA, UserB, ...]";
    const TOLD: Told = Told::Users;
    const ALGORITHM: &str = "We can take nodes with many edges until every edge has one of its ends taken, and check whether one of them can be left out.";
    const GOAL: &str = "The question is a smallest vertex cover: the fewest nodes such that every edge has one of them.";
    const ANSWERING: &[&str] = &["min_vertex_cover"];
    const FIELD: &str = "nodes";
    const SIMILAR: &str = "max_independent_set";
    const JUDGE: Judge = arena::sets::vertex_cover;

    fn network(rng: &mut ChaCha8Rng, n: usize) -> Graph {
        let names = names::users(rng, n);
        networks::connected(rng, &names, (120, 220))
    }

    fn solve(graph: &Graph) -> Vec<NodeName> {
        graph.names_of(&min_vertex_cover(graph, BUDGET).nodes)
    }

    fn reason(_: usize) -> String {
        "Every edge has one of these, and no smaller set is like that".to_owned()
    }
}

pub(crate) const TASK: Definition<Query, Answer> = task::<VertexCover>();
