//! Family: requests that are searched in a graph and called.

use anyhow::Result;
use serde_json::json;

super::screen! {
    /// The page Family.
    Family
    says {
        about_says "@about", outcome_says "@outcome", called "@called", hops_say "@hops",
        measures_say "@measures", steps_say ".steps", step_is_of ".steps .who", hears "@live .say",
        has_added "@added",
    }
    has { has_markup_in_steps ".steps .say b" }
    counts { n_played ".timeline rect" }
    clicks { start "run", stop "stop", to_traces "to-traces" }
    chooses { method "method", speak "speaker" }
    values { speaker "speaker" }
    fits { stage_fits ".family .stage", story_fits ".family .right" }
}

impl Family<'_> {
    /// Waits for the request and its tools.
    pub(crate) async fn is_ready(&self) -> Result<()> {
        self.about_says("tools to choose from").await
    }

    /// Runs the request, and waits for its outcome.
    pub(crate) async fn request(&self) -> Result<()> {
        self.start().await?;
        self.outcome_says("Right is").await
    }

    /// Chooses who searches (`extract`) or calls (`call`).
    pub(crate) async fn seat(&self, which: &str, who: &str) -> Result<()> {
        self.choose(&format!("seat-{which}"), who).await
    }

    /// Waits until both verdicts are these, in order.
    pub(crate) async fn verdicts_are(&self, verdicts: &str) -> Result<()> {
        let script = format!(
            "return [...document.querySelectorAll('.family .card')]
                .map(c => c.dataset.verdict).join(' ') === {}",
            json!(verdicts)
        );
        self.until(&format!("the verdicts are {verdicts}"), &script).await
    }

    /// What was called, and what is right.
    pub(crate) async fn called_and_right(&self) -> Result<(String, String)> {
        let called = self.text("[data-testid='called']").await?;
        Ok((called, self.text("[data-testid='right']").await?))
    }

    /// Waits until `n` edges are drawn as `true`, `false` or `read`.
    pub(crate) async fn marks_edges(&self, kind: &str, n: usize) -> Result<()> {
        self.until_count(&format!(".family .edge.{kind}"), n).await
    }

    /// Waits until people are drawn.
    pub(crate) async fn draws_people(&self) -> Result<()> {
        let script = "return document.querySelectorAll('.family .node').length > 10";
        self.until("people are drawn", script).await
    }

    /// Writes a request of one's own.
    pub(crate) async fn ask(&self, words: &str) -> Result<()> {
        self.unfold(".family").await?;
        self.set("query", words).await
    }

    /// Adds a fact.
    pub(crate) async fn add_fact(&self, head: &str, relation: &str, tail: &str) -> Result<()> {
        self.set("fact-head", head).await?;
        self.set("fact-relation", relation).await?;
        self.set("fact-tail", tail).await?;
        self.click("fact-add").await
    }

    /// Searches by hand, and waits for words about it.
    pub(crate) async fn search(&self, call: &str, words: &str) -> Result<()> {
        self.unfold(".family").await?;
        self.set("by-hand", call).await?;
        self.click("search").await?;
        self.until_text(".paths", words).await
    }

    /// The words of every button and list that is too small for a finger.
    pub(crate) async fn too_small(&self) -> Result<String> {
        self.given(
            "[...document.querySelectorAll('.family button, .family select')]
                .filter(b => b.offsetParent && b.getBoundingClientRect().height < 24)
                .map(b => b.textContent).join('; ')",
        )
        .await
    }
}
