//! What a model may call.

use llm::{BoxFuture, Message, ToolSpec};
use serde_json::Value;
use trace::{Effects, Trace};

/// What a tool gives back.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolOutput {
    /// The value that the model reads.
    pub value: Value,
    /// Remarks that the model reads too.
    pub notes: Vec<String>,
    /// What the call did, for the trace.
    pub effects: Effects,
    /// What the model reads in place of the value, where that is too long for it.
    pub told: Option<String>,
}

/// Why a tool refused, in words that let a model correct itself.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolFailure {
    /// Whether the arguments already did not fit the tool's schema.
    pub is_schema: bool,
    /// A stable word, such as `unknown_node`.
    pub code: String,
    /// What was wrong and what would be right.
    pub message: String,
    /// Evidence for the error, such as the names that are unknown.
    pub witness: Option<Value>,
}

/// A set of tools over some shared state.
pub trait ToolSet {
    /// Their public faces, in a fixed order.
    fn specs(&self) -> Vec<ToolSpec>;

    /// The tools that there are since this was asked last: a call may make one. From then on they
    /// are in [`ToolSet::specs`].
    fn added(&mut self) -> Vec<ToolSpec> {
        Vec::new()
    }

    /// Whether calls may make tools. Then the trace says before the first turn which there are.
    fn can_grow(&self) -> bool {
        false
    }

    /// Whether the model has to call a tool in its next turn.
    fn must_call(&self) -> bool {
        false
    }

    /// Whether a tool can be called as things are. What cannot is not sent.
    fn is_open(&self, _name: &str) -> bool {
        true
    }

    /// What is said in place of the conversation so far, where only the answer is missing.
    fn last_words(&mut self, _trace: &Trace) -> Option<Vec<Message>> {
        None
    }

    /// The names of tools that a call asked for since this was asked last. A run that does not send all
    /// of them sends these from then on.
    fn wanted(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// Whether the model reads words about a call that it made before with the same result.
    fn says_repeats(&self) -> bool {
        false
    }

    /// How many tokens the definition of a tool takes, where that was counted.
    fn n_tokens(&self, _name: &str) -> Option<u64> {
        None
    }

    /// Calls one.
    ///
    /// # Errors
    /// The tool refused; that is the model's mistake and goes back to it. Only called with a name
    /// from [`ToolSet::specs`].
    fn call(&mut self, name: &str, arguments: Value) -> Result<ToolOutput, ToolFailure>;
}

/// Tools that take time, because they fetch something or ask another program. The calls of one reply
/// are carried out at the same time, so no call may depend on another.
pub trait AsyncToolSet {
    /// Their public faces, in a fixed order.
    fn specs(&self) -> Vec<ToolSpec>;

    /// Calls one; only called with a name from [`AsyncToolSet::specs`]. What is dropped before its
    /// end is given up.
    fn call<'a>(
        &'a self,
        name: &'a str,
        arguments: Value,
    ) -> BoxFuture<'a, Result<ToolOutput, ToolFailure>>;
}

/// No tools at all: the stand-alone model.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTools;

impl ToolSet for NoTools {
    fn specs(&self) -> Vec<ToolSpec> {
        Vec::new()
    }

    fn call(&mut self, name: &str, _: Value) -> Result<ToolOutput, ToolFailure> {
        Err(ToolFailure {
            is_schema: false,
            code: "no_tools".into(),
            message: format!("there are no tools, so {name} cannot be called"),
            witness: None,
        })
    }
}
