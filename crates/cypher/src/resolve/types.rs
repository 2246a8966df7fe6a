//! What is known of a value before anything is run.

use crate::ast::{Expr, ExprKind};
use crate::value::CypherValue;

/// What a value will be, as far as the query alone tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    /// Nothing is known.
    Any,
    Null,
    Bool,
    Int,
    Float,
    Text,
    Map,
    Node,
    Edge,
    /// A list of edges: a pattern of any length.
    Edges,
    List,
    Path,
    Temporal,
}

impl Type {
    pub fn of(value: &CypherValue) -> Self {
        match value {
            CypherValue::Null => Self::Null,
            CypherValue::Bool(_) => Self::Bool,
            CypherValue::Int(_) => Self::Int,
            CypherValue::Float(_) => Self::Float,
            CypherValue::Text(_) => Self::Text,
            CypherValue::List(_) => Self::List,
            CypherValue::Map(_) => Self::Map,
            CypherValue::Node(_) => Self::Node,
            CypherValue::Edge(_) => Self::Edge,
            CypherValue::Path(_) => Self::Path,
            CypherValue::Temporal(_) => Self::Temporal,
        }
    }

    /// What an expression is that is a value as it is written.
    pub fn of_written(expr: &Expr) -> Self {
        match &expr.kind {
            ExprKind::Constant(value) => Self::of(value),
            ExprKind::Map(_) => Self::Map,
            ExprKind::List(_) => Self::List,
            _ => Self::Any,
        }
    }

    /// Whether it can be one of these: it is, or nothing is known, or it is null.
    pub fn can_be(self, any_of: &[Type]) -> bool {
        matches!(self, Self::Any | Self::Null) || any_of.contains(&self)
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Any => "a value",
            Self::Null => "null",
            Self::Bool => "a Boolean",
            Self::Int => "a whole number",
            Self::Float => "a number",
            Self::Text => "a text",
            Self::Map => "a map",
            Self::Node => "a node",
            Self::Edge => "a relationship",
            Self::Edges => "a list of relationships",
            Self::List => "a list",
            Self::Path => "a path",
            Self::Temporal => "a date or a time",
        }
    }
}
