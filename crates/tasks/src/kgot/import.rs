//! Tasks that others published: GAIA's `metadata.jsonl` with its files, and SimpleQA's table.
//!
//! Neither is shipped: GAIA must not be passed on in a form that crawlers read.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{CaseFile, FileBytes, KgotCase, KgotJudge};

/// The most faults that are told.
const MAX_FAULTS: usize = 1_000;
/// The longest question or answer, in bytes.
const MAX_TEXT: usize = 100_000;

/// A case of a published benchmark.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportedCase {
    /// Its id there; the line where it has none.
    pub id: String,
    /// The task with its answer and its files.
    pub case: KgotCase,
}

/// A line that gave no case.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ImportFault {
    /// Counted from 1; where a row takes several lines, the first.
    pub line: u64,
    /// What was wrong, and what would be right.
    pub message: String,
}

/// What was read of a published benchmark.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportedCases {
    /// The cases, in the order of the file.
    pub cases: Vec<ImportedCase>,
    /// The lines that gave none, up to a thousand.
    pub faults: Vec<ImportFault>,
}

impl ImportedCases {
    fn fault(&mut self, line: u64, message: impl Into<String>) {
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(ImportFault { line, message: message.into() });
        }
    }

    fn add(&mut self, line: u64, seen: &mut BTreeSet<String>, id: String, case: KgotCase) {
        let id = if id.is_empty() { format!("line-{line}") } else { id };
        if !seen.insert(id.clone()) {
            return self.fault(line, format!("the id {id:?} came before; ids must differ"));
        }
        self.cases.push(ImportedCase { id, case });
    }

    /// All cases, or what is wrong with the lines that gave none.
    ///
    /// # Errors
    /// There are such lines, or nothing at all; the first few are told.
    pub fn whole(self) -> Result<Vec<ImportedCase>, String> {
        if self.faults.is_empty() && !self.cases.is_empty() {
            return Ok(self.cases);
        }
        if self.faults.is_empty() {
            return Err("there is no case in it".into());
        }
        let first: Vec<String> = self.faults.iter().take(3).map(ToString::to_string).collect();
        let more = self.faults.len() - first.len();
        let more = if more > 0 { format!("; and {more} more") } else { String::new() };
        Err(format!("{}{more}", first.join("; ")))
    }
}

/// Reads GAIA's `metadata.jsonl`: an object a line with `task_id`, `Question`, `Level`,
/// `Final answer` and `file_name`. The files of its folder are given by their names; a case whose
/// file is not among them is a fault, because nobody could solve it.
///
/// Time and memory grow with the text and the files; a file that several cases name is copied.
pub fn read_gaia(metadata: &str, files: &[(String, Vec<u8>)]) -> ImportedCases {
    let by_name: BTreeMap<&str, &Vec<u8>> = files
        .iter()
        .map(|(name, bytes)| (name.rsplit(['/', '\\']).next().unwrap_or(name), bytes))
        .collect();
    let mut read = ImportedCases::default();
    let mut seen = BTreeSet::new();
    for (line, text) in (1..).zip(metadata.trim_start_matches('\u{feff}').lines()) {
        if text.trim().is_empty() {
            continue;
        }
        if read.faults.len() == MAX_FAULTS {
            break;
        }
        match gaia_case(text, &by_name) {
            Ok((id, case)) => read.add(line, &mut seen, id, case),
            Err(why) => read.fault(line, why),
        }
    }
    read
}

fn gaia_case(text: &str, files: &BTreeMap<&str, &Vec<u8>>) -> Result<(String, KgotCase), String> {
    let task: Value =
        serde_json::from_str(text).map_err(|e| format!("expected a JSON object: {e}"))?;
    // A number where a text is expected is that number.
    let field = |name: &str| match &task[name] {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    };
    let (question, answer) = (field("Question"), field("Final answer"));
    if question.is_empty() {
        return Err("there is no \"Question\"; expected a line of GAIA's metadata.jsonl".into());
    }
    if answer.is_empty() || answer == "?" {
        return Err("there is no \"Final answer\"; GAIA's test split has none: take the \
                    validation split"
            .into());
    }
    if question.len() > MAX_TEXT || answer.len() > MAX_TEXT {
        return Err(format!("the question or the answer has more than {MAX_TEXT} bytes"));
    }
    let name = field("file_name");
    let mut attached = Vec::new();
    if !name.is_empty() {
        let bytes = files
            .get(name.as_str())
            .ok_or_else(|| format!("the file {name:?} is not there; give GAIA's folder with it"))?;
        attached.push(CaseFile { name, bytes: FileBytes((*bytes).clone()) });
    }
    let level = field("Level");
    let level = if level.is_empty() { level } else { format!("level {level}") };
    Ok((field("task_id"), KgotCase { question, answer, level, attached, ..KgotCase::default() }))
}

