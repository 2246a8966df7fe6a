//! Families through the engine.

use protocol::exact::Exact;
use protocol::family::{
    FamilyRun, FoundLinks, GenerateFamilies, ReadFamilies, SearchFamily, WriteFamilies,
};
use protocol::runs::{RunEvent, StartRun};
use protocol::traces::ReplayTrace;
use systems::experiment::Finished;
use systems::kgetool::experiment::{Outcome, case, system_of};
use systems::kgetool::{FactSource, Method};
use tasks::family::score::Ruleset;
use tasks::family::{Benchmark, Link, Sample};
use trace::replay::ReplayFinding;

use crate::page::*;

fn made() -> Benchmark {
    Page::new().ask(GenerateFamilies { seed: 4, n_relatives: 9, is_opaque: false }).0
}

/// What came of a run and what the searches found, or why there is nothing.
fn play(ask: StartRun<FamilyRun>) -> Result<(Finished<Outcome>, FoundLinks), String> {
    let posted = Page::new().play(ask);
    if let Some(Event::Failed { message }) = posted.last() {
        return Err(message.clone());
    }
    let found = told::<StartRun<FamilyRun>>(&posted).pop();
    let Some(RunEvent::Own(found)) = found else { panic!("{found:?}") };
    let sent = sent_steps(&posted);
    let run = *ended::<FamilyRun>(posted).run;
    assert_eq!(sent, run.trace.steps, "the steps of both models, as they are in the trace");
    Ok((run, found))
}

fn asked(benchmark: &Benchmark, sample: &Sample, method: Method) -> StartRun<FamilyRun> {
    let system = system_of(method, FactSource::Extracted);
    let mut ask = StartRun::<FamilyRun>::new(system, case(sample, "").unwrap());
    ask.by_hand.family = benchmark.family(sample).unwrap().clone();
    ask.by_hand.tools = benchmark.candidates(sample).unwrap();
    ask.with_model("searcher", script("script")).with_model("caller", script("script"))
}

#[test]
fn a_request_goes_through_both_models_and_is_scored() {
    let benchmark = made();
    let sample = benchmark.samples.iter().find(|s| s.depth == 2).unwrap();
    let (run, found) = play(asked(&benchmark, sample, Method::Gs)).unwrap();
    assert_eq!((found.by_method.len(), found.similarity.as_str()), (3, "character trigrams"));
    for rules in Ruleset::ALL {
        let scores = run.outcome.scores(sample, rules);
        assert_eq!((scores.extraction.exact_match, scores.call.exact_match), (1.0, 1.0));
    }
    // A replay checks the call again, and has nothing to say of searches.
    let Exact(replay) = Page::new().ask(ReplayTrace { trace: Box::new(run.trace) });
    let all: Vec<&ReplayFinding> = replay.findings.iter().map(|(_, finding)| finding).collect();
    assert_eq!(all, [&ReplayFinding::Same]);
}

#[test]
fn a_script_that_is_not_known_is_refused_by_its_name() {
    let benchmark = made();
    let ask = asked(&benchmark, &benchmark.samples[0], Method::Gs);
    let ask = ask.with_model("searcher", script("of-an-old-link"));
    let why = play(ask).unwrap_err();
    assert!(why.starts_with("there is no script \"of-an-old-link\"; there are script, "), "{why}");
}

#[test]
fn a_new_relation_is_used_as_soon_as_it_is_there() {
    let benchmark = made();
    let mut sample = benchmark.samples.iter().find(|s| s.depth == 1).unwrap().clone();
    let speaker = sample.speaker.clone().unwrap();
    sample.query = "Call a taxi to my favourite tree.".into();
    sample.candidates = vec!["call_taxi".into(), "set_alarm".into()];
    let run =
        |benchmark: &Benchmark| play(asked(benchmark, &sample, Method::Exact)).unwrap().0.outcome;
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
    let error = play(asked(&benchmark, &sample, Method::Gs)).unwrap_err();
    assert!(error.starts_with("there is no speaker"), "{error}");
    let ask = asked(&benchmark, &benchmark.samples[0], Method::Gs);
    let error = play(ask.with_model("searcher", script("clever"))).unwrap_err();
    let why = "there is no script \"clever\"; there are script, ";
    assert!(error.starts_with(why), "{error}");
}
