//! Between runs as they are kept and traces as they are written to files.

use protocol::problem::ProblemView;
use tasks::Verdict;
use trace::{Record, RecordScore};

use super::stored::StoredRun;

/// A run with its problem, as a file of traces has it.
pub fn record(run: &systems::Run, id: String) -> Record {
    let judgement = &run.judgement;
    let (label, value) = match judgement.verdict {
        Verdict::Correct => ("correct", 1.0),
        Verdict::Partial => ("partial", 0.5),
        Verdict::Incorrect => ("incorrect", 0.0),
        Verdict::NoAnswer => ("no_answer", 0.0),
    };
    let score = RecordScore {
        name: "verdict".into(),
        label: label.into(),
        value,
        explanation: judgement.explanation.clone(),
    };
    let task = run.task.as_str().to_owned();
    Record { id, task, score: Some(score), ..Record::of(run.trace.clone()) }
}

/// A kept run as a record with its problem.
pub fn of_stored(stored: StoredRun) -> (Record, ProblemView) {
    let id = format!("{:.0}", stored.summary.id);
    (record(&stored.run, id), stored.problem)
}

/// A name for a list: the task and the model, or the first words of the question.
pub fn name(record: &Record) -> String {
    let about = if record.task.is_empty() {
        let head: String = record.input.chars().take(40).collect();
        if head.is_empty() { "A trace".to_owned() } else { head }
    } else {
        record.task.clone()
    };
    match record.trace.model.as_str() {
        "" => about,
        model => format!("{about}, {}", model.chars().take(60).collect::<String>()),
    }
}

#[cfg(test)]
mod tests {
    use trace::Trace;

    use super::*;

    #[test]
    fn a_record_has_a_name() {
        let mut record = Record::of(Trace::new("grounded", "m".into(), Vec::new()));
        assert_eq!(name(&record), "A trace, m");
        record.input = "Which way is the shortest?".into();
        assert_eq!(name(&record), "Which way is the shortest?, m");
        record.task = "shortest_path".into();
        assert_eq!(name(&record), "shortest_path, m");
    }
}
