//! `graphground bench`: systems on many cases, going on where an earlier start was stopped.

mod leases;
mod options;
mod progress;
mod published;
mod reach;
mod shards;
mod status;
mod submission;
mod submit;
mod world;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use agent::{Cancel, EndpointModel};
use anyhow::{Context as _, Result, anyhow, bail};
use eval::prices::Prices;
use eval::{BenchPlan, Budget, Entry, Job, JobContext, Key, Next, Queue, RunOutcome, Shard, Spent};
use futures_util::FutureExt as _;
use llm::{Model, Part, Watch};
use serde::de::IgnoredAny;
use systems::experiment::{Experiment, World};
use systems::experiments::EXPERIMENTS;
use tiktoken_rs::CoreBPE;

use leases::{Finished, Heart, Leases, Taken};
pub(crate) use options::Args;
use options::{Player, Work};
use progress::{Progress, now};
use world::WorldMaker;

use crate::gguf_models;
use crate::http::Client;
use crate::output;
use crate::runs_file::{self, Writer};

/// What the threads share.
struct Shared {
    queue: Queue,
    writer: Writer,
    progress: Progress,
    /// Where processes share a folder.
    leases: Option<Leases>,
    /// The cases that the file has.
    declared: BTreeSet<String>,
    /// A file that cannot be written to any more ends everything.
    fault: Option<anyhow::Error>,
}

/// The clients of a thread, by setup and role.
type Clients = BTreeMap<(usize, String), Rc<Client>>;

/// What every run needs, and no run changes.
struct Bench<'a> {
    experiment: &'static dyn Experiment,
    plan: &'a BenchPlan,
    players: &'a [BTreeMap<String, Player>],
    maker: &'a WorldMaker,
    /// How long to wait for other processes before looking again.
    pause: Duration,
    /// Counts tokens where no endpoint reports them.
    bpe: Option<&'a CoreBPE>,
    prices: &'a Prices,
    shared: Mutex<Shared>,
    changed: Condvar,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    if args.list {
        return list();
    }
    if let Some(folder) = &args.status {
        return status::tell(folder);
    }
    if args.submission.is_asked() {
        return submit::run(args);
    }
    Ok(run_to_end(args)?.0)
}

