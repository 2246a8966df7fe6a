//! Self-consistency: several runs, and the majority of their answers.
//!
//! Paper: Graph-Grounded LLMs §IV, "Function Utilization Errors".

use trace::{Step, StepBody, Tally};

use crate::Run;

/// Puts runs of one problem together. The run that is given back is the first of those with the
/// answer that was given most often; its trace ends with the count. Runs without an answer do not
/// vote, unless none has one. Among answers that lead together the one that came first is taken, and
/// the count says that it was a tie.
pub fn vote(runs: &[Run]) -> Option<Run> {
    let mut tallies: Vec<Tally> = Vec::new();
    for (i, run) in runs.iter().enumerate() {
        let answer = run.judgement.answer.as_ref().map(tasks::Answer::ballot).unwrap_or_default();
        match tallies.iter_mut().find(|t| t.answer == answer) {
            Some(tally) => tally.runs.push(i),
            None => tallies.push(Tally { answer, runs: vec![i] }),
        }
    }
    // The sort is stable, so what came first leads among equals; no answer comes last.
    tallies.sort_by_key(|t| (t.answer.is_empty(), std::cmp::Reverse(t.runs.len())));
    let first = tallies.first()?;
    let tie =
        tallies.get(1).is_some_and(|t| !t.answer.is_empty() && t.runs.len() == first.runs.len());
    let mut winner = runs.get(*first.runs.first()?)?.clone();
    let at_ms = winner.trace.steps.last().map_or(0.0, |s| s.at_ms + s.took_ms);
    for tally in &mut tallies {
        if tally.answer.is_empty() {
            tally.answer = "no answer".into();
        }
    }
    let body = StepBody::Vote { tallies, tie };
    winner.trace.steps.push(Step { at_ms, took_ms: 0.0, by_person: false, body });
    Some(winner)
}
