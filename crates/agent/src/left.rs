//! Calls and thoughts that a server left in the text of a reply.

use llm::{FinishReason, Message, ToolSpec, ends_in_a_call, find_left_calls, split_thoughts};

/// Takes thoughts out of the text, and calls where the endpoint gave none of its own. What is to be
/// noted about it.
pub(crate) fn take_out(
    message: &mut Message,
    finish: &FinishReason,
    tools: &[ToolSpec],
) -> Option<String> {
    if let Some((thoughts, text)) = split_thoughts(&message.content) {
        let before = message.reasoning.take().filter(|before| !before.is_empty());
        let both = [before, Some(thoughts)].into_iter().flatten().filter(|text| !text.is_empty());
        message.reasoning = Some(both.collect::<Vec<_>>().join("\n\n")).filter(|t| !t.is_empty());
        message.content = text;
    }
    if !message.tool_calls.is_empty() {
        return None;
    }
    if *finish == FinishReason::Length {
        return ends_in_a_call(&message.content, tools)
            .then(|| "the limit on tokens cut a call in the text off".to_owned());
    }
    let found = find_left_calls(&message.content, tools);
    if found.calls.is_empty() {
        let why = found.unread?;
        return Some(format!("the text shows a call that was not run: {why}"));
    }
    message.content = found.text;
    message.tool_calls = found.calls;
    let names: Vec<&str> = message.tool_calls.iter().map(|call| call.name.as_str()).collect();
    let (n, names) = (names.len(), names.join(", "));
    let what = if n == 1 { "this call" } else { "these calls" };
    let dropped =
        if found.has_result { "; the result that the model made up was dropped" } else { "" };
    Some(format!("the server left {what} in the text: {names}{dropped}"))
}
