//! Benchmarks through the engine: made, paused, gone on with, added up, checked, written.

use engine::message::{BenchAsk, BenchForm, BenchReply, BenchSpec, ModelChoice};
use engine::{Event, Output, Request};
use eval::prices::Prices;
use eval::report::Options;
use eval::{Budget, Runs};
use llm::{Endpoint, HttpResponse};
use tasks::Verdict;

use crate::page::*;

fn replied(event: Event) -> Result<BenchReply, String> {
    match event {
        Event::Done { output } => match *output {
            Output::Bench { reply } => Ok(BenchReply::read(&reply).unwrap()),
            other => panic!("{other:?}"),
        },
        Event::Failed { message } => Err(message),
        other => panic!("{other:?}"),
    }
}

fn ask(page: &mut Page, ask: BenchAsk) -> (String, Result<BenchReply, String>) {
    let mut events = page.play(ask.request().unwrap());
    let reply = replied(events.pop().unwrap());
    (lines(&events), reply)
}

/// What the page is given to keep.
fn lines(events: &[Event]) -> String {
    let text = |e: &Event| match e {
        Event::BenchLines { text, .. } => Some(text.clone()),
        _ => None,
    };
    events.iter().filter_map(text).collect()
}

fn spec() -> BenchSpec {
    BenchSpec {
        models: ["script", "mistaken"].map(|n| ModelChoice::Script { name: n.into() }).to_vec(),
        n: 3,
        ..BenchSpec::default()
    }
}

fn start(spec: &BenchSpec) -> BenchAsk {
    BenchAsk::Start { spec: Box::new(spec.clone()), prices: Prices::default() }
}

#[test]
fn runs_are_made_kept_added_up_compared_opened_and_checked() {
    let mut page = Page::new();
    let (text, reply) = ask(&mut page, start(&spec()));
    let BenchReply::Ended { progress, reason } = reply.unwrap() else { panic!() };
    let n = 8 * 3 * 2 * 2;
    assert_eq!((progress.n_done, progress.n_jobs, reason), (n, n, None));
    let runs: Runs = Runs::read(&text).unwrap();
    assert_eq!(runs.runs.len(), n, "every line came to the page");

    let report = BenchAsk::Report { options: Box::new(Options::default()) };
    let BenchReply::Report { report, tables, plots, labels } = ask(&mut page, report).1.unwrap()
    else {
        panic!()
    };
    assert_eq!(report.setups.len(), 4);
    assert_eq!(labels.len(), 4);
    assert!(tables.len() == 5 && plots.len() >= 3);

    let BenchReply::Rows { rows } = ask(&mut page, BenchAsk::Rows).1.unwrap() else { panic!() };
    assert_eq!(rows.len(), n);
    let key = rows[0].key.clone();
    let BenchReply::Opened { record, problem } = ask(&mut page, BenchAsk::Open { key }).1.unwrap()
    else {
        panic!()
    };
    assert_eq!(record.id, rows[0].key.case);
    assert!(record.trace.prompt.len() == 2 && record.input == problem.unwrap().question);

    let (left, right) = (report.setups[0].0.clone(), report.setups[1].0.clone());
    let compare = BenchAsk::Compare { left, right };
    let BenchReply::Compared { differing, .. } = ask(&mut page, compare).1.unwrap() else {
        panic!()
    };
    assert!(!differing.is_empty(), "a mistaken script errs somewhere");

    let BenchReply::Checked { n_runs, drifts, .. } = ask(&mut page, BenchAsk::Check).1.unwrap()
    else {
        panic!()
    };
    assert_eq!((n_runs, drifts), (n, Vec::new()));

    for (form, extension, _) in BenchForm::ALL {
        let options = Box::new(Options::default());
        let write = BenchAsk::Write { form, title: "T".into(), options };
        let reply = ask(&mut page, write).1.unwrap();
        let BenchReply::Text { text: file, extension: found } = reply else { panic!() };
        assert_eq!(found, extension);
        match form {
            BenchForm::Runs => assert_eq!(file, text, "the very lines"),
            BenchForm::Csv => assert_eq!(file.lines().count(), n + 1),
            BenchForm::Html => assert!(file.contains("connect-src 'none'")),
            _ => assert!(file.starts_with('{')),
        }
    }
}

#[test]
fn what_was_paused_or_lost_goes_on_without_a_run_made_twice() {
    let mut page = Page::new();
    page.host.tick_ms.set(5.0);
    let request = start(&spec()).request().unwrap();
    let pause = engine::Envelope { job: 1, body: Request::Pause };
    *page.host.meanwhile.borrow_mut() = Some((2, page.engine.clone(), pause));
    let mut events = page.play(request);
    let BenchReply::Ended { progress, reason } = replied(events.pop().unwrap()).unwrap() else {
        panic!()
    };
    assert!(reason.unwrap().contains("paused"));
    assert!(progress.n_done > 0 && progress.n_done < progress.n_jobs && progress.n_running == 0);
    let before = lines(&events);

    // Another page, as after a reload: a worker that holds nothing. A half line was lost.
    let mut page = Page::new();
    let cut = before.len() - 10;
    let torn = before[..cut].to_owned();
    let reply = ask(&mut page, BenchAsk::Take { text: torn.clone() }).1.unwrap();
    let BenchReply::Taken { n_runs, n_torn, .. } = reply else { panic!() };
    assert!(n_torn > 0 && n_runs + 1 == progress.n_done);
    let (more, reply) = ask(&mut page, start(&spec()));
    assert!(matches!(reply.unwrap(), BenchReply::Ended { reason: None, .. }));
    let whole = torn[..torn.rfind('\n').unwrap() + 1].to_owned() + &more;
    let runs: Runs = Runs::read(&whole).unwrap();
    assert_eq!((runs.runs.len(), runs.n_duplicates), (8 * 3 * 2 * 2, 0));
    assert_eq!(runs.runs.len(), n_runs + more.matches("{\"type\":\"run\"").count());
}

