//! Connectivity: the decision, and the path where one is shown.

use std::borrow::Cow;
use std::collections::BTreeMap;

use graph::NodeName;
use serde::{Deserialize, Serialize};

use super::shortest_path::chain;
use super::walk;
use crate::definition::Asked;
use crate::judgement::{Evidence, MarkKind};
use crate::oracle;
use crate::reading::Phrases;
use crate::reading::{Decision, Said, leads, muses};
use crate::reading::{Reading, Sentence, Stop};
use crate::reading::{ReadingPart, ReadingRule};
use crate::{Ends, Judgement, Verdict};

/// Whether two nodes are connected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Whether the text says that the nodes are connected.
    pub connected: bool,
    /// The path shown for it, if one is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<NodeName>,
    /// The path shown for it as a list of edges.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edges: Vec<(NodeName, NodeName)>,
}

/// Whom a sentence is about.
#[derive(PartialEq)]
enum Pair {
    /// The two nodes of the question.
    Asked,
    /// Nobody in particular.
    Unnamed,
    /// Other nodes.
    Other,
}

fn pair(reading: &Reading, sentence: &Sentence, s: i64, t: i64) -> Pair {
    // "node 0 is connected to node 1 and node 15, so there is a path between them".
    if sentence.has_any(&[
        "between them",
        "connecting them",
        "between the two",
        "between these two",
    ]) {
        let numbers = || (sentence.start..sentence.end).filter_map(|i| reading.integer(i));
        return match (numbers().next(), numbers().any(|n| n == s), numbers().any(|n| n == t)) {
            (None, ..) => Pair::Unnamed,
            (_, true, true) => Pair::Asked,
            _ => Pair::Other,
        };
    }
    // The first two numbers after "between", "from" or "connecting", else any two.
    let from = (sentence.start..sentence.end)
        .rev()
        .find(|i| matches!(reading.word(*i), "between" | "from" | "connecting" | "connects"))
        .filter(|i| (*i..sentence.end).any(|k| reading.is_number(k)))
        .unwrap_or(sentence.start);
    // "node 4 is reachable from node 0 via 2 and 1".
    let via = (from..sentence.end).find(|i| matches!(reading.word(*i), "via" | "through"));
    let end = via.filter(|via| (from..*via).any(|i| reading.is_number(i))).unwrap_or(sentence.end);
    let mut numbers: Vec<i64> = (from..end).filter_map(|i| reading.integer(i)).collect();
    if numbers.len() < 2 {
        numbers = (sentence.start..end).filter_map(|i| reading.integer(i)).collect();
    }
    match numbers[..] {
        [] => Pair::Unnamed,
        [a, b, ..] if (a, b) == (s, t) || (a, b) == (t, s) => Pair::Asked,
        // A path drawn out is about its ends.
        [a, .., b] if from == sentence.start && ((a, b) == (s, t) || (a, b) == (t, s)) => {
            Pair::Asked
        }
        [a] if a == s || a == t => Pair::Unnamed,
        _ => Pair::Other,
    }
}

static NO_PATH: Phrases = Phrases::of(
    "no path, not a path, no such path, no indirect path, no route, not any path, \
     no possible path, no direct or indirect path, no valid path, no connecting path, \
     path does not exist, no paths, not have a path, cannot find a path, cannot follow a path, \
     no way, not exist a path, without a path, is not a path, not find a path, no connection, \
     no sequence of edges, not possible to reach, impossible to reach, \
     not possible to find a path, never reach, no direct path or indirect path, is not any path, \
     there are no paths",
);

static PATH: Phrases = Phrases::of(
    "there is a path, there is an indirect path, there is a direct path, there exists a path, \
     a path exists, path exists, there are paths, there are multiple paths, \
     there is indeed a path, there is also a path, there is a valid path, have a path, \
     there must be a path, there's a path, there is a route, there is a possible path, \
     there is at least one path, there are two paths, there are several paths, is a path between, \
     there is one path, found a path, there is a clear path, there is a connecting path, \
     but there is an indirect path",
);

static APART: Phrases = Phrases::of(
    "not in the same, in different, in separate, are disconnected, not reachable, unreachable, \
     cannot reach, cannot be reached, are not connected, is not connected, not connected, \
     disconnected from, not belong to the same, cannot get, cannot travel",
);

