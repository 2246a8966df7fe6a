//! All that a training needs to be resumed, in one file.

use anyhow::{Context as _, Result, bail};
use ownmodel::learn::Learner;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{LmOptions, Point};
use crate::{input, limits, output};

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
    json!({ "seed": options.seed, "tasks": options.tasks, "settings": settings,
            "vocabulary": ownmodel::file::vocabulary_hash() })
}

#[derive(Serialize, Deserialize)]
struct Head {
    of: Value,
    n_steps: u64,
    n_numbers: usize,
    progress: Progress,
}

impl State {
    /// A new training, or the one that was stopped.
    pub(crate) fn open(options: &LmOptions) -> Result<Self> {
        let mut learner = Learner::new(options.settings.config()?, options.seed);
        let path = &options.checkpoint;
        if !path.exists() {
            return Ok(Self { learner, progress: Progress::default() });
        }
        let place = path.display();
        if !options.resumes {
            bail!(
                "{place}: a training stopped there; --resume goes on with it, and without that file \
                 it begins anew"
            );
        }
        let bytes = input::bytes(path, limits::CHECKPOINT)?;
        let fault =
            || format!("{place}: this is no checkpoint of a language model, or it is cut off");
        let end = bytes.iter().position(|b| *b == b'\n').with_context(fault)?;
        let head: Head = serde_json::from_slice(&bytes[..end]).with_context(fault)?;
        if head.of != of(options) {
            bail!("{place}: this training has other settings, tasks, seed or tokens: {}", head.of);
        }
        let numbers: Vec<f32> =
            bytes[end + 1..].as_chunks::<4>().0.iter().map(|x| f32::from_le_bytes(*x)).collect();
        if numbers.len() != 3 * head.n_numbers || (bytes.len() - end - 1) % 4 != 0 {
            bail!(fault());
        }
        let mut lists = numbers.chunks_exact(head.n_numbers.max(1)).map(<[f32]>::to_vec);
        let mut next = || lists.next().unwrap_or_default();
        if !learner.set_state(head.n_steps, [next(), next(), next()]) {
            bail!(fault());
        }
        Ok(Self { learner, progress: head.progress })
    }

    pub(crate) fn save(&self, options: &LmOptions) -> Result<()> {
        let state = self.learner.state();
        let head = Head {
            of: of(options),
            n_steps: self.learner.n_steps(),
            n_numbers: state[0].len(),
            progress: self.progress.clone(),
        };
        let mut bytes = serde_json::to_vec(&head)?;
        bytes.push(b'\n');
        for list in state {
            bytes.extend(list.iter().flat_map(|x| x.to_le_bytes()));
        }
        output::write(&options.checkpoint, bytes)
    }
}
