//! Problems and answers of NLGraph.

use tasks::Verdict::{Correct, Incorrect, Partial};

use super::Case;

pub const CASES: [Case; 8] = [
    Case {
        question: "Determine if there is a path between two nodes in the graph. Note that (i,j) means \
                   that node i and node j are connected with an undirected edge.\nGraph: (0,3) (3,5) \
                   (1,2)\nQ: Is there a path between node 0 and node 5?\nA:",
        bare: &[
            ("Yes", Correct),
            ("No", Incorrect),
            ("Yes, 0 → 3 → 5", Correct),
            ("Yes, 0 → 1 → 5", Partial),
            ("There is a path between node 0 and node 5.", Correct),
        ],
        boxed: &[
            ("\\text{Yes}", Correct),
            ("\\textbf{No}", Incorrect),
            ("0 \\to 3 \\to 5", Correct),
        ],
        json: &[
            (r#"{"answer": "yes"}"#, Correct),
            (r#"{"answer": true, "path": [0, 3, 5]}"#, Correct),
            (r#"{"connected": true, "path": [0, 1, 5]}"#, Partial),
            (r#"{"is_connected": false}"#, Incorrect),
            (
                r#"{"pathExists": false, "reasoning": "There is a path between node 0 and node 3."}"#,
                Incorrect,
            ),
            (
                r#"{"answer": "no", "reasoning": "First I saw that there is a path between node 0 and node 5."}"#,
                Incorrect,
            ),
            (r#"{"result": {"reachable": true}}"#, Correct),
        ],
        table: &[
            ("| Question | Answer |/|---|---|/| Is there a path? | Yes |", Correct),
            ("| Property | Value |/|---|---|/| Path exists | No |", Incorrect),
            ("| Step | Node |/|---|---|/| 1 | 0 |/| 2 | 3 |//**Answer: Yes**", Correct),
        ],
    },
    Case {
        question: "In an undirected graph, (i,j) means that node i and node j are connected with an \
                   undirected edge.\nThe nodes are numbered from 0 to 4, and the edges are: (0,1) (1,2) \
                   (2,0) (3,4)\nQ: Is there a cycle in this graph?\nA:",
        bare: &[
            ("Yes", Correct),
            ("No", Incorrect),
            ("Yes, the cycle is 0 → 1 → 2 → 0", Correct),
            ("Yes, the cycle is 0 → 3 → 4 → 0", Partial),
        ],
        boxed: &[("\\text{Yes}", Correct), ("\\text{No}", Incorrect)],
        json: &[
            (r#"{"has_cycle": true}"#, Correct),
            (r#"{"hasCycle": false}"#, Incorrect),
            (r#"{"answer": "yes", "cycle": [0, 1, 2]}"#, Correct),
            (r#"{"answer": "yes", "cycle": [[0, 1], [1, 2], [2, 0]]}"#, Correct),
            (r#"{"answer": "yes", "cycle": [[0, 1], [1, 2], [2, 3]]}"#, Partial),
            (r#"{"cycle": [0, 3, 4, 0], "answer": true}"#, Partial),
        ],
        table: &[
            ("| Check | Result |/|---|---|/| Contains a cycle | Yes |", Correct),
            ("| Edge | Seen |/|---|---|/| 0-1 | first |//Final answer: No", Incorrect),
        ],
    },
    Case {
        question: "In a directed graph with 4 nodes numbered from 0 to 3:\nnode 2 should be visited \
                   before node 0\nnode 0 should be visited before node 1\nnode 2 should be visited \
                   before node 3\nQ: Can all the nodes be visited? Give the solution.\nA:",
        bare: &[
            ("2, 0, 1, 3", Correct),
            ("2 → 0 → 3 → 1", Correct),
            ("0, 2, 1, 3", Incorrect),
            ("Yes: 2, 3, 0, 1", Correct),
            ("No", Incorrect),
        ],
        boxed: &[
            ("2, 0, 1, 3", Correct),
            ("2 \\to 3 \\to 0 \\to 1", Correct),
            ("[0, 2, 1, 3]", Incorrect),
        ],
        json: &[
            (r#"{"order": [2, 0, 1, 3]}"#, Correct),
            (r#"{"possible": true, "order": [2, 1, 0, 3]}"#, Partial),
            (r#"{"all_nodes_can_be_visited": true, "solution": [2, 3, 0, 1]}"#, Correct),
            (r#"{"result": {"order": ["2", "0", "3", "1"]}}"#, Correct),
            (r#"{"solution": [0, 2, 1, 3]}"#, Incorrect),
        ],
        table: &[
            ("| Step | Node |/|---|---|/| 1 | 2 |/| 2 | 0 |/| 3 | 1 |/| 4 | 3 |", Correct),
            (
                "| Position | Node | Reason |/|---|---|---|/| 1 | 0 | free |/| 2 | 2 | free |/| 3 | 1 | after 0 |/| 4 | 3 | after 2 |",
                Incorrect,
            ),
        ],
    },
    Case {
        question: "In an undirected graph, the nodes are numbered from 0 to 3, and the edges are:\nan \
                   edge between node 0 and node 1 with weight 2,\nan edge between node 1 and node 3 with \
                   weight 2,\nan edge between node 0 and node 2 with weight 1,\nan edge between node 2 \
                   and node 3 with weight 4.\nQ: Give the shortest path from node 0 to node 3.\nA:",
        bare: &[
            ("0 → 1 → 3", Correct),
            ("0,1,3 with a total weight of 4", Correct),
            ("0 → 2 → 3", Incorrect),
            ("0 → 1 → 3 (total weight 5)", Partial),
        ],
        boxed: &[
            ("0 \\to 1 \\to 3", Correct),
            ("0 \\rightarrow 2 \\rightarrow 3", Incorrect),
            ("4", Partial),
        ],
        json: &[
            (r#"{"path": [0, 1, 3], "total_weight": 4}"#, Correct),
            (r#"{"shortest_path": {"nodes": [0, 1, 3], "weight": 5}}"#, Partial),
            (r#"{"answer": "0 -> 2 -> 3"}"#, Incorrect),
            (r#"{"answer": {"path": ["0", "1", "3"]}}"#, Correct),
        ],
        table: &[
            (
                "| Path | Weight |/|---|---|/| 0-1-3 | 4 |/| 0-2-3 | 5 |//The shortest path is **0 → 1 → 3**.",
                Correct,
            ),
            (
                "| Result | Value |/|---|---|/| Shortest path | 0 → 1 → 3 |/| Total weight | 4 |",
                Correct,
            ),
            (
                "| Result | Value |/|---|---|/| Shortest path | 0 → 2 → 3 |/| Total weight | 5 |",
                Incorrect,
            ),
        ],
    },
    Case {
        question: "In a directed graph, the nodes are numbered from 0 to 3, and the edges are:\nan edge \
                   from node 0 to node 1 with capacity 3,\nan edge from node 1 to node 3 with capacity \
                   2,\nan edge from node 0 to node 2 with capacity 4,\nan edge from node 2 to node 3 with \
                   capacity 5.\nQ: What is the maximum flow from node 0 to node 3?\nA:",
        bare: &[
            ("6", Correct),
            ("7", Incorrect),
            ("The maximum flow is 2 + 4 = 6.", Correct),
            ("six units of flow is all: the maximum flow is six", Correct),
        ],
        boxed: &[("6", Correct), ("7", Incorrect), ("6 \\text{ units}", Correct)],
        json: &[
            (r#"{"max_flow": 6}"#, Correct),
            (r#"{"maximumFlow": 7}"#, Incorrect),
            (r#"{"answer": 6}"#, Correct),
            (
                r#"{"max_flow": 6, "flows": [{"from": 0, "to": 1, "flow": 2}, {"from": 1, "to": 3, "flow": 2}, {"from": 0, "to": 2, "flow": 4}, {"from": 2, "to": 3, "flow": 4}]}"#,
                Correct,
            ),
            (
                r#"{"max_flow": 6, "flows": [{"from": 0, "to": 1, "flow": 6}, {"from": 1, "to": 3, "flow": 6}]}"#,
                Partial,
            ),
        ],
        table: &[
            (
                "| From | To | Flow |/|---|---|---|/| 0 | 1 | 2 |/| 1 | 3 | 2 |/| 0 | 2 | 4 |/| 2 | 3 | 4 |//Maximum flow: 6",
                Correct,
            ),
            ("| Quantity | Value |/|---|---|/| Maximum flow | 7 |", Incorrect),
        ],
    },
    Case {
        question: "There are 2 job applicants numbered from 0 to 1, and 3 jobs numbered from 0 to 2. Each \
                   applicant is interested in some of the jobs. Each job can only accept one applicant and \
                   a job applicant can be appointed for only one job.\nApplicant 0 is interested in job \
                   1.\nApplicant 1 is interested in job 1.\nApplicant 1 is interested in job 2.\nQ: Find an \
                   assignment of jobs to applicants in such that the maximum number of applicants find the \
                   job they are interested in.\nA:",
        bare: &[
            ("applicant 0: job 1, applicant 1: job 2", Correct),
            ("Applicant 0 → Job 1\nApplicant 1 → Job 2", Correct),
            ("applicant 0: job 1, applicant 1: job 1", Incorrect),
            ("Applicant 0 → Job 1\nApplicant 1 → Job 2\nTwo applicants find a job.", Correct),
        ],
        boxed: &[("\\text{applicant 0: job 1, applicant 1: job 2}", Correct)],
        json: &[
            (r#"{"assignment": {"0": 1, "1": 2}}"#, Correct),
            (
                r#"{"assignments": [{"applicant": 0, "job": 1}, {"applicant": 1, "job": 2}]}"#,
                Correct,
            ),
            (r#"{"applicant 0": "job 1", "applicant 1": "job 2"}"#, Correct),
            (
                r#"{"assignments": [{"applicant": 0, "job": 1}, {"applicant": 1, "job": 1}]}"#,
                Incorrect,
            ),
        ],
        table: &[
            ("| Applicant | Job |/|---|---|/| 0 | 1 |/| 1 | 2 |", Correct),
            (
                "| Applicant | Job |/|---|---|/| Applicant 0 | Job 1 |/| Applicant 1 | Job 2 |",
                Correct,
            ),
            ("| Applicant | Job |/|---|---|/| 0 | 1 |/| 1 | 1 |", Incorrect),
        ],
    },
    Case {
        question: "In an undirected graph, (i,j) means that node i and node j are connected with an \
                   undirected edge.\nThe nodes are numbered from 0 to 3, and the edges are: (0,2) (2,1) \
                   (1,3)\nQ: Is there a path in this graph that visits every node exactly once? If yes, \
                   give the path. Note that in a path, adjacent nodes must be connected with edges.\nA:",
        bare: &[
            ("0 → 2 → 1 → 3", Correct),
            ("Yes, the path is 3,1,2,0", Correct),
            ("0 → 1 → 2 → 3", Partial),
            ("No", Incorrect),
            ("Yes", Partial),
        ],
        boxed: &[
            ("0 \\to 2 \\to 1 \\to 3", Correct),
            ("0,1,2,3", Partial),
            ("\\text{No}", Incorrect),
        ],
        json: &[
            (r#"{"exists": true, "path": [0, 2, 1, 3]}"#, Correct),
            (r#"{"answer": "yes", "path": [0, 1, 2, 3]}"#, Partial),
            (r#"{"hamiltonian_path": [3, 1, 2, 0]}"#, Correct),
            (r#"{"exists": false}"#, Incorrect),
        ],
        table: &[
            ("| Step | Node |/|---|---|/| 1 | 0 |/| 2 | 2 |/| 3 | 1 |/| 4 | 3 |", Correct),
            (
                "| Step | Visit |/|---|---|/| 1 | Node 0 |/| 2 | Node 2 |/| 3 | Node 1 |/| 4 | Node 3 |",
                Correct,
            ),
        ],
    },
    Case {
        question: "In an undirected graph, the nodes are numbered from 0 to 2, and every node has an \
                   embedding. (i,j) means that node i and node j are connected with an undirected edge.\n\
                   Embeddings:\nnode 0: [1,0]\nnode 1: [0,1]\nnode 2: [1,1]\nThe edges are: (0,1) (1,2)\n\
                   In a simple graph convolution layer, each node's embedding is updated by the sum of its \
                   neighbors' embeddings.\nQ: What's the embedding of each node after one layer of simple \
                   graph convolution layer?\nA:",
        bare: &[
            ("node 0: [0,1]\nnode 1: [2,1]\nnode 2: [0,1]", Correct),
            ("node 0: [0,1]\nnode 1: [2,2]\nnode 2: [0,1]", Incorrect),
        ],
        boxed: &[(
            "\\text{node 0: } [0,1] \\\\ \\text{node 1: } [2,1] \\\\ \\text{node 2: } [0,1]",
            Correct,
        )],
        json: &[
            (r#"{"0": [0, 1], "1": [2, 1], "2": [0, 1]}"#, Correct),
            (r#"{"embeddings": {"node 0": [0, 1], "node 1": [2, 1], "node 2": [0, 1]}}"#, Correct),
            (
                r#"[{"node": 0, "embedding": [0, 1]}, {"node": 1, "embedding": [2, 1]}, {"node": 2, "embedding": [0, 1]}]"#,
                Correct,
            ),
            (
                r#"{"embeddings": [{"node": 0, "embedding": [0, 1]}, {"node": 1, "embedding": [2, 2]}, {"node": 2, "embedding": [0, 1]}]}"#,
                Incorrect,
            ),
        ],
        table: &[
            (
                "| Node | Embedding |/|---|---|/| 0 | [0, 1] |/| 1 | [2, 1] |/| 2 | [0, 1] |",
                Correct,
            ),
            ("| Node | x | y |/|---|---|---|/| 0 | 0 | 1 |/| 1 | 2 | 1 |/| 2 | 0 | 1 |", Correct),
            (
                "| Node | x1 | x2 |/|---|---|---|/| 0 | 0 | 1 |/| 1 | 2 | 2 |/| 2 | 0 | 1 |",
                Incorrect,
            ),
        ],
    },
];
