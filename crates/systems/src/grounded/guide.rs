//! What models need that cannot work with bare functions: words about a question and a result, and a way
//! to write a graph down that they can follow.
//!
//! The paper's own prompt and bare results stay the usual way in benchmarks; our own small model and the
//! scripts read nothing else.

use graph::functions::{GraphFunction, find};
use llm::{Message, Role, ToolSpec};
use serde_json::{Value, json};
use trace::{StepBody, ToolResult, Trace};

use super::retrieval::FIND_FUNCTIONS;

/// The function that builds a graph in one call.
pub(super) const CREATE: &str = "create_graph";

/// What is said before the question.
pub const PROMPT: &str = "You answer questions about graphs by calling functions. Do not work the \
    answer out yourself. First call create_graph once, with all nodes of the question, also those \
    without edges, and with all its edges. Then call the function that answers the question. Its result is exact: write the \
    answer from it, in the form that the question asks for. If a call is refused, read the message \
    and send a corrected call.";

/// What the model reads of a call's value: the value, what its parts mean, and what comes next.
pub(super) fn words(function: &GraphFunction, value: &Value, notes: &[String]) -> String {
    let result = ToolResult::Value { value: value.clone(), notes: notes.to_vec() };
    let mut text = result.to_model_text();
    if function.writes {
        text += "\nThe graph is changed. When it has all edges of the question, call the function that \
                 answers the question.";
        return text;
    }
    let in_words = in_words(function, value);
    if !in_words.is_empty() {
        text += &format!("\nIn words: {in_words}");
    }
    text += if refutes(value) {
        "\nSo this was no answer. Call the function that finds one."
    } else {
        "\nIf this answers the question, write the answer now."
    };
    text
}

/// Whether a result says that what the model gave as an answer is none: then the question is still open.
pub(super) fn refutes(value: &Value) -> bool {
    value.get("is_valid").and_then(Value::as_bool) == Some(false)
}

/// A function's result in words, from what its parts are documented to mean; empty if they are not.
fn in_words(function: &GraphFunction, value: &Value) -> String {
    let returns = function.returns();
    let of = |(name, value): (&String, &Value)| {
        let words = returns["properties"].get(name)?.get("description")?.as_str()?;
        part(value, words)
    };
    let all: Vec<String> = value.as_object().into_iter().flatten().filter_map(of).collect();
    all.join(" ")
}

/// One part of a result in words. A model that reads "or null if there is no cycle" beside a cycle says
/// that there is none, so only what holds is left of the description.
fn part(value: &Value, description: &str) -> Option<String> {
    let words = description.split_whitespace().collect::<Vec<_>>().join(" ");
    let words = words.trim_end_matches('.');
    if let (Some(what), Some(holds)) = (words.strip_prefix("Whether "), value.as_bool()) {
        let what = what.split("; ").next().unwrap_or(what);
        return Some(format!("Is it true that {what}? {}.", if holds { "Yes" } else { "No" }));
    }
    let (what, why) = words.split_once(", or null").unwrap_or((words, ""));
    match value {
        Value::Null => why.strip_prefix(" if ").map(|why| format!("{what}: none, {why}.")),
        _ => Some(format!("{what}: {value}.")),
    }
}

/// What the model reads of a tool. A graph is written down edge by edge, each with its weight, and its
/// kind in the question's own word: a small model copies that, and fails on lists that have to match by
/// their order (`docs/measurements.md`, "The shape of a call").
pub(super) fn face(mut spec: ToolSpec) -> ToolSpec {
    if spec.name != CREATE {
        return spec;
    }
    let node = json!({ "type": ["integer", "string"] });
    let weight = json!({
        "type": "number",
        "description": "Its weight, length, cost or capacity, if it has one.",
    });
    spec.parameters = json!({
        "type": "object",
        "properties": {
            KIND: {
                "type": "string",
                "enum": ["undirected", "directed"],
                "description": "How the question calls its graph or its edges; directed also where one \
                                thing comes before another.",
            },
            "edges": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": { "u": node, "v": node, "weight": weight },
                    "required": ["u", "v"],
                    "additionalProperties": false,
                },
                "description": "All edges of the question, each once.",
            },
            "nodes": {
                "type": "array",
                "items": node,
                "description": "All nodes, also those without edges.",
            },
        },
        "required": [KIND, "edges", "nodes"],
        "additionalProperties": false,
    });
    spec
}

/// The argument in place of `directed`.
const KIND: &str = "kind";

/// Whether a trace's model read [`face`].
pub(super) fn was_read(trace: &Trace) -> bool {
    let is_it =
        |tool: &ToolSpec| tool.name == CREATE && tool.parameters["properties"].get(KIND).is_some();
    trace.tools.iter().any(is_it)
}

