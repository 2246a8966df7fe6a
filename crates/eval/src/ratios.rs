//! How many times as much one system takes as another, pair by pair.

use std::collections::BTreeMap;

use systems::experiment::{Cost, RatioSpec, Setup};
use tasks::Verdict;

use crate::report::Report;
use crate::stats;
use crate::tables::{Line, Table};
use crate::{Case, Key, Runs};

/// What the pairs of one part show: logarithms of ratios, each case once.
#[derive(Default)]
struct Pairs {
    n: usize,
    n_both_right: usize,
    dollars: Vec<f64>,
    times: Vec<f64>,
}

/// The ratios of the samples of one case.
#[derive(Default)]
struct OfCase {
    n: usize,
    n_both_right: usize,
    dollars: Vec<f64>,
    times: Vec<f64>,
}

impl Report {
    /// The tables of ratios of the experiments that the runs are of. Scripts are left out: what they
    /// take says nothing. A table without a pair is none.
    ///
    /// O(runs · log) for each two setups of one model.
    pub(crate) fn ratio_tables<T>(&self, runs: &Runs<T>) -> Vec<Table> {
        let experiments = self.experiments().into_iter();
        let tables = experiments.flat_map(|experiment| {
            let id = experiment.id();
            experiment.ratios().iter().filter_map(move |spec| self.ratio_table(runs, spec, id))
        });
        tables.collect()
    }

    fn ratio_table<T>(&self, runs: &Runs<T>, spec: &RatioSpec, experiment: &str) -> Option<Table> {
        let labels = self.labels();
        let of_system = |system: &str| -> Vec<(usize, &str, &Setup)> {
            let setups = self.setups.iter().enumerate();
            setups
                .filter(|(_, (hash, s))| {
                    s.experiment == experiment && s.system == system && !self.is_scripted(hash)
                })
                .map(|(i, (hash, s))| (i, hash.as_str(), s))
                .collect()
        };
        let mut rows = Vec::new();
        let mut cases: BTreeMap<&str, &Case> = BTreeMap::new();
        for (i, by, by_setup) in of_system(spec.by) {
            for (k, of, of_setup) in of_system(spec.of) {
                if by_setup.first_model() != of_setup.first_model() {
                    continue;
                }
                let parts = pairs(runs, spec, (of, by), &mut cases);
                for (part, found) in parts {
                    let is_total = part.0 > spec.parts.order.len();
                    let mut cells = vec![part.1, labels[k].clone(), labels[i].clone()];
                    cells.push(found.n.to_string());
                    cells.extend(ratio(&found.dollars));
                    cells.extend(ratio(&found.times));
                    cells.push(format!("{} of {}", found.n_both_right, found.n));
                    rows.push(Line { is_total, ..Line::new(cells) });
                }
            }
        }
        if rows.is_empty() {
            return None;
        }
        let cases: Vec<&Case> = cases.into_values().collect();
        let mut note = spec.note.to_owned();
        if let Some([label, dollars, times]) = (spec.published)(&cases) {
            let texts = ["", label, "", "–", dollars, "", times, "", "–"];
            let cells = texts.map(str::to_owned).to_vec();
            rows.push(Line { is_reference: true, ..Line::new(cells) });
            note.push_str(&format!(" Rows in italics: {}.", spec.source));
        }
        let head = [
            spec.parts.title,
            "Takes more",
            "Than",
            "#Pairs",
            "#Cost",
            "#95 %",
            "#Time",
            "#95 %",
            "#Both right",
        ];
        Some(Table {
            title: spec.title.to_owned(),
            note,
            head: head.map(str::to_owned).to_vec(),
            rows,
        })
    }
}

