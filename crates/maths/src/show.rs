//! Values as text.

use std::fmt;

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::MathsValue;
use super::number::to_f64;

/// How many decimals a fraction has at most to be written with a point.
const DECIMALS: u32 = 30;

impl MathsValue {
    /// Whether the value is exact.
    pub fn is_exact(&self) -> bool {
        !matches!(self, Self::Real(_))
    }

    /// The value as a real number with about 15 digits; none for truths, and for numbers that are
    /// too large. In time that grows with the digits.
    pub fn to_f64(&self) -> Option<f64> {
        match self {
            Self::Exact(value) => Some(to_f64(value)).filter(|real| real.is_finite()),
            Self::Real(value) => Some(*value),
            Self::Truth(_) => None,
        }
    }
}

impl fmt::Display for MathsValue {
    /// Whole numbers with all digits, fractions with a point where they end and as `2/3` where
    /// not, others with 15 digits and `about` before. In time that grows with the square of the
    /// digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truth(is_so) => write!(f, "{is_so}"),
            Self::Real(value) => write!(f, "about {}", real(*value)),
            Self::Exact(value) if value.is_integer() => write!(f, "{}", value.numer()),
            Self::Exact(value) => match decimal(value) {
                Some(text) => f.write_str(&text),
                None => {
                    write!(f, "{}/{}", value.numer(), value.denom())?;
                    let near = to_f64(value);
                    if near.is_finite() && near != 0.0 {
                        write!(f, " (about {})", real(near))?;
                    }
                    Ok(())
                }
            },
        }
    }
}

/// A fraction with a point, if it ends.
fn decimal(value: &Ratio<BigInt>) -> Option<String> {
    let ten = BigInt::from(10);
    let mut scale = BigInt::one();
    for places in 1..=DECIMALS {
        scale *= &ten;
        if (&scale % value.denom()).is_zero() {
            let digits = (value.numer().abs() * (&scale / value.denom())).to_string();
            let places = places as usize;
            let digits = format!("{digits:0>width$}", width = places + 1);
            let (whole, rest) = digits.split_at(digits.len() - places);
            let sign = if value.is_negative() { "-" } else { "" };
            return Some(format!("{sign}{whole}.{rest}"));
        }
    }
    None
}

/// A real with 15 digits.
fn real(value: f64) -> String {
    let rounded: f64 = format!("{value:.14e}").parse().unwrap_or(value);
    if rounded != 0.0 && !(1e-5..1e15).contains(&rounded.abs()) {
        format!("{rounded:e}")
    } else {
        rounded.to_string()
    }
}

/// A number of a value, for arguments that must be small.
pub(super) fn small(value: &BigInt) -> Option<u32> {
    value.to_u32()
}
