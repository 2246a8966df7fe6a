// The model's worker on the number of threads that its address names; `www/model.js` chooses for itself.
const threads = Number(new URL(self.location).searchParams.get("threads"));
const folder = threads > 1 ? "model-threads" : "model";
try {
  const module = await import(`./wasm/${folder}/model_worker.js`);
  await module.default();
  if (threads > 1) await module.initThreadPool(threads);
  module.begin(threads);
} catch (error) {
  postMessage([0, { panicked: { message: String(error) } }]);
}
