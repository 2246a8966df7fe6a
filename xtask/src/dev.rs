//! A developer's loop: builds what a change touches without optimising it across crates, and reloads
//! the page in the browser.

use std::fs;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow, bail};
use notify::{EventKind, RecursiveMode, Watcher as _};

use crate::live::Live;
use crate::server::{Answer, Server};
use crate::steps::{hold, root, say};
use crate::{models, pack, setup};

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
    live: Live,
    news: Mutex<News>,
    is_new: Condvar,
}

impl Shared {
    /// Copies the files that are served as they are, with the script that reloads.
    fn copy_files(&self) -> Result<()> {
        self.live.copy_files()?;
        let index = self.live.folder.join("index.html");
        let text = fs::read_to_string(&index)?;
        let Some((head, rest)) = text.split_once("</head>") else {
            bail!("www/index.html has no </head>, before which the script that reloads goes");
        };
        fs::write(index, format!("{head}<script src=\"dev.js\"></script>\n</head>{rest}"))?;
        fs::write(self.live.folder.join("dev.js"), include_str!("dev.js"))?;
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
        self.live.demand_for(path);
        None
    }
}

/// Builds, serves, and builds again what changes, until it is stopped.
pub fn run(port: u16, yes: bool) -> Result<()> {
    let start = Instant::now();
    let shared = Arc::new(Shared {
        live: Live::new("target/site-dev", PROFILE, setup::page(yes)?)?,
        news: Mutex::new(News { version: 1, ..News::default() }),
        is_new: Condvar::new(),
    });
    // Before the first build, so that what is saved meanwhile is not lost.
    let (changes, _watcher) = watch()?;
    shared.copy_files()?;
    models::lay_beside(&shared.live.folder)?;
    say("building the page and its first engine (the first time takes some minutes)");
    std::thread::spawn(pack::build);
    let first = shared.live.build();
    if let Err(error) = &first {
        say(&format!("the first build failed; change what is wrong:\n{error:#}"));
    }
    shared.tell(false, None, first);
    let server = Server::bind(port)?;
    say(&format!(
        "serving {} after {:.0} s; what rare pages stand on is built when one of them is opened, without threads (Ctrl+C stops it)",
        server.url(),
        start.elapsed().as_secs_f32()
    ));
    let (hook, folder) = (shared.clone(), shared.live.folder.clone());
    std::thread::spawn(move || {
        server.run_with(&folder, &move |path, query| hook.answer(path, query))
    });
    while let Some((change, saved)) = next(&changes) {
        say("changed; building");
        let outcome = match change {
            Change::Rust => {
                // Files may have been saved in the same moment.
                shared.copy_files().and_then(|()| shared.live.build())
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
