// Starts the worker that runs model files; it says itself when it is ready. With threads where the page
// was built with them and this browser can share memory between workers; else the same on one thread.
const start = async (folder, n) => {
  const module = await import(`./wasm/${folder}/model_worker.js`);
  await module.default();
  if (n > 1) await module.initThreadPool(n);
  module.begin(n);
};
// What fails within a promise ends the work as well, and no `error` event tells the page of it.
self.addEventListener("unhandledrejection", ({ reason }) => {
  postMessage([0, { panicked: { message: `${reason}` } }]);
});
// A lock of the worker's name is held as long as it lives: so the page learns of its end.
if (navigator.locks) {
  await new Promise((held) => {
    const forever = () => {
      held();
      return new Promise(() => {});
    };
    navigator.locks.request(self.name, forever).catch(held);
  });
}
// More threads than this wait for memory and not for each other.
const MOST = 8;
try {
  const { modelThreads } = await import("./wasm/bundles.js");
  const n = Math.min(navigator.hardwareConcurrency, MOST);
  const single = () => start("model", 1);
  if (modelThreads && self.crossOriginIsolated && n > 1) {
    // A browser may refuse the memory that threads share; one thread needs no such memory.
    await start("model-threads", n).catch(single);
  } else {
    await single();
  }
} catch (error) {
  postMessage([0, { unloaded: { message: `${error}` } }]);
}
