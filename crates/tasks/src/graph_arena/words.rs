//! The parts that questions of GraphArena have in common, written and read back.

use std::fmt::Write as _;

use graph::{Graph, NodeName};

use crate::names::join;
use crate::parse::{Builder, Cursor, MAX_QUESTION_NODES};
use crate::{ParseError, Style};

/// What stands before the problem itself; examples stand before it in the benchmark's own prompts.
const START: &str = "**Problem to Solve**";

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

    /// Reads a network; the cursor stands somewhere before it.
    pub(super) fn read(self, cursor: &mut Cursor<'_>) -> Result<Graph, ParseError> {
        let (nodes, edges, between) = self.words();
        cursor.seek_last(START);
        cursor.seek(nodes.trim_end())?;
        let mut builder = Builder::empty(16, 32);
        let line = cursor.line();
        let line = if matches!(self, Self::Users) { unstopped(line) } else { line };
        let names = line.split(',').map(str::trim).filter(|name| !name.is_empty());
        if let Some(found) = Some(names.clone().count()).filter(|n| *n > MAX_QUESTION_NODES) {
            let limit = MAX_QUESTION_NODES;
            return Err(ParseError::TooLarge { what: "nodes", found, limit });
        }
        names.for_each(|name| builder.node_named(name.into()));
        cursor.seek(edges.trim_end())?;
        match self {
            Self::Authors | Self::Users | Self::Names => {
                // The cursor stays where the line is, so that an error says where.
                let list = cursor.line();
                let mut pairs = list.split(',').map(str::trim).filter(|p| !p.is_empty()).peekable();
                while let Some(words) = pairs.next() {
                    let is_last = pairs.peek().is_none();
                    if is_last && words == "." {
                        break;
                    }
                    // The benchmark's examples say "and" where its generator says "to".
                    let found = [between, " and ", " to "]
                        .into_iter()
                        .flat_map(|between| [(words, between), (unstopped(words), between)])
                        .filter(|(text, _)| is_last || text.len() == words.len())
                        .find_map(|(text, between)| pair(&builder, text, between));
                    let Some((a, b)) = found else {
                        let form =
                            format!("two of the names, as in \"A{between}B\", not {words:?}");
                        return Err(cursor.expected(&form));
                    };
                    builder.link_named(a, b, None)?;
                }
            }
            Self::Entities => {
                while cursor.eat("- ") {
                    let line = cursor.line();
                    let told =
                        line.split_once(" via the relationship ").map_or(line, |told| told.0);
                    let Some((a, b)) = pair(&builder, told, between) else {
                        return Err(cursor.expected(&format!(
                            "\"A is connected to B via the relationship r.\" with two of the \
                             entities, not {line:?}"
                        )));
                    };
                    builder.link_named(a, b, None)?;
                }
            }
            Self::Airports => loop {
                let before = cursor.clone();
                cursor.skip_blank();
                let line = cursor.line();
                let distance = line.rsplit_once(':').and_then(|(ends, km)| {
                    let (a, b) = pair(&builder, ends.trim(), between)?;
                    let km: f64 = km.trim().parse().ok()?;
                    Some((a, b, km)).filter(|_| km.is_finite())
                });
                let Some((a, b, km)) = distance else {
                    *cursor = before;
                    break;
                };
                builder.link_named(a, b, Some(km))?;
            },
        }
        Ok(builder.finish())
    }
}

/// A line without the full stop at its end.
fn unstopped(line: &str) -> &str {
    line.strip_suffix('.').map_or(line, str::trim_end)
}

/// The two names with these words between them; the words may stand in a name too.
fn pair(builder: &Builder, text: &str, between: &str) -> Option<(NodeName, NodeName)> {
    text.match_indices(between).find_map(|(at, _)| {
        let a: NodeName = text[..at].trim().into();
        let b: NodeName = text[at + between.len()..].trim().into();
        (builder.has(&a) && builder.has(&b)).then_some((a, b))
    })
}

/// The two names in `between A and B in this network`, both of the graph.
pub(super) fn asked_pair(
    cursor: &mut Cursor<'_>,
    graph: &Graph,
    before: &str,
) -> Result<(NodeName, NodeName), ParseError> {
    cursor.seek(before)?;
    let at = cursor.clone();
    let text = cursor.until(" in this network")?;
    let found = text.match_indices(" and ").find_map(|(at, and)| {
        let a: NodeName = text[..at].trim().into();
        let b: NodeName = text[at + and.len()..].trim().into();
        (graph.has_node(&a) && graph.has_node(&b)).then_some((a, b))
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
