//! Learning the topics of papers.
//!
//! Paper: Graph-Bert §4; the split is by rows, as the public code has it.

use std::collections::{BTreeSet, HashMap};

use anyhow::{Result, bail};
use candle_core::DType;
use ml::graph_bert::{Config, ContextNode, Net, Papers, file};
use ml::layers::Seeded;
use ml::network::{Codes, Links};
use ml::weights::Names;
use rand_chacha::ChaCha8Rng;
use systems::toolformer::data::Network;

use super::bert::{HEADLINE, Learning, Parts, sizes};
use super::bpr::shuffle;
use super::{Experiment, Headline, Numbers, Tensors, Trainer, split_rng};

/// Steps that are told apart; the last is for no way at all.
const N_HOPS: usize = 100;
/// How close is close: the share of a walk that begins anew.
const RESTART: f64 = 0.15;

/// Papers with their topics.
pub(crate) struct GraphBert {
    dataset: String,
    config: Config,
    settings: Numbers,
    papers: Papers,
    /// Of each paper its sequence; empty where none is needed.
    sequences: Vec<Vec<ContextNode>>,
    classes: Vec<u32>,
    names: Vec<String>,
    parts: Parts,
}

/// Links between nodes, by their places.
pub(super) fn links(network: &Network) -> Links {
    let place: HashMap<_, usize> = network.graph.names().zip(0..).collect();
    let ends = network
        .graph
        .edges()
        .filter_map(|e| Some((place.get(e.source).copied()?, place.get(e.target).copied()?)));
    Links::new(network.graph.n_nodes(), ends.collect::<Vec<_>>())
}

impl GraphBert {
    pub(crate) fn new(dataset: &str, network: &Network, settings: &Numbers) -> Result<Self> {
        let n = network.graph.n_nodes();
        let labels: BTreeSet<&String> = network.labels.iter().flatten().collect();
        if labels.len() < 2 || network.features.is_empty() {
            bail!(
                "{dataset}: its nodes should have features and at least two classes; {} classes are \
                 there",
                labels.len()
            );
        }
        let labels = Names::try_from(labels.into_iter().cloned().collect::<Vec<_>>())
            .map_err(anyhow::Error::msg)?;
        let class = |i: usize| network.labels.get(i)?.as_deref().and_then(|l| labels.place(l));
        let classes: Vec<Option<usize>> = (0..n).map(class).collect();
        let parts = split(&classes, labels.len(), settings);
        let links = links(network);
        let n_features =
            network.features.iter().flatten().map(|(f, _)| *f as usize + 1).max().unwrap_or(1);
        let config = Config {
            n_features,
            n_nodes: n,
            k: settings.count("k").max(1),
            restart: RESTART,
            is_shared_out: settings.get("share") > 0.0,
            n_hops: N_HOPS,
            codes: Codes::learn(&[(&links, &vec![1; n])], settings.count("rounds")),
            sizes: sizes(settings),
            labels,
        };
        let papers = Papers::new(&config, links, network.features.clone());
        let mut sequences = vec![Vec::new(); n];
        for i in parts.train.iter().chain(&parts.valid).chain(&parts.test) {
            sequences[*i] = papers.sequence(&config, *i);
        }
        let classes = classes.into_iter().map(|c| c.unwrap_or(0) as u32).collect();
        let names = network.graph.names().map(ToString::to_string).collect();
        let (dataset, settings) = (dataset.to_owned(), settings.clone());
        Ok(Self { dataset, config, settings, papers, sequences, classes, names, parts })
    }
}

/// By rows where the settings say so, else at random with 20 of each class to learn from. What has no
/// class is in no part.
fn split(classes: &[Option<usize>], n_classes: usize, settings: &Numbers) -> Parts {
    let has_class = |i: &usize| classes.get(*i).is_some_and(Option::is_some);
    let rows = |from: &str, to: &str| -> Vec<usize> {
        (settings.count(from)..settings.count(to)).filter(has_class).collect()
    };
    if settings.count("train_to") > 0 {
        return Parts {
            train: (0..settings.count("train_to")).filter(has_class).collect(),
            valid: rows("valid_from", "valid_to"),
            test: rows("test_from", "test_to"),
        };
    }
    let mut all: Vec<usize> = (0..classes.len()).filter(has_class).collect();
    shuffle(&mut all, &mut split_rng(settings.count("split") as u64));
    let mut parts = Parts::default();
    let (mut of_class, mut rest) = (vec![0; n_classes], Vec::new());
    let each = 20.min(all.len() / (2 * n_classes.max(1))).max(1);
    for i in all {
        match classes[i] {
            Some(class) if of_class[class] < each => {
                of_class[class] += 1;
                parts.train.push(i);
            }
            _ => rest.push(i),
        }
    }
    let n_valid = (rest.len() / 3).min(500);
    parts.test = rest.split_off(n_valid);
    parts.test.truncate(1000);
    parts.valid = rest;
    parts
}

impl Experiment for GraphBert {
    fn metric(&self) -> &'static str {
        "accuracy"
    }

    fn start(&self, seed: u64, _part: usize) -> Result<Box<dyn Trainer + '_>> {
        let vars = Seeded::new(seed);
        let net = Net::load(&self.config, &vars.builder(DType::F32))?;
        let make = |some: &[usize], _: Option<&mut ChaCha8Rng>| {
            let sequences: Vec<Vec<ContextNode>> =
                some.iter().map(|i| self.sequences[*i].clone()).collect();
            self.papers.batch(&self.config, &sequences)
        };
        let learning = Learning::new(
            &self.settings,
            &vars,
            self.parts.clone(),
            &self.classes,
            Box::new(make),
            Box::new(move |batch, noise| net.forward(batch, noise)),
        )?;
        Ok(Box::new(learning))
    }

    fn file(&self, weights: &Tensors) -> Result<Vec<u8>> {
        Ok(file(&self.dataset, &self.config, weights)?)
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let how = match self.settings.count("train_to") {
            0 => "at random",
            _ => "by rows, as the public code has it",
        };
        let Parts { train, valid, test } = &self.parts;
        vec![
            ("Classes", self.config.labels.iter().collect::<Vec<_>>().join(", ")),
            ("Nodes", self.config.n_nodes.to_string()),
            ("Features", self.config.n_features.to_string()),
            (
                "Split",
                format!(
                    "{how}: {} papers to learn from, {} to choose the epoch by, {} in the test",
                    train.len(),
                    valid.len(),
                    test.len()
                ),
            ),
        ]
    }

    fn headline(&self) -> Headline {
        Headline { measured: "of held-out papers", ..HEADLINE }
    }

    fn held_out(&self, _: usize) -> Vec<String> {
        self.parts.test.iter().map(|i| self.names[*i].clone()).collect()
    }

    fn split(&self) -> Vec<(&'static str, String)> {
        let Parts { train, valid, test } = &self.parts;
        let line = |i: &usize| {
            let label = self.config.labels.at(self.classes[*i] as usize);
            format!("{}\t{label}\n", self.names[*i])
        };
        let text = |all: &[usize]| all.iter().map(line).collect();
        vec![("train.tsv", text(train)), ("valid.tsv", text(valid)), ("test.tsv", text(test))]
    }
}
