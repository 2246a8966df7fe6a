//! Benchmarks through the engine: made, paused, gone on with, added up, checked, written.

use eval::prices::Prices;
use eval::report::ReportOptions;
use eval::{Budget, Runs};
use llm::{Endpoint, HttpResponse};
use protocol::Control;
use protocol::bench::{
    AddRuns, BenchForm, BenchLines, BenchReport, BenchSpec, CheckRuns, CheckedRuns, CompareSetups,
    EndedBench, ExperimentView, KeptRuns, ListExperiments, ListRuns, OpenRun, OpenedRun,
    ReportRuns, StartBench, UnpackRuns, WriteBench,
};
use protocol::page::Fetch;
use protocol::runs::ModelChoice;
use protocol::traces::TextFile;
use tasks::Verdict;

use crate::page::*;

/// Makes the runs: the lines that the page is given to keep, and the end.
fn make(page: &mut Page, spec: &BenchSpec) -> (String, Result<EndedBench, String>) {
    let mut events = page.play(start(spec));
    let ended = reply::<StartBench>(events.pop().unwrap());
    (lines(&events), ended)
}

fn lines(events: &[Event]) -> String {
    told::<StartBench>(events).into_iter().map(|BenchLines { text, .. }| text).collect()
}

fn spec() -> BenchSpec {
    BenchSpec {
        models: ["script", "mistaken"].map(|n| ModelChoice::Script { name: n.into() }).to_vec(),
        n: 3,
        ..BenchSpec::default()
    }
}

fn start(spec: &BenchSpec) -> StartBench {
    StartBench { spec: Box::new(spec.clone()), prices: Prices::default() }
}

#[test]
fn runs_are_made_kept_added_up_compared_opened_and_checked() {
    let mut page = Page::new();
    let (text, ended) = make(&mut page, &spec());
    let EndedBench { progress, reason } = ended.unwrap();
    let n = 8 * 3 * 2 * 2;
    assert_eq!((progress.n_done, progress.n_jobs, reason), (n, n, None));
    let runs: Runs = Runs::read(&text).unwrap();
    assert_eq!(runs.runs.len(), n, "every line came to the page");

    let report = page.ask(ReportRuns { options: Box::new(ReportOptions::default()) });
    let BenchReport { report, tables, plots, labels, n_sortable } = report;
    assert_eq!(report.setups.len(), 4);
    assert_eq!((labels.len(), n_sortable), (4, 0));
    assert!(tables.len() == 6 && plots.len() >= 3);

    let listed = page.ask(ListRuns { from: 0, n });
    let rows = listed.rows;
    assert_eq!((rows.len(), listed.n_runs), (n, n));
    let rest = page.ask(ListRuns { from: 3, n: 2 });
    assert_eq!((rest.rows.as_slice(), rest.n_runs), (&rows[3..5], n));
    assert!(page.ask(ListRuns { from: n, n: 2 }).rows.is_empty());
    let key = rows[0].key.clone();
    let OpenedRun { record, problem } = page.ask(OpenRun { key });
    assert_eq!(record.id, rows[0].key.case);
    assert!(record.trace.prompt.len() == 2 && record.input == problem.unwrap().question);

    let (left, right) = (report.setups[0].0.clone(), report.setups[1].0.clone());
    let differing = page.ask(CompareSetups { left, right }).differing;
    assert!(!differing.is_empty(), "a mistaken script errs somewhere");

    let CheckedRuns { n_runs, drifts, .. } = page.try_ask(CheckRuns {}).unwrap();
    assert_eq!((n_runs, drifts), (n, Vec::new()));

    for (form, extension, _) in BenchForm::ALL {
        let options = Box::new(ReportOptions::default());
        let setup = Some(report.setups[0].0.clone());
        let write = WriteBench { form, about: "T".into(), setup, date_s: 1.0, options };
        let TextFile { text: file, extension: found } = page.ask(write);
        assert_eq!(found, extension);
        match form {
            BenchForm::Runs => assert_eq!(file, text, "the very lines"),
            BenchForm::Csv => assert_eq!(file.lines().count(), n + 1),
            BenchForm::Html => assert!(file.contains("connect-src 'none'")),
            _ => assert!(file.starts_with('{')),
        }
    }
}

/// What the form of the page asks for when nothing but an experiment is chosen in it, for two cases.
fn usual(experiment: &ExperimentView) -> BenchSpec {
    let scripts = &experiment.roles[0].scripts;
    let (name, _) = scripts.get(1).or(scripts.first()).unwrap().clone();
    let usual =
        BenchSpec { models: vec![ModelChoice::Script { name }], n: 2, ..BenchSpec::default() };
    if experiment.id == usual.experiment {
        return usual;
    }
    BenchSpec {
        experiment: experiment.id.clone(),
        systems: experiment.systems.iter().map(|system| system.id.clone()).collect(),
        levels: vec!["all".into()],
        ..usual
    }
}

