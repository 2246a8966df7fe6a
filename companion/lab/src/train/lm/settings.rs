//! The numbers of a training of our own model.

use std::ops::Deref;

use anyhow::Result;
use ownmodel::Config;

use crate::train::numbers::{Numbers, Usual};

static SETTINGS: &[Usual] = &[
    ("steps", "steps in all", 20_000.0),
    ("tokens", "tokens of a step, about", 6_000.0),
    ("lr", "learning rate", 0.002),
    ("warmup", "steps in which the learning rate rises", 200.0),
    ("fall", "share of the steps, at the end, in which it falls to a fiftieth", 0.3),
    ("decay", "weight decay", 0.05),
    ("easy", "steps with graphs of the easy level alone", 400.0),
    ("medium", "steps after which the hard level comes, too", 800.0),
    ("tools", "share of texts with tools", 0.8),
    ("benchmark", "share of texts in the benchmark's words", 0.6),
    ("mistakes", "share of conversations in which a call goes wrong first", 0.1),
    ("inline", "share of sentences with inline tool calls", 0.3),
    ("plans", "share of traversal plans", 0.0),
    ("people", "share of questions in people's own words, of all texts", 0.0),
    ("noise", "share of texts in which some words are others, or unknown", 0.2),
    ("every", "steps between two measurements", 500.0),
    ("measured", "texts that are measured of each task and level, with tools and without", 10.0),
    ("width", "hidden size", 128.0),
    ("layers", "layers", 4.0),
    ("heads", "heads of attention", 4.0),
    ("place_heads", "heads that know places in lists", 2.0),
    ("hidden", "numbers inside of the gated network", 352.0),
];

/// Their values.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LmSettings(Numbers);

impl Deref for LmSettings {
    type Target = Numbers;

    fn deref(&self) -> &Numbers {
        &self.0
    }
}

impl LmSettings {
    /// The usual ones, with those that are given as `name=number`.
    pub(crate) fn new(given: &[String]) -> Result<Self> {
        Ok(Self(Numbers::new(SETTINGS.iter().copied(), given)?))
    }

    /// The sizes of the network.
    pub(crate) fn config(&self) -> Result<Config> {
        let config = Config {
            width: self.count("width"),
            n_layers: self.count("layers"),
            n_heads: self.count("heads"),
            n_place_heads: self.count("place_heads"),
            hidden: self.count("hidden"),
        };
        config.check()?;
        Ok(config)
    }

    /// The learning rate of a step, counted from 0: it rises, stays, and falls at the end.
    pub(crate) fn rate(&self, step: usize) -> f64 {
        let (steps, warmup) = (self.get("steps").max(1.0), self.get("warmup").max(1.0));
        let rises = ((step + 1) as f64 / warmup).min(1.0);
        let left = (steps - step as f64) / (steps * self.share("fall")).max(1.0);
        let falls = 0.02 + 0.98 * left.clamp(0.0, 1.0);
        self.get("lr") * rises * falls
    }
}
