//! The benchmark's questions, answers and disasters.

use std::cell::RefCell;

use tasks::rescue::{Scenario, check_text, read_sentence};
use tasks::{Difficulty, Problem, Style, TASKS, Wording, parse_attached, parse_question, verify};

use crate::{Target, choice, text};

/// A small problem of each task and level.
fn problems() -> Vec<Problem> {
    TASKS
        .iter()
        .flat_map(|task| Difficulty::ALL.map(|level| task.generate(level, 1)))
        .filter(|p| p.graph.n_nodes() <= 20)
        .collect()
}

/// Questions in every wording, and those of the public files.
fn questions(places: &crate::Places) -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for problem in problems() {
        for wording in Wording::ALL {
            seeds.push(problem.question(wording, Style::ZeroShot).into_bytes());
            seeds.push(problem.attached_question(wording).into_bytes());
        }
    }
    seeds.extend(places.others("nlgraph", ".json"));
    seeds
}

pub(super) fn targets() -> Vec<Target> {
    vec![
        Target::new(
            "kgot_gaia",
            1024,
            |data| drop(tasks::kgot::read_gaia(&text(data), &[("a.csv".into(), vec![1])])),
            |_| {
                let line: &[u8] = br#"{"task_id":"a","Question":"Q?","Level":1,"Final answer":"7","file_name":"a.csv"}"#;
                vec![line.to_vec(), [line, b"\n\n[1]\n", line].concat()]
            },
        ),
        Target::new(
            "kgot_simple_qa",
            1024,
            |data| drop(tasks::kgot::read_simple_qa(&text(data))),
            |_| {
                let table =
                    "metadata,problem,answer\n\"{'topic': 'Art'}\",\"Who, \"\"x\"\"?\",Ada\n";
                vec![table.as_bytes().to_vec()]
            },
        ),
        Target::new(
            "nlgraph_question",
            4096,
            |data| {
                let text = text(data);
                drop(parse_question(&text));
                drop(parse_attached(&text));
            },
            questions,
        ),
        Target::new(
            "nlgraph_file",
            8192,
            |data| {
                let text = text(data);
                drop(tasks::dataset::parse(&text));
                drop(tasks::dataset::parse_logged(&text));
                drop(tasks::dataset::parse_answered(&text));
            },
            |places| {
                let mut seeds = places.others("nlgraph", ".json");
                seeds.push(br#"{"0":{"question":"In an undirected graph, the nodes are numbered from 0 to 1, and the edges are: (0,1). Q: Is there a cycle in this graph?\nA:","answer":"no","difficulty":"easy"}}"#.to_vec());
                seeds.push(
                    br#"{"question":"q","answer":"a","response":"The answer is yes."}"#.to_vec(),
                );
                seeds.push(br#"{"question":"In an undirected graph, (i,j) means that node i and node j are connected with an undirected edge. The nodes are numbered from 0 to 1, and the edges are: (0,1)\nQ: Is there a cycle in this graph?\nA:","answer":"No.","difficulty":"easy","seed":1}"#.to_vec());
                seeds
            },
        ),
        judged("nlgraph_answer", |problem, text| {
            let _ = verify(problem, text);
        }),
        judged("claims", |problem, text| {
            for claim in tasks::claims::find_with_answer(problem, text) {
                assert!(text.get(claim.start..claim.end).is_some(), "{claim:?}");
            }
        }),
        Target::new(
            "rescue_scenario",
            8192,
            |data| {
                let Ok(scenario) = Scenario::from_json(&text(data)) else { return };
                assert!(Scenario::from_json(&scenario.to_json()).is_ok());
            },
            |_| vec![NINE.as_bytes().to_vec()],
        ),
        spoken("rescue_sentence", |scenario, text| {
            let _ = read_sentence(scenario, text);
        }),
        spoken("rescue_plan", |scenario, text| {
            let _ = check_text(scenario, text);
        }),
    ]
}

/// What is read against a problem, which the first byte chooses.
fn judged(name: &str, run: fn(&Problem, &str)) -> Target {
    let made = RefCell::new(Vec::new());
    let judge = move |data: &[u8]| {
        let mut made = made.borrow_mut();
        if made.is_empty() {
            *made = problems();
        }
        let (which, rest) = choice(data);
        let n = made.len();
        if let Some(problem) = made.get(which % n.max(1)) {
            run(problem, &text(rest));
        }
    };
    Target::new(name, 2048, judge, |_| {
        let mut seeds = Vec::new();
        for (i, problem) in problems().iter().enumerate() {
            let answer = tasks::reference_text(problem, &tasks::solve(problem));
            seeds.push([&[i as u8][..], answer.as_bytes()].concat());
            let said = "Node 0 is connected to nodes 1 and 2. There is no edge between 1 and 2. \
                        The path 0-1-2 has a total weight of 3.5, so ### Answer: **[0, 1, 2]**.";
            seeds.push([&[i as u8][..], said.as_bytes()].concat());
        }
        seeds
    })
}

const NINE: &str = include_str!("../../../assets/scenarios/nine-locations.json");

/// What is read against a disaster.
fn spoken(name: &str, run: fn(&Scenario, &str)) -> Target {
    let scenario = Scenario::from_json(NINE).ok();
    let read = move |data: &[u8]| {
        if let Some(scenario) = &scenario {
            run(scenario, &text(data));
        }
    };
    Target::new(name, 2048, read, |_| {
        let known = [
            "The road between A and B is blocked by a flood.",
            "Two survivors at C are in critical condition; drone 1 is back at the base.",
            "Which route does robot 2 take, and why?",
            "Plan:\n1. robot_1: base -> A -> B (2.5 km)\n2. drone 2 flies to C, then back\nUnreachable: D, E\nTotal: 12.5",
            "{\"routes\":[{\"vehicle\":\"robot_1\",\"stops\":[\"base\",\"A\"]}],\"unreachable\":[]}",
        ];
        let mut seeds: Vec<Vec<u8>> = known.iter().map(|k| k.as_bytes().to_vec()).collect();
        if let Ok(scenario) = Scenario::from_json(NINE) {
            if let Ok(plan) = tasks::rescue::plan(&scenario) {
                seeds.push(plan.to_text().into_bytes());
            }
            for seed in 0..12 {
                let event = tasks::rescue::random_event(&scenario, seed);
                seeds.extend(event.map(|event| event.sentence().into_bytes()));
            }
        }
        seeds
    })
}
