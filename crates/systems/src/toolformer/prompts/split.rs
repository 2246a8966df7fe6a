//! Hands templates out: some to learn from, others to be tested on.

use std::collections::{BTreeMap, BTreeSet};

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Which templates go to which side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateSplit {
    /// Templates to be tested on.
    pub test: BTreeSet<String>,
    /// Those of which there is only one about their subject; a test with them would leave nothing to
    /// learn from, so they are to learn from.
    pub single: BTreeSet<String>,
}

impl TemplateSplit {
    /// Whether pairs of that template are for the test.
    pub fn is_test(&self, template: &str) -> bool {
        self.test.contains(template)
    }
}

/// What a template is about: its id without the number.
fn subject(template: &str) -> &str {
    template.rsplit_once('-').map_or(template, |(subject, _)| subject)
}

/// Of the templates about each subject, one goes to the test, picked by the seed.
pub fn split<'t>(templates: impl IntoIterator<Item = &'t str>, seed: u64) -> TemplateSplit {
    let mut by_subject: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for template in templates {
        by_subject.entry(subject(template)).or_default().insert(template);
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut parts = TemplateSplit { test: BTreeSet::new(), single: BTreeSet::new() };
    for templates in by_subject.values() {
        let picked = rng.random_range(0..templates.len());
        let Some(template) = templates.iter().nth(picked) else { continue };
        let side = if templates.len() > 1 { &mut parts.test } else { &mut parts.single };
        side.insert((*template).to_owned());
    }
    parts
}