/// The pairs of two setups by part, with the place of the part; those of all cases come last.
fn pairs<'r, T>(
    runs: &'r Runs<T>,
    spec: &RatioSpec,
    (of, by): (&str, &str),
    cases: &mut BTreeMap<&'r str, &'r Case>,
) -> BTreeMap<(usize, String), Pairs> {
    let mut by_case: BTreeMap<&str, OfCase> = BTreeMap::new();
    for run in runs.runs.iter().filter(|r| r.key.setup == by) {
        let key = Key { setup: of.to_owned(), ..run.key.clone() };
        let (Some(other), Some(case)) = (runs.run(&key), runs.case(&run.key.case)) else {
            continue;
        };
        cases.insert(&case.id, case);
        let found = by_case.entry(&case.id).or_default();
        let is_right = |verdict| verdict == Verdict::Correct;
        found.n += 1;
        found.n_both_right +=
            usize::from(is_right(run.score.verdict) && is_right(other.score.verdict));
        let dollars = |cost: &Cost| cost.dollars_of_answer(spec.prices);
        found.dollars.extend(logarithm(dollars(&other.cost), dollars(&run.cost)));
        found.times.extend(logarithm(Some(other.cost.took_ms), Some(run.cost.took_ms)));
    }
    let mut parts: BTreeMap<(usize, String), Pairs> = BTreeMap::new();
    for (id, found) in by_case {
        let part = cases.get(id).map(|case| (spec.parts.of)(case)).unwrap_or_default();
        let order = spec.parts.order;
        let place = order.iter().position(|p| *p == part).unwrap_or(order.len());
        let part = if part.is_empty() { "not known".to_owned() } else { part };
        let all = (order.len() + 1, "all".to_owned());
        for name in [(place, part), all] {
            let sum = parts.entry(name).or_default();
            sum.n += 1;
            // As in pairs of setups: a case is right if more than half of its samples are.
            sum.n_both_right += usize::from(2 * found.n_both_right > found.n);
            sum.dollars.extend(average(&found.dollars));
            sum.times.extend(average(&found.times));
        }
    }
    parts
}

/// The logarithm of a ratio of two figures that are known and above nothing.
fn logarithm(of: Option<f64>, by: Option<f64>) -> Option<f64> {
    let is_there = |figure: &f64| figure.is_finite() && *figure > 0.0;
    Some((of.filter(is_there)? / by.filter(is_there)?).ln())
}

fn average(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The geometric mean of ratios with its 95 % interval, from their logarithms.
fn ratio(logarithms: &[f64]) -> [String; 2] {
    let Some(mean) = stats::mean(logarithms) else { return ["–".into(), String::new()] };
    let bounds = match logarithms.len() {
        1 => String::new(),
        _ => format!("{:.2}–{:.2}", mean.low.exp(), mean.high.exp()),
    };
    [format!("{:.2}", mean.value.exp()), bounds]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The geometric mean by its definition: the n-th root of the product.
        #[test]
        fn the_mean_is_the_root_of_the_product(
            pairs in prop::collection::vec((1.0..50.0_f64, 1.0..50.0_f64), 1..8),
        ) {
            let logs: Vec<f64> =
                pairs.iter().filter_map(|(a, b)| logarithm(Some(*a), Some(*b))).collect();
            let product: f64 = pairs.iter().map(|(a, b)| a / b).product();
            let root = product.powf(1.0 / pairs.len() as f64);
            let told: f64 = ratio(&logs)[0].parse().unwrap_or(0.0);
            prop_assert!((told - root).abs() <= 0.005_001, "{told} {root}");
        }
    }

    #[test]
    fn what_is_not_known_is_no_ratio() {
        assert_eq!(logarithm(None, Some(1.0)), None);
        assert_eq!(logarithm(Some(1.0), Some(0.0)), None);
        assert_eq!(logarithm(Some(f64::NAN), Some(1.0)), None);
        assert_eq!(ratio(&[]), ["–".to_owned(), String::new()]);
        assert_eq!(ratio(&[2.0_f64.ln()]), ["2.00".to_owned(), String::new()]);
    }
}
