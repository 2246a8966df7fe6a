//! Questions in words of our own, beside the benchmark's.

use graph::{Graph, NodeName};
use rand::Rng as _;
use rand::seq::{IndexedRandom as _, SliceRandom as _};
use rand_chacha::ChaCha8Rng;
use tasks::{Problem, Query};

/// How a list of pairs is written: an item with `{h}`, `{t}` and `{n}`, and what stands between two.
type Form = (&'static str, &'static str);

/// Pairs without a direction.
const PAIRS: &[Form] = &[
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
const ARCS: &[Form] = &[
    ("{h}->{t}", ", "),
    ("{h} -> {t}", ", "),
    ("{h} -> {t}", "\n"),
    ("{h} before {t}", ", "),
    ("{h} before {t}", "\n"),
    ("node {h} should be visited before node {t}", "\n"),
    ("task {h} must be done before task {t}", "\n"),
];

const WEIGHTED: &[Form] = &[
    ("an edge between node {h} and node {t} with weight {n}", ",\n"),
    ("{h}-{t} ({n})", ", "),
    ("{h}-{t}: {n}", ", "),
    ("({h}, {t}, {n})", ", "),
    ("({h},{t},{n})", " "),
    ("{h} -- {t} : {n}", "\n"),
    ("{h} {t} {n}", "\n"),
    ("a road between city {h} and city {t} with length {n}", ",\n"),
];

const CAPACITIES: &[Form] = &[
    ("an edge from node {h} to node {t} with capacity {n}", ",\n"),
    ("{h}->{t} ({n})", ", "),
    ("{h} -> {t}: {n}", ", "),
    ("{h} -> {t} : {n}", "\n"),
    ("a pipe from {h} to {t} that carries {n}", ",\n"),
    ("({h}, {t}, {n})", ", "),
];

const WISHES: &[Form] = &[
    ("Applicant {h} is interested in job {t}", ".\n"),
    ("applicant {h} wants job {t}", "\n"),
    ("person {h} can do task {t}", "\n"),
];

const ROWS: &[Form] =
    &[("node {h}: [{n},{m}]", "\n"), ("{h}: [{n}, {m}]", "\n"), ("node {h} has [{n},{m}]", "\n")];

fn one<'a>(rng: &mut ChaCha8Rng, list: &[&'a str]) -> &'a str {
    list.choose(rng).copied().unwrap_or_default()
}

fn form(rng: &mut ChaCha8Rng, list: &[Form]) -> Form {
    list.choose(rng).copied().unwrap_or(("({h},{t})", " "))
}

/// The number behind `a7` or `j7`, or of a node that is one.
fn plain(name: &NodeName) -> String {
    let text = name.to_string();
    text.trim_start_matches(['a', 'j']).to_owned()
}

/// The edges of a graph in a form.
fn edges(graph: &Graph, (item, between): Form) -> String {
    let number = |x: Option<f64>| x.map(|x| x.to_string()).unwrap_or_default();
    let list: Vec<String> = graph
        .edges()
        .map(|e| {
            item.replace("{h}", &plain(e.source))
                .replace("{t}", &plain(e.target))
                .replace("{n}", &number(e.weight.or(e.capacity)))
        })
        .collect();
    list.join(between)
}

fn rows(graph: &Graph, (item, between): Form) -> String {
    let list: Vec<String> = graph
        .indices()
        .map(|i| {
            let values = graph.embedding(i).unwrap_or_default();
            let value = |i: usize| values.get(i).copied().unwrap_or_default().to_string();
            item.replace("{h}", &graph.name(i).to_string())
                .replace("{n}", &value(0))
                .replace("{m}", &value(1))
        })
        .collect();
    list.join(between)
}

