// The graphs that every library gets: the same edges from the same seed.

// Mulberry32: small, and the same in every browser.
function numbers(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

// Kinds of graphs: whether edges have a direction, whether they have weights.
export const KINDS = {
  plain: { directed: false, weighted: false },
  weighted: { directed: false, weighted: true },
  bipartite: { directed: false, weighted: false },
  directed: { directed: true, weighted: false },
  dag: { directed: true, weighted: false },
  flow: { directed: true, weighted: true },
};

// A connected graph of n nodes and five times as many edges (fewer where there is no room): a random
// tree, and random pairs until there are enough. Weights are whole numbers from 1 to 10.
export function makeGraph(kind, n) {
  const { directed, weighted } = KINDS[kind];
  const random = numbers(n + 17);
  const m = Math.min(5 * n, Math.floor((n * (n - 1)) / 4));
  const from = new Uint32Array(m), to = new Uint32Array(m);
  const seen = new Set();
  let count = 0;
  const add = (a, b) => {
    if (kind === "bipartite") [a, b] = [a & ~1, b | 1];
    const [low, high] = a < b ? [a, b] : [b, a];
    if (low === high || seen.has(low * n + high)) return;
    seen.add(low * n + high);
    // Directions: any in a directed graph, upwards where there must be no cycle.
    const turned = kind === "directed" && random() < 0.5;
    from[count] = turned ? high : low;
    to[count] = turned ? low : high;
    count += 1;
  };
  for (let v = 1; v < n && count < m; v++) add(Math.floor(random() * v), v);
  while (count < m) add(Math.floor(random() * n), Math.floor(random() * n));
  const weights = weighted ? Float64Array.from(from, () => 1 + Math.floor(random() * 10)) : new Float64Array(0);
  return { n, m, directed, weighted, from, to, weights };
}

// A sum that differs where the values stand in another order; what ours makes too.
export function digest(values) {
  let sum = 0;
  values.forEach((value, i) => { sum += value * (1 + (i % 7)); });
  return sum;
}
