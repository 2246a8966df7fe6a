//! The cycle that a text shows, as nodes or as edges.

use std::collections::{BTreeMap, VecDeque};

use graph::Graph;

use super::connectivity::told_neighbours;
use crate::TaskId;
use crate::reading::ReadingRule;
use crate::reading::{Phrases, phrases};
use crate::reading::{Reading, Run, contains, muses};
use crate::statements::{self, Asks, Said, Statement, Subject};

/// The cycle that the text shows, as nodes or as edges.
pub(crate) fn shown(graph: &Graph, reading: &Reading) -> (Vec<i64>, Vec<(i64, i64)>) {
    let speaks = |plain: &str| contains(plain, "cycle");
    let runs = reading.runs();
    // `the edges (0,1), (1,2), (2,0) form a cycle`: the last sentence of that kind.
    for (i, sentence) in reading.sentences.iter().enumerate().rev() {
        let mut pairs = reading.pairs(sentence.start, sentence.end);
        if pairs.is_empty() && sentence.has_any(&["edges form a cycle", "form a cycle"]) {
            pairs = lines_before(&runs, i);
        }
        if pairs.is_empty() {
            pairs = runs
                .iter()
                .filter(|run| run.sentence == i)
                .find_map(Run::edges)
                .unwrap_or_default();
        }
        let before = i > 0
            && reading.sentences[i - 1].plain.len() < 200
            && !reading.sentences[i - 1].is_question()
            && speaks(&reading.sentences[i - 1].plain);
        let after = reading.sentences.get(i + 1).is_some_and(|s| {
            s.has_any(&["this forms", "these form", "form a cycle", "forms a cycle"])
        });
        if pairs.len() >= 2
            && (speaks(&sentence.plain) && claims(&sentence.plain)
                || before && claims(&reading.sentences[i - 1].plain)
                || after)
        {
            reading.fire(ReadingRule::witness("listed edges", Some(i)));
            return (Vec::new(), pairs);
        }
        // `the cycle is (4,8)`: one edge is named as the whole of it.
        if pairs.len() == 1 && sentence.has("the cycle is") && !sentence.is_question() {
            reading.fire(ReadingRule::witness("one edge as a cycle", Some(i)));
            return (Vec::new(), pairs);
        }
    }
    // `the cycle is 0-1-2-0`, `cycle: 0 -> 1 -> 2 -> 0`, `the nodes 0, 1, 2 form a cycle`.
    for run in runs.iter().rev() {
        let plain = &reading.sentences[run.sentence].plain;
        let lead = reading.lead(run.sentence, run.start);
        let behind = reading.plain(run.end + 1, run.end + 4);
        let forms = behind.starts_with(" form a cycle ") || behind.starts_with(" forms a cycle ");
        let named = speaks(&lead) && (run.drawn || run.numbers.len() >= 3)
            || forms && run.numbers.len() >= 3
            || run.drawn && run.numbers.len() >= 3 && claims(plain)
            || run.drawn
                && run.numbers.len() >= 4
                && run.numbers.split_last().is_some_and(|(last, before)| before.contains(last));
        // `a cycle of length 3` and `cycle 1:` are no nodes.
        let length = lead.ends_with("length ");
        if run.numbers.len() >= 2
            && named
            && !length
            && !(run.loose && run.numbers.len() == 2 && !lead.ends_with("between nodes "))
        {
            let mut nodes = run.numbers.clone();
            // `30 -> 16 -> 2 -> 31 -> 1 -> 2` walks into the cycle first.
            if let Some(last) = nodes.pop() {
                match nodes.iter().position(|node| *node == last) {
                    Some(place) if run.drawn && nodes.len() - place >= 3 => {
                        nodes.drain(..place);
                    }
                    Some(0) => {}
                    _ => nodes.push(last),
                }
            }
            reading.fire(ReadingRule::witness("nodes in a row", Some(run.sentence)));
            return (nodes, Vec::new());
        }
    }
    if let Some((sentence, ends)) = to_and_fro(reading) {
        reading.fire(ReadingRule::witness("to and back", Some(sentence)));
        return (ends, Vec::new());
    }
    if let Some((sentence, edges)) = told_edges(graph, reading) {
        reading.fire(ReadingRule::witness("told edges", Some(sentence)));
        return (Vec::new(), edges);
    }
    let chain = read_chain(reading);
    if !chain.is_empty() {
        reading.fire(ReadingRule::witness("told steps", None));
        return (chain, Vec::new());
    }
    if let Some((sentence, walk)) = told_walk(graph, reading) {
        reading.fire(ReadingRule::witness("walk in steps", Some(sentence)));
        return (walk, Vec::new());
    }
    if let Some((sentence, ring)) = neighbour_ring(reading) {
        reading.fire(ReadingRule::witness("told neighbours", Some(sentence)));
        return (ring, Vec::new());
    }
    Default::default()
}