/// Makes what is missing; the exit code, and the keys of all that was asked for.
pub(super) fn run_to_end(args: &Args) -> Result<(ExitCode, Vec<Key>)> {
    let Work { experiment, mut plan, players, maker } = args.work()?;
    let keys = plan.jobs().map(|job| job.key).collect();
    let prices = args.prices()?;
    args.check_budget(&plan, &prices)?;
    let asked = plan.shard;
    // Those that share a folder may make any run; a shard is where each begins.
    let is_shared = shards::is_folder(&args.out);
    let shard = plan.shard.take_if(|_| is_shared).unwrap_or(Shard { index: 0, of: 1 });
    let out = if is_shared { args.out.join(shards::file_name(shard)) } else { args.out.clone() };
    let finished = if is_shared { Finished::read(&args.out)? } else { Finished::default() };
    let (writer, known) = if args.dry_run {
        let is_there = out.exists();
        (None, if is_there { runs_file::read(&out)? } else { eval::Runs::default() })
    } else {
        if is_shared {
            std::fs::create_dir_all(&args.out)
                .with_context(|| format!("{}: cannot be made", args.out.display()))?;
        }
        let (writer, known) = Writer::open(&out)?;
        (Some(writer), known)
    };
    let is_finished = |key: &Key| known.is_finished(key) || finished.has(key);
    if known.n_torn > 0 {
        output::complain(&format!(
            "{}: its last line was cut off when it was written; that run is made again",
            out.display()
        ));
    }
    let estimate = eval::estimate(&plan, is_finished, &maker.make_at_home()?, &prices)
        .now_or_never()
        .context("internal error: the estimate did not come to its end")?;
    let n_jobs = plan.jobs().count();
    output::complain(&format!(
        "{n_jobs} runs ({} cases, {} setups, {} samples{}), {} of them finished before",
        plan.cases.len(),
        plan.setups.len(),
        plan.n_samples.max(1),
        asked.map_or_else(String::new, |shard| format!(", shard {shard}")),
        n_jobs - estimate.n_runs,
    ));
    if args.asks() {
        let dollars = estimate.dollars.map_or_else(
            || "cost unknown (give it with --price)".to_owned(),
            |sum| format!("${sum:.2}"),
        );
        output::complain(&format!(
            "about {} input tokens, {} output tokens, {dollars}; a model that takes more turns than \
             the script takes more",
            estimate.input_tokens, estimate.output_tokens,
        ));
    }
    let Some(mut writer) = writer else { return Ok((ExitCode::SUCCESS, keys)) };
    if let Some(warning) = maker.warning() {
        output::complain(&format!("--python: {warning}"));
    }
    let declared = declare(&mut writer, &known, &plan, &maker, is_shared)?;
    let budget = args.budget(asked);
    if let (Some(shard), true) = (asked, budget != Budget::default()) {
        output::complain(&format!(
            "the budget is for all shards; shard {shard} has its part of it"
        ));
    }
    // What was spent before counts: the budget is that of the file.
    let mut spent = Spent::default();
    for run in &known.runs {
        let setup = known.setups.get(&run.key.setup);
        spent.add(&run.cost.usage, setup.and_then(|s| prices.of_run(s, &run.cost)));
    }
    let mut heart = None;
    let (queue, leases) = if is_shared {
        let queue = Queue::new(&BenchPlan::default(), |_| true, args.concurrency, budget, spent);
        let (leases, its) = Leases::new(&args.out, shard, args.sharing.lease()?, &plan, finished)?;
        heart = Some(its);
        (queue, Some(leases))
    } else {
        (Queue::new(&plan, is_finished, args.concurrency, budget, spent), None)
    };
    let progress = Progress::new(&queue);
    let bpe = match args.count_tokens {
        true => Some(tiktoken_rs::o200k_base().context("the vocabulary o200k_base")?),
        false => None,
    };
    let bench = Bench {
        experiment,
        plan: &plan,
        players: &players,
        maker: &maker,
        pause: heart.as_ref().map_or(Duration::MAX, Heart::pause),
        bpe: bpe.as_ref(),
        prices: &prices,
        shared: Mutex::new(Shared { queue, writer, progress, leases, declared, fault: None }),
        changed: Condvar::new(),
    };
    let (is_over, over) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        if let Some(heart) = &heart {
            // Ends when the sender goes.
            scope.spawn(move || {
                while over.recv_timeout(heart.pause()) == Err(RecvTimeoutError::Timeout) {
                    heart.beat(false);
                }
                heart.beat(true);
            });
        }
        std::thread::scope(|scope| {
            for _ in 0..args.concurrency.min(n_jobs.max(1)) {
                scope.spawn(|| bench.work());
            }
        });
        drop(is_over);
    });
    let mut shared = bench.shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    shared.writer.sync();
    shared.progress.end();
    if let Some(fault) = shared.fault {
        return Err(fault);
    }
    let Next::End(reason) = shared.queue.hand_out() else {
        bail!("internal error: the threads ended before the runs")
    };
    let queue = &shared.queue;
    let others = shared.leases.as_ref().filter(|leases| leases.has_more());
    let reason = reason.or_else(|| others.and(queue.stopped()).map(str::to_owned));
    output::complain(&format!(
        "{} runs finished, {} finished before, {} failed; `graphground report {}` adds them up",
        queue.n_finished(),
        queue.n_skipped(),
        queue.n_failed(),
        if is_shared { args.out.join("part-*") } else { out }.display(),
    ));
    if args.budget(None).max_tokens.is_some() && queue.spent().n_untold > 0 {
        output::complain(&format!(
            "of {} runs no endpoint reported tokens, which the budget therefore did not count",
            queue.spent().n_untold
        ));
    }
    if let Some(reason) = &reason {
        output::complain(&format!("stopped early: {reason}"));
    }
    if queue.n_failed() > 0 {
        output::complain("the same command tries those that failed again");
    }
    let is_whole = reason.is_none() && queue.n_failed() == 0;
    Ok((if is_whole { ExitCode::SUCCESS } else { ExitCode::from(3) }, keys))
}

