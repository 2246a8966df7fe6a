//! The graph value: nodes with names, edges with weights. How it is changed, only through deltas, is
//! in `changes`.

mod changes;

use petgraph::Direction;
use petgraph::graph::DiGraph;
use petgraph::stable_graph::{EdgeIndex, NodeIndex, StableDiGraph};
use petgraph::visit::{EdgeRef as _, IntoEdgeReferences};
use rustc_hash::FxHashMap;

use crate::ends::Ends;
use crate::{Adjacency, GraphError, NodeName, nearest_names};

/// Nodes from which it is faster to search a copy of the edges without what they carry.
const COPIED_FROM: usize = 2_000;

/// The place of a node inside one graph. It stays valid until that node is removed.
pub type NodeIdx = NodeIndex<u32>;

#[derive(Clone, Debug)]
struct Node {
    name: NodeName,
    embedding: Option<Vec<f64>>,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    weight: Option<f64>,
    capacity: Option<f64>,
}

impl Edge {
    fn new(
        weight: Option<f64>,
        capacity: Option<f64>,
        ends: impl FnOnce() -> (NodeName, NodeName),
    ) -> Result<Self, GraphError> {
        for (what, value) in [("a weight", weight), ("a capacity", capacity)] {
            if let Some(value) = value
                && !value.is_finite()
            {
                return Err(GraphError::NotFinite { what, value });
            }
        }
        if let Some(value) = capacity
            && value < 0.0
        {
            let (source_node, target) = ends();
            return Err(GraphError::NegativeCapacity { source_node, target, value });
        }
        Ok(Self { weight, capacity })
    }
}

/// Whether a name is the number of its node's place.
fn is_place(name: &NodeName, idx: NodeIdx) -> bool {
    name.as_int() == i64::try_from(idx.index()).ok()
}

/// A simple graph: directed or undirected, weighted or not, at most one edge for each (ordered, if
/// directed) pair of nodes, self loops allowed.
///
/// Nodes and edges keep the order in which they came, so the same deltas give the same bytes.
///
/// ```
/// use graph::Graph;
/// let mut friends = Graph::undirected();
/// friends.link("Tom", "Katy")?;
/// friends.link("Tom", "Paul")?;
/// assert_eq!((friends.n_nodes(), friends.n_edges()), (3, 2));
/// # Ok::<(), graph::GraphError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Graph {
    // Undirected graphs are stored with one arc an edge, in the order it was written.
    arcs: StableDiGraph<Node, Edge, u32>,
    directed: bool,
    weighted: bool,
    // Whether there ever was a weight below 0; searches ask, and to look at every edge takes longer
    // than some of them.
    was_negative: bool,
    // Only the nodes whose name is not the number of their place: those need no map to be found, and
    // most graphs name their nodes 0, 1, 2, …
    by_name: FxHashMap<NodeName, NodeIdx>,
    by_ends: Ends,
}

/// One edge as it stands in a graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeRef<'g> {
    /// Where it starts (for an undirected edge: the end that was written first).
    pub source: &'g NodeName,
    /// The target; the second end where the graph is undirected.
    pub target: &'g NodeName,
    /// The place of `source`.
    pub source_idx: NodeIdx,
    /// The place of `target`.
    pub target_idx: NodeIdx,
    /// The weight that was given, if any.
    pub weight: Option<f64>,
    /// The capacity that was given, if any.
    pub capacity: Option<f64>,
}

impl EdgeRef<'_> {
    /// The weight, 1 where none was given.
    pub fn weight_or_one(&self) -> f64 {
        self.weight.unwrap_or(1.0)
    }

    /// The capacity, else the weight, else 1.
    pub fn capacity_or_weight(&self) -> f64 {
        self.capacity.or(self.weight).unwrap_or(1.0)
    }
}

impl Graph {
    /// The most nodes that a graph may have.
    pub const MAX_NODES: usize = 5_000_000;
    /// The most edges that a graph may have.
    pub const MAX_EDGES: usize = 20_000_000;

