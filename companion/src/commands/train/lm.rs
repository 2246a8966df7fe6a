//! `graphground train lm`: our own language model, from problems that it is given fresh.

use std::collections::{BTreeMap, HashSet};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use ownmodel::OwnNetwork;
use ownmodel::file::{Numbers, write};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use systems::toolformer::Hubs;
use systems::toolformer::prompts::make;
use tasks::TaskId;

use super::{Args, hex};
use crate::train::lm::{LmEnded, LmOptions, LmSettings, State, card, curve, lessons, run as learn};
use crate::{input, limits, output};

/// Sentences with inline tool calls to learn from.
const N_PAIRS: usize = 4_000;

#[derive(Deserialize)]
struct Row {
    question: String,
}

/// The questions of NLGraph's files, as hashes.
fn held_out(files: &[PathBuf]) -> Result<HashSet<[u8; 32]>> {
    let mut all = HashSet::new();
    for path in files {
        let text = input::text(path, limits::TEXT)?;
        let rows: BTreeMap<String, Row> =
            serde_json::from_str(&text).with_context(|| path.display().to_string())?;
        all.extend(rows.values().map(|row| lessons::hash(&row.question)));
    }
    Ok(all)
}

pub(super) fn run(args: &Args) -> Result<ExitCode> {
    let tasks = TaskId::listed(args.tasks.iter().map(|name| name.trim()))?;
    let settings = LmSettings::new(&args.set)?;
    let pairs = match settings.share("inline") > 0.0 {
        true => make(&Hubs::new()?, "gpr", N_PAIRS, args.seed)?,
        false => Vec::new(),
    };
    std::fs::create_dir_all(&args.out)
        .with_context(|| format!("{}: cannot be made", args.out.display()))?;
    let options = LmOptions {
        settings,
        tasks,
        seed: args.seed,
        checkpoint: args.out.join("own.checkpoint"),
        checkpoint_s: args.checkpoint_seconds as f64,
        resumes: args.resume,
        stop_after: args.stop_after,
        held_out: held_out(&args.hold_out)?,
        pairs: Arc::new(pairs),
    };
    let state = match learn(&options)? {
        LmEnded::Whole(state) => state,
        LmEnded::Stopped => {
            output::complain(&format!(
                "stopped; the same command with --resume goes on ({})",
                options.checkpoint.display()
            ));
            return Ok(ExitCode::SUCCESS);
        }
    };
    finish(args, &options, &state)
}

/// Writes the file of weights, in eight bits and whole, what was measured, and the curve.
fn finish(args: &Args, options: &LmOptions, state: &State) -> Result<ExitCode> {
    let progress = &state.progress;
    let about: Map<String, Value> = [
        ("steps", json!(state.learner.n_steps())),
        ("tokens", json!(progress.n_tokens)),
        ("tasks", json!(options.tasks)),
        ("seed", json!(options.seed)),
        ("settings", options.settings.all().into()),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect();
    let network = OwnNetwork::new(*state.learner.config(), state.learner.weights())
        .context("the weights do not fit their sizes")?;
    let bytes = write(&network, Numbers::I8, &about);
    output::write(&args.out.join("own.bin"), &bytes)?;
    output::write(&args.out.join("own-f32.bin"), write(&network, Numbers::F32, &about))?;
    output::write(&args.out.join("curve.tsv"), curve(&progress.points))?;
    let mut out = output::stdout();
    writeln!(
        out,
        "{} steps, {:.1} million tokens, {:.2} hours; {} questions left out because they are held \
         out; {} bytes, SHA-256 {}",
        state.learner.n_steps(),
        progress.n_tokens as f64 / 1e6,
        progress.seconds / 3600.0,
        progress.n_left_out,
        bytes.len(),
        hex(&Sha256::digest(&bytes))
    )?;
    if let Some(point) = progress.points.last() {
        write!(out, "\n{}", card(point))?;
    }
    Ok(ExitCode::SUCCESS)
}
