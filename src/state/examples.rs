//! Two recorded runs of our own small model, which Traces shows until a person opens one of their own.

use trace::Record;

/// The records, as JSON; `assets/runs/README.md` describes them.
static TEXT: &str = include_str!("../../assets/runs/two.json");

/// A run with tools in which a call fails and the next one corrects it, and an answer without tools that
/// claims what the graph does not have.
pub fn records() -> Vec<Record> {
    serde_json::from_str(TEXT).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::io::Read as _;

    use eval::{Key, Runs, exports};
    use tasks::{claims, parse_question, verify};

    use super::*;
    use crate::state::records::label;

    /// The benchmark that Bench shows as its example.
    fn benchmark() -> Runs {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/runs/example.jsonl.gz");
        let mut text = String::new();
        let file = std::fs::File::open(path).unwrap();
        flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
        Runs::read(&text).unwrap()
    }

    /// A run of it on its own, with the question and the tools that it was given.
    fn taken(runs: &Runs, system: &str, case: &str) -> Record {
        let is_it = |key: &Key| {
            let setup = &runs.setups[&key.setup];
            setup.system == system && setup.models().contains("own") && key.case == case
        };
        let run = runs.runs.iter().find(|run| is_it(&run.key)).unwrap();
        exports::record(runs, run).unwrap()
    }

    #[test]
    fn the_two_are_runs_of_the_example_benchmark() {
        let runs = benchmark();
        let two = [
            taken(&runs, "grounded", "connectivity-medium-2"),
            taken(&runs, "standalone", "shortest_path-easy-2"),
        ];
        if std::env::var_os("GRAPHGROUND_RECORD").is_some() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/runs/two.json");
            std::fs::write(path, serde_json::to_string(&two).unwrap() + "\n").unwrap();
            return;
        }
        assert_eq!(records(), two);
    }

    #[test]
    fn one_corrects_a_mistake_and_the_other_claims_what_is_not_there() {
        let [with_tools, alone] = &records()[..] else { panic!("two records") };
        assert_eq!(with_tools.trace.mistakes().len(), 1);
        assert_eq!(with_tools.trace.n_corrections(), 1);
        assert_eq!(alone.trace.n_calls(), 0);
        for (record, word) in [(with_tools, "correct"), (alone, "incorrect")] {
            let problem = parse_question(&record.input).unwrap();
            let said = record.trace.answer().unwrap();
            assert_eq!(label(verify(&problem, said).verdict).0, word, "{said}");
            let is_false = claims::find(&problem, said).iter().any(|claim| !claim.is_true);
            assert_eq!(is_false, word == "incorrect", "{said}");
        }
    }
}
