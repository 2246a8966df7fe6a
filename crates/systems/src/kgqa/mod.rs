//! Systems that answer questions about a knowledge graph: GraphRunner and what it is measured
//! against.
//!
//! [`SYSTEMS`] lists them; [`answer`] runs one. All see the same graph through the same
//! [`kg::find::Finder`], are judged by the same reader, and have their answer's entities held
//! against what they reached.

mod claims;
mod classes;
mod drawn;
pub mod experiment;
mod gpt4score;
mod hand;
mod options;
pub mod scripted;
mod tables;

use std::collections::BTreeSet;

use agent::{RunContext, Transport};
use kg::Kg;
use kg::find::Finder;
use kg::plan::Plan;
use llm::{Message, Model};
use tasks::kgqa::KgQuestion;
use trace::{Step, StepBody, Stop, ToolResult, Trace};

use crate::experiment::{Finished, JUDGE, MODEL, ModelRole, SystemSpec, common_errors};
use crate::remote::RemoteKg;
use crate::{asks_back, graph_cot, graphrunner, rag};

pub use claims::{EntityClaim, entities};
pub use classes::{FailureClass, failure_class};
pub use drawn::{Drawing, effects_of, told_value};
pub use experiment::{KgQa, KgWorld, Outcome};
pub use gpt4score::{GivenGrade, gpt4score, read_grade};
pub use hand::KgByHand;
pub use options::{KgOptions, PlanForm, RagCentre, TextRanking};
pub use tables::{difficulty, domain_of};

/// The paper's prices: GPT-4's, in dollars for a million input and output tokens. §4.1.
pub const PAPER_PRICES: (f64, f64) = (30.0, 60.0);

pub(crate) const ROLES: &[ModelRole] = &[MODEL, JUDGE];

/// Every system, GraphRunner first.
pub const SYSTEMS: [SystemSpec; 4] =
    [graphrunner::SYSTEM, graph_cot::SYSTEM, rag::GRAPH_SYSTEM, rag::TEXT_SYSTEM];

/// Whether a system can ask a graph that stays in its store; the others walk on the whole graph.
pub fn asks_stores(system: &str) -> bool {
    system == graphrunner::SYSTEM.id
}

/// Whether a plan that a person wrote can take the place of its model's.
pub fn takes_plans(system: &str) -> bool {
    system == graphrunner::SYSTEM.id
}

/// The system of that id.
pub fn find(id: &str) -> Option<&'static SystemSpec> {
    const { &SYSTEMS }.iter().find(|s| s.id == id)
}

/// The fields of [`KgOptions`] that a system looks at.
fn options_of(system: &str) -> &'static [&'static str] {
    match system {
        id if id == graphrunner::SYSTEM.id => graphrunner::OPTIONS,
        id if id == graph_cot::SYSTEM.id => graph_cot::OPTIONS,
        _ => rag::OPTIONS,
    }
}

/// What is asked of whom.
pub struct KgRequest<'a> {
    /// The id of the system that answers; GraphRunner's for one that there is not.
    pub system: &'a str,
    /// The graph, with its similarity measure.
    pub finder: &'a Finder,
    /// The question, with its right answers.
    pub question: &'a KgQuestion,
    /// How the system goes about it.
    pub options: &'a KgOptions,
    /// Limits, clock, and who may stop it.
    pub setting: RunContext<'a>,
    /// Where the graph is, if only its schema is in `finder`; for a system that asks stores.
    pub away: Option<Away<'a>>,
    /// Whether a person is there who replies where the model asks back. Else a question in the place
    /// of a plan is corrected like any other text that is none.
    pub has_person: bool,
}

/// A graph that is in a store, and how it is asked.
#[derive(Clone, Copy)]
pub struct Away<'a> {
    /// The store that has the graph.
    pub remote: &'a RemoteKg,
    /// Who sends requests to the store.
    pub transport: &'a dyn Transport,
}

/// What kind of error an answer that is not right comes from, as far as that can be told without a
/// person. One run may have several.
///
/// Paper: GraphRunner §4.4 sorts errors by hand into hallucination, reasoning and context; the
/// kinds here say where such an error shows, [`failure_class`] sorts by rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KgErrorKind {
    /// An action, node type, edge type or step that does not exist. Hallucination.
    UnknownType,
    /// An edge that such nodes do not have. Hallucination.
    WrongSource,
    /// A step on which nothing is found. Reasoning, most often.
    EmptyStep,
    /// An entity in the answer that nothing in the run reached. Hallucination.
    UnsupportedAnswer,
    /// No plan or action could be read.
    Unread,
}

impl KgErrorKind {
    /// Every kind of error, in the order of the tables.
    pub const ALL: [Self; 5] = [
        Self::UnknownType,
        Self::WrongSource,
        Self::EmptyStep,
        Self::UnsupportedAnswer,
        Self::Unread,
    ];

    /// Its name in files.
    pub const fn id(self) -> &'static str {
        match self {
            Self::UnknownType => "unknown_type",
            Self::WrongSource => "wrong_source",
            Self::EmptyStep => "empty_step",
            Self::UnsupportedAnswer => "unsupported_answer",
            Self::Unread => "unread",
        }
    }

    /// Its name for people.
    pub const fn title(self) -> &'static str {
        match self {
            Self::UnknownType => "type or action that does not exist",
            Self::WrongSource => "edge from the wrong type",
            Self::EmptyStep => "empty step",
            Self::UnsupportedAnswer => "unsupported answer",
            Self::Unread => "not readable",
        }
    }

    /// The kind that a finding of a verifier is counted as.
    pub fn of_rule(rule: &str) -> Option<Self> {
        Some(match rule {
            "V1" | "V2" | "V3" | "V4" | "V7" => Self::UnknownType,
            "V5" | "V6" => Self::WrongSource,
            "D1" | "D2" | "D3" => Self::EmptyStep,
            "read" => Self::Unread,
            _ => return None,
        })
    }
}

