//! Any question at all: the model builds the graph itself, and nobody knows the right answer.
//!
//! The answer is held against the graph **that the model built**: what it says is consistent with its
//! own graph or is not. Whether the graph is the one that the question means, a person sees, and may
//! correct it and have the answer checked again.

mod named;
mod unsaid;

use agent::RunContext;
use graph::{Graph, NodeName};
use llm::{Message, Model};
use serde::{Deserialize, Serialize};
use tasks::claims::{self, Claim};
use tasks::{Certificate, EdgeMark, MarkKind, NodeMark, Problem, Query, TaskId, Verdict};
use trace::{Step, StepBody, Stop, ToolResult, Trace};

use crate::grounded::{Composing, GraphTools, Surface};
use crate::reply::{asks_back, ends_with_question, with_reply};
use named::{Named, written};
use unsaid::unsaid;

/// The id of the system in traces.
pub const FREE: &str = "free";

/// What is said before the question, behind the words of the system with tools.
const BUILD: &str = " The question comes in plain words. First build the graph that it tells of, with \
                     the names that it has. Take the answer from the results of functions alone. If \
                     the question leaves open what is meant, ask back in one question.";

/// The most made-up nodes or edges that are listed in words.
const MOST_LISTED: usize = 6;

/// What is asked, and how.
pub struct FreeRequest<'a> {
    /// The question; or what a person replies, where a trace is gone on with.
    pub says: &'a str,
    /// The conversation so far; the question begins one, if none.
    pub resume: Option<Trace>,
    /// What the model sees of the tools.
    pub surface: Surface,
    /// The composed functions of the conversation; those that a trace began with stay.
    pub composing: Composing,
    /// Limits, seed, clock, and who may stop it.
    pub setting: RunContext<'a>,
}

/// How an answer stands to the graph that the model built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// All that could be checked holds in its own graph.
    Consistent,
    /// Something that it says does not hold in its own graph.
    Contradicts,
    /// The graph has nodes that neither the question nor a reply names, or edges between nodes that they
    /// do not connect, so nothing that is built on it can be trusted.
    MadeUp,
    /// It says nothing that could be checked.
    Unchecked,
    /// The model built no graph: the answer stands on nothing.
    NoGraph,
    /// The model asks back; that is no answer.
    AsksBack,
    /// There is no answer.
    NoAnswer,
}

/// An answer held against the graph that the model built.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FreeCheck {
    /// How it stands to the graph.
    pub standing: Standing,
    /// In a sentence or two, for people.
    pub words: String,
    /// What the last call that computes something asked, as a task of the benchmark, where it is one.
    pub query: Option<Query>,
    /// The certificate of the answer to that.
    pub certificate: Certificate,
    /// What the answer claims of the graph.
    pub claims: Vec<Claim>,
    /// The graph that it was held against.
    pub graph: Graph,
}

/// Lets a model answer a question in anybody's words, with the graph functions as tools. What comes
/// back may be gone on with: a reply to a question of the model, or a further question.
///
/// Paper: Graph-Grounded LLMs §II-A; that the answer is held against the model's own graph is ours.
pub async fn run_free(
    request: FreeRequest<'_>,
    model: &dyn Model,
    on_step: &mut dyn FnMut(&Step),
) -> Trace {
    let FreeRequest { says, resume, surface, composing, setting } = request;
    let start = match resume {
        Some(before) => {
            let start = with_reply(before, says);
            start.steps.last().into_iter().for_each(&mut *on_step);
            start
        }
        None => {
            let rules = format!("{}{BUILD}", surface.prompt());
            let prompt = vec![Message::system(rules), Message::user(says)];
            let composed = composing.functions;
            Trace { composed, ..Trace::new(FREE, model.label(), prompt) }
        }
    };
    let mut tools = surface.put_on(GraphTools::before(&start)).resumed(&start);
    if composing.may_propose {
        tools = tools.with_proposals();
    }
    agent::run(start, model, &mut tools, &surface.choosing, setting, on_step).await
}

