//! Questions in words of our own, beside the benchmark's.

use graph::{Graph, NodeName};
use rand::Rng as _;
use rand::seq::{IndexedRandom as _, SliceRandom as _};
use rand_chacha::ChaCha8Rng;
use tasks::{Problem, Query};

use super::words::{self, Form, SaysNodes, TaskWords};

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

/// What stands before a question, and the question.
fn worded(
    rng: &mut ChaCha8Rng,
    graph: &Graph,
    words: &TaskWords,
    ends: Option<(&NodeName, &NodeName)>,
) -> (String, String) {
    let form = form(rng, words.forms);
    let (opening, asks) = (one(rng, words.openings), one(rng, words.asks));
    let text = edges(graph, form);
    let says_nodes = match words.says_nodes {
        SaysNodes::Never => false,
        SaysNodes::Sometimes => rng.random_bool(0.5),
        SaysNodes::Always => true,
    };
    let listed = if says_nodes { nodes(rng, graph) } else { String::new() };
    let before = listed + &list(rng, opening, &text, form);
    let question = ends.map_or_else(
        || asks.to_owned(),
        |(a, b)| asks.replace("{a}", &a.to_string()).replace("{b}", &b.to_string()),
    );
    (before, question)
}

/// A question about a graph, in words of our own.
pub(super) fn ask(rng: &mut ChaCha8Rng, problem: &Problem) -> String {
    let graph = &problem.graph;
    let (before, question) = match &problem.query {
        Query::Connectivity(ends) => {
            worded(rng, graph, &words::CONNECTIVITY, Some((&ends.source, &ends.target)))
        }
        Query::Cycle(_) => worded(rng, graph, &words::CYCLE, None),
        Query::Topology(_) => worded(rng, graph, &words::TOPOLOGY, None),
        Query::ShortestPath(ends) => {
            worded(rng, graph, &words::SHORTEST_PATH, Some((&ends.source, &ends.target)))
        }
        Query::Flow(ends) => worded(rng, graph, &words::FLOW, Some((&ends.source, &ends.sink))),
        Query::Hamilton(_) => worded(rng, graph, &words::HAMILTON, None),
        Query::Matching(sides) => {
            let form = form(rng, words::WISHES);
            let opening = match rng.random_range(0..3) {
                0 => format!(
                    "There are {} applicants and {} jobs. Each applicant can have one job.",
                    sides.n_applicants, sides.n_jobs
                ),
                1 => "Who wants what:".to_owned(),
                _ => "Each job can be given to one applicant only.".to_owned(),
            };
            let asks = one(rng, words::ASSIGNMENTS);
            let text = edges(graph, form);
            (list(rng, &opening, &text, form), asks.to_owned())
        }
        Query::Gnn(layers) => {
            let (form, row) = (form(rng, words::PAIRS), form(rng, words::ROWS));
            let n = ["zero", "one", "two", "three"]
                .get(layers.layers as usize)
                .map_or_else(|| layers.layers.to_string(), |word| (*word).to_owned());
            let text = rows(graph, row);
            let opening = one(rng, words::EMBEDDINGS);
            let embeddings = list(rng, opening, &text, row);
            let text = edges(graph, form);
            let opening = one(rng, words::LINKS);
            let links = list(rng, opening, &text, form);
            let asks = one(rng, words::LAYERS);
            (embeddings + &links, asks.replace("{n}", &n))
        }
        // Other benchmarks' tasks are not this model's.
        other => (String::new(), other.goal()),
    };
    let asked = one(rng, ASKED);
    let end = one(rng, ENDS);
    if rng.random_bool(0.12) {
        // The question may come first.
        let text = format!("{question}\n{before}{end}");
        return text.trim().to_owned();
    }
    format!("{before}{asked}{question}{end}")
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
