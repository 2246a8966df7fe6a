//! Generated knowledge graphs: the same seed makes the same graph on every machine.

mod metro;

pub use metro::metro;
