//! Every request that a service of the engine knows, once.

use std::collections::BTreeSet;

use ::kg::stores::StoreAddress;
use draw::LayoutKind;
use protocol::answers::CheckAnswers;
use protocol::problem::{
    AskAboutPeople, CheckFiles, CheckProposal, FindClaims, GenerateProblem, ListFunctions,
    OpenQuestion, PlaceNodes, RewordProblem, SampleAnswers, SampleProblem, SampleQuestions,
    SolveProblem, VerifyAnswer, WarmUp,
};
use protocol::runs::{ListCases, LookInside, StartRun};
use protocol::share::{ReadLink, Shared, WriteLink};
use protocol::traces::{CompareTraces, JudgeAnswers, ReadTraces, ReplayTrace, WriteTraces};
use protocol::{Control, Service, bench, family, free, kg, kgot, rescue, toolformer};
use serde_json::json;
use systems::experiment::Source;
use systems::experiments::{EXPERIMENTS, system_title};
use systems::kgetool::experiment::case as family_case;
use systems::kgot::experiment::own_case;
use systems::kgot::{GraphQuestion, KgotLanguage};
use systems::remote::{CopyPlace, StorePlace};
use systems::rescue::experiment::{Disaster, case as disaster_case};
use systems::toolformer::experiment::case as pair_case;
use systems::toolformer::prompts::Pair;
use tasks::family::{Benchmark, Sample};
use tasks::{Difficulty, Style, TaskId, Wording};
use trace::Record;

use crate::page::*;

/// Plays a request, checks that it was answered, and returns its name. One that runs an experiment
/// gives the end of its run, which the page keeps.
fn answered<S: Service>(page: &mut Page, ask: S) -> &'static str {
    let last = page.play(ask).pop();
    assert!(matches!(last, Some(Event::Done { .. })), "{}: {last:?}", S::NAME);
    if S::NAME.starts_with("run/") {
        let reply = done::<S>(last.unwrap());
        let end = S::run_end(&reply).unwrap();
        assert!(!end.trace.steps.is_empty() && !end.task.is_empty(), "{}: {end:?}", S::NAME);
        let known = EXPERIMENTS.iter().flat_map(|e| e.systems()).find(|s| s.id == end.system);
        assert!(known.is_some() && system_title(end.system).is_some(), "{}: {end:?}", S::NAME);
    }
    S::NAME
}

/// Plays a request that this page has nothing for, and says that it is told so.
fn refused<S: Service>(page: &mut Page, ask: S) -> &'static str {
    assert!(!page.refused(ask).is_empty());
    S::NAME
}

fn family_run(benchmark: &Benchmark, sample: &Sample) -> StartRun<family::FamilyRun> {
    let mut ask = StartRun::<family::FamilyRun>::new("gs", family_case(sample, "").unwrap());
    ask.by_hand.family = benchmark.family(sample).unwrap().clone();
    ask.with_model("searcher", script("script")).with_model("caller", script("script"))
}

fn rescue_run(scenario: tasks::rescue::Scenario) -> StartRun<rescue::RescueRun> {
    let disaster = Disaster { scenario, events: Vec::new() };
    let case = disaster_case("nine".into(), &disaster).unwrap();
    let ask = StartRun::<rescue::RescueRun>::new("rescue", case);
    let options = json!({ "n_tools": 3 });
    StartRun { options, ..ask.with_model("model", script("script")) }
}

fn statement_run(text: &str) -> StartRun<toolformer::StatementRun> {
    let pair = Pair { input: text.to_owned(), ..Pair::default() };
    let case = pair_case("own".into(), &pair).unwrap();
    let mut ask = StartRun::<toolformer::StatementRun>::new("toolformer", case);
    ask.by_hand.is_statement = true;
    ask
}

fn kgot_run() -> StartRun<kgot::KgotRun> {
    let case = own_case(&Default::default(), None).unwrap();
    StartRun::<kgot::KgotRun>::new("kgot-cypher", case)
        .with_model("graph", script("script"))
        .with_model("tools", script("script"))
}

