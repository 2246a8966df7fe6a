use graph::Graph;
use proptest::prelude::*;

use super::*;

/// Two groups of users, each of which likes one half of the items, nearly always.
fn planted() -> Network {
    let mut graph = Graph::undirected();
    let mut rng = split_rng(7);
    for user in 0..24_usize {
        for item in 0..40_usize {
            let is_theirs = user % 2 == item % 2;
            if rng.random::<f64>() < if is_theirs { 0.6 } else { 0.02 } {
                graph.link(format!("u{user}").as_str(), format!("i{item}").as_str()).unwrap();
            }
        }
    }
    Network::from(graph)
}

fn settings(given: &[&str]) -> Numbers {
    let given: Vec<String> = given.iter().map(|s| (*s).to_owned()).collect();
    super::super::numbers_of("bpr", "toy", &given).unwrap()
}

#[test]
fn what_was_planted_is_learned() {
    let experiment = Bpr::new("toy", &planted(), &settings(&["dims=4", "test=3"])).unwrap();
    let mut trainer = experiment.start(3, 0).unwrap();
    let before = trainer.figures().unwrap();
    let unseen = |all: &[(&str, f64)]| all.iter().find(|(n, _)| *n == UNSEEN).unwrap().1;
    assert!(unseen(&before) < 0.6, "{before:?}");
    for epoch in 1..=60 {
        trainer.epoch(epoch, &mut epoch_rng(3, 0, epoch)).unwrap();
    }
    let figures = trainer.figures().unwrap();
    // No model can order the items of a group that it was not told of.
    assert!(unseen(&figures) > 0.75, "{figures:?}");
    let bytes = experiment.file(&trainer.weights().unwrap()).unwrap();
    let model = ml::bpr::Bpr::new(ml::weights::ModelFile::read(&bytes).unwrap()).unwrap();
    assert_eq!(model.config.users.len(), 24);
}

#[test]
fn nothing_is_in_two_parts_of_the_split() {
    let network = planted();
    let experiment = Bpr::new("toy", &network, &settings(&[])).unwrap();
    let mut all: Vec<(u32, u32)> = Vec::new();
    for part in [&experiment.train, &experiment.valid, &experiment.test] {
        all.extend(pairs(part));
    }
    let n = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!((n, all.len()), (network.graph.n_edges(), n));
    let names = experiment.split();
    assert_eq!(names.iter().map(|(_, t)| t.lines().count()).sum::<usize>(), n);
}

/// The step is the gradient, by differences of the loss.
#[test]
fn a_step_goes_down_the_gradient() {
    let experiment = Bpr::new("toy", &planted(), &settings(&["dims=3", "init=0.7"])).unwrap();
    let Ok(start) = experiment.start(5, 0) else { panic!() };
    let weights = start.weights().unwrap();
    let (user, liked, other, reg, lr) = (1, 2, 5, 0.3, 1e-3);
    let of = |weights: &Tensors| -> (Learning<'_>, f64) {
        let [users, items, bias] = [0, 1, 2].map(|i| weights[i].1.data.clone());
        let it = Learning {
            experiment: &experiment,
            train: Vec::new(),
            pairs: Vec::new(),
            users,
            items,
            bias,
        };
        let more = it.score(user, liked) - it.score(user, other);
        let n = 3;
        let square = |all: &[f32]| all.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>();
        let size = square(&it.users[user * n..][..n])
            + square(&it.items[liked * n..][..n])
            + square(&it.items[other * n..][..n])
            + square(&[it.bias[liked], it.bias[other]]);
        let lost = f64::from((1.0 + (-more).exp()).ln()) + f64::from(reg) / 2.0 * size;
        (it, lost)
    };
    let (mut stepped, _) = of(&weights);
    stepped.step(user, liked, other, lr, reg);
    let after = [&stepped.users, &stepped.items, &stepped.bias];
    for tensor in 0..3 {
        for (at, after) in after[tensor].iter().enumerate() {
            let h = 1e-2_f32;
            let moved = |by: f32| {
                let mut moved = weights.clone();
                moved[tensor].1.data[at] += by;
                of(&moved).1
            };
            let slope = (moved(h) - moved(-h)) / (2.0 * f64::from(h));
            let taken = f64::from(weights[tensor].1.data[at] - after) / f64::from(lr);
            assert!((slope - taken).abs() < 2e-3, "{tensor} {at}: {slope} {taken}");
        }
    }
}

