//! Calls from a tray: a function, and the nodes that a person clicked on the drawing.

use graph::{Graph, NodeName};
use llm::ToolSpec;
use serde_json::{Map, Value, json};

/// The functions of the tray, those that build the graph before those that ask it. Every daily problem can
/// be solved with them.
pub const BUILDING: [&str; 3] = ["create_graph", "add_nodes", "add_edges"];
/// Those that ask it.
pub const ASKING: [&str; 11] = [
    "has_path",
    "find_shortest_path",
    "has_cycle",
    "find_cycle",
    "topological_sort",
    "find_hamilton_path",
    "max_flow",
    "min_cut",
    "max_bipartite_matching",
    "get_neighbors",
    "describe_graph",
];

/// A call with what is known of its arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct TrayCall {
    /// The function.
    pub name: String,
    /// The arguments.
    pub arguments: Value,
    /// Whether nothing is missing. What was read off the question is shown before it is called.
    pub is_ready: bool,
}

/// The call of a function for the nodes that were clicked, in their order: one for each node that it takes,
/// pairs of them for edges. Where none was clicked, nodes and edges are those of the question.
pub fn call_of(tool: &ToolSpec, clicked: &[NodeName], asked: &Graph) -> TrayCall {
    let mut arguments = Map::new();
    let mut left = clicked.iter();
    let node = |name: &NodeName| serde_json::to_value(name).unwrap_or_default();
    let properties = tool.parameters["properties"].as_object();
    let required: Vec<&str> = tool.parameters["required"]
        .as_array()
        .map(|list| list.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let mut is_of_question = false;
    for (name, property) in properties.into_iter().flatten() {
        let is_required = required.contains(&name.as_str());
        let value = match name.as_str() {
            "edges" if clicked.is_empty() => {
                is_of_question = true;
                asked.edges().map(|e| json!([node(e.source), node(e.target)])).collect()
            }
            "edges" => clicked
                .chunks_exact(2)
                .map(|pair| json!([node(&pair[0]), node(&pair[1])]))
                .collect(),
            "weights" if clicked.is_empty() => numbers(asked.edges().map(|e| e.weight)),
            "capacities" if clicked.is_empty() => numbers(asked.edges().map(|e| e.capacity)),
            "nodes" if is_required && clicked.is_empty() => {
                is_of_question = true;
                asked.names().map(node).collect()
            }
            "nodes" if is_required => clicked.iter().map(node).collect(),
            _ if takes_node(property) => left.next().map(node).unwrap_or_default(),
            _ => Value::Null,
        };
        if !value.is_null() {
            arguments.insert(name.clone(), value);
        }
    }
    let is_whole = required.iter().all(|name| arguments.contains_key(*name));
    let arguments = Value::Object(arguments);
    TrayCall { name: tool.name.clone(), arguments, is_ready: is_whole && !is_of_question }
}

/// The numbers of all edges; null where one has none.
fn numbers(all: impl Iterator<Item = Option<f64>>) -> Value {
    let all: Option<Vec<Value>> = all.map(|number| Some(whole(number?))).collect();
    all.filter(|list| !list.is_empty()).map_or(Value::Null, Value::Array)
}

/// A number without a point where it needs none, as people read it.
fn whole(number: f64) -> Value {
    let is_whole = number.fract() == 0.0 && number.abs() < 1e15;
    if is_whole { json!(number as i64) } else { json!(number) }
}

fn takes_node(property: &Value) -> bool {
    match &property["type"] {
        Value::String(one) => one == "string",
        Value::Array(several) => several.iter().any(|one| one == "string"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use agent::ToolSet as _;
    use systems::grounded::GraphTools;
    use tasks::{Difficulty, TaskId, task};

    use super::*;

    fn tool(name: &str) -> ToolSpec {
        let tools = GraphTools::default().specs();
        tools.into_iter().find(|tool| tool.name == name).unwrap()
    }

    #[test]
    fn clicked_nodes_fill_arguments_in_their_order() {
        let graph = task(TaskId::Flow).generate(Difficulty::Easy, 1).graph;
        let names: Vec<NodeName> = graph.names().take(5).cloned().collect();
        let value = |i: usize| serde_json::to_value(&names[i]).unwrap();
        let flow = call_of(&tool("max_flow"), &names[..2], &graph);
        assert_eq!(flow.arguments, json!({ "source": value(0), "sink": value(1) }));
        assert!(flow.is_ready);
        assert!(!call_of(&tool("max_flow"), &names[..1], &graph).is_ready, "no sink");
        let edges = call_of(&tool("add_edges"), &names, &graph);
        assert_eq!(edges.arguments["edges"], json!([[value(0), value(1)], [value(2), value(3)]]));
        assert!(edges.arguments.get("weights").is_none() && edges.is_ready);
        let cycle = call_of(&tool("has_cycle"), &[], &graph);
        assert!(cycle.is_ready && cycle.arguments == json!({}), "it takes none");
        // Whether the graph is directed is for the player to say.
        assert!(!call_of(&tool("create_graph"), &[], &graph).is_ready);
    }

    #[test]
    fn without_a_click_edges_are_those_of_the_question_and_are_shown_first() {
        for id in [TaskId::Flow, TaskId::ShortestPath, TaskId::Cycle, TaskId::Matching] {
            let made = task(id).generate(Difficulty::Easy, 5);
            let call = call_of(&tool("add_edges"), &[], &made.graph);
            assert!(!call.is_ready, "{id}");
            let add = graph::functions::find("add_edges").unwrap();
            let empty =
                if made.graph.is_directed() { Graph::directed() } else { Graph::undirected() };
            let outcome = add.call(&empty, call.arguments).unwrap();
            assert_eq!(outcome.value["n_edges"], made.graph.n_edges(), "{id}");
        }
    }

    #[test]
    fn every_function_of_the_tray_is_one_of_ours() {
        for name in BUILDING.into_iter().chain(ASKING) {
            assert!(graph::functions::find(name).is_some(), "{name}");
        }
    }
}
