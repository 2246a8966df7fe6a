//! The model that this project trains itself: `local:own`, or `local:FILE.bin` for another file of
//! its form.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context as _, Result};
use llm::{AskOptions, BoxFuture, ChatRequest, ChatResponse, Model, ModelError, Watch};
use ownmodel::{Beat, OwnModel, OwnOptions};

use crate::input;

/// Its name behind `local:`.
pub(crate) const NAME: &str = "own";
/// The weights that ship.
static SHIPPED: &[u8] = include_bytes!("../../assets/models/own/own.bin");

/// Whether a name behind `local:` is one of this kind of model.
pub(crate) fn is_own(name: &str) -> bool {
    name == NAME || Path::new(name).extension().is_some_and(|e| e.eq_ignore_ascii_case("bin"))
}

/// The models that are in memory, by their names: each is read once.
static LOADED: Mutex<BTreeMap<String, Arc<OwnModel>>> = Mutex::new(BTreeMap::new());

/// The model of a name behind `local:`, read into memory if it is not there yet.
pub(crate) fn open(name: &str) -> Result<Arc<OwnModel>> {
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(model) = loaded.get(name) {
        return Ok(Arc::clone(model));
    }
    let options = OwnOptions::default();
    let model = if name == NAME {
        OwnModel::load(SHIPPED, options)?
    } else {
        let bytes = input::bytes(Path::new(name), ownmodel::file::MAX_FILE)?;
        OwnModel::load(&bytes, options).with_context(|| name.to_owned())?
    };
    let model = Arc::new(model);
    loaded.insert(name.to_owned(), Arc::clone(&model));
    Ok(model)
}

/// What the latest answer of a model took; nothing where it has none.
pub(crate) fn stats_of(name: &str) -> Option<ownmodel::RunStats> {
    LOADED.lock().unwrap_or_else(PoisonError::into_inner).get(name)?.stats()
}

/// A clock for speeds.
struct Watched(Instant);

impl Beat for Watched {
    fn now_ms(&self) -> Option<f64> {
        Some(self.0.elapsed().as_secs_f64() * 1000.0)
    }
}

/// A model in memory as commands ask it.
pub(crate) struct OwnPlayer {
    model: Arc<OwnModel>,
    name: String,
    options: AskOptions,
}

impl OwnPlayer {
    /// The model of a name behind `local:`, which people are told as `told`.
    pub(crate) fn open(name: &str, told: String, options: AskOptions) -> Result<Self> {
        Ok(Self { model: open(name)?, name: told, options })
    }
}

impl Model for OwnPlayer {
    fn label(&self) -> String {
        self.name.clone()
    }

    fn complete<'a>(
        &'a self,
        request: &'a ChatRequest,
        watch: &'a dyn Watch,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        Box::pin(async move {
            let mut asked = self.options.tool_style.request(request, false);
            asked.temperature = asked.temperature.or(self.options.temperature);
            asked.max_tokens = asked.max_tokens.or(self.options.max_tokens);
            #[expect(clippy::disallowed_methods, reason = "a program has a clock")]
            let beat = Watched(Instant::now());
            let answer = self.model.with_beat(&beat).complete(&asked, watch).await?;
            Ok(self.options.tool_style.read(request, answer))
        })
    }
}
