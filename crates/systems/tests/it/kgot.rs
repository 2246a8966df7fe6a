//! Knowledge Graph of Thoughts, by scripts that know the answers: a test of the controller, and no
//! evidence for the method.

use std::cell::Cell;
use std::rc::Rc;

use agent::{Cancel, Limits, RunContext};
use futures_util::FutureExt as _;
use llm::Model;
use systems::kgot::scripted::{Faulty, KgotScript};
use systems::kgot::{
    KgotAnswered, KgotFile, KgotFusionOptions, KgotLanguage, KgotModels, KgotOptions, KgotPlace,
    KgotTask, Languages, Networkx, PromptForm, run, run_fusion,
};
use tasks::kgot::{GaiaVerdict, KgotCase, cases, judge_gaia};
use test_support::{Lines, context};
use trace::{StepBody, Stop};

use crate::fake_python::FakePython;

fn task(case: &KgotCase) -> KgotTask {
    let files = case.files.iter().map(|(name, text)| KgotFile::of_text(name, text));
    KgotTask { question: case.question.clone(), files: files.collect() }
}

fn solve(task: &KgotTask, options: &KgotOptions, model: &dyn Model) -> KgotAnswered {
    let each = options.clone();
    solve_in(task, &KgotFusionOptions { members: vec![options.language], each }, model)
}

/// In one language as a run of its own, in several as fusion.
fn solve_in(task: &KgotTask, options: &KgotFusionOptions, model: &dyn Model) -> KgotAnswered {
    let time = Cell::new(0.0);
    let clock = || {
        time.set(time.get() + 1.0);
        time.get()
    };
    let limits = Limits { max_rounds: 300, max_calls: 300, max_tokens: None, deadline_ms: None };
    let cancel = Cancel::default();
    let setting = RunContext { limits, seed: Some(1), clock: &clock, cancel: &cancel, watch: &() };
    let models = KgotModels { graph: model, tools: model };
    let python = FAKE.with(Rc::clone);
    let networkx = Networkx { runner: &*python };
    let languages = Languages { networkx: Some(&networkx), ..all_languages() };
    let place = KgotPlace { languages, ..KgotPlace::default() };
    let answered = if options.members.len() == 1 {
        run(task, &options.each, models, &place, setting, &mut |_| ()).now_or_never()
    } else {
        run_fusion(task, options, models, &place, setting, &mut |_| ()).now_or_never()
    };
    answered.expect("scripts do not wait")
}

thread_local! {
    static FAKE: Rc<FakePython> = Rc::new(FakePython::new([1]));
}

fn all_languages() -> Languages<'static> {
    Languages { sparql: Some(&backends::SparqlGraphs), ..Languages::default() }
}

fn languages() -> Vec<KgotLanguage> {
    use KgotLanguage::{Cypher, Direct, Networkx, Sparql};
    vec![Cypher, Direct, Networkx, Sparql]
}

fn is_right(case: &KgotCase, answered: &KgotAnswered) -> bool {
    let answer = answered.outcome.answer.as_deref().unwrap_or_default();
    judge_gaia(answer, &case.answer) == GaiaVerdict::Right
}

#[test]
fn the_script_solves_every_task_in_every_language_and_form() {
    let script = KgotScript::new([1]);
    for language in languages() {
        for prompts in [PromptForm::Xml, PromptForm::Markdown] {
            let options = KgotOptions { language, prompts, ..KgotOptions::default() };
            for case in cases(1).iter().step_by(if prompts == PromptForm::Xml { 1 } else { 7 }) {
                let answered = solve(&task(case), &options, &script);
                assert!(
                    is_right(case, &answered),
                    "{language:?}: {} gave {:?}, not {}\n{:#?}",
                    case.question,
                    answered.outcome.answer,
                    case.answer,
                    answered.trace.steps.last()
                );
                assert_eq!(answered.trace.stop, Some(Stop::Answered));
                assert!(!answered.outcome.is_forced, "{}", case.question);
                // Two questions at most where results agree: whether to calculate, and the answer.
                assert!(answered.outcome.n_finishing <= 3, "{:?}", answered.outcome);
                // What SPARQL sums up over a whole graph stands on no node that it tells.
                // Nor does Python.
                let tells = language == KgotLanguage::Cypher || case.level != "calculation";
                if language != KgotLanguage::Direct && tells {
                    assert!(!answered.outcome.support.is_empty(), "{}", case.question);
                }
            }
        }
    }
}

/// Seeds share names, and so questions; the script tells them apart by what the graph has.
#[test]
fn the_script_solves_the_tasks_of_every_seed_that_it_knows() {
    let script = KgotScript::new(0..4);
    for language in [KgotLanguage::Cypher, KgotLanguage::Direct] {
        let options = KgotOptions { language, ..KgotOptions::default() };
        for seed in 0..4 {
            for case in &cases(seed) {
                let answered = solve(&task(case), &options, &script);
                assert!(is_right(case, &answered), "{language:?}, seed {seed}: {}", case.question);
            }
        }
    }
}

/// 10 % bad JSON, 10 % broken queries, 5 % failures of the endpoint: within 2 points.
#[test]
fn faults_are_contained() {
    for language in languages() {
        let each = KgotOptions { language, ..KgotOptions::default() };
        contains_faults(&KgotFusionOptions { members: vec![language], each });
    }
    contains_faults(&KgotFusionOptions { members: languages(), ..KgotFusionOptions::default() });
}

