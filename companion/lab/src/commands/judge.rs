//! `graphground judge` beside people who read the answers: a sample to read, without a verdict, and the
//! figures once it has labels.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use anyhow::{Context as _, bail};
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;
use serde_json::json;
use tasks::Verdict;

use companion::commands::judge::{Judged, judged};
use companion::{input, limits, output, table};
use std::path::PathBuf;
use std::process::ExitCode;

/// Options of `judge`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files of answers, as `graphground judge` reads them.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Prints this many answers of each kind for people to read, without verdict and score: where both
    /// differ, the partly right ones, where both agree, and those without a score.
    #[arg(long, conflicts_with = "labels", required_unless_present = "labels")]
    draw: Option<usize>,
    /// With --draw: leaves out the answers that a file of labels has.
    #[arg(long, requires = "draw", value_name = "LABELS")]
    without: Option<PathBuf>,
    /// The same seed draws the same.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The verdicts of two readers: a line for each answer, with its id and two verdicts between tabs.
    /// Prints how often they agree with each other and with the verdict.
    #[arg(long)]
    labels: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut out = output::stdout();
    let mut all = Vec::new();
    judged(&args.files, |judged| {
        // A sample with gaps would be no sample.
        all.push(judged.map_err(|unread| anyhow::anyhow!("{unread}"))?);
        Ok(())
    })?;
    if let Some(n) = args.draw {
        if let Some(path) = &args.without {
            let labels = input::text(path, limits::TEXT)?;
            let labels = labelled(&labels).with_context(|| path.display().to_string())?;
            all.retain(|judged| !labels.contains(judged.id.as_str()));
        }
        draw(&mut out, &all, n, args.seed)?;
    } else if let Some(path) = &args.labels {
        let labels = input::text(path, limits::TEXT)?;
        compare(&mut out, &all, &labels).with_context(|| path.display().to_string())?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Where an answer stands before anybody reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stratum {
    /// The verdict and the benchmark's score say different things, or only one of them finds an answer.
    Disagreement,
    /// The verdict is one that the score cannot say.
    Partial,
    /// Both say the same.
    Agreement,
    /// A model of today, whose answer has no score of the benchmark.
    Unscored,
}

impl Stratum {
    const ALL: [Self; 4] = [Self::Disagreement, Self::Partial, Self::Agreement, Self::Unscored];

    fn name(self) -> &'static str {
        match self {
            Self::Disagreement => "disagreement",
            Self::Partial => "partial",
            Self::Agreement => "agreement",
            Self::Unscored => "unscored",
        }
    }

    fn of(verdict: Verdict, score: Option<f64>) -> Self {
        match (score, verdict) {
            (None, _) => Self::Unscored,
            (_, Verdict::Partial) => Self::Partial,
            (Some(1.0), Verdict::Correct) => Self::Agreement,
            (Some(score), Verdict::Incorrect) if score < 1.0 => Self::Agreement,
            _ => Self::Disagreement,
        }
    }
}

/// Writes so many answers of each stratum for readers: `id`, `task`, `question`, `answer`, in an order
/// by chance, and nothing that tells a verdict, a score or the stratum.
fn draw(out: &mut impl Write, all: &[Judged], n: usize, seed: u64) -> anyhow::Result<()> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut taken: Vec<&Judged> = Vec::new();
    for stratum in Stratum::ALL {
        let mut of: Vec<&Judged> =
            all.iter().filter(|j| Stratum::of(j.verdict, j.logged_score()) == stratum).collect();
        of.shuffle(&mut rng);
        taken.extend(of.into_iter().take(n));
    }
    taken.shuffle(&mut rng);
    for judged in taken {
        let line = json!({
            "id": judged.id, "task": judged.task, "question": judged.question,
            "answer": judged.text,
        });
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// A line of labels: an answer's id and what each of two readers calls it.
struct Label<'a> {
    id: &'a str,
    readers: [Verdict; 2],
}

/// An answer with what each reader calls it.
type Read<'a> = (&'a Judged, [Verdict; 2]);

fn verdict(name: &str) -> Option<Verdict> {
    Verdict::ALL.into_iter().find(|v| format!("{v:?}") == name.trim())
}

fn read(text: &str) -> anyhow::Result<Vec<Label<'_>>> {
    let mut labels = Vec::new();
    for (i, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let told = || {
            format!(
                "line {}: expected an id, a tab, and two of Correct, Partial, Incorrect, NoAnswer \
                 with a tab between them",
                i + 1
            )
        };
        let mut cells = line.split('\t');
        let id = cells.next().with_context(told)?;
        let mut next = || cells.next().and_then(verdict).with_context(told);
        labels.push(Label { id, readers: [next()?, next()?] });
    }
    if labels.is_empty() {
        bail!("there are no labels");
    }
    Ok(labels)
}

