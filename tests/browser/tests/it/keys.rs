//! A key that is typed in is nowhere but in the request's header.

use anyhow::{Result, ensure};
use serde_json::json;

use crate::browser::{Browser, Companion};

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
         window.fetch = (r, o) => { window.seen.push(new Headers(o && o.headers).get('authorization')); return before(r, o); };
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
    let everywhere = page
        .client
        .execute_async(
            "const done = arguments[arguments.length - 1];
             const found = [location.href, document.documentElement.outerHTML,
                 JSON.stringify(localStorage), JSON.stringify(sessionStorage), ...window.posted];
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
    let found: Vec<String> = serde_json::from_value(everywhere)?;
    ensure!(found.len() >= 7, "the stores were not read");
    ensure!(found.iter().any(|t| t.contains("find_cycle")), "the kept run was not read");
    for text in &found {
        ensure!(!text.contains(CANARY), "the key is in {}", &text[..text.len().min(300)]);
    }
    page.close().await
}
