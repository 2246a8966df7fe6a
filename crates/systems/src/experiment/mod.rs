//! What all experiments have in common: cases, systems, roles, runs, scores, tables.
//!
//! An [`Experiment`] is a family of cases with the systems that solve them. [`EXPERIMENTS`](crate::experiments::EXPERIMENTS) lists
//! them; benchmarks, reports and exports know nothing else of them. A new paper is a folder in this
//! crate with one `Experiment`, and a line in that list.

mod case;
mod cost;
mod options;
mod run;
mod score;
mod setup;
mod source;
mod table;
mod vote;

use agent::Limits;
use llm::{BoxFuture, Message, Model, ToolSpec};
use serde_json::Value;
use trace::{JUDGE_ROLE, Trace};

pub use case::{Body, Case};
pub use cost::{Cost, about};
pub use options::{overlay, set};
pub use run::{CaseRequest, Finished, Models, Session, World, by_hand, read_outcome};
pub use score::{COMMON_KINDS, ErrorKind, Measure, Score, common_errors, has_finding};
pub use setup::{RoleModel, Setup, hash_of};
pub use source::{ALL, Source};
pub use table::{
    Aggregate, COMPAT, Column, Counted, Label, PartSpec, Published, PublishedRow, RatioSpec, Sums,
    TableRows, TableSpec,
};
pub use vote::{count_votes, run_votes, vote, vote_step};

/// A part that a model plays in a system. Each role has its own endpoint, model and options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelRole {
    /// A stable id, as files and options have it.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it does, in a sentence.
    pub lede: &'static str,
}

/// The one role of systems that ask one model.
pub const MODEL: ModelRole =
    ModelRole { id: "model", title: "Model", lede: "Reads the question and gives the answer." };

/// The role that says whether an answer is right, where a rule cannot.
pub const JUDGE: ModelRole =
    ModelRole { id: JUDGE_ROLE, title: "Judge", lede: "Says whether an answer is right." };

/// A system of an experiment, as lists and forms show it.
#[derive(Clone, Copy, Debug)]
pub struct SystemSpec {
    /// A stable id, which files and addresses have.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// One sentence for people.
    pub lede: &'static str,
    /// The models that it asks.
    pub roles: &'static [ModelRole],
    /// Whether a model of it gets tools.
    pub has_tools: bool,
    /// Whether a model of it is asked for a reply in a shape of its own, beside tools.
    pub in_shape: bool,
}

impl SystemSpec {
    /// The role that stands first: the one that a bare model name is for.
    pub fn first_role(&self) -> ModelRole {
        self.roles.first().copied().unwrap_or(MODEL)
    }
}

/// What a system cannot do without, and not every place has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// An engine of SPARQL over graphs that grow.
    Sparql,
    /// Something that runs the Python that a model writes.
    Python,
}

/// A script that plays a role, so that an experiment runs without a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptName {
    /// Its name in files and options.
    pub name: String,
    /// Its name for people.
    pub label: String,
}

/// A family of cases with the systems that solve them.
///
/// An implementation keeps its own types; cases, options and outcomes cross this border as JSON, so
/// that files of runs, queues and reports are the same for all. Methods that read JSON say what is
/// wrong with it.
pub trait Experiment: Send + Sync {
    /// A stable id, as `bench --experiment` has it.
    fn id(&self) -> &'static str;

    /// Its name for people.
    fn title(&self) -> &'static str;

    /// What it measures, in a sentence.
    fn lede(&self) -> &'static str;

    /// The systems, the one that the paper proposes first.
    fn systems(&self) -> &'static [SystemSpec];

    /// What a system cannot do without, and not every place has.
    fn needs(&self, _system: &str) -> Option<Need> {
        None
    }

    /// The scripts that can play a role, the careful one first.
    fn scripts(&self, role: &str) -> Vec<ScriptName>;

    /// The script of that name.
    fn script(&self, role: &str, name: &str) -> Option<Box<dyn Model>>;

    /// The usual options of a system: a JSON object with every field. What is not as in here stands
    /// in the names of setups.
    fn options(&self, system: &str) -> Value;

    /// Reads options; fields that are absent are as usual.
    ///
    /// # Errors
    /// A field that there is not, or a value that does not fit.
    fn read_options(&self, system: &str, options: &Value) -> Result<Value, String>;