/// Reads SimpleQA's table: the columns `problem` and `answer`, and `metadata`, of which the topic
/// becomes the level. Its answers are graded by a model.
pub fn read_simple_qa(table: &str) -> ImportedCases {
    let mut read = ImportedCases::default();
    let text = table.trim_start_matches('\u{feff}');
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let columns = match reader.headers() {
        Ok(columns) => columns.clone(),
        Err(error) => {
            read.fault(1, error.to_string());
            return read;
        }
    };
    let place = |name: &str| columns.iter().position(|c| c.trim().eq_ignore_ascii_case(name));
    let (Some(problem), Some(answer)) = (place("problem"), place("answer")) else {
        let found: Vec<&str> = columns.iter().take(10).collect();
        let found = found.join(", ").chars().take(200).collect::<String>();
        read.fault(1, format!("expected the columns metadata, problem, answer; there are {found}"));
        return read;
    };
    let (metadata, id) = (place("metadata"), place("id"));
    let mut seen = BTreeSet::new();
    let mut lines = Lines { text: text.as_bytes(), at: 0, line: 1 };
    for row in reader.records() {
        if read.faults.len() == MAX_FAULTS {
            break;
        }
        let row = match row {
            Ok(row) => row,
            Err(error) => {
                let line = lines.at(error.position());
                read.fault(line, error.to_string());
                continue;
            }
        };
        let line = lines.at(row.position());
        let cell = |at: Option<usize>| at.and_then(|at| row.get(at)).unwrap_or_default().trim();
        let (question, answer) = (cell(Some(problem)), cell(Some(answer)));
        if question.is_empty() || answer.is_empty() {
            read.fault(line, "expected a problem and an answer in each row");
            continue;
        }
        if question.len() > MAX_TEXT || answer.len() > MAX_TEXT {
            read.fault(line, format!("the problem or the answer has more than {MAX_TEXT} bytes"));
            continue;
        }
        let case = KgotCase {
            question: question.to_owned(),
            answer: answer.to_owned(),
            level: topic(cell(metadata)).unwrap_or_default(),
            judge: KgotJudge::SimpleQa,
            ..KgotCase::default()
        };
        read.add(line, &mut seen, cell(id).to_owned(), case);
    }
    read
}

/// Counts lines up to where rows begin: the reader's own count is one behind after `\r\n`.
struct Lines<'t> {
    text: &'t [u8],
    at: usize,
    line: u64,
}

impl Lines<'_> {
    fn at(&mut self, position: Option<&csv::Position>) -> u64 {
        let to = position.and_then(|p| usize::try_from(p.byte()).ok()).unwrap_or_default();
        while let Some(byte) = self.text.get(self.at) {
            // Where a row begins there may still be the end of the line before.
            if self.at >= to && !matches!(byte, b'\r' | b'\n') {
                break;
            }
            self.line += u64::from(*byte == b'\n');
            self.at += 1;
        }
        self.line
    }
}

