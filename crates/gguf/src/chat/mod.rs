//! A model that is loaded, and conversations with it.

pub(crate) mod calls;
mod generation;
mod model;

use std::io::{Read, Seek};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use decoding::{Beat, Draw, RunStats};

use crate::grammar::Grammars;
use crate::network::{Cache, Network};
use crate::template::{ChatTemplate, Prompt};
use crate::tokenizer::ModelTokenizer;
use crate::{File, GgufError, ModelSummary};
pub use generation::Generation;
pub use model::{Answering, described};

/// The most conversations whose keys and values are kept.
const MAX_CACHES: usize = 4;
/// Tokens that are computed again rather than copied.
const FEW: usize = 16;

/// Which template a conversation goes through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TemplateChoice {
    /// The file's own; one that cannot be read is an error.
    #[default]
    File,
    /// ChatML, whatever the file has.
    ChatMl,
}

/// How a model is loaded and asked.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalOptions {
    /// Tokens of context. Kept conversations together have no more.
    pub n_ctx: usize,
    /// The memory that it may take, in bytes, if that is known.
    pub budget_bytes: Option<u64>,
    /// How tokens are drawn where a request does not say it.
    pub draw: Draw,
    /// The most tokens of an answer where a request does not say it.
    pub max_tokens: usize,
    /// Which template conversations go through.
    pub template: TemplateChoice,
    /// Whether tools are described in words where the template has no place for them. Else such a
    /// model does not learn of them.
    pub describes_tools: bool,
}

impl Default for LocalOptions {
    fn default() -> Self {
        Self {
            n_ctx: 2048,
            budget_bytes: None,
            draw: Draw::default(),
            max_tokens: 1024,
            template: TemplateChoice::File,
            describes_tools: false,
        }
    }
}

/// A model in memory, with its tokenizer, its template, and what it keeps of conversations.
#[derive(Debug)]
pub struct LocalModel {
    summary: ModelSummary,
    network: Network,
    tokenizer: Arc<ModelTokenizer>,
    /// Made when the first reply is to keep to something.
    grammars: OnceLock<Result<Grammars, GgufError>>,
    template: ChatTemplate,
    options: LocalOptions,
    /// Kept conversations, the latest first.
    caches: Mutex<Vec<Cache>>,
    stats: Mutex<Option<RunStats>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn template_of<R>(file: &File<R>, tokenizer: &ModelTokenizer) -> Result<ChatTemplate, GgufError> {
    let name = |key: &str| {
        let id = file.head.size(key).unwrap_or(usize::MAX);
        u32::try_from(id).map_or_else(|_| String::new(), |id| tokenizer.text(id))
    };
    let bos = name("tokenizer.ggml.bos_token_id");
    ChatTemplate::of(&file.head, &bos, &name("tokenizer.ggml.eos_token_id"))
}

impl<R> File<R> {
    /// The file's own chat template, before its weights are read.
    ///
    /// # Errors
    /// There is none, or it or the tokenizer cannot be used.
    pub fn template(&self) -> Result<ChatTemplate, GgufError> {
        template_of(self, &ModelTokenizer::of(&self.head)?)
    }
}

impl LocalModel {
    /// Reads the weights of a file.
    ///
    /// # Errors
    /// It does not fit, its tokenizer or template cannot be used, or tensors are missing.
    pub fn load<R: Read + Seek>(file: File<R>, options: LocalOptions) -> Result<Self, GgufError> {
        Self::load_with(file, options, &mut |_, _| {})
    }

