//! Graph-ToolFormer: statements with calls in them.

use anyhow::{Context as _, Result, ensure};

super::screen! {
    /// The page Toolformer.
    Inline
    says {
        writers_say "@writers", sentence_says "@sentence", reads "@read", tree_says "@parse-tree",
        memory_says "@memory", has_taken "@taken", steps_say ".right .steps",
    }
    shows {
        is_ready "[data-testid='family-attribute_calculation'] li", has_unreadable_call "@chip.fails",
        has_prompts "@prompts details",
    }
    counts { n_waiting "@chip.waits" }
    clicks { start "run", keep_calls "keep-calls" }
    presses { pick_call "@chip", to_the_start "[aria-label='To the start']" }
    chooses { writer "writer" }
    sets { write "input" }
    numbers { has_calls "@chip" }
    gives { open_file "open" }
}

impl Inline<'_> {
    /// Opens what is folded in the left column.
    pub(crate) async fn unfold_left(&self) -> Result<()> {
        self.unfold(".toolformer .left").await
    }

    /// Writes a statement and runs it.
    pub(crate) async fn say(&self, words: &str) -> Result<()> {
        self.write(words).await?;
        self.start().await
    }

    /// Presses an example, such as `try-topic`, `ask-topic` or `try-prompt-new-task`.
    pub(crate) async fn press_example(&self, id: &str) -> Result<()> {
        self.unfold_left().await?;
        self.press(&format!("[data-testid='{id}']")).await
    }

    /// The sentence, once a call of it gave something and none is left in it.
    pub(crate) async fn filled_in(&self) -> Result<String> {
        self.find("[data-testid='chip'].gives").await?;
        let words = self.text("[data-testid='sentence']").await?;
        ensure!(!words.contains("GR("), "a call is left: {words}");
        Ok(words)
    }

    /// The sentence, once a call of it failed for a reason.
    pub(crate) async fn fails_with(&self, why: &str) -> Result<String> {
        self.find("[data-testid='chip'].fails").await?;
        self.until_text("[data-testid='call-error']", why).await?;
        self.text("[data-testid='sentence']").await
    }

    /// Waits until every call has run; fails with the reason of one that failed.
    pub(crate) async fn ran(&self) -> Result<String> {
        let ran = "return document.querySelectorAll('.chip.gives, .chip.fails').length > 0";
        self.until("it ran", ran).await?;
        if self.count(".chip.fails").await? > 0 {
            anyhow::bail!("{}", self.text("[data-testid='call-error']").await?);
        }
        self.text("[data-testid='sentence']").await
    }

    /// Waits until nothing is said about what was typed.
    pub(crate) async fn reads_nothing(&self) -> Result<()> {
        let empty = "return !document.querySelector('.read-so-far').textContent";
        self.until("nothing is said", empty).await
    }

    /// How many nodes are drawn, and how many things the working memory has.
    pub(crate) async fn drawn_and_remembered(&self) -> Result<(usize, usize)> {
        let drawn = self.count("[data-testid='canvas'] .node").await?;
        Ok((drawn, self.count("[data-testid='memory'] li").await?))
    }

    /// Waits until something is drawn that has some words.
    pub(crate) async fn draws(&self, words: &str) -> Result<()> {
        self.find("[data-testid='canvas'] .node").await?;
        self.until_text("[data-testid='canvas']", words).await
    }

    /// Empties the working memory.
    pub(crate) async fn forget(&self) -> Result<()> {
        self.click("forget").await?;
        self.memory_says("Empty").await
    }

    /// Moves the player on by `n` steps.
    pub(crate) async fn step_on(&self, n: usize) -> Result<()> {
        for _ in 0..n {
            self.press("[aria-label='One step on']").await?;
        }
        Ok(())
    }

    /// Opens the run on Traces.
    pub(crate) async fn to_traces(&self) -> Result<()> {
        self.click("to-traces").await?;
        self.has_address("#/traces").await
    }

    /// Waits until the sentence is in view.
    pub(crate) async fn sentence_is_in_view(&self) -> Result<()> {
        let script =
            "const at = document.querySelector('[data-testid=sentence]').getBoundingClientRect();
            return at.top >= 0 && at.bottom <= innerHeight";
        self.until("the sentence is in view", script).await
    }

    /// Waits until what is known of a model has some words, `figure-…` or `held-out-…`.
    pub(crate) async fn model_says(&self, id: &str, words: &str) -> Result<()> {
        self.until_text(&format!("[data-testid='{id}']"), words).await
    }

    /// Loads what lies beside the page, and waits for words about it.
    pub(crate) async fn load_model(&self, id: &str, words: &str) -> Result<()> {
        self.click(&format!("load-{id}")).await?;
        self.has_taken(words).await
    }

    /// Waits until the list of data has some words.
    pub(crate) async fn hub_says(&self, words: &str) -> Result<()> {
        self.unfold_left().await?;
        self.until_text("[data-testid='hub']", words).await
    }

    /// What a model weighed, name by name.
    pub(crate) async fn weighed(&self) -> Result<Vec<(String, f64)>> {
        self.find("[data-testid='weighed'] tr").await?;
        let read = "return [...document.querySelectorAll('[data-testid=weighed] tr')]
            .map(r => [r.cells[0].textContent, Number(r.cells[1].dataset.score)])";
        serde_json::from_value(self.run(read, vec![]).await?).context("no scores")
    }
}
