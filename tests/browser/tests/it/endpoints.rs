//! The page Models against servers that misbehave in one way each, and runs that wait, stop and
//! go on.

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use crate::browser::{Browser, Companion};
use crate::servers::{Asked, Cors, Reply, Server, good, piece, tapes};

const SOLVE: &str = "#/solve?task=cycle&difficulty=easy&seed=2";

/// Fills in an address and starts the check.
async fn check(page: &Browser, protocol: &str, url: &str, key: &str) -> Result<()> {
    page.choose("protocol", protocol).await?;
    page.type_into("endpoint-url", url).await?;
    page.type_into("endpoint-model", "small").await?;
    if !key.is_empty() {
        page.type_into("endpoint-key", key).await?;
    }
    page.click("check").await
}

/// Waits until a check has come to an outcome, and gives its words.
async fn outcome(page: &Browser, check: &str, outcome: &str) -> Result<String> {
    let css = format!("[data-check='{check}'][data-outcome='{outcome}']");
    page.find(&css).await?;
    let script = format!("return document.querySelector({}).parentElement.textContent", json!(css));
    Ok(page.run(&script, vec![]).await?.as_str().unwrap_or_default().to_owned())
}

/// Examines a server and looks for words at the check that fails.
async fn finds(
    page: &Browser,
    protocol: &str,
    url: &str,
    key: &str,
    at: &str,
    words: &[&str],
) -> Result<()> {
    check(page, protocol, url, key).await?;
    let said = outcome(page, at, "no").await?;
    for word in words {
        ensure!(said.contains(word), "{at} of {url} does not say {word:?}: {said}");
    }
    Ok(())
}

fn chat(asked: &Asked, answer: impl FnOnce() -> Reply) -> Reply {
    if asked.path.ends_with("/models") { good(asked) } else { answer() }
}

#[tokio::test]
async fn a_good_server_passes_every_check() -> Result<()> {
    let server = Server::start(Cors::Open, good)?;
    let page = Browser::open("#/endpoints").await?;
    check(&page, "openai", &server.url(), "").await?;
    outcome(&page, "Stream", "ok").await?;
    let wrong = page.count("[data-outcome='no'], [data-outcome='doubt']").await?;
    ensure!(wrong == 0, "{}", page.text(".checks").await?);
    page.shoot("endpoints-checked-1280-light").await?;
    page.close().await
}

#[tokio::test]
async fn the_only_model_is_filled_in_and_the_checks_go_on() -> Result<()> {
    let server = Server::start(Cors::Open, good)?;
    let page = Browser::open("#/endpoints").await?;
    page.choose("protocol", "openai").await?;
    page.type_into("endpoint-url", &server.url()).await?;
    page.click("check").await?;
    outcome(&page, "Stream", "ok").await?;
    let model =
        page.run("return document.querySelector('[data-testid=endpoint-model]').value", vec![]);
    ensure!(model.await? == "small");
    let wrong = page.count("[data-outcome='no'], [data-outcome='doubt']").await?;
    ensure!(wrong == 0, "{}", page.text(".checks").await?);
    page.close().await
}

#[tokio::test]
async fn who_cannot_be_reached_is_told_apart() -> Result<()> {
    let page = Browser::open("#/endpoints").await?;
    let origin = page.run("return location.origin", vec![]).await?;
    let origin = origin.as_str().unwrap_or_default();
    // A port at which nobody listens: one that was free a moment ago.
    let free = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let nobody = format!("http://127.0.0.1:{free}/v1");
    finds(&page, "openai", &nobody, "", "Reach", &["Nobody answers"]).await?;
    finds(&page, "openai", "localhost:1/v1", "", "Address", &["must start with"]).await?;
    let unknown = Server::start(Cors::Unknown, good)?;
    let words = ["Access-Control-Allow-Origin", origin];
    finds(&page, "openai", &unknown.url(), "", "Reach", &words).await?;
    let refuses = Server::start(Cors::Refuses, good)?;
    let words = ["403", origin, "OLLAMA_ORIGINS"];
    // Its protocol tells that it is Ollama; a command is only shown at its usual port.
    finds(&page, "ollama", &refuses.url(), "", "Reach", &words[..2]).await?;
    let nameless = Server::start(Cors::Only("content-type"), good)?;
    finds(&page, "openai", &nameless.url(), "sk-x", "Reach", &["Access-Control-Allow-Headers"])
        .await?;
    page.close().await
}

