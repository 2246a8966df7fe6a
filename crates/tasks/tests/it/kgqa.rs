//! Questions about knowledge graphs: public ones by their programs, generated ones by other means.
//!
//! The public sets are not part of the project: `GRAPHGROUND_SHARED` names the folder that has
//! them, else `../shared` beside the workspace is looked at. Without it that test says so and
//! passes.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use kg::find::{FindOptions, Finder};
use kg::plan::{Semantics, check_data, execute, read_plan, verify};
use kg::{Kg, KgBuilder, formats, generators};
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use tasks::kgqa::{Corruption, TEMPLATES, generate, program, read_questions, recognise};

fn text(path: &Path) -> String {
    let mut text = String::new();
    let file = std::fs::File::open(path).unwrap();
    flate2::read::MultiGzDecoder::new(file).read_to_string(&mut text).unwrap();
    text
}

/// The public sets that are at hand.
fn sets() -> Vec<(String, PathBuf)> {
    let Some(folder) = test_data::folder("kgqa") else { return Vec::new() };
    ["wc2014", "pathquestion", "hetionet_mini"].map(|s| (s.to_owned(), folder.join(s))).into()
}

fn load(folder: &Path) -> Kg {
    let mut builder = KgBuilder::new("set");
    let read = formats::find("jsonl").unwrap().read;
    for file in ["nodes.jsonl.gz", "edges.jsonl.gz"] {
        let faults = read(&text(&folder.join(file)), &mut builder);
        assert!(faults.is_empty(), "{:?}", faults.first);
    }
    builder.build().unwrap()
}

fn set(names: impl IntoIterator<Item = String>) -> BTreeSet<String> {
    names.into_iter().collect()
}

#[test]
fn every_public_program_gives_the_answers_of_its_row() {
    for (name, folder) in sets() {
        let kg = Arc::new(load(&folder));
        let finder = Finder::new(kg.clone(), Rc::new(text::NGrams));
        let semantics = Semantics { extensions: true, ..Semantics::default() };
        let rows = read_questions(&text(&folder.join("qa.jsonl.gz"))).unwrap();
        let (mut n, mut wrong) = (0, Vec::new());
        for row in &rows {
            let question = &row.question;
            let plan = program(row, &kg).unwrap_or_else(|e| panic!("{name} {}: {e}", question.id));
            // Gold plans raise no alarm, neither on the schema nor on the data.
            let verified = verify(&plan, kg.schema(), semantics, "");
            assert!(verified.findings.is_empty(), "{}: {:?}", question.id, verified.findings);
            let ready = verified.ready.unwrap();
            let alarms = check_data(&ready, &finder, FindOptions::default());
            assert!(alarms.is_empty(), "{}: {alarms:?}", question.id);
            let found = execute(&ready, &finder, FindOptions::default()).answer().texts(&kg);
            n += 1;
            if set(found.clone()) != set(question.answers.clone()) {
                wrong.push((question.id.clone(), question.question.clone(), found));
            }
        }
        println!("{name}: {} of {n} rows", n - wrong.len());
        assert!(
            wrong.is_empty(),
            "{name}: {} of {n}, such as {:?}",
            wrong.len(),
            &wrong[..wrong.len().min(5)]
        );
        assert!(n > 20);
    }
}

/// All (source, edge, target) by name.
fn facts(kg: &Kg) -> Vec<(String, String, String)> {
    kg.edges()
        .map(|(s, t, o)| {
            (kg.name(s).to_owned(), kg.schema().edge_type(t).name.clone(), kg.name(o).to_owned())
        })
        .collect()
}

