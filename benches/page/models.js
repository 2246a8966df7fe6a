// The page's model worker and wllama (llama.cpp for browsers) with the same file, the same conversations
// and the same threads, one after the other. `window.result` has the figures in the end.
import { Wllama } from "./wllama/index.js";

const status = document.querySelector("#status");
const ROUNDS = 2;
const OUTPUT = 96;
const CONTEXT = 4096;

// Words that a model has not seen in this order: nothing of one length is known from another.
const prompt = (n, seed) => {
  let state = seed;
  const next = () => (state = (state * 1103515245 + 12345) % 2147483648) % 40;
  const edges = Array.from({ length: n }, () => `(${next()}, ${next()})`).join(" ");
  return `Here are the edges of a graph: ${edges}. Tell a long story about this graph.`;
};
const SIZES = [["short", 10], ["middle", 60], ["long", 200]];

const body = (text) => ({
  messages: [{ role: "user", content: text }],
  temperature: 0,
  seed: 1,
  max_tokens: OUTPUT,
});

// Our worker, spoken to as the page does.
class Ours {
  constructor(threads) {
    this.worker = new Worker(`./model-bench.js?threads=${threads}`, { type: "module" });
    this.jobs = new Map();
    this.count = 0;
    this.ready = new Promise((resolve, reject) => {
      this.worker.onmessage = ({ data: [job, heard] }) => {
        if (heard.ready) return resolve();
        if (heard.panicked) return reject(new Error(heard.panicked.message));
        this.jobs.get(job)?.(heard);
      };
      this.worker.onerror = (event) => reject(new Error(event.message));
    });
  }

  ask(body, beside = {}, onText = () => {}) {
    const job = ++this.count;
    return new Promise((resolve, reject) => {
      this.jobs.set(job, (heard) => {
        if (heard.text) onText(heard.text.text);
        if (heard.answered || heard.listed) resolve(heard);
        if (heard.refused) reject(new Error(JSON.stringify(heard.refused)));
      });
      this.worker.postMessage({ job, body, ...beside });
    });
  }

  async load(file) {
    await this.ready;
    const heard = await this.ask({ add: { name: "bench.gguf" } }, { file });
    if (heard.listed.fault) throw new Error(heard.listed.fault);
  }

  async run(text) {
    const question = { ...body(text), model: "bench.gguf", stream: true, stream_options: { include_usage: true } };
    let whole = "";
    const begun = performance.now();
    let first;
    const heard = await this.ask({ ask: { body: JSON.stringify(question) } }, {}, (piece) => {
      first ??= performance.now();
      whole += piece;
    });
    const ended = performance.now();
    const events = whole.split("\n").filter((line) => line.startsWith("data: {")).map((line) => JSON.parse(line.slice(6)));
    const usage = events.findLast((event) => event.usage)?.usage;
    return { begun, first, ended, usage, own: heard.answered.speed };
  }

  end() {
    this.worker.terminate();
  }
}

class Theirs {
  constructor(threads) {
    this.threads = threads;
    this.wllama = new Wllama({ default: "./wllama/wasm/wllama.wasm" }, { suppressNativeLog: true });
  }

  async load(file) {
    await this.wllama.loadModel([file], { n_threads: this.threads, n_ctx: CONTEXT, n_gpu_layers: 0 });
    const threads = this.wllama.getNumThreads?.() ?? this.threads;
    if (threads !== this.threads) throw new Error(`wllama has ${threads} threads`);
  }

  async run(text) {
    const begun = performance.now();
    let first, usage, timings;
    const stream = await this.wllama.createChatCompletion({ ...body(text), stream: true, stream_options: { include_usage: true } });
    for await (const chunk of stream) {
      if (chunk.choices?.[0]?.delta?.content) first ??= performance.now();
      usage = chunk.usage ?? usage;
      timings = chunk.timings ?? timings;
    }
    const ended = performance.now();
    usage ??= timings && { prompt_tokens: timings.prompt_n, completion_tokens: timings.predicted_n };
    return { begun, first, ended, usage, timings };
  }

  async end() {
    await this.wllama.exit();
  }
}

const figures = (which, threads, size, run) => ({
  which,
  threads,
  size,
  prompt: run.usage.prompt_tokens,
  output: run.usage.completion_tokens,
  // The first token is part of reading: nothing is shown before it.
  read: (run.usage.prompt_tokens * 1000) / (run.first - run.begun),
  written: ((run.usage.completion_tokens - 1) * 1000) / (run.ended - run.first),
  own: run.own ?? run.timings,
});

try {
  const file = new File([await (await fetch("model.gguf")).blob()], "bench.gguf");
  const cells = [];
  const counts = new URL(location).searchParams.get("threads")?.split(",").map(Number) ?? [1, navigator.hardwareConcurrency];
  for (let round = 0; round < ROUNDS; round++) {
    for (const threads of counts) {
      for (const [which, Kind] of [["ours", Ours], ["wllama", Theirs]]) {
        status.textContent = `round ${round + 1} of ${ROUNDS}: ${which}, ${threads} threads`;
        const model = new Kind(threads);
        await model.load(file);
        await model.run(prompt(3, 99));
        for (const [i, [size, n]] of SIZES.entries()) {
          cells.push(figures(which, threads, size, await model.run(prompt(n, 1000 * round + i + 1))));
        }
        await model.end();
      }
    }
  }
  window.result = { browser: navigator.userAgent, cells };
} catch (error) {
  window.result = { error: String(error?.stack ?? error) };
}
status.textContent = "done";
