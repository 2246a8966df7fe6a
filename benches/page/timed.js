// What the modules with our functions and with petgraph's have in common for the page.

// A library whose graphs `build` makes and whose cases `place` numbers.
export function timed(build, place) {
  return {
    load: (g) => ({ given: g, graph: build(g) }),
    free: ({ graph }) => graph.free(),
    has: (name) => name === "build the graph" || place.has(name),
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

// The median time of some calls, and what the last one gave.
export function measure(times, run) {
  const samples = [];
  let found = 0;
  for (let i = 0; i < times; i += 1) {
    const begun = performance.now();
    found = run();
    samples.push(performance.now() - begun);
  }
  samples.sort((a, b) => a - b);
  return { ms: samples[times >> 1], found };
}

// Shows what a measurement gives; `window.result` is for the command that prints it.
export async function show(measured) {
  const status = document.querySelector("#status");
  try {
    const result = { ...(await measured()), browser: navigator.userAgent };
    document.querySelector("#result").textContent = JSON.stringify(result, null, 2);
    status.textContent = "Done.";
    window.result = result;
  } catch (error) {
    status.textContent = String(error);
    window.result = { error: String(error.stack ?? error) };
  }
}
