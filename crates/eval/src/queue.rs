//! Which run comes next: jobs under a budget, at a pace that the endpoint can bear.

use std::collections::VecDeque;

use llm::Usage;
use serde::{Deserialize, Serialize};

use systems::experiment::Cost;

use crate::prices::Prices;
use crate::{Case, Key, Setup, Shard};

/// Setups × cases × samples.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BenchPlan {
    /// The setups: systems with their models and options.
    pub setups: Vec<Setup>,
    /// The cases that every setup is run on.
    pub cases: Vec<Case>,
    /// How often each case is put to each setup; 0 counts as 1.
    pub n_samples: u32,
    /// The part of it that is to be done here; absent for all of it.
    pub shard: Option<Shard>,
}

/// One run that is to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Which setup of the plan.
    pub setup: usize,
    /// Which case of the plan.
    pub case: usize,
    /// Setup, case and sample of the run.
    pub key: Key,
    /// Which attempt this is, counted from 1.
    pub attempt: u32,
}

impl BenchPlan {
    /// Every job of this part, case by case, so that what is there early covers all setups.
    pub fn jobs(&self) -> impl Iterator<Item = Job> + '_ {
        let hashes: Vec<String> = self.setups.iter().map(Setup::hash).collect();
        let samples = self.n_samples.max(1);
        (0..samples)
            .flat_map(move |sample| (0..self.cases.len()).map(move |case| (sample, case)))
            .flat_map(move |(sample, case)| {
                let hashes = hashes.clone();
                (0..self.setups.len()).map(move |setup| {
                    let id = self.cases[case].id.clone();
                    let key = Key { setup: hashes[setup].clone(), case: id, sample };
                    Job { setup, case, key, attempt: 1 }
                })
            })
            .filter(|job| self.shard.is_none_or(|shard| shard.has(&job.key)))
    }
}

/// When a benchmark stops by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Budget {
    /// Tokens in all, as far as endpoints tell them.
    pub max_tokens: Option<u64>,
    /// Dollars in all, as far as prices are known.
    pub max_dollars: Option<f64>,
}

impl Budget {
    /// The part of the budget that a shard may use. The parts add up to the whole, so that shards
    /// that know nothing of each other keep to it.
    pub fn share(self, shard: Shard) -> Self {
        let of = u64::from(shard.of.max(1));
        let tokens = |max: u64| max / of + u64::from(u64::from(shard.index) < max % of);
        Self {
            max_tokens: self.max_tokens.map(tokens),
            max_dollars: self.max_dollars.map(|max| max / of as f64),
        }
    }
}

/// What was used up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Spent {
    /// Input and output tokens so far.
    pub tokens: u64,
    /// Dollars so far; runs without a price add nothing.
    pub dollars: f64,
    /// Runs whose tokens nobody told.
    pub n_untold: usize,
    /// Runs whose price is not known.
    pub n_unpriced: usize,
}

impl Spent {
    /// Adds the usage and the cost of a run.
    pub fn add(&mut self, usage: &Usage, dollars: Option<f64>) {
        match usage.total() {
            Some(tokens) => self.tokens += tokens,
            None => self.n_untold += 1,
        }
        match dollars {
            Some(sum) => self.dollars += sum,
            None => self.n_unpriced += 1,
        }
    }

    /// Which bound of a budget is reached, in words.
    pub fn reached(&self, budget: &Budget) -> Option<String> {
        if budget.max_tokens.is_some_and(|max| self.tokens >= max) {
            return Some(format!("the budget of {} tokens is used up", budget.max_tokens?));
        }
        if budget.max_dollars.is_some_and(|max| self.dollars >= max) {
            return Some(format!("the budget of ${} is used up", budget.max_dollars?));
        }
        None
    }
}

/// How many runs go on at once: halved when the endpoint asks to slow down, raised by one after as
/// many runs without that as go on at once (additive increase, multiplicative decrease).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    most: usize,
    now: usize,
    calm: usize,
}

impl Pace {
    /// At most so many at once.
    pub fn new(most: usize) -> Self {
        let most = most.max(1);
        Self { most, now: most, calm: 0 }
    }

