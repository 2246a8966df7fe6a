use kg::KgBuilder;
use proptest::prelude::*;
use serde_json::Map;

use super::*;

/// Countries with capital and language, and which language is spoken in the capital, both ways: what
/// is held out follows from the other ways.
fn countries() -> Kg {
    let mut kg = KgBuilder::new("countries");
    for i in 0..30 {
        let [country, city, language] = ["country", "city", "language"].map(|k| format!("{k}{i}"));
        for name in [&country, &city, &language] {
            kg.node(name, "Thing", "", Map::new()).unwrap();
        }
        for (head, relation, tail) in [
            (&country, "capital", &city),
            (&city, "capital_of", &country),
            (&country, "speaks", &language),
            (&language, "spoken_in", &country),
            (&city, "hears", &language),
            (&language, "heard_in", &city),
        ] {
            kg.edge(head, relation, tail).unwrap();
        }
    }
    kg.build().unwrap()
}

/// A torus: `right` and `up` lead from each place to the next, `left` and `down` back.
fn torus() -> Kg {
    let (w, h) = (7, 6);
    let mut kg = KgBuilder::new("torus");
    let name = |x: usize, y: usize| format!("p{}_{}", x % w, y % h);
    for x in 0..w {
        for y in 0..h {
            kg.node(&name(x, y), "Place", "", Map::new()).unwrap();
        }
    }
    for x in 0..w {
        for y in 0..h {
            let (here, right, up) = (name(x, y), name(x + 1, y), name(x, y + 1));
            kg.edge(&here, "right", &right).unwrap();
            kg.edge(&right, "left", &here).unwrap();
            kg.edge(&here, "up", &up).unwrap();
            kg.edge(&up, "down", &here).unwrap();
        }
    }
    kg.build().unwrap()
}

fn settings(given: &[&str]) -> Numbers {
    let given: Vec<String> = given.iter().map(|s| (*s).to_owned()).collect();
    super::super::numbers_of("transe", "toy", &given).unwrap()
}

#[test]
fn what_was_planted_is_learned() {
    let experiment = TransE::new("toy", &countries(), &settings(&["dims=16", "lr=0.05"])).unwrap();
    let mut trainer = experiment.start(1, 0).unwrap();
    let before = trainer.figures().unwrap();
    for epoch in 1..=120 {
        trainer.epoch(epoch, &mut epoch_rng(1, 0, epoch)).unwrap();
    }
    let after = trainer.figures().unwrap();
    assert!(before[0].1 > 25.0 && after[0].1 < 8.0, "{before:?} {after:?}");
    assert!(after[3].1 > 0.8, "{after:?}");
    let bytes = experiment.file(&trainer.weights().unwrap()).unwrap();
    let model = ml::transe::TransE::new(ml::weights::ModelFile::read(&bytes).unwrap()).unwrap();
    let at = |name: &str| model.config.entities.place(name).unwrap();
    let capital = model.config.relations.place("capital").unwrap();
    let tails = model.tails(at("country3"), capital, 5);
    assert!(tails.iter().any(|(t, _)| *t == at("city3")), "{tails:?}");
}

#[test]
fn every_entity_keeps_a_fact_to_learn_from() {
    let kg = torus();
    let experiment = TransE::new("toy", &kg, &settings(&[])).unwrap();
    let n_all = kg.n_edges();
    assert_eq!(experiment.train.len() + experiment.valid.len() + experiment.test.len(), n_all);
    assert_eq!((experiment.valid.len(), experiment.test.len()), (n_all / 10, n_all / 10));
    for e in 0..kg.n_nodes() as u32 {
        assert!(experiment.train.iter().any(|f| f[0] == e || f[2] == e));
    }
    let known: HashSet<&Fact> = experiment.train.iter().collect();
    assert!(experiment.test.iter().chain(&experiment.valid).all(|f| !known.contains(f)));
}

#[test]
fn facts_between_the_same_two_stay_together_where_they_are_to() {
    let kg = countries();
    let of = |given: &str| TransE::new("toy", &kg, &settings(&[given])).unwrap();
    let ends = |all: &[Fact]| -> HashSet<(u32, u32)> {
        all.iter().map(|f| (f[0].min(f[2]), f[0].max(f[2]))).collect()
    };
    let (apart, mixed) = (of("apart=1"), of("apart=0"));
    for (experiment, is_apart) in [(&apart, true), (&mixed, false)] {
        let known = ends(&experiment.train);
        let away: Vec<_> = [&experiment.valid, &experiment.test].map(|p| ends(p)).to_vec();
        assert_eq!(away.iter().all(|a| a.is_disjoint(&known)), is_apart);
        assert_eq!(away[0].is_disjoint(&away[1]), is_apart);
        let [train, valid, test] = [&experiment.train, &experiment.valid, &experiment.test];
        assert_eq!(train.len() + valid.len() + test.len(), kg.n_edges());
        assert!(test.len() + 1 >= kg.n_edges() / 10 && test.len() <= kg.n_edges() / 10);
    }
    // Who follows inverse relations alone knows nearly all of the one and nothing of the other.
    let figure = |experiment: &TransE, name: &str| {
        let figures = experiment.start(1, 0).unwrap().figures().unwrap();
        figures.into_iter().find(|(n, _)| *n == name).unwrap().1
    };
    assert!(figure(&mixed, "rules: filtered Hits@1") > 0.8);
    assert!(figure(&apart, "rules: filtered Hits@1") < 0.2);
}

