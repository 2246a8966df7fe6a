//! `graphground judge FILE…`: verdicts on free-text answers, and how they stand to people who read them.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use serde_json::json;
use tasks::dataset::{RowProblem, joined_rows, parse_answered, parse_logged};
use tasks::official::both_rules;
use tasks::official::files::{self, FileRow};
use tasks::{Judgement, Problem, Style, TaskId, Verdict, Wording, verify};

use super::verify::{Questions, questions};
use crate::{input, limits, output, table};

/// Options of `judge`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Answers, one JSON object a line: task, graph, query, answer_text, and where known
    /// official_score; the problem is taken from graph and query. Or question and answer, as `record`
    /// writes them. Or files of GraphArena, GraphWiz, GraphInstruct and GraCoRe with answers; their own
    /// scripts give the scores.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print one JSON line for each answer, in order.
    #[arg(long)]
    json: bool,
    /// With --json: add the certificate, line by line.
    #[arg(long, requires = "json")]
    certificate: bool,
}

/// An answer with its verdict.
pub struct Judged {
    /// The file's name without its endings, a colon, and the line.
    pub id: String,
    line: usize,
    pub task: TaskId,
    level: String,
    pub question: String,
    pub text: String,
    pub verdict: Verdict,
    judgement: Judgement,
    pub score: Option<f64>,
    /// The score is not the file's: the benchmark's script gave it here.
    is_scored_here: bool,
    rule: Option<String>,
}

impl Judged {
    /// Judges the answers of a row of another benchmark's file; its own script gives the score.
    fn of_row(row: &FileRow) -> anyhow::Result<Vec<Self>> {
        if row.answers.is_empty() && row.fault.is_none() {
            return Ok(Vec::new());
        }
        let asked = RowProblem::of(row)?;
        let (task, difficulty) = (asked.problem.task(), asked.problem.difficulty);
        let level = difficulty.map(|level| level.to_string()).unwrap_or_default();
        let answers = row.answers.iter().enumerate().map(|(i, (model, text))| {
            let judgement = asked.judge(row, text);
            let official = asked.official(row, text);
            Self {
                id: format!("{}:{}:{model}", row.task, row.id),
                line: i + 1,
                task,
                level: level.clone(),
                question: row.question.clone().unwrap_or_default(),
                text: text.clone(),
                verdict: judgement.verdict,
                judgement,
                score: official.map(|(is_right, _)| f64::from(u8::from(is_right))),
                is_scored_here: false,
                rule: official.map(|(_, cause)| cause.to_owned()),
            }
        });
        Ok(answers.collect())
    }

    /// The score that was logged with the answer; none where the benchmark's script gave it here.
    pub fn logged_score(&self) -> Option<f64> {
        self.score.filter(|_| !self.is_scored_here)
    }

    /// Judges the answer of a line.
    fn of_line(line: &str, name: &str, number: usize) -> anyhow::Result<Self> {
        let AnswerRead { problem, question, text, level, mut score, mut rule } =
            answer_of_line(line)?;
        // Where no score was logged, the benchmark's own script gives it, if it is known.
        let is_scored_here = score.is_none();
        if is_scored_here && let Some(both) = both_rules(&problem, &text) {
            score = Some(f64::from(u8::from(both.official == Some(Verdict::Correct))));
            rule = Some(both.cause.to_owned());
        }
        let judgement = verify(&problem, &text);
        let (id, task) = (format!("{name}:{number}"), problem.task());
        let verdict = judgement.verdict;
        Ok(Self {
            id,
            line: number,
            task,
            level,
            question,
            text,
            verdict,
            judgement,
            score,
            is_scored_here,
            rule,
        })
    }
}

/// An answer as its line tells it.
pub struct AnswerRead {
    pub problem: Problem,
    pub question: String,
    pub text: String,
    level: String,
    score: Option<f64>,
    rule: Option<String>,
}

/// Reads the answer of a line: a logged one with its score, or one with its question.
pub fn answer_of_line(line: &str) -> anyhow::Result<AnswerRead> {
    let is_logged = serde_json::from_str::<serde_json::Value>(line)
        .is_ok_and(|value| value.get("question").is_none() || value.get("answer_text").is_some());
    if is_logged {
        let logged = parse_logged(line)?;
        return Ok(AnswerRead {
            question: logged.problem.question(Wording::Benchmark, Style::ZeroShot),
            problem: logged.problem,
            text: logged.text,
            level: logged.level,
            score: logged.official_score,
            rule: logged.official_rule,
        });
    }
    let answered = parse_answered(line)?;
    Ok(AnswerRead {
        level: answered.problem.difficulty.map(|d| d.to_string()).unwrap_or_default(),
        problem: answered.problem,
        question: answered.question,
        text: answered.text,
        score: None,
        rule: None,
    })
}

/// Whether a file is one of another benchmark's, by its name and its beginning.
fn is_of_benchmark(path: &Path) -> bool {
    let Ok(bytes) = input::bytes(path, limits::TEXT) else { return false };
    // Lines of ours have a query or a task beside the question.
    let is_ours = |line: &str| answer_of_line(line).is_ok();
    let first = bytes.split(|byte| *byte == b'\n').next().and_then(|l| std::str::from_utf8(l).ok());
    !first.is_some_and(is_ours) && files::sniff(&path.to_string_lossy(), &bytes).is_some()
}

