//! A teacher with her class: she reads a lesson with them, votes, runs, prints, presents, and writes one.

use anyhow::{Result, ensure};

use crate::browser::Browser;
use crate::screens::{Head, Lessons, Solve};

#[tokio::test]
async fn a_class_reads_votes_guesses_and_runs_and_its_teacher_has_notes_and_a_handout() -> Result<()>
{
    let page = Browser::open("#/lessons").await?;
    let (lessons, head, solve) = (Lessons(&page), Head(&page), Solve(&page));
    lessons.has_a_list().await?;
    lessons.takes_first().await?;
    lessons.is_titled("friends").await?;
    // The fixed text is checked without a click.
    lessons.marks_what_is_false().await?;
    lessons.lists_as_false("1-2").await?;
    lessons.draws("Ann").await?;
    ensure!(lessons.n_weights().await? == 0, "weights of 1, which say nothing, are drawn");
    // Colours wait until they are revealed.
    ensure!(head.colours::<[bool; 3]>().await? == [true; 3], "colours are missing");
    head.hides_or_reveals().await?;
    head.offers_to_reveal("Reveal").await?;
    ensure!(head.colours::<[bool; 3]>().await? == [false; 3], "something shows");
    page.shoot("colours-hidden").await?;
    head.hides_or_reveals().await?;
    ensure!(head.colours::<[bool; 3]>().await? == [true; 3], "something stays hidden");
    lessons.votes().await?;
    for choice in ["1", "1", "1", "0"] {
        lessons.votes_for(choice).await?;
    }
    lessons.has_votes("3").await?;
    lessons.counts_votes("4 votes").await?;
    lessons.reads_notes("Hide colours").await?;
    lessons.prints_a_handout().await?;
    // A guess is answered, also a wrong one.
    lessons.guesses_0("Not this one").await?;
    lessons.guesses_1("Right").await?;
    lessons.runs().await?;
    lessons.is_wrong_alone().await?;
    lessons.is_right_with_tools().await?;
    lessons.keeps_its_order().await?;
    // A step of the run is seen on the drawing in place of the claims.
    lessons.unfolds_steps().await?;
    lessons.picks_the_last_that_writes().await?;
    lessons.draws_what_was_written().await?;
    ensure!(lessons.n_drawn_lies().await? == 0, "the claims are drawn, too");
    lessons.picks_a_claim().await?;
    lessons.continues("distance").await?;
    ensure!(lessons.n_verdicts().await? == 0, "the next lesson has verdicts already");
    for (width, large) in [(1280, true), (360, false)] {
        page.becomes(width, 700, "light").await?;
        lessons.opens("friends", "friends").await?;
        lessons.becomes_large(large).await?;
        lessons.continues("distance").await?;
    }
    // By its key colours wait, too, and where the buttons are folded away.
    page.becomes(1280, 800, "light").await?;
    page.go("#/solve?task=flow&difficulty=easy&seed=2").await?;
    solve.asks("flow").await?;
    page.keys("r").await?;
    head.reveals_now().await?;
    head.hides_no_colours().await?;
    page.close().await
}

#[tokio::test]
async fn lessons_run_are_looked_into_and_fit_every_window() -> Result<()> {
    let page = Browser::open("#/lessons?l=%3Cb%3E").await?;
    let (lessons, head) = (Lessons(&page), Head(&page));
    // An unknown lesson gives the list.
    head.notices("no lesson \"<b>\"").await?;
    lessons.has_a_list().await?;
    page.fits("lesson-list", None).await?;

    lessons.opens("rescue", "").await?;
    ensure!(lessons.runs_all().await? == 2, "not both transcripts are checked");
    lessons.finds_the_disaster_out().await?;
    lessons.findings_say("node L0").await?;
    lessons.findings_say("3 times 4 for the debris").await?;
    page.fits("lesson-rescue", None).await?;
    lessons.end_fits("lesson-rescue-end").await?;
    for (name, title) in [("friends", "friends"), ("attached", "")] {
        lessons.opens(name, title).await?;
        lessons.runs_all().await?;
        lessons.run_fits(&format!("lesson-{name}")).await?;
        lessons.end_fits(&format!("lesson-{name}-end")).await?;
    }

    lessons.opens("look-inside", "").await?;
    lessons.lists_likely_words().await?;
    let likely = lessons.likely_words().await?;
    lessons.looks_into("Q: Give the shortest path").await?;
    // Of a word that it knows by heart the model is sure.
    lessons.picks_shortest().await?;
    lessons.likely_words_say("shortest").await?;
    ensure!(lessons.likely_words().await? != likely, "two words weigh the same");
    lessons.look_fits("look-inside").await?;

    // Another model takes the script's place; the lesson's own would be wrong here too.
    lessons.opens("flow", "").await?;
    lessons.becomes_large(true).await?;
    lessons.is_large().await?;
    page.shoot("lesson-large-1280-light").await?;
    page.play_script("mistaken/bad-json").await?;
    lessons.plays_the_chosen_model("bad JSON").await?;
    lessons.runs().await?;
    lessons.is_right_with_tools().await?;
    lessons.verdict_with_tools_says("bad JSON").await?;
    page.close().await
}

#[tokio::test]
async fn a_button_of_a_lesson_that_can_be_pressed_does_not_move() -> Result<()> {
    let page = Browser::open("#/lessons").await?;
    let lessons = Lessons(&page);
    lessons.has_a_list().await?;
    let all: Vec<String> = lessons.list().await?;
    lessons.watches_the_buttons().await?;
    for width in [1280, 360] {
        page.go("#/lessons").await?;
        lessons.has_a_list().await?;
        page.becomes(width, 800, "light").await?;
        for lesson in &all {
            page.go(lesson).await?;
            lessons.has_settled().await?;
            let moved: Vec<[f64; 2]> = lessons.moved_buttons().await?;
            ensure!(moved.is_empty(), "{lesson} at {width}: from and to {moved:?}");
        }
    }
    page.close().await
}

#[tokio::test]
async fn a_lesson_is_written_from_blocks_previewed_shared_and_copied() -> Result<()> {
    let page = Browser::open("#/lessons").await?;
    let (lessons, head) = (Lessons(&page), Head(&page));
    lessons.writes().await?;
    lessons.previews_drawing("Ann").await?;
    lessons.previews("A lesson of my own").await?;
    lessons.titles("Roads of our town").await?;
    lessons.previews("Roads of our town").await?;
    lessons.adds_notes().await?;
    // What is wrong is shown at its block, and nothing that was written is lost.
    lessons.asks_the_class("ask = What?").await?;
    lessons.marks_the_fault().await?;
    lessons.tells_fault("because").await?;
    lessons.asks_the_class("ask = What?\nright = a\nchoice = b\nbecause = So.").await?;
    lessons.previews_question("What?").await?;
    page.shoot("lesson-editor").await?;
    let shared = page.shared().await?;
    // After a reload the draft is there.
    head.reloads().await?;
    lessons.previews("Roads of our town").await?;
    // The link shows the lesson to others, who can go on from it.
    page.opens_elsewhere(&shared).await?;
    lessons.is_titled("Roads of our town").await?;
    lessons.draws_a_node().await?;
    lessons.copies().await?;
    lessons.previews("Roads of our town").await?;
    page.close().await
}
