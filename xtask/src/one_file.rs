//! The whole page as one HTML file: where builds write it. `xtask/pack` makes it.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::{pack, setup, site};

/// What the file is called where only a folder is given, and beside the page of a site, where the
/// page asks for it to save itself (`eval::live::FILE`).
pub const NAME: &str = "graphground.html";

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
