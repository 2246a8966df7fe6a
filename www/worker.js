// Starts an engine in this worker; it says itself when it is ready.
import init from "./wasm/engine_worker.js";
await init();
