//! What a worker asks of the page: every question is answered, given up or refused, and an answer
//! reaches the one question that it is of.

use engine::Attachments;
use llm::{ApiKey, HttpResponse, Message, ModelError};
use protocol::kgot::KgotRun;
use protocol::page::{
    AnswerQuery, AskPerson, Clean, Fetch, FetchPart, RunPython, SendWeights, SupplyData,
};
use protocol::runs::{ModelChoice, ProblemRun, StartRun};
use protocol::{Control, Service};
use serde_json::json;
use systems::kgot::{KgotLanguage, KgotMethod, PythonReply};
use systems::toolformer::Mode;
use tasks::TaskId;
use trace::Stop;

use crate::kgot::run_by;
use crate::page::*;
use crate::toolformer::statement;

const KEY: &str = "sk-canary-7f3a91";

/// A task of the set, with a script that asks in a language.
fn solve(page: &mut Page, language: KgotLanguage) -> StartRun<KgotRun> {
    run_by(page, &KgotMethod::OneLanguage, language)
}

/// The same with a model at an endpoint that may run Python.
fn with_python(page: &mut Page) -> StartRun<KgotRun> {
    let run = run_by(page, &KgotMethod::NoGraph, KgotLanguage::Cypher);
    let mut run = run.with_model("tools", endpoint());
    run.by_hand.python = true;
    run
}

/// An answer that runs code.
fn runs(code: &str) -> Result<HttpResponse, ModelError> {
    let arguments = json!({ "code": code }).to_string();
    let call = json!({ "id": "a", "type": "function",
        "function": { "name": "run_python", "arguments": arguments } });
    answer(json!({ "role": "assistant", "content": "", "tool_calls": [call] }))
}

fn says(text: &str) -> Result<HttpResponse, ModelError> {
    answer(json!({ "role": "assistant", "content": text }))
}

/// Stops a job that waits for the page, and says that it gave up what it had asked and came to its end.
fn stops<S: Service>(page: &mut Page, job: u32) {
    let open: Vec<u32> = page.events(job).iter().filter_map(question::<S>).map(|q| q.0).collect();
    assert!(!open.is_empty(), "nothing asks for {}", S::NAME);
    page.tell(job, Control::Cancel);
    page.settle();
    let events = page.events(job);
    for ask in &open {
        let is_given_up = |e: &Event| matches!(e, Event::Unask { ask: given } if given == ask);
        assert!(events.iter().any(is_given_up), "{} of {open:?}: {events:?}", S::NAME);
    }
    let is_end = matches!(events.last(), Some(Event::Done { .. } | Event::Cancelled));
    assert!(is_end, "{}: {events:?}", S::NAME);
    // What comes too late is of no job, and what is asked next is answered.
    page.tell(job, Control::Reply { ask: open[0], reply: Ok("null".into()) });
    page.settle();
    assert!(page.events(job).is_empty());
}

#[test]
fn a_stopped_job_gives_up_whatever_it_asked() {
    let mut page = Page::new();
    (page.answers_queries, page.has_more) = (false, true);
    let problem = page.problem(TaskId::Cycle, 3);
    let (sparql, python) = (solve(&mut page, KgotLanguage::Sparql), with_python(&mut page));
    page.send(1, run("grounded", &problem, ModelChoice::Person));
    page.send(2, run("grounded", &problem, endpoint()));
    page.send(3, run("grounded", &problem, ModelChoice::Own));
    page.send(4, super::own::look(&problem.question, "No."));
    page.send(5, sparql);
    page.send(6, python);
    let text = r#"It is [GR(GL("papers"), "graph_bert:topic", paper#3)-->r]."#;
    page.send(7, statement(text, Mode::Ours));
    page.settle();
    let (ask, Fetch { .. }) = waits(&page.events(6));
    page.fetched(6, ask, runs("result = 1"));
    page.settle();
    // All of them wait at the same time, and each is stopped by itself.
    stops::<AskPerson>(&mut page, 1);
    stops::<Fetch>(&mut page, 2);
    stops::<SendWeights>(&mut page, 3);
    stops::<SendWeights>(&mut page, 4);
    stops::<AnswerQuery>(&mut page, 5);
    stops::<RunPython>(&mut page, 6);
    stops::<SupplyData>(&mut page, 7);
}

