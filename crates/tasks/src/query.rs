//! What a question asks beside its graph: one type for each shape that questions have.

use graph::{Graph, NodeName};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What all shapes of questions can say of themselves.
pub(crate) trait Shape: Sized {
    /// The two nodes that it names, the start first; one twice where it names one.
    fn ends(&self) -> Option<(&NodeName, &NodeName)> {
        None
    }

    /// The same question about two other nodes; one that names none stays as it is.
    fn with_ends(&self, from: NodeName, to: NodeName) -> Self;

    /// The question about a graph in which these are the first and the last node; `None` where a
    /// graph and two nodes are not enough to ask it.
    fn between(graph: &Graph, first: NodeName, last: NodeName) -> Option<Self>;

    /// Reads it out of the words of a question that come without the graph.
    fn in_words(words: &str) -> Option<Self>;

    /// Reads it out of a logged line: the `query` object and the sizes of two parties.
    fn logged(query: &Value, parties: (usize, usize)) -> Result<Self, String>;

    /// The same question about a graph that was edited.
    fn follow(&mut self, _: &Graph) {}

    /// Whether it can be asked about a graph.
    fn check(&self, _: &Graph) -> Result<(), String> {
        Ok(())
    }

    /// What has to be said of the graph where its edges are elsewhere; empty if nothing has.
    fn beside(&self) -> String {
        String::new()
    }

    /// The arguments of the graph function that answers it, by the names that the library uses.
    fn arguments(&self) -> Value {
        json!({})
    }
}

/// A question about the graph as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Whole;

impl Shape for Whole {
    fn with_ends(&self, _: NodeName, _: NodeName) -> Self {
        Self
    }

    fn between(_: &Graph, _: NodeName, _: NodeName) -> Option<Self> {
        Some(Self)
    }

    fn in_words(_: &str) -> Option<Self> {
        Some(Self)
    }

    fn logged(_: &Value, _: (usize, usize)) -> Result<Self, String> {
        Ok(Self)
    }
}

/// A question about the graph as a whole that wants a yes or a no, where another task wants more: about a
/// graph of somebody's own that one is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct YesOrNo;

impl Shape for YesOrNo {
    fn with_ends(&self, _: NodeName, _: NodeName) -> Self {
        Self
    }

    fn between(_: &Graph, _: NodeName, _: NodeName) -> Option<Self> {
        None
    }

    fn in_words(_: &str) -> Option<Self> {
        Some(Self)
    }

    fn logged(_: &Value, _: (usize, usize)) -> Result<Self, String> {
        Ok(Self)
    }
}

/// A question about two nodes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ends {
    /// The node where it starts.
    pub source: NodeName,
    /// The node where it ends.
    pub target: NodeName,
}

impl Shape for Ends {
    fn ends(&self) -> Option<(&NodeName, &NodeName)> {
        Some((&self.source, &self.target))
    }

    fn with_ends(&self, source: NodeName, target: NodeName) -> Self {
        Self { source, target }
    }

    fn between(_: &Graph, source: NodeName, target: NodeName) -> Option<Self> {
        Some(Self { source, target })
    }

    fn in_words(words: &str) -> Option<Self> {
        let (source, target) = pair(words)?;
        Some(Self { source, target })
    }

    fn logged(query: &Value, _: (usize, usize)) -> Result<Self, String> {
        Ok(Self { source: node(query, "source")?, target: node(query, "target")? })
    }

    fn check(&self, graph: &Graph) -> Result<(), String> {
        nodes_of(graph, [&self.source, &self.target])
    }

    fn arguments(&self) -> Value {
        json!({ "start": self.source, "end": self.target })
    }
}

/// A question about what goes from a source to a sink.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terminals {
    /// The node that the flow leaves.
    pub source: NodeName,
    /// The node that the flow reaches.
    pub sink: NodeName,
}

impl Shape for Terminals {
    fn ends(&self) -> Option<(&NodeName, &NodeName)> {
        Some((&self.source, &self.sink))
    }

    fn with_ends(&self, source: NodeName, sink: NodeName) -> Self {
        Self { source, sink }
    }

    fn between(_: &Graph, source: NodeName, sink: NodeName) -> Option<Self> {
        Some(Self { source, sink })
    }

    fn in_words(words: &str) -> Option<Self> {
        let (source, sink) = pair(words)?;
        Some(Self { source, sink })
    }

