//! What the Traces page holds, and what can be done with it.

use protocol::exact::Exact;
use protocol::traces::{CompareTraces, JudgeAnswers, JudgedAnswers, ReplayTrace};
use std::sync::Arc;

use draw::{LayoutKind, Marks, Places, Scene};
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::problem::{
    JudgedAnswer, PlaceNodes, ProblemView, ReadProblem, ReadReply, VerifyAnswer,
};
use protocol::runs::ModelChoice;
use protocol::share::Shared;
use tasks::claims::Claim;
use tasks::{Judgement, Verdict};
use trace::diff::Diff;
use trace::replay::Replay;
use trace::{Record, Trace};

use crate::services::kept_runs::KeptRuns;
use crate::services::open;
use crate::services::open::TraceToOpen;
use crate::services::trace_file::TraceFile;
use crate::services::{engine_client, playback, storage};
use crate::shell::Shell;
use crate::state::fork::{Change, forked, system_of};
use crate::state::neighbourhood::{MOST_AROUND, neighbourhood};
use crate::state::notes::Notes;
use crate::state::problem_run;
use crate::state::run_table::RunPlace;
use crate::state::setup::Keys;
use crate::state::stored::{Keeping, Origin, RunFacts, StoredRun};
use crate::state::viewer::{self, Filter, Graphs, StepKind};
use crate::state::{claimed, marks, records, run_table};
use crate::workbench::checked_run::claims_of;
use crate::workbench::session::{Happening, RunSession};
use crate::workbench::share::Sharing;

/// The format of traces in the page's own file.
pub(super) const EMBEDDED: &str = "graphground.trace";

/// The longest question that is read, in bytes.
const LONGEST_QUESTION: usize = 1_000_000;

/// An answer that was judged here.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Judged {
    pub(crate) judgement: Judgement,
    pub(crate) claims: Vec<Claim>,
}

/// A trace that is open.
#[derive(Clone, PartialEq)]
pub(crate) struct Entry {
    pub(crate) id: u64,
    pub(crate) name: String,
    pub(crate) record: Arc<Record>,
    pub(crate) trace: Arc<Trace>,
    pub(crate) graphs: Graphs,
    /// What a table tells of it.
    pub(crate) facts: Arc<RunFacts>,
    /// The problem, where the question could be read: without it nothing is judged.
    pub(crate) problem: Option<ProblemView>,
    /// How right its answer is by our rules, where it was held against its question.
    pub(crate) verdict: Option<Verdict>,
    /// Where every node stands, from the first step to the last.
    pub(crate) places: Places,
    /// Whether the problem, these places and the judgement were asked for: only those of traces that
    /// are shown are.
    is_prepared: bool,
    /// Whether it came from a file, so that its score is that of the file.
    pub(crate) is_of_file: bool,
    /// The key of the run in the browser's own list, if it came from there.
    pub(crate) kept: Option<f64>,
    /// The open trace that it goes on from, and the number of the step there.
    pub(crate) origin: Option<(u64, usize)>,
    /// What a person wrote about it.
    pub(crate) notes: Notes,
    /// Whether it is one of the two that the page has until a person opens something.
    pub(crate) is_example: bool,
    /// The way back to where it was opened: words and an address.
    pub(crate) back: Option<(String, String)>,
    /// Its answer, once it was judged.
    pub(crate) judged: Option<Arc<Judged>>,
}

impl Entry {
    /// The record with the notes, as it is saved and shared.
    pub(super) fn noted(&self) -> Record {
        let mut record = (*self.record).clone();
        self.notes.put(&mut record.metadata);
        record
    }

    /// Whether the step before a cursor is the last answer.
    pub(crate) fn is_answer(&self, cursor: usize) -> bool {
        let is_answer = |step| StepKind::of(step) == StepKind::Answer;
        let last = self.trace.steps.iter().rposition(is_answer);
        last.is_some_and(|last| last + 1 == cursor)
    }
}

/// Two traces beside each other.
#[derive(Clone, PartialEq)]
pub(crate) struct Compared {
    pub(crate) left: Entry,
    pub(crate) right: Entry,
    pub(crate) diff: Arc<Diff>,
}

