//! Where traces come from: an address, the runs that are kept, a file, the page's own file, examples.

use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::exact::Exact;
use protocol::share::{Linked, ReadLink};
use protocol::traces::{ReadTraces, TraceFile as ReadFile};
use web_sys::File;

use super::state::{EMBEDDED, Entry, PageState};
use crate::services::engine_client::{self, Beside};
use crate::services::trace_file::TraceFile;
use crate::services::{embedded, storage};
use crate::state::examples;
use crate::state::numbers::plural;
use crate::state::records;
use crate::state::run_table::RunPlace;
use crate::state::setup::Keys;
use crate::state::stored::StoredRun;

/// Where the browser notes that a person opened something, or closed an example.
const NO_EXAMPLES: &str = "graphground.no-example-traces";

/// The most traces of one file that are listed.
const MOST_OPENED: usize = 1_000;

impl PageState {
    /// Opens the two recorded runs, of which the one with tools is shown.
    pub(crate) fn open_examples(self) {
        self.session.notice.set(None);
        for record in examples::records().into_iter().rev() {
            let name = format!("Example: {}", records::name(&record));
            let id = self.open(record, name, None, None);
            self.with_entry(id, |entry| entry.is_example = true);
        }
    }

    /// Opens them for a person who comes to an empty page, unless one opened something before.
    pub(super) fn show_examples(self) {
        let is_empty = self.entries.with_untracked(Vec::is_empty)
            && self.session.busy.with_untracked(Option::is_none)
            && embedded::text(EMBEDDED).is_none();
        if is_empty && storage::recall::<bool>(NO_EXAMPLES).is_none() {
            self.open_examples();
        }
    }

    /// Notes that a person closes an example, so that it does not come back.
    pub(super) fn note_closed(self, id: u64) {
        if self.entries.with_untracked(|list| list.iter().any(|e| e.id == id && e.is_example)) {
            storage::remember(NO_EXAMPLES, &true);
        }
    }

    /// Takes the examples away, for good: a person opens something.
    pub(super) fn drop_examples(self) {
        storage::remember(NO_EXAMPLES, &true);
        if self.entries.with_untracked(|list| list.iter().any(|e| e.is_example)) {
            self.entries.update(|list| list.retain(|e| !e.is_example));
        }
    }

    /// Follows an address: it may name a kept run or have a trace in it, and a step. Whoever comes back
    /// to the page finds the trace of the address at the step where they left it.
    pub(super) fn follow(self, keys: &Keys) {
        let (before, came) = self.followed.get_value().unzip();
        let came = came.flatten().filter(|id| {
            self.entries.with_untracked(|list| list.iter().any(|entry| entry.id == *id))
        });
        let is_same = before.as_ref() == Some(keys);
        if is_same && (came.is_none() || came == self.current.get_untracked()) {
            return;
        }
        self.followed.set_value(Some((keys.clone(), came)));
        let step = keys.get("step").and_then(|step| step.parse().ok());
        if let Some(link) = keys.get("s") {
            let is_open = before.is_some_and(|before| before.get("s") == Some(link));
            match came.filter(|_| is_open) {
                Some(id) => {
                    self.show_start(id);
                    step.into_iter().for_each(|step| self.seek(step));
                }
                None => self.open_link(link.clone(), step),
            }
        } else if let Some(id) = keys.get("run").and_then(|run| run.parse::<f64>().ok()) {
            self.open_kept(id, step);
        }
    }

    /// Remembers which trace came of the address, if the address asks for it.
    fn came(self, id: u64, is_asked: impl Fn(&Keys) -> bool) {
        self.followed.update_value(|followed| {
            if let Some((keys, came)) = followed
                && is_asked(keys)
            {
                *came = Some(id);
            }
        });
    }

