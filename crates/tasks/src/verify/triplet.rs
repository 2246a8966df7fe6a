//! The heaviest triangle: the sum, and the three nodes where they are shown.

use graph::{Graph, NodeName};
use serde::{Deserialize, Serialize};

use super::{joined, listing, repeated, ring_of, same};
use crate::definition::Asked;
use crate::judgement::{Evidence, MarkKind};
use crate::names::join;
use crate::oracle;
use crate::reading::ReadingRule;
use crate::reading::{Kind, Reading, Sentence};
use crate::reading::{Phrases, phrases};
use crate::{Judgement, Verdict, Whole};

/// The heaviest triangle; with neither part it says that there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The sum of the weights of its nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<f64>,
    /// Its three nodes, where they are shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<NodeName>,
}

/// The weight of a node: its embedding of one number.
pub(crate) fn weight(graph: &Graph, name: &NodeName) -> Option<f64> {
    match graph.embedding(graph.index(name).ok()?) {
        Some([weight]) => Some(*weight),
        _ => None,
    }
}

/// The weights of some nodes added up; `None` if one has none.
pub(crate) fn sum_of_weights(graph: &Graph, names: &[NodeName]) -> Option<f64> {
    names.iter().map(|name| weight(graph, name)).sum()
}

/// The sum of a triangle; `None` if the nodes are none.
pub(crate) fn sum(graph: &Graph, names: &[NodeName]) -> Option<f64> {
    fault(graph, names).is_none().then(|| sum_of_weights(graph, names)).flatten()
}

/// Words that name what is asked.
static NAMED: Phrases = Phrases::of(
    "maximum sum, max sum, maximal sum, largest sum, highest sum, greatest sum, maximum total, \
     maximum weight, highest total, largest total, greatest total, heaviest triangle, \
     maximum triangle, maximum triplet, maximum, answer",
);

static NONE: Phrases = Phrases::of(
    "no triangle, no triangles, not have a triangle, no three interconnected, no three connected, \
     no three mutually, no three nodes, no triplet, no set of three, no group of three",
);

/// Reads the last number behind `###`; else the last one that is stated as the maximum; else a text
/// that is a number alone. A number that belongs to a node is none of these.
pub(crate) fn read(_: Asked<'_, Whole>, reading: &Reading) -> Option<Answer> {
    let marked = reading.marked.iter().find_map(|line| marked(line));
    if reading.lists_alone {
        return None;
    }
    let denied = reading.sentences.iter().any(|s| !s.is_question() && s.has_any(&NONE));
    let total = match marked {
        Some(total) => total,
        None => stated(reading).or_else(|| if denied { None } else { bare(reading) }),
    };
    let denied = total.is_none() && (denied || marked.is_some());
    let nodes = if denied { Vec::new() } else { shown(reading, total.is_some()) };
    if denied {
        reading.fire(ReadingRule { sentence: None, ..ReadingRule::decision("no triangle", "", 0) });
    } else if total.is_some() {
        let rule = if marked.is_some() { "mark" } else { "stated sum" };
        reading.fire(ReadingRule::number(rule, None));
    }
    if !nodes.is_empty() {
        reading.fire(ReadingRule::witness("three nodes", None));
    }
    (denied || total.is_some() || !nodes.is_empty()).then_some(Answer { total, nodes })
}

/// The number with which an answer behind `###` begins, or that it is none.
fn marked(line: &str) -> Option<Option<f64>> {
    let reading = Reading::new(line);
    let mut at = 0;
    while matches!(reading.word(at), ":" | "=" | "the" | "answer" | "is" | "sum" | "maximum" | "(")
    {
        at += 1;
    }
    if matches!(reading.word(at), "none" | "no") {
        return Some(None);
    }
    let negative = reading.is_mark(at, b'-');
    let (value, next) = reading.value(at + usize::from(negative))?;
    // `### 2 triangles remain` is a heading, and `### 3,4` is two numbers.
    let follows = next >= reading.tokens.len()
        || matches!(
            reading.word(next),
            "." | "!" | "(" | ")" | "]" | "from" | "by" | "with" | "for" | "which" | "as" | "since"
        );
    if !follows {
        return None;
    }
    Some(Some(if negative { -value } else { value }))
}

