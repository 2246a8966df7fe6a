//! A statement is written and run, and what the page shows of it is made.

use draw::{LayoutKind, Places};
use llm::Model;
use protocol::toolformer::{CallView, PieceView, RunStatement, RunView, StepView, Writer};
use systems::toolformer::scripted::WriterScript;
use systems::toolformer::write::{MAX_INPUT, Statement, Written, write};
use systems::toolformer::{CallError, CallRun, Piece, Replacement, Segment, Site, StepRun, parse};
use trace::{StepBody, Trace};

use super::Hand;
use crate::context::{Context, Ended};
use crate::models;
use crate::supply::PageSupply;

/// Writes and runs; every step is posted as it comes.
pub(crate) async fn run(context: &Context, ask: RunStatement) -> Result<RunView, Ended> {
    let RunStatement { input, writer, mode, limits } = ask;
    bounded(&input)?;
    let model: Box<dyn Model> = match writer {
        Writer::Person => Box::new(Statement::of_person(input.clone())),
        Writer::Model(choice) => models::model(context, choice, script)?,
    };
    let executor = context.keep::<Hand>().borrow_mut().executor(mode)?;
    let supply = PageSupply::new(context.clone());
    let written = models::run(context, limits, async |at, on_step| {
        write(&executor, &supply, &input, &*model, at, on_step).await
    })
    .await;
    Ok(view(written))
}

fn bounded(statement: &str) -> Result<(), String> {
    match statement.len() {
        n if n > MAX_INPUT => {
            Err(format!("the statement has {n} bytes; at most {MAX_INPUT} are read at once"))
        }
        _ => Ok(()),
    }
}

/// The words and the calls of a statement, none of which has run.
pub(super) fn read(statement: &str) -> Result<Vec<PieceView>, String> {
    bounded(statement)?;
    let piece = |segment| match segment {
        Segment::Text(words) => PieceView::Text(words),
        Segment::Site(Site { source, bracket, .. }) => {
            let (bracket, error) = match bracket {
                Ok(bracket) => (Some(bracket), None),
                Err(error) => (None, Some(CallError::Syntax { error }.to_string())),
            };
            // What cannot be read is done: it will stand as it is.
            let done_at = if error.is_some() { 0 } else { usize::MAX };
            PieceView::Call(Box::new(CallView {
                source,
                bracket,
                place: Replacement::Itself,
                result: String::new(),
                error,
                steps: Vec::new(),
                done_at,
            }))
        }
    };
    Ok(parse(statement).into_iter().map(piece).collect())
}

fn script(name: &str) -> Result<Box<dyn Model>, String> {
    let script = WriterScript::by_name(name).ok_or_else(|| {
        let names: Vec<String> = WriterScript::names().into_iter().map(|n| n.0).collect();
        format!("there is no script {name:?}; there are {}", names.join(", "))
    })?;
    Ok(Box::new(script))
}

fn view(written: Written) -> RunView {
    let Written { trace, ran, done_at, memory_before } = written;
    let mut memory = vec![(0, memory_before)];
    let mut pieces = Vec::new();
    let mut text = String::new();
    if let Some(ran) = ran {
        text = ran.text;
        let mut done_at = done_at.into_iter();
        for piece in ran.pieces {
            pieces.push(match piece {
                Piece::Text(words) => PieceView::Text(words),
                Piece::Call(call) => {
                    let at = done_at.next().unwrap_or(trace.steps.len());
                    memory.push((at, call.memory.clone()));
                    PieceView::Call(Box::new(call_view(*call, at)))
                }
            });
        }
    }
    let places = places(&trace);
    RunView { trace, text, pieces, memory, places }
}

fn call_view(call: CallRun, done_at: usize) -> CallView {
    let results = call.steps.iter().filter_map(|s| s.result.clone());
    let result = call
        .bracket
        .as_ref()
        .filter(|b| b.is_inserted())
        .map(|_| results.collect::<Vec<_>>().join(", "))
        .unwrap_or_default();
    CallView {
        source: call.source,
        bracket: call.bracket,
        place: call.place,
        result,
        error: call.error.map(|e| e.to_string()),
        steps: call.steps.into_iter().map(step_view).collect(),
        done_at,
    }
}

fn step_view(step: StepRun) -> StepView {
    let StepRun { call, result, notes, scores, weighs_nodes, recalls, .. } = step;
    let hits = recalls.into_iter().filter(|r| r.is_hit).map(|r| r.key).collect();
    StepView { call, result, notes, scores, weighs_nodes, hits }
}

/// Places for each graph that is drawn, from the step on at which it begins: the last state of each
/// has most of it, and nothing moves while a person steps.
fn places(trace: &Trace) -> Vec<(usize, Places)> {
    let begins = |i: &usize| match &trace.steps[*i].body {
        StepBody::Call { effects, .. } => {
            effects.deltas.iter().any(|d| matches!(d, graph::Delta::Create { .. }))
        }
        _ => false,
    };
    let starts: Vec<usize> = (0..trace.steps.len()).filter(begins).collect();
    let ends = starts.iter().skip(1).copied().chain([trace.steps.len()]);
    starts
        .iter()
        .zip(ends)
        .filter_map(|(start, end)| {
            let graph = trace.graph_after(end).ok()?;
            Some((start + 1, draw::layout(&graph, LayoutKind::Force, 1, &Places::default())))
        })
        .collect()
}
