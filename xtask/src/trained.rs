//! Trains third-party programs on the splits that ours learn from.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::python::python;
use crate::steps::{root, run, say};

/// What trains: PyPI's torch brings along what it needs of a graphics card, some gigabytes.
const PACKAGES: [&str; 4] =
    ["torch==2.15.0", "pykeen==1.11.1", "implicit==0.7.3", "scikit-learn==1.9.1"];
/// What the script calls a program, our model of the same split, and the data.
const SPLITS: [(&str, &str, &[&str]); 4] = [
    ("gcn", "graph_bert", &["cora", "citeseer", "pubmed"]),
    ("bpr", "bpr", &["movielens"]),
    ("transe", "transe", &["nations", "umls", "kinships", "wordnet"]),
    ("wl", "seg_bert", &["mutag"]),
];

/// PyKEEN's TransE, implicit's BPR, a GCN and an SVM; `quick` only sees whether they run. `labels` has
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
    for (program, model, all) in SPLITS {
        for data in all {
            let to = folder.join(format!("{program}-{data}"));
            if program == "wl" && labels.is_none() {
                say(&format!("without {data}: its classes are given with --labels"));
                continue;
            }
            if let Err(error) = split([program, model, data], &to, labels.as_deref()) {
                // What cannot be fetched here is left out, and said.
                say(&format!("without {data}: {error}"));
                let _ = fs::remove_dir_all(&to);
            }
        }
    }
    let mut command = Command::new(python);
    command.arg(root().join("crates/ml/peers/peers.py")).arg(&folder);
    if quick {
        command.arg("--quick");
    }
    run("training PyKEEN's TransE, implicit's BPR, a GCN in torch and an SVM", &mut command)
}

/// Has the companion write what ours learn from.
fn split([program, model, data]: [&str; 3], to: &Path, labels: Option<&Path>) -> Result<()> {
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
    let mut args = vec!["train", model, "--data", data, "--export-split", folder];
    if let Some(labels) = labels.filter(|_| program == "wl") {
        args.extend(["--labels", labels.to_str().context("the name of --labels is no text")?]);
    }
    companion(&args)?;
    if ["gcn", "wl"].contains(&program) {
        companion(&["data", "pack", data, "--out", &format!("{folder}/pack.jsonl")])?;
    }
    Ok(())
}