/// The state; it outlives a visit to another page.
#[derive(Clone, Copy)]
pub(crate) struct PageState {
    pub(crate) entries: RwSignal<Vec<Entry>>,
    pub(crate) current: RwSignal<Option<u64>>,
    /// A run that goes on from a step, and the walk over the steps that are shown.
    pub(crate) session: RunSession,
    pub(crate) filter: RwSignal<Filter>,
    pub(crate) search: RwSignal<String>,
    pub(crate) replayed: RwSignal<Option<Arc<Replay>>>,
    pub(crate) compared: RwSignal<Option<Compared>>,
    pub(crate) row: RwSignal<usize>,
    /// The rows of the table from which a trace was opened, to walk from one to the next.
    pub(crate) walk: RwSignal<Vec<RunPlace>>,
    /// The rows that a person picked.
    pub(crate) picked_rows: RwSignal<Vec<RunPlace>>,
    /// The claim of the answer that is shown alone.
    pub(crate) picked: RwSignal<Option<usize>>,
    /// Whether all runs are shown as a table, and which of them.
    pub(crate) is_table: RwSignal<bool>,
    pub(crate) listed: RwSignal<run_table::RunsShown>,
    /// What the reader of the last file dropped or assumed.
    pub(super) remarks: RwSignal<Option<String>>,
    /// Milliseconds that the last file took to open, from the drop to the list.
    pub(crate) opened_ms: RwSignal<Option<f64>>,
    pub(super) kept: KeptRuns,
    next: StoredValue<u64>,
    /// The address that was followed last, and the trace that came of it once it is there.
    pub(super) followed: StoredValue<Option<(Keys, Option<u64>)>>,
}

impl PageState {
    pub(crate) fn new(shell: Shell) -> Self {
        let state = Self {
            entries: RwSignal::default(),
            current: RwSignal::new(None),
            session: RunSession::new(),
            filter: RwSignal::default(),
            search: RwSignal::default(),
            replayed: RwSignal::new(None),
            compared: RwSignal::new(None),
            row: RwSignal::new(0),
            walk: RwSignal::default(),
            picked_rows: RwSignal::default(),
            picked: RwSignal::new(None),
            is_table: RwSignal::new(false),
            listed: RwSignal::default(),
            remarks: RwSignal::new(None),
            opened_ms: RwSignal::new(None),
            kept: shell.kept_runs,
            next: StoredValue::new(1),
            followed: StoredValue::new(None),
        };
        // A long trace is not copied: the clock looks at the one that is shown.
        state.session.play_by(620.0, move || {
            let n = state.entry_untracked().map_or(0, |e| e.trace.steps.len());
            playback::forward(state.session.cursor, n)
        });
        shell.open.take_traces(move |trace| match trace {
            TraceToOpen::Record { record, name, problem, back } => {
                state.drop_examples();
                let id = state.open(*record, name, problem.map(|p| *p), None);
                state.with_entry(id, |entry| entry.back = back);
            }
            TraceToOpen::File(file) => {
                let began = window().performance().map_or(0.0, |p| p.now());
                state.open_text(file.name, file.text, began);
            }
        });
        state.open_embedded();
        state
    }

    /// The trace that is shown.
    pub(crate) fn entry(self) -> Option<Entry> {
        let id = self.current.get()?;
        self.entries.with(|list| list.iter().find(|e| e.id == id).cloned())
    }

    pub(crate) fn n_steps(self) -> usize {
        self.entry().map_or(0, |e| e.trace.steps.len())
    }

    /// Opens a record and shows its first mistake, or its first step.
    pub(super) fn open(
        self,
        record: Record,
        name: String,
        problem: Option<ProblemView>,
        kept: Option<f64>,
    ) -> u64 {
        let id = self.take(record, name, problem, kept);
        self.show_start(id);
        id
    }

    /// Opens a record, and shows nothing of it yet.
    pub(super) fn take(
        self,
        record: Record,
        name: String,
        problem: Option<ProblemView>,
        kept: Option<f64>,
    ) -> u64 {
        let entry = Entry { kept, ..self.entry_of(record, name, problem) };
        let id = entry.id;
        self.entries.update(|list| list.insert(0, entry));
        id
    }

    /// Opens all records of a file above those that are open, with one redraw: one is shown, several
    /// are a table. Those that the browser keeps get back what a person wrote about them.
    pub(super) async fn open_all(self, records: Vec<Record>) {
        let is_one = records.len() == 1;
        let mut new = Vec::with_capacity(records.len());
        for record in records {
            let name = if is_one { records::name(&record) } else { records::name_in_file(&record) };
            let source = records::source(&record);
            let kept = self.kept.list.with_untracked(|list| {
                list.iter().find(|run| run.source == source).map(|run| run.id)
            });
            let is_of_file = true;
            let mut entry = Entry { kept, is_of_file, ..self.entry_of(record, name, None) };
            if let Some(id) = kept
                && let Ok(stored) = storage::load_run(id).await
            {
                entry.notes = stored.notes;
            }
            new.push(entry);
        }
        let Some(first) = new.first().map(|e| e.id) else { return };
        self.drop_examples();
        let ids: Vec<u64> = new.iter().map(|e| e.id).collect();
        self.entries.update(|list| drop(list.splice(0..0, new)));
        if is_one {
            return self.show_start(first);
        }
        self.compared.set(None);
        self.is_table.set(true);
        self.judge_all(ids).await;
    }

