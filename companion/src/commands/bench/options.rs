//! What `bench` is asked for.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use eval::prices::Prices;
use eval::{BenchPlan, Budget, Shard};
use llm::AskOptions;
use llm::{ApiKey, Endpoint};
use serde_json::Value;
use systems::experiment::{self, Experiment, RoleModel, Source, SystemSpec};
use systems::experiments;
use systems::kgot::experiment as kgot;
use systems::kgqa::{self, KgWorld};
use systems::nlgraph;

use super::published;
use super::reach::ReachArgs;
use super::shards::Sharing;
use super::submission::Submission;
use super::world::WorldMaker;
use crate::commands::asked::key;
use crate::commands::kg::load;
use crate::commands::toolformer::data::Given;
use crate::gguf_models;
use crate::surface::SentTools;
use crate::tool_way::ToolWay;
use crate::{input, limits, output};

/// Options of `bench`.
#[derive(clap::Args)]
#[command(
    after_help = "Ctrl+C, a full disk or a dead machine loses at most the runs in flight: the \
                        same command resumes. docs/benchmarks.md has the file formats, docs/cluster.md \
                        shows how to spread a benchmark over machines."
)]
pub(crate) struct Args {
    /// The experiment; `bench --list` lists them, with their systems, roles, scripts and options.
    #[arg(long, default_value = nlgraph::ID)]
    pub(crate) experiment: String,
    /// Lists experiments with their systems, roles, scripts, groups and options, and ends.
    #[arg(long)]
    pub(super) list: bool,
    /// Files of cases in the experiment's own form, plain or gzipped: for nlgraph, NLGraph's files
    /// or JSON lines of your own; for kgqa, JSON lines with `question` and `answers`; for kgot, GAIA's
    /// folder or its `metadata.jsonl` with its files beside it, SimpleQA's table (`.csv`, graded where
    /// `--role judge=MODEL` is named), or JSON files, one a case. Without any, cases are generated.
    #[arg(long, alias = "cases", alias = "qa", num_args = 1.., value_name = "FILE")]
    pub(crate) problems: Vec<PathBuf>,
    /// The groups of cases, such as tasks, separated by commas, or all.
    #[arg(long, alias = "group", default_value = "all", value_delimiter = ',')]
    pub(crate) task: Vec<String>,
    /// The levels, separated by commas, or all.
    #[arg(long, alias = "level", default_value = "all", value_delimiter = ',')]
    pub(crate) difficulty: Vec<String>,
    /// Generated cases of each group and level; of files, the first so many of each.
    #[arg(long)]
    pub(crate) n: Option<usize>,
    /// The first seed of generated cases.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// What the cases stand on, where it is made from a name: for kgqa `metro:LINES:SEED`
    /// or `town:SEED`.
    #[arg(long, default_value = "")]
    pub(crate) world: String,
    /// kgqa: the graph that the questions are about: a folder with `nodes` and `edges` files, or a
    /// file in any known format.
    #[arg(long)]
    pub(crate) kg: Option<String>,
    #[command(flatten)]
    pub(crate) reading: load::Reading,
    /// toolformer: data and trained models that calls ask.
    #[command(flatten)]
    pub(crate) given: Given,
    #[command(flatten)]
    reach: ReachArgs,
    /// Cases that a command makes itself.
    #[arg(skip)]
    pub(crate) texts: Vec<(String, String)>,
    /// Systems, separated by commas; the experiment's first if left out.
    #[arg(long, value_delimiter = ',')]
    pub(crate) system: Vec<String>,
    /// Models, separated by commas: names at the endpoint, or of scripts. They play the first role,
    /// and every other that has no model of its own.
    #[arg(long, default_value = "script", value_delimiter = ',')]
    pub(crate) model: Vec<String>,
    /// The model of another role: ROLE=MODEL at the same endpoint, ROLE=MODEL@ADDRESS at its own, or
    /// a script. A judge is asked only if it is named here.
    #[arg(long, value_name = "ROLE=MODEL[@ADDRESS]")]
    pub(crate) role: Vec<String>,
    /// The protocol of a role's own endpoint.
    #[arg(long, value_name = "ROLE=PROTOCOL")]
    role_provider: Vec<String>,
    /// The environment variable that holds the key of a role's own endpoint.
    #[arg(long, value_name = "ROLE=NAME")]
    pub(super) role_key_env: Vec<String>,
    /// The endpoint's address; without one the models are scripts.
    #[arg(long)]
    pub(crate) endpoint: Option<String>,
    /// The endpoint's protocol: openai, responses, anthropic, gemini or ollama.
    #[arg(long, default_value = "openai")]
    pub(crate) provider: String,
    /// The environment variable that holds the key.
    #[arg(long, value_name = "NAME")]
    pub(crate) key_env: Option<String>,
    /// How often each case is put.
    #[arg(long, default_value_t = 1)]
    samples: u32,
    /// Self-consistency: so many runs of a case are one, by the majority of their answers.
    #[arg(long, default_value_t = 1)]
    votes: u32,
    /// Runs at once; fewer when the endpoint asks to slow down.
    #[arg(long, default_value_t = 4)]
    pub(crate) concurrency: usize,
    /// The runs file; one that is there is gone on with. Or a folder (`runs/`) for several processes:
    /// each writes its own file, and takes over the runs of those that die.
    #[arg(long, default_value = "runs.jsonl")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(super) sharing: Sharing,
    #[command(flatten)]
    pub(super) submission: Submission,
    /// Shows how far the processes of a folder are, and ends: with 0 if no run is missing.
    #[arg(long, value_name = "FOLDER")]
    pub(super) status: Option<PathBuf>,
    /// Stops at this number of tokens, including those that the file already has. With --shard i/n the budget is
    /// that of all shards, and each stops at an nth of it.
    #[arg(long)]
    max_tokens: Option<u64>,
    /// Stops at this amount, as far as prices are known; divided among shards like --max-tokens.
    #[arg(long)]
    max_dollars: Option<f64>,
    /// What a model costs in dollars for a million input and output tokens: NAME=INPUT,OUTPUT.
    #[arg(long, value_name = "NAME=INPUT,OUTPUT")]
    pub(super) price: Vec<String>,
    /// Counts tokens by o200k_base where the endpoint reports none.
    #[arg(long)]
    pub(crate) count_tokens: bool,
    /// The sampling temperature; the endpoint's own if left out.
    #[arg(long)]
    temperature: Option<f64>,
    /// Sets an option of the experiment, such as max_steps=40 or find.theta=0.7. May be given several
    /// times.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// nlgraph: the words of questions: benchmark (NLGraph's), improved (clearer topological sort),
    /// city. Improved if left out.
    #[arg(long)]
    wording: Option<String>,
    /// nlgraph: the prompting style: zero_shot, zero_cot, few_shot, cot, least_to_most, program,
    /// build_a_graph, algorithm, build_a_graph_cot, build_a_graph_algorithm, step_by_step,
    /// each_detail, systematically, dots, dots_first, recitation, two_shot, four_shot, eight_shot,
    /// twelve_shot, sixteen_shot, medium_cot, hard_cot. Zero_shot if left out.
    #[arg(long)]
    style: Option<String>,
    /// nlgraph: which functions are sent: all, as in the paper; fit (those that build a graph and the
    /// five that fit the question best, with a way to look up others); or another number than five. All
    /// if left out.
    #[arg(long, value_name = "all|fit|N")]
    tools: Option<SentTools>,
    /// nlgraph: guides models by our prompt in place of the paper's, and by results in words.
    #[arg(long)]
    guide: bool,
    /// nlgraph: models have to call until a function that asks the graph has answered.
    #[arg(long)]
    hold: bool,
    /// nlgraph: hands the graph over beside the question instead of in its words.
    #[arg(long)]
    attach: bool,
    /// How models at endpoints call tools: native (the endpoint's own interface), json or react (in
    /// the text of prompt and reply), json-schema (json, and replies are held to the schema of the
    /// tools, or to the shape that a system without tools asks for). Several, separated by commas, are
    /// compared.
    #[arg(long, default_value = "native", value_delimiter = ',', value_name = "STYLE")]
    tool_style: Vec<ToolWay>,
    /// Turns of the model at most.
    #[arg(long)]
    rounds: Option<u32>,
    /// Minutes that a run may take; a model on this machine may need more than the usual five.
    #[arg(long)]
    minutes: Option<f64>,
    /// The most tokens of a reply; the endpoint's own limit if left out.
    #[arg(long, value_name = "N")]
    reply_tokens: Option<u64>,
    /// Asks for whole answers.
    #[arg(long)]
    no_stream: bool,
    /// Says what would be done, and what it would take.
    #[arg(long)]
    pub(super) dry_run: bool,
}

