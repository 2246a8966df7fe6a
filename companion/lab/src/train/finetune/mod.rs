//! Fine-tuning of language models with LoRA: `graphground finetune`. `docs/fine-tuning.md` says how.
//!
//! A base stays as it is; of each matrix of attention and of the gated network two small ones learn
//! ([`Adapters`]), which are merged into it at the end. Files of the form GGUF and our own model's
//! learn in the same loop.

mod adapters;
mod attention;
mod base;
mod card;
mod checkpoint;
pub(crate) mod data;
mod lessons;
mod measure;
mod network;
mod ops;
mod own;
mod plan;
mod settings;
mod steps;
#[cfg(test)]
mod tests;
mod wording;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, bail};
use serde_json::Value;

pub(crate) use adapters::{Adapters, Place};
pub(crate) use base::{Exported, Given, open};
pub(crate) use card::{Made, card, curve, hex};
pub(crate) use checkpoint::{Point, Progress};
pub(crate) use lessons::lessons;
pub(crate) use measure::{Measured, Measuring, measure};
pub(crate) use plan::Plan;
pub(crate) use settings::TuneSettings;
pub(crate) use steps::Steps;

use companion::output;

/// Seconds between two lines about how it goes.
const LINE_S: f64 = 20.0;

/// A text to learn from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Example {
    pub(crate) tokens: Vec<u32>,
    /// Of each token, whether the model learns to say it.
    pub(crate) is_own: Vec<bool>,
    /// The line of its file.
    pub(crate) line: usize,
}

impl Example {
    fn push(&mut self, tokens: Vec<u32>, is_own: bool) {
        self.is_own.extend(std::iter::repeat_n(is_own, tokens.len()));
        self.tokens.extend(tokens);
    }

    /// Tokens that are learned; the first of a text follows nothing.
    pub(crate) fn n_own(&self) -> usize {
        self.is_own.iter().skip(1).filter(|is| **is).count()
    }
}

/// What came of texts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Loss {
    /// The sum of the losses of the tokens that are learned.
    pub(crate) sum: f64,
    /// How many there are.
    pub(crate) n: usize,
    /// Of these, how many were the likeliest.
    pub(crate) n_right: usize,
}

impl Loss {
    fn add(&mut self, more: Self) {
        self.sum += more.sum;
        self.n += more.n;
        self.n_right += more.n_right;
    }

    pub(crate) fn mean(&self) -> f64 {
        self.sum / self.n.max(1) as f64
    }

    /// The share of tokens that were the likeliest.
    pub(crate) fn right(&self) -> f64 {
        self.n_right as f64 / self.n.max(1) as f64
    }
}

/// A network that is fine-tuned.
pub(crate) trait Base {
    /// The matrices that are adapted.
    fn places(&self) -> Vec<Place>;
    /// The numbers of one of them, row by row.
    fn matrix(&self, i: usize) -> Result<Vec<f32>>;
    /// The loss of a batch; adds to `gradient` how the sum of its losses changes with each number that
    /// learns.
    fn learn(
        &self,
        adapters: &Adapters,
        learned: &[f32],
        batch: &[&Example],
        gradient: Option<&mut [f32]>,
    ) -> Result<Loss>;
}

/// The loss of texts, batch by batch.
pub(crate) fn loss_of(
    base: &dyn Base,
    adapters: &Adapters,
    learned: &[f32],
    examples: &[Example],
    batch: usize,
) -> Result<Loss> {
    let mut loss = Loss::default();
    for batch in examples.chunks(batch.max(1)) {
        let batch: Vec<&Example> = batch.iter().collect();
        loss.add(base.learn(adapters, learned, &batch, None)?);
    }
    Ok(loss)
}

/// What is learned from, and how.
pub(crate) struct Tuning<'t> {
    pub(crate) base: &'t dyn Base,
    pub(crate) adapters: &'t Adapters,
    pub(crate) examples: &'t [Example],
    pub(crate) held_out: &'t [Example],
    pub(crate) settings: &'t TuneSettings,
    pub(crate) plan: &'t Plan,
    pub(crate) seed: u64,
    /// What makes a fine-tuning this one.
    pub(crate) of: Value,
    pub(crate) checkpoint: PathBuf,
    pub(crate) checkpoint_s: f64,
    pub(crate) resumes: bool,
    /// Ends after so many steps of this start.
    pub(crate) stop_after: Option<usize>,
}

/// How it ended.
pub(crate) enum TuneEnded {
    /// With all steps.
    Whole(Box<(Steps, Progress)>),
    /// As it was told to, with a checkpoint.
    Stopped,
}

