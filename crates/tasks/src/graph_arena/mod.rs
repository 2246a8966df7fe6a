//! Tasks of GraphArena (arXiv 2407.00379), one file each.
//!
//! Its nodes are people, places and airports by name, or atoms by number; an answer is a list in square
//! brackets. Our own problems have invented names.

pub(crate) mod common_neighbors;
pub(crate) mod common_subgraph;
pub(crate) mod components;
pub(crate) mod diameter;
pub(crate) mod distance;
pub(crate) mod edit_distance;
pub(crate) mod independent_set;
pub(crate) mod max_clique;
mod molecules;
mod named;
mod names;
mod networks;
pub(crate) mod tour;
pub(crate) mod vertex_cover;
mod words;

use graph::Graph;
use rand::Rng as _;
use rand_chacha::ChaCha8Rng;

use crate::parse::{Cursor, has};
use crate::{Difficulty, ParseError, Problem, TaskGroup, TaskId, TwoParts};

/// The levels of GraphArena: small and large.
const LEVELS: [Difficulty; 2] = [Difficulty::Easy, Difficulty::Hard];

/// A number of nodes between `low` and `high`, the small ones more often.
///
/// `// Departs from GraphArena:` a geometric draw in the place of an exponential one, because a logarithm
/// is not the same on every machine.
fn size(rng: &mut ChaCha8Rng, low: usize, high: usize) -> usize {
    let mean = (high - low) as u32 / 2;
    loop {
        let mut n = low;
        while rng.random_ratio(mean, mean + 1) && n <= high {
            n += 1;
        }
        if n <= high {
            return n;
        }
    }
}

/// Whether a text is a prompt of GraphArena: examples, the mark, and the problem.
pub(crate) fn is_asked(text: &str) -> bool {
    text.contains(words::START)
}

/// Reads a question of GraphArena. The task is told by what stands before the examples, and where that is
/// in other words by the question.
pub(crate) fn read(mut cursor: Cursor<'_>) -> Result<Problem, ParseError> {
    let text = cursor.rest();
    let intro = text.find("**").map_or(text, |at| &text[..at]);
    let behind = text.rfind(words::START).map_or(text, |at| &text[at..]);
    let asked = |text: &str| {
        let is_asked = |task: &TaskId| task.question_words().iter().any(|words| has(text, words));
        let asked = TaskGroup::GraphArena.tasks().filter(is_asked);
        // What a diameter is, is told by shortest paths.
        asked.min_by_key(|task| *task == TaskId::Distance)
    };
    match asked(intro).or_else(|| asked(behind)) {
        Some(task) => cursor.problem(task),
        None => {
            Err(cursor.expected("a question of GraphArena, such as \"the common neighbors of\""))
        }
    }
}

/// How many steps a search may take; problems of these sizes need far fewer.
const BUDGET: u64 = 20_000_000;

/// One of two molecules: its atoms `a0`, `a1`, … in order, with their bonds.
pub(crate) fn part(graph: &Graph, letter: char, n: usize) -> Graph {
    let mut out = Graph::undirected();
    for name in TwoParts::nodes(letter, n) {
        // The atoms are there and no more than in the whole, so neither this nor the next can fail.
        let _ = out.ensure_node(name);
    }
    for edge in graph.edges() {
        if out.has_node(edge.source) && out.has_node(edge.target) {
            let _ = out.link(edge.source.clone(), edge.target.clone());
        }
    }
    out
}
