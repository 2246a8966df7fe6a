//! Recorded answers: the game in which a lie is caught, and the gallery of hallucinations.

use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use tasks::{Difficulty, Style, TaskId, Wording};

use crate::browser::{Browser, file};

const FIRST: &str = "[data-testid='lie-text'] mark.lie-piece";

/// The answer that is played.
async fn answer(page: &Browser) -> Result<String> {
    page.find(FIRST).await?;
    let text = "return document.querySelector('[data-testid=lie-text]').textContent";
    let text = page.run(text, vec![]).await?;
    Ok(text.as_str().context("no text")?.to_owned())
}

/// Picks the first claim of the answer, and says whether that was false, as the page says it.
async fn pick_first(page: &Browser, with_key: bool) -> Result<bool> {
    if with_key {
        page.find(FIRST).await?.send_keys("\u{e007}").await?;
    } else {
        page.press(FIRST).await?;
    }
    let told = page.text("[data-testid='lie-told']").await?;
    let is_caught = page.count(&format!("{FIRST}.picked.false")).await? == 1;
    let beginning = if is_caught { "Caught: " } else { "That one is true: " };
    ensure!(told.starts_with(beginning), "{told}");
    // Whichever was picked, the lie is red.
    ensure!(page.count("mark.lie-piece.false").await? > 0, "{told}");
    Ok(is_caught)
}

#[tokio::test]
async fn a_round_of_ten_is_played_to_a_line_that_can_be_pasted() -> Result<()> {
    let page = Browser::open("#/lie?seed=5").await?;
    let first = answer(&page).await?;
    page.until_text("[data-testid='lie-who']", "without tools, recorded on 20").await?;
    let (mut caught, mut drawn) = (String::new(), 0);
    for i in 0..10 {
        page.until_text(".lie-who", &format!("Answer {} of 10", i + 1)).await?;
        ensure!(page.count(".lie-stage .edge.false").await? == 0, "the drawing tells the lie");
        caught.push(if pick_first(&page, i % 2 == 1).await? { '■' } else { '□' });
        drawn += page.count(".lie-stage .edge.false").await?;
        if i == 0 {
            page.shoot("lie-told").await?;
        }
        page.click("lie-next").await?;
    }
    ensure!(drawn > 0, "no lie is red on a drawing");
    let score = caught.chars().filter(|c| *c == '■').count();
    page.until_text("[data-testid='lie-score'] h2", &format!("{score} of 10 lies caught")).await?;
    let line = "return document.querySelector('[data-testid=result-line]').value";
    let line = page.run(line, vec![]).await?;
    let line = line.as_str().context("no line")?.to_owned();
    let wanted = format!("Graphground · catch the lie · {score} of 10 {caught}\n");
    ensure!(line.starts_with(&wanted) && line.ends_with("#/lie?seed=5"), "{line}");
    page.click("copy-result").await?;
    page.until_text("[data-testid='copy-result']", "Copied").await?;
    page.shoot("lie-score").await?;
    // Another round has other answers, and its own address.
    page.click("lie-again").await?;
    page.until("the address names it", "return location.hash === '#/lie?seed=6'").await?;
    page.until_text(".lie-who", "Answer 1 of 10").await?;
    let second = answer(&page).await?;
    page.run("location.hash = '#/lie?seed=5'", vec![]).await?;
    let is_first = format!(
        "return document.querySelector('[data-testid=lie-text]')?.textContent === {}",
        json!(first)
    );
    page.until("the same seed begins with the same answer", &is_first).await?;
    ensure!(first != second, "two rounds begin alike");
    page.no_complaints().await?;
    page.close().await
}

/// Both sides of Compare have answered.
async fn both_answered(page: &Browser) -> Result<()> {
    page.until("Compare is shown", "return document.body.dataset.page === 'compare'").await?;
    page.find("[data-testid='side-0'] .card[data-verdict]").await?;
    page.find("[data-testid='side-2'] .card[data-verdict='Correct']").await?;
    Ok(())
}

#[tokio::test]
async fn a_lie_is_one_click_from_the_same_problem_with_tools() -> Result<()> {
    let page = Browser::open("#/lie?seed=3").await?;
    let whole = "return document.querySelector('.lie-whole').textContent";
    answer(&page).await?;
    let question = page.run(whole, vec![]).await?;
    pick_first(&page, false).await?;
    page.click("with-tools").await?;
    both_answered(&page).await?;
    let there = page.run("return document.querySelector('.question').textContent", vec![]).await?;
    ensure!(there == question, "{there} is not {question}");
    page.until("the address holds it", "return location.hash.includes('seed=')").await?;
    // The round goes on where it was left.
    page.run("location.hash = '#/lie'", vec![]).await?;
    page.find("[data-testid='lie-told']").await?;
    page.close().await
}

#[tokio::test]
async fn the_game_and_the_gallery_fit_every_window() -> Result<()> {
    let page = Browser::open("#/lie?seed=2").await?;
    answer(&page).await?;
    page.fits("lie-asked", None).await?;
    // A claim that can be picked flows with its line.
    let flows = format!("return getComputedStyle(document.querySelector({FIRST:?})).display");
    ensure!(page.run(&flows, vec![]).await? == "inline", "a claim breaks the line");
    pick_first(&page, false).await?;
    page.fits("lie-picked", None).await?;
    page.run("location.hash = '#/gallery'", vec![]).await?;
    page.find("[data-testid='gallery-card'] .edge.false").await?;
    page.fits("gallery-cards", None).await?;
    page.close().await
}

