//! A model that writes programs: which part of its reply is run, what it reads of a failure, and what is
//! its answer in the end. Programs are not run here; `companion/tests/it/programs.rs` runs some.

use std::cell::RefCell;
use std::collections::VecDeque;

use agent::Cancel;
use futures_util::FutureExt as _;
use llm::{BoxFuture, Message, Role};
use serde_json::json;
use systems::experiment::{CaseRequest, Experiment, MODEL, Models, Need, World};
use systems::kgot::{PythonFailure, PythonFault, PythonReply, PythonRequest, PythonRunner};
use systems::nlgraph::{self, Item, NlGraph, ProblemWorld};
use systems::{Run, RunOptions, RunRequest, run_system};
use tasks::{Difficulty, Problem, Style, TaskId, Verdict, Wording, task};
use test_support::{Lines, calling, context};
use trace::{Record, Step, StepBody, Stop, Trace, formats};

/// What a program comes to.
type Ran = Result<PythonReply, PythonFailure>;

/// Gives one thing after the other, and keeps what it is asked.
struct Played {
    gives: RefCell<VecDeque<Ran>>,
    asked: RefCell<Vec<PythonRequest>>,
}

impl Played {
    fn new(gives: impl IntoIterator<Item = Ran>) -> Self {
        let gives = RefCell::new(gives.into_iter().collect());
        Self { gives, asked: RefCell::default() }
    }
}

impl PythonRunner for Played {
    fn run<'a>(&'a self, request: PythonRequest) -> BoxFuture<'a, Ran> {
        self.asked.borrow_mut().push(request);
        let ran = self.gives.borrow_mut().pop_front();
        Box::pin(std::future::ready(ran.expect("one program too many")))
    }
}

fn prints(output: &str) -> Ran {
    Ok(PythonReply { output: output.into(), ..PythonReply::default() })
}

fn fails(kind: PythonFault, message: &str, line: Option<u64>) -> Ran {
    Err(PythonFailure { line, exit: Some(1), ..PythonFailure::new(kind, message) })
}

fn block(code: &str) -> Message {
    Message::assistant(format!("So:\n```python\n{code}\n```\n"))
}

fn problem() -> Problem {
    task(TaskId::Cycle).generate(Difficulty::Easy, 3)
}

fn right() -> &'static str {
    if tasks::reference_text(&problem(), &tasks::solve(&problem())).starts_with("Yes") {
        "True\n"
    } else {
        "False\n"
    }
}

fn run_from(resume: Option<Trace>, model: &Lines, python: &Played, repairs: u32) -> Run {
    let (problem, cancel) = (problem(), Cancel::default());
    let question = problem.question(Wording::Benchmark, Style::ZeroShot);
    let request = RunRequest {
        system: nlgraph::find("program").unwrap(),
        problem: &problem,
        question: &question,
        options: RunOptions { repairs, resume, ..RunOptions::default() },
        setting: context(&cancel),
        python: Some(python),
    };
    run_system(request, model, &mut |_| {}).now_or_never().unwrap()
}

fn run(model: &Lines, python: &Played) -> Run {
    run_from(None, model, python, 2)
}

/// The faults of the programs of a run.
fn faults(run: &Run) -> Vec<Option<&str>> {
    let of = run.trace.steps.iter().filter_map(|step| match &step.body {
        StepBody::Program { fault, .. } => Some(fault.as_deref()),
        _ => None,
    });
    of.collect()
}

#[test]
fn what_a_program_prints_is_the_answer() {
    let model = Lines::new([block("print(has_cycle)")]);
    let python = Played::new([prints(right())]);
    let run = run(&model, &python);
    assert_eq!(run.judgement.verdict, Verdict::Correct, "{}", run.judgement.explanation);
    assert_eq!((run.trace.answer(), run.trace.stop.clone()), (Some(right()), Some(Stop::Answered)));
    let asked = python.asked.borrow();
    assert_eq!(asked.len(), 1);
    assert_eq!((asked[0].code.as_str(), asked[0].is_program), ("print(has_cycle)\n", true));
    assert_eq!((&asked[0].graph, asked[0].limit_ms), (&None, 10_000));
    assert!(model.asked()[0].tools.is_empty());
    // The step says it all, and is read back.
    let text = serde_json::to_string(&run.trace).unwrap();
    assert_eq!(serde_json::from_str::<Trace>(&text).unwrap(), run.trace);
    // In other programs' formats the output stands as what the model was shown.
    for (id, _) in formats::TITLES {
        let (_, written) = formats::write(id, &[Record::of(run.trace.clone())]).unwrap();
        assert!(written.contains(right().trim()), "{id}: {written}");
    }
}

