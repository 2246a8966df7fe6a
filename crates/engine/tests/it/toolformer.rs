//! Inline tool calls through the engine.

use engine::Attachments;
use protocol::Control;
use protocol::page::SupplyData;
use protocol::runs::{RunEvent, StartRun};
use protocol::toolformer::{
    ClearMemory, HubView, MakeExamples, OpenData, OpenModel, OpenedData, PieceView, ReadStatement,
    RunView, ShowHub, ShowPrompts, StatementRun, WEIGHTS,
};
use serde_json::json;
use systems::toolformer::Mode;
use systems::toolformer::experiment::case;
use systems::toolformer::prompts::Pair;

use crate::page::*;

pub(crate) fn statement(text: &str, mode: Mode) -> StartRun<StatementRun> {
    let mut ask = written(text);
    ask.options = json!({ "mode": mode });
    ask.by_hand.is_statement = true;
    ask
}

/// A statement that a model is to write.
fn written(input: &str) -> StartRun<StatementRun> {
    let pair = Pair { input: input.to_owned(), ..Pair::default() };
    StartRun::new("toolformer", case("own".into(), &pair).unwrap())
}

/// What is shown of a run that ended.
fn view_of(posted: Vec<Event>) -> RunView {
    let told = told::<StartRun<StatementRun>>(&posted).pop();
    let Some(RunEvent::Own(view)) = told else { panic!("{told:?}") };
    RunView { trace: ended::<StatementRun>(posted).run.trace, ..view }
}

fn run(page: &mut Page, text: &str) -> RunView {
    view_of(page.play(statement(text, Mode::Ours)))
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
    let events = page.play(statement(text, Mode::Ours));
    let n = events.iter().filter(|e| matches!(e, Event::Step { .. })).count();
    let run = view_of(events);
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

/// The number of a wish, the data set and the model.
type Wish = (u32, String, Option<String>);

/// What a job wants of the page, and what else came of it.
fn wishes(events: Vec<Event>) -> (Vec<Wish>, Vec<Event>) {
    let wish = |event: &Event| {
        question(event).map(|(ask, SupplyData { dataset, model })| (ask, dataset, model))
    };
    let wanted = events.iter().filter_map(wish).collect();
    (wanted, events.into_iter().filter(|e| wish(e).is_none()).collect())
}

#[test]
fn calls_wait_for_the_models_that_the_page_brings() {
    let mut page = Page::new();
    page.has_more = true;
    let call = r#"[GR(GL("papers"), "graph_bert:topic", paper#3)-->r]"#;
    let other = r#"[GR(GL("films"), "bpr:recommendation", user#u1, item#i2)-->r]"#;
    let ask = statement(&format!("It is {call}, {call} and {other}."), Mode::Ours);
    let (wanted, others) = wishes(page.play(ask.clone()));
    let named = |dataset: &str, model: &str| (dataset.to_owned(), Some(model.to_owned()));
    let told: Vec<_> = wanted.iter().map(|(_, d, m)| (d.clone(), m.clone())).collect();
    assert_eq!(told, [named("papers", "graph_bert"), named("films", "bpr")], "each is asked once");
    let is_call = |e: &Event| matches!(e, Event::Step { step } if matches!(step.body, trace::StepBody::Call { .. }));
    assert!(!others.iter().any(is_call), "no call runs before the models are here");
    // One is opened meanwhile, as the page does it; the other cannot be had.
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let weights = root.join("assets/models/toolformer/graph_bert-papers.safetensors");
    let weights = vec![(WEIGHTS.to_owned(), std::fs::read(weights).unwrap())];
    page.open_beside(2, OpenModel {}, Attachments::new(weights));
    assert!(matches!(page.events(2).pop(), Some(Event::Done { .. })));
    page.answer::<SupplyData>(1, wanted[0].0, &());
    page.settle();
    assert!(page.events(1).is_empty(), "it waits for the other too");
    page.answer::<SupplyData>(1, wanted[1].0, &());
    page.settle();
    let run = view_of([others, page.events(1)].concat());
    let results: Vec<(String, Option<String>)> = run
        .pieces
        .iter()
        .filter_map(|p| match p {
            PieceView::Call(call) => Some((call.result.clone(), call.error.clone())),
            PieceView::Text(_) => None,
        })
        .collect();
    assert!(!results[0].0.is_empty() && results[0] == results[1], "{results:?}");
    assert!(results[2].1.as_ref().is_some_and(|e| e.contains("not here")), "{results:?}");
    // It is here now. Who stops the run waits for the other no longer.
    let (wanted, others) = wishes(page.play(ask));
    assert_eq!(wanted.len(), 1);
    page.tell(1, Control::Cancel);
    page.settle();
    let run = view_of([others, page.events(1)].concat());
    assert_eq!(run.trace.stop, Some(trace::Stop::Cancelled));
}

#[test]
fn weights_that_are_none_are_refused_and_leave_what_there_is() {
    let mut page = Page::new();
    let before = hub(&mut page);
    let bytes = Attachments::new(vec![(WEIGHTS.to_owned(), vec![7; 40])]);
    assert!(page.try_with(OpenModel {}, bytes).is_err());
    assert_eq!(hub(&mut page), before);
}

#[test]
fn each_prompt_says_what_it_teaches_and_runs() {
    let mut page = Page::new();
    let tasks = page.ask(ShowPrompts {});
    assert_eq!(tasks.len(), 8);
    let all: Vec<_> = tasks.iter().flat_map(|t| &t.examples).collect();
    assert_eq!(all.len(), 26);
    assert!(all.iter().all(|e| e.teaches.as_ref().is_some_and(|t| t.ends_with('.'))));
    let nested = all.iter().find(|e| e.function == "prompt-property-nested").unwrap();
    assert!(run(&mut page, &nested.statement).text.ends_with("{5: 6, 6: 6}."));
    let beyond = all.iter().find(|e| e.function == "prompt-new-task").unwrap();
    let view = run(&mut page, &beyond.statement);
    assert_eq!(view.text, beyond.statement, "the call stands as it was");
}

#[test]
fn language_models_write_and_no_call_asks_one() {
    let mut page = Page::new();
    let writers: Vec<String> = hub(&mut page).writers.into_iter().map(|(id, ..)| id).collect();
    assert_eq!(writers, ["own", "endpoint", "gpt_j"]);
    for model in ["llm", "gpt-j", "endpoint"] {
        let text = format!("[GR(GL(\"gpr\", {{\"bull_graph\"}}), \"{model}:order\")-->r]");
        let view = run(&mut page, &text);
        let PieceView::Call(call) = &view.pieces[0] else { panic!("{view:?}") };
        let why = call.error.as_ref().unwrap();
        assert!(why.contains("a language model writes the statement"), "{why}");
    }
}

#[test]
fn the_page_reads_no_path_and_fetches_no_address() {
    let mut page = Page::new();
    for (name, words) in [
        ("graphs/roads.csv", "drop the file"),
        ("roads.csv", "drop the file"),
        ("https://a.example/roads.csv", "Fetch the file yourself"),
    ] {
        let view = run(&mut page, &format!("[GL(\"{name}\")]"));
        let PieceView::Call(call) = &view.pieces[0] else { panic!("{view:?}") };
        let why = call.error.as_ref().unwrap();
        assert!(why.contains(words), "{why}");
    }
}
