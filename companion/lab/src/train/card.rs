//! What is told of a trained model: a page for people, an object for programs.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use systems::toolformer::pack::Card;
use systems::toolformer::report::{ModelReport, worse};

use super::checkpoint::Trained;
use super::{Headline, Outcome, mean_and_deviation};

/// All that is told.
pub(crate) struct Made<'a> {
    pub(crate) model: &'a str,
    pub(crate) dataset: &'a str,
    pub(crate) source: &'a Card,
    pub(crate) metric: &'static str,
    pub(crate) n_parts: usize,
    pub(crate) facts: Vec<(&'static str, String)>,
    pub(crate) headline: Headline,
    /// What the model in the file did not learn from.
    pub(crate) held_out: Vec<String>,
    pub(crate) settings: Map<String, Value>,
    pub(crate) command: &'a str,
    pub(crate) n_bytes: usize,
    pub(crate) sha256: &'a str,
    pub(crate) outcome: &'a Outcome,
}

/// A figure of all trainings.
type Figure = (String, f64, f64);

impl Made<'_> {
    /// Of each figure the mean over seeds and the deviation between them; the parts of one seed are
    /// one figure.
    fn figures(&self) -> Vec<Figure> {
        let mut names = vec![
            format!(
                "{}, epoch chosen on validation: validation, mean over the window",
                self.metric
            ),
            format!("{}, epoch chosen on validation: test", self.metric),
            format!("{}, test at its own best epoch (no epoch may be chosen so)", self.metric),
        ];
        let own = self.outcome.trained.first();
        names.extend(own.into_iter().flat_map(|t| t.figures.keys().cloned()));
        let of = |trained: &Trained, place: usize, name: &str| match place {
            0 => trained.window.valid,
            1 => trained.chosen.test,
            2 => trained.best_test.test,
            _ => trained.figures.get(name).and_then(Value::as_f64).unwrap_or(f64::NAN),
        };
        let mut all = Vec::new();
        for (place, name) in names.into_iter().enumerate() {
            let mut by_seed: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
            for trained in &self.outcome.trained {
                by_seed.entry(trained.seed).or_default().push(of(trained, place, &name));
            }
            let seeds: Vec<f64> = by_seed.values().map(|f| mean_and_deviation(f).0).collect();
            let (mean, deviation) = mean_and_deviation(&seeds);
            all.push((name, mean, deviation));
        }
        all
    }

    fn seeds(&self) -> Vec<u64> {
        let mut seeds: Vec<u64> = self.outcome.trained.iter().map(|t| t.seed).collect();
        seeds.dedup();
        seeds
    }

    /// The figure that the model is told by, beside its baseline.
    fn report(&self) -> ModelReport {
        let figures = self.figures();
        let of = |name| figures.iter().find(|(n, ..)| n == name).map_or(f64::NAN, |f| f.1);
        let Headline { figure, baseline, baseline_is, measured } = self.headline;
        let split = self.facts.iter().find(|(name, _)| *name == "Split");
        ModelReport {
            model: self.model.to_owned(),
            dataset: self.dataset.to_owned(),
            test: of(figure),
            baseline: of(baseline),
            baseline_is: baseline_is.to_owned(),
            measured: measured.to_owned(),
            split: split.map(|(_, text)| text.clone()).unwrap_or_default(),
            held_out: self.held_out.clone(),
            worse: worse(figures.iter().map(|(name, mean, _)| (name.as_str(), *mean))),
        }
    }

    /// For programs.
    pub(crate) fn summary(&self) -> Value {
        let figures: Map<String, Value> = self
            .figures()
            .into_iter()
            .map(|(name, mean, deviation)| (name, json!({ "mean": mean, "deviation": deviation })))
            .collect();
        json!({
            "model": self.model, "dataset": self.dataset, "metric": self.metric,
            "settings": self.settings, "seeds": self.seeds(), "parts": self.n_parts,
            "report": self.report(), "figures": figures, "trained": self.outcome.trained, "bytes": self.n_bytes,
            "sha256": self.sha256, "seconds": self.outcome.seconds,
            "seconds_per_epoch": self.outcome.seconds_per_epoch,
            "cpu_seconds_per_epoch": self.outcome.cpu_seconds_per_epoch, "command": self.command,
        })
    }
}

/// For people, as Markdown.
pub(crate) fn card(made: &Made<'_>) -> String {
    let mut text = format!("# {} of {}\n\n", made.model, made.dataset);
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(text, "- {name}: {}", value.replace('\n', " "));
    };
    line("Learned from", &format!("{} ({})", made.dataset, made.source.source));
    line("Terms of the data", &made.source.licence);
    made.source.notes.iter().for_each(|n| line("Note", n));
    made.facts.iter().for_each(|(name, value)| line(name, value));
    line("In short", &made.report().words());
    if let Some(caveat) = made.report().caveat() {
        line("But", &caveat);
    }
    line("Held out", &listed(&made.held_out));
    line("File", &format!("{} bytes, SHA-256 {}", made.n_bytes, made.sha256));
    let settings: Vec<String> = made.settings.iter().map(|(n, x)| format!("{n} {x}")).collect();
    line("Settings", &settings.join(", "));
    let seeds: Vec<String> = made.seeds().iter().map(u64::to_string).collect();
    line("Seeds", &seeds.join(", "));
    if made.n_parts > 1 {
        let n = made.n_parts;
        line("Parts", &format!("{n} for each seed; the file is the first one's"));
    }
    let Outcome { seconds_per_epoch, cpu_seconds_per_epoch, .. } = made.outcome;
    line(
        "Time",
        &format!(
            "{seconds_per_epoch:.3} s an epoch with its measurement, {cpu_seconds_per_epoch:.3} s of \
             them work of the processor"
        ),
    );
    line("Made by", &format!("`{}`", made.command));
    text.push_str("\n| figure | mean over the seeds | deviation |\n|---|---:|---:|\n");
    for (name, mean, deviation) in made.figures() {
        let dash = made.seeds().len() < 2;
        let deviation = if dash { "–".to_owned() } else { short(deviation) };
        let _ = writeln!(text, "| {name} | {} | {deviation} |", short(mean));
    }
    text.push_str(
        "\n| seed | part | epochs | chosen | window | validation, mean | test | best test | at |\n\
         |---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for t in &made.outcome.trained {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {}–{} | {} | {} | {} | {} |",
            t.seed,
            t.part + 1,
            t.epochs,
            t.chosen.epoch,
            t.window.from,
            t.window.to,
            short(t.window.valid),
            short(t.chosen.test),
            short(t.best_test.test),
            t.best_test.epoch,
        );
    }
    text
}

/// The names of what was held out, if they are few.
fn listed(held_out: &[String]) -> String {
    /// The most that are listed.
    const MOST: usize = 40;
    let mut names: Vec<String> =
        held_out.iter().take(MOST).map(|line| line.replace('\t', " ")).collect();
    if held_out.len() > MOST {
        names.push(format!("… {} in all, listed in the `.json` beside this card", held_out.len()));
    }
    names.join(", ")
}

fn short(x: f64) -> String {
    if x.abs() >= 10.0 { format!("{x:.1}") } else { format!("{x:.4}") }
}
