//! The graph value.

use std::collections::BTreeSet;

use rpds::{RedBlackTreeMapSync, RedBlackTreeSetSync};

use super::error::PropertyError;
use super::ids::{EdgeId, NodeId};
use super::value::{Properties, PropertyValue};

/// The most nodes, and the most edges, that a graph may have.
pub(super) const MAX_ELEMENTS: usize = 200_000;
/// The most bytes of one property.
pub(super) const MAX_PROPERTY: usize = 1_000_000;

/// A node or an edge.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub enum Element {
    /// A node.
    Node(NodeId),
    /// An edge.
    Edge(EdgeId),
}

/// What a node is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PropertyNode {
    /// Its labels: none, one or several.
    pub labels: BTreeSet<String>,
    /// Its values.
    pub properties: Properties,
}

/// What an edge is.
#[derive(Clone, Debug, PartialEq)]
pub struct PropertyEdge {
    /// The node that it starts at.
    pub source: NodeId,
    /// The node that it ends at.
    pub target: NodeId,
    /// Its one type.
    pub edge_type: String,
    /// Its values.
    pub properties: Properties,
}

/// The edges at a node; a loop is in both.
#[derive(Clone, Debug, Default)]
struct Ends {
    out: RedBlackTreeSetSync<EdgeId>,
    into: RedBlackTreeSetSync<EdgeId>,
}

/// A graph of nodes with labels and typed edges, with several edges between the same nodes where
/// there are.
///
/// A clone takes no time and shares all that is the same: that is how earlier states are kept.
///
/// ```
/// use kg::property::{PropertyGraph, Properties};
/// let mut graph = PropertyGraph::default();
/// let ada = graph.create_node(["Person"], Properties::from([("name".into(), "Ada".into())]))?;
/// let notes = graph.create_node(["Text"], Properties::new())?;
/// graph.create_edge(ada, "WROTE", notes, Properties::new())?;
/// assert_eq!(graph.outgoing(ada).count(), 1);
/// assert_eq!(graph.with_label("Person").collect::<Vec<_>>(), [ada]);
/// # Ok::<(), kg::property::PropertyError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PropertyGraph {
    nodes: RedBlackTreeMapSync<NodeId, PropertyNode>,
    edges: RedBlackTreeMapSync<EdgeId, PropertyEdge>,
    ends: RedBlackTreeMapSync<NodeId, Ends>,
    labelled: RedBlackTreeMapSync<String, RedBlackTreeSetSync<NodeId>>,
    next_node: u64,
    next_edge: u64,
}

/// Graphs are equal that have the same nodes and edges under the same ids.
impl PartialEq for PropertyGraph {
    fn eq(&self, other: &Self) -> bool {
        self.nodes == other.nodes && self.edges == other.edges
    }
}

impl PropertyGraph {
    /// How many nodes there are.
    pub fn n_nodes(&self) -> usize {
        self.nodes.size()
    }

    /// How many edges there are.
    pub fn n_edges(&self) -> usize {
        self.edges.size()
    }

    /// A node, where it is there. O(log n).
    pub fn node(&self, id: NodeId) -> Option<&PropertyNode> {
        self.nodes.get(&id)
    }

    /// An edge, where it is there. O(log m).
    pub fn edge(&self, id: EdgeId) -> Option<&PropertyEdge> {
        self.edges.get(&id)
    }

