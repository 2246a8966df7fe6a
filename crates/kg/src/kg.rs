//! The knowledge graph: nodes and edges with types, and its indexes.

use std::collections::BTreeMap;
use std::hash::BuildHasher as _;

use graph::NodeName;
use hashbrown::HashTable;
use oxrdf::Literal;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::adjacency::Adjacency;
use crate::names::NameIndex;
use crate::strings::Strings;
use crate::{Direction, KgError, Schema, fold};

/// A node, by its number in its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NodeIx(pub u32);

/// A type of nodes, by its number in its graph's schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NodeTypeIx(pub u16);

/// A type of edges, by its number in its graph's schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EdgeTypeIx(pub u16);

/// A typed knowledge graph: `G = (V, E)` with a type and attributes for every node and a type for
/// every edge. Paper: GraphRunner §2.1.
///
/// Immutable; to change one, see [`crate::KgBuilder::from_kg`].
#[derive(Clone, Debug)]
pub struct Kg {
    pub(crate) title: String,
    pub(crate) ids: Strings,
    pub(crate) by_id: HashTable<u32>,
    pub(crate) names: Strings,
    pub(crate) by_name: NameIndex,
    pub(crate) types: Vec<NodeTypeIx>,
    pub(crate) of_type: Vec<Vec<NodeIx>>,
    pub(crate) attributes: BTreeMap<u32, Map<String, Value>>,
    pub(crate) out: Adjacency,
    pub(crate) into: Adjacency,
    pub(crate) schema: Schema,
    /// Values as RDF has them, where the attributes have less: languages, datatypes, several values.
    pub(crate) literals: Literals,
}

/// By node and attribute, all values of that; those of [`LABELS`] are the node's labels.
pub(crate) type Literals = BTreeMap<u32, BTreeMap<String, Vec<Literal>>>;
/// The key of labels among [`Literals`]; no attribute is called so.
pub(crate) const LABELS: &str = "";

impl Kg {
    /// What the graph is called.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Its types, and which edges go between which.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The number of nodes.
    pub fn n_nodes(&self) -> usize {
        self.types.len()
    }

    /// The number of edges.
    pub fn n_edges(&self) -> usize {
        self.out.n_edges()
    }

    /// Every node, in the order in which they came.
    pub fn nodes(&self) -> impl Iterator<Item = NodeIx> + use<> {
        (0..self.types.len() as u32).map(NodeIx)
    }

