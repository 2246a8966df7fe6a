//! The whole of a large graph: places for its nodes, and what is measured of them. Nodes have numbers
//! here; whoever asks knows their names.

use serde::{Deserialize, Serialize};

use crate::numbers::PackedNumbers;
use crate::service::services;

/// The name of the edges beside a request: two numbers ([`PackedNumbers`] of `u32`) for each, source and target.
pub const EDGES: &str = "edges";
/// The most nodes of a graph that is drawn as a whole.
pub const MOST_NODES: usize = 200_000;
/// The most edges of one.
pub const MOST_EDGES: usize = 1_000_000;

/// Places all nodes of the graph whose edges are beside the request ([`EDGES`]).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlaceWhole {
    /// How many nodes it has.
    pub n_nodes: u32,
    /// The seed.
    pub seed: u64,
}

/// Where the nodes stand, during the work or at its end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WholePlaces {
    /// Two numbers for each node, to the right and downwards, in edges.
    pub at: PackedNumbers<f32>,
    /// The stress of the largest component: 0 where distances on paper are those in the graph
    /// (`draw::whole::WholeLayout::stress`).
    pub stress: Option<f64>,
    /// How often the nodes of the largest component were moved.
    pub n_moves: u32,
}

/// All nodes are placed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlacedWhole {
    /// Where they stand.
    pub places: WholePlaces,
    /// Milliseconds that it took.
    pub took_ms: f64,
    /// How many threads shared the work at its end.
    pub n_threads: u32,
}

/// What is measured of each node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WholeMeasure {
    /// How often a random walk comes by, with damping 0.85.
    PageRank,
    /// The share of shortest paths that pass it; of a large graph estimated from some of its nodes.
    Betweenness,
}

/// Measures all nodes of the graph whose edges are beside the request ([`EDGES`]).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MeasureWhole {
    /// How many nodes it has.
    pub n_nodes: u32,
    /// Whether its edges have a direction.
    pub directed: bool,
    /// What is measured.
    pub measure: WholeMeasure,
    /// The seed by which nodes are drawn, where only some are asked.
    pub seed: u64,
}

/// All nodes are measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasuredWhole {
    /// One number for each node.
    pub values: PackedNumbers<f32>,
    /// From how many nodes it was estimated, where not from all.
    pub n_sources: Option<u32>,
    /// Milliseconds that it took.
    pub took_ms: f64,
}

services! {
    PlaceWhole, "whole/place" => PlacedWhole; WholePlaces,
    MeasureWhole, "whole/measure" => MeasuredWhole,
}
