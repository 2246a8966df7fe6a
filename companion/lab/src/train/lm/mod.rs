//! Training of our own language model: `graphground train lm`.
//!
//! Each step makes fresh texts from a random generator of its own, so that a training that was
//! stopped goes on in the bits.

pub(crate) mod inline;
pub(crate) mod lessons;
pub(crate) mod people;
pub(crate) mod plans;
mod report;
mod settings;
mod state;
mod statements;
#[cfg(test)]
mod tests;
mod thoughts;
mod wording;
mod words;

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use crate::train::learn::{Learner, LessonText, Rates, StepOutcome};
use anyhow::{Result, bail};
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use tasks::{Difficulty, TaskId};

pub(crate) use inline::{SETS, Sentences, Set};
pub(crate) use lessons::Mix;
pub(crate) use report::{
    Facts, PeopleShare, PlanShare, Point, SetShare, Share, card, curve, drawing,
};
pub(crate) use settings::LmSettings;
pub(crate) use state::State;

use companion::output;

/// The random generator of the texts that are measured.
const MEASURED: u64 = u64::MAX;
/// Seconds between two lines about how it goes.
const LINE_S: f64 = 20.0;

/// How to train.
pub(crate) struct LmOptions {
    pub(crate) settings: LmSettings,
    pub(crate) tasks: Vec<TaskId>,
    pub(crate) seed: u64,
    pub(crate) checkpoint: PathBuf,
    pub(crate) checkpoint_s: f64,
    /// Goes on from the checkpoint.
    pub(crate) resumes: bool,
    /// Ends after so many steps of this run.
    pub(crate) stop_after: Option<usize>,
    /// Hashes of questions that must not come.
    pub(crate) held_out: HashSet<[u8; 32]>,
    /// What sentences with inline tool calls are made of.
    pub(crate) sentences: Arc<Sentences>,
    /// The bytes of weights with which the training begins, and their hash.
    pub(crate) begins_with: Option<(Vec<u8>, String)>,
}

fn now() -> Instant {
    #[expect(clippy::disallowed_methods, reason = "a program has a clock; the core has none")]
    let now = Instant::now();
    now
}

fn generator(seed: u64, stream: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(stream);
    rng
}

impl LmOptions {
    fn mix(&self, step: usize) -> Mix {
        let settings = &self.settings;
        let hardest = match step {
            _ if step < settings.count("easy") => Difficulty::Easy,
            _ if step < settings.count("medium") => Difficulty::Medium,
            _ => Difficulty::Hard,
        };
        Mix {
            tasks: self.tasks.clone(),
            with_tools: settings.share("tools"),
            benchmark: settings.share("benchmark"),
            mistakes: settings.share("mistakes"),
            hardest,
            inline: settings.share("inline"),
            sentences: Arc::clone(&self.sentences),
            plans: settings.share("plans"),
            people: settings.share("people"),
            noise: settings.share("noise"),
        }
    }

    /// The texts of a step, and how many questions were left out because they are held out.
    fn texts(&self, step: usize) -> (Vec<LessonText>, u64) {
        let mut rng = generator(self.seed, step as u64);
        let mix = self.mix(step);
        let most = self.settings.count("tokens");
        let (mut texts, mut n_tokens, mut n_left_out) = (Vec::new(), 0, 0);
        while n_tokens < most {
            let (text, n) = lessons::make(&mut rng, &mix, &self.held_out);
            n_left_out += n;
            n_tokens += text.tokens.len();
            texts.push(text);
        }
        (texts, n_left_out)
    }
}

/// How it ended.
pub(crate) enum LmEnded {
    /// With all steps.
    Whole(Box<State>),
    /// As it was told to, with a checkpoint.
    Stopped,
}

/// Trains.
pub(crate) fn run(options: &LmOptions) -> Result<LmEnded> {
    let settings = &options.settings;
    let mut state = State::open(options)?;
    let steps = settings.count("steps");
    let bar = output::bar(steps);
    let (mut saved, mut told) = (now(), now());
    let (mut n_here, mut n_tokens) = (0, 0);
    let mut recent = Recent::default();
    let mut next = None;
    let begun = now();
    while (state.learner.n_steps() as usize) < steps {
        let step = state.learner.n_steps() as usize;
        bar.set_position(step as u64);
        if options.stop_after.is_some_and(|n| n_here >= n) {
            state.save(options)?;
            bar.finish_and_clear();
            return Ok(LmEnded::Stopped);
        }
        let at = now();
        let (texts, n_left_out) = next.take().unwrap_or_else(|| options.texts(step));
        let rates = Rates { rate: settings.rate(step) as f32, decay: settings.get("decay") as f32 };
        // The next texts are made meanwhile.
        let (outcome, made) = std::thread::scope(|scope| {
            let made = scope.spawn(|| options.texts(step + 1));
            (state.learner.step(&texts, rates), made.join())
        });
        next = made.ok();
        if !outcome.loss.is_finite() || !outcome.norm.is_finite() {
            bail!("the loss of step {step} is {}; a smaller lr may help", outcome.loss);
        }
        recent.add(&outcome);
        n_here += 1;
        n_tokens += outcome.n_tokens;
        state.progress.n_tokens += outcome.n_tokens as u64;
        state.progress.n_left_out += n_left_out;
        let step = step + 1;
        if step.is_multiple_of(settings.count("every").max(1)) || step == steps {
            let seconds = state.progress.seconds + at.elapsed().as_secs_f64();
            let (shares, sets, plans, people) = measure(&state.learner, options);
            let point = Point { step, loss: recent.loss(), seconds, shares, sets, plans, people };
            output::complain(&point.line());
            state.progress.points.push(point);
        }
        state.progress.seconds += at.elapsed().as_secs_f64();
        if saved.elapsed().as_secs_f64() > options.checkpoint_s {
            state.save(options)?;
            saved = now();
        }
        if told.elapsed().as_secs_f64() > LINE_S {
            told = now();
            let speed = n_tokens as f64 / begun.elapsed().as_secs_f64().max(1e-9);
            let left =
                (steps - step) as f64 * begun.elapsed().as_secs_f64() / f64::from(n_here as u32);
            let line = format!(
                "step {step}/{steps}, loss {:.4}, {:.2} % of the tokens right, {speed:.0} tokens/s, {:.0} min left",
                recent.loss(),
                100.0 * recent.right,
                left / 60.0
            );
            if bar.is_hidden() { output::complain(&line) } else { bar.set_message(line) }
        }
    }
    bar.finish_and_clear();
    state.save(options)?;
    Ok(LmEnded::Whole(Box::new(state)))
}

