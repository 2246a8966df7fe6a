//! The words of our own in which questions stand, and the forms of their lists.

/// How a list of pairs is written: an item with `{h}`, `{t}` and `{n}`, and what stands between two.
pub(super) type Form = (&'static str, &'static str);

/// Pairs without a direction.
pub(super) const PAIRS: &[Form] = &[
    ("({h},{t})", " "),
    ("({h}, {t})", ", "),
    ("({h},{t})", ", "),
    ("({h},{t})", ","),
    ("{h}-{t}", ", "),
    ("{h}-{t}", " "),
    ("{h} - {t}", ", "),
    ("{h} -- {t}", "\n"),
    ("{h} -- {t}", ", "),
    ("[{h}, {t}]", ", "),
    ("[{h},{t}]", ","),
    ("{h} to {t}", ", "),
    ("{h} and {t}", "; "),
    ("{h} {t}", "\n"),
    ("node {h} is connected to node {t}", "\n"),
    ("node {h} and node {t} are connected", ".\n"),
    ("a link between {h} and {t}", ",\n"),
    ("({h}, {t})", "\n"),
];

/// Pairs in which the first comes before the second.
pub(super) const ARCS: &[Form] = &[
    ("{h}->{t}", ", "),
    ("{h} -> {t}", ", "),
    ("{h} -> {t}", "\n"),
    ("{h} before {t}", ", "),
    ("{h} before {t}", "\n"),
    ("node {h} should be visited before node {t}", "\n"),
    ("task {h} must be done before task {t}", "\n"),
];

pub(super) const WEIGHTED: &[Form] = &[
    ("an edge between node {h} and node {t} with weight {n}", ",\n"),
    ("{h}-{t} ({n})", ", "),
    ("{h}-{t}: {n}", ", "),
    ("({h}, {t}, {n})", ", "),
    ("({h},{t},{n})", " "),
    ("{h} -- {t} : {n}", "\n"),
    ("{h} {t} {n}", "\n"),
    ("a road between city {h} and city {t} with length {n}", ",\n"),
];

pub(super) const CAPACITIES: &[Form] = &[
    ("an edge from node {h} to node {t} with capacity {n}", ",\n"),
    ("{h}->{t} ({n})", ", "),
    ("{h} -> {t}: {n}", ", "),
    ("{h} -> {t} : {n}", "\n"),
    ("a pipe from {h} to {t} that carries {n}", ",\n"),
    ("({h}, {t}, {n})", ", "),
];

pub(super) const WISHES: &[Form] = &[
    ("Applicant {h} is interested in job {t}", ".\n"),
    ("applicant {h} wants job {t}", "\n"),
    ("person {h} can do task {t}", "\n"),
];

pub(super) const ROWS: &[Form] =
    &[("node {h}: [{n},{m}]", "\n"), ("{h}: [{n}, {m}]", "\n"), ("node {h} has [{n},{m}]", "\n")];

/// Whether a question says which nodes there are, beside its edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SaysNodes {
    Never,
    Sometimes,
    Always,
}

/// The words of a task whose question is a list of edges and what is asked of them.
pub(super) struct TaskWords {
    pub(super) forms: &'static [Form],
    pub(super) says_nodes: SaysNodes,
    /// What stands before the edges.
    pub(super) openings: &'static [&'static str],
    /// What is asked; `{a}` and `{b}` are the ends of a path or a flow.
    pub(super) asks: &'static [&'static str],
}

pub(super) const CONNECTIVITY: TaskWords = TaskWords {
    forms: PAIRS,
    says_nodes: SaysNodes::Never,
    openings: &[
        "Here is an undirected graph. Its edges are:",
        "The graph has these edges:",
        "Edges:",
        "Consider an undirected graph with the following edges:",
        "We are given a graph with the edges",
        "Look at this network. Its links are:",
        "Graph:",
        "In an undirected graph, the edges are:",
    ],
    asks: &[
        "Is there a path between node {a} and node {b}?",
        "Is there a path from node {a} to node {b}?",
        "Can we get from {a} to {b}?",
        "Are nodes {a} and {b} connected?",
        "Is there a way from {a} to {b}?",
        "Can we walk from node {a} to node {b}?",
        "Can you reach node {b} from node {a}?",
        "Does a path between {a} and {b} exist?",
        "Tell me whether node {a} and node {b} are connected.",
        "Are vertex {a} and vertex {b} in the same component?",
        "Is it possible to walk from vertex {a} to vertex {b}?",
    ],
};

