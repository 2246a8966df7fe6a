//! The problem that is open: made of a setup, read from a text, or edited; for all pages that show it.

use std::sync::Arc;

use graph::Graph;
use graph::formats::TableColumns;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::Service;
use protocol::exact::Exact;
use protocol::problem::{
    GenerateProblem, GraphView, ProblemView, ReadProblem, ReadReply, RewordProblem, TableView,
};
use protocol::runs::ModelChoice;
use tasks::TaskId;

use super::engine_client::{self, EngineClient};
use crate::routes::{Route, href, push, replace};
use crate::state::settings::{ModelSettings, Who};
use crate::state::setup::{Keys, ProblemSetup, model_key, model_of_keys};

/// A text with several graphs, of which one is open.
#[derive(Clone)]
pub(crate) struct Several {
    text: Arc<str>,
    /// The one that is open, from 1.
    pub(crate) number: usize,
    /// How many there are.
    pub(crate) n: usize,
}

/// The problem with what it was made of.
#[derive(Clone, Copy)]
pub(crate) struct OpenProblem {
    pub(crate) setup: RwSignal<ProblemSetup>,
    pub(crate) problem: RwSignal<Option<ProblemView>>,
    pub(crate) notice: RwSignal<Option<String>>,
    pub(crate) settings: RwSignal<ModelSettings>,
    /// A table that was given, until a person says which of its columns are what.
    pub(crate) table: RwSignal<Option<(String, TableView)>>,
    /// The text that is open, where it has several graphs.
    pub(crate) several: RwSignal<Option<Several>>,
    /// The encoding that a file was read in, where that is a guess, until its graph is opened.
    pub(crate) encoding: StoredValue<Option<&'static str>>,
    /// Counts problems and edits, so that a late answer about an old graph is dropped.
    turn: StoredValue<u64>,
    /// Counts requests for another problem: of two, the later one counts.
    asked: StoredValue<u64>,
    /// Counts how often a person asked for another problem on the page: each is a step in the
    /// browser's history.
    acts: StoredValue<u64>,
    /// Whether another problem is being made or read.
    coming: RwSignal<bool>,
    /// Told of another problem before it is shown.
    on_other: StoredValue<Option<Callback<Graph>>>,
}

impl OpenProblem {
    pub(crate) fn new(route: &Route, settings: RwSignal<ModelSettings>) -> Self {
        Self {
            setup: RwSignal::new(ProblemSetup::of_keys(&route.keys)),
            problem: RwSignal::new(None),
            notice: RwSignal::new(None),
            settings,
            table: RwSignal::new(None),
            several: RwSignal::new(None),
            encoding: StoredValue::new(None),
            turn: StoredValue::new(0),
            asked: StoredValue::new(0),
            acts: StoredValue::new(0),
            coming: RwSignal::new(false),
            on_other: StoredValue::new(None),
        }
    }

    /// Has somebody told of every other problem before it is shown.
    pub(crate) fn on_other(self, tell: Callback<Graph>) {
        self.on_other.set_value(Some(tell));
    }

    /// The graph is another one: answers about the one before are dropped.
    pub(crate) fn outdate(self) {
        self.turn.update_value(|t| *t += 1);
    }

    /// Whether the problem on the screen can be run: there is one, and no other is about to take its
    /// place.
    pub(crate) fn can_run(self) -> bool {
        self.problem.with(Option::is_some) && !self.coming.get()
    }

    /// The engine that answers about the problem.
    pub(crate) fn engine(self) -> EngineClient {
        let of = |problem: &ProblemView| engine_client::for_graph(&problem.graph);
        self.problem.with_untracked(|p| p.as_ref().map_or_else(engine_client::interactive, of))
    }

    /// Asks the engine, and hands out the answer unless another problem came meanwhile.
    pub(crate) fn ask<S: Service>(self, ask: S, then: impl FnOnce(S::Reply) + 'static) {
        let turn = self.turn.get_value();
        spawn_local(async move {
            match self.engine().ask(ask).await {
                Ok(reply) if self.turn.get_value() == turn => then(reply),
                Ok(_) => {}
                Err(message) => self.notice.set(Some(message)),
            }
        });
    }

    /// Asks for another problem; of two requests, the later one counts.
    pub(crate) fn ask_other<S: Service>(
        self,
        ask: S,
        then: impl FnOnce(Result<S::Reply, String>) + 'static,
    ) {
        self.asked.update_value(|a| *a += 1);
        let asked = self.asked.get_value();
        self.coming.set(true);
        spawn_local(async move {
            let answer = engine_client::interactive().ask(ask).await;
            if self.asked.get_value() == asked {
                self.coming.set(false);
                then(answer);
            }
        });
    }

