//! Numbers that are exact as long as they can be.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_rational::Ratio;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::{MathsLimits, MathsValue, Wrong};

/// How far reals that are counted as equal may differ, as a part of the larger.
const NEAR: f64 = 1e-12;

/// A number.
#[derive(Clone, Debug)]
pub(super) enum Number {
    /// A fraction in lowest terms.
    Exact(Ratio<BigInt>),
    /// About 15 digits, and finite.
    Real(f64),
}

/// What a calculation has taken so far.
pub(super) struct Work {
    limits: MathsLimits,
    left: u64,
}

impl Work {
    /// Nothing is taken.
    pub(super) fn new(limits: &MathsLimits) -> Self {
        Self { limits: *limits, left: limits.steps }
    }

    /// How many bits a number may have.
    pub(super) fn bits(&self) -> u64 {
        (self.limits.digits as u64).saturating_mul(3322) / 1000 + 1
    }

    /// Takes steps.
    pub(super) fn take(&mut self, steps: u64) -> Result<(), Wrong> {
        self.left = self.left.checked_sub(steps).ok_or_else(|| {
            Wrong::new("the calculation takes too long", "take smaller numbers, or fewer")
        })?;
        Ok(())
    }

    /// Takes what an operation on two numbers takes.
    fn take_for(&mut self, one: &Number, two: &Number) -> Result<(), Wrong> {
        let words = (one.bits() + two.bits()) / 64 + 1;
        self.take(words.saturating_mul(words).saturating_mul(4))
    }

    /// Refuses a number that is too long.
    pub(super) fn check(&self, number: Number) -> Result<Number, Wrong> {
        match &number {
            Number::Exact(value)
                if value.numer().bits().max(value.denom().bits()) > self.bits() =>
            {
                Err(self.too_long())
            }
            Number::Real(value) if !value.is_finite() => Err(Wrong::new(
                "the result is no number, or too large for one",
                "take values for which it has a result",
            )),
            _ => Ok(number),
        }
    }

    /// Says that a number is too long.
    pub(super) fn too_long(&self) -> Wrong {
        Wrong::new(
            format!("the result is longer than {} digits", self.limits.digits),
            "take smaller numbers, or compare logarithms: ln(a) + ln(b)",
        )
    }

    /// The sum, difference or product.
    pub(super) fn simple(
        &mut self,
        sign: &str,
        one: &Number,
        two: &Number,
    ) -> Result<Number, Wrong> {
        self.take_for(one, two)?;
        let result = match (one, two) {
            (Number::Exact(one), Number::Exact(two)) => Number::Exact(match sign {
                "+" => one + two,
                "-" => one - two,
                _ => one * two,
            }),
            _ => {
                let (one, two) = (one.real()?, two.real()?);
                Number::Real(match sign {
                    "+" => one + two,
                    "-" => one - two,
                    _ => one * two,
                })
            }
        };
        self.check(result)
    }

    /// The quotient.
    pub(super) fn divide(&mut self, one: &Number, two: &Number) -> Result<Number, Wrong> {
        self.take_for(one, two)?;
        if two.is_zero() {
            return Err(Wrong::new("nothing can be divided by zero", "take another divisor"));
        }
        self.check(match (one, two) {
            (Number::Exact(one), Number::Exact(two)) => Number::Exact(one / two),
            _ => Number::Real(one.real()? / two.real()?),
        })
    }

    /// The quotient rounded towards less, and the rest, which has the divisor's sign.
    pub(super) fn divide_whole(
        &mut self,
        one: &Number,
        two: &Number,
    ) -> Result<(Number, Number), Wrong> {
        let whole = self.divide(one, two)?.floor();
        let product = self.simple("*", &whole, two)?;
        let rest = self.simple("-", one, &product)?;
        Ok((whole, rest))
    }

    /// A power.
    pub(super) fn power(&mut self, base: &Number, exponent: &Number) -> Result<Number, Wrong> {
        if let (Number::Exact(base), Number::Exact(exponent)) = (base, exponent) {
            if exponent.is_integer() {
                return self.whole_power(base, exponent.numer());
            }
            // A root that comes out even, such as 8^(2/3).
            if let Some(degree) = exponent.denom().to_u32()
                && !base.is_negative()
                && let Some(root) = self.exact_root(base, degree)?
            {
                return self.whole_power(&root, exponent.numer());
            }
        }
        let (base, exponent) = (base.real()?, exponent.real()?);
        if base < 0.0 && exponent.fract() != 0.0 {
            return Err(Wrong::new(
                "a power of a negative number with a fraction above has no real value",
                "take a whole exponent, or a base of 0 or more",
            ));
        }
        if base == 0.0 && exponent < 0.0 {
            return Err(Wrong::new("nothing can be divided by zero", "take another base"));
        }
        self.check(Number::Real(base.powf(exponent)))
    }

    fn whole_power(&mut self, base: &Ratio<BigInt>, exponent: &BigInt) -> Result<Number, Wrong> {
        if base.is_zero() && exponent.is_negative() {
            return Err(Wrong::new("nothing can be divided by zero", "take another base"));
        }
        if exponent.is_zero() || base.is_one() {
            return Ok(Number::Exact(Ratio::one()));
        }
        if base.is_zero() {
            return Ok(Number::Exact(Ratio::zero()));
        }
        if base.numer().magnitude().is_one() && base.denom().is_one() {
            let sign = if exponent.is_even() { 1 } else { -1 };
            return Ok(Number::Exact(Ratio::from_integer(BigInt::from(sign))));
        }
        let bits = base.numer().bits().max(base.denom().bits());
        let times = exponent.magnitude().to_u32().ok_or_else(|| self.too_long())?;
        if (bits - 1).saturating_mul(u64::from(times)) > self.bits() {
            return Err(self.too_long());
        }
        let words = bits.saturating_mul(u64::from(times)) / 64 + 1;
        self.take(words.saturating_mul(words).saturating_mul(2))?;
        let (above, below) = (base.numer().pow(times), base.denom().pow(times));
        let result = if exponent.is_negative() {
            if above.is_negative() {
                Ratio::new_raw(-below, -above)
            } else {
                Ratio::new_raw(below, above)
            }
        } else {
            Ratio::new_raw(above, below)
        };
        self.check(Number::Exact(result))
    }

