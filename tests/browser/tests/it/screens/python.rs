//! The frame in which Python runs, on a page that is for tests alone.

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::served::Served;

/// Whether the page under test was built without Python, as its builder asked.
pub(crate) fn left_out() -> bool {
    let off = std::env::var_os("GRAPHGROUND_PYTHON").is_some_and(|value| value == "off");
    if off {
        println!("left out: GRAPHGROUND_PYTHON=off");
    }
    off
}

/// A page around the frame of Python.
pub(crate) struct Sandbox {
    browser: Browser,
    /// What the frame measured when it opened, and whether the page is isolated.
    pub(crate) figures: Value,
    _served: Served,
}

impl Sandbox {
    /// A page from a server with the headers that threads need, or from one that adds none.
    pub(crate) async fn served(isolated: bool) -> Result<Self> {
        let served = Served::start(isolated)?;
        let browser = Browser::open_plain(&served.url, 1280, 800, "light").await?;
        Ok(Self { browser, figures: Value::Null, _served: served })
    }

    /// Opens Python; `files` names others than those that ship.
    pub(crate) async fn open(mut self, files: Value) -> Result<Self> {
        self.figures = self.opened(files).await?;
        Ok(self)
    }

    /// What opening it measures.
    pub(crate) async fn opened(&self, files: Value) -> Result<Value> {
        let open = "while (!window.openPython) await new Promise((r) => setTimeout(r, 50));
            return { ...(await openPython(given[0])), isolated: crossOriginIsolated }";
        self.browser.promised(open, vec![files]).await
    }

    /// Runs a whole request.
    pub(crate) async fn ask(&self, request: Value, limit_ms: u32) -> Result<Value> {
        let script = "return python.run(given[0], given[1])";
        self.browser.promised(script, vec![request, json!(limit_ms)]).await
    }

    /// Runs code.
    pub(crate) async fn run(&self, code: &str) -> Result<Value> {
        self.ask(json!({ "code": code }), 20_000).await
    }

    /// Asks for two runs at once.
    pub(crate) async fn both(&self, first: &str, second: &str) -> Result<Value> {
        let both = "return Promise.all(given.map((code) => python.run({ code })))";
        self.browser.promised(both, vec![json!(first), json!(second)]).await
    }

    /// Runs code that must fail in some way, and then code that must not.
    pub(crate) async fn fails(&self, code: &str, kind: &str, limit_ms: u32) -> Result<Value> {
        let failed = self.ask(json!({ "code": code }), limit_ms).await?;
        ensure!(
            failed["ok"] == false && failed["kind"] == kind,
            "{code}: expected {kind}: {failed}"
        );
        let next = self.run("6 * 7").await?;
        ensure!(next["result"] == 42, "after {code}: {next}");
        Ok(failed)
    }

    /// What reached the page beside the frame's port.
    pub(crate) async fn overheard(&self) -> Result<Value> {
        self.browser.promised("return overheard", vec![]).await
    }

    /// Milliseconds of runs, of those after them, and of the code itself.
    pub(crate) async fn times(&self) -> Result<Value> {
        let script = "const found = { run: [], after: [], code: [] };
            for (let i = 0; i < 5; i += 1) {
              await new Promise((r) => setTimeout(r, 1000));
              let t = performance.now();
              const reply = await python.run({ code: 'nx.shortest_path(nx.path_graph(9), 0, 8)' });
              found.run.push(performance.now() - t); found.code.push(reply.took_ms);
              t = performance.now();
              await python.run({ code: '1' });
              found.after.push(performance.now() - t);
            }
            return Object.fromEntries(Object.entries(found).map(
                ([k, v]) => [k, v.sort((a, b) => a - b).map(Math.round)]))";
        self.browser.promised(script, vec![]).await
    }

    /// Leaves the browser to the next test.
    pub(crate) async fn close(self) -> Result<()> {
        self.browser.close().await
    }
}
