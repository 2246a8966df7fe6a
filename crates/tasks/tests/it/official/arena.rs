//! The faults of GraphArena's rule, one test each, with the numbers of `docs/benchmark-rules.md`.

use graph::{Graph, NodeName};
use tasks::official::OfficialError;
use tasks::official::arena::ArenaClass::{Correct, Hallucinatory, Missing, Suboptimal};
use tasks::official::arena::{ArenaClass, ArenaProblem, ArenaTask, score};

use super::{graph, problem};

fn value(problem: &ArenaProblem<'_>, text: &str) -> f64 {
    score(problem, text).unwrap().value
}

fn classes(problem: &ArenaProblem<'_>, text: &str) -> [Option<ArenaClass>; 2] {
    let score = score(problem, text).unwrap();
    [score.table, score.figure]
}

const BOTH: fn(ArenaClass) -> [Option<ArenaClass>; 2] = |class| [Some(class); 2];

/// Two ways from Al to Di: over Bo, and over Eve and Fay.
fn ways() -> Graph {
    graph("Al Bo, Bo Di, Al Eve, Eve Fay, Fay Di")
}

fn between<'p>(
    task: ArenaTask,
    graph: &'p Graph,
    ends: &'p (NodeName, NodeName),
    reference: f64,
) -> ArenaProblem<'p> {
    ArenaProblem { ends: Some((&ends.0, &ends.1)), ..problem(task, graph, reference) }
}

fn al_di() -> (NodeName, NodeName) {
    ("Al".into(), "Di".into())
}

fn molecules<'p>(task: ArenaTask, a: &'p Graph, b: &'p Graph, reference: f64) -> ArenaProblem<'p> {
    let labels = [a, b].map(|graph| vec!["C".to_owned(); graph.n_nodes()]);
    ArenaProblem { second: Some(b), labels, ..problem(task, a, reference) }
}

#[test]
fn arena_scores_plain_answers_as_meant() {
    let (ways, ends) = (ways(), al_di());
    let distance = between(ArenaTask::Distance, &ways, &ends, 2.0);
    assert_eq!(classes(&distance, "So: [Al, Bo, Di]"), BOTH(Correct));
    assert_eq!(classes(&distance, "[Al, Eve, Fay, Di]"), BOTH(Suboptimal));
    assert_eq!(classes(&distance, "[Al, Di]"), BOTH(Hallucinatory));
    assert_eq!(classes(&distance, "Al, Bo, Di"), BOTH(Missing));
    let neighbor = between(ArenaTask::Neighbor, &ways, &ends, 1.0);
    assert_eq!(value(&neighbor, "[Bo]"), 1.0);
    assert_eq!(value(&neighbor, "[Bo, Eve]"), -2.0);
    let parts = graph("Al Bo, Di Eve, Fay");
    let connected = problem(ArenaTask::Connected, &parts, 3.0);
    assert_eq!(classes(&connected, "[Bo, Di, Fay]"), BOTH(Correct));
    assert_eq!(classes(&connected, "[Bo, Di]"), BOTH(Suboptimal));
    assert_eq!(value(&connected, "[Bo, Al]"), -2.0);
    let cycle = problem(ArenaTask::Diameter, &ways, 2.0);
    assert_eq!(classes(&cycle, "[Bo, Al, Eve]"), BOTH(Correct));
    assert_eq!(classes(&cycle, "[Al, Eve, Fay, Di]"), BOTH(Hallucinatory));
    let triangle = graph("Al Bo, Bo Di, Di Al, Di Eve");
    assert_eq!(classes(&problem(ArenaTask::Mcp, &triangle, 3.0), "[Di, Al, Bo]"), BOTH(Correct));
    assert_eq!(value(&problem(ArenaTask::Mcp, &triangle, 3.0), "[Di, Al, Eve]"), -2.0);
    assert_eq!(classes(&problem(ArenaTask::Mis, &triangle, 2.0), "[Eve, Al]"), BOTH(Correct));
    assert_eq!(classes(&problem(ArenaTask::Mvc, &triangle, 2.0), "[Di, Al]"), BOTH(Correct));
    assert_eq!(classes(&problem(ArenaTask::Mvc, &triangle, 2.0), "[Di, Al, Bo]"), BOTH(Suboptimal));
    let flights = graph("AAA BBB 1, BBB CCC 2, CCC AAA 4");
    let tour = problem(ArenaTask::Tsp, &flights, 7.0);
    assert_eq!(classes(&tour, "[AAA, CCC, BBB, AAA]"), BOTH(Correct));
    let (a, b) = (graph("0 1, 1 2"), graph("0 1, 0 2, 1 2"));
    let edits = molecules(ArenaTask::Ged, &a, &b, 1.0);
    assert_eq!(classes(&edits, "[2, 0, 1]"), BOTH(Correct));
    let common = molecules(ArenaTask::Mcs, &a, &b, 2.0);
    assert_eq!(classes(&common, "[0, 1], [2, 0]"), BOTH(Correct));
    assert_eq!(value(&common, "[0, 1, 2], [0, 1, 2]"), -2.0);
}

