//! The tables of GraphRunner's paper over runs that models would have made.
#![allow(clippy::unwrap_used)]

use std::rc::Rc;
use std::sync::Arc;

use agent::Cancel;
use eval::report::ReportOptions;
use eval::tables::Table;
use eval::{BenchPlan, Case, Entry, JobContext, Report, RunEntry, RunOutcome, Runs, Setup, run};
use futures_util::FutureExt as _;
use kg::find::Finder;
use kg::generators::metro;
use llm::Endpoint;
use systems::experiment::{self, JUDGE, Models, RoleModel, World};
use systems::kgqa::KgWorld;
use systems::kgqa::experiment::{ID, case, world_name};
use tasks::kgqa::generate;
use trace::Trace;

/// A setup whose model is said to be at an endpoint: a script plays it all the same.
fn setup(system: &str) -> Setup {
    let model = RoleModel::at(&Endpoint::new("openai", ""), "script");
    experiment::find(ID).unwrap().setup(system, &[model.clone(), model]).unwrap()
}

/// Runs of some systems on questions about a city, in a world of that name.
fn runs_of(systems: &[&str], world: Option<&str>, with_judge: bool) -> Runs {
    let kg = Arc::new(metro(6, 2).unwrap());
    let name = world.map_or_else(|| world_name(&kg), str::to_owned);
    let questions = generate(&kg, 16, 1, 5);
    let cases: Vec<Case> = questions.iter().map(|q| case(q, &name).unwrap()).collect();
    let setups: Vec<Setup> = systems
        .iter()
        .map(|s| {
            let mut setup = setup(s);
            if !with_judge {
                setup.roles.remove(JUDGE.id);
            }
            setup
        })
        .collect();
    let world = World::new(KgWorld { finder: Finder::new(kg, Rc::new(text::NGrams)), away: None });
    let plan = BenchPlan { setups, cases, n_samples: 1, shard: None };
    let time = std::cell::Cell::new(0.0);
    let clock = || {
        time.set(time.get() + 2.0);
        time.get()
    };
    let count = |text: &str| text.len() / 4;
    let experiment = experiment::find(ID).unwrap();
    let mut text = Entry::<Trace>::head().line();
    for setup in &plan.setups {
        let entry: Entry = Entry::Setup { hash: setup.hash(), setup: Box::new(setup.clone()) };
        text.push_str(&entry.line());
    }
    for case in &plan.cases {
        text.push_str(&Entry::<Trace>::Case(Box::new(case.clone())).line());
    }
    for job in plan.jobs() {
        let setup = &plan.setups[job.setup];
        let roles = setup.roles.keys();
        let models = roles.map(|role| (role.clone(), experiment.script(role, "script").unwrap()));
        let models = models.collect();
        let context = JobContext {
            models: &models,
            world: &world,
            watch: &(),
            clock: &clock,
            at_ms: &|| 1e12,
            cancel: &Cancel::default(),
            count: Some(&count),
        };
        let future = run(job.key, setup, &plan.cases[job.case], context);
        match future.now_or_never().unwrap().unwrap() {
            RunOutcome::Finished(entry) => text.push_str(&Entry::Run(entry).line()),
            other => panic!("{other:?}"),
        }
    }
    Runs::read(&text).unwrap()
}

fn tables(runs: &Runs) -> Vec<Table> {
    Report::of(runs, ReportOptions::default()).tables(runs)
}

fn table<'t>(tables: &'t [Table], title: &str) -> &'t Table {
    tables.iter().find(|t| t.title.contains(title)).unwrap()
}

const BOTH: [&str; 2] = ["graphrunner", "graph_cot"];

#[test]
fn figures_of_the_paper_stand_under_its_own_graph_alone() {
    let has_papers = |tables: &[Table]| -> Vec<String> {
        let with = tables.iter().filter(|t| t.rows.iter().any(|r| r.is_reference));
        with.map(|t| t.title.clone()).collect()
    };
    let metro = tables(&runs_of(&BOTH, None, false));
    assert_eq!(has_papers(&metro), Vec::<String>::new());
    assert!(metro.iter().all(|t| !t.note.contains("italics")), "no source without its rows");
    // The same cases, said to be about a graph of GRBench.
    for (domain, graphrunner) in [("legal", "44.95%"), ("literature", "61.52%")] {
        let world = format!("some graph (9 nodes, 9 edges, 0), GRBench's graph on {domain}");
        let found = tables(&runs_of(&BOTH, Some(&world), false));
        let named = has_papers(&found);
        assert!(named.len() == 3 && named[0] == "Measures of answers", "{named:?}");
        let rows = &table(&found, "Measures").rows;
        let row = rows.iter().rfind(|r| r.is_reference).unwrap();
        assert!(row.cells[0].contains("GraphRunner") && row.cells[0].contains(domain));
        assert!(row.cells.iter().any(|c| c == graphrunner), "{:?}", row.cells);
        let ratio = table(&found, "Figure 3").rows.last().unwrap();
        assert!(ratio.is_reference && ratio.cells.iter().any(|c| c == "3.0–12.9"));
    }
    let unknown = tables(&runs_of(&BOTH, Some("x, GRBench's graph on cooking"), false));
    assert_eq!(has_papers(&unknown), Vec::<String>::new());
}

