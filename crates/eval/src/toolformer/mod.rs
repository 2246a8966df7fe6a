//! Reports on texts with calls: table 4 of Graph-ToolFormer over scores of ours, with the paper's own
//! figures as reference rows.

use serde::{Deserialize, Serialize};
use systems::toolformer::score::Summary;

use crate::tables::{Line, Table};
use systems::toolformer::published::{SOURCE, TABLE_4};

/// The most lines that are read.
pub const MAX_LINES: usize = 10_000;
/// The most bytes of a line.
pub const MAX_LINE: usize = 100_000;

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
        /// Which, from 1.
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
        rows.extend(lines.iter().filter(|l| l.dataset == *dataset).map(ours));
        let name = [(*dataset).to_owned(), "the paper's".to_owned(), "160".to_owned()];
        let none = ["–".to_owned(), "–".to_owned(), "–".to_owned()];
        let cells = [&name[..], &figures.map(percent), &none].concat();
        rows.push(Line { is_reference: true, ..Line::new(cells) });
    }
    let is_known = |l: &&ToolformerLine| TABLE_4.iter().any(|(d, _)| *d == l.dataset);
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
    use super::*;

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
