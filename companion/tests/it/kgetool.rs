//! `graphground kgetool` as a person calls it, on a benchmark that it makes itself.

use std::process::Output;

use serde_json::Value;

use crate::program::{complaint, graphground, lines, printed, scratch};

fn kgetool(args: &[&str]) -> Output {
    graphground(&[&["kgetool"], args].concat())
}

fn made(name: &str) -> String {
    let text = printed(&kgetool(&["generate", "--seed", "5", "--small"]));
    scratch(name, text)
}

#[test]
fn golden_paths_are_measured_and_made_up_ones_are_covered() {
    let file = made("kgetool-oracle.jsonl");
    let sums = |oracle: &str, method: &str| -> Value {
        let args =
            ["extract", "--benchmark", &file, "--oracle", oracle, "--method", method, "--summary"];
        serde_json::from_str(&printed(&kgetool(&args))).unwrap()
    };
    for method in ["exact", "gs", "rr"] {
        let golden = sums("golden", method);
        assert_eq!(golden["scores"]["paper"]["exact_match"], 100.0, "{golden}");
        assert_eq!(golden["golden_links"], golden["golden_links_found"]);
    }
    assert_eq!(sums("last-fake", "gs")["scores"]["compat"]["coverage"], 100.0);
    assert!(sums("last-fake", "exact")["golden_links_found"].as_u64() < Some(60));
}

#[test]
fn what_models_wrote_is_searched_line_by_line() {
    let file = made("kgetool-outputs.jsonl");
    let text = std::fs::read_to_string(&file).unwrap();
    let samples: Vec<Value> = lines(&text).into_iter().filter(|l| l["kind"] == "sample").collect();
    let first = samples.iter().find(|s| s["depth"] == 1).unwrap();
    let search = &first["gold_searches"][0];
    let (start, relation) =
        (search["start"].as_str().unwrap(), search["path"][0].as_str().unwrap());
    let said = format!("I search KG.search(Start={start}, Path=[{relation}]) and KG.search(x)");
    let line = serde_json::json!({ "id": first["id"], "output": said }).to_string();
    let outputs = &scratch("kgetool-said.jsonl", &line);
    let args = ["extract", "--benchmark", &file, "--outputs", outputs, "--method", "exact"];
    let all = lines(&printed(&kgetool(&args)));
    assert_eq!(all.len(), samples.len());
    let of = all.iter().find(|l| l["id"] == first["id"]).unwrap();
    assert_eq!(of["links"], first["gold_links"]);
    assert_eq!(of["found"][0]["hops"][0]["fate"]["fate"], "matched");
    assert!(of["unread"][0].as_str().unwrap().contains("no path in square brackets"));
    assert_eq!(of["scores"]["paper"]["exact_match"], 1.0);
}

#[test]
fn scripts_run_and_their_results_add_up() {
    let file = made("kgetool-run.jsonl");
    let results = &scratch("kgetool-results.jsonl", "");
    std::fs::remove_file(results).unwrap();
    let run = ["bench", "--experiment", "family", "--system", "exact", "--problems", &file];
    let run = [&run[..], &["--out", results]].concat();
    printed(&graphground(&run));
    let runs = || {
        let all = lines(&std::fs::read_to_string(results).unwrap());
        all.into_iter().filter(|l| l["type"] == "run").collect::<Vec<Value>>()
    };
    let right = runs();
    assert!(right.len() == 40 && right.iter().all(|l| l["score"]["measures"]["em"] == 1.0));
    // The same again makes no run; another script is another setup of the same file.
    printed(&graphground(&run));
    assert_eq!(runs().len(), 40);
    let more = ["--role", "searcher=mistaken-relation"];
    printed(&graphground(&[&run[..], &more].concat()));
    assert_eq!(runs().len(), 80);
    let tables = printed(&graphground(&["report", results]));
    // Nothing of the paper stands beside scripts.
    assert!(tables.contains("Table 3") && !tables.contains("DeepSeek-V3"), "{tables}");
    assert!(tables.contains("They test the harness, not a method"), "{tables}");
    assert!(tables.contains("mistaken-relation"), "{tables}");

    // The same calls, measured by themselves.
    let calls: Vec<String> = right
        .iter()
        .map(|l| {
            let made = &l["outcome"]["calls"];
            serde_json::json!({ "id": l["key"]["case"], "calls": made }).to_string()
        })
        .collect();
    let calls = scratch("kgetool-calls.jsonl", calls.join("\n"));
    let args = ["score", "--benchmark", &file, "--calls", &calls, "--summary"];
    let sums: Value = serde_json::from_str(&printed(&kgetool(&args))).unwrap();
    assert_eq!(sums["paper"]["exact_match"], 100.0);
}

#[test]
fn the_same_seed_makes_the_same_file() {
    let make = |seed| printed(&kgetool(&["generate", "--seed", seed]));
    let text = make("8");
    assert!(text == make("8") && text != make("9"));
    assert_eq!(text.lines().count(), 4 + 102 + 770);
}

