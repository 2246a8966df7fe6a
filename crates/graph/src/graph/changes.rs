//! How a graph is changed: by deltas, and by what building one from scratch needs.

use petgraph::Direction;
use petgraph::visit::EdgeRef as _;

use super::{Edge, Graph, Node, NodeIdx, is_place};
use crate::{Delta, GraphError, NodeName};

impl Graph {
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
                if self.has_node(node) {
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
                    self.by_ends.remove(key);
                }
                self.arcs.remove_node(idx);
                self.by_name.remove(node);
            }
            Delta::RenameNode { from, to } => {
                let idx = self.index(from)?;
                if from == to {
                    return Ok(());
                }
                if self.has_node(to) {
                    return Err(GraphError::DuplicateNode { node: to.clone() });
                }
                self.by_name.remove(from);
                if !is_place(to, idx) {
                    self.by_name.insert(to.clone(), idx);
                }
                self.arcs[idx].name = to.clone();
            }
            Delta::AddEdge { source, target, weight, capacity } => {
                let ends = || (source.clone(), target.clone());
                let edge = Edge::new(*weight, *capacity, ends)?;
                let (a, b) = (self.index(source)?, self.index(target)?);
                self.set_edge(a, b, edge)?;
            }
            Delta::RemoveEdge { source, target } => {
                let (a, b) = (self.index(source)?, self.index(target)?);
                let key = self.key(a, b);
                let Some(idx) = self.by_ends.remove(key) else {
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
        match self.place(&name) {
            Some(idx) => Ok(idx),
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
        let (a, b) = (self.ensure_node(source)?, self.ensure_node(target)?);
        self.link_places(a, b, weight, capacity)
    }

    /// Adds an edge between the nodes at two places, which spares looking for their names.
    ///
    /// # Errors
    /// As [`Delta::AddEdge`]: a value that is not finite, a negative capacity, a full graph.
    ///
    /// # Panics
    /// A place is not of this graph.
    pub fn link_places(
        &mut self,
        source: NodeIdx,
        target: NodeIdx,
        weight: Option<f64>,
        capacity: Option<f64>,
    ) -> Result<(), GraphError> {
        let ends = || (self.name(source).clone(), self.name(target).clone());
        let edge = Edge::new(weight, capacity, ends)?;
        self.set_edge(source, target, edge)
    }

    fn set_edge(&mut self, a: NodeIdx, b: NodeIdx, edge: Edge) -> Result<(), GraphError> {
        let key = self.key(a, b);
        if let Some(idx) = self.by_ends.get(key) {
            self.arcs[idx] = edge;
        } else {
            if self.n_edges() >= Self::MAX_EDGES {
                return Err(GraphError::TooLarge { what: "edges", limit: Self::MAX_EDGES });
            }
            let idx = self.arcs.add_edge(a, b, edge);
            self.by_ends.insert(key, idx);
        }
        self.weighted |= edge.weight.is_some();
        self.was_negative |= edge.weight.is_some_and(|w| w < 0.0);
        Ok(())
    }

    fn insert_node(&mut self, name: NodeName) -> Result<NodeIdx, GraphError> {
        if self.n_nodes() >= Self::MAX_NODES {
            return Err(GraphError::TooLarge { what: "nodes", limit: Self::MAX_NODES });
        }
        let idx = self.arcs.add_node(Node { name, embedding: None });
        let name = &self.arcs[idx].name;
        if !is_place(name, idx) {
            if self.by_name.is_empty() {
                // The others will be like it.
                self.by_name.reserve(self.arcs.capacity().0);
            }
            self.by_name.insert(name.clone(), idx);
        }
        Ok(idx)
    }
}
