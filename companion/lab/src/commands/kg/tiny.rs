//! `graphground kg tiny`: a model plans on tiny graphs, a fresh one each time, and each plan is held
//! against the verifier and against what the right plan finds.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;

use agent::{Cancel, Limits, RunContext};
use anyhow::{Context as _, Result, bail};
use eval::stats::wilson;
use futures_util::FutureExt as _;
use kg::find::{FindOptions, Finder};
use kg::formats;
use kg::generators::{TinyNames, tiny};
use kg::plan::{execute, print_plan, verify};
use llm::{Message, Model};
use serde_json::json;
use systems::graphrunner::{SYSTEM, plan, plan_prompt};
use systems::kgqa::{KgOptions, KgRequest};
use tasks::kgqa::{KgQuestion, generate_tiny};
use text::NGrams;

use companion::commands::kg::asking::{PlanAsking, clock};
use companion::{output, table};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// So many graphs, each with a question.
    #[arg(long, default_value_t = 300)]
    n: usize,
    /// The first graph's seed; the others follow.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    asking: PlanAsking,
    /// Prints what the model is asked, and asks nobody.
    #[arg(long)]
    ask_nobody: bool,
    /// Writes the first graph to a file, which the page GraphRunner opens.
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// Prints a line of JSON for every question as well.
    #[arg(long)]
    lines: bool,
}

/// How many questions of a kind there were, and what became of their plans.
#[derive(Clone, Copy, Default)]
struct Count {
    n: usize,
    verified: usize,
    right: usize,
    same: usize,
}

impl Count {
    fn add(&mut self, other: Self) {
        self.n += other.n;
        self.verified += other.verified;
        self.right += other.right;
        self.same += other.same;
    }

    fn row(self, kind: &str) -> Vec<String> {
        let share = |of: usize| {
            let range = wilson(of as f64, self.n as f64).map_or_else(String::new, |i| {
                format!(" ({:.1}–{:.1})", 100.0 * i.low, 100.0 * i.high)
            });
            format!("{:.1} %{range}", 100.0 * of as f64 / self.n.max(1) as f64)
        };
        let shares = [self.verified, self.right, self.same].map(share);
        [kind.to_owned(), self.n.to_string()].into_iter().chain(shares).collect()
    }
}

/// Lets the model plan once; gives what it wrote, too.
fn planned(
    finder: &Finder,
    question: &KgQuestion,
    options: &KgOptions,
    model: &dyn Model,
) -> Result<(Count, String)> {
    let (clock, cancel) = (clock(), Cancel::default());
    let limits = Limits::default();
    let setting = RunContext { limits, seed: None, clock: &clock, cancel: &cancel, watch: &() };
    let (away, has_person) = (None, false);
    let request =
        KgRequest { system: SYSTEM.id, finder, question, options, setting, away, has_person };
    // A client blocks and a model here computes, so that every future is ready when it is looked at.
    let planned = plan(&request, model, &mut |_| {})
        .now_or_never()
        .context("internal error: the planner did not come to its end")?;
    let mut count = Count { n: 1, ..Count::default() };
    let Some(made) = planned.plan.as_ref() else { return Ok((count, planned.fault())) };
    let verified = verify(made, finder.kg().schema(), options.semantics, &question.question);
    if let Some(ready) = &verified.ready {
        let found = execute(ready, finder, FindOptions::default()).answer().texts(finder.kg());
        let set = |names: &[String]| names.iter().cloned().collect::<BTreeSet<String>>();
        count.verified = 1;
        count.right = usize::from(set(&found) == set(&question.answers));
    }
    let printed = print_plan(made);
    count.same =
        usize::from(question.plan.as_ref().is_some_and(|plan| print_plan(plan) == printed));
    Ok((count, printed))
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let options = KgOptions::for_tiny();
    let model = args.asking.model()?;
    let mut counts: BTreeMap<u32, Count> = BTreeMap::new();
    let (mut all, mut extended) = (Count::default(), Count::default());
    if let Some(path) = &args.write {
        let kg = tiny(args.seed, TinyNames::Ordinary)?;
        let format = formats::sniff(&path.to_string_lossy(), "")
            .with_context(|| format!("{}: no format has this ending", path.display()))?;
        output::write(path, (format.write)(&kg))?;
    }
    let mut out = output::stdout();
    let bar = output::bar(args.n);
    for seed in (args.seed..).take(args.n) {
        let kg = Arc::new(tiny(seed, TinyNames::Ordinary)?);
        let finder = Finder::new(kg, Rc::new(NGrams));
        let Some(question) = generate_tiny(finder.kg(), 1, seed).pop() else { continue };
        if args.ask_nobody {
            let prompt = plan_prompt(finder.kg(), &options, &question.question);
            let asked = prompt.last().map_or("", |message: &Message| message.content.as_str());
            writeln!(out, "{asked}\n")?;
            continue;
        }
        let (count, written) = planned(&finder, &question, &options, model.as_ref())?;
        if args.lines {
            let right = question.plan.as_ref().map(print_plan);
            let line = json!({
                "seed": seed, "question": question.question, "written": written, "right": right,
                "verifies": count.verified > 0, "finds_the_answer": count.right > 0,
            });
            writeln!(out, "{line}")?;
        }
        counts.entry(question.hops).or_default().add(count);
        all.add(count);
        // More steps than the hops and the node: a filter or a count.
        if question.plan.is_some_and(|plan| plan.steps.len() > question.hops as usize + 1) {
            extended.add(count);
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if args.ask_nobody {
        return Ok(ExitCode::SUCCESS);
    }
    if all.n == 0 {
        bail!("there are no questions; give a larger --n");
    }
    let hops = |n: &u32| if *n == 1 { "1 hop".to_owned() } else { format!("{n} hops") };
    let mut rows: Vec<Vec<String>> = counts.iter().map(|(n, count)| count.row(&hops(n))).collect();
    rows.push(extended.row("with a filter or a count"));
    rows.push(all.row("all"));
    table::write(
        &mut out,
        &["questions", "n", "plan verifies", "finds the right answer", "is the right plan"],
        &rows,
    )?;
    Ok(ExitCode::SUCCESS)
}