    /// The usual options where a system lacks something, so that it runs without it.
    fn options_lacking(&self, system: &str, _lacking: &[Need]) -> Value {
        self.options(system)
    }

    /// The values that an option takes, each with its name for people; empty where it takes any value
    /// of its kind.
    fn choices(&self, _option: &str) -> Vec<(Value, String)> {
        Vec::new()
    }

    /// Whether our own small model was trained on what its cases ask.
    fn suits_own_model(&self) -> bool {
        false
    }

    /// The usual limits of a run.
    fn limits(&self) -> Limits {
        Limits::default()
    }

    /// The version of the rules by which runs are scored. It is part of a setup: under other rules
    /// a run is another run.
    fn scorer(&self) -> u32;

    /// What is measured of a run beside its verdict.
    fn measures(&self) -> &'static [Measure];

    /// The kinds of errors that a run may have, in the order of the tables.
    fn error_kinds(&self) -> &'static [ErrorKind];

    /// The ids of measures that are classes of failures: each run that is not right is of one of
    /// them, by rules, and readers can sort it otherwise.
    fn failure_classes(&self) -> &'static [&'static str] {
        &[]
    }

    /// The tables of its papers, drawn over runs of ours.
    fn tables(&self) -> &'static [TableSpec] {
        &[]
    }

    /// The tables that tell how many times as much one system takes as another.
    fn ratios(&self) -> &'static [RatioSpec] {
        &[]
    }

    /// What a paper reports for a group of cases, for the table of correct answers.
    fn published(&self, _group: &str, _level: &str, _setups: &[&Setup]) -> Option<Published> {
        None
    }

    /// Makes what cases stand on from a name or from files; nothing where a case has all it needs.
    ///
    /// # Errors
    /// There is nothing of that name, or a file cannot be read.
    fn world(&self, _source: &Source) -> Result<World, String> {
        Ok(World::default())
    }

    /// Generates cases, or reads those of files. Names are unique.
    ///
    /// # Errors
    /// What is wrong, in which file and line, and what would be right.
    fn cases(&self, source: &Source, world: &World) -> Result<Vec<Case>, String>;

    /// The groups of its cases, in the order of its tables. Others come after these.
    fn groups(&self) -> Vec<String> {
        Vec::new()
    }

    /// The definitions of the tools that a system's models get, where they are the same in every
    /// case: they stand once in a file of runs.
    fn tools(&self, _setup: &Setup) -> Vec<ToolSpec> {
        Vec::new()
    }

    /// What a run of a setup on a case begins with, if that is known before the run. A file of runs
    /// leaves it out of the trace.
    fn opening(&self, _setup: &Setup, _case: &Case) -> Vec<Message> {
        Vec::new()
    }

    /// The system prompt of a setup; empty where it has none that is always the same.
    fn instruction(&self, _setup: &Setup) -> String {
        String::new()
    }

    /// How many solved examples stand before the question of a group.
    fn n_shots(&self, _setup: &Setup, _group: &str) -> u64 {
        0
    }

    /// The benchmark that a group of cases is of, where an experiment has several: totals are over
    /// one of them alone.
    fn suite(&self, _group: &str) -> &'static str {
        self.id()
    }

    /// The levels of its cases that can be chosen, from easy to hard.
    fn levels(&self) -> Vec<String> {
        Vec::new()
    }

    /// The name of what cases stand on if nothing else is said; empty where that is nothing.
    fn usual_world(&self) -> &'static str {
        ""
    }

    /// The words that are put to a system.
    fn question(&self, setup: &Setup, case: &Case) -> String;

    /// The graph that a case has of its own, for its drawing.
    fn graph(&self, _case: &Case) -> Option<graph::Graph> {
        None
    }

    /// What an answer points to in that graph.
    fn marks(&self, _case: &Case, _answer: &str) -> Option<tasks::EvidenceMarks> {
        None
    }

    /// The right answer in words; empty where there is none in words.
    fn gold(&self, case: &Case) -> String;

    /// Whether it is known what is right: of a question that a person typed it may not be.
    fn is_known(&self, _case: &Case) -> bool {
        true
    }

    /// Takes out of a trace what its setup and its case say already.
    fn pack(&self, setup: &Setup, case: &Case, trace: &mut Trace) {
        let opening = self.opening(setup, case);
        if !opening.is_empty() && trace.prompt == opening {
            trace.prompt.clear();
        }
        if !setup.tools.is_empty() {
            trace.tools.clear();
        }
    }

    /// Puts back what [`Experiment::pack`] took out.
    fn unpack(&self, setup: &Setup, case: &Case, tools: &[ToolSpec], trace: &mut Trace) {
        if trace.prompt.is_empty() {
            trace.prompt = self.opening(setup, case);
        }
        if trace.tools.is_empty() && !setup.tools.is_empty() {
            trace.tools = tools.to_vec();
        }
    }

    /// Runs a system on a case. A model that errs, a limit and a wish to stop give a run too.
    ///
    /// # Errors
    /// The case or the options are none of this experiment, or the world that it needs is not there.
    fn run<'a>(&'a self, request: CaseRequest<'a>) -> BoxFuture<'a, Result<Finished, String>>;

    /// Scores a run from what it left behind, without a model: "check again" compares this with
    /// what a file says.
    ///
    /// # Errors
    /// As for [`Experiment::run`].
    fn score(
        &self,
        world: &World,
        setup: &Setup,
        case: &Case,
        trace: &Trace,
        outcome: &Value,
    ) -> Result<Score, String>;

    /// Computes every tool call of a run again, and names the steps whose results differ. `None`
    /// where that cannot be done without what the run stood on.
    fn replay(&self, _world: &World, _setup: &Setup, _trace: &Trace) -> Option<Vec<usize>> {
        None
    }
}

