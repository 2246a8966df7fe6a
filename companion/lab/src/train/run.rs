//! One training after the other, measured, kept safe, and ended in time.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use cpu_time::ProcessTime;
use indicatif::ProgressBar;
use serde_json::Value;

use super::checkpoint::{Checkpoint, Progress, Trained};
use super::choice::Point;
use super::choice::{Window, chosen};
use super::{Experiment, Measured, Tensors, Trainer, epoch_rng};
use companion::output;

/// So often a line is written where no bar can be drawn.
const LINE: Duration = Duration::from_secs(10);

/// How to train.
pub(crate) struct Options {
    pub(crate) seeds: Vec<u64>,
    /// The most epochs of a training.
    pub(crate) epochs: usize,
    /// Epochs without a better one after which it ends; 0 for none.
    pub(crate) patience: usize,
    /// Epochs between two measurements.
    pub(crate) every: usize,
    /// Measurements in a row whose mean chooses the epoch.
    pub(crate) window: usize,
    /// Where to keep what is needed to go on.
    pub(crate) checkpoint: PathBuf,
    /// How often.
    pub(crate) checkpoint_time: Duration,
    pub(crate) checkpoint_epochs: usize,
    /// Go on from there.
    pub(crate) resumes: bool,
    /// Stop after so many epochs of this run.
    pub(crate) stop_after: Option<usize>,
    pub(crate) dataset: String,
    /// What makes this training this one: model, data, seeds, settings.
    pub(crate) of: Value,
}

/// What came of all trainings.
pub(crate) struct Outcome {
    pub(crate) trained: Vec<Trained>,
    /// The weights of the first, at its chosen epoch.
    pub(crate) weights: Tensors,
    pub(crate) seconds_per_epoch: f64,
    pub(crate) cpu_seconds_per_epoch: f64,
    pub(crate) seconds: f64,
}

/// How it ended.
pub(crate) enum Ended {
    Whole(Box<Outcome>),
    /// It stopped as it was told to, with a checkpoint.
    Stopped,
}

fn now() -> Instant {
    #[expect(clippy::disallowed_methods, reason = "a program has a clock; the core has none")]
    let now = Instant::now();
    now
}

/// Trains.
pub(crate) fn run(experiment: &dyn Experiment, options: &Options) -> Result<Ended> {
    let n_parts = experiment.n_parts();
    let n_runs = options.seeds.len() * n_parts;
    let mut going = Going::new(options)?;
    let bar = output::bar(n_runs * options.epochs);
    let (begun, mut told, mut saved) = (now(), now(), now());
    let mut n_here = 0;
    bar.set_position((going.progress.trained.len() * options.epochs + going.progress.epoch) as u64);
    while going.progress.trained.len() < n_runs {
        let i = going.progress.trained.len();
        let (seed, part) = (options.seeds[i / n_parts], i % n_parts);
        let mut trainer = experiment.start(seed, part)?;
        going.put_back(trainer.as_mut())?;
        while !going.is_over(options) {
            if options.stop_after.is_some_and(|n| n_here >= n) {
                going.save(trainer.as_ref(), options)?;
                bar.finish_and_clear();
                return Ok(Ended::Stopped);
            }
            let (start, cpu) = (now(), ProcessTime::now());
            going.epoch(trainer.as_mut(), seed, part, options)?;
            going.progress.seconds += start.elapsed().as_secs_f64();
            going.progress.cpu_seconds += cpu.elapsed().as_secs_f64();
            going.progress.n_timed += 1;
            n_here += 1;
            bar.inc(1);
            let is_due = n_here.checked_rem(options.checkpoint_epochs) == Some(0);
            if saved.elapsed() > options.checkpoint_time || is_due {
                going.save(trainer.as_ref(), options)?;
                saved = now();
            }
            if !bar.is_hidden() || told.elapsed() > LINE {
                told = now();
                let rate = n_here as f64 / begun.elapsed().as_secs_f64().max(1e-9);
                tell(&bar, &going.progress, [i + 1, n_runs], options.epochs, rate);
            }
        }
        going.end(trainer.as_mut(), seed, part)?;
        bar.set_position((going.progress.trained.len() * options.epochs) as u64);
        let trained = &going.progress.trained[i];
        let line = format!(
            "seed {seed}{}: {} {:.4} on validation, {:.4} on test, at epoch {} of {}",
            if n_parts > 1 { format!(", part {}", part + 1) } else { String::new() },
            experiment.metric(),
            trained.window.valid,
            trained.chosen.test,
            trained.chosen.epoch,
            trained.epochs,
        );
        if bar.is_hidden() {
            output::complain(&line)
        } else {
            bar.println(line)
        }
        saved = now();
        going.save(trainer.as_ref(), options)?;
    }
    bar.finish_and_clear();
    let Progress { trained, seconds, cpu_seconds, n_timed, .. } = going.progress;
    let [seconds_per_epoch, cpu_seconds_per_epoch] =
        [seconds, cpu_seconds].map(|s| s / n_timed.max(1) as f64);
    let weights = going.kept;
    let outcome = Outcome { trained, weights, seconds_per_epoch, cpu_seconds_per_epoch, seconds };
    Ok(Ended::Whole(Box::new(outcome)))
}

