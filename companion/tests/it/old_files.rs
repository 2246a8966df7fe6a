//! Files that earlier versions wrote are still opened, added up, checked and gone on with.

use std::path::{Path, PathBuf};

use crate::program::{graphground, printed, scratch, stderr, stdout};

fn old(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/0.1").join(name)
}

/// A copy that a command may append to.
fn copy(name: &str) -> PathBuf {
    let to = std::env::temp_dir().join(format!("graphground-old-{}-{name}", std::process::id()));
    std::fs::copy(old(name), &to).unwrap();
    to
}

fn line<'a>(text: &'a str, begin: &str) -> &'a str {
    text.lines().find(|l| l.starts_with(begin)).unwrap_or_else(|| panic!("{begin}: {text}"))
}

#[test]
fn runs_of_nlgraph_are_added_up_checked_and_gone_on_with() {
    let path = old("nlgraph-runs.jsonl");
    let path = path.to_str().unwrap();
    let report = printed(&graphground(&["report", path]));
    let row = line(&report, "all                  script mistaken, with graph tools");
    assert!(row.contains(" 6        3   50.00%"), "{row}");
    assert!(
        printed(&graphground(&["report", "--check", path]))
            .contains("24 runs checked again, 0 differ")
    );

    // The verifier has other rules than it had then, so that its runs are other runs, until they are
    // scored again.
    let first = copy("nlgraph-runs.jsonl");
    let own = first.with_extension("again");
    printed(&graphground(&[
        "merge",
        "--score-again",
        first.to_str().unwrap(),
        "--out",
        own.to_str().unwrap(),
    ]));
    std::fs::remove_file(first).unwrap();
    let size = std::fs::metadata(&own).unwrap().len();
    let bench = |more: &str| {
        let line = format!("bench --task cycle,shortest_path,flow --difficulty easy {more} --out");
        let mut args: Vec<&str> = line.split_whitespace().collect();
        args.push(own.to_str().unwrap());
        let output = graphground(&args);
        let said = stderr(&output);
        assert!(output.status.success(), "{said}");
        said
    };
    let said = bench("--n 2 --system standalone --model script,mistaken");
    assert!(said.contains("0 runs finished, 12 finished before, 0 failed"), "{said}");
    assert_eq!(std::fs::metadata(&own).unwrap().len(), size, "nothing is added");
    // More runs stand in it in the form of today, and the whole is read. There are more graph
    // functions than there were, so that a run with tools is another run.
    let said = bench("--n 3 --system standalone --model script,mistaken");
    assert!(said.contains("6 runs finished, 12 finished before"), "{said}");
    let said = bench("--n 1 --system grounded --model script");
    assert!(said.contains("3 runs finished, 0 finished before"), "{said}");
    let path = own.to_str().unwrap();
    assert!(
        printed(&graphground(&["report", "--check", path]))
            .contains("33 runs checked again, 0 differ")
    );
    std::fs::remove_file(own).unwrap();
}

#[test]
fn runs_on_a_knowledge_graph_are_added_up() {
    let path = old("kgqa-runs.jsonl");
    let report = printed(&graphground(&["report", path.to_str().unwrap()]));
    let row = line(&report, "GraphRunner (theta 0.6), script (no model)");
    assert!(row.contains("2  100.00%"), "{row}");
    let row = line(&report, "Graph-CoT (theta 0.6, max steps 40), erring script");
    assert!(row.contains("3   33.33%") && row.contains("87.13%"), "{row}");
    let checked = printed(&graphground(&["report", "--check", path.to_str().unwrap()]));
    assert!(checked.contains("14 runs checked again, 0 differ"), "{checked}");

    // Nothing is added to such a file; put together it is a runs file like any other.
    let bench = "bench --experiment kgqa --world metro:4:3 --n 1 --seed 1 --out";
    let bench: Vec<&str> = bench.split_whitespace().collect();
    let own = copy("kgqa-runs.jsonl");
    let refused = graphground(&[&bench[..], &[own.to_str().unwrap()]].concat());
    let why = stderr(&refused);
    assert!(why.contains("graphground merge"), "{why}");
    let merged = own.with_extension("merged");
    printed(&graphground(&["merge", own.to_str().unwrap(), "--out", merged.to_str().unwrap()]));
    let again = printed(&graphground(&["report", merged.to_str().unwrap()]));
    assert_eq!(again, report, "the figures are the same");
    printed(&graphground(&[&bench[..], &[merged.to_str().unwrap()]].concat()));
    for file in [own, merged] {
        std::fs::remove_file(file).unwrap();
    }
}

#[test]
fn results_of_the_family_benchmark_are_added_up() {
    let path = old("family-runs.jsonl");
    let report = printed(&graphground(&["report", path.to_str().unwrap()]));
    let row = line(&report, "Mistaken script: makes up relations");
    assert!(row.contains("13.10") && row.contains("100.00"), "{row}");
    let code = graphground(&["report", "--check", path.to_str().unwrap()]);
    assert_eq!(code.status.code(), Some(3), "its lines have no requests, and the check says so");
    assert!(stdout(&code).contains("cannot be checked"));
}

#[test]
fn scores_of_statements_are_added_up() {
    let path = old("toolformer-scores.jsonl");
    let report = printed(&graphground(&["toolformer", "report", path.to_str().unwrap()]));
    let row = line(&report, "graph_properties    somebody");
    // The paper's row stands below it, under the name of the hub.
    assert!(line(&report, "gpr ").contains("94.56"), "{report}");
    assert!(row.contains("96.67") && row.ends_with("50.00 of 2"), "{row}");
    let path = old("toolformer-written.jsonl");
    let path = path.to_str().unwrap();
    let scores = printed(&graphground(&["toolformer", "score", "--references", path, "--summary"]));
    assert!(scores.contains("\"same_calls\":100.0"), "{scores}");
}

#[test]
fn traces_are_replayed_and_a_pack_is_asked() {
    let path = old("traces.jsonl");
    let replayed = printed(&graphground(&["trace", "replay", path.to_str().unwrap()]));
    assert!(replayed.contains("8 traces, 37 calls, 0 come out otherwise"), "{replayed}");
    let pack = old("village-pack.json");
    let text =
        "{\"output\": \"There are [GR(GL(\\\"village\\\"), \\\"toolx:order\\\")-->r] people.\"}";
    let file = scratch("village.txt", text);
    let args = ["toolformer", "run", &file, "--data", pack.to_str().unwrap()];
    assert!(
        printed(&graphground(&args)).contains("There are 120 people."),
        "{}",
        printed(&graphground(&args))
    );
}
