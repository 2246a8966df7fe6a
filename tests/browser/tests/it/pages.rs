//! The catalogue, the addresses, the keyboard.

use anyhow::{Result, ensure};
use fantoccini::key::Key;

use crate::browser::Browser;

#[tokio::test]
async fn every_function_has_a_page_and_its_example_runs() -> Result<()> {
    let page = Browser::open("#/tools").await?;
    page.until(
        "the catalogue is there",
        "return document.querySelectorAll('.catalog li').length >= 40",
    )
    .await?;
    let names = page
        .run(
            "return [...document.querySelectorAll('.catalog li code')].map(c => c.textContent)",
            vec![],
        )
        .await?;
    for name in names.as_array().into_iter().flatten().filter_map(|n| n.as_str()) {
        page.run("location.hash = '#/tools?f=' + arguments[0]", vec![name.into()]).await?;
        page.until_text(".function h1", name).await?;
        page.press(".function .schema-form button").await?;
        page.by_id("try-result").await?;
        let failed = page.count(".function .report.no").await?;
        ensure!(failed == 0, "{name}: {}", page.text("[data-testid='try-result']").await?);
    }
    page.close().await
}

#[tokio::test]
async fn the_schema_is_shown_in_every_shape() -> Result<()> {
    let page = Browser::open("#/tools?f=find_shortest_distance").await?;
    page.until_text(".function h1", "find_shortest_distance").await?;
    for (i, word) in
        ["exceptions", "\"function\"", "input_schema", "inputSchema"].iter().enumerate()
    {
        page.press(&format!(".tabs button:nth-child({})", i + 1)).await?;
        page.until_text(".code pre", word).await?;
    }
    page.type_into("find-function", "matching").await?;
    page.until("fewer are listed", "return document.querySelectorAll('.catalog li').length < 10")
        .await?;
    page.close().await
}

#[tokio::test]
async fn on_a_phone_the_functions_are_folded_until_one_is_looked_for() -> Result<()> {
    let page = Browser::open_sized("#/tools", 360, 780, "light").await?;
    page.find(".function h1").await?;
    let folded = "return !document.querySelector('[data-testid=functions]').open";
    ensure!(page.run(folded, vec![]).await? == true, "the list is open");
    let place = "return document.querySelector('.function h1').getBoundingClientRect().top";
    let top = page.run(place, vec![]).await?.as_f64().unwrap_or(f64::MAX);
    ensure!(top < 780.0, "the function begins at {top} px");
    page.type_into("find-function", "matching").await?;
    page.until("the list opens", "return document.querySelector('[data-testid=functions]').open")
        .await?;
    page.press(".catalog li a").await?;
    page.until_text(".function h1", "matching").await?;
    page.until("the list folds", folded).await?;
    page.close().await
}

#[tokio::test]
async fn an_address_names_a_problem() -> Result<()> {
    let page = Browser::open("#/solve?task=matching&difficulty=hard&seed=11").await?;
    page.until_text(".question", "job applicants").await?;
    let first = page.text(".question").await?;
    page.client.goto("about:blank").await?;
    let url = format!("{}#/solve?task=matching&difficulty=hard&seed=11", crate::browser::base()?);
    page.client.goto(&url).await?;
    page.until_text(".question", "job applicants").await?;
    ensure!(page.text(".question").await? == first);
    // Nonsense in an address is left out, not an error.
    page.client.goto(&format!("{}#/nowhere?task=xyz&seed=%00", crate::browser::base()?)).await?;
    page.client.refresh().await?;
    page.until_text("[data-testid='home-question']", "node").await?;
    page.close().await
}

#[tokio::test]
async fn the_graph_is_walked_with_the_arrow_keys() -> Result<()> {
    let page = Browser::open("#/solve?task=cycle&difficulty=easy&seed=3").await?;
    page.until("drawn", "return document.querySelectorAll('.node').length > 3").await?;
    page.run("document.querySelector('.node[tabindex=\"0\"]').focus()", vec![]).await?;
    let mut seen = std::collections::BTreeSet::new();
    for key in [Key::Right, Key::Down, Key::Left, Key::Up, Key::Right, Key::Down] {
        let label =
            page.run("return document.activeElement.getAttribute('aria-label')", vec![]).await?;
        seen.insert(label.to_string());
        page.client.active_element().await?.send_keys(&char::from(key).to_string()).await?;
    }
    ensure!(seen.len() > 1, "the focus stayed on {seen:?}");
    ensure!(seen.iter().all(|l| l.contains("node ")), "{seen:?}");
    page.click("table").await?;
    let rows = page.count(".graph-table tbody tr").await?;
    ensure!(rows > 3);
    page.close().await
}

