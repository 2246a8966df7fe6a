//! Making the runs of a benchmark that are missing, several at once, in one worker.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use eval::prices::Prices;
use eval::{BenchPlan, Entry, Job, JobContext, Next, Queue, RunOutcome, Setup, Spent};
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use llm::{Endpoint, Model, Part, Watch};
use serde_json::Value;
use systems::experiment::{Experiment, Need, RoleModel, Source, SystemSpec, World};
use systems::experiments;
use systems::kgot::PythonRunner;
use systems::nlgraph::{self, ProblemWorld};
use tasks::Verdict;

use protocol::bench::{
    BenchEstimate, BenchLines, BenchProgress, BenchSpec, EndedBench, EstimateBench, StartBench,
};
use protocol::runs::ModelChoice;

use super::SLICE_MS;
use super::store::Store;
use crate::context::{Context, Ended};
use crate::models;
use crate::python::PagePython;

/// The benchmark that is open.
type Kept = Rc<RefCell<Store>>;

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

/// What is to be done, with the models that play the roles of each setup.
struct Work {
    plan: BenchPlan,
    models: Vec<BTreeMap<String, ModelChoice>>,
    world: World,
}

/// A model as a setup has it.
fn role_model(spec: &BenchSpec, choice: &ModelChoice) -> Result<RoleModel, String> {
    match choice {
        ModelChoice::Endpoint { endpoint: at, model } => {
            Ok(RoleModel::at(&endpoint(spec, at), model.as_str()))
        }
        ModelChoice::Person => Err("a person cannot play a benchmark".into()),
        other => Ok(models::role_model(other)),
    }
}

/// What the part of the engine for benchmarks lacks: SPARQL, which is large, and for all but NLGraph's
/// problems what runs Python.
pub(super) fn lacking(experiment: &dyn Experiment) -> &'static [Need] {
    if experiment.id() == nlgraph::ID { &[Need::Sparql] } else { &[Need::Sparql, Need::Python] }
}

/// What cases stand on, with what the page alone has.
fn with_page(context: &Context, experiment: &dyn Experiment, world: World) -> World {
    if experiment.id() != nlgraph::ID {
        return world;
    }
    let python = Some(Rc::new(PagePython(context.clone())) as Rc<dyn PythonRunner>);
    World::new(ProblemWorld { python })
}

/// The options of a setup: the usual ones, and what is said by name.
fn options(spec: &BenchSpec, system: &SystemSpec) -> Result<Value, String> {
    let experiment = experiments::find(&spec.experiment)?;
    let usual = experiment.options_lacking(system.id, lacking(experiment));
    if spec.options.is_null() {
        return Ok(usual);
    }
    // What another system does not have is none of its business.
    let given = match (&spec.options, &usual) {
        (Value::Object(given), Value::Object(known)) => {
            let mine = given.iter().filter(|(name, _)| known.contains_key(*name));
            let mut whole = known.clone();
            whole.extend(mine.map(|(name, value)| (name.clone(), value.clone())));
            Value::Object(whole)
        }
        (other, _) => other.clone(),
    };
    experiment.read_options(system.id, &given)
}

/// Where the cases come from.
fn source(spec: &BenchSpec) -> Source {
    Source {
        files: spec.files.clone(),
        n: spec.files.is_empty().then_some(spec.n),
        seed: spec.seed,
        groups: spec.groups.clone(),
        levels: spec.levels.clone(),
        world: spec.world.trim().to_owned(),
    }
}

fn work(context: &Context, kept: &Kept, spec: &BenchSpec) -> Result<Work, String> {
    let experiment = experiments::find(&spec.experiment)?;
    let (mut setups, mut models) = (Vec::new(), Vec::new());
    for id in &spec.systems {
        let system = experiment.system(id)?;
        for choice in &spec.models {
            let mut setup = experiment.setup(id, &[role_model(spec, choice)?])?;
            let mut of_roles: BTreeMap<String, ModelChoice> =
                setup.roles.keys().map(|role| (role.clone(), choice.clone())).collect();
            for (role, other) in spec
                .roles
                .iter()
                .filter(|(r, _)| system.roles.iter().any(|known| known.id == r.as_str()))
            {
                setup.roles.insert(role.clone(), role_model(spec, other)?);
                of_roles.insert(role.clone(), other.clone());
            }
            setup.options = options(spec, system)?;
            setup.votes = spec.votes.max(1);
            setup.tools = experiment.tools_hash(&setup);
            if setups.contains(&setup) {
                return Err(format!("the model {:?} is there twice", setup.models()));
            }
            setups.push(setup);
            models.push(of_roles);
        }
    }
    if setups.is_empty() {
        return Err("choose at least one system and one model".into());
    }
    let known = kept.borrow().runs.cases.clone();
    let source = source(spec);
    let (cases, world) = if known.is_empty() {
        experiment.load(&source)?
    } else {
        (known, experiment.world(&source)?)
    };
    let world = with_page(context, experiment, world);
    Ok(Work {
        plan: BenchPlan { setups, cases, n_samples: spec.n_samples, shard: None },
        models,
        world,
    })
}

