//! The function catalogue in the shapes that models and people read.

use serde_json::{Value, json};

use super::GraphFunction;

/// A shape in which a function is described to a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CatalogFormat {
    /// The paper's Figure 2: OpenAI's shape with `class`, `returns` and `exceptions` added.
    Paper,
    /// `{"type":"function","function":{name,description,parameters}}`.
    OpenAi,
    /// `{name,description,input_schema}`.
    Anthropic,
    /// An entry of the Model Context Protocol's `tools/list`.
    Mcp,
}

impl CatalogFormat {
    /// All shapes, with their names.
    pub const ALL: [(&'static str, Self); 4] = [
        ("paper", Self::Paper),
        ("openai", Self::OpenAi),
        ("anthropic", Self::Anthropic),
        ("mcp", Self::Mcp),
    ];
}

/// One function in one shape. Paper: §II-A, figure 2.
pub fn describe(function: &GraphFunction, format: CatalogFormat) -> Value {
    let (name, description) = (function.name, function.description());
    let parameters = function.parameters();
    match format {
        CatalogFormat::Paper => {
            let exceptions: serde_json::Map<String, Value> = function
                .raises
                .iter()
                .map(|(code, when)| ((*code).to_owned(), json!({ "description": when })))
                .collect();
            json!({
                "type": "function",
                "function": {
                    "class": "GraphLibrary",
                    "name": name,
                    "description": description,
                    "parameters": parameters,
                    "returns": function.returns(),
                    "exceptions": exceptions,
                }
            })
        }
        CatalogFormat::OpenAi => json!({
            "type": "function",
            "function": { "name": name, "description": description, "parameters": parameters }
        }),
        CatalogFormat::Anthropic => {
            json!({ "name": name, "description": description, "input_schema": parameters })
        }
        CatalogFormat::Mcp => json!({
            "name": name,
            "title": function.title,
            "description": description,
            "inputSchema": parameters,
            // The protocol wants an object here, so the value stands under `result`.
            "outputSchema": {
                "type": "object",
                "properties": { "result": function.returns() },
                "required": ["result"],
            },
            "annotations": {
                "readOnlyHint": !function.writes,
                "idempotentHint": !function.writes,
                "openWorldHint": false,
            },
        }),
    }
}
