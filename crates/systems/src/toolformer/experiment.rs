//! Inline tool calls as an experiment: statements written with calls in them, and run.
//!
//! Paper: Graph-ToolFormer §5, Table 4.

use std::cell::RefCell;
use std::rc::Rc;

use llm::{BoxFuture, Model};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tasks::Verdict;
use trace::{Stop, Trace};

use super::classes::{StatementFault, statement_fault};
use super::error::CallError;
use super::execute::{Executor, Mode};
use super::fill::Order;
use super::hubs::Hubs;
use super::hubs::datasets::DATASETS;
use super::instance::{Instance, MAX_LINE};
use super::memory::CAPACITY;
use super::prompts::{Pair, make};
use super::published::TABLE_4;
use super::score::{PairScore, has_same_answers};
use super::scripted::WriterScript;
use super::tables::{MEASURES, RUNS, SHARED, TABLES};
pub use super::tables::{bleu_of, id_of};
use super::write::{MAX_INPUT, Statement, Supply, write};
use crate::experiment::{
    Body, Case, CaseRequest, ErrorKind, Experiment, Finished, Measure, ModelRole, Score,
    ScriptName, Setup, Source, SystemSpec, TableSpec, World, by_hand, common_errors, overlay,
    read_outcome,
};

/// The id of this experiment.
pub const ID: &str = "toolformer";

/// The experiment on statements with inline tool calls.
pub struct InlineCalls;

/// The role that writes statements.
pub const WRITER: ModelRole =
    ModelRole { id: "writer", title: "Writer", lede: "Writes the statement with its calls." };

/// The data and models that calls ask.
#[derive(Clone)]
pub struct HubsWorld {
    /// The data and models at hand.
    pub hubs: Hubs,
    /// What runs the calls of all runs, and remembers; each run has its own if absent.
    pub executor: Option<Rc<RefCell<Executor>>>,
    /// Who brings data and models that are not at hand.
    pub supply: Option<Rc<dyn Supply>>,
}

impl HubsWorld {
    /// Data and models alone.
    pub fn new(hubs: Hubs) -> Self {
        Self { hubs, executor: None, supply: None }
    }
}

/// Who writes the statement, where no model does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatementByHand {
    /// Whether the input of the case is the statement itself.
    pub is_statement: bool,
}

/// How statements are run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// What the paper says works, or as its public code does.
    pub mode: Mode,
    /// How many calls the working memory holds.
    pub capacity: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { mode: Mode::Ours, capacity: CAPACITY }
    }
}

/// What a run leaves beside its trace.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Outcome {
    /// The statement that was written; empty where none came.
    pub statement: String,
    /// The statement with results in the places of its calls.
    pub text: String,
    /// The calls that failed, each by its error's kind.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<String>,
    /// The number of its calls.
    pub n_calls: usize,
    /// Whether its calls give the answers that the right statement gives; absent where the right
    /// ones cannot be run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_answers: Option<bool>,
}

/// A pair as a case.
///
/// # Errors
/// It cannot be written as JSON.
pub fn case(id: String, pair: &Pair) -> Result<Case, String> {
    Ok(Case {
        experiment: ID.to_owned(),
        id,
        group: id_of(&pair.dataset),
        level: String::new(),
        size: None,
        world: String::new(),
        body: Body::new(pair)?,
    })
}

/// What a statement is worth whose right one nobody knows: nothing is measured, and it is never right.
fn unmeasured(outcome: &Outcome, trace: &Trace) -> Score {
    let (verdict, explanation) = match &trace.stop {
        Some(stop) if *stop != Stop::Answered => (Verdict::NoAnswer, stop.title()),
        _ if outcome.n_calls == 0 => {
            (Verdict::NoAnswer, "nothing is called in the statement".to_owned())
        }
        _ if !outcome.failed.is_empty() => (Verdict::Incorrect, "a call gives nothing".to_owned()),
        _ => (Verdict::Partial, "its calls run, and no right statement is known".to_owned()),
    };
    Score::new(verdict, explanation)
}

