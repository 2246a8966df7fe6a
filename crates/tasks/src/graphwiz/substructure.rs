//! Whether a small directed graph is a part of a larger one.

use std::fmt::Write as _;

use graph::exact::common_subgraph::{PatternMatch, find_pattern};
use graph::{Graph, NodeName};
use rand::Rng as _;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::definition::{Asked, Definition, Functions, Listed, Row, Speech};
use crate::names::yes_no;
use crate::parse::{Builder, Cursor, GraphText};
use crate::query::Shape;
use crate::random;
use crate::verify::substructure as verify;
pub use crate::verify::substructure::Answer;
use crate::{Difficulty, EdgeNumber, ParseError, Slip, Style, TaskGroup, Wording};

const OPENING: &str =
    "Determine if a smaller graph is present as an exact match within a larger graph";

/// What a question ends with.
const ASKS: &str = "Is subgraph G' present within graph G as a direct substructure";

/// Steps of the search. Graphs of these sizes need far fewer.
const BUDGET: u64 = 20_000_000;

/// A question about two parts of one graph: whether the nodes `a`, `b`, … with their edges are found
/// among the nodes `0`, `1`, ….
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pattern {
    /// The number of nodes of the graph that is searched.
    pub n_nodes: usize,
    /// The number of nodes of the pattern, at most 26.
    pub n_pattern: usize,
}

impl Pattern {
    /// The nodes of the graph that is searched.
    fn within(self) -> impl Iterator<Item = NodeName> {
        (0..self.n_nodes).map(NodeName::from)
    }

    /// The nodes of the pattern.
    pub(crate) fn letters(self) -> impl Iterator<Item = NodeName> {
        ('a'..='z').take(self.n_pattern).map(|c| NodeName::from(c.to_string().as_str()))
    }

    /// The graph that is searched, and the pattern.
    pub(crate) fn parts(self, graph: &Graph) -> [Graph; 2] {
        let part = |nodes: Vec<NodeName>| {
            let mut out = Graph::directed();
            for name in nodes {
                // The nodes are there and no more than in the whole, so neither this nor the next fails.
                let _ = out.ensure_node(name);
            }
            for edge in graph.edges() {
                if out.has_node(edge.source) && out.has_node(edge.target) {
                    let _ = out.link(edge.source.clone(), edge.target.clone());
                }
            }
            out
        };
        [part(self.within().collect()), part(self.letters().collect())]
    }
}

impl Shape for Pattern {
    fn with_ends(&self, _: NodeName, _: NodeName) -> Self {
        *self
    }

    fn between(_: &Graph, _: NodeName, _: NodeName) -> Option<Self> {
        None
    }

    fn in_words(words: &str) -> Option<Self> {
        let number = |before: &str| {
            let (_, after) = words.split_once(before)?;
            after.split(' ').next()?.parse().ok()
        };
        Some(Self { n_nodes: number("Graph G has ")?, n_pattern: number("subgraph G' has ")? })
    }

    fn logged(_: &Value, (n_nodes, n_pattern): (usize, usize)) -> Result<Self, String> {
        Ok(Self { n_nodes, n_pattern })
    }

    fn follow(&mut self, graph: &Graph) {
        self.n_nodes = graph.names().filter(|name| name.as_int().is_some()).count();
        self.n_pattern = graph.n_nodes() - self.n_nodes;
    }

    fn check(&self, graph: &Graph) -> Result<(), String> {
        let Self { n_nodes, n_pattern } = *self;
        if n_pattern > 26 || n_nodes.saturating_add(n_pattern) != graph.n_nodes() {
            return Err(format!(
                "has a graph of {n_nodes} nodes and a pattern of {n_pattern}, at most 26, and there \
                 are {}: 0, 1, … and a, b, …",
                graph.n_nodes()
            ));
        }
        match self.within().chain(self.letters()).find(|name| !graph.has_node(name)) {
            Some(name) => Err(format!("counts \"{name}\", which is no node of the graph")),
            None => Ok(()),
        }
    }

    fn beside(&self) -> String {
        format!(
            "Graph G has {} nodes, 0, 1, …; subgraph G' has {} nodes, a, b, …",
            self.n_nodes, self.n_pattern
        )
    }

    fn arguments(&self) -> Value {
        let pattern: Vec<NodeName> = self.letters().collect();
        let within: Vec<NodeName> = self.within().collect();
        json!({ "pattern": pattern, "within": within })
    }
}

/// What it asks beside the graph.
pub type Query = Pattern;

