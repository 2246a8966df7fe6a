//! How good a trained model is, as the file of its figures says.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::tree::Value as Argument;
use super::{Segment, parse};

/// A model's figure on what it did not learn from, beside what no learning gives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelReport {
    /// The model, as calls name it: `graph_bert`.
    pub model: String,
    /// The data set that it learned from.
    pub dataset: String,
    /// The figure, a share from 0 to 1.
    pub test: f64,
    /// The same figure of the baseline.
    pub baseline: f64,
    /// What the baseline does: `always the most common class`.
    pub baseline_is: String,
    /// What it is a share of, as it goes on after the per cent: `of held-out papers`.
    pub measured: String,
    /// How the data were split.
    pub split: String,
    /// What was held out of the training of these weights: a node, a graph, a user and an item, or a
    /// fact, names with tabs between.
    pub held_out: Vec<String>,
    /// The other figures at which the baseline is better.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub worse: Vec<WorseFigure>,
}

/// A figure at which a model is worse than a baseline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorseFigure {
    /// The figure: `filtered Hits@1`.
    pub figure: String,
    /// The model's, a share from 0 to 1.
    pub model: f64,
    /// The baseline's.
    pub baseline: f64,
}

/// The words before a figure that say that it is a baseline's.
const BASELINES: [&str; 3] = ["rules: ", "popularity: ", "most common class: "];

/// The shares at which a baseline is better than the model, in the order of the figures. Ranks are no
/// shares, and are left out.
pub fn worse<'a>(figures: impl Iterator<Item = (&'a str, f64)> + Clone) -> Vec<WorseFigure> {
    let is_rank = |name: &str| name.contains(" rank");
    let own = figures.clone().filter(|(name, _)| !is_rank(name));
    own.filter_map(|(figure, model)| {
        let is_same = |name: &str| BASELINES.iter().any(|b| name.strip_prefix(b) == Some(figure));
        let (_, baseline) = figures.clone().find(|(name, _)| is_same(name))?;
        let figure = figure.to_owned();
        (baseline > model).then_some(WorseFigure { figure, model, baseline })
    })
    .collect()
}

/// A file of figures, as `graphground train` writes it.
#[derive(Deserialize)]
struct Figures {
    report: ModelReport,
    /// All that was measured; figures of earlier versions are read from it.
    #[serde(default)]
    figures: Map<String, Value>,
}

