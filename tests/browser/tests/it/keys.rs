//! A key that is typed in is nowhere but in the request's header.

use anyhow::{Result, ensure};
use serde_json::json;

use crate::browser::{Browser, Companion};
use crate::servers::{Cors, Reply, Server, good};

const CANARY: &str = "sk-canary-7f3a91";

#[tokio::test]
async fn a_key_is_in_no_run_no_store_and_no_address() -> Result<()> {
    let companion = Companion::start().await?;
    let page = Browser::open("#/solve?task=cycle&difficulty=easy&seed=2").await?;
    page.until_text(".question", "Q:").await?;
    page.click("endpoint").await?;
    page.click("use-endpoint").await?;
    page.type_into("base-url", &companion.url).await?;
    page.type_into("key", CANARY).await?;
    page.type_into("model", "script").await?;
    // What goes over the wire is seen where it leaves the page.
    page.run(
        "window.seen = [];
         const before = window.fetch;
         window.fetch = (r, o) => { window.seen.push(new Headers(o && o.headers).get('authorization')); window.space = o && o.targetAddressSpace; return before(r, o); };
         const post = Worker.prototype.postMessage;
         window.posted = [];
         Worker.prototype.postMessage = function (m, ...rest) { window.posted.push(JSON.stringify(m)); return post.call(this, m, ...rest); };",
        vec![],
    )
    .await?;
    page.click("use").await?;
    page.click("grounded").await?;
    page.find(".card[data-verdict='Correct']").await?;
    page.until_text("[data-testid='kept']", "1 run kept").await?;
    let sent = page.run("return window.seen", vec![]).await?;
    ensure!(
        sent.as_array().is_some_and(|s| s.contains(&json!(format!("Bearer {CANARY}")))),
        "the key did not go to the endpoint: {sent}"
    );
    // What is on this machine is asked as that, or a page from elsewhere would be blocked.
    let space = page.run("return window.space", vec![]).await?;
    ensure!(space == json!("loopback"), "the address space is {space}");
    // Everything that the page offers as a file: the trace in every format, the drawing.
    let catch = "window.saved = [];
        const make = URL.createObjectURL;
        URL.createObjectURL = b => { b.text().then(t => window.saved.push(t)); return make(b); };";
    page.run(catch, vec![]).await?;
    page.click("save-svg").await?;
    page.run("location.hash = '#/traces'", vec![]).await?;
    page.press("[data-testid='kept-runs'] .open").await?;
    page.click("tab-raw").await?;
    for (id, _) in trace::formats::TITLES {
        page.choose("save-as", id).await?;
    }
    page.until("all is saved", "return window.saved.length >= 6").await?;
    let saved: Vec<String> =
        serde_json::from_value(page.run("return window.saved", vec![]).await?)?;
    ensure!(saved.iter().filter(|t| t.contains("find_cycle")).count() >= 5, "no trace was saved");
    for text in &saved {
        ensure!(!text.contains(CANARY), "the key is in a file: {}", &text[..text.len().min(300)]);
    }
    let found = everywhere(&page).await?;
    ensure!(found.len() >= 7, "the stores were not read");
    ensure!(found.iter().any(|t| t.contains("find_cycle")), "the kept run was not read");
    for text in &found {
        ensure!(!text.contains(CANARY), "the key is in {}", &text[..text.len().min(300)]);
    }
    page.close().await
}

/// Everything of a page in which a key could lie: address, page, both storages, what went to
/// workers, and every kept run.
async fn everywhere(page: &Browser) -> Result<Vec<String>> {
    let found = page
        .client
        .execute_async(
            "const done = arguments[arguments.length - 1];
             const found = [location.href, document.documentElement.outerHTML,
                 JSON.stringify(localStorage), JSON.stringify(sessionStorage), ...(window.posted || [])];
             const open = indexedDB.open('graphground');
             open.onsuccess = () => {
                 const db = open.result;
                 const names = [...db.objectStoreNames];
                 const t = db.transaction(names);
                 let left = names.length;
                 for (const n of names) {
                     t.objectStore(n).getAll().onsuccess = e => {
                         found.push(JSON.stringify(e.target.result));
                         left -= 1;
                         if (left === 0) done(found);
                     };
                 }
             };",
            vec![],
        )
        .await?;
    Ok(serde_json::from_value(found)?)
}

/// A key that an endpoint quotes in its error, and that is kept in each place in turn.
#[tokio::test]
async fn a_key_is_kept_only_where_it_was_ticked_and_forgotten_everywhere() -> Result<()> {
    let server = Server::start(Cors::Open, good)?;
    let page = Browser::open("#/endpoints").await?;
    page.type_into("endpoint-url", &server.url()).await?;
    page.type_into("endpoint-model", "small").await?;
    page.type_into("endpoint-key", CANARY).await?;
    page.click("use-this").await?;
    page.until_text(".report.ok", "Runs now ask").await?;
    let stored = async || -> Result<(bool, bool)> {
        let script = "return [sessionStorage, localStorage].map(s => JSON.stringify(s))";
        let found = page.run(script, vec![]).await?;
        let has = |at: usize| found[at].as_str().is_some_and(|t| t.contains(CANARY));
        Ok((has(0), has(1)))
    };
    ensure!(stored().await? == (false, false), "in memory means in memory");
    for text in everywhere(&page).await? {
        ensure!(!text.contains(CANARY), "the key is in {}", &text[..text.len().min(300)]);
    }
    page.click("keep-tab").await?;
    ensure!(stored().await? == (true, false), "the tab's storage, and no other");
    page.click("keep-device").await?;
    ensure!(stored().await? == (false, true), "the device's storage, and no other");
    // It is there after the page was loaded again, and goes to its own address.
    page.client.refresh().await?;
    page.click("check").await?;
    page.find("[data-check='Stream'][data-outcome='ok']").await?;
    let sent = server.heads.lock().is_ok_and(|h| h.iter().any(|h| h.contains(CANARY)));
    ensure!(sent, "the key did not go to the endpoint");
    page.click("forget-key").await?;
    ensure!(stored().await? == (false, false), "forgotten means forgotten");
    page.close().await
}

#[tokio::test]
async fn a_key_goes_to_no_other_endpoint_and_no_error_shows_it() -> Result<()> {
    let mine = Server::start(Cors::Open, |_| {
        Reply::json(401, json!({ "error": { "message": format!("wrong key {CANARY}") } }))
    })?;
    let other = Server::start(Cors::Open, good)?;
    let page = Browser::open("#/solve?task=cycle&difficulty=easy&seed=2").await?;
    page.until_text(".question", "Q:").await?;
    page.click("endpoint").await?;
    page.click("use-endpoint").await?;
    page.type_into("base-url", &mine.url()).await?;
    page.type_into("key", CANARY).await?;
    page.type_into("model", "small").await?;
    page.click("use").await?;
    page.click("standalone").await?;
    page.until_text("body", "the endpoint answered 401").await?;
    page.until_text("[data-testid='kept']", "1 run kept").await?;
    for text in everywhere(&page).await? {
        ensure!(!text.contains(CANARY), "the key is in {}", &text[..text.len().min(300)]);
    }
    page.click("endpoint").await?;
    page.type_into("base-url", &other.url()).await?;
    page.click("use").await?;
    page.click("standalone").await?;
    page.until_text(".steps", "Yes.").await?;
    let leaked = other.heads.lock().is_ok_and(|h| h.iter().any(|h| h.contains(CANARY)));
    ensure!(!leaked, "the key went to another endpoint");
    page.close().await
}
