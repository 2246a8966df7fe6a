//! Family requests as an experiment: links found for a request, and the tool call made with them.
//!
//! Paper: FamilyTool §6 and §7, Tables 3 to 8.

use std::rc::Rc;

use llm::{BoxFuture, Model};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tasks::Verdict;
use tasks::family::score::{Extracted, Ruleset, score_call, score_extraction};
use tasks::family::{Benchmark, FamilyCall, Recipe, Sample, Search, generate, read_files};
use text::{Embedded, NGrams, SimilarityMeasure, WordTable};
use trace::{MistakeKind, Step, StepBody, Stop, ToolResult, Trace, bytes_hash};

use super::scripted::FamilyScript;
use super::tables::TABLES;
use super::{Episode, EpisodePart, EpisodeRequest, FactSource, Method, Scores, SearchOptions, run};
use crate::experiment::{
    self, Body, Case, CaseRequest, ErrorKind, Experiment, Finished, Measure, ModelRole, Score,
    ScriptName, Session, Setup, SystemSpec, TableSpec, World, common_errors, overlay, read_outcome,
};

/// The id of this experiment.
pub const ID: &str = "family";

/// The experiment on requests about a family.
pub struct FamilyRequests;

/// The role that searches the graph.
pub const SEARCHER: ModelRole = ModelRole {
    id: "searcher",
    title: "Searcher",
    lede: "Writes searches for what of the graph a request needs.",
};

/// The role that calls a tool.
pub const CALLER: ModelRole =
    ModelRole { id: "caller", title: "Caller", lede: "Calls a tool with what the searches found." };

/// What requests are about: families with their tools, and how alike names are.
pub struct FamilyWorld {
    /// Families, tools and samples.
    pub benchmark: Benchmark,
    /// The table of words, where it is loaded.
    pub words: Option<Rc<WordTable>>,
    /// How names are compared whatever the options say, where a person has chosen that.
    pub meaning: Option<Rc<dyn SimilarityMeasure>>,
}

/// How names are compared in Relation Retrieval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SimilarityName {
    /// By character trigrams.
    #[default]
    Trigrams,
    /// By the shipped table of words.
    Words,
}

/// How a system goes about it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// As the paper says, or as its public code does.
    pub mode: Ruleset,
    /// How many names Relation Retrieval tries.
    pub k: usize,
    /// How names are compared.
    pub similarity: SimilarityName,
}

impl Default for Options {
    fn default() -> Self {
        let SearchOptions { mode, k, .. } = SearchOptions::default();
        Self { mode, k, similarity: SimilarityName::default() }
    }
}

/// What a run leaves beside its trace.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Outcome {
    /// What the searches found, as far as it is measured.
    pub extracted: Extracted,
    /// The searches that were read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub searches: Vec<Search>,
    /// The calls that were made.
    pub calls: Vec<FamilyCall>,
}

impl Outcome {
    /// That of an episode.
    pub fn of(episode: &Episode) -> Self {
        Self {
            extracted: episode.extraction.extracted.clone(),
            searches: episode.extraction.found.iter().map(|f| f.search.clone()).collect(),
            calls: episode.calls.clone(),
        }
    }

    /// Measures it against a sample.
    pub fn scores(&self, sample: &Sample, mode: Ruleset) -> Scores {
        let gold: Vec<FamilyCall> = sample.call.iter().cloned().collect();
        Scores {
            extraction: score_extraction(sample, &self.extracted, mode),
            call: score_call(&gold, &self.calls, mode),
        }
    }
}

/// A sample as a case.
///
/// # Errors
/// It has a number that JSON has not.
pub fn case(sample: &Sample, world: &str) -> Result<Case, String> {
    let group = sample.noise.map_or(sample.cell.title(), |noise| noise.title());
    Ok(Case {
        experiment: ID.to_owned(),
        id: sample.id.clone(),
        group: group.to_owned(),
        level: match sample.depth {
            1 => "1 hop".to_owned(),
            n => format!("{n} hops"),
        },
        size: None,
        world: world.to_owned(),
        body: Body::new(sample)?,
    })
}

