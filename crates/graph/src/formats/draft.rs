//! What a reader gathers before it is a graph: whether edges have a direction, what nodes are called
//! and which edges are parallel is known at the end of a file alone.

use rustc_hash::{FxHashMap, FxHashSet};

use super::notes::{FilePlace, NoteKind, ReadNotes};
use super::{FormatError, GraphRead, name, number};
use crate::{Graph, NodeName};

/// How many nodes may be declared by their number alone, beside one for each byte of the text.
const FREE_NODES: usize = 100_000;

/// Whether edges have a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// The file says it.
    Is(bool),
    /// The file does not say it.
    Assumed(bool),
}

/// When nodes are called by their labels rather than by their ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Labels {
    /// Where every node has one of its own.
    Preferred,
    /// The same, and ids are numbers alone.
    ForNumbers,
}

/// Weight and capacity.
pub(super) type Values = [Option<f64>; 2];

struct Edge {
    ends: (u32, u32),
    /// Weight and capacity; NaN if the file has none.
    values: [f64; 2],
    at: u32,
    is_directed: Option<bool>,
}

pub(super) struct Draft {
    pub notes: ReadNotes,
    names: Vec<NodeName>,
    places: FxHashMap<NodeName, u32>,
    labels: FxHashMap<u32, String>,
    embeddings: Vec<(u32, Vec<f64>)>,
    edges: Vec<Edge>,
    /// What edges are labelled with: their place, and the number that the label is.
    edge_labels: Vec<(u32, Option<f64>)>,
    /// The list of JSON that places count in; without one they are lines.
    list: Option<&'static str>,
    pub label_use: Labels,
    /// An edge that comes again the other way round is the same one.
    pub mirrors: bool,
    /// An edge that comes again replaces the first.
    pub replaces: bool,
}

impl Draft {
    pub fn new() -> Self {
        Self {
            notes: ReadNotes::default(),
            names: Vec::new(),
            places: FxHashMap::default(),
            labels: FxHashMap::default(),
            embeddings: Vec::new(),
            edges: Vec::new(),
            edge_labels: Vec::new(),
            list: None,
            label_use: Labels::Preferred,
            mirrors: false,
            replaces: false,
        }
    }

    /// A draft whose places are those in a list of JSON.
    pub fn of_items(list: &'static str) -> Self {
        Self { list: Some(list), ..Self::new() }
    }

    pub fn set_list(&mut self, list: &'static str) {
        self.list = Some(list);
    }

    pub fn place(&self, at: usize) -> FilePlace {
        self.list.map_or(FilePlace::Line(at), |list| FilePlace::Item(list, at))
    }

    pub fn n_nodes(&self) -> usize {
        self.names.len()
    }

    pub fn n_edges(&self) -> usize {
        self.edges.len()
    }

    pub fn is_known(&self, name: &NodeName) -> bool {
        self.places.contains_key(name)
    }

    pub fn name_of(&self, node: u32) -> &NodeName {
        &self.names[node as usize]
    }

    /// Keeps what was wrong with a record, and goes on.
    pub fn fault(&mut self, at: usize, message: impl Into<String>) {
        let mut error = FormatError::new(message);
        match self.place(at) {
            FilePlace::Line(line) => error.line = Some(line),
            place => error.message = format!("{place}: {}", error.message),
        }
        self.notes.fault(error);
    }

    /// The same for what gave an error already.
    pub fn fault_of(&mut self, at: usize, error: FormatError) {
        self.fault(at, error.message);
    }

    pub fn note(&mut self, kind: NoteKind, what: &'static str, name: &str, at: usize) {
        let place = self.place(at);
        self.notes.add(kind, what, name, place);
    }

    /// Notes a graph beside the one of number `wanted`.
    pub fn drop_graph(&mut self, wanted: usize, at: usize) {
        let place = self.place(at);
        self.notes.drop_graphs(wanted, "graph", 1, Some(place));
    }

    pub fn drop_node_value(&mut self, name: &str, at: usize) {
        self.note(NoteKind::Dropped, "value| of the node attribute", name, at);
    }

    pub fn drop_edge_value(&mut self, name: &str, at: usize) {
        self.note(NoteKind::Dropped, "value| of the edge attribute", name, at);
    }

    /// The node of that name, which may be new.
    pub fn node(&mut self, text: &str) -> Result<u32, FormatError> {
        Ok(self.named(name(text, None)?))
    }

    pub fn named(&mut self, name: NodeName) -> u32 {
        if let Some(&place) = self.places.get(&name) {
            return place;
        }
        let place = self.names.len() as u32;
        self.names.push(name.clone());
        self.places.insert(name, place);
        place
    }

    /// Nodes called by so many numbers, as far as a text of that length may declare them.
    pub fn numbered(
        &mut self,
        numbers: std::ops::Range<usize>,
        len: usize,
    ) -> Result<(), FormatError> {
        let most = FREE_NODES + len;
        if numbers.len() > most {
            return Err(FormatError::new(format!(
                "{} nodes in a text of {len} bytes: at most {most} are read",
                numbers.len()
            )));
        }
        for i in numbers {
            self.named(NodeName::from(i));
        }
        Ok(())
    }

