//! Problems and answers of GraphArena.

use tasks::Verdict::{Correct, Incorrect, Partial};

use super::Case;

pub const CASES: [Case; 10] = [
    Case {
        question: "Your task is to find the common neighbors of two nodes in an undirected academic network.\n- Authors in the network: Ann Lee, Bo Chan, Cy Møller, Di Abend\n- Research collaborations between these authors: Ann Lee and Bo Chan, Ann Lee and Cy Møller, Bo Chan and Cy Møller, Cy Møller and Di Abend.\nPlease identify the common neighbors of Ann Lee and Bo Chan in this network.",
        bare: &[
            ("[Cy Møller]", Correct),
            ("Cy Møller", Correct),
            ("[Di Abend]", Incorrect),
            ("The common neighbors are: cy møller", Correct),
            ("[Cy Møller, Zed]", Incorrect),
            ("[Ann Lee]", Incorrect),
        ],
        boxed: &[("Cy Møller", Correct), ("\\text{Di Abend}", Incorrect)],
        json: &[
            (r#"{"answer": ["Cy Møller"]}"#, Correct),
            (r#"{"common_neighbors": ["Di Abend"]}"#, Incorrect),
        ],
        table: &[
            ("| Question | Answer |/|---|---|/| Common neighbors | Cy Møller |", Correct),
            ("| Node |/|---|/| Di Abend |", Incorrect),
        ],
    },
    Case {
        question: "Your task is to identify the shortest path between two specified entities in an undirected knowledge graph, minimizing the number of hops.\n- Entities in this knowledge graph: Elm Bay, Fern Hill, Iris Park, Lark Lake\n- The relationships between these entities are as follows:\n - Elm Bay is connected to Fern Hill via the relationship owner.\n - Fern Hill is connected to Iris Park via the relationship owner.\n - Iris Park is connected to Lark Lake via the relationship owner.\n - Fern Hill is connected to Lark Lake via the relationship location.\nPlease determine the shortest path between Elm Bay and Lark Lake in this network.",
        bare: &[
            ("[Elm Bay, Fern Hill, Lark Lake]", Correct),
            ("[Elm Bay, Lark Lake]", Incorrect),
            ("Elm Bay → Fern Hill → Lark Lake", Correct),
            ("[Elm Bay, Fern Hill, Iris Park, Lark Lake]", Partial),
            ("[Elm Bay, Fern Hill]", Incorrect),
        ],
        boxed: &[
            ("Elm Bay, Fern Hill, Lark Lake", Correct),
            ("[\\text{Elm Bay}, \\text{Lark Lake}]", Incorrect),
        ],
        json: &[
            (r#"{"path": ["Elm Bay", "Fern Hill", "Lark Lake"]}"#, Correct),
            (r#"{"answer": "Elm Bay -> Fern Hill -> Iris Park -> Lark Lake"}"#, Partial),
        ],
        table: &[
            (
                "| Step | Entity |/|---|---|/| 1 | Elm Bay |/| 2 | Fern Hill |/| 3 | Lark Lake |",
                Correct,
            ),
            ("| Result | Value |/|---|---|/| Path | Elm Bay, Lark Lake |", Incorrect),
        ],
    },
    Case {
        question: "You are required to identify all connected components in the given social network and output one representative node from each component.\n- Names in the network: Al, Bo, Cy, Di\n- Fiendship connections: Al to Bo, Cy to Di.\nIdentify all connected components in this network. Note that for each connected component, you should only output one of its nodes.",
        bare: &[
            ("[Al, Cy]", Correct),
            ("[Al, Bo]", Incorrect),
            ("Bo, Di", Correct),
            ("[Al]", Partial),
            ("[Al, Cy, Zed]", Incorrect),
        ],
        boxed: &[("[Al, Cy]", Correct), ("Al, Bo", Incorrect)],
        json: &[
            (r#"{"answer": ["Al", "Di"]}"#, Correct),
            (r#"{"representatives": ["Cy", "Di"]}"#, Incorrect),
        ],
        table: &[
            ("| Component | Representative |/|---|---|/| 1 | Al |/| 2 | Cy |", Correct),
            ("| Component | Representative |/|---|---|/| 1 | Al |/| 2 | Bo |", Incorrect),
        ],
    },
    Case {
        question: "You are required to calculate the diameter of an undirected knowledge graph.\n- Entities in this knowledge graph: Elm Bay, Fern Hill, Iris Park, Lark Lake\n- The relationships between these entities are as follows:\n - Elm Bay is connected to Fern Hill via the relationship owner.\n - Fern Hill is connected to Iris Park via the relationship owner.\n - Iris Park is connected to Lark Lake via the relationship owner.\nPlease determine the diameter of this network and output the corresponding path.",
        bare: &[
            ("[Elm Bay, Fern Hill, Iris Park, Lark Lake]", Correct),
            ("[Elm Bay, Iris Park]", Incorrect),
            ("Lark Lake → Iris Park → Fern Hill → Elm Bay", Correct),
            ("[Elm Bay, Fern Hill, Iris Park]", Partial),
        ],
        boxed: &[
            ("Elm Bay, Fern Hill, Iris Park, Lark Lake", Correct),
            ("[Elm Bay, Lark Lake]", Incorrect),
        ],
        json: &[
            (
                r#"{"diameter": 3, "path": ["Elm Bay", "Fern Hill", "Iris Park", "Lark Lake"]}"#,
                Correct,
            ),
            (r#"{"path": ["Elm Bay", "Fern Hill"]}"#, Partial),
        ],
        table: &[
            (
                "| Step | Entity |/|---|---|/| 1 | Elm Bay |/| 2 | Fern Hill |/| 3 | Iris Park |/| 4 | Lark Lake |",
                Correct,
            ),
            ("| Result | Value |/|---|---|/| Path | Elm Bay, Lark Lake |", Incorrect),
        ],
    },
    Case {
        question: "You are required to solve the Maximum Clique Problem for an undirected academic network.\n- Authors in the network: Ann Lee, Bo Chan, Cy Møller, Di Abend\n- Research collaborations between these authors: Ann Lee and Bo Chan, Ann Lee and Cy Møller, Bo Chan and Cy Møller, Cy Møller and Di Abend.\nIdentify the clique with the maximum number of authors in this network.",
        bare: &[
            ("[Ann Lee, Bo Chan, Cy Møller]", Correct),
            ("[Ann Lee, Di Abend]", Incorrect),
            ("The clique is Ann Lee, Bo Chan and Cy Møller.", Correct),
            ("[Cy Møller, Di Abend]", Partial),
            ("[Ann Lee, Bo Chan, Cy Møller, Cy Møller]", Incorrect),
        ],
        boxed: &[("[Ann Lee, Bo Chan, Cy Møller]", Correct), ("Ann Lee, Di Abend", Incorrect)],
        json: &[
            (r#"{"clique": ["Ann Lee", "Bo Chan", "Cy Møller"]}"#, Correct),
            (r#"{"answer": ["Ann Lee"]}"#, Partial),
        ],
        table: &[
            ("| # | Author |/|---|---|/| 1 | Ann Lee |/| 2 | Bo Chan |/| 3 | Cy Møller |", Correct),
            ("| Result | Value |/|---|---|/| Clique | Ann Lee, Di Abend |", Incorrect),
        ],
    },
    Case {
        question: "Your task is to solve the Maximum Independent Set problem in the given social network.\n- Users in the network: Al, Bo, Cy, Di, Ed.\n- Fiendship connections: Al and Bo, Bo and Cy, Cy and Di, Di and Ed, Bo and Di.\nIdentify the Maximum Independent Set of this network.",
        bare: &[
            ("[Al, Cy, Ed]", Correct),
            ("[Al, Bo]", Incorrect),
            ("Al, Cy and Ed", Correct),
            ("[Bo, Ed]", Partial),
            ("[Al, Cy, Ed, Zed]", Incorrect),
            ("[Al, Al, Al]", Incorrect),
        ],
        boxed: &[("[Al, Cy, Ed]", Correct), ("Al, Bo", Incorrect)],
        json: &[
            (r#"{"answer": ["Al", "Cy", "Ed"]}"#, Correct),
            (r#"{"set": ["Al", "Di"]}"#, Partial),
        ],
        table: &[
            ("| User |/|---|/| Al |/| Cy |/| Ed |", Correct),
            ("| Result | Value |/|---|---|/| Set | Di, Ed |", Incorrect),
        ],
    },
    Case {
        question: "Your task is to solve the Minimum Vertex Cover problem in the given social network.\n- Users in the network: Al, Bo, Cy, Di, Ed.\n- Fiendship connections: Al and Bo, Bo and Cy, Cy and Di, Di and Ed, Bo and Di.\nIdentify the Minimum Vertex Cover of this network.",
        bare: &[
            ("[Bo, Di]", Correct),
            ("[Bo, Cy]", Incorrect),
            ("Bo and Di", Correct),
            ("[Bo, Di, Cy]", Partial),
            ("[Bo, Di, Zed]", Incorrect),
        ],
        boxed: &[("[Bo, Di]", Correct), ("Bo, Cy", Incorrect)],
        json: &[
            (r#"{"answer": ["Bo", "Di"]}"#, Correct),
            (r#"{"cover": ["Bo", "Cy", "Di"]}"#, Partial),
        ],
        table: &[
            ("| User |/|---|/| Bo |/| Di |", Correct),
            ("| Result | Value |/|---|---|/| Cover | Bo, Cy |", Incorrect),
        ],
    },
    Case {
        question: "You are required to solve the Maximum Common Subgraph problem.\nMolecule A consists of 4 atoms with the following 3 bonds:\n0-1, 1-2, 2-3.\nMolecule B consists of 3 atoms with the following 2 bonds:\n0-2, 1-2.\nIdentify the maximum common subgraph of the two molecules.",
        bare: &[
            ("[0, 1, 2], [0, 2, 1]", Correct),
            ("[0, 1, 2], [0, 1, 2]", Incorrect),
            ("[0, 1], [0, 2]", Partial),
            ("[0, 0, 1], [0, 1, 2]", Incorrect),
            ("[0, 1, 2], [0, 2, 7]", Incorrect),
            ("[1, 2, 3], [1, 2, 0] of size [3]", Correct),
        ],
        boxed: &[("[0, 1, 2], [0, 2, 1]", Correct), ("[0, 1, 2], [0, 1, 2]", Incorrect)],
        json: &[
            (r#"{"answer": "[0, 1, 2], [0, 2, 1]"}"#, Correct),
            (r#"{"molecule_a": [0, 1, 2], "molecule_b": [0, 1, 2]}"#, Incorrect),
        ],
        table: &[(
            "| Step | Check |/|---|---|/| 1 | bonds |//Final answer: [0, 1, 2], [0, 2, 1]",
            Correct,
        )],
    },
    Case {
        question: "You are required to solve the Graph Edit Distance problem between two molecules.\nMolecule A:\n- Atoms: C (atom 0), C (atom 1), O (atom 2).\n- Bonds: 0-1, 1-2.\nMolecule B:\n- Atoms: O (atom 0), C (atom 1), C (atom 2).\n- Bonds: 0-1, 0-2.\nFind the node mapping with the fewest edit operations between the two molecules.",
        bare: &[
            ("[2, 1, 0]", Correct),
            ("[1, 0, 2]", Correct),
            ("[0, 1, 2]", Partial),
            ("[0, 0, 1]", Incorrect),
            ("[0, 1]", Incorrect),
            ("[2, 1, 5]", Incorrect),
        ],
        boxed: &[("[2, 1, 0]", Correct), ("[0, 0, 1]", Incorrect)],
        json: &[(r#"{"answer": "[2, 1, 0]"}"#, Correct), (r#"{"mapping": [1, 1, 0]}"#, Incorrect)],
        table: &[("| Atom | Partner |/|---|---|/| 0 | 2 |//Final answer: [2, 1, 0]", Correct)],
    },
    Case {
        question: "You are required to solve the Travelling Salesman Problem for an undirected flight route network.\n- Airports to visit: ABC, DEF, GHI, JKL\n- Travel distances (in kilometers) between each pair of airports:\nABC to DEF: 10\nABC to GHI: 20\nABC to JKL: 10\nDEF to GHI: 10\nDEF to JKL: 20\nGHI to JKL: 10\nPlease calculate the shortest tour.",
        bare: &[
            ("[ABC, DEF, GHI, JKL, ABC]", Correct),
            ("[ABC, DEF, GHI, ABC]", Incorrect),
            ("ABC → DEF → GHI → JKL → ABC", Correct),
            ("[ABC, GHI, DEF, JKL, ABC]", Partial),
            ("[ABC, DEF, GHI, JKL]", Correct),
            ("[ABC, DEF, DEF, JKL, ABC]", Incorrect),
        ],
        boxed: &[("[ABC, DEF, GHI, JKL, ABC]", Correct), ("ABC, DEF, GHI, ABC", Incorrect)],
        json: &[
            (r#"{"tour": ["ABC", "DEF", "GHI", "JKL", "ABC"]}"#, Correct),
            (r#"{"answer": ["ABC", "GHI", "DEF", "JKL", "ABC"]}"#, Partial),
        ],
        table: &[(
            "| Stop | Airport |/|---|---|/| 1 | ABC |/| 2 | DEF |/| 3 | GHI |/| 4 | JKL |/| 5 | ABC |",
            Correct,
        )],
    },
];
