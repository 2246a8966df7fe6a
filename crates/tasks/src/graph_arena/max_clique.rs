//! The most nodes that are all joined.

use graph::functions::max_clique::max_clique;
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

struct MaxClique;

impl NamedTask for MaxClique {
    const TITLE: &str = "Largest clique";
    const LEDE: &str = "Which are the most nodes that are all joined to each other?";
    const OPENINGS: &[&str] = &[
        "You are required to solve the Maximum Clique Problem for an undirected academic network",
    ];
    const SIGNS: &[&str] = &["clique"];
    const ASKS: &str = "Identify the clique with the maximum number of authors in this network.";
    const FORM: &str = "[AuthorA, AuthorB, ...]";
    const TOLD: Told = Told::Authors;
    const ALGORITHM: &str = "We can grow cliques: start with each node, add nodes that are joined with all so far, and keep the largest.";
    const GOAL: &str = "The question is a largest clique: the most nodes that are all joined.";
    const ANSWERING: &[&str] = &["max_clique"];
    const FIELD: &str = "clique";
    const SIMILAR: &str = "find_cliques";
    const JUDGE: Judge = arena::sets::clique;

    fn network(rng: &mut ChaCha8Rng, n: usize) -> Graph {
        let names = names::authors(rng, n);
        networks::collaborations(rng, &names)
    }

    fn solve(graph: &Graph) -> Vec<NodeName> {
        graph.names_of(&max_clique(graph, BUDGET).nodes)
    }

    fn reason(_: usize) -> String {
        "All of these are joined with each other, and no more are".to_owned()
    }
}

pub(crate) const TASK: Definition<Query, Answer> = task::<MaxClique>();