/// The ids of the answers that labels are of.
fn labelled(labels: &str) -> anyhow::Result<BTreeSet<&str>> {
    Ok(read(labels)?.into_iter().map(|label| label.id).collect())
}

/// Prints how often two readers agree, and how often the verdict is theirs.
fn compare(out: &mut impl Write, all: &[Judged], labels: &str) -> anyhow::Result<()> {
    let by_id: BTreeMap<&str, &Judged> = all.iter().map(|j| (j.id.as_str(), j)).collect();
    let mut rows: Vec<Read> = Vec::new();
    for label in read(labels)? {
        let judged = by_id.get(label.id);
        let judged = judged.with_context(|| {
            format!("no answer is called {:?}; name the files that it was drawn from", label.id)
        })?;
        rows.push((judged, label.readers));
    }
    let share = |n: usize, of: usize| {
        let interval = eval::stats::wilson(n as f64, of as f64);
        let range = interval
            .map(|i| format!(" ({:.1}–{:.1})", 100.0 * i.low, 100.0 * i.high))
            .unwrap_or_default();
        format!("{n} = {:.1} %{range}", 100.0 * n as f64 / of.max(1) as f64)
    };
    let mut cells = Vec::new();
    let groups: Vec<(&str, Option<Stratum>)> =
        Stratum::ALL.into_iter().map(|s| (s.name(), Some(s))).chain([("all", None)]).collect();
    for (name, stratum) in groups {
        let of: Vec<&Read> = rows
            .iter()
            .filter(|(j, _)| stratum.is_none_or(|s| Stratum::of(j.verdict, j.logged_score()) == s))
            .collect();
        if of.is_empty() {
            continue;
        }
        let pairs: Vec<[Verdict; 2]> = of.iter().map(|(_, readers)| *readers).collect();
        let count = |is: &dyn Fn(&Read) -> bool| of.iter().filter(|row| is(row)).count();
        cells.push(vec![
            name.to_owned(),
            of.len().to_string(),
            share(count(&|(_, [a, b])| a == b), of.len()),
            eval::stats::kappa(&pairs).map_or("–".to_owned(), |k| format!("{k:.2}")),
            share(count(&|(j, [a, _])| *a == j.verdict), of.len()),
            share(count(&|(j, [_, b])| *b == j.verdict), of.len()),
            share(count(&|(j, readers)| readers.contains(&j.verdict)), of.len()),
            count(&|(j, [a, b])| a == b && *a != j.verdict).to_string(),
        ]);
    }
    let head = [
        "answers",
        "n",
        "readers agree",
        "kappa",
        "verdict is the first's",
        "verdict is the second's",
        "verdict is one of theirs",
        "both say otherwise",
    ];
    table::write(out, &head, &cells)?;
    let differ = |(judged, readers): &&Read| readers.iter().any(|r| *r != judged.verdict);
    writeln!(out, "\nnot the verdict, or not both:")?;
    for (judged, [a, b]) in rows.iter().filter(differ) {
        writeln!(
            out,
            "  {} {}: {:?}; the readers say {a:?} and {b:?}",
            judged.id, judged.task, judged.verdict
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_read_or_the_line_is_told() {
        let labels = read("# said\na:1\tCorrect\tNoAnswer\n\n").unwrap();
        assert_eq!(
            (labels[0].id, labels[0].readers),
            ("a:1", [Verdict::Correct, Verdict::NoAnswer])
        );
        for bad in ["a:1\tCorrect", "a:1\tRight\tCorrect", "", "a:1"] {
            assert!(read(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn an_answer_stands_where_verdict_and_score_put_it() {
        use Stratum::{Agreement, Disagreement, Partial, Unscored};
        for (verdict, score, stratum) in [
            (Verdict::Correct, Some(1.0), Agreement),
            (Verdict::Correct, Some(0.0), Disagreement),
            (Verdict::Incorrect, Some(0.0), Agreement),
            (Verdict::Incorrect, Some(-1.0), Agreement),
            (Verdict::Incorrect, Some(1.0), Disagreement),
            (Verdict::NoAnswer, Some(0.0), Disagreement),
            (Verdict::Partial, Some(1.0), Partial),
            (Verdict::Partial, None, Unscored),
        ] {
            assert_eq!(Stratum::of(verdict, score), stratum, "{verdict:?} {score:?}");
        }
    }
}