    fn logged(query: &Value, _: (usize, usize)) -> Result<Self, String> {
        Ok(Self { source: node(query, "source")?, sink: node(query, "target")? })
    }

    fn check(&self, graph: &Graph) -> Result<(), String> {
        nodes_of(graph, [&self.source, &self.sink])
    }

    fn arguments(&self) -> Value {
        json!({ "source": self.source, "sink": self.sink })
    }
}

/// A question about a graph with two parties: applicants `a0`, `a1`, … and jobs `j0`, `j1`, ….
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideSizes {
    /// The number of applicants.
    pub n_applicants: usize,
    /// The number of jobs.
    pub n_jobs: usize,
}

impl Shape for SideSizes {
    fn with_ends(&self, _: NodeName, _: NodeName) -> Self {
        *self
    }

    fn between(_: &Graph, _: NodeName, _: NodeName) -> Option<Self> {
        None
    }

    /// The counts stand with the graph, which is elsewhere.
    fn in_words(_: &str) -> Option<Self> {
        Some(Self { n_applicants: 0, n_jobs: 0 })
    }

    fn logged(_: &Value, (n_applicants, n_jobs): (usize, usize)) -> Result<Self, String> {
        Ok(Self { n_applicants, n_jobs })
    }

    fn follow(&mut self, graph: &Graph) {
        let count =
            |letter: char| graph.names().filter(|n| n.to_string().starts_with(letter)).count();
        (self.n_applicants, self.n_jobs) = (count('a'), count('j'));
    }

    fn check(&self, graph: &Graph) -> Result<(), String> {
        let Self { n_applicants, n_jobs } = *self;
        if n_applicants.saturating_add(n_jobs) != graph.n_nodes() {
            return Err(format!(
                "has {n_applicants} applicants and {n_jobs} jobs, and the graph has {} nodes; its \
                 nodes are a0, a1, … and j0, j1, …",
                graph.n_nodes()
            ));
        }
        let applicants = (0..n_applicants).map(|i| format!("a{i}"));
        let jobs = (0..n_jobs).map(|i| format!("j{i}"));
        match applicants.chain(jobs).find(|n| !graph.has_node(&n.as_str().into())) {
            Some(name) => Err(format!("counts {name:?}, which is no node of the graph")),
            None => Ok(()),
        }
    }
}

/// A question about the values of nodes after some layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layers {
    /// How many layers, 1 to 10; NLGraph asks for two.
    pub layers: u32,
}

impl Shape for Layers {
    fn with_ends(&self, _: NodeName, _: NodeName) -> Self {
        *self
    }

    fn between(graph: &Graph, _: NodeName, _: NodeName) -> Option<Self> {
        graph.indices().all(|i| graph.embedding(i).is_some()).then_some(Self { layers: 2 })
    }

    fn in_words(words: &str) -> Option<Self> {
        let layers = match words.split_once("after ")?.1.split(' ').next()? {
            "one" => 1,
            "two" => 2,
            "three" => 3,
            digits => digits.parse().ok()?,
        };
        Some(Self { layers })
    }

    fn logged(query: &Value, _: (usize, usize)) -> Result<Self, String> {
        let layers = query.get("layers").and_then(Value::as_u64).unwrap_or(2).min(1000) as u32;
        Ok(Self { layers })
    }

    fn check(&self, _: &Graph) -> Result<(), String> {
        if (1..=10).contains(&self.layers) {
            return Ok(());
        }
        Err(format!("asks for {} layers; expected 1 to 10", self.layers))
    }

    fn arguments(&self) -> Value {
        json!({ "layers": self.layers })
    }
}

/// A question about a way between two nodes that have names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Between {
    /// The node where it starts.
    pub source: NodeName,
    /// The node where it ends.
    pub target: NodeName,
}

impl Shape for Between {
    fn ends(&self) -> Option<(&NodeName, &NodeName)> {
        Some((&self.source, &self.target))
    }

    fn with_ends(&self, source: NodeName, target: NodeName) -> Self {
        Self { source, target }
    }

    fn between(_: &Graph, source: NodeName, target: NodeName) -> Option<Self> {
        Some(Self { source, target })
    }

    fn in_words(words: &str) -> Option<Self> {
        let (source, target) = named_pair(words, "between ")?;
        Some(Self { source, target })
    }

