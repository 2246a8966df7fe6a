//! Runs in the forms that others read: flat values, the results of lm-evaluation-harness, and the
//! log of Inspect.
//!
//! Sources: the result files of lm-evaluation-harness 0.4 and the log schema of Inspect 0.3.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use systems::experiments;
use tasks::Verdict;
use trace::{Record, RecordScore, bytes_hash, formats};

use crate::report::{Report, RowGroup};
use crate::tables::csv_line;
use crate::{RunEntry, Runs};

/// One line a run, with everything that is counted and measured.
pub fn csv<T>(runs: &Runs<T>, report: &Report) -> String {
    let mut head: Vec<String> = [
        "experiment",
        "case",
        "group",
        "level",
        "nodes",
        "sample",
        "system",
        "model",
        "endpoint",
        "setup",
        "prompt_hash",
        "scorer",
        "verdict",
        "correct",
        "seconds",
        "rounds",
        "calls",
        "mistakes",
        "corrections",
        "input_tokens",
        "output_tokens",
        "dollars",
    ]
    .map(String::from)
    .to_vec();
    let scores = || runs.runs.iter().map(|r| &r.score);
    let counts: BTreeSet<&String> = scores().flat_map(|s| s.counts.keys()).collect();
    let measures: BTreeSet<&String> = scores().flat_map(|s| s.measures.keys()).collect();
    let kinds = report.error_kinds();
    head.extend(counts.iter().chain(&measures).map(|name| (*name).clone()));
    head.extend(kinds.iter().map(|k| format!("error_{}", k.id)));
    head.push("explanation".into());
    let mut out = csv_line(head.iter().map(String::as_str));
    for run in &runs.runs {
        let (Some(setup), Some(case)) = (runs.setups.get(&run.key.setup), runs.case(&run.key.case))
        else {
            continue;
        };
        let (score, cost) = (&run.score, &run.cost);
        let number = |n: Option<u64>| n.map_or_else(String::new, |n| n.to_string());
        let tokens = cost.tokens();
        let dollars = report.options.prices.of_run(setup, cost);
        let mut cells = vec![
            case.experiment.clone(),
            case.id.clone(),
            case.group.clone(),
            case.level.clone(),
            number(case.size.map(|n| n as u64)),
            run.key.sample.to_string(),
            setup.system.clone(),
            setup.models(),
            setup.kind(),
            run.key.setup.clone(),
            setup.prompt_hash(),
            setup.scorer.to_string(),
            score.verdict.as_str().to_owned(),
            u8::from(score.verdict == Verdict::Correct).to_string(),
            format!("{:.6}", cost.took_ms / 1e3),
            cost.n_rounds.to_string(),
            cost.n_calls.to_string(),
            cost.n_mistakes().to_string(),
            cost.n_corrections.to_string(),
            number(tokens.map(|t| t.0).or(cost.usage.input_tokens)),
            number(tokens.map(|t| t.1).or(cost.usage.output_tokens)),
            dollars.map_or_else(String::new, |d| format!("{d:.6}")),
        ];
        cells.extend(counts.iter().map(|name| number(score.counts.get(*name).copied())));
        cells.extend(measures.iter().map(|name| {
            score.measures.get(*name).map_or_else(String::new, |value| format!("{value:.6}"))
        }));
        cells.extend(kinds.iter().map(|k| u8::from(score.errors.contains(k.id)).to_string()));
        cells.push(score.explanation.clone());
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
    let experiment = experiments::find(&config.experiment).ok()?;
    let rows = report.rows_of(hash).filter(|r| r.group.is_total);
    let shots_of = |group: Option<&str>| match group {
        Some(group) => experiment.n_shots(config, group),
        None => {
            experiment.groups().iter().map(|g| experiment.n_shots(config, g)).max().unwrap_or(0)
        }
    };
    let (mut results, mut configs, mut versions) = (Map::new(), Map::new(), Map::new());
    let (mut shots, mut higher, mut samples) = (Map::new(), Map::new(), Map::new());
    let mut hashes = Map::new();
    for row in rows {
        let group = row.group.group.as_deref();
        let task = match group {
            None => config.experiment.clone(),
            // Cases without groups are told once, as all of them.
            Some("") => continue,
            Some(group) => format!("{}_{}", experiment.suite(group), group.replace(' ', "_")),
        };
        let share = row.n_correct() as f64 / row.n_runs.max(1) as f64;
        let mut result = json!({
            "alias": task, "acc,none": share, "acc_stderr,none": standard_error(share, row.n_runs),
            "n_refusals": row.n_errors("refusal"),
            "n_unread": row.n_errors("unread"),
        });
        if let Some(interval) = row.accuracy {
            result["acc_wilson_low,none"] = interval.low.into();
            result["acc_wilson_high,none"] = interval.high.into();
        }
        for (name, interval) in &row.measures {
            result[format!("{name},none")] = interval.value.into();
        }
        results.insert(task.clone(), result);
        configs.insert(
            task.clone(),
            json!({
                "task": task, "output_type": "generate_until", "num_fewshot": shots_of(group),
                "metadata": { "version": config.scorer },
                "metric_list": [{ "metric": "acc", "aggregation": "mean", "higher_is_better": true }],
            }),
        );
        versions.insert(task.clone(), config.scorer.into());
        shots.insert(task.clone(), shots_of(group).into());
        higher.insert(task.clone(), json!({ "acc": true }));
        samples.insert(task.clone(), json!({ "original": row.n_cases, "effective": row.n_runs }));
        hashes.insert(task, config.prompt_hash().into());
    }
    let out = json!({
        "results": results, "group_subtasks": {}, "configs": configs, "versions": versions,
        "n-shot": shots, "higher_is_better": higher, "n-samples": samples,
        "config": {
            "model": config.kind(), "model_args": format!("model={}", config.models()),
            "system": config.system, "setup_hash": hash, "limit": null, "bootstrap_iters": 0,
            "gen_kwargs": config.first_model().and_then(|m| m.endpoint.as_ref()).map(|e| json!(e.options)), "random_seed": null,
        },
        "git_hash": null, "date": date_s, "model_source": config.kind(), "model_name": config.models(),
        "model_name_sanitized": config.models().replace(|c: char| !c.is_ascii_alphanumeric(), "_"),
        "system_instruction": experiment.instruction(config),
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
        let (Some(config), Some(case)) = (runs.setups.get(setup), runs.case(&run.key.case)) else {
            continue;
        };
        let Ok(experiment) = experiments::find(&config.experiment) else { continue };
        let (question, target) = (experiment.question(config, case), experiment.gold(case));
        let answer = run.trace.answer().unwrap_or_default();
        let hash = |text: &str| bytes_hash(text.as_bytes());
        let line = json!({
            "doc_id": i, "doc": { "id": case.id, "task": case.group, "difficulty": case.level },
            "target": target, "arguments": { "gen_args_0": { "arg_0": question } },
            "resps": [[answer]], "filtered_resps": [answer], "filter": "none", "metrics": ["acc"],
            "doc_hash": hash(&case.id), "prompt_hash": hash(&question), "target_hash": hash(&target),
            "acc": u8::from(run.score.verdict == Verdict::Correct), "verdict": run.score.verdict,
            "measures": run.score.measures,
        });
        out.push_str(&line.to_string());
        out.push('\n');
    }
    out
}

/// A verdict as a file of traces has it.
pub fn score(verdict: Verdict, explanation: &str) -> RecordScore {
    let (label, value) = match verdict {
        Verdict::Correct => ("correct", 1.0),
        Verdict::Partial => ("partial", 0.5),
        Verdict::Incorrect => ("incorrect", 0.0),
        Verdict::NoAnswer => ("no_answer", 0.0),
    };
    let explanation = explanation.to_owned();
    RecordScore { name: "verdict".into(), label: label.into(), value, explanation }
}

/// A run as a file of traces has it.
pub fn record(runs: &Runs, run: &RunEntry) -> Option<Record> {
    let (setup, case) = (runs.setups.get(&run.key.setup)?, runs.case(&run.key.case)?);
    let trace = run.whole_trace(setup, case, runs.tools_of(setup));
    let score = score(run.score.verdict, &run.score.explanation);
    let mut metadata = Map::new();
    metadata.insert("epoch".into(), (run.key.sample + 1).into());
    metadata.insert("difficulty".into(), json!(case.level));
    for (name, value) in &run.score.measures {
        metadata.insert(name.clone(), json!(value));
    }
    Some(Record {
        id: case.id.clone(),
        task: if case.group.is_empty() { case.experiment.clone() } else { case.group.clone() },
        score: Some(score),
        started_at: (run.at_ms > 0.0).then(|| formats::moment(run.at_ms - run.cost.took_ms)),
        metadata,
        ..Record::of(trace)
    })
}

/// The log of Inspect for one setup: a sample a run, an epoch a sample of ours.
pub fn inspect(runs: &Runs, report: &Report, setup: &str) -> Option<String> {
    let (hash, config) = report.setups.iter().find(|(hash, _)| hash == setup)?;
    let mine = runs.runs.iter().filter(|r| r.key.setup == setup);
    let records: Vec<Record> = mine.filter_map(|r| record(runs, r)).collect();
    let (_, text) = formats::write("inspect", &records).ok()?;
    let mut log: Value = serde_json::from_str(&text).ok()?;
    let row = report.row(hash, &RowGroup::ALL)?;
    let share = row.n_correct() as f64 / row.n_runs.max(1) as f64;
    let metric = |name: &str, value: Value| {
        (name.to_owned(), json!({ "name": name, "value": value, "params": {} }))
    };
    let mut metrics = Map::from_iter([metric("accuracy", share.into())]);
    if let error @ Value::Number(_) = standard_error(share, row.n_runs) {
        metrics.extend([metric("stderr", error)]);
    }
    log["results"]["scores"][0]["metrics"] = metrics.into();
    log["eval"]["task"] = config.experiment.clone().into();
    log["eval"]["model"] = config.models().into();
    log["eval"]["dataset"]["name"] = config.experiment.clone().into();
    let tasks: BTreeMap<&str, usize> = report
        .rows_of(hash)
        .filter(|r| r.group.is_total)
        .filter_map(|r| Some((r.group.group.as_deref()?, r.n_runs)))
        .collect();
    log["eval"]["task_args"] = json!({ "system": config.system, "tasks": tasks });
    log["eval"]["metadata"] = json!({
        "setup_hash": hash, "prompt_hash": config.prompt_hash(), "scorer": config.scorer,
    });
    Some(log.to_string())
}