impl ModelReport {
    /// Reads the file of figures that lies beside a model.
    ///
    /// # Errors
    /// It is none, or one from before there were reports.
    pub fn read(figures: &str) -> Result<Self, serde_json::Error> {
        let Figures { mut report, figures } = serde_json::from_str(figures)?;
        if report.worse.is_empty() {
            let mean =
                |(name, of): (&'_ String, &Value)| Some((name.clone(), of["mean"].as_f64()?));
            let all: Vec<(String, f64)> = figures.iter().filter_map(mean).collect();
            report.worse = worse(all.iter().map(|(name, value)| (name.as_str(), *value)));
        }
        Ok(report)
    }

    /// For people, where the baseline is better at something: `The baseline is better at filtered
    /// Hits@1: 94.0 % against 87.1 %.`
    pub fn caveat(&self) -> Option<String> {
        let all: Vec<String> = self
            .worse
            .iter()
            .map(|w| {
                let (ours, theirs) = (100.0 * w.model, 100.0 * w.baseline);
                format!("{}: {theirs:.1} % against {ours:.1} %", w.figure)
            })
            .collect();
        (!all.is_empty()).then(|| format!("The baseline is better at {}.", all.join("; ")))
    }

    /// For people: `82.7 % of held-out papers (always the most common class: 30.2 %)`.
    pub fn words(&self) -> String {
        let Self { test, baseline, baseline_is, measured, .. } = self;
        format!("{:.1} % {measured} ({baseline_is}: {:.1} %)", 100.0 * test, 100.0 * baseline)
    }

    /// Whether a statement asks this model about what was held out of its training, or about what it
    /// learned from; nothing where it asks about neither alone.
    ///
    /// O(length of the statement + what was held out).
    pub fn is_held_out(&self, statement: &str) -> Option<bool> {
        let calls: Vec<_> = parse(statement)
            .into_iter()
            .filter_map(|segment| match segment {
                Segment::Site(site) => site.bracket.ok(),
                Segment::Text(_) => None,
            })
            .flat_map(|bracket| bracket.calls)
            .collect();
        let [call] = calls.as_slice() else { return None };
        let mut arguments = call.arguments.iter();
        let function = arguments.find_map(|a| a.words().filter(|w| w.contains(':')))?;
        let (model, function) = function.split_once(':')?;
        if model != self.model || function == "topk_recommendation" {
            return None;
        }
        let named = |value: &Argument| match value {
            Argument::Reference { id, .. } => Some(id.clone()),
            _ => None,
        };
        let asked: Vec<String> = call.arguments.iter().filter_map(named).collect();
        if asked.is_empty() {
            return None;
        }
        // A question names a part of a fact, in the order of the fact.
        let is_asked = |line: &String| {
            let mut names = line.split('\t');
            asked.iter().all(|name| names.any(|n| n == name))
        };
        Some(self.held_out.iter().any(is_asked))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(model: &str, held_out: &[&str]) -> ModelReport {
        ModelReport {
            model: model.to_owned(),
            dataset: "papers".to_owned(),
            test: 0.827,
            baseline: 0.302,
            baseline_is: "always the most common class".to_owned(),
            measured: "of held-out papers".to_owned(),
            split: "at random".to_owned(),
            held_out: held_out.iter().map(|s| (*s).to_owned()).collect(),
            worse: Vec::new(),
        }
    }

    #[test]
    fn what_the_baseline_is_better_at_is_told() {
        let figures = serde_json::json!({
            "report": report("transe", &[]),
            "figures": {
                "filtered mean rank": { "mean": 115.9 },
                "filtered Hits@1": { "mean": 0.871 },
                "filtered Hits@10": { "mean": 0.949 },
                "rules: filtered mean rank": { "mean": 254.4 },
                "rules: filtered Hits@1": { "mean": 0.9395 },
                "rules: filtered Hits@10": { "mean": 0.9405 },
                "most frequent answers: filtered Hits@1": { "mean": 0.99 },
            },
        });
        let read = ModelReport::read(&figures.to_string()).unwrap();
        let words = "The baseline is better at filtered Hits@1: 94.0 % against 87.1 %.";
        assert_eq!(read.caveat().as_deref(), Some(words));
        assert_eq!(report("bpr", &[]).caveat(), None);
        // What was told once is not computed anew.
        let text = serde_json::json!({ "report": read }).to_string();
        assert_eq!(ModelReport::read(&text).unwrap(), read);
    }

    #[test]
    fn a_figure_is_told_with_its_baseline() {
        let own = report("graph_bert", &["3"]);
        let words = "82.7 % of held-out papers (always the most common class: 30.2 %)";
        assert_eq!(own.words(), words);
        let file = serde_json::json!({ "report": own, "trained": [] }).to_string();
        assert_eq!(ModelReport::read(&file).unwrap(), own);
        assert!(ModelReport::read("{}").is_err());
    }

    #[test]
    fn what_a_statement_asks_about_is_held_out_or_not() {
        let of = |report: &ModelReport, call: &str| {
            report.is_held_out(&format!("It is [GR(GL(\"papers\"), {call})-->r]."))
        };
        let papers = report("graph_bert", &["3", "17"]);
        assert_eq!(of(&papers, "\"graph_bert:topic\", paper#3"), Some(true));
        assert_eq!(of(&papers, "\"graph_bert:topic\", paper#31"), Some(false));
        assert_eq!(of(&papers, "\"seg_bert:molecule_function\", instance#3"), None);
        assert_eq!(papers.is_held_out("No call."), None);
        let films = report("bpr", &["u1\ti5"]);
        assert_eq!(of(&films, "\"bpr:recommendation\", user#u1, item#i5"), Some(true));
        assert_eq!(of(&films, "\"bpr:recommendation\", user#u1, item#i6"), Some(false));
        assert_eq!(of(&films, "\"bpr:topk_recommendation\", user#u1, 5"), None);
        let facts = report("transe", &["dog.n.01\t_hypernym\tcanine.n.02"]);
        for (call, is_held_out) in [
            ("\"transe:tail_entity\", entity#dog.n.01, relation#_hypernym", true),
            ("\"transe:head_entity\", relation#_hypernym, entity#canine.n.02", true),
            ("\"transe:relation\", entity#dog.n.01, entity#canine.n.02", true),
            ("\"transe:relation\", entity#canine.n.02, entity#dog.n.01", false),
            ("\"transe:tail_entity\", entity#cat.n.01, relation#_hypernym", false),
        ] {
            assert_eq!(of(&facts, call), Some(is_held_out), "{call}");
        }
    }
}