pub(crate) const TASK: Definition<Query, Answer> = Definition {
    title: "Subgraph search",
    lede: "Is a small directed graph a part of a larger one?",
    group: TaskGroup::GraphWiz,
    difficulties: &Difficulty::ALL,
    is_directed: true,
    edge_number: EdgeNumber::Unused,
    openings: &[OPENING],
    question_words: &[],
    asks: ASKS,
    make,
    parse,
    ask,
    fits: |_| Ok(()),
    solve,
    reference,
    reasoned,
    algorithm: "We can give the nodes of the small graph partners one after the other, each with at \
                least as many edges out and in and with all edges to the partners so far, and step \
                back where none is left.",
    n_exemplars: 4,
    read: verify::read,
    judge: verify::judge,
    unique: |_, answer| yes_no(answer.is_present == Some(true)),
    ballot: |answer| yes_no(answer.is_present == Some(true)),
    slip,
    speech: Speech { list: Listed::Path, pair_is_edge: true, row: Row::Nothing },
    functions: Functions {
        goal: |_| "The question is whether the small graph is a part of the large one.".into(),
        answering: &["find_subgraph"],
        similar: |query| {
            let [first, second] = ["within", "pattern"].map(|part| query.arguments()[part].clone());
            ("max_common_subgraph", json!({ "first": first, "second": second }))
        },
        result,
    },
};

/// Half of the patterns are taken from the graph and lose some edges; the others are random, and may be
/// there too. Sizes and densities as published: edges go from a node to later ones, the pattern has
/// about half the nodes and hangs together.
///
/// `// Departs from GraphWiz:` its bands of 2 to 30 nodes are three levels here.
fn make(difficulty: Difficulty, rng: &mut ChaCha8Rng) -> (Graph, Query) {
    let (low, high, sparse, dense) = match difficulty {
        Difficulty::Easy => (5, 10, 30, 80),
        Difficulty::Medium => (11, 20, 15, 50),
        Difficulty::Hard => (21, 30, 10, 30),
    };
    let n_nodes = random::between(rng, low, high);
    let percent = random::between(rng, sparse, dense);
    let mut edges = random::pairs(rng, n_nodes, percent as f64 / 100.0);
    if edges.is_empty() {
        edges.push((0, 1));
    }
    let size = random::between(rng, n_nodes / 2, n_nodes / 2 + 1);
    let (n_pattern, mut pattern) = if rng.random_bool(0.5) {
        taken(rng, &edges, size)
    } else {
        // A little denser than the graph, or it would nearly always be there.
        (size, random::connected_pairs(rng, size, (percent as f64 / 80.0).clamp(0.25, 0.9)))
    };
    let label = random::shuffled(rng, n_pattern);
    for (a, b) in &mut pattern {
        (*a, *b) = (label[*a], label[*b]);
    }
    random::shuffle(rng, &mut pattern);
    let query = Pattern { n_nodes, n_pattern };
    let mut graph = random::plain(true, n_nodes, edges);
    let letters: Vec<NodeName> = query.letters().collect();
    for name in &letters {
        // Tiny and well formed, so neither this nor the next can fail.
        let _ = graph.ensure_node(name.clone());
    }
    for (a, b) in pattern {
        let _ = graph.link(letters[a].clone(), letters[b].clone());
    }
    (graph, query)
}

/// At most so many nodes of a graph that hang together, with half of the edges that they could spare.
fn taken(
    rng: &mut ChaCha8Rng,
    edges: &[(usize, usize)],
    size: usize,
) -> (usize, Vec<(usize, usize)>) {
    let (first, _) = edges[random::between(rng, 0, edges.len() - 1)];
    let mut nodes = vec![first];
    let mut kept = Vec::new();
    while nodes.len() < size {
        let leads_on: Vec<(usize, usize)> =
            edges.iter().copied().filter(|(a, b)| nodes.contains(a) != nodes.contains(b)).collect();
        let Some(last) = leads_on.len().checked_sub(1) else { break };
        let (a, b) = leads_on[random::between(rng, 0, last)];
        nodes.push(if nodes.contains(&a) { b } else { a });
        kept.push((a, b));
    }
    let place = |node: usize| nodes.iter().position(|other| *other == node);
    let mut pattern = Vec::new();
    for (a, b) in edges {
        if let (Some(i), Some(j)) = (place(*a), place(*b))
            && (kept.contains(&(*a, *b)) || rng.random_bool(0.5))
        {
            pattern.push((i, j));
        }
    }
    (nodes.len(), pattern)
}

