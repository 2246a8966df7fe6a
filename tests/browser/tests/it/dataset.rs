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
    page.until_text("[data-testid='dataset-summary']", "1 questions").await?;
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
