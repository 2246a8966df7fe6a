//! Models beside a served page, out of the companion's cache.
//!
//! They are too large for the sources and for what is shipped: whoever wants them on a server of
//! their own puts the folder there.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::steps::say;

/// The files of MiniLM, as the page asks for them.
const FILES: [&str; 3] = ["model.safetensors", "tokenizer.json", "config.json"];

/// Lays MiniLM beside the page where `graphground meaning fetch` has brought it.
pub fn lay_beside(site: &Path) -> Result<()> {
    let Some(cache) = cache().map(|c| c.join("minilm")) else { return Ok(()) };
    if !FILES.iter().all(|name| cache.join(name).is_file()) {
        say(
            "MiniLM is not in the cache (`graphground meaning fetch` brings it): the page asks for its files",
        );
        return Ok(());
    }
    let folder = site.join("models/minilm");
    fs::create_dir_all(&folder)?;
    for name in FILES {
        let (from, to) = (cache.join(name), folder.join(name));
        // The same bytes under a second name, where the disk can.
        if fs::hard_link(&from, &to).is_err() {
            fs::copy(&from, &to).with_context(|| format!("cannot write {}", to.display()))?;
        }
    }
    say("MiniLM lies beside the page: models/minilm");
    Ok(())
}

/// Where the companion keeps what it fetched; the same places as there.
fn cache() -> Option<PathBuf> {
    let named = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    named("GRAPHGROUND_CACHE")
        .or_else(|| named("XDG_CACHE_HOME").map(|d| d.join("graphground")))
        .or_else(|| named("HOME").map(|d| d.join(".cache/graphground")))
        .or_else(|| named("LOCALAPPDATA").map(|d| d.join("graphground")))
}
