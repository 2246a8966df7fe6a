//! The part of a store's graph that a plan needs, brought here ask by ask.
//!
//! Nothing here sends anything: [`StorePart::next`] says what is to be asked, [`StorePart::take`] takes what
//! was told, until there is nothing to ask any more. The part is then a [`Kg`] like any other, on
//! which the plan runs and gives what it would have given on the whole graph.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use serde_json::Map;
use text::NGrams;

use super::{Ask, MAX_LIMIT, MAX_NODES, Remote, Told};
use crate::builder::UNTYPED;
use crate::find::{FindOptions, FindOver, Finder};
use crate::plan::{Does, Plan, Ready, Semantics, StepValue, execute, verify};
use crate::{Direction, Kg, KgBuilder, KgError, NodeIx, Schema, fold};

/// The most asks for one plan.
pub const MAX_ASKS: usize = 300;
/// The most edges that are brought here for one plan.
pub const MAX_EDGES: usize = 50_000;
/// The most nodes of one name.
const MAX_NAMED: usize = 50;

/// Why a part cannot be brought here.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PartError {
    /// The plan cannot run on such a graph at all.
    #[error("the plan cannot run on this store: {reason}")]
    Plan {
        /// What the store answered, or what an answer lacked.
        reason: String,
    },
    /// A step looks at attributes, which stay in the store.
    #[error(
        "step {step:?} looks at attribute {attribute:?}; of a store's nodes only names are brought \
         here"
    )]
    Attribute {
        /// The id of the step.
        step: String,
        /// What it looks at.
        attribute: String,
    },
    /// Too much would have to be asked.
    #[error("step {step:?} needs more than {limit} {what} of the store; narrow the plan down")]
    TooMuch {
        /// The id of the step.
        step: String,
        /// What there is too much of.
        what: &'static str,
        /// How much is brought here.
        limit: usize,
    },
    /// What was told fits no graph.
    #[error(transparent)]
    Graph(#[from] KgError),
}

/// What was fetched of a node: edges of a type, or of all types, one way.
type Fetched = (String, Option<String>, bool);

/// The part of a store's graph that a plan needs.
pub struct StorePart {
    title: String,
    schema: Schema,
    plan: Plan,
    semantics: Semantics,
    nodes: BTreeMap<String, Remote>,
    edges: BTreeSet<(String, String, String)>,
    /// The ids in the order in which they came.
    order: Vec<String>,
    named: BTreeSet<String>,
    fetched: BTreeSet<Fetched>,
    n_asks: usize,
    notes: Vec<String>,
}

impl StorePart {
    /// Nothing of it yet. `schema` is that of the whole store.
    ///
    /// # Errors
    /// The plan is wrong on that schema, or looks at attributes.
    pub fn new(
        title: &str,
        schema: Schema,
        plan: Plan,
        semantics: Semantics,
    ) -> Result<Self, PartError> {
        let mut part = Self {
            title: title.to_owned(),
            schema,
            plan,
            semantics,
            nodes: BTreeMap::new(),
            edges: BTreeSet::new(),
            order: Vec::new(),
            named: BTreeSet::new(),
            fetched: BTreeSet::new(),
            n_asks: 0,
            notes: Vec::new(),
        };
        let ready = part.ready(&part.kg()?)?;
        for step in &ready.steps {
            let attribute = match &step.does {
                Does::Attribute { attribute, .. }
                | Does::Filter { attribute, .. }
                | Does::ArgmaxAttribute { attribute, .. } => attribute,
                _ => continue,
            };
            if attribute != "name" {
                let (step, attribute) = (step.id.clone(), attribute.clone());
                return Err(PartError::Attribute { step, attribute });
            }
        }
        part.notes.clear();
        Ok(part)
    }

    /// How nodes are to be found by a hint on a part: by their name, for only those that have it
    /// were asked for.
    pub fn find_options(options: FindOptions) -> FindOptions {
        FindOptions { theta: Some(1.0), over: FindOver::Names, ..options }
    }

