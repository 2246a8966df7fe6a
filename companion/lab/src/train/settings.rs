//! The hyperparameters of a training: good defaults, and what a person sets.

use anyhow::{Result, bail};

use super::Numbers;

/// A hyperparameter.
struct Setting {
    name: &'static str,
    what: &'static str,
    /// Where nothing else is said.
    usual: f64,
    /// In data sets that want another.
    of: &'static [(&'static str, f64)],
}

const fn setting(name: &'static str, what: &'static str, usual: f64) -> Setting {
    Setting { name, what, usual, of: &[] }
}

const fn setting_of(
    name: &'static str,
    what: &'static str,
    usual: f64,
    of: &'static [(&'static str, f64)],
) -> Setting {
    Setting { name, what, usual, of }
}

/// What every training has.
static COMMON: &[Setting] =
    &[setting("split", "seed of the split into training, validation and test", 1.0)];

/// What `window` is.
const WINDOW: &str = "measurements in a row whose mean chooses the epoch";

static BPR: &[Setting] = &[
    setting_of("epochs", "epochs at most", 100.0, &[("films", 400.0)]),
    setting_of(
        "patience",
        "epochs without a better one after which it ends; 0 for none",
        20.0,
        &[("films", 40.0)],
    ),
    setting("every", "epochs between two measurements", 1.0),
    setting("window", WINDOW, 1.0),
    setting_of("dims", "embedding dimension", 32.0, &[("films", 4.0)]),
    setting("lr", "learning rate", 0.05),
    setting_of("reg", "L2 regularisation", 0.01, &[("films", 0.1)]),
    setting("init", "standard deviation of the initial embeddings", 0.1),
    setting("test", "test items of a user, at most half of them", 10.0),
    setting("valid", "validation items of a user, at most a quarter of the rest", 5.0),
    setting_of(
        "by_time",
        "1 to split by time: a user's last items are the test; 0 to split at random",
        0.0,
        &[("movielens", 1.0), ("amazon", 1.0)],
    ),
];

static TRANSE: &[Setting] = &[
    setting_of("epochs", "epochs at most", 1000.0, &[("wordnet", 5000.0), ("family", 600.0)]),
    setting_of(
        "patience",
        "epochs without a better one after which it ends; 0 for none",
        100.0,
        &[("wordnet", 0.0), ("family", 0.0)],
    ),
    setting_of("every", "epochs between two measurements", 10.0, &[("wordnet", 500.0)]),
    setting("window", WINDOW, 1.0),
    setting_of("dims", "embedding dimension", 20.0, &[("family", 10.0)]),
    setting_of("lr", "learning rate", 0.01, &[("family", 0.03)]),
    setting_of(
        "anneal",
        "1 to let the learning rate fall to 0 at the last epoch",
        0.0,
        &[("wordnet", 1.0), ("family", 1.0)],
    ),
    setting_of("margin", "margin to a negative triple", 1.0, &[("wordnet", 2.0), ("family", 2.0)]),
    setting("relation", "share of negative triples with another relation, 0 to 1", 0.1),
    setting_of("norm", "norm of distances: 1 or 2", 1.0, &[("family", 2.0)]),
    setting("test", "test triples, at most a tenth", 5000.0),
    setting("valid", "validation triples, at most a tenth", 5000.0),
    setting("sample", "validation triples that are measured at each measurement in between", 500.0),
    setting("apart", "1 to put all triples between the same two entities into the same part", 0.0),
];

