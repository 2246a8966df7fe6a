//! Graph-ToolFormer from outside: its language, its tools, its executor, and its public data where
//! they are at hand.

mod conformance;
mod executor;
mod language;
mod parts;
mod prompts;
mod wordnet;
