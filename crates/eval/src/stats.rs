//! What a count is worth: intervals, paired comparison, averages without outliers.

/// A number with the bounds of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Interval {
    /// The estimate.
    pub value: f64,
    /// The lower bound of the 95 % interval.
    pub low: f64,
    /// The upper bound of the 95 % interval.
    pub high: f64,
}

/// The quantile of the normal distribution for 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// Wilson's score interval at 95 % for a share `successes` of `n`; successes may be a sum of
/// shares. `None` where there is nothing to share.
///
/// # Complexity
/// O(1).
pub fn wilson(successes: f64, n: f64) -> Option<Interval> {
    if n <= 0.0 {
        return None;
    }
    let (p, z2) = (successes / n, Z * Z);
    let centre = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).max(0.0).sqrt();
    let bound = |x: f64| x.clamp(0.0, 1.0);
    // At 0 and 1 the bound is that number exactly, whatever rounding says.
    let low = if successes <= 0.0 { 0.0 } else { bound(centre - half) };
    let high = if successes >= n { 1.0 } else { bound(centre + half) };
    Some(Interval { value: p, low, high })
}

/// The mean of values with its interval at 95 % by the normal distribution; `None` of nothing.
///
/// Of one value alone nothing is known of how far others lie: its bounds are itself.
///
/// # Complexity
/// O(n).
pub fn mean(values: &[f64]) -> Option<Interval> {
    let n = values.len() as f64;
    if values.is_empty() {
        return None;
    }
    let value = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|v| (v - value).powi(2)).sum();
    let spread = if values.len() > 1 { (squares / (n - 1.0) / n).sqrt() } else { 0.0 };
    Some(Interval { value, low: value - Z * spread, high: value + Z * spread })
}

/// Cohen's kappa of pairs of labels: the agreement beyond that of chance. `None` of nothing, and where
/// chance alone would agree always.
///
/// # Complexity
/// O(n · log n).
pub fn kappa<T: Ord>(pairs: &[[T; 2]]) -> Option<f64> {
    let n = pairs.len() as f64;
    let mut counts: std::collections::BTreeMap<&T, [f64; 2]> = Default::default();
    for [a, b] in pairs {
        counts.entry(a).or_default()[0] += 1.0;
        counts.entry(b).or_default()[1] += 1.0;
    }
    // As counts, so that sure agreement is told from near agreement exactly.
    let by_chance: f64 = counts.values().map(|[a, b]| a * b).sum();
    let n_same = pairs.iter().filter(|[a, b]| a == b).count() as f64;
    (by_chance < n * n).then(|| (n_same * n - by_chance) / (n * n - by_chance))
}

/// McNemar's exact test: the probability, two-sided, of a split at least as uneven as `only_left`
/// against `only_right` if both were as good (a binomial with one half).
///
/// # Complexity
/// O(n) in the number of discordant pairs.
pub fn mcnemar(only_left: usize, only_right: usize) -> f64 {
    let n = only_left + only_right;
    if n == 0 {
        return 1.0;
    }
    let fewer = only_left.min(only_right);
    // ln of n! / (k! (n-k)!) / 2^n, added up from k = 0.
    let mut log_term = -(n as f64) * std::f64::consts::LN_2;
    let mut tail = log_term.exp();
    for k in 0..fewer {
        log_term += ((n - k) as f64).ln() - ((k + 1) as f64).ln();
        tail += log_term.exp();
    }
    (2.0 * tail).min(1.0)
}

/// The difference of two paired shares, left minus right, with the 95 % interval of Bonett and
/// Price (2012), which adds one to both discordant cells.
pub fn paired_difference(only_left: usize, only_right: usize, n: usize) -> Option<Interval> {
    if n == 0 {
        return None;
    }
    let (l, r, total) = (only_left as f64, only_right as f64, n as f64);
    let (pl, pr) = ((l + 1.0) / (total + 2.0), (r + 1.0) / (total + 2.0));
    let spread = ((pl + pr - (pl - pr).powi(2)) / (total + 2.0)).max(0.0).sqrt();
    let centre = pl - pr;
    let value = (l - r) / total;
    let (low, high) = ((centre - Z * spread).max(-1.0), (centre + Z * spread).min(1.0));
    Some(Interval { value, low: low.min(value), high: high.max(value) })
}

/// How outliers in times are left out of an average.
///
/// Paper is silent: Graph-Grounded LLMs §IV reports times "after rejecting these outliers in
/// computation time" and gives no rule. Ours is Tukey's upper fence.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outliers {
    /// Values above the third quartile plus so many times the distance between the quartiles.
    Fence(f64),
    /// Every value counts.
    Keep,
}

impl Default for Outliers {
    fn default() -> Self {
        Self::Fence(1.5)
    }
}

impl Outliers {
    /// The rule in words.
    pub fn words(self) -> String {
        match self {
            Self::Fence(k) => format!(
                "times above Q3 + {k} x (Q3 - Q1) of their row are left out of the average time"
            ),
            Self::Keep => "the average time is of all runs".into(),
        }
    }

    /// The average of what is left, and how many were left out; `None` of nothing.
    ///
    /// # Complexity
    /// O(n log n).
    pub fn mean(self, values: &[f64]) -> Option<(f64, usize)> {
        let mut sorted: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        let kept = match self {
            Self::Keep => sorted.len(),
            Self::Fence(k) => {
                let (q1, q3) = (quantile(&sorted, 0.25)?, quantile(&sorted, 0.75)?);
                let fence = q3 + k * (q3 - q1);
                sorted.partition_point(|v| *v <= fence)
            }
        };
        let n_out = sorted.len() - kept;
        (kept > 0).then(|| (sorted[..kept].iter().sum::<f64>() / kept as f64, n_out))
    }
}

