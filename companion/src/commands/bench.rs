//! `graphground bench`: systems on many problems, going on where an earlier start was stopped.

mod options;
mod progress;

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use agent::{Cancel, EndpointModel};
use anyhow::{Context as _, Result, anyhow, bail};
use eval::prices::Prices;
use eval::{Entry, Job, Next, Outcome, Plan, Queue, Spent};
use futures_util::FutureExt as _;
use llm::{ApiKey, Endpoint, Model, Part, Watch};
use serde::de::IgnoredAny;
use systems::grounded::GraphTools;
use systems::grounded::scripted::Script;

pub(crate) use options::{Args, prices};
use progress::Progress;

use crate::http::Client;
use crate::output;
use crate::runs_file::{self, Writer};

/// What the threads share.
struct Shared {
    queue: Queue,
    writer: Writer,
    progress: Progress,
    /// A file that cannot be written to any more ends everything.
    fault: Option<anyhow::Error>,
}

/// What every run needs, and no run changes.
struct Bench<'a> {
    plan: &'a Plan,
    endpoint: Option<&'a Endpoint>,
    key: Option<&'a ApiKey>,
    prices: &'a Prices,
    shared: Mutex<Shared>,
    changed: Condvar,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let plan = args.plan()?;
    let prices = args.prices()?;
    let endpoint = args.endpoint();
    let key = super::run::key(args.key_env.as_deref())?;
    args.check_budget(&plan, &prices)?;
    let (writer, known) = if args.dry_run {
        let is_there = args.out.exists();
        (None, if is_there { runs_file::read(&args.out)? } else { eval::Runs::default() })
    } else {
        let (writer, known) = Writer::open(&args.out)?;
        (Some(writer), known)
    };
    let is_finished = |key: &eval::Key| known.is_finished(key);
    if known.n_torn > 0 {
        output::complain(&format!(
            "{}: its last line was cut off when it was written; that run is made again",
            args.out.display()
        ));
    }
    let estimate = eval::estimate(&plan, is_finished, &prices)
        .now_or_never()
        .context("a fault of ours: the estimate did not come to its end")?;
    let n_jobs = plan.jobs().count();
    output::complain(&format!(
        "{n_jobs} runs ({} problems, {} setups, {} samples{}), {} of them finished before",
        plan.items.len(),
        plan.setups.len(),
        plan.n_samples.max(1),
        plan.shard.map_or_else(String::new, |s| format!(", shard {}/{}", s.index, s.of)),
        n_jobs - estimate.n_runs,
    ));
    if endpoint.is_some() {
        let dollars = estimate.dollars.map_or_else(
            || "cost unknown (--price tells it)".to_owned(),
            |sum| format!("${sum:.2}"),
        );
        output::complain(&format!(
            "about {} tokens read, {} written, {dollars}; a model that takes more turns than the \
             script takes more",
            estimate.tokens_read, estimate.tokens_written,
        ));
    }
    let Some(mut writer) = writer else { return Ok(ExitCode::SUCCESS) };
    declare(&mut writer, &known, &plan)?;
    // What was spent before counts: the budget is that of the file.
    let mut spent = Spent::default();
    for run in &known.runs {
        let model = known.setups.get(&run.key.setup).map_or("", |s| s.model.as_str());
        spent.add(&run.facts.usage, prices.cost(model, &run.facts.usage));
    }
    let queue = Queue::new(&plan, is_finished, args.concurrency, args.budget(), spent);
    let progress = Progress::new(&queue);
    let bench = Bench {
        plan: &plan,
        endpoint: endpoint.as_ref(),
        key: key.as_ref(),
        prices: &prices,
        shared: Mutex::new(Shared { queue, writer, progress, fault: None }),
        changed: Condvar::new(),
    };
    std::thread::scope(|scope| {
        for _ in 0..args.concurrency.min(n_jobs.max(1)) {
            scope.spawn(|| bench.work());
        }
    });
    let mut shared = bench.shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    shared.writer.sync();
    shared.progress.end();
    if let Some(fault) = shared.fault {
        return Err(fault);
    }
    let Next::End(reason) = shared.queue.hand_out() else {
        bail!("a fault of ours: the threads ended before the runs")
    };
    let queue = &shared.queue;
    output::complain(&format!(
        "{} runs finished, {} finished before, {} failed; `graphground report {}` adds them up",
        queue.n_finished(),
        queue.n_skipped(),
        queue.n_failed(),
        args.out.display(),
    ));
    if args.has_token_budget() && queue.spent().n_untold > 0 {
        output::complain(&format!(
            "{} runs did not tell their tokens, which the budget therefore did not count",
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
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::from(3) })
}

