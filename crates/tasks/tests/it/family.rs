//! The family benchmark from outside: what is generated keeps the rules, files are read back, and
//! hostile ones are refused with a message that says where.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tasks::family::{
    Benchmark, Family, Link, Noise, Novelty, Recipe, check, generate, read_benchmark, read_files,
    read_samples, read_triples, relation, write,
};

#[test]
fn every_sample_keeps_the_rules_whatever_the_seed() {
    for seed in 0..8 {
        let benchmark = generate(Recipe::small(seed)).unwrap();
        assert_eq!(benchmark.samples.len(), 40);
        assert_eq!(check(&benchmark), []);
    }
}

#[test]
fn the_whole_benchmark_has_its_cells_hops_and_noise() {
    let benchmark = generate(Recipe::full(7)).unwrap();
    assert_eq!(check(&benchmark), []);
    assert_eq!(benchmark.samples.len(), 770);
    assert_eq!(benchmark.tools.len(), 102);
    let of_depth = |d| benchmark.samples.iter().filter(|s| s.depth == d).count();
    for (depth, least) in [(1, 150), (2, 300), (3, 150)] {
        assert!(of_depth(depth) >= least, "{} of depth {depth}", of_depth(depth));
    }
    let n = |is: &dyn Fn(&tasks::family::Sample) -> bool| {
        benchmark.samples.iter().filter(|s| is(s)).count()
    };
    for (cell, least) in Novelty::ALL.into_iter().zip([200, 200, 150, 150]) {
        assert!(n(&|s| s.cell == cell && s.noise.is_none()) == least);
    }
    for noise in Noise::ALL {
        assert!(n(&|s| s.noise == Some(noise)) >= 20);
    }
    assert!(n(&|s| s.n_targets == 2) >= 40, "two targets: {}", n(&|s| s.n_targets == 2));
    assert!(n(&|s| s.is_multiple) >= 5 && n(&|s| s.is_person_valued) >= 20);
    for level in 0..3 {
        assert!(n(&|s| s.level == level) >= 200);
    }
}

#[test]
fn what_is_unseen_is_in_no_family_and_no_sample_that_examples_come_from() {
    let benchmark = generate(Recipe::full(3)).unwrap();
    let of = |id: &str| benchmark.families.iter().find(|f| f.id == id).unwrap();
    for id in ["h0", "h1"] {
        assert!(of(id).relations().iter().all(|r| !relation(r).unwrap().is_unseen));
    }
    assert!(of("h0").people().is_disjoint(&of("h1").people()));
    for sample in benchmark.samples.iter().filter(|s| s.noise.is_none()) {
        let is_unseen = sample.links.iter().any(|l| relation(&l.relation).unwrap().is_unseen);
        let needs = matches!(sample.cell, Novelty::UnseenRelations | Novelty::UnseenBoth);
        assert_eq!(is_unseen, needs, "{}", sample.id);
    }
    let names: BTreeSet<&str> =
        of("h0+").relations().union(&of("h1+").relations()).copied().collect();
    assert_eq!(names.len(), 65);
}

#[test]
fn the_same_recipe_makes_the_same_bytes_and_another_seed_others() {
    let text = |seed| write(&generate(Recipe::small(seed)).unwrap()).unwrap();
    assert_eq!(text(5), text(5));
    assert_ne!(text(5), text(6));
}

#[test]
fn values_may_be_ids() {
    let recipe = Recipe { is_opaque: true, ..Recipe::small(2) };
    let benchmark = generate(recipe).unwrap();
    assert_eq!(check(&benchmark), []);
    let has_id = |s: &tasks::family::Sample| s.links.iter().any(|l| l.tail.contains("_0"));
    assert!(benchmark.samples.iter().filter(|s| has_id(s)).count() >= 20);
}

#[test]
fn a_file_is_read_back_the_same() {
    let benchmark = generate(Recipe::small(1)).unwrap();
    let again = read_benchmark(&write(&benchmark).unwrap()).unwrap();
    assert_eq!(again, benchmark);
}

#[test]
fn what_is_wrong_with_a_file_is_said_with_its_line() {
    let half = "{\"kind\":\"family\",\"id\":\"h\",\"links\":[[\"A\",\"mo";
    let error = read_benchmark(half).unwrap_err().to_string();
    assert!(error.starts_with("line 1: a line with the kind"), "{error}");

    let long = format!(
        "{{\"kind\":\"family\",\"id\":\"h\",\"links\":[[\"A\",\"{}\",\"B\"]]}}",
        "r".repeat(900_000)
    );
    let error = read_benchmark(&long).unwrap_err().to_string();
    assert!(error.contains("the relation \"rrr") && error.contains("900000 bytes"), "{error}");
    assert!(error.len() < 300);

    let error = read_benchmark(&"x".repeat(2_000_000)).unwrap_err().to_string();
    assert!(error.contains("2000000 bytes; at most 1000000"), "{error}");

    let path = vec!["\"mother\""; 10_000].join(",");
    let long = format!(
        "\n{{\"id\":\"s\",\"query\":\"q\",\"gold_calls\":[{{\"start\":\"A\",\"path\":[{path}]}}]}}"
    );
    let error = read_samples(&long).unwrap_err().to_string();
    assert!(error.starts_with("line 2:") && error.contains("10000 steps"), "{error}");

    let tool = r#"{"kind":"tool","name":"t","parameters":{"properties":{},"required":["when"]}}"#;
    let error = read_benchmark(tool).unwrap_err().to_string();
    assert!(error.contains("requires \"when\", which it does not declare"), "{error}");

    let error = read_triples("b", "A\tmother\tB\nA\tmother").unwrap_err().to_string();
    assert_eq!(error, "line 2: 2 parts between tabs; a link has three");
}

