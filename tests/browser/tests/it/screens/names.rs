//! How names are compared: the panel on GraphRunner and Family.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

/// Starts the engine with models as the page does, and sends it what it is to do.
const ENGINE: &str = r#"
    const [steps, done] = arguments;
    // The page's policy lets nothing be fetched from a data address.
    const bytesOf = async where => where.startsWith("base64,")
        ? Uint8Array.from(atob(where.slice(7)), c => c.charCodeAt(0)).buffer
        : (await fetch(where)).arrayBuffer();
    const worker = new Worker("worker.js", { type: "module", name: "ml-test" });
    const asked = [];
    let at = -1, began = 0;
    const next = () => {
        at += 1;
        if (at === steps.length) { worker.terminate(); return done(asked); }
        const { ask, files } = steps[at];
        Promise.all(files.map(async ([name, where]) => [name, await bytesOf(where)])).then(bytes => {
                began = performance.now();
                const message = { job: at + 1, body: { start: ask } };
                worker.postMessage({ message, bytes }, bytes.map(b => b[1]));
            });
    };
    worker.onerror = e => done([{ failed: String(e.message) }]);
    worker.onmessage = ({ data }) => {
        const { job, body } = data;
        if (body.ready) return next();
        if (body.panicked) return done([{ failed: body.panicked.message }]);
        if (body.failed) return done([{ failed: body.failed.message }]);
        if (body.done && job === at + 1) {
            asked.push({ reply: body.done.reply, ms: performance.now() - began });
            next();
        }
    };
"#;

super::screen! {
    /// The panel of similarity measures.
    Names
    says { compares_by "@kg-similarity", says "@similarity-said" }
    shows { has_kept "@model-delete" }
    loses { is_idle "@similarity-doing" }
    has { has_fault "@similarity-said", keeps_a_model "@model-delete" }
    chooses { measure "similarity" }
    values { chosen "similarity" }
    fits { panel_fits ".names" }
}

impl Names<'_> {
    /// Unfolds the panel, which compares by trigrams at first.
    pub(crate) async fn open(&self) -> Result<()> {
        self.press("[data-testid='names'] summary").await?;
        self.compares_by("trigrams").await
    }

    /// Chooses MiniLM, whose files the site does not ship here: it asks for them.
    pub(crate) async fn want_minilm(&self) -> Result<()> {
        self.measure("minilm").await?;
        self.by_id("wants-model").await?;
        Ok(())
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

    /// Waits until the panel says how much of a model has come.
    pub(crate) async fn is_loading(&self) -> Result<()> {
        self.until_text("[data-testid='similarity-doing']", " of ").await
    }

    /// Stops what is loading.
    pub(crate) async fn stop(&self) -> Result<()> {
        self.click("similarity-stop").await?;
        self.is_idle().await
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

    /// Whether the site has the files of MiniLM beside it.
    pub(crate) async fn site_ships_minilm(&self) -> Result<bool> {
        let there = "return fetch('models/minilm/config.json').then(r => r.ok)";
        Ok(self.run(there, vec![]).await? == json!(true))
    }

    /// Asks an engine of one's own, step by step; gives each reply with its milliseconds.
    pub(crate) async fn asks_an_engine(&self, steps: &[Value]) -> Result<Vec<Value>> {
        let answers = self.client.execute_async(ENGINE, vec![json!(steps)]).await?;
        answers.as_array().cloned().context("no answers")
    }
}