fn scored(pair: &Pair, outcome: &Outcome, trace: &Trace) -> Score {
    let is_known = !pair.output.is_empty();
    let mut score =
        if is_known { measured(pair, outcome, trace) } else { unmeasured(outcome, trace) };
    score.errors.extend(outcome.failed.iter().cloned());
    if outcome.n_calls == 0 && score.verdict != Verdict::Correct {
        score.errors.insert("no_call".into());
    }
    score.errors.extend(common_errors(trace));
    score.ballot.clone_from(&outcome.text);
    score
}

fn measured(pair: &Pair, outcome: &Outcome, trace: &Trace) -> Score {
    let of = PairScore::of(&pair.output, &outcome.statement);
    let has_calls = outcome.n_calls > 0;
    // Where the right calls cannot be run, the calls themselves decide.
    let is_right = outcome.same_answers.unwrap_or(of.has_same_calls);
    let (verdict, explanation) = match (&trace.stop, is_right) {
        (Some(stop), _) if *stop != Stop::Answered => (Verdict::NoAnswer, stop.title()),
        (_, true) if outcome.same_answers.is_some() => {
            (Verdict::Correct, "its calls give the right answers".to_owned())
        }
        (_, true) => (Verdict::Correct, "it has the right calls".to_owned()),
        _ if !has_calls => (Verdict::NoAnswer, "nothing is called in the statement".to_owned()),
        _ if of.has_same_calls => {
            (Verdict::Partial, "it has the right calls, and they give no answer here".to_owned())
        }
        _ => (Verdict::Incorrect, format!("other calls than in: {}", pair.output)),
    };
    let mut score = Score::new(verdict, explanation)
        .with("rouge_1", of.rouge_1)
        .with("rouge_2", of.rouge_2)
        .with("rouge_l", of.rouge_l)
        .with("rouge_lsum", of.rouge_lsum)
        .with_flag("exact", of.is_exact)
        .with_flag("api", of.is_api_hit)
        .with_flag("same_calls", of.has_same_calls);
    if let Some(is) = outcome.same_answers {
        score = score.with_flag("same_answers", is);
    }
    for n in 0..of.bleu.runs.len() {
        score = score.with_count(SHARED[n], of.bleu.shared[n]).with_count(RUNS[n], of.bleu.runs[n]);
    }
    score = score
        .with_count("bleu_prediction", of.bleu.n_prediction)
        .with_count("bleu_reference", of.bleu.n_reference);
    let kind = statement_fault(&pair.input, &pair.output, &outcome.statement);
    score = score.with_flag("kind_right", kind.is_none());
    for each in StatementFault::ALL {
        score = score.with_flag(each.id(), kind == Some(each));
    }
    if has_calls && !of.has_same_calls {
        score.errors.insert("other_calls".into());
    }
    score
}

static ERROR_KINDS: &[ErrorKind] = &[
    ErrorKind { id: "no_call", title: "nothing called" },
    ErrorKind { id: "unreadable", title: "call that cannot be read" },
    ErrorKind { id: "failed", title: "call that failed" },
    ErrorKind { id: "other_calls", title: "other calls than the right ones" },
];

pub(crate) static SYSTEMS: [SystemSpec; 1] = [SystemSpec {
    id: ID,
    title: "Inline tool calls",
    lede: "The model writes the statement with its calls at once; programs run them afterwards.",
    roles: &[WRITER],
    has_tools: false,
    in_shape: true,
}];

fn options_of(setup: &Setup) -> Result<Options, String> {
    serde_json::from_value(setup.options.clone()).map_err(|e| format!("the options: {e}"))
}

