// Runs one piece of Python, and then no other: whatever the code did to this worker ends with it.
// The frame hands in Pyodide's files, and nothing here asks a network. Hostile code runs in `run` alone;
// it finds no way out, and no way to speak for this worker.
"use strict";
// A worker without an origin has to be a classic one; in a block, so that no name of this file is global.
{
// By this Pyodide would know a classic worker, which it refuses; nothing here needs it.
delete self.importScripts;
delete WorkerGlobalScope.prototype.importScripts;
const { parse, stringify } = JSON;
const now = performance.now.bind(performance);
const post = self.postMessage.bind(self);

const MAX_OUTPUT = 100_000;
const TELL_MS = 200;
const MAX_REPLY = 12_000_000;
const PAGE = 65_536;
const MAX_MEMORY = 1 << 30;
const MAX_FILES = 64 << 20;
// `ENOSPC` of Emscripten.
const NO_SPACE = 51;
const FOLDER = "/home/code";

// What of the globals stays, beside the language itself: what Pyodide calls while Python runs.
const KEPT = new Set([
  "AbortController", "AbortSignal", "DOMException", "MessageChannel", "TextDecoder", "TextEncoder",
  "clearTimeout", "console", "crypto", "performance", "setTimeout", "globalThis", "constructor",
  "Infinity", "NaN", "undefined", "Array", "ArrayBuffer", "Atomics", "BigInt", "BigInt64Array",
  "BigUint64Array", "Boolean", "DataView", "Date", "Error", "EvalError", "FinalizationRegistry", "Function",
  "Float32Array", "Float64Array", "Int16Array", "Int32Array", "Int8Array", "Iterator", "JSON", "Map",
  "Math", "Number", "Object", "Promise", "Proxy", "RangeError", "ReferenceError", "Reflect", "RegExp",
  "Set", "String", "Symbol", "SyntaxError", "TypeError", "URIError", "Uint16Array", "Uint32Array",
  "Uint8Array", "Uint8ClampedArray", "WeakMap", "WeakRef", "WeakSet", "WebAssembly",
  "decodeURIComponent", "encodeURIComponent", "isFinite", "isNaN", "parseFloat", "parseInt",
]);

// The globals are on the global object and on what it inherits from.
function removeGlobals() {
  for (let at = globalThis; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Reflect.ownKeys(at)) {
      if (KEPT.has(name) || typeof name === "symbol") continue;
      if (!Reflect.deleteProperty(at, name)) {
        Reflect.defineProperty(at, name, { value: undefined, writable: false });
      }
    }
  }
}

// Pyodide's memory may grow to `MAX_MEMORY`; beyond, Python raises MemoryError.
function boundMemory() {
  const grow = WebAssembly.Memory.prototype.grow;
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (this.buffer.byteLength + pages * PAGE > MAX_MEMORY) throw new RangeError("too much memory");
    return grow.call(this, pages);
  };
}

// Files stand in JavaScript's memory, beside Pyodide's. What is deleted makes no room: a worker is there
// for one run.
function boundFiles({ FS }) {
  const memory = FS.filesystems.MEMFS;
  let left = MAX_FILES;
  const take = (size) => {
    if (size > left) throw new FS.ErrnoError(NO_SPACE);
    left -= Math.max(size, 0);
  };
  const { write } = memory.ops_table.file.stream;
  memory.ops_table.file.stream.write = (stream, buffer, offset, length, position, canOwn) => {
    take(position + length - stream.node.usedBytes);
    return write(stream, buffer, offset, length, position, canOwn);
  };
  const resize = memory.resizeFileStorage;
  memory.resizeFileStorage = (node, size) => {
    take(size - node.usedBytes);
    return resize.call(memory, node, size);
  };
}

