//! What the Solve page holds, and what can be done with it.

use std::collections::BTreeMap;

use draw::{LayoutKind, Marks, Places, Scene};
use graph::functions::FunctionError;
use graph::{Delta, Graph};
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::exact::Exact;
use protocol::problem::{
    CallFunction, CallOutput, JudgedAnswer, PlaceNodes, ProblemView, SolveProblem, VerifyAnswer,
};
use tasks::Judgement;
use tasks::claims::Claim;

use crate::services::composed::ComposedFunctions;
use crate::services::kept_runs::KeptRuns;
use crate::services::open_problem::OpenProblem;
use crate::services::storage;
use crate::shell::Shell;
use crate::state::editor::Editor;
use crate::state::how::How;
use crate::state::neighbourhood::{MOST_AROUND, neighbourhood};
use crate::state::problem_run;
use crate::state::query;
use crate::state::setup::how_of_keys;
use crate::state::story::Story;
use crate::state::{claimed, marks};
use crate::workbench::checked_run::claims_of;
use crate::workbench::session::RunSession;

/// What the graph and the right side show.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shown {
    /// The problem alone.
    Problem,
    /// The latest run of a system.
    Story(String),
    /// An answer that somebody gave: the solver, or the person.
    Judged {
        who: String,
        text: String,
        judgement: Judgement,
        claims: Vec<Claim>,
        picked: Option<usize>,
    },
    /// A function that was called by hand.
    Called { function: String, result: Result<CallOutput, FunctionError> },
}

/// The state of the page; it outlives a visit to another page.
#[derive(Clone, Copy)]
pub(crate) struct PageState {
    /// The problem, which other pages show too.
    pub(crate) open: OpenProblem,
    pub(crate) session: RunSession,
    /// Whether the dialog of models is open.
    pub(super) chooses_model: RwSignal<bool>,
    pub(crate) composed: ComposedFunctions,
    pub(crate) editor: RwSignal<Editor>,
    pub(crate) stories: RwSignal<BTreeMap<String, Story>>,
    pub(crate) shown: RwSignal<Shown>,
    /// How a run goes about it: which tools, the graph beside the question, how many votes.
    pub(crate) how: RwSignal<How>,
    /// Where the run's cursor is to stand once it is done, for a run that an address asks for.
    pub(super) goal: StoredValue<Option<usize>>,
    pub(crate) kept: KeptRuns,
    /// What of an address was followed last, and after how many acts of the person.
    pub(super) followed: StoredValue<Option<(String, u64)>>,
}

impl PageState {
    pub(crate) fn new(shell: Shell) -> Self {
        let open = shell.open_problem();
        let how = shell.route.with_untracked(|r| how_of_keys(&r.keys));
        let graph = open.problem.with_untracked(|p| p.as_ref().map(|p| p.graph.clone()));
        let state = Self {
            open,
            session: RunSession::new(),
            chooses_model: shell.chooses_model,
            composed: shell.composed,
            editor: RwSignal::new(graph.map(Editor::new).unwrap_or_default()),
            stories: RwSignal::default(),
            shown: RwSignal::new(Shown::Problem),
            how: RwSignal::new(how),
            goal: StoredValue::new(None),
            kept: shell.kept_runs,
            followed: StoredValue::new(None),
        };
        open.on_other(Callback::new(move |graph| {
            state.editor.set(Editor::new(graph));
            state.forget();
        }));
        state.play_in_time();
        state
    }

    /// What was shown of the problem before is forgotten.
    fn forget(self) {
        self.session.clear();
        self.stories.set(BTreeMap::new());
        self.shown.set(Shown::Problem);
    }

    /// Makes a change to the graph; the runs on the old one are forgotten, the words follow.
    pub(crate) fn edit(self, deltas: Vec<Delta>) -> bool {
        let asked = self.open.problem.with_untracked(|p| p.as_ref().map(|p| p.query.clone()));
        let Some(asked) = asked else { return false };
        let outcome = self.editor.try_update(|e| e.change(deltas, asked));
        match outcome {
            Some(Ok(graph)) => {
                self.edited(graph, None);
                true
            }
            Some(Err(error)) => {
                self.open.notice.set(Some(error.to_string()));
                false
            }
            None => false,
        }
    }

    pub(crate) fn undo(self) {
        if let Some((graph, asked)) = self.editor.try_update(Editor::undo).flatten() {
            self.edited(graph, Some(asked));
        }
    }

    pub(crate) fn redo(self) {
        if let Some(graph) = self.editor.try_update(Editor::redo).flatten() {
            self.edited(graph, None);
        }
    }

    /// Shows another graph; what is asked follows it, unless it comes back with the graph.
    fn edited(self, graph: Graph, asked: Option<tasks::Query>) {
        self.open.outdate();
        self.forget();
        self.open.notice.set(None);
        let mut changed = None;
        self.open.problem.update(|p| {
            if let Some(p) = p {
                if draw::is_drawn_whole(&graph) {
                    p.places = draw::layout(&graph, p.layout, 1, &p.places);
                }
                p.graph = graph;
                p.seed = None;
                if let Some(asked) = asked {
                    p.query = asked;
                }
                query::fit(&mut p.query, &p.graph);
                changed = Some(p.clone());
            }
        });
        if let Some(problem) = changed {
            self.open.reword(problem);
        }
    }

    /// Places the nodes afresh.
    pub(crate) fn place(self, kind: LayoutKind) {
        let Some(problem) = self.open.problem.get_untracked() else { return };
        self.open.ask(PlaceNodes { graph: problem.graph, kind, seed: 1 }, move |Exact(places)| {
            self.open.problem.update(|p| {
                if let Some(p) = p {
                    p.layout = kind;
                    p.places = places;
                }
            });
        });
    }

