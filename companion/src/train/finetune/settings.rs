//! The numbers of a fine-tuning.

use anyhow::{Context as _, Result, bail};
use serde_json::{Map, Value};

use super::steps::Rates;

/// A name, what it is, and its value where nobody says another.
type Setting = (&'static str, &'static str, f64);

static SETTINGS: &[Setting] = &[
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
pub(crate) struct TuneSettings(Vec<f64>);

impl TuneSettings {
    /// The usual ones, with those that are given as `name=number`.
    pub(crate) fn new(given: &[String]) -> Result<Self> {
        let mut values: Vec<f64> = SETTINGS.iter().map(|(_, _, usual)| *usual).collect();
        for pair in given {
            let (name, value) =
                pair.split_once('=').with_context(|| format!("--set {pair}: give NAME=NUMBER"))?;
            let Some(place) = SETTINGS.iter().position(|(known, ..)| *known == name.trim()) else {
                let all: Vec<String> = SETTINGS
                    .iter()
                    .map(|(name, what, x)| format!("{name} ({what}; {x})"))
                    .collect();
                bail!("--set {pair}: there is no {name:?}; there are {}", all.join(", "));
            };
            let value: f64 =
                value.trim().parse().with_context(|| format!("--set {pair}: give a number"))?;
            if !(0.0..=1e12).contains(&value) {
                bail!("--set {pair}: give a number from 0 to 10^12");
            }
            values[place] = value;
        }
        let settings = Self(values);
        for name in ["batch", "accumulate", "length", "epochs"] {
            if settings.get(name) < 1.0 {
                bail!("--set {name}={}: give 1 or more", settings.get(name));
            }
        }
        Ok(settings)
    }

    pub(crate) fn get(&self, name: &str) -> f64 {
        SETTINGS.iter().position(|(known, ..)| *known == name).map_or(0.0, |i| self.0[i])
    }

    pub(crate) fn count(&self, name: &str) -> usize {
        self.get(name) as usize
    }

    /// All, for cards and checkpoints.
    pub(crate) fn all(&self) -> Map<String, Value> {
        let named = SETTINGS.iter().zip(&self.0);
        named.map(|((name, ..), x)| ((*name).to_owned(), (*x).into())).collect()
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
