//! A question about an attached graph says what is asked and nothing of the edges.

use tasks::{TASKS, TaskId, Wording, parse_attached};

#[test]
fn an_attached_question_is_read_back_for_every_task() {
    for task in TASKS {
        for difficulty in task.id.difficulties() {
            let problem = task.generate(*difficulty, 3);
            for wording in Wording::ALL {
                let text = problem.attached_question(wording);
                let read = parse_attached(&text).unwrap_or_else(|| panic!("{text}"));
                assert_eq!(read.task(), task.id, "{text}");
                if task.id != TaskId::Matching {
                    assert_eq!(read.query, problem.query, "{text}");
                }
                assert_eq!(read.graph.is_directed(), problem.graph.is_directed());
                assert_eq!(read.graph.is_weighted(), problem.graph.is_weighted());
                assert!(text.len() < 700, "{text}");
            }
        }
    }
}

#[test]
fn a_question_with_its_graph_is_no_attached_one() {
    assert!(
        parse_attached("In an undirected graph, (i,j) means ... Q: Is there a cycle?").is_none()
    );
    assert!(parse_attached("").is_none());
}
