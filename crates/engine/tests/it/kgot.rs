//! Knowledge Graph of Thoughts through the engine: a run tells how its graph grows, pauses, is corrected
//! and goes on; the graph is asked afterwards.

use engine::Attachments;
use kg::stores::StoreAddress;
use llm::HttpResponse;
use protocol::Control;
use protocol::exact::Exact;
use protocol::kgot::{
    AskGrown, AskStore, CopiedGraph, CopyGraph, CorrectGrown, KgotEvent, KgotRun, NO_GRAPH_YET,
    OpenSnapshot, ReadKgotFiles, WriteSnapshot,
};
use protocol::page::{AnswerQuery, Fetch, RunPython};
use protocol::runs::{ListCases, RunEvent, StartRun};
use serde_json::{Value, json};
use systems::experiment::{Case, Finished, Source};
use systems::kgot::experiment::{options_of, own_case, system_of, task_of};
use systems::kgot::{GraphGrowth, KgotLanguage, KgotMethod, KgotOptions, KgotOutcome, PythonReply};
use systems::remote::{CopyPlace, StorePlace};
use tasks::Verdict;
use tasks::kgot::KgotCase;
use trace::{StepBody, Stop};

use crate::page::*;

/// A task that needs several sources.
const INDEX: usize = 40;

fn asked(page: &mut Page, language: KgotLanguage) -> StartRun<KgotRun> {
    run_by(page, &KgotMethod::OneLanguage, language)
}

pub(crate) fn run_by(
    page: &mut Page,
    method: &KgotMethod,
    language: KgotLanguage,
) -> StartRun<KgotRun> {
    let case: KgotCase = of_set(page)[INDEX].body.read().unwrap();
    let own = own_case(&task_of(&case), Some(&case.answer)).unwrap();
    let mut ask = StartRun::<KgotRun>::new(system_of(method, language), own);
    ask.options = options_of(method, &KgotOptions { language, ..KgotOptions::default() });
    ask.with_model("graph", script("script")).with_model("tools", script("script"))
}

/// The cases of our set.
fn of_set(page: &mut Page) -> Vec<Case> {
    page.ask(ListCases::<KgotRun>::new(Source { seed: 0, ..Source::default() })).0
}

/// A run that ended.
fn solved(events: Vec<Event>) -> Finished<KgotOutcome> {
    *ended::<KgotRun>(events).run
}

/// What a run sent beside its steps.
fn sent(events: &[Event]) -> Vec<RunEvent<KgotEvent>> {
    told::<StartRun<KgotRun>>(events)
}

/// How a graph has grown.
fn growths(events: &[Event]) -> Vec<GraphGrowth> {
    let growth = |event| match event {
        RunEvent::Own(KgotEvent::Grown(growth)) => growth,
        other => panic!("{other:?}"),
    };
    sent(events).into_iter().map(growth).collect()
}

fn ask(query: &str, language: KgotLanguage, at: Option<usize>) -> AskGrown {
    AskGrown { at, language, query: query.into() }
}

const COUNT: &str = "MATCH (n) RETURN count(n) AS n";

fn count(page: &mut Page, at: Option<usize>) -> u64 {
    page.ask(ask(COUNT, KgotLanguage::Cypher, at)).rows[0][0].as_u64().unwrap()
}

#[test]
fn a_run_tells_how_its_graph_grows_and_every_state_of_it_can_be_asked() {
    let mut page = Page::new();
    assert_eq!(of_set(&mut page).len(), 120);
    for language in [KgotLanguage::Cypher, KgotLanguage::Sparql] {
        let run = asked(&mut page, language);
        let events = page.play(run);
        let solved = solved(events.clone());
        assert_eq!(solved.score.verdict, Verdict::Correct, "{language:?}");
        let n_new: usize = growths(&events).iter().map(|growth| growth.nodes.len()).sum();
        assert!(n_new > 0 && !solved.outcome.support.is_empty());
        // Each growth stands right behind the step that it is of.
        let is_growth = |e: &Event| matches!(e, Event::Event { .. });
        for (i, event) in events.iter().enumerate().filter(|(_, e)| is_growth(e)) {
            let Event::Step { step } = &events[i - 1] else { panic!("{event:?}") };
            assert!(
                matches!(&step.body, StepBody::Call { call, .. } if call.name == "write_graph")
            );
        }
        assert_eq!(count(&mut page, Some(0)), 0);
        assert!(count(&mut page, Some(1)) <= count(&mut page, None));
        let triples = "SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }";
        let table = page.ask(ask(triples, KgotLanguage::Sparql, None));
        assert_eq!(table.columns, ["n"]);
        assert!(table.rows[0][0].as_u64().unwrap() > 0, "{table:?}");
    }
}