/// The topic of SimpleQA's metadata, which is a dictionary as Python writes it.
fn topic(metadata: &str) -> Option<String> {
    let rest = ["'topic':", "\"topic\":"].iter().find_map(|key| metadata.split_once(key))?.1;
    let rest = rest.trim_start();
    let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let (topic, _) = rest.get(1..)?.split_once(quote)?;
    (!topic.is_empty() && topic.len() <= 100).then(|| topic.to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;

    use super::*;

    const GAIA: &str = concat!(
        "\u{feff}{\"task_id\":\"a-1\",\"Question\":\"How many?\",\"Level\":1,\"Final answer\":\"17\",\"file_name\":\"\"}\n",
        "\n",
        "{\"task_id\":\"a-2\",\"Question\":\"Which?\",\"Level\":\"3\",\"Final answer\":42,\"file_name\":\"a-2.xlsx\",",
        "\"Annotator Metadata\":{\"Steps\":\"1\"}}\n",
    );

    #[test]
    fn gaia_is_read_with_its_files() {
        let files = [("2023/validation/a-2.xlsx".to_owned(), vec![1, 2])];
        let cases = read_gaia(GAIA, &files).whole().unwrap();
        assert_eq!(cases.len(), 2);
        assert_eq!((cases[0].id.as_str(), cases[0].case.level.as_str()), ("a-1", "level 1"));
        let second = &cases[1].case;
        assert_eq!((second.answer.as_str(), second.judge), ("42", KgotJudge::Gaia));
        assert_eq!(second.attached[0].name, "a-2.xlsx");
        assert_eq!(second.attached[0].bytes, FileBytes(vec![1, 2]));
        let again = serde_json::to_string(second).unwrap();
        assert_eq!(serde_json::from_str::<KgotCase>(&again).unwrap(), *second);
    }

    #[test]
    fn lines_that_give_no_case_are_told_with_their_numbers() {
        let text = format!(
            "{GAIA}[1]\nnot json\n{{\"Question\":\"q\",\"Final answer\":\"?\"}}\n\
             {{\"task_id\":\"a-1\",\"Question\":\"q\",\"Final answer\":\"x\"}}\n\
             {{\"Question\":\"q\",\"Final answer\":\"x\"}}\n"
        );
        let read = read_gaia(&text, &[]);
        let ids: Vec<&str> = read.cases.iter().map(|c| c.id.as_str()).collect();
        assert_eq!(ids, ["a-1", "line-8"]);
        let faults: Vec<String> = read.faults.iter().map(ToString::to_string).collect();
        for (fault, words) in faults.iter().zip([
            "line 3: the file \"a-2.xlsx\" is not there; give GAIA's folder",
            "line 4: there is no \"Question\"",
            "line 5: expected a JSON object",
            "line 6: there is no \"Final answer\"",
            "line 7: the id \"a-1\" came before",
        ]) {
            assert!(fault.starts_with(words), "{fault}");
        }
        assert_eq!(faults.len(), 5);
        assert!(read.whole().unwrap_err().ends_with("; and 2 more"));
        assert_eq!(read_gaia("\n", &[]).whole().unwrap_err(), "there is no case in it");
        assert_eq!(read_gaia(&"x\n".repeat(5_000), &[]).faults.len(), MAX_FAULTS);
    }

    #[test]
    fn simple_qa_is_read_with_its_topics() {
        let table = "metadata,problem,answer\r\n\
            \"{'topic': 'Art', 'answer_type': 'Date', 'urls': ['https://a.example']}\",\"Who, \n\
            and \"\"why\"\"?\",Ada\r\n,Where?,\r\n{},When?,1781\n";
        let read = read_simple_qa(table);
        let case = &read.cases[0].case;
        assert_eq!((read.cases[0].id.as_str(), case.level.as_str()), ("line-2", "Art"));
        assert_eq!(case.question, "Who, \nand \"why\"?");
        assert_eq!(case.judge, KgotJudge::SimpleQa);
        assert_eq!(read.cases[1].case.answer, "1781");
        assert_eq!(
            read.faults[0].to_string(),
            "line 4: expected a problem and an answer in each row"
        );
        let other = read_simple_qa("question,gold\na,b\n");
        assert!(other.faults[0].message.contains("there are question, gold"));
        assert!(read_simple_qa("").whole().is_err());
    }

    proptest! {
        #[test]
        fn any_text_is_no_panic(text in "\\PC{0,200}|([\"',{}\n:a]|task_id|problem|answer){0,40}") {
            let _ = read_gaia(&text, &[]);
            let _ = read_simple_qa(&format!("metadata,problem,answer\n{text}"));
            let _ = read_simple_qa(&text);
            let _ = topic(&text);
        }
    }
}