#[test]
fn the_model_reads_what_failed_and_may_try_twice() {
    let model = Lines::new([block("x = 1\nprint(x / 0)"), block("print("), block("print(1)")]);
    let python = Played::new([
        fails(PythonFault::Runtime, "ZeroDivisionError: division by zero", Some(2)),
        fails(PythonFault::Syntax, "SyntaxError: '(' was never closed", Some(1)),
        prints(right()),
    ]);
    let run = run(&model, &python);
    assert_eq!(run.judgement.verdict, Verdict::Correct);
    let faults = faults(&run);
    assert!(faults[0].unwrap().ends_with("division by zero (line 2: print(x / 0))"), "{faults:?}");
    assert!(faults[1].unwrap().contains("is not Python: SyntaxError"), "{faults:?}");
    let asked = model.asked();
    let last = asked[2].messages.last().unwrap();
    assert!(last.role == Role::User && last.content.contains("SyntaxError"), "{}", last.content);
    assert_eq!(asked[2].messages.len(), 6, "the rules, the question, two programs and two faults");
    assert_eq!(run.trace.n_rounds(), 3);
}

#[test]
fn a_program_that_gives_no_answer_is_the_models_mistake() {
    let long = "x".repeat(30_000);
    let cases = [
        (prints(" \n"), "printed nothing"),
        (prints(&long), "more than 20000 letters"),
        (fails(PythonFault::Timeout, "it was ended", None), "did not end within 10 seconds"),
        (fails(PythonFault::Memory, "it was ended by signal 9", None), "too much memory"),
        (
            fails(PythonFault::Runtime, "ModuleNotFoundError: No module named 'x'", Some(1)),
            "there are Python's own modules and networkx",
        ),
        (
            fails(PythonFault::Runtime, "EOFError: EOF when reading a line", Some(1)),
            "no input to read",
        ),
    ];
    for (ran, why) in cases {
        let (model, python) = (Lines::new([block("print(1)")]), Played::new([ran]));
        let run = run_from(None, &model, &python, 0);
        let Some(Stop::NoProgram { reason }) = &run.trace.stop else { panic!("{:?}", run.trace) };
        assert!(reason.contains(why), "{reason}");
        assert_eq!((run.judgement.verdict, run.trace.answer()), (Verdict::NoAnswer, None));
        assert!(run.judgement.explanation.contains(why), "{}", run.judgement.explanation);
        let StepBody::Program { output, .. } = &run.trace.steps.last().unwrap().body else {
            panic!("{:?}", run.trace.steps)
        };
        assert!(output.chars().count() <= 20_001);
        let errors: Vec<String> = systems::experiment::common_errors(&run.trace).collect();
        assert_eq!(errors, ["no_program"]);
    }
}

#[test]
fn a_reply_without_a_program_is_sent_back_or_asks() {
    let model = Lines::new([Message::assistant("There is a cycle."), block("print(1)")]);
    let corrected = run(&model, &Played::new([prints(right())]));
    assert_eq!(corrected.judgement.verdict, Verdict::Correct);
    assert!(model.asked()[1].messages.last().unwrap().content.contains("no program in it"));
    // Words are no answer, whatever they say.
    let words = Lines::repeating_the_last(&["There is a cycle. The answer is yes."]);
    let none = run(&words, &Played::new([]));
    assert_eq!((none.judgement.verdict, words.asked().len()), (Verdict::NoAnswer, 3));
    let asks = Lines::new([Message::assistant("Which graph do you mean?")]);
    let back = run(&asks, &Played::new([]));
    assert_eq!(back.trace.stop, Some(Stop::AskedBack));
    // A program that prints a question asks nobody.
    let prints_one = run_from(None, &Lines::new([block("")]), &Played::new([]), 0);
    assert!(matches!(prints_one.trace.stop, Some(Stop::NoProgram { .. })));
    let question = Played::new([prints("Is there a cycle?\n")]);
    let asked = run_from(None, &Lines::new([block("print(1)")]), &question, 0);
    assert_eq!(asked.trace.stop, Some(Stop::Answered));
}