    /// Holds the answers of a file against their questions, with one request and one redraw.
    async fn judge_all(self, ids: Vec<u64>) {
        let answers = self.entries.with_untracked(|list| {
            let mine = list.iter().filter(|e| ids.contains(&e.id));
            let short = |e: &Entry| e.record.input.len() <= LONGEST_QUESTION;
            let one = |e: &Entry| {
                let input = if short(e) { e.record.input.clone() } else { String::new() };
                (input, e.trace.answer().unwrap_or_default().to_owned())
            };
            mine.map(one).collect()
        });
        let ask = JudgeAnswers { answers };
        // Without verdicts the traces are shown all the same.
        let Ok(JudgedAnswers { verdicts }) = engine_client::interactive().ask(ask).await else {
            return;
        };
        self.entries.update(|list| {
            for (id, verdict) in ids.into_iter().zip(verdicts) {
                if let Some(entry) = list.iter_mut().find(|e| e.id == id) {
                    entry.verdict = verdict;
                }
            }
        });
    }

    fn entry_of(self, record: Record, name: String, problem: Option<ProblemView>) -> Entry {
        let id = self.next.get_value();
        self.next.set_value(id + 1);
        let trace = Arc::new(record.trace.clone());
        Entry {
            id,
            name,
            facts: Arc::new(RunFacts::of(&trace, &record.task)),
            verdict: None,
            graphs: Graphs::new(trace.clone()),
            notes: Notes::of(&record.metadata),
            record: Arc::new(record),
            trace,
            places: problem.as_ref().map(|p| p.places.clone()).unwrap_or_default(),
            problem,
            is_prepared: false,
            is_of_file: false,
            kept: None,
            origin: None,
            is_example: false,
            back: None,
            judged: None,
        }
    }

    /// Reads the question of a trace that is shown, places its nodes and judges its answer, once.
    async fn prepare(self, id: u64) {
        let found = self
            .entries
            .with_untracked(|list| list.iter().find(|e| e.id == id && !e.is_prepared).cloned());
        let Some(entry) = found else { return };
        self.with_entry(id, |entry| entry.is_prepared = true);
        let problem = match entry.problem {
            Some(problem) => Some(problem),
            None => problem_of(&entry.record).await,
        };
        let whole = entry.graphs.whole();
        let mut places = problem.as_ref().map(|p| p.places.clone()).unwrap_or_default();
        if whole.n_nodes() > 0 && draw::is_drawn_whole(whole) {
            let ask = PlaceNodes { graph: whole.clone(), kind: draw::suited(whole), seed: 1 };
            if let Ok(Exact(mut all)) = engine_client::interactive().ask(ask).await {
                // Where the problem has places, they stay.
                for (name, at) in places.iter() {
                    all.set(name.clone(), at);
                }
                places = all;
            }
        }
        let judged = match (&problem, entry.trace.answer()) {
            (Some(problem), Some(text)) => judged(problem, text).await,
            _ => None,
        };
        self.with_entry(id, |entry| {
            (entry.problem, entry.places) = (problem, places);
            entry.verdict = judged.as_ref().map(|j| j.judgement.verdict).or(entry.verdict);
            entry.judged = judged.map(Arc::new);
        });
    }

    /// Changes an open trace.
    pub(super) fn with_entry(self, id: u64, change: impl FnOnce(&mut Entry)) {
        self.entries.update(|list| {
            if let Some(entry) = list.iter_mut().find(|e| e.id == id) {
                change(entry);
            }
        });
    }

    /// Takes what a person writes about the trace that is shown; the browser keeps both.
    pub(super) fn note(self, change: impl FnOnce(&mut Notes)) {
        let Some(id) = self.current.get_untracked() else { return };
        self.with_entry(id, |entry| change(&mut entry.notes));
        self.keep(id);
    }

    /// Keeps an open trace with what a person wrote about it.
    fn keep(self, id: u64) {
        let kept = self.entries.with_untracked(|list| {
            list.iter().find(|e| e.id == id).and_then(|e| Some((e.kept?, e.notes.clone())))
        });
        match kept {
            Some((kept, notes)) => self.kept.note(kept, notes),
            None => spawn_local(async move {
                self.keep_new(&[id]).await;
            }),
        }
    }