/// The value of the last sentence that states the maximum.
fn stated(reading: &Reading) -> Option<f64> {
    let says = |sentence: &&Sentence| !sentence.is_question() && !crate::reading::muses(sentence);
    // The words that name it best come first, wherever they stand.
    [&["final answer", "answer is"][..], &NAMED[..14], &NAMED[14..]].into_iter().find_map(|words| {
        reading
            .sentences
            .iter()
            .rev()
            .filter(says)
            .filter(|sentence| sentence.has_any(words))
            .find_map(|sentence| value_in(reading, sentence))
    })
}

/// The last number that a sentence states behind a word such as "is", and that is no node.
fn value_in(reading: &Reading, sentence: &Sentence) -> Option<f64> {
    let mut found = None;
    let mut at = sentence.start;
    while at < sentence.end {
        let states = phrases!("is, =, :, of, equals, be, to, are, was, at, totals, total")
            .contains(&reading.word(at));
        let mut next = at + 1;
        // "is therefore 21", "is equal to 21", "is: 21".
        while phrases!("therefore, thus, equal, to, indeed, determined, be, :, =, then")
            .contains(&reading.word(next))
        {
            next += 1;
        }
        let negative = reading.is_mark(next, b'-');
        let first = next + usize::from(negative);
        if states
            && let Some((value, end)) = reading.value(first)
            && !is_node(reading, first, end)
        {
            found = Some(if negative { -value } else { value });
            at = end;
            continue;
        }
        // "is twelve", but not "is one of", "three nodes".
        if states
            && let Some(value) = reading.count(next)
            && next + 1 >= sentence.end
        {
            found = Some(value as f64);
        }
        at += 1;
    }
    found
}

/// Whether a number is one of several, or followed by what makes it a name.
fn is_node(reading: &Reading, at: usize, end: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |at| reading.word(at));
    let links = matches!(reading.word(end + 1), "and" | "node" | "nodes");
    let lists = matches!(reading.word(end), "," | "and" | "-" | "->")
        && (reading.is_number(end + 1) || links && reading.is_number(end + 2));
    matches!(before, "node" | "nodes" | "(" | ",") || lists
}

/// A text that has one number and little else.
fn bare(reading: &Reading) -> Option<f64> {
    let first = (0..reading.tokens.len()).find(|at| reading.is_number(*at))?;
    let (value, next) = reading.value(first)?;
    let negative = first.checked_sub(1).is_some_and(|at| reading.is_mark(at, b'-'));
    let alone = (next..reading.tokens.len()).all(|at| !reading.is_number(at));
    let short = reading.tokens.len() <= 12 + (next - first);
    let counts =
        matches!(reading.word(next), "node" | "nodes" | "triangle" | "triangles" | "edges");
    (alone && short && !counts && !is_node(reading, first, next)).then_some(if negative {
        -value
    } else {
        value
    })
}

/// The three nodes that are shown as the heaviest, if the text leaves no doubt which. Without a sum
/// they must be called so.
fn shown(reading: &Reading, has_total: bool) -> Vec<NodeName> {
    let named = ["node", "nodes", "triangle", "triplet", "set"];
    // By name, `nodes 0, 1 and 3`, or drawn, `0-1-3`; each with its sentence.
    let mut triples: Vec<(usize, Vec<i64>)> = Vec::new();
    for (index, sentence) in reading.sentences.iter().enumerate() {
        let mut at = sentence.start;
        while at < sentence.end {
            let leads = named.contains(&reading.word(at));
            let drawn = reading.is_number(at)
                && matches!(reading.kind(at + 1), Some(Kind::Arrow | Kind::Mark(b'-')));
            if !leads && !drawn {
                at += 1;
                continue;
            }
            let (numbers, end) = list(reading, at + usize::from(leads), sentence.end);
            match numbers[..] {
                [a, b, c] => triples.push((index, vec![a, b, c])),
                // The last of a ring may be the first again.
                [a, b, c, d] if a == d => triples.push((index, vec![a, b, c])),
                _ => {}
            }
            at = end.max(at + 1);
        }
    }
    let concludes = |sentence: usize| {
        reading.sentences[sentence].has_any(phrases!(
            "maximum, highest, largest, heaviest, greatest, therefore, answer, only"
        ))
    };
    let last = triples.iter().rev().find(|(sentence, _)| concludes(*sentence));
    let only = if has_total && triples.len() == 1 { triples.first() } else { None };
    let found = last.or(only).map(|(_, nodes)| nodes.as_slice()).unwrap_or_default();
    found.iter().map(|number| NodeName::Int(*number)).collect()
}

