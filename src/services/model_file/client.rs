//! Messages to the worker, and what it answers.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use futures_channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use futures_util::StreamExt as _;
use js_sys::{Array, Object, Reflect, Uint8Array};
use leptos::prelude::{set_timeout, window};
use llm::ModelError;
use modelfiles::{FromModel, KeptFile, Speed, ToModel};
use serde::Deserialize;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_futures::spawn_local;
use web_sys::{AbortController, File, MessageEvent, Worker};

use super::{Answering, Doing, tell};
use crate::services::{screen, storage, version, worker};
use crate::state::lost::LostModel;
use crate::state::model_file::{loading, reading};

/// Where the browser keeps how fast each model was.
const SPEEDS: &str = "graphground.model-speeds";
/// Milliseconds after which a worker that has not answered a stop is ended.
const GRACE_MS: u64 = 1000;

/// What comes of something done with files.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Outcome {
    /// The files that are there now; none where nobody could tell.
    pub(crate) files: Option<Vec<KeptFile>>,
    /// Why it was not done.
    pub(crate) fault: Option<String>,
    /// What a person should know.
    pub(crate) said: Option<String>,
}

struct Job {
    tell: UnboundedSender<FromModel>,
    /// The file that it is about; empty where it is about none.
    file: String,
    /// Whether the file is to answer a question.
    is_question: bool,
    is_stopping: bool,
}

/// The worker, and what it works on.
#[derive(Default)]
struct Client {
    worker: RefCell<Option<Worker>>,
    is_ready: Cell<bool>,
    /// Messages that wait, and of which job each is: until the worker is there, or has heard a stop.
    queue: RefCell<Vec<(u32, JsValue)>>,
    jobs: RefCell<BTreeMap<u32, Job>>,
    next: Cell<u32>,
    /// The model that is in the worker's memory.
    file: RefCell<String>,
    /// Counts workers, so that the last words of one that was ended do not end its successor.
    epoch: Cell<u64>,
}

thread_local! {
    static CLIENT: Rc<Client> = Rc::default();
}

/// What goes beside a message.
pub(super) enum Beside {
    Nothing,
    File(File),
    /// Handed over and not copied.
    Bytes(Uint8Array),
}