#[test]
fn a_tampered_verdict_is_found() {
    let mut page = Page::new();
    let (text, _) = ask(&mut page, start(&spec()));
    let forged = text.replacen("\"verdict\":\"Incorrect\"", "\"verdict\":\"Correct\"", 1);
    assert_ne!(forged, text);
    let mut page = Page::new();
    ask(&mut page, BenchAsk::Take { text: forged }).1.unwrap();
    let BenchReply::Checked { drifts, .. } = ask(&mut page, BenchAsk::Check).1.unwrap() else {
        panic!()
    };
    assert_eq!(drifts.len(), 1);
    assert_eq!(drifts[0].verdict, Some((Verdict::Correct, Verdict::Incorrect)));
}

#[test]
fn runs_out_of_the_pages_own_file_are_unpacked_with_bounds() {
    use base64::Engine as _;
    use std::io::Write as _;
    let mut page = Page::new();
    let (text, _) = ask(&mut page, start(&spec()));
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    gzip.write_all(text.as_bytes()).unwrap();
    let coded = |bytes: &[u8]| base64::engine::general_purpose::STANDARD.encode(bytes);
    let bytes = gzip.finish().unwrap();
    let packed = coded(&bytes);
    let reply = ask(&mut Page::new(), BenchAsk::Unpack { packed }).1.unwrap();
    assert!(matches!(reply, BenchReply::Taken { n_runs: 96, .. }));
    // A bomb: far more than a runs file may have.
    let mut bomb = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..210 {
        bomb.write_all(&vec![b' '; 1_000_000]).unwrap();
    }
    let bomb = coded(&bomb.finish().unwrap());
    for bad in ["", "?", "AAAA", &coded(&bytes[..bytes.len() / 2]), &bomb] {
        let packed = bad.to_owned();
        let error = ask(&mut Page::new(), BenchAsk::Unpack { packed }).1.unwrap_err();
        assert!(error.contains("cannot be unpacked"), "{error}");
    }
}

#[test]
fn what_cannot_be_run_is_refused_in_words() {
    let refused = |change: fn(&mut BenchSpec)| {
        let mut spec = spec();
        change(&mut spec);
        ask(&mut Page::new(), start(&spec)).1.unwrap_err()
    };
    assert!(refused(|s| s.models.clear()).contains("at least one"));
    assert!(refused(|s| s.systems = vec!["magic".into()]).contains("magic"));
    assert!(refused(|s| s.groups.clear()).contains("no case"));
    assert!(
        refused(|s| s.models.push(ModelChoice::Script { name: "script".into() })).contains("twice")
    );
    assert!(refused(|s| s.files = vec![("a.jsonl".into(), "{\"graph\":3}".into())]).contains("a"));
    assert!(refused(|s| s.n = 1_000_000).contains("at most"));
    assert!(refused(|s| s.models = vec![ModelChoice::Person]).contains("person"));
}

#[test]
fn an_endpoint_that_asks_to_slow_down_is_asked_less_at_once_and_a_dead_one_is_told() {
    let endpoint = Endpoint::new("openai", "http://127.0.0.1:9/v1");
    let spec = BenchSpec {
        systems: vec!["standalone".into()],
        models: vec![ModelChoice::Endpoint { endpoint, model: "m".into() }],
        groups: vec!["cycle".into()],
        levels: vec!["easy".into()],
        n: 6,
        concurrency: 4,
        budget: Budget::default(),
        ..BenchSpec::default()
    };
    let mut page = Page::new();
    page.send(1, start(&spec).request().unwrap());
    let (mut most, mut n_slow, mut ended) = (0, 0, None);
    for round in 0..400 {
        page.settle();
        let events = page.events(1);
        let mut open = Vec::new();
        for event in events {
            match event {
                Event::Fetch { fetch, .. } => open.push(fetch),
                Event::BenchLines { progress, .. } => {
                    most = most.max(progress.n_running);
                    n_slow += usize::from(progress.concurrency < 4);
                }
                done @ (Event::Done { .. } | Event::Failed { .. }) => ended = Some(done),
                _ => {}
            }
        }
        if ended.is_some() {
            break;
        }
        for fetch in open {
            let answer = |status, body: &str| HttpResponse {
                status,
                content_type: Some("application/json".into()),
                retry_after_ms: None,
                body: body.into(),
            };
            // The first four are asked to come later; the others are answered.
            let result = if round == 0 {
                answer(429, "{\"error\":{\"message\":\"slow down\"}}")
            } else {
                answer(
                    200,
                    "{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"No, there is no cycle.\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":5,\"total_tokens\":15}}",
                )
            };
            page.send(1, Request::Fetched { fetch, result: Ok(result) });
        }
    }
    let BenchReply::Ended { progress, reason } = replied(ended.unwrap()).unwrap() else { panic!() };
    assert_eq!((progress.n_done, reason), (6, None));
    assert!(most <= 4 && n_slow > 0 && progress.n_retries >= 4, "{most} {n_slow} {progress:?}");
    assert_eq!(progress.spent.tokens, 6 * 15);
}
