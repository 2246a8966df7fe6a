//! A model in memory, and its answers to conversations.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use decoding::{Beat, Draw, LikelyToken, RunStats, Sampler, likeliest, per_second};
use llm::{
    BoxFuture, ChatRequest, ChatResponse, FinishReason, Message, Model, ModelError, Part, Role,
    ToolCall, ToolChoice, Usage, Watch,
};
use serde_json::Value;

use crate::OwnError;
use crate::calls::decode_arguments;
use crate::codec::{WINDOW, prompt_with, read_part};
use crate::file::{FileHead, read};
use crate::grammar::Grammar;
use crate::network::{BATCH, Cache, OwnNetwork};
use crate::text::{Detokenizer, TalkNames};
use crate::vocabulary::{ASK, END, END_CALL, Kind, N_VOCAB, REPLY, UNKNOWN, function_of, kind};

/// Of a question's words, the share that weights may not know which learned no names.
const MAX_UNKNOWN: f64 = 0.08;
/// Conversations that are kept for later ones that begin alike.
const MAX_CACHES: usize = 4;

/// How a model answers where a request does not say it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OwnOptions {
    /// How tokens are drawn.
    pub draw: Draw,
    /// The most tokens of a reply.
    pub max_tokens: usize,
    /// Lets only tools come that are offered, in calls that are well formed.
    pub constrains: bool,
    /// A model for people's own words declines where the calls of a turn, as a whole, are less likely
    /// than this: they would probably build another graph than the question's.
    pub least_sure: f32,
}

impl Default for OwnOptions {
    fn default() -> Self {
        Self { draw: Draw::LIKELIEST, max_tokens: 2048, constrains: true, least_sure: 0.5 }
    }
}

/// A model in memory, with what it keeps of conversations.
#[derive(Debug)]
pub struct OwnModel {
    network: OwnNetwork,
    head: FileHead,
    options: OwnOptions,
    /// Kept conversations, the latest first.
    caches: Mutex<Vec<Cache>>,
    stats: Mutex<Option<RunStats>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl OwnModel {
    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// As [`read`].
    pub fn load(bytes: &[u8], options: OwnOptions) -> Result<Self, OwnError> {
        let (network, head) = read(bytes)?;
        Ok(Self { network, head, options, caches: Mutex::default(), stats: Mutex::default() })
    }

    /// What its file says of itself.
    pub fn head(&self) -> &FileHead {
        &self.head
    }

    /// How it answers.
    pub fn options(&self) -> &OwnOptions {
        &self.options
    }

    /// Its weights with their sizes.
    pub fn network(&self) -> &OwnNetwork {
        &self.network
    }

    /// What the latest answer took.
    pub fn stats(&self) -> Option<RunStats> {
        locked(&self.stats).clone()
    }

    /// Forgets all conversations, and gives their memory back.
    pub fn forget(&self) {
        locked(&self.caches).clear();
    }

    /// The same model for one run, which asks `beat` between tokens.
    pub fn with_beat<'a>(&'a self, beat: &'a dyn Beat) -> Answering<'a> {
        Answering { model: self, beat, options: self.options }
    }

    /// A conversation up to where the model speaks, with its names.
    pub(crate) fn prompt(
        &self,
        messages: &[Message],
        has_tools: bool,
        names: &mut TalkNames,
    ) -> Result<Vec<u32>, OwnError> {
        if self.head.knows_names() {
            return prompt_with(messages, has_tools, names);
        }
        *names = TalkNames::unknown();
        self.learned(prompt_with(messages, has_tools, names)?)
    }

    /// Tokens that the table of the weights does not have as unknown words.
    fn learned(&self, mut tokens: Vec<u32>) -> Result<Vec<u32>, OwnError> {
        let (mut n_unknown, mut n_words, mut is_asked) = (0, 0, false);
        for token in &mut tokens {
            match kind(*token) {
                _ if (*token as usize) < self.head.n_tokens => {}
                Kind::Head(found) | Kind::Tail(found) => {
                    return Err(OwnError::NodeTooLarge { found });
                }
                _ => *token = UNKNOWN,
            }
            match *token {
                ASK => is_asked = true,
                REPLY => is_asked = false,
                // A question's words; results have others.
                _ if is_asked => {
                    n_words += 1;
                    n_unknown += usize::from(*token == UNKNOWN);
                }
                _ => {}
            }
        }
        // A short question may have one word more than the share.
        match n_unknown as f64 > MAX_UNKNOWN * n_words as f64 && n_unknown > 1 {
            true => Err(OwnError::Unfamiliar { n_unknown, n_words }),
            false => Ok(tokens),
        }
    }

    /// Begins to continue tokens; `room` is how many may come.
    ///
    /// # Errors
    /// There are none, one is not in the vocabulary, or they fill the window.
    pub fn start(
        &self,
        tokens: Vec<u32>,
        room: usize,
        draw: Draw,
    ) -> Result<Generation<'_>, OwnError> {
        if tokens.len() >= WINDOW {
            return Err(OwnError::TooLong { found: tokens.len(), limit: WINDOW });
        }
        if tokens.is_empty() || tokens.iter().any(|t| *t as usize >= N_VOCAB) {
            return Err(OwnError::NoQuestion);
        }
        let cache = self.cache_for(&tokens);
        Ok(Generation {
            model: self,
            n_cached: cache.len(),
            n_prompt: tokens.len(),
            room: room.min(WINDOW - tokens.len()),
            cache: Some(cache),
            tokens,
            sampler: Sampler::new(draw),
            grammar: None,
            logits: None,
            n_drawn: 0,
            sureness: 1.0,
        })
    }