#[test]
fn levels_stand_in_their_order_and_hold_every_case() {
    let runs = runs_of(&BOTH, None, false);
    let all = tables(&runs);
    let figure = table(&all, "Figure 2");
    let levels: Vec<&str> = figure.rows.iter().map(|r| r.cells[0].as_str()).collect();
    assert_eq!(levels, ["easy", "easy", "medium", "medium", "hard", "hard"]);
    let n: usize = figure.rows.iter().map(|r| r.cells[2].parse::<usize>().unwrap()).sum();
    assert_eq!(n, runs.runs.len());
}

/// The geometric mean by hand, from the runs themselves.
#[test]
fn ratios_are_of_pairs_of_the_same_case() {
    let runs = runs_of(&BOTH, None, true);
    let all = tables(&runs);
    let figure = table(&all, "Figure 3");
    let of = |system: &str| -> Vec<&RunEntry> {
        runs.runs.iter().filter(|r| runs.setups[&r.key.setup].system == system).collect()
    };
    let (ours, theirs) = (of("graphrunner"), of("graph_cot"));
    let mut product = [1.0_f64; 2];
    for run in &ours {
        let other = theirs.iter().find(|o| o.key.case == run.key.case).unwrap();
        // The judge's tokens by its own turn, the last of the trace.
        let answering = |run: &RunEntry| {
            let (setup, case) = (&runs.setups[&run.key.setup], runs.case(&run.key.case).unwrap());
            let trace = run.whole_trace(setup, case, &[]);
            let mut sum = 0.0;
            for (i, step) in trace.steps.iter().enumerate() {
                let trace::StepBody::Model { message, .. } = &step.body else { continue };
                if trace.role_at(i) == JUDGE.id {
                    continue;
                }
                let read: usize =
                    trace.messages_before(i).iter().map(|m| m.content.len() / 4).sum();
                sum += 30.0 * read as f64 + 60.0 * (message.content.len() / 4) as f64;
            }
            sum
        };
        product[0] *= answering(other) / answering(run);
        product[1] *= other.cost.took_ms / run.cost.took_ms;
    }
    let root = |product: f64| product.powf(1.0 / ours.len() as f64);
    let total = figure.rows.iter().find(|r| r.is_total).unwrap();
    assert_eq!(total.cells[0], "all");
    assert_eq!(total.cells[3], ours.len().to_string());
    assert_eq!(total.cells[4], format!("{:.2}", root(product[0])));
    assert_eq!(total.cells[6], format!("{:.2}", root(product[1])));
    assert_eq!(total.cells[8], format!("{0} of {0}", ours.len()));
    let parts: usize = figure
        .rows
        .iter()
        .filter(|r| !r.is_total)
        .map(|r| r.cells[3].parse::<usize>().unwrap())
        .sum();
    assert_eq!(parts, ours.len());
    // One system alone makes no pair.
    assert!(
        tables(&runs_of(&["graphrunner"], None, false))
            .iter()
            .all(|t| !t.title.contains("Figure 3"))
    );
}

#[test]
fn a_judge_counts_in_the_cost_and_its_words_are_kept() {
    let (with, without) =
        (runs_of(&["graphrunner"], None, true), runs_of(&["graphrunner"], None, false));
    for (judged, plain) in with.runs.iter().zip(&without.runs) {
        assert_eq!(judged.key.case, plain.key.case);
        assert_eq!(judged.cost.n_rounds, plain.cost.n_rounds, "a judge's turn answers nothing");
        assert_eq!(judged.cost.tokens_of_answer(), plain.cost.tokens());
        let (all, answer) = (judged.cost.tokens().unwrap(), plain.cost.tokens().unwrap());
        assert!(all.0 > answer.0 && all.1 > answer.1, "{all:?} {answer:?}");
        assert!(judged.outcome["judge_said"].as_str().is_some_and(|said| !said.is_empty()));
        assert_eq!(judged.outcome["answer"], plain.outcome["answer"]);
        let (setup, case) = (&with.setups[&judged.key.setup], with.case(&judged.key.case).unwrap());
        let trace = judged.whole_trace(setup, case, &[]);
        let last = trace.steps.len() - 1;
        assert_eq!(trace.role_at(last), JUDGE.id);
        assert!(trace.request_of(last).is_some_and(|r| r.is_same == Some(true)));
        assert_ne!(trace.answer(), judged.outcome["judge_said"].as_str());
        // What a file holds is what is computed again from it.
        let drift = eval::check(judged, setup, case, &[], &World::default()).unwrap();
        assert_eq!(drift, None);
    }
    let all = tables(&with);
    let head = &table(&all, "Measures").head;
    assert!(head.iter().any(|h| h.contains("Judge not readable")), "{head:?}");
    let _ = Models::default();
}
