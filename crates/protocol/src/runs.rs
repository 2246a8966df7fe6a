//! Runs of a system with a model.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::marker::PhantomData;

use agent::Limits;
use llm::served::IN_PROGRAM;
use llm::{Endpoint, Message};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use systems::experiment::{Case, Finished, Source};
use systems::grounded::Surface;
use systems::nlgraph::ProblemByHand;
use tasks::Judgement;
use trace::Step;

use crate::Service;
use crate::exact::Exact;
use crate::run_end::RunEnd;
use crate::service::services;

/// The sets of weights of our own small model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OwnWeights {
    /// For problems that the program words, and for plans and sentences with calls.
    Problems,
    /// For questions in people's own words, with their own names.
    People,
    /// The control: trained as long as the first, on answers without tools alone.
    Alone,
}

impl OwnWeights {
    /// The file next to the page, which is also the name of the attachment to a message.
    pub const fn path(self) -> &'static str {
        match self {
            Self::Problems => "assets/models/own/own.bin",
            Self::People => "assets/models/own/people.bin",
            Self::Alone => "assets/models/own/alone.bin",
        }
    }
}

/// Which model runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ModelChoice {
    /// A script in the worker itself.
    Script {
        /// The name of the script.
        name: String,
    },
    /// A person, in the model's place.
    Person,
    /// Our own small model, in the worker itself; the page has its weights.
    Own,
    /// Our own small model as it was trained to answer without tools.
    Alone,
    /// A model at an endpoint.
    Endpoint {
        /// Where.
        endpoint: Endpoint,
        /// Its name there.
        model: String,
    },
}

impl ModelChoice {
    /// What suits it of the graph functions. Our own small model and the scripts know the paper's
    /// surface alone; a model from a file is small, and is held to calling.
    pub fn surface(&self) -> Surface {
        match self {
            Self::Endpoint { endpoint, .. } => {
                Surface { hold: endpoint.base_url == IN_PROGRAM, ..Surface::guided() }
            }
            Self::Script { .. } | Self::Person | Self::Own | Self::Alone => Surface::default(),
        }
    }

    /// Whether a script plays.
    pub fn is_script(&self) -> bool {
        matches!(self, Self::Script { .. })
    }
}

/// An experiment as a page runs it: its types, and the name of its requests.
pub trait RunKind: 'static {
    /// `run/` and the id of the experiment.
    const NAME: &'static str;
    /// `cases/` and the id of the experiment.
    const CASES: &'static str;
    /// What a person gives beside the case.
    type ByHand: Serialize + DeserializeOwned + Clone + Debug + Default + 'static;
    /// What happens beside the steps.
    type Event: Serialize + DeserializeOwned + 'static;
    /// What a run leaves beside its trace.
    type Outcome: Serialize + DeserializeOwned + 'static;
}

/// Runs a system of an experiment on a case. Every page that runs one sends this.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct StartRun<K: RunKind> {
    /// The id of the system.
    pub system: String,
    /// The case; the engine adds what is right where it can find that out.
    #[serde(with = "crate::exact")]
    pub case: Case,
    /// Who plays each role.
    #[serde(with = "crate::exact")]
    pub models: BTreeMap<String, ModelChoice>,
    /// The options of the system; those that are absent are as usual.
    #[serde(with = "crate::exact")]
    pub options: Value,
    /// How far the run may go; the experiment's own limits if absent.
    pub limits: Option<Limits>,
    /// How many runs vote; 1 is one run.
    pub votes: u32,
    /// Whether the run pauses before each round.
    pub pauses: bool,
    /// What a person gives beside the case.
    #[serde(with = "crate::exact")]
    pub by_hand: K::ByHand,
}

impl<K: RunKind> StartRun<K> {
    /// One run with the usual options.
    pub fn new(system: &str, case: Case) -> Self {
        Self {
            system: system.to_owned(),
            case,
            models: BTreeMap::new(),
            options: Value::Null,
            limits: None,
            votes: 1,
            pauses: false,
            by_hand: K::ByHand::default(),
        }
    }

    /// The same with that model in a role.
    #[must_use]
    pub fn with_model(mut self, role: &str, model: ModelChoice) -> Self {
        self.models.insert(role.to_owned(), model);
        self
    }
}

