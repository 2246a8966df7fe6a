//! What the Solve page holds, and what can be done with it.

use std::collections::BTreeMap;
use std::sync::Arc;

use draw::{LayoutKind, Marks, Places, Scene};
use engine::message::{CallOutput, ProblemView};
use engine::{Output, Request};
use graph::functions::FunctionError;
use graph::{Delta, Graph};
use leptos::prelude::*;
use leptos::task::spawn_local;
use tasks::{Difficulty, Judgement, Style, TaskId, Wording};

use crate::components::player::Tick;
use crate::routes::{Page, Route, current, replace};
use crate::services::engine_client::{self, JobHandle};
use crate::services::{embed, playback, storage};
use crate::state::editor::Editor;
use crate::state::how::How;
use crate::state::live::Live;
use crate::state::marks;
use crate::state::neighbourhood::neighbourhood;
use crate::state::settings::ModelSettings;
use crate::state::stored::{RunSummary, StoredRun};
use crate::state::story::Story;
use trace::{Step, StepBody, ToolResult};

/// Of a graph that is not drawn whole: the most nodes around what was touched.
const MOST_AROUND: usize = 200;

/// What the graph and the right side show.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shown {
    /// The problem alone.
    Problem,
    /// The latest run of a system.
    Story(String),
    /// An answer that somebody gave: the solver, or the person.
    Judged { who: String, text: String, judgement: Judgement },
    /// A function that was called by hand.
    Called { function: String, result: Result<CallOutput, FunctionError> },
}

/// What a new problem is made from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Draft {
    pub(crate) task: TaskId,
    pub(crate) difficulty: Difficulty,
    pub(crate) seed: u64,
    pub(crate) wording: Wording,
    pub(crate) style: Style,
}

impl Draft {
    /// The problem that an address names, or the first one a visitor sees.
    pub(crate) fn from_route(route: &Route) -> Self {
        let key = |name: &str| route.keys.get(name).map(String::as_str);
        let task = key("task").and_then(TaskId::from_name).unwrap_or(TaskId::ShortestPath);
        let difficulty = key("difficulty")
            .and_then(Difficulty::from_name)
            .filter(|d| task.difficulties().contains(d))
            .unwrap_or(Difficulty::Easy);
        let seed = key("seed").and_then(|s| s.parse().ok()).unwrap_or(7);
        Self { task, difficulty, seed, wording: Wording::Improved, style: Style::ZeroShot }
    }

    /// The address of the problem.
    pub(crate) fn href(&self) -> String {
        let seed = self.seed.to_string();
        Route::href(
            Page::Solve,
            &[
                ("task", self.task.as_str()),
                ("difficulty", self.difficulty.as_str()),
                ("seed", &seed),
            ],
        )
    }
}

/// The state of the Solve page; it outlives a visit to another page.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    pub(crate) draft: RwSignal<Draft>,
    pub(crate) problem: RwSignal<Option<ProblemView>>,
    pub(crate) editor: RwSignal<Editor>,
    pub(crate) stories: RwSignal<BTreeMap<String, Story>>,
    pub(crate) shown: RwSignal<Shown>,
    pub(crate) playing: RwSignal<bool>,
    pub(crate) running: RwSignal<Option<String>>,
    pub(crate) notice: RwSignal<Option<String>>,
    pub(crate) kept: RwSignal<Vec<RunSummary>>,
    pub(crate) settings: RwSignal<ModelSettings>,
    /// What the model of the run under way is saying.
    pub(crate) live: RwSignal<Live>,
    /// How a run goes about it: which tools, the graph beside the question, how many votes.
    pub(crate) how: RwSignal<How>,
    /// What a person may call who answers in the model's place.
    pub(crate) seat: RwSignal<Option<Vec<llm::ToolSpec>>>,
    pub(super) job: StoredValue<Option<JobHandle>, LocalStorage>,
    /// Counts problems and edits, so that a late answer about an old graph is dropped.
    pub(super) turn: StoredValue<u64>,
    /// Counts requests for another problem: of two, the later one counts.
    pub(super) asked: StoredValue<u64>,
    /// Counts runs, so that the last words of one that was replaced are not heard.
    pub(super) run: StoredValue<u64>,
    /// Where the run's cursor is to stand once it is done, for a run that an address asks for.
    pub(super) goal: StoredValue<Option<usize>>,
    /// What of an address was followed last.
    pub(super) followed: StoredValue<Option<String>>,
}

