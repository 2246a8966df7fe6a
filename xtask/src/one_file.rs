//! The whole page as one HTML file: where builds write it. `xtask/pack` makes it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::steps::{root, say};
use crate::{pack, setup, site};

/// What the file is called where only a folder is given, and beside the page of a site, where the
/// page asks for it to save itself (`eval::live::FILE`).
pub const NAME: &str = "graphground.html";

/// Where builds leave it.
const BUILT: [&str; 2] = ["target/site", "dist"];

/// Builds the page and writes the one file: to `out` if that names an HTML file, else into it.
///
/// # Errors
/// The page does not build, or the file cannot be written.
pub fn run(out: &Path) -> Result<()> {
    site::build(&setup::page(false)?)?;
    let is_file = out.extension().is_some_and(|e| e == "html");
    write(&if is_file { out.to_owned() } else { out.join(NAME) })
}

/// Writes the one file beside the page of a site that is already built, and gives its path.
///
/// # Errors
/// It cannot be written.
pub fn beside(site: &Path) -> Result<PathBuf> {
    let path = site.join(NAME);
    write(&path)?;
    Ok(path)
}

fn write(path: &Path) -> Result<()> {
    pack::one_file(&site::compiled("app"), &site::compiled(site::ONE_FILE), path)
}

/// Lays the one file of the last build, if there is one, beside a page that is built otherwise.
///
/// # Errors
/// It cannot be copied.
pub fn lay_beside(folder: &Path) -> Result<()> {
    let built = BUILT.iter().map(|place| root().join(place).join(NAME));
    let when = |path: &PathBuf| fs::metadata(path).and_then(|file| file.modified()).ok();
    let Some(newest) = built.filter(|path| path.is_file()).max_by_key(when) else {
        say("pages cannot be saved as one file from here: `cargo xtask dist` makes what they need");
        return Ok(());
    };
    fs::copy(&newest, folder.join(NAME))
        .with_context(|| format!("cannot copy {}", newest.display()))?;
    Ok(())
}
