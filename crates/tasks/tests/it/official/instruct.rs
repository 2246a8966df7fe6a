//! The faults of GraphInstruct's rule, one test each.

use graph::Graph;
use tasks::official::instruct::InstructOutcome::{Right, Stops, Wrong};
use tasks::official::instruct::{InstructOutcome, InstructProblem, InstructTask, score};

use super::{fill, graph};

struct Row {
    task: InstructTask,
    graph: Graph,
    question: &'static str,
    answer: &'static str,
}

impl Row {
    fn new(task: InstructTask, lines: &str, question: &'static str, answer: &'static str) -> Self {
        Self { task, graph: graph(lines), question, answer }
    }

    fn gives(&self, text: &str, outcome: InstructOutcome) {
        let Self { task, graph, question, answer } = self;
        let problem = InstructProblem { task: *task, graph, question, answer };
        let score = score(&problem, text);
        assert_eq!(score.outcome, outcome, "{task:?} {text:?}: {}", score.cause);
    }
}

const PATH: &str = "0 1, 1 2, 2 3";

fn yes_no(answer: &'static str) -> Row {
    Row::new(InstructTask::Cycle, PATH, "Does the graph have a cycle?", answer)
}

fn integer(answer: &'static str) -> Row {
    Row::new(InstructTask::Degree, PATH, "What is the degree of node 3?", answer)
}

fn float(answer: &'static str) -> Row {
    Row::new(InstructTask::Jaccard, PATH, "Calculate the Jaccard coefficient.", answer)
}

fn traversal(task: InstructTask, lines: &str, answer: &'static str) -> Row {
    let question = "Start from node 0, output a sequence of traversal in this order.";
    Row::new(task, lines, question, answer)
}

fn matching() -> Row {
    let question = "Find a maximum matching in the bipartite graph.\nNodes set 1 contains: 0 1.\n\
                    Nodes set 2 contains: 2 3.";
    Row::new(InstructTask::Bipartite, "0 2, 1 3", question, "[(0, 2), (1, 3)]")
}

#[test]
fn instruct_accepts_plain_answers_as_meant() {
    yes_no("No").gives("So <<<No>>>.", Right);
    yes_no("No").gives("<<<Yes>>>", Wrong);
    integer("1").gives("<<<1>>>", Right);
    float("0.5").gives("<<<1/2>>>", Right);
    float("0.5").gives("<<<0.51>>>", Right);
    float("0.5").gives("<<<0.52>>>", Wrong);
    matching().gives("<<<[(0, 2), (3, 1)]>>>", Right);
    matching().gives("<<<[(0, 2), (0, 3)]>>>", Wrong);
    let neighbours = Row::new(InstructTask::Neighbor, PATH, "Which?", "[0, 2]");
    neighbours.gives("<<<[2, 0]>>>", Right);
    neighbours.gives("<<<[2, 0, 9]>>>", Wrong);
    let best = Row::new(InstructTask::PageRank, PATH, "Which node?", "1 2 ");
    best.gives("<<< 2 >>>", Right);
    best.gives("<<<3>>>", Wrong);
    let hamilton = Row::new(InstructTask::HamiltonianPath, PATH, "Find it.", "[0, 1, 2, 3]");
    hamilton.gives("<<<3 -> 2 -> 1 -> 0>>>", Right);
    hamilton.gives("<<<3, 1, 2, 0>>>", Wrong);
    let euler = Row::new(InstructTask::EulerPath, PATH, "Find it.", "[0, 1, 2, 3]");
    euler.gives("<<<[3, 2, 1, 0]>>>", Right);
    euler.gives("<<<[0, 1, 0, 1]>>>", Wrong);
    let mut order = Row::new(InstructTask::TopologicalSort, PATH, "Output it.", "[0, 1, 2, 3]");
    order.graph = Graph::directed();
    fill(&mut order.graph, "0 1, 0 2, 2 3, 1 3");
    order.gives("<<<[0, 2, 1, 3]>>>", Right);
    order.gives("<<<[0, 3, 1, 2]>>>", Wrong);
}

