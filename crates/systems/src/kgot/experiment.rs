//! Knowledge Graph of Thoughts as an experiment.

use std::rc::Rc;
use std::sync::Arc;

use agent::{AsyncToolSet as _, Conversation, Limits, RunContext, Transport};
use llm::{BoxFuture, Message, Model, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tasks::Verdict;
use tasks::kgot::{
    CaseFile, FileBytes, GaiaVerdict, KGOT_LEVELS, KgotCase, KgotJudge, N_TASKS, SimpleQaGrade,
    cases, grading_prompt, judge_gaia, read_gaia, read_grade, read_simple_qa,
};
use trace::{Stop, Trace};

use super::scripted::{Faulty, KgotScript};
use super::{
    CypherGraphs, FUSION, FileReader, GRAPH, GraphLanguage, GrowingGraph, KgotFile,
    KgotFusionOptions, KgotGrade, KgotLanguage, KgotMethod, KgotModels, KgotOptions, KgotOutcome,
    KgotPlace, KgotTask, Languages, NO_GRAPH, Networkx, PythonRunner, TOOLS, TaskTools, ToolCache,
    ToolPlace, WebTools, run, run_fusion, run_without_graph,
};
use crate::experiment::{
    Body, Case, CaseRequest, ErrorKind, Experiment, Finished, JUDGE, Measure, Need, Score,
    ScriptName, Setup, Source, SystemSpec, World, common_errors, overlay, read_outcome,
};

/// The id of this experiment.
pub const ID: &str = "kgot";
/// The id of the system that writes and reads Cypher.
const CYPHER: &str = "kgot-cypher";
/// The id of the system that answers from the text of the graph.
const DIRECT: &str = "kgot-direct";
/// The id of the system that writes SPARQL.
const SPARQL: &str = "kgot-sparql";
/// The id of the system that writes Python with networkx.
pub const NETWORKX: &str = "kgot-networkx";

/// The seeds whose tasks the scripts know.
const KNOWN_SEEDS: std::ops::Range<u64> = 0..4;

/// The experiment.
pub struct KgotTasks;

const ROLES: &[crate::experiment::ModelRole] = &[GRAPH, TOOLS, JUDGE];

pub(crate) static SYSTEMS: &[SystemSpec] = &[
    SystemSpec {
        id: CYPHER,
        title: "KGoT, Cypher",
        lede: "Grows a knowledge graph with tools, and writes and reads it in Cypher.",
        roles: ROLES,
        has_tools: true,
        in_shape: false,
    },
    SystemSpec {
        id: SPARQL,
        title: "KGoT, SPARQL",
        lede: "The same in SPARQL.",
        roles: ROLES,
        has_tools: true,
        in_shape: false,
    },
    SystemSpec {
        id: NETWORKX,
        title: "KGoT, NetworkX",
        lede: "The same in Python with networkx.",
        roles: ROLES,
        has_tools: true,
        in_shape: false,
    },
    SystemSpec {
        id: DIRECT,
        title: "KGoT, direct retrieval",
        lede: "Writes in Cypher, and answers from the text of the graph.",
        roles: ROLES,
        has_tools: true,
        in_shape: false,
    },
    SystemSpec {
        id: FUSION,
        title: "KGoT, fusion",
        lede: "Solves the task in several languages, and lets the graph executor choose an answer.",
        roles: ROLES,
        has_tools: true,
        in_shape: false,
    },
    SystemSpec {
        id: NO_GRAPH,
        title: "No graph",
        lede: "The same tools in one conversation, without a graph.",
        roles: &[TOOLS, JUDGE],
        has_tools: true,
        in_shape: false,
    },
];

/// What the tools of a bench may reach; without it they reach nothing outside of their task.
#[derive(Clone, Default)]
pub struct KgotWorld {
    /// Who sends requests.
    pub transport: Option<Rc<dyn Transport>>,
    /// Who makes text of files; without one text alone is read.
    pub files: Option<&'static dyn FileReader>,
    /// Who answers Cypher over the graph; the engine of this process where nobody is named.
    pub cypher: Option<Rc<dyn GraphLanguage>>,
    /// Who answers SPARQL over the graph.
    pub sparql: Option<Rc<dyn GraphLanguage>>,
    /// Who runs Python.
    pub python: Option<Rc<dyn PythonRunner>>,
    /// Which places of the web may be asked.
    pub web: WebTools,
    /// Whether the model that calls tools sees images.
    pub sees: bool,
    /// What tools gave in other runs, on whichever thread.
    pub cache: Arc<ToolCache>,
    /// Whether models get no Python of their own, though queries may be in it.
    pub withholds_python: bool,
    /// The graph to begin with; an empty one if absent.
    pub start: Option<GrowingGraph>,
}

impl KgotWorld {
    /// As the tools of one run see it.
    pub fn place(&self) -> ToolPlace<'_> {
        ToolPlace {
            transport: self.transport.as_deref(),
            files: self.files,
            python: self.python.as_deref().filter(|_| !self.withholds_python),
            web: self.web.clone(),
            sees: self.sees,
            cache: Some(&self.cache),
        }
    }
}

