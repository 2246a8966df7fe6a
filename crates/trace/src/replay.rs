//! Replay without a model: every result is computed again and compared with what the trace says.

use llm::ToolCall;
use serde::{Deserialize, Serialize};

use crate::{Effects, StepBody, ToolResult, Trace};

/// Something that answers calls as the run's tools did. It has the state that the calls share.
pub trait ReplayTools {
    /// Answers a call; a call that is wrong is answered too.
    fn answer(&mut self, call: &ToolCall) -> (ToolResult, Effects);

    /// Takes over what a person put in the place of a result, so that later calls see it.
    fn adopt(&mut self, effects: &Effects);
}

/// What a replay found at a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "found", rename_all = "snake_case")]
pub enum ReplayFinding {
    /// The same result again.
    Same,
    /// Another result: the functions changed since, or the trace was changed.
    Differs {
        /// What comes out now.
        now: ToolResult,
        /// Whether the change to the graph differs too.
        effects_differ: bool,
    },
    /// A person put this result there; it is taken as it is.
    Edited,
    /// The function is not ours, so it was not run again.
    NotOurs,
}

/// What a replay found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Replay {
    /// The number of each call's step, with what was found there.
    pub findings: Vec<(usize, ReplayFinding)>,
}

impl Replay {
    /// The steps at which something else comes out now.
    pub fn drift(&self) -> impl Iterator<Item = usize> {
        self.findings
            .iter()
            .filter(|(_, f)| matches!(f, ReplayFinding::Differs { .. }))
            .map(|(i, _)| *i)
    }

    /// How many calls were not run again, as their functions are not ours.
    pub fn n_not_ours(&self) -> usize {
        self.findings.iter().filter(|(_, f)| *f == ReplayFinding::NotOurs).count()
    }
}

/// Computes every result of a trace again.
///
/// Values are compared as JSON, after effects: a value that is right on another graph is a drift.
/// A trace of another program has no effects; `compare_effects` false compares values alone.
pub fn replay(trace: &Trace, executor: &mut dyn ReplayTools, compare_effects: bool) -> Replay {
    let mut findings = Vec::new();
    for (i, step) in trace.steps.iter().enumerate() {
        let StepBody::Call { call, result, effects, .. } = &step.body else { continue };
        if step.by_person {
            executor.adopt(effects);
            findings.push((i, ReplayFinding::Edited));
            continue;
        }
        let (now, did) = executor.answer(call);
        let effects_differ = compare_effects && did != *effects;
        let is_unknown = |result: &ToolResult| matches!(result, ToolResult::Error(e) if e.code == "unknown_function");
        let finding = if is_unknown(&now) && !is_unknown(result) && *effects == Effects::default() {
            ReplayFinding::NotOurs
        } else if is_same(&now, result) && !effects_differ {
            ReplayFinding::Same
        } else {
            ReplayFinding::Differs { now, effects_differ }
        };
        findings.push((i, finding));
    }
    Replay { findings }
}

/// Whether two results say the same. That there is no such function is the same whatever functions there
/// are beside: the message lists them, and there are more with every version.
fn is_same(now: &ToolResult, then: &ToolResult) -> bool {
    match (now, then) {
        (ToolResult::Error(now), ToolResult::Error(then))
            if now.code == "unknown_function" && then.code == now.code =>
        {
            let told = |message: &str| message.split(';').next().map(str::to_owned);
            told(&now.message) == told(&then.message)
        }
        _ => now == then,
    }
}

/// Fills in what calls did to the graph, for a trace of a format that does not say so: every call
/// is answered again, and where the same value comes out, its effects are taken over.
///
/// Returns the number of calls whose value came out the same.
pub fn fill_effects(trace: &mut Trace, executor: &mut dyn ReplayTools) -> usize {
    let mut n_same = 0;
    for step in &mut trace.steps {
        let StepBody::Call { call, result, effects, .. } = &mut step.body else { continue };
        let (now, did) = executor.answer(call);
        if value_of(&now) == value_of(result) {
            n_same += 1;
            *effects = did;
        }
    }
    n_same
}

fn value_of(result: &ToolResult) -> Option<&serde_json::Value> {
    match result {
        ToolResult::Value { value, .. } => Some(value),
        ToolResult::Error(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::{Step, trace::tests::call_step};

    /// Counts its calls.
    #[derive(Default)]
    struct Counter(u64);

    impl ReplayTools for Counter {
        fn answer(&mut self, _: &ToolCall) -> (ToolResult, Effects) {
            self.0 += 1;
            (ToolResult::Value { value: json!(self.0), notes: Vec::new() }, Effects::default())
        }
        fn adopt(&mut self, _: &Effects) {
            self.0 += 10;
        }
    }

    fn step(value: Value, by_person: bool) -> Step {
        let mut step = call_step("f", "{}", value);
        step.by_person = by_person;
        step
    }

    /// A library that grows lists more names beside one that it does not have.
    #[test]
    fn a_function_that_is_still_missing_is_the_same() {
        let error = |message: &str, code: &str| {
            let kind = crate::MistakeKind::UnknownTool;
            let (code, message, witness) = (code.to_owned(), message.to_owned(), None);
            ToolResult::Error(crate::ToolError { kind, code, message, witness })
        };
        let before = error("there is no function \"f\"; there are g", "unknown_function");
        let after = error("there is no function \"f\"; there are g, h", "unknown_function");
        assert!(is_same(&after, &before));
        let other = error("there is no function \"e\"; there are g", "unknown_function");
        assert!(!is_same(&other, &before));
        assert!(!is_same(
            &error("no node; a", "unknown_node"),
            &error("no node; b", "unknown_node")
        ));
    }

    /// Knows no function.
    struct Foreign;

    impl ReplayTools for Foreign {
        fn answer(&mut self, _: &ToolCall) -> (ToolResult, Effects) {
            let kind = crate::MistakeKind::UnknownTool;
            let (code, message) =
                ("unknown_function".to_owned(), "there is no function".to_owned());
            let error = crate::ToolError { kind, code, message, witness: None };
            (ToolResult::Error(error), Effects::default())
        }
        fn adopt(&mut self, _: &Effects) {}
    }

    #[test]
    fn functions_of_other_programs_are_no_drift() {
        let mut trace = Trace::new("harbour", "m".into(), Vec::new());
        trace.steps = vec![step(json!(1), false), step(json!(2), false)];
        // One of ours that is gone changed the graph.
        if let StepBody::Call { effects, .. } = &mut trace.steps[1].body {
            effects.deltas.push(graph::Delta::Clear);
        }
        let found = replay(&trace, &mut Foreign, true);
        assert_eq!((found.n_not_ours(), found.drift().collect::<Vec<_>>()), (1, vec![1]));
    }

    #[test]
    fn drift_is_told_by_step_and_what_a_person_changed_is_none() {
        let mut trace = Trace::new("grounded", "m".into(), Vec::new());
        trace.steps = vec![
            step(json!(1), false),
            step(json!(7), true),
            step(json!(12), false),
            step(json!(5), false),
        ];
        let found = replay(&trace, &mut Counter::default(), true);
        assert_eq!(found.findings[0].1, ReplayFinding::Same);
        assert_eq!(found.findings[1].1, ReplayFinding::Edited);
        assert_eq!(
            found.findings[2].1,
            ReplayFinding::Same,
            "later calls see what the person changed"
        );
        assert_eq!(found.drift().collect::<Vec<_>>(), [3]);
        assert!(
            matches!(&found.findings[3].1, ReplayFinding::Differs { now: ToolResult::Value { value, .. }, .. } if *value == json!(13))
        );
    }
}
