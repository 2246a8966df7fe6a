//! Runs made by scripts, written to a file, read back, added up.

use std::rc::Rc;

use agent::Cancel;
use eval::report::{ReportOptions, RowGroup};
use eval::stats::Outliers;
use eval::{
    BenchPlan, Case, Entry, JobContext, Report, RunEntry, RunOutcome, Runs, RunsError, Setup,
    compare, run,
};
use futures_util::FutureExt as _;
use proptest::prelude::*;
use serde::de::IgnoredAny;
use systems::experiment::{RoleModel, World};
use systems::experiments;
use systems::nlgraph;
use systems::nlgraph::problems::{generate, read};
use tasks::{Difficulty, TaskGroup as Suite, TaskId, Verdict};

fn cases(n: usize, seed: u64) -> Vec<Case> {
    let tasks: Vec<TaskId> = Suite::NlGraph.tasks().collect();
    let items = generate(&tasks, &[Difficulty::Easy], n, seed).unwrap();
    items.iter().map(|item| nlgraph::case(item).unwrap()).collect()
}

fn setup(system: &str, model: RoleModel) -> Setup {
    experiments::find(nlgraph::ID).unwrap().setup(system, &[model]).unwrap()
}

fn setups() -> Vec<Setup> {
    vec![
        setup("grounded", RoleModel::script("script")),
        setup("grounded", RoleModel::script("mistaken/wrong-total")),
        setup("standalone", RoleModel::script("script")),
    ]
}

fn made(plan: &BenchPlan) -> Vec<RunEntry> {
    let time = Rc::new(std::cell::Cell::new(0.0));
    let clock = {
        let time = time.clone();
        move || {
            time.set(time.get() + 1.5);
            time.get()
        }
    };
    plan.jobs()
        .map(|job| {
            let setup = &plan.setups[job.setup];
            let experiment = experiments::find(&setup.experiment).unwrap();
            let model = |(role, model): (&String, &RoleModel)| {
                (role.clone(), experiment.script(role, &model.model).unwrap())
            };
            let models = setup.roles.iter().map(model).collect();
            let context = JobContext {
                models: &models,
                world: &World::default(),
                watch: &(),
                clock: &clock,
                at_ms: &|| 1e12,
                cancel: &Cancel::default(),
                count: None,
            };
            let future = run(job.key, setup, &plan.cases[job.case], context);
            match future.now_or_never().unwrap().unwrap() {
                RunOutcome::Finished(entry) => *entry,
                other => panic!("{other:?}"),
            }
        })
        .collect()
}

fn file(plan: &BenchPlan, runs: &[RunEntry]) -> String {
    let mut text = Entry::<trace::Trace>::head().line();
    for setup in &plan.setups {
        let entry: Entry = Entry::Setup { hash: setup.hash(), setup: Box::new(setup.clone()) };
        text.push_str(&entry.line());
    }
    for case in &plan.cases {
        text.push_str(&Entry::<trace::Trace>::Case(Box::new(case.clone())).line());
    }
    for run in runs {
        text.push_str(&Entry::Run(Box::new(run.clone())).line());
    }
    text
}

fn example() -> (BenchPlan, Vec<RunEntry>, String) {
    let plan = BenchPlan { setups: setups(), cases: cases(2, 3), n_samples: 1, shard: None };
    let runs = made(&plan);
    let text = file(&plan, &runs);
    (plan, runs, text)
}

#[test]
fn a_file_gives_back_what_was_written() {
    let (plan, runs, text) = example();
    let back: Runs = Runs::read(&text).unwrap();
    assert_eq!(back.runs, runs);
    assert_eq!(back.cases, plan.cases);
    assert_eq!((back.n_torn, back.n_duplicates), (0, 0));
    let light: Runs<IgnoredAny> = Runs::read(&text).unwrap();
    let report = Report::of(&back, ReportOptions::default());
    assert_eq!(report, Report::of(&light, ReportOptions::default()), "traces change no figure");
    // Every trace comes back as it was, and every verdict with it.
    for entry in &back.runs {
        let setup = &back.setups[&entry.key.setup];
        let case = back.case(&entry.key.case).unwrap();
        let trace = entry.whole_trace(setup, case, &[]);
        let (answer, item) = (trace.answer().unwrap(), nlgraph::item(case).unwrap());
        assert_eq!(tasks::verify(&item.problem(), answer).verdict, entry.score.verdict);
        assert_eq!(trace.prompt.len(), 2);
    }
}