/// The pairs of a file: a JSON object with `input` and `output` a line, or lines
/// `Input: … Output: … Reasoning Result: ….`.
fn read(file: &str, text: &str) -> Result<Vec<Pair>, String> {
    let stem = file.rsplit(['/', '\\']).next().unwrap_or(file).split('.').next().unwrap_or(file);
    let mut pairs = Vec::new();
    for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let wrong = |reason: String| format!("{file}, line {}: {reason}", i + 1);
        if line.len() > MAX_LINE {
            return Err(wrong(format!("{} bytes; at most {MAX_LINE} are read", line.len())));
        }
        let mut pair: Pair = if line.trim_start().starts_with('{') {
            serde_json::from_str(line)
                .map_err(|e| wrong(format!("{e}; a line has `input` and `output`")))?
        } else {
            let read = Instance::read(line).map_err(|e| wrong(e.to_string()))?;
            let (input, output, answer) = (read.input, read.output, read.answer);
            Pair { input, output, answer, template: String::new(), dataset: String::new() }
        };
        if pair.input.len() > MAX_INPUT {
            return Err(wrong(format!(
                "an input of {} bytes; at most {MAX_INPUT}",
                pair.input.len()
            )));
        }
        if pair.dataset.is_empty() {
            stem.clone_into(&mut pair.dataset);
        }
        pairs.push(pair);
    }
    Ok(pairs)
}

