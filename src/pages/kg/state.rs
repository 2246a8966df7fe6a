//! What the GraphRunner page holds, and what can be done with it.

use std::cell::RefCell;
use std::sync::Arc;

use agent::Limits;
use draw::{Marks, Places, Scene};
use kg::plan::PlanFinding;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::kg::{
    KgDrawn, KgRun, KgSource, KgView, NOT_OPEN, VerifiedPlan, VerifyPlan, WriteGraph,
};
use protocol::problem::TableView;
use protocol::runs::{EndedRun, ModelChoice, RunEvent, StartRun};
use protocol::traces::TextFile;
use systems::Exchange;
use systems::experiment::{Cost, Finished, JUDGE, MODEL, about};
use systems::kgqa::experiment::case;
use systems::kgqa::scripted::KgScript;
use systems::kgqa::{KgByHand, KgOptions, Outcome, SYSTEMS, takes_plans};
use tasks::Verdict;
use tasks::kgqa::KgQuestion;
use trace::{StepBody, ToolResult};

use super::opening::{AskedFrom, Wanted, load_graph};
use super::sparql::SparqlState;
use crate::pages::addresses;
use crate::routes::{Route, href};
use crate::services::clipboard;
use crate::services::engine_client;
use crate::services::open_graph::OpenGraph;
use crate::shell::Shell;
use crate::state::settings::ModelSettings;
use crate::state::story::{self, Steps};
use crate::state::viewer::Graphs;
use crate::state::{made_up, marks};
use crate::workbench::session::{Happening, RunSession};

/// Our own small model among the names of scripts.
pub(crate) const OWN: &str = "own";

/// The tiny graph that is shown at first.
const FIRST_TINY: u64 = 7;

/// A run with what its drawing needs.
#[derive(Clone)]
pub(crate) struct Ran {
    pub(crate) run: Arc<Finished<Outcome>>,
    pub(crate) question: Arc<KgQuestion>,
    pub(crate) graphs: Graphs,
    pub(crate) steps: Steps,
    pub(crate) places: Places,
    pub(crate) way: Marks,
    pub(crate) cost: Cost,
    /// What was asked back and replied before it.
    pub(crate) exchanges: Vec<Exchange>,
    /// Whether a script played the model.
    pub(crate) is_scripted: bool,
    /// Whether nobody is paid for its tokens: a script's, or our own model's.
    pub(crate) is_free: bool,
}

impl Ran {
    /// What the model asks back, if it does.
    pub(crate) fn asked_back(&self) -> Option<&str> {
        let answer = self.run.outcome.answer.as_str();
        let asks = self.run.score.verdict == Verdict::NoAnswer && systems::asks_back(answer);
        asks.then_some(answer)
    }
}

/// A plan by hand, verified.
#[derive(Clone, Default)]
pub(crate) struct Checked {
    pub(crate) printed: String,
    pub(crate) findings: Vec<PlanFinding>,
    pub(crate) way: Marks,
}

