//! Self-consistency: several runs, and the majority of their answers.
//!
//! Paper: Graph-Grounded LLMs §IV, "Function Utilization Errors".

use crate::Run;
use crate::experiment::{count_votes, vote_step};

/// Puts runs of one problem together. The run that is given back is the first of those with the
/// answer that was given most often; its trace ends with the count. Runs without an answer do not
/// vote, unless none has one. Among answers that lead together the one that came first is taken, and
/// the count says that it was a tie.
pub fn vote(runs: &[Run]) -> Option<Run> {
    let ballots: Vec<String> = runs
        .iter()
        .map(|r| r.judgement.answer.as_ref().map(tasks::Answer::ballot).unwrap_or_default())
        .collect();
    let (tallies, tie) = count_votes(ballots.iter().map(String::as_str));
    let mut winner = runs.get(*tallies.first()?.runs.first()?)?.clone();
    let at_ms = winner.trace.steps.last().map_or(0.0, |s| s.at_ms + s.took_ms);
    winner.trace.steps.push(vote_step(at_ms, tallies, tie));
    Some(winner)
}
