//! What one page opens on another: a trace, a problem, files. Whatever is handed over waits here until
//! the page that takes it is shown, so that no page needs to know another.

use leptos::prelude::*;
use protocol::problem::ProblemView;
use tasks::TaskId;
use trace::Record;
use web_sys::File;

use super::trace_file::TraceFile;
use crate::routes::{go, href};
use crate::state::setup::ProblemSetup;

/// Where a problem is opened.
pub(crate) const PROBLEM: &str = "solve";
/// Where a problem is answered twice, without tools and with them.
pub(crate) const BOTH: &str = "compare";
/// Where files of problems are opened.
pub(crate) const FILES: &str = "dataset";
/// Where a function is described.
pub(crate) const FUNCTION: &str = "tools";
/// Where a trace is opened.
pub(crate) const TRACE: &str = "traces";
/// Where an endpoint is set up and checked.
pub(crate) const ENDPOINT: &str = "endpoints";

/// The address that describes a function.
pub(crate) fn function_href(name: &str) -> String {
    href(FUNCTION, &[("f", name)])
}

/// The address of a task's first problem.
pub(crate) fn task_href(task: TaskId) -> String {
    let keys = ProblemSetup { task, ..ProblemSetup::default() }.keys();
    let keys: Vec<(&str, &str)> = keys.iter().map(|(k, v)| (*k, v.as_str())).collect();
    href(PROBLEM, &keys)
}

/// A trace on its way to the page that shows it.
pub(crate) enum TraceToOpen {
    /// A record under a name, with its problem where it is about one of the page's, and the way back
    /// to where it was opened: words and an address.
    Record {
        record: Box<Record>,
        name: String,
        problem: Option<Box<ProblemView>>,
        back: Option<(String, String)>,
    },
    /// A file that was written of records.
    File(TraceFile),
}

/// What waits to be opened.
#[derive(Clone, Copy)]
pub(crate) struct Open {
    traces: RwSignal<Vec<TraceToOpen>, LocalStorage>,
    problem: RwSignal<Option<ProblemView>>,
    compared: RwSignal<Option<ProblemView>>,
    files: RwSignal<Vec<File>, LocalStorage>,
}

impl Open {
    pub(crate) fn new() -> Self {
        Self {
            traces: RwSignal::new_local(Vec::new()),
            problem: RwSignal::new(None),
            compared: RwSignal::new(None),
            files: RwSignal::new_local(Vec::new()),
        }
    }

    /// Opens a trace.
    pub(crate) fn trace(self, trace: TraceToOpen) {
        self.traces.update(|list| list.push(trace));
        go(&href(TRACE, &[]));
    }

    /// Opens a problem.
    pub(crate) fn problem(self, problem: ProblemView) {
        self.problem.set(Some(problem));
        go(&href(PROBLEM, &[]));
    }

    /// Opens a problem to have it answered without tools and with them.
    pub(crate) fn compared(self, problem: ProblemView) {
        self.compared.set(Some(problem));
        go(&href(BOTH, &[]));
    }

    /// Opens files of problems.
    pub(crate) fn files(self, list: Vec<File>) {
        self.files.update(|waiting| waiting.extend(list));
        go(&href(FILES, &[]));
    }

    /// Hands every trace that comes to the page that shows them, now and later.
    pub(crate) fn take_traces(self, take: impl Fn(TraceToOpen) + 'static) {
        Effect::new(move |_| {
            if self.traces.with(|list| !list.is_empty()) {
                let waiting = self.traces.try_update(std::mem::take).unwrap_or_default();
                waiting.into_iter().for_each(&take);
            }
        });
    }

    /// The problem that waits, which then waits no more.
    pub(crate) fn take_problem(self) -> Option<ProblemView> {
        self.problem.try_update_untracked(Option::take).flatten()
    }

    /// The problem that waits to be answered twice, which then waits no more.
    pub(crate) fn take_compared(self) -> Option<ProblemView> {
        self.compared.try_update_untracked(Option::take).flatten()
    }

    /// The files that wait, which then wait no more.
    pub(crate) fn take_files(self) -> Vec<File> {
        self.files.try_update_untracked(std::mem::take).unwrap_or_default()
    }
}
