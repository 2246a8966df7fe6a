//! A benchmark and files: runs that are read, added and written, and what the report says of itself.

use eval::About;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::bench::{AddRuns, BenchForm, ClearRuns, KeptRuns, WriteBench};
use protocol::traces::TextFile;

use super::state::PageState;
use crate::services::{benches, clipboard, engine_client};

impl PageState {
    /// What the report says of itself.
    pub(super) fn about(self) -> About {
        About { title: self.title.get_untracked(), ..self.about.get_untracked() }
    }

    /// Keeps the title and what else a person wrote about a benchmark that is kept already.
    pub(super) fn keep_about(self) {
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
        spawn_local(async move {
            if let Err(message) = benches::save_meta(&meta).await {
                self.fail(message);
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
            let plain = |text: &str| -> String {
                let sign = |c: char| if c.is_alphanumeric() { c } else { '-' };
                text.chars().map(sign).take(60).collect()
            };
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
                let ask = WriteBench {
                    form,
                    about: about.clone(),
                    setup: of.map(|(hash, _)| hash),
                    date_s: js_sys::Date::now() / 1e3,
                    options: Box::new(self.options()),
                };
                let asked = async {
                    self.hold().await?;
                    Ok::<_, String>(self.ask(ask, "Writing").await?)
                };
                match asked.await {
                    Ok(TextFile { text, extension }) => {
                        let name = format!("{}{label}.{extension}", plain(about.title()));
                        clipboard::save(&name, "text/plain", &text);
                    }
                    Err(message) => return self.fail(message),
                }
            }
        });
    }
}