    fn logged(query: &Value, _: (usize, usize)) -> Result<Self, String> {
        Ok(Self { source: node(query, "source")?, target: node(query, "target")? })
    }

    fn check(&self, graph: &Graph) -> Result<(), String> {
        nodes_of(graph, [&self.source, &self.target])
    }

    fn arguments(&self) -> Value {
        json!({ "start": self.source, "end": self.target })
    }
}

/// A question about what two nodes have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Couple {
    /// The node that is named first.
    pub first: NodeName,
    /// The node that is named second.
    pub second: NodeName,
}

impl Shape for Couple {
    fn ends(&self) -> Option<(&NodeName, &NodeName)> {
        Some((&self.first, &self.second))
    }

    fn with_ends(&self, first: NodeName, second: NodeName) -> Self {
        Self { first, second }
    }

    fn between(_: &Graph, first: NodeName, second: NodeName) -> Option<Self> {
        Some(Self { first, second })
    }

    fn in_words(words: &str) -> Option<Self> {
        let (first, second) = named_pair(words, "neighbors of ")?;
        Some(Self { first, second })
    }

    fn logged(query: &Value, _: (usize, usize)) -> Result<Self, String> {
        Ok(Self { first: node(query, "source")?, second: node(query, "target")? })
    }

    fn check(&self, graph: &Graph) -> Result<(), String> {
        nodes_of(graph, [&self.first, &self.second])
    }

    fn arguments(&self) -> Value {
        json!({ "first": self.first, "second": self.second })
    }
}

/// A question about two parts of one graph: the nodes `a0`, `a1`, … and `b0`, `b1`, ….
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TwoParts {
    /// The number of nodes of the first part.
    pub n_first: usize,
    /// The number of nodes of the second part.
    pub n_second: usize,
}

impl TwoParts {
    /// The nodes of a part: `a0`, `a1`, … for the letter `a`.
    pub(crate) fn nodes(letter: char, n: usize) -> impl Iterator<Item = NodeName> {
        (0..n).map(move |i| NodeName::from(format!("{letter}{i}").as_str()))
    }

    /// The names of both parts, as graph functions take them.
    fn lists(self) -> [Vec<NodeName>; 2] {
        [Self::nodes('a', self.n_first).collect(), Self::nodes('b', self.n_second).collect()]
    }
}

impl Shape for TwoParts {
    fn with_ends(&self, _: NodeName, _: NodeName) -> Self {
        *self
    }

    fn between(_: &Graph, _: NodeName, _: NodeName) -> Option<Self> {
        None
    }

    fn in_words(words: &str) -> Option<Self> {
        let (n_first, n_second) = sizes(words)?;
        Some(Self { n_first, n_second })
    }

    fn logged(_: &Value, (n_first, n_second): (usize, usize)) -> Result<Self, String> {
        Ok(Self { n_first, n_second })
    }

    fn follow(&mut self, graph: &Graph) {
        let count =
            |letter: char| graph.names().filter(|n| n.to_string().starts_with(letter)).count();
        (self.n_first, self.n_second) = (count('a'), count('b'));
    }

    fn check(&self, graph: &Graph) -> Result<(), String> {
        let Self { n_first, n_second } = *self;
        if n_first.saturating_add(n_second) != graph.n_nodes() {
            return Err(format!(
                "has parts of {n_first} and {n_second} nodes, and the graph has {}; its nodes are \
                 a0, a1, … and b0, b1, …",
                graph.n_nodes()
            ));
        }
        let nodes = Self::nodes('a', n_first).chain(Self::nodes('b', n_second));
        match nodes.into_iter().find(|n| !graph.has_node(n)) {
            Some(name) => Err(format!("counts \"{name}\", which is no node of the graph")),
            None => Ok(()),
        }
    }

    fn beside(&self) -> String {
        let Self { n_first, n_second } = *self;
        format!("It holds molecules of {n_first} and {n_second} atoms: a0, a1, … and b0, b1, …")
    }

    fn arguments(&self) -> Value {
        let [first, second] = self.lists();
        json!({ "first": first, "second": second })
    }
}

/// A question about two molecules, parts of one graph, whose atoms have elements.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Atoms {
    /// The elements of the atoms `a0`, `a1`, ….
    pub first: Vec<String>,
    /// The elements of the atoms `b0`, `b1`, ….
    pub second: Vec<String>,
}

