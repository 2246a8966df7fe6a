//! Robots for a disaster: what is said and answered, events by click, plans, and maps of one's own.

use anyhow::{Result, ensure};

use crate::browser::{Browser, file};
use crate::screens::{Head, Rescue};

#[tokio::test]
async fn the_papers_conversation_runs_without_a_key_and_a_script_that_errs_is_caught() -> Result<()>
{
    let page = Browser::open("#/rescue").await?;
    let (rescue, head) = (Rescue(&page), Head(&page));
    rescue.facts_say("9 locations").await?;
    let answer = rescue.says("Deploy rescue robots. There are survivors and fire hazards.").await?;
    ensure!(
        answer.contains("R1: L5 -> L3 -> L5 -> L7; serves S1 at 3, S2 at 9; length 9"),
        "{answer}"
    );
    rescue.turn_verdict_says("every rule is kept").await?;
    rescue.plan_has("No fault").await?;
    ensure!(rescue.n_steps().await? == 4, "both routes are drawn, step by step");
    let answer =
        rescue.says("What are the locations of victims with critical health condition?").await?;
    ensure!(answer == "S1 at L3, critical; S3 at L1, critical.", "{answer}");
    rescue.says("Fire expanded to L2. Update the environment.").await?;
    rescue.burns("L2").await?;
    let answer = rescue.says("Robot 1 is lost.").await?;
    ensure!(answer.contains("R2: L6 -> L1 -> L6 -> L4 -> L7 -> L5 -> L3"), "{answer}");
    let answer = rescue.says("How far is it from L6 to L3?").await?;
    ensure!(answer.starts_with("27 units"), "{answer}");
    // The calls are there for who wants them.
    rescue.unfolds_calls("find_shortest_path").await?;
    // A reload loses nothing.
    head.reloads().await?;
    rescue.has_turns(5).await?;
    rescue.burns("L2").await?;

    // A script that errs as the paper's model did is caught.
    page.opens_elsewhere("#/rescue").await?;
    rescue.errs().await?;
    rescue.says("Deploy the rescue robots.").await?;
    for words in [
        "node L0 of the graph is no location",
        "edge L5 - L9 of the graph is no road",
        "3 times 4 for the debris",
        "R1 goes L5 -> L1, and there is no such road",
    ] {
        rescue.turn_says(words).await?;
    }
    ensure!(rescue.n_bad_steps().await? == 2, "the steps without a road are not marked");
    page.shoot("rescue-mistaken-1280-light").await?;
    // Few functions are enough for a plan.
    rescue.errs().await?;
    rescue.sends_few_tools().await?;
    rescue.says("Deploy the rescue robots.").await?;
    rescue.plan_says("Every rule is kept").await?;
    rescue.unfolds_last_turn().await?;
    rescue.turn_says("12 of ").await?;
    page.close().await
}

#[tokio::test]
async fn an_event_by_click_breaks_the_plan_and_the_model_plans_again() -> Result<()> {
    let page = Browser::open("#/rescue").await?;
    let rescue = Rescue(&page);
    rescue.facts_say("9 locations").await?;
    page.fits("rescue-fresh", None).await?;
    rescue.says("Deploy the rescue robots.").await?;
    rescue.plans().await?;
    rescue.routes_say("S1 at 3").await?;
    rescue.best_says("Proven best").await?;
    rescue.picks("L7", "L7").await?;
    rescue.takes("Fire here").await?;
    rescue.plan_has("Faults").await?;
    rescue.plan_says("L7, which burns").await?;
    rescue.marks_as_changed("L7").await?;
    rescue.talk_fits("rescue-talk").await?;
    rescue.plan_fits("rescue-plan").await?;
    rescue.replans().await?;
    rescue.turn_says("Unreachable: S2 (L7 burns)").await?;
    rescue.plan_has("No fault").await?;
    rescue.routes_say("cannot be reached").await?;
    // Back to before the fire: the plan is older than the map again.
    rescue.undoes().await?;
    rescue.burns_no_longer("L7").await?;
    rescue.plan_says("S2 at L7").await?;
    page.close().await
}

#[tokio::test]
async fn a_map_is_made_edited_saved_and_opened() -> Result<()> {
    let page = Browser::open("#/rescue").await?;
    let (rescue, head) = (Rescue(&page), Head(&page));
    // The keyboard walks the map, and the tables tell the same.
    rescue.walks_right("L5", "L2").await?;
    rescue.takes("Fire here").await?;
    rescue.toggles_tables().await?;
    rescue.tables_say("fire, debris").await?;
    ensure!(rescue.n_rows().await? == 18, "they have not nine locations and nine roads");
    rescue.toggles_tables().await?;
    rescue.has_no_tables().await?;
    rescue.undoes().await?;

    rescue.plans_map_of("60").await?;
    rescue.undoes().await?;
    rescue.facts_say("9 locations").await?;
    rescue.plans_map_of("200").await?;
    for _ in 0..3 {
        rescue.zooms_in().await?;
    }
    rescue.can_be_hit().await?;
    page.shoot("rescue-200-zoomed-1280-light").await?;
    // How long is a measurement, not a test: it depends on the machine.
    println!("200 locations were planned in {} ms", rescue.planned_in().await?);
    rescue.undoes().await?;
    rescue.facts_say("9 locations").await?;
    // The editor: a road that is not there, a location that goes.
    rescue.picks("L8", "L8").await?;
    rescue.takes("New road from here").await?;
    rescue.hints("other end").await?;
    rescue.picks("L9", "Road L8 - L9").await?;
    rescue.facts_say("10 roads").await?;
    rescue.picks("L9", "L9").await?;
    rescue.takes("Take it off the map").await?;
    rescue.facts_say("8 locations, 8 roads").await?;
    // A file that is no scenario says so; one that is opens.
    rescue.opens_file(&file("bad-scenario.json", "{\"version\": 1}")?).await?;
    head.notices("this is no scenario").await?;
    let good = tasks::rescue::generate(12, 5)?;
    rescue.opens_file(&file("good-scenario.json", &good.to_json())?).await?;
    rescue.facts_say("12 locations").await?;
    page.close().await
}
