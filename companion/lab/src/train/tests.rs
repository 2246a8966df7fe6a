//! A training that was interrupted and went on equals one that was not, byte for byte.

use std::path::Path;
use std::time::Duration;

use graph::Graph;
use serde_json::json;
use systems::toolformer::data::{Data, Network};
use test_support::Folder;

use super::*;

fn liked() -> Data {
    let mut graph = Graph::undirected();
    for user in 0..12_usize {
        for item in (0..20_usize).filter(|i| (i + user) % 3 == 0 || i % 2 == user % 2) {
            graph.link(format!("u{user}").as_str(), format!("i{item}").as_str()).unwrap();
        }
    }
    Data::network(Network::from(graph))
}

fn options(folder: &Path, resumes: bool, stop_after: Option<usize>) -> Options {
    Options {
        seeds: vec![1, 2],
        epochs: 12,
        patience: 0,
        every: 1,
        window: 3,
        checkpoint: folder.join("it.checkpoint"),
        checkpoint_time: Duration::from_secs(3600),
        checkpoint_epochs: 0,
        resumes,
        stop_after,
        dataset: "toy".into(),
        of: json!({ "a": 1 }),
    }
}

pub(super) fn resumed_equals_whole(experiment: &dyn Experiment, name: &str, steps: &[usize]) {
    let folder = Folder::new();
    let Ended::Whole(whole) = run(experiment, &options(&folder, false, None)).unwrap() else {
        panic!()
    };
    let file = experiment.file(&whole.weights).unwrap();
    for step in steps {
        let path = folder.join("it.checkpoint");
        let _ = std::fs::remove_file(&path);
        let mut n = 0;
        let parts = loop {
            n += 1;
            assert!(n < 100);
            match run(experiment, &options(&folder, n > 1, Some(*step))).unwrap() {
                Ended::Whole(parts) => break parts,
                Ended::Stopped => assert!(path.exists()),
            }
        };
        assert!(n > 1, "it was not interrupted");
        assert_eq!(experiment.file(&parts.weights).unwrap(), file, "{name} {step}");
        assert_eq!(parts.trained, whole.trained);
    }
}

#[test]
fn an_interrupted_training_ends_as_one_that_was_not() {
    let settings = numbers_of("bpr", "toy", &["dims=3".into()]).unwrap();
    let experiment = experiment("bpr", "toy", &liked(), &settings).unwrap();
    resumed_equals_whole(experiment.as_ref(), "bpr", &[1, 5, 12, 17]);
}

#[test]
fn facts_papers_and_molecules_go_on_as_well() {
    let settings = |model: &str, given: &[&str]| {
        let given: Vec<String> = given.iter().map(|s| (*s).to_owned()).collect();
        numbers_of(model, "toy", &given).unwrap()
    };
    let mut kg = kg::KgBuilder::new("ring");
    for i in 0..12 {
        kg.node(&format!("e{i}"), "E", "", serde_json::Map::new()).unwrap();
    }
    for i in 0..12 {
        kg.edge(&format!("e{i}"), "next", &format!("e{}", (i + 1) % 12)).unwrap();
        kg.edge(&format!("e{i}"), "over", &format!("e{}", (i + 2) % 12)).unwrap();
    }
    let facts = Data::Knowledge(std::rc::Rc::new(kg.build().unwrap()));
    let lesson_of = |model: &str, data: &Data, given: &[&str]| -> Vec<u8> {
        let settings = settings(model, given);
        let experiment = experiment(model, "toy", data, &settings).unwrap();
        resumed_equals_whole(experiment.as_ref(), model, &[7]);
        let start = experiment.start(1, 0).unwrap();
        experiment.file(&start.weights().unwrap()).unwrap()
    };
    lesson_of("transe", &facts, &["dims=3"]);
    let small = ["hidden=4", "k=2", "layers=1", "folds=3", "batch=4"];
    let papers = lesson_of("graph_bert", &papers(), &[small[0], small[1], small[2]]);
    let molecules = lesson_of("seg_bert", &molecules(), &[small[0], small[2], small[3], small[4]]);
    for bytes in [papers, molecules] {
        assert!(backends::trained::read(&bytes).is_ok());
    }
}

