//! What the Graph of Thoughts page holds, and what can be done with it.

mod queries;
mod task;

use std::collections::BTreeMap;
use std::sync::Arc;

use draw::Scene;
use leptos::prelude::*;
use leptos::task::spawn_local;
use llm::Message;
use protocol::Service;
use protocol::exact::Exact;
use protocol::kgot::{CorrectGrown, GrownTable, KgotEvent, KgotRun, OpenSnapshot, WriteSnapshot};
use protocol::runs::{EndedRun, ModelChoice, RunEvent, StartRun};
use systems::kgot::{GRAPH, GraphGrowth, KgotLanguage};
use tasks::kgot::KgotCase;
use trace::{Record, RecordScore, StepBody, Stop, Trace};
use web_sys::File;

use super::store::{Asked, StoreState};
use crate::services::engine_client::{self, EngineClient};
use crate::services::open::{Open, TraceToOpen};
use crate::services::python::{self, PythonState};
use crate::services::trace_file::{self, TraceFile};
use crate::services::{clipboard, files, single_file};
use crate::shell::Shell;
use crate::state::kgot::{GraphNow, Growing, Pointed, SolvedTask, broken_off, drawn};
use crate::state::kgot_form::{ChosenTask, KgotForm};
use crate::state::settings::ModelSettings;
use crate::workbench::session::{Happening, RunSession};
use queries::usual_query;

/// The seed of the set that is shown; the scripts know it.
pub(super) const SEED: u64 = 0;
/// A run that takes less was not watched while its graph grew: it may be placed anew at its end.
const UNWATCHED_MS: f64 = 3_000.0;
/// The most files of a task.
const MAX_FILES: usize = 30;

/// What came of the last run.
#[derive(Clone, PartialEq)]
pub(super) enum Ended {
    /// It came to its end.
    Solved(Arc<SolvedTask>),
    /// Its engine ended before it did: the trace until then.
    BrokenOff(Trace),
}

/// A query by hand.
#[derive(Clone, PartialEq)]
pub(super) struct HandQuery {
    /// What it is put to.
    pub(super) whom: Asked,
    pub(super) language: KgotLanguage,
    pub(super) query: String,
}

/// What a query by hand gave.
#[derive(Clone, PartialEq)]
pub(super) enum Answered {
    /// Rows.
    Rows(Arc<GrownTable>),
    /// Why it has none.
    Fault(String),
}

/// The state of the page; it outlives a visit to another page.
#[derive(Clone, Copy)]
pub(crate) struct PageState {
    /// The tasks of the set.
    pub(super) tasks: RwSignal<Vec<KgotCase>>,
    pub(super) chosen: RwSignal<ChosenTask>,
    /// Who works on the task, and how.
    pub(super) form: RwSignal<KgotForm>,
    pub(super) session: RunSession,
    pub(super) growing: RwSignal<Growing>,
    /// Whether the run has paused, and waits.
    pub(super) is_paused: RwSignal<bool>,
    pub(super) ended: RwSignal<Option<Ended>>,
    /// The id of the node that is looked at.
    pub(super) picked: RwSignal<Option<u64>>,
    pub(super) hand: RwSignal<HandQuery>,
    pub(super) answered: RwSignal<Option<Answered>>,
    pub(super) store: StoreState,
    pub(super) is_asking: RwSignal<bool>,
    pub(super) settings: RwSignal<ModelSettings>,
    open: Open,
    /// Which worker of the engine holds the graph: one that was started since has none.
    held_by: StoredValue<Option<u64>>,
    followed: StoredValue<Option<BTreeMap<String, String>>>,
    pub(super) python: RwSignal<PythonState>,
    /// Counts queries, so that what comes of one before the last is not shown.
    turn: StoredValue<u64>,
}

impl PageState {
    pub(crate) fn new(shell: Shell) -> Self {
        let settings = shell.settings;
        let hand = HandQuery {
            whom: Asked::default(),
            language: KgotLanguage::default(),
            query: usual_query(KgotLanguage::Cypher).to_owned(),
        };
        let is_endpoint = settings.with_untracked(ModelSettings::is_brought);
        let state = Self {
            tasks: RwSignal::default(),
            chosen: RwSignal::default(),
            form: RwSignal::new(KgotForm::new(is_endpoint)),
            session: RunSession::playing(900.0),
            growing: RwSignal::default(),
            is_paused: RwSignal::new(false),
            ended: RwSignal::new(None),
            picked: RwSignal::new(None),
            hand: RwSignal::new(hand),
            answered: RwSignal::new(None),
            store: StoreState::new(),
            is_asking: RwSignal::new(false),
            settings,
            open: shell.open,
            held_by: StoredValue::new(None),
            followed: StoredValue::new(None),
            python: RwSignal::new(PythonState::Off),
            turn: StoredValue::new(0),
        };
        // Whoever switches to an endpoint, or back, means this page too.
        Effect::new(move |before: Option<bool>| {
            let is_endpoint = settings.with(ModelSettings::is_brought);
            if before.is_some_and(|b| b != is_endpoint) {
                state.form.update(|form| form.reseat(is_endpoint));
            }
            is_endpoint
        });
        state
    }

