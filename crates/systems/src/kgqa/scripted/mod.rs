//! Scripts that play the models of these systems, so that everything works without a key.
//!
//! They see the conversation and nothing else: the question, the schema in the prompt, what a
//! traversal found. What they know is how the questions about the generated graphs are planned, and
//! those that are made from types and edges; of others they say that they do not know.

mod answerer;
mod cot;
mod planner;
mod schema;

use llm::{
    BoxFuture, ChatRequest, ChatResponse, FinishReason, Message, Model, ModelError, Role, Usage,
    Watch,
};
use serde::{Deserialize, Serialize};

use super::gpt4score::JUDGING;
use crate::{graph_cot, rag};

/// A way to err, as the paper's failure cases do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KgMistake {
    /// An edge type that does not exist.
    UnknownEdge,
    /// A node type that does not exist.
    UnknownType,
    /// An action that does not exist.
    UnknownAction,
    /// An edge that exists, from nodes that do not have it.
    WrongSource,
    /// An edge of the right shape and the wrong meaning: "palliates" for "treats".
    ///
    /// Paper: GraphRunner §4.4, the first failure case.
    WrongMeaning,
    /// An entity in the answer that was not found. Paper: GraphRunner §4.4, the second.
    MadeUpAnswer,
}

impl KgMistake {
    /// All of them, with their names in a model's name.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::UnknownEdge, "unknown-edge"),
        (Self::UnknownType, "unknown-type"),
        (Self::UnknownAction, "unknown-action"),
        (Self::WrongSource, "wrong-source"),
        (Self::WrongMeaning, "wrong-meaning"),
        (Self::MadeUpAnswer, "made-up-answer"),
    ];
}

/// A script that plays a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KgScript {
    /// Plans and answers as a good model would.
    Careful,
    /// Errs in one way, and corrects it when it is told.
    Errs(KgMistake),
    /// Errs in any way with this chance at every turn, in percent; a corrected step may be wrong again.
    Erring {
        /// The chance of a mistake at a turn, 0 to 100.
        percent: u32,
    },
}

impl KgScript {
    /// The names that [`KgScript::by_name`] knows, with words for people.
    pub fn names() -> Vec<(String, String)> {
        let mut all = vec![Self::Careful];
        all.extend(KgMistake::ALL.iter().map(|(m, _)| Self::Errs(*m)));
        all.push(Self::Erring { percent: 30 });
        all.into_iter().map(|s| (s.name(), s.label())).collect()
    }

    /// The script of that name: `script`, `mistaken:wrong-meaning`, `erring:30`.
    pub fn by_name(name: &str) -> Option<Self> {
        if name == "script" {
            return Some(Self::Careful);
        }
        if name == "mistaken" {
            return Some(Self::Errs(KgMistake::UnknownEdge));
        }
        if let Some(mistake) = name.strip_prefix("mistaken:") {
            let known = KgMistake::ALL.iter().find(|(_, n)| *n == mistake);
            return known.map(|(m, _)| Self::Errs(*m));
        }
        let percent = name.strip_prefix("erring:")?.parse().ok().filter(|p| *p <= 100)?;
        Some(Self::Erring { percent })
    }

    /// The name that options and addresses have.
    pub fn name(self) -> String {
        match self {
            Self::Careful => "script".into(),
            Self::Errs(mistake) => {
                let name = KgMistake::ALL.iter().find(|(m, _)| *m == mistake).map_or("", |m| m.1);
                format!("mistaken:{name}")
            }
            Self::Erring { percent } => format!("erring:{percent}"),
        }
    }