fn tell(bar: &ProgressBar, progress: &Progress, [i, n_runs]: [usize; 2], epochs: usize, rate: f64) {
    let Some(last) = progress.history.last() else { return };
    let line =
        format!("loss {:.4}, validation {:.4}, test {:.4}", last.loss, last.valid, last.test);
    if bar.is_hidden() {
        let done = (i - 1) * epochs + progress.epoch;
        let left = (n_runs * epochs).saturating_sub(done) as f64 / rate.max(1e-9);
        let epoch = progress.epoch;
        output::complain(&format!(
            "training {i}/{n_runs}, epoch {epoch}/{epochs}, {rate:.1}/s, at most {left:.0} s left, {line}"
        ));
    } else {
        bar.set_message(line);
    }
}

/// What goes on.
struct Going {
    /// Measurements in a row whose mean chooses.
    window: usize,
    progress: Progress,
    now: Tensors,
    state: Tensors,
    chosen: Tensors,
    kept: Tensors,
}

impl Going {
    fn new(options: &Options) -> Result<Self> {
        let path = &options.checkpoint;
        let is_there = path.exists();
        if is_there && !options.resumes {
            bail!(
                "{}: a training stopped there; --resume goes on with it, and without that file it \
                 begins anew",
                path.display()
            );
        }
        let Checkpoint { progress, now, state, chosen, kept } = match is_there {
            true => Checkpoint::read(path, &options.of)?,
            false => Checkpoint::default(),
        };
        Ok(Self { window: options.window, progress, now, state, chosen, kept })
    }

    /// Puts a trainer where this stopped.
    fn put_back(&mut self, trainer: &mut dyn Trainer) -> Result<()> {
        if self.progress.epoch > 0 {
            trainer.set_weights(&self.now)?;
            trainer.set_state(&self.state)?;
        }
        Ok(())
    }

    fn chosen(&self) -> Option<(Window, Point)> {
        chosen(&self.progress.history, self.window)
    }

    fn is_over(&self, options: &Options) -> bool {
        let epoch = self.progress.epoch;
        let waited = self.chosen().map_or(0, |(_, p)| epoch - p.epoch);
        epoch >= options.epochs || options.patience > 0 && waited >= options.patience
    }

    fn epoch(
        &mut self,
        trainer: &mut dyn Trainer,
        seed: u64,
        part: usize,
        options: &Options,
    ) -> Result<()> {
        let epoch = self.progress.epoch + 1;
        let loss = trainer.epoch(epoch, &mut epoch_rng(seed, part, epoch))?;
        if !loss.is_finite() {
            bail!("the loss of epoch {epoch} is {loss}; a smaller lr may help");
        }
        self.progress.epoch = epoch;
        if epoch.is_multiple_of(options.every.max(1)) || epoch == options.epochs {
            let measured = trainer.measure()?;
            let Measured { valid, test, valid_loss } = measured;
            let point = Point { epoch, loss, valid, test, valid_loss };
            self.progress.history.push(point);
            if self.chosen().is_some_and(|(_, p)| p.epoch == epoch) {
                self.chosen = trainer.weights()?;
            }
        }
        Ok(())
    }

    fn end(&mut self, trainer: &mut dyn Trainer, seed: u64, part: usize) -> Result<()> {
        let none = || "no epoch was measured; set epochs to 1 or more";
        let (window, chosen) = self.chosen().with_context(none)?;
        let best_test = best(&self.progress.history, |p| p.test).with_context(none)?;
        trainer.set_weights(&self.chosen)?;
        let figures = trainer.figures()?;
        let figures = figures.into_iter().map(|(n, x)| (n.to_owned(), Value::from(x))).collect();
        let chosen_weights = std::mem::take(&mut self.chosen);
        if self.progress.trained.is_empty() {
            self.kept = chosen_weights;
        }
        let history = std::mem::take(&mut self.progress.history);
        let epochs = std::mem::take(&mut self.progress.epoch);
        let trained = Trained { seed, part, epochs, chosen, window, best_test, figures, history };
        self.progress.trained.push(trained);
        Ok(())
    }

    fn save(&self, trainer: &dyn Trainer, options: &Options) -> Result<()> {
        let checkpoint = Checkpoint {
            progress: self.progress.clone(),
            now: trainer.weights()?,
            state: trainer.state(),
            chosen: self.chosen.clone(),
            kept: self.kept.clone(),
        };
        checkpoint.write(&options.checkpoint, &options.dataset, &options.of)
    }
}

/// The first point with the largest figure.
fn best(all: &[Point], figure: fn(&Point) -> f64) -> Option<Point> {
    all.iter().copied().reduce(|a, b| if figure(&b) > figure(&a) { b } else { a })
}
