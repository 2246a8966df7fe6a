//! What a writer's statement is held to, where its model holds replies to a shape: calls of functions
//! that there are, on data that are at hand and that they are about.

use llm::{Grammar, ReplyShape};

use crate::toolformer::data::Data;
use crate::toolformer::hubs::{DATASETS, FunctionParameter, Hubs, MODELS, tasks};

/// The most characters between two calls.
const MAX_WORDS: u32 = 240;
/// The most calls of a statement.
const MAX_CALLS: u32 = 3;
/// The most characters of an id behind `#`.
const MAX_ID: u32 = 24;
/// The most arguments where a function takes any number.
const MAX_ARGUMENTS: usize = 4;

/// An argument behind its comma, as often as the function takes it.
fn argument(parameter: &FunctionParameter) -> Grammar {
    let one = match parameter.kinds {
        [] => {
            let digit = Grammar::one_of(["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
            let first = Grammar::one_of(["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
            Grammar::All(vec![first, Grammar::times(digit, 0, 2)])
        }
        kinds if parameter.is_word => Grammar::one_of(kinds.iter().copied()),
        kinds => {
            let id = Grammar::AnyBut(" ,\"'()[]{}<>#“”‘’\u{a0}\u{2028}\u{2029}".to_owned());
            Grammar::All(vec![
                Grammar::text("\""),
                Grammar::one_of(kinds.iter().map(|kind| format!("{kind}#"))),
                Grammar::times(id, 1, MAX_ID),
                Grammar::text("\""),
            ])
        }
    };
    let most = parameter.most.min(MAX_ARGUMENTS.max(parameter.least));
    let one = Grammar::All(vec![Grammar::text(", "), one]);
    Grammar::times(one, parameter.least as u32, most as u32)
}

/// `GL("cora")`; of a set of graphs one may be named.
fn load(hubs: &Hubs, id: &str) -> Grammar {
    let whole = Grammar::text(format!("GL(\"{id}\")"));
    let Ok((_, _, Data::Set(all))) = hubs.data(id) else { return whole };
    let plain = all.iter().map(|member| &member.name).filter(|name| !name.contains(['"', '\n']));
    let names: Vec<&String> = plain.collect();
    if names.is_empty() {
        return whole;
    }
    let one = Grammar::All(vec![
        Grammar::text(format!("GL(\"{id}\", {{\"")),
        Grammar::one_of(names),
        Grammar::text("\"})"),
    ]);
    Grammar::OneOf(vec![whole, one])
}

/// The statements that can be written with what is at hand. O(data sets × functions + graphs of
/// sets).
pub fn statement_shape(hubs: &Hubs) -> ReplyShape {
    let mut calls = Vec::new();
    for model in MODELS {
        let Some(task) = tasks::find(model.task) else { continue };
        let about = DATASETS.iter().filter(|d| task.is_about(d) && hubs.data(d.id).is_ok());
        let graphs: Vec<Grammar> = about.map(|d| load(hubs, d.id)).collect();
        if graphs.is_empty() {
            continue;
        }
        let functions = task.functions.iter().map(|function| {
            let mut parts = vec![Grammar::text(format!("{}:{}\"", model.id, function.name))];
            parts.extend(function.takes.iter().map(argument));
            Grammar::All(parts)
        });
        calls.push(Grammar::All(vec![
            Grammar::OneOf(graphs),
            Grammar::text(", \""),
            Grammar::OneOf(functions.collect()),
        ]));
    }
    let call =
        Grammar::All(vec![Grammar::text("[GR("), Grammar::OneOf(calls), Grammar::text(")-->r]")]);
    let words = Grammar::times(Grammar::AnyBut("[]<>`".to_owned()), 0, MAX_WORDS);
    let rest = Grammar::All(vec![call, words.clone()]);
    ReplyShape::Grammar(Grammar::All(vec![words, Grammar::times(rest, 1, MAX_CALLS)]))
}