static TOGETHER: Phrases = Phrases::of(
    "in the same connected, in the same component, belong to the same, are connected, \
     is reachable, can reach, can be reached, both in the same, is indirectly connected, \
     are indirectly connected, we reach",
);

static ALONE: Phrases = Phrases::of(
    "not connected to any, not in the graph, is isolated, has no edges, has no connections, \
     has no neighbors, not connected to anything, an isolated node, no edges connected",
);

pub(crate) fn read(problem: Asked<'_, Ends>, reading: &Reading) -> Option<Answer> {
    let Ends { source, target } = problem.query;
    let (s, t) = (source.as_int()?, target.as_int()?);
    let asks = |sentence: &Sentence| {
        let path = sentence.has_any(&["path", "reach", "connected", "route"]);
        let edge = sentence.has_any(&["direct", "edge", "directly"]);
        path && !edge && pair(reading, sentence, s, t) != Pair::Other
    };
    let decision = Decision::hear(reading, asks, |_, sentence, replies| {
        // What it is about is said before its reason; a sentence that says nothing there may conclude in
        // it: "we stop, as there is no path between node 0 and node 3".
        let main = reading.main_clause(sentence);
        let in_reason = || matches!(main, Cow::Owned(_)).then_some(sentence);
        let says = said(reading, &main, (s, t), replies);
        says.or_else(|| said(reading, in_reason()?, (s, t), replies))
    });
    let (path, rule) = shown_path(reading, s, t);
    // A path drawn out, and nothing else, says yes; beside words that are not read it may be one
    // that does not exist.
    let drawn = || {
        let ends = matches!(path[..], [a, .., b] if (a, b) == (s, t) || (a, b) == (t, s));
        let whole = !reading.is_cut_off() || reading.sentences.len() == 1;
        let in_box = || {
            let sentence = rule.sentence.map(|i| &reading.sentences[i]);
            sentence.is_some_and(|sentence| sentence.has("final answer"))
        };
        let alone =
            ends && whole && rule.rule != NEIGHBOURS && (reading.language.is_none() || in_box());
        alone.then(|| {
            reading.fire(ReadingRule { part: ReadingPart::Decision, ..rule.clone() });
            true
        })
    };
    let connected = decision.conclude(reading).or_else(drawn)?;
    let is_drawn = matches!(rule.rule, ANNOUNCED | DRAWN | LISTED);
    let (mut path, mut edges) = (path, Vec::new());
    if connected
        && !is_drawn
        && let Some((sentence, listed)) = listed_edges(reading)
    {
        reading.fire(ReadingRule::witness("listed edges", Some(sentence)));
        (path, edges) = (Vec::new(), listed);
    } else if connected && !path.is_empty() {
        reading.fire(rule);
    } else {
        path.clear();
    }
    let name = NodeName::Int;
    Some(Answer {
        connected,
        path: path.into_iter().map(name).collect(),
        edges: edges.into_iter().map(|(a, b)| (name(a), name(b))).collect(),
    })
}

/// Words that announce the edges of a path: "the path is (5,8) and (8,6)".
static ANNOUNCES: Phrases = Phrases::of(
    "path is, path, paths, path is formed by the edges, path consists of, path consists of the edges, \
     path is as follows, edges of the path are, edges in the path are, edges of this path are, \
     path is through the edges, path uses the edges, path through the edges, path using the edges, \
     path via the edges, route is",
);

/// The edges in brackets that the last sentence of that kind gives as the path, with the sentence.
fn listed_edges(reading: &Reading) -> Option<(usize, Vec<(i64, i64)>)> {
    let sentences = reading.sentences.iter().enumerate().rev();
    sentences.filter(|(_, sentence)| !sentence.is_question() && !muses(sentence)).find_map(
        |(i, sentence)| {
            let first =
                (sentence.start..sentence.end).find(|at| !reading.pairs(*at, at + 1).is_empty())?;
            let lead = reading.lead(i, first);
            let lead = lead.trim();
            let is_it = ANNOUNCES.iter().any(|words| lead.ends_with(words));
            is_it.then(|| (i, reading.pairs(sentence.start, sentence.end)))
        },
    )
}

