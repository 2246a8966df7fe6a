//! Generated knowledge graphs: the same seed makes the same graph on every machine.

mod hetionet;
mod metro;
mod tiny;

pub use hetionet::{HETIONET_LIKE, hetionet_like};
pub use metro::metro;
pub use tiny::{TINY, TinyNames, tiny};