    /// Follows an address: which task of the set.
    pub(super) fn follow(self, keys: &BTreeMap<String, String>) {
        if self.followed.with_value(|last| last.as_ref() == Some(keys)) {
            return;
        }
        self.followed.set_value(Some(keys.clone()));
        let wanted = keys.get("task").and_then(|v| v.parse::<usize>().ok());
        let wanted = wanted.map(|number| number.saturating_sub(1));
        if self.tasks.with_untracked(Vec::is_empty) {
            // One that needs several sources shows most.
            self.load_tasks(wanted.unwrap_or(40));
        } else if let Some(index) = wanted {
            self.pick_task(index);
        }
    }

    fn ask<S: Service>(self, engine: EngineClient, ask: S, then: impl FnOnce(S::Reply) + 'static) {
        spawn_local(async move {
            match engine.ask(ask).await {
                Ok(reply) => then(reply),
                Err(message) => self.session.notice.set(Some(message)),
            }
        });
    }

    /// Forgets the run; the graph too, unless it is to be kept.
    fn clear(self) {
        self.session.clear();
        self.ended.set(None);
        self.picked.set(None);
        self.answered.set(None);
        self.is_paused.set(false);
        if self.form.with_untracked(|form| form.keeps_graph) {
            self.growing.update(|g| *g = Growing::open(whole(&g.newest()), &g.places));
        } else {
            self.growing.set(Growing::default());
        }
    }

    /// Whether the engine still has the graph, or never had one.
    fn is_held(self) -> bool {
        let now = engine_client::knowledge().epoch();
        self.held_by.get_value().is_none_or(|held_by| held_by == now)
    }

    /// The engine with the graph in view, and after how many growths that is. One that ended meanwhile, as
    /// a query can make it, is given the graph as the page knows it.
    pub(super) async fn holder(self) -> Result<(EngineClient, Option<usize>), String> {
        let engine = engine_client::knowledge();
        if self.is_held() {
            return Ok((engine, self.at()));
        }
        let cursor = self.session.cursor.get_untracked();
        let text = self.growing.with_untracked(|g| g.at(cursor)).snapshot();
        engine.ask(OpenSnapshot { text }).await?;
        Ok((engine, None))
    }

    /// Why the task cannot be begun, if so.
    fn fault(self) -> Option<String> {
        let (chosen, settings) = (self.chosen.get_untracked(), self.settings.get_untracked());
        let has_sparql = !single_file::is_one_file();
        let fault = self.form.with_untracked(|form| form.fault(&chosen, &settings, has_sparql));
        let no_copy = || untrack(|| self.store.copy_place()).err().filter(|_| self.copies());
        fault.or_else(no_copy)
    }

    /// Whether a graph is grown.
    pub(super) fn has_graph(self) -> bool {
        self.form.with(KgotForm::has_graph)
    }

    /// Whether the next run keeps a copy of its graph in a store.
    fn copies(self) -> bool {
        let StoreState { keeps_copy, .. } = self.store;
        self.form.with_untracked(KgotForm::has_graph)
            && keeps_copy.get_untracked()
            && untrack(|| self.store.may_write())
    }

    /// Lets models run Python, which is loaded then.
    pub(super) fn want_python(self, wants: bool) {
        self.form.update(|form| form.has_python = wants);
        if wants {
            spawn_local(async move {
                // The page says beside the switch what came of it.
                if python::load(Some(self.python)).await.is_err() {
                    self.form.update(|form| form.has_python = false);
                }
            });
        }
    }

    /// Takes a language into fusion, or out of it. The order stays that of the list.
    pub(super) fn take_member(self, language: KgotLanguage, on: bool) {
        self.form.update(|form| form.take_member(language, on));
        if on && language == KgotLanguage::Networkx {
            self.want_python(true);
        }
    }

