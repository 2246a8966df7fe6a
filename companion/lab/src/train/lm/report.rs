//! What is told of a training: a line, a table, a curve.

use std::fmt::Write as _;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use tasks::{Difficulty, TaskId};

use super::{LmOptions, SETS, State};
use crate::train::{Line, Panel, drawn};

/// How good it is at one task and level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Share {
    pub(crate) task: TaskId,
    pub(crate) level: Difficulty,
    pub(crate) has_tools: bool,
    /// The share of conversations that come out whole.
    pub(crate) right: f64,
}

/// How good it is at the statements of a set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SetShare {
    pub(crate) set: String,
    /// The share of statements that come out whole.
    pub(crate) right: f64,
}

/// How good it is at plans of so many hops.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PlanShare {
    pub(crate) hops: u32,
    /// The share of plans that come out whole.
    pub(crate) right: f64,
}

/// How good it is at a kind of questions in people's words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PeopleShare {
    pub(crate) kind: String,
    /// Of lines that nothing was learned from.
    pub(crate) is_held_out: bool,
    /// The share of conversations that come out whole.
    pub(crate) right: f64,
}

/// A measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Point {
    pub(crate) step: usize,
    pub(crate) loss: f64,
    pub(crate) seconds: f64,
    pub(crate) shares: Vec<Share>,
    #[serde(default)]
    pub(crate) sets: Vec<SetShare>,
    #[serde(default)]
    pub(crate) plans: Vec<PlanShare>,
    #[serde(default)]
    pub(crate) people: Vec<PeopleShare>,
}

fn mean(shares: &[Share], has_tools: bool) -> f64 {
    let all: Vec<f64> =
        shares.iter().filter(|s| s.has_tools == has_tools).map(|s| s.right).collect();
    all.iter().sum::<f64>() / all.len().max(1) as f64
}

fn mean_of_sets(sets: &[SetShare]) -> f64 {
    sets.iter().map(|s| s.right).sum::<f64>() / sets.len().max(1) as f64
}

fn mean_of_plans(plans: &[PlanShare]) -> f64 {
    plans.iter().map(|s| s.right).sum::<f64>() / plans.len().max(1) as f64
}

fn mean_of_people(people: &[PeopleShare], is_held_out: bool) -> f64 {
    let all: Vec<f64> =
        people.iter().filter(|s| s.is_held_out == is_held_out).map(|s| s.right).collect();
    all.iter().sum::<f64>() / all.len().max(1) as f64
}

impl Point {
    /// For people.
    pub(crate) fn line(&self) -> String {
        let mut text = format!(
            "measured at step {}: loss {:.4}, whole with tools {:.2}, without {:.2}, inline {:.2}, plans {:.2}, people {:.2}, of held-out lines {:.2};",
            self.step,
            self.loss,
            mean(&self.shares, true),
            mean(&self.shares, false),
            mean_of_sets(&self.sets),
            mean_of_plans(&self.plans),
            mean_of_people(&self.people, false),
            mean_of_people(&self.people, true)
        );
        for share in &self.shares {
            let mark = if share.has_tools { "+" } else { "-" };
            // A `String` takes whatever is written.
            let _ = write!(text, " {} {}{mark} {:.2}", share.task, share.level, share.right);
        }
        for share in &self.sets {
            let _ = write!(text, " {} {:.2}", share.set, share.right);
        }
        for share in &self.plans {
            let _ = write!(text, " plans of {} hops {:.2}", share.hops, share.right);
        }
        for share in &self.people {
            let mark = if share.is_held_out { "held-out " } else { "" };
            let _ = write!(text, " {mark}{} {:.2}", share.kind, share.right);
        }
        text
    }
}

/// What a card tells beside the training itself.
pub(crate) struct Facts<'a> {
    pub(crate) state: &'a State,
    pub(crate) options: &'a LmOptions,
    pub(crate) command: &'a str,
    /// Files whose questions are held out.
    pub(crate) held_out: &'a [String],
    pub(crate) n_bytes: usize,
    pub(crate) sha256: &'a str,
}

/// For people, as Markdown.
pub(crate) fn card(facts: &Facts<'_>) -> String {
    let Facts { state, options, .. } = facts;
    let progress = &state.progress;
    let settings: Vec<String> =
        options.settings.all().iter().map(|(name, x)| format!("{name} {x}")).collect();
    let tasks: Vec<&str> = options.tasks.iter().map(|task| task.as_str()).collect();
    let sets: Vec<&str> = SETS.iter().map(|set| set.id).collect();
    let mut text = String::from("# A training of our own language model\n\n");
    for (name, value) in [
        ("Learned from", "problems that the program generates, a fresh one each time".to_owned()),
        ("Tasks", tasks.join(", ")),
        ("Sets of statements with inline calls", sets.join(", ")),
        (
            "Plans",
            format!("of 1 to {} hops, on tiny graphs with made-up names", super::plans::MOST_HOPS),
        ),
        ("Parameters", state.learner.config().n_weights().to_string()),
        (
            "Questions held out by their hash",
            format!(
                "{} of {}; {} that came by chance were left out",
                options.held_out.len(),
                if facts.held_out.is_empty() {
                    "no file".into()
                } else {
                    facts.held_out.join(", ")
                },
                progress.n_left_out
            ),
        ),
        ("Questions in people's words", people_lines()),
        (
            "Begins with",
            options.begins_with.as_ref().map_or_else(
                || "weights by chance".to_owned(),
                |(_, hash)| format!("the weights of SHA-256 {hash}"),
            ),
        ),
        ("Settings", settings.join(", ")),
        ("Seed", options.seed.to_string()),
        (
            "Steps and time",
            format!(
                "{} steps, {:.1} million tokens, {:.2} hours",
                state.learner.n_steps(),
                progress.n_tokens as f64 / 1e6,
                progress.seconds / 3600.0
            ),
        ),
        ("File", format!("{} bytes, SHA-256 {}", facts.n_bytes, facts.sha256)),
        ("Made by", format!("`{}`", facts.command)),
    ] {
        // A `String` takes whatever is written.
        let _ = writeln!(text, "- {name}: {value}");
    }
    if let Some(point) = progress.points.last() {
        let _ = write!(text, "\n{}", table(point));
    }
    text
}

