//! The pipeline with scripts, and what it reads of models.

use agent::Cancel;
use futures_util::FutureExt as _;
use proptest::prelude::*;
use systems::kgetool::experiment::Outcome;
use systems::kgetool::scripted::FamilyScript;
use systems::kgetool::{
    Episode, EpisodeModels, EpisodeOptions, EpisodePart, EpisodeRequest, FactSource, Fate, Method,
    Scores, SearchOptions, check_typed, extraction_prompt, parse, run, write,
};
use tasks::family::score::Ruleset;
use tasks::family::{Benchmark, Recipe, Sample, Search, generate};
use test_support::context;
use text::NGrams;
use trace::{StepBody, Stop};

fn episode(
    benchmark: &Benchmark,
    sample: &Sample,
    scripts: (FamilyScript, FamilyScript),
    options: EpisodeOptions,
) -> Episode {
    let family = benchmark.family(sample).unwrap();
    let tools = benchmark.candidates(sample).unwrap();
    let cancel = Cancel::default();
    let setting = context(&cancel);
    let mut n_steps = 0;
    let mut count =
        |told: EpisodePart<'_>| n_steps += usize::from(matches!(told, EpisodePart::Step(_)));
    let asked = EpisodeRequest { family, sample, tools: &tools, meaning: &NGrams };
    let models = EpisodeModels { extract: &scripts.0, call: &scripts.1 };
    let episode = run(asked, models, options, setting, &mut count).now_or_never().unwrap().unwrap();
    let of_trace = |t: &trace::Trace| t.steps.len();
    let told = episode.extracting.as_ref().map_or(0, of_trace) + of_trace(&episode.calling);
    assert_eq!(n_steps, told, "every step is told");
    episode
}

fn scores(
    benchmark: &Benchmark,
    scripts: (FamilyScript, FamilyScript),
    options: EpisodeOptions,
) -> Vec<Scores> {
    let of = |s: &Sample| {
        Outcome::of(&episode(benchmark, s, scripts, options)).scores(s, options.search.mode)
    };
    benchmark.samples.iter().map(of).collect()
}

fn with(method: Method) -> EpisodeOptions {
    let search = SearchOptions { method, ..SearchOptions::default() };
    EpisodeOptions { search, source: FactSource::Extracted }
}

const RIGHT: (FamilyScript, FamilyScript) = (FamilyScript::Right, FamilyScript::Right);

#[test]
fn the_script_is_right_in_all_by_exact_search() {
    let benchmark = generate(Recipe { cells: [60, 60, 60, 60], ..Recipe::full(9) }).unwrap();
    for (sample, s) in benchmark.samples.iter().zip(scores(&benchmark, RIGHT, with(Method::Exact)))
    {
        assert_eq!(s.extraction.exact_match, 1.0, "{} {}", sample.id, sample.query);
        assert_eq!(s.call.exact_match, 1.0, "{} {}", sample.id, sample.query);
    }
}

#[test]
fn the_script_needs_the_graph_whole_or_golden_or_searched() {
    let benchmark = generate(Recipe::small(10)).unwrap();
    for source in [FactSource::Golden, FactSource::Full] {
        let options = EpisodeOptions { source, ..EpisodeOptions::default() };
        for (sample, s) in benchmark.samples.iter().zip(scores(&benchmark, RIGHT, options)) {
            assert_eq!(s.call.exact_match, 1.0, "{source:?} {}", sample.query);
        }
    }
    let opaque = generate(Recipe { is_opaque: true, ..Recipe::small(10) }).unwrap();
    for s in scores(&opaque, RIGHT, with(Method::Gs)).iter().take(20) {
        assert_eq!(s.call.exact_match, 1.0);
    }
}