    /// Makes the problem of the setup, and then does something else.
    pub(crate) fn generate_then(self, then: impl FnOnce() + 'static) {
        let ProblemSetup { task, difficulty, seed, wording, style } = self.setup.get_untracked();
        let ask = GenerateProblem { task, difficulty, seed, wording, style };
        self.ask_other(ask, move |answer| match answer {
            Ok(Exact(problem)) => self.with_exemplars(problem, move |problem| {
                self.take(problem);
                then();
            }),
            Err(message) => self.notice.set(Some(message)),
        });
    }

    /// Adds the exemplars of the setup's style to a problem's question, where it has any, and hands the
    /// problem on.
    pub(crate) fn with_exemplars(
        self,
        problem: ProblemView,
        then: impl FnOnce(ProblemView) + 'static,
    ) {
        let ProblemSetup { wording, style, .. } = self.setup.get_untracked();
        if !style.has_exemplars() {
            return then(problem);
        }
        let ask = RewordProblem { problem: Box::new(problem.clone()), wording, style };
        self.ask_other(ask, move |answer| match answer {
            Ok(question) => then(ProblemView { question, ..problem }),
            Err(message) => self.notice.set(Some(message)),
        });
    }

    /// Makes the problem of the setup.
    pub(crate) fn generate(self) {
        self.generate_then(|| {});
    }

    /// Reads a question or a graph. What is on the screen stays if it cannot be read.
    pub(crate) fn read(self, text: String, then: impl FnOnce() + 'static) {
        self.read_columns(text, None, then);
    }

    /// Opens another graph of the text that has several.
    pub(crate) fn open_number(self, number: usize) {
        let Some(Several { text, n, .. }) = self.several.get_untracked() else { return };
        let number = number.clamp(1, n);
        self.notice.set(None);
        let ask = ReadProblem { graph_number: number, ..ReadProblem::new(&*text) };
        self.ask_read(ask, || {});
    }

    /// Reads a text; a table with the columns that a person named.
    pub(crate) fn read_columns(
        self,
        text: String,
        columns: Option<TableColumns>,
        then: impl FnOnce() + 'static,
    ) {
        self.ask_read(ReadProblem { columns, ..ReadProblem::new(text) }, then);
    }

    fn ask_read(self, ask: ReadProblem, then: impl FnOnce() + 'static) {
        let ReadProblem { text, graph_number: number, .. } = ask.clone();
        self.ask_other(ask, move |answer| {
            let is_taken = match answer {
                Ok(Exact(ReadReply::Problem(problem))) => {
                    self.take(*problem);
                    true
                }
                Ok(Exact(ReadReply::Graph(view))) => {
                    let n = view.n_graphs;
                    let is_taken = self.take_graph(*view);
                    if is_taken && n > 1 {
                        self.several.set(Some(Several { text: text.into(), number, n }));
                    }
                    is_taken
                }
                Ok(Exact(ReadReply::Table(view))) => {
                    self.table.set(Some((text, *view)));
                    true
                }
                Err(message) => {
                    self.notice.set(Some(message));
                    false
                }
            };
            if is_taken {
                then();
            }
        });
    }

    /// Opens a problem. What was asked for before it comes too late: a run that somebody opened is not
    /// put away by the problem of the address, which the engine may take a while to make.
    pub(crate) fn take(self, problem: ProblemView) {
        self.outdate();
        self.asked.update_value(|asked| *asked += 1);
        self.coming.set(false);
        self.setup.update(|s| {
            s.task = problem.task;
            if let Some(difficulty) = problem.difficulty {
                s.difficulty = difficulty;
            }
            if let Some(seed) = problem.seed {
                s.seed = seed;
            }
        });
        self.notice.set(None);
        self.several.set(None);
        if let Some(tell) = self.on_other.get_value() {
            tell.run(problem.graph.clone());
        }
        if graph::threads::gain_on(problem.graph.n_nodes(), problem.graph.n_edges()) {
            // Its threads take a moment to start.
            engine_client::for_graph(&problem.graph).wake();
        }
        self.problem.set(Some(problem));
    }

    /// A graph without a question gets the question that suits it; the person can ask another.
    pub(crate) fn take_graph(self, view: GraphView) -> bool {
        let GraphView { format, graph, mut notes, layout, places, .. } = view;
        if let Some(encoding) = self.encoding.try_update_value(Option::take).flatten() {
            notes.push(format!("read as {encoding}, because the file is not UTF-8"));
        }
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
        if !notes.is_empty() {
            self.notice.set(Some(format!("Opened as {format}. {}", shown_notes(&notes))));
        }
        self.reword(problem);
        true
    }

