use proptest::prelude::*;

use super::*;

/// The inverse of a small matrix by Gauss and Jordan.
fn inverse(mut a: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = a.len();
    let unit = |i: usize| (0..n).map(move |j| f64::from(u8::from(i == j)));
    for (i, row) in a.iter_mut().enumerate() {
        row.extend(unit(i));
    }
    for i in 0..n {
        let best = (i..n).max_by(|x, y| a[*x][i].abs().total_cmp(&a[*y][i].abs())).unwrap();
        a.swap(i, best);
        let pivot = a[i][i];
        a[i].iter_mut().for_each(|x| *x /= pivot);
        let row = a[i].clone();
        for (j, other) in a.iter_mut().enumerate().filter(|(j, _)| *j != i) {
            let times = other[i];
            assert!(i != j);
            other.iter_mut().zip(&row).for_each(|(x, y)| *x -= times * y);
        }
    }
    a.into_iter().map(|row| row[n..].to_vec()).collect()
}

fn links() -> impl Strategy<Value = (usize, Vec<(usize, usize)>)> {
    (1..12_usize).prop_flat_map(|n| (Just(n), proptest::collection::vec((0..n, 0..n), 0..30)))
}

proptest! {
    #[test]
    fn intimacy_is_the_inverse((n, links) in links()) {
        let network = Links::new(n, links.clone());
        let mut a = vec![vec![0.0_f64; n]; n];
        for (i, j) in links.into_iter().filter(|(i, j)| i != j) {
            a[i][j] = 1.0;
            a[j][i] = 1.0;
        }
        let degree: Vec<f64> = a.iter().map(|r| r.iter().sum::<f64>().max(1.0)).collect();
        let mut system = vec![vec![0.0; n]; n];
        for i in 0..n {
            for j in 0..n {
                let one = f64::from(u8::from(i == j));
                system[i][j] = one - 0.85 * a[i][j] / (degree[i] * degree[j]).sqrt();
            }
        }
        let inverse = inverse(system);
        for (i, expected) in inverse.iter().enumerate() {
            let row = network.intimacy(i, 0.15);
            for j in 0..n {
                prop_assert!((row[j] - 0.15 * expected[j]).abs() < 1e-8, "{} {}", row[j], expected[j]);
            }
            // The closest are those of the largest numbers, never the node itself.
            let closest = network.closest(i, 3, 0.15);
            let least = closest.last().map_or(0.0, |c| c.1);
            for (j, x) in row.iter().enumerate().filter(|(j, _)| *j != i) {
                let is_in = closest.iter().any(|c| c.0 as usize == j);
                prop_assert!(is_in || *x <= least + 1e-8 || closest.len() < 3 && *x < 1e-8);
            }
        }
    }

    #[test]
    fn hops_are_the_shortest_ways((n, links) in links()) {
        let network = Links::new(n, links.clone());
        let mut far = vec![vec![usize::MAX / 4; n]; n];
        (0..n).for_each(|i| far[i][i] = 0);
        links.iter().filter(|(i, j)| i != j).for_each(|(i, j)| { far[*i][*j] = 1; far[*j][*i] = 1; });
        for k in 0..n { for i in 0..n { for j in 0..n {
            far[i][j] = far[i][j].min(far[i][k] + far[k][j]);
        } } }
        let all: Vec<u32> = (0..n as u32).collect();
        for (i, row) in far.iter().enumerate() {
            let expected: Vec<Option<usize>> =
                row.iter().map(|d| (*d < usize::MAX / 4).then_some(*d)).collect();
            prop_assert_eq!(network.hops(i, &all), expected);
        }
    }

    #[test]
    fn mixed_features_are_the_product((n, links) in links()) {
        let network = Links::new(n, links);
        let features: Vec<Features> =
            (0..n).map(|i| vec![(i as u32 % 3, 1.0 + i as f32), (5, 0.5)]).collect();
        for i in 0..n {
            let mixed = network.mixed(i, &features);
            for f in 0..6_u32 {
                let mut sum = 0.0;
                for (j, own) in features.iter().enumerate() {
                    let linked = i == j || network.around(i).contains(&(j as u32));
                    let d = |k: usize| network.around(k).len() as f32 + 1.0;
                    let x = own.iter().find(|(g, _)| *g == f).map_or(0.0, |x| x.1);
                    if linked { sum += x / d(i).sqrt() / d(j).sqrt(); }
                }
                let found = mixed.iter().find(|(g, _)| *g == f).map_or(0.0, |x| x.1);
                prop_assert!((found - sum).abs() < 1e-4);
            }
        }
    }

    /// Codes do not hang on how nodes are numbered, and one round tells degrees apart.
    #[test]
    fn codes_follow_the_surroundings((n, links) in links(), turn in 0..12_usize) {
        let turned = |i: usize| (i + turn) % n;
        let network = Links::new(n, links.clone());
        let other = Links::new(n, links.into_iter().map(|(a, b)| (turned(a), turned(b))));
        let ones = vec![1; n];
        let codes = Codes::learn(&[(&network, &ones)], 3);
        let (ours, theirs) = (codes.of(&network, &ones), codes.of(&other, &ones));
        (0..n).for_each(|i| assert_eq!(ours[i], theirs[turned(i)]));
        let one = Codes::learn(&[(&network, &ones)], 1);
        let of = one.of(&network, &ones);
        for i in 0..n { for j in 0..n {
            let same = network.around(i).len() == network.around(j).len();
            prop_assert_eq!(of[i] == of[j], same);
        } }
        let back: Codes = serde_json::from_str(&serde_json::to_string(&codes).unwrap()).unwrap();
        prop_assert_eq!(back, codes);
    }
}

#[test]
fn what_was_not_met_has_code_0() {
    let path = Links::new(3, [(0, 1), (1, 2)]);
    let codes = Codes::learn(&[(&path, &[1, 1, 1])], 1);
    let star = Links::new(4, [(0, 1), (0, 2), (0, 3)]);
    assert_eq!(codes.of(&star, &[1; 4]), [0, 1, 1, 1]);
    assert_eq!(codes.n_codes(), 3);
    assert!(serde_json::from_str::<Codes>("[[[1,2],[1,1]]]").is_err());
}