#[test]
fn f1_unknown_names_are_dropped() {
    let (ways, ends) = (ways(), al_di());
    let distance = between(ArenaTask::Distance, &ways, &ends, 2.0);
    assert_eq!(classes(&distance, "[Al, Bo, Zed, Di]"), BOTH(Correct));
    let triangle = graph("Al Bo, Bo Di, Di Al");
    assert_eq!(value(&problem(ArenaTask::Mcp, &triangle, 3.0), "[Al, Bo, Zed, Di]"), 3.0);
    // Not so in a tour.
    let flights = graph("AAA BBB 1, BBB CCC 2, CCC AAA 4");
    let tour = problem(ArenaTask::Tsp, &flights, 7.0);
    assert_eq!(value(&tour, "[AAA, BBB, XXX, CCC, AAA]"), -2.0);
}

#[test]
fn f2_a_repeated_name_pads_an_independent_set() {
    let star = graph("Al Bo, Al Di, Al Eve, Al Fay");
    let mis = problem(ArenaTask::Mis, &star, 4.0);
    assert_eq!(value(&mis, "[Bo, Bo, Bo, Bo]"), 4.0);
    assert_eq!(classes(&mis, "[Bo, Bo, Bo, Bo]"), BOTH(Correct));
    let (ways, ends) = (ways(), al_di());
    let distance = between(ArenaTask::Distance, &ways, &ends, 2.0);
    assert_eq!(classes(&distance, "[Al, Bo, Al, Bo, Di]"), BOTH(Suboptimal));
}

#[test]
fn f3_common_subgraph_counts_repeated_and_unknown_numbers() {
    let (a, b) = (graph("0 1, 1 2"), graph("0 1, 1 2"));
    let common = molecules(ArenaTask::Mcs, &a, &b, 3.0);
    let many = |n: &str| [n; 12].join(", ");
    assert_eq!(value(&common, &format!("[{}], [{}]", many("0"), many("1"))), 12.0);
    assert_eq!(value(&common, "[50,51,52],[60,61,62]"), 3.0);
    // The tables count more than the optimum as the optimum, the figures do not.
    let twelve = format!("[{}], [{}]", many("0"), many("1"));
    assert_eq!(classes(&common, &twelve), [Some(Correct), Some(Suboptimal)]);
}

#[test]
fn f4_one_space_for_two_makes_a_name_unknown() {
    let mut towns = Graph::undirected();
    let long = "Saint-Fiacre  Seine-et-Marne";
    towns.link("Meaux", long).unwrap();
    towns.link(long, "France").unwrap();
    let ends = ("Meaux".into(), "France".into());
    let distance = between(ArenaTask::Distance, &towns, &ends, 2.0);
    assert_eq!(value(&distance, &format!("[Meaux, {long}, France]")), 2.0);
    assert_eq!(value(&distance, "[Meaux, Saint-Fiacre Seine-et-Marne, France]"), -2.0);
}

#[test]
fn f5_quotes_case_and_line_breaks_make_names_unknown() {
    let star = graph("Al Bo, Al Di, Al Eve");
    let mis = problem(ArenaTask::Mis, &star, 3.0);
    assert_eq!(value(&mis, "[\"Bo\", \"Di\", \"Eve\"]"), 0.0);
    assert_eq!(value(&mis, "[bo, di, eve]"), 0.0);
    assert_eq!(value(&mis, "[Bo,\nDi, Eve]"), -1.0);
    let cover = problem(ArenaTask::Mvc, &star, 1.0);
    assert_eq!(value(&cover, "[\"Al\"]"), -2.0);
    let flights = graph("AAA BBB 1, BBB CCC 2, CCC AAA 4");
    let tour = problem(ArenaTask::Tsp, &flights, 7.0);
    assert_eq!(value(&tour, "[\"AAA\", \"BBB\", \"CCC\", \"AAA\"]"), -1.0);
    assert_eq!(value(&tour, "[aaa, bbb, ccc, aaa]"), -1.0);
}

#[test]
fn f6_a_remark_in_brackets_replaces_the_answer() {
    let path = graph("Al Bo, Bo Di, Di Eve");
    let diameter = problem(ArenaTask::Diameter, &path, 3.0);
    assert_eq!(value(&diameter, "[Al, Bo, Di, Eve]"), 3.0);
    assert_eq!(value(&diameter, "[Al, Bo, Di, Eve], so it is [3]"), -2.0);
    let parts = graph("Al Bo, Di Eve, Fay");
    let connected = problem(ArenaTask::Connected, &parts, 3.0);
    let remark = "[Al, Di, Fay], so it is [3]";
    assert_eq!(value(&connected, remark), 0.0);
    assert_eq!(classes(&connected, remark), [None, Some(Suboptimal)]);
}