    pub fn label(&mut self, node: u32, label: &str) {
        let label = label.trim();
        if !label.is_empty() {
            self.labels.insert(node, label.to_owned());
        }
    }

    pub fn embedding(&mut self, node: u32, values: Vec<f64>) {
        self.embeddings.push((node, values));
    }

    /// An edge between two nodes that are there.
    pub fn edge(
        &mut self,
        ends: (u32, u32),
        values: Values,
        is_directed: Option<bool>,
        at: usize,
    ) -> Result<(), FormatError> {
        for (what, value) in ["weight", "capacity"].iter().zip(values) {
            if let Some(value) = value
                && !value.is_finite()
            {
                return Err(FormatError::new(format!("the {what} {value} is not finite")));
            }
        }
        if values[1].is_some_and(|c| c < 0.0) {
            return Err(FormatError::new("a capacity is below 0: give 0 or more"));
        }
        if self.edges.len() >= Graph::MAX_EDGES {
            return Err(FormatError::new(format!("more than {} edges", Graph::MAX_EDGES)));
        }
        let values = values.map(|v| v.unwrap_or(f64::NAN));
        self.edges.push(Edge { ends, values, at: at as u32, is_directed });
        Ok(())
    }

    /// The label of the edge that was added last: numbers are its weight where no edge has one.
    pub fn edge_label(&mut self, label: &str) {
        if let Some(last) = self.edges.len().checked_sub(1) {
            self.edge_labels.push((last as u32, number(label, "label", None).ok()));
        }
    }

    /// An edge by names; what is wrong with it is kept.
    pub fn link(&mut self, ends: [&str; 2], values: Values, is_directed: Option<bool>, at: usize) {
        // Both names are read before either node is there.
        let read = name(ends[0], None).and_then(|a| Ok((a, name(ends[1], None)?)));
        self.link_named(read, values, is_directed, at);
    }

    pub fn link_named(
        &mut self,
        ends: Result<(NodeName, NodeName), FormatError>,
        values: Values,
        is_directed: Option<bool>,
        at: usize,
    ) {
        let linked = ends.and_then(|(a, b)| {
            let ends = (self.named(a), self.named(b));
            self.edge(ends, values, is_directed, at)
        });
        if let Err(error) = linked {
            self.fault_of(at, error);
        }
    }

    /// Whether every edge is there in the other direction too.
    pub fn is_symmetric(&self) -> bool {
        let ends: FxHashSet<(u32, u32)> = self.edges.iter().map(|e| e.ends).collect();
        self.edges.iter().all(|e| ends.contains(&(e.ends.1, e.ends.0)))
    }

    /// Takes edges as undirected, and merges those listed in both directions.
    pub fn undirect(&mut self) {
        self.mirrors = true;
        self.edges.iter_mut().for_each(|e| e.is_directed = Some(false));
    }

    /// Takes numbers among the labels of edges as their weights, where that is what they are.
    fn take_edge_labels(&mut self) {
        let Some(&(first, _)) = self.edge_labels.first() else { return };
        let first = self.place(self.edges[first as usize].at as usize);
        let has_weights = self.edges.iter().any(|e| !e.values[0].is_nan());
        let are_numbers = self.edge_labels.iter().all(|l| l.1.is_some());
        let n = self.edge_labels.len();
        if has_weights || !are_numbers {
            self.notes.count(NoteKind::Dropped, "label| of edges".into(), "", n, Some(first));
            return;
        }
        for &(edge, value) in &self.edge_labels {
            self.edges[edge as usize].values[0] = value.unwrap_or(f64::NAN);
        }
        let what = "label| of edges into weights".into();
        self.notes.count(NoteKind::Turned, what, "", n, Some(first));
    }

    /// Calls nodes by their labels, where those tell them apart.
    fn take_labels(&mut self) {
        if self.labels.is_empty() {
            return;
        }
        let is_label = |i: usize| self.labels.get(&(i as u32));
        let is_same = (0..self.names.len())
            .all(|i| is_label(i).is_none_or(|l| *l == self.names[i].to_string()));
        if is_same {
            return;
        }
        let numbers = || self.names.iter().all(|n| n.as_int().is_some());
        let is_wanted = self.label_use == Labels::Preferred || numbers();
        let mut seen = FxHashSet::default();
        let all = is_wanted
            && self.labels.len() == self.names.len()
            && (0..self.names.len()).all(|i| {
                is_label(i).is_some_and(|l| l.len() <= NodeName::MAX_LEN && seen.insert(l.as_str()))
            });
        let n = self.labels.len();
        if all {
            self.names = (0..self.names.len())
                .map(|i| is_label(i).map_or(self.names[i].clone(), |l| l.as_str().into()))
                .collect();
            self.notes.say(NoteKind::Turned, "nodes are called by their labels, not their ids");
        } else {
            let why = if is_wanted {
                "label| of nodes, which do not tell all nodes apart"
            } else {
                "label| of nodes"
            };
            self.notes.count(NoteKind::Dropped, why.into(), "", n, None);
        }
    }

