use super::*;
use ownmodel::Cache;
use ownmodel::{Config, OwnNetwork};

const SMALL: Config = Config { width: 16, n_layers: 2, n_heads: 2, n_place_heads: 1, hidden: 24 };

fn text(n: usize) -> LessonText {
    let tokens: Vec<u32> = (0..n as u32)
        .map(|i| match i % 7 {
            0 => 96 + 8,
            1 | 3 | 5 => 272 + (i * 5) % 64,
            2 | 4 => 336 + (i * 11) % 64,
            _ if i == 76 => 7,
            _ => 700 + i % 9,
        })
        .collect();
    let places = ownmodel::codec::places(&tokens);
    let is_own = (0..n).map(|i| i > n / 2 && i % 3 != 0).collect();
    LessonText { tokens, places, is_own }
}

#[test]
fn gradients_are_what_differences_say() {
    let learner = Learner::new(SMALL, 3);
    let slopes = learner.slopes();
    let weights = learner.weights();
    let text = text(90);
    let mut gradient = vec![0.0; weights.len()];
    slopes.learn(&weights, &text, &mut gradient);
    let mut checked = 0;
    for tensor in &slopes.layout.tensors {
        // Of each matrix the weights with the largest slopes: differences are exact enough there.
        let mut places: Vec<usize> = tensor.range().collect();
        places.sort_by(|a, b| gradient[*b].abs().total_cmp(&gradient[*a].abs()));
        for place in places.into_iter().take(4) {
            let by = 4e-3;
            let at = |change: f32| {
                let mut moved = weights.clone();
                moved[place] += change;
                slopes.measure(&moved, &text).loss
            };
            let slope = (at(by) - at(-by)) / (2.0 * f64::from(by));
            let own = f64::from(gradient[place]);
            assert!((slope - own).abs() < 0.02 * own.abs().max(0.05), "{place}: {slope} {own}");
            checked += 1;
        }
    }
    assert!(checked > 60);
}

#[test]
fn what_learns_and_what_answers_compute_the_same() {
    let learner = Learner::new(Config::default(), 5);
    let weights = learner.weights();
    let text = text(150);
    let outcome = learner.slopes().measure(&weights, &text);
    let network = OwnNetwork::new(Config::default(), weights).unwrap();
    let mut cache = Cache::new(network.config());
    let mut loss = 0.0;
    for i in 0..text.tokens.len() - 1 {
        let logits = network.forward(&mut cache, &text.tokens[i..=i]);
        if text.is_own[i + 1] {
            let most = logits.iter().fold(f32::MIN, |a, b| a.max(*b));
            let sum: f64 = logits.iter().map(|x| f64::from(x - most).exp()).sum();
            let right = text.tokens[i + 1];
            let weight = if right < 32 { 3.0 } else { 1.0 };
            loss += weight * (f64::from(most) + sum.ln() - f64::from(logits[right as usize]));
        }
    }
    assert!((loss - outcome.loss).abs() < 1e-3 * loss, "{loss} {}", outcome.loss);
}

#[test]
fn a_state_goes_on_in_the_bits() {
    let rates = Rates { rate: 1e-3, decay: 0.1 };
    let texts = [text(40), text(71), text(30)];
    let mut one = Learner::new(SMALL, 1);
    let before = one.step(&texts, rates);
    let mut two = Learner::new(SMALL, 9);
    assert!(two.set_state(one.n_steps(), one.state().map(<[f32]>::to_vec)));
    for _ in 0..3 {
        assert_eq!(one.step(&texts, rates), two.step(&texts, rates));
    }
    assert_eq!(one.weights(), two.weights());
    assert!(one.step(&texts, rates).loss < before.loss);
}

/// A network with more layers and a longer table says what the smaller one said.
#[test]
fn a_network_that_begins_as_another_says_the_same() {
    let weights: Vec<f32> =
        (0..SMALL.n_weights()).map(|i| ((i * 37 % 101) as f32 - 50.0) / 250.0).collect();
    let small = OwnNetwork::new(SMALL, weights).unwrap();
    let deep = Config { n_layers: 3, ..SMALL };
    let mut learner = Learner::new(deep, 5);
    learner.begin_as(&small, 1664).unwrap();
    let grown = OwnNetwork::new(deep, learner.weights()).unwrap();
    let tokens = &text(40).tokens;
    let of = |network: &OwnNetwork| {
        let logits = network.forward(&mut Cache::new(network.config()), tokens);
        // Numbers that may be names, and what the old table did not have, begin otherwise.
        logits.into_iter().take(400 + ownmodel::FIRST_NAMED as usize).collect::<Vec<f32>>()
    };
    for (a, b) in of(&small).into_iter().zip(of(&grown)) {
        assert!((a - b).abs() < 1e-3, "{a} {b}");
    }
    let wide = Config { width: 32, ..deep };
    let error = Learner::new(wide, 5).begin_as(&small, 1664).unwrap_err().to_string();
    assert!(error.contains("is not a part of"), "{error}");
}