    /// All nodes, in the order in which they were made.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &PropertyNode)> {
        self.nodes.iter().map(|(id, node)| (*id, node))
    }

    /// All edges, in the order in which they were made.
    pub fn edges(&self) -> impl Iterator<Item = (EdgeId, &PropertyEdge)> {
        self.edges.iter().map(|(id, edge)| (*id, edge))
    }

    /// The nodes with a label, in the order in which they were made. O(log n) for the first.
    pub fn with_label(&self, label: &str) -> impl Iterator<Item = NodeId> {
        self.labelled.get(label).into_iter().flat_map(|set| set.iter().copied())
    }

    /// How many nodes have a label. O(log n).
    pub fn count_with_label(&self, label: &str) -> usize {
        self.labelled.get(label).map_or(0, RedBlackTreeSetSync::size)
    }

    /// All labels that a node has, with how many have each, by name.
    pub fn labels(&self) -> impl Iterator<Item = (&str, usize)> {
        self.labelled.iter().map(|(label, set)| (label.as_str(), set.size()))
    }

    /// The edges that start at a node, in the order in which they were made.
    pub fn outgoing(&self, node: NodeId) -> impl Iterator<Item = EdgeId> {
        self.ends.get(&node).into_iter().flat_map(|ends| ends.out.iter().copied())
    }

    /// The edges that end at a node, in the order in which they were made.
    pub fn incoming(&self, node: NodeId) -> impl Iterator<Item = EdgeId> {
        self.ends.get(&node).into_iter().flat_map(|ends| ends.into.iter().copied())
    }

    /// The values of a node or an edge, where it is there.
    pub fn properties(&self, of: Element) -> Option<&Properties> {
        match of {
            Element::Node(id) => self.node(id).map(|node| &node.properties),
            Element::Edge(id) => self.edge(id).map(|edge| &edge.properties),
        }
    }

    /// Makes a node. O(log n).
    ///
    /// # Errors
    /// A label or a name is empty, a value cannot be, or there are too many nodes.
    pub fn create_node<L: Into<String>>(
        &mut self,
        labels: impl IntoIterator<Item = L>,
        properties: Properties,
    ) -> Result<NodeId, PropertyError> {
        let id = NodeId(self.next_node);
        let labels = labels.into_iter().map(Into::into).collect();
        self.insert_node(id, PropertyNode { labels, properties })?;
        Ok(id)
    }

    /// Makes a node under an id that none has; what is made later gets larger ones.
    pub(super) fn insert_node(
        &mut self,
        id: NodeId,
        node: PropertyNode,
    ) -> Result<(), PropertyError> {
        if self.n_nodes() >= MAX_ELEMENTS {
            return Err(PropertyError::TooMany { what: "nodes", limit: MAX_ELEMENTS });
        }
        if node.labels.iter().any(String::is_empty) {
            return Err(PropertyError::Empty("a label"));
        }
        check_all(&node.properties)?;
        for label in &node.labels {
            self.add_to_label(label, id);
        }
        self.nodes.insert_mut(id, node);
        self.next_node = self.next_node.max(id.0.saturating_add(1));
        Ok(())
    }

    /// Makes an edge. O(log n + log m).
    ///
    /// # Errors
    /// A node is not there, the type or a name is empty, a value cannot be, or there are too many
    /// edges.
    pub fn create_edge(
        &mut self,
        source: NodeId,
        edge_type: &str,
        target: NodeId,
        properties: Properties,
    ) -> Result<EdgeId, PropertyError> {
        let id = EdgeId(self.next_edge);
        let edge_type = edge_type.to_owned();
        self.insert_edge(id, PropertyEdge { source, target, edge_type, properties })?;
        Ok(id)
    }

    /// Makes an edge under an id that none has; what is made later gets larger ones.
    pub(super) fn insert_edge(
        &mut self,
        id: EdgeId,
        edge: PropertyEdge,
    ) -> Result<(), PropertyError> {
        if self.n_edges() >= MAX_ELEMENTS {
            return Err(PropertyError::TooMany { what: "edges", limit: MAX_ELEMENTS });
        }
        if edge.edge_type.is_empty() {
            return Err(PropertyError::Empty("the type of an edge"));
        }
        check_all(&edge.properties)?;
        for end in [edge.source, edge.target] {
            if !self.nodes.contains_key(&end) {
                return Err(PropertyError::NoNode(end));
            }
        }
        self.change_ends(edge.source, |ends| ends.out.insert_mut(id));
        self.change_ends(edge.target, |ends| ends.into.insert_mut(id));
        self.edges.insert_mut(id, edge);
        self.next_edge = self.next_edge.max(id.0.saturating_add(1));
        Ok(())
    }

    /// Gives a value a name at a node or an edge, or takes it away (`None`). Tells whether that
    /// changed something.
    ///
    /// # Errors
    /// It is not there, the name is empty, or the value cannot be.
    pub fn set_property(
        &mut self,
        of: Element,
        name: &str,
        value: Option<PropertyValue>,
    ) -> Result<bool, PropertyError> {
        if let Some(value) = &value {
            check(name, value)?;
        }
        let before = self.properties(of).map(|all| all.get(name));
        if before.is_some_and(|before| before == value.as_ref()) {
            return Ok(false);
        }
        let all = match of {
            Element::Node(id) => {
                &mut self.nodes.get_mut(&id).ok_or(PropertyError::NoNode(id))?.properties
            }
            Element::Edge(id) => {
                &mut self.edges.get_mut(&id).ok_or(PropertyError::NoEdge(id))?.properties
            }
        };
        match value {
            Some(value) => all.insert(name.to_owned(), value),
            None => all.remove(name),
        };
        Ok(true)
    }

    /// Gives a node a label. Tells whether it was another.
    ///
    /// # Errors
    /// It is not there, or the label is empty.
    pub fn add_label(&mut self, id: NodeId, label: &str) -> Result<bool, PropertyError> {
        if label.is_empty() {
            return Err(PropertyError::Empty("a label"));
        }
        let node = self.nodes.get(&id).ok_or(PropertyError::NoNode(id))?;
        if node.labels.contains(label) {
            return Ok(false);
        }
        if let Some(node) = self.nodes.get_mut(&id) {
            node.labels.insert(label.to_owned());
        }
        self.add_to_label(label, id);
        Ok(true)
    }

    /// Takes a label away from a node. Tells whether it had it.
    ///
    /// # Errors
    /// The node is not there.
    pub fn remove_label(&mut self, id: NodeId, label: &str) -> Result<bool, PropertyError> {
        let node = self.nodes.get(&id).ok_or(PropertyError::NoNode(id))?;
        if !node.labels.contains(label) {
            return Ok(false);
        }
        if let Some(node) = self.nodes.get_mut(&id) {
            node.labels.remove(label);
        }
        self.remove_from_label(label, id);
        Ok(true)
    }

    /// Deletes an edge, and gives what it was.
    ///
    /// # Errors
    /// It is not there.
    pub fn delete_edge(&mut self, id: EdgeId) -> Result<PropertyEdge, PropertyError> {
        let edge = self.edges.get(&id).ok_or(PropertyError::NoEdge(id))?.clone();
        self.change_ends(edge.source, |ends| _ = ends.out.remove_mut(&id));
        self.change_ends(edge.target, |ends| _ = ends.into.remove_mut(&id));
        self.edges.remove_mut(&id);
        Ok(edge)
    }

    /// Deletes a node that no edge touches, and gives what it was.
    ///
    /// # Errors
    /// It is not there, or has edges.
    pub fn delete_node(&mut self, id: NodeId) -> Result<PropertyNode, PropertyError> {
        let node = self.nodes.get(&id).ok_or(PropertyError::NoNode(id))?.clone();
        let edges = self.at(id).len();
        if edges > 0 {
            return Err(PropertyError::HasEdges { node: id, edges });
        }
        for label in &node.labels {
            self.remove_from_label(label, id);
        }
        self.ends.remove_mut(&id);
        self.nodes.remove_mut(&id);
        Ok(node)
    }

    /// The edges that touch a node, each once.
    pub fn at(&self, id: NodeId) -> BTreeSet<EdgeId> {
        self.outgoing(id).chain(self.incoming(id)).collect()
    }

    /// The ids that the next node and the next edge get: nothing has had them.
    pub fn next_ids(&self) -> (NodeId, EdgeId) {
        (NodeId(self.next_node), EdgeId(self.next_edge))
    }

    /// Gives what is made from now on at least these ids ([`PropertyGraph::next_ids`]).
    pub fn skip_to(&mut self, (node, edge): (NodeId, EdgeId)) {
        self.next_node = self.next_node.max(node.0);
        self.next_edge = self.next_edge.max(edge.0);
    }

    fn change_ends(&mut self, node: NodeId, change: impl FnOnce(&mut Ends)) {
        if !self.ends.contains_key(&node) {
            self.ends.insert_mut(node, Ends::default());
        }
        if let Some(ends) = self.ends.get_mut(&node) {
            change(ends);
        }
    }

    fn add_to_label(&mut self, label: &str, id: NodeId) {
        match self.labelled.get_mut(label) {
            Some(set) => set.insert_mut(id),
            None => {
                let mut set = RedBlackTreeSetSync::default();
                set.insert_mut(id);
                self.labelled.insert_mut(label.to_owned(), set);
            }
        }
    }

    fn remove_from_label(&mut self, label: &str, id: NodeId) {
        let is_empty = self.labelled.get_mut(label).is_some_and(|set| {
            set.remove_mut(&id);
            set.is_empty()
        });
        if is_empty {
            self.labelled.remove_mut(label);
        }
    }
}

fn check_all(properties: &Properties) -> Result<(), PropertyError> {
    properties.iter().try_for_each(|(name, value)| check(name, value))
}

fn check(name: &str, value: &PropertyValue) -> Result<(), PropertyError> {
    if name.is_empty() {
        return Err(PropertyError::Empty("the name of a property"));
    }
    if !value.is_finite() {
        return Err(PropertyError::NotFinite { name: name.to_owned() });
    }
    let size = value.size();
    if size > MAX_PROPERTY {
        return Err(PropertyError::TooLong { name: name.to_owned(), size, limit: MAX_PROPERTY });
    }
    Ok(())
}