/// A quantile of sorted values, by linear interpolation (type 7, as numpy and R have it).
pub fn quantile(sorted: &[f64], q: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = q.clamp(0.0, 1.0) * last as f64;
    let (low, part) = (place.floor() as usize, place.fract());
    let (a, b) = (*sorted.get(low)?, *sorted.get((low + 1).min(last))?);
    Some(a + (b - a) * part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn kappa_is_that_of_the_textbook() {
        // 20 times both yes, 15 both no, 5 and 10 apart: 0.7 agree, 0.5 would by chance.
        let mut pairs = vec![["yes", "yes"]; 20];
        pairs.extend(vec![["yes", "no"]; 5]);
        pairs.extend(vec![["no", "yes"]; 10]);
        pairs.extend(vec![["no", "no"]; 15]);
        assert!((kappa(&pairs).unwrap() - 0.4).abs() < 1e-12);
        assert_eq!(kappa(&[["yes", "yes"]; 3]), None);
        assert_eq!(kappa::<u8>(&[]), None);
        assert_eq!(kappa(&[[1, 2], [2, 1]]), Some(-1.0));
    }

    proptest! {
        /// Wilson's bounds are the shares p for which the score test is just not refused: found
        /// here by bisection.
        #[test]
        fn wilson_inverts_the_score_test(n in 1u32..3000, part in 0.0f64..=1.0) {
            let n = f64::from(n);
            let successes = (part * n).round();
            let interval = wilson(successes, n).unwrap();
            let z = |p: f64| (successes / n - p) / (p * (1.0 - p) / n).sqrt();
            let share = successes / n;
            let bisect = |mut near: f64, mut far: f64| {
                for _ in 0..200 {
                    let mid = 0.5 * (near + far);
                    if z(mid).abs() > Z { far = mid } else { near = mid }
                }
                near
            };
            if successes > 0.0 {
                prop_assert!((bisect(share, 0.0) - interval.low).abs() < 1e-7);
            } else {
                prop_assert_eq!(interval.low, 0.0);
            }
            if successes < n {
                prop_assert!((bisect(share, 1.0) - interval.high).abs() < 1e-7);
            } else {
                prop_assert_eq!(interval.high, 1.0);
            }
        }

        /// McNemar's p-value against Pascal's triangle in whole numbers.
        #[test]
        fn mcnemar_counts_all_ways(left in 0usize..40, right in 0usize..40) {
            let n = left + right;
            let mut row = vec![1u128];
            for _ in 0..n {
                let mut next = vec![1u128];
                next.extend(row.windows(2).map(|w| w[0] + w[1]));
                next.push(1);
                row = next;
            }
            let all: u128 = row.iter().sum();
            let tail: u128 = row[..=left.min(right)].iter().sum();
            let exact = (2.0 * tail as f64 / all as f64).min(1.0);
            prop_assert!((mcnemar(left, right) - exact).abs() < 1e-9);
        }

        #[test]
        fn the_difference_is_in_its_interval_and_turns_with_its_sides(
            left in 0usize..50, right in 0usize..50, same in 0usize..50,
        ) {
            prop_assume!(left + right + same > 0);
            let n = left + right + same;
            let there = paired_difference(left, right, n).unwrap();
            let back = paired_difference(right, left, n).unwrap();
            prop_assert!(there.low <= there.value && there.value <= there.high);
            prop_assert!((there.low + back.high).abs() < 1e-12);
            prop_assert!((there.value - (left as f64 - right as f64) / n as f64).abs() < 1e-12);
        }

        #[test]
        fn an_average_without_outliers_lies_among_the_values(
            values in prop::collection::vec(0.0f64..1e6, 1..60),
        ) {
            let (mean, n_out) = Outliers::default().mean(&values).unwrap();
            let (whole, none) = Outliers::Keep.mean(&values).unwrap();
            prop_assert!(n_out < values.len() && none == 0);
            // Only large values are left out.
            prop_assert!(mean <= whole + 1e-6);
            prop_assert!(values.iter().any(|v| *v <= mean + 1e-6));
        }
    }

    #[test]
    fn a_known_mean() {
        // As scipy.stats.norm.interval(0.95, loc=3, scale=sem([1, 2, 3, 4, 5])) gives it.
        let interval = mean(&[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        assert!((interval.low - 1.614_096_2).abs() < 1e-6, "{interval:?}");
        assert!((interval.high - 4.385_903_8).abs() < 1e-6, "{interval:?}");
        assert_eq!(mean(&[0.5]).unwrap().low, 0.5);
        assert_eq!(mean(&[]), None);
    }

    #[test]
    fn a_known_interval() {
        // 8 of 10, as R's binom::binom.confint(8, 10, methods = "wilson") gives it.
        let interval = wilson(8.0, 10.0).unwrap();
        assert!((interval.low - 0.490_162_5).abs() < 1e-6, "{interval:?}");
        assert!((interval.high - 0.943_317_8).abs() < 1e-6, "{interval:?}");
        assert_eq!(wilson(0.0, 0.0), None);
    }

    #[test]
    fn a_time_far_out_is_left_out() {
        let times = [1.0, 1.1, 0.9, 1.2, 1.0, 30.0];
        let (mean, n_out) = Outliers::default().mean(&times).unwrap();
        assert_eq!(n_out, 1);
        assert!((mean - 1.04).abs() < 1e-9);
        assert_eq!(Outliers::default().mean(&[]), None);
    }
}
