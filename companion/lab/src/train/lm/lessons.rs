//! What the model learns from: fresh problems, worded, and solved as the real loop solves them.

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use crate::train::learn::LessonText;
use agent::{ToolSet as _, answer_call};
use graph::NodeName;
use llm::{ChatRequest, Message, ToolCall, ToolSpec};
use ownmodel::codec;
use rand::Rng as _;
use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use systems::grounded::GraphTools;
use tasks::{Difficulty, Problem, Query, Style, TaskId, Wording, reference_text, solve};

use super::inline::Sentences;
use super::statements::sentence;
use super::{people, plans, thoughts, wording};

/// Results that are longer are summarised, as in the real loop.
const MAX_RESULT_CHARS: usize = 6_000;
/// Turns of a conversation.
const MAX_TURNS: usize = 8;

/// What texts are to be like.
#[derive(Clone, Debug)]
pub(crate) struct Mix {
    pub(crate) tasks: Vec<TaskId>,
    /// The share of texts with tools.
    pub(crate) with_tools: f64,
    /// The share in the benchmark's own words.
    pub(crate) benchmark: f64,
    /// The share of conversations with tools in which a call goes wrong first.
    pub(crate) mistakes: f64,
    /// The largest level that may come.
    pub(crate) hardest: Difficulty,
    /// The share of sentences with inline tool calls, and what they are made of.
    pub(crate) inline: f64,
    pub(crate) sentences: Arc<Sentences>,
    /// The share of traversal plans.
    pub(crate) plans: f64,
    /// The share of questions in people's own words.
    pub(crate) people: f64,
    /// The share of texts in which some words are others, or unknown.
    pub(crate) noise: f64,
}

/// A problem with its question, and whether tools are offered.
pub(crate) struct Asked {
    pub(crate) problem: Problem,
    pub(crate) question: String,
    pub(crate) has_tools: bool,
    /// The question asks for thoughts before the answer.
    pub(crate) thinks: bool,
}

/// Draws a problem and words for it.
pub(crate) fn draw(rng: &mut ChaCha8Rng, mix: &Mix) -> Asked {
    let task = mix.tasks.choose(rng).copied().unwrap_or(TaskId::Connectivity);
    let levels: Vec<Difficulty> =
        task.difficulties().iter().copied().filter(|d| *d <= mix.hardest).collect();
    let level = levels.choose(rng).copied().unwrap_or(Difficulty::Easy);
    let problem = tasks::task(task).generate(level, rng.random());
    let has_tools = rng.random_bool(mix.with_tools);
    let thinks = !has_tools && rng.random_bool(0.4) || has_tools && rng.random_bool(0.03);
    let style = match rng.random_range(0..20) {
        _ if thinks => Style::ZeroCot,
        0 => Style::BuildAGraph,
        1 if has_tools => Style::LeastToMost,
        _ => Style::ZeroShot,
    };
    if rng.random_bool(mix.benchmark) {
        // Names and edges in another order than the generator's, in half of the texts.
        let is_numbered = problem.graph.names().enumerate().all(|(i, name)| *name == i.into());
        let problem = if rng.random_bool(0.4) && is_numbered {
            let n = problem.graph.n_nodes();
            in_order(&wording::renamed(rng, &problem, n))
        } else {
            problem
        };
        let wording = match rng.random_range(0..10) {
            0 => Wording::Improved,
            1 => Wording::City,
            _ => Wording::Benchmark,
        };
        let question = problem.question(wording, style);
        return Asked { problem, question, has_tools, thinks };
    }
    let highest = if rng.random_bool(0.5) { 64 } else { problem.graph.n_nodes() };
    let problem = wording::renamed(rng, &problem, highest);
    let mut question = wording::ask(rng, &problem);
    if thinks {
        question.push_str(" Let's think step by step:");
    }
    Asked { problem, question, has_tools, thinks }
}

/// The same problem with its nodes in the order of their numbers, as the benchmark's words need it.
fn in_order(problem: &Problem) -> Problem {
    let graph = &problem.graph;
    let mut out =
        if graph.is_directed() { graph::Graph::directed() } else { graph::Graph::undirected() };
    let mut names: Vec<&NodeName> = graph.names().collect();
    names.sort();
    for name in names {
        let _ = out.apply(&graph::Delta::AddNode { node: name.clone() });
    }
    for i in graph.indices() {
        if let Some(values) = graph.embedding(i) {
            let (node, values) = (graph.name(i).clone(), values.to_vec());
            let _ = out.apply(&graph::Delta::SetEmbedding { node, values });
        }
    }
    for e in graph.edges() {
        let (source, target) = (e.source.clone(), e.target.clone());
        let (weight, capacity) = (e.weight, e.capacity);
        let _ = out.apply(&graph::Delta::AddEdge { source, target, weight, capacity });
    }
    Problem { graph: out, ..problem.clone() }
}

