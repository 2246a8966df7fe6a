// Times solver and judge on problems of every task.
import { show } from "./timed.js";
import init, { BenchTask } from "./wasm/bench_page.js";

const N = Number(new URLSearchParams(location.search).get("n") ?? 20);

// The mean time of a problem, and the longest.
function times(run) {
  let [sum, longest] = [0, 0];
  for (let at = 0; at < N; at += 1) {
    const begun = performance.now();
    run(at);
    const took = performance.now() - begun;
    sum += took;
    longest = Math.max(longest, took);
  }
  return [sum / N, longest];
}

await show(async () => {
  await init();
  const cases = [];
  for (let place = 0; place < BenchTask.count(); place += 1) {
    const problems = new BenchTask(place, N);
    let right = 0;
    const [solve, longest] = times((at) => problems.solve(at));
    const [both] = times((at) => { right += Number(problems.solve_and_judge(at)); });
    cases.push({ name: problems.name(), solve, longest, both, right });
    problems.free();
    // The page says how far it is.
    document.querySelector("#status").textContent = cases.at(-1).name;
    await new Promise((go) => setTimeout(go));
  }
  return { cases };
});
