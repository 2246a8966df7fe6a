//! The page's side of an engine: starts its worker, sends requests, hands out events.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::rc::Rc;

use futures_channel::oneshot;
use js_sys::Reflect;
use leptos::prelude::set_timeout;
use llm::scrub::CleanParts;
use protocol::{Control, Envelope, FromWorker, NOT_LOADED, Service, ToWorker};
use trace::Step;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{AbortController, MessageEvent, Worker};

mod asked;
mod engines;
mod told;

pub(crate) use asked::Back;
pub(crate) use engines::{
    SPARQL_DEADLINE_S, Unanswered, ask_sparql, batch, bench, for_files, for_graph, for_whole,
    interactive, knowledge, rdf, replace_knowledge, toolformer, with_models,
};
pub(crate) use told::{Beside, Heard, NoReply, Wish};
use told::{Parcel, unread};

use super::version;
use super::worker::Bundle;
use crate::state::lost::{GONE, OUTDATED};
use messages::JsPayload;

/// Milliseconds after which a job that was told to stop and goes on loses its worker.
const GRACE_MS: u64 = 1000;

/// Keeps the steps that come, and puts them back into the reply that left them out.
fn keep_steps<S: Service>(heard: &mut Heard<S>, sent: &RefCell<Vec<Step>>) {
    match heard {
        Heard::Step(step) => sent.borrow_mut().push((**step).clone()),
        // The steps of the next run follow.
        Heard::Progress(done, _) if *done > 0 => _ = sent.take(),
        Heard::Done(reply) => S::take_steps(reply, sent.take()),
        _ => {}
    }
}

/// Why there is no engine, as far as the page can tell.
fn not_loaded() -> String {
    version::look();
    format!("{NOT_LOADED}; {}", super::screen::why_not_loaded())
}

type OnMessage = Rc<dyn Fn(FromWorker<JsPayload>)>;
type OnWish = Rc<dyn Fn(Wish)>;

struct Running {
    on_message: OnMessage,
    /// Receives what the job asks of its page.
    on_wish: Option<OnWish>,
    /// What the job has asked and is not answered, with what ends the work on it.
    asks: BTreeMap<u32, AbortController>,
    /// Takes the key out of what is shown of an answer while it comes.
    clean: Option<CleanParts>,
}

impl Running {
    /// Ends the work on everything that the job asked.
    fn give_up(&mut self) -> impl FnOnce() + use<> {
        let asks = std::mem::take(&mut self.asks);
        move || asks.values().for_each(AbortController::abort)
    }
}

struct Inner {
    bundle: Bundle,
    worker: RefCell<Option<Worker>>,
    ready: Cell<bool>,
    /// The name of the lock that the worker holds.
    lock: RefCell<Option<String>>,
    /// What waits for the worker to be there, and of which job it is.
    queue: RefCell<Vec<(u32, Parcel)>>,
    jobs: RefCell<BTreeMap<u32, Running>>,
    next: Cell<u32>,
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
    id: u32,
}

impl JobHandle {
    /// Lets the job's runs come to their end, and begins no further one.
    pub(crate) fn pause(&self) {
        self.client.control(self.id, Control::Pause);
    }

    /// Lets a job that pauses go on.
    pub(crate) fn resume(&self) {
        self.client.control(self.id, Control::Resume);
    }

    /// Corrects what a job that pauses has at hand.
    pub(crate) fn correct(&self, query: String) {
        self.client.control(self.id, Control::Correct { query });
    }

    /// Stops the job; the last that it tells is its reply with what there is, or that it was stopped.
    pub(crate) fn cancel(&self) {
        self.client.cancel(self.id);
    }
}

/// A reply to come.
pub(crate) struct Coming<S: Service>(oneshot::Receiver<Answer>, PhantomData<S>);

/// A reply with the steps that came before it.
type Answer = Result<(JsPayload, Vec<Step>), NoReply>;

