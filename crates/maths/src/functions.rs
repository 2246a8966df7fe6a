//! Functions and constants.

use std::cmp::Ordering;
use std::f64::consts;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::Ratio;
use num_traits::{One, Signed, Zero};

use super::Wrong;
use super::number::{Number, Work, to_f64, whole_real};
use super::show::small;

/// The names of all functions.
pub(super) const NAMES: &str = "abs, acos, asin, atan, atan2, cbrt, ceil, comb, cos, cosh, deg, exp, factorial, floor, gcd, lcm, ln, log, log10, log2, max, mean, median, min, mod, perm, product, pstdev, rad, root, round, sign, sin, sinh, sqrt, stdev, sum, tan, tanh, trunc, variance";

/// What a name stands for, if it is a constant.
pub(super) fn constant(name: &str) -> Option<Number> {
    match name {
        "pi" => Some(Number::Real(consts::PI)),
        "e" => Some(Number::Real(consts::E)),
        "tau" => Some(Number::Real(consts::TAU)),
        _ => None,
    }
}

/// Whether a name is one of a function.
pub(super) fn is_function(name: &str) -> bool {
    NAMES.split(", ").any(|known| known == name)
}

/// Calls a function.
pub(super) fn call(work: &mut Work, name: &str, values: &[Number]) -> Result<Number, Wrong> {
    work.take(1 + values.len() as u64)?;
    match name {
        "max" | "min" | "sum" | "product" | "mean" | "median" | "stdev" | "pstdev" | "variance"
        | "gcd" | "lcm" => return of_many(work, name, values),
        _ => {}
    }
    match (name, values) {
        ("abs", [Number::Exact(value)]) => Ok(Number::Exact(value.abs())),
        ("abs", [Number::Real(value)]) => Ok(Number::Real(value.abs())),
        ("sign", [value]) => Ok(Number::whole(match work.compare(value, &Number::whole(0))? {
            Ordering::Less => -1,
            Ordering::Equal => 0,
            Ordering::Greater => 1,
        })),
        ("floor", [value]) => Ok(value.floor()),
        ("ceil", [value]) => Ok(value.clone().negated().floor().negated()),
        ("trunc", [Number::Exact(value)]) => Ok(Number::Exact(value.trunc())),
        ("trunc", [Number::Real(value)]) => Ok(whole_real(value.trunc())),
        ("round", [value]) => round(work, value, &Number::whole(0)),
        ("round", [value, places]) => round(work, value, places),
        ("mod", [one, two]) => Ok(work.divide_whole(one, two)?.1),
        ("sqrt", [value]) => root(work, value, 2),
        ("cbrt", [value]) => root(work, value, 3),
        ("root", [value, degree]) => {
            let degree = degree.as_whole().and_then(small).filter(|degree| *degree > 0);
            let degree = degree.ok_or_else(|| {
                Wrong::new("the degree of a root must be a whole number from 1", "root(8, 3) is 2")
            })?;
            root(work, value, degree)
        }
        ("factorial", [value]) => factorial(work, value),
        ("comb", [n, k]) => choose(work, n, k, true),
        ("perm", [n, k]) => choose(work, n, k, false),
        ("log", [value, base]) => logarithm(work, value, base),
        ("log10", [value]) => logarithm(work, value, &Number::whole(10)),
        ("log2", [value]) => logarithm(work, value, &Number::whole(2)),
        ("ln", [value]) => {
            if is_one(value) {
                Ok(Number::whole(0))
            } else {
                Ok(Number::Real(ln(value)?))
            }
        }
        ("log", [_]) => {
            Err(Wrong::new("log needs its base", "write ln(x), log10(x), log2(x) or log(x, base)"))
        }
        ("atan2", [y, x]) => work.check(Number::Real(y.real()?.atan2(x.real()?))),
        (_, [value]) => of_real(work, name, value),
        _ => Err(Wrong::new(format!("{name} does not take {} values", values.len()), usage(name))),
    }
}

fn usage(name: &str) -> &'static str {
    match name {
        "round" => "write round(x) or round(x, places)",
        "log" => "write log(x, base)",
        "comb" | "perm" => "write it with two: how many there are, how many are taken",
        "mod" | "atan2" | "root" => "write it with two values",
        _ => "write it with one value",
    }
}

