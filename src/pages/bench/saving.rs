//! A benchmark and files: runs that are read, added and written, and what the report says of itself.

use std::rc::Rc;

use eval::About;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::bench::{AddRuns, BenchForm, ClearRuns, KeptRuns, UnpackRuns, WriteBench};
use protocol::traces::TextFile;

use super::lines::Brought;
use super::state::PageState;
use crate::services::transport::after;
use crate::services::{benches, clipboard, engine_client, own_file, storage};
use crate::state::bench::{AboutDraft, BenchMeta};
use crate::workbench::one_file::Contents;

/// How long nothing is typed before what was typed is kept, in milliseconds.
const PAUSE_MS: u64 = 700;
/// Where a page that goes notes what was typed.
const DRAFT: &str = "graphground.bench-draft";

/// The runs in a page that was saved.
#[derive(serde::Deserialize)]
struct Embedded {
    format: String,
    version: u32,
    #[serde(default)]
    title: String,
    #[serde(default)]
    about: About,
    runs: String,
}

impl Embedded {
    fn is_ours(&self) -> bool {
        self.format == eval::EMBEDDED && self.version <= 1
    }
}

/// What a page holds that was saved with runs in it.
fn saved(text: &str) -> Option<Embedded> {
    let found: Embedded = serde_json::from_str(eval::live::held(text)?).ok()?;
    found.is_ours().then_some(found)
}

/// Whether a file is such a page.
pub(super) fn is_saved_page(text: &str) -> bool {
    saved(text).is_some()
}

/// A text as a part of a file's name.
fn plain(text: &str) -> String {
    let sign = |c: char| if c.is_alphanumeric() { c } else { '-' };
    text.chars().map(sign).take(60).collect()
}

impl PageState {
    /// What the report says of itself.
    pub(super) fn about(self) -> About {
        About { title: self.title.get_untracked(), ..self.about.get_untracked() }
    }

    /// Keeps what is being typed once nothing more was typed for a moment: every letter would be a
    /// change of the store, and of everything on the page that looks at the benchmark.
    pub(super) fn keep_about_soon(self) {
        let mine = self.typed.get_value().map_or(0, |n| n + 1);
        self.typed.set_value(Some(mine));
        spawn_local(async move {
            after(PAUSE_MS).await;
            if self.typed.get_value() == Some(mine) {
                self.keep_about();
            }
        });
    }

    /// Keeps what was typed and is not kept yet, before another benchmark is opened.
    pub(super) fn keep_typed(self) {
        if self.typed.with_value(Option::is_some) {
            self.keep_about();
        }
    }

    /// Notes what was typed and is not kept yet, as the page goes: its store would answer too late.
    pub(super) fn save_draft(self) {
        let id = self.open.with_untracked(|open| {
            open.as_ref().filter(|meta| meta.n_runs > 0).map(|meta| meta.id)
        });
        if let Some(id) = id
            && self.typed.with_value(Option::is_some)
            && !self.is_embedded.get_untracked()
        {
            storage::remember(DRAFT, &AboutDraft { id, about: self.about() });
        }
    }

    /// Every benchmark that is kept, with what a page noted when it went, which is kept now.
    pub(super) async fn kept(self) -> Result<Vec<BenchMeta>, String> {
        // Asked before the list: who finds nothing here finds it in the list.
        let draft = storage::recall::<AboutDraft>(DRAFT);
        let mut list = self.with_waiting(benches::list().await?);
        if let Some(draft) = draft {
            if let Some(meta) = draft.put_into(&mut list) {
                benches::save_meta(meta).await?;
            }
            storage::forget(DRAFT);
        }
        Ok(list)
    }

    /// Keeps the title and what else a person wrote about a benchmark that is kept already.
    pub(super) fn keep_about(self) {
        self.typed.set_value(None);
        storage::forget(DRAFT);
        if self.is_embedded.get_untracked() || self.going.is_running.get_untracked() {
            return;
        }
        let (title, about) = (self.title.get_untracked(), self.about.get_untracked());
        self.open.update(|open| {
            if let Some(meta) = open {
                (meta.title, meta.about) = (title, about);
            }
        });
        let Some(meta) = self.open.get_untracked().filter(|meta| meta.n_runs > 0) else { return };
        // The page may go before its store has answered.
        let draft = AboutDraft { id: meta.id, about: self.about() };
        storage::remember(DRAFT, &draft);
        spawn_local(async move {
            match benches::save_meta(&meta).await {
                Ok(()) if storage::recall(DRAFT).as_ref() == Some(&draft) => storage::forget(DRAFT),
                Ok(()) => {}
                Err(why) => self.fail(why.into()),
            }
        });
    }

    /// Adds the runs of another file, so that both are added up and compared together.
    pub(crate) async fn add_file(self, name: String, text: String) {
        let before = self.outcome.rows.with_untracked(Vec::len);
        let added = async {
            self.hold().await?;
            Ok::<_, String>(self.ask(AddRuns { text: text.clone() }, "Reading").await?)
        };
        match added.await {
            Ok(KeptRuns { n_runs, n_torn, .. }) => {
                let n_new = n_runs.saturating_sub(before);
                self.told.set(Some(format!("{n_new} runs of {name} were added.")));
                self.count(n_runs);
                self.keep_whole(&text, n_torn);
                self.outcome.compared.set(None);
                self.outcome.checked.set(None);
                self.going.progress.set(None);
                self.going.took_ms.set(0.0);
                self.show_checked().await;
            }
            Err(message) => self.fail(format!("{name}: {message}")),
        }
    }

    /// Says how many runs there are now.
    fn count(self, n_runs: usize) {
        self.open.update(|open| {
            if let Some(meta) = open {
                (meta.n_runs, meta.n_jobs) = (n_runs, meta.n_jobs.max(n_runs));
            }
        });
    }

