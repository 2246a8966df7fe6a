//! One entry of a trace, and why a run ended.

use graph::Delta;
use graph::functions::Touched;
use llm::{FinishReason, Message, ToolCall, TurnEnd, Usage};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What a tool did to the graph, handed through the agent unopened.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Effects {
    /// The changes of the graph, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deltas: Vec<Delta>,
    /// What it read or points to.
    #[serde(default)]
    pub touched: Touched,
}

/// The kinds of mistakes that a model makes with tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MistakeKind {
    /// There is no tool of that name.
    UnknownTool,
    /// The arguments are not JSON.
    BadJson,
    /// The arguments do not fit the tool's schema.
    Schema,
    /// The tool refused: an unknown node, a graph that is not bipartite.
    Library,
    /// The limit on tokens cut the call off.
    CutOff,
}

impl MistakeKind {
    /// Its name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::UnknownTool => "unknown function",
            Self::BadJson => "malformed JSON",
            Self::Schema => "schema violation",
            Self::Library => "refused by the library",
            Self::CutOff => "cut off at the limit on tokens",
        }
    }
}

/// Why a call failed: data in the trace, and the model's answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolError {
    /// Which kind of mistake.
    pub kind: MistakeKind,
    /// A stable word, such as `unknown_node`.
    pub code: String,
    /// What was wrong and what would be right.
    pub message: String,
    /// Evidence for the error, such as the nodes that are unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Value>,
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolResult {
    /// The tool gave a value.
    Value {
        /// The value as JSON.
        value: Value,
        /// Remarks, such as "the graph is directed; it was treated as undirected".
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        notes: Vec<String>,
    },
    /// A mistake of the model.
    Error(ToolError),
}

impl ToolResult {
    /// What a model reads of it: one JSON object with `result`, or with `error`.
    pub fn to_model_text(&self) -> String {
        match self {
            Self::Value { value, notes } if notes.is_empty() => json!({ "result": value }),
            Self::Value { value, notes } => json!({ "result": value, "notes": notes }),
            Self::Error(e) => {
                let mut error = json!({ "error": { "type": e.code, "message": e.message } });
                if let Some(witness) = &e.witness {
                    error["error"]["witness"] = witness.clone();
                }
                error
            }
        }
        .to_string()
    }
}

/// One entry of a trace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Milliseconds since the run began.
    pub at_ms: f64,
    /// Milliseconds that it took.
    pub took_ms: f64,
    /// Whether a person said or changed this in the model's or the tool's place. What a person
    /// changed is no drift when the trace is replayed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_person: bool,
    /// What kind of step it is, with its content.
    pub body: StepBody,
}

/// What happened in a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum StepBody {
    /// A turn of the model.
    Model {
        /// What it said and called.
        message: Message,
        /// Why the model stopped writing.
        finish: FinishReason,
        /// Tokens of this turn, as the endpoint reports them.
        usage: Usage,
        /// Hash of the bytes that were sent; for a model that is sent none, of messages and tools.
        request_hash: String,
    },
    /// A tool call with its result.
    Call {
        /// The call as the model made it.
        call: ToolCall,
        /// What came of it.
        result: ToolResult,
        /// What the call changed and touched.
        effects: Effects,
        /// What the model read in place of a result that was too long for it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        told: Option<String>,
    },
    /// Which tools the model gets from here on. Paper: Graph-Grounded LLMs §IV, "Context Length
    /// Limitations".
    Choice {
        /// Their names, in the order in which they are sent.
        tools: Vec<String>,
        /// Of so many that there are.
        n_tools: usize,
        /// Why these: how they were chosen, or what made the choice wider.
        reason: String,
        /// Tokens of their definitions, where they were counted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        n_tokens: Option<u64>,
    },
    /// Several runs put together by the majority of their answers. Paper: Graph-Grounded LLMs §IV,
    /// "Function Utilization Errors".
    Vote {
        /// The answers, the most frequent first.
        tallies: Vec<Tally>,
        /// Whether two answers or more lead together; then the one that came first is taken.
        tie: bool,
    },
    /// What the system says to the model between its turns.
    Prompt {
        /// The messages that were added, in their order.
        messages: Vec<Message>,
        /// Whether they begin a conversation of their own, which knows nothing of what was said.
        #[serde(default)]
        fresh: bool,
    },
    /// What a verifier found. Paper: GraphRunner §3.3.
    Findings {
        /// What was verified, for people: `plan, round 1`.
        stage: String,
        /// What is wrong; empty where nothing is.
        findings: Vec<Finding>,
    },
    /// A program that the model wrote was run. Where it has no fault, what it printed is the answer.
    Program {
        /// The program.
        code: String,
        /// What it printed.
        output: String,
        /// What it wrote to its standard error.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        errors: String,
        /// Its exit code; absent where it was ended.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exit: Option<i64>,
        /// Why it gives no answer, in words for the model and for people.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fault: Option<String>,
    },
    /// Something worth saying that is none of these.
    Note {
        /// The note, in words for a person.
        text: String,
    },
}

