//! Finding nodes by what they are called or what is meant.
//!
//! Paper: GraphRunner §3.1.1, `Find_Node(h, t) = {v ∈ V_t | similarity(h, attr(v)) ≥ θ}`.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use text::{Index, SimilarityMeasure};

use crate::{Kg, NodeIx, NodeTypeIx};

/// How a node was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FoundBy {
    /// The hint is its id.
    Id,
    /// The hint is its name, but for case and spacing.
    Name,
    /// The hint is similar to its name.
    // Files and outputs of before have this word.
    #[serde(rename = "likeness")]
    Similarity,
}

/// A node that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Its place in the graph that was searched.
    pub node: NodeIx,
    /// How well it fits, from 0 to 1.
    pub score: f32,
    /// How it was found.
    pub how: FoundBy,
}

/// How nodes are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FindOptions {
    /// θ, the similarity threshold: the least score of a node that is taken, 0 to 1.
    pub theta: f32,
    /// The most nodes that are taken by similarity.
    pub max_hits: usize,
    /// Nodes whose score is more than this below the best are not taken, 0 to 1.
    pub gap: f32,
}

impl Default for FindOptions {
    fn default() -> Self {
        Self { theta: 0.6, max_hits: 5, gap: 0.05 }
    }
}

/// The nodes that a hint means, and those that are close to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// The nodes that were taken, the best first.
    pub hits: Vec<Hit>,
    /// The best of those that were not.
    pub near: Vec<Hit>,
}

/// Finds nodes of one graph.
///
/// `// Paper is silent:` on θ, on ties and on how many are taken. A node whose name or id is the
/// hint wins alone, and several of one name all do; only where there is none, those that are like
/// the hint are taken, by [`FindOptions`].
pub struct Finder {
    kg: Arc<Kg>,
    meaning: Rc<dyn SimilarityMeasure>,
    /// By type; `None` for all nodes.
    indexes: RefCell<BTreeMap<Option<NodeTypeIx>, Rc<dyn Index>>>,
}

impl Finder {
    /// Nothing is computed before the first hint that needs it.
    pub fn new(kg: Arc<Kg>, meaning: Rc<dyn SimilarityMeasure>) -> Self {
        Self { kg, meaning, indexes: RefCell::default() }
    }

    /// The graph that is searched.
    pub fn kg(&self) -> &Arc<Kg> {
        &self.kg
    }

    /// The name of the similarity measure, for people.
    pub fn label(&self) -> String {
        self.meaning.label()
    }

    /// The nodes that a hint means, of one type or of any.
    pub fn find(&self, hint: &str, of: Option<NodeTypeIx>, options: FindOptions) -> Found {
        let fits = |n: &NodeIx| of.is_none_or(|t| self.kg.node_type(*n) == t);
        if let Some(node) = self.kg.find_id(hint.trim()).filter(fits) {
            return Found {
                hits: vec![Hit { node, score: 1.0, how: FoundBy::Id }],
                near: Vec::new(),
            };
        }
        let named: Vec<NodeIx> = self.kg.named(hint).into_iter().filter(fits).collect();
        if !named.is_empty() {
            let hit = |node| Hit { node, score: 1.0, how: FoundBy::Name };
            return Found { hits: named.into_iter().map(hit).collect(), near: Vec::new() };
        }
        let mut ranked = self.rank(hint, of);
        let best = ranked.first().map_or(0.0, |h| h.score);
        let n_taken = ranked
            .iter()
            .take(options.max_hits)
            .take_while(|h| h.score >= options.theta && h.score >= best - options.gap)
            .count();
        let mut near = ranked.split_off(n_taken);
        near.truncate(5);
        Found { hits: ranked, near }
    }

    /// Ranks nodes by similarity, the best first, among equals the earlier first; at most 100, and none
    /// that has nothing in common with the hint.
    pub fn rank(&self, hint: &str, of: Option<NodeTypeIx>) -> Vec<Hit> {
        let all: Vec<NodeIx>;
        let nodes: &[NodeIx] = match of {
            Some(t) => self.kg.nodes_of_type(t),
            None => {
                all = self.kg.nodes().collect();
                &all
            }
        };
        let index = self.index(of, nodes);
        let scores = index.scores(hint);
        let mut hits: Vec<Hit> = nodes
            .iter()
            .zip(scores)
            .filter(|(_, score)| *score > 0.0)
            .map(|(node, score)| Hit { node: *node, score, how: FoundBy::Similarity })
            .collect();
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.node.cmp(&b.node)));
        hits.truncate(100);
        hits
    }

    fn index(&self, of: Option<NodeTypeIx>, nodes: &[NodeIx]) -> Rc<dyn Index> {
        if let Some(index) = self.indexes.borrow().get(&of) {
            return index.clone();
        }
        let names: Vec<&str> = nodes.iter().map(|n| self.kg.name(*n)).collect();
        let index: Rc<dyn Index> = Rc::from(self.meaning.index(&names));
        self.indexes.borrow_mut().insert(of, index.clone());
        index
    }
}
