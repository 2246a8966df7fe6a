//! The systems that answer questions about knowledge graphs, with scripts as their models.

use std::rc::Rc;
use std::sync::Arc;

use agent::{Cancel, Limits, RunContext};
use futures_util::FutureExt as _;
use kg::find::Finder;
use kg::generators::metro;
use systems::experiment::Finished;
use systems::kgqa::scripted::{KgMistake, KgScript};
use systems::kgqa::{KgErrorKind, KgOptions, KgRequest, Outcome, PlanForm, SYSTEMS, answer, find};
use tasks::Verdict;
use tasks::kgqa::{KgQuestion, generate};
use test_support::context;
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
) -> Finished<Outcome> {
    let cancel = Cancel::default();
    let limits = Limits { max_rounds: 60, max_calls: 2_000, ..Limits::default() };
    let setting = RunContext { limits, ..context(&cancel) };
    let request =
        KgRequest { system, finder, question, options, setting, away: None, has_person: false };
    answer(request, &script, None, &mut |_| {}).now_or_never().expect("scripts are ready at once")
}

#[test]
fn the_careful_script_is_right_in_every_form() {
    let finder = city();
    for form in [PlanForm::Json, PlanForm::Tool, PlanForm::Paper] {
        let options = KgOptions { form, check_data: true, ..KgOptions::default() };
        for question in questions(&finder, 64) {
            let run = run("graphrunner", &finder, &question, &options, KgScript::Careful);
            assert_eq!(
                run.score.verdict,
                Verdict::Correct,
                "{form:?} {}: {}",
                question.question,
                run.score.explanation
            );
            assert_eq!((run.trace.n_rounds(), run.outcome.n_repairs), (2, 0), "{form:?}");
            assert!(run.score.errors.is_empty(), "{:?}", run.score.errors);
            assert!(run.outcome.claims.iter().all(|c| c.is_supported), "{:?}", run.outcome.claims);
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
            run.score.verdict,
            Verdict::Correct,
            "{}: {} {:?}",
            question.question,
            run.score.explanation,
            run.trace.stop
        );
        assert!(run.trace.n_rounds() >= 6, "two turns a step");
        assert!(run.outcome.claims.iter().all(|c| c.is_supported), "{:?}", run.outcome.claims);
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
        n_right += usize::from(graph.score.verdict == Verdict::Correct);
        assert_eq!(graph.trace.n_rounds(), 1);
        // Two hops around one node hold what is one hop away, whichever node is the best.
        if question.hops == 1 {
            assert_eq!(graph.score.verdict, Verdict::Correct, "{}", question.question);
        }
        let text = run("text_rag", &finder, question, &options, KgScript::Careful);
        assert_ne!(text.score.verdict, Verdict::Correct, "no edge is told: {}", question.question);
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
        assert_eq!(caught.score.verdict, Verdict::Correct, "{mistake:?}");
        assert_eq!(caught.outcome.n_repairs, 1);
        assert!(caught.score.errors.contains(kind.id()), "{mistake:?}: {:?}", caught.score.errors);
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
        assert_ne!(missed.score.verdict, Verdict::Correct, "{mistake:?}");
    }
    // A wrong meaning is well-formed: the schema has nothing against it.
    let meant =
        run("graphrunner", &finder, &question, &options, KgScript::Errs(KgMistake::WrongMeaning));
    assert_eq!((meant.outcome.n_repairs, meant.score.verdict == Verdict::Correct), (0, false));
    // An entity that nothing reached is marked in the answer.
    let made_up =
        run("graphrunner", &finder, &question, &options, KgScript::Errs(KgMistake::MadeUpAnswer));
    assert!(made_up.score.errors.contains(KgErrorKind::UnsupportedAnswer.id()));
    let marked: Vec<&str> = made_up
        .outcome
        .claims
        .iter()
        .filter(|c| !c.is_supported)
        .map(|c| c.name.as_str())
        .collect();
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
    assert!(run.outcome.n_repairs <= 2);
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
    for system in &SYSTEMS {
        let run = run(system.id, &finder, &question, &KgOptions::default(), KgScript::Careful);
        assert_ne!(run.score.verdict, Verdict::Correct, "{}", system.id);
        assert!(run.trace.stop.is_some());
    }
}