    /// New words for a problem whose graph, query or wording changed.
    pub(crate) fn reword(self, problem: ProblemView) {
        let ProblemSetup { wording, style, .. } = self.setup.get_untracked();
        let problem = Box::new(problem);
        self.ask(RewordProblem { problem, wording, style }, move |question| {
            self.problem.update(|p| {
                if let Some(p) = p {
                    p.question = question;
                }
            });
        });
    }

    /// Changes the setup: another problem is made, and where the words alone change, the one that is
    /// open is worded anew.
    pub(crate) fn change(self, to: ProblemSetup) {
        let before = self.setup.get_untracked();
        let to = to.with_known_level();
        self.setup.set(to);
        let same =
            (to.task, to.difficulty, to.seed) == (before.task, before.difficulty, before.seed);
        match self.problem.get_untracked() {
            Some(problem) if same => self.reword(problem),
            _ => {
                self.acts.update_value(|acts| *acts += 1);
                self.generate();
            }
        }
    }

    /// How often a person asked for another problem: what an address asked for before may be asked for
    /// again after it.
    pub(crate) fn acts(self) -> u64 {
        self.acts.get_value()
    }

    /// Whether the problem on the screen is the one that its setup makes.
    fn is_made(self) -> bool {
        let setup = self.setup.get();
        self.problem.with(|p| {
            p.as_ref().is_some_and(|p| {
                p.task == setup.task
                    && p.seed == Some(setup.seed)
                    && p.difficulty == Some(setup.difficulty)
            })
        })
    }

    /// Follows an address: the problem that it names is made, unless it is open; the script that it
    /// names plays the model. Calls `then` once the problem is there.
    pub(crate) fn follow(self, keys: &Keys, then: impl FnOnce() + 'static) {
        match model_of_keys(keys) {
            Some(ModelChoice::Script { name }) => self.settings.update(|s| {
                s.who = Who::Script;
                s.script = name;
            }),
            Some(_) => self.settings.update(|s| s.who = Who::Own),
            None => {}
        }
        let nothing_yet = self.problem.with_untracked(Option::is_none);
        if !keys.contains_key("task") && !nothing_yet {
            return;
        }
        let wanted = ProblemSetup::of_keys(keys);
        let fault = ProblemSetup::fault_of_keys(keys);
        // A problem that comes takes what was said of the one before with it.
        let tell = move || {
            if fault.is_some() {
                self.notice.set(fault);
            }
        };
        if nothing_yet || wanted != self.setup.get_untracked() {
            self.setup.set(wanted);
            self.generate_then(move || {
                then();
                tell();
            });
        } else {
            tell();
        }
    }

    /// Keeps the address of a page up to date as long as it is shown: the problem, the script, and
    /// what the page adds. A problem that a person asked for is a step in the browser's history.
    pub(crate) fn tell(
        self,
        route: RwSignal<Route>,
        path: &'static str,
        more: impl Fn() -> Vec<(&'static str, String)> + Send + Sync + 'static,
    ) {
        let address = Memo::new(move |_| {
            if !self.is_made() {
                return None;
            }
            let mut keys = self.setup.with(ProblemSetup::keys);
            keys.extend(self.settings.with(model_key));
            keys.extend(more());
            let keys: Vec<(&str, &str)> = keys.iter().map(|(k, v)| (*k, v.as_str())).collect();
            Some(href(path, &keys))
        });
        Effect::new(move |before: Option<u64>| {
            let address = address.get();
            let acts = self.acts();
            let (Some(address), true) = (address, route.with_untracked(|r| r.path == path)) else {
                return before.unwrap_or(acts);
            };
            if before.is_some_and(|before| before != acts) {
                push(&address);
            } else {
                replace(&address);
            }
            acts
        });
    }
}

/// The first notes on a file, and how many more there are.
fn shown_notes(notes: &[String]) -> String {
    const SHOWN: usize = 3;
    let sentence = |note: &String| {
        let mut letters = note.chars();
        let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
        format!("{first}{}.", letters.as_str())
    };
    let mut shown: Vec<String> = notes.iter().take(SHOWN).map(sentence).collect();
    if notes.len() > SHOWN {
        shown.push(format!("And {} more.", notes.len() - SHOWN));
    }
    shown.join(" ")
}
