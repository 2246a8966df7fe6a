//! The parts that questions of GraphArena have in common, written and read back.

use std::fmt::Write as _;

use graph::{Graph, NodeName};

use crate::names::join;
use crate::parse::{Builder, Cursor, MAX_QUESTION_NODES, has};
use crate::{ParseError, Style};

/// What stands before the problem itself; examples stand before it in the benchmark's own prompts.
pub(super) const START: &str = "**Problem to Solve**";

/// A question begins: what it is about.
pub(super) fn begin(out: &mut String, opening: &str) {
    let _ = write!(out, "{opening}\n{START}");
}

/// A question ends: what is asked, and how the answer is to look.
pub(super) fn end(out: &mut String, asks: &str, form: &str, style: Style) {
    let _ = write!(
        out,
        "\n{asks} Present your answer in the following format: {form}. The answer should be complete."
    );
    if style.has_exemplars() {
        out.push_str("\nA:");
    }
}

/// How a kind of network is told: its nodes on a line, and its edges.
#[derive(Clone, Copy)]
pub(super) enum Told {
    /// Authors and who wrote with whom.
    Authors,
    /// Users and who is a friend of whom.
    Users,
    /// Names, and "to" between friends.
    Names,
    /// Entities, and a sentence for each relationship.
    Entities,
    /// Airports, and a distance for each two.
    Airports,
}

/// Relationships of an encyclopedia. Which one it is makes no difference to the question.
const RELATIONS: [&str; 6] =
    ["location", "architect", "nearest city", "owner", "successor", "named after"];

impl Told {
    /// What stands before the names, before the edges, and between the two names of one.
    fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Authors => (
                "- Authors in the network: ",
                "- Research collaborations between these authors: ",
                " and ",
            ),
            // The benchmark spells it so.
            Self::Users => ("- Users in the network: ", "- Fiendship connections: ", " and "),
            Self::Names => ("- Names in the network: ", "- Fiendship connections: ", " to "),
            Self::Entities => (
                "- Entities in this knowledge graph: ",
                "- The relationships between these entities are as follows:",
                " is connected to ",
            ),
            Self::Airports => (
                "- Airports to visit: ",
                "- Travel distances (in kilometers) between each pair of airports:",
                " to ",
            ),
        }
    }

    /// Writes a network.
    pub(super) fn write(self, graph: &Graph, out: &mut String) {
        let (nodes, edges, between) = self.words();
        let names: Vec<NodeName> = graph.names().cloned().collect();
        let stop = if matches!(self, Self::Users) { "." } else { "" };
        let _ = write!(out, "\n{nodes}{}{stop}\n{edges}", join(&names, ", "));
        for (i, edge) in graph.edges().enumerate() {
            let (a, b) = (edge.source, edge.target);
            let _ = match self {
                Self::Entities => {
                    let relation = RELATIONS[i % RELATIONS.len()];
                    write!(out, "\n - {a}{between}{b} via the relationship {relation}.")
                }
                Self::Airports => write!(out, "\n{a}{between}{b}: {}", edge.weight_or_one()),
                _ => write!(out, "{}{a}{between}{b}", if i > 0 { ", " } else { "" }),
            };
        }
        if !matches!(self, Self::Entities | Self::Airports) {
            out.push('.');
        }
    }
}

/// Reads a network: its nodes on a line behind a dash, and its edges behind another, in whatever words;
/// the cursor goes to the question behind them, which has these words.
pub(super) fn read(cursor: &mut Cursor<'_>, asks: &str) -> Result<Graph, ParseError> {
    cursor.seek_last(START);
    cursor.seek("- ")?;
    cursor.seek(":")?;
    let mut builder = Builder::empty(16, 32);
    let list = cursor.line();
    // A full stop behind the list is none of the last name, unless an edge has it too.
    let last = list.rsplit(',').next().unwrap_or_default().trim();
    let has_stop =
        [" ", ",", "."].iter().any(|end| cursor.rest().contains(&format!("{last}{end}")));
    let list = if has_stop { list } else { unstopped(list) };
    let names = list.split(',').map(str::trim).filter(|name| !name.is_empty());
    if let Some(found) = Some(names.clone().count()).filter(|n| *n > MAX_QUESTION_NODES) {
        let limit = MAX_QUESTION_NODES;
        return Err(ParseError::TooLarge { what: "nodes", found, limit });
    }
    names.for_each(|name| builder.node_named(name.into()));
    cursor.seek("- ")?;
    cursor.seek(":")?;
    loop {
        cursor.skip_blank();
        let before = cursor.clone();
        let line = cursor.line();
        let is_question = line.is_empty() || has(line, asks) && !line.starts_with('-');
        if is_question || !read_edges(&mut builder, line, &before)? {
            *cursor = before;
            break;
        }
    }
    if !has(cursor.rest(), asks) {
        return Err(cursor.expected(&format!(
            "an edge between two of the nodes, or the question, with {asks:?}"
        )));
    }
    Ok(builder.finish())
}