/// Functions of one number whose values are hardly ever exact.
fn of_real(work: &Work, name: &str, value: &Number) -> Result<Number, Wrong> {
    // At zero, most have exact values.
    if value.is_zero() {
        match name {
            "sin" | "tan" | "asin" | "atan" | "sinh" | "tanh" | "rad" | "deg" => {
                return Ok(Number::whole(0));
            }
            "cos" | "cosh" | "exp" => return Ok(Number::whole(1)),
            _ => {}
        }
    }
    let x = value.real()?;
    if matches!(name, "asin" | "acos") && !(-1.0..=1.0).contains(&x) {
        return Err(Wrong::new(format!("{name} takes values from -1 to 1"), "take one of those"));
    }
    work.check(Number::Real(match name {
        "sin" => x.sin(),
        "cos" => x.cos(),
        "tan" => x.tan(),
        "asin" => x.asin(),
        "acos" => x.acos(),
        "atan" => x.atan(),
        "sinh" => x.sinh(),
        "cosh" => x.cosh(),
        "tanh" => x.tanh(),
        "exp" => x.exp(),
        "rad" => x.to_radians(),
        "deg" => x.to_degrees(),
        _ => return Err(Wrong::new(format!("{name} does not take 1 value"), usage(name))),
    }))
}

fn of_many(work: &mut Work, name: &str, values: &[Number]) -> Result<Number, Wrong> {
    let Some((first, rest)) = values.split_first() else {
        return Err(Wrong::new(format!("{name} needs values"), format!("write {name}(1, 2, 3)")));
    };
    let count = Number::whole(values.len());
    match name {
        "max" | "min" => {
            let wanted = if name == "max" { Ordering::Greater } else { Ordering::Less };
            let mut best = first;
            for value in rest {
                if work.compare(value, best)? == wanted {
                    best = value;
                }
            }
            Ok(best.clone())
        }
        "sum" => fold(work, "+", values),
        "product" => fold(work, "*", values),
        "mean" => {
            let sum = fold(work, "+", values)?;
            work.divide(&sum, &count)
        }
        "median" => {
            let mut sorted: Vec<Number> = values.to_vec();
            let mut fault = None;
            sorted.sort_by(|one, two| {
                work.compare(one, two).unwrap_or_else(|wrong| {
                    fault = Some(wrong);
                    Ordering::Equal
                })
            });
            if let Some(wrong) = fault {
                return Err(wrong);
            }
            let middle = sorted.len() / 2;
            if sorted.len() % 2 == 1 {
                return Ok(sorted.swap_remove(middle));
            }
            let sum = work.simple("+", &sorted[middle - 1], &sorted[middle])?;
            work.divide(&sum, &Number::whole(2))
        }
        "stdev" | "pstdev" | "variance" => {
            let less = usize::from(name != "pstdev");
            if values.len() <= less {
                return Err(Wrong::new(
                    format!("{name} needs at least {} values", less + 1),
                    "pstdev takes one too",
                ));
            }
            let sum = fold(work, "+", values)?;
            let mean = work.divide(&sum, &count)?;
            let mut squares = Number::whole(0);
            for value in values {
                let off = work.simple("-", value, &mean)?;
                let square = work.simple("*", &off, &off)?;
                squares = work.simple("+", &squares, &square)?;
            }
            let variance = work.divide(&squares, &Number::whole(values.len() - less))?;
            if name == "variance" { Ok(variance) } else { root(work, &variance, 2) }
        }
        _ => {
            let mut result = whole(first, name)?.abs();
            for value in rest {
                let value = whole(value, name)?;
                let words = (result.bits() + value.bits()) / 64 + 1;
                work.take(words.saturating_mul(words).saturating_mul(8))?;
                result = if name == "gcd" { result.gcd(value) } else { result.lcm(value) };
                if result.bits() > work.bits() {
                    return Err(work.too_long());
                }
            }
            Ok(Number::whole(result))
        }
    }
}

fn fold(work: &mut Work, sign: &str, values: &[Number]) -> Result<Number, Wrong> {
    let mut result = Number::whole(u8::from(sign == "*"));
    for value in values {
        result = work.simple(sign, &result, value)?;
    }
    Ok(result)
}

fn whole<'a>(value: &'a Number, name: &str) -> Result<&'a BigInt, Wrong> {
    value.as_whole().ok_or_else(|| {
        Wrong::new(format!("{name} takes whole numbers"), "round it before, with round(x)")
    })
}

/// Rounds to places behind the point, halves away from zero.
fn round(work: &mut Work, value: &Number, places: &Number) -> Result<Number, Wrong> {
    let places = places.as_whole().and_then(|places| i32::try_from(places).ok());
    let places = places.filter(|places| places.abs() <= 1_000).ok_or_else(|| {
        Wrong::new("the number of places must be whole, from -1000 to 1000", "round(x, 2)")
    })?;
    let exact = match value {
        Number::Exact(value) => value.clone(),
        Number::Real(value) => Ratio::new(BigInt::from(0), BigInt::one()) + of_f64(*value),
    };
    let scale = work.power(&Number::whole(10), &Number::whole(places))?;
    let scaled = work.simple("*", &Number::Exact(exact), &scale)?;
    let Number::Exact(scaled) = scaled else { return Ok(scaled) };
    work.divide(&Number::Exact(scaled.round()), &scale)
}