impl Room {
    pub(crate) fn new(settings: RwSignal<ModelSettings>, route: &Route) -> Self {
        let room = Self {
            draft: RwSignal::new(Draft::from_route(route)),
            problem: RwSignal::new(None),
            editor: RwSignal::new(Editor::default()),
            stories: RwSignal::default(),
            shown: RwSignal::new(Shown::Problem),
            playing: RwSignal::new(false),
            running: RwSignal::new(None),
            notice: RwSignal::new(None),
            kept: RwSignal::default(),
            settings,
            live: RwSignal::default(),
            how: RwSignal::default(),
            seat: RwSignal::new(None),
            job: StoredValue::new_local(None),
            turn: StoredValue::new(0),
            asked: StoredValue::new(0),
            run: StoredValue::new(0),
            goal: StoredValue::new(None),
            followed: StoredValue::new(None),
        };
        room.play_in_time();
        room.list_runs();
        room
    }

    /// Asks the engine, and hands out the answer unless another problem came meanwhile.
    fn ask(self, request: Request, then: impl FnOnce(Output) + 'static) {
        let turn = self.turn.get_value();
        spawn_local(async move {
            match engine_client::interactive().ask(request).await {
                Ok(output) if self.turn.get_value() == turn => then(output),
                Ok(_) => {}
                Err(message) => self.notice.set(Some(message)),
            }
        });
    }

    /// Asks for another problem; of two requests, the later one counts.
    fn ask_problem(self, request: Request, then: impl FnOnce(Output) + 'static) {
        self.asked.update_value(|a| *a += 1);
        let asked = self.asked.get_value();
        spawn_local(async move {
            let answer = engine_client::interactive().ask(request).await;
            if self.asked.get_value() != asked {
                return;
            }
            match answer {
                Ok(output) => then(output),
                Err(message) => self.notice.set(Some(message)),
            }
        });
    }

    /// Makes the problem of the draft.
    pub(crate) fn generate(self) {
        self.generate_then(|| {});
    }

    /// The same, and then something else.
    pub(super) fn generate_then(self, then: impl FnOnce() + 'static) {
        let draft = self.draft.get_untracked();
        let Draft { task, difficulty, seed, wording, style } = draft;
        let request = Request::Generate { task, difficulty, seed, wording, style };
        self.ask_problem(request, move |output| {
            if let Output::Problem { problem } = output {
                self.take(problem);
                if current().page == Page::Solve {
                    replace(&draft.href());
                }
                then();
            }
        });
    }

    /// Reads a question or a graph. What is on the screen stays if it cannot be read.
    pub(crate) fn read(self, text: String, then: impl FnOnce() + 'static) {
        self.ask_problem(Request::Read { text }, move |output| {
            match output {
                Output::Problem { problem } => self.take(problem),
                Output::Graph { graph, layout, places, .. } => {
                    if !self.take_graph(graph, layout, places) {
                        return;
                    }
                }
                _ => return,
            }
            then();
        });
    }

    /// Shows a problem and forgets what was shown of the one before.
    pub(crate) fn take(self, problem: ProblemView) {
        self.stop();
        self.turn.update_value(|t| *t += 1);
        self.run.update_value(|r| *r += 1);
        self.draft.update(|d| {
            d.task = problem.task;
            if let Some(difficulty) = problem.difficulty {
                d.difficulty = difficulty;
            }
            if let Some(seed) = problem.seed {
                d.seed = seed;
            }
        });
        self.editor.set(Editor::new(problem.graph.clone()));
        self.stories.set(BTreeMap::new());
        self.shown.set(Shown::Problem);
        self.playing.set(false);
        self.notice.set(None);
        self.problem.set(Some(problem));
    }

    /// A graph without a question gets the question that suits it; the person can ask another.
    pub(super) fn take_graph(self, graph: Graph, layout: LayoutKind, places: Places) -> bool {
        let Some(query) = TaskId::suited(&graph).into_iter().next() else {
            self.notice
                .set(Some("That graph has fewer than two nodes; there is nothing to ask.".into()));
            return false;
        };
        let task = query.task();
        let problem = ProblemView {
            task,
            difficulty: None,
            seed: None,
            graph,
            query,
            question: String::new(),
            layout,
            places,
        };
        self.take(problem.clone());
        self.reword(problem);
        true
    }

