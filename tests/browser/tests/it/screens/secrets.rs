//! Where a secret could lie: on the wire, in messages to engines, in storages, files and links.

use anyhow::Result;
use serde_json::json;

super::screen! {
    /// What of the page nobody sees.
    Secrets
}

impl Secrets<'_> {
    /// Notes from now on what leaves the page: requests with their keys, and messages to engines.
    pub(crate) async fn watches_the_wire(&self) -> Result<()> {
        let script = "window.seen = [];
            const before = window.fetch;
            window.fetch = (r, o) => {
                // The page loads its own parts by their addresses.
                if (r instanceof Request) {
                    seen.push(r.headers.get('authorization') ?? '');
                    window.space = r.targetAddressSpace;
                }
                return before(r, o);
            };
            const post = Worker.prototype.postMessage;
            window.posted = [];
            const plain = (_, v) => typeof v === 'bigint' ? String(v) : v instanceof Map ? [...v] : v;
            Worker.prototype.postMessage = function (m, ...rest) {
                posted.push(JSON.stringify(m, plain));
                return post.call(this, m, ...rest);
            };";
        self.run(script, vec![]).await?;
        Ok(())
    }

    /// The keys of requests that were sent.
    pub(crate) async fn sent(&self) -> Result<Vec<String>> {
        Ok(serde_json::from_value(self.run("return seen", vec![]).await?)?)
    }

    /// As what kind of an address the last one was asked.
    pub(crate) async fn asked_space(&self) -> Result<String> {
        self.given("space").await
    }

    /// Whether the storage of the tab, and that of the device, have some words.
    pub(crate) async fn stores(&self, words: &str) -> Result<[bool; 2]> {
        let script = "return [sessionStorage, localStorage]
            .map((s) => JSON.stringify(s).includes(arguments[0]))";
        Ok(serde_json::from_value(self.run(script, vec![json!(words)]).await?)?)
    }

    /// Saves the drawing of the run, by the dialog of Share.
    pub(crate) async fn saves_drawing(&self) -> Result<()> {
        self.click("share").await?;
        self.click("save-svg").await?;
        self.press("dialog.share footer button").await
    }

    /// Opens the run that was kept last; one without an answer has no steps.
    pub(crate) async fn opens_last_run(&self, has_steps: bool) -> Result<()> {
        self.press("[data-testid='kept-runs'] .open").await?;
        if has_steps {
            self.find(".step-row").await?;
        }
        Ok(())
    }

    /// The whole markup of the page as it is.
    pub(crate) async fn shown(&self) -> Result<String> {
        self.given("document.documentElement.outerHTML").await
    }
}