/// Lists the cases of an experiment that a source makes, with what is right.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct ListCases<K> {
    /// Where they come from.
    pub source: Source,
    #[serde(skip)]
    kind: PhantomData<K>,
}

impl<K> ListCases<K> {
    /// The cases of a source.
    pub fn new(source: Source) -> Self {
        Self { source, kind: PhantomData }
    }
}

impl<K: RunKind> Service for ListCases<K> {
    const NAME: &'static str = K::CASES;
    type Event = ();
    type Reply = Exact<Vec<Case>>;
}

/// What a run of an experiment sends beside its steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunEvent<E> {
    /// The run is paused and waits for [`Control::Resume`](crate::Control::Resume).
    Paused,
    /// A correction was refused; the words say why.
    Refused(String),
    /// Something of the experiment's own.
    Own(E),
}

/// Graph problems, as [`StartRun`] runs them.
#[derive(Clone, Debug)]
pub struct ProblemRun;

impl RunKind for ProblemRun {
    const NAME: &'static str = "run/nlgraph";
    const CASES: &'static str = "cases/nlgraph";
    type ByHand = ProblemByHand;
    type Event = ();
    /// The verdict with its certificate.
    type Outcome = Judgement;
}

/// A run that has ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct EndedRun<O: Serialize + DeserializeOwned> {
    /// The case as it was run.
    #[serde(with = "crate::exact")]
    pub case: Case,
    /// The id of the system.
    pub system: String,
    /// What was asked, in a line.
    pub title: String,
    /// Whether it is known what is right; without that the score says nothing.
    pub is_known: bool,
    /// The run. On the wire it has no step that was already sent.
    #[serde(with = "crate::exact")]
    pub run: Box<Finished<O>>,
    /// How many of its first steps were already sent.
    pub n_sent: usize,
}

impl<O: Serialize + DeserializeOwned> EndedRun<O> {
    /// The run without what its experiment alone has.
    pub fn end(&self) -> RunEnd<'_> {
        let Self { case, system, title, is_known, run, .. } = self;
        RunEnd {
            title: title.clone(),
            system,
            task: if case.group.is_empty() { &case.experiment } else { &case.group },
            trace: &run.trace,
            outcome: serde_json::to_value(&run.outcome).unwrap_or_default(),
            score: is_known.then_some(&run.score),
        }
    }
}

impl<K: RunKind> Service for StartRun<K> {
    const NAME: &'static str = K::NAME;
    const SENDS_STEPS: bool = true;
    type Event = RunEvent<K::Event>;
    type Reply = EndedRun<K::Outcome>;

    fn take_steps(reply: &mut Self::Reply, steps: Vec<Step>) {
        let n = std::mem::take(&mut reply.n_sent);
        reply.run.trace.steps.splice(0..0, steps.into_iter().take(n));
    }

    fn run_end(reply: &Self::Reply) -> Option<RunEnd<'_>> {
        Some(reply.end())
    }
}

/// Asks our own model how a turn of it comes about, token by token.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LookInside {
    /// The conversation before it.
    pub before: Vec<Message>,
    /// What it said: words, calls.
    pub said: Box<Message>,
    /// Whether the graph functions were offered.
    pub has_tools: bool,
}

/// Two nodes that a question names one behind the other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedPair {
    /// Its first token, counted from the first of the question.
    pub first: usize,
    /// The token behind its last.
    pub end: usize,
    /// Both nodes, as the question writes them.
    pub nodes: [String; 2],
}

/// A token of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SaidToken {
    /// The likeliest texts at its place with their probabilities, the likeliest first.
    pub likely: Vec<(String, f32)>,
    /// How likely the token itself was.
    pub probability: f32,
    /// How much the model looked at each token before it: the mean over all heads of all layers.
    pub looks: Vec<f32>,
}

/// How an answer came about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LookedInside {
    /// The characters that each token adds, those of the question first. Marks add none.
    pub pieces: Vec<String>,
    /// How many tokens the question has.
    pub n_question: usize,
    /// The pairs of nodes that the question names.
    pub pairs: Vec<NamedPair>,
    /// One for each token of the answer.
    pub said: Vec<SaidToken>,
}

services! {
    LookInside, "problem/look" => Exact<LookedInside>,
}
