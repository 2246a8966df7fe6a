//! Why a query gives no table.

use std::fmt;

pub use crate::causes::{Cause, CypherErrorKind, Phase};

/// A place in a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The byte, from 0.
    pub offset: usize,
    /// The line, from 1.
    pub line: usize,
    /// The letter in its line, from 1.
    pub column: usize,
}

impl Position {
    /// The place of a byte in a text.
    pub fn of(text: &str, offset: usize) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Self {
            offset,
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Why a query gives no table. Boxed inside, so that results stay small.
#[derive(Clone, Debug, PartialEq)]
pub struct CypherError(Box<Parts>);

#[derive(Clone, Debug, PartialEq)]
struct Parts {
    kind: CypherErrorKind,
    phase: Phase,
    cause: Cause,
    message: String,
    hint: Option<String>,
    at: Option<Position>,
    offset: Option<usize>,
}

impl CypherError {
    /// A fault that every graph would show.
    pub(crate) fn syntax(cause: Cause, offset: usize, message: impl Into<String>) -> Self {
        Self::new(CypherErrorKind::SyntaxError, Phase::Compile, cause, message).or_at(offset)
    }

    /// A fault that this graph and these parameters show.
    pub(crate) fn run(kind: CypherErrorKind, cause: Cause, message: impl Into<String>) -> Self {
        Self::new(kind, Phase::Run, cause, message)
    }

    pub(crate) fn new(
        kind: CypherErrorKind,
        phase: Phase,
        cause: Cause,
        message: impl Into<String>,
    ) -> Self {
        let message = message.into();
        Self(Box::new(Parts { kind, phase, cause, message, hint: None, at: None, offset: None }))
    }

    /// Says what would be right.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// Says at which byte it is, if that is not known yet.
    pub(crate) fn or_at(mut self, offset: usize) -> Self {
        self.0.offset.get_or_insert(offset);
        self
    }

    /// Turns the byte into line and column.
    pub(crate) fn placed_in(mut self, query: &str) -> Self {
        self.0.at = self.0.offset.map(|offset| Position::of(query, offset));
        self
    }

    /// Of which sort it is.
    pub fn kind(&self) -> CypherErrorKind {
        self.0.kind
    }

    /// When it was found.
    pub fn phase(&self) -> Phase {
        self.0.phase
    }

    /// Which fault it is.
    pub fn cause(&self) -> Cause {
        self.0.cause
    }

    /// What is wrong, in words.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// What would be right, where that is known.
    pub fn what_to_do(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }

    /// Where it is, where that is known.
    pub fn position(&self) -> Option<Position> {
        self.0.at
    }
}

impl fmt::Display for CypherError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(at) = self.position() {
            write!(f, "{at}: ")?;
        }
        f.write_str(self.message())?;
        if let Some(hint) = self.what_to_do() {
            write!(f, "; {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for CypherError {}

impl From<kg::property::PropertyError> for CypherError {
    fn from(error: kg::property::PropertyError) -> Self {
        use kg::property::PropertyError as E;
        let (kind, cause) = match error {
            E::NoNode(_) | E::NoEdge(_) => {
                (CypherErrorKind::EntityNotFound, Cause::DeletedEntityAccess)
            }
            E::HasEdges { .. } => {
                (CypherErrorKind::ConstraintVerificationFailed, Cause::DeleteConnectedNode)
            }
            E::TooLong { .. } | E::TooMany { .. } => {
                (CypherErrorKind::LimitExceeded, Cause::TooMuch)
            }
            _ => (CypherErrorKind::ArgumentError, Cause::InvalidArgumentValue),
        };
        Self::run(kind, cause, error.to_string())
    }
}
