//! Checks that need not be made again: what they read is what they found good the last time.
//!
//! Lints, documentation and licences take a third of the time of all tests on a fresh clone, and say the
//! same of the same files. Whoever has checked a change commits the hash of what was checked with it
//! (`xtask/good.txt`); where the files are others, the check is made.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};
use sha2::{Digest as _, Sha256};

use crate::steps::{output, root, say};

/// Where the hashes stand, a line each.
const FILE: &str = "xtask/good.txt";

/// A check whose outcome depends on files and programs alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// Clippy for this machine and for the browser, and the documentation.
    Lints,
    /// Licences, bans and sources of dependencies.
    Licences,
}

impl Check {
    /// Its name in the file.
    fn name(self) -> &'static str {
        match self {
            Self::Lints => "lints",
            Self::Licences => "licences",
        }
    }

    /// What it is for people.
    fn title(self) -> &'static str {
        match self {
            Self::Lints => "lints and documentation",
            Self::Licences => "licences, bans and sources of dependencies",
        }
    }

    /// Whether it reads a file.
    fn reads(self, path: &Path) -> bool {
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        let is_manifest = path.ends_with("Cargo.toml") || path.ends_with("Cargo.lock");
        match self {
            // The read-me of a crate is its documentation.
            Self::Lints => {
                matches!(extension, "rs" | "toml" | "lock")
                    || (path.ends_with("README.md") && path != Path::new("README.md"))
            }
            Self::Licences => is_manifest || path.ends_with("deny.toml"),
        }
    }

    /// Does it, unless what it reads was found good before; notes what it found good.
    ///
    /// # Errors
    /// What the check says.
    pub fn unless_good(self, check: impl FnOnce() -> Result<()>) -> Result<()> {
        let before = self.hash().ok();
        if before.is_some() && self.known() == before {
            say(&format!("{}: nothing has changed since they were found good", self.title()));
            return Ok(());
        }
        self.note(check)
    }

    /// Does it in any case, and notes what it found good.
    ///
    /// # Errors
    /// What the check says.
    pub fn note(self, check: impl FnOnce() -> Result<()>) -> Result<()> {
        let before = self.hash();
        check()?;
        // Outside a clone there is nothing to commit it to, and what changed meanwhile was not checked.
        let (Ok(before), Ok(after)) = (before, self.hash()) else { return Ok(()) };
        if before != after {
            say(&format!("{}: files have changed meanwhile, so nothing is noted", self.title()));
            return Ok(());
        }
        let others = lines().into_iter().filter(|(name, _)| name != self.name());
        let mut lines: Vec<_> = others.chain([(self.name().to_owned(), after)]).collect();
        lines.sort();
        let mut text = String::new();
        for (name, hash) in lines {
            writeln!(text, "{name} {hash}")?;
        }
        fs::write(root().join(FILE), text).with_context(|| format!("cannot write {FILE}"))
    }

    /// The hash of what was found good.
    fn known(self) -> Option<String> {
        lines().into_iter().find(|(name, _)| name == self.name()).map(|(_, hash)| hash)
    }

    /// The hash of all that it reads: files of the clone and the compiler's version.
    fn hash(self) -> Result<String> {
        let mut hash = Sha256::new();
        let versions = output(Command::new(crate::toolchain::rustc()).arg("-vV"))
            .context("the compiler does not tell its version")?;
        hash.update(versions);
        for path in files()?.into_iter().filter(|path| path != Path::new(FILE) && self.reads(path))
        {
            // A file that was deleted and is not yet committed as such.
            let Ok(text) = fs::read(root().join(&path)) else { continue };
            let name = path.to_string_lossy();
            for part in [name.as_bytes(), &text] {
                hash.update(part.len().to_le_bytes());
                hash.update(part);
            }
        }
        Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

/// The names and hashes in the file.
fn lines() -> Vec<(String, String)> {
    let text = fs::read_to_string(root().join(FILE)).unwrap_or_default();
    let of = |line: &str| line.split_once(' ').map(|(name, hash)| (name.into(), hash.into()));
    text.lines().filter_map(of).collect()
}

/// The files of the clone that git knows or would take, in order.
fn files() -> Result<Vec<PathBuf>> {
    let mut git = Command::new("git");
    git.current_dir(root()).args(["ls-files", "--cached", "--others", "--exclude-standard"]);
    let list = output(&mut git).context("this is no clone: git lists no files")?;
    let mut files: Vec<_> = list.lines().map(PathBuf::from).collect();
    files.sort();
    files.dedup();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_reads_what_its_outcome_depends_on() {
        let reads = |check: Check, path: &str| check.reads(Path::new(path));
        for path in [
            "src/lib.rs",
            "Cargo.lock",
            "clippy.toml",
            ".cargo/config.toml",
            "crates/graph/README.md",
        ] {
            assert!(reads(Check::Lints, path), "{path}");
        }
        assert!(reads(Check::Licences, "Cargo.lock") && reads(Check::Licences, "deny.toml"));
        assert!(reads(Check::Licences, "crates/graph/Cargo.toml"));
        assert!(!reads(Check::Licences, "src/lib.rs") && !reads(Check::Lints, "www/index.html"));
        assert!(!reads(Check::Lints, "README.md"));
    }

    #[test]
    fn the_same_files_have_the_same_hash_and_others_another() {
        let Ok(first) = Check::Lints.hash() else { return };
        assert_eq!(Check::Lints.hash().ok(), Some(first.clone()));
        assert_ne!(Check::Licences.hash().ok(), Some(first));
        assert!(
            files().is_ok_and(|files| files.iter().any(|f| f == Path::new("xtask/src/good.rs")))
        );
    }
}
