//! Questions about a knowledge graph as an experiment.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use agent::{Limits, Transport};
use kg::Kg;
use kg::find::Finder;
use kg::generators::{TinyNames, metro, tiny, town};
use llm::{BoxFuture, Model};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tasks::Verdict;
use tasks::kgqa::{GrbenchDomain, KgQuestion, judge, questions_about, read_questions};
use trace::{Stop, Trace, bytes_hash};

use super::hand::PlanByHand;
use super::scripted::KgScript;
use super::tables::{RATIOS, TABLES, with_domain};
use super::{
    Away, EntityClaim, FailureClass, KgByHand, KgErrorKind, KgOptions, KgRequest, asks_stores,
    errors_of, failure_class, takes_plans,
};
use crate::experiment::{
    Body, Case, CaseRequest, ErrorKind, Experiment, Finished, JUDGE, MODEL, Measure, RatioSpec,
    Score, ScriptName, Setup, Source, SystemSpec, TableSpec, World, by_hand, overlay, read_outcome,
};
use crate::remote::RemoteKg;
use crate::reply::{asks_back, with_exchanges};

/// The id of this experiment.
pub const ID: &str = "kgqa";

/// The experiment on questions about knowledge graphs.
pub struct KgQa;

/// What questions are asked about.
pub struct KgWorld {
    /// The graph with its finder.
    pub finder: Rc<Finder>,
    /// The store that has the graph, where only its schema is in the finder, and who asks it.
    pub away: Option<(Rc<RemoteKg>, Rc<dyn Transport>)>,
}

/// What a run leaves beside its trace.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The answer as it is judged; empty where there is none.
    #[serde(default)]
    pub answer: String,
    /// The plan that was executed, if the system plans.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<kg::plan::Plan>,
    /// The entities of the answer, and whether the run reached them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<EntityClaim>,
    /// How often the planner was asked to repair its plan.
    #[serde(default)]
    pub n_repairs: u32,
    /// Whether a judging model calls the answer right, if one was asked and that could be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged: Option<bool>,
    /// What the judging model said, if one was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge_said: Option<String>,
}

/// A name that changes with the graph: its title, its size, a hash of its names and edges, and the
/// domain of GRBench where it is one of GRBench's graphs.
///
/// O(nodes + edges).
pub fn world_name(kg: &Kg) -> String {
    let mut text = Vec::new();
    for node in kg.nodes() {
        text.extend_from_slice(kg.id(node).as_bytes());
        text.push(0);
        text.extend_from_slice(kg.name(node).as_bytes());
        text.push(1);
    }
    for (source, edge, target) in kg.edges() {
        for number in [source.0, u32::from(edge.0), target.0] {
            text.extend_from_slice(&number.to_le_bytes());
        }
    }
    let hash = bytes_hash(&text);
    let (n, m) = (kg.n_nodes(), kg.n_edges());
    let name = format!("{} ({n} nodes, {m} edges, {})", kg.title(), &hash[..8]);
    with_domain(name, GrbenchDomain::of(kg))
}

/// A question about the graph of that [`world_name`] as a case.
///
/// # Errors
/// Its plan has a number that JSON has not.
pub fn case(question: &KgQuestion, world: &str) -> Result<Case, String> {
    let level = match (question.hops, question.level) {
        (0, None) => String::new(),
        (0, Some(level)) => level.to_string(),
        (1, _) => "1 hop".to_owned(),
        (n, _) => format!("{n} hops"),
    };
    Ok(Case {
        experiment: ID.to_owned(),
        id: question.id.clone(),
        group: String::new(),
        level,
        size: None,
        world: world.to_owned(),
        body: Body::new(question)?,
    })
}