/// A name that changes with families and tools.
pub fn world_name(benchmark: &Benchmark) -> String {
    let text = serde_json::to_string(&(&benchmark.families, &benchmark.tools)).unwrap_or_default();
    let (n, m) = (benchmark.families.len(), benchmark.tools.len());
    format!("{n} families, {m} tools, {}", &bytes_hash(text.as_bytes())[..8])
}

/// Puts the traces of both models together as they run: each step is of the role that was asked for
/// it, and the caller's prompt and tools are steps between the two.
struct Joined<'a> {
    session: &'a dyn Session,
    n_tools: usize,
    at_ms: f64,
    steps: Vec<Step>,
    /// Where the caller's steps begin.
    calls_from: usize,
}

impl Joined<'_> {
    fn push(&mut self, step: Step) {
        self.session.step(&step);
        self.steps.push(step);
    }

    fn add(&mut self, body: StepBody) {
        self.push(Step { at_ms: self.at_ms, took_ms: 0.0, by_person: false, body });
    }

    /// The tools that the model has from here on.
    fn choice(&mut self, tools: Vec<String>) {
        if self.n_tools > 0 {
            let (n_tools, reason) = (self.n_tools, "those of this stage".to_owned());
            self.add(StepBody::Choice { tools, n_tools, reason, n_tokens: None });
        }
    }

    fn take(&mut self, told: EpisodePart<'_>) {
        match told {
            EpisodePart::Searcher => self.choice(Vec::new()),
            EpisodePart::Caller(prompt, tools) => {
                self.at_ms = self.steps.last().map_or(0.0, |s| s.at_ms + s.took_ms);
                self.add(StepBody::Prompt { messages: prompt.to_vec(), fresh: true });
                self.choice(tools.iter().map(|t| t.name.clone()).collect());
                self.calls_from = self.steps.len();
            }
            EpisodePart::Step(step) => {
                self.push(Step { at_ms: step.at_ms + self.at_ms, ..step.clone() });
            }
        }
    }

    /// Both traces as one.
    fn end(self, episode: &Episode) -> Trace {
        let role = |mut trace: Trace, role: ModelRole| {
            for asked in &mut trace.asked {
                role.id.clone_into(&mut asked.role);
            }
            trace
        };
        let calling = role(episode.calling.clone(), CALLER);
        let Some(searching) = episode.extracting.clone() else { return calling };
        let mut trace = role(searching, SEARCHER);
        ID.clone_into(&mut trace.system);
        trace.steps = self.steps;
        // A searcher that failed is asked again; the caller had nothing to call with.
        if !matches!(trace.stop, Some(Stop::ModelFailed { .. } | Stop::Cancelled)) {
            trace.stop = calling.stop;
        }
        if !calling.tools.is_empty() {
            trace.tools = calling.tools;
        }
        let from = self.calls_from;
        let asked = calling.asked.into_iter();
        trace.asked.extend(asked.map(|a| trace::Asked { from: a.from + from, ..a }));
        trace
    }
}

/// A score with the measures of a request, by both ways of counting.
pub fn measured(score: Score, paper: Scores, by_code: Scores) -> Score {
    let (call, found) = (paper.call, paper.extraction);
    let is_read = !found.is_format_error;
    score
        .with("em", call.exact_match)
        .with("tool", call.tool)
        .with("value", call.value)
        .with("links_em", found.exact_match)
        .with("links_f1", found.f1)
        .with("coverage", found.coverage)
        .with("code_em", by_code.call.exact_match)
        .with("code_tool", by_code.call.tool)
        .with("code_value", by_code.call.value)
        .with("code_links_f1", by_code.extraction.f1)
        .with("code_coverage", by_code.extraction.coverage)
        .with_count("paths", found.n_paths as u64)
        .with_count("fake_paths", found.n_fake_paths as u64)
        .with_count("read", u64::from(is_read))
        .with_count("unmarked", u64::from(is_read && !found.is_marked))
        .with_count("samples", 1)
        .with_count("unmarked_of_all", u64::from(!found.is_marked))
}

