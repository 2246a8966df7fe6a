//! How the network learns: gradients by hand, and steps against them.

mod adam;
mod grow;
mod loops;
mod matrix;
mod slopes;
#[cfg(test)]
mod tests;

pub use adam::{Learner, Rates, StepOutcome};
pub use slopes::{LessonText, Outcome, Slopes};
