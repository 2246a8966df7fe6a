//! The page that travels, live: the playground as one file with the runs in it.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use eval::{About, Runs};
use flate2::{Compression, write::GzEncoder};
use serde_json::json;

/// What the single-file app keeps free for data, and its policy on requests (`docs/sharing.md`).
const PLACE: &str = r#"<script type="application/json" id="embedded"></script>"#;
const POLICY: &str = "connect-src *";
/// Where `cargo xtask dist --single-file` writes it, and where a release would lie.
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
    for (what, place) in [("free place for data", PLACE), ("policy on requests", POLICY)] {
        if app.matches(place).count() != 1 {
            bail!(
                "{}: has no {what}; is it the file that `cargo xtask dist --single-file` wrote?",
                path.display()
            );
        }
    }
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    for entry in runs.clone().into_entries() {
        gzip.write_all(entry.line().as_bytes())?;
    }
    let data = json!({
        "format": eval::EMBEDDED, "version": 1, "title": about.title(), "about": about,
        "runs": BASE64.encode(gzip.finish()?),
    });
    // Nothing in it may look like the end of its element.
    let data = data.to_string().replace('<', "\\u003c");
    let filled = PLACE.replace("></script>", &format!(">{data}</script>"));
    Ok(app.replacen(POLICY, "connect-src 'none'", 1).replacen(PLACE, &filled, 1))
}
