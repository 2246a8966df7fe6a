//! Runs that are not right, sorted by people: which class of failure each is, reader by reader.
//!
//! Paper: GraphRunner §4.4 and Table 2, where a person sorts each failure. Rules sort them, too; here
//! both stand beside each other, with how often they agree.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use systems::experiment::{Experiment, Score};
use tasks::Verdict;

use crate::report::Report;
use crate::stats::{kappa, wilson};
use crate::tables::{Line, Table, bounds, percent};
use crate::{Key, Runs};

/// The class of a run whose answer a reader calls right.
pub const RIGHT: &str = "right";
/// What a reader who took a label back says.
pub const NONE: &str = "";
/// The most letters of a reader's name.
pub const MAX_READER: usize = 60;

/// What one reader says that a run is. A later one of the same reader about the same run takes its
/// place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReaderLabel {
    /// The run that it is about.
    pub key: Key,
    /// Who says so, in a name of their own.
    pub reader: String,
    /// The id of a class of failures of the experiment, [`RIGHT`], or [`NONE`].
    pub class: String,
    /// When, in milliseconds since 1970; 0 where there was no clock.
    #[serde(default)]
    pub at_ms: f64,
}

/// The classes that a run of an experiment can be sorted into: ids with titles; [`RIGHT`] is the last.
/// Empty where the experiment has none.
pub fn classes_of(experiment: &dyn Experiment) -> Vec<(&'static str, &'static str)> {
    let ids = experiment.failure_classes();
    if ids.is_empty() {
        return Vec::new();
    }
    let title = |id: &&'static str| {
        let measure = experiment.measures().iter().find(|m| m.id == *id);
        (*id, measure.map_or(*id, |m| m.title))
    };
    ids.iter().map(title).chain([(RIGHT, "The answer is right")]).collect()
}

/// The class into which rules sorted a run; none where its answer is right, or where they sort none.
pub fn class_by_rules(experiment: &dyn Experiment, score: &Score) -> Option<&'static str> {
    if score.verdict == Verdict::Correct {
        return None;
    }
    let is_of = |id: &&&'static str| score.measures.get(**id).is_some_and(|v| *v > 0.0);
    experiment.failure_classes().iter().find(is_of).copied()
}

impl<T> Runs<T> {
    /// What each reader says, by reader and run; labels that were taken back are left out.
    pub fn labels_by_reader(&self) -> BTreeMap<&str, BTreeMap<&Key, &str>> {
        let mut by_reader: BTreeMap<&str, BTreeMap<&Key, &str>> = BTreeMap::new();
        for label in self.labels.values().filter(|label| label.class != NONE) {
            by_reader.entry(&label.reader).or_default().insert(&label.key, &label.class);
        }
        by_reader
    }
}

/// What the rules are called beside readers.
const RULES: &str = "the rules";

impl Report {
    /// How readers sorted the runs that are not right, beside the rules, and how often every two of
    /// them agree. Nothing where nobody sorted any.
    ///
    /// O(labels · log + readers² · runs).
    pub(crate) fn label_tables<T>(&self, runs: &Runs<T>) -> Vec<Table> {
        let by_reader = runs.labels_by_reader();
        let experiments = self.experiments().into_iter();
        let tables = experiments.flat_map(|experiment| {
            let classes = classes_of(experiment);
            let of = |run: &&crate::RunEntry<T>| {
                let setup = runs.setups.get(&run.key.setup);
                setup.is_some_and(|s| s.experiment == experiment.id())
            };
            let failed: BTreeMap<&Key, &str> = runs
                .runs
                .iter()
                .filter(of)
                .filter_map(|run| Some((&run.key, class_by_rules(experiment, &run.score)?)))
                .collect();
            // A label of a run that is right by now is about another verdict.
            let mut sorted: Vec<(&str, BTreeMap<&Key, &str>)> = by_reader
                .iter()
                .map(|(reader, labels)| {
                    let labels = labels.iter().filter(|(key, _)| failed.contains_key(**key));
                    (*reader, labels.map(|(key, class)| (*key, *class)).collect())
                })
                .filter(|(_, labels): &(_, BTreeMap<_, _>)| !labels.is_empty())
                .collect();
            if sorted.is_empty() {
                return Vec::new();
            }
            sorted.insert(0, (RULES, failed));
            vec![self.sorted_table(&classes, &sorted), agreement_table(&sorted)]
        });
        tables.collect()
    }