#[test]
fn every_experiment_is_added_up_in_its_own_words_checked_and_resumed() {
    let expected = [
        ("nlgraph", &["They test the harness, not a method", "False claim"][..]),
        ("kgqa", &["Measures of answers", "GraphRunner", "Unsupported answer"]),
        ("family", &["Extraction (Table 3)", "Calls with Greedy Search (Table 5)"]),
        ("toolformer", &["Statements with inline calls (Table 4)", "BLEU"]),
        ("rescue", &["Plans", "As good as ours"]),
        ("kgot", &["A query dropped", "KGoT, fusion", "no graph"]),
    ];
    let experiments = Page::new().ask(ListExperiments {});
    assert_eq!(experiments.len(), expected.len());
    for (experiment, (id, words)) in experiments.iter().zip(expected) {
        assert_eq!(experiment.id, id);
        let mut page = Page::new();
        let spec = usual(experiment);
        let (text, ended) = make(&mut page, &spec);
        assert_eq!(ended.unwrap().reason, None, "{id}");
        let n = text.matches("{\"type\":\"run\"").count();
        let report = page.ask(ReportRuns { options: Box::new(ReportOptions::default()) });
        let note = report.report.scripts_note().unwrap_or_default();
        let shown = format!(
            "{note} {:?} {} {}",
            report.labels,
            serde_json::to_string(&report.tables).unwrap(),
            serde_json::to_string(&report.plots).unwrap()
        );
        for words in words {
            assert!(shown.contains(words), "{id}: {words} is not in {shown}");
        }
        let CheckedRuns { n_runs, drifts, .. } = page.try_ask(CheckRuns {}).unwrap();
        assert_eq!((n_runs, drifts), (n, Vec::new()), "{id}");
        // Another sample of each is all that is made when it is resumed.
        let (more, ended) = make(&mut page, &BenchSpec { n_samples: 2, ..spec });
        assert_eq!(ended.unwrap().progress.n_done, 2 * n, "{id}");
        assert_eq!(more.matches("{\"type\":\"run\"").count(), n, "{id}");
    }
}

#[test]
fn what_was_paused_or_lost_goes_on_without_a_run_made_twice() {
    let mut page = Page::new();
    page.host.tick_ms.set(5.0);
    *page.host.meanwhile.borrow_mut() = Some((2, page.engine.clone(), 1, Control::Pause));
    let mut events = page.play(start(&spec()));
    let EndedBench { progress, reason } = done::<StartBench>(events.pop().unwrap());
    assert!(reason.unwrap().contains("paused"));
    assert!(progress.n_done > 0 && progress.n_done < progress.n_jobs && progress.n_running == 0);
    let before = lines(&events);

    // Another page, as after a reload: a worker that holds nothing. A half line was lost.
    let mut page = Page::new();
    let cut = before.len() - 10;
    let torn = before[..cut].to_owned();
    let KeptRuns { n_runs, n_torn, .. } = page.try_ask(AddRuns { text: torn.clone() }).unwrap();
    assert!(n_torn > 0 && n_runs + 1 == progress.n_done);
    let (more, ended) = make(&mut page, &spec());
    assert_eq!(ended.unwrap().reason, None);
    let whole = torn[..torn.rfind('\n').unwrap() + 1].to_owned() + &more;
    let runs: Runs = Runs::read(&whole).unwrap();
    assert_eq!((runs.runs.len(), runs.n_duplicates), (8 * 3 * 2 * 2, 0));
    assert_eq!(runs.runs.len(), n_runs + more.matches("{\"type\":\"run\"").count());
}

#[test]
fn a_tampered_verdict_is_found() {
    let mut page = Page::new();
    let (text, _) = make(&mut page, &spec());
    let forged = text.replacen("\"verdict\":\"Incorrect\"", "\"verdict\":\"Correct\"", 1);
    assert_ne!(forged, text);
    let mut page = Page::new();
    page.try_ask(AddRuns { text: forged }).unwrap();
    let drifts = page.try_ask(CheckRuns {}).unwrap().drifts;
    assert_eq!(drifts.len(), 1);
    assert_eq!(drifts[0].verdict, Some((Verdict::Correct, Verdict::Incorrect)));
}

#[test]
fn runs_out_of_the_pages_own_file_are_unpacked_with_bounds() {
    use base64::Engine as _;
    use std::io::Write as _;
    let mut page = Page::new();
    let (text, _) = make(&mut page, &spec());
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    gzip.write_all(text.as_bytes()).unwrap();
    let coded = |bytes: &[u8]| base64::engine::general_purpose::STANDARD.encode(bytes);
    let bytes = gzip.finish().unwrap();
    let packed = coded(&bytes);
    assert_eq!(Page::new().try_ask(UnpackRuns { packed }).unwrap().n_runs, 96);
    // A bomb: far more than a runs file may have.
    let mut bomb = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..210 {
        bomb.write_all(&vec![b' '; 1_000_000]).unwrap();
    }
    let bomb = coded(&bomb.finish().unwrap());
    for bad in ["", "?", "AAAA", &coded(&bytes[..bytes.len() / 2]), &bomb] {
        let packed = bad.to_owned();
        let error = Page::new().refused(UnpackRuns { packed });
        assert!(error.contains("cannot be unpacked"), "{error}");
    }
}

#[test]
fn what_cannot_be_run_is_refused_in_words() {
    let refused = |change: fn(&mut BenchSpec)| {
        let mut spec = spec();
        change(&mut spec);
        Page::new().refused(start(&spec))
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
    page.send(1, start(&spec));
    let (mut most, mut n_slow, mut ended) = (0, 0, None);
    for round in 0..400 {
        page.settle();
        let events = page.events(1);
        let mut open = Vec::new();
        for event in events {
            match event {
                ask @ Event::Ask { .. } => open.extend(question::<Fetch>(&ask).map(|(ask, _)| ask)),
                lines @ Event::Event { .. } => {
                    for BenchLines { progress, .. } in told::<StartBench>(&[lines]) {
                        most = most.max(progress.n_running);
                        n_slow += usize::from(progress.concurrency < 4);
                    }
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
            page.fetched(1, fetch, Ok(result));
        }
    }
    let EndedBench { progress, reason } = done::<StartBench>(ended.unwrap());
    assert_eq!((progress.n_done, reason), (6, None));
    assert!(most <= 4 && n_slow > 0 && progress.n_retries >= 4, "{most} {n_slow} {progress:?}");
    assert_eq!(progress.spent.tokens, 6 * 15);
}
