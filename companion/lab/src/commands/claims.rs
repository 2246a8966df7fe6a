//! `graphground claims` beside a reader: answers to read, without what is found in them, and the figures
//! once a reader has listed the claims.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::{Context as _, bail};
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;
use serde_json::json;
use tasks::claims::{find, spelling};

use companion::commands::claims::AnswersAsked;
use companion::commands::judge::{AnswerRead, name_of};
use companion::{input, limits, output, table};
use std::path::PathBuf;
use std::process::ExitCode;

/// Options of `claims`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    chosen: AnswersAsked,
    /// Prints this many answers of each file for people to read, without what is found in them.
    #[arg(long, conflicts_with = "labels", required_unless_present = "labels")]
    draw: Option<usize>,
    /// The same seed draws the same.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// What a reader found: a line for each claim, with tabs: the answer's id, what it says, true or
    /// false; an answer without claims has its id alone. Prints precision and recall of the finder.
    #[arg(long)]
    labels: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut out = output::stdout();
    let mut answers = Vec::new();
    args.chosen.each(|path, number, read| {
        answers.push(Answer { id: format!("{}:{number}", name_of(path)), read });
        Ok(())
    })?;
    if let Some(n) = args.draw {
        draw(&mut out, &answers, n, args.seed)?;
    } else if let Some(path) = &args.labels {
        let labels = input::text(path, limits::TEXT)?;
        compare(&mut out, &answers, &labels).with_context(|| path.display().to_string())?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// An answer of a file.
struct Answer {
    /// The file's name without its endings, a colon, and the line.
    id: String,
    read: AnswerRead,
}

impl Answer {
    fn file(&self) -> &str {
        self.id.rsplit_once(':').map_or("", |(file, _)| file)
    }
}

/// Writes so many answers of each file for a reader: `id`, `task`, `question`, `answer`, in an order by
/// chance.
fn draw(out: &mut impl Write, all: &[Answer], n: usize, seed: u64) -> anyhow::Result<()> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut by_file: BTreeMap<&str, Vec<&Answer>> = BTreeMap::new();
    for answer in all {
        by_file.entry(answer.file()).or_default().push(answer);
    }
    let mut taken = Vec::new();
    for of in by_file.values_mut() {
        of.shuffle(&mut rng);
        taken.extend(of.iter().take(n).copied());
    }
    taken.shuffle(&mut rng);
    for Answer { id, read } in taken {
        let task = read.problem.task();
        let line =
            json!({ "id": id, "task": task, "question": read.question, "answer": read.text });
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// What a reader found in an answer: what each claim says, and whether it is true.
type Claims<'a> = BTreeMap<&'a str, bool>;

fn read(text: &str) -> anyhow::Result<BTreeMap<&str, Claims<'_>>> {
    let mut labels: BTreeMap<&str, Claims> = BTreeMap::new();
    for (i, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let mut cells = line.split('\t').map(str::trim);
        let of = labels.entry(cells.next().unwrap_or_default()).or_default();
        match (cells.next(), cells.next()) {
            (None, None) => {}
            (Some(says), Some(word @ ("true" | "false"))) => {
                of.insert(says, word == "true");
            }
            _ => bail!(
                "line {}: expected an id, what a claim says, and true or false, with tabs between; \
                 or an id alone",
                i + 1
            ),
        }
    }
    if labels.is_empty() {
        bail!("there are no labels");
    }
    Ok(labels)
}

/// Counts over some answers.
#[derive(Clone, Copy, Default)]
struct Counts {
    n_answers: usize,
    found: usize,
    extra: usize,
    missed: usize,
    judged_same: usize,
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.n_answers += other.n_answers;
        self.found += other.found;
        self.extra += other.extra;
        self.missed += other.missed;
        self.judged_same += other.judged_same;
    }
}