    /// What is to be asked next; nothing once the plan can run.
    ///
    /// O(part) for each ask.
    ///
    /// # Errors
    /// Too much would have to be asked.
    pub fn next(&self) -> Result<Option<Ask>, PartError> {
        let kg = Arc::new(self.kg()?);
        let ready = self.ready(&kg)?;
        let finder = Finder::new(kg.clone(), Rc::new(NGrams));
        let ran = execute(&ready, &finder, Self::find_options(FindOptions::default()));
        for step in &ready.steps {
            let ask = self.ask_of(&step.does, &kg, &ran.steps)?;
            let Some(ask) = ask else { continue };
            let limit = |what, limit| PartError::TooMuch { step: step.id.clone(), what, limit };
            if self.n_asks >= MAX_ASKS {
                return Err(limit("asks", MAX_ASKS));
            }
            if self.edges.len() > MAX_EDGES {
                return Err(limit("edges", MAX_EDGES));
            }
            return Ok(Some(ask));
        }
        Ok(None)
    }

    /// What a step still needs.
    fn ask_of(
        &self,
        does: &Does,
        kg: &Kg,
        ran: &[crate::plan::StepResult],
    ) -> Result<Option<Ask>, PartError> {
        let ids = |i: &usize| match &ran[*i].value {
            StepValue::Nodes(nodes) => nodes.iter().map(|n| kg.id(*n).to_owned()).collect(),
            _ => Vec::new(),
        };
        let edge = |t| Some(kg.schema().edge_type(t).name.clone());
        Ok(match does {
            Does::Find { hint, .. } => (!self.named.contains(&fold(hint)))
                .then(|| Ask::Named { name: hint.clone(), limit: MAX_NAMED }),
            Does::Fetch { from, edge_type, way }
            | Does::MostCommon { from, edge_type, way }
            | Does::ArgmaxDegree { from, edge_type, way } => {
                self.missing(ids(from), edge(*edge_type), *way)
            }
            Does::Common { of } => of
                .iter()
                .find_map(|(from, edge_type, way)| self.missing(ids(from), edge(*edge_type), *way)),
            Does::Reach { from, node_type, way } => {
                let is_end = |n: NodeIx| self.semantics.nearest && kg.node_type(n) == *node_type;
                ran[*from].value.nodes().iter().find_map(|start| {
                    self.missing_around(kg, &[*start], *way, self.semantics.max_hops, &is_end)
                })
            }
            Does::ShortestPath { from, to } => {
                let (from, to) = (ran[*from].value.nodes(), ran[*to].value.nodes());
                // From both ends: half the hops each, and few nodes in place of many.
                let hops = self.semantics.max_hops;
                let (starts, ends): (BTreeSet<_>, BTreeSet<_>) =
                    (from.iter().copied().collect(), to.iter().copied().collect());
                self.missing_around(kg, from, Direction::Both, hops, &|n| ends.contains(&n))
                    .or_else(|| {
                        self.missing_around(kg, to, Direction::Both, hops, &|n| starts.contains(&n))
                    })
            }
            Does::Count { .. }
            | Does::Attribute { .. }
            | Does::Filter { .. }
            | Does::ArgmaxAttribute { .. } => None,
        })
    }

    /// Asks for the edges at those nodes of which they are not here yet.
    fn missing(&self, ids: Vec<String>, edge_type: Option<String>, way: Direction) -> Option<Ask> {
        let lacks = |id: &String| {
            ways(way).iter().any(|is_out| {
                let all = (id.clone(), None, *is_out);
                let own = (id.clone(), edge_type.clone(), *is_out);
                !self.fetched.contains(&all) && !self.fetched.contains(&own)
            })
        };
        let nodes: Vec<String> = ids.into_iter().filter(lacks).take(MAX_NODES).collect();
        (!nodes.is_empty()).then_some(Ask::Neighbors { nodes, edge_type, way, limit: MAX_LIMIT })
    }