/// The state of the page; it outlives a visit to another page.
#[derive(Clone, Copy)]
pub(crate) struct PageState {
    /// The graph, whose engine other pages use too.
    pub(crate) graph: OpenGraph,
    /// The run that goes on: the word for it is its system.
    pub(crate) session: RunSession,
    pub(crate) questions: RwSignal<Vec<KgQuestion>>,
    /// Files of a person's own that the questions are from; nothing where they were made here.
    pub(crate) asked_from: RwSignal<Option<AskedFrom>>,
    /// The question in the field; its answers are known where it is one of the list.
    pub(crate) question: RwSignal<String>,
    pub(crate) options: RwSignal<KgOptions>,
    pub(crate) script: RwSignal<String>,
    /// Who judges answers beside the rules; nobody if absent.
    pub(crate) judge: RwSignal<Option<ModelChoice>>,
    /// A plan by hand; empty lets the model plan.
    pub(crate) plan: RwSignal<String>,
    pub(crate) checked: RwSignal<Option<Result<Checked, String>>>,
    /// What each system made of the question.
    pub(crate) runs: RwSignal<Vec<Ran>>,
    /// Whose run is shown.
    pub(crate) shown: RwSignal<Option<String>>,
    /// Whether the types are drawn, not what was reached.
    pub(crate) on_schema: RwSignal<bool>,
    pub(crate) settings: RwSignal<ModelSettings>,
    pub(crate) sparql: SparqlState,
    /// A table whose columns a person has to name, and what is to be opened with them.
    pub(super) table: RwSignal<Option<(TableView, Wanted)>, LocalStorage>,
    /// What was to be opened last, with the question that was to be asked.
    pub(super) wanted: StoredValue<Option<Wanted>, LocalStorage>,
    /// Counts what was begun, so that what was stopped changes nothing later.
    pub(super) turn: StoredValue<u64>,
    /// The address that was followed last.
    followed: StoredValue<Option<Route>>,
}

impl PageState {
    pub(crate) fn new(shell: Shell) -> Self {
        let state = Self {
            graph: shell.open_graph(),
            session: RunSession::playing(900.0),
            questions: RwSignal::default(),
            asked_from: RwSignal::default(),
            question: RwSignal::default(),
            options: RwSignal::default(),
            script: RwSignal::new("script".into()),
            judge: RwSignal::new(None),
            plan: RwSignal::default(),
            checked: RwSignal::new(None),
            runs: RwSignal::default(),
            shown: RwSignal::new(None),
            on_schema: RwSignal::new(true),
            settings: shell.settings,
            sparql: SparqlState::new(),
            table: RwSignal::new_local(None),
            wanted: StoredValue::new_local(None),
            turn: StoredValue::new(0),
            followed: StoredValue::new(None),
        };
        // Our own model plans on tiny graphs, whose questions no script knows.
        let fits = Memo::new(move |_| {
            let is_tiny = state.graph.source.with(|s| matches!(s, KgSource::Tiny { .. }));
            is_tiny
                && state.graph.view.with(Option::is_some)
                && !state.settings.with(ModelSettings::is_brought)
        });
        Effect::new(move |_| {
            let fits = fits.get();
            if fits != untrack(|| state.plays_own()) {
                state.choose(if fits { OWN.to_owned() } else { KgScript::Careful.name() });
            }
        });
        state.graph.before_replace(Callback::new(move |()| state.stop()));
        state
    }

    /// Whether our own small model answers, which plans on tiny graphs.
    pub(crate) fn plays_own(self) -> bool {
        self.script.with(|name| name == OWN)
    }

    /// Who answers where no other model was brought: a script by its name, or our own small model, which
    /// writes plans in the form that it learned.
    pub(crate) fn choose(self, name: String) {
        let (was_own, is_own) = (untrack(|| self.plays_own()), name == OWN);
        if was_own != is_own {
            let options = if is_own { KgOptions::for_tiny() } else { KgOptions::default() };
            self.options.set(options);
        }
        self.script.set(name);
    }

    /// Follows an address: which network, which question.
    pub(crate) fn follow(self, route: &Route) {
        if route.path != addresses::KG || self.followed.with_value(|f| f.as_ref() == Some(route)) {
            return;
        }
        self.followed.set_value(Some(route.clone()));
        let number = |key: &str| route.keys.get(key).and_then(|v| v.parse::<u64>().ok());
        let (lines, seed) = (number("lines"), number("seed"));
        let question = || route.keys.get("q").cloned();
        let is_empty = self.graph.view.with_untracked(Option::is_none);
        let is_own = self.settings.with_untracked(ModelSettings::is_own);
        if let Some(town) = number("town") {
            self.open_town(town, question());
        } else if let Some(seed) = number("tiny") {
            self.open_tiny(seed, question());
        } else if lines.is_some() || seed.is_some() || is_empty && !is_own {
            let n_lines = lines.map_or(8, |n| n.clamp(2, 16) as usize);
            self.open_metro(n_lines, seed.unwrap_or(1), question());
        } else if is_empty {
            self.open_tiny(FIRST_TINY, question());
        }
    }