    /// Opens a run that the browser keeps, at a step where one is named; one that is open is shown.
    pub(crate) fn open_kept(self, id: f64, step: Option<usize>) {
        self.drop_examples();
        let is_asked =
            move |keys: &Keys| keys.get("run").and_then(|run| run.parse().ok()) == Some(id);
        let open =
            self.entries.with_untracked(|l| l.iter().find(|e| e.kept == Some(id)).map(|e| e.id));
        if let Some(entry) = open {
            self.came(entry, is_asked);
            self.show_start(entry);
            step.into_iter().for_each(|step| self.seek(step));
            return;
        }
        spawn_local(async move {
            match storage::load_run(id).await {
                Ok(stored) => {
                    let entry = self.take_stored(stored);
                    self.show_start(entry);
                    self.came(entry, is_asked);
                    step.into_iter().for_each(|step| self.seek(step));
                }
                Err(message) => self.session.notice.set(Some(message)),
            }
        });
    }

    /// Opens the run of a row; one that its file and the graph may judge differently, at its answer.
    pub(crate) fn open_place(self, place: RunPlace) {
        const END: usize = usize::MAX;
        match place {
            RunPlace::Kept(id) => {
                let is_scored = self.kept.list.with_untracked(|list| {
                    let run = list.iter().find(|run| run.id == id);
                    run.is_some_and(|run| run.verdict.is_some() && !run.source.is_empty())
                });
                self.open_kept(id, is_scored.then_some(END));
            }
            RunPlace::Open(id) => {
                self.show_start(id);
                if self.entry_untracked().is_some_and(|e| e.is_of_file && e.verdict.is_some()) {
                    self.seek(END);
                }
            }
        }
    }

    /// The open trace of a row; one that the browser keeps is opened for it.
    async fn opened(self, place: RunPlace) -> Result<u64, String> {
        let id = match place {
            RunPlace::Open(id) => return Ok(id),
            RunPlace::Kept(id) => id,
        };
        let open =
            self.entries.with_untracked(|l| l.iter().find(|e| e.kept == Some(id)).map(|e| e.id));
        match open {
            Some(open) => Ok(open),
            None => Ok(self.take_stored(storage::load_run(id).await?)),
        }
    }

    /// Opens a run that the browser kept, and shows nothing of it yet.
    fn take_stored(self, stored: StoredRun) -> u64 {
        let summary = &stored.summary;
        let name = records::with_who(&summary.problem, &summary.model, &summary.system);
        let (id, origin, verdict) = (summary.id, summary.origin, summary.verdict);
        let is_of_file = !summary.source.is_empty();
        let (record, problem) = stored.opened();
        let entry = self.take(record, name, problem, Some(id));
        // Where the run that it goes on from is open too, it stands under it.
        let from = origin.and_then(|origin| {
            let of = |e: &&Entry| e.kept == Some(origin.run);
            let from = self.entries.with_untracked(|l| l.iter().find(of).map(|e| e.id));
            Some((from?, origin.step))
        });
        self.with_entry(entry, |e| {
            (e.origin, e.verdict, e.is_of_file) = (from, verdict, is_of_file);
        });
        entry
    }

    /// Puts the runs of two rows beside each other.
    pub(super) async fn compare_places(self, left: RunPlace, right: RunPlace) {
        match (self.opened(left).await, self.opened(right).await) {
            (Ok(left), Ok(right)) => self.compare(left, right),
            (Err(message), _) | (_, Err(message)) => self.session.notice.set(Some(message)),
        }
    }

    /// Saves the runs of some rows as one file, with what a person wrote about each.
    pub(super) fn export_all(self, places: Vec<RunPlace>, format: String) {
        spawn_local(async move {
            let mut records = Vec::with_capacity(places.len());
            for place in places {
                let open = self.entries.with_untracked(|list| {
                    let is_it = |e: &&Entry| place == RunPlace::Open(e.id);
                    list.iter().find(is_it).map(Entry::noted)
                });
                match (open, place) {
                    (Some(record), _) => records.push(record),
                    (None, RunPlace::Kept(id)) => match storage::load_run(id).await {
                        Ok(stored) => records.push(stored.opened().0),
                        Err(message) => return self.session.notice.set(Some(message)),
                    },
                    (None, RunPlace::Open(_)) => {}
                }
            }
            let stem = format!("{}-runs", records.len());
            match TraceFile::write(engine_client::interactive(), &stem, records, &format).await {
                Ok(file) => file.save(),
                Err(message) => self.session.notice.set(Some(message)),
            }
        });
    }

