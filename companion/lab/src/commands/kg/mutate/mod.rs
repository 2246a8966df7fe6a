//! `graphground kg mutate`: plans changed without the verifier's help, and what it then misses.
//!
//! `kg corrupt` asks the schema which change makes a plan wrong, with the functions that the verifier
//! asks, so the rules cannot miss. Here the text of a plan is changed by chance, plans of another graph
//! or of a model are taken, and a walk of its own ([`walk`]) tells whether the plan still finds what
//! the right one finds.

mod walk;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use kg::Kg;
use kg::find::Finder;
use kg::plan::{Plan, Semantics, Severity, check_data, execute, print_plan, verify};
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use tasks::kgqa::{generate, program, read_questions};

use self::walk::Walker;
use companion::commands::kg::load::{self, KgFiles, Rules};
use companion::{input, limits, output, table};

/// So many misses are printed of each kind.
const SHOWN: usize = 3;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    source: KgFiles,
    #[command(flatten)]
    rules: Rules,
    /// Questions whose `path` gives the right plans; generated ones for a metro network if left out.
    #[arg(long)]
    qa: Option<PathBuf>,
    /// Plans that others wrote for these questions, a JSON object a line: `id` of the question, and
    /// `plan` or `steps`. `kg plan --model … ` writes such lines.
    #[arg(long)]
    plans: Option<PathBuf>,
    /// So many plans of each kind of change.
    #[arg(long, default_value_t = 1000)]
    n: usize,
    /// The same seed changes the same.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// A change of a plan's text that asks no schema whether it matters.
#[derive(Clone, Copy)]
enum Change {
    Letter,
    Spelling,
    OtherEdgeType,
    OtherNodeType,
    OtherEntity,
    Turned,
    StepLeftOut,
    StepsSwapped,
    OtherBeginning,
}

impl Change {
    const ALL: [(Self, &str); 9] = [
        (Self::Letter, "a letter of a type is lost, doubled or swapped"),
        (Self::Spelling, "a type in capitals, or with spaces"),
        (Self::OtherEdgeType, "another edge type of the graph"),
        (Self::OtherNodeType, "another node type of the graph"),
        (Self::OtherEntity, "another entity of the graph"),
        (Self::Turned, "an edge followed the other way"),
        (Self::StepLeftOut, "a step left out"),
        (Self::StepsSwapped, "two steps swapped"),
        (Self::OtherBeginning, "a step begins from another"),
    ];

    fn apply(self, plan: &Plan, kg: &Kg, rng: &mut ChaCha8Rng) -> Option<Plan> {
        let mut plan = plan.clone();
        let schema = kg.schema();
        let n = plan.steps.len();
        match self {
            Self::Letter | Self::Spelling => {
                let mut names: Vec<&mut String> = Vec::new();
                for step in &mut plan.steps {
                    names.extend(step.node_type.iter_mut().chain(&mut step.edge_type));
                    names.extend(step.of.iter_mut().filter_map(|e| e.edge_type.as_mut()));
                }
                if names.is_empty() {
                    return None;
                }
                let at = rng.random_range(0..names.len());
                let name = names.swap_remove(at);
                *name = match self {
                    Self::Letter => slip(name, rng)?,
                    _ if name.contains('_') => name.replace('_', " "),
                    _ => name.to_uppercase(),
                };
            }
            Self::OtherEdgeType => {
                let all: Vec<&str> = schema.edge_types().iter().map(|e| e.name.as_str()).collect();
                let mut names: Vec<&mut String> = Vec::new();
                for step in &mut plan.steps {
                    names.extend(&mut step.edge_type);
                    names.extend(step.of.iter_mut().filter_map(|e| e.edge_type.as_mut()));
                }
                replace(names, &all, rng)?;
            }
            Self::OtherNodeType => {
                let all: Vec<&str> = schema.node_types().iter().map(|e| e.name.as_str()).collect();
                replace(
                    plan.steps.iter_mut().filter_map(|s| s.node_type.as_mut()).collect(),
                    &all,
                    rng,
                )?;
            }
            Self::OtherEntity => {
                let at = rng.random_range(0..kg.n_nodes());
                let name = kg.nodes().nth(at).map(|node| kg.name(node))?;
                replace(
                    plan.steps.iter_mut().filter_map(|s| s.hint.as_mut()).collect(),
                    &[name],
                    rng,
                )?;
            }
            Self::Turned => {
                use kg::Direction::{In, Out};
                let hops: Vec<usize> =
                    (0..n).filter(|i| plan.steps[*i].edge_type.is_some()).collect();
                let step = &mut plan.steps[*hops.choose(rng)?];
                step.direction = Some(if step.direction == Some(In) { Out } else { In });
            }
            Self::StepLeftOut if n > 1 => drop(plan.steps.remove(rng.random_range(0..n))),
            Self::StepsSwapped if n > 1 => {
                let at = rng.random_range(1..n);
                plan.steps.swap(at - 1, at);
            }
            Self::OtherBeginning if n > 2 => {
                let at = rng.random_range(1..n);
                let other = plan.steps[rng.random_range(0..n)].id.clone();
                let step = &mut plan.steps[at];
                match step.of.first_mut() {
                    Some(entry) => entry.from = other,
                    None => step.from = Some(other),
                }
            }
            Self::StepLeftOut | Self::StepsSwapped | Self::OtherBeginning => return None,
        }
        Some(plan)
    }
}

