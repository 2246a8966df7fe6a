//! Scripts that play a model, so that everything works without a key.
//!
//! The **script** reads an NLGraph question and makes the calls that a good model would make. The
//! **mistaken** one errs the way logged answers of real models err, and corrects itself when an
//! error comes back, or does not. The **demo** one guesses wrongly without tools and is careful with
//! them. All go through exactly the loop and the messages of any other
//! model: they see the conversation, and nothing else. All say in their label that they are
//! scripts.

mod guess;
mod plan;

use llm::{
    BoxFuture, ChatRequest, ChatResponse, FinishReason, Message, Model, ModelError, Role, ToolCall,
    Usage, Watch,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tasks::{parse_attached, parse_question};

use crate::program;

/// A way to err, as the logged answers of real models do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mistake {
    /// Arguments that are not JSON.
    BadJson,
    /// A function that does not exist.
    UnknownFunction,
    /// Arguments under names that the function does not have.
    WrongArguments,
    /// A similar function: the Hamilton path for a topological sort.
    ///
    /// Paper: Graph-Grounded LLMs §IV, "misuse of similar functions".
    WrongFunction,
    /// An edge that the text does not have.
    InventedEdge,
    /// A node left out of the graph.
    DroppedNode,
    /// The right result, added up wrongly in the answer.
    WrongTotal,
}

impl Mistake {
    /// All of them, with their names in a model's name.
    pub const ALL: [(Self, &'static str); 7] = [
        (Self::BadJson, "bad-json"),
        (Self::UnknownFunction, "unknown-function"),
        (Self::WrongArguments, "wrong-arguments"),
        (Self::WrongFunction, "wrong-function"),
        (Self::InventedEdge, "invented-edge"),
        (Self::DroppedNode, "dropped-node"),
        (Self::WrongTotal, "wrong-total"),
    ];
}

/// A script that plays a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Script {
    /// Makes the calls that a good model would make.
    Careful,
    /// Guesses wrongly without tools, and makes the right calls with them: written to show both.
    Demo,
    /// Errs by a choice that depends on the question alone.
    Mistaken,
    /// Errs in one way.
    Errs {
        /// The mistake that it makes.
        mistake: Mistake,
        /// Whether it stays with it when an error comes back.
        stubborn: bool,
    },
}

impl Script {
    /// The name of the script that shows a guess beside an answer from tools.
    pub const DEMO: &str = "demo";

    /// The names that [`Script::by_name`] knows, with words for people.
    pub fn names() -> Vec<(String, String)> {
        let mut names = vec![
            (Self::DEMO.to_owned(), Self::Demo.label()),
            ("script".to_owned(), Self::Careful.label()),
            ("mistaken".to_owned(), Self::Mistaken.label()),
        ];
        for (mistake, name) in Mistake::ALL {
            for stubborn in [false, true] {
                let script = Self::Errs { mistake, stubborn };
                let tail = if stubborn { "/stubborn" } else { "" };
                names.push((format!("mistaken/{name}{tail}"), script.label()));
            }
        }
        names
    }

    /// The script of that name: `demo`, `script`, `mistaken`, `mistaken/bad-json`,
    /// `mistaken/bad-json/stubborn`, and so on.
    pub fn by_name(name: &str) -> Option<Self> {
        match name {
            Self::DEMO => return Some(Self::Demo),
            "script" => return Some(Self::Careful),
            "mistaken" => return Some(Self::Mistaken),
            _ => {}
        }
        let rest = name.strip_prefix("mistaken/")?;
        let (kind, stubborn) = match rest.strip_suffix("/stubborn") {
            Some(kind) => (kind, true),
            None => (rest, false),
        };
        let (mistake, _) = Mistake::ALL.into_iter().find(|(_, n)| *n == kind)?;
        Some(Self::Errs { mistake, stubborn })
    }