/// Every tool, made once: each takes a schema.
fn specs() -> &'static [ToolSpec] {
    static SPECS: OnceLock<Vec<ToolSpec>> = OnceLock::new();
    SPECS.get_or_init(|| GraphTools::default().with_compact_results(MAX_RESULT_CHARS).specs())
}

/// A conversation that is being made.
pub(super) struct Talk {
    tools: GraphTools,
    specs: &'static [ToolSpec],
    pub(super) messages: Vec<Message>,
    /// Of each turn of the model, whether it is to be learned.
    pub(super) learned: Vec<bool>,
    n_calls: usize,
}

impl Talk {
    /// One that begins with a question.
    pub(super) fn new(question: &str) -> Self {
        Self {
            tools: GraphTools::default().with_compact_results(MAX_RESULT_CHARS),
            specs: specs(),
            messages: vec![Message::user(question)],
            learned: Vec::new(),
            n_calls: 0,
        }
    }

    /// The model calls; gives the results.
    pub(super) fn call(&mut self, calls: Vec<(&str, Value)>, is_learned: bool) -> Vec<Value> {
        let mut message = Message::assistant("");
        for (name, arguments) in calls {
            self.n_calls += 1;
            let id = format!("call_{}", self.n_calls);
            message.tool_calls.push(ToolCall {
                id,
                name: name.to_owned(),
                arguments: arguments.to_string(),
            });
        }
        self.messages.push(message.clone());
        self.learned.push(is_learned);
        let mut results = Vec::new();
        for call in &message.tool_calls {
            let (result, _, told) = answer_call(&mut self.tools, self.specs, call);
            let text = told.unwrap_or_else(|| result.to_model_text());
            results.push(serde_json::from_str(&text).unwrap_or_default());
            self.messages.push(Message::tool(&call.id, text));
        }
        results
    }

    pub(super) fn say(&mut self, text: String) {
        self.messages.push(Message::assistant(text));
        self.learned.push(true);
    }
}

fn all_nodes(problem: &Problem) -> Value {
    let nodes: Vec<&NodeName> = problem.graph.names().collect();
    json!({ "nodes": nodes })
}

/// The calls that build the graph of a problem; `has_nodes` adds all nodes before the edges.
fn building(problem: &Problem, has_nodes: bool) -> Vec<(&'static str, Value)> {
    let graph = &problem.graph;
    let mut edges: Vec<Value> = Vec::new();
    let (mut weights, mut capacities) = (Vec::new(), Vec::new());
    for edge in graph.edges() {
        edges.push(json!([edge.source, edge.target]));
        weights.extend(edge.weight);
        capacities.extend(edge.capacity);
    }
    let is_weighted = !weights.is_empty();
    let mut arguments = json!({ "edges": edges });
    if is_weighted {
        arguments["weights"] = json!(weights);
    }
    if !capacities.is_empty() {
        arguments["capacities"] = json!(capacities);
    }
    let kind = json!({ "directed": graph.is_directed(), "weighted": is_weighted });
    let mut calls = vec![("create_graph", kind)];
    if has_nodes {
        calls.push(("add_nodes", all_nodes(problem)));
    }
    calls.push(("add_edges", arguments));
    if matches!(problem.query, Query::Gnn(_)) {
        let named = graph.indices().filter_map(|i| Some((graph.name(i), graph.embedding(i)?)));
        let (names, rows): (Vec<_>, Vec<_>) = named.unzip();
        let arguments = json!({ "nodes": names, "embeddings": rows });
        calls.push(("set_node_embeddings", arguments));
    }
    calls
}

/// A whole conversation about a problem: its messages, and of each turn of the model whether it is to
/// be learned. None where a problem has no answer of its kind.
pub(crate) fn conversation(
    rng: &mut ChaCha8Rng,
    mix: &Mix,
    asked: &Asked,
) -> Option<(Vec<Message>, Vec<bool>)> {
    let problem = &asked.problem;
    let mut talk = Talk::new(&asked.question);
    if !asked.has_tools {
        let answer = solve(problem);
        let text = reference_text(problem, &answer);
        talk.say(match asked.thinks {
            true => thoughts::before(problem, &answer) + &text,
            false => text,
        });
        return Some((talk.messages, talk.learned));
    }
    let (name, arguments) = problem.query.function();
    let errs = rng.random_bool(mix.mistakes);
    if errs && rng.random_bool(0.3) {
        // Asks before anything is there.
        talk.call(vec![(name, arguments.clone())], false);
    }
    // A node that no rule names has to be in the order, too. All are added before the rules, so that
    // nobody has to notice that one is missing.
    let is_order = matches!(problem.query, Query::Topology(_));
    talk.call(building(problem, is_order), true);
    if errs && rng.random_bool(0.5) {
        let wrong = match rng.random_range(0..3) {
            0 => (name, json!({})),
            1 => ("find_longest_path", json!({})),
            _ => {
                let (name, arguments) = problem.query.similar_function();
                (name, arguments)
            }
        };
        talk.call(vec![wrong], false);
    }
    let mut results = talk.call(vec![(name, arguments.clone())], true);
    let fails = |results: &[Value]| results.last().is_none_or(|r| r.get("error").is_some());
    if fails(&results)
        && let Some((a, b)) = problem.query.ends()
    {
        // A node that has no edge is not in the graph yet.
        let nodes = json!({ "nodes": [a, b] });
        results = talk.call(vec![("add_nodes", nodes), (name, arguments)], true);
    }
    if fails(&results) || talk.learned.len() > MAX_TURNS {
        return None;
    }
    let answer = problem.query.answer_of(&results.last()?["result"])?;
    talk.say(reference_text(problem, &answer));
    Some((talk.messages, talk.learned))
}

