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
  try {
    const { default: init } = await import("./wasm/app/app.js");
    await init();
  } catch (error) {
    words(`Graphground could not start: ${error}. Reload the page; if that does not help, its files are not complete.`);
  }
}
// Threads want a page that is cut off from other origins. A host that cannot say so is helped by a
// service worker, from the next visit on: this one is not disturbed by a reload.
if (!self.crossOriginIsolated && self.isSecureContext && location.protocol.startsWith("http")) {
  navigator.serviceWorker?.register("isolate.js").catch(() => {});
}
