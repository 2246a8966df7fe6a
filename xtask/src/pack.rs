//! Runs the program in `xtask/pack`, which has the libraries that only packing needs.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::SystemTime;

use anyhow::Result;

use crate::site::{Names, Parts, first};
use crate::steps::{cargo, hold, root, run as step};

/// The sets of weights of our own model.
const OWN_WEIGHTS: [&str; 3] =
    ["assets/models/own/own.bin", "assets/models/own/people.bin", "assets/models/own/alone.bin"];

/// Whether the program has been built since this one started.
static BUILT: Mutex<bool> = Mutex::new(false);

/// Builds the program where it is missing or old. Other threads wait for the first that asks.
///
/// # Errors
/// It does not compile.
pub fn build() -> Result<PathBuf> {
    let mut built = hold(&BUILT);
    if !*built {
        step("building what packs modules", cargo().args(["build", "--package", "pack"]))?;
        *built = true;
    }
    Ok(root().join("target/debug/pack"))
}

fn run<A: AsRef<OsStr>>(what: &str, args: impl IntoIterator<Item = A>) -> Result<()> {
    step(what, Command::new(build()?).args(args))
}

/// Writes a module with its glue into a folder, unless that is newer.
///
/// # Errors
/// What the program printed.
pub fn glue(input: &Path, out: &Path, names: Names, parts: Parts) -> Result<()> {
    let bin = input.file_stem().unwrap_or_default().to_string_lossy();
    if newer(&out.join(format!("{bin}_bg.wasm")), input) {
        return Ok(());
    }
    let mut args = vec!["glue".into(), input.as_os_str().to_owned(), out.as_os_str().to_owned()];
    if names == Names::Keep {
        args.push("--names".into());
    }
    if parts == Parts::Cut {
        args.push("--cut".into());
        for part in first(&bin) {
            args.extend(["--first".into(), part.into()]);
        }
    }
    run(&format!("glue for {bin}"), args)
}

/// Writes the page as one HTML file out of two modules that are already built.
///
/// # Errors
/// What the program printed.
pub fn one_file(page: &Path, engine: &Path, out: &Path) -> Result<()> {
    let www = root().join("www");
    let files = [("--page", page), ("--engine", engine), ("--www", &www)];
    let mut args = vec![OsStr::new("one-file")];
    args.extend(OWN_WEIGHTS.iter().flat_map(|path| ["--own", path].map(OsStr::new)));
    args.extend(files.iter().flat_map(|(flag, path)| [OsStr::new(flag), path.as_os_str()]));
    args.push(out.as_os_str());
    run(&format!("writing {}", out.display()), args)
}

/// Writes compressed copies beside the files of a folder, for servers that send those.
///
/// # Errors
/// What the program printed.
pub fn compress(folder: &Path) -> Result<()> {
    run("compressing", [OsStr::new("compress"), folder.as_os_str()])
}

/// Lists what fills modules.
///
/// # Errors
/// What the program printed.
pub fn sizes(modules: &[PathBuf]) -> Result<()> {
    run("sizes", [OsStr::new("sizes")].into_iter().chain(modules.iter().map(|m| m.as_os_str())))
}

fn newer(a: &Path, b: &Path) -> bool {
    let time = |p: &Path| fs::metadata(p).and_then(|m| m.modified()).ok();
    match (time(a), time(b)) {
        (Some(a), Some(b)) => a > b,
        (_, None) => false,
        (None, _) => SystemTime::UNIX_EPOCH > SystemTime::now(),
    }
}