fn scored(sample: &Sample, outcome: &Outcome, trace: &Trace) -> Score {
    let gold: Vec<FamilyCall> = sample.call.iter().cloned().collect();
    let (scores, by_code) =
        (outcome.scores(sample, Ruleset::Paper), outcome.scores(sample, Ruleset::Compat));
    let Scores { extraction: found, call: paper } = scores;
    let names = |calls: &[FamilyCall]| {
        let all: Vec<&str> = calls.iter().map(|c| c.name.as_str()).collect();
        if all.is_empty() { "nothing".to_owned() } else { all.join(", ") }
    };
    let (verdict, explanation) = if paper.exact_match == 1.0 {
        (Verdict::Correct, format!("called what was to be called: {}", names(&gold)))
    } else if outcome.calls.is_empty() {
        (Verdict::NoAnswer, format!("called nothing; {} was to be called", names(&gold)))
    } else if paper.tool == 1.0 {
        let share = 100.0 * paper.value;
        (Verdict::Partial, format!("called the right tool; {share:.0} % of its values are right"))
    } else {
        let (made, right) = (names(&outcome.calls), names(&gold));
        (Verdict::Incorrect, format!("called {made}; {right} was to be called"))
    };
    let explanation = match trace.stop.as_ref().filter(|s| **s != Stop::Answered) {
        Some(stop) => stop.title(),
        None => explanation,
    };
    let mut score = measured(Score::new(verdict, explanation), scores, by_code);
    let mut error = |id: &str, is: bool| {
        if is {
            score.errors.insert(id.to_owned());
        }
    };
    let bad_call = |kind: MistakeKind| {
        trace.steps.iter().any(|s| match &s.body {
            StepBody::Call { result: ToolResult::Error(e), call, .. } => {
                e.kind == kind && call.name != super::SEARCH
            }
            _ => false,
        })
    };
    error("fake_relation", found.n_fake_paths > 0);
    error("no_call", outcome.calls.is_empty() && !gold.is_empty());
    error("call_too_many", !outcome.calls.is_empty() && gold.is_empty());
    error("wrong_tool", !outcome.calls.is_empty() && !gold.is_empty() && paper.tool < 1.0);
    error("wrong_value", paper.tool == 1.0 && paper.exact_match < 1.0);
    error("schema", bad_call(MistakeKind::Schema) || bad_call(MistakeKind::BadJson));
    score.errors.extend(common_errors(trace));
    score.ballot = outcome
        .calls
        .iter()
        .map(|c| format!("{}{}", c.name, Value::from(c.parameters.clone())))
        .collect::<Vec<_>>()
        .join("; ");
    score
}

static ERROR_KINDS: &[ErrorKind] = &[
    ErrorKind { id: "fake_relation", title: "relation that does not exist" },
    ErrorKind { id: "no_call", title: "nothing called" },
    ErrorKind { id: "call_too_many", title: "called where nothing was to be called" },
    ErrorKind { id: "wrong_tool", title: "wrong tool" },
    ErrorKind { id: "wrong_value", title: "wrong value" },
    ErrorKind { id: "schema", title: "call that does not fit" },
];

static MEASURES: &[Measure] = &[
    Measure::new("em", "EM", "The call is right in all."),
    Measure::new("tool", "Tool Acc.", "The right tool was called."),
    Measure::new("value", "Value Acc.", "The share of parameters that are right."),
    Measure::new("links_em", "Links EM", "The links are exactly those that are needed."),
    Measure::new("links_f1", "Links F1", "Harmonic mean of precision and recall of links."),
    Measure::new("coverage", "Coverage", "What the right call takes from the graph was found."),
    Measure::new("code_em", "EM (public code)", "EM as the public code counts it."),
    Measure::new("code_tool", "Tool Acc. (public code)", "Tool Acc. as the public code counts it."),
    Measure::new(
        "code_value",
        "Value Acc. (public code)",
        "Value Acc. as the public code counts it.",
    ),
    Measure::new("code_links_f1", "Links F1 (public code)", "F1 as the public code counts it."),
    Measure::new(
        "code_coverage",
        "Coverage (public code)",
        "Coverage as the public code counts it.",
    ),
];

