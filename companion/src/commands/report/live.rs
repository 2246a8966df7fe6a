//! The page that travels, live: the playground as one file with the runs in it.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use eval::{About, Runs, live};
use flate2::{Compression, write::GzEncoder};

/// Where `cargo xtask dist` writes it, and where a release would lie.
const USUAL: [&str; 3] =
    ["dist/graphground.html", "target/single/graphground.html", "graphground.html"];

/// The page.
pub(super) fn page(runs: &Runs, about: &About, app: Option<&Path>) -> Result<String> {
    let path = match app {
        Some(path) => path.to_owned(),
        None => USUAL.iter().map(PathBuf::from).find(|p| p.exists()).with_context(|| {
            format!(
                "--live needs the playground as one file, and there is none at {}: make it with \
                 `cargo xtask dist --single-file`, or say where it is with --app FILE",
                USUAL.join(", ")
            )
        })?,
    };
    let app = crate::input::text(&path, crate::limits::APP)?;
    with_runs(&app, runs, about).with_context(|| {
        format!("{}: is it the file that `cargo xtask dist --single-file` wrote?", path.display())
    })
}

/// A page with the runs in it.
pub(super) fn with_runs(page: &str, runs: &Runs, about: &About) -> Result<String> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    for entry in runs.clone().into_entries() {
        gzip.write_all(entry.line().as_bytes())?;
    }
    let data = live::data(about, &BASE64.encode(gzip.finish()?));
    Ok(live::changed(page, Some(&data))?)
}
