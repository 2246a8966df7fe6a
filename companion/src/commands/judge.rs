//! `graphground judge FILE…`: verdicts on free-text answers, and how they stand to people who read them.

mod readers;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use serde_json::json;
use tasks::dataset::{RowProblem, joined_rows, parse_answered, parse_logged};
use tasks::official::both_rules;
use tasks::official::files::{self, FileRow};
use tasks::{Judgement, Problem, Style, TaskId, Verdict, Wording, verify};

use self::readers::Stratum;
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
    /// Print so many answers of each kind for people to read, without verdict and score: where both
    /// differ, the partly right ones, where both agree, and those without a score.
    #[arg(long, conflicts_with_all = ["json", "labels"])]
    draw: Option<usize>,
    /// With --draw: leave out the answers that a file of labels has, because somebody has read them.
    #[arg(long, requires = "draw", value_name = "LABELS")]
    without: Option<PathBuf>,
    /// The same seed draws the same.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// What two readers called the answers: a line each, the answer's id and two verdicts, with tabs
    /// between them. Prints how often they agree with each other and with the verdict.
    #[arg(long, conflicts_with = "json")]
    labels: Option<PathBuf>,
}

/// An answer with its verdict.
struct Judged {
    /// The file's name without its endings, a colon, and the line.
    id: String,
    line: usize,
    task: TaskId,
    level: String,
    question: String,
    text: String,
    verdict: Verdict,
    judgement: Judgement,
    score: Option<f64>,
    /// The score is not the file's: the benchmark's script gave it here.
    is_scored_here: bool,
    rule: Option<String>,
}

impl Judged {
    /// Judges the answers of a row of another benchmark's file; its own script gives the score.
    fn of_row(row: &FileRow) -> anyhow::Result<Vec<Self>> {
        let place = || format!("{} {} {}", row.benchmark, row.task, row.id);
        if row.answers.is_empty() {
            return Ok(Vec::new());
        }
        let asked = RowProblem::of(row).with_context(place)?;
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

    fn stratum(&self) -> Stratum {
        // What nobody logged with a score stands apart, whatever the script says of it today.
        Stratum::of(self.verdict, self.score.filter(|_| !self.is_scored_here))
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
pub(super) struct AnswerRead {
    pub(super) problem: Problem,
    pub(super) question: String,
    pub(super) text: String,
    level: String,
    score: Option<f64>,
    rule: Option<String>,
}

/// Reads the answer of a line: a logged one with its score, or one with its question.
pub(super) fn answer_of_line(line: &str) -> anyhow::Result<AnswerRead> {
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
pub(super) fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.split('.').next().unwrap_or_default().to_owned()
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut out = output::stdout();
    let mut all = Vec::new();
    let (benchmarks, answers): (Vec<&PathBuf>, Vec<&PathBuf>) =
        args.files.iter().partition(|path| is_of_benchmark(path));
    let mut rows = Vec::new();
    for path in benchmarks {
        if let Questions::Others(found) = questions(path)? {
            rows.extend(found);
        }
    }
    for row in joined_rows(rows) {
        for judged in Judged::of_row(&row)? {
            if args.json {
                write_line(&mut out, &judged, args.certificate)?;
            } else {
                all.push(judged);
            }
        }
    }
    for path in answers {
        let mut lines = input::Lines::open(path, limits::LINE)?;
        let (name, before) = (name_of(path), all.len());
        let mut n_read = 0;
        while let Some((number, line)) = lines.next()? {
            if line.trim().is_empty() {
                continue;
            }
            let mut judged = Judged::of_line(line, &name, number)
                .with_context(|| format!("{}: line {number}", path.display()))?;
            n_read += 1;
            if args.json {
                write_line(&mut out, &judged, args.certificate)?;
            } else {
                if args.draw.is_none() {
                    // Texts are of use to readers alone; a file may have many.
                    (judged.text, judged.question) = (String::new(), String::new());
                    judged.judgement.certificate.lines.clear();
                }
                all.push(judged);
            }
        }
        if n_read == 0 && all.len() == before {
            bail!("{}: no answers in it; expected one JSON object a line", path.display());
        }
    }
    if let Some(n) = args.draw {
        if let Some(path) = &args.without {
            let labels = input::text(path, limits::TEXT)?;
            let labels = readers::labelled(&labels);
            let labels = labels.with_context(|| path.display().to_string())?;
            all.retain(|judged| !labels.contains(judged.id.as_str()));
        }
        readers::draw(&mut out, &all, n, args.seed)?;
    } else if let Some(path) = &args.labels {
        let labels = input::text(path, limits::TEXT)?;
        readers::compare(&mut out, &all, &labels).with_context(|| path.display().to_string())?;
    } else if !args.json {
        write_table(&mut out, &all)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
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
