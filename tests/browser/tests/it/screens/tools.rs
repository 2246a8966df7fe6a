//! Graph functions: the catalogue, each function's page, and functions of one's own.

use anyhow::{Result, ensure};

super::screen! {
    /// The page of graph functions.
    Tools
    presses { takes_first ".catalog li a" }
    says {
        shows ".function h1", keeps "@composed-panel", example_says "@composed-examples",
        refuses "@proposal-faults", own_say "@composed-functions",
    }
    shows { shows_one ".function h1", is_open "@functions[open]", is_folded "@functions:not([open])" }
    awaits {
        is_listed "return $$('.catalog li').length >= 40",
        lists_few "return $$('.catalog li').length < 10",
    }
    tells {
        names "return $$('.catalog li code').map((c) => c.textContent)",
        begins_at "return box('.function h1').top",
    }
    types { finds "find-function" }
}

impl Tools<'_> {
    /// Goes to a function's page and runs its example, which does not fail.
    pub(crate) async fn tries(&self, name: &str) -> Result<()> {
        self.go(&format!("#/tools?f={name}")).await?;
        self.shows(name).await?;
        self.press(".function .schema-form button").await?;
        let result = self.text("@try-result").await?;
        ensure!(self.count(".function .report.no").await? == 0, "{name}: {result}");
        Ok(())
    }

    /// Shows the schema in one of its shapes, counted from 1.
    pub(crate) async fn shows_schema(&self, shape: usize, words: &str) -> Result<()> {
        self.press(&format!(".tabs button:nth-child({shape})")).await?;
        self.until_text(".code pre", words).await
    }

    /// Proposes the function of the example.
    pub(crate) async fn proposes(&self) -> Result<()> {
        self.press("@propose summary").await?;
        self.click("check-proposal").await
    }

    /// Deletes a function of one's own.
    pub(crate) async fn deletes(&self, name: &str) -> Result<()> {
        self.go(&format!("#/tools?f={name}")).await?;
        self.keeps(name).await?;
        self.click("delete-composed").await
    }
}
