//! A browser for each test, and the companion as an endpoint.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use fantoccini::elements::Element;
use fantoccini::{Client, Locator};
use serde_json::{Value, json};

use crate::quiet;
use chromium::Chromium;

mod acts;
mod chromium;
mod companion;
mod folder;

pub(crate) use acts::{WINDOWS, cut_waits_of};
pub(crate) use companion::Companion;
pub(crate) use folder::{Folder, NO_NETWORK, one_file};

/// The longest that anything on the page may take. It says that something never comes, not that it is
/// slow: on a machine with other work all takes many times as long.
const PATIENCE: Duration = Duration::from_secs(120);

/// For how long a page looks for something before it is asked again.
const LOOKS_MS: u32 = 2_000;

/// A browser with the page in it.
pub(crate) struct Browser {
    pub(crate) client: Client,
    // Ends with the test, unless the test comes to its end and closes it.
    chromium: Chromium,
    // Other tests that measure wait for it.
    _open: quiet::Open,
}

/// How a page is looked at.
#[derive(Clone, Copy)]
struct Look<'a> {
    width: u32,
    height: u32,
    scheme: &'a str,
    /// Whether its person wants motion.
    moves: bool,
}

impl Look<'_> {
    /// A window has bars of its own, and is used with a mouse; a phone has neither.
    fn is_phone(&self) -> bool {
        self.width < 500
    }
}

/// Where the page is served.
pub(crate) fn base() -> Result<String> {
    std::env::var("GRAPHGROUND_URL").context("run these tests with `cargo xtask test`")
}

/// What the browser's own bars take of a window's height, in pixels.
const BARS: u32 = 143;

