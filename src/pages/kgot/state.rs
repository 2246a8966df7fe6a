//! What the Graph of Thoughts page holds, and what can be done with it.

mod queries;
mod task;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use draw::Scene;
use leptos::prelude::*;
use leptos::task::spawn_local;
use llm::Message;
use protocol::Service;
use protocol::exact::Exact;
use protocol::kgot::{
    CorrectGrown, GrownTable, KgotByHand, KgotEvent, KgotRun, OpenSnapshot, WriteSnapshot,
};
use protocol::runs::{EndedRun, ModelChoice, RunEvent, StartRun};
use systems::kgot::experiment::{options_of, own_case, system_of};
use systems::kgot::{
    GRAPH, GraphGrowth, KgotLanguage, KgotMethod, KgotOptions, KgotTask, TOOLS, WebTools,
};
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
use crate::state::settings::ModelSettings;
use crate::workbench::session::{Happening, RunSession};
use queries::usual_query;

/// What a seat is called where the endpoint in use sits in it.
pub(super) const ENDPOINT: &str = "endpoint";
/// The seed of the set that is shown; the scripts know it.
pub(super) const SEED: u64 = 0;
/// A run that takes less was not watched while its graph grew: it may be placed anew at its end.
const UNWATCHED_MS: f64 = 3_000.0;
/// The most files of a task.
const MAX_FILES: usize = 30;

/// Whether a graph is grown, and in how many languages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Way {
    NoGraph,
    #[default]
    OneLanguage,
    Fusion,
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
    /// Which of them is shown; none for one's own.
    pub(super) picked_task: RwSignal<Option<usize>>,
    pub(super) task: RwSignal<KgotTask>,
    /// The answer that is right, where it is known.
    pub(super) right: RwSignal<Option<String>>,
    pub(super) options: RwSignal<KgotOptions>,
    pub(super) way: RwSignal<Way>,
    /// The languages of fusion, in their order.
    pub(super) members: RwSignal<Vec<KgotLanguage>>,
    pub(super) pauses: RwSignal<bool>,
    /// Whether the next run begins with the graph that is shown.
    pub(super) keeps_graph: RwSignal<bool>,
    /// Who keeps the graph, and who calls tools.
    pub(super) seats: [RwSignal<String>; 2],
    /// The model of the one who calls tools, where it is another at the same endpoint.
    pub(super) tool_model: RwSignal<String>,
    pub(super) session: RunSession,
    pub(super) growing: RwSignal<Growing>,
    /// Whether the run has paused, and waits.
    pub(super) is_paused: RwSignal<bool>,
    pub(super) done: RwSignal<Option<Arc<SolvedTask>>>,
    /// The trace of the last run, where its engine ended before it did.
    pub(super) unfinished: RwSignal<Option<Trace>>,
    /// The id of the node that is looked at.
    pub(super) picked: RwSignal<Option<u64>>,
    pub(super) language: RwSignal<KgotLanguage>,
    pub(super) query: RwSignal<String>,
    pub(super) answered: RwSignal<Option<Answered>>,
    /// What a query by hand is put to.
    pub(super) asked: RwSignal<Asked>,
    pub(super) store: StoreState,
    pub(super) is_asking: RwSignal<bool>,
    pub(super) settings: RwSignal<ModelSettings>,
    open: Open,
    /// Which worker of the engine holds the graph: one that was started since has none.
    held_by: StoredValue<Option<u64>>,
    followed: StoredValue<Option<BTreeMap<String, String>>>,
    /// What of the web tools may ask.
    pub(super) web: RwSignal<WebTools>,
    /// Whether models may run Python.
    pub(super) has_python: RwSignal<bool>,
    /// Whether the model that calls tools sees images.
    pub(super) sees: RwSignal<bool>,
    pub(super) python: RwSignal<PythonState>,
    /// What tools read of files that are no text, by their names.
    pub(super) previews: RwSignal<BTreeMap<String, String>>,
    /// Counts queries, so that what comes of one before the last is not shown.
    turn: StoredValue<u64>,
}

