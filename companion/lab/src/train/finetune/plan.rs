//! Which examples each step learns from, known before the first one.

use rand::seq::SliceRandom as _;

use super::Example;
use super::settings::TuneSettings;
use crate::train::epoch_rng;

/// All steps: of each the examples, by their places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) steps: Vec<Vec<usize>>,
    /// Tokens of all steps.
    pub(crate) n_tokens: usize,
}

impl Plan {
    /// Epoch after epoch, each in an order of its own, up to the bounds on steps and tokens.
    pub(crate) fn new(examples: &[Example], settings: &TuneSettings, seed: u64) -> Self {
        let per_step = settings.count("batch") * settings.count("accumulate");
        let bound = |name| Some(settings.count(name)).filter(|n| *n > 0).unwrap_or(usize::MAX);
        let (most_steps, most_tokens) = (bound("steps"), bound("tokens"));
        let mut plan = Self { steps: Vec::new(), n_tokens: 0 };
        let mut step: Vec<usize> = Vec::new();
        for epoch in 0..settings.count("epochs") {
            let mut order: Vec<usize> = (0..examples.len()).collect();
            order.shuffle(&mut epoch_rng(seed, 0, epoch + 1));
            for i in order {
                step.push(i);
                if step.len() == per_step && !plan.add(&mut step, examples, most_steps, most_tokens)
                {
                    return plan;
                }
            }
        }
        if !step.is_empty() {
            plan.add(&mut step, examples, most_steps, most_tokens);
        }
        plan
    }

    /// Adds a step; says no where it would be one too many.
    fn add(
        &mut self,
        step: &mut Vec<usize>,
        examples: &[Example],
        most_steps: usize,
        most_tokens: usize,
    ) -> bool {
        let n: usize = step.iter().map(|i| examples[*i].tokens.len()).sum();
        if self.steps.len() >= most_steps || self.n_tokens + n > most_tokens {
            return false;
        }
        self.n_tokens += n;
        self.steps.push(std::mem::take(step));
        true
    }
}
