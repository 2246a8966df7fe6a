//! Systems that answer questions about a knowledge graph: GraphRunner and what it is measured
//! against.
//!
//! [`KG_SYSTEMS`] lists them; [`answer`] runs one. All see the same graph through the same
//! [`kg::find::Finder`], are judged by the same reader, and have their answer's entities held
//! against what they reached.

mod claims;
mod drawn;
mod effort;
pub mod experiment;
mod gpt4score;
mod options;
pub mod scripted;

use agent::{RunContext, Transport};
use kg::Kg;
use kg::find::Finder;
use kg::plan::Plan;
use llm::{Message, Model};
use serde::{Deserialize, Serialize};
use tasks::kgqa::{KgJudgement, KgQuestion, judge};
use trace::{Step, StepBody, Stop, Trace};

use crate::remote::RemoteKg;
use crate::{graph_cot, graphrunner, rag};

pub use claims::{EntityClaim, entities};
pub use drawn::{Drawing, effects_of, told_value};
pub use effort::{Effort, PAPER_PRICES, about};
pub use experiment::{KgQa, KgWorld};
pub use gpt4score::gpt4score;
pub use options::{KgOptions, PlanForm};

/// A system that answers questions about a knowledge graph.
#[derive(Clone, Copy, Debug)]
pub struct KgSystem {
    /// A stable id.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// One sentence for people.
    pub lede: &'static str,
}

/// Every such system, GraphRunner first.
pub static KG_SYSTEMS: &[KgSystem] =
    &[graphrunner::SYSTEM, graph_cot::SYSTEM, rag::GRAPH_SYSTEM, rag::TEXT_SYSTEM];

/// The system of that id.
pub fn find(id: &str) -> Option<&'static KgSystem> {
    KG_SYSTEMS.iter().find(|s| s.id == id)
}

/// What is asked of whom.
pub struct KgRequest<'a> {
    /// The strategy.
    pub system: &'a KgSystem,
    /// The graph, with what likeness is told by.
    pub finder: &'a Finder,
    /// The question.
    pub question: &'a KgQuestion,
    /// How the system goes about it.
    pub options: &'a KgOptions,
    /// Limits, clock, and who may stop it.
    pub setting: RunContext<'a>,
    /// Where the graph is, if only its schema is in `finder`. GraphRunner alone can ask there.
    pub away: Option<Away<'a>>,
}

/// A graph that is in a store, and how it is asked.
#[derive(Clone, Copy)]
pub struct Away<'a> {
    /// The store.
    pub remote: &'a RemoteKg,
    /// Who sends.
    pub transport: &'a dyn Transport,
}

/// What kind of error an answer that is not right comes from, as far as that can be told without a
/// person. One run may have several.
///
/// Paper: GraphRunner §4.4 sorts errors by hand into hallucination, reasoning and context; the
/// kinds here say where such an error shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KgErrorKind {
    /// An action, node type, edge type or step that does not exist. Hallucination.
    UnknownType,
    /// An edge that such nodes do not have. Hallucination.
    WrongSource,
    /// A step on which nothing is found. Reasoning, most often.
    EmptyStep,
    /// An entity in the answer that nothing in the run reached. Hallucination.
    UnsupportedAnswer,
    /// The conversation did not fit the model's context window.
    ContextExceeded,
    /// No plan or action could be read.
    Unread,
    /// A limit ended the run.
    Limit,
}

impl KgErrorKind {
    /// Every kind.
    pub const ALL: [Self; 7] = [
        Self::UnknownType,
        Self::WrongSource,
        Self::EmptyStep,
        Self::UnsupportedAnswer,
        Self::ContextExceeded,
        Self::Unread,
        Self::Limit,
    ];

