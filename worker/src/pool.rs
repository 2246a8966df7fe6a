//! The threads of an engine's worker: workers of its own that share its memory.

use std::sync::OnceLock;

use protocol::{Envelope, FromWorker};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{BroadcastChannel, DedicatedWorkerGlobalScope};

/// More threads than this would cost more memory than they save time.
const MAX_THREADS: usize = 8;

/// The name that the page gave the engine's worker, under which it also listens.
static NAME: OnceLock<String> = OnceLock::new();

/// Whether this thread is the first to ask, and so the engine itself.
pub(crate) fn is_first(scope: &DedicatedWorkerGlobalScope) -> bool {
    NAME.set(scope.name()).is_ok()
}

/// Starts the threads. Until they are there, or if they cannot start, the engine works on its own:
/// nothing waits for them, and no result depends on them.
pub(crate) fn start(scope: &DedicatedWorkerGlobalScope) {
    let cores = scope.navigator().hardware_concurrency();
    let n_threads = (cores as usize).min(MAX_THREADS);
    if n_threads < 2 {
        return;
    }
    spawn_local(async move {
        if JsFuture::from(wasm_bindgen_rayon::init_thread_pool(n_threads)).await.is_ok() {
            graph::threads::open(n_threads);
        }
    });
}

/// Tells the page of an internal error in a thread of the pool. The engine cannot: it waits for that thread.
pub(crate) fn last_words(words: &Envelope<FromWorker<engine::Payload>>) {
    if let Some(name) = NAME.get()
        && let Ok(channel) = BroadcastChannel::new(name)
        && let Ok(value) = messages::write(words)
    {
        let _ = channel.post_message(&value);
    }
}
