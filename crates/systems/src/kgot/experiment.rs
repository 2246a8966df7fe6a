//! Knowledge Graph of Thoughts as an experiment.

use agent::{Choosing, Limits, ToolSet as _};
use llm::{BoxFuture, Message, Model, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tasks::Verdict;
use tasks::kgot::{GaiaVerdict, KGOT_LEVELS, KgotCase, N_TASKS, cases, judge_gaia};
use trace::{Stop, Trace};

use super::scripted::{Faulty, KgotScript};
use super::{
    GRAPH, KgotFile, KgotLanguage, KgotModels, KgotOptions, KgotOutcome, KgotTask, TOOLS,
    TaskTools, run,
};
use crate::experiment::{
    Body, Case, CaseRequest, ErrorKind, Experiment, Finished, Measure, Score, ScriptName, Setup,
    Source, SystemSpec, World, common_errors, overlay, read_outcome,
};

/// The id of this experiment.
pub const ID: &str = "kgot";
/// The system that has no graph.
const NO_GRAPH: &str = "no-graph";

/// The seeds whose tasks the scripts know.
const KNOWN_SEEDS: std::ops::Range<u64> = 0..4;

/// The experiment.
pub struct KgotTasks;

const ROLES: &[crate::experiment::ModelRole] = &[GRAPH, TOOLS];

static SYSTEMS: &[SystemSpec] = &[
    SystemSpec {
        id: "kgot-cypher",
        title: "KGoT, Cypher",
        lede: "Grows a knowledge graph with tools, and writes and reads it in Cypher.",
        roles: ROLES,
        has_tools: true,
    },
    // Left out of the page, whose list of benchmarks would carry a store of triples.
    #[cfg(feature = "sparql")]
    SystemSpec {
        id: "kgot-sparql",
        title: "KGoT, SPARQL",
        lede: "The same in SPARQL.",
        roles: ROLES,
        has_tools: true,
    },
    SystemSpec {
        id: "kgot-direct",
        title: "KGoT, direct retrieval",
        lede: "Writes in Cypher, and answers from the text of the graph.",
        roles: ROLES,
        has_tools: true,
    },
    SystemSpec {
        id: NO_GRAPH,
        title: "No graph",
        lede: "The same tools in one conversation, without a graph.",
        roles: &[TOOLS],
        has_tools: true,
    },
];

/// No options.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

static MEASURES: &[Measure] = &[
    Measure::new("close", "Close", "Wrong, but the right answer is in it; not counted as right."),
    Measure::new("forced", "Forced", "The rounds were used up, and the model might guess."),
];

static ERROR_KINDS: [ErrorKind; 4] = [
    ErrorKind { id: "forced", title: "answer forced" },
    ErrorKind { id: "dropped", title: "a query dropped" },
    ErrorKind { id: "context_exceeded", title: "context exceeded" },
    ErrorKind { id: "limit", title: "limit reached" },
];

const ANSWER_RULES: &str = "Solve the task with the functions that you have. End with a line `FINAL ANSWER: …`: a number, \
     as few words as possible, or a list with commas; digits for numbers, and no units unless asked \
     for.";

fn task_of(case: &KgotCase) -> KgotTask {
    let file =
        |(name, text): &(String, String)| KgotFile { name: name.clone(), text: text.clone() };
    KgotTask { question: case.question.clone(), files: case.files.iter().map(file).collect() }
}

fn scored(case: &KgotCase, trace: &Trace, outcome: &KgotOutcome) -> Score {
    let answer = outcome.answer.as_deref().unwrap_or_default();
    let judged = judge_gaia(answer, &case.answer);
    let (verdict, words) = match judged {
        _ if answer.trim().is_empty() => {
            let why = match &trace.stop {
                Some(stop) if *stop != Stop::Answered => stop.title(),
                _ => "no answer was given".into(),
            };
            (Verdict::NoAnswer, why)
        }
        GaiaVerdict::Right => (Verdict::Correct, format!("{answer:?} is right")),
        GaiaVerdict::Close => {
            (Verdict::Incorrect, format!("{answer:?} is close to {:?}, and not right", case.answer))
        }
        GaiaVerdict::Wrong => {
            (Verdict::Incorrect, format!("{answer:?}; right would be {:?}", case.answer))
        }
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

    fn scripts(&self, _: &str) -> Vec<ScriptName> {
        vec![
            ScriptName { name: "script".into(), label: "Scripted model".into() },
            ScriptName {
                name: "faulty".into(),
                label: "Script with 10 % bad JSON, 10 % broken queries, 5 % failures".into(),
            },
        ]
    }

    fn script(&self, _: &str, name: &str) -> Option<Box<dyn Model>> {
        match name {
            "script" => Some(Box::new(KgotScript::new(KNOWN_SEEDS))),
            "faulty" => Some(Box::new(Faulty::new(KgotScript::new(KNOWN_SEEDS), 1))),
            _ => None,
        }
    }

    fn options(&self, system: &str) -> Value {
        let language = match system {
            "kgot-sparql" => KgotLanguage::Sparql,
            "kgot-direct" => KgotLanguage::Direct,
            NO_GRAPH => return serde_json::to_value(Nothing {}).unwrap_or_default(),
            _ => KgotLanguage::Cypher,
        };
        let options = KgotOptions { language, ..KgotOptions::default() };
        serde_json::to_value(options).unwrap_or_default()
    }

    fn read_options(&self, system: &str, options: &Value) -> Result<Value, String> {
        if system == NO_GRAPH {
            return overlay::<Nothing>(&self.options(system), options);
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

    /// Our set of 120 tasks; or files, each a JSON object with `question`, `answer` and, where there
    /// are some, `level` and `files` (a list of pairs of name and text).
    fn cases(&self, source: &Source, _: &World) -> Result<Vec<Case>, String> {
        let case = |id: String, case: &KgotCase| -> Result<Case, String> {
            Ok(Case {
                experiment: ID.to_owned(),
                id,
                group: String::new(),
                level: case.level.clone(),
                size: None,
                world: String::new(),
                body: Body::new(case)?,
            })
        };
        if !source.files.is_empty() {
            let mut all = Vec::new();
            for (name, text) in &source.files {
                let read: KgotCase =
                    serde_json::from_str(text).map_err(|e| format!("{name}: {e}"))?;
                let stem = name.rsplit(['/', '\\']).next().unwrap_or(name);
                all.push(case(stem.trim_end_matches(".json").to_owned(), &read)?);
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
                all.push(case(id, made)?);
            }
        }
        Ok(all)
    }

    fn tools(&self, _: &Setup) -> Vec<ToolSpec> {
        let any = [KgotFile { name: String::new(), text: String::new() }];
        TaskTools::new(&any).specs()
    }

    fn question(&self, _: &Setup, case: &Case) -> String {
        case.body.read::<KgotCase>().map(|case| case.question).unwrap_or_default()
    }

    fn gold(&self, case: &Case) -> String {
        case.body.read::<KgotCase>().map(|case| case.answer).unwrap_or_default()
    }

    fn run<'a>(&'a self, request: CaseRequest<'a>) -> BoxFuture<'a, Result<Finished, String>> {
        Box::pin(async move {
            let CaseRequest { case, setup, models, setting, on_step, .. } = request;
            let case: KgotCase = case.body.read()?;
            let task = task_of(&case);
            let tools = models.need(TOOLS.id)?;
            let (trace, outcome) = if setup.system == NO_GRAPH {
                let prompt = vec![
                    Message::system(ANSWER_RULES),
                    Message::user(super::prompts::task_text(&task)),
                ];
                let start = Trace::new(NO_GRAPH, tools.label(), prompt);
                let mut set = TaskTools::new(&task.files);
                let every = Choosing::default();
                let trace = agent::run(start, tools, &mut set, &every, setting, on_step).await;
                let said = trace.answer().unwrap_or_default();
                let answer = said.rsplit_once("FINAL ANSWER:").map(|(_, answer)| answer.trim());
                let answer = answer.map(|answer| answer.trim_end_matches('.').to_owned());
                let outcome = KgotOutcome { answer, ..KgotOutcome::default() };
                (trace, outcome)
            } else {
                let options: KgotOptions = serde_json::from_value(setup.options.clone())
                    .map_err(|e| format!("the options: {e}"))?;
                let models = KgotModels { graph: models.need(GRAPH.id)?, tools };
                let answered = run(&task, &options, models, setting, on_step).await;
                (answered.trace, answered.outcome)
            };
            let score = scored(&case, &trace, &outcome);
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
        Ok(scored(&case.body.read()?, trace, &read_outcome(outcome)?))
    }
}
