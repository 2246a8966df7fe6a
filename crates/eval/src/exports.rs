//! Runs in the forms that others read: flat values, the results of lm-evaluation-harness, and the
//! log of Inspect.
//!
//! Sources: the result files of lm-evaluation-harness 0.4 and the log schema of Inspect 0.3.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use tasks::{TaskId, Verdict};
use trace::{Record, Score, bytes_hash, formats};

use crate::report::{Family, Report};
use crate::tables::csv_line;
use crate::{ErrorKind, RunEntry, Runs};

/// One line a run, with everything that is counted.
pub fn csv<T>(runs: &Runs<T>, report: &Report) -> String {
    let mut head: Vec<String> = [
        "problem",
        "task",
        "difficulty",
        "seed",
        "nodes",
        "edges",
        "sample",
        "system",
        "model",
        "endpoint",
        "setup",
        "prompt_hash",
        "verifier",
        "verdict",
        "correct",
        "seconds",
        "rounds",
        "calls",
        "mistakes",
        "corrections",
        "tokens_read",
        "tokens_written",
        "dollars",
        "claims",
        "false_claims",
    ]
    .map(String::from)
    .to_vec();
    head.extend(ErrorKind::ALL.iter().map(|k| format!("error_{}", k.id())));
    head.push("explanation".into());
    let mut out = csv_line(head.iter().map(String::as_str));
    for run in &runs.runs {
        let (Some(setup), Some(item)) =
            (runs.setups.get(&run.key.setup), runs.problem(&run.key.problem))
        else {
            continue;
        };
        let (facts, usage) = (&run.facts, &run.facts.usage);
        let number = |n: Option<u64>| n.map_or_else(String::new, |n| n.to_string());
        let dollars = report.options.prices.cost(&setup.model, usage);
        let mut cells = vec![
            item.id.clone(),
            item.task.to_string(),
            item.difficulty.map_or_else(String::new, |d| d.to_string()),
            number(item.seed),
            item.graph.n_nodes().to_string(),
            item.graph.n_edges().to_string(),
            run.key.sample.to_string(),
            setup.system.clone(),
            setup.model.clone(),
            setup.kind().to_owned(),
            run.key.setup.clone(),
            setup.prompt_hash(),
            setup.verifier.to_string(),
            run.verdict.as_str().to_owned(),
            u8::from(run.verdict == Verdict::Correct).to_string(),
            format!("{:.6}", facts.took_ms / 1e3),
            facts.n_rounds.to_string(),
            facts.n_calls.to_string(),
            facts.n_mistakes().to_string(),
            facts.n_corrections.to_string(),
            number(usage.input_tokens),
            number(usage.output_tokens),
            dollars.map_or_else(String::new, |d| format!("{d:.6}")),
            facts.n_claims.to_string(),
            facts.n_false_claims.to_string(),
        ];
        let errors = ErrorKind::ALL.iter().map(|k| u8::from(facts.errors.contains(k)).to_string());
        cells.extend(errors);
        cells.push(run.explanation.clone());
        out.push_str(&csv_line(cells.iter().map(String::as_str)));
    }
    out
}

/// The standard error of a mean of zeros and ones, with n - 1 as lm-evaluation-harness has it;
/// its word for "cannot be told" where n is 1.
fn standard_error(share: f64, n: usize) -> Value {
    if n < 2 {
        return "N/A".into();
    }
    (share * (1.0 - share) / (n as f64 - 1.0)).sqrt().into()
}

/// The results of one setup in the shape of lm-evaluation-harness: one entry a task and one for
/// all, `acc` being the share of correct runs. Its fields beyond the common ones are the Wilson
/// bounds and the counts of refusals and of answers that could not be read.
pub fn lm_eval(report: &Report, setup: &str, date_s: f64) -> Option<String> {
    let (hash, config) = report.setups.iter().find(|(hash, _)| hash == setup)?;
    let rows = report.rows_of(hash).filter(|r| r.family.is_total);
    let group = report.group();
    let shots_of = |task: Option<TaskId>| match task {
        Some(task) => tasks::n_exemplars(task, config.style),
        None => group.tasks().map(|t| tasks::n_exemplars(t, config.style)).max().unwrap_or(0),
    };
    let (mut results, mut configs, mut versions) = (Map::new(), Map::new(), Map::new());
    let (mut shots, mut higher, mut samples) = (Map::new(), Map::new(), Map::new());
    let mut hashes = Map::new();
    for row in rows {
        let task = match row.family.task {
            None => group.as_str().to_owned(),
            Some(task) => format!("{}_{task}", task.group().as_str()),
        };
        let share = row.n_correct() as f64 / row.n_runs.max(1) as f64;
        let mut result = json!({
            "alias": task, "acc,none": share, "acc_stderr,none": standard_error(share, row.n_runs),
            "n_refusals": row.n_errors(ErrorKind::Refusal),
            "n_unread": row.n_errors(ErrorKind::Unread),
        });
        if let Some(interval) = row.accuracy {
            result["acc_wilson_low,none"] = interval.low.into();
            result["acc_wilson_high,none"] = interval.high.into();
        }
        results.insert(task.clone(), result);
        configs.insert(
            task.clone(),
            json!({
                "task": task, "output_type": "generate_until", "num_fewshot": shots_of(row.family.task),
                "metadata": { "version": config.verifier },
                "metric_list": [{ "metric": "acc", "aggregation": "mean", "higher_is_better": true }],
            }),
        );
        versions.insert(task.clone(), config.verifier.into());
        shots.insert(task.clone(), shots_of(row.family.task).into());
        higher.insert(task.clone(), json!({ "acc": true }));
        samples
            .insert(task.clone(), json!({ "original": row.n_problems, "effective": row.n_runs }));
        hashes.insert(task, config.prompt_hash().into());
    }
    let out = json!({
        "results": results, "group_subtasks": {}, "configs": configs, "versions": versions,
        "n-shot": shots, "higher_is_better": higher, "n-samples": samples,
        "config": {
            "model": config.kind(), "model_args": format!("model={}", config.model),
            "system": config.system, "setup_hash": hash, "limit": null, "bootstrap_iters": 0,
            "gen_kwargs": config.endpoint.as_ref().map(|e| json!(e.options)), "random_seed": null,
        },
        "git_hash": null, "date": date_s, "model_source": config.kind(), "model_name": config.model,
        "model_name_sanitized": config.model.replace(|c: char| !c.is_ascii_alphanumeric(), "_"),
        "system_instruction": config.prompt,
        "system_instruction_sha": null, "fewshot_as_multiturn": false, "chat_template": null,
        "task_hashes": hashes,
    });
    serde_json::to_string_pretty(&out).ok()
}