impl<S: Service> Coming<S> {
    /// Waits for it.
    pub(crate) async fn wait(self) -> Result<S::Reply, NoReply> {
        let gone = || NoReply::Failed("the worker stopped before it answered".into());
        let (reply, steps) = self.0.await.unwrap_or_else(|_| Err(gone()))?;
        let mut reply =
            messages::read(reply.0).map_err(|error| NoReply::Failed(unread(S::NAME, &error)))?;
        S::take_steps(&mut reply, steps);
        Ok(reply)
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

    /// Starts a job; all that it tells comes to `on`, the last being `Done`, `Cancelled` or `Failed`.
    pub(crate) fn start<S: Service>(
        &self,
        ask: &S,
        beside: &Beside,
        on: impl Fn(Heard<S>) + 'static,
    ) -> JobHandle {
        let on = Rc::new(on);
        let on_wish = Rc::clone(&on);
        let on_wish: OnWish = Rc::new(move |wish| on_wish(Heard::Wish(wish)));
        let sent = RefCell::new(Vec::new());
        let on_message: OnMessage = Rc::new(move |message| {
            let Some(mut heard) = Heard::<S>::of(message) else { return };
            if S::SENDS_STEPS {
                keep_steps(&mut heard, &sent);
            }
            on(heard);
        });
        self.begin(S::NAME, messages::write(ask), beside, on_message, Some(on_wish))
    }

    /// The same without types, so that it is compiled once and not for each service.
    fn begin(
        &self,
        service: &str,
        ask: Result<JsValue, messages::Error>,
        beside: &Beside,
        on_message: OnMessage,
        on_wish: Option<OnWish>,
    ) -> JobHandle {
        let id = self.0.next.get();
        self.0.next.set(id + 1);
        let running = Running { on_message, on_wish, asks: BTreeMap::new(), clean: None };
        self.0.jobs.borrow_mut().insert(id, running);
        match ask {
            Ok(ask) => {
                let start = ToWorker::Start { service: service.to_owned(), ask: JsPayload(ask) };
                self.send(id, &start, beside);
            }
            Err(error) => self.refuse(id, &error),
        }
        JobHandle { client: self.clone(), id }
    }

    /// Asks, and waits for the reply.
    pub(crate) async fn ask<S: Service>(&self, ask: S) -> Result<S::Reply, String> {
        Ok(self.ask_with(&ask, &Beside::default(), |_, _| ()).await?)
    }

    /// The same with files or bytes beside the request; how far it is goes to `on_progress`.
    pub(crate) async fn ask_with<S: Service>(
        &self,
        ask: &S,
        beside: &Beside<'_>,
        on_progress: impl Fn(usize, usize) + 'static,
    ) -> Result<S::Reply, NoReply> {
        self.start_and_wait(ask, beside, on_progress, |_| ()).1.wait().await
    }

    /// Starts a job and gives it with its reply to come.
    pub(crate) fn start_and_wait<S: Service>(
        &self,
        ask: &S,
        beside: &Beside<'_>,
        on_progress: impl Fn(usize, usize) + 'static,
        on_event: impl Fn(S::Event) + 'static,
    ) -> (JobHandle, Coming<S>) {
        let on_event = move |event: JsPayload| match messages::read(event.0) {
            Ok(event) => on_event(event),
            Err(error) => {
                let words = format!("an event of {} cannot be read: {error}", S::NAME);
                web_sys::console::error_1(&words.into());
            }
        };
        let ask = messages::write(ask);
        let (on_progress, on_event) = (Box::new(on_progress), Box::new(on_event));
        let (job, reply) = self.begin_and_wait(S::NAME, ask, beside, on_progress, on_event);
        (job, Coming(reply, PhantomData))
    }

    /// The same without types, so that it is compiled once and not for each service.
    fn begin_and_wait(
        &self,
        service: &str,
        ask: Result<JsValue, messages::Error>,
        beside: &Beside,
        on_progress: Box<dyn Fn(usize, usize)>,
        on_event: Box<dyn Fn(JsPayload)>,
    ) -> (JobHandle, oneshot::Receiver<Answer>) {
        let (sender, receiver) = oneshot::channel();
        let sender = RefCell::new(Some(sender));
        let steps = RefCell::new(Vec::new());
        let on_message: OnMessage = Rc::new(move |message| {
            let reply = match message {
                FromWorker::Step { step } => return steps.borrow_mut().push(*step),
                FromWorker::Progress { done, total } if done > 0 => {
                    // The steps of the next run follow.
                    steps.take();
                    return on_progress(done, total);
                }
                FromWorker::Progress { done, total } => return on_progress(done, total),
                FromWorker::Event { event } => return on_event(event),
                FromWorker::Done { reply } => Ok((reply, steps.take())),
                FromWorker::Cancelled => Err(NoReply::Cancelled),
                FromWorker::Failed { message } => Err(NoReply::Failed(message)),
                _ => return,
            };
            if let Some(sender) = sender.borrow_mut().take() {
                let _ = sender.send(reply);
            }
        });
        (self.begin(service, ask, beside, on_message, None), receiver)
    }

    /// Tells a running job something.
    fn control(&self, job: u32, control: Control) {
        self.send(job, &ToWorker::Control(control), &Beside::default());
    }

    fn send(&self, job: u32, body: &ToWorker<JsPayload>, beside: &Beside) {
        match messages::write(&Envelope { job, body }) {
            Ok(message) => self.post(job, Parcel::new(&message, beside)),
            Err(error) => self.refuse(job, &error),
        }
    }

    /// Ends a job whose message has no form in JavaScript.
    fn refuse(&self, job: u32, error: &messages::Error) {
        let message = format!("internal error: a request cannot be written: {error}");
        let unsent = self.0.jobs.borrow_mut().remove(&job);
        if let Some(unsent) = unsent {
            (unsent.on_message)(FromWorker::Failed { message });
        }
    }

    fn post(&self, job: u32, parcel: Parcel) {
        self.wake();
        if self.0.ready.get()
            && let Some(worker) = self.0.worker.borrow().as_ref()
        {
            parcel.post(worker);
        } else {
            self.0.queue.borrow_mut().push((job, parcel));
        }
    }

    /// Starts the worker if none runs.
    pub(crate) fn wake(&self) {
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
            if client.0.epoch.get() == epoch {
                client.receive(event.data());
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

    fn receive(&self, message: JsValue) {
        let job = Reflect::get(&message, &"job".into()).ok().and_then(|j| j.as_f64());
        let Envelope { job, body } =
            match messages::read::<Envelope<FromWorker<JsPayload>>>(message) {
                Ok(envelope) => envelope,
                Err(error) => {
                    // Nobody may wait for a message that cannot be read.
                    let Some(job) = job else { return };
                    if job == 0.0 {
                        // What every version says as this one does: that is an older one's.
                        return self.outdate();
                    }
                    let message =
                        format!("internal error: the worker's message cannot be read ({error})");
                    Envelope { job: job as u32, body: FromWorker::Failed { message } }
                }
            };
        match body {
            FromWorker::Ready { version } if version != protocol::VERSION => self.outdate(),
            FromWorker::Ready { .. } => {
                self.0.ready.set(true);
                self.watch();
                for (_, parcel) in self.0.queue.take() {
                    if let Some(worker) = self.0.worker.borrow().as_ref() {
                        parcel.post(worker);
                    }
                }
            }
            FromWorker::Unloaded { message } => {
                web_sys::console::warn_1(&format!("no engine: {message}").into());
                self.lose(&not_loaded());
            }
            FromWorker::Panicked { message } => {
                self.lose(&format!("an internal error stopped the computation: {message}"));
            }
            FromWorker::Ask { ask, service, request } => {
                self.answer(job, ask, &service, &request);
            }
            FromWorker::Parts { parts } => {
                let mut jobs = self.0.jobs.borrow_mut();
                let Some(running) = jobs.get_mut(&job) else { return };
                let parts = match &mut running.clean {
                    Some(clean) => parts.into_iter().map(|part| clean.feed(part)).collect(),
                    None => parts,
                };
                let on_message = running.on_message.clone();
                drop(jobs);
                on_message(FromWorker::Parts { parts });
            }
            FromWorker::Unask { ask } => {
                if let Some(abort) = self.with_job(job, |job| job.asks.remove(&ask)).flatten() {
                    abort.abort();
                }
            }
            end @ (FromWorker::Done { .. } | FromWorker::Cancelled | FromWorker::Failed { .. }) => {
                if matches!(&end, FromWorker::Failed { message } if message.starts_with(NOT_LOADED))
                {
                    version::look();
                }
                let ended = self.0.jobs.borrow_mut().remove(&job);
                if let Some(mut ended) = ended {
                    ended.give_up()();
                    (ended.on_message)(end);
                }
            }
            message => {
                let on_message = self.0.jobs.borrow().get(&job).map(|j| j.on_message.clone());
                if let Some(on_message) = on_message {
                    on_message(message);
                }
            }
        }
    }

    /// Does something with what is known of a job; nothing of one that has ended.
    fn with_job<T>(&self, job: u32, with: impl FnOnce(&mut Running) -> T) -> Option<T> {
        self.0.jobs.borrow_mut().get_mut(&job).map(with)
    }

    fn cancel(&self, id: u32) {
        let Some(abort) = self.with_job(id, Running::give_up) else { return };
        abort();
        if !self.0.ready.get() {
            // The worker is still loading and never heard of the job.
            self.0.queue.borrow_mut().retain(|(job, _)| *job != id);
            let unheard = self.0.jobs.borrow_mut().remove(&id);
            if let Some(unheard) = unheard {
                (unheard.on_message)(FromWorker::Cancelled);
            }
            return;
        }
        self.control(id, Control::Cancel);
        let client = self.clone();
        set_timeout(
            move || {
                let stuck = client.0.jobs.borrow_mut().remove(&id);
                if let Some(stuck) = stuck {
                    client.lose("stopped together with another job of the same worker");
                    (stuck.on_message)(FromWorker::Cancelled);
                }
            },
            std::time::Duration::from_millis(GRACE_MS),
        );
    }

    /// Ends the worker at once, whatever it computes; the next request starts a new one.
    pub(crate) fn end(&self) {
        self.lose("stopped");
    }

    /// Ends a worker of another build.
    fn outdate(&self) {
        version::note_outdated();
        self.lose(OUTDATED);
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
        for mut running in jobs.into_values() {
            running.give_up()();
            (running.on_message)(FromWorker::Failed { message: message.to_owned() });
        }
    }
}
