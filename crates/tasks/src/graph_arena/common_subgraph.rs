//! The most atoms that two molecules have bound alike.

use std::fmt::Write as _;

use graph::Graph;
use graph::exact::common_subgraph::max_common_subgraph;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use super::molecules::{self, both};
use super::{BUDGET, LEVELS, part, size, words};
use crate::definition::{Asked, Definition, Functions, Listed, Row, Speech};
use crate::parse::{Cursor, GraphText};
use crate::query::Shape as _;
use crate::verify::arena;
pub use crate::verify::arena::mapping::AtomPairs as Answer;
use crate::{
    Difficulty, EdgeNumber, ParseError, Slip, SlipKind, Style, TaskGroup, TwoParts, Wording,
};

const OPENING: &str = "You are required to solve the Maximum Common Subgraph problem";

/// What it asks beside the graph.
pub type Query = TwoParts;

/// What is asked.
const ASKS: &str = "Identify the maximum common subgraph of the two molecules";

/// What an answer looks like.
const FORM: &str = "[Node indices in molecular A], [Node indices in molecular B]";

pub(crate) const TASK: Definition<Query, Answer> = Definition {
    title: "Largest common part",
    lede: "Which are the most atoms that two molecules have bound alike?",
    group: TaskGroup::GraphArena,
    difficulties: &LEVELS,
    is_directed: false,
    edge_number: EdgeNumber::Unused,
    openings: &[OPENING],
    question_words: &["common subgraph"],
    asks: ASKS,
    make,
    parse,
    ask,
    fits: |_| Ok(()),
    solve,
    reference,
    reasoned: |problem, answer| {
        format!("Bound alike in both, and no more are: {}", reference(problem, answer))
    },
    algorithm: "We can pair one atom of each molecule and add pairs, each bound to the pairs so far in \
                the one exactly as in the other, and keep the most.",
    n_exemplars: 4,
    read: arena::mapping::read_two,
    judge: arena::mapping::common,
    unique: |_, answer| answer.pairs.len().to_string(),
    ballot: Answer::ballot,
    slip,
    speech: Speech { list: Listed::Nodes, pair_is_edge: false, row: Row::Nothing },
    functions: Functions {
        goal: |_| {
            "The question is the largest part that the two molecules have bound alike.".into()
        },
        answering: &["max_common_subgraph"],
        similar: |query| ("graph_edit_distance", query.arguments()),
        result: pairs,
    },
};

/// Sizes as published.
fn make(difficulty: Difficulty, rng: &mut ChaCha8Rng) -> (Graph, Query) {
    let (low, high) = if difficulty == Difficulty::Easy { (4, 9) } else { (10, 20) };
    let sizes = [size(rng, low, high), size(rng, low, high)];
    (molecules::pair(rng, sizes), TwoParts { n_first: sizes[0], n_second: sizes[1] })
}

fn parse(cursor: &mut Cursor<'_>) -> Result<GraphText<Query>, ParseError> {
    words::start(cursor);
    let (n_first, first) = molecule(cursor, "Molecule A")?;
    let (n_second, second) = molecule(cursor, "Molecule B")?;
    let graph = both([n_first, n_second], [&first, &second]);
    Ok(GraphText { graph, query: TwoParts { n_first, n_second } })
}

/// Reads the number of atoms and the bonds.
fn molecule(cursor: &mut Cursor<'_>, name: &str) -> Result<(usize, molecules::Bonds), ParseError> {
    cursor.seek(name)?;
    cursor.want("consists of")?;
    let n = molecules::size(cursor)?;
    cursor.seek("bonds:")?;
    Ok((n, molecules::read_bonds(cursor, n)?))
}

fn ask(problem: Asked<'_, Query>, _: Wording, style: Style, out: &mut String) {
    words::begin(out, OPENING);
    let TwoParts { n_first, n_second } = *problem.query;
    for (letter, n) in [('a', n_first), ('b', n_second)] {
        let part = part(problem.graph, letter, n);
        let (name, m) = (letter.to_ascii_uppercase(), part.n_edges());
        let _ = write!(
            out,
            "\nMolecule {name} consists of {n} atoms with the following {m} bonds:\n{}.",
            molecules::bond_list(&part)
        );
    }
    words::end(out, &format!("{ASKS}: the most atoms that are bound alike."), FORM, style);
}

fn solve(problem: Asked<'_, Query>) -> Answer {
    let TwoParts { n_first, n_second } = *problem.query;
    let [first, second] = [part(problem.graph, 'a', n_first), part(problem.graph, 'b', n_second)];
    let found = max_common_subgraph(&first, &second, BUDGET);
    let number = |graph: &Graph, at| molecules::number(graph.name(at));
    let pair = |(a, b): &(_, _)| Some((number(&first, *a)?, number(&second, *b)?));
    Answer { pairs: found.pairs.iter().filter_map(pair).collect(), uneven: None }
}

fn reference(_: Asked<'_, Query>, answer: &Answer) -> String {
    let list = |of: fn(&(usize, usize)) -> usize| {
        let numbers: Vec<String> = answer.pairs.iter().map(|p| of(p).to_string()).collect();
        format!("[{}]", numbers.join(", "))
    };
    format!("{}, {}", list(|p| p.0), list(|p| p.1))
}

/// What `max_common_subgraph` gives.
fn pairs(result: &Value) -> Option<Answer> {
    let pair = |pair: &Value| {
        let number = |field: &str| molecules::number(&pair.get(field)?.as_str()?.into());
        Some((number("node")?, number("partner")?))
    };
    let pairs = result.get("pairs")?.as_array()?.iter().map(pair).collect::<Option<_>>()?;
    Some(Answer { pairs, uneven: None })
}

/// A pair is left out, or an atom comes twice.
fn slip(_: Asked<'_, Query>, answer: &mut Answer, slip: &Slip) -> Option<String> {
    match slip.kind {
        SlipKind::Witness => answer.pairs.extend(answer.pairs.first().copied()),
        SlipKind::Total | SlipKind::DroppedNode => drop(answer.pairs.pop()),
    }
    None
}
