//! What the page holds, and what can be done with it.

use std::sync::Arc;

use agent::Limits;
use draw::{LayoutKind, Places, Scene};
use graph::{Delta, Graph};
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::exact::Exact;
use protocol::free::{AnsweredFreely, AskFreely, CheckFreely};
use protocol::runs::ModelChoice;
use systems::free::FreeCheck;
use trace::{Record, StepBody, Trace};
use web_sys::File;

use crate::components::graph_view::Gesture;
use crate::services::composed::ComposedFunctions;
use crate::services::open::{Open, TraceToOpen};
use crate::services::{engine_client, files};
use crate::shell::Shell;
use crate::state::editor::free_name;
use crate::state::marks;
use crate::state::settings::{ModelSettings, Who};
use crate::state::stored::Keeping;
use crate::workbench::session::{Happening, RunSession};

/// The most bytes of a question in a file.
const MAX_QUESTION: f64 = 60_000.0;

/// Questions to begin with.
pub(super) const EXAMPLES: [&str; 4] = [
    "Tom knows Katy, Katy knows Paul, Paul knows Mia. Can Tom reach Mia?",
    "It is 4 km from Alm to Berg, 3 km from Berg to Dorf, 2 km from Alm to Cal and 6 km from Cal to Dorf. \
     What is the shortest way from Alm to Dorf?",
    "The steps: shirt before tie, tie before jacket, belt before jacket, trousers before belt, socks before \
     shoes, trousers before shoes. In which order can I dress?",
    "Ann sits beside Ben and Cem. Ben sits beside Cem. Dana sits beside Cem. Is there a circle among them?",
];

/// The state of the page; it outlives a visit to another page.
#[derive(Clone, Copy)]
pub(crate) struct PageState {
    /// The question as typed.
    pub(super) words: RwSignal<String>,
    pub(super) session: RunSession,
    /// Whether the conversation is the example with which the page opens.
    pub(super) is_example: RwSignal<bool>,
    /// The conversation so far.
    pub(super) trace: RwSignal<Option<Arc<Trace>>>,
    pub(super) check: RwSignal<Option<Arc<FreeCheck>>>,
    /// Which claim of the answer is looked at.
    pub(super) picked: RwSignal<Option<usize>>,
    /// Whether clicks correct the graph.
    pub(super) editing: RwSignal<bool>,
    /// What a person has changed in the graph, in order.
    pub(super) corrections: RwSignal<Vec<Delta>>,
    pub(super) places: RwSignal<Places>,
    pub(super) settings: RwSignal<ModelSettings>,
    pub(super) composed: ComposedFunctions,
    pub(super) chooses_model: RwSignal<bool>,
    open: Open,
}

impl PageState {
    pub(crate) fn new(shell: Shell) -> Self {
        Self {
            words: RwSignal::default(),
            session: RunSession::playing(700.0),
            is_example: RwSignal::new(false),
            trace: RwSignal::new(None),
            check: RwSignal::new(None),
            picked: RwSignal::new(None),
            editing: RwSignal::new(false),
            corrections: RwSignal::default(),
            places: RwSignal::default(),
            settings: shell.settings,
            composed: shell.composed,
            chooses_model: shell.chooses_model,
            open: shell.open,
        }
    }

    /// Takes a dropped text as the question.
    pub(super) fn take_files(self, list: Vec<File>) {
        let Some(file) = list.into_iter().next() else { return };
        if file.size() > MAX_QUESTION {
            let words = format!("{}: a question may have 20,000 letters.", file.name());
            return self.session.notice.set(Some(words));
        }
        spawn_local(async move {
            match files::text(&file).await {
                Ok(text) => self.words.set(text),
                Err(message) => self.session.notice.set(Some(message)),
            }
        });
    }

    /// Lets our own small model answer an example where nothing was asked yet. It is not kept.
    pub(super) fn show_example(self) {
        if self.trace.with_untracked(Option::is_some) || self.session.is_busy_untracked() {
            return;
        }
        self.is_example.set(true);
        self.ask(EXAMPLES[0].to_owned(), ModelChoice::Own);
        self.session.keep_nothing();
    }

    /// Asks what was typed, in a conversation of its own.
    pub(super) fn ask_anew(self) {
        if !self.may_ask() {
            return;
        }
        self.session.clear();
        self.trace.set(None);
        self.is_example.set(false);
        self.places.set(Places::default());
        self.ask(self.words.get_untracked(), self.model());
    }

    fn model(self) -> ModelChoice {
        self.settings.with_untracked(ModelSettings::choice)
    }

    /// Goes on with the conversation.
    pub(super) fn send_reply(self, says: String) {
        if !self.session.is_busy_untracked() && self.may_ask() {
            self.ask(says, self.model());
        }
    }

    /// Whether there is somebody to ask; the notice says why not.
    fn may_ask(self) -> bool {
        let fault = self.settings.with_untracked(|s| {
            if s.who == Who::Script {
                let words = "A question of your own needs a model at an endpoint: choose one in \
                             “Model”, above.";
                return Some(words.to_owned());
            }
            s.fault()
        });
        let may = fault.is_none();
        if !may {
            self.session.notice.set(fault);
        }
        may
    }