    /// The address of what is shown; none for a person's own files, which no address holds.
    pub(crate) fn href(self) -> Option<String> {
        let question = self.question.get_untracked();
        match self.graph.source.get_untracked() {
            KgSource::Metro { n_lines, seed } => {
                let (lines, seed) = (n_lines.to_string(), seed.to_string());
                Some(href(addresses::KG, &[("lines", &lines), ("seed", &seed), ("q", &question)]))
            }
            KgSource::Town { seed } => {
                Some(href(addresses::KG, &[("town", &seed.to_string()), ("q", &question)]))
            }
            KgSource::Tiny { seed } => {
                Some(href(addresses::KG, &[("tiny", &seed.to_string()), ("q", &question)]))
            }
            KgSource::Files { .. } | KgSource::Store { .. } => None,
        }
    }

    /// Saves the graph that is open in a format.
    pub(crate) fn save(self, format: &str) {
        let format = format.to_owned();
        spawn_local(async move {
            match engine_client::knowledge().ask(WriteGraph { format }).await {
                Ok(TextFile { text, extension }) => {
                    clipboard::save(&format!("graph.{extension}"), "text/plain", &text);
                }
                Err(message) => self.session.notice.set(Some(message)),
            }
        });
    }

    /// What was made of another question is forgotten.
    pub(crate) fn forget(self) {
        self.runs.set(Vec::new());
        self.shown.set(None);
        self.checked.set(None);
        self.session.playing.set(false);
        self.session.show(Vec::new());
        self.on_schema.set(true);
    }

    /// The question, with its answers where they are known.
    pub(crate) fn asked(self) -> KgQuestion {
        let words = self.question.get_untracked();
        let known =
            self.questions.with_untracked(|l| l.iter().find(|q| q.question == words).cloned());
        known.unwrap_or(KgQuestion { id: "own".into(), question: words, ..KgQuestion::default() })
    }

    /// Which model answers: the one that was brought, our own, or this page's script.
    fn model(self) -> ModelChoice {
        if self.settings.with_untracked(ModelSettings::is_brought) {
            return self.settings.with_untracked(ModelSettings::choice);
        }
        match self.script.get_untracked() {
            name if name == OWN => ModelChoice::Own,
            name => ModelChoice::Script { name },
        }
    }

    /// Whether a system can answer with the model in use: our own learned GraphRunner's prompts alone.
    pub(crate) fn suits(self, system: &str) -> bool {
        system == SYSTEMS[0].id
            || !self.plays_own()
            || self.settings.with(ModelSettings::is_brought)
    }

    /// Whether a script, or our own small model, would answer a question that is not in the list.
    pub(crate) fn needs_model(self) -> bool {
        let words = self.question.get();
        let is_known = self.questions.with(|list| list.iter().any(|q| q.question == words));
        let is_planned = self.plan.with(|plan| !plan.trim().is_empty());
        let is_ready = !self.graph.opening.get() && !words.trim().is_empty();
        is_ready && !is_known && !is_planned && !self.settings.with(ModelSettings::is_brought)
    }

    /// Lets a system answer the question, or stops what runs.
    pub(crate) fn run(self, system: &'static str) {
        self.run_with(system, Vec::new());
    }

    /// Asks once more, with what the model of the run that is shown asked back and a reply to it.
    pub(crate) fn reply(self, says: String) {
        let Some(ran) = untrack(|| self.current()) else { return };
        let system = systems::kgqa::find(&ran.run.trace.system);
        let (Some(system), Some(asked)) = (system, ran.asked_back()) else { return };
        let asked = asked.to_owned();
        let exchanges = [ran.exchanges.clone(), vec![Exchange { asked, said: says }]].concat();
        self.run_with(system.id, exchanges);
    }

