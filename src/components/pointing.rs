//! What a person points at: one pointer, so one state for all texts and drawings of the page.

use leptos::prelude::*;

use crate::state::pointing::EdgeEnds;

thread_local! {
    static AT: ArcRwSignal<Vec<EdgeEnds>> = ArcRwSignal::new(Vec::new());
}

/// Points at edges; at none where the pointer leaves.
pub(super) fn point_at(edges: Vec<EdgeEnds>) {
    let at = AT.with(Clone::clone);
    if at.with_untracked(|before| *before != edges) {
        at.set(edges);
    }
}

/// Whether one of these edges is pointed at.
pub(super) fn is_pointed_at(edges: &[EdgeEnds]) -> bool {
    AT.with(Clone::clone).with(|at| edges.iter().any(|edge| at.contains(edge)))
}
