//! The family benchmark: people, their relatives and preferences as a graph, and requests to an
//! assistant whose tools need what only the graph tells.
//!
//! [`generate`](fn@generate) makes a benchmark of our own from a seed, with 102 tools and 65
//! relations; [`check`](fn@check) holds each sample against the rules that make it worth asking.
//! [`score`](mod@score) measures what was extracted from the graph and what was called, as the
//! benchmark's public code does and as it should.
//!
//! Paper: FamilyTool, A Multi-hop Personalized Tool Use Benchmark. `docs/kgetool.md` tells formats
//! and figures.

mod check;
mod dice;
mod formats;
mod generate;
mod household;
mod messages;
mod model;
mod parameters;
mod phrase;
mod relations;
pub mod score;
mod stats;
mod tools;
mod understand;
mod values;

pub use check::{check, declared, fits};
pub use formats::{
    MAX_FILE_BYTES, read_benchmark, read_files, read_samples, read_tools, read_triples, write,
};
pub use generate::{MAX_SAMPLES, Recipe, generate};
pub use messages::{MAX_LINE_BYTES, read_messages};
pub use model::{
    Benchmark, Family, FamilyCall, FamilyError, Link, MAX_LINKS, MAX_NAME_BYTES, Noise, Novelty,
    Sample, Search, ToolDef,
};
pub use parameters::{PARAMETERS, Parameter, Type, parameter};
pub use phrase::phrase;
pub use relations::{RELATIONS, Relation, RelationGroup, relation};
pub use stats::{ALL_GRAPHS, BenchmarkStats, GraphStats};
pub use tools::{ToolTemplate, templates};
pub use understand::{Spoken, framed, spoken_of};
pub use values::Kind;
