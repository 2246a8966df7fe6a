//! Compares our text scores with those of third-party programs.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use crate::python::python;
use crate::steps::{root, say};

/// What the public evaluations of models count with.
const PACKAGES: [&str; 2] = ["rouge-score==0.1.2", "sacrebleu==2.6.0"];
/// How many pairs of texts.
const PAIRS: &str = "2000";

/// ROUGE and BLEU against `rouge-score` and `sacrebleu`.
pub fn run_all() -> Result<()> {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let Some(python) = python(&target.join("peers-venv-texts"), &PACKAGES)? else { return Ok(()) };
    say("comparing ROUGE and BLEU with rouge-score and sacrebleu");
    let mut made = Command::new("cargo")
        .args(["run", "--quiet", "--package", "text", "--example", "texts", "--", "--n", PAIRS])
        .current_dir(root())
        .stdout(Stdio::piped())
        .spawn()?;
    let Some(pairs) = made.stdout.take() else { bail!("the pairs cannot be read") };
    let script = root().join("crates/text/peers/peers.py");
    let status = Command::new(&python).arg(script).stdin(pairs).status()?;
    if !made.wait()?.success() || !status.success() {
        bail!("ROUGE or BLEU differs from what other programs count");
    }
    Ok(())
}