fn people_lines() -> String {
    let (n, n_held_out) = super::people::n_lines();
    format!("made of {n} lines, {n_held_out} of which nothing was learned from")
}

/// What was measured last, as a table in Markdown.
fn table(point: &Point) -> String {
    let mut text = String::from(
        "| task | level | with tools: whole conversation as it should be | without tools: answer word for word as the solver's |\n|---|---|---:|---:|\n",
    );
    for share in point.shares.iter().filter(|share| share.has_tools) {
        let bare = point
            .shares
            .iter()
            .find(|s| !s.has_tools && s.task == share.task && s.level == share.level)
            .map_or(0.0, |s| s.right);
        let _ = writeln!(
            text,
            "| {} | {} | {:.0} % | {:.0} % |",
            share.task,
            share.level,
            100.0 * share.right,
            100.0 * bare
        );
    }
    if !point.sets.is_empty() {
        text.push_str("\n| set | statements that come out whole |\n|---|---:|\n");
    }
    for share in &point.sets {
        let _ = writeln!(text, "| {} | {:.0} % |", share.set, 100.0 * share.right);
    }
    if !point.plans.is_empty() {
        text.push_str("\n| hops | plans that come out whole |\n|---|---:|\n");
    }
    for share in &point.plans {
        let _ = writeln!(text, "| {} | {:.0} % |", share.hops, 100.0 * share.right);
    }
    if !point.people.is_empty() {
        text.push_str(
            "\n| people ask | lines that were learned | lines that were held out |\n|---|---:|---:|\n",
        );
    }
    for share in point.people.iter().filter(|share| !share.is_held_out) {
        let mut others = point.people.iter().filter(|s| s.is_held_out && s.kind == share.kind);
        let held_out = others.next().map_or(0.0, |s| s.right);
        let _ = writeln!(
            text,
            "| {} | {:.0} % | {:.0} % |",
            share.kind,
            100.0 * share.right,
            100.0 * held_out
        );
    }
    text
}

/// The learning curve as a table.
pub(crate) fn curve(points: &[Point]) -> String {
    let mut text = String::from(
        "step\tminutes\tloss\twhole with tools\twhole without tools\twhole inline\twhole plans\twhole people\twhole held-out\n",
    );
    for point in points {
        let _ = writeln!(
            text,
            "{}\t{:.1}\t{:.4}\t{:.3}\t{:.3}\t{:.3}\t{:.3}\t{:.3}\t{:.3}",
            point.step,
            point.seconds / 60.0,
            point.loss,
            mean(&point.shares, true),
            mean(&point.shares, false),
            mean_of_sets(&point.sets),
            mean_of_plans(&point.plans),
            mean_of_people(&point.people, false),
            mean_of_people(&point.people, true)
        );
    }
    text
}

/// The learning curve of a table as a drawing.
///
/// # Errors
/// It is no table of [`curve`].
pub(crate) fn drawing(table: &str) -> Result<String> {
    let mut lines = table.lines();
    let head = lines.next().unwrap_or_default();
    let names: Vec<&str> = head.split('\t').collect();
    let mut columns: Vec<Vec<f64>> = vec![Vec::new(); names.len()];
    for (i, line) in lines.enumerate() {
        let fault = || format!("line {}: expected {} numbers, {line:?} given", i + 2, names.len());
        let row: Option<Vec<f64>> = line.split('\t').map(|x| x.parse().ok()).collect();
        let row = row.filter(|row| row.len() == names.len()).with_context(fault)?;
        columns.iter_mut().zip(row).for_each(|(column, x)| column.push(x));
    }
    let values = |name: &str| -> Result<Vec<f64>> {
        let place = names.iter().position(|known| *known == name);
        let place = place.with_context(|| format!("there is no column {name:?} in {head:?}"))?;
        Ok(columns[place].clone())
    };
    let line = |name, column: &str, class| -> Result<Line> {
        Ok(Line { name, class, values: values(column)? })
    };
    let steps: Vec<usize> = values("step")?.into_iter().map(|x| x as usize).collect();
    let panels = [
        Panel {
            title: "share of new conversations that come out whole, by step".to_owned(),
            lines: vec![
                line("with tools", "whole with tools", "a")?,
                line("without tools", "whole without tools", "b")?,
                line("inline calls", "whole inline", "c")?,
                line("plans", "whole plans", "d")?,
                line("people's words", "whole people", "e")?,
            ],
            chosen: None,
        },
        Panel {
            title: "loss, by step".to_owned(),
            lines: vec![line("loss", "loss", "c")?],
            chosen: None,
        },
    ];
    Ok(drawn("A training of our own language model", &steps, &panels))
}
