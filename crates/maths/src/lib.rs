#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod functions;
mod lexer;
mod misread;
mod number;
mod parser;
mod show;

use num_bigint::BigInt;
use num_rational::Ratio;

/// How much a calculation may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MathsLimits {
    /// Bytes that the text may have.
    pub text_bytes: usize,
    /// How deep brackets, powers and calls may be nested.
    pub depth: usize,
    /// Digits that a number may have, above and below a fraction's line.
    pub digits: usize,
    /// Steps that a calculation may take; one of small numbers is one step, longer numbers take
    /// more. A million take some milliseconds natively, and some twenty in a browser.
    pub steps: u64,
}

impl Default for MathsLimits {
    fn default() -> Self {
        Self { text_bytes: 20_000, depth: 100, digits: 10_000, steps: 40_000_000 }
    }
}

/// What a calculation comes to.
#[derive(Clone, Debug)]
pub enum MathsValue {
    /// An exact whole number or fraction, in lowest terms.
    Exact(Ratio<BigInt>),
    /// A number with about 15 digits; always finite.
    Real(f64),
    /// What a comparison comes to.
    Truth(bool),
}

impl PartialEq for MathsValue {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            // In lowest terms, so without the library's comparison, which may go deep.
            (Self::Exact(one), Self::Exact(two)) => {
                one.numer() == two.numer() && one.denom() == two.denom()
            }
            (Self::Real(one), Self::Real(two)) => one == two,
            (Self::Truth(one), Self::Truth(two)) => one == two,
            _ => false,
        }
    }
}

/// What is wrong with a calculation, where, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}column {column}: {problem}: {hint}", Line(*line))]
pub struct MathsError {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What cannot be, in words.
    pub problem: String,
    /// What would be right.
    pub hint: String,
}

/// Shows a line where it is not the first.
struct Line(usize);

impl std::fmt::Display for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0 > 1 { write!(f, "line {}, ", self.0) } else { Ok(()) }
    }
}

/// Calculates what a text comes to.
///
/// There are `+ - * / // % ^ ** !`, brackets, `< <= > >= == !=`, percentages (`20%` is 0.2, and
/// `20% of 50` is 10), the names `pi`, `e` and `tau`, and the functions that an error about an
/// unknown name lists. `//` and `%` round towards less, as in Python; `^` and `**` are powers;
/// `round` takes halves away from zero. `x = 3` names a value for what comes after the next `;` or
/// the next line; the last value is the answer.
///
/// # Errors
///
/// If the text is not understood, has no value, or takes more than `limits` allow.
///
/// # Complexity
///
/// Time in proportion to the text and to the square of the numbers' digits, at most
/// [`MathsLimits::steps`]; the stack grows with [`MathsLimits::depth`].
pub fn evaluate(text: &str, limits: &MathsLimits) -> Result<MathsValue, MathsError> {
    if text.len() > limits.text_bytes {
        return Err(MathsError {
            line: 1,
            column: 1,
            problem: format!(
                "the text has {} bytes, and at most {} are read",
                text.len(),
                limits.text_bytes
            ),
            hint: "calculate it in parts".to_owned(),
        });
    }
    parser::run(text, limits).map_err(|fault| {
        let before: Vec<char> = text.chars().take(fault.at).collect();
        let start = before.iter().rposition(|char| *char == '\n').map_or(0, |at| at + 1);
        MathsError {
            line: 1 + before.iter().filter(|char| **char == '\n').count(),
            column: before.len() - start + 1,
            problem: fault.problem,
            hint: fault.hint,
        }
    })
}

/// What is wrong, and at which character of the text.
#[derive(Debug)]
struct Fault {
    at: usize,
    problem: String,
    hint: String,
}

/// What is wrong with numbers, wherever they stand.
#[derive(Debug)]
struct Wrong {
    problem: String,
    hint: String,
}

impl Wrong {
    fn new(problem: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { problem: problem.into(), hint: hint.into() }
    }

    fn at(self, at: usize) -> Fault {
        Fault { at, problem: self.problem, hint: self.hint }
    }
}