    fn run_with(self, system: &'static str, exchanges: Vec<Exchange>) {
        if self.session.is_busy_untracked() {
            self.stop();
            return;
        }
        let question = self.asked();
        if question.question.trim().is_empty() {
            self.session.notice.set(Some("Type a question, or pick one of the list.".into()));
            return;
        }
        if let Some(fault) = self.settings.with_untracked(ModelSettings::fault) {
            self.session.notice.set(Some(fault));
            return;
        }
        let plan = self.plan.get_untracked();
        let by_hand = takes_plans(system) && !plan.trim().is_empty();
        self.shown.set(None);
        self.session.playing.set(false);
        self.on_schema.set(false);
        self.sparql.is_open.set(false);
        let case = match case(&question, "") {
            Ok(case) => case,
            Err(message) => return self.session.notice.set(Some(message)),
        };
        let mut ask = StartRun::<KgRun>::new(system, case).with_model(MODEL.id, self.model());
        if let Some(judge) = self.judge.get_untracked() {
            ask = ask.with_model(JUDGE.id, judge);
        }
        ask.limits = Some(Limits { max_rounds: 60, max_calls: 2_000, ..Limits::default() });
        ask.options = self.options.with_untracked(|options| options.of(system));
        ask.by_hand = KgByHand { plan: by_hand.then_some(plan), exchanges };
        self.start(system, ask, true);
    }

    fn start(self, system: &'static str, ask: StartRun<KgRun>, again: bool) {
        self.session.show(Vec::new());
        let engine = engine_client::knowledge();
        let retry = ask.clone();
        let drawn = RefCell::new(KgDrawn::default());
        self.session.start(&engine, &ask, system, move |happening| match happening {
            Happening::Step(step) => self.session.push(step),
            Happening::Event(RunEvent::Own(how)) => _ = drawn.replace(how),
            Happening::Done(ended) => self.take(ended, drawn.take(), &retry),
            Happening::Failed(message) if message == NOT_OPEN && again => {
                // The worker is a new one: what it lost is opened again.
                self.session.notice.set(None);
                self.session.busy.set(Some(system.to_owned()));
                self.graph.similarity.lost();
                let (ask, turn) = (retry.clone(), self.session.turn());
                spawn_local(async move {
                    let (_, source, list) = self.graph.opened();
                    let opened = load_graph(source, &list).await;
                    if !self.session.is_turn(turn) {
                        return;
                    }
                    match opened {
                        Ok(_) => self.start(system, ask, false),
                        Err(message) => {
                            self.session.abandon();
                            self.session.notice.set(Some(message));
                        }
                    }
                });
            }
            _ => {}
        });
    }

    fn take(self, ended: EndedRun<Outcome>, drawn: KgDrawn, ask: &StartRun<KgRun>) {
        let EndedRun { run, case, .. } = ended;
        let question = match case.body.read::<KgQuestion>() {
            Ok(question) => Arc::new(question),
            Err(message) => return self.session.notice.set(Some(message)),
        };
        let run = Arc::<Finished<Outcome>>::from(run);
        let system = run.trace.system.clone();
        let ran = Ran {
            question,
            graphs: Graphs::new(Arc::new(run.trace.clone())),
            steps: story::shared(&run.trace.steps),
            places: drawn.places,
            way: drawn.way,
            cost: Cost::of(&run.trace).with_tokens(&run.trace, &about),
            exchanges: ask.by_hand.exchanges.clone(),
            is_free: !matches!(ask.models.get(MODEL.id), Some(ModelChoice::Endpoint { .. })),
            is_scripted: ask.models.get(MODEL.id).is_some_and(ModelChoice::is_script),
            run,
        };
        let steps = ran.steps.clone();
        self.runs.update(|list| {
            list.retain(|r| r.run.trace.system != system);
            list.push(ran);
        });
        self.session.show(steps);
        self.shown.set(Some(system));
    }

