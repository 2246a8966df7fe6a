//! Statements to try: one for each function, about data that are at hand.

use systems::toolformer::hubs::{DATASETS, HubTask, Hubs, TASKS};
use systems::toolformer::prompts::{Pair, ShownPrompt, ShownTask, make, shown};

use protocol::toolformer::{StatementExample, TaskFamily};

/// Pairs that are made of a data set, of which each function is given the first.
const PAIRS: usize = 160;

/// A statement for each function, from the first data set at hand that it is about. The same seed
/// gives the same.
pub(super) fn families(hubs: &Hubs, seed: u64) -> Vec<TaskFamily> {
    let mut made: Vec<(&str, Vec<Pair>)> = Vec::new();
    for dataset in DATASETS {
        // What takes no file makes shorter sentences; what was handed over stands before it.
        if let Ok(pairs) = make(hubs, dataset.id, PAIRS, seed) {
            made.push((dataset.id, pairs));
        }
    }
    made.sort_by_key(|(id, _)| DATASETS.iter().any(|d| d.id == *id && d.make.is_some()));
    TASKS.iter().map(|task| family(task, &made)).collect()
}

/// What the paper's prompts teach, about the data at hand.
pub(super) fn prompts(hubs: &Hubs) -> Vec<TaskFamily> {
    let example = |prompt: ShownPrompt| StatementExample {
        function: format!("prompt-{}", prompt.id),
        dataset: prompt.pair.dataset,
        question: prompt.pair.input,
        statement: prompt.pair.output,
        truth: None,
        teaches: Some(prompt.teaches.to_owned()),
    };
    let family = |task: ShownTask| TaskFamily {
        task: format!("prompts-{}", task.id),
        title: task.title.to_owned(),
        lede: task.lede.to_owned(),
        examples: task.prompts.into_iter().map(example).collect(),
    };
    shown(hubs).into_iter().map(family).collect()
}

fn family(task: &HubTask, made: &[(&str, Vec<Pair>)]) -> TaskFamily {
    let mut examples = Vec::new();
    for function in task.functions {
        let called = format!(":{}\"", function.name);
        let found = made.iter().find_map(|(dataset, pairs)| {
            let is_it = |p: &&Pair| p.output.contains(&called) && p.input.ends_with('?');
            pairs.iter().find(is_it).map(|pair| (*dataset, pair))
        });
        if let Some((dataset, pair)) = found {
            examples.push(StatementExample {
                function: function.name.to_owned(),
                dataset: dataset.to_owned(),
                question: pair.input.clone(),
                statement: pair.output.clone(),
                truth: pair.answer.clone(),
                teaches: None,
            });
        }
    }
    let (title, lede) = (task.title.to_owned(), task.lede.to_owned());
    TaskFamily { task: task.id.to_owned(), title, lede, examples }
}
