//! Results that version 0.1 wrote beside runs files: lines of `kg bench` and of `kgetool run`, each
//! of which tells its setup, its case and its run at once.

use std::collections::BTreeMap;

use llm::Usage;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use systems::experiment::{self, Body, Case, Cost, RoleModel, Score, Setup};
use systems::kgetool::experiment as family;
use systems::kgetool::{FactSource, Method, Scores};
use systems::kgqa::experiment as kgqa;
use tasks::Verdict;
use tasks::family::score::{Extracted, Ruleset};
use tasks::family::{FamilyCall, Link, Noise, Novelty, Search};
use tasks::kgqa::{KgJudgement, KgQuestion};
use trace::{Stop, Trace};

use crate::{Entry, Key, RunEntry};

/// Reads a line of results that version 0.1 wrote without a head; `None` if it is none.
///
/// # Errors
/// It is one, and something in it is not as it should be.
pub fn read<T: DeserializeOwned>(line: &str) -> Option<Result<Vec<Entry<T>>, String>> {
    let fields: Map<String, Value> = serde_json::from_str(line).ok()?;
    let has = |names: &[&str]| names.iter().all(|n| fields.contains_key(*n));
    if has(&["key", "run"]) {
        Some(knowledge(line))
    } else if has(&["extract_model", "call_model", "searches"]) {
        Some(requests(line))
    } else {
        None
    }
}

fn read_as<'de, T: Deserialize<'de>>(line: &'de str) -> Result<T, String> {
    serde_json::from_str(line)
        .map_err(|e| e.to_string().replace(" at line 1 column ", " at letter "))
}

/// A trace as whoever reads the file wants it, or passes it over.
fn as_wanted<T: DeserializeOwned>(trace: &Trace) -> Result<T, String> {
    let text = serde_json::to_string(trace).map_err(|e| e.to_string())?;
    serde_json::from_str(&text).map_err(|e| e.to_string())
}

fn entries<T>(setup: Setup, case: Case, run: RunEntry<T>) -> Vec<Entry<T>> {
    let hash = setup.hash();
    vec![
        Entry::Setup { hash, setup: Box::new(setup) },
        Entry::Case(Box::new(case)),
        Entry::Run(Box::new(run)),
    ]
}

#[derive(Deserialize)]
struct KgLine {
    #[serde(default)]
    options: Value,
    #[serde(default)]
    effort: Option<KgEffort>,
    #[serde(default)]
    judged: Option<bool>,
    run: KgRun,
}

#[derive(Deserialize)]
struct KgEffort {
    n_input: u64,
    n_output: u64,
    is_counted: bool,
}

#[derive(Deserialize)]
struct KgRun {
    system: String,
    question: KgQuestion,
    trace: Trace,
    #[serde(flatten)]
    outcome: kgqa::Outcome,
    judgement: KgJudgement,
}

fn knowledge<T: DeserializeOwned>(line: &str) -> Result<Vec<Entry<T>>, String> {
    let KgLine { options, effort, judged, run } = read_as(line)?;
    let experiment = experiment::find(kgqa::ID)?;
    let asked = run.trace.asked.first();
    let model = RoleModel {
        model: asked.map_or_else(|| run.trace.model.clone(), |a| a.model.clone()),
        endpoint: asked.and_then(|a| a.endpoint.clone()),
    };
    let mut setup = experiment.setup(&run.system, &[model])?;
    let usual = experiment.options(&run.system);
    if let (Value::Object(mut given), Value::Object(usual)) = (options, usual) {
        given.retain(|name, _| usual.contains_key(name));
        setup.options = experiment.read_options(&run.system, &Value::Object(given))?;
    }
    // The name of a graph does not say which it was.
    let case = kgqa::case(&run.question, "")?;
    let outcome = kgqa::Outcome { judged, ..run.outcome };
    let outcome = serde_json::to_value(outcome).map_err(|e| e.to_string())?;
    let mut score =
        experiment.score(&experiment::World::default(), &setup, &case, &run.trace, &outcome)?;
    // What the file says counts; a check finds where it is otherwise.
    score.verdict = run.judgement.verdict;
    score.measures.insert("rouge_l".into(), run.judgement.rouge_l);
    let mut cost = Cost::of(&run.trace);
    cost.counted = effort.filter(|e| e.is_counted).map(|e| (e.n_input, e.n_output));
    let key = Key { setup: setup.hash(), case: case.id.clone(), sample: 0 };
    let trace = as_wanted(&run.trace)?;
    Ok(entries(setup, case, RunEntry { key, at_ms: 0.0, score, cost, outcome, trace }))
}

