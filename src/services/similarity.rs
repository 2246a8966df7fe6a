//! How names are compared: what is chosen, what is loaded for it, and what is kept.

use std::sync::Arc;

use kg::find::trigram_threshold;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::kg::{EmbedNames, LoadGraph, MODEL, NameMeasure, SetSimilarity, Similarity, TABLE};
use web_sys::{AbortController, File};

use super::engine_client::{self, Beside, EngineClient, Heard, JobHandle};
use super::open_graph::OpenGraph;
use super::{assets, models};
use models::{Missing, Named};

/// Where MiniLM lies beside the page, and under which name it is kept.
const FOLDER: &str = "models/minilm";
/// The largest file of a model.
const MAX_BYTES: f64 = 500e6;

/// What is being done, and how far it is where that is known.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Doing {
    pub(crate) words: String,
    pub(crate) done: f64,
    /// 0 where it is not known.
    pub(crate) total: f64,
}

/// How names are compared; for knowledge graphs and families alike, because one engine has both.
#[derive(Clone, Copy)]
pub(crate) struct SimilarityState {
    /// What is in use.
    pub(crate) by: RwSignal<Similarity>,
    /// What was chosen last; it is in use once it is loaded.
    pub(crate) chosen: RwSignal<Similarity>,
    /// What is in use, for people, with its threshold.
    pub(crate) measure: RwSignal<NameMeasure>,
    pub(crate) doing: RwSignal<Option<Arc<Doing>>>,
    pub(crate) said: RwSignal<Option<String>>,
    /// Whether the person is asked for the model's files.
    pub(crate) wants_files: RwSignal<bool>,
    /// Whether the model is kept in this browser; unknown before somebody looked.
    pub(crate) is_kept: RwSignal<bool>,
    /// Counts what was begun, so that what was stopped changes nothing later.
    turn: StoredValue<u64>,
    abort: StoredValue<Option<AbortController>, LocalStorage>,
    /// The engine that is being made ready.
    next: StoredValue<Option<EngineClient>, LocalStorage>,
    job: StoredValue<Option<JobHandle>, LocalStorage>,
}

impl SimilarityState {
    pub(crate) fn new() -> Self {
        Self {
            by: RwSignal::new(Similarity::Trigrams),
            chosen: RwSignal::new(Similarity::Trigrams),
            measure: RwSignal::new(trigrams()),
            doing: RwSignal::new(None),
            said: RwSignal::new(None),
            wants_files: RwSignal::new(false),
            is_kept: RwSignal::new(false),
            turn: StoredValue::new(0),
            abort: StoredValue::new_local(None),
            next: StoredValue::new_local(None),
            job: StoredValue::new_local(None),
        }
    }

    fn is_current(self, turn: u64) -> bool {
        self.turn.get_value() == turn
    }

    fn begin(self) -> u64 {
        self.turn.update_value(|t| *t += 1);
        self.said.set(None);
        self.wants_files.set(false);
        self.turn.get_value()
    }

    fn tell(self, turn: u64, words: &str, done: f64, total: f64) {
        if self.is_current(turn) {
            self.doing.set(Some(Arc::new(Doing { words: words.to_owned(), done, total })));
        }
    }

    /// Leaves everything as it was before something was begun.
    fn give_up(self, message: Option<String>) {
        if let Some(engine) = self.next.try_update_value(Option::take).flatten() {
            engine.end();
        }
        self.doing.set(None);
        self.chosen.set(self.by.get_untracked());
        self.said.set(message);
    }

    /// Stops what is being loaded or read.
    pub(crate) fn stop(self) {
        self.turn.update_value(|t| *t += 1);
        if let Some(abort) = self.abort.get_value() {
            abort.abort();
        }
        self.give_up(None);
        // A model that did not come to its end with the names is not to keep anybody waiting.
        if let Some(job) = self.job.try_update_value(Option::take).flatten() {
            job.cancel();
            self.choose_plain(Similarity::Trigrams);
        }
    }

