//! Disaster response as an experiment: a plan at the start and after each event, every one verified.
//!
//! Paper: Graph-Grounded LLMs §V.

use agent::Limits;
use llm::{BoxFuture, Message, Model};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tasks::Verdict;
use tasks::rescue::{
    DisasterEvent, MAX_GENERATED, MIN_GENERATED, NINE_LOCATIONS, RescuePlan, RescueRule, Scenario,
    check_text, generate, plan, random_event,
};
use trace::{Step, StepBody, Stop, Trace};

use super::scripted::RescueScript;
use super::{Dialogue, ID as SYSTEM, SaidNext, choosing, limits, say};
use crate::experiment::{
    Aggregate, Body, Case, CaseRequest, Column, ErrorKind, Experiment, Finished, MODEL, Measure,
    Score, ScriptName, Setup, Source, SystemSpec, TableRows, TableSpec, World, by_hand,
    common_errors, overlay,
};

/// The id of this experiment.
pub const ID: &str = "rescue";

/// The experiment on plans for rescue robots.
pub struct Rescue;

/// What is said first.
const DEPLOY: &str = "Deploy the rescue robots.";
/// Events after the first plan, in generated cases.
const N_EVENTS: usize = 2;

/// A disaster with what happens after the first plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Disaster {
    /// The environment at the start.
    pub scenario: Scenario,
    /// What happens, in its order; each is told to the model in words.
    #[serde(default)]
    pub events: Vec<DisasterEvent>,
}

impl Disaster {
    /// The environment before each plan that is asked for, the first being that at the start.
    ///
    /// # Errors
    /// An event does not fit the environment.
    pub fn environments(&self) -> Result<Vec<Scenario>, String> {
        let mut all = vec![self.scenario.clone()];
        for event in &self.events {
            let before = &all[all.len() - 1];
            let after = event.apply(before).map_err(|e| format!("an event: {e}"))?;
            all.push(after);
        }
        Ok(all)
    }
}

/// What can be chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Options {
    /// How many functions are sent beside those that every plan needs: the ones that fit what is said
    /// best. All are sent if absent.
    n_tools: Option<usize>,
}

/// A disaster as a case.
///
/// # Errors
/// It has a number that JSON has not.
pub fn case(id: String, disaster: &Disaster) -> Result<Case, String> {
    let n = disaster.scenario.locations.len();
    Ok(Case {
        experiment: ID.to_owned(),
        id,
        group: match n {
            0..=9 => "up to 9 locations",
            10..=20 => "10 to 20 locations",
            _ => "more than 20 locations",
        }
        .to_owned(),
        level: match disaster.events.len() {
            1 => "1 event".to_owned(),
            n => format!("{n} events"),
        },
        size: Some(n),
        world: String::new(),
        body: Body::new(disaster)?,
    })
}

/// What is said next in a conversation, as a step behind those of the turns before.
fn said_next(before: &Trace, words: &str) -> Step {
    let at_ms = before.steps.last().map_or(0.0, |s| s.at_ms + s.took_ms);
    let body = StepBody::Prompt { messages: vec![Message::user(words)], fresh: false };
    Step { at_ms, took_ms: 0.0, by_person: false, body }
}

/// Turns of one conversation as one trace, whose last step is what was said before this turn.
fn join(trace: &mut Option<Trace>, turn: Trace) {
    let Some(whole) = trace else {
        *trace = Some(turn);
        return;
    };
    let at_ms = whole.steps.last().map_or(0.0, |s| s.at_ms);
    let from = whole.steps.len();
    let asked = turn.asked.into_iter();
    whole.asked.extend(asked.map(|a| trace::Asked { from: a.from + from, ..a }));
    let steps = turn.steps.into_iter();
    whole.steps.extend(steps.map(|s| Step { at_ms: s.at_ms + at_ms, ..s }));
    whole.stop = turn.stop;
}

/// What the model said at the end of each turn: the last words without a call before the next
/// prompt.
fn answers(trace: &Trace) -> Vec<Option<&str>> {
    let mut all = vec![None];
    for step in &trace.steps {
        match &step.body {
            StepBody::Prompt { .. } => all.push(None),
            StepBody::Model { message, .. } if message.tool_calls.is_empty() => {
                if let Some(last) = all.last_mut() {
                    *last = Some(message.content.as_str());
                }
            }
            _ => {}
        }
    }
    all
}

/// Whom a plan serves, and how far its robots go.
fn effort(plan: &RescuePlan) -> (usize, f64) {
    (plan.routes.iter().map(|r| r.stops.len()).sum(), plan.routes.iter().map(|r| r.length).sum())
}

