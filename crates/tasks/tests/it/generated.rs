//! Problems of our own making: they survive the way through the words, and broken answers are told
//! from whole ones.

use graph::NodeName;
use tasks::{
    Answer, Difficulty, Problem, Slip, SlipKind, Style, TASKS, TaskId, Verdict, Wording, answers,
    parse_question, reference_text, solve, task, verify, verify_answer,
};
use test_support::share;

const SEEDS: u64 = 60;

fn each_problem(mut visit: impl FnMut(&Problem)) {
    for task in TASKS {
        for level in task.difficulties {
            for seed in 0..share(SEEDS) {
                visit(&task.generate(*level, seed));
            }
        }
    }
}

#[test]
fn the_same_seed_makes_the_same_problem_and_another_seed_another() {
    for task in TASKS {
        let make = |seed| {
            task.generate(Difficulty::Easy, seed).question(Wording::Benchmark, Style::ZeroShot)
        };
        assert_eq!(make(5), make(5), "{}", task.id);
        assert!((0..9).any(|seed| make(seed) != make(5)), "{}", task.id);
    }
}

#[test]
fn a_question_is_read_back_as_the_problem_it_was() {
    each_problem(|problem| {
        for wording in Wording::ALL {
            let text = problem.question(wording, Style::ZeroShot);
            let read = parse_question(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
            assert_eq!(read.task(), problem.task());
            assert_eq!(read.graph, problem.graph, "{text}");
            assert_eq!(read.query, problem.query, "{text}");
        }
    });
}

/// A problem on a graph whose nodes somebody called by these names.
fn called(task: TaskId, names: &[&str]) -> Problem {
    let made = tasks::task(task).generate(Difficulty::Easy, 1);
    let mut graph = made.graph.clone();
    let before: Vec<NodeName> = graph.names().take(names.len()).cloned().collect();
    let rename = |graph: &mut graph::Graph, from: NodeName, to: NodeName| {
        graph.apply(&graph::Delta::RenameNode { from, to }).unwrap();
    };
    // By way of names that nobody has: a number may be another node's.
    for (i, from) in before.iter().enumerate() {
        rename(&mut graph, from.clone(), format!("free {i}").as_str().into());
    }
    for (i, name) in names.iter().enumerate() {
        rename(&mut graph, format!("free {i}").as_str().into(), (*name).into());
    }
    let query = TaskId::suited(&graph).into_iter().find(|q| q.task() == task).unwrap();
    Problem { graph, query, difficulty: None, seed: None }
}

#[test]
fn a_question_calls_nodes_by_their_names() {
    for task in [TaskId::ShortestPath, TaskId::Cycle, TaskId::Hamilton, TaskId::Flow] {
        let n = tasks::task(task).generate(Difficulty::Easy, 1).graph.n_nodes();
        let names: Vec<String> = (0..n).map(|i| format!("Ann{i}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        for wording in Wording::ALL {
            let text = called(task, &names).question(wording, Style::ZeroShot);
            assert!(!text.contains("numbered"), "{text}");
            assert!(text.contains("called Ann0, Ann1, "), "{text}");
        }
        let numbers: Vec<String> = (1..=n).map(|i| i.to_string()).collect();
        let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
        let text = called(task, &numbers).question(Wording::Benchmark, Style::ZeroShot);
        assert!(text.contains(&format!("numbered from 1 to {n}")), "{text}");
    }
    // The people and the jobs of a matching are numbered apart.
    let matching = task(TaskId::Matching).generate(Difficulty::Easy, 1);
    let text = matching.question(Wording::Benchmark, Style::ZeroShot);
    assert!(text.contains("job applicants numbered from 0 to"), "{text}");
}

#[test]
fn every_prompting_style_ends_in_the_same_question() {
    for task in TASKS {
        let problem = task.generate(Difficulty::Easy, 3);
        for style in Style::ALL {
            let text = problem.question(Wording::Benchmark, style);
            let read = parse_question(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
            assert_eq!(read.graph, problem.graph, "{style:?}: {text}");
            assert_eq!(read.query, problem.query, "{style:?}: {text}");
        }
    }
}

#[test]
fn each_prompting_style_has_its_words_where_they_belong() {
    let problem = task(TaskId::ShortestPath).generate(Difficulty::Easy, 3);
    let plain = problem.question(Wording::Benchmark, Style::ZeroShot);
    let prompt = |style| problem.question(Wording::Benchmark, style);
    let n_asked = |text: &str| text.matches("\nQ:").count();
    for (style, n) in [
        (Style::TwoShot, 2),
        (Style::FourShot, 4),
        (Style::EightShot, 8),
        (Style::TwelveShot, 12),
        (Style::SixteenShot, 16),
        (Style::FewShot, 5),
        (Style::HardCot, 5),
    ] {
        let text = prompt(style);
        assert_eq!(n_asked(&text), n + 1, "{style:?}");
        assert!(text.ends_with(&plain), "{style:?}");
    }
    let dots = ".".repeat(55);
    for (style, line) in [
        (Style::StepByStep, "Let's think step by step."),
        (Style::EachDetail, "Examine each detail carefully."),
        (Style::Systematically, "Think it through systematically."),
        (Style::Dots, dots.as_str()),
        (Style::BuildAGraphCot, "Let's construct a graph with the nodes and edges first."),
        (Style::BuildAGraphAlgorithm, "Let's construct a graph with the nodes and edges first."),
    ] {
        let text = prompt(style);
        assert_eq!(text.matches(&format!("\n{line}\nQ:")).count(), 6, "{style:?}: {text}");
    }
    assert!(prompt(Style::DotsFirst).starts_with(&format!("{dots}\n")));
    assert!(prompt(Style::BuildAGraphAlgorithm).starts_with("We can use Dijkstra"));
    // What is recited is so in the graph.
    let text = prompt(Style::Recitation);
    let edge = |n: u8| {
        let from = text.find(&format!("Q{n}: Is there an edge between ")).unwrap();
        let words: Vec<&str> = text[from..].split_whitespace().collect();
        let node = |word: &str| NodeName::from(word.trim_end_matches('?'));
        problem.graph.edge(&node(words[6]), &node(words[8])).is_some()
    };
    assert!(edge(1) && !edge(2), "{text}");
    // Harder examples are larger, and a task without the level takes the one below.
    assert!(prompt(Style::HardCot).len() > prompt(Style::Cot).len());
    assert_eq!(prompt(Style::MediumCot), prompt(Style::Cot));
    let cycle = task(TaskId::Cycle).generate(Difficulty::Easy, 3);
    let [cot, medium] =
        [Style::Cot, Style::MediumCot].map(|s| cycle.question(Wording::Benchmark, s));
    assert!(medium.len() > cot.len());
}

#[test]
fn our_solutions_are_right_in_words_and_as_they_are() {
    each_problem(|problem| {
        let answer = solve(problem);
        let judgement = verify_answer(problem, &answer);
        assert_eq!(judgement.verdict, Verdict::Correct, "{}", judgement.explanation);
        let text = reference_text(problem, &answer);
        let judgement = verify(problem, &text);
        assert_eq!(judgement.verdict, Verdict::Correct, "{text}: {}", judgement.explanation);
    });
}

#[test]
fn reasoned_exemplars_are_right_too() {
    for task in TASKS {
        let prompt = task.generate(Difficulty::Easy, 1).question(Wording::Benchmark, Style::Cot);
        let blocks: Vec<&str> = prompt.split("\n\n").collect();
        for block in &blocks[..blocks.len() - 1] {
            let at = block.find("\nA:").expect("an exemplar has an answer") + 3;
            let problem = parse_question(&block[..at]).unwrap();
            let judgement = verify(&problem, &block[at..]);
            assert_eq!(judgement.verdict, Verdict::Correct, "{block}: {}", judgement.explanation);
        }
    }
}

/// Ways to break a list of nodes so that no valid path or order is left.
fn broken_lists(nodes: &[NodeName]) -> Vec<Vec<NodeName>> {
    let mut lists = Vec::new();
    for i in 0..nodes.len() {
        let mut dropped = nodes.to_vec();
        dropped.remove(i);
        lists.push(dropped);
        let mut doubled = nodes.to_vec();
        doubled[i] = nodes[(i + 1) % nodes.len()].clone();
        lists.push(doubled);
    }
    let mut foreign = nodes.to_vec();
    foreign[0] = NodeName::Int(999);
    lists.push(foreign);
    lists
}

fn refuse(problem: &Problem, answer: &Answer) {
    let judgement = verify_answer(problem, answer);
    assert_ne!(judgement.verdict, Verdict::Correct, "{answer:?}: {}", judgement.explanation);
    let text = reference_text(problem, answer);
    let judgement = verify(problem, &text);
    assert_ne!(judgement.verdict, Verdict::Correct, "{text}: {}", judgement.explanation);
}

#[test]
fn a_broken_answer_is_never_correct() {
    each_problem(|problem| match solve(problem) {
        Answer::Connectivity(answers::Connectivity { connected, path, edges }) => {
            refuse(
                problem,
                &Answer::Connectivity(answers::Connectivity { connected: !connected, path, edges }),
            );
        }
        Answer::Cycle(answers::Cycle { has_cycle, cycle, edges }) => {
            refuse(problem, &Answer::Cycle(answers::Cycle { has_cycle: !has_cycle, cycle, edges }));
        }
        Answer::Topology(answers::Topology { possible, order }) => {
            for order in broken_lists(&order) {
                refuse(problem, &Answer::Topology(answers::Topology { possible, order }));
            }
            for edge in problem.graph.edges() {
                let mut swapped = order.clone();
                let place = |n: &NodeName| order.iter().position(|o| o == n).unwrap();
                swapped.swap(place(edge.source), place(edge.target));
                refuse(problem, &Answer::Topology(answers::Topology { possible, order: swapped }));
            }
        }
        Answer::ShortestPath(answers::ShortestPath { path, total, others, .. }) => {
            let wrong = Some(total.unwrap() + 1.0);
            refuse(
                problem,
                &Answer::ShortestPath(answers::ShortestPath {
                    path: path.clone(),
                    others: others.clone(),
                    total: wrong,
                    is_marked: false,
                }),
            );
            for i in 1..path.len() - 1 {
                let mut short = path.clone();
                short.remove(i);
                // Leaving a node out gives no path or a heavier one, else ours was not shortest;
                // or one of the same weight, which is right.
                let weight: Option<f64> = short
                    .windows(2)
                    .map(|s| problem.graph.edge(&s[0], &s[1]).map(|e| e.weight_or_one()))
                    .sum();
                if weight != total {
                    refuse(
                        problem,
                        &Answer::ShortestPath(answers::ShortestPath {
                            path: short,
                            others: others.clone(),
                            total,
                            is_marked: false,
                        }),
                    );
                }
            }
        }
        Answer::Flow(answers::Flow { value, .. }) => {
            for off in [-1.0, 1.0, 10.0] {
                let value = value.map(|v| v + off);
                refuse(problem, &Answer::Flow(answers::Flow { value, flows: Vec::new() }));
            }
        }
        Answer::Matching(answers::Matching { pairs, .. }) => {
            for i in 0..pairs.len() {
                let mut fewer = pairs.clone();
                fewer.remove(i);
                let count = Some(fewer.len() as u64);
                refuse(problem, &Answer::Matching(answers::Matching { pairs: fewer, count }));
                let mut shared = pairs.clone();
                let other = pairs[(i + 1) % pairs.len()].1.clone();
                if shared[i].1 != other {
                    shared[i].1 = other;
                    refuse(
                        problem,
                        &Answer::Matching(answers::Matching { pairs: shared, count: None }),
                    );
                }
            }
        }
        Answer::Hamilton(answers::Hamilton { exists, path }) => {
            refuse(
                problem,
                &Answer::Hamilton(answers::Hamilton { exists: Some(false), path: Vec::new() }),
            );
            for path in broken_lists(&path) {
                refuse(problem, &Answer::Hamilton(answers::Hamilton { exists, path }));
            }
        }
        Answer::Gnn(answers::Gnn { rows }) => {
            for i in 0..rows.len() {
                let mut wrong = rows.clone();
                wrong[i].1[0] += 1.0;
                refuse(problem, &Answer::Gnn(answers::Gnn { rows: wrong }));
                let mut fewer = rows.clone();
                fewer.remove(i);
                refuse(problem, &Answer::Gnn(answers::Gnn { rows: fewer }));
            }
        }
        // Those of other benchmarks slip, below, and have tests of their own.
        #[allow(unreachable_patterns)]
        _ => {}
    });
}

/// Whatever the task is: nobody slips and is right.
#[test]
fn whoever_slips_is_not_right() {
    each_problem(|problem| {
        for kind in [SlipKind::Total, SlipKind::DroppedNode, SlipKind::Witness] {
            let mut answer = solve(problem);
            let right = answer.clone();
            problem.slip(&mut answer, &Slip { kind, invented: problem.missing_edge() });
            // The order of two nodes without constraint may be turned round.
            if verify_answer(problem, &answer).verdict != Verdict::Correct {
                refuse(problem, &answer);
            } else {
                let is_order = matches!(answer, Answer::Topology(_));
                assert!(is_order && kind == SlipKind::Witness, "{right:?} became {answer:?}");
            }
        }
    });
}

#[test]
fn cycle_has_both_answers_and_connectivity_too() {
    for id in [TaskId::Cycle, TaskId::Connectivity] {
        let yes = (0..200)
            .filter(|seed| {
                let answer = solve(&task(id).generate(Difficulty::Easy, *seed));
                matches!(
                    answer,
                    Answer::Cycle(answers::Cycle { has_cycle: true, .. })
                        | Answer::Connectivity(answers::Connectivity { connected: true, .. })
                )
            })
            .count();
        assert!((70..=130).contains(&yes), "{id}: {yes} of 200");
    }
}

#[test]
fn flow_certificates_are_always_proven() {
    for seed in 0..200 {
        let problem = task(TaskId::Flow).generate(Difficulty::Hard, seed);
        let judgement = verify_answer(&problem, &solve(&problem));
        assert_eq!(judgement.verdict, Verdict::Correct, "{}", judgement.explanation);
        assert!(judgement.certificate.lines.iter().all(|line| line.holds == Some(true)));
    }
}

#[test]
fn what_suits_a_large_graph_is_found_without_looking_at_each_pair_of_its_nodes() {
    // The page asks this on its main thread: a search from each node would stop it for minutes.
    let mut state = 1_u64;
    let mut chance = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut graph = graph::Graph::undirected();
    for i in 1..100_000_usize {
        for near in [i - 1, chance(i)] {
            let _ = graph.link(i, near);
        }
    }
    let offered: Vec<TaskId> = TaskId::suited(&graph).iter().map(tasks::Query::task).collect();
    assert!(offered.contains(&TaskId::Diameter), "{offered:?}");
    assert!(!offered.contains(&TaskId::Tour), "{offered:?}");
}

#[test]
fn a_question_says_whether_it_names_one_node_or_two() {
    for made in TASKS {
        let query = made.generate(Difficulty::Easy, 1).query;
        let names_one = matches!(query, tasks::Query::BfsOrder(_) | tasks::Query::DfsOrder(_));
        assert_eq!(query.has_one_end(), names_one, "{}", made.id);
    }
}