#[test]
fn a_report_counts_what_a_person_would_count() {
    let (plan, runs, text) = example();
    let light: Runs<IgnoredAny> = Runs::read(&text).unwrap();
    let report = Report::of(&light, ReportOptions::default());
    assert_eq!(report.setups.len(), 3);
    for (hash, _) in &report.setups {
        let mine: Vec<&RunEntry> = runs.iter().filter(|r| r.key.setup == *hash).collect();
        let all = report.row(hash, &RowGroup::ALL).unwrap();
        assert_eq!(all.n_runs, plan.cases.len());
        let n_correct = mine.iter().filter(|r| r.score.verdict == Verdict::Correct).count();
        assert_eq!(all.n_correct(), n_correct);
        assert_eq!(all.verdicts.iter().sum::<usize>(), all.n_runs);
        let by_task: usize = TaskId::ALL
            .iter()
            .filter_map(|t| {
                let group = Some(t.to_string());
                report.row(hash, &RowGroup { group, level: None, is_total: true })
            })
            .map(|r| r.n_runs)
            .sum();
        assert_eq!(by_task, all.n_runs);
        assert_eq!(all.dollars, None, "a script has no price, and unknown is not nothing");
    }
    let careful = report.row(&plan.setups[0].hash(), &RowGroup::ALL).unwrap();
    assert_eq!(careful.n_correct(), careful.n_runs, "the careful script is right");
    assert!(careful.calls > 1.0 && careful.errors.is_empty());
    let keep = ReportOptions { outliers: Outliers::Keep, ..ReportOptions::default() };
    let plain = Report::of(&light, keep);
    assert_eq!(plain.row(&plan.setups[0].hash(), &RowGroup::ALL).unwrap().n_outliers, 0);
}

#[test]
fn both_rules_stand_side_by_side_and_benchmarks_are_not_added_up() {
    let tasks = [TaskId::Hamilton, TaskId::MaxClique];
    let items = generate(&tasks, &[Difficulty::Easy], 2, 1).unwrap();
    let cases: Vec<Case> = items.iter().map(|item| nlgraph::case(item).unwrap()).collect();
    let setups = vec![setup("standalone", RoleModel::script("script"))];
    let plan = BenchPlan { cases, setups, n_samples: 1, shard: None };
    let mut runs: Runs = Runs::read(&file(&plan, &made(&plan))).unwrap();
    let both = |runs: &Runs| {
        let tables = Report::of(runs, ReportOptions::default()).tables(runs);
        tables.into_iter().find(|t| t.title == "Right answers by both rules")
    };
    let rows: Vec<Vec<String>> = both(&runs).unwrap().rows.into_iter().map(|r| r.cells).collect();
    let figures: Vec<(&str, &[String])> =
        rows.iter().map(|cells| (cells[0].as_str(), &cells[3..])).collect();
    for (group, figures) in figures {
        // Our rule, the script, the script alone, our rule alone: counted from the runs.
        let mine: Vec<&RunEntry> =
            runs.runs.iter().filter(|r| r.key.case.starts_with(group)).collect();
        let share = |holds: &dyn Fn(&RunEntry) -> bool| {
            let n = mine.iter().filter(|r| holds(r)).count();
            format!("{:.2}%", 100.0 * n as f64 / mine.len() as f64)
        };
        let script = |r: &RunEntry| r.score.measures["official"] > 0.0;
        let ours = |r: &RunEntry| r.score.verdict == Verdict::Correct;
        let expected = [
            mine.len().to_string(),
            share(&ours),
            share(&script),
            share(&|r| script(r) && !ours(r)),
            share(&|r| ours(r) && !script(r)),
        ];
        assert_eq!(figures, expected, "{group}");
    }
    assert_eq!(rows.len(), 2);
    let note = Report::of(&runs, ReportOptions::default()).totals_note();
    assert!(note.contains("nlgraph alone"), "{note}");
    // Runs of before have no such figures: a part of which nothing is known has no row.
    for run in runs.runs.iter_mut().filter(|r| r.key.case.starts_with("hamilton")) {
        run.score.measures.clear();
    }
    assert_eq!(both(&runs).unwrap().rows.len(), 1);
    runs.runs.iter_mut().for_each(|run| run.score.measures.clear());
    assert!(both(&runs).is_none());
}