/// A role's model with what reaches it.
#[derive(Clone)]
pub(super) struct Player {
    pub(super) model: String,
    /// Where it is asked; absent for a script.
    pub(super) endpoint: Option<Endpoint>,
    pub(super) key: Option<ApiKey>,
}

impl Player {
    fn as_role(&self) -> RoleModel {
        match &self.endpoint {
            Some(endpoint) if endpoint.provider == gguf_models::PROVIDER => {
                let name = self.model.trim_start_matches(gguf_models::PREFIX);
                RoleModel::at(endpoint, gguf_models::told(name))
            }
            Some(endpoint) => RoleModel::at(endpoint, self.model.as_str()),
            None => RoleModel::script(self.model.as_str()),
        }
    }
}

/// What is to be done, and by whom.
pub(super) struct Work {
    pub(super) experiment: &'static dyn Experiment,
    pub(super) plan: BenchPlan,
    /// The players of each setup's roles.
    pub(super) players: Vec<BTreeMap<String, Player>>,
    pub(super) maker: WorldMaker,
}

/// `ROLE=VALUE` texts by role; the roles are ones that some system has.
fn by_role(option: &str, texts: &[String], known: &[&str]) -> Result<BTreeMap<String, String>> {
    let mut roles = BTreeMap::new();
    for text in texts {
        let (role, value) = text
            .split_once('=')
            .filter(|(_, value)| !value.is_empty())
            .with_context(|| format!("--{option} {text:?}: write ROLE=VALUE"))?;
        if !known.contains(&role) {
            bail!("--{option} {text:?}: there is no role {role:?}; there are {}", known.join(", "));
        }
        roles.insert(role.to_owned(), value.to_owned());
    }
    Ok(roles)
}

