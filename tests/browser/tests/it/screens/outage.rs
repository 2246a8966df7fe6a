//! What fails around the page: engines that end or cannot be loaded, a store that never answers.

use anyhow::{Result, ensure};
use serde_json::json;

use crate::browser::{base, cut_waits_of};

/// What a test reads of faults that nobody caught.
pub(crate) const NOTE_FAULTS: &str = "window.faults = [];
    addEventListener('error', (e) => faults.push(e.message));
    addEventListener('unhandledrejection', (e) => faults.push(`${e.reason}`));";

/// Keeps every worker that the page starts within reach, with its name.
const KEEP_WORKERS: &str = "window.workers = [];
    window.Worker = class extends Worker {
        constructor(url, options) { super(url, options); workers.push([options?.name ?? '', this]); }
    };";

/// An opening that neither comes nor fails, as some browsers have it in private windows.
const SILENT_STORE: &str = "IDBFactory.prototype.open = function () {
        const waits = Object.create(IDBOpenDBRequest.prototype);
        return new Proxy(new EventTarget(), {
            get: (t, k) => k === 'addEventListener' || waits[k] instanceof Function ? () => {} : null,
            set: () => true,
            getPrototypeOf: () => IDBOpenDBRequest.prototype,
        });
    };";

super::screen! {
    /// What is around the page.
    Outage
    clicks { tries_again "again", loads_the_new_page "reload-updated" }
    has { has_update "@updated" }
    shows { is_told_of_the_update "@updated" }
}

impl Outage<'_> {
    /// Keeps engines within reach, on every page that is loaded from now on.
    pub(crate) async fn reaches_engines(&self) -> Result<()> {
        self.before_pages(KEEP_WORKERS).await
    }

    /// Ends the youngest engine of a kind, as a browser ends one: the page hears nothing of it.
    pub(crate) async fn ends_engine(&self, kind: &str) -> Result<()> {
        self.has_youngest(kind, "terminate()").await
    }

    /// Lets the youngest engine of a kind break, as one does whose memory is full.
    pub(crate) async fn breaks_engine(&self, kind: &str) -> Result<()> {
        let breaks = "dispatchEvent(new ErrorEvent('error', { message: 'unreachable' }))";
        self.has_youngest(kind, breaks).await
    }

    async fn has_youngest(&self, kind: &str, end: &str) -> Result<()> {
        let script = format!(
            "const found = workers.filter(([n]) => n.startsWith(`${{arguments[0]}}-`));
             found.at(-1)?.[1].{end};
             return found.length > 0"
        );
        ensure!(self.run(&script, vec![json!(kind)]).await? == true, "no engine of {kind} runs");
        Ok(())
    }

    /// Waits until `n` engines of a kind were started.
    pub(crate) async fn has_started(&self, kind: &str, n: usize) -> Result<()> {
        let are = format!(
            "return workers.filter(([n]) => n.startsWith({})).length === {n}",
            json!(format!("{kind}-"))
        );
        self.until(&format!("{n} engines of {kind}"), &are).await
    }

    /// Lets no store answer, on every page that is loaded from now on.
    pub(crate) async fn silences_stores(&self) -> Result<()> {
        // A page gives them up after ten seconds.
        self.before_pages(&format!("{SILENT_STORE}{}", cut_waits_of(10_000))).await
    }

    /// Leaves the page room for so many bytes in the browser's storage, or as much as there is.
    pub(crate) async fn leaves_room_for(&self, bytes: Option<u32>) -> Result<()> {
        let mut room = json!({ "origin": base()?.trim_end_matches('/') });
        if let Some(bytes) = bytes {
            room["quotaSize"] = json!(bytes);
        }
        self.devtools("Storage.overrideQuotaForOrigin", room).await
    }

    /// Takes the files of engines away, or gives them back; notes faults that nobody catches.
    pub(crate) async fn loads_engines(&self, can: bool) -> Result<()> {
        if can {
            self.run("restore()", vec![]).await?;
            return Ok(());
        }
        self.run(NOTE_FAULTS, vec![]).await?;
        let script = "const { Worker } = window;
            window.Worker = class extends Worker {
                constructor(url, options) { super(url.replace('worker.js', 'gone.js'), options); }
            };
            window.restore = () => { window.Worker = Worker; };";
        self.run(script, vec![]).await?;
        Ok(())
    }

    /// Fails if there was a fault that nobody caught.
    pub(crate) async fn caught_all(&self) -> Result<()> {
        let faults = self.run("return faults", vec![]).await?;
        ensure!(faults == json!([]), "{faults}");
        Ok(())
    }
}
