//! A model of one's own at an endpoint: checked, asked, stopped, paid, and the only one that is asked.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use crate::browser::{Browser, Companion};
use crate::screens::{Endpoints, Solve};
use crate::servers::{Asked, Cors, Reply, Server, good, piece, tapes};

const SOLVE: &str = "#/solve?task=cycle&difficulty=easy&seed=2";
/// What Anthropic's protocol needs of a page.
const ANTHROPIC: &str =
    "content-type, x-api-key, anthropic-version, anthropic-dangerous-direct-browser-access";

/// Examines a server, and looks for words at the check that fails.
async fn finds(page: &Browser, of: (&str, &str, &str), at: &str, words: &[&str]) -> Result<()> {
    let (protocol, url, key) = of;
    let models = Endpoints(page);
    models.speaks(protocol).await?;
    models.fills_in(url, "small", key).await?;
    models.checks().await?;
    let said = models.fails_at(at).await?;
    for word in words {
        ensure!(said.contains(word), "{at} of {url} does not say {word:?}: {said}");
    }
    Ok(())
}

/// A server that lists its models, and answers so.
fn answering(answer: fn() -> Reply) -> Result<Server> {
    Server::start(
        Cors::Open,
        move |asked| {
            if asked.path.ends_with("/models") { good(asked) } else { answer() }
        },
    )
}

/// Servers that misbehave in one way each are distinguished, with what their owner can do.
#[tokio::test]
async fn a_check_names_what_is_wrong_with_a_server() -> Result<()> {
    let page = Browser::open("#/endpoints").await?;
    let models = Endpoints(&page);
    // A good one passes every check, and its only model is filled in.
    let server = Server::start(Cors::Open, good)?;
    models.speaks("openai").await?;
    models.fills_in(&server.url(), "", "").await?;
    models.checks().await?;
    models.all_pass().await?;
    ensure!(models.model().await? == "small");
    page.shoot("endpoints-checked-1280-light").await?;
    models.fills_in(&server.url(), "small", "").await?;
    models.checks().await?;
    models.all_pass().await?;

    // Who cannot be reached. A port at which nobody listens was free a moment ago.
    let origin = page.origin().await?;
    let free = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let nobody = format!("http://127.0.0.1:{free}/v1");
    finds(&page, ("openai", &nobody, ""), "Reach", &["Nobody answers"]).await?;
    finds(&page, ("openai", "localhost:1/v1", ""), "Address", &["must start with"]).await?;
    let unknown = Server::start(Cors::Unknown, good)?.url();
    let words = ["Access-Control-Allow-Origin", &origin];
    finds(&page, ("openai", &unknown, ""), "Reach", &words).await?;
    // Its protocol says that it is Ollama; a command is only shown at its usual port.
    let refuses = Server::start(Cors::Refuses, good)?.url();
    finds(&page, ("ollama", &refuses, ""), "Reach", &["403", &origin]).await?;
    let nameless = Server::start(Cors::Only("content-type"), good)?.url();
    let words = ["Access-Control-Allow-Headers"];
    finds(&page, ("openai", &nameless, "sk-x"), "Reach", &words).await?;
    // The usual ports of servers that people have; one of them must be free here.
    let usual = [
        (11434, "ollama", "", "OLLAMA_ORIGINS="),
        (8000, "openai", "/v1", "--allowed-origins '[\""),
        (11434, "openai", "/v1", "OLLAMA_ORIGINS="),
    ];
    let (listener, (port, protocol, path, command)) = usual
        .into_iter()
        .find_map(|u| Some((std::net::TcpListener::bind(("127.0.0.1", u.0)).ok()?, u)))
        .context("the usual ports are taken")?;
    let _usual = Server::on(listener, Cors::Refuses, good)?;
    let url = format!("http://127.0.0.1:{port}{path}");
    finds(&page, (protocol, &url, ""), "Reach", &[&format!("{command}{origin}")]).await?;
    page.shoot("endpoints-refused-1280-light").await?;

    // What a server says wrong.
    let lost = Server::start(Cors::Open, |_| Reply::json(404, json!({ "error": "no such path" })))?;
    let bare = format!("http://127.0.0.1:{}", lost.port);
    let right = format!("Try {}", lost.url());
    finds(&page, ("openai", &bare, ""), "Models", &["404", &right]).await?;
    let site = Server::start(Cors::Open, |_| Reply::html(200, "Welcome"))?;
    finds(&page, ("openai", &site.url(), ""), "Models", &["HTML page", "Welcome"]).await?;
    let keyed = Server::start(Cors::Open, |_| Reply::json(401, json!({ "error": "no key" })))?;
    finds(&page, ("openai", &keyed.url(), ""), "Models", &["401", "requires a key"]).await?;
    let busy = answering(|| Reply {
        headers: vec![("Retry-After", "7".into())],
        ..Reply::json(429, json!({ "error": { "message": "too many" } }))
    })?;
    finds(&page, ("openai", &busy.url(), ""), "Answer", &["too many", "Wait 7 s"]).await?;
    let broken =
        answering(|| Reply::json(500, json!({ "error": { "message": "out of memory" } })))?;
    finds(&page, ("openai", &broken.url(), ""), "Answer", &["out of memory", "log"]).await?;
    let talker = answering(|| {
        let message = json!({ "content": "I think so." });
        Reply::json(200, json!({ "choices": [{ "message": message }] }))
    })?;
    finds(&page, ("openai", &talker.url(), ""), "ToolCall", &["answered in words"]).await?;
    let half = Server::start(Cors::Open, |asked| {
        if asked.body["stream"] == json!(true) {
            let begun =
                json!({ "tool_calls": [{ "id": "c", "function": { "name": "has_edge" } }] });
            return Reply::events(&[piece(begun, None)], false);
        }
        good(asked)
    })?;
    let words = ["broke off", "switch streaming off"];
    finds(&page, ("openai", &half.url(), ""), "Stream", &words).await?;
    page.shoot("endpoints-broken-stream-1280-light").await?;
    // An organisation that has switched pages off says so in words of its own.
    let organisation = Server::start(Cors::Only(ANTHROPIC), |_| {
        let message = "CORS requests are not allowed for this Organization";
        Reply::json(401, json!({ "error": { "message": message } }))
    })?;
    let words = ["does not allow requests from a page"];
    finds(&page, ("anthropic", &organisation.url(), "sk-some-key"), "Models", &words).await?;

    // Each protocol, from servers that allow the headers that it documents and no other.
    for (protocol, path, headers) in [
        ("openai", "/v1", "content-type, authorization"),
        ("responses", "/v1", "content-type, authorization"),
        ("anthropic", "/v1", ANTHROPIC),
        ("gemini", "/v1beta", "content-type, x-goog-api-key"),
        ("ollama", "", "content-type, authorization"),
    ] {
        let server = Server::start(Cors::Only(headers), tapes(protocol)?)?;
        models.speaks(protocol).await?;
        let url = format!("http://127.0.0.1:{}{path}", server.port);
        models.fills_in(&url, "small-1", "sk-some-key").await?;
        models.checks().await?;
        models.passes_to_the_end().await.with_context(|| protocol.to_owned())?;
        ensure!(server.has_heard("sk-some-key"), "{protocol} did not send its key");
    }
    let silent = Server::start(Cors::Open, |_| Reply::silence())?;
    page.cuts_waits_of(15_000).await?;
    let words = ["says nothing for 15 seconds"];
    finds(&page, ("openai", &silent.url(), ""), "Reach", &words).await?;
    page.close().await
}

