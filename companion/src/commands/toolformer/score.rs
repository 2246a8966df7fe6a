//! `graphground toolformer score`: texts against the right ones. What was written is run and scored as
//! `bench --experiment toolformer` does with what a model writes.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use serde::Serialize;
use systems::toolformer::experiment::{Options, bleu_of};
use systems::toolformer::prompts::Pair;

use super::ModeName;
use super::data::Given;
use super::lines::{Text, read};
use crate::output;
use crate::scoring::{Scoring, Summary};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The right texts: JSON lines, or lines `Input: … Output: …`, plain or gzipped.
    #[arg(long)]
    references: PathBuf,
    /// What a model wrote, in the same order; without it the predictions are a field of the lines
    /// with the right texts.
    #[arg(long)]
    predictions: Option<PathBuf>,
    #[command(flatten)]
    given: Given,
    /// The field that has the right text.
    #[arg(long, default_value = "output")]
    reference_field: String,
    /// The field that has what a model wrote.
    #[arg(long, default_value = "prediction")]
    prediction_field: String,
    /// The dataset's name, for the report.
    #[arg(long, default_value = "")]
    dataset: String,
    /// The model's name, for the report.
    #[arg(long, default_value = "")]
    model: String,
    /// As the paper says, or as its public code does; for the answers.
    #[arg(long, value_enum, default_value_t = ModeName::Ours)]
    mode: ModeName,
    /// Writes the sums alone, in percent, as one JSON object.
    #[arg(long)]
    summary: bool,
    /// Keeps the scores in a new runs file, which `graphground report` adds up: tables 4 and 6 of the
    /// paper, with its own figures beside ours.
    #[arg(long)]
    out: Option<PathBuf>,
}

/// A line of the output.
#[derive(Serialize)]
struct Scored {
    line: usize,
    rouge_1: f64,
    rouge_2: f64,
    rouge_l: f64,
    rouge_lsum: f64,
    bleu: f64,
    brevity: f64,
    exact: bool,
    api_hit: bool,
    same_calls: bool,
    same_answers: Option<bool>,
}

/// The output with `--summary`.
#[derive(Serialize)]
struct Sums<'a> {
    dataset: &'a str,
    model: &'a str,
    #[serde(flatten)]
    scores: Summary,
}

impl Args {
    fn pairs(&self) -> anyhow::Result<Vec<(Text, Text)>> {
        let references = read(&self.references, &self.reference_field)?;
        let from = self.predictions.as_ref().unwrap_or(&self.references);
        let predictions = read(from, &self.prediction_field)?;
        let (n, m) = (references.len(), predictions.len());
        if n != m {
            bail!(
                "there are {n} right texts and {m} predictions; line by line they belong together"
            );
        }
        Ok(references.into_iter().zip(predictions).collect())
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut out = output::stdout();
    let model = if args.model.is_empty() { "predictions" } else { &args.model };
    let options = Options { mode: args.mode.mode(), ..Options::default() };
    let mut scoring = Scoring::new(args.given.hubs()?, model, options, args.out.as_deref())?;
    for (reference, prediction) in args.pairs()? {
        let Text { line, input, text: output, answer } = reference;
        if output.is_empty() {
            bail!("{}, line {line}: the right text is empty", args.references.display());
        }
        let dataset = args.dataset.clone();
        let pair = Pair { input, output, answer, template: String::new(), dataset };
        let id = format!("{}-{line}", args.dataset);
        let run = scoring.score(id, &pair, prediction.text)?;
        if args.summary {
            continue;
        }
        let of = |name: &str| run.score.measures.get(name).copied();
        let (measure, is) =
            (|name: &str| of(name).unwrap_or(0.0), |name: &str| of(name) == Some(1.0));
        let bleu = bleu_of(&run.score.counts).scores();
        let line = Scored {
            line: prediction.line,
            rouge_1: measure("rouge_1"),
            rouge_2: measure("rouge_2"),
            rouge_l: measure("rouge_l"),
            rouge_lsum: measure("rouge_lsum"),
            bleu: bleu.score,
            brevity: bleu.brevity,
            exact: is("exact"),
            api_hit: is("api"),
            same_calls: is("same_calls"),
            same_answers: of("same_answers").map(|share| share == 1.0),
        };
        serde_json::to_writer(&mut out, &line)?;
        writeln!(out)?;
    }
    let scores = scoring.finish()?;
    if args.summary {
        let line = Sums { dataset: &args.dataset, model: &args.model, scores };
        serde_json::to_writer(&mut out, &line)?;
        writeln!(out)?;
    }
    Ok(ExitCode::SUCCESS)
}
