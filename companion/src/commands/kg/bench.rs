//! `graphground kg bench`: `bench --experiment kgqa` under another name.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use kg::find::FindOver;

use super::asking::Asking;
use super::load::{Rules, Source};
use crate::commands::bench;
use crate::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    rules: Rules,
    /// Questions, a JSON object a line with `question` and `answers`; generated ones for a metro
    /// network if left out.
    #[arg(long)]
    qa: Option<PathBuf>,
    /// So many questions at most.
    #[arg(long, default_value_t = 100)]
    n: usize,
    /// graphrunner, graph_cot, graph_rag, text_rag; all if left out.
    #[arg(long = "system", value_delimiter = ',')]
    systems: Vec<String>,
    #[command(flatten)]
    asking: Asking,
    /// A model at the same endpoint that judges answers: GPT4Score.
    #[arg(long)]
    judge: Option<String>,
    /// Runs plans as they are.
    #[arg(long)]
    no_verify: bool,
    /// Verifies plans on the data too.
    #[arg(long)]
    check_data: bool,
    /// The runs file; one that is there is gone on with.
    #[arg(long)]
    out: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let semantics = args.rules.semantics()?;
    let direction = serde_json::to_value(semantics.direction)?;
    let systems = if args.systems.is_empty() { "all".to_owned() } else { args.systems.join(",") };
    let mut words: Vec<String> =
        ["--experiment", "kgqa", "--seed", "1", "--count-tokens"].map(Into::into).into();
    words.extend(args.source.as_words());
    words.extend(args.asking.as_words());
    let mut say = |name: &str, value: String| words.extend([name.to_owned(), value]);
    say("--system", systems);
    say("--n", args.n.to_string());
    for set in [
        format!("semantics.direction={direction}"),
        format!("semantics.max_hops={}", semantics.max_hops),
        format!("verify={}", !args.no_verify),
        format!("check_data={}", args.check_data),
    ] {
        say("--set", set);
    }
    let find = args.rules.find();
    if let Some(theta) = find.theta {
        say("--set", format!("find.theta={theta}"));
    }
    if find.over == FindOver::Texts {
        say("--set", "find.over=texts".into());
    }
    if let Some(qa) = &args.qa {
        say("--problems", qa.display().to_string());
    }
    if let Some(judge) = &args.judge {
        say("--role", format!("judge={judge}"));
    }
    say("--out", args.out.display().to_string());
    output::complain(&format!("this is `graphground bench {}`", words.join(" ")));
    bench::run_and_report(&bench::Args::of_words(&words)?)
}