#[test]
fn each_mistaken_script_errs_in_its_own_way() {
    let benchmark = generate(Recipe::small(12)).unwrap();
    let needs: Vec<usize> =
        (0..benchmark.samples.len()).filter(|i| benchmark.samples[*i].noise.is_none()).collect();
    let mean = |scores: &[Scores], of: fn(&Scores) -> f64| {
        needs.iter().map(|i| of(&scores[*i])).sum::<f64>() / needs.len() as f64
    };
    let run = |a, b, method| scores(&benchmark, (a, b), with(method));

    // A made-up name is in no graph: exact search finds nothing, Greedy Search covers it.
    let made_up = (FamilyScript::WrongRelation, FamilyScript::Right);
    let exact = run(made_up.0, made_up.1, Method::Exact);
    assert!(mean(&exact, |s| s.extraction.exact_match) < 0.05);
    let greedy = run(made_up.0, made_up.1, Method::Gs);
    assert!(mean(&greedy, |s| s.extraction.coverage) > 0.95);
    assert!(mean(&greedy, |s| s.call.exact_match) > mean(&exact, |s| s.call.exact_match) + 0.5);
    let fakes: usize = greedy.iter().map(|s| s.extraction.n_fake_paths).sum();
    assert!(fakes >= needs.len(), "{fakes}");

    // A wrong hop is a relation that is there, so that nothing notices.
    let hop = run(FamilyScript::WrongHop, FamilyScript::Right, Method::Gs);
    assert!(mean(&hop, |s| s.extraction.exact_match) < 0.2);
    assert_eq!(hop.iter().map(|s| s.extraction.n_fake_paths).sum::<usize>(), 0);

    let tool = run(FamilyScript::Right, FamilyScript::WrongTool, Method::Exact);
    assert_eq!((mean(&tool, |s| s.call.tool), mean(&tool, |s| s.extraction.f1)), (0.0, 1.0));

    let kind = run(FamilyScript::Right, FamilyScript::WrongType, Method::Exact);
    assert_eq!(mean(&kind, |s| s.call.tool), 1.0);
    assert!(mean(&kind, |s| s.call.exact_match) < 0.3 && mean(&kind, |s| s.call.value) < 0.6);
}

#[test]
fn a_trace_has_the_searches_and_the_graph_that_they_find() {
    let benchmark = generate(Recipe::small(13)).unwrap();
    let sample = benchmark.samples.iter().find(|s| s.depth == 3).unwrap();
    let e = episode(&benchmark, sample, RIGHT, with(Method::Rr));
    let trace = e.extracting.unwrap();
    assert_eq!(trace.stop, Some(Stop::Answered));
    assert!(matches!(trace.steps[0].body, StepBody::Model { .. }));
    assert!(
        matches!(&trace.steps[1].body, StepBody::Call { call, .. } if call.name == "KG.search")
    );
    let graph = trace.graph_after(trace.steps.len()).unwrap();
    assert_eq!(graph.n_edges(), sample.links.len());
    assert_eq!(trace.request_of(0).unwrap().is_same, Some(true));
    assert_eq!(e.calling.request_of(0).unwrap().is_same, Some(true));
    assert_eq!(e.calling.stop, Some(Stop::Answered));
    assert_eq!(e.side_by_side.len(), 3);
}

#[test]
fn retrieval_finds_the_name_that_is_meant_and_says_which() {
    let benchmark = generate(Recipe::small(14)).unwrap();
    let family = &benchmark.families[1];
    let kg = family.kg().unwrap();
    let link = family.links.iter().find(|l| l.relation == "favourite_restaurant").unwrap();
    let search = Search { start: link.head.clone(), path: vec!["best_restaurant".into()] };
    let options = with(Method::Rr).search;
    let found = systems::kgetool::extract_searches(&kg, &[search], options, &NGrams);
    assert!(found.extracted.links.contains(link));
    let Fate::Replaced { by } = &found.found[0].hops[0].fate else { panic!("not replaced") };
    assert_eq!(by.len(), 3);
    assert_eq!((by[0].0.as_str(), by[0].2), ("favourite_restaurant", true));
}

#[test]
fn a_request_without_a_speaker_is_refused_with_the_names_that_there_are() {
    let benchmark = generate(Recipe::small(15)).unwrap();
    let family = &benchmark.families[0];
    let mut sample = benchmark.samples[0].clone();
    sample.speaker = None;
    let error = check_typed(family, &sample).unwrap_err().to_string();
    assert!(error.starts_with("there is no speaker \"\"; the request needs one of "), "{error}");
    sample.speaker = Some(family.people[0].clone());
    assert!(check_typed(family, &sample).is_ok());
    sample.query = "x".repeat(5000);
    assert!(check_typed(family, &sample).unwrap_err().to_string().contains("is 5000"));
}

#[test]
fn the_prompt_is_as_it_was() {
    let benchmark = generate(Recipe::small(1)).unwrap();
    insta::assert_snapshot!(extraction_prompt(&benchmark.families[0]));
}

fn read(text: &str, mode: Ruleset) -> Vec<(String, Vec<String>)> {
    let read = parse(text, mode).into_iter().filter_map(|w| w.search.ok());
    read.map(|s| (s.start, s.path)).collect()
}

