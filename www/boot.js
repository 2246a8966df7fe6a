// Starts the page, or says plainly why it cannot.
const words = (text) => {
  const place = document.querySelector("#loading [data-words]");
  if (place) place.textContent = text;
};
if (typeof WebAssembly !== "object") {
  words("This browser has no WebAssembly, in which Graphground computes. A current Chromium, Firefox or Safari has it.");
} else {
  // The page's own part comes beside the module that will ask for it, and not after it.
  const hasten = async () => {
    const parts = await (await fetch("wasm/app/parts.json")).json();
    const path = /^#\/(\w+)/.exec(location.hash)?.[1];
    for (const name of parts[path] ?? parts.home ?? []) {
      const link = document.createElement("link");
      Object.assign(link, { rel: "preload", as: "fetch", crossOrigin: "anonymous", href: `wasm/app/${name}` });
      document.head.append(link);
    }
  };
  hasten().catch(() => {});
  // The module, of which a copy is counted while it comes: the browser keeps what it compiled of a
  // response from the network, and of no other.
  const counted = async () => {
    const [response, { appBytes, build }] = await Promise.all([
      fetch("wasm/app/app_bg.wasm"),
      import("./wasm/bundles.js").catch(() => ({})),
    ]);
    // By this the page knows later whether its server has another one.
    if (build) document.documentElement.dataset.build = build;
    if (!response.ok || !response.body || !appBytes) return response;
    // What is told is what goes over the line, which may be packed.
    const sent = Number(response.headers.get("content-length")) || appBytes;
    const bar = document.querySelector("#loading progress");
    let done = 0;
    const count = async (copy) => {
      for (let chunk; !(chunk = await copy.read()).done; ) {
        done += chunk.value.length;
        const share = Math.min(done / appBytes, 1);
        if (bar) bar.value = share;
        const mb = (bytes) => (bytes / 1e6).toFixed(1);
        words(`Loading, ${mb(share * sent)} of ${mb(sent)} MB`);
      }
    };
    count(response.clone().body.getReader()).catch(() => {});
    return response;
  };
  try {
    const [{ default: init }, module] = await Promise.all([import("./wasm/app/app.js"), counted()]);
    await init({ module_or_path: module });
  } catch (error) {
    words(`Graphground could not start: ${error}. Reload the page; if that does not help, its files are not complete.`);
  }
}
// Threads want a page that is cut off from other origins. A host that cannot say so is helped by a
// service worker, from the next visit on: this one is not disturbed by a reload.
if (!self.crossOriginIsolated && self.isSecureContext && location.protocol.startsWith("http")) {
  navigator.serviceWorker?.register("isolate.js").catch(() => {});
}