/// A name with one letter lost, doubled, or swapped with the next.
fn slip(name: &str, rng: &mut ChaCha8Rng) -> Option<String> {
    let mut letters: Vec<char> = name.chars().collect();
    let at = rng.random_range(0..letters.len().max(1));
    let letter = *letters.get(at)?;
    match rng.random_range(0..3) {
        0 => drop(letters.remove(at)),
        1 => letters.insert(at, letter),
        _ if at + 1 < letters.len() && letters[at] != letters[at + 1] => letters.swap(at, at + 1),
        _ => letters.push('s'),
    }
    Some(letters.into_iter().collect())
}

/// Puts another of some names in the place of one of these.
fn replace(mut names: Vec<&mut String>, all: &[&str], rng: &mut ChaCha8Rng) -> Option<()> {
    if names.is_empty() {
        return None;
    }
    let at = rng.random_range(0..names.len());
    let name = names.swap_remove(at);
    let others: Vec<&&str> = all.iter().filter(|other| **other != *name).collect();
    *name = (**others.choose(rng)?).to_owned();
    Some(())
}

/// What became of the plans of one kind.
#[derive(Default)]
struct Tally {
    n: usize,
    /// Those that no longer find what the right plan finds.
    wrong: usize,
    on_schema: usize,
    on_data: usize,
    /// Wrong ones that nothing caught.
    missed: usize,
    /// Those that still find it, and were refused all the same.
    alarms: usize,
    /// Where walk and executor differ: an internal error, or a node found by a name much like the hint.
    differ: usize,
    shown: Vec<String>,
}

struct Judge<'a> {
    finder: &'a Finder,
    walker: Walker<'a>,
    semantics: Semantics,
    rules: &'a Rules,
}