    /// The worker was ended, and what it had loaded with it.
    pub(crate) fn lost(self) {
        if self.by.get_untracked() != Similarity::Trigrams {
            let label = self.measure.with_untracked(|m| m.label.clone());
            self.used(Similarity::Trigrams, trigrams());
            self.said.set(Some(format!(
                "The engine was restarted without {label}: names are compared by trigrams until you choose it again."
            )));
        }
    }

    fn used(self, by: Similarity, measure: NameMeasure) {
        self.by.set(by);
        self.chosen.set(by);
        self.measure.set(measure);
        self.doing.set(None);
    }

    /// Compares names otherwise.
    pub(crate) fn choose(self, graph: OpenGraph, by: Similarity) {
        if self.doing.with_untracked(Option::is_some) {
            self.stop();
        }
        self.chosen.set(by);
        match by {
            Similarity::Minilm => self.choose_model(graph),
            plain => self.choose_plain(plain),
        }
    }

    fn choose_plain(self, by: Similarity) {
        let turn = self.begin();
        self.chosen.set(by);
        spawn_local(async move {
            let told = async {
                let bytes = match by {
                    Similarity::Table => {
                        self.tell(turn, "Loading the table of words", 0.0, 0.0);
                        let bytes = assets::bytes("assets/models/words.bin").await?;
                        vec![(TABLE.to_owned(), bytes)]
                    }
                    _ => Vec::new(),
                };
                set_similarity(&engine_client::knowledge(), by, bytes).await
            };
            let told = told.await;
            match told {
                _ if !self.is_current(turn) => {}
                Ok(measure) => self.used(by, measure),
                Err(message) => self.give_up(Some(message)),
            }
        });
    }

    fn choose_model(self, graph: OpenGraph) {
        let turn = self.begin();
        let Ok(abort) = AbortController::new() else { return };
        self.abort.set_value(Some(abort.clone()));
        self.tell(turn, "Looking for the model", 0.0, 0.0);
        spawn_local(async move {
            let was_kept = models::load_kept(FOLDER, &MODEL).await;
            let is_new = was_kept.is_none();
            let files = match was_kept {
                Some(files) => Ok(files),
                None => {
                    let on_bytes = |done, total| self.tell(turn, "Loading the model", done, total);
                    models::beside(FOLDER, &MODEL, &abort, on_bytes).await
                }
            };
            if !self.is_current(turn) {
                return;
            }
            match files {
                Ok(files) => self.take(graph, files, is_new, turn).await,
                Err(Missing::Stopped) => self.give_up(None),
                Err(Missing::Broken(message)) => self.give_up(Some(message)),
                Err(Missing::Absent) => {
                    self.give_up(None);
                    self.chosen.set(Similarity::Minilm);
                    self.wants_files.set(true);
                }
            }
        });
    }

    /// Takes the model's files as the person chose them.
    pub(crate) fn take_files(self, graph: OpenGraph, list: &[File]) {
        let turn = self.begin();
        let mut files: Vec<Named> = Vec::new();
        for name in MODEL {
            let Some(file) = list.iter().find(|f| f.name() == name) else {
                let given: Vec<String> = list.iter().map(File::name).collect();
                self.wants_files.set(true);
                self.said.set(Some(format!(
                    "{name} is missing; choose {} together (chosen: {})",
                    MODEL.join(", "),
                    if given.is_empty() { "nothing".to_owned() } else { given.join(", ") },
                )));
                return;
            };
            if file.size() > MAX_BYTES {
                self.said.set(Some(format!(
                    "{name} has {:.0} MB; a file of a model may have at most {:.0} MB",
                    file.size() / 1e6,
                    MAX_BYTES / 1e6
                )));
                return;
            }
            files.push((name, file.clone().into()));
        }
        self.chosen.set(Similarity::Minilm);
        spawn_local(async move { self.take(graph, files, true, turn).await });
    }

