//! `graphground train lm`: our own language model, from problems that it is given fresh.

use std::collections::{BTreeMap, HashSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use ownmodel::OwnNetwork;
use ownmodel::file::{KNOWS_NAMES, Numbers, write};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use systems::toolformer::Hubs;
use tasks::TaskId;

use super::{Args, hex};
use crate::train::lm::{
    Facts, LmEnded, LmOptions, LmSettings, Sentences, State, card, curve, drawing, lessons,
    run as learn,
};
use companion::{input, limits, output};

/// Sentences with inline tool calls that are made of each data set at hand.
const N_PAIRS: usize = 1_000;

#[derive(Deserialize)]
struct Row {
    question: String,
}

/// A statement of Graph-ToolFormer's files.
#[derive(Deserialize)]
struct Statement {
    input: String,
}

/// The questions of a file as hashes: one of NLGraph's, or a statement a line.
fn held_out_of(text: &str) -> Result<Vec<[u8; 32]>> {
    if let Ok(rows) = serde_json::from_str::<BTreeMap<String, Row>>(text) {
        return Ok(rows.values().map(|row| lessons::hash(&row.question)).collect());
    }
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(i, line)| {
            let fault = || format!("line {}: expected {{\"input\": …, \"output\": …}}", i + 1);
            let statement: Statement = serde_json::from_str(line).with_context(fault)?;
            Ok(lessons::hash(&statement.input))
        })
        .collect()
}

/// The questions of files that must not be learned, as hashes.
fn held_out(files: &[PathBuf]) -> Result<HashSet<[u8; 32]>> {
    let mut all = HashSet::new();
    for path in files {
        let text = input::text(path, limits::TEXT)?;
        all.extend(held_out_of(&text).with_context(|| path.display().to_string())?);
    }
    Ok(all)
}

/// The bytes of a file of weights, and their hash.
fn begins_with(path: &Path) -> Result<(Vec<u8>, String)> {
    let bytes = input::bytes(path, ownmodel::file::MAX_FILE)?;
    let hash = hex(&Sha256::digest(&bytes));
    Ok((bytes, hash))
}

pub(super) fn run(args: &Args) -> Result<ExitCode> {
    if let Some(path) = &args.draw {
        let table = input::text(path, limits::TEXT)?;
        let text = drawing(&table).with_context(|| path.display().to_string())?;
        output::write(&args.out.join("curve.svg"), text)?;
        return Ok(ExitCode::SUCCESS);
    }
    let tasks = TaskId::listed(args.tasks.iter().map(|name| name.trim()))?;
    let settings = LmSettings::new(&args.set)?;
    let sentences = match settings.share("inline") > 0.0 {
        true => Sentences::make(&Hubs::new()?, N_PAIRS, args.seed)?,
        false => Sentences::default(),
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
        sentences: Arc::new(sentences),
        begins_with: args.begin_with.as_deref().map(begins_with).transpose()?,
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

/// Writes the file of weights, in eight bits and whole, its card and the learning curve.
fn finish(args: &Args, options: &LmOptions, state: &State) -> Result<ExitCode> {
    let progress = &state.progress;
    let about: Map<String, Value> = [
        ("steps", json!(state.learner.n_steps())),
        ("tokens", json!(progress.n_tokens)),
        ("tasks", json!(options.tasks)),
        ("seed", json!(options.seed)),
        ("settings", options.settings.all().into()),
        (KNOWS_NAMES, (options.settings.share("people") > 0.0).into()),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect();
    let network = OwnNetwork::new(*state.learner.config(), state.learner.weights())
        .context("the weights do not fit their sizes")?;
    let bytes = write(&network, Numbers::I8, &about);
    output::write(&args.out.join("own.bin"), &bytes)?;
    output::write(&args.out.join("own-f32.bin"), write(&network, Numbers::F32, &about))?;
    let table = curve(&progress.points);
    output::write(&args.out.join("curve.svg"), drawing(&table)?)?;
    output::write(&args.out.join("curve.tsv"), table)?;
    let text = card(&Facts {
        state,
        options,
        command: &command(args),
        held_out: &names(&args.hold_out),
        n_bytes: bytes.len(),
        sha256: &hex(&Sha256::digest(&bytes)),
    });
    output::write(&args.out.join("own.md"), &text)?;
    write!(output::stdout(), "{text}")?;
    Ok(ExitCode::SUCCESS)
}

/// The names of files, without the places where they lie.
fn names(files: &[PathBuf]) -> Vec<String> {
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    files.iter().map(name).collect()
}

/// The command that makes the same model again, without the places of files.
fn command(args: &Args) -> String {
    let mut text = format!("graphground train lm --seed {}", args.seed);
    if args.tasks != ["all"] {
        text.push_str(&format!(" --tasks {}", args.tasks.join(",")));
    }
    for name in names(&args.hold_out) {
        text.push_str(&format!(" --hold-out {name}"));
    }
    for name in names(args.begin_with.as_slice()) {
        text.push_str(&format!(" --begin-with {name}"));
    }
    for pair in &args.set {
        text.push_str(&format!(" --set {pair}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_of_both_kinds_of_files_are_held_out() {
        let problems = r#"{"0": {"question": "Is it? ", "answer": "Yes"}}"#;
        assert_eq!(held_out_of(problems).unwrap(), [lessons::hash("Is it?")]);
        let statements =
            "{\"input\": \"It is [TBR].\", \"output\": \"a\"}\n\n{\"input\": \"What?\"}\n";
        let hashes = held_out_of(statements).unwrap();
        assert_eq!(hashes, ["It is [TBR].", "What?"].map(lessons::hash));
        let wrong = held_out_of("{\"input\": \"a\"}\nno").unwrap_err().to_string();
        assert!(wrong.contains("line 2"), "{wrong}");
    }
}