#[test]
fn a_measure_that_an_earlier_scorer_did_not_know_is_no_difference() {
    let (plan, runs, _) = example();
    let told = |scorer: u32, change: &dyn Fn(&mut RunEntry)| {
        let mut setup = plan.setups[2].clone();
        let mut run = runs.iter().find(|r| r.key.setup == setup.hash()).unwrap().clone();
        change(&mut run);
        setup.scorer = scorer;
        run.key.setup = setup.hash();
        let case = plan.cases.iter().find(|c| c.id == run.key.case).unwrap();
        let drift = eval::check(&run, &setup, case, &[], &World::default()).unwrap();
        drift.map_or(Vec::new(), |d| d.counts)
    };
    let now = plan.setups[2].scorer;
    let forget = |run: &mut RunEntry| {
        run.score.measures.remove("official");
    };
    let change = |run: &mut RunEntry| {
        let value = run.score.measures.get_mut("official").unwrap();
        *value = 1.0 - *value;
    };
    assert!(told(now, &|_| ()).is_empty());
    assert_eq!(told(now, &forget), ["measures"]);
    assert!(told(now - 1, &forget).is_empty());
    assert_eq!(told(now - 1, &change), ["measures"]);
}

#[test]
fn scripts_have_no_intervals_no_costs_and_no_papers_beside_them() {
    let (_, _, text) = example();
    let mut runs: Runs = Runs::read(&text).unwrap();
    let tables = |runs: &Runs| {
        let report = Report::of(runs, ReportOptions::default());
        let texts: Vec<String> = report.tables(runs).iter().map(|t| t.text()).collect();
        (report.scripts_note().is_some(), texts.join("\n"), report)
    };
    let (has_note, all, report) = tables(&runs);
    assert!(has_note);
    assert!(!all.contains("paper: ") && !all.contains("Rows in italics"), "{all}");
    // An interval is two numbers with a dash between them.
    let is_interval =
        |cell: &str| cell.split('–').filter(|n| n.parse::<f64>().is_ok()).count() == 2;
    assert!(!all.split_whitespace().any(is_interval), "{all}");
    let took = report.cost_table();
    let is_unknown = took.rows.iter().any(|row| row.cells.iter().any(|cell| cell == "unknown"));
    assert!(!is_unknown, "what a script takes says nothing: {}", took.text());
    assert!(report.labels().iter().all(|label| label.contains("script")), "{:?}", report.labels());
    let svg = |report: &Report| report.plots().iter().map(|p| p.svg("p")).collect::<String>();
    let has_range = |text: &str| text.contains(" to ");
    assert!(!has_range(&svg(&report)), "a mark of a plot tells an interval");
    // With one model among them, its row has an interval, and papers stand beside.
    let first = runs.setups.keys().next().unwrap().clone();
    let at = RoleModel::at(&llm::Endpoint::new("openai", "http://127.0.0.1:1/v1"), "small");
    for role in runs.setups.get_mut(&first).unwrap().roles.values_mut() {
        *role = at.clone();
    }
    let (has_note, all, report) = tables(&runs);
    assert!(!has_note);
    assert!(all.contains("paper: "), "{all}");
    assert!(has_range(&svg(&report)), "the model's marks have theirs");
    let main = report.main_table();
    for row in &main.rows {
        let is_script = row.setup.is_some_and(|at| report.setups[at].1.is_scripted());
        assert_eq!(is_interval(&row.cells[5]), !is_script, "{row:?}");
    }
}

#[test]
fn a_verdict_a_result_or_a_count_that_was_tampered_with_is_found() {
    let (plan, runs, _) = example();
    let tools = {
        use agent::ToolSet as _;
        systems::grounded::GraphTools::default().specs()
    };
    let checked = |run: &RunEntry| {
        let setup = plan.setups.iter().find(|s| s.hash() == run.key.setup).unwrap();
        let case = plan.cases.iter().find(|c| c.id == run.key.case).unwrap();
        eval::check(run, setup, case, &tools, &World::default()).unwrap()
    };
    for run in &runs {
        assert_eq!(checked(run), None, "{}", run.key);
        let mut other = run.clone();
        let is_right = run.score.verdict == Verdict::Correct;
        other.score.verdict = if is_right { Verdict::Incorrect } else { Verdict::Correct };
        assert!(checked(&other).unwrap().verdict.is_some());
        let mut other = run.clone();
        other.cost.n_calls += 1;
        assert_eq!(checked(&other).unwrap().counts, ["calls"]);
        let call = run.trace.steps.iter().position(|s| {
            matches!(s.body, trace::StepBody::Call { result: trace::ToolResult::Value { .. }, .. })
        });
        let mut other = run.clone();
        other.score.explanation = "lies".into();
        assert_eq!(checked(&other).unwrap().counts, ["explanation"]);
        let Some(call) = call else { continue };
        let mut other = run.clone();
        if let trace::StepBody::Call { result, .. } = &mut other.trace.steps[call].body {
            *result = trace::ToolResult::Value { value: "forged".into(), notes: Vec::new() };
        }
        assert!(checked(&other).unwrap().steps.contains(&call));
    }
}

