//! What the Dataset page holds.

use std::collections::BTreeMap;

use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::problem::{
    CheckFiles, CheckedFiles, FileReport, SampleAnswers, SampleQuestions, WarmUp,
};
use tasks::TaskId;
use tasks::dataset::{CheckedRow, LevelReport, RuleCounts};
use web_sys::File;

use crate::services::engine_client::{self, Beside, EngineClient, JobHandle};
use crate::services::files;
use crate::workbench::session::{Happening, RunSession};

/// A task and a difficulty, as the files name them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Level {
    pub(crate) task: String,
    pub(crate) difficulty: String,
}

/// A line of the table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) task: String,
    pub(crate) title: String,
    pub(crate) difficulty: String,
    pub(crate) report: LevelReport,
}

/// The state of the page; it outlives a visit to another page.
#[derive(Clone, Copy)]
pub(crate) struct PageState {
    pub(crate) session: RunSession,
    pub(crate) files: RwSignal<Vec<FileReport>>,
    pub(crate) progress: RwSignal<Option<(usize, usize)>>,
    /// Questions, milliseconds, threads.
    pub(crate) took: RwSignal<Option<(usize, f64, usize)>>,
    pub(crate) picked: RwSignal<Option<Level>>,
    /// Whether what is shown are questions of ours, which nobody asked for.
    pub(crate) are_samples: RwSignal<bool>,
    /// The engine that is warming up, or did.
    warming: StoredValue<Option<JobHandle>, LocalStorage>,
    /// The engine that holds the files.
    pub(crate) engine: StoredValue<EngineClient, LocalStorage>,
}

/// Milliseconds for which the engine of files checks problems of its own before files come.
const WARM_MS: f64 = 1_500.0;

impl PageState {
    pub(crate) fn new() -> Self {
        Self {
            session: RunSession::new(),
            files: RwSignal::default(),
            progress: RwSignal::new(None),
            took: RwSignal::new(None),
            picked: RwSignal::new(None),
            are_samples: RwSignal::new(false),
            warming: StoredValue::new_local(None),
            engine: StoredValue::new_local(engine_client::batch()),
        }
    }

    /// Lets the browser compile well what files will need, once, as long as there are none of a person's.
    fn warm_up(self) {
        if self.warming.with_value(Option::is_some) || self.session.is_busy_untracked() {
            return;
        }
        let ask = WarmUp { ms: WARM_MS };
        let (job, _) =
            engine_client::batch().start_and_wait(&ask, &Beside::default(), |_, _| (), |_| ());
        self.warming.set_value(Some(job));
    }

    /// Checks files of a person's in place of those before.
    pub(crate) fn check(self, list: &[File]) {
        self.check_as(list, false);
    }

    fn check_as(self, list: &[File], are_samples: bool) {
        if list.is_empty() {
            return;
        }
        if let Some(problem) = list.iter().find_map(files::too_large) {
            self.session.notice.set(Some(problem));
            return;
        }
        self.are_samples.set(are_samples);
        self.files.set(Vec::new());
        self.took.set(None);
        self.picked.set(None);
        self.warming.with_value(|job| job.as_ref().map(JobHandle::cancel));
        let beside = Beside { files: list, ..Beside::default() };
        let engine = engine_client::for_files(list.iter().map(|file| file.size()).sum());
        self.engine.set_value(engine.clone());
        self.session.start_with(&engine, &CheckFiles {}, &beside, "check", move |happening| {
            match happening {
                Happening::Progress(done, total) => self.progress.set(Some((done, total))),
                Happening::Event(report) => self.files.update(|f| f.push(report)),
                Happening::Done(CheckedFiles { n_questions, took_ms, n_threads }) => {
                    self.progress.set(None);
                    self.took.set(Some((n_questions, took_ms, n_threads)));
                    if are_samples {
                        self.warm_up();
                    }
                }
                Happening::Cancelled => {
                    self.progress.set(None);
                    let words = "Stopped; what was checked so far stands.";
                    self.session.notice.set(Some(words.into()));
                }
                Happening::Failed(_) => self.progress.set(None),
                Happening::Step(_) | Happening::Supply(..) => {}
            }
        });
        self.progress.set(Some((0, 0)));
    }

