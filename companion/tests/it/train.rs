//! `graphground train` as a person calls it: stopped, gone on with, and its model asked.

use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use test_support::Folder;

use crate::program::{graphground, printed, program, stderr};

/// Facts about numbers, as `data pack` writes them.
fn pack(folder: &Folder) -> String {
    let n = 20;
    let mut text = format!(
        "{{\"format\":\"graphground-data\",\"version\":1,\"name\":\"numbers\",\"title\":\"Numbers\",\
         \"kind\":\"knowledge\",\"shape\":\"knowledge\",\"is_directed\":true,\"profile\":{{\
         \"n_graphs\":1,\"n_nodes\":{n},\"n_links\":{},\"is_directed\":true,\"is_weighted\":false}},\
         \"card\":{{\"source\":\"counted\",\"licence\":\"none\"}}}}\n",
        2 * n
    );
    for i in 0..n {
        text.push_str(&format!("{{\"n\":\"n{i}\",\"t\":\"Number\"}}\n"));
    }
    for i in 0..n {
        let (next, third) = ((i + 1) % n, (i + 3) % n);
        text.push_str(&format!("{{\"e\":[\"n{i}\",\"next\",\"n{next}\"]}}\n"));
        text.push_str(&format!("{{\"e\":[\"n{i}\",\"third\",\"n{third}\"]}}\n"));
    }
    std::fs::write(folder.join("numbers.jsonl"), text).unwrap();
    folder.file("numbers.jsonl")
}

#[test]
fn a_model_is_trained_stopped_gone_on_with_and_asked() {
    let folder = Folder::new();
    let pack = pack(&folder);
    let out = |name: &str| folder.file(name);
    let (whole, parts) = (out("whole"), out("parts"));
    let train = |out: &str, more: &[&str]| {
        let common = ["train", "transe", "--data", &pack, "--epochs", "12", "--set", "dims=4"];
        let args = [&common[..], &["--set", "every=3", "--out", out], more].concat();
        let done = graphground(&args);
        printed(&done)
    };
    let card = train(&whole, &[]);
    assert!(card.contains("# transe of numbers") && card.contains("Terms of the data: none"));
    // Nobody's folders are in what is handed on.
    assert!(card.contains("`graphground train transe --data numbers.jsonl --seed 1 --epochs 12"));
    train(&parts, &["--stop-after", "5"]);
    assert!(folder.join("parts/transe-numbers.checkpoint").exists());
    train(&parts, &["--resume"]);
    assert!(!folder.join("parts/transe-numbers.checkpoint").exists());
    let file = |name: &str| std::fs::read(folder.join(name)).unwrap();
    assert_eq!(file("whole/transe-numbers.safetensors"), file("parts/transe-numbers.safetensors"));
    assert!(file("whole/transe-numbers.svg").starts_with(b"<svg"));
    let summary: serde_json::Value =
        serde_json::from_slice(&file("whole/transe-numbers.json")).unwrap();
    assert!(summary["figures"]["filtered mean rank"]["mean"].as_f64().unwrap() >= 1.0);

    let split = out("split");
    train(&whole, &["--export-split", &split]);
    let n: usize = ["train", "valid", "test"]
        .map(|part| std::fs::read_to_string(folder.join(format!("split/{part}.tsv"))).unwrap())
        .iter()
        .map(|text| text.lines().count())
        .sum();
    assert_eq!(n, 40);

    let question = folder.join("ask.jsonl");
    let text = r#"{"input": "?", "output": "After it comes [GR(GL(\"numbers\"), \"transe:tail_entity\", entity#n3, relation#next)-->r]."}"#;
    std::fs::write(&question, text).unwrap();
    let model = folder.join("whole/transe-numbers.safetensors");
    let asked = graphground(&[
        "toolformer",
        "run",
        question.to_str().unwrap(),
        "--data",
        &pack,
        "--weights",
        model.to_str().unwrap(),
    ]);
    let said = String::from_utf8(asked.stdout).unwrap();
    assert!(said.starts_with("After it comes n") && !said.contains('['), "{said}");
}

/// Epochs of a training that is killed: so many that it is far from its end by then.
const MANY: usize = 600;

/// Milliseconds in which some checkpoints are written even where much else runs.
const MAX_TICKS: usize = 60_000;

