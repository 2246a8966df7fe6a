//! The scoring rules that benchmarks published, with their faults, and readers of their files.

mod arena;
mod files;
mod hostile;
mod instruct;
mod nlgraph;
mod pickles;
mod questions;
mod scores;
mod wiz;

use graph::Graph;
use tasks::official::arena::{ArenaProblem, ArenaTask};

/// The undirected graph of such lines as `Al Bo, Bo Di`; a name alone is a node without edges, a
/// third word a weight.
fn graph(lines: &str) -> Graph {
    let mut graph = Graph::undirected();
    fill(&mut graph, lines);
    graph
}

fn fill(graph: &mut Graph, lines: &str) {
    for line in lines.split(", ") {
        match &line.split(' ').collect::<Vec<_>>()[..] {
            [a] => drop(graph.ensure_node(*a).unwrap()),
            [a, b] => graph.link(*a, *b).unwrap(),
            [a, b, weight] => graph.link_weighted(*a, *b, weight.parse().unwrap()).unwrap(),
            _ => panic!("{line}"),
        }
    }
}

fn problem(task: ArenaTask, graph: &Graph, reference: f64) -> ArenaProblem<'_> {
    let labels = [Vec::new(), Vec::new()];
    ArenaProblem { task, graph, ends: None, second: None, labels, reference: Some(reference) }
}

/// The document says which test shows which fault.
#[test]
fn the_document_names_tests_that_exist() {
    let document = include_str!("../../../../../docs/benchmark-rules.md");
    let sources = [
        include_str!("arena.rs"),
        include_str!("files.rs"),
        include_str!("hostile.rs"),
        include_str!("instruct.rs"),
        include_str!("nlgraph.rs"),
        include_str!("pickles.rs"),
        include_str!("questions.rs"),
        include_str!("scores.rs"),
        include_str!("wiz.rs"),
        include_str!("../../../src/dataset/rows/tests.rs"),
        include_str!("../conformance/mod.rs"),
    ];
    let sources = sources.concat();
    let words = document.split('`').skip(1).step_by(2);
    let named: Vec<&str> = words.filter(|word| word.matches('_').count() >= 3).collect();
    for name in &named {
        assert!(sources.contains(&format!("fn {name}(")), "no test is called {name}");
    }
    for name in sources.split("#[test]\nfn ").skip(1).filter_map(|rest| rest.split('(').next()) {
        let shows_fault =
            ["f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "wiz_", "instruct_"]
                .iter()
                .any(|start| name.starts_with(start));
        let is_told = named.contains(&name) || name.ends_with("_as_meant");
        assert!(!shows_fault || is_told, "{name} is not in the document");
    }
    assert!(named.len() > 40, "{named:?}");
}
