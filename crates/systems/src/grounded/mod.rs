//! Graph-Grounded LLM: the model builds the graph and asks it, by calling graph functions.
//!
//! Paper: Graph-Grounded LLMs §II.

mod composed;
mod guide;
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

use agent::Choosing;
use serde::{Deserialize, Serialize};

use crate::experiment::{MODEL, SystemSpec};

/// What a model sees of the functions. The usual one is the paper's: all functions, bare results.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Surface {
    /// Which functions it gets.
    pub choosing: Choosing,
    /// Our words guide it in place of the paper's, and results say in words what they mean.
    pub guide: bool,
    /// It has to call until a function that asks the graph has answered.
    pub hold: bool,
}

impl Surface {
    /// What suits a language model: the functions that fit the question, and our words.
    pub fn guided() -> Self {
        Self { choosing: retrieval::choosing(retrieval::N_TOOLS), guide: true, hold: false }
    }

    /// Tools that answer so.
    pub(crate) fn put_on(&self, mut tools: GraphTools) -> GraphTools {
        if self.guide {
            tools = tools.with_guide();
        }
        if self.hold {
            tools = tools.held_to_calling();
        }
        if self.choosing == Choosing::All { tools } else { tools.with_look_up() }
    }

    /// What is said before the question.
    pub(crate) fn prompt(&self) -> &'static str {
        if self.guide { guide::PROMPT } else { PROMPT }
    }
}

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
