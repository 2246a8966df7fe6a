//! Logs of answers: each is held against its problem, in slices so that a stop or another request gets
//! through.

use protocol::answers::{
    CheckAnswers, CheckedAnswer, CheckedAnswers, MAX_ANSWER_BYTES, MAX_LOG_BYTES, MOST_ANSWERS,
};
use protocol::exact::Exact;
use tasks::dataset::{AnsweredProblem, parse_answered};

use crate::context::{Context, Ended};
use crate::problems::worded;

/// The longest that is computed without letting other messages in.
const SLICE_MS: f64 = 12.0;
/// A line that is longer is none of a log: the largest question of the benchmark has some kilobytes.
const MAX_LINE_BYTES: usize = 200_000;

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
    let answered = parse_answered(line).map_err(|error| error.to_string())?;
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
    for (i, line) in ask.text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        match read(line) {
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
                out.fault.get_or_insert_with(|| format!("line {}: {message}", i + 1));
            }
        }
        if context.host.now_ms() - began > SLICE_MS {
            context.pause().await?;
            began = context.host.now_ms();
        }
    }
    Ok(Exact(out))
}
