//! Starts a new graph.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed};
use crate::{Delta, Graph};

/// Starts a new, empty graph and drops the one that was there. Call this first.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Whether edges have a direction.
    pub directed: bool,
    /// Whether edges have weights.
    pub weighted: bool,
}

/// What kind of graph was made.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// Whether edges have a direction.
    directed: bool,
    /// Whether edges have weights.
    weighted: bool,
}

pub(super) struct CreateGraph;

impl Typed for CreateGraph {
    type Args = Args;
    type Returns = Returns;
    fn call(_: &Graph, args: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let Args { directed, weighted } = args;
        out.deltas.push(Delta::Create { directed, weighted });
        Ok(Returns { directed, weighted })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<CreateGraph>(Facts {
    name: "create_graph",
    title: "Create a graph",
    group: Group::Build,
    paper: "Graph-Grounded LLMs §II-A",
    writes: true,
    raises: &[],
    complexity: "O(1)",
    example: || Example {
        graph: Graph::undirected(),
        arguments: json!({ "directed": false, "weighted": true }),
    },
});