    /// Keeps the lines of a file but for a last one that is cut off.
    fn keep_whole(self, text: &str, n_torn: usize) {
        self.keep(text[..text.len() - n_torn.min(text.len())].to_owned());
    }

    /// Reads runs files that a person dropped or chose, and puts several together; they are kept.
    pub(crate) async fn import(self, files: Vec<(String, String)>) {
        let mut files = files.into_iter();
        let Some((name, text)) = files.next() else { return };
        self.begin();
        self.until_handed().await;
        let read = async {
            let (about, text) = match saved(&text) {
                None => (About::from(name.trim_end_matches(".jsonl")), text),
                Some(Embedded { title, about, runs, .. }) => {
                    (About { title, ..about }, self.unpacked(runs).await?)
                }
            };
            self.ask(ClearRuns {}, "Reading").await?;
            let reply = self.ask(AddRuns { text: text.clone() }, "Reading").await?;
            Ok::<_, String>((about, text, reply))
        };
        let (about, text, KeptRuns { n_torn, n_runs, .. }) = match read.await {
            Ok(read) => read,
            Err(message) => {
                self.close();
                return self.fail(format!("{name}: {message}"));
            }
        };
        let id = self.open.with_untracked(|open| open.as_ref().map_or(0.0, |meta| meta.id));
        self.lines.held.set_value(Some((engine_client::bench().epoch(), id)));
        if n_torn > 0 {
            self.fail(format!(
                "The last line of {name} was cut off when it was written; the {n_runs} runs before it are whole."
            ));
        }
        self.title.set(about.title.clone());
        self.about.set(about.clone());
        self.open.update(|open| {
            if let Some(meta) = open {
                (meta.title, meta.about) = (about.title.clone(), about);
            }
        });
        self.count(n_runs);
        self.keep_whole(&text, n_torn);
        self.show_checked().await;
        for (name, text) in files {
            let lines = match saved(&text) {
                None => Ok(text),
                Some(Embedded { runs, .. }) => self.unpacked(runs).await,
            };
            match lines {
                Ok(lines) => self.add_file(name, lines).await,
                Err(message) => self.fail(format!("{name}: {message}")),
            }
        }
    }

    /// The runs file that a saved page holds. The worker holds the runs of no benchmark after it.
    async fn unpacked(self, packed: String) -> Result<String, String> {
        self.lines.held.set_value(None);
        self.ask(UnpackRuns { packed }, "Reading").await?;
        let (form, about) = (BenchForm::Runs, About::default());
        let options = Box::new(self.options());
        let ask = WriteBench { form, about, setup: None, date_s: 0.0, options };
        Ok(self.ask(ask, "Reading").await?.text)
    }

    /// Opens the runs that came in the page's own file, and checks them.
    pub(crate) fn open_embedded(self) {
        let Some(text) = crate::services::embedded::text(eval::EMBEDDED) else { return };
        let found: Embedded = match serde_json::from_str(&text) {
            Ok(found) => found,
            Err(error) => {
                self.fail(format!("The runs in this file cannot be read: {error}"));
                return;
            }
        };
        if !found.is_ours() {
            self.fail("The runs in this file were written by a newer Graphground.".into());
            return;
        }
        self.begin();
        self.is_embedded.set(true);
        self.title.set(found.title);
        self.about.set(found.about);
        self.lines.brought.set_value(Some(Brought::Packed(found.runs)));
        spawn_local(self.show_checked());
    }

    /// Saves a file.
    pub(crate) fn save(self, form: BenchForm) {
        spawn_local(async move {
            let about = self.about();
            // A file for each setup, or one of all.
            let setups: Vec<Option<(String, String)>> = match form.is_of_setup() {
                false => vec![None],
                true => self.outcome.shown.with_untracked(|shown| {
                    let Some(shown) = shown else { return Vec::new() };
                    let hashes = shown.report.setups.iter().map(|(hash, _)| hash.clone());
                    hashes.zip(shown.labels.iter().cloned()).map(Some).collect()
                }),
            };
            for of in setups {
                let label = of.as_ref().map_or_else(String::new, |(_, l)| format!("-{}", plain(l)));
                match self.written(form, about.clone(), of.map(|(hash, _)| hash)).await {
                    Ok(TextFile { mut text, extension }) => {
                        if form == BenchForm::Html {
                            let lines = self.written(BenchForm::Runs, about.clone(), None).await;
                            let whole =
                                async { own_file::with_runs(&text, &about, &lines?.text).await };
                            match whole.await {
                                Ok(whole) => text = whole,
                                Err(message) => return self.fail(message),
                            }
                        }
                        let name = format!("{}{label}.{extension}", plain(about.title()));
                        clipboard::save(&name, "text/plain", &text);
                    }
                    Err(message) => return self.fail(message),
                }
            }
        });
    }

    /// A file's text, of one setup or of all.
    async fn written(
        self,
        form: BenchForm,
        about: About,
        setup: Option<String>,
    ) -> Result<TextFile, String> {
        let (date_s, options) = (js_sys::Date::now() / 1e3, Box::new(self.options()));
        self.hold().await?;
        Ok(self.ask(WriteBench { form, about, setup, date_s, options }, "Writing").await?)
    }

    /// The runs with what the report says of itself, for the playground as one file.
    pub(super) fn live_page(self) -> Contents {
        Rc::new(move || {
            Box::pin(async move {
                let about = self.about();
                let TextFile { text, .. } =
                    self.written(BenchForm::Runs, about.clone(), None).await?;
                let name = format!("{}-live.html", plain(about.title()));
                Ok((name, Some((about, text))))
            })
        })
    }
}