/// What an endpoint does with the next question.
#[derive(Clone, Copy)]
enum Does {
    Answers,
    Hangs,
    Overflows,
}

/// Runs with an endpoint that is busy, streams, hangs and overflows, and what they cost.
#[tokio::test]
async fn runs_wait_for_an_endpoint_stop_and_have_a_price() -> Result<()> {
    let does = Arc::new(Mutex::new(Does::Answers));
    let now = Arc::clone(&does);
    let server = Server::start(Cors::Open, move |asked: &Asked| {
        if asked.before == 0 {
            return Reply {
                headers: vec![("Retry-After", "1".into())],
                ..Reply::json(429, json!({ "error": { "message": "too many" } }))
            };
        }
        match *now.lock().unwrap_or_else(PoisonError::into_inner) {
            Does::Answers => {
                let said = piece(json!({ "content": "There is no cycle." }), Some("stop"));
                let usage = json!({ "prompt_tokens": 1000, "completion_tokens": 100 });
                Reply::events(&[said, json!({ "choices": [], "usage": usage })], true)
            }
            Does::Hangs => Reply {
                hangs: true,
                ..Reply::events(&[piece(json!({ "content": "There is <b>no" }), None)], false)
            },
            Does::Overflows => {
                let message = "This model's maximum context length is 4096 tokens.";
                let code = "context_length_exceeded";
                Reply::json(400, json!({ "error": { "message": message, "code": code } }))
            }
        }
    })?;
    let becomes = |next| *does.lock().unwrap_or_else(PoisonError::into_inner) = next;
    let companion = Companion::start().await?;
    let page = Browser::open(SOLVE).await?;
    let (solve, models) = (Solve(&page), Endpoints(&page));
    solve.question().await?;
    page.use_endpoint(&companion.url, "script").await?;
    solve.with_tools().await?;
    solve.is_judged("Correct").await?;

    page.use_endpoint(&server.url(), "small").await?;
    solve.alone().await?;
    solve.live_says("Attempt 2").await?;
    solve.steps_say("attempt 2: the endpoint answered 429: too many").await?;
    solve.steps_say("There is no cycle.").await?;
    // Nobody said what this model costs, and no cost is made up.
    solve.facts_say("cost unknown").await?;
    ensure!(!solve.facts().await?.contains('$'), "a cost is made up");
    models.goes_there_by_links().await?;
    models.is_priced("unknown").await?;
    models.adds_price("small", "2", "10").await?;
    models.is_priced("counts as small").await?;
    models.back_to_solve().await?;
    solve.facts_say("$0.0030").await?;

    // A stop hangs up at once, and keeps what had come. A model's words are never markup.
    becomes(Does::Hangs);
    solve.alone().await?;
    solve.live_says("There is <b>no").await?;
    page.shoot("live-1280-light").await?;
    solve.alone().await?;
    solve.steps_say("There is <b>no").await?;
    solve.steps_say("Model, stopped").await?;
    solve.has_no_markup_and_nothing_live().await?;
    becomes(Does::Overflows);
    solve.with_tools().await?;
    page.says("does not fit into the model's context window of 4096 tokens").await?;
    page.close().await
}

