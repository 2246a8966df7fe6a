use std::collections::{BTreeMap, BTreeSet};

use graph::Graph;
use proptest::prelude::*;

use super::*;
use crate::toolformer::data::{Data, Network};
use crate::toolformer::hubs::{DatasetKind, Hubs};
use crate::toolformer::pack::{self, Card};

fn network(data: &Data) -> &Network {
    let Data::Network(network) = data else { panic!("a network") };
    network
}

/// By flood, over links in either direction.
fn is_connected(graph: &Graph) -> bool {
    let neighbours = around(graph);
    let (mut seen, mut todo) = (BTreeSet::from([0]), vec![0]);
    while let Some(at) = todo.pop() {
        todo.extend(neighbours[at].iter().filter(|&&n| seen.insert(n)));
    }
    seen.len() == graph.n_nodes()
}

fn around(graph: &Graph) -> Vec<Vec<usize>> {
    let place: BTreeMap<_, _> = graph.names().enumerate().map(|(i, n)| (n.clone(), i)).collect();
    let mut around = vec![Vec::new(); graph.n_nodes()];
    for edge in graph.edges() {
        let (a, b) = (place[edge.source], place[edge.target]);
        around[a].push(b);
        around[b].push(a);
    }
    around
}

fn most<'l>(labels: impl Iterator<Item = &'l str>) -> Option<&'l str> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    labels.for_each(|l| *counts.entry(l).or_default() += 1);
    counts.into_iter().max_by_key(|(_, n)| *n).map(|(l, _)| l)
}

fn labels(network: &Network) -> Vec<&str> {
    network.labels.iter().flatten().map(String::as_str).collect()
}

/// How often the label of most neighbours is right.
fn by_neighbours(network: &Network) -> f64 {
    let labels = labels(network);
    let around = around(&network.graph);
    let right = around
        .iter()
        .zip(&labels)
        .filter(|(others, label)| most(others.iter().map(|&o| labels[o])) == Some(**label));
    right.count() as f64 / labels.len() as f64
}

fn counts<'l>(labels: impl Iterator<Item = &'l str>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    labels.for_each(|l| *counts.entry(l.to_owned()).or_default() += 1);
    counts
}

#[test]
fn the_same_seed_makes_the_same_bytes_and_packs_hold_them() {
    type Make = fn(u64) -> Data;
    let all: [(DatasetKind, Make); 5] = [
        (DatasetKind::Bibliographic, |s| papers::make(90, s).unwrap()),
        (DatasetKind::Molecules, |s| molecules::make(20, s).unwrap()),
        (DatasetKind::Social, |s| village::make(40, s).unwrap()),
        (DatasetKind::Recommender, |s| films::make(20, 30, s).unwrap()),
        (DatasetKind::Knowledge, |s| family::make(9, s).unwrap()),
    ];
    for (kind, make) in all {
        let write = |seed| pack::write("x", "X", kind, &make(seed), &Card::default());
        assert_eq!(write(1), write(1));
        assert_ne!(write(1), write(2));
        let (_, back) = pack::read(&write(1)).unwrap();
        assert_eq!(back.profile(), make(1).profile());
    }
}

#[test]
fn the_hub_has_each_in_the_size_that_it_says() {
    let hubs = Hubs::new().unwrap();
    for (name, n_graphs, n_nodes) in [
        ("papers", 1, 600),
        ("Generated molecules", 150, 0),
        ("village", 1, 120),
        ("films", 1, 250),
    ] {
        let (_, _, data) = hubs.data(name).unwrap();
        let profile = data.profile();
        assert_eq!(profile.n_graphs, n_graphs, "{name}");
        assert!(n_nodes == 0 || profile.n_nodes == n_nodes, "{name}");
    }
    let Data::Knowledge(kg) = hubs.data("family").unwrap().2 else { panic!("facts") };
    assert!(kg.n_nodes() > 60 && kg.schema().edge_types().len() > 30, "{}", kg.n_nodes());
    assert!(kg.nodes().all(|node| !kg.id(node).contains(char::is_whitespace)));
}

/// Who guesses by one thing alone is right more often than by chance, and not always.
#[test]
fn fields_can_be_guessed_from_citations_and_from_words_and_not_always() {
    let data = papers::make(600, SEED).unwrap();
    let network = network(&data);
    assert!(is_connected(&network.graph));
    let labels = labels(network);
    assert!(counts(labels.iter().copied()).values().all(|n| (80..=120).contains(n)));
    let cited = by_neighbours(network);
    assert!((0.6..0.9).contains(&cited), "{cited}");
    // The field of most papers that share words, each word as much as it is rare.
    let mut having: Vec<Vec<usize>> = vec![Vec::new(); papers::WORDS];
    for (i, words) in network.features.iter().enumerate() {
        words.iter().for_each(|(w, _)| having[*w as usize].push(i));
    }
    let right = (0..600).filter(|&i| {
        let mut scores: BTreeMap<&str, f64> = BTreeMap::new();
        for (word, _) in &network.features[i] {
            let others = &having[*word as usize];
            for &other in others.iter().filter(|&&o| o != i) {
                *scores.entry(labels[other]).or_default() += 1.0 / others.len() as f64;
            }
        }
        let best = scores.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        best.is_some_and(|(label, _)| label == labels[i])
    });
    let words = right.count() as f64 / 600.0;
    assert!((0.5..0.95).contains(&words), "{words}");
}

