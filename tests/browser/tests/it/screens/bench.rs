//! Bench: benchmarks that are made, resumed, compared, checked and saved.

use anyhow::Result;

super::screen! {
    /// The page Bench.
    Bench
    clicks {
        begin: "bench-new",
        start: "bench-start",
    }
}

/// The list of the runs, with how many there are.
const RUNS: &str = "[data-testid='bench-runs'] h2";

impl Bench<'_> {
    /// Waits until the list has so many runs.
    pub(crate) async fn lists(&self, n: usize) -> Result<()> {
        self.until_text(RUNS, &format!("Runs: {n} of {n}")).await
    }

    /// Verifies every run again, and waits for some words about it.
    pub(crate) async fn checks(&self, words: &str) -> Result<()> {
        self.click("bench-check").await?;
        self.until_text("[data-testid='check-result']", words).await
    }
}
