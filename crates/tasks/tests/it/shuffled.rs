//! A problem under other names and told in another order is the same problem.

use std::collections::BTreeMap;

use graph::{Delta, Graph, NodeName};
use tasks::{
    Problem, Style, TASKS, TaskGroup, TaskId, Verdict, Wording, parse_question, reference_text,
    solve, verify, verify_answer,
};

/// The names in an order that the seed decides, those of one letter among themselves.
fn renaming(graph: &Graph, seed: u64) -> BTreeMap<NodeName, NodeName> {
    let mut groups: BTreeMap<Option<char>, Vec<NodeName>> = BTreeMap::new();
    for name in graph.names() {
        let letter = name.to_string().chars().next().filter(|c| c.is_alphabetic());
        groups.entry(letter).or_default().push(name.clone());
    }
    let mut names = BTreeMap::new();
    for group in groups.into_values() {
        let mut others = group.clone();
        let mut state = seed | 1;
        for i in (1..others.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            others.swap(i, (state >> 33) as usize % (i + 1));
        }
        names.extend(group.into_iter().zip(others));
    }
    names
}

/// The problem with its nodes renamed, its nodes in the order of the names and its edges turned
/// round in the list.
fn shuffled(problem: &Problem, seed: u64) -> Problem {
    let names = renaming(&problem.graph, seed);
    let graph = &problem.graph;
    let (directed, weighted) = (graph.is_directed(), graph.is_weighted());
    let mut deltas = vec![Delta::Create { directed, weighted }];
    deltas.extend(graph.names().map(|node| Delta::AddNode { node: node.clone() }));
    let mut edges: Vec<Delta> = graph
        .edges()
        .map(|edge| Delta::AddEdge {
            source: names[edge.source].clone(),
            target: names[edge.target].clone(),
            weight: edge.weight,
            capacity: edge.capacity,
        })
        .collect();
    edges.reverse();
    deltas.extend(edges);
    for place in graph.indices() {
        if let Some(values) = graph.embedding(place) {
            let node = names[graph.name(place)].clone();
            deltas.push(Delta::SetEmbedding { node, values: values.to_vec() });
        }
    }
    let query = match problem.query.ends() {
        Some((a, b)) => problem.query.with_ends(names[a].clone(), names[b].clone()),
        None => problem.query.clone(),
    };
    Problem { graph: Graph::from_deltas(&deltas).unwrap(), query, ..problem.clone() }
}

#[test]
fn another_order_of_nodes_changes_no_verdict_and_no_number() {
    for task in TASKS {
        for level in task.difficulties {
            for seed in 0..12 {
                let problem = task.generate(*level, seed);
                let other = shuffled(&problem, seed);
                let text = other.question(Wording::Benchmark, Style::ZeroShot);
                let read = parse_question(&text).unwrap();
                assert_eq!(read.query, other.query, "{text}");
                // The question of connectivity does not tell how many nodes there are.
                if task.id == TaskId::Connectivity {
                    assert_eq!(read.graph.n_edges(), other.graph.n_edges(), "{text}");
                } else {
                    assert_eq!(read.graph, other.graph, "{text}");
                }
                let (answer, same) = (solve(&problem), solve(&other));
                let judgement = verify_answer(&other, &same);
                assert_eq!(judgement.verdict, Verdict::Correct, "{}", judgement.explanation);
                let judgement = verify(&other, &reference_text(&other, &same));
                assert_eq!(judgement.verdict, Verdict::Correct, "{}", judgement.explanation);
                // Orders, sets and vectors go with the names; decisions and numbers do not.
                let is_named = task.id.group() == TaskGroup::GraphArena;
                let is_order = matches!(task.id, TaskId::BfsOrder | TaskId::DfsOrder);
                if !is_order && !matches!(task.id, TaskId::Topology | TaskId::Gnn) && !is_named {
                    assert_eq!(answer.ballot(), same.ballot(), "{text}");
                }
            }
        }
    }
}

#[test]
fn every_group_has_tasks_of_its_own() {
    for group in TaskGroup::ALL {
        assert!(group.tasks().all(|task| task.group() == group));
    }
}