#[derive(Deserialize)]
struct FamilyLine {
    id: String,
    extract_model: String,
    call_model: String,
    method: Method,
    mode: Ruleset,
    k: usize,
    source: FactSource,
    searches: Vec<Search>,
    links: Vec<Link>,
    calls: Vec<FamilyCall>,
    paper: Scores,
    compat: Scores,
    #[serde(default)]
    stopped: Option<String>,
    cell: Novelty,
    #[serde(default)]
    noise: Option<Noise>,
    depth: usize,
}

fn requests<T: DeserializeOwned>(line: &str) -> Result<Vec<Entry<T>>, String> {
    let line: FamilyLine = read_as(line)?;
    let system = match (line.source, line.method) {
        (FactSource::Golden, _) => "golden",
        (FactSource::Full, _) => "full",
        (FactSource::Extracted, Method::Gs) => "gs",
        (FactSource::Extracted, Method::Rr) => "rr",
        (FactSource::Extracted, Method::Exact) => "exact",
    };
    let experiment = experiment::find(family::ID)?;
    let mut setup = experiment.setup(system, &[])?;
    setup.roles = BTreeMap::from([(
        family::CALLER.id.to_owned(),
        RoleModel::script(line.call_model.as_str()),
    )]);
    if line.source == FactSource::Extracted {
        let searcher = RoleModel::script(line.extract_model.as_str());
        setup.roles.insert(family::SEARCHER.id.to_owned(), searcher);
    }
    let options = json!({ "mode": line.mode, "k": line.k, "similarity": "words" });
    setup.options = experiment.read_options(system, &options)?;
    let group = line.noise.map_or(line.cell.title(), |noise| noise.title());
    let level = if line.depth == 1 { "1 hop".into() } else { format!("{} hops", line.depth) };
    let case = Case {
        experiment: family::ID.to_owned(),
        id: line.id.clone(),
        group: group.to_owned(),
        level,
        size: None,
        world: String::new(),
        // These lines have no request: such a run cannot be scored again.
        body: Body::new(&json!({ "id": line.id }))?,
    };
    let (call, found) = (line.paper.call, line.paper.extraction);
    let verdict = match (call.exact_match >= 1.0, line.calls.is_empty(), call.tool >= 1.0) {
        (true, ..) => Verdict::Correct,
        (_, true, _) => Verdict::NoAnswer,
        (_, _, true) => Verdict::Partial,
        _ => Verdict::Incorrect,
    };
    let score = Score::new(verdict, line.stopped.unwrap_or_default());
    let score = family::measured(score, line.paper, line.compat);
    let extracted = Extracted {
        links: line.links,
        is_marked: found.is_marked,
        is_empty: found.is_format_error,
        n_paths: found.n_paths,
        n_fake_paths: found.n_fake_paths,
    };
    let outcome = family::Outcome { extracted, searches: line.searches, calls: line.calls };
    let outcome = serde_json::to_value(outcome).map_err(|e| e.to_string())?;
    let mut trace = Trace::new(family::ID, line.call_model, Vec::new());
    trace.stop = Some(Stop::Answered);
    let key = Key { setup: setup.hash(), case: case.id.clone(), sample: 0 };
    let cost = Cost { usage: Usage::default(), ..Cost::default() };
    let trace = as_wanted(&trace)?;
    Ok(entries(setup, case, RunEntry { key, at_ms: 0.0, score, cost, outcome, trace }))
}
