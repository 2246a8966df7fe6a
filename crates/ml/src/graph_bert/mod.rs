//! The topic of a paper from its words and from the papers around it, by Graph-Bert: a node and those
//! that are closest to it, as the tokens of a small BERT.
//!
//! Paper: Zhang and others, 2020; Graph-ToolFormer §4.3.2.

mod net;

use candle_core::Tensor;
use serde::{Deserialize, Serialize};

pub use net::{Batch, Net, table};

use crate::layers::{NoDropout, Sizes};
use crate::network::{Codes, Features, Links};
use crate::weights::{self, Array, FileError, ModelFile, Names, bounded, write};
use crate::{MlError, shares};

/// What the file calls the model.
pub const NAME: &str = "graph_bert";
/// Papers that go through the model together.
const BATCH: usize = 64;

/// What stands in the file beside the tensors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// The topics, in the order of the model's outputs.
    pub labels: Names,
    /// Features are numbered below this.
    pub n_features: usize,
    /// Nodes of the data that it learned from.
    pub n_nodes: usize,
    /// How many of the closest go with a node.
    pub k: usize,
    /// How close is close: the share of a walk that begins anew.
    pub restart: f64,
    /// Whether the features of a node are normalised to a sum of 1.
    pub is_shared_out: bool,
    /// Steps from here on are as far as no way at all.
    pub n_hops: usize,
    /// Weisfeiler-Lehman colours by their codes.
    pub codes: Codes,
    /// The sizes of the encoder.
    #[serde(flatten)]
    pub sizes: Sizes,
}

impl Config {
    fn check(&self) -> Result<(), FileError> {
        for (field, value, limit) in [
            ("the number of labels", self.labels.len(), 10_000),
            ("n_features", self.n_features, 1_000_000),
            ("k", self.k, 500),
            ("n_hops", self.n_hops, 10_000),
        ] {
            bounded(field, value, limit)?;
        }
        self.sizes.check()?;
        if !(0.001..1.0).contains(&self.restart) {
            let reason = format!("restart is {}; it should be from 0.001 to below 1", self.restart);
            return Err(FileError::Config { reason });
        }
        Ok(())
    }
}

/// A node in the sequence of another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContextNode {
    /// The place of the node in the network.
    pub node: u32,
    /// How close it is.
    pub intimacy: f64,
    /// How many steps away; nothing where there is no way.
    pub hops: Option<usize>,
}

/// A network as the model sees it.
#[derive(Clone, Debug)]
pub struct Papers {
    network: Links,
    features: Vec<Features>,
    codes: Vec<u32>,
}

impl Papers {
    /// Of a network with what is known of each node. Features that the model does not know are left
    /// out.
    pub fn new(config: &Config, network: Links, mut features: Vec<Features>) -> Self {
        features.resize(network.n_nodes(), Features::new());
        for own in &mut features {
            own.retain(|(f, _)| (*f as usize) < config.n_features);
            let sum: f32 = own.iter().map(|(_, x)| x.abs()).sum();
            if config.is_shared_out && sum > 0.0 {
                own.iter_mut().for_each(|(_, x)| *x /= sum);
            }
        }
        let codes = config.codes.of(&network, &vec![1; network.n_nodes()]);
        Self { network, features, codes }
    }

    /// A node and those that are closest to it. Where fewer than `k` can be reached, the node itself
    /// fills the places, where the paper's code takes whatever nodes come first.
    pub fn sequence(&self, config: &Config, node: usize) -> Vec<ContextNode> {
        let own = ContextNode { node: node as u32, intimacy: 0.0, hops: Some(0) };
        let closest = self.network.closest(node, config.k, config.restart);
        let nodes: Vec<u32> = closest.iter().map(|c| c.0).collect();
        let hops = self.network.hops(node, &nodes);
        let others = closest.into_iter().zip(hops).map(|((node, intimacy), hops)| ContextNode {
            node,
            intimacy,
            hops,
        });
        let mut all: Vec<ContextNode> = std::iter::once(own).chain(others).collect();
        all.resize(config.k + 1, own);
        all
    }

