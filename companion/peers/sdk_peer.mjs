// The official OpenAI SDK for JavaScript (npm `openai`) against `graphground serve`: the list of models, a
// plain and a streamed answer, a forced tool call, and an error.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import assert from "node:assert/strict";
import OpenAI from "openai";

const serve = spawn(process.argv[2], ["serve", "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
try {
  const first = await new Promise((done) => createInterface({ input: serve.stdout }).once("line", done));
  const client = new OpenAI({ baseURL: first.match(/http:\/\/\S+\/v1/)[0], apiKey: "none", maxRetries: 0 });
  const names = [];
  for await (const model of client.models.list()) names.push(model.id);
  assert(names.includes("script"), names);
  const content =
    "Determine if there is a path between two nodes in the graph. Note that (i,j) means that node i and node j " +
    "are connected with an undirected edge.\nGraph: (0,1) (1,2) (3,4)\nQ: Is there a path between node 0 and " +
    "node 2?\nA:";
  const messages = [{ role: "user", content }];
  const plain = await client.chat.completions.create({ model: "script", messages });
  const said = plain.choices[0].message.content;
  assert(said, plain);
  const stream = await client.chat.completions.create({ model: "script", messages, stream: true });
  let pieces = "";
  for await (const piece of stream) pieces += piece.choices[0]?.delta?.content ?? "";
  assert.equal(pieces, said);
  const parameters = { type: "object", properties: { directed: { type: "boolean" }, weighted: { type: "boolean" } } };
  const tools = [{ type: "function", function: { name: "create_graph", description: "Begins.", parameters } }];
  const called = await client.chat.completions.create({ model: "script", messages, tools });
  assert.equal(called.choices[0].finish_reason, "tool_calls");
  JSON.parse(called.choices[0].message.tool_calls[0].function.arguments);
  await assert.rejects(client.chat.completions.create({ model: "nobody", messages }), /nobody/);
  console.log(`openai for JavaScript: ${names.length} models, the same answer whole and streamed, a tool call`);
} finally {
  serve.kill();
}
