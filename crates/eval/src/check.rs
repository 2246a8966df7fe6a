//! Runs checked again: every result of a call computed anew, every run scored anew.

use std::collections::BTreeMap;

use llm::ToolSpec;
use serde::{Deserialize, Serialize};
use systems::experiment::{Case, Cost, Setup, World, hash_of};
use systems::experiments;
use tasks::Verdict;

use crate::{Entry, Key, RunEntry, Runs};

/// What does not come out as a runs file says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drift {
    /// The run that differs.
    pub key: Key,
    /// Another verdict: what the file says, and what comes out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<(Verdict, Verdict)>,
    /// Calls whose results come out otherwise, by their step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<usize>,
    /// What else comes out otherwise, by its name: counts, measures, the explanation, the setup by
    /// its hash.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<String>,
}

/// Checks a run without a model. `None` if everything comes out as the file says.
///
/// # Errors
/// There is no such experiment, or the case or the outcome is none of its.
///
/// # Complexity
/// That of the calls that the run made, and of the scorer.
pub fn check(
    run: &RunEntry,
    setup: &Setup,
    case: &Case,
    tools: &[ToolSpec],
    world: &World,
) -> Result<Option<Drift>, String> {
    let experiment = experiments::find(&setup.experiment)?;
    let trace = run.whole_trace(setup, case, tools);
    let steps = experiment.replay(world, setup, &trace).unwrap_or_default();
    let now = experiment.score(world, setup, case, &trace, &run.outcome)?;
    let verdict = (now.verdict != run.score.verdict).then_some((run.score.verdict, now.verdict));
    let mut counts = Vec::new();
    // What follows from the verdict is told only where it is the same.
    if verdict.is_none() {
        counts = cost_drift(&run.cost, &Cost::of(&trace), setup.votes > 1);
        // A scorer of before may have measured less: what it did not know is no difference.
        let has_all =
            setup.scorer != experiment.scorer() || run.score.measures.len() == now.measures.len();
        // A float that went through a file is the same to the last digits.
        let is_same = |(measure, x): (&String, &f64)| {
            now.measures.get(measure).is_some_and(|y| (x - y).abs() < 1e-9)
        };
        let same_measures = has_all && run.score.measures.iter().all(is_same);
        let pairs = [
            ("measures", same_measures),
            ("counts", run.score.counts == now.counts),
            ("kinds of errors", run.score.errors == now.errors),
            ("explanation", run.score.explanation == now.explanation),
        ];
        counts.extend(pairs.into_iter().filter(|(_, is)| !is).map(|(name, _)| name.to_owned()));
    }
    if setup.hash() != run.key.setup {
        counts.push("setup".into());
    }
    if !setup.tools.is_empty() && hash_of(tools) != setup.tools {
        counts.push("tool definitions".into());
    }
    if verdict.is_none() && steps.is_empty() && counts.is_empty() {
        return Ok(None);
    }
    Ok(Some(Drift { key: run.key.clone(), verdict, steps, counts }))
}

/// Scores every run anew, as this version scores, and says so in its setup. Nothing is asked of a model.
/// Gives the runs with the number of verdicts that changed.
///
/// # Errors
/// A run cannot be scored again, or two setups are the same now and differ otherwise.
///
/// # Complexity
/// That of the scorer, for each run.
pub fn score_again(runs: Runs, world: &World) -> Result<(Runs, usize), String> {
    let mut now = Runs::default();
    (now.n_duplicates, now.n_torn) = (runs.n_duplicates, runs.n_torn);
    let mut renamed: BTreeMap<String, String> = BTreeMap::new();
    let mut n_changed = 0;
    for entry in runs.into_entries() {
        let entry = match entry {
            Entry::Setup { hash, mut setup } => {
                setup.scorer = experiments::find(&setup.experiment)?.scorer();
                renamed.insert(hash, setup.hash());
                Entry::Setup { hash: setup.hash(), setup }
            }
            Entry::Run(mut run) => {
                let hash = renamed.get(&run.key.setup).ok_or("a run names no setup of the file")?;
                run.key.setup.clone_from(hash);
                let setup = now.setups.get(hash).ok_or("a run names no setup of the file")?;
                let case = now.case(&run.key.case).ok_or("a run names no case of the file")?;
                let trace = run.whole_trace(setup, case, now.tools_of(setup));
                let score = experiments::find(&setup.experiment)?
                    .score(world, setup, case, &trace, &run.outcome)
                    .map_err(|error| format!("{}: {error}", run.key))?;
                n_changed += usize::from(score.verdict != run.score.verdict);
                run.score = score;
                Entry::Run(run)
            }
            Entry::Failure(mut failure) => {
                if let Some(hash) = renamed.get(&failure.key.setup) {
                    failure.key.setup.clone_from(hash);
                }
                Entry::Failure(failure)
            }
            Entry::Label(mut label) => {
                if let Some(hash) = renamed.get(&label.key.setup) {
                    label.key.setup.clone_from(hash);
                }
                Entry::Label(label)
            }
            other => other,
        };
        now.add(entry).map_err(|error| error.to_string())?;
    }
    Ok((now, n_changed))
}

/// The counts that differ. Of a vote the file has the sum over its runs, and the trace of one.
fn cost_drift(told: &Cost, found: &Cost, is_vote: bool) -> Vec<String> {
    if is_vote {
        return Vec::new();
    }
    let pairs = [
        ("rounds", told.n_rounds == found.n_rounds),
        ("calls", told.n_calls == found.n_calls),
        ("mistakes", told.mistakes == found.mistakes),
        ("corrections", told.n_corrections == found.n_corrections),
        ("tokens", told.usage == found.usage),
        // The file keeps times to a thousandth of a millisecond, the count was taken before.
        ("time", (told.took_ms - found.took_ms).abs() < 0.01),
    ];
    pairs.into_iter().filter(|(_, is_same)| !is_same).map(|(name, _)| name.to_owned()).collect()
}
