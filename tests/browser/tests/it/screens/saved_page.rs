//! Pages that travel: static ones, live ones, and the page as one file.

use anyhow::{Context as _, Result, ensure};

use crate::browser::{Browser, NO_NETWORK};

super::screen! {
    /// A page that was opened from a disk, or the place from which one is saved.
    SavedPage
    says { is_titled "h1" }
    shows { has_steppers "details .bar" }
    counts { n_problems "details.p" }
    fits { problem_fits ".p[open]" }
}

/// Opens a page from a disk, in a browser that finds no host but this machine.
pub(crate) async fn from_disk(address: &str) -> Result<Browser> {
    Browser::open_at(address, 1280, 900, "light", NO_NETWORK).await
}

impl SavedPage<'_> {
    /// Unfolds the first problem.
    pub(crate) async fn unfolds_problem(&self) -> Result<()> {
        self.press("details.p summary").await?;
        self.find(".p[open] .t li").await?;
        Ok(())
    }

    /// Steps to the first step, and one further.
    pub(crate) async fn steps(&self) -> Result<()> {
        for (button, step) in [("First step", 1), ("Next step", 2)] {
            self.press(&format!(".p[open] button[aria-label='{button}']")).await?;
            self.until_text(".p[open] output", &format!("step {step} of")).await?;
        }
        Ok(())
    }

    /// The whole markup of the page.
    pub(crate) async fn source(&self) -> Result<String> {
        Ok(self.client.source().await?)
    }

    /// Opens what the dialog of Share says about the page as one file.
    pub(crate) async fn opens_sharing(&self) -> Result<()> {
        self.click("share").await?;
        self.click("share-page").await
    }

    /// Saves the page as one file there; gives its text.
    pub(crate) async fn saves_page(&self) -> Result<String> {
        self.click("share-page-save").await?;
        self.saved(1).await?.pop().context("no text was saved")
    }

    /// Tries to save it from a site that answers everything in one way, and waits for what is wrong.
    pub(crate) async fn fails_to_save(&self, answer: &str, words: &str) -> Result<()> {
        self.run(&format!("window.fetch = () => Promise.resolve({answer})"), vec![]).await?;
        self.click("share-page-save").await?;
        self.until_text("[data-testid='share-page-save-failed']", words).await
    }

    /// Waits until both sides of the start page are answered, the one with tools rightly.
    pub(crate) async fn starts(&self) -> Result<()> {
        self.find("[data-testid='home-side-0'] [data-verdict]").await?;
        self.find("[data-testid='home-side-1'] [data-verdict='Correct']").await?;
        Ok(())
    }

    /// Runs the lesson that is open, which marks a false claim.
    pub(crate) async fn runs_lesson(&self) -> Result<()> {
        self.find("[data-testid='lesson-claims'] mark.claim.false").await?;
        self.click("lesson-run").await?;
        self.find("[data-testid='side-grounded'] .card[data-verdict='Correct']").await?;
        Ok(())
    }

    /// Waits until Models says of which origin a page from a disk is.
    pub(crate) async fn says_its_origin(&self) -> Result<()> {
        self.until_text("[data-testid='from-disk'] code", "null").await
    }

    /// Looks for model files in the dialog of the head, which says that none runs here.
    pub(crate) async fn runs_no_model_file(&self) -> Result<()> {
        self.click("endpoint").await?;
        self.click("use-file").await?;
        self.until_text(".endpoint .report", "has nothing in it that runs models").await?;
        ensure!(self.count("[data-testid='own-file']").await? == 0);
        self.press("dialog.endpoint footer .quiet").await
    }
}
