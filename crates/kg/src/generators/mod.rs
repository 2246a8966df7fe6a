//! Generated knowledge graphs: the same seed makes the same graph on every machine.

mod hetionet;
mod metro;
mod tiny;
mod town;

pub use hetionet::{HETIONET_LIKE, hetionet_like};
pub use metro::{METRO, metro};
pub use tiny::{TINY, TinyNames, tiny};
pub use town::{STORY, TOWN, ToldKind, told_facts, town};
