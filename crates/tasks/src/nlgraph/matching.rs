//! A largest assignment of jobs to applicants.

use std::fmt::Write as _;

use graph::functions::max_bipartite_matching::max_bipartite_matching;
use graph::{Graph, NodeIdx, NodeName};
use rand::Rng as _;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::{last, random};
use crate::definition::{Asked, Definition, Functions, Listed, Row, Speech};
use crate::names::number_of;
use crate::parse::{Builder, Cursor, GraphText, MAX_QUESTION_NODES};
use crate::verify::matching as verify;
use crate::{
    Difficulty, EdgeNumber, ParseError, SideSizes, Slip, SlipKind, Style, TaskGroup, Wording,
};

const OPENING: &str = "There are";

pub use crate::verify::matching::Answer;
/// What it asks beside the graph.
pub type Query = SideSizes;

pub(crate) const TASK: Definition<Query, Answer> = Definition {
    title: "Bipartite matching",
    lede: "How can the most applicants each get a job that they want?",
    group: TaskGroup::NlGraph,
    difficulties: &[Difficulty::Easy, Difficulty::Hard],
    is_directed: false,
    edge_number: EdgeNumber::Unused,
    openings: &[OPENING],
    question_words: &["job applicants numbered"],
    asks: "assignment of jobs",
    make,
    parse,
    ask,
    fits: |_| Ok(()),
    solve,
    reference,
    reasoned,
    algorithm: "We can give each applicant in turn a free job, and where none is free, ask those \
                who hold a wanted job to take another one.",
    n_exemplars: 5,
    read: verify::read,
    judge: verify::judge,
    unique: |_, answer| format!("size {}", answer.count.unwrap_or(answer.pairs.len() as u64)),
    ballot,
    slip,
    speech: Speech { list: Listed::Path, pair_is_edge: false, row: Row::Assignment },
    functions: Functions {
        goal: |_| {
            "The question asks for a largest assignment of jobs to applicants: a maximum matching \
             of a bipartite graph."
                .into()
        },
        answering: &["max_bipartite_matching", "max_flow"],
        similar: |_| ("color_graph", json!({})),
        result,
    },
};

fn applicant(i: usize) -> NodeName {
    NodeName::Text(format!("a{i}").into())
}

fn job(i: usize) -> NodeName {
    NodeName::Text(format!("j{i}").into())
}

/// The empty graph of so many applicants, then so many jobs.
/// The place of the i-th node.
fn place(i: usize) -> NodeIdx {
    (i as u32).into()
}

fn parties(n_applicants: usize, n_jobs: usize, room: usize) -> Result<Builder, ParseError> {
    let found = n_applicants.saturating_add(n_jobs);
    if found > MAX_QUESTION_NODES {
        let limit = MAX_QUESTION_NODES;
        return Err(ParseError::TooLarge { what: "applicants and jobs", found, limit });
    }
    let mut builder = Builder::empty(found, room);
    for i in 0..n_applicants {
        builder.node_named(applicant(i));
    }
    for i in 0..n_jobs {
        builder.node_named(job(i));
    }
    Ok(builder)
}

/// A random bipartite graph. Levels as published: applicants 4 to 9 with jobs 2 more or fewer, 10 to
/// 15 with 3 more or fewer. Inferred from the raw graphs: the spread of densities.
fn make(difficulty: Difficulty, rng: &mut ChaCha8Rng) -> (Graph, SideSizes) {
    let (low, high, spread, sparse, dense) = match difficulty {
        Difficulty::Hard => (10, 15, 3, 20, 60),
        _ => (4, 9, 2, 20, 75),
    };
    loop {
        let n_applicants = random::between(rng, low, high);
        let n_jobs = random::between(rng, n_applicants - spread, n_applicants + spread);
        let p = random::between(rng, sparse, dense) as f64 / 100.0;
        let Ok(mut builder) = parties(n_applicants, n_jobs, 0) else { continue };
        for a in 0..n_applicants {
            for j in random::shuffled(rng, n_jobs) {
                if rng.random_bool(p) {
                    let _ = builder.link(place(a), place(n_applicants + j), None, None);
                }
            }
        }
        let graph = builder.finish();
        if graph.n_edges() >= 2 {
            return (graph, SideSizes { n_applicants, n_jobs });
        }
    }
}

