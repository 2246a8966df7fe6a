//! `graphground report`: runs added up.

mod live;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, bail};
use eval::compare::compare;
use eval::report::ReportOptions;
use eval::stats::Outliers;
use eval::{About, Report, Runs, exports};
use serde::de::IgnoredAny;
use systems::experiment::World;

use crate::prices;
use crate::{output, runs_file};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Runs files.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Leaves out times above Q3 + K x (Q3 - Q1), or `none`.
    #[arg(long, default_value = "1.5", value_name = "K")]
    outliers: String,
    /// What a model costs, in dollars for a million input and output tokens.
    #[arg(long, value_name = "NAME=INPUT,OUTPUT")]
    price: Vec<String>,
    /// Compares two setups, by their number in "How it was run" or their hash: A,B.
    #[arg(long, value_name = "A,B")]
    compare: Option<String>,
    /// Writes the report as JSON instead of tables.
    #[arg(long, conflicts_with = "compare")]
    json: bool,
    /// Writes one value a column and one run a line.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Computes every result and every verdict again, without a model, and says what differs.
    #[arg(long, conflicts_with_all = ["html", "csv", "json", "inspect", "lm_eval", "compare"])]
    check: bool,
    /// Writes one HTML file with everything, which opens from a disk and needs no network.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// With --html: writes the whole playground around the runs, so that a reader can compute every
    /// verdict and every result again.
    #[arg(long, requires = "html")]
    live: bool,
    /// The playground as one file, for --live; without it, what `cargo xtask dist --single-file`
    /// wrote.
    #[arg(long, value_name = "FILE")]
    app: Option<PathBuf>,
    /// The title of the page.
    #[arg(long, default_value = "A benchmark")]
    title: String,
    /// Who made it, for the page: names with semicolons between them.
    #[arg(long, default_value = "", requires = "html")]
    authors: String,
    /// What was asked and how to read the figures, for the page.
    #[arg(long, default_value = "", requires = "html")]
    description: String,
    /// The day, for the page: YYYY-MM-DD.
    #[arg(long, default_value = "", requires = "html")]
    date: String,
    /// Where the page will stand, for the page: an address that begins with https://.
    #[arg(long, default_value = "", requires = "html")]
    address: String,
    /// Counts calls of the family benchmark as its public code does, not by the paper's words.
    #[arg(long)]
    compat: bool,
    /// Writes a log of Inspect for each setup.
    #[arg(long, value_name = "FOLDER")]
    inspect: Option<PathBuf>,
    /// Writes results and samples of lm-evaluation-harness for each setup.
    #[arg(long, value_name = "FOLDER")]
    lm_eval: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let outliers = match args.outliers.as_str() {
        "none" => Outliers::Keep,
        text => Outliers::Fence(
            text.parse().ok().filter(|k: &f64| k.is_finite() && *k >= 0.0).with_context(|| {
                format!("--outliers {text:?}: expected a number, such as 1.5, or none")
            })?,
        ),
    };
    let options = ReportOptions {
        outliers,
        prices: prices::read(&args.price)?,
        is_compat: args.compat,
        ..ReportOptions::default()
    };
    let needs_traces =
        args.check || args.inspect.is_some() || args.lm_eval.is_some() || args.html.is_some();
    if needs_traces {
        let mut runs: Runs = Runs::default();
        for path in &args.files {
            runs_file::read_into(&mut runs, path)?;
        }
        let report = Report::of(&runs, options.clone());
        if args.check {
            tell_torn(runs.n_torn);
            return check(&runs);
        }
        if let Some(path) = &args.html {
            let about = about(args)?;
            let page = if args.live {
                live::page(&runs, &about, args.app.as_deref())?
            } else {
                live::with_runs(&eval::page::html(&runs, &report, &about), &runs, &about)?
            };
            write(args, path, &page)?;
        }
        write_logs(args, &runs, &report)?;
        return tell(args, &runs.light(), options);
    }
    let mut runs: Runs<IgnoredAny> = Runs::default();
    for path in &args.files {
        runs_file::read_into(&mut runs, path)?;
    }
    tell(args, &runs, options)
}

/// What the page says of itself.
fn about(args: &Args) -> Result<About> {
    let about = About {
        title: args.title.clone(),
        authors: args.authors.clone(),
        description: args.description.clone(),
        date: args.date.clone(),
        address: args.address.clone(),
    };
    if !about.address.is_empty() && about.link().is_none() {
        bail!("--address {:?}: expected one that begins with https:// or http://", about.address);
    }
    Ok(about)
}

/// All tables, with what is to be known first.
fn write_tables(out: &mut impl Write, report: &Report, runs: &Runs<IgnoredAny>) -> Result<()> {
    if let Some(words) = report.scripts_note() {
        writeln!(out, "{words}\n")?;
    }
    for table in &report.tables(runs) {
        writeln!(out, "{}", table.text())?;
    }
    Ok(())
}

