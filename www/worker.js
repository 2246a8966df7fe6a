// Starts an engine in this worker; it says itself when it is ready. With threads where the page was
// built with them and this browser can share memory between workers; else the same on one thread.
const start = async (glue) => (await import(glue)).default();
// The page says by the worker's name, `kind-number`, which engine it wants.
const kind = self.name.split("-")[0];
// What fails within a promise ends the work as well, and no `error` event tells the page of it.
self.addEventListener("unhandledrejection", ({ reason }) => {
  postMessage({ job: 0, body: { panicked: { message: `${reason}` } } });
});
// A lock of that name is held as long as this worker lives: so the page learns of its end.
if (navigator.locks) {
  await new Promise((held) => {
    const forever = () => {
      held();
      return new Promise(() => {});
    };
    navigator.locks.request(self.name, forever).catch(held);
  });
}
try {
  const { threads, core } = await import("./wasm/bundles.js");
  // The whole engine may still be built where a first one is beside it.
  const module = core && (kind === "engine" || kind === "threads") ? "core_worker" : "engine_worker";
  const single = () => start(`./wasm/${module}/${module}.js`);
  const canShare = threads && self.crossOriginIsolated && navigator.hardwareConcurrency > 1
    && typeof Atomics.waitAsync === "function";
  if (kind === "threads" && canShare) {
    // A browser may refuse the memory that threads share; one thread needs no such memory.
    await start("./wasm/threads/core_worker.js").catch(single);
  } else {
    await single();
  }
} catch (error) {
  postMessage({ job: 0, body: { unloaded: { message: `${error}` } } });
}