/// One line a run of one setup, in the shape of lm-evaluation-harness's sample files.
pub fn lm_eval_samples(runs: &Runs, setup: &str) -> String {
    let mut out = String::new();
    let mine = runs.runs.iter().filter(|r| r.key.setup == setup);
    for (i, run) in mine.enumerate() {
        let (Some(config), Some(item)) = (runs.setups.get(setup), runs.problem(&run.key.problem))
        else {
            continue;
        };
        let problem = item.problem();
        let question = config.question(&problem, item.question.as_deref());
        let target = tasks::reference_text(&problem, &tasks::solve(&problem));
        let answer = run.trace.answer().unwrap_or_default();
        let hash = |text: &str| bytes_hash(text.as_bytes());
        let line = json!({
            "doc_id": i, "doc": { "id": item.id, "task": item.task, "difficulty": item.difficulty },
            "target": target, "arguments": { "gen_args_0": { "arg_0": question } },
            "resps": [[answer]], "filtered_resps": [answer], "filter": "none", "metrics": ["acc"],
            "doc_hash": hash(&item.id), "prompt_hash": hash(&question), "target_hash": hash(&target),
            "acc": u8::from(run.verdict == Verdict::Correct), "verdict": run.verdict,
        });
        out.push_str(&line.to_string());
        out.push('\n');
    }
    out
}

/// A verdict as a file of traces has it.
pub fn score(verdict: Verdict, explanation: &str) -> Score {
    let (label, value) = match verdict {
        Verdict::Correct => ("correct", 1.0),
        Verdict::Partial => ("partial", 0.5),
        Verdict::Incorrect => ("incorrect", 0.0),
        Verdict::NoAnswer => ("no_answer", 0.0),
    };
    let explanation = explanation.to_owned();
    Score { name: "verdict".into(), label: label.into(), value, explanation }
}

/// A run as a file of traces has it.
pub fn record(runs: &Runs, run: &RunEntry) -> Option<Record> {
    let (setup, item) = (runs.setups.get(&run.key.setup)?, runs.problem(&run.key.problem)?);
    let trace = run.whole_trace(setup, item, runs.tools_of(setup));
    let score = score(run.verdict, &run.explanation);
    let mut metadata = Map::new();
    metadata.insert("epoch".into(), (run.key.sample + 1).into());
    metadata.insert("difficulty".into(), json!(item.difficulty));
    metadata.insert("seed".into(), json!(item.seed));
    Some(Record {
        id: item.id.clone(),
        task: item.task.to_string(),
        score: Some(score),
        started_at: (run.at_ms > 0.0).then(|| formats::moment(run.at_ms - run.facts.took_ms)),
        metadata,
        ..Record::of(trace)
    })
}

/// The log of Inspect for one setup: a sample a run, an epoch a sample of ours.
pub fn inspect(runs: &Runs, report: &Report, setup: &str) -> Option<String> {
    let (hash, config) = report.setups.iter().find(|(hash, _)| hash == setup)?;
    let mine = runs.runs.iter().filter(|r| r.key.setup == setup);
    let records: Vec<Record> = mine.filter_map(|r| record(runs, r)).collect();
    let text = (formats::find("inspect")?.write)(&records);
    let mut log: Value = serde_json::from_str(&text).ok()?;
    let row = report.row(hash, Family::ALL)?;
    let share = row.n_correct() as f64 / row.n_runs.max(1) as f64;
    let metric = |name: &str, value: Value| {
        (name.to_owned(), json!({ "name": name, "value": value, "params": {} }))
    };
    let mut metrics = Map::from_iter([metric("accuracy", share.into())]);
    if let error @ Value::Number(_) = standard_error(share, row.n_runs) {
        metrics.extend([metric("stderr", error)]);
    }
    log["results"]["scores"][0]["metrics"] = metrics.into();
    log["eval"]["task"] = "nlgraph".into();
    log["eval"]["model"] = config.model.clone().into();
    log["eval"]["dataset"]["name"] = "nlgraph".into();
    let tasks: BTreeMap<TaskId, usize> = report
        .rows_of(hash)
        .filter(|r| r.family.is_total)
        .filter_map(|r| Some((r.family.task?, r.n_runs)))
        .collect();
    log["eval"]["task_args"] = json!({ "system": config.system, "tasks": tasks });
    log["eval"]["metadata"] = json!({
        "setup_hash": hash, "prompt_hash": config.prompt_hash(), "verifier": config.verifier,
    });
    Some(log.to_string())
}
