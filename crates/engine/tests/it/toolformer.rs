//! Inline tool calls through the engine.

use agent::Limits;
use engine::Attachments;
use protocol::toolformer::{
    ClearMemory, HubView, MakeExamples, OpenData, OpenModel, OpenedData, PieceView, ReadStatement,
    RunStatement, RunView, ShowHub, WEIGHTS, Writer,
};
use systems::toolformer::Mode;

use crate::page::*;

fn statement(text: &str, mode: Mode) -> RunStatement {
    let (input, writer) = (text.to_owned(), Writer::Person);
    RunStatement { input, writer, mode, limits: Limits::default() }
}

fn run(page: &mut Page, text: &str) -> RunView {
    page.try_ask(statement(text, Mode::Ours)).unwrap()
}

fn open(page: &mut Page, name: &str, text: &str) -> Result<OpenedData, String> {
    page.try_with(OpenData { own: None }, files(&[(name, text.to_owned())]))
}

fn hub(page: &mut Page) -> HubView {
    page.ask(ShowHub {}).hub
}

#[test]
fn a_statement_is_read_without_running_its_calls() {
    let mut page = Page::new();
    let text = "It has [GR(GL(\"gpr\", {\"bull_graph\"}), \"toolx:order\")-->r] nodes, or \
                [GR(GL(\"gpr\", {\"bull_graph\"), \"toolx:order\")-->r].";
    let pieces = page.ask(ReadStatement { text: text.into() });
    let written: String = pieces
        .iter()
        .map(|p| match p {
            PieceView::Text(words) => words.as_str(),
            PieceView::Call(call) => call.source.as_str(),
        })
        .collect();
    assert_eq!(written, text, "nothing of it is lost");
    let calls: Vec<_> = pieces
        .iter()
        .filter_map(|p| match p {
            PieceView::Call(call) => Some(call),
            PieceView::Text(_) => None,
        })
        .collect();
    assert!(calls[0].bracket.is_some() && calls[0].error.is_none());
    assert!(calls[1].bracket.is_none() && calls[1].error.is_some());
    assert!(calls.iter().all(|c| c.steps.is_empty() && c.result.is_empty()), "none has run");
    assert!(page.ask(ShowHub {}).memory.is_empty(), "nothing was loaded");
    let error = page.refused(ReadStatement { text: "x".repeat(100_001) });
    assert!(error.contains("at most 100000"), "{error}");
}

#[test]
fn every_statement_of_the_gallery_without_training_gives_what_is_true() {
    let mut page = Page::new();
    let families = page.ask(MakeExamples { seed: 3 });
    assert_eq!(families.len(), 6);
    let properties = families.iter().find(|f| f.task == "attribute_calculation").unwrap();
    assert_eq!(properties.examples.len(), 12, "{properties:?}");
    for example in &properties.examples {
        let view = run(&mut page, &example.statement);
        let results: Vec<String> = view
            .pieces
            .iter()
            .filter_map(|p| match p {
                PieceView::Call(call) if !call.result.is_empty() => Some(call.result.clone()),
                _ => None,
            })
            .collect();
        assert_eq!(Some(results.join(" <||> ")), example.truth, "{}", example.statement);
        assert!(!view.text.contains("GR("), "{}", view.text);
        assert!(!view.places.is_empty(), "nothing is drawn for {}", example.statement);
    }
    for family in &families {
        assert!(!family.examples.is_empty(), "nothing to try for {}", family.title);
    }
}

#[test]
fn steps_come_one_by_one_and_the_memory_is_told_at_each() {
    let mut page = Page::new();
    let text = r#"A [GR(GL("gpr", {"bull_graph"}), "toolx:order")-->r] and again
        [GR(GL("gpr", {"bull_graph"}), "toolx:order")-->r]."#;
    let mut events = page.play(statement(text, Mode::Ours));
    let n = events.iter().filter(|e| matches!(e, Event::Step { .. })).count();
    let run = done::<RunStatement>(events.pop().unwrap());
    assert_eq!(n, run.trace.steps.len());
    let sizes: Vec<usize> = run.memory.iter().map(|(_, m)| m.len()).collect();
    assert_eq!(sizes, [0, 2, 2]);
    assert_eq!(run.memory[2].1[1].n_hits, 1, "the second is found again");
    // What is remembered is forgotten when it is asked for.
    assert!(page.ask(ClearMemory {}).memory.is_empty());
}

#[test]
fn packs_and_knowledge_graphs_are_taken_and_others_refused() {
    let mut page = Page::new();
    // What cannot be read of a file is told beside what could.
    let half = "{\"src\":\"a\",\"dst\":\"b\",\"type\":\"likes\"}\n{]\n";
    let OpenedData { words, .. } = open(&mut page, "half.jsonl", half).unwrap();
    assert!(words.contains("1 line could not be read"), "{words}");
    let n_before = hub(&mut page).datasets.len();
    let triples = "{\"id\":\"a\",\"type\":\"T\",\"name\":\"a\"}\n{\"id\":\"b\",\"type\":\"T\",\"name\":\"b\"}\n\
                   {\"src\":\"a\",\"dst\":\"b\",\"type\":\"likes\"}\n";
    let OpenedData { words, hub } = open(&mut page, "Mine.jsonl", triples).unwrap();
    assert!(words.contains("mine is here: 2 nodes and 1 links"), "{words}");
    assert_eq!(hub.datasets.len(), n_before + 1);
    for (name, text) in [
        ("x.jsonl", "{\"format\":\"graphground-data\",\"version\":1}"),
        ("x.png", "\u{1}PNG\n"),
        ("x.jsonl", "{]\n"),
    ] {
        let message = open(&mut page, name, text).unwrap_err();
        assert!(message.starts_with(name), "{message}");
    }
    assert_eq!(
        self::hub(&mut page).datasets.len(),
        n_before + 1,
        "what was refused changed nothing"
    );
    let loaded = run(&mut page, r#"[GL("mine")-->G] is here."#);
    assert!(loaded.trace.steps.len() > 1);
}

#[test]
fn weights_that_are_none_are_refused_and_leave_what_there_is() {
    let mut page = Page::new();
    let before = hub(&mut page);
    let bytes = Attachments::new(vec![(WEIGHTS.to_owned(), vec![7; 40])]);
    assert!(page.try_with(OpenModel {}, bytes).is_err());
    assert_eq!(hub(&mut page), before);
}
