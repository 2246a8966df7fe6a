//! Which epoch of a training is kept.

use serde::{Deserialize, Serialize};

/// A measurement.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Point {
    pub(crate) epoch: usize,
    pub(crate) loss: f64,
    pub(crate) valid: f64,
    pub(crate) test: f64,
    pub(crate) valid_loss: f64,
}

/// Means that are closer than this are the same: rounding alone tells them apart.
const SAME: f64 = 1e-9;

/// Measurements in a row, with the mean of their validation figures.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Window {
    /// The epoch of the first one.
    pub(crate) from: usize,
    /// The epoch of the last one, whose weights are kept.
    pub(crate) to: usize,
    pub(crate) valid: f64,
    pub(crate) valid_loss: f64,
}

impl Window {
    fn of(points: &[Point]) -> Option<Self> {
        let n = points.len() as f64;
        let mean = |of: fn(&Point) -> f64| points.iter().map(of).sum::<f64>() / n;
        Some(Self {
            from: points.first()?.epoch,
            to: points.last()?.epoch,
            valid: mean(|p| p.valid),
            valid_loss: mean(|p| p.valid_loss),
        })
    }

    fn is_better_than(&self, other: &Self) -> bool {
        if (self.valid - other.valid).abs() > SAME {
            return self.valid > other.valid;
        }
        self.valid_loss < other.valid_loss
    }
}

/// The best of all `n` measurements in a row, the first where several are as good, with its last
/// measurement. Where there are fewer than `n`, all that there are.
///
/// One measurement of few examples is lucky now and then, and the luckiest of many would be chosen.
pub(crate) fn chosen(history: &[Point], n: usize) -> Option<(Window, Point)> {
    let n = n.clamp(1, history.len().max(1));
    let windows = history.windows(n).filter_map(Window::of);
    let best = windows.reduce(|best, w| if w.is_better_than(&best) { w } else { best })?;
    let last = history.iter().find(|p| p.epoch == best.to)?;
    Some((best, *last))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn history(measured: &[(f64, f64)]) -> Vec<Point> {
        let point = |(i, (valid, valid_loss)): (usize, &(f64, f64))| Point {
            epoch: 10 * (i + 1),
            loss: 1.0,
            valid: *valid,
            test: 0.0,
            valid_loss: *valid_loss,
        };
        measured.iter().enumerate().map(point).collect()
    }

    /// From where to where, counted by hand.
    fn span(measured: &[(f64, f64)], n: usize) -> (usize, usize) {
        let (window, point) = chosen(&history(measured), n).unwrap();
        assert_eq!(window.to, point.epoch);
        (window.from / 10, window.to / 10)
    }

    #[test]
    fn a_lucky_measurement_is_not_chosen() {
        // The second is a stroke of luck; from the fifth to the seventh it stays good.
        let valid = [0.5, 0.9, 0.4, 0.6, 0.8, 0.8, 0.7, 0.6];
        let all: Vec<(f64, f64)> = valid.map(|v| (v, 1.0)).to_vec();
        assert_eq!(span(&all, 1), (2, 2));
        // Sums of two: 1.4 1.3 1.0 1.4 1.6 1.5 1.3.
        assert_eq!(span(&all, 2), (5, 6));
        // Sums of three: 1.8 1.9 1.8 2.2 2.3 2.1.
        assert_eq!(span(&all, 3), (5, 7));
        assert_eq!(span(&all, 8), (1, 8));
        let (window, _) = chosen(&history(&all), 3).unwrap();
        assert!((window.valid - 2.3 / 3.0).abs() < 1e-12, "{window:?}");
    }

    #[test]
    fn the_loss_decides_between_windows_that_are_as_good() {
        // 0.1 + 0.2 + 0.3 is not 0.3 + 0.2 + 0.1 in numbers of a machine.
        let valid = [0.1, 0.2, 0.3, 0.2, 0.1];
        let with = |loss: [f64; 5]| valid.into_iter().zip(loss).collect::<Vec<_>>();
        // Sums of three: 0.6 0.7 0.6; of two: 0.3 0.5 0.5 0.3.
        assert_eq!(span(&with([9.0; 5]), 2), (2, 3), "the first");
        assert_eq!(span(&with([1.0, 1.0, 1.0, 0.5, 1.0]), 2), (3, 4));
        assert_eq!(span(&with([1.0, 0.4, 1.0, 0.5, 1.0]), 2), (2, 3));
        let flat = [(0.3, 2.0), (0.2, 2.0), (0.1, 2.0), (0.2, 1.0), (0.3, 1.0)];
        assert_eq!(span(&flat, 3), (3, 5));
    }

    #[test]
    fn too_few_measurements_are_taken_together() {
        assert!(chosen(&[], 3).is_none());
        assert_eq!(span(&[(0.9, 0.0), (0.1, 0.0)], 5), (1, 2));
        assert_eq!(span(&[(0.9, 0.0), (0.1, 0.0)], 0), (1, 1));
    }

    proptest! {
        /// Weights are kept when the newest window is the best one, so the choice may go on to a
        /// newer measurement and never back to one whose weights are gone.
        #[test]
        fn the_choice_stays_or_becomes_the_newest(
            valid in prop::collection::vec(0_u8..6, 1..40), n in 1_usize..7,
        ) {
            let measured: Vec<(f64, f64)> = valid
                .iter()
                .zip(valid.iter().skip(1).chain([&3]))
                .map(|(v, l)| (f64::from(*v) / 19.0, f64::from(*l) / 7.0))
                .collect();
            let all = history(&measured);
            let mut kept = 0;
            for i in 1..=all.len() {
                let (window, point) = chosen(&all[..i], n).unwrap();
                prop_assert!(point.epoch == kept || point.epoch == all[i - 1].epoch);
                kept = point.epoch;
                // No other window has a larger sum, counted in whole numbers.
                let n = n.min(i);
                let sums = || valid[..i].windows(n).map(|w| w.iter().map(|v| u32::from(*v)).sum::<u32>());
                let at = point.epoch / 10 - n;
                prop_assert_eq!(sums().nth(at), sums().max());
                prop_assert_eq!(window.from / 10, at + 1);
            }
        }
    }
}