    fn ask(self, says: String, model: ModelChoice) {
        self.check.set(None);
        self.picked.set(None);
        self.editing.set(false);
        self.corrections.set(Vec::new());
        let ask = AskFreely {
            says,
            resume: self.trace.get_untracked().map(|trace| Box::new((*trace).clone())),
            surface: model.surface(),
            model,
            limits: Limits::default(),
            composing: self.composed.composing(),
        };
        let engine = engine_client::interactive();
        // A conversation is one run.
        let replaces = ask.resume.as_ref().and_then(|_| self.session.kept_as());
        let keeping = Keeping { replaces, ..Keeping::default() };
        self.session.start_keeping(
            &engine,
            &ask,
            keeping,
            "ask",
            move |happening| match happening {
                Happening::Step(step) => {
                    self.session.push(step);
                    self.place();
                }
                Happening::Done(AnsweredFreely { trace, check }) => {
                    self.composed.note(&trace);
                    self.trace.set(Some(Arc::from(trace)));
                    self.check.set(Some(Arc::from(check)));
                }
                // Nobody asked for the example.
                Happening::Failed(_) | Happening::Cancelled if self.is_example.get_untracked() => {
                    self.session.clear();
                }
                _ => {}
            },
        );
    }

    /// The graph at the cursor, with what a person corrected where that is the end.
    pub(super) fn graph(self) -> Graph {
        let cursor = self.session.cursor.get();
        let mut graph = Graph::undirected();
        let is_end = self.session.steps.with(|steps| {
            for step in steps.iter().take(cursor) {
                if let StepBody::Call { effects, .. } = &step.body {
                    for delta in &effects.deltas {
                        // A trace of our own fits; a step that does not shows nothing.
                        let _ = graph.apply(delta);
                    }
                }
            }
            cursor >= steps.len()
        });
        if is_end {
            self.corrections.with(|all| {
                for delta in all {
                    let _ = graph.apply(delta);
                }
            });
        }
        graph
    }

    /// Places what has no place; what has one stays.
    fn place(self) {
        let graph = untrack(|| self.graph());
        self.places.update(|places| {
            let next = draw::layout(&graph, LayoutKind::Force, 1, places);
            *places = next;
        });
    }

    /// What is drawn: at the end what the answer is checked by, else what the step read and changed.
    pub(super) fn scene(self) -> Scene {
        let graph = self.graph();
        let cursor = self.session.cursor.get();
        let picked = self.picked.get();
        let (n_steps, of_step) = self.session.steps.with(|steps| {
            let step = cursor.checked_sub(1).and_then(|at| steps.get(at));
            let marks = match step.map(|step| &step.body) {
                Some(StepBody::Call { effects, .. }) => marks::of_effects(effects),
                _ => Default::default(),
            };
            (steps.len(), marks)
        });
        let at_end = (cursor >= n_steps).then(|| {
            self.check.with(|check| {
                let check = check.as_ref()?;
                let claim = picked.and_then(|at| check.claims.get(at));
                let drawn = claim.map_or(&check.certificate.marks, |c| &c.marks);
                // Nobody knows what was asked: a claim holds in the graph or does not.
                Some(marks::of_certificate(drawn, true))
            })
        });
        let marks = at_end.flatten().unwrap_or(of_step);
        self.places.with(|places| Scene::new(&graph, places, &marks))
    }

    /// What a person does on the drawing.
    pub(super) fn act(self, gesture: Gesture) {
        let delta = match gesture {
            Gesture::Move(name, at) => return self.places.update(|p| p.set(name, at)),
            Gesture::Add(at) => {
                let node = free_name(&untrack(|| self.graph()), None);
                self.places.update(|p| p.set(node.clone(), at));
                Delta::AddNode { node }
            }
            Gesture::Connect(source, target) => {
                let graph = untrack(|| self.graph());
                if graph.edge(&source, &target).is_some() {
                    return;
                }
                let weight = graph.is_weighted().then_some(1.0);
                Delta::AddEdge { source, target, weight, capacity: None }
            }
            Gesture::Delete(node) => Delta::RemoveNode { node },
            Gesture::PickEdge(source, target) => Delta::RemoveEdge { source, target },
            Gesture::Rename(_) | Gesture::PickNode(_) => return,
        };
        self.correct(delta);
    }

    /// Changes the graph, and has the answer checked against it.
    pub(super) fn correct(self, delta: Delta) {
        let mut graph = untrack(|| self.graph());
        if let Err(why) = graph.apply(&delta) {
            return self.session.notice.set(Some(format!("This does not fit: {why}")));
        }
        self.corrections.update(|all| all.push(delta));
        self.place();
        self.check_again();
    }

    /// Takes the last correction back.
    pub(super) fn undo(self) {
        self.corrections.update(|all| _ = all.pop());
        self.check_again();
    }

    fn check_again(self) {
        let Some(trace) = self.trace.get_untracked() else { return };
        self.picked.set(None);
        let corrections = self.corrections.get_untracked();
        let n = corrections.len();
        let ask = CheckFreely { trace: Box::new((*trace).clone()), corrections };
        let turn = self.session.turn();
        spawn_local(async move {
            let checked = engine_client::interactive().ask(ask).await;
            let is_last = self.corrections.with_untracked(Vec::len) == n;
            if !self.session.is_turn(turn) || !is_last {
                return;
            }
            match checked {
                Ok(Exact(check)) => self.check.set(Some(Arc::new(check))),
                Err(message) => self.session.notice.set(Some(message)),
            }
        });
    }

    /// Opens the conversation on the page of traces.
    pub(super) fn open_trace(self) {
        let Some(trace) = self.trace.get_untracked() else { return };
        let record = Record {
            id: "question".into(),
            task: "question".into(),
            input: self.words.get_untracked(),
            ..Record::of((*trace).clone())
        };
        let (record, name) = (Box::new(record), "your question".to_owned());
        self.open.trace(TraceToOpen::Record { record, name, problem: None, back: None });
    }
}