    /// Its name in files.
    pub const fn id(self) -> &'static str {
        match self {
            Self::UnknownType => "unknown_type",
            Self::WrongSource => "wrong_source",
            Self::EmptyStep => "empty_step",
            Self::UnsupportedAnswer => "unsupported_answer",
            Self::ContextExceeded => "context_exceeded",
            Self::Unread => "unread",
            Self::Limit => "limit",
        }
    }

    /// Its name for people.
    pub const fn title(self) -> &'static str {
        match self {
            Self::UnknownType => "type or action that does not exist",
            Self::WrongSource => "edge from the wrong type",
            Self::EmptyStep => "empty step",
            Self::UnsupportedAnswer => "unsupported answer",
            Self::ContextExceeded => "context exceeded",
            Self::Unread => "not readable",
            Self::Limit => "limit reached",
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

/// System × question: what happened, and how good it was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KgRun {
    /// The system's id.
    pub system: String,
    /// The graph's title.
    pub kg: String,
    /// The question.
    pub question: KgQuestion,
    /// Step by step.
    pub trace: Trace,
    /// The answer as it is judged; empty where there is none.
    #[serde(default)]
    pub answer: String,
    /// The plan that was executed, if the system plans.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
    /// How good the answer is.
    pub judgement: KgJudgement,
    /// The entities of the answer, and whether the run reached them.
    pub claims: Vec<EntityClaim>,
    /// What went wrong, each kind once. Errors that the verifier caught and the planner mended are
    /// in here too; what matters of a right answer is that it is right.
    pub errors: Vec<KgErrorKind>,
    /// How often the planner was asked again.
    pub n_repairs: u32,
}

/// What a system hands back.
pub(crate) struct Answered {
    pub(crate) trace: Trace,
    /// The answer, where it is not simply the last turn.
    pub(crate) answer: Option<String>,
    pub(crate) plan: Option<Plan>,
    pub(crate) reached: std::collections::BTreeSet<kg::NodeIx>,
    pub(crate) n_repairs: u32,
    /// The part of the graph on which it ran, where the graph is elsewhere.
    pub(crate) part: Option<Finder>,
}

/// Lets a system answer a question, and judges the answer.
///
/// A limit, a wish to stop and a model that fails give a run too, with the verdict `NoAnswer` and
/// the reason.
pub async fn answer(
    request: KgRequest<'_>,
    model: &dyn Model,
    on_step: &mut dyn FnMut(&Step),
) -> KgRun {
    let answered = match request.system.id {
        "graph_cot" => graph_cot::run(&request, model, on_step).await,
        "graph_rag" | "text_rag" => rag::run(&request, model, on_step).await,
        _ => graphrunner::run(&request, model, on_step).await,
    };
    judged(&request, answered)
}

fn judged(request: &KgRequest<'_>, answered: Answered) -> KgRun {
    let Answered { trace, answer, plan, reached, n_repairs, part } = answered;
    let kg: &Kg = part.as_ref().unwrap_or(request.finder).kg();
    let text = answer.unwrap_or_else(|| trace.answer().unwrap_or_default().to_owned());
    // A plan is no answer: the last turn counts only where the run came to its end.
    let claims = entities(kg, &text, &request.question.question, &reached);
    let named: Vec<String> = claims.iter().filter(|c| c.is_known).map(|c| c.name.clone()).collect();
    let mut judgement = judge(&request.question.answers, &text, &named);
    if let Some(stop) = trace.stop.as_ref().filter(|s| **s != Stop::Answered) {
        judgement.explanation = stop.title();
    }
    let errors = errors_of(&trace, &claims);
    KgRun {
        system: request.system.id.to_owned(),
        kg: kg.title().to_owned(),
        question: request.question.clone(),
        trace,
        answer: text,
        plan,
        judgement,
        claims,
        errors,
        n_repairs,
    }
}

/// The kinds of errors that a trace and the entities of its answer show.
pub fn errors_of(trace: &Trace, claims: &[EntityClaim]) -> Vec<KgErrorKind> {
    let mut found = std::collections::BTreeSet::new();
    for step in &trace.steps {
        match &step.body {
            StepBody::Findings { findings, .. } => {
                let errors = findings.iter().filter(|f| f.is_error);
                found.extend(errors.filter_map(|f| KgErrorKind::of_rule(&f.rule)));
            }
            StepBody::Call { result: trace::ToolResult::Error(error), .. } => {
                found.extend(KgErrorKind::of_rule(&error.code));
            }
            _ => {}
        }
    }
    if claims.iter().any(|c| !c.is_supported) {
        found.insert(KgErrorKind::UnsupportedAnswer);
    }
    match &trace.stop {
        Some(Stop::ModelFailed { is_overflow: true, .. }) => {
            found.insert(KgErrorKind::ContextExceeded);
        }
        Some(Stop::Rounds | Stop::Calls | Stop::Tokens | Stop::Deadline) => {
            found.insert(KgErrorKind::Limit);
        }
        _ => {}
    }
    found.into_iter().collect()
}

/// A finding of the plan's verifier as a trace has it.
pub(crate) fn traced(finding: &kg::plan::Finding) -> trace::Finding {
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
