//! Questions about knowledge graphs: the network of the page, graphs of one's own, stores, SPARQL.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use crate::browser::{Browser, file};
use crate::screens::{Kg, Names, Solve, Traces};
use crate::servers::{Cors, Reply, Server, good, piece};

const OPERATORS: &str = "Which operators run the lines that lead to the Moon Library?";

/// Somebody follows a link, then takes the page's own questions and puts systems beside each other.
#[tokio::test]
async fn a_question_is_chosen_planned_run_compared_and_opened_as_a_trace() -> Result<()> {
    let page = Browser::open("#/kg?lines=5&seed=3&q=Which%20zone%20is%20there%3F").await?;
    let kg = Kg(&page);
    kg.is_ready().await?;
    ensure!(kg.lines().await? == "5", "the address chose {} lines", kg.lines().await?);
    ensure!(kg.question().await? == "Which zone is there?", "{}", kg.question().await?);

    // Our own small model plans on a tiny graph; elsewhere a script plays the model.
    page.load("#/kg").await?;
    kg.is_ready().await?;
    kg.figures_say("Tiny").await?;
    kg.start("graphrunner").await?;
    kg.verdict_says("correct").await?;
    ensure!(!kg.can_start("graph_cot").await?, "our own model cannot run Graph-CoT");
    page.fits("kg-tiny", None).await?;
    kg.ask("Where does Ann work?").await?;
    kg.needs("In other words").await?;
    page.load("#/kg?lines=8&seed=1").await?;
    kg.is_ready().await?;
    kg.needs_nothing().await?;
    kg.ask("Where does Ann work?").await?;
    kg.needs("A script plays the model here").await?;
    let (first, second) = (kg.next_question(2).await?, kg.next_question(2).await?);
    ensure!(first != second && !first.is_empty() && !second.is_empty(), "{first}, then {second}");
    // The question in the field is marked in the list, and another is found by a word of it.
    ensure!(kg.marked_question().await? == second);
    let all = kg.n_questions().await?;
    kg.find_questions("operator").await?;
    let some = kg.n_questions().await?;
    ensure!(0 < some && some < all, "{some} of {all}");
    kg.take_listed_question().await?;
    let now = kg.question().await?;
    ensure!(now.to_lowercase().contains("operator"), "{now}");
    kg.find_questions("operator that no question has").await?;
    kg.questions_say("No question has these words").await?;
    kg.start("graphrunner").await?;
    kg.verdict_says("correct").await?;

    kg.ask(OPERATORS).await?;
    kg.start("graphrunner").await?;
    kg.verdict_says("correct").await?;
    kg.prints("s1: Find_Node[Moon Library, Sight]").await?;
    let (n_true, n_false) = kg.claims().await?;
    ensure!(n_true > 0 && n_false == 0, "{n_true} true claims, {n_false} false");
    // What was reached is drawn, and the start of the run has nothing of it.
    ensure!(kg.n_drawn().await? > 2, "{} nodes are drawn", kg.n_drawn().await?);
    kg.to_the_start().await?;
    kg.show_schema(5).await?;
    // A baseline beside it.
    kg.start("graph_cot").await?;
    kg.row_says("graph_cot", "").await?;
    let beside = kg.beside().await?;
    ensure!(
        beside.contains("GraphRunner") && beside.contains("they say nothing about a model"),
        "{beside}"
    );
    // The threshold is the measure's own until somebody sets it.
    kg.unfold_left().await?;
    kg.threshold_is("0.6", "The threshold of character trigrams.").await?;
    Names(&page).measure("bm25").await?;
    kg.threshold_is("0.55", "").await?;
    kg.set_threshold(Some("0.8")).await?;
    kg.threshold_is("0.8", "Set by you").await?;
    kg.set_threshold(None).await?;
    kg.threshold_is("0.55", "").await?;

    kg.to_traces().await?;
    Traces(&page).is_open().await?;
    page.close().await
}