#[test]
fn a_call_of_a_function_that_nobody_offers_is_answered() {
    let mut calls = calling(&[("python", "{}")]);
    calls.content = "```python\nprint(1)\n```".into();
    let run = run(&Lines::new([calls]), &Played::new([prints(right())]));
    assert_eq!(run.judgement.verdict, Verdict::Correct);
    let called = Lines::new([calling(&[("python", "{\"code\": \"1\"}")]), block("print(1)")]);
    let run = self::run(&called, &Played::new([prints(right())]));
    assert_eq!((run.judgement.verdict, called.asked().len()), (Verdict::Correct, 2));
}

#[test]
fn a_run_continues_where_a_trace_ends() {
    let model = Lines::new([block("print(1)"), block("print(2)")]);
    let python = Played::new([fails(PythonFault::Runtime, "KeyError: 1", None), prints(right())]);
    let whole = run(&model, &python);
    // After the failure; and in the middle, where the program was written and not run.
    for n in [2, 1] {
        let model = Lines::new([block("print(2)")]);
        let gives = [fails(PythonFault::Runtime, "KeyError: 1", None), prints(right())];
        let python = Played::new(gives.into_iter().skip(n - 1));
        let run = run_from(Some(whole.trace.fork(n)), &model, &python, 2);
        assert_eq!(run.judgement.verdict, Verdict::Correct, "{n}");
    }
}

#[test]
fn python_that_is_lost_is_no_mistake_of_the_model() {
    let lost = || fails(PythonFault::Unavailable, "it ended", None);
    let run = run(&Lines::new([block("print(1)")]), &Played::new([lost()]));
    let failed = |stop: &Option<Stop>| matches!(stop, Some(Stop::ModelFailed { .. }));
    assert!(failed(&run.trace.stop), "{:?}", run.trace.stop);
    // Without any, nothing is asked.
    let experiment: &dyn Experiment = &NlGraph;
    assert_eq!(experiment.needs("program"), Some(Need::Python));
    assert_eq!(experiment.needs("standalone"), None);
    let setup = experiment.setup("program", &[]).unwrap();
    let case = nlgraph::case(&Item::new("one", problem())).unwrap();
    let (model, cancel) = (Lines::new([]), Cancel::default());
    let start = |world: World| {
        let request = CaseRequest {
            setup: &setup,
            case: &case,
            world: &world,
            models: Models::one(MODEL.id, &model),
            setting: context(&cancel),
            sample: 0,
            session: &|_: &Step| (),
        };
        experiment.run(request).now_or_never().unwrap().unwrap_err()
    };
    assert!(start(World::default()).contains("nobody runs Python here"));
    let broken = ProblemWorld { python: Some(std::rc::Rc::new(Played::new([lost()]))) };
    assert!(start(World::new(broken)).contains("needs Python with networkx"));
}

#[test]
fn the_number_of_repairs_is_an_option_of_this_system_alone() {
    let experiment: &dyn Experiment = &NlGraph;
    let read = |system: &str, n: u32| experiment.read_options(system, &json!({ "repairs": n }));
    assert_eq!(read("program", 1).unwrap()["repairs"], json!(1));
    assert!(read("program", 3).unwrap_err().contains("expected 0 to 2"));
    assert!(read("standalone", 1).unwrap_err().contains("repairs"));
    assert_eq!(experiment.choices("repairs").len(), 3);
    // The options of other systems are what they were, so runs in a file are still theirs.
    assert!(experiment.options("standalone").get("repairs").is_none());
}
