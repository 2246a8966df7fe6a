//! Graph-Grounded LLM: the model builds the graph and asks it, by calling graph functions.
//!
//! Paper: Graph-Grounded LLMs §II.

mod composed;
mod results;
pub mod retrieval;
pub mod scripted;
mod tokens;
mod tools;

pub use composed::{Composing, PROPOSE, accepted};
pub use tools::GraphTools;

/// The tokens of a tool's definition under `o200k_base`, where they were counted.
pub fn tokens_of(tool: &str) -> Option<u64> {
    tokens::TOKENS.iter().find(|(name, _)| *name == tool).map(|(_, n)| *n)
}

use crate::experiment::{MODEL, SystemSpec};

/// The system.
pub(crate) const SYSTEM: SystemSpec = SystemSpec {
    id: "grounded",
    title: "With graph tools",
    lede: "The model builds the graph with function calls and reads its answer off them.",
    roles: &[MODEL],
    has_tools: true,
    in_shape: false,
};

/// What it says before the question. Paper: Graph-Grounded LLMs §II-B.
pub(crate) const PROMPT: &str = "You can use the given functions through tool_calls to arrive at a \
    solution. After each tool_call, the tool will provide you with the output of the function. Don't \
    make assumptions about what values to plug into functions. Ask for clarification if a user \
    request is ambiguous. Before making any function calls, first think step by step, determine a \
    procedure to solve the problem, and then you can make tool_calls to find the solution. Once the \
    problem is solved, provide the final answer.";
