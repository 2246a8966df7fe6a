//! Any page, as somebody looks at it who came for its looks.

use anyhow::{Result, ensure};

super::screen! {
    /// Whatever page is shown.
    AnyPage
    clicks { fold "fold" }
}

impl AnyPage<'_> {
    /// Loads a page as somebody sees it who was never here.
    pub(crate) async fn visit(&self, hash: &str) -> Result<()> {
        self.run("localStorage.clear()", vec![]).await?;
        self.load(hash).await
    }

    /// Waits until the page is at rest: nothing of it has changed for a third of a second.
    pub(crate) async fn is_at_rest(&self) -> Result<()> {
        let script = "await new Promise((done) => {
            let quiet = setTimeout(done, 300);
            const seen = new MutationObserver(() => {
                clearTimeout(quiet);
                quiet = setTimeout(done, 300);
            });
            const all = { attributes: true, characterData: true, childList: true, subtree: true };
            seen.observe(document.body, all);
            // What always moves is at rest too.
            setTimeout(done, 5000);
        })";
        self.promised(script, vec![]).await?;
        Ok(())
    }

    /// Does on a page what people come for.
    pub(crate) async fn is_used(&self, path: &str) -> Result<()> {
        match path {
            "solve" => self.solves().await?,
            "traces" => {
                self.go("#/solve?task=flow&difficulty=easy&seed=3").await?;
                self.until_text(".question", "flow").await?;
                self.solves().await?;
                self.go("#/traces").await?;
                self.press("[data-testid='kept-runs'] .open").await?;
                self.find(".step-row").await?;
            }
            "compare" => {
                self.play_script("mistaken").await?;
                self.click("run-both").await?;
                self.find("[data-testid='side-0'] mark.claim").await?;
                self.find("[data-testid='side-2'] .card[data-verdict]").await?;
                self.run("scrollTo(0, 0)", vec![]).await?;
            }
            "kg" => {
                self.find("[data-testid='kg-questions']").await?;
                self.choose("kg-script", "mistaken:unknown-edge").await?;
                for system in ["graph_cot", "graphrunner"] {
                    self.click(&format!("run-{system}")).await?;
                    self.find(&format!("[data-testid='row-{system}']")).await?;
                }
                self.find("[data-testid='kg-printed']").await?;
            }
            "family" => {
                self.until_text("[data-testid='about']", "tools to choose from").await?;
                self.choose("seat-extract", "mistaken-relation").await?;
                self.click("run").await?;
                self.until_text("[data-testid='outcome']", "Right is").await?;
            }
            "kgot" => {
                self.until_text("[data-testid='kgot-files-title']", "4 files").await?;
                self.click("run").await?;
                self.find("[data-testid='kgot-answer']").await?;
            }
            "toolformer" => {
                self.find("[data-testid='family-attribute_calculation'] li").await?;
                self.click("run").await?;
                self.find(".chip.gives").await?;
            }
            "tools" => {
                self.find(".function").await?;
            }
            _ => self.is_at_rest().await?,
        }
        Ok(())
    }

    /// Solves the problem that is shown, to its last step.
    pub(crate) async fn solves(&self) -> Result<()> {
        self.until_text(".question", "Q:").await?;
        self.click("grounded").await?;
        self.find(".card[data-verdict='Correct']").await?;
        self.seek_end().await
    }

    /// Takes a picture in a window of some width, where nothing may scroll sideways.
    pub(crate) async fn look(&self, name: &str, width: u32, scheme: &str) -> Result<()> {
        self.becomes(width, 800, scheme).await?;
        self.shoot(&format!("{name}-{width}-{scheme}")).await?;
        let wide = self.sideways().await?;
        ensure!(wide <= 0.0, "{name} at {width} scrolls sideways by {wide}");
        Ok(())
    }

    /// Looks for what a screen reader or a keyboard cannot use: all of it where the page is light, its
    /// colours where it is dark.
    pub(crate) async fn has_no_barriers(&self, name: &str, scheme: &str) -> Result<()> {
        match scheme {
            "light" => self.is_accessible(name).await,
            _ => self.has_contrast(name).await,
        }
    }

    /// Waits until the story is shown; says whether it and the stage are in sight, each with some room.
    pub(crate) async fn story_and_stage_are_in_sight(&self) -> Result<bool> {
        self.find(".right").await?;
        let seen = "const r = document.querySelector('.right').getBoundingClientRect();
            const s = document.querySelector('.stage').getBoundingClientRect();
            return [r, s].every(b => b.top >= 0 && b.top < innerHeight - 100
                && b.right <= innerWidth + 1 && b.width >= 200 && b.height >= 120)";
        Ok(self.run(seen, vec![]).await? == true)
    }

    /// Waits until the drawing has one edge that is not there.
    pub(crate) async fn draws_one_false_edge(&self) -> Result<()> {
        self.until_count(".edge.ghost.false .line", 1).await
    }

    /// Scrolls both columns to their tops.
    pub(crate) async fn scroll_columns_up(&self) -> Result<()> {
        let up =
            "for (const side of ['.left', '.right']) document.querySelector(side).scrollTop = 0";
        self.run(up, vec![]).await?;
        Ok(())
    }
}
