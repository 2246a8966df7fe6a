//! Makes knowledge graphs.

use std::hash::BuildHasher as _;

use hashbrown::HashTable;
use oxrdf::Literal;
use rustc_hash::{FxBuildHasher, FxHashMap};
use serde_json::{Map, Value};

use crate::adjacency::Adjacency;
use crate::kg::{Kg, Literals, NodeIx, NodeTypeIx};
use crate::names::NameIndex;
use crate::strings::Strings;
use crate::{KgError, Schema};

/// The type of a node that nobody gave one.
pub(crate) const UNTYPED: &str = "Node";
/// The most bytes of an id, a name or a type.
pub(crate) const MAX_NAME: usize = 10_000;
/// The most node types and the most edge types.
const MAX_TYPES: usize = u16::MAX as usize;
/// The most bytes of all ids, and of all names. In 64 bits: where addresses have 32, a sum of
/// lengths could pass it unseen.
const MAX_TEXT: u64 = u32::MAX as u64;

/// Collects nodes and edges.
///
/// An edge may come before its nodes: an end that is not there yet becomes a node without a type,
/// which a later [`KgBuilder::node`] completes.
#[derive(Clone, Debug, Default)]
pub struct KgBuilder {
    name: String,
    ids: Strings,
    by_id: HashTable<u32>,
    /// Names that differ from their ids.
    names: FxHashMap<u32, Box<str>>,
    /// 0 is "no type yet".
    types: Vec<u16>,
    node_types: Interner,
    edge_types: Interner,
    attributes: std::collections::BTreeMap<u32, Map<String, Value>>,
    edges: Vec<(u32, u32, u16)>,
    literals: Literals,
}

/// Texts that come again and again.
#[derive(Clone, Debug, Default)]
struct Interner {
    names: Vec<String>,
    by_name: FxHashMap<String, u16>,
    /// The one that came last: files often stay with one type for long.
    last: u16,
}

impl Interner {
    fn intern(&mut self, what: &'static str, name: &str) -> Result<u16, KgError> {
        if self.names.get(self.last as usize).is_some_and(|n| n == name) {
            return Ok(self.last);
        }
        self.last = match self.by_name.get(name) {
            Some(i) => *i,
            None => {
                check(what, name)?;
                if self.names.len() >= MAX_TYPES {
                    return Err(KgError::TooMany { what: "types", limit: MAX_TYPES });
                }
                let i = self.names.len() as u16;
                self.names.push(name.to_owned());
                self.by_name.insert(name.to_owned(), i);
                i
            }
        };
        Ok(self.last)
    }
}

fn check(what: &'static str, text: &str) -> Result<(), KgError> {
    if text.trim().is_empty() {
        return Err(KgError::Empty { what });
    }
    if text.len() > MAX_NAME {
        let start = text.chars().take(40).collect();
        return Err(KgError::TooLong { what, start, length: text.len(), limit: MAX_NAME });
    }
    Ok(())
}

impl KgBuilder {
    /// Begins a graph without nodes.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// All of a graph, to add to it. Its given schema, if it has one, does not come along.
    ///
    /// # Errors
    /// None that a graph which exists could cause.
    pub fn from_kg(kg: &Kg) -> Result<Self, KgError> {
        let mut builder = Self::new(kg.title());
        for node in kg.nodes() {
            let attributes = kg.attributes(node).cloned().unwrap_or_default();
            let node_type = kg.schema().node_type(kg.node_type(node)).name.as_str();
            builder.node(kg.id(node), node_type, kg.name(node), attributes)?;
        }
        for (source, edge_type, target) in kg.edges() {
            let name = kg.schema().edge_type(edge_type).name.as_str();
            builder.edge(kg.id(source), name, kg.id(target))?;
        }
        // The nodes have the same numbers.
        builder.literals = kg.literals.clone();
        Ok(builder)
    }

    /// The number of nodes so far.
    pub fn n_nodes(&self) -> usize {
        self.types.len()
    }

    /// So many edges, those that came twice counted twice.
    pub fn n_edges(&self) -> usize {
        self.edges.len()
    }

