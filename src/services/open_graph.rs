//! The knowledge graph that is open in the engine for knowledge graphs, and how names are compared
//! there: for all pages that use this engine.

use std::sync::Arc;

use leptos::prelude::*;
use protocol::kg::{KgSource, KgView};
use web_sys::File;

use super::similarity::SimilarityState;

/// What is open.
#[derive(Clone, Copy)]
pub(crate) struct OpenGraph {
    pub(crate) view: RwSignal<Option<Arc<KgView>>>,
    pub(crate) source: RwSignal<KgSource>,
    pub(crate) opening: RwSignal<bool>,
    pub(crate) similarity: SimilarityState,
    files: StoredValue<Vec<File>, LocalStorage>,
    /// Counts graphs that were opened.
    serial: StoredValue<u64>,
    /// Told before another engine takes the place of the one that holds the graph.
    before_replace: StoredValue<Option<Callback<()>>>,
}

impl OpenGraph {
    pub(crate) fn new() -> Self {
        Self {
            view: RwSignal::new(None),
            source: RwSignal::new(KgSource::Metro { n_lines: 8, seed: 1 }),
            opening: RwSignal::new(false),
            similarity: SimilarityState::new(),
            files: StoredValue::new_local(Vec::new()),
            serial: StoredValue::new(0),
            before_replace: StoredValue::new(None),
        }
    }

    /// The serial number of the open graph, its source, and the files that it was read from.
    pub(crate) fn opened(self) -> (u64, KgSource, Vec<File>) {
        (self.serial.get_value(), self.source.get_untracked(), self.files.get_value())
    }

    /// Another graph was opened.
    pub(crate) fn set(self, view: KgView, source: KgSource, files: Vec<File>) {
        self.serial.update_value(|n| *n += 1);
        self.files.set_value(files);
        self.view.set(Some(Arc::new(view)));
        self.source.set(source);
    }

    /// Has somebody told before another engine takes the place of the one that holds the graph.
    pub(crate) fn before_replace(self, tell: Callback<()>) {
        self.before_replace.set_value(Some(tell));
    }

    /// Another engine is about to take the place.
    pub(super) fn leave_engine(self) {
        if let Some(tell) = self.before_replace.get_value() {
            tell.run(());
        }
    }
}
