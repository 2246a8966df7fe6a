//! The engine's way to an endpoint: the page sends the bytes, because keys never enter a worker and
//! the page's policy governs what it fetches.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use agent::{Sink, Transport};
use llm::{BoxFuture, ChatResponse, Endpoint, HttpRequest, HttpResponse, ModelError, Part, Watch};
use protocol::FromWorker;
use protocol::page::{Clean, Fetch, FetchPart};

use crate::asking::Answer;
use crate::context::Context;

/// Asks the page to send bytes.
pub(crate) struct PageTransport {
    context: Context,
}

impl PageTransport {
    pub(crate) fn new(context: &Context) -> Self {
        Self { context: context.clone() }
    }
}

impl Transport for PageTransport {
    fn send<'a>(
        &'a self,
        endpoint: &'a Endpoint,
        request: HttpRequest,
    ) -> BoxFuture<'a, Result<HttpResponse, ModelError>> {
        let endpoint = endpoint.clone();
        Box::pin(
            async move { self.context.ask(&Fetch { endpoint, request, streams: false }).await? },
        )
    }

    fn stream<'a>(
        &'a self,
        endpoint: &'a Endpoint,
        request: HttpRequest,
        sink: &'a mut dyn Sink,
    ) -> BoxFuture<'a, Result<(), ModelError>> {
        let endpoint = endpoint.clone();
        Box::pin(async move {
            let mut asking = self.context.begin(&Fetch { endpoint, request, streams: true });
            let mut has_begun = false;
            loop {
                match asking.next().await? {
                    Answer::Part(FetchPart::Head(head)) => {
                        has_begun = true;
                        sink.head(head);
                    }
                    Answer::Part(FetchPart::Text(text)) => {
                        let wants_more = sink.bytes(text.as_bytes());
                        if !matches!(wants_more, Ok(true)) {
                            // What nobody reads need not come: the page hears that nobody waits.
                            return wants_more.map(drop);
                        }
                    }
                    Answer::Reply(Ok(whole), _) if !has_begun => {
                        sink.head(whole.head());
                        return sink.bytes(whole.body.as_bytes()).map(drop);
                    }
                    Answer::Reply(result, _) => return result.map(drop),
                }
            }
        })
    }

    fn clean<'a>(
        &'a self,
        endpoint: &'a Endpoint,
        outcome: Result<ChatResponse, ModelError>,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        let endpoint = endpoint.clone();
        Box::pin(async move {
            // What had come of an answer is kept where the run is stopped.
            let asking = self.context.begin(&Clean { endpoint, outcome }).through_stop();
            asking.reply().await?.0
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