/// The most neighbours that are followed round a ring.
const MAX_TOLD: usize = 2_000;

/// The ring that told neighbours close just before a cycle is concluded: `node 7 is connected to nodes 5
/// and 8. node 5 is connected to node 12. node 12 is connected to node 7. therefore, there is a cycle`.
fn neighbour_ring(reading: &Reading) -> Option<(usize, Vec<i64>)> {
    let mut told: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    let mut closed: Option<(usize, Vec<i64>)> = None;
    let mut n_told = 0;
    for (i, sentence) in reading.sentences.iter().enumerate() {
        if sentence.is_question() || muses(sentence) {
            continue;
        }
        let mut at = sentence.start;
        while at < sentence.end && n_told < MAX_TOLD {
            let Some((node, neighbours, next)) = told_neighbours(reading, at) else {
                at += 1;
                continue;
            };
            at = next.max(at + 1);
            for neighbour in neighbours.into_iter().filter(|neighbour| *neighbour != node) {
                if told.get(&node).is_some_and(|of| of.contains(&neighbour)) {
                    continue;
                }
                if let Some(ring) = way(&told, node, neighbour) {
                    closed = Some((i, ring));
                }
                told.entry(node).or_default().push(neighbour);
                told.entry(neighbour).or_default().push(node);
                n_told += 1;
            }
        }
        let concludes = sentence.has_any(phrases!(
            "there is a cycle, form a cycle, forms a cycle, forming a cycle, completing a cycle, \
             completing the cycle"
        ));
        if concludes
            && let Some((said, _)) = &closed
            && i <= said + 1
        {
            return closed;
        }
    }
    None
}

/// A way from a node to another along told neighbours, its ends included.
fn way(told: &BTreeMap<i64, Vec<i64>>, from: i64, to: i64) -> Option<Vec<i64>> {
    let mut before: BTreeMap<i64, i64> = BTreeMap::from([(from, from)]);
    let mut queue = VecDeque::from([from]);
    while let Some(node) = queue.pop_front() {
        for next in told.get(&node).into_iter().flatten() {
            if !before.contains_key(next) {
                before.insert(*next, node);
                queue.push_back(*next);
            }
        }
    }
    let mut way = vec![to];
    while *way.last()? != from {
        way.push(*before.get(way.last()?)?);
    }
    way.reverse();
    Some(way)
}

/// The edges on lines of their own just before a sentence: `- 1 – 4`, `- 4 – 2`; none if it is one.
fn lines_before(runs: &[Run], sentence: usize) -> Vec<(i64, i64)> {
    let mut edges = Vec::new();
    let mut line = sentence;
    for run in runs.iter().rev().skip_while(|run| run.sentence >= sentence) {
        match run.numbers[..] {
            [a, b] if run.drawn && run.sentence + 1 == line => edges.push((a, b)),
            _ => break,
        }
        line = run.sentence;
    }
    edges.reverse();
    if edges.len() > 1 { edges } else { Vec::new() }
}

/// `a loop from node 0 to node 4 and back to node 0`: a walk over one edge and back.
fn to_and_fro(reading: &Reading) -> Option<(usize, Vec<i64>)> {
    reading.runs().iter().rev().find_map(|run| {
        let [a, b] = run.numbers[..] else { return None };
        let sentence = &reading.sentences[run.sentence];
        let mut at = run.end + 1;
        while matches!(reading.word(at), "," | "and" | "then") {
            at += 1;
        }
        let back = reading.word(at) == "back" && reading.word(at + 1) == "to";
        let home = at + 2 + usize::from(reading.word(at + 2) == "node");
        let speaks = sentence.has("cycle") && !sentence.is_question();
        (speaks && back && reading.integer(home) == Some(a)).then(|| (run.sentence, vec![a, b]))
    })
}

/// Edges told in words that are said to make a cycle: `there are edges connecting node 0 to node 3,
/// node 3 to node 5, and node 5 to node 0. this forms a loop`. The last sentence of that kind.
fn told_edges(graph: &Graph, reading: &Reading) -> Option<(usize, Vec<(i64, i64)>)> {
    let speech = TaskId::Cycle.speech();
    let subject = Subject { graph, speech, asks: Asks::Other, names: None };
    let mut stated = None;
    let concludes = |i: usize| {
        reading.sentences.get(i).is_some_and(|s| {
            s.has_any(phrases!(
                "this forms, these form, this means, this creates, these edges form"
            )) && s.has("cycle")
                && !s.has_any(&["no cycle", "not form"])
        })
    };
    (0..reading.sentences.len()).rev().find_map(|i| {
        let sentence = &reading.sentences[i];
        let own = sentence.has_any(&["form a cycle", "forms a cycle", "forming a cycle"]);
        if sentence.is_question() || !sentence.has_any(&TELLS_EDGES) || !(own || concludes(i + 1)) {
            return None;
        }
        let stated = stated.get_or_insert_with(|| statements::read(subject, reading));
        // Pairs in brackets are read above.
        let in_words = |statement: &&Statement| {
            statement.sentence == i && !statement.tokens.clone().any(|at| reading.is_mark(at, b'('))
        };
        let of = stated.iter().filter(in_words);
        let edge = |statement: &Statement| match &statement.said {
            Said::Edge { u, v, holds: true } => Some((u.as_int()?, v.as_int()?)),
            _ => None,
        };
        let edges: Vec<(i64, i64)> = of.filter_map(edge).collect();
        (edges.len() >= 2).then_some((i, edges))
    })
}