/// The page ends the engine that answers a query which takes too long, and says so.
#[test]
fn a_query_that_was_ended_is_an_error_that_the_model_reads() {
    const WHY: &str = "the query took longer than 10 seconds and was stopped";
    let mut page = Page::new();
    page.answers_queries = false;
    let run = asked(&mut page, KgotLanguage::Sparql);
    page.send(1, run);
    let mut events = Vec::new();
    let mut was_ended = false;
    let solved = loop {
        page.settle();
        let mut new = page.events(1);
        let Some(last) = new.pop() else { panic!("nothing comes: {events:?}") };
        events.extend(new);
        let Some((ask, AnswerQuery { question })) = question(&last) else {
            events.push(last);
            break solved(events.clone());
        };
        if std::mem::replace(&mut was_ended, true) {
            page.answer_query(1, ask, &question);
        } else {
            page.refuse(1, ask, WHY);
        }
    };
    let read = |event: &Event| match event {
        Event::Step { step } => serde_json::to_string(step).unwrap().contains(WHY),
        _ => false,
    };
    assert!(events.iter().any(read), "{events:?}");
    // The graph is as it was, and the run went on with it.
    assert!(!solved.outcome.support.is_empty());
}

#[test]
fn fusion_shows_the_graph_of_each_language_and_each_can_be_asked() {
    let mut page = Page::new();
    let members = vec![KgotLanguage::Cypher, KgotLanguage::Sparql, KgotLanguage::Direct];
    let n = members.len();
    let method = KgotMethod::Fusion { members };
    let run = run_by(&mut page, &method, KgotLanguage::Cypher);
    let events = page.play(run);
    let growths = growths(&events);
    let solved = solved(events);
    assert_eq!(solved.score.verdict, Verdict::Correct, "{:?}", solved.score);
    assert_eq!(solved.outcome.members.len(), n);
    // One for each language but the first, and one for the answer that is taken.
    let anew: Vec<usize> = (0..growths.len()).filter(|i| growths[*i].is_anew).collect();
    assert_eq!(anew.len(), n, "{anew:?}");
    // The graph before another language begins is whole, the one after is empty.
    for at in &anew[..n - 1] {
        assert!(count(&mut page, Some(*at)) > 0);
        assert_eq!(count(&mut page, Some(at + 1)), 0);
    }
    // What is told adds up to the graph that is asked.
    let mut nodes = std::collections::BTreeSet::new();
    for (i, growth) in growths.iter().enumerate() {
        if growth.is_anew {
            nodes.clear();
        }
        nodes.extend(growth.nodes.iter().map(|n| n.id));
        assert_eq!(count(&mut page, Some(i + 1)), nodes.len() as u64, "{i}");
    }
    let last = nodes.len() as u64;
    assert_eq!(count(&mut page, None), last);
    assert_eq!(solved.outcome.snapshot.matches("\"type\":\"node\"").count() as u64, last);
}

#[test]
fn fusion_without_a_language_is_refused() {
    let mut page = Page::new();
    let method = KgotMethod::Fusion { members: Vec::new() };
    let run = run_by(&mut page, &method, KgotLanguage::Cypher);
    let why = page.refused(run);
    assert!(why.contains("names no language"), "{why}");
}

#[test]
fn what_is_asked_by_hand_cannot_write_and_faults_say_where() {
    let mut page = Page::new();
    let run = asked(&mut page, KgotLanguage::Cypher);
    page.play(run);
    let n = count(&mut page, None);
    let why = page.refused(ask("CREATE (:X)", KgotLanguage::Cypher, None));
    assert!(why.contains("CREATE"), "{why}");
    let why = page.refused(ask("MATCH (n RETURN n", KgotLanguage::Cypher, None));
    assert!(why.contains("line 1"), "{why}");
    assert_eq!(count(&mut page, None), n);
    let fresh = &mut Page::new();
    assert_eq!(fresh.refused(ask(COUNT, KgotLanguage::Cypher, None)), NO_GRAPH_YET);
}

