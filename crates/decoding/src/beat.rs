//! Who runs a model: what it is asked between tokens, and what an answer took.

use std::pin::Pin;

/// What a run of a model asks of whoever runs it, between batches of the prompt and between tokens.
pub trait Beat {
    /// The time in milliseconds from any start; without it no speeds are known.
    fn now_ms(&self) -> Option<f64> {
        None
    }

    /// Seconds since 1970, for templates that say the day.
    fn today_s(&self) -> Option<i64> {
        None
    }

    /// How many milliseconds a layer of a batch of the prompt may take before this is asked, where
    /// somebody waits for a stop. Smaller batches are slower.
    fn patience_ms(&self) -> Option<f64> {
        None
    }

    /// Hears that so many of a prompt's tokens are read.
    fn read(&self, _done: usize, _total: usize) {}

    /// Waits a moment, so that others have their turn, and says whether to go on.
    fn go_on(&self) -> Pin<Box<dyn Future<Output = bool> + '_>> {
        Box::pin(std::future::ready(true))
    }
}

/// Never stops, and knows no time.
impl Beat for () {}

/// What an answer took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunStats {
    /// Tokens of the prompt.
    pub n_prompt: usize,
    /// Of them, those that came from an earlier conversation.
    pub n_cached: usize,
    /// Tokens that the model wrote.
    pub n_output: usize,
    /// Tokens of the prompt computed in a second, where the time is known.
    pub prefill_per_s: Option<f64>,
    /// Output tokens in a second, where the time is known.
    pub decode_per_s: Option<f64>,
    /// Tokens of the context that are taken.
    pub n_context: usize,
    /// Tokens of the context in all.
    pub n_ctx: usize,
}

/// How many of `n` came in a second, between two times in milliseconds; nothing where a time is not
/// known, or none passed.
pub fn per_second(n: usize, from: Option<f64>, to: Option<f64>) -> Option<f64> {
    let ms = to? - from?;
    (ms > 0.0 && n > 0).then(|| n as f64 * 1000.0 / ms)
}
