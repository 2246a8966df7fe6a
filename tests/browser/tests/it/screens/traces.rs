//! Traces: runs that were kept or opened, step by step.

use anyhow::{Context as _, Result};

super::screen! {
    /// The page Traces.
    Traces
    finds {
        is_open: ".step-row",
    }
}

impl Traces<'_> {
    /// Goes to the page, and opens the run that was kept last.
    pub(crate) async fn open_kept(&self) -> Result<()> {
        self.go("#/traces").await?;
        self.press("[data-testid='kept-runs'] .open").await?;
        self.is_open().await
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
}
