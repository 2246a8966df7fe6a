//! All that a training needs to be resumed, in one file.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use ml::weights::{ModelFile, write};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::Tensors;
use super::choice::{Point, Window};
use companion::{input, output};

/// What the file calls itself.
const NAME: &str = "checkpoint";

/// A training that ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Trained {
    pub(crate) seed: u64,
    pub(crate) part: usize,
    /// Epochs that it had.
    pub(crate) epochs: usize,
    /// The one that was chosen on the validation set.
    pub(crate) chosen: Point,
    /// The measurements that it was chosen for; it is the last of them.
    pub(crate) window: Window,
    /// The best on the test: what others report, and nothing to choose by.
    pub(crate) best_test: Point,
    pub(crate) figures: Map<String, Value>,
    pub(crate) history: Vec<Point>,
}

/// How far all is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Progress {
    /// Trainings that ended.
    pub(crate) trained: Vec<Trained>,
    /// The epoch of the one that runs.
    pub(crate) epoch: usize,
    pub(crate) history: Vec<Point>,
    /// Seconds that epochs and measurements took.
    pub(crate) seconds: f64,
    /// Those of them that the processor worked for this program.
    pub(crate) cpu_seconds: f64,
    /// Epochs in these seconds.
    pub(crate) n_timed: usize,
}

/// What lies in the file.
#[derive(Default)]
pub(crate) struct Checkpoint {
    pub(crate) progress: Progress,
    /// What has been learned so far.
    pub(crate) now: Tensors,
    pub(crate) state: Tensors,
    /// The weights of the chosen epoch.
    pub(crate) chosen: Tensors,
    /// Those of the first training's, which go into the file of the model.
    pub(crate) kept: Tensors,
}

impl Checkpoint {
    /// Writes it, so that there is the old one or the new one, whenever the program ends.
    pub(crate) fn write(&self, path: &Path, dataset: &str, of: &Value) -> Result<()> {
        let config = json!({ "of": of, "progress": self.progress });
        let mut all = Tensors::new();
        for (prefix, tensors) in self.parts() {
            let named = |(n, t): &(String, _)| (format!("{prefix}{n}"), Clone::clone(t));
            all.extend(tensors.iter().map(named));
        }
        output::write(path, &write(NAME, dataset, &config, &all)?)
    }

    fn parts(&self) -> [(&'static str, &Tensors); 4] {
        [
            ("now/", &self.now),
            ("state/", &self.state),
            ("chosen/", &self.chosen),
            ("kept/", &self.kept),
        ]
    }

    /// Reads it, if it is one of the same training.
    pub(crate) fn read(path: &Path, of: &Value) -> Result<Self> {
        #[derive(Deserialize)]
        struct Config {
            of: Value,
            progress: Progress,
        }
        let place = || path.display().to_string();
        let bytes = input::bytes(path, ml::weights::MAX_BYTES)?;
        let mut file = ModelFile::read(&bytes).with_context(place)?;
        let config: Config = file.config(NAME).with_context(place)?;
        if config.of != *of {
            bail!("{}: another training stopped there: {}; this one is {of}", place(), config.of);
        }
        Ok(Self {
            progress: config.progress,
            now: file.take_all("now/"),
            state: file.take_all("state/"),
            chosen: file.take_all("chosen/"),
            kept: file.take_all("kept/"),
        })
    }
}
