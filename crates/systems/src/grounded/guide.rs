//! Words for models that need more than a function's bare result: how to go about a question, and what a
//! result means.
//!
//! The paper's own prompt and bare results stay the usual way in benchmarks; our own small model and the
//! scripts read nothing else.

use graph::functions::GraphFunction;
use serde_json::Value;
use trace::ToolResult;

/// What is said before the question.
pub const PROMPT: &str = "You answer questions about graphs by calling functions. Do not work the \
    answer out yourself. First call create_graph once, with all nodes of the question, also those \
    without edges, and with all its edges; directed is true only if the question says that edges have \
    a direction. Then call the function that answers the question. Its result is exact: write the \
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
    let returns = function.returns();
    let meaning = |name: &String| {
        let words = returns["properties"].get(name)?.get("description")?.as_str()?;
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        Some(format!("{name}: {words}"))
    };
    let meanings: Vec<String> =
        value.as_object().into_iter().flat_map(|map| map.keys()).filter_map(meaning).collect();
    if !meanings.is_empty() {
        text += &format!("\nWhat it means: {}", meanings.join(" "));
    }
    text += "\nIf this answers the question, write the answer now.";
    text
}
