// petgraph's own algorithms, compiled as ours are.
import { timed } from "./timed.js";

export async function openPetgraph() {
  const module = await import("./wasm/bench_page.js");
  await module.default();
  const cases = module.peer_cases().map((line) => line.split("|"));
  const place = new Map(cases.map(([name], i) => [name, i]));
  const most = new Map(cases.map(([name, n]) => [name, Number(n)]));
  const library = timed((g) => new module.BenchPeer(g.n, g.directed, g.from, g.to, g.weights), place);
  return { ...library, has: (name, n) => library.has(name) && n <= (most.get(name) ?? Infinity) };
}
