//! The systems on the town, whose texts tell what no edge tells, and on graphs that nobody wrote
//! questions for.

use std::rc::Rc;
use std::sync::Arc;

use agent::{Cancel, Limits, RunContext};
use futures_util::FutureExt as _;
use kg::find::{FindOptions, FindOver, Finder};
use kg::generators::{hetionet_like, town};
use systems::experiment::{self, Finished, Source};
use systems::experiments;
use systems::kgqa::scripted::KgScript;
use systems::kgqa::{KgOptions, KgRequest, KgWorld, Outcome, RagCentre, TextRanking, answer};
use tasks::Verdict;
use tasks::kgqa::{KgQuestion, generate_town, generate_typed, is_told, told_fact};
use test_support::context;
use text::{Bm25Similarity, NGrams, SimilarityMeasure};
use trace::StepBody;

fn run(
    system: &str,
    finder: &Finder,
    question: &KgQuestion,
    options: &KgOptions,
) -> Finished<Outcome> {
    let cancel = Cancel::default();
    let limits = Limits { max_rounds: 200, max_calls: 2_000, ..Limits::default() };
    let setting = RunContext { limits, ..context(&cancel) };
    let (away, has_person) = (None, false);
    let request = KgRequest { system, finder, question, options, setting, away, has_person };
    answer(request, &KgScript::Careful, None, &mut |_| {})
        .now_or_never()
        .expect("scripts are at once")
}

fn town_by(measure: impl SimilarityMeasure + 'static) -> Finder {
    Finder::new(Arc::new(town(3).unwrap()), Rc::new(measure))
}

fn over_texts() -> KgOptions {
    let find = FindOptions { over: FindOver::Texts, ..FindOptions::default() };
    KgOptions { find, max_steps: 60, ..KgOptions::default() }
}

/// How many of some questions a system answers rightly, and of how many.
fn right<'q>(
    system: &str,
    finder: &Finder,
    options: &KgOptions,
    questions: impl Iterator<Item = &'q KgQuestion>,
) -> (usize, usize) {
    let (mut n_right, mut n) = (0, 0);
    for question in questions {
        let run = run(system, finder, question, options);
        n += 1;
        n_right += usize::from(run.score.verdict == Verdict::Correct);
    }
    (n_right, n)
}

#[test]
fn edges_are_for_graph_systems_and_texts_for_a_search_over_texts() {
    let finder = town_by(Bm25Similarity);
    let all = generate_town(finder.kg(), 60, 0, 5);
    let told = || all.iter().filter(|q| is_told(q));
    let of_edges = || all.iter().filter(|q| !is_told(q));
    let (usual, texts) = (KgOptions { max_steps: 60, ..KgOptions::default() }, over_texts());
    for system in ["graphrunner", "graph_cot"] {
        for options in [&usual, &texts] {
            let (n_right, n) = right(system, &finder, options, of_edges());
            assert_eq!(n_right, n, "{system}: names are found however texts are searched");
        }
        let (n_right, n) = right(system, &finder, &usual, told());
        assert_eq!(n_right, 0, "{system}: no name is like a fact, of {n}");
        let (n_right, n) = right(system, &finder, &texts, told());
        assert!(n_right * 10 >= n * 9, "{system}: {n_right} of {n}");
    }
    // Text-RAG reads what one text tells, by either ranking, and no edge.
    for ranking in [TextRanking::Bm25, TextRanking::Similarity] {
        let options = KgOptions { ranking, ..KgOptions::default() };
        let alone = || told().filter(|q| told_fact(&q.question).is_some());
        let (n_right, n) = right("text_rag", &finder, &options, alone());
        assert!(n > 5 && n_right * 10 >= n * 9, "{ranking:?}: {n_right} of {n}");
        assert_eq!(right("text_rag", &finder, &options, of_edges()).0, 0);
    }
}

