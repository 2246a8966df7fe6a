//! Tokens, one after the other.

use decoding::{Draw, LikelyToken, Sampler, likeliest};
use llguidance::toktrie::SimpleVob;
use llm::ReplyShape;

use super::LocalModel;
use crate::GgufError;
use crate::grammar::{Constraint, Next};
use crate::network::{BATCH, Cache, Pass};

/// Tokens that are being continued. Whoever drives it can stop between any two calls; what was
/// computed is kept for later prompts that begin alike.
#[derive(Debug)]
pub struct Generation<'a> {
    model: &'a LocalModel,
    /// Taken out when this is dropped.
    cache: Option<Cache>,
    /// Tokens on their way through the layers, with whether they are the last.
    pass: Option<(Pass, bool)>,
    /// The prompt, and what was pushed. Those that the cache does not have are computed when
    /// somebody asks for logits.
    tokens: Vec<u32>,
    n_prompt: usize,
    n_cached: usize,
    room: usize,
    sampler: Sampler,
    logits: Option<Vec<f32>>,
    n_drawn: usize,
    constraint: Option<Constraint>,
    fault: Option<GgufError>,
}

/// How far a batch came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// It has layers before it.
    Layer,
    /// It is computed, and more is left.
    Batch,
    /// Nothing is left.
    End,
}

/// Logits in which no token has a chance but those that are allowed.
fn masked(logits: &[f32], allowed: &SimpleVob) -> Vec<f32> {
    let mut out = vec![f32::NEG_INFINITY; logits.len()];
    for token in allowed.iter() {
        if let (Some(out), Some(x)) = (out.get_mut(token as usize), logits.get(token as usize)) {
            *out = *x;
        }
    }
    out
}

/// The next `n` tokens at most, with whether they are the last; none where nothing is left.
fn next_batch(tokens: &[u32], n_done: usize, n: usize) -> Option<(&[u32], bool)> {
    let rest = tokens.get(n_done..).filter(|rest| !rest.is_empty())?;
    let batch = &rest[..rest.len().min(n.clamp(1, BATCH))];
    Some((batch, batch.len() == rest.len()))
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
            pass: None,
            n_prompt: prompt.len(),
            tokens: prompt,
            room,
            sampler: Sampler::new(draw),
            logits: None,
            n_drawn: 0,
            constraint: None,
            fault: None,
        }
    }

    /// Lets nothing come from here on but what a reply of this shape has.
    ///
    /// # Errors
    /// The schema or the grammar cannot be compiled for this model.
    pub fn keep_to(&mut self, shape: &ReplyShape) -> Result<(), GgufError> {
        self.constraint = Some(self.model.grammars()?.shape(shape)?);
        Ok(())
    }

    pub(super) fn constrain(&mut self, constraint: Constraint) {
        self.constraint = Some(constraint);
    }

    /// Why no token can be drawn any more although there is room, if so: the grammar is too much work
    /// at this place, or a token was pushed that it does not have.
    pub fn fault(&self) -> Option<&GgufError> {
        self.fault.as_ref()
    }

    /// How many tokens the prompt has.
    pub fn n_prompt(&self) -> usize {
        self.n_prompt
    }

    /// How many of them came from an earlier conversation.
    pub fn n_cached(&self) -> usize {
        self.n_cached
    }

    /// How many tokens are computed so far, with those from an earlier conversation.
    pub fn n_read(&self) -> usize {
        self.cache.as_ref().map_or(0, Cache::len)
    }

    /// How many tokens came so far.
    pub fn n_drawn(&self) -> usize {
        self.n_drawn
    }

    /// Tokens of the context that are taken.
    pub fn n_context(&self) -> usize {
        self.tokens.len().max(self.n_cached)
    }

    /// Computes one batch of what is left of the prompt; says whether more is left.
    pub fn prefill(&mut self) -> bool {
        while self.pass.is_some() {
            match self.step(BATCH) {
                Step::Layer => {}
                Step::Batch => return true,
                Step::End => return false,
            }
        }
        let Some(cache) = &mut self.cache else { return false };
        let Some((batch, is_last)) = next_batch(&self.tokens, cache.len(), BATCH) else {
            return false;
        };
        self.logits = self.model.network.forward(cache, batch, is_last);
        !is_last
    }

    /// Takes one batch, of at most so many tokens, through one layer, for whoever wants to be asked
    /// sooner.
    pub(super) fn step(&mut self, n: usize) -> Step {
        let Some(cache) = &mut self.cache else { return Step::End };
        let network = &self.model.network;
        let (mut pass, is_last) = match self.pass.take() {
            Some(begun) => begun,
            None => {
                let Some((batch, is_last)) = next_batch(&self.tokens, cache.len(), n) else {
                    return Step::End;
                };
                (network.begin(cache, batch), is_last)
            }
        };
        if network.next_layer(cache, &mut pass) {
            self.pass = Some((pass, is_last));
            return Step::Layer;
        }
        self.logits = network.end(cache, pass, is_last);
        if is_last { Step::End } else { Step::Batch }
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

    /// Draws the next token; none where there is no room for another, or where there is a
    /// [`Generation::fault`]. [`Generation::push`] follows unless it ends the turn.
    ///
    /// A token that the grammar forces needs no logits: what was pushed before it is computed
    /// together, later. It takes nothing of the random generator.
    pub fn draw(&mut self) -> Option<u32> {
        if self.n_drawn >= self.room || self.fault.is_some() {
            return None;
        }
        let token = match self.constraint.as_mut().map(Constraint::next) {
            None => {
                self.logits();
                self.sampler.next(self.logits.as_deref()?)
            }
            Some(Ok(Next::Forced(token))) => token,
            Some(Ok(Next::End)) => self.model.tokenizer.ends().next()?,
            Some(Ok(Next::OneOf(allowed))) => {
                let logits = masked(self.logits(), &allowed);
                self.sampler.next(&logits)
            }
            Some(Err(error)) => {
                self.fault = Some(error);
                return None;
            }
        };
        self.n_drawn += 1;
        Some(token)
    }

    /// Puts a token behind the others.
    pub fn push(&mut self, token: u32) {
        let n_vocab = self.model.network.config.n_vocab;
        if (token as usize) >= n_vocab || self.tokens.len() >= self.model.options.n_ctx {
            return;
        }
        if let Some(constraint) = &mut self.constraint
            && let Err(error) = constraint.push(token)
        {
            self.fault = Some(error);
        }
        self.tokens.push(token);
        self.logits = None;
    }
}

impl Drop for Generation<'_> {
    fn drop(&mut self) {
        if let Some(mut cache) = self.cache.take()
            && cache.len() > 0
        {
            // Some layers may have more than others.
            cache.truncate(cache.len());
            self.model.put_back(cache);
        }
    }
}
