//! What a statement with calls is made of.

use super::lex::identifier_end;
use serde::{Deserialize, Serialize};

/// The functions that a call can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Api {
    /// Loads a graph, or a part of one.
    #[serde(rename = "GL")]
    Load,
    /// Reasons about a graph.
    #[serde(rename = "GR")]
    Reason,
}

impl Api {
    /// Both functions, the one that loads first.
    pub const ALL: [Self; 2] = [Self::Load, Self::Reason];

    /// Its name in a call.
    pub fn name(self) -> &'static str {
        match self {
            Self::Load => "GL",
            Self::Reason => "GR",
        }
    }
}

/// A function with its arguments: `GR(GL("cora"), "graph_bert:topic", paper#83826)`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// Whether the call loads or reasons.
    pub api: Api,
    /// What it is given.
    pub arguments: Vec<Value>,
}

/// An argument of a call, or an element of a set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// A call whose result is the argument.
    Call(Call),
    /// A quoted text.
    Text(String),
    /// `{"a", "b"}`; its elements are texts, numbers, names, references and tuples.
    Set(Vec<Value>),
    /// `("a", "b")` in a set.
    Tuple(Vec<Value>),
    /// `paper#83826`.
    Reference {
        /// What it is: `paper`, `user`, `entity`, …
        kind: String,
        /// The id behind the sign: `83826`.
        id: String,
    },
    /// A whole number.
    Number(i64),
    /// A bare word: the name of an earlier result such as `G_l`, or bare words in a set.
    Name(String),
}

/// Which arrow stands in a tag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Arrow {
    /// `-->`, as in the data; the reference knows no other.
    #[default]
    Long,
    /// `->`, as in the paper.
    Short,
    /// `→`, as in the paper's formulas.
    Sign,
}

impl Arrow {
    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            Self::Long => "-->",
            Self::Short => "->",
            Self::Sign => "→",
        }
    }
}

/// What a bracket says of its result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BracketOutput {
    /// `r`: it takes the bracket's place in the text.
    Result,
    /// A value in the result's place, as in the paper's tables: `->4.0`.
    Value(String),
    /// A name by which later calls speak of it: `-> G_l`.
    Name(String),
}

/// The end of a bracket whose result is wanted: `-->r`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tag {
    /// Which of the two arrows is written.
    pub arrow: Arrow,
    /// What stands behind it.
    pub output: BracketOutput,
}

/// One bracket: a call, or several in sequence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bracket {
    /// Its calls, at least one.
    pub calls: Vec<Call>,
    /// Its tag; a bracket without one is silent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<Tag>,
}

impl Bracket {
    /// The same in the spelling of the data: a long arrow, and `r` for whatever is put into the text.
    #[must_use]
    pub fn canonical(&self) -> Self {
        let tag = self.tag.as_ref().map(|tag| {
            let output = match &tag.output {
                BracketOutput::Name(name) => BracketOutput::Name(name.clone()),
                BracketOutput::Result | BracketOutput::Value(_) => BracketOutput::Result,
            };
            Tag { arrow: Arrow::Long, output }
        });
        Self { calls: self.calls.iter().map(Call::canonical).collect(), tag }
    }

    /// Whether its result takes its place in the text.
    pub fn is_inserted(&self) -> bool {
        self.tag.as_ref().is_some_and(|t| !matches!(t.output, BracketOutput::Name(_)))
    }
}

impl Call {
    /// The same with quoted references and numbers written bare, so that two spellings of one call
    /// are equal.
    #[must_use]
    pub fn canonical(&self) -> Self {
        Self { api: self.api, arguments: self.arguments.iter().map(Value::canonical).collect() }
    }
}

impl Value {
    fn canonical(&self) -> Self {
        match self {
            Self::Call(call) => Self::Call(call.canonical()),
            Self::Set(all) => Self::Set(all.iter().map(Self::canonical).collect()),
            Self::Tuple(all) => Self::Tuple(all.iter().map(Self::canonical).collect()),
            Self::Text(text) => bare(text).unwrap_or_else(|| self.clone()),
            _ => self.clone(),
        }
    }

    /// The words of a text, a name, a number or a reference's id; none for the others.
    pub fn words(&self) -> Option<String> {
        match self {
            Self::Text(text) | Self::Name(text) => Some(text.clone()),
            Self::Reference { id, .. } => Some(id.clone()),
            Self::Number(n) => Some(n.to_string()),
            Self::Call(_) | Self::Set(_) | Self::Tuple(_) => None,
        }
    }
}

/// A reference or a number as the whole of a text; for values that stand in quotes in one place and
/// without them in another.
pub(super) fn bare(text: &str) -> Option<Value> {
    let text = text.trim();
    if let Ok(number) = text.parse::<i64>()
        && number.to_string() == text
    {
        return Some(Value::Number(number));
    }
    let (kind, id) = text.split_once('#')?;
    let (kind, id) = (kind.trim_end(), id.trim_start());
    let is_kind = !kind.is_empty() && identifier_end(kind) == kind.len();
    let is_id =
        !id.is_empty() && !id.contains(|c: char| c.is_whitespace() || ",)]}{(\"“”".contains(c));
    (is_kind && is_id).then(|| Value::Reference { kind: kind.to_owned(), id: id.to_owned() })
}