/// Prints, for the answers of each file and for all, how many of a reader's claims are found, how many
/// more than the reader's are, and how often truth is judged as the reader did. Each claim counts once
/// an answer.
fn compare(out: &mut impl Write, all: &[Answer], labels: &str) -> anyhow::Result<()> {
    let by_id: BTreeMap<&str, &Answer> = all.iter().map(|a| (a.id.as_str(), a)).collect();
    let mut by_file: BTreeMap<&str, Counts> = BTreeMap::new();
    let mut differ = Vec::new();
    for (id, claims) in read(labels)? {
        let answer = by_id.get(id).with_context(|| {
            format!("no answer is called {id:?}; name the files that it was drawn from")
        })?;
        let is_directed = answer.read.problem.query.is_directed();
        let told: BTreeMap<String, bool> =
            claims.iter().map(|(says, is_true)| (spelling(says, is_directed), *is_true)).collect();
        let ours: BTreeMap<String, bool> = find(&answer.read.problem, &answer.read.text)
            .iter()
            .map(|c| (spelling(&c.says, is_directed), c.is_true))
            .collect();
        let mut counts = Counts { n_answers: 1, ..Counts::default() };
        for (says, is_true) in &told {
            match ours.get(says) {
                Some(found) => {
                    counts.found += 1;
                    counts.judged_same += usize::from(found == is_true);
                    if found != is_true {
                        differ.push(format!("{id}: {says}: the reader says {is_true}"));
                    }
                }
                None => {
                    counts.missed += 1;
                    differ.push(format!("{id}: missed: {says}"));
                }
            }
        }
        for says in ours.keys().filter(|says| !told.contains_key(*says)) {
            counts.extra += 1;
            differ.push(format!("{id}: more than the reader: {says}"));
        }
        by_file.entry(answer.file()).or_default().add(counts);
    }
    let mut all = Counts::default();
    by_file.values().for_each(|counts| all.add(*counts));
    let share = |n: usize, of: usize| {
        let interval = eval::stats::wilson(n as f64, of as f64);
        interval.map_or_else(
            || "–".to_owned(),
            |i| {
                let [value, low, high] = [i.value, i.low, i.high].map(|x| 100.0 * x);
                format!("{value:.1} % ({low:.1}–{high:.1})")
            },
        )
    };
    let cells: Vec<Vec<String>> = by_file
        .into_iter()
        .chain([("all", all)])
        .map(|(file, c)| {
            vec![
                file.to_owned(),
                c.n_answers.to_string(),
                c.found.to_string(),
                c.extra.to_string(),
                c.missed.to_string(),
                share(c.found, c.found + c.extra),
                share(c.found, c.found + c.missed),
                format!("{} of {}", c.judged_same, c.found),
            ]
        })
        .collect();
    let head = [
        "answers of",
        "n",
        "found",
        "more than the reader",
        "missed",
        "precision",
        "recall",
        "judged as the reader did",
    ];
    table::write(out, &head, &cells)?;
    writeln!(out)?;
    for line in differ {
        writeln!(out, "  {line}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_read_or_the_line_is_told() {
        let labels = read("# said\na:1\tedge 0-1\ttrue\na:1\tno cycle\tfalse\nb:2\n").unwrap();
        assert_eq!(labels["a:1"], BTreeMap::from([("edge 0-1", true), ("no cycle", false)]));
        assert!(labels["b:2"].is_empty());
        for bad in ["a:1\tedge 0-1", "a:1\tedge 0-1\tyes", ""] {
            assert!(read(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn claims_are_counted_once_an_answer() {
        let line = serde_json::json!({
            "task": "connectivity",
            "question": "Determine if there is a path between two nodes in the graph. Note that \
                         (i,j) means that node i and node j are connected with an undirected edge.\n\
                         Graph: (0,1) (1,2)\nQ: Is there a path between node 0 and node 2?\nA:",
            "answer": "Node 0 is connected to node 1. Node 1 is connected to node 0. There is an edge \
                       between node 0 and node 2.",
        });
        let read = companion::commands::judge::answer_of_line(&line.to_string()).unwrap();
        let all = [Answer { id: "x:1".into(), read }];
        let mut out = Vec::new();
        let labels = "x:1\tedge 1-0\ttrue\nx:1\tedge 0-2\ttrue\nx:1\tno cycle\ttrue\n";
        compare(&mut out, &all, labels).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("x:1: missed: no cycle"), "{text}");
        assert!(text.contains("x:1: edge 0-2: the reader says true"), "{text}");
        assert!(text.contains("1 of 2"), "{text}");
    }
}
