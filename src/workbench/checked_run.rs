//! One answer to a problem: run, judged, and every claim of it checked.

use draw::Marks;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::problem::{FindClaims, ProblemView};
use protocol::runs::ModelChoice;
use serde_json::json;
use systems::Run;
use tasks::claims::Claim;
use trace::{StepBody, Stop};

use super::session::{Happening, RunSession};
use crate::services::engine_client;
use crate::state::prices::{self, Prices};
use crate::state::settings::OWN_LABEL;
use crate::state::stored::Keeping;
use crate::state::story::shared;
use crate::state::{claimed, problem_run};

/// An answer, or its absence.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Answered {
    pub(crate) n_steps: usize,
    pub(crate) run: Option<Run>,
    pub(crate) claims: Vec<Claim>,
}

impl Answered {
    /// The words in which the model answered.
    pub(crate) fn answer(&self) -> String {
        let Some(run) = &self.run else { return String::new() };
        let asks =
            (run.trace.stop == Some(Stop::AskedBack)).then(|| run.trace.last_said()).flatten();
        let said = run.trace.answer().or(asks);
        said.map_or_else(|| run.judgement.explanation.clone(), str::to_owned)
    }

    /// What it claims, on the drawing: one claim, or all.
    pub(crate) fn drawn(&self, claim: Option<usize>) -> Marks {
        claimed::drawn(&self.claims, claim, self.run.as_ref().map(|run| &run.judgement))
    }

    /// Time, tokens and cost; what an endpoint does not report is not a zero.
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
            .map_or_else(|| "token count not reported".to_owned(), |t| format!("{t} tokens"));
        let cost = match trace.model.as_str() {
            OWN_LABEL => "no cost".to_owned(),
            model => prices::dollars(prices.cost(model, &trace.usage())),
        };
        let mistakes: usize = trace.mistakes().iter().map(|(_, n)| n).sum();
        let mut facts = vec![trace.model.clone(), time, calls, tokens, cost];
        if mistakes > 0 {
            facts.push(format!("{mistakes} mistakes, {} corrected", trace.n_corrections()));
        }
        facts.join(" · ")
    }
}

/// A run whose answer's claims are held against the problem.
#[derive(Clone, Copy)]
pub(crate) struct CheckedRun {
    pub(crate) session: RunSession,
    pub(crate) answered: RwSignal<Answered>,
}

impl CheckedRun {
    pub(crate) fn new() -> Self {
        Self { session: RunSession::new(), answered: RwSignal::default() }
    }

    /// A run that is shown and not kept.
    pub(crate) fn unkept() -> Self {
        Self { session: RunSession::unkept(), ..Self::new() }
    }

    /// Starts in place of what was before.
    pub(crate) fn start(
        self,
        system: &str,
        model: ModelChoice,
        problem: ProblemView,
        attach: bool,
    ) {
        const WHAT: &str = "run";
        self.session.clear();
        self.answered.set(Answered::default());
        let mut ask = match problem_run::ask(system, &problem, model) {
            Ok(ask) => ask,
            Err(message) => return self.session.notice.set(Some(message)),
        };
        ask.options = json!({ "attach": attach });
        let engine = engine_client::for_graph(&problem.graph);
        let keeping = Keeping::problem(&problem);
        self.session.start_keeping(
            &engine,
            &ask,
            keeping,
            WHAT,
            move |happening| match happening {
                Happening::Step(step) => {
                    self.answered.update(|a| {
                        a.n_steps += usize::from(!matches!(step.body, StepBody::Note { .. }));
                    });
                    self.session.push(step);
                }
                Happening::Done(ended) => {
                    let run = problem_run::ended(&problem, ended);
                    // It is busy until its claims are checked.
                    self.session.busy.set(Some(WHAT.to_owned()));
                    let of = problem.clone();
                    let mine = self.session.turn();
                    spawn_local(async move {
                        let text = run.trace.answer().unwrap_or_default().to_owned();
                        let claims = claims_of(of, text).await;
                        if self.session.is_turn(mine) {
                            self.session.busy.set(None);
                            self.session.steps.set(shared(&run.trace.steps));
                            let run = Some(run);
                            self.answered.set(Answered { run, claims, ..Answered::default() });
                        }
                    });
                }
                _ => {}
            },
        );
    }

    /// Forgets what was answered, and stops what runs.
    pub(crate) fn clear(self) {
        self.session.clear();
        self.answered.set(Answered::default());
    }
}

/// What a text claims about a problem's graph; nothing, where the engine does not answer.
pub(crate) async fn claims_of(problem: ProblemView, text: String) -> Vec<Claim> {
    let ask = FindClaims { problem: Box::new(problem), text };
    engine_client::interactive().ask(ask).await.map_or_else(|_| Vec::new(), |claims| claims.0)
}
