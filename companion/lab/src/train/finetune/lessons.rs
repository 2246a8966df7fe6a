//! Conversations in which functions of the library are called, in the form that fine-tuning reads: what
//! a person would collect of their own tool, with real results.

use std::sync::Arc;

use agent::{ToolSet as _, answer_call};
use anyhow::{Result, bail};
use llm::{Message, Role, ToolCall, ToolSpec};
use rand::Rng as _;
use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use systems::grounded::GraphTools;
use tasks::{Difficulty, TaskGroup, TaskId};

use crate::train::epoch_rng;
use crate::train::lm::{self, Mix};

/// Results that are longer are summarised, as in the real loop.
const MAX_RESULT_CHARS: usize = 6_000;

/// Functions that are offered beside the one that is asked for, so that there is something to choose.
const OFFERED: &[&str] = &["create_graph", "add_edges", "add_nodes", "has_path", "find_cycle"];

/// A function with what is asked of it.
struct Lesson {
    function: &'static str,
    asks: &'static [&'static str],
    /// The answer in words; none where the function gave none.
    says: fn(&Value) -> Option<String>,
}

/// What stands before the edges.
const OPENINGS: &[&str] = &[
    "In an undirected graph, the edges are:",
    "The graph has these edges:",
    "Here is an undirected graph. Its edges are:",
    "Edges:",
];

static LESSONS: &[Lesson] = &[
    Lesson {
        function: "find_bridges",
        asks: &[
            "Which edges are bridges?",
            "Find all bridges of this graph.",
            "What are the bridges of the graph?",
            "Give the bridges.",
            "Without which edges would the graph be separate parts? Give the bridges.",
            "Is there a bridge? Give every bridge.",
        ],
        says: |result| {
            let pairs = result["bridges"].as_array()?;
            let pairs: Vec<String> = pairs.iter().map(|p| format!("({},{})", p[0], p[1])).collect();
            Some(match pairs.is_empty() {
                true => "There are no bridges.".to_owned(),
                false => format!("The bridges are: {}.", pairs.join(" ")),
            })
        },
    },
    Lesson {
        function: "diameter",
        asks: &[
            "What is the diameter of this graph?",
            "Find the diameter.",
            "Compute the diameter of the graph.",
            "Give the diameter of this network.",
            "How long is the diameter?",
        ],
        says: |result| Some(format!("The diameter is {}.", result["diameter"].as_f64()?)),
    },
    Lesson {
        function: "is_tree",
        asks: &[
            "Is this graph a tree?",
            "Check whether the graph is a tree.",
            "Are these edges a tree?",
            "Is it a tree?",
        ],
        says: |result| {
            let is = result["is_tree"].as_bool()?;
            Some(if is { "Yes, it is a tree." } else { "No, it is not a tree." }.to_owned())
        },
    },
];

struct Talk {
    tools: GraphTools,
    specs: Vec<ToolSpec>,
    messages: Vec<Value>,
    n_calls: usize,
}

impl Talk {
    /// The assistant calls, at once; gives the last result.
    fn call(&mut self, calls: Vec<(&str, Value)>) -> Value {
        let mut made = Vec::new();
        for (name, arguments) in calls {
            self.n_calls += 1;
            made.push(ToolCall {
                id: format!("call_{}", self.n_calls),
                name: name.to_owned(),
                arguments: arguments.to_string(),
            });
        }
        let written = made.iter().map(|call| {
            json!({ "id": call.id, "type": "function",
                    "function": { "name": call.name, "arguments": call.arguments } })
        });
        let written: Vec<Value> = written.collect();
        self.messages.push(json!({ "role": "assistant", "content": null, "tool_calls": written }));
        let mut last = Value::Null;
        for call in &made {
            let (result, _, told) = answer_call(&mut self.tools, &self.specs, call);
            let text = told.unwrap_or_else(|| result.to_model_text());
            last = serde_json::from_str(&text).unwrap_or_default();
            self.messages.push(json!({ "role": "tool", "tool_call_id": call.id, "content": text }));
        }
        last["result"].take()
    }
}

