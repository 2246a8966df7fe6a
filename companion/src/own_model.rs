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

#[cfg(test)]
mod tests {
    use agent::{Cancel, Limits, RunContext};
    use futures_util::FutureExt as _;
    use systems::{RunOptions, RunRequest, SYSTEMS, run_system};
    use tasks::{Difficulty, Style, TaskGroup, Verdict, Wording, task};

    use super::*;

    /// The share of right answers, of new problems of each task and level, in the real loop.
    fn right(system: &str, n: u64, hardest: Difficulty) -> f64 {
        let model = open(NAME).unwrap();
        let system = SYSTEMS.iter().find(|s| s.id == system).unwrap();
        let (mut n_right, mut n_all) = (0, 0);
        for id in TaskGroup::NlGraph.tasks() {
            for level in id.difficulties().iter().filter(|level| **level <= hardest) {
                for seed in 0..n {
                    let problem = task(id).generate(*level, 7_000_000 + seed);
                    let question = problem.question(Wording::Benchmark, Style::ZeroShot);
                    let cancel = Cancel::default();
                    let setting = RunContext {
                        limits: Limits::default(),
                        seed: None,
                        clock: &|| 0.0,
                        cancel: &cancel,
                        watch: &(),
                    };
                    let request = RunRequest {
                        system,
                        problem: &problem,
                        question: &question,
                        options: RunOptions::default(),
                        setting,
                    };
                    let mut ignore = |_: &trace::Step| ();
                    let run = run_system(request, model.as_ref(), &mut ignore);
                    let run = run.now_or_never().expect("nothing waits");
                    n_all += 1;
                    n_right += usize::from(run.judgement.verdict == Verdict::Correct);
                }
            }
        }
        n_right as f64 / f64::from(n_all)
    }

    #[test]
    fn the_model_that_ships_solves_problems_with_tools_and_not_without() {
        let with_tools = right("grounded", 4, Difficulty::Hard);
        assert!(with_tools >= 0.9, "{with_tools}");
        let without = right("standalone", 4, Difficulty::Hard);
        assert!(without < with_tools - 0.3, "{without}");
    }

    #[test]
    fn names_of_its_kind_are_known() {
        assert!(is_own("own") && is_own("models/own.BIN") && !is_own("x.gguf"));
        assert!(open("no/such/file.bin").is_err());
        assert!(SHIPPED.len() < 8_000_000);
    }
}
