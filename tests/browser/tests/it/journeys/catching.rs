//! What people play: recorded answers in which a lie is caught, their gallery, and the problem of a day.

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use tasks::{Difficulty, Style, TaskId, Wording, parse_question};

use crate::browser::{Browser, file};
use crate::screens::{Compare, Daily, Gallery, Head, Lie, Solve};

#[tokio::test]
async fn a_round_of_ten_lies_is_played_to_a_line_that_can_be_pasted() -> Result<()> {
    let page = Browser::open("#/lie?seed=6").await?;
    let (lie, head) = (Lie(&page), Head(&page));
    let first = (lie.answer().await?, lie.question().await?);
    lie.names_who("without tools, recorded on 20").await?;
    page.fits("lie-asked", None).await?;
    let display: String = lie.display_of_a_claim().await?;
    ensure!(display == "inline", "a claim breaks the line: {display}");
    let question = lie.question().await?;
    let (mut caught, mut drawn) = (String::new(), 0);
    for i in 0..10 {
        lie.is_at(&format!("Answer {} of 10", i + 1)).await?;
        ensure!(lie.n_drawn_false().await? == 0, "the drawing tells the lie");
        caught.push(if lie.picks_first(i % 2 == 1).await? { '■' } else { '□' });
        drawn += lie.n_drawn_false().await?;
        if i == 0 {
            page.fits("lie-picked", None).await?;
            lie.shows_each_claim_alone().await?;
            // The same problem with tools is one click away, and the round is as it was left.
            lie.asks_with_tools().await?;
            let compare = Compare(&page);
            compare.with_tools_is("Correct").await?;
            compare.verdicts().await?;
            Solve(&page).asks_exactly(&question).await?;
            page.has_address("seed=").await?;
            page.go("#/lie").await?;
            lie.is_answered().await?;
        }
        if i == 1 {
            // A reload finds the round as it was left.
            page.reload().await?;
            lie.is_answered().await?;
            lie.is_at("Answer 2 of 10").await?;
            ensure!(lie.n_squares_played().await? == 2, "the reload forgot what was played");
        }
        lie.next().await?;
    }
    ensure!(drawn > 0, "no lie is red on a drawing");
    let score = caught.chars().filter(|c| *c == '■').count();
    lie.is_scored(&format!("{score} of 10 lies caught")).await?;
    lie.copies("Copied").await?;
    let line = lie.line().await?;
    let wanted = format!("Graphground · catch the lie · {score} of 10 {caught}\n");
    ensure!(line.starts_with(&wanted) && line.ends_with("#/lie?seed=6"), "{line}");
    page.shoot("lie-score").await?;
    // Another round has other answers, though it may share some, and its own address.
    lie.plays_again().await?;
    head.address_is("#/lie?seed=7").await?;
    lie.is_at("Answer 1 of 10").await?;
    let other = (lie.answer().await?, lie.question().await?);
    ensure!(other != first, "two rounds begin alike");
    page.go("#/lie?seed=6").await?;
    lie.is_scored(&format!("{score} of 10 lies caught")).await?;
    page.no_complaints().await?;
    page.close().await
}

#[tokio::test]
async fn a_class_votes_with_hands_before_the_lie_is_shown() -> Result<()> {
    let page = Browser::open("#/lie?seed=5").await?;
    let (lie, head) = (Lie(&page), Head(&page));
    lie.is_at("Answer 1 of 10").await?;
    lie.is_for_a_class().await?;
    head.address_is("#/lie?seed=5&class=1").await?;
    lie.raises("A").await?;
    lie.raises("A").await?;
    lie.raises("B").await?;
    lie.counts("3 hands").await?;
    lie.hands_are("2").await?;
    // A click on a claim gives nothing away.
    lie.presses_a_claim().await?;
    ensure!(lie.n_drawn_false().await? == 0 && !lie.has_answer().await?, "the lie is told");
    page.fits("lie-class", None).await?;
    lie.reveals().await?;
    lie.is_answered().await?;
    ensure!(lie.n_truths().await? >= 2, "a claim is not said to be true or false");
    page.fits("lie-class-told", None).await?;
    page.reload().await?;
    lie.counts("3 hands").await?;
    lie.is_answered().await?;
    lie.next().await?;
    lie.counts("0 hands").await?;
    page.no_complaints().await?;
    page.close().await
}

/// Lines of a log: one that would be markup, one that is none, one without a lie, one of another format.
fn log() -> Result<(String, &'static str)> {
    let problem = tasks::task(TaskId::ShortestPath).generate(Difficulty::Easy, 12);
    let (u, v) = problem.missing_edge().context("all edges are there")?;
    let question = problem.question(Wording::Benchmark, Style::ZeroShot);
    let hostile = "<img src=x onerror=\"document.title='caught'\">";
    let lie = format!("{hostile} There is an edge between node {u} and node {v}.");
    let lines = [
        json!({ "question": question, "answer": lie, "model": format!("{hostile} model") })
            .to_string(),
        "this is no JSON".to_owned(),
        json!({ "question": question, "answer": "I do not know.", "model": "m" }).to_string(),
        json!({
            "task": "cycle", "difficulty": "easy", "graph": { "n": 3, "edges": [[0, 1], [1, 2]] },
            "query": null, "answer_text": "Yes, there is a cycle in this graph.", "model": "logged",
        })
        .to_string(),
    ];
    Ok((lines.join("\n"), hostile))
}

