//! A statement is written and run, and what the page shows of it is made.

use std::any::Any;
use std::rc::Rc;

use draw::{LayoutKind, Places};
use protocol::runs::StartRun;
use protocol::toolformer::{CallView, PieceView, RunView, StatementRun, StepView};
use systems::Backends;
use systems::experiment::{Experiment, World};
use systems::toolformer::experiment::{HubsWorld, InlineCalls};
use systems::toolformer::write::{MAX_INPUT, Supply, Written};
use systems::toolformer::{CallError, CallRun, Piece, Replacement, Segment, Site, StepRun, parse};
use trace::{StepBody, Trace};

use super::Hand;
use crate::context::{Context, Ended};
use crate::run::PageRun;
use crate::supply::PageSupply;

impl<B: Backends> PageRun<B> for StatementRun {
    const EXPERIMENT: &'static dyn Experiment = &InlineCalls;

    fn world(context: &Context, start: &mut StartRun<Self>) -> Result<World, Ended> {
        let mode = start.options.get("mode").cloned().unwrap_or_default();
        let mode = serde_json::from_value(mode).unwrap_or_default();
        let executor = context.keep::<Hand>().borrow_mut().executor(mode)?;
        let hubs = executor.borrow().hubs().clone();
        let supply: Rc<dyn Supply> = Rc::new(PageSupply::new(context.clone()));
        Ok(World::new(HubsWorld { hubs, executor: Some(executor), supply: Some(supply) }))
    }

    fn event(_: &Context, event: &dyn Any) -> Option<RunView> {
        event.downcast_ref().map(view)
    }
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

/// What is shown of a statement that was run, but for its trace.
fn view(written: &Written) -> RunView {
    let Written { trace, ran, done_at, memory_before } = written.clone();
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
    let trace = Trace::new(trace.system.as_str(), trace.model, Vec::new());
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
