// petgraph's own algorithms, compiled as ours are.
export async function openPetgraph() {
  const module = await import("./wasm/bench_page.js");
  await module.default();
  const place = new Map();
  const most = new Map();
  module.peer_cases().forEach((line, i) => {
    const [name, n] = line.split("|");
    place.set(name, i);
    most.set(name, Number(n));
  });
  const build = (g) => new module.BenchPeer(g.n, g.directed, g.from, g.to, g.weights);
  return {
    load: (g) => ({ given: g, graph: build(g) }),
    free: ({ graph }) => graph.free(),
    has: (name, n) => name === "build the graph" || (place.has(name) && n <= most.get(name)),
    time(name, { given, graph }, times) {
      const began = performance.now();
      if (name === "build the graph") {
        for (let i = 0; i < times; i++) build(given).free();
      } else {
        graph.run(place.get(name), times);
      }
      return performance.now() - began;
    },
    value: (name, { given, graph }) => (name === "build the graph" ? given.m : graph.run(place.get(name), 1)),
  };
}
