#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod about;
mod check;
pub mod compare;
mod entry;
mod estimate;
pub mod exports;
mod key;
pub mod labels;
pub mod live;
pub mod page;
mod plots;
pub mod prices;
mod queue;
mod ratios;
pub mod report;
mod run;
mod runs;
mod specs;
pub mod stats;
pub mod tables;

pub use about::About;
pub use check::{Drift, check, score_again};
pub use entry::{EMBEDDED, Entry, Failure, NAME, RunEntry, VERSION};
pub use estimate::{Estimate, estimate};
pub use key::{Key, Shard};
pub use queue::{BenchPlan, Budget, Job, Next, Pace, Queue, Spent};
pub use report::Report;
pub use run::{JobContext, RunOutcome, run};
pub use runs::{MAX_LINE, MAX_RUNS, Runs, RunsError};
pub use systems::experiment::{Case, Setup};
