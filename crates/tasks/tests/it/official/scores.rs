//! What the scripts' own checks gave to texts that were made at random, about random graphs.
//!
//! `scores.jsonl` has the texts and the scores. The checks were taken by hand out of the sources of
//! GraphArena (`tasks/` and the notebook of the tables), GraphWiz (`evaluate_nlg.py`) and
//! GraphInstruct (`GTG/`), and run with networkx 3.6 and Python 3.11. Generator and checks are not
//! here, because the checks are not ours to publish.

use graph::{Graph, NodeName};
use serde_json::Value;
use tasks::official::arena::{self, ArenaClass, ArenaProblem, ArenaTask};
use tasks::official::instruct::{self, InstructOutcome, InstructProblem, InstructTask};
use tasks::official::wiz::{self, WizTask};

const SCORES: &str = include_str!("scores.jsonl");

fn name(value: &Value) -> NodeName {
    match value.as_i64() {
        Some(number) => number.into(),
        None => value.as_str().unwrap().into(),
    }
}

fn read_graph(directed: bool, nodes: &[Value], edges: &Value) -> Graph {
    let mut graph = if directed { Graph::directed() } else { Graph::undirected() };
    for node in nodes {
        graph.ensure_node(name(node)).unwrap();
    }
    for edge in edges.as_array().unwrap() {
        match edge[2].as_f64() {
            Some(weight) => graph.link_weighted(name(&edge[0]), name(&edge[1]), weight).unwrap(),
            None => graph.link(name(&edge[0]), name(&edge[1])).unwrap(),
        }
    }
    graph
}

fn str_of<'v>(row: &'v Value, field: &str) -> &'v str {
    row[field].as_str().unwrap_or_default()
}

fn arena_differs(row: &Value) -> Option<String> {
    let graph = read_graph(false, row["nodes"].as_array().unwrap(), &row["edges"]);
    let ends = row["ends"].as_array().map(|ends| (name(&ends[0]), name(&ends[1])));
    let second = row["n2"].as_u64().map(|n| {
        let nodes: Vec<Value> = (0..n).map(Value::from).collect();
        read_graph(false, &nodes, &row["second"])
    });
    let labels = [0, 1].map(|side| {
        let labels = row["labels"][side].as_array().into_iter().flatten();
        labels.map(|label| label.as_str().unwrap().to_owned()).collect()
    });
    let problem = ArenaProblem {
        task: ArenaTask::from_name(str_of(row, "task")).unwrap(),
        graph: &graph,
        ends: ends.as_ref().map(|(a, b)| (a, b)),
        second: second.as_ref(),
        labels,
        reference: row["ref"].as_f64(),
    };
    let class = |letter: &str| match letter {
        "C" => Some(ArenaClass::Correct),
        "S" => Some(ArenaClass::Suboptimal),
        "H" => Some(ArenaClass::Hallucinatory),
        "M" => Some(ArenaClass::Missing),
        _ => None,
    };
    let score = arena::score(&problem, str_of(row, "text")).unwrap();
    let same = score.value == row["value"].as_f64().unwrap()
        && score.table == class(str_of(row, "table"))
        && score.figure == class(str_of(row, "figure"));
    (!same).then(|| format!("{score:?}"))
}

fn wiz_differs(row: &Value) -> Option<String> {
    let task = WizTask::from_name(str_of(row, "task")).unwrap();
    let score = wiz::score(task, str_of(row, "label"), str_of(row, "text"));
    (Some(score.correct) != row["ok"].as_bool()).then(|| format!("{score:?}"))
}

fn instruct_differs(row: &Value) -> Option<String> {
    let directed = row["directed"].as_bool().unwrap();
    let graph = read_graph(directed, row["nodes"].as_array().unwrap(), &row["edges"]);
    let problem = InstructProblem {
        task: InstructTask::from_name(str_of(row, "task")).unwrap(),
        graph: &graph,
        question: str_of(row, "question"),
        answer: str_of(row, "answer"),
    };
    let score = instruct::score(&problem, str_of(row, "text"));
    let outcome = match row["out"].as_u64().unwrap() {
        0 => InstructOutcome::Wrong,
        1 => InstructOutcome::Right,
        _ => InstructOutcome::Stops,
    };
    (score.outcome != outcome).then(|| format!("{score:?}"))
}

#[test]
fn every_text_gets_the_score_that_the_script_gave() {
    let mut seen = [0; 3];
    let mut wrong = Vec::new();
    for line in SCORES.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let (kind, differs) = match str_of(&row, "bench") {
            "arena" => (0, arena_differs(&row)),
            "wiz" => (1, wiz_differs(&row)),
            _ => (2, instruct_differs(&row)),
        };
        seen[kind] += 1;
        wrong.extend(differs.map(|ours| format!("{ours}\n  {line}")));
    }
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(8)].join("\n")
    );
    assert!(seen.iter().all(|n| *n >= 100), "{seen:?}");
}