#[test]
fn instruct_dfs_skips_the_last_node_when_it_goes_back() {
    // From 1 a depth-first search has to go on to 3 before it goes back to 0.
    let row = traversal(InstructTask::Dfs, "0 1, 0 2, 1 3", "[0, 1, 3, 2]");
    row.gives("<<<0, 1, 2, 3>>>", Right);
    row.gives("<<<0, 1, 3, 2>>>", Right);
    row.gives("<<<0, 3, 1, 2>>>", Wrong);
}

#[test]
fn instruct_dfs_accepts_an_end_that_is_repeated() {
    let mut row = traversal(InstructTask::Dfs, "0 1", "[0, 1, 2]");
    row.graph = Graph::directed();
    fill(&mut row.graph, "0 1, 1 2");
    row.gives("<<<0, 1, 2, 2, 2>>>", Right);
    row.gives("<<<0, 1, 2, 1>>>", Wrong);
}

#[test]
fn instruct_bfs_compares_layers_alone() {
    // 3 hangs on 1 and 4 on 2, so after 1 and 2 the order is 3, 4.
    let row = traversal(InstructTask::Bfs, "0 1, 0 2, 1 3, 2 4", "[0, 1, 2, 3, 4]");
    row.gives("<<<0, 1, 2, 4, 3>>>", Right);
    row.gives("<<<0, 1, 3, 2, 4>>>", Wrong);
}

#[test]
fn instruct_bfs_ignores_what_follows_the_last_layer() {
    let row = traversal(InstructTask::Bfs, PATH, "[0, 1, 2, 3]");
    row.gives("<<<0, 1, 2, 3, 0, 2, 2>>>", Right);
}

#[test]
fn instruct_matching_never_looks_at_the_edges() {
    matching().gives("<<<(0, 3), (1, 2)>>>", Right);
}

#[test]
fn instruct_integer_ignores_the_sign() {
    integer("5").gives("<<<-5>>>", Right);
}

#[test]
fn instruct_yes_no_rejects_a_full_stop_and_a_comma() {
    yes_no("Yes").gives("<<<Yes.>>>", Wrong);
    yes_no("Yes").gives("<<<yes, there is>>>", Wrong);
}

#[test]
fn instruct_yes_no_and_lists_reject_a_line_break_in_the_marks() {
    yes_no("Yes").gives("<<<\nYes\n>>>", Wrong);
    Row::new(InstructTask::Neighbor, PATH, "Which?", "[0, 2]").gives("<<<\n[0, 2]\n>>>", Wrong);
}

#[test]
fn instruct_float_needs_a_point_or_a_fraction() {
    float("1.0").gives("<<<1>>>", Wrong);
    float("0.0").gives("<<<0>>>", Wrong);
    float("0.5").gives("<<<50%>>>", Wrong);
}

#[test]
fn instruct_integer_takes_the_first_number() {
    integer("5").gives("<<<node 3 has degree 5>>>", Wrong);
    integer("3").gives("<<<node 3 has degree 5>>>", Right);
}

#[test]
fn instruct_an_echo_of_the_format_is_the_answer() {
    integer("5").gives("I put it as <<<answer>>>: <<<5>>>", Wrong);
}

#[test]
fn instruct_an_empty_set_written_as_nothing_is_none() {
    let row = Row::new(InstructTask::Predecessor, PATH, "Which?", "[]");
    row.gives("<<<>>>", Wrong);
    row.gives("<<<[]>>>", Right);
}

#[test]
fn instruct_reads_from_the_third_character_without_a_first_mark() {
    integer("5").gives("It is 5>>>", Right);
    integer("5").gives("5 is it>>>", Wrong);
}

#[test]
fn instruct_stops_at_a_fraction_over_zero() {
    float("0.5").gives("<<<1/0>>>", Stops);
}