#[tokio::test]
async fn the_verifier_catches_what_has_the_wrong_shape_and_passes_what_means_the_wrong_thing()
-> Result<()> {
    let page = Browser::open("#/kg?lines=8&seed=1").await?;
    let kg = Kg(&page);
    kg.is_ready().await?;
    // Plans by hand.
    kg.unfold_left().await?;
    let near = "Find_Node[Amber Line, Line]\nFetch_Neighbors[s1, neer]";
    kg.check_plan(near, "there is no edge type \"neer\"").await?;
    let right = "Find_Node[Amber Line, Line]\nFetch_Neighbors[s1, stops_at]";
    kg.check_plan(right, "nothing wrong").await?;
    kg.ask("Which stations does the Amber Line stop at?").await?;
    kg.start("graphrunner").await?;
    kg.verdict_says("correct").await?;

    kg.write_plan("").await?;
    kg.ask(OPERATORS).await?;
    for (script, words) in [
        ("mistaken:unknown-edge", "there is no edge type \"close_to\""),
        ("mistaken:wrong-source", "nodes have no edges"),
        ("mistaken:unknown-action", "there is no action \"Traverse_Path\""),
    ] {
        kg.play(script).await?;
        kg.start("graphrunner").await?;
        kg.finding_says(words).await?;
        kg.verdict_says("correct").await?;
        kg.prints("Find_Node").await?;
    }
    // A wrong meaning has the right shape. While it runs there is no verdict.
    kg.play("mistaken:wrong-meaning").await?;
    kg.start("graphrunner").await?;
    kg.verdict_is_not("correct").await?;
    ensure!(kg.n_findings().await? == 0);
    // What nothing reached is marked in the answer, and on the drawing beside what was reached.
    kg.play("mistaken:made-up-answer").await?;
    kg.start("graphrunner").await?;
    kg.marks_as_false("Atlantis Gate", "unsupported answer").await?;
    kg.show_reached().await?;
    kg.draws_as_false("Atlantis Gate").await?;
    kg.draws_as_false("not in the graph").await?;
    page.shoot("kg-made-up").await?;
    page.close().await
}

/// A file with a broken line is opened and asked, by a plan and in SPARQL; what is no graph leaves it.
#[tokio::test]
async fn a_graph_of_ones_own_is_opened_with_its_faults_and_asked() -> Result<()> {
    let page = Browser::open("#/kg?lines=8&seed=1").await?;
    let kg = Kg(&page);
    kg.is_ready().await?;
    let mut lines: Vec<String> = (0..60)
        .map(|i| format!("{{\"id\": \"b{i}\", \"type\": \"Book\", \"name\": \"Book {i}\"}}"))
        .collect();
    lines.push("{\"src\": \"b1\", \"dst\": \"b2\", \"type\": \"cites\"}".into());
    lines[7] = "{\"id\": \"b7\", ".into();
    kg.open_file(&file("books.jsonl", &lines.join("\n"))?).await?;
    kg.figures_say("books.jsonl: 59 nodes, 1 edge").await?;
    kg.faults_say("line 8, column").await?;
    kg.unfold_left().await?;
    kg.write_plan("Find_Node[Book 1, Book]\nFetch_Neighbors[s1, cites]").await?;
    kg.ask("Which book does Book 1 cite?").await?;
    kg.start("graphrunner").await?;
    kg.answer_says("Book 2").await?;
    kg.verdict_says("not judged").await?;

    kg.open_sparql().await?;
    kg.query(Some("SELECT ?a WHERE { ?a edge:cites ?b }")).await?;
    kg.rows_say("1 row.").await?;
    // Another graph has other examples, and no answer yet.
    let mothers = ["p1\thas mother\tp2", "p2\thas mother\tp3"].join("\n");
    kg.open_file(&file("mothers.tsv", &mothers)?).await?;
    kg.figures_say("mothers.tsv").await?;
    kg.examples_say("has mother").await?;
    ensure!(kg.n_rows().await? == 0, "an old answer stays");
    kg.query(None).await?;
    kg.rows_say("2 rows.").await?;
    kg.open_file(&file("notes.exe", "hello")?).await?;
    page.has_notice("no format has this ending").await?;
    kg.figures_say("mothers.tsv").await?;
    kg.query(Some("SELECT ?x WHERE { ?x edge:has%20mother/edge:has%20mother ?y }")).await?;
    kg.cell_says("p1").await?;
    page.close().await
}

