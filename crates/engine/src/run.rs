//! Runs of a system, one or several put to the vote.

use llm::Model;
use systems::{Run, RunOptions, RunRequest, run_system, vote};
use trace::{Step, Stop};

use crate::fetch::Watching;
use crate::jobs::Context;
use crate::message::ProblemView;
use crate::{Event, Output, problem};

/// The most runs of one vote.
const MAX_RUNS: u32 = 25;

pub(crate) async fn run(
    context: &Context,
    system: &str,
    view: &ProblemView,
    model: &dyn Model,
    limits: agent::Limits,
    options: &RunOptions,
    n_runs: u32,
) -> Result<Output, String> {
    let system = systems::find(system).ok_or_else(|| format!("there is no system {system:?}"))?;
    let n_runs = n_runs.clamp(1, MAX_RUNS);
    let host = context.host.clone();
    let clock = move || host.now_ms();
    let watching = Watching::new(context);
    let mut all: Vec<Run> = Vec::new();
    for i in 0..n_runs {
        let mut core = problem::core(view);
        // Every run of a vote draws its own samples, where the endpoint takes a seed.
        if n_runs > 1 {
            core.seed = Some(core.seed.unwrap_or(0).wrapping_add(u64::from(i)));
            context.post(Event::Progress { done: i as usize, total: n_runs as usize });
        }
        let question = if options.attach && system.has_tools {
            core.attached_question(tasks::Wording::Improved)
        } else {
            view.question.clone()
        };
        let request = RunRequest {
            system,
            problem: &core,
            question: &question,
            limits,
            options: options.clone(),
            watch: &watching,
        };
        let mut on_step = |step: &Step| {
            watching.step();
            context.post(Event::Step { step: Box::new(step.clone()) });
        };
        let run = run_system(request, model, &clock, &context.cancel, &mut on_step).await;
        let was_stopped = run.trace.stop == Some(Stop::Cancelled);
        all.push(run);
        if was_stopped {
            break;
        }
    }
    let first = || all.first().cloned().ok_or_else(|| "no run was made".to_owned());
    let run = if n_runs == 1 { first()? } else { vote(&all).map_or_else(first, Ok)? };
    if n_runs == 1 {
        all.clear();
    }
    Ok(Output::Run { run: Box::new(run), all })
}
