//! Calls as text: as a model writes them, and in the form of the reference's parse trees.

use std::fmt;

use super::python::quoted;
use super::tree::{Bracket, BracketOutput, Call, Tag, Value};

fn list<T: fmt::Display>(f: &mut fmt::Formatter<'_>, all: &[T]) -> fmt::Result {
    for (i, item) in all.iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{item}")?;
    }
    Ok(())
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.api.name())?;
        list(f, &self.arguments)?;
        f.write_str(")")
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Call(call) => write!(f, "{call}"),
            Self::Text(text) => write!(f, "\"{text}\""),
            Self::Set(all) => {
                f.write_str("{")?;
                list(f, all)?;
                f.write_str("}")
            }
            Self::Tuple(all) => {
                f.write_str("(")?;
                list(f, all)?;
                f.write_str(")")
            }
            Self::Reference { kind, id } => write!(f, "{kind}#{id}"),
            Self::Number(n) => write!(f, "{n}"),
            Self::Name(name) => f.write_str(name),
        }
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arrow = self.arrow.text();
        match &self.output {
            BracketOutput::Result => write!(f, "{arrow}r"),
            BracketOutput::Value(text) | BracketOutput::Name(text) => write!(f, "{arrow}{text}"),
        }
    }
}

impl fmt::Display for Bracket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        list(f, &self.calls)?;
        if let Some(tag) = &self.tag {
            write!(f, "{tag}")?;
        }
        f.write_str("]")
    }
}

impl Bracket {
    /// The parse tree in the reference's form:
    /// `(("GR", [("GL", ["cora"]), "graph_bert:topic", "paper#83826"]), [True])`. Several calls of
    /// one bracket stand side by side before the tag.
    pub fn tree(&self) -> String {
        let calls: Vec<String> = self.calls.iter().map(Call::tree).collect();
        let tag = if self.is_inserted() { "True" } else { "False" };
        format!("({}, [{tag}])", calls.join(", "))
    }
}

impl Call {
    /// The call in the form of a parse tree, without a tag.
    pub fn tree(&self) -> String {
        format!("({}, [{}])", quoted(self.api.name()), trees(&self.arguments))
    }
}

impl Value {
    fn tree(&self) -> String {
        match self {
            Self::Call(call) => call.tree(),
            Self::Text(text) | Self::Name(text) => quoted(text),
            Self::Set(all) => format!("{{{}}}", trees(all)),
            Self::Tuple(all) => format!("({})", trees(all)),
            Self::Reference { .. } | Self::Number(_) => quoted(&self.to_string()),
        }
    }
}

fn trees(all: &[Value]) -> String {
    all.iter().map(Value::tree).collect::<Vec<_>>().join(", ")
}
