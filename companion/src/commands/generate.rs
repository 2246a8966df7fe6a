//! `graphground generate`: new problems in NLGraph's own JSON shape.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use tasks::dataset::entry_json;
use tasks::{Difficulty, Task, TaskId};

use crate::output::{self, NewFile};

/// The most problems that one call makes.
const MAX_PROBLEMS: usize = 200_000;

/// Options of `generate`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A task, a group (nlgraph, graphwiz), or all, which is nlgraph; several with commas.
    #[arg(long)]
    task: String,
    /// easy, medium, hard, or all that the task has.
    #[arg(long, default_value = "all")]
    difficulty: String,
    /// How many problems; spread evenly over tasks and levels where there are several.
    #[arg(long, default_value_t = 10)]
    n: usize,
    /// The same seed makes the same problems on every machine.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Where to write, packed where the name ends in `.gz`; standard output if absent.
    #[arg(long)]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.n == 0 || args.n > MAX_PROBLEMS {
        bail!("--n is {}; expected 1 to {MAX_PROBLEMS}", args.n);
    }
    let families = families(&args.task, &args.difficulty)?;
    match &args.out {
        None => write(output::stdout(), &families, args)?,
        Some(path) => {
            let mut file = NewFile::create_packed(path)?;
            write(&mut file, &families, args)?;
            file.finish()?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The tasks and levels that are asked for.
fn families(task: &str, difficulty: &str) -> anyhow::Result<Vec<(&'static Task, Difficulty)>> {
    let tasks: Vec<&Task> = TaskId::listed(task.split(','))?.into_iter().map(tasks::task).collect();
    let wanted = match difficulty {
        "all" => None,
        name => match Difficulty::from_name(name) {
            Some(level) => Some(level),
            None => bail!("unknown difficulty {name:?}; expected easy, medium, hard or all"),
        },
    };
    let families: Vec<_> = tasks
        .iter()
        .flat_map(|task| task.difficulties.iter().map(move |level| (*task, *level)))
        .filter(|(_, level)| wanted.is_none_or(|wanted| *level == wanted))
        .collect();
    if families.is_empty() {
        let levels: Vec<&str> = tasks[0].difficulties.iter().map(|d| d.as_str()).collect();
        bail!("{task} has no level {difficulty:?}; it has {}", levels.join(" and "));
    }
    Ok(families)
}

fn write(
    mut out: impl Write,
    families: &[(&'static Task, Difficulty)],
    args: &Args,
) -> anyhow::Result<()> {
    // Written one by one: a file of many problems needs no more memory than one.
    writeln!(out, "{{")?;
    let mut key = 0;
    for (at, (task, level)) in families.iter().enumerate() {
        let count = args.n / families.len() + usize::from(at < args.n % families.len());
        for i in 0..count {
            let problem = task.generate(*level, args.seed.wrapping_add(i as u64));
            let entry = serde_json::to_string(&entry_json(&problem, String::new()))?;
            let comma = if key + 1 < args.n { "," } else { "" };
            writeln!(out, "\"{key}\": {entry}{comma}")?;
            key += 1;
        }
    }
    writeln!(out, "}}")?;
    out.flush()?;
    Ok(())
}
