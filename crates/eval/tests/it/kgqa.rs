//! The tables of GraphRunner's paper over runs that models would have made.

use std::rc::Rc;
use std::sync::Arc;

use agent::Cancel;
use eval::labels::{self, ReaderLabel};
use eval::report::ReportOptions;
use eval::tables::Table;
use eval::{
    BenchPlan, Case, Entry, JobContext, Key, Report, RunEntry, RunOutcome, Runs, Setup, run,
};
use futures_util::FutureExt as _;
use kg::find::Finder;
use kg::generators::metro;
use llm::Endpoint;
use systems::experiment::{JUDGE, Models, RoleModel, World};
use systems::experiments;
use systems::kgqa::experiment::{ID, case, world_name};
use systems::kgqa::{FailureClass, KgWorld};
use tasks::Verdict;
use tasks::kgqa::generate;
use trace::Trace;

/// A setup whose model is said to be at an endpoint: a script plays it all the same.
fn setup(system: &str) -> Setup {
    let model = RoleModel::at(&Endpoint::new("openai", ""), "script");
    experiments::find(ID).unwrap().setup(system, &[model.clone(), model]).unwrap()
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
    let world =
        World::new(KgWorld { finder: Rc::new(Finder::new(kg, Rc::new(text::NGrams))), away: None });
    let plan = BenchPlan { setups, cases, n_samples: 1, shard: None };
    let time = std::cell::Cell::new(0.0);
    let clock = || {
        time.set(time.get() + 2.0);
        time.get()
    };
    let count = |text: &str| text.len() / 4;
    let experiment = experiments::find(ID).unwrap();
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

/// Runs whose planner errs by chance, so that some are not right.
fn failing() -> (Runs, String) {
    let mut text = String::new();
    let mut runs = runs_of(&BOTH, None, false);
    // A run that found nothing, one that made its answer up, one that means something else.
    for (i, class) in [FailureClass::Reasoning, FailureClass::Hallucination].iter().enumerate() {
        for run in runs.runs.iter_mut().skip(3 * i).take(3) {
            run.score.verdict = Verdict::Incorrect;
            run.score.measures.insert(class.id().to_owned(), 1.0);
        }
    }
    for entry in runs.clone().into_entries() {
        text.push_str(&entry.line());
    }
    (runs, text)
}

fn said(key: &Key, reader: &str, class: &str, at_ms: f64) -> String {
    let (key, reader, class) = (key.clone(), reader.to_owned(), class.to_owned());
    Entry::<Trace>::Label(ReaderLabel { key, reader, class, at_ms }).line()
}

#[test]
fn readers_sort_what_is_not_right_beside_the_rules() {
    let (runs, text) = failing();
    let keys: Vec<&Key> = runs.runs.iter().map(|r| &r.key).take(6).collect();
    assert!(tables(&runs).iter().all(|t| !t.title.contains("readers")));
    let mut labelled = text.clone();
    for (i, key) in keys.iter().enumerate() {
        let rule = if i < 3 { "reasoning" } else { "hallucination" };
        labelled += &said(key, "Ada", rule, 1.0);
        // Ben says otherwise of the first, takes one back and leaves one out.
        let other = if i == 0 { labels::RIGHT } else { rule };
        if i != 5 {
            labelled += &said(key, "Ben", other, 1.0);
        }
    }
    labelled += &said(keys[1], "Ben", labels::NONE, 2.0);
    // A run that is right needs no class: what is said of it counts nowhere.
    labelled += &said(&runs.runs[9].key, "Ada", "context", 1.0);
    let read = Runs::<Trace>::read(&labelled).unwrap();
    let all = tables(&read);
    let agree = table(&all, "How readers agree");
    let row = |a: &str, b: &str| {
        let line = agree.rows.iter().find(|r| r.cells[0] == a && r.cells[1] == b).unwrap();
        line.cells[2..].to_vec()
    };
    assert_eq!(row("the rules", "Ada")[..3], ["6", "6", "100.00%"]);
    assert_eq!(row("Ada", "Ben")[..3], ["4", "3", "75.00%"]);
    // Three classes seen: by chance they agree in (2·1 + 2·2) / 16.
    assert_eq!(
        row("Ada", "Ben")[4],
        format!("{:.2}", (3.0 / 4.0 - 6.0 / 16.0) / (1.0 - 6.0 / 16.0))
    );
    let by_reader = table(&all, "sorted by readers");
    // The six are of two setups, each with its row.
    let of_ben: Vec<_> = by_reader.rows.iter().filter(|r| r.cells[1] == "Ben").collect();
    let sum = |column: usize| -> usize {
        of_ben
            .iter()
            .map(|r| r.cells[column].split(' ').next().unwrap().parse::<usize>().unwrap())
            .sum()
    };
    assert_eq!((3..8).map(sum).collect::<Vec<_>>(), [2, 1, 0, 0, 1]);
    assert_eq!((sum(2), of_ben.iter().all(|r| r.cells[2].ends_with("of 3"))), (4, true));
    // What readers say survives writing, merging and scoring again.
    let mut merged = Runs::<Trace>::read(&text).unwrap();
    merged.absorb(read.clone()).unwrap();
    assert_eq!(merged.labels, read.labels);
    let (again, _) = eval::score_again(read.clone(), &World::default()).unwrap();
    assert_eq!(again.labels.len(), read.labels.len());
    let lines: String = read.clone().into_entries().map(|e| e.line()).collect();
    assert_eq!(Runs::<Trace>::read(&lines).unwrap().labels, read.labels);
}

#[test]
fn a_label_that_cannot_be_is_refused_with_its_line() {
    let (runs, text) = failing();
    let key = &runs.runs[0].key;
    let unknown = Key { case: "none".into(), ..key.clone() };
    for (line, told) in [
        (
            said(key, "Ada", "lazy", 0.0),
            "there is no class \"lazy\" of kgqa; there are hallucination",
        ),
        (said(key, " ", "reasoning", 0.0), "a reader's name has 1 to 60 letters"),
        (said(&unknown, "Ada", "reasoning", 0.0), "no case \"none\" stands before it"),
    ] {
        let error = Runs::<Trace>::read(&format!("{text}{line}")).unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
    }
}
