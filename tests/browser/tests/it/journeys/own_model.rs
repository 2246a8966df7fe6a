//! Our own small model in the page: chosen, right with tools, stopped, looked into, tested, and plain about
//! what it cannot read.

use anyhow::{Result, ensure};
use llm::Message;

use crate::browser::Browser;
use crate::screens::{LookInside, ModelTest, OwnModel, Solve, Traces};

#[tokio::test]
async fn our_own_model_is_chosen_guesses_alone_is_right_with_tools_and_stops() -> Result<()> {
    let page = Browser::open("#/solve?task=shortest_path&difficulty=easy&seed=7").await?;
    let (own, solve) = (OwnModel(&page), Solve(&page));
    solve.question().await?;
    own.dialog_is_left().await?;
    own.is_chosen().await?;
    solve.alone().await?;
    solve.has_verdict().await?;
    solve.is_idle().await?;
    solve.with_tools().await?;
    solve.is_idle().await?;
    solve.is_judged("Correct").await?;
    // It knows the tools by their names: that its prompt is short is no sign that somebody left them out.
    ensure!(!page.shown_words().await?.contains("tools_dropped"));
    page.shoot("own-model-solved-1280-light").await?;
    // No worker of model files was needed for it, and the weights came once.
    ensure!(own.n_loaded("model_worker").await? == 0 && own.n_loaded("own.bin").await? == 1);

    // The drawing of a maximum flow says how much flows through each pipe, and where it begins and ends.
    page.go("#/solve?task=flow&difficulty=easy&seed=2").await?;
    solve.asks("flow").await?;
    solve.with_tools().await?;
    solve.is_idle().await?;
    solve.is_judged("Correct").await?;
    own.draws_flow().await?;
    page.shoot("solve-flow-1280-light").await?;

    // It is stopped between tokens. Of nine runs to the vote one may be over before anybody is there to stop
    // it. Nobody has to choose it again after a reload.
    page.load("#/solve?task=flow&difficulty=hard&seed=3&runs=9").await?;
    own.is_in_use().await?;
    solve.asks("flow").await?;
    // The engine has the model, so that tokens are what is stopped.
    solve.alone().await?;
    solve.is_idle().await?;
    let took = own.stops_at_once("grounded").await?;
    println!("a run of our own model ended {took:.0} ms after Stop");
    page.says("topped").await?;
    ensure!(took < 500.0, "the run went on for {took} ms after Stop");
    // The engine is still there, and answers.
    solve.with_tools().await?;
    solve.is_idle().await?;
    solve.is_judged("Correct").await?;

    page.go("#/ask").await?;
    own.is_asked("Quelle heure est-il à Bruxelles, et qui est venu hier soir?").await?;
    page.says("I cannot").await?;
    page.shoot("own-model-refuses-1280-light").await?;
    page.close().await
}

/// The probabilities that the page shows are logits after a softmax: where they agree, logits agree up to a
/// number that is the same for all.
async fn computes_what_this_program_does(inside: &LookInside<'_>, side: usize) -> Result<()> {
    let [question, answer] = inside.question_and_answer(side).await?;
    let weights = include_bytes!("../../../../../assets/models/own/own.bin");
    let model = ownmodel::OwnModel::load(weights, ownmodel::OwnOptions::default())?;
    let before = [Message::user(question)];
    let look = model.look(&before, &Message::assistant(answer), false, 5)?;
    // Words with characters, as the page lists them.
    let said = look.pieces[look.n_question..].iter().zip(&look.said);
    let expected: Vec<_> = said.filter(|(text, _)| !text.trim().is_empty()).collect();
    let found = inside.likely(side).await?;
    ensure!(found.len() == expected.len() && found.len() > 8, "{} words", found.len());
    let mut most = 0.0_f64;
    for (found, (text, token)) in found.iter().zip(&expected) {
        for ((name, here), (known, there)) in found.iter().zip(&token.likely) {
            ensure!(known.ends_with(name.as_str()), "at {text}: {found:?} and {:?}", token.likely);
            most = most.max((here.ln() - f64::from(*there).ln()).abs());
        }
    }
    println!("logits of the page differ from this program's by {most:.1e} at most");
    ensure!(most < 1e-3, "{most}");
    Ok(())
}

#[tokio::test]
async fn our_own_model_is_stopped_in_the_first_moment_and_looked_into() -> Result<()> {
    let page = Browser::open("#/compare?task=shortest_path&difficulty=hard&seed=7").await?;
    let (own, solve, inside) = (OwnModel(&page), Solve(&page), LookInside(&page));
    solve.question().await?;
    // A person may press Stop while the weights are still on their way.
    own.stops_at_once("run-both").await?;
    for side in [0, 2] {
        inside.says(side, "topped").await?;
    }
    page.shoot("compare-stopped-1280-light").await?;
    // The engine is the same, and answers.
    let n = own.n_loaded("engine_worker.js").await?;
    inside.runs_both().await?;
    inside.is_judged(2, Some("Correct")).await?;
    ensure!(own.n_loaded("engine_worker.js").await? == n, "another worker was started");

    page.load("#/compare?task=shortest_path&difficulty=easy&seed=7").await?;
    solve.question().await?;
    inside.runs_both().await?;
    inside.is_judged(0, None).await?;
    inside.is_judged(2, Some("Correct")).await?;
    inside.opens(0).await?;
    computes_what_this_program_does(&inside, 0).await?;
    // The word of the other side that is shown first is the end of an edge that a call copies.
    inside.opens(2).await?;
    inside.words_say(2, "add_edges(").await?;
    let [u, v, edges] = inside.edge(2).await?;
    ensure!(edges.contains(&format!("most: {u}–{v} ")), "{edges} at {u} {v}");
    page.shoot("look-inside-calls-1280-light").await?;
    inside.last_turn_says(2, "→").await?;
    page.close().await
}

#[tokio::test]
async fn a_model_is_tested_and_gets_a_card_and_a_badge() -> Result<()> {
    let page = Browser::open("#/test").await?;
    let test = ModelTest(&page);
    test.model_says("Our own small model").await?;
    test.starts().await?;
    test.progress_says("16 of 16").await?;
    test.card_says("| **correct** |").await?;
    let line = test.line().await?;
    ensure!(line.contains("without tools") && line.contains("of 8"), "{line}");
    test.draws_badge().await?;
    page.shoot("model-test-1280").await?;
    test.opens_first_run().await?;
    Traces(&page).is_open().await?;
    // A script is named as one.
    page.go("#/test").await?;
    page.play_script("script").await?;
    test.model_says("cript").await?;
    test.starts().await?;
    test.progress_says("16 of 16").await?;
    test.card_says("A script answered").await?;
    page.fits("model-test", None).await?;
    // Another model has answered nothing yet.
    page.play_script("mistaken/bad-json").await?;
    test.progress_says("0 of 16").await?;
    test.has_no_card().await?;
    page.close().await
}
