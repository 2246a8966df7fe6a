//! Chromiums that tests hand on to each other, so that there are as many as there are threads of tests.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::{io, thread};

use anyhow::{Context as _, Result, anyhow, bail};
use fantoccini::wd::{TimeoutConfiguration, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::runtime::{Builder, Handle};

use super::{PATIENCE, target};

/// Those that no test has.
static IDLE: Mutex<Vec<Chromium>> = Mutex::new(Vec::new());

/// Where the sessions with the drivers live: a test's own runtime ends with the test.
static RUNTIME: LazyLock<io::Result<Handle>> = LazyLock::new(|| {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let handle = runtime.handle().clone();
    thread::Builder::new().spawn(move || runtime.block_on(std::future::pending::<()>()))?;
    Ok(handle)
});

/// A line for each Chromium that was started: the test that did, and its switches.
static STARTS: LazyLock<io::Result<File>> =
    LazyLock::new(|| File::create(target().join("browser-starts.txt")));

/// Runs the driver until its input ends, be it that the test process was killed; then ends the browser
/// too, which a killed driver leaves running. `$1` is the browser's profile.
const KEEPER: &str = "trap : INT
    chromedriver --port=0 & driver=$!
    exec >&-
    read -r _
    kill -9 $driver
    while pkill -9 -f \"user-data-dir=$1\"; do sleep 0.02; done
    rm -rf \"$1\"";

/// The usual switches.
const SWITCHES: [&str; 11] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--window-size=1280,800",
    // The address bar's lists are two pages of their own in each window since Chromium 156: seconds of
    // work in every test, for what nobody sees.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup",
];

/// A browser with its driver, both of which end with it.
pub(super) struct Chromium {
    pub(super) client: Client,
    pub(super) profile: PathBuf,
    switches: Vec<String>,
    keeper: Child,
}

impl Drop for Chromium {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}

impl Chromium {
    /// One with such switches, as if it were new.
    pub(super) async fn take(switches: &[&str]) -> Result<Self> {
        let found = {
            let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
            let fitting = idle.iter().position(|chromium| chromium.switches == switches);
            // One with other switches makes room for the one that is started.
            fitting.map(|at| idle.remove(at)).or_else(|| idle.pop())
        };
        match found {
            Some(found) if found.switches == switches => Ok(found),
            other => {
                drop(other);
                Self::start(switches).await
            }
        }
    }

    /// Leaves it to the next test, with nothing of this one in it. One that cannot be cleared ends.
    pub(super) async fn give_back(self) {
        if self.clear().await.is_ok() {
            IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(self);
        }
    }

    /// A new window has none of the old one's emulation, scripts, history or name; what is kept goes by
    /// itself, and so do the lines of the driver's logs.
    async fn clear(&self) -> Result<()> {
        let old = self.client.windows().await?;
        let new = self.client.new_window(true).await?;
        for window in old {
            self.client.switch_to_window(window).await?;
            self.client.close_window().await?;
        }
        self.client.switch_to_window(new.handle).await?;
        let all = json!({ "origin": "*", "storageTypes": "all" });
        devtools(&self.client, "Storage.clearDataForOrigin", all).await?;
        devtools(&self.client, "Browser.resetPermissions", json!({})).await?;
        for kind in ["browser", "performance"] {
            log(&self.client, kind).await?;
        }
        Ok(())
    }

    /// A new one, with switches beside the usual ones.
    pub(super) async fn start(switches: &[&str]) -> Result<Self> {
        static STARTED: AtomicUsize = AtomicUsize::new(0);
        let n = STARTED.fetch_add(1, Ordering::Relaxed);
        let starts = STARTS.as_ref().map_err(|e| anyhow!("cannot count the browsers: {e}"))?;
        let test = thread::current().name().unwrap_or_default().to_owned();
        writeln!(&*starts, "{test} {}", switches.join(" "))?;

        let name = format!("graphground-{}-{n}-browser", std::process::id());
        let profile = std::env::temp_dir().join(name);
        let (keeper, port) = keep_driver(&profile)?;

        let has_graphics = switches.iter().any(|switch| switch.starts_with("--use-angle"));
        let usual = SWITCHES.iter().filter(|&&switch| !(has_graphics && switch == "--disable-gpu"));
        let mut args: Vec<String> =
            usual.chain(switches).map(|&switch| switch.to_owned()).collect();
        args.push(format!("--user-data-dir={}", profile.display()));
        let capabilities = json!({
            // The driver tells of requests from when a test wants them: they cost a tenth of opening a page.
            "goog:chromeOptions": {
                "args": args,
                "perfLoggingPrefs": { "enableNetwork": false, "enablePage": false },
            },
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
        });
        let Value::Object(capabilities) = capabilities else { bail!("no capabilities") };
        let runtime = RUNTIME.as_ref().map_err(|e| anyhow!("no runtime for drivers: {e}"))?;
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities);
        let connected = async move { builder.connect(&format!("http://127.0.0.1:{port}")).await };
        let client = runtime.spawn(connected).await?.context("no browser")?;
        // The driver's own patience with a page is five minutes.
        client
            .update_timeouts(TimeoutConfiguration::new(Some(PATIENCE), Some(PATIENCE), None))
            .await?;
        let switches = switches.iter().map(|&switch| switch.to_owned()).collect();
        Ok(Self { client, profile, switches, keeper })
    }
}

/// A driver that ends with its browser when the input of its keeper does, and its port.
fn keep_driver(profile: &Path) -> Result<(Child, String)> {
    // A port that it chose may be taken by another program before it listens there.
    for _ in 0..5 {
        let mut keeper = Command::new("sh")
            .args(["-c", KEEPER, "sh"])
            .arg(profile)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let told = BufReader::new(keeper.stdout.take().context("no output")?);
        let port = told.lines().map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once("started successfully on port ")?;
            Some(port.trim_end_matches('.').to_owned())
        });
        if let Some(port) = port {
            return Ok((keeper, port));
        }
        drop(keeper.stdin.take());
        keeper.wait()?;
    }
    bail!("chromedriver does not start; is it installed?")
}

/// A command of the browser's own tools.
pub(super) async fn devtools(
    client: &Client,
    command: &'static str,
    parameters: Value,
) -> Result<()> {
    let body = json!({ "cmd": command, "params": parameters });
    client.issue_cmd(DriverCommand("goog/cdp/execute", body)).await?;
    Ok(())
}

/// Has the driver's log of performance tell of requests from now on.
pub(super) async fn note_requests(client: &Client) -> Result<()> {
    devtools(client, "Network.enable", json!({})).await
}

/// What was written to one of the driver's logs since it was read last.
pub(super) async fn log(client: &Client, kind: &'static str) -> Result<Vec<Value>> {
    let lines = client.issue_cmd(DriverCommand("se/log", json!({ "type": kind }))).await?;
    Ok(serde_json::from_value(lines)?)
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
