//! A graph with all that it was before.

use std::collections::BTreeSet;
use std::ops::Deref;

use super::error::PropertyError;
use super::graph::{Element, PropertyEdge, PropertyGraph, PropertyNode};
use super::ids::{EdgeId, NodeId};
use super::value::{Properties, PropertyValue};

/// The most states that a store keeps.
const MAX_SNAPSHOTS: usize = 10_000;

/// What a write changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Changes {
    /// What is there now and was not before.
    pub created: BTreeSet<Element>,
    /// What was there before and has other labels or values now.
    pub changed: BTreeSet<Element>,
    /// What was there before and is not now.
    pub deleted: BTreeSet<Element>,
    /// How many values were given to names or taken away from them.
    pub properties_set: usize,
    /// How many labels were given.
    pub labels_added: usize,
    /// How many labels were taken away.
    pub labels_removed: usize,
}

impl Changes {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn touch(&mut self, element: Element) {
        if !self.created.contains(&element) {
            self.changed.insert(element);
        }
    }

    fn delete(&mut self, element: Element) {
        self.changed.remove(&element);
        if !self.created.remove(&element) {
            self.deleted.insert(element);
        }
    }
}

/// A state of a graph.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// The graph.
    pub graph: PropertyGraph,
    /// The query that made it of the state before; empty for the first.
    pub query: String,
    /// What that changed.
    pub changes: Changes,
}

/// A graph that is written to in transactions and keeps its earlier states.
///
/// ```
/// use kg::property::{GraphStore, Properties, PropertyError};
/// let mut store = GraphStore::default();
/// store.write("add a person", |graph| {
///     graph.create_node(["Person"], Properties::new()).map(drop)
/// })?;
/// let failed = store.write("add a text, then fail", |graph| {
///     graph.create_node(["Text"], Properties::new())?;
///     graph.create_node([""], Properties::new())
/// });
/// assert_eq!(failed, Err(PropertyError::Empty("a label")));
/// assert_eq!((store.now().n_nodes(), store.snapshots().len()), (1, 2));
/// # Ok::<(), PropertyError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GraphStore {
    // Never empty.
    past: Vec<Snapshot>,
    now: PropertyGraph,
}

impl Default for GraphStore {
    fn default() -> Self {
        Self::open(PropertyGraph::default())
    }
}

impl GraphStore {
    /// A store that begins with a graph.
    pub fn open(graph: PropertyGraph) -> Self {
        let first = Snapshot { graph: graph.clone(), ..Snapshot::default() };
        Self { past: vec![first], now: graph }
    }

    /// The graph as it is now, to be read: nothing that has only this can change it.
    pub fn now(&self) -> &PropertyGraph {
        &self.now
    }

    /// All states, the first being the one that the store began with and the last the present one.
    pub fn snapshots(&self) -> &[Snapshot] {
        &self.past
    }

    /// Writes: all that `change` does to the graph stays if it succeeds, and nothing if it fails.
    /// What changed nothing makes no snapshot.
    ///
    /// # Errors
    /// `change` failed, or the store keeps too many states.
    pub fn write<T, E: From<PropertyError>>(
        &mut self,
        query: &str,
        change: impl FnOnce(&mut Writing) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut writing = Writing { draft: self.now.clone(), changes: Changes::default() };
        let gave = change(&mut writing)?;
        if writing.changes.is_empty() {
            return Ok(gave);
        }
        self.keep(query, writing)?;
        Ok(gave)
    }

    /// Keeps what a query made of the present graph elsewhere, in another process for example. Nothing
    /// is kept where nothing changed.
    ///
    /// # Errors
    /// The store keeps too many states.
    pub fn accept(
        &mut self,
        query: &str,
        graph: PropertyGraph,
        changes: Changes,
    ) -> Result<(), PropertyError> {
        if changes.is_empty() {
            return Ok(());
        }
        self.keep(query, Writing { draft: graph, changes })
    }

    /// Goes back to the state after so many writes; the states in between are kept, and going back
    /// is the newest.
    ///
    /// # Errors
    /// The store keeps too many states. A number that is too large is the newest state.
    pub fn go_back(&mut self, n_writes: usize) -> Result<(), PropertyError> {
        let to = n_writes.min(self.past.len() - 1);
        let draft = self.past[to].graph.clone();
        let changes = difference(&self.now, &draft);
        if changes.is_empty() {
            return Ok(());
        }
        self.keep(&format!("back to state {to}"), Writing { draft, changes })
    }

