//! Pairs of prompts to learn the language from: made from templates, filtered, handed out.
//!
//! Paper: Graph-ToolFormer §4.4. The sentences are our own.
// Departs from §4.4: templates are reworded by hand and not by a model, and a test has templates
// that training has not, where the paper's public files share every template between the two.

pub mod augment;
mod make;
mod recognise;
mod say;
mod shown;
mod split;
mod templates;

use serde::{Deserialize, Serialize};

pub use make::{MAX_PAIRS, make};
pub use recognise::{Recognised, recognise};
pub use shown::{ShownPrompt, ShownTask, shown};
pub use split::{TemplateSplit, split};
pub use templates::{LOAD, TEMPLATES, Template};

use super::error::CallError;
use super::execute::Executor;
use super::fill::Order;

/// A pair to learn from: what is asked, and the sentence with the call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pair {
    /// A question, or a statement with `[TBR]`.
    pub input: String,
    /// The statement with calls.
    pub output: String,
    /// The true answers, joined by ` <||> `; none where the data do not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The template; pairs of other people have none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub template: String,
    /// The dataset that the pair asks about.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub dataset: String,
}

/// Why a pair is of no use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Dropped {
    /// The output calls nothing.
    #[error("nothing is called in {output:?}")]
    NoCall {
        /// The output without a call.
        output: String,
    },
    /// A call gave nothing.
    #[error("{error}")]
    Failed {
        /// Why the call fails.
        error: CallError,
    },
    /// The result is another one.
    #[error("the calls give {given:?}; {expected:?} is true")]
    Differs {
        /// The answer that is true of the data.
        expected: String,
        /// What the calls give.
        given: String,
    },
}

/// What the public files write where no answer is known.
const UNKNOWN: [&str; 2] = ["Unknown", "Unsupervised"];

/// Holds a pair against what its calls give: they have to be read, to run, and to give the true
/// answer, where one is known.
///
/// # Errors
/// Why the pair is of no use.
pub fn check(executor: &mut Executor, output: &str, answer: Option<&str>) -> Result<(), Dropped> {
    let ran = executor.run(output);
    if let Some(error) = ran.calls().find_map(|c| c.error.clone()) {
        return Err(Dropped::Failed { error });
    }
    if ran.calls().next().is_none() {
        return Err(Dropped::NoCall { output: output.to_owned() });
    }
    let Some(expected) = answer.filter(|a| !UNKNOWN.contains(a)) else { return Ok(()) };
    let given: Vec<&str> = ran.answers(Order::Reference).into_iter().flatten().collect();
    let given = given.join(super::instance::BETWEEN_ANSWERS);
    if given == expected {
        return Ok(());
    }
    Err(Dropped::Differs { expected: expected.to_owned(), given })
}
