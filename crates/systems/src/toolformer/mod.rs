//! Graph-ToolFormer: a language of calls in what a model writes, and what runs them.
//!
//! A model writes `The order of the bull graph is [GR(GL("gpr", {"bull_graph"}), "toolx:order")-->r].`
//! [`parse`] finds the calls, an [`Executor`] loads what they name, asks the models of its [`Hubs`],
//! and fills the results in. Paper: Graph-ToolFormer §4.2, §4.7; `docs/toolformer.md` has the
//! language, and where this departs from the paper and from its public code.

pub mod agreement;
mod ask;
mod classes;
pub mod communities;
pub mod data;
mod error;
mod execute;
pub mod experiment;
pub mod files;
mod fill;
pub mod generators;
pub mod hubs;
pub mod instance;
mod lex;
mod load;
mod memory;
pub mod pack;
mod parse;
mod print;
pub mod prompts;
pub mod published;
pub mod python;
mod reasoner;
pub mod report;
pub mod score;
pub mod scripted;
mod syntax;
mod tables;
pub mod toolx;
mod tree;
pub mod wordnet;
pub mod write;

pub use classes::{StatementFault, statement_fault};
pub use error::CallError;
pub use execute::{
    CallRun, ExecutedCall, ExecutedText, Executor, Mode, Piece, Recall, Replacement, StepRun,
};
pub use fill::Order;
pub use hubs::Hubs;
pub use instance::Instance;
pub use load::Loaded;
pub use memory::{CAPACITY, Memory, MemoryEntry, MemoryValue, Shown};
pub use parse::{
    MAX_BRACKETS, MAX_DEPTH, MAX_ELEMENTS, MAX_ITEMS, MAX_TEXT, Segment, Site, parse, sites,
};
pub use reasoner::{Argument, Reasoned, Reasoner, ReasonerRequest};
pub use syntax::{Hint, SyntaxError};
pub use tree::{Api, Arrow, Bracket, BracketOutput, Call, Tag, Value};