    /// Makes an engine ready with the model and puts it in the place of the one that is there; until
    /// then, and if anything is wrong, the page works with that one.
    async fn take(self, graph: OpenGraph, files: Vec<Named>, is_new: bool, turn: u64) {
        self.tell(turn, "Reading the model", 0.0, 0.0);
        let engine = engine_client::with_models();
        self.next.set_value(Some(engine.clone()));
        let done = async {
            let has_graph = graph.view.with_untracked(Option::is_some);
            let (serial, source, own) = graph.opened();
            if has_graph {
                let beside = Beside { files: &own, ..Beside::default() };
                engine.ask_with(&LoadGraph { source }, &beside, |_, _| ()).await?;
            }
            let mut bytes = Vec::new();
            for (name, blob) in &files {
                bytes.push(((*name).to_owned(), models::bytes(blob).await?));
            }
            let measure = set_similarity(&engine, Similarity::Minilm, bytes).await?;
            if has_graph {
                let on_progress = move |done, total| {
                    self.tell(turn, READING, done as f64, total as f64);
                };
                engine.ask_with(&EmbedNames {}, &Beside::default(), on_progress).await?;
            }
            if graph.opened().0 != serial || graph.opening.get_untracked() {
                return Err("another graph was opened meanwhile; choose MiniLM again".to_owned());
            }
            Ok(measure)
        };
        let done: Result<NameMeasure, String> = done.await;
        if !self.is_current(turn) {
            return;
        }
        match done {
            Ok(measure) => {
                self.next.set_value(None);
                graph.leave_engine();
                engine_client::replace_knowledge(engine);
                self.used(Similarity::Minilm, measure);
                if is_new && !models::keep(FOLDER, &files).await {
                    self.said.set(Some(
                        "This browser does not keep the model; it is loaded again on the next visit.".into(),
                    ));
                }
                self.look().await;
            }
            Err(message) => {
                self.give_up(Some(message));
                // What is kept and cannot be read is of no use.
                if !is_new {
                    models::delete(FOLDER, &MODEL).await;
                    self.look().await;
                }
            }
        }
    }

    /// Lets the model read the names of a graph that was opened, so that nobody waits for it later.
    pub(crate) fn embed_names(self) {
        if self.by.get_untracked() != Similarity::Minilm {
            return;
        }
        let turn = self.begin();
        let engine = engine_client::knowledge();
        let job = engine.start(&EmbedNames {}, &Beside::default(), move |heard| match heard {
            Heard::Progress(done, total) => self.tell(turn, READING, done as f64, total as f64),
            Heard::Done(_) | Heard::Cancelled | Heard::Failed(_) if self.is_current(turn) => {
                self.job.set_value(None);
                self.doing.set(None);
            }
            _ => {}
        });
        self.job.set_value(Some(job));
    }

    /// Looks whether the model is kept.
    pub(crate) async fn look(self) {
        self.is_kept.set(models::has(FOLDER, &MODEL).await);
    }

    /// Deletes what is kept of the model; what is in use stays in use until the page is left.
    pub(crate) fn delete(self) {
        spawn_local(async move {
            models::delete(FOLDER, &MODEL).await;
            self.look().await;
        });
    }
}

/// What is done while the model reads.
const READING: &str = "The model reads the names of the graph";

/// What an engine compares names by before anything is chosen.
fn trigrams() -> NameMeasure {
    NameMeasure { label: "character trigrams".into(), threshold: trigram_threshold() }
}

/// Switches an engine's similarity measure.
async fn set_similarity(
    engine: &EngineClient,
    by: Similarity,
    bytes: Vec<(String, js_sys::ArrayBuffer)>,
) -> Result<NameMeasure, String> {
    let beside = Beside { bytes, ..Beside::default() };
    Ok(engine.ask_with(&SetSimilarity { by }, &beside, |_, _| ()).await?)
}
