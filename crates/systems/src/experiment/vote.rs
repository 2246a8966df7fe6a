//! Self-consistency: several runs of one case, put together by the majority of their answers.
//!
//! Paper: Graph-Grounded LLMs §IV, "Function Utilization Errors".

use std::ops::ControlFlow;

use agent::RunContext;
use trace::{Step, StepBody, Tally};

use super::{CaseRequest, Experiment, Finished};

/// Counts answers: the indices of the runs that gave each, the most frequent first. Runs without an
/// answer come last. The flag says whether two answers lead together; then the one that came first
/// stands first.
pub fn count_votes<'a>(ballots: impl Iterator<Item = &'a str>) -> (Vec<Tally>, bool) {
    let mut tallies: Vec<Tally> = Vec::new();
    for (i, answer) in ballots.enumerate() {
        match tallies.iter_mut().find(|t| t.answer == answer) {
            Some(tally) => tally.runs.push(i),
            None => tallies.push(Tally { answer: answer.to_owned(), runs: vec![i] }),
        }
    }
    // The sort is stable, so what came first leads among equals; no answer comes last.
    tallies.sort_by_key(|t| (t.answer.is_empty(), std::cmp::Reverse(t.runs.len())));
    let is_tie = match tallies.as_slice() {
        [first, second, ..] => !second.answer.is_empty() && second.runs.len() == first.runs.len(),
        _ => false,
    };
    for tally in &mut tallies {
        if tally.answer.is_empty() {
            tally.answer = "no answer".into();
        }
    }
    (tallies, is_tie)
}

/// The step that a vote leaves at the end of the winner's trace.
pub fn vote_step(at_ms: f64, tallies: Vec<Tally>, tie: bool) -> Step {
    Step { at_ms, took_ms: 0.0, by_person: false, body: StepBody::Vote { tallies, tie } }
}

/// Puts runs of one case together: the first of those with the answer that was given most often.
/// Its trace ends with the count. Runs without an answer do not vote, unless none has one.
pub fn vote(mut runs: Vec<Finished>) -> Option<Finished> {
    let (tallies, tie) = count_votes(runs.iter().map(|r| r.score.ballot.as_str()));
    let winner = *tallies.first()?.runs.first()?;
    let mut winner = (winner < runs.len()).then(|| runs.swap_remove(winner))?;
    let at_ms = winner.trace.steps.last().map_or(0.0, |s| s.at_ms + s.took_ms);
    winner.trace.steps.push(vote_step(at_ms, tallies, tie));
    Some(winner)
}

/// Runs a system on a case as often as its setup has votes, and gives the run of the majority.
/// `after` sees each run with its number; it may end the voting, which then gives nothing.
///
/// # Errors
/// As for [`Experiment::run`].
pub async fn run_votes(
    experiment: &dyn Experiment,
    request: CaseRequest<'_>,
    mut after: impl FnMut(u32, &Finished) -> ControlFlow<()>,
) -> Result<Option<Finished>, String> {
    let votes = request.setup.votes.max(1);
    let mut runs = Vec::new();
    for i in 0..votes {
        let sample = request.sample * votes + i;
        // The first sample takes the endpoint's own seed, or that of the case; later ones differ.
        let seed = (sample > 0).then_some(u64::from(sample)).or(request.setting.seed);
        let setting = RunContext { seed, ..request.setting };
        let run = experiment.run(CaseRequest { sample, setting, ..request.clone() }).await?;
        let is_over = after(i, &run).is_break();
        runs.push(run);
        if is_over {
            return Ok(None);
        }
    }
    Ok(if votes == 1 { runs.pop() } else { vote(runs) })
}