    /// New words for a problem whose graph or query changed.
    pub(crate) fn reword(self, problem: ProblemView) {
        let Draft { wording, style, .. } = self.draft.get_untracked();
        let problem = Box::new(problem);
        self.ask(Request::Reword { problem, wording, style }, move |output| {
            if let Output::Question { question } = output {
                self.problem.update(|p| {
                    if let Some(p) = p {
                        p.question = question;
                    }
                });
            }
        });
    }

    /// Makes a change to the graph; the runs on the old one are forgotten, the words follow.
    pub(crate) fn edit(self, deltas: Vec<Delta>) -> bool {
        let outcome = self.editor.try_update(|e| e.change(deltas));
        match outcome {
            Some(Ok(graph)) => {
                self.edited(graph);
                true
            }
            Some(Err(error)) => {
                self.notice.set(Some(error.to_string()));
                false
            }
            None => false,
        }
    }

    pub(crate) fn undo(self) {
        if let Some(graph) = self.editor.try_update(Editor::undo).flatten() {
            self.edited(graph);
        }
    }

    pub(crate) fn redo(self) {
        if let Some(graph) = self.editor.try_update(Editor::redo).flatten() {
            self.edited(graph);
        }
    }

    fn edited(self, graph: Graph) {
        self.stop();
        self.turn.update_value(|t| *t += 1);
        self.run.update_value(|r| *r += 1);
        self.stories.set(BTreeMap::new());
        self.shown.set(Shown::Problem);
        self.notice.set(None);
        let mut changed = None;
        self.problem.update(|p| {
            if let Some(p) = p {
                if draw::is_drawn_whole(&graph) {
                    p.places = draw::layout(&graph, p.layout, 1, &p.places);
                }
                p.graph = graph;
                p.seed = None;
                super::query::mend(&mut p.query, &p.graph);
                changed = Some(p.clone());
            }
        });
        if let Some(problem) = changed {
            self.reword(problem);
        }
    }

    /// Places the nodes afresh.
    pub(crate) fn place(self, kind: LayoutKind) {
        let Some(problem) = self.problem.get_untracked() else { return };
        self.ask(Request::Layout { graph: problem.graph, kind, seed: 1 }, move |output| {
            if let Output::Layout { places } = output {
                self.problem.update(|p| {
                    if let Some(p) = p {
                        p.layout = kind;
                        p.places = places;
                    }
                });
            }
        });
    }

    /// Runs the reference solver.
    pub(crate) fn solve(self) {
        let Some(problem) = self.problem.get_untracked() else { return };
        let problem = Box::new(problem);
        self.ask(Request::Solve { problem }, move |output| self.show_judged("Solver", output));
    }

    /// Judges an answer that the person typed.
    pub(crate) fn judge(self, text: String) {
        let Some(problem) = self.problem.get_untracked() else { return };
        let problem = Box::new(problem);
        self.ask(Request::Verify { problem, text }, move |output| self.show_judged("You", output));
    }

    fn show_judged(self, who: &str, output: Output) {
        if let Output::Judged { text, judgement } = output {
            self.shown.set(Shown::Judged { who: who.to_owned(), text, judgement });
        }
    }

    /// Calls a function by hand; what it writes becomes an edit.
    pub(crate) fn call(self, function: String, arguments: serde_json::Value) {
        let Some(problem) = self.problem.get_untracked() else { return };
        let request = Request::Call { function: function.clone(), graph: problem.graph, arguments };
        self.ask(request, move |output| {
            if let Output::Called { result } = output {
                if let Ok(call) = &result
                    && !call.deltas.is_empty()
                    && !self.edit(call.deltas.clone())
                {
                    return;
                }
                self.shown.set(Shown::Called { function, result });
            }
        });
    }

    pub(crate) fn with_story(self, system: &str, change: impl FnOnce(&mut Story)) {
        self.stories.update(|s| {
            if let Some(story) = s.get_mut(system) {
                change(story);
            }
        });
    }

    /// Reads the run that is shown, if one is.
    pub(crate) fn read_story<T>(self, read: impl FnOnce(&Story) -> T) -> Option<T> {
        let system = self.shown.with(|shown| match shown {
            Shown::Story(system) => Some(system.clone()),
            _ => None,
        })?;
        self.stories.with(|s| s.get(&system).map(read))
    }

    /// Moves the cursor of the run that is shown.
    pub(crate) fn seek(self, cursor: usize) {
        if let Shown::Story(system) = self.shown.get_untracked() {
            self.with_story(&system, |s| s.cursor = cursor.min(s.steps.len()));
        }
    }

