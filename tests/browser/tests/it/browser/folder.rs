//! A folder of files for one test, in which the companion works, and from which pages are opened.

use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use tokio::process::Command;

/// Finds no host but this machine's own.
pub(crate) const NO_NETWORK: &[&str] =
    &["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"];

/// A folder that goes with its test.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Result<Self> {
        let path = std::env::temp_dir().join(format!("graphground-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path)?;
        Ok(Self(path))
    }

    /// Runs the companion in here.
    pub(crate) async fn companion(&self, args: &[&str]) -> Result<String> {
        let program = std::env::var("GRAPHGROUND_COMPANION")
            .context("run these tests with `cargo xtask test`")?;
        let program = std::fs::canonicalize(program)?;
        let done = Command::new(program).current_dir(&self.0).args(args).output().await?;
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        ensure!(done.status.success(), "{args:?}: {said}");
        Ok(String::from_utf8_lossy(&done.stdout).into_owned())
    }

    /// The same for a line of words without spaces in them.
    pub(crate) async fn runs(&self, line: &str) -> Result<String> {
        self.companion(&line.split_whitespace().collect::<Vec<_>>()).await
    }

    /// Makes a live page of a runs file, with the page as one file.
    pub(crate) async fn makes_live(&self, runs: &str, page: &str, title: &str) -> Result<()> {
        let app = one_file()?.display().to_string();
        let report = ["report", runs, "--html", page, "--live", "--app", &app, "--title", title];
        self.companion(&report).await?;
        Ok(())
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> Result<()> {
        Ok(std::fs::write(self.0.join(name), text)?)
    }

    pub(crate) fn read(&self, name: &str) -> Result<String> {
        Ok(std::fs::read_to_string(self.0.join(name))?)
    }

    pub(crate) fn address(&self, name: &str) -> String {
        format!("file://{}", self.0.join(name).display())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The page as one file.
pub(crate) fn one_file() -> Result<PathBuf> {
    let path = std::env::var("GRAPHGROUND_SINGLE_FILE")
        .context("run these tests with `cargo xtask test`")?;
    Ok(std::fs::canonicalize(path)?)
}