/// What a sentence, or its main clause, says of the two nodes, and whether it is sure.
fn said(
    reading: &Reading,
    sentence: &Sentence,
    (s, t): (i64, i64),
    replies: bool,
) -> Option<(Said, bool)> {
    let mut found = None;
    let about = pair(reading, sentence, s, t);
    let direct_only = sentence.has_any(&DIRECT) && !sentence.has("indirect");
    if let Some(said) = leads(reading, sentence)
        && replies
        && (said.yes || !direct_only)
        && about != Pair::Other
    {
        found = Some((said, true));
    }
    // `✅ Connected`, and "the two nodes are connected".
    match sentence.plain.trim() {
        "connected" | "reachable" | "the two nodes are connected" => {
            return Some((Said::new(true, "together", "connected"), true));
        }
        "not connected" | "disconnected" | "the two nodes are not connected" => {
            return Some((Said::new(false, "apart", "not connected"), true));
        }
        _ => {}
    }
    if muses(sentence) {
        return found;
    }
    // The pair is judged in the clause that speaks of the path: "node 1 is connected to node 3,
    // so there is a path between node 0 and node 3".
    if let Some(words) = sentence.find(&NO_PATH) {
        if about != Pair::Other {
            found = Some((Said::new(false, "no path", words), true));
        }
    } else if let Some(words) = sentence.find(&PATH) {
        // "no direct path, but there is a path by way of node 4".
        let turns = || {
            let turn = sentence.plain.find(" but ").or_else(|| sentence.plain.find(" however "));
            turn.is_some_and(|at| crate::reading::contains(&sentence.plain[at..], words))
        };
        let denied = sentence.has("no direct path") && !sentence.has("indirect path") && !turns();
        if about != Pair::Other && !denied {
            found = Some((Said::new(true, "a path", words), true));
        }
    } else if about == Pair::Asked
        && direct_only
        && sentence.stop != Stop::End
        && sentence.has_any(&NOT_DIRECT)
    {
        // It settles nothing while the text goes on; at its end it is all that it comes to.
        found = found
            .or(Some((Said::new(false, "no direct path at the end", "no direct path"), false)));
    } else if let Some(words) = sentence.find(&APART) {
        if about == Pair::Asked && !direct_only
            || names_end(reading, sentence, s, t) && sentence.has_any(&REACH)
            || about == Pair::Unnamed && sentence.has_any(&["they", "two nodes", "these nodes"])
        {
            found = Some((Said::new(false, "apart", words), true));
        } else if let Some(words) = sentence.find(&ALONE)
            && names_one(reading, sentence, s, t)
            && !direct_only
        {
            found = found.or(Some((Said::new(false, "a node alone at the end", words), false)));
        }
    } else if let Some(words) = sentence.find(&ALONE) {
        if names_one(reading, sentence, s, t) {
            found = found.or(Some((Said::new(false, "a node alone at the end", words), false)));
        }
    } else if let Some(words) = sentence.find(&TOGETHER)
        && about == Pair::Asked
    {
        found = Some((Said::new(true, "together", words), true));
    } else if let Some(words) = sentence.find(&["can reach", "we reach", "reached"])
        && names_end(reading, sentence, s, t)
    {
        found = Some((Said::new(true, "together", words), true));
    } else if sentence.has("is connected to") && about == Pair::Asked {
        let said = Said::new(true, "an edge at the end", "is connected to");
        found = found.or(Some((said, false)));
    }
    found
}

/// What is about edges and not about paths.
const DIRECT: [&str; 5] =
    ["direct path", "directly connected", "direct edge", "direct connection", "an edge between"];

/// Words that deny a path of one step.
const NOT_DIRECT: [&str; 3] = ["no direct path", "not a direct path", "no direct connection"];

/// Words for not getting to a node.
const REACH: [&str; 3] = ["cannot reach", "cannot be reached", "unreachable"];

/// Whether one node is named, and it is the one to get to: "so we cannot reach node 1".
fn names_end(reading: &Reading, sentence: &Sentence, s: i64, t: i64) -> bool {
    let mut numbers = (sentence.start..sentence.end).filter_map(|i| reading.integer(i));
    let only = numbers.next();
    (only == Some(t) || only == Some(s)) && numbers.next().is_none()
}

