#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod attached;
mod called;
pub mod claims;
pub mod dataset;
mod definition;
mod error;
mod exemplars;
pub mod family;
mod gracore;
mod graph_arena;
mod graph_instruct;
mod graphwiz;
mod judgement;
pub mod kgot;
pub mod kgqa;
mod names;
mod nlgraph;
pub mod official;
mod oracle;
mod parse;
mod printed;
mod problem;
mod query;
mod random;
mod read_text;
mod reading;
pub mod rescue;
mod statements;
mod style;
mod task;
mod verify;

pub use attached::parse_attached;
pub use definition::{EdgeNumber, Slip, SlipKind, TaskGroup};
pub use error::{ParseError, UnknownTask};
pub use exemplars::n_exemplars;
pub use graph_instruct::Start;
pub use graphwiz::substructure::Pattern;
pub use judgement::{
    CertLine, Certificate, EdgeMark, EvidenceMarks, Judgement, MarkKind, NodeMark, Verdict,
};
pub use parse::{MAX_QUESTION_BYTES, MAX_QUESTION_EDGES, MAX_QUESTION_NODES, parse_question};
pub use problem::{Difficulty, Problem, Wording};
pub use query::{
    Atoms, Between, Couple, Ends, Layers, SideSizes, Terminals, TwoParts, Whole, YesOrNo,
};
pub use read_text::explain_reading;
pub use reading::{ReadingPart, ReadingRule, asked_parts};
pub use style::Style;
pub use task::{Answer, Query, TASKS, Task, TaskId, answers, task};
pub use verify::flow::FlowClaim;
pub use verify::{verify, verify_answer};

/// The version of the rules by which answers are read and judged: it rises with every change that
/// may give another verdict, and stands beside every published figure.
pub const VERIFIER_VERSION: u32 = 10;

/// The answer to a problem, from the graph library's algorithms.
///
/// Where several answers are right (a path, an order, a matching), one of them. A query about a
/// node that the graph does not have gets the empty answer of its kind.
pub fn solve(problem: &Problem) -> Answer {
    problem.solve()
}

/// An answer in the benchmark's own reference wording, empty for an answer to another kind of
/// question, such as
/// `The maximum flow from node 0 to node 2 is 7.`
pub fn reference_text(problem: &Problem, answer: &Answer) -> String {
    problem.reference(answer, false)
}