    /// Keeps open traces that are not kept yet, and says whether that worked.
    pub(super) async fn keep_new(self, ids: &[u64]) -> bool {
        let mut all = Vec::with_capacity(ids.len());
        self.entries.update(|list| {
            for entry in list.iter_mut().filter(|e| ids.contains(&e.id)) {
                let Entry { record, problem, verdict, notes, .. } = entry.clone();
                let key = self.kept.fresh();
                let stored = StoredRun::of_record(key, (*record).clone(), problem, verdict);
                all.push(stored.with_notes(notes));
                entry.kept = Some(key);
            }
        });
        self.kept.keep_opened(all).await
    }

    /// Shows an open trace.
    pub(crate) fn show(self, id: u64, cursor: usize) {
        self.session.playing.set(false);
        self.replayed.set(None);
        self.compared.set(None);
        self.picked.set(None);
        self.is_table.set(false);
        self.session.seat.set(None);
        self.current.set(Some(id));
        self.session.cursor.set(cursor);
        spawn_local(self.prepare(id));
    }

    /// Shows an open trace from where it is read first.
    pub(crate) fn show_start(self, id: u64) {
        let start = self.entries.with_untracked(|list| {
            list.iter().find(|e| e.id == id).map_or(0, |e| viewer::start(&e.trace))
        });
        self.show(id, start);
    }

    /// A link with the trace that is shown in it, or its file.
    pub(super) fn share(self, sharing: Sharing) {
        let Some(entry) = self.entry_untracked() else { return };
        let shared = Shared::Trace { record: Box::new(entry.noted()) };
        let save = Callback::new(move |()| self.export("graphground"));
        let step = self.session.cursor.get_untracked();
        sharing.packed_at(open::TRACE, shared, Some(step), Some(save));
    }

    /// Closes an open trace; a kept run stays kept.
    pub(crate) fn close(self, id: u64) {
        self.note_closed(id);
        self.entries.update(|list| list.retain(|e| e.id != id));
        if self.current.get_untracked() == Some(id) {
            match self.entries.with_untracked(|l| l.first().map(|e| e.id)) {
                Some(id) => self.show_start(id),
                None => self.current.set(None),
            }
        }
    }

    pub(crate) fn seek(self, to: usize) {
        let n = self.entry_untracked().map_or(0, |e| e.trace.steps.len());
        self.session.cursor.set(to.min(n));
        self.picked.set(None);
    }

    pub(crate) fn entry_untracked(self) -> Option<Entry> {
        let id = self.current.get_untracked()?;
        self.entries.with_untracked(|list| list.iter().find(|e| e.id == id).cloned())
    }

    /// Computes every result again.
    pub(crate) fn replay(self) {
        let Some(entry) = self.entry_untracked() else { return };
        self.session.busy.set(Some("Computing every result again…".into()));
        spawn_local(async move {
            let ask = ReplayTrace { trace: Box::new((*entry.trace).clone()) };
            let answer = engine_client::interactive().ask(ask).await;
            self.session.busy.set(None);
            match answer {
                Ok(Exact(replay)) if self.current.get_untracked() == Some(entry.id) => {
                    self.replayed.set(Some(Arc::new(replay)));
                }
                Ok(_) => {}
                Err(message) => self.session.notice.set(Some(message)),
            }
        });
    }

    /// Puts two open traces beside each other.
    pub(crate) fn compare(self, left: u64, right: u64) {
        self.session.busy.set(Some("Comparing…".into()));
        spawn_local(async move {
            self.prepare(left).await;
            self.prepare(right).await;
            let entry =
                |id| self.entries.with_untracked(|l| l.iter().find(|e| e.id == id).cloned());
            let (Some(left), Some(right)) = (entry(left), entry(right)) else { return };
            let ask = CompareTraces {
                left: Box::new((*left.trace).clone()),
                right: Box::new((*right.trace).clone()),
            };
            let answer = engine_client::interactive().ask(ask).await;
            self.session.busy.set(None);
            match answer {
                Ok(Exact(diff)) => {
                    self.row.set(diff.first_divergence.unwrap_or(0));
                    self.compared.set(Some(Compared { left, right, diff: Arc::new(diff) }));
                }
                Err(message) => self.session.notice.set(Some(message)),
            }
        });
    }

    /// Saves the trace that is shown in a format.
    pub(crate) fn export(self, format: &str) {
        let Some(entry) = self.entry_untracked() else { return };
        let format = format.to_owned();
        spawn_local(async move {
            let (engine, records) = (engine_client::interactive(), vec![entry.noted()]);
            let stem = file_name(&entry.name);
            match TraceFile::write(engine, &stem, records, &format).await {
                Ok(file) => file.save(),
                Err(message) => self.session.notice.set(Some(message)),
            }
        });
    }

