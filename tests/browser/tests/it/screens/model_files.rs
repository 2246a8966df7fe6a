//! The dialog of the head, where model files are added and chosen.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

/// Starts the worker of model files as the page does, gives it a file, and asks it.
const ASK: &str = "
    const [address, name, body] = arguments;
    window.heard = null;
    const worker = new Worker('model.js', { type: 'module', name: 'test' });
    worker.onerror = (e) => (window.heard = { fault: e.message });
    let text = '';
    worker.onmessage = async ({ data: [job, heard] }) => {
      if (heard.ready) {
        const file = new File([await (await fetch(address)).blob()], name);
        worker.postMessage({ job: 1, body: { add: { name } }, file });
      } else if (heard.listed) {
        worker.postMessage({ job: 2, body: { ask: { body } } });
      } else if (heard.text) {
        text += heard.text.text;
      } else if (heard.answered || heard.refused || heard.panicked) {
        window.heard = { text, heard };
        worker.terminate();
      }
    };";

super::screen! {
    /// The part of the dialog that has model files.
    ModelFiles
    says {
        is_in_use ".pill", list_says "@model-files", choice_says "[data-file] .choice",
        fault_says "@file-fault", says "@file-said", report_says ".report",
    }
    has { has_fault "@file-fault" }
    clicks { load_rest "load-rest", delete "delete-file", take "use" }
    sets { max_tokens "file-max-tokens" }
    gives { add "own-file" }
}

impl ModelFiles<'_> {
    /// Opens the dialog at its files.
    pub(crate) async fn open(&self) -> Result<()> {
        self.click("endpoint").await?;
        self.click("use-file").await?;
        self.by_id("own-file").await?;
        Ok(())
    }

    /// Loads a file from an address.
    pub(crate) async fn load(&self, url: &str) -> Result<()> {
        self.type_into("file-address", url).await?;
        self.click("load-file").await
    }

    /// Waits until a file is the one that is chosen.
    pub(crate) async fn is_chosen(&self, name: &str) -> Result<()> {
        let script = format!(
            "return !!document.querySelector('[data-file={}] input')?.checked",
            json!(name)
        );
        self.until(&format!("{name} is chosen"), &script).await
    }

    /// Chooses a file, once it is in the list.
    pub(crate) async fn chooses(&self, name: &str) -> Result<()> {
        self.press(&format!("[data-file='{name}'] input")).await?;
        self.is_chosen(name).await
    }

    /// Whether a file is in the list.
    pub(crate) async fn lists(&self, name: &str) -> Result<bool> {
        Ok(self.count(&format!("[data-file='{name}']")).await? > 0)
    }

    /// Waits until the line of a file has some words.
    pub(crate) async fn file_says(&self, name: &str, words: &str) -> Result<()> {
        self.until_text(&format!("[data-file='{name}']"), words).await
    }

    /// Waits until the style of calls is this.
    pub(crate) async fn calls_are(&self, style: &str) -> Result<()> {
        self.until_value("file-tool-style", style).await
    }

    /// Opens the dialog for the speed of the file in use, and closes it.
    pub(crate) async fn speed(&self) -> Result<String> {
        self.click("endpoint").await?;
        self.until_text("[data-testid='file-speed']", "tokens a second read").await?;
        let speed = self.text("[data-testid='file-speed']").await?;
        self.press("dialog.endpoint footer .quiet").await?;
        Ok(speed)
    }

    /// Fails where the dialog or the page scrolls sideways, in a window of any usual size.
    pub(crate) async fn fits(&self, name: &str) -> Result<()> {
        for (width, height) in crate::browser::WINDOWS {
            for scheme in ["dark", "light"] {
                self.becomes(width, height, scheme).await?;
                self.shoot(&format!("{name}-{width}-{scheme}")).await?;
                let script = "const all = [document.querySelector('dialog.endpoint'), document.documentElement];
                    return Math.max(...all.map((e) => e.scrollWidth - e.clientWidth))";
                let wide = self.run(script, vec![]).await?.as_f64().context("no number")?;
                ensure!(wide <= 0.0, "{name} at {width} scrolls sideways by {wide}");
            }
        }
        Ok(())
    }

    /// Forgets when workers stopped before.
    pub(crate) async fn forget_stops(&self) -> Result<()> {
        self.run("performance.clearMarks()", vec![]).await?;
        Ok(())
    }

    /// Starts a run with tools, and stops it in the middle of what its model writes; a model that was
    /// faster than the press is asked again.
    pub(crate) async fn start_and_stop(&self) -> Result<()> {
        let script = "const button = document.querySelector('[data-testid=grounded]');
            const until = async (what) => {
                while (!what()) await new Promise((go) => setTimeout(go, 5));
            };
            const runs = () => button.textContent.trim() === 'Stop';
            const speaks = () => document.querySelector('[data-testid=live]') !== null;
            while (performance.getEntriesByName('model file stop').length === 0) {
                button.click();
                await until(runs);
                await until(() => speaks() || !runs());
                if (runs()) button.click();
                await until(() => !runs());
            }";
        self.promised(script, vec![]).await?;
        Ok(())
    }

    /// Milliseconds from Stop until the worker had stopped.
    pub(crate) async fn stopped_after_ms(&self) -> Result<f64> {
        let stopped = "return performance.getEntriesByName('model file stopped').length > 0";
        self.until("the worker has stopped", stopped).await?;
        let took = "const at = (n) => performance.getEntriesByName(n)[0].startTime;
            return at('model file stopped') - at('model file stop')";
        self.run(took, vec![]).await?.as_f64().context("no number")
    }

    /// Has a worker of one's own take a file from an address and answer; gives what it said.
    pub(crate) async fn asks_a_worker(&self, url: &str, body: &Value) -> Result<Value> {
        self.run(ASK, vec![json!(url), body["model"].clone(), json!(body.to_string())]).await?;
        self.until("the worker has answered", "return window.heard !== null").await?;
        self.run("return window.heard", vec![]).await
    }
}
