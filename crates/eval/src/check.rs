//! Runs checked again: every result of a call computed anew, every answer judged anew.

use llm::ToolSpec;
use serde::{Deserialize, Serialize};
use systems::grounded::GraphTools;
use tasks::Verdict;
use trace::Stop;
use trace::replay::replay;

use crate::setup::hash_of;
use crate::{Facts, Item, Key, RunEntry, Setup};

/// What does not come out as a runs file says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drift {
    /// Which run.
    pub key: Key,
    /// Another verdict: what the file says, and what comes out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<(Verdict, Verdict)>,
    /// Calls whose results come out otherwise, by their step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<usize>,
    /// What else comes out otherwise, by its name: counts, the explanation, the setup by its hash.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<String>,
}

/// Checks a run without a model. `None` if everything comes out as the file says.
///
/// # Complexity
/// That of the calls that the run made, and of the verifier.
pub fn check(run: &RunEntry, setup: &Setup, item: &Item, tools: &[ToolSpec]) -> Option<Drift> {
    let trace = run.whole_trace(setup, item, tools);
    let fresh = || {
        let graph = trace.attached.clone();
        let tools = graph.map_or_else(GraphTools::default, GraphTools::over);
        match setup.max_result_chars {
            Some(max) => tools.with_compact_results(max),
            None => tools,
        }
    };
    let steps: Vec<usize> = replay(&trace, &mut fresh(), true).drift().collect();
    let problem = item.problem();
    let (now, explanation) = trace.answer().map_or_else(
        || (Verdict::NoAnswer, trace.stop.as_ref().map_or_else(String::new, Stop::title)),
        |text| {
            // A handle in the answer stands for its result.
            let whole = fresh().resumed(&trace).expand(text);
            let judged = tasks::verify(&problem, whole.as_deref().unwrap_or(text));
            (judged.verdict, judged.explanation)
        },
    );
    let has_tools = systems::find(&setup.system).is_some_and(|s| s.has_tools);
    let facts = Facts::of(&problem, &trace, now, has_tools);
    let verdict = (now != run.verdict).then_some((run.verdict, now));
    // Kinds of errors follow from the verdict: they are told only where it is the same.
    let mut counts = if verdict.is_none() { differing(&run.facts, &facts) } else { Vec::new() };
    if verdict.is_none() && explanation != run.explanation {
        counts.push("explanation".into());
    }
    if setup.hash() != run.key.setup {
        counts.push("setup".into());
    }
    if has_tools && hash_of(tools) != setup.tools {
        counts.push("tool definitions".into());
    }
    if verdict.is_none() && steps.is_empty() && counts.is_empty() {
        return None;
    }
    Some(Drift { key: run.key.clone(), verdict, steps, counts })
}

fn differing(told: &Facts, found: &Facts) -> Vec<String> {
    let pairs = [
        ("rounds", told.n_rounds == found.n_rounds),
        ("calls", told.n_calls == found.n_calls),
        ("mistakes", told.mistakes == found.mistakes),
        ("corrections", told.n_corrections == found.n_corrections),
        ("tokens", told.usage == found.usage),
        // The file keeps times to a thousandth of a millisecond, the count was taken before.
        ("time", (told.took_ms - found.took_ms).abs() < 0.01),
        ("claims", (told.n_claims, told.n_false_claims) == (found.n_claims, found.n_false_claims)),
        ("kinds of errors", told.errors == found.errors),
    ];
    pairs.into_iter().filter(|(_, is_same)| !is_same).map(|(name, _)| name.to_owned()).collect()
}
