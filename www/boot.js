import init from "./wasm/app.js";
await init();