#[tokio::test]
async fn graphs_of_other_programs_open_with_names_that_people_read() -> Result<()> {
    let page = Browser::open("#/kg?lines=8&seed=1").await?;
    let kg = Kg(&page);
    kg.is_ready().await?;
    // Classes are called by their labels, or by the end of their address.
    let museum = "@prefix ex: <http://example.org/museum/> .\n\
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n\
        ex:c1 rdfs:label \"Gem\\u00e4lde\"@de, \"Painting\"@en .\nex:a a ex:c1 ; ex:hangs_in ex:r .\nex:r a ex:Room .\n";
    kg.open_file(&file("museum.ttl", museum)?).await?;
    kg.figures_say("museum.ttl").await?;
    kg.schema_says("Painting").await?;
    kg.schema_says("Room").await?;
    kg.open_sparql().await?;
    kg.query(Some("SELECT ?x WHERE { ?x rdfs:label ?l FILTER(LANG(?l) = \"de\") }")).await?;
    kg.rows_say("1 row.").await?;
    // What Solve reads opens here, too.
    let node_link = "{\"nodes\": [{\"id\": \"ash\"}, {\"id\": \"elm\"}], \"links\": [{\"source\": \"ash\", \"target\": \"elm\"}]}";
    kg.open_file(&file("trees.json", node_link)?).await?;
    kg.figures_say("trees.json: 2 nodes, 1 edge").await?;
    page.close().await
}

/// A table whose headings nobody knows, of 50 MB: its first rows are there within seconds, and the rest is
/// read once a person has said which columns are what.
#[tokio::test]
async fn the_columns_of_a_large_table_are_chosen_before_it_is_read() -> Result<()> {
    let page = Browser::open("#/kg?lines=3&seed=1").await?;
    let kg = Kg(&page);
    kg.is_ready().await?;
    let mut text = "Nr;Stadt A;Stadt B;Linie\n".to_owned();
    for i in 0..1_300_000_u64 {
        let (a, b) = (i * 7_919 % 200_003, i * 104_729 % 200_003);
        text += &format!("{i};Ort {a};Ort {b};Linie {}\n", i % 40);
    }
    let path = file("roads.csv", &text)?;
    let started = Instant::now();
    kg.open_file(&path).await?;
    kg.columns_say("Stadt B").await?;
    let waited = started.elapsed();
    ensure!(waited < Duration::from_secs(5), "the first rows came after {waited:?}");
    page.shoot("kg-columns-1280-light").await?;
    kg.first_column_is("0").await?;
    kg.third_column_is("2").await?;
    kg.second_column_is("1").await?;
    kg.fourth_column_is("3").await?;
    let started = Instant::now();
    kg.opens_table().await?;
    kg.figures_say("1,300,000 edges").await?;
    println!("first rows after {waited:.2?}, open {:.2?} later", started.elapsed());
    kg.notes_say("left out: the column `Nr`").await?;
    // Solve, which asks about smaller graphs, says so before it reads the file.
    let solve = Solve(&page);
    solve.opens("#/solve?task=flow&difficulty=easy&seed=2&model=script").await?;
    solve.is_drawn().await?;
    solve.begins_import().await?;
    solve.imports_file(&path).await?;
    solve.notices("Knowledge opens larger ones").await?;
    page.close().await
}