/// The options as a command line of their own.
#[derive(clap::Parser)]
struct Line {
    #[command(flatten)]
    args: Args,
}

impl Args {
    /// The options that a command line in words has: for commands that are this one under another
    /// name.
    pub(crate) fn of_words(words: &[String]) -> Result<Self> {
        let all = std::iter::once("bench".to_owned()).chain(words.iter().cloned());
        Ok(<Line as clap::Parser>::try_parse_from(all)?.args)
    }

    pub(super) fn prices(&self) -> Result<Prices> {
        crate::prices::read(&self.price)
    }

    /// The budget of this process.
    pub(super) fn budget(&self, shard: Option<Shard>) -> Budget {
        let all = Budget { max_tokens: self.max_tokens, max_dollars: self.max_dollars };
        shard.map_or(all, |shard| all.share(shard))
    }

    /// A budget that could never stop anything is refused.
    pub(super) fn check_budget(&self, plan: &BenchPlan, prices: &Prices) -> Result<()> {
        let Some(dollars) = self.max_dollars else { return Ok(()) };
        if !dollars.is_finite() || dollars < 0.0 {
            bail!("--max-dollars is {dollars}; expected a sum from 0");
        }
        let models = plan.setups.iter().flat_map(|s| s.roles.values()).map(|m| &m.model);
        let unpriced = models.into_iter().find(|m| prices.of(m).is_none());
        match unpriced {
            Some(model) => bail!(
                "--max-dollars needs the price of {model:?}: tell it with --price {model}=INPUT,OUTPUT \
                 (dollars for a million tokens)"
            ),
            None => Ok(()),
        }
    }

