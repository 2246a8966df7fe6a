#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod check;
pub mod compare;
mod entry;
mod estimate;
pub mod exports;
mod facts;
pub mod family;
mod key;
pub mod knowledge;
pub mod page;
mod plots;
pub mod prices;
pub mod problems;
pub mod published;
mod queue;
pub mod report;
pub mod results;
mod run;
mod runs;
mod setup;
pub mod stats;
pub mod tables;
pub mod toolformer;

pub use check::{Drift, check};
pub use entry::{EMBEDDED, Entry, Failure, NAME, RunEntry, VERSION};
pub use estimate::{Estimate, estimate};
pub use facts::{ErrorKind, Facts};
pub use key::{Key, Shard};
pub use problems::Item;
pub use queue::{Budget, Job, Next, Pace, Plan, Queue, Spent};
pub use report::Report;
pub use run::{Outcome, run};
pub use runs::{MAX_LINE, MAX_RUNS, Runs, RunsError};
pub use setup::Setup;
