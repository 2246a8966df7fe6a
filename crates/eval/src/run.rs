//! One run of a benchmark.

use agent::{Cancel, Clock};
use llm::{Model, Watch};
use systems::{Run, RunRequest, run_system};
use trace::Stop;

use crate::{Failure, Item, Key, RunEntry, Setup};

/// What came of a run.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It came to its end, right or wrong.
    Finished(Box<RunEntry>),
    /// Its endpoint failed; it is to be made again.
    Failed(Failure),
    /// Somebody stopped it.
    Cancelled,
}

/// Runs a setup's system on a problem.
///
/// A limit that is reached and a context that overflows are outcomes; an endpoint that fails is
/// not, and such a run is made again.
///
/// # Errors
/// There is no system of that id.
#[expect(clippy::too_many_arguments, reason = "each is something of its own")]
pub async fn run(
    key: Key,
    setup: &Setup,
    item: &Item,
    model: &dyn Model,
    watch: &dyn Watch,
    clock: &dyn Clock,
    at_ms: &dyn Fn() -> f64,
    cancel: &Cancel,
) -> Result<Outcome, String> {
    let system = systems::find(&setup.system).ok_or_else(|| {
        let known: Vec<&str> = systems::SYSTEMS.iter().map(|s| s.id).collect();
        format!("there is no system {:?}; there are {}", setup.system, known.join(", "))
    })?;
    let mut problem = item.problem();
    // Every sample draws its own, where the endpoint takes a seed.
    if key.sample > 0 {
        let seed = problem.seed.unwrap_or(0).wrapping_add(u64::from(key.sample));
        problem.seed = Some(seed);
    }
    let question = setup.question(&problem, item.question.as_deref());
    let request = RunRequest {
        system,
        problem: &problem,
        question: &question,
        limits: setup.limits,
        options: setup.options(),
        watch,
    };
    let run: Run = run_system(request, model, clock, cancel, &mut |_| {}).await;
    Ok(match &run.trace.stop {
        Some(Stop::Cancelled) => Outcome::Cancelled,
        Some(Stop::ModelFailed { message, is_overflow: false }) => {
            let reason = without_addresses(message);
            Outcome::Failed(Failure { key, at_ms: at_ms(), reason, usage: run.trace.usage() })
        }
        _ => Outcome::Finished(Box::new(RunEntry::new(key, at_ms(), setup, item, run))),
    })
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
