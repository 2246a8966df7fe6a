//! Retrieval without planning: Text-RAG and Graph-RAG.
//!
//! The baselines of GraphRunner §4. Text-RAG hands the model the nodes whose names and attributes
//! are most like the question, and no edge. Graph-RAG hands it everything within some hops of the
//! best node.
//!
//! `// Departs from the baseline's code:` there the second hop takes an edge's name for a node's
//! type and comes out empty wherever the two differ; here both hops are followed.

use std::collections::{BTreeSet, VecDeque};

use agent::Conversation;
use kg::find::FindOver;
use kg::{Direction, Kg, NodeIx, mentions};
use llm::{Message, Model};
use serde_json::json;
use text::Bm25;
use trace::{Step, StepBody, Stop, ToolResult};

use crate::experiment::SystemSpec;
use crate::kgqa::{
    ANSWER_FORM, Answered, Drawing, KgRequest, ROLES, RagCentre, TextRanking, begin, effects_of,
};

/// Text-RAG.
pub(crate) const TEXT_SYSTEM: SystemSpec = SystemSpec {
    id: "text_rag",
    title: "Text-RAG",
    lede: "Retrieves the nodes most like the question, as texts, and answers from them.",
    roles: ROLES,
    has_tools: false,
    in_shape: false,
};

/// Graph-RAG.
pub(crate) const GRAPH_SYSTEM: SystemSpec = SystemSpec {
    id: "graph_rag",
    title: "Graph-RAG",
    lede: "Retrieves the best node with all that is around it, and answers from that.",
    roles: ROLES,
    has_tools: false,
    in_shape: false,
};

/// The fields of the options that both look at.
pub(crate) const OPTIONS: &[&str] = &[
    "find",
    "measure",
    "max_shown",
    "ranking",
    "n_retrieved",
    "centre",
    "n_hops",
    "max_context_chars",
];

/// What the prompt begins with.
pub const INSTRUCTIONS: &str = "You answer a question from a context that was retrieved for it.";

/// Answers from the texts that are nearest to the question.
pub(crate) async fn over_texts(
    request: &KgRequest<'_>,
    model: &dyn Model,
    on_step: &mut dyn FnMut(&Step),
) -> Answered {
    run(request, texts, model, on_step).await
}

/// Answers from what lies next to the nodes that the question names.
pub(crate) async fn around_nodes(
    request: &KgRequest<'_>,
    model: &dyn Model,
    on_step: &mut dyn FnMut(&Step),
) -> Answered {
    run(request, around, model, on_step).await
}

