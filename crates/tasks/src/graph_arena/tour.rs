//! A shortest tour through all nodes.

use graph::exact::tour::{Tour, find_shortest_tour};
use graph::{Graph, NodeName};
use rand_chacha::ChaCha8Rng;

use super::named::{Judge, NamedTask, task};
use super::words::Told;
use super::{BUDGET, names, networks};
use crate::definition::Definition;
use crate::verify::arena;
pub use crate::verify::named::NodeList as Answer;
use crate::{EdgeNumber, SlipKind, Whole};

/// What it asks beside the graph.
pub type Query = Whole;

struct ShortestTour;

impl NamedTask for ShortestTour {
    const TITLE: &str = "Shortest tour";
    const LEDE: &str = "Which tour visits every node once and comes back in the least distance?";
    const OPENINGS: &[&str] = &[
        "You are required to solve the Travelling Salesman Problem for an undirected flight route network",
    ];
    const SIGNS: &[&str] = &["tour", "travelling salesman", "traveling salesman"];
    const ASKS: &str = "Please calculate the shortest tour";
    const REST: &str = " that visits each airport exactly once and returns to its start.";
    const FORM: &str = "[Airport A, Airport B, Airport C, ..., Airport A]";
    const TOLD: Told = Told::Airports;
    const EDGE_NUMBER: EdgeNumber = EdgeNumber::Weight;
    const SIZES: [(usize, usize); 2] = [(4, 9), (10, 20)];
    const IS_PATH: bool = true;
    const ALGORITHM: &str = "We can begin with the way to the nearest node each time, and then swap pieces of the tour as long as it gets shorter.";
    const GOAL: &str = "The question is a shortest tour through all nodes and back.";
    const ANSWERING: &[&str] = &["find_shortest_tour"];
    const FIELD: &str = "tour";
    const SIMILAR: &str = "minimum_spanning_tree";
    const JUDGE: Judge = arena::tour::judge;

    fn network(rng: &mut ChaCha8Rng, n: usize) -> Graph {
        let names = names::airports(rng, n);
        networks::flights(rng, &names)
    }

    fn fits(graph: &Graph) -> Result<(), String> {
        // In 64 bits: in the browser a square of 70,000 nodes does not fit into a length.
        let (n, n_edges) = (graph.n_nodes() as u64, graph.n_edges() as u64);
        match n > 2 && 2 * n_edges == n * (n - 1) {
            true => Ok(()),
            false => {
                Err("asks for a tour, which needs three nodes or more, each two of them joined"
                    .into())
            }
        }
    }

    fn solve(graph: &Graph) -> Vec<NodeName> {
        match find_shortest_tour(graph, BUDGET) {
            Tour::Found { nodes, .. } => graph.names_of(&nodes),
            Tour::None | Tour::Undecided => Vec::new(),
        }
    }

    fn reason(_: usize) -> String {
        "No exchange makes this tour shorter".to_owned()
    }

    /// The length of a shortest tour.
    fn unique(graph: &Graph, _: &Answer) -> String {
        match find_shortest_tour(graph, BUDGET) {
            Tour::Found { length, .. } => length.to_string(),
            Tour::None | Tour::Undecided => String::new(),
        }
    }

    /// A node is left out, or one is visited twice.
    fn slip(_: &Graph, tour: &mut Vec<NodeName>, kind: SlipKind) {
        match kind {
            SlipKind::Witness if tour.len() > 2 => tour[1] = tour[2].clone(),
            _ if tour.len() > 1 => drop(tour.remove(1)),
            _ => tour.clear(),
        }
    }
}

pub(crate) const TASK: Definition<Query, Answer> = task::<ShortestTour>();
