//! The systems that answer questions about knowledge graphs, with scripts as their models.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::rc::Rc;
use std::sync::Arc;

use agent::{Cancel, Limits, RunContext};
use futures_util::FutureExt as _;
use kg::find::Finder;
use kg::generators::metro;
use systems::kgqa::scripted::{KgMistake, KgScript};
use systems::kgqa::{KG_SYSTEMS, KgErrorKind, KgOptions, KgRequest, KgRun, PlanForm, answer, find};
use tasks::Verdict;
use tasks::kgqa::{KgQuestion, generate};
use trace::{StepBody, Stop};

fn city() -> Finder {
    Finder::new(Arc::new(metro(8, 3).unwrap()), Rc::new(text::NGrams))
}

fn questions(finder: &Finder, n: usize) -> Vec<KgQuestion> {
    generate(finder.kg(), n, 1, 7)
}

fn run(
    system: &str,
    finder: &Finder,
    question: &KgQuestion,
    options: &KgOptions,
    script: KgScript,
) -> KgRun {
    let cancel = Cancel::default();
    let clock = || 0.0;
    let limits = Limits { max_rounds: 60, max_calls: 2_000, ..Limits::default() };
    let setting = RunContext { limits, seed: None, clock: &clock, cancel: &cancel, watch: &() };
    let request =
        KgRequest { system: find(system).unwrap(), finder, question, options, setting, away: None };
    answer(request, &script, &mut |_| {}).now_or_never().expect("scripts are ready at once")
}

#[test]
fn the_careful_script_is_right_in_every_form() {
    let finder = city();
    for form in [PlanForm::Json, PlanForm::Tool, PlanForm::Paper] {
        let options = KgOptions { form, check_data: true, ..KgOptions::default() };
        for question in questions(&finder, 64) {
            let run = run("graphrunner", &finder, &question, &options, KgScript::Careful);
            assert_eq!(
                run.judgement.verdict,
                Verdict::Correct,
                "{form:?} {}: {}",
                question.question,
                run.judgement.explanation
            );
            assert_eq!((run.trace.n_rounds(), run.n_repairs), (2, 0), "{form:?}");
            assert!(run.errors.is_empty(), "{:?}", run.errors);
            assert!(run.claims.iter().all(|c| c.is_supported), "{:?}", run.claims);
            // Every request can be made again from the trace, and has the hash that was kept.
            for step in 0..run.trace.steps.len() {
                if let Some(again) = run.trace.request_of(step) {
                    assert_eq!(again.is_same, Some(true), "{form:?} step {step}");
                }
            }
            run.trace
                .graph_after(run.trace.steps.len())
                .expect("the drawing is a fold of the deltas");
        }
    }
}

#[test]
fn graph_cot_comes_to_the_same_answers_in_more_turns() {
    let finder = city();
    let options = KgOptions { max_steps: 30, ..KgOptions::default() };
    for question in questions(&finder, 64) {
        let run = run("graph_cot", &finder, &question, &options, KgScript::Careful);
        assert_eq!(
            run.judgement.verdict,
            Verdict::Correct,
            "{}: {} {:?}",
            question.question,
            run.judgement.explanation,
            run.trace.stop
        );
        assert!(run.trace.n_rounds() >= 6, "two turns a step");
        assert!(run.claims.iter().all(|c| c.is_supported), "{:?}", run.claims);
    }
}

#[test]
fn graph_rag_answers_what_is_near_and_text_rag_what_needs_no_edge() {
    let finder = city();
    let options = KgOptions { max_context_chars: 100_000, ..KgOptions::default() };
    let mut n_right = 0;
    let all = questions(&finder, 64);
    for question in &all {
        let graph = run("graph_rag", &finder, question, &options, KgScript::Careful);
        n_right += usize::from(graph.judgement.verdict == Verdict::Correct);
        assert_eq!(graph.trace.n_rounds(), 1);
        // Two hops around one node hold what is one hop away, whichever node is the best.
        if question.hops == 1 {
            assert_eq!(graph.judgement.verdict, Verdict::Correct, "{}", question.question);
        }
        let text = run("text_rag", &finder, question, &options, KgScript::Careful);
        assert_ne!(
            text.judgement.verdict,
            Verdict::Correct,
            "no edge is told: {}",
            question.question
        );
    }
    assert!(n_right < all.len(), "three hops are out of reach of two");
}