/// The numbers of a list, and where it ends: `0, 1, and 3`, `0-1-3`, `0, node 1, node 3`.
fn list(reading: &Reading, start: usize, end: usize) -> (Vec<i64>, usize) {
    let (mut numbers, mut at, mut last) = (Vec::new(), start, start);
    while at < end {
        if let Some(number) = reading.integer(at) {
            numbers.push(number);
            last = at + 1;
        } else if !matches!(
            reading.word(at),
            "," | "and"
                | "-"
                | "->"
                | "("
                | ")"
                | "["
                | "]"
                | "{"
                | "}"
                | "node"
                | "nodes"
                | ":"
                | "are"
        ) {
            break;
        }
        at += 1;
    }
    (numbers, last)
}

/// What keeps three nodes from being a triangle.
fn fault(graph: &Graph, nodes: &[NodeName]) -> Option<String> {
    if nodes.len() != 3 {
        return Some(format!("it has {} nodes", nodes.len()));
    }
    if let Some(stranger) = nodes.iter().find(|node| !graph.has_node(node)) {
        return Some(format!("there is no node {stranger}"));
    }
    if let Some(twice) = repeated(nodes) {
        return Some(format!("node {twice} comes twice"));
    }
    let mut sides = [(0, 1), (1, 2), (2, 0)].into_iter().map(|(i, j)| (&nodes[i], &nodes[j]));
    let (a, b) = sides.find(|(a, b)| !joined(graph, a, b))?;
    Some(format!("nodes {a} and {b} are not joined"))
}

pub(crate) fn judge(
    problem: Asked<'_, Whole>,
    answer: &Answer,
    mut evidence: Evidence,
) -> Judgement {
    let graph = problem.graph;
    let Answer { total, nodes } = answer;
    let triangles = oracle::triangles(graph);
    let Some((best, most)) = triangles.heaviest.clone() else {
        let right = total.is_none() && nodes.is_empty();
        evidence.check(right, "no three nodes are all joined");
        let verdict = if right { Verdict::Correct } else { Verdict::Incorrect };
        return Judgement::new(verdict, evidence, "No three nodes are all joined.");
    };
    prove(graph, &best, most, &triangles, &mut evidence);
    let shown = (!nodes.is_empty()).then(|| fault(graph, nodes));
    let own = if nodes.is_empty() { None } else { sum_of_weights(graph, nodes) };
    if let Some(fault) = &shown {
        draw_sides(graph, nodes, &mut evidence);
        match (fault, own) {
            (Some(fault), _) => {
                evidence.check(false, format_args!("{}: {fault}", join(nodes, ", ")));
            }
            (None, Some(own)) => {
                let holds = same(own, most);
                evidence.check(
                    holds,
                    format_args!("{} weigh {own}; the most is {most}", join(nodes, ", ")),
                );
            }
            (None, None) => {}
        }
    }
    let witness =
        shown.as_ref().map(|fault| fault.is_none() && own.is_some_and(|own| same(own, most)));
    let stated = total.map(|total| {
        evidence.check(same(total, most), format_args!("stated sum {total}; the most is {most}"))
    });
    let why = || match shown.clone().flatten() {
        Some(fault) => format!("the three nodes shown are no triangle: {fault}"),
        None => format!("the triangle shown weighs {}", own.unwrap_or_default()),
    };
    let (verdict, text) = match (stated, witness) {
        (Some(true), None | Some(true)) => {
            (Verdict::Correct, format!("Right: the heaviest triangle weighs {most}."))
        }
        (Some(true), Some(false)) => {
            (Verdict::Partial, format!("The most is {most}, as it says, but {}.", why()))
        }
        (Some(false), Some(true)) => (
            Verdict::Partial,
            format!(
                "The triangle shown is a heaviest one, but it weighs {most}, not {}.",
                total.unwrap_or_default()
            ),
        ),
        (None, Some(true)) => (
            Verdict::Partial,
            format!("The triangle shown is a heaviest one, but its sum {most} is missing."),
        ),
        (Some(false), _) => {
            let total = total.unwrap_or_default();
            let text = format!("The most is {most}, by nodes {}, not {total}.", listed(&best));
            (Verdict::Incorrect, text)
        }
        (None, Some(false)) => (Verdict::Incorrect, format!("The most is {most}; {}.", why())),
        (None, None) => (
            Verdict::Incorrect,
            format!("It finds no three joined nodes, but {} are.", listed(&best)),
        ),
    };
    Judgement::new(verdict, evidence, text)
}

