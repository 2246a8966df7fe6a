//! What a run took: turns, tokens, cost.

use serde::{Deserialize, Serialize};
use trace::{StepBody, Trace};

/// The paper's prices: GPT-4's, in dollars for a million tokens read and written. §4.1.
pub const PAPER_PRICES: (f64, f64) = (30.0, 60.0);

/// What a run took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Effort {
    /// Turns of the model.
    pub n_turns: usize,
    /// Steps on the graph.
    pub n_calls: usize,
    /// Tokens that the model read.
    pub n_input: u64,
    /// Tokens that it wrote.
    pub n_output: u64,
    /// Whether the tokens are counted here, not told by an endpoint.
    pub is_counted: bool,
    /// The time from the first step to the last, in milliseconds.
    pub took_ms: f64,
}

impl Effort {
    /// The effort of a run. Where an endpoint told no tokens they are counted by `count`, from the
    /// requests as the trace rebuilds them. O(turns · length).
    pub fn of(trace: &Trace, count: &dyn Fn(&str) -> usize) -> Self {
        let usage = trace.usage();
        let mut effort = Self {
            n_turns: trace.n_rounds(),
            n_calls: trace.n_calls(),
            took_ms: trace.steps.last().map_or(0.0, |s| s.at_ms + s.took_ms),
            ..Self::default()
        };
        if let (Some(input), Some(output)) = (usage.input_tokens, usage.output_tokens) {
            (effort.n_input, effort.n_output) = (input, output);
            return effort;
        }
        effort.is_counted = true;
        for (i, step) in trace.steps.iter().enumerate() {
            let StepBody::Model { message, .. } = &step.body else { continue };
            for said in trace.messages_before(i) {
                effort.n_input += count(&said.content) as u64;
                for call in &said.tool_calls {
                    effort.n_input += count(&call.arguments) as u64;
                }
            }
            effort.n_output += count(&message.content) as u64;
            for call in &message.tool_calls {
                effort.n_output += count(&call.arguments) as u64;
            }
        }
        effort
    }

    /// The cost in dollars at prices for a million tokens read and written.
    pub fn cost(&self, (input, output): (f64, f64)) -> f64 {
        (self.n_input as f64 * input + self.n_output as f64 * output) / 1e6
    }
}

/// About so many tokens: four characters each. Good for comparing, not for a bill.
pub fn about(text: &str) -> usize {
    text.chars().count().div_ceil(4)
}