/// No options.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

static MEASURES: &[Measure] = &[
    Measure::new("close", "Close", "Wrong, but the right answer is in it; not counted as right."),
    Measure::new("forced", "Forced", "The rounds were used up, and the model might guess."),
    Measure::new(
        "any",
        "Any member",
        "The paper's simulated fusion: the answer of any language is right by GAIA's rules. Only who \
         knows what is right can choose so: a bound for a choice among them, and no verdict.",
    ),
];

static ERROR_KINDS: [ErrorKind; 2] = [
    ErrorKind { id: "forced", title: "answer forced" },
    ErrorKind { id: "dropped", title: "a query dropped" },
];

/// The system that solves a task in a way.
pub fn system_of(method: &KgotMethod, language: KgotLanguage) -> &'static str {
    match (method, language) {
        (KgotMethod::NoGraph, _) => NO_GRAPH,
        (KgotMethod::Fusion { .. }, _) => FUSION,
        (_, KgotLanguage::Cypher) => CYPHER,
        (_, KgotLanguage::Sparql) => SPARQL,
        (_, KgotLanguage::Networkx) => NETWORKX,
        (_, KgotLanguage::Direct) => DIRECT,
    }
}

/// The options of that system.
pub fn options_of(method: &KgotMethod, options: &KgotOptions) -> Value {
    match method {
        KgotMethod::NoGraph => Value::Null,
        KgotMethod::OneLanguage => serde_json::to_value(options).unwrap_or_default(),
        KgotMethod::Fusion { members } => {
            let (members, each) = (members.clone(), options.clone());
            without_language(KgotFusionOptions { members, each })
        }
    }
}

/// A task as a case; `right` is the answer, where it is known.
///
/// # Errors
/// It cannot be written as JSON.
pub fn own_case(task: &KgotTask, right: Option<&str>) -> Result<Case, String> {
    let mut case = KgotCase {
        question: task.question.clone(),
        answer: right.unwrap_or_default().to_owned(),
        ..KgotCase::default()
    };
    for file in &task.files {
        match &file.bytes {
            Some(bytes) => case
                .attached
                .push(CaseFile { name: file.name.clone(), bytes: FileBytes(bytes.0.clone()) }),
            None => case.files.push((file.name.clone(), file.text.clone())),
        }
    }
    as_case("own".into(), &case)
}

/// A case under a name.
fn as_case(id: String, case: &KgotCase) -> Result<Case, String> {
    Ok(Case {
        experiment: ID.to_owned(),
        id,
        group: String::new(),
        level: case.level.clone(),
        size: None,
        world: String::new(),
        body: Body::new(case)?,
    })
}

/// The task of a case.
pub fn task_of(case: &KgotCase) -> KgotTask {
    let texts = case.files.iter().map(|(name, text)| KgotFile::of_text(name, text));
    let attached =
        case.attached.iter().map(|file| KgotFile::of_bytes(&file.name, file.bytes.0.clone()));
    KgotTask { question: case.question.clone(), files: texts.chain(attached).collect() }
}

