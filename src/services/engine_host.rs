//! The Web Worker as the place an engine runs in.

use std::rc::Rc;

use engine::{Attachments, Engine, Envelope, Event, Host, Parts, Request};
use js_sys::{Array, ArrayBuffer, Function, Promise, Reflect, Uint8Array};
use llm::BoxFuture;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{DedicatedWorkerGlobalScope, File, MessageChannel, MessageEvent};

struct WorkerHost {
    scope: DedicatedWorkerGlobalScope,
}

impl Host for WorkerHost {
    fn post(&self, event: Envelope<Event>) {
        let text = serde_json::to_string(&event).or_else(|error| {
            let message = format!("a fault of ours: the result cannot be written ({error})");
            serde_json::to_string(&Envelope { job: event.job, body: Event::Failed { message } })
        });
        if let Ok(text) = text {
            let _ = self.scope.post_message(&JsValue::from_str(&text));
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

/// Starts an engine with its parts in this worker and says that it is ready.
pub fn register_engine(parts: Parts) {
    let Ok(scope) = js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() else { return };
    // Every thread of a pool comes through here; only the first is the engine.
    #[cfg(feature = "threads")]
    if !super::pool::is_first(&scope) {
        return;
    }
    let host = Rc::new(WorkerHost { scope: scope.clone() });
    let panicked = host.clone();
    std::panic::set_hook(Box::new({
        // The hook is shared between threads, the host is this one's.
        let host = send_wrapper::SendWrapper::new(panicked);
        move |info| {
            let words = Envelope { job: 0, body: Event::Panicked { message: info.to_string() } };
            if host.valid() {
                host.post(words);
            } else {
                #[cfg(feature = "threads")]
                super::pool::last_words(&words);
            }
        }
    }));
    #[cfg(feature = "threads")]
    super::pool::start(&scope);
    let engine = Engine::new(host.clone(), parts);
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let data = event.data();
        let engine = engine.clone();
        if let Some(text) = data.as_string() {
            accept(&engine, &text, Vec::new(), Attachments::default());
        } else {
            // A request with files or bytes beside it: they are read here, off the page's thread.
            spawn_local(async move {
                let part = |name: &str| Reflect::get(&data, &name.into()).unwrap_or_default();
                let mut read = Vec::new();
                for file in Array::from(&part("files")).iter() {
                    if let Ok(file) = file.dyn_into::<File>() {
                        read.push((file.name(), text_of(&file).await));
                    }
                }
                if let Some(text) = part("text").as_string() {
                    accept(&engine, &text, read, attached(&part("bytes")));
                }
            });
        }
    });
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();
    host.post(Envelope { job: 0, body: Event::Ready });
}

/// The most bytes that a packed file may hold.
const MAX_UNPACKED: usize = 1_000_000_000;

/// What is attached to a message: pairs of a name and a buffer that now is this worker's.
fn attached(pairs: &JsValue) -> Attachments {
    let named = Array::from(pairs).into_iter().filter_map(|pair| {
        let pair = Array::from(&pair);
        let buffer = pair.get(1).dyn_into::<ArrayBuffer>().ok()?;
        Some((pair.get(0).as_string()?, Uint8Array::new(&buffer).to_vec()))
    });
    Attachments::new(named.collect())
}

/// A file's text, unpacked where it is in gzip. What cannot be read is empty, and whoever reads it
/// says so.
async fn text_of(file: &File) -> String {
    if !file.name().ends_with(".gz") {
        let body = JsFuture::from(file.text()).await.ok();
        return body.and_then(|b| b.as_string()).unwrap_or_default();
    }
    let Ok(buffer) = JsFuture::from(file.array_buffer()).await else { return String::new() };
    let bytes = Uint8Array::new(&buffer).to_vec();
    engine::gunzip(&bytes, MAX_UNPACKED).unwrap_or_default()
}

fn accept(engine: &Engine, text: &str, read: Vec<(String, String)>, attachments: Attachments) {
    match serde_json::from_str::<Envelope<Request>>(text) {
        Ok(mut envelope) => {
            if let Request::Dataset { files }
            | Request::Kg { files, .. }
            | Request::Toolformer { files, .. } = &mut envelope.body
            {
                files.extend(read);
            }
            engine.handle_with(envelope, attachments);
        }
        // The page and the worker are of one build, so this is ours to see.
        Err(error) => {
            web_sys::console::error_1(&format!("a request cannot be read: {error}").into())
        }
    }
}
