//! Problems and answers of GraphInstruct and GraCoRe.

use tasks::Verdict::{Correct, Incorrect, Partial};

use super::Case;

pub const CASES: [Case; 4] = [
    Case {
        question: "Given a directed graph whose nodes are numbered from 0 to 3, with the edges: [(0, 1), (1, \
                   2), (2, 0), (0, 3)].\nQ: Does the graph have a cycle? For a directed graph, a cycle is a \
                   closed path.\nA:",
        bare: &[
            ("Yes", Correct),
            ("No", Incorrect),
            ("<<<Yes>>>", Correct),
            ("<<<No>>>", Incorrect),
            ("Yes, the cycle is 0 → 1 → 2 → 0", Correct),
            ("Yes, the cycle is 0 → 2 → 1 → 0", Partial),
        ],
        boxed: &[("\\text{Yes}", Correct), ("\\text{No}", Incorrect)],
        json: &[
            (r#"{"has_cycle": true}"#, Correct),
            (r#"{"hasCycle": false}"#, Incorrect),
            (r#"{"answer": "yes", "cycle": [[0, 1], [1, 2], [2, 0]]}"#, Correct),
            (r#"{"answer": "yes", "cycle": [[0, 1], [1, 2], [0, 2]]}"#, Partial),
        ],
        table: &[
            ("| Check | Result |/|---|---|/| Contains a cycle | Yes |", Correct),
            ("| Edge | Seen |/|---|---|/| 0-1 | first |//Final answer: No", Incorrect),
        ],
    },
    Case {
        question: "Given an undirected graph whose nodes are numbered from 0 to 4, with the edges: [(0, 1), \
                   (0, 2), (1, 3), (2, 4)].\nQ: Start from node 0, output a sequence of traversal in \
                   breadth-first search order.\nA:",
        bare: &[
            ("0, 1, 2, 3, 4", Correct),
            ("0 → 2 → 1 → 4 → 3", Correct),
            ("0, 1, 3, 2, 4", Incorrect),
            ("<<<0, 1, 2, 3, 4>>>", Correct),
            ("The order is 0, 1, 3, 2, 4", Incorrect),
        ],
        boxed: &[
            ("0, 1, 2, 3, 4", Correct),
            ("0 \\to 2 \\to 1 \\to 4 \\to 3", Correct),
            ("[0, 1, 3, 2, 4]", Incorrect),
        ],
        json: &[
            (r#"{"order": [0, 1, 2, 3, 4]}"#, Correct),
            (r#"{"traversal": [0, 1, 3, 2, 4]}"#, Incorrect),
            (r#"{"answer": "0 -> 2 -> 1 -> 4 -> 3"}"#, Correct),
        ],
        table: &[
            (
                "| Step | Node |/|---|---|/| 1 | 0 |/| 2 | 1 |/| 3 | 2 |/| 4 | 3 |/| 5 | 4 |",
                Correct,
            ),
            ("| Result | Value |/|---|---|/| Order | 0, 1, 3, 2, 4 |", Incorrect),
        ],
    },
    Case {
        question: "Given an undirected graph whose nodes are numbered from 0 to 4, with the edges: [(0, 1), \
                   (0, 2), (1, 3), (2, 4)].\nQ: Start from node 0, output a sequence of traversal in \
                   depth-first search order.\nA:",
        bare: &[
            ("0, 1, 3, 2, 4", Correct),
            ("0 → 2 → 4 → 1 → 3", Correct),
            ("0, 1, 2, 3, 4", Incorrect),
            ("<<<0, 1, 3, 2, 4>>>", Correct),
            ("The order is 0, 1, 2, 3, 4", Incorrect),
        ],
        boxed: &[
            ("0, 1, 3, 2, 4", Correct),
            ("0 \\to 2 \\to 4 \\to 1 \\to 3", Correct),
            ("[0, 1, 2, 3, 4]", Incorrect),
        ],
        json: &[
            (r#"{"order": [0, 1, 3, 2, 4]}"#, Correct),
            (r#"{"traversal": [0, 1, 2, 3, 4]}"#, Incorrect),
            (r#"{"answer": "0 -> 2 -> 4 -> 1 -> 3"}"#, Correct),
        ],
        table: &[
            (
                "| Step | Node |/|---|---|/| 1 | 0 |/| 2 | 1 |/| 3 | 3 |/| 4 | 2 |/| 5 | 4 |",
                Correct,
            ),
            ("| Result | Value |/|---|---|/| Order | 0, 1, 2, 3, 4 |", Incorrect),
        ],
    },
    Case {
        question: "This is a undirected graph with the following edges:\nFrom node 0 to node 1.\nFrom node 1 to \
                   node 2.\nFrom node 0 to node 2.\nFrom node 2 to node 3.\nThe nodes are numbered from 0 to \
                   3.\nQ: What is the minimum number of colors needed to color the nodes of this graph so that \
                   joined nodes have different colors?\nA:",
        bare: &[
            ("3", Correct),
            ("4", Incorrect),
            ("3 colors", Correct),
            ("The minimum number of colors is 2.", Incorrect),
        ],
        boxed: &[("3", Correct), ("2", Incorrect), ("\\text{3 colors}", Correct)],
        json: &[
            (r#"{"answer": 3}"#, Correct),
            (r#"{"n_colors": 4}"#, Incorrect),
            (r#"{"chromatic_number": 3}"#, Correct),
            (r#"{"answer": 3, "color 1": [0, 3], "color 2": [1], "color 3": [2]}"#, Correct),
            (r#"{"answer": 3, "color 1": [0, 1], "color 2": [3], "color 3": [2]}"#, Partial),
        ],
        table: &[
            ("| Quantity | Value |/|---|---|/| Minimum number of colors | 3 |", Correct),
            ("| Node | Color |/|---|---|/| 0 | 1 |//Final answer: 4", Incorrect),
        ],
    },
];
