//! Families: benchmarks, requests that two models work on, searches by hand.

use std::collections::BTreeSet;

use llm::Model;
use protocol::exact::Exact;
use protocol::family::{
    FamilyAnswer, GenerateFamilies, ReadFamilies, RunFamily, SearchFamily, WriteFamilies,
};
use systems::kgetool::experiment::Outcome;
use systems::kgetool::scripted::FamilyScript;
use systems::kgetool::{
    EpisodeModels, EpisodeRequest, Extraction, Method, SearchOptions, check_typed, extract, parse,
    run,
};
use tasks::family::score::Ruleset;
use tasks::family::{Benchmark, Recipe, ToolDef, generate, read_benchmark, write};
use text::Bm25;

use crate::context::{Context, Ended};
use crate::models;
use crate::open::Open;

pub(crate) async fn generate_families(
    _: &Context,
    ask: GenerateFamilies,
) -> Result<Exact<Benchmark>, Ended> {
    let GenerateFamilies { seed, n_relatives, is_opaque } = ask;
    let recipe = Recipe { n_relatives, is_opaque, ..Recipe::small(seed) };
    Ok(Exact(generate(recipe).map_err(|e| e.to_string())?))
}

pub(crate) async fn read(_: &Context, ask: ReadFamilies) -> Result<Exact<Benchmark>, Ended> {
    let benchmark = read_benchmark(&ask.text).map_err(|e| e.to_string())?;
    if benchmark.families.is_empty() {
        let why =
            "the file has no family; a benchmark has a line with \"kind\":\"family\" for each";
        return Err(why.into());
    }
    Ok(Exact(benchmark))
}

pub(crate) async fn write_file(_: &Context, ask: WriteFamilies) -> Result<String, Ended> {
    Ok(write(&ask.benchmark).map_err(|e| e.to_string())?)
}

pub(crate) async fn search(
    context: &Context,
    ask: SearchFamily,
) -> Result<Exact<Vec<Extraction>>, Ended> {
    let SearchFamily { family, text, mode, k } = ask;
    let meaning = context.keep::<Open>().borrow().meaning();
    let kg = family.kg().map_err(|e| e.to_string())?;
    let written = parse(&text, mode);
    if written.is_empty() {
        let why = "no search was found; write KG.search(start=\"…\", path=[\"…\", \"…\"])";
        return Err(why.into());
    }
    let by = |method| extract(&kg, &written, SearchOptions { method, mode, k }, &*meaning);
    Ok(Exact(Method::ALL.map(by).into()))
}

pub(crate) async fn run_request(context: &Context, ask: RunFamily) -> Result<FamilyAnswer, Ended> {
    let RunFamily { family, sample, tools, extract, call, options, limits, is_scored } = ask;
    let meaning = context.keep::<Open>().borrow().meaning();
    family.check().map_err(|e| e.to_string())?;
    check_typed(&family, &sample).map_err(|e| e.to_string())?;
    let tools = near(tools, &sample.query);
    let (extract, call) =
        (models::model(context, extract, script)?, models::model(context, call, script)?);
    let models = EpisodeModels { extract: &*extract, call: &*call };
    let asked =
        EpisodeRequest { family: &family, sample: &sample, tools: &tools, meaning: &*meaning };
    let episode = models::run(context, limits, async |at, on_step| {
        run(asked, models, options, at, &mut |_, step| on_step(step)).await
    })
    .await
    .map_err(|e| e.to_string())?;
    let outcome = Outcome::of(&episode);
    let by = |mode| outcome.scores(&sample, mode);
    let scores = if is_scored { Ruleset::ALL.map(by).into() } else { Vec::new() };
    Ok(FamilyAnswer { episode: Box::new(episode), scores, similarity: meaning.label() })
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

fn script(name: &str) -> Result<Box<dyn Model>, String> {
    let script = FamilyScript::by_name(name).ok_or_else(|| {
        let names = FamilyScript::ALL.map(FamilyScript::name).join(", ");
        format!("there is no script {name:?}; there are {names}")
    })?;
    Ok(Box::new(script))
}