fn parse(cursor: &mut Cursor<'_>) -> Result<GraphText<Query>, ParseError> {
    let mut builder = Builder::called(cursor, true, 7, ", and the edges are:")?;
    builder.pairs(cursor, "->")?;
    let n_nodes = builder.n_nodes();
    cursor.seek("numbered from")?;
    let at = cursor.clone();
    let letters = || at.expected("the letters of the pattern, as in \"a to d\"");
    cursor.want("a to")?;
    let last = cursor.until(", and the edges are:")?;
    let last = last.as_bytes().first().filter(|c| last.len() == 1 && c.is_ascii_lowercase());
    let n_pattern = usize::from(last.ok_or_else(letters)? - b'a') + 1;
    let query = Pattern { n_nodes, n_pattern };
    query.letters().for_each(|name| builder.node_named(name));
    while cursor.eat("(") {
        let at = cursor.clone();
        let ends = cursor.until(")")?.split_once("->");
        let ends = ends.map(|(a, b)| (NodeName::from(a.trim()), NodeName::from(b.trim())));
        let of_pattern = |name: &NodeName| query.letters().any(|letter| letter == *name);
        let ends = ends.filter(|(a, b)| of_pattern(a) && of_pattern(b));
        let (a, b) =
            ends.ok_or_else(|| at.expected("two nodes of the pattern, as in \"(a->b)\""))?;
        builder.link_named(a, b, None)?;
        let _ = cursor.eat(",");
    }
    // Another question counts how often it occurs.
    cursor.asked(&["present", "exist"])?;
    Ok(GraphText { graph: builder.finish(), query })
}

fn ask(problem: Asked<'_, Query>, _: Wording, style: Style, out: &mut String) {
    let [within, pattern] = problem.query.parts(problem.graph);
    let list = |graph: &Graph| {
        let edge = |edge: graph::EdgeRef<'_>| format!(" ({}->{})", edge.source, edge.target);
        graph.edges().map(edge).collect::<String>()
    };
    let last = problem.query.letters().last().unwrap_or_else(|| "a".into());
    let _ = write!(
        out,
        "{OPENING}. In a directed graph, (i->j) means that node i and node j are connected with a \
         directed edge from node i to node j. Given a graph G and a subgraph G', you need to output \
         Yes or No, indicating whether subgraph G' is present within the directed graph G. Q: The \
         nodes of graph G are numbered from 0 to {}, and the edges are:{}. The nodes of subgraph G' \
         are numbered from a to {last}, and the edges are:{}. {ASKS}?",
        within.n_nodes().saturating_sub(1),
        list(&within),
        list(&pattern),
    );
    if style.has_exemplars() {
        out.push_str("\nA:");
    }
}

fn solve(problem: Asked<'_, Query>) -> Answer {
    let [within, pattern] = problem.query.parts(problem.graph);
    let (is_present, pairs) = match find_pattern(&within, &pattern, BUDGET) {
        PatternMatch::Found(pairs) => (Some(true), pairs),
        PatternMatch::Absent => (Some(false), Vec::new()),
        PatternMatch::Undecided => (None, Vec::new()),
    };
    let names = |(a, b): &(_, _)| (pattern.name(*a).clone(), within.name(*b).clone());
    Answer { is_present, mapping: pairs.iter().map(names).collect() }
}

fn reference(_: Asked<'_, Query>, answer: &Answer) -> String {
    if answer.is_present == Some(true) { "### Yes" } else { "### No" }.into()
}

fn reasoned(problem: Asked<'_, Query>, answer: &Answer) -> String {
    let pairs: Vec<String> =
        answer.mapping.iter().map(|(letter, node)| format!("{letter} -> {node}")).collect();
    let lead = if pairs.is_empty() {
        "No choice of partners has all edges. ".to_owned()
    } else {
        format!("With the partners {} every edge is there. ", pairs.join(", "))
    };
    lead + &reference(problem, answer)
}

/// What `find_subgraph` gives.
fn result(result: &Value) -> Option<Answer> {
    let is_present = result.get("is_found")?.as_bool();
    let pair = |pair: &Value| {
        let name = |field: &str| serde_json::from_value(pair.get(field)?.clone()).ok();
        Some((name("node")?, name("partner")?))
    };
    let mapping = result.get("mapping")?.as_array();
    let mapping = mapping.map(|pairs| pairs.iter().filter_map(pair).collect()).unwrap_or_default();
    Some(Answer { is_present, mapping })
}

/// The decision turns round.
fn slip(_: Asked<'_, Query>, answer: &mut Answer, _: &Slip) -> Option<String> {
    *answer = Answer { is_present: Some(answer.is_present != Some(true)), mapping: Vec::new() };
    None
}