#[test]
fn runs_of_an_older_scorer_are_scored_again() {
    let (_, _, text) = example();
    let right: Runs = Runs::read(&text).unwrap();
    // As a scorer before this one left them: another number in the setups, and one verdict wrong.
    let mut old = Runs::default();
    let mut renamed = std::collections::BTreeMap::new();
    let mut is_first = true;
    for entry in right.clone().into_entries() {
        old.add(match entry {
            Entry::Setup { hash, mut setup } => {
                setup.scorer -= 1;
                renamed.insert(hash, setup.hash());
                Entry::Setup { hash: setup.hash(), setup }
            }
            Entry::Run(mut run) => {
                run.key.setup.clone_from(&renamed[&run.key.setup]);
                if std::mem::take(&mut is_first) {
                    run.score.verdict = Verdict::NoAnswer;
                }
                Entry::Run(run)
            }
            other => other,
        })
        .unwrap();
    }
    let (again, n_changed) = eval::score_again(old, &World::default()).unwrap();
    assert_eq!(n_changed, 1);
    assert_eq!(again.setups, right.setups);
    let scores = |runs: &Runs| runs.runs.iter().map(|r| r.score.clone()).collect::<Vec<_>>();
    assert_eq!(scores(&again), scores(&right));
    let keys = |runs: &Runs| runs.runs.iter().map(|r| r.key.clone()).collect::<Vec<_>>();
    assert_eq!(keys(&again), keys(&right));
    assert_eq!(eval::score_again(again, &World::default()).unwrap().1, 0);
}

#[test]
fn samples_of_one_problem_are_one_pair() {
    let (plan, runs, _) = example();
    let mut light: Runs = Runs::read(&file(&plan, &[])).unwrap();
    let (a, b) = (plan.setups[0].hash(), plan.setups[1].hash());
    let id = &plan.cases[0].id;
    let base = runs.iter().find(|r| r.key.case == *id).unwrap();
    // A is right in all three samples, B in one of them.
    for sample in 0..3 {
        for (setup, is_right) in [(&a, true), (&b, sample == 0)] {
            let mut run = base.clone();
            run.key.setup.clone_from(setup);
            run.key.sample = sample;
            run.score.verdict = if is_right { Verdict::Correct } else { Verdict::Incorrect };
            light.add(Entry::Run(Box::new(run))).unwrap();
        }
    }
    let all = compare::compare((&light, &a), (&light, &b)).unwrap().rows.pop().unwrap();
    assert_eq!((all.n, all.only_left, all.only_right), (1, 1, 0));
}

#[test]
fn two_setups_are_compared_pair_by_pair() {
    let (plan, runs, text) = example();
    let light: Runs<IgnoredAny> = Runs::read(&text).unwrap();
    let (a, b) = (plan.setups[0].hash(), plan.setups[1].hash());
    let found = compare::compare((&light, &a), (&light, &b)).unwrap();
    let all = found.rows.last().unwrap();
    assert_eq!((all.group.as_deref(), all.n, found.n_alone), (None, plan.cases.len(), 0));
    assert_eq!(all.both + all.only_left + all.only_right + all.neither, all.n);
    let verdict = |hash: &str, id: &str| {
        runs.iter().find(|r| r.key.setup == hash && r.key.case == id).unwrap().score.verdict
    };
    for case in &plan.cases {
        let differs = verdict(&a, &case.id) != verdict(&b, &case.id);
        assert_eq!(found.differing.iter().any(|d| d.case == case.id), differs);
    }
    let mirrored = compare::compare((&light, &b), (&light, &a)).unwrap();
    assert!((mirrored.rows.last().unwrap().p - all.p).abs() < 1e-12);
    assert!(compare::compare((&light, "nobody"), (&light, &b)).unwrap_err().contains(&a));
}

