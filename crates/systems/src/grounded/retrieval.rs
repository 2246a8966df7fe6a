//! Which graph functions a model gets, where not all of them are sent.

use agent::{Choosing, choose};
use llm::{Message, ToolSpec};
use serde_json::json;

/// How many functions are sent beside the pinned ones, unless somebody says otherwise: eight in all.
pub const N_TOOLS: usize = 5;

/// The tool that finds functions which were not sent.
pub const FIND_FUNCTIONS: &str = "find_functions";
/// How many functions it finds.
const N_FOUND: usize = 4;

/// The functions that build a graph: without them nothing else can be called.
pub const PINNED: &[&str] = &["create_graph", "add_nodes", "add_edges"];

/// Words in which people ask for what a function does, where its description says it in others.
const ASKED_AS: &[(&str, &str)] = &[
    ("has_path", "is there a path between, connected, reach, reachable"),
    ("find_cycle", "is there a cycle in this graph, loop, circular"),
    (
        "topological_sort",
        "can all the nodes be visited in an order that satisfies the constraints; give the solution; \
         must be visited before, prerequisites, dependencies, schedule",
    ),
    ("find_shortest_path", "give the shortest path, route, cheapest way, least weight, distance"),
    ("max_flow", "what is the maximum flow, capacity, pipe, throughput"),
    (
        "max_bipartite_matching",
        "find an assignment of jobs to applicants, maximum number of applicants find the job they \
         are interested in, pair, allocate",
    ),
    ("find_hamilton_path", "is there a path that visits every node exactly once, tour"),
    (
        "graph_convolution",
        "what is the embedding of each node after layers of simple graph convolution, neural \
         network, message passing",
    ),
    (
        "set_node_embeddings",
        "embedding of each node, neural network, graph convolution, features; weights of nodes \
         are, what is the maximum sum of the weights of nodes",
    ),
    ("color_graph", "colour, clash, timetable"),
    ("minimum_spanning_tree", "connect all at least cost, cable, cheapest network"),
    ("find_bridges", "critical link, single point of failure"),
    ("find_articulation_points", "critical node, single point of failure"),
    (
        "find_shortest_tour",
        "travelling salesman, TSP, round trip through all places, visit every city and return to the \
         start with the least total distance",
    ),
    ("common_neighbors", "neighbours in common, shared friends, mutual acquaintances"),
    (
        "max_independent_set",
        "largest set of vertices no two of which are adjacent, most people who do not know each other",
    ),
    (
        "min_vertex_cover",
        "smallest set of vertices that touches every edge, fewest guards to watch all corridors",
    ),
    (
        "max_common_subgraph",
        "what two graphs or two molecules have in common, largest shared structure",
    ),
    (
        "find_subgraph",
        "does a pattern occur in the graph, contains a copy of, subgraph isomorphism",
    ),
    (
        "graph_edit_distance",
        "how many insertions, deletions and substitutions turn one graph into another, how similar \
         two molecules are",
    ),
    ("max_clique", "who all know each other, largest group"),
    ("find_cliques", "all groups who all know each other, complete subgraphs"),
    ("pagerank", "most important, influential"),
    ("betweenness_centrality", "most important, broker, bottleneck"),
];

/// What a model reads of [`FIND_FUNCTIONS`].
pub(super) fn look_up_face() -> ToolSpec {
    ToolSpec {
        name: FIND_FUNCTIONS.into(),
        description: "Finds further graph functions, if none of these fits the question.".into(),
        parameters: json!({
            "type": "object",
            "properties": {
                "purpose": { "type": "string", "description": "What the function should find." },
            },
            "required": ["purpose"],
            "additionalProperties": false,
        }),
    }
}

/// The functions that fit a purpose best.
pub(super) fn look_up(specs: &[ToolSpec], purpose: &str) -> Vec<ToolSpec> {
    let mut how = choosing(N_FOUND);
    if let Choosing::Bm25 { pinned, .. } = &mut how {
        pinned.clear();
    }
    choose(&how, specs, &[Message::user(purpose)])
}

/// The choice by BM25 for this library.
pub fn choosing(n_tools: usize) -> Choosing {
    choosing_beside(n_tools, &[])
}

/// The same where other tools are always sent, too.
pub fn choosing_beside(n_tools: usize, always: &[&str]) -> Choosing {
    Choosing::Bm25 {
        n_tools,
        pinned: always
            .iter()
            .chain(PINNED)
            .chain(&[FIND_FUNCTIONS])
            .map(|n| (*n).to_owned())
            .collect(),
        asked_as: ASKED_AS.iter().map(|(n, w)| ((*n).to_owned(), (*w).to_owned())).collect(),
    }
}