fn learning(experiment: &TransE, rng: &mut ChaCha8Rng) -> Learning<'static> {
    // The places are by chance; nothing of them is a unit.
    let experiment: &'static TransE = Box::leak(Box::new(TransE {
        dataset: experiment.dataset.clone(),
        config: experiment.config.clone(),
        settings: experiment.settings.clone(),
        train: experiment.train.clone(),
        valid: experiment.valid.clone(),
        test: experiment.test.clone(),
        tails: experiment.tails.clone(),
        heads: experiment.heads.clone(),
    }));
    let n = experiment.config.n_dims;
    let mut draw = |rows: usize| (0..rows * n).map(|_| rng.random::<f32>() * 2.0 - 1.0).collect();
    let entities = draw(experiment.config.entities.len());
    let relations = draw(experiment.config.relations.len());
    Learning { experiment, known: HashSet::new(), order: Vec::new(), entities, relations }
}

/// The step is the gradient, by differences of the loss.
#[test]
fn a_step_goes_down_the_gradient() {
    for norm in ["norm=1", "norm=2"] {
        let experiment = TransE::new("toy", &torus(), &settings(&["dims=3", norm])).unwrap();
        let start = learning(&experiment, &mut epoch_rng(2, 0, 0));
        let (fact, wrong, margin, lr) = ([0, 1, 5], [0, 1, 9], 9.0, 1e-3);
        let lost = |it: &Learning<'_>| f64::from(margin + it.distance(fact) - it.distance(wrong));
        let copy = || Learning {
            experiment: start.experiment,
            known: HashSet::new(),
            order: Vec::new(),
            entities: start.entities.clone(),
            relations: start.relations.clone(),
        };
        let mut stepped = copy();
        assert!((f64::from(stepped.step(fact, wrong, margin, lr)) - lost(&start)).abs() < 1e-6);
        for (part, len) in [(0, 12 * 3), (1, 4 * 3)] {
            for at in 0..len {
                let h = 2e-3_f32;
                let moved = |by: f32| {
                    let mut it = copy();
                    let of = if part == 0 { &mut it.entities } else { &mut it.relations };
                    of[at] += by;
                    lost(&it)
                };
                let slope = (moved(h) - moved(-h)) / (2.0 * f64::from(h));
                let (before, after) = match part {
                    0 => (start.entities[at], stepped.entities[at]),
                    _ => (start.relations[at], stepped.relations[at]),
                };
                let taken = f64::from(before - after) / f64::from(lr);
                assert!((slope - taken).abs() < 1e-2, "{norm} {part} {at}: {slope} {taken}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    /// Sorting all answers, without those that are right too, finds the same place.
    #[test]
    fn ranks_are_places_in_the_sorted_list(seed in 0..1000_u64) {
        let experiment = TransE::new("toy", &torus(), &settings(&["dims=2"])).unwrap();
        let mut it = learning(&experiment, &mut epoch_rng(seed, 0, 0));
        // Coarse places, so that some distances are the same.
        it.entities.iter_mut().for_each(|x| *x = (*x * 3.0).round() / 4.0);
        it.relations.iter_mut().for_each(|x| *x = (*x * 3.0).round() / 4.0);
        let all: HashSet<Fact> =
            experiment.train.iter().chain(&experiment.valid).chain(&experiment.test).copied().collect();
        for fact in experiment.test.iter().take(6) {
            let mut expected = [0.0, 0.0];
            for (which, is_filtered) in [(0, false), (1, true)] {
                for end in [0, 2] {
                    let mut list: Vec<(f32, bool)> = Vec::new();
                    for e in 0..experiment.config.entities.len() as u32 {
                        let mut other = *fact;
                        other[end] = e;
                        if other == *fact || !is_filtered || !all.contains(&other) {
                            list.push((it.distance(other), other == *fact));
                        }
                    }
                    list.sort_by(|a, b| a.0.total_cmp(&b.0));
                    let own = list.iter().find(|x| x.1).unwrap().0;
                    let first = list.iter().position(|x| x.0 == own).unwrap();
                    let last = list.iter().rposition(|x| x.0 == own).unwrap();
                    expected[which] += 1.0 + (first + last) as f64 / 2.0;
                }
            }
            let found = experiment.ranks(*fact, |fact| it.distance(fact));
            prop_assert_eq!([found[0].sum, found[1].sum], expected);
        }
    }
}

#[test]
fn steps_shrink_only_where_they_are_to() {
    let of = |given: &[&str], epoch| step_length(&settings(given), epoch);
    assert_eq!(of(&["lr=0.1", "epochs=10"], 10), 0.1);
    let shrinking = |epoch| of(&["lr=0.1", "epochs=10", "anneal=1"], epoch);
    let all: Vec<f64> = (1..=10).map(shrinking).collect();
    assert!((all[0] - 0.1).abs() < 1e-12 && (all[9] - 0.01).abs() < 1e-12, "{all:?}");
    assert!(
        all.windows(2).all(|w| (w[0] - w[1] - 0.01).abs() < 1e-12),
        "as much each time: {all:?}"
    );
    assert!(shrinking(50) >= 0.0, "never backwards");
}
