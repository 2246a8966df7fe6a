//! The crate from outside.

// What the tests share may fail as they may.
#![allow(clippy::unwrap_used)]

mod asking_again;
mod closed_loop;
mod tool_styles;
