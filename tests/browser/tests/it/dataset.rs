//! Whole files.

use anyhow::{Result, ensure};
use serde_json::{Map, Value, json};
use tasks::{Style, TASKS, TaskId, Wording};

use crate::browser::{Browser, file};

/// Our own problems in NLGraph's shape: one file a task.
fn files(n: u64) -> Result<Vec<std::path::PathBuf>> {
    TASKS
        .iter()
        .map(|task| {
            let mut all = Map::new();
            for level in task.difficulties {
                for seed in 0..n {
                    let problem = task.generate(*level, seed);
                    let answer = tasks::reference_text(&problem, &tasks::solve(&problem));
                    all.insert(
                        all.len().to_string(),
                        json!({
                            "question": problem.question(Wording::Benchmark, Style::ZeroShot),
                            "answer": answer,
                            "difficulty": level.as_str(),
                        }),
                    );
                }
            }
            file(&format!("made.{}.json", task.id), &Value::Object(all).to_string())
        })
        .collect()
}

#[tokio::test]
async fn all_files_are_checked_without_a_long_task() -> Result<()> {
    let page = Browser::open("#/dataset").await?;
    page.run(
        "window.longTasks = [];
         new PerformanceObserver(l => window.longTasks.push(...l.getEntries().map(e => e.duration)))
             .observe({ entryTypes: ['longtask'] });",
        vec![],
    )
    .await?;
    let list = files(40)?;
    let names: Vec<String> = list.iter().map(|p| p.to_string_lossy().into_owned()).collect();
    page.by_id("dataset-files").await?.send_keys(&names.join("\n")).await?;
    let levels: usize = TASKS.iter().map(|t| t.difficulties.len()).sum();
    page.until_text("[data-testid='dataset-summary']", &format!("{} questions", levels * 40))
        .await?;
    ensure!(page.count("[data-testid='dataset-table'] tbody tr").await? == levels);
    ensure!(page.count("[data-testid='dataset-table'] td.fault").await? == 0);
    page.shoot("dataset-1280-light").await?;
    page.close().await
}

#[tokio::test]
async fn a_truncated_file_is_named_and_the_others_stand() -> Result<()> {
    let page = Browser::open("#/dataset").await?;
    let problem = tasks::task(TaskId::Cycle).generate(tasks::Difficulty::Easy, 1);
    let good = json!({ "0": {
        "question": problem.question(Wording::Benchmark, Style::ZeroShot),
        "answer": "No, there is no cycle in this graph.",
        "difficulty": "easy",
    }})
    .to_string();
    let whole = file("whole.json", &good)?;
    let torn = file("torn.json", &good[..good.len() / 2])?;
    let names = format!("{}\n{}", whole.display(), torn.display());
    page.by_id("dataset-files").await?.send_keys(&names).await?;
    page.until_text(".report.no", "torn.json").await?;
    page.until_text("[data-testid='dataset-summary']", "1 question parsed").await?;
    page.close().await
}

#[tokio::test]
async fn a_file_over_the_limit_is_refused_and_the_table_stays() -> Result<()> {
    let page = Browser::open("#/dataset").await?;
    let list = files(1)?;
    page.by_id("dataset-files").await?.send_keys(&list[0].to_string_lossy()).await?;
    page.until_text("[data-testid='dataset-summary']", "questions parsed").await?;
    let large = file("large.json", "")?;
    // A file of that size without its bytes.
    std::fs::OpenOptions::new().write(true).open(&large)?.set_len(201_000_000)?;
    page.by_id("dataset-files").await?.send_keys(&large.to_string_lossy()).await?;
    page.until_text(".notice", "large.json has 201 MB; a file may have at most 200 MB").await?;
    ensure!(page.count("[data-testid='dataset-table'] tbody tr").await? > 0);
    page.close().await
}

#[tokio::test]
async fn an_empty_page_has_samples() -> Result<()> {
    let page = Browser::open("#/dataset").await?;
    page.click("dataset-samples").await?;
    page.until_text("[data-testid='dataset-summary']", "24 questions parsed").await?;
    ensure!(page.count("[data-testid='dataset-table'] td.fault").await? == 0);
    page.shoot("dataset-samples-1280-light").await?;
    page.close().await
}

/// Logged answers of another benchmark: what its script says, what we say, and why they differ.
#[tokio::test]
async fn logged_answers_are_judged_by_both_rules() -> Result<()> {
    let page = Browser::open("#/dataset").await?;
    page.click("dataset-answers").await?;
    page.until_text("[data-testid='dataset-summary']", "10 questions").await?;
    page.until_text("[data-testid='both-rules']", "Largest independent set").await?;
    // A name that nobody has is dropped by the script, and makes the answer wrong here.
    page.until_text("[data-testid='both-rules'] .causes", "here: Incorrect").await?;
    ensure!(page.count("[data-testid='both-rules'] tbody tr").await? == 10);
    for (width, scheme) in [(1280, "light"), (360, "dark")] {
        page.becomes(width, 900, scheme).await?;
        let wide = page.sideways().await?;
        ensure!(wide <= 0.0, "at {width} it scrolls sideways by {wide}");
        page.shoot(&format!("dataset-answers-{width}-{scheme}")).await?;
    }
    page.no_complaints().await?;
    page.close().await
}

/// A pickle of GraphArena's problems, as Python writes it: one problem with a label that is too small.
#[tokio::test]
async fn a_pickle_of_problems_is_checked_and_its_wrong_label_listed() -> Result<()> {
    let question = "Your task is to solve the Maximum Independent Set problem in the given social network.\n- \
        Users in the network: Al, Bo, Cy.\n- Fiendship connections: Al and Bo, Bo and Cy.\nIdentify the \
        Maximum Independent Set of this network.";
    // Protocol 2: a list of one dict with an id, a text and a number.
    let mut pickle =
        b"\x80\x02]q\x00}q\x01(X\x02\x00\x00\x00idK\x00X\x0c\x00\x00\x00problem_text".to_vec();
    pickle.push(b'X');
    pickle.extend((question.len() as u32).to_le_bytes());
    pickle.extend(question.as_bytes());
    pickle.extend(b"X\x0c\x00\x00\x00exact_answerK\x01ua.");
    let path = std::env::temp_dir().join("graphground-MIS_easy.pkl");
    std::fs::write(&path, pickle)?;
    let page = Browser::open("#/dataset").await?;
    page.by_id("dataset-files").await?.send_keys(&path.to_string_lossy()).await?;
    page.until_text("[data-testid='dataset-summary']", "1 question parsed").await?;
    page.press("[data-testid='dataset-table'] tbody button").await?;
    page.until_text(".dataset", "the label is 1").await?;
    page.no_complaints().await?;
    page.close().await
}