fn names_one(reading: &Reading, sentence: &Sentence, s: i64, t: i64) -> bool {
    (sentence.start..sentence.end)
        .find_map(|i| reading.integer(i))
        .is_some_and(|first| first == s || first == t)
}

/// The rules for a path that is written as a row of nodes.
const ANNOUNCED: &str = "announced path";
const DRAWN: &str = "drawn path";
const LISTED: &str = "listed path";

/// The most edges that are followed.
const MAX_EDGES: usize = 200;

/// The rule for a way that is found among the neighbours that a text tells. It may have told them
/// on a search that found nothing.
const NEIGHBOURS: &str = "told neighbours";

/// The path that the text shows: the last one drawn with arrows or announced as a path, else a
/// chain of steps from one end to the other.
fn shown_path(reading: &Reading, s: i64, t: i64) -> (Vec<i64>, ReadingRule) {
    let joins = |p: &[i64]| matches!(p, [a, .., b] if (*a, *b) == (s, t) || (*a, *b) == (t, s));
    let runs = reading.runs();
    let announced = runs.iter().rev().find(|run| {
        let lead = reading.lead(run.sentence, run.start);
        // "The sequence of nodes is 4, 5, 29, 30" shows a way, also where it passes its end.
        let is_sequence = lead.ends_with("sequence is ") || lead.ends_with("sequence of nodes is ");
        let passes =
            |p: &[i64]| (p[0] == s || p[0] == t) && p[1..].iter().any(|n| *n == s || *n == t);
        let is_path = lead.ends_with(" path ") || lead.ends_with("path is ");
        run.numbers.len() >= 2
            && !run.loose
            && !run.bracketed
            && match is_sequence {
                true => passes(&run.numbers),
                false => {
                    (run.drawn || is_path && joins(&run.numbers))
                        && crate::reading::contains(&lead, "path")
                }
            }
    });
    let drawn = || runs.iter().rev().find(|run| run.drawn && !run.bracketed && joins(&run.numbers));
    let listed = || {
        // A list alone after the decision: `path: [0, 3, 5]`.
        runs.iter().rev().find(|run| {
            let lead = reading.lead(run.sentence, run.start);
            run.numbers.len() >= 3 && !run.loose && joins(&run.numbers) && lead.ends_with("path ")
        })
    };
    let found = announced.map(|run| (run, ANNOUNCED));
    if let Some((run, rule)) =
        found.or_else(|| Some((drawn()?, DRAWN))).or_else(|| Some((listed()?, LISTED)))
    {
        let mut path = run.numbers.clone();
        // `0-1, 1-2, 2-3` tells the joints twice.
        path.dedup();
        return (path, ReadingRule::witness(rule, Some(run.sentence)));
    }
    // "you can go from node 0 to node 7, from node 7 to node 2".
    let goes =
        |x: &Sentence| !x.is_question() && x.has_any(&["go from", "move from", "travel from"]);
    let steps = chain(reading, s, t, goes);
    if steps.len() > 2 {
        return (steps, ReadingRule::witness("steps from node to node", None));
    }
    let told = told_path(reading, s, t).or_else(|| told_path(reading, t, s));
    let (path, steps) = told.unwrap_or_default();
    let rule = if path.len() == steps + 1 { "told steps" } else { NEIGHBOURS };
    (path, ReadingRule::witness(rule, None))
}

/// The way from s to t by what is told of neighbours: `node 1 is connected to node 3 and node 4.
/// node 4 is connected to node 5.`
///
/// It goes on by whichever neighbour comes up again, as a reader follows it. Each node is reached
/// where it is named first, so that a search through the graph tells the way that it found. Also how
/// many neighbours were told up to there: no more than the way has steps if nothing else was.
fn told_path(reading: &Reading, s: i64, t: i64) -> Option<(Vec<i64>, usize)> {
    let mut told = 0;
    let mut before: BTreeMap<i64, i64> = BTreeMap::new();
    let mut at = 0;
    while at + 4 < reading.tokens.len() && !before.contains_key(&t) {
        let Some((node, neighbours, next)) = told_neighbours(reading, at) else {
            at += 1;
            continue;
        };
        let start = std::mem::replace(&mut at, next);
        // "so node 0 is connected to node 9" says again what is concluded, and tells no edge.
        let ends =
            matches!(neighbours[..], [end] if (node, end) == (s, t) || (node, end) == (t, s));
        if ends && concludes(reading, start) {
            continue;
        }
        told += neighbours.len();
        if node == s || before.contains_key(&node) {
            for neighbour in neighbours {
                if neighbour != s && neighbour != node {
                    before.entry(neighbour).or_insert(node);
                }
            }
        }
    }
    let mut path = vec![t];
    while let Some(node) = before.get(path.last()?) {
        path.push(*node);
    }
    path.reverse();
    (path.len() >= 2 && path.first() == Some(&s)).then_some((path, told))
}

