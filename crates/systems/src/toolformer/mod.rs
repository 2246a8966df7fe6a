//! Graph-ToolFormer: a language of calls in what a model writes, and what runs them.
//!
//! A model writes `The order of the bull graph is [GR(GL("gpr", {"bull_graph"}), "toolx:order")-->r].`
//! [`parse`] finds the calls. Paper: Graph-ToolFormer §4.2, §4.7; `docs/toolformer.md` has the
//! language, and where this departs from the paper and from its public code.

pub mod instance;
mod lex;
mod parse;
mod print;
pub mod python;
mod syntax;
mod tree;

pub use instance::Instance;
pub use parse::{
    MAX_BRACKETS, MAX_DEPTH, MAX_ELEMENTS, MAX_ITEMS, MAX_TEXT, Segment, Site, parse, sites,
};
pub use syntax::{Hint, SyntaxError};
pub use tree::{Api, Arrow, Bracket, Call, Output, Tag, Value};
