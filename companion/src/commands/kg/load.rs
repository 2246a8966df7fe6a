//! Where a knowledge graph comes from.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, anyhow, bail};
use futures_util::FutureExt as _;
use kg::find::{FindOptions, FindOver, Finder};
use kg::plan::Semantics;
use kg::stores::{STORES, StoreAddress};
use kg::{Direction, Kg, KgBuilder, formats, generators};
use systems::remote::RemoteKg;

use crate::columns::{Columns, worded};
use crate::commands::asked::key;
use crate::http::Client;
use crate::similarity::SimilarityChoice;
use crate::{input, limits, output};

/// Which graph.
#[derive(clap::Args)]
pub struct KgFiles {
    /// A folder with `nodes` and `edges` files, a file in any known format, `metro:LINES:SEED`,
    /// `town:SEED`, `tiny:SEED`, or a store: `sparql:ADDRESS`, `neo4j:ADDRESS`.
    #[arg(long)]
    pub(crate) kg: String,
    #[command(flatten)]
    reading: Reading,
}

/// How a graph is read, and how its nodes are found.
#[derive(Clone, clap::Args)]
pub(crate) struct Reading {
    /// The environment variable that holds a store's `user:password` or token.
    #[arg(long)]
    store_key_env: Option<String>,
    /// The database of a store that has several.
    #[arg(long)]
    database: Option<String>,
    /// Reads files of up to so many megabytes, unpacked.
    #[arg(long, value_name = "MB", default_value_t = limits::TEXT / 1_000_000)]
    max_mb: usize,
    /// Fails if a line cannot be read, instead of leaving it out.
    #[arg(long)]
    strict: bool,
    /// How nodes are found whose name is not the hint.
    #[arg(long, alias = "likeness", value_enum, default_value = "ngrams")]
    similarity: SimilarityChoice,
    #[command(flatten)]
    columns: Columns,
}

/// What the paper leaves open.
#[derive(clap::Args)]
pub struct Rules {
    /// Which way edges are followed where a step does not say: both, out or in.
    #[arg(long, default_value = "both")]
    direction: String,
    /// The most hops of a search by node type.
    #[arg(long, default_value_t = 3)]
    max_hops: usize,
    /// The similarity threshold of a node that is found by a hint; that of the measure if left out.
    #[arg(long)]
    theta: Option<f32>,
    /// Compares hints with the texts of attributes too, and not with names alone.
    #[arg(long)]
    over_texts: bool,
    /// Allows the paper's three actions alone.
    #[arg(long)]
    paper_only: bool,
}

impl Rules {
    pub fn semantics(&self) -> Result<Semantics> {
        let direction = match self.direction.as_str() {
            "both" => Direction::Both,
            "out" => Direction::Out,
            "in" => Direction::In,
            other => bail!("--direction is {other:?}; expected both, out or in"),
        };
        let (max_hops, extensions) = (self.max_hops, !self.paper_only);
        Ok(Semantics { direction, max_hops, extensions, ..Semantics::default() })
    }

    pub fn find(&self) -> FindOptions {
        let over = if self.over_texts { FindOver::Texts } else { FindOver::Names };
        FindOptions { theta: self.theta, over, ..FindOptions::default() }
    }
}

/// A graph in a store, and who asks it.
pub(crate) struct Stored {
    pub(crate) remote: RemoteKg,
    pub(crate) client: Client,
}

impl KgFiles {
    pub(crate) fn new(kg: String, reading: Reading) -> Self {
        Self { kg, reading }
    }

    /// The same as a command line has it, for a process that opens the same graph.
    pub(super) fn as_args(&self) -> Vec<String> {
        let mut args: Vec<String> =
            ["--kg", &self.kg, "--max-mb", &self.reading.max_mb.to_string()]
                .map(str::to_owned)
                .into();
        args.extend(self.reading.strict.then(|| "--strict".to_owned()));
        args.extend(self.reading.columns.as_args());
        args
    }

    /// The store that is named, opened; nothing if it is a graph that is here.
    pub(crate) fn stored(&self) -> Result<Option<Stored>> {
        let of =
            STORES.iter().find_map(|s| Some((s, self.kg.strip_prefix(s.id)?.strip_prefix(':')?)));
        let Some((kind, url)) = of else { return Ok(None) };
        let client = Client::new(key(self.reading.store_key_env.as_deref())?);
        let place = StoreAddress {
            url: url.to_owned(),
            database: self.reading.database.clone(),
            language: "en".to_owned(),
        };
        // The client blocks, so that every future is ready when it is looked at.
        let remote = RemoteKg::open(kind.id, place, &client)
            .now_or_never()
            .context("internal error: the store was not waited for")?
            .with_context(|| kind.title.to_owned())?;
        Ok(Some(Stored { remote, client }))
    }

    /// How nodes are found whose name is not the hint.
    pub fn similarity(&self) -> SimilarityChoice {
        self.reading.similarity
    }

