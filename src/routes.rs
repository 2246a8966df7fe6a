//! The one list of pages, and addresses: `#/<page>?<readable keys>`; `state::fragment` reads them.

use std::collections::BTreeMap;

use leptos::ev;
use leptos::prelude::{RwSignal, Set, window, window_event_listener};

use crate::state::fragment::Fragment;

/// A page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Page {
    /// One problem, solved by a model, a function, or the solver.
    #[default]
    Solve,
    /// One problem, with and without tools, and every claim checked.
    Compare,
    /// Whole files of problems.
    Dataset,
    /// The function catalogue.
    Tools,
    /// Runs, step by step.
    Traces,
    /// The endpoint in use, its check, prices.
    Endpoints,
    /// Disaster response on a map.
    Rescue,
    /// Short guided pages for a class.
    Lessons,
    /// GraphRunner on a knowledge graph, beside its baselines.
    Kg,
    /// A family's graph, and requests to an assistant that need it.
    Family,
    /// Sentences with calls of graph tools in them.
    Toolformer,
    /// Benchmarks: made, added up, checked again.
    Bench,
}

/// A top entry with its pages.
pub(crate) struct Group {
    pub(crate) title: &'static str,
    pub(crate) pages: &'static [Page],
}

/// The top entries.
pub(crate) static GROUPS: &[Group] = &[
    Group { title: "Solve", pages: &[Page::Solve, Page::Compare, Page::Dataset] },
    Group { title: "Lessons", pages: &[Page::Lessons] },
    Group { title: "Rescue", pages: &[Page::Rescue] },
    Group { title: "Knowledge", pages: &[Page::Kg, Page::Family, Page::Toolformer] },
    Group { title: "Bench", pages: &[Page::Bench] },
    Group { title: "Library", pages: &[Page::Tools, Page::Traces, Page::Endpoints] },
];

impl Page {
    pub(crate) fn path(self) -> &'static str {
        match self {
            Self::Solve => "solve",
            Self::Compare => "compare",
            Self::Dataset => "dataset",
            Self::Tools => "tools",
            Self::Traces => "traces",
            Self::Endpoints => "endpoints",
            Self::Rescue => "rescue",
            Self::Lessons => "lessons",
            Self::Kg => "kg",
            Self::Family => "family",
            Self::Toolformer => "toolformer",
            Self::Bench => "bench",
        }
    }

    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Solve => "One problem",
            Self::Compare => "Compare",
            Self::Dataset => "Dataset",
            Self::Tools => "Tools",
            Self::Traces => "Traces",
            Self::Endpoints => "Endpoints",
            Self::Rescue => "Rescue",
            Self::Lessons => "Lessons",
            Self::Kg => "GraphRunner",
            Self::Family => "Family",
            Self::Toolformer => "Graph-ToolFormer",
            Self::Bench => "Bench",
        }
    }

    pub(crate) fn href(self) -> String {
        format!("#/{}", self.path())
    }
}

/// Where the page is: which page, and its readable keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Route {
    pub(crate) page: Page,
    pub(crate) keys: BTreeMap<String, String>,
}

impl Route {
    /// Reads an address; whatever cannot be read is left out.
    fn parse(hash: &str) -> Self {
        let Fragment { path, keys } = Fragment::parse(hash);
        let page = GROUPS
            .iter()
            .flat_map(|g| g.pages)
            .copied()
            .find(|p| p.path() == path)
            .unwrap_or_default();
        Self { page, keys }
    }

    /// The address of a page with keys.
    pub(crate) fn href(page: Page, keys: &[(&str, &str)]) -> String {
        let query: Vec<String> = keys
            .iter()
            .map(|(k, v)| format!("{k}={}", String::from(js_sys::encode_uri_component(v))))
            .collect();
        let mark = if query.is_empty() { "" } else { "?" };
        format!("{}{mark}{}", page.href(), query.join("&"))
    }
}

/// The address now.
pub(crate) fn current() -> Route {
    Route::parse(&window().location().hash().unwrap_or_default())
}

/// Follows the address.
pub(crate) fn follow(route: RwSignal<Route>) {
    let handle = window_event_listener(ev::hashchange, move |_| route.set(current()));
    // The listener lives as long as the page.
    std::mem::forget(handle);
}

/// Goes to an address.
pub(crate) fn go(href: &str) {
    let _ = window().location().set_hash(href);
}

/// Changes the address without a step in the history; in a frame it stays what the outer page set.
pub(crate) fn replace(href: &str) {
    if crate::services::embed::is_on() {
        return;
    }
    if let Ok(history) = window().history() {
        let _ = history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(href));
    }
}
