//! Messages about jobs, whatever service they are of.

use llm::Part;
use serde::{Deserialize, Serialize};
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
    /// A part of the answer to a [`FromWorker::Ask`], before its reply.
    Part {
        /// Which question.
        ask: u32,
        /// A [`Service::Event`](crate::Service::Event) of what was asked, as JSON.
        part: String,
    },
    /// The answer to a [`FromWorker::Ask`]; its bytes may be attached to the message.
    Reply {
        /// Which question.
        ask: u32,
        /// The [`Service::Reply`](crate::Service::Reply) of what was asked, as JSON; or why there is
        /// none, in words.
        reply: Result<String, String>,
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
    /// How far a job is.
    Progress {
        /// So many things done.
        done: usize,
        /// Of so many; 0 where that is not known.
        total: usize,
    },
    /// The job asks the page something, and waits for its [`Control::Reply`].
    Ask {
        /// Which question, counted for each job.
        ask: u32,
        /// The [`Service::NAME`](crate::Service::NAME) of the request, one of [`page`](crate::page).
        service: String,
        /// The request, as JSON: nothing of it may change on the way.
        request: String,
    },
    /// Nobody waits for the answer any more.
    Unask {
        /// Which question.
        ask: u32,
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