    /// So many at once, now.
    pub fn now(&self) -> usize {
        self.now
    }

    /// The endpoint asked to slow down.
    pub fn slow_down(&mut self) {
        self.now = (self.now / 2).max(1);
        self.calm = 0;
    }

    /// A run came to its end without that.
    pub fn calm(&mut self) {
        self.calm += 1;
        if self.calm >= self.now && self.now < self.most {
            self.now += 1;
            self.calm = 0;
        }
    }
}

/// What is to be done next.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// A run that is to begin now.
    Job(Box<Job>),
    /// Nothing now: as many run as may, or those that run decide what comes.
    Wait,
    /// Nothing any more; with the reason, where jobs are left.
    End(Option<String>),
}

/// Attempts at a run within one start, beyond what each request is retried by itself.
const MAX_ATTEMPTS: u32 = 2;
/// So many failures in a row say that the endpoint is gone.
const MAX_FAILURES_IN_A_ROW: usize = 10;

/// Hands out the runs of a plan under a budget and a pace.
#[derive(Clone, Debug)]
pub struct Queue {
    waiting: VecDeque<Job>,
    n_jobs: usize,
    n_skipped: usize,
    n_running: usize,
    n_finished: usize,
    n_failed: usize,
    failures_in_a_row: usize,
    last_reason: String,
    pace: Pace,
    budget: Budget,
    spent: Spent,
    stopped: Option<String>,
}

impl Queue {
    /// The jobs of a plan that are not finished yet.
    pub fn new(
        plan: &BenchPlan,
        is_finished: impl Fn(&Key) -> bool,
        concurrency: usize,
        budget: Budget,
        spent: Spent,
    ) -> Self {
        let (mut n_jobs, mut waiting) = (0, VecDeque::new());
        for job in plan.jobs() {
            n_jobs += 1;
            if !is_finished(&job.key) {
                waiting.push_back(job);
            }
        }
        Self {
            n_skipped: n_jobs - waiting.len(),
            waiting,
            n_jobs,
            n_running: 0,
            n_finished: 0,
            n_failed: 0,
            failures_in_a_row: 0,
            last_reason: String::new(),
            pace: Pace::new(concurrency),
            budget,
            spent,
            stopped: None,
        }
    }

    /// Takes in more jobs, for a process that learns of its jobs as it works.
    pub fn add(&mut self, jobs: impl IntoIterator<Item = Job>) {
        let before = self.waiting.len();
        self.waiting.extend(jobs);
        self.n_jobs += self.waiting.len() - before;
    }

    /// Whether more runs may start than there are jobs for.
    pub fn needs_jobs(&self) -> bool {
        self.stopped.is_none()
            && self.spent.reached(&self.budget).is_none()
            && self.waiting.is_empty()
            && self.n_running < self.pace.now()
    }

    /// A job that was handed out is another process's now.
    pub fn left_to_others(&mut self) {
        self.n_running -= 1;
        self.n_jobs -= 1;
    }

    /// What is to be done next. Whoever gets a job reports how it ended.
    pub fn hand_out(&mut self) -> Next {
        if self.stopped.is_none() {
            self.stopped = self.spent.reached(&self.budget);
        }
        if self.stopped.is_some() || (self.waiting.is_empty() && self.n_running == 0) {
            let left = !self.waiting.is_empty();
            return if self.n_running > 0 {
                Next::Wait
            } else {
                Next::End(if left { self.stopped.clone() } else { None })
            };
        }
        if self.n_running >= self.pace.now() {
            return Next::Wait;
        }
        match self.waiting.pop_front() {
            Some(job) => {
                self.n_running += 1;
                Next::Job(Box::new(job))
            }
            None => Next::Wait,
        }
    }

    /// A run came to its end.
    pub fn finished(&mut self, setup: &Setup, cost: &Cost, prices: &Prices) {
        self.n_running -= 1;
        self.n_finished += 1;
        self.failures_in_a_row = 0;
        self.spent.add(&cost.usage, prices.of_run(setup, cost));
        self.pace.calm();
    }

