//! Likeness by bytes beside a message, and SPARQL, as the page asks for them.

use engine::likeness::{MODEL, TABLE};
use engine::message::{KgAsk, KgReply, Likeness, SparqlReply};
use engine::{Attachments, Event, Output};
use kg::find::FindOptions;
use ml::MiniLm;
use ml::minilm::fixture;
use text::Embed as _;

use crate::kg::{open_metro, play, reply};
use crate::page::*;

/// The files of the model that tests make.
fn model() -> Vec<(String, Vec<u8>)> {
    let bytes =
        [fixture::weights(), fixture::tokenizer(), fixture::config().to_string().into_bytes()];
    MODEL.iter().map(|n| (*n).to_owned()).zip(bytes).collect()
}

fn liken(page: &mut Page, by: Likeness, files: Vec<(String, Vec<u8>)>) -> Result<KgReply, String> {
    let request = KgAsk::Likeness { by }.request().unwrap();
    reply(&mut page.play_with(request, Attachments::new(files)))
}

fn found(page: &mut Page, hint: &str) -> Vec<(String, f32)> {
    let options = FindOptions { theta: 0.0, max_hits: 100, gap: 2.0 };
    match play(page, KgAsk::Find { hint: hint.into(), node_type: None, options }).unwrap() {
        KgReply::Found { hits, .. } => hits.into_iter().map(|h| (h.node, h.score)).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_model_beside_a_message_finds_as_the_model_alone_does() {
    let mut page = Page::new();
    play(&mut page, open_metro()).unwrap();
    let by_trigrams = found(&mut page, "is mother");
    let likened = liken(&mut page, Likeness::Minilm, model()).unwrap();
    assert_eq!(likened, KgReply::Likened { label: "MiniLM".into() });
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
    liken(&mut page, Likeness::Trigrams, Vec::new()).unwrap();
    assert_eq!(found(&mut page, "is mother"), by_trigrams);
}

#[test]
fn likeness_can_be_chosen_before_a_graph_is_open() {
    let mut page = Page::new();
    liken(&mut page, Likeness::Minilm, model()).unwrap();
    match play(&mut page, open_metro()).unwrap() {
        KgReply::Opened { view } => assert_eq!(view.likeness, "MiniLM"),
        other => panic!("{other:?}"),
    }
    let table =
        std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/models/words.bin"));
    let likened = liken(&mut page, Likeness::Table, vec![(TABLE.into(), table.unwrap())]).unwrap();
    assert!(matches!(likened, KgReply::Likened { label } if label != "MiniLM"));
}

#[test]
fn what_is_no_model_leaves_everything_as_it_was() {
    let mut page = Page::new();
    play(&mut page, open_metro()).unwrap();
    let before = found(&mut page, "the moon");
    let nothing = liken(&mut page, Likeness::Minilm, Vec::new()).unwrap_err();
    assert!(nothing.contains("model.safetensors is not attached"), "{nothing}");
    let mut cut = model();
    cut[0].1.truncate(3_000);
    let cut = liken(&mut page, Likeness::Minilm, cut).unwrap_err();
    assert!(cut.contains("the file ends after 3000 of") && cut.contains("cut off"), "{cut}");
    let table = liken(&mut page, Likeness::Table, vec![(TABLE.into(), b"no".to_vec())]);
    assert!(table.is_err());
    assert_eq!(found(&mut page, "the moon"), before);
}

#[test]
fn names_are_read_with_progress_and_a_stop_keeps_what_was_read() {
    let mut page = Page::new();
    liken(&mut page, Likeness::Minilm, model()).unwrap();
    play(&mut page, open_metro()).unwrap();
    let learn = || KgAsk::Learn.request().unwrap();
    let of = |events: &[Event]| -> Vec<(usize, usize)> {
        let progress = |e: &Event| match e {
            Event::Progress { done, total } => Some((*done, *total)),
            _ => None,
        };
        events.iter().filter_map(progress).collect()
    };
    let stopped = page.play_and_stop(learn(), 2);
    let Some(Event::Done { output }) = stopped.last() else { panic!("{stopped:?}") };
    assert!(matches!(**output, Output::Cancelled));
    let (done, total) = of(&stopped)[of(&stopped).len() - 1];
    assert!(done < total && total > 80, "{done} of {total}");
    let rest = page.play(learn());
    assert_eq!(of(&rest).last(), Some(&(total - done, total - done)));
    // What is known is not read again.
    assert_eq!(page.play(learn()).len(), 1);
}

fn asked(page: &mut Page, query: &str) -> SparqlReply {
    match play(page, KgAsk::Sparql { query: query.into(), max_rows: 5 }).unwrap() {
        KgReply::Sparql(reply) => reply,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_open_graph_is_asked_in_sparql() {
    let mut page = Page::new();
    let query = "SELECT (COUNT(?l) AS ?n) WHERE { ?l a type:Line }";
    let none = play(&mut page, KgAsk::Sparql { query: query.into(), max_rows: 5 });
    assert_eq!(none, Err(engine::kg::NOT_OPEN.to_owned()));
    let count = |reply: SparqlReply| match reply {
        SparqlReply::Answer { table, made_ms, .. } => {
            (table.rows[0][0].as_ref().unwrap().text().to_owned(), made_ms > 0.0)
        }
        other => panic!("{other:?}"),
    };
    play(&mut page, open_metro()).unwrap();
    assert_eq!(count(asked(&mut page, query)), ("8".into(), true));
    // Triples are made once, and of the graph that is open.
    assert_eq!(count(asked(&mut page, query)), ("8".into(), false));
    let source = engine::message::KgSource::Metro { n_lines: 3, seed: 1 };
    play(&mut page, KgAsk::Open { source }).unwrap();
    assert_eq!(count(asked(&mut page, query)), ("3".into(), true));
    match asked(&mut page, "SELECT ?a ?b WHERE { ?a ?e ?b }") {
        SparqlReply::Answer { table, .. } => assert!(table.rows.len() == 5 && table.is_cut),
        other => panic!("{other:?}"),
    }
    match asked(&mut page, "SELECT ?a\nWHERE { ?a edge:near }") {
        SparqlReply::Fault { message, place: Some((2, 22)) } => {
            assert!(message.starts_with("line 2, column 22: found \"}\""), "{message}");
        }
        other => panic!("{other:?}"),
    }
    // A fault loses nothing.
    assert_eq!(count(asked(&mut page, query)), ("3".into(), false));
}