#[tokio::test]
async fn what_a_server_says_wrong_is_named() -> Result<()> {
    let page = Browser::open("#/endpoints").await?;
    let lost = Server::start(Cors::Open, |_| Reply::json(404, json!({ "error": "no such path" })))?;
    let bare = format!("http://127.0.0.1:{}", lost.port);
    let right = format!("Try {}", lost.url());
    finds(&page, "openai", &bare, "", "Models", &["404", &right]).await?;
    let site = Server::start(Cors::Open, |_| Reply::html(200, "Welcome"))?;
    finds(&page, "openai", &site.url(), "", "Models", &["HTML page", "Welcome"]).await?;
    let key = Server::start(Cors::Open, |_| Reply::json(401, json!({ "error": "no key" })))?;
    finds(&page, "openai", &key.url(), "", "Models", &["401", "requires a key"]).await?;
    let busy = Server::start(Cors::Open, |asked| {
        chat(asked, || Reply {
            headers: vec![("Retry-After", "7".into())],
            ..Reply::json(429, json!({ "error": { "message": "too many" } }))
        })
    })?;
    finds(&page, "openai", &busy.url(), "", "Answer", &["too many", "Wait 7 s"]).await?;
    let broken = Server::start(Cors::Open, |asked| {
        chat(asked, || Reply::json(500, json!({ "error": { "message": "out of memory" } })))
    })?;
    finds(&page, "openai", &broken.url(), "", "Answer", &["out of memory", "log"]).await?;
    let talker = Server::start(Cors::Open, |asked| {
        chat(asked, || {
            let message = json!({ "content": "I think so." });
            Reply::json(200, json!({ "choices": [{ "message": message }] }))
        })
    })?;
    finds(&page, "openai", &talker.url(), "", "ToolCall", &["answered in words"]).await?;
    let half = Server::start(Cors::Open, |asked| {
        if asked.body["stream"] == json!(true) {
            let begun =
                json!({ "tool_calls": [{ "id": "c", "function": { "name": "has_edge" } }] });
            return Reply::events(&[piece(begun, None)], false);
        }
        good(asked)
    })?;
    let words = ["broke off", "switch streaming off"];
    finds(&page, "openai", &half.url(), "", "Stream", &words).await?;
    page.shoot("endpoints-broken-stream-1280-light").await?;
    page.close().await
}

#[tokio::test]
async fn the_command_for_a_known_server_has_this_pages_origin_in_it() -> Result<()> {
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
    let _server = Server::on(listener, Cors::Refuses, good)?;
    let page = Browser::open("#/endpoints").await?;
    let origin = page.run("return location.origin", vec![]).await?;
    let wanted = format!("{command}{}", origin.as_str().unwrap_or_default());
    let url = format!("http://127.0.0.1:{port}{path}");
    finds(&page, protocol, &url, "", "Reach", &[&wanted]).await?;
    page.run("document.querySelector(\"[data-check='Reach']\").scrollIntoView()", vec![]).await?;
    page.shoot("endpoints-refused-1280-light").await?;
    page.close().await
}

/// Each protocol from a real page, with servers that allow the headers that it documents and no
/// other.
#[tokio::test]
async fn every_protocol_asks_with_the_headers_that_it_needs_and_no_other() -> Result<()> {
    let page = Browser::open("#/endpoints").await?;
    for (protocol, path, headers) in [
        ("openai", "/v1", "content-type, authorization"),
        ("responses", "/v1", "content-type, authorization"),
        (
            "anthropic",
            "/v1",
            "content-type, x-api-key, anthropic-version, anthropic-dangerous-direct-browser-access",
        ),
        ("gemini", "/v1beta", "content-type, x-goog-api-key"),
        ("ollama", "", "content-type, authorization"),
    ] {
        let server = Server::start(Cors::Only(headers), tapes(protocol)?)?;
        let url = format!("http://127.0.0.1:{}{path}", server.port);
        page.choose("protocol", protocol).await?;
        page.type_into("endpoint-url", &url).await?;
        page.type_into("endpoint-model", "small-1").await?;
        page.type_into("endpoint-key", "sk-some-key").await?;
        page.click("check").await?;
        outcome(&page, "Stream", "ok").await.with_context(|| protocol.to_owned())?;
        let heads = server.heads.lock().map(|h| h.join("\n")).unwrap_or_default();
        ensure!(heads.contains("sk-some-key"), "{protocol} did not send its key: {heads}");
    }
    page.close().await
}

