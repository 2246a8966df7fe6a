//! Answers that models gave before, each held against its problem.

use serde::{Deserialize, Serialize};
use tasks::Judgement;
use tasks::claims::Claim;

use crate::exact::Exact;
use crate::problem::ProblemView;
use crate::service::services;

/// The largest log of answers that is read, in bytes.
pub const MAX_LOG_BYTES: usize = 20_000_000;
/// The most bytes of an answer that are kept; what is beyond is cut off before claims are found.
pub const MAX_ANSWER_BYTES: usize = 20_000;
/// The most answers with a false claim that are kept.
pub const MOST_ANSWERS: usize = 200;

/// Reads a log of answers, one JSON object a line (`tasks::dataset::parse_answered` says which), or a runs
/// file of `graphground bench`, and finds what is false in them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckAnswers {
    /// The lines.
    pub text: String,
}

/// An answer with a false claim.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckedAnswer {
    /// The problem with its question.
    pub problem: ProblemView,
    /// The name of the model; empty where the log has none.
    pub model: String,
    /// The day on which the answer was recorded, where the log has it.
    pub recorded: Option<String>,
    /// What the model wrote.
    pub text: String,
    /// How right it is.
    pub judgement: Judgement,
    /// What it claims, in the order of the text; at least one claim is false.
    pub claims: Vec<Claim>,
}

/// What a log of answers holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CheckedAnswers {
    /// The first answers with a false claim, in the order of the log.
    pub answers: Vec<CheckedAnswer>,
    /// Answers that were read.
    pub n_read: usize,
    /// Those of them with a false claim.
    pub n_false: usize,
    /// Lines that could not be read.
    pub n_unread: usize,
    /// What is wrong with the first of these, with its number.
    pub fault: Option<String>,
}

impl CheckedAnswers {
    /// Takes in what another log holds.
    pub fn absorb(&mut self, other: Self) {
        self.answers.extend(other.answers);
        self.n_read += other.n_read;
        self.n_false += other.n_false;
        self.n_unread += other.n_unread;
        self.fault = self.fault.take().or(other.fault);
    }
}

services! {
    CheckAnswers, "answers/check" => Exact<CheckedAnswers>,
}
