//! `graphground tokens`: what the tools cost in tokens, all of them and those that a question
//! needs; whether a graph of a thousand nodes fits a small context; and whether retrieval finds the
//! function for questions in other words.

mod rescue;
mod unseen;

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use agent::{Cancel, Limits, RunContext, choose};
use anyhow::Context as _;
use futures_util::FutureExt as _;
use graph::{Delta, Graph, NodeName, generators};
use llm::{Message, ToolSpec};
use serde_json::json;
use systems::grounded::retrieval::{N_TOOLS, choosing};
use systems::grounded::scripted::Script;
use systems::grounded::{GraphTools, Surface};
use systems::{Run, RunOptions, RunRequest, run_system};
use tasks::{EdgeNumber, Problem, Query, SideSizes, Style, TaskGroup, TaskId, Verdict, Wording};
use tiktoken_rs::CoreBPE;
use trace::{StepBody, Trace};

use companion::{input, limits, output, table};

/// The context of the paper's model, in tokens.
const CONTEXT: usize = 8_192;

/// Options of `tokens`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Functions that are sent beside those that build a graph.
    #[arg(long, default_value_t = N_TOOLS)]
    n_tools: usize,
    /// Problems of each task and level.
    #[arg(long, default_value_t = 20)]
    count: u64,
    /// Prints JSON instead of a table.
    #[arg(long)]
    json: bool,
    /// Looks for the functions that answer questions in words that the index was not written for:
    /// by BM25, by the table of words, and by MiniLM where `meaning fetch` has brought it.
    #[arg(long)]
    unseen: bool,
    /// Other questions for `--unseen`: a line each, FUNCTION|…, a tab, the question.
    #[arg(long, requires = "unseen")]
    questions: Option<PathBuf>,
    /// Where MiniLM is kept.
    #[arg(long, requires = "unseen")]
    cache: Option<PathBuf>,
    /// Prints `crates/systems/src/grounded/tokens.rs`: the tokens of each tool's definition.
    #[arg(long)]
    table: bool,
}

/// One task's figures.
#[derive(Default)]
struct Figures {
    retrieved: usize,
    n_problems: usize,
    used: usize,
    found: usize,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let bpe = tiktoken_rs::o200k_base().context("the vocabulary o200k_base")?;
    if args.table {
        return print_table(&bpe);
    }
    let specs = agent::ToolSet::specs(&GraphTools::default());
    if args.unseen {
        let given = args.questions.as_deref().map(|p| input::text(p, limits::TEXT)).transpose()?;
        let mut out = output::stdout();
        unseen::print(&mut out, &bpe, &specs, given.as_deref(), args.cache.as_deref())?;
        out.flush()?;
        return Ok(ExitCode::SUCCESS);
    }
    let all = count_tools(&bpe, &specs);
    let mut rows = Vec::new();
    for task in TaskGroup::NlGraph.tasks().map(tasks::task) {
        let mut figures = Figures::default();
        for level in task.difficulties {
            for seed in 0..args.count {
                let problem = task.generate(*level, seed);
                one(&bpe, &specs, &problem, args.n_tools, &mut figures)?;
            }
        }
        rows.push((task.id, figures));
    }
    let large = TaskGroup::NlGraph
        .tasks()
        .map(|task| large(&bpe, task, args.n_tools))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let turns = rescue::count(&bpe, args.n_tools)?;
    let mut out = output::stdout();
    if args.json {
        let tasks: Vec<_> = rows
            .iter()
            .map(|(task, f)| {
                json!({ "task": task, "problems": f.n_problems,
                        "tokens_all": all, "tokens_retrieved": f.retrieved / f.n_problems.max(1),
                        "functions_used": f.used, "functions_found": f.found })
            })
            .collect();
        let large: Vec<_> = large
            .iter()
            .map(|l| {
                json!({ "task": l.task, "nodes": 1000, "edges": 5000,
                             "largest_request_tokens": l.tokens, "verdict": l.verdict })
            })
            .collect();
        let rescue = json!({ "turns": turns.n_turns, "tokens_all": turns.all,
                             "tokens_retrieved": turns.sent, "functions_used": turns.used,
                             "functions_found": turns.found });
        let all = json!({ "vocabulary": "o200k_base", "tasks": tasks, "attached": large,
                          "rescue": rescue });
        serde_json::to_writer_pretty(&mut out, &all)?;
        writeln!(out)?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "Tool definitions in tokens (o200k_base), {} functions in all", specs.len())?;
    let cells: Vec<Vec<String>> = rows
        .iter()
        .map(|(task, f)| {
            let mean = f.retrieved / f.n_problems.max(1);
            vec![
                task.to_string(),
                all.to_string(),
                mean.to_string(),
                format!("{:.1} %", 100.0 * mean as f64 / all as f64),
                format!("{} of {}", f.found, f.used),
            ]
        })
        .collect();
    table::write(&mut out, &["task", "all", "retrieved", "share", "functions found"], &cells)?;
    writeln!(out, "\nDisaster response, {} turns of the careful script", turns.n_turns)?;
    let share = format!("{:.1} %", 100.0 * turns.sent as f64 / turns.all as f64);
    let found = format!("{} of {}", turns.found, turns.used);
    let cells = [vec![turns.all.to_string(), turns.sent.to_string(), share, found]];
    table::write(&mut out, &["all", "retrieved", "share", "functions found"], &cells)?;
    writeln!(
        out,
        "\nAn attached graph of 1000 nodes and 5000 edges, the largest request in tokens"
    )?;
    let cells: Vec<Vec<String>> = large
        .iter()
        .map(|l| vec![l.task.to_string(), l.tokens.to_string(), format!("{:?}", l.verdict)])
        .collect();
    table::write(&mut out, &["task", "tokens", "verdict"], &cells)?;
    out.flush()?;
    Ok(if large.iter().all(Large::holds) { ExitCode::SUCCESS } else { ExitCode::from(3) })
}

