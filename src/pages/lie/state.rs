//! What the page Catch the lie holds: the round that is played.

use leptos::prelude::*;

use crate::routes;
use crate::shell::Shell;
use crate::state::lie::Round;
use crate::workbench::recorded::Recorded;

/// The key of the seed in addresses.
pub(super) const SEED: &str = "seed";
/// A round that nobody asked for has a seed below this: short enough to say it to a class.
const MOST_SEEDS: f64 = 10_000.0;

#[derive(Clone, Copy)]
pub(super) struct PageState {
    pub(super) shell: Shell,
    pub(super) recorded: Recorded,
    /// The seed of the round.
    pub(super) seed: RwSignal<u64>,
    pub(super) round: RwSignal<Round>,
}

impl PageState {
    pub(super) fn new(shell: Shell) -> Self {
        let recorded = Recorded::of(shell);
        let state = Self {
            shell,
            recorded,
            seed: RwSignal::new((js_sys::Math::random() * MOST_SEEDS) as u64),
            round: RwSignal::default(),
        };
        // Another seed is another round.
        Effect::new(move |_| {
            let seed = state.seed.get();
            if let Some(found) = recorded.found.get() {
                state.round.set(Round::new(&found.answers, seed));
            }
        });
        state
    }

    /// Plays the round of a seed, unless it is the one that is played.
    pub(super) fn open(self, seed: u64) {
        if self.seed.get_untracked() != seed {
            self.seed.set(seed);
        }
    }

    /// The address of the round.
    pub(super) fn href(self) -> String {
        routes::href(crate::pages::addresses::LIE, &[(SEED, &self.seed.get().to_string())])
    }
}