    /// The graph, or why the file is none.
    pub fn finish(mut self, direction: Direction) -> Result<GraphRead, FormatError> {
        if let Some(refusal) = self.notes.refusal(self.names.len().max(self.edges.len())) {
            return Err(refusal);
        }
        self.take_edge_labels();
        self.take_labels();
        let (Direction::Is(default) | Direction::Assumed(default)) = direction;
        let of = |e: &Edge| e.is_directed.unwrap_or(default);
        let directed = if self.edges.is_empty() { default } else { self.edges.iter().any(of) };
        let mirrors = self.mirrors || matches!(direction, Direction::Assumed(_));
        let is_said = self.edges.iter().all(|e| e.is_directed.is_some());
        if matches!(direction, Direction::Assumed(_)) && !is_said {
            let what = if directed { "directed" } else { "undirected" };
            self.notes.say(NoteKind::Defaulted, format!("{what}, as the file does not say"));
        }
        let mut graph = Graph::with_capacity(directed, self.names.len(), self.edges.len());
        let mut indices = Vec::with_capacity(self.names.len());
        for name in &self.names {
            indices.push(graph.ensure_node(name.clone())?);
        }
        for (node, values) in self.embeddings {
            let node = self.names[node as usize].clone();
            graph.apply(&crate::Delta::SetEmbedding { node, values })?;
        }
        let (mut merged, mut mirrored, mut two_ways) = (Tally::new(), Tally::new(), Tally::new());
        let n_edges = self.edges.len();
        let unit = self.list;
        for edge in &self.edges {
            let (a, b) = (indices[edge.ends.0 as usize], indices[edge.ends.1 as usize]);
            let [weight, capacity] = edge.values.map(|v| (!v.is_nan()).then_some(v));
            let is_two_ways = directed && !of(edge) && a != b;
            if is_two_ways {
                two_ways.add(edge.at);
            }
            let ways: &[_] = if is_two_ways { &[(a, b), (b, a)] } else { &[(a, b)] };
            for &(a, b) in ways {
                let Some(there) = graph.edge_between(a, b) else {
                    graph.link_places(a, b, weight, capacity)?;
                    continue;
                };
                if mirrors
                    && a != b
                    && there.source_idx == b
                    && (there.weight, there.capacity) == (weight, capacity)
                {
                    mirrored.add(edge.at);
                    continue;
                }
                merged.add(edge.at);
                let sum = |old: Option<f64>, new: Option<f64>| match (old, new) {
                    (None, None) => None,
                    (None, Some(w)) | (Some(w), None) => Some(w + 1.0),
                    (Some(old), Some(new)) => Some(old + new),
                };
                let weight =
                    if self.replaces { weight.or(there.weight) } else { sum(there.weight, weight) };
                let capacity = match (there.capacity, capacity) {
                    (Some(old), Some(new)) if !self.replaces => Some(old + new),
                    (old, new) => new.or(old),
                };
                // Sums of finite numbers may pass what a number can hold.
                let bounded = |v: Option<f64>| v.map(|v| v.clamp(f64::MIN, f64::MAX));
                graph.link_places(a, b, bounded(weight), bounded(capacity))?;
            }
        }
        let place = |at: u32| match unit {
            Some(list) => FilePlace::Item(list, at as usize),
            None => FilePlace::Line(at as usize),
        };
        let are = |n: usize| if n == 1 { "is" } else { "are" };
        let what = if self.replaces {
            format!("of {n_edges} edges {} parallel, and the last counts", are(merged.n))
        } else if graph.is_weighted() {
            format!("of {n_edges} edges {} parallel; their weights were added", are(merged.n))
        } else {
            format!("of {n_edges} edges {} parallel, and count once", are(merged.n))
        };
        merged.say(&mut self.notes, NoteKind::Merged, what, place);
        let what = format!("of {n_edges} edges came again the other way round, and count once");
        // Where a format has each edge at both of its ends, that is no loss.
        if !self.mirrors {
            mirrored.say(&mut self.notes, NoteKind::Merged, what, place);
        }
        let what = "undirected edge| into two directed ones".to_owned();
        two_ways.say(&mut self.notes, NoteKind::Turned, what, place);
        Ok(GraphRead { graph, notes: self.notes })
    }
}

/// How often something was met, and where first.
struct Tally {
    n: usize,
    first: u32,
}

impl Tally {
    fn new() -> Self {
        Self { n: 0, first: 0 }
    }

    fn add(&mut self, at: u32) {
        if self.n == 0 {
            self.first = at;
        }
        self.n += 1;
    }

    fn say(
        self,
        notes: &mut ReadNotes,
        kind: NoteKind,
        what: String,
        place: impl Fn(u32) -> FilePlace,
    ) {
        if self.n > 0 {
            notes.count(kind, what.into(), "", self.n, Some(place(self.first)));
        }
    }
}