#[test]
fn a_run_survives_json() {
    let finder = city();
    let question = questions(&finder, 1).remove(0);
    for system in &SYSTEMS {
        let run = run(system.id, &finder, &question, &KgOptions::default(), KgScript::Careful);
        let text = serde_json::to_string(&run).unwrap();
        assert_eq!(serde_json::from_str::<Finished<Outcome>>(&text).unwrap(), run);
    }
}

#[test]
fn each_system_is_run_by_its_own_entry_and_there_is_none_for_a_misspelt_one() {
    let finder = city();
    let question = questions(&finder, 1).remove(0);
    let experiment = systems::experiments::find("kgqa").unwrap();
    let ids: Vec<&str> = experiment.systems().iter().map(|s| s.id).collect();
    assert_eq!(ids, ["graphrunner", "graph_cot", "graph_rag", "text_rag"]);
    let firsts = ["plan", "Thought", "retrieve", "retrieve"];
    for (system, first) in SYSTEMS.iter().zip(firsts) {
        let run = run(system.id, &finder, &question, &KgOptions::default(), KgScript::Careful);
        assert_eq!(run.trace.system, system.id);
        let begin = serde_json::to_string(&(&run.trace.prompt, &run.trace.steps[0])).unwrap();
        assert!(begin.contains(first), "{}: {begin}", system.id);
    }
    let none = serde_json::Value::Null;
    assert!(find("graph_runner").is_none() && experiment.setup("graph_runner", &[]).is_err());
    assert!(experiment.read_options("graph_runner", &none).is_err());
}

/// Asks back first; where the reply stands in the question, it plans and answers.
struct AsksBack;

impl llm::Model for AsksBack {
    fn label(&self) -> String {
        "asks back".into()
    }

    fn complete<'a>(
        &'a self,
        request: &'a llm::ChatRequest,
        watch: &'a dyn llm::Watch,
    ) -> llm::BoxFuture<'a, Result<llm::ChatResponse, llm::ModelError>> {
        let all: String = request.messages.iter().map(|m| m.content.as_str()).collect();
        if all.contains("The reply: ") {
            return KgScript::Careful.complete(request, watch);
        }
        Box::pin(async {
            Ok(llm::ChatResponse {
                message: llm::Message::assistant("Do you mean the red line?"),
                finish: llm::FinishReason::Stop,
                usage: llm::Usage::default(),
            })
        })
    }
}

#[test]
fn a_question_back_ends_the_run_where_a_person_can_reply_and_is_never_judged() {
    let finder = city();
    let question = questions(&finder, 1).remove(0);
    let cancel = Cancel::default();
    let setting = context(&cancel);
    let ask = |system: &str, has_person, question: &KgQuestion| {
        let options = &KgOptions::default();
        let finder = &finder;
        let request =
            KgRequest { system, finder, question, options, setting, away: None, has_person };
        answer(request, &AsksBack, None, &mut |_| {}).now_or_never().unwrap()
    };
    for system in ["graphrunner", "graph_rag"] {
        let run = ask(system, true, &question);
        assert_eq!(run.trace.n_rounds(), 1, "{system}");
        assert_eq!(run.outcome.answer, "Do you mean the red line?");
        assert_eq!(run.score.verdict, Verdict::NoAnswer);
        assert!(
            run.score.explanation.contains("asked a question back"),
            "{}",
            run.score.explanation
        );
        assert!(
            run.score.errors.is_empty(),
            "a question names no entities: {:?}",
            run.score.errors
        );
    }
    // A benchmark has nobody who replies: the text is no plan, and is corrected.
    let alone = ask("graphrunner", false, &question);
    assert!(alone.outcome.n_repairs > 0 && alone.trace.n_rounds() > 1);
    assert_eq!(alone.score.verdict, Verdict::NoAnswer);
}
