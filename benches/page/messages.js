// Times payloads of messages both ways. `window.result` is for the command that prints it.
import init, { changed_results, message_as_text, message_as_value, message_names } from "./wasm/bench_page.js";

function measure(times, run) {
  const samples = [];
  for (let i = 0; i < times; i += 1) {
    const begun = performance.now();
    run();
    samples.push(performance.now() - begun);
  }
  samples.sort((a, b) => a - b);
  return samples[times >> 1];
}

try {
  await init();
  const payloads = message_names().map((name, i) => ({
    name,
    text: measure(11, () => message_as_text(i, structuredClone)),
    value: measure(11, () => message_as_value(i, structuredClone)),
  }));
  const [changed, results] = changed_results();
  const result = { payloads, changed, results, browser: navigator.userAgent };
  document.querySelector("#result").textContent = JSON.stringify(result, null, 2);
  document.querySelector("#status").textContent = "Done.";
  window.result = result;
} catch (error) {
  document.querySelector("#status").textContent = String(error);
  window.result = { error: String(error.stack ?? error) };
}
