//! How far figures of the same thing lie apart.

/// The mean and the standard deviation (of a sample) of figures.
pub(crate) fn mean_and_deviation(all: &[f64]) -> (f64, f64) {
    let n = all.len() as f64;
    let mean = all.iter().sum::<f64>() / n.max(1.0);
    let squares: f64 = all.iter().map(|x| (x - mean).powi(2)).sum();
    (mean, if all.len() > 1 { (squares / (n - 1.0)).sqrt() } else { 0.0 })
}
