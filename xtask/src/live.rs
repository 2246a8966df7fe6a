//! A page that is served while parts of it are still being built.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context as _, Result, bail};

use crate::site::{self, LATER, Later, Names};
use crate::steps::{root, say};
use crate::toolchain::{TARGET, Toolchain};

/// Takes a lock, also after a thread that held it broke: what it left undone is made anew by the next
/// build.
pub fn hold<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A folder that is served, and how its modules are built.
pub struct Live {
    /// The folder.
    pub folder: PathBuf,
    /// The compiler.
    pub toolchain: Toolchain,
    /// Cargo's profile.
    pub profile: &'static str,
    /// The modules that are kept up to date: those that every visitor needs, and those that a page
    /// has asked for.
    wanted: Mutex<BTreeSet<&'static str>>,
    /// One build at a time.
    building: Mutex<()>,
}

impl Live {
    /// With an empty folder.
    pub fn new(folder: &str, profile: &'static str, toolchain: Toolchain) -> Result<Self> {
        let folder = root().join(folder);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        let wanted = Mutex::new(site::BINS.into_iter().collect());
        Ok(Self { folder, toolchain, profile, wanted, building: Mutex::default() })
    }

    /// Copies the files that are served as they are.
    pub fn copy_files(&self) -> Result<()> {
        site::copy_tree(&root().join("www"), &self.folder)?;
        site::copy_tree(&root().join("assets"), &self.folder.join("assets"))
    }

    /// The modules that are kept up to date.
    pub fn wanted(&self) -> Vec<&'static str> {
        hold(&self.wanted).iter().copied().collect()
    }

    /// Builds modules, and writes those that are new with their glue.
    ///
    /// # Errors
    /// What the compiler said.
    pub fn build(&self, bins: &[&'static str]) -> Result<()> {
        let _one = hold(&self.building);
        let mut cargo = self.toolchain.cargo_build();
        cargo.args(["--profile", self.profile, "--color", "always"]);
        // Of what rare engines stand on no more than somebody has asked for: candle alone takes a
        // minute.
        cargo.args(site::PACKAGES).arg("--no-default-features");
        let wanted = self.wanted();
        for later in LATER.iter().filter(|later| wanted.contains(&later.bin)) {
            cargo.args(["--features", &format!("graphground-worker/{}", later.feature)]);
        }
        for bin in bins {
            cargo.args(["--bin", bin]);
        }
        let mut child = cargo.stderr(Stdio::piped()).spawn().context("cannot start cargo")?;
        let mut words = String::new();
        if let Some(mut stderr) = child.stderr.take() {
            // Shown as it comes, and kept for the page.
            let mut piece = [0; 4096];
            while let Ok(n) = stderr.read(&mut piece)
                && n > 0
            {
                let text = String::from_utf8_lossy(&piece[..n]);
                eprint!("{text}");
                words.push_str(&text);
            }
        }
        if !child.wait()?.success() {
            bail!("{}", plain(&words));
        }
        let out = self.folder.join("wasm");
        fs::create_dir_all(&out)?;
        for bin in bins {
            let input = root().join(format!("target/web/{TARGET}/{}/{bin}.wasm", self.profile));
            site::glue(&input, &out, Names::Keep)?;
        }
        if !out.join("bundles.js").exists() {
            site::write_bundles(&out, false)?;
        }
        Ok(())
    }

    /// Builds a module that is asked for the first time; whoever asks while it is being built waits.
    pub fn demand(&self, later: &Later) {
        if !hold(&self.wanted).insert(later.bin) {
            drop(hold(&self.building));
            return;
        }
        say(&format!("building the engine with {}", later.what));
        match self.build(&[later.bin]) {
            Ok(()) => say(&format!("ready: the engine with {}", later.what)),
            Err(error) => {
                hold(&self.wanted).remove(later.bin);
                eprintln!("{error:#}");
            }
        }
    }

    /// Builds the module that a path names, if it is one of those that are built later.
    pub fn demand_path(&self, path: &str) {
        let asked = path.strip_prefix("/wasm/").and_then(|name| name.strip_suffix(".js"));
        if let Some(later) = asked.and_then(|bin| LATER.iter().find(|l| l.bin == bin)) {
            self.demand(later);
        }
    }
}

/// Text without the codes that colour it in a terminal, from the first error on.
fn plain(words: &str) -> String {
    let mut text = String::new();
    let mut rest = words;
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        text.push_str(before);
        rest = after.split_once('m').map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    let from = text.find("error").unwrap_or(0);
    text[from..].trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_compiler_says_is_shown_without_its_colours() {
        let words = "   Compiling app\n\u{1b}[1m\u{1b}[91merror\u{1b}[0m: expected `;`\n";
        assert_eq!(plain(words), "error: expected `;`");
    }
}
