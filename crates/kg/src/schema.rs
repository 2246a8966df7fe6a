//! Types, and which edges go between which.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::adjacency::Adjacency;
use crate::kg::{EdgeTypeIx, NodeIx, NodeTypeIx};
use crate::{Direction, fold};

/// A type of nodes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeType {
    /// What it is called.
    pub name: String,
    /// So many nodes have it.
    #[serde(default)]
    pub n_nodes: usize,
    /// The attributes that its nodes have, in alphabetical order.
    #[serde(default)]
    pub attributes: Vec<String>,
}

/// Between which types edges of a type go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TypePair {
    /// The type of the source nodes.
    pub from: NodeTypeIx,
    /// The type of the target nodes.
    pub to: NodeTypeIx,
    /// The number of edges between the two types.
    #[serde(default)]
    pub n_edges: usize,
}

/// A type of edges.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EdgeType {
    /// What it is called.
    pub name: String,
    /// So many edges have it.
    #[serde(default)]
    pub n_edges: usize,
    /// Between which types, in the order of the types.
    pub ends: Vec<TypePair>,
}

/// The types of a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schema {
    node_types: Vec<NodeType>,
    edge_types: Vec<EdgeType>,
}

impl Schema {
    /// The schema that a graph has. O(m).
    pub(crate) fn seen(
        node_types: Vec<String>,
        of_type: &[Vec<NodeIx>],
        edge_types: Vec<String>,
        attributes: &BTreeMap<u32, Map<String, Value>>,
        types: &[NodeTypeIx],
        out: &Adjacency,
    ) -> Self {
        let mut names: Vec<BTreeSet<&str>> = vec![BTreeSet::new(); node_types.len()];
        for (node, attributes) in attributes {
            let of = &mut names[types[*node as usize].0 as usize];
            for name in attributes.keys() {
                if !of.contains(name.as_str()) {
                    of.insert(name);
                }
            }
        }
        let mut counts: BTreeMap<(u16, NodeTypeIx, NodeTypeIx), usize> = BTreeMap::new();
        for (i, from) in types.iter().enumerate() {
            for (edge_type, targets) in out.runs(i as u32) {
                for target in targets {
                    *counts.entry((edge_type, *from, types[*target as usize])).or_default() += 1;
                }
            }
        }
        let mut edges: Vec<EdgeType> = edge_types
            .into_iter()
            .map(|name| EdgeType { name, n_edges: 0, ends: Vec::new() })
            .collect();
        for ((edge_type, from, to), n_edges) in counts {
            let edge = &mut edges[edge_type as usize];
            edge.n_edges += n_edges;
            edge.ends.push(TypePair { from, to, n_edges });
        }
        let nodes = node_types.into_iter().zip(of_type).zip(names).map(|((name, of), names)| {
            let attributes = names.into_iter().map(str::to_owned).collect();
            NodeType { name, n_nodes: of.len(), attributes }
        });
        Self { node_types: nodes.collect(), edge_types: edges }
    }

    /// A schema by itself: types by name, edges as (type, from, to).
    pub fn given<'a>(
        node_types: impl IntoIterator<Item = &'a str>,
        edges: impl IntoIterator<Item = (&'a str, &'a str, &'a str)>,
    ) -> Self {
        let mut schema = Self::default();
        for name in node_types {
            schema.intern_node_type(name);
        }
        for (name, from, to) in edges {
            let (from, to) = (schema.intern_node_type(from), schema.intern_node_type(to));
            let edge = schema.intern_edge_type(name);
            let ends = &mut schema.edge_types[edge.0 as usize].ends;
            if !ends.iter().any(|e| (e.from, e.to) == (from, to)) {
                ends.push(TypePair { from, to, n_edges: 0 });
            }
        }
        schema
    }

    /// Sets how many nodes of a type there are, and edges of a type, as somebody told.
    pub(crate) fn tell(&mut self, n_nodes: &[(&str, u64)], n_edges: &[(&str, u64)]) {
        let count = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
        for (name, n) in n_nodes {
            let at = self.intern_node_type(name);
            self.node_types[at.0 as usize].n_nodes = count(*n);
        }
        for (name, n) in n_edges {
            let at = self.intern_edge_type(name);
            let all = &mut self.edge_types[at.0 as usize].n_edges;
            *all = all.saturating_add(count(*n));
        }
    }

    fn intern_node_type(&mut self, name: &str) -> NodeTypeIx {
        let at = self.node_types.iter().position(|t| t.name == name).unwrap_or_else(|| {
            let node_type = NodeType { name: name.into(), n_nodes: 0, attributes: Vec::new() };
            self.node_types.push(node_type);
            self.node_types.len() - 1
        });
        NodeTypeIx(at as u16)
    }

    fn intern_edge_type(&mut self, name: &str) -> EdgeTypeIx {
        let at = self.edge_types.iter().position(|t| t.name == name).unwrap_or_else(|| {
            self.edge_types.push(EdgeType { name: name.into(), n_edges: 0, ends: Vec::new() });
            self.edge_types.len() - 1
        });
        EdgeTypeIx(at as u16)
    }

    /// This with what a given schema has beyond it; numbers of types stay.
    pub(crate) fn completed(&self, given: &Self) -> Self {
        let mut merged = self.clone();
        for node_type in &given.node_types {
            let n_own = merged.node_types.len();
            let own = merged.intern_node_type(&node_type.name);
            if merged.node_types.len() > n_own {
                // Nothing here is of it; what is told of it elsewhere stands.
                merged.node_types[own.0 as usize].n_nodes = node_type.n_nodes;
            }
        }
        for edge in &given.edge_types {
            let n_own = merged.edge_types.len();
            let own = merged.intern_edge_type(&edge.name);
            if merged.edge_types.len() > n_own {
                merged.edge_types[own.0 as usize].n_edges = edge.n_edges;
            }
            for ends in &edge.ends {
                let from = merged.intern_node_type(&given.node_type(ends.from).name);
                let to = merged.intern_node_type(&given.node_type(ends.to).name);
                let all = &mut merged.edge_types[own.0 as usize].ends;
                if !all.iter().any(|e| (e.from, e.to) == (from, to)) {
                    all.push(TypePair { from, to, n_edges: 0 });
                }
            }
        }
        merged
    }

