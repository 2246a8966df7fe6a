//! Turns a text into what it says, once for verdicts and for claims.
//!
//! A text becomes plain ([`normal`]: one spelling for arrows, dashes, quotes and numbers; thoughts, tables and
//! JSON written out), then tokens, then sentences. Whether a sentence asserts, supposes, asks or takes back
//! is decided in [`force`], for every task alike. What is asked is not known here.

mod asked;
mod force;
mod language;
mod lexicon;
mod names;
mod normal;
mod open;
mod origin;
mod rules;
mod runs;
mod tables;
mod text;
mod tokens;
mod wrappings;

pub use asked::asked_parts;
pub(crate) use force::{Decision, Said, asserted, leads, marked, muses, supposes, takes_back};
pub(crate) use lexicon::{Phrases, phrases};
pub(crate) use names::Names;
pub(crate) use normal::spell;
pub(crate) use open::two_answers;
pub(crate) use origin::Draft;
pub use rules::{ReadingPart, ReadingRule};
pub(crate) use runs::Run;
pub(crate) use text::{Reading, Sentence, Stop, contains};
pub(crate) use tokens::Kind;
