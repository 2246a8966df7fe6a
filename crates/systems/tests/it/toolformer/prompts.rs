//! Prompts: what is made is read, runs and is true; templates are handed out whole.

use std::collections::BTreeSet;

use graph::Graph;
use kg::KgBuilder;
use systems::toolformer::data::{Data, Member, Network};
use systems::toolformer::hubs::{DATASETS, DatasetKind, Hubs, TASKS, models, tasks};
use systems::toolformer::prompts::{Dropped, LOAD, Pair, TEMPLATES, check, make, recognise, split};
use systems::toolformer::{Executor, Instance, Mode, sites};

fn hubs() -> Hubs {
    Hubs::new().unwrap()
}

/// Data of every kind, small and made up.
fn everything() -> Hubs {
    let mut graph = Graph::directed();
    for i in 0..9usize {
        graph.link(format!("u{i}"), format!("i{}", i * i % 7)).unwrap();
    }
    let labels = (0..graph.n_nodes()).map(|i| Some(format!("field {}", i % 3))).collect();
    let network = Data::network(Network { graph, features: Vec::new(), labels, times: Vec::new() });
    let member = |i: usize| Member {
        name: (i + 1).to_string(),
        network: std::rc::Rc::new(graph::generators::cycle(i + 3).unwrap().into()),
        label: Some((i % 2).to_string()),
    };
    let molecules = Data::Set((0..6).map(member).collect());
    let mut facts = KgBuilder::new("facts");
    for id in ["a.n.01", "b.n.01", "c.n.01"] {
        facts.node(id, "meaning", "", serde_json::Map::new()).unwrap();
    }
    facts.edge("a.n.01", "_hypernym", "b.n.01").unwrap();
    facts.edge("c.n.01", "_hyponym", "b.n.01").unwrap();
    let facts = Data::Knowledge(std::rc::Rc::new(facts.build().unwrap()));
    DATASETS.iter().fold(hubs(), |hubs, dataset| match dataset.kind {
        DatasetKind::Properties => hubs,
        DatasetKind::Bibliographic | DatasetKind::Recommender | DatasetKind::Social => {
            hubs.with_data(dataset.id, dataset.kind, network.clone())
        }
        DatasetKind::Molecules => hubs.with_data(dataset.id, dataset.kind, molecules.clone()),
        DatasetKind::Knowledge => hubs.with_data(dataset.id, dataset.kind, facts.clone()),
    })
}

#[test]
fn every_function_has_templates_and_every_template_its_places() {
    let mut ids: BTreeSet<&str> = BTreeSet::new();
    for template in TEMPLATES {
        assert!(ids.insert(template.id), "{}", template.id);
        for (wordings, has_place) in [(template.statements, true), (template.questions, false)] {
            assert!(!wordings.is_empty(), "{}", template.id);
            for wording in wordings {
                let place = if template.function == LOAD { "[GL] " } else { "[TBR]" };
                assert_eq!(wording.matches(place).count(), usize::from(has_place), "{wording}");
                assert_eq!(wording.ends_with('?'), !has_place, "{wording}");
            }
        }
    }
    for function in TASKS.iter().flat_map(|t| t.functions) {
        let n = TEMPLATES.iter().filter(|t| t.function == function.name).count();
        assert!(n >= 2, "{} has {n}; one is to learn from, one to test", function.name);
    }
}

#[test]
fn what_is_made_of_our_graphs_is_read_runs_and_is_true() {
    let pairs = make(&hubs(), "gpr", 1500, 7).unwrap();
    assert_eq!(pairs.len(), 1500);
    let mut executor = Executor::new(hubs(), Mode::Ours);
    let mut as_the_reference = Executor::new(hubs(), Mode::Reference);
    let mut functions: BTreeSet<String> = BTreeSet::new();
    for pair in &pairs {
        assert_eq!(pair.answer.is_some(), !pair.template.starts_with(LOAD));
        check(&mut executor, &pair.output, pair.answer.as_deref()).unwrap();
        check(&mut as_the_reference, &pair.output, pair.answer.as_deref()).unwrap();
        assert!(!pair.input.contains(['{', '<']) && sites(&pair.input).is_empty(), "{pair:?}");
        // As a line of the public files it is one too.
        let instance = Instance {
            input: pair.input.clone(),
            output: pair.output.clone(),
            answer: pair.answer.clone(),
        };
        assert_eq!(Instance::read(&instance.line()).unwrap(), instance);
        functions.insert(pair.template.clone());
    }
    let inputs: BTreeSet<&str> = pairs.iter().map(|p| p.input.as_str()).collect();
    assert_eq!(inputs.len(), pairs.len());
    let n_templates = TEMPLATES.iter().filter(|t| functions.contains(t.id)).count();
    assert_eq!(n_templates, 37, "all on properties, and those that load");
    assert_eq!(make(&hubs(), "gpr", 40, 7).unwrap(), pairs[..40]);
    assert_ne!(make(&hubs(), "gpr", 40, 8).unwrap(), pairs[..40]);
}