    /// An endpoint at an address.
    fn endpoint_at(&self, provider: &str, address: &str) -> Result<Endpoint> {
        if llm::providers::find(provider).is_none() {
            let known: Vec<&str> = llm::providers::PROVIDERS.iter().map(|p| p.id).collect();
            bail!("there is no protocol {provider:?}; there are {}", known.join(", "));
        }
        if !(address.starts_with("http://") || address.starts_with("https://")) {
            bail!("--endpoint {address:?}: an address begins with http:// or https://");
        }
        let mut endpoint = Endpoint::new(provider, address);
        endpoint.options.no_stream = self.no_stream;
        endpoint.options.temperature = self.temperature;
        endpoint.options.max_tokens = self.reply_tokens;
        Ok(endpoint)
    }

    /// How a model that runs in this program is asked; nothing for any other.
    fn local(&self, model: &str) -> Result<Option<Endpoint>> {
        let Some(name) = model.strip_prefix(gguf_models::PREFIX) else { return Ok(None) };
        // One that is not here is told before anything is run.
        gguf_models::look_for(name)?;
        let mut endpoint = gguf_models::endpoint(AskOptions::default());
        endpoint.options.temperature = self.temperature;
        endpoint.options.max_tokens = self.reply_tokens;
        Ok(Some(endpoint))
    }

    /// The variables that hold keys.
    pub(super) fn key_names(&self) -> Vec<String> {
        let of_roles = self.role_key_env.iter().filter_map(|text| Some(text.split_once('=')?.1));
        let all: BTreeSet<&str> = self.key_env.as_deref().into_iter().chain(of_roles).collect();
        all.into_iter().map(str::to_owned).collect()
    }

    /// Whether a model runs in this program.
    fn has_local(&self) -> bool {
        self.model.iter().chain(&self.role).any(|m| m.contains("local:"))
    }

    /// Whether an endpoint is asked, so that a run costs something.
    pub(super) fn asks(&self) -> bool {
        self.endpoint.is_some() || self.role.iter().any(|r| r.contains("@http"))
    }

    fn source(&self) -> Result<Source> {
        let mut files = self.texts.clone();
        for path in &self.problems {
            if self.experiment == kgot::ID {
                files.extend(published::read(path)?);
                continue;
            }
            // The folder tells nobody anything but where it lies on this machine.
            let name = path.to_string_lossy().into_owned();
            files.push((name, read(path, &self.experiment)?));
        }
        Ok(Source {
            files,
            n: self.n,
            seed: self.seed,
            groups: self.task.clone(),
            levels: self.difficulty.clone(),
            world: self.world.clone(),
        })
    }

    /// The options of a system: what there are options of the command line for, then `--set`.
    fn options(&self, experiment: &dyn Experiment, system: &SystemSpec) -> Result<Value> {
        let mut given = Value::Null;
        let mut say = |name: &str, value: Value| {
            if !given.is_object() {
                given = Value::Object(serde_json::Map::new());
            }
            given[name] = value;
        };
        let known = experiment.options(system.id);
        let others = [
            ("--wording", "wording", self.wording.is_some()),
            ("--style", "style", self.style.is_some()),
            ("--tools", "choosing", self.tools.is_some()),
            ("--guide", "guide", self.guide),
            ("--hold", "hold", self.hold),
            ("--attach", "attach", self.attach),
        ];
        let is_none = |(_, option, is): &&(&str, &str, bool)| *is && known.get(option).is_none();
        if let Some((name, option, _)) = others.iter().find(is_none) {
            bail!(
                "{name} sets the option {option:?}, which {} has not; --set sets those that it has",
                experiment.id()
            );
        }
        if let Some(wording) = &self.wording {
            say("wording", wording.as_str().into());
        }
        if let Some(style) = &self.style {
            say("style", style.as_str().into());
        }
        if self.attach {
            say("attach", true.into());
        }
        for (name, is_on) in [("guide", self.guide), ("hold", self.hold)] {
            if is_on && system.has_tools {
                say(name, true.into());
            }
        }
        if let Some(tools) = self.tools.filter(|_| system.has_tools) {
            say("choosing", serde_json::to_value(tools.choosing())?);
        }
        // An option that this system does not have may be another's; one that none has is refused.
        let mut set = Value::Null;
        for text in &self.set {
            experiment::set(&mut set, text).map_err(|e| anyhow::anyhow!("--set {e}"))?;
        }
        if let Value::Object(set) = set {
            let has = |id: &str, name: &str| experiment.options(id).get(name).is_some();
            for (name, value) in set {
                if !experiment.systems().iter().any(|s| has(s.id, &name)) {
                    let known = experiment.options(system.id);
                    let known: Vec<&String> =
                        known.as_object().into_iter().flat_map(|o| o.keys()).collect();
                    bail!("--set: there is no option {name:?}; {} has {known:?}", system.id);
                }
                if has(system.id, &name) {
                    say(&name, value);
                }
            }
        }
        experiment.read_options(system.id, &given).map_err(anyhow::Error::msg)
    }