pub(super) const CYCLE: TaskWords = TaskWords {
    forms: PAIRS,
    says_nodes: SaysNodes::Sometimes,
    openings: &[
        "Here is an undirected graph. Its edges are:",
        "The graph has these edges:",
        "Edges:",
        "Consider an undirected graph with the following edges:",
        "In this network the links are:",
        "The edges are:",
    ],
    asks: &[
        "Is there a cycle in this graph?",
        "Does this graph have a cycle?",
        "Does the graph contain a cycle?",
        "Is there a loop in this network?",
        "Can we walk along different edges and come back to where we started?",
        "Is this graph free of cycles, or is there a cycle?",
        "Check whether the graph has a cycle.",
    ],
};

pub(super) const TOPOLOGY: TaskWords = TaskWords {
    forms: ARCS,
    says_nodes: SaysNodes::Always,
    openings: &[
        "These rules hold:",
        "The order has to keep these rules:",
        "In a directed graph the edges are:",
        "Constraints:",
        "The following must hold:",
    ],
    asks: &[
        "Can all the nodes be visited? Give the solution.",
        "Give an order of the nodes that keeps all the rules.",
        "In which order can all the nodes be visited?",
        "Find a topological order.",
        "Sort the nodes so that every rule holds.",
        "Give a valid topological order of all nodes.",
    ],
};

pub(super) const SHORTEST_PATH: TaskWords = TaskWords {
    forms: WEIGHTED,
    says_nodes: SaysNodes::Sometimes,
    openings: &[
        "Here is an undirected graph with weights. Its edges are:",
        "The graph has these edges with weights:",
        "Weighted edges:",
        "Consider a weighted undirected graph:",
        "The roads of a country and their lengths:",
        "The edges are:",
    ],
    asks: &[
        "Give the shortest path from node {a} to node {b}.",
        "What is the shortest path from node {a} to node {b}?",
        "Find the shortest way from {a} to {b}.",
        "Which path from {a} to {b} has the least total weight?",
        "How do we get from node {a} to node {b} with the least weight?",
        "Find a lightest path between {a} and {b}.",
        "What is the quickest way from city {a} to city {b}?",
    ],
};

pub(super) const FLOW: TaskWords = TaskWords {
    forms: CAPACITIES,
    says_nodes: SaysNodes::Sometimes,
    openings: &[
        "Here is a directed graph with capacities. Its edges are:",
        "The pipes of a network and their capacities:",
        "Edges with capacity:",
        "In a directed graph the edges are:",
        "Consider this flow network:",
    ],
    asks: &[
        "What is the maximum flow from node {a} to node {b}?",
        "How much can flow from {a} to {b}?",
        "Find the maximum flow from node {a} to node {b}.",
        "What is the most that can flow from {a} to {b}?",
        "Compute the max flow from node {a} to node {b}.",
    ],
};

pub(super) const HAMILTON: TaskWords = TaskWords {
    forms: PAIRS,
    says_nodes: SaysNodes::Sometimes,
    openings: &[
        "Here is an undirected graph. Its edges are:",
        "The graph has these edges:",
        "Edges:",
        "Consider an undirected graph with the following edges:",
    ],
    asks: &[
        "Is there a path in this graph that visits every node exactly once? If yes, give the path.",
        "Find a path that visits every node exactly once.",
        "Is there a Hamilton path? Give it.",
        "Can we visit all nodes once each, along edges? Give the path.",
        "Give a Hamilton path of this graph, if there is one.",
    ],
};

/// What is asked of applicants and jobs.
pub(super) const ASSIGNMENTS: &[&str] = &[
    "Give jobs to as many applicants as possible.",
    "Find an assignment of jobs to applicants in such that the maximum number of applicants find the job they are interested in.",
    "How can the most applicants get a job they want?",
    "Find a maximum matching.",
    "Find the largest assignment of jobs to applicants.",
];

/// What stands before the embeddings of nodes.
pub(super) const EMBEDDINGS: &[&str] =
    &["Embeddings:", "Each node has an embedding:", "The embeddings are:"];

/// What stands before the edges of a graph with embeddings.
pub(super) const LINKS: &[&str] = &["The edges are:", "Edges:", "The graph has these edges:"];

/// What is asked of embeddings; `{n}` is the number of layers.
pub(super) const LAYERS: &[&str] = &[
    "What's the embedding of each node after {n} layers of simple graph convolution layer?",
    "In each layer every node gets the sum of its neighbors' embeddings. What are the embeddings after {n} layers?",
    "Compute the embeddings after {n} rounds in which each node takes the sum of its neighbors.",
    "What is the embedding of each node after {n} layers of summing over neighbors?",
];
