//! A job's own view of the world. It lies under the services, and knows none of them.

use std::any::{Any, TypeId};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::rc::Rc;

use agent::Cancel;
use futures_channel::oneshot;
use llm::ModelError;
use protocol::{Envelope, FromWorker};
use serde::Serialize;

use crate::asks::Asks;
use crate::{Attachments, Host, Payload};

/// What a running job is told by the page.
#[derive(Clone, Default)]
pub(crate) struct Controls {
    pub(crate) cancel: Cancel,
    pub(crate) is_paused: Rc<Cell<bool>>,
    /// Queries that correct what a job that pauses has at hand.
    pub(crate) corrections: Rc<RefCell<VecDeque<String>>>,
    /// Whoever waits, while the job pauses, for a word of the page.
    pub(crate) woken: Rc<RefCell<Option<oneshot::Sender<()>>>>,
    /// What the page has not answered.
    pub(crate) asks: Asks,
}

/// What services keep between jobs: one value of each type, such as the graph that is open.
#[derive(Clone, Default)]
pub(crate) struct Kept(Rc<RefCell<BTreeMap<TypeId, Rc<dyn Any>>>>);

impl Kept {
    fn of<T: Default + 'static>(&self) -> Rc<RefCell<T>> {
        let mut all = self.0.borrow_mut();
        let found = all.entry(TypeId::of::<T>()).or_insert_with(|| Rc::<RefCell<T>>::default());
        // The key is the type, so the value is of it.
        Rc::clone(found).downcast().unwrap_or_default()
    }
}

/// A job's own view of the world.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) job: u32,
    pub(crate) host: Rc<dyn Host>,
    pub(crate) controls: Controls,
    /// Files and bytes that came with the request.
    pub(crate) attachments: Attachments,
    pub(crate) kept: Kept,
}

impl Context {
    /// Whether the job is to stop.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.controls.cancel.is_cancelled()
    }

    /// Whether the page wants no further run to begin.
    pub(crate) fn is_paused(&self) -> bool {
        self.controls.is_paused.get()
    }

    /// What a service keeps between jobs; made when it is first wanted.
    pub(crate) fn keep<T: Default + 'static>(&self) -> Rc<RefCell<T>> {
        self.kept.of()
    }

    pub(crate) fn post(&self, body: FromWorker<Payload>) {
        self.host.post(Envelope { job: self.job, body });
    }

    /// Tells an event of the job's service.
    pub(crate) fn tell<E: Serialize + 'static>(&self, event: E) {
        self.post(FromWorker::Event { event: Payload::new(event) });
    }

    /// Tells how far the job is, and lets other messages in.
    ///
    /// # Errors
    /// [`Ended::Cancelled`] if one of them stops it.
    pub(crate) async fn progress(&self, done: usize, total: usize) -> Result<(), Ended> {
        self.post(FromWorker::Progress { done, total });
        self.pause().await
    }

    /// Lets other messages in.
    ///
    /// # Errors
    /// [`Ended::Cancelled`] if one of them stops the job.
    pub(crate) async fn pause(&self) -> Result<(), Ended> {
        self.host.pause().await;
        if self.is_cancelled() { Err(Ended::Cancelled) } else { Ok(()) }
    }
}

/// Why a job has no reply.
#[derive(Debug, PartialEq)]
pub(crate) enum Ended {
    /// The page stopped it.
    Cancelled,
    /// It cannot be done; the words say why and what would be right.
    Failed(String),
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cancelled => f.write_str("the run was stopped"),
            Self::Failed(why) => f.write_str(why),
        }
    }
}

impl From<Ended> for String {
    fn from(ended: Ended) -> Self {
        ended.to_string()
    }
}

impl From<Ended> for ModelError {
    fn from(ended: Ended) -> Self {
        match ended {
            Ended::Cancelled => Self::Cancelled,
            Ended::Failed(reason) => Self::Local { reason },
        }
    }
}

impl From<String> for Ended {
    fn from(message: String) -> Self {
        Self::Failed(message)
    }
}

impl From<&str> for Ended {
    fn from(message: &str) -> Self {
        Self::Failed(message.to_owned())
    }
}
