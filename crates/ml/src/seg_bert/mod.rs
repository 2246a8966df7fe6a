//! The class of a graph, such as what a molecule does, by SEG-Bert: its nodes as the tokens of a
//! small BERT, in segments where there are many.
//!
//! Paper: Zhang, 2020 (SEG-BERT); Graph-ToolFormer §4.3.3. Departs from the public code: the tag of a
//! node is its atom and not its number, because the number says nothing.

mod net;

use candle_core::{Device, Tensor};
use serde::{Deserialize, Serialize};

pub use net::{Batch, Net};

use crate::layers::{NoDropout, Sizes};
use crate::network::{Codes, Features, Links};
use crate::weights::{self, Array, FileError, ModelFile, Names, bounded, write};
use crate::{MlError, shares};

/// What the file calls the model.
pub const NAME: &str = "seg_bert";
/// Graphs that go through the model together.
const BATCH: usize = 32;

/// What stands in the file beside the tensors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// The classes, in the order of the model's outputs.
    pub labels: Names,
    /// Kinds of nodes, such as atoms: a node's kind is the number of its first feature.
    pub n_tags: usize,
    /// Nodes beyond these are left out.
    pub n_nodes: usize,
    /// Nodes of a segment; `n_nodes` or more for one segment (full input).
    pub segment: usize,
    /// Links of a node beyond these count as so many.
    pub n_degrees: usize,
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
            ("n_tags", self.n_tags, 100_000),
            ("n_nodes", self.n_nodes, 5_000),
            ("segment", self.segment, 5_000),
            ("n_degrees", self.n_degrees, 5_000),
        ] {
            bounded(field, value, limit)?;
        }
        self.sizes.check()
    }

    /// The tags of nodes with these features, from 1; 0 is for what is not known.
    pub fn tags_of(&self, features: &[Features], n: usize) -> Vec<u32> {
        let known = |f: &&(u32, f32)| (f.0 as usize) < self.n_tags;
        let tag = |own: &Features| own.first().filter(known).map_or(0, |f| f.0 + 1);
        let mut all: Vec<u32> = features.iter().map(tag).collect();
        all.resize(n, 0);
        all
    }
}

/// A graph as the model sees it.
#[derive(Clone, Debug)]
pub struct Molecule {
    network: Links,
    tags: Vec<u32>,
    codes: Vec<u32>,
}

impl Molecule {
    /// Of a network with what is known of its nodes.
    pub fn new(config: &Config, network: Links, features: &[Features]) -> Self {
        let tags = config.tags_of(features, network.n_nodes());
        let codes = config.codes.of(&network, &tags);
        Self { network, tags, codes }
    }

    /// How many nodes there are.
    pub fn n_nodes(&self) -> usize {
        self.network.n_nodes()
    }

    /// The same graph with its nodes in another order: the one that was `order[i]` becomes `i`. Each
    /// node should be in `order` once; those that are not are left out.
    pub fn reordered(&self, order: &[usize]) -> Self {
        let of = |all: &[u32]| order.iter().map(|i| all.get(*i).copied().unwrap_or(0)).collect();
        let network = self.network.reordered(order);
        Self { network, tags: of(&self.tags), codes: of(&self.codes) }
    }
}

/// What the model is given of graphs.
///
/// # Errors
/// The tensors cannot be made.
pub fn batch(config: &Config, graphs: &[&Molecule]) -> candle_core::Result<Batch> {
    let length = config.segment.min(config.n_nodes);
    let (mut rows, mut tags, mut degrees, mut codes) = (vec![], vec![], vec![], vec![]);
    let mut seen: Vec<f32> = Vec::new();
    let mut shares: Vec<(usize, Vec<f32>)> = Vec::new();
    for (i, graph) in graphs.iter().enumerate() {
        let n = graph.network.n_nodes().min(config.n_nodes);
        let n_segments = n.div_ceil(length).max(1);
        for segment in 0..n_segments {
            let nodes = segment * length..n.min((segment + 1) * length);
            // A graph without nodes has one empty token, so that there is something to look at.
            let n_seen = nodes.len().max(1);
            let mut share = vec![0.0; length];
            for (place, share) in share.iter_mut().enumerate() {
                let node = nodes.start + place;
                let is_node = node < nodes.end;
                let around = if is_node { graph.network.around(node) } else { &[] };
                let mut row = vec![0.0_f32; config.n_nodes];
                for other in around.iter().filter(|o| (**o as usize) < config.n_nodes) {
                    row[*other as usize] = 1.0;
                }
                rows.extend(row);
                let of = |all: &[u32]| if is_node { all[node] } else { 0 };
                tags.push(of(&graph.tags));
                codes.push(of(&graph.codes));
                degrees.push((around.len() as u32).min(config.n_degrees as u32 - 1));
                seen.push(f32::from(u8::from(place < n_seen)));
                if place < n_seen {
                    *share = 1.0 / (n_seen * n_segments) as f32;
                }
            }
            shares.push((i, share));
        }
    }
    let n_segments = shares.len();
    let n_tokens = n_segments * length;
    let mut pool = vec![0.0_f32; graphs.len() * n_tokens];
    for (segment, (graph, share)) in shares.into_iter().enumerate() {
        let from = graph * n_tokens + segment * length;
        pool[from..from + length].copy_from_slice(&share);
    }
    let device = &Device::Cpu;
    Ok(Batch {
        n_segments,
        length,
        rows: Tensor::from_vec(rows, (n_tokens, config.n_nodes), device)?,
        tags: Tensor::from_vec(tags, n_tokens, device)?,
        degrees: Tensor::from_vec(degrees, n_tokens, device)?,
        codes: Tensor::from_vec(codes, n_tokens, device)?,
        seen: Tensor::from_vec(seen, (n_segments, length), device)?,
        pool: Tensor::from_vec(pool, (graphs.len(), n_tokens), device)?,
    })
}

/// A trained SEG-Bert.
#[derive(Clone, Debug)]
pub struct SegBert {
    /// The data that it learned from.
    pub dataset: String,
    /// Its sizes, and the names of labels.
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

impl SegBert {
    /// Makes it of its file.
    ///
    /// # Errors
    /// The file is not one of such a model.
    pub fn new(file: ModelFile) -> Result<Self, FileError> {
        let (dataset, config, net) = weights::open(file, NAME, Config::check, Net::load)?;
        Ok(Self { dataset, config, net })
    }

    /// Of each graph how likely each class is; together 1.
    ///
    /// # Errors
    /// The model does not compute.
    pub fn predict(&self, graphs: &[&Molecule]) -> Result<Vec<Vec<f32>>, MlError> {
        let mut all = Vec::new();
        for some in graphs.chunks(BATCH) {
            let batch = batch(&self.config, some);
            all.extend(shares(batch.and_then(|b| self.net.forward(&b, &mut NoDropout)))?);
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests;
