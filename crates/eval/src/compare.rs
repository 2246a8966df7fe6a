//! Two setups on the same problems, pair by pair.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use systems::experiments;
use tasks::Verdict;

use crate::stats::{Interval, mcnemar, paired_difference};
use crate::{Key, Runs};

/// Cases that both answered, added up. With several samples a case counts as correct if more
/// than half of its samples are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pairs {
    /// The group; absent for all.
    pub group: Option<String>,
    /// The number of cases that both setups have.
    pub n: usize,
    /// Cases where both are correct.
    pub both: usize,
    /// The left one alone is correct.
    pub only_left: usize,
    /// The right one alone is correct.
    pub only_right: usize,
    /// Cases where neither is correct.
    pub neither: usize,
    /// McNemar's exact test, two-sided.
    pub p: f64,
    /// Left minus right, with its 95 % interval.
    pub difference: Option<Interval>,
}

/// A pair that came out differently.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Differing {
    /// The id of the case.
    pub case: String,
    /// The group of the case in tables.
    pub group: String,
    /// The number of the sample, from 0.
    pub sample: u32,
    /// The verdict of the left one.
    pub left: Verdict,
    /// The verdict of the right one.
    pub right: Verdict,
}

/// Two setups on the same cases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Group by group, in the experiment's order, and all together at the end.
    pub rows: Vec<Pairs>,
    /// Pairs with two verdicts, in the order of the left file.
    pub differing: Vec<Differing>,
    /// Runs of either side without a partner; they are not counted.
    pub n_alone: usize,
}

/// Compares a setup of one file with a setup of the same or another file.
///
/// # Errors
/// A file has no such setup, or a case is not the same in both.
///
/// # Complexity
/// O(n log n) in the number of runs.
pub fn compare<L, R>(
    left: (&Runs<L>, &str),
    right: (&Runs<R>, &str),
) -> Result<Comparison, String> {
    for (setups, hash) in [(&left.0.setups, left.1), (&right.0.setups, right.1)] {
        if !setups.contains_key(hash) {
            let known: Vec<&str> = setups.keys().map(String::as_str).collect();
            return Err(format!("there is no setup {hash:?}; there are {}", known.join(", ")));
        }
    }
    let mut counts: BTreeMap<Option<String>, [usize; 4]> = BTreeMap::new();
    let mut by_case: BTreeMap<(&str, &str), (usize, usize, usize)> = BTreeMap::new();
    let (mut differing, mut n_left, mut n_pairs) = (Vec::new(), 0, 0);
    for run in left.0.runs.iter().filter(|r| r.key.setup == left.1) {
        n_left += 1;
        let key = Key { setup: right.1.to_owned(), ..run.key.clone() };
        let (Some(other), Some(case)) = (right.0.run(&key), left.0.case(&run.key.case)) else {
            continue;
        };
        if !right.0.case(&key.case).is_some_and(|other| other.is_same(case)) {
            return Err(format!(
                "case {:?} is not the same in both files: another graph or question stands \
                 under its name",
                case.id
            ));
        }
        n_pairs += 1;
        let (l, r) =
            (run.score.verdict == Verdict::Correct, other.score.verdict == Verdict::Correct);
        let of = by_case.entry((case.group.as_str(), case.id.as_str())).or_insert((0, 0, 0));
        *of = (of.0 + usize::from(l), of.1 + usize::from(r), of.2 + 1);
        if run.score.verdict != other.score.verdict {
            differing.push(Differing {
                case: case.id.clone(),
                group: case.group.clone(),
                sample: run.key.sample,
                left: run.score.verdict,
                right: other.score.verdict,
            });
        }
    }
    // Samples of one case are not independent: the case is the pair.
    for ((group, _), (l, r, n)) in &by_case {
        let cell = match (2 * l > *n, 2 * r > *n) {
            (true, true) => 0,
            (true, false) => 1,
            (false, true) => 2,
            (false, false) => 3,
        };
        for group in [Some((*group).to_owned()), None] {
            counts.entry(group).or_default()[cell] += 1;
        }
    }
    let n_right = right.0.runs.iter().filter(|r| r.key.setup == right.1).count();
    let mut rows: Vec<Pairs> = counts
        .into_iter()
        .map(|(group, [both, only_left, only_right, neither])| {
            let n = both + only_left + only_right + neither;
            let p = mcnemar(only_left, only_right);
            let difference = paired_difference(only_left, only_right, n);
            Pairs { group, n, both, only_left, only_right, neither, p, difference }
        })
        .collect();
    let known = experiments::find(&left.0.setups[left.1].experiment).map(|e| e.groups());
    let known = known.unwrap_or_default();
    let place = |g: &Option<String>| g.as_ref().and_then(|g| known.iter().position(|k| k == g));
    rows.sort_by_key(|row| (row.group.is_none(), place(&row.group), row.group.clone()));
    Ok(Comparison { rows, differing, n_alone: n_left + n_right - 2 * n_pairs })
}