#[test]
fn a_run_pauses_is_corrected_and_goes_on() {
    let mut page = Page::new();
    let run = StartRun { pauses: true, ..asked(&mut page, KgotLanguage::Cypher) };
    page.send(7, run);
    page.settle();
    let events = page.events(7);
    assert_eq!(sent(&events), [RunEvent::Paused]);
    assert!(!events.iter().any(|e| matches!(e, Event::Done { .. })));

    let wrong = "CREATE (:X".to_owned();
    page.tell(7, Control::Correct { query: wrong });
    page.settle();
    let corrected = page.events(7);
    let said = sent(&corrected);
    assert!(
        matches!(&said[..], [RunEvent::Refused(why), ..] if why.contains("line 1")),
        "{said:?}"
    );

    let query = "CREATE (:Person {name: 'Zoe'})".to_owned();
    page.tell(7, Control::Correct { query });
    page.settle();
    let more = page.events(7);
    let by_person = |e: &Event| matches!(e, Event::Step { step } if step.by_person);
    assert!(more.iter().any(by_person));
    let said = sent(&more);
    let RunEvent::Own(KgotEvent::Grown(growth)) = &said[0] else { panic!("{said:?}") };
    assert_eq!(growth.nodes[0].name, "Zoe");
    assert_eq!(count(&mut page, None), 1);

    // It pauses before each round, until it is done.
    let mut all = [events, corrected, more].concat();
    for _ in 0..20 {
        page.tell(7, Control::Resume);
        page.settle();
        all.extend(page.events(7));
        if let Some(Event::Done { .. }) = all.last() {
            let solved = solved(all);
            assert_eq!(solved.score.verdict, Verdict::Correct);
            assert!(solved.outcome.snapshot.contains("Zoe"));
            return;
        }
    }
    panic!("the run did not come to its end");
}

#[test]
fn python_of_a_model_runs_in_the_page_and_its_result_is_told_to_the_model() {
    let mut page = Page::new();
    let mut run = run_by(&mut page, &KgotMethod::NoGraph, KgotLanguage::Cypher)
        .with_model("tools", endpoint());
    run.by_hand.python = true;
    page.send(5, run);
    page.settle();
    let mut all = page.events(5);
    let (first, request) = fetch(&all);
    assert!(request.body.contains("run_python"));
    let arguments = json!({ "code": "result = 6 * 7" }).to_string();
    let call = json!({ "id": "a", "type": "function",
        "function": { "name": "run_python", "arguments": arguments } });
    let message = json!({ "role": "assistant", "content": "", "tool_calls": [call] });
    page.fetched(5, first, answer(message));
    page.settle();
    let events = page.events(5);
    all.extend(events.clone());
    let (ask, RunPython { request }) = waits(&events);
    assert_eq!(request.code, "result = 6 * 7");
    assert!(!request.files.is_empty());
    let result = Ok(PythonReply { result: json!(42), ..PythonReply::default() });
    page.answer::<RunPython>(5, ask, &result);
    page.settle();
    let events = page.events(5);
    all.extend(events.clone());
    let (second, request) = fetch(&events);
    assert!(request.body.contains("42"), "{}", request.body);
    let message = json!({ "role": "assistant", "content": "FINAL ANSWER: 42" });
    page.fetched(5, second, answer(message));
    page.settle();
    all.extend(page.events(5));
    let solved = solved(all);
    assert_eq!(solved.outcome.answer.as_deref(), Some("42"));
}

#[test]
fn documents_are_read_and_what_cannot_be_says_why() {
    let mut page = Page::new();
    let html = b"<h1>Sheep</h1><p>Seven.</p>\xff".to_vec();
    let beside = Attachments::new(vec![("a.html".into(), html)]);
    let read = page.try_with(ReadKgotFiles { names: vec!["a.html".into()] }, beside).unwrap();
    assert!(read.0.files[0].preview.starts_with("# Sheep"), "{:?}", read.0.files[0].preview);
    let beside = Attachments::new(vec![("a.png".into(), b"\x89PNG\r\n\x1a\n".to_vec())]);
    let read = page.try_with(ReadKgotFiles { names: vec!["a.png".into()] }, beside).unwrap();
    assert_eq!(read.0.files[0].preview, "This is an image (image/png, 8 bytes).");
}

