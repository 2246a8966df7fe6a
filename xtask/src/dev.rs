//! A developer's loop: builds what a change touches without optimising it across crates, and reloads
//! the page in the browser.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow, bail};
use notify::{EventKind, RecursiveMode, Watcher as _};

use crate::server::{Answer, Server};
use crate::site::{self, LATER, Later};
use crate::steps::{root, say};
use crate::toolchain::{TARGET, Toolchain};
use crate::{models, setup};

/// Cargo's profile for it.
const PROFILE: &str = "wasm-dev";
/// What a change may be in. `Cargo.toml` of the root is watched with the rest of its folder's files.
const WATCHED: [&str; 5] = ["www", "assets", "src", "crates", "worker"];
/// Editors write a file in several steps; changes that come this soon after each other are one.
const PAUSE: Duration = Duration::from_millis(80);
/// How long a page waits for news before it asks again.
const PATIENCE: Duration = Duration::from_secs(20);

/// What changed, from the least to the most that it asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Change {
    /// Style sheets alone: the page keeps its state.
    Styles,
    /// Files that are served as they are.
    Files,
    /// Sources of Rust.
    Rust,
}

impl Change {
    /// What a change of that file asks for; nothing where it is none of the page's.
    fn of(path: &Path) -> Option<Self> {
        let path = path.strip_prefix(root()).unwrap_or(path);
        let name = path.file_name()?.to_string_lossy();
        // What editors write beside a file.
        if name.starts_with(['.', '#']) || name.ends_with('~') || name.ends_with(".swp") {
            return None;
        }
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        match path.iter().next()?.to_str()? {
            "www" if extension == "css" => Some(Self::Styles),
            "www" | "assets" => Some(Self::Files),
            "src" | "crates" | "worker" if path.iter().any(|part| part == "tests") => None,
            // Prompts and lessons are compiled in.
            "src" | "crates" | "worker" => Some(Self::Rust),
            _ => None,
        }
    }
}

/// What the pages are told.
#[derive(Clone, Default)]
struct News {
    version: u64,
    styles: bool,
    error: String,
    /// When the change was saved that no page has shown yet.
    saved: Option<Instant>,
}

/// What the watcher and the server share.
struct Shared {
    folder: PathBuf,
    toolchain: Toolchain,
    /// The modules that are kept up to date: those that every visitor needs, and those that a page
    /// has asked for.
    wanted: Mutex<BTreeSet<&'static str>>,
    news: Mutex<News>,
    is_new: Condvar,
    /// One build at a time.
    building: Mutex<()>,
}