/// The page that is left writes its address a last time, before it is told that it is left.
#[tokio::test]
async fn an_address_that_was_just_changed_is_not_changed_back() -> Result<()> {
    let page = Browser::open("#/solve?task=cycle&difficulty=easy&seed=2").await?;
    page.until_text(".question", "Q:").await?;
    page.run(
        "location.hash = '#/compare';
         const style = document.querySelector('[data-testid=style]');
         style.value = [...style.options].map(o => o.value).find(v => v !== style.value);
         style.dispatchEvent(new Event('change', { bubbles: true }));",
        vec![],
    )
    .await?;
    page.find("body[data-page='compare'] main").await?;
    page.close().await
}

#[tokio::test]
async fn addresses_that_lead_nowhere_say_so_and_tabs_are_told_apart() -> Result<()> {
    // The address without a path is the first page, and nothing is said.
    let page = Browser::open("").await?;
    page.find("[data-testid='home-question']").await?;
    ensure!(page.count("[data-testid='lost']").await? == 0, "the first page is said to be none");
    page.run("location.hash = '#/nonsense'", vec![]).await?;
    page.until_text("[data-testid='lost']", "no page \"nonsense\"").await?;
    page.run("location.hash = '#/lessons?l=friends'", vec![]).await?;
    let is_titled = "return document.title === 'A message among friends · Lessons · Graphground'";
    page.until("the tab names the lesson", is_titled).await?;
    ensure!(page.count("[data-testid='lost']").await? == 0);
    page.run("location.hash = '#/solve?task=banana&seed=3'", vec![]).await?;
    page.until_text(".notice", "task \"banana\"").await?;
    page.until("the tab names the page", "return document.title.startsWith('One problem')").await?;
    // The first stop of the keyboard leads past the head.
    page.run("document.activeElement?.blur()", vec![]).await?;
    page.find("body").await?.send_keys(&Key::Tab.to_string()).await?;
    page.until("it is the first stop", "return document.activeElement?.className === 'skip'")
        .await?;
    page.client.active_element().await?.send_keys(&Key::Enter.to_string()).await?;
    page.until("the page has the focus", "return document.activeElement?.tagName === 'MAIN'")
        .await?;
    page.close().await
}

#[tokio::test]
async fn the_palette_finds_lessons_and_things_to_do() -> Result<()> {
    let page = Browser::open("#/solve").await?;
    let open = "window.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }))";
    page.run(open, vec![]).await?;
    page.type_into("palette", "friends").await?;
    page.until_text("dialog.palette li", "lesson").await?;
    page.press("dialog.palette li").await?;
    page.until_text("[data-testid='lesson'] h1", "A message among friends").await?;
    page.run(open, vec![]).await?;
    page.type_into("palette", "choose the model").await?;
    page.press("dialog.palette li").await?;
    page.find("dialog.endpoint[open]").await?;
    page.close().await
}

#[tokio::test]
async fn a_function_is_proposed_kept_shown_and_deleted() -> Result<()> {
    let page = Browser::open("#/tools").await?;
    page.press("[data-testid='propose'] summary").await?;
    page.click("check-proposal").await?;
    page.until_text("[data-testid='composed-panel']", "friends_of_friends").await?;
    page.until_text("[data-testid='composed-examples']", "✓ gives [2], should give [2]").await?;
    // It is there after a reload, and its name is taken.
    page.client.refresh().await?;
    page.until_text("[data-testid='composed-panel']", "friends_of_friends").await?;
    page.press("[data-testid='propose'] summary").await?;
    page.click("check-proposal").await?;
    page.until_text("[data-testid='proposal-faults']", "take another name").await?;
    page.is_accessible("a composed function").await?;
    page.click("delete-composed").await?;
    page.until_text("[data-testid='composed-functions']", "None yet").await?;
    page.close().await
}
