//! Connectivity: the decision, and the path where one is shown.

use graph::NodeName;
use serde::{Deserialize, Serialize};

use super::decision::{Decision, answer_is, muses};
use super::reading::{Reading, Sentence};
use super::walk;
use crate::definition::Asked;
use crate::judgement::{Evidence, MarkKind};
use crate::oracle;
use crate::{Ends, Judgement, Verdict};

/// Whether two nodes are connected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Whether the text says that the nodes are connected.
    pub connected: bool,
    /// The path shown for it, if one is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<NodeName>,
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
    // The first two numbers after "between", "from" or "connecting", else any two.
    let from = (sentence.start..sentence.end)
        .rev()
        .find(|i| matches!(reading.word(*i), "between" | "from" | "connecting" | "connects"))
        .filter(|i| (*i..sentence.end).any(|k| reading.is_number(k)))
        .unwrap_or(sentence.start);
    let mut numbers: Vec<i64> = (from..sentence.end).filter_map(|i| reading.integer(i)).collect();
    if numbers.len() < 2 {
        numbers = (sentence.start..sentence.end).filter_map(|i| reading.integer(i)).collect();
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

const NO_PATH: [&str; 32] = [
    "no path",
    "not a path",
    "no such path",
    "no indirect path",
    "no route",
    "not any path",
    "no possible path",
    "no direct or indirect path",
    "no valid path",
    "no connecting path",
    "isn't a path",
    "path does not exist",
    "no paths",
    "not have a path",
    "cannot find a path",
    "can't find a path",
    "cannot follow a path",
    "no way",
    "path doesn't exist",
    "not exist a path",
    "without a path",
    "is not a path",
    "not find a path",
    "no connection",
    "no sequence of edges",
    "not possible to reach",
    "impossible to reach",
    "not possible to find a path",
    "never reach",
    "no direct path or indirect path",
    "isn't any path",
    "there are no paths",
];

const PATH: [&str; 25] = [
    "there is a path",
    "there is an indirect path",
    "there is a direct path",
    "there exists a path",
    "a path exists",
    "path exists",
    "there are paths",
    "there are multiple paths",
    "there is indeed a path",
    "there is also a path",
    "there is a valid path",
    "have a path",
    "there must be a path",
    "there's a path",
    "there is a route",
    "there is a possible path",
    "there is at least one path",
    "there are two paths",
    "there are several paths",
    "is a path between",
    "there is one path",
    "found a path",
    "there is a clear path",
    "there is a connecting path",
    "but there is an indirect path",
];

const APART: [&str; 18] = [
    "not in the same",
    "in different",
    "in separate",
    "are disconnected",
    "not reachable",
    "unreachable",
    "cannot reach",
    "can't reach",
    "cannot be reached",
    "can't be reached",
    "are not connected",
    "is not connected",
    "not connected",
    "aren't connected",
    "disconnected from",
    "not belong to the same",
    "cannot get",
    "cannot travel",
];

const TOGETHER: [&str; 11] = [
    "in the same connected",
    "in the same component",
    "belong to the same",
    "are connected",
    "is reachable",
    "can reach",
    "can be reached",
    "both in the same",
    "is indirectly connected",
    "are indirectly connected",
    "we reach",
];

const ALONE: [&str; 9] = [
    "not connected to any",
    "not in the graph",
    "is isolated",
    "has no edges",
    "has no connections",
    "has no neighbors",
    "not connected to anything",
    "an isolated node",
    "no edges connected",
];

pub(crate) fn read(problem: Asked<'_, Ends>, reading: &Reading) -> Option<Answer> {
    let Ends { source, target } = problem.query;
    let (s, t) = (source.as_int()?, target.as_int()?);
    let mut decision = Decision::default();
    // Whether the question just asked in the text is ours, where it asks one.
    let mut asked: Option<bool> = None;
    for (i, sentence) in reading.sentences.iter().enumerate() {
        let about = pair(reading, sentence, s, t);
        if sentence.is_question() {
            let path = sentence.has_any(&["path", "reach", "connected", "route"]);
            let edge = sentence.has_any(&["direct", "edge", "directly"]);
            asked = Some(path && !edge && about != Pair::Other);
            // "is there a path? yes" without a mark between is one sentence for us, and a question.
            continue;
        }
        let leading = reading.leading(sentence);
        let replies = asked.take().unwrap_or(true);
        if let Some(yes) = answer_is(sentence) {
            decision.say(yes);
            continue;
        }
        let direct_only = sentence.has_any(&[
            "direct path",
            "directly connected",
            "direct edge",
            "direct connection",
            "an edge between",
        ]) && !sentence.has("indirect");
        if let Some(yes) = leading
            && replies
            && (yes || !direct_only)
            && about != Pair::Other
        {
            decision.say(yes);
        }
        if muses(sentence) {
            continue;
        }
        // The pair is judged in the clause that speaks of the path: "node 1 is connected to node 3,
        // so there is a path between node 0 and node 3".
        if sentence.has_any(&NO_PATH) {
            if about != Pair::Other {
                decision.say(false);
            }
        } else if sentence.has_any(&PATH) {
            let denied = sentence.has("no direct path") && !sentence.has("indirect path");
            if about != Pair::Other && !denied {
                decision.say(true);
            }
        } else if sentence.has_any(&APART) {
            if about == Pair::Asked && !direct_only
                || names_end(reading, sentence, s, t) && sentence.has_any(&REACH)
                || about == Pair::Unnamed && sentence.has_any(&["they", "two nodes", "these nodes"])
            {
                decision.say(false);
            } else if sentence.has_any(&ALONE) && names_one(reading, sentence, s, t) && !direct_only
            {
                decision.hint(false, i);
            }
        } else if sentence.has_any(&ALONE) {
            if names_one(reading, sentence, s, t) {
                decision.hint(false, i);
            }
        } else if sentence.has_any(&TOGETHER) && about == Pair::Asked
            || sentence.has_any(&["can reach", "we reach", "reached"])
                && names_end(reading, sentence, s, t)
        {
            decision.say(true);
        } else if sentence.has("is connected to") && about == Pair::Asked {
            decision.hint(true, i);
        }
    }
    let last = reading.sentences.len().checked_sub(1);
    let last = last.filter(|_| !reading.is_cut_off() || reading.sentences.len() <= 2);
    let path = shown_path(reading, s, t);
    // A path drawn out, and nothing else, says yes.
    let connected = decision.conclude(last).or_else(|| {
        let ends = |p: &[i64]| matches!(p, [a, .., b] if (*a, *b) == (s, t) || (*a, *b) == (t, s));
        (ends(&path) && !reading.is_cut_off() || ends(&path) && reading.sentences.len() == 1)
            .then_some(true)
    })?;
    let path = if connected { path.into_iter().map(NodeName::Int).collect() } else { Vec::new() };
    Some(Answer { connected, path })
}

/// Words for not getting to a node.
const REACH: [&str; 5] =
    ["cannot reach", "can't reach", "cannot be reached", "can't be reached", "unreachable"];

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

/// The path that the text shows: the last one drawn with arrows or announced as a path, else a
/// chain of single steps from one end to the other.
fn shown_path(reading: &Reading, s: i64, t: i64) -> Vec<i64> {
    let joins = |p: &[i64]| matches!(p, [a, .., b] if (*a, *b) == (s, t) || (*a, *b) == (t, s));
    let runs = reading.runs();
    let announced = runs.iter().rev().find(|run| {
        let lead = reading.lead(run.sentence, run.start);
        run.numbers.len() >= 2
            && !run.loose
            && !run.bracketed
            && (run.drawn || lead.ends_with(" path ") || lead.ends_with("path is "))
            && (run.drawn || joins(&run.numbers))
            && super::reading::contains(&lead, "path")
    });
    if let Some(run) = announced.or_else(|| {
        runs.iter().rev().find(|run| run.drawn && !run.bracketed && joins(&run.numbers))
    }) {
        let mut path = run.numbers.clone();
        // `0-1, 1-2, 2-3` tells the joints twice.
        path.dedup();
        return path;
    }
    chain(reading, s, t).or_else(|| chain(reading, t, s)).unwrap_or_default()
}

/// `node 1 is connected to node 3. node 3 is connected to node 5.`: the steps from s to t, if they
/// are told one after the other and nothing else is.
fn chain(reading: &Reading, s: i64, t: i64) -> Option<Vec<i64>> {
    let mut path = vec![s];
    let mut open = true;
    let mut at = 0;
    while at + 4 < reading.tokens.len() {
        let step = (|| {
            let a = reading.integer(at)?;
            let mut next = at + 1;
            if reading.word(next) != "is" {
                return None;
            }
            next += 1;
            if reading.word(next) == "directly" {
                next += 1;
            }
            if reading.word(next) != "connected" || reading.word(next + 1) != "to" {
                return None;
            }
            next += 2;
            if reading.word(next) == "node" {
                next += 1;
            }
            let b = reading.integer(next)?;
            // `connected to nodes 1, 2 and 3` lists neighbours and is no step.
            let lists = matches!(reading.word(next + 1), "," | "and")
                && (reading.is_number(next + 2)
                    || reading.is_number(next + 3)
                        && reading.word(next + 4) != "is"
                        && reading.word(next + 2) == "node"
                    || reading.word(next + 2) == "and");
            Some((a, b, next, lists))
        })();
        if let Some((a, b, next, lists)) = step {
            if open {
                if lists || path.last() != Some(&a) {
                    open = path.last() == Some(&t);
                } else {
                    path.push(b);
                }
            }
            at = next;
        } else {
            at += 1;
        }
    }
    (path.len() >= 2 && path.last() == Some(&t)).then_some(path)
}

pub(crate) fn judge(
    problem: Asked<'_, Ends>,
    answer: &Answer,
    mut evidence: Evidence,
) -> Judgement {
    let Ends { source: s, target: t } = problem.query;
    let Answer { connected, path } = answer;
    let graph = problem.graph;
    let truth = oracle::are_connected(graph, s, t);
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
        let fact = if truth { "there is one" } else { "they are in different components" };
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
    if path.is_empty() {
        show_path(problem, &mut evidence);
        let text = format_args!("Right: there is a path between {s} and {t}.");
        return Judgement::new(Verdict::Correct, evidence, text);
    }
    let whole = walk(graph, path, false, &mut evidence).is_some();
    let joins = matches!((path.first(), path.last()), (Some(a), Some(b)) if (a == s && b == t) || (a == t && b == s));
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
    let component = oracle::components(graph);
    let own = component[idx.index()];
    let side: Vec<&NodeName> =
        graph.indices().filter(|i| component[i.index()] == own).map(|i| graph.name(i)).collect();
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