/// Tells what there is to choose from.
fn list() -> Result<ExitCode> {
    let mut out = output::stdout();
    for experiment in EXPERIMENTS {
        writeln!(out, "{}: {}. {}", experiment.id(), experiment.title(), experiment.lede())?;
        let groups = experiment.groups();
        if !groups.is_empty() {
            writeln!(out, "  groups: {}", groups.join(", "))?;
        }
        for system in experiment.systems() {
            writeln!(out, "  system {}: {}. {}", system.id, system.title, system.lede)?;
            for role in system.roles {
                let scripts: Vec<String> =
                    experiment.scripts(role.id).into_iter().map(|s| s.name).collect();
                writeln!(
                    out,
                    "    role {}: {} Scripts: {}",
                    role.id,
                    role.lede,
                    scripts.join(", ")
                )?;
            }
            writeln!(out, "    options: {}", experiment.options(system.id))?;
        }
        writeln!(out)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Writes down the setups, tools and cases that the file does not have yet. The cases of a file among
/// others are those of its runs, which nobody knows yet. Gives the cases that the file then has.
fn declare(
    writer: &mut Writer,
    known: &eval::Runs<IgnoredAny>,
    plan: &BenchPlan,
    maker: &WorldMaker,
    is_shared: bool,
) -> Result<BTreeSet<String>> {
    let mut missing: Vec<Entry> = Vec::new();
    let mut named: BTreeSet<String> = known.tools.keys().cloned().collect();
    for setup in &plan.setups {
        let hash = setup.hash();
        if !setup.tools.is_empty() && named.insert(setup.tools.clone()) {
            let (hash, tools) = (setup.tools.clone(), maker.tools(setup));
            missing.push(Entry::Tools { hash, tools });
        }
        if !known.setups.contains_key(&hash) {
            missing.push(Entry::Setup { hash, setup: Box::new(setup.clone()) });
        }
    }
    let mut declared: BTreeSet<String> = known.cases.iter().map(|case| case.id.clone()).collect();
    // A shard has the cases of its own runs only.
    let mine: BTreeSet<usize> = plan.jobs().map(|job| job.case).collect();
    for case in mine.into_iter().map(|i| &plan.cases[i]) {
        match known.case(&case.id) {
            Some(there) if there.is_same(case) => {}
            Some(_) => bail!(
                "case {:?} is not the one of that name in the file: another graph or question \
                 stands under it; write to another file with --out",
                case.id
            ),
            None if is_shared => {}
            None => {
                declared.insert(case.id.clone());
                missing.push(Entry::Case(Box::new(case.clone())));
            }
        }
    }
    missing.iter().try_for_each(|entry| writer.line(entry))?;
    Ok(declared)
}

impl Bench<'_> {
    fn lock(&self) -> MutexGuard<'_, Shared> {
        // A thread that died of an internal error has changed nothing halfway.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes runs until there is none left.
    fn work(&self) {
        let world = self.maker.make();
        // Connections are kept from run to run.
        let mut clients = Clients::new();
        loop {
            let done = match self.take() {
                Ok(None) => return,
                Ok(Some(job)) => {
                    let outcome = match &world {
                        Ok(world) => self.make(&job, world, &mut clients),
                        Err(error) => Err(anyhow!("{error:#}")),
                    };
                    self.put(job, outcome)
                }
                Err(fault) => Err(fault),
            };
            if let Err(fault) = done {
                let mut shared = self.lock();
                shared.queue.stop("the file cannot be written to");
                shared.fault.get_or_insert(fault);
            }
            self.changed.notify_all();
        }
    }

    fn take(&self) -> Result<Option<Job>> {
        let mut shared = self.lock();
        loop {
            let Shared { queue, progress, leases, .. } = &mut *shared;
            let is_hungry = queue.needs_jobs();
            if let Some(leases) = leases.as_mut().filter(|_| is_hungry) {
                match leases.take()? {
                    Taken::Jobs(jobs) => {
                        progress.more(jobs.len());
                        queue.add(jobs);
                    }
                    Taken::Later => {
                        let waited = self.changed.wait_timeout(shared, self.pause);
                        shared = waited.unwrap_or_else(PoisonError::into_inner).0;
                        continue;
                    }
                    Taken::Nothing => {}
                }
            }
            match queue.hand_out() {
                Next::Job(job) => {
                    let job = match leases {
                        Some(leases) => leases.keep(*job),
                        None => Some(*job),
                    };
                    match job {
                        Some(job) => {
                            if let Err(fault) = self.declare_case(&mut shared, job.case) {
                                shared.queue.given_up(job);
                                return Err(fault);
                            }
                            return Ok(Some(job));
                        }
                        None => queue.left_to_others(),
                    }
                }
                Next::End(_) => return Ok(None),
                Next::Wait => {
                    shared = self.changed.wait(shared).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    /// Writes down a case before its first run.
    fn declare_case(&self, shared: &mut Shared, case: usize) -> Result<()> {
        let case = &self.plan.cases[case];
        if !shared.declared.insert(case.id.clone()) {
            return Ok(());
        }
        shared.writer.line(&Entry::Case(Box::new(case.clone())))
    }

    fn make(&self, job: &Job, world: &World, clients: &mut Clients) -> Result<RunOutcome> {
        let setup = &self.plan.setups[job.setup];
        let mut models: BTreeMap<String, Box<dyn Model>> = BTreeMap::new();
        for (role, player) in &self.players[job.setup] {
            let model: Box<dyn Model> = match &player.endpoint {
                Some(endpoint) if endpoint.provider == gguf_models::PROVIDER => {
                    let name = player.model.strip_prefix(gguf_models::PREFIX);
                    let name = name.context("internal error: a local model without its name")?;
                    Box::new(gguf_models::LocalPlayer::open(name, endpoint.options)?)
                }
                Some(endpoint) => {
                    let client = clients
                        .entry((job.setup, role.clone()))
                        .or_insert_with(|| Rc::new(Client::new(player.key.clone())))
                        .clone();
                    let model = EndpointModel::new(endpoint.clone(), player.model.clone(), client);
                    Box::new(model.map_err(anyhow::Error::msg)?)
                }
                None => {
                    self.experiment.script_named(role, &player.model).map_err(anyhow::Error::msg)?
                }
            };
            models.insert(role.clone(), model);
        }
        let start = now();
        let clock = move || start.elapsed().as_secs_f64() * 1000.0;
        let (case, cancel) = (&self.plan.cases[job.case], Cancel::default());
        let count = self.bpe.map(|bpe| |text: &str| bpe.encode_ordinary(text).len());
        let context = JobContext {
            models: &models,
            world,
            watch: self,
            clock: &clock,
            at_ms: &now_ms,
            cancel: &cancel,
            count: count.as_ref().map(|count| count as &dyn Fn(&str) -> usize),
        };
        let future = eval::run(job.key.clone(), setup, case, context);
        // The client blocks, so that every future is ready when it is looked at.
        let outcome = future.now_or_never().context("internal error: the run did not end")?;
        outcome.map_err(anyhow::Error::msg)
    }

    fn put(&self, job: Job, outcome: Result<RunOutcome>) -> Result<()> {
        let mut shared = self.lock();
        let Shared { queue, writer, progress, leases, .. } = &mut *shared;
        let key = job.key.clone();
        let is_done = match outcome {
            Ok(RunOutcome::Finished(entry)) => {
                let verdict = entry.score.verdict;
                // Counted even if it cannot be written: it was paid for.
                queue.finished(&self.plan.setups[job.setup], &entry.cost, self.prices);
                let entry = Entry::Run(entry);
                writer.line(&entry)?;
                progress.finished(queue, verdict);
                true
            }
            Ok(RunOutcome::Failed(failure)) => {
                let (reason, usage) = (failure.reason.clone(), failure.usage);
                let setup = &self.plan.setups[job.setup];
                let is_tried_again = queue.failed(job, &reason, setup, &usage, self.prices);
                if !is_tried_again {
                    progress.failed(queue, &reason);
                }
                // Listed from the first time on: a later run takes its place.
                writer.line(&Entry::Failure(failure))?;
                !is_tried_again
            }
            Ok(RunOutcome::Cancelled) => {
                queue.given_up(job);
                false
            }
            Err(error) => {
                queue.given_up(job);
                return Err(anyhow!("{error:#}"));
            }
        };
        match leases {
            Some(leases) if is_done => leases.done(&key),
            _ => Ok(()),
        }
    }
}

impl Watch for Bench<'_> {
    fn part(&self, part: Part) {
        if let Part::Retry { reason, is_too_fast, .. } = part {
            let mut shared = self.lock();
            if is_too_fast {
                shared.queue.slow_down();
            }
            let Shared { queue, progress, .. } = &mut *shared;
            progress.retried(queue, &reason);
        }
    }
}

/// Milliseconds since 1970.
fn now_ms() -> f64 {
    #[expect(clippy::disallowed_methods, reason = "a program has a clock; the core has none")]
    let now = SystemTime::now();
    now.duration_since(UNIX_EPOCH).map_or(0.0, |d| d.as_millis() as f64)
}