#[test]
fn a_file_that_was_cut_off_anywhere_keeps_its_whole_runs() {
    let (_, runs, text) = example();
    let starts: Vec<usize> = text.match_indices('\n').map(|(i, _)| i + 1).collect();
    for cut in (starts[0]..text.len()).step_by(997) {
        let Some(part) = text.get(..cut) else { continue };
        let back: Runs<IgnoredAny> = Runs::read(part).unwrap();
        let n_whole = part.matches("{\"type\":\"run\"").count();
        assert!(back.runs.len() == n_whole || back.runs.len() + 1 == n_whole);
        assert!(back.runs.len() <= runs.len());
    }
}

#[test]
fn what_is_wrong_is_said_in_words() {
    let (_, _, text) = example();
    let read = |text: &str| Runs::<IgnoredAny>::read(text).unwrap_err();
    assert_eq!(read(" \n"), RunsError::Empty);
    assert!(matches!(read("{\"a\":1}\n"), RunsError::Other { .. }));
    assert!(matches!(read("<html>\n"), RunsError::Other { .. }));
    let newer = text.replacen("\"version\":2", "\"version\":99", 1);
    assert!(matches!(read(&newer), RunsError::Newer { found: 99 }));
    // What only development versions wrote is named, with the command that makes it again.
    let older = text.replacen("\"version\":2", "\"version\":1", 1);
    assert_eq!(read(&older), RunsError::Older { found: 1 });
    for (line, command) in [
        ("{\"key\":\"k\",\"run\":{}}", "bench --experiment kgqa"),
        (
            "{\"id\":\"a\",\"extract_model\":\"m\",\"call_model\":\"m\",\"searches\":[]}",
            "bench --experiment family",
        ),
        (
            "{\"dataset\":\"d\",\"model\":\"m\",\"rouge_1\":1.0,\"same_calls\":1.0}",
            "toolformer score --out RUNS",
        ),
    ] {
        let error = read(line);
        assert!(matches!(error, RunsError::Results { .. }), "{error}");
        assert!(error.to_string().contains(command), "{error}");
    }
    let broken = text.replacen("{\"type\":\"case\"", "{\"type\":\"cas", 1);
    let RunsError::Line { line, .. } = read(&broken) else { panic!("a line") };
    assert_eq!(line, 5);
    let without_setup: String =
        text.lines().filter(|l| !l.contains("\"setup\",")).map(|l| format!("{l}\n")).collect();
    assert!(read(&without_setup).to_string().contains("no setup"));
    // The same name with another graph.
    let (a, b) = (cases(1, 3), cases(1, 9));
    let mut other = b[0].clone();
    other.id.clone_from(&a[0].id);
    let mut runs: Runs = Runs::default();
    runs.add(Entry::Case(Box::new(a[0].clone()))).unwrap();
    runs.add(Entry::Case(Box::new(a[0].clone()))).unwrap();
    let error = runs.add(Entry::Case(Box::new(other))).unwrap_err();
    assert!(error.to_string().contains(&a[0].id));
}

#[test]
fn runs_of_two_files_come_together_once() {
    let (plan, runs, _) = example();
    let halves = runs.split_at(runs.len() / 2 + 2);
    let left: Runs = Runs::read(&file(&plan, halves.0)).unwrap();
    let right: Runs = Runs::read(&file(&plan, &runs[runs.len() / 2..])).unwrap();
    let mut both = left;
    both.absorb(right).unwrap();
    assert_eq!(both.runs.len(), runs.len());
    assert_eq!(both.n_duplicates, 2);
}