#[tokio::test]
async fn the_gallery_is_filtered_and_leads_to_tools() -> Result<()> {
    let page = Browser::open("#/gallery").await?;
    page.find("[data-testid='gallery-card']").await?;
    let all = page.count("[data-testid='gallery-card']").await?;
    ensure!(all > 6, "only {all} cards");
    page.until_text("[data-testid='gallery-source']", "with something false in them").await?;
    page.choose("gallery-error", "invented_edge").await?;
    page.until(
        "the address holds the filter",
        "return location.hash === '#/gallery?error=invented_edge'",
    )
    .await?;
    let kinds = "return [...document.querySelectorAll('[data-testid=gallery-card]')]
        .every(card => [...card.querySelectorAll('.gallery-kind')]
            .some(kind => kind.textContent === 'Invented edge'))";
    page.until("every card has that error", kinds).await?;
    page.find("[data-testid='gallery-card'] .edge.false").await?;
    let task = "return document.querySelectorAll('[data-testid=gallery-task] option')[1].value";
    let task = page.run(task, vec![]).await?;
    let task = task.as_str().context("no task to choose")?.to_owned();
    page.choose("gallery-error", "").await?;
    page.choose("gallery-task", &task).await?;
    let title = TaskId::from_name(&task).context("no task of ours")?.title();
    let titles = format!(
        "const all = [...document.querySelectorAll('[data-testid=gallery-card] h2')];
         return all.length > 0 && all.every(h => h.textContent === {})",
        json!(title)
    );
    page.until("every card is of that task", &titles).await?;
    // What the whole answer claims is marked in it.
    page.press("[data-testid='gallery-card'] summary").await?;
    page.find("[data-testid='gallery-card'] mark.claim.false").await?;
    page.click("with-tools").await?;
    both_answered(&page).await?;
    page.close().await
}

#[tokio::test]
async fn a_dropped_log_is_a_gallery_and_leaves_the_page_nowhere() -> Result<()> {
    let problem = tasks::task(TaskId::ShortestPath).generate(Difficulty::Easy, 12);
    let (u, v) = problem.missing_edge().context("all edges are there")?;
    let question = problem.question(Wording::Benchmark, Style::ZeroShot);
    let hostile = "<img src=x onerror=\"document.title='caught'\">";
    let lines = [
        json!({
            "question": question,
            "answer": format!("{hostile} There is an edge between node {u} and node {v}."),
            "model": format!("{hostile} model"),
        })
        .to_string(),
        "this is no JSON".to_owned(),
        json!({ "question": question, "answer": "I do not know.", "model": "m" }).to_string(),
        json!({
            "task": "cycle", "difficulty": "easy", "graph": { "n": 3, "edges": [[0, 1], [1, 2]] },
            "query": null, "answer_text": "Yes, there is a cycle in this graph.", "model": "logged",
        })
        .to_string(),
    ];
    let path = file("answers.jsonl", &lines.join("\n"))?;
    let page = Browser::open("#/gallery?task=flow").await?;
    // What the recorded answers need was asked for before the log comes.
    page.until_text("[data-testid='gallery-source']", "with something false in them").await?;
    page.press(".gallery-source summary").await?;
    page.note_requests().await?;
    page.by_id("gallery-file").await?.send_keys(&path.to_string_lossy()).await?;
    page.until_text(
        "[data-testid='gallery-source']",
        "answers.jsonl: 3 answers, 2 with something false",
    )
    .await?;
    page.until_text("[data-testid='gallery-unread']", "1 line could not be read. line 2: ").await?;
    ensure!(page.count("[data-testid='gallery-card']").await? == 2);
    page.until_text("[data-testid='gallery-card']", hostile).await?;
    page.until_text("[data-testid='gallery-card']", "logged, from a log").await?;
    page.find("[data-testid='gallery-card'] .edge.false").await?;
    page.press("[data-testid='gallery-card'] summary").await?;
    page.until_text("[data-testid='gallery-card'] .claimed", hostile).await?;
    page.shoot("gallery-log").await?;
    ensure!(page.count("[data-testid='gallery-card'] img").await? == 0, "a text became HTML");
    let asked = page.requests().await?;
    ensure!(asked.is_empty(), "the log made the page ask {asked:?}");
    // A problem without a seed opens as it is.
    page.click("with-tools").await?;
    page.until("Compare is shown", "return document.body.dataset.page === 'compare'").await?;
    page.find("[data-testid='side-2'] .card[data-verdict]").await?;
    page.run("location.hash = '#/gallery'", vec![]).await?;
    page.click("gallery-back").await?;
    page.until_text("[data-testid='gallery-source']", "recorded answers").await?;
    // What is no log is refused in words.
    let path = file("no-answers.jsonl", "[1, 2]")?;
    page.press(".gallery-source summary").await?;
    page.by_id("gallery-file").await?.send_keys(&path.to_string_lossy()).await?;
    page.until_text(".notice", "no-answers.jsonl has no answers: line 1: ").await?;
    page.close().await
}
