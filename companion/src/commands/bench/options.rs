//! What `bench` is asked for.

use std::path::PathBuf;

use agent::Choosing;
use anyhow::{Context as _, Result, bail};
use eval::prices::{Price, Prices, read_price};
use eval::{Budget, Item, Plan, Setup, Shard, problems};
use llm::Endpoint;
use systems::SYSTEMS;
use systems::grounded::retrieval;
use systems::grounded::scripted::Script;
use tasks::{Difficulty, Style, TaskId, Wording};

use crate::input;

/// Options of `bench`.
#[derive(clap::Args)]
#[command(
    after_help = "Ctrl+C, a full disk or a dead machine loses at most the runs in flight: the \
                        same command goes on. docs/benchmarks.md tells the file formats, and how to \
                        spread a benchmark over machines."
)]
pub(crate) struct Args {
    /// Files of problems: NLGraph's, or JSON lines of your own; plain or gzipped. Without any,
    /// problems are generated.
    #[arg(long, num_args = 1.., value_name = "FILE")]
    problems: Vec<PathBuf>,
    /// Tasks or groups (nlgraph, graphwiz), separated by commas; all is nlgraph, and of files
    /// every problem.
    #[arg(long, default_value = "all", value_delimiter = ',')]
    task: Vec<String>,
    /// The levels, separated by commas, or all.
    #[arg(long, default_value = "all", value_delimiter = ',')]
    difficulty: Vec<String>,
    /// Generated problems of each task and level; of files, the first so many of each.
    #[arg(long)]
    n: Option<usize>,
    /// The first seed of generated problems.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Systems, separated by commas: grounded, standalone.
    #[arg(long, default_value = "grounded", value_delimiter = ',')]
    system: Vec<String>,
    /// Models, separated by commas: names at the endpoint, or of scripts.
    #[arg(long, default_value = "script", value_delimiter = ',')]
    model: Vec<String>,
    /// The endpoint's address; without one the models are scripts.
    #[arg(long)]
    endpoint: Option<String>,
    /// The endpoint's protocol: openai, responses, anthropic, gemini or ollama.
    #[arg(long, default_value = "openai")]
    provider: String,
    /// The environment variable that holds the key.
    #[arg(long, value_name = "NAME")]
    pub(super) key_env: Option<String>,
    /// How often each problem is put.
    #[arg(long, default_value_t = 1)]
    samples: u32,
    /// Runs at once; fewer when the endpoint asks to slow down.
    #[arg(long, default_value_t = 4)]
    pub(super) concurrency: usize,
    /// The runs file; one that is there is gone on with.
    #[arg(long, default_value = "runs.jsonl")]
    pub(super) out: PathBuf,
    /// Only the runs of one part, such as 0/4; `merge` puts the files together.
    #[arg(long)]
    shard: Option<Shard>,
    /// Stops at so many tokens, what the file has already counted in.
    #[arg(long)]
    max_tokens: Option<u64>,
    /// Stops at so many dollars, as far as prices are known.
    #[arg(long)]
    max_dollars: Option<f64>,
    /// What a model costs in dollars for a million tokens read and written: NAME=READ,WRITTEN.
    #[arg(long, value_name = "NAME=READ,WRITTEN")]
    pub(super) price: Vec<String>,
    /// The sampling temperature; the endpoint's own if left out.
    #[arg(long)]
    temperature: Option<f64>,
    /// The words of questions: benchmark (NLGraph's), improved (clearer topological sort), city.
    #[arg(long, default_value = "improved")]
    wording: String,
    /// The prompting style: zero_shot, zero_cot, few_shot, cot, least_to_most, program,
    /// build_a_graph, algorithm.
    #[arg(long, default_value = "zero_shot")]
    style: String,
    /// Sends only so many tools beside those that build a graph, found by BM25.
    #[arg(long, value_name = "N")]
    tools: Option<usize>,
    /// Hands the graph over beside the question instead of in its words.
    #[arg(long)]
    attach: bool,
    /// Turns of the model at most.
    #[arg(long)]
    rounds: Option<u32>,
    /// Asks for whole answers.
    #[arg(long)]
    no_stream: bool,
    /// Says what would be done, and what it would take.
    #[arg(long)]
    pub(super) dry_run: bool,
}

/// The price list with what is told on the command line.
pub(crate) fn prices(told: &[String]) -> Result<Prices> {
    let mut prices = Prices::default();
    for text in told {
        let parts = text.split_once('=').and_then(|(m, p)| Some((m, p.split_once(',')?)));
        let (model, (input, output)) =
            parts.with_context(|| format!("--price {text:?}: write NAME=READ,WRITTEN"))?;
        let read = |p: &str| read_price(p).map_err(anyhow::Error::msg);
        let (input, output) = (read(input)?, read(output)?);
        prices.0.retain(|p| p.model != model);
        prices.0.push(Price { model: model.into(), input, output, ..Price::default() });
    }
    Ok(prices)
}

/// A variant of an enum by its name in files.
fn named<T: serde::de::DeserializeOwned>(what: &str, name: &str) -> Result<T> {
    serde_json::from_value(name.into()).with_context(|| format!("--{what} {name:?}"))
}

impl Args {
    pub(super) fn prices(&self) -> Result<Prices> {
        prices(&self.price)
    }

    pub(super) fn budget(&self) -> Budget {
        Budget { max_tokens: self.max_tokens, max_dollars: self.max_dollars }
    }

    pub(super) fn has_token_budget(&self) -> bool {
        self.max_tokens.is_some()
    }

