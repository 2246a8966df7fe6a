//! NLGraph's problems: does a model answer rightly with graph functions, and without?
//!
//! Paper: Graph-Grounded LLMs §II to IV, Tables I and II.

mod choices;
mod errors;
mod numbered;
pub mod problems;
pub mod published;
mod published_arena;

use std::rc::Rc;

use agent::{Choosing, RunContext, ToolSet as _};
use llm::{BoxFuture, Message, Model, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tasks::official::both_rules_beside;
use tasks::{Difficulty, Judgement, Problem, Style, TaskId, Verdict, Wording};
use trace::Trace;
use trace::replay::replay;

use crate::experiment::{
    ALL, Aggregate, Case, CaseRequest, Column, ErrorKind, Experiment, Finished, MODEL, Measure,
    Need, Published, Score, ScriptName, Setup, Source, SystemSpec, TableRows, TableSpec, World,
    by_hand, common_errors, overlay,
};
use crate::grounded;
use crate::grounded::scripted::Script;
use crate::grounded::{Composing, GraphTools, Surface};
use crate::kgot::PythonRunner;
use crate::run::{judge, prompt_of};
use crate::{RunOptions, RunRequest, program, run_system};
use numbered::{Numbered, Numbers};

pub use choices::{STYLES, WORDINGS};
pub use errors::{ERROR_KINDS, errors};
pub use problems::Item;

/// The id of this experiment.
pub const ID: &str = "nlgraph";

/// The experiment on NLGraph's problems.
pub struct NlGraph;

/// How a system of it is asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// What the system says before the question.
    pub prompt: String,
    /// In which words the question is put.
    pub wording: Wording,
    /// In which prompting style.
    pub style: Style,
    /// Which tools the model gets.
    pub choosing: Choosing,
    /// The graph is handed over beside the question.
    pub attach: bool,
    /// Results longer than so many characters are summarised for the model.
    pub max_result_chars: Option<usize>,
    /// How often a model may write another program where one failed; only of a system that writes some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repairs: Option<u32>,
    /// Our words guide the model in place of the paper's, and results say in words what they mean.
    #[serde(default)]
    pub guide: bool,
    /// The model has to call until a function that asks the graph has answered.
    #[serde(default)]
    pub hold: bool,
}

impl Options {
    /// The usual ones of a system.
    pub fn usual(system: &str) -> Self {
        let RunOptions { surface, attach, max_result_chars, .. } = RunOptions::default();
        let Surface { choosing, guide, hold } = surface;
        Self {
            prompt: prompt_of(system).to_owned(),
            wording: Wording::Improved,
            style: Style::ZeroShot,
            choosing,
            attach,
            max_result_chars,
            repairs: is_program(system).then_some(program::REPAIRS),
            guide,
            hold,
        }
    }

    /// Those of a setup.
    ///
    /// # Errors
    /// They are none of this experiment.
    pub fn of(setup: &Setup) -> Result<Self, String> {
        serde_json::from_value(setup.options.clone()).map_err(|e| format!("the options: {e}"))
    }

    /// As a setup has them.
    pub fn value(&self) -> Value {
        // Every field can be written as JSON.
        serde_json::to_value(self).unwrap_or_default()
    }

    /// How the run goes about it.
    pub fn run(&self) -> RunOptions {
        RunOptions {
            surface: self.surface(),
            prompt: Some(self.says().to_owned()),
            attach: self.attach,
            max_result_chars: self.max_result_chars,
            repairs: self.repairs.unwrap_or(program::REPAIRS),
            ..RunOptions::default()
        }
    }

    /// What is said before the question: words of a person's own stay.
    fn says(&self) -> &str {
        if self.prompt == grounded::PROMPT { self.surface().prompt() } else { &self.prompt }
    }

    fn surface(&self) -> Surface {
        Surface { choosing: self.choosing.clone(), guide: self.guide, hold: self.hold }
    }

    /// The words that the model reads of a problem.
    fn question(&self, has_tools: bool, problem: &Problem, own_words: Option<&str>) -> String {
        if self.attach && has_tools {
            return problem.attached_question(self.wording);
        }
        own_words.map_or_else(|| problem.question(self.wording, self.style), str::to_owned)
    }

