//! A run is watched: what plays, its caption and its verdict, keys, and large type.

use anyhow::{Result, ensure};

use crate::browser::Browser;
use crate::screens::{Compare, Head, Kg, Lessons, Player, Rescue, Solve};

#[tokio::test]
async fn the_verdict_comes_with_the_last_step_and_the_drawing_stays_where_it_is() -> Result<()> {
    let page =
        Browser::open_playing("#/solve?task=shortest_path&difficulty=easy&seed=7&model=script")
            .await?;
    let (solve, player, compare) = (Solve(&page), Player(&page), Compare(&page));
    solve.draws(8).await?;
    player.watches_for_early_verdicts().await?;
    solve.with_tools().await?;
    // The caption says what happens.
    player.plays("Playing…").await?;
    player.caption_says("The model calls").await?;
    let last: String = player.display_of_the_last_step().await?;
    ensure!(last == "none", "the answer is seen before it comes");
    solve.is_judged("Correct").await?;
    let early: Vec<String> = player.early_verdicts().await?;
    ensure!(early.is_empty(), "shown at {early:?}");
    player.caption_says("The model answers").await?;
    player.announces("Correct").await?;
    ensure!(player.politeness::<String>().await? == "polite", "it interrupts");
    // A verdict that was shown is not taken back.
    player.goes_to_the_start().await?;
    solve.is_judged("Correct").await?;

    // Both answers of Compare come with their last steps.
    page.go("#/compare?task=cycle&difficulty=easy&seed=3&model=demo").await?;
    compare.names_the_script("a script").await?;
    compare.runs_both().await?;
    compare.is_playing("Playing…").await?;
    // The answer without tools has one step, and does not wait for the other.
    compare.alone_is("Wrong").await?;
    ensure!(compare.n_told_with_tools().await? == 0, "the verdict came before the last step");
    compare.skips_with_tools().await?;
    compare.with_tools_is("Correct").await?;

    // What plays is followed down a long list, and can be skipped.
    page.becomes_playing(1280, 477).await?;
    solve.opens("#/solve?task=shortest_path&difficulty=hard&seed=3&model=script").await?;
    solve.with_tools().await?;
    solve.is_judged("Correct").await?;
    player.has_played().await?;
    player.follows_what_plays().await?;
    ensure!(player.has_its_verdict_in_sight().await?, "the verdict was scrolled away");
    let windows = [(1280, 800), (1024, 768), (768, 1024), (360, 740)];
    for (seed, (width, height)) in (8..).zip(windows) {
        page.becomes_playing(width, height).await?;
        solve
            .opens(&format!("#/solve?task=shortest_path&difficulty=easy&seed={seed}&model=script"))
            .await?;
        solve.is_drawn().await?;
        let before: [f64; 5] = player.place_of_the_drawing().await?;
        solve.with_tools().await?;
        player.skips().await?;
        solve.has_verdict().await?;
        player.has_played().await?;
        let after: [f64; 5] = player.place_of_the_drawing().await?;
        ensure!(before == after, "at {width} it went from {before:?} to {after:?}");
        page.shoot(&format!("watching-solve-{width}")).await?;
    }
    page.close().await
}

#[tokio::test]
async fn keys_walk_over_the_steps_of_every_page_that_plays() -> Result<()> {
    let page =
        Browser::open_playing("#/solve?task=cycle&difficulty=easy&seed=3&model=script").await?;
    let player = Player(&page);
    let solve = Solve(&page);
    solve.question().await?;
    solve.with_tools().await?;
    player.skips().await?;
    solve.has_verdict().await?;
    player.steps_by(&["\u{e012}", "k", "\u{e00e}"], &["\u{e014}", "j", "\u{e00f}"]).await?;
    // Space plays, and pauses.
    page.keys(" ").await?;
    player.has_begun().await?;
    page.keys(" ").await?;
    player.has_paused().await?;

    // The rules are the same everywhere; who is shown has the keys.
    page.becomes(1280, 800, "light").await?;
    page.go("#/compare?task=cycle&difficulty=easy&seed=3&model=demo").await?;
    let compare = Compare(&page);
    compare.names_the_script("a script").await?;
    compare.runs_both().await?;
    compare.verdicts().await?;
    player.steps_by(&["k"], &["j"]).await?;

    page.go("#/kg").await?;
    let kg = Kg(&page);
    kg.is_ready().await?;
    kg.start("graphrunner").await?;
    kg.row_says("graphrunner", "").await?;
    player.steps_by(&["k"], &["j"]).await?;

    page.go("#/family?seed=4&people=9").await?;
    player.runs_a_family().await?;
    player.steps_by(&["k"], &["j"]).await?;

    page.go("#/rescue").await?;
    let rescue = Rescue(&page);
    rescue.facts_say("9 locations").await?;
    rescue.plans().await?;
    player.caption_says("goes from").await?;
    player.steps_by(&["k"], &["j"]).await?;

    let lessons = Lessons(&page);
    lessons.opens("friends", "friends").await?;
    lessons.runs().await?;
    lessons.is_right_with_tools().await?;
    player.steps_by(&["k"], &["j"]).await?;
    page.close().await
}

#[tokio::test]
async fn the_list_of_keys_is_on_every_page_and_large_type_on_every_page_with_a_stage() -> Result<()>
{
    let page = Browser::open_playing("#/solve?task=cycle&difficulty=easy&seed=3").await?;
    let head = Head(&page);
    Solve(&page).question().await?;
    for path in page.pages().await? {
        page.go(&format!("#/{path}")).await?;
        head.asks_for_keys().await?;
        head.escapes().await?;
        if ["solve", "compare", "rescue", "kg", "kgot", "family", "toolformer"]
            .contains(&path.as_str())
        {
            head.presents(&path).await?;
            head.ends_large().await?;
            head.is_small().await?;
        }
    }
    // The palette closes at once, even where something is typed.
    head.opens_palette().await?;
    head.types_into_palette("flow").await?;
    head.escapes().await?;
    // The next visit is large too.
    page.go("#/ask").await?;
    head.presents("ask").await?;
    head.reloads().await?;
    head.is_large().await?;
    page.close().await
}
