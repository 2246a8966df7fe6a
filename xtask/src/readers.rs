//! Checks our files and our server with third-party readers, each in a Python environment of its own.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::steps::{output, root, run, say};

/// What is held against what, with the packages that it takes.
struct Peer {
    /// The script is `companion/peers/<name>_peer.py`.
    name: &'static str,
    packages: &'static [&'static str],
}

const PEERS: &[Peer] = &[
    Peer { name: "mcp", packages: &["mcp==2.3.0"] },
    Peer { name: "inspect", packages: &["inspect-ai==0.3.285"] },
    Peer { name: "bench", packages: &["inspect-ai==0.3.285"] },
    Peer { name: "bench", packages: &["lm_eval==0.4.13"] },
    Peer { name: "otel", packages: &["opentelemetry-proto==1.45.2"] },
    Peer { name: "atif", packages: &["atif==1.8.0"] },
];

/// The programs that write traces for `crates/trace/peers/programs.py`.
const PROGRAMS: &[&str] = &[
    "inspect-ai==0.3.285",
    "langsmith==0.15.1",
    "langchain-core==1.8.3",
    "langfuse==5.0.4",
    "openai-agents==0.24.0",
    "openinference-instrumentation-openai-agents==2.6.0",
    "opentelemetry-sdk==1.45.2",
    "opentelemetry-exporter-otlp-proto-common==1.45.2",
];

/// Every peer in turn. One that cannot be installed is said to be skipped; one that disagrees fails.
pub fn run_all() -> Result<()> {
    if output(Command::new("python3").arg("--version")).is_none() {
        say("skipped: there is no python3 here, and the peers are Python packages");
        return Ok(());
    }
    run(
        "reading graph files of networkx, and letting it read ours",
        Command::new(crate::peers::python()?)
            .arg("crates/graph/peers/formats.py")
            .current_dir(root()),
    )?;
    run(
        "building the companion",
        Command::new("cargo").args(["build", "--package", "graphground"]).current_dir(root()),
    )?;
    let mut faults = Vec::new();
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let companion = target.join("debug/graphground");
    match python_with(&target.join("peers-venv-programs"), PROGRAMS) {
        Some(python) => {
            let what = "reading traces of the programs that people use";
            let script = "crates/trace/peers/programs.py";
            if run(what, Command::new(python).arg(script).current_dir(root())).is_err() {
                faults.push("programs");
            }
        }
        None => say(&format!("skipped: {} cannot be installed", PROGRAMS.join(", "))),
    }
    for peer in PEERS {
        let Some(python) = python(peer, &target) else {
            let packages = peer.packages.join(", ");
            say(&format!("skipped: {packages} cannot be installed (is there a network?)"));
            continue;
        };
        let script = root().join(format!("companion/peers/{}_peer.py", peer.name));
        let what = format!("comparing with {}", peer.packages.join(", "));
        if run(&what, Command::new(python).arg(script).arg(&companion)).is_err() {
            faults.push(peer.name);
        }
    }
    if !faults.is_empty() {
        bail!("other readers see something else: {}", faults.join(", "));
    }
    Ok(())
}

/// A Python that has exactly a peer's packages; made if it is not there.
fn python(peer: &Peer, target: &Path) -> Option<PathBuf> {
    // Two packages may be asked about the same files.
    let package = peer.packages[0].split("==").next().unwrap_or_default();
    python_with(&target.join(format!("peers-venv-{}-{package}", peer.name)), peer.packages)
}

/// A Python in a folder of its own, with packages; made if it is not there.
pub(crate) fn python_with(folder: &Path, packages: &[&str]) -> Option<PathBuf> {
    let python = folder.join("bin/python");
    if !python.exists() {
        output(Command::new("python3").args(["-m", "venv"]).arg(folder))?;
    }
    // Does nothing, and asks nobody, where the versions are there.
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "-q", "--disable-pip-version-check"]);
    output(install.args(packages))?;
    Some(python)
}
