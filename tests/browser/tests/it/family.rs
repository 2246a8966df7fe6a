//! Family: a request goes through both models, mistakes are seen, what is new is used.

use anyhow::{Result, ensure};

use serde_json::json;

use crate::browser::{Browser, Companion};
use crate::endpoints::use_endpoint;
use crate::servers::{Cors, Reply, Server, piece};

/// Opens a benchmark of a seed and waits for its request.
async fn open() -> Result<Browser> {
    let page = Browser::open("#/family?seed=4&people=9").await?;
    page.until_text("[data-testid='about']", "tools to choose from").await?;
    Ok(page)
}

async fn unfold(page: &Browser) -> Result<()> {
    page.run("document.querySelectorAll('.family details').forEach(d => d.open = true)", vec![])
        .await?;
    Ok(())
}

/// Puts words into a field as typing does.
async fn fill(page: &Browser, testid: &str, words: &str) -> Result<()> {
    let fill = "const f = document.querySelector(`[data-testid='${arguments[0]}']`);
        f.value = arguments[1];
        f.dispatchEvent(new Event('input', { bubbles: true }));";
    page.run(fill, vec![testid.into(), words.into()]).await?;
    Ok(())
}

async fn verdicts(page: &Browser) -> Result<String> {
    let read = "return [...document.querySelectorAll('.family .card')]
        .map(c => c.dataset.verdict).join(' ')";
    Ok(page.run(read, vec![]).await?.as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn a_request_is_searched_called_and_scored() -> Result<()> {
    let page = open().await?;
    page.until("people are drawn", "return document.querySelectorAll('.family .node').length > 10")
        .await?;
    page.click("run").await?;
    page.until_text("[data-testid='outcome']", "Right is").await?;
    ensure!(verdicts(&page).await? == "Correct Correct", "{}", verdicts(&page).await?);
    ensure!(
        page.text("[data-testid='called']").await? == page.text("[data-testid='right']").await?
    );
    ensure!(page.count(".family .edge.true").await? == 2, "the sub-graph is marked");
    ensure!(page.text("[data-testid='hops']").await?.contains("matched"));
    ensure!(page.count(".timeline rect").await? > 4, "both models' steps are in the player");
    // A step back from the end, and the whole way: the drawing follows the cursor.
    page.seek(1).await?;
    page.until("nothing was found yet", "return !document.querySelector('.family .edge.read')")
        .await?;
    page.click("to-traces").await?;
    page.find(".step-row").await?;
    page.close().await
}

#[tokio::test]
async fn a_name_that_was_made_up_is_expanded_or_replaced() -> Result<()> {
    let page = open().await?;
    page.choose("seat-extract", "mistaken-relation").await?;
    page.choose("method", "exact").await?;
    page.click("run").await?;
    page.until_text("[data-testid='outcome']", "Called nothing").await?;
    ensure!(verdicts(&page).await? == "Wrong Wrong", "{}", verdicts(&page).await?);
    let hops = page.text("[data-testid='hops']").await?;
    for words in ["not there", "expanded to", "replaced by"] {
        ensure!(hops.contains(words), "{words}: {hops}");
    }
    ensure!(page.count(".family .edge.false").await? == 2, "what was not found is marked");
    page.choose("method", "gs").await?;
    page.click("run").await?;
    page.until_text("[data-testid='outcome']", "Right is").await?;
    ensure!(verdicts(&page).await? == "Partly right Correct", "{}", verdicts(&page).await?);
    ensure!(page.text("[data-testid='measures']").await?.contains("1 of 1"));
    page.close().await
}

#[tokio::test]
async fn a_wrong_tool_is_wrong_and_a_wrong_type_is_seen() -> Result<()> {
    let page = open().await?;
    page.choose("seat-call", "mistaken-tool").await?;
    page.click("run").await?;
    page.until_text("[data-testid='outcome']", "Right is").await?;
    ensure!(verdicts(&page).await? == "Correct Wrong", "{}", verdicts(&page).await?);
    page.choose("seat-call", "mistaken-type").await?;
    page.click("run").await?;
    page.until_text(".steps", "must be of type").await?;
    page.close().await
}

#[tokio::test]
async fn what_is_new_is_used_by_the_next_request() -> Result<()> {
    let page = open().await?;
    unfold(&page).await?;
    fill(&page, "query", "Call a taxi to my favourite tree.").await?;
    page.until_text("[data-testid='about']", "nobody knows what is right").await?;
    page.click("run").await?;
    page.until_text("[data-testid='called']", "what is my favourite tree").await?;
    let speaker =
        page.run("return document.querySelector(`[data-testid='speaker']`).value", vec![]).await?;
    let speaker = speaker.as_str().unwrap_or_default().to_owned();
    fill(&page, "fact-head", &speaker).await?;
    fill(&page, "fact-relation", "favourite tree").await?;
    fill(&page, "fact-tail", "the old oak").await?;
    page.click("fact-add").await?;
    page.until_text("[data-testid='added']", "1 added").await?;
    page.click("run").await?;
    page.until_text("[data-testid='called']", "the old oak").await?;
    // The same again is refused, and says so.
    fill(&page, "fact-relation", "favourite tree").await?;
    fill(&page, "fact-tail", "the old oak").await?;
    page.click("fact-add").await?;
    page.until_text(".notice", "known already").await?;
    page.close().await
}

#[tokio::test]
async fn nobody_speaks_and_searches_by_hand() -> Result<()> {
    let page = open().await?;
    unfold(&page).await?;
    fill(&page, "by-hand", "KG.search(start=\"Nobody\", path=[])").await?;
    page.click("search").await?;
    page.until_text(".paths", "its path is empty").await?;
    page.choose("speaker", "").await?;
    page.click("run").await?;
    page.until_text(".notice", "there is no speaker").await?;
    page.close().await
}

#[tokio::test]
async fn models_at_an_endpoint_do_both_steps() -> Result<()> {
    let companion = Companion::start().await?;
    let page = open().await?;
    use_endpoint(&page, &companion.url, "kgetool/script").await?;
    page.click("run").await?;
    page.until_text("[data-testid='outcome']", "Right is").await?;
    ensure!(verdicts(&page).await? == "Correct Correct", "{}", verdicts(&page).await?);
    page.close().await
}

#[tokio::test]
async fn each_step_has_a_model_at_an_address_of_its_own() -> Result<()> {
    let (first, second) = (Companion::start().await?, Companion::start().await?);
    ensure!(first.url != second.url, "two servers at {}", first.url);
    let page = open().await?;
    use_endpoint(&page, &first.url, "kgetool/mistaken-relation").await?;
    page.until_text(".pill", "kgetool/mistaken-relation").await?;
    use_endpoint(&page, &second.url, "kgetool/mistaken-tool").await?;
    page.until_text(".pill", "kgetool/mistaken-tool").await?;
    // The one in use sits in both seats; the first is still to be had.
    let earlier = format!("openai {} kgetool/mistaken-relation", first.url);
    page.choose("seat-extract", &earlier).await?;
    page.choose("method", "gs").await?;
    page.click("run").await?;
    page.until_text("[data-testid='outcome']", "Right is").await?;
    // The first model makes a relation up, the second calls a wrong tool.
    ensure!(verdicts(&page).await? == "Partly right Wrong", "{}", verdicts(&page).await?);
    // The other way round neither errs: the one searches well, the other calls well.
    page.choose("seat-extract", "endpoint").await?;
    page.choose("seat-call", &earlier).await?;
    page.click("run").await?;
    page.until(
        "both are right",
        "return [...document.querySelectorAll('.family .card')]
        .map(c => c.dataset.verdict).join(' ') === 'Correct Correct'",
    )
    .await?;
    page.close().await
}

#[tokio::test]
async fn a_stop_keeps_what_had_come_and_judges_nothing() -> Result<()> {
    let server = Server::start(Cors::Open, |_| Reply {
        hangs: true,
        ..Reply::events(&[piece(json!({ "content": "I search <b>for" }), None)], false)
    })?;
    let page = open().await?;
    use_endpoint(&page, &server.url(), "small").await?;
    page.click("run").await?;
    page.until_text("[data-testid='live'] .say", "I search <b>for").await?;
    page.click("stop").await?;
    page.until_text("[data-testid='outcome']", "stopped by you").await?;
    page.until_text(".steps .who", "Model, stopped").await?;
    ensure!(page.count(".steps .say b").await? == 0, "a model's words are never markup");
    ensure!(verdicts(&page).await?.is_empty(), "{}", verdicts(&page).await?);
    page.close().await
}

#[tokio::test]
async fn what_is_found_is_seen_wide_and_narrow() -> Result<()> {
    let page = Browser::open("#/family?seed=4&people=9").await?;
    page.until_text("[data-testid='about']", "tools to choose from").await?;
    page.choose("seat-extract", "mistaken-relation").await?;
    page.click("run").await?;
    page.until_text("[data-testid='outcome']", "Right is").await?;
    page.run("document.querySelectorAll('main section').forEach(s => s.scrollTop = 0)", vec![])
        .await?;
    for width in [1280, 360] {
        for scheme in ["light", "dark"] {
            page.becomes(width, 800, scheme).await?;
            for (part, css) in [("stage", ".family .stage"), ("story", ".family .right")] {
                let show = "document.querySelector(arguments[0]).scrollIntoView()";
                page.run(show, vec![css.into()]).await?;
                page.shoot(&format!("family-{part}-{width}-{scheme}")).await?;
            }
            // What a long name or a wide table would do to the page.
            let wide = page.sideways().await?;
            ensure!(wide <= 0.0, "at {width} it scrolls sideways by {wide}");
        }
        // Every control is large enough for a finger.
        let small = "return [...document.querySelectorAll('.family button, .family select')]
            .filter(b => b.offsetParent && b.getBoundingClientRect().height < 24)
            .map(b => b.textContent).join('; ')";
        let small = page.run(small, vec![]).await?;
        ensure!(small.as_str() == Some(""), "too small at {width}: {small}");
    }
    page.close().await
}