/// Each system with what it searches by, and what its caller is given.
const WAYS: [(SystemSpec, Method, FactSource); 5] = {
    const BOTH: &[ModelRole] = &[SEARCHER, CALLER];
    const ONE: &[ModelRole] = &[CALLER];
    const fn spec(
        id: &'static str,
        title: &'static str,
        lede: &'static str,
        roles: &'static [ModelRole],
    ) -> SystemSpec {
        SystemSpec { id, title, lede, roles, has_tools: true, in_shape: true }
    }
    let gs = "Where a relation is not there, all links of the person are taken.";
    let rr = "Where a relation is not there, the most similar ones are tried.";
    let exact = "A relation that is not there finds nothing.";
    let golden = "The caller is given the links that are needed, and no others.";
    let full = "The caller is given the whole graph.";
    [
        (spec("gs", "Greedy Search", gs, BOTH), Method::Gs, FactSource::Extracted),
        (spec("rr", "Relation Retrieval", rr, BOTH), Method::Rr, FactSource::Extracted),
        (spec("exact", "Exact names", exact, BOTH), Method::Exact, FactSource::Extracted),
        (spec("golden", "Golden links", golden, ONE), Method::Gs, FactSource::Golden),
        (spec("full", "Whole graph", full, ONE), Method::Gs, FactSource::Full),
    ]
};

pub(crate) static SYSTEMS: [SystemSpec; 5] =
    [WAYS[0].0, WAYS[1].0, WAYS[2].0, WAYS[3].0, WAYS[4].0];

/// What a system searches by, and what its caller is given.
pub(super) fn way(system: &str) -> Option<(Method, FactSource)> {
    WAYS.iter().find(|(spec, ..)| spec.id == system).map(|(_, method, source)| (*method, *source))
}

/// The system that searches by a method and gives its caller that; by exact names where the caller
/// is given what no search found.
pub fn system_of(method: Method, source: FactSource) -> &'static str {
    let is_it =
        |m: Method, s: FactSource| s == source && (m == method || s != FactSource::Extracted);
    WAYS.iter().find(|(_, m, s)| is_it(*m, *s)).map_or("exact", |(spec, ..)| spec.id)
}

fn options_of(setup: &Setup) -> Result<(Options, super::EpisodeOptions), String> {
    let options: Options =
        serde_json::from_value(setup.options.clone()).map_err(|e| format!("the options: {e}"))?;
    let (method, source) =
        way(&setup.system).ok_or_else(|| format!("there is no system {:?}", setup.system))?;
    if !(1..=10).contains(&options.k) {
        return Err(format!("the option k is {}; expected 1 to 10", options.k));
    }
    let search = SearchOptions { method, mode: options.mode, k: options.k };
    Ok((options, super::EpisodeOptions { search, source }))
}

