//! All that a fine-tuning needs to be gone on with, in one file.

use std::path::Path;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::steps::Steps;
use crate::train::kept::{self, Kept};

/// A measurement on the way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Point {
    pub(crate) step: usize,
    pub(crate) seconds: f64,
    /// The mean loss of the steps since the last point.
    pub(crate) loss: f64,
    /// That of held-out lines, where it was measured.
    pub(crate) held_out: Option<f64>,
}

/// How far a fine-tuning is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Progress {
    pub(crate) seconds: f64,
    /// Tokens of all steps, and those of them that were learned.
    pub(crate) n_tokens: u64,
    pub(crate) n_own: u64,
    /// Losses of the steps since the last point, and their number.
    pub(crate) recent: (f64, usize),
    pub(crate) points: Vec<Point>,
}

/// Writes it.
pub(crate) fn write(path: &Path, of: &Value, steps: &Steps, progress: &Progress) -> Result<()> {
    let lists = [&*steps.learned, &*steps.means, &*steps.squares];
    kept::write(path, of, steps.n_steps, lists, progress)
}

/// Reads it, if there is one; `wants` says whether the person asked to go on.
pub(crate) fn read(path: &Path, of: &Value, wants: bool) -> Result<Option<(Steps, Progress)>> {
    let kept = kept::read(path, of, wants)?;
    Ok(kept.map(|Kept { n_steps, lists: [learned, means, squares], progress }| {
        (Steps { learned, means, squares, n_steps }, progress)
    }))
}
