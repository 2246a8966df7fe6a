//! Training of the models that calls can ask: what to learn from, how, and what came of it.

mod adam;
mod bert;
mod bpr;
mod card;
mod checkpoint;
mod choice;
mod curves;
pub(crate) mod finetune;
mod graph_bert;
mod kept;
pub(crate) mod labels;
pub(crate) mod learn;
pub(crate) mod lm;
mod numbers;
mod run;
mod seg_bert;
mod settings;
#[cfg(test)]
mod tests;
mod transe;

use anyhow::{Result, bail};
use ml::weights::Array;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use systems::toolformer::data::Data;

pub(crate) use crate::spread::mean_and_deviation;
pub(crate) use card::{Made, card};
pub(crate) use curves::{Line, Panel, curves, drawn};
pub(crate) use numbers::Numbers;
pub(crate) use run::{Ended, Options, Outcome, run};
pub(crate) use settings::numbers_of;

/// Tensors by their names.
pub(crate) type Tensors = Vec<(String, Array)>;

/// How good a model is. Larger is better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Measured {
    /// On the validation set, which the epoch is chosen by.
    pub(crate) valid: f64,
    /// On the test set, which nothing is chosen by.
    pub(crate) test: f64,
    /// The loss on the validation set, where there is one: of epochs that are as good, the one
    /// with the smaller loss is chosen.
    pub(crate) valid_loss: f64,
}

/// Which of the figures a model is told by, and what it is held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Headline {
    /// The name of the figure.
    pub(crate) figure: &'static str,
    /// The name of the same figure of who has learned next to nothing.
    pub(crate) baseline: &'static str,
    /// What that one does.
    pub(crate) baseline_is: &'static str,
    /// What the figure is a share of: it goes on after the per cent.
    pub(crate) measured: &'static str,
}

/// A model with what it is to learn.
pub(crate) trait Experiment {
    /// What is measured: `accuracy`.
    fn metric(&self) -> &'static str;
    /// How many trainings make one figure, such as the folds of a cross-validation.
    fn n_parts(&self) -> usize {
        1
    }
    /// A model that has learned nothing yet.
    fn start(&self, seed: u64, part: usize) -> Result<Box<dyn Trainer + '_>>;
    /// The file of a trained model.
    fn file(&self, weights: &Tensors) -> Result<Vec<u8>>;
    /// Sizes, the split and choices, for the card.
    fn facts(&self) -> Vec<(&'static str, String)>;
    /// What it is told by, in short.
    fn headline(&self) -> Headline;
    /// What was in no training of the model in the file, one a line: a node, a graph, a user and an
    /// item, or a fact, with tabs between.
    fn held_out(&self, part: usize) -> Vec<String>;
    /// The training, validation and test sets, as files for other programs.
    fn split(&self) -> Vec<(&'static str, String)>;
}

/// A model that learns.
pub(crate) trait Trainer {
    /// Learns from every example once, with `rng` as the only source of randomness, and returns the
    /// mean loss. `epoch` counts from 1.
    fn epoch(&mut self, epoch: usize, rng: &mut ChaCha8Rng) -> Result<f64>;
    /// How good it is now.
    fn measure(&mut self) -> Result<Measured>;
    /// What has been learned.
    fn weights(&self) -> Result<Tensors>;
    /// Puts weights in the place of what has been learned.
    fn set_weights(&mut self, weights: &Tensors) -> Result<()>;
    /// What the next epoch needs beside the weights.
    fn state(&self) -> Tensors {
        Vec::new()
    }
    /// Puts it back.
    fn set_state(&mut self, _state: &Tensors) -> Result<()> {
        Ok(())
    }
    /// All that is told of a trained model, with its present weights.
    fn figures(&mut self) -> Result<Vec<(&'static str, f64)>>;
}

/// A random generator for each epoch of each part, so that an epoch is the same whether those before
/// it were run in one go or not. Epoch 0 is where weights come from.
pub(crate) fn epoch_rng(seed: u64, part: usize, epoch: usize) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(((part as u64) << 32) | epoch as u64);
    rng
}

/// The random generator of the split, which does not depend on the seed of a training.
pub(crate) fn split_rng(split: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(split);
    rng.set_stream(u64::MAX);
    rng
}

/// The training of a model on a data set.
pub(crate) fn experiment(
    model: &str,
    dataset: &str,
    data: &Data,
    settings: &Numbers,
) -> Result<Box<dyn Experiment>> {
    Ok(match (model, data) {
        ("graph_bert", Data::Network(network)) => {
            Box::new(graph_bert::GraphBert::new(dataset, network, settings)?)
        }
        ("seg_bert", Data::Set(set)) => Box::new(seg_bert::SegBert::new(dataset, set, settings)?),
        ("bpr", Data::Network(network)) => Box::new(bpr::Bpr::new(dataset, network, settings)?),
        ("transe", Data::Knowledge(kg)) => Box::new(transe::TransE::new(dataset, kg, settings)?),
        ("graph_bert" | "seg_bert" | "bpr" | "transe", _) => bail!(
            "{model} does not learn from data such as {dataset:?}: graph_bert wants papers that cite \
             each other, seg_bert a set of graphs, bpr users with items, transe facts"
        ),
        _ => bail!(
            "there is no model {model:?} to train; there are graph_bert, seg_bert, bpr and transe"
        ),
    })
}
