//! The graph value: nodes with names, edges with weights, changed only through deltas.

use petgraph::Direction;
use petgraph::stable_graph::{EdgeIndex, NodeIndex, StableDiGraph};
use petgraph::visit::{EdgeRef as _, IntoEdgeReferences};
use rustc_hash::FxHashMap;

use crate::{Adjacency, Delta, GraphError, NodeName, nearest_names};

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
    by_name: FxHashMap<NodeName, NodeIdx>,
    by_ends: FxHashMap<(NodeIdx, NodeIdx), EdgeIndex<u32>>,
}

/// One edge as it stands in a graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeRef<'g> {
    /// Where it starts (for an undirected edge: the end that was written first).
    pub source: &'g NodeName,
    /// Where it ends.
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

    /// The graph that a list of deltas builds.
    ///
    /// # Errors
    /// The first delta that does not fit.
    pub fn from_deltas<'d>(
        deltas: impl IntoIterator<Item = &'d Delta>,
    ) -> Result<Self, GraphError> {
        let mut graph = Self::default();
        for delta in deltas {
            graph.apply(delta)?;
        }
        Ok(graph)
    }

    /// The deltas that build this graph from nothing: one `Create`, the nodes, the edges.
    pub fn to_deltas(&self) -> Vec<Delta> {
        let mut deltas = Vec::with_capacity(1 + self.n_nodes() + self.n_edges());
        deltas.push(Delta::Create { directed: self.directed, weighted: self.weighted });
        for idx in self.indices() {
            deltas.push(Delta::AddNode { node: self.name(idx).clone() });
        }
        for idx in self.indices() {
            if let Some(values) = self.embedding(idx) {
                let node = self.name(idx).clone();
                deltas.push(Delta::SetEmbedding { node, values: values.to_vec() });
            }
        }
        for edge in self.edges() {
            deltas.push(Delta::AddEdge {
                source: edge.source.clone(),
                target: edge.target.clone(),
                weight: edge.weight,
                capacity: edge.capacity,
            });
        }
        deltas
    }

    /// Makes one change.
    ///
    /// # Errors
    /// The change does not fit the graph; the graph is then as it was.
    ///
    /// # Complexity
    /// O(1) expected, but for removing a node (its degree) and `Clear`/`Create` (the whole graph).
    pub fn apply(&mut self, delta: &Delta) -> Result<(), GraphError> {
        match delta {
            Delta::Create { directed, weighted } => {
                *self = Self { directed: *directed, weighted: *weighted, ..Self::default() };
            }
            Delta::AddNode { node } => {
                if self.by_name.contains_key(node) {
                    return Err(GraphError::DuplicateNode { node: node.clone() });
                }
                self.insert_node(node.clone())?;
            }
            Delta::RemoveNode { node } => {
                let idx = self.index(node)?;
                let ends: Vec<(NodeIdx, NodeIdx)> = self
                    .arcs
                    .edges_directed(idx, Direction::Outgoing)
                    .chain(self.arcs.edges_directed(idx, Direction::Incoming))
                    .map(|e| self.key(e.source(), e.target()))
                    .collect();
                for key in ends {
                    self.by_ends.remove(&key);
                }
                self.arcs.remove_node(idx);
                self.by_name.remove(node);
            }
            Delta::RenameNode { from, to } => {
                let idx = self.index(from)?;
                if from == to {
                    return Ok(());
                }
                if self.by_name.contains_key(to) {
                    return Err(GraphError::DuplicateNode { node: to.clone() });
                }
                self.by_name.remove(from);
                self.by_name.insert(to.clone(), idx);
                self.arcs[idx].name = to.clone();
            }
            Delta::AddEdge { source, target, weight, capacity } => {
                for (what, value) in [("a weight", weight), ("a capacity", capacity)] {
                    if let Some(value) = *value
                        && !value.is_finite()
                    {
                        return Err(GraphError::NotFinite { what, value });
                    }
                }
                if let Some(value) = *capacity
                    && value < 0.0
                {
                    let (source_node, target) = (source.clone(), target.clone());
                    return Err(GraphError::NegativeCapacity { source_node, target, value });
                }
                let (a, b) = (self.index(source)?, self.index(target)?);
                let edge = Edge { weight: *weight, capacity: *capacity };
                let key = self.key(a, b);
                if let Some(&idx) = self.by_ends.get(&key) {
                    self.arcs[idx] = edge;
                } else {
                    if self.n_edges() >= Self::MAX_EDGES {
                        return Err(GraphError::TooLarge { what: "edges", limit: Self::MAX_EDGES });
                    }
                    let idx = self.arcs.add_edge(a, b, edge);
                    self.by_ends.insert(key, idx);
                }
                self.weighted |= weight.is_some();
            }
            Delta::RemoveEdge { source, target } => {
                let (a, b) = (self.index(source)?, self.index(target)?);
                let key = self.key(a, b);
                let Some(idx) = self.by_ends.remove(&key) else {
                    return Err(self.unknown_edge(a, b));
                };
                self.arcs.remove_edge(idx);
            }
            Delta::SetEmbedding { node, values } => {
                let idx = self.index(node)?;
                if let Some(&value) = values.iter().find(|v| !v.is_finite()) {
                    return Err(GraphError::NotFinite { what: "an embedding entry", value });
                }
                self.arcs[idx].embedding = Some(values.clone());
            }
            Delta::Clear => {
                let (directed, weighted) = (self.directed, self.weighted);
                *self = Self { directed, weighted, ..Self::default() };
            }
        }
        Ok(())
    }

    /// Adds the node if it is not there, and gives its place.
    ///
    /// # Errors
    /// The graph is full.
    pub fn ensure_node(&mut self, name: impl Into<NodeName>) -> Result<NodeIdx, GraphError> {
        let name = name.into();
        match self.by_name.get(&name) {
            Some(&idx) => Ok(idx),
            None => self.insert_node(name),
        }
    }

    /// Adds an edge without weight, and its ends where they are missing.
    ///
    /// # Errors
    /// The graph is full.
    pub fn link(
        &mut self,
        source: impl Into<NodeName>,
        target: impl Into<NodeName>,
    ) -> Result<(), GraphError> {
        self.link_full(source.into(), target.into(), None, None)
    }

    /// Adds an edge with a weight, and its ends where they are missing.
    ///
    /// # Errors
    /// The weight is not finite, or the graph is full.
    pub fn link_weighted(
        &mut self,
        source: impl Into<NodeName>,
        target: impl Into<NodeName>,
        weight: f64,
    ) -> Result<(), GraphError> {
        self.link_full(source.into(), target.into(), Some(weight), None)
    }

    /// Adds an edge with a capacity, and its ends where they are missing.
    ///
    /// # Errors
    /// The capacity is negative or not finite, or the graph is full.
    pub fn link_capacity(
        &mut self,
        source: impl Into<NodeName>,
        target: impl Into<NodeName>,
        capacity: f64,
    ) -> Result<(), GraphError> {
        self.link_full(source.into(), target.into(), None, Some(capacity))
    }

    fn link_full(
        &mut self,
        source: NodeName,
        target: NodeName,
        weight: Option<f64>,
        capacity: Option<f64>,
    ) -> Result<(), GraphError> {
        self.ensure_node(source.clone())?;
        self.ensure_node(target.clone())?;
        self.apply(&Delta::AddEdge { source, target, weight, capacity })
    }

    fn insert_node(&mut self, name: NodeName) -> Result<NodeIdx, GraphError> {
        if self.n_nodes() >= Self::MAX_NODES {
            return Err(GraphError::TooLarge { what: "nodes", limit: Self::MAX_NODES });
        }
        let idx = self.arcs.add_node(Node { name: name.clone(), embedding: None });
        self.by_name.insert(name, idx);
        Ok(idx)
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
        self.by_name.contains_key(name)
    }

    /// The place of a node.
    ///
    /// # Errors
    /// [`GraphError::UnknownNode`] with the nearest names.
    pub fn index(&self, name: &NodeName) -> Result<NodeIdx, GraphError> {
        match self.by_name.get(name) {
            Some(&idx) => Ok(idx),
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
        self.edge_between(*self.by_name.get(source)?, *self.by_name.get(target)?)
    }

    /// The same by places.
    pub fn edge_between(&self, a: NodeIdx, b: NodeIdx) -> Option<EdgeRef<'_>> {
        let id = *self.by_ends.get(&self.key(a, b))?;
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
        let nodes: Vec<NodeIdx> = self.indices().collect();
        let bound = nodes.last().map_or(0, |n| n.index() + 1);
        let mut position = vec![u32::MAX; bound];
        for (i, node) in nodes.iter().enumerate() {
            position[node.index()] = i as u32;
        }
        let mut out = vec![Vec::new(); nodes.len()];
        let mut into = if self.directed { vec![Vec::new(); nodes.len()] } else { Vec::new() };
        let mut edges = Vec::with_capacity(self.n_edges());
        for edge in self.arcs.edge_references() {
            let (a, b) = (position[edge.source().index()], position[edge.target().index()]);
            let e = edges.len() as u32;
            edges.push((a, b, edge.weight().weight.unwrap_or(1.0)));
            out[a as usize].push((b, e));
            if self.directed {
                into[b as usize].push((a, e));
            } else if a != b {
                out[b as usize].push((a, e));
            }
        }
        Adjacency { nodes, position, directed: self.directed, out, into, edges }
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
                other
                    .by_name
                    .get(self.name(i))
                    .is_some_and(|&j| self.embedding(i) == other.embedding(j))
            })
            && self.edges().all(|e| {
                other
                    .edge(e.source, e.target)
                    .is_some_and(|o| o.weight == e.weight && o.capacity == e.capacity)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_undirected_edge_is_found_both_ways() {
        let mut g = Graph::undirected();
        g.link_weighted(1usize, 0usize, 2.5).unwrap();
        assert_eq!(g.edge(&0usize.into(), &1usize.into()).unwrap().weight, Some(2.5));
        g.link_weighted(0usize, 1usize, 4.0).unwrap();
        assert_eq!(g.n_edges(), 1, "the second time sets the weight");
    }

    #[test]
    fn removing_a_node_takes_its_edges_and_leaves_the_rest() {
        let mut g = Graph::directed();
        g.link("a", "b").unwrap();
        g.link("b", "c").unwrap();
        g.link("c", "a").unwrap();
        g.apply(&Delta::RemoveNode { node: "b".into() }).unwrap();
        assert_eq!(g.n_edges(), 1);
        assert!(g.edge(&"c".into(), &"a".into()).is_some());
        g.link("a", "b").unwrap();
        assert_eq!(g.n_edges(), 2);
        assert_eq!(Graph::from_deltas(&g.to_deltas()).unwrap(), g);
    }

    #[test]
    fn an_unknown_node_is_answered_with_what_is_there() {
        let mut g = Graph::undirected();
        for i in 0..7usize {
            g.ensure_node(i).unwrap();
        }
        let error = g.index(&7usize.into()).unwrap_err();
        assert_eq!(error.to_string(), "unknown node 7: the graph has nodes 0 to 6");
    }

    #[test]
    fn a_refused_delta_changes_nothing() {
        let mut g = Graph::undirected();
        g.link("a", "b").unwrap();
        let before = g.clone();
        let bad = Delta::AddEdge {
            source: "a".into(),
            target: "b".into(),
            weight: Some(f64::NAN),
            capacity: None,
        };
        assert!(g.apply(&bad).is_err());
        assert!(g.apply(&Delta::AddNode { node: "a".into() }).is_err());
        assert_eq!(g, before);
    }
}