    fn systems(&self, experiment: &dyn Experiment) -> Vec<String> {
        if self.system.is_empty() {
            return experiment.systems().first().map(|s| s.id.to_owned()).into_iter().collect();
        }
        if self.system.iter().any(|s| s == "all") {
            return experiment.systems().iter().map(|s| s.id.to_owned()).collect();
        }
        self.system.clone()
    }

    /// Who plays the roles of a system, its first role and those without a model of their own being
    /// played by `model`.
    fn players(
        &self,
        experiment: &dyn Experiment,
        system: &SystemSpec,
        model: &str,
    ) -> Result<BTreeMap<String, Player>> {
        let known: Vec<&str> =
            experiment.systems().iter().flat_map(|s| s.roles).map(|r| r.id).collect();
        let named = by_role("role", &self.role, &known)?;
        let providers = by_role("role-provider", &self.role_provider, &known)?;
        let keys = by_role("role-key-env", &self.role_key_env, &known)?;
        let mut players = BTreeMap::new();
        for (i, role) in system.roles.iter().enumerate() {
            let own = named.get(role.id);
            if own.is_none() && i > 0 && role.id == experiment::JUDGE.id {
                continue;
            }
            let (name, address) = match own.map(String::as_str) {
                None => (model, self.endpoint.as_deref()),
                Some(own) => match own.split_once("@http") {
                    Some((name, _)) => (name, own.get(name.len() + 1..)),
                    None => (own, self.endpoint.as_deref()),
                },
            };
            let provider = providers.get(role.id).map_or(self.provider.as_str(), String::as_str);
            let key_env = keys.get(role.id).or(self.key_env.as_ref());
            let endpoint = match (self.local(name)?, address) {
                (Some(local), _) => Some(local),
                (None, Some(address)) => Some(self.endpoint_at(provider, address)?),
                (None, None) => None,
            };
            if endpoint.is_none() {
                experiment.script_named(role.id, name).map_err(anyhow::Error::msg)?;
            }
            let is_asked = endpoint.as_ref().is_some_and(|e| !e.base_url.is_empty());
            let is_asked = is_asked && !self.submission.is_asked();
            let key = if is_asked { key(key_env.map(String::as_str))? } else { None };
            players.insert(role.id.to_owned(), Player { model: name.to_owned(), endpoint, key });
        }
        Ok(players)
    }