/// Writes down the setups, tools and problems that the file does not have yet.
fn declare(writer: &mut Writer, known: &eval::Runs<IgnoredAny>, plan: &Plan) -> Result<()> {
    use agent::ToolSet as _;
    for setup in &plan.setups {
        let hash = setup.hash();
        if !setup.tools.is_empty() && !known.tools.contains_key(&setup.tools) {
            let (hash, tools) = (setup.tools.clone(), GraphTools::default().specs());
            writer.line(&Entry::Tools { hash, tools })?;
        }
        if !known.setups.contains_key(&hash) {
            writer.line(&Entry::Setup { hash, setup: Box::new(setup.clone()) })?;
        }
    }
    // A shard has the problems of its own runs only.
    let mine: BTreeSet<usize> = plan.jobs().map(|job| job.item).collect();
    for item in mine.into_iter().map(|i| &plan.items[i]) {
        match known.problem(&item.id) {
            Some(there) if there == item => {}
            Some(_) => bail!(
                "problem {:?} is not the one of that name in the file: another graph or question \
                 stands under it; write to another file with --out",
                item.id
            ),
            None => writer.line(&Entry::Problem(Box::new(item.clone())))?,
        }
    }
    Ok(())
}

impl Bench<'_> {
    fn lock(&self) -> MutexGuard<'_, Shared> {
        // A thread that died of a fault of ours has changed nothing halfway.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes runs until there is none left.
    fn work(&self) {
        let client = Rc::new(Client::new(self.key.cloned()));
        loop {
            let Some(job) = self.take() else { return };
            let outcome = self.make(&job, &client);
            if let Err(fault) = self.put(job, outcome) {
                let mut shared = self.lock();
                shared.queue.stop("the file cannot be written to");
                shared.fault.get_or_insert(fault);
            }
            self.changed.notify_all();
        }
    }

    fn take(&self) -> Option<Job> {
        let mut shared = self.lock();
        loop {
            match shared.queue.hand_out() {
                Next::Job(job) => return Some(*job),
                Next::End(_) => return None,
                Next::Wait => {
                    shared = self.changed.wait(shared).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    fn make(&self, job: &Job, client: &Rc<Client>) -> Result<Outcome> {
        let setup = &self.plan.setups[job.setup];
        let model: Box<dyn Model> = match self.endpoint {
            Some(endpoint) => Box::new(
                EndpointModel::new(endpoint.clone(), setup.model.clone(), client.clone())
                    .map_err(anyhow::Error::msg)?,
            ),
            None => Box::new(Script::by_name(&setup.model).context("no such script")?),
        };
        #[expect(clippy::disallowed_methods, reason = "a program has a clock; the core has none")]
        let start = Instant::now();
        let clock = move || start.elapsed().as_secs_f64() * 1000.0;
        let (item, cancel) = (&self.plan.items[job.item], Cancel::default());
        let future =
            eval::run(job.key.clone(), setup, item, &*model, self, &clock, &now_ms, &cancel);
        // The client blocks, so that every future is ready when it is looked at.
        let outcome = future.now_or_never().context("a fault of ours: the run did not end")?;
        outcome.map_err(anyhow::Error::msg)
    }

    fn put(&self, job: Job, outcome: Result<Outcome>) -> Result<()> {
        let mut shared = self.lock();
        let Shared { queue, writer, progress, .. } = &mut *shared;
        match outcome {
            Ok(Outcome::Finished(entry)) => {
                let facts = entry.facts.clone();
                let verdict = entry.verdict;
                let entry = Entry::Run(entry);
                // Counted even if it cannot be written: it was paid for.
                queue.finished(&self.plan.setups[job.setup].model, &facts, self.prices);
                writer.line(&entry)?;
                progress.finished(queue, verdict);
            }
            Ok(Outcome::Failed(failure)) => {
                let (reason, usage) = (failure.reason.clone(), failure.usage);
                let model = &self.plan.setups[job.setup].model;
                if !queue.failed(job, &reason, model, &usage, self.prices) {
                    progress.failed(queue, &reason);
                }
                // Listed from the first time on: a later run takes its place.
                writer.line(&Entry::Failure(failure))?;
            }
            Ok(Outcome::Cancelled) => queue.given_up(job),
            Err(error) => {
                queue.given_up(job);
                return Err(anyhow!("{error:#}"));
            }
        }
        Ok(())
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
