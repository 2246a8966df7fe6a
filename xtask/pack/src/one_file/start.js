// Starts the page out of its own file: both modules lie in it, packed, and nothing is fetched.
(() => {
  // The file's own text, before anything in it is moved: a page from a disk cannot read its file, and
  // saves itself out of this. As a blob it lies outside the page's memory.
  const own = new Blob(["<!doctype html>\n", document.documentElement.outerHTML, "\n"], { type: "text/html" });
  globalThis.graphgroundFile = () => own;
  const words = (text) => {
    const place = document.querySelector("#loading [data-words]");
    if (place) place.textContent = text;
  };
  if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") {
    words("This browser lacks WebAssembly or DecompressionStream, which Graphground needs. A current Chromium, Firefox or Safari has both.");
    return;
  }
  // All of it is here already.
  document.querySelector("#loading progress")?.remove();
  // What a script element holds: gzip in base64.
  const bytesOf = async (id) => {
    const element = document.getElementById(id);
    const text = element.textContent;
    element.remove();
    const raw = atob(text);
    const bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
  };
  const unpack = async (id) => WebAssembly.compile(await bytesOf(id));
  globalThis.graphgroundOwn = (path) => bytesOf(path);
  // The engine's worker is made of the glue in this file, and gets the compiled module as its
  // first message. Two workers may run; the module is compiled once.
  let engine;
  let glue;
  globalThis.graphgroundEngine = () => {
    glue ??= URL.createObjectURL(
      new Blob([document.getElementById("engine-glue").textContent], { type: "text/javascript" }),
    );
    engine ??= unpack("engine-module");
    const worker = new Worker(glue, { name: "file" });
    engine.then(
      (module) => worker.postMessage(module),
      (error) => worker.dispatchEvent(new ErrorEvent("error", { message: `${error}` })),
    );
    return worker;
  };
  unpack("page-module")
    .then((module) => wasm_bindgen({ module_or_path: module }))
    .catch((error) => words(`Graphground could not start: ${error}. The file may not be complete; fetch it again.`));
})();