    /// Stops what runs. What has come of a run is kept as it stands.
    pub(crate) fn stop(self) {
        self.session.abandon();
        self.turn.update_value(|t| *t += 1);
        self.graph.opening.set(false);
    }

    /// Verifies the plan by hand.
    pub(crate) fn check(self) {
        let ask = VerifyPlan {
            plan: self.plan.get_untracked(),
            question: self.question.get_untracked(),
            options: Box::new(self.options.get_untracked()),
        };
        spawn_local(async move {
            let checked = match engine_client::knowledge().ask(ask).await {
                Ok(VerifiedPlan { printed, findings, way, .. }) => {
                    Ok(Checked { printed, findings, way })
                }
                Err(message) => Err(message),
            };
            self.on_schema.set(true);
            self.sparql.is_open.set(false);
            self.shown.set(None);
            self.checked.set(Some(checked));
        });
    }

    /// The run that is shown.
    pub(crate) fn current(self) -> Option<Ran> {
        let shown = self.shown.get()?;
        self.runs.with(|list| list.iter().find(|r| r.run.trace.system == shown).cloned())
    }

    /// Shows a system's run from its end.
    pub(crate) fn show(self, system: &str) {
        self.session.playing.set(false);
        self.on_schema.set(false);
        self.sparql.is_open.set(false);
        self.shown.set(Some(system.to_owned()));
        self.session.show(untrack(|| self.current()).map(|r| r.steps).unwrap_or_default());
    }

    /// What is drawn: the types with the plan's way over them, or what was reached up to the cursor.
    pub(crate) fn scene(self) -> Scene {
        let current = self.current();
        if self.on_schema.get() {
            let way = match (&current, self.checked.get()) {
                (Some(ran), _) => ran.way.clone(),
                (None, Some(Ok(checked))) => checked.way,
                _ => Marks::default(),
            };
            let view = self.graph.view.get();
            let drawn =
                |v: Arc<KgView>| marks::names_beside(Scene::new(&v.drawing, &v.places, &way));
            return view.map_or_else(Scene::default, drawn);
        }
        let Some(ran) = current else { return Scene::default() };
        let at = self.session.cursor.get();
        let claims = &ran.run.outcome.claims;
        // At the end the answer's entities stand on the drawing.
        let mut scene = if at >= ran.run.trace.steps.len() {
            made_up::drawn(&ran.graphs.at(at), &ran.places, claims)
        } else {
            Scene::new(&ran.graphs.at(at), &ran.places, &ran.graphs.marks(at))
        };
        label_edges(&mut scene, &ran.run.trace, at);
        let mut scene = marks::names_beside(scene);
        // All that will be there is in view from the start, so that nothing jumps.
        let whole = made_up::drawn(ran.graphs.whole(), &ran.places, claims);
        scene.view = marks::names_beside(whole).view;
        scene
    }
}

/// Writes on edges of which type they are, as the steps up to the cursor tell, where there is room.
fn label_edges(scene: &mut Scene, trace: &trace::Trace, at: usize) {
    if scene.edges.len() > 24 {
        return;
    }
    for step in trace.steps.iter().take(at) {
        let StepBody::Call { result: ToolResult::Value { value, .. }, .. } = &step.body else {
            continue;
        };
        for edge in value["edges"].as_array().into_iter().flatten() {
            let [Some(source), Some(of), Some(target)] = [0, 1, 2].map(|i| edge[i].as_str()) else {
                continue;
            };
            let (source, target) = (source.into(), target.into());
            let found = scene.edges.iter_mut().find(|e| e.source == source && e.target == target);
            if let Some(edge) = found {
                edge.label = Some(of.to_owned());
            }
        }
    }
}