/// The centre is the node that a search over the question finds first: by hand from the measure.
#[test]
fn the_centre_is_the_named_or_the_most_similar_node() {
    let finder = town_by(NGrams);
    let kg = finder.kg().clone();
    let names: Vec<&str> = kg.nodes().map(|n| kg.name(n)).collect();
    for question in generate_town(&kg, 40, 1, 2).iter().filter(|q| !is_told(q)) {
        let centre = |centre| {
            let options = KgOptions { centre, n_hops: 0, ..KgOptions::default() };
            let run = run("graph_rag", &finder, question, &options);
            let told = run.trace.steps.iter().find_map(|s| match &s.body {
                StepBody::Prompt { messages, .. } => messages.last().map(|m| m.content.clone()),
                _ => None,
            });
            let line = told.unwrap();
            let line = line.lines().find_map(|l| l.strip_prefix("Centre: ")).unwrap().to_owned();
            line.split(" (").next().unwrap().to_owned()
        };
        let named: Vec<&&str> = names.iter().filter(|n| question.question.contains(**n)).collect();
        assert!(named.iter().any(|n| **n == centre(RagCentre::Named)), "{}", question.question);
        let scores = names.iter().map(|n| NGrams.index(&[n]).scores(&question.question)[0]);
        let best = scores.clone().fold(0.0_f32, f32::max);
        let expected: Vec<&str> = names
            .iter()
            .zip(scores)
            .filter(|(_, s)| (best - s).abs() < 1e-6)
            .map(|(n, _)| *n)
            .collect();
        assert!(expected.contains(&centre(RagCentre::Similar).as_str()), "{}", question.question);
    }
}

#[test]
fn scripts_answer_questions_that_are_made_from_types() {
    let kg = Arc::new(hetionet_like(1_500, 12_000, 2).unwrap());
    let finder = Finder::new(kg.clone(), Rc::new(NGrams));
    let options = KgOptions { max_steps: 200, ..KgOptions::default() };
    for question in generate_typed(&kg, 40, 4) {
        let run = run("graphrunner", &finder, &question, &options);
        let why = &run.score.explanation;
        assert_eq!(run.score.verdict, Verdict::Correct, "{}: {why}", question.question);
    }
}

#[test]
fn a_town_is_a_world_and_any_graph_has_cases() {
    let experiment = experiments::find("kgqa").unwrap();
    let source = |world: &str| Source { world: world.into(), n: Some(30), ..Source::default() };
    let (cases, world) = experiment.load(&source("town:4")).unwrap();
    assert_eq!(cases.len(), 30);
    let kg = world.get::<KgWorld>().unwrap().finder.kg().clone();
    assert_eq!(kg.title(), kg::generators::TOWN);
    let levels: std::collections::BTreeSet<&str> = cases.iter().map(|c| c.level.as_str()).collect();
    assert!(levels.contains("easy") && levels.contains("2 hops"), "{levels:?}");
    assert_eq!(experiment.load(&source("town:4")).unwrap().0, cases, "the same seed");
    for wrong in ["town", "town:", "town:x", "village:1"] {
        let error = experiment.load(&source(wrong)).err().unwrap();
        assert!(error.contains("town:SEED"), "{error}");
    }
    // A graph that nobody wrote questions for.
    let finder = Finder::new(Arc::new(hetionet_like(900, 5_000, 1).unwrap()), Rc::new(NGrams));
    let world = experiment::World::new(KgWorld { finder: Rc::new(finder), away: None });
    let cases = experiment.cases(&source(""), &world).unwrap();
    assert_eq!(cases.len(), 30);
    assert!(cases.iter().all(|c| c.world.starts_with("Made-up biomedicine")));
}

/// What a run was made with stands in its setup; another graph is refused.
#[test]
fn a_run_is_not_made_with_another_measure_than_its_setup_says() {
    let experiment = experiments::find("kgqa").unwrap();
    let cancel = Cancel::default();
    let setting = context(&cancel);
    let finder = town_by(Bm25Similarity);
    let label = finder.label();
    let world = experiment::World::new(KgWorld { finder: Rc::new(finder), away: None });
    let cases = experiment.cases(&Source { n: Some(1), ..Source::default() }, &world).unwrap();
    let mut setup = experiment.setup("graphrunner", &[]).unwrap();
    let run = |setup: &experiment::Setup| {
        let models = experiment::Models::one("model", &KgScript::Careful);
        let request = experiment::CaseRequest {
            setup,
            case: &cases[0],
            world: &world,
            models,
            setting,
            sample: 0,
            session: &|_: &trace::Step| (),
        };
        experiment.run(request).now_or_never().unwrap()
    };
    let refused = run(&setup).err().unwrap();
    assert!(refused.contains("trigrams") && refused.contains("BM25"), "{refused}");
    setup.options["measure"] = label.into();
    assert!(run(&setup).is_ok());
}
