//! One `bench` for all experiments: runs that resume, shards, votes, roles, reports, checks.

use std::path::Path;
use std::process::Output;

use serde_json::Value;
use test_support::Folder;

use crate::program::{both, program, stderr};

const ALL: [&str; 6] = ["nlgraph", "kgqa", "family", "toolformer", "rescue", "kgot"];

fn graphground(folder: &Path, line: &str) -> Output {
    program().args(line.split_whitespace()).current_dir(folder).output().unwrap()
}

/// What a command that succeeds says, on both outputs.
fn told(folder: &Path, line: &str) -> String {
    let output = graphground(folder, line);
    let text = both(&output);
    assert!(output.status.success(), "{line}: {text}");
    text
}

fn lines(folder: &Path, file: &str, kind: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join(file)).unwrap();
    let all = text.lines().map(|l| serde_json::from_str::<Value>(l).unwrap());
    all.filter(|l| l["type"] == kind).collect()
}

#[test]
fn every_experiment_resumes_is_sharded_added_up_checked_and_exported() {
    let folder = Folder::new();
    for id in ALL {
        let bench = format!("bench --experiment {id} --n 3 --seed 1 --system all --samples 2");
        let said = told(&folder, &format!("{bench} --out {id}.jsonl"));
        let n = lines(&folder, &format!("{id}.jsonl"), "run").len();
        assert!(n >= 6, "{id}: {said}");
        // Cut off in the middle of its last line, as a dead machine leaves it.
        let file = folder.join(format!("{id}.jsonl"));
        let whole = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, &whole[..whole.len() - 40]).unwrap();
        let said = told(&folder, &format!("{bench} --out {id}.jsonl"));
        let expected = format!("1 runs finished, {} finished before", n - 1);
        assert!(said.contains(&expected), "{id}: {said}");

        for shard in ["0/2", "1/2"] {
            let name = shard.replace('/', "-");
            told(&folder, &format!("{bench} --shard {shard} --out {id}-{name}.jsonl"));
        }
        told(&folder, &format!("merge {id}-0-2.jsonl {id}-1-2.jsonl --out {id}-all.jsonl"));
        let keys = |file: &str| {
            let runs = lines(&folder, file, "run").into_iter();
            let mut keys: Vec<String> = runs.map(|r| r["key"].to_string()).collect();
            keys.sort();
            keys
        };
        assert_eq!(keys(&format!("{id}-all.jsonl")), keys(&format!("{id}.jsonl")), "{id}");

        let report = told(
            &folder,
            &format!(
                "report {id}.jsonl --html {id}.html --csv {id}.csv --inspect i-{id} --lm-eval l-{id}"
            ),
        );
        for words in ["Correct answers", "What it took", "Verdicts and kinds", "How it was run"] {
            assert!(report.contains(words), "{id}: {words} is missing in {report}");
        }
        let csv = std::fs::read_to_string(folder.join(format!("{id}.csv"))).unwrap();
        assert_eq!(csv.lines().count(), n + 1, "{id}");
        let page = std::fs::read_to_string(folder.join(format!("{id}.html"))).unwrap();
        assert!(page.contains("connect-src 'none'") && page.contains("<details"), "{id}");
        let checked = told(&folder, &format!("report --check {id}.jsonl"));
        assert!(checked.contains(&format!("{n} runs checked again, 0 differ")), "{id}: {checked}");
        // A verdict that was changed by hand is found.
        let text = std::fs::read_to_string(&file).unwrap();
        let forged = text.replacen("\"verdict\":\"Correct\"", "\"verdict\":\"Incorrect\"", 1);
        assert_ne!(forged, text, "{id}: the careful script is right somewhere");
        std::fs::write(folder.join("forged.jsonl"), forged).unwrap();
        let found = graphground(&folder, "report --check forged.jsonl");
        assert_eq!(found.status.code(), Some(3), "{id}");
    }
}

#[test]
fn roles_options_and_votes_are_factors_of_a_setup() {
    let folder = Folder::new();
    told(
        &folder,
        "bench --experiment family --n 4 --system gs --model mistaken-relation --role caller=script \
         --set k=5 --set similarity=words --out f.jsonl",
    );
    let setup = &lines(&folder, "f.jsonl", "setup")[0]["setup"];
    assert_eq!(setup["roles"]["searcher"]["model"], "mistaken-relation");
    assert_eq!(setup["roles"]["caller"]["model"], "script");
    assert_eq!(
        (&setup["options"]["k"], &setup["options"]["similarity"]),
        (&5.into(), &"words".into())
    );
    let run = &lines(&folder, "f.jsonl", "run")[0];
    let roles: Vec<&Value> =
        run["trace"]["asked"].as_array().unwrap().iter().map(|a| &a["role"]).collect();
    assert_eq!(roles, ["searcher", "caller"], "every step is of a role");

    told(
        &folder,
        "bench --experiment kgqa --world metro:4:3 --n 2 --system graph_cot --role judge=script \
         --set max_steps=40 --votes 3 --out k.jsonl",
    );
    let setup = &lines(&folder, "k.jsonl", "setup")[0]["setup"];
    assert_eq!((&setup["votes"], &setup["options"]["max_steps"]), (&3.into(), &40.into()));
    let steps = lines(&folder, "k.jsonl", "run")[0]["trace"]["steps"].as_array().unwrap().clone();
    let last = &steps[steps.len() - 1]["body"];
    assert_eq!(
        (&last["type"], &last["tallies"][0]["runs"]),
        (&"vote".into(), &serde_json::json!([0, 1, 2]))
    );
}

#[test]
fn what_does_not_fit_is_refused_in_words() {
    let folder = Folder::new();
    for (line, words) in [
        ("--experiment magic", "there is no experiment \"magic\"; there are nlgraph"),
        ("--experiment kgqa --system magic", "there is no system \"magic\" in kgqa; there are"),
        ("--experiment kgqa --set no=1", "there is no option \"no\""),
        ("--experiment kgqa --set max_steps=many --system graph_cot", "the options"),
        ("--experiment kgqa --attach", "the option \"attach\", which kgqa has not"),
        ("--experiment kgqa --world graph", "expected metro:LINES:SEED"),
        ("--experiment family --role cook=script", "there is no role \"cook\"; there are searcher"),
        ("--experiment family --role caller", "write ROLE=VALUE"),
        ("--experiment family --set k=99", "expected 1 to 10"),
        ("--experiment rescue --kg metro:4:1", "--kg is for kgqa"),
        ("--experiment toolformer --model clever", "there is no script \"clever\""),
        ("--votes 0", "at least 1"),
    ] {
        let output = graphground(&folder, &format!("bench --n 1 --out x.jsonl {line}"));
        let why = stderr(&output);
        assert!(!output.status.success() && why.contains(words), "{line}: {why}");
        assert!(!folder.join("x.jsonl").exists(), "{line}: nothing is written");
    }
    let list = told(&folder, "bench --list");
    for id in ALL {
        assert!(
            list.contains(&format!("\n{id}: ")) || list.starts_with(&format!("{id}: ")),
            "{id}"
        );
    }
}
