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
    let face = Face {
        name: function.name,
        title: function.title,
        description: function.description(),
        parameters: function.parameters(),
        returns: function.returns(),
        raises: function.raises,
        writes: function.writes,
    };
    shaped(face, format)
}

/// What a model is told of a function.
pub(crate) struct Face<'f> {
    pub(crate) name: &'f str,
    pub(crate) title: &'f str,
    pub(crate) description: String,
    pub(crate) parameters: Value,
    pub(crate) returns: Value,
    pub(crate) raises: &'f [(&'f str, &'f str)],
    pub(crate) writes: bool,
}

pub(crate) fn shaped(face: Face<'_>, format: CatalogFormat) -> Value {
    let Face { name, title, description, parameters, returns, raises, writes } = face;
    match format {
        CatalogFormat::Paper => {
            let exceptions: serde_json::Map<String, Value> = raises
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
                    "returns": returns,
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
            "title": title,
            "description": description,
            "inputSchema": parameters,
            // The protocol wants an object here, so the value stands under `result`.
            "outputSchema": {
                "type": "object",
                "properties": { "result": returns },
                "required": ["result"],
            },
            "annotations": {
                "readOnlyHint": !writes,
                "idempotentHint": !writes,
                "openWorldHint": false,
            },
        }),
    }
}
