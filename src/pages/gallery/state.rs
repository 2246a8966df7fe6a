//! What the gallery holds: the answers, which of them are shown, and the log that somebody dropped.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::answers::{CheckedAnswers, MAX_LOG_BYTES};
use web_sys::File;

use crate::services::files;
use crate::shell::Shell;
use crate::state::gallery::{self, GalleryFilter};
use crate::workbench::recorded::{self, Recorded};

/// A log that somebody dropped.
#[derive(Clone, PartialEq)]
pub(super) struct Log {
    pub(super) name: String,
    pub(super) found: Arc<CheckedAnswers>,
}

#[derive(Clone, Copy)]
pub(super) struct PageState {
    pub(super) shell: Shell,
    pub(super) recorded: Recorded,
    /// The log that is shown in the place of the recorded answers.
    pub(super) log: RwSignal<Option<Log>>,
    pub(super) filter: RwSignal<GalleryFilter>,
    /// How many cards are shown.
    pub(super) n_shown: RwSignal<usize>,
    pub(super) notice: RwSignal<Option<String>>,
    /// Counts logs, so that one that comes late is not shown.
    turn: StoredValue<u64>,
}

impl PageState {
    pub(super) fn new(shell: Shell) -> Self {
        Self {
            shell,
            recorded: Recorded::of(shell),
            log: RwSignal::new(None),
            filter: RwSignal::default(),
            n_shown: RwSignal::new(gallery::PAGE),
            notice: RwSignal::new(None),
            turn: StoredValue::new(0),
        }
    }

    /// The answers that are shown, before the filter.
    pub(super) fn answers(self) -> Option<Arc<CheckedAnswers>> {
        match self.log.get() {
            Some(log) => Some(log.found),
            None => self.recorded.found.get(),
        }
    }

    pub(super) fn set_filter(self, filter: GalleryFilter) {
        if self.filter.get_untracked() != filter {
            self.n_shown.set(gallery::PAGE);
            self.filter.set(filter);
        }
    }

    /// Shows the recorded answers again.
    pub(super) fn close_log(self) {
        self.turn.update_value(|t| *t += 1);
        self.log.set(None);
        self.notice.set(None);
        self.set_filter(GalleryFilter::default());
    }

    /// Reads a log; it goes to the engine of this page and nowhere else.
    pub(super) fn read(self, list: &[File]) {
        let Some(file) = list.first().cloned() else { return };
        self.turn.update_value(|t| *t += 1);
        let turn = self.turn.get_value();
        if file.size() > MAX_LOG_BYTES as f64 {
            self.notice.set(Some(format!(
                "{} has {:.0} MB; a log of answers may have at most {:.0} MB.",
                file.name(),
                file.size() / 1e6,
                MAX_LOG_BYTES as f64 / 1e6
            )));
            return;
        }
        spawn_local(async move {
            let found = match files::text(&file).await {
                Ok(text) => recorded::check(text).await,
                Err(message) => Err(message),
            };
            if self.turn.try_get_value() != Some(turn) {
                return;
            }
            match found {
                Ok(found) if found.n_read == 0 => {
                    let why = found.fault.unwrap_or_else(|| "it is empty".to_owned());
                    self.notice.set(Some(format!("{} has no answers: {why}.", file.name())));
                }
                Ok(found) => {
                    self.notice.set(None);
                    self.set_filter(GalleryFilter::default());
                    self.n_shown.set(gallery::PAGE);
                    self.log.set(Some(Log { name: file.name(), found: Arc::new(found) }));
                }
                Err(message) => self.notice.set(Some(message)),
            }
        });
    }
}
