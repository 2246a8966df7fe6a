//! Extraction held against oracles: golden paths and paths with names that are none, on our own
//! benchmark always, and on a benchmark that others wrote where it is on the machine.

// What the tests share may fail as they may, and says where it is skipped.
use systems::kgetool::{Method, SearchOptions, extract_searches};
use tasks::family::score::{ExtractionSummary, Ruleset, score_extraction};
use tasks::family::{
    Benchmark, Family, Noise, Recipe, Sample, Search, generate, read_samples, read_triples,
};
use text::NGrams;

/// What a model is taken to have written.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Oracle {
    Golden,
    LastFake,
    FirstFake,
    AllFake,
}

impl Oracle {
    fn searches(self, sample: &Sample) -> Vec<Search> {
        let mut searches = sample.searches.clone();
        for path in searches.iter_mut().map(|s| &mut s.path) {
            let n = path.len();
            for (i, relation) in path.iter_mut().enumerate() {
                let is_fake = match self {
                    Self::Golden => false,
                    Self::LastFake => i + 1 == n,
                    Self::FirstFake => i == 0,
                    Self::AllFake => true,
                };
                if is_fake {
                    *relation = format!("zz_no_such_relation_{i}");
                }
            }
        }
        searches
    }
}

fn summary<'a>(
    samples: impl Iterator<Item = (&'a Family, &'a Sample)>,
    oracle: Oracle,
    method: Method,
    mode: Ruleset,
) -> ExtractionSummary {
    let options = SearchOptions { method, mode, k: 3 };
    let mut kept: Option<(&Family, kg::Kg)> = None;
    let scores: Vec<_> = samples
        .map(|(family, sample)| {
            if kept.as_ref().is_none_or(|(f, _)| !std::ptr::eq(*f, family)) {
                kept = Some((family, family.kg().unwrap()));
            }
            let kg = &kept.as_ref().unwrap().1;
            let found = extract_searches(kg, &oracle.searches(sample), options, &NGrams);
            score_extraction(sample, &found.extracted, mode)
        })
        .collect();
    ExtractionSummary::of(&scores, mode)
}

fn of(benchmark: &Benchmark) -> Vec<(&Family, &Sample)> {
    benchmark.samples.iter().map(|s| (benchmark.family(s).unwrap(), s)).collect()
}

#[test]
fn golden_paths_find_all_and_nothing_else_in_our_own_benchmark() {
    let benchmark = generate(Recipe::full(5)).unwrap();
    for method in Method::ALL {
        let s = summary(of(&benchmark).into_iter(), Oracle::Golden, method, Ruleset::Paper);
        assert_eq!((s.exact_match, s.f1, s.coverage), (100.0, 100.0, 100.0), "{method:?}");
        assert_eq!(s.no_hallucination, 100.0);
    }
    // The public code follows the first of several values, and passes over hops.
    let single = || of(&benchmark).into_iter().filter(|(_, s)| !s.is_multiple && s.noise.is_none());
    for method in [Method::Exact, Method::Gs] {
        let s = summary(single(), Oracle::Golden, method, Ruleset::Compat);
        assert_eq!((s.exact_match, s.f1, s.coverage), (100.0, 100.0, 100.0), "{method:?}");
    }
    assert!(summary(single(), Oracle::Golden, Method::Rr, Ruleset::Compat).exact_match < 100.0);
}

#[test]
fn greedy_search_covers_a_last_name_that_is_none_and_exact_search_does_not() {
    let benchmark = generate(Recipe::full(6)).unwrap();
    let asked = || of(&benchmark).into_iter().filter(|(_, s)| s.noise.is_none());
    for mode in Ruleset::ALL {
        let gs = summary(asked(), Oracle::LastFake, Method::Gs, mode);
        assert_eq!(gs.coverage, 100.0, "{mode:?}");
        assert!(gs.f1 > 0.0 && gs.f1 < 50.0 && gs.exact_match < 5.0, "{gs:?}");
        assert_eq!(gs.no_hallucination, 0.0);
        let exact = summary(asked(), Oracle::LastFake, Method::Exact, mode);
        assert_eq!((exact.f1, exact.exact_match), (0.0, 0.0));
        assert!(exact.coverage < 1.0);
    }
}

#[test]
fn where_nothing_is_needed_only_nothing_is_right() {
    let benchmark = generate(Recipe::full(7)).unwrap();
    let noise = |kind| of(&benchmark).into_iter().filter(move |(_, s)| s.noise == Some(kind));
    for kind in Noise::ALL {
        let s = summary(noise(kind), Oracle::Golden, Method::Gs, Ruleset::Paper);
        assert_eq!((s.exact_match, s.f1, s.coverage), (100.0, 100.0, 100.0), "{kind:?}");
    }
    for (family, sample) in noise(Noise::Mention) {
        let relation = *family.relations().iter().next().unwrap();
        let start = family.links.iter().find(|l| l.relation == relation).unwrap().head.clone();
        let search = Search { start, path: vec![relation.to_owned()] };
        let options = SearchOptions::default();
        let found = extract_searches(&family.kg().unwrap(), &[search], options, &NGrams);
        let s = score_extraction(sample, &found.extracted, Ruleset::Paper);
        assert_eq!((s.exact_match, s.f1, s.coverage), (0.0, 0.0, 0.0));
    }
}