/// Reads the edges of a line; no where it has none.
fn read_edges(builder: &mut Builder, line: &str, before: &Cursor<'_>) -> Result<bool, ParseError> {
    let line = line.trim_start_matches('-').trim_start();
    let line = line.split_once(" via the relationship ").map_or(line, |told| told.0);
    let mut n_edges = 0;
    for words in line.split(',').map(str::trim).filter(|words| !matches!(*words, "" | ".")) {
        let weighted = words.rsplit_once(':').and_then(|(ends, number)| {
            let weight: f64 = number.trim().trim_end_matches('.').parse().ok()?;
            Some((pair(builder, ends.trim())?, Some(weight).filter(|weight| weight.is_finite())?))
        });
        match (weighted, pair(builder, words)) {
            (Some(((a, b), weight)), _) => builder.link_named(a, b, Some(weight))?,
            (None, Some((a, b))) => builder.link_named(a, b, None)?,
            (None, None) if n_edges == 0 && !begins_with_node(builder, words) => return Ok(false),
            (None, None) => {
                let form = format!("two of the nodes, as in \"A and B\", not {words:?}");
                return Err(before.expected(&form));
            }
        }
        n_edges += 1;
    }
    Ok(n_edges > 0)
}

/// What stands between the two names of an edge.
const BETWEEN: [&str; 4] = [" is connected to ", " and ", " to ", " - "];

/// A line without the full stop at its end.
fn unstopped(line: &str) -> &str {
    line.strip_suffix('.').map_or(line, str::trim_end)
}

/// The two names with words between them, which may stand in a name too.
fn pair(builder: &Builder, text: &str) -> Option<(NodeName, NodeName)> {
    let known = |name: &str| Some(NodeName::from(name.trim())).filter(|name| builder.has(name));
    let cuts = BETWEEN.iter().flat_map(|words| text.match_indices(words));
    cuts.filter_map(|(at, between)| {
        let (a, b) = (known(&text[..at])?, &text[at + between.len()..]);
        Some((a, known(b).or_else(|| known(unstopped(b)))?))
    })
    .next()
}

/// Whether what stands before the middle of an edge is a node.
fn begins_with_node(builder: &Builder, text: &str) -> bool {
    let mut cuts = BETWEEN.iter().filter_map(|words| text.find(words));
    cuts.any(|at| builder.has(&text[..at].trim().into()))
}

/// The two nodes that are asked about behind these words, with "and" between them.
pub(super) fn asked_pair(
    cursor: &mut Cursor<'_>,
    graph: &Graph,
    before: &str,
) -> Result<(NodeName, NodeName), ParseError> {
    cursor.seek(before)?;
    let at = cursor.clone();
    let text = cursor.line();
    let known = |name: &str| Some(NodeName::from(name.trim())).filter(|name| graph.has_node(name));
    let found = text.match_indices(" and ").find_map(|(at, and)| {
        let (a, rest) = (known(&text[..at])?, &text[at + and.len()..]);
        let ends = [" in th", ".", "?", ","];
        let mut cuts: Vec<usize> =
            ends.iter().flat_map(|end| rest.match_indices(end).map(|(at, _)| at)).collect();
        cuts.push(rest.len());
        cuts.sort_unstable();
        cuts.into_iter().find_map(|cut| Some((a.clone(), known(&rest[..cut])?)))
    });
    found.ok_or_else(|| at.expected("two of the names, as in \"A and B in this network\""))
}

/// A list of names as answers have it.
pub(super) fn list(nodes: &[NodeName]) -> String {
    format!("[{}]", join(nodes, ", "))
}

/// A node of the graph that a list does not have; a name of nobody where it has all.
pub(super) fn intruder(graph: &Graph, listed: &[NodeName]) -> Option<NodeName> {
    let free = graph.names().find(|name| !listed.contains(name)).cloned();
    Some(free.unwrap_or_else(|| "Nobody".into()))
}

/// Goes to the problem itself, past the examples before it.
pub(super) fn start(cursor: &mut Cursor<'_>) {
    cursor.seek_last(START);
}
