//! The scripts through the real loop: the careful one is right, the mistaken ones err as told.

use agent::Cancel;
use futures_util::FutureExt as _;
use systems::grounded::scripted::{Mistake, Script};
use systems::{Run, RunRequest, run_system};
use tasks::{Problem, Style, TASKS, TaskId, Verdict, Wording};
use test_support::{context, share};
use trace::MistakeKind;

fn play(system: &str, script: Script, problem: &Problem) -> Run {
    let question = problem.question(Wording::Improved, Style::ZeroShot);
    let cancel = Cancel::default();
    let request = RunRequest {
        system: systems::nlgraph::find(system).unwrap(),
        problem,
        question: &question,
        options: systems::RunOptions::default(),
        setting: context(&cancel),
        python: None,
    };
    run_system(request, &script, &mut |_| {}).now_or_never().unwrap()
}

fn problems(seeds: std::ops::Range<u64>) -> impl Iterator<Item = Problem> {
    let seeds = seeds.start..share(seeds.end);
    TASKS.iter().flat_map(move |task| {
        let seeds = seeds.clone();
        task.difficulties.iter().flat_map(move |d| seeds.clone().map(move |s| task.generate(*d, s)))
    })
}

fn mistakes(run: &Run) -> Vec<(MistakeKind, usize)> {
    run.trace.mistakes()
}

#[test]
fn the_careful_script_is_right_with_and_without_tools() {
    for problem in problems(0..6) {
        for system in ["grounded", "standalone"] {
            let run = play(system, Script::Careful, &problem);
            assert_eq!(
                run.judgement.verdict,
                Verdict::Correct,
                "{system} {:?} {:?}: {:?} {:?}",
                problem.task(),
                problem.seed,
                run.trace.answer(),
                run.judgement.explanation
            );
            assert_eq!(mistakes(&run), []);
        }
    }
}

#[test]
fn the_graph_that_the_script_builds_is_the_problems() {
    for problem in problems(0..3) {
        let run = play("grounded", Script::Careful, &problem);
        let built = run.trace.graph_after(run.trace.steps.len()).unwrap();
        assert_eq!(built, problem.graph, "{:?}", problem.task());
    }
}

#[test]
fn a_script_that_corrects_itself_ends_right_with_its_error_counted() {
    let cases = [
        (Mistake::BadJson, MistakeKind::BadJson),
        (Mistake::UnknownFunction, MistakeKind::UnknownTool),
        (Mistake::WrongArguments, MistakeKind::Schema),
    ];
    for (mistake, kind) in cases {
        for problem in problems(0..2) {
            let run = play("grounded", Script::Errs { mistake, stubborn: false }, &problem);
            assert_eq!(mistakes(&run), [(kind, 1)], "{mistake:?} {:?}", problem.task());
            assert_eq!(run.judgement.verdict, Verdict::Correct, "{mistake:?} {:?}", problem.task());
        }
    }
}

#[test]
fn a_stubborn_script_does_not_end_right() {
    for mistake in [Mistake::BadJson, Mistake::UnknownFunction, Mistake::WrongArguments] {
        for problem in problems(0..2) {
            let run = play("grounded", Script::Errs { mistake, stubborn: true }, &problem);
            assert_eq!(mistakes(&run).len(), 1);
            assert_ne!(run.judgement.verdict, Verdict::Correct, "{mistake:?} {:?}", problem.task());
        }
    }
}

#[test]
fn a_similar_function_leads_astray() {
    let errs = Script::Errs { mistake: Mistake::WrongFunction, stubborn: false };
    for problem in problems(0..3) {
        let run = play("grounded", errs, &problem);
        // A Hamilton path of a directed graph without cycles is a topological order.
        if problem.task() != TaskId::Topology {
            assert_ne!(run.judgement.verdict, Verdict::Correct, "{:?}", problem.task());
        }
        assert_eq!(mistakes(&run), [], "no error comes back: {:?}", problem.task());
    }
}

