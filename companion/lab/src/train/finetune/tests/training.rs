//! Steps, accumulation, stops.

use std::path::Path;

use serde_json::json;

use super::*;

/// What a small training needs.
struct Small {
    network: Network,
    adapters: Adapters,
    examples: Vec<Example>,
}

impl Small {
    fn new() -> Self {
        let network = network(&made("llama", false));
        let adapters = Adapters::new(network.places(), 4, 8.0);
        let text = |seed: u64, n: usize| {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let tokens: Vec<u32> = (0..n).map(|_| rng.random_range(0..270)).collect();
            example(&tokens, n / 2)
        };
        let examples = (0..6).map(|i| text(i, 6 + 2 * i as usize)).collect();
        Self { network, adapters, examples }
    }

    fn with<T>(&self, set: &[&str], checkpoint: &Path, then: impl FnOnce(&Tuning<'_>) -> T) -> T {
        let set: Vec<String> = set.iter().map(ToString::to_string).collect();
        let settings = TuneSettings::new(&set).unwrap();
        let plan = Plan::new(&self.examples, &settings, 5);
        then(&Tuning {
            base: &self.network,
            adapters: &self.adapters,
            examples: &self.examples,
            held_out: &self.examples[..1],
            settings: &settings,
            plan: &plan,
            seed: 5,
            of: json!({ "settings": settings.all() }),
            checkpoint: checkpoint.to_owned(),
            checkpoint_s: 1e9,
            resumes: true,
            stop_after: None,
        })
    }
}

#[test]
fn four_batches_of_one_are_one_of_four() {
    let (small, folder) = (Small::new(), Folder::new());
    let learned = moved(&small.adapters);
    let of = |set: &[&str]| {
        small.with(set, &folder.join("none"), |tuning| {
            assert_eq!(tuning.plan.steps[0].len(), 4);
            tuning.gradient(&learned, &tuning.plan.steps[0]).unwrap()
        })
    };
    let (one, loss_1) = of(&["batch=1", "accumulate=4"]);
    let (four, loss_4) = of(&["batch=4", "accumulate=1"]);
    assert_eq!(loss_1.n, loss_4.n);
    assert!((loss_1.sum - loss_4.sum).abs() < 1e-3);
    let most = four.iter().fold(0.0_f32, |most, x| most.max(x.abs()));
    assert!(most > 0.1 && apart(&one, &four) < 1e-4 * most.max(1.0), "{most}");
}

const SET: [&str; 6] = ["batch=2", "accumulate=1", "epochs=3", "every=2", "lr=0.01", "warmup=2"];

#[test]
fn a_training_that_was_stopped_ends_with_the_same_weights() {
    let (small, folder) = (Small::new(), Folder::new());
    let (one, two) = (folder.join("one"), folder.join("two"));
    let straight = small.with(&SET, &one, |tuning| whole(tuning.run()));
    assert_eq!(straight.0.n_steps, 9);
    // Stopped twice, in the middle of an epoch and of a stretch between two measurements.
    for _ in 0..2 {
        let ended = small.with(&SET, &two, |tuning| {
            let tuning = Tuning {
                stop_after: Some(3),
                of: tuning.of.clone(),
                checkpoint: two.clone(),
                ..*tuning
            };
            tuning.run()
        });
        assert!(matches!(ended.unwrap(), TuneEnded::Stopped));
    }
    let refused = small.with(&SET, &two, |tuning| {
        let tuning =
            Tuning { resumes: false, of: tuning.of.clone(), checkpoint: two.clone(), ..*tuning };
        tuning.run().err().unwrap().to_string()
    });
    assert!(refused.contains("--resume"), "{refused}");
    let other = [&SET[..], &["lr=0.02"]].concat();
    let refused = small.with(&other, &two, |tuning| tuning.run().err().unwrap().to_string());
    assert!(refused.contains("other settings, data"), "{refused}");
    let stopped = small.with(&SET, &two, |tuning| whole(tuning.run()));
    assert_eq!(straight.0, stopped.0);
    let curve = |points: &[Point]| -> Vec<(usize, f64, Option<f64>)> {
        points.iter().map(|p| (p.step, p.loss, p.held_out)).collect()
    };
    assert_eq!(curve(&straight.1.points), curve(&stopped.1.points));
    assert_eq!(straight.1.points.len(), 5);
    assert!(straight.1.points[4].held_out < straight.1.points[0].held_out);
    // A checkpoint that is cut off or damaged is told from one of another kind.
    let bytes = std::fs::read(&two).unwrap();
    let refused = |bytes: &[u8]| {
        let path = folder.write("cut", bytes);
        small.with(&SET, &path, |tuning| tuning.run().err().unwrap().to_string())
    };
    for cut in [bytes.len() - 1, bytes.len() - 33, bytes.len() / 2, 60] {
        assert!(refused(&bytes[..cut]).contains("cut off or damaged"), "{cut}");
    }
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 1;
    assert!(refused(&damaged).contains("cut off or damaged"));
    assert!(refused(b"PK").contains("no checkpoint of such a training"));
}

#[test]
fn a_step_learns_from_every_example_once_an_epoch() {
    let small = Small::new();
    let settings = |set: &[&str]| {
        TuneSettings::new(&set.iter().map(ToString::to_string).collect::<Vec<_>>()).unwrap()
    };
    let plan = Plan::new(&small.examples, &settings(&["batch=2", "accumulate=2", "epochs=2"]), 1);
    assert_eq!(plan.steps.iter().map(Vec::len).collect::<Vec<_>>(), [4, 4, 4]);
    let all = plan.steps.concat();
    for epoch in all.chunks(6) {
        let mut epoch = epoch.to_vec();
        epoch.sort_unstable();
        assert_eq!(epoch, [0, 1, 2, 3, 4, 5]);
    }
    assert_ne!(all[..6], all[6..]);
    let bound = Plan::new(&small.examples, &settings(&["batch=1", "accumulate=1", "tokens=40"]), 1);
    assert!(bound.n_tokens <= 40 && bound.n_tokens > 20);
    assert_eq!(Plan::new(&small.examples, &settings(&["steps=2"]), 1).steps.len(), 2);
    let error = TuneSettings::new(&["lt=1".into()]).unwrap_err().to_string();
    assert!(error.contains("lr (learning rate"), "{error}");
    assert!(TuneSettings::new(&["batch=0".into()]).is_err());
    let settings = settings(&["lr=1", "warmup=4", "end=0.1"]);
    let rate = |step| settings.rates(step, 100).rate;
    assert!(rate(0) < 0.26 && rate(4) > 0.9 && (rate(99) - 0.109).abs() < 1e-9);
}