    /// What the model is given of nodes, each with its sequence.
    ///
    /// # Errors
    /// The tensors cannot be made.
    pub fn batch(
        &self,
        config: &Config,
        sequences: &[Vec<ContextNode>],
    ) -> candle_core::Result<Batch> {
        let row = |features: &Features| {
            let mut row = vec![0.0_f32; config.n_features];
            for (f, x) in features.iter().filter(|(f, _)| (*f as usize) < config.n_features) {
                row[*f as usize] = *x;
            }
            row
        };
        let mut nodes: Vec<u32> = sequences.iter().flatten().map(|m| m.node).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let at = |node: u32| nodes.binary_search(&node).unwrap_or(0) as u32;
        let none = Features::new();
        let own = |n: &u32| row(self.features.get(*n as usize).unwrap_or(&none));
        let raw: Vec<f32> = nodes.iter().flat_map(own).collect();
        let mixed: Vec<f32> = sequences
            .iter()
            .flat_map(|s| row(&self.network.mixed(s[0].node as usize, &self.features)))
            .collect();
        let members = || sequences.iter().flatten();
        let far = config.n_hops as u32 - 1;
        let hop = |m: &ContextNode| m.hops.map_or(far, |h| (h as u32).min(far));
        let code = |m: &ContextNode| self.codes.get(m.node as usize).copied().unwrap_or(0);
        let ranks = sequences.iter().flat_map(|s| 0..s.len() as u32).collect();
        let device = &candle_core::Device::Cpu;
        let whole = |all: Vec<u32>| {
            let n = all.len();
            Tensor::from_vec(all, n, device)
        };
        Ok(Batch {
            n: sequences.len(),
            raw: Tensor::from_vec(raw, (nodes.len(), config.n_features), device)?,
            mixed: Tensor::from_vec(mixed, (sequences.len(), config.n_features), device)?,
            at: whole(members().map(|m| at(m.node)).collect())?,
            codes: whole(members().map(code).collect())?,
            ranks: whole(ranks)?,
            hops: whole(members().map(hop).collect())?,
        })
    }
}

/// What the model says of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// Of each label how likely it is; together 1.
    pub shares: Vec<f32>,
    /// What it looked at: the node and those that are closest to it.
    pub sequence: Vec<ContextNode>,
}

impl Prediction {
    /// The likeliest label, the first where two are as likely.
    pub fn label(&self) -> usize {
        let better =
            |best: usize, i: usize| if self.shares[i] > self.shares[best] { i } else { best };
        (0..self.shares.len()).fold(0, better)
    }
}

/// A trained Graph-Bert.
#[derive(Clone, Debug)]
pub struct GraphBert {
    /// The data that it learned from.
    pub dataset: String,
    /// Its sizes, and the names of labels and features.
    pub config: Config,
    net: Net,
}

/// Writes the file of a model.
///
/// # Errors
/// The tensors are not those of the config.
pub fn file(
    dataset: &str,
    config: &Config,
    tensors: &[(String, Array)],
) -> Result<Vec<u8>, FileError> {
    write(NAME, dataset, config, tensors)
}

impl GraphBert {
    /// Makes it of its file.
    ///
    /// # Errors
    /// The file is not one of such a model.
    pub fn new(file: ModelFile) -> Result<Self, FileError> {
        let (dataset, config, net) = weights::open(file, NAME, Config::check, Net::load)?;
        Ok(Self { dataset, config, net })
    }

    /// What it says of nodes. O(links) for each, and the network's sizes.
    ///
    /// # Errors
    /// The model does not compute.
    pub fn predict(&self, papers: &Papers, nodes: &[usize]) -> Result<Vec<Prediction>, MlError> {
        let mut all = Vec::new();
        for some in nodes.chunks(BATCH) {
            let sequences: Vec<Vec<ContextNode>> =
                some.iter().map(|n| papers.sequence(&self.config, *n)).collect();
            let batch = papers.batch(&self.config, &sequences);
            let shares = shares(batch.and_then(|b| self.net.forward(&b, &mut NoDropout)))?;
            let predicted = |(shares, sequence)| Prediction { shares, sequence };
            all.extend(shares.into_iter().zip(sequences).map(predicted));
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests;