#[test]
fn a_run_that_pauses_can_be_stopped() {
    let mut page = Page::new();
    let run = StartRun { pauses: true, ..asked(&mut page, KgotLanguage::Cypher) };
    page.send(3, run);
    page.settle();
    let mut events = page.events(3);
    page.tell(3, Control::Cancel);
    page.settle();
    events.extend(page.events(3));
    let solved = solved(events);
    assert_eq!(solved.trace.stop, Some(Stop::Cancelled));
}

#[test]
fn a_graph_is_saved_opened_corrected_and_begun_with() {
    let mut page = Page::new();
    let run = asked(&mut page, KgotLanguage::Cypher);
    page.play(run.clone());
    let text = page.ask(WriteSnapshot { at: None });
    let n = count(&mut page, None);

    let mut other = Page::new();
    let opened = other.ask(OpenSnapshot { text });
    assert_eq!((opened.graph.nodes.len() as u64, opened.notes.len()), (n, 0));
    let query = "CREATE (:Person {name: 'Zoe'})".to_owned();
    let Exact(whole) = other.ask(CorrectGrown { at: None, query });
    assert_eq!(whole.nodes.len() as u64, n + 1);
    let why = other.refused(CorrectGrown { at: None, query: "nonsense".into() });
    assert!(why.contains("line 1"), "{why}");

    let mut run = run;
    run.by_hand.keeps_graph = true;
    let solved = solved(other.play(run));
    let first = &solved.trace.steps[0];
    assert!(matches!(&first.body, StepBody::Call { call, .. } if call.name == "open_graph"));
    assert!(solved.outcome.snapshot.contains("Zoe"));
    assert!(other.refused(OpenSnapshot { text: "{".into() }).contains("line 1"));
}

#[test]
fn the_same_without_a_graph_and_files_are_read() {
    let mut page = Page::new();
    let run = run_by(&mut page, &KgotMethod::NoGraph, KgotLanguage::Cypher);
    let events = page.play(run);
    assert!(sent(&events).is_empty());
    assert_eq!(solved(events).score.verdict, Verdict::Correct);

    let beside = Attachments::new(vec![("a.txt".into(), b"sheep".to_vec())]);
    let read = page.try_with(ReadKgotFiles { names: vec!["a.txt".into()] }, beside).unwrap();
    assert_eq!(
        (read.0.files[0].file.name.as_str(), read.0.files[0].preview.as_str()),
        ("a.txt", "sheep\n")
    );
    let beside = Attachments::new(vec![
        ("a.bin".into(), vec![0, 1, 2, 3, 0xff, 0]),
        ("b.txt".into(), b"goats".to_vec()),
    ]);
    let names = vec!["a.bin".into(), "b.txt".into()];
    let read = page.try_with(ReadKgotFiles { names }, beside).unwrap().0;
    assert!(read.refused[0].contains("a.bin"), "{:?}", read.refused);
    assert_eq!(read.files[0].preview, "goats\n", "one bad file does not lose the others");
}

fn copy_place() -> CopyPlace {
    let address =
        StoreAddress { url: "http://127.0.0.1:7474".into(), database: None, language: "en".into() };
    let store = StorePlace { kind: "neo4j".into(), address, update_url: None };
    let confirmed = "http://127.0.0.1:7474/db/neo4j".into();
    CopyPlace { store, name: "mine".into(), confirmed }
}

/// Lets a store answer, each request with a status, until nothing is asked any more. Gives the events
/// and what was asked.
fn serve(page: &mut Page, job: u32, status: impl Fn(usize) -> u16) -> (Vec<Event>, Vec<Value>) {
    let (mut events, mut asked) = (Vec::new(), Vec::new());
    loop {
        page.settle();
        let (fetches, others): (Vec<_>, Vec<_>) =
            page.events(job).into_iter().partition(|e| question::<Fetch>(e).is_some());
        events.extend(others);
        if fetches.is_empty() {
            return (events, asked);
        }
        for event in fetches {
            let Some((fetch, Fetch { request, .. })) = question(&event) else { continue };
            assert_eq!(request.url, "http://127.0.0.1:7474/db/neo4j/query/v2");
            asked.push(serde_json::from_str(&request.body).unwrap());
            let body = json!({ "data": { "fields": [], "values": [] },
                "counters": { "nodesCreated": 2, "labelsAdded": 0 } });
            let status = status(asked.len());
            let body = body.to_string();
            let result = Ok(HttpResponse { status, body, ..HttpResponse::default() });
            page.fetched(job, fetch, result);
        }
    }
}

