#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod beat;
mod draw;

pub use beat::{Beat, RunStats, per_second};
pub use draw::{Draw, LikelyToken, Sampler, likeliest};

/// e to a power, within 2e-7 of it (relatively); in a shape that runs on many numbers at once.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    let x = x.clamp(-87.0, 88.0);
    let whole = (x * std::f32::consts::LOG2_E + 12_582_912.0) - 12_582_912.0;
    // The logarithm of 2 in two parts, so that nothing is lost of the rest.
    let rest = x - whole * 0.693_359_4 + whole * 2.121_944_4e-4;
    let mut sum = 1.987_569_1e-4;
    for factor in [1.398_2e-3, 8.333_452e-3, 4.166_579_6e-2, 0.166_666_65, 0.5] {
        sum = sum * rest + factor;
    }
    let sum = sum * rest * rest + rest + 1.0;
    f32::from_bits(((whole as i32 + 127) as u32) << 23) * sum
}

#[cfg(test)]
mod tests {
    use super::exp;

    #[test]
    fn a_power_of_e_is_near() {
        for i in -8_700..8_800 {
            let x = i as f32 / 100.0;
            let real = f64::from(x).exp();
            assert!((f64::from(exp(x)) / real - 1.0).abs() < 2e-7, "{x}");
        }
    }
}
