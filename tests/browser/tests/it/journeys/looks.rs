//! Pictures of every page, wide and narrow, light and dark; nothing scrolls sideways, and no barrier is in
//! the way.

use anyhow::{Result, ensure};

use crate::browser::Browser;
use crate::screens::{AnyPage, Solve};

/// Pages of knowledge graphs, which are looked at beside the others.
const GRAPHS: [&str; 5] = ["kg", "kgot", "family", "toolformer", "rescue"];

/// Every page of the list, and what of some is worth a look: the name of the picture, and the address.
async fn all(page: &Browser) -> Result<Vec<(String, String)>> {
    let mut list: Vec<(String, String)> = Vec::new();
    for path in page.pages().await? {
        let keys = match path.as_str() {
            "solve" => "?task=shortest_path&difficulty=easy&seed=7",
            "tools" => "?f=max_flow",
            "kg" => "?lines=8&seed=1",
            "family" => "?seed=4&people=9",
            _ => "",
        };
        list.push((path.clone(), format!("#/{path}{keys}")));
    }
    list.push(("solve-matching".into(), "#/solve?task=matching&difficulty=hard&seed=2".into()));
    list.push(("lesson".into(), "#/lessons?l=friends".into()));
    Ok(list)
}

/// The path of an address.
fn path(hash: &str) -> &str {
    hash.split(['/', '?']).nth(1).unwrap_or_default()
}

/// In windows of any width from a phone's to a projector's.
#[tokio::test]
async fn a_page_at_rest_has_no_barriers_and_scrolls_sideways_at_no_width() -> Result<()> {
    let page = Browser::open("#/tools").await?;
    let any = AnyPage(&page);
    let mut faults = Vec::new();
    for (name, hash) in all(&page).await? {
        page.becomes(1280, 768, "light").await?;
        page.go(&hash).await?;
        any.is_at_rest().await?;
        for scheme in ["light", "dark"] {
            page.becomes(1280, 768, scheme).await?;
            let found = any.has_no_barriers(&format!("{name} at rest, {scheme}"), scheme).await;
            faults.extend(found.err().map(|fault| fault.to_string()));
        }
        for width in [320, 400, 520, 639, 640, 700, 768, 820, 960, 1024, 1100, 1199, 1200, 1280] {
            page.becomes(width, 768, "light").await?;
            let wide = page.sideways().await?;
            if wide > 0.0 {
                faults.push(format!("{name} at {width} scrolls sideways by {wide}"));
            }
        }
    }
    ensure!(faults.is_empty(), "{}", faults.join("\n"));
    page.close().await
}

/// Uses pages, and looks at each in every window; gives all faults, not the first alone.
async fn look_at(wants: impl Fn(&str) -> bool) -> Result<()> {
    let page = Browser::open("#/tools").await?;
    let any = AnyPage(&page);
    let mut faults = Vec::new();
    for (name, hash) in all(&page).await?.into_iter().filter(|(_, hash)| wants(path(hash))) {
        page.becomes(1280, 800, "light").await?;
        any.visit(&hash).await?;
        if let Err(fault) = any.is_used(path(&hash)).await {
            faults.push(format!("{name}: {fault:#}"));
            continue;
        }
        for width in [1280, 768, 360] {
            for scheme in ["light", "dark"] {
                let looked = any.look(&name, width, scheme).await;
                faults.extend(looked.err().map(|fault| fault.to_string()));
                // A tablet has nothing that a window or a phone lacks.
                if width != 768 {
                    let what = format!("{name} after use at {width}, {scheme}");
                    let found = any.has_no_barriers(&what, scheme).await;
                    faults.extend(found.err().map(|fault| fault.to_string()));
                }
            }
        }
    }
    ensure!(faults.is_empty(), "{}", faults.join("\n"));
    page.close().await
}

#[tokio::test]
async fn pages_of_problems_fit_and_have_no_barriers_after_use() -> Result<()> {
    look_at(|path| !GRAPHS.contains(&path)).await
}

#[tokio::test]
async fn pages_of_knowledge_graphs_fit_and_have_no_barriers_after_use() -> Result<()> {
    look_at(|path| GRAPHS.contains(&path)).await
}

/// On a tablet or an old projector the drawing and the story are in sight together.
#[tokio::test]
async fn the_story_stays_in_sight_from_a_tablet_up() -> Result<()> {
    let page = Browser::open("#/tools").await?;
    let any = AnyPage(&page);
    for hash in [
        "#/solve?task=cycle&difficulty=easy&seed=2",
        "#/kg",
        "#/family",
        "#/toolformer",
        "#/rescue",
    ] {
        page.go(hash).await?;
        for (width, height) in [(640, 800), (768, 1024), (1024, 768), (1100, 800), (1199, 800)] {
            page.becomes(width, height, "light").await?;
            let seen = any.story_and_stage_are_in_sight().await?;
            ensure!(seen, "{hash} at {width}: story or stage is out of sight");
            // Where three columns have room beside each other, nothing is to be folded away.
            if width < 1000 {
                any.fold().await?;
                let seen = any.story_and_stage_are_in_sight().await?;
                ensure!(seen, "{hash} at {width}: folded, story or stage is out of sight");
                any.fold().await?;
            }
        }
    }
    page.close().await
}

#[tokio::test]
async fn every_task_is_drawn_and_a_wrong_guess_is_beside_a_grounded_answer() -> Result<()> {
    let page = Browser::open("#/tools").await?;
    let (any, solve) = (AnyPage(&page), Solve(&page));
    for task in ["connectivity", "cycle", "topology", "flow", "hamilton", "GNN"] {
        page.load(&format!("#/solve?task={task}&difficulty=easy&seed=4")).await?;
        any.solves().await?;
        any.look(&format!("task-{task}"), 1280, "light").await?;
        page.is_accessible(&format!("{task} after use")).await?;
    }
    page.load("#/solve?task=shortest_path&difficulty=easy&seed=7").await?;
    solve.question().await?;
    page.play_script("mistaken/bad-json").await?;
    solve.plays("sends bad JSON").await?;
    solve.alone().await?;
    solve.is_judged("Wrong").await?;
    any.draws_one_false_edge().await?;
    page.shoot("false-claim-1280-light").await?;
    solve.with_tools().await?;
    solve.is_judged("Correct").await?;
    solve.has_steps(10).await?;
    page.seek_end().await?;
    any.scroll_columns_up().await?;
    // This one is the picture in the README.
    page.shoot("readme").await?;
    page.close().await
}
