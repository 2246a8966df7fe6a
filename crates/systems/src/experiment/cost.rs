//! What a run took.

use std::collections::BTreeMap;

use llm::{Message, Usage};
use serde::{Deserialize, Serialize};
use trace::{MistakeKind, StepBody, ToolResult, Trace};

use super::JUDGE;

/// What a run took: turns, calls, tokens, time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Cost {
    /// Turns of all models that answered; those of a judge are none.
    pub n_rounds: u32,
    /// Tool calls, steps on a graph among them.
    pub n_calls: u32,
    /// Calls that failed, by kind.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub mistakes: BTreeMap<MistakeKind, u32>,
    /// Calls that a model corrected after an error came back.
    #[serde(skip_serializing_if = "is_zero")]
    pub n_corrections: u32,
    /// Input and output tokens, as far as endpoints report them; those of a judge are among them.
    pub usage: Usage,
    /// The same for each role, where a run has several.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub roles: BTreeMap<String, Usage>,
    /// Input and output tokens as counted here, where no endpoint reports them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted: Option<(u64, u64)>,
    /// Those among the counted ones that a judge read and wrote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted_of_judge: Option<(u64, u64)>,
    /// Milliseconds from the start to the end of the answer; a judge's time is none of it.
    pub took_ms: f64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(n: &u32) -> bool {
    *n == 0
}

impl Cost {
    /// Counts a run. O(steps).
    pub fn of(trace: &Trace) -> Self {
        let mut cost = Self { usage: trace.usage(), ..Self::default() };
        if trace.asked.iter().any(|a| a.role != trace.role_at(0)) {
            cost.roles = trace.usage_by_role();
        }
        for (i, step) in trace.steps.iter().enumerate() {
            if trace.is_judged_at(i) {
                continue;
            }
            cost.took_ms = cost.took_ms.max(step.at_ms + step.took_ms);
            match &step.body {
                StepBody::Model { .. } => cost.n_rounds += 1,
                StepBody::Call { result, .. } => {
                    cost.n_calls += 1;
                    if let ToolResult::Error(error) = result {
                        *cost.mistakes.entry(error.kind).or_default() += 1;
                    }
                }
                _ => {}
            }
        }
        cost.n_corrections = u32::try_from(trace.n_corrections()).unwrap_or(u32::MAX);
        cost
    }

    /// The same; where no endpoint reports tokens they are counted by `count`, from the requests as
    /// the trace rebuilds them. O(turns · length).
    #[must_use]
    pub fn with_tokens(mut self, trace: &Trace, count: &dyn Fn(&str) -> usize) -> Self {
        if self.usage.input_tokens.is_some() && self.usage.output_tokens.is_some() {
            return self;
        }
        let of = |message: &Message| {
            let calls: usize = message.tool_calls.iter().map(|c| count(&c.arguments)).sum();
            (count(&message.content) + calls) as u64
        };
        let (mut all, mut of_judge) = ((0, 0), (0, 0));
        for (i, step) in trace.steps.iter().enumerate() {
            let StepBody::Model { message, .. } = &step.body else { continue };
            let (input, output) =
                (trace.messages_before(i).iter().map(of).sum::<u64>(), of(message));
            all = (all.0 + input, all.1 + output);
            if trace.is_judged_at(i) {
                of_judge = (of_judge.0 + input, of_judge.1 + output);
            }
        }
        self.counted = Some(all);
        self.counted_of_judge = (of_judge != (0, 0)).then_some(of_judge);
        self
    }

    /// Adds another run, such as one more sample of a vote.
    pub fn add(&mut self, other: &Self) {
        self.n_rounds += other.n_rounds;
        self.n_calls += other.n_calls;
        for (kind, n) in &other.mistakes {
            *self.mistakes.entry(*kind).or_default() += n;
        }
        self.n_corrections += other.n_corrections;
        self.usage.add(other.usage);
        for (role, usage) in &other.roles {
            self.roles.entry(role.clone()).or_default().add(*usage);
        }
        self.counted = match (self.counted, other.counted) {
            (Some((a, b)), Some((c, d))) => Some((a + c, b + d)),
            _ => None,
        };
        self.counted_of_judge = match (self.counted_of_judge, other.counted_of_judge) {
            (Some((a, b)), Some((c, d))) => Some((a + c, b + d)),
            (one, None) | (None, one) => one,
        };
        self.took_ms += other.took_ms;
    }

    /// The number of calls that failed, of all kinds.
    pub fn n_mistakes(&self) -> u32 {
        self.mistakes.values().sum()
    }

    /// Input and output tokens, reported or counted, and whether they are counted.
    pub fn tokens(&self) -> Option<(u64, u64, bool)> {
        let reported = self.usage.input_tokens.zip(self.usage.output_tokens);
        let reported = reported.map(|(input, output)| (input, output, false));
        reported.or_else(|| self.counted.map(|(input, output)| (input, output, true)))
    }

    /// The same without those of a judge: what answering took.
    pub fn tokens_of_answer(&self) -> Option<(u64, u64, bool)> {
        let (input, output, is_counted) = self.tokens()?;
        let judge = self.roles.get(JUDGE.id).copied().unwrap_or_default();
        let of_judge = match is_counted {
            true => self.counted_of_judge.unwrap_or_default(),
            false => (judge.input_tokens.unwrap_or(0), judge.output_tokens.unwrap_or(0)),
        };
        let without = |all: u64, judge: u64| all.saturating_sub(judge);
        Some((without(input, of_judge.0), without(output, of_judge.1), is_counted))
    }

    /// The sum in dollars of what answering took, without a judge, at prices for a million input and
    /// output tokens, if the tokens are known.
    pub fn dollars_of_answer(&self, (of_input, of_output): (f64, f64)) -> Option<f64> {
        let (input, output, _) = self.tokens_of_answer()?;
        Some((input as f64 * of_input + output as f64 * of_output) / 1e6)
    }

    /// The sum in dollars at prices for a million input and output tokens, if the tokens are known.
    pub fn dollars(&self, (of_input, of_output): (f64, f64)) -> Option<f64> {
        let (input, output, _) = self.tokens()?;
        Some((input as f64 * of_input + output as f64 * of_output) / 1e6)
    }
}

/// About so many tokens: four letters each. Good for comparing, not for a bill.
pub fn about(text: &str) -> usize {
    text.chars().count().div_ceil(4)
}