/// What a system hands back.
pub(crate) struct Answered {
    pub(crate) trace: Trace,
    /// The answer, where it is not simply the last turn.
    pub(crate) answer: Option<String>,
    pub(crate) plan: Option<Plan>,
    pub(crate) reached: BTreeSet<kg::NodeIx>,
    pub(crate) n_repairs: u32,
    /// The part of the graph on which it ran, where the graph is elsewhere.
    pub(crate) part: Option<Finder>,
}

/// Lets a system answer a question, and scores the answer; where a judge is given, it says whether
/// the answer is right (GPT4Score, §4.1).
///
/// A limit, a wish to stop and a model that fails give a run too, with the verdict `NoAnswer` and
/// the reason. A judge is not asked where the run was stopped or its model failed, where no right
/// answer is known, and where the model asked a person back.
pub async fn answer(
    request: KgRequest<'_>,
    model: &dyn Model,
    judge: Option<&dyn Model>,
    on_step: &mut dyn FnMut(&Step),
) -> Finished<Outcome> {
    let (question, setting) = (request.question, request.setting);
    let has_person = request.has_person;
    let (mut trace, mut outcome) = answered(request, model, on_step).await;
    let is_cut_off = matches!(&trace.stop, Some(Stop::ModelFailed { .. } | Stop::Cancelled));
    let is_asked = has_person && asks_back(&outcome.answer);
    let cannot_judge = is_cut_off || is_asked || question.answers.is_empty();
    if let Some(judge) = judge.filter(|_| !cannot_judge) {
        let given = gpt4score(question, &outcome.answer, judge, setting, &mut trace).await;
        (outcome.judged, outcome.judge_said) = (given.is_right, Some(given.said));
    }
    let score = experiment::scored(question, &outcome, &trace);
    Finished { trace, outcome, score }
}

/// Lets a system answer a question, and holds the entities of the answer against what it reached.
async fn answered(
    request: KgRequest<'_>,
    model: &dyn Model,
    on_step: &mut dyn FnMut(&Step),
) -> (Trace, Outcome) {
    let answered = match request.system {
        id if id == graph_cot::SYSTEM.id => graph_cot::run(&request, model, on_step).await,
        id if id == rag::GRAPH_SYSTEM.id => rag::around_nodes(&request, model, on_step).await,
        id if id == rag::TEXT_SYSTEM.id => rag::over_texts(&request, model, on_step).await,
        _ => graphrunner::run(&request, model, on_step).await,
    };
    let Answered { trace, answer, plan, reached, n_repairs, part } = answered;
    let kg: &Kg = part.as_ref().unwrap_or(request.finder).kg();
    // A plan is no answer: the last turn counts only where the run came to its end.
    let answer = answer.unwrap_or_else(|| trace.answer().unwrap_or_default().to_owned());
    let claims = entities(kg, &answer, &request.question.question, &reached);
    (trace, Outcome { answer, plan, claims, n_repairs, judged: None, judge_said: None })
}

/// The errors that a trace and the entities of its answer show, by the ids of their kinds.
fn errors_of(trace: &Trace, claims: &[EntityClaim]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for step in &trace.steps {
        match &step.body {
            StepBody::Findings { findings, .. } => {
                let errors = findings.iter().filter(|f| f.is_error);
                found.extend(errors.filter_map(|f| KgErrorKind::of_rule(&f.rule)));
            }
            StepBody::Call { result: ToolResult::Error(error), .. } => {
                found.extend(KgErrorKind::of_rule(&error.code));
            }
            _ => {}
        }
    }
    if claims.iter().any(|c| !c.is_supported) {
        found.insert(KgErrorKind::UnsupportedAnswer);
    }
    found.into_iter().map(|kind| kind.id().to_owned()).chain(common_errors(trace)).collect()
}

/// A finding of the plan's verifier as a trace has it.
pub(crate) fn traced(finding: &kg::plan::PlanFinding) -> trace::Finding {
    trace::Finding {
        rule: finding.rule.as_str().to_owned(),
        at: finding.step.clone(),
        is_error: finding.severity == kg::plan::Severity::Error,
        message: finding.message.clone(),
        options: finding.options.clone(),
    }
}

/// The schema of a graph in lines: types with attributes, edges with what they join.
pub(crate) fn schema_text(kg: &Kg) -> String {
    /// The most types that are told of.
    const MAX: usize = 500;
    let schema = kg.schema();
    let mut text = String::from("Node types:\n");
    for node_type in schema.node_types().iter().take(MAX) {
        let attributes = match node_type.attributes.as_slice() {
            [] => String::new(),
            list => format!(" ({})", list.join(", ")),
        };
        text.push_str(&format!("- {}{attributes}\n", node_type.name));
    }
    text.push_str("Edge types:\n");
    for edge in schema.edge_types().iter().take(MAX) {
        let ends: Vec<String> = edge
            .ends
            .iter()
            .take(20)
            .map(|e| {
                format!("{} -> {}", schema.node_type(e.from).name, schema.node_type(e.to).name)
            })
            .collect();
        text.push_str(&format!("- {}: {}\n", edge.name, ends.join(", ")));
    }
    text
}

/// How every system is to state its answer.
pub(crate) const ANSWER_FORM: &str = "End with one line `Answer:` and the names, parted by `; `; \
where a number is asked for, the number alone; where nothing was found, `Answer: none`.";

/// A trace that begins with these messages.
pub(crate) fn begin(system: &str, model: &dyn Model, prompt: Vec<Message>) -> Trace {
    Trace::new(system, model.label(), prompt)
}
