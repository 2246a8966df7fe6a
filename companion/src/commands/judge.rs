//! `graphground judge FILE…`: verdicts on free-text answers, and how they stand to people who read them.

mod readers;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use serde_json::json;
use tasks::dataset::{parse_answered, parse_logged};
use tasks::{Judgement, Style, TaskId, Verdict, Wording, verify};

use self::readers::Stratum;
use crate::{input, limits, output, table};

/// Options of `judge`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Answers, one JSON object a line: task, graph, query, answer_text, and where known
    /// official_score; the problem is taken from graph and query. Or question and answer, as `record`
    /// writes them.
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
    rule: Option<String>,
}

impl Judged {
    fn stratum(&self) -> Stratum {
        Stratum::of(self.verdict, self.score)
    }

    /// Judges the answer of a line: a logged one with its score, or one with its question.
    fn of_line(line: &str, name: &str, number: usize) -> anyhow::Result<Self> {
        let is_logged = serde_json::from_str::<serde_json::Value>(line).is_ok_and(|value| {
            value.get("question").is_none() || value.get("answer_text").is_some()
        });
        let (problem, question, text, level, score, rule);
        if is_logged {
            let logged = parse_logged(line)?;
            question = logged.problem.question(Wording::Benchmark, Style::ZeroShot);
            (problem, text, level) = (logged.problem, logged.text, logged.level);
            (score, rule) = (logged.official_score, logged.official_rule);
        } else {
            let answered = parse_answered(line)?;
            level = answered.problem.difficulty.map(|d| d.to_string()).unwrap_or_default();
            (problem, question, text) = (answered.problem, answered.question, answered.text);
            (score, rule) = (None, None);
        }
        let judgement = verify(&problem, &text);
        let (id, task) = (format!("{name}:{number}"), problem.task());
        let verdict = judgement.verdict;
        Ok(Self { id, line: number, task, level, question, text, verdict, judgement, score, rule })
    }
}

/// The name of a file without its folder and endings.
fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.split('.').next().unwrap_or_default().to_owned()
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut out = output::stdout();
    let mut all = Vec::new();
    for path in &args.files {
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
