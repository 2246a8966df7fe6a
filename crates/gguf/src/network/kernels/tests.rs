use super::*;
use crate::file::Kind;
use crate::network::matrix::{Matrix, Numbers, unpack};
use candle_core::quantized::QTensor;
use candle_core::{Device, Tensor};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha12Rng;

const KINDS: [Kind; 11] = [
    Kind::F32,
    Kind::F16,
    Kind::Bf16,
    Kind::Q4_0,
    Kind::Q4_1,
    Kind::Q5_0,
    Kind::Q5_1,
    Kind::Q8_0,
    Kind::Q4K,
    Kind::Q5K,
    Kind::Q6K,
];

fn random(n: usize, seed: u64) -> Vec<f32> {
    let mut random = ChaCha12Rng::seed_from_u64(seed);
    (0..n).map(|_| random.random::<f32>() * 2.0 - 1.0).collect()
}

fn stored(kind: Kind, numbers: &[f32]) -> Vec<u8> {
    let tensor = Tensor::from_slice(numbers, numbers.len(), &Device::Cpu).unwrap();
    QTensor::quantize(&tensor, kind.candle()).unwrap().data().unwrap().into_owned()
}

fn matrix(kind: Kind, bytes: &[u8], n_cols: usize, n_rows: usize) -> Matrix {
    let tensor = crate::file::TensorInfo { n_cols, n_rows, kind, offset: 0, n_bytes: 0 };
    let mut matrix = Matrix::with_room(&tensor);
    matrix.push(kind, bytes).unwrap();
    matrix
}

#[test]
fn rows_are_what_candle_unpacks() {
    for kind in KINDS {
        let bytes = stored(kind, &random(3 * 512, 1));
        let theirs = unpack(kind, &bytes).unwrap();
        let matrix = matrix(kind, &bytes, 512, 3);
        let most = match kind {
            Kind::Q5_1 | Kind::Q5K | Kind::Q6K => 1.1 / 254.0,
            Kind::Q4K => 2e-3,
            _ => 0.0,
        };
        for row in 0..3 {
            let mut ours = vec![0.0; 512];
            matrix.row(row, &mut ours);
            for (a, b) in ours.iter().zip(&theirs[row * 512..]) {
                assert!((a - b).abs() <= most, "{kind:?} {a} {b}");
            }
        }
    }
}

#[test]
fn every_level_computes_the_same() {
    let mut levels = vec![Level::Portable];
    #[cfg(target_arch = "x86_64")]
    match Level::best() {
        Level::Vnni => levels.extend([Level::Avx2, Level::Vnni]),
        Level::Avx2 => levels.push(Level::Avx2),
        Level::Portable => {}
    }
    for (kind, n_tokens) in [(Kind::Q4_1, 1), (Kind::Q4_1, 7), (Kind::Q8_0, 1), (Kind::Q8_0, 6)] {
        let (n_cols, n_rows) = (288, 5);
        let bytes = stored(kind, &random(n_cols * n_rows, 2));
        let matrix = matrix(kind, &bytes, n_cols, n_rows);
        let inputs = Inputs::new(random(n_cols * n_tokens, 3), n_cols);
        for &level in &levels {
            let mut out = vec![0.0; n_rows * n_tokens];
            match &matrix.numbers {
                Numbers::Nibbles { quants, scales, mins } => {
                    nibbles(level, (quants, scales, mins), 0..n_rows, &inputs, &mut out);
                }
                Numbers::Bytes { quants, scales } => {
                    super::bytes(level, (quants, scales), 0..n_rows, &inputs, &mut out);
                }
                _ => unreachable!(),
            }
            for row in 0..n_rows {
                let mut weights = vec![0.0; n_cols];
                matrix.row(row, &mut weights);
                for t in 0..n_tokens {
                    // What the product is of the inputs as they were rounded.
                    let rounded = inputs.quants[t * n_cols..].iter().enumerate().map(|(i, q)| {
                        f64::from(*q) * f64::from(inputs.scales[(t * n_cols + i) / BLOCK])
                    });
                    let exact: f64 =
                        weights.iter().zip(rounded).map(|(w, x)| f64::from(*w) * x).sum();
                    let found = f64::from(out[row * n_tokens + t]);
                    assert!((found - exact).abs() < 1e-4, "{kind:?} {level:?} {found} {exact}");
                }
            }
        }
    }
}

#[test]
fn numbers_of_16_bits_widen_as_they_should() {
    let all: Vec<u16> = (0..=u16::MAX).filter(|h| h & 0x7c00 != 0x7c00).collect();
    for level in [Level::Portable, Level::best()] {
        let mut wide = vec![0.0; all.len()];
        widen(level, &all, &mut wide);
        for (h, x) in all.iter().zip(&wide) {
            assert_eq!(half::f16::from_bits(*h).to_f32().to_bits(), x.to_bits(), "{h:x}");
        }
    }
}

#[test]
fn weights_add_up_and_are_right() {
    let mut x = [1.0, 2.0, -80.0, 3.0];
    softmax(Level::best(), &mut x);
    let all: f64 = [1.0_f64, 2.0, -80.0, 3.0].iter().map(|x| x.exp()).sum();
    for (found, x) in x.iter().zip([1.0_f64, 2.0, -80.0, 3.0]) {
        assert!((f64::from(*found) - x.exp() / all).abs() < 1e-7);
    }
    let mut gate = [0.5, -3.0];
    swiglu(Level::best(), &mut gate, &[2.0, 1.0]);
    assert!((gate[0] - 1.0 / (1.0 + (-0.5_f32).exp())).abs() < 1e-6);
    assert!((gate[1] + 3.0 / (1.0 + 3.0_f32.exp())).abs() < 1e-6);
}

#[test]
fn every_level_looks_back_the_same() {
    for level in [Level::Portable, Level::best()] {
        // Whole registers, some of them, and numbers beside them.
        for width in [8, 64, 80, 128, 10, 1] {
            let n = 7;
            let (query, keys) = (random(width, 4), random(width * n, 5));
            let mut found = vec![0.0; n];
            scores(level, &query, &keys, 0.5, &mut found);
            for (found, key) in found.iter().zip(keys.chunks_exact(width)) {
                let exact: f64 =
                    key.iter().zip(&query).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
                assert!((f64::from(*found) - exact * 0.5).abs() < 1e-5, "{level:?} {width}");
            }
            let begun = random(width, 6);
            let mut sum = begun.clone();
            // More values than weights: a tile that is not full.
            blend(level, &found[..5], &keys, &mut sum);
            for (i, sum) in sum.iter().enumerate() {
                let exact: f64 = (0..5)
                    .map(|p| f64::from(found[p]) * f64::from(keys[p * width + i]))
                    .sum::<f64>()
                    + f64::from(begun[i]);
                assert!((f64::from(*sum) - exact).abs() < 1e-5, "{level:?} {width}");
            }
        }
    }
}
