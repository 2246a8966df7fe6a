//! Learning the classes of graphs, by cross-validation.
//!
//! Paper: SEG-BERT §4; ten folds with as many of each class. Departs from the public code, which has
//! no part to choose an epoch by: here one of the nine other folds is that.

use std::collections::BTreeSet;

use anyhow::{Result, bail};
use candle_core::DType;
use ml::layers::Seeded;
use ml::network::Codes;
use ml::seg_bert::{Config, Molecule, Net, batch, file};
use ml::weights::Names;
use rand_chacha::ChaCha8Rng;
use systems::toolformer::data::{Data, Member};
use systems::toolformer::generators::molecules;

use super::bert::{HEADLINE, Learning, Parts, sizes};
use super::bpr::shuffle;
use super::graph_bert::links;
use super::{Experiment, Headline, Numbers, Tensors, Trainer, split_rng};

/// The seed of the molecules to learn from; that of the data set is another.
const MADE_SEED: u64 = 20_261;

/// Graphs with their classes.
pub(crate) struct SegBert {
    dataset: String,
    config: Config,
    settings: Numbers,
    graphs: Vec<Molecule>,
    classes: Vec<u32>,
    names: Vec<String>,
    folds: Vec<Vec<usize>>,
    /// How many of the first graphs are the data set; all, but where others were made to learn from.
    n_own: usize,
}

impl SegBert {
    pub(crate) fn new(dataset: &str, set: &[Member], settings: &Numbers) -> Result<Self> {
        let n_made = settings.count("made");
        if n_made > 0 && dataset != "molecules" {
            bail!("{dataset}: only molecules can be made; leave made at 0");
        }
        let made = match molecules::make(n_made, MADE_SEED)? {
            Data::Set(made) => made,
            _ => Vec::new(),
        };
        let n_own = set.iter().filter(|m| m.label.is_some()).count();
        let known: Vec<&Member> = set.iter().chain(&made).filter(|m| m.label.is_some()).collect();
        let labels: BTreeSet<&String> = known.iter().filter_map(|m| m.label.as_ref()).collect();
        let n_folds = settings.count("folds").max(3);
        if labels.len() < 2 || known.len() < n_folds {
            bail!(
                "{dataset}: at least {n_folds} graphs of two classes are needed; {} graphs of {} \
                 classes are there",
                known.len(),
                labels.len()
            );
        }
        let labels = Names::try_from(labels.into_iter().cloned().collect::<Vec<_>>())
            .map_err(anyhow::Error::msg)?;
        let class = |m: &&Member| m.label.as_deref().and_then(|l| labels.place(l)).unwrap_or(0);
        let classes: Vec<u32> = known.iter().map(|m| class(m) as u32).collect();
        let features = || known.iter().flat_map(|m| m.network.features.iter().flatten());
        let networks: Vec<_> = known.iter().map(|m| links(&m.network)).collect();
        let most = networks.iter().map(|n| n.n_nodes()).max().unwrap_or(1).max(1);
        let degrees = networks.iter().flat_map(|n| (0..n.n_nodes()).map(|i| n.around(i).len()));
        let limit = match settings.count("nodes") {
            0 => most,
            n => n.min(most),
        };
        let mut config = Config {
            n_tags: features().map(|(f, _)| *f as usize + 1).max().unwrap_or(1),
            n_nodes: limit,
            segment: match settings.count("segment") {
                0 => limit,
                n => n,
            },
            n_degrees: degrees.max().unwrap_or(0) + 1,
            codes: Codes::default(),
            sizes: sizes(settings),
            labels,
        };
        let tags: Vec<Vec<u32>> = known
            .iter()
            .zip(&networks)
            .map(|(m, n)| config.tags_of(&m.network.features, n.n_nodes()))
            .collect();
        let tagged: Vec<_> = networks.iter().zip(tags.iter().map(Vec::as_slice)).collect();
        config.codes = Codes::learn(&tagged, settings.count("rounds"));
        let graphs = known
            .iter()
            .zip(networks)
            .map(|(m, n)| Molecule::new(&config, n, &m.network.features))
            .collect();
        // One in ten of those that were made chooses the epoch.
        let folds = match n_made {
            0 => folds(&classes, n_folds, settings.count("split") as u64),
            n => vec![
                (0..n_own).collect(),
                (n_own..n_own + n / 10).collect(),
                (n_own + n / 10..n_own + n).collect(),
            ],
        };
        let named = |(i, m): (usize, &&Member)| {
            if i < n_own { m.name.clone() } else { format!("made {}", m.name) }
        };
        let names = known.iter().enumerate().map(named).collect();
        let (dataset, settings) = (dataset.to_owned(), settings.clone());
        Ok(Self { dataset, config, settings, graphs, classes, names, folds, n_own })
    }

