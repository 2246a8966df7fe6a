//! GraphWiz's wording of tasks that NLGraph has too, and its labels.

use graph::{Graph, NodeName};
use proptest::prelude::*;
use tasks::official::questions::{Asks, check_label, read, write};
use tasks::official::wiz::WizTask;
use tasks::{
    Answer, CertLine, Difficulty, EdgeMark, ParseError, Problem, Query, TaskId, Whole, YesOrNo,
    parse_question, solve, task,
};

use super::graph;

const SIX: [(TaskId, WizTask, Asks); 6] = [
    (TaskId::Cycle, WizTask::Cycle, Asks::Decision),
    (TaskId::Connectivity, WizTask::Connectivity, Asks::Decision),
    (TaskId::Topology, WizTask::Topology, Asks::List),
    (TaskId::ShortestPath, WizTask::Shortest, Asks::Value),
    (TaskId::Flow, WizTask::Flow, Asks::Value),
    (TaskId::Hamiltonian, WizTask::Hamilton, Asks::Decision),
];

#[test]
fn every_problem_is_read_back_from_its_words() {
    let mut count = 0;
    for (id, wiz, asks) in SIX {
        for level in task(id).difficulties {
            for seed in 0..40 {
                let problem = task(id).generate(*level, seed);
                let text = write(&problem).unwrap_or_else(|| panic!("{id} {level} {seed}"));
                let question = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
                assert_eq!(question.problem.graph, problem.graph, "{text}");
                assert_eq!(question.problem.query, problem.query, "{text}");
                assert_eq!((question.task, question.asks), (wiz, asks));
                count += 1;
            }
        }
    }
    // Two of the six have two levels, the others three.
    assert_eq!(count, 40 * (2 * 2 + 4 * 3));
}

/// As the benchmark's files have them.
#[test]
fn questions_have_the_words_of_the_benchmark() {
    let text = "Determine whether or not there is a cycle in an undirected graph. In an undirected \
                graph, (i,j) means that node i and node j are connected with an undirected edge. \
                Given a graph, you need to output Yes or No, indicating whether there is a cycle \
                in the graph. Q: The nodes are numbered from 0 to 5, and the edges are: (3, 4) \
                (3, 5). Is there a cycle in this graph?";
    let question = read(text).unwrap();
    assert_eq!(question.problem.graph.n_nodes(), 6);
    assert_eq!(question.problem.graph.n_edges(), 2);
    assert_eq!(write(&question.problem).as_deref(), Some(text));
    let flow = "Q: The nodes are numbered from 0 to 2, and the edges are: (0->1,3) (1 -> 2, 2). \
                What is the maximum flow from node 0 to node 2?";
    let problem = read(flow).unwrap().problem;
    assert_eq!(problem.graph.edge(&1_usize.into(), &2_usize.into()).unwrap().capacity, Some(2.0));
    let Answer::Flow(answer) = solve(&problem) else { panic!() };
    assert_eq!(answer.value, Some(2.0));
    // In a model's frame and behind examples, the last question counts.
    let prompt = format!(
        "Examples:\n\nQ: The nodes are numbered from 0 to 1, and the edges are: \
                          (0,1). Is there a cycle in this graph?\nA: No. ### No.\n\n{text}\n\n### Response:"
    );
    assert_eq!(read(&prompt).unwrap(), question);
    // The other tasks are read elsewhere, and NLGraph's questions are not ours.
    let nlgraph = task(TaskId::Cycle).generate(Difficulty::Easy, 1);
    let nlgraph = nlgraph.question(tasks::Wording::Benchmark, tasks::Style::ZeroShot);
    assert!(matches!(read(&nlgraph), Err(ParseError::UnknownQuestion { .. })));
    assert!(parse_question(&nlgraph).is_ok());
    let triangle = task(TaskId::Triplet).generate(Difficulty::Easy, 1);
    assert_eq!(write(&triangle), None);
}