/// Everything computed again.
fn check(runs: &Runs) -> Result<ExitCode> {
    let mut out = output::stdout();
    let (mut n_drift, mut n_unchecked) = (0, 0);
    for run in &runs.runs {
        let (Some(setup), Some(case)) = (runs.setups.get(&run.key.setup), runs.case(&run.key.case))
        else {
            continue;
        };
        let tools = runs.tools_of(setup);
        let drift = match eval::check(run, setup, case, tools, &World::default()) {
            Ok(drift) => drift,
            Err(reason) => {
                n_unchecked += 1;
                if n_unchecked == 1 {
                    writeln!(out, "{}: cannot be checked: {reason}", run.key)?;
                }
                continue;
            }
        };
        let Some(drift) = drift else { continue };
        n_drift += 1;
        if let Some((told, found)) = drift.verdict {
            writeln!(out, "{}: the file says {told:?}, and it is {found:?}", run.key)?;
        }
        if !drift.steps.is_empty() {
            writeln!(out, "{}: other results at steps {:?}", run.key, drift.steps)?;
        }
        if !drift.counts.is_empty() {
            writeln!(out, "{}: not as the file says: {}", run.key, drift.counts.join(", "))?;
        }
    }
    writeln!(out, "{} runs checked again, {n_drift} differ", runs.runs.len() - n_unchecked)?;
    if n_unchecked > 0 {
        writeln!(out, "{n_unchecked} runs cannot be checked")?;
    }
    Ok(if n_drift + n_unchecked == 0 { ExitCode::SUCCESS } else { ExitCode::from(3) })
}

/// Tables, and what needs no traces.
fn tell(args: &Args, runs: &Runs<IgnoredAny>, options: ReportOptions) -> Result<ExitCode> {
    let report = Report::of(runs, options);
    tell_torn(runs.n_torn);
    if let Some(path) = &args.csv {
        write(args, path, &exports::csv(runs, &report))?;
    }
    let mut out = output::stdout();
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    if report.setups.is_empty() && runs.failures.is_empty() {
        bail!("there is no finished run in it yet");
    }
    write_tables(&mut out, &report, runs)?;
    if !runs.failures.is_empty() {
        let mut reasons: BTreeMap<(String, &str), usize> = BTreeMap::new();
        for failure in runs.failures.values() {
            let setup = runs.setups.get(&failure.key.setup);
            let who = setup.map_or_else(String::new, |s| format!("{}, {}", s.models(), s.system));
            *reasons.entry((who, &failure.reason)).or_default() += 1;
        }
        writeln!(out, "Runs that failed at their endpoint; `bench` makes them again")?;
        for ((who, reason), n) in reasons {
            writeln!(out, "{n:>6}  {who}: {reason}")?;
        }
        writeln!(out)?;
    }
    if let Some(pair) = &args.compare {
        let (a, b) =
            pair.split_once(',').with_context(|| format!("--compare {pair:?}: write A,B"))?;
        let (a, b) = (setup(&report, a)?, setup(&report, b)?);
        let (left, right) = (&report.setups[a].0, &report.setups[b].0);
        let found = compare((runs, left), (runs, right)).map_err(anyhow::Error::msg)?;
        let labels = report.labels();
        let are_scripts = report.is_scripted(left) || report.is_scripted(right);
        writeln!(out, "{}", found.table(&labels[a], &labels[b], are_scripts).text())?;
        for d in &found.differing {
            writeln!(out, "{} #{}: {:?} against {:?}", d.case, d.sample, d.left, d.right)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A setup by its number from 1, or the beginning of its hash.
fn setup(report: &Report, text: &str) -> Result<usize> {
    let text = text.trim();
    let by_number = text.parse::<usize>().ok().filter(|n| (1..=report.setups.len()).contains(n));
    by_number
        .map(|n| n - 1)
        .or_else(|| {
            report.setups.iter().position(|(hash, _)| !text.is_empty() && hash.starts_with(text))
        })
        .with_context(|| {
            let all: Vec<String> = report
                .setups
                .iter()
                .zip(report.labels())
                .enumerate()
                .map(|(i, ((hash, _), label))| format!("{} ({hash}, {label})", i + 1))
                .collect();
            format!("there is no setup {text:?}; there are {}", all.join(", "))
        })
}

fn write(args: &Args, path: &Path, text: &str) -> Result<()> {
    let same = |a: &Path, b: &Path| matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b);
    if args.files.iter().any(|file| same(file, path)) {
        bail!("{}: is one of the runs files, and is left as it is", path.display());
    }
    output::write(path, text)?;
    output::complain(&format!("wrote {} ({:.1} KB)", path.display(), text.len() as f64 / 1e3));
    Ok(())
}

fn write_logs(args: &Args, runs: &Runs, report: &Report) -> Result<()> {
    for folder in [&args.inspect, &args.lm_eval].into_iter().flatten() {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("{}: cannot be made", folder.display()))?;
    }
    for (hash, setup) in &report.setups {
        let name = setup.models().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        let name = format!("{}_{name}_{hash}", setup.system);
        if let (Some(folder), Some(log)) = (&args.inspect, exports::inspect(runs, report, hash)) {
            write(args, &folder.join(format!("{name}.json")), &log)?;
        }
        if let Some(folder) = &args.lm_eval {
            #[expect(clippy::disallowed_methods, reason = "a program has a clock")]
            let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |d| d.as_secs_f64());
            if let Some(text) = exports::lm_eval(report, hash, now) {
                // Results are there with their samples or not at all, also where the disk is full.
                let samples = exports::lm_eval_samples(runs, hash);
                write(args, &folder.join(format!("samples_{name}.jsonl")), &samples)?;
                write(args, &folder.join(format!("results_{name}.json")), &text)?;
            }
        }
    }
    Ok(())
}

fn tell_torn(n_torn: usize) {
    if n_torn > 0 {
        output::complain("a last line was cut off when it was written, and is not counted");
    }
}
