//! Where an engine's worker comes from.

use wasm_bindgen::JsValue;
use web_sys::{Worker, WorkerOptions, WorkerType};

/// Starts a worker with an engine in it; the engine says itself when it is ready.
pub(crate) fn start() -> Result<Worker, JsValue> {
    if let Some(worker) = super::single_file::start_engine() {
        return worker;
    }
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    Worker::new_with_options("worker.js", &options)
}
