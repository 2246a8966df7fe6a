//! How well communities fit the classes of their members.

use std::collections::BTreeMap;

/// How well two partitions of the same things agree, each from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agreement {
    /// Normalised mutual information, by the mean of both entropies: 0 where one says nothing of the
    /// other, 1 where they are the same. Two partitions of one part each are the same.
    pub information: f64,
    /// The share of things whose class is the most common one of their community. It grows with the
    /// number of communities, and is 1 where each thing has its own.
    pub purity: f64,
}

/// Compares communities with classes, each as the number of a part for each thing.
///
/// O(things · logarithm of the parts). With no thing at all both are 1.
pub fn agreement(communities: &[usize], classes: &[usize]) -> Agreement {
    let n = communities.len().min(classes.len());
    if n == 0 {
        return Agreement { information: 1.0, purity: 1.0 };
    }
    let (mut both, mut a, mut b) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    for (community, class) in communities.iter().zip(classes) {
        *both.entry((*community, *class)).or_insert(0_usize) += 1;
        *a.entry(*community).or_insert(0_usize) += 1;
        *b.entry(*class).or_insert(0_usize) += 1;
    }
    let total = n as f64;
    let entropy = |sizes: &BTreeMap<usize, usize>| -> f64 {
        sizes.values().map(|k| *k as f64 / total).map(|p| -p * p.ln()).sum()
    };
    let mutual: f64 = both
        .iter()
        .map(|((community, class), k)| {
            let (k, apart) = (*k as f64, a[community] as f64 * b[class] as f64);
            k / total * (k * total / apart).ln()
        })
        .sum();
    let mean = f64::midpoint(entropy(&a), entropy(&b));
    let information = if mean > 0.0 { (mutual / mean).clamp(0.0, 1.0) } else { 1.0 };
    let mut most: BTreeMap<usize, usize> = BTreeMap::new();
    for ((community, _), k) in &both {
        let of = most.entry(*community).or_insert(0);
        *of = (*of).max(*k);
    }
    Agreement { information, purity: most.values().sum::<usize>() as f64 / total }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// scikit-learn 1.9.1 says so (`normalized_mutual_info_score`).
    #[test]
    fn a_library_finds_the_same() {
        for (communities, classes, information) in [
            (&[0, 0, 1, 1][..], &[1, 1, 0, 0][..], 1.0),
            (&[0, 0, 0, 0], &[0, 1, 2, 3], 0.0),
            (&[0, 0, 1, 2, 2, 2, 1, 0], &[0, 0, 1, 1, 2, 2, 2, 0], 0.6193113011326309),
            (&[0, 1, 0, 1, 0, 1], &[0, 0, 0, 1, 1, 1], 0.08170416594551037),
        ] {
            let found = agreement(communities, classes).information;
            assert!((found - information).abs() < 1e-9, "{communities:?}: {found}");
        }
        assert_eq!(agreement(&[0, 0, 1, 1, 1], &[5, 6, 7, 7, 5]).purity, 0.6);
    }

    proptest! {
        /// By asking of each thing how much likelier its pair is than by chance, and of each how
        /// likely its part is.
        #[test]
        fn it_is_what_single_things_say(all in prop::collection::vec((0_usize..4, 0_usize..3), 1..40)) {
            let (a, b): (Vec<usize>, Vec<usize>) = all.iter().copied().unzip();
            let share = |is: &dyn Fn(&(usize, usize)) -> bool| {
                all.iter().filter(|one| is(one)).count() as f64 / all.len() as f64
            };
            let (mut mutual, mut entropies) = (0.0, 0.0);
            for (x, y) in &all {
                let (p, q) = (share(&|o| o.0 == *x), share(&|o| o.1 == *y));
                mutual += (share(&|o| o == &(*x, *y)) / (p * q)).ln();
                entropies -= (p.ln() + q.ln()) / 2.0;
            }
            let found = agreement(&a, &b);
            if entropies > 1e-9 {
                prop_assert!((found.information - mutual / entropies).abs() < 1e-9);
            } else {
                prop_assert_eq!(found.information, 1.0);
            }
            let right = all.iter().filter(|(x, y)| {
                let n = |class: usize| all.iter().filter(|o| **o == (*x, class)).count();
                (0..3).all(|other| n(other) < n(*y) || n(other) == n(*y) && other >= *y)
            });
            prop_assert!((found.purity - right.count() as f64 / all.len() as f64).abs() < 1e-12);
            // Names of parts say nothing.
            let turned: Vec<usize> = a.iter().map(|x| 9 - x).collect();
            let other = agreement(&turned, &b);
            prop_assert!((other.information - found.information).abs() < 1e-12);
        }
    }
}
