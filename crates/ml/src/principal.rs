//! Principal components: the directions in which vectors differ most.

/// The mean of vectors, and the directions in which they differ most.
#[derive(Clone, Debug)]
pub struct Principal {
    mean: Vec<f64>,
    /// Each of length one, those with the largest spread first.
    directions: Vec<Vec<f64>>,
    /// How far the vectors spread along each: the variance.
    spreads: Vec<f64>,
}

impl Principal {
    /// The first `n` directions of some vectors of one length.
    ///
    /// The covariance is summed in the vectors' order and taken apart by Jacobi's method, so the
    /// same vectors give the same directions. O(vectors · d² + d³ log d) for d dimensions.
    pub fn of(vectors: &[Vec<f32>], n: usize) -> Self {
        let d = vectors.first().map_or(0, Vec::len);
        let count = vectors.len().max(1) as f64;
        let mut mean = vec![0.0; d];
        for vector in vectors {
            mean.iter_mut().zip(vector).for_each(|(m, x)| *m += f64::from(*x) / count);
        }
        let mut covariance = vec![vec![0.0; d]; d];
        let mut centred = vec![0.0; d];
        for vector in vectors {
            centred
                .iter_mut()
                .zip(vector)
                .zip(&mean)
                .for_each(|((c, x), m)| *c = f64::from(*x) - m);
            for (i, row) in covariance.iter_mut().enumerate() {
                let own = centred[i] / count;
                row[..=i].iter_mut().zip(&centred).for_each(|(sum, x)| *sum += own * x);
            }
        }
        for i in 0..d {
            let (above, below) = covariance.split_at_mut(i);
            for (j, row) in above.iter_mut().enumerate() {
                row[i] = below[0][j];
            }
        }
        let (spreads, directions) = eigen(covariance);
        let mut order: Vec<usize> = (0..d).collect();
        order.sort_by(|a, b| spreads[*b].total_cmp(&spreads[*a]).then(a.cmp(b)));
        order.truncate(n);
        Self {
            mean,
            directions: order.iter().map(|i| directions[*i].clone()).collect(),
            spreads: order.iter().map(|i| spreads[*i]).collect(),
        }
    }

    /// How far the vectors spread along each direction, the largest first.
    pub fn spreads(&self) -> &[f64] {
        &self.spreads
    }

    /// Where a vector lies along each direction, seen from the mean.
    pub fn project(&self, vector: &[f32]) -> Vec<f32> {
        let along = |direction: &Vec<f64>| {
            let from_mean = vector.iter().zip(&self.mean).map(|(x, m)| f64::from(*x) - m);
            from_mean.zip(direction).map(|(x, d)| x * d).sum::<f64>() as f32
        };
        self.directions.iter().map(along).collect()
    }
}

/// The eigenvalues of a symmetric matrix, each with its vector: Jacobi's method by rows. A vector's
/// sign is chosen so that its largest entry is positive.
fn eigen(mut a: Vec<Vec<f64>>) -> (Vec<f64>, Vec<Vec<f64>>) {
    let d = a.len();
    let mut vectors: Vec<Vec<f64>> =
        (0..d).map(|i| (0..d).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    let all: f64 = a.iter().flatten().map(|x| x * x).sum();
    // It converges quadratically: a dozen rounds are more than any matrix was seen to need.
    for _ in 0..30 {
        let off: f64 = (0..d).map(|i| a[i][..i].iter().map(|x| x * x).sum::<f64>()).sum();
        if off <= all * 1e-24 {
            break;
        }
        for p in 0..d {
            for q in p + 1..d {
                rotate(&mut a, &mut vectors, p, q);
            }
        }
    }
    for vector in &mut vectors {
        let largest = vector.iter().fold(0.0_f64, |m, x| if x.abs() > m.abs() { *x } else { m });
        if largest < 0.0 {
            vector.iter_mut().for_each(|x| *x = -*x);
        }
    }
    ((0..d).map(|i| a[i][i]).collect(), vectors)
}

/// Turns the plane of `p` and `q` until `a[p][q]` is 0.
fn rotate(a: &mut [Vec<f64>], vectors: &mut [Vec<f64>], p: usize, q: usize) {
    if a[p][q] == 0.0 {
        return;
    }
    let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    for row in a.iter_mut() {
        let (x, y) = (row[p], row[q]);
        row[p] = c * x - s * y;
        row[q] = s * x + c * y;
    }
    turn(a, p, q, c, s);
    turn(vectors, p, q, c, s);
}

fn turn(rows: &mut [Vec<f64>], p: usize, q: usize, c: f64, s: f64) {
    let (upper, lower) = rows.split_at_mut(q);
    for (x, y) in upper[p].iter_mut().zip(&mut lower[0]) {
        (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn points_on_a_line_spread_along_it() {
        let points: Vec<Vec<f32>> =
            (0..11).map(|i| vec![3.0 * i as f32 + 1.0, 4.0 * i as f32 - 2.0]).collect();
        let found = Principal::of(&points, 2);
        // Steps of 5 on the line; the variance of 0..=10 is 10.
        assert!((found.spreads()[0] - 250.0).abs() < 1e-9 && found.spreads()[1].abs() < 1e-9);
        let ends = (found.project(&points[0])[0], found.project(&points[10])[0]);
        assert!((ends.0 + 25.0).abs() < 1e-4 && (ends.1 - 25.0).abs() < 1e-4);
        assert!(Principal::of(&[], 3).project(&[]).is_empty());
    }

    proptest! {
        /// All directions together keep every distance, their spreads are those of the vectors,
        /// and no two of them have to do with each other.
        #[test]
        fn directions_are_a_turned_view_of_the_same_points(
            points in prop::collection::vec(prop::collection::vec(-2.0_f32..2.0, 5), 2..12)
        ) {
            let found = Principal::of(&points, 5);
            let seen: Vec<Vec<f32>> = points.iter().map(|p| found.project(p)).collect();
            let distance = |a: &[f32], b: &[f32]| -> f32 {
                a.iter().zip(b).map(|(x, y)| (x - y).powi(2)).sum::<f32>().sqrt()
            };
            for i in 0..points.len() {
                let (before, after) =
                    (distance(&points[0], &points[i]), distance(&seen[0], &seen[i]));
                prop_assert!((before - after).abs() < 1e-3);
            }
            let n = points.len() as f64;
            for i in 0..5 {
                for j in 0..5 {
                    let sum: f64 =
                        seen.iter().map(|p| f64::from(p[i]) * f64::from(p[j])).sum::<f64>() / n;
                    let expected = if i == j { found.spreads()[i] } else { 0.0 };
                    prop_assert!((sum - expected).abs() < 1e-4, "{i} {j}: {sum} {expected}");
                }
            }
            prop_assert!(found.spreads().windows(2).all(|w| w[0] >= w[1]));
        }
    }
}
