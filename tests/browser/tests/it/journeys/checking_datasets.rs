//! Whole files of questions: ours, others', torn ones, ones that are too large, and pickles.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use serde_json::{Map, Value, json};
use tasks::{Difficulty, Problem, Style, TASKS, TaskId, Wording};

use crate::browser::{Browser, file};
use crate::screens::Dataset;

/// A problem and an answer in NLGraph's shape.
fn entry(problem: &Problem, answer: &str, level: Difficulty) -> Value {
    let question = problem.question(Wording::Benchmark, Style::ZeroShot);
    json!({ "question": question, "answer": answer, "difficulty": level.as_str() })
}

/// Our own problems, `n` of each level: one file a task.
fn files(n: u64) -> Result<Vec<PathBuf>> {
    let of = |task: &tasks::Task| {
        let mut all = Map::new();
        for level in task.difficulties {
            for seed in 0..n {
                let problem = task.generate(*level, seed);
                let answer = tasks::reference_text(&problem, &tasks::solve(&problem));
                all.insert(all.len().to_string(), entry(&problem, &answer, *level));
            }
        }
        file(&format!("made.{}.json", task.id), &Value::Object(all).to_string())
    };
    TASKS.iter().map(of).collect()
}

/// GraphArena's problems as Python writes them: one with a label that is too small.
fn pickle() -> Vec<u8> {
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
    pickle
}

#[tokio::test]
async fn files_of_any_origin_are_checked_and_what_is_wrong_with_them_is_named() -> Result<()> {
    let page = Browser::open("#/dataset").await?;
    let dataset = Dataset(&page);
    // Questions of ours are there until files come.
    dataset.samples_are("24 questions of ours").await?;
    dataset.summary_says("24 questions parsed").await?;
    ensure!(dataset.n_faults().await? == 0 && dataset.n_rows().await? > 8);
    page.shoot("dataset-samples-1280-light").await?;

    dataset.opens(&files(40)?).await?;
    let levels: usize = TASKS.iter().map(|t| t.difficulties.len()).sum();
    dataset.summary_says(&format!("{} questions", levels * 40)).await?;
    ensure!(!dataset.has_samples().await?, "the samples are still said to be shown");
    ensure!(dataset.n_rows().await? == levels && dataset.n_faults().await? == 0);
    page.shoot("dataset-1280-light").await?;
    // A file that is too large is refused, and the table stays. It has its size without its bytes.
    let large = file("large.json", "")?;
    std::fs::OpenOptions::new().write(true).open(&large)?.set_len(201_000_000)?;
    dataset.opens(&[large]).await?;
    page.has_notice("large.json has 201 MB; a file may have at most 200 MB").await?;
    ensure!(dataset.n_rows().await? == levels);
    // A torn file is named, and the others are read.
    let problem = tasks::task(TaskId::Cycle).generate(Difficulty::Easy, 1);
    let answer = "No, there is no cycle in this graph.";
    let good = json!({ "0": entry(&problem, answer, Difficulty::Easy) }).to_string();
    let torn = file("torn.json", &good[..good.len() / 2])?;
    dataset.opens(&[file("whole.json", &good)?, torn]).await?;
    dataset.faults_say("torn.json").await?;
    dataset.summary_says("1 question parsed").await?;
    // A pickle, whose wrong label is listed.
    dataset.opens(&[file("MIS_easy.pkl", &pickle())?]).await?;
    dataset.unfolds_row().await?;
    dataset.says("the label is 1").await?;
    dataset.summary_says("1 question parsed").await?;

    // Logged answers of another benchmark: what its script says, what we say, and why they differ.
    page.reload().await?;
    dataset.opens_answers().await?;
    dataset.summary_says("10 questions").await?;
    dataset.rules_say("Largest independent set").await?;
    // A name that nobody has is dropped by the script, and makes the answer wrong here.
    dataset.causes_say("here: Incorrect").await?;
    ensure!(dataset.n_compared().await? == 10);
    page.fits("dataset-answers", None).await?;
    page.no_complaints().await?;
    page.close().await
}