fn scored(disaster: &Disaster, trace: &Trace) -> Result<Score, String> {
    let environments = disaster.environments()?;
    let said = answers(trace);
    let (mut n_plans, mut n_clean, mut n_best) = (0_u64, 0_u64, 0_u64);
    let mut errors: std::collections::BTreeSet<String> = common_errors(trace).collect();
    let mut n_faults = 0_u64;
    let mut first_fault = None;
    for (i, now) in environments.iter().enumerate() {
        let text = said.get(i).copied().flatten().unwrap_or_default();
        let (findings, stated) = check_text(now, text);
        let Some(stated) = stated else {
            errors.insert("no_plan".into());
            first_fault.get_or_insert_with(|| format!("answer {} states no plan", i + 1));
            continue;
        };
        n_plans += 1;
        n_faults += findings.len() as u64;
        if let Some(finding) = findings.first() {
            first_fault.get_or_insert_with(|| format!("plan {}: {}", i + 1, finding.message));
        }
        errors.extend(findings.iter().map(|f| f.rule.id().to_owned()));
        n_clean += u64::from(findings.is_empty());
        let best = plan(now).map_err(|e| e.to_string())?;
        let ((served, length), (most, least)) = (effort(&stated), effort(&best));
        let is_best = findings.is_empty() && served == most && length <= least + 1e-6;
        n_best += u64::from(is_best);
    }
    let n = environments.len() as u64;
    let (verdict, explanation) = if n_clean == n {
        (Verdict::Correct, format!("all {n} plans keep the rules"))
    } else if n_plans == 0 {
        (Verdict::NoAnswer, "no plan was stated".to_owned())
    } else {
        let verdict = if n_clean > 0 { Verdict::Partial } else { Verdict::Incorrect };
        let why = first_fault.unwrap_or_default();
        (verdict, format!("{n_clean} of {n} plans keep the rules; {why}"))
    };
    let explanation = match trace.stop.as_ref().filter(|s| **s != Stop::Answered) {
        Some(stop) => stop.title(),
        None => explanation,
    };
    let of = |k: u64| k as f64 / n as f64;
    let mut score = Score::new(verdict, explanation)
        .with("stated", of(n_plans))
        .with("clean", of(n_clean))
        .with("best", of(n_best))
        .with_count("plans", n_plans)
        .with_count("faults", n_faults);
    score.errors = errors;
    score.ballot = said.into_iter().flatten().collect::<Vec<_>>().join("\n");
    Ok(score)
}

static ERROR_KINDS: [ErrorKind; 14] = {
    let mut kinds = [ErrorKind { id: "no_plan", title: "no plan stated" }; 14];
    let mut i = 0;
    while i < RescueRule::ALL.len() {
        kinds[i + 1] = ErrorKind { id: RescueRule::ALL[i].id(), title: RescueRule::ALL[i].title() };
        i += 1;
    }
    kinds
};

static MEASURES: &[Measure] = &[
    Measure { id: "stated", title: "Plans stated", lede: "Answers that state a plan." },
    Measure { id: "clean", title: "Plans without a fault", lede: "Plans that keep every rule." },
    Measure {
        id: "best",
        title: "As good as the planner's",
        lede: "Plans without a fault that serve as many on ways no longer than our planner's.",
    },
];

static TABLES: [TableSpec; 1] = [TableSpec {
    title: "Plans",
    note: "A plan at the start and after each event. Our planner is exact where it says so.",
    keep: |_| true,
    labels: &[("Model", Setup::models)],
    rows: TableRows::Groups,
    columns: &[
        Column { title: "All without a fault", value: Aggregate::Correct, has_interval: true },
        Column { title: "Stated", value: Aggregate::Mean("stated"), has_interval: false },
        Column { title: "Without a fault", value: Aggregate::Mean("clean"), has_interval: true },
        Column { title: "As good as ours", value: Aggregate::Mean("best"), has_interval: true },
    ],
    published: |_| Vec::new(),
    source: "",
    variant: "",
}];

pub(crate) static SYSTEMS: [SystemSpec; 1] = [SystemSpec {
    id: SYSTEM,
    title: "Planner with tools",
    lede: "The model reads the environment, maps it to a graph, and plans with graph functions.",
    roles: &[MODEL],
    has_tools: true,
    in_shape: false,
}];

