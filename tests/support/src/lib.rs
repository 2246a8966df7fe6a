//! What tests of several crates share: models, transports and servers that answer what a test says,
//! and folders that are gone at its end.

// What tests share may fail as they may.
#![allow(clippy::unwrap_used)]

mod folder;
mod models;
mod server;
mod transports;

pub use folder::Folder;
pub use models::{Lines, calling, context};
pub use server::{Answer, Asked, StubServer, said};
pub use transports::{Answering, response};
