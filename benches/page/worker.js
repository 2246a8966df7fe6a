// Times one library, in a worker of its own: one after the other, so that none disturbs another.
import { CASES, SHARED, SIZES } from "./cases.js";
import { makeGraph } from "./graphs.js";

const OPEN = {
  ours: async () => (await import("./ours.js")).openSingle(),
  threads: async () => (await import("./ours.js")).openThreads(),
  graphology: async () => (await import("./graphology.js")).openGraphology(),
  petgraph: async () => (await import("./petgraph.js")).openPetgraph(),
  networkx: async () => (await import("./networkx.js")).openNetworkx(),
};
// A sample lasts so long at least, a cell so long at most, and there are so many samples.
const SAMPLE_MS = 4, CELL_MS = 3000, SAMPLES = 7;

function median(values) {
  return values.sort((a, b) => a - b)[values.length >> 1];
}

// The median time of a call, after one to warm up, and after it those that make a sample long enough.
function measure(library, name, loaded) {
  let times = 1;
  let first = library.time(name, loaded, 1);
  while (first < SAMPLE_MS && times < 100_000) {
    times = Math.ceil(times * Math.min(10, Math.max(2, (1.3 * SAMPLE_MS) / Math.max(first, 0.001))));
    first = library.time(name, loaded, times);
  }
  const samples = [];
  let spent = 0;
  while (samples.length < SAMPLES && (spent < CELL_MS || samples.length < 1)) {
    const took = library.time(name, loaded, times);
    spent += took;
    samples.push(took / times);
  }
  return { ms: median(samples), best: Math.min(...samples), samples: samples.length };
}

onmessage = ({ data: { which, onlyShared } }) => {
  run(which, onlyShared).catch((error) => postMessage({ which, error: String(error.stack ?? error) }));
};

async function run(which, onlyShared) {
  const library = await OPEN[which]();
  if (library.dataset) {
    postMessage({ which, dataset: library.dataset(320) });
  }
  const last = new Map();
  for (const n of SIZES) {
    for (const kind of new Set(CASES.map((c) => c[1]))) {
      const cases = CASES.filter(([name, k, most]) =>
        k === kind && n <= most && library.has(name, n) && ((which !== "threads" && !onlyShared) || SHARED.has(name))
        // What would take three times as long as a cell may, going by the size before, is left out.
        && !((last.get(name) ?? 0) * (most < 10_000 ? 100 : 12) > 3 * CELL_MS));
      if (cases.length === 0) continue;
      const graph = makeGraph(kind, n);
      const loaded = library.load(graph);
      for (const [name] of cases) {
        try {
          const value = library.value(name, loaded);
          const cell = measure(library, name, loaded);
          last.set(name, cell.ms);
          postMessage({ which, name, n, m: graph.m, ...cell, value });
        } catch (error) {
          // A library may not be made for graphs of this size; that is a result too.
          postMessage({ which, name, n, broke: String(error).slice(0, 200) });
        }
      }
      library.free(loaded);
    }
  }
  postMessage({ which, done: true });
}
