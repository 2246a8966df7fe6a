//! The Web Worker as the place an engine runs in.

use std::rc::Rc;

use engine::{Arrived, Attachments, Engine, Host, List};
use js_sys::{Array, ArrayBuffer, Function, Promise, Reflect, Uint8Array};
use llm::BoxFuture;
use protocol::{Envelope, FromWorker, ToWorker};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{DedicatedWorkerGlobalScope, File, MessageChannel, MessageEvent};

use messages::JsPayload;

use crate::lists::Kind;

/// A request as the page sent it.
pub struct Sent(JsPayload);

impl<'de> Deserialize<'de> for Sent {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        JsPayload::deserialize(from).map(Self)
    }
}

impl Arrived for Sent {
    fn read<T: DeserializeOwned>(self) -> Result<T, String> {
        messages::read(self.0.0).map_err(|e| e.to_string())
    }
}

struct WorkerHost {
    scope: DedicatedWorkerGlobalScope,
}

impl Host for WorkerHost {
    fn post(&self, message: Envelope<FromWorker<engine::Payload>>) {
        let job = message.job;
        let value = messages::write(&message).or_else(|error| {
            let message = format!("internal error: the result cannot be written ({error})");
            let body = FromWorker::<()>::Failed { message };
            messages::write(&Envelope { job, body })
        });
        if let Ok(value) = value {
            let _ = self.scope.post_message(&value);
        }
    }

    fn now_ms(&self) -> f64 {
        self.scope.performance().map_or_else(js_sys::Date::now, |p| p.now())
    }

    fn unix_ms(&self) -> f64 {
        js_sys::Date::now()
    }

    /// A message to oneself: unlike a timer it is not held back.
    fn pause(&self) -> BoxFuture<'static, ()> {
        // One channel a pause: two jobs may pause at once.
        let Ok(channel) = MessageChannel::new() else { return Box::pin(async {}) };
        let (near, far) = (channel.port1(), channel.port2());
        let promise = Promise::new(&mut |resolve: Function, _| near.set_onmessage(Some(&resolve)));
        let _ = far.post_message(&JsValue::NULL);
        Box::pin(async move {
            let _ = JsFuture::from(promise).await;
            near.close();
        })
    }

    fn sleep(&self, ms: u64) -> BoxFuture<'static, ()> {
        let time = i32::try_from(ms).unwrap_or(i32::MAX);
        let scope = self.scope.clone();
        let promise = Promise::new(&mut |resolve: Function, _| {
            let _ = scope.set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, time);
        });
        Box::pin(async move {
            let _ = JsFuture::from(promise).await;
        })
    }

    fn spawn(&self, job: BoxFuture<'static, ()>) {
        spawn_local(job);
    }
}

/// Starts an engine in this worker, with the lists of handlers for the kind that the page wants, and
/// says that it is ready.
pub fn register_engine(lists: fn(Kind) -> Vec<List<Sent>>) {
    let Ok(scope) = js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() else { return };
    // Every thread of a pool comes through here; only the first is the engine.
    #[cfg(target_feature = "atomics")]
    if !crate::pool::is_first(&scope) {
        return;
    }
    let host = Rc::new(WorkerHost { scope: scope.clone() });
    let panicked = host.clone();
    std::panic::set_hook(Box::new({
        // The hook is shared between threads, the host is this one's.
        let host = send_wrapper::SendWrapper::new(panicked);
        move |info| {
            web_sys::console::error_1(&info.to_string().into());
            let body = FromWorker::Panicked { message: messages::panic_words(info) };
            let words = Envelope { job: 0, body };
            if host.valid() {
                host.post(words);
            } else {
                #[cfg(target_feature = "atomics")]
                crate::pool::last_words(&words);
            }
        }
    }));
    #[cfg(target_feature = "atomics")]
    crate::pool::start(&scope);
    let engine = Engine::new(host.clone(), lists(Kind::of(&scope.name())));
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let data = event.data();
        let engine = engine.clone();
        let part = |name: &str| Reflect::get(&data, &name.into()).unwrap_or_default();
        let (message, bytes) = (part("message"), attached(&part("bytes")));
        let files = list(part("files"));
        if files.length() == 0 {
            accept(&engine, message, bytes);
            return;
        }
        // Files are read here, off the page's thread.
        spawn_local(async move {
            let mut read = Vec::new();
            for file in files.iter() {
                if let Ok(file) = file.dyn_into::<File>() {
                    read.push((file.name(), bytes_of(&file).await));
                }
            }
            accept(&engine, message, bytes.with_files(read));
        });
    });
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();
    let version = protocol::VERSION.to_owned();
    host.post(Envelope { job: 0, body: FromWorker::Ready { version } });
}

/// The most bytes that a packed file may hold.
const MAX_UNPACKED: usize = 1_000_000_000;

/// A list; what is none, as where nothing is beside a message, is an empty one.
fn list(value: JsValue) -> Array {
    value.dyn_into().unwrap_or_default()
}

/// What is attached to a message: pairs of a name and a buffer that now is this worker's.
fn attached(pairs: &JsValue) -> Attachments {
    let named = list(pairs.clone()).into_iter().filter_map(|pair| {
        let pair = Array::from(&pair);
        let buffer = pair.get(1).dyn_into::<ArrayBuffer>().ok()?;
        Some((pair.get(0).as_string()?, Uint8Array::new(&buffer).to_vec()))
    });
    Attachments::new(named.collect())
}

/// A file's bytes, unpacked where it is in gzip. What cannot be read is empty, and whoever reads it
/// says so.
async fn bytes_of(file: &File) -> Vec<u8> {
    let Ok(buffer) = JsFuture::from(file.array_buffer()).await else { return Vec::new() };
    let bytes = Uint8Array::new(&buffer).to_vec();
    if !file.name().ends_with(".gz") {
        return bytes;
    }
    engine::gunzip(&bytes, MAX_UNPACKED).map(String::into_bytes).unwrap_or_default()
}

fn accept(engine: &Engine<Sent>, message: JsValue, attachments: Attachments) {
    match messages::read::<Envelope<ToWorker<Sent>>>(message) {
        Ok(envelope) => engine.handle(envelope, attachments),
        // The page and the worker are of one build, so this is ours to see.
        Err(error) => {
            web_sys::console::error_1(&format!("a request cannot be read: {error}").into())
        }
    }
}
