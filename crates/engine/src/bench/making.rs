//! Making the runs of a benchmark that are missing, several at once, in one worker.

use std::cell::RefCell;
use std::rc::Rc;

use agent::{Choosing, EndpointModel, ToolSet as _};
use eval::prices::Prices;
use eval::{Entry, Item, Job, Next, Outcome, Plan, Queue, Setup, Spent, problems};
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use llm::{Endpoint, Model, Part, Watch};
use systems::grounded::scripted::Script;
use systems::grounded::{GraphTools, retrieval};
use tasks::Verdict;

use super::{BenchProgress, BenchReply, BenchSpec, Kept, SLICE_MS};
use crate::Event;
use crate::fetch::PageTransport;
use crate::jobs::Context;
use crate::message::ModelChoice;

/// The most runs at once in a page.
const MAX_AT_ONCE: usize = 64;
/// The least time between two messages with lines, in milliseconds.
const LINES_APART_MS: f64 = 150.0;

/// The endpoint that a benchmark asks, as its spec says.
fn endpoint(spec: &BenchSpec, endpoint: &Endpoint) -> Endpoint {
    let mut endpoint = endpoint.clone();
    if spec.temperature.is_some() {
        endpoint.options.temperature = spec.temperature;
    }
    endpoint
}

/// Setups with the models that play them, and problems.
fn plan(kept: &Kept, spec: &BenchSpec) -> Result<(Plan, Vec<ModelChoice>), String> {
    let (mut setups, mut models) = (Vec::new(), Vec::new());
    for id in &spec.systems {
        let system = systems::find(id).ok_or_else(|| format!("there is no system {id:?}"))?;
        for choice in &spec.models {
            let mut setup = match choice {
                ModelChoice::Script { name } => Setup::new(system, name.as_str()),
                ModelChoice::Endpoint { endpoint: at, model } => {
                    Setup::new(system, model.as_str()).at(&endpoint(spec, at))
                }
                ModelChoice::Person => return Err("a person cannot play a benchmark".into()),
            };
            (setup.wording, setup.style, setup.attach) = (spec.wording, spec.style, spec.attach);
            if system.has_tools {
                setup.choosing = spec.n_tools.map_or(Choosing::All, retrieval::choosing);
            }
            if setups.contains(&setup) {
                return Err(format!("the model {:?} is there twice", setup.model));
            }
            setups.push(setup);
            models.push(choice.clone());
        }
    }
    if setups.is_empty() {
        return Err("choose at least one system and one model".into());
    }
    let known = kept.borrow().runs.problems.clone();
    let items: Vec<Item> = if !known.is_empty() {
        known
    } else if spec.files.is_empty() {
        problems::generated(&spec.tasks, &spec.levels, spec.n, spec.seed)
            .map_err(|e| e.to_string())?
    } else {
        let mut items = Vec::new();
        for (name, text) in &spec.files {
            items.extend(problems::read(name, text).map_err(|e| e.to_string())?);
        }
        items
    };
    if items.is_empty() {
        return Err("no problem is of these tasks and levels".into());
    }
    problems::check_names(&items).map_err(|e| e.to_string())?;
    Ok((Plan { setups, items, n_samples: spec.n_samples, shard: None }, models))
}

pub(super) async fn estimate(
    kept: &Kept,
    spec: &BenchSpec,
    prices: &Prices,
) -> Result<BenchReply, String> {
    let (plan, _) = plan(kept, spec)?;
    let finished: std::collections::BTreeSet<eval::Key> =
        kept.borrow().runs.runs.iter().map(|r| r.key.clone()).collect();
    let estimate = eval::estimate(&plan, |key| finished.contains(key), prices).await;
    let n_finished = plan.jobs().count() - estimate.n_runs;
    let (n_problems, n_setups) = (plan.items.len(), plan.setups.len());
    Ok(BenchReply::Estimate { estimate, n_finished, n_problems, n_setups })
}

/// What the runs that go on share.
struct Making<'a> {
    context: &'a Context,
    kept: &'a Kept,
    prices: &'a Prices,
    queue: Queue,
    progress: BenchProgress,
    /// Lines that the page has not heard of.
    untold: String,
    told_ms: f64,
}

impl Making<'_> {
    fn keep(&mut self, entry: &Entry) -> Result<(), String> {
        let line = self.kept.borrow_mut().add(entry)?;
        self.untold.push_str(&line);
        Ok(())
    }

    fn update(&mut self) {
        let queue = &self.queue;
        self.progress.n_jobs = queue.n_jobs();
        self.progress.n_done = queue.n_skipped() + queue.n_finished();
        self.progress.n_new = queue.n_finished();
        self.progress.n_failed = queue.n_failed();
        self.progress.n_running = queue.n_running();
        self.progress.concurrency = queue.concurrency();
        self.progress.spent = *queue.spent();
    }

    /// Tells the page of the lines that it has not heard of, not too often.
    fn tell(&mut self, at_once: bool) {
        let now = self.context.host.now_ms();
        if !at_once && now - self.told_ms < LINES_APART_MS {
            return;
        }
        self.told_ms = now;
        self.update();
        let text = std::mem::take(&mut self.untold);
        self.context.post(Event::BenchLines { text, progress: Box::new(self.progress.clone()) });
    }

    fn ended(&mut self, setups: &[Setup], job: Job, outcome: Outcome) -> Result<(), String> {
        match outcome {
            Outcome::Finished(entry) => {
                self.queue.finished(&setups[job.setup].model, &entry.facts, self.prices);
                self.progress.n_correct += usize::from(entry.verdict == Verdict::Correct);
                self.keep(&Entry::Run(entry))
            }
            Outcome::Failed(failure) => {
                self.progress.last_trouble.clone_from(&failure.reason);
                let model = &setups[job.setup].model;
                self.queue.failed(job, &failure.reason, model, &failure.usage, self.prices);
                self.keep(&Entry::Failure(failure))
            }
            Outcome::Cancelled => {
                self.queue.given_up(job);
                Ok(())
            }
        }
    }
}