    /// An empty undirected, unweighted graph.
    pub fn undirected() -> Self {
        Self::default()
    }

    /// An empty directed, unweighted graph.
    pub fn directed() -> Self {
        Self { directed: true, ..Self::default() }
    }

    /// An empty, unweighted graph with room for so many nodes and edges.
    pub fn with_capacity(directed: bool, nodes: usize, edges: usize) -> Self {
        Self {
            arcs: StableDiGraph::with_capacity(nodes, edges),
            directed,
            by_ends: Ends::with_capacity(nodes, edges),
            ..Self::default()
        }
    }

    fn place(&self, name: &NodeName) -> Option<NodeIdx> {
        if let Some(number) = name.as_int()
            && let Ok(number) = u32::try_from(number)
            && let Some(node) = self.arcs.node_weight(number.into())
            && node.name == *name
        {
            return Some(number.into());
        }
        self.by_name.get(name).copied()
    }

    fn key(&self, a: NodeIdx, b: NodeIdx) -> (NodeIdx, NodeIdx) {
        if self.directed || a <= b { (a, b) } else { (b, a) }
    }

    /// Whether edges have a direction.
    pub fn is_directed(&self) -> bool {
        self.directed
    }

    /// Whether edges have weights that somebody gave.
    pub fn is_weighted(&self) -> bool {
        self.weighted
    }

    /// The number of nodes.
    pub fn n_nodes(&self) -> usize {
        self.arcs.node_count()
    }

    /// The number of edges.
    pub fn n_edges(&self) -> usize {
        self.arcs.edge_count()
    }

    /// Whether there is a node of that name.
    pub fn has_node(&self, name: &NodeName) -> bool {
        self.place(name).is_some()
    }

    /// The place of a node.
    ///
    /// # Errors
    /// [`GraphError::UnknownNode`] with the nearest names.
    pub fn index(&self, name: &NodeName) -> Result<NodeIdx, GraphError> {
        match self.place(name) {
            Some(idx) => Ok(idx),
            None => {
                Err(GraphError::UnknownNode { node: name.clone(), hint: self.names_hint(name) })
            }
        }
    }

    /// The name of the node at a place.
    ///
    /// # Panics
    /// The place is not of this graph.
    pub fn name(&self, idx: NodeIdx) -> &NodeName {
        &self.arcs[idx].name
    }

    /// The embedding of the node at a place, if it has one.
    pub fn embedding(&self, idx: NodeIdx) -> Option<&[f64]> {
        self.arcs.node_weight(idx)?.embedding.as_deref()
    }

