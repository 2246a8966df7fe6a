//! How it is said that an engine is not there, or no longer.

/// What is said of a worker that is gone: the browser ended it, or it broke.
pub const GONE: &str = "the engine ended before it answered; the next request starts it anew";