impl Experiment for Rescue {
    fn id(&self) -> &'static str {
        ID
    }

    fn title(&self) -> &'static str {
        "Disaster response"
    }

    fn lede(&self) -> &'static str {
        "Plans for rescue robots at the start and after each event, every one verified."
    }

    fn systems(&self) -> &'static [SystemSpec] {
        &SYSTEMS
    }

    fn scripts(&self, _: &str) -> Vec<ScriptName> {
        [RescueScript::Careful, RescueScript::Mistaken]
            .into_iter()
            .zip(["script", "mistaken"])
            .map(|(script, name)| ScriptName { name: name.into(), label: script.label() })
            .collect()
    }

    fn script(&self, _: &str, name: &str) -> Option<Box<dyn Model>> {
        RescueScript::by_name(name).map(|script| Box::new(script) as Box<dyn Model>)
    }

    fn options(&self, _: &str) -> Value {
        serde_json::to_value(Options::default()).unwrap_or_default()
    }

    fn read_options(&self, system: &str, options: &Value) -> Result<Value, String> {
        overlay::<Options>(&self.options(system), options)
    }

    fn limits(&self) -> Limits {
        limits()
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

    fn tables(&self) -> &'static [TableSpec] {
        &TABLES
    }

    fn groups(&self) -> Vec<String> {
        ["up to 9 locations", "10 to 20 locations", "more than 20 locations"]
            .map(str::to_owned)
            .into()
    }

    /// Generated disasters, the paper's layout first; or files, each a scenario as the page writes
    /// it, or a JSON object with `scenario` and `events`.
    fn cases(&self, source: &Source, _: &World) -> Result<Vec<Case>, String> {
        let mut cases = Vec::new();
        for (name, text) in &source.files {
            let whole: Result<Disaster, _> = serde_json::from_str(text);
            let disaster = match whole {
                Ok(disaster) => {
                    disaster.scenario.check().map_err(|e| format!("{name}: {e}"))?;
                    disaster
                }
                Err(_) => {
                    let scenario = Scenario::from_json(text).map_err(|e| format!("{name}: {e}"))?;
                    Disaster { scenario, events: Vec::new() }
                }
            };
            let stem = name.rsplit(['/', '\\']).next().unwrap_or(name);
            disaster.environments().map_err(|e| format!("{name}: {e}"))?;
            cases.push(case(stem.trim_end_matches(".json").to_owned(), &disaster)?);
        }
        if !source.files.is_empty() {
            return Ok(source.keep(cases));
        }
        let sizes = [MIN_GENERATED, 9, 14, 20, 28, MAX_GENERATED.min(40)];
        for i in 0..source.n.unwrap_or(10) {
            let seed = source.seed.wrapping_add(i as u64);
            let mut scenario = if i == 0 {
                Scenario::from_json(NINE_LOCATIONS).map_err(|e| e.to_string())?
            } else {
                generate(sizes[i % sizes.len()], seed).map_err(|e| e.to_string())?
            };
            let start = scenario.clone();
            let mut events = Vec::new();
            for k in 0..N_EVENTS {
                let Some(event) = random_event(&scenario, seed.wrapping_mul(31) ^ k as u64) else {
                    break;
                };
                scenario = event.apply(&scenario).map_err(|e| e.to_string())?;
                events.push(event);
            }
            let id = if i == 0 { "nine-locations".into() } else { format!("disaster-{seed}") };
            cases.push(case(id, &Disaster { scenario: start, events })?);
        }
        cases.retain(|c| source.has_group(&c.group) && source.has_level(&c.level));
        Ok(cases)
    }

    fn question(&self, _: &Setup, case: &Case) -> String {
        let Ok(disaster) = case.body.read::<Disaster>() else { return String::new() };
        let mut words = vec![DEPLOY.to_owned()];
        words.extend(disaster.events.iter().map(DisasterEvent::sentence));
        words.join("\n")
    }

    fn gold(&self, case: &Case) -> String {
        let Ok(disaster) = case.body.read::<Disaster>() else { return String::new() };
        plan(&disaster.scenario).map_or_else(|_| String::new(), |p| p.to_text())
    }

    fn run<'a>(&'a self, request: CaseRequest<'a>) -> BoxFuture<'a, Result<Finished, String>> {
        Box::pin(async move {
            let CaseRequest { setup, case, models, setting, session, .. } = request;
            let options: Options = serde_json::from_value(setup.options.clone())
                .map_err(|e| format!("the options: {e}"))?;
            let choosing = choosing(options.n_tools);
            let disaster: Disaster = case.body.read()?;
            let model = models.need(MODEL.id)?;
            let SaidNext { dialogue, words } = by_hand(session).cloned().unwrap_or_default();
            let mut words = vec![words];
            if words[0].is_empty() {
                words = vec![DEPLOY.to_owned()];
                words.extend(disaster.events.iter().map(DisasterEvent::sentence));
            }
            let mut dialogue = dialogue.unwrap_or_else(|| Dialogue::new(disaster.scenario.clone()));
            let mut trace: Option<Trace> = None;
            for words in &words {
                let mut began = 0.0;
                if let Some(before) = &mut trace {
                    let said = said_next(before, words);
                    session.step(&said);
                    began = said.at_ms;
                    before.steps.push(said);
                }
                let mut on_step =
                    |s: &Step| session.step(&Step { at_ms: s.at_ms + began, ..s.clone() });
                let turn = say(dialogue, words, model, &choosing, setting, &mut on_step).await;
                session.event(&turn);
                let stop = turn.trace.stop.clone();
                join(&mut trace, turn.trace);
                dialogue = turn.dialogue;
                if stop != Some(Stop::Answered) {
                    break;
                }
            }
            let trace = trace.ok_or("nothing was said")?;
            let score = scored(&disaster, &trace)?;
            Ok(Finished { trace, outcome: Value::Null, score })
        })
    }

    fn score(
        &self,
        _: &World,
        _: &Setup,
        case: &Case,
        trace: &Trace,
        _: &Value,
    ) -> Result<Score, String> {
        scored(&case.body.read()?, trace)
    }
}
