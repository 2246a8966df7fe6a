//! Families: benchmarks, requests that two models work on, searches by hand.
//!
//! What is asked and replied travels as JSON text inside its message, as for disasters.

use std::collections::BTreeSet;

use agent::{Limits, RunContext};
use llm::Model;
use serde::{Deserialize, Serialize};
use systems::kgetool::scripted::KgScript;
use systems::kgetool::{
    Asked, Episode, Extraction, Method, Models, Options, Scores, SearchOptions, check_typed,
    extract, parse, run,
};
use tasks::family::score::Mode;
use tasks::family::{Benchmark, Family, Recipe, Sample, ToolDef, generate, read_benchmark, write};
use text::{Bm25, Meaning};

use crate::fetch::Watching;
use crate::jobs::{Context, model_of};
use crate::message::ModelChoice;
use crate::{Event, Output, Request};

/// What is asked about a family.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FamilyAsk {
    /// Makes a benchmark of a size that a page can show.
    Generate {
        /// The seed.
        seed: u64,
        /// Relatives of a household, from 8 to 20.
        n_relatives: usize,
        /// Whether values are ids in place of names.
        is_opaque: bool,
    },
    /// Reads a benchmark file.
    Load {
        /// Its text.
        text: String,
    },
    /// Writes a benchmark file.
    Save {
        /// The benchmark.
        benchmark: Box<Benchmark>,
    },
    /// Searches a family's graph by each method, without a model.
    Search {
        /// The family.
        family: Family,
        /// The searches, as a model would write them.
        text: String,
        /// By whose rules.
        mode: Mode,
        /// How many names Relation Retrieval tries.
        k: usize,
    },
    /// Lets the models work on a request.
    Run(Box<FamilyRun>),
}

/// A request that the models are to work on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FamilyRun {
    /// The family as it is now.
    pub family: Family,
    /// The request, with what is right about it where that is known.
    pub sample: Sample,
    /// The tools to choose from.
    pub tools: Vec<ToolDef>,
    /// The model that searches.
    pub extract: ModelChoice,
    /// The model that calls.
    pub call: ModelChoice,
    /// How to go about it.
    pub options: Options,
    /// How far it may go.
    pub limits: Limits,
    /// Whether it is known what is right.
    pub is_scored: bool,
}

/// What comes of a [`FamilyAsk`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FamilyReply {
    /// A benchmark.
    Benchmark {
        /// It.
        benchmark: Box<Benchmark>,
    },
    /// A file.
    File {
        /// Its text.
        text: String,
    },
    /// What each method finds, in the order of [`Method::ALL`].
    Found {
        /// Method by method.
        by_method: Vec<Extraction>,
    },
    /// The models have done what they could.
    Ran {
        /// What came of it.
        episode: Box<Episode>,
        /// Its scores by each set of rules, in the order of [`Mode::ALL`]; empty where it is not
        /// known what is right.
        scores: Vec<Scores>,
        /// How names were compared.
        meaning: String,
    },
}

fn unread(error: serde_json::Error) -> String {
    format!("a fault of ours: a message about a family cannot be read ({error})")
}

impl FamilyAsk {
    /// The request that asks this.
    ///
    /// # Errors
    /// A number that JSON does not have.
    pub fn request(&self) -> Result<Request, String> {
        Ok(Request::Family { ask: serde_json::to_string(self).map_err(unread)? })
    }
}

impl FamilyReply {
    /// Reads the text of an [`Output::Family`].
    ///
    /// # Errors
    /// The text is none of ours.
    pub fn read(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(unread)
    }
}

