use std::collections::BTreeMap;

use candle_core::{DType, Device, Tensor, Var};
use proptest::prelude::*;

use super::oracle::{Weights, encode};
use super::*;

fn sizes() -> Sizes {
    Sizes { hidden: 8, intermediate: 12, heads: 2, layers: 2, eps: 1e-12 }
}

/// Weights far enough from where training begins that each of them matters.
fn shaken(seed: u64, sizes: &Sizes, dtype: DType) -> (Seeded, Encoder) {
    let vars = Seeded::new(seed);
    let encoder = Encoder::load(sizes, &vars.builder(dtype)).unwrap();
    let shaker = Seeded::new(seed + 1).builder(dtype);
    for (name, var) in vars.all() {
        let by = Init::Uniform { lo: -0.6, up: 0.6 };
        let by = shaker.get_with_hints(var.shape().clone(), &name, by).unwrap();
        var.set(&(var.as_tensor() + by).unwrap()).unwrap();
    }
    (vars, encoder)
}

fn input(seed: u64, shape: (usize, usize, usize), dtype: DType) -> Tensor {
    let init = Init::Uniform { lo: -1.0, up: 1.0 };
    let x = Seeded::new(seed).builder(dtype).get_with_hints(shape, "x", init).unwrap();
    x.detach()
}

fn flat(x: &Tensor) -> Vec<f64> {
    x.to_dtype(DType::F64).unwrap().flatten_all().unwrap().to_vec1().unwrap()
}

fn draws(mut seed: u32) -> impl FnMut() -> u32 {
    move || {
        seed = seed.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        let mixed = ((seed >> ((seed >> 28) + 4)) ^ seed).wrapping_mul(277_803_737);
        (mixed >> 22) ^ mixed
    }
}

/// The same weights, which nobody trains.
fn frozen(vars: &Seeded, sizes: &Sizes, dtype: DType) -> Encoder {
    let tensors = vars.all().into_iter().map(|(name, var)| (name, var.as_detached_tensor()));
    let builder = VarBuilder::from_tensors(tensors.collect(), dtype, &Device::Cpu);
    Encoder::load(sizes, &builder).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// With gradients and without, and with a text that is only part of its row.
    #[test]
    fn they_compute_what_plain_loops_do(seed in 0_u64..1000, tokens in 1_usize..6, cut in 0_usize..5) {
        let sizes = sizes();
        let (vars, trained) = shaken(seed, &sizes, DType::F32);
        let weights: Weights =
            vars.all().into_iter().map(|(name, var)| (name, flat(var.as_tensor()))).collect();
        let x = input(seed, (2, tokens, 8), DType::F32);
        let cut = cut.min(tokens - 1);
        let seen: Vec<bool> = (0..2 * tokens).map(|i| i < 2 * tokens - cut).collect();
        let flags: Vec<f32> = seen.iter().map(|&s| f32::from(u8::from(s))).collect();
        let mask = hide(&Tensor::from_vec(flags, (2, tokens), &Device::Cpu).unwrap()).unwrap();
        let still = frozen(&vars, &sizes, DType::F32);
        let rows: Vec<Vec<f64>> = flat(&x).chunks(8).map(<[f64]>::to_vec).collect();
        let slow: Vec<f64> = (0..2)
            .flat_map(|text| {
                let of = text * tokens..(text + 1) * tokens;
                encode(&rows[of.clone()], &seen[of], &sizes, &weights)
            })
            .flatten()
            .collect();
        for encoder in [&trained, &still] {
            let found = encoder.forward(&x, Some(&mask), &mut NoDropout).unwrap();
            for (found, slow) in flat(&found).iter().zip(&slow) {
                prop_assert!((found - slow).abs() < 2e-5, "{found} {slow}");
            }
        }
        if cut == 0 {
            let bare = flat(&still.forward(&x, None, &mut NoDropout).unwrap());
            prop_assert!(bare.iter().zip(&slow).all(|(a, b)| (a - b).abs() < 2e-5));
        }
    }

    #[test]
    fn dropout_keeps_the_mean_and_the_share(seed in any::<u32>(), share in 0.05_f64..0.9) {
        let mut noise = Dropout::new(share, 0.0, draws(seed)).unwrap();
        let factors = noise.factors(DropoutPlace::Hidden, 20_000).unwrap();
        let mean = factors.iter().map(|&f| f64::from(f)).sum::<f64>() / 20_000.0;
        let gone = factors.iter().filter(|&&f| f == 0.0).count() as f64 / 20_000.0;
        prop_assert!((gone - share).abs() < 0.02 && (mean - 1.0).abs() < 0.2, "{gone} {mean}");
        prop_assert!(noise.factors(DropoutPlace::Attention, 10).is_none());
    }
}

