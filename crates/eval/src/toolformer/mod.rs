//! Sums of texts with calls, a line a data set, as `toolformer score --summary` writes them: what the
//! shared report adds up, without the runs. Table 4 of Graph-ToolFormer over such lines.

use serde::{Deserialize, Serialize};
use systems::toolformer::experiment::{bleu_of, id_of};
use systems::toolformer::published::{SOURCE, TABLE_4};

use crate::report::{Report, ReportOptions, RowGroup};
use crate::tables::{Line, Table};
use crate::{RunEntry, Runs};

/// The most lines that are read.
pub const MAX_LINES: usize = 10_000;
/// The most bytes of a line.
pub const MAX_LINE: usize = 100_000;

/// Scores over many texts, in percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Texts.
    pub n: usize,
    /// Mean F1 of ROUGE-1.
    pub rouge_1: f64,
    /// Mean F1 of ROUGE-2.
    pub rouge_2: f64,
    /// Mean F1 of ROUGE-L.
    pub rouge_l: f64,
    /// Mean F1 of ROUGE-LSum.
    pub rouge_lsum: f64,
    /// BLEU of the whole.
    pub bleu: f64,
    /// Its brevity penalty.
    pub brevity: f64,
    /// Texts that are the same.
    pub exact_match: f64,
    /// API-generation accuracy as the public code counts it.
    pub api_accuracy: f64,
    /// Texts with the same calls.
    pub same_calls: f64,
    /// Of the texts whose right calls can be run, those with the same answers; none where none can.
    pub same_answers: Option<f64>,
    /// The texts whose right calls can be run.
    pub n_run: usize,
}

impl Summary {
    /// The sums of the runs of one setup. Means are plain ones, where the public code has the median
    /// of resampled ones.
    pub fn of<T>(runs: &Runs<T>) -> Self {
        let report = Report::of(runs, ReportOptions::default());
        let all = report.setups.first().and_then(|(setup, _)| report.row(setup, &RowGroup::ALL));
        let Some(all) = all else { return Self::default() };
        let measured = |name: &str| all.measures.get(name).map(|mean| 100.0 * mean.value);
        let mean = |name: &str| measured(name).unwrap_or(0.0);
        let bleu = bleu_of(&all.counts).scores();
        let is_run = |run: &&RunEntry<T>| run.score.measures.contains_key("same_answers");
        Self {
            n: all.n_runs,
            rouge_1: mean("rouge_1"),
            rouge_2: mean("rouge_2"),
            rouge_l: mean("rouge_l"),
            rouge_lsum: mean("rouge_lsum"),
            bleu: 100.0 * bleu.score,
            brevity: 100.0 * bleu.brevity,
            exact_match: mean("exact"),
            api_accuracy: mean("api"),
            same_calls: mean("same_calls"),
            same_answers: measured("same_answers"),
            n_run: runs.runs.iter().filter(is_run).count(),
        }
    }
}

/// The scores of a model on a dataset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolformerLine {
    /// The dataset.
    pub dataset: String,
    /// Whose texts were scored.
    pub model: String,
    /// The scores.
    #[serde(flatten)]
    pub scores: Summary,
}

/// Why lines cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// A line is none of ours.
    #[error(
        "line {line}: the scores of a dataset were expected, as `score --summary` writes: {message}"
    )]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// There are too many.
    #[error("there are more than {MAX_LINES} lines")]
    Many,
}

/// Reads lines, one as JSON each.
///
/// # Errors
/// One of them is none, or there is too much.
pub fn read(text: &str) -> Result<Vec<ToolformerLine>, ReadError> {
    let mut lines = Vec::new();
    for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let wrong = |message: String| ReadError::Line { line: i + 1, message };
        if line.len() > MAX_LINE {
            return Err(wrong(format!("it has {} bytes; at most {MAX_LINE} are read", line.len())));
        }
        if lines.len() >= MAX_LINES {
            return Err(ReadError::Many);
        }
        lines.push(serde_json::from_str(line).map_err(|e| wrong(e.to_string()))?);
    }
    Ok(lines)
}

