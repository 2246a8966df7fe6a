//! GraphRunner: a question planned, verified, executed, answered; beside the baselines.

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use crate::browser::{Browser, file};
use crate::endpoints::use_endpoint;
use crate::servers::{Cors, Reply, Server, good, piece};

/// Opens the page with its network.
async fn opened() -> Result<Browser> {
    let page = Browser::open("#/kg").await?;
    page.until_text("[data-testid='kg-figures']", "nodes").await?;
    // They come after the network, and the first of them into the field.
    page.find("[data-testid='kg-questions']").await?;
    Ok(page)
}

/// Opens what is folded in the left room.
async fn unfold(page: &Browser) -> Result<()> {
    page.run("document.querySelectorAll('.left details').forEach(d => d.open = true)", vec![])
        .await?;
    Ok(())
}

/// Hands a file over, as choosing it does.
async fn give(page: &Browser, path: std::path::PathBuf) -> Result<()> {
    page.by_id("kg-files").await?.send_keys(&path.to_string_lossy()).await?;
    Ok(())
}

/// Puts words into a field, as leaving it does.
async fn ask(page: &Browser, words: &str) -> Result<()> {
    let set = "const f = document.querySelector('[data-testid=kg-question]');
        f.value = arguments[0]; f.dispatchEvent(new Event('change', { bubbles: true }))";
    page.run(set, vec![words.into()]).await?;
    Ok(())
}

#[tokio::test]
async fn a_question_with_a_known_answer_is_taken_by_level_or_from_the_list() -> Result<()> {
    let page = opened().await?;
    let asked = "return document.querySelector('[data-testid=kg-question]').value";
    page.click("kg-hops-2").await?;
    let first = page.run(asked, vec![]).await?;
    page.click("kg-hops-2").await?;
    let second = page.run(asked, vec![]).await?;
    ensure!(first != second && first != "" && second != "", "{first}, then {second}");
    // The one that is asked is marked in the list, and another is found by a word of it.
    page.press(".kg-questions summary").await?;
    let marked = "return document.querySelector('.kg-questions [aria-current]').textContent";
    ensure!(page.run(marked, vec![]).await? == second);
    let all = page.count(".kg-questions li button").await?;
    page.type_into("kg-find-question", "operator").await?;
    let fewer = "return [...document.querySelectorAll('.kg-questions li button')]
        .every((b) => b.textContent.toLowerCase().includes('operator'))";
    page.until("those with the word", fewer).await?;
    let some = page.count(".kg-questions li button").await?;
    ensure!(0 < some && some < all, "{some} of {all}");
    page.press(".kg-questions li li button").await?;
    let now = page.run(asked, vec![]).await?;
    ensure!(now.as_str().is_some_and(|q| q.to_lowercase().contains("operator")), "{now}");
    page.type_into("kg-find-question", " that no question has").await?;
    page.until_text(".kg-questions", "No question has these words").await?;
    page.click("run-graphrunner").await?;
    page.until_text("[data-testid='kg-verdict']", "correct").await?;
    page.close().await
}

#[tokio::test]
async fn a_question_is_planned_verified_executed_and_answered() -> Result<()> {
    let page = opened().await?;
    ask(&page, "Which operators run the lines that lead to the Moon Library?").await?;
    page.click("run-graphrunner").await?;
    page.until_text("[data-testid='kg-verdict']", "correct").await?;
    let plan = page.text("[data-testid='kg-printed']").await?;
    ensure!(plan.contains("s1: Find_Node[Moon Library, Sight]"), "{plan}");
    ensure!(page.count("[data-testid='kg-answer'] .claim.true").await? > 0);
    ensure!(page.count("[data-testid='kg-answer'] .claim.false").await? == 0);
    // What was reached is drawn, and a step back takes something away again.
    let all = page.count(".kg-page svg.graph .node").await?;
    ensure!(all > 2, "{all}");
    page.run("document.querySelector('[aria-label=\"To the start\"]').click()", vec![]).await?;
    page.until("an empty drawing", "return !document.querySelector('.kg-page svg.graph .node')")
        .await?;
    // The plan's way over the types.
    page.click("kg-schema").await?;
    page.until(
        "the types",
        "return document.querySelectorAll('.kg-page svg.graph .node').length === 5",
    )
    .await?;
    // A baseline beside it, with more turns.
    page.click("run-graph_cot").await?;
    page.find("[data-testid='row-graph_cot']").await?;
    let beside = page.text("[data-testid='kg-beside']").await?;
    ensure!(
        beside.contains("GraphRunner") && beside.contains("They test the page, not a method"),
        "{beside}"
    );
    page.click("kg-to-traces").await?;
    page.find(".step-row").await?;
    page.close().await
}

