//! `graphground train`: makes the models that calls can ask. `docs/models.md` says what each is.

mod lm;

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use systems::toolformer::data::Data;
use systems::toolformer::pack::{self, Card};
use systems::toolformer::wordnet;

use crate::train::{
    Ended, Experiment, Made, Options, card, curves, experiment, labels, numbers_of, run as learn,
};
use companion::{input, limits, output};

/// Options of `train`.
#[derive(clap::Args)]
#[command(
    after_help = "Ctrl+C, a full disk or a dead machine lose at most what came after the last \
                  checkpoint: the same command with --resume goes on, and the model is the same byte \
                  for byte."
)]
pub(crate) struct Args {
    /// graph_bert (topics of papers), seg_bert (classes of molecules), bpr (what people like), transe
    /// (missing facts) or lm (our own language model, which makes its texts itself).
    pub(super) model: String,
    /// A data set by its name, or a file of `data pack`; lm needs none.
    #[arg(long)]
    data: Option<String>,
    /// For lm: the tasks, with a comma between two.
    #[arg(long, value_delimiter = ',', default_value = "all")]
    pub(super) tasks: Vec<String>,
    /// For lm: files of NLGraph, or of Graph-ToolFormer's statements, whose questions must not come in
    /// any text.
    #[arg(long, value_name = "FILE")]
    pub(super) hold_out: Vec<PathBuf>,
    /// For lm: begins with the weights of this file, such as assets/models/own/own.bin; --set layers
    /// may ask for more layers than it has
    #[arg(long, value_name = "FILE")]
    pub(super) begin_with: Option<PathBuf>,
    /// For lm: draws the learning curve of such a table as `curve.svg`, and trains nothing.
    #[arg(long, value_name = "FILE")]
    pub(super) draw: Option<PathBuf>,
    /// The classes of graphs or nodes, for data that have none: lines `name<TAB>class`, or the paper's
    /// prompts about them.
    #[arg(long, value_name = "FILE")]
    labels: Option<PathBuf>,
    /// Where the model goes, with its card, its figures and its learning curves.
    #[arg(long, default_value = ".")]
    pub(super) out: PathBuf,
    /// The first seed.
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// Trainings with seeds from there on; the model is the first one's, the figures are all's.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=100))]
    seeds: u64,
    /// The most epochs of a training.
    #[arg(long)]
    epochs: Option<usize>,
    /// A number of the training, as in lr=0.01; a wrong name lists all.
    #[arg(long = "set", value_name = "NAME=NUMBER")]
    pub(super) set: Vec<String>,
    /// Goes on where a training was stopped.
    #[arg(long)]
    pub(super) resume: bool,
    /// Stops after so many epochs, to be gone on with later.
    #[arg(long, value_name = "EPOCHS")]
    pub(super) stop_after: Option<usize>,
    /// Seconds between two checkpoints.
    #[arg(long, default_value_t = 30)]
    pub(super) checkpoint_seconds: u64,
    /// Epochs between two checkpoints, beside the seconds.
    #[arg(long, default_value_t = 0)]
    checkpoint_epochs: usize,
    /// Writes the training, validation and test sets as files into this folder, and trains nothing.
    #[arg(long, value_name = "DIR")]
    export_split: Option<PathBuf>,
    /// The cache of data sets; else `GRAPHGROUND_CACHE`, else a folder of the person's own cache.
    #[arg(long)]
    cache: Option<PathBuf>,
}

/// A data set to learn from.
struct Learned {
    name: String,
    data: Data,
    card: Card,
}

fn given(args: &Args) -> Result<&str> {
    args.data
        .as_deref()
        .context("--data is missing: give a data set by its name, or a file of `data pack`")
}