/// Waits until a checkpoint has been written so many times.
fn until_checkpoints(child: &mut Child, checkpoint: &Path, n: usize) {
    let (mut seen, mut last) = (0, None);
    for tick in 0.. {
        if seen >= n {
            break;
        }
        assert!(tick < MAX_TICKS, "{seen} checkpoints in {MAX_TICKS} ms");
        assert!(child.try_wait().unwrap().is_none(), "it ended after {seen} checkpoints");
        let written = std::fs::metadata(checkpoint).and_then(|m| m.modified()).ok();
        if written.is_some() && written != last {
            (seen, last) = (seen + 1, written);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_training_that_is_killed_goes_on_to_the_same_bytes() {
    let folder = Folder::new();
    let pack = pack(&folder);
    let path = |name: &str| folder.join(name);
    let command = |out: &str, more: &[&str]| {
        let mut command = program();
        command.args(["train", "transe", "--data", &pack, "--epochs", &MANY.to_string()]);
        command.args(["--set", "dims=4", "--set", "every=3", "--set", "patience=0"]);
        command.args([
            "--set",
            "window=4",
            "--set",
            "anneal=1",
            "--checkpoint-epochs",
            "1",
            "--out",
        ]);
        command.arg(path(out)).args(more).stdout(Stdio::null());
        command
    };
    assert!(command("whole", &[]).status().unwrap().success());
    let model = |out: &str| path(out).join("transe-numbers.safetensors");
    let checkpoint = path("killed/transe-numbers.checkpoint");
    let n_kills = 3;
    for kill in 0..n_kills {
        let more: &[&str] = if kill == 0 { &[] } else { &["--resume"] };
        let mut child = command("killed", more).stderr(Stdio::null()).spawn().unwrap();
        // Not after the same part of an epoch or of a checkpoint each time.
        until_checkpoints(&mut child, &checkpoint, 5 + 7 * kill);
        child.kill().unwrap();
        let ended = child.wait().unwrap();
        assert!(!ended.success(), "it had ended before it was killed: {ended}");
        assert!(!model("killed").exists() && checkpoint.exists());
    }
    // It does not begin anew: a run that may do one epoch stops at a later one than was reached.
    let before = std::fs::read(&checkpoint).unwrap();
    assert!(command("killed", &["--resume", "--stop-after", "1"]).status().unwrap().success());
    let (before, after) = (epoch(&before), epoch(&std::fs::read(&checkpoint).unwrap()));
    assert!(before >= 5 * n_kills && after == before + 1, "{before} and then {after}");
    assert!(!model("killed").exists());
    assert!(command("killed", &["--resume"]).status().unwrap().success());
    assert!(!checkpoint.exists());
    let [whole, killed] = ["whole", "killed"].map(|out| std::fs::read(model(out)).unwrap());
    assert_eq!(whole, killed);
    // The weights may be of an epoch before the first kill; the losses are of all epochs.
    let trained = |out: &str| {
        let text = std::fs::read(path(out).join("transe-numbers.json")).unwrap();
        let summary: serde_json::Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(summary["trained"][0]["history"].as_array().unwrap().len(), MANY / 3);
        summary["trained"].clone()
    };
    assert_eq!(trained("whole"), trained("killed"));
}

/// The epoch that a checkpoint stands at, as its head says.
fn epoch(bytes: &[u8]) -> usize {
    let file = ml::weights::ModelFile::read(bytes).unwrap();
    file.config["progress"]["epoch"].as_u64().unwrap() as usize
}

#[test]
fn what_cannot_be_trained_says_why() {
    let folder = Folder::new();
    let pack = pack(&folder);
    for (args, why) in [
        (vec!["train", "gpt", "--data", &pack], "there are graph_bert, seg_bert, bpr and transe"),
        (vec!["train", "bpr", "--data", &pack], "bpr users with items"),
        (vec!["train", "transe", "--data", "moon"], "there is no data set \"moon\""),
        (
            vec!["train", "transe", "--data", &pack, "--set", "x=1"],
            "there are split (seed of the split",
        ),
        (vec!["train", "transe", "--data", &pack, "--epochs", "0"], "nothing would be learned"),
    ] {
        let done = graphground(&args);
        let told = stderr(&done);
        assert!(!done.status.success() && told.contains(why), "{args:?}: {told}");
    }
}
