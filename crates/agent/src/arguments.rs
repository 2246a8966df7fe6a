//! How long the arguments of a call may be.

use llm::{Message, ToolCall};
use serde_json::json;

/// The longest arguments of a call that are kept, in bytes: more than a hundred thousand edges. What
/// is longer would be sent to the model again with every turn, and kept in every trace.
pub const MAX_ARGUMENTS: usize = 2_000_000;

/// The only argument of a call whose arguments were left out.
const LEFT_OUT: &str = "arguments_left_out";

/// Puts in the place of arguments that are too long how long they were. What stands there is JSON,
/// which some providers insist on.
pub(crate) fn bound(message: &mut Message) {
    for call in &mut message.tool_calls {
        let n = call.arguments.len();
        if n > MAX_ARGUMENTS {
            call.arguments = json!({ LEFT_OUT: format!("{n} bytes") }).to_string();
        }
    }
}

/// What a model is told whose arguments were left out; nothing where they were not.
pub(crate) fn refused(call: &ToolCall) -> Option<String> {
    // Looked at before anything is read: it is the same whenever the call is answered again.
    let rest = call.arguments.strip_prefix("{\"")?.strip_prefix(LEFT_OUT)?;
    let size = rest.trim_start_matches(['"', ':', ' ']).split('"').next().unwrap_or_default();
    Some(format!(
        "the arguments of {} are too long ({size}): a call may have at most {MAX_ARGUMENTS}; make \
         several calls",
        call.name
    ))
}