    /// The next turn of a conversation.
    pub fn turn(self, request: &ChatRequest) -> Message {
        let first = request.messages.first().map(|m| m.content.as_str()).unwrap_or_default();
        if first.starts_with(graph_cot::INSTRUCTIONS) {
            return cot::turn(self, first);
        }
        if first.starts_with(rag::INSTRUCTIONS) {
            return answerer::from_context(self, request);
        }
        if first.starts_with(JUDGING) {
            return answerer::grade(request);
        }
        if first.starts_with("You answer a question from what a traversal") {
            return answerer::from_traversal(self, request);
        }
        if request.messages.iter().any(|m| m.role == Role::User) {
            return planner::turn(self, request);
        }
        Message::assistant("This is a script, not a model: nothing was asked.")
    }

    /// The mistake that it makes at a turn, if it makes one. `turn` counts attempts at one thing,
    /// `at` says what it is about, so that two questions do not err alike.
    fn errs(self, at: &str, turn: usize, may: &[KgMistake]) -> Option<KgMistake> {
        match self {
            Self::Careful => None,
            Self::Errs(mistake) => (turn == 0 && may.contains(&mistake)).then_some(mistake),
            Self::Erring { percent } => {
                let hash = hash(&format!("{at}#{turn}"));
                let errs = (hash % 100) < u64::from(percent) && !may.is_empty();
                errs.then(|| may[(hash / 100) as usize % may.len()])
            }
        }
    }
}

impl KgScript {
    /// Whether it makes up an entity in its answer; a chance of its own, beside that of the plan.
    fn makes_up(self, question: &str) -> bool {
        self.errs(&format!("the answer to {question}"), 0, &[KgMistake::MadeUpAnswer]).is_some()
    }
}

/// FNV-1a with a last mixing, so that low digits are as good as high ones.
pub(crate) fn hash(text: &str) -> u64 {
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    let hash = (hash ^ (hash >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash ^ (hash >> 29)
}

/// What stands after the last `Question:` of a text, to the end of its line.
fn question_in(text: &str) -> &str {
    let at = text.rfind("Question: ").map_or(text.len(), |i| i + "Question: ".len());
    text[at..].lines().next().unwrap_or_default().trim()
}

impl Model for KgScript {
    fn label(&self) -> String {
        match self {
            Self::Careful => "script (no model)".into(),
            Self::Errs(mistake) => {
                let what = match mistake {
                    KgMistake::UnknownEdge => "invents an edge type",
                    KgMistake::UnknownType => "invents a node type",
                    KgMistake::UnknownAction => "invents an action",
                    KgMistake::WrongSource => "takes an edge that such nodes do not have",
                    KgMistake::WrongMeaning => "takes an edge of the wrong meaning",
                    KgMistake::MadeUpAnswer => "makes up an entity in the answer",
                };
                format!("mistaken script: {what}")
            }
            Self::Erring { percent } => format!("erring script: {percent} % of turns"),
        }
    }

    fn complete<'a>(
        &'a self,
        request: &'a ChatRequest,
        _watch: &'a dyn Watch,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        let message = self.turn(request);
        let finish = if message.tool_calls.is_empty() {
            FinishReason::Stop
        } else {
            FinishReason::ToolCalls
        };
        Box::pin(std::future::ready(Ok(ChatResponse { message, finish, usage: Usage::default() })))
    }
}

/// What a script says about a question that it does not know.
fn unknown() -> String {
    "This is a script, not a model: it knows only the questions of the list, others about generated \
     graphs, and those that are made from a graph's types."
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_finds_its_script() {
        for (name, label) in KgScript::names() {
            let script = KgScript::by_name(&name).unwrap();
            assert_eq!((script.name(), script.label()), (name, label.clone()));
            assert!(label.contains("script"));
        }
        for wrong in ["", "erring:", "erring:101", "mistaken:x", "gpt-4"] {
            assert_eq!(KgScript::by_name(wrong), None);
        }
    }

    #[test]
    fn a_chance_is_about_kept() {
        let script = KgScript::Erring { percent: 30 };
        let may = [KgMistake::UnknownEdge, KgMistake::WrongMeaning];
        let n = (0..2_000).filter(|i| script.errs(&format!("q{i}"), 0, &may).is_some()).count();
        assert!((540..660).contains(&n), "{n}");
    }
}
