//! What programs print: values as Python shows them, which NetworkX's functions give.

use tasks::TaskId;
use tasks::Verdict::{self, Correct, Incorrect, NoAnswer, Partial};

use super::cases::cases;
use crate::verdicts::{Wrong, problem};

/// Texts for the problem of each of NLGraph's tasks in `cases`.
const PRINTED: [(TaskId, &[(&str, Verdict)]); 8] = [
    (
        TaskId::Connectivity,
        &[
            ("True\n", Correct),
            ("False", Incorrect),
            ("[0, 3, 5]", Correct),
            ("True [0, 3, 5]", Correct),
            ("Path exists: True", Correct),
            ("Is there a path between node 0 and node 5? True", Correct),
            ("Is there a path between node 0 and node 5? False", Incorrect),
            ("None", NoAnswer),
        ],
    ),
    (
        TaskId::Cycle,
        &[
            ("True", Correct),
            ("False", Incorrect),
            ("[(0, 1), (1, 2), (2, 0)]", Correct),
            ("[[0, 1, 2]]", Correct),
            ("[[1, 2, 0]]\nTrue", Correct),
            ("Has cycle: True", Correct),
            ("Cycle found: [(0, 1), (1, 2), (2, 0)]", Correct),
            ("[(1, 0), (0, 2), (2, 1)]", Correct),
            ("[(0, 3), (3, 4), (4, 0)]", Partial),
            ("[(0, 1), (1, 2), (2, 0), (3, 4)]", NoAnswer),
            ("[]", NoAnswer),
            ("None", NoAnswer),
        ],
    ),
    (
        TaskId::Topology,
        &[
            ("[2, 0, 1, 3]", Correct),
            ("['2', '0', '1', '3']", Correct),
            ("(2, 3, 0, 1)", Correct),
            ("2 0 1 3", Correct),
            ("2\n0\n1\n3", Correct),
            ("True\n[2, 0, 3, 1]", Correct),
            ("(True, [2, 0, 3, 1])", Correct),
            ("deque([2, 0, 3, 1])", Correct),
            ("[0, 2, 1, 3]", Incorrect),
            ("False", Incorrect),
        ],
    ),
    (
        TaskId::ShortestPath,
        &[
            ("[0, 1, 3]", Correct),
            ("(0, 1, 3)", Correct),
            ("0 -> 1 -> 3", Correct),
            ("0 1 3", Correct),
            ("[0, 1, 3] 4", Correct),
            ("[0, 1, 3] 4.0", Correct),
            ("(4, [0, 1, 3])", Correct),
            ("Shortest path: [0, 1, 3]\nTotal weight: 4", Correct),
            ("Path: ['0', '1', '3'], Length: 4", Correct),
            ("{'path': [0, 1, 3], 'weight': 4}", Correct),
            ("[0, 2, 3]", Incorrect),
            ("[0, 1, 3] 5", Partial),
            ("(5, [0, 1, 3])", Partial),
            ("4", Partial),
            ("None", NoAnswer),
        ],
    ),
    (
        TaskId::Flow,
        &[
            ("6", Correct),
            ("6.0", Correct),
            ("7", Incorrect),
            ("Maximum flow: 6", Correct),
            ("(6, {0: {1: 2, 2: 4}, 1: {3: 2}, 2: {3: 4}, 3: {}})", Correct),
            ("6 {0: {1: 2, 2: 4}, 1: {3: 2}, 2: {3: 4}, 3: {}}", Correct),
            ("(7, {0: {1: 3, 2: 4}, 1: {3: 2}, 2: {3: 4}, 3: {}})", Incorrect),
            ("None", NoAnswer),
        ],
    ),
    (
        TaskId::Matching,
        &[
            ("{0: 1, 1: 2}", Correct),
            ("{'0': '1', '1': '2'}", Correct),
            ("[(0, 1), (1, 2)]", Correct),
            ("{'applicant 0': 'job 1', 'applicant 1': 'job 2'}", Correct),
            ("{('a0', 'j1'), ('a1', 'j2')}", Correct),
            ("{'a0': 'j1', 'a1': 'j2'}", Correct),
            ("{'a0': 'j1', 'a1': 'j2', 'j1': 'a0', 'j2': 'a1'}", Correct),
            ("{'A0': 'J1', 'A1': 'J2'}", Correct),
            ("{0: 1, 1: 1}", Incorrect),
        ],
    ),
    (
        TaskId::Hamilton,
        &[
            ("[0, 2, 1, 3]", Correct),
            ("Yes\n[3, 1, 2, 0]", Correct),
            ("True [0, 2, 1, 3]", Correct),
            ("(True, [0, 2, 1, 3])", Correct),
            ("0 2 1 3", Correct),
            ("[0, 1, 2, 3]", Partial),
            ("True", Partial),
            ("False", Incorrect),
        ],
    ),
    (
        TaskId::Gnn,
        &[
            ("{0: [0, 1], 1: [2, 1], 2: [0, 1]}", Correct),
            ("{0: (0, 1), 1: (2, 1), 2: (0, 1)}", Correct),
            ("[[0, 1], [2, 1], [0, 1]]", Correct),
            ("[[0. 1.]\n [2. 1.]\n [0. 1.]]", Correct),
            ("0 [0, 1]\n1 [2, 1]\n2 [0, 1]", Correct),
            ("0: [0, 1]\n1: [2, 1]\n2: [0, 1]", Correct),
            ("{0: array([0, 1]), 1: array([2, 1]), 2: array([0, 1])}", Correct),
            ("Node 0: [0.0, 1.0]\nNode 1: [2.0, 1.0]\nNode 2: [0.0, 1.0]", Correct),
            ("{0: [0, 1], 1: [2, 2], 2: [0, 1]}", Incorrect),
        ],
    ),
];

#[test]
fn what_python_prints_is_read() {
    let mut wrong = Wrong::default();
    for (task, texts) in PRINTED {
        let case = cases().find(|case| problem(case.question).task() == task).unwrap();
        let problem = problem(case.question);
        for (text, verdict) in texts {
            wrong.hold(&problem, text, *verdict);
        }
    }
    wrong.end();
}