    /// What it does on a problem: which mistake, and whether it stays with it.
    fn errs(self, question: &str) -> Option<(Mistake, bool)> {
        match self {
            Self::Careful | Self::Demo => None,
            Self::Errs { mistake, stubborn } => Some((mistake, stubborn)),
            Self::Mistaken => {
                let hash = question.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| {
                    (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
                });
                let (mistake, _) = Mistake::ALL[(hash >> 7) as usize % Mistake::ALL.len()];
                Some((mistake, hash >> 40 & 3 == 0))
            }
        }
    }

    /// The next turn of a conversation.
    ///
    /// # Errors
    /// The question is of no task that we know.
    pub fn turn(self, request: &ChatRequest) -> Result<Message, ModelError> {
        let question = request
            .messages
            .iter()
            .find(|m| m.role == Role::User)
            .map(|m| m.content.as_str())
            .unwrap_or_default();
        let attached = parse_attached(question);
        let is_attached = attached.is_some();
        let problem = attached.map_or_else(|| parse_question(question), Ok).map_err(|e| {
            ModelError::Scripted(format!(
                "the scripted model cannot play this problem: {e}. It reads only the questions of \
                 the benchmarks' tasks; a model at an endpoint takes any"
            ))
        })?;
        let errs = self.errs(question);
        if program::is_asked(&request.messages) {
            return Ok(program::scripted::reply(&problem, errs, &request.messages));
        }
        if request.tools.is_empty() {
            let text = match errs {
                None if self == Self::Demo => guess::wrong(&problem),
                None => guess::careful(&problem),
                Some((mistake, _)) => guess::mistaken(&problem, mistake),
            };
            return Ok(Message::assistant(text));
        }
        Ok(plan::next(&problem, errs, is_attached, &request.messages))
    }
}

impl Model for Script {
    fn knows_numbers_alone(&self) -> bool {
        true
    }

    fn label(&self) -> String {
        match self {
            Self::Careful => "Scripted model".into(),
            Self::Demo => "Demo script: guesses alone".into(),
            Self::Mistaken => "Mistaken script".into(),
            Self::Errs { mistake, stubborn } => {
                let what = match mistake {
                    Mistake::BadJson => "sends bad JSON",
                    Mistake::UnknownFunction => "calls a function that does not exist",
                    Mistake::WrongArguments => "uses wrong argument names",
                    Mistake::WrongFunction => "calls a similar function",
                    Mistake::InventedEdge => "invents an edge",
                    Mistake::DroppedNode => "drops a node",
                    Mistake::WrongTotal => "adds up wrongly",
                };
                let tail = if *stubborn { ", stays with it" } else { "" };
                format!("Mistaken script: {what}{tail}")
            }
        }
    }

    fn complete<'a>(
        &'a self,
        request: &'a ChatRequest,
        _: &'a dyn Watch,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        let turn = self.turn(request);
        Box::pin(async move {
            let message = turn?;
            let finish = if message.tool_calls.is_empty() {
                FinishReason::Stop
            } else {
                FinishReason::ToolCalls
            };
            // A script reads and writes no tokens, and says so by saying nothing.
            Ok(ChatResponse { message, finish, usage: Usage::default() })
        })
    }
}

fn call(messages: &[Message], offset: usize, name: &str, arguments: String) -> ToolCall {
    let before: usize = messages.iter().map(|m| m.tool_calls.len()).sum();
    ToolCall { id: format!("call_{}", before + offset + 1), name: name.to_owned(), arguments }
}

/// The result of the last tool message, or its error's message.
fn last_result(messages: &[Message]) -> Option<Result<Value, String>> {
    let last = messages.iter().rev().find(|m| m.role == Role::Tool)?;
    // Words may stand behind the result.
    let mut values = serde_json::Deserializer::from_str(&last.content).into_iter::<Value>();
    let value = values.next()?.ok()?;
    match value.get("error") {
        Some(error) => {
            Some(Err(error.get("message").and_then(Value::as_str).unwrap_or_default().to_owned()))
        }
        None => value.get("result").cloned().map(Ok),
    }
}