    /// Adds a node, or completes one that an edge has named. Attributes are added to those that
    /// there are. An empty name is the id's.
    ///
    /// # Errors
    /// An id, type or name that is empty or too long; a second type.
    pub fn node(
        &mut self,
        id: &str,
        node_type: &str,
        name: &str,
        attributes: Map<String, Value>,
    ) -> Result<(), KgError> {
        let wanted = self.node_types.intern("a node's type", node_type)? + 1;
        let node = self.reserve(id)?;
        let has = self.types[node as usize];
        if has != 0 && has != wanted {
            let first = self.node_types.names[has as usize - 1].clone();
            let (id, second) = (id.to_owned(), node_type.to_owned());
            return Err(KgError::TwoTypes { id, first, second });
        }
        self.types[node as usize] = wanted;
        if !name.is_empty() && name != id {
            check("a node's name", name)?;
            self.names.insert(node, name.into());
        }
        if !attributes.is_empty() {
            self.attributes.entry(node).or_default().extend(attributes);
        }
        Ok(())
    }

    /// Names a node, which it adds if there is none of that id. An empty name is the id's.
    ///
    /// # Errors
    /// An id or a name that is empty or too long.
    pub fn name(&mut self, id: &str, name: &str) -> Result<(), KgError> {
        let node = self.reserve(id)?;
        if !name.is_empty() && name != id {
            check("a node's name", name)?;
            self.names.insert(node, name.into());
        }
        Ok(())
    }

    /// Sets an attribute of a node, which it adds if there is none of that id. A second value of
    /// the same attribute makes a list of both.
    ///
    /// # Errors
    /// An id that is empty or too long.
    pub fn attribute(&mut self, id: &str, key: &str, value: Value) -> Result<(), KgError> {
        let node = self.reserve(id)?;
        let attributes = self.attributes.entry(node).or_default();
        match attributes.get_mut(key) {
            None => {
                attributes.insert(key.to_owned(), value);
            }
            Some(Value::Array(values)) => values.push(value),
            Some(first) => *first = Value::Array(vec![first.take(), value]),
        }
        Ok(())
    }

    /// Keeps the labels or the values of an attribute as RDF has them, beside what [`KgBuilder::name`] and
    /// [`KgBuilder::attribute`] make of them.
    pub(crate) fn literals_of(
        &mut self,
        id: &str,
        key: &str,
    ) -> Result<&mut Vec<Literal>, KgError> {
        let node = self.reserve(id)?;
        Ok(self.literals.entry(node).or_default().entry(key.to_owned()).or_default())
    }

    /// Forgets values that say no more than the attribute.
    pub(crate) fn drop_literals(&mut self, is_plain: impl Fn(&str, &[Literal]) -> bool) {
        self.literals.retain(|_, kept| {
            kept.retain(|key, values| !is_plain(key, values));
            !kept.is_empty()
        });
    }

    /// The number of a node in the order in which they came. O(1).
    pub fn find(&self, id: &str) -> Option<NodeIx> {
        let hash = FxBuildHasher.hash_one(id);
        self.by_id.find(hash, |i| self.ids.get(*i) == id).map(|i| NodeIx(*i))
    }

    /// The type that a node was given, if it was.
    pub fn type_of(&self, node: NodeIx) -> Option<&str> {
        let of = *self.types.get(node.0 as usize)? as usize;
        Some(self.node_types.names.get(of.checked_sub(1)?)?)
    }

    /// Adds an edge. An edge that comes twice is there once.
    ///
    /// # Errors
    /// An id or a type that is empty or too long.
    pub fn edge(&mut self, source: &str, edge_type: &str, target: &str) -> Result<(), KgError> {
        self.link(source, edge_type, target).map(|_| ())
    }

