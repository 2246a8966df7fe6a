#![doc = include_str!("../README.md")]
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
