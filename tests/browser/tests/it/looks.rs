//! Pictures of every page, wide and narrow, light and dark; and that nothing scrolls sideways.

use anyhow::{Result, ensure};

use crate::browser::Browser;

/// Opens a page in a wide window, and does on it what a person comes for.
async fn used(hash: &str) -> Result<Browser> {
    let page = Browser::open(hash).await?;
    if hash.starts_with("#/solve") {
        page.until_text(".question", "Q:").await?;
        page.click("grounded").await?;
        page.find(".card[data-verdict='Correct']").await?;
        page.seek_end().await?;
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
        page.play_script("mistaken").await?;
        page.click("run-both").await?;
        page.find("[data-testid='side-0'] mark.claim").await?;
        page.find("[data-testid='side-2'] .card[data-verdict]").await?;
        page.run("scrollTo(0, 0)", vec![]).await?;
    }
    if hash.starts_with("#/kg") && !hash.starts_with("#/kgot") {
        page.until_text("[data-testid='kg-figures']", "nodes").await?;
        page.find("[data-testid='kg-questions']").await?;
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
    if hash.starts_with("#/kgot") {
        page.until_text("[data-testid='kgot-files-title']", "4 files").await?;
        page.click("run").await?;
        page.find("[data-testid='kgot-answer']").await?;
    }
    if hash.starts_with("#/toolformer") {
        page.find("[data-testid='family-attribute_calculation'] li").await?;
        page.click("run").await?;
        page.find(".chip.gives").await?;
    }
    if hash.starts_with("#/tools") {
        page.find(".function").await?;
    }
    Ok(page)
}

/// A page as it stands in a window of a width and a scheme: a picture, and what is wrong with it.
async fn look(page: &Browser, name: &str, width: u32, scheme: &str) -> Result<()> {
    page.becomes(width, 800, scheme).await?;
    page.shoot(&format!("{name}-{width}-{scheme}")).await?;
    let wide = page.sideways().await?;
    ensure!(wide <= 0.0, "{name} at {width} scrolls sideways by {wide}");
    let what = format!("{name} after use");
    match scheme {
        "light" => page.is_accessible(&what).await,
        _ => page.has_contrast(&what).await,
    }
}

/// Every page of the list, and what of some is worth a look: the name of the picture, and the address.
async fn all() -> Result<Vec<(String, String)>> {
    let page = Browser::open("#/solve").await?;
    let mut list: Vec<(String, String)> = Vec::new();
    for path in page.pages().await? {
        let keys = match path.as_str() {
            "solve" => "?task=shortest_path&difficulty=easy&seed=7",
            "tools" => "?f=max_flow",
            "family" => "?seed=4&people=9",
            _ => "",
        };
        list.push((path.clone(), format!("#/{path}{keys}")));
    }
    page.close().await?;
    list.push(("solve-matching".into(), "#/solve?task=matching&difficulty=hard&seed=2".into()));
    list.push(("lesson".into(), "#/lessons?l=friends".into()));
    Ok(list)
}

#[tokio::test]
async fn pages_fit_wide_and_narrow_light_and_dark() -> Result<()> {
    // All of them are told, not the first alone.
    let mut faults = Vec::new();
    for (name, hash) in all().await? {
        let page = match used(&hash).await {
            Ok(page) => page,
            Err(fault) => {
                faults.push(format!("{name}: {fault:#}"));
                continue;
            }
        };
        for width in [1280, 360] {
            for scheme in ["light", "dark"] {
                if let Err(fault) = look(&page, &name, width, scheme).await {
                    faults.push(format!("{name} at {width}, {scheme}: {fault:#}"));
                }
            }
        }
        page.close().await?;
    }
    ensure!(faults.is_empty(), "{}", faults.join("\n"));
    Ok(())
}

/// At rest, in a wide window.
#[tokio::test]
async fn axe_finds_nothing_on_a_page_at_rest() -> Result<()> {
    let page = Browser::open("#/tools").await?;
    let hashes = [
        "#/",
        "#/ask",
        "#/gallery",
        "#/dataset",
        "#/lessons",
        "#/kg",
        "#/kgot",
        "#/family",
        "#/toolformer",
        "#/bench",
        "#/tools",
        "#/traces",
        "#/endpoints",
    ];
    for hash in hashes {
        page.run("location.hash = arguments[0]", vec![hash.into()]).await?;
        let path = Some(&hash[2..]).filter(|path| !path.is_empty()).unwrap_or("home");
        page.find(&format!("body[data-page='{path}'] main")).await?;
        tokio::time::sleep(std::time::Duration::from_millis(1_500)).await;
        page.is_accessible(hash).await?;
    }
    page.close().await
}

/// In windows of any width from a phone's to a projector's, at rest.
#[tokio::test]
async fn nothing_scrolls_sideways_at_any_width() -> Result<()> {
    let page = Browser::open("#/tools").await?;
    for (name, hash) in all().await? {
        page.run("location.hash = arguments[0]", vec![hash.clone().into()]).await?;
        let path = hash.split(['/', '?']).nth(1).unwrap_or_default();
        let here = format!("return document.body.dataset.page === '{path}'");
        page.until("the page is shown", &here).await?;
        for width in [320, 400, 520, 639, 640, 700, 768, 820, 960, 1024, 1100, 1199, 1200, 1280] {
            page.becomes(width, 768, "light").await?;
            let wide = page.sideways().await?;
            ensure!(wide <= 0.0, "{name} at {width} scrolls sideways by {wide}");
        }
    }
    page.close().await
}

/// On a tablet or an old projector the drawing and the story are in sight together.
#[tokio::test]
async fn the_story_stays_in_sight_from_a_tablet_up() -> Result<()> {
    let hashes = [
        "#/solve?task=cycle&difficulty=easy&seed=2",
        "#/kg",
        "#/family",
        "#/toolformer",
        "#/rescue",
    ];
    for hash in hashes {
        let page = Browser::open(hash).await?;
        page.find(".right").await?;
        for (width, height) in [(640, 800), (768, 1024), (1024, 768), (1100, 800), (1199, 800)] {
            page.becomes(width, height, "light").await?;
            // Where three columns have room beside each other, nothing is to be folded away.
            let folds = width < 1000;
            for is_folded in [false, true] {
                if is_folded && !folds {
                    continue;
                }
                if is_folded {
                    page.click("fold").await?;
                }
                let seen = "const r = document.querySelector('.right').getBoundingClientRect();
                    const s = document.querySelector('.stage').getBoundingClientRect();
                    return [r, s].every(b => b.top >= 0 && b.top < innerHeight - 100
                        && b.right <= innerWidth + 1 && b.width >= 200 && b.height >= 120)";
                let seen = page.run(seen, vec![]).await?;
                ensure!(seen == true, "{hash} at {width}: story or stage is out of sight");
            }
            if folds {
                page.click("fold").await?;
            }
        }
        page.close().await?;
    }
    Ok(())
}

#[tokio::test]
async fn every_task_is_drawn() -> Result<()> {
    for task in ["connectivity", "cycle", "topology", "flow", "hamilton", "GNN"] {
        let hash = format!("#/solve?task={task}&difficulty=easy&seed=4");
        let page = used(&hash).await?;
        look(&page, &format!("task-{task}"), 1280, "light").await?;
        page.close().await?;
    }
    Ok(())
}

#[tokio::test]
async fn a_wrong_guess_beside_a_grounded_answer() -> Result<()> {
    let page = Browser::open("#/solve?task=shortest_path&difficulty=easy&seed=7").await?;
    page.until_text(".question", "Q:").await?;
    page.play_script("mistaken/bad-json").await?;
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
    page.seek_end().await?;
    let end = "document.querySelector('.left').scrollTop = 0;
        document.querySelector('.right').scrollTop = 0;";
    page.run(end, vec![]).await?;
    // This one is the picture in the README.
    page.shoot("readme").await?;
    page.close().await
}
