// Times payloads of messages both ways.
import { measure, show } from "./timed.js";
import init, { changed_results, message_as_text, message_as_value, message_names } from "./wasm/bench_page.js";

await show(async () => {
  await init();
  const payloads = message_names().map((name, i) => ({
    name,
    text: measure(11, () => message_as_text(i, structuredClone)).ms,
    value: measure(11, () => message_as_value(i, structuredClone)).ms,
  }));
  const [changed, results] = changed_results();
  return { payloads, changed, results };
});