#[tokio::test]
async fn what_the_verifier_catches_and_what_it_cannot() -> Result<()> {
    let page = opened().await?;
    ask(&page, "Which operators run the lines that lead to the Moon Library?").await?;
    for (script, told) in [
        ("mistaken:unknown-edge", "there is no edge type \"close_to\""),
        ("mistaken:wrong-source", "nodes have no edges"),
        ("mistaken:unknown-action", "there is no action \"Traverse_Path\""),
    ] {
        page.choose("kg-script", script).await?;
        page.click("run-graphrunner").await?;
        page.until_text(".finding", told).await?;
        page.until_text("[data-testid='kg-verdict']", "correct").await?;
        page.until_text("[data-testid='kg-printed']", "Find_Node").await?;
    }
    // A wrong meaning has the right shape.
    page.choose("kg-script", "mistaken:wrong-meaning").await?;
    page.click("run-graphrunner").await?;
    // While it runs there is no verdict, and a press would stop it.
    page.until(
        "a wrong answer",
        "const verdict = document.querySelector('[data-testid=kg-verdict]');
         return verdict !== null && verdict.textContent !== 'correct'",
    )
    .await?;
    ensure!(page.count(".finding").await? == 0);
    // What nothing reached is marked in the answer.
    page.choose("kg-script", "mistaken:made-up-answer").await?;
    page.click("run-graphrunner").await?;
    page.until_text("[data-testid='kg-answer'] .claim.false", "Atlantis Gate").await?;
    page.until_text("[data-testid='kg-errors']", "unsupported answer").await?;
    // It stands on the drawing too, beside what was reached.
    page.click("kg-reached").await?;
    page.seek_end().await?;
    page.until_text(".kg-page svg.graph .node.false", "Atlantis Gate").await?;
    page.until_text(".kg-page svg.graph .node.false", "not in the graph").await?;
    page.shoot("kg-made-up").await?;
    page.close().await
}

#[tokio::test]
async fn a_plan_by_hand_is_verified_and_run() -> Result<()> {
    let page = opened().await?;
    unfold(&page).await?;
    page.type_into("kg-plan", "Find_Node[Amber Line, Line]\nFetch_Neighbors[s1, neer]").await?;
    page.click("kg-check").await?;
    page.until_text("[data-testid='kg-checked']", "there is no edge type \"neer\"").await?;
    page.run(
        "const p = document.querySelector('[data-testid=kg-plan]');
        p.value = 'Find_Node[Amber Line, Line]\\nFetch_Neighbors[s1, stops_at]';
        p.dispatchEvent(new Event('input', { bubbles: true }))",
        vec![],
    )
    .await?;
    page.click("kg-check").await?;
    page.until_text("[data-testid='kg-checked']", "nothing wrong").await?;
    ask(&page, "Which stations does the Amber Line stop at?").await?;
    page.click("run-graphrunner").await?;
    page.until_text("[data-testid='kg-verdict']", "correct").await?;
    page.close().await
}

#[tokio::test]
async fn a_graph_of_ones_own_is_opened_and_its_faults_told() -> Result<()> {
    let page = opened().await?;
    let mut lines: Vec<String> = (0..60)
        .map(|i| format!("{{\"id\": \"b{i}\", \"type\": \"Book\", \"name\": \"Book {i}\"}}"))
        .collect();
    lines.push("{\"src\": \"b1\", \"dst\": \"b2\", \"type\": \"cites\"}".into());
    lines[7] = "{\"id\": \"b7\", ".into();
    give(&page, file("books.jsonl", &lines.join("\n"))?).await?;
    page.until_text("[data-testid='kg-figures']", "books.jsonl: 59 nodes, 1 edges").await?;
    page.until_text("[data-testid='kg-faults']", "line 8, column").await?;
    unfold(&page).await?;
    page.type_into("kg-plan", "Find_Node[Book 1, Book]\nFetch_Neighbors[s1, cites]").await?;
    ask(&page, "Which book does Book 1 cite?").await?;
    page.click("run-graphrunner").await?;
    page.until_text("[data-testid='kg-answer']", "Book 2").await?;
    page.until_text("[data-testid='kg-verdict']", "not judged").await?;
    // What is no graph leaves the one that is open.
    give(&page, file("notes.exe", "hello")?).await?;
    page.until_text(".notice", "no format has this ending").await?;
    page.until_text("[data-testid='kg-figures']", "books.jsonl").await?;
    page.close().await
}