    /// A step every while, as long as it plays.
    fn play_in_time(self) {
        let step = move || {
            let Shown::Story(system) = self.shown.get_untracked() else { return true };
            let mut ended = false;
            self.with_story(&system, |story| {
                if !story.forward() {
                    ended = story.run.is_some();
                }
            });
            !ended && (self.running.with_untracked(Option::is_some) || !self.at_rest(&system))
        };
        playback::play_in_time(self.playing, 620.0, || 1.0, step);
    }

    fn at_rest(self, system: &str) -> bool {
        self.stories.with_untracked(|s| s.get(system).is_none_or(|s| s.cursor >= s.steps.len()))
    }

    pub(crate) fn ticks(self) -> Vec<Tick> {
        let tick = |s: &Arc<Step>| Tick {
            is_bad: matches!(&s.body, StepBody::Call { result: ToolResult::Error(_), .. }),
        };
        self.read_story(|story| story.steps.iter().map(tick).collect()).unwrap_or_default()
    }

    /// What is drawn.
    pub(crate) fn scene(self) -> Scene {
        self.problem.with(|p| p.as_ref().map(|p| self.scene_of(p))).unwrap_or_default()
    }

    fn scene_of(self, problem: &ProblemView) -> Scene {
        // None is the problem's own graph, which may be large and is not copied.
        let (graph, marks) = self.shown.with(|shown| match shown {
            Shown::Problem => (None, Marks::default()),
            Shown::Story(system) => {
                self.stories.with(|s| s.get(system).and_then(Story::scene)).unwrap_or_default()
            }
            Shown::Judged { judgement, .. } => {
                (None, marks::of_certificate(&judgement.certificate.marks))
            }
            Shown::Called { result, .. } => {
                let touched = result.as_ref().map(|c| marks::of_touched(&c.touched));
                (None, touched.unwrap_or_default())
            }
        });
        let graph = graph.as_ref().unwrap_or(&problem.graph);
        if !draw::is_drawn_whole(&problem.graph) || !draw::is_drawn_whole(graph) {
            let ends = problem.query.ends();
            let part = neighbourhood(graph, &marks, ends, MOST_AROUND);
            let places = draw::layout(&part, LayoutKind::Force, 1, &Places::default());
            return Scene::new(&part, &places, &marks);
        }
        // Nodes that a model invented find a place beside the others; the others stay.
        let places = if graph.names().any(|n| problem.places.get(n).is_none()) {
            let mut all = draw::layout(graph, problem.layout, 1, &problem.places);
            for (name, at) in problem.places.iter() {
                all.set(name.clone(), at);
            }
            all
        } else {
            problem.places.clone()
        };
        let mut scene = Scene::new(graph, &places, &marks);
        // The view is that of the whole problem, so that nothing jumps while a graph grows.
        let whole = Scene::new(&problem.graph, &problem.places, &Marks::default());
        scene.view = union(whole.view, scene.view);
        scene
    }

    pub(super) fn keep(self, stored: StoredRun) {
        if embed::is_on() {
            return;
        }
        spawn_local(async move {
            if let Err(message) = storage::save_run(&stored).await {
                self.notice.set(Some(message));
            }
            self.list_runs();
        });
    }

    pub(crate) fn list_runs(self) {
        spawn_local(async move {
            if let Ok(list) = storage::run_summaries().await {
                self.kept.set(list);
            }
        });
    }

    /// Opens a run that was kept.
    pub(crate) fn reopen(self, id: f64) {
        spawn_local(async move {
            match storage::load_run(id).await {
                Ok(stored) => {
                    self.take(stored.problem);
                    let story = Story::finished(stored.run);
                    let system = story.system.clone();
                    self.stories.update(|s| {
                        s.insert(system.clone(), story);
                    });
                    self.shown.set(Shown::Story(system));
                }
                Err(message) => self.notice.set(Some(message)),
            }
        });
    }

    /// Forgets a run that was kept.
    pub(crate) fn delete(self, id: f64) {
        spawn_local(async move {
            if let Err(message) = storage::delete_run(id).await {
                self.notice.set(Some(message));
            }
            self.list_runs();
        });
    }
}

fn union(a: (f64, f64, f64, f64), b: (f64, f64, f64, f64)) -> (f64, f64, f64, f64) {
    let (x, y) = (a.0.min(b.0), a.1.min(b.1));
    ((x), (y), (a.0 + a.2).max(b.0 + b.2) - x, (a.1 + a.3).max(b.1 + b.3) - y)
}