/// Whether a word before a token, in its sentence, says that a conclusion follows.
fn concludes(reading: &Reading, at: usize) -> bool {
    let behind = reading.sentences.partition_point(|sentence| sentence.end <= at);
    let sentence = reading.sentences.get(behind).filter(|sentence| sentence.start <= at);
    let words = ["yes", "so", "therefore", "thus", "hence", "conclude"];
    sentence.is_some_and(|s| (s.start..at).any(|k| words.contains(&reading.word(k))))
}

/// `node 1 is directly connected to nodes 3, 4 and node 5` at a token: the node, its neighbours, and
/// the token from which to go on: the last neighbour may begin the next step, `…, which is
/// connected to …`.
pub(super) fn told_neighbours(reading: &Reading, at: usize) -> Option<(i64, Vec<i64>, usize)> {
    let node = reading.integer(at)?;
    let mut next = at + 1;
    while matches!(reading.word(next), "," | "which") {
        next += 1;
    }
    if !matches!(reading.word(next), "is" | "are") {
        return None;
    }
    next += 1;
    while matches!(reading.word(next), "also" | "directly" | "then" | "in" | "turn") {
        next += 1;
    }
    if reading.word(next) != "connected" || reading.word(next + 1) != "to" {
        return None;
    }
    next += 2;
    let mut neighbours = Vec::new();
    let mut last = next;
    loop {
        while matches!(reading.word(next), "node" | "nodes" | "," | "and" | "both") {
            next += 1;
        }
        let Some(neighbour) = reading.integer(next) else { break };
        // `…, and node 5 is connected to …` begins the next statement.
        let begins = !neighbours.is_empty() && matches!(reading.word(next + 1), "is" | "are");
        if begins {
            last = next;
            break;
        }
        neighbours.push(neighbour);
        last = next;
        next += 1;
        // The edge as it stands in the graph: `node 3 (1,3)`.
        if reading.is_mark(next, b'(')
            && reading.is_mark(next + 2, b',')
            && reading.is_mark(next + 4, b')')
        {
            next += 5;
        }
    }
    // "connected to node 5 via node 3" is no edge, but "via the edge (2,5)" is.
    let by_way = matches!(reading.word(next), "through" | "via" | "by" | "indirectly")
        && !(next..next + 4).any(|at| matches!(reading.word(at), "edge" | "edges"));
    (!neighbours.is_empty() && !by_way).then_some((node, neighbours, last))
}