    /// Tools over the graph that a run begins with.
    fn tools(&self, trace: &Trace) -> GraphTools {
        let tools = GraphTools::before(trace);
        let tools = self.surface().put_on(tools);
        match self.max_result_chars {
            Some(max) => tools.with_compact_results(max),
            None => tools,
        }
    }
}

/// A problem as a case.
///
/// # Errors
/// Its graph has a number that JSON has not.
pub fn case(item: &Item) -> Result<Case, String> {
    let body = Item { id: String::new(), ..item.clone() };
    Ok(Case {
        experiment: ID.to_owned(),
        id: item.id.clone(),
        group: item.task.to_string(),
        level: item.difficulty.map_or_else(String::new, |d| d.to_string()),
        size: Some(item.graph.n_nodes()),
        world: String::new(),
        body: crate::experiment::Body::new(&body)?,
    })
}

/// The problem of a case.
///
/// # Errors
/// It is none of this experiment.
pub fn item(case: &Case) -> Result<Item, String> {
    let item: Item = case.body.read()?;
    Ok(Item { id: case.id.clone(), ..item })
}

/// The systems, the one that the paper proposes first.
pub const SYSTEMS: [SystemSpec; 3] = [grounded::SYSTEM, crate::standalone::SYSTEM, program::SYSTEM];

/// Whether a system of that id writes programs.
fn is_program(system: &str) -> bool {
    system == program::SYSTEM.id
}

/// The program in a reply of a model, which the system `program` runs.
///
/// # Errors
/// There is none; says what there is instead.
pub fn program_of(reply: &str) -> Result<String, String> {
    program::extract(reply).map(|extracted| extracted.code)
}

/// What problems do not have of themselves.
#[derive(Clone, Default)]
pub struct ProblemWorld {
    /// Who runs the programs that models write.
    pub python: Option<Rc<dyn PythonRunner>>,
}

/// The system of that id.
pub fn find(id: &str) -> Option<&'static SystemSpec> {
    const { &SYSTEMS }.iter().find(|s| s.id == id)
}

/// Whether a question says a problem in one of our own wordings.
fn is_ours(problem: &Problem, options: &Options, question: &str) -> bool {
    let styles = [options.style, Style::ZeroShot];
    let mut all = WORDINGS.iter().flat_map(|(wording, _)| styles.map(|style| (*wording, style)));
    all.any(|(wording, style)| problem.question(wording, style) == question)
}

/// What a person gives beside a problem.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProblemByHand {
    /// The composed functions of the run.
    pub composing: Composing,
    /// A trace whose run continues.
    pub resume: Option<Trace>,
}

/// The verdict on what a run answered, with its certificate.
fn judgement_of(setup: &Setup, case: &Case, trace: &Trace) -> Result<Judgement, String> {
    let (options, problem) = (Options::of(setup)?, item(case)?.problem());
    Ok(judge(&problem, trace, &options.tools(trace).resumed(trace)))
}

fn is_all(names: &[String]) -> bool {
    names.iter().any(|n| n == ALL)
}

/// The tasks of these names, in the order of their list: names of tasks or of groups of them; `all`
/// is NLGraph's eight.
///
/// # Errors
/// There is none of a name; the message lists those that there are.
pub fn tasks_of(names: &[String]) -> Result<Vec<TaskId>, String> {
    TaskId::listed(names.iter().map(String::as_str)).map_err(|e| e.to_string())
}

/// The levels of these names, from easy to hard.
///
/// # Errors
/// There is none of a name.
pub fn levels_of(names: &[String]) -> Result<Vec<Difficulty>, String> {
    if is_all(names) {
        return Ok(Difficulty::ALL.to_vec());
    }
    let of = |name: &String| {
        Difficulty::from_name(name).ok_or_else(|| {
            format!("there is no level {name:?}; there are easy, medium, hard and all")
        })
    };
    let mut levels: Vec<Difficulty> = names.iter().map(of).collect::<Result<_, String>>()?;
    levels.sort();
    levels.dedup();
    Ok(levels)
}

/// What scores a run: the verifier, and since this number is larger than its own, both rules.
const SCORER: u32 = tasks::VERIFIER_VERSION + 2;

const OFFICIAL: &str = "official";
const OFFICIAL_ALONE: &str = "official_alone";
const OFFICIAL_NOT: &str = "official_not";