    /// The kept conversation that has most in common with tokens, cut to that.
    fn cache_for(&self, tokens: &[u32]) -> Cache {
        let mut caches = locked(&self.caches);
        // The last token is always computed, because its logits are.
        let most = tokens.len() - 1;
        let common = |cache: &Cache| {
            cache.tokens().iter().zip(&tokens[..most]).take_while(|(a, b)| a == b).count()
        };
        let best = (0..caches.len()).map(|i| (common(&caches[i]), i)).max_by_key(|(n, _)| *n);
        match best {
            // Two signs at the beginning are no conversation.
            Some((n, i)) if n > 2 => {
                let mut cache = caches.remove(i);
                cache.truncate(n, self.network.config().width);
                cache
            }
            _ => Cache::new(self.network.config()),
        }
    }

    fn put_back(&self, cache: Cache) {
        let mut caches = locked(&self.caches);
        caches.insert(0, cache);
        caches.truncate(MAX_CACHES);
    }
}

/// Tokens that are being continued. Whoever drives it can stop between any two calls.
#[derive(Debug)]
pub struct Generation<'a> {
    model: &'a OwnModel,
    /// Taken out when this is dropped.
    cache: Option<Cache>,
    tokens: Vec<u32>,
    n_prompt: usize,
    n_cached: usize,
    room: usize,
    sampler: Sampler,
    grammar: Option<Grammar>,
    logits: Option<Vec<f32>>,
    n_drawn: usize,
    sureness: f32,
}

/// The share of a token by the softmax of logits.
fn probability(logits: &[f32], token: u32) -> f32 {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = logits.iter().map(|x| (x - most).exp()).sum();
    logits.get(token as usize).map_or(0.0, |x| (x - most).exp() / sum)
}