fn hold<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    // A thread that broke has left nothing half done that the next build does not make anew.
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    /// Copies the files that are served as they are, with the script that reloads.
    fn copy_files(&self) -> Result<()> {
        site::copy_tree(&root().join("www"), &self.folder)?;
        site::copy_tree(&root().join("assets"), &self.folder.join("assets"))?;
        let index = self.folder.join("index.html");
        let text = fs::read_to_string(&index)?;
        let Some((head, rest)) = text.split_once("</head>") else {
            bail!("www/index.html has no </head>, before which the script that reloads goes");
        };
        fs::write(index, format!("{head}<script src=\"dev.js\"></script>\n</head>{rest}"))?;
        fs::write(self.folder.join("dev.js"), include_str!("dev.js"))?;
        Ok(())
    }

    /// Builds modules, and writes those that are new with their glue.
    ///
    /// # Errors
    /// What the compiler said.
    fn build(&self, bins: &[&'static str]) -> Result<()> {
        let _one = hold(&self.building);
        let mut cargo = self.toolchain.cargo_build();
        cargo.args(["--profile", PROFILE, "--color", "always"]);
        // Of what rare engines stand on no more than somebody has asked for: candle alone takes a
        // minute.
        cargo.args(site::PACKAGES).arg("--no-default-features");
        let wanted = hold(&self.wanted).clone();
        for later in LATER.iter().filter(|later| wanted.contains(later.bin)) {
            cargo.args(["--features", &format!("graphground-worker/{}", later.feature)]);
        }
        for bin in bins {
            cargo.args(["--bin", bin]);
        }
        let mut child = cargo.stderr(Stdio::piped()).spawn().context("cannot start cargo")?;
        let mut words = String::new();
        if let Some(mut stderr) = child.stderr.take() {
            // Shown as it comes, and kept for the page.
            let mut piece = [0; 4096];
            while let Ok(n) = stderr.read(&mut piece)
                && n > 0
            {
                let text = String::from_utf8_lossy(&piece[..n]);
                eprint!("{text}");
                words.push_str(&text);
            }
        }
        if !child.wait()?.success() {
            bail!("{}", plain(&words));
        }
        let out = self.folder.join("wasm");
        fs::create_dir_all(&out)?;
        for bin in bins {
            let input = root().join(format!("target/web/{TARGET}/{PROFILE}/{bin}.wasm"));
            site::glue(&input, &out, site::Names::Keep)?;
        }
        fs::write(
            out.join("bundles.js"),
            "// Built by `cargo xtask dev`, without threads.\nexport const threads = false;\n",
        )?;
        Ok(())
    }

    /// Tells the pages.
    fn tell(&self, styles: bool, saved: Option<Instant>, outcome: Result<()>) {
        let mut news = hold(&self.news);
        news.version += 1;
        news.styles = styles;
        news.saved = saved.filter(|_| outcome.is_ok());
        news.error = outcome.err().map(|e| format!("{e:#}")).unwrap_or_default();
        self.is_new.notify_all();
    }

    /// Answers a page that waits for news.
    fn wait(&self, query: &str) -> Vec<u8> {
        let after: u64 = query.strip_prefix("after=").and_then(|n| n.parse().ok()).unwrap_or(0);
        let mut news = hold(&self.news);
        // A page that has just been opened has to know where it stands.
        if after != 0 {
            let is_old = |news: &mut News| news.version == after;
            let waited = self.is_new.wait_timeout_while(news, PATIENCE, is_old);
            news = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        let News { version, styles, error, .. } = news.clone();
        let reply = serde_json::json!({ "version": version, "styles": styles, "error": error });
        reply.to_string().into_bytes()
    }

    /// Builds a module that is asked for the first time.
    fn demand(&self, later: &Later) {
        if !hold(&self.wanted).insert(later.bin) {
            // It is being built, or there already.
            drop(hold(&self.building));
            return;
        }
        say(&format!("a page asks for the engine with {}; building it", later.what));
        if let Err(error) = self.build(&[later.bin]) {
            hold(&self.wanted).remove(later.bin);
            eprintln!("{error:#}");
        }
    }

    /// Answers what is not a file, and builds modules before their files are answered.
    fn answer(&self, path: &str, query: &str) -> Option<Answer> {
        if path == "/dev/wait" {
            return Some(Answer { name: "news.json", bytes: self.wait(query) });
        }
        if path == "/dev/shown" {
            if let Some(saved) = hold(&self.news).saved.take() {
                say(&format!(
                    "on screen {:.1} s after it was saved",
                    saved.elapsed().as_secs_f32()
                ));
            }
            return Some(Answer { name: "shown.txt", bytes: Vec::new() });
        }
        let asked = path.strip_prefix("/wasm/").and_then(|name| name.strip_suffix(".js"));
        if let Some(later) = asked.and_then(|bin| LATER.iter().find(|l| l.bin == bin)) {
            self.demand(later);
        }
        None
    }
}

/// Text without the codes that colour it in a terminal, from the first error on.
fn plain(words: &str) -> String {
    let mut text = String::new();
    let mut rest = words;
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        text.push_str(before);
        rest = after.split_once('m').map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    let from = text.find("error").unwrap_or(0);
    text[from..].trim().to_owned()
}

/// Builds, serves, and builds again what changes, until it is stopped.
pub fn run(port: u16, yes: bool) -> Result<()> {
    let start = Instant::now();
    let shared = Arc::new(Shared {
        folder: root().join("target/site-dev"),
        toolchain: setup::page(yes)?,
        wanted: Mutex::new(site::BINS.into_iter().collect()),
        news: Mutex::new(News { version: 1, ..News::default() }),
        is_new: Condvar::new(),
        building: Mutex::new(()),
    });
    if shared.folder.exists() {
        fs::remove_dir_all(&shared.folder)?;
    }
    fs::create_dir_all(&shared.folder)?;
    // Before the first build, so that what is saved meanwhile is not lost.
    let (changes, _watcher) = watch()?;
    shared.copy_files()?;
    models::lay_beside(&shared.folder)?;
    say("building the page and its first engine (the first time takes some minutes)");
    let first = shared.build(&site::BINS);
    if let Err(error) = &first {
        say(&format!("the first build failed; change what is wrong:\n{error:#}"));
    }
    shared.tell(false, None, first);
    let server = Server::bind(port)?;
    say(&format!(
        "serving {} after {:.0} s; other engines are built when a page asks for them, without threads (Ctrl+C stops it)",
        server.url(),
        start.elapsed().as_secs_f32()
    ));
    let (hook, folder) = (shared.clone(), shared.folder.clone());
    std::thread::spawn(move || {
        server.run_with(&folder, &move |path, query| hook.answer(path, query))
    });
    while let Some((change, saved)) = next(&changes) {
        say("changed; building");
        let outcome = match change {
            Change::Rust => {
                let bins: Vec<_> = hold(&shared.wanted).iter().copied().collect();
                // Files may have been saved in the same moment.
                shared.copy_files().and_then(|()| shared.build(&bins))
            }
            Change::Styles | Change::Files => shared.copy_files(),
        };
        let words = if outcome.is_ok() { "built" } else { "not built" };
        say(&format!("{words} in {:.1} s", saved.elapsed().as_secs_f32()));
        shared.tell(change == Change::Styles, Some(saved), outcome);
    }
    Err(anyhow!("the files cannot be watched any more; start the command again"))
}

/// Watches the sources.
fn watch() -> Result<(Receiver<Change>, notify::RecommendedWatcher)> {
    let (tell, changes) = channel();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        let Ok(event) = event else { return };
        if matches!(event.kind, EventKind::Access(_)) {
            return;
        }
        for change in event.paths.iter().filter_map(|path| Change::of(path)) {
            // Nobody waits for it any more once the command ends.
            let _ = tell.send(change);
        }
    })
    .context("this system cannot watch files")?;
    for folder in WATCHED {
        watcher
            .watch(&root().join(folder), RecursiveMode::Recursive)
            .with_context(|| format!("cannot watch {folder}/"))?;
    }
    Ok((changes, watcher))
}

