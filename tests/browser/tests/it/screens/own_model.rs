//! Our own small model: chosen, looked into, and put to a test.

use anyhow::{Context as _, Result};
use serde_json::json;

super::screen! {
    /// The model in use, where it is our own.
    OwnModel
}

impl OwnModel<'_> {
    /// Chooses our own model in the dialog of the head.
    pub(crate) async fn is_chosen(&self) -> Result<()> {
        self.click("endpoint").await?;
        self.click("use-own").await?;
        self.until_text("[data-testid='own-facts']", "decline what they do not understand").await?;
        self.shoot("own-model-1280-light").await?;
        self.click("use").await?;
        self.is_in_use().await
    }

    /// Opens the dialog, and leaves it as it was.
    pub(crate) async fn dialog_is_left(&self) -> Result<()> {
        self.click("endpoint").await?;
        self.click("use-own").await?;
        self.press("dialog.endpoint footer .quiet").await
    }

    /// Waits until the head says that it answers.
    pub(crate) async fn is_in_use(&self) -> Result<()> {
        self.until_text(".pill", "Our own small model, in this page").await
    }

    /// How many files with such a name the page has loaded.
    pub(crate) async fn n_loaded(&self, name: &str) -> Result<u64> {
        let count = "return performance.getEntriesByType('resource')
            .filter((e) => e.name.includes(arguments[0])).length";
        self.run(count, vec![json!(name)]).await?.as_u64().context("no number")
    }

    /// Starts what a button starts, and stops it as soon as the button says Stop: a person would be too late
    /// for so small a model. Gives the milliseconds from then until it has stopped.
    pub(crate) async fn stops_at_once(&self, button: &str) -> Result<f64> {
        let script = "const button = () => document.querySelector(`[data-testid=${given[0]}]`);
            const until = async (what) => {
                for (let i = 0; i < 400 && !what(); i++) await new Promise((on) => setTimeout(on, 5));
            };
            await until(() => !button().disabled);
            button().click();
            await until(() => button().textContent.trim() === 'Stop');
            const began = performance.now();
            button().click();
            await until(() => button().textContent.trim() !== 'Stop');
            return performance.now() - began";
        self.promised(script, vec![json!(button)]).await?.as_f64().context("no number")
    }

    /// Asks a question in one's own words, on the page Ask.
    pub(crate) async fn is_asked(&self, question: &str) -> Result<()> {
        self.type_into("ask-question", question).await?;
        self.click("run").await
    }

    /// Waits until the drawing of a flow names its ends, and says of each pipe how much flows.
    pub(crate) async fn draws_flow(&self) -> Result<()> {
        let ends = "return [...document.querySelectorAll('.graph .beside')]
            .map((t) => t.textContent.trim()).sort().join() === 'sink,source'";
        self.until("the ends are named", ends).await?;
        let pipes = "const all = [...document.querySelectorAll('.graph .weight')]
                .map((t) => t.textContent.split('/').map(Number));
            return all.length > 4 && all.every(([flow, most]) => flow <= most)";
        self.until("each pipe says its flow", pipes).await
    }
}

super::screen! {
    /// What the model thought of its words, in a side of the page Compare.
    LookInside
    clicks { runs_both "run-both" }
}

/// Words with the probabilities that the page lists for them.
pub(crate) type Likely = Vec<Vec<(String, f64)>>;

/// A selector within a side.
fn of(side: usize, css: &str) -> String {
    format!("[data-testid='side-{side}'] {css}")
}

impl LookInside<'_> {
    /// Waits until a side is judged.
    pub(crate) async fn is_judged(&self, side: usize, verdict: Option<&str>) -> Result<()> {
        let verdict = verdict.map_or_else(String::new, |v| format!("='{v}'"));
        self.find(&of(side, &format!(".card[data-verdict{verdict}]"))).await?;
        Ok(())
    }

    /// Waits until a side has some words.
    pub(crate) async fn says(&self, side: usize, words: &str) -> Result<()> {
        self.until_text(&of(side, ""), words).await
    }

    /// Looks into the words of a side.
    pub(crate) async fn opens(&self, side: usize) -> Result<()> {
        self.press(&of(side, "[data-testid='look-inside']")).await?;
        self.find(&of(side, "[data-testid='look-likely'] li:nth-child(5)")).await?;
        Ok(())
    }

    /// The question, and the answer of a side.
    pub(crate) async fn question_and_answer(&self, side: usize) -> Result<[String; 2]> {
        let answer = self.content(&of(side, ".claimed")).await?;
        Ok([self.content(".question").await?, answer].map(|text| text.trim().to_owned()))
    }

    /// Presses each word of a side in turn, and reads what was likely there.
    pub(crate) async fn likely(&self, side: usize) -> Result<Likely> {
        let script = "const side = document.querySelector(given[0]), all = [];
            const frame = () => new Promise((go) => requestAnimationFrame(go));
            for (const b of side.querySelectorAll('.look-words button')) {
                b.click();
                while (b.ariaPressed !== 'true') await frame();
                await frame();
                all.push([...side.querySelectorAll('[data-testid=look-likely] li')].map((li) =>
                    [li.querySelector('code').textContent, Number(li.querySelector('meter').getAttribute('value'))]));
            }
            return all";
        Ok(serde_json::from_value(self.promised(script, vec![json!(of(side, ""))]).await?)?)
    }

    /// The word of a side that is looked at, the word before, and the edges that the model looked at most.
    pub(crate) async fn edge(&self, side: usize) -> Result<[String; 3]> {
        let script = "const side = document.querySelector(arguments[0]);
            const all = [...side.querySelectorAll('.look-words button')];
            const at = all.findIndex((b) => b.ariaPressed === 'true');
            const edges = side.querySelector('[data-testid=look-edges]');
            return [all[at - 1], all[at], edges].map((e) => e.textContent)";
        Ok(serde_json::from_value(self.run(script, vec![json!(of(side, ""))]).await?)?)
    }

    /// Waits until the words of a side have some among them; brings them into sight.
    pub(crate) async fn words_say(&self, side: usize, words: &str) -> Result<()> {
        self.until_text(&of(side, "[data-testid='look-words']"), words).await?;
        self.show(&of(side, ".look-place")).await
    }

    /// Turns to the last turn of a side, whose question has some words.
    pub(crate) async fn last_turn_says(&self, side: usize, words: &str) -> Result<()> {
        self.press(&of(side, "[data-testid='look-turns'] button:last-child")).await?;
        self.until_text(&of(side, "[data-testid='look-question']"), words).await
    }
}

super::screen! {
    /// The page Test my model.
    ModelTest
    says { model_says "@test-model", progress_says "@test-progress", card_says "@test-card" }
    sees { line "@test-line" }
    loses { has_no_card "@test-card" }
    clicks { starts "run" }
    presses { opens_first_run "@test-table tbody tr:first-child td:last-child a" }
}

impl ModelTest<'_> {
    /// Waits until the badge is a picture that the browser can draw.
    pub(crate) async fn draws_badge(&self) -> Result<()> {
        self.by_id("test-badge").await?;
        let badge = "const b = document.querySelector('[data-testid=test-badge]');
            return b.complete && b.naturalWidth > 100";
        self.until("the badge is drawn", badge).await
    }
}
