//! Finding nodes by what they are called or what is meant.
//!
//! Paper: GraphRunner §3.1.1, `Find_Node(h, t) = {v ∈ V_t | similarity(h, attr(v)) ≥ θ}`.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
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
    /// The hint is similar to its name, or to a text of its attributes.
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

/// What of a node a hint is compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindOver {
    /// The name of a node alone.
    #[default]
    Names,
    /// Its name and the texts of its attributes: descriptions, titles, abstracts. Paper: GraphRunner
    /// §3.1.1, `attr(v)`.
    Texts,
}

/// θ of character trigrams, by which names are compared before anything else is chosen; 0 to 1.
pub fn trigram_threshold() -> f32 {
    text::NGrams.threshold()
}

/// How nodes are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FindOptions {
    /// θ, the similarity threshold: the least score of a node that is taken, 0 to 1. Absent: that of
    /// the similarity measure.
    pub theta: Option<f32>,
    /// The most nodes that are taken by similarity.
    pub max_hits: usize,
    /// Nodes whose score is more than this below the best are not taken, 0 to 1.
    pub gap: f32,
    /// What a hint is compared with.
    pub over: FindOver,
}

impl Default for FindOptions {
    fn default() -> Self {
        Self { theta: None, max_hits: 5, gap: 0.05, over: FindOver::Names }
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

/// The most letters of a passage of a text.
pub const MAX_PASSAGE: usize = 400;
/// The most passages of one node; what comes behind them is not searched.
pub const MAX_PASSAGES: usize = 32;

/// The texts that a node is searched by: its name, then the passages of its attributes that are texts
/// or lists of texts. A passage is a sentence, cut between words where it is longer than
/// [`MAX_PASSAGE`] letters; a node has [`MAX_PASSAGES`] of them at most, its name aside. Numbers are no
/// texts.
///
/// O(length of what is kept).
pub fn texts_of(kg: &Kg, node: NodeIx) -> Vec<String> {
    let mut texts = vec![kg.name(node).to_owned()];
    let values = kg.attributes(node).into_iter().flat_map(|all| all.values());
    for value in values {
        let parts: &[Value] = match value {
            Value::Array(list) => list,
            other => std::slice::from_ref(other),
        };
        for text in parts.iter().filter_map(Value::as_str) {
            for passage in passages(text) {
                if texts.len() > MAX_PASSAGES {
                    return texts;
                }
                texts.push(passage.to_owned());
            }
        }
    }
    texts
}

/// A text in sentences, each of [`MAX_PASSAGE`] letters at most, cut between words where there are any.
fn passages(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text.trim();
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.char_indices().nth(MAX_PASSAGE).map_or(rest.len(), |(at, _)| at);
        let sentence = [". ", "! ", "? ", "\n"]
            .iter()
            .filter_map(|stop| Some(rest[..end].find(stop)? + stop.len()))
            .min();
        let cut = match (sentence, rest[..end].rfind(char::is_whitespace)) {
            (Some(stop), _) => stop,
            (None, Some(space)) if end < rest.len() && space > 0 => space,
            _ => end,
        };
        let (passage, behind) = rest.split_at(cut);
        rest = behind.trim_start();
        Some(passage.trim_end())
    })
}

/// Texts of nodes that are ready to be compared, and whose they are.
struct Searched {
    index: Box<dyn Index>,
    /// For each text the place of its node among those that are searched; none where each node has
    /// one text.
    owners: Option<Vec<u32>>,
}

impl Searched {
    /// How similar each node is to a hint: as its most similar text.
    fn scores(&self, hint: &str, n_nodes: usize) -> Vec<f32> {
        let of_texts = self.index.scores(hint);
        let Some(owners) = &self.owners else { return of_texts };
        let mut scores = vec![0.0_f32; n_nodes];
        for (score, owner) in of_texts.into_iter().zip(owners) {
            let best = &mut scores[*owner as usize];
            *best = best.max(score);
        }
        scores
    }
}

