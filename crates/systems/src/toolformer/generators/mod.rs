//! Data that are made from a seed when they are asked for: one set for each kind of the hub, so that
//! every task can be tried where no public data are. They are ours, and about nobody.
//!
//! Chances are sums and products alone, so that every machine makes the same bytes.

mod chance;
pub mod family;
pub mod films;
pub mod molecules;
pub mod papers;
pub mod village;

/// The seed of the data that the hub makes.
pub const SEED: u64 = 1;

#[cfg(test)]
mod tests;
