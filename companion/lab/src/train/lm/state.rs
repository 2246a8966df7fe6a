//! All that a training needs to be resumed, in one file.

use crate::train::learn::Learner;
use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{LmOptions, Point};
use crate::train::kept::{self, Kept};

/// How far a training is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Progress {
    /// Tokens of all texts so far.
    pub(crate) n_tokens: u64,
    /// Questions that were left out because they are held out.
    pub(crate) n_left_out: u64,
    pub(crate) seconds: f64,
    pub(crate) points: Vec<Point>,
}

/// A training.
pub(crate) struct State {
    pub(crate) learner: Learner,
    pub(crate) progress: Progress,
}

/// What makes a training this one. The number of steps may be raised later.
fn of(options: &LmOptions) -> Value {
    let mut settings = options.settings.all();
    for free in ["steps", "every", "measured", "fall"] {
        settings.remove(free);
    }
    let begins_with = options.begins_with.as_ref().map(|(_, hash)| hash);
    json!({ "seed": options.seed, "begins_with": begins_with, "tasks": options.tasks, "settings": settings,
            "vocabulary": ownmodel::file::vocabulary_hash() })
}

impl State {
    /// A new training, or the one that was stopped.
    pub(crate) fn open(options: &LmOptions) -> Result<Self> {
        let mut learner = Learner::new(options.settings.config()?, options.seed);
        let path = &options.checkpoint;
        let kept: Option<Kept<Progress>> = kept::read(path, &of(options), options.resumes)?;
        let Some(kept) = kept else {
            if let Some((bytes, _)) = &options.begins_with {
                let (network, head) = ownmodel::file::read(bytes)?;
                learner.begin_as(&network, head.n_tokens)?;
            }
            return Ok(Self { learner, progress: Progress::default() });
        };
        if !learner.set_state(kept.n_steps, kept.lists) {
            bail!("{}: its numbers are not as many as this network has", path.display());
        }
        Ok(Self { learner, progress: kept.progress })
    }

    pub(crate) fn save(&self, options: &LmOptions) -> Result<()> {
        let (n_steps, lists) = (self.learner.n_steps(), self.learner.state());
        kept::write(&options.checkpoint, &of(options), n_steps, lists, &self.progress)
    }
}