    /// The same; tells how many bytes of how many are done.
    ///
    /// # Errors
    /// As [`LocalModel::load`].
    pub fn load_with<R: Read + Seek>(
        mut file: File<R>,
        options: LocalOptions,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Self, GgufError> {
        let summary = file.summary().clone();
        summary.fits(options.budget_bytes.unwrap_or(u64::MAX), options.n_ctx)?;
        let tokenizer = ModelTokenizer::of(&file.head)?;
        let template = match options.template {
            TemplateChoice::File => template_of(&file, &tokenizer)?,
            TemplateChoice::ChatMl => ChatTemplate::chatml()?,
        };
        let network = Network::load(&mut file, progress)?;
        Ok(Self {
            summary,
            network,
            tokenizer: Arc::new(tokenizer),
            grammars: OnceLock::new(),
            template,
            options,
            caches: Mutex::default(),
            stats: Mutex::default(),
        })
    }

    /// What the file said of itself.
    pub fn summary(&self) -> &ModelSummary {
        &self.summary
    }

    /// How it was loaded.
    pub fn options(&self) -> &LocalOptions {
        &self.options
    }

    /// Its tokenizer.
    pub fn tokenizer(&self) -> &ModelTokenizer {
        &self.tokenizer
    }

    /// Its chat template.
    pub fn template(&self) -> &ChatTemplate {
        &self.template
    }

    pub(crate) fn grammars(&self) -> Result<&Grammars, GgufError> {
        let made = self.grammars.get_or_init(|| Grammars::new(&self.tokenizer));
        made.as_ref().map_err(Clone::clone)
    }

    /// What the latest answer took.
    pub fn stats(&self) -> Option<RunStats> {
        locked(&self.stats).clone()
    }

    /// Forgets all conversations, and gives their memory back.
    pub fn forget(&self) {
        locked(&self.caches).clear();
    }

    /// A conversation as tokens, up to where the model speaks.
    ///
    /// # Errors
    /// The template refuses it, or it is far longer than the context.
    pub fn prompt(&self, prompt: &Prompt<'_>) -> Result<Vec<u32>, GgufError> {
        self.tokenizer.prompt_within(&self.template.render(prompt)?, self.options.n_ctx)
    }

    /// The same model for one run, which asks `beat` between tokens.
    pub fn with_beat<'a>(&'a self, beat: &'a dyn Beat) -> Answering<'a> {
        Answering::new(self, beat)
    }

    /// Begins to continue tokens; `room` is how many may come.
    ///
    /// # Errors
    /// They do not fit into the context, there are none, or one is not in the vocabulary.
    pub fn start(
        &self,
        tokens: Vec<u32>,
        room: usize,
        draw: Draw,
    ) -> Result<Generation<'_>, GgufError> {
        let limit = self.options.n_ctx;
        if tokens.len() >= limit {
            return Err(GgufError::Overflow { found: tokens.len(), limit });
        }
        let n_vocab = self.network.config.n_vocab;
        if tokens.is_empty() || tokens.iter().any(|t| *t as usize >= n_vocab) {
            return Err(GgufError::tokenizer(format!(
                "a prompt has one token or more, each below {n_vocab}"
            )));
        }
        let room = room.min(limit - tokens.len());
        let cache = self.cache_for(&tokens, room);
        Ok(Generation::new(self, cache, tokens, room, draw))
    }

    /// The kept conversation that has most in common with tokens, cut to that.
    fn cache_for(&self, tokens: &[u32], room: usize) -> Cache {
        let mut caches = locked(&self.caches);
        // The last token is always computed, because its logits are.
        let most = tokens.len() - 1;
        let common = |cache: &Cache| {
            let same = cache.tokens().iter().zip(&tokens[..most]);
            same.take_while(|(a, b)| a == b).count()
        };
        let best = (0..caches.len()).map(|i| (common(&caches[i]), i)).max_by_key(|(n, _)| *n);
        let found = match best {
            Some((n, i)) if n > 0 => {
                if caches[i].len() > n + FEW {
                    // Another conversation that begins alike stays.
                    caches[i].first(n)
                } else {
                    let mut cache = caches.remove(i);
                    cache.truncate(n);
                    cache
                }
            }
            _ => Cache::new(&self.network.config),
        };
        keep(&mut caches, self.options.n_ctx.saturating_sub(tokens.len() + room), MAX_CACHES - 1);
        found
    }

    /// Keeps a conversation for later ones that begin alike.
    fn put_back(&self, cache: Cache) {
        let mut caches = locked(&self.caches);
        // One that is the beginning of this one serves no more.
        caches.retain(|other| !cache.tokens().starts_with(other.tokens()));
        caches.insert(0, cache);
        keep(&mut caches, self.options.n_ctx, MAX_CACHES);
    }
}

/// Drops the oldest until there are no more tokens and no more conversations than may be.
fn keep(caches: &mut Vec<Cache>, n_tokens: usize, n_caches: usize) {
    while caches.len() > n_caches || caches.iter().map(Cache::len).sum::<usize>() > n_tokens {
        if caches.pop().is_none() {
            return;
        }
    }
}
