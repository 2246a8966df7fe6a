//! The runs that this browser keeps, for all pages that make or show them.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::storage::NotKept;
use super::{embed, storage};
use crate::state::notes::Notes;
use crate::state::stored::{RunSummary, StoredRun};

/// The list of what is kept.
#[derive(Clone, Copy)]
pub(crate) struct KeptRuns {
    pub(crate) list: RwSignal<Vec<RunSummary>>,
    /// Why one could not be kept or deleted.
    pub(crate) fault: RwSignal<Option<String>>,
}

impl KeptRuns {
    pub(crate) fn new() -> Self {
        let kept = Self { list: RwSignal::default(), fault: RwSignal::new(None) };
        kept.refresh();
        kept
    }

    /// Looks up what is kept.
    pub(crate) fn refresh(self) {
        spawn_local(async move {
            if let Ok(list) = storage::run_summaries().await {
                self.list.set(list);
            }
        });
    }

    /// Keeps a run; a frame keeps nothing.
    pub(crate) fn keep(self, stored: StoredRun) {
        if embed::is_on() {
            return;
        }
        spawn_local(async move {
            if let Err(why) = storage::save_run(&stored).await {
                self.fault.set(Some(match why {
                    NotKept::GivenUp(why) => format!(
                        "{why}: this run is not kept. Save its trace, or delete kept runs to make room."
                    ),
                    NotKept::NoStore(message) => message,
                }));
            }
            self.refresh();
        });
    }

    /// Keeps what a person wrote about a run.
    pub(crate) fn note(self, id: f64, notes: Notes) {
        spawn_local(async move {
            match storage::load_run(id).await {
                Ok(stored) => {
                    if let Err(why) = storage::save_run(&stored.with_notes(notes)).await {
                        self.fault.set(Some(why.into()));
                    }
                }
                Err(message) => self.fault.set(Some(message)),
            }
            self.refresh();
        });
    }

    /// Forgets a run.
    pub(crate) fn delete(self, id: f64) {
        spawn_local(async move {
            if let Err(why) = storage::delete_run(id).await {
                self.fault.set(Some(why.into()));
            }
            self.refresh();
        });
    }
}