#[test]
fn a_benchmark_in_separate_files_is_the_same_one() {
    let benchmark = generate(Recipe::small(3)).unwrap();
    let whole = ("whole.jsonl".to_owned(), write(&benchmark).unwrap());
    assert_eq!(read_files(std::slice::from_ref(&whole)).unwrap(), benchmark);
    let lines = |all: Vec<String>| all.join("\n");
    let samples = benchmark.samples.iter().map(|s| serde_json::to_string(s).unwrap()).collect();
    let tools = benchmark.tools.iter().map(|t| serde_json::to_string(t).unwrap()).collect();
    let links = benchmark.families[0].links.iter();
    let triples = links.map(|l| [&*l.head, &*l.relation, &*l.tail].join("\t")).collect();
    let mut files = vec![
        ("tools.jsonl".to_owned(), lines(tools)),
        ("samples.jsonl".to_owned(), lines(samples)),
        ("triples.tsv".to_owned(), lines(triples)),
    ];
    let parts = read_files(&files).unwrap();
    assert_eq!((&parts.samples, &parts.tools), (&benchmark.samples, &benchmark.tools));
    assert_eq!(parts.families[0].links, benchmark.families[0].links);
    files[2].1.push_str("\nAda\tmother");
    assert!(read_files(&files).unwrap_err().starts_with("triples.tsv: line "));
    files[2] = whole;
    assert!(read_files(&files).unwrap_err().contains("no other file belongs beside it"));
}

#[test]
fn a_family_grows_and_says_what_it_cannot_take() {
    let mut family = Family { id: "h".into(), ..Family::default() };
    family.add(Link::new("Ada", "favourite_tree", "the old oak")).unwrap();
    assert_eq!(family.targets("Ada", "favourite_tree"), ["the old oak"]);
    let twice = family.add(Link::new("Ada", "favourite_tree", "the old oak")).unwrap_err();
    assert!(twice.to_string().contains("known already"));
    let sign = family.add(Link::new("Ada", "likes", "a, b")).unwrap_err().to_string();
    assert!(sign.contains("the sign ','"), "{sign}");
    assert!(family.add(Link::new("", "likes", "b")).is_err());
    assert_eq!(family.kg().unwrap().n_edges(), 1);
}

fn broken(benchmark: &Benchmark, change: impl Fn(&mut Benchmark)) -> Vec<String> {
    let mut other = benchmark.clone();
    change(&mut other);
    check(&other).iter().map(ToString::to_string).collect()
}

#[test]
fn each_rule_is_held() {
    let whole = generate(Recipe::small(4)).unwrap();
    let at = whole.samples.iter().position(|s| !s.links.is_empty() && s.n_targets == 1).unwrap();
    type Change = Box<dyn Fn(&mut Benchmark)>;
    let cases: [(&str, Change); 6] = [
        (
            "another sample has this id",
            Box::new(move |b| b.samples[at].id = b.samples[at + 1].id.clone()),
        ),
        ("do not find exactly", Box::new(move |b| b.samples[at].links.clear())),
        ("who does not speak", Box::new(move |b| b.samples[at].speaker = Some("Nobody".into()))),
        (
            "not among the candidates",
            Box::new(move |b| b.samples[at].call.as_mut().unwrap().name = "fly".into()),
        ),
        (
            "has no parameter",
            Box::new(move |b| {
                b.samples[at].call.as_mut().unwrap().parameters.insert("wings".into(), 2.into());
            }),
        ),
        (
            "nothing tells the value",
            Box::new(move |b| {
                let tail = b.samples[at].links.last().unwrap().tail.clone();
                let call = b.samples[at].call.as_mut().unwrap();
                for value in call.parameters.values_mut().filter(|v| **v == tail.as_str()) {
                    *value = "from nowhere".into();
                }
            }),
        ),
    ];
    for (fault, change) in cases {
        let faults = broken(&whole, change);
        assert!(faults.iter().any(|f| f.contains(fault)), "{fault}: {faults:?}");
    }
}

proptest! {
    #[test]
    fn no_file_makes_a_reader_panic(text in "\\PC{0,200}", at in 0usize..4000) {
        let _ = read_benchmark(&text);
        let _ = read_samples(&text);
        let _ = tasks::family::read_messages(&text);
        let _ = read_triples("t", &text);
        let mut file = write(&generate(Recipe { cells: [2, 0, 0, 0], n_noise: 0, ..Recipe::small(1) }).unwrap()).unwrap();
        let cut = (0..=at.min(file.len())).rev().find(|i| file.is_char_boundary(*i)).unwrap();
        file.insert_str(cut, &text);
        let _ = read_benchmark(&file);
    }
}
