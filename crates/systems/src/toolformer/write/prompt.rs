//! What a model is told before it writes a statement: an instruction and examples near the input.

use llm::Message;
use text::Bm25;

use crate::toolformer::data::Data;
use crate::toolformer::hubs::{DATASETS, Hubs, MODELS, tasks};
use crate::toolformer::prompts::{Pair, make};

/// Pairs that are made of each data set, to choose from.
const PAIRS: usize = 120;
/// Files that a model is told of.
const FILES: usize = 50;
/// Examples that a model is shown.
const EXAMPLES: usize = 6;

const INSTRUCTION: &str = "You write one statement in which calls of graph tools stand where a \
result is needed. You know no results; the calls give them afterwards.\n\
A call is written in square brackets: [GR(GL(\"dataset\"), \"model:function\", arguments)-->r]. \
GL loads a data set, or a graph of a set: GL(\"gpr\", {\"bull_graph\"}). GR reasons about it. \
-->r puts the result in the bracket's place. Arguments are references such as paper#12, numbers, or \
other calls of GR. Where a statement comes with [TBR], write the same statement with a call in the \
place of [TBR]; where a question comes, write the statement that answers it. Write the statement \
and nothing else.";

/// The messages for a question, or for a statement with `[TBR]`.
///
/// # Complexity
/// O(pairs) made of every data set at hand.
pub fn prompt(hubs: &Hubs, input: &str) -> Vec<Message> {
    let mut instruction = INSTRUCTION.to_owned();
    instruction.push_str("\n\nFunctions:\n");
    for model in MODELS {
        let Some(task) = tasks::find(model.task) else { continue };
        for function in task.functions {
            let takes: Vec<String> = function.takes.iter().map(|p| p.words()).collect();
            let takes = if takes.is_empty() {
                String::new()
            } else {
                format!(" takes {};", takes.join(", "))
            };
            let line = format!("{}:{}{takes} gives {}\n", model.id, function.name, function.gives);
            instruction.push_str(&line);
        }
    }
    let here: Vec<&str> =
        DATASETS.iter().map(|d| d.id).filter(|id| hubs.data(id).is_ok()).collect();
    instruction.push_str("\nData sets at hand: ");
    instruction.push_str(&here.join(", "));
    if let Ok((_, _, Data::Set(graphs))) = hubs.data("gpr") {
        let names: Vec<&str> = graphs.iter().map(|g| g.name.as_str()).collect();
        instruction.push_str("\nGraphs of gpr: ");
        instruction.push_str(&names.join(", "));
    }
    let files = hubs.file_paths(FILES);
    if !files.is_empty() {
        instruction.push_str("\nFiles, which GL loads by their path, as in GL(\"");
        instruction.push_str(&files[0]);
        instruction.push_str("\"): ");
        instruction.push_str(&files.join(", "));
    }
    let mut messages = vec![Message::system(instruction)];
    for pair in examples(hubs, &here, input) {
        messages.push(Message::user(pair.input));
        messages.push(Message::assistant(pair.output));
    }
    messages.push(Message::user(input));
    messages
}

/// Pairs like the input; what is asked itself is none of them, or the example would be the answer.
fn examples(hubs: &Hubs, here: &[&str], input: &str) -> Vec<Pair> {
    let made = here.iter().filter_map(|id| make(hubs, id, PAIRS, 1).ok()).flatten();
    let pairs: Vec<Pair> = made.filter(|p| p.input != input).collect();
    let mut near: Vec<Pair> = Bm25::new(pairs.iter().map(|p| p.input.clone()))
        .rank(input)
        .iter()
        .take(EXAMPLES)
        .map(|found| pairs[found.index].clone())
        .collect();
    // The nearest stands last, beside what is asked.
    near.reverse();
    near
}