/// The arguments of the function that a call of its [`face`] means. What is not in that form stays as it
/// is: the function reads it, or says what is wrong.
pub(super) fn as_called(name: &str, arguments: Value) -> Value {
    let mut given = match arguments {
        Value::Object(given) if name == CREATE => given,
        other => return other,
    };
    if let Some(kind @ ("directed" | "undirected")) = given.get(KIND).and_then(Value::as_str) {
        let is_directed = kind == "directed";
        given.remove(KIND);
        given.insert("directed".into(), is_directed.into());
    }
    let edges = given.get("edges").and_then(Value::as_array);
    if let Some((pairs, weights)) = edges.and_then(|edges| apart(edges)) {
        given.insert("edges".into(), pairs.into());
        if !weights.is_empty() {
            given.insert("weights".into(), weights.into());
        }
    }
    given.into()
}

/// The pairs of edges in the form of [`face`], and their weights, if all have one or none has.
fn apart(edges: &[Value]) -> Option<(Vec<Value>, Vec<Value>)> {
    let (mut pairs, mut weights) = (Vec::new(), Vec::new());
    for edge in edges {
        let edge = edge.as_object()?;
        pairs.push(json!([edge.get("u")?, edge.get("v")?]));
        weights.extend(edge.get("weight").cloned());
        let n_known = 2 + usize::from(edge.contains_key("weight"));
        if edge.len() != n_known {
            return None;
        }
    }
    (weights.is_empty() || weights.len() == pairs.len()).then_some((pairs, weights))
}

/// A refusal that names the arguments as the model reads them.
pub(super) fn refusal(name: &str, message: String) -> String {
    match message.split_once("; the arguments are ") {
        Some((what, _)) if name == CREATE => format!(
            "{what}; the arguments are kind (undirected or directed), edges (a list of objects with u, v \
             and, if they have one, weight), nodes (a list)"
        ),
        _ => message,
    }
}

/// What is said when only the answer is missing: the conversation without its calls, and what they found
/// in words. A small model that sees its own calls writes another one.
pub(super) fn last_words(trace: &Trace) -> Vec<Message> {
    let messages = trace.messages_before(trace.steps.len());
    let is_said = |m: &Message| match m.role {
        Role::User => true,
        Role::Assistant => m.tool_calls.is_empty(),
        Role::System | Role::Tool => false,
    };
    let since = trace.steps.iter().rposition(|s| matches!(s.body, StepBody::Prompt { .. }));
    let found = trace.steps[since.unwrap_or(0)..].iter().filter_map(|step| match &step.body {
        StepBody::Call { call, result: ToolResult::Value { value, .. }, told, .. } => {
            let function = find(&call.name);
            let is_aside = call.name == FIND_FUNCTIONS || function.is_some_and(|f| f.writes);
            // A wrong order that the model made up is not what was found.
            if is_aside || refutes(value) {
                return None;
            }
            let brief = told.clone().filter(|told| told.contains("\"$r"));
            let words = function.map_or_else(String::new, |f| in_words(f, value));
            let text = brief.or(Some(words).filter(|words| !words.is_empty()));
            let text = text.unwrap_or_else(|| value.to_string());
            Some(format!("{} {}: {text}", call.name, call.arguments))
        }
        _ => None,
    });
    let found: Vec<String> = found.collect();
    let mut said: Vec<Message> = messages.into_iter().filter(is_said).collect();
    said.push(Message::assistant(format!(
        "I called functions on the graph of your question. They are exact.\n{}",
        found.join("\n")
    )));
    said.push(Message::user(
        "So what is the answer to my question? Reply in one or two sentences, and name the nodes that \
         the result names, in its order.",
    ));
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_says_what_holds_and_nothing_else() {
        let said = |function: &str, value: Value| in_words(find(function).unwrap(), &value);
        assert_eq!(
            said("has_path", json!({ "has_path": false, "path": null })),
            "Is it true that end can be reached from start? No. The nodes of a path with the fewest \
             edges: none, there is none."
        );
        let cycle = said("find_cycle", json!({ "cycle": [9, 4, 3] }));
        assert!(cycle.ends_with("(the last is joined to the first): [9,4,3]."), "{cycle}");
        assert!(
            said("find_cycle", json!({ "cycle": null })).ends_with("none, the graph has no cycle.")
        );
        assert_eq!(
            said("topological_sort", json!({ "order": [0, 1], "cycle": null })),
            "All nodes in a valid order: [0,1]."
        );
        assert_eq!(said("find_cycle", json!([1])), "");
    }
}
