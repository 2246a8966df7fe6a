//! `graphground judge FILE.jsonl[.gz]`: verdicts on logged free-text answers.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use serde_json::json;
use tasks::dataset::parse_logged;
use tasks::{Verdict, verify};

use crate::{input, limits, output, table};

/// Options of `judge`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Answers, one JSON object a line: task, graph, query, answer_text, and where known
    /// official_score. The problem is taken from graph and query.
    file: PathBuf,
    /// Print one JSON line for each answer, in order.
    #[arg(long)]
    json: bool,
    /// With --json: add the certificate, line by line.
    #[arg(long, requires = "json")]
    certificate: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut lines = input::Lines::open(&args.file, limits::LINE)?;
    let mut out = output::stdout();
    let mut confusion: BTreeMap<(String, String), [usize; 4]> = BTreeMap::new();
    let mut judged = 0;
    while let Some((number, line)) = lines.next()? {
        let place = || format!("{}: line {number}", args.file.display());
        if line.trim().is_empty() {
            continue;
        }
        let answer = parse_logged(line).with_context(place)?;
        let judgement = verify(&answer.problem, &answer.text);
        judged += 1;
        if args.json {
            let mut row = json!({
                "line": number,
                "task": answer.problem.task(),
                "difficulty": answer.level,
                "verdict": judgement.verdict,
                "answer": judgement.answer,
                "explanation": judgement.explanation,
                "official_score": answer.official_score,
                "official_rule": answer.official_rule,
            });
            if args.certificate {
                row["certificate"] = serde_json::to_value(&judgement.certificate.lines)?;
            }
            serde_json::to_writer(&mut out, &row)?;
            writeln!(out)?;
        } else {
            let score = answer.official_score.map_or("none".into(), |score| score.to_string());
            let key = (answer.problem.task().to_string(), score);
            let counts = confusion.entry(key).or_default();
            if let Some(at) = Verdict::ALL.iter().position(|v| *v == judgement.verdict) {
                counts[at] += 1;
            }
        }
    }
    if judged == 0 {
        bail!("{}: no answers in it; expected one JSON object a line", args.file.display());
    }
    if !args.json {
        let heading = ["task", "official score", "Correct", "Partial", "Incorrect", "NoAnswer"];
        let rows: Vec<Vec<String>> = confusion
            .into_iter()
            .map(|((task, score), counts)| {
                [task, score].into_iter().chain(counts.map(|c| c.to_string())).collect()
            })
            .collect();
        table::write(&mut out, &heading, &rows)?;
        writeln!(out, "{judged} answers")?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
