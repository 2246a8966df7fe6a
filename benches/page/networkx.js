// networkx in Pyodide. Python times itself, so that the way into it is not counted.
import { loadPyodide } from "./pyodide/pyodide.mjs";

export async function openNetworkx() {
  const python = await loadPyodide({ indexURL: new URL("./pyodide/", import.meta.url).href });
  const wheel = await (await fetch("./networkx.whl")).arrayBuffer();
  python.unpackArchive(wheel, "wheel");
  python.runPython(await (await fetch("./networkx_cases.py")).text());
  const [prepare, timed, value, cases] =
    ["prepare", "timed", "value", "CASES"].map((name) => python.globals.get(name));
  const names = new Set(cases.keys());
  return {
    load: (g) => prepare(g.n, g.directed, g.from, g.to, g.weights),
    free: (loaded) => loaded.destroy(),
    has: (name) => names.has(name) || name === "build the graph",
    time: (name, loaded, times) => timed(name, loaded, times),
    value: (name, loaded) => Number(value(name, loaded)),
  };
}