impl Experiment for FamilyRequests {
    fn id(&self) -> &'static str {
        ID
    }

    fn title(&self) -> &'static str {
        "Family requests"
    }

    fn lede(&self) -> &'static str {
        "Requests about a family: one model searches its graph, another calls a tool."
    }

    fn systems(&self) -> &'static [SystemSpec] {
        &SYSTEMS
    }

    fn scripts(&self, _: &str) -> Vec<ScriptName> {
        let of = |s: FamilyScript| ScriptName { name: s.name().into(), label: s.label() };
        FamilyScript::ALL.map(of).into()
    }

    fn script(&self, _: &str, name: &str) -> Option<Box<dyn Model>> {
        FamilyScript::by_name(name).map(|script| Box::new(script) as Box<dyn Model>)
    }

    fn options(&self, _: &str) -> Value {
        serde_json::to_value(Options::default()).unwrap_or_default()
    }

    fn read_options(&self, system: &str, options: &Value) -> Result<Value, String> {
        let read = overlay::<Options>(&self.options(system), options)?;
        match read.get("k").and_then(Value::as_u64) {
            Some(1..=10) => Ok(read),
            k => Err(format!("the option k is {k:?}; expected 1 to 10")),
        }
    }

    fn scorer(&self) -> u32 {
        // 2: counts the samples without the mark among all of them.
        2
    }

    fn measures(&self) -> &'static [Measure] {
        MEASURES
    }

    fn error_kinds(&self) -> &'static [ErrorKind] {
        ERROR_KINDS
    }

    fn tables(&self) -> &'static [TableSpec] {
        &TABLES
    }

    fn usual_world(&self) -> &'static str {
        "small:1"
    }

    /// A generated household: `small:SEED` with 40 samples, or `full:SEED` with 770; or a file that
    /// `kgetool generate` wrote, or files of samples, tools and triples.
    fn world(&self, source: &experiment::Source) -> Result<World, String> {
        let benchmark = match source.files.as_slice() {
            [] => {
                let name = if source.world.is_empty() { self.usual_world() } else { &source.world };
                let wrong =
                    || format!("there is no family {name:?}; expected small:SEED or full:SEED");
                let (size, seed) = name.split_once(':').unwrap_or((name, "1"));
                let seed: u64 = seed.parse().map_err(|_| wrong())?;
                let recipe = match size {
                    "small" => Recipe::small(seed),
                    "full" => Recipe::full(seed),
                    _ => return Err(wrong()),
                };
                generate(recipe).map_err(|e| e.to_string())?
            }
            files => read_files(files)?,
        };
        Ok(World::new(FamilyWorld { benchmark, words: None, meaning: None }))
    }

    fn cases(&self, source: &experiment::Source, world: &World) -> Result<Vec<Case>, String> {
        let world: &FamilyWorld =
            world.get().ok_or("requests need the family that they are about")?;
        let name = world_name(&world.benchmark);
        let cases: Result<Vec<Case>, String> =
            world.benchmark.samples.iter().map(|s| case(s, &name)).collect();
        let mut cases = cases?;
        cases.retain(|c| source.has_group(&c.group) && source.has_level(&c.level));
        // Cells and hops are mixed in a file: so many in all.
        cases.truncate(source.n.unwrap_or(usize::MAX));
        Ok(cases)
    }

    fn groups(&self) -> Vec<String> {
        let cells = tasks::family::Novelty::ALL.iter().map(|c| c.title().to_owned());
        cells.chain(tasks::family::Noise::ALL.iter().map(|n| n.title().to_owned())).collect()
    }

    fn question(&self, _: &Setup, case: &Case) -> String {
        case.body.read::<Sample>().map_or_else(|_| String::new(), |s| s.spoken())
    }

    fn gold(&self, case: &Case) -> String {
        let call = case.body.read::<Sample>().ok().and_then(|s| s.call);
        call.map_or_else(String::new, |c| serde_json::to_string(&c).unwrap_or_default())
    }

    fn is_known(&self, case: &Case) -> bool {
        !self.gold(case).is_empty()
    }

    fn run<'a>(&'a self, request: CaseRequest<'a>) -> BoxFuture<'a, Result<Finished, String>> {
        Box::pin(async move {
            let CaseRequest { setup, case, world, models, setting, session, .. } = request;
            let (own, options) = options_of(setup)?;
            let sample: Sample = case.body.read()?;
            let world: &FamilyWorld =
                world.get().ok_or("requests need the family that they are about")?;
            let family = world.benchmark.family(&sample).map_err(|e| e.to_string())?;
            let tools = world.benchmark.candidates(&sample).map_err(|e| e.to_string())?;
            let meaning: Rc<dyn SimilarityMeasure> = match (own.similarity, &world.words) {
                _ if let Some(meaning) = &world.meaning => meaning.clone(),
                (SimilarityName::Trigrams, _) => Rc::new(NGrams),
                (SimilarityName::Words, Some(table)) => Rc::new(Embedded(table.clone())),
                (SimilarityName::Words, None) => {
                    return Err(
                        "the table of words is not loaded here; set similarity=trigrams".into()
                    );
                }
            };
            let call = models.need(CALLER.id)?;
            // Where nothing is searched nobody is asked for searches.
            let extract = models.get(SEARCHER.id).unwrap_or(call);
            let asked =
                EpisodeRequest { family, sample: &sample, tools: &tools, meaning: &*meaning };
            let models = super::EpisodeModels { extract, call };
            let mut joined = Joined {
                session,
                n_tools: tools.len(),
                at_ms: 0.0,
                steps: Vec::new(),
                calls_from: 0,
            };
            let episode = run(asked, models, options, setting, &mut |told| joined.take(told))
                .await
                .map_err(|e| e.to_string())?;
            let trace = joined.end(&episode);
            session.event(&episode);
            let outcome = Outcome::of(&episode);
            let score = scored(&sample, &outcome, &trace);
            Finished { trace, outcome, score }.into_json()
        })
    }

    fn score(
        &self,
        _: &World,
        _: &Setup,
        case: &Case,
        trace: &Trace,
        outcome: &Value,
    ) -> Result<Score, String> {
        let outcome: Outcome = read_outcome(outcome)?;
        Ok(scored(&case.body.read()?, &outcome, trace))
    }
}