/// How good an answer is. It needs nothing but what the run left behind.
pub(super) fn scored(question: &KgQuestion, outcome: &Outcome, trace: &Trace) -> Score {
    let is_question = asks_back(&outcome.answer) && !outcome.answer.contains("Answer:");
    // What a question names is no claim.
    let claims = if is_question { &[] } else { outcome.claims.as_slice() };
    let named: Vec<String> = claims.iter().filter(|c| c.is_known).map(|c| c.name.clone()).collect();
    let mut judged = judge(&question.answers, &outcome.answer, &named);
    if is_question {
        judged = judge(&question.answers, "", &[]);
        judged.verdict = Verdict::NoAnswer;
        judged.explanation = "The model asked a question back instead of answering".into();
    }
    let mut explanation = judged.explanation;
    if let Some(stop) = trace.ended().filter(|s| *s != Stop::Answered) {
        explanation = stop.title();
    }
    let unsupported: Vec<&str> =
        claims.iter().filter(|c| !c.is_supported).map(|c| c.name.as_str()).collect();
    if !unsupported.is_empty() {
        explanation = format!("{explanation}. Nothing supports {}.", unsupported.join("; "));
    }
    let mut score = Score::new(judged.verdict, explanation)
        .with_flag("exact", judged.exact_match)
        .with_flag("multiset", judged.multiset_match)
        .with("rouge_l", judged.rouge_l);
    if let Some(is_right) = outcome.judged {
        score = score.with_flag("gpt4score", is_right);
    }
    if outcome.judge_said.is_some() {
        score = score.with_flag("judge_unreadable", outcome.judged.is_none());
    }
    let failed = failure_class(judged.verdict, trace, claims);
    for class in FailureClass::ALL {
        score = score.with_flag(class.id(), failed == Some(class));
    }
    if outcome.n_repairs > 0 {
        score = score.with_count("repairs", u64::from(outcome.n_repairs));
    }
    score.errors = errors_of(trace, claims);
    if judged.verdict != Verdict::NoAnswer {
        let mut read = judged.read;
        read.sort();
        score.ballot = read.join("; ");
    }
    score
}

static MEASURES: &[Measure] = &[
    Measure {
        id: "exact",
        title: "Exact",
        lede: "The answer is the reference, but for case and spacing.",
    },
    Measure {
        id: "multiset",
        title: "Multiset",
        lede: "The parts of the answer are those of the reference, each as often.",
    },
    Measure {
        id: "rouge_l",
        title: "ROUGE-L",
        lede: "F1 of the longest common subsequence with the reference.",
    },
    Measure { id: "gpt4score", title: "GPT4Score", lede: "A judging model says that it is right." },
    Measure {
        id: "judge_unreadable",
        title: "Judge not readable",
        lede: "A judging model was asked, and its words say neither yes nor no.",
    },
    Measure {
        id: FailureClass::Hallucination.id(),
        title: "Hallucination",
        lede: "The answer is not right: a step or the answer was made up.",
    },
    Measure {
        id: FailureClass::Reasoning.id(),
        title: "Reasoning",
        lede: "The answer is not right: the traversal keeps the rules and means something else.",
    },
    Measure {
        id: FailureClass::Context.id(),
        title: "Context",
        lede: "The answer is not right: the context window was exceeded.",
    },
    Measure {
        id: FailureClass::Other.id(),
        title: "Other failure",
        lede: "The answer is not right, by none of these.",
    },
];

static FAILURE_CLASSES: [&str; 4] = {
    let mut ids = [""; 4];
    let mut i = 0;
    while i < 4 {
        ids[i] = FailureClass::ALL[i].id();
        i += 1;
    }
    ids
};

static ERROR_KINDS: [ErrorKind; 5] = {
    let mut kinds = [ErrorKind { id: "", title: "" }; 5];
    let mut i = 0;
    while i < 5 {
        let kind = KgErrorKind::ALL[i];
        kinds[i] = ErrorKind { id: kind.id(), title: kind.title() };
        i += 1;
    }
    kinds
};

