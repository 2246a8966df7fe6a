//! Other people's programs trained on the splits that ours learn from.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::python::python;
use crate::steps::{root, run, say};

/// What trains: PyPI's torch brings along what it needs of a graphics card, some gigabytes.
const PACKAGES: [&str; 3] = ["torch==2.15.0", "pykeen==1.11.1", "implicit==0.7.3"];
/// What the script calls a program, our model of the same split, and the data.
const SPLITS: [(&str, &str, &[&str]); 3] = [
    ("gcn", "graph_bert", &["cora", "citeseer", "pubmed"]),
    ("bpr", "bpr", &["movielens"]),
    ("transe", "transe", &["nations", "umls", "kinships", "wordnet"]),
];

/// PyKEEN's TransE, implicit's BPR and a GCN; `quick` only sees whether they run.
pub fn run_all(quick: bool) -> Result<()> {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let Some(python) = python(&target.join("peers-venv-models"), &PACKAGES)? else { return Ok(()) };
    let folder = target.join("peers-splits");
    for (program, model, all) in SPLITS {
        for data in all {
            let to = folder.join(format!("{program}-{data}"));
            if let Err(error) = split(model, data, &to, program == "gcn") {
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
    run("training PyKEEN's TransE, implicit's BPR and a GCN in torch", &mut command)
}

/// Has the companion write what ours learn from.
fn split(model: &str, data: &str, to: &Path, with_graph: bool) -> Result<()> {
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
    companion(&["train", model, "--data", data, "--export-split", folder])?;
    if with_graph {
        companion(&["data", "pack", data, "--out", &format!("{folder}/pack.jsonl")])?;
    }
    Ok(())
}