fn parse(cursor: &mut Cursor<'_>) -> Result<GraphText<SideSizes>, ParseError> {
    cursor.want(OPENING)?;
    let n_applicants = cursor.number("the number of applicants")?;
    cursor.want("job applicants numbered from")?;
    cursor.number("0")?;
    cursor.want("to")?;
    cursor.number("the number of the last applicant")?;
    cursor.want(", and")?;
    let n_jobs = cursor.number("the number of jobs")?;
    cursor.want("jobs numbered from")?;
    cursor.number("0")?;
    cursor.want("to")?;
    cursor.number("the number of the last job")?;
    cursor.want(".")?;
    cursor.seek("for only one job.")?;
    let mut builder = parties(n_applicants, n_jobs, cursor.room(36))?;
    while cursor.eat("Applicant") {
        let a = cursor.number("an applicant")?;
        if a >= n_applicants {
            return Err(cursor.unknown("applicant", a, n_applicants));
        }
        cursor.want("is interested in job")?;
        let j = cursor.number("a job")?;
        if j >= n_jobs {
            return Err(cursor.unknown("job", j, n_jobs));
        }
        builder.link(place(a), place(n_applicants + j), None, None)?;
        let _ = cursor.eat(".");
    }
    cursor.question_line("\"Applicant 0 is interested in job 1.\"")?;
    cursor.want("Find an assignment of jobs to applicants")?;
    Ok(GraphText { graph: builder.finish(), query: SideSizes { n_applicants, n_jobs } })
}

fn ask(problem: Asked<'_, SideSizes>, _: Wording, style: Style, out: &mut String) {
    let SideSizes { n_applicants: n1, n_jobs: n2 } = *problem.query;
    let _ = writeln!(
        out,
        "{OPENING} {n1} job applicants numbered from 0 to {}, and {n2} jobs numbered from 0 to {}. \
         Each applicant is interested in some of the jobs. Each job can only accept one applicant \
         and a job applicant can be appointed for only one job.",
        last(n1),
        last(n2)
    );
    for edge in problem.graph.edges() {
        let (a, j) = (number_of(edge.source), number_of(edge.target));
        let _ = writeln!(out, "Applicant {a} is interested in job {j}.");
    }
    out.push_str(
        "Q: Find an assignment of jobs to applicants in such that the maximum number of \
         applicants find the job they are interested in.\n",
    );
    if style.constructs() {
        out.push_str("Let's construct a graph based on the above information first.\n");
    }
    out.push_str("A:");
}

fn solve(problem: Asked<'_, SideSizes>) -> Answer {
    let graph = problem.graph;
    let mut pairs: Vec<(NodeName, NodeName)> = max_bipartite_matching(graph)
        .unwrap_or_default()
        .into_iter()
        .map(|(a, b)| {
            let (a, b) = (graph.name(a).clone(), graph.name(b).clone());
            if matches!(&a, NodeName::Text(t) if t.starts_with('a')) { (a, b) } else { (b, a) }
        })
        .collect();
    pairs.sort_by_key(|(a, _)| number_of(a));
    Answer { count: Some(pairs.len() as u64), pairs }
}

fn reference(_: Asked<'_, SideSizes>, answer: &Answer) -> String {
    let mut text = String::new();
    let Answer { pairs, .. } = answer;
    for (a, j) in pairs {
        let _ = writeln!(text, "applicant {}: job {}", number_of(a), number_of(j));
    }
    let _ = write!(text, "{} applicants can find the job they are interested in.", pairs.len());
    text
}

fn reasoned(problem: Asked<'_, SideSizes>, answer: &Answer) -> String {
    let mut text = String::new();
    for a in problem.graph.names().filter(|name| name.to_string().starts_with('a')) {
        let jobs: Vec<String> = problem
            .graph
            .edges()
            .filter(|e| e.source == a)
            .map(|e| format!("job {}", number_of(e.target)))
            .collect();
        if !jobs.is_empty() {
            let _ = writeln!(text, "Applicant {} wants {}.", number_of(a), jobs.join(", "));
        }
    }
    text + "We can make the following assignments:\n" + &reference(problem, answer)
}

/// What `max_bipartite_matching` gives.
fn result(result: &Value) -> Option<Answer> {
    let mut pairs: Vec<(NodeName, NodeName)> =
        serde_json::from_value(result.get("matching")?.clone()).ok()?;
    for pair in &mut pairs {
        // The function does not know which side the applicants are.
        if pair.0.to_string().starts_with('j') {
            std::mem::swap(&mut pair.0, &mut pair.1);
        }
    }
    pairs.sort_by_key(|(a, _)| number_of(a));
    Some(Answer { count: Some(pairs.len() as u64), pairs })
}

/// Two applicants get the same job, or one is forgotten.
fn slip(_: Asked<'_, SideSizes>, answer: &mut Answer, slip: &Slip) -> Option<String> {
    if answer.pairs.len() > 1 && slip.kind != SlipKind::Total {
        answer.pairs[1].1 = answer.pairs[0].1.clone();
        answer.count = Some(answer.pairs.len() as u64);
    } else {
        answer.pairs.pop();
    }
    None
}

fn ballot(answer: &Answer) -> String {
    let n = answer.count.unwrap_or(answer.pairs.len() as u64);
    if n == 0 && answer.count.is_none() { String::new() } else { format!("{n} pairs") }
}
