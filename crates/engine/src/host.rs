//! What an engine needs of the place it runs in.

use llm::BoxFuture;

use protocol::{Envelope, FromWorker};

use crate::Payload;

/// The place an engine runs in.
pub trait Host {
    /// Tells the page something.
    fn post(&self, message: Envelope<FromWorker<Payload>>);

    /// Milliseconds since some fixed moment.
    fn now_ms(&self) -> f64;

    /// Milliseconds since 1970, for what is kept; 0 where nobody knows.
    fn unix_ms(&self) -> f64 {
        0.0
    }

    /// Lets other messages in: ends after the host has looked at what came meanwhile.
    fn pause(&self) -> BoxFuture<'static, ()>;

    /// Waits so many milliseconds.
    fn sleep(&self, ms: u64) -> BoxFuture<'static, ()>;

    /// Runs a job to its end, beside others.
    fn spawn(&self, job: BoxFuture<'static, ()>);
}