#[tokio::test]
async fn an_address_opens_a_network_with_its_question() -> Result<()> {
    let page = Browser::open("#/kg?lines=5&seed=3&q=Which%20zone%20is%20there%3F").await?;
    page.until_text("[data-testid='kg-figures']", "nodes").await?;
    let lines =
        page.run("return document.querySelector('[data-testid=kg-lines]').value", vec![]).await?;
    ensure!(lines.as_str() == Some("5"), "{lines}");
    let question = page
        .run("return document.querySelector('[data-testid=kg-question]').value", vec![])
        .await?;
    ensure!(question.as_str() == Some("Which zone is there?"), "{question}");
    page.close().await
}

#[tokio::test]
async fn wordnet_and_the_table_of_words_are_loaded_when_asked_for() -> Result<()> {
    let page = opened().await?;
    page.choose("kg-graph", "wordnet").await?;
    page.until_text("[data-testid='kg-figures']", "7769 nodes").await?;
    // It has questions of its own, each with a plan that the script knows.
    let asked = "return document.querySelector('[data-testid=kg-question]').value";
    page.until("a question is there", &format!("{asked} === 'What is a bird a kind of?'")).await?;
    page.click("run-graphrunner").await?;
    page.until_text("[data-testid='row-graphrunner']", "correct").await?;
    // What the model wrote as its plan is folded: the plan stands above as people read it.
    page.until_text(".steps details summary", "Plan as the model wrote it").await?;
    unfold(&page).await?;
    page.until_text("[data-testid='kg-similarity']", "trigrams").await?;
    page.choose("similarity", "table").await?;
    page.until(
        "similarity by words",
        "return !document.querySelector('[data-testid=kg-similarity]').textContent.includes('trigrams')",
    )
    .await?;
    // The similarity measure stays with the graph that is opened next.
    page.choose("kg-graph", "metro").await?;
    page.until_text("[data-testid='kg-figures']", "94 nodes").await?;
    page.until_text("[data-testid='kg-similarity']", "words").await?;
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
    let page = Browser::open("#/kg").await?;
    page.find("[data-testid='kg-figures']").await?;
    page.press("[data-testid='kg-store'] summary").await?;
    page.type_into("store-url", url).await?;
    page.type_into("store-key", "reader:CANARY-7f3a").await?;
    page.click("store-open").await?;
    page.until_text("[data-testid='kg-figures']", "stay in the store (SPARQL").await?;
    ensure!(page.by_id("run-graph_cot").await?.attr("disabled").await?.is_some());
    let question = "Which stations does the Amber Line stop at?";
    page.type_into("kg-question", question).await?;
    page.click("run-graphrunner").await?;
    page.until_text("main", "asked the store").await?;
    page.find("[data-testid='kg-verdict']").await?;
    page.shoot("kg-store-1280-light").await?;
    // The key is nowhere that anybody could read it.
    let everything = page
        .run(
            "return document.documentElement.outerHTML + JSON.stringify(localStorage) + JSON.stringify(sessionStorage) + location.href
                + [...document.querySelectorAll('input')].map(i => i.value).join()",
            vec![],
        )
        .await?;
    ensure!(!everything.to_string().contains("CANARY-7f3a"), "the key is in the page");
    // A wrong address says so, and what was open stays.
    page.type_into("store-url", "http://127.0.0.1:9/none").await?;
    page.click("store-open").await?;
    page.find(".notice").await?;
    page.until_text("[data-testid='kg-figures']", "stay in the store").await?;
    page.close().await
}

