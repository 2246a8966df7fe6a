//! Solve with a graph that is too large to be shown in one piece.

use anyhow::Result;
use serde_json::json;

/// The fields in which the ends of a question are typed.
const ENDS: &str = ".left .row input[type='text']";

super::screen! {
    /// Solve with a large graph.
    Large
    says { is_drawn_in_part ".part", is_cut "@cut" }
    clicks { show_less "show-all" }
    gives { open_file "file" }
    fits { question_fits ".cut" }
}

impl Large<'_> {
    /// Shows all of the question, to its end: more than `n` characters.
    pub(crate) async fn show_all(&self, n: usize) -> Result<()> {
        self.click("show-all").await?;
        self.is_cut("All ").await?;
        self.is_longer(".question", n).await?;
        let to_its_end =
            "const q = document.querySelector('.question'); q.scrollTop = q.scrollHeight";
        self.run(to_its_end, vec![]).await?;
        self.until_text(".question", "Q: Is there a cycle").await
    }

    /// Unfolds a call among the steps, and shows all of it: more than `n` characters.
    pub(crate) async fn show_all_of_a_call(&self, n: usize) -> Result<()> {
        self.press(".steps .fn summary").await?;
        self.press(".steps .fn [data-testid='show-all']").await?;
        self.is_longer(".steps .fn", n).await
    }

    async fn is_longer(&self, css: &str, n: usize) -> Result<()> {
        let script =
            format!("return document.querySelector({}).textContent.length > {n}", json!(css));
        self.until("all of it is there", &script).await
    }

    /// Has the solver of the page solve the problem.
    pub(crate) async fn solves(&self) -> Result<()> {
        self.click("solve").await?;
        self.find(".card[data-verdict='Correct']").await?;
        Ok(())
    }

    /// How many nodes are listed to choose from, and how many fields take a node's name.
    pub(crate) async fn ends(&self) -> Result<(usize, usize)> {
        Ok((self.count(".left option").await?, self.count(ENDS).await?))
    }

    /// Types the first end of the question.
    pub(crate) async fn type_an_end(&self, name: &str) -> Result<()> {
        self.set_at(ENDS, name).await
    }

    /// Looks at the second step of a trace, at its raw form, and at what a fork of it takes.
    pub(crate) async fn look_into_the_trace(&self, called: &str) -> Result<()> {
        self.run("document.querySelectorAll('.step-row')[1].click()", vec![]).await?;
        self.until_text("[data-testid='detail']", called).await?;
        self.click("tab-raw").await?;
        self.until_text("[data-testid='raw-check']", "its hash is the one that was kept").await?;
        self.click("tab-fork").await?;
        self.by_id("fork-go").await?;
        Ok(())
    }

    /// How long the question is as it is shown.
    pub(crate) async fn n_characters(&self) -> Result<usize> {
        Ok(self.content(".question").await?.len())
    }
}