impl Client {
    /// Starts the worker if none runs.
    fn wake(self: &Rc<Self>) {
        if self.worker.borrow().is_some() {
            return;
        }
        let epoch = self.epoch.get() + 1;
        self.epoch.set(epoch);
        let Ok((worker, lock)) = worker::start_model() else {
            let why = "this browser cannot start a worker".to_owned();
            return self.lose(&LostModel::NotLoaded(why));
        };
        let client = self.clone();
        let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            if client.epoch.get() != epoch {
                return;
            }
            match messages::read::<(u32, FromModel)>(event.data()) {
                Ok((_, FromModel::Ready { version: modelfiles::VERSION })) => client.ready(&lock),
                Ok((_, FromModel::Ready { .. })) => client.outdate(),
                Ok((0, FromModel::Panicked { message })) => {
                    client.lose(&LostModel::Failed(message))
                }
                Ok((0, FromModel::Unloaded { message })) => {
                    web_sys::console::warn_1(&format!("no model's worker: {message}").into());
                    client.lose(&not_loaded());
                }
                Ok((job, heard)) => client.receive(job, heard),
                // What every version says as this one does: that is an older one's.
                Err(_) if !client.is_ready.get() => client.outdate(),
                Err(error) => client.lose(&LostModel::Failed(error.to_string())),
            }
        });
        let client = self.clone();
        let on_error = Closure::<dyn FnMut(web_sys::Event)>::new(move |event: web_sys::Event| {
            if client.epoch.get() != epoch {
                return;
            }
            // Where a script cannot be loaded, the event is none of an error and has no message.
            let said = Reflect::get(&event, &"message".into()).ok().and_then(|m| m.as_string());
            client.lose(&match said {
                _ if !client.is_ready.get() => not_loaded(),
                Some(said) => LostModel::Failed(said),
                None => LostModel::Gone,
            });
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        on_message.forget();
        on_error.forget();
        *self.worker.borrow_mut() = Some(worker);
    }

    fn ready(self: &Rc<Self>, lock: &str) {
        self.is_ready.set(true);
        // A browser tells nobody of a worker that it ended, as it does where memory runs out.
        let (client, epoch) = (self.clone(), self.epoch.get());
        worker::when_gone(lock, move || {
            if client.epoch.get() == epoch {
                client.lose(&LostModel::Gone);
            }
        });
        self.post_waiting();
    }

    fn post_waiting(&self) {
        for (job, message) in self.queue.take() {
            self.post(job, message);
        }
    }

    fn receive(&self, job: u32, heard: FromModel) {
        use FromModel::{Answered, Listed, Panicked, Refused};
        let is_end =
            matches!(heard, Answered { .. } | Listed { .. } | Panicked { .. } | Refused { .. });
        let mut jobs = self.jobs.borrow_mut();
        let Some(known) = jobs.get(&job) else { return };
        if let Answered { speed } = heard {
            let mut all = speeds();
            let before = all.get(&known.file).and_then(|s| s.prefill_per_s);
            let prefill_per_s = speed.prefill_per_s.or(before);
            all.insert(known.file.clone(), Speed { prefill_per_s, ..speed });
            storage::remember(SPEEDS, &all);
        }
        if known.is_question {
            tell(doing_of(&known.file, &heard));
        }
        if known.is_stopping && is_end {
            mark("model file stopped");
        }
        let _ = known.tell.unbounded_send(heard);
        if is_end {
            jobs.remove(&job);
            drop(jobs);
            self.post_waiting();
        }
    }

    /// Whether a message of a job may go now: one of another job waits while the worker has not heard a stop, for
    /// it may be ended.
    fn may_go(&self, job: u32) -> bool {
        let jobs = self.jobs.borrow();
        let is_stopping = |job: &Job| job.is_stopping;
        self.is_ready.get()
            && (jobs.get(&job).is_some_and(is_stopping) || !jobs.values().any(is_stopping))
    }

    fn post(&self, job: u32, message: JsValue) {
        let worker = self.worker.borrow();
        match worker.as_ref().filter(|_| self.may_go(job)) {
            Some(worker) => {
                let bytes = Reflect::get(&message, &"bytes".into()).unwrap_or_default();
                let bytes: Option<Uint8Array> = bytes.dyn_into().ok();
                let handed: Array = bytes.iter().map(Uint8Array::buffer).collect();
                let _ = worker.post_message_with_transfer(&message, &handed);
            }
            None => self.queue.borrow_mut().push((job, message)),
        }
    }

    /// Tells the worker something of a job.
    fn say(self: &Rc<Self>, job: u32, body: &ToModel, beside: Beside) {
        self.wake();
        let message = Object::new();
        let set = |name: &str, value: &JsValue| {
            let _ = Reflect::set(&message, &name.into(), value);
        };
        set("job", &job.into());
        set("body", &messages::write(body).unwrap_or_default());
        match beside {
            Beside::Nothing => {}
            Beside::File(file) => set("file", &file),
            Beside::Bytes(bytes) => set("bytes", &bytes),
        }
        self.post(job, message.into());
    }

    fn stop(self: &Rc<Self>, job: u32) {
        if let Some(known) = self.jobs.borrow_mut().get_mut(&job) {
            known.is_stopping = true;
            mark("model file stop");
        } else {
            return;
        }
        self.say(job, &ToModel::Stop, Beside::Nothing);
        let (client, epoch) = (self.clone(), self.epoch.get());
        set_timeout(
            move || {
                if client.epoch.get() == epoch && client.jobs.borrow().contains_key(&job) {
                    client.end_stuck();
                }
            },
            Duration::from_millis(GRACE_MS),
        );
    }

    /// Ends a worker that has not heard a stop. What waited for that goes to the next one.
    fn end_stuck(self: &Rc<Self>) {
        let waiting = self.queue.take();
        let is_waiting = |job: &u32| waiting.iter().any(|(of, _)| of == job);
        let mut jobs = self.jobs.take();
        let kept = jobs.extract_if(.., |job, _| is_waiting(job)).collect();
        self.jobs.replace(jobs);
        self.lose(&LostModel::Stopped);
        self.jobs.replace(kept);
        if !waiting.is_empty() {
            self.queue.replace(waiting);
            self.wake();
        }
    }

    /// Ends a worker of another build.
    fn outdate(&self) {
        version::note_outdated();
        self.lose(&LostModel::Outdated);
    }

    /// Ends the worker and every job on it; the next message starts a new one.
    fn lose(&self, why: &LostModel) {
        if let Some(worker) = self.worker.borrow_mut().take() {
            worker.terminate();
        }
        self.epoch.set(self.epoch.get() + 1);
        self.is_ready.set(false);
        self.queue.borrow_mut().clear();
        self.file.borrow_mut().clear();
        tell(None);
        for job in self.jobs.take().into_values() {
            let message = why.words(&job.file);
            let _ = job.tell.unbounded_send(FromModel::Panicked { message });
        }
    }
}

/// There is no worker, for a reason that the page can tell.
fn not_loaded() -> LostModel {
    version::look();
    LostModel::NotLoaded(screen::why_not_loaded().to_owned())
}

/// What a model does before it begins to answer.
fn doing_of(file: &str, heard: &FromModel) -> Option<Doing> {
    let (words, done, total) = match *heard {
        FromModel::Progress { done, total } => (loading(file, done, total), done, total),
        FromModel::Reading { done, total } => {
            (reading(file, done as usize, total as usize), done, total)
        }
        _ => return None,
    };
    Some(Doing { words, done, total })
}

