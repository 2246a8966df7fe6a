//! The runs that this browser keeps, for all pages that make or show them.

use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::run_end::RunEnd;

use super::storage::NotKept;
use super::{embed, storage};
use crate::state::notes::Notes;
use crate::state::stored::{Keeping, RunSummary, StoredRun};

/// The list of what is kept.
#[derive(Clone, Copy)]
pub(crate) struct KeptRuns {
    pub(crate) list: RwSignal<Vec<RunSummary>>,
    /// Why one could not be deleted, or what a person wrote about one not be kept.
    pub(crate) fault: RwSignal<Option<String>>,
    /// The key of the last one.
    last: StoredValue<f64>,
}

impl KeptRuns {
    pub(crate) fn new() -> Self {
        let (list, fault) = (RwSignal::default(), RwSignal::new(None));
        let kept = Self { list, fault, last: StoredValue::new(0.0) };
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

    /// Keeps a run that ended, and gives its key; where it cannot be kept, the notice says why. A frame
    /// keeps nothing.
    pub(crate) fn keep(
        self,
        end: &RunEnd,
        keeping: Keeping,
        notice: RwSignal<Option<String>>,
    ) -> f64 {
        let fresh = self.fresh();
        let id = keeping.replaces.unwrap_or(fresh);
        if embed::is_on() {
            return id;
        }
        let stored = StoredRun::new(id, end, keeping);
        spawn_local(async move {
            if let Err(why) = storage::save_run(&stored).await {
                notice.set(Some(match why {
                    NotKept::GivenUp(why) => format!(
                        "{why}: this run is not kept. Save its trace, or delete kept runs to make room."
                    ),
                    NotKept::NoStore(message) => message,
                }));
            }
            self.refresh();
        });
        id
    }

    /// A key that no run has: two may end within a millisecond.
    pub(crate) fn fresh(self) -> f64 {
        let fresh = js_sys::Date::now().max(self.last.get_value() + 1.0);
        self.last.set_value(fresh);
        fresh
    }

    /// Keeps traces that were opened, and says whether that worked.
    pub(crate) async fn keep_opened(self, stored: Vec<StoredRun>) -> bool {
        let saved = storage::save_runs(&stored).await;
        let is_kept = saved.is_ok();
        if let Err(why) = saved {
            self.fault.set(Some(why.into()));
        }
        self.refresh();
        is_kept
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