    fn parts(&self, part: usize) -> Parts {
        let n = self.folds.len();
        let (test, valid) = (part % n, (part + 1) % n);
        let rest = (0..n).filter(|f| *f != test && *f != valid);
        Parts {
            train: rest.flat_map(|f| self.folds[f].clone()).collect(),
            valid: self.folds[valid].clone(),
            test: self.folds[test].clone(),
        }
    }
}

/// Folds with as many of each class as can be.
fn folds(classes: &[u32], n_folds: usize, seed: u64) -> Vec<Vec<usize>> {
    let mut rng = split_rng(seed);
    let mut folds = vec![Vec::new(); n_folds];
    let all: BTreeSet<u32> = classes.iter().copied().collect();
    let mut next = 0;
    for class in all {
        let mut these: Vec<usize> = (0..classes.len()).filter(|i| classes[*i] == class).collect();
        shuffle(&mut these, &mut rng);
        for i in these {
            folds[next % n_folds].push(i);
            next += 1;
        }
    }
    folds
}

impl Experiment for SegBert {
    fn metric(&self) -> &'static str {
        "accuracy"
    }

    fn n_parts(&self) -> usize {
        if self.settings.count("made") > 0 { 1 } else { self.folds.len() }
    }

    fn start(&self, seed: u64, part: usize) -> Result<Box<dyn Trainer + '_>> {
        let vars = Seeded::new(seed.wrapping_mul(1_000_003).wrapping_add(part as u64));
        let net = Net::load(&self.config, &vars.builder(DType::F32))?;
        let is_shuffled = self.settings.get("shuffle") > 0.0;
        let make = move |some: &[usize], rng: Option<&mut ChaCha8Rng>| {
            let graphs = some.iter().map(|i| &self.graphs[*i]);
            let Some(rng) = rng.filter(|_| is_shuffled) else {
                return batch(&self.config, &graphs.collect::<Vec<_>>());
            };
            let mut reordered = |graph: &Molecule| {
                let mut order: Vec<usize> = (0..graph.n_nodes()).collect();
                shuffle(&mut order, rng);
                graph.reordered(&order)
            };
            let graphs: Vec<Molecule> = graphs.map(&mut reordered).collect();
            batch(&self.config, &graphs.iter().collect::<Vec<_>>())
        };
        let learning = Learning::new(
            &self.settings,
            &vars,
            self.parts(part),
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
        let Parts { train, valid, test } = self.parts(0);
        vec![
            ("Classes", self.config.labels.iter().collect::<Vec<_>>().join(", ")),
            ("Graphs", self.n_own.to_string()),
            (
                "Split",
                if self.settings.count("made") > 0 {
                    format!(
                        "the {} graphs of the data set are the test; {} others, made from another \
                         seed, to learn from, {} to choose the epoch by",
                        test.len(),
                        train.len(),
                        valid.len()
                    )
                } else {
                    format!(
                        "{} folds with as many of each class; in each training one is the test and the \
                     next one chooses the epoch: {} graphs to learn from, {} and {} in the first",
                        self.folds.len(),
                        train.len(),
                        valid.len(),
                        test.len()
                    )
                },
            ),
        ]
    }

    fn headline(&self) -> Headline {
        let measured = match self.settings.count("made") {
            0 => "of held-out graphs, in the mean over the folds",
            _ => "of held-out graphs",
        };
        Headline { measured, ..HEADLINE }
    }

    fn held_out(&self, part: usize) -> Vec<String> {
        self.parts(part).test.into_iter().map(|i| self.names[i].clone()).collect()
    }

    fn split(&self) -> Vec<(&'static str, String)> {
        let line = |(fold, i): (usize, &usize)| {
            let label = self.config.labels.at(self.classes[*i] as usize);
            format!("{}\t{label}\t{fold}\n", self.names[*i])
        };
        let all =
            self.folds.iter().enumerate().flat_map(|(f, all)| all.iter().map(move |i| (f, i)));
        vec![("folds.tsv", all.map(line).collect())]
    }
}