/// Answers; `meaning` tells how alike names are.
pub(crate) async fn perform(
    context: &Context,
    meaning: &dyn Meaning,
    ask: &str,
) -> Result<Output, String> {
    let ask: FamilyAsk = serde_json::from_str(ask).map_err(unread)?;
    let reply = match ask {
        FamilyAsk::Generate { seed, n_relatives, is_opaque } => {
            let recipe = Recipe { n_relatives, is_opaque, ..Recipe::small(seed) };
            let benchmark = generate(recipe).map_err(|e| e.to_string())?;
            FamilyReply::Benchmark { benchmark: Box::new(benchmark) }
        }
        FamilyAsk::Load { text } => {
            let benchmark = read_benchmark(&text).map_err(|e| e.to_string())?;
            if benchmark.families.is_empty() {
                return Err("the file has no family; a benchmark has a line with \
                            \"kind\":\"family\" for each"
                    .into());
            }
            FamilyReply::Benchmark { benchmark: Box::new(benchmark) }
        }
        FamilyAsk::Save { benchmark } => {
            FamilyReply::File { text: write(&benchmark).map_err(|e| e.to_string())? }
        }
        FamilyAsk::Search { family, text, mode, k } => {
            let kg = family.kg().map_err(|e| e.to_string())?;
            let written = parse(&text, mode);
            if written.is_empty() {
                return Err(
                    "no search was found; write KG.search(start=\"…\", path=[\"…\", \"…\"])".into(),
                );
            }
            let by = |method| extract(&kg, &written, SearchOptions { method, mode, k }, meaning);
            FamilyReply::Found { by_method: Method::ALL.map(by).into() }
        }
        FamilyAsk::Run(run) => {
            let FamilyRun { family, sample, tools, extract, call, options, limits, is_scored } =
                *run;
            family.check().map_err(|e| e.to_string())?;
            check_typed(&family, &sample).map_err(|e| e.to_string())?;
            let tools = near(tools, &sample.query);
            let models = (kg_model(context, extract)?, kg_model(context, call)?);
            let asked = Asked { family: &family, sample: &sample, tools: &tools, meaning };
            let episode = work(context, asked, (&*models.0, &*models.1), options, limits).await?;
            let by = |mode| episode.score(&sample, mode);
            let scores = if is_scored { Mode::ALL.map(by).into() } else { Vec::new() };
            FamilyReply::Ran { episode: Box::new(episode), scores, meaning: meaning.label() }
        }
    };
    Ok(Output::Family { reply: serde_json::to_string(&reply).map_err(unread)? })
}

/// More tools than this are too many to choose from.
const MANY: usize = 24;
/// So many are left then.
const NEAR: usize = 12;

/// The tools that are nearest to a request, where there are many, in their order.
fn near(tools: Vec<ToolDef>, query: &str) -> Vec<ToolDef> {
    if tools.len() <= MANY {
        return tools;
    }
    let words = |t: &ToolDef| format!("{} {}", t.name.replace('_', " "), t.description);
    let ranked = Bm25::new(tools.iter().map(words)).rank(query);
    let kept: BTreeSet<usize> = ranked.iter().take(NEAR).map(|r| r.index).collect();
    let all = tools.into_iter().enumerate();
    all.filter(|(i, _)| kept.contains(i)).map(|(_, tool)| tool).collect()
}

fn kg_model(context: &Context, choice: ModelChoice) -> Result<Box<dyn Model>, String> {
    match choice {
        ModelChoice::Script { name } => {
            let script = KgScript::by_name(&name).ok_or_else(|| {
                let names = KgScript::ALL.map(KgScript::name).join(", ");
                format!("there is no script {name:?}; there are {names}")
            })?;
            Ok(Box::new(script))
        }
        other => model_of(context, other),
    }
}

async fn work(
    context: &Context,
    asked: Asked<'_>,
    models: (&dyn Model, &dyn Model),
    options: Options,
    limits: Limits,
) -> Result<Episode, String> {
    let watching = Watching::new(context);
    let host = context.host.clone();
    let clock = move || host.now_ms();
    let setting =
        RunContext { limits, seed: None, clock: &clock, cancel: &context.cancel, watch: &watching };
    let models = Models { extract: models.0, call: models.1 };
    run(asked, models, options, setting, &mut |_, step| {
        watching.step();
        context.post(Event::Step { step: Box::new(step.clone()) });
    })
    .await
    .map_err(|e| e.to_string())
}
