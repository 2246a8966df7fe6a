//! Runs on graph problems: what the engine is asked, and what came of it.

use protocol::problem::ProblemView;
use protocol::runs::{EndedRun, ModelChoice, ProblemRun, StartRun};
use serde::Deserialize as _;
use systems::Run;
use systems::experiment::MODEL;
use systems::nlgraph::{Item, case};
use tasks::{Judgement, Problem};

use super::stored::StoredRun;

fn core(view: &ProblemView) -> Problem {
    Problem {
        difficulty: view.difficulty,
        seed: view.seed,
        graph: view.graph.clone(),
        query: view.query.clone(),
    }
}

/// The request for a run on a problem, in the problem's own words.
///
/// # Errors
/// Its graph has a number that JSON has not.
pub fn ask(
    system: &str,
    problem: &ProblemView,
    model: ModelChoice,
) -> Result<StartRun<ProblemRun>, String> {
    let question = Some(problem.question.clone());
    let item = Item { question, ..Item::new("own", core(problem)) };
    Ok(StartRun::new(system, case(&item)?).with_model(MODEL.id, model))
}

/// A run that ended, as it is kept.
pub fn ended(problem: &ProblemView, ended: EndedRun<Judgement>) -> Run {
    Run::of(&core(problem), ended.run.trace, ended.run.outcome)
}

/// A run that was kept, with its problem; nothing where it is on none.
pub fn reopened(stored: StoredRun) -> Option<(ProblemView, Run)> {
    let problem = stored.problem?;
    let judgement = Judgement::deserialize(stored.outcome).ok()?;
    let run = Run::of(&core(&problem), stored.record.trace, judgement);
    Some((problem, run))
}