/// The answer of a family by joins over the list of facts, written by hand for each.
fn oracle(id: &str, f: &[(String, String, String)], a: &str, b: &str) -> BTreeSet<String> {
    let from =
        |x: &str, e: &str| set(f.iter().filter(|t| t.0 == x && t.1 == e).map(|t| t.2.clone()));
    let to = |x: &str, e: &str| set(f.iter().filter(|t| t.2 == x && t.1 == e).map(|t| t.0.clone()));
    let each = |s: BTreeSet<String>, g: &dyn Fn(&str) -> BTreeSet<String>| -> BTreeSet<String> {
        s.iter().flat_map(|x| g(x)).collect()
    };
    let both = |x: BTreeSet<String>, y: BTreeSet<String>| x.intersection(&y).cloned().collect();
    match id {
        "stations_of_line" => from(a, "stops_at"),
        "zone_of_station" => from(a, "in_zone"),
        "runner_of_line" => to(a, "runs"),
        "maintainer_of_line" => to(a, "maintains"),
        "lines_of_operator" => from(a, "runs"),
        "n_stations_of_zone" => set([to(a, "in_zone").len().to_string()]),
        "shared_stations" => both(from(a, "stops_at"), from(b, "stops_at")),
        "stations_of_line_in_zone" => both(from(a, "stops_at"), to(b, "in_zone")),
        "operators_at_station" => each(to(a, "stops_at"), &|l| to(l, "runs")),
        "sights_on_line" => each(from(a, "stops_at"), &|s| to(s, "near")),
        "lines_to_sight" => each(from(a, "near"), &|s| to(s, "stops_at")),
        // Two hops: a sight is near a station, a station is in a zone, and nothing is nearer.
        "sights_of_zone" => each(to(a, "in_zone"), &|s| to(s, "near")),
        "sights_of_operator" => {
            each(each(from(a, "runs"), &|l| from(l, "stops_at")), &|s| to(s, "near"))
        }
        "zones_of_maintainer" => {
            each(each(from(a, "maintains"), &|l| from(l, "stops_at")), &|s| from(s, "in_zone"))
        }
        "operators_to_sight" => {
            each(each(from(a, "near"), &|s| to(s, "stops_at")), &|l| to(l, "runs"))
        }
        "shared_zone_sights" => {
            each(both(from(a, "stops_at"), to(b, "in_zone")), &|s| to(s, "near"))
        }
        other => panic!("no oracle for {other}"),
    }
}

#[test]
fn generated_answers_are_right_by_joins_over_the_facts() {
    for seed in 0..6 {
        let kg = Arc::new(generators::metro(4 + seed as usize, seed).unwrap());
        let facts = facts(&kg);
        let questions = generate(&kg, 120, 1, seed);
        assert!(questions.len() >= 100, "{}", questions.len());
        for question in &questions {
            let (template, plan) = recognise(&question.question).expect("recognised");
            assert_eq!(template.id, question.template, "{}", question.question);
            assert_eq!(Some(&plan), question.plan.as_ref());
            let names: Vec<&str> = plan.steps.iter().filter_map(|s| s.hint.as_deref()).collect();
            let (a, b) = (names[0], names.get(1).copied().unwrap_or_default());
            let expected = oracle(template.id, &facts, a, b);
            assert_eq!(set(question.answers.clone()), expected, "{}", question.question);
        }
        let families: BTreeSet<&str> = questions.iter().map(|q| q.template.as_str()).collect();
        assert_eq!(families.len(), TEMPLATES.len(), "seed {seed}");
    }
}

#[test]
fn every_corrupted_plan_is_caught_by_its_rule() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let semantics = Semantics::default();
    for seed in 0..3 {
        let kg = Arc::new(generators::metro(8, seed).unwrap());
        let plans: Vec<_> =
            generate(&kg, 100, 1, seed).into_iter().map(|q| q.plan.unwrap()).collect();
        for (corruption, rule) in Corruption::ALL {
            let mut n = 0;
            for plan in &plans {
                let Some(wrong) = corruption.apply(plan, kg.schema(), &mut rng) else { continue };
                n += 1;
                let verified = verify(&wrong, kg.schema(), semantics, "");
                assert!(verified.ready.is_none(), "{corruption:?}: {wrong:?}");
                let rules: Vec<_> = verified.findings.iter().map(|f| f.rule).collect();
                assert!(rules.contains(&rule), "{corruption:?}: {rules:?} {wrong:?}");
            }
            assert!(n >= 10, "{corruption:?} {n}");
        }
    }
}

#[test]
fn the_same_seed_asks_the_same() {
    let kg = Arc::new(generators::metro(8, 1).unwrap());
    assert_eq!(generate(&kg, 50, 2, 9), generate(&kg, 50, 2, 9));
    assert_ne!(generate(&kg, 50, 2, 9), generate(&kg, 50, 2, 8));
    assert!(generate(&kg, 50, 2, 9).iter().all(|q| q.hops >= 2));
    assert!(recognise("What is love?").is_none());
}

#[test]
fn a_family_needs_all_of_its_plan() {
    // Reading a family's plan gives as many steps as it has lines: none is lost on the way.
    for template in TEMPLATES {
        let plan = read_plan(&template.plan.replace("{a}", "x").replace("{b}", "y")).unwrap();
        assert_eq!(plan.steps.len(), template.plan.lines().count(), "{}", template.id);
    }
}
