//! Solve: one problem, answered with and without tools.

use anyhow::Result;

super::screen! {
    /// The page Solve.
    Solve
    says {
        asks: ".question",
        steps_say: ".steps",
        plays: ".pill",
        verdicts_say: ".verdicts",
        live_says: "[data-testid='live']",
        facts_say: ".facts",
    }
    finds {
        has_verdict: ".card[data-verdict]:not(.busy)",
    }
    clicks {
        with_tools: "grounded",
        alone: "standalone",
        shows_solution: "solve",
    }
}

impl Solve<'_> {
    /// The text of the question, once it is there.
    pub(crate) async fn question(&self) -> Result<String> {
        self.until_text(".question", "Q:").await?;
        self.content(".question").await
    }

    /// Waits until a run has a verdict, such as `Correct`.
    pub(crate) async fn is_judged(&self, verdict: &str) -> Result<()> {
        self.find(&format!(".card[data-verdict='{verdict}']")).await?;
        Ok(())
    }

    /// Waits until the browser keeps so many runs.
    pub(crate) async fn keeps(&self, n: usize) -> Result<()> {
        let words = match n {
            0 => "No runs kept".to_owned(),
            1 => "1 run kept".to_owned(),
            n => format!("{n} runs kept"),
        };
        self.until_text("[data-testid='kept']", &words).await
    }

    /// Waits until so many nodes are drawn.
    pub(crate) async fn draws(&self, n: usize) -> Result<()> {
        self.until_count("svg.graph .node", n).await
    }

    /// Waits until there are so many steps.
    pub(crate) async fn has_steps(&self, n: usize) -> Result<()> {
        self.until_count(".steps li", n).await
    }

    /// Waits until no run is under way.
    pub(crate) async fn is_idle(&self) -> Result<()> {
        let script = "return ['standalone', 'grounded'].every(
            (id) => document.querySelector(`[data-testid=${id}]`).textContent.trim() !== 'Stop')";
        self.until("the run is over", script).await
    }

    /// The line of facts of the run.
    pub(crate) async fn facts(&self) -> Result<String> {
        self.content(".facts").await
    }

    /// Fails where a model's words became markup, or where something is still coming.
    pub(crate) async fn has_no_markup_and_nothing_live(&self) -> Result<()> {
        self.until_gone(".steps .say b").await?;
        self.until_gone("[data-testid='live']").await
    }
}
