//! Colours nodes by their neighbourhoods (Weisfeiler-Lehman).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Links;

/// The most colours of a round.
const MAX_CODES: usize = 100_000;

/// The Weisfeiler-Lehman refinement with the codes of its colours in the training data, so that later
/// nodes get the same ones. Code 0 is for a neighbourhood that the training data do not have.
///
/// Paper: Graph-Bert §3.3.1. The public code hashes; numbering the neighbourhoods in their order
/// colours the nodes in the same way and needs no hash.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Vec<Vec<u32>>>", into = "Vec<Vec<Vec<u32>>>")]
pub struct Codes {
    /// Of each round the neighbourhoods: a node's own code, and those of its neighbours, in order.
    rounds: Vec<BTreeMap<Vec<u32>, u32>>,
}

impl Codes {
    /// Learns the codes of networks whose nodes have these first codes (1 where they are all alike).
    pub fn learn(networks: &[(&Links, &[u32])], n_rounds: usize) -> Self {
        let mut codes = Self::default();
        let mut now: Vec<Vec<u32>> = networks.iter().map(|(_, first)| first.to_vec()).collect();
        for _ in 0..n_rounds {
            let mut round = BTreeMap::new();
            for ((network, _), own) in networks.iter().zip(&now) {
                for node in 0..network.n_nodes() {
                    round.insert(neighbourhood(network, own, node), 0);
                }
            }
            for (i, code) in round.values_mut().enumerate() {
                *code = i as u32 + 1;
            }
            for ((network, _), own) in networks.iter().zip(&mut now) {
                *own = refined(network, own, &round);
            }
            codes.rounds.push(round);
        }
        codes
    }

    /// The codes of a network's nodes.
    pub fn of(&self, network: &Links, first: &[u32]) -> Vec<u32> {
        let mut now = first.to_vec();
        now.resize(network.n_nodes(), 0);
        for round in &self.rounds {
            now = refined(network, &now, round);
        }
        now
    }

    /// How many codes there are, with 0.
    pub fn n_codes(&self) -> usize {
        self.rounds.last().map_or(2, |r| r.len() + 1)
    }
}

fn neighbourhood(network: &Links, own: &[u32], node: usize) -> Vec<u32> {
    let mut all: Vec<u32> = network.around(node).iter().map(|i| own[*i as usize]).collect();
    all.sort_unstable();
    all.insert(0, own[node]);
    all
}

fn refined(network: &Links, own: &[u32], round: &BTreeMap<Vec<u32>, u32>) -> Vec<u32> {
    let code = |node| round.get(&neighbourhood(network, own, node)).copied().unwrap_or(0);
    (0..network.n_nodes()).map(code).collect()
}

impl TryFrom<Vec<Vec<Vec<u32>>>> for Codes {
    type Error = String;

    fn try_from(all: Vec<Vec<Vec<u32>>>) -> Result<Self, String> {
        let mut rounds = Vec::new();
        for list in all {
            if list.len() > MAX_CODES {
                return Err(format!("a round has {} codes; at most {MAX_CODES}", list.len()));
            }
            if !list.is_sorted_by(|a, b| a < b) {
                return Err("the neighbourhoods of a round must be sorted, each once".into());
            }
            let numbered = list.into_iter().zip(1..);
            rounds.push(numbered.collect());
        }
        Ok(Self { rounds })
    }
}

impl From<Codes> for Vec<Vec<Vec<u32>>> {
    fn from(codes: Codes) -> Self {
        codes.rounds.into_iter().map(|r| r.into_keys().collect()).collect()
    }
}