impl Experiment for InlineCalls {
    fn id(&self) -> &'static str {
        ID
    }

    fn title(&self) -> &'static str {
        "Inline tool calls"
    }

    fn lede(&self) -> &'static str {
        "Statements with calls in them, as Graph-ToolFormer writes them, run and compared."
    }

    fn systems(&self) -> &'static [SystemSpec] {
        &SYSTEMS
    }

    fn scripts(&self, _: &str) -> Vec<ScriptName> {
        let names = WriterScript::names().into_iter();
        names.map(|(name, label)| ScriptName { name, label }).collect()
    }

    fn script(&self, _: &str, name: &str) -> Option<Box<dyn Model>> {
        WriterScript::by_name(name).map(|script| Box::new(script) as Box<dyn Model>)
    }

    fn options(&self, _: &str) -> Value {
        serde_json::to_value(Options::default()).unwrap_or_default()
    }

    fn read_options(&self, system: &str, options: &Value) -> Result<Value, String> {
        overlay::<Options>(&self.options(system), options)
    }

    fn suits_own_model(&self) -> bool {
        true
    }

    fn scorer(&self) -> u32 {
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
        "gpr"
    }

    /// The data that are always at hand. Others, and trained models, are loaded by whoever has their
    /// files, and handed over as [`HubsWorld`].
    fn world(&self, _: &Source) -> Result<World, String> {
        Ok(World::new(HubsWorld::new(Hubs::new().map_err(|e| e.to_string())?)))
    }

    /// Pairs made of templates about the data set that [`Source::world`] names, or those of files.
    fn cases(&self, source: &Source, world: &World) -> Result<Vec<Case>, String> {
        let mut pairs = Vec::new();
        for (name, text) in &source.files {
            pairs.extend(read(name, text)?);
        }
        if source.files.is_empty() {
            let world: &HubsWorld = world.get().ok_or("statements need the data they are about")?;
            let n = source.n.unwrap_or(100);
            for name in source.groups.iter().filter(|g| *g != crate::experiment::ALL) {
                pairs.extend(make(&world.hubs, name, n, source.seed).map_err(|e| e.to_string())?);
            }
            if pairs.is_empty() && source.has_group(crate::experiment::ALL) {
                let name = if source.world.is_empty() { self.usual_world() } else { &source.world };
                pairs = make(&world.hubs, name, n, source.seed).map_err(|e| e.to_string())?;
            }
        }
        let of = |(i, pair): (usize, &Pair)| case(format!("{}-{}", pair.dataset, i + 1), pair);
        let cases: Result<Vec<Case>, String> = pairs.iter().enumerate().map(of).collect();
        Ok(source.keep(cases?))
    }

    fn groups(&self) -> Vec<String> {
        let known = DATASETS.iter().map(|d| d.id.to_owned());
        let of_paper = TABLE_4.iter().map(|(name, _)| id_of(name));
        of_paper.chain(known).fold(Vec::new(), |mut all, name| {
            if !all.contains(&name) {
                all.push(name);
            }
            all
        })
    }

    fn question(&self, _: &Setup, case: &Case) -> String {
        case.body.read::<Pair>().map_or_else(|_| String::new(), |p| p.input)
    }

    fn gold(&self, case: &Case) -> String {
        case.body.read::<Pair>().map_or_else(|_| String::new(), |p| p.output)
    }

    fn is_known(&self, case: &Case) -> bool {
        !self.gold(case).is_empty()
    }

    fn run<'a>(&'a self, request: CaseRequest<'a>) -> BoxFuture<'a, Result<Finished, String>> {
        Box::pin(async move {
            let CaseRequest { setup, case, world, models, setting, session, .. } = request;
            let on_step: &mut dyn FnMut(&trace::Step) = &mut |step| session.step(step);
            let options = options_of(setup)?;
            let pair: Pair = case.body.read()?;
            let world: &HubsWorld = world.get().ok_or("statements need the data they are about")?;
            if pair.input.len() > MAX_INPUT {
                let n = pair.input.len();
                return Err(format!(
                    "the statement has {n} bytes; at most {MAX_INPUT} are read at once"
                ));
            }
            let fresh =
                || Executor::new(world.hubs.clone(), options.mode).with_capacity(options.capacity);
            let executor = world.executor.clone().unwrap_or_else(|| Rc::new(RefCell::new(fresh())));
            let supply: &dyn Supply = world.supply.as_deref().unwrap_or(&());
            let person = Statement::of_person(pair.input.as_str());
            let model = match by_hand(session) {
                Some(StatementByHand { is_statement: true }) => &person,
                _ => models.need(WRITER.id)?,
            };
            let written = write(&executor, supply, &pair.input, model, setting, on_step).await;
            session.event(&written);
            let statement = written.trace.answer().unwrap_or_default().to_owned();
            let mut outcome = Outcome { statement, ..Outcome::default() };
            if let Some(ran) = &written.ran {
                // The right calls run on their own, so that the memory of these is not theirs.
                outcome.same_answers = has_same_answers(&fresh().run(&pair.output), ran);
                outcome.text.clone_from(&ran.text);
                outcome.n_calls = ran.calls().count();
                let kind = |error: &CallError| {
                    let is_unreadable = matches!(error, CallError::Syntax { .. });
                    if is_unreadable { "unreadable" } else { "failed" }.to_owned()
                };
                outcome.failed = ran.calls().filter_map(|c| c.error.as_ref().map(kind)).collect();
            }
            let score = scored(&pair, &outcome, &written.trace);
            Finished { trace: written.trace, outcome, score }.into_json()
        })
    }

    /// With its data at hand the calls are run again; without, what they gave is taken as told.
    fn score(
        &self,
        world: &World,
        setup: &Setup,
        case: &Case,
        trace: &Trace,
        outcome: &Value,
    ) -> Result<Score, String> {
        let mut outcome: Outcome = read_outcome(outcome)?;
        let pair: Pair = case.body.read()?;
        if let Some(world) = world.get::<HubsWorld>().filter(|_| !outcome.statement.is_empty()) {
            let options = options_of(setup)?;
            let run = |text: &str| Executor::new(world.hubs.clone(), options.mode).run(text);
            let (right, given) = (run(&pair.output), run(&outcome.statement));
            // Data that are not here answer nothing: then what the file says stands.
            if right.answers(Order::Text).iter().all(Option::is_some) {
                outcome.same_answers = has_same_answers(&right, &given);
            }
        }
        Ok(scored(&pair, &outcome, trace))
    }
}