static GRAPH_BERT: &[Setting] = &[
    setting_of(
        "epochs",
        "epochs at most",
        500.0,
        &[("cora", 150.0), ("citeseer", 150.0), ("pubmed", 300.0)],
    ),
    setting("patience", "epochs without a better one after which it ends; 0 for none", 0.0),
    setting_of("every", "epochs between two measurements", 3.0, &[("pubmed", 10.0)]),
    setting("window", WINDOW, 5.0),
    setting_of(
        "lr",
        "learning rate",
        0.001,
        &[("cora", 0.01), ("citeseer", 0.01), ("pubmed", 0.003)],
    ),
    setting("decay", "weight decay", 5e-4),
    setting("dropout", "dropout rate, 0 to 1", 0.5),
    setting("attention_dropout", "dropout rate of the attention weights, 0 to 1", 0.3),
    setting("hidden", "hidden size", 32.0),
    setting("heads", "attention heads", 2.0),
    setting("layers", "layers", 2.0),
    setting_of("k", "context nodes of a node", 7.0, &[("citeseer", 5.0), ("pubmed", 30.0)]),
    setting("rounds", "Weisfeiler-Lehman iterations", 1.0),
    setting("share", "1 to normalise the features of a node to a sum of 1", 0.0),
    setting("batch", "batch size in nodes; 0 for all at once", 0.0),
    setting_of(
        "train_to",
        "row at which the training nodes end; 0 to split at random",
        0.0,
        &[("cora", 140.0), ("citeseer", 120.0), ("pubmed", 60.0)],
    ),
    setting_of("valid_from", "first row of the validation nodes", 1200.0, &[("pubmed", 6000.0)]),
    setting_of("valid_to", "row at which the validation nodes end", 1500.0, &[("pubmed", 6300.0)]),
    setting_of("test_from", "first row of the test nodes", 200.0, &[("pubmed", 6300.0)]),
    setting_of("test_to", "row at which the test nodes end", 1200.0, &[("pubmed", 7300.0)]),
];

static SEG_BERT: &[Setting] = &[
    setting_of("epochs", "epochs at most", 500.0, &[("mutag", 200.0), ("molecules", 40.0)]),
    setting("patience", "epochs without a better one after which it ends; 0 for none", 0.0),
    setting_of("every", "epochs between two measurements", 5.0, &[("molecules", 2.0)]),
    setting_of("window", WINDOW, 5.0, &[("molecules", 3.0)]),
    setting_of("lr", "learning rate", 5e-4, &[("mutag", 0.002), ("molecules", 0.001)]),
    setting("decay", "weight decay", 5e-4),
    setting("dropout", "dropout rate, 0 to 1", 0.5),
    setting("attention_dropout", "dropout rate of the attention weights, 0 to 1", 0.3),
    setting("hidden", "hidden size", 32.0),
    setting("heads", "attention heads", 2.0),
    setting("layers", "layers", 2.0),
    setting_of("rounds", "Weisfeiler-Lehman iterations", 2.0, &[("mutag", 1.0)]),
    setting("nodes", "most nodes of a graph that are read; 0 for all", 0.0),
    setting_of("segment", "nodes of a segment; 0 for one segment", 20.0, &[("mutag", 0.0)]),
    setting("batch", "batch size in graphs; 0 for all at once", 32.0),
    setting_of(
        "shuffle",
        "1 to shuffle the nodes of a graph in each epoch",
        0.0,
        &[("mutag", 1.0)],
    ),
    setting("folds", "folds of the cross-validation", 10.0),
    setting_of(
        "made",
        "molecules made to learn from, so that those of the data set are all test; 0 for folds",
        0.0,
        &[("molecules", 3000.0)],
    ),
];

fn of_model(model: &str) -> Option<&'static [Setting]> {
    match model {
        "graph_bert" => Some(GRAPH_BERT),
        "seg_bert" => Some(SEG_BERT),
        "bpr" => Some(BPR),
        "transe" => Some(TRANSE),
        _ => None,
    }
}

/// The numbers of a model's training for a data set, with what a person sets: `lr=0.01`.
pub(crate) fn numbers_of(model: &str, dataset: &str, given: &[String]) -> Result<Numbers> {
    let Some(own) = of_model(model) else {
        bail!(
            "there is no model {model:?} to train; there are graph_bert, seg_bert, bpr and transe"
        );
    };
    let usual = |s: &Setting| {
        let own = s.of.iter().find(|(name, _)| *name == dataset);
        (s.name, s.what, own.map_or(s.usual, |(_, x)| *x))
    };
    Numbers::new(COMMON.iter().chain(own).map(usual), given)
}
