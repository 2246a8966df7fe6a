//! Two runs on one problem in a link. Verdicts are none of it: whoever opens it has them judged again.

use protocol::problem::ProblemView;
use protocol::share::Linked;
use serde::{Deserialize, Serialize};
use systems::Run;
use tasks::{Style, Wording, verify};
use trace::Record;
use trace::formats::write_own;

use super::{LinkError, problem, tools};
use crate::{problems, trace_files};

/// The most runs of a link.
const MOST: usize = 2;

/// A run as a link has it.
#[derive(Debug, Serialize, Deserialize)]
struct OneRun {
    /// The system's id.
    system: String,
    /// Its trace in our own format.
    trace: String,
}

/// What a link of this kind holds.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Body {
    problem: problem::Body,
    runs: Vec<OneRun>,
}

pub(super) fn body(view: &ProblemView, wording: Wording, style: Style, runs: &[Run]) -> Body {
    let one = |run: &Run| {
        let mut trace = run.trace.clone();
        tools::leave_out(&mut trace);
        OneRun { system: run.system.clone(), trace: write_own(&[Record::of(trace)]) }
    };
    Body { problem: problem::body(view, wording, style), runs: runs.iter().map(one).collect() }
}

pub(super) fn read(text: &str) -> Result<Linked, LinkError> {
    let wrong = |reason: String| LinkError::Content { kind: "pair of runs", reason };
    let body: Body = serde_json::from_str(text).map_err(|e| wrong(e.to_string()))?;
    let view = problem::open(body.problem)?;
    if body.runs.is_empty() || body.runs.len() > MOST {
        return Err(wrong(format!("it has {} runs; one or two are read", body.runs.len())));
    }
    let core = problems::core(&view);
    let run = |one: OneRun| -> Result<Run, LinkError> {
        if systems::nlgraph::find(&one.system).is_none() {
            return Err(wrong(format!("there is no system {:?}", one.system)));
        }
        let records = trace_files::parse(one.trace.as_bytes()).map_err(wrong)?.records;
        let record = records.into_iter().next();
        let mut trace = record.ok_or_else(|| wrong("a run has no trace".into()))?.trace;
        tools::put_back(&mut trace);
        let judgement = verify(&core, trace.answer().unwrap_or_default());
        Ok(Run {
            system: one.system,
            task: view.task,
            difficulty: view.difficulty,
            seed: view.seed,
            question: view.question.clone(),
            trace,
            judgement,
        })
    };
    let runs: Vec<Run> = body.runs.into_iter().map(run).collect::<Result<_, _>>()?;
    Ok(Linked::Pair(Box::new(view), runs))
}
