//! How names are compared: the panel on GraphRunner and Family.

use std::path::PathBuf;

use anyhow::Result;

super::screen! {
    /// The panel of similarity measures.
    Names
}

impl Names<'_> {
    /// Unfolds the panel, which compares by trigrams at first.
    pub(crate) async fn open(&self) -> Result<()> {
        self.press("[data-testid='names'] summary").await?;
        self.compares_by("trigrams").await
    }

    /// Chooses a measure.
    pub(crate) async fn measure(&self, id: &str) -> Result<()> {
        self.choose("similarity", id).await
    }

    /// Which measure is chosen.
    pub(crate) async fn chosen(&self) -> Result<String> {
        self.value("similarity").await
    }

    /// Chooses MiniLM, whose files the site does not ship here: it asks for them.
    pub(crate) async fn want_minilm(&self) -> Result<()> {
        self.measure("minilm").await?;
        self.by_id("wants-model").await?;
        Ok(())
    }

    /// Waits until names are compared in some way.
    pub(crate) async fn compares_by(&self, words: &str) -> Result<()> {
        self.until_text("[data-testid='kg-similarity']", words).await
    }

    /// Waits until names are no longer compared in some way.
    pub(crate) async fn compares_no_longer_by(&self, words: &str) -> Result<()> {
        let script = format!(
            "return !document.querySelector('[data-testid=kg-similarity]').textContent.includes('{words}')"
        );
        self.until("another measure", &script).await
    }

    /// Gives the files of a model.
    pub(crate) async fn give_model(&self, paths: &[PathBuf]) -> Result<()> {
        self.give("model-files", paths).await
    }

    /// Waits until the panel says what is wrong with a model.
    pub(crate) async fn says(&self, words: &str) -> Result<()> {
        self.until_text("[data-testid='similarity-said']", words).await
    }

    /// Whether the panel has a fault to report.
    pub(crate) async fn has_fault(&self) -> Result<bool> {
        Ok(self.count("[data-testid='similarity-said']").await? > 0)
    }

    /// Waits until a model is on its way, so many bytes of all.
    pub(crate) async fn is_loading(&self) -> Result<()> {
        self.until_text("[data-testid='similarity-doing']", " of ").await
    }

    /// Stops what is loading.
    pub(crate) async fn stop(&self) -> Result<()> {
        self.click("similarity-stop").await?;
        self.is_idle().await
    }

    /// Waits until nothing is loaded or read.
    pub(crate) async fn is_idle(&self) -> Result<()> {
        self.until_gone("[data-testid='similarity-doing']").await
    }

    /// Whether a model is kept.
    pub(crate) async fn keeps_a_model(&self) -> Result<bool> {
        Ok(self.count("[data-testid='model-delete']").await? > 0)
    }

    /// Waits until a model is kept.
    pub(crate) async fn has_kept(&self) -> Result<()> {
        self.by_id("model-delete").await?;
        Ok(())
    }

    /// Deletes the model that is kept.
    pub(crate) async fn delete_model(&self) -> Result<()> {
        self.click("model-delete").await?;
        self.until_gone("[data-testid='model-delete']").await
    }

    /// Looks for a name by a hint, and waits until what is taken has some words.
    pub(crate) async fn find_name(&self, hint: &str, taken: &str) -> Result<()> {
        self.type_into("find-hint", hint).await?;
        self.click("find").await?;
        self.until_text("[data-testid='found'] li", taken).await
    }

    /// The name that was found first, and its score.
    pub(crate) async fn first_found(&self) -> Result<(String, f64)> {
        self.find("[data-testid='found'] li.taken").await?;
        let score = self.text("[data-testid='found'] li .num").await?.parse()?;
        Ok((self.text("[data-testid='found'] li b").await?, score))
    }
}