/// The type that is searched, `None` for all nodes, and what of them.
type SearchKey = (Option<NodeTypeIx>, FindOver);

/// Finds nodes of one graph.
///
/// `// Paper is silent:` on θ, on ties and on how many are taken. A node whose name or id is the
/// hint wins alone, and several of one name all do; only where there is none, those that are like
/// the hint are taken, by [`FindOptions`]. A node that has several texts is as like a hint as the
/// one of them that is most like it.
pub struct Finder {
    kg: Arc<Kg>,
    meaning: Rc<dyn SimilarityMeasure>,
    indexes: RefCell<BTreeMap<SearchKey, Rc<Searched>>>,
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

    /// θ where the options say none: that of the similarity measure.
    pub fn threshold(&self) -> f32 {
        self.meaning.threshold()
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
        let mut ranked = self.rank(hint, of, options.over);
        let best = ranked.first().map_or(0.0, |h| h.score);
        let theta = options.theta.unwrap_or_else(|| self.threshold());
        let n_taken = ranked
            .iter()
            .take(options.max_hits)
            .take_while(|h| h.score >= theta && h.score >= best - options.gap)
            .count();
        let mut near = ranked.split_off(n_taken);
        near.truncate(5);
        Found { hits: ranked, near }
    }

    /// Ranks nodes by similarity, the best first, among equals the earlier first; at most 100, and none
    /// that has nothing in common with the hint.
    ///
    /// The first call for a type and what is searched makes its index: O(length of the texts) for
    /// measures that need no model.
    pub fn rank(&self, hint: &str, of: Option<NodeTypeIx>, over: FindOver) -> Vec<Hit> {
        let all: Vec<NodeIx>;
        let nodes: &[NodeIx] = match of {
            Some(t) => self.kg.nodes_of_type(t),
            None => {
                all = self.kg.nodes().collect();
                &all
            }
        };
        let scores = self.searched(of, over, nodes).scores(hint, nodes.len());
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

    fn searched(&self, of: Option<NodeTypeIx>, over: FindOver, nodes: &[NodeIx]) -> Rc<Searched> {
        if let Some(searched) = self.indexes.borrow().get(&(of, over)) {
            return searched.clone();
        }
        let searched = match over {
            FindOver::Names => {
                let names: Vec<&str> = nodes.iter().map(|n| self.kg.name(*n)).collect();
                Searched { index: self.meaning.index(&names), owners: None }
            }
            FindOver::Texts => {
                let (mut texts, mut owners) = (Vec::new(), Vec::new());
                for (place, node) in (0_u32..).zip(nodes) {
                    let own = texts_of(&self.kg, *node);
                    owners.extend(std::iter::repeat_n(place, own.len()));
                    texts.extend(own);
                }
                let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                Searched { index: self.meaning.index(&texts), owners: Some(owners) }
            }
        };
        let searched = Rc::new(searched);
        self.indexes.borrow_mut().insert((of, over), searched.clone());
        searched
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn passages_lose_no_word_and_are_bounded(
            words in prop::collection::vec("[a-zé]{1,30}[.?]?", 0..80),
            long in "[a-z]{0,1000}",
        ) {
            let text = format!(" {} {long}", words.join("  "));
            let cut: Vec<&str> = passages(&text).collect();
            prop_assert!(cut.iter().all(|p| (1..=MAX_PASSAGE).contains(&p.chars().count())));
            let plain = |text: &str| text.split_whitespace().collect::<String>();
            prop_assert_eq!(plain(&cut.join(" ")), plain(&text));
            // Only a word that is longer than a passage is cut.
            let whole: Vec<&str> = cut.iter().flat_map(|p| p.split_whitespace()).collect();
            for word in &words {
                prop_assert!(whole.contains(&word.as_str()));
            }
        }
    }
}