#[test]
fn every_spelling_of_a_search_is_read() {
    let same = [
        r#"KG.search(start="Bob", path=["<relationship>mother", "<relationship>home_address"])"#,
        "KG.search(Start=Bob, Path=[mother, home_address])",
        "KG.search('Bob', ['mother', 'home_address'])",
        "kg.search( start = `Bob` , path = [ `mother` , `home_address` ] )",
        "Then **KG.search(path=[\"mother\",\"home_address\"], start=\"Bob\")** finds it.",
        "KG.search（start=“Bob”，path=【<relationship>mother，home_address】）",
        "KG.search(start_entity: Bob, relations: [<mother>, <relationship>home_address</relationship>])",
        "KG.search({\"start\": \"Bob\", \"path\": [\"mother\", \"home_address\"]})",
        "KG.search(\n  start=\"Bob\",\n  path=[\"mother\", \"home_address\"],\n)",
    ];
    for text in same {
        let want = ("Bob".to_owned(), vec!["mother".to_owned(), "home_address".to_owned()]);
        assert_eq!(read(text, Ruleset::Paper), [want], "{text}");
    }
    let smith = "KG.search(start=\"Mr. Smith (senior)\", path=[\"father\"])";
    assert_eq!(read(smith, Ruleset::Paper)[0].0, "Mr. Smith (senior)");
    let twice = "KG.search(start=\"A\", path=[\"b\"])\nKG.search(start=\"A\", path=[\"b\"])";
    assert_eq!((read(twice, Ruleset::Paper).len(), read(twice, Ruleset::Compat).len()), (1, 2));
}

#[test]
fn what_the_public_code_cannot_read_is_not_read_in_its_mode() {
    let compat = |text| read(text, Ruleset::Compat);
    assert!(compat("KG.search(Start=Bob, Path=[mother])").is_empty());
    assert!(compat("KG.search(\"Bob\", [\"mother\"])").is_empty());
    assert!(compat("kg.search(start=\"Bob\", path=[\"mother\"])").is_empty());
    assert!(compat("KG.search(start=\"Bob\",\n path=[\"mother\"])").is_empty());
    let smith = compat("KG.search(start=\"Mr. Smith\", path=[\"<relationship>the father\"])");
    assert_eq!(smith, [("Mr.Smith".to_owned(), vec!["thefather".to_owned()])]);
    assert_eq!(compat("KG.search（start=A").len(), 0);
    assert_eq!(compat("KG.search(start=A，path=【b，c】)")[0].1, ["b", "c"]);
}

#[test]
fn a_search_that_is_none_says_what_would_be_one() {
    let why = |text: &str| parse(text, Ruleset::Paper)[0].search.clone().unwrap_err();
    assert!(why("KG.search(start=\"Bob\")").contains("no path in square brackets"));
    assert!(why("KG.search(start=\"Bob\", path=[])").contains("its path is empty"));
    assert!(why("KG.search(path=[\"a\"])").contains("no start"));
    assert!(why("KG.search(start=\"Bob\", path=[\"a\"").contains("begun and not ended"));
    let long = format!("KG.search(start=\"Bob\", path=[{}])", vec!["a"; 10_000].join(","));
    assert!(why(&long).contains("10000 relations; at most 16"));
    let name = format!("KG.search(start=\"Bob\", path=[\"{}\"])", "r".repeat(100_000));
    let message = why(&name);
    assert!(message.contains("100000 bytes") && message.len() < 200);
    // A megabyte is cut before it is read.
    let name = format!("KG.search(start=\"Bob\", path=[\"{}\"])", "r".repeat(1_000_000));
    assert!(why(&name).len() < 200);
}

proptest! {
    #[test]
    fn what_is_written_is_read(
        start in "[A-Z][a-z]{1,8}( [A-Z][a-z]{1,8})?",
        path in prop::collection::vec("[a-z]{1,8}(_[a-z]{1,8})?", 1..6),
    ) {
        let search = Search { start: start.clone(), path: path.clone() };
        prop_assert_eq!(read(&write(&search), Ruleset::Paper), [(start.clone(), path.clone())]);
        prop_assert_eq!(read(&write(&search), Ruleset::Compat), [(start.replace(' ', ""), path)]);
    }

    #[test]
    fn no_answer_makes_the_reader_panic(parts in prop::collection::vec(
        prop_oneof![
            Just("KG.search(".to_owned()), Just("start=".to_owned()), Just("path=[".to_owned()),
            Just("]".to_owned()), Just(")".to_owned()), Just("<".to_owned()), Just("</a>".to_owned()),
            Just("'".to_owned()), Just("“".to_owned()), "\\PC{0,6}",
        ], 0..30)) {
        let text = parts.concat();
        for mode in Ruleset::ALL {
            for written in parse(&text, mode) {
                prop_assert!(written.text.len() <= 200);
            }
        }
    }
}