pub(crate) fn judge(
    problem: Asked<'_, Ends>,
    answer: &Answer,
    mut evidence: Evidence,
) -> Judgement {
    let Ends { source: s, target: t } = problem.query;
    let Answer { connected, path, edges } = answer;
    let graph = problem.graph;
    let truth = match graph.is_directed() {
        true => oracle::path(graph, s, t).is_some(),
        false => oracle::are_connected(graph, s, t),
    };
    evidence.node(s, MarkKind::Path);
    evidence.node(t, MarkKind::Path);
    let claim = if *connected { "there is a path" } else { "there is no path" };
    evidence.check(*connected == truth, format_args!("claimed: {claim} between {s} and {t}"));
    if *connected != truth {
        if truth {
            show_path(problem, &mut evidence);
        } else {
            show_component(problem, s, &mut evidence);
        }
        let fact = match (truth, graph.is_directed()) {
            (true, _) => "there is one",
            (false, true) => "no path follows the directions",
            (false, false) => "they are in different components",
        };
        return Judgement::new(
            Verdict::Incorrect,
            evidence,
            format!("The answer says that {claim} between {s} and {t}, but {fact}."),
        );
    }
    if !truth {
        show_component(problem, s, &mut evidence);
        let text = format_args!("Right: no path joins {s} and {t}.");
        return Judgement::new(Verdict::Correct, evidence, text);
    }
    if path.is_empty() && edges.is_empty() {
        show_path(problem, &mut evidence);
        let text = format_args!("Right: there is a path between {s} and {t}.");
        return Judgement::new(Verdict::Correct, evidence, text);
    }
    let steps: Vec<[NodeName; 2]> = edges.iter().map(|(a, b)| [a.clone(), b.clone()]).collect();
    let whole =
        steps.iter().fold(walk(graph, path, false, &mut evidence).is_some(), |whole, step| {
            walk(graph, step, false, &mut evidence).is_some() && whole
        });
    let directed = graph.is_directed();
    let joins = !edges.is_empty()
        && (are_path(edges, s, t, directed) || !directed && are_path(edges, t, s, directed))
        || matches!((path.first(), path.last()), (Some(a), Some(b)) if (a == s && b == t) || (a == t && b == s));
    if !joins {
        evidence.check(false, format_args!("the path shown does not lead from {s} to {t}"));
    }
    if whole && joins {
        let text =
            format_args!("Right: there is a path between {s} and {t}, and the one shown is one.");
        return Judgement::new(Verdict::Correct, evidence, text);
    }
    let why = if whole { "joins other nodes" } else { "uses an edge that is not in the graph" };
    Judgement::new(
        Verdict::Partial,
        evidence,
        format!("There is a path between {s} and {t}, but the one shown {why}."),
    )
}

/// Whether edges, in any order, are the steps of one path from a node to another.
fn are_path(edges: &[(NodeName, NodeName)], s: &NodeName, t: &NodeName, directed: bool) -> bool {
    if edges.len() > MAX_EDGES {
        return false;
    }
    let mut left: Vec<_> = edges.iter().collect();
    let mut at = s;
    while !left.is_empty() {
        let goes_on = |(a, b): &&(NodeName, NodeName)| a == at || !directed && b == at;
        let mut next = left.iter().enumerate().filter(|(_, edge)| goes_on(edge)).map(|(i, _)| i);
        // Where two go on, it is a list of edges and no path.
        let (Some(i), None) = (next.next(), next.next()) else { return false };
        let (a, b) = left.swap_remove(i);
        at = if a == at { b } else { a };
    }
    at == t
}

/// Marks a path that proves the connection.
fn show_path(problem: Asked<'_, Ends>, evidence: &mut Evidence) {
    if !evidence.is_wanted() {
        return;
    }
    let Ends { source: s, target: t } = problem.query;
    let graph = problem.graph;
    let Some(names) = oracle::path(graph, s, t) else { return };
    evidence.check(true, format_args!("a path: {}", crate::names::join(&names, " - ")));
    for step in names.windows(2) {
        evidence.edge(&step[0], &step[1], MarkKind::Path, None);
    }
}

/// Marks everything that hangs together with a node: the other one is not among it.
fn show_component(problem: Asked<'_, Ends>, node: &NodeName, evidence: &mut Evidence) {
    if !evidence.is_wanted() {
        return;
    }
    let graph = problem.graph;
    let Ok(idx) = graph.index(node) else { return };
    let is_reached: Vec<bool> = if graph.is_directed() {
        oracle::hops(graph, node).iter().map(Option::is_some).collect()
    } else {
        let component = oracle::components(graph);
        let own = component[idx.index()];
        graph.indices().map(|i| component[i.index()] == own).collect()
    };
    let names = graph.names().zip(is_reached);
    let side: Vec<&NodeName> = names.filter(|(_, is)| *is).map(|(name, _)| name).collect();
    for name in &side {
        evidence.node(name, MarkKind::Side(0));
    }
    let others: Vec<&NodeName> = side.into_iter().filter(|n| *n != node).collect();
    let reach = match others.len() {
        0 => "nothing".to_owned(),
        _ => format!("{} and nothing else", super::listing(&others)),
    };
    evidence.check(true, format_args!("{node} is joined to {reach}"));
}
