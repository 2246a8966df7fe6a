//! What runs in a worker: [`Request`]s in, a stream of [`Event`]s out.
//!
//! The engine has no clock, no socket and no thread: its [`Host`] supplies them, so that the same
//! code runs in a Web Worker and in a test.
#![warn(missing_docs)]

mod attachments;
mod bench;
mod catalog;
mod compact;
mod dataset;
mod family;
mod fetch;
mod gzip;
mod host;
mod jobs;
pub mod kg;
pub mod likeness;
pub mod link;
pub mod message;
mod parts;
mod person;
mod problem;
mod rescue;
mod run;
pub mod sparql;
pub mod toolformer;
mod traces;

pub use attachments::Attachments;
pub use gzip::gunzip;
pub use host::Host;
pub use jobs::Engine;
pub use message::{Envelope, Event, Output, Request};
pub use parts::Parts;