/// Hears when an endpoint asks to slow down.
struct Hearing<'a, 'b>(&'a RefCell<Making<'b>>);

impl Watch for Hearing<'_, '_> {
    fn part(&self, part: Part) {
        if let Part::Retry { reason, is_too_fast, .. } = part {
            let mut making = self.0.borrow_mut();
            making.progress.n_retries += 1;
            making.progress.last_trouble = reason;
            if is_too_fast {
                making.queue.slow_down();
            }
            making.tell(true);
        }
    }
}

pub(super) async fn start(
    context: &Context,
    kept: &Kept,
    spec: &BenchSpec,
    prices: &Prices,
) -> Result<BenchReply, String> {
    let (plan, models) = plan(kept, spec)?;
    let mut spent = Spent::default();
    for run in &kept.borrow().runs.runs {
        let setup = kept.borrow().runs.setups.get(&run.key.setup).map(|s| s.model.clone());
        let dollars = prices.cost(&setup.unwrap_or_default(), &run.facts.usage);
        spent.add(&run.facts.usage, dollars);
    }
    let at_once = spec.concurrency.clamp(1, MAX_AT_ONCE);
    let queue =
        Queue::new(&plan, |key| kept.borrow().runs.is_finished(key), at_once, spec.budget, spent);
    let making = RefCell::new(Making {
        context,
        kept,
        prices,
        queue,
        progress: BenchProgress::default(),
        untold: String::new(),
        told_ms: f64::NEG_INFINITY,
    });
    declare(&mut making.borrow_mut(), &plan)?;
    making.borrow_mut().tell(true);
    let host = context.host.clone();
    let clock = {
        let host = host.clone();
        move || host.now_ms()
    };
    let at_ms = {
        let host = host.clone();
        move || host.unix_ms()
    };
    let hearing = Hearing(&making);
    let transport: Rc<PageTransport> = Rc::new(PageTransport::new(context));
    let (plan, models) = (&plan, &models);
    let make = |job: Job| {
        let (hearing, clock, at_ms, transport) = (&hearing, &clock, &at_ms, transport.clone());
        async move {
            let setup = &plan.setups[job.setup];
            let model: Box<dyn Model> = match &models[job.setup] {
                ModelChoice::Script { name } => {
                    let script = Script::by_name(name);
                    Box::new(script.ok_or_else(|| format!("there is no script {name:?}"))?)
                }
                ModelChoice::Endpoint { endpoint: at, model } => {
                    let at = endpoint(spec, at);
                    Box::new(EndpointModel::new(at, model.clone(), transport)?)
                }
                ModelChoice::Person => return Err("a person cannot play a benchmark".into()),
            };
            let (key, item) = (job.key.clone(), &plan.items[job.item]);
            let cancel = &context.cancel;
            let outcome =
                eval::run(key, setup, item, &*model, hearing, clock, at_ms, cancel).await?;
            Ok::<_, String>((job, outcome))
        }
    };
    let mut running = FuturesUnordered::new();
    let mut began = host.now_ms();
    let reason = loop {
        if context.cancel.is_cancelled() {
            making.borrow_mut().queue.stop("stopped by you");
        } else if context.is_paused() {
            making.borrow_mut().queue.stop("paused by you");
        }
        let next = making.borrow_mut().queue.hand_out();
        match next {
            Next::End(reason) => break reason,
            Next::Job(job) => running.push(make(*job)),
            Next::Wait => {
                let Some(ended) = running.next().await else {
                    return Err("a fault of ours: runs are waited for, and none goes on".into());
                };
                let (job, outcome) = ended?;
                let mut making = making.borrow_mut();
                making.ended(&plan.setups, job, outcome)?;
                making.tell(false);
            }
        }
        if host.now_ms() - began > SLICE_MS {
            host.pause().await;
            began = host.now_ms();
        }
    };
    drop(running);
    let mut making = making.borrow_mut();
    making.tell(true);
    Ok(BenchReply::Ended { progress: making.progress.clone(), reason })
}

/// Keeps the setups, tools and problems that are not there yet.
fn declare(making: &mut Making<'_>, plan: &Plan) -> Result<(), String> {
    if making.kept.borrow().is_empty() {
        making.keep(&Entry::head())?;
    }
    for setup in &plan.setups {
        let hash = setup.hash();
        let (has_tools, has_setup) = {
            let store = making.kept.borrow();
            let has_tools = setup.tools.is_empty() || store.runs.tools.contains_key(&setup.tools);
            (has_tools, store.runs.setups.contains_key(&hash))
        };
        if !has_tools {
            let tools = GraphTools::default().specs();
            making.keep(&Entry::Tools { hash: setup.tools.clone(), tools })?;
        }
        if !has_setup {
            making.keep(&Entry::Setup { hash, setup: Box::new(setup.clone()) })?;
        }
    }
    for item in &plan.items {
        if making.kept.borrow().runs.problem(&item.id).is_none() {
            making.keep(&Entry::Problem(Box::new(item.clone())))?;
        }
    }
    Ok(())
}
