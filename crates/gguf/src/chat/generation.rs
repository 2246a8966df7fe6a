//! Tokens, one after the other.

use super::LocalModel;
use crate::network::{BATCH, Cache};
use crate::sampling::{Draw, LikelyToken, Sampler, likeliest};

/// Tokens that are being continued. Whoever drives it can stop between any two calls; what was
/// computed is kept for later prompts that begin alike.
#[derive(Debug)]
pub struct Generation<'a> {
    model: &'a LocalModel,
    /// Taken out when this is dropped.
    cache: Option<Cache>,
    prompt: Vec<u32>,
    n_cached: usize,
    room: usize,
    sampler: Sampler,
    logits: Option<Vec<f32>>,
    n_drawn: usize,
}

impl<'a> Generation<'a> {
    pub(super) fn new(
        model: &'a LocalModel,
        cache: Cache,
        prompt: Vec<u32>,
        room: usize,
        draw: Draw,
    ) -> Self {
        Self {
            model,
            n_cached: cache.len(),
            cache: Some(cache),
            prompt,
            room,
            sampler: Sampler::new(draw),
            logits: None,
            n_drawn: 0,
        }
    }

    /// How many tokens the prompt has.
    pub fn n_prompt(&self) -> usize {
        self.prompt.len()
    }

    /// How many of them came from an earlier conversation.
    pub fn n_cached(&self) -> usize {
        self.n_cached
    }

    /// How many tokens came so far.
    pub fn n_drawn(&self) -> usize {
        self.n_drawn
    }

    /// Tokens of the context that are taken.
    pub fn n_context(&self) -> usize {
        self.cache.as_ref().map_or(0, Cache::len)
    }

    /// Computes one batch of what is left of the prompt; says whether more is left.
    pub fn prefill(&mut self) -> bool {
        self.prefill_at_most(BATCH)
    }

    /// The same with at most so many tokens, for whoever wants to be asked sooner.
    pub(super) fn prefill_at_most(&mut self, n: usize) -> bool {
        let Some(cache) = &mut self.cache else { return false };
        let rest = self.prompt.get(cache.len()..).unwrap_or_default();
        let batch = &rest[..rest.len().min(n.clamp(1, BATCH))];
        if batch.is_empty() {
            return false;
        }
        let is_last = batch.len() == rest.len();
        self.logits = self.model.network.forward(cache, batch, is_last);
        !is_last
    }

    /// The logits of the next token; of the whole prompt, once it is computed.
    pub fn logits(&mut self) -> &[f32] {
        while self.logits.is_none() && self.prefill() {}
        self.logits.as_deref().unwrap_or_default()
    }

    /// The `n` likeliest next tokens.
    pub fn likeliest(&mut self, n: usize) -> Vec<LikelyToken> {
        likeliest(self.logits(), n)
    }

    /// Draws the next token; none where there is no room for another. [`Generation::push`] follows
    /// unless it ends the turn.
    pub fn draw(&mut self) -> Option<u32> {
        if self.n_drawn >= self.room {
            return None;
        }
        self.logits();
        let token = self.sampler.next(self.logits.as_deref()?);
        self.n_drawn += 1;
        Some(token)
    }

    /// Puts a token behind the others, and computes the logits of the next one.
    pub fn push(&mut self, token: u32) {
        self.logits();
        let n_vocab = self.model.network.config.n_vocab;
        if let Some(cache) = &mut self.cache
            && (token as usize) < n_vocab
            && cache.len() < self.model.options.n_ctx
        {
            self.logits = self.model.network.forward(cache, &[token], true);
        }
    }
}

impl Drop for Generation<'_> {
    fn drop(&mut self) {
        if let Some(cache) = self.cache.take()
            && cache.len() > 0
        {
            self.model.put_back(cache);
        }
    }
}
