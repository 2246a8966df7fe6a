//! Where the time and the tokens of a run went: turn by turn of its model.

use trace::{StepBody, Trace};

/// A turn of the model with the calls that it asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TurnCost {
    /// The step of the turn, counted from one.
    pub step: usize,
    /// Milliseconds until the model had answered.
    pub model_ms: f64,
    /// Milliseconds that the calls of the turn took.
    pub calls_ms: f64,
    /// How many calls there were.
    pub n_calls: usize,
    /// Tokens that the model read, where they were reported.
    pub input: Option<u64>,
    /// Tokens that it wrote, where they were reported.
    pub output: Option<u64>,
}

impl TurnCost {
    /// Milliseconds of the turn and its calls.
    pub fn ms(&self) -> f64 {
        self.model_ms + self.calls_ms
    }

    /// Input and output tokens, as far as they were reported.
    pub fn tokens(&self) -> u64 {
        self.input.unwrap_or_default() + self.output.unwrap_or_default()
    }
}

/// The turns of a run. Calls before the first turn belong to none. Takes time linear in the steps.
pub fn turns(trace: &Trace) -> Vec<TurnCost> {
    let mut turns: Vec<TurnCost> = Vec::new();
    for (i, step) in trace.steps.iter().enumerate() {
        let took = if step.took_ms.is_finite() { step.took_ms.max(0.0) } else { 0.0 };
        match &step.body {
            StepBody::Model { usage, .. } => turns.push(TurnCost {
                step: i + 1,
                model_ms: took,
                input: usage.input_tokens,
                output: usage.output_tokens,
                ..TurnCost::default()
            }),
            StepBody::Call { .. } => {
                if let Some(turn) = turns.last_mut() {
                    turn.calls_ms += took;
                    turn.n_calls += 1;
                }
            }
            _ => {}
        }
    }
    turns
}

/// What share of the largest something is, in percent.
pub fn percent(part: f64, largest: f64) -> f64 {
    if largest > 0.0 { (part / largest * 100.0).clamp(0.0, 100.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use llm::{FinishReason, Message, ToolCall, Usage};
    use trace::{Effects, Step, ToolResult};

    use super::*;

    fn step(took_ms: f64, body: StepBody) -> Step {
        Step { at_ms: 0.0, took_ms, by_person: false, body }
    }

    fn said(took_ms: f64, tokens: Option<(u64, u64)>) -> Step {
        let usage = Usage {
            input_tokens: tokens.map(|t| t.0),
            output_tokens: tokens.map(|t| t.1),
            ..Usage::default()
        };
        step(
            took_ms,
            StepBody::Model {
                message: Message::assistant(""),
                usage,
                finish: FinishReason::Stop,
                request_hash: String::new(),
            },
        )
    }

    fn called(took_ms: f64) -> Step {
        let call = ToolCall { id: "1".into(), name: "f".into(), arguments: "{}".into() };
        let result = ToolResult::Value { value: serde_json::Value::Null, notes: Vec::new() };
        let effects = Effects::default();
        step(took_ms, StepBody::Call { call, result, effects, told: None })
    }

    #[test]
    fn calls_belong_to_the_turn_before_them() {
        let steps = vec![
            called(9.0),
            said(20.0, Some((100, 7))),
            called(3.0),
            called(f64::NAN),
            said(5.0, None),
        ];
        let trace = Trace { steps, ..Trace::new("grounded", "m".into(), Vec::new()) };
        let turns = turns(&trace);
        assert_eq!(turns.iter().map(|t| t.step).collect::<Vec<_>>(), [2, 5]);
        assert_eq!((turns[0].ms(), turns[0].n_calls, turns[0].tokens()), (23.0, 2, 107));
        assert_eq!((turns[1].ms(), turns[1].input, turns[1].tokens()), (5.0, None, 0));
    }

    #[test]
    fn shares_are_of_the_largest() {
        assert_eq!(
            [(0.0, 0.0), (5.0, 10.0), (10.0, 10.0)].map(|(p, l)| percent(p, l)),
            [0.0, 50.0, 100.0]
        );
    }
}
