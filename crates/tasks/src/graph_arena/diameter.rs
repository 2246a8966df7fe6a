//! A shortest path between two nodes that are farthest apart.

use graph::functions::find_shortest_path::find_shortest_path;
use graph::{Graph, NodeName};
use rand_chacha::ChaCha8Rng;

use super::named::{Judge, NamedTask, task};
use super::words::Told;
use super::{names, networks};
use crate::definition::Definition;
use crate::verify::arena;
pub use crate::verify::named::NodeList as Answer;
use crate::{SlipKind, Whole, oracle};

/// What it asks beside the graph.
pub type Query = Whole;

struct Diameter;

impl NamedTask for Diameter {
    const TITLE: &str = "Diameter by a path";
    const LEDE: &str = "Which shortest path joins two nodes that are farthest apart?";
    const OPENINGS: &[&str] =
        &["You are required to calculate the diameter of an undirected knowledge graph"];
    const SIGNS: &[&str] = &["diameter"];
    const ASKS: &str =
        "Please determine the diameter of this network and output the corresponding path";
    const REST: &str = " in the following way: each entity of it in order.";
    const FORM: &str = "[Entity1, Entity2, ..., EntityN]";
    const TOLD: Told = Told::Entities;
    const IS_PATH: bool = true;
    const ALGORITHM: &str = "We can search breadth first from every node; the farthest pair that is met gives the path.";
    const GOAL: &str = "The question is a shortest path between two nodes that are farthest apart.";
    const ANSWERING: &[&str] = &["diameter"];
    const FIELD: &str = "path";
    const SIMILAR: &str = "radius";
    const JUDGE: Judge = arena::paths::diameter;

    fn network(rng: &mut ChaCha8Rng, n: usize) -> Graph {
        let names = names::entities(rng, n);
        networks::connected(rng, &names, (100, 150))
    }

    fn fits(graph: &Graph) -> Result<(), String> {
        match oracle::is_connected(graph) {
            true => Ok(()),
            false => Err("asks for the diameter, and the graph is not connected".to_owned()),
        }
    }

    fn solve(graph: &Graph) -> Vec<NodeName> {
        let path = || {
            let (a, b, _) = arena::paths::farthest(graph)?;
            find_shortest_path(graph, graph.index(&a).ok()?, graph.index(&b).ok()?).ok().flatten()
        };
        path().map_or_else(Vec::new, |path| graph.names_of(&path.nodes))
    }

    fn reason(n: usize) -> String {
        let steps = n.saturating_sub(1);
        format!("No two nodes are more than {steps} steps apart, and these are")
    }

    fn unique(_: &Graph, answer: &Answer) -> String {
        answer.nodes.len().saturating_sub(1).to_string()
    }

    /// The path ends too soon, or goes on to a node that is on it already.
    fn slip(_: &Graph, path: &mut Vec<NodeName>, kind: SlipKind) {
        match kind {
            SlipKind::Witness => path.extend(path.first().cloned()),
            SlipKind::Total | SlipKind::DroppedNode => drop(path.pop()),
        }
    }
}

pub(crate) const TASK: Definition<Query, Answer> = task::<Diameter>();