fn listed(nodes: &[NodeName]) -> String {
    listing(&nodes.iter().collect::<Vec<_>>())
}

/// Shows the heaviest triangle, and how the others compare.
fn prove(
    graph: &Graph,
    best: &[NodeName],
    most: f64,
    triangles: &oracle::Triangles,
    evidence: &mut Evidence,
) {
    if !evidence.is_wanted() {
        return;
    }
    let terms: Vec<String> =
        best.iter().filter_map(|name| weight(graph, name)).map(|w| w.to_string()).collect();
    evidence.check(
        true,
        format_args!("{} are all joined: {} = {most}", listed(best), terms.join(" + ")),
    );
    for (a, b) in ring_of(best) {
        evidence.node(a, MarkKind::Path);
        evidence.edge(a, b, MarkKind::Path, None);
    }
    match (triangles.count - 1, triangles.second) {
        (0, _) => evidence.note("there is no other triangle"),
        (1, second) => {
            evidence.note(format_args!("the other triangle weighs {}", second.unwrap_or_default()));
        }
        (n, second) => evidence.note(format_args!(
            "of the {n} other triangles the heaviest weighs {}",
            second.unwrap_or_default()
        )),
    }
}

fn draw_sides(graph: &Graph, nodes: &[NodeName], evidence: &mut Evidence) {
    for (a, b) in ring_of(nodes) {
        evidence.edge(a, b, MarkKind::of(joined(graph, a, b)), None);
    }
}

#[cfg(test)]
mod tests {
    use crate::verify::{verify, verify_answer};
    use crate::{
        Answer, Difficulty, Problem, TaskId, Verdict, answers, parse_question, solve, task,
    };

    /// Nodes 0, 1, 3 weigh 21; nodes 2, 3, 4 weigh 20.
    fn problem() -> Problem {
        parse_question(
            "Find the maximum sum of the weights of three interconnected nodes. Q: The nodes are \
             numbered from 0 to 4, weights of nodes are: [0, 2] [1, 9] [2, 6] [3, 10] [4, 4], and \
             the edges are: (0, 1) (0, 3) (1, 3) (2, 4) (3, 4) (2, 3). What is the maximum sum of \
             the weights of three interconnected nodes?",
        )
        .unwrap()
    }