/// A walk of a step a sentence that a line with a colon announces as the cycle: `the cycle can be seen as
/// follows: start at node 0. move to node 1. move back to node 0`.
fn told_walk(graph: &Graph, reading: &Reading) -> Option<(usize, Vec<i64>)> {
    let announces = |i: usize| {
        let sentence = reading.sentences.get(i)?;
        let ends = reading.is_mark(sentence.end.checked_sub(1)?, b':')
            || reading.is_mark(sentence.end, b':');
        (ends && contains(&sentence.plain, "cycle") && !sentence.has("no cycle")).then_some(())
    };
    (0..reading.sentences.len()).find_map(announces)?;
    let speech = TaskId::Cycle.speech();
    let subject = Subject { graph, speech, asks: Asks::Other, names: None };
    statements::read(subject, reading).iter().find_map(|statement| {
        let Said::Path { nodes } = &statement.said else { return None };
        let first = reading.sentences.partition_point(|s| s.end <= statement.tokens.start);
        let goes_on = reading.sentences.get(first).is_some_and(|s| statement.tokens.end > s.end);
        announces(first.checked_sub(1)?).filter(|()| goes_on)?;
        let mut nodes: Vec<i64> =
            nodes.iter().map(graph::NodeName::as_int).collect::<Option<_>>()?;
        if nodes.first() == nodes.last() {
            nodes.pop();
        }
        Some((first, nodes))
    })
}

/// Words after which edges are told by their ends.
static TELLS_EDGES: Phrases = Phrases::of(
    "edges connecting, edge connecting, edges between, edge between, edges from, an edge from, \
     edges that connect, connections between",
);

/// A cycle told in words: `node 0 is connected to node 2, which is connected to node 1, which is
/// connected to node 0`, or the same in steps; also an edge of a node to itself, `node 4 is connected
/// to itself`. One node without a way round names no cycle.
fn read_chain(reading: &Reading) -> Vec<i64> {
    let mut chain: Vec<i64> = Vec::new();
    let mut found = Vec::new();
    for sentence in &reading.sentences {
        let concludes = sentence.has_any(&["there is a cycle", "again"])
            && !sentence.has_any(&["potential", "possible"]);
        for at in sentence.start..sentence.end {
            if reading.word(at) != "connected" || reading.word(at + 1) != "to" {
                continue;
            }
            let mut from = at;
            while from > sentence.start
                && matches!(
                    reading.word(from - 1),
                    "is" | "are" | "also" | "then" | "directly" | "turn" | "in"
                )
            {
                from -= 1;
            }
            let source = reading.integer(from.wrapping_sub(1));
            let relative = from > sentence.start && reading.word(from - 1) == "which";
            let next = at + 2 + usize::from(reading.word(at + 2) == "node");
            if reading.word(at + 2) == "itself" {
                // "itself through the other nodes" names no way round, and so no cycle.
                let vague = matches!(reading.word(at + 3), "through" | "via" | "by" | "in");
                if let Some(source) = source
                    && !vague
                {
                    found = vec![source];
                }
                continue;
            }
            let lists = reading.word(at + 2) == "nodes" || lists_on(reading, next);
            let (Some(source), Some(target), false) = (
                source.or(if relative { chain.last().copied() } else { None }),
                reading.integer(next),
                lists,
            ) else {
                chain.clear();
                continue;
            };
            if chain.last() != Some(&source) {
                chain = vec![source];
            }
            if let Some(place) = chain.iter().position(|node| *node == target) {
                let ring = chain[place..].to_vec();
                // Back and forth over one edge is claimed as a cycle only where it says so.
                if ring.len() >= 3 || relative || concludes {
                    found = ring;
                }
            }
            chain.push(target);
        }
    }
    found
}

/// Whether the number at `at` begins a list: `node 1, node 2 and node 3`.
fn lists_on(reading: &Reading, at: usize) -> bool {
    let mut next = at + 1;
    if !matches!(reading.word(next), "," | "and") {
        return false;
    }
    while matches!(reading.word(next), "," | "and" | "node") {
        next += 1;
    }
    reading.is_number(next) && !matches!(reading.word(next + 1), "is" | "are" | "in")
}

fn claims(plain: &str) -> bool {
    ["form", "forms", "formed", "cycle"].iter().any(|w| contains(plain, w))
        && !contains(plain, "the edges are")
}
