//! The numbers of a training by their names: what each usually is, and what a person sets.

use anyhow::{Context as _, Result, bail};
use serde_json::{Map, Value};

/// A number's name, what it is, and its value where nobody says another.
pub(crate) type Usual = (&'static str, &'static str, f64);

/// The largest that is taken: a whole number up to there has its own 64 bits.
const MOST: f64 = 1e12;

/// Numbers with their values.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Numbers(Vec<(&'static str, f64)>);

impl Numbers {
    /// The usual ones, with those that are given as `name=number`.
    pub(crate) fn new(usual: impl IntoIterator<Item = Usual>, given: &[String]) -> Result<Self> {
        let usual: Vec<Usual> = usual.into_iter().collect();
        let mut numbers = Self(usual.iter().map(|(name, _, x)| (*name, *x)).collect());
        for pair in given {
            let (name, value) = pair
                .split_once('=')
                .with_context(|| format!("--set {pair}: give NAME=NUMBER, as in lr=0.001"))?;
            let value: Option<f64> = value.trim().parse().ok();
            let value = value
                .filter(|x| (0.0..=MOST).contains(x))
                .with_context(|| format!("--set {pair}: give a number from 0 to 10^12"))?;
            let Some(place) = numbers.0.iter_mut().find(|(known, _)| *known == name.trim()) else {
                let all: Vec<String> =
                    usual.iter().map(|(name, what, x)| format!("{name} ({what}; {x})")).collect();
                bail!("--set {pair}: there is no {name:?}; there are {}", all.join(", "));
            };
            place.1 = value;
        }
        Ok(numbers)
    }

    /// The one of that name; 0 for a name that is not known.
    pub(crate) fn get(&self, name: &str) -> f64 {
        self.0.iter().find(|(known, _)| *known == name).map_or(0.0, |(_, x)| *x)
    }

    /// One that counts.
    pub(crate) fn count(&self, name: &str) -> usize {
        self.get(name) as usize
    }

    /// One that is a share.
    pub(crate) fn share(&self, name: &str) -> f64 {
        self.get(name).clamp(0.0, 1.0)
    }

    /// All, for cards and checkpoints.
    pub(crate) fn all(&self) -> Map<String, Value> {
        self.0.iter().map(|(name, x)| ((*name).to_owned(), Value::from(*x))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_is_known_and_in_bounds() {
        let new = |given: &str| {
            let usual = [("lr", "learning rate", 0.5), ("steps", "steps", 3.0)];
            Numbers::new(usual, &[given.to_owned()])
        };
        let numbers = new(" steps = 7").unwrap();
        assert_eq!((numbers.count("steps"), numbers.get("lr"), numbers.get("x")), (7, 0.5, 0.0));
        assert_eq!(Value::Object(numbers.all()), serde_json::json!({"lr": 0.5, "steps": 7.0}));
        for (given, expected) in [
            ("steps", "give NAME=NUMBER"),
            ("steps=many", "give a number from 0"),
            ("steps=-1", "give a number from 0"),
            ("steps=inf", "give a number from 0"),
            ("stepps=1", "there are lr (learning rate; 0.5), steps (steps; 3)"),
        ] {
            let why = new(given).unwrap_err().to_string();
            assert!(why.contains(expected), "{why}");
        }
    }
}