/// An organisation that has switched pages off says so in words of its own.
#[tokio::test]
async fn an_organisation_that_refuses_pages_is_told_as_that() -> Result<()> {
    let server = Server::start(
        Cors::Only(
            "content-type, x-api-key, anthropic-version, anthropic-dangerous-direct-browser-access",
        ),
        |_| {
            let message = "CORS requests are not allowed for this Organization";
            Reply::json(401, json!({ "error": { "message": message } }))
        },
    )?;
    let page = Browser::open("#/endpoints").await?;
    let words = ["does not allow requests from a page"];
    finds(&page, "anthropic", &server.url(), "sk-some-key", "Models", &words).await?;
    page.close().await
}

#[tokio::test]
async fn silence_is_told_as_silence() -> Result<()> {
    let silent = Server::start(Cors::Open, |_| Reply::silence())?;
    let page = Browser::open("#/endpoints").await?;
    finds(&page, "openai", &silent.url(), "", "Reach", &["says nothing for 15 seconds"]).await?;
    page.close().await
}

/// Makes runs ask a server.
pub(crate) async fn use_endpoint(page: &Browser, url: &str, model: &str) -> Result<()> {
    page.click("endpoint").await?;
    page.click("use-endpoint").await?;
    page.type_into("base-url", url).await?;
    page.type_into("model", model).await?;
    page.click("use").await
}

#[tokio::test]
async fn a_run_streams_and_ends_as_without_a_network() -> Result<()> {
    let companion = Companion::start().await?;
    let page = Browser::open(SOLVE).await?;
    page.until_text(".question", "Q:").await?;
    use_endpoint(&page, &companion.url, "script").await?;
    page.click("grounded").await?;
    page.until_text(".verdicts", "Correct").await?;
    page.close().await
}

#[tokio::test]
async fn a_busy_endpoint_is_asked_again_and_the_wait_is_noted() -> Result<()> {
    let server = Server::start(Cors::Open, |asked| {
        if asked.before == 0 {
            return Reply {
                headers: vec![("Retry-After", "1".into())],
                ..Reply::json(429, json!({ "error": { "message": "too many" } }))
            };
        }
        Reply::events(&[piece(json!({ "content": "There is no cycle." }), Some("stop"))], true)
    })?;
    let page = Browser::open(SOLVE).await?;
    page.until_text(".question", "Q:").await?;
    use_endpoint(&page, &server.url(), "small").await?;
    page.click("standalone").await?;
    page.until_text("[data-testid='live']", "Attempt 2").await?;
    page.until_text(".steps", "attempt 2: the endpoint answered 429: too many").await?;
    page.until_text(".steps", "There is no cycle.").await?;
    // Nobody told what this model costs.
    page.until(
        "no cost is made up",
        "return !document.querySelector('.facts').textContent.includes('$')",
    )
    .await?;
    page.close().await
}

#[tokio::test]
async fn a_stop_hangs_up_at_once_and_keeps_what_had_come() -> Result<()> {
    let server = Server::start(Cors::Open, |_| Reply {
        hangs: true,
        ..Reply::events(&[piece(json!({ "content": "There is <b>no" }), None)], false)
    })?;
    let page = Browser::open(SOLVE).await?;
    page.until_text(".question", "Q:").await?;
    use_endpoint(&page, &server.url(), "small").await?;
    page.click("standalone").await?;
    page.until_text("[data-testid='live'] .say", "There is <b>no").await?;
    page.shoot("live-1280-light").await?;
    page.click("standalone").await?;
    page.until_text(".steps", "There is <b>no").await?;
    page.until_text(".steps .who", "Model, stopped").await?;
    // A model's words are never markup.
    ensure!(page.count(".steps .say b").await? == 0);
    ensure!(page.count("[data-testid='live']").await? == 0);
    page.close().await
}

#[tokio::test]
async fn a_full_context_window_is_told_as_that() -> Result<()> {
    let server = Server::start(Cors::Open, |_| {
        let message = "This model's maximum context length is 4096 tokens.";
        let error = json!({ "error": { "message": message, "code": "context_length_exceeded" } });
        Reply::json(400, error)
    })?;
    let page = Browser::open(SOLVE).await?;
    page.until_text(".question", "Q:").await?;
    use_endpoint(&page, &server.url(), "small").await?;
    page.click("grounded").await?;
    page.until_text("body", "does not fit into the model's context window of 4096 tokens").await?;
    page.close().await
}