    /// Checks a file of samples, made here, where there is nothing else yet.
    pub(crate) async fn show_samples(self) {
        let has_others = move || {
            self.files.try_with_untracked(Vec::is_empty) != Some(true)
                || self.session.is_busy_untracked()
        };
        if has_others() {
            return;
        }
        let made = engine_client::batch().ask(SampleQuestions { seed: 1 }).await;
        let file = made.and_then(|text| files::of_text("24-sample-questions.json", &text));
        match file {
            _ if has_others() => {}
            Ok(file) => self.check_as(&[file], true),
            Err(message) => self.session.notice.set(Some(message)),
        }
    }

    /// Checks a file of answers, made here.
    pub(crate) fn check_answers(self) {
        spawn_local(async move {
            let made = engine_client::batch().ask(SampleAnswers { seed: 1 }).await;
            let file = made.and_then(|text| files::of_text("30-sample-answers.json", &text));
            match file {
                Ok(file) => self.check(&[file]),
                Err(message) => self.session.notice.set(Some(message)),
            }
        });
    }

    /// Whether a file had logged answers.
    pub(crate) fn has_answers(self) -> bool {
        let has = |f: &FileReport| f.report.as_ref().is_ok_and(|report| !report.rules.is_empty());
        self.files.with(|files| files.iter().any(has))
    }

    /// What both rules say of logged answers, task by task.
    pub(crate) fn rules(self) -> Vec<(String, RuleCounts)> {
        let mut all: BTreeMap<String, RuleCounts> = BTreeMap::new();
        self.files.with(|files| {
            for report in files.iter().filter_map(|f| f.report.as_ref().ok()) {
                for (task, counts) in &report.rules {
                    all.entry(task.clone()).or_default().absorb(counts);
                }
            }
        });
        let place = |task: &str| {
            let id = TaskId::from_name(task);
            id.and_then(|t| TaskId::ALL.iter().position(|a| *a == t)).unwrap_or(usize::MAX)
        };
        let mut list: Vec<(String, RuleCounts)> = all.into_iter().collect();
        list.sort_by_key(|(task, _)| place(task));
        list
    }

    /// The table: tasks in the benchmark's order, levels from easy to hard, unknown ones last.
    pub(crate) fn lines(self) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        self.files.with(|files| {
            for report in files.iter().filter_map(|f| f.report.as_ref().ok()) {
                for (task, of_task) in &report.tasks {
                    for (difficulty, level) in &of_task.difficulties {
                        let known = lines
                            .iter_mut()
                            .find(|l| l.task == *task && l.difficulty == *difficulty);
                        if let Some(line) = known {
                            line.report.absorb(level);
                            continue;
                        }
                        lines.push(Line {
                            task: task.clone(),
                            title: TaskId::from_name(task).map_or_else(
                                || "Not recognised".to_owned(),
                                |t| t.title().to_owned(),
                            ),
                            difficulty: difficulty.clone(),
                            report: level.clone(),
                        });
                    }
                }
            }
        });
        lines.sort_by_key(|l| {
            let task = TaskId::from_name(&l.task)
                .and_then(|t| TaskId::ALL.iter().position(|a| *a == t))
                .unwrap_or(usize::MAX);
            let level = ["easy", "medium", "hard"].iter().position(|d| *d == l.difficulty);
            (task, level.unwrap_or(usize::MAX))
        });
        lines
    }

    /// The problems of a level: which file, and the row.
    pub(crate) fn rows(self, level: &Level) -> Vec<(usize, CheckedRow)> {
        self.files.with(|files| {
            let mut rows = Vec::new();
            for (i, file) in files.iter().enumerate() {
                let Ok(report) = &file.report else { continue };
                rows.extend(
                    report
                        .rows
                        .iter()
                        .filter(|r| {
                            r.task.map_or("unknown", TaskId::as_str) == level.task
                                && r.difficulty.map_or("unknown", |d| d.as_str())
                                    == level.difficulty
                        })
                        .map(|r| (i, r.clone())),
                );
            }
            // What failed stands first.
            rows.sort_by_key(|(_, r)| r.failures.is_empty());
            rows
        })
    }
}