impl Atoms {
    pub(crate) fn sizes(&self) -> TwoParts {
        TwoParts { n_first: self.first.len(), n_second: self.second.len() }
    }
}

impl Shape for Atoms {
    fn with_ends(&self, _: NodeName, _: NodeName) -> Self {
        self.clone()
    }

    fn between(_: &Graph, _: NodeName, _: NodeName) -> Option<Self> {
        None
    }

    /// The elements stand with the question: without them it could not be answered.
    fn in_words(words: &str) -> Option<Self> {
        let list = |letter: char| -> Option<Vec<String>> {
            let (_, after) = words.split_once(&format!("atoms {letter}0, {letter}1, … are "))?;
            let (list, _) = after.split_once(['.', ';'])?;
            Some(list.split(',').map(|element| element.trim().to_owned()).collect())
        };
        Some(Self { first: list('a')?, second: list('b')? })
    }

    fn logged(query: &Value, _: (usize, usize)) -> Result<Self, String> {
        let list = |field: &str| {
            let list = query.get(field).and_then(Value::as_array);
            let list =
                list.ok_or_else(|| format!("the query needs {field:?}, a list of elements"))?;
            Ok::<_, String>(list.iter().map(|e| e.as_str().unwrap_or("").to_owned()).collect())
        };
        Ok(Self { first: list("first")?, second: list("second")? })
    }

    fn check(&self, graph: &Graph) -> Result<(), String> {
        self.sizes().check(graph)
    }

    fn beside(&self) -> String {
        let [first, second] = [&self.first, &self.second].map(|list| list.join(", "));
        format!("The atoms a0, a1, … are {first}; the atoms b0, b1, … are {second}.")
    }

    fn arguments(&self) -> Value {
        let [first, second] = self.sizes().lists();
        let elements = self.first.iter().chain(&self.second);
        let labels: Vec<Value> =
            first.iter().chain(&second).zip(elements).map(|(n, e)| json!([n, e])).collect();
        json!({ "first": first, "second": second, "labels": labels })
    }
}

/// The sizes in `molecules of 5 and 7 atoms`.
fn sizes(words: &str) -> Option<(usize, usize)> {
    let (_, after) = words.split_once("molecules of ")?;
    let mut numbers = after.split(' ').filter_map(|word| word.parse().ok());
    Some((numbers.next()?, numbers.next()?))
}

/// The two names in `between A and B in this network`.
fn named_pair(words: &str, before: &str) -> Option<(NodeName, NodeName)> {
    let (_, after) = words.split_once(before)?;
    let (pair, _) = after.split_once(" in this network")?;
    let (a, b) = pair.split_once(" and ")?;
    Some((a.trim().into(), b.trim().into()))
}

/// The two nodes of a question's words, where it has two.
fn pair(words: &str) -> Option<(NodeName, NodeName)> {
    let (_, behind) = words.split_once("node ")?;
    let cut = |words: &str| behind.split_once(words);
    let (first, behind) =
        [" to node ", " and node "].into_iter().filter_map(cut).min_by_key(|c| c.0.len())?;
    // A full stop may stand in a name, such as St. Ives.
    let ends = ["?", ".\n", ",", " in th", "\n"].into_iter().filter_map(|end| behind.find(end));
    let second = &behind[..ends.min().unwrap_or(behind.len())];
    let is_number = |name: &str| name.trim_matches(['<', '>']).parse::<u64>().is_ok();
    let second =
        second.split_once(". ").map(|cut| cut.0).filter(|name| is_number(name)).unwrap_or(second);
    let bare = |name: &str| {
        NodeName::from(name.trim_matches(|c: char| c.is_whitespace() || "<>.\"'".contains(c)))
    };
    Some((bare(first), bare(second)))
}

fn node(query: &Value, field: &str) -> Result<NodeName, String> {
    let number = query.get(field).and_then(Value::as_u64);
    number
        .map(|i| NodeName::from(i as usize))
        .ok_or_else(|| format!("the query needs {field:?}, a node"))
}

fn nodes_of(graph: &Graph, named: [&NodeName; 2]) -> Result<(), String> {
    match named.into_iter().find(|name| !graph.has_node(name)) {
        Some(name) => Err(format!("names \"{name}\", which is no node of the graph")),
        None => Ok(()),
    }
}
