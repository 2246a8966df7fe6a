//! Messages about jobs, whatever service they are of.

use llm::{
    ChatResponse, Endpoint, HttpHead, HttpRequest, HttpResponse, Message, ModelError, Part,
    ToolSpec,
};
use serde::{Deserialize, Serialize};
use systems::kgot::{GraphAnswer, GraphQuestion, PythonFailure, PythonReply, PythonRequest};
use trace::Step;

/// A message about a job.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Envelope<T> {
    /// Which job; the page numbers them from 1. 0 is the worker itself.
    pub job: u32,
    /// The message.
    pub body: T,
}

/// What the page sends to a worker. `A` is a request as it crosses: a value of JavaScript in the
/// browser, JSON in tests.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToWorker<A> {
    /// Starts a job.
    Start {
        /// The [`Service::NAME`](crate::Service::NAME) of the request.
        service: String,
        /// The request.
        ask: A,
    },
    /// Something for a job that runs.
    Control(Control),
}

/// What a running job is told. One of a job that has ended is dropped.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Control {
    /// Stops the job; it ends with what there is.
    Cancel,
    /// Lets the job's runs come to their end, and begins no further one.
    Pause,
    /// Lets a job that pauses go on.
    Resume,
    /// A query that corrects what a job that pauses has at hand.
    Correct {
        /// The query.
        query: String,
    },
    /// What a person says in the model's place, after [`FromWorker::Person`].
    Say {
        /// The message.
        #[serde(with = "crate::exact")]
        message: Message,
    },
    /// The whole answer to a [`FromWorker::Fetch`], or the end of a streamed one with an empty body.
    Fetched {
        /// Which fetch.
        fetch: u32,
        /// What came of it.
        #[serde(with = "crate::exact")]
        result: Result<HttpResponse, ModelError>,
    },
    /// The head of a streamed answer to a [`FromWorker::Fetch`].
    Head {
        /// Which fetch.
        fetch: u32,
        /// The head.
        head: HttpHead,
    },
    /// More of a streamed answer.
    Chunk {
        /// Which fetch.
        fetch: u32,
        /// The text, cut between characters.
        text: String,
    },
    /// What came of a [`FromWorker::Python`].
    Ran {
        /// The number of the run, as the worker gave it.
        run: u32,
        /// What the code gave, or why it failed.
        #[serde(with = "crate::exact")]
        result: Result<PythonReply, PythonFailure>,
    },
    /// The answer to a [`FromWorker::Query`].
    Queried {
        /// The number of the query, as the worker gave it.
        query: u32,
        /// What it gave, or why it failed.
        #[serde(with = "crate::exact")]
        result: Result<GraphAnswer, String>,
    },
    /// The answer to a [`FromWorker::Weights`]: they lie beside the message, under the name
    /// [`OWN_WEIGHTS`](crate::runs::OWN_WEIGHTS).
    Weights {
        /// Why there are none, where there are none.
        fault: Option<String>,
    },
    /// What a [`FromWorker::Supply`] wanted is at hand, or cannot be had.
    Supplied {
        /// The number of the wish, as the worker gave it.
        supply: u32,
    },
    /// The answer to a [`FromWorker::Clean`].
    Cleaned {
        /// The fetch that the answer is to.
        fetch: u32,
        /// The same without the key.
        #[serde(with = "crate::exact")]
        outcome: Box<Result<ChatResponse, ModelError>>,
    },
}

/// What a worker tells the page. `P` is an event or a reply of a service as it crosses.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FromWorker<P> {
    /// The worker takes requests now; of job 0. Every version has it as it is here.
    Ready {
        /// The worker's [`VERSION`](crate::VERSION).
        version: String,
    },
    /// The worker could not load its engine; of job 0.
    Unloaded {
        /// What the browser says.
        message: String,
    },
    /// An internal error ended the worker; of job 0.
    Panicked {
        /// What the panic said.
        message: String,
    },
    /// A run took a step.
    Step {
        /// The step.
        #[serde(with = "crate::exact")]
        step: Box<Step>,
    },
    /// Pieces of the answer that a run's model is giving.
    Parts {
        /// In their order.
        parts: Vec<Part>,
    },
    /// The page is to let a person answer in the model's place, with [`Control::Say`].
    Person {
        /// What may be called.
        #[serde(with = "crate::exact")]
        tools: Vec<ToolSpec>,
    },
    /// How far a job is.
    Progress {
        /// So many things done.
        done: usize,
        /// Of so many; 0 where that is not known.
        total: usize,
    },
    /// The page is to send this and answer with [`Control::Fetched`]. Keys never enter a worker.
    Fetch {
        /// Which fetch, counted for each job.
        fetch: u32,
        /// Where; the page knows its key.
        #[serde(with = "crate::exact")]
        endpoint: Endpoint,
        /// The bytes.
        request: HttpRequest,
        /// Whether the answer is wanted as it comes, as [`Control::Head`] and [`Control::Chunk`].
        stream: bool,
    },
    /// Nobody waits for this fetch any more; the page may abort it.
    Unfetch {
        /// Which fetch.
        fetch: u32,
    },
    /// The page is to take the key of that endpoint out and answer with [`Control::Cleaned`]: it
    /// alone knows the key, and the worker alone has put the answer together.
    Clean {
        /// Which one; numbered with the fetches.
        fetch: u32,
        /// Where it came from.
        #[serde(with = "crate::exact")]
        endpoint: Endpoint,
        /// What came of a question.
        #[serde(with = "crate::exact")]
        outcome: Box<Result<ChatResponse, ModelError>>,
    },
    /// The page is to run this in its sandbox and answer with [`Control::Ran`].
    Python {
        /// Which run, counted for each job.
        run: u32,
        /// The code.
        #[serde(with = "crate::exact")]
        request: PythonRequest,
    },
    /// The page is to have an engine of its own answer this, and to send [`Control::Queried`].
    Query {
        /// Which query, counted for each job.
        query: u32,
        /// The graph and the query.
        #[serde(with = "crate::exact")]
        question: GraphQuestion,
    },
    /// The page is to send the weights of our own model, with [`Control::Weights`].
    Weights,
    /// The page is to open data, and a model for them, that a statement calls, if they lie beside it. It
    /// answers with [`Control::Supplied`] when they are at hand or cannot be had.
    Supply {
        /// Which wish, counted for each job.
        supply: u32,
        /// The data set.
        dataset: String,
        /// The model, if it is not at hand for that data set.
        model: Option<String>,
    },
    /// What the service tells on the way, its [`Service::Event`](crate::Service::Event).
    Event {
        /// The event.
        event: P,
    },
    /// The job is done, with its [`Service::Reply`](crate::Service::Reply).
    Done {
        /// The reply.
        reply: P,
    },
    /// The job was stopped and has no reply.
    Cancelled,
    /// The job cannot be done; the message says why and what would be right.
    Failed {
        /// The message.
        message: String,
    },
}
