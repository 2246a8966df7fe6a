//! A minimum cut between two nodes.

use super::max_flow::max_flow;
use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Touched, Typed, sample,
};
use crate::{Graph, NodeIdx, NodeName};
use rustc_hash::FxHashSet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Finds a minimum cut between a source and a sink: the edges of least total capacity without which
/// nothing can flow from one to the other. The capacity of an edge is its capacity, else its
/// weight, else 1.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The node where the flow starts.
    pub source: NodeName,
    /// The node where the flow ends.
    pub sink: NodeName,
}

/// The cut.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// The total capacity of the cut, which equals the maximum flow.
    cut_value: f64,
    /// The edges of the cut.
    cut_edges: Vec<[NodeName; 2]>,
    /// The nodes on the side of the source.
    source_side: Vec<NodeName>,
    /// The nodes on the side of the sink.
    sink_side: Vec<NodeName>,
}

/// A minimum cut between two nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MinCut {
    /// Its total capacity.
    pub value: f64,
    /// Its edges, from the source's side to the sink's.
    pub edges: Vec<(NodeIdx, NodeIdx)>,
    /// The nodes on the source's side.
    pub source_side: Vec<NodeIdx>,
    /// The nodes on the sink's side.
    pub sink_side: Vec<NodeIdx>,
}

/// A minimum cut between `source` and `sink`; of all, the one nearest to the source.
///
/// # Errors
/// As [`max_flow`].
///
/// # Complexity
/// O(n²·m).
pub fn min_cut(graph: &Graph, source: NodeIdx, sink: NodeIdx) -> Result<MinCut, FunctionError> {
    let flow = max_flow(graph, source, sink)?;
    let inside: FxHashSet<NodeIdx> = flow.source_side.iter().copied().collect();
    Ok(MinCut {
        value: flow.value,
        edges: flow.cut,
        sink_side: graph.indices().filter(|i| !inside.contains(i)).collect(),
        source_side: flow.source_side,
    })
}

pub(super) struct MinCutFunction;

impl Typed for MinCutFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, args: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let cut = min_cut(graph, graph.index(&args.source)?, graph.index(&args.sink)?)?;
        out.touched = Touched::edges(graph, &cut.edges);
        Ok(Returns {
            cut_value: cut.value,
            cut_edges: out.touched.edges.iter().map(|(a, b)| [a.clone(), b.clone()]).collect(),
            source_side: graph.names_of(&cut.source_side),
            sink_side: graph.names_of(&cut.sink_side),
        })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<MinCutFunction>(Facts {
    name: "min_cut",
    title: "Minimum cut",
    group: Group::Flow,
    paper: "",
    writes: false,
    raises: &[
        ("unknown_node", "A node is not in the graph."),
        ("same_node", "Source and sink are the same node."),
        ("negative_capacity", "A weight that stands in for a capacity is negative."),
        ("overflow", "The capacities add up to more than a number can hold."),
    ],
    complexity: "O(n²·m)",
    example: || Example {
        graph: sample::network(&[(0, 1, 3.0), (0, 2, 2.0), (1, 2, 5.0), (1, 3, 2.0), (2, 3, 3.0)]),
        arguments: json!({ "source": 0, "sink": 3 }),
    },
});