    /// Whether this has an edge of a graph whose schema is `seen`; else, in words, where such edges
    /// may be.
    pub(crate) fn check(
        &self,
        seen: &Self,
        edge_type: EdgeTypeIx,
        (from, to): (NodeTypeIx, NodeTypeIx),
    ) -> Result<(), String> {
        let name = |s: &Self, t: NodeTypeIx| s.node_type(t).name.clone();
        let own = self.edge_types.iter().find(|e| e.name == seen.edge_type(edge_type).name);
        let Some(own) = own else { return Err("no such edges at all".into()) };
        let (from, to) = (name(seen, from), name(seen, to));
        let pairs: Vec<(String, String)> =
            own.ends.iter().map(|e| (name(self, e.from), name(self, e.to))).collect();
        if pairs.contains(&(from, to)) {
            return Ok(());
        }
        let told: Vec<String> = pairs.iter().map(|(f, t)| format!("{f} → {t}")).collect();
        Err(told.join(", "))
    }

    /// Every type of nodes.
    pub fn node_types(&self) -> &[NodeType] {
        &self.node_types
    }

    /// Every type of edges.
    pub fn edge_types(&self) -> &[EdgeType] {
        &self.edge_types
    }

    /// A type of nodes.
    pub fn node_type(&self, i: NodeTypeIx) -> &NodeType {
        &self.node_types[i.0 as usize]
    }

    /// A type of edges.
    pub fn edge_type(&self, i: EdgeTypeIx) -> &EdgeType {
        &self.edge_types[i.0 as usize]
    }

    /// The numbers of all types of nodes.
    pub fn node_type_ixs(&self) -> impl Iterator<Item = NodeTypeIx> + use<> {
        (0..self.node_types.len() as u16).map(NodeTypeIx)
    }

    /// The numbers of all types of edges.
    pub fn edge_type_ixs(&self) -> impl Iterator<Item = EdgeTypeIx> + use<> {
        (0..self.edge_types.len() as u16).map(EdgeTypeIx)
    }

    /// The type of nodes of that name: as it is written, else however it is spelt if only one is.
    pub fn find_node_type(&self, name: &str) -> Option<NodeTypeIx> {
        let at = find(self.node_types.iter().map(|t| t.name.as_str()), name)?;
        Some(NodeTypeIx(at as u16))
    }

    /// The type of edges of that name: as it is written, else however it is spelt if only one is.
    pub fn find_edge_type(&self, name: &str) -> Option<EdgeTypeIx> {
        let at = find(self.edge_types.iter().map(|t| t.name.as_str()), name)?;
        Some(EdgeTypeIx(at as u16))
    }

    /// The types at the other ends of such edges at nodes of one type.
    pub fn ends_of(
        &self,
        node_type: NodeTypeIx,
        edge_type: EdgeTypeIx,
        way: Direction,
    ) -> BTreeSet<NodeTypeIx> {
        let mut found = BTreeSet::new();
        for ends in &self.edge_type(edge_type).ends {
            if way != Direction::In && ends.from == node_type {
                found.insert(ends.to);
            }
            if way != Direction::Out && ends.to == node_type {
                found.insert(ends.from);
            }
        }
        found
    }

    /// The types of edges that nodes of one type have, with the way they go.
    pub fn edges_at(&self, node_type: NodeTypeIx) -> Vec<(EdgeTypeIx, Direction)> {
        let mut found = Vec::new();
        for edge_type in self.edge_type_ixs() {
            let ends = &self.edge_type(edge_type).ends;
            let out = ends.iter().any(|e| e.from == node_type);
            let into = ends.iter().any(|e| e.to == node_type);
            match (out, into) {
                (true, true) => found.push((edge_type, Direction::Both)),
                (true, false) => found.push((edge_type, Direction::Out)),
                (false, true) => found.push((edge_type, Direction::In)),
                (false, false) => {}
            }
        }
        found
    }

    /// The fewest hops from nodes of some types to nodes of a type, at least one; `None` where the
    /// types are not joined. O(types · edge types).
    pub fn hops(
        &self,
        from: &BTreeSet<NodeTypeIx>,
        to: NodeTypeIx,
        way: Direction,
    ) -> Option<usize> {
        let mut front = from.clone();
        let mut seen = BTreeSet::new();
        for hops in 1..=self.node_types.len() {
            let next: BTreeSet<NodeTypeIx> = front
                .iter()
                .flat_map(|t| self.edge_type_ixs().flat_map(move |e| self.ends_of(*t, e, way)))
                .collect();
            if next.contains(&to) {
                return Some(hops);
            }
            front = next.into_iter().filter(|t| seen.insert(*t)).collect();
            if front.is_empty() {
                return None;
            }
        }
        None
    }
}

fn find<'a>(names: impl Iterator<Item = &'a str> + Clone, wanted: &str) -> Option<usize> {
    if let Some(i) = names.clone().position(|n| n == wanted) {
        return Some(i);
    }
    let folded = fold(wanted);
    let mut same = names.enumerate().filter(|(_, n)| fold(n) == folded);
    let (i, _) = same.next()?;
    same.next().is_none().then_some(i)
}
