//! A page that is served while parts of it are still being built.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Mutex;

use anyhow::{Context as _, Result, bail};

use crate::site::{self, FEATURES, Names, Parts};
use crate::steps::{hold, root, say};
use crate::toolchain::{TARGET, Toolchain};
use crate::{model, pack};

/// A folder that is served, and how its modules are built.
pub struct Live {
    /// The folder.
    pub folder: PathBuf,
    /// The compiler.
    pub toolchain: Toolchain,
    /// Cargo's profile.
    pub profile: &'static str,
    /// The features of the engine that a page has asked for.
    wanted: Mutex<BTreeSet<&'static str>>,
    /// One build at a time.
    building: Mutex<()>,
    /// Whether the worker for model files is built.
    has_model: Mutex<bool>,
}

impl Live {
    /// With an empty folder.
    pub fn new(folder: &str, profile: &'static str, toolchain: Toolchain) -> Result<Self> {
        let folder = root().join(folder);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        Ok(Self {
            folder,
            toolchain,
            profile,
            wanted: Mutex::default(),
            building: Mutex::default(),
            has_model: Mutex::default(),
        })
    }

    /// Copies the files that are served as they are.
    pub fn copy_files(&self) -> Result<()> {
        site::copy_tree(&root().join("www"), &self.folder)?;
        site::copy_tree(&root().join("assets"), &self.folder.join("assets"))
    }

    /// Builds the modules, with what pages have asked for, and writes those that are new with their
    /// glue.
    ///
    /// # Errors
    /// What the compiler said.
    pub fn build(&self) -> Result<()> {
        let _one = hold(&self.building);
        let mut cargo = self.toolchain.cargo_build();
        cargo.args(["--profile", self.profile, "--color", "always"]);
        // Of what rare pages stand on no more than somebody has asked for: candle alone takes a minute.
        cargo.args(site::PACKAGES).arg("--no-default-features");
        for feature in hold(&self.wanted).iter() {
            cargo.args(["--features", &format!("graphground-worker/{feature}")]);
        }
        for bin in site::BINS {
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
        for bin in site::BINS {
            let input = root().join(format!("target/web/{TARGET}/{}/{bin}.wasm", self.profile));
            pack::glue(&input, &out.join(bin), Names::Keep, Parts::Join)?;
        }
        if !out.join("bundles.js").exists() {
            site::write_bundles(&out, false, true)?;
        }
        Ok(())
    }

    /// Builds the engine with a feature that is asked for the first time; whoever asks while it is being
    /// built waits.
    pub fn demand(&self, feature: &'static str, what: &str) {
        if !hold(&self.wanted).insert(feature) {
            drop(hold(&self.building));
            return;
        }
        say(&format!("building the engine with {what}"));
        match self.build() {
            Ok(()) => say(&format!("ready: the engine with {what}")),
            Err(error) => {
                hold(&self.wanted).remove(feature);
                eprintln!("{error:#}");
            }
        }
    }

    /// Builds what a request for an engine names, if that is not there yet: `www/worker.js` says the
    /// kind.
    pub fn demand_for(&self, path: &str, query: &str) {
        let is_engine = path.ends_with(&format!("/{}.js", site::ENGINE));
        for (_, feature, what) in FEATURES.iter().filter(|f| is_engine && f.0 == query) {
            self.demand(feature, what);
        }
        if path.ends_with(&format!("/{}/{}.js", model::FOLDERS[0], model::MODEL)) {
            self.demand_model();
        }
    }

    /// Builds the worker for model files, if that is not done yet.
    pub fn demand_model(&self) {
        let mut has_model = hold(&self.has_model);
        if *has_model {
            return;
        }
        say("building the worker for model files");
        match model::build(&self.toolchain, &self.folder.join("wasm"), self.profile) {
            Ok(()) => *has_model = true,
            Err(error) => eprintln!("{error:#}"),
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