fn contains_faults(options: &KgotFusionOptions) {
    let all = cases(1);
    let faulty = Faulty::new(KgotScript::new([1]), 7);
    let answered: Vec<KgotAnswered> =
        all.iter().map(|case| solve_in(&task(case), options, &faulty)).collect();
    let right = all.iter().zip(&answered).filter(|(case, a)| is_right(case, a)).count();
    let languages = &options.members;
    assert!(right * 100 >= all.len() * 98, "{languages:?}: {right} of {}", all.len());
    let fixed: u64 = answered.iter().map(|a| a.outcome.n_fixed).sum();
    let found = |layer: &str| {
        answered.iter().flat_map(|a| &a.trace.steps).any(|step| {
            matches!(&step.body, StepBody::Findings { findings, .. }
                if findings.iter().any(|f| f.rule == layer))
        })
    };
    assert!(fixed > 0 && found("model") && found("schema"), "no fault came");
}

#[test]
fn every_request_can_be_made_again_from_the_trace() {
    let case = &cases(1)[50];
    let faulty = Faulty::new(KgotScript::new([1]), 3);
    let answered = solve(&task(case), &KgotOptions::default(), &faulty);
    let trace = &answered.trace;
    let mut n = 0;
    for (i, step) in trace.steps.iter().enumerate() {
        if matches!(step.body, StepBody::Model { .. }) {
            assert_eq!(trace.request_of(i).unwrap().is_same, Some(true), "step {i}");
            n += 1;
        }
    }
    assert!(n > 10);
    assert!(["graph", "tools"].iter().all(|role| trace.asked.iter().any(|a| a.role == *role)));
    // The drawing of the end is what the deltas make.
    let graph = trace.graph_after(trace.steps.len()).unwrap();
    assert_eq!(graph.n_nodes(), answered.graph.now().n_nodes());
}

fn small(votes: u32) -> KgotOptions {
    KgotOptions { votes, maths: false, max_rounds: 2, ..KgotOptions::default() }
}

#[test]
fn a_tie_enhances_and_votes_have_a_temperature_and_seeds_of_their_own() {
    let solve_it = r#"{"query_type": "RETRIEVE", "query": "RETURN 1 AS x"}"#;
    let more = r#"{"query_type": "INSERT", "query": "more"}"#;
    let model = Lines::repeating_the_last(&[solve_it, more, "no call"]);
    let task = KgotTask { question: "One?".into(), files: Vec::new() };
    let answered = solve(&task, &KgotOptions { max_rounds: 1, max_replies: 0, ..small(2) }, &model);
    let vote = answered.trace.steps.iter().find_map(|step| match &step.body {
        StepBody::Vote { tallies, tie } => Some((tallies.clone(), *tie)),
        _ => None,
    });
    let (tallies, tie) = vote.unwrap();
    assert!(tie && tallies.len() == 2);
    assert_eq!(answered.outcome.n_rounds, 1, "a tie is no vote to solve");
    let asked = model.asked();
    assert_eq!(asked[0].temperature, Some(0.6));
    assert_eq!((asked[0].seed, asked[1].seed), (Some(1), Some(2)));
    assert_eq!(asked[0].messages, asked[1].messages);
    assert!(!asked[2].tools.is_empty() && asked[2].temperature.is_none());
}

#[test]
fn one_vote_has_the_temperature_of_its_endpoint() {
    let model = Lines::repeating_the_last(&[
        r#"{"query_type": "RETRIEVE", "query": "RETURN 1 AS x"}"#,
        r#"{"solution": "1"}"#,
    ]);
    let task = KgotTask { question: "One?".into(), files: Vec::new() };
    let answered = solve(&task, &small(1), &model);
    assert_eq!(answered.outcome.answer.as_deref(), Some("1"));
    assert_eq!(model.asked()[0].temperature, None);
    assert_eq!(answered.outcome.n_finishing, 1);
}

#[test]
fn a_query_that_reads_must_not_write_and_is_fixed() {
    let model = Lines::repeating_the_last(&[
        r#"{"query_type": "RETRIEVE", "query": "CREATE (n:X) RETURN n"}"#,
        r#"{"query": "RETURN 2 AS x"}"#,
        r#"{"solution": "2"}"#,
    ]);
    let task = KgotTask { question: "Two?".into(), files: Vec::new() };
    let answered = solve(&task, &small(1), &model);
    assert_eq!(answered.outcome.answer.as_deref(), Some("2"));
    assert_eq!(answered.graph.now().n_nodes(), 0);
    let error = model.asked()[1].messages[0].content.clone();
    assert!(error.contains("this graph can only be read"), "{error}");
}

#[test]
fn used_up_rounds_force_an_answer_that_says_so() {
    let model = Lines::repeating_the_last(&[
        r#"{"query_type": "INSERT", "query": "more"}"#,
        "nothing useful",
    ]);
    let task = KgotTask { question: "What?".into(), files: Vec::new() };
    let options = KgotOptions { max_replies: 1, ..small(1) };
    let answered = solve(&task, &options, &model);
    assert!(answered.outcome.is_forced);
    assert_eq!(answered.outcome.answer.as_deref(), Some(""));
    assert_eq!(answered.trace.stop, Some(Stop::Answered));
}

#[test]
fn a_stopped_run_has_no_answer_and_keeps_its_graph() {
    let cancel = Cancel::default();
    cancel.cancel();
    let script = KgotScript::new([1]);
    let case = &cases(1)[0];
    let task = task(case);
    let options = KgotOptions::default();
    let models = KgotModels { graph: &script, tools: &script };
    let answered =
        run(&task, &options, models, &KgotPlace::default(), context(&cancel), &mut |_| ())
            .now_or_never()
            .unwrap();
    assert_eq!(answered.outcome.answer, None);
    assert_eq!(answered.trace.stop, Some(Stop::Cancelled));
}
