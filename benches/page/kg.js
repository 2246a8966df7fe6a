// Times a large knowledge graph.
import { measure, show } from "./timed.js";
import init, { BenchKg } from "./wasm/bench_page.js";

await show(async () => {
  const wasm = await init();
  const kg = new BenchKg(47_031, 2_300_000);
  return {
    bytes: kg.n_bytes(),
    parse: measure(5, () => kg.parse()),
    load: measure(5, () => kg.load()),
    one_hop: measure(5, () => kg.one_hop(1000)),
    two_hops: measure(5, () => kg.two_hops(100)),
    bytes_per_edge: kg.bytes_per_edge(),
    wasm_memory: wasm.memory.buffer.byteLength,
  };
});
