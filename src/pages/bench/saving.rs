//! A benchmark and files: runs that are read, added and written, and what the report says of itself.

use std::rc::Rc;

use eval::About;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::bench::{AddRuns, BenchForm, ClearRuns, KeptRuns, WriteBench};
use protocol::traces::TextFile;

use super::state::PageState;
use crate::services::transport::after;
use crate::services::{benches, clipboard, engine_client, storage};
use crate::state::bench::{AboutDraft, BenchMeta};
use crate::workbench::one_file::Contents;

/// How long nothing is typed before what was typed is kept, in milliseconds.
const PAUSE_MS: u64 = 700;
/// Where a page that goes notes what was typed.
const DRAFT: &str = "graphground.bench-draft";

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

    /// Adds the runs of a second file, so that both are added up and compared together.
    pub(crate) fn add_file(self, name: String, text: String) {
        spawn_local(async move {
            let before = self.outcome.rows.with_untracked(Vec::len);
            let added = async {
                self.hold().await?;
                Ok::<_, String>(self.ask(AddRuns { text: text.clone() }, "Reading").await?)
            };
            match added.await {
                Ok(KeptRuns { n_runs, n_torn, .. }) => {
                    let n_new = n_runs.saturating_sub(before);
                    self.told.set(Some(format!("{n_new} runs of {name} were added.")));
                    self.open.update(|open| {
                        if let Some(meta) = open {
                            (meta.n_runs, meta.n_jobs) = (n_runs, meta.n_jobs.max(n_runs));
                        }
                    });
                    let whole = text.len() - n_torn.min(text.len());
                    self.keep(text[..whole].to_owned());
                    self.outcome.compared.set(None);
                    self.show();
                }
                Err(message) => self.fail(format!("{name}: {message}")),
            }
        });
    }

    /// Reads a runs file that a person dropped or chose; it is kept.
    pub(crate) fn import(self, name: String, text: String) {
        spawn_local(async move {
            let title = name.trim_end_matches(".jsonl").to_owned();
            self.begin();
            self.title.set(title.clone());
            let read = async {
                self.ask(ClearRuns {}, "Reading").await?;
                let reply = self.ask(AddRuns { text: text.clone() }, "Reading").await?;
                Ok::<_, String>(reply)
            };
            match read.await {
                Ok(KeptRuns { n_torn, n_runs, .. }) => {
                    let meta = self.open.get_untracked();
                    let id = meta.map_or(0.0, |m| m.id);
                    self.lines.held.set_value(Some((engine_client::bench().epoch(), id)));
                    if n_torn > 0 {
                        self.fail(format!(
                            "The last line of {name} was cut off when it was written; the {n_runs} runs before it are whole."
                        ));
                    }
                    self.open.update(|open| {
                        if let Some(meta) = open {
                            (meta.title, meta.n_runs, meta.n_jobs) = (title, n_runs, n_runs);
                        }
                    });
                    let whole = text.len() - n_torn.min(text.len());
                    self.keep(text[..whole].to_owned());
                    self.show();
                }
                Err(message) => {
                    self.close();
                    self.fail(format!("{name}: {message}"));
                }
            }
        });
    }

    /// Opens the runs that came in the page's own file.
    pub(crate) fn open_embedded(self) {
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
        let Some(text) = crate::services::embedded::text(eval::EMBEDDED) else { return };
        let found: Embedded = match serde_json::from_str(&text) {
            Ok(found) => found,
            Err(error) => {
                self.fail(format!("The runs in this file cannot be read: {error}"));
                return;
            }
        };
        if found.format != eval::EMBEDDED || found.version > 1 {
            self.fail("The runs in this file were written by a newer Graphground.".into());
            return;
        }
        self.begin();
        self.is_embedded.set(true);
        self.title.set(found.title);
        self.about.set(found.about);
        self.lines.packed.set_value(Some(found.runs));
        self.show();
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
                    Ok(TextFile { text, extension }) => {
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