    /// Asks for what is missing up to some hops around nodes, ring by ring; a ring with a node at
    /// which the search ends is the last.
    fn missing_around(
        &self,
        kg: &Kg,
        start: &[NodeIx],
        way: Direction,
        hops: usize,
        is_end: &dyn Fn(NodeIx) -> bool,
    ) -> Option<Ask> {
        let mut seen: BTreeSet<NodeIx> = start.iter().copied().collect();
        let mut ring: Vec<NodeIx> = start.to_vec();
        for _ in 0..hops {
            let ids = ring.iter().map(|n| kg.id(*n).to_owned()).collect();
            if let Some(ask) = self.missing(ids, None, way) {
                return Some(ask);
            }
            let mut next = Vec::new();
            for node in &ring {
                let others = kg.edges_of(*node, way).map(|(_, _, other)| other);
                next.extend(others.filter(|other| seen.insert(*other)));
            }
            if next.is_empty() || next.iter().any(|n| is_end(*n)) {
                return None;
            }
            ring = next;
        }
        None
    }

    /// Takes what the store told.
    pub fn take(&mut self, ask: &Ask, told: Told) {
        self.n_asks += 1;
        match (ask, told) {
            (Ask::Named { name, .. }, Told::Nodes { nodes, is_cut }) => {
                self.named.insert(fold(name));
                if is_cut {
                    self.notes.push(format!("more than {MAX_NAMED} nodes are called {name:?}"));
                }
                nodes.into_iter().for_each(|n| self.add(n));
            }
            (Ask::Neighbors { nodes, edge_type, way, limit }, Told::Edges { edges, is_cut }) => {
                if is_cut {
                    let n = nodes.len();
                    self.notes
                        .push(format!("{n} nodes have more than {limit} edges; the rest is left"));
                }
                for id in nodes {
                    for is_out in ways(*way) {
                        self.fetched.insert((id.clone(), edge_type.clone(), *is_out));
                    }
                }
                for edge in edges {
                    let other = edge.other.id.clone();
                    let (from, to) = match edge.way {
                        Direction::In => (other, edge.node),
                        _ => (edge.node, other),
                    };
                    self.add(edge.other);
                    self.edges.insert((from, edge.edge_type, to));
                }
            }
            // Another answer than to what was asked: nobody does that, and it brings nothing.
            _ => {}
        }
    }

    fn add(&mut self, node: Remote) {
        if !self.nodes.contains_key(&node.id) {
            self.order.push(node.id.clone());
            self.nodes.insert(node.id.clone(), node);
        }
    }

    /// How often the store was asked.
    pub fn n_asks(&self) -> usize {
        self.n_asks
    }

    /// What the store cut off.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The part so far, with the schema of the whole.
    ///
    /// # Errors
    /// What was told fits no graph: an id or a name that is too long.
    pub fn kg(&self) -> Result<Kg, KgError> {
        let mut builder = KgBuilder::new(self.title.as_str());
        for id in &self.order {
            let Some(node) = self.nodes.get(id) else { continue };
            let node_type = node.node_type.as_deref().unwrap_or(UNTYPED);
            builder.node(id, node_type, &node.name, Map::new())?;
        }
        for (from, edge_type, to) in &self.edges {
            builder.edge(from, edge_type, to)?;
        }
        Ok(builder.build()?.with_types(&self.schema))
    }

    fn ready(&self, kg: &Kg) -> Result<Ready, PartError> {
        let verified = verify(&self.plan, kg.schema(), self.semantics, "");
        verified.ready.ok_or_else(|| {
            let words: Vec<String> = verified.findings.into_iter().map(|f| f.message).collect();
            PartError::Plan { reason: words.join("; ") }
        })
    }
}

/// The ways that a direction is: out, in, or both.
fn ways(way: Direction) -> &'static [bool] {
    match way {
        Direction::Out => &[true],
        Direction::In => &[false],
        Direction::Both => &[true, false],
    }
}