#[tokio::test]
async fn the_gallery_is_filtered_leads_to_tools_and_opens_a_log_that_leaves_the_page_nowhere()
-> Result<()> {
    let page = Browser::open("#/gallery").await?;
    let (gallery, compare, head) = (Gallery(&page), Compare(&page), Head(&page));
    gallery.source_says("with something false in them").await?;
    gallery.draws_what_is_false().await?;
    let all = gallery.n_cards().await?;
    ensure!(all > 6, "only {all} cards");
    page.fits("gallery-cards", None).await?;
    gallery.filters_error("invented_edge").await?;
    gallery.has_invented_edges_alone().await?;
    head.address_is("#/gallery?error=invented_edge").await?;
    gallery.draws_what_is_false().await?;
    let task: String = gallery.first_task().await?;
    gallery.filters_error("").await?;
    let title = TaskId::from_name(&task).context("no task of ours")?.title();
    gallery.filters_task(&task, title).await?;
    gallery.unfolds_first().await?;
    gallery.marks_what_is_false().await?;
    gallery.asks_with_tools().await?;
    compare.with_tools_is("Correct").await?;
    compare.verdicts().await?;

    // What the recorded answers need was asked for before the log comes.
    page.go("#/gallery?task=flow").await?;
    gallery.source_says("with something false in them").await?;
    gallery.unfolds_source().await?;
    let (lines, hostile) = log()?;
    page.note_requests().await?;
    gallery.opens_log(&file("answers.jsonl", &lines)?).await?;
    gallery.source_says("answers.jsonl: 3 answers, 2 with something false").await?;
    gallery.could_not_read("1 line could not be read. line 2: ").await?;
    ensure!(gallery.n_cards().await? == 2, "not two answers have a lie");
    gallery.card_says(hostile).await?;
    gallery.card_says("logged, from a log").await?;
    gallery.draws_what_is_false().await?;
    gallery.unfolds_first().await?;
    gallery.answer_says(hostile).await?;
    page.shoot("gallery-log").await?;
    ensure!(gallery.n_pictures_in_texts().await? == 0, "a text became HTML");
    let asked = page.requests().await?;
    ensure!(asked.is_empty(), "the log made the page ask {asked:?}");
    // A problem without a seed opens as it is.
    gallery.asks_with_tools().await?;
    compare.verdicts().await?;
    page.go("#/gallery").await?;
    gallery.leaves_the_log().await?;
    gallery.source_says("recorded answers").await?;
    // What is no log is refused in words.
    gallery.unfolds_source().await?;
    gallery.opens_log(&file("no-answers.jsonl", "[1, 2]")?).await?;
    head.notices("no-answers.jsonl has no answers: line 1: ").await?;
    page.close().await
}

/// A day whose problem is about a cycle: two calls and a word.
const CYCLE: &str = "2026-11-20";

#[tokio::test]
async fn a_person_solves_the_problem_of_a_day_and_each_day_has_its_own() -> Result<()> {
    let page = Browser::open(&format!("#/daily?day={CYCLE}")).await?;
    let (daily, head) = (Daily(&page), Head(&page));
    daily.is_of(CYCLE).await?;
    daily.asks("Q:").await?;
    let asked = daily.question().await?;
    let problem = parse_question(&asked)?;
    ensure!(problem.task() == TaskId::Cycle, "{asked}");
    daily.names_the_script("Par: ").await?;
    page.fits("daily", None).await?;
    daily.starts().await?;
    daily.counts_calls("No calls so far.").await?;
    page.fits("daily-seat", None).await?;
    // From the tray: two nodes for an edge, and the edges of the question where none is clicked.
    daily.clicks_two().await?;
    daily.takes_with_the_next(", ").await?;
    page.shoot("daily-clicked").await?;
    daily.clears().await?;
    daily.takes_edges().await?;
    daily.submits().await?;
    daily.counts_calls("1 call so far.").await?;
    // The graph of the calls is drawn.
    daily.draws(problem.graph.n_nodes()).await?;
    page.shoot("daily-turn").await?;
    daily.asks_for_a_cycle().await?;
    daily.counts_calls("2 calls so far.").await?;
    let right = tasks::reference_text(&problem, &tasks::solve(&problem));
    daily.answers(&right).await?;
    daily.has_right_answer().await?;
    daily.result_says("Right, with 2 calls").await?;
    let line = daily.line().await?;
    let wanted = format!("Graphground · be the model · {CYCLE} · solved with 2 calls (par ");
    ensure!(line.starts_with(&wanted) && line.contains("■■ ✓"), "{line}");
    ensure!(line.ends_with(&format!("#/daily?day={CYCLE}")), "{line}");
    page.shoot("daily-solved").await?;
    // Again from the start, and a wrong answer from the head.
    daily.starts().await?;
    daily.counts_calls("No calls so far.").await?;
    daily.answers("I do not know.").await?;
    daily.result_says("not right, after 0 calls").await?;
    page.no_complaints().await?;

    daily.goes_to_the_day_before().await?;
    daily.is_of("2026-11-19").await?;
    daily.asks_other_than(&asked).await?;
    page.go(&format!("#/daily?day={CYCLE}")).await?;
    daily.is_of(CYCLE).await?;
    daily.asks(&asked).await?;
    page.go("#/daily?day=2026-02-30").await?;
    head.notices("\"2026-02-30\" is no day").await?;
    let since = SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis() as f64;
    let today = trace::formats::moment(since);
    daily.is_of(today.get(..10).context("no day")?).await?;
    page.close().await
}
