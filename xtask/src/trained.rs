//! Trains third-party programs on the splits that ours learn from.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::python::python;
use crate::steps::{root, run, say};

/// What trains: PyPI's torch brings along what it needs of a graphics card, some gigabytes.
const PACKAGES: [&str; 5] = [
    "torch==2.15.0",
    "pykeen==1.11.1",
    "implicit==0.7.3",
    "scikit-learn==1.9.1",
    "networkx==3.6.1",
];
/// A split: its folder, which begins with what the script calls the program; our model and the data,
/// and what is set. Communities learn nothing: they need the network alone.
struct Split(&'static str, &'static str, &'static str, &'static [&'static str]);

const SPLITS: [Split; 14] = [
    Split("communities-village", "kmeans", "village", &[]),
    Split("communities-cora", "kmeans", "cora", &[]),
    Split("communities-citeseer", "kmeans", "citeseer", &[]),
    Split("gcn-cora", "graph_bert", "cora", &[]),
    Split("gcn-citeseer", "graph_bert", "citeseer", &[]),
    Split("gcn-pubmed", "graph_bert", "pubmed", &[]),
    Split("bpr-movielens", "bpr", "movielens", &[]),
    Split("bpr-movielens-random", "bpr", "movielens", &["by_time=0"]),
    Split("transe-nations", "transe", "nations", &[]),
    Split("transe-umls", "transe", "umls", &[]),
    Split("transe-kinships", "transe", "kinships", &[]),
    Split("transe-wordnet", "transe", "wordnet", &[]),
    Split("transe-wordnet-apart", "transe", "wordnet", &["apart=1"]),
    Split("wl-mutag", "seg_bert", "mutag", &[]),
];

/// PyKEEN's TransE, implicit's BPR, a GCN, an SVM and communities; `quick` only sees whether they run. `labels` has
/// the classes of molecules, which the data set comes without.
pub fn run_all(quick: bool, labels: Option<&Path>) -> Result<()> {
    // The companion runs in the root of the clone.
    let labels =
        labels.map(|file| fs::canonicalize(file).with_context(|| file.display().to_string()));
    let labels = labels.transpose()?;
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let Some(python) = python(&target.join("peers-venv-models"), &PACKAGES)? else { return Ok(()) };
    let folder = target.join("peers-splits");
    for one @ Split(name, _, data, _) in &SPLITS {
        let to = folder.join(name);
        if name.starts_with("wl") && labels.is_none() {
            say(&format!("without {data}: its classes are given with --labels"));
            continue;
        }
        if let Err(error) = split(one, &to, labels.as_deref()) {
            // What cannot be fetched here is left out, and said.
            say(&format!("without {data}: {error}"));
            let _ = fs::remove_dir_all(&to);
        }
    }
    let mut command = Command::new(python);
    command.arg(root().join("crates/ml/peers/peers.py")).arg(&folder);
    if quick {
        command.arg("--quick");
    }
    run(
        "training PyKEEN's TransE, implicit's BPR, a GCN in torch and an SVM, and finding communities",
        &mut command,
    )
}

/// Has the companion write what ours learn from.
fn split(Split(name, model, data, set): &Split, to: &Path, labels: Option<&Path>) -> Result<()> {
    fs::create_dir_all(to).with_context(|| to.display().to_string())?;
    let companion = |args: &[&str]| -> Result<()> {
        let mut command = Command::new("cargo");
        command.args(["run", "--quiet", "--package", "graphground", "--"]).args(args);
        if !command.current_dir(root()).status()?.success() {
            bail!("`graphground {}` did not end well", args.join(" "));
        }
        Ok(())
    };
    let folder = to.to_str().context("the target folder's name is no text")?;
    let program = name.split('-').next().unwrap_or(name);
    if program != "communities" {
        let mut args = vec!["train", model, "--data", data, "--export-split", folder];
        args.extend(set.iter().flat_map(|pair| ["--set", pair]));
        if let Some(labels) = labels.filter(|_| program == "wl") {
            args.extend(["--labels", labels.to_str().context("the name of --labels is no text")?]);
        }
        companion(&args)?;
    }
    if ["communities", "gcn", "wl"].contains(&program) {
        companion(&["data", "pack", data, "--out", &format!("{folder}/pack.jsonl")])?;
    }
    Ok(())
}
