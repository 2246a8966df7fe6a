//! The engine's second bundle: the same code with WebAssembly threads.
//!
//! Threads need a standard library with atomics, which nobody ships: cargo builds it from its
//! source, in a target folder of its own. Where that source cannot be had, the page is built without
//! this bundle and works on one thread.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::model::{self, MODEL};
use crate::pack::glue;
use crate::setup;
use crate::site::{CORE, Names, Parts};
use crate::steps::{output, root, run, say, show};
use crate::toolchain::{TARGET, Toolchain, rustc};

/// Cargo's output for modules with threads.
pub const FOLDER: &str = "target/web-threads";

/// What makes a module's memory shared, and its threads able to start. 1 GB is the most that the
/// memory may grow to: browsers want to know at the start.
const FLAGS: [&str; 8] = [
    "-Ctarget-feature=+atomics,+bulk-memory,+mutable-globals",
    "-Clink-arg=--shared-memory",
    "-Clink-arg=--max-memory=1073741824",
    "-Clink-arg=--import-memory",
    "-Clink-arg=--export=__wasm_init_tls",
    "-Clink-arg=--export=__tls_size",
    "-Clink-arg=--export=__tls_align",
    "-Clink-arg=--export=__tls_base",
];

/// The modules with threads, each with its package and its folder in the page's `wasm`.
const MODULES: [(&str, &str, &str); 2] =
    [(CORE, "graphground-worker", "threads"), (MODEL, model::PACKAGE, model::FOLDERS[1])];

/// Builds the engine and the worker for model files with threads into folders of `wasm`, or says why not;
/// gives whether they are there.
pub fn build(toolchain: &Toolchain, wasm: &Path, profile: &str) -> Result<bool> {
    let Some(mut cargo) = cargo_with(toolchain, FOLDER, &[model::SIMD]) else {
        for folder in MODULES.map(|(_, _, folder)| wasm.join(folder)).iter().filter(|f| f.exists())
        {
            fs::remove_dir_all(folder)?;
        }
        return Ok(false);
    };
    cargo.args(["--profile", profile]);
    for (bin, package, _) in MODULES {
        cargo.args(["--package", package, "--bin", bin]);
    }
    run("building the engine and the worker for model files with threads", &mut cargo)?;
    for (bin, _, folder) in MODULES {
        let out = wasm.join(folder);
        let module = root().join(format!("{FOLDER}/{TARGET}/{profile}/{bin}.wasm"));
        glue(&module, &out, Names::Drop, Parts::Join)?;
        modern(&out.join("snippets"))?;
    }
    Ok(true)
}

/// wasm-bindgen-rayon starts a thread with arguments in the form that wasm-bindgen's glue warns of on
/// the console; they are put into the form that it wants.
pub fn modern(snippets: &Path) -> Result<()> {
    const OLD: &str = "pkg.default(data.module, data.memory)";
    const NEW: &str = "pkg.default({ module_or_path: data.module, memory: data.memory })";
    for entry in fs::read_dir(snippets)?.flatten() {
        let file = entry.path().join("src/workerHelpers.no-bundler.js");
        let Ok(text) = fs::read_to_string(&file) else { continue };
        if text.contains(OLD) {
            fs::write(&file, text.replace(OLD, NEW))?;
        }
        if text.contains(OLD) || text.contains(NEW) {
            return Ok(());
        }
    }
    bail!(
        "no start of threads was found under {}: did wasm-bindgen-rayon change?",
        snippets.display()
    )
}

/// A cargo command that builds for the page's target with threads, if this machine can.
pub fn cargo(toolchain: &Toolchain) -> Option<Command> {
    cargo_with(toolchain, FOLDER, &[])
}

/// The same with another folder for its output, and more flags for the compiler.
pub fn cargo_with(toolchain: &Toolchain, folder: &str, more: &[&str]) -> Option<Command> {
    if !is_wanted() {
        say("threads: left out, as GRAPHGROUND_THREADS=off asks; the page works on one thread");
        return None;
    }
    let mut command = match toolchain {
        Toolchain::Rustup if source() => {
            let mut command = toolchain.cargo_build_into(folder);
            // Building the standard library is for nightly compilers, or with this variable.
            command.env("RUSTC_BOOTSTRAP", "1").args(["-Z", "build-std=panic_abort,std"]);
            command
        }
        Toolchain::Debian { .. } => toolchain.cargo_build_into(folder),
        Toolchain::Rustup => {
            let Some(debian) = setup::debian_source() else {
                say("threads: no source of the standard library (rustup's rust-src or Debian's \
                     rust-web-src), so the page is built for one thread");
                return None;
            };
            say(&format!("threads: {}", debian.describe()));
            debian.cargo_build_into(folder)
        }
    };
    let flags: Vec<String> = FLAGS.iter().chain(more).map(|f| format!("'{f}'")).collect();
    command.arg("--config");
    command.arg(format!("target.{TARGET}.rustflags=[{}]", flags.join(",")));
    Some(command)
}

/// Whether the one who builds wants modules with threads.
pub fn is_wanted() -> bool {
    std::env::var_os("GRAPHGROUND_THREADS").is_none_or(|v| v != "off")
}

/// Sees to the source of the standard library, and gives whether there is one of rustup's.
pub fn source() -> bool {
    has_source() || fetch()
}

/// Whether the active toolchain has the source of its standard library.
fn has_source() -> bool {
    output(Command::new(rustc()).args(["--print", "sysroot"]))
        .is_some_and(|s| PathBuf::from(s).join("lib/rustlib/src/rust/library/std").exists())
}

/// Asks rustup for the source: a toolchain of the user's own is no system package.
fn fetch() -> bool {
    if output(Command::new("rustup").arg("--version")).is_none() {
        return false;
    }
    let mut add = Command::new("rustup");
    add.args(["component", "add", "rust-src"]);
    run(&format!("adding the standard library's source: {}", show(&add)), &mut add).is_ok()
        && has_source()
}