/// The name of a file without its folder and endings.
pub fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.split('.').next().unwrap_or_default().to_owned()
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut out = output::stdout();
    let mut all = Vec::new();
    let (mut n_judged, mut n_unread, mut shown) = (0, 0, Vec::new());
    judged(&args.files, |judged| {
        let mut judged = match judged {
            Ok(judged) => judged,
            Err(unread) => {
                n_unread += 1;
                if n_unread <= MOST_SHOWN {
                    shown.push(unread.to_string());
                }
                if args.json {
                    let Unread { line, error, .. } = unread;
                    serde_json::to_writer(&mut out, &json!({ "line": line, "error": error }))?;
                    writeln!(out)?;
                }
                return Ok(());
            }
        };
        n_judged += 1;
        if args.json {
            return write_line(&mut out, &judged, args.certificate);
        }
        // The table needs no texts; a file may have many.
        (judged.text, judged.question) = (String::new(), String::new());
        judged.judgement.certificate.lines.clear();
        all.push(judged);
        Ok(())
    })?;
    // A file of something else has no answer at all.
    if let Some(first) = shown.first().filter(|_| n_judged == 0) {
        bail!("none of {n_unread} answers could be read; the first: {first}");
    }
    if !args.json {
        write_table(&mut out, &all)?;
    }
    out.flush()?;
    if n_unread == 0 {
        return Ok(ExitCode::SUCCESS);
    }
    shown.iter().for_each(|line| output::complain(line));
    let answers = if n_unread == 1 { "answer" } else { "answers" };
    output::complain(&format!("{n_unread} {answers} could not be read and have no verdict"));
    Ok(ExitCode::from(3))
}

/// How many answers that could not be read are named; with --json all are among the lines.
const MOST_SHOWN: usize = 20;

/// An answer that could not be read.
#[derive(Debug)]
pub struct Unread {
    /// The file, or the benchmark's name for the question.
    place: String,
    line: usize,
    error: String,
}

impl std::fmt::Display for Unread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { place, line, error } = self;
        write!(f, "{place}: line {line}: {error}")
    }
}

/// Judges the answers of files, one after the other. One that cannot be read does not stop the others.
///
/// # Errors
/// A file cannot be read; a file has no answers; or what takes an answer failed.
pub fn judged(
    files: &[PathBuf],
    mut take: impl FnMut(Result<Judged, Unread>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let (benchmarks, answers): (Vec<&PathBuf>, Vec<&PathBuf>) =
        files.iter().partition(|path| is_of_benchmark(path));
    let mut rows = Vec::new();
    for path in benchmarks {
        if let Questions::Others(found) = questions(path)? {
            rows.extend(found);
        }
    }
    for (i, row) in joined_rows(rows).iter().enumerate() {
        match Judged::of_row(row) {
            Ok(judged) => judged.into_iter().map(Ok).try_for_each(&mut take)?,
            Err(error) => {
                let place = format!("{} {} {}", row.benchmark, row.task, row.id);
                take(Err(Unread { place, line: i + 1, error: format!("{error:#}") }))?;
            }
        }
    }
    for path in answers {
        let mut lines = input::Lines::open(path, limits::LINE)?;
        let name = name_of(path);
        let mut n_read = 0;
        while let Some((number, line)) = lines.next()? {
            if line.trim().is_empty() {
                continue;
            }
            n_read += 1;
            take(Judged::of_line(line, &name, number).map_err(|error| Unread {
                place: path.display().to_string(),
                line: number,
                error: format!("{error:#}"),
            }))?;
        }
        if n_read == 0 {
            bail!("{}: no answers in it; expected one JSON object a line", path.display());
        }
    }
    Ok(())
}

fn write_line(
    out: &mut impl std::io::Write,
    judged: &Judged,
    certificate: bool,
) -> anyhow::Result<()> {
    let mut row = json!({
        "line": judged.line,
        "task": judged.task,
        "difficulty": judged.level,
        "verdict": judged.verdict,
        "answer": judged.judgement.answer,
        "explanation": judged.judgement.explanation,
        "official_score": judged.score,
        "official_rule": judged.rule,
    });
    if certificate {
        row["certificate"] = serde_json::to_value(&judged.judgement.certificate.lines)?;
    }
    serde_json::to_writer(&mut *out, &row)?;
    writeln!(out)?;
    Ok(())
}

fn write_table(out: &mut impl std::io::Write, all: &[Judged]) -> anyhow::Result<()> {
    let mut confusion: BTreeMap<(String, String), [usize; 4]> = BTreeMap::new();
    for judged in all {
        let score = judged.score.map_or("none".into(), |score| score.to_string());
        let counts = confusion.entry((judged.task.to_string(), score)).or_default();
        if let Some(at) = Verdict::ALL.iter().position(|v| *v == judged.verdict) {
            counts[at] += 1;
        }
    }
    let heading = ["task", "official score", "Correct", "Partial", "Incorrect", "NoAnswer"];
    let rows: Vec<Vec<String>> = confusion
        .into_iter()
        .map(|((task, score), counts)| {
            [task, score].into_iter().chain(counts.map(|c| c.to_string())).collect()
        })
        .collect();
    table::write(out, &heading, &rows)?;
    writeln!(out, "{} answers", all.len())?;
    Ok(())
}
