//! Similarity by bytes beside a message, and SPARQL, as the page asks for them.

use engine::Attachments;
use kg::find::FindOptions;
use ml::MiniLm;
use ml::minilm::fixture;
use protocol::kg::{
    EmbedNames, FindNodes, KgSource, LoadGraph, MODEL, NOT_OPEN, QueryGraph, SetSimilarity,
    Similarity, SparqlReply, TABLE,
};
use text::Embed as _;

use crate::kg::metro;
use crate::page::*;

/// The files of the model that tests make.
fn model() -> Vec<(String, Vec<u8>)> {
    let bytes =
        [fixture::weights(), fixture::tokenizer(), fixture::config().to_string().into_bytes()];
    MODEL.iter().map(|n| (*n).to_owned()).zip(bytes).collect()
}

fn set(page: &mut Page, by: Similarity, files: Vec<(String, Vec<u8>)>) -> Result<String, String> {
    let set = page.try_with(SetSimilarity { by }, Attachments::new(files))?;
    assert!(set.threshold > 0.3 && set.threshold < 1.0, "{}", set.threshold);
    Ok(set.label)
}

fn found(page: &mut Page, hint: &str) -> Vec<(String, f32)> {
    let options =
        FindOptions { theta: Some(0.0), max_hits: 100, gap: 2.0, ..FindOptions::default() };
    let found = page.ask(FindNodes { hint: hint.into(), node_type: None, options });
    found.hits.into_iter().map(|h| (h.node, h.score)).collect()
}

#[test]
fn a_model_beside_a_message_finds_as_the_model_alone_does() {
    let mut page = Page::new();
    page.ask(metro());
    let by_trigrams = found(&mut page, "is mother");
    let label = set(&mut page, Similarity::Minilm, model()).unwrap();
    assert_eq!(label, "MiniLM");
    let by_model = found(&mut page, "is mother");
    assert_ne!(by_trigrams, by_model);
    let [weights, tokenizer, config] = model().try_into().unwrap();
    let alone = MiniLm::new(weights.1, &tokenizer.1, &config.1).unwrap();
    let hint = alone.embed("is mother");
    let (name, score) = &by_model[0];
    // A label is a name, with its id where two have that name.
    let vector = alone.embed(name);
    let cosine: f32 = vector.iter().zip(&hint).map(|(a, b)| a * b).sum();
    assert!((cosine - score).abs() < 1e-5, "{name}: {cosine} {score}");
    assert!(by_model.iter().all(|(_, s)| s <= score));
    // Trigrams again.
    set(&mut page, Similarity::Trigrams, Vec::new()).unwrap();
    assert_eq!(found(&mut page, "is mother"), by_trigrams);
}

#[test]
fn similarity_can_be_chosen_before_a_graph_is_open() {
    let mut page = Page::new();
    set(&mut page, Similarity::Minilm, model()).unwrap();
    assert_eq!(page.ask(metro()).similarity, "MiniLM");
    let table =
        std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/models/words.bin"));
    let label = set(&mut page, Similarity::Table, vec![(TABLE.into(), table.unwrap())]).unwrap();
    assert_ne!(label, "MiniLM");
}

#[test]
fn what_is_no_model_leaves_everything_as_it_was() {
    let mut page = Page::new();
    page.ask(metro());
    let before = found(&mut page, "the moon");
    let nothing = set(&mut page, Similarity::Minilm, Vec::new()).unwrap_err();
    assert!(nothing.contains("model.safetensors is not attached"), "{nothing}");
    let mut cut = model();
    cut[0].1.truncate(3_000);
    let cut = set(&mut page, Similarity::Minilm, cut).unwrap_err();
    assert!(cut.contains("the file ends after 3000 of") && cut.contains("cut off"), "{cut}");
    let table = set(&mut page, Similarity::Table, vec![(TABLE.into(), b"no".to_vec())]);
    assert!(table.is_err());
    assert_eq!(found(&mut page, "the moon"), before);
}

#[test]
fn names_are_read_with_progress_and_a_stop_keeps_what_was_read() {
    let mut page = Page::new();
    set(&mut page, Similarity::Minilm, model()).unwrap();
    page.ask(metro());
    let of = |events: &[Event]| -> Vec<(usize, usize)> {
        let progress = |e: &Event| match e {
            Event::Progress { done, total } => Some((*done, *total)),
            _ => None,
        };
        events.iter().filter_map(progress).collect()
    };
    let stopped = page.play_and_stop(EmbedNames {}, Attachments::default(), 2);
    assert!(matches!(stopped.last(), Some(Event::Cancelled)), "{stopped:?}");
    let (done, total) = of(&stopped)[of(&stopped).len() - 1];
    assert!(done < total && total > 80, "{done} of {total}");
    let rest = page.play(EmbedNames {});
    assert_eq!(of(&rest).last(), Some(&(total - done, total - done)));
    // What is known is not read again.
    assert_eq!(page.play(EmbedNames {}).len(), 1);
}

fn query(text: &str) -> QueryGraph {
    QueryGraph { query: text.into(), max_rows: 5 }
}

#[test]
fn the_open_graph_is_asked_in_sparql() {
    let mut page = Page::new();
    let lines = "SELECT (COUNT(?l) AS ?n) WHERE { ?l a type:Line }";
    assert_eq!(page.refused(query(lines)), NOT_OPEN);
    let count = |reply: SparqlReply| match reply {
        SparqlReply::Answer { table, made_ms, .. } => {
            (table.rows[0][0].as_ref().unwrap().text().to_owned(), made_ms > 0.0)
        }
        other => panic!("{other:?}"),
    };
    page.ask(metro());
    assert_eq!(count(page.ask(query(lines))), ("8".into(), true));
    // Triples are made once, and of the graph that is open.
    assert_eq!(count(page.ask(query(lines))), ("8".into(), false));
    let source = KgSource::Metro { n_lines: 3, seed: 1 };
    page.ask(LoadGraph { source });
    assert_eq!(count(page.ask(query(lines))), ("3".into(), true));
    match page.ask(query("SELECT ?a ?b WHERE { ?a ?e ?b }")) {
        SparqlReply::Answer { table, .. } => assert!(table.rows.len() == 5 && table.is_cut),
        other => panic!("{other:?}"),
    }
    match page.ask(query("SELECT ?a\nWHERE { ?a edge:near }")) {
        SparqlReply::Fault { message, place: Some((2, 22)) } => {
            assert!(message.starts_with("line 2, column 22: found \"}\""), "{message}");
        }
        other => panic!("{other:?}"),
    }
    // A fault loses nothing.
    assert_eq!(count(page.ask(query(lines))), ("3".into(), false));
}