/// What had come of an answer is cleaned and kept although the job is stopped meanwhile.
#[test]
fn a_stop_takes_nothing_from_what_is_being_cleaned() {
    let mut page = Page::new();
    let problem = page.problem(TaskId::Cycle, 3);
    page.send(1, run("standalone", &problem, endpoint()));
    page.settle();
    let (ask, Fetch { .. }) = waits(&page.events(1));
    page.tell(1, part::<Fetch>(ask, &FetchPart::Head(says("").unwrap().head())));
    let body = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"There is no\"}}]}\n\n";
    page.tell(1, part::<Fetch>(ask, &FetchPart::Text(body.into())));
    page.pool.run_until_stalled();
    page.tell(1, Control::Cancel);
    page.pool.run_until_stalled();
    let (clean, Clean { outcome, .. }) = waits(&page.events(1));
    // A second click on Stop.
    page.tell(1, Control::Cancel);
    page.pool.run_until_stalled();
    assert!(page.events(1).is_empty(), "it waits for what is clean");
    page.answer::<Clean>(1, clean, &outcome);
    page.settle();
    let run = run_of(&mut page.events(1));
    let text = serde_json::to_string(&run.trace.steps).unwrap();
    assert!(text.contains("There is no"), "{text}");
    assert_eq!(run.trace.stop, Some(Stop::Cancelled));
}

/// Numbers are given once: a page that was slow to hear that nobody waits answers no other question.
#[test]
fn an_answer_that_comes_late_answers_no_other_question() {
    let mut page = Page::new();
    let problem = page.problem(TaskId::Cycle, 3);
    page.send(1, run("standalone", &problem, endpoint()));
    page.settle();
    let (first, Fetch { .. }) = waits(&page.events(1));
    page.tell(1, part::<Fetch>(first, &FetchPart::Head(says("").unwrap().head())));
    let error = json!({ "error": { "code": 502, "message": "the model went away" } });
    page.tell(1, part::<Fetch>(first, &FetchPart::Text(format!("data: {error}\n\n"))));
    page.settle();
    let (second, Fetch { .. }) = waits(&page.events(1));
    assert_ne!(first, second);
    page.tell(1, part::<Fetch>(first, &FetchPart::Text("data: more\n\n".into())));
    page.fetched(1, first, says("late"));
    page.settle();
    assert!(page.events(1).is_empty(), "the second question is open");
    page.fetched(1, second, says("in time"));
    page.settle();
    assert_eq!(run_of(&mut page.events(1)).trace.answer(), Some("in time"));
}

/// The same numbers in two jobs are two questions.
#[test]
fn jobs_that_ask_at_once_get_each_its_own_answer() {
    let mut page = Page::new();
    let problem = page.problem(TaskId::Cycle, 3);
    for job in [1, 2] {
        page.send(job, run("standalone", &problem, ModelChoice::Person));
    }
    page.settle();
    let asks = [1, 2].map(|job| waits::<AskPerson>(&page.events(job)).0);
    assert_eq!(asks[0], asks[1]);
    for (job, said) in [(2, "two"), (1, "one")] {
        page.answer::<AskPerson>(job, asks[0], &Message::assistant(said));
        page.settle();
        assert_eq!(run_of(&mut page.events(job)).trace.answer(), Some(said));
    }
}

/// Page and worker are of one build. Where one of them has a fault, the run says so and ends.
#[test]
fn an_answer_that_cannot_be_read_ends_the_run_in_words() {
    let mut page = Page::new();
    let problem = page.problem(TaskId::Cycle, 3);
    let deep = "[".repeat(100_000);
    let words: [fn(u32, String) -> Control; 2] = [
        |ask, text| Control::Reply { ask, reply: Ok(text) },
        |ask, part| Control::Part { ask, part },
    ];
    for bad in ["", "{", "null", "{\"Ok\":3}", "\u{0}", &deep] {
        for word in words {
            let (ask, Fetch { .. }) = waits(&page.play(run("standalone", &problem, endpoint())));
            page.tell(1, word(ask, bad.to_owned()));
            page.settle();
            let stop = run_of(&mut page.events(1)).trace.stop;
            let Some(Stop::ModelFailed { message, .. }) = &stop else { panic!("{stop:?}") };
            assert!(message.contains("page/fetch cannot be read"), "{message}");
        }
    }
    // An answer without the bytes that it should have attached.
    let (ask, SendWeights { .. }) =
        waits(&page.play(run("standalone", &problem, ModelChoice::Own)));
    page.answer_with::<SendWeights>(1, ask, &(), Attachments::new(vec![("x".into(), vec![1])]));
    page.settle();
    let stop = run_of(&mut page.events(1)).trace.stop;
    let Some(Stop::ModelFailed { message, .. }) = &stop else { panic!("{stop:?}") };
    assert!(message.contains("attached is x"), "{message}");
}