/// Waits for changes, and gives the most that those of one moment ask for, with when the first came.
fn next(changes: &Receiver<Change>) -> Option<(Change, Instant)> {
    let mut most = changes.recv().ok()?;
    let saved = Instant::now();
    loop {
        match changes.recv_timeout(PAUSE) {
            Ok(change) => most = most.max(change),
            Err(RecvTimeoutError::Timeout) => return Some((most, saved)),
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_asks_for_no_more_than_it_needs() {
        let of = |path: &str| Change::of(&root().join(path));
        assert_eq!(of("www/styles/base.css"), Some(Change::Styles));
        assert_eq!(of("www/boot.js"), Some(Change::Files));
        assert_eq!(of("src/pages/bench/mod.rs"), Some(Change::Rust));
        assert_eq!(of("crates/systems/src/grounded/prompt.txt"), Some(Change::Rust));
        assert_eq!(of("crates/graph/tests/it/main.rs"), None);
        assert_eq!(of("src/.mod.rs.swp"), None);
        assert_eq!(of("docs/measurements.md"), None);
        assert!(Change::Rust > Change::Files && Change::Files > Change::Styles);
    }

    #[test]
    fn what_the_compiler_says_is_shown_without_its_colours() {
        let words = "   Compiling app\n\u{1b}[1m\u{1b}[91merror\u{1b}[0m: expected `;`\n";
        assert_eq!(plain(words), "error: expected `;`");
    }

    #[test]
    fn changes_of_one_moment_are_one() {
        let (tell, changes) = channel();
        for change in [Change::Styles, Change::Rust, Change::Files] {
            tell.send(change).unwrap();
        }
        assert_eq!(next(&changes).map(|(change, _)| change), Some(Change::Rust));
        drop(tell);
        assert!(next(&changes).is_none());
    }
}