#[test]
fn a_new_relation_is_found_as_soon_as_it_is_there() {
    let benchmark = generate(Recipe::small(1)).unwrap();
    let mut family = benchmark.families[0].clone();
    let person = family.people[0].clone();
    let search = Search { start: person.clone(), path: vec!["favourite_tree".into()] };
    let options = SearchOptions { method: Method::Exact, ..SearchOptions::default() };
    let find = |family: &Family| {
        extract_searches(&family.kg().unwrap(), std::slice::from_ref(&search), options, &NGrams)
    };
    assert!(find(&family).extracted.links.is_empty());
    family.add(tasks::family::Link::new(person, "favourite_tree", "the old oak")).unwrap();
    assert_eq!(find(&family).extracted.links[0].tail, "the old oak");
}

/// The benchmark that others wrote.
fn others() -> Option<(Family, Vec<Sample>)> {
    let folder = test_data::folder("familytool")?;
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let (triples, samples) = (read("b.triples.tsv"), read("b.samples.jsonl"));
    Some((read_triples("b", &triples).unwrap(), read_samples(&samples).unwrap()))
}

fn rounded(x: f64) -> f64 {
    (x * 100.0).round() / 100.0
}

#[test]
fn every_golden_link_of_the_others_is_found() {
    let Some((family, samples)) = others() else { return };
    assert_eq!(samples.len(), 483);
    let kg = family.kg().unwrap();
    let is_found = |s: &&Sample| {
        let options = SearchOptions { method: Method::Exact, mode: Ruleset::Compat, k: 3 };
        let found = extract_searches(&kg, &s.searches, options, &NGrams);
        s.links.iter().all(|l| found.extracted.links.contains(l))
    };
    assert_eq!(samples.iter().filter(is_found).count(), 483);
}

#[test]
fn their_own_form_reads_the_same() {
    let Some((_, samples)) = others() else { return };
    // The lines are put together again, as the authors write them.
    for sample in samples.iter().filter(|s| s.speaker.is_some()) {
        let links: Vec<String> = sample
            .links
            .iter()
            .map(|l| format!("[{}, {}, {}]", l.head, l.relation, l.tail))
            .collect();
        let user = format!(
            "{}  The extra information for the query is ({}).",
            sample.spoken(),
            links.join(", ")
        );
        let line = serde_json::json!([
            { "role": "id", "content": sample.id },
            { "role": "candidate_tools", "content": [] },
            { "role": "user", "content": user },
            { "role": "tool_call", "content": [sample.call] },
        ]);
        let (again, _) = tasks::family::read_messages(&line.to_string()).unwrap();
        assert_eq!((&again[0].query, &again[0].speaker), (&sample.query, &sample.speaker));
        assert_eq!((&again[0].links, &again[0].call), (&sample.links, &sample.call));
        // Searches that share their first links may stand in another order.
        let sorted = |s: &Sample| {
            let mut all: Vec<String> = s.searches.iter().map(|s| s.path.join("/")).collect();
            all.sort();
            all
        };
        assert_eq!(sorted(&again[0]), sorted(sample), "{}", sample.id);
    }
}

#[test]
fn the_others_figures_come_out_to_the_digit() {
    let Some((family, samples)) = others() else { return };
    let all = || samples.iter().map(|s| (&family, s));
    let figure = |oracle, method, mode| {
        let s = summary(all(), oracle, method, mode);
        (rounded(s.exact_match), rounded(s.f1), rounded(s.coverage))
    };
    use Method::{Exact, Gs, Rr};
    use Oracle::{AllFake, FirstFake, Golden, LastFake};
    use Ruleset::{Compat, Paper};
    let mut faults = Vec::new();
    // Oracle, method, rules; EM, F1, coverage, where they are stated.
    type Row = (Oracle, Method, Ruleset, Option<f64>, Option<f64>, Option<f64>);
    let rows: [Row; 17] = [
        (Golden, Exact, Compat, Some(100.0), None, Some(100.0)),
        (Golden, Gs, Compat, Some(100.0), None, Some(100.0)),
        (Golden, Gs, Paper, Some(98.34), None, Some(100.0)),
        (Golden, Rr, Compat, Some(89.86), None, Some(89.86)),
        (LastFake, Exact, Compat, None, Some(0.0), None),
        (LastFake, Gs, Compat, None, Some(6.62), Some(100.0)),
        (LastFake, Gs, Paper, None, Some(6.62), Some(100.0)),
        (FirstFake, Exact, Compat, None, Some(0.0), None),
        (FirstFake, Gs, Compat, None, Some(50.23), Some(100.0)),
        (FirstFake, Gs, Paper, None, Some(50.03), Some(100.0)),
        (AllFake, Gs, Compat, None, None, Some(27.74)),
        (AllFake, Gs, Paper, None, None, Some(100.0)),
        // Ours, so that a change is seen.
        (Golden, Exact, Paper, Some(98.34), None, Some(100.0)),
        (Golden, Rr, Paper, Some(98.34), None, Some(100.0)),
        (LastFake, Exact, Paper, Some(0.0), Some(0.0), None),
        (FirstFake, Exact, Paper, Some(0.0), Some(0.0), None),
        (AllFake, Exact, Compat, Some(0.0), Some(0.0), None),
    ];
    for (oracle, method, mode, em, f1, coverage) in rows {
        let got = figure(oracle, method, mode);
        let differs = |want: Option<f64>, got: f64| want.is_some_and(|w| w != got);
        if differs(em, got.0) || differs(f1, got.1) || differs(coverage, got.2) {
            faults.push(format!("{oracle:?} {method:?} {mode:?}: {got:?}"));
        }
        println!("{oracle:?} {method:?} {mode:?}: {got:?}");
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