    /// A run failed. Gives whether it is tried again by itself.
    pub fn failed(
        &mut self,
        mut job: Job,
        reason: &str,
        setup: &Setup,
        usage: &Usage,
        prices: &Prices,
    ) -> bool {
        self.n_running -= 1;
        // What it took is paid for all the same; a run that took nothing tells nothing.
        if usage.total().is_some() {
            let model = setup.first_model().map_or("", |m| m.model.as_str());
            self.spent.add(usage, prices.cost(model, usage));
        }
        self.failures_in_a_row += 1;
        if self.failures_in_a_row >= MAX_FAILURES_IN_A_ROW && self.stopped.is_none() {
            self.stopped = Some(format!(
                "{MAX_FAILURES_IN_A_ROW} attempts in a row failed, the last because: {reason}"
            ));
        }
        reason.clone_into(&mut self.last_reason);
        if job.attempt < MAX_ATTEMPTS {
            job.attempt += 1;
            self.waiting.push_back(job);
            return true;
        }
        self.n_failed += 1;
        false
    }

    /// A run was given up halfway, because somebody stopped it.
    pub fn given_up(&mut self, job: Job) {
        self.n_running -= 1;
        self.waiting.push_front(job);
    }

    /// The endpoint asked to slow down.
    pub fn slow_down(&mut self) {
        self.pace.slow_down();
    }

    /// No further job is handed out.
    pub fn stop(&mut self, reason: &str) {
        self.stopped.get_or_insert_with(|| reason.to_owned());
    }

    /// Why no further job is handed out, if something stopped that.
    pub fn stopped(&self) -> Option<&str> {
        self.stopped.as_deref()
    }

    /// Runs in all, those that were there before counted in.
    pub fn n_jobs(&self) -> usize {
        self.n_jobs
    }

    /// Runs that were there before.
    pub fn n_skipped(&self) -> usize {
        self.n_skipped
    }

    /// Runs that came to their end since the start.
    pub fn n_finished(&self) -> usize {
        self.n_finished
    }

    /// Runs that failed and are not tried again before the next start.
    pub fn n_failed(&self) -> usize {
        self.n_failed
    }

    /// Runs that go on.
    pub fn n_running(&self) -> usize {
        self.n_running
    }

    /// So many may go on at once, now.
    pub fn concurrency(&self) -> usize {
        self.pace.now()
    }

