//! Runs files and files of problems.

use std::borrow::Cow;

use eval::report::ReportOptions;
use eval::{Report, Runs};
use trace::Trace;

use crate::{Target, text};

const RUNS: &[u8] = include_bytes!("../../seeds/runs.jsonl");

pub(super) fn targets() -> Vec<Target> {
    let lines = |bytes: &[u8]| {
        // Whole, and as far as a few lines of it say something.
        let all: Vec<&[u8]> = bytes.split_inclusive(|b| *b == b'\n').collect();
        (1..=all.len()).map(|n| all[..n].concat()).collect::<Vec<_>>()
    };
    vec![
        Target::new(
            "runs",
            16_384,
            |data| {
                let text = text(data);
                let Ok(runs) = Runs::<Trace>::read(&text) else { return };
                drop(Report::of(&runs, ReportOptions::default()).tables(&runs));
                let written: String = runs.into_entries().map(|entry| entry.line()).collect();
                let again = Runs::<Trace>::read(&written);
                assert!(again.is_ok(), "{:?} of {written}", again.err());
            },
            move |_| lines(RUNS),
        ),
        Target::new(
            "problems",
            4096,
            |data| {
                let text: Cow<'_, str> = text(data);
                if let Ok(items) = systems::nlgraph::problems::read("x.jsonl", &text) {
                    for item in items.iter().take(4).filter(|i| i.graph.n_nodes() <= 20) {
                        let _ = item.problem();
                    }
                }
                drop(eval::prices::read_price(&text));
            },
            |places| {
                let mut seeds = vec![
                    br#"{"id":"a","task":"cycle","graph":"0-1\n1-2\n2-0","question":"Is there a cycle?"}"#.to_vec(),
                    br#"{"question":"In an undirected graph, (i,j) means that node i and node j are connected with an undirected edge. The nodes are numbered from 0 to 2, and the edges are: (0,1) (1,2). Q: Is there a path between node 0 and node 2?\nA:","answer":"yes"}"#.to_vec(),
                    br#"{"0":{"question":"In an undirected graph, the nodes are numbered from 0 to 2, and the edges are:\nan edge between node 0 and node 1 with weight 2.\nQ: Give the shortest path from node 0 to node 1.\nA:","answer":"0,1","difficulty":"easy"}}"#.to_vec(),
                ];
                seeds.extend(places.others("nlgraph", ".json"));
                seeds
            },
        ),
    ]
}
