//! Knowledge graphs from files and into files, and similarity measures, as a person calls them.

use serde_json::Value;

use crate::program::{graphground, scratch, stderr, stdout};

#[test]
fn a_graph_goes_through_every_format_and_what_cannot_be_read_is_told() {
    let file =
        scratch("graph.tsv", "Gene::1\tGiG\tGene::2\nGene::1\tbroken\nDrug::a\tbinds\tGene::1\n");
    let mut from = file.clone();
    for (name, format) in [
        ("graph.jsonl.gz", None),
        ("graph.ttl", None),
        ("graph.graphml", None),
        ("graph.nt", None),
        ("graph.json", Some("grbench")),
        ("graph.csv", None),
    ] {
        let out = scratch(name, "");
        let mut args = vec!["kg", "convert", &from, "--out", &out];
        args.extend(format.iter().flat_map(|f| ["--to", *f]));
        let made = graphground(&args);
        assert!(made.status.success(), "{name}: {}", stderr(&made));
        let said = stdout(&made);
        let n_faults = usize::from(from == file);
        assert!(
            said.starts_with(&format!("3 nodes, 2 edges, {n_faults} faults")),
            "{name}: {said}"
        );
        if n_faults == 1 {
            assert!(stderr(&made).contains("graph.tsv: line 2, column 9: this line has "));
        }
        from = out;
    }
    let strict = graphground(&["kg", "convert", &file, "--strict"]);
    assert_eq!(strict.status.code(), Some(1));
    assert!(stderr(&strict).contains("1 places could not be read"));
    let unknown = graphground(&["kg", "convert", &file, "--from", "rdf"]);
    assert!(stderr(&unknown).contains("there is no format \"rdf\"; there are jsonl, tsv"));
}

#[test]
fn the_graph_of_wordnet_opens_and_a_word_is_found_by_what_it_means() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/kgs/wordnet/graph.jsonl.gz");
    let found =
        graphground(&["kg", "query", "--kg", file, "--find", "physicians", "--likeness", "table"]);
    assert!(found.status.success(), "{}", stderr(&found));
    assert!(stdout(&found).contains("doctor"), "{}", stdout(&found));
}

#[test]
fn the_questions_beside_wordnet_are_answered_by_their_plans() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/kgs/wordnet");
    let (graph, questions) =
        (format!("{folder}/graph.jsonl.gz"), format!("{folder}/questions.jsonl"));
    let found = graphground(&["kg", "run", "--kg", &graph, "--plans", &questions, "--json"]);
    assert!(found.status.success(), "{}", stderr(&found));
    let lines = |text: &str| -> Vec<Value> {
        text.lines().map(|l| serde_json::from_str(l).unwrap()).collect()
    };
    let (asked, found) =
        (lines(&std::fs::read_to_string(questions).unwrap()), lines(&stdout(&found)));
    assert_eq!((asked.len(), found.len()), (3, 3));
    for (asked, found) in asked.iter().zip(&found) {
        assert_eq!((&asked["id"], &asked["answers"]), (&found["id"], &found["answers"]));
    }
}

#[test]
fn a_question_in_sparql_is_answered_and_a_slip_in_it_is_told_with_its_place() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/kgs/wordnet/graph.jsonl.gz");
    let ask = |query: &str| graphground(&["kg", "sparql", "--kg", file, "--query", query]);
    let kinds =
        ask("SELECT ?wider { <urn:kg:node:dog.n.01> edge:kind_of+ ?wider . ?wider a type:Animal }");
    assert!(kinds.status.success(), "{}", stderr(&kinds));
    let kinds = stdout(&kinds);
    assert!(
        kinds.contains("canine") && kinds.contains("mammal") && !kinds.contains("entity"),
        "{kinds}"
    );
    let slip = stderr(&ask("SELECT ?x { ?x edge:kind_of }"));
    assert!(slip.contains("line 1, column "), "{slip}");
}