/// A conversation as a text to learn from; none where it does not fit.
pub(crate) fn lesson(
    messages: Vec<Message>,
    learned: &[bool],
    has_tools: bool,
) -> Option<LessonText> {
    let tools = if has_tools { vec![offer()] } else { Vec::new() };
    let request = ChatRequest { messages, tools, ..ChatRequest::default() };
    let mut tokens = codec::prompt(&request).ok()?;
    // The last one asks the model to go on.
    tokens.pop();
    let is_own = codec::own_turns(&tokens, learned);
    Some(LessonText { places: codec::places(&tokens), is_own, tokens })
}

/// Any tool: the model only learns that there are some.
pub(super) fn offer() -> ToolSpec {
    ToolSpec { name: "any".into(), description: String::new(), parameters: json!({}) }
}

/// A text to learn from, and how many questions were left out because they are held out.
pub(crate) fn make(
    rng: &mut ChaCha8Rng,
    mix: &Mix,
    held_out: &HashSet<[u8; 32]>,
) -> (LessonText, u64) {
    let mut n_left_out = 0;
    // A training without them draws what it always drew.
    if mix.people > 0.0
        && rng.random_bool(mix.people)
        && let Some(text) = people::any(rng, mix.with_tools)
    {
        return (text, 0);
    }
    let kind: f64 = rng.random();
    if kind < mix.plans
        && let Some(text) = plans::any(rng)
    {
        return (text, 0);
    }
    if kind < mix.plans + mix.inline
        && let Some((text, n)) = sentence(rng, &mix.sentences, held_out)
    {
        return (text, n);
    }
    loop {
        let asked = draw(rng, mix);
        if is_held_out(&asked.question, held_out) {
            n_left_out += 1;
            continue;
        }
        let made = conversation(rng, mix, &asked);
        let made = made.and_then(|(messages, learned)| lesson(messages, &learned, asked.has_tools));
        if let Some(mut text) = made {
            if rng.random_bool(mix.noise) {
                blur(rng, &mut text);
            }
            return (text, n_left_out);
        }
    }
}

/// Puts other words, or unknown ones, in the place of a few words of the question: people do not ask
/// in words that the model was shown.
fn blur(rng: &mut ChaCha8Rng, text: &mut LessonText) {
    // The question ends where the model is first asked to speak.
    let end = text.is_own.iter().position(|is| *is).unwrap_or_default();
    for token in &mut text.tokens[..end] {
        if ownmodel::is_word(*token) && rng.random_bool(0.04) {
            *token = ownmodel::some_word(rng.random_range(0..ownmodel::n_words() * 8 / 7));
        }
    }
    text.places = codec::places(&text.tokens);
}

/// A text of one level in the benchmark's words, as it is measured.
pub(crate) fn make_one(
    rng: &mut ChaCha8Rng,
    mix: &Mix,
    level: Difficulty,
    has_tools: bool,
    held_out: &HashSet<[u8; 32]>,
) -> LessonText {
    loop {
        let task = mix.tasks.first().copied().unwrap_or(TaskId::Connectivity);
        let problem = tasks::task(task).generate(level, rng.random());
        let question = problem.question(Wording::Benchmark, Style::ZeroShot);
        if is_held_out(&question, held_out) {
            continue;
        }
        let asked = Asked { problem, question, has_tools, thinks: false };
        let made = conversation(rng, mix, &asked);
        let made = made.and_then(|(messages, learned)| lesson(messages, &learned, has_tools));
        if let Some(text) = made {
            return text;
        }
    }
}

/// What a question is known by.
pub(crate) fn hash(question: &str) -> [u8; 32] {
    Sha256::digest(question.trim().as_bytes()).into()
}

pub(super) fn is_held_out(question: &str, held_out: &HashSet<[u8; 32]>) -> bool {
    !held_out.is_empty() && held_out.contains(&hash(question))
}
