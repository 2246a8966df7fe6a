//! Both answers at once, every claim marked, and the pair handed on as link, frame, pictures and film.

use anyhow::{Result, ensure};
use tasks::TaskId;

use crate::browser::{Browser, base};
use crate::screens::{Compare, Head, Solve};

/// Native tests hold that the script for shows is wrong alone and right with tools on every task; here are
/// a path, a yes or no, rows and a set.
#[tokio::test]
async fn one_model_is_wrong_and_right_and_each_false_claim_is_marked_and_drawn() -> Result<()> {
    let page = Browser::open("#/compare").await?;
    let (compare, head) = (Compare(&page), Head(&page));
    head.names_model("Our own small model").await?;
    Solve(&page).question().await?;
    compare.runs_both().await?;
    compare.is_wrong_beside_correct().await?;
    page.shoot("compare-first-press").await?;
    compare.looks_inside().await?;
    page.shoot("compare-look-inside").await?;

    page.play_script("mistaken/bad-json").await?;
    compare.runs_both().await?;
    compare.is_wrong_beside_correct().await?;
    compare.claims_alone("false").await?;
    compare.lists_as_false("there is no edge").await?;
    compare.claims_with_tools("all true").await?;
    compare.draws_what_is_not_there().await?;
    page.shoot("compare-both").await?;
    compare.shows_with_tools().await?;
    compare.draws_nothing_false().await?;
    compare.picks_what_is_false().await?;
    ensure!(compare.n_picked().await? == 1, "not one claim is picked");
    compare.alone_says("token count not reported").await?;
    compare.shows_both().await?;
    compare.keeps_the_player_in_its_column().await?;

    page.go("#/compare?model=demo").await?;
    compare.names_the_script("a script, written to show both").await?;
    compare.runs_both().await?;
    compare.is_wrong_beside_correct().await?;
    for task in [TaskId::Cycle, TaskId::Gnn, TaskId::IndependentSet] {
        compare.choose_task(task).await?;
        compare.runs_both().await?;
        compare.alone_is("Wrong").await?;
        compare.with_tools_is("Correct").await?;
    }
    page.close().await
}

#[tokio::test]
async fn a_compared_pair_is_shared_framed_and_saved_as_pictures_and_as_a_film() -> Result<()> {
    // By a script: the link lets it run again.
    let hash = "#/compare?task=shortest_path&difficulty=easy&seed=7&model=mistaken/bad-json";
    let page = Browser::open(hash).await?;
    let (compare, solve) = (Compare(&page), Solve(&page));
    compare.draws_the_problem().await?;
    let before = page.shared().await?;
    ensure!(!before.contains("run="), "{before}");
    compare.runs_both().await?;
    let seen = compare.verdicts().await?;
    let shared = page.shared().await?;
    ensure!(shared.ends_with("model=mistaken%2Fbad-json&run=1"), "{shared}");
    let (link, code) = compare.frame_code().await?;
    ensure!(link == format!("{}{shared}", base()?), "{link}");
    ensure!(code.contains(&link.replace('&', "&amp;")) && code.contains("&amp;embed=1"), "{code}");

    page.opens_elsewhere(&shared).await?;
    ensure!(compare.verdicts().await? == seen, "the link leads to other verdicts");
    compare.saves_pictures_and_a_film().await?;

    // An edited problem has no seed: both runs are in the link.
    page.go("#/solve").await?;
    solve.question().await?;
    solve.begins_import().await?;
    solve.pastes_and_leaves_for("0 1\n1 2\n2 0\n2 3\n", "#/compare").await?;
    compare.asks("node 0 and node 3").await?;
    compare.runs_both().await?;
    let seen = compare.verdicts().await?;
    let answers: Vec<String> = compare.answers().await?;
    let shared = page.shared().await?;
    ensure!(shared.starts_with("#/compare?s=v1.pair."), "{shared}");
    page.opens_elsewhere(&shared).await?;
    ensure!(compare.verdicts().await? == seen, "the link leads to other verdicts");
    compare.claims_alone("claim").await?;
    let again: Vec<String> = compare.answers().await?;
    ensure!(again == answers, "the link leads to {again:?}");
    page.shoot("shared-pair-1280-light").await?;
    page.no_complaints().await?;
    page.opens_elsewhere(&shared[..shared.len() - 40]).await?;
    Head(&page).notices("damaged").await?;
    page.close().await
}
