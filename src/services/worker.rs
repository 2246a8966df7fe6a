//! Where an engine's worker comes from.

use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    BroadcastChannel, MessageEvent, MessageEventInit, Worker, WorkerOptions, WorkerType,
};

/// What an engine answers. The code of each part loads with the first request for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bundle {
    /// What every visitor needs.
    Core,
    /// The same with threads, where there is a module with them.
    Threads,
    /// The same with benchmarks, knowledge graphs, families and inline calls.
    Knowledge,
    /// Knowledge graphs with SPARQL.
    Rdf,
    /// Knowledge graphs with models from the bytes of their weights.
    Ml,
    /// Inline tool calls with trained models.
    Toolformer,
}

impl Bundle {
    /// The name that the worker knows it by (`worker::Kind`).
    fn name(self) -> &'static str {
        match self {
            Self::Core => "engine",
            Self::Threads => "threads",
            Self::Knowledge => "knowledge",
            Self::Rdf => "rdf",
            Self::Ml => "ml",
            Self::Toolformer => "toolformer",
        }
    }
}

/// Starts a worker with an engine in it; the engine says itself when it is ready. Whether
/// there is one with threads, `www/worker.js` finds out. The name is that of the lock that it holds
/// as long as it lives; the one file has none.
pub(crate) fn start(bundle: Bundle) -> Result<(Worker, Option<String>), JsValue> {
    if let Some(worker) = super::single_file::start_engine() {
        return Ok((worker?, None));
    }
    // Other tabs have engines too, and each is to be heard by its own page.
    let name = format!("{}-{}", bundle.name(), js_sys::Math::random());
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    options.set_name(&name);
    let worker = Worker::new_with_options("worker.js", &options)?;
    hear_threads(&worker, &name);
    Ok((worker, Some(name)))
}

/// Starts the worker that runs model files, which says itself when it is ready; with the name of the lock
/// that it holds as long as it lives.
pub(crate) fn start_model() -> Result<(Worker, String), JsValue> {
    let name = format!("model-{}", js_sys::Math::random());
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    options.set_name(&name);
    let worker = Worker::new_with_options("model.js", &options)?;
    hear_threads(&worker, &name);
    Ok((worker, name))
}

/// Whether workers of this page may share memory, as threads do.
pub(crate) fn can_share() -> bool {
    let flag = Reflect::get(&js_sys::global(), &"crossOriginIsolated".into());
    !super::single_file::is_one_file() && flag.is_ok_and(|flag| flag.is_truthy())
}

/// Calls back once a worker that is ready is gone, however it went: a browser tells nobody of a
/// worker that it ended, but it gives the lock that the worker held to whoever waits for it.
pub(crate) fn when_gone(name: &str, then: impl FnOnce() + 'static) {
    let navigator = leptos::prelude::window().navigator();
    // Pages over plain http have no locks.
    let Ok(locks) = Reflect::get(&navigator, &"locks".into()) else { return };
    let Ok(request) = Reflect::get(&locks, &"request".into()) else { return };
    let Ok(request) = request.dyn_into::<Function>() else { return };
    let then = Closure::once_into_js(then);
    if let Ok(promise) = request.call2(&locks, &name.into(), &then)
        && let Ok(promise) = promise.dyn_into::<Promise>()
    {
        spawn_local(async move {
            let _ = JsFuture::from(promise).await;
        });
    }
}

/// Hands on what a thread says past its worker, as if the worker had said it: a thread speaks only when it
/// breaks, and then the worker waits for it and says nothing.
fn hear_threads(worker: &Worker, name: &str) {
    let Ok(channel) = BroadcastChannel::new(name) else { return };
    let worker = worker.clone();
    let hand_on = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let init = MessageEventInit::new();
        init.set_data(&event.data());
        if let Ok(event) = MessageEvent::new_with_event_init_dict("message", &init) {
            let _ = worker.dispatch_event(&event);
        }
    });
    channel.set_onmessage(Some(hand_on.as_ref().unchecked_ref()));
    hand_on.forget();
}