fn one(lesson: &Lesson, asked: usize, rng: &mut ChaCha8Rng) -> Option<Value> {
    let level = if rng.random_bool(0.5) { Difficulty::Easy } else { Difficulty::Medium };
    let problem = tasks::task(TaskId::Cycle).generate(level, rng.random());
    let pairs: Vec<(String, String)> = problem
        .graph
        .edges()
        .map(|edge| (edge.source.to_string(), edge.target.to_string()))
        .collect();
    let number = |text: &str| text.parse::<u32>().ok();
    let edges: Option<Vec<[u32; 2]>> =
        pairs.iter().map(|(a, b)| Some([number(a)?, number(b)?])).collect();
    let listed: Vec<String> = pairs.iter().map(|(a, b)| format!("({a},{b})")).collect();
    let question =
        format!("{} {}\n{}", OPENINGS.choose(rng)?, listed.join(" "), lesson.asks[asked]);
    let tools = GraphTools::default().with_compact_results(MAX_RESULT_CHARS);
    let specs = tools.specs();
    let offered: Vec<Value> = specs
        .iter()
        .filter(|spec| OFFERED.contains(&spec.name.as_str()) || spec.name == lesson.function)
        .map(|spec| json!({ "type": "function", "function": spec }))
        .collect();
    let messages = vec![json!({ "role": "user", "content": question })];
    let mut talk = Talk { tools, specs, messages, n_calls: 0 };
    talk.call(vec![
        ("create_graph", json!({ "directed": false, "weighted": false })),
        ("add_edges", json!({ "edges": edges? })),
    ]);
    let result = talk.call(vec![(lesson.function, json!({}))]);
    let says = (lesson.says)(&result)?;
    talk.messages.push(json!({ "role": "assistant", "content": says }));
    Some(json!({ "messages": talk.messages, "tools": offered,
                 "template": format!("{}-{}", lesson.function, asked + 1) }))
}

/// A message as OpenAI's form has it.
fn written(message: &Message) -> Value {
    let calls: Vec<Value> = message
        .tool_calls
        .iter()
        .map(|call| {
            json!({ "id": call.id, "type": "function",
                    "function": { "name": call.name, "arguments": call.arguments } })
        })
        .collect();
    let content = &message.content;
    match message.role {
        Role::System => json!({ "role": "system", "content": content }),
        Role::User => json!({ "role": "user", "content": content }),
        Role::Assistant if calls.is_empty() => json!({ "role": "assistant", "content": content }),
        Role::Assistant => json!({ "role": "assistant", "content": null, "tool_calls": calls }),
        Role::Tool => {
            json!({ "role": "tool", "tool_call_id": message.tool_call_id, "content": content })
        }
    }
}

/// What lessons about the benchmark's tasks are called.
const TASKS: &str = "tasks";

/// A problem of the benchmark with its solution, as our own model learned them at first: beside lessons
/// about something new they keep what it could do.
fn known(specs: &[ToolSpec], rng: &mut ChaCha8Rng) -> Option<Value> {
    let mix = Mix {
        tasks: TaskGroup::NlGraph.tasks().collect(),
        with_tools: 0.85,
        benchmark: 0.6,
        // A call of a tool that is not offered is no line to learn from.
        mistakes: 0.0,
        hardest: Difficulty::Hard,
        inline: 0.0,
        sentences: Arc::default(),
        plans: 0.0,
        people: 0.0,
        noise: 0.0,
    };
    let asked = lm::lessons::draw(rng, &mix);
    let (messages, _) = lm::lessons::conversation(rng, &mix, &asked)?;
    let called: Vec<&str> =
        messages.iter().flat_map(|m| &m.tool_calls).map(|call| call.name.as_str()).collect();
    let is_offered = |name: &str| OFFERED.contains(&name) || called.contains(&name);
    let offered: Vec<Value> = specs
        .iter()
        .filter(|spec| asked.has_tools && is_offered(&spec.name))
        .map(|spec| json!({ "type": "function", "function": spec }))
        .collect();
    let messages: Vec<Value> = messages.iter().map(written).collect();
    Some(
        json!({ "messages": messages, "tools": offered, "template": asked.problem.task().as_str() }),
    )
}

/// Conversations about a function, wordings in turn, or about the tasks of the benchmark; the same seed
/// makes the same ones.
pub(crate) fn lessons(function: &str, n: usize, seed: u64) -> Result<Vec<Value>> {
    if function == TASKS {
        let specs = GraphTools::default().specs();
        let mut rng = epoch_rng(seed, 2, 0);
        let made = std::iter::repeat_with(|| known(&specs, &mut rng)).take(20 * n).flatten();
        return Ok(made.take(n).collect());
    }
    let Some(lesson) = LESSONS.iter().find(|lesson| lesson.function == function) else {
        let known: Vec<&str> = LESSONS.iter().map(|lesson| lesson.function).collect();
        bail!("there are no lessons about {function:?}; there are {}, {TASKS}", known.join(", "));
    };
    let mut rng = epoch_rng(seed, 1, 0);
    let mut all = Vec::new();
    let mut tries = 0;
    while all.len() < n && tries < 20 * n {
        let asked = all.len() % lesson.asks.len();
        all.extend(one(lesson, asked, &mut rng));
        tries += 1;
    }
    Ok(all)
}
