//! Generated knowledge graphs: the same seed makes the same graph on every machine.

mod hetionet;
mod metro;

pub use hetionet::hetionet_like;
pub use metro::metro;
