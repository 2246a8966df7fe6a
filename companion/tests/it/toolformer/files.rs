//! Files that calls load by their path.

use test_support::Folder;

use crate::program::{graphground, lines, printed, scratch, stderr};

#[test]
fn a_call_reads_the_folder_that_is_open_and_nothing_else() {
    let outer = Folder::new()
        .with("open/graphs/roads.txt", "a b\nb c\n")
        .with("open/people.tsv", "Ann\tknows\tBob\nBob\tlikes\tCid\n")
        .with("open/broken.json", "{\"nodes\": 3}")
        .with("secret.txt", "x y\n");
    let open = outer.join("open");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(outer.join("secret.txt"), open.join("link.txt")).unwrap();
        std::os::unix::fs::symlink(&outer, open.join("up")).unwrap();
    }
    let text = [
        "[GR(GL(\"graphs/roads.txt\"), \"toolx:center\")-->r]",
        "[GL(\"people.tsv\", {\"Ann\", \"Bob\"})-->r]",
        "[GL(\"../secret.txt\")]",
        "[GL(\"link.txt\")] [GL(\"up/secret.txt\")]",
        "[GL(\"https://a.example/g.csv\")]",
        "[GL(\"graphs/none.txt\")]",
        "[GL(\"broken.json\")]",
        "[GL(\"graphs/roads.txt/\")] [GL(\"./graphs\")]",
    ];
    let said = text.map(|t| serde_json::json!({ "input": "-", "output": t }).to_string());
    let file = scratch("called-files.jsonl", said.join("\n"));
    let place = open.to_str().unwrap();
    let ran =
        lines(&printed(&graphground(&["toolformer", "run", &file, "--json", "--files", place])));
    assert_eq!(ran[0]["text"], "['b']");
    assert_eq!(ran[1]["text"], "people: a knowledge graph, 2 nodes and 1 link");
    let why = |line: usize, call: usize| ran[line]["errors"][call]["message"].as_str().unwrap();
    assert!(why(2, 0).contains("a step of the path begins with a dot"), "{}", why(2, 0));
    #[cfg(unix)]
    for call in [0, 1] {
        assert!(why(3, call).contains("leads out of the folder"), "{}", why(3, call));
    }
    assert_eq!(ran[4]["errors"][0]["kind"], "address");
    assert!(why(5, 0).contains("no such file; it has broken.json, graphs/roads.txt"));
    assert!(why(6, 0).contains("broken.json"), "{}", why(6, 0));
    assert!(why(7, 0).contains("is empty") && why(7, 1).contains("is no file"), "{}", why(7, 1));
    // Nobody learns where the folder lies.
    assert!(!serde_json::to_string(&ran).unwrap().contains(place));

    let closed = lines(&printed(&graphground(&["toolformer", "run", &file, "--json"])));
    for line in &closed[..2] {
        let why = line["errors"][0]["message"].as_str().unwrap();
        assert!(why.contains("--files FOLDER opens one"), "{why}");
    }
    let none =
        graphground(&["toolformer", "run", &file, "--files", &format!("{place}/people.tsv")]);
    assert!(stderr(&none).contains("is no folder"), "{}", stderr(&none));
}

#[test]
fn a_file_that_a_call_names_is_bounded() {
    let open = Folder::new().with("small.txt", "a b\n");
    // A hole in a file costs no room on the disk.
    let large = std::fs::File::create(open.join("large.txt")).unwrap();
    large.set_len(50_000_001).unwrap();
    let text = "Input: - Output: [GL(\"large.txt\")] [GL(\"small.txt\")-->r]";
    let file = scratch("called-large.txt", text);
    let place = open.to_str().unwrap();
    let ran =
        lines(&printed(&graphground(&["toolformer", "run", &file, "--json", "--files", place])));
    let why = ran[0]["errors"][0]["message"].as_str().unwrap();
    assert!(why.contains("more than 50000000 bytes") && !why.contains(place), "{why}");
    assert_eq!(ran[0]["results"][1], "small: one network, 2 nodes and 1 link");
}

#[test]
fn the_gain_of_loading_ahead_is_measured() {
    let args = ["toolformer", "preload", "--links", "50,20000", "--tokens-per-second", "60"];
    let rows = lines(&printed(&graphground(&[&args[..], &["--runs", "1", "--json"]].concat())));
    assert_eq!(
        rows.iter().map(|r| r["n_links"].as_u64()).collect::<Vec<_>>(),
        [Some(50), Some(20_000)]
    );
    // How long each takes is a figure of the documents: a machine that is busy says nothing here.
    for row in &rows {
        for name in ["bytes", "load_ms", "rest_ms", "after_ms", "ahead_ms"] {
            assert!(row[name].as_f64().is_some_and(|n| n > 0.0), "{name}: {row}");
        }
    }
    assert!(rows[0]["bytes"].as_u64() < rows[1]["bytes"].as_u64());
    let wrong = graphground(&["toolformer", "preload", "--links", "0"]);
    assert!(stderr(&wrong).contains("expected from 1 to 5000000"), "{}", stderr(&wrong));
}

#[test]
fn a_pack_that_is_written_is_asked() {
    let folder = Folder::new();
    let pack = &folder.file("village.json");
    printed(&graphground(&["data", "pack", "village", "--out", pack]));
    // Under a name that nothing at hand has.
    let text = std::fs::read_to_string(pack).unwrap();
    std::fs::write(pack, text.replacen("\"village\"", "\"hamlet\"", 1)).unwrap();
    let said = "{\"output\": \"[GR(GL(\\\"hamlet\\\"), \\\"toolx:order\\\")-->r] people.\"}";
    let file = scratch("called-pack.jsonl", said);
    let ran = printed(&graphground(&["toolformer", "run", &file, "--data", pack]));
    assert_eq!(ran, "120 people.\n");
}
