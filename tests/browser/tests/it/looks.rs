//! Pictures of every page, wide and narrow, light and dark; and that nothing scrolls sideways.

use anyhow::{Result, ensure};

use crate::browser::Browser;

async fn look(name: &str, hash: &str, width: u32, scheme: &str) -> Result<()> {
    let page = Browser::open_sized(hash, width, 800, scheme).await?;
    if hash.starts_with("#/solve") {
        page.until_text(".question", "Q:").await?;
        page.click("grounded").await?;
        page.find(".card[data-verdict='Correct']").await?;
        page.run(
            "const t = document.querySelectorAll('.ticks button'); t[t.length - 1].click()",
            vec![],
        )
        .await?;
    }
    if hash.starts_with("#/traces") {
        page.run("location.hash = '#/solve?task=flow&difficulty=easy&seed=3'", vec![]).await?;
        page.until_text(".question", "flow").await?;
        page.click("grounded").await?;
        page.find(".card[data-verdict='Correct']").await?;
        page.run("location.hash = '#/traces'", vec![]).await?;
        page.press("[data-testid='kept-runs'] .open").await?;
        page.find(".step-row").await?;
    }
    if hash.starts_with("#/compare") {
        page.click("endpoint").await?;
        page.choose("script", "mistaken").await?;
        page.click("use").await?;
        page.click("run-both").await?;
        page.find("[data-testid='side-0'] mark.claim").await?;
        page.find("[data-testid='side-2'] .card[data-verdict]").await?;
        page.run("scrollTo(0, 0)", vec![]).await?;
    }
    if hash.starts_with("#/kg") {
        page.until_text("[data-testid='kg-figures']", "nodes").await?;
        page.choose("kg-script", "mistaken:unknown-edge").await?;
        page.click("run-graph_cot").await?;
        page.find("[data-testid='row-graph_cot']").await?;
        page.click("run-graphrunner").await?;
        page.find("[data-testid='row-graphrunner']").await?;
        page.find("[data-testid='kg-printed']").await?;
    }
    if hash.starts_with("#/family") {
        page.until_text("[data-testid='about']", "tools to choose from").await?;
        page.choose("seat-extract", "mistaken-relation").await?;
        page.click("run").await?;
        page.until_text("[data-testid='outcome']", "Right is").await?;
    }
    if hash.starts_with("#/toolformer") {
        page.find("[data-testid='family-attribute_calculation'] li").await?;
        page.click("run").await?;
        page.find(".chip.gives").await?;
    }
    if hash.starts_with("#/tools") {
        page.find(".function").await?;
    }
    page.shoot(&format!("{name}-{width}-{scheme}")).await?;
    let wide = page
        .run(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth",
            vec![],
        )
        .await?;
    ensure!(wide.as_f64().unwrap_or(99.0) <= 0.0, "{name} at {width} scrolls sideways by {wide}");
    page.close().await
}

#[tokio::test]
async fn pages_fit_wide_and_narrow_light_and_dark() -> Result<()> {
    let pages = [
        ("solve", "#/solve?task=shortest_path&difficulty=easy&seed=7"),
        ("solve-matching", "#/solve?task=matching&difficulty=hard&seed=2"),
        ("compare", "#/compare"),
        ("traces", "#/traces"),
        ("dataset", "#/dataset"),
        ("tools", "#/tools?f=max_flow"),
        ("endpoints", "#/endpoints"),
        ("rescue", "#/rescue"),
        ("kg", "#/kg"),
        ("family", "#/family?seed=4&people=9"),
        ("toolformer", "#/toolformer"),
    ];
    for (name, hash) in pages {
        for width in [1280, 360] {
            for scheme in ["light", "dark"] {
                look(name, hash, width, scheme).await?;
            }
        }
    }
    Ok(())
}

#[tokio::test]
async fn every_task_is_drawn() -> Result<()> {
    for task in ["connectivity", "cycle", "topology", "flow", "hamilton", "GNN"] {
        let hash = format!("#/solve?task={task}&difficulty=easy&seed=4");
        look(&format!("task-{task}"), &hash, 1280, "light").await?;
    }
    Ok(())
}

#[tokio::test]
async fn a_wrong_guess_beside_a_grounded_answer() -> Result<()> {
    let page = Browser::open("#/solve?task=shortest_path&difficulty=easy&seed=7").await?;
    page.until_text(".question", "Q:").await?;
    page.click("endpoint").await?;
    page.choose("script", "mistaken/bad-json").await?;
    page.click("use").await?;
    page.until_text(".pill", "sends bad JSON").await?;
    page.click("standalone").await?;
    page.find(".card[data-verdict='Wrong']").await?;
    page.until(
        "the edge that is not there is drawn",
        "return document.querySelectorAll('.edge.ghost.false .line').length === 1",
    )
    .await?;
    page.shoot("false-claim-1280-light").await?;
    page.click("grounded").await?;
    page.find(".card[data-verdict='Correct']").await?;
    page.until("all has come", "return document.querySelectorAll('.steps li').length === 10")
        .await?;
    let end = "const t = document.querySelectorAll('.ticks button'); t[t.length - 1].click();
        document.querySelector('.left').scrollTop = 0;
        document.querySelector('.right').scrollTop = 0;";
    page.run(end, vec![]).await?;
    // This one is the picture in the README.
    page.shoot("readme").await?;
    page.close().await
}