/// Figures of the latest steps.
#[derive(Default)]
struct Recent {
    loss: f64,
    right: f64,
    n: usize,
}

impl Recent {
    fn add(&mut self, outcome: &StepOutcome) {
        self.n += 1;
        let by = (1.0 / self.n as f64).max(0.02);
        self.loss += (outcome.loss - self.loss) * by;
        self.right += (outcome.right - self.right) * by;
    }

    fn loss(&self) -> f64 {
        self.loss
    }
}

/// What is measured of a training.
enum Group {
    Task(TaskId, Difficulty, bool),
    Sentences(&'static Set),
    Plans(u32),
    People(&'static str, people::Lines),
}

/// What was found of it.
enum Found {
    Task(Share),
    Sentences(SetShare),
    Plans(PlanShare),
    People(PeopleShare),
}

/// Of each task and level, of each set of statements and of plans, the share of new problems whose whole
/// conversation comes out as it should, where the likeliest token is taken: with that, a text in
/// which every token is the likeliest is what the model writes by itself.
pub(crate) fn measure(
    learner: &Learner,
    options: &LmOptions,
) -> (Vec<Share>, Vec<SetShare>, Vec<PlanShare>, Vec<PeopleShare>) {
    let n = options.settings.count("measured");
    let weights = learner.weights();
    let slopes = learner.slopes();
    let mut groups = Vec::new();
    for task in &options.tasks {
        for level in task.difficulties() {
            groups.extend([true, false].map(|has_tools| Group::Task(*task, *level, has_tools)));
        }
    }
    if options.settings.share("inline") > 0.0 {
        groups.extend(SETS.iter().map(Group::Sentences));
    }
    if options.settings.share("plans") > 0.0 {
        groups.extend((1..=plans::MOST_HOPS).map(Group::Plans));
    }
    if options.settings.share("people") > 0.0 {
        for lines in [people::Lines::Learned, people::Lines::HeldOut] {
            groups.extend(people::KINDS.iter().map(|kind| Group::People(kind, lines)));
        }
    }
    let is_whole = |text: &LessonText| slopes.measure(&weights, text).found.iter().all(|is| *is);
    let share = |n_right: usize| n_right as f64 / n.max(1) as f64;
    let of = |group: &Group| match *group {
        Group::Task(task, level, has_tools) => {
            let stream = (task as u64) << 16 | (level as u64) << 8 | u64::from(has_tools);
            let mut rng = generator(stream, MEASURED);
            let mix =
                Mix { tasks: vec![task], mistakes: 0.0, benchmark: 1.0, ..options.mix(usize::MAX) };
            let texts = (0..n)
                .map(|_| lessons::make_one(&mut rng, &mix, level, has_tools, &options.held_out));
            let right = share(texts.filter(|text| is_whole(text)).count());
            Found::Task(Share { task, level, has_tools, right })
        }
        Group::Sentences(set) => {
            let mut rng = generator(1, MEASURED);
            let mix = options.mix(usize::MAX);
            let texts = (0..n)
                .filter_map(|_| statements::make_sentence(&mut rng, &mix, set, &options.held_out));
            let right = share(texts.filter(is_whole).count());
            Found::Sentences(SetShare { set: set.id.to_owned(), right })
        }
        Group::Plans(hops) => {
            let mut rng = generator(u64::from(hops), MEASURED);
            let texts = (0..n).filter_map(|_| plans::make_plan(&mut rng, hops));
            Found::Plans(PlanShare { hops, right: share(texts.filter(is_whole).count()) })
        }
        Group::People(kind, lines) => {
            let is_held_out = lines == people::Lines::HeldOut;
            let mut rng = generator(u64::from(is_held_out), MEASURED);
            let texts = (0..n).filter_map(|_| people::measured(&mut rng, kind, lines));
            let right = share(texts.filter(is_whole).count());
            Found::People(PeopleShare { kind: kind.to_owned(), is_held_out, right })
        }
    };
    let (a, b) = groups.split_at(groups.len() / 2);
    let found = std::thread::scope(|scope| {
        let other = scope.spawn(|| b.iter().map(of).collect::<Vec<_>>());
        let mut all: Vec<Found> = a.iter().map(of).collect();
        all.extend(other.join().unwrap_or_default());
        all
    });
    let (mut shares, mut sets, mut plans, mut people) =
        <(Vec<_>, Vec<_>, Vec<_>, Vec<_>)>::default();
    for found in found {
        match found {
            Found::Task(share) => shares.push(share),
            Found::Sentences(share) => sets.push(share),
            Found::Plans(share) => plans.push(share),
            Found::People(share) => people.push(share),
        }
    }
    (shares, sets, plans, people)
}
