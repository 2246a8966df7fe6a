//! Which run is which.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use trace::bytes_hash;

/// A run's key: a finished run with it is never made again.
///
/// System, model and endpoint kind are part of the setup, whose hash stands here.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Key {
    /// The hash of the [`Setup`](systems::experiment::Setup).
    pub setup: String,
    /// The id of the case.
    #[serde(alias = "problem")]
    pub case: String,
    /// Which sample of it, counted from 0.
    #[serde(default)]
    pub sample: u32,
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.setup, self.case, self.sample)
    }
}

/// One part of `n` of a benchmark, for several machines.
///
/// Which part a run belongs to follows from its key alone, so that shards need not know of each
/// other and a shard that is started again does the same runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Which part, counted from 0.
    pub index: u32,
    /// The number of shards, at least 1.
    pub of: u32,
}

impl Shard {
    /// Whether a run is in this part.
    pub fn has(self, key: &Key) -> bool {
        Self::index_of(key, self.of) == self.index
    }

    /// The part of `of` that a run is in.
    pub fn index_of(key: &Key, of: u32) -> u32 {
        let hash = bytes_hash(key.to_string().as_bytes());
        // FNV's low bits mix better than its high ones; all of them fold in here.
        let number = u64::from_str_radix(&hash, 16).unwrap_or(0);
        let folded = (number ^ (number >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
        (folded % u64::from(of.max(1))) as u32
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is no shard: write i/n with 0 <= i < n, such as 0/4");
        let (index, of) = text.split_once('/').ok_or_else(wrong)?;
        let (index, of) = (index.parse().map_err(|_| wrong())?, of.parse().map_err(|_| wrong())?);
        if index < of { Ok(Self { index, of }) } else { Err(wrong()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_run_is_in_one_shard(problem in ".{0,12}", sample in 0u32..9, of in 1u32..20) {
            let key = Key { setup: "0123456789abcdef".into(), case: problem, sample };
            let n = (0..of).filter(|index| Shard { index: *index, of }.has(&key)).count();
            prop_assert_eq!(n, 1);
        }
    }

    #[test]
    fn shards_are_even() {
        let key = |i| Key { setup: "a".into(), case: format!("cycle-easy-{i}"), sample: 0 };
        for index in 0..4 {
            let n = (0..4000).filter(|i| Shard { index, of: 4 }.has(&key(*i))).count();
            assert!((900..1100).contains(&n), "{index} has {n}");
        }
    }

    #[test]
    fn a_shard_is_read_or_refused_in_words() {
        assert_eq!("1/4".parse(), Ok(Shard { index: 1, of: 4 }));
        for bad in ["", "1", "4/4", "0/0", "-1/4", "1/4/2"] {
            assert!(bad.parse::<Shard>().unwrap_err().contains("0/4"), "{bad}");
        }
    }
}
