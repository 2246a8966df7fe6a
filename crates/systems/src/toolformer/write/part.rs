//! The part of the data that calls use, small enough to be drawn.

use std::collections::BTreeSet;
use std::rc::Rc;

use graph::functions::Touched;
use graph::{Delta, Graph, NodeName};
use kg::{Direction, Kg};

use crate::toolformer::data::Data;
use crate::toolformer::load::Loaded;

/// The most nodes of a part that is drawn.
pub const MAX_NODES: usize = 80;
/// The most links of it.
pub const MAX_LINKS: usize = 300;

/// What the drawing of a trace shows.
#[derive(Default)]
pub(super) struct Drawn {
    of: Option<Rc<Loaded>>,
    /// Which of several graphs, where that is known.
    member: Option<String>,
    nodes: BTreeSet<NodeName>,
    links: BTreeSet<(NodeName, NodeName)>,
}

impl Drawn {
    /// Shows a graph that was loaded, if it is small enough to be shown whole.
    pub(super) fn loaded(&mut self, graph: &Rc<Loaded>) -> Vec<Delta> {
        if self.is_of(graph) {
            return Vec::new();
        }
        match one(&graph.data, None) {
            Some(One::Graph(whole)) if is_small(whole) => {
                let mut deltas = self.begin(graph, whole.is_directed());
                let all: Vec<NodeName> = whole.names().cloned().collect();
                self.add(graph, &all, &[], &mut deltas);
                deltas
            }
            _ => Vec::new(),
        }
    }

    fn is_of(&self, graph: &Rc<Loaded>) -> bool {
        self.of.as_ref().is_some_and(|of| Rc::ptr_eq(of, graph))
    }

    /// Shows what was looked at, with the links between; of several graphs, in the one of that name.
    pub(super) fn used(
        &mut self,
        graph: &Rc<Loaded>,
        member: Option<&str>,
        at: &Touched,
    ) -> Vec<Delta> {
        let member = match &graph.data {
            Data::Set(all) if all.len() > 1 => member.map(ToOwned::to_owned),
            _ => None,
        };
        let is_same = self.is_of(graph) && self.member == member;
        let mut deltas = if is_same || member.is_some() { Vec::new() } else { self.loaded(graph) };
        if at.nodes.is_empty() && at.edges.is_empty() {
            return deltas;
        }
        if !self.is_of(graph) || self.member != member {
            let is_directed = match one(&graph.data, member.as_deref()) {
                Some(One::Graph(whole)) => whole.is_directed(),
                Some(One::Facts(_)) => true,
                None => return Vec::new(),
            };
            deltas = self.begin(graph, is_directed);
            self.member = member;
        }
        let ends = at.edges.iter().flat_map(|(a, b)| [a, b]);
        let names: Vec<NodeName> = at.nodes.iter().chain(ends).cloned().collect();
        self.add(graph, &names, &at.edges, &mut deltas);
        deltas
    }

    /// What of it is on the drawing. A link that a model makes out is none of the graph, but has
    /// its ends there.
    pub(super) fn shown(&self, at: &Touched) -> Touched {
        let nodes = at.nodes.iter().filter(|n| self.nodes.contains(n)).cloned().collect();
        let is_there =
            |(a, b): &&(NodeName, NodeName)| self.nodes.contains(a) && self.nodes.contains(b);
        Touched { nodes, edges: at.edges.iter().filter(is_there).cloned().collect() }
    }

    fn begin(&mut self, graph: &Rc<Loaded>, directed: bool) -> Vec<Delta> {
        *self = Self { of: Some(graph.clone()), ..Self::default() };
        vec![Delta::Create { directed, weighted: false }]
    }

    fn add(
        &mut self,
        graph: &Rc<Loaded>,
        names: &[NodeName],
        first: &[(NodeName, NodeName)],
        deltas: &mut Vec<Delta>,
    ) {
        let member = self.member.clone();
        let Some(whole) = one(&graph.data, member.as_deref()) else { return };
        for name in names {
            if self.nodes.len() < MAX_NODES && whole.has(name) && self.nodes.insert(name.clone()) {
                deltas.push(Delta::AddNode { node: name.clone() });
            }
        }
        // The links that were looked at come before the others between the same nodes. A model
        // points to links that it makes out, too; those are not in the data, and become none.
        let is_link = |(a, b): &&(NodeName, NodeName)| {
            whole.links_from(a).contains(b) || whole.links_from(b).contains(a)
        };
        let mut links: Vec<(NodeName, NodeName)> = first.iter().filter(is_link).cloned().collect();
        for name in &self.nodes {
            links.extend(whole.links_from(name).into_iter().map(|to| (name.clone(), to)));
        }
        for (source, target) in links {
            let are_there = self.nodes.contains(&source) && self.nodes.contains(&target);
            let is_new = !self.links.contains(&(source.clone(), target.clone()))
                && !self.links.contains(&(target.clone(), source.clone()));
            if are_there && is_new && source != target && self.links.len() < MAX_LINKS {
                self.links.insert((source.clone(), target.clone()));
                deltas.push(Delta::AddEdge { source, target, weight: None, capacity: None });
            }
        }
    }
}

fn is_small(graph: &Graph) -> bool {
    graph.n_nodes() <= MAX_NODES && graph.n_edges() <= MAX_LINKS
}

/// The graph of data that have one; of several none is the one that is meant.
enum One<'d> {
    Graph(&'d Graph),
    Facts(&'d Kg),
}

fn one<'d>(data: &'d Data, member: Option<&str>) -> Option<One<'d>> {
    match data {
        Data::Network(network) => Some(One::Graph(&network.graph)),
        Data::Set(all) => match all.as_slice() {
            [only] => Some(One::Graph(&only.network.graph)),
            all => {
                let found = all.iter().find(|m| Some(m.name.as_str()) == member)?;
                Some(One::Graph(&found.network.graph))
            }
        },
        Data::Knowledge(facts) => Some(One::Facts(facts)),
    }
}

impl One<'_> {
    fn has(&self, name: &NodeName) -> bool {
        match self {
            Self::Graph(graph) => graph.has_node(name),
            Self::Facts(facts) => facts.find_id(&name.to_string()).is_some(),
        }
    }

    /// Where the first of a node's links lead.
    fn links_from(&self, name: &NodeName) -> Vec<NodeName> {
        const MOST: usize = 10_000;
        match self {
            Self::Graph(graph) => graph.index(name).map_or_else(
                |_| Vec::new(),
                |at| {
                    let mut next = graph.neighbors(at);
                    next.truncate(MOST);
                    graph.names_of(&next)
                },
            ),
            Self::Facts(facts) => facts.find_id(&name.to_string()).map_or_else(Vec::new, |at| {
                let out = facts.edges_of(at, Direction::Out).take(MOST);
                out.map(|(_, _, to)| NodeName::from(facts.id(to))).collect()
            }),
        }
    }
}
