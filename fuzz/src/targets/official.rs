//! Files, questions and answers of five benchmarks, by their own forms and rules.

use std::sync::LazyLock;

use graph::{Graph, NodeName};
use tasks::official::arena::{self, ArenaProblem, ArenaTask};
use tasks::official::files::{self, pickle::Pickle};
use tasks::official::instruct::{self, InstructProblem, InstructTask};
use tasks::official::wiz::{self, WizTask};
use tasks::official::{gracore, nlgraph, questions};
use tasks::{Difficulty, Problem, TASKS, TaskGroup};

use crate::{Target, choice, text};

/// Names under which a file may come; the task and the form follow from some.
const NAMES: [&str; 4] =
    ["claude_MCP_hard.json", "TSP_easy.pkl", "BFS/BFS.csv", "Tree/graph_8.json"];

fn file_seeds() -> Vec<Vec<u8>> {
    let files: [&[u8]; 6] = [
        br#"{"0": {"claude": "[Al, Bo]", "problem": "Who?"}, "1": {"claude": null}}"#,
        b"(lp0\n(dVid\nI0\nsVproblem_text\nVWho?\nsVexact_answer\nI3\nsVgraph\ncg\nGraph\n)Rsa.",
        b"id,task,question,answer\n0,BFS,\"Start from node 0, \"\"go\"\".\nNow.\",\"[0, 1]\"\n",
        br#"{"nodes": [0], "edges": [], "diameter": NaN, "graph_description": "G", "QA": {"structure_qa": [{"node_number": 1}], "specail_qa": {"Q": "?", "A": "1"}}}"#,
        br####"{"input_prompt": "Find the maximum flow", "answer": "### 3"}"####,
        br#"[{"instruction": "Go.", "input": "", "output": "<<<1>>>"}]"#,
    ];
    let named = |name: usize| files.map(|file| [&[name as u8][..], file].concat());
    (0..NAMES.len()).flat_map(named).collect()
}

fn graphs() -> [Graph; 2] {
    let mut people = Graph::undirected();
    let mut numbers = Graph::undirected();
    for (a, b) in [("Al", "Bo"), ("Bo", "Di"), ("Di", "Eve"), ("AAA", "BBB")] {
        // Names of a few letters, so that this cannot fail.
        let _ = people.link(a, b);
    }
    for (a, b) in [(0_usize, 1_usize), (0, 2), (1, 2)] {
        let _ = numbers.link(a, b);
    }
    [people, numbers]
}

fn score(data: &[u8]) {
    let text = text(data);
    let (label, text) = text.split_once('\n').unwrap_or(("### Yes", &text));
    let [people, numbers] = graphs();
    let ends: (NodeName, NodeName) = ("Al".into(), "Di".into());
    for task in ArenaTask::ALL {
        let problem = ArenaProblem {
            task,
            graph: if task == ArenaTask::Ged { &numbers } else { &people },
            ends: Some((&ends.0, &ends.1)),
            second: Some(&numbers),
            labels: [vec!["C".into(); 3], vec!["O".into(); 3]],
            reference: Some(2.0),
        };
        assert!(arena::score(&problem, text).is_ok_and(|score| score.value >= -2.0));
    }
    for task in WizTask::ALL {
        wiz::score(task, label, text);
    }
    for (task, _) in InstructTask::NAMED {
        for question in ["Start from node 0, go.", label] {
            let problem = InstructProblem { task, graph: &numbers, question, answer: label };
            instruct::score(&problem, text);
        }
    }
    gracore::score(label, text);
    for problem in &*NLGRAPH {
        nlgraph::score(problem, text);
    }
}

/// A problem of each of NLGraph's tasks.
static NLGRAPH: LazyLock<Vec<Problem>> = LazyLock::new(|| {
    let make = |id| tasks::task(id).generate(Difficulty::Easy, 1);
    TaskGroup::NlGraph.tasks().map(make).collect()
});

pub(super) fn targets() -> Vec<Target> {
    vec![
        Target::new(
            "benchmark_file",
            2048,
            |data| {
                let (name, data) = choice(data);
                drop(files::read(NAMES[name % NAMES.len()], data));
            },
            |_| file_seeds(),
        ),
        Target::new(
            "pickle",
            1024,
            |data| drop(Pickle::read(data)),
            |_| {
                vec![
                    file_seeds()[1][1..].to_vec(),
                    b"\x80\x04\x95\x00\x00\x00\x00\x00\x00\x00\x00]\x94(}\x94\x8c\x02id\x94K\x07s\x8c\x01g\x8c\x01G\x93)\x81}b\x8f(K\x01\x90G@\x04\x00\x00\x00\x00\x00\x00e.".to_vec(),
                ]
            },
        ),
        Target::new("official_score", 1024, score, |_| {
            let texts: [&[u8]; 5] = [
                b"no\nThe solution: yes, the path can be 0,1 job 2 applicant 3 this way node 0: [1,2]",
                b"### [[0, 1]]\nSo [Al, Bo, Di], and [0, 1], [1, 2]. ### 1, 0 <<<[0, 1, 2]>>>",
                b"5\n[AAA, BBB, AAA] <<<1/2>>> ### -5",
                b"Yes\n[] <<<(0, 1) (2, 1)>>> no ###",
                b"Nodes set 1 contains: 0.\nNodes set 2 contains: 1. <<<0 -> 1>>>",
            ];
            texts.map(<[u8]>::to_vec).to_vec()
        }),
        Target::new(
            "graphwiz_question",
            4096,
            |data| {
                let text = text(data);
                if let Ok(question) = questions::read(&text) {
                    let again =
                        questions::write(&question.problem).map(|text| questions::read(&text));
                    assert_eq!(again, Some(Ok(question)));
                }
            },
            |_| {
                let problems = TASKS.iter().map(|task| task.generate(Difficulty::Easy, 1));
                problems
                    .filter_map(|problem| questions::write(&problem))
                    .map(String::into_bytes)
                    .collect()
            },
        ),
    ]
}