    /// The places of all nodes, in the order they came.
    pub fn indices(&self) -> impl Iterator<Item = NodeIdx> + '_ {
        self.arcs.node_indices()
    }

    /// The names of all nodes, in the order they came.
    pub fn names(&self) -> impl Iterator<Item = &NodeName> {
        self.arcs.node_weights().map(|node| &node.name)
    }

    /// The names of the nodes at a list of places.
    pub fn names_of(&self, places: &[NodeIdx]) -> Vec<NodeName> {
        places.iter().map(|&i| self.name(i).clone()).collect()
    }

    /// All edges, in the order they came.
    pub fn edges(&self) -> impl Iterator<Item = EdgeRef<'_>> {
        self.arcs.edge_references().map(|e| self.edge_ref(e.id(), e.source(), e.target()))
    }

    fn edge_ref(&self, id: EdgeIndex<u32>, a: NodeIdx, b: NodeIdx) -> EdgeRef<'_> {
        let edge = &self.arcs[id];
        EdgeRef {
            source: &self.arcs[a].name,
            target: &self.arcs[b].name,
            source_idx: a,
            target_idx: b,
            weight: edge.weight,
            capacity: edge.capacity,
        }
    }

    /// The edge from `source` to `target` (in either direction, if the graph is undirected).
    pub fn edge(&self, source: &NodeName, target: &NodeName) -> Option<EdgeRef<'_>> {
        self.edge_between(self.place(source)?, self.place(target)?)
    }

    /// The same by places.
    pub fn edge_between(&self, a: NodeIdx, b: NodeIdx) -> Option<EdgeRef<'_>> {
        let id = self.by_ends.get(self.key(a, b))?;
        let (a, b) = self.arcs.edge_endpoints(id)?;
        Some(self.edge_ref(id, a, b))
    }

    /// The edge from `source` to `target`.
    ///
    /// # Errors
    /// [`GraphError::UnknownNode`] or [`GraphError::UnknownEdge`], with what is there instead.
    pub fn require_edge(
        &self,
        source: &NodeName,
        target: &NodeName,
    ) -> Result<EdgeRef<'_>, GraphError> {
        let (a, b) = (self.index(source)?, self.index(target)?);
        self.edge_between(a, b).ok_or_else(|| self.unknown_edge(a, b))
    }

    /// The nodes that an edge leads to from a node, in the order of the edges.
    pub fn neighbors(&self, idx: NodeIdx) -> Vec<NodeIdx> {
        self.arcs_at(idx, Direction::Outgoing)
    }

    /// The nodes that have an edge to a node; in an undirected graph its neighbours.
    pub fn predecessors(&self, idx: NodeIdx) -> Vec<NodeIdx> {
        self.arcs_at(idx, Direction::Incoming)
    }

    fn arcs_at(&self, idx: NodeIdx, way: Direction) -> Vec<NodeIdx> {
        let mut found: Vec<(EdgeIndex<u32>, NodeIdx)> = Vec::new();
        for direction in [Direction::Outgoing, Direction::Incoming] {
            if self.directed && direction != way {
                continue;
            }
            for e in self.arcs.edges_directed(idx, direction) {
                let other = if direction == Direction::Outgoing { e.target() } else { e.source() };
                // An undirected loop shows up in both directions.
                if self.directed || other != idx || direction == Direction::Outgoing {
                    found.push((e.id(), other));
                }
            }
        }
        found.sort_unstable();
        found.into_iter().map(|(_, node)| node).collect()
    }

    /// The strongly connected components of a directed graph, by petgraph's Kosaraju, in no order that
    /// means anything.
    pub(crate) fn strong_parts(&self) -> Vec<Vec<NodeIdx>> {
        if self.n_nodes() < COPIED_FROM {
            return petgraph::algo::kosaraju_scc(&self.arcs);
        }
        // Places stay what they are: those of removed nodes become parts of their own, left out here.
        let mut bare = DiGraph::<(), ()>::with_capacity(self.node_bound(), self.n_edges());
        for _ in 0..self.node_bound() {
            bare.add_node(());
        }
        bare.extend_with_edges(self.ends());
        let mut parts = petgraph::algo::kosaraju_scc(&bare);
        parts.retain(|part| part.iter().all(|idx| self.arcs.contains_node(*idx)));
        parts
    }

    /// One more than the largest place.
    pub(crate) fn node_bound(&self) -> usize {
        self.arcs.node_indices().next_back().map_or(0, |last| last.index() + 1)
    }

    /// Calls `f` with each node that an edge leads to, or with `back` comes from, in no order that
    /// means anything; a loop may count twice.
    pub(crate) fn each_neighbor(&self, idx: NodeIdx, back: bool, f: impl FnMut(NodeIdx)) {
        if !self.directed {
            self.arcs.neighbors_undirected(idx).for_each(f);
        } else {
            let way = if back { Direction::Incoming } else { Direction::Outgoing };
            self.arcs.neighbors_directed(idx, way).for_each(f);
        }
    }

    /// The same with weights, 1 where none was given.
    pub(crate) fn each_arc(&self, idx: NodeIdx, back: bool, mut f: impl FnMut(NodeIdx, f64)) {
        let weight = |e: &Edge| e.weight.unwrap_or(1.0);
        if !self.directed || !back {
            for e in self.arcs.edges_directed(idx, Direction::Outgoing) {
                f(e.target(), weight(e.weight()));
            }
        }
        if !self.directed || back {
            for e in self.arcs.edges_directed(idx, Direction::Incoming) {
                f(e.source(), weight(e.weight()));
            }
        }
    }

    /// Whether no edge can have a weight below 0.
    pub(crate) fn is_never_negative(&self) -> bool {
        !self.was_negative
    }

    /// The places of the ends of all edges, in the order the edges came.
    pub(crate) fn ends(&self) -> impl Iterator<Item = (NodeIdx, NodeIdx)> + '_ {
        self.arcs.edge_references().map(|e| (e.source(), e.target()))
    }

    fn unknown_edge(&self, a: NodeIdx, b: NodeIdx) -> GraphError {
        let (source_node, target) = (self.name(a).clone(), self.name(b).clone());
        let hint = if self.directed && self.edge_between(b, a).is_some() {
            format!("the edge runs the other way, from {target} to {source_node}")
        } else {
            let near: Vec<String> = self
                .arcs
                .neighbors_undirected(a)
                .take(8)
                .map(|n| self.name(n).to_string())
                .collect();
            if near.is_empty() {
                format!("{source_node} has no edges")
            } else {
                format!("{source_node} is joined to {}", near.join(", "))
            }
        };
        GraphError::UnknownEdge { source_node, target, hint }
    }

    fn names_hint(&self, wanted: &NodeName) -> String {
        let n = self.n_nodes();
        if n == 0 {
            return "the graph has no nodes; add them first".into();
        }
        let mut ints: Vec<i64> = self.names().filter_map(NodeName::as_int).collect();
        ints.sort_unstable();
        if ints.len() == n
            && n > 1
            && let (Some(&low), Some(&high)) = (ints.first(), ints.last())
            && high.abs_diff(low) + 1 == n as u64
        {
            return format!("the graph has nodes {low} to {high}");
        }
        let near: Vec<String> =
            nearest_names(wanted, self.names(), 5).iter().map(ToString::to_string).collect();
        if n <= 5 {
            format!("the graph has {}", near.join(", "))
        } else {
            format!("the nearest of its {n} names are {}", near.join(", "))
        }
    }

    /// A compact copy of the structure for algorithms: nodes `0..n` in order, neighbours in the
    /// order their edges came.
    ///
    /// O(n + m).
    pub fn adjacency(&self) -> Adjacency {
        // Reserved, because these iterators pass over removed entries and cannot say how long they are.
        let mut nodes: Vec<NodeIdx> = Vec::with_capacity(self.n_nodes());
        nodes.extend(self.indices());
        let bound = nodes.last().map_or(0, |n| n.index() + 1);
        let mut position = vec![u32::MAX; bound];
        for (i, node) in nodes.iter().enumerate() {
            position[node.index()] = i as u32;
        }
        let mut edges = Vec::with_capacity(self.n_edges());
        for e in self.arcs.edge_references() {
            let (a, b) = (position[e.source().index()], position[e.target().index()]);
            edges.push((a, b, e.weight().weight.unwrap_or(1.0)));
        }
        Adjacency::new(nodes, position, self.directed, edges)
    }
}

impl PartialEq for Graph {
    /// Two graphs are equal if they have the same kind, nodes (with embeddings) and edges (with
    /// weights and capacities), in whatever order these came.
    fn eq(&self, other: &Self) -> bool {
        self.directed == other.directed
            && self.n_nodes() == other.n_nodes()
            && self.n_edges() == other.n_edges()
            && self.indices().all(|i| {
                other.place(self.name(i)).is_some_and(|j| self.embedding(i) == other.embedding(j))
            })
            && self.edges().all(|e| {
                other
                    .edge(e.source, e.target)
                    .is_some_and(|o| o.weight == e.weight && o.capacity == e.capacity)
            })
    }
}

#[cfg(test)]
mod tests;