/// The exact value of a real.
fn of_f64(value: f64) -> Ratio<BigInt> {
    let bits = value.to_bits();
    let exponent = i64::try_from(bits >> 52 & 0x7ff).unwrap_or(0);
    let fraction = bits & ((1 << 52) - 1);
    let (digits, exponent) =
        if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    let digits = BigInt::from(digits) * if value < 0.0 { -1 } else { 1 };
    let power = BigInt::one() << exponent.unsigned_abs();
    if exponent < 0 { Ratio::new(digits, power) } else { Ratio::from_integer(digits * power) }
}

fn root(work: &mut Work, value: &Number, degree: u32) -> Result<Number, Wrong> {
    let zero = Number::whole(0);
    let is_negative = work.compare(value, &zero)? == Ordering::Less;
    if is_negative && degree.is_even() {
        return Err(Wrong::new(
            "a negative number has no real root of an even degree",
            "take a number of 0 or more",
        ));
    }
    let positive = if is_negative { value.clone().negated() } else { value.clone() };
    let exact = match &positive {
        Number::Exact(value) => work.exact_root(value, degree)?,
        Number::Real(_) => None,
    };
    let result = match exact {
        Some(root) => Number::Exact(root),
        None => {
            let real = positive.real()?;
            Number::Real(match degree {
                2 => real.sqrt(),
                3 => real.cbrt(),
                _ => real.powf(1.0 / f64::from(degree)),
            })
        }
    };
    work.check(if is_negative { result.negated() } else { result })
}

/// The product of the whole numbers up to one.
pub(super) fn factorial(work: &mut Work, value: &Number) -> Result<Number, Wrong> {
    let number = value.as_whole().filter(|number| !number.is_negative()).ok_or_else(|| {
        Wrong::new("a factorial takes a whole number from 0", "write factorial(5) or 5!")
    })?;
    let number = small(number).ok_or_else(|| work.too_long())?;
    let mut result = BigInt::one();
    for factor in 2..=number {
        work.take(result.bits() / 64 + 1)?;
        result *= factor;
        if result.bits() > work.bits() {
            return Err(work.too_long());
        }
    }
    Ok(Number::whole(result))
}

/// In how many ways some are taken: with their order, or without.
fn choose(work: &mut Work, n: &Number, k: &Number, is_comb: bool) -> Result<Number, Wrong> {
    let name = if is_comb { "comb" } else { "perm" };
    let (n, mut k) = (whole(n, name)?.clone(), whole(k, name)?.clone());
    if n.is_negative() || k.is_negative() {
        return Err(Wrong::new(format!("{name} takes numbers from 0"), "write comb(5, 2)"));
    }
    if k > n {
        return Ok(Number::whole(0));
    }
    if is_comb && &k + &k > n {
        k = &n - &k;
    }
    let times = small(&k).ok_or_else(|| work.too_long())?;
    let mut result = BigInt::one();
    for step in 0..times {
        let words = (result.bits() + n.bits()) / 64 + 1;
        work.take(words.saturating_mul(4))?;
        result *= &n - BigInt::from(step);
        if is_comb {
            result /= step + 1;
        }
        if result.bits() > work.bits() {
            return Err(work.too_long());
        }
    }
    Ok(Number::whole(result))
}

fn is_one(value: &Number) -> bool {
    matches!(value, Number::Exact(value) if value.is_one())
}

/// The natural logarithm, also of numbers beyond 10^308.
fn ln(value: &Number) -> Result<f64, Wrong> {
    let wrong = || Wrong::new("only numbers above 0 have a logarithm", "take one of those");
    match value {
        Number::Real(value) if *value > 0.0 => Ok(value.ln()),
        Number::Exact(value) if value.is_positive() => {
            let near = to_f64(value);
            if near.is_finite() && near > 1e-300 {
                return Ok(near.ln());
            }
            let shift = value.numer().bits() as i64 - value.denom().bits() as i64;
            let power = Ratio::from_integer(BigInt::one() << shift.unsigned_abs());
            let scaled = if shift > 0 { value / power } else { value * power };
            Ok(to_f64(&scaled).ln() + shift as f64 * consts::LN_2)
        }
        _ => Err(wrong()),
    }
}

/// A logarithm; a whole one is exact.
fn logarithm(work: &mut Work, value: &Number, base: &Number) -> Result<Number, Wrong> {
    let (above, below) = (ln(value)?, ln(base)?);
    if below == 0.0 {
        return Err(Wrong::new("there is no logarithm to base 1", "take another base"));
    }
    let result = above / below;
    if let (Number::Exact(value), Number::Exact(_)) = (value, base)
        && result.abs() < 1e6
    {
        let near = whole_real(result.round());
        let power = work.power(base, &near);
        if let Ok(Number::Exact(power)) = power
            && (power.numer(), power.denom()) == (value.numer(), value.denom())
        {
            return Ok(near);
        }
    }
    work.check(if above.is_zero() { Number::whole(0) } else { Number::Real(result) })
}
