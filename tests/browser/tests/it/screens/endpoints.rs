//! Models: the endpoint in use, what is wrong with it, what it costs, and where the page may go.

use anyhow::{Result, ensure};
use serde_json::json;

super::screen! {
    /// The page Models, and the dialog of the head that leads to it.
    Endpoints
    says { is_priced "@priced" }
    shows { passes_to_the_end "[data-check='Stream'][data-outcome='ok']", offers_reload "@reload" }
    clicks { checks "check", forgets_key "forget-key", allows_only_this "only" }
    presses { back_to_solve "nav[aria-label='Pages'] a[href='#/solve']" }
    chooses { speaks "protocol" }
    values { model "endpoint-model" }
    gets { uses "use-this" => ".report.ok" }
}

impl Endpoints<'_> {
    /// Types an address, a model, and a key if there is one.
    pub(crate) async fn fills_in(&self, url: &str, model: &str, key: &str) -> Result<()> {
        self.type_into("endpoint-url", url).await?;
        if !model.is_empty() {
            self.type_into("endpoint-model", model).await?;
        }
        if key.is_empty() { Ok(()) } else { self.type_into("endpoint-key", key).await }
    }

    /// Waits until every check has passed, to the last.
    pub(crate) async fn all_pass(&self) -> Result<()> {
        self.passes_to_the_end().await?;
        let wrong = self.count("[data-outcome='no'], [data-outcome='doubt']").await?;
        ensure!(wrong == 0, "{}", self.text(".checks").await?);
        Ok(())
    }

    /// Waits until a check has failed; gives its words.
    pub(crate) async fn fails_at(&self, check: &str) -> Result<String> {
        let css = format!("[data-check='{check}'][data-outcome='no']");
        self.find(&css).await?;
        self.given(&format!("document.querySelector({}).parentElement.textContent", json!(css)))
            .await
    }

    /// Keeps the key for the `tab`, or on the `device`.
    pub(crate) async fn keeps_key(&self, place: &str) -> Result<()> {
        self.click(&format!("keep-{place}")).await
    }

    /// Waits until an endpoint is the one that may be asked.
    pub(crate) async fn allows(&self, url: &str) -> Result<()> {
        self.until_text("[data-testid='allowed']", &url.replace("/v1", "")).await
    }

    /// Waits until the address has a value in its field.
    pub(crate) async fn asks_at(&self, url: &str) -> Result<()> {
        self.until_value("endpoint-url", url).await
    }

    /// Whether the page can ask an address.
    pub(crate) async fn can_ask(&self, url: &str) -> Result<bool> {
        let script = "return fetch(given[0]).then(() => true, () => false)";
        Ok(self.promised(script, vec![json!(url)]).await? == json!(true))
    }

    /// Takes that offer, and waits for the page that comes then.
    pub(crate) async fn takes_reload(&self) -> Result<()> {
        self.run("window.is_old = true", vec![]).await?;
        self.click("reload").await?;
        self.until("the page is loaded again", "return window.is_old === undefined").await
    }

    /// Goes to Models by links alone, which keeps what is on Solve.
    pub(crate) async fn goes_there_by_links(&self) -> Result<()> {
        self.press("nav[aria-label='Pages'] a[href='#/tools']").await?;
        self.press(".below a[href='#/endpoints']").await
    }

    /// Adds the price of a model, of its input and its output.
    pub(crate) async fn adds_price(&self, model: &str, input: &str, output: &str) -> Result<()> {
        self.press("[data-testid='price-table'] summary").await?;
        self.click("add-price").await?;
        for (kind, price) in [("input", input), ("output", output)] {
            let css = format!("input[aria-label='Price of {kind} tokens of {model}']");
            self.find(&css).await?.send_keys(&format!("{price}\t")).await?;
        }
        Ok(())
    }

    /// Opens the dialog of the head at the endpoint.
    pub(crate) async fn opens_dialog(&self) -> Result<()> {
        self.click("endpoint").await?;
        self.click("use-endpoint").await
    }

    /// Looks at the dialog in every window: nothing in it scrolls sideways.
    pub(crate) async fn dialog_fits(&self) -> Result<()> {
        self.fits("dialog", None).await?;
        for (width, height) in crate::browser::WINDOWS {
            self.becomes(width, height, "light").await?;
            let fits = "const d = document.querySelector('dialog.endpoint');
                return d.scrollWidth <= d.clientWidth";
            self.until("nothing in the dialog scrolls sideways", fits).await?;
        }
        Ok(())
    }

    /// Follows the dialog to the page, which closes it.
    pub(crate) async fn follows_dialog(&self) -> Result<()> {
        self.press("dialog.endpoint .more").await?;
        self.by_id("check").await?;
        self.until_gone("dialog[open]").await
    }
}