fn now() -> Instant {
    #[expect(clippy::disallowed_methods, reason = "a program has a clock; the core has none")]
    let now = Instant::now();
    now
}

impl Tuning<'_> {
    fn open(&self) -> Result<(Steps, Progress)> {
        let kept = checkpoint::read(&self.checkpoint, &self.of, self.resumes)?;
        let new = || (Steps::new(self.adapters.start(self.seed)), Progress::default());
        Ok(kept.unwrap_or_else(new))
    }

    /// The gradient of a step, all its batches together, and its loss.
    pub(crate) fn gradient(&self, learned: &[f32], step: &[usize]) -> Result<(Vec<f32>, Loss)> {
        let mut gradient = vec![0.0; self.adapters.len()];
        let mut loss = Loss::default();
        for batch in step.chunks(self.settings.count("batch")) {
            let batch: Vec<&Example> = batch.iter().map(|i| &self.examples[*i]).collect();
            loss.add(self.base.learn(self.adapters, learned, &batch, Some(&mut gradient))?);
        }
        Ok((gradient, loss))
    }

    fn point(&self, steps: &Steps, progress: &Progress) -> Result<Point> {
        let batch = self.settings.count("batch");
        let held_out = match self.held_out.is_empty() {
            true => None,
            false => {
                let loss = loss_of(self.base, self.adapters, &steps.learned, self.held_out, batch)?;
                Some(loss.mean())
            }
        };
        let (sum, n) = progress.recent;
        let loss = sum / n.max(1) as f64;
        Ok(Point { step: steps.n_steps as usize, seconds: progress.seconds, loss, held_out })
    }

    /// Learns.
    pub(crate) fn run(&self) -> Result<TuneEnded> {
        let (mut steps, mut progress) = self.open()?;
        let n_steps = self.plan.steps.len();
        let every = self.settings.count("every");
        let bar = output::bar(n_steps);
        let (begun, mut saved, mut told) = (now(), now(), now());
        let (mut n_here, mut n_tokens) = (0, 0);
        while let Some(step) = self.plan.steps.get(steps.n_steps as usize) {
            let number = steps.n_steps as usize;
            bar.set_position(number as u64);
            if self.stop_after.is_some_and(|n| n_here >= n) {
                checkpoint::write(&self.checkpoint, &self.of, &steps, &progress)?;
                bar.finish_and_clear();
                return Ok(TuneEnded::Stopped);
            }
            let at = now();
            let (gradient, loss) = self.gradient(&steps.learned, step)?;
            let rates = self.settings.rates(number, n_steps);
            let norm = steps.step(&gradient, 1.0 / loss.n.max(1) as f64, rates);
            if !loss.mean().is_finite() || !norm.is_finite() {
                bail!("the loss of step {number} is {}; a smaller lr may help", loss.mean());
            }
            let n: usize = step.iter().map(|i| self.examples[*i].tokens.len()).sum();
            (n_here, n_tokens) = (n_here + 1, n_tokens + n);
            progress.n_tokens += n as u64;
            progress.n_own += loss.n as u64;
            progress.recent = (progress.recent.0 + loss.mean(), progress.recent.1 + 1);
            progress.seconds += at.elapsed().as_secs_f64();
            let done = number + 1;
            if done == n_steps || every > 0 && done.is_multiple_of(every) {
                let point = self.point(&steps, &progress)?;
                progress.recent = (0.0, 0);
                progress.points.push(point);
            }
            if saved.elapsed().as_secs_f64() > self.checkpoint_s {
                checkpoint::write(&self.checkpoint, &self.of, &steps, &progress)?;
                saved = now();
            }
            if told.elapsed().as_secs_f64() > LINE_S || done == n_steps {
                told = now();
                let seconds = begun.elapsed().as_secs_f64().max(1e-9);
                let left = (n_steps - done) as f64 * seconds / f64::from(n_here as u32);
                let line = format!(
                    "step {done}/{n_steps}, loss {:.4}, {:.1} % of the tokens right, {:.0} tokens/s, {:.1} min left",
                    loss.mean(),
                    100.0 * loss.right(),
                    n_tokens as f64 / seconds,
                    left / 60.0
                );
                if bar.is_hidden() { output::complain(&line) } else { bar.set_message(line) }
            }
        }
        bar.finish_and_clear();
        checkpoint::write(&self.checkpoint, &self.of, &steps, &progress)?;
        Ok(TuneEnded::Whole(Box::new((steps, progress))))
    }
}
