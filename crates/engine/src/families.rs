//! Families: benchmarks, requests that two models work on, searches by hand.

use std::any::Any;
use std::collections::BTreeSet;

use protocol::exact::Exact;
use protocol::family::{
    AskedFamily, FamilyRun, FoundLinks, GenerateFamilies, ReadFamilies, SearchFamily, WriteFamilies,
};
use protocol::runs::StartRun;
use systems::Backends;
use systems::experiment::{Experiment, World};
use systems::kgetool::experiment::{FamilyRequests, FamilyWorld, case};
use systems::kgetool::{Episode, Extraction, Method, SearchOptions, check_typed, extract, parse};
use tasks::family::{Benchmark, Recipe, Sample, ToolDef, generate, read_benchmark, write};
use text::Bm25;

use crate::context::{Context, Ended};
use crate::open::Open;
use crate::run::PageRun;

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

impl<B: Backends> PageRun<B> for FamilyRun {
    const EXPERIMENT: &'static dyn Experiment = &FamilyRequests;

    fn world(context: &Context, start: &mut StartRun<Self>) -> Result<World, Ended> {
        let AskedFamily { family, tools } = std::mem::take(&mut start.by_hand);
        let mut sample: Sample = start.case.body.read()?;
        family.check().map_err(|e| e.to_string())?;
        check_typed(&family, &sample).map_err(|e| e.to_string())?;
        let tools = near(tools, &sample.query);
        sample.candidates = tools.iter().map(|t| t.name.clone()).collect();
        start.case = case(&sample, &start.case.world)?;
        let benchmark = Benchmark { families: vec![family], tools, ..Benchmark::default() };
        let meaning = Some(context.keep::<Open>().borrow().meaning());
        Ok(World::new(FamilyWorld { benchmark, words: None, meaning }))
    }

    fn event(context: &Context, event: &dyn Any) -> Option<FoundLinks> {
        let episode: &Episode = event.downcast_ref()?;
        let similarity = context.keep::<Open>().borrow().meaning().label();
        Some(FoundLinks { by_method: episode.side_by_side.clone(), similarity })
    }
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
