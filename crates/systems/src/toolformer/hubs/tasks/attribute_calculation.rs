//! Graph properties.

use super::{Function, FunctionParameter, HubTask};
use crate::toolformer::hubs::DatasetKind;

pub(super) static TASK: HubTask = HubTask {
    id: "attribute_calculation",
    title: "Graph properties",
    lede: "Numbers and nodes that follow from a graph alone.",
    kinds: &[DatasetKind::Properties],
    is_for_any_network: true,
    model: "toolx",
    functions: &[
        Function { name: "order", spellings: &[], takes: &[], gives: "the number of nodes" },
        Function { name: "size", spellings: &[], takes: &[], gives: "the number of links" },
        Function {
            name: "density",
            spellings: &[],
            takes: &[FunctionParameter::word(&["is-directed"])],
            gives: "links divided by possible links",
        },
        Function {
            name: "eccentricity",
            spellings: &[],
            takes: &[FunctionParameter::any(&["node"])],
            gives: "the distance to the node farthest away, of each node or of those named",
        },
        Function { name: "radius", spellings: &[], takes: &[], gives: "the smallest eccentricity" },
        Function {
            name: "diameter",
            spellings: &[],
            takes: &[],
            gives: "the largest eccentricity",
        },
        Function {
            name: "center",
            spellings: &[],
            takes: &[],
            gives: "the nodes of smallest eccentricity",
        },
        Function {
            name: "periphery",
            spellings: &[],
            takes: &[],
            gives: "the nodes of largest eccentricity",
        },
        Function {
            name: "shortest_path",
            spellings: &[],
            takes: &[FunctionParameter::one(&["node"]), FunctionParameter::one(&["node"])],
            gives: "the links of a shortest path between two nodes",
        },
        Function {
            name: "avg_path_length",
            spellings: &["avg_shortest_path"],
            takes: &[],
            gives: "the mean distance of two nodes",
        },
        Function {
            name: "max_path_length",
            spellings: &["max_shortest_path"],
            takes: &[],
            gives: "the largest distance of two nodes",
        },
        Function {
            name: "min_path_length",
            spellings: &["min_shortest_path"],
            takes: &[],
            gives: "the smallest distance of two nodes",
        },
    ],
};
