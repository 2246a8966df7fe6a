//! The page's side of an engine: starts its worker, sends requests, hands out events.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use engine::message::{KgAsk, KgReply};
use engine::{Envelope, Event, Output, Request};
use futures_channel::oneshot;
use js_sys::{Array, ArrayBuffer, Object, Reflect};
use leptos::prelude::set_timeout;
use llm::scrub::CleanParts;
use llm::{Endpoint, HttpRequest, HttpResponse};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_futures::spawn_local;
use web_sys::{AbortController, File, MessageEvent, Worker};

use super::transport::{self, Piece};
use super::worker::Bundle;
use crate::state::lost::{GONE, NOT_LOADED};

/// Milliseconds after which a job that was told to stop and goes on loses its worker.
const GRACE_MS: u64 = 1000;

/// Why there is no engine, as far as the page can tell.
fn not_loaded() -> String {
    let is_online = leptos::prelude::window().navigator().on_line();
    let why = if is_online { "is the page's server there?" } else { "you are offline" };
    format!("{NOT_LOADED}; {why}")
}

type OnEvent = Rc<dyn Fn(Event)>;

/// The part of a message that says whose it is.
#[derive(serde::Deserialize)]
struct Unread {
    job: u64,
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
struct Parcel {
    message: JsValue,
    handed: Array,
}

impl Parcel {
    fn new(text: &str, beside: &Beside) -> Self {
        let handed: Array = beside.bytes.iter().map(|(_, buffer)| buffer).collect();
        if beside.files.is_empty() && beside.bytes.is_empty() {
            return Self { message: JsValue::from_str(text), handed };
        }
        let files: Array = beside.files.iter().collect();
        let pair =
            |(name, buffer): &(String, ArrayBuffer)| Array::of2(&JsValue::from_str(name), buffer);
        let bytes: Array = beside.bytes.iter().map(pair).collect();
        let object = Object::new();
        let _ = Reflect::set(&object, &"text".into(), &text.into());
        let _ = Reflect::set(&object, &"files".into(), &files);
        let _ = Reflect::set(&object, &"bytes".into(), &bytes);
        Self { message: object.into(), handed }
    }

    fn post(&self, worker: &Worker) {
        let _ = worker.post_message_with_transfer(&self.message, &self.handed);
    }
}

struct Running {
    on_event: OnEvent,
    /// The requests to an endpoint that are under way.
    fetches: BTreeMap<u64, AbortController>,
    /// Takes the key out of what is shown of an answer while it comes.
    clean: Option<CleanParts>,
}

impl Running {
    fn abort(&self) {
        self.fetches.values().for_each(AbortController::abort);
    }
}

struct Inner {
    bundle: Bundle,
    worker: RefCell<Option<Worker>>,
    ready: Cell<bool>,
    /// The name of the lock that the worker holds.
    lock: RefCell<Option<String>>,
    queue: RefCell<Vec<Parcel>>,
    jobs: RefCell<BTreeMap<u64, Running>>,
    next: Cell<u64>,
    /// Counts workers, so that the last words of one that was ended do not end its successor.
    epoch: Cell<u64>,
}

/// One engine in one worker. Clones share it.
#[derive(Clone)]
pub(crate) struct EngineClient(Rc<Inner>);

/// A job that runs.
#[derive(Clone)]
pub(crate) struct JobHandle {
    client: EngineClient,
    id: u64,
}

impl JobHandle {
    /// Answers in the model's place, where the job waits for a person.
    pub(crate) fn say(&self, message: llm::Message) {
        self.client.send(self.id, &Request::Said { message }, &Beside::default());
    }

    /// Lets the job's runs come to their end, and begins no further one.
    pub(crate) fn pause(&self) {
        self.client.send(self.id, &Request::Pause, &Beside::default());
    }

