//! Problems and answers of GraphWiz.

use tasks::Verdict::{Correct, Incorrect, Partial};

use super::Case;

pub const CASES: [Case; 4] = [
    Case {
        question: "Find the maximum sum of the weights of three interconnected nodes. Q: The nodes are \
                   numbered from 0 to 4, weights of nodes are: [0, 2] [1, 9] [2, 6] [3, 10] [4, 4], and \
                   the edges are: (0, 1) (0, 3) (1, 3) (2, 4) (3, 4) (2, 3). What is the maximum sum of \
                   the weights of three interconnected nodes?",
        bare: &[
            ("21", Correct),
            ("20", Incorrect),
            ("The maximum sum is 21, by nodes 0, 1 and 3.", Correct),
            ("### 21", Correct),
        ],
        boxed: &[("21", Correct), ("20", Incorrect), ("2 + 9 + 10 = 21", Correct)],
        json: &[
            (r#"{"answer": 21}"#, Correct),
            (r#"{"maximum_sum": 20}"#, Incorrect),
            (r#"{"nodes": [0, 1, 3], "max_sum": 21}"#, Correct),
            (r#"{"nodes": [0, 1, 2], "max_sum": 21}"#, Partial),
        ],
        table: &[
            ("| Quantity | Value |/|---|---|/| Maximum sum | 21 |", Correct),
            (
                "| Triangle | Sum |/|---|---|/| 0-1-3 | 21 |/| 2-3-4 | 20 |//Final answer: **20**",
                Incorrect,
            ),
        ],
    },
    Case {
        question: "Determine whether or not a graph is bipartite. Q: The nodes are numbered from 0 to 3, \
                   and the edges are: (0->1) (1->2) (2->3). Is this graph bipartite?",
        bare: &[
            ("Yes", Correct),
            ("No", Incorrect),
            ("### Yes", Correct),
            ("The graph is not bipartite.", Incorrect),
        ],
        boxed: &[("\\text{Yes}", Correct), ("\\text{No}", Incorrect)],
        json: &[
            (r#"{"bipartite": true}"#, Correct),
            (r#"{"is_bipartite": false}"#, Incorrect),
            (r#"{"answer": "yes", "set_a": [0, 2], "set_b": [1, 3]}"#, Correct),
            (r#"{"answer": "yes", "set_a": [0, 1], "set_b": [2, 3]}"#, Partial),
        ],
        table: &[
            ("| Property | Value |/|---|---|/| Bipartite | Yes |", Correct),
            ("| Property | Value |/|---|---|/| Bipartite | No |", Incorrect),
        ],
    },
    Case {
        question: "Determine if a smaller graph is present as an exact match within a larger graph. Q: The \
                   nodes of graph G are numbered from 0 to 3, and the edges are: (0->1) (0->2) (1->2) \
                   (2->3). The nodes of subgraph G' are numbered from a to c, and the edges are: (a->b) \
                   (c->b). Is subgraph G' present within graph G as a direct substructure?",
        bare: &[
            ("Yes", Correct),
            ("No", Incorrect),
            ("### Yes", Correct),
            ("Subgraph G' is not present within graph G.", Incorrect),
            ("Yes: a -> 0, b -> 2, c -> 1", Correct),
            ("Yes: a -> 0, b -> 3, c -> 1", Partial),
        ],
        boxed: &[("\\text{Yes}", Correct), ("\\text{No}", Incorrect)],
        json: &[
            (r#"{"present": true}"#, Correct),
            (r#"{"is_substructure": false}"#, Incorrect),
            (r#"{"answer": "yes", "mapping": {"a": 0, "b": 2, "c": 1}}"#, Correct),
            (r#"{"answer": "yes", "mapping": {"a": 0, "b": 1, "c": 2}}"#, Partial),
        ],
        table: &[
            ("| Property | Value |/|---|---|/| Present | Yes |", Correct),
            ("| Property | Value |/|---|---|/| Subgraph | No |", Incorrect),
        ],
    },
    Case {
        question: "Determine whether or not there is a Hamiltonian path in an undirected graph. Q: The nodes \
                   are numbered from 0 to 3, and the edges are: (0, 1) (0, 2) (1, 3). Is there a \
                   Hamiltonian path in this graph?",
        bare: &[
            ("Yes", Correct),
            ("No", Incorrect),
            ("### Yes", Correct),
            ("There is no Hamiltonian path in this graph.", Incorrect),
            ("Yes, the path is 2 -> 0 -> 1 -> 3", Correct),
            ("Yes, the path is 0 -> 1 -> 2 -> 3", Partial),
        ],
        boxed: &[("\\text{Yes}", Correct), ("\\text{No}", Incorrect)],
        json: &[
            (r#"{"has_hamiltonian_path": true}"#, Correct),
            (r#"{"exists": false}"#, Incorrect),
            (r#"{"answer": "yes", "path": [2, 0, 1, 3]}"#, Correct),
            (r#"{"answer": "yes", "path": [0, 1, 2, 3]}"#, Partial),
        ],
        table: &[
            ("| Property | Value |/|---|---|/| Path exists | Yes |", Correct),
            ("| Property | Value |/|---|---|/| Hamiltonian path | No |", Incorrect),
        ],
    },
];