/// Whether a nitrogen with two oxygens sits on a ring, looked for in the finished molecule.
fn sits_on_a_ring(network: &Network) -> bool {
    let around = around(&network.graph);
    let atom = |i: usize| network.features[i][0].0;
    // On a ring is who can be left by one bond and reached by another.
    let on_ring = |at: usize| {
        around[at].iter().any(|&first| {
            let (mut seen, mut todo) = (BTreeSet::from([at, first]), vec![first]);
            while let Some(here) = todo.pop() {
                for &next in &around[here] {
                    if next == at && here != first {
                        return true;
                    }
                    if seen.insert(next) {
                        todo.push(next);
                    }
                }
            }
            false
        })
    };
    (0..around.len()).any(|i| {
        let oxygens = around[i].iter().filter(|&&o| atom(o) == 2 && around[o].len() == 1);
        atom(i) == 1
            && oxygens.count() == 2
            && around[i].iter().any(|&c| atom(c) == 0 && on_ring(c))
    })
}

#[test]
fn what_a_molecule_does_follows_from_its_structure_and_not_from_its_atoms() {
    let Data::Set(all) = molecules::make(150, SEED).unwrap() else { panic!("a set") };
    let label = |m: &crate::toolformer::data::Member| m.label.clone().unwrap();
    let told = counts(all.iter().map(|m| m.label.as_deref().unwrap()));
    assert!(told.len() == 2 && told.values().all(|n| (60..=90).contains(n)), "{told:?}");
    let share = |says: &dyn Fn(&Network) -> bool| {
        let right = all.iter().filter(|m| says(&m.network) == (label(m) == "1")).count();
        right as f64 / all.len() as f64
    };
    let by_structure = share(&sits_on_a_ring);
    assert!((0.88..1.0).contains(&by_structure), "{by_structure}");
    let has_nitro = |n: &Network| {
        let atoms = |atom| n.features.iter().filter(|f| f[0].0 == atom).count();
        atoms(1) >= 1 && atoms(2) >= 2
    };
    let by_atoms = share(&has_nitro);
    assert!((0.5..0.75).contains(&by_atoms), "{by_atoms}");
    assert!(all.iter().all(|m| is_connected(&m.network.graph)));
}

#[test]
fn friends_are_mostly_of_the_circle() {
    let data = village::make(120, SEED).unwrap();
    let network = network(&data);
    assert!(is_connected(&network.graph));
    assert!(counts(labels(network).into_iter()).values().all(|n| *n == 20));
    let guessed = by_neighbours(network);
    assert!((0.8..=1.0).contains(&guessed), "{guessed}");
}

#[test]
fn users_like_what_is_known_and_what_fits_them() {
    let data = films::make(100, 150, SEED).unwrap();
    let graph = &network(&data).graph;
    let mut seen: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut ratings: BTreeMap<u64, usize> = BTreeMap::new();
    for edge in graph.edges() {
        let (user, film) = (edge.source.to_string(), edge.target.to_string());
        assert!(user.starts_with('u') && film.starts_with('i'));
        seen.entry(film).or_default().insert(user);
        *ratings.entry(edge.weight_or_one() as u64).or_default() += 1;
    }
    assert!(ratings.keys().copied().eq(1..=5) && ratings[&4] > ratings[&1], "{ratings:?}");
    // A user's film against one that the user has not seen: which of them more have seen.
    let n = |film: usize| seen.get(&format!("i{film}")).map_or(0, BTreeSet::len);
    let (mut won, mut all) = (0.0, 0.0);
    for user in (1..=100).map(|u| format!("u{u}")) {
        let has = |f: usize| seen.get(&format!("i{f}")).is_some_and(|s| s.contains(&user));
        for a in (1..=150).filter(|&f| has(f)) {
            for b in (1..=150).filter(|&f| !has(f)) {
                // Without the user's own view, which would give the answer away.
                won += match (n(a) - 1).cmp(&n(b)) {
                    std::cmp::Ordering::Greater => 1.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Less => 0.0,
                };
                all += 1.0;
            }
        }
    }
    let auc = won / all;
    assert!((0.6..0.9).contains(&auc), "popularity alone: {auc}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn whatever_the_seed_and_size(seed in any::<u64>(), n in 1_usize..60) {
        let papers = papers::make(n, seed).unwrap();
        prop_assert!(is_connected(&network(&papers).graph));
        prop_assert_eq!(network(&papers).features.len(), n);
        let village = village::make(n, seed).unwrap();
        prop_assert!(n < village::CIRCLES || is_connected(&network(&village).graph));
        let films = films::make(n, n, seed).unwrap();
        prop_assert!(network(&films).graph.edges().all(|e| (1.0..=5.0).contains(&e.weight_or_one())));
        let Data::Set(all) = molecules::make(n, seed).unwrap() else { panic!("a set") };
        prop_assert!(all.len() == n && all.iter().all(|m| is_connected(&m.network.graph)));
    }
}