/// The ids in the rows of the statements that have this in their text.
fn ids(asked: &[Value], part: &str) -> std::collections::BTreeSet<u64> {
    let of = |body: &&Value| body["statement"].as_str().unwrap().contains(part);
    let rows = asked.iter().filter(of).filter_map(|body| body["parameters"]["rows"].as_array());
    rows.flatten().map(|row| row["id"].as_u64().unwrap()).collect()
}

#[test]
fn a_store_keeps_a_copy_of_a_graph_that_grows() {
    let mut page = Page::new();
    let mut run = asked(&mut page, KgotLanguage::Cypher);
    run.by_hand.copy = Some(copy_place());
    page.send(2, run.clone());
    let (events, asked) = serve(&mut page, 2, |_| 200);
    assert_eq!(solved(events.clone()).score.verdict, Verdict::Correct);
    let (nodes, edges) = (ids(&asked, "SET n = row.is"), ids(&asked, "SET r = row.is"));
    assert_eq!(nodes.len() as u64, count(&mut page, None));
    let copied = CopiedGraph { n_nodes: nodes.len(), n_edges: edges.len() };
    assert_eq!(sent(&events).pop(), Some(RunEvent::Own(KgotEvent::Copied(copied))));
    assert!(asked[0]["statement"].as_str().unwrap().ends_with("DETACH DELETE n"), "{}", asked[0]);
    assert!(!edges.is_empty() && asked.iter().all(|body| body["accessMode"] == "Write"));

    // The same by hand, and at an earlier step.
    for (at, n) in [(None, nodes.len()), (Some(0), 0)] {
        page.send(4, CopyGraph { at, place: copy_place() });
        let (mut events, asked) = serve(&mut page, 4, |_| 200);
        assert_eq!(done::<CopyGraph>(events.pop().unwrap()).n_nodes, n);
        assert_eq!(ids(&asked, "SET n = row.is").len(), n);
    }

    // A store that refuses does not end the run, and is not asked again.
    page.send(5, run.clone());
    let (events, asked) = serve(&mut page, 5, |n| if n > 1 { 403 } else { 200 });
    let Some(RunEvent::Own(KgotEvent::NotCopied(why))) = sent(&events).pop() else {
        panic!("{events:?}")
    };
    assert!(why.contains("403"), "{why}");
    assert_eq!(solved(events).score.verdict, Verdict::Correct);
    assert_eq!(asked.len(), 2);

    // Nobody typed that address: the run does not begin.
    let copy = CopyPlace { confirmed: "http://127.0.0.1:7474".into(), ..copy_place() };
    run.by_hand.copy = Some(copy);
    let why = page.refused(run);
    assert!(why.contains("not confirmed"), "{why}");
}

#[test]
fn a_store_is_asked_by_hand_and_changed_only_where_that_was_allowed() {
    let mut page = Page::new();
    let ask = |confirmed: Option<&str>| AskStore {
        store: copy_place().store,
        query: "CREATE (:A), (:B)".into(),
        confirmed: confirmed.map(str::to_owned),
    };
    page.send(2, ask(None));
    let (mut events, asked) = serve(&mut page, 2, |_| 200);
    // Whether it writes is the store's to see: it was asked to read.
    assert_eq!(asked[0]["accessMode"], "Read");
    done::<AskStore>(events.pop().unwrap());
    let why = page.refused(ask(Some("http://127.0.0.1:7475/db/neo4j")));
    assert!(why.contains("not confirmed"), "{why}");
    page.send(3, ask(Some("http://127.0.0.1:7474/db/neo4j/")));
    let (mut events, asked) = serve(&mut page, 3, |_| 200);
    assert_eq!(asked[0]["accessMode"], "Write");
    let table = done::<AskStore>(events.pop().unwrap());
    assert_eq!(table.rows, [[json!("nodesCreated"), json!(2)]]);
    page.send(4, ask(Some("http://127.0.0.1:7474/db/neo4j")));
    let (mut events, _) = serve(&mut page, 4, |_| 403);
    let Some(Event::Failed { message }) = events.pop() else { panic!("{events:?}") };
    assert!(message.contains("403") && !message.contains("nobody knows"), "{message}");
}
