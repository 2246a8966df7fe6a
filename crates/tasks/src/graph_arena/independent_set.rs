//! The most nodes of which no two are joined.

use graph::exact::independent_set::max_independent_set;
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

struct IndependentSet;

impl NamedTask for IndependentSet {
    const TITLE: &str = "Largest independent set";
    const LEDE: &str = "Which are the most nodes of which no two are joined?";
    const OPENINGS: &[&str] =
        &["Your task is to solve the Maximum Independent Set problem in the given social network"];
    const SIGNS: &[&str] = &["independent set"];
    const ASKS: &str = "Identify the Maximum Independent Set of this network.";
    const FORM: &str = "[UserA, UserB, ...]";
    const TOLD: Told = Told::Users;
    const ALGORITHM: &str = "We can take a node with the fewest neighbors, leave those out, and go on with the rest; where it matters, try both with and without a node.";
    const GOAL: &str =
        "The question is a largest independent set: the most nodes of which no two are joined.";
    const ANSWERING: &[&str] = &["max_independent_set"];
    const FIELD: &str = "nodes";
    const SIMILAR: &str = "max_clique";
    const JUDGE: Judge = arena::sets::independent_set;

    fn network(rng: &mut ChaCha8Rng, n: usize) -> Graph {
        let names = names::users(rng, n);
        networks::connected(rng, &names, (110, 220))
    }

    fn solve(graph: &Graph) -> Vec<NodeName> {
        graph.names_of(&max_independent_set(graph, BUDGET).nodes)
    }

    fn reason(_: usize) -> String {
        "No two of these are joined, and no larger set is like that".to_owned()
    }
}

pub(crate) const TASK: Definition<Query, Answer> = task::<IndependentSet>();