    fn keep(&mut self, query: &str, writing: Writing) -> Result<(), PropertyError> {
        if self.past.len() >= MAX_SNAPSHOTS {
            return Err(PropertyError::TooMany { what: "states", limit: MAX_SNAPSHOTS });
        }
        let mut graph = writing.draft;
        // Whoever goes back must not be given an id that something else once had.
        graph.skip_to(self.now.next_ids());
        self.now = graph.clone();
        self.past.push(Snapshot { graph, query: query.to_owned(), changes: writing.changes });
        Ok(())
    }
}

/// What is different in another graph.
fn difference(from: &PropertyGraph, to: &PropertyGraph) -> Changes {
    let mut changes = Changes::default();
    for (id, node) in to.nodes() {
        match from.node(id) {
            None => _ = changes.created.insert(Element::Node(id)),
            Some(before) if before != node => _ = changes.changed.insert(Element::Node(id)),
            Some(_) => {}
        }
    }
    for (id, edge) in to.edges() {
        match from.edge(id) {
            None => _ = changes.created.insert(Element::Edge(id)),
            Some(before) if before != edge => _ = changes.changed.insert(Element::Edge(id)),
            Some(_) => {}
        }
    }
    let nodes = from.nodes().map(|(id, _)| id).filter(|id| to.node(*id).is_none());
    changes.deleted.extend(nodes.map(Element::Node));
    let edges = from.edges().map(|(id, _)| id).filter(|id| to.edge(*id).is_none());
    changes.deleted.extend(edges.map(Element::Edge));
    changes
}

/// A graph that is being written to. Reads see what was written so far.
#[derive(Debug)]
pub struct Writing {
    draft: PropertyGraph,
    changes: Changes,
}

impl Deref for Writing {
    type Target = PropertyGraph;

    fn deref(&self) -> &PropertyGraph {
        &self.draft
    }
}

impl Writing {
    /// What changed so far.
    pub fn changes(&self) -> &Changes {
        &self.changes
    }

    /// Makes a node; see [`PropertyGraph::create_node`].
    ///
    /// # Errors
    /// The same.
    pub fn create_node<L: Into<String>>(
        &mut self,
        labels: impl IntoIterator<Item = L>,
        properties: Properties,
    ) -> Result<NodeId, PropertyError> {
        let n_properties = properties.len();
        let id = self.draft.create_node(labels, properties)?;
        self.changes.created.insert(Element::Node(id));
        self.changes.properties_set += n_properties;
        self.changes.labels_added += self.draft.node(id).map_or(0, |node| node.labels.len());
        Ok(id)
    }

    /// Makes an edge; see [`PropertyGraph::create_edge`].
    ///
    /// # Errors
    /// The same.
    pub fn create_edge(
        &mut self,
        source: NodeId,
        edge_type: &str,
        target: NodeId,
        properties: Properties,
    ) -> Result<EdgeId, PropertyError> {
        let n_properties = properties.len();
        let id = self.draft.create_edge(source, edge_type, target, properties)?;
        self.changes.created.insert(Element::Edge(id));
        self.changes.properties_set += n_properties;
        Ok(id)
    }

    /// Sets or removes a property; see [`PropertyGraph::set_property`].
    ///
    /// # Errors
    /// The same.
    pub fn set_property(
        &mut self,
        of: Element,
        name: &str,
        value: Option<PropertyValue>,
    ) -> Result<(), PropertyError> {
        if self.draft.set_property(of, name, value)? {
            self.changes.touch(of);
            self.changes.properties_set += 1;
        }
        Ok(())
    }

    /// Gives a node a label; see [`PropertyGraph::add_label`].
    ///
    /// # Errors
    /// The same.
    pub fn add_label(&mut self, id: NodeId, label: &str) -> Result<(), PropertyError> {
        if self.draft.add_label(id, label)? {
            self.changes.touch(Element::Node(id));
            self.changes.labels_added += 1;
        }
        Ok(())
    }

    /// Takes a label away; see [`PropertyGraph::remove_label`].
    ///
    /// # Errors
    /// The same.
    pub fn remove_label(&mut self, id: NodeId, label: &str) -> Result<(), PropertyError> {
        if self.draft.remove_label(id, label)? {
            self.changes.touch(Element::Node(id));
            self.changes.labels_removed += 1;
        }
        Ok(())
    }

    /// Deletes an edge and gives what it was.
    ///
    /// # Errors
    /// It is not there.
    pub fn delete_edge(&mut self, id: EdgeId) -> Result<PropertyEdge, PropertyError> {
        let edge = self.draft.delete_edge(id)?;
        self.changes.delete(Element::Edge(id));
        Ok(edge)
    }

    /// Deletes a node that no edge touches and gives what it was.
    ///
    /// # Errors
    /// It is not there, or has edges.
    pub fn delete_node(&mut self, id: NodeId) -> Result<PropertyNode, PropertyError> {
        let node = self.draft.delete_node(id)?;
        self.changes.delete(Element::Node(id));
        Ok(node)
    }
}