    /// The root of a degree, if it is a fraction itself. The number must not be negative.
    pub(super) fn exact_root(
        &mut self,
        number: &Ratio<BigInt>,
        degree: u32,
    ) -> Result<Option<Ratio<BigInt>>, Wrong> {
        if degree == 0 {
            return Ok(None);
        }
        let words = number.numer().bits().max(number.denom().bits()) / 64 + 1;
        self.take(words.saturating_mul(words).saturating_mul(40))?;
        let (above, below) = (number.numer().nth_root(degree), number.denom().nth_root(degree));
        let is_root = |root: &BigInt, whole: &BigInt| {
            (root.bits().saturating_sub(1)).saturating_mul(u64::from(degree)) <= whole.bits()
                && root.pow(degree) == *whole
        };
        let is_exact = is_root(&above, number.numer()) && is_root(&below, number.denom());
        Ok(is_exact.then(|| Ratio::new_raw(above, below)))
    }

    /// How two numbers stand to each other. Reals count as equal if they nearly are.
    pub(super) fn compare(&mut self, one: &Number, two: &Number) -> Result<Ordering, Wrong> {
        self.take_for(one, two)?;
        if let (Number::Exact(one), Number::Exact(two)) = (one, two) {
            // The library's own comparison calls itself as often as a fraction is long.
            return Ok((one.numer() * two.denom()).cmp(&(two.numer() * one.denom())));
        }
        let (one, two) = (one.real()?, two.real()?);
        if (one - two).abs() <= NEAR * one.abs().max(two.abs()) {
            return Ok(Ordering::Equal);
        }
        Ok(one.partial_cmp(&two).unwrap_or(Ordering::Equal))
    }
}

impl Number {
    /// A whole number.
    pub(super) fn whole(number: impl Into<BigInt>) -> Self {
        Self::Exact(Ratio::from_integer(number.into()))
    }

    /// How long it is.
    fn bits(&self) -> u64 {
        match self {
            Self::Exact(value) => value.numer().bits() + value.denom().bits(),
            Self::Real(_) => 64,
        }
    }

    /// Whether it is zero.
    pub(super) fn is_zero(&self) -> bool {
        match self {
            Self::Exact(value) => value.is_zero(),
            Self::Real(value) => *value == 0.0,
        }
    }

    /// The number with the other sign.
    pub(super) fn negated(self) -> Self {
        match self {
            Self::Exact(value) => Self::Exact(-value),
            Self::Real(value) => Self::Real(-value),
        }
    }

    /// The largest whole number that is not larger.
    pub(super) fn floor(&self) -> Self {
        match self {
            Self::Exact(value) => Self::Exact(value.floor()),
            Self::Real(value) => whole_real(value.floor()),
        }
    }

    /// The whole number, if it is one.
    pub(super) fn as_whole(&self) -> Option<&BigInt> {
        match self {
            Self::Exact(value) if value.is_integer() => Some(value.numer()),
            _ => None,
        }
    }

    /// The number as about 15 digits.
    pub(super) fn real(&self) -> Result<f64, Wrong> {
        let value = match self {
            Self::Exact(value) => to_f64(value),
            Self::Real(value) => *value,
        };
        if value.is_finite() {
            return Ok(value);
        }
        Err(Wrong::new(
            "the number is too large to be used with numbers that are not exact",
            "take one below 10^308",
        ))
    }

    /// The value for who asked.
    pub(super) fn into_value(self) -> MathsValue {
        match self {
            Self::Exact(value) => MathsValue::Exact(value),
            Self::Real(value) => MathsValue::Real(value),
        }
    }
}

/// A whole real as an exact number where it is small enough to be one.
pub(super) fn whole_real(value: f64) -> Number {
    #[expect(clippy::cast_possible_truncation, reason = "looked at before")]
    if value.abs() < 9e15 { Number::whole(value as i64) } else { Number::Real(value) }
}

/// The nearest real, or one of the two nearest; infinite where it is too large.
pub(super) fn to_f64(value: &Ratio<BigInt>) -> f64 {
    let (above, below) = (value.numer().magnitude(), value.denom().magnitude());
    if above.is_zero() {
        return 0.0;
    }
    // So many bits that the quotient has at least 64.
    let shift =
        i64::try_from(below.bits()).unwrap_or(0) - i64::try_from(above.bits()).unwrap_or(0) + 65;
    let quotient = if shift >= 0 {
        (above << shift.unsigned_abs()) / below
    } else {
        above / (below << shift.unsigned_abs())
    };
    let mut real = quotient.to_f64().unwrap_or(f64::INFINITY);
    // In steps, as 2^-1074 is the smallest that there is.
    let mut left = -shift;
    while left != 0 {
        let step = left.clamp(-1000, 1000);
        real *= 2_f64.powi(i32::try_from(step).unwrap_or(0));
        left -= step;
        if real == 0.0 || real.is_infinite() {
            break;
        }
    }
    if value.numer().sign() == Sign::Minus { -real } else { real }
}
