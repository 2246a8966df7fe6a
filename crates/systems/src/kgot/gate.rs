//! A person beside a run: sees the graph grow, may hold the run, and corrects the graph meanwhile.

use llm::BoxFuture;

use super::graph::GrowingGraph;
use super::growth::GraphGrowth;

/// Whoever looks on.
pub trait KgotGate {
    /// The graph has changed.
    fn grown(&self, _graph: &GrowingGraph, _growth: GraphGrowth) {}

    /// A round begins.
    fn round(&self) {}

    /// Asked between the steps of a run. It may wait as long as it likes: what comes is a query in
    /// Cypher that corrects the graph, or nothing where the run is to go on.
    fn correction(&self) -> BoxFuture<'_, Option<String>> {
        Box::pin(std::future::ready(None))
    }

    /// What became of a correction: nothing if it was made, or why it was not.
    fn corrected(&self, _fault: Option<String>) {}
}

/// Nobody looks on.
pub struct NoGate;

impl KgotGate for NoGate {}