    /// Stops the job; its last event is `Done` with what there is, or `Cancelled`.
    pub(crate) fn cancel(&self) {
        self.client.cancel(self.id);
    }
}

thread_local! {
    // The page's own: a signal's owner may be gone when an answer comes, the engines are not.
    static INTERACTIVE: EngineClient = EngineClient::new(Bundle::Core);
    static BATCH: EngineClient = EngineClient::new(Bundle::Core);
    static BENCH: EngineClient = EngineClient::new(Bundle::Knowledge);
    static KNOWLEDGE: RefCell<EngineClient> = RefCell::new(EngineClient::new(Bundle::Knowledge));
    static RDF: EngineClient = EngineClient::new(Bundle::Rdf);
    static TOOLFORMER: EngineClient = EngineClient::new(Bundle::Toolformer);
}

/// The engine for runs and everything that a person waits for.
pub(crate) fn interactive() -> EngineClient {
    INTERACTIVE.with(Clone::clone)
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

/// The engine that runs calls in text.
pub(crate) fn toolformer() -> EngineClient {
    TOOLFORMER.with(Clone::clone)
}

/// Asks about knowledge graphs, with files beside it.
pub(crate) async fn ask_knowledge(ask: &KgAsk, files: &[File]) -> Result<KgReply, String> {
    let beside = Beside { files, ..Beside::default() };
    match knowledge().ask_with(&ask.request()?, &beside, |_, _| ()).await? {
        Output::Kg { reply } => KgReply::read(&reply),
        _ => Err("a fault of ours: the worker answered something else".into()),
    }
}

impl EngineClient {
    /// Which worker this is: another number says that what the one before held is gone.
    pub(crate) fn epoch(&self) -> u64 {
        self.0.epoch.get()
    }

    fn new(bundle: Bundle) -> Self {
        Self(Rc::new(Inner {
            bundle,
            worker: RefCell::new(None),
            ready: Cell::new(false),
            lock: RefCell::default(),
            queue: RefCell::default(),
            jobs: RefCell::default(),
            next: Cell::new(1),
            epoch: Cell::new(0),
        }))
    }

    /// Starts a job; every event of it comes to `on_event`, the last being `Done` or `Failed`.
    pub(crate) fn start(&self, request: &Request, on_event: impl Fn(Event) + 'static) -> JobHandle {
        self.start_with(request, &Beside::default(), on_event)
    }

    /// The same with files or bytes beside the request.
    pub(crate) fn start_with(
        &self,
        request: &Request,
        beside: &Beside,
        on_event: impl Fn(Event) + 'static,
    ) -> JobHandle {
        let id = self.0.next.get();
        self.0.next.set(id + 1);
        let handle = JobHandle { client: self.clone(), id };
        let on_event: OnEvent = Rc::new(on_event);
        let running = Running { on_event, fetches: BTreeMap::new(), clean: None };
        self.0.jobs.borrow_mut().insert(id, running);
        self.send(id, request, beside);
        handle
    }

    /// Starts a job and waits for its end.
    pub(crate) async fn ask(&self, request: Request) -> Result<Output, String> {
        self.ask_with(&request, &Beside::default(), |_, _| ()).await
    }

    /// The same with files or bytes beside the request; how far it is goes to `on_progress`.
    pub(crate) async fn ask_with(
        &self,
        request: &Request,
        beside: &Beside<'_>,
        on_progress: impl Fn(usize, usize) + 'static,
    ) -> Result<Output, String> {
        let (sender, receiver) = oneshot::channel();
        let sender = RefCell::new(Some(sender));
        self.start_with(request, beside, move |event| {
            let result = match event {
                Event::Done { output } => Ok(*output),
                Event::Failed { message } => Err(message),
                Event::Progress { done, total } => return on_progress(done, total),
                _ => return,
            };
            if let Some(sender) = sender.borrow_mut().take() {
                let _ = sender.send(result);
            }
        });
        receiver.await.unwrap_or_else(|_| Err("the worker stopped before it answered".into()))
    }

    fn send(&self, job: u64, request: &Request, beside: &Beside) {
        let envelope = Envelope { job, body: request };
        let Ok(text) = serde_json::to_string(&envelope) else { return };
        let parcel = Parcel::new(&text, beside);
        self.wake();
        if self.0.ready.get()
            && let Some(worker) = self.0.worker.borrow().as_ref()
        {
            parcel.post(worker);
        } else {
            self.0.queue.borrow_mut().push(parcel);
        }
    }

    /// Starts the worker if none runs.
    fn wake(&self) {
        if self.0.worker.borrow().is_some() {
            return;
        }
        let Ok((worker, lock)) = super::worker::start(self.0.bundle) else {
            self.lose("this browser cannot start a worker");
            return;
        };
        self.0.lock.replace(lock);
        let epoch = self.0.epoch.get() + 1;
        self.0.epoch.set(epoch);
        let client = self.clone();
        let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            if let Some(text) = event.data().as_string()
                && client.0.epoch.get() == epoch
            {
                client.receive(&text);
            }
        });
        let client = self.clone();
        let on_error = Closure::<dyn FnMut(web_sys::Event)>::new(move |event: web_sys::Event| {
            if client.0.epoch.get() != epoch {
                return;
            }
            // Where a script cannot be loaded, the event is none of an error and has no message.
            let said = Reflect::get(&event, &"message".into()).ok().and_then(|m| m.as_string());
            match said {
                _ if !client.0.ready.get() => client.lose(&not_loaded()),
                Some(said) => {
                    web_sys::console::warn_1(&format!("an engine broke: {said}").into());
                    client.lose(GONE);
                }
                None => client.lose(GONE),
            }
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        on_message.forget();
        on_error.forget();
        *self.0.worker.borrow_mut() = Some(worker);
    }

    /// Notices when the worker is gone, so that nobody waits for it for good.
    fn watch(&self) {
        let Some(lock) = self.0.lock.borrow().clone() else { return };
        let (client, epoch) = (self.clone(), self.0.epoch.get());
        super::worker::when_gone(&lock, move || {
            if client.0.epoch.get() == epoch {
                client.lose(GONE);
            }
        });
    }

    fn receive(&self, text: &str) {
        let Envelope { job, body } = match serde_json::from_str::<Envelope<Event>>(text) {
            Ok(envelope) => envelope,
            Err(error) => {
                // Nobody may wait for a message that cannot be read.
                let Ok(Unread { job }) = serde_json::from_str(text) else { return };
                let message =
                    format!("a fault of ours: the worker's answer cannot be read ({error})");
                Envelope { job, body: Event::Failed { message } }
            }
        };
        match body {
            Event::Ready => {
                self.0.ready.set(true);
                self.watch();
                for parcel in self.0.queue.take() {
                    if let Some(worker) = self.0.worker.borrow().as_ref() {
                        parcel.post(worker);
                    }
                }
            }
            Event::Unloaded { message } => {
                web_sys::console::warn_1(&format!("no engine: {message}").into());
                self.lose(&not_loaded());
            }
            Event::Panicked { message } => {
                self.lose(&format!("a fault of ours stopped the computation: {message}"));
            }
            Event::Fetch { fetch, endpoint, request, stream } => {
                self.fetch(job, fetch, endpoint, request, stream);
            }
            Event::Clean { fetch, endpoint, outcome } => {
                let outcome = Box::new(transport::scrub(&endpoint).outcome(*outcome));
                self.send(job, &Request::Cleaned { fetch, outcome }, &Beside::default());
            }
            Event::Parts { parts } => {
                let mut jobs = self.0.jobs.borrow_mut();
                let Some(running) = jobs.get_mut(&job) else { return };
                let parts = match &mut running.clean {
                    Some(clean) => parts.into_iter().map(|part| clean.feed(part)).collect(),
                    None => parts,
                };
                let on_event = running.on_event.clone();
                drop(jobs);
                on_event(Event::Parts { parts });
            }
            Event::Unfetch { fetch } => {
                let mut jobs = self.0.jobs.borrow_mut();
                let dropped = jobs.get_mut(&job).and_then(|j| j.fetches.remove(&fetch));
                drop(jobs);
                if let Some(abort) = dropped {
                    abort.abort();
                }
            }
            event @ (Event::Done { .. } | Event::Failed { .. }) => {
                let ended = self.0.jobs.borrow_mut().remove(&job);
                if let Some(ended) = ended {
                    (ended.on_event)(event);
                }
            }
            event => {
                let on_event = self.0.jobs.borrow().get(&job).map(|j| j.on_event.clone());
                if let Some(on_event) = on_event {
                    on_event(event);
                }
            }
        }
    }

    /// Sends what a worker asks for, and tells it what comes of it.
    fn fetch(&self, job: u64, fetch: u64, endpoint: Endpoint, request: HttpRequest, stream: bool) {
        let Ok(abort) = AbortController::new() else { return };
        {
            let mut jobs = self.0.jobs.borrow_mut();
            // A job that has ended meanwhile asks for nothing more.
            let Some(running) = jobs.get_mut(&job) else { return };
            running.fetches.insert(fetch, abort.clone());
            running.clean = Some(CleanParts::new(transport::scrub(&endpoint)));
        }
        let client = self.clone();
        spawn_local(async move {
            let result = if stream {
                let on_piece = |piece| {
                    let word = match piece {
                        Piece::Head(head) => Request::Head { fetch, head },
                        Piece::Text(text) => Request::Chunk { fetch, text },
                    };
                    client.send(job, &word, &Beside::default());
                };
                let ended = transport::stream(&endpoint, request, &abort, on_piece).await;
                ended.map(|()| HttpResponse::default())
            } else {
                transport::send(&endpoint, request, &abort).await
            };
            if let Some(running) = client.0.jobs.borrow_mut().get_mut(&job) {
                running.fetches.remove(&fetch);
            }
            client.send(job, &Request::Fetched { fetch, result }, &Beside::default());
        });
    }

    fn cancel(&self, id: u64) {
        let Some(()) = self.0.jobs.borrow().get(&id).map(Running::abort) else { return };
        self.send(id, &Request::Cancel, &Beside::default());
        let client = self.clone();
        set_timeout(
            move || {
                let stuck = client.0.jobs.borrow_mut().remove(&id);
                if let Some(stuck) = stuck {
                    client.lose("stopped together with another job of the same worker");
                    (stuck.on_event)(Event::Done { output: Box::new(Output::Cancelled) });
                }
            },
            std::time::Duration::from_millis(GRACE_MS),
        );
    }

    /// Ends the worker at once, whatever it computes; the next request starts a new one.
    pub(crate) fn end(&self) {
        self.lose("stopped");
    }

    /// Ends the worker and every job on it; the next request starts a new one.
    fn lose(&self, message: &str) {
        if let Some(worker) = self.0.worker.borrow_mut().take() {
            worker.terminate();
        }
        self.0.epoch.set(self.0.epoch.get() + 1);
        self.0.ready.set(false);
        self.0.queue.borrow_mut().clear();
        let jobs = self.0.jobs.take();
        for running in jobs.into_values() {
            running.abort();
            (running.on_event)(Event::Failed { message: message.to_owned() });
        }
    }
}