/// Judges a run by GAIA's rules against the answer that is right.
pub fn judge_answer(right: &str, trace: &Trace, outcome: &KgotOutcome) -> Score {
    let answer = outcome.answer.as_deref().unwrap_or_default();
    let judged = judge_gaia(answer, right);
    let (verdict, words) = match judged {
        _ if answer.trim().is_empty() => {
            let why = match &trace.stop {
                Some(stop) if *stop != Stop::Answered => stop.title(),
                _ => "no answer was given".into(),
            };
            (Verdict::NoAnswer, why)
        }
        _ if let Some(KgotGrade { judge, grade, .. }) = &outcome.grade => {
            let (verdict, word) = match grade {
                SimpleQaGrade::Correct => (Verdict::Correct, "correct"),
                SimpleQaGrade::Incorrect => (Verdict::Incorrect, "incorrect"),
                SimpleQaGrade::NotAttempted => (Verdict::NoAnswer, "not attempted"),
            };
            (verdict, format!("{judge} says: {word}; right would be {right:?}"))
        }
        GaiaVerdict::Right => (Verdict::Correct, format!("{answer:?} is right")),
        GaiaVerdict::Close => {
            (Verdict::Incorrect, format!("{answer:?} is close to {right:?}, and not right"))
        }
        GaiaVerdict::Wrong => (Verdict::Incorrect, format!("{answer:?}; right would be {right:?}")),
    };
    let mut score = Score::new(verdict, words)
        .with_flag("close", judged == GaiaVerdict::Close && !answer.is_empty())
        .with_flag("forced", outcome.is_forced)
        .with_count("calls", outcome.costs.values().map(|c| c.calls).sum())
        .with_count("finishing", outcome.n_finishing)
        .with_count("rounds", outcome.n_rounds.into())
        .with_count("queries", outcome.n_queries)
        .with_count("fixed", outcome.n_fixed)
        .with_count("dropped", outcome.n_dropped);
    score.errors = common_errors(trace).collect();
    if outcome.is_forced {
        score.errors.insert("forced".into());
    }
    if outcome.n_dropped > 0 {
        score.errors.insert("dropped".into());
    }
    score.ballot = answer.to_owned();
    score
}

/// The same for a run of a system: of several languages, whether any of them was right.
pub fn score_of(system: &str, right: &str, trace: &Trace, outcome: &KgotOutcome) -> Score {
    let score = judge_answer(right, trace, outcome);
    if system != FUSION {
        return score;
    }
    let is_right = |answer: &str| judge_gaia(answer, right) == GaiaVerdict::Right;
    score.with_flag("any", outcome.members.iter().any(|member| is_right(&member.answer)))
}

/// The options of fusion as JSON; the language of each member is among the members.
fn without_language(options: impl Serialize) -> Value {
    let mut options = serde_json::to_value(options).unwrap_or_default();
    if let Value::Object(options) = &mut options {
        options.shift_remove("language");
    }
    options
}

fn read_options<T: serde::de::DeserializeOwned>(options: &Value) -> Result<T, String> {
    T::deserialize(options).map_err(|e| format!("the options: {e}"))
}

/// Asks a model whether an answer is right; nothing where it gives no reply, or nothing is to be
/// graded.
async fn graded(
    case: &KgotCase,
    answer: &str,
    judge: &dyn Model,
    setting: RunContext<'_>,
) -> Option<KgotGrade> {
    if case.judge != KgotJudge::SimpleQa || answer.trim().is_empty() {
        return None;
    }
    // An answer is as long as its model likes.
    let answer: String = answer.chars().take(4_000).collect();
    let prompt = vec![Message::user(grading_prompt(&case.question, &case.answer, &answer))];
    let start = Trace::new(JUDGE.id, judge.label(), prompt);
    let mut on_step = |_: &trace::Step| {};
    let said = Conversation::new(start, judge, setting, &mut on_step).ask(&[]).await.ok()?.content;
    let grade = read_grade(&said);
    Some(KgotGrade { judge: judge.label(), grade, said: said.trim().chars().take(500).collect() })
}