/// Two groups of papers with words of their own.
fn papers() -> Data {
    let mut graph = Graph::directed();
    let (mut features, mut labels) = (Vec::new(), Vec::new());
    for i in 0..24_u32 {
        graph.ensure_node(i.to_string().as_str()).unwrap();
        features.push(vec![(i % 2, 1.0), (2 + i % 5, 1.0)]);
        labels.push(Some(if i % 2 == 0 { "Even" } else { "Odd" }.to_owned()));
    }
    for i in 0..22 {
        graph.link(i.to_string().as_str(), (i + 2).to_string().as_str()).unwrap();
    }
    Data::network(Network { graph, features, labels, times: Vec::new() })
}

/// Rings and paths.
fn molecules() -> Data {
    let mut set = Vec::new();
    for i in 0..18_usize {
        let n = 3 + i / 2 % 3;
        let mut graph = Graph::undirected();
        for k in 0..n {
            graph.ensure_node(k.to_string().as_str()).unwrap();
        }
        for k in 0..if i % 2 == 0 { n } else { n - 1 } {
            graph.link(k.to_string().as_str(), ((k + 1) % n).to_string().as_str()).unwrap();
        }
        let features = vec![vec![(0, 1.0)]; n];
        let network =
            std::rc::Rc::new(Network { graph, features, labels: Vec::new(), times: Vec::new() });
        let label = Some(if i % 2 == 0 { "ring" } else { "path" }.to_owned());
        set.push(systems::toolformer::data::Member { name: i.to_string(), network, label });
    }
    Data::Set(set)
}

#[test]
fn both_berts_learn_what_was_planted() {
    for (model, data, given) in [
        ("graph_bert", papers(), ["hidden=8", "k=2", "lr=0.02"]),
        ("seg_bert", molecules(), ["hidden=8", "folds=3", "lr=0.02"]),
    ] {
        let given: Vec<String> = given.iter().map(|s| (*s).to_owned()).collect();
        let settings = numbers_of(model, "toy", &given).unwrap();
        let experiment = experiment(model, "toy", &data, &settings).unwrap();
        let mut trainer = experiment.start(4, 0).unwrap();
        for epoch in 1..=40 {
            trainer.epoch(epoch, &mut epoch_rng(4, 0, epoch)).unwrap();
        }
        let measured = trainer.measure().unwrap();
        assert!(measured.test > 0.8 && measured.valid > 0.8, "{model} {measured:?}");
    }
}

#[test]
fn a_checkpoint_of_another_training_is_refused() {
    let folder = Folder::new();
    let settings = numbers_of("bpr", "toy", &[]).unwrap();
    let experiment = experiment("bpr", "toy", &liked(), &settings).unwrap();
    assert!(matches!(
        run(experiment.as_ref(), &options(&folder, false, Some(2))),
        Ok(Ended::Stopped)
    ));
    let told = run(experiment.as_ref(), &options(&folder, false, None)).err().unwrap().to_string();
    assert!(told.contains("--resume goes on with it"), "{told}");
    let other = Options { of: json!({ "a": 2 }), ..options(&folder, true, None) };
    let told = run(experiment.as_ref(), &other).err().unwrap().to_string();
    assert!(told.contains("another training stopped there: {\"a\":1}"), "{told}");
    // Cut off, it is an error and nothing is learned from half of it.
    let path = folder.join("it.checkpoint");
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 7]).unwrap();
    assert!(run(experiment.as_ref(), &options(&folder, true, None)).is_err());
}

#[test]
fn settings_are_checked() {
    let told = |given: &str| numbers_of("bpr", "x", &[given.to_owned()]).unwrap_err().to_string();
    assert!(told("lr").contains("give NAME=NUMBER"));
    assert!(told("lr=-1").contains("give a number from 0"));
    assert!(told("warmth=1").contains("there are split (seed of the split"));
    assert!(numbers_of("gpt", "x", &[]).is_err());
    let settings = numbers_of("transe", "wordnet", &["lr=0.5".into()]).unwrap();
    assert_eq!((settings.get("lr"), settings.get("margin")), (0.5, 2.0));
    assert_eq!(numbers_of("transe", "nations", &[]).unwrap().get("margin"), 1.0);
}

#[test]
fn means_and_deviations_are_those_of_a_sample() {
    let (mean, deviation) = mean_and_deviation(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
    assert_eq!(mean, 5.0);
    assert!((deviation - (32.0_f64 / 7.0).sqrt()).abs() < 1e-12);
    assert_eq!(mean_and_deviation(&[3.0]), (3.0, 0.0));
}