static MEASURES: [Measure; 3] = [
    Measure::new(OFFICIAL, "Right by the script", "The benchmark's own script counts it as right."),
    Measure::new(
        OFFICIAL_ALONE,
        "Right by the script alone",
        "The benchmark's own script counts it as right, and our rule does not.",
    ),
    Measure::new(
        OFFICIAL_NOT,
        "Right by our rule alone",
        "Our rule counts it as right, and the benchmark's own script does not.",
    ),
];

static TABLES: [TableSpec; 1] = [TableSpec {
    title: "Right answers by both rules",
    note: "The script is the one that the benchmark published, with its faults \
           (docs/benchmark-rules.md); it cannot be asked about a graph whose nodes have other names than \
           its own. To NLGraph's script a text without an answer answers no.",
    keep: |_| true,
    labels: &[("System", Setup::system_title), ("Model", Setup::models)],
    rows: TableRows::Groups,
    columns: &[
        Column { title: "Our rule", value: Aggregate::Correct, has_interval: false },
        Column::share("Its script", OFFICIAL),
        Column::share("The script alone", OFFICIAL_ALONE),
        Column::share("Our rule alone", OFFICIAL_NOT),
    ],
    published: |_| Vec::new(),
    source: "",
    variant: "",
}];

fn has_tools(setup: &Setup) -> bool {
    find(&setup.system).is_some_and(|s| s.has_tools)
}

fn scored(problem: &Problem, has_tools: bool, trace: &Trace, judgement: &Judgement) -> Score {
    let (errors, claims) = errors(problem, trace, judgement.verdict, has_tools);
    let mut score = Score::new(judgement.verdict, judgement.explanation.clone());
    score.errors = errors.into_iter().map(str::to_owned).chain(common_errors(trace)).collect();
    score.ballot = judgement
        .answer
        .as_ref()
        .map(tasks::Answer::ballot)
        .filter(|b| !b.is_empty())
        .unwrap_or_default();
    for (name, n) in [("claims", claims.0), ("false_claims", claims.1)] {
        if n > 0 {
            score = score.with_count(name, u64::from(n));
        }
    }
    // The script scores what stands there, also nothing: to some tasks an empty text answers no.
    let text = trace.answer().unwrap_or_default();
    if let Some(both) = both_rules_beside(problem, text, judgement.verdict) {
        let [script, ours] =
            [both.official, Some(both.fair)].map(|rule| rule == Some(Verdict::Correct));
        for (measure, holds) in
            [(OFFICIAL, script), (OFFICIAL_ALONE, script && !ours), (OFFICIAL_NOT, ours && !script)]
        {
            score = score.with_flag(measure, holds);
        }
    }
    score
}