impl dyn Experiment + '_ {
    /// The system of that id.
    ///
    /// # Errors
    /// There is none; the message lists those that there are.
    pub fn system(&self, id: &str) -> Result<&'static SystemSpec, String> {
        self.systems().iter().find(|s| s.id == id).ok_or_else(|| {
            let known: Vec<&str> = self.systems().iter().map(|s| s.id).collect();
            format!("there is no system {id:?} in {}; there are {}", self.id(), known.join(", "))
        })
    }

    /// The script of that name for a role.
    ///
    /// # Errors
    /// There is none; the message lists those that there are.
    pub fn script_named(&self, role: &str, name: &str) -> Result<Box<dyn Model>, String> {
        self.script(role, name).ok_or_else(|| {
            let known: Vec<String> = self.scripts(role).into_iter().map(|s| s.name).collect();
            let known = known.join(", ");
            format!("there is no script {name:?}; there are {known}. A model needs an endpoint")
        })
    }

    /// A setup with the usual options and limits, and with models for its roles. The first of the
    /// models is for the first role; a role without one of its own takes the first.
    ///
    /// # Errors
    /// There is no such system.
    pub fn setup(&self, system: &str, models: &[RoleModel]) -> Result<Setup, String> {
        let spec = self.system(system)?;
        let mut roles = std::collections::BTreeMap::new();
        for (i, role) in spec.roles.iter().enumerate() {
            let model = models.get(i).or_else(|| models.first());
            if let Some(model) = model.filter(|_| role.id != JUDGE.id || i < models.len()) {
                roles.insert(role.id.to_owned(), model.clone());
            }
        }
        let mut setup = Setup {
            experiment: self.id().to_owned(),
            system: spec.id.to_owned(),
            roles,
            options: self.options(spec.id),
            limits: self.limits(),
            votes: 1,
            tools: String::new(),
            scorer: self.scorer(),
        };
        setup.tools = self.tools_hash(&setup);
        Ok(setup)
    }

    /// What a source makes: cases with what they stand on.
    ///
    /// # Errors
    /// As for [`Experiment::world`] and [`Experiment::cases`]; or there is no case.
    pub fn load(&self, source: &Source) -> Result<(Vec<Case>, World), String> {
        let world = self.world(source)?;
        let cases = self.cases(source, &world)?;
        if cases.is_empty() {
            return Err("no case is of these groups and levels".into());
        }
        Ok((cases, world))
    }

    /// The hash of the definitions of a setup's tools; empty where there are none.
    pub fn tools_hash(&self, setup: &Setup) -> String {
        let tools = self.tools(setup);
        if tools.is_empty() { String::new() } else { hash_of(&tools) }
    }
}
