//! All that a fine-tuning needs to be gone on with, in one file.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::steps::Steps;
use crate::{input, limits, output};

/// What the file begins with.
const MAGIC: &[u8] = b"graphground finetune checkpoint 1\n";
const HASH: usize = 32;

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

#[derive(Serialize, Deserialize)]
struct Head {
    of: Value,
    n_steps: u64,
    n_numbers: usize,
    progress: Progress,
}

/// Writes it, so that there is the old one or the new one, whenever the program ends.
pub(crate) fn write(path: &Path, of: &Value, steps: &Steps, progress: &Progress) -> Result<()> {
    let head = Head {
        of: of.clone(),
        n_steps: steps.n_steps,
        n_numbers: steps.learned.len(),
        progress: progress.clone(),
    };
    let mut bytes = MAGIC.to_vec();
    serde_json::to_writer(&mut bytes, &head)?;
    bytes.push(b'\n');
    for list in [&steps.learned, &steps.means, &steps.squares] {
        bytes.extend(list.iter().flat_map(|x| x.to_le_bytes()));
    }
    let hash = Sha256::digest(&bytes);
    bytes.extend(hash);
    output::write(path, bytes)
}

/// Reads it, if it is one of the same fine-tuning.
pub(crate) fn read(path: &Path, of: &Value) -> Result<(Steps, Progress)> {
    let place = path.display();
    let bytes = input::bytes(path, limits::CHECKPOINT)?;
    let Some(rest) = bytes.strip_prefix(MAGIC) else {
        bail!("{place}: this is no checkpoint of a fine-tuning; --resume needs one");
    };
    let fault = || format!("{place}: the checkpoint is cut off or damaged; begin anew without it");
    let end = bytes.len().checked_sub(HASH).with_context(fault)?;
    if end < MAGIC.len() || Sha256::digest(&bytes[..end]).as_slice() != &bytes[end..] {
        bail!(fault());
    }
    let rest = &rest[..rest.len() - HASH];
    let line = rest.iter().position(|b| *b == b'\n').with_context(fault)?;
    let head: Head = serde_json::from_slice(&rest[..line]).with_context(fault)?;
    if head.of != *of {
        bail!(
            "{place}: that fine-tuning had another base, other data, settings or another seed: {}; \
             this one has {of}",
            head.of
        );
    }
    let numbers: Vec<f32> =
        rest[line + 1..].as_chunks::<4>().0.iter().map(|x| f32::from_le_bytes(*x)).collect();
    if numbers.len() != head.n_numbers.saturating_mul(3) {
        bail!(fault());
    }
    let part = |i: usize| numbers[i * head.n_numbers..(i + 1) * head.n_numbers].to_vec();
    let steps = Steps { learned: part(0), means: part(1), squares: part(2), n_steps: head.n_steps };
    Ok((steps, head.progress))
}