impl Experiment for NlGraph {
    fn id(&self) -> &'static str {
        ID
    }

    fn title(&self) -> &'static str {
        "NLGraph"
    }

    fn lede(&self) -> &'static str {
        "Graph problems in words: with graph functions, and without."
    }

    fn systems(&self) -> &'static [SystemSpec] {
        const { &SYSTEMS }
    }

    fn needs(&self, system: &str) -> Option<Need> {
        is_program(system).then_some(Need::Python)
    }

    fn scripts(&self, _: &str) -> Vec<ScriptName> {
        let names = Script::names().into_iter();
        names.map(|(name, label)| ScriptName { name, label }).collect()
    }

    fn script(&self, _: &str, name: &str) -> Option<Box<dyn Model>> {
        Script::by_name(name).map(|script| Box::new(script) as Box<dyn Model>)
    }

    fn options(&self, system: &str) -> Value {
        Options::usual(system).value()
    }

    fn read_options(&self, system: &str, options: &Value) -> Result<Value, String> {
        let mut read = overlay::<Options>(&self.options(system), options)?;
        if !find(system).is_some_and(|s| s.has_tools) {
            // Which tools are sent and how they answer is nothing to a system without any.
            let mut usual = self.options(system);
            for option in ["choosing", "guide", "hold"] {
                read[option] = usual[option].take();
            }
        }
        if read.get("repairs").is_some_and(|n| n.as_u64() > Some(program::MAX_REPAIRS.into())) {
            let most = program::MAX_REPAIRS;
            return Err(format!(
                "the option \"repairs\" is {}; expected 0 to {most}",
                read["repairs"]
            ));
        }
        Ok(read)
    }

    fn choices(&self, option: &str) -> Vec<(Value, String)> {
        choices::choices(option)
    }

    fn suits_own_model(&self) -> bool {
        true
    }

    fn scorer(&self) -> u32 {
        SCORER
    }

    fn measures(&self) -> &'static [Measure] {
        &MEASURES
    }

    fn tables(&self) -> &'static [TableSpec] {
        &TABLES
    }

    fn error_kinds(&self) -> &'static [ErrorKind] {
        ERROR_KINDS
    }

    fn published(&self, group: &str, level: &str, setups: &[&Setup]) -> Option<Published> {
        let improved = |s: &&Setup| Options::of(s).is_ok_and(|o| o.wording == Wording::Improved);
        let (task, level) = (TaskId::from_name(group)?, Difficulty::from_name(level)?);
        if let Some(rows) = published_arena::published(task, level) {
            return Some(rows);
        }
        let row = published::row_for(task, level, setups.iter().any(improved))?;
        let rows = vec![
            ("gpt-4-0613, alone", row.n, row.alone, Some(row.alone_seconds)),
            ("gpt-4-0613, with graph functions", row.n, row.grounded, Some(row.grounded_seconds)),
        ];
        Some(Published { rows, source: published::SOURCE })
    }

    fn cases(&self, source: &Source, _: &World) -> Result<Vec<Case>, String> {
        let items = if source.files.is_empty() {
            if source.groups.is_empty() {
                return Ok(Vec::new());
            }
            let (tasks, levels) = (tasks_of(&source.groups)?, levels_of(&source.levels)?);
            problems::generate(&tasks, &levels, source.n.unwrap_or(10), source.seed)
                .map_err(|e| e.to_string())?
        } else {
            let mut items = Vec::new();
            for (name, text) in &source.files {
                items.extend(problems::read(name, text).map_err(|e| e.to_string())?);
            }
            items
        };
        problems::check_names(&items).map_err(|e| e.to_string())?;
        let cases: Result<Vec<Case>, String> = items.iter().map(case).collect();
        if is_all(&source.groups) {
            return Ok(source.keep(cases?));
        }
        // A group's name stands for its tasks.
        let groups = tasks_of(&source.groups)?.iter().map(ToString::to_string).collect();
        Ok(Source { groups, ..source.clone() }.keep(cases?))
    }

    fn levels(&self) -> Vec<String> {
        Difficulty::ALL.iter().map(ToString::to_string).collect()
    }

    fn suite(&self, group: &str) -> &'static str {
        TaskId::from_name(group).map_or(ID, |task| task.group().as_str())
    }

    fn groups(&self) -> Vec<String> {
        TaskId::ALL.iter().map(ToString::to_string).collect()
    }

    fn tools(&self, setup: &Setup) -> Vec<ToolSpec> {
        match Options::of(setup) {
            Ok(o) if has_tools(setup) => o.surface().put_on(GraphTools::default()).specs(),
            _ => Vec::new(),
        }
    }

    fn opening(&self, setup: &Setup, case: &Case) -> Vec<Message> {
        let Ok(options) = Options::of(setup) else { return Vec::new() };
        vec![Message::system(options.says()), Message::user(self.question(setup, case))]
    }

    fn instruction(&self, setup: &Setup) -> String {
        Options::of(setup).map_or_else(|_| String::new(), |o| o.says().to_owned())
    }

    fn n_shots(&self, setup: &Setup, group: &str) -> u64 {
        let style = Options::of(setup).map_or(Style::ZeroShot, |o| o.style);
        TaskId::from_name(group).map_or(0, |task| tasks::n_exemplars(task, style))
    }

    fn question(&self, setup: &Setup, case: &Case) -> String {
        let (Ok(options), Ok(item)) = (Options::of(setup), item(case)) else {
            return String::new();
        };
        options.question(has_tools(setup), &item.problem(), item.question.as_deref())
    }

    fn graph(&self, case: &Case) -> Option<graph::Graph> {
        item(case).ok().map(|i| i.graph)
    }

    fn marks(&self, case: &Case, answer: &str) -> Option<tasks::EvidenceMarks> {
        item(case).ok().map(|i| tasks::verify(&i.problem(), answer).certificate.marks)
    }

    fn gold(&self, case: &Case) -> String {
        item(case).map_or_else(
            |_| String::new(),
            |item| {
                let problem = item.problem();
                tasks::reference_text(&problem, &tasks::solve(&problem))
            },
        )
    }

    fn pack(&self, setup: &Setup, case: &Case, trace: &mut Trace) {
        if trace.prompt == self.opening(setup, case) {
            trace.prompt.clear();
        }
        let is_attached = Options::of(setup).is_ok_and(|o| o.attach);
        if is_attached && item(case).is_ok_and(|i| trace.attached.as_ref() == Some(&i.graph)) {
            trace.attached = None;
        }
        // Definitions stand once in the file, by the hash that the setup names.
        trace.tools.clear();
    }

    fn unpack(&self, setup: &Setup, case: &Case, tools: &[ToolSpec], trace: &mut Trace) {
        if trace.prompt.is_empty() {
            trace.prompt = self.opening(setup, case);
        }
        let is_attached = Options::of(setup).is_ok_and(|o| o.attach) && has_tools(setup);
        if is_attached && trace.attached.is_none() {
            trace.attached = item(case).ok().map(|i| i.graph);
        }
        if trace.tools.is_empty() {
            trace.tools = tools.to_vec();
        }
    }

    fn run<'a>(&'a self, request: CaseRequest<'a>) -> BoxFuture<'a, Result<Finished, String>> {
        Box::pin(async move {
            let CaseRequest { setup, case, world, models, setting, sample, session } = request;
            let on_step: &mut dyn FnMut(&trace::Step) = &mut |step| session.step(step);
            let system = find(&setup.system)
                .ok_or_else(|| format!("there is no system {:?}", setup.system))?;
            let options = Options::of(setup)?;
            let python = world.get::<ProblemWorld>().and_then(|world| world.python.as_deref());
            if is_program(system.id) {
                // Before a model is asked for minutes.
                program::check(python.ok_or(program::NO_PYTHON)?).await?;
            }
            let item = item(case)?;
            let problem = item.problem();
            let ProblemByHand { composing, resume } = by_hand(session).cloned().unwrap_or_default();
            // Every sample draws its own, where the endpoint takes a seed.
            let seed =
                (sample > 0).then(|| problem.seed.unwrap_or(0).wrapping_add(u64::from(sample)));
            let question = options.question(system.has_tools, &problem, item.question.as_deref());
            let model = models.need(MODEL.id)?;
            // In a program a number may be anything, so none becomes a name again.
            let is_numbered = model.knows_numbers_alone() && !is_program(system.id);
            let numbers = if is_numbered { Numbers::of(&problem, &question) } else { None };
            let in_numbers = numbers.as_ref().map(|numbers| {
                let own = item.question.as_deref().filter(|own| !is_ours(&problem, &options, own));
                let asked = numbers.problem(&problem).filter(|_| own.is_none());
                asked.map_or_else(
                    || numbers.numbered(&question),
                    |asked| options.question(system.has_tools, &asked, None),
                )
            });
            let numbered = numbers.as_ref().zip(in_numbers.as_deref()).map(|(numbers, words)| {
                Numbered { inner: model, numbers, questions: (&question, words) }
            });
            let note = numbers.as_ref().map(|numbers| numbers.note(&model.label()));
            let request = RunRequest {
                system,
                problem: &problem,
                question: &question,
                options: RunOptions { composing, resume, note, ..options.run() },
                setting: RunContext { seed, ..setting },
                python,
            };
            let model = numbered.as_ref().map_or(model, |numbered| numbered as &dyn Model);
            let run = run_system(request, model, on_step).await;
            let score = scored(&problem, system.has_tools, &run.trace, &run.judgement);
            // The trace says it all: who wants the certificate later has it made again.
            let outcome = if session.hears() { Some(run.judgement) } else { None };
            Finished { trace: run.trace, outcome, score }.into_json()
        })
    }

    fn score(
        &self,
        _: &World,
        setup: &Setup,
        case: &Case,
        trace: &Trace,
        _: &Value,
    ) -> Result<Score, String> {
        let (problem, judgement) = (item(case)?.problem(), judgement_of(setup, case, trace)?);
        Ok(scored(&problem, has_tools(setup), trace, &judgement))
    }

    fn replay(&self, _: &World, setup: &Setup, trace: &Trace) -> Option<Vec<usize>> {
        if is_program(&setup.system) {
            return None;
        }
        let options = Options::of(setup).ok()?;
        Some(replay(trace, &mut options.tools(trace), true).drift().collect())
    }
}
