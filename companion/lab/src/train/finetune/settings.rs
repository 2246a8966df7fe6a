//! The numbers of a fine-tuning.

use std::ops::Deref;

use anyhow::{Result, bail};

use super::steps::Rates;
use crate::train::numbers::{Numbers, Usual};

static SETTINGS: &[Usual] = &[
    ("epochs", "how often every example comes", 3.0),
    ("steps", "the most steps; 0 for as many as the epochs make", 0.0),
    ("tokens", "the most tokens to learn from, all steps together; 0 for no bound", 0.0),
    ("batch", "examples that are computed at once", 4.0),
    ("accumulate", "batches whose gradients make one step", 2.0),
    ("length", "the most tokens of an example", 1024.0),
    ("alpha", "what B · A is multiplied with, times the rank", 16.0),
    ("lr", "learning rate", 0.0005),
    ("warmup", "steps in which the learning rate rises", 10.0),
    ("end", "the share of the learning rate that is left at the end", 0.1),
    ("decay", "weight decay of the adapters", 0.01),
    ("longest", "a gradient that is longer is cut to this", 1.0),
    ("every", "steps between two measurements of the loss on held-out lines; 0 for none", 50.0),
    ("measured", "held-out lines whose answers are written and measured, before and after", 100.0),
];

/// Their values.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TuneSettings(Numbers);

impl Deref for TuneSettings {
    type Target = Numbers;

    fn deref(&self) -> &Numbers {
        &self.0
    }
}

impl TuneSettings {
    /// The usual ones, with those that are given as `name=number`.
    pub(crate) fn new(given: &[String]) -> Result<Self> {
        let settings = Self(Numbers::new(SETTINGS.iter().copied(), given)?);
        for name in ["batch", "accumulate", "length", "epochs"] {
            if settings.get(name) < 1.0 {
                bail!("--set {name}={}: give 1 or more", settings.get(name));
            }
        }
        Ok(settings)
    }

    /// How a step of so many is made, counted from 0: the learning rate rises, then falls in a line.
    pub(crate) fn rates(&self, step: usize, n_steps: usize) -> Rates {
        let rises = ((step + 1) as f64 / self.get("warmup").max(1.0)).min(1.0);
        let left = 1.0 - step as f64 / n_steps.max(1) as f64;
        let end = self.get("end").min(1.0);
        Rates {
            rate: self.get("lr") * rises * (end + (1.0 - end) * left),
            decay: self.get("decay"),
            longest: self.get("longest").max(1e-9),
        }
    }
}
