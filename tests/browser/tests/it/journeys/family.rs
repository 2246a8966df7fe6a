//! Family: a request goes through both models, mistakes are seen, what is new is used.

use anyhow::{Result, ensure};
use serde_json::json;

use crate::browser::{Browser, Companion};
use crate::screens::{Family, Traces};
use crate::servers::{Cors, Reply, Server, piece};

async fn open() -> Result<Browser> {
    let page = Browser::open("#/family?seed=4&people=9").await?;
    Family(&page).is_ready().await?;
    Ok(page)
}

#[tokio::test]
async fn a_request_is_searched_called_and_scored_and_mistakes_are_seen() -> Result<()> {
    let page = open().await?;
    let family = Family(&page);
    family.draws_people().await?;
    family.request().await?;
    family.verdicts_are("Correct Correct").await?;
    let (called, right) = family.called_and_right().await?;
    ensure!(called == right, "{called}, not {right}");
    family.marks_edges("true", 2).await?;
    family.hops_say("matched").await?;
    ensure!(family.n_played().await? > 4, "both models' steps are in the player");
    // The drawing follows the cursor.
    page.seek(1).await?;
    family.marks_edges("read", 0).await?;

    // A relation that was made up is expanded or replaced.
    family.seat("extract", "mistaken-relation").await?;
    family.method("exact").await?;
    family.start().await?;
    family.outcome_says("Called nothing").await?;
    family.verdicts_are("Wrong Wrong").await?;
    for words in ["not there", "expanded to", "replaced by"] {
        family.hops_say(words).await?;
    }
    family.marks_edges("false", 2).await?;
    family.method("gs").await?;
    family.request().await?;
    family.verdicts_are("Partly right Correct").await?;
    family.measures_say("1 of 1").await?;
    family.stage_fits("family-stage").await?;
    family.story_fits("family-story").await?;
    for width in [1280, 360] {
        page.becomes(width, 800, "light").await?;
        let small = family.too_small().await?;
        ensure!(small.is_empty(), "too small at {width}: {small}");
    }
    page.becomes(1280, 800, "light").await?;

    // A wrong tool is wrong, and a wrong type is seen.
    family.seat("extract", "script").await?;
    family.seat("call", "mistaken-tool").await?;
    family.request().await?;
    family.verdicts_are("Correct Wrong").await?;
    family.seat("call", "mistaken-type").await?;
    family.start().await?;
    family.steps_say("must be of type").await?;
    family.to_traces().await?;
    Traces(&page).is_open().await?;
    page.close().await
}

#[tokio::test]
async fn what_is_new_is_used_by_the_next_request() -> Result<()> {
    let page = open().await?;
    let family = Family(&page);
    // A search by hand.
    family.search("KG.search(start=\"Nobody\", path=[])", "its path is empty").await?;
    family.ask("Call a taxi to my favourite tree.").await?;
    family.about_says("nobody knows what is right").await?;
    family.start().await?;
    family.called("what is my favourite tree").await?;
    let speaker = family.speaker().await?;
    family.add_fact(&speaker, "favourite tree", "the old oak").await?;
    family.has_added("1 added").await?;
    family.start().await?;
    family.called("the old oak").await?;
    // The same again is refused, and says so.
    family.add_fact(&speaker, "favourite tree", "the old oak").await?;
    page.has_notice("known already").await?;
    // Nobody speaks.
    family.speak("").await?;
    family.start().await?;
    page.has_notice("there is no speaker").await?;
    page.close().await
}

#[tokio::test]
async fn each_step_has_a_model_at_an_address_of_its_own_and_a_stop_judges_nothing() -> Result<()> {
    let (first, second) = (Companion::start().await?, Companion::start().await?);
    ensure!(first.url != second.url, "two servers at {}", first.url);
    let page = open().await?;
    let family = Family(&page);
    page.use_endpoint(&first.url, "kgetool/script").await?;
    family.request().await?;
    family.verdicts_are("Correct Correct").await?;

    page.use_endpoint(&first.url, "kgetool/mistaken-relation").await?;
    page.use_endpoint(&second.url, "kgetool/mistaken-tool").await?;
    // The one in use has both seats; the first can still be chosen.
    let earlier = format!("openai {} kgetool/mistaken-relation", first.url);
    family.seat("extract", &earlier).await?;
    family.method("gs").await?;
    family.request().await?;
    // The first model makes a relation up, the second calls a wrong tool.
    family.verdicts_are("Partly right Wrong").await?;
    // The other way round neither errs: the one searches well, the other calls well.
    family.seat("extract", "endpoint").await?;
    family.seat("call", &earlier).await?;
    family.start().await?;
    family.verdicts_are("Correct Correct").await?;

    let server = Server::start(Cors::Open, |_| Reply {
        hangs: true,
        ..Reply::events(&[piece(json!({ "content": "I search <b>for" }), None)], false)
    })?;
    family.seat("call", "endpoint").await?;
    page.use_endpoint(&server.url(), "small").await?;
    family.start().await?;
    family.hears("I search <b>for").await?;
    family.stop().await?;
    family.outcome_says("stopped by you").await?;
    family.step_is_of("Model, stopped").await?;
    ensure!(!family.has_markup_in_steps().await?, "a model's words are never markup");
    family.verdicts_are("").await?;
    page.close().await
}