#[test]
fn what_a_user_liked_last_is_the_test_where_the_split_is_by_time() {
    let mut network = planted();
    // The latest first, in the order of the links, with some in the same second.
    network.times = (0..network.graph.n_edges() as u64).map(|i| 1000 - i / 2).collect();
    let settings = settings(&["by_time=1", "test=3", "valid=2"]);
    let experiment = Bpr::new("toy", &network, &settings).unwrap();
    let time: std::collections::HashMap<(String, String), u64> = network
        .graph
        .edges()
        .zip(&network.times)
        .map(|(e, t)| ((e.source.to_string(), e.target.to_string()), *t))
        .collect();
    let times = |part: &[Vec<u32>], user: usize| -> Vec<u64> {
        let config = &experiment.config;
        let of = |i: &u32| {
            time[&(config.users.at(user).to_owned(), config.items.at(*i as usize).to_owned())]
        };
        part[user].iter().map(of).collect()
    };
    for user in 0..24 {
        let [train, valid, test] =
            [&experiment.train, &experiment.valid, &experiment.test].map(|part| times(part, user));
        assert!(valid.iter().min() >= train.iter().max(), "{user}: {train:?} {valid:?}");
        assert!(test.iter().min() >= valid.iter().max(), "{user}: {valid:?} {test:?}");
        assert!(test.len() == 3 && !valid.is_empty(), "{user}");
    }
    let told = Bpr::new("toy", &planted(), &settings).err().unwrap().to_string();
    assert!(told.contains("have no times; split it at random with --set by_time=0"), "{told}");
}

/// Every pair of an item to find and another, one by one: nothing of the test leaves the others when
/// the epoch is chosen, and popularity counts the training alone.
#[test]
fn validation_does_not_know_the_test() {
    let experiment = Bpr::new("toy", &planted(), &settings(&["dims=3"])).unwrap();
    let mut trainer = experiment.start(2, 0).unwrap();
    trainer.epoch(1, &mut epoch_rng(2, 0, 1)).unwrap();
    let weights = trainer.weights().unwrap();
    let score = |user: usize, item: usize| {
        let row = |tensor: usize, i: usize| &weights[tensor].1.data[i * 3..][..3];
        let dot: f32 = row(0, user).iter().zip(row(1, item)).map(|(a, b)| a * b).sum();
        weights[2].1.data[item] + dot
    };
    let counted =
        |find: &[Vec<u32>], without: &[&[Vec<u32>]], score: &dyn Fn(usize, usize) -> f32| {
            let (mut sum, mut n) = (0.0, 0.0);
            for (user, found) in find.iter().enumerate().filter(|(_, f)| !f.is_empty()) {
                let is_out = |i: u32| without.iter().any(|w| w[user].contains(&i));
                let others: Vec<u32> = (0..experiment.config.items.len() as u32)
                    .filter(|i| !found.contains(i) && !is_out(*i))
                    .collect();
                let mut won = 0.0;
                for (a, b) in found.iter().flat_map(|a| others.iter().map(move |b| (*a, *b))) {
                    let more = score(user, a as usize) - score(user, b as usize);
                    won += if more > 0.0 {
                        1.0
                    } else if more == 0.0 {
                        0.5
                    } else {
                        0.0
                    };
                }
                sum += won / (found.len() * others.len()) as f64;
                n += 1.0;
            }
            sum / n
        };
    let (train, valid, test) = (&experiment.train, &experiment.valid, &experiment.test);
    let measured = trainer.measure().unwrap();
    assert!((measured.valid - counted(valid, &[train], &score)).abs() < 1e-9);
    assert!((measured.test - counted(test, &[], &score)).abs() < 1e-9);
    let figures = trainer.figures().unwrap();
    let of = |name: &str| figures.iter().find(|(n, _)| *n == name).unwrap().1;
    assert!((of(UNSEEN) - counted(test, &[train, valid], &score)).abs() < 1e-9);
    let popular = |_: usize, item: usize| {
        train.iter().filter(|items| items.contains(&(item as u32))).count() as f32
    };
    assert!((of(POPULAR_UNSEEN) - counted(test, &[train, valid], &popular)).abs() < 1e-9);
    assert!((of("popularity: test AUC") - counted(test, &[], &popular)).abs() < 1e-9);
}

proptest! {
    /// Pairs counted one by one give the same.
    #[test]
    fn auc_is_the_share_of_ordered_pairs(
        all in proptest::collection::vec((0..6_i32, any::<bool>()), 0..30),
    ) {
        let all: Vec<(f32, bool)> = all.into_iter().map(|(s, r)| (s as f32, r)).collect();
        let (mut sum, mut n) = (0.0, 0.0);
        for right in all.iter().filter(|a| a.1) {
            for wrong in all.iter().filter(|a| !a.1) {
                n += 1.0;
                sum += if right.0 > wrong.0 { 1.0 } else if right.0 == wrong.0 { 0.5 } else { 0.0 };
            }
        }
        match auc_of(all, &mut 0.0) {
            Some(found) => prop_assert!((found - sum / n).abs() < 1e-12),
            None => prop_assert!(n == 0.0),
        }
    }
}
