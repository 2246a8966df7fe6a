// Runs the libraries one after the other and shows what came of it. `window.result` is for the
// command that prints the table.
const NAMES = { ours: "ours, one thread", threads: "ours, all threads", graphology: "graphology", petgraph: "petgraph", networkx: "networkx in Pyodide" };
const status = document.querySelector("#status");
const cells = [];
const broken = [];
const datasets = [];
// With `?threads` only ours, on one thread and on all in turn, so that both meet the same machine.
const onlyShared = location.search === "?threads";
// With `?petgraph` only ours and petgraph, which need nothing from a registry.
const onlyPetgraph = location.search === "?petgraph";
const RUNS = onlyShared ? ["ours", "threads", "ours", "threads", "ours", "threads"]
  : onlyPetgraph ? ["ours", "petgraph"] : Object.keys(NAMES);

function library(which) {
  return new Promise((done, failed) => {
    const worker = new Worker("worker.js", { type: "module" });
    worker.onerror = (event) => failed(new Error(`${NAMES[which]}: ${event.message}`));
    worker.onmessage = ({ data }) => {
      if (data.error) {
        failed(new Error(`${NAMES[which]}: ${data.error}`));
      } else if (data.done) {
        worker.terminate();
        done();
      } else if (data.dataset) {
        datasets.push({ which, ...data.dataset });
      } else if (data.broke) {
        broken.push(data);
      } else {
        cells.push(data);
        status.textContent = `${NAMES[which]}: ${data.name}, ${data.n} nodes`;
      }
    };
    worker.postMessage({ which, onlyShared });
  });
}

function show() {
  const time = (ms) => (ms === undefined ? "–" : ms < 1 ? `${(ms * 1000).toFixed(1)} µs` : `${ms.toFixed(1)} ms`);
  const body = document.querySelector("tbody");
  const rows = new Map();
  for (const cell of cells) {
    const key = `${cell.name}|${cell.n}`;
    if (!rows.has(key)) rows.set(key, { name: cell.name, n: cell.n });
    rows.get(key)[cell.which] = cell.ms;
  }
  for (const row of [...rows.values()].sort((a, b) => a.name.localeCompare(b.name) || a.n - b.n)) {
    const tr = body.insertRow();
    for (const text of [row.name, row.n, ...Object.keys(NAMES).map((which) => time(row[which]))]) {
      tr.insertCell().textContent = text;
    }
  }
}

try {
  const { threads } = await import("./wasm/bundles.js");
  for (const which of RUNS) {
    if (which === "threads" && !(threads && self.crossOriginIsolated)) continue;
    await library(which);
  }
  show();
  status.textContent = "Done.";
  window.result = { cells, broken, datasets, cores: navigator.hardwareConcurrency, browser: navigator.userAgent };
} catch (error) {
  status.textContent = String(error);
  window.result = { error: String(error) };
}