/// Between what opens and a list: a space, or a new line where the list has lines.
fn list(rng: &mut ChaCha8Rng, opening: &str, text: &str, form: Form) -> String {
    let ends = form.1.contains('\n') || rng.random_bool(0.3);
    let gap = if ends { "\n" } else { " " };
    let end = match (ends, rng.random_bool(0.5)) {
        (true, true) => ".\n",
        (true, false) => "\n",
        (false, true) => ". ",
        (false, false) => "\n",
    };
    format!("{opening}{gap}{text}{end}")
}

/// What lists of nodes begin with.
const NODES: &[&str] = &["Nodes: ", "The nodes are ", "The graph has the nodes "];

/// The nodes of a graph, where the numbers alone do not say them.
fn nodes(rng: &mut ChaCha8Rng, graph: &Graph) -> String {
    let names: Vec<String> = graph.names().map(ToString::to_string).collect();
    let n = names.len();
    let is_plain = names.iter().enumerate().all(|(i, name)| *name == i.to_string());
    if is_plain && rng.random_bool(0.7) {
        let last = n.saturating_sub(1);
        return match rng.random_range(0..4) {
            0 => format!("The nodes are numbered from 0 to {last}. "),
            1 => format!("There are {n} nodes, numbered from 0 to {last}. "),
            2 => format!("A graph with nodes 0 to {last}. "),
            _ => format!("The graph has {n} nodes, 0 to {last}.\n"),
        };
    }
    let opening = one(rng, NODES);
    format!("{opening}{}. ", names.join(", "))
}

const ASKED: &[&str] = &["", "Q: ", "Question: ", "Please tell me: "];
const ENDS: &[&str] = &["", "\nA:", "\nAnswer:"];