    /// What was used up.
    pub fn spent(&self) -> &Spent {
        &self.spent
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use systems::experiment::RoleModel;
    use systems::experiments::find;
    use systems::nlgraph;
    use tasks::{Difficulty, TaskId};

    use super::*;

    fn setup(model: &str) -> Setup {
        find(nlgraph::ID).unwrap().setup("grounded", &[RoleModel::script(model)]).unwrap()
    }

    fn plan(n: usize, n_samples: u32) -> BenchPlan {
        let items =
            nlgraph::problems::generate(&[TaskId::Cycle], &[Difficulty::Easy], n, 0).unwrap();
        let cases = items.iter().map(|i| nlgraph::case(i).unwrap()).collect();
        let setups = vec![setup("a"), setup("b")];
        BenchPlan { setups, cases, n_samples, shard: None }
    }

    proptest! {
        /// However runs end, each is finished once, failed for good, or still waiting.
        #[test]
        fn nothing_is_lost_and_nothing_is_made_twice(
            n in 0usize..6, samples in 0u32..3, most in 1usize..5,
            ends in prop::collection::vec(0u8..4, 0..60),
        ) {
            let plan = plan(n, samples);
            let all: std::collections::BTreeSet<Key> = plan.jobs().map(|j| j.key).collect();
            prop_assert_eq!(all.len(), n * 2 * samples.max(1) as usize);
            let budget = Budget::default();
            let mut queue = Queue::new(&plan, |_| false, most, budget, Spent::default());
            let (mut running, mut finished) = (Vec::new(), std::collections::BTreeSet::new());
            for end in ends {
                while let Next::Job(job) = queue.hand_out() {
                    running.push(*job);
                }
                prop_assert!(running.len() <= most);
                let Some(job) = running.pop() else { break };
                match end {
                    0 => { queue.failed(job, "no", &setup("a"), &Usage::default(), &Prices(Vec::new())); }
                    1 => queue.given_up(job),
                    2 => { queue.slow_down(); queue.given_up(job); }
                    _ => {
                        prop_assert!(finished.insert(job.key), "made twice");
                        queue.finished(&setup("a"), &Cost::default(), &Prices(Vec::new()));
                    }
                }
            }
            let there = queue.waiting.len() + running.len() + finished.len() + queue.n_failed();
            prop_assert_eq!(there, all.len());
        }
    }

    #[test]
    fn the_pace_halves_and_comes_back_by_one() {
        let mut pace = Pace::new(8);
        pace.slow_down();
        assert_eq!(pace.now(), 4);
        for _ in 0..4 {
            pace.calm();
        }
        assert_eq!(pace.now(), 5);
        for _ in 0..3 {
            pace.slow_down();
        }
        assert_eq!(pace.now(), 1);
        for _ in 0..100 {
            pace.calm();
        }
        assert_eq!(pace.now(), 8, "never above what was asked");
    }

    #[test]
    fn a_budget_and_a_dead_endpoint_stop_with_words() {
        let plan = plan(20, 1);
        let budget = Budget { max_tokens: Some(10), max_dollars: None };
        let mut queue = Queue::new(&plan, |_| false, 1, budget, Spent::default());
        let Next::Job(_) = queue.hand_out() else { panic!("a job") };
        let usage = Usage { input_tokens: Some(20), output_tokens: Some(1), ..Usage::default() };
        queue.finished(&setup("a"), &Cost { usage, ..Cost::default() }, &Prices(Vec::new()));
        assert_eq!(queue.hand_out(), Next::End(Some("the budget of 10 tokens is used up".into())));

        let mut queue = Queue::new(&plan, |_| false, 1, Budget::default(), Spent::default());
        for _ in 0..10 {
            let Next::Job(job) = queue.hand_out() else { panic!("a job") };
            queue.failed(*job, "refused", &setup("a"), &Usage::default(), &Prices(Vec::new()));
        }
        let Next::End(Some(reason)) = queue.hand_out() else { panic!("an end") };
        assert!(reason.contains("10 attempts in a row failed") && reason.contains("refused"));
    }

    #[test]
    fn the_shares_of_a_budget_add_up_to_it() {
        for (tokens, of) in [(60_000, 4), (10, 3), (2, 5), (0, 2)] {
            let whole = Budget { max_tokens: Some(tokens), max_dollars: Some(3.0) };
            let shares: Vec<Budget> =
                (0..of).map(|index| whole.share(Shard { index, of })).collect();
            assert_eq!(shares.iter().filter_map(|b| b.max_tokens).sum::<u64>(), tokens);
            let dollars: f64 = shares.iter().filter_map(|b| b.max_dollars).sum();
            assert!((dollars - 3.0).abs() < 1e-9);
        }
    }

    #[test]
    fn jobs_that_come_later_are_handed_out_and_counted() {
        let plan = plan(3, 1);
        let mut queue =
            Queue::new(&BenchPlan::default(), |_| false, 2, Budget::default(), Spent::default());
        assert_eq!((queue.needs_jobs(), queue.hand_out()), (true, Next::End(None)));
        queue.add(plan.jobs());
        assert_eq!((queue.needs_jobs(), queue.n_jobs()), (false, 6));
        let Next::Job(_) = queue.hand_out() else { panic!("a job") };
        queue.left_to_others();
        assert_eq!((queue.n_running(), queue.n_jobs()), (0, 5));
    }

    #[test]
    fn what_is_finished_is_passed_over() {
        let plan = plan(3, 1);
        let done = plan.jobs().next().unwrap().key;
        let is_done = |key: &Key| *key == done;
        let queue = Queue::new(&plan, is_done, 1, Budget::default(), Spent::default());
        assert_eq!((queue.n_jobs(), queue.n_skipped()), (6, 1));
    }
}