#[test]
fn bad_input_says_where_and_what_would_be_right() {
    let half = &scratch("kgetool-half.jsonl", "{\"kind\":\"family\",\"id\":\"h\",\"li");
    let told = complaint(&kgetool(&["extract", "--benchmark", half, "--oracle", "golden"]));
    assert!(told.contains("kgetool-half.jsonl") && told.contains("line 1"), "{told}");
    let told = complaint(&kgetool(&["extract", "--oracle", "golden"]));
    assert!(told.contains("--benchmark, or --samples"), "{told}");
    let file = made("kgetool-bad.jsonl");
    let told = complaint(&kgetool(&["extract", "--benchmark", &file]));
    assert!(told.contains("--outputs with what models wrote, or --oracle"), "{told}");
    let bench = ["bench", "--experiment", "family", "--problems", &file];
    let told = complaint(&graphground(&[&bench[..], &["--role", "caller=clever"]].concat()));
    assert!(told.contains("there is no script \"clever\"; there are script"), "{told}");
    let told =
        complaint(&kgetool(&["extract", "--benchmark", &file, "--oracle", "golden", "-k", "99"]));
    assert!(told.contains("expected 1 to 10"), "{told}");
    let told = complaint(&kgetool(&["generate", "--relatives", "3"]));
    assert!(told.contains("the number of relatives is 3; it must be from 8 to 20"), "{told}");
    let twice = scratch("kgetool-twice.jsonl", "{\"id\":\"a\",\"calls\":[]}\n{\"id\":\"a\"}\n");
    let args = ["score", "--benchmark", &file, "--calls", &twice];
    assert!(complaint(&kgetool(&args)).contains("the id \"a\" comes twice"));
}

#[test]
fn a_benchmark_is_counted_as_the_papers_tables_are() {
    let file = made("kgetool-stats.jsonl");
    let json: Value =
        serde_json::from_str(&printed(&kgetool(&["stats", "--benchmark", &file, "--json"])))
            .unwrap();
    assert_eq!(json["paper"]["by_links"], serde_json::json!({ "1": 107, "2": 362, "3": 14 }));
    let samples = json["n_samples"].as_u64().unwrap();
    assert_eq!(samples, 40);
    let sum = |field: &str| -> u64 {
        json[field].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum()
    };
    assert_eq!((sum("by_links"), sum("by_depth"), sum("by_searches")), (samples, samples, samples));
    let text = printed(&kgetool(&["stats", "--benchmark", &file]));
    for words in ["all together", "golden links, as the paper counts", "the paper's", "new people"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    let nothing = kgetool(&["stats"]);
    assert!(complaint(&nothing).contains("--samples with --triples and --tools"));
}

#[test]
fn the_benchmark_of_others_is_counted_in_the_form_of_its_authors() {
    let Some(folder) = test_data::folder("familytool") else { return };
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (samples, triples, tools) =
        (path("b.samples.jsonl"), path("b.triples.tsv"), path("b.tools.jsonl"));
    // Their form is lists of messages, made here of the same samples.
    let known: Vec<Value> = lines(&std::fs::read_to_string(&tools).unwrap());
    let published: Vec<String> = lines(&std::fs::read_to_string(&samples).unwrap())
        .iter()
        .map(|s| {
            let link = |l: &Value| {
                let parts: Vec<&str> =
                    l.as_array().unwrap().iter().map(|x| x.as_str().unwrap()).collect();
                format!("[{}]", parts.join(", "))
            };
            let links: Vec<String> = s["gold_links"].as_array().unwrap().iter().map(link).collect();
            let candidates: Vec<&Value> = known
                .iter()
                .filter(|t| s["candidates"].as_array().unwrap().contains(&t["name"]))
                .collect();
            let said = format!(
                "<speak>Speaker: {}</speak> {}  The extra information for the query is ({}).",
                s["speaker"].as_str().unwrap_or_default(),
                s["query"].as_str().unwrap(),
                links.join(", ")
            );
            serde_json::json!([
                { "role": "id", "content": s["id"] },
                { "role": "candidate_tools", "content": candidates },
                { "role": "user", "content": said },
                { "role": "tool_call", "content": [s["gold_call"]] },
            ])
            .to_string()
        })
        .collect();
    let messages = scratch("kgetool-published.jsonl", published.join("\n"));
    for file in [samples.as_str(), &messages] {
        let mut args = vec!["stats", "--samples", file, "--triples", &triples, "--json"];
        if file == samples {
            args.extend(["--tools", &tools]);
        }
        let json: Value = serde_json::from_str(&printed(&kgetool(&args))).unwrap();
        let counts = serde_json::json!({ "1": 106, "2": 361, "3": 13, "4": 3 });
        assert_eq!((&json["by_links"], &json["n_samples"]), (&counts, &483.into()), "{file}");
        assert_eq!(
            (&json["n_called_tools"], &json["n_tools"]),
            (&102.into(), &114.into()),
            "{file}"
        );
        let (depth, searches) = (
            serde_json::json!({ "1": 131, "2": 352 }),
            serde_json::json!({ "1": 443, "2": 39, "3": 1 }),
        );
        assert_eq!((&json["by_depth"], &json["by_searches"]), (&depth, &searches), "{file}");
        let graph = &json["graphs"][0];
        assert_eq!((&graph["n_links"], &graph["n_nodes"]), (&154.into(), &147.into()));
    }
}
