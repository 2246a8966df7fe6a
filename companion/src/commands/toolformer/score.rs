//! `graphground toolformer score`: texts against the right ones.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use eval::toolformer::ToolformerLine;
use serde::Serialize;
use systems::toolformer::Executor;
use systems::toolformer::score::{PairScore, Summary, has_same_answers};

use super::ModeName;
use super::data::Given;
use super::lines::{Text, read};
use crate::output;

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
    /// Writes the sums alone, as one JSON object that `report` reads.
    #[arg(long)]
    summary: bool,
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
    let mut executor = Executor::new(args.given.hubs()?, args.mode.mode());
    let mut all = Vec::new();
    for (reference, prediction) in args.pairs()? {
        let mut score = PairScore::of(&reference.text, &prediction.text);
        let right = executor.run(&reference.text);
        score.has_same_answers = has_same_answers(&right, &executor.run(&prediction.text));
        all.push(score);
        if args.summary {
            continue;
        }
        let bleu = score.bleu.scores();
        let line = Scored {
            line: prediction.line,
            rouge_1: score.rouge_1,
            rouge_2: score.rouge_2,
            rouge_l: score.rouge_l,
            rouge_lsum: score.rouge_lsum,
            bleu: bleu.score,
            brevity: bleu.brevity,
            exact: score.is_exact,
            api_hit: score.is_api_hit,
            same_calls: score.has_same_calls,
            same_answers: score.has_same_answers,
        };
        serde_json::to_writer(&mut out, &line)?;
        writeln!(out)?;
    }
    if args.summary {
        let (dataset, model) = (args.dataset.clone(), args.model.clone());
        let line = ToolformerLine { dataset, model, scores: Summary::of(&all) };
        serde_json::to_writer(&mut out, &line)?;
        writeln!(out)?;
    }
    Ok(ExitCode::SUCCESS)
}