fn data(args: &Args) -> Result<Learned> {
    let given = given(args)?;
    let path = Path::new(given);
    if !path.is_file() {
        let (name, _, data, card) = super::data::named(given, args.cache.as_deref(), true)?;
        return Ok(Learned { name: name.to_owned(), data, card });
    }
    let text = input::text(path, limits::PACK)?;
    // The part of WordNet that lies beside the page is no pack, and a model for it may be wanted.
    if !text.starts_with('{') || text.lines().next().is_some_and(|l| l.contains(pack::FORMAT)) {
        let (head, data) = pack::read(&text).with_context(|| given.to_owned())?;
        return Ok(Learned { name: head.name, data, card: head.card });
    }
    let data = wordnet::shipped(&text).with_context(|| given.to_owned())?;
    let card = Card {
        source: "WordNet 3.0's most used nouns, as they lie beside the page".to_owned(),
        licence: "WordNet's own: free use with its notice".to_owned(),
        ..Card::default()
    };
    Ok(Learned { name: "wordnet".to_owned(), data, card })
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let model = args.model.trim().to_lowercase().replace('-', "_");
    if model == "lm" {
        return lm::run(args);
    }
    let mut learned = data(args)?;
    if let Some(path) = &args.labels {
        let text = input::text(path, limits::PACK)?;
        let classes = labels::read(&text).with_context(|| path.display().to_string())?;
        let (data, n) = labels::put(learned.data, &classes)?;
        learned.data = data;
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        learned.card.notes.push(format!("the classes of {n} are out of the file {file}"));
    }
    let name = &learned.name;
    // A training whose steps shrink has to know how many epochs there are.
    let given: Vec<String> =
        args.set.iter().cloned().chain(args.epochs.map(|n| format!("epochs={n}"))).collect();
    let settings = numbers_of(&model, name, &given)?;
    let experiment = experiment(&model, name, &learned.data, &settings)?;
    if let Some(folder) = &args.export_split {
        return export(experiment.as_ref(), folder);
    }
    let epochs = settings.count("epochs");
    if epochs == 0 {
        bail!("--epochs 0: nothing would be learned; give 1 or more");
    }
    let Some(last) = args.seed.checked_add(args.seeds - 1) else {
        bail!("--seed {}: {} seeds do not follow on it", args.seed, args.seeds);
    };
    std::fs::create_dir_all(&args.out)
        .with_context(|| format!("{}: cannot be made", args.out.display()))?;
    let stem = stem(&model, name);
    let place = |ending: &str| args.out.join(format!("{stem}.{ending}"));
    let set = settings.all();
    let options = Options {
        seeds: (args.seed..=last).collect(),
        epochs,
        patience: settings.count("patience"),
        every: settings.count("every"),
        window: settings.count("window"),
        checkpoint: place("checkpoint"),
        checkpoint_time: Duration::from_secs(args.checkpoint_seconds),
        checkpoint_epochs: args.checkpoint_epochs,
        resumes: args.resume,
        stop_after: args.stop_after,
        dataset: name.clone(),
        of: json!({ "model": model, "data": name, "profile": format!("{:?}", learned.data.profile()),
                    "seed": args.seed, "seeds": args.seeds, "settings": set }),
    };
    let outcome = match learn(experiment.as_ref(), &options)? {
        Ended::Whole(outcome) => outcome,
        Ended::Stopped => {
            output::complain(&format!(
                "stopped; the same command with --resume goes on ({})",
                options.checkpoint.display()
            ));
            return Ok(ExitCode::SUCCESS);
        }
    };
    let bytes = experiment.file(&outcome.weights)?;
    let sha256 = hex(&Sha256::digest(&bytes));
    let command = command(args, &model);
    let made = Made {
        model: &model,
        dataset: name,
        source: &learned.card,
        metric: experiment.metric(),
        n_parts: experiment.n_parts(),
        facts: experiment.facts(),
        headline: experiment.headline(),
        // The file is the first part's.
        held_out: experiment.held_out(0),
        settings: set,
        command: &command,
        n_bytes: bytes.len(),
        sha256: &sha256,
        outcome: &outcome,
    };
    output::write(&place("safetensors"), &bytes)?;
    output::write(&place("md"), card(&made).as_bytes())?;
    let summary = serde_json::to_string_pretty(&made.summary())? + "\n";
    output::write(&place("json"), summary.as_bytes())?;
    if let Some(first) = outcome.trained.first() {
        let title = format!("{model} of {name}, seed {}", first.seed);
        let drawing = curves(&title, experiment.metric(), &first.history, &first.window);
        output::write(&place("svg"), drawing.as_bytes())?;
    }
    if options.checkpoint.exists() {
        std::fs::remove_file(&options.checkpoint)
            .with_context(|| options.checkpoint.display().to_string())?;
    }
    let mut out = output::stdout();
    write!(out, "{}", card(&made))?;
    writeln!(out, "\n{}", place("safetensors").display())?;
    Ok(ExitCode::SUCCESS)
}

fn export(experiment: &dyn Experiment, folder: &Path) -> Result<ExitCode> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("{}: cannot be made", folder.display()))?;
    let mut out = output::stdout();
    for (name, text) in experiment.split() {
        output::write(&folder.join(name), text.as_bytes())?;
        writeln!(out, "{name}: {} lines", text.lines().count())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A name for files, whatever a pack calls itself.
fn stem(model: &str, dataset: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let dataset: String = dataset.chars().take(60).map(plain).collect();
    format!("{model}-{dataset}")
}

/// The command that makes the same model again, without the places of files.
fn command(args: &Args, model: &str) -> String {
    let name = Path::new(args.data.as_deref().unwrap_or_default())
        .file_name()
        .unwrap_or_default()
        .to_string_lossy();
    let mut text = format!("graphground train {model} --data {name} --seed {}", args.seed);
    // A `String` takes whatever is written.
    let _ = match args.seeds {
        1 => Ok(()),
        n => write!(text, " --seeds {n}"),
    };
    if let Some(n) = args.epochs {
        let _ = write!(text, " --epochs {n}");
    }
    if let Some(path) = &args.labels {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let _ = write!(text, " --labels {name}");
    }
    args.set.iter().for_each(|pair| {
        let _ = write!(text, " --set {pair}");
    });
    text
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