// What Python writes to its two streams, as far as there is room; told while it runs, for a run that is
// ended says nothing more.
function collectOutput(python) {
  const decoder = new TextDecoder();
  let text = "";
  let room = MAX_OUTPUT;
  let told = -Infinity;
  const write = (bytes) => {
    const fits = bytes.subarray(0, room);
    text += decoder.decode(fits, { stream: true });
    if (fits.length > 0 && fits.length === room) text += "\n[the rest of the output was dropped]";
    room -= fits.length;
    if (fits.length > 0 && (room === 0 || now() - told > TELL_MS)) {
      told = now();
      post(stringify({ so_far: text }));
    }
    return bytes.length;
  };
  python.setStdout({ write });
  python.setStderr({ write });
  return () => text;
}

// Pyodide asks for its files by address; they are here.
function serve(files, module, n_bytes) {
  self.fetch = async (url) => new Response(files[String(url).split("/").pop()]);
  WebAssembly.instantiateStreaming = async (_, imports) => {
    const instance = await WebAssembly.instantiate(module, imports);
    const { memory } = instance.exports;
    // A snapshot is put into the memory as it is, and may be of one that had grown.
    const missing = n_bytes - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
    return { module, instance };
  };
}

// Starts Python with networkx: out of a snapshot of its memory where there is one, which takes a tenth of
// the time.
async function start({ files, module, snapshot }) {
  serve(files, module, snapshot?.length ?? 0);
  boundMemory();
  const text = (name) => new TextDecoder().decode(files[name]);
  const load = (name) => {
    return import(URL.createObjectURL(new Blob([files[name]], { type: "text/javascript" })));
  };
  const { loadPyodide } = await load("pyodide.mjs");
  const { default: createPyodideModule } = await load("pyodide.asm.mjs");
  const refuse = () => {
    throw new Error("there is no JavaScript here");
  };
  const python = await loadPyodide({
    createPyodideModule,
    // No request is made; an address that nobody can have.
    indexURL: "https://pyodide.invalid/",
    // Without its packages: nothing is loaded by name.
    lockFileContents: { info: JSON.parse(text("pyodide-lock.json")).info, packages: {} },
    // What Pyodide's own Python imports as `js`, and no more.
    jsglobals: { Object, clearInterval, clearTimeout, eval: refuse, setInterval, setTimeout },
    // The same order of sets in every run.
    env: { HOME: FOLDER, PYTHONHASHSEED: "0" },
    ...(snapshot ? { _loadSnapshot: snapshot } : { _makeSnapshot: true }),
  });
  python.FS.writeFile("/lib/networkx.zip", new Uint8Array(files["networkx.whl"]));
  if (!snapshot) python.runPython(text("run.py"));
  return python;
}

// Shuts what is open while Python starts; gives the function that runs a request.
function close(python) {
  const run = python.globals.get("run_text");
  const closeDoors = python.globals.get("close_doors");
  closeDoors();
  closeDoors.destroy();
  boundFiles(python);
  const output = collectOutput(python);
  removeGlobals();
  return (request) => {
    const started = now();
    let reply;
    try {
      reply = parse(run(request));
    } catch (error) {
      reply = broken(error);
    }
    return { ...reply, output: output(), took_ms: Math.round(now() - started) };
  };
}

// Python itself ended: its stack or its memory was used up, or it was made to stop.
function broken(error) {
  const message = `Python ended: ${error}`.slice(0, 2_000);
  const kind = /memory/i.test(message) ? "memory" : "runtime";
  return { ok: false, kind, message, line: null };
}

function checked(reply) {
  const text = stringify(reply);
  if (text.length <= MAX_REPLY) return text;
  const message = `the reply has ${text.length} characters; ${MAX_REPLY} is the limit`;
  return stringify({ ok: false, kind: "too_large", message, line: null, output: "", took_ms: 0 });
}

// The first worker is there for the snapshot alone.
async function prepare(given) {
  const started = now();
  const python = await start(given);
  if (given.snapshot || given.isLast) {
    run = close(python);
    post(stringify({ ready: Math.round(now() - started) }));
    return;
  }
  const snapshot = python.makeMemorySnapshot();
  post({ snapshot }, [snapshot.buffer]);
}

let run;
addEventListener("message", ({ data }) => {
  if (run) post(checked(run(data)));
  else prepare(data).catch((error) => post(stringify({ broken: `${error}` })));
});
}