#[test]
fn each_mistake_is_caught_where_it_can_be() {
    let finder = city();
    let question =
        questions(&finder, 64).into_iter().find(|q| q.template == "operators_at_station").unwrap();
    let options = KgOptions::default();
    for (mistake, rule, kind) in [
        (KgMistake::UnknownEdge, "V4", KgErrorKind::UnknownType),
        (KgMistake::UnknownType, "V3", KgErrorKind::UnknownType),
        (KgMistake::UnknownAction, "V1", KgErrorKind::UnknownType),
        (KgMistake::WrongSource, "V5", KgErrorKind::WrongSource),
    ] {
        let caught = run("graphrunner", &finder, &question, &options, KgScript::Errs(mistake));
        assert_eq!(caught.judgement.verdict, Verdict::Correct, "{mistake:?}");
        assert_eq!(caught.n_repairs, 1);
        assert!(caught.errors.contains(&kind), "{mistake:?}: {:?}", caught.errors);
        let rules: Vec<&str> = caught
            .trace
            .steps
            .iter()
            .filter_map(|s| match &s.body {
                StepBody::Findings { findings, .. } => findings.first().map(|f| f.rule.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(rules, [rule], "{mistake:?}");
        let unverified = KgOptions { verify: false, ..options.clone() };
        let missed = run("graphrunner", &finder, &question, &unverified, KgScript::Errs(mistake));
        assert_ne!(missed.judgement.verdict, Verdict::Correct, "{mistake:?}");
    }
    // A wrong meaning is well-formed: the schema has nothing against it.
    let meant =
        run("graphrunner", &finder, &question, &options, KgScript::Errs(KgMistake::WrongMeaning));
    assert_eq!((meant.n_repairs, meant.judgement.verdict == Verdict::Correct), (0, false));
    // An entity that nothing reached is marked in the answer.
    let made_up =
        run("graphrunner", &finder, &question, &options, KgScript::Errs(KgMistake::MadeUpAnswer));
    assert!(made_up.errors.contains(&KgErrorKind::UnsupportedAnswer));
    let marked: Vec<&str> =
        made_up.claims.iter().filter(|c| !c.is_supported).map(|c| c.name.as_str()).collect();
    assert_eq!(marked, ["Atlantis Gate"]);
}

#[test]
fn only_the_failing_step_goes_back() {
    let finder = city();
    let question = questions(&finder, 64).into_iter().find(|q| q.hops == 3).unwrap();
    let run = run(
        "graphrunner",
        &finder,
        &question,
        &KgOptions::default(),
        KgScript::Errs(KgMistake::UnknownEdge),
    );
    let said = run
        .trace
        .steps
        .iter()
        .find_map(|s| match &s.body {
            StepBody::Prompt { messages, fresh: false } => Some(messages[0].content.clone()),
            _ => None,
        })
        .unwrap();
    assert!(
        said.contains("There is no edge type") || said.contains("there is no edge type"),
        "{said}"
    );
    assert!(said.contains("\"s2\"") && !said.contains("\"s4\""), "{said}");
}

#[test]
fn rounds_are_limited_and_counted() {
    let finder = city();
    let question = questions(&finder, 1).remove(0);
    let options = KgOptions { max_repairs: 2, ..KgOptions::default() };
    let run = run("graphrunner", &finder, &question, &options, KgScript::Erring { percent: 100 });
    // Every attempt errs; a wrong meaning alone would get through.
    assert!(run.n_repairs <= 2);
    assert_eq!(run.trace.stop, Some(Stop::Answered));
}

#[test]
fn a_script_says_what_it_does_not_know() {
    let finder = city();
    let question = KgQuestion {
        question: "Who invented tea?".into(),
        answers: vec!["x".into()],
        ..KgQuestion::default()
    };
    for system in KG_SYSTEMS {
        let run = run(system.id, &finder, &question, &KgOptions::default(), KgScript::Careful);
        assert_ne!(run.judgement.verdict, Verdict::Correct, "{}", system.id);
        assert!(run.trace.stop.is_some());
    }
}

#[test]
fn a_run_survives_json() {
    let finder = city();
    let question = questions(&finder, 1).remove(0);
    for system in KG_SYSTEMS {
        let run = run(system.id, &finder, &question, &KgOptions::default(), KgScript::Careful);
        let text = serde_json::to_string(&run).unwrap();
        assert_eq!(serde_json::from_str::<KgRun>(&text).unwrap(), run);
    }
}
