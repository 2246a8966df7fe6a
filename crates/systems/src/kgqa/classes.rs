//! The paper's three classes of errors, by rules.
//!
//! Paper: GraphRunner §4.4 and Table 2. There a person sorts each failure into one class; here rules
//! do, so that anybody gets the same. `docs/graphrunner.md` has them in words.

use tasks::Verdict;
use trace::{Step, StepBody, Stop, ToolResult, Trace};

use super::{EntityClaim, KgErrorKind};

/// Why an answer is not right, in the paper's words. A run has one class at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FailureClass {
    /// Steps or an answer that the model made up.
    Hallucination,
    /// A traversal that keeps every rule and means something else than the question.
    Reasoning,
    /// What was asked did not fit the context window.
    Context,
    /// None of the paper's: nothing could be read, or a limit of tokens or time ended the run.
    Other,
}

impl FailureClass {
    /// Every class, in the order of the paper's table; ours is the last.
    pub const ALL: [Self; 4] = [Self::Hallucination, Self::Reasoning, Self::Context, Self::Other];

    /// The id of the measure that is 1 where a run is of this class.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Hallucination => "hallucination",
            Self::Reasoning => "reasoning",
            Self::Context => "context",
            Self::Other => "other_failure",
        }
    }
}

/// The class of a run; none where its answer is right.
///
/// 1. The window was exceeded: context.
/// 2. The answer names what nothing reached; or the run ends on a step that does not exist or that
///    such nodes do not have, which no later step of the graph made good: hallucination.
/// 3. Some step on the graph was carried out: reasoning, whether it led astray, found nothing, or went
///    on until the bound of steps.
/// 4. All else: other.
///
/// O(steps).
pub fn failure_class(
    verdict: Verdict,
    trace: &Trace,
    claims: &[EntityClaim],
) -> Option<FailureClass> {
    if verdict == Verdict::Correct {
        return None;
    }
    if matches!(trace.stop, Some(Stop::ModelFailed { is_overflow: true, .. })) {
        return Some(FailureClass::Context);
    }
    let is_answer_made_up = claims.iter().any(|claim| !claim.is_supported);
    let last_invented = trace.steps.iter().rposition(is_invented);
    let last_done = trace.steps.iter().rposition(is_carried_out);
    let is_step_made_up = last_invented.is_some_and(|bad| last_done.is_none_or(|done| done < bad));
    let was_cut = matches!(trace.stop, Some(Stop::Tokens | Stop::Deadline));
    Some(match () {
        () if is_answer_made_up || is_step_made_up => FailureClass::Hallucination,
        () if last_done.is_some() && !was_cut => FailureClass::Reasoning,
        () => FailureClass::Other,
    })
}

/// Whether a step found, or met, a type, an action or an edge that is not there.
fn is_invented(step: &Step) -> bool {
    let is_so = |rule: &str| {
        matches!(
            KgErrorKind::of_rule(rule),
            Some(KgErrorKind::UnknownType | KgErrorKind::WrongSource)
        )
    };
    match &step.body {
        StepBody::Findings { findings, .. } => {
            findings.iter().any(|finding| finding.is_error && is_so(&finding.rule))
        }
        StepBody::Call { result: ToolResult::Error(error), .. } => is_so(&error.code),
        _ => false,
    }
}

/// Whether a step on the graph was carried out.
fn is_carried_out(step: &Step) -> bool {
    matches!(&step.body, StepBody::Call { result: ToolResult::Value { .. }, .. })
}

#[cfg(test)]
mod tests {
    use llm::ToolCall;
    use proptest::prelude::*;
    use trace::{Effects, Finding, MistakeKind, ToolError};

    use super::*;

    fn step(body: StepBody) -> Step {
        Step { at_ms: 0.0, took_ms: 0.0, by_person: false, body }
    }

    fn found(rule: &str) -> Step {
        let finding = Finding {
            rule: rule.into(),
            at: None,
            is_error: true,
            message: String::new(),
            options: Vec::new(),
        };
        step(StepBody::Findings { stage: String::new(), findings: vec![finding] })
    }

    fn called(code: Option<&str>) -> Step {
        let call = ToolCall { id: "s1".into(), name: "s1".into(), arguments: String::new() };
        let result = match code {
            None => ToolResult::Value { value: 1.into(), notes: Vec::new() },
            Some(code) => ToolResult::Error(ToolError {
                kind: MistakeKind::Library,
                code: code.into(),
                message: String::new(),
                witness: None,
            }),
        };
        step(StepBody::Call { call, result, effects: Effects::default(), told: None })
    }

    fn class(steps: Vec<Step>, stop: Stop) -> Option<FailureClass> {
        let mut trace = Trace::new("graphrunner", "m".into(), Vec::new());
        (trace.steps, trace.stop) = (steps, Some(stop));
        failure_class(Verdict::Incorrect, &trace, &[])
    }

    #[test]
    fn each_class_has_its_case() {
        use FailureClass::*;
        let over = Stop::ModelFailed { message: String::new(), is_overflow: true };
        for (steps, stop, expected) in [
            // The left example of the paper's Figure 4: a wrong edge, and nothing comes out.
            (vec![called(None)], Stop::Answered, Reasoning),
            (vec![found("V4"), called(None)], Stop::Answered, Reasoning),
            (vec![found("V4"), found("V5")], Stop::Answered, Hallucination),
            (vec![called(None), called(Some("V2"))], Stop::Answered, Hallucination),
            (vec![called(None), called(Some("D1"))], Stop::Answered, Reasoning),
            (vec![called(None)], Stop::Rounds, Reasoning),
            (vec![called(None)], Stop::Tokens, Other),
            (vec![found("read")], Stop::Answered, Other),
            (vec![called(None), found("V4")], over, Context),
        ] {
            assert_eq!(class(steps.clone(), stop), Some(expected), "{steps:?}");
        }
        // The right example: the answer is made up.
        let trace = Trace::new("graphrunner", "m".into(), Vec::new());
        let made_up = EntityClaim {
            name: "X".into(),
            start: 0,
            end: 1,
            is_known: false,
            is_supported: false,
        };
        let of = |verdict| failure_class(verdict, &trace, std::slice::from_ref(&made_up));
        assert_eq!(of(Verdict::Partial), Some(Hallucination));
        assert_eq!(of(Verdict::Correct), None);
    }

    proptest! {
        /// The rule about steps once more, as one walk from the front.
        #[test]
        fn the_last_word_of_the_graph_decides(codes in prop::collection::vec(0..4_u8, 0..9)) {
            let steps: Vec<Step> = codes
                .iter()
                .map(|code| match code {
                    0 => called(None),
                    1 => called(Some("V4")),
                    2 => found("V5"),
                    _ => found("D2"),
                })
                .collect();
            let (mut done, mut astray) = (false, false);
            for code in &codes {
                match code {
                    0 => (done, astray) = (true, false),
                    1 | 2 => astray = true,
                    _ => {}
                }
            }
            let expected = match (astray, done) {
                (true, _) => FailureClass::Hallucination,
                (false, true) => FailureClass::Reasoning,
                (false, false) => FailureClass::Other,
            };
            prop_assert_eq!(class(steps, Stop::Answered), Some(expected));
        }
    }
}