async fn run(
    request: &KgRequest<'_>,
    retrieve: fn(&KgRequest<'_>) -> Retrieved,
    model: &dyn Model,
    on_step: &mut dyn FnMut(&Step),
) -> Answered {
    let kg: &Kg = request.finder.kg();
    let question = &request.question.question;
    let found = retrieve(request);
    let rules = format!("{INSTRUCTIONS} Use only the context. {ANSWER_FORM}");
    let asked = format!("Context:\n{}\nQuestion: {question}", found.context);
    let trace = begin(request.system, model, Vec::new());
    let mut talk = Conversation::new(trace, model, request.setting, on_step);
    let nodes: Vec<NodeIx> = found.nodes.iter().copied().collect();
    let n_edges = found.edges.len();
    let ran = kg::plan::StepResult {
        id: "retrieve".into(),
        value: kg::plan::StepValue::Nodes(nodes.clone()),
        hits: Vec::new(),
        near: Vec::new(),
        edges: found.edges,
        n_edges,
        notes: Vec::new(),
    };
    let effects = effects_of(kg, &ran, &mut Drawing::default());
    let names: Vec<String> = nodes.iter().take(200).map(|n| kg.label(*n)).collect();
    let value = json!({ "n": nodes.len(), "nodes": names, "n_chars": found.context.len() });
    let notes = found.notes;
    let began = talk.now_ms();
    // What was retrieved stands in the prompt already, so this is for people.
    let call = llm::ToolCall {
        id: "retrieve".into(),
        name: "retrieve".into(),
        arguments: json!({ "question": question }).to_string(),
    };
    let retrieved =
        StepBody::Call { call, result: ToolResult::Value { value, notes }, effects, told: None };
    talk.add(began, retrieved);
    talk.say(vec![Message::system(rules), Message::user(asked)], true);
    let stop = match talk.ask(&[]).await {
        Ok(_) => Stop::Answered,
        Err(stop) => stop,
    };
    let reached = found.nodes;
    Answered { trace: talk.end(stop), answer: None, plan: None, reached, n_repairs: 0, part: None }
}

struct Retrieved {
    context: String,
    nodes: BTreeSet<NodeIx>,
    edges: Vec<(NodeIx, kg::EdgeTypeIx, NodeIx)>,
    notes: Vec<String>,
}

/// A node as a text: name, type, attributes.
fn document(kg: &Kg, node: NodeIx) -> String {
    let mut text =
        format!("{} ({})", kg.label(node), kg.schema().node_type(kg.node_type(node)).name);
    for (key, value) in kg.attributes(node).into_iter().flatten() {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        text.push_str(&format!(", {key}: {value}"));
    }
    text
}

/// The nodes whose texts fit the question best, the best first.
fn ranked(request: &KgRequest<'_>) -> Vec<NodeIx> {
    let kg: &Kg = request.finder.kg();
    let question = &request.question.question;
    match request.options.ranking {
        TextRanking::Bm25 => {
            let all: Vec<NodeIx> = kg.nodes().collect();
            let index = Bm25::new(all.iter().map(|n| document(kg, *n)));
            let hits = index.rank(question).into_iter().take_while(|hit| hit.score > 0.0);
            hits.map(|hit| all[hit.index]).collect()
        }
        TextRanking::Similarity => {
            let hits = request.finder.rank(question, None, FindOver::Texts).into_iter();
            hits.map(|hit| hit.node).collect()
        }
    }
}

/// The texts of the nodes that fit the question best.
fn texts(request: &KgRequest<'_>) -> Retrieved {
    let kg: &Kg = request.finder.kg();
    let mut found = Retrieved {
        context: String::new(),
        nodes: BTreeSet::new(),
        edges: Vec::new(),
        notes: Vec::new(),
    };
    for node in ranked(request).into_iter().take(request.options.n_retrieved) {
        let line = document(kg, node);
        if found.context.len() + line.len() > request.options.max_context_chars {
            found.notes.push("the context was cut at its bound".into());
            break;
        }
        found.context.push_str(&format!("- {line}\n"));
        found.nodes.insert(node);
    }
    found
}

/// Everything within some hops of the node that the question is most about, breadth first.
fn around(request: &KgRequest<'_>) -> Retrieved {
    let kg: &Kg = request.finder.kg();
    let question = &request.question.question;
    let named = match request.options.centre {
        RagCentre::Named => mentions(kg, question, false),
        RagCentre::Similar => Vec::new(),
    };
    let longest = named.iter().max_by_key(|m| m.end - m.start).and_then(|m| m.nodes.first());
    let over = request.options.find.over;
    let similar = || request.finder.rank(question, None, over).first().map(|hit| hit.node);
    let best = longest.copied().or_else(similar);
    let mut found = Retrieved {
        context: String::new(),
        nodes: BTreeSet::new(),
        edges: Vec::new(),
        notes: Vec::new(),
    };
    let Some(best) = best else { return found };
    found.context = format!("Centre: {}\n", document(kg, best));
    found.nodes.insert(best);
    let mut told = BTreeSet::new();
    let mut queue = VecDeque::from([(best, 0)]);
    'search: while let Some((node, depth)) = queue.pop_front() {
        if depth >= request.options.n_hops {
            continue;
        }
        for (edge_type, way, other) in kg.edges_of(node, Direction::Both) {
            let is_in = way == Direction::In;
            let edge = if is_in { (other, edge_type, node) } else { (node, edge_type, other) };
            if !told.insert(edge) {
                continue;
            }
            let name = &kg.schema().edge_type(edge_type).name;
            let line = format!("- {} | {name} | {}\n", kg.label(edge.0), kg.label(edge.2));
            if found.context.len() + line.len() > request.options.max_context_chars {
                found.notes.push("the context was cut at its bound".into());
                break 'search;
            }
            found.context.push_str(&line);
            found.edges.push(edge);
            if found.nodes.insert(other) {
                queue.push_back((other, depth + 1));
            }
        }
    }
    found
}
