//! Gives a node another name.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, sample};
use crate::{Delta, Graph, GraphError, NodeName};

/// Gives a node another name. Its edges stay.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The name the node has.
    pub node: NodeName,
    /// The name it gets; no other node may have it.
    pub new_name: NodeName,
}

/// The node's new name.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// The name the node has now.
    node: NodeName,
}

/// The delta that renames a node.
///
/// # Errors
/// `unknown_node`, `duplicate_node`.
///
/// # Complexity
/// O(1) expected.
pub fn rename_node(
    graph: &Graph,
    node: &NodeName,
    new_name: &NodeName,
) -> Result<Delta, FunctionError> {
    graph.index(node)?;
    if node != new_name && graph.has_node(new_name) {
        return Err(GraphError::DuplicateNode { node: new_name.clone() }.into());
    }
    Ok(Delta::RenameNode { from: node.clone(), to: new_name.clone() })
}

pub(super) struct RenameNodeFunction;

impl Typed for RenameNodeFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, args: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        out.deltas.push(rename_node(graph, &args.node, &args.new_name)?);
        out.touched.nodes.push(args.new_name.clone());
        Ok(Returns { node: args.new_name })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<RenameNodeFunction>(Facts {
    name: "rename_node",
    title: "Rename a node",
    group: Group::Build,
    paper: "",
    writes: true,
    raises: &[
        ("unknown_node", "A node is not in the graph."),
        ("duplicate_node", "Another node has the new name."),
    ],
    complexity: "O(1)",
    example: || Example {
        graph: sample::undirected(&[(0, 1), (1, 2)]),
        arguments: json!({ "node": 0, "new_name": "Tom" }),
    },
});
