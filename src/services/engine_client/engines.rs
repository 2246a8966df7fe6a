//! The engines that the page has, and what each is for.

use std::cell::RefCell;
use std::pin::pin;
use std::rc::Rc;

use futures_util::future::{Either, select};
use futures_util::lock::Mutex;
use graph::Graph;
use protocol::Service;
use protocol::exact::Exact;
use protocol::kgot::AnswerGraphQuestion;
use systems::kgot::{GraphAnswer, GraphQuestion, KgotLanguage};

use super::EngineClient;
use crate::services::transport::after;
use crate::services::worker::{self, Bundle};
use crate::state::lost::GONE;

/// Bytes of files from which threads gain more time than their engine takes to load
/// (`docs/measurements.md`, "Threads").
const LARGE_FILES: f64 = 64e6;

/// Nodes of a graph whose places threads find sooner than their engine loads.
const LARGE_GRAPH: usize = 10_000;

/// The longest that a query in SPARQL may take, in seconds.
pub(crate) const SPARQL_DEADLINE_S: u64 = 10;

thread_local! {
    // The page's own: a signal's owner may be gone when an answer comes, the engines are not.
    static INTERACTIVE: EngineClient = EngineClient::new(Bundle::Core);
    static THREADS: EngineClient = EngineClient::new(Bundle::Threads);
    static BATCH: EngineClient = EngineClient::new(Bundle::Core);
    static LARGE_BATCH: EngineClient = EngineClient::new(Bundle::Threads);
    static BENCH: EngineClient = EngineClient::new(Bundle::Knowledge);
    static KNOWLEDGE: RefCell<EngineClient> = RefCell::new(EngineClient::new(Bundle::Knowledge));
    static RDF: EngineClient = EngineClient::new(Bundle::Rdf);
    static QUERIES: EngineClient = EngineClient::new(Bundle::Rdf);
    // A query's time is its own: the next begins when it has ended.
    static ONE_QUERY: Rc<Mutex<()>> = Rc::default();
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

/// Why a query in SPARQL has no answer.
pub(crate) enum Unanswered {
    /// It took longer than [`SPARQL_DEADLINE_S`], and its engine was ended.
    Late,
    /// The engine broke over it.
    Gone,
    /// It could not be asked.
    Refused(String),
}

impl From<String> for Unanswered {
    fn from(message: String) -> Self {
        Self::Refused(message)
    }
}

/// Asks an engine that has SPARQL, and ends it where the answer takes too long.
pub(crate) async fn ask_sparql<S: Service>(
    engine: &EngineClient,
    ask: S,
) -> Result<S::Reply, Unanswered> {
    // What it takes to load the engine is no time of the query.
    let nothing = GraphQuestion::nothing(KgotLanguage::Sparql, "ASK {}");
    engine
        .ask(AnswerGraphQuestion { question: nothing })
        .await
        .map_err(|why| if why == GONE { Unanswered::Gone } else { Unanswered::Refused(why) })?;
    let epoch = engine.epoch();
    let end = after(SPARQL_DEADLINE_S * 1000);
    match select(pin!(engine.ask(ask)), pin!(end)).await {
        Either::Left((Ok(reply), _)) => Ok(reply),
        // The worker that was asked is no more: it broke, and said what it could.
        Either::Left((Err(_), _)) if engine.epoch() != epoch => Err(Unanswered::Gone),
        Either::Left((Err(message), _)) => Err(Unanswered::Refused(message)),
        Either::Right(_) => {
            // The engine computes and hears nothing: there is no other way to stop it.
            if engine.epoch() == epoch {
                engine.end();
            }
            Err(Unanswered::Late)
        }
    }
}

/// Answers a query in SPARQL on a graph that comes with it, in an engine of its own.
///
/// # Errors
/// The query fails, or takes too long or too much.
pub(super) async fn answer_query(question: GraphQuestion) -> Result<GraphAnswer, String> {
    let one = ONE_QUERY.with(Clone::clone);
    let _turn = one.lock().await;
    let engine = QUERIES.with(Clone::clone);
    match ask_sparql(&engine, AnswerGraphQuestion { question }).await {
        Ok(Exact(answer)) => Ok(answer),
        Err(Unanswered::Late) => Err(format!(
            "the query took longer than {SPARQL_DEADLINE_S} seconds and was stopped; join its patterns by common variables, or ask for less"
        )),
        Err(Unanswered::Gone) => Err("the query needed more memory than a page has, or was nested too deeply, and was stopped; ask for less".into()),
        Err(Unanswered::Refused(message)) => Err(message),
    }
}

/// The engine that runs inline tool calls.
pub(crate) fn toolformer() -> EngineClient {
    TOOLFORMER.with(Clone::clone)
}