/// Each weight of each tensor, and what goes in, with what is left out the same each time.
#[test]
fn the_gradients_are_those_of_finite_differences() {
    let sizes = Sizes { layers: 1, hidden: 4, intermediate: 5, ..sizes() };
    let (vars, encoder) = shaken(5, &sizes, DType::F64);
    let x = Var::from_tensor(&input(6, (1, 3, 4), DType::F64)).unwrap();
    let to = input(7, (1, 3, 4), DType::F64);
    let loss = || {
        let mut noise = Dropout::new(0.3, 0.2, draws(11)).unwrap();
        let out = encoder.forward(x.as_tensor(), None, &mut noise).unwrap();
        (out * &to).unwrap().sum_all().unwrap()
    };
    let value = || loss().to_scalar::<f64>().unwrap();
    let gradients = loss().backward().unwrap();
    let mut all = vars.all();
    all.push(("x".to_owned(), x.clone()));
    let mut largest = BTreeMap::new();
    for (name, var) in all {
        let gradient = flat(gradients.get(var.as_tensor()).unwrap_or_else(|| panic!("{name}")));
        let before = flat(var.as_tensor());
        for i in 0..before.len() {
            let at = |by: f64| {
                let mut moved = before.clone();
                moved[i] += by;
                var.set(&Tensor::from_vec(moved, var.shape(), &Device::Cpu).unwrap()).unwrap();
                value()
            };
            let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
            at(0.0);
            assert!((slope - gradient[i]).abs() < 1e-5, "{name}[{i}]: {slope} {}", gradient[i]);
            let most: &mut f64 = largest.entry(name.clone()).or_default();
            *most = most.max(slope.abs());
        }
    }
    // A bias of the keys adds the same to every score, so it alone changes nothing.
    for (name, slope) in largest {
        assert_eq!(slope > 1e-3, !name.ends_with("key.bias"), "{name} {slope}");
    }
}

#[test]
fn a_layer_alone_is_a_step_of_all() {
    let (_, encoder) = shaken(1, &sizes(), DType::F32);
    let x = input(2, (1, 3, 8), DType::F32);
    let mut noise = Dropout::new(0.5, 0.1, draws(3)).unwrap();
    let first = encoder.layers()[0].forward(&x, None, &mut noise).unwrap();
    let stepped = encoder.layers()[1].forward(&first, None, &mut noise).unwrap();
    let mut again = Dropout::new(0.5, 0.1, draws(3)).unwrap();
    let whole = encoder.forward(&x, None, &mut again).unwrap();
    assert_eq!(flat(&stepped), flat(&whole));
    assert_ne!(flat(&whole), flat(&encoder.forward(&x, None, &mut NoDropout).unwrap()));
    assert_eq!(encoder.layers().len(), 2);
}

#[test]
fn weights_begin_from_the_seed_and_their_names() {
    let start = |seed: u64| -> Vec<Vec<f64>> {
        let vars = Seeded::new(seed);
        Encoder::load(&sizes(), &vars.builder(DType::F32)).unwrap();
        vars.all().iter().map(|(_, var)| flat(var.as_tensor())).collect()
    };
    assert_eq!(start(3), start(3));
    assert_ne!(start(3), start(4));
    let vars = Seeded::new(9).builder(DType::F64);
    let normal = Init::Randn { mean: 2.0, stdev: 0.5 };
    let drawn = flat(&vars.get_with_hints(20_000, "a", normal).unwrap());
    let mean = drawn.iter().sum::<f64>() / 20_000.0;
    let spread = (drawn.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 20_000.0).sqrt();
    assert!((mean - 2.0).abs() < 0.02 && (spread - 0.5).abs() < 0.02, "{mean} {spread}");
    let other = flat(&vars.get_with_hints(20_000, "b", normal).unwrap());
    assert_ne!(drawn, other);
    assert_eq!(drawn, flat(&vars.get_with_hints(20_000, "a", normal).unwrap()));
    let wrong = vars.get_with_hints(7, "a", normal).unwrap_err().to_string();
    assert!(wrong.contains("a is [20000]"), "{wrong}");
}

#[test]
fn what_cannot_be_is_said() {
    let vars = Seeded::new(1).builder(DType::F32);
    let uneven = Encoder::load(&Sizes { heads: 3, ..sizes() }, &vars).unwrap_err().to_string();
    assert!(uneven.contains("8 numbers cannot be shared out among 3 heads"), "{uneven}");
    let missing =
        VarBuilder::from_tensors(std::collections::HashMap::new(), DType::F32, &Device::Cpu);
    let missing = Encoder::load(&sizes(), &missing).unwrap_err().to_string();
    assert!(missing.contains("encoder.layer.0.attention.self.query.weight"), "{missing}");
    let all = Dropout::new(0.1, 1.0, draws(1)).map(|_| ()).unwrap_err().to_string();
    assert_eq!(all, "the dropout of attention is 1; it should be from 0 to below 1");
}