/// A mark on the browser's time line, by which others measure how soon a stop is heard.
fn mark(name: &str) {
    if let Some(performance) = window().performance() {
        let _ = performance.mark(name);
    }
}

/// A job, with what the worker tells of it.
pub(super) struct Talk {
    client: Rc<Client>,
    job: u32,
    heard: UnboundedReceiver<FromModel>,
}

impl Talk {
    /// One about a file; the name is empty where it is about none.
    pub(super) fn about(file: &str) -> Self {
        Self::new(file, false)
    }

    fn new(file: &str, is_question: bool) -> Self {
        let client = CLIENT.with(Clone::clone);
        let job = client.next.get() + 1;
        client.next.set(job);
        let (tell, heard) = unbounded();
        let started = Job { tell, file: file.to_owned(), is_question, is_stopping: false };
        client.jobs.borrow_mut().insert(job, started);
        Self { client, job, heard }
    }

    pub(super) fn say(&self, body: &ToModel, beside: Beside) {
        self.client.say(self.job, body, beside);
    }

    /// Stops the job when something else is stopped.
    pub(super) fn stop_with(&self, abort: &AbortController, then: impl FnOnce() + 'static) {
        let (client, job) = (self.client.clone(), self.job);
        let stop = Closure::once_into_js(move || {
            client.stop(job);
            then();
        });
        abort.signal().set_onabort(Some(stop.unchecked_ref()));
    }

    pub(super) async fn next(&mut self) -> Option<FromModel> {
        self.heard.next().await
    }

    /// Waits for the list of files at the end of a job.
    pub(super) async fn outcome(mut self, on_bytes: impl Fn(f64, f64)) -> Outcome {
        while let Some(heard) = self.next().await {
            match heard {
                FromModel::Progress { done, total } => on_bytes(done, total),
                FromModel::Listed { files, fault } => {
                    return Outcome { files: Some(files), fault, said: None };
                }
                FromModel::Panicked { message } => {
                    return Outcome { fault: Some(message), ..Outcome::default() };
                }
                _ => {}
            }
        }
        Outcome::default()
    }
}

/// How fast each model was in its last answer, by the name of its file.
pub(crate) fn speeds() -> BTreeMap<String, Speed> {
    storage::recall(SPEEDS).unwrap_or_default()
}

/// Which files there are.
pub(crate) async fn list() -> Outcome {
    let talk = Talk::about("");
    talk.say(&ToModel::List, Beside::Nothing);
    talk.outcome(|_, _| ()).await
}

/// Asks the browser not to throw these files away when its disk is full; it may say no.
pub(super) fn keep_for_good() {
    let _ = window().navigator().storage().persist();
}

/// Keeps a file of the person's own.
pub(crate) async fn add(
    file: File,
    abort: &AbortController,
    on_bytes: impl Fn(f64, f64),
) -> Outcome {
    keep_for_good();
    let talk = Talk::about(&file.name());
    talk.stop_with(abort, || ());
    talk.say(&ToModel::Add { name: file.name() }, Beside::File(file));
    talk.outcome(on_bytes).await
}

/// Deletes a file.
pub(crate) async fn delete(name: String) -> Outcome {
    let talk = Talk::about(&name);
    talk.say(&ToModel::Delete { name }, Beside::Nothing);
    talk.outcome(|_, _| ()).await
}

/// What a request says of whom it asks.
#[derive(Deserialize)]
struct Asked {
    model: String,
}

/// Asks a model; what it answers comes piece by piece, until somebody stops it.
pub(super) fn ask(body: String, abort: &AbortController) -> Answering {
    let client = CLIENT.with(Clone::clone);
    let file = serde_json::from_str::<Asked>(&body).map(|asked| asked.model).unwrap_or_default();
    // The memory of a module never shrinks, and two models may not fit: another one gets a worker of
    // its own.
    let is_other = client.file.replace(file.clone()) != file;
    if is_other && client.jobs.borrow().is_empty() && client.is_ready.get() {
        client.lose(&LostModel::Gone);
        client.file.replace(file.clone());
    }
    let mut talk = Talk::new(&file, true);
    let (tell, answering) = unbounded();
    // Nobody waits for the worker to have heard the stop.
    let stopped = tell.clone();
    talk.stop_with(abort, move || {
        let _ = stopped.unbounded_send(Err(ModelError::Cancelled));
    });
    talk.say(&ToModel::Ask { body }, Beside::Nothing);
    spawn_local(async move {
        while let Some(heard) = talk.next().await {
            let piece = match heard {
                FromModel::Text { text } => Ok(text),
                FromModel::Refused { error } => Err(error),
                FromModel::Panicked { message } => Err(ModelError::Local { reason: message }),
                FromModel::Answered { .. } => break,
                _ => continue,
            };
            if tell.unbounded_send(piece).is_err() {
                break;
            }
        }
        // The other end of a stop would keep it open.
        tell.close_channel();
    });
    answering
}
