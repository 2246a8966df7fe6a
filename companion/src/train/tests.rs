//! A training that was interrupted and went on equals one that was not, byte for byte.

use std::path::{Path, PathBuf};
use std::time::Duration;

use graph::Graph;
use serde_json::json;
use systems::toolformer::data::{Data, Network};

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

fn folder(name: &str) -> PathBuf {
    let folder =
        std::env::temp_dir().join(format!("graphground-train-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn options(folder: &Path, resumes: bool, stop_after: Option<usize>) -> Options {
    Options {
        seeds: vec![1, 2],
        epochs: 12,
        patience: 0,
        every: 1,
        checkpoint: folder.join("it.checkpoint"),
        checkpoint_time: Duration::from_secs(3600),
        checkpoint_epochs: 0,
        resumes,
        stop_after,
        dataset: "toy".into(),
        of: json!({ "a": 1 }),
    }
}

pub(super) fn resumed_equals_whole(lesson: &dyn Lesson, name: &str, steps: &[usize]) {
    let folder = folder(name);
    let Ended::Whole(whole) = run(lesson, &options(&folder, false, None)).unwrap() else {
        panic!()
    };
    let file = lesson.file(&whole.weights).unwrap();
    for step in steps {
        let path = folder.join("it.checkpoint");
        let _ = std::fs::remove_file(&path);
        let mut n = 0;
        let parts = loop {
            n += 1;
            assert!(n < 100);
            match run(lesson, &options(&folder, n > 1, Some(*step))).unwrap() {
                Ended::Whole(parts) => break parts,
                Ended::Stopped => assert!(path.exists()),
            }
        };
        assert!(n > 1, "it was not interrupted");
        assert_eq!(lesson.file(&parts.weights).unwrap(), file, "{name} {step}");
        assert_eq!(parts.trained, whole.trained);
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_interrupted_training_ends_as_one_that_was_not() {
    let settings = Settings::new("bpr", "toy", &["dims=3".into()]).unwrap();
    let lesson = lesson("bpr", "toy", &liked(), &settings).unwrap();
    resumed_equals_whole(lesson.as_ref(), "bpr", &[1, 5, 12, 17]);
}

#[test]
fn a_checkpoint_of_another_training_is_refused() {
    let folder = folder("other");
    let settings = Settings::new("bpr", "toy", &[]).unwrap();
    let lesson = lesson("bpr", "toy", &liked(), &settings).unwrap();
    assert!(matches!(run(lesson.as_ref(), &options(&folder, false, Some(2))), Ok(Ended::Stopped)));
    let told = run(lesson.as_ref(), &options(&folder, false, None)).err().unwrap().to_string();
    assert!(told.contains("--resume goes on with it"), "{told}");
    let other = Options { of: json!({ "a": 2 }), ..options(&folder, true, None) };
    let told = run(lesson.as_ref(), &other).err().unwrap().to_string();
    assert!(told.contains("another training stopped there: {\"a\":1}"), "{told}");
    // Cut off, it is an error and nothing is learned from half of it.
    let path = folder.join("it.checkpoint");
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 7]).unwrap();
    assert!(run(lesson.as_ref(), &options(&folder, true, None)).is_err());
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn settings_are_checked() {
    let told =
        |given: &str| Settings::new("bpr", "x", &[given.to_owned()]).unwrap_err().to_string();
    assert!(told("lr").contains("expected name=number"));
    assert!(told("lr=-1").contains("no number from 0 on"));
    assert!(told("warmth=1").contains("bpr has split (the seed"));
    assert!(Settings::new("gpt", "x", &[]).is_err());
    let settings = Settings::new("transe", "wordnet", &["lr=0.5".into()]).unwrap();
    assert_eq!((settings.get("lr"), settings.get("margin")), (0.5, 2.0));
    assert_eq!(Settings::new("transe", "nations", &[]).unwrap().get("margin"), 1.0);
}

#[test]
fn means_and_deviations_are_those_of_a_sample() {
    let (mean, deviation) = mean_and_deviation(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
    assert_eq!(mean, 5.0);
    assert!((deviation - (32.0_f64 / 7.0).sqrt()).abs() < 1e-12);
    assert_eq!(mean_and_deviation(&[3.0]), (3.0, 0.0));
}