    #[test]
    fn answers_in_words_are_read_and_judged() {
        use Verdict::{Correct, Incorrect, NoAnswer, Partial};
        let right = [
            "### 21",
            "### 21.",
            "### 21 from the nodes 0, 1 and 3",
            "###21 (nodes 0, 1, 3)",
            "21",
            "21.",
            "The sum is 2 + 9 + 10 = 21",
            "The answer is 21.",
            "**Answer:** 21",
            "$\\boxed{21}$",
            "{\"answer\": 21}",
            "The maximum sum of the weights of three interconnected nodes is 2 + 9 + 10 = 21.",
            "The maximum sum of the weights of three nodes is equal to 21, by nodes 0, 1, and 3.",
            "Nodes 2, 3 and 4 weigh 6 + 10 + 4 = 20. Nodes 0, 1 and 3 weigh 2 + 9 + 10 = 21. So the \
             highest sum is 21.",
            "Only nodes 0, 1, and 3 are all joined: <<2 (Node 0) + 9 (Node 1) + 10 (Node 3) = 21>>. \
             Therefore, the maximum sum of the weights of three interconnected nodes is 21. ### 21.",
            "The heaviest triangle is 0-1-3, with a total of 21.",
            "### Step 1\nLook at the edges.\n### Step 2\nThe maximum sum is 21.",
        ];
        let partly = [
            "The nodes 0, 1 and 2 have the maximum sum, which is 21.",
            "The heaviest triangle is 0-1-3.",
            "The triangle 0-1-3 is the heaviest. ### 20",
            "The maximum sum is 21, by nodes 2, 3, 4.",
        ];
        let wrong = [
            "### 20",
            "### -21",
            "### 210",
            "20",
            "The maximum sum is 25.",
            "The maximum sum is -21.",
            "There are no three interconnected nodes. ### None",
            "The heaviest triangle is 0-1-2.",
            "The answer is 20, since 21 is too much.",
        ];
        let none = [
            "",
            "I cannot say.",
            "### Step 1: look at all of the edges of the graph, one after the other",
            "Let us look at nodes 0, 1 and 3.",
            "Node 3 has the weight 10.",
            "### 2,1",
            "### 3 nodes",
        ];
        let problem = problem();
        for (texts, verdict) in
            [(&right[..], Correct), (&partly, Partial), (&wrong, Incorrect), (&none, NoAnswer)]
        {
            for text in texts {
                let judgement = verify(&problem, text);
                assert_eq!(judgement.verdict, verdict, "{text}: {}", judgement.explanation);
            }
        }
    }

    #[test]
    fn every_other_sum_and_every_other_triangle_is_refused() {
        for level in Difficulty::ALL {
            for seed in 0..40 {
                let problem = task(TaskId::Triplet).generate(level, seed);
                let Answer::Triplet(right) = solve(&problem) else { panic!("a triplet") };
                let most = right.total.unwrap();
                for off in [-1.0, 1.0, 0.5] {
                    let total = Some(most + off);
                    let answer = answers::Triplet { total, nodes: Vec::new() };
                    let verdict = verify_answer(&problem, &Answer::Triplet(answer)).verdict;
                    assert_eq!(verdict, Verdict::Incorrect);
                }
                let names: Vec<_> = problem.graph.names().cloned().collect();
                for a in &names {
                    let mut nodes = right.nodes.clone();
                    nodes[0] = a.clone();
                    let own = super::sum(&problem.graph, &nodes);
                    let answer = answers::Triplet { total: right.total, nodes };
                    let verdict = verify_answer(&problem, &Answer::Triplet(answer)).verdict;
                    assert_eq!(verdict == Verdict::Correct, own == right.total, "{a}");
                }
            }
        }
    }

    #[test]
    fn a_graph_without_triangles_has_no_sum() {
        let mut problem = problem();
        problem.graph.apply(&graph::Delta::RemoveNode { node: 3usize.into() }).unwrap();
        assert_eq!(verify(&problem, "### None").verdict, Verdict::Correct);
        assert_eq!(verify(&problem, "### 21").verdict, Verdict::Incorrect);
        let own = crate::reference_text(&problem, &solve(&problem));
        assert_eq!(verify(&problem, &own).verdict, Verdict::Correct, "{own}");
    }

    #[test]
    fn the_oracle_and_the_library_count_alike() {
        for seed in 0..200u64 {
            let problem =
                task(TaskId::Triplet).generate(Difficulty::ALL[(seed % 3) as usize], seed);
            let theirs =
                graph::functions::find_heaviest_triangle::find_heaviest_triangle(&problem.graph)
                    .unwrap();
            let ours = crate::oracle::triangles(&problem.graph);
            assert_eq!(ours.count, theirs.count, "seed {seed}");
            assert_eq!(ours.heaviest.map(|(_, w)| w), theirs.heaviest.map(|(_, w)| w));
        }
    }
}
