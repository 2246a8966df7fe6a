//! The engines that the page has, and what each is for.

use std::cell::RefCell;

use graph::Graph;

use super::EngineClient;
use crate::services::worker::{self, Bundle};

/// Bytes of files from which threads gain more time than their engine takes to load
/// (`docs/measurements.md`, "Threads").
const LARGE_FILES: f64 = 64e6;

/// Nodes of a graph whose places threads find sooner than their engine loads.
const LARGE_GRAPH: usize = 10_000;

thread_local! {
    // The page's own: a signal's owner may be gone when an answer comes, the engines are not.
    static INTERACTIVE: EngineClient = EngineClient::new(Bundle::Core);
    static THREADS: EngineClient = EngineClient::new(Bundle::Threads);
    static BATCH: EngineClient = EngineClient::new(Bundle::Core);
    static LARGE_BATCH: EngineClient = EngineClient::new(Bundle::Threads);
    static BENCH: EngineClient = EngineClient::new(Bundle::Knowledge);
    static KNOWLEDGE: RefCell<EngineClient> = RefCell::new(EngineClient::new(Bundle::Knowledge));
    static RDF: EngineClient = EngineClient::new(Bundle::Rdf);
    static TOOLFORMER: EngineClient = EngineClient::new(Bundle::Toolformer);
}

/// The engine for runs and everything that a person waits for.
pub(crate) fn interactive() -> EngineClient {
    INTERACTIVE.with(Clone::clone)
}

/// The engine for what a person asks about a graph: of a large one it works with threads, where this
/// page may have them.
pub(crate) fn for_graph(graph: &Graph) -> EngineClient {
    if graph::threads::gain_on(graph.n_nodes(), graph.n_edges()) && worker::can_share() {
        THREADS.with(Clone::clone)
    } else {
        interactive()
    }
}

/// The engine for a graph of so many nodes as a whole, beside what a person asks of others: a large
/// one has threads, where this page may have them.
pub(crate) fn for_whole(n_nodes: usize) -> EngineClient {
    if n_nodes >= LARGE_GRAPH && worker::can_share() {
        LARGE_BATCH.with(Clone::clone)
    } else {
        batch()
    }
}

/// The engine for whole files of so many bytes in all: large ones have an engine with threads, where
/// this page may have them.
pub(crate) fn for_files(bytes: f64) -> EngineClient {
    if bytes >= LARGE_FILES && worker::can_share() {
        LARGE_BATCH.with(Clone::clone)
    } else {
        batch()
    }
}

/// The engine for whole files: runs and batches do not wait for each other.
pub(crate) fn batch() -> EngineClient {
    BATCH.with(Clone::clone)
}

/// The engine that holds the benchmark that is open.
pub(crate) fn bench() -> EngineClient {
    BENCH.with(Clone::clone)
}

/// The engine that holds the knowledge graph that is open.
pub(crate) fn knowledge() -> EngineClient {
    KNOWLEDGE.with_borrow(Clone::clone)
}

/// An engine with models, which is to take the place of [`knowledge`] once it has its model.
pub(crate) fn with_models() -> EngineClient {
    EngineClient::new(Bundle::Ml)
}

/// Puts another engine in the place of the one that holds the knowledge graph, which is ended.
pub(crate) fn replace_knowledge(by: EngineClient) {
    let before = KNOWLEDGE.replace(by);
    before.end();
}

/// The engine that answers SPARQL, beside the one that holds the knowledge graph: a query that takes
/// too long is stopped by ending it.
pub(crate) fn rdf() -> EngineClient {
    RDF.with(Clone::clone)
}

/// The engine that runs inline tool calls.
pub(crate) fn toolformer() -> EngineClient {
    TOOLFORMER.with(Clone::clone)
}
