//! State of the Graph-ToolFormer page, and what changes it.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use draw::{Marks, Scene};
use js_sys::ArrayBuffer;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::Service;
use protocol::page::SupplyData;
use protocol::runs::{EndedRun, ModelChoice, RunEvent, StartRun};
use protocol::toolformer::{
    ClearMemory, HubState, HubView, MakeExamples, OpenData, OpenModel, OpenedData, PieceView,
    ReadStatement, RunView, ShowHub, ShowPrompts, StatementRun, TaskFamily, WEIGHTS,
};
use serde_json::json;
use systems::toolformer::experiment::{self as toolformer, WRITER, case};
use systems::toolformer::prompts::Pair;
use systems::toolformer::report::ModelReport;
use systems::toolformer::{Mode, Shown};
use trace::Record;
use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::JsFuture;
use web_sys::File;

use crate::services::engine_client::{self, Back, Beside, NoReply};
use crate::services::open::{Open, TraceToOpen};
use crate::services::trace_file::{self, TraceFile};
use crate::services::{assets, screen, single_file};
use crate::shell::Shell;
use crate::state::settings::ModelSettings;
use crate::state::story;
use crate::state::toolformer::{
    BESIDE, Beside as BesideFiles, ENDPOINT, FIRST, PERSON, calls_of, calm, is_weights, made_out,
    memory_at, places_at, tag_scores, with_room,
};
use crate::state::viewer::Graphs;
use crate::workbench::session::{Happening, RunSession};

/// The most bytes of a file of weights.
const MAX_WEIGHTS: f64 = 400e6;

/// The run that the page begins with.
const EXAMPLE: &str = "example";

/// A statement that was run, with its graph at every step.
#[derive(Clone, PartialEq)]
pub(crate) struct Ran {
    pub(crate) view: Arc<RunView>,
    pub(crate) graphs: Graphs,
}

