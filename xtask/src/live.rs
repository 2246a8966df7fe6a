//! A page that is served while parts of it are still being built.

use std::fs;
use std::io::Read as _;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Mutex;

use anyhow::{Context as _, Result, bail};

use crate::site::{self, Names, Parts};
use crate::steps::{hold, root, say};
use crate::toolchain::{TARGET, Toolchain};
use crate::{model, one_file, pack};

/// A folder that is served, and how its modules are built.
pub struct Live {
    /// The folder.
    pub folder: PathBuf,
    /// The compiler.
    pub toolchain: Toolchain,
    /// Cargo's profile.
    pub profile: &'static str,
    /// Whether the whole engine is built. Held while modules are built: one build at a time.
    has_engine: Mutex<bool>,
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
            has_engine: Mutex::default(),
            has_model: Mutex::default(),
        })
    }

    /// Copies the files that are served as they are.
    pub fn copy_files(&self) -> Result<()> {
        site::copy_tree(&root().join("www"), &self.folder)?;
        site::copy_tree(&root().join("assets"), &self.folder.join("assets"))
    }

    /// Builds the page and the first engine, and the whole one if a page has asked for it, and writes
    /// what is new with its glue.
    ///
    /// # Errors
    /// What the compiler said.
    pub fn build(&self) -> Result<()> {
        let has_engine = hold(&self.has_engine);
        self.build_modules(&["app", site::CORE])?;
        if *has_engine {
            self.build_modules(&[site::ENGINE])?;
        }
        Ok(())
    }

    fn build_modules(&self, bins: &[&str]) -> Result<()> {
        let mut cargo = self.toolchain.cargo_build();
        cargo.arg("--config").arg(format!("target.{TARGET}.rustflags=['{}']", model::SIMD));
        cargo.args(["--profile", self.profile, "--color", "always"]).args(site::PACKAGES);
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
        // The page as one file is made of these modules, when somebody asks for it.
        let _ = fs::remove_file(self.folder.join(one_file::NAME));
        let out = self.folder.join("wasm");
        fs::create_dir_all(&out)?;
        for bin in bins {
            let input = self.compiled(bin);
            pack::glue(&input, &out.join(bin), Names::Keep, Parts::Join)?;
        }
        if !out.join("bundles.js").exists() {
            site::write_bundles(&out, false, true)?;
        }
        Ok(())
    }

    /// Builds the engine with everything in it, if that is not done yet; a request for it waits.
    pub fn demand_engine(&self) {
        let mut has_engine = hold(&self.has_engine);
        if *has_engine {
            return;
        }
        say("building the engine with everything in it");
        match self.build_modules(&[site::ENGINE]) {
            Ok(()) => {
                say("ready: the engine with everything in it");
                *has_engine = true;
            }
            Err(error) => eprintln!("{error:#}"),
        }
    }

    fn compiled(&self, bin: &str) -> PathBuf {
        root().join(format!("target/web/{TARGET}/{}/{bin}.wasm", self.profile))
    }

    /// Writes the page as one file, if that is not there yet.
    fn demand_one_file(&self) {
        self.demand_engine();
        let _held = hold(&self.has_engine);
        let file = self.folder.join(one_file::NAME);
        if !file.exists()
            && let Err(error) =
                pack::one_file(&self.compiled("app"), &self.compiled(site::ENGINE), &file)
        {
            eprintln!("{error:#}");
        }
    }

    /// Builds what a request names, if that is not there yet.
    pub fn demand_for(&self, path: &str) {
        if path.ends_with(&format!("/{}", one_file::NAME)) {
            self.demand_one_file();
        }
        if path.ends_with(&format!("/{}.js", site::ENGINE)) {
            self.demand_engine();
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