/// Line breaks, other sentences and examples before a question do not change what it asks.
#[test]
fn a_question_is_known_by_what_it_asks() {
    let asks = |graph: &str, words: &str, task: TaskId| {
        let texts = [
            format!(
                "Look at the graph.\nIn an undirected graph, (i,j) means that\nnode i and node j\nare joined.\nQ: {graph}. {words}"
            ),
            format!(
                "Q: The nodes are numbered from 0 to 1, and the edges are: (0,1). Is there a cycle in this graph?\nA: No.\n\nQ:\n{}.\n{words} Begin with '###'.",
                graph.replace(' ', "\n")
            ),
        ];
        for text in texts {
            let problem = parse_question(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(
                (problem.task(), problem.graph.n_nodes(), problem.graph.n_edges()),
                (task, 3, 2),
                "{text}"
            );
        }
    };
    let plain = "The nodes are numbered from 0 to 2, and the edges are: (0, 1) (1, 2)";
    asks(plain, "Does the graph contain a cycle?", TaskId::Cycle);
    asks(plain, "Is there some path between node 0 and node 2?", TaskId::Connectivity);
    asks(plain, "Does it have a Hamiltonian path?", TaskId::Hamiltonian);
    let arrows = "The nodes are numbered from 0 to 2, and the edges are: (0->1) (1->2)";
    asks(arrows, "Tell whether it is bipartite?", TaskId::Bipartite);
    asks(arrows, "Write one topological order of this graph?", TaskId::Topology);
    let weighted = "The nodes are numbered from 0 to 2, and the edges are: (0,1,4) (1,2,5)";
    asks(weighted, "How heavy is the shortest path from node 0 to node 2?", TaskId::ShortestPath);
    let weights = "The nodes are numbered from 0 to 2, weights of nodes are: [0, 2] [1, 3] [2, 4], and the \
                   edges are: (0, 1) (1, 2)";
    asks(weights, "What is the most that the weights of three nodes sum to?", TaskId::Triplet);
    // To count patterns is no task, though the words are much the same.
    let counted = "Q: The nodes of graph G are numbered from 0 to 2, and the edges are: (0->1) (1->2). The \
                   nodes of subgraph g are numbered from a to b, and the edges are: (a->b). How many times \
                   does subgraph g occur in graph G?";
    assert!(parse_question(counted).is_err());
}

#[test]
fn a_problem_that_the_words_cannot_tell_is_not_written() {
    let cycle =
        |graph: Graph| Problem { difficulty: None, seed: None, graph, query: Query::Cycle(Whole) };
    assert!(write(&cycle(graph("0 1, 1 2"))).is_some());
    assert_eq!(write(&cycle(graph("1 0, 1 2"))), None);
    assert_eq!(write(&cycle(graph("Al Bo"))), None);
    assert_eq!(write(&cycle(Graph::undirected())), None);
    assert_eq!(write(&cycle(Graph::directed())), None);
}

#[test]
fn what_is_wrong_with_a_question_is_told_with_its_place() {
    let told = |edges: &str, question: &str| {
        let text = format!(
            "Q: The nodes are numbered from 0 to 3, and the edges are: {edges}. {question}"
        );
        read(&text).unwrap_err().to_string()
    };
    let cycle = "Is there a cycle in this graph?";
    assert_eq!(told("(0, 9)", cycle), "line 1, column 63: node 9 in a question of 4 (0 to 3)");
    assert_eq!(
        told("(0->1)", cycle),
        "line 1, column 59: expected an edge such as (0, 1), found \"(0->1). Is there a cycle in this graph?\""
    );
    let flow = "What is the maximum flow from node 0 to node 7?";
    assert!(told("(0->1)", flow).contains("expected an edge with its capacity, such as (0->1,5)"));
    assert!(told("(0->1,2)", flow).ends_with("node 7 in a question of 4 (0 to 3)"));
    assert!(told("(0, 1)", "Is it round?").contains("one of GraphWiz's questions"));
    assert!(told("(0; 1)", cycle).contains("expected \",\", found \"; 1)"));
    let error = read("Q: The nodes are numbered from 0 to").unwrap_err().to_string();
    assert!(error.contains("the number of the last node"), "{error}");
    assert!(matches!(read("Hello"), Err(ParseError::UnknownQuestion { .. })));
}

/// The benchmark's search for a Hamilton path, as the description has it: from node 0, always to
/// the first free neighbour, without a way back.
fn first_try(graph: &Graph) -> bool {
    let mut at = graph.index(&NodeName::from(0_usize)).unwrap();
    let mut path = vec![at];
    loop {
        let free = graph.neighbors(at).into_iter().find(|next| !path.contains(next));
        match free {
            Some(next) => {
                path.push(next);
                at = next;
            }
            None => return path.len() == graph.n_nodes(),
        }
    }
}

#[test]
fn a_wrong_no_to_a_hamilton_path_is_met_with_the_path() {
    let graph = graph("0 1, 0 2, 1 3");
    assert!(!first_try(&graph));
    let problem =
        Problem { difficulty: None, seed: None, graph, query: Query::Hamiltonian(YesOrNo) };
    let check = check_label(&problem, "### No").unwrap();
    assert_eq!(check.agrees, Some(false));
    let lines: Vec<&CertLine> = check.judgement.certificate.lines.iter().collect();
    assert!(lines[0].text == "a path: 2 - 0 - 1 - 3" || lines[0].text == "a path: 3 - 1 - 0 - 2");
    let edges: Vec<&EdgeMark> = check.judgement.certificate.marks.edges.iter().collect();
    assert_eq!(edges.len(), 3);
    assert_eq!(check_label(&problem, "### Yes").unwrap().agrees, Some(true));
}

/// All our graphs have a Hamilton path. The benchmark's search misses it in 72 of 120.
#[test]
fn the_search_of_the_benchmark_gives_many_graphs_a_wrong_no() {
    let mut wrong = 0;
    for level in task(TaskId::Hamilton).difficulties {
        for seed in 0..60 {
            let problem = task(TaskId::Hamilton).generate(*level, seed);
            let problem = Problem { query: Query::Hamiltonian(YesOrNo), ..problem };
            let label = if first_try(&problem.graph) { "### Yes" } else { "### No" };
            let agrees = check_label(&problem, label).unwrap().agrees;
            assert_eq!(agrees, Some(label == "### Yes"));
            wrong += usize::from(agrees == Some(false));
        }
    }
    assert_eq!(wrong, 72);
}

/// The label that GraphWiz would write for an answer.
fn label(answer: &Answer) -> String {
    let yes_no = |yes: bool| if yes { "### Yes" } else { "### No" }.to_owned();
    match answer {
        Answer::Cycle(answer) => yes_no(answer.has_cycle),
        Answer::Connectivity(answer) => yes_no(answer.connected),
        Answer::Hamiltonian(answer) => yes_no(answer.exists.unwrap()),
        Answer::ShortestPath(answer) => format!("### {}", answer.total.unwrap()),
        Answer::Flow(answer) => format!("### {}", answer.value.unwrap()),
        Answer::Topology(answer) => {
            let order: Vec<String> = answer.order.iter().map(ToString::to_string).collect();
            format!("### [[{}]]", order.join(", "))
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn right_labels_agree_and_wrong_ones_differ() {
    for (id, ..) in SIX {
        for level in task(id).difficulties {
            for seed in 0..10 {
                let problem = task(id).generate(*level, seed);
                let right = label(&solve(&problem));
                let check = check_label(&problem, &right).unwrap();
                assert_eq!(check.agrees, Some(true), "{id} {level} {seed} {right}");
                let wrong = match id {
                    TaskId::ShortestPath | TaskId::Flow => "### 987654".to_owned(),
                    TaskId::Topology => right.replace("[[", "[[0, "),
                    _ if right.contains("Yes") => "### No".to_owned(),
                    _ => "### Yes".to_owned(),
                };
                let check = check_label(&problem, &wrong).unwrap();
                assert_eq!(check.agrees, Some(false), "{id} {level} {seed} {wrong}");
                assert!(!check.judgement.explanation.is_empty());
            }
        }
    }
}

#[test]
fn a_label_with_several_orders_needs_all_of_them_to_be_right() {
    let text = "Q: The nodes are numbered from 0 to 2, and the edges are: (0->1) (0->2). Give one \
                topology sorting path of this graph.";
    let problem = read(text).unwrap().problem;
    let agrees = |label| check_label(&problem, label).unwrap().agrees;
    assert_eq!(agrees("### [[0, 1, 2], [0, 2, 1]]"), Some(true));
    assert_eq!(agrees("### [0, 1, 2]."), Some(true));
    assert_eq!(agrees("### [[0, 1, 2], [1, 0, 2]]"), Some(false));
    assert_eq!(agrees("### [[0, 1]]"), Some(false));
    assert!(check_label(&problem, "### [[]]").is_err());
}

#[test]
fn a_label_of_another_kind_is_refused() {
    let cycle = task(TaskId::Cycle).generate(Difficulty::Easy, 1);
    assert_eq!(
        check_label(&cycle, "### 5").unwrap_err().to_string(),
        "line 1, column 1: expected \"### Yes\" or \"### No\", found \"### 5\""
    );
    let flow = task(TaskId::Flow).generate(Difficulty::Easy, 1);
    assert!(check_label(&flow, "### Yes").unwrap_err().to_string().contains("a number, such as"));
    let order = task(TaskId::Topology).generate(Difficulty::Easy, 1);
    assert!(check_label(&order, "### [a]").unwrap_err().to_string().contains("a list, such as"));
    let gnn = task(TaskId::Gnn).generate(Difficulty::Easy, 1);
    assert!(check_label(&gnn, "### Yes").is_err());
}

proptest! {
    #[test]
    fn no_text_makes_the_readers_panic(
        which in 0..6_usize,
        edits in proptest::collection::vec((any::<usize>(), any::<char>(), 0..3_u8), 0..10),
    ) {
        let problem = task(SIX[which].0).generate(Difficulty::Easy, 3);
        let mut text: Vec<char> = write(&problem).unwrap().chars().collect();
        for (at, c, kind) in edits {
            let at = at % (text.len() + 1);
            match kind {
                0 if at < text.len() => text[at] = c,
                1 => text.insert(at, c),
                _ => text.truncate(at.max(30)),
            }
        }
        let text: String = text.into_iter().collect();
        if let Ok(question) = read(&text) {
            let again = read(&write(&question.problem).unwrap());
            prop_assert_eq!(again, Ok(question));
        }
        let _ = check_label(&problem, &text);
    }
}