impl StepBody {
    /// What came of a program, in words: what it printed, and what was wrong with it. Empty for any other
    /// step.
    pub fn program_text(&self) -> String {
        let Self::Program { output, errors, fault, .. } = self else { return String::new() };
        let mut text = match output.trim_end() {
            "" => "The program printed nothing.".to_owned(),
            output => format!("The program printed:\n{output}"),
        };
        if !errors.trim().is_empty() {
            text.push_str(&format!("\nTo its standard error:\n{}", errors.trim_end()));
        }
        if let Some(fault) = fault {
            text.push_str(&format!("\nThe program gives no answer: {fault}"));
        }
        text
    }
}

/// The rule of a [`Finding`] that an endpoint left the tools out of what the model read.
pub const TOOLS_DROPPED: &str = "tools_dropped";
/// The rule of a [`Finding`] that tools were offered and none was called.
pub const TOOLS_UNUSED: &str = "tools_unused";

/// The rule of a [`Finding`] that a reply was to have a program and has none.
pub const NO_PROGRAM: &str = "no_program";

/// Something that a verifier found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The rule that is broken, such as `V5`.
    pub rule: String,
    /// Where: a step of a plan, words of an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Whether it stands in the way; else it is a remark.
    pub is_error: bool,
    /// What is wrong, and what would be right.
    pub message: String,
    /// What could stand there instead.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
}

/// How often an answer was given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// The answer, as it was read.
    pub answer: String,
    /// Which runs gave it, counted from 0.
    pub runs: Vec<usize>,
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Stop {
    /// The model gave its final answer.
    Answered,
    /// As many rounds as allowed.
    Rounds,
    /// As many calls as allowed.
    Calls,
    /// As many tokens as allowed.
    Tokens,
    /// As much time as allowed.
    Deadline,
    /// A person stopped it.
    Cancelled,
    /// The limit on tokens cut the answer off.
    CutOff,
    /// The endpoint withheld the answer, or the model declined.
    Refused {
        /// The endpoint's own word for it.
        reason: String,
    },
    /// The model ended well and said nothing.
    Empty,
    /// The model asked the person something in place of an answer.
    AskedBack,
    /// The program that the model wrote gave no answer, or the model wrote none.
    NoProgram {
        /// What was wrong with the last one.
        reason: String,
    },
    /// No answer came from the model.
    ModelFailed {
        /// What was wrong and what would be right, as the model read it.
        message: String,
        /// The conversation did not fit the model's context window: an outcome like any other,
        /// which the same question would meet again.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_overflow: bool,
    },
}

impl From<TurnEnd> for Stop {
    /// A run that ends with such a turn. One that calls tools has not ended: its calls were too many.
    fn from(end: TurnEnd) -> Self {
        match end {
            TurnEnd::Answered => Self::Answered,
            TurnEnd::Called => Self::Calls,
            TurnEnd::CutOff => Self::CutOff,
            TurnEnd::Failed { reason } => Self::ModelFailed { message: reason, is_overflow: false },
            TurnEnd::Refused { reason } => Self::Refused { reason },
            TurnEnd::Empty => Self::Empty,
            TurnEnd::AskedBack => Self::AskedBack,
        }
    }
}

impl Stop {
    /// Whether one reply did not come, or came to nothing: the same question may get another.
    pub fn is_of_one_reply(&self) -> bool {
        match self {
            Self::ModelFailed { is_overflow, .. } => !is_overflow,
            Self::CutOff | Self::Refused { .. } | Self::Empty => true,
            _ => false,
        }
    }

    /// In a few words for people.
    pub fn title(&self) -> String {
        match self {
            Self::Answered => "answered".into(),
            Self::Rounds => "stopped: the limit on rounds was reached".into(),
            Self::Calls => "stopped: the limit on calls was reached".into(),
            Self::Tokens => "stopped: the limit on tokens was reached".into(),
            Self::Deadline => "stopped: the time was up".into(),
            Self::Cancelled => "stopped by you".into(),
            Self::CutOff => "not answered: the limit on tokens cut the answer off".into(),
            Self::Refused { reason } => format!("not answered: refused ({reason})"),
            Self::Empty => "not answered: the model said nothing".into(),
            Self::AskedBack => "not answered: the model asks back".into(),
            Self::NoProgram { reason } => format!("not answered: {reason}"),
            Self::ModelFailed { message, .. } => message.clone(),
        }
    }
}