    /// Solves the task.
    pub(super) fn run(self) {
        if self.session.is_busy_untracked() {
            return;
        }
        if let Some(why) = self.fault() {
            return self.session.notice.set(Some(why));
        }
        let form = self.form.get_untracked();
        let is_held = self.is_held();
        let engine = engine_client::knowledge();
        self.clear();
        if !form.has_graph() {
            self.growing.set(Growing::default());
        }
        let copy = self.copies().then(|| untrack(|| self.store.copy_place()).ok()).flatten();
        let (chosen, settings) = (self.chosen.get_untracked(), self.settings.get_untracked());
        let ask = match form.ask(&chosen, &settings, copy) {
            Ok(ask) => ask,
            Err(message) => return self.session.notice.set(Some(message)),
        };
        self.store.told.set(None);
        if !form.keeps_graph || is_held {
            return self.start(&engine, &ask);
        }
        // The worker that had the graph has ended.
        let turn = self.session.turn();
        spawn_local(async move {
            let text = self.growing.with_untracked(Growing::newest).snapshot();
            match engine.ask(OpenSnapshot { text }).await {
                Ok(_) if self.session.is_turn(turn) => self.start(&engine, &ask),
                Ok(_) => {}
                Err(message) => self.session.notice.set(Some(message)),
            }
        });
    }

    fn start(self, engine: &EngineClient, ask: &StartRun<KgotRun>) {
        let began_ms = js_sys::Date::now();
        if ask.by_hand.keeps_graph {
            // The run tells it again, as its first step.
            self.growing.update(|g| *g = Growing::open(GraphGrowth::default(), &g.places));
        }
        let model = match ask.models.get(GRAPH.id) {
            Some(ModelChoice::Endpoint { model, .. }) => model.clone(),
            _ => self.form.with_untracked(|form| form.seats[0].clone()),
        };
        let question = self.chosen.with_untracked(|c| c.task.question.clone());
        let begun = Trace::new(ask.system.as_str(), model, vec![Message::user(question)]);
        self.session.start(engine, ask, "solve", move |happening| match happening {
            Happening::Step(step) => self.session.push(step),
            Happening::Event(event) => self.hear(event),
            Happening::Done(EndedRun { run, is_known, .. }) => {
                self.is_paused.set(false);
                if js_sys::Date::now() - began_ms < UNWATCHED_MS {
                    self.growing.update(Growing::tidy);
                }
                let solved = Arc::new(SolvedTask { run: *run, is_known });
                self.ended.set(Some(Ended::Solved(solved)));
            }
            Happening::Cancelled => self.break_off(&begun, Stop::Cancelled.title()),
            Happening::Failed(why) => self.break_off(&begun, why),
            Happening::Progress(..) | Happening::Supply(..) => {}
        });
        self.held_by.set_value(Some(engine.epoch()));
    }

    /// Keeps what there is of a run that has no reply.
    fn break_off(self, begun: &Trace, why: String) {
        self.is_paused.set(false);
        let steps = self.session.steps.get_untracked();
        let broken = |steps| Ended::BrokenOff(broken_off(begun.clone(), steps, why));
        self.ended.set(Some(&steps).filter(|steps| !steps.is_empty()).map(broken));
    }

    fn hear(self, event: RunEvent<KgotEvent>) {
        match event {
            RunEvent::Paused => self.is_paused.set(true),
            RunEvent::Refused(why) => self.session.notice.set(Some(why)),
            RunEvent::Own(KgotEvent::Grown(growth)) => {
                let n = self.session.steps.with_untracked(Vec::len);
                self.growing.update(|g| g.push(n, growth));
                self.session.notice.set(None);
            }
            RunEvent::Own(KgotEvent::Copied(copied)) => self.store.tell(copied),
            RunEvent::Own(KgotEvent::NotCopied(why)) => {
                let words = format!("The store does not keep the copy any more: {why}");
                self.store.told.set(Some(words.clone()));
                self.session.notice.set(Some(words));
            }
        }
    }

    /// Lets the run pause before its next step, or go on.
    pub(super) fn pause(self, pauses: bool) {
        self.session.pause(pauses);
        if !pauses {
            self.is_paused.set(false);
        }
    }

    /// Corrects the graph by hand: that of a run that pauses, or the one that is there.
    pub(super) fn correct(self, query: String) {
        if self.session.is_busy_untracked() {
            if self.is_paused.get_untracked() {
                self.session.correct(query);
            } else {
                let words = "Pause the run first: it is at work on the graph.";
                self.session.notice.set(Some(words.into()));
            }
            return;
        }
        self.ask_holder(
            move |at| CorrectGrown { at, query },
            move |Exact(growth)| {
                self.form.update(|form| form.keeps_graph = true);
                self.show_graph(growth);
            },
        );
    }

    /// Asks the engine that has the graph in view, after so many growths.
    fn ask_holder<S: Service>(
        self,
        ask: impl FnOnce(Option<usize>) -> S + 'static,
        then: impl FnOnce(S::Reply) + 'static,
    ) {
        spawn_local(async move {
            let asked = async {
                let (engine, at) = self.holder().await?;
                engine.ask(ask(at)).await
            };
            match asked.await {
                Ok(reply) => then(reply),
                Err(message) => self.session.notice.set(Some(message)),
            }
        });
    }

