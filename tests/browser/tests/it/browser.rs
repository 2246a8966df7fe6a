//! A browser of our own for each test, and the companion as an endpoint.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use fantoccini::elements::Element;
use fantoccini::wd::{TimeoutConfiguration, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::process::{Child, Command};

use crate::quiet;

mod companion;

pub(crate) use companion::Companion;

/// The longest that anything on the page may take. It says that something never comes, not that it is
/// slow: on a machine with other work all takes many times as long.
const PATIENCE: Duration = Duration::from_secs(120);

/// For how long a page looks for something before it is asked again.
const LOOKS_MS: u32 = 2_000;

/// A browser with the page in it.
pub(crate) struct Browser {
    pub(crate) client: Client,
    // Ends with the test.
    _driver: Child,
    profile: PathBuf,
    // Other tests that measure wait for it.
    _open: quiet::Open,
}

impl Drop for Browser {
    /// Ends the browser too: a driver that is killed leaves it running.
    fn drop(&mut self) {
        let mine = format!("user-data-dir={}", self.profile.display());
        let _ = std::process::Command::new("pkill").args(["-9", "-f", &mine]).status();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}

/// Where the page is served.
pub(crate) fn base() -> Result<String> {
    std::env::var("GRAPHGROUND_URL").context("run these tests with `cargo xtask test`")
}

/// What Chromium says of WebGPU where it has none for want of a graphics processor.
const NO_WEBGPU: [&str; 3] =
    ["No available adapters", "WebGPU Context Provider", "WebGPU is experimental"];

/// Among the arguments for the browser: its person wants motion.
const MOVES: &str = "moves";

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
        Self::open_at(&format!("{}{hash}", base()?), width, height, scheme, &[]).await
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
        Self::open_at(&format!("{}{hash}", base()?), width, height, scheme, &[MOVES]).await
    }

    /// The same at a whole address, with more arguments for the browser.
    pub(crate) async fn open_at(
        url: &str,
        width: u32,
        height: u32,
        scheme: &str,
        more: &[&str],
    ) -> Result<Self> {
        let browser = Self::open_plain_with(url, width, height, scheme, more).await?;
        browser.find("main").await.context("the page did not start")?;
        Ok(browser)
    }

    /// Lets a script play the model.
    pub(crate) async fn play_script(&self, name: &str) -> Result<()> {
        self.click("endpoint").await?;
        self.click("use-script").await?;
        self.choose("script", name).await?;
        self.click("use").await
    }

    /// Opens any page.
    pub(crate) async fn open_plain(
        url: &str,
        width: u32,
        height: u32,
        scheme: &str,
    ) -> Result<Self> {
        Self::open_plain_with(url, width, height, scheme, &[]).await
    }

    async fn open_plain_with(
        url: &str,
        width: u32,
        height: u32,
        scheme: &str,
        more: &[&str],
    ) -> Result<Self> {
        let open = quiet::open();
        let port = free_port()?;
        let driver = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .context("chromedriver does not start; is it installed?")?;
        let profile = std::env::temp_dir().join(format!("graphground-browser-{port}"));
        let mut args = vec![
            "--headless=new".to_owned(),
            "--no-sandbox".into(),
            "--disable-gpu".into(),
            "--disable-quic".into(),
            "--no-first-run".into(),
            "--disable-background-networking".into(),
            "--disable-component-update".into(),
            "--disable-sync".into(),
            "--disable-dev-shm-usage".into(),
            // The address bar's lists are two pages of their own in each window since Chromium 156: seconds
            // of work in every test, for what nobody sees.
            "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup".into(),
            format!("--user-data-dir={}", profile.display()),
            format!("--window-size={width},{height}"),
        ];
        if more.iter().any(|arg| arg.starts_with("--use-angle")) {
            args.retain(|arg| arg != "--disable-gpu");
        }
        args.extend(more.iter().filter(|arg| **arg != MOVES).map(|&arg| arg.to_owned()));
        if !more.contains(&MOVES) {
            args.push("--force-prefers-reduced-motion".into());
        }
        if scheme == "dark" {
            args.push("--blink-settings=preferredColorScheme=0".into());
        }
        let mut options = json!({ "args": args });
        if width < 500 {
            // A window has a least width; a phone does not.
            options["mobileEmulation"] =
                json!({ "deviceMetrics": { "width": width, "height": height, "pixelRatio": 1.0 } });
        }
        let capabilities = json!({
            "goog:chromeOptions": options,
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
        });
        let Value::Object(capabilities) = capabilities else { bail!("no capabilities") };
        let mut last = None;
        for _ in 0..100 {
            tokio::time::sleep(Duration::from_millis(100)).await;
            let mut builder = ClientBuilder::new(HttpConnector::new());
            builder.capabilities(capabilities.clone());
            match builder.connect(&format!("http://127.0.0.1:{port}")).await {
                Ok(client) => {
                    let browser = Self { client, _driver: driver, profile, _open: open };
                    // The driver's own patience with a page is five minutes.
                    let patience = TimeoutConfiguration::new(Some(PATIENCE), Some(PATIENCE), None);
                    browser.client.update_timeouts(patience).await?;
                    browser.client.goto(url).await?;
                    return Ok(browser);
                }
                Err(error) => last = Some(error),
            }
        }
        bail!("no browser: {last:?}")
    }

    /// The first element that a selector finds, once it is there.
    pub(crate) async fn find(&self, css: &str) -> Result<Element> {
        self.client
            .wait()
            .at_most(PATIENCE)
            .for_element(Locator::Css(css))
            .await
            .with_context(|| format!("nothing on the page is {css}"))
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
        self.find(css).await?;
        // A click goes to a place: what moves in between hands it to what stands there then. So it waits
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
        // What was drawn anew meanwhile is another element.
        let element = self.find(css).await?;
        let Err(why) = element.click().await else { return Ok(()) };
        if !why.to_string().contains("intercepted") {
            return Err(why).with_context(|| format!("cannot click {css}"));
        }
        // What stands under the bar of a phone is scrolled over it, as a person does.
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

    /// Moves the player's cursor behind so many steps.
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
        let body = self.text("body").await.unwrap_or_default();
        let body: String = body.chars().take(3000).collect();
        bail!("waited in vain until {what}; the page says:\n{body}")
    }

    /// Waits until a text is somewhere in what a selector finds.
    pub(crate) async fn until_text(&self, css: &str, text: &str) -> Result<()> {
        let script = format!(
            "return [...document.querySelectorAll({})].some(e => e.textContent.includes({}))",
            json!(css),
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
        let mine = format!("user-data-dir={}", self.profile.display());
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
        let body = json!({ "cmd": command, "params": parameters });
        self.client.issue_cmd(DriverCommand("goog/cdp/execute", body)).await?;
        Ok(())
    }

    /// Puts the page into a window of another size and the other colours, as it stands.
    pub(crate) async fn becomes(&self, width: u32, height: u32, scheme: &str) -> Result<()> {
        let metrics = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false,
        });
        self.devtools("Emulation.setDeviceMetricsOverride", metrics).await?;
        let media = json!({ "features": [
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ] });
        self.devtools("Emulation.setEmulatedMedia", media).await?;
        let is_so = format!(
            "return innerWidth === {width} && matchMedia('(prefers-color-scheme: {scheme})').matches"
        );
        self.until("the window is another", &is_so).await
    }

    /// Fails if axe-core finds something on the page that a screen reader or a keyboard cannot use.
    pub(crate) async fn is_accessible(&self, what: &str) -> Result<()> {
        let path = std::env::var_os("GRAPHGROUND_AXE").context(
            "GRAPHGROUND_AXE names no axe.min.js; `cargo xtask test` fetches one and sets it",
        )?;
        // The page's policy lets no other script in; what a driver runs is none of the page.
        self.client.execute(&std::fs::read_to_string(path)?, vec![]).await?;
        let script = "const found = await axe.run(document, { resultTypes: ['violations'] });
            return found.violations.map((rule) => `${rule.id} (${rule.impact}): ` +
                rule.nodes.slice(0, 4).map((node) => node.target.join(' ')).join(', '))";
        let found = self.promised(script, vec![]).await?;
        let found: Vec<String> = serde_json::from_value(found)?;
        ensure!(found.is_empty(), "{what}: axe finds {found:#?}");
        Ok(())
    }

    /// How many elements a selector finds.
    pub(crate) async fn count(&self, css: &str) -> Result<usize> {
        Ok(self.client.find_all(Locator::Css(css)).await?.len())
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

    /// What was written to one of the driver's logs since it was read last.
    async fn log(&self, kind: &'static str) -> Result<Vec<Value>> {
        let lines = self.client.issue_cmd(DriverCommand("se/log", json!({ "type": kind }))).await?;
        Ok(serde_json::from_value(lines)?)
    }

    /// The address of every request that the page made, as the browser itself tells them.
    pub(crate) async fn requests(&self) -> Result<Vec<String>> {
        let mut urls = Vec::new();
        for line in self.log("performance").await? {
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
        let lines = self.log("browser").await?;
        let severe = lines.iter().filter(|l| l["level"] == "SEVERE" || l["level"] == "WARNING");
        let messages = severe.map(|l| l["message"].as_str().unwrap_or_default().to_owned());
        // Where a browser has no WebGPU, or only tries it, it says so; the page goes on without.
        let is_of_page = |message: &String| !NO_WEBGPU.iter().any(|said| message.contains(said));
        Ok(messages.filter(is_of_page).collect())
    }

    /// Ends the browser, after a look at what it complained about.
    pub(crate) async fn close(self) -> Result<()> {
        let broken = self.count(".panic").await?;
        if broken > 0 {
            bail!("the page broke: {}", self.text(".panic").await?);
        }
        self.client.clone().close().await?;
        Ok(())
    }
}

/// A command that ChromeDriver alone has: where it is asked, and what for.
#[derive(Debug)]
struct DriverCommand(&'static str, Value);

impl WebDriverCompatibleCommand for DriverCommand {
    fn endpoint(
        &self,
        base: &url::Url,
        session: Option<&str>,
    ) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.0))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.1.to_string()))
    }
}

/// The folder of build output.
pub(crate) fn target() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target")
}

/// A file with a text in it, for an upload.
pub(crate) fn file(name: &str, text: &str) -> Result<PathBuf> {
    let folder = target().join("uploads");
    std::fs::create_dir_all(&folder)?;
    let path = folder.join(name);
    std::fs::write(&path, text)?;
    Ok(path.canonicalize()?)
}
