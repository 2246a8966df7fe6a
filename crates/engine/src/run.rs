//! Runs of a system, one or several put to the vote.

use agent::RunContext;
use protocol::FromWorker;
use protocol::runs::{FinishedRun, RunProblem};
use systems::{Run, RunRequest, run_system, vote};
use trace::Stop;

use crate::context::{Context, Ended};
use crate::models::{self, script};
use crate::problems;

/// The most runs of one vote.
const MAX_RUNS: u32 = 25;

/// Runs a system, several times if there is a vote.
pub(crate) async fn run(context: &Context, ask: RunProblem) -> Result<FinishedRun, Ended> {
    let RunProblem { system, problem: view, model, limits, options, n_runs } = ask;
    let model = models::model(context, model, script)?;
    let system = systems::find(&system).ok_or_else(|| format!("there is no system {system:?}"))?;
    let n_runs = n_runs.clamp(1, MAX_RUNS);
    let all: Vec<Run> = models::run(context, limits, async |setting, on_step| {
        let mut all = Vec::new();
        let core = problems::core(&view);
        let question = if options.attach && system.has_tools {
            core.attached_question(tasks::Wording::Improved)
        } else {
            view.question.clone()
        };
        for i in 0..n_runs {
            let mut seed = None;
            // Every run of a vote draws its own samples, where the endpoint takes a seed.
            if n_runs > 1 {
                seed = Some(core.seed.unwrap_or(0).wrapping_add(u64::from(i)));
                let (done, total) = (i as usize, n_runs as usize);
                context.post(FromWorker::Progress { done, total });
            }
            let request = RunRequest {
                system,
                problem: &core,
                question: &question,
                options: (*options).clone(),
                setting: RunContext { seed, ..setting },
            };
            let run = run_system(request, &*model, on_step).await;
            let was_stopped = run.trace.stop == Some(Stop::Cancelled);
            all.push(run);
            if was_stopped {
                break;
            }
        }
        all
    })
    .await;
    let first = || all.first().cloned().ok_or("no run was made");
    let run = if n_runs == 1 { first()? } else { vote(&all).map_or_else(first, Ok)? };
    let all = if n_runs == 1 { Vec::new() } else { all };
    Ok(FinishedRun { run: Box::new(run), all })
}