#[test]
fn every_request_is_answered() {
    let mut page = Page::new();
    let problem = page.problem(TaskId::Cycle, 3);
    let boxed = || Box::new(problem.clone());
    let (wording, style) = (Wording::Improved, Style::Cot);
    let trace = run_of(&mut page.play(run("grounded", &problem, script("script")))).trace;
    let shared = Shared::Problem { problem: boxed(), wording, style };
    let link = page.ask(WriteLink { shared: Box::new(shared.clone()) });
    let (task, difficulty, seed) = (TaskId::Gnn, Difficulty::Hard, 1);
    let scenario =
        page.ask(rescue::ReadScenario { text: tasks::rescue::NINE_LOCATIONS.to_owned() }).0;
    let generate = family::GenerateFamilies { seed: 1, n_relatives: 8, is_opaque: false };
    let benchmark = Box::new(page.ask(generate.clone()).0);
    let text = || "There is a cycle.".to_owned();
    page.play_with(CheckFiles {}, files(&[("a.json", file(TaskId::Cycle, 2))]));
    let start = || bench::StartBench {
        spec: Box::new(bench::BenchSpec { n: 1, ..bench::BenchSpec::default() }),
        prices: Default::default(),
    };
    page.play(start());
    let rows = page.ask(bench::ListRuns { from: 0, n: 100 }).rows;
    let runs = page.ask(bench::WriteBench {
        form: bench::BenchForm::Runs,
        about: Default::default(),
        setup: None,
        date_s: 0.0,
        options: Box::default(),
    });
    let hashes: BTreeSet<&str> = rows.iter().map(|r| r.key.setup.as_str()).collect();
    let setups: Vec<String> = hashes.into_iter().map(str::to_owned).collect();
    let metro = || kg::LoadGraph { source: kg::KgSource::Metro { n_lines: 8, seed: 1 } };
    page.ask(metro());
    let question = page.ask(kg::MakeQuestions { n: 1, min_hops: 1, seed: 1 }).remove(0);
    let sample = benchmark.samples[0].clone();
    let statement = r#"[GR(GL("gpr", {"bull_graph"}), "toolx:order")-->r]"#;
    let store = || StorePlace {
        kind: "neo4j".into(),
        address: StoreAddress {
            url: "http://127.0.0.1:9".into(),
            database: None,
            language: "en".into(),
        },
        update_url: None,
    };
    let p = &mut page;
    let seen = BTreeSet::from([
        answered(p, GenerateProblem { task, difficulty, seed, wording, style }),
        answered(p, AskAboutPeople { text: "Emma knows Noah. Can Emma reach Noah?".into() }),
        answered(
            p,
            SampleProblem {
                task: TaskId::Cycle,
                generator: "er,9,0.3".into(),
                seed,
                wording,
                style,
            },
        ),
        answered(p, read("0 1\n1 2\n")),
        answered(p, RewordProblem { problem: boxed(), wording, style }),
        answered(p, PlaceNodes { graph: towns(), kind: LayoutKind::Circle, seed }),
        answered(p, SolveProblem { problem: boxed() }),
        answered(p, VerifyAnswer { problem: boxed(), text: text() }),
        answered(p, FindClaims { problem: boxed(), text: text() }),
        answered(p, CheckAnswers { text: String::new() }),
        answered(p, call("describe_graph", &towns(), json!({}))),
        answered(p, ListFunctions {}),
        answered(p, CheckProposal { text: "{}".into(), taken: Vec::new() }),
        answered(p, OpenQuestion { file: 0, key: "1".into() }),
        answered(p, SampleQuestions { seed }),
        answered(p, SampleAnswers { seed }),
        answered(p, WarmUp { ms: 0.0 }),
        answered(p, CheckFiles {}),
        answered(p, run("grounded", &problem, script("script"))),
        {
            // It waits for the weights of our own model.
            let look = super::own::look(&problem.question, &text());
            let last = super::own::play(p, look, super::own::weights()).pop();
            assert!(matches!(last, Some(Event::Done { .. })), "{last:?}");
            LookInside::NAME
        },
        refused(
            p,
            free::AskFreely {
                says: "Who knows whom?".into(),
                resume: None,
                model: script("script"),
                limits: Default::default(),
                surface: Default::default(),
                composing: Default::default(),
            },
        ),
        answered(p, free::CheckFreely { trace: Box::new(trace.clone()), corrections: Vec::new() }),
        answered(p, ReplayTrace { trace: Box::new(trace.clone()) }),
        answered(
            p,
            CompareTraces { left: Box::new(trace.clone()), right: Box::new(trace.clone()) },
        ),
        answered(p, JudgeAnswers { answers: vec![(problem.question.clone(), text())] }),
        answered(p, ReadTraces { text: Some(serde_json::to_string(&trace).unwrap()) }),
        answered(p, WriteTraces { records: vec![Record::of(trace)], format: "atif".into() }),
        answered(p, WriteLink { shared: Box::new(shared) }),
        answered(p, ReadLink { link }),
        answered(p, rescue::GenerateScenario { n_locations: 9, seed }),
        answered(p, rescue::ReadScenario { text: tasks::rescue::NINE_LOCATIONS.to_owned() }),
        answered(p, rescue::PlanRescue { scenario: scenario.clone() }),
        answered(
            p,
            rescue::CheckRescue { scenario: scenario.clone(), text: "Nobody goes.".into() },
        ),
        answered(p, rescue_run(scenario)),
        answered(p, generate),
        answered(p, family::WriteFamilies { benchmark: benchmark.clone() }),
        answered(p, family::ReadFamilies { text: tasks::family::write(&benchmark).unwrap() }),
        answered(
            p,
            family::SearchFamily {
                family: benchmark.families[0].clone(),
                text: "KG.search(start=\"x\", path=[\"y\"])".into(),
                mode: Default::default(),
                k: 3,
            },
        ),
        answered(p, family_run(&benchmark, &sample)),
        answered(p, toolformer::ShowHub {}),
        answered(p, toolformer::ClearMemory {}),
        answered(p, toolformer::MakeExamples { seed }),
        answered(p, toolformer::ShowPrompts {}),
        answered(p, toolformer::OpenData { own: None }),
        refused(p, toolformer::OpenModel {}),
        answered(p, toolformer::ReadStatement { text: statement.into() }),
        answered(p, statement_run(statement)),
        answered(p, metro()),
        answered(p, kg::SetSimilarity { by: kg::Similarity::Trigrams }),
        answered(p, kg::PreviewTable { name: "a.csv".into(), head: "a;b\n".into() }),
        answered(p, kg::EmbedNames {}),
        answered(p, kg::QueryGraph { query: "SELECT * WHERE { ?s ?p ?o }".into(), max_rows: 3 }),
        answered(p, kg::WriteGraph { format: "jsonl".into() }),
        answered(p, kg::MakeQuestions { n: 2, min_hops: 1, seed }),
        refused(p, kg::ReadQuestions { n: 2 }),
        answered(p, kg_run("graphrunner", &question, script("script"))),
        answered(
            p,
            kg::VerifyPlan {
                plan: "Find_Node[Amber Line, Line]".into(),
                question: String::new(),
                options: Box::default(),
            },
        ),
        answered(
            p,
            kg::FindNodes { hint: "amber".into(), node_type: None, options: Default::default() },
        ),
        answered(p, kg::ShowWhole {}),
        super::whole::placed(p),
        super::whole::measured(p),
        answered(p, ListCases::<kgot::KgotRun>::new(Source { seed, ..Source::default() })),
        answered(p, kgot::ReadKgotFiles { names: Vec::new() }),
        answered(p, kgot_run()),
        answered(p, kgot::OpenSnapshot { text: String::new() }),
        answered(p, kgot::WriteSnapshot { at: None }),
        answered(
            p,
            kgot::AskGrown { at: None, language: Default::default(), query: "RETURN 1".into() },
        ),
        answered(
            p,
            kgot::AnswerGraphQuestion {
                question: GraphQuestion::nothing(KgotLanguage::Sparql, "ASK {}"),
            },
        ),
        answered(p, kgot::CorrectGrown { at: None, query: "CREATE (:X)".into() }),
        refused(
            p,
            kgot::CopyGraph {
                at: None,
                place: CopyPlace { store: store(), name: "mine".into(), confirmed: "".into() },
            },
        ),
        refused(
            p,
            kgot::AskStore { store: store(), query: "RETURN 1".into(), confirmed: Some("".into()) },
        ),
        answered(p, bench::ListExperiments {}),
        answered(p, bench::EstimateBench { spec: start().spec, prices: start().prices }),
        answered(p, start()),
        answered(p, bench::ListRuns { from: 0, n: 100 }),
        answered(p, bench::ListFailures {}),
        // Graph problems have no classes of failures.
        refused(
            p,
            bench::LabelRun {
                label: eval::labels::ReaderLabel {
                    key: rows[0].key.clone(),
                    reader: "Ada".into(),
                    class: "reasoning".into(),
                    at_ms: 0.0,
                },
            },
        ),
        answered(p, bench::OpenRun { key: rows[0].key.clone() }),
        answered(p, bench::CompareSetups { left: setups[0].clone(), right: setups[1].clone() }),
        answered(p, bench::CheckRuns {}),
        answered(p, bench::ReportRuns { options: Box::default() }),
        answered(
            p,
            bench::WriteBench {
                form: bench::BenchForm::Csv,
                about: Default::default(),
                setup: None,
                date_s: 0.0,
                options: Box::default(),
            },
        ),
        answered(p, bench::ClearRuns {}),
        answered(p, bench::AddRuns { text: runs.text }),
        refused(p, bench::UnpackRuns { packed: "?".into() }),
    ]);
    // A request that is added must be sent here too.
    let known: BTreeSet<&str> = ALL.into_iter().flat_map(engine::List::names).collect();
    assert_eq!(seen, known);
    let runs: BTreeSet<&str> = seen.iter().filter_map(|name| name.strip_prefix("run/")).collect();
    assert_eq!(runs, EXPERIMENTS.iter().map(|e| e.id()).collect(), "each experiment has a page");
    // These are about a job that runs; without one they change nothing and say nothing.
    for control in [
        Control::Part { ask: 0, part: "{}".into() },
        Control::Reply { ask: 0, reply: Ok("{}".into()) },
        Control::Reply { ask: 0, reply: Err("no".into()) },
        Control::Pause,
        Control::Resume,
        Control::Correct { query: "CREATE (:X)".into() },
        Control::Cancel,
    ] {
        page.tell(1, control);
        page.settle();
        assert!(page.events(1).is_empty());
    }
}
