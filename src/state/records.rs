//! Between runs as they are kept and traces as they are written to files.

use protocol::run_end::RunEnd;
use systems::Run;
use systems::experiments::system_title;
use tasks::{Judgement, Verdict};
use trace::{Record, RecordScore};

/// A verdict as a file of traces has it: a word, and a value from 0 to 1.
pub fn label(verdict: Verdict) -> (&'static str, f64) {
    match verdict {
        Verdict::Correct => ("correct", 1.0),
        Verdict::Partial => ("partial", 0.5),
        Verdict::Incorrect => ("incorrect", 0.0),
        Verdict::NoAnswer => ("no_answer", 0.0),
    }
}

/// A verdict as a file of traces has it, with its reason.
pub fn score(verdict: Verdict, explanation: String) -> RecordScore {
    let (label, value) = label(verdict);
    RecordScore { name: "verdict".into(), label: label.into(), value, explanation }
}

/// A run that ended, as a file of traces has it.
pub fn record(end: &RunEnd, id: String) -> Record {
    let score = end.score.map(|s| score(s.verdict, s.explanation.clone()));
    Record { id, task: end.task.to_owned(), score, ..Record::of(end.trace.clone()) }
}

/// A run on a graph problem, as a file of traces has it.
pub fn of_run(run: &Run, id: String) -> Record {
    let Judgement { verdict, explanation, .. } = &run.judgement;
    let score = Some(score(*verdict, explanation.clone()));
    Record { id, task: run.task.to_string(), score, ..Record::of(run.trace.clone()) }
}

/// The key of a kept run, as addresses and files have it.
pub fn id_of(key: f64) -> String {
    format!("{key:.0}")
}

/// A name for a list: what it is about, who answered and with what.
pub fn name(record: &Record) -> String {
    let about = match tasks::TaskId::from_name(&record.task) {
        Some(task) => task.title().to_owned(),
        None if !record.task.is_empty() => record.task.clone(),
        None => match record.input.chars().take(40).collect::<String>() {
            head if head.is_empty() => "A trace".to_owned(),
            head => head,
        },
    };
    with_who(&about, &record.trace.model, &record.trace.system)
}

/// The name of one record of several: its id in the file comes first, or the end of one that is long.
/// Ids that begin with a time, as those of UUIDs do, differ at their ends.
pub fn name_in_file(record: &Record) -> String {
    const LONGEST: usize = 24;
    const SHORT: usize = 8;
    let name = name(record);
    match record.id.chars().count() {
        0 => name,
        1..=LONGEST => format!("{} · {name}", record.id),
        n => format!("…{} · {name}", record.id.chars().skip(n - SHORT).collect::<String>()),
    }
}

/// A name with the model and the system behind it: two runs on one problem are told apart.
pub fn with_who(about: &str, model: &str, system: &str) -> String {
    let mut parts = vec![about.to_owned()];
    // Of a file's path the last part says which model it is.
    let is_path = !model.contains(char::is_whitespace);
    let model = model.rsplit('/').next().filter(|_| is_path).unwrap_or(model);
    parts.push(model.chars().take(60).collect());
    parts.push(system_title(system).map_or_else(String::new, str::to_lowercase));
    parts.retain(|part| !part.is_empty());
    parts.join(" · ")
}

#[cfg(test)]
mod tests {
    use trace::Trace;

    use super::*;

    #[test]
    fn a_record_has_a_name() {
        let mut record = Record::of(Trace::new("grounded", "m".into(), Vec::new()));
        assert_eq!(name(&record), "A trace · m · with graph tools");
        record.input = "Which way is the shortest?".into();
        assert_eq!(name(&record), "Which way is the shortest? · m · with graph tools");
        record.task = "shortest_path".into();
        record.trace.model = "org/model-7b".into();
        assert_eq!(name(&record), "Shortest path · model-7b · with graph tools");
        record.task = "a task of others".into();
        record.trace.system = "of others".into();
        assert_eq!(name(&record), "a task of others · model-7b");
        record.id = "sample-17".into();
        assert_eq!(name_in_file(&record), "sample-17 · a task of others · model-7b");
        record.id = "0198c2a4-7f3e-7d21-b4a2-3c5d6e7f8091".into();
        assert_eq!(name_in_file(&record), "…6e7f8091 · a task of others · model-7b");
    }
}