    /// Shows a graph without a run.
    fn show_graph(self, growth: GraphGrowth) {
        self.session.clear();
        self.ended.set(None);
        self.answered.set(None);
        self.held_by.set_value(Some(engine_client::knowledge().epoch()));
        self.growing.update(|g| *g = Growing::open(growth, &g.places));
        let picked = self.picked.get_untracked();
        if picked.is_some_and(|id| !self.now().nodes.contains_key(&id)) {
            self.picked.set(None);
        }
    }

    /// Opens a snapshot file as the graph to begin with.
    pub(super) fn open_snapshot(self, list: Vec<File>) {
        let Some(file) = list.into_iter().next() else { return };
        self.session.abandon();
        spawn_local(async move {
            match files::text(&file).await {
                Ok(text) => {
                    self.ask(engine_client::knowledge(), OpenSnapshot { text }, move |opened| {
                        self.growing.set(Growing::default());
                        self.form.update(|form| form.keeps_graph = true);
                        let notes = opened.notes;
                        self.session.notice.set((!notes.is_empty()).then(|| notes.join("; ")));
                        self.show_graph(opened.graph);
                    });
                }
                Err(message) => self.session.notice.set(Some(message)),
            }
        });
    }

    /// Saves the graph that is in view as a snapshot file.
    pub(super) fn save_snapshot(self) {
        self.ask_holder(
            |at| WriteSnapshot { at },
            |text| clipboard::save("graph.jsonl", "application/x-ndjson", &text),
        );
    }

    /// The graph in view.
    pub(super) fn now(self) -> GraphNow {
        let cursor = self.session.cursor.get();
        self.growing.with(|g| g.at(cursor))
    }

    /// What is drawn.
    pub(super) fn scene(self) -> Scene {
        let now = self.now();
        let cursor = self.session.cursor.get();
        let mut pointed = Pointed { picked: self.picked.get(), ..Pointed::default() };
        let n = self.session.steps.with(|steps| {
            let step = cursor.checked_sub(1).and_then(|i| steps.get(i));
            if let Some(StepBody::Call { call, effects, .. }) = step.map(|s| &s.body)
                && call.name == "read_graph"
            {
                pointed.read = effects.touched.nodes.iter().map(ToString::to_string).collect();
            }
            steps.len()
        });
        if cursor >= n {
            let support = self.solved().map(|done| done.run.outcome.support.clone());
            pointed.support = support.into_iter().flatten().collect();
        }
        self.growing.with(|g| drawn(&now, &g.places, &pointed))
    }

    /// The task, if the last run came to its end.
    pub(super) fn solved(self) -> Option<Arc<SolvedTask>> {
        self.ended.with(|ended| match ended {
            Some(Ended::Solved(done)) => Some(done.clone()),
            _ => None,
        })
    }

    /// The trace of the run as a file, for `then`.
    fn written(self, then: impl FnOnce(TraceFile) + 'static) {
        let (trace, score) = match self.ended.get_untracked() {
            None => return,
            Some(Ended::BrokenOff(trace)) => (trace, None),
            Some(Ended::Solved(done)) => {
                let score = done.score().map(|s| RecordScore {
                    name: "solved".into(),
                    label: format!("{:?}", s.verdict).to_lowercase(),
                    value: f64::from(u8::from(s.verdict == tasks::Verdict::Correct)),
                    explanation: s.explanation.clone(),
                });
                (done.run.trace.clone(), score)
            }
        };
        let record = Record {
            id: "task".into(),
            task: "kgot".into(),
            input: self.chosen.with_untracked(|c| c.task.question.clone()),
            started_at: None,
            score,
            metadata: serde_json::Map::new(),
            trace,
        };
        spawn_local(async move {
            let engine = engine_client::knowledge();
            let format = trace_file::own_format();
            match TraceFile::write(engine, "graph-of-thoughts", vec![record], format).await {
                Ok(file) => then(file),
                Err(message) => self.session.notice.set(Some(message)),
            }
        });
    }

    /// Offers the trace as a file.
    pub(super) fn export(self) {
        self.written(|file| file.save());
    }

    /// Opens the trace on the page of traces.
    pub(super) fn open_trace(self) {
        self.written(move |file| self.open.trace(TraceToOpen::File(file)));
    }
}

/// A graph as if it had grown at once.
fn whole(now: &GraphNow) -> GraphGrowth {
    GraphGrowth {
        nodes: now.nodes.values().cloned().collect(),
        edges: now.edges.values().cloned().collect(),
        ..GraphGrowth::default()
    }
}
