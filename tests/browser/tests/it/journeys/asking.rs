//! A question in anybody's words: the model's graph appears, the answer is checked against it, a person
//! corrects the graph, and a question back gets a reply.

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::screens::{Ask, Head, Solve, Tools};
use crate::servers::{Cors, Reply, Server, good, piece};

pub(super) const QUESTION: &str = "Tom knows Katy, Katy knows Paul; how can Tom <b>reach</b> Paul?";

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
pub(super) fn server(back: Option<&'static str>) -> Result<Server> {
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

#[tokio::test]
async fn an_answer_is_held_against_its_own_graph_and_a_question_back_gets_a_reply() -> Result<()> {
    let page = Browser::open("#/ask").await?;
    let (ask, head, solve) = (Ask(&page), Head(&page), Solve(&page));
    // Our own small model answers the examples; a script knows no question but its benchmark's.
    ask.needs("declines what it does not understand").await?;
    // The page opens with an answer, to which there is no reply.
    ask.shows_example("Can Tom reach Mia?").await?;
    ask.agrees("Follows from this graph").await?;
    ask.draws(4).await?;
    ask.offers_no_reply().await?;
    ask.takes_an_example().await?;
    ask.asks().await?;
    ask.agrees("Follows from this graph").await?;
    page.shoot("ask-own-model-1280-light").await?;
    page.play_script("demo").await?;
    ask.needs("benchmarks' questions alone").await?;
    ask.takes_an_example().await?;
    ask.asks().await?;
    head.notices("needs a model at an endpoint").await?;

    let knowing = server(None)?;
    ask.types(QUESTION).await?;
    page.use_endpoint(&knowing.url(), "small").await?;
    ask.asks().await?;
    ask.agrees("Follows from this graph").await?;
    ask.agrees("nobody here knows").await?;
    ask.draws(3).await?;
    ask.marks_what_is_true().await?;
    page.fits("ask", None).await?;
    // The answer is wrong in another graph, and the page says whose that is.
    ask.corrects().await?;
    ask.deletes_katy().await?;
    ask.agrees("as you corrected it").await?;
    ask.agrees("Does not agree").await?;
    ask.undoes().await?;
    ask.agrees("Follows from this graph").await?;
    ensure!(!ask.has_bold().await?, "words became markup");
    ask.to_traces().await?;

    // A graph of which the question says nothing is made up.
    page.go("#/ask").await?;
    let inventing = server(None)?;
    page.use_endpoint(&inventing.url(), "small").await?;
    ask.types("hello").await?;
    ask.asks().await?;
    ask.agrees("Made up: the question names no Tom and no Katy and no Paul.").await?;
    page.fits("ask-made-up", None).await?;

    // A question back gets a reply, and is not judged.
    page.go("#/ask").await?;
    let asking = server(Some("Do friendships go both ways?"))?;
    page.use_endpoint(&asking.url(), "small").await?;
    ask.types(QUESTION).await?;
    page.becomes(360, 800, "dark").await?;
    ask.asks().await?;
    ask.agrees("Asks back").await?;
    ask.replies("Yes, both ways.").await?;
    ask.agrees("Follows from this graph").await?;
    ask.steps_say("Yes, both ways.").await?;
    ensure!(page.sideways().await? < 1.0, "it scrolls sideways");
    page.shoot("ask-360-dark").await?;
    page.becomes(1280, 800, "light").await?;

    // On one problem, too.
    let asking = Server::start(Cors::Open, |asked| match asked.path.ends_with("/models") {
        true => good(asked),
        false if asked.before == 0 => words("Which edges do you mean?"),
        false => words("There is no cycle."),
    })?;
    page.go("#/solve?task=cycle&difficulty=easy&seed=2").await?;
    solve.question().await?;
    page.use_endpoint(&asking.url(), "small").await?;
    solve.alone().await?;
    solve.replies("Those of the question.").await?;
    solve.steps_say("There is no cycle.").await?;
    solve.is_right_or_wrong().await?;
    solve.steps_say("Those of the question.").await?;
    page.no_complaints().await?;

    // A server of pages answers one.
    let site = Server::start(Cors::Open, |_| Reply::html(200, "Welcome"))?;
    head.tests_endpoint(&site.url()).await?;
    head.finds_no_endpoint("HTML page").await?;
    head.tests_endpoint("http://127.0.0.1:9/v1").await?;
    head.finds_no_endpoint("not running, or it does not allow").await?;
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
    let (ask, tools, head) = (Ask(&page), Tools(&page), Head(&page));
    ask.needs("").await?;
    page.unfold("body").await?;
    ask.lets_it_propose().await?;
    ask.types(QUESTION).await?;
    page.use_endpoint(&server.url(), "small").await?;
    ask.asks().await?;
    ask.shows_proposal("Always call me first.").await?;
    let kept: Option<String> = ask.kept_functions().await?;
    ensure!(kept.is_none(), "nobody kept it: {kept:?}");
    page.shoot("ask-proposed-1280-light").await?;
    ask.keeps_proposal().await?;
    ask.proposes_no_more().await?;
    page.go("#/tools").await?;
    tools.own_say("count_all").await?;

    // A person proposes one, too; it is there after a reload, and its name is taken.
    tools.proposes().await?;
    tools.keeps("friends_of_friends").await?;
    tools.example_says("✓ gives [2], should give [2]").await?;
    head.reloads().await?;
    tools.keeps("friends_of_friends").await?;
    tools.proposes().await?;
    tools.refuses("take another name").await?;
    page.is_accessible("a composed function").await?;
    tools.deletes("friends_of_friends").await?;
    tools.deletes("count_all").await?;
    tools.own_say("None yet").await?;
    page.close().await
}