#[test]
fn a_key_changes_with_everything_that_matters() {
    let script = |name: &str| setup("grounded", RoleModel::script(name));
    let at = |endpoint: &llm::Endpoint| setup("grounded", RoleModel::at(endpoint, "m"));
    let base = script("m");
    let mut seen = std::collections::BTreeSet::from([base.hash()]);
    let mut other = vec![base.clone(); 7];
    other[0] = script("n");
    other[1].options["prompt"] = "Think!".into();
    other[2].limits.max_rounds += 1;
    other[3].scorer += 1;
    other[4].tools.push('0');
    other[5].options["attach"] = true.into();
    let mut endpoint = llm::Endpoint::new("openai", "http://one.example/v1");
    other[6] = at(&endpoint);
    other.push(Setup { votes: 3, ..base.clone() });
    for setup in &other {
        assert!(seen.insert(setup.hash()), "{setup:?}");
    }
    endpoint.options.temperature = Some(0.5);
    assert!(seen.insert(at(&endpoint).hash()), "the temperature");
    let mut elsewhere = endpoint.clone();
    elsewhere.base_url = "http://two.example/v1".into();
    let (here, there) = (at(&endpoint), at(&elsewhere));
    assert_eq!(here.hash(), there.hash(), "an address is no part of a result");
    assert!(!serde_json::to_string(&here).unwrap().contains("example"));
}

#[test]
fn problems_of_ones_own_are_read() {
    let lines = r#"{"id":"a","graph":"0 1\n1 2","query":{"kind":"connectivity","source":"0","target":"2"},"difficulty":"hard"}
QUESTION
{"id":"own words","graph":{"nodes":[{"id":0},{"id":1}],"edges":[{"source":0,"target":1}]},"query":{"kind":"cycle"},"question":"Round and round?"}"#;
    let asked = tasks::task(TaskId::Connectivity)
        .generate(Difficulty::Easy, 1)
        .question(tasks::Wording::Benchmark, tasks::Style::ZeroShot);
    let line = serde_json::json!({ "question": asked, "task": "connectivity" }).to_string();
    let lines = &lines.replace("QUESTION", &line);
    let items = read("folder/mine.jsonl", lines).unwrap();
    assert_eq!(items[0].id, "a");
    assert_eq!(items[0].difficulty, Some(Difficulty::Hard));
    assert_eq!(items[1].id, "mine:2");
    assert_eq!(items[2].question.as_deref(), Some("Round and round?"));
    for (bad, word) in [
        (r#"{"graph":"0 1"}"#, "without `query`"),
        (r#"{"graph":"0 1","query":{"kind":"connectivity","source":"0","target":"9"}}"#, "\"9\""),
        (r#"{"question":"Why?"}"#, "line 1"),
        (r#"{"question":"Why?","colour":"red"}"#, "colour"),
        (r#"{"graph":"0 1","query":{"kind":"cycle"},"task":"flow"}"#, "flow"),
        (r#"{"graph":"0 1","query":{"kind":"cycle"},"difficulty":"mild"}"#, "mild"),
        (r#"{"graph":"0 1","query":{"kind":"topological_sort"}}"#, "undirected"),
        (r#"{"graph":"0 1","query":{"kind":"max_flow","source":"0","sink":"0"}}"#, "sink"),
        (r#"{"graph":"0 1","query":{"kind":"convolution","layers":99}}"#, "99"),
        (
            r#"{"graph":"0 1","query":{"kind":"matching","n_applicants":1,"n_jobs":4000000000}}"#,
            "a0",
        ),
        (r#"{"graph":5,"query":{"kind":"cycle"}}"#, "expected text"),
    ] {
        let error = read("mine.jsonl", bad).unwrap_err().to_string();
        assert!(error.contains(word) && error.contains("mine"), "{bad}: {error}");
    }
    let nlgraph: String = {
        let problem = items[0].problem();
        let question = problem.question(tasks::Wording::Benchmark, tasks::Style::ZeroShot);
        serde_json::json!({ "7": { "question": question, "answer": "x", "difficulty": "easy" } })
            .to_string()
    };
    let read_back = read("set.json", &nlgraph).unwrap();
    assert_eq!(read_back[0].id, "set:7");
    assert_eq!(read_back[0].question, None, "our wording says it byte for byte");
}

proptest! {
    /// No text is a panic, neither as runs nor as problems.
    #[test]
    fn hostile_files_are_refused_in_words(text in "[ -~\n]{0,400}", cut in 0usize..4000, byte in 0u8..128) {
        let _ = Runs::<IgnoredAny>::read(&text);
        let _ = read("f", &text);
        let plan = BenchPlan { setups: setups(), cases: cases(1, 3), n_samples: 1, shard: None };
        let mut bytes = file(&plan, &[]).into_bytes();
        let at = cut % bytes.len();
        bytes[at] = byte;
        if let Ok(text) = String::from_utf8(bytes) {
            let _ = Runs::<trace::Trace>::read(&text);
        }
    }
}