/// The source of the table that `systems` ships, so that a page knows the figures without a vocabulary.
fn print_table(bpe: &CoreBPE) -> anyhow::Result<ExitCode> {
    let mut out = output::stdout();
    writeln!(
        out,
        "//! Tokens of each tool's definition, counted with the vocabulary `o200k_base`."
    )?;
    writeln!(out, "//!")?;
    writeln!(
        out,
        "//! Made by `graphground tokens --table`; a test of the companion holds it current."
    )?;
    writeln!(out)?;
    writeln!(out, "/// Names of tools with their tokens, in the order in which they are offered.")?;
    writeln!(out, "pub(super) const TOKENS: &[(&str, u64)] = &[")?;
    for spec in agent::ToolSet::specs(&GraphTools::default().with_compact_results(1).with_look_up())
    {
        let n = count_tools(bpe, std::slice::from_ref(&spec));
        writeln!(out, "    ({:?}, {n}),", spec.name)?;
    }
    writeln!(out, "];")?;
    let guided = agent::ToolSet::specs(&GraphTools::default().with_guide());
    writeln!(out, "\n/// The tokens of `create_graph` as a guided model reads it.")?;
    let n = count_tools(bpe, &guided[..1]);
    writeln!(out, "pub(super) const GUIDED_CREATE: u64 = {n};")?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// The definitions as an endpoint gets them.
fn count_tools(bpe: &CoreBPE, specs: &[ToolSpec]) -> usize {
    let shapes: Vec<_> = specs
        .iter()
        .map(|t| {
            json!({ "type": "function", "function": {
                "name": t.name, "description": t.description, "parameters": t.parameters }})
        })
        .collect();
    bpe.encode_ordinary(&json!(shapes).to_string()).len()
}

fn play(problem: &Problem, question: &str, options: RunOptions) -> anyhow::Result<Run> {
    let system = systems::nlgraph::find("grounded").context("the system `grounded`")?;
    let (limits, cancel) = (Limits::default(), Cancel::default());
    let setting = RunContext { limits, seed: None, clock: &|| 0.0, cancel: &cancel, watch: &() };
    let request = RunRequest { system, problem, question, options, setting, python: None };
    run_system(request, &Script::Careful, &mut |_| {})
        .now_or_never()
        .context("a script answers at once")
}

/// The functions that a run calls, each once.
fn called_in(trace: &Trace) -> BTreeSet<&str> {
    let steps = trace.steps.iter();
    steps
        .filter_map(|step| match &step.body {
            StepBody::Call { call, .. } => Some(call.name.as_str()),
            _ => None,
        })
        .collect()
}

/// Which functions the solution of a problem calls, and which of them retrieval finds.
fn one(
    bpe: &CoreBPE,
    specs: &[ToolSpec],
    problem: &Problem,
    n_tools: usize,
    figures: &mut Figures,
) -> anyhow::Result<()> {
    let question = problem.question(Wording::Benchmark, Style::ZeroShot);
    let sent = choose(&choosing(n_tools), specs, &[Message::user(question.as_str())]);
    let run = play(problem, &question, RunOptions::default())?;
    let used = called_in(&run.trace);
    figures.n_problems += 1;
    figures.retrieved += count_tools(bpe, &sent);
    figures.used += used.len();
    figures.found += used.iter().filter(|name| sent.iter().any(|s| s.name == **name)).count();
    Ok(())
}

struct Large {
    task: TaskId,
    tokens: usize,
    verdict: Verdict,
}

impl Large {
    /// Whether it fits the paper's context, and the answer comes.
    fn holds(&self) -> bool {
        self.tokens <= CONTEXT && self.verdict == Verdict::Correct
    }
}

/// A graph of 1,000 nodes and some 5,000 edges with numbers from 1 to 20, and a question about it: for
/// a matching 500 on each side, for a Hamilton path one that is there.
pub(crate) fn large_problem(task: TaskId) -> anyhow::Result<Problem> {
    let is_directed = task.is_directed();
    let weighted = task.edge_number() == EdgeNumber::Weight;
    let mut deltas = vec![Delta::Create { directed: is_directed, weighted }];
    let plain = generators::random_sparse(1000, 5000, is_directed, 7)?;
    let of_half = |name: &NodeName| name.to_string().parse::<usize>().unwrap_or(0) % 500;
    let is_two_sided = task == TaskId::Matching;
    let mut ends: Vec<(NodeName, NodeName)> =
        plain.edges().map(|e| (e.source.clone(), e.target.clone())).collect();
    if is_two_sided {
        let sides = |(a, b): (NodeName, NodeName)| {
            let side = |letter: char, of: usize| NodeName::from(format!("{letter}{of}").as_str());
            (side('a', of_half(&a)), side('j', of_half(&b)))
        };
        ends = ends.into_iter().map(sides).collect::<BTreeSet<_>>().into_iter().collect();
        for letter in ['a', 'j'] {
            let node = |i| Delta::AddNode { node: format!("{letter}{i}").as_str().into() };
            deltas.extend((0..500).map(node));
        }
    } else {
        deltas.extend(plain.names().map(|node| Delta::AddNode { node: node.clone() }));
    }
    if task == TaskId::Hamilton {
        // 389 shares no factor with 1,000, so these steps come by every node once.
        let step =
            |i: usize| (NodeName::from(i * 389 % 1000), NodeName::from((i + 1) * 389 % 1000));
        let has: BTreeSet<_> = ends.iter().cloned().collect();
        let new = (0..999).map(step);
        ends.extend(new.filter(|(a, b)| {
            !has.contains(&(a.clone(), b.clone())) && !has.contains(&(b.clone(), a.clone()))
        }));
    }
    if task == TaskId::Gnn {
        let values = |i: usize| vec![(i % 5) as f64, (i % 3) as f64];
        let value = |(i, node): (usize, &NodeName)| Delta::SetEmbedding {
            node: node.clone(),
            values: values(i),
        };
        deltas.extend(plain.names().enumerate().map(value));
    }
    deltas.extend(ends.into_iter().enumerate().map(|(i, (source, target))| {
        let number = 1.0 + (i * 7 % 20) as f64;
        Delta::AddEdge {
            source,
            target,
            weight: weighted.then_some(number),
            capacity: (task.edge_number() == EdgeNumber::Capacity).then_some(number),
        }
    }));
    let graph = Graph::from_deltas(&deltas)?;
    let query = if is_two_sided {
        Some(Query::Matching(SideSizes { n_applicants: 500, n_jobs: 500 }))
    } else {
        task.between(&graph, "0".into(), "999".into())
    };
    let query = query.with_context(|| format!("no large problem of {task}"))?;
    Ok(Problem { difficulty: None, seed: Some(7), graph, query })
}

/// The largest request of a run on such a graph, with the tools that are sent.
fn large(bpe: &CoreBPE, task: TaskId, n_tools: usize) -> anyhow::Result<Large> {
    let problem = large_problem(task)?;
    let question = problem.attached_question(Wording::Improved);
    let options = RunOptions {
        attach: true,
        surface: Surface { choosing: choosing(n_tools), ..Surface::default() },
        ..RunOptions::default()
    };
    let run = play(&problem, &question, options)?;
    let trace = &run.trace;
    let tokens = (0..trace.steps.len())
        .filter_map(|i| trace.request_of(i))
        .map(|rebuilt| {
            let request = rebuilt.request;
            let words: Vec<_> = request.messages.iter().map(|m| json!(m)).collect();
            bpe.encode_ordinary(&json!(words).to_string()).len() + count_tools(bpe, &request.tools)
        })
        .max()
        .unwrap_or(0);
    // What the model says last counts into the same context.
    let said = trace.answer().map_or(0, |text| bpe.encode_ordinary(text).len());
    Ok(Large { task, tokens: tokens + said, verdict: run.judgement.verdict })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_graph_of_every_task_is_answered_in_the_papers_context() {
        let bpe = tiktoken_rs::o200k_base().unwrap();
        for task in TaskGroup::NlGraph.tasks() {
            let large = large(&bpe, task, 3).unwrap();
            assert!(large.holds(), "{task}: {} tokens, {:?}", large.tokens, large.verdict);
        }
    }
}
