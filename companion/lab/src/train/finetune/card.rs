//! What is told of a fine-tuning: a page for people, an object for programs, a learning curve.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::checkpoint::{Point, Progress};
use super::measure::Measured;
use super::{Adapters, Exported};
use companion::scoring::Summary;

/// All that is told.
pub(crate) struct Made<'a> {
    pub(crate) base: &'a str,
    pub(crate) base_sha256: &'a str,
    pub(crate) name: &'a str,
    /// Files, without the places where they lie.
    pub(crate) data: &'a [String],
    pub(crate) n_examples: usize,
    pub(crate) n_held_out: usize,
    pub(crate) n_left_out: usize,
    pub(crate) adapters: &'a Adapters,
    pub(crate) settings: Map<String, Value>,
    pub(crate) seed: u64,
    pub(crate) n_steps: usize,
    pub(crate) progress: &'a Progress,
    pub(crate) before: Option<&'a Measured>,
    pub(crate) after: Option<&'a Measured>,
    pub(crate) file: &'a str,
    pub(crate) stored: &'a str,
    pub(crate) exported: &'a Exported,
    pub(crate) command: &'a str,
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Made<'_> {
    /// For programs.
    pub(crate) fn summary(&self) -> Value {
        json!({
            "base": self.base, "base_sha256": self.base_sha256, "name": self.name,
            "data": self.data, "examples": self.n_examples, "held_out": self.n_held_out,
            "left_out": self.n_left_out, "rank": self.adapters.rank,
            "learned_numbers": self.adapters.len(), "settings": self.settings, "seed": self.seed,
            "steps": self.n_steps, "tokens": self.progress.n_tokens,
            "learned_tokens": self.progress.n_own, "seconds": self.progress.seconds,
            "curve": self.progress.points, "before": self.before, "after": self.after,
            "file": self.file, "stored": self.stored, "bytes": self.exported.n_bytes,
            "sha256": hex(&self.exported.sha256), "command": self.command,
        })
    }
}

/// For people, as Markdown.
pub(crate) fn card(made: &Made<'_>) -> String {
    let Made { progress, adapters, .. } = made;
    let settings: Vec<String> = made.settings.iter().map(|(n, x)| format!("{n} {x}")).collect();
    let mut text = format!("# {}\n\n", made.name);
    for (name, value) in [
        (
            "Base",
            format!(
                "{}, SHA-256 {}; its licence holds for this file, too",
                made.base, made.base_sha256
            ),
        ),
        (
            "Learned from",
            format!(
                "{}: {} examples; {} held out, {} left out because a held-out line asks the same",
                made.data.join(", "),
                made.n_examples,
                made.n_held_out,
                made.n_left_out
            ),
        ),
        (
            "Adapters",
            format!(
                "LoRA of rank {} on {} matrices, {} numbers; merged",
                adapters.rank,
                adapters.places.len(),
                adapters.len()
            ),
        ),
        ("Settings", settings.join(", ")),
        ("Seed", made.seed.to_string()),
        (
            "Steps and time",
            format!(
                "{} steps, {} tokens of which {} were learned, {:.1} minutes",
                made.n_steps,
                progress.n_tokens,
                progress.n_own,
                progress.seconds / 60.0
            ),
        ),
        (
            "File",
            format!(
                "{}, learned matrices in {}, {} bytes, SHA-256 {}",
                made.file,
                made.stored,
                made.exported.n_bytes,
                hex(&made.exported.sha256)
            ),
        ),
        ("Made by", format!("`{}`", made.command)),
    ] {
        // A `String` takes whatever is written.
        let _ = writeln!(text, "- {name}: {value}");
    }
    if let (Some(before), Some(after)) = (made.before, made.after) {
        text.push('\n');
        text.push_str(&table(before, after));
    }
    text
}

/// Held-out lines before and after, as a table in Markdown.
pub(crate) fn table(before: &Measured, after: &Measured) -> String {
    let mut text = String::from("| held-out lines | before | after |\n|---|---:|---:|\n");
    let mut row = |name: &str, a: String, b: String| {
        let _ = writeln!(text, "| {name} | {a} | {b} |");
    };
    let both = |of: &dyn Fn(&Measured) -> String| (of(before), of(after));
    let (a, b) = both(&|m| format!("{:.4}", m.loss));
    row(&format!("loss a token, over {} tokens", after.n_tokens), a, b);
    let (a, b) = both(&|m| format!("{:.1} %", 100.0 * m.right_tokens));
    row("tokens that are the likeliest", a, b);
    if after.calls.n > 0 {
        let (a, b) = both(&|m| m.calls.words());
        row("turns with calls: the same calls", a, b);
        for name in after.functions.keys() {
            let (a, b) = both(&|m| m.functions.get(name).copied().unwrap_or_default().words());
            row(&format!("calls of `{name}`"), a, b);
        }
    }
    let (a, b) = both(&|m| m.answers.words());
    row("answers in words: the same, letter for letter", a, b);
    let (a, b) = both(&|m| m.lines.words());
    row("whole lines", a, b);
    if before.failed + after.failed > 0 {
        let (a, b) = both(&|m| match &m.fault {
            Some(fault) => format!("{} ({fault})", m.failed),
            None => m.failed.to_string(),
        });
        row("turns that could not be asked", a, b);
    }
    if let (Some(one), Some(two)) = (&before.table, &after.table) {
        type Column = (&'static str, fn(&Summary) -> f64);
        let columns: [Column; 8] = [
            ("ROUGE-1", |s| s.rouge_1),
            ("ROUGE-2", |s| s.rouge_2),
            ("ROUGE-L", |s| s.rouge_l),
            ("ROUGE-LSum", |s| s.rouge_lsum),
            ("BLEU", |s| s.bleu),
            ("BP", |s| s.brevity),
            ("API accuracy, as the public code counts it", |s| s.api_accuracy),
            ("same calls", |s| s.same_calls),
        ];
        for (name, of) in columns {
            row(name, format!("{:.2}", of(one)), format!("{:.2}", of(two)));
        }
        let answers = |s: &Summary| match s.same_answers {
            Some(share) => format!("{share:.2} (of {})", s.n_run),
            None => "–".to_owned(),
        };
        row("same answers, where the calls can be run", answers(one), answers(two));
    }
    text
}

/// The learning curve as a table.
pub(crate) fn curve(points: &[Point]) -> String {
    let mut text = String::from("step\tminutes\tloss\theld-out loss\n");
    for point in points {
        let held_out = point.held_out.map_or_else(String::new, |loss| format!("{loss:.4}"));
        let _ = writeln!(
            text,
            "{}\t{:.2}\t{:.4}\t{held_out}",
            point.step,
            point.seconds / 60.0,
            point.loss
        );
    }
    text
}