    /// What is to be done.
    pub(super) fn work(&self) -> Result<Work> {
        if self.minutes.is_some_and(|minutes| !minutes.is_finite() || minutes <= 0.0) {
            bail!("--minutes is a number above 0");
        }
        if self.n == Some(0) || self.rounds == Some(0) || self.samples == 0 || self.votes == 0 {
            bail!("--n, --rounds, --samples and --votes are at least 1");
        }
        if self.temperature.is_some_and(|t| !t.is_finite() || t < 0.0) {
            bail!("--temperature is a number from 0");
        }
        if !(1..=1024).contains(&self.concurrency) {
            bail!("--concurrency is {}; expected 1 to 1024", self.concurrency);
        }
        let experiment = experiments::find(&self.experiment).map_err(anyhow::Error::msg)?;
        let graph = match &self.kg {
            Some(kg) if experiment.id() == kgqa::experiment::ID => {
                let graph = load::KgFiles::new(kg.clone(), self.reading.clone());
                Some((graph.open()?, graph.similarity()))
            }
            Some(_) => bail!("--kg is for kgqa; {} needs no graph", experiment.id()),
            None => None,
        };
        let given = self.given.clone();
        let reach = self.reach.reach(experiment)?;
        let maker = WorldMaker { experiment, source: self.source()?, graph, given, reach };
        let world = maker.make()?;
        let cases = experiment.cases(&maker.source, &world).map_err(anyhow::Error::msg)?;
        if cases.is_empty() {
            bail!("no problem is of these tasks and levels");
        }
        let mut systems = self.systems(experiment);
        if let Some(reach) = &maker.reach {
            if self.system.iter().any(|s| s == "all") {
                systems.retain(|id| match reach.check(experiment, id) {
                    Ok(()) => true,
                    Err(why) => {
                        output::complain(&format!("left out: {why}"));
                        false
                    }
                });
            }
            systems.iter().try_for_each(|id| reach.check(experiment, id))?;
        }
        let n_jobs = cases.len() as u64
            * u64::from(self.samples)
            * (systems.len() * self.model.len() * self.tool_style.len()) as u64;
        if n_jobs > eval::MAX_RUNS as u64 {
            bail!("that is {n_jobs} runs; a runs file has at most {}", eval::MAX_RUNS);
        }
        let (mut setups, mut players) = (Vec::new(), Vec::new());
        for id in &systems {
            let system = experiment.system(id).map_err(anyhow::Error::msg)?;
            let mut options = self.options(experiment, system)?;
            // A run with another similarity measure is another run.
            if let (Some(open), Some(measure)) =
                (world.get::<KgWorld>(), options.get_mut("measure"))
            {
                *measure = Value::String(open.finder.label());
            }
            // Without tools there is one way not to call them, and scripts have one way to.
            let asks = self.asks() || self.has_local();
            let ways = match (system.has_tools, system.in_shape) {
                (true, _) if asks => self.tool_style.clone(),
                // Of a style, there counts only whether replies are held to a shape.
                (false, true) if asks => ToolWay::of_replies(&self.tool_style),
                _ => vec![ToolWay::default()],
            };
            let each = self.model.iter().flat_map(|model| ways.iter().map(move |way| (model, way)));
            for (model, way) in each {
                let mut of_roles = self.players(experiment, system, model)?;
                for endpoint in of_roles.values_mut().filter_map(|p| p.endpoint.as_mut()) {
                    way.apply(&mut endpoint.options);
                    // A model that runs here can be held to anything.
                    let provider = llm::providers::find(&endpoint.provider);
                    if let Some(why) = provider.and_then(|p| endpoint.options.fault(p)) {
                        bail!("--tool-style: {why}");
                    }
                }
                let mut setup = experiment.setup(id, &[]).map_err(anyhow::Error::msg)?;
                setup.roles =
                    of_roles.iter().map(|(role, p)| (role.clone(), p.as_role())).collect();
                setup.options = options.clone();
                setup.votes = self.votes;
                if let Some(minutes) = self.minutes {
                    setup.limits.deadline_ms = Some(minutes * 60_000.0);
                }
                if let Some(rounds) = self.rounds {
                    setup.limits.max_rounds = rounds;
                }
                let tools = maker.tools(&setup);
                setup.tools =
                    if tools.is_empty() { String::new() } else { experiment::hash_of(&tools) };
                if setups.contains(&setup) {
                    bail!("--model {model:?} with --system {id:?} is there twice");
                }
                setups.push(setup);
                players.push(of_roles);
            }
        }
        let is_graded = self.role.iter().any(|role| role.starts_with("judge="));
        if experiment.id() == kgot::ID
            && !is_graded
            && self.problems.iter().any(|p| published::is_table(p))
        {
            output::complain(
                "answers are compared word by word; SimpleQA has them graded by a model: --role \
                 judge=MODEL",
            );
        }
        let shard = self.sharing.shard(&self.out)?;
        let plan = BenchPlan { setups, cases, n_samples: self.samples, shard };
        Ok(Work { experiment, plan, players, maker })
    }
}

/// A file of cases.
fn read(path: &Path, experiment: &str) -> Result<String> {
    let limit = if experiment == nlgraph::ID { nlgraph::problems::MAX_BYTES } else { limits::TEXT };
    input::text(path, limit)
}
