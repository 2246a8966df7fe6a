//! The expressions of a composed function, as a tree.

use std::collections::BTreeSet;

/// The longest source, in bytes.
pub(super) const MAX_SOURCE: usize = 4_000;
/// The most expressions of a source.
pub(super) const MAX_EXPRESSIONS: usize = 400;
/// How deep expressions may be nested. Whatever walks the tree calls itself once a level.
pub(super) const MAX_DEPTH: usize = 40;

/// An expression, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Expr {
    /// The byte at which it begins.
    pub(super) at: usize,
    /// How deep the deepest expression in it is.
    pub(super) depth: usize,
    pub(super) kind: Kind,
}

/// An argument of a graph function: its name, where that stands, and its value.
pub(super) type Named = (String, usize, Expr);

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Null,
    Boolean(bool),
    Number(f64),
    Text(String),
    /// A parameter, or what a `let` or an item of a list is called.
    Name(String),
    List(Vec<Expr>),
    Record(Vec<Named>),
    Field(Box<Expr>, String),
    Index(Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    Negative(Box<Expr>),
    Binary(Operator, Box<Expr>, Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A graph function on the graph as it stands.
    Call(String, Vec<Named>),
    /// An operation of the language on values.
    Operation(&'static str, Vec<Expr>),
    /// An item of a list, and what is made of it.
    Each(String, Box<Expr>),
    /// Statements, and the value at their end.
    Block(Vec<Statement>, Box<Expr>),
}

/// One `let`, or a call for what it does to the graph.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Statement {
    pub(super) name: Option<String>,
    pub(super) value: Expr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Otherwise,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl Operator {
    pub(super) fn sign(self) -> &'static str {
        match self {
            Self::Or => "or",
            Self::And => "and",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::Otherwise => "??",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
        }
    }
}

impl Expr {
    /// The expressions directly in this one.
    fn children(&self) -> Vec<&Self> {
        match &self.kind {
            Kind::Null | Kind::Boolean(_) | Kind::Number(_) | Kind::Text(_) | Kind::Name(_) => {
                Vec::new()
            }
            Kind::List(items) | Kind::Operation(_, items) => items.iter().collect(),
            Kind::Record(fields) | Kind::Call(_, fields) => fields.iter().map(|f| &f.2).collect(),
            Kind::Field(of, _) | Kind::Not(of) | Kind::Negative(of) | Kind::Each(_, of) => vec![of],
            Kind::Index(a, b) | Kind::Binary(_, a, b) => vec![a, b],
            Kind::If(a, b, c) => vec![a, b, c],
            Kind::Block(statements, end) => {
                statements.iter().map(|s| &s.value).chain([&**end]).collect()
            }
        }
    }

    /// The names of the graph functions that it calls.
    pub(super) fn calls(&self) -> BTreeSet<&str> {
        let mut names = BTreeSet::new();
        let mut open = vec![self];
        while let Some(expr) = open.pop() {
            if let Kind::Call(name, _) = &expr.kind {
                names.insert(name.as_str());
            }
            open.extend(expr.children());
        }
        names
    }
}
