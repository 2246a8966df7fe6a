//! What tests need and the project does not ship: public data sets, models, other programs.
//!
//! A test that holds nothing is told: where something is missing, [`missing`] writes a line to the file
//! that `GRAPHGROUND_SKIPPED` names, and `cargo xtask test` ends with these lines. Where
//! `GRAPHGROUND_REQUIRE_DATA` is set, it fails the test.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Names the file that gets a line for each test that held nothing.
pub const SKIPPED: &str = "GRAPHGROUND_SKIPPED";
/// Lets a test fail where its data is missing. It concerns data, not programs and models.
pub const REQUIRE: &str = "GRAPHGROUND_REQUIRE_DATA";

/// The folder of a data set: below `data` in the folder that `GRAPHGROUND_SHARED` names, else below
/// `../shared` beside the workspace. `None` where it is not there, which is told.
///
/// # Panics
/// It is not there, and [`REQUIRE`] is set.
pub fn folder(name: &str) -> Option<PathBuf> {
    let shared = std::env::var_os("GRAPHGROUND_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let folder = shared.join("data").join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    let what = format!("the data set {name:?} (GRAPHGROUND_SHARED names the folder above it)");
    assert!(std::env::var_os(REQUIRE).is_none(), "{what} is missing, and {REQUIRE} is set");
    missing(&what);
    None
}

/// Tells that a test holds nothing, because something is missing on this machine.
pub fn missing(what: &str) {
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    let line = format!("{test}: {what}");
    // Past the capture of the harness, which shows nothing of a test that passes.
    let _ = writeln!(std::io::stderr(), "left out: {line}");
    if let Some(path) = std::env::var_os(SKIPPED)
        && let Ok(mut file) = OpenOptions::new().create(true).append(true).open(path)
    {
        let _ = writeln!(file, "{line}");
    }
}
