//! One run of a benchmark.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use agent::{Cancel, Clock, RunContext};
use llm::{Model, Watch};
use systems::experiment::{Case, CaseRequest, Cost, Finished, Models, Setup, World, run_votes};
use systems::experiments;
use trace::{Step, Stop};

use crate::{Failure, Key, RunEntry};

/// What came of a run.
#[derive(Clone, Debug)]
pub enum RunOutcome {
    /// It came to its end, right or wrong.
    Finished(Box<RunEntry>),
    /// An endpoint failed; it is to be made again.
    Failed(Failure),
    /// It was cancelled before its end.
    Cancelled,
}

/// What every run of a benchmark shares.
#[derive(Clone, Copy)]
pub struct JobContext<'a> {
    /// The models of the roles.
    pub models: &'a BTreeMap<String, Box<dyn Model>>,
    /// What the cases stand on.
    pub world: &'a World,
    /// Sees each answer while it comes.
    pub watch: &'a dyn Watch,
    /// The time since some fixed moment.
    pub clock: &'a dyn Clock,
    /// The time of day, in milliseconds since 1970.
    pub at_ms: &'a dyn Fn() -> f64,
    /// A wish to stop.
    pub cancel: &'a Cancel,
    /// Counts the tokens of a text, where no endpoint reports them.
    pub count: Option<&'a dyn Fn(&str) -> usize>,
}

/// Runs a setup's system on a case; with votes, as often, and the majority of the answers counts.
///
/// A limit that is reached and a context that overflows are outcomes; an endpoint that fails is
/// not, and such a run is made again.
///
/// # Errors
/// There is no such experiment or system, or the case is none of its.
pub async fn run(
    key: Key,
    setup: &Setup,
    case: &Case,
    context: JobContext<'_>,
) -> Result<RunOutcome, String> {
    let JobContext { models, world, watch, clock, at_ms, cancel, count } = context;
    let experiment = experiments::find(&setup.experiment)?;
    experiment.system(&setup.system)?;
    let mut of_roles = Models::default();
    for (role, model) in models {
        of_roles.set(role, model.as_ref());
    }
    let setting = RunContext { limits: setup.limits, seed: None, clock, cancel, watch };
    let session = &|_: &Step| ();
    let (models, sample) = (of_roles, key.sample);
    let request = CaseRequest { setup, case, world, models, setting, sample, session };
    let (mut cost, mut ended) = (Cost::default(), None);
    let after = |i: u32, run: &Finished| {
        match &run.trace.stop {
            Some(Stop::Cancelled) => ended = Some(RunOutcome::Cancelled),
            Some(Stop::ModelFailed { message, is_overflow: false }) => {
                let reason = without_addresses(message);
                let mut usage = run.trace.usage();
                usage.add(cost.usage);
                let failure = Failure { key: key.clone(), at_ms: at_ms(), reason, usage };
                ended = Some(RunOutcome::Failed(failure));
            }
            _ => {}
        }
        let mut of_run = Cost::of(&run.trace);
        if let Some(count) = count {
            of_run = of_run.with_tokens(&run.trace, count);
        }
        if i == 0 {
            cost = of_run;
        } else {
            cost.add(&of_run);
        }
        if ended.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let finished = run_votes(experiment, request, after).await?;
    if let Some(ended) = ended {
        return Ok(ended);
    }
    let finished = finished.ok_or("no run was made")?;
    Ok(RunOutcome::Finished(Box::new(RunEntry::new(key, at_ms(), setup, case, finished, cost))))
}

/// A message without the addresses in it: where somebody's endpoint is, and what stands in its
/// address, is nobody's business who reads the runs.
fn without_addresses(message: &str) -> String {
    let words = message.split_inclusive(char::is_whitespace).map(|word| {
        let Some(at) = word.find("://") else { return word.to_owned() };
        let start = word[..at].rfind(|c: char| !c.is_ascii_alphanumeric()).map_or(0, |i| i + 1);
        let end = word.trim_end().trim_end_matches([':', ',', '.', ';', ')', '"']).len();
        format!("{}(the endpoint){}", &word[..start], &word[end.max(at)..])
    });
    words.collect()
}

#[cfg(test)]
mod tests {
    use super::without_addresses;

    #[test]
    fn a_reason_tells_no_address() {
        let told = "no answer from http://me:secret@127.0.0.1:9/v1?key=K: connection refused";
        assert_eq!(without_addresses(told), "no answer from (the endpoint): connection refused");
        assert_eq!(
            without_addresses("see (https://a.example/x), twice \"http://b\"."),
            "see ((the endpoint)), twice \"(the endpoint)\"."
        );
        assert_eq!(without_addresses("plain words: 3://"), "plain words: (the endpoint)");
        assert_eq!(without_addresses("nothing"), "nothing");
    }
}