    /// A budget that could never stop anything is refused.
    pub(super) fn check_budget(&self, plan: &Plan, prices: &Prices) -> Result<()> {
        let Some(dollars) = self.max_dollars else { return Ok(()) };
        if !dollars.is_finite() || dollars < 0.0 {
            bail!("--max-dollars is {dollars}; expected a sum from 0");
        }
        let unpriced = plan.setups.iter().map(|s| &s.model).find(|m| prices.of(m).is_none());
        match unpriced {
            Some(model) => bail!(
                "--max-dollars needs the price of {model:?}: tell it with --price {model}=READ,WRITTEN \
                 (dollars for a million tokens)"
            ),
            None => Ok(()),
        }
    }

    /// The endpoint, if one is asked.
    pub(super) fn endpoint(&self) -> Option<Endpoint> {
        let mut endpoint = Endpoint::new(self.provider.as_str(), self.endpoint.as_deref()?);
        endpoint.options.no_stream = self.no_stream;
        endpoint.options.temperature = self.temperature;
        Some(endpoint)
    }

    fn tasks(&self) -> Result<Vec<TaskId>> {
        // Files are of the tasks that they are of.
        if !self.problems.is_empty() && self.task.iter().any(|t| t == "all") {
            return Ok(TaskId::ALL.to_vec());
        }
        Ok(TaskId::listed(self.task.iter().map(String::as_str))?)
    }

    fn levels(&self) -> Result<Vec<Difficulty>> {
        if self.difficulty.iter().any(|d| d == "all") {
            return Ok(Difficulty::ALL.to_vec());
        }
        let of = |name: &String| {
            Difficulty::from_name(name).with_context(|| {
                format!("there is no level {name:?}; there are easy, medium, hard and all")
            })
        };
        let mut levels: Vec<Difficulty> = self.difficulty.iter().map(of).collect::<Result<_>>()?;
        levels.sort();
        levels.dedup();
        Ok(levels)
    }

    fn items(&self) -> Result<Vec<Item>> {
        let (tasks, levels) = (self.tasks()?, self.levels()?);
        if self.problems.is_empty() {
            let n = self.n.unwrap_or(10);
            return Ok(problems::generated(&tasks, &levels, n, self.seed)?);
        }
        let mut items = Vec::new();
        for path in &self.problems {
            let text = input::text(path, problems::MAX_BYTES)?;
            items.extend(problems::read(&path.to_string_lossy(), &text)?);
        }
        // A level that a file does not tell is passed over only if levels are asked for.
        let any_level = levels.len() == Difficulty::ALL.len();
        items.retain(|i| {
            tasks.contains(&i.task) && i.difficulty.map_or(any_level, |d| levels.contains(&d))
        });
        if let Some(n) = self.n {
            let mut counts = std::collections::BTreeMap::new();
            items.retain(|i| {
                let count: &mut usize = counts.entry((i.task, i.difficulty)).or_default();
                *count += 1;
                *count <= n
            });
        }
        Ok(items)
    }

    /// What is to be done.
    pub(super) fn plan(&self) -> Result<Plan> {
        if self.n == Some(0) || self.rounds == Some(0) || self.samples == 0 {
            bail!("--n, --rounds and --samples are at least 1");
        }
        let items = self.items()?;
        if items.is_empty() {
            bail!("no problem is of these tasks and levels");
        }
        problems::check_names(&items)?;
        let n_jobs = items.len() as u64
            * u64::from(self.samples.max(1))
            * (self.system.len() * self.model.len()) as u64;
        if n_jobs > eval::MAX_RUNS as u64 {
            bail!("that is {n_jobs} runs; a runs file has at most {}", eval::MAX_RUNS);
        }
        if self.temperature.is_some_and(|t| !t.is_finite() || t < 0.0) {
            bail!("--temperature is a number from 0");
        }
        if llm::providers::find(&self.provider).is_none() {
            let known: Vec<&str> = llm::providers::PROVIDERS.iter().map(|p| p.id).collect();
            bail!("there is no protocol {:?}; there are {}", self.provider, known.join(", "));
        }
        if let Some(address) = &self.endpoint
            && !(address.starts_with("http://") || address.starts_with("https://"))
        {
            bail!("--endpoint {address:?}: an address begins with http:// or https://");
        }
        if !(1..=1024).contains(&self.concurrency) {
            bail!("--concurrency is {}; expected 1 to 1024", self.concurrency);
        }
        let wording: Wording = named("wording", &self.wording)?;
        let style: Style = named("style", &self.style)?;
        let endpoint = self.endpoint();
        let mut setups = Vec::new();
        for system in &self.system {
            let system = systems::find(system).with_context(|| {
                let names: Vec<&str> = SYSTEMS.iter().map(|s| s.id).collect();
                format!("there is no system {system:?}; there are {}", names.join(", "))
            })?;
            for model in &self.model {
                if endpoint.is_none() && Script::by_name(model).is_none() {
                    let names: Vec<String> = Script::names().into_iter().map(|(n, _)| n).collect();
                    bail!(
                        "there is no script {model:?}; there are {}. For a model, give --endpoint",
                        names.join(", ")
                    );
                }
                let mut setup = Setup::new(system, model.as_str());
                if let Some(endpoint) = &endpoint {
                    setup = setup.at(endpoint);
                }
                (setup.wording, setup.style) = (wording, style);
                setup.attach = self.attach;
                if let Some(rounds) = self.rounds {
                    setup.limits.max_rounds = rounds;
                }
                if system.has_tools {
                    setup.choosing = self.tools.map_or(Choosing::All, retrieval::choosing);
                }
                if setups.contains(&setup) {
                    bail!("--model {model:?} with --system {:?} is there twice", system.id);
                }
                setups.push(setup);
            }
        }
        Ok(Plan { setups, items, n_samples: self.samples, shard: self.shard })
    }
}