pub(crate) async fn estimate(
    context: &Context,
    ask: EstimateBench,
) -> Result<BenchEstimate, Ended> {
    let EstimateBench { spec, prices } = ask;
    let kept = context.keep::<Store>();
    let Work { plan, world, .. } = work(context, &kept, &spec)?;
    let finished: std::collections::BTreeSet<eval::Key> =
        kept.borrow().runs.runs.iter().map(|r| r.key.clone()).collect();
    let estimate = eval::estimate(&plan, |key| finished.contains(key), &world, &prices).await;
    let n_finished = plan.jobs().count() - estimate.n_runs;
    let (n_cases, n_setups) = (plan.cases.len(), plan.setups.len());
    Ok(BenchEstimate { estimate, n_finished, n_cases, n_setups })
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
        self.context.tell(BenchLines { text, progress: self.progress.clone() });
    }

    fn ended(&mut self, setups: &[Setup], job: Job, outcome: RunOutcome) -> Result<(), String> {
        match outcome {
            RunOutcome::Finished(entry) => {
                self.queue.finished(&setups[job.setup], &entry.cost, self.prices);
                let is_correct = entry.score.verdict == Verdict::Correct;
                self.progress.n_correct += usize::from(is_correct);
                self.keep(&Entry::Run(entry))
            }
            RunOutcome::Failed(failure) => {
                self.progress.last_trouble.clone_from(&failure.reason);
                let setup = &setups[job.setup];
                self.queue.failed(job, &failure.reason, setup, &failure.usage, self.prices);
                self.keep(&Entry::Failure(failure))
            }
            RunOutcome::Cancelled => {
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

pub(crate) async fn start(context: &Context, ask: StartBench) -> Result<EndedBench, Ended> {
    let StartBench { spec, prices } = ask;
    let kept = context.keep::<Store>();
    let (kept, spec, prices) = (&kept, &*spec, &prices);
    let Work { plan, models: choices, world } = work(context, kept, spec)?;
    let mut spent = Spent::default();
    for run in &kept.borrow().runs.runs {
        let setup = kept.borrow().runs.setups.get(&run.key.setup).cloned();
        spent.add(&run.cost.usage, setup.and_then(|s| prices.of_run(&s, &run.cost)));
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
    let (plan, choices, world) = (&plan, &choices, &world);
    let make = |job: Job| {
        let (hearing, clock, at_ms) = (&hearing, &clock, &at_ms);
        async move {
            let setup = &plan.setups[job.setup];
            let experiment = experiments::find(&setup.experiment)?;
            let mut of_roles: BTreeMap<String, Box<dyn Model>> = BTreeMap::new();
            for (role, choice) in &choices[job.setup] {
                let model = match choice.clone() {
                    ModelChoice::Endpoint { endpoint: at, model } => {
                        ModelChoice::Endpoint { endpoint: endpoint(spec, &at), model }
                    }
                    other => other,
                };
                let model = models::of_role(context, experiment, role, model)?;
                of_roles.insert(role.clone(), model);
            }
            let (key, case) = (job.key.clone(), &plan.cases[job.case]);
            let context = JobContext {
                models: &of_roles,
                world,
                watch: hearing,
                clock,
                at_ms,
                cancel: &context.controls.cancel,
                count: None,
            };
            let outcome = eval::run(key, setup, case, context).await?;
            Ok::<_, String>((job, outcome))
        }
    };
    let mut running = FuturesUnordered::new();
    let mut began = host.now_ms();
    let reason = loop {
        if context.is_cancelled() {
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
                    return Err("internal error: runs are waited for, and none goes on".into());
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
    Ok(EndedBench { progress: making.progress.clone(), reason })
}

/// Keeps the setups, tools and cases that are not there yet.
fn declare(making: &mut Making<'_>, plan: &BenchPlan) -> Result<(), String> {
    let is_empty = making.kept.borrow().is_empty();
    if is_empty {
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
            let tools = experiments::find(&setup.experiment)?.tools(setup);
            making.keep(&Entry::Tools { hash: setup.tools.clone(), tools })?;
        }
        if !has_setup {
            making.keep(&Entry::Setup { hash, setup: Box::new(setup.clone()) })?;
        }
    }
    for case in &plan.cases {
        if making.kept.borrow().runs.case(&case.id).is_none() {
            making.keep(&Entry::Case(Box::new(case.clone())))?;
        }
    }
    Ok(())
}
