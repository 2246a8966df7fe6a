//! The faults of GraphWiz's rule, one test each.

use tasks::official::wiz::{WizTask, score};

fn accepts(task: WizTask, label: &str, text: &str) {
    let score = score(task, label, text);
    assert!(score.correct, "{task:?} {label:?} {text:?}: {}", score.cause);
}

fn rejects(task: WizTask, label: &str, text: &str) {
    let score = score(task, label, text);
    assert!(!score.correct, "{task:?} {label:?} {text:?}: {}", score.cause);
}

const YES_NO: [WizTask; 5] = [
    WizTask::Cycle,
    WizTask::Connectivity,
    WizTask::Bipartite,
    WizTask::Hamilton,
    WizTask::Substructure,
];

#[test]
fn wiz_accepts_plain_answers_as_meant() {
    for task in YES_NO {
        accepts(task, "### Yes", "We go round. ### Yes.");
        accepts(task, "### No", "### no");
        rejects(task, "### Yes", "### No");
        accepts(task, "### Yes", "No, wait: yes");
        rejects(task, "### Yes", "Yes? No.");
        rejects(task, "### No", "I am not sure, perhaps");
    }
    for task in [WizTask::Shortest, WizTask::Triplet, WizTask::Flow] {
        accepts(task, "### 10", "1 + 9 = 10. ### 10");
        accepts(task, "### 10", "### 10.009");
        rejects(task, "### 10", "### 10.02");
        accepts(task, "### 10", "it is 10");
    }
    accepts(WizTask::Topology, "### [[3, 0, 1, 2]]", "### [[3, 0, 1, 2]]");
    rejects(WizTask::Topology, "### [[3, 0, 1, 2]]", "### [[0, 3, 1, 2]]");
}

#[test]
fn wiz_accepts_no_inside_any_word() {
    for task in YES_NO {
        accepts(task, "### No", "### Yes, nodes 1-2-3 form a cycle");
        accepts(task, "### No", "### I cannot say");
    }
}

#[test]
fn wiz_topology_accepts_an_empty_end() {
    accepts(WizTask::Topology, "### [[3, 0, 1, 2]]", "I do not know. ###");
}

#[test]
fn wiz_topology_accepts_a_single_node() {
    accepts(WizTask::Topology, "### [[3, 0, 1, 2]]", "### 1");
}

#[test]
fn wiz_topology_accepts_one_item_without_a_mark() {
    accepts(WizTask::Topology, "### [[3, 0, 1, 2]]", "Node 0 comes last.");
}

#[test]
fn wiz_number_ignores_the_sign() {
    accepts(WizTask::Shortest, "### 5", "### -5");
}

#[test]
fn wiz_number_joins_digits_over_a_comma() {
    accepts(WizTask::Flow, "### 34", "### 3,4");
    rejects(WizTask::Flow, "### 4", "### 3,4");
    // Of three single digits only the first two are joined.
    accepts(WizTask::Flow, "### 3", "### 1,2,3");
}

#[test]
fn wiz_number_reads_nothing_as_zero() {
    accepts(WizTask::Flow, "### 0", "### I cannot tell");
}

#[test]
fn wiz_topology_rejects_a_list_without_spaces() {
    rejects(WizTask::Topology, "### [[3, 0, 1, 2]]", "### [3,0,1,2]");
}

#[test]
fn wiz_topology_rejects_arrows() {
    rejects(WizTask::Topology, "### [[3, 0, 1, 2]]", "### 3 -> 0 -> 1 -> 2");
}

#[test]
fn wiz_number_takes_the_last_and_rejects_what_follows_the_answer() {
    rejects(WizTask::Shortest, "### 10", "### 10 from node 4 to node 8");
    accepts(WizTask::Shortest, "### 8", "### 10 from node 4 to node 8");
}

#[test]
fn wiz_topology_rejects_four_marks_as_in_a_heading() {
    rejects(WizTask::Topology, "### [[3, 0, 1, 2]]", "#### [3, 0, 1, 2]");
}
