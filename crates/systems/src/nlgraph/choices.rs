//! What can be chosen of how a problem is put, with names for people.

use serde::Serialize;
use serde_json::Value;
use tasks::{Style, Wording};

use crate::grounded::retrieval;
use agent::Choosing;

/// In which words a question may be put.
pub static WORDINGS: [(Wording, &str); 3] = [
    (Wording::Improved, "Clearer topological sort (the paper's Table II)"),
    (Wording::Benchmark, "NLGraph's own (the paper's Table I)"),
    (Wording::City, "Cities and roads (shortest path)"),
];

/// How a model may be prompted.
pub static STYLES: [(Style, &str); 23] = [
    (Style::ZeroShot, "The question alone"),
    (Style::ZeroCot, "Think step by step"),
    (Style::LeastToMost, "Break it down"),
    (Style::Program, "By a Python program"),
    (Style::BuildAGraph, "Build the graph first"),
    (Style::FewShot, "Solved examples"),
    (Style::Cot, "Reasoned examples"),
    (Style::Algorithm, "Examples and an algorithm"),
    (Style::BuildAGraphCot, "Reasoned examples that build the graph first"),
    (Style::BuildAGraphAlgorithm, "The same with an algorithm"),
    (Style::StepByStep, "Reasoned examples, “think step by step”"),
    (Style::EachDetail, "Reasoned examples, “each detail carefully”"),
    (Style::Systematically, "Reasoned examples, “systematically”"),
    (Style::Dots, "Reasoned examples, a line of dots in each"),
    (Style::DotsFirst, "Reasoned examples, a line of dots before all"),
    (Style::Recitation, "Two edges recited before the question"),
    (Style::TwoShot, "2 solved examples"),
    (Style::FourShot, "4 solved examples"),
    (Style::EightShot, "8 solved examples"),
    (Style::TwelveShot, "12 solved examples"),
    (Style::SixteenShot, "16 solved examples"),
    (Style::MediumCot, "Reasoned examples of level medium"),
    (Style::HardCot, "Reasoned examples of level hard"),
];

/// The numbers of tools that a form offers.
const N_TOOLS: [usize; 4] = [2, 4, 8, 16];

/// The values of an option, each with its name.
pub(super) fn choices(option: &str) -> Vec<(Value, String)> {
    fn named<T: Serialize>(list: &[(T, &str)]) -> Vec<(Value, String)> {
        let value = |thing: &T| serde_json::to_value(thing).unwrap_or_default();
        list.iter().map(|(thing, name)| (value(thing), (*name).to_owned())).collect()
    }
    match option {
        "wording" => named(&WORDINGS),
        "style" => named(&STYLES),
        "repairs" => named(&[(0, "one program"), (1, "one more where it fails"), (2, "two more")]),
        "choosing" => {
            let few = |n: usize| (retrieval::choosing(n), format!("the {n} that fit best"));
            let all = [(Choosing::All, "all functions".to_owned())].into_iter();
            let all: Vec<(Choosing, String)> = all.chain(N_TOOLS.map(few)).collect();
            named(&all.iter().map(|(c, name)| (c.clone(), name.as_str())).collect::<Vec<_>>())
        }
        _ => Vec::new(),
    }
}