/// Table 4: for each dataset our rows, then the paper's.
pub fn table(lines: &[ToolformerLine]) -> Table {
    let percent = |value: f64| format!("{value:.2}");
    let ours = |line: &ToolformerLine| {
        let s = &line.scores;
        let figures =
            [s.rouge_1, s.rouge_2, s.rouge_l, s.rouge_lsum, s.bleu, s.brevity, s.api_accuracy];
        let answers = match s.same_answers {
            Some(share) => format!("{share:.2} of {}", s.n_run),
            None => "–".to_owned(),
        };
        let name = [line.dataset.clone(), line.model.clone(), s.n.to_string()];
        let more = [percent(s.exact_match), percent(s.same_calls), answers];
        Line::new([&name[..], &figures.map(percent), &more].concat())
    };
    let mut rows = Vec::new();
    for (dataset, figures) in &TABLE_4 {
        // `graph_properties` of the public files and `gpr` of the hub are one.
        let id = id_of(dataset);
        rows.extend(lines.iter().filter(|l| id_of(&l.dataset) == id).map(ours));
        let name = [id, "the paper's".to_owned(), "160".to_owned()];
        let none = ["–".to_owned(), "–".to_owned(), "–".to_owned()];
        let cells = [&name[..], &figures.map(percent), &none].concat();
        rows.push(Line { is_reference: true, ..Line::new(cells) });
    }
    let is_known = |l: &&ToolformerLine| TABLE_4.iter().any(|(d, _)| id_of(d) == id_of(&l.dataset));
    rows.extend(lines.iter().filter(|l| !is_known(l)).map(ours));
    let names = [
        "Dataset",
        "Model",
        "#Texts",
        "#ROUGE-1",
        "#ROUGE-2",
        "#ROUGE-L",
        "#ROUGE-LSum",
        "#BLEU",
        "#BP",
        "#API accuracy",
        "#Exact",
        "#Same calls",
        "#Same answers",
    ];
    Table {
        title: "Texts with calls (Table 4)".to_owned(),
        note: format!("In percent. Reference rows: {SOURCE}."),
        head: names.map(str::to_owned).to_vec(),
        rows,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use agent::Cancel;
    use futures_util::FutureExt as _;
    use llm::Model;
    use systems::experiment::{RoleModel, Source, find};
    use systems::toolformer::experiment::{ID, WRITER, case};
    use systems::toolformer::prompts::Pair;
    use systems::toolformer::write::Statement;

    use super::*;
    use crate::{Entry, JobContext, Key, RunOutcome, run};

    const ORDER: &str = "It is [GR(GL(\"gpr\", {\"bull_graph\"}), \"toolx:order\")-->r].";

    /// Runs of the experiment in which these were written where `ORDER` is right.
    fn written(said: &[&str]) -> Runs {
        let experiment = find(ID).unwrap();
        let world = experiment.world(&Source::default()).unwrap();
        let setup = experiment.setup(ID, &[RoleModel::script("said")]).unwrap();
        let (clock, cancel) = (|| 0.0, Cancel::default());
        let mut runs = Runs::default();
        let entry = Entry::Setup { hash: setup.hash(), setup: Box::new(setup.clone()) };
        runs.add(entry).unwrap();
        for (i, said) in said.iter().enumerate() {
            let (input, answer, template) = (String::new(), None, String::new());
            let pair = Pair { input, output: ORDER.into(), answer, template, dataset: "d".into() };
            let case = case(format!("d-{i}"), &pair).unwrap();
            let said: Box<dyn Model> = Box::new(Statement::of_person(*said));
            let context = JobContext {
                models: &BTreeMap::from([(WRITER.id.to_owned(), said)]),
                world: &world,
                watch: &(),
                clock: &clock,
                at_ms: &|| 0.0,
                cancel: &cancel,
                count: None,
            };
            let key = Key { setup: setup.hash(), case: case.id.clone(), sample: 0 };
            let outcome = run(key, &setup, &case, context).now_or_never().unwrap().unwrap();
            let RunOutcome::Finished(entry) = outcome else { panic!("{outcome:?}") };
            runs.add(Entry::Case(Box::new(case))).unwrap();
            runs.add(Entry::Run(entry)).unwrap();
        }
        runs
    }

    #[test]
    fn sums_are_in_percent() {
        let sums = Summary::of(&written(&[ORDER, "It is 5."]));
        assert_eq!((sums.n, sums.n_run, sums.same_answers), (2, 2, Some(50.0)));
        assert_eq!((sums.exact_match, sums.api_accuracy, sums.same_calls), (50.0, 50.0, 50.0));
        assert!(sums.rouge_1 > 50.0 && sums.rouge_1 < 100.0);
        assert!((sums.rouge_l - sums.rouge_lsum).abs() < 1e-12, "one line");
        assert!(sums.brevity < 100.0 && sums.bleu < sums.brevity);
        assert_eq!(Summary::of(&written(&[])).same_answers, None);
    }

    fn line(dataset: &str, bleu: f64) -> ToolformerLine {
        let scores =
            Summary { n: 7, bleu, same_answers: Some(50.0), n_run: 4, ..Summary::default() };
        ToolformerLine { dataset: dataset.into(), model: "m".into(), scores }
    }

    #[test]
    fn ours_stand_before_the_papers_and_unknown_ones_last() {
        let table = table(&[line("mine", 1.0), line("cora", 12.345), line("cora", 50.0)]);
        assert!(table.rows.iter().all(|r| r.cells.len() == table.head.len()));
        assert_eq!(table.rows.iter().filter(|r| r.is_reference).count(), 16);
        let cora: Vec<&str> = table
            .rows
            .iter()
            .filter(|r| r.cells[0] == "cora")
            .map(|r| r.cells[7].as_str())
            .collect();
        assert_eq!(cora, ["12.35", "50.00", "99.20"]);
        assert_eq!(table.rows.last().unwrap().cells[0], "mine");
        assert_eq!(table.rows.last().unwrap().cells[12], "50.00 of 4");
    }

    #[test]
    fn lines_survive_a_file() {
        let lines = vec![line("cora", 1.0)];
        let text = serde_json::to_string(&lines[0]).unwrap();
        assert_eq!(read(&format!("\n{text}\n")).unwrap(), lines);
        assert!(read("{\"dataset\":").unwrap_err().to_string().starts_with("line 1:"));
    }
}
