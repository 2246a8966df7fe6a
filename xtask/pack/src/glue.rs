//! A module with the JavaScript that loads it.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result, anyhow};

use crate::parts;

#[derive(clap::Args)]
pub struct Args {
    /// The module as the compiler left it.
    module: PathBuf,
    /// The folder to write; what was in it is gone.
    out: PathBuf,
    /// Keep the names of functions, for stacks that people read: a fifth of a module.
    #[arg(long)]
    names: bool,
    /// Cut the module where its code says; without it all of it loads at once.
    #[arg(long)]
    cut: bool,
    /// With --cut: a part that a first visit loads, so what it shares with others stays in the module.
    #[arg(long, requires = "cut")]
    first: Vec<String>,
}

/// Writes the folder beside its place first: somebody may be loading what is there.
pub fn run(Args { module, out, names, cut, first }: &Args) -> Result<()> {
    let bin = module.file_stem().unwrap_or_default().to_string_lossy();
    let new = out.with_extension("new");
    if new.exists() {
        fs::remove_dir_all(&new)?;
    }
    fs::create_dir_all(&new)?;
    let bytes = fs::read(module).with_context(|| format!("cannot read {}", module.display()))?;
    let whole = if *cut {
        parts::cut(&bin, &bytes, first, &new, *names)?
    } else {
        fs::write(new.join(parts::FILES), "{}")?;
        parts::join(&bytes, *names)?
    };
    wasm_bindgen_cli_support::Bindgen::new()
        .input_module(&bin, whole)
        // The parts need the linker's own exports.
        .keep_lld_exports(*cut)
        .web(true)
        .map_err(|e| anyhow!("{e}"))?
        .typescript(false)
        .omit_default_module_path(false)
        .remove_name_section(!names)
        .remove_producers_section(true)
        .generate(&new)
        .map_err(|e| anyhow!("wasm-bindgen on {bin}: {e:#}"))?;
    if out.exists() {
        fs::remove_dir_all(out)?;
    }
    fs::rename(&new, out)?;
    Ok(())
}
