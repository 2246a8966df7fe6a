//! One node of each connected component.

use graph::functions::connected_components::connected_components;
use graph::{Graph, NodeIdx, NodeName};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use super::named::{Judge, NamedTask, task};
use super::words::Told;
use super::{names, networks};
use crate::Whole;
use crate::definition::Definition;
use crate::names::nodes;
use crate::verify::arena;
pub use crate::verify::named::NodeList as Answer;

/// What it asks beside the graph.
pub type Query = Whole;

struct Components;

impl NamedTask for Components {
    const TITLE: &str = "Connected components";
    const LEDE: &str = "Which nodes stand for the connected components, one for each?";
    const OPENINGS: &[&str] = &[
        "You are required to identify all connected components in the given social network and output one representative node from each component",
    ];
    const SIGNS: &[&str] = &["connected component"];
    const ASKS: &str = "Identify all connected components in this network. Note that for each connected component, you should only output one of its nodes.";
    const FORM: &str = "[UserA, UserB, UserC, ...]";
    const TOLD: Told = Told::Names;
    const ALGORITHM: &str = "We can start at a node, go along edges as far as we get, and start again at a node that was not met; each start is one component.";
    const GOAL: &str =
        "The question is which nodes stand for the connected components, one for each.";
    const ANSWERING: &[&str] = &["connected_components"];
    const FIELD: &str = "components";
    const SIMILAR: &str = "get_degrees";
    const JUDGE: Judge = arena::sets::components;

    /// One to 1 + n/5 components.
    fn network(rng: &mut ChaCha8Rng, n: usize) -> Graph {
        let names = names::users(rng, n);
        networks::parted(rng, &names, 1 + n / 5)
    }

    fn solve(graph: &Graph) -> Vec<NodeName> {
        let first = |component: Vec<NodeIdx>| component.first().map(|v| graph.name(*v).clone());
        connected_components(graph).into_iter().filter_map(first).collect()
    }

    fn reason(n: usize) -> String {
        format!("From each of these {n} nodes all of its component is met")
    }

    /// The first node of each component.
    fn result(result: &Value) -> Option<Vec<NodeName>> {
        let components = result.get(Self::FIELD)?.as_array()?;
        Some(components.iter().filter_map(|c| nodes(c).into_iter().next()).collect())
    }
}

pub(crate) const TASK: Definition<Query, Answer> = task::<Components>();
