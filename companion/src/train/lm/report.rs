//! What is told of a training: a line, a table, a curve.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use tasks::{Difficulty, TaskId};

/// How good it is at one task and level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Share {
    pub(crate) task: TaskId,
    pub(crate) level: Difficulty,
    pub(crate) has_tools: bool,
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
}

fn mean(shares: &[Share], has_tools: bool) -> f64 {
    let all: Vec<f64> =
        shares.iter().filter(|s| s.has_tools == has_tools).map(|s| s.right).collect();
    all.iter().sum::<f64>() / all.len().max(1) as f64
}

impl Point {
    /// For people.
    pub(crate) fn line(&self) -> String {
        let mut text = format!(
            "measured at step {}: loss {:.4}, whole with tools {:.2}, without {:.2};",
            self.step,
            self.loss,
            mean(&self.shares, true),
            mean(&self.shares, false)
        );
        for share in &self.shares {
            let mark = if share.has_tools { "+" } else { "-" };
            // A `String` takes whatever is written.
            let _ = write!(text, " {} {}{mark} {:.2}", share.task, share.level, share.right);
        }
        text
    }
}

/// What was measured last, as a table in Markdown.
pub(crate) fn card(point: &Point) -> String {
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
    text
}

/// The learning curve as a table.
pub(crate) fn curve(points: &[Point]) -> String {
    let mut text = String::from("step\tminutes\tloss\twhole with tools\twhole without tools\n");
    for point in points {
        let _ = writeln!(
            text,
            "{}\t{:.1}\t{:.4}\t{:.3}\t{:.3}",
            point.step,
            point.seconds / 60.0,
            point.loss,
            mean(&point.shares, true),
            mean(&point.shares, false)
        );
    }
    text
}