#[tokio::test]
async fn only_these_endpoints_holds_and_a_change_offers_to_load_again() -> Result<()> {
    let (mine, other) = (Server::start(Cors::Open, good)?, Server::start(Cors::Open, good)?);
    let page = Browser::open("#/endpoints").await?;
    page.type_into("endpoint-url", &mine.url()).await?;
    page.type_into("endpoint-model", "small").await?;
    page.click("use-this").await?;
    page.until_text(".report.ok", "Runs now ask").await?;
    page.click("only").await?;
    page.until_text("[data-testid='allowed']", &mine.url().replace("/v1", "")).await?;
    let fetch = |url: String| {
        format!(
            "const done = arguments[arguments.length - 1];
             fetch({}).then(() => done('came'), () => done('refused'));",
            json!(url)
        )
    };
    let ask = async |server: &Server| {
        let script = fetch(format!("{}/models", server.url()));
        page.client.execute_async(&script, vec![]).await
    };
    ensure!(ask(&mine).await? == json!("came"), "the endpoint in use must be allowed");
    ensure!(ask(&other).await? == json!("refused"), "another must not");
    ensure!(other.heads.lock().is_ok_and(|h| h.is_empty()), "not even a preflight may leave");
    page.type_into("endpoint-url", &other.url()).await?;
    page.click("use-this").await?;
    page.click("reload").await?;
    page.until_text("[data-testid='allowed']", &other.url().replace("/v1", "")).await?;
    page.until(
        "the settings are back",
        &format!(
            "return document.querySelector(\"[data-testid='endpoint-url']\").value === {}",
            json!(other.url())
        ),
    )
    .await?;
    ensure!(ask(&other).await? == json!("came"));
    ensure!(ask(&mine).await? == json!("refused"));
    // The dialog in the header changes the endpoint too, from any page.
    page.press("nav[aria-label='Pages'] a[href='#/solve']").await?;
    page.until_text(".question", "Q:").await?;
    use_endpoint(&page, &mine.url(), "small").await?;
    page.by_id("reload").await?;
    page.shoot("reload-offer-1280-light").await?;
    // The page that goes has a question too.
    page.run("window.is_old = true", vec![]).await?;
    page.click("reload").await?;
    page.until("the page is loaded again", "return window.is_old === undefined").await?;
    page.until_text(".question", "Q:").await?;
    page.click("standalone").await?;
    page.until_text(".steps", "Yes.").await?;
    page.close().await
}

#[tokio::test]
async fn a_price_makes_a_sum_and_none_makes_none() -> Result<()> {
    let server = Server::start(Cors::Open, |_| {
        let usage = json!({ "choices": [],
            "usage": { "prompt_tokens": 1000, "completion_tokens": 100 } });
        let said = piece(json!({ "content": "There is no cycle." }), Some("stop"));
        Reply::events(&[said, usage], true)
    })?;
    let page = Browser::open(SOLVE).await?;
    page.until_text(".question", "Q:").await?;
    use_endpoint(&page, &server.url(), "small").await?;
    page.click("standalone").await?;
    page.until_text(".facts", "cost unknown").await?;
    page.press("nav[aria-label='Pages'] a[href='#/tools']").await?;
    page.press(".below a[href='#/endpoints']").await?;
    page.until_text("[data-testid='priced']", "unknown").await?;
    page.press("[data-testid='price-table'] summary").await?;
    page.click("add-price").await?;
    for (label, price) in [("Price of input tokens", "2"), ("Price of output tokens", "10")] {
        let css = format!("input[aria-label='{label} of small']");
        page.find(&css).await?.send_keys(&format!("{price}\t")).await?;
    }
    page.until_text("[data-testid='priced']", "counts as small").await?;
    page.press("nav[aria-label='Pages'] a[href='#/solve']").await?;
    page.until_text(".facts", "$0.0030").await?;
    page.close().await
}

#[tokio::test]
async fn the_dialog_fits_and_leads_to_the_page() -> Result<()> {
    let page = Browser::open(SOLVE).await?;
    page.until_text(".question", "Q:").await?;
    page.click("endpoint").await?;
    page.click("use-endpoint").await?;
    for (width, scheme) in [(1280, "light"), (360, "dark")] {
        page.becomes(width, 800, scheme).await?;
        page.shoot(&format!("dialog-{width}-{scheme}")).await?;
        page.until(
            "nothing scrolls sideways",
            "const d = document.querySelector('dialog.endpoint');
             return d.scrollWidth <= d.clientWidth",
        )
        .await?;
    }
    page.press("dialog.endpoint .more").await?;
    page.by_id("check").await?;
    let open = page.run("return document.querySelector('dialog[open]') !== null", vec![]);
    ensure!(open.await? == json!(false), "the dialog stays open");
    page.close().await
}