impl Experiment for KgotTasks {
    fn id(&self) -> &'static str {
        ID
    }

    fn title(&self) -> &'static str {
        "Knowledge Graph of Thoughts"
    }

    fn lede(&self) -> &'static str {
        "Tasks in plain words with files, solved by growing a knowledge graph."
    }

    fn systems(&self) -> &'static [SystemSpec] {
        SYSTEMS
    }

    fn needs(&self, system: &str) -> Option<Need> {
        match system {
            SPARQL => Some(Need::Sparql),
            NETWORKX => Some(Need::Python),
            _ => None,
        }
    }

    fn scripts(&self, _: &str) -> Vec<ScriptName> {
        vec![
            ScriptName { name: "script".into(), label: "Scripted model".into() },
            ScriptName {
                name: "faulty".into(),
                label: "Script with 10 % bad JSON, 10 % broken queries, 5 % failures".into(),
            },
            ScriptName {
                name: "hasty".into(),
                label: "Script that leaves a number out where it adds up without a graph".into(),
            },
        ]
    }

    fn script(&self, _: &str, name: &str) -> Option<Box<dyn Model>> {
        match name {
            "script" => Some(Box::new(KgotScript::new(KNOWN_SEEDS))),
            "hasty" => Some(Box::new(KgotScript::new(KNOWN_SEEDS).hasty())),
            "faulty" => Some(Box::new(Faulty::new(KgotScript::new(KNOWN_SEEDS), 1))),
            _ => None,
        }
    }

    fn options(&self, system: &str) -> Value {
        let language = match system {
            SPARQL => KgotLanguage::Sparql,
            NETWORKX => KgotLanguage::Networkx,
            DIRECT => KgotLanguage::Direct,
            FUSION => return without_language(KgotFusionOptions::default()),
            NO_GRAPH => return serde_json::to_value(Nothing {}).unwrap_or_default(),
            _ => KgotLanguage::Cypher,
        };
        let options = KgotOptions { language, ..KgotOptions::default() };
        serde_json::to_value(options).unwrap_or_default()
    }

    /// Fusion does without the languages that are lacking.
    fn options_lacking(&self, system: &str, lacking: &[Need]) -> Value {
        let mut options = self.options(system);
        if let Some(members) = options.get_mut("members").and_then(Value::as_array_mut) {
            let lacks =
                |need, name: &str, member: &Value| lacking.contains(&need) && member == name;
            members.retain(|m| {
                !lacks(Need::Sparql, "sparql", m) && !lacks(Need::Python, "networkx", m)
            });
        }
        options
    }

    fn read_options(&self, system: &str, options: &Value) -> Result<Value, String> {
        if system == NO_GRAPH {
            return overlay::<Nothing>(&self.options(system), options);
        }
        if system == FUSION {
            let read = overlay::<KgotFusionOptions>(&self.options(system), options)?;
            if read["members"].as_array().is_some_and(Vec::is_empty) {
                return Err("the option \"members\" names no language; there are cypher, sparql, \
                     networkx, direct"
                    .into());
            }
            return Ok(without_language(read));
        }
        overlay::<KgotOptions>(&self.options(system), options)
    }

    fn limits(&self) -> Limits {
        Limits {
            max_rounds: 300,
            max_calls: 300,
            max_tokens: Some(2_000_000),
            deadline_ms: Some(1_800_000.0),
        }
    }

    fn scorer(&self) -> u32 {
        1
    }

    fn measures(&self) -> &'static [Measure] {
        MEASURES
    }

    fn error_kinds(&self) -> &'static [ErrorKind] {
        &ERROR_KINDS
    }

    fn levels(&self) -> Vec<String> {
        KGOT_LEVELS.map(str::to_owned).into()
    }

    /// Our set of 120 tasks; or files: GAIA's `metadata.jsonl`, SimpleQA's table (`.csv`), or JSON
    /// objects, each a case with `question`, `answer` and, where there are some, `level`, `files` (a
    /// list of pairs of name and text) and `attached` (names with bytes as base64). GAIA's tasks with
    /// files are read by `tasks::kgot::read_gaia` and handed in as such objects.
    fn cases(&self, source: &Source, _: &World) -> Result<Vec<Case>, String> {
        if !source.files.is_empty() {
            let mut all = Vec::new();
            for (name, text) in &source.files {
                let ending = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
                let imported = match ending.as_str() {
                    "jsonl" => Some(read_gaia(text, &[])),
                    "csv" => Some(read_simple_qa(text)),
                    _ => None,
                };
                if let Some(imported) = imported {
                    let read = imported.whole().map_err(|why| format!("{name}: {why}"))?;
                    for one in read {
                        all.push(as_case(one.id, &one.case)?);
                    }
                    continue;
                }
                let read: KgotCase =
                    serde_json::from_str(text).map_err(|e| format!("{name}: {e}"))?;
                let stem = name.rsplit(['/', '\\']).next().unwrap_or(name);
                all.push(as_case(stem.trim_end_matches(".json").to_owned(), &read)?);
            }
            return Ok(source.keep(all));
        }
        let mut all = Vec::new();
        let per_level = N_TASKS / KGOT_LEVELS.len();
        let n = source.n.unwrap_or(per_level);
        for (i, made) in cases(source.seed).iter().enumerate() {
            let number = i % per_level + 1;
            if number <= n && source.has_level(&made.level) && source.has_group("") {
                let id = format!("{}-{number:02}", made.level.replace(' ', "-"));
                all.push(as_case(id, made)?);
            }
        }
        Ok(all)
    }

    fn tools(&self, setup: &Setup) -> Vec<ToolSpec> {
        let any = [KgotFile::default()];
        let (place, is_alone) = (ToolPlace::default(), setup.system == NO_GRAPH);
        let tools = TaskTools::new(&any, &place);
        if is_alone { tools.without_model().specs() } else { tools.specs() }
    }

    fn question(&self, _: &Setup, case: &Case) -> String {
        case.body.read::<KgotCase>().map(|case| case.question).unwrap_or_default()
    }

    fn gold(&self, case: &Case) -> String {
        case.body.read::<KgotCase>().map(|case| case.answer).unwrap_or_default()
    }

    fn is_known(&self, case: &Case) -> bool {
        !self.gold(case).is_empty()
    }

    fn run<'a>(&'a self, request: CaseRequest<'a>) -> BoxFuture<'a, Result<Finished, String>> {
        Box::pin(async move {
            let CaseRequest { case, setup, models, world, setting, session, .. } = request;
            let on_step: &mut dyn FnMut(&trace::Step) = &mut |step| session.step(step);
            let case: KgotCase = case.body.read()?;
            let task = task_of(&case);
            let tools = models.need(TOOLS.id)?;
            let world = world.get::<KgotWorld>();
            let networkx =
                world.and_then(|world| world.python.as_deref()).map(|runner| Networkx { runner });
            let here = CypherGraphs { clock: Some(setting.clock) };
            let languages = Languages {
                cypher: Some(world.and_then(|world| world.cypher.as_deref()).unwrap_or(&here)),
                sparql: world.and_then(|world| world.sparql.as_deref()),
                networkx: networkx.as_ref().map(|n| n as &dyn GraphLanguage),
            };
            let place = world.map(KgotWorld::place).unwrap_or_default();
            let judge = models.get(JUDGE.id);
            let (trace, mut outcome) = if setup.system == NO_GRAPH {
                run_without_graph(&task, tools, &place, setting, on_step).await
            } else {
                let options: KgotFusionOptions = match setup.system.as_str() {
                    FUSION => read_options(&setup.options)?,
                    _ => {
                        let each: KgotOptions = read_options(&setup.options)?;
                        KgotFusionOptions { members: vec![each.language], each }
                    }
                };
                // A language that is not here is no fault of the models.
                for member in &options.members {
                    languages.find(*member)?;
                }
                if let Some(networkx) = &networkx
                    && options.members.contains(&KgotLanguage::Networkx)
                {
                    networkx.check().await?;
                }
                let models = KgotModels { graph: models.need(GRAPH.id)?, tools };
                let start = world.and_then(|world| world.start.as_ref());
                let place = KgotPlace { tools: place, languages, session, start };
                let answered = if setup.system == FUSION {
                    run_fusion(&task, &options, models, &place, setting, on_step).await
                } else {
                    run(&task, &options.each, models, &place, setting, on_step).await
                };
                (answered.trace, answered.outcome)
            };
            if let Some(judge) = judge {
                let answer = outcome.answer.as_deref().unwrap_or_default();
                outcome.grade = graded(&case, answer, judge, setting).await;
            }
            let score = score_of(&setup.system, &case.answer, &trace, &outcome);
            Finished { trace, outcome, score }.into_json()
        })
    }

    fn score(
        &self,
        _: &World,
        setup: &Setup,
        case: &Case,
        trace: &Trace,
        outcome: &Value,
    ) -> Result<Score, String> {
        let case: KgotCase = case.body.read()?;
        Ok(score_of(&setup.system, &case.answer, trace, &read_outcome(outcome)?))
    }
}