    /// The same, and says which nodes it goes between.
    pub(crate) fn link(
        &mut self,
        source: &str,
        edge_type: &str,
        target: &str,
    ) -> Result<[NodeIx; 2], KgError> {
        let edge_type = self.edge_types.intern("an edge's type", edge_type)?;
        // Files often stay with one source for long.
        let source = match self.edges.last() {
            Some((last, _, _)) if self.ids.get(*last) == source => *last,
            _ => self.reserve(source)?,
        };
        let target = self.reserve(target)?;
        if self.edges.len() >= u32::MAX as usize {
            return Err(KgError::TooMany { what: "edges", limit: u32::MAX as usize });
        }
        self.edges.push((source, target, edge_type));
        Ok([NodeIx(source), NodeIx(target)])
    }

    /// Gives a type to every node that has none: `type_of` is told its id.
    ///
    /// # Errors
    /// A type that is empty or too long.
    pub fn type_the_rest(&mut self, type_of: impl Fn(&str) -> String) -> Result<(), KgError> {
        for i in 0..self.types.len() {
            if self.types[i] == 0 {
                let name = type_of(self.ids.get(i as u32));
                self.types[i] = self.node_types.intern("a node's type", &name)? + 1;
            }
        }
        Ok(())
    }

    /// Names every node that has no other name than its id, where `name_of` has one for the id.
    pub fn name_the_rest(&mut self, name_of: impl Fn(&str) -> Option<String>) {
        for i in 0..self.types.len() as u32 {
            if !self.names.contains_key(&i)
                && let Some(name) = name_of(self.ids.get(i)).filter(|n| n.len() <= MAX_NAME)
            {
                self.names.insert(i, name.into());
            }
        }
    }

    fn reserve(&mut self, id: &str) -> Result<u32, KgError> {
        let hash = FxBuildHasher.hash_one(id);
        if let Some(i) = self.by_id.find(hash, |i| self.ids.get(*i) == id) {
            return Ok(*i);
        }
        check("a node's id", id)?;
        if self.ids.n_bytes() as u64 + id.len() as u64 > MAX_TEXT
            || self.types.len() as u64 >= u64::from(u32::MAX)
        {
            return Err(KgError::TooMany { what: "bytes of ids", limit: MAX_TEXT as usize });
        }
        let i = self.ids.len() as u32;
        self.ids.push(id);
        self.types.push(0);
        let ids = &self.ids;
        self.by_id.insert_unique(hash, i, |i| FxBuildHasher.hash_one(ids.get(*i)));
        Ok(i)
    }

    /// The graph, with its schema as it is seen in the edges. A node that was never given a type is
    /// a `Node`. O((n + m) log) time.
    ///
    /// # Errors
    /// None but more types than fit.
    pub fn build(mut self) -> Result<Kg, KgError> {
        self.type_the_rest(|_| UNTYPED.to_owned())?;
        let n = self.types.len();
        let mut names = Strings::default();
        let mut n_bytes = 0u64;
        for i in 0..n as u32 {
            let name = self.names.get(&i).map_or(self.ids.get(i), |n| n);
            n_bytes += name.len() as u64;
            if n_bytes > MAX_TEXT {
                return Err(KgError::TooMany { what: "bytes of names", limit: MAX_TEXT as usize });
            }
            names.push(name);
        }
        drop(self.names);
        names.shrink();
        self.ids.shrink();
        let types: Vec<NodeTypeIx> = self.types.iter().map(|t| NodeTypeIx(t - 1)).collect();
        let out = Adjacency::new(n, self.edges.iter().map(|(s, t, e)| (*s, *e, *t)));
        let into = Adjacency::new(n, self.edges.iter().map(|(s, t, e)| (*t, *e, *s)));
        drop(self.edges);
        let mut of_type = vec![Vec::new(); self.node_types.names.len()];
        for (i, node_type) in types.iter().enumerate() {
            of_type[node_type.0 as usize].push(NodeIx(i as u32));
        }
        let by_name = NameIndex::new((0..n as u32).map(|i| names.get(i)));
        let schema = Schema::seen(
            self.node_types.names,
            &of_type,
            self.edge_types.names,
            &self.attributes,
            &types,
            &out,
        );
        Ok(Kg {
            title: self.name,
            ids: self.ids,
            by_id: self.by_id,
            names,
            by_name,
            types,
            of_type,
            attributes: self.attributes,
            out,
            into,
            schema,
            literals: self.literals,
        })
    }
}