/// A question about a graph, in words of our own; and whether it lists the nodes one by one.
pub(super) fn ask(rng: &mut ChaCha8Rng, problem: &Problem) -> (String, bool) {
    let graph = &problem.graph;
    let (before, question) = match &problem.query {
        Query::Connectivity(ends) => {
            let form = form(rng, PAIRS);
            let opening = one(
                rng,
                &[
                    "Here is an undirected graph. Its edges are:",
                    "The graph has these edges:",
                    "Edges:",
                    "Consider an undirected graph with the following edges:",
                    "We are given a graph with the edges",
                    "Look at this network. Its links are:",
                    "Graph:",
                    "In an undirected graph, the edges are:",
                ],
            );
            let [a, b] = [&ends.source, &ends.target].map(ToString::to_string);
            let asks = one(
                rng,
                &[
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
            );
            let text = edges(graph, form);
            (list(rng, opening, &text, form), asks.replace("{a}", &a).replace("{b}", &b))
        }
        Query::Cycle(_) => {
            let form = form(rng, PAIRS);
            let opening = one(
                rng,
                &[
                    "Here is an undirected graph. Its edges are:",
                    "The graph has these edges:",
                    "Edges:",
                    "Consider an undirected graph with the following edges:",
                    "In this network the links are:",
                    "The edges are:",
                ],
            );
            let asks = one(
                rng,
                &[
                    "Is there a cycle in this graph?",
                    "Does this graph have a cycle?",
                    "Does the graph contain a cycle?",
                    "Is there a loop in this network?",
                    "Can we walk along different edges and come back to where we started?",
                    "Is this graph free of cycles, or is there a cycle?",
                    "Check whether the graph has a cycle.",
                ],
            );
            let text = edges(graph, form);
            (nodes_or_none(rng, graph) + &list(rng, opening, &text, form), asks.to_owned())
        }
        Query::Topology(_) => {
            let form = form(rng, ARCS);
            let opening = one(
                rng,
                &[
                    "These rules hold:",
                    "The order has to keep these rules:",
                    "In a directed graph the edges are:",
                    "Constraints:",
                    "The following must hold:",
                ],
            );
            let asks = one(
                rng,
                &[
                    "Can all the nodes be visited? Give the solution.",
                    "Give an order of the nodes that keeps all the rules.",
                    "In which order can all the nodes be visited?",
                    "Find a topological order.",
                    "Sort the nodes so that every rule holds.",
                    "Give a valid topological order of all nodes.",
                ],
            );
            let text = edges(graph, form);
            (nodes(rng, graph) + &list(rng, opening, &text, form), asks.to_owned())
        }
        Query::ShortestPath(ends) => {
            let form = form(rng, WEIGHTED);
            let opening = one(
                rng,
                &[
                    "Here is an undirected graph with weights. Its edges are:",
                    "The graph has these edges with weights:",
                    "Weighted edges:",
                    "Consider a weighted undirected graph:",
                    "The roads of a country and their lengths:",
                    "The edges are:",
                ],
            );
            let [a, b] = [&ends.source, &ends.target].map(ToString::to_string);
            let asks = one(
                rng,
                &[
                    "Give the shortest path from node {a} to node {b}.",
                    "What is the shortest path from node {a} to node {b}?",
                    "Find the shortest way from {a} to {b}.",
                    "Which path from {a} to {b} has the least total weight?",
                    "How do we get from node {a} to node {b} with the least weight?",
                    "Find a lightest path between {a} and {b}.",
                    "What is the quickest way from city {a} to city {b}?",
                ],
            );
            let text = edges(graph, form);
            (
                nodes_or_none(rng, graph) + &list(rng, opening, &text, form),
                asks.replace("{a}", &a).replace("{b}", &b),
            )
        }
        Query::Flow(ends) => {
            let form = form(rng, CAPACITIES);
            let opening = one(
                rng,
                &[
                    "Here is a directed graph with capacities. Its edges are:",
                    "The pipes of a network and their capacities:",
                    "Edges with capacity:",
                    "In a directed graph the edges are:",
                    "Consider this flow network:",
                ],
            );
            let [a, b] = [&ends.source, &ends.sink].map(ToString::to_string);
            let asks = one(
                rng,
                &[
                    "What is the maximum flow from node {a} to node {b}?",
                    "How much can flow from {a} to {b}?",
                    "Find the maximum flow from node {a} to node {b}.",
                    "What is the most that can flow from {a} to {b}?",
                    "Compute the max flow from node {a} to node {b}.",
                ],
            );
            let text = edges(graph, form);
            (
                nodes_or_none(rng, graph) + &list(rng, opening, &text, form),
                asks.replace("{a}", &a).replace("{b}", &b),
            )
        }
        Query::Matching(sides) => {
            let form = form(rng, WISHES);
            let opening = match rng.random_range(0..3) {
                0 => format!(
                    "There are {} applicants and {} jobs. Each applicant can have one job.",
                    sides.n_applicants, sides.n_jobs
                ),
                1 => "Who wants what:".to_owned(),
                _ => "Each job can be given to one applicant only.".to_owned(),
            };
            let asks = one(
                rng,
                &[
                    "Give jobs to as many applicants as possible.",
                    "Find an assignment of jobs to applicants in such that the maximum number of applicants find the job they are interested in.",
                    "How can the most applicants get a job they want?",
                    "Find a maximum matching.",
                    "Find the largest assignment of jobs to applicants.",
                ],
            );
            let text = edges(graph, form);
            (list(rng, &opening, &text, form), asks.to_owned())
        }
        Query::Hamilton(_) => {
            let form = form(rng, PAIRS);
            let opening = one(
                rng,
                &[
                    "Here is an undirected graph. Its edges are:",
                    "The graph has these edges:",
                    "Edges:",
                    "Consider an undirected graph with the following edges:",
                ],
            );
            let asks = one(
                rng,
                &[
                    "Is there a path in this graph that visits every node exactly once? If yes, give the path.",
                    "Find a path that visits every node exactly once.",
                    "Is there a Hamilton path? Give it.",
                    "Can we visit all nodes once each, along edges? Give the path.",
                    "Give a Hamilton path of this graph, if there is one.",
                ],
            );
            let text = edges(graph, form);
            (nodes_or_none(rng, graph) + &list(rng, opening, &text, form), asks.to_owned())
        }
        Query::Gnn(layers) => {
            let (form, row) = (form(rng, PAIRS), form(rng, ROWS));
            let n = ["zero", "one", "two", "three"]
                .get(layers.layers as usize)
                .map_or_else(|| layers.layers.to_string(), |word| (*word).to_owned());
            let text = rows(graph, row);
            let opening =
                one(rng, &["Embeddings:", "Each node has an embedding:", "The embeddings are:"]);
            let embeddings = list(rng, opening, &text, row);
            let text = edges(graph, form);
            let opening = one(rng, &["The edges are:", "Edges:", "The graph has these edges:"]);
            let links = list(rng, opening, &text, form);
            let asks = one(
                rng,
                &[
                    "What's the embedding of each node after {n} layers of simple graph convolution layer?",
                    "In each layer every node gets the sum of its neighbors' embeddings. What are the embeddings after {n} layers?",
                    "Compute the embeddings after {n} rounds in which each node takes the sum of its neighbors.",
                    "What is the embedding of each node after {n} layers of summing over neighbors?",
                ],
            );
            (embeddings + &links, asks.replace("{n}", &n))
        }
        // Other benchmarks' tasks are not this model's.
        other => (String::new(), other.goal()),
    };
    // "The nodes are numbered" lists none.
    let lists_nodes =
        NODES.iter().any(|opening| before.contains(opening)) && !before.contains("numbered");
    let asked = one(rng, ASKED);
    let end = one(rng, ENDS);
    if rng.random_bool(0.12) {
        // The question may come first.
        let text = format!("{question}\n{before}{end}");
        return (text.trim().to_owned(), lists_nodes);
    }
    (format!("{before}{asked}{question}{end}"), lists_nodes)
}

fn nodes_or_none(rng: &mut ChaCha8Rng, graph: &Graph) -> String {
    if rng.random_bool(0.5) { nodes(rng, graph) } else { String::new() }
}

/// The same problem with its nodes under other numbers, its edges in another order and, where they
/// have no direction, turned round at random.
pub(super) fn renamed(rng: &mut ChaCha8Rng, problem: &Problem, highest: usize) -> Problem {
    if matches!(problem.query, Query::Matching(_)) {
        return problem.clone();
    }
    let graph = &problem.graph;
    let n = graph.n_nodes();
    let mut labels: Vec<usize> = (0..highest.max(n)).collect();
    labels.shuffle(rng);
    labels.truncate(n);
    let names: Vec<&NodeName> = graph.names().collect();
    let new = |name: &NodeName| -> NodeName {
        let at = names.iter().position(|known| *known == name).unwrap_or_default();
        NodeName::from(labels.get(at).copied().unwrap_or_default())
    };
    let mut out = if graph.is_directed() { Graph::directed() } else { Graph::undirected() };
    let mut order: Vec<&NodeName> = names.clone();
    order.shuffle(rng);
    for name in order {
        let _ = out.apply(&graph::Delta::AddNode { node: new(name) });
    }
    for i in graph.indices() {
        if let Some(values) = graph.embedding(i) {
            let node = new(graph.name(i));
            let _ = out.apply(&graph::Delta::SetEmbedding { node, values: values.to_vec() });
        }
    }
    let mut all: Vec<_> =
        graph.edges().map(|e| (e.source.clone(), e.target.clone(), e.weight, e.capacity)).collect();
    if rng.random_bool(0.7) {
        all.shuffle(rng);
    }
    for (source, target, weight, capacity) in all {
        let (mut source, mut target) = (new(&source), new(&target));
        if !graph.is_directed() && rng.random_bool(0.5) {
            std::mem::swap(&mut source, &mut target);
        }
        let _ = out.apply(&graph::Delta::AddEdge { source, target, weight, capacity });
    }
    let query = match problem.query.ends() {
        Some((a, b)) => problem.query.with_ends(new(a), new(b)),
        None => problem.query.clone(),
    };
    Problem { graph: out, query, ..problem.clone() }
}
