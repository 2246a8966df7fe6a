//! Files of results of knowledge graphs and of families, added up; the sheet stays in the worker.

use eval::exports::score;
use eval::results::{Sheet, SheetOptions, SheetRun, sheet};
use eval::tables::Table;
use serde::{Deserialize, Serialize};
use tasks::Verdict;
use trace::Record;

/// What the page shows of a sheet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultsView {
    /// What was added up, in a sentence.
    pub lede: String,
    /// The tables.
    pub tables: Vec<Table>,
    /// Every run on a line, where runs are kept step by step.
    pub runs: Vec<ResultRow>,
}

/// A run on a line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultRow {
    /// The question.
    pub question: String,
    /// Who answered.
    pub setup: String,
    /// How good the answer was.
    pub verdict: Verdict,
    /// Why.
    pub explanation: String,
    /// Steps of its trace.
    pub n_steps: usize,
}

/// Reads files and adds them up.
pub(crate) fn read(
    files: &[(String, String)],
    options: &SheetOptions,
) -> Result<(Sheet, ResultsView), String> {
    let sheet = sheet(files, options).map_err(|e| e.to_string())?;
    let row = |run: &SheetRun| ResultRow {
        question: run.question.clone(),
        setup: run.setup.clone(),
        verdict: run.verdict,
        explanation: run.explanation.clone(),
        n_steps: run.trace.steps.len(),
    };
    let view = ResultsView {
        lede: sheet.lede.clone(),
        tables: sheet.tables.clone(),
        runs: sheet.runs.iter().map(row).collect(),
    };
    Ok((sheet, view))
}

/// A run of a sheet as a record.
pub(crate) fn record(sheet: &Sheet, place: usize) -> Result<Record, String> {
    let n = sheet.runs.len();
    let run =
        sheet.runs.get(place).ok_or_else(|| format!("there are {n} runs, none at {place}"))?;
    Ok(Record {
        id: run.id.clone(),
        input: run.question.clone(),
        score: Some(score(run.verdict, &run.explanation)),
        ..Record::of(run.trace.clone())
    })
}
