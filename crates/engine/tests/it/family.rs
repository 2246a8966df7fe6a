//! Families through the engine, every message as JSON text.

use agent::Limits;
use engine::message::{FamilyAsk, FamilyReply, FamilyRun, ModelChoice};
use engine::{Event, Output, Request};
use systems::kgetool::{Method, Options, SearchOptions};
use tasks::family::score::Mode;
use tasks::family::{Benchmark, Link, Sample};
use trace::replay::Finding;

use crate::page::*;

fn play(ask: FamilyAsk) -> (Vec<Event>, Result<FamilyReply, String>) {
    let mut posted = Page::new().play(ask.request().unwrap());
    let reply = match posted.pop().unwrap() {
        Event::Done { output } => match *output {
            Output::Family { reply } => Ok(FamilyReply::read(&reply).unwrap()),
            other => panic!("{other:?}"),
        },
        Event::Failed { message } => Err(message),
        other => panic!("{other:?}"),
    };
    (posted, reply)
}

fn made() -> Benchmark {
    let ask = FamilyAsk::Generate { seed: 4, n_relatives: 9, is_opaque: false };
    match play(ask).1.unwrap() {
        FamilyReply::Benchmark { benchmark } => *benchmark,
        other => panic!("{other:?}"),
    }
}

fn script(name: &str) -> ModelChoice {
    ModelChoice::Script { name: name.into() }
}

fn asked(benchmark: &Benchmark, sample: &Sample, method: Method) -> FamilyAsk {
    let search = SearchOptions { method, ..SearchOptions::default() };
    FamilyAsk::Run(Box::new(FamilyRun {
        family: benchmark.family(sample).unwrap().clone(),
        sample: sample.clone(),
        tools: benchmark.candidates(sample).unwrap(),
        extract: script("script"),
        call: script("script"),
        options: Options { search, ..Options::default() },
        limits: Limits::default(),
        is_scored: true,
    }))
}

#[test]
fn a_request_goes_through_both_models_and_is_scored() {
    let benchmark = made();
    let sample = benchmark.samples.iter().find(|s| s.depth == 2).unwrap();
    let (posted, reply) = play(asked(&benchmark, sample, Method::Gs));
    let FamilyReply::Ran { episode, scores, meaning } = reply.unwrap() else {
        panic!("{sample:?}")
    };
    let steps: Vec<_> = posted.iter().filter(|e| matches!(e, Event::Step { .. })).collect();
    let trace = episode.extracting.as_ref().unwrap();
    assert_eq!(steps.len(), trace.steps.len() + episode.calling.steps.len());
    assert_eq!((scores.len(), meaning.as_str()), (2, "character trigrams"));
    assert_eq!((scores[0].extraction.exact_match, scores[0].call.exact_match), (1.0, 1.0));

    // A replay checks the call again, and has nothing to say of searches.
    let replay = |trace| {
        let posted = Page::new().play(Request::Replay { trace: Box::new(trace) });
        match posted.into_iter().next_back() {
            Some(Event::Done { output }) => match *output {
                Output::Replay { replay } => replay.findings,
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(replay(episode.calling.clone()), [(1, Finding::Same)]);
    assert_eq!(replay(trace.clone()), []);
}

#[test]
fn a_new_relation_is_used_as_soon_as_it_is_there() {
    let benchmark = made();
    let mut sample = benchmark.samples.iter().find(|s| s.depth == 1).unwrap().clone();
    let speaker = sample.speaker.clone().unwrap();
    sample.query = "Call a taxi to my favourite tree.".into();
    sample.candidates = vec!["call_taxi".into(), "set_alarm".into()];
    let run =
        |benchmark: &Benchmark| match play(asked(benchmark, &sample, Method::Exact)).1.unwrap() {
            FamilyReply::Ran { episode, .. } => *episode,
            other => panic!("{other:?}"),
        };
    assert!(run(&benchmark).calls.is_empty());
    let mut more = benchmark.clone();
    let family = more.families.iter_mut().find(|f| f.id == sample.family).unwrap();
    family.add(Link::new(speaker, "favourite_tree", "the old oak")).unwrap();
    assert_eq!(run(&more).calls[0].parameters["destination"], "the old oak");
}

#[test]
fn searches_by_hand_stand_side_by_side() {
    let benchmark = made();
    let family = benchmark.families[1].clone();
    let link = family.links.iter().find(|l| l.relation == "favourite_restaurant").unwrap().clone();
    let text = format!("KG.search(start=\"{}\", path=[\"best_restaurant\"])", link.head);
    let search = |text: &str| {
        let (family, text) = (family.clone(), text.to_owned());
        play(FamilyAsk::Search { family, text, mode: Mode::Paper, k: 3 }).1
    };
    let FamilyReply::Found { by_method } = search(&text).unwrap() else { panic!("no searches") };
    let n: Vec<usize> = by_method.iter().map(|e| e.extracted.links.len()).collect();
    assert!(n[0] == 0 && n[1] > 3 && (1..=3).contains(&n[2]), "{n:?}");
    assert!(by_method[2].extracted.links.contains(&link));
    assert!(search("nothing").unwrap_err().starts_with("no search was found; write KG.search("));
}

#[test]
fn a_file_goes_out_and_in_and_a_bad_one_says_where() {
    let benchmark = made();
    let ask = FamilyAsk::Save { benchmark: Box::new(benchmark.clone()) };
    let FamilyReply::File { text } = play(ask).1.unwrap() else { panic!("no file") };
    let load = |text: String| play(FamilyAsk::Load { text }).1;
    assert_eq!(load(text).unwrap(), FamilyReply::Benchmark { benchmark: Box::new(benchmark) });
    assert!(load("{\"kind\":\"tool\"".into()).unwrap_err().starts_with("line 1:"));
    assert!(load(String::new()).unwrap_err().starts_with("the file has no family"));
}

#[test]
fn nobody_speaks_and_unknown_scripts_are_refused() {
    let benchmark = made();
    let mut sample = benchmark.samples[0].clone();
    sample.speaker = None;
    let error = play(asked(&benchmark, &sample, Method::Gs)).1.unwrap_err();
    assert!(error.starts_with("there is no speaker"), "{error}");
    let FamilyAsk::Run(mut run) = asked(&benchmark, &benchmark.samples[0], Method::Gs) else {
        panic!("not a run")
    };
    run.extract = script("clever");
    let ask = FamilyAsk::Run(run);
    let error = play(ask).1.unwrap_err();
    assert!(error.contains("there is no script \"clever\"; there are script, "), "{error}");
}
