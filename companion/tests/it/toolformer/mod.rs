//! `graphground toolformer` and `graphground prompts` as a person calls them.

mod files;
mod writing;

use serde_json::Value;
use test_support::Folder;

use crate::program::{graphground, lines, printed, scratch, stderr};

const ORDER: &str = r#"{"input": "How large?", "output": "It has [GR(GL(\"gpr\", {\"bull_graph\"}), \"toolx:order\")-->r] nodes.", "answer": "5"}"#;
const BROKEN: &str = r#"{"input": "What?", "output": "On [GR(GL(\"cora\") \"graph_bert:topic\", paper#1)-->r] and [GL(\"imdb\")].", "answer": "IR"}"#;
const LINE: &str = r#"Input: A [TBR]. Output: A [GR(GL("gpr", {"path_graph"}), "toolx:center")-->r]. Reasoning Result: [5, 6]."#;

#[test]
fn calls_are_read_and_run_line_by_line() {
    let file = scratch("toolformer-run.jsonl", [ORDER, BROKEN, "", LINE].join("\n"));
    let read = lines(&printed(&graphground(&["toolformer", "parse", &file, "--json"])));
    assert_eq!(
        read[0]["calls"][0],
        r#"(("GR", [("GL", ["gpr", {"bull_graph"}]), "toolx:order"]), [True])"#
    );
    assert_eq!(read[1]["calls"], serde_json::json!([null, r#"(("GL", ["imdb"]), [False])"#]));
    assert_eq!(read[1]["errors"][0]["kind"], "syntax");
    assert_eq!((&read[1]["errors"][0]["insert"], &read[2]["line"]), (&",".into(), &4.into()));

    let ran = lines(&printed(&graphground(&["toolformer", "run", &file, "--json", "--steps"])));
    assert_eq!(ran[0]["text"], "It has 5 nodes.");
    assert_eq!((&ran[0]["results"][0], &ran[0]["places"][0]), (&"5".into(), &"result".into()));
    assert_eq!(ran[0]["memory"][1]["value"], "5");
    assert_eq!(ran[1]["errors"][1]["kind"], "unknown_dataset");
    assert_eq!(ran[1]["results"], serde_json::json!([null, null]));
    assert_eq!(ran[2]["text"], "A [5, 6].");
    assert_eq!(ran[2]["steps"][0][0]["looked_at"]["nodes"], serde_json::json!([5, 6]));

    let links = scratch("toolformer-links.txt", "ada bob\nbob cid\n");
    let given = format!("Twitter={links}");
    let own = r#"Input: - Output: [GR(GL("twitter"), "toolx:center")-->r] [GR(GL("twitter"), "toolx:density", is-directed)-->r]"#;
    let own = scratch("toolformer-own.txt", own);
    let ran = printed(&graphground(&["toolformer", "run", &own, "--data", &given]));
    assert_eq!(ran, "['bob'] 0.6666666666666666\n");
    let wrong = graphground(&["toolformer", "run", &own, "--data", "twitter="]);
    assert!(stderr(&wrong).contains("NAME=FILE as in twitter=links.csv"));

    let good = scratch("toolformer-good.jsonl", [ORDER, LINE].join("\n"));
    let checked = graphground(&["toolformer", "run", &good, "--check"]);
    assert_eq!(printed(&checked), "It has 5 nodes.\nA [5, 6].\n");
    assert!(stderr(&checked).contains("2 of 2 lines have the answers they should"));
    let wrong = graphground(&["toolformer", "run", &file, "--check"]);
    assert!(!wrong.status.success() && stderr(&wrong).contains("\"IR\" was expected"));
    let field = graphground(&["toolformer", "parse", &file, "--field", "said"]);
    assert!(stderr(&field).contains("line 1") && stderr(&field).contains("no field \"said\""));
}

#[test]
fn texts_are_scored_and_stand_beside_the_papers() {
    let references = scratch("toolformer-refs.jsonl", [ORDER, LINE].join("\n"));
    let said = [
        r#"{"prediction": "There are [GR(GL('gpr', {'house_graph'}), \"order\") -> r] of them."}"#,
        r#"{"prediction": "A [GR(GL(\"gpr\", {\"path_graph\"}), \"toolx:center\")-->r]."}"#,
    ];
    let predictions = scratch("toolformer-said.jsonl", said.join("\n"));
    let args = ["toolformer", "score", "--references", &references, "--predictions", &predictions];
    let all = lines(&printed(&graphground(&args)));
    assert_eq!((&all[1]["exact"], &all[1]["bleu"]), (&true.into(), &1.0.into()));
    assert_eq!((&all[0]["api_hit"], &all[0]["same_calls"]), (&false.into(), &false.into()));
    assert_eq!(all[0]["same_answers"], true, "another graph of five nodes");
    let more = ["--summary", "--dataset", "graph_properties", "--model", "mine"];
    let summary = printed(&graphground(&[&args[..], &more].concat()));
    let sums: Value = serde_json::from_str(&summary).unwrap();
    assert_eq!((&sums["n"], &sums["exact_match"]), (&2.into(), &50.0.into()));
    // Sums alone are no runs file, and `report` says how to make one.
    let file = scratch("toolformer-sums.jsonl", &summary);
    let refused = stderr(&graphground(&["report", &file]));
    assert!(refused.contains("`graphground toolformer score --out RUNS`"), "{refused}");
    // The same figures are in the report, beside the paper's.
    let folder = Folder::new();
    let runs = &folder.file("runs.jsonl");
    let more = ["--out", runs, "--dataset", "graph_properties", "--model", "mine"];
    assert_eq!(lines(&printed(&graphground(&[&args[..], &more].concat()))), all);
    let report = printed(&graphground(&["report", runs]));
    let row = |who: &str| {
        let table = report.split("(Table 4)").nth(1).unwrap().split("(Table 6)").next().unwrap();
        let of = |l: &&str| l.starts_with("gpr ") && l.contains(who);
        table.lines().find(of).unwrap_or_else(|| panic!("{report}")).to_owned()
    };
    for name in ["rouge_1", "rouge_2", "rouge_l", "rouge_lsum", "bleu", "brevity", "api_accuracy"] {
        let cell = format!("{:.2}%", sums[name].as_f64().unwrap());
        assert!(row("mine").contains(&cell), "{name} {cell}: {report}");
    }
    let cells: Vec<String> = row("mine").split_whitespace().map(str::to_owned).collect();
    let last = ["50.00%", "50.00%", "100.00%"].map(str::to_owned);
    assert_eq!(cells[cells.len() - 3..], last, "exact, same calls, same answers: {report}");
    // The public files call it graph_properties, the hub gpr: one name, and one row beside the other.
    assert!(row("the paper's").contains("94.56%"), "{report}");
    assert!(!report.contains("graph_properties"), "{report}");
    let kinds = report.split("by kind (Table 6)").nth(1).unwrap();
    let other = kinds.lines().find(|l| l.starts_with("gpr ")).unwrap();
    let shares: Vec<&str> = other.split_whitespace().filter(|w| w.ends_with('%')).collect();
    // One is right; the other asks the same of another graph.
    assert_eq!((shares[0], shares[4]), ("50.00%", "50.00%"), "{kinds}");
    assert_eq!(graphground(&["report", "--check", runs]).status.code(), Some(0));
    let again = stderr(&graphground(&[&args[..], &more].concat()));
    assert!(again.contains("is there already"), "{again}");
    let short = scratch("toolformer-short.jsonl", said[0]);
    let uneven = graphground(&[&args[..4], &["--predictions", &short]].concat());
    assert!(stderr(&uneven).contains("2 right texts and 1 predictions"));
}

#[test]
fn hubs_say_what_works_and_what_is_missing() {
    let all: Value =
        serde_json::from_str(&printed(&graphground(&["toolformer", "hubs", "--json"]))).unwrap();
    assert_eq!(all["datasets"].as_array().unwrap().len(), 20);
    let text = printed(&graphground(&["toolformer", "hubs"]));
    assert!(text.contains("\"toolx:shortest_path\", node#…, node#…"), "{text}");
    assert!(text.lines().any(|l| l.starts_with("  gpr ") && l.contains("works")));
}

#[test]
fn prompts_are_made_filtered_and_handed_out_by_templates() {
    let made = printed(&graphground(&["prompts", "make", "--n", "400", "--seed", "3"]));
    assert_eq!(made, printed(&graphground(&["prompts", "make", "--n", "400", "--seed", "3"])));
    assert_eq!(made.lines().count(), 400);
    let file =
        scratch("prompts.jsonl", format!("{made}{BROKEN}\n{}\n", ORDER.replace("\"5\"", "\"6\"")));
    let dropped = scratch("prompts-dropped.jsonl", "");
    let kept = graphground(&["prompts", "filter", &file, "--dropped", &dropped]);
    assert_eq!(printed(&kept), made, "what we make passes, as it was");
    assert!(stderr(&kept).contains("1 dropped: differs"), "{}", stderr(&kept));
    let reasons = lines(&std::fs::read_to_string(&dropped).unwrap());
    assert_eq!(reasons.len(), 2);
    assert_eq!(reasons[1]["reason"]["given"], "5");
    let pairs = scratch("prompts-good.jsonl", &made);
    let (train, test) = (scratch("prompts-train.jsonl", ""), scratch("prompts-test.jsonl", ""));
    printed(&graphground(&["prompts", "split", &pairs, "--train", &train, "--test", &test]));
    let templates = |path: &str| -> std::collections::BTreeSet<String> {
        lines(&std::fs::read_to_string(path).unwrap())
            .iter()
            .map(|l| l["template"].as_str().unwrap().to_owned())
            .collect()
    };
    let (seen, unseen) = (templates(&train), templates(&test));
    assert!(seen.is_disjoint(&unseen) && unseen.len() == 14 && seen.len() == 23, "{unseen:?}");
    let n = |path: &str| std::fs::read_to_string(path).unwrap().lines().count();
    assert_eq!(n(&train) + n(&test), 400);
    let none = graphground(&["prompts", "split", &file, "--train", &train, "--test", &test]);
    assert!(stderr(&none).contains("there is no \"template\""));
}
