//! One answer to a problem: run, judged, and every claim of it checked.

use std::rc::Rc;

use engine::message::ProblemView;
use engine::{Event, Output, Request};
use leptos::prelude::*;
use leptos::task::spawn_local;
use systems::Run;
use tasks::claims::Claim;
use trace::StepBody;

use crate::services::engine_client::{self, JobHandle};
use crate::state::prices::{self, Prices};
use crate::state::stored::StoredRun;

/// An answer, or its absence.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Side {
    pub(crate) busy: bool,
    pub(crate) n_steps: usize,
    pub(crate) run: Option<Run>,
    pub(crate) claims: Vec<Claim>,
}

impl Side {
    /// The words in which the model answered.
    pub(crate) fn answer(&self) -> String {
        let Some(run) = &self.run else { return String::new() };
        run.trace.answer().map_or_else(|| run.judgement.explanation.clone(), str::to_owned)
    }

    /// Time, tokens and cost; what was not told is not a zero.
    pub(crate) fn facts(&self, prices: &Prices) -> String {
        let Some(run) = &self.run else { return String::new() };
        let trace = &run.trace;
        let ms: f64 = trace.steps.last().map_or(0.0, |s| s.at_ms + s.took_ms);
        let time =
            if ms >= 1000.0 { format!("{:.1} s", ms / 1000.0) } else { format!("{ms:.0} ms") };
        let n_calls = trace.n_calls();
        let calls = if n_calls == 1 { "1 call".to_owned() } else { format!("{n_calls} calls") };
        let tokens = trace
            .usage()
            .total()
            .map_or_else(|| "tokens not told".to_owned(), |t| format!("{t} tokens"));
        let cost = prices::dollars(prices.cost(&trace.model, &trace.usage()));
        let mistakes: usize = trace.mistakes().iter().map(|(_, n)| n).sum();
        let mut facts = vec![trace.model.clone(), time, calls, tokens, cost];
        if mistakes > 0 {
            facts.push(format!("{mistakes} mistakes, {} corrected", trace.n_corrections()));
        }
        facts.join(" · ")
    }
}

/// Whom to tell of a run.
#[derive(Clone)]
pub(crate) struct Told {
    /// Whether anybody still waits for it.
    pub(crate) is_current: Rc<dyn Fn() -> bool>,
    /// Of the finished run.
    pub(crate) on_run: Rc<dyn Fn(StoredRun)>,
    /// Of a job that failed.
    pub(crate) on_fault: Rc<dyn Fn(String)>,
}

/// Starts a run, and holds its answer's claims against the problem when it is done.
pub(crate) fn run(
    request: &Request,
    problem: ProblemView,
    side: RwSignal<Side>,
    told: Told,
) -> JobHandle {
    engine_client::interactive().start(request, move |event| {
        if !(told.is_current)() {
            return;
        }
        match event {
            Event::Step { step } => side.update(|s| {
                s.n_steps += usize::from(!matches!(step.body, StepBody::Note { .. }));
            }),
            Event::Done { output } => {
                let Output::Run { run, .. } = *output else { return };
                let stored = StoredRun::new(js_sys::Date::now(), problem.clone(), (*run).clone());
                let (of, told) = (problem.clone(), told.clone());
                spawn_local(async move {
                    let text = run.trace.answer().unwrap_or_default().to_owned();
                    let claims = claims_of(of, text).await;
                    if (told.is_current)() {
                        side.set(Side { run: Some(*run), claims, ..Side::default() });
                    }
                    (told.on_run)(stored);
                });
            }
            Event::Failed { message } => {
                side.update(|s| s.busy = false);
                (told.on_fault)(message);
            }
            _ => {}
        }
    })
}

/// What a text claims about a problem's graph; nothing, where the engine does not answer.
pub(crate) async fn claims_of(problem: ProblemView, text: String) -> Vec<Claim> {
    let request = Request::Claims { problem: Box::new(problem), text };
    match engine_client::interactive().ask(request).await {
        Ok(Output::Claims { claims }) => claims,
        _ => Vec::new(),
    }
}
