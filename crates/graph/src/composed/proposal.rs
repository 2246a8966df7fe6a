//! What a model proposes: a name, parameters, a body, and examples that say what it has to do.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value, json};

use super::fault::ProposalFault;
use super::shape::Shape;
use super::{operations, parse};
use crate::functions::find;
use crate::{Graph, NodeName};

/// The most parameters of a composed function.
pub const MAX_PARAMETERS: usize = 8;
/// The fewest examples of a proposal: one alone is met by the result itself.
pub const MIN_EXAMPLES: usize = 2;
/// The most examples of a proposal.
pub const MAX_EXAMPLES: usize = 10;
/// The longest description, in characters.
const MAX_DESCRIPTION: usize = 600;
/// The most nodes, and the most edges, of an example's graph.
const MAX_EXAMPLE: usize = 200;

/// A function that somebody proposes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proposal {
    /// The name to call it by: small letters, digits and `_`.
    pub name: String,
    /// What it does, in a sentence or two for a model.
    pub description: String,
    /// What it takes beside the graph.
    #[serde(default)]
    pub parameters: Vec<ProposedParameter>,
    /// How it is computed, in the language of `docs/own-functions.md`.
    pub body: String,
    /// Graphs with arguments and the results that are right there.
    pub examples: Vec<ProposedExample>,
}

/// What a composed function takes beside the graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProposedParameter {
    /// Its name in the body.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: ParameterType,
    /// What it is, in a few words for a model.
    pub description: String,
}

/// The type of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ParameterType {
    /// A node of the graph.
    Node,
    /// A number.
    Number,
    /// True or false.
    Boolean,
    /// A text.
    Text,
    /// A list of nodes.
    Nodes,
    /// A list of numbers.
    Numbers,
    /// A list of pairs of nodes.
    Edges,
}

impl ParameterType {
    pub(super) const NAMES: [&'static str; 7] =
        ["node", "number", "boolean", "text", "nodes", "numbers", "edges"];

    pub(super) fn shape(self) -> Shape {
        match self {
            Self::Node => Shape::Node,
            Self::Number => Shape::Number,
            Self::Boolean => Shape::Boolean,
            Self::Text => Shape::Text,
            Self::Nodes => Shape::list(Shape::Node),
            Self::Numbers => Shape::list(Shape::Number),
            Self::Edges => Shape::list(Shape::Pair(Box::new(Shape::Node))),
        }
    }
}

/// A graph with arguments, and the result that is right there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProposedExample {
    /// The graph.
    pub graph: ExampleGraph,
    /// The arguments by name; a text is read as JSON.
    #[serde(default, deserialize_with = "lenient")]
    pub arguments: Value,
    /// The result that is right; a text that is JSON is read as that.
    #[serde(deserialize_with = "lenient")]
    pub result: Value,
}

/// A graph as the arguments of `create_graph`, `add_nodes` and `add_edges`, which a model knows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExampleGraph {
    /// Whether edges have a direction.
    #[serde(default)]
    pub directed: bool,
    /// Nodes, where some are at no edge.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<NodeName>,
    /// Edges as pairs of nodes.
    #[serde(default)]
    pub edges: Vec<[NodeName; 2]>,
    /// One weight for each edge; left out, edges have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<Vec<f64>>,
    /// One capacity for each edge; left out, edges have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capacities: Option<Vec<f64>>,
}

/// JSON as it stands, or in a text: some endpoints take no schema without types.
fn lenient<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
    let value = Value::deserialize(deserializer)?;
    if let Value::String(text) = &value
        && let Ok(inner) = serde_json::from_str(text)
    {
        return Ok(inner);
    }
    Ok(value)
}

impl ExampleGraph {
    /// The graph itself, made by the library's own functions.
    ///
    /// # Errors
    /// Why there is no such graph.
    pub fn build(&self) -> Result<Graph, String> {
        let mut graph = Graph::undirected();
        let create = json!({ "directed": self.directed, "weighted": self.weights.is_some() });
        let mut edges = json!({ "edges": self.edges });
        for (key, numbers) in [("weights", &self.weights), ("capacities", &self.capacities)] {
            if let Some(numbers) = numbers {
                edges[key] = json!(numbers);
            }
        }
        let calls = [
            ("create_graph", create),
            ("add_nodes", json!({ "nodes": self.nodes })),
            ("add_edges", edges),
        ];
        for (name, arguments) in calls {
            let function = find(name).ok_or("internal error: the library has lost a function")?;
            let outcome =
                function.call(&graph, arguments).map_err(|e| format!("{name}: {}", e.message))?;
            for delta in &outcome.deltas {
                graph.apply(delta).map_err(|e| e.to_string())?;
            }
        }
        Ok(graph)
    }
}

impl Proposal {
    /// The longest text of a proposal in JSON that is read, in bytes.
    pub const MAX_JSON: usize = 60_000;

    /// Reads a proposal from JSON.
    ///
    /// # Errors
    /// Where it is not as a proposal has to be, and what would be right.
    pub fn from_json(value: &Value) -> Result<Self, ProposalFault> {
        let length = value.to_string().len();
        if length > Self::MAX_JSON {
            let message =
                format!("the proposal has {length} bytes; {} at most are read", Self::MAX_JSON);
            return Err(ProposalFault::new("too_long", message));
        }
        serde_path_to_error::deserialize(value).map_err(|error| {
            let place = error.path().to_string();
            let place = if place == "." { String::new() } else { format!("{place}: ") };
            let message = format!(
                "{place}{}; a proposal has name, description, parameters (each with name, type \
                 and description), body, and examples (each with graph, arguments and result)",
                error.inner()
            );
            ProposalFault::new("bad_form", message)
        })
    }

