//! Hints with a known meaning: what similarity measures and thresholds are held against.
//!
//! A graph is cut into halves. The nodes of one half can be found; hints for nodes of the other half
//! mean nothing there. Hints are names with something wrong about them, or runs of words out of texts,
//! so that they come from no benchmark.

use kg::find::{FindOver, texts_of};
use kg::{Kg, KgBuilder, KgError, NodeIx};
use rand::seq::{IndexedRandom as _, SliceRandom as _};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// How a hint differs from what it was made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HintChange {
    /// Two letters that stand beside each other changed places, or one is missing.
    Slip,
    /// A word is missing.
    WordMissing,
    /// The words stand in another order.
    WordsTurned,
    /// The type stands before the name.
    TypeBefore,
    /// A run of words out of a text of the node.
    OutOfText,
}

/// A hint with what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownHint {
    /// The words that stand for the node.
    pub hint: String,
    /// The type of the node.
    pub node_type: String,
    /// The id of the node that is meant; none where the graph that is searched has no such node.
    pub means: Option<String>,
    /// How the hint was made.
    pub change: HintChange,
}

/// The half of a graph that is searched: every second node of each type, without edges. O(nodes).
///
/// # Errors
/// None that a graph which was built could cause.
pub fn searched_half(kg: &Kg) -> Result<Kg, KgError> {
    let mut half = KgBuilder::new(kg.title());
    for of in kg.schema().node_type_ixs() {
        let name = &kg.schema().node_type(of).name;
        for node in kg.nodes_of_type(of).iter().step_by(2) {
            let known = kg.attributes(*node).cloned().unwrap_or_default();
            half.node(kg.id(*node), name, kg.name(*node), known)?;
        }
    }
    half.build()
}

/// `n` hints for a search over names or texts, as many with a meaning in [`searched_half`] as without;
/// fewer where the graph has too few names of two words or texts. The same seed gives the same.
///
/// O(n · length of a node's texts).
pub fn known_hints(kg: &Kg, over: FindOver, n: usize, seed: u64) -> Vec<KnownHint> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let changes: &[HintChange] = match over {
        FindOver::Names => &[
            HintChange::Slip,
            HintChange::WordMissing,
            HintChange::WordsTurned,
            HintChange::TypeBefore,
        ],
        FindOver::Texts => &[HintChange::OutOfText],
    };
    let types: Vec<_> = kg.schema().node_type_ixs().collect();
    let mut hints: Vec<KnownHint> = Vec::new();
    for attempt in 0..n.saturating_mul(50) {
        if hints.len() >= n {
            break;
        }
        let Some(of) = types.choose(&mut rng) else { break };
        let wants_meaning = hints.len().is_multiple_of(2);
        let nodes = kg.nodes_of_type(*of);
        let half: Vec<NodeIx> =
            nodes.iter().copied().skip(usize::from(!wants_meaning)).step_by(2).collect();
        let Some(node) = half.choose(&mut rng) else { continue };
        let change = changes[attempt % changes.len()];
        let node_type = kg.schema().node_type(*of).name.clone();
        let Some(hint) = changed(kg, *node, &node_type, change, &mut rng) else { continue };
        // What is a name or an id is found without a measure.
        if !kg.named(&hint).is_empty() || kg.find_id(&hint).is_some() {
            continue;
        }
        let means = wants_meaning.then(|| kg.id(*node).to_owned());
        hints.push(KnownHint { hint, node_type, means, change });
    }
    hints
}

fn changed(
    kg: &Kg,
    node: NodeIx,
    node_type: &str,
    change: HintChange,
    rng: &mut ChaCha8Rng,
) -> Option<String> {
    let name = kg.name(node);
    let mut words: Vec<&str> = name.split_whitespace().collect();
    match change {
        HintChange::Slip => {
            let mut letters: Vec<char> = name.chars().collect();
            if letters.len() < 5 {
                return None;
            }
            let at = rng.random_range(1..letters.len() - 1);
            if rng.random() {
                letters.swap(at, at + 1);
            } else {
                letters.remove(at);
            }
            Some(letters.into_iter().collect())
        }
        HintChange::WordMissing => {
            if words.len() < 2 {
                return None;
            }
            words.remove(rng.random_range(0..words.len()));
            Some(words.join(" "))
        }
        HintChange::WordsTurned => {
            if words.len() < 2 {
                return None;
            }
            words.shuffle(rng);
            Some(words.join(" "))
        }
        HintChange::TypeBefore => Some(format!("the {} {name}", node_type.to_lowercase())),
        HintChange::OutOfText => {
            let texts = texts_of(kg, node);
            let long: Vec<&String> =
                texts.iter().skip(1).filter(|t| t.split_whitespace().count() >= 6).collect();
            let words: Vec<&str> = long.choose(rng)?.split_whitespace().collect();
            let n = rng.random_range(4..=words.len().min(10));
            let start = rng.random_range(0..=words.len() - n);
            Some(words[start..start + n].join(" "))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use kg::generators::{metro, town};

    use super::*;

    #[test]
    fn half_of_the_hints_mean_a_node_of_the_searched_half_and_half_mean_none() {
        for (kg, over) in [(metro(8, 1), FindOver::Names), (town(1), FindOver::Texts)] {
            let kg = kg.unwrap_or_else(|e| panic!("{e}"));
            let half = searched_half(&kg).unwrap_or_else(|e| panic!("{e}"));
            assert!(half.n_nodes() < kg.n_nodes() && half.n_nodes() * 2 >= kg.n_nodes());
            let hints = known_hints(&kg, over, 80, 3);
            assert_eq!(hints.len(), 80);
            assert_eq!(hints.iter().filter(|h| h.means.is_some()).count(), 40);
            for hint in &hints {
                assert!(half.named(&hint.hint).is_empty(), "{hint:?}");
                if let Some(id) = &hint.means {
                    assert!(half.find_id(id).is_some(), "{hint:?}");
                }
            }
            let changes: BTreeSet<HintChange> = hints.iter().map(|h| h.change).collect();
            assert_eq!(changes.len(), if over == FindOver::Names { 4 } else { 1 });
            assert_eq!(known_hints(&kg, over, 80, 3), hints);
        }
    }
}
