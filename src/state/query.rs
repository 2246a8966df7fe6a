//! Questions about a graph of one's own.

use graph::{Graph, NodeName};
use tasks::Query;

/// Makes a query fit a graph that was edited.
pub fn fit(query: &mut Query, graph: &Graph) {
    if let Some((from, to)) = query.ends() {
        let spare = |taken: &NodeName| graph.names().find(|n| *n != taken).cloned();
        let from = if graph.has_node(from) { Some(from.clone()) } else { spare(to) };
        let Some(from) = from else { return };
        let to = if graph.has_node(to) { Some(to.clone()) } else { spare(&from) };
        if let Some(to) = to {
            *query = query.with_ends(from, to);
        }
    }
    query.follow(graph);
}