    /// Opens the graph; what cannot be read goes to the standard error.
    pub fn open(&self) -> Result<Arc<Kg>> {
        if let Some(store) = STORES.iter().find(|s| self.kg.starts_with(&format!("{}:", s.id))) {
            bail!(
                "{}: the graph stays there; stats, plan and run work on it, and this needs the whole \
                 of it here",
                store.title
            );
        }
        if let Some(rest) = self.kg.strip_prefix("metro") {
            let mut numbers = rest.split(':').skip(1).map(str::parse::<u64>);
            let mut number = |usual| numbers.next().transpose().map(|n| n.unwrap_or(usual));
            let told = || format!("{:?} is no metro network; expected metro:LINES:SEED", self.kg);
            let (lines, seed) = (number(8).with_context(told)?, number(1).with_context(told)?);
            return Ok(Arc::new(generators::metro(lines.min(99) as usize, seed)?));
        }
        if let Some(seed) = self.kg.strip_prefix("tiny:") {
            let told = || format!("{:?} is no tiny graph; expected tiny:SEED", self.kg);
            return Ok(Arc::new(generators::tiny(
                seed.parse().with_context(told)?,
                generators::TinyNames::Ordinary,
            )?));
        }
        if let Some(seed) = self.kg.strip_prefix("town:") {
            let told = || format!("{:?} is no town; expected town:SEED", self.kg);
            return Ok(Arc::new(generators::town(seed.parse().with_context(told)?)?));
        }
        let path = Path::new(&self.kg);
        let files: Vec<PathBuf> = if path.is_dir() {
            let find = |stem: &str| -> Result<PathBuf> {
                let known = formats::FORMATS.iter().flat_map(|f| f.endings);
                known
                    .flat_map(|e| [format!("{stem}.{e}"), format!("{stem}.{e}.gz")])
                    .map(|name| path.join(name))
                    .find(|p| p.is_file())
                    .with_context(|| format!("{}: has no file {stem}.jsonl", path.display()))
            };
            vec![find("nodes")?, find("edges")?]
        } else {
            vec![path.to_owned()]
        };
        // Where it lies on this machine is nobody's business who reads the results.
        let title = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        let mut builder = KgBuilder::new(title);
        for file in &files {
            self.read(file, &mut builder)?;
        }
        Ok(Arc::new(builder.build()?))
    }

    fn read(&self, file: &Path, builder: &mut KgBuilder) -> Result<()> {
        let text = input::any_text(file, self.reading.max_mb.saturating_mul(1_000_000))?;
        let Some(format) = formats::sniff(&file.to_string_lossy(), &text) else {
            let known: Vec<String> =
                formats::FORMATS.iter().flat_map(|f| f.endings).map(|e| format!(".{e}")).collect();
            bail!(
                "{}: no format begins so or has this ending; known are {}",
                file.display(),
                known.join(", ")
            );
        };
        let faults = match formats::unknown_table(&file.to_string_lossy(), &text) {
            None => (format.read)(&text, builder),
            Some(error) => {
                let chosen = self.reading.columns.chosen();
                let read = match chosen.is_empty() {
                    true => Err(error),
                    false => formats::read_table(&text, &chosen, builder),
                };
                read.map_err(|e| anyhow!("{}: {}", file.display(), worded(&e)))?
            }
        };
        if let Some(why) = faults.refusal(format) {
            bail!("{}: {why}", file.display());
        }
        for fault in faults.first.iter().take(10) {
            output::complain(&format!("{}: {fault}", file.display()));
        }
        for note in &faults.notes {
            output::complain(&format!("{}: {note}", file.display()));
        }
        if faults.n > 0 {
            let words = format!("{}: {} places could not be read", file.display(), faults.n);
            if self.reading.strict {
                bail!("{words}");
            }
            output::complain(&words);
        }
        Ok(())
    }

    /// The graph with the similarity by which its nodes are found.
    pub fn finder(&self) -> Result<Finder> {
        Ok(Finder::new(self.open()?, self.reading.similarity.open(None, None)?))
    }
}

/// A line of a file of plans: an id with a plan in any form.
pub struct PlanLine {
    pub id: String,
    pub plan: std::result::Result<kg::plan::Plan, String>,
}

/// Reads plans: JSON lines with `id`, and `plan` (an object, or a text in any form) or `steps`.
pub fn plans(path: &Path) -> Result<Vec<PlanLine>> {
    let text = input::text(path, limits::TEXT)?;
    let mut plans = Vec::new();
    for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let place = || format!("{}, line {}", path.display(), i + 1);
        let value: serde_json::Value = serde_json::from_str(line)
            .with_context(|| format!("{}: expected a JSON object with `plan`", place()))?;
        let id = match &value["id"] {
            serde_json::Value::String(id) => id.clone(),
            serde_json::Value::Null => format!("plan-{}", i + 1),
            other => other.to_string(),
        };
        let text = match value.get("plan") {
            Some(serde_json::Value::String(text)) => text.clone(),
            Some(plan) => plan.to_string(),
            None => line.to_owned(),
        };
        plans.push(PlanLine { id, plan: kg::plan::read_plan(&text).map_err(|e| e.to_string()) });
    }
    Ok(plans)
}
