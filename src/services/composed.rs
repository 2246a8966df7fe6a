//! The composed functions that this browser keeps, for all pages that offer them to a model.

use graph::composed::{MAX_COMPOSED, Proposal};
use leptos::prelude::*;
use systems::grounded::{Composing, accepted};
use trace::Trace;

use super::storage;

/// Where they are kept.
const KEPT: &str = "graphground.composed";
/// Where it is kept whether models may propose more.
const MAY_PROPOSE: &str = "graphground.may-propose";
/// Where it is kept whether models get them.
const ARE_OFFERED: &str = "graphground.composed-offered";

/// What is kept.
#[derive(Clone, Copy)]
pub(crate) struct ComposedFunctions {
    pub(crate) list: RwSignal<Vec<Proposal>>,
    pub(crate) may_propose: RwSignal<bool>,
    /// Whether those that are kept are offered to models.
    pub(crate) are_offered: RwSignal<bool>,
    /// What models proposed since the page was opened, and nobody has kept.
    pub(crate) found: RwSignal<Vec<Proposal>>,
}

impl ComposedFunctions {
    pub(crate) fn new() -> Self {
        Self {
            list: RwSignal::new(storage::recall(KEPT).unwrap_or_default()),
            may_propose: RwSignal::new(storage::recall(MAY_PROPOSE).unwrap_or_default()),
            are_offered: RwSignal::new(storage::recall(ARE_OFFERED).unwrap_or_default()),
            found: RwSignal::default(),
        }
    }

    /// What a run is told.
    pub(crate) fn composing(self) -> Composing {
        Composing {
            functions: match self.are_offered.get_untracked() {
                true => self.list.get_untracked(),
                false => Vec::new(),
            },
            may_propose: self.may_propose.get_untracked(),
        }
    }

    /// Whether models may propose functions from now on.
    pub(crate) fn allow(self, may: bool) {
        self.may_propose.set(may);
        storage::remember(MAY_PROPOSE, &may);
    }

    /// Whether those that are kept are offered from now on.
    pub(crate) fn offer(self, on: bool) {
        self.are_offered.set(on);
        storage::remember(ARE_OFFERED, &on);
    }

    /// Keeps a function that was accepted, in the place of one of its name. Whether there was room.
    pub(crate) fn keep(self, proposal: Proposal) -> bool {
        self.dismiss(&proposal.name);
        let is_kept = self.list.try_update(|list| {
            list.retain(|known| known.name != proposal.name);
            let has_room = list.len() < MAX_COMPOSED;
            if has_room {
                list.push(proposal);
            }
            has_room
        });
        self.save();
        is_kept.unwrap_or_default()
    }

    /// Takes note of what was accepted in a run, for the person to keep or to let go: what a model wrote
    /// is in no later run unless somebody wants it there.
    pub(crate) fn note(self, trace: &Trace) {
        let new = accepted(trace);
        self.found.update(|found| {
            found.retain(|known| new.iter().all(|p| p.name != known.name));
            found.extend(new);
        });
    }

    /// Lets go of what a model proposed.
    pub(crate) fn dismiss(self, name: &str) {
        self.found.update(|found| found.retain(|known| known.name != name));
    }

    pub(crate) fn delete(self, name: &str) {
        self.list.update(|list| list.retain(|known| known.name != name));
        self.save();
    }

    fn save(self) {
        self.list.with_untracked(|list| storage::remember(KEPT, list));
    }
}
