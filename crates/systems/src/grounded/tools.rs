//! The graph functions as tools over one graph that the model builds.

use agent::{ToolFailure, ToolOutput, ToolSet};
use graph::Graph;
use graph::functions::{FUNCTIONS, find};
use llm::ToolSpec;
use serde_json::Value;
use trace::Effects;

/// Every graph function, over one graph that starts empty.
#[derive(Clone, Debug, Default)]
pub struct GraphTools {
    graph: Graph,
}

impl GraphTools {
    /// The functions over a graph that earlier calls have left.
    pub fn over(graph: Graph) -> Self {
        Self { graph }
    }

    /// The graph as the calls so far have made it.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }
}

impl ToolSet for GraphTools {
    fn specs(&self) -> Vec<ToolSpec> {
        FUNCTIONS
            .iter()
            .map(|f| ToolSpec {
                name: f.name.to_owned(),
                description: f.description(),
                parameters: f.parameters(),
            })
            .collect()
    }

    fn call(&mut self, name: &str, arguments: Value) -> Result<ToolOutput, ToolFailure> {
        let failure = |code: &str, message: String| ToolFailure {
            is_schema: code == "bad_arguments",
            code: code.to_owned(),
            message,
            witness: None,
        };
        let function = find(name)
            .ok_or_else(|| failure("unknown_function", format!("there is no function {name:?}")))?;
        let outcome = function.call(&self.graph, arguments).map_err(|e| ToolFailure {
            witness: e.witness.clone(),
            ..failure(&e.code, e.message)
        })?;
        let mut next = self.graph.clone();
        for delta in &outcome.deltas {
            next.apply(delta).map_err(|e| failure("internal", e.to_string()))?;
        }
        self.graph = next;
        Ok(ToolOutput {
            value: outcome.value,
            notes: outcome.notes,
            effects: Effects { deltas: outcome.deltas, touched: outcome.touched },
        })
    }
}
