//! Messages in, jobs, messages out.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use futures_util::lock::Mutex;
use js_sys::{Function, Promise, Reflect, Uint8Array};
use modelfiles::{FromModel, ToModel};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{BroadcastChannel, DedicatedWorkerGlobalScope, File, MessageChannel, MessageEvent};

use crate::answer::Loaded;
use crate::keep::Writing;
use crate::{answer, keep};

/// What the worker has between messages.
pub(crate) struct Host {
    scope: DedicatedWorkerGlobalScope,
    pub(crate) n_threads: usize,
    /// Jobs that are to stop.
    stopped: RefCell<BTreeSet<u32>>,
    /// The file whose bytes are coming.
    pub(crate) writing: RefCell<Option<Writing>>,
    /// The model in memory: one question is answered at a time.
    pub(crate) loaded: Mutex<Option<Loaded>>,
}

impl Host {
    pub(crate) fn post(&self, job: u32, body: &FromModel) {
        if let Ok(value) = messages::write(&(job, body)) {
            let _ = self.scope.post_message(&value);
        }
    }

    pub(crate) fn now_ms(&self) -> f64 {
        self.scope.performance().map_or_else(js_sys::Date::now, |p| p.now())
    }

    pub(crate) fn is_stopped(&self, job: u32) -> bool {
        self.stopped.borrow().contains(&job)
    }

    /// Lets messages in: a message to oneself, which unlike a timer is not held back.
    pub(crate) async fn pause(&self) {
        let Ok(channel) = MessageChannel::new() else { return };
        let (near, far) = (channel.port1(), channel.port2());
        let promise = Promise::new(&mut |resolve: Function, _| near.set_onmessage(Some(&resolve)));
        let _ = far.post_message(&JsValue::NULL);
        let _ = JsFuture::from(promise).await;
        near.close();
    }
}

/// What came beside a message.
struct Beside {
    file: Option<File>,
    bytes: Option<Uint8Array>,
}

async fn handle(host: Rc<Host>, job: u32, body: ToModel, beside: Beside) {
    match body {
        ToModel::List => keep::tell(&host, job, None).await,
        ToModel::Add { name } => {
            let fault = match beside.file {
                Some(file) => keep::add(&host, job, name, &file).await.err(),
                None => Some("internal error: no file came beside the message".to_owned()),
            };
            keep::tell(&host, job, fault).await;
        }
        ToModel::Begin { file } => {
            let fault = keep::begin(&host, file).await.err();
            host.post(job, &FromModel::Taken { fault });
        }
        ToModel::More => {
            let bytes = beside.bytes.unwrap_or_default();
            let fault = keep::more(&host, &bytes).await.err();
            host.post(job, &FromModel::Taken { fault });
        }
        ToModel::End { is_whole } => {
            let fault = keep::end(&host, is_whole).await.err();
            keep::tell(&host, job, fault).await;
        }
        ToModel::Delete { name } => {
            let fault = keep::delete(&host, &name).await.err();
            keep::tell(&host, job, fault).await;
        }
        ToModel::Ask { body } => {
            let end = match answer::answer(&host, job, &body).await {
                Ok(speed) => FromModel::Answered { speed },
                Err(error) => FromModel::Refused { error },
            };
            host.post(job, &end);
        }
        ToModel::Stop => {}
    }
    host.stopped.borrow_mut().remove(&job);
}

/// Makes this thread the worker; `www/model.js` calls it once the threads are there.
#[wasm_bindgen]
pub fn begin(n_threads: usize) {
    let Ok(scope) = js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() else { return };
    let host = Rc::new(Host {
        scope: scope.clone(),
        n_threads,
        stopped: RefCell::default(),
        writing: RefCell::default(),
        loaded: Mutex::default(),
    });
    let name = scope.name();
    std::panic::set_hook(Box::new(move |info| {
        web_sys::console::error_1(&info.to_string().into());
        let words = (0_u32, FromModel::Panicked { message: messages::panic_words(info) });
        let Ok(value) = messages::write(&words) else { return };
        let Ok(scope) = js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() else { return };
        if scope.name() == name {
            let _ = scope.post_message(&value);
        } else if let Ok(channel) = BroadcastChannel::new(&name) {
            // A thread of the pool: the worker waits for it and can tell nobody.
            let _ = channel.post_message(&value);
        }
    }));
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new({
        let host = host.clone();
        move |event: MessageEvent| {
            let data = event.data();
            let part = |name: &str| Reflect::get(&data, &name.into()).unwrap_or_default();
            let job = part("job").as_f64().unwrap_or_default() as u32;
            let beside =
                Beside { file: part("file").dyn_into().ok(), bytes: part("bytes").dyn_into().ok() };
            match messages::read::<ToModel>(part("body")) {
                Ok(ToModel::Stop) => {
                    host.stopped.borrow_mut().insert(job);
                }
                Ok(body) => spawn_local(handle(host.clone(), job, body, beside)),
                // The page and the worker are of one build, so this is ours to see.
                Err(error) => web_sys::console::error_1(
                    &format!("a message to the model's worker cannot be read: {error}").into(),
                ),
            }
        }
    });
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();
    host.post(0, &FromModel::Ready { version: modelfiles::VERSION });
}
