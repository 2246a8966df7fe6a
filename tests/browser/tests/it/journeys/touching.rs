//! On a phone and by touch: what fingers do on the drawing, how large targets are, the head, the bar; and
//! the head of a wide window beside it.

use anyhow::{Result, ensure};

use crate::browser::Browser;
use crate::screens::{Compare, Head, Player, Solve};

#[tokio::test]
async fn on_a_phone_fingers_zoom_move_run_and_step_and_everything_is_large_enough() -> Result<()> {
    const SOLVE: &str = "#/solve?task=cycle&difficulty=easy&seed=3&model=script";
    let page = Browser::open_playing_sized(SOLVE, 360, 740, "light").await?;
    let (solve, player, head, compare) = (Solve(&page), Player(&page), Head(&page), Compare(&page));
    player.has_fingers().await?;
    solve.is_drawn().await?;
    head.has_large_targets("solve").await?;

    player.shows_the_drawing().await?;
    let before: [f64; 4] = player.view().await?;
    // Two fingers go apart.
    let apart: Vec<_> = [10.0, 20.0, 40.0, 60.0]
        .iter()
        .map(|by| vec![(150.0 - by, 190.0), (210.0 + by, 190.0)])
        .collect();
    player.touches(&[(150.0, 190.0), (210.0, 190.0)], &apart).await?;
    let near: [f64; 4] = player.view().await?;
    ensure!(near[2] < before[2] * 0.5, "two fingers did not zoom: {before:?} {near:?}");
    let (down, zoom): (f64, f64) = player.scrolled_and_zoomed().await?;
    ensure!((zoom - 1.0).abs() < 1e-9, "the page itself is zoomed by {zoom}");
    // One finger moves what is zoomed in, up and down too, and does not scroll the page.
    let (x, y): (f64, f64) = player.free_place().await?;
    let moves: Vec<_> = [20.0, 50.0, 90.0].iter().map(|by| vec![(x + by * 0.5, y + by)]).collect();
    player.touches(&[(x, y)], &moves).await?;
    let moved: [f64; 4] = player.view().await?;
    ensure!((moved[2] - near[2]).abs() < 0.1, "one finger zoomed");
    ensure!(moved[0] < near[0] - 5.0 && moved[1] < near[1] - 10.0, "{near:?} {moved:?}");
    let (now, _): (f64, f64) = player.scrolled_and_zoomed().await?;
    ensure!((now - down).abs() < 1e-9, "the page was scrolled");

    player.runs_by_the_bar().await?;
    solve.is_judged("Correct").await?;
    page.shoot("bar-solv").await?;
    player.steps_by_the_bar().await?;
    page.go("#/compare?task=cycle&difficulty=easy&seed=3&model=demo").await?;
    compare.names_the_script("a script").await?;
    head.has_large_targets("compare").await?;
    player.runs_by_the_bar().await?;
    compare.verdicts().await?;
    page.shoot("bar-comp").await?;
    player.steps_by_the_bar().await?;

    for (path, hash) in [("rescue", "#/rescue"), ("lessons", "#/lessons?l=friends")] {
        page.go(hash).await?;
        player.has_a_drawing().await?;
        head.has_large_targets(path).await?;
    }
    for path in ["solve", "kg", "lessons", "traces"] {
        page.go(&format!("#/{path}")).await?;
        head.is_low(path).await?;
    }

    // Where there is room there is no bar, and the model in use is read in the head.
    page.becomes(1280, 800, "light").await?;
    page.go("#/solve").await?;
    ensure!(!player.has_a_bar().await?, "a wide window has a phone's bar");
    page.play_script("mistaken/bad-json").await?;
    for path in ["solve", "kg", "traces", "lessons"] {
        page.go(&format!("#/{path}")).await?;
        head.names_model("sends bad JSON").await?;
        head.shows_the_model_whole(path).await?;
    }
    page.close().await
}