impl Generation<'_> {
    /// Lets only a turn come whose calls are well formed and name one of these tools, and whose names
    /// came before; `must_call` forbids a text.
    pub fn keep_to_calls<'n>(&mut self, names: impl IntoIterator<Item = &'n str>, must_call: bool) {
        let grammar = Grammar::new(&self.tokens, names, must_call);
        self.grammar = Some(match self.model.head.knows_names() {
            true => grammar.with_mentioned_only(&self.tokens),
            false => grammar,
        });
    }

    /// The tokens, those of the prompt first.
    pub fn tokens(&self) -> &[u32] {
        &self.tokens
    }

    /// How many tokens the prompt has.
    pub fn n_prompt(&self) -> usize {
        self.n_prompt
    }

    /// How many of them came from an earlier conversation.
    pub fn n_cached(&self) -> usize {
        self.n_cached
    }

    /// How many tokens came so far.
    pub fn n_drawn(&self) -> usize {
        self.n_drawn
    }

    /// Computes one batch of what is left; says whether more is left.
    pub fn prefill(&mut self) -> bool {
        let Some(cache) = &mut self.cache else { return false };
        let rest = self.tokens.get(cache.len()..).unwrap_or_default();
        let batch = &rest[..rest.len().min(BATCH)];
        if batch.is_empty() {
            return false;
        }
        let is_last = batch.len() == rest.len();
        let mut logits = self.model.network.forward(cache, batch);
        // What the weights never learned is never said.
        logits[self.model.head.n_tokens..].fill(f32::NEG_INFINITY);
        self.logits = is_last.then_some(logits);
        !is_last
    }

    /// The logits of the next token, without any grammar.
    pub fn logits(&mut self) -> &[f32] {
        while self.logits.is_none() && self.prefill() {}
        self.logits.as_deref().unwrap_or_default()
    }

    /// The `n` likeliest next tokens.
    pub fn likeliest(&mut self, n: usize) -> Vec<LikelyToken> {
        likeliest(self.logits(), n)
    }

    /// How much the token at a place looks at itself and at each one before it, for every head of
    /// every layer, the first layer's heads first. Empty where the token was not computed yet.
    pub fn attention(&self, place: usize) -> Vec<Vec<f32>> {
        self.cache
            .as_ref()
            .map(|cache| self.model.network.attention(cache, place))
            .unwrap_or_default()
    }

    /// Draws the next token; none where there is no room for another. [`Generation::push`] follows
    /// unless it ends the turn.
    pub fn draw(&mut self) -> Option<u32> {
        if self.n_drawn >= self.room {
            return None;
        }
        self.logits();
        let logits = self.logits.as_deref()?;
        let token = match &self.grammar {
            Some(grammar) => {
                let of = |(i, x): (usize, &f32)| {
                    if grammar.allows(i as u32) { *x } else { f32::NEG_INFINITY }
                };
                let masked: Vec<f32> = logits.iter().enumerate().map(of).collect();
                let token = self.sampler.next(&masked);
                // The end of a call counts, too: edges may be missing there.
                if grammar.is_in_call() || function_of(token).is_some() {
                    self.sureness *= probability(&masked, token);
                }
                token
            }
            None => self.sampler.next(logits),
        };
        self.n_drawn += 1;
        Some(token)
    }

    /// The probability of the calls so far: the product over their tokens, each among those that the
    /// grammar allows; 1 before the first call.
    pub fn sureness(&self) -> f32 {
        self.sureness
    }

    /// Whether a token ends the turn.
    pub fn is_end(token: u32) -> bool {
        token == END
    }

    /// Puts a token behind the others.
    pub fn push(&mut self, token: u32) {
        if (token as usize) >= N_VOCAB || self.tokens.len() >= WINDOW {
            return;
        }
        if let Some(grammar) = &mut self.grammar {
            grammar.push(token);
        }
        self.tokens.push(token);
        self.logits = None;
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

/// A loaded model for one run, with whom it asks between tokens.
#[derive(Clone, Copy)]
pub struct Answering<'a> {
    model: &'a OwnModel,
    beat: &'a dyn Beat,
    options: OwnOptions,
}

/// What a turn has said so far.
struct Said {
    names: TalkNames,
    text: String,
    out: Detokenizer,
    calls: Vec<ToolCall>,
    /// The call that is being said: its token, and what is behind it.
    open: Option<(u32, Vec<u32>)>,
}

impl Said {
    fn new(names: TalkNames) -> Self {
        let out = Detokenizer::with_names(names.clone());
        Self { names, text: String::new(), out, calls: Vec::new(), open: None }
    }

    fn push(&mut self, token: u32, serial: usize, watch: &dyn Watch) {
        if let Some((call, within)) = &mut self.open {
            if token != END_CALL {
                within.push(token);
                return;
            }
            let (call, within) = (*call, std::mem::take(within));
            self.open = None;
            self.close(call, &within, serial, watch);
        } else if function_of(token).is_some() {
            self.open = Some((token, Vec::new()));
        } else {
            let piece = self.out.push(token);
            if !piece.is_empty() {
                self.text.push_str(&piece);
                watch.part(Part::Text { text: piece });
            }
        }
    }

    fn close(&mut self, call: u32, within: &[u32], serial: usize, watch: &dyn Watch) {
        let Some((name, _)) = function_of(call) else { return };
        let index = self.calls.len();
        let arguments = decode_arguments(call, within, &self.names);
        watch.part(Part::Call { index, name: (*name).to_owned(), arguments: arguments.clone() });
        let id = format!("call_{}", serial + index + 1);
        self.calls.push(ToolCall { id, name: (*name).to_owned(), arguments });
    }
}

