//! Traces: runs that were kept or opened, step by step.

use anyhow::{Context as _, Result};

super::screen! {
    /// The page Traces.
    Traces
}

impl Traces<'_> {
    /// Goes to the page, and opens the run that was kept last.
    pub(crate) async fn open_kept(&self) -> Result<()> {
        self.go("#/traces").await?;
        self.press("[data-testid='kept-runs'] .open").await?;
        self.is_open().await
    }

    /// Waits until a trace with steps is open.
    pub(crate) async fn is_open(&self) -> Result<()> {
        self.find(".step-row").await?;
        Ok(())
    }

    /// How many steps the player counts.
    pub(crate) async fn n_steps(&self) -> Result<usize> {
        let count = self.text("[data-testid='count']").await?;
        count.rsplit(' ').next().context("no count")?.parse().context("no number")
    }

    /// Waits until the player is behind so many steps.
    pub(crate) async fn is_at(&self, step: usize) -> Result<()> {
        self.until_text("[data-testid='count']", &format!("{step} of")).await
    }

    /// Everything that the model read up to a step of a kept run, which is as it was kept.
    pub(crate) async fn raw_of_kept(&self) -> Result<String> {
        self.click("tab-raw").await?;
        let kept = "its hash is the one that was kept";
        self.until_text("[data-testid='raw-check']", kept).await?;
        self.text("[data-testid='detail']").await
    }
}