#[test]
fn what_the_page_refuses_is_said() {
    let mut page = Page::new();
    let problem = page.problem(TaskId::Cycle, 3);
    for model in [endpoint(), ModelChoice::Person, ModelChoice::Own, ModelChoice::Alone] {
        let events = page.play(run("standalone", &problem, model));
        let Some(Event::Ask { ask, .. }) = events.last() else { panic!("{events:?}") };
        page.refuse(1, *ask, "nobody here answers that");
        page.settle();
        let stop = run_of(&mut page.events(1)).trace.stop;
        let Some(Stop::ModelFailed { message, .. }) = &stop else { panic!("{stop:?}") };
        assert!(message.contains("nobody here answers that"), "{message}");
    }
}

/// JavaScript has one kind of number, in which these would be others.
#[test]
fn numbers_of_an_answer_come_as_they_were() {
    let mut page = Page::new();
    let ask = with_python(&mut page);
    page.send(1, ask);
    page.settle();
    let (first, Fetch { .. }) = waits(&page.events(1));
    page.fetched(1, first, runs("result = 1.0"));
    page.settle();
    let (ask, RunPython { .. }) = waits(&page.events(1));
    let result = json!([1.0, -0.0, 18_446_744_073_709_551_615_u64, 1e300, 0.1]);
    page.answer::<RunPython>(1, ask, &Ok(PythonReply { result, ..PythonReply::default() }));
    page.settle();
    let (_, request) = fetch(&page.events(1));
    let told = "[1.0,-0.0,18446744073709551615,1e+300,0.1]";
    assert!(request.body.contains(told), "{}", request.body);
}

/// Code of a model puts a key together that it was told in pieces, or an endpoint quotes it: it is in no
/// step, no run, and not in what is asked next.
#[test]
fn a_key_that_comes_back_by_way_of_a_tool_is_in_no_step_and_no_run() {
    let mut page = Page::new();
    page.key = ApiKey::new(KEY);
    let ask = with_python(&mut page);
    page.send(1, ask);
    page.settle();
    let mut events = page.events(1);
    let (first, Fetch { .. }) = waits(&events);
    page.fetched(1, first, runs("print('sk-can' + 'ary-7f3a91')"));
    page.settle();
    events.extend(page.events(1));
    let (ask, RunPython { .. }) = waits(&events);
    let (output, result) = (format!("{KEY}\n"), json!({ "key": KEY }));
    let reply = PythonReply { output, result, ..PythonReply::default() };
    page.answer::<RunPython>(1, ask, &Ok(reply));
    page.settle();
    events.extend(page.events(1));
    let (second, request) = fetch(&events);
    assert!(request.body.contains("***"), "{}", request.body);
    page.fetched(1, second, says(&format!("FINAL ANSWER: {KEY}")));
    page.settle();
    events.extend(page.events(1));
    assert!(matches!(events.last(), Some(Event::Done { .. })), "{events:?}");
    let text = serde_json::to_string(&events).unwrap();
    assert!(!text.contains(KEY), "{text}");
    let solved = *ended::<KgotRun>(events).run;
    assert_eq!(solved.outcome.answer.as_deref(), Some("***"));
}

#[test]
fn what_was_answered_is_not_given_up() {
    let mut page = Page::new();
    let problem = page.problem(TaskId::Cycle, 3);
    let (ask, Fetch { .. }) = waits(&page.play(run("standalone", &problem, endpoint())));
    page.fetched(1, ask, says("No."));
    page.settle();
    let events = page.events(1);
    assert!(
        !events.iter().any(|e| matches!(e, Event::Unask { .. })),
        "it was answered: {events:?}"
    );
    assert!(ended::<ProblemRun>(events).run.trace.answer().is_some());
}