    /// Every edge as (source, type, target), by source.
    pub fn edges(&self) -> impl Iterator<Item = (NodeIx, EdgeTypeIx, NodeIx)> + '_ {
        self.nodes().flat_map(move |node| {
            self.out.runs(node.0).flat_map(move |(edge_type, targets)| {
                targets.iter().map(move |t| (node, EdgeTypeIx(edge_type), NodeIx(*t)))
            })
        })
    }

    /// The node of that id. O(1).
    pub fn find_id(&self, id: &str) -> Option<NodeIx> {
        let hash = FxBuildHasher.hash_one(id);
        self.by_id.find(hash, |i| self.ids.get(*i) == id).map(|i| NodeIx(*i))
    }

    /// A node's id, which no other node has.
    pub fn id(&self, node: NodeIx) -> &str {
        self.ids.get(node.0)
    }

    /// A node's name, which others may have too.
    pub fn name(&self, node: NodeIx) -> &str {
        self.names.get(node.0)
    }

    /// The type of a node. O(1).
    pub fn node_type(&self, node: NodeIx) -> NodeTypeIx {
        self.types[node.0 as usize]
    }

    /// What people call a type of nodes or edges: the label of the node that is its class, else the end of
    /// its address; its name where that is no address.
    pub fn label_of_type(&self, name: &str) -> String {
        let class = self.find_id(name).map(|class| self.name(class)).filter(|label| *label != name);
        let label = class.map(str::to_owned).or_else(|| crate::iris::last_part(name));
        label.unwrap_or_else(|| name.to_owned())
    }

    /// What else is known of a node.
    pub fn attributes(&self, node: NodeIx) -> Option<&Map<String, Value>> {
        self.attributes.get(&node.0)
    }

    /// The nodes of that name, however it is spelt ([`fold`]). O(log n) and their number.
    pub fn named(&self, name: &str) -> Vec<NodeIx> {
        let folded = fold(name);
        let same = |i: &u32| fold(self.names.get(*i)) == folded;
        self.by_name.candidates(&folded).filter(same).map(NodeIx).collect()
    }

    /// The nodes of a type, in the order in which they came.
    pub fn nodes_of_type(&self, node_type: NodeTypeIx) -> &[NodeIx] {
        &self.of_type[node_type.0 as usize]
    }

    /// The neighbours of a node over edges of one type, first those that edges go to, then those
    /// that edges come from, each once. O(their number).
    pub fn neighbors(&self, node: NodeIx, edge_type: EdgeTypeIx, way: Direction) -> Vec<NodeIx> {
        let mut found: Vec<NodeIx> = Vec::new();
        for (i, way) in way.ways().iter().enumerate() {
            let others = self.side(*way).of_type(node.0, edge_type.0);
            if i == 0 {
                found.extend(others.iter().map(|o| NodeIx(*o)));
            } else {
                let first = self.out.of_type(node.0, edge_type.0);
                found.extend(others.iter().filter(|o| !first.contains(o)).map(|o| NodeIx(*o)));
            }
        }
        found
    }

    /// The edges at a node as (type, way, other end); an edge from a node to itself is told both
    /// ways.
    pub fn edges_of(
        &self,
        node: NodeIx,
        way: Direction,
    ) -> impl Iterator<Item = (EdgeTypeIx, Direction, NodeIx)> + '_ {
        way.ways().iter().flat_map(move |way| {
            self.side(*way).runs(node.0).flat_map(move |(edge_type, others)| {
                others.iter().map(move |o| (EdgeTypeIx(edge_type), *way, NodeIx(*o)))
            })
        })
    }

    /// How many edges of a type a node has in that direction; for both ways their sum.
    pub fn degree(&self, node: NodeIx, edge_type: EdgeTypeIx, way: Direction) -> usize {
        way.ways().iter().map(|w| self.side(*w).of_type(node.0, edge_type.0).len()).sum()
    }

    /// Whether there is such an edge. O(edges of that type at the source).
    pub fn has_edge(&self, source: NodeIx, edge_type: EdgeTypeIx, target: NodeIx) -> bool {
        self.out.of_type(source.0, edge_type.0).contains(&target.0)
    }

    fn side(&self, way: Direction) -> &Adjacency {
        if way == Direction::In { &self.into } else { &self.out }
    }

    /// What a node is called where it must be told from all others: its name, or its name and
    /// type, or its id, whichever is the first that no other node has.
    pub fn label(&self, node: NodeIx) -> String {
        let name = self.name(node);
        let same = self.named(name);
        if same.len() == 1 {
            return name.to_owned();
        }
        let node_type = self.node_type(node);
        if same.iter().filter(|n| self.node_type(**n) == node_type).count() == 1 {
            return format!("{name} ({})", self.schema.node_type(node_type).name);
        }
        self.id(node).to_owned()
    }

    /// The label as the name of a node on a drawing, cut where it is too long for one.
    pub fn node_name(&self, node: NodeIx) -> NodeName {
        let label = self.label(node);
        if label.len() <= NodeName::MAX_LEN {
            return NodeName::from(label);
        }
        // A cut label may be another node's, the number makes it this one's.
        let start: String = label.chars().take(40).collect();
        NodeName::from(format!("{start}… #{}", node.0))
    }

    /// The same graph with a schema that was given, not seen: it may have types and edges that
    /// nothing in the graph has.
    ///
    /// # Errors
    /// The graph has an edge that the schema does not.
    pub fn with_schema(mut self, given: &Schema) -> Result<Self, KgError> {
        let merged = self.schema.completed(given);
        for (source, edge_type, target) in self.edges() {
            let ends = (self.node_type(source), self.node_type(target));
            given.check(&self.schema, edge_type, ends).map_err(|allowed| KgError::NotInSchema {
                edge_type: self.schema.edge_type(edge_type).name.clone(),
                from: self.schema.node_type(ends.0).name.clone(),
                to: self.schema.node_type(ends.1).name.clone(),
                source_id: self.id(source).to_owned(),
                target_id: self.id(target).to_owned(),
                allowed,
            })?;
        }
        self.of_type.resize(merged.node_types().len(), Vec::new());
        self.schema = merged;
        Ok(self)
    }

    /// The same graph with the types of a schema beyond its own: a part of a larger graph has the
    /// schema of the whole.
    #[must_use]
    pub fn with_types(mut self, given: &Schema) -> Self {
        self.schema = self.schema.completed(given);
        self.of_type.resize(self.schema.node_types().len(), Vec::new());
        self
    }

    /// The memory that the graph takes, in bytes, without its attributes.
    pub fn memory(&self) -> usize {
        self.ids.memory()
            + self.by_id.allocation_size()
            + self.names.memory()
            + self.by_name.memory()
            + self.types.capacity() * size_of::<NodeTypeIx>()
            + self.of_type.iter().map(|v| v.capacity() * size_of::<NodeIx>()).sum::<usize>()
            + self.out.memory()
            + self.into.memory()
    }

    /// The memory that the edges take, in bytes.
    pub fn edge_memory(&self) -> usize {
        self.out.memory() + self.into.memory()
    }
}