#[tokio::test]
async fn a_graph_is_asked_in_sparql_corrected_stopped_and_its_answer_saved() -> Result<()> {
    let page = Browser::open("#/kg?lines=8&seed=1").await?;
    let kg = Kg(&page);
    kg.is_ready().await?;
    page.note_workers().await?;
    kg.open_sparql().await?;
    // The example at hand has an answer.
    kg.query(None).await?;
    kg.rows_say("rows.").await?;
    ensure!(kg.n_rows().await? > 20);
    kg.panel_fits("sparql").await?;
    // The engine was loaded when it was asked for, and is loaded once.
    ensure!(page.workers("rdf").await? == 1);
    kg.query(Some("SELECT (COUNT(?l) AS ?n) WHERE { ?l a type:Line }")).await?;
    kg.cell_says("8").await?;
    kg.rows_say("1 row.").await?;
    kg.query(Some("SELECT ?x WHERE { ?x a type:Submarine }")).await?;
    kg.rows_say("No rows").await?;
    // What is saved is what is shown.
    page.keep_saved().await?;
    kg.query(Some("SELECT ?z WHERE { VALUES ?z { 'a,b' '=1+1' } }")).await?;
    kg.rows_say("2 rows.").await?;
    kg.save_rows("csv").await?;
    ensure!(page.saved(1).await? == ["z\r\n\"a,b\"\r\n'=1+1\r\n"]);
    kg.save_rows("tsv").await?;
    ensure!(page.saved(1).await? == ["z\na,b\n=1+1\n"]);
    ensure!(page.workers("rdf").await? == 1);

    // A fault has its place.
    kg.query(Some("SELECT ?x\nWHERE { ?x edge:stops_at }")).await?;
    kg.query_fault_says("line 2, column 26: found \"}\"").await?;
    kg.panel_fits("sparql-fault").await?;
    ensure!(kg.selected_at_fault().await? == "}", "the place is not marked");
    kg.query(Some("SELECT ?x WHERE { ?x nope:a ?y }")).await?;
    kg.query_fault_says("column 22: the prefix \"nope\"").await?;
    // A query is text and nothing else.
    kg.query(Some("<img src=x onerror=alert(1)>")).await?;
    kg.query_fault_says("line 1, column").await?;
    ensure!(!kg.has_markup_in_sparql().await?);

    // One without an end is stopped; the next one works, and so does everything else.
    let endless = "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }";
    kg.query(Some(endless)).await?;
    kg.query_is_under_way().await?;
    kg.query(None).await?;
    kg.query_ended("Stopped").await?;
    kg.query(Some("ASK { ?l a type:Line }")).await?;
    kg.cell_says("yes").await?;
    kg.start("graphrunner").await?;
    kg.verdict_says("").await?;
    page.close().await
}

/// A graph that a server on this machine holds: its schema comes here, a plan is asked there.
#[tokio::test]
async fn a_graph_in_a_store_is_planned_on_and_asked() -> Result<()> {
    use tokio::io::AsyncBufReadExt as _;
    let program = std::env::var("GRAPHGROUND_COMPANION")?;
    let mut server = tokio::process::Command::new(program)
        .args(["kg", "serve", "--kg", "metro:9:4", "--port", "0"])
        .stdout(std::process::Stdio::piped())
        .kill_on_drop(true)
        .spawn()?;
    let out = server.stdout.take().context("its words")?;
    let line = tokio::io::BufReader::new(out).lines().next_line().await?.unwrap_or_default();
    let url = line.split(" at ").nth(1).and_then(|r| r.split(' ').next()).context("an address")?;
    let page = Browser::open("#/kg?lines=8&seed=1").await?;
    let kg = Kg(&page);
    kg.figures_say("").await?;
    kg.open_store(url, "reader:CANARY-7f3a").await?;
    kg.figures_say("stay in the store (SPARQL").await?;
    ensure!(!kg.can_start("graph_cot").await?);
    kg.ask("Which stations does the Amber Line stop at?").await?;
    kg.start("graphrunner").await?;
    page.says("asked the store").await?;
    kg.verdict_says("").await?;
    page.shoot("kg-store-1280-light").await?;
    // The key is nowhere that anybody could read it.
    let mut everything = page.everywhere().await?;
    everything.push(kg.fields().await?);
    for text in everything {
        ensure!(!text.contains("CANARY-7f3a"), "the key is in the page: {text:.300}");
    }
    // A wrong address says so, and what was open stays.
    kg.open_store("http://127.0.0.1:9/none", "").await?;
    page.has_notice("").await?;
    kg.figures_say("stay in the store").await?;
    page.close().await
}