#[tokio::test]
async fn the_page_asks_one_endpoint_and_no_other() -> Result<()> {
    let (mine, other) = (Server::start(Cors::Open, good)?, Server::start(Cors::Open, good)?);
    let page = Browser::open(SOLVE).await?;
    let (solve, models) = (Solve(&page), Endpoints(&page));
    solve.question().await?;
    models.opens_dialog().await?;
    models.dialog_fits().await?;
    models.follows_dialog().await?;

    models.fills_in(&mine.url(), "small", "").await?;
    models.uses("Runs now ask").await?;
    models.allows_only_this().await?;
    models.allows(&mine.url()).await?;
    let list = |server: &Server| format!("{}/models", server.url());
    ensure!(models.can_ask(&list(&mine)).await?, "the endpoint in use must be allowed");
    ensure!(!models.can_ask(&list(&other)).await?, "another must not");
    ensure!(!other.has_heard(""), "not even a preflight may leave");
    models.fills_in(&other.url(), "", "").await?;
    models.uses("Runs now ask").await?;
    models.takes_reload().await?;
    models.allows(&other.url()).await?;
    models.asks_at(&other.url()).await?;
    ensure!(models.can_ask(&list(&other)).await?);
    ensure!(!models.can_ask(&list(&mine)).await?);
    // The dialog changes the endpoint too, from any page.
    models.back_to_solve().await?;
    solve.question().await?;
    page.use_endpoint(&mine.url(), "small").await?;
    models.offers_reload().await?;
    page.shoot("reload-offer-1280-light").await?;
    models.takes_reload().await?;
    solve.question().await?;
    solve.alone().await?;
    solve.steps_say("Yes.").await?;
    page.close().await
}

/// Each turn that is no answer is said to be none, a call in the text is made, and an answer that has said
/// why it stopped is there although its server keeps the connection open.
#[tokio::test]
async fn turns_that_are_no_answers_are_not_judged_and_calls_in_the_text_are_made() -> Result<()> {
    let does = Arc::new(Mutex::new(0));
    let now = Arc::clone(&does);
    let server = Server::start(Cors::Open, move |asked: &Asked| {
        let said = |text: &str, finish: &str| {
            Reply::events(&[piece(json!({ "content": text }), Some(finish))], true)
        };
        let turn: i32 = *now.lock().unwrap_or_else(PoisonError::into_inner);
        match turn {
            0 => said("No, there is no cy", "length"),
            1 => said("No, there is", "content_filter"),
            2 => said("", "stop"),
            3 if asked.body["messages"].as_array().is_some_and(|m| m.len() > 2) => {
                said("There is no cycle.", "stop")
            }
            3 => said(
                "<think>I begin.</think><tool_call>{\"name\": \"create_graph\", \"arguments\": {\"directed\": false}}</tool_call>",
                "stop",
            ),
            _ => {
                let text = piece(json!({ "content": "There is no cycle." }), Some("stop"));
                let mut open = Reply { hangs: true, ..Reply::events(&[text], false) };
                open.pieces.extend((0..3).map(|_| ": still here\n\n".to_owned()));
                open
            }
        }
    })?;
    let becomes = |next| *does.lock().unwrap_or_else(PoisonError::into_inner) = next;
    let page = Browser::open(SOLVE).await?;
    let solve = Solve(&page);
    solve.question().await?;
    page.use_endpoint(&server.url(), "small").await?;
    for (turn, why) in [(0, "cut the answer off"), (1, "refused"), (2, "said nothing")] {
        becomes(turn);
        solve.alone().await?;
        solve.verdicts_say(why).await?;
        solve.is_judged("No answer").await?;
    }
    becomes(3);
    solve.with_tools().await?;
    solve.steps_say("the server left this call in the text").await?;
    solve.steps_say("There is no cycle.").await?;
    // Tools were offered, and none was used.
    becomes(4);
    solve.with_tools().await?;
    solve.verdicts_say("as ungrounded as one without tools").await?;
    page.shoot("solve-ungrounded-1280-light").await?;
    page.no_complaints().await?;
    page.close().await
}
