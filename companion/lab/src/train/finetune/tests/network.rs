//! The network and its gradients, against others.

use super::*;

#[test]
fn what_learns_computes_what_answers_does() {
    for (architecture, has_head) in [("llama", false), ("llama", true), ("qwen2", true)] {
        let bytes = made(architecture, has_head);
        let network = network(&bytes);
        let adapters = Adapters::new(network.places(), 4, 8.0);
        let ours = network.next(&adapters, &adapters.start(1), &TOKENS).unwrap();
        let theirs = logits(&bytes, &TOKENS);
        // Keys and values have 16 bits there; logits spread over some 10.
        assert!(apart(&ours, &theirs) < 5e-3, "{architecture}: {}", apart(&ours, &theirs));
    }
}

#[test]
fn gradients_are_what_differences_say() {
    for architecture in ["llama", "qwen2"] {
        let network = network(&made(architecture, false));
        let adapters = Adapters::new(network.places(), 3, 6.0);
        let learned = moved(&adapters);
        let (one, two) = (example(&TOKENS, 3), example(&TOKENS[2..7], 2));
        let batch = [&one, &two];
        let mut gradient = vec![0.0; adapters.len()];
        let loss = network.learn(&adapters, &learned, &batch, Some(&mut gradient)).unwrap();
        assert_eq!(loss.n, 6 + 3);
        let mut n_checked = 0;
        for i in 0..adapters.places.len() {
            for range in [adapters.a(i), adapters.b(i)] {
                // The largest slopes: differences are exact enough there.
                let mut places: Vec<usize> = range.collect();
                places.sort_by(|a, b| gradient[*b].abs().total_cmp(&gradient[*a].abs()));
                for place in places.into_iter().take(2) {
                    let by = 2e-3;
                    let at = |change: f32| {
                        let mut moved = learned.clone();
                        moved[place] += change;
                        network.learn(&adapters, &moved, &batch, None).unwrap().sum
                    };
                    let slope = (at(by) - at(-by)) / (2.0 * f64::from(by));
                    let own = f64::from(gradient[place]);
                    assert!(
                        (slope - own).abs() < 0.03 * own.abs().max(0.05),
                        "{architecture}, {}, {place}: {slope} {own}",
                        adapters.places[i].name
                    );
                    n_checked += 1;
                }
            }
        }
        assert_eq!(n_checked, 2 * 2 * 7 * 2);
    }
}

/// There is no padding that could be seen: texts of other lengths beside a text change nothing of it.
#[test]
fn a_text_in_a_batch_is_what_it_is_alone() {
    let network = network(&made("llama", false));
    let adapters = Adapters::new(network.places(), 4, 8.0);
    let learned = moved(&adapters);
    let texts =
        [example(&TOKENS, 4), example(&TOKENS[3..6], 1), example(&[9, 8, 7, 6, 5, 4, 3], 3)];
    let of = |batch: &[&Example]| {
        let mut gradient = vec![0.0; adapters.len()];
        let loss = network.learn(&adapters, &learned, batch, Some(&mut gradient)).unwrap();
        (loss, gradient)
    };
    let (together, whole) = of(&[&texts[0], &texts[1], &texts[2]]);
    let (mut alone, mut sum) = (Loss::default(), vec![0.0_f32; adapters.len()]);
    for text in &texts {
        let (loss, gradient) = of(&[text]);
        alone.add(loss);
        sum.iter_mut().zip(gradient).for_each(|(sum, g)| *sum += g);
    }
    assert_eq!((together.n, together.n_right), (alone.n, alone.n_right));
    assert!((together.sum - alone.sum).abs() < 1e-3, "{together:?} {alone:?}");
    let most = whole.iter().fold(0.0_f32, |most, x| most.max(x.abs()));
    assert!(apart(&whole, &sum) < 1e-4 * most.max(1.0));
}
