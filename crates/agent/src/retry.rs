//! When a question is asked again: a pure rule, without a clock and without chance.

/// How often and how patiently a question is asked again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RetryPolicy {
    /// Attempts in all, the first one counted.
    pub max_attempts: u32,
    /// The wait before the second attempt, in milliseconds; it doubles with each further one.
    pub first_wait_ms: u64,
    /// The longest wait. An endpoint that asks for more is not asked again.
    pub max_wait_ms: u64,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self { max_attempts: 4, first_wait_ms: 500, max_wait_ms: 60_000 }
    }
}

impl RetryPolicy {
    /// How long to wait after so many attempts have failed; `None` is to give up.
    ///
    /// `told_ms` is what the endpoint asks for, and is never undercut. The rest is a back-off whose
    /// upper half is spread by the seed, so that many pages that were turned away at once do not
    /// all come back at once.
    pub fn wait_ms(&self, failed: u32, seed: u64, told_ms: Option<u64>) -> Option<u64> {
        if failed >= self.max_attempts || told_ms.is_some_and(|ms| ms > self.max_wait_ms) {
            return None;
        }
        let doubled = failed.saturating_sub(1).min(32);
        let most = self.first_wait_ms.saturating_mul(1 << doubled).min(self.max_wait_ms);
        let spread = scatter(seed ^ u64::from(failed)) % (most / 2 + 1);
        let wait = most / 2 + spread;
        // A told time is spread upwards.
        Some(told_ms.map_or(wait, |told| told.saturating_add(spread.min(1000))))
    }
}

/// A number that looks like chance and is not (the finaliser of splitmix64).
fn scatter(seed: u64) -> u64 {
    let mut x = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// A seed out of a text.
pub(crate) fn seed_of(text: &str) -> u64 {
    text.bytes().fold(0, |h, b| scatter(h ^ u64::from(b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn waits_double_within_bounds_and_keep_to_what_was_told(
            seed in any::<u64>(), told in prop::option::of(0u64..100_000),
        ) {
            let policy = RetryPolicy::default();
            for failed in 1..6 {
                let wait = policy.wait_ms(failed, seed, told);
                prop_assert_eq!(wait, policy.wait_ms(failed, seed, told), "the same seed waits the same");
                let gives_up = failed >= 4 || told.is_some_and(|ms| ms > 60_000);
                prop_assert_eq!(wait.is_none(), gives_up);
                let Some(wait) = wait else { continue };
                match told {
                    Some(told) => prop_assert!(wait >= told && wait <= told + 1000),
                    None => {
                        let most = 500 << (failed - 1);
                        prop_assert!(wait >= most / 2 && wait <= most, "{} after {}", wait, failed);
                    }
                }
            }
        }
    }

    #[test]
    fn pages_that_were_turned_away_at_once_come_back_apart() {
        let policy = RetryPolicy::default();
        let waits: std::collections::BTreeSet<_> =
            (0..100).filter_map(|seed| policy.wait_ms(3, seed, None)).collect();
        assert!(waits.len() > 80, "{waits:?}");
    }
}