    /// Runs the reference solver.
    pub(crate) fn solve(self) {
        let Some(problem) = self.open.problem.get_untracked() else { return };
        let problem = Box::new(problem);
        self.open.ask(SolveProblem { problem }, move |judged| self.show_judged("Solver", judged));
    }

    /// Judges an answer that the person typed.
    pub(crate) fn judge(self, text: String) {
        let Some(problem) = self.open.problem.get_untracked() else { return };
        let problem = Box::new(problem);
        let ask = VerifyAnswer { problem, text };
        self.open.ask(ask, move |judged| self.show_judged("You", judged));
    }

    fn show_judged(self, who: &str, judged: JudgedAnswer) {
        let JudgedAnswer { text, judgement } = judged;
        self.tell_all();
        let (who, said) = (who.to_owned(), text.clone());
        let (claims, picked) = (Vec::new(), None);
        self.shown.set(Shown::Judged { who, text, judgement, claims, picked });
        self.check_claims(said.clone(), move |found| {
            self.shown.update(|shown| {
                if let Shown::Judged { text, claims, .. } = shown
                    && *text == said
                {
                    *claims = found;
                }
            });
        });
    }

    /// Holds what a text claims against the problem's graph.
    pub(super) fn check_claims(self, text: String, then: impl FnOnce(Vec<Claim>) + 'static) {
        let Some(problem) = self.open.problem.get_untracked() else { return };
        spawn_local(async move {
            let claims = claims_of(problem, text).await;
            then(claims);
        });
    }

    /// Shows one claim of the answer alone, or all again.
    pub(super) fn pick_claim(self, claim: Option<usize>) {
        self.session.playing.set(false);
        self.shown.update(|shown| {
            if let Shown::Judged { picked, .. } = shown {
                *picked = claim;
            }
        });
        if let Shown::Story(system) = self.shown.get_untracked() {
            self.with_story(&system, |story| {
                story.skip();
                story.picked = claim;
            });
        }
    }

    /// Calls a function by hand; what it writes becomes an edit.
    pub(crate) fn call(self, function: String, arguments: serde_json::Value) {
        let Some(problem) = self.open.problem.get_untracked() else { return };
        let ask = CallFunction { function: function.clone(), graph: problem.graph, arguments };
        self.open.ask(ask, move |Exact(result)| {
            if let Ok(call) = &result
                && !call.deltas.is_empty()
                && !self.edit(call.deltas.clone())
            {
                return;
            }
            self.shown.set(Shown::Called { function, result });
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
            self.with_story(&system, |s| s.seek(cursor));
        }
    }

    /// Goes to the end of the run that plays.
    pub(crate) fn skip(self) {
        self.session.playing.set(false);
        if let Shown::Story(system) = self.shown.get_untracked() {
            self.with_story(&system, Story::skip);
        }
    }

    /// Whoever looks at something else does not wait for what plays.
    pub(super) fn tell_all(self) {
        self.stories.update(|all| all.values_mut().for_each(|story| story.is_told = true));
    }

    /// Shows the run of another system.
    pub(crate) fn show_story(self, system: &str) {
        if self.shown.with_untracked(|s| *s != Shown::Story(system.to_owned())) {
            self.tell_all();
            self.shown.set(Shown::Story(system.to_owned()));
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
            !ended && (self.session.is_busy_untracked() || !self.at_rest(&system))
        };
        self.session.play_by(620.0, step);
    }

    fn at_rest(self, system: &str) -> bool {
        self.stories.with_untracked(|s| s.get(system).is_none_or(|s| s.cursor >= s.steps.len()))
    }

    /// What is drawn.
    pub(crate) fn scene(self) -> Scene {
        self.open.problem.with(|p| p.as_ref().map(|p| self.scene_of(p))).unwrap_or_default()
    }

    fn scene_of(self, problem: &ProblemView) -> Scene {
        // None is the problem's own graph, which may be large and is not copied.
        let (graph, marks) = self.shown.with(|shown| match shown {
            Shown::Problem => (None, Marks::default()),
            Shown::Story(system) => {
                self.stories.with(|s| s.get(system).and_then(Story::scene)).unwrap_or_default()
            }
            Shown::Judged { judgement, claims, picked, .. } => {
                (None, claimed::with_evidence(claims, *picked, judgement))
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
        marks::name_ends(&mut scene, &problem.query);
        // The view is that of the whole problem, so that nothing jumps while a graph grows.
        let whole = Scene::new(&problem.graph, &problem.places, &Marks::default());
        scene.view = union(whole.view, scene.view);
        scene
    }

    /// Opens a run that was kept.
    pub(crate) fn reopen(self, id: f64) {
        spawn_local(async move {
            match storage::load_run(id).await {
                Ok(stored) => {
                    let Some((problem, run)) = problem_run::reopened(stored) else {
                        let why = "That run is on no graph problem: open it on Traces.";
                        return self.open.notice.set(Some(why.into()));
                    };
                    self.open.take(problem);
                    let story = Story::from_run(run);
                    let system = story.system.clone();
                    self.stories.update(|s| {
                        s.insert(system.clone(), story);
                    });
                    self.shown.set(Shown::Story(system.clone()));
                    self.mark_answer(&system);
                }
                Err(message) => self.open.notice.set(Some(message)),
            }
        });
    }
}

fn union(a: (f64, f64, f64, f64), b: (f64, f64, f64, f64)) -> (f64, f64, f64, f64) {
    let (x, y) = (a.0.min(b.0), a.1.min(b.1));
    ((x), (y), (a.0 + a.2).max(b.0 + b.2) - x, (a.1 + a.3).max(b.1 + b.3) - y)
}
