//! What goes to an engine beside a request, and what its job tells.

use js_sys::{Array, ArrayBuffer, Object, Reflect};
use llm::Part;
use messages::JsPayload;
use protocol::page::{AskPerson, SupplyData};
use protocol::{FromWorker, Service};
use trace::Step;
use wasm_bindgen::JsValue;
use web_sys::{File, Worker};

use super::Back;

/// What a job of a service tells.
pub(crate) enum Heard<S: Service> {
    /// A run took a step.
    Step(Box<Step>),
    /// Pieces of the answer that a run's model is giving.
    Parts(Vec<Part>),
    /// So many things are done, of so many; 0 where that is not known.
    Progress(usize, usize),
    /// It asks something that the page is to answer.
    Wish(Wish),
    /// What the service tells on the way.
    Event(S::Event),
    /// The job is done.
    Done(S::Reply),
    /// It was stopped and has no reply.
    Cancelled,
    /// It could not be done; the words say why and what would be right.
    Failed(String),
}

impl<S: Service> Heard<S> {
    /// What a message says; the page's own business with the worker is none of the job's.
    pub(super) fn of(message: FromWorker<JsPayload>) -> Option<Self> {
        let failed = |error| Self::Failed(unread(S::NAME, &error));
        Some(match message {
            FromWorker::Step { step } => Self::Step(step),
            FromWorker::Parts { parts } => Self::Parts(parts),
            FromWorker::Progress { done, total } => Self::Progress(done, total),
            FromWorker::Event { event } => messages::read(event.0).map_or_else(failed, Self::Event),
            FromWorker::Done { reply } => messages::read(reply.0).map_or_else(failed, Self::Done),
            FromWorker::Cancelled => Self::Cancelled,
            FromWorker::Failed { message } => Self::Failed(message),
            _ => return None,
        })
    }
}

/// What a job asks of its page, with a way to answer.
pub(crate) enum Wish {
    /// A person is to answer in the model's place.
    Person(AskPerson, Back<AskPerson>),
    /// A statement calls data, and perhaps a model for them, that may be next to the page.
    Supply(SupplyData, Back<SupplyData>),
}

/// Why a request has no reply.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum NoReply {
    /// It was stopped.
    Cancelled,
    /// It cannot be answered; the words say why and what would be right.
    Failed(String),
}

impl From<NoReply> for String {
    fn from(why: NoReply) -> Self {
        match why {
            NoReply::Cancelled => "stopped".into(),
            NoReply::Failed(message) => message,
        }
    }
}

/// What goes to the worker beside a request.
#[derive(Default)]
pub(crate) struct Beside<'a> {
    /// Files, whose text the worker reads.
    pub(crate) files: &'a [File],
    /// Named bytes. They are handed over and not copied: here the buffers are empty afterwards.
    pub(crate) bytes: Vec<(String, ArrayBuffer)>,
}

/// A message with the buffers that it hands over.
pub(super) struct Parcel {
    message: JsValue,
    handed: Array,
}

impl Parcel {
    pub(super) fn new(message: &JsValue, beside: &Beside) -> Self {
        let handed: Array = beside.bytes.iter().map(|(_, buffer)| buffer).collect();
        let object = Object::new();
        let _ = Reflect::set(&object, &"message".into(), message);
        if !beside.files.is_empty() {
            let files: Array = beside.files.iter().collect();
            let _ = Reflect::set(&object, &"files".into(), &files);
        }
        if !beside.bytes.is_empty() {
            let pair = |(name, buffer): &(String, ArrayBuffer)| {
                Array::of2(&JsValue::from_str(name), buffer)
            };
            let bytes: Array = beside.bytes.iter().map(pair).collect();
            let _ = Reflect::set(&object, &"bytes".into(), &bytes);
        }
        Self { message: object.into(), handed }
    }

    pub(super) fn post(&self, worker: &Worker) {
        let _ = worker.post_message_with_transfer(&self.message, &self.handed);
    }
}

/// Page and worker are of one build, so this is ours alone.
pub(super) fn unread(service: &str, error: &messages::Error) -> String {
    format!("internal error: what {service} gave cannot be read: {error}")
}
