//! The engine's way to an endpoint: the page sends the bytes, because keys never enter a worker and
//! the page's policy governs what it fetches.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use agent::{Sink, Transport};
use futures_channel::mpsc::UnboundedReceiver;
use futures_util::StreamExt as _;
use llm::{BoxFuture, ChatResponse, Endpoint, HttpRequest, HttpResponse, ModelError, Part, Watch};

use protocol::FromWorker;

use crate::context::Context;
use crate::fetches::Word;

/// Asks the page to send bytes.
pub(crate) struct PageTransport {
    context: Context,
}

impl PageTransport {
    pub(crate) fn new(context: &Context) -> Self {
        Self { context: context.clone() }
    }

    fn post(
        &self,
        endpoint: &Endpoint,
        request: HttpRequest,
        stream: bool,
    ) -> (u32, UnboundedReceiver<Word>) {
        let (fetch, words) = self.context.controls.fetches.begin();
        self.context.post(FromWorker::Fetch { fetch, endpoint: endpoint.clone(), request, stream });
        (fetch, words)
    }
}

impl Transport for PageTransport {
    fn send<'a>(
        &'a self,
        endpoint: &'a Endpoint,
        request: HttpRequest,
    ) -> BoxFuture<'a, Result<HttpResponse, ModelError>> {
        Box::pin(async move {
            let (_, mut words) = self.post(endpoint, request, false);
            while let Some(word) = words.next().await {
                if let Word::End(result) = word {
                    return result;
                }
            }
            Err(ModelError::Cancelled)
        })
    }

    fn stream<'a>(
        &'a self,
        endpoint: &'a Endpoint,
        request: HttpRequest,
        sink: &'a mut dyn Sink,
    ) -> BoxFuture<'a, Result<(), ModelError>> {
        Box::pin(async move {
            let (fetch, mut words) = self.post(endpoint, request, true);
            let mut has_begun = false;
            while let Some(word) = words.next().await {
                match word {
                    Word::Head(head) => {
                        has_begun = true;
                        sink.head(head);
                    }
                    Word::Text(text) => {
                        let wants_more = sink.bytes(text.as_bytes());
                        if !matches!(wants_more, Ok(true)) {
                            // What nobody reads need not come.
                            self.context.post(FromWorker::Unfetch { fetch });
                            return wants_more.map(drop);
                        }
                    }
                    Word::End(Ok(whole)) if !has_begun => {
                        sink.head(whole.head());
                        return sink.bytes(whole.body.as_bytes()).map(drop);
                    }
                    Word::End(result) => return result.map(drop),
                    Word::Clean(_) => {}
                }
            }
            Err(ModelError::Cancelled)
        })
    }

    fn clean<'a>(
        &'a self,
        endpoint: &'a Endpoint,
        outcome: Result<ChatResponse, ModelError>,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        Box::pin(async move {
            let (fetch, mut words) = self.context.controls.fetches.begin();
            let (endpoint, outcome) = (endpoint.clone(), Box::new(outcome));
            self.context.post(FromWorker::Clean { fetch, endpoint, outcome });
            match words.next().await {
                Some(Word::Clean(outcome)) => *outcome,
                _ => Err(ModelError::Cancelled),
            }
        })
    }

    fn salt(&self) -> u64 {
        self.context.host.now_ms().to_bits()
    }

    fn sleep(&self, ms: u64) -> BoxFuture<'static, ()> {
        self.context.host.sleep(ms)
    }
}

/// The least time between two messages with pieces, in milliseconds.
const PIECES_APART_MS: f64 = 50.0;

/// Tells the page what a model says while it says it, in messages that are not too many.
pub(crate) struct Watching(Rc<Held>);

struct Held {
    context: Context,
    parts: RefCell<Vec<Part>>,
    told_ms: Cell<f64>,
    /// Whether somebody will tell what is held back.
    will_tell: Cell<bool>,
}

impl Held {
    fn tell(&self) {
        let parts = self.parts.take();
        if !parts.is_empty() {
            self.told_ms.set(self.context.host.now_ms());
            self.context.post(FromWorker::Parts { parts });
        }
    }
}

impl Watching {
    pub(crate) fn new(context: &Context) -> Self {
        Self(Rc::new(Held {
            context: context.clone(),
            parts: RefCell::default(),
            told_ms: Cell::new(f64::NEG_INFINITY),
            will_tell: Cell::new(false),
        }))
    }

    /// A step came, which has in it whatever is held back.
    pub(crate) fn step(&self) {
        self.0.parts.borrow_mut().clear();
    }
}

impl Watch for Watching {
    fn part(&self, part: Part) {
        let held = &self.0;
        let is_retry = matches!(part, Part::Retry { .. });
        {
            let mut parts = held.parts.borrow_mut();
            let next = match parts.last_mut() {
                Some(last) => last.join(part),
                None => Some(part),
            };
            parts.extend(next);
        }
        let since_ms = held.context.host.now_ms() - held.told_ms.get();
        if is_retry || since_ms >= PIECES_APART_MS {
            held.tell();
        } else if !held.will_tell.replace(true) {
            // The model may pause now: what it has said is shown all the same.
            let held = Rc::clone(held);
            let host = held.context.host.clone();
            let wait_ms = PIECES_APART_MS as u64;
            host.clone().spawn(Box::pin(async move {
                host.sleep(wait_ms).await;
                held.will_tell.set(false);
                held.tell();
            }));
        }
    }
}