#[tokio::test]
async fn a_model_asks_back_and_another_judges_the_questions_of_a_file() -> Result<()> {
    let server = Server::start(Cors::Open, |asked| {
        if asked.path.ends_with("/models") {
            return good(asked);
        }
        let text = asked.body.to_string();
        let words = match text.contains("The reply: The Moon Library") {
            false => "Do you mean the Moon Library, or the square?",
            true => "Nobody runs it.\nAnswer: none",
        };
        Reply::events(&[piece(json!({ "content": words }), Some("stop"))], true)
    })?;
    let page = Browser::open("#/kg?lines=8&seed=1").await?;
    let kg = Kg(&page);
    kg.is_ready().await?;
    kg.ask(OPERATORS).await?;
    page.use_endpoint(&server.url(), "small").await?;
    kg.start("graph_rag").await?;
    kg.verdict_says("asks back").await?;
    kg.story_says("is not judged").await?;
    page.shoot("kg-reply-1280-light").await?;
    kg.reply("The Moon Library.").await?;
    kg.answer_says("Nobody runs it.").await?;
    kg.wants_no_reply().await?;
    // A plan that is a question ends the run too.
    kg.start("graphrunner").await?;
    kg.verdict_says("asks back").await?;

    let server = |word: &'static str| {
        Server::start(Cors::Open, move |asked| {
            if asked.path.ends_with("/models") {
                return good(asked);
            }
            let is_judge = asked.body.to_string().contains("You judge whether");
            let words = match (is_judge, word) {
                (true, "judge") => "No. The reference names another.",
                (false, "answer") => "Nobody.\nAnswer: Amber Line",
                _ => "The wrong model was asked.",
            };
            Reply::events(&[piece(json!({ "content": words }), Some("stop"))], true)
        })
    };
    let (judge, model) = (server("judge")?, server("answer")?);
    let lines = [
        r#"{"id": "a", "question": "Which line?", "answers": ["Amber Line"], "hops": 1}"#,
        r#"{"id": "b", "question": "How many lines?", "answers": ["8"], "hops": 2}"#,
    ];
    kg.open_file(&file("qa.jsonl", &lines.join("\n"))?).await?;
    kg.asked_from("2 questions from qa.jsonl. All answers of 1 of them are nodes of this graph")
        .await?;
    kg.figures_say("nodes").await?;
    ensure!(kg.question().await? == "Which line?");
    // The judge is the endpoint that was in use when it was chosen, and stays the judge.
    page.use_endpoint(&judge.url(), "strict").await?;
    kg.unfold_left().await?;
    kg.judge_by_endpoint().await?;
    page.use_endpoint(&model.url(), "small").await?;
    kg.start("graph_rag").await?;
    kg.verdict_says("correct").await?;
    kg.judge_says("The judge: wrong.").await?;
    kg.judge_says("The reference names another.").await?;
    page.shoot("kg-judged-1280-light").await?;
    // A fault has its place, and what was there stays.
    kg.open_file(&file("cut.jsonl", "{\"question\": \"Which line?\", \"answers\": [")?).await?;
    page.has_notice("cut.jsonl, line 1, column").await?;
    kg.asked_from("qa.jsonl").await?;
    kg.ask_made_questions().await?;
    kg.lists_more_questions_than(20).await?;
    page.no_complaints().await?;
    page.close().await
}
