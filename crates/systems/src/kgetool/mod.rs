//! KGETool: one model finds what of a family's graph a request needs, another calls a tool with it.
//!
//! Paper: FamilyTool §5. [`run`] is the pipeline; [`Searcher`] finds paths by exact names, by Greedy
//! Search and by Relation Retrieval; [`parse()`] reads searches in a model's answer.
//! `docs/kgetool.md` tells what is done as the paper says, and what as its public code does.

pub mod experiment;
mod parse;
mod prompt;
pub mod published;
pub mod scripted;
mod search;
mod shape;
mod tables;
mod tools;

use agent::{Choosing, Limits, NoTools, RunContext};
use graph::functions::Touched;
use graph::{Delta, Graph, NodeName};
use kg::Kg;
use llm::{Message, Model, Shaped, ToolCall};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tasks::family::score::{CallScore, ExtractionScore};
use tasks::family::{Family, FamilyCall, FamilyError, Link, Sample, Search, ToolDef};
use text::SimilarityMeasure;
use trace::{Effects, MistakeKind, Step, StepBody, Stop, ToolError, ToolResult, Trace};

pub use parse::{MAX_HOPS, MAX_SEARCHES, MAX_TEXT, WrittenSearch, parse, write};
pub use prompt::{CALLING, EXTRA, extraction as extraction_prompt, with_extra};
pub use search::{
    Extraction, Fate, Hop, MARK, Method, SearchOptions, SearchResult, Searcher, gather, write_links,
};
pub use shape::searches_shape;
pub use tools::{Candidates, replay};

/// The name of the system in a trace of the first step.
pub const EXTRACTING: &str = "kgetool_extract";
/// The name of the system in a trace of the second step.
pub const CALLS: &str = "kgetool_call";
/// The name of the search in a trace.
pub const SEARCH: &str = "KG.search";
/// The most bytes of a request that a person types.
pub const MAX_QUERY: usize = 4000;

/// What the second model is told of the graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FactSource {
    /// What the first model's searches find.
    #[default]
    Extracted,
    /// The links that are needed, and no others. Paper: Table 4.
    Golden,
    /// The whole graph. Paper: §7.2, Table 7.
    Full,
}

impl FactSource {
    /// Every source, in the order in which lists show them.
    pub const ALL: [Self; 3] = [Self::Extracted, Self::Golden, Self::Full];

    /// Its name in files and options.
    pub fn name(self) -> &'static str {
        match self {
            Self::Extracted => "extracted",
            Self::Golden => "golden",
            Self::Full => "full",
        }
    }

    /// In a few words for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Extracted => "what the searches find",
            Self::Golden => "the links that are needed",
            Self::Full => "the whole graph",
        }
    }
}

/// How the pipeline goes about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EpisodeOptions {
    /// How searches are done.
    pub search: SearchOptions,
    /// What the second model is told.
    pub source: FactSource,
}

/// What came of a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Episode {
    /// What the first model did; absent where it was not asked.
    pub extracting: Option<Trace>,
    /// What its searches found.
    pub extraction: Extraction,
    /// What each method makes of the same searches.
    pub side_by_side: Vec<Extraction>,
    /// What the second model did.
    pub calling: Trace,
    /// The calls that it made.
    pub calls: Vec<FamilyCall>,
}

/// How good what came of a request is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    /// Of what was extracted.
    pub extraction: ExtractionScore,
    /// Of what was called.
    pub call: CallScore,
}

/// The models of the two steps, which may be the same. Paper: §7.3.
#[derive(Clone, Copy)]
pub struct EpisodeModels<'a> {
    /// The one that searches.
    pub extract: &'a dyn Model,
    /// The one that calls.
    pub call: &'a dyn Model,
}

/// A request with all that is known.
#[derive(Clone, Copy)]
pub struct EpisodeRequest<'a> {
    /// The family whose graph is searched.
    pub family: &'a Family,
    /// What is asked, with the speaker; what is right about it is used by [`FactSource::Golden`] alone.
    pub sample: &'a Sample,
    /// The tools that the caller chooses from.
    pub tools: &'a [ToolDef],
    /// How alike names are, for Relation Retrieval.
    pub meaning: &'a dyn SimilarityMeasure,
}

