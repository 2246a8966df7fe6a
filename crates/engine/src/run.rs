//! Runs of an experiment's systems, as a page asks for them.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::rc::Rc;

use agent::RunContext;
use futures_channel::oneshot;
use futures_util::future::join;
use llm::BoxFuture;
use protocol::FromWorker;
use protocol::exact::Exact;
use protocol::run_end::title_of;
use protocol::runs::{EndedRun, ListCases, ProblemRun, RunEvent, RunKind, StartRun};
use systems::Backends;
use systems::experiment::{
    Case, CaseRequest, Experiment, Finished, Models, Session, Setup, World, run_votes,
};
use systems::nlgraph::{self, NlGraph, ProblemByHand, ProblemWorld};
use trace::{Step, Stop};

use crate::context::{Context, Controls, Ended};
use crate::fetch::Watching;
use crate::models;
use crate::python::PagePython;

/// An experiment whose cases this engine runs.
pub(crate) trait PageRun<B: Backends>: RunKind {
    /// The experiment.
    const EXPERIMENT: &'static dyn Experiment;

    /// Returns the world of the case. It may complete the request with what only this engine knows.
    ///
    /// # Errors
    /// Something is missing, or does not go together; in words.
    fn world(context: &Context, start: &mut StartRun<Self>) -> Result<World, Ended>
    where
        Self: Sized;

    /// Something that goes along with the run until [`PageRun::close`], as a copy that is kept.
    fn beside(_context: &Context, _by_hand: &Self::ByHand) -> Option<BoxFuture<'static, ()>> {
        None
    }

    /// Ends what goes along with the run.
    fn close(_context: &Context) {}

    /// What happened beside the steps, as the page hears of it.
    fn event(_context: &Context, _event: &dyn Any) -> Option<Self::Event> {
        None
    }

    /// What was asked, for a line in a list.
    fn title(setup: &Setup, case: &Case, _by_hand: &Self::ByHand) -> String {
        Self::EXPERIMENT.question(setup, case)
    }

    /// What the page hears of when the run has ended.
    fn end(_context: &Context, _run: &Finished<Self::Outcome>) -> Option<Self::Event> {
        None
    }
}

/// The cases that a source makes.
pub(crate) async fn cases<K: PageRun<B>, B: Backends>(
    _: &Context,
    ask: ListCases<K>,
) -> Result<Exact<Vec<Case>>, Ended> {
    Ok(Exact(K::EXPERIMENT.load(&ask.source)?.0))
}

/// Runs a system on a case; with votes, as often.
pub(crate) async fn start<K: PageRun<B>, B: Backends>(
    context: &Context,
    mut start: StartRun<K>,
) -> Result<EndedRun<K::Outcome>, Ended> {
    let experiment = K::EXPERIMENT;
    let world = K::world(context, &mut start)?;
    let beside = K::beside(context, &start.by_hand);
    let StartRun { system, case, models: choices, options, limits, votes, pauses, by_hand } = start;
    let mut setup = experiment.setup(&system, &[])?;
    if !options.is_null() {
        setup.options = experiment.read_options(&system, &options)?;
    }
    setup.limits = limits.unwrap_or(setup.limits);
    setup.votes = votes.clamp(1, MAX_RUNS);
    let mut of_roles = Vec::new();
    for (role, choice) in choices {
        setup.roles.insert(role.clone(), models::role_model(&choice));
        of_roles.push((models::of_role(context, experiment, &role, choice)?, role));
    }
    let mut models = Models::default();
    of_roles.iter().for_each(|(model, role)| models.set(role, &**model));
    let page = Page::<K, B> {
        backends: PhantomData,
        context,
        watching: Watching::new(context),
        by_hand,
        pauses,
        paused_ms: Cell::new(0.0),
        sent: RefCell::default(),
    };
    // The time that a person takes to look is no time of the run.
    let clock = || context.host.now_ms() - page.paused_ms.get();
    let cancel = &context.controls.cancel;
    let setting = RunContext {
        limits: setup.limits,
        seed: None,
        clock: &clock,
        cancel,
        watch: &page.watching,
    };
    let request = CaseRequest {
        setup: &setup,
        case: &case,
        world: &world,
        models,
        setting,
        sample: 0,
        session: &page,
    };
    let mut last = None;
    let after = |i: u32, run: &Finished| {
        let n_left = setup.votes - i - 1;
        if run.trace.stop == Some(Stop::Cancelled) {
            last = Some(run.clone());
            return ControlFlow::Break(());
        }
        if n_left > 0 {
            // The steps of the next run follow.
            page.sent.take();
            context
                .post(FromWorker::Progress { done: i as usize + 1, total: setup.votes as usize });
        }
        ControlFlow::Continue(())
    };
    let running = async {
        let run = run_votes(experiment, request, after).await;
        K::close(context);
        run
    };
    let (run, ()) = join(running, async {
        if let Some(beside) = beside {
            beside.await;
        }
    })
    .await;
    let run = run?.or(last).ok_or("no run was made")?;
    let mut run: Finished<K::Outcome> = run.typed()?;
    if let Some(event) = K::end(context, &run) {
        context.tell(RunEvent::Own(event));
    }
    // A judge's words and a vote come behind what was sent.
    let sent = page.sent.take();
    let n_sent = sent.iter().zip(&run.trace.steps).take_while(|(sent, step)| sent == step).count();
    run.trace.steps.drain(..n_sent);
    let title = title_of(&K::title(&setup, &case, &page.by_hand));
    let is_known = experiment.is_known(&case);
    Ok(EndedRun { case, system: setup.system.clone(), title, is_known, run: Box::new(run), n_sent })
}