impl Answering<'_> {
    /// The same, with other options than the model's own.
    #[must_use]
    pub fn with_options(self, options: OwnOptions) -> Self {
        Self { options, ..self }
    }

    async fn go_on(&self) -> Result<(), OwnError> {
        if self.beat.go_on().await { Ok(()) } else { Err(OwnError::Stopped) }
    }

    async fn answer(
        &self,
        request: &ChatRequest,
        watch: &dyn Watch,
    ) -> Result<ChatResponse, OwnError> {
        let (model, options) = (self.model, &self.options);
        // These weights learned from calls that succeed, and have no way on from another.
        if model.head.knows_names()
            && let Some(why) = refused(&request.messages)
        {
            let text = format!("I cannot tell: {why}.");
            watch.part(Part::Text { text: text.clone() });
            return Ok(ChatResponse {
                message: Message::assistant(text),
                finish: FinishReason::Stop,
                usage: Usage::default(),
            });
        }
        let room = request.max_tokens.map_or(options.max_tokens, |n| n as usize);
        let draw = Draw {
            temperature: request.temperature.map_or(options.draw.temperature, |t| t as f32),
            seed: request.seed.unwrap_or(options.draw.seed),
            ..options.draw
        };
        let has_tools = !request.tools.is_empty();
        let read = read_part(&request.messages, has_tools);
        let mut names = TalkNames::default();
        let asked = model.prompt(read, has_tools, &mut names)?;
        let mut generation = model.start(asked, room, draw)?;
        let must_call = request.tool_choice == ToolChoice::Required && has_tools;
        if options.constrains || must_call || model.head.knows_names() {
            let names: BTreeSet<&str> = request.tools.iter().map(|t| t.name.as_str()).collect();
            generation.keep_to_calls(names, must_call);
        }
        let begun = self.beat.now_ms();
        self.go_on().await?;
        while generation.prefill() {
            self.go_on().await?;
        }
        let prefilled = self.beat.now_ms();
        let serial = request.messages.iter().map(|m| m.tool_calls.len()).sum();
        let (mut said, mut finish) = (Said::new(names), FinishReason::Length);
        while let Some(token) = generation.draw() {
            if Generation::is_end(token) {
                finish = FinishReason::Stop;
                break;
            }
            if model.head.knows_names() && generation.sureness() < options.least_sure {
                said = Said::new(TalkNames::default());
                said.text.push_str(UNSURE);
                watch.part(Part::Text { text: UNSURE.to_owned() });
                finish = FinishReason::Stop;
                break;
            }
            said.push(token, serial, watch);
            generation.push(token);
            if let Some(at) =
                request.stop.iter().filter(|s| !s.is_empty()).find_map(|s| said.text.find(s))
            {
                said.text.truncate(at);
                finish = FinishReason::Stop;
                break;
            }
            self.go_on().await?;
        }
        if let Some((call, within)) = said.open.take() {
            said.close(call, &within, serial, watch);
        }
        if !said.calls.is_empty() && finish == FinishReason::Stop {
            finish = FinishReason::ToolCalls;
        }
        let ended = self.beat.now_ms();
        let (n_prompt, n_cached) = (generation.n_prompt(), generation.n_cached());
        let n_output = generation.n_drawn();
        *locked(&model.stats) = Some(RunStats {
            n_prompt,
            n_cached,
            n_output,
            prefill_per_s: per_second(n_prompt - n_cached, begun, prefilled),
            decode_per_s: per_second(n_output, prefilled, ended),
            n_context: generation.tokens().len(),
            n_ctx: WINDOW,
        });
        Ok(ChatResponse {
            message: Message { tool_calls: said.calls, ..Message::assistant(said.text) },
            finish,
            usage: Usage {
                input_tokens: Some(n_prompt as u64),
                output_tokens: Some(n_output as u64),
                cached_tokens: Some(n_cached as u64),
                reasoning_tokens: None,
            },
        })
    }
}

/// What a model for people's own words says where it does not understand a question.
const UNSURE: &str = "I cannot tell: I am not sure that I understand this question.";
/// Why one of the latest calls was refused.
fn refused(messages: &[Message]) -> Option<String> {
    let mut results = messages.iter().rev().take_while(|message| message.role == Role::Tool);
    results.find_map(|message| {
        let result: Value = serde_json::from_str(&message.content).ok()?;
        Some(result.get("error")?.get("message")?.as_str()?.to_owned())
    })
}

/// Its label in traces and in the page, with either set of weights.
pub const LABEL: &str = "our own small model (on this machine)";

impl Model for Answering<'_> {
    fn label(&self) -> String {
        LABEL.to_owned()
    }

    fn complete<'b>(
        &'b self,
        request: &'b ChatRequest,
        watch: &'b dyn Watch,
    ) -> BoxFuture<'b, Result<ChatResponse, ModelError>> {
        Box::pin(async move { Ok(self.answer(request, watch).await?) })
    }
}

impl Model for OwnModel {
    fn knows_numbers_alone(&self) -> bool {
        !self.head.knows_names()
    }

    fn label(&self) -> String {
        LABEL.to_owned()
    }

    fn complete<'b>(
        &'b self,
        request: &'b ChatRequest,
        watch: &'b dyn Watch,
    ) -> BoxFuture<'b, Result<ChatResponse, ModelError>> {
        Box::pin(async move { Ok(self.with_beat(&()).answer(request, watch).await?) })
    }
}