#[test]
fn f7_an_answer_without_known_names_is_a_solution_in_the_figures_alone() {
    let (ways, ends) = (ways(), al_di());
    for task in [ArenaTask::Mcp, ArenaTask::Mis, ArenaTask::Neighbor, ArenaTask::Connected] {
        let problem = between(task, &ways, &ends, 2.0);
        for text in ["[]", "[Zed, Yan]"] {
            assert_eq!(value(&problem, text), 0.0, "{task:?} {text}");
            assert_eq!(classes(&problem, text), [None, Some(Suboptimal)], "{task:?} {text}");
        }
    }
}

#[test]
fn f7_a_single_name_is_a_path_of_no_hops_in_the_figures_alone() {
    let path = graph("Al Bo, Bo Di");
    let diameter = problem(ArenaTask::Diameter, &path, 2.0);
    assert_eq!(classes(&diameter, "[Bo]"), [None, Some(Suboptimal)]);
    assert_eq!(classes(&diameter, "[]"), BOTH(Hallucinatory));
}

#[test]
fn f8_an_earlier_list_counts_when_the_last_is_wrong() {
    let (ways, ends) = (ways(), al_di());
    let neighbor = between(ArenaTask::Neighbor, &ways, &ends, 1.0);
    assert_eq!(classes(&neighbor, "I first think of [Bo], but finally [Eve]"), BOTH(Correct));
    let distance = between(ArenaTask::Distance, &ways, &ends, 2.0);
    assert_eq!(classes(&distance, "[Al, Bo, Di] or finally [Di]"), BOTH(Correct));
}

#[test]
fn f9_a_tour_needs_commas_and_the_return() {
    let flights = graph("AAA BBB 1, BBB CCC 2, CCC AAA 4");
    let tour = problem(ArenaTask::Tsp, &flights, 7.0);
    assert_eq!(value(&tour, "[AAA -> BBB -> CCC -> AAA]"), -1.0);
    assert_eq!(value(&tour, "[AAA, BBB, CCC]"), -2.0);
}

#[test]
fn f10_common_subgraph_takes_the_last_two_lists_whatever_they_are() {
    let (a, b) = (graph("0 1, 1 2"), graph("0 1, 1 2"));
    let common = molecules(ArenaTask::Mcs, &a, &b, 3.0);
    assert_eq!(value(&common, "[0, 1, 2], [2, 1, 0]"), 3.0);
    assert_eq!(value(&common, "[0, 1, 2], [2, 1, 0], of size [3]"), -2.0);
    assert_eq!(value(&common, "[0, 1, 2,], [2, 1, 0]"), -1.0);
}

#[test]
fn f12_a_larger_independent_set_than_the_reference_is_suboptimal() {
    let star = graph("Al Bo, Al Di, Al Eve");
    let below = problem(ArenaTask::Mis, &star, 2.0);
    assert_eq!(classes(&below, "[Bo, Di, Eve]"), BOTH(Suboptimal));
    // As a clique it would be correct in the tables.
    let triangle = graph("Al Bo, Bo Di, Di Al");
    let clique = problem(ArenaTask::Mcp, &triangle, 2.0);
    assert_eq!(classes(&clique, "[Al, Bo, Di]"), [Some(Correct), Some(Suboptimal)]);
}

#[test]
fn a_value_that_beats_the_reference_is_correct_in_the_tables_alone() {
    let (a, b) = (graph("0 1, 1 2"), graph("0 1, 1 2"));
    let edits = molecules(ArenaTask::Ged, &a, &b, 2.0);
    assert_eq!(classes(&edits, "[0, 1, 2]"), [Some(Correct), Some(Suboptimal)]);
}

#[test]
fn a_problem_that_lacks_something_says_what() {
    let ways = ways();
    let lacks = |task| score(&problem(task, &ways, 1.0), "[0, 1], [0, 1]").unwrap_err().to_string();
    assert_eq!(
        lacks(ArenaTask::Distance),
        "the rule of Distance needs the two nodes that the question names, and the problem has none"
    );
    assert!(lacks(ArenaTask::Mcs).contains("a second graph"));
    let mut bare = molecules(ArenaTask::Ged, &ways, &ways, 1.0);
    bare.labels = [Vec::new(), Vec::new()];
    let error = score(&bare, "[0]").unwrap_err();
    assert!(matches!(error, OfficialError::Incomplete { what: "a label for every atom", .. }));
    let open = ArenaProblem { reference: None, ..problem(ArenaTask::Mis, &ways, 0.0) };
    assert_eq!(classes(&open, "[Al, Fay]"), [None, None]);
    assert_eq!(classes(&open, "none"), BOTH(Missing));
}
