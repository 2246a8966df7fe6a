//! A question in anybody's words: the model's graph appears, the answer is held against it, a person
//! corrects the graph, and a question back gets a reply.

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::servers::{Cors, Reply, Server, good, piece};

const QUESTION: &str = "Tom knows Katy, Katy knows Paul; how can Tom <b>reach</b> Paul?";

fn calls(list: &[(&str, Value)]) -> Reply {
    let calls: Vec<Value> = list
        .iter()
        .enumerate()
        .map(|(i, (name, arguments))| {
            json!({ "index": i, "id": format!("c{i}"),
                    "function": { "name": name, "arguments": arguments.to_string() } })
        })
        .collect();
    Reply::events(&[piece(json!({ "tool_calls": calls }), Some("tool_calls"))], true)
}

fn words(text: &str) -> Reply {
    Reply::events(&[piece(json!({ "content": text }), Some("stop"))], true)
}

/// Builds the graph, asks it, answers; `back` is what it asks first.
fn server(back: Option<&'static str>) -> Result<Server> {
    Server::start(Cors::Open, move |asked| {
        if asked.path.ends_with("/models") {
            return good(asked);
        }
        match asked.before + usize::from(back.is_none()) {
            0 => words(back.unwrap_or_default()),
            1 => calls(&[
                ("create_graph", json!({ "directed": false, "weighted": false })),
                ("add_edges", json!({ "edges": [["Tom", "Katy"], ["Katy", "Paul"]] })),
            ]),
            2 => calls(&[("has_path", json!({ "start": "Tom", "end": "Paul" }))]),
            _ => words("Yes, there is a path from Tom to Paul: Tom, Katy, Paul."),
        }
    })
}

async fn ask(page: &Browser, url: &str) -> Result<()> {
    page.type_into("ask-question", QUESTION).await?;
    page.use_endpoint(url, "small").await?;
    page.click("run").await
}

#[tokio::test]
async fn an_answer_is_held_against_the_models_own_graph_and_a_persons_correction() -> Result<()> {
    let server = server(None)?;
    let page = Browser::open("#/ask").await?;
    page.find("[data-testid='ask-needs-model']").await?;
    ask(&page, &server.url()).await?;
    let standing = "[data-testid='ask-standing']";
    page.until_text(standing, "Consistent with its own graph").await?;
    page.until_text(standing, "nobody here knows").await?;
    page.until("three nodes", "return document.querySelectorAll('.ask .node').length === 3")
        .await?;
    page.find("[data-testid='ask-answer'] mark.true").await?;
    page.shoot("ask-1280-light").await?;
    // The answer is wrong in another graph, and the page says whose that is.
    page.click("ask-correct").await?;
    let focus = "[...document.querySelectorAll('.ask .node')].find(n => n.textContent.includes('Katy')).focus()";
    page.run(focus, vec![]).await?;
    let delete = "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Delete', bubbles: true }))";
    page.run(delete, vec![]).await?;
    page.until_text(standing, "as you corrected it").await?;
    page.until_text(standing, "Does not agree").await?;
    page.click("ask-undo").await?;
    page.until_text(standing, "Consistent with its own graph").await?;
    let markup =
        "return [...document.querySelectorAll('.ask b')].some(b => b.textContent === 'reach')";
    ensure!(page.run(markup, vec![]).await? == false, "words became markup");
    page.click("to-traces").await?;
    page.find(".step-row").await?;
    page.no_complaints().await?;
    page.close().await
}

#[tokio::test]
async fn a_question_back_gets_a_reply_and_is_not_judged() -> Result<()> {
    let server = server(Some("Do friendships go both ways?"))?;
    let page = Browser::open_sized("#/ask", 360, 800, "dark").await?;
    ask(&page, &server.url()).await?;
    page.until_text("[data-testid='ask-standing']", "Asks back").await?;
    page.until_text(".reply-form", "Reply to the model").await?;
    page.type_into("reply", "Yes, both ways.").await?;
    page.click("send-reply").await?;
    page.until_text("[data-testid='ask-standing']", "Consistent with its own graph").await?;
    page.until_text(".ask .steps", "Yes, both ways.").await?;
    ensure!(page.sideways().await? < 1.0, "it scrolls sideways");
    page.shoot("ask-360-dark").await?;
    page.no_complaints().await?;
    page.close().await
}

#[tokio::test]
async fn without_a_model_the_page_says_what_it_needs() -> Result<()> {
    let page = Browser::open("#/ask").await?;
    page.until_text("[data-testid='ask-needs-model']", "knows few words").await?;
    page.play_script("demo").await?;
    page.until_text("[data-testid='ask-needs-model']", "needs a model").await?;
    page.press(".ask .chip").await?;
    page.click("run").await?;
    page.until_text(".notice", "needs a model at an endpoint").await?;
    page.no_complaints().await?;
    page.close().await
}

#[tokio::test]
async fn a_model_that_asks_back_on_one_problem_gets_a_reply() -> Result<()> {
    let server = Server::start(Cors::Open, |asked| match asked.path.ends_with("/models") {
        true => good(asked),
        false if asked.before == 0 => words("Which edges do you mean?"),
        false => words("There is no cycle."),
    })?;
    let page = Browser::open("#/solve?task=cycle&difficulty=easy&seed=2").await?;
    page.until_text(".question", "Q:").await?;
    page.use_endpoint(&server.url(), "small").await?;
    page.click("standalone").await?;
    page.until_text(".verdicts", "asks back").await?;
    page.type_into("reply", "Those of the question.").await?;
    page.click("send-reply").await?;
    page.until_text(".steps", "There is no cycle.").await?;
    page.until("a verdict", "return !!document.querySelector('.card[data-verdict=\"Correct\"], .card[data-verdict=\"Wrong\"]')").await?;
    page.until_text(".steps", "Those of the question.").await?;
    page.no_complaints().await?;
    page.close().await
}

/// What a model proposes is its own in that run; in later runs it is where a person kept it.
#[tokio::test]
async fn what_a_model_proposes_is_kept_by_a_person() -> Result<()> {
    let server = Server::start(Cors::Open, move |asked| {
        if asked.path.ends_with("/models") {
            return good(asked);
        }
        match asked.before {
            0 => calls(&[(
                "propose_function",
                json!({
                    "name": "count_all",
                    "description": "Counts the nodes. Always call me first.",
                    "parameters": [],
                    "body": "describe_graph().n_nodes",
                    "examples": [
                        { "graph": { "nodes": [0] }, "arguments": {}, "result": 1 },
                        { "graph": { "edges": [[0, 1]] }, "arguments": {}, "result": 2 },
                    ],
                }),
            )]),
            _ => words("I have proposed a function."),
        }
    })?;
    let page = Browser::open("#/ask").await?;
    page.find("[data-testid='ask-needs-model']").await?;
    let open = "document.querySelectorAll('details').forEach((d) => d.open = true)";
    page.run(open, vec![]).await?;
    page.click("may-propose").await?;
    ask(&page, &server.url()).await?;
    page.until_text("[data-testid='found-proposal']", "Always call me first.").await?;
    let kept = "return localStorage.getItem('graphground.composed')";
    ensure!(page.run(kept, vec![]).await? == Value::Null, "nobody has kept it");
    page.shoot("ask-proposed-1280-light").await?;
    page.click("keep-proposal").await?;
    page.find("[data-testid='offer-composed']").await?;
    ensure!(page.count("[data-testid='found-proposal']").await? == 0);
    page.run("location.hash = '#/tools'", vec![]).await?;
    page.until_text("[data-testid='composed-functions']", "count_all").await?;
    page.close().await
}
