//! Family: requests that are searched in a graph and called.

use anyhow::Result;
use serde_json::json;

super::screen! {
    /// The page Family.
    Family
}

impl Family<'_> {
    /// Waits for the request and its tools.
    pub(crate) async fn is_ready(&self) -> Result<()> {
        self.about_says("tools to choose from").await
    }

    /// Waits until the line about the request has some words.
    pub(crate) async fn about_says(&self, words: &str) -> Result<()> {
        self.until_text("[data-testid='about']", words).await
    }

    /// Runs the request, and waits for its outcome.
    pub(crate) async fn request(&self) -> Result<()> {
        self.start().await?;
        self.outcome_says("Right is").await
    }

    /// Starts the request.
    pub(crate) async fn start(&self) -> Result<()> {
        self.click("run").await
    }

    /// Stops it.
    pub(crate) async fn stop(&self) -> Result<()> {
        self.click("stop").await
    }

    /// Waits until the outcome has some words.
    pub(crate) async fn outcome_says(&self, words: &str) -> Result<()> {
        self.until_text("[data-testid='outcome']", words).await
    }

    /// Chooses who searches (`extract`) or calls (`call`).
    pub(crate) async fn seat(&self, which: &str, who: &str) -> Result<()> {
        self.choose(&format!("seat-{which}"), who).await
    }

    /// Chooses how names are searched.
    pub(crate) async fn method(&self, id: &str) -> Result<()> {
        self.choose("method", id).await
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

    /// Waits until what was called has some words.
    pub(crate) async fn called(&self, words: &str) -> Result<()> {
        self.until_text("[data-testid='called']", words).await
    }

    /// Waits until the hops of the search have some words.
    pub(crate) async fn hops_say(&self, words: &str) -> Result<()> {
        self.until_text("[data-testid='hops']", words).await
    }

    /// Waits until the measures have some words.
    pub(crate) async fn measures_say(&self, words: &str) -> Result<()> {
        self.until_text("[data-testid='measures']", words).await
    }

    /// Waits until so many edges are drawn as `true`, `false` or `read`.
    pub(crate) async fn marks_edges(&self, kind: &str, n: usize) -> Result<()> {
        self.until_count(&format!(".family .edge.{kind}"), n).await
    }

    /// Waits until people are drawn.
    pub(crate) async fn draws_people(&self) -> Result<()> {
        let script = "return document.querySelectorAll('.family .node').length > 10";
        self.until("people are drawn", script).await
    }

    /// How many steps the player shows.
    pub(crate) async fn n_played(&self) -> Result<usize> {
        self.count(".timeline rect").await
    }

    /// Waits until the steps have some words.
    pub(crate) async fn steps_say(&self, words: &str) -> Result<()> {
        self.until_text(".steps", words).await
    }

    /// Waits until a step is said to be of somebody.
    pub(crate) async fn step_is_of(&self, who: &str) -> Result<()> {
        self.until_text(".steps .who", who).await
    }

    /// Whether a model's words became markup.
    pub(crate) async fn has_markup_in_steps(&self) -> Result<bool> {
        Ok(self.count(".steps .say b").await? > 0)
    }

    /// Waits until the words that come in have some beginning.
    pub(crate) async fn hears(&self, words: &str) -> Result<()> {
        self.until_text("[data-testid='live'] .say", words).await
    }

    /// Opens the run on Traces.
    pub(crate) async fn to_traces(&self) -> Result<()> {
        self.click("to-traces").await
    }

    /// Writes a request of one's own.
    pub(crate) async fn ask(&self, words: &str) -> Result<()> {
        self.unfold(".family").await?;
        self.set("query", words).await
    }

    /// Who speaks; nobody is the empty text.
    pub(crate) async fn speaker(&self) -> Result<String> {
        self.value("speaker").await
    }

    /// Chooses who speaks.
    pub(crate) async fn speak(&self, who: &str) -> Result<()> {
        self.choose("speaker", who).await
    }

    /// Adds a fact.
    pub(crate) async fn add_fact(&self, head: &str, relation: &str, tail: &str) -> Result<()> {
        self.set("fact-head", head).await?;
        self.set("fact-relation", relation).await?;
        self.set("fact-tail", tail).await?;
        self.click("fact-add").await
    }

    /// Waits until the line about added facts has some words.
    pub(crate) async fn has_added(&self, words: &str) -> Result<()> {
        self.until_text("[data-testid='added']", words).await
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
