#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

pub mod answers;
pub mod bench;
pub mod compact;
pub mod exact;
pub mod family;
pub mod free;
pub mod kg;
pub mod kgot;
pub mod numbers;
pub mod page;
pub mod problem;
pub mod python;
pub mod rescue;
pub mod run_end;
pub mod runs;
mod service;
pub mod share;
pub mod toolformer;
pub mod traces;
pub mod whole;
mod wire;

/// How a message begins that says that an engine, or a part of it, is not there: trying again may help.
pub const NOT_LOADED: &str = "the engine could not be loaded";

/// Which protocol this is: another one where a type that crosses may be another. A page that stays open
/// while its server gets a new one starts workers of that.
pub const VERSION: &str = env!("GRAPHGROUND_PROTOCOL");

pub use service::Service;
pub use wire::{Control, Envelope, FromWorker, ToWorker};
