//! What tasks have in common that ask something of a whole network and are answered by a list of names.

use graph::{Graph, NodeName};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::words::{self, Told};
use super::{LEVELS, size};
use crate::definition::{Asked, Definition, Functions, Listed, Row, Speech};
use crate::judgement::Evidence;
use crate::names::nodes;
use crate::parse::{Cursor, GraphText};
use crate::verify::arena;
use crate::verify::named::NodeList;
use crate::{
    Difficulty, EdgeNumber, Judgement, ParseError, Slip, SlipKind, Style, TaskGroup, Whole, Wording,
};

/// Judges an answer.
pub(super) type Judge = fn(Asked<'_, Whole>, &NodeList, Evidence) -> Judgement;

/// What differs between such tasks.
pub(super) trait NamedTask: 'static {
    /// A few words for people.
    const TITLE: &'static str;
    /// One sentence for people.
    const LEDE: &'static str;
    /// How a question of it begins, as the one entry of a list.
    const OPENINGS: &'static [&'static str];
    /// Words that its questions have; the first, behind the graph.
    const SIGNS: &'static [&'static str];
    /// What is asked.
    const ASKS: &'static str;
    /// The rest of that sentence.
    const REST: &'static str = "";
    /// What an answer looks like.
    const FORM: &'static str;
    /// How the network is told.
    const TOLD: Told;
    const EDGE_NUMBER: EdgeNumber = EdgeNumber::Unused;
    /// The fewest and the most nodes of small and of large problems, as published.
    const SIZES: [(usize, usize); 2] = [(4, 14), (15, 30)];
    /// Whether an answer is a way through the network, and no set.
    const IS_PATH: bool = false;
    /// A short description of an algorithm, for the style of that name.
    const ALGORITHM: &'static str;
    /// What is wanted, in a sentence.
    const GOAL: &'static str;
    /// The graph function that answers, as the one entry of a list, the field of its result that has
    /// the nodes, and a function like it that does not answer.
    const ANSWERING: &'static [&'static str];
    const FIELD: &'static str;
    const SIMILAR: &'static str;
    const JUDGE: Judge;

    /// A network of so many nodes.
    fn network(rng: &mut ChaCha8Rng, n: usize) -> Graph;

    fn fits(_: &Graph) -> Result<(), String> {
        Ok(())
    }

    fn solve(graph: &Graph) -> Vec<NodeName>;

    /// Why the answer is right, in words before its list.
    fn reason(n: usize) -> String;

    /// What is the same in all right answers: how many nodes they have.
    fn unique(_: &Graph, answer: &NodeList) -> String {
        answer.nodes.len().to_string()
    }

    /// What the function gives.
    fn result(result: &Value) -> Option<Vec<NodeName>> {
        result.get(Self::FIELD).map(nodes)
    }

    /// A node is left out, or one is named that does not belong there.
    fn slip(graph: &Graph, listed: &mut Vec<NodeName>, kind: SlipKind) {
        match kind {
            SlipKind::Witness => listed.extend(words::intruder(graph, listed)),
            SlipKind::Total | SlipKind::DroppedNode => drop(listed.pop()),
        }
    }
}

/// All there is to know of such a task.
pub(super) const fn task<T: NamedTask>() -> Definition<Whole, NodeList> {
    Definition {
        title: T::TITLE,
        lede: T::LEDE,
        group: TaskGroup::GraphArena,
        difficulties: &LEVELS,
        is_directed: false,
        edge_number: T::EDGE_NUMBER,
        openings: T::OPENINGS,
        question_words: T::SIGNS,
        asks: T::ASKS,
        make: make::<T>,
        parse: parse::<T>,
        ask: ask::<T>,
        fits: |problem| T::fits(problem.graph),
        solve: |problem| NodeList { nodes: T::solve(problem.graph) },
        reference: |_, answer| words::list(&answer.nodes),
        reasoned: |_, answer| {
            format!("{}: {}", T::reason(answer.nodes.len()), words::list(&answer.nodes))
        },
        algorithm: T::ALGORITHM,
        n_exemplars: 4,
        read: arena::read,
        judge: T::JUDGE,
        unique: |problem, answer| T::unique(problem.graph, answer),
        ballot: if T::IS_PATH { NodeList::in_order } else { NodeList::as_set },
        slip: slip::<T>,
        speech: Speech {
            list: if T::IS_PATH { Listed::Path } else { Listed::Nodes },
            pair_is_edge: false,
            row: Row::Nothing,
        },
        functions: Functions {
            goal: |_| T::GOAL.to_owned(),
            answering: T::ANSWERING,
            similar: |_| (T::SIMILAR, json!({})),
            result: |result| T::result(result).map(|nodes| NodeList { nodes }),
        },
    }
}

fn make<T: NamedTask>(difficulty: Difficulty, rng: &mut ChaCha8Rng) -> (Graph, Whole) {
    let (low, high) = T::SIZES[usize::from(difficulty != Difficulty::Easy)];
    let n = size(rng, low, high);
    (T::network(rng, n), Whole)
}

fn parse<T: NamedTask>(cursor: &mut Cursor<'_>) -> Result<GraphText<Whole>, ParseError> {
    let graph = words::read(cursor, T::SIGNS[0])?;
    Ok(GraphText { graph, query: Whole })
}

fn ask<T: NamedTask>(problem: Asked<'_, Whole>, _: Wording, style: Style, out: &mut String) {
    words::begin(out, T::OPENINGS[0]);
    T::TOLD.write(problem.graph, out);
    words::end(out, &format!("{}{}", T::ASKS, T::REST), T::FORM, style);
}

fn slip<T: NamedTask>(
    problem: Asked<'_, Whole>,
    answer: &mut NodeList,
    slip: &Slip,
) -> Option<String> {
    T::slip(problem.graph, &mut answer.nodes, slip.kind);
    None
}