impl PageState {
    pub(crate) fn new(shell: Shell) -> Self {
        let settings = shell.settings;
        let name = |is_endpoint: bool| if is_endpoint { ENDPOINT } else { "script" }.to_owned();
        let seat = || RwSignal::new(name(settings.with_untracked(ModelSettings::is_brought)));
        let state = Self {
            tasks: RwSignal::default(),
            picked_task: RwSignal::new(None),
            task: RwSignal::default(),
            right: RwSignal::new(None),
            options: RwSignal::default(),
            way: RwSignal::default(),
            members: RwSignal::new(vec![KgotLanguage::Cypher, KgotLanguage::Direct]),
            pauses: RwSignal::new(false),
            keeps_graph: RwSignal::new(false),
            seats: [seat(), seat()],
            tool_model: RwSignal::default(),
            session: RunSession::playing(900.0),
            growing: RwSignal::default(),
            is_paused: RwSignal::new(false),
            done: RwSignal::new(None),
            unfinished: RwSignal::new(None),
            picked: RwSignal::new(None),
            language: RwSignal::default(),
            query: RwSignal::new(usual_query(KgotLanguage::Cypher).to_owned()),
            answered: RwSignal::new(None),
            asked: RwSignal::default(),
            store: StoreState::new(),
            is_asking: RwSignal::new(false),
            settings,
            open: shell.open,
            held_by: StoredValue::new(None),
            followed: StoredValue::new(None),
            web: RwSignal::default(),
            has_python: RwSignal::new(false),
            sees: RwSignal::new(false),
            python: RwSignal::new(PythonState::Off),
            previews: RwSignal::default(),
            turn: StoredValue::new(0),
        };
        // Whoever switches to an endpoint, or back, means this page too.
        Effect::new(move |before: Option<bool>| {
            let is_endpoint = settings.with(ModelSettings::is_brought);
            if before.is_some_and(|b| b != is_endpoint) {
                for seat in state.seats {
                    seat.set(name(is_endpoint));
                }
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
        self.done.set(None);
        self.unfinished.set(None);
        self.picked.set(None);
        self.answered.set(None);
        self.is_paused.set(false);
        if self.keeps_graph.get_untracked() {
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

    fn seated(self, seat: usize) -> ModelChoice {
        let name = self.seats[seat].get_untracked();
        let settings = self.settings.get_untracked();
        if name != ENDPOINT || !settings.is_brought() {
            let name = if name == ENDPOINT { "script".into() } else { name };
            return ModelChoice::Script { name };
        }
        let other = self.tool_model.with_untracked(|m| m.trim().to_owned());
        match settings.choice() {
            ModelChoice::Endpoint { endpoint, .. } if seat == 1 && !other.is_empty() => {
                ModelChoice::Endpoint { endpoint, model: other }
            }
            choice => choice,
        }
    }

    /// Why the task cannot be begun, if so.
    fn fault(self) -> Option<String> {
        if self.task.with_untracked(|t| t.question.trim().is_empty()) {
            return Some("Write down the task, or take one of the set.".into());
        }
        let plays = |seat: usize| matches!(self.seated(seat), ModelChoice::Script { .. });
        let is_own = self.picked_task.with_untracked(Option::is_none);
        if is_own && (plays(0) || plays(1)) {
            let words = "The script knows the tasks of the set alone. For a task of your own \
                         choose a model at an endpoint (“Model”, above).";
            return Some(words.into());
        }
        let method = self.method();
        let languages = self.options.with_untracked(|o| method.languages(o));
        if method != KgotMethod::NoGraph && languages.is_empty() {
            return Some("Fusion needs a language; tick one under “Languages”.".into());
        }
        if languages.contains(&KgotLanguage::Sparql) && single_file::is_one_file() {
            return Some("SPARQL is not in the page as one file; choose Cypher.".into());
        }
        if let Err(why) = self.web.with_untracked(WebTools::check) {
            return Some(why);
        }
        if self.copies()
            && let Err(why) = untrack(|| self.store.copy_place())
        {
            return Some(why);
        }
        self.settings.with_untracked(ModelSettings::fault)
    }

    /// How the next run goes about it.
    fn method(self) -> KgotMethod {
        match self.way.get_untracked() {
            Way::NoGraph => KgotMethod::NoGraph,
            Way::OneLanguage => KgotMethod::OneLanguage,
            Way::Fusion => KgotMethod::Fusion { members: self.members.get_untracked() },
        }
    }

    /// Whether a graph is grown.
    pub(super) fn has_graph(self) -> bool {
        self.way.get() != Way::NoGraph
    }

    /// Whether the next run keeps a copy of its graph in a store.
    fn copies(self) -> bool {
        let StoreState { keeps_copy, .. } = self.store;
        self.way.get_untracked() != Way::NoGraph
            && keeps_copy.get_untracked()
            && untrack(|| self.store.may_write())
    }

    /// Lets models run Python, which is loaded then.
    pub(super) fn want_python(self, wants: bool) {
        self.has_python.set(wants);
        if wants {
            spawn_local(async move {
                // The page says beside the switch what came of it.
                if python::load(Some(self.python)).await.is_err() {
                    self.has_python.set(false);
                }
            });
        }
    }

    /// Takes a language into fusion, or out of it. The order stays that of the list.
    pub(super) fn take_member(self, language: KgotLanguage, on: bool) {
        let before = self.members.get_untracked();
        let order = [
            KgotLanguage::Cypher,
            KgotLanguage::Sparql,
            KgotLanguage::Networkx,
            KgotLanguage::Direct,
        ];
        let is_in = |l: &KgotLanguage| if *l == language { on } else { before.contains(l) };
        self.members.set(order.into_iter().filter(is_in).collect());
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
        let options = self.options.get_untracked();
        let method = self.method();
        let has_graph = method != KgotMethod::NoGraph;
        let keeps = self.keeps_graph.get_untracked();
        let is_held = self.is_held();
        let engine = engine_client::knowledge();
        self.clear();
        if !has_graph {
            self.growing.set(Growing::default());
        }
        let right = self.right.get_untracked();
        let case = match own_case(&self.task.get_untracked(), right.as_deref()) {
            Ok(case) => case,
            Err(message) => return self.session.notice.set(Some(message)),
        };
        let system = system_of(&method, options.language);
        let mut ask = StartRun::<KgotRun>::new(system, case).with_model(TOOLS.id, self.seated(1));
        if has_graph {
            ask = ask.with_model(GRAPH.id, self.seated(0));
        }
        ask.options = options_of(&method, &options);
        ask.pauses = self.pauses.get_untracked();
        ask.by_hand = KgotByHand {
            keeps_graph: keeps && has_graph,
            web: self.web.get_untracked(),
            python: self.has_python.get_untracked(),
            sees: self.sees.get_untracked(),
            copy: self.copies().then(|| untrack(|| self.store.copy_place()).ok()).flatten(),
        };
        self.store.told.set(None);
        if !keeps || is_held {
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
            _ => self.seats[0].get_untracked(),
        };
        let question = self.task.with_untracked(|t| t.question.clone());
        let begun = Trace::new(ask.system.as_str(), model, vec![Message::user(question)]);
        let is_known = self.right.with_untracked(Option::is_some);
        self.session.start(engine, ask, "solve", move |happening| match happening {
            Happening::Step(step) => self.session.push(step),
            Happening::Event(event) => self.hear(event),
            Happening::Done(EndedRun { run, .. }) => {
                self.is_paused.set(false);
                if js_sys::Date::now() - began_ms < UNWATCHED_MS {
                    self.growing.update(Growing::tidy);
                }
                self.done.set(Some(Arc::new(SolvedTask { run: *run, is_known })));
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
        self.unfinished.set((!steps.is_empty()).then(|| broken_off(begun.clone(), &steps, why)));
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
                self.keeps_graph.set(true);
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
        self.done.set(None);
        self.unfinished.set(None);
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
                        self.keeps_graph.set(true);
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
            pointed.support = self.done.with(|d| {
                let support = d.as_ref().map(|d| d.run.outcome.support.iter().cloned());
                support.map(BTreeSet::from_iter).unwrap_or_default()
            });
        }
        self.growing.with(|g| drawn(&now, &g.places, &pointed))
    }

    /// The trace of the run as a file, for `then`.
    fn written(self, then: impl FnOnce(TraceFile) + 'static) {
        let done = self.done.get_untracked();
        let finished = done.as_ref().map(|done| done.run.trace.clone());
        let Some(trace) = finished.or_else(|| self.unfinished.get_untracked()) else { return };
        let score = done.as_ref().and_then(|done| done.score()).map(|s| RecordScore {
            name: "solved".into(),
            label: format!("{:?}", s.verdict).to_lowercase(),
            value: f64::from(u8::from(s.verdict == tasks::Verdict::Correct)),
            explanation: s.explanation.clone(),
        });
        let record = Record {
            id: "task".into(),
            task: "kgot".into(),
            input: self.task.with_untracked(|t| t.question.clone()),
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