/// Holds the answer of a trace against a graph: the one that its calls made, or a person's correction
/// of it. O(steps + the answer's claims and their checks).
pub fn check_free(trace: &Trace, corrected: Option<&Graph>) -> FreeCheck {
    let own = trace.graph_after(trace.steps.len()).unwrap_or_else(|_| Graph::undirected());
    let graph = corrected.cloned().unwrap_or(own);
    let mut check = FreeCheck {
        standing: Standing::NoAnswer,
        words: String::new(),
        query: None,
        certificate: Certificate::default(),
        claims: Vec::new(),
        graph,
    };
    let answer = match (trace.ended(), trace.answer()) {
        (_, Some(text)) => text,
        (stop, None) => {
            let why = stop.as_ref().map_or_else(String::new, Stop::title);
            check.words = format!("There is no answer: {why}.");
            return check;
        }
    };
    if asks_back(answer) {
        mark_asked(&mut check);
        return check;
    }
    if check.graph.n_nodes() == 0 {
        check.standing = Standing::NoGraph;
        check.words =
            "The model built no graph: its answer stands on nothing that could be checked.".into();
        return check;
    }
    let whose = if corrected.is_some() { "the graph as you corrected it" } else { "its own graph" };
    check.query = last_asked(trace, &check.graph);
    // Claims need a question to be read in; without one, that of the graph as a whole.
    let query = check.query.clone().or_else(|| {
        let all = TaskId::suited(&check.graph);
        all.iter().find(|query| query.ends().is_none()).or(all.first()).cloned()
    });
    let Some(query) = query else {
        check.standing = Standing::Unchecked;
        check.words = format!("Nothing could be checked against {whose}: it is too small.");
        return check;
    };
    let problem = Problem { difficulty: None, seed: None, graph: check.graph.clone(), query };
    check.claims = claims::find(&problem, answer);
    let n_claims = check.claims.len();
    let n_false = check.claims.iter().filter(|claim| !claim.is_true).count();
    let verdict = check
        .query
        .is_some()
        .then(|| tasks::verify(&problem, answer))
        .filter(|judgement| judgement.verdict != Verdict::NoAnswer);
    let judged = verdict.as_ref().map(|judgement| judgement.verdict);
    let explained = verdict.as_ref().map(|j| j.explanation.as_str()).unwrap_or_default();
    let told = match n_claims {
        0 => String::new(),
        1 => format!(
            " One claim was checked; {}.",
            if n_false == 0 { "it holds" } else { "it is false" }
        ),
        n if n_false == 0 => format!(" {n} claims were checked; all hold."),
        n => format!(" {n} claims were checked; {n_false} are false."),
    };
    let is_bad = n_false > 0 || judged == Some(Verdict::Incorrect);
    // In part means here that a path or the like is missing: nobody asked for one.
    let is_good = matches!(judged, Some(Verdict::Correct | Verdict::Partial)) || n_claims > 0;
    (check.standing, check.words) = if is_bad {
        let words = format!("The answer does not agree with {whose}. {explained}{told}");
        (Standing::Contradicts, words)
    } else if is_good {
        let words = format!(
            "The answer is consistent with {whose}; whether that is the graph you meant, nobody here \
             knows. {explained}{told}"
        );
        (Standing::Consistent, words)
    } else {
        let words = format!("The answer says nothing that could be checked against {whose}.");
        (Standing::Unchecked, words)
    };
    if let Some(judgement) = verdict {
        check.certificate = judgement.certificate;
    }
    if check.standing == Standing::Unchecked && ends_with_question(answer) {
        mark_asked(&mut check);
        return check;
    }
    // What a person corrected is what the person means.
    if corrected.is_none() {
        let written = written(trace);
        let nodes = Named::in_text(&written).missing(&check.graph);
        let edges = unsaid(&written, &check.graph);
        if !nodes.is_empty() || !edges.is_empty() {
            mark_made_up(&mut check, &nodes, edges);
        }
    }
    check
}

fn mark_asked(check: &mut FreeCheck) {
    check.standing = Standing::AsksBack;
    check.words = "The model asks back. Reply, and it continues.".into();
}

/// Says of a graph what of it is made up, and draws that: nodes that nobody named with their edges, and
/// edges between nodes that nobody joined.
fn mark_made_up(check: &mut FreeCheck, nodes: &[NodeName], edges: Vec<(NodeName, NodeName)>) {
    let listed = |all: Vec<String>, link: &str| {
        let more = all.len().saturating_sub(MOST_LISTED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{}{more}", all[..all.len().min(MOST_LISTED)].join(link))
    };
    let mut words = String::new();
    if !nodes.is_empty() {
        let names = listed(nodes.iter().map(ToString::to_string).collect(), " and no ");
        words = format!("Made up: the question names no {names}.");
    }
    if !edges.is_empty() {
        let space = if words.is_empty() { "" } else { " " };
        let pairs = edges.iter().map(|(a, b)| format!("{a} and {b}")).collect();
        words +=
            &format!("{space}Made up: the question does not connect {}.", listed(pairs, ", nor "));
    }
    check.words = match check.standing {
        Standing::Contradicts => format!("{words} {}", check.words),
        _ => {
            check.standing = Standing::MadeUp;
            // What holds in a graph that nobody meant would look like a proof.
            check.claims.clear();
            check.certificate.lines.clear();
            format!("{words} What the answer builds on that says nothing about your question.")
        }
    };
    let is_of = |node: &NodeName| nodes.contains(node);
    let marks = &mut check.certificate.marks;
    marks.nodes.retain(|mark| !is_of(&mark.node));
    let of_nodes = check.graph.edges().filter(|edge| is_of(edge.source) || is_of(edge.target));
    let of_nodes = of_nodes.map(|edge| (edge.source.clone(), edge.target.clone()));
    let false_edges: Vec<_> = of_nodes.chain(edges).collect();
    marks.edges.retain(|mark| {
        let is_same = |(a, b): &(NodeName, NodeName)| {
            (a, b) == (&mark.source, &mark.target) || (b, a) == (&mark.source, &mark.target)
        };
        !false_edges.iter().any(is_same)
    });
    for (source, target) in false_edges {
        marks.edges.push(EdgeMark { source, target, kind: MarkKind::False, label: None });
    }
    for node in nodes {
        marks.nodes.push(NodeMark { node: node.clone(), kind: MarkKind::False, label: None });
    }
}

/// What the last call asked that computes something a task asks for.
fn last_asked(trace: &Trace, graph: &Graph) -> Option<Query> {
    trace.steps.iter().rev().find_map(|step| match &step.body {
        StepBody::Call { call, result: ToolResult::Value { .. }, .. } => {
            let arguments = serde_json::from_str(&call.arguments).ok()?;
            Query::of_call(graph, &call.name, &arguments)
        }
        _ => None,
    })
}