/// Whether a request that a person typed can be asked.
///
/// # Errors
/// It is empty or too long, or nobody of the family speaks.
pub fn check_typed(family: &Family, sample: &Sample) -> Result<(), FamilyError> {
    let n = sample.query.trim().len();
    if n == 0 || sample.query.len() > MAX_QUERY {
        let found = sample.query.len();
        return Err(FamilyError::Number {
            what: "the number of bytes of the request",
            found,
            least: 1,
            most: MAX_QUERY,
        });
    }
    let speaker = sample.speaker.clone().unwrap_or_default();
    if family.people().contains(speaker.as_str()) {
        return Ok(());
    }
    let names: Vec<&str> = family.people().into_iter().take(12).collect();
    let hint = format!("; the request needs one of {}", names.join(", "));
    Err(FamilyError::Missing { what: "speaker", name: speaker, hint })
}

/// What a run of the pipeline reports on the way.
pub enum EpisodePart<'a> {
    /// The searcher begins; it has no tools.
    Searcher,
    /// The caller begins after a searcher, with this prompt and these tools.
    Caller(&'a [Message], &'a [ToolDef]),
    /// A step of the one at work; its times count from the beginning of its own trace.
    Step(&'a Step),
}

/// Runs the pipeline for one request: the first model writes searches, they are done, and the second
/// model reads what they found and calls a tool. `on` hears of each step as it comes.
///
/// # Errors
/// The family is no graph. What a model gets wrong is no error.
pub async fn run(
    asked: EpisodeRequest<'_>,
    models: EpisodeModels<'_>,
    options: EpisodeOptions,
    setting: RunContext<'_>,
    on: &mut dyn FnMut(EpisodePart<'_>),
) -> Result<Episode, kg::KgError> {
    let EpisodeRequest { family, sample, tools, meaning } = asked;
    let kg = family.kg()?;
    let spoken = sample.spoken();
    let mut extracting = None;
    let (mut extraction, mut side_by_side) = (Extraction::default(), Vec::new());
    let links = match options.source {
        FactSource::Extracted => {
            let prompt = prompt::extraction_messages(family, &spoken);
            let shaped = Shaped::of(models.extract, || searches_shape(family));
            let model = shaped.as_ref().map_or(models.extract, |shaped| shaped);
            let start = Trace::new(EXTRACTING, model.label(), prompt);
            on(EpisodePart::Searcher);
            let mut trace =
                turn(model, &mut NoTools, start, setting, &mut |step| on(EpisodePart::Step(step)))
                    .await;
            let answer = trace.answer().unwrap_or_default().to_owned();
            let written = parse(&answer, options.search.mode);
            extraction = extract(&kg, &written, options.search, meaning);
            side_by_side = Method::ALL
                .iter()
                .map(|method| {
                    let of = SearchOptions { method: *method, ..options.search };
                    extract(&kg, &written, of, meaning)
                })
                .collect();
            let at = setting.clock.now_ms();
            let began = trace.steps.last().map_or(0.0, |s| s.at_ms + s.took_ms);
            for body in search_steps(&written, &extraction, options.search) {
                let took_ms = setting.clock.now_ms() - at;
                let step = Step { at_ms: began, took_ms, by_person: false, body };
                on(EpisodePart::Step(&step));
                trace.steps.push(step);
            }
            extracting = Some(trace);
            extraction.text.clone()
        }
        FactSource::Golden | FactSource::Full => {
            let links =
                if options.source == FactSource::Full { &family.links } else { &sample.links };
            extraction.text = write_links(links);
            extraction.extracted.links.clone_from(links);
            extraction.text.clone()
        }
    };
    let mut candidates = Candidates::new(tools.to_vec());
    let prompt = prompt::calling_messages(&spoken, &links);
    if extracting.is_some() {
        on(EpisodePart::Caller(&prompt, tools));
    }
    let start = Trace::new(CALLS, models.call.label(), prompt);
    let was_stopped = extracting.as_ref().is_some_and(|t| t.stop == Some(Stop::Cancelled));
    let calling = if was_stopped {
        Trace { stop: Some(Stop::Cancelled), ..start }
    } else {
        turn(models.call, &mut candidates, start, setting, &mut |step| on(EpisodePart::Step(step)))
            .await
    };
    let calls = candidates.calls(&calling);
    Ok(Episode { extracting, extraction, side_by_side, calling, calls })
}

/// One turn of a model. Paper: §5 asks each model once; a call that goes wrong is not repeated.
async fn turn(
    model: &dyn Model,
    tools: &mut dyn agent::ToolSet,
    start: Trace,
    setting: RunContext<'_>,
    on_step: &mut dyn FnMut(&Step),
) -> Trace {
    let limits = Limits { max_rounds: 1, max_calls: 8, ..setting.limits };
    let context = RunContext { limits, ..setting };
    let mut trace = agent::run(start, model, tools, &Choosing::All, context, on_step).await;
    if trace.stop == Some(Stop::Rounds) {
        // A call is the answer here: the one turn that is wanted has been taken.
        trace.stop = Some(Stop::Answered);
    }
    trace
}

/// Does the searches that a model wrote.
pub fn extract(
    kg: &Kg,
    written: &[WrittenSearch],
    options: SearchOptions,
    meaning: &dyn SimilarityMeasure,
) -> Extraction {
    let searcher = Searcher::new(kg, meaning);
    let read = written.iter().filter_map(|w| w.search.as_ref().ok());
    let found = read.map(|s| searcher.search(s, options)).collect();
    let unread = written.iter().filter_map(|w| w.search.as_ref().err().cloned()).collect();
    gather(found, unread, options)
}

/// Does searches that no model wrote, such as those of a sample.
pub fn extract_searches(
    kg: &Kg,
    searches: &[Search],
    options: SearchOptions,
    meaning: &dyn SimilarityMeasure,
) -> Extraction {
    let searcher = Searcher::new(kg, meaning);
    let found = searches.iter().map(|s| searcher.search(s, options)).collect();
    gather(found, Vec::new(), options)
}

/// The searches as steps of a trace. The graph of the trace is the sub-graph that they find.
fn search_steps(
    written: &[WrittenSearch],
    extraction: &Extraction,
    options: SearchOptions,
) -> Vec<StepBody> {
    let mut graph = Graph::directed();
    let mut found = extraction.found.iter();
    let mut steps = Vec::new();
    for (i, w) in written.iter().enumerate() {
        let arguments = match &w.search {
            Ok(search) => json!({
                "start": search.start, "path": search.path,
                "method": options.method.name(), "mode": options.mode.name(),
            }),
            Err(_) => json!({ "text": w.text }),
        };
        let call = ToolCall {
            id: format!("search_{}", i + 1),
            name: SEARCH.to_owned(),
            arguments: arguments.to_string(),
        };
        let (result, effects) = match &w.search {
            Ok(_) => match found.next() {
                Some(f) => {
                    let links = f.links();
                    let value = json!({ "links": links, "hops": f.hops });
                    let effects = effects(&links, &mut graph);
                    (ToolResult::Value { value, notes: f.notes.clone() }, effects)
                }
                None => continue,
            },
            Err(message) => {
                let kind = MistakeKind::Schema;
                let (code, message) = ("bad_search".to_owned(), message.clone());
                let error = ToolError { kind, code, message, witness: None };
                (ToolResult::Error(error), Effects::default())
            }
        };
        steps.push(StepBody::Call { call, result, effects, told: None });
    }
    steps
}

/// What links add to the graph of a trace, and that they were touched.
fn effects(links: &[Link], graph: &mut Graph) -> Effects {
    let mut effects = Effects::default();
    let add = |delta: Delta, graph: &mut Graph, deltas: &mut Vec<Delta>| {
        if graph.apply(&delta).is_ok() {
            deltas.push(delta);
        }
    };
    if graph.n_nodes() == 0 {
        let delta = Delta::Create { directed: true, weighted: false };
        add(delta, graph, &mut effects.deltas);
    }
    let mut touched = Touched::default();
    for link in links {
        let ends = (NodeName::from(link.head.as_str()), NodeName::from(link.tail.as_str()));
        for node in [&ends.0, &ends.1] {
            if !graph.has_node(node) {
                add(Delta::AddNode { node: node.clone() }, graph, &mut effects.deltas);
            }
            if !touched.nodes.contains(node) {
                touched.nodes.push(node.clone());
            }
        }
        let (source, target) = ends.clone();
        let delta = Delta::AddEdge { source, target, weight: None, capacity: None };
        if !touched.edges.contains(&ends) {
            if graph.edge(&ends.0, &ends.1).is_none() {
                add(delta, graph, &mut effects.deltas);
            }
            touched.edges.push(ends);
        }
    }
    effects.touched = touched;
    effects
}