impl Experiment for KgQa {
    fn id(&self) -> &'static str {
        ID
    }

    fn title(&self) -> &'static str {
        "Knowledge-graph questions"
    }

    fn lede(&self) -> &'static str {
        "Questions about a knowledge graph: GraphRunner beside Graph-CoT, Graph-RAG and Text-RAG."
    }

    fn systems(&self) -> &'static [SystemSpec] {
        const { &super::SYSTEMS }
    }

    fn scripts(&self, _: &str) -> Vec<ScriptName> {
        let names = KgScript::names().into_iter();
        names.map(|(name, label)| ScriptName { name, label }).collect()
    }

    fn script(&self, _: &str, name: &str) -> Option<Box<dyn Model>> {
        KgScript::by_name(name).map(|script| Box::new(script) as Box<dyn Model>)
    }

    /// The options that a system looks at, and no others: those of others would part setups that
    /// are the same.
    fn options(&self, system: &str) -> Value {
        KgOptions::default().of(system)
    }

    fn read_options(&self, system: &str, options: &Value) -> Result<Value, String> {
        (self as &dyn Experiment).system(system)?;
        let usual = self.options(system);
        let whole = overlay::<KgOptions>(&usual, options)?;
        let (Value::Object(mut whole), Value::Object(usual)) = (whole, usual) else {
            return Ok(Value::Null);
        };
        whole.retain(|name, _| usual.contains_key(name));
        Ok(Value::Object(whole))
    }

    fn limits(&self) -> Limits {
        Limits { max_rounds: 100, max_calls: 10_000, ..Limits::default() }
    }

    fn scorer(&self) -> u32 {
        2
    }

    fn measures(&self) -> &'static [Measure] {
        MEASURES
    }

    fn error_kinds(&self) -> &'static [ErrorKind] {
        &ERROR_KINDS
    }

    fn failure_classes(&self) -> &'static [&'static str] {
        &FAILURE_CLASSES
    }

    fn tables(&self) -> &'static [TableSpec] {
        &TABLES
    }

    fn ratios(&self) -> &'static [RatioSpec] {
        &RATIOS
    }

    /// A generated metro network: `metro:LINES:SEED`, `metro:4:1` if nothing is said; a town with
    /// families, shops and long texts, `town:SEED`; or a tiny graph with types of its own, `tiny:SEED`,
    /// whose names a model that spells names can copy. Other graphs are loaded by whoever has their
    /// files, and handed over as a [`KgWorld`].
    fn world(&self, source: &Source) -> Result<World, String> {
        let name = if source.world.is_empty() { self.usual_world() } else { &source.world };
        let told = || {
            format!(
                "there is no graph {name:?} here; expected metro:LINES:SEED, town:SEED or tiny:SEED"
            )
        };
        let made = if let Some(seed) = name.strip_prefix("tiny:") {
            tiny(seed.parse().map_err(|_| told())?, TinyNames::Ordinary)
        } else if let Some(seed) = name.strip_prefix("town:") {
            town(seed.parse().map_err(|_| told())?)
        } else {
            let rest = name.strip_prefix("metro").ok_or_else(told)?;
            let mut parts = rest.split(':').skip(1).map(str::parse::<u64>);
            let lines = parts.next().unwrap_or(Ok(4)).map_err(|_| told())?;
            let seed = parts.next().unwrap_or(Ok(1)).map_err(|_| told())?;
            metro(lines.min(99) as usize, seed)
        };
        let kg = made.map_err(|e| e.to_string())?;
        let finder = Rc::new(Finder::new(Arc::new(kg), Rc::new(text::NGrams)));
        Ok(World::new(KgWorld { finder, away: None }))
    }

    fn cases(&self, source: &Source, world: &World) -> Result<Vec<Case>, String> {
        let world: &KgWorld =
            world.get().ok_or("questions need the knowledge graph that they are about")?;
        let kg = world.finder.kg();
        let mut questions = Vec::new();
        for (name, text) in &source.files {
            let rows = read_questions(text).map_err(|e| format!("{name}: {e}"))?;
            questions.extend(rows.into_iter().map(|row| row.question));
        }
        if source.files.is_empty() {
            questions = questions_about(kg, source.n.unwrap_or(100), 0, source.seed);
        }
        let mut names = BTreeSet::new();
        if let Some(twice) = questions.iter().find(|q| !names.insert(q.id.as_str())) {
            return Err(format!(
                "two questions are called {:?}; each needs its own name",
                twice.id
            ));
        }
        let name = world_name(kg);
        let cases: Result<Vec<Case>, String> = questions.iter().map(|q| case(q, &name)).collect();
        let mut cases = cases?;
        cases.retain(|c| source.has_level(&c.level));
        // Questions have no groups of their own: so many in all.
        cases.truncate(source.n.unwrap_or(usize::MAX));
        if cases.is_empty() {
            return Err(
                "there are no questions; give a file, or a graph whose nodes have names and edges"
                    .into(),
            );
        }
        Ok(cases)
    }

    fn usual_world(&self) -> &'static str {
        "metro:4:1"
    }

    fn question(&self, _: &Setup, case: &Case) -> String {
        case.body.read::<KgQuestion>().map_or_else(|_| String::new(), |q| q.question)
    }

    fn gold(&self, case: &Case) -> String {
        case.body.read::<KgQuestion>().map_or_else(|_| String::new(), |q| q.answers.join("; "))
    }

    fn is_known(&self, case: &Case) -> bool {
        !self.gold(case).is_empty()
    }

    fn run<'a>(&'a self, request: CaseRequest<'a>) -> BoxFuture<'a, Result<Finished, String>> {
        Box::pin(async move {
            let CaseRequest { setup, case, world, models, setting, session, .. } = request;
            let on_step: &mut dyn FnMut(&trace::Step) = &mut |step| session.step(step);
            let system = setup.system.as_str();
            let mut options: KgOptions = serde_json::from_value(setup.options.clone())
                .map_err(|e| format!("the options: {e}"))?;
            let question: KgQuestion = case.body.read()?;
            let world: &KgWorld =
                world.get().ok_or("questions need the knowledge graph that they are about")?;
            let measure = world.finder.label();
            if options.measure != measure {
                return Err(format!(
                    "the setup says that names are compared by {:?}, and the graph was opened with \
                     {measure:?}; open it with the same, or set measure",
                    options.measure
                ));
            }
            let away = world
                .away
                .as_ref()
                .map(|(remote, transport)| Away { remote, transport: transport.as_ref() });
            if away.is_some() && !asks_stores(system) {
                return Err(format!(
                    "{} walks on the whole graph, and this one stays in its store; {} can ask there",
                    title(system),
                    titles(asks_stores)
                ));
            }
            let KgByHand { plan, exchanges } = by_hand(session).cloned().unwrap_or_default();
            let model = models.need(MODEL.id)?;
            let planned = match plan {
                Some(_) if !takes_plans(system) => {
                    let (title, those) = (title(system), titles(takes_plans));
                    return Err(format!("{title} takes no plan by hand; {those} does"));
                }
                Some(plan) => {
                    // A person corrects a plan in the form, not in a conversation.
                    options.max_repairs = 0;
                    Some(PlanByHand { plan, then: model })
                }
                None => None,
            };
            let model = planned.as_ref().map_or(model, |planned| planned as &dyn Model);
            let words = with_exchanges(&question.question, &exchanges);
            let request = KgRequest {
                system,
                finder: &world.finder,
                question: &KgQuestion { question: words, ..question },
                options: &options,
                setting,
                away,
                has_person: session.has_person(),
            };
            super::answer(request, model, models.get(JUDGE.id), on_step).await.into_json()
        })
    }

    /// The entities of the answer are those that the run found in its graph: the graph itself is
    /// not needed again.
    fn score(
        &self,
        _: &World,
        _: &Setup,
        case: &Case,
        trace: &Trace,
        outcome: &Value,
    ) -> Result<Score, String> {
        let question: KgQuestion = case.body.read()?;
        let outcome: Outcome = read_outcome(outcome)?;
        Ok(scored(&question, &outcome, trace))
    }
}

/// The title of a system.
fn title(system: &str) -> &str {
    super::find(system).map_or(system, |s| s.title)
}

/// The titles of the systems that can do something.
fn titles(can: fn(&str) -> bool) -> String {
    let can = super::SYSTEMS.iter().filter(|s| can(s.id));
    can.map(|s| s.title).collect::<Vec<_>>().join(", ")
}
