//! Families through the engine.

use agent::Limits;
use protocol::exact::Exact;
use protocol::family::{
    FamilyAnswer, GenerateFamilies, ReadFamilies, RunFamily, SearchFamily, WriteFamilies,
};
use protocol::runs::ModelChoice;
use protocol::traces::ReplayTrace;
use systems::kgetool::{EpisodeOptions, Method, SearchOptions};
use tasks::family::score::Ruleset;
use tasks::family::{Benchmark, Link, Sample};
use trace::replay::ReplayFinding;

use crate::page::*;

fn made() -> Benchmark {
    Page::new().ask(GenerateFamilies { seed: 4, n_relatives: 9, is_opaque: false }).0
}

/// The steps that came, and the answer.
fn play(ask: RunFamily) -> (usize, Result<FamilyAnswer, String>) {
    let mut posted = Page::new().play(ask);
    let answer = reply::<RunFamily>(posted.pop().unwrap());
    (posted.iter().filter(|e| matches!(e, Event::Step { .. })).count(), answer)
}

fn script(name: &str) -> ModelChoice {
    ModelChoice::Script { name: name.into() }
}

fn asked(benchmark: &Benchmark, sample: &Sample, method: Method) -> RunFamily {
    let search = SearchOptions { method, ..SearchOptions::default() };
    RunFamily {
        family: benchmark.family(sample).unwrap().clone(),
        sample: sample.clone(),
        tools: benchmark.candidates(sample).unwrap(),
        extract: script("script"),
        call: script("script"),
        options: EpisodeOptions { search, ..EpisodeOptions::default() },
        limits: Limits::default(),
        is_scored: true,
    }
}

#[test]
fn a_request_goes_through_both_models_and_is_scored() {
    let benchmark = made();
    let sample = benchmark.samples.iter().find(|s| s.depth == 2).unwrap();
    let (n_steps, answer) = play(asked(&benchmark, sample, Method::Gs));
    let FamilyAnswer { episode, scores, similarity } = answer.unwrap();
    let trace = episode.extracting.as_ref().unwrap();
    assert_eq!(n_steps, trace.steps.len() + episode.calling.steps.len());
    assert_eq!((scores.len(), similarity.as_str()), (2, "character trigrams"));
    assert_eq!((scores[0].extraction.exact_match, scores[0].call.exact_match), (1.0, 1.0));

    // A replay checks the call again, and has nothing to say of searches.
    let replay = |trace| {
        let Exact(replay) = Page::new().ask(ReplayTrace { trace: Box::new(trace) });
        replay.findings
    };
    assert_eq!(replay(episode.calling.clone()), [(1, ReplayFinding::Same)]);
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
        |benchmark: &Benchmark| play(asked(benchmark, &sample, Method::Exact)).1.unwrap().episode;
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
        Page::new().try_ask(SearchFamily { family, text, mode: Ruleset::Paper, k: 3 })
    };
    let by_method = search(&text).unwrap().0;
    let n: Vec<usize> = by_method.iter().map(|e| e.extracted.links.len()).collect();
    assert!(n[0] == 0 && n[1] > 3 && (1..=3).contains(&n[2]), "{n:?}");
    assert!(by_method[2].extracted.links.contains(&link));
    assert!(search("nothing").unwrap_err().starts_with("no search was found; write KG.search("));
}

#[test]
fn a_file_goes_out_and_in_and_a_bad_one_says_where() {
    let benchmark = made();
    let mut page = Page::new();
    let text = page.ask(WriteFamilies { benchmark: Box::new(benchmark.clone()) });
    let mut load = |text: String| page.try_ask(ReadFamilies { text });
    assert_eq!(load(text), Ok(Exact(benchmark)));
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
    let ask = RunFamily {
        extract: script("clever"),
        ..asked(&benchmark, &benchmark.samples[0], Method::Gs)
    };
    let error = play(ask).1.unwrap_err();
    assert!(error.contains("there is no script \"clever\"; there are script, "), "{error}");
}
