//! Bench: benchmarks that are made, resumed, compared, checked and saved.

use anyhow::Result;

super::screen! {
    /// The page Bench.
    Bench
}

/// The list of the runs, with how many there are.
const RUNS: &str = "[data-testid='bench-runs'] h2";

impl Bench<'_> {
    /// Begins the form of a new benchmark.
    pub(crate) async fn begin(&self) -> Result<()> {
        self.click("bench-new").await
    }

    /// Starts the runs, or resumes them.
    pub(crate) async fn start(&self) -> Result<()> {
        self.click("bench-start").await
    }

    /// Waits until the list has so many runs.
    pub(crate) async fn lists(&self, n: usize) -> Result<()> {
        self.until_text(RUNS, &format!("Runs: {n} of {n}")).await
    }

    /// Verifies every run again, and waits for some words about it.
    pub(crate) async fn checks(&self, words: &str) -> Result<()> {
        self.click("bench-check").await?;
        self.until_text("[data-testid='check-result']", words).await
    }

    /// Makes a benchmark of the careful script with a title, and waits until its runs are done.
    pub(crate) async fn makes_scripted(&self, title: &str, done: &str) -> Result<()> {
        self.begin().await?;
        self.type_into("bench-title", title).await?;
        self.choose("bench-script", "script").await?;
        self.start().await?;
        self.until_text("[data-testid='bench-progress']", done).await?;
        self.reports(title).await
    }

    /// Waits until the report of a benchmark is shown.
    pub(crate) async fn reports(&self, title: &str) -> Result<()> {
        self.until_text("main h1", title).await?;
        self.find("[data-testid='bench-report'] table").await?;
        Ok(())
    }

    /// Waits until the list of benchmarks is shown.
    pub(crate) async fn lists_benchmarks(&self) -> Result<()> {
        self.find("[data-testid='bench-file']").await?;
        self.until_text("main h1", "Bench").await
    }
}