    /// Keeps the open traces of some rows.
    pub(super) async fn keep_all(self, places: Vec<RunPlace>) {
        let new = self.entries.with_untracked(|list| {
            let is_new = |e: &&Entry| e.kept.is_none() && places.contains(&RunPlace::Open(e.id));
            list.iter().filter(is_new).map(|e| e.id).collect::<Vec<_>>()
        });
        if self.keep_new(&new).await {
            let n_before = places.len() - new.len();
            self.session.notice.set(Some(format!(
                "{} are now kept in this browser, {n_before} were before.",
                plural(new.len(), "trace")
            )));
        }
    }

    /// Opens every trace of a file's text.
    pub(crate) fn open_text(self, file: String, text: String, began: f64) {
        spawn_local(async move {
            self.session.busy.set(Some(format!("Reading {file}…")));
            let ask = ReadTraces { text: Some(text) };
            let answer = engine_client::interactive().ask(ask).await;
            self.take_answer(file, answer, began).await;
        });
    }

    /// Opens every trace of a file, of which the engine reads the bytes: it may be an archive.
    pub(crate) async fn open_file(self, file: File, began: f64) {
        let name = file.name();
        self.session.busy.set(Some(format!("Reading {name}…")));
        let beside = Beside { files: std::slice::from_ref(&file), ..Beside::default() };
        let ask = ReadTraces { text: None };
        let answer = engine_client::interactive().ask_with(&ask, &beside, |_, _| ()).await;
        self.take_answer(name, answer.map_err(Into::into), began).await;
    }

    async fn take_answer(self, file: String, answer: Result<ReadFile, String>, began: f64) {
        self.session.notice.set(None);
        self.session.busy.set(None);
        let ReadFile { records, mut notes, .. } = match answer {
            Ok(read) => read,
            Err(message) => return self.session.notice.set(Some(format!("{file}: {message}"))),
        };
        if records.is_empty() {
            self.session.notice.set(Some(format!("{file} holds no trace.")));
        }
        let n = records.len();
        if n > MOST_OPENED {
            notes.push(format!("{MOST_OPENED} of its {n} traces are open"));
        }
        self.open_all(records.into_iter().take(MOST_OPENED).collect()).await;
        let remarks = (!notes.is_empty()).then(|| format!("{file}: {}.", notes.join("; ")));
        self.remarks.set(remarks);
        let now = window().performance().map_or(0.0, |p| p.now());
        self.opened_ms.set(Some(now - began));
    }

    /// Opens the traces that the page's own file holds.
    pub(super) fn open_embedded(self) {
        let Some(text) = embedded::text(EMBEDDED) else { return };
        let began = window().performance().map_or(0.0, |p| p.now());
        self.open_text("This page's own file".to_owned(), text, began);
    }

    /// Opens the trace that is packed into a link, at a step.
    pub(super) fn open_link(self, link: String, step: Option<usize>) {
        self.session.notice.set(None);
        spawn_local(async move {
            match engine_client::interactive().ask(ReadLink { link }).await {
                Ok(Exact(Linked::Traces(ReadFile { records, .. }))) => {
                    self.drop_examples();
                    for record in records.into_iter().rev() {
                        let name = records::name(&record);
                        let entry = self.open(record, name, None, None);
                        self.came(entry, |keys| keys.contains_key("s"));
                    }
                    if let Some(step) = step {
                        self.seek(step);
                    }
                }
                Ok(_) => {
                    let words = "This link is about another page of Graphground.";
                    self.session.notice.set(Some(words.into()));
                }
                Err(message) => self.session.notice.set(Some(message)),
            }
        });
    }
}