impl<B: Backends> PageRun<B> for ProblemRun {
    const EXPERIMENT: &'static dyn Experiment = &NlGraph;

    fn world(context: &Context, _: &mut StartRun<Self>) -> Result<World, Ended> {
        Ok(World::new(ProblemWorld { python: Some(Rc::new(PagePython(context.clone()))) }))
    }

    fn title(_: &Setup, case: &Case, _: &ProblemByHand) -> String {
        nlgraph::item(case).map_or_else(|_| String::new(), |item| item.title())
    }
}

/// The page beside a run.
struct Page<'a, K: RunKind, B> {
    backends: PhantomData<B>,
    context: &'a Context,
    watching: Watching,
    by_hand: K::ByHand,
    /// Whether each round waits to be resumed.
    pauses: bool,
    /// How long the run has paused in all.
    paused_ms: Cell<f64>,
    /// The steps that the page has.
    sent: RefCell<Vec<Step>>,
}

impl<K: PageRun<B>, B: Backends> Session for Page<'_, K, B> {
    fn step(&self, step: &Step) {
        self.watching.step();
        self.context.post(FromWorker::Step { step: Box::new(step.clone()) });
        self.sent.borrow_mut().push(step.clone());
    }

    fn has_person(&self) -> bool {
        true
    }

    fn by_hand(&self) -> Option<&dyn Any> {
        Some(&self.by_hand)
    }

    fn hears(&self) -> bool {
        true
    }

    fn event(&self, event: &dyn Any) {
        if let Some(event) = K::event(self.context, event) {
            self.context.tell(RunEvent::Own(event));
        }
    }

    fn round(&self) {
        if self.pauses {
            self.context.controls.is_paused.set(true);
        }
    }

    fn correction(&self) -> BoxFuture<'_, Option<String>> {
        Box::pin(async move {
            let Controls { is_paused, corrections, woken, .. } = &self.context.controls;
            let mut has_said_so = false;
            let began = self.context.host.now_ms();
            let next = loop {
                let next = corrections.borrow_mut().pop_front();
                if next.is_some() || !is_paused.get() || self.context.is_cancelled() {
                    break next;
                }
                if !std::mem::replace(&mut has_said_so, true) {
                    self.context.tell(RunEvent::<K::Event>::Paused);
                }
                let (wake, word) = oneshot::channel();
                *woken.borrow_mut() = Some(wake);
                // The sender is dropped where the job is stopped.
                let _ = word.await;
            };
            let lasted = self.context.host.now_ms() - began;
            self.paused_ms.set(self.paused_ms.get() + lasted);
            next
        })
    }

    fn corrected(&self, fault: Option<String>) {
        if let Some(why) = fault {
            self.context.tell(RunEvent::<K::Event>::Refused(why));
        }
    }
}

/// The most runs of one vote.
const MAX_RUNS: u32 = 25;
