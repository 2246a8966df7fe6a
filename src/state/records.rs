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

/// A verdict in a word for people.
pub fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Correct => "Correct",
        Verdict::Partial => "Partly right",
        Verdict::Incorrect => "Wrong",
        Verdict::NoAnswer => "No answer",
    }
}

/// What a file says of an answer, in a word or a number.
pub fn score_words(score: &RecordScore) -> String {
    match score.label.trim().trim_matches('"') {
        "" => score.value.to_string(),
        label => label.replace('_', " "),
    }
}

/// Which verdict such a word or number is: one of the words that scorers use for right and wrong, or a
/// number from 0 to 1. Other words, and numbers of other scales, say neither.
pub fn said(score: &str) -> Option<Verdict> {
    match score.trim().to_lowercase().as_str() {
        "correct" | "right" | "pass" | "passed" | "success" | "true" | "yes" | "c" => {
            Some(Verdict::Correct)
        }
        "partial" | "partly right" | "partially correct" | "p" => Some(Verdict::Partial),
        "incorrect" | "wrong" | "fail" | "failed" | "failure" | "false" | "no" | "i" => {
            Some(Verdict::Incorrect)
        }
        "no answer" | "noanswer" | "n" => Some(Verdict::NoAnswer),
        other => match other.parse::<f64>().ok()? {
            1.0 => Some(Verdict::Correct),
            0.0 => Some(Verdict::Incorrect),
            share if share > 0.0 && share < 1.0 => Some(Verdict::Partial),
            _ => None,
        },
    }
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

/// By what a trace of a file is found again when the file is opened once more.
pub fn source(record: &Record) -> String {
    let Record { id, task, input, started_at, trace, .. } = record;
    let parts = (id, task, input, started_at, &trace.model, trace.answer(), trace.steps.len());
    llm::bytes_hash(serde_json::to_string(&parts).unwrap_or_default().as_bytes())
}

/// The key of a kept run, as addresses and files have it.
pub fn id_of(key: f64) -> String {
    format!("{key:.0}")
}

/// What a record is about, in a few words.
fn about(record: &Record) -> String {
    match tasks::TaskId::from_name(&record.task) {
        Some(task) => task.title().to_owned(),
        None if !record.task.is_empty() => record.task.clone(),
        None => match record.input.chars().take(40).collect::<String>() {
            head if head.is_empty() => "A trace".to_owned(),
            head => head,
        },
    }
}

/// A name for a list: what it is about, who answered and with what.
pub fn name(record: &Record) -> String {
    with_who(&about(record), &record.trace.model, &record.trace.system)
}

/// What one record of several is about: its id in the file comes first, or the end of one that is long.
/// Ids that begin with a time, as those of UUIDs do, differ at their ends.
pub fn about_in_file(record: &Record) -> String {
    const LONGEST: usize = 24;
    const SHORT: usize = 8;
    let about = about(record);
    match record.id.chars().count() {
        0 => about,
        1..=LONGEST => format!("{} · {about}", record.id),
        n => format!("…{} · {about}", record.id.chars().skip(n - SHORT).collect::<String>()),
    }
}

/// The same with who answered and with what.
pub fn name_in_file(record: &Record) -> String {
    with_who(&about_in_file(record), &record.trace.model, &record.trace.system)
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
    fn the_words_and_numbers_of_scorers_are_verdicts_or_nothing() {
        for verdict in Verdict::ALL {
            let (label, value) = label(verdict);
            let score = |label: &str| {
                score_words(&RecordScore { label: label.into(), ..score(verdict, String::new()) })
            };
            assert_eq!(said(&score(label)), Some(verdict));
            assert_eq!(said(word(verdict)), Some(verdict));
            assert_eq!(score(""), value.to_string());
        }
        for (words, verdict) in [
            ("C", Some(Verdict::Correct)),
            ("True", Some(Verdict::Correct)),
            ("1.0", Some(Verdict::Correct)),
            ("0.25", Some(Verdict::Partial)),
            ("0", Some(Verdict::Incorrect)),
            ("I", Some(Verdict::Incorrect)),
            ("4", None),
            ("-1", None),
            ("NaN", None),
            ("helpful", None),
            ("", None),
        ] {
            assert_eq!(said(words), verdict, "{words}");
        }
    }

    #[test]
    fn a_trace_is_found_again_by_what_it_says() {
        let record = Record::of(Trace::new("grounded", "m".into(), Vec::new()));
        let other = Record { id: "2".into(), ..record.clone() };
        assert_eq!(source(&record), source(&record.clone()));
        assert_ne!(source(&record), source(&other));
    }

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