fn free_port() -> Result<u16> {
    Ok(std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

impl Browser {
    /// Opens the page at an address such as `#/solve`.
    pub(crate) async fn open(hash: &str) -> Result<Self> {
        Self::open_sized(hash, 1280, 800, "light").await
    }

    /// The same in a window of some size, light or dark.
    pub(crate) async fn open_sized(
        hash: &str,
        width: u32,
        height: u32,
        scheme: &str,
    ) -> Result<Self> {
        let look = Look { width, height, scheme, moves: false };
        Self::started(Chromium::take(&[]), look, &format!("{}{hash}", base()?)).await
    }

    /// The same for somebody who wants motion: runs play step by step. Others see how a run ends at once,
    /// which spares seconds in every test.
    pub(crate) async fn open_playing(hash: &str) -> Result<Self> {
        Self::open_playing_sized(hash, 1280, 800, "light").await
    }

    /// The same in a window of some size, light or dark.
    pub(crate) async fn open_playing_sized(
        hash: &str,
        width: u32,
        height: u32,
        scheme: &str,
    ) -> Result<Self> {
        let look = Look { width, height, scheme, moves: true };
        Self::started(Chromium::take(&[]), look, &format!("{}{hash}", base()?)).await
    }

    /// The same at a whole address, in a browser that was started with more switches. What is asked for is
    /// noted from the first request on.
    pub(crate) async fn open_at(
        url: &str,
        width: u32,
        height: u32,
        scheme: &str,
        switches: &[&str],
    ) -> Result<Self> {
        let look = Look { width, height, scheme, moves: false };
        let noting = async {
            let chromium = Chromium::take(switches).await?;
            chromium::note_requests(&chromium.client).await?;
            Ok(chromium)
        };
        Self::started(noting, look, url).await
    }

    /// Opens any page.
    pub(crate) async fn open_plain(
        url: &str,
        width: u32,
        height: u32,
        scheme: &str,
    ) -> Result<Self> {
        let look = Look { width, height, scheme, moves: false };
        Self::shown(Chromium::take(&[]), look, url).await
    }

    /// The same in a new browser, which no test had before: nothing is in its caches.
    pub(crate) async fn open_new(url: &str) -> Result<Self> {
        let look = Look { width: 1280, height: 800, scheme: "light", moves: false };
        Self::shown(Chromium::start(&[]), look, url).await
    }

    async fn shown(
        chromium: impl Future<Output = Result<Chromium>>,
        look: Look<'_>,
        url: &str,
    ) -> Result<Self> {
        // Before it takes a browser: one that waits keeps none.
        let open = quiet::open();
        let chromium = chromium.await?;
        let browser = Self { client: chromium.client.clone(), chromium, _open: open };
        let height = if look.is_phone() { look.height } else { look.height - BARS };
        browser.looks(Look { height, ..look }).await?;
        browser.client.goto(url).await?;
        Ok(browser)
    }

    async fn started(
        chromium: impl Future<Output = Result<Chromium>>,
        look: Look<'_>,
        url: &str,
    ) -> Result<Self> {
        let browser = Self::shown(chromium, look, url).await?;
        browser.find("main").await.context("the page did not start")?;
        Ok(browser)
    }

    /// Has pages be looked at in another way from now on.
    async fn looks(&self, look: Look<'_>) -> Result<()> {
        let Look { width, height, scheme, moves } = look;
        let is_phone = look.is_phone();
        let metrics = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_phone,
        });
        self.devtools("Emulation.setDeviceMetricsOverride", metrics).await?;
        let touch = json!({ "enabled": is_phone });
        self.devtools("Emulation.setTouchEmulationEnabled", touch).await?;
        let motion = if moves { "no-preference" } else { "reduce" };
        let media = json!({ "features": [
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": motion },
        ] });
        self.devtools("Emulation.setEmulatedMedia", media).await
    }

    /// Lets a script play the model.
    pub(crate) async fn play_script(&self, name: &str) -> Result<()> {
        self.click("endpoint").await?;
        self.click("use-script").await?;
        self.choose("script", name).await?;
        self.click("use").await
    }

    /// The first element that a selector finds, once it is there.
    pub(crate) async fn find(&self, css: &str) -> Result<Element> {
        let css = acts::css(css);
        let locator = Locator::Css(&css);
        if let Ok(found) = self.client.find(locator).await {
            return Ok(found);
        }
        let is_there = format!("return document.querySelector({}) !== null", json!(css));
        self.until(&format!("something on the page is {css}"), &is_there).await?;
        Ok(self.client.find(locator).await?)
    }

    /// An element by its test id.
    pub(crate) async fn by_id(&self, id: &str) -> Result<Element> {
        self.find(&format!("[data-testid='{id}']")).await
    }

    /// Clicks what a test id names.
    /// A button that cannot be pressed yet is waited for, as a person does.
    pub(crate) async fn click(&self, id: &str) -> Result<()> {
        self.press(&format!("[data-testid='{id}']:not(:disabled)")).await
    }

    /// Clicks what a selector finds.
    pub(crate) async fn press(&self, css: &str) -> Result<()> {
        let css = &*acts::css(css);
        self.find(css).await?;
        // A click goes to a place: what moves in between hands it to whatever is there then. So it waits
        // until two frames show the element in the same place, as a hand does, for a second at most.
        let rests = "
            const where = () => {
                const box = document.querySelector(given[0])?.getBoundingClientRect();
                return box ? `${box.x} ${box.y} ${box.width} ${box.height}` : '';
            };
            const frame = () => new Promise((go) => { requestAnimationFrame(go); setTimeout(go, 100); });
            const until = performance.now() + 1000;
            for (let before = null; performance.now() < until;) {
                const now = where();
                if (now === before) break;
                before = now;
                await frame();
            }";
        self.promised(rests, vec![json!(css)]).await?;
        // What was drawn again meanwhile is another element.
        let element = self.find(css).await?;
        let Err(why) = element.click().await else { return Ok(()) };
        if !why.to_string().contains("intercepted") {
            return Err(why).with_context(|| format!("cannot click {css}"));
        }
        // What is under the bar of a phone is scrolled over it, as a person does.
        let over = "document.querySelector(arguments[0])?.scrollIntoView({ block: 'nearest' })";
        self.run(over, vec![json!(css)]).await?;
        self.find(css).await?.click().await.with_context(|| format!("cannot click {css}"))
    }

    /// Types into an emptied field.
    pub(crate) async fn type_into(&self, id: &str, text: &str) -> Result<()> {
        let field = self.by_id(id).await?;
        field.clear().await?;
        field.send_keys(text).await?;
        Ok(())
    }

    /// Chooses an option by its value, once it is there: what a worker tells may come later.
    pub(crate) async fn choose(&self, id: &str, value: &str) -> Result<()> {
        let is_there = format!(
            "return [...document.querySelectorAll(\"[data-testid='{id}'] option\")]
                 .some(o => o.value === {})",
            json!(value)
        );
        self.until(&format!("{id} has the option {value:?}"), &is_there).await?;
        let script = "const s = document.querySelector(`[data-testid='${arguments[0]}']`);
            s.value = arguments[1];
            s.dispatchEvent(new Event('change', { bubbles: true }));
            return s.value;";
        let now = self.run(script, vec![json!(id), json!(value)]).await?;
        if now != json!(value) {
            bail!("{id} has no option {value:?}");
        }
        Ok(())
    }

    /// Moves the player's cursor behind `step` steps.
    pub(crate) async fn seek(&self, step: usize) -> Result<()> {
        let script = "const s = document.querySelector('[data-testid=seek]');
            s.value = arguments[0];
            s.dispatchEvent(new Event('input', { bubbles: true }));
            return s.value";
        self.by_id("seek").await?;
        let now = self.run(script, vec![json!(step)]).await?;
        if now != json!(step.to_string()) {
            bail!("the player has no step {step}: it went to {now}");
        }
        Ok(())
    }

    /// Moves the player's cursor behind the last step.
    pub(crate) async fn seek_end(&self) -> Result<()> {
        let script = "const s = document.querySelector('[data-testid=seek]');
            s.value = s.max;
            s.dispatchEvent(new Event('input', { bubbles: true }))";
        self.by_id("seek").await?;
        self.run(script, vec![]).await?;
        Ok(())
    }

    /// The paths of all pages, as the page lists them.
    pub(crate) async fn pages(&self) -> Result<Vec<String>> {
        self.find("[data-pages]").await?;
        let list = "return document.querySelector('[data-pages]').dataset.pages.split(' ')";
        let list: Vec<String> = serde_json::from_value(self.run(list, vec![]).await?)?;
        if list.len() < 10 {
            bail!("the page lists only {list:?}");
        }
        Ok(list)
    }

    /// By how many pixels the page, or its column of settings, scrolls sideways.
    pub(crate) async fn sideways(&self) -> Result<f64> {
        let script = "const d = document.documentElement, m = document.querySelector('main');
            const left = [...document.querySelectorAll('.columns > .left')];
            return Math.max(...[d, m, ...left].map(e => e.scrollWidth - e.clientWidth))";
        self.run(script, vec![]).await?.as_f64().context("no number")
    }

    /// Chooses an option by its text.
    pub(crate) async fn choose_text(&self, css: &str, text: &str) -> Result<()> {
        let script = "const s = document.querySelector(arguments[0]);
            const o = [...s.options].find(o => o.textContent.trim() === arguments[1]);
            if (!o) return false;
            s.value = o.value;
            s.dispatchEvent(new Event('change', { bubbles: true }));
            return true;";
        if self.run(script, vec![json!(css), json!(text)]).await? != json!(true) {
            bail!("{css} has no option {text:?}");
        }
        Ok(())
    }

    /// Runs a script.
    pub(crate) async fn run(&self, script: &str, arguments: Vec<Value>) -> Result<Value> {
        Ok(self.client.execute(script, arguments).await?)
    }

    /// What a script's promise gives; the script knows its arguments as `given`.
    pub(crate) async fn promised(&self, script: &str, arguments: Vec<Value>) -> Result<Value> {
        let script = format!(
            "const done = arguments[arguments.length - 1];
             const given = [...arguments].slice(0, -1);
             (async (...given) => {{ {script} }})(...given)
                 .then((v) => done({{ gave: v ?? null }}), (e) => done({{ failed: `${{e}}` }}));"
        );
        let gave = self.client.execute_async(&script, arguments).await?;
        if let Some(failed) = gave["failed"].as_str() {
            bail!("{failed}");
        }
        Ok(gave["gave"].clone())
    }

    /// The text of what a selector finds.
    pub(crate) async fn text(&self, css: &str) -> Result<String> {
        Ok(self.find(css).await?.text().await?)
    }

    /// Waits until a script gives true.
    pub(crate) async fn until(&self, what: &str, script: &str) -> Result<()> {
        self.until_within(what, script, PATIENCE.as_secs()).await
    }

    /// The same with another patience, in seconds.
    pub(crate) async fn until_within(&self, what: &str, script: &str, seconds: u64) -> Result<()> {
        // The page itself looks again and again: to ask it each time through the driver would take more of
        // the processor than many a page does.
        let looks = format!(
            "const is_so = () => {{ {script} }};
             const until = performance.now() + {LOOKS_MS};
             while (await is_so() !== true) {{
                 if (performance.now() > until) return false;
                 await new Promise((go) => setTimeout(go, 40));
             }}
             return true"
        );
        let end = Instant::now() + Duration::from_secs(seconds);
        loop {
            match self.promised(&looks, vec![]).await {
                Ok(Value::Bool(true)) => return Ok(()),
                Ok(_) => {}
                // A page that goes takes its promise along, and the next one is asked.
                Err(_) if self.run(script, vec![]).await? == json!(true) => return Ok(()),
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
            if Instant::now() > end {
                break;
            }
        }
        let body = self.run("return document.body.innerText.slice(0, 3000)", vec![]).await;
        let body = body.as_ref().ok().and_then(Value::as_str).unwrap_or_default();
        bail!("waited in vain until {what}; the page says:\n{body}")
    }

    /// Waits until a text is somewhere in what a selector finds.
    pub(crate) async fn until_text(&self, css: &str, text: &str) -> Result<()> {
        let script = format!(
            "return [...document.querySelectorAll({})].some(e => e.textContent.includes({}))",
            json!(acts::css(css)),
            json!(text)
        );
        self.until(&format!("{css} says {text:?}"), &script).await
    }

    /// Milliseconds of every task of the page over 50 ms since it was opened, the longest first.
    pub(crate) async fn long_tasks(&self) -> Result<Vec<f64>> {
        let found = self
            .client
            .execute_async(
                "const done = arguments[0];
                 const all = [];
                 new PerformanceObserver(l => all.push(...l.getEntries().map(e => e.duration)))
                     .observe({ type: 'longtask', buffered: true });
                 setTimeout(() => done(all.sort((a, b) => b - a)), 300);",
                vec![],
            )
            .await?;
        Ok(serde_json::from_value(found)?)
    }

    /// The memory in megabytes of this browser's largest process, in which the page and its workers
    /// run.
    pub(crate) fn memory_mb(&self) -> u64 {
        let mine = format!("user-data-dir={}", self.chromium.profile.display());
        let of = |entry: std::fs::DirEntry| {
            let command = std::fs::read(entry.path().join("cmdline")).ok()?;
            if !String::from_utf8_lossy(&command).contains(&mine) {
                return None;
            }
            let status = std::fs::read_to_string(entry.path().join("status")).ok()?;
            let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
            line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()
        };
        let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        all.filter_map(of).max().unwrap_or(0) / 1000
    }

    /// Has a script run before any of the page, whenever a page is opened from now on.
    pub(crate) async fn before_pages(&self, script: &str) -> Result<()> {
        self.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script })).await
    }

    /// A command of the browser's own tools.
    pub(crate) async fn devtools(&self, command: &'static str, parameters: Value) -> Result<()> {
        chromium::devtools(&self.client, command, parameters).await
    }

    /// Puts the page, as it is, into a window or a phone of another size, light or dark.
    pub(crate) async fn becomes(&self, width: u32, height: u32, scheme: &str) -> Result<()> {
        self.looks(Look { width, height, scheme, moves: false }).await?;
        let is_so = format!(
            "return matchMedia('(width: {width}px) and (prefers-color-scheme: {scheme})').matches"
        );
        self.until("the window is another", &is_so).await
    }

    /// The same, light, for somebody who wants motion.
    pub(crate) async fn becomes_playing(&self, width: u32, height: u32) -> Result<()> {
        self.looks(Look { width, height, scheme: "light", moves: true }).await
    }

    /// Fails if axe-core finds something on the page that a screen reader or a keyboard cannot use.
    pub(crate) async fn is_accessible(&self, what: &str) -> Result<()> {
        self.axe_finds_nothing(what, json!({})).await
    }

    /// The same of its colours alone, for a page that was light when [`Self::is_accessible`] looked.
    pub(crate) async fn has_contrast(&self, what: &str) -> Result<()> {
        self.axe_finds_nothing(what, json!({ "runOnly": { "type": "rule", "values": ["color-contrast", "link-in-text-block"] } })).await
    }

    async fn axe_finds_nothing(&self, what: &str, rules: Value) -> Result<()> {
        let path = std::env::var_os("GRAPHGROUND_AXE").context(
            "GRAPHGROUND_AXE names no axe.min.js; `cargo xtask test` fetches one and sets it",
        )?;
        if self.run("return typeof axe === 'undefined'", vec![]).await? == json!(true) {
            // The page's policy lets no other script in; what a driver runs is none of the page.
            self.client.execute(&std::fs::read_to_string(path)?, vec![]).await?;
        }
        let script =
            "const found = await axe.run(document, { resultTypes: ['violations'], ...given[0] });
            return found.violations.map((rule) => `${rule.id} (${rule.impact}): ` +
                rule.nodes.slice(0, 4).map((node) => node.target.join(' ')).join(', '))";
        let found = self.promised(script, vec![rules]).await?;
        let found: Vec<String> = serde_json::from_value(found)?;
        ensure!(found.is_empty(), "{what}: axe finds {found:#?}");
        Ok(())
    }

    /// How many elements a selector finds.
    pub(crate) async fn count(&self, css: &str) -> Result<usize> {
        Ok(self.client.find_all(Locator::Css(&acts::css(css))).await?.len())
    }

    /// Saves a picture under `target/screenshots`.
    pub(crate) async fn shoot(&self, name: &str) -> Result<()> {
        let folder = target().join("screenshots");
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join(format!("{name}.png")), self.client.screenshot().await?)?;
        Ok(())
    }

    /// Notes from now on the names of the workers that the page starts, for [`Self::workers`].
    pub(crate) async fn note_workers(&self) -> Result<()> {
        let script = "window.started = []; window.Worker = class extends Worker {
            constructor(url, options) { super(url, options); started.push(options?.name ?? ''); } }";
        self.run(script, vec![]).await?;
        Ok(())
    }

    /// How many workers of a kind the page has started since.
    pub(crate) async fn workers(&self, kind: &str) -> Result<usize> {
        let script = "return started.filter(n => n.startsWith(`${arguments[0]}-`)).length";
        let n = self.run(script, vec![json!(kind)]).await?;
        Ok(n.as_u64().context("no number")? as usize)
    }

    /// Notes from now on what the page asks for, for [`Self::requests`].
    pub(crate) async fn note_requests(&self) -> Result<()> {
        chromium::note_requests(&self.client).await
    }

    /// The address of every request that was noted since it was asked last, as the browser itself tells
    /// them.
    pub(crate) async fn requests(&self) -> Result<Vec<String>> {
        let mut urls = Vec::new();
        for line in chromium::log(&self.client, "performance").await? {
            let text = line["message"].as_str().context("a line without a message")?;
            let event: Value = serde_json::from_str(text)?;
            let event = &event["message"];
            if event["method"] == "Network.requestWillBeSent" {
                let url = event["params"]["request"]["url"].as_str();
                // What the browser's own first page asks for is none of ours.
                let is_ours = |url: &&str| !url.starts_with("chrome");
                urls.extend(url.filter(is_ours).map(ToOwned::to_owned));
            }
        }
        Ok(urls)
    }

    /// Fails if the browser's console complained about anything.
    pub(crate) async fn no_complaints(&self) -> Result<()> {
        let complaints = self.complaints().await?;
        anyhow::ensure!(complaints.is_empty(), "the console complains: {complaints:#?}");
        Ok(())
    }

    /// What the browser's console complained about since it was asked last, refusals of the
    /// security policy included.
    pub(crate) async fn complaints(&self) -> Result<Vec<String>> {
        let lines = chromium::log(&self.client, "browser").await?;
        let severe = lines.iter().filter(|l| l["level"] == "SEVERE" || l["level"] == "WARNING");
        Ok(severe.map(|l| l["message"].as_str().unwrap_or_default().to_owned()).collect())
    }

    /// Leaves the browser to the next test, after a look at what the page complained about.
    pub(crate) async fn close(self) -> Result<()> {
        let broken = self.count(".panic").await?;
        if broken > 0 {
            bail!("the page broke: {}", self.text(".panic").await?);
        }
        self.chromium.give_back().await;
        Ok(())
    }
}

/// The folder of build output.
pub(crate) fn target() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target")
}

/// A file for an upload. Each test has its own: another may write one of that name meanwhile.
pub(crate) fn file(name: &str, bytes: &(impl AsRef<[u8]> + ?Sized)) -> Result<PathBuf> {
    let test = std::thread::current().name().unwrap_or_default().replace("::", "-");
    let path = target().join("uploads").join(test).join(name);
    std::fs::create_dir_all(path.parent().context("no folder")?)?;
    std::fs::write(&path, bytes)?;
    Ok(path.canonicalize()?)
}