    fn sorted_table(
        &self,
        classes: &[(&str, &str)],
        sorted: &[(&str, BTreeMap<&Key, &str>)],
    ) -> Table {
        let labels = self.labels();
        let mut head =
            vec!["Model and system".to_owned(), "Sorted by".to_owned(), "#Sorted".into()];
        head.extend(classes.iter().map(|(_, title)| format!("#{title}")));
        let mut rows = Vec::new();
        for (i, (hash, _)) in self.setups.iter().enumerate() {
            let n_failed = sorted[0].1.keys().filter(|key| key.setup == *hash).count();
            for (reader, by_key) in sorted {
                let mine: Vec<&str> =
                    by_key.iter().filter(|(k, _)| k.setup == *hash).map(|(_, c)| *c).collect();
                if mine.is_empty() {
                    continue;
                }
                let count = |id: &str| mine.iter().filter(|class| **class == id).count();
                let mut cells = vec![labels[i].clone(), (*reader).to_owned()];
                cells.push(format!("{} of {n_failed}", mine.len()));
                cells.extend(classes.iter().map(|(id, _)| count(id).to_string()));
                rows.push(Line { setup: Some(i), ..Line::new(cells) });
            }
        }
        Table {
            title: "Runs that are not right, sorted by readers".into(),
            note: "How many runs each reader put into each class; the rules see every run that is \
                   not right."
                .into(),
            head,
            rows,
        }
    }
}

/// Every two readers, and each beside the rules, on the runs that both sorted.
fn agreement_table(sorted: &[(&str, BTreeMap<&Key, &str>)]) -> Table {
    let mut rows = Vec::new();
    for (i, (left, of_left)) in sorted.iter().enumerate() {
        for (right, of_right) in &sorted[i + 1..] {
            let pairs: Vec<[&str; 2]> =
                of_left.iter().filter_map(|(k, a)| Some([*a, *of_right.get(k)?])).collect();
            let n_same = pairs.iter().filter(|[a, b]| a == b).count();
            let share = wilson(n_same as f64, pairs.len() as f64);
            if pairs.is_empty() {
                continue;
            }
            rows.push(Line::new(vec![
                (*left).to_owned(),
                (*right).to_owned(),
                pairs.len().to_string(),
                n_same.to_string(),
                share.map_or_else(String::new, |s| percent(s.value)),
                bounds(share),
                kappa(&pairs).map_or_else(|| "–".to_owned(), |k| format!("{k:.2}")),
            ]));
        }
    }
    let head = ["A", "B", "#Sorted by both", "#Same class", "#%", "#95 %", "#Cohen's kappa"];
    Table {
        title: "How readers agree".into(),
        note: "Kappa: the agreement beyond that of chance; a dash where chance alone would agree \
               always. A reader who sees what the rules say is not blind to them."
            .into(),
        head: head.map(String::from).to_vec(),
        rows,
    }
}

/// Why a label of somebody cannot be taken in, if so.
pub(crate) fn fault<T>(label: &ReaderLabel, runs: &Runs<T>) -> Option<String> {
    if label.reader.trim().is_empty() || label.reader.chars().count() > MAX_READER {
        return Some(format!("a reader's name has 1 to {MAX_READER} letters"));
    }
    let setup = runs.setups.get(&label.key.setup)?;
    let experiment = systems::experiments::find(&setup.experiment).ok()?;
    let classes = classes_of(experiment);
    let known: BTreeSet<&str> = classes.iter().map(|(id, _)| *id).chain([NONE]).collect();
    (!known.contains(&*label.class)).then(|| {
        let known: Vec<&str> = classes.iter().map(|(id, _)| *id).collect();
        format!(
            "there is no class {:?} of {}; there are {}",
            label.class,
            setup.experiment,
            if known.is_empty() { "none".to_owned() } else { known.join(", ") }
        )
    })
}