#[test]
fn a_dropped_node_is_noticed_where_the_question_names_it() {
    let errs = Script::Errs { mistake: Mistake::DroppedNode, stubborn: false };
    for task in [TaskId::Connectivity, TaskId::ShortestPath, TaskId::Flow] {
        let problem = tasks::task(task).generate(tasks::Difficulty::Easy, 3);
        let run = play("grounded", errs, &problem);
        assert_eq!(mistakes(&run), [(MistakeKind::Library, 1)], "{task:?}");
        assert_eq!(run.judgement.verdict, Verdict::Correct, "{task:?}");
    }
}

#[test]
fn every_script_comes_to_an_end_by_itself() {
    for problem in problems(0..3) {
        for (name, _) in Script::names() {
            for system in ["grounded", "standalone"] {
                let run = play(system, Script::by_name(&name).unwrap(), &problem);
                assert_eq!(
                    run.trace.stop,
                    Some(trace::Stop::Answered),
                    "{system} {name} {:?} {:?} {:?}",
                    problem.task(),
                    problem.difficulty,
                    problem.seed
                );
            }
        }
    }
}

#[test]
fn without_tools_the_mistaken_scripts_are_wrong() {
    for (mistake, name) in Mistake::ALL {
        for problem in problems(0..3) {
            let run = play("standalone", Script::Errs { mistake, stubborn: false }, &problem);
            assert_ne!(
                run.judgement.verdict,
                Verdict::Correct,
                "{name} {:?} {:?}: {:?}",
                problem.task(),
                problem.seed,
                run.trace.answer()
            );
            assert_ne!(run.judgement.verdict, Verdict::NoAnswer, "{name} {:?}", problem.task());
        }
    }
}

#[test]
fn the_demo_is_wrong_alone_and_right_with_tools() {
    for problem in problems(0..12) {
        let at = (problem.task(), problem.difficulty, problem.seed);
        let alone = play("standalone", Script::Demo, &problem);
        assert_eq!(
            alone.judgement.verdict,
            Verdict::Incorrect,
            "{at:?} {:?}",
            alone.trace.answer()
        );
        let grounded = play("grounded", Script::Demo, &problem);
        assert_eq!(grounded.judgement.verdict, Verdict::Correct, "{at:?}");
        assert_eq!(mistakes(&grounded), [], "{at:?}");
    }
}

#[test]
fn every_name_finds_its_script_and_the_label_says_script() {
    for (name, label) in Script::names() {
        let script = Script::by_name(&name).unwrap();
        assert_eq!(llm::Model::label(&script), label);
        assert!(label.to_lowercase().contains("script"), "{label}");
    }
    assert_eq!(Script::by_name("mistaken/no-such"), None);
}

#[test]
fn a_question_that_is_none_of_the_eight_is_refused_in_words() {
    let problem = tasks::task(TaskId::Cycle).generate(tasks::Difficulty::Easy, 1);
    let cancel = Cancel::default();
    let request = RunRequest {
        system: systems::nlgraph::find("grounded").unwrap(),
        problem: &problem,
        question: "What is the capital of France?",
        options: systems::RunOptions::default(),
        setting: context(&cancel),
        python: None,
    };
    let run = run_system(request, &Script::Careful, &mut |_| {}).now_or_never().unwrap();
    assert_eq!(run.judgement.verdict, Verdict::NoAnswer);
    assert!(run.judgement.explanation.contains("script"), "{}", run.judgement.explanation);
}

#[test]
fn one_trace_is_pinned() {
    let problem = tasks::task(TaskId::ShortestPath).generate(tasks::Difficulty::Easy, 7);
    let mut run = play(
        "grounded",
        Script::Errs { mistake: Mistake::WrongArguments, stubborn: false },
        &problem,
    );
    // Every function's description is pinned where it is made.
    assert_eq!(run.trace.tools.len(), graph::functions::FUNCTIONS.len() + 1);
    run.trace.tools.clear();
    insta::assert_json_snapshot!(run.trace);
}