/// What statements want of the files beside the page, each with its turn and the way back of the answer.
type Wanted = VecDeque<(u64, Back<SupplyData>, &'static BesideFiles)>;

/// The state of the page; it outlives a visit to another page.
#[derive(Clone, Copy)]
pub(crate) struct PageState {
    pub(crate) input: RwSignal<String>,
    /// Who writes: a person, a script by name, or the endpoint in use.
    pub(crate) writer: RwSignal<String>,
    pub(crate) mode: RwSignal<Mode>,
    pub(crate) hub: RwSignal<HubView>,
    pub(crate) gallery: RwSignal<Vec<TaskFamily>>,
    /// Prompts that show kinds of calls.
    pub(crate) prompts: RwSignal<Vec<TaskFamily>>,
    pub(crate) seed: RwSignal<u64>,
    /// The statement in the field as it was read; of a question nothing is.
    pub(crate) read: RwSignal<Vec<PieceView>>,
    pub(crate) run: RwSignal<Option<Ran>>,
    pub(crate) session: RunSession,
    pub(crate) memory: RwSignal<Vec<Shown>>,
    /// The bracket whose parts are shown.
    pub(crate) chosen: RwSignal<Option<usize>>,
    /// Whether calls stand in the sentence in place of their results.
    pub(crate) keeps_calls: RwSignal<bool>,
    /// What is being loaded.
    pub(crate) loading: RwSignal<Option<String>>,
    /// How good the models are that lie beside the page, as their files of figures say.
    pub(crate) reports: RwSignal<Vec<ModelReport>>,
    /// What was taken last.
    pub(crate) taken: RwSignal<Option<String>>,
    pub(crate) settings: RwSignal<ModelSettings>,
    open: Open,
    wanted: StoredValue<Wanted, LocalStorage>,
    /// Counts what was typed, so that only what stands still is read.
    typed: StoredValue<u64>,
    /// Whether what is shown is the run that the page began with.
    is_example: StoredValue<bool>,
}

impl PageState {
    pub(crate) fn new(shell: Shell) -> Self {
        let state = Self {
            input: RwSignal::new(FIRST.to_owned()),
            writer: RwSignal::new(PERSON.to_owned()),
            mode: RwSignal::default(),
            hub: RwSignal::default(),
            gallery: RwSignal::default(),
            prompts: RwSignal::default(),
            seed: RwSignal::new(1),
            read: RwSignal::default(),
            run: RwSignal::new(None),
            session: RunSession::playing(900.0),
            memory: RwSignal::default(),
            chosen: RwSignal::new(None),
            keeps_calls: RwSignal::new(false),
            loading: RwSignal::new(None),
            reports: RwSignal::default(),
            taken: RwSignal::new(None),
            settings: shell.settings,
            open: shell.open,
            wanted: StoredValue::new_local(VecDeque::new()),
            typed: StoredValue::new(0),
            is_example: StoredValue::new(false),
        };
        state.ask_hub();
        state.read_reports();
        state.show_example();
        state
    }

    /// Asks what is at hand.
    fn ask_hub(self) {
        self.ask(ShowHub {}, move |state| self.show_hub(state));
        self.read_soon();
        self.examples(1);
    }

    /// Reads how good the models beside the page are; of one whose figures are not there nothing is
    /// told.
    fn read_reports(self) {
        spawn_local(async move {
            for beside in &BESIDE {
                let Ok(file) = assets::file(beside.figures).await else { continue };
                let Ok(text) = JsFuture::from(file.text()).await else { continue };
                let text = text.as_string().unwrap_or_default();
                if let Ok(report) = ModelReport::read(&text) {
                    self.reports.update(|all| all.push(report));
                }
            }
        });
    }

    /// How good a model of a data set is, if that is known.
    pub(crate) fn report(self, model: &str, dataset: &str) -> Option<ModelReport> {
        let is_it = |r: &&ModelReport| r.model == model && r.dataset == dataset;
        self.reports.with(|all| all.iter().find(is_it).cloned())
    }

    /// The same once more, where there was no engine for it.
    pub(crate) fn open_again(self) {
        self.ask_hub();
    }

    /// Begins the page with the first statement run to its end: it needs no model, and the engine does
    /// not remember it.
    fn show_example(self) {
        self.is_example.set_value(true);
        self.run_calls(EXAMPLE);
        self.session.keep_nothing();
    }

    /// Takes what is typed.
    pub(crate) fn say(self, words: String) {
        if self.is_example.get_value() {
            // What is read of the new words takes its place.
            self.clear();
        }
        self.input.set(words);
        self.read_soon();
    }

    /// Takes who is to write.
    pub(crate) fn seat(self, writer: String) {
        self.writer.set(writer);
        self.read_soon();
    }

    /// Has the statement in the field read once nobody types.
    fn read_soon(self) {
        if !self.is_written() {
            return self.read.set(Vec::new());
        }
        let mine = self.typed.get_value() + 1;
        self.typed.set_value(mine);
        let read = move || {
            if self.typed.get_value() == mine {
                let text = self.input.get_untracked();
                self.ask(ReadStatement { text }, move |pieces| {
                    if self.is_written() {
                        self.read.set(pieces);
                    }
                });
            }
        };
        set_timeout(read, Duration::from_millis(200));
    }

    /// Whether the statement stands in the field, and nobody else writes it.
    pub(crate) fn is_written(self) -> bool {
        self.writer.with_untracked(|w| w == PERSON)
    }

    /// The words and the calls that are shown, of a run or of what stands in the field.
    pub(crate) fn pieces(self) -> Vec<PieceView> {
        self.run.with(|r| r.as_ref().map(|r| r.view.pieces.clone())).unwrap_or(self.read.get())
    }

    /// Other statements to try.
    pub(crate) fn examples(self, seed: u64) {
        self.seed.set(seed);
        self.ask(MakeExamples { seed }, move |families| self.gallery.set(families));
        self.ask(ShowPrompts {}, move |families| self.prompts.set(families));
    }

    /// Empties the working memory.
    pub(crate) fn forget(self) {
        self.clear();
        self.ask(ClearMemory {}, move |state| self.show_hub(state));
    }

    /// Asks, and hands the reply to `then`; what goes wrong is shown.
    fn ask<S: Service>(self, ask: S, then: impl FnOnce(S::Reply) + 'static) {
        spawn_local(async move {
            match engine_client::toolformer().ask(ask).await {
                Ok(reply) => then(reply),
                Err(message) => self.session.notice.set(Some(message)),
            }
        });
    }

    fn show_hub(self, state: HubState) {
        self.hub.set(state.hub);
        self.memory.set(state.memory);
    }

    /// Shows data or a model that was opened.
    fn show_opened(self, opened: Result<OpenedData, NoReply>) {
        match opened {
            Ok(OpenedData { words, hub }) => {
                self.session.notice.set(None);
                self.hub.set(hub);
                self.taken.set(Some(words));
                self.examples(self.seed.get_untracked());
            }
            Err(why) => self.session.notice.set(Some(why.into())),
        }
    }

    fn show_run(self, run: RunView) {
        let graphs = Graphs::new(Arc::new(run.trace.clone()));
        if let Some((_, memory)) = run.memory.last() {
            self.memory.set(memory.clone());
        }
        let has_calls = calls_of(&run.pieces).next().is_some();
        self.chosen.set(has_calls.then_some(0));
        self.session.show(story::shared(&run.trace.steps));
        self.run.set(Some(Ran { view: Arc::new(run), graphs }));
    }

    /// Takes files: weights of models, and data for whatever is none.
    pub(crate) fn take_files(self, list: Vec<File>) {
        spawn_local(async move {
            for file in list {
                self.loading.set(Some(file.name()));
                self.take_file(&file, None).await;
            }
            self.loading.set(None);
            self.load_wanted().await;
        });
    }

    async fn take_file(self, file: &File, own: Option<&str>) {
        if !is_weights(&file.name()) {
            let files = std::slice::from_ref(file);
            let beside = Beside { files, ..Beside::default() };
            let ask = OpenData { own: own.map(ToOwned::to_owned) };
            let opened = engine_client::toolformer().ask_with(&ask, &beside, |_, _| ()).await;
            return self.show_opened(opened);
        }
        if file.size() > MAX_WEIGHTS {
            let message = format!("{} has over 400 MB; no weights are read so large", file.name());
            return self.session.notice.set(Some(message));
        }
        match JsFuture::from(file.array_buffer()).await.map(|b| b.dyn_into::<ArrayBuffer>()) {
            Ok(Ok(bytes)) => {
                let bytes = vec![(WEIGHTS.to_owned(), bytes)];
                let beside = Beside { bytes, ..Beside::default() };
                let engine = engine_client::toolformer();
                self.show_opened(engine.ask_with(&OpenModel {}, &beside, |_, _| ()).await);
            }
            _ => self.session.notice.set(Some(format!("{} could not be read", file.name()))),
        }
    }

    /// Takes files that lie beside the page.
    pub(crate) fn take_beside(self, what: &'static BesideFiles) {
        if self.loading.get_untracked().is_some() {
            return;
        }
        spawn_local(async move {
            self.load_files(what).await;
            self.load_wanted().await;
        });
    }

    async fn load_files(self, what: &'static BesideFiles) {
        self.loading.set(Some(what.title.to_owned()));
        for path in what.paths {
            let on_bytes = |done, total| self.loading.set(Some(what.loading(done, total)));
            match assets::file_with(path, on_bytes).await {
                Ok(file) => self.take_file(&file, Some(what.id)).await,
                Err(message) => {
                    self.session.notice.set(Some(message));
                    break;
                }
            }
        }
        self.loading.set(None);
    }

    /// Whether a model that lies beside the page was loaded.
    fn has(self, what: &BesideFiles) -> bool {
        let on = |all: &[String]| all.iter().any(|dataset| dataset == what.id);
        self.hub.with_untracked(|hub| {
            hub.models.iter().any(|m| m.id == what.model && on(&m.trained_on))
        })
    }

    fn clear(self) {
        self.is_example.set_value(false);
        self.session.clear();
        self.run.set(None);
        self.chosen.set(None);
    }

    /// Has the statement written, and runs its calls.
    pub(crate) fn start(self) {
        let is_example = self.session.busy.with_untracked(|b| b.as_deref() == Some(EXAMPLE));
        if self.session.is_busy_untracked() && !is_example {
            return;
        }
        self.clear();
        screen::show_stage();
        self.run_calls("write");
    }

    /// What goes on is called `what` meanwhile.
    fn run_calls(self, what: &str) {
        let input = self.input.get_untracked();
        let pair = Pair { input, ..Pair::default() };
        let case = match case("own".into(), &pair) {
            Ok(case) => case,
            Err(message) => return self.session.notice.set(Some(message)),
        };
        let mut ask = StartRun::<StatementRun>::new(toolformer::ID, case);
        ask.options = json!({ "mode": self.mode.get_untracked() });
        let writer = self.writer.get_untracked();
        ask.by_hand.is_statement = writer == PERSON;
        if writer == ENDPOINT {
            let choice = self.settings.with_untracked(ModelSettings::choice);
            ask = ask.with_model(WRITER.id, choice);
        } else if writer != PERSON {
            ask = ask.with_model(WRITER.id, ModelChoice::Script { name: writer });
        }
        let engine = engine_client::toolformer();
        let view = RefCell::new(None);
        self.session.start(&engine, &ask, what, move |happening| match happening {
            Happening::Step(step) => self.session.push(step),
            Happening::Event(RunEvent::Own(now)) => _ = view.replace(Some(now)),
            Happening::Supply(SupplyData { dataset, model }, back) => {
                self.supply(back, BesideFiles::supplying(&dataset, model.as_deref()));
            }
            Happening::Done(EndedRun { run, .. }) => {
                if let Some(view) = view.take() {
                    self.show_run(RunView { trace: run.trace, ..view });
                }
                if self.is_example.get_value() {
                    self.ask(ClearMemory {}, move |state| self.show_hub(state));
                }
            }
            _ => {}
        });
    }

    /// Loads what the statement that is being written or run calls, one after the other.
    fn supply(self, back: Back<SupplyData>, beside: Option<&'static BesideFiles>) {
        let turn = self.session.turn();
        match beside.filter(|_| !single_file::is_one_file()) {
            Some(beside) => self.wanted.update_value(|w| w.push_back((turn, back, beside))),
            // It cannot be had; the call says so.
            None => return back.reply(Ok(())),
        }
        if self.loading.get_untracked().is_none() {
            spawn_local(self.load_wanted());
        }
    }

    async fn load_wanted(self) {
        while let Some((turn, back, beside)) =
            self.wanted.try_update_value(VecDeque::pop_front).flatten()
        {
            // Who was stopped does not want it any more.
            if !self.session.is_turn(turn) {
                continue;
            }
            if !self.has(beside) {
                self.load_files(beside).await;
            }
            if self.session.is_turn(turn) {
                back.reply(Ok(()));
            }
        }
    }

    /// Puts a statement into the field, and runs it.
    pub(crate) fn try_it(self, words: String, writer: Option<&str>) {
        if let Some(writer) = writer {
            self.writer.set(writer.to_owned());
        }
        self.say(words);
        self.start();
    }

    /// What the working memory holds at the cursor.
    pub(crate) fn memory_now(self) -> Vec<Shown> {
        let at = self.session.cursor.get();
        match self.run.get() {
            Some(ran) => memory_at(&ran.view, at).to_vec(),
            None => self.memory.get(),
        }
    }

    /// The part of the data that is used up to the cursor.
    pub(crate) fn scene(self) -> Scene {
        let Some(ran) = self.run.get() else { return Scene::default() };
        let at = self.session.cursor.get();
        let Some((places, end)) = places_at(&ran.view, at) else { return Scene::default() };
        let graph = ran.graphs.at(at);
        let mut marks = ran.graphs.marks(at);
        marks.edges.extend(made_out(&ran.view, &graph, at));
        let whole = ran.graphs.at(end);
        let places = with_room(places, &whole);
        let mut scene = Scene::new(&graph, &places, &marks);
        tag_scores(&mut scene, &ran.view, at);
        calm(&mut scene);
        scene.arrange();
        // All that will be there is in view from the start, so that nothing jumps.
        scene.view = Scene::new(&whole, &places, &Marks::default()).view;
        scene
    }

    /// The trace of the last statement as a file, for `then`.
    fn written(self, then: impl FnOnce(TraceFile) + 'static) {
        let Some(ran) = self.run.get_untracked() else { return };
        let records = vec![Record::of(ran.view.trace.clone())];
        spawn_local(async move {
            let engine = engine_client::toolformer();
            match TraceFile::write(engine, "statement", records, trace_file::own_format()).await {
                Ok(file) => then(file),
                Err(message) => self.session.notice.set(Some(message)),
            }
        });
    }

    /// Offers the trace as a file.
    pub(crate) fn export(self) {
        self.written(|file| file.save());
    }

    /// Opens the trace on the page of traces.
    pub(crate) fn open_trace(self) {
        self.written(move |file| self.open.trace(TraceToOpen::File(file)));
    }
}