#[test]
fn every_dataset_has_pairs_on_all_its_functions() {
    let hubs = everything();
    for dataset in DATASETS {
        let pairs = make(&hubs, dataset.id, 60, 1).unwrap();
        for pair in &pairs {
            // Each can be read back, into the same calls.
            let back = recognise(&pair.input).unwrap_or_else(|| panic!("{pair:?}"));
            assert!(
                systems::toolformer::score::has_same_calls(&pair.output, &back.output),
                "{pair:?} {back:?}"
            );
        }
        let wanted: BTreeSet<&str> = TASKS
            .iter()
            .filter(|t| t.kinds.contains(&dataset.kind))
            .flat_map(|t| t.functions)
            .map(|f| f.name)
            .chain([LOAD])
            .collect();
        let mut found: BTreeSet<&str> = BTreeSet::new();
        for pair in &pairs {
            let template = TEMPLATES.iter().find(|t| t.id == pair.template).unwrap();
            found.insert(template.function);
            for site in sites(&pair.output) {
                let bracket = site.bracket.unwrap();
                assert!(bracket.to_string().contains(&format!("GL(\"{}\"", dataset.id)));
            }
            // What has no model here does not pass, and the reason is the missing model.
            let Some((task, _)) = tasks::function(template.function) else { continue };
            let is_here = models::find(task.model).unwrap().make.is_some();
            let mut executor = Executor::new(hubs.clone(), Mode::Ours);
            match check(&mut executor, &pair.output, pair.answer.as_deref()) {
                Ok(()) => assert!(is_here, "{}", pair.output),
                Err(why) => {
                    let is_missing = why.to_string().starts_with("the model ");
                    assert_eq!(is_missing, !is_here, "{why}: {}", pair.output);
                }
            }
        }
        assert_eq!(found, wanted, "{}", dataset.id);
    }
    // Facts and labels are true by the data.
    let pair = |name: &str, template: &str| -> Pair {
        let all = make(&hubs, name, 60, 3).unwrap();
        all.into_iter().find(|p| p.template.starts_with(template)).unwrap()
    };
    assert!(pair("cora", "topic").answer.unwrap().starts_with("field "));
    assert!(
        ["_hypernym", "_hyponym"].contains(&pair("wordnet", "relation").answer.unwrap().as_str())
    );
    assert_eq!(pair("wordnet", "tail_entity").answer.as_deref(), Some("b.n.01"));
    assert_eq!(pair("twitter", "community_count").answer, None);
    assert!(pair("last-fm", "recommendation").output.contains(", artist#i"));
    assert!(make(&self::hubs(), "cora", 1, 1).is_err(), "without data there is nothing to ask");
}

#[test]
fn what_is_wrong_is_dropped_with_its_reason() {
    let mut executor = Executor::new(hubs(), Mode::Ours);
    let mut why = |output: &str, answer: Option<&str>| check(&mut executor, output, answer);
    let good = "It is [GR(GL(\"gpr\", {\"bull_graph\"}), \"toolx:order\")-->r].";
    assert_eq!(why(good, Some("5")), Ok(()));
    assert_eq!(why(good, None), Ok(()));
    assert_eq!(why(good, Some("Unknown")), Ok(()));
    assert!(matches!(why(good, Some("6")), Err(Dropped::Differs { given, .. }) if given == "5"));
    assert!(matches!(why("It is 5.", Some("5")), Err(Dropped::NoCall { .. })));
    assert!(matches!(why(&good.replace(")-", "-"), Some("5")), Err(Dropped::Failed { .. })));
    assert!(matches!(why(&good.replace("bull", "bell"), Some("5")), Err(Dropped::Failed { .. })));
}

#[test]
fn templates_go_whole_to_one_side() {
    let parts = split(TEMPLATES.iter().map(|t| t.id), 5);
    let subjects: BTreeSet<&str> =
        TEMPLATES.iter().map(|t| t.id.rsplit_once('-').unwrap().0).collect();
    // One of each subject is unseen, and at least one is left to learn from.
    assert_eq!((parts.test.len(), parts.single.len()), (subjects.len(), 0));
    for subject in subjects {
        let of: Vec<&str> = TEMPLATES
            .iter()
            .map(|t| t.id)
            .filter(|id| id.rsplit_once('-').unwrap().0 == subject)
            .collect();
        let n = of.iter().filter(|id| parts.is_test(id)).count();
        assert!(n == 1 && of.len() > 1, "{subject}");
    }
    assert_eq!(split(TEMPLATES.iter().map(|t| t.id), 5), parts);
    assert_ne!(split(TEMPLATES.iter().map(|t| t.id), 6), parts);
    let alone = split(["a-1"], 1);
    assert!(!alone.is_test("a-1") && alone.single.contains("a-1"));
}
