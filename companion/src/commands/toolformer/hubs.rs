//! `graphground toolformer hubs`: what calls can name, and what works on what.

use std::io::Write as _;
use std::process::ExitCode;

use serde_json::json;
use systems::toolformer::Hubs;
use systems::toolformer::hubs::{DATASETS, LANGUAGE_MODELS, MODELS, TASKS, Works};

use crate::output;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Writes one JSON object.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let matrix = Hubs::new()?.matrix();
    let mut out = output::stdout();
    if args.json {
        let datasets: Vec<_> = DATASETS
            .iter()
            .map(|d| json!({ "id": d.id, "title": d.title, "about": d.kind, "source": d.source }))
            .collect();
        let models: Vec<_> = MODELS
            .iter()
            .map(|m| json!({ "id": m.id, "title": m.title, "task": m.task, "source": m.source }))
            .collect();
        let tasks: Vec<_> = TASKS
            .iter()
            .map(|t| {
                let functions: Vec<_> = t
                    .functions
                    .iter()
                    .map(|f| {
                        let takes: Vec<String> = f.takes.iter().map(|p| p.words()).collect();
                        json!({ "name": f.name, "takes": takes, "gives": f.gives })
                    })
                    .collect();
                json!({ "id": t.id, "title": t.title, "model": t.model, "functions": functions })
            })
            .collect();
        let language_models: Vec<_> = LANGUAGE_MODELS
            .iter()
            .map(|l| json!({ "id": l.id, "title": l.title, "source": l.source }))
            .collect();
        let all = json!({
            "datasets": datasets,
            "models": models,
            "tasks": tasks,
            "language_models": language_models,
            "matrix": matrix,
        });
        serde_json::to_writer(&mut out, &all)?;
        writeln!(out)?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "Functions")?;
    for task in TASKS {
        for function in task.functions {
            let takes: Vec<String> = function.takes.iter().map(|p| p.words()).collect();
            let takes =
                if takes.is_empty() { String::new() } else { format!(", {}", takes.join(", ")) };
            let name = format!("\"{}:{}\"{takes}", task.model, function.name);
            writeln!(out, "  {name:<58} {}", function.gives)?;
        }
    }
    writeln!(out, "\nWhat works on what")?;
    let head: Vec<String> = MODELS.iter().map(|m| format!("{:<12}", m.id)).collect();
    writeln!(out, "  {:<12} {}", "", head.join(" ").trim_end())?;
    for row in matrix {
        let word = |works: &Works| match works {
            Works::Yes => "works",
            Works::NeedsData => "no data",
            Works::NeedsModel => "no model",
            Works::NeedsBoth => "neither",
            Works::No => "–",
        };
        let cells: Vec<String> =
            row.models.iter().map(|(_, works)| format!("{:<12}", word(works))).collect();
        writeln!(out, "  {:<12} {}", row.dataset, cells.join(" ").trim_end())?;
    }
    writeln!(out, "\nWhat is missing")?;
    for dataset in DATASETS.iter().filter(|d| d.make.is_none()) {
        writeln!(out, "  {}: {}", dataset.id, dataset.source)?;
    }
    for model in MODELS.iter().filter(|m| m.make.is_none()) {
        writeln!(out, "  {}: {}", model.id, model.source)?;
    }
    writeln!(out, "\nLanguage models")?;
    for model in LANGUAGE_MODELS {
        writeln!(out, "  {}: {} {}", model.id, model.lede, model.source)?;
    }
    Ok(ExitCode::SUCCESS)
}
