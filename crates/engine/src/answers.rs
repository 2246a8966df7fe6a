//! Logs of answers: each is held against its problem, in slices so that a stop or another request gets
//! through.

use eval::{RunEntry, Runs};
use protocol::answers::{
    CheckAnswers, CheckedAnswer, CheckedAnswers, MAX_ANSWER_BYTES, MAX_LOG_BYTES, MOST_ANSWERS,
};
use protocol::exact::Exact;
use systems::experiment::Experiment as _;
use systems::nlgraph::{self, NlGraph};
use tasks::dataset::{AnsweredProblem, parse_answered};
use trace::formats::moment;

use crate::context::{Context, Ended};
use crate::problems::worded;

/// The longest that is computed without letting other messages in.
const SLICE_MS: f64 = 12.0;
/// A line that is longer is none of a log: the largest question of the benchmark has some kilobytes.
const MAX_LINE_BYTES: usize = 200_000;

/// How a runs file of `graphground bench` begins.
const RUNS: &str = r#"{"type":"head","#;
/// The letters of a day: 2026-11-25.
const DAY: usize = 10;

/// Answers that were read one by one, each with its place in the log.
type Answered<'t> = Box<dyn Iterator<Item = (usize, Result<AnsweredProblem, String>)> + 't>;

/// The beginning of a text, whole characters alone.
fn cut(mut text: String, most: usize) -> String {
    if text.len() > most {
        let end = (0..=most).rev().find(|end| text.is_char_boundary(*end)).unwrap_or_default();
        text.truncate(end);
    }
    text
}

fn read(line: &str) -> Result<AnsweredProblem, String> {
    if line.len() > MAX_LINE_BYTES {
        return Err(format!(
            "the line has {} bytes; at most {MAX_LINE_BYTES} are read",
            line.len()
        ));
    }
    drawable(parse_answered(line).map_err(|error| error.to_string())?)
}

/// The answers in a runs file of `graphground bench`: those on graph problems that were given without a
/// call.
fn of_runs(text: &str) -> Result<Vec<Result<AnsweredProblem, String>>, String> {
    let runs: Runs = Runs::read(text).map_err(|error| error.to_string())?;
    let is_alone = |run: &&RunEntry| run.trace.n_calls() == 0 && run.trace.answer().is_some();
    let answered = runs.runs.iter().filter(is_alone).filter_map(|run| {
        let case = runs.case(&run.key.case).filter(|case| case.experiment == nlgraph::ID)?;
        let setup = runs.setups.get(&run.key.setup)?;
        let of = |item: nlgraph::Item| AnsweredProblem {
            problem: item.problem(),
            question: NlGraph.question(setup, case),
            text: run.trace.answer().unwrap_or_default().to_owned(),
            model: run.trace.model.clone(),
            recorded: (run.at_ms > 0.0).then(|| cut(moment(run.at_ms), DAY)),
        };
        Some(nlgraph::item(case).map(of).and_then(drawable))
    });
    Ok(answered.collect())
}

fn drawable(answered: AnsweredProblem) -> Result<AnsweredProblem, String> {
    if !draw::is_drawn_whole(&answered.problem.graph) {
        return Err(format!(
            "its graph has {} nodes, and only graphs that are drawn whole are shown",
            answered.problem.graph.n_nodes()
        ));
    }
    Ok(answered)
}

/// The answer, if something in it is false.
fn checked(answered: AnsweredProblem) -> Option<CheckedAnswer> {
    let AnsweredProblem { problem, question, text, model, recorded } = answered;
    let text = cut(text, MAX_ANSWER_BYTES);
    let claims = tasks::claims::find_with_answer(&problem, &text);
    if claims.iter().all(|claim| claim.is_true) {
        return None;
    }
    let judgement = tasks::verify(&problem, &text);
    let recorded = recorded.map(|day| cut(day, 40));
    let problem = worded(problem, question);
    Some(CheckedAnswer { problem, model: cut(model, 200), recorded, text, judgement, claims })
}

pub(crate) async fn check(
    context: &Context,
    ask: CheckAnswers,
) -> Result<Exact<CheckedAnswers>, Ended> {
    if ask.text.len() > MAX_LOG_BYTES {
        return Err(Ended::Failed(format!(
            "this log has {} bytes; at most {MAX_LOG_BYTES} are read",
            ask.text.len()
        )));
    }
    let mut out = CheckedAnswers::default();
    let mut began = context.host.now_ms();
    let (what, all): (_, Answered<'_>) = if ask.text.trim_start().starts_with(RUNS) {
        ("run", Box::new(of_runs(&ask.text).map_err(Ended::Failed)?.into_iter().enumerate()))
    } else {
        let lines = ask.text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        ("line", Box::new(lines.map(|(i, line)| (i, read(line)))))
    };
    for (i, answered) in all {
        match answered {
            Ok(answered) => {
                out.n_read += 1;
                if out.answers.len() < MOST_ANSWERS {
                    let found = checked(answered);
                    out.n_false += usize::from(found.is_some());
                    out.answers.extend(found);
                } else {
                    let claims = tasks::claims::find_with_answer(&answered.problem, &answered.text);
                    out.n_false += usize::from(claims.iter().any(|claim| !claim.is_true));
                }
            }
            Err(message) => {
                out.n_unread += 1;
                out.fault.get_or_insert_with(|| format!("{what} {}: {message}", i + 1));
            }
        }
        if context.host.now_ms() - began > SLICE_MS {
            context.pause().await?;
            began = context.host.now_ms();
        }
    }
    Ok(Exact(out))
}
