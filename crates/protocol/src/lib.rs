#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

pub mod bench;
pub mod compact;
pub mod exact;
pub mod family;
pub mod kg;
pub mod problem;
pub mod rescue;
pub mod runs;
mod service;
pub mod share;
pub mod toolformer;
pub mod traces;
mod wire;

pub use service::Service;
pub use wire::{Control, Envelope, FromWorker, ToWorker};