    /// Goes on from a step with another model, another argument or another result.
    pub(crate) fn fork(self, step: usize, change: &Change, model: ModelChoice) {
        let Some(entry) = self.entry_untracked() else { return };
        let Some(problem) = entry.problem.clone() else {
            self.session.notice.set(Some(
                "This page cannot score this trace's question, so the run cannot continue here."
                    .into(),
            ));
            return;
        };
        let start = match forked(&entry.trace, step, change) {
            Ok(start) => start,
            Err(message) => {
                self.session.notice.set(Some(message));
                return;
            }
        };
        let (system, told) = system_of(&start);
        let (from, number) = (entry.clone(), step + 1);
        let mut ask = match problem_run::ask(system, &problem, model) {
            Ok(ask) => ask,
            Err(message) => return self.session.notice.set(Some(message)),
        };
        ask.by_hand.resume = Some(start);
        let engine = engine_client::interactive();
        let origin = from.kept.map(|run| Origin { run, step: number });
        let keeping = Keeping { origin, ..Keeping::problem(&problem) };
        self.session.start_keeping(
            &engine,
            &ask,
            keeping,
            "The run continues…",
            move |happening| {
                if let Happening::Done(ended) = happening {
                    let (end, id) = (ended.end(), self.session.kept_as());
                    let record = records::record(&end, id.map_or_else(String::new, records::id_of));
                    let name = records::with_who(&end.title, &end.trace.model, end.system);
                    let name = format!("{name}, from step {number}");
                    let fork = self.open(record, name, Some(problem.clone()), id);
                    self.with_entry(fork, |e| e.origin = Some((from.id, number)));
                    self.seek(number);
                }
            },
        );
        if told.is_some() {
            self.session.notice.set(told);
        }
    }

    /// What is drawn at a step of a trace: the graph as it is there; at the answer, and for a run that
    /// builds none, the problem's graph with what the answer claims of it, or one claim of these.
    pub(crate) fn scene(entry: &Entry, cursor: usize, picked: Option<usize>) -> Scene {
        let judged = entry.judged.as_ref().filter(|_| entry.is_answer(cursor));
        let of_problem = entry.problem.as_ref().filter(|problem| {
            let is_asked = judged.is_some() || entry.graphs.whole().n_nodes() == 0;
            is_asked && draw::is_drawn_whole(&problem.graph)
        });
        if let Some(problem) = of_problem {
            let drawn = judged.map(|j| claimed::drawn(&j.claims, picked, Some(&j.judgement)));
            return marks::scene(problem, &drawn.unwrap_or_default());
        }
        let graph = entry.graphs.at(cursor);
        let marks = entry.graphs.marks(cursor);
        let whole = entry.graphs.whole();
        // Of a graph that grows beyond what is drawn no node has a place.
        if !draw::is_drawn_whole(whole) {
            let part = neighbourhood(&graph, &marks, None, MOST_AROUND);
            let places = draw::layout(&part, LayoutKind::Force, 1, &Places::default());
            return Scene::new(&part, &places, &marks);
        }
        let mut scene = Scene::new(&graph, &entry.places, &marks);
        // The view is that of everything that ever stands there, so that nothing jumps.
        scene.view = Scene::new(whole, &entry.places, &Marks::default()).view;
        scene
    }
}

/// The problem of a trace whose question the page can read.
pub(super) async fn problem_of(record: &Record) -> Option<ProblemView> {
    if record.input.trim().is_empty() || record.input.len() > LONGEST_QUESTION {
        return None;
    }
    let ask = ReadProblem::new(record.input.as_str());
    match engine_client::interactive().ask(ask).await {
        Ok(Exact(ReadReply::Problem(problem))) => Some(*problem),
        _ => None,
    }
}

/// A judgement with the claims of the answer; none where the engine gives none.
async fn judged(problem: &ProblemView, text: &str) -> Option<Judged> {
    let ask = VerifyAnswer { problem: Box::new(problem.clone()), text: text.to_owned() };
    let JudgedAnswer { judgement, .. } = engine_client::interactive().ask(ask).await.ok()?;
    let claims = claims_of(problem.clone(), text.to_owned()).await;
    Some(Judged { judgement, claims })
}

/// A name that any file system takes.
fn file_name(name: &str) -> String {
    let kept: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
        .take(60)
        .collect();
    let kept = kept.split('-').filter(|s| !s.is_empty()).collect::<Vec<_>>().join("-");
    if kept.is_empty() { "trace".into() } else { kept }
}
