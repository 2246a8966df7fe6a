//! `graphground train` as a person calls it: stopped, gone on with, and its model asked.
#![cfg(feature = "ml")]
// What the tests share may fail as they may.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn graphground(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_graphground")).args(args).output().unwrap()
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Facts about numbers, as `data pack` writes them.
fn pack(folder: &Path) -> String {
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
    let path = folder.join("numbers.jsonl");
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_model_is_trained_stopped_gone_on_with_and_asked() {
    let folder = folder("train");
    let pack = pack(&folder);
    let out = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (whole, parts) = (out("whole"), out("parts"));
    let train = |out: &str, more: &[&str]| {
        let common = ["train", "transe", "--data", &pack, "--epochs", "12", "--set", "dims=4"];
        let args = [&common[..], &["--set", "every=3", "--out", out], more].concat();
        let done = graphground(&args);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
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

#[test]
fn what_cannot_be_trained_says_why() {
    let folder = folder("train-wrong");
    let pack = pack(&folder);
    for (args, why) in [
        (vec!["train", "gpt", "--data", &pack], "there are graph_bert, seg_bert, bpr and transe"),
        (vec!["train", "bpr", "--data", &pack], "bpr users with items"),
        (vec!["train", "transe", "--data", "moon"], "there is no data set \"moon\""),
        (vec!["train", "transe", "--data", &pack, "--set", "x=1"], "transe has split"),
        (vec!["train", "transe", "--data", &pack, "--epochs", "0"], "nothing would be learned"),
    ] {
        let done = graphground(&args);
        let told = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(!done.status.success() && told.contains(why), "{args:?}: {told}");
    }
}