impl Judge<'_> {
    fn look(&self, plan: &Plan, right: &[String], tally: &mut Tally) {
        let verified = verify(plan, self.finder.kg().schema(), self.semantics, "");
        let errs = |f: &kg::plan::PlanFinding| f.severity == Severity::Error;
        let walked = self.walker.answer(plan);
        // A plan that is let through finds what is then executed; one that is refused, what it would.
        let executed = verified.ready.as_ref().map(|ready| {
            let executed = execute(ready, self.finder, self.rules.find());
            let mut texts = executed.answer().texts(self.finder.kg());
            texts.sort_unstable();
            texts.dedup();
            texts
        });
        if let (Some(executed), Some(walked)) = (&executed, &walked) {
            // The executor finds a node by a name much like the hint; the walk knows names alone.
            tally.differ += usize::from(executed != walked && !walked.is_empty());
        }
        let found = executed.or(walked);
        let is_wrong = found.as_deref() != Some(right);
        let on_schema = verified.ready.is_none();
        let on_data = verified.ready.as_ref().is_some_and(|ready| {
            check_data(ready, self.finder, self.rules.find()).iter().any(errs)
        });
        tally.n += 1;
        tally.wrong += usize::from(is_wrong);
        tally.on_schema += usize::from(is_wrong && on_schema);
        tally.on_data += usize::from(is_wrong && on_data);
        tally.alarms += usize::from(!is_wrong && (on_schema || on_data));
        if is_wrong && !on_schema && !on_data {
            tally.missed += 1;
            if tally.shown.len() < SHOWN {
                let short = |names: &[String]| {
                    let some: Vec<&str> = names.iter().take(3).map(String::as_str).collect();
                    format!("{}{}", some.join(", "), if names.len() > 3 { ", …" } else { "" })
                };
                let found = found.map_or_else(|| "nothing that runs".to_owned(), |f| short(&f));
                let steps = print_plan(plan).trim_end().replace('\n', "; ");
                tally.shown.push(format!("{steps}\n    finds {found}; right is {}", short(right)));
            }
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let finder = args.source.finder()?;
    let kg = finder.kg();
    let semantics = args.rules.semantics()?;
    let judge = Judge {
        finder: &finder,
        walker: Walker::new(kg, semantics.max_hops),
        semantics,
        rules: &args.rules,
    };
    let gold: BTreeMap<String, Plan> = match &args.qa {
        Some(path) => {
            let rows = read_questions(&input::text(path, limits::TEXT)?)
                .with_context(|| path.display().to_string())?;
            let plan = |row: tasks::kgqa::QuestionRow| {
                Some((row.question.id.clone(), program(&row, kg).ok()?))
            };
            rows.into_iter().filter_map(plan).collect()
        }
        None => generate(kg, 500, 1, args.seed)
            .into_iter()
            .filter_map(|q| Some((q.id, q.plan?)))
            .collect(),
    };
    // Right plans whose answer the walk cannot tell are of no use here.
    let gold: BTreeMap<String, (Plan, Vec<String>)> = gold
        .into_iter()
        .filter_map(|(id, plan)| {
            let right = judge.walker.answer(&plan)?;
            (!right.is_empty()).then_some((id, (plan, right)))
        })
        .collect();
    if gold.is_empty() {
        bail!("there are no right plans that can be walked; give --qa, or a metro network");
    }
    let mut tallies: Vec<(&str, Tally)> = Vec::new();
    let mut whole = Tally::default();
    for (plan, right) in gold.values() {
        judge.look(plan, right, &mut whole);
    }
    tallies.push(("right plans, as they are", whole));
    match &args.plans {
        Some(path) => {
            let mut tally = Tally::default();
            for line in load::plans(path)? {
                let right = gold.get(&line.id).map(|(_, right)| right.as_slice());
                match (line.plan, right) {
                    (Ok(plan), Some(right)) => judge.look(&plan, right, &mut tally),
                    // Written for another graph: whatever it finds here is not what was asked.
                    (Ok(plan), None) => judge.look(&plan, &[], &mut tally),
                    (Err(_), _) => {}
                }
            }
            tallies.push(("plans of the file", tally));
        }
        None => {
            let mut rng = ChaCha8Rng::seed_from_u64(args.seed);
            let all: Vec<&(Plan, Vec<String>)> = gold.values().collect();
            for (change, title) in Change::ALL {
                let mut tally = Tally::default();
                // A graph may not allow a kind at all: then it is not tried for ever.
                for _ in 0..args.n.saturating_mul(20) {
                    if tally.n >= args.n {
                        break;
                    }
                    let Some((plan, right)) = all.choose(&mut rng) else { break };
                    if let Some(changed) = change.apply(plan, kg, &mut rng) {
                        judge.look(&changed, right, &mut tally);
                    }
                }
                tallies.push((title, tally));
            }
        }
    }
    write(&tallies, gold.len())
}

fn write(tallies: &[(&str, Tally)], n_right: usize) -> anyhow::Result<ExitCode> {
    let mut out = output::stdout();
    writeln!(out, "{n_right} right plans\n")?;
    let rows: Vec<Vec<String>> = tallies
        .iter()
        .map(|(title, t)| {
            let numbers =
                [t.n, t.wrong, t.on_schema, t.on_data, t.missed, t.alarms].map(|n| n.to_string());
            std::iter::once((*title).to_owned()).chain(numbers).collect()
        })
        .collect();
    let head = [
        "changed in this way",
        "plans",
        "wrong",
        "on the schema",
        "on the data",
        "missed",
        "alarms",
    ];
    table::write(&mut out, &head, &rows)?;
    for (title, tally) in tallies.iter().filter(|(_, t)| !t.shown.is_empty()) {
        writeln!(out, "\nmissed: {title}")?;
        for shown in &tally.shown {
            writeln!(out, "  {shown}")?;
        }
    }
    let differ: usize = tallies.iter().map(|(_, t)| t.differ).sum();
    if differ > 0 {
        writeln!(out, "\n{differ} plans find something else by the executor than by the walk")?;
    }
    out.flush()?;
    Ok(if differ == 0 { ExitCode::SUCCESS } else { ExitCode::from(3) })
}
