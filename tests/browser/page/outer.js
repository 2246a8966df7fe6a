// What services/python.rs does in the app, in the shortest form: for the tests alone.
const FILES = [
  "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json",
  "networkx.whl", "worker.js", "run.py",
];
localStorage.setItem("canary", "a-key-of-the-person");
document.cookie = "canary=a-cookie-of-the-person";
// What reaches the page beside its frame's port.
window.overheard = [];
new BroadcastChannel("canary").onmessage = ({ data }) => overheard.push(`broadcast: ${data}`);
addEventListener("message", ({ data }) => overheard.push(`message: ${data}`));

const bytes = async (name) => (await fetch(`python/${name}`)).arrayBuffer();

// Opens Python; `as` can name another frame and another worker than those that ship.
window.openPython = async (as = {}) => {
  const started = performance.now();
  const all = await Promise.all(FILES.map((name) => bytes(as[name] ?? name)));
  const fetched_ms = Math.round(performance.now() - started);
  const frame = document.createElement("iframe");
  if (!as.unboxed) frame.setAttribute("sandbox", "allow-scripts");
  frame.setAttribute("credentialless", "");
  frame.hidden = true;
  frame.src = as.frame ?? "python.html";
  document.body.append(frame);
  await new Promise((resolve) => { frame.onload = resolve; });
  const { port1, port2 } = new MessageChannel();
  const answers = new Map();
  // Every text of the frame.
  const said = [];
  const ready = new Promise((resolve, reject) => {
    if (as.unboxed) setTimeout(() => reject(new Error("the frame says nothing")), 3000);
    port1.onmessage = ({ data }) => {
      said.push(data);
      const words = JSON.parse(data);
      if (words.ready) resolve(words.ready);
      if (words.broken) reject(new Error(words.broken.message));
      if (words.reply) answers.get(words.reply.id)?.(words.reply);
    };
  });
  frame.contentWindow.postMessage("graphground-python-1", "*", [port2]);
  port1.postMessage({ load: Object.fromEntries(FILES.map((name, i) => [name, all[i]])) }, all);
  const figures = { fetched_ms, ...(await ready) };
  figures.total_ms = Math.round(performance.now() - started);
  let last = 0;
  const run = (request, limit_ms) => new Promise((resolve) => {
    last += 1;
    answers.set(last, resolve);
    const whole = { graph: null, files: [], wants_graph: false, ...request, id: last };
    port1.postMessage(JSON.stringify({ v: 1, run: whole, limit_ms }));
  });
  window.python = { frame, run, figures, said };
  return figures;
};