#[tokio::test]
async fn a_model_that_asks_back_gets_a_reply_and_is_not_judged() -> Result<()> {
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
    let page = opened().await?;
    ask(&page, "Which operators run the lines that lead to the Moon Library?").await?;
    use_endpoint(&page, &server.url(), "small").await?;
    page.click("run-graph_rag").await?;
    page.until_text("[data-testid='kg-verdict']", "asks back").await?;
    page.until_text(".kg-answer", "is not judged").await?;
    page.shoot("kg-reply-1280-light").await?;
    page.type_into("reply", "The Moon Library.").await?;
    page.click("send-reply").await?;
    page.until_text("[data-testid='kg-exchange']", "You replied: The Moon Library.").await?;
    page.until_text("[data-testid='kg-answer']", "Nobody runs it.").await?;
    page.until("the field is gone", "return !document.querySelector('.reply-form')").await?;
    // A plan that is a question ends the run too.
    page.click("run-graphrunner").await?;
    page.until_text("[data-testid='kg-verdict']", "asks back").await?;
    page.no_complaints().await?;
    page.close().await
}

#[tokio::test]
async fn questions_of_ones_own_file_are_asked_and_judged_by_another_model() -> Result<()> {
    let server = |word: &'static str| {
        Server::start(Cors::Open, move |asked| {
            if asked.path.ends_with("/models") {
                return good(asked);
            }
            let is_judge = asked.body.to_string().contains("You judge whether");
            let words = match (is_judge, word) {
                (true, "judge") => "No. The reference names another.",
                (false, "answer") => "Nobody.\nAnswer: Amber Line",
                _ => "This was asked of the wrong one.",
            };
            Reply::events(&[piece(json!({ "content": words }), Some("stop"))], true)
        })
    };
    let (judge, model) = (server("judge")?, server("answer")?);
    let page = opened().await?;
    let lines = [
        r#"{"id": "a", "question": "Which line?", "answers": ["Amber Line"], "hops": 1}"#,
        r#"{"id": "b", "question": "How many lines?", "answers": ["8"], "hops": 2}"#,
    ];
    give(&page, file("qa.jsonl", &lines.join("\n"))?).await?;
    let told = "2 questions from qa.jsonl. All answers of 1 of them are nodes of this graph";
    page.until_text("[data-testid='kg-asked-from']", told).await?;
    page.until_text("[data-testid='kg-figures']", "nodes").await?;
    let asked = "return document.querySelector('[data-testid=kg-question]').value";
    ensure!(page.run(asked, vec![]).await? == "Which line?");
    // The judge was in use when it was chosen, and stays the judge when another is taken into use.
    use_endpoint(&page, &judge.url(), "strict").await?;
    unfold(&page).await?;
    page.choose("kg-judge", "@").await?;
    use_endpoint(&page, &model.url(), "small").await?;
    page.click("run-graph_rag").await?;
    page.until_text("[data-testid='kg-verdict']", "correct").await?;
    page.until_text("[data-testid='kg-judged']", "The judge: wrong.").await?;
    page.until_text("[data-testid='kg-judged']", "The reference names another.").await?;
    page.shoot("kg-judged-1280-light").await?;
    // A fault is told with its place, and what was there stays.
    give(&page, file("cut.jsonl", "{\"question\": \"Which line?\", \"answers\": [")?).await?;
    page.until_text(".notice", "cut.jsonl, line 1, column").await?;
    page.until_text("[data-testid='kg-asked-from']", "qa.jsonl").await?;
    page.click("kg-ask-made").await?;
    page.until(
        "the questions of the network",
        "return document.querySelectorAll('.kg-questions li li').length > 20",
    )
    .await?;
    page.no_complaints().await?;
    page.close().await
}

#[tokio::test]
async fn the_threshold_is_the_measures_own_until_it_is_set() -> Result<()> {
    let page = opened().await?;
    unfold(&page).await?;
    page.until_text("[data-testid='kg-theta-own']", "The threshold of character trigrams.").await?;
    let value = "return document.querySelector('[data-testid=kg-theta]').value";
    ensure!(page.run(value, vec![]).await? == "0.6");
    page.choose("similarity", "bm25").await?;
    page.until(
        "BM25's",
        "return document.querySelector('[data-testid=kg-theta]').value === '0.55'",
    )
    .await?;
    let set = "const f = document.querySelector('[data-testid=kg-theta]');
        f.value = '0.8'; f.dispatchEvent(new Event('change', { bubbles: true }))";
    page.run(set, vec![]).await?;
    page.until_text("[data-testid='kg-theta-own']", "Set by you").await?;
    page.click("kg-theta-reset").await?;
    page.until(
        "its own again",
        "return document.querySelector('[data-testid=kg-theta]').value === '0.55'",
    )
    .await?;
    page.close().await
}