    /// The JSON schema of a proposal, in the part of the language that all providers take.
    pub fn schema() -> Value {
        let text = |what: &str| json!({ "type": "string", "description": what });
        let list = |items: Value, what: &str| json!({ "type": "array", "items": items, "description": what });
        let object = |properties: Value, required: &[&str]| {
            json!({ "type": "object", "properties": properties, "required": required,
                    "additionalProperties": false })
        };
        let node = json!({ "type": "string" });
        let pair = json!({ "type": "array", "items": node, "minItems": 2, "maxItems": 2 });
        let number = json!({ "type": "number" });
        let graph = object(
            json!({
                "directed": { "type": "boolean", "description": "Whether edges have a direction." },
                "nodes": list(node, "Nodes, where some are at no edge."),
                "edges": list(pair, "Edges as pairs of nodes."),
                "weights": list(number.clone(), "One weight for each edge, or left out."),
                "capacities": list(number, "One capacity for each edge, or left out."),
            }),
            &["edges"],
        );
        let kinds = ParameterType::NAMES.join(", ");
        let parameter = object(
            json!({
                "name": text("Its name in the body."),
                "type": text(&format!("One of {kinds}.")),
                "description": text("What it is."),
            }),
            &["name", "type", "description"],
        );
        let example = object(
            json!({
                "graph": graph,
                "arguments": text("The arguments as a JSON object, such as {\"s\": 0}."),
                "result": text("The right result as JSON, such as 3 or [0, 1]."),
            }),
            &["graph", "arguments", "result"],
        );
        object(
            json!({
                "name": text("The name to call it by: small letters, digits and _."),
                "description": text("What it does, in a sentence."),
                "parameters": list(parameter, "What it takes beside the graph; may be empty."),
                "body": text("How it is computed, in the language of expressions."),
                "examples": list(example, "Two to ten, with at least two different results."),
            }),
            &["name", "description", "parameters", "body", "examples"],
        )
    }

    /// Checks what can be said without reading the body.
    pub(super) fn form(&self) -> Result<(), Vec<ProposalFault>> {
        let mut faults = Vec::new();
        let mut fault = |code: &str, message: String| {
            if faults.len() < 8 {
                faults.push(ProposalFault::new(code, message));
            }
        };
        let short = |text: &str| text.chars().take(60).collect::<String>();
        if !parse::is_name(&self.name) {
            let name = short(&self.name);
            fault(
                "bad_name",
                format!(
                    "{name:?} is no name: use 1 to 40 small letters, digits and _, a letter first"
                ),
            );
        } else if find(&self.name).is_some() || operations::named(&self.name).is_some() {
            let message = format!("there is a function {:?} already: take another name", self.name);
            fault("name_taken", message);
        }
        let length = self.description.trim().chars().count();
        if !(10..=MAX_DESCRIPTION).contains(&length) {
            let message = format!(
                "the description has {length} characters: say in 10 to {MAX_DESCRIPTION} what it does"
            );
            fault("bad_description", message);
        }
        if self.parameters.len() > MAX_PARAMETERS {
            let n = self.parameters.len();
            fault("too_long", format!("{n} parameters; {MAX_PARAMETERS} at most"));
        }
        for (i, parameter) in self.parameters.iter().enumerate().take(MAX_PARAMETERS) {
            let name = short(&parameter.name);
            if !parse::is_name(&parameter.name) {
                fault("bad_name", format!("the parameter {name:?} needs a name of small letters"));
            }
            if self.parameters[..i].iter().any(|p| p.name == parameter.name) {
                fault("twice", format!("two parameters are called {name:?}"));
            }
            if parameter.description.chars().count() > MAX_DESCRIPTION {
                fault("bad_description", format!("the description of {name:?} is too long"));
            }
        }
        let n = self.examples.len();
        if !(MIN_EXAMPLES..=MAX_EXAMPLES).contains(&n) {
            let message = format!("{n} examples: give {MIN_EXAMPLES} to {MAX_EXAMPLES}");
            fault("bad_examples", message);
        }
        for (i, example) in self.examples.iter().enumerate().take(MAX_EXAMPLES) {
            let graph = &example.graph;
            if graph.nodes.len() > MAX_EXAMPLE || graph.edges.len() > MAX_EXAMPLE {
                let message = format!(
                    "the graph of example {} is too large: {MAX_EXAMPLE} nodes and edges at most",
                    i + 1
                );
                fault("bad_examples", message);
            }
            if !matches!(example.arguments, Value::Object(_) | Value::Null) {
                let message = format!("the arguments of example {} are not an object", i + 1);
                fault("bad_examples", message);
            }
        }
        if let Some(first) = self.examples.first()
            && n > 1
            && self.examples.iter().all(|e| super::data::is_same(&e.result, &first.result))
        {
            let message = "all examples have the same result, which a constant would give: add one \
                           with another";
            fault("examples_alike", message.into());
        }
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }

    /// An example's arguments; none where they were left out.
    pub(super) fn arguments_of(example: &ProposedExample) -> Value {
        match &example.arguments {
            Value::Null => Value::Object(Map::new()),
            given => given.clone(),
        }
    }
}
