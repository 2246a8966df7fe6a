//! The least number of colours, and the colouring where one is shown.

use std::collections::BTreeMap;

use graph::{Graph, NodeName};
use serde::{Deserialize, Serialize};

use super::listing;
use crate::definition::Asked;
use crate::judgement::{Evidence, MarkKind};
use crate::oracle;
use crate::reading::Phrases;
use crate::reading::ReadingRule;
use crate::reading::muses;
use crate::reading::{Kind, Reading, Sentence};
use crate::{Judgement, Verdict, Whole};

/// How many colours are enough.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The number that is stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n_colors: Option<u64>,
    /// The nodes of each colour, where they are shown for all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<Vec<NodeName>>,
}

impl Answer {
    /// What a vote counts.
    pub(crate) fn ballot(&self) -> String {
        self.n_colors.map(|n| n.to_string()).unwrap_or_default()
    }
}

/// Words for the number that is asked.
static NAMED: Phrases = Phrases::of(
    "chromatic number, minimum number, least number, smallest number, number of colors, \
     number of colours, n colors, minimum colors, colors needed, colours needed, answer, colors, \
     colours, result",
);

/// Words of sentences about a number that is too small, too large, or of something else.
static ASIDE: Phrases = Phrases::of(
    "not enough, cannot, not possible, impossible, insufficient, not sufficient, fewer, \
     upper bound, neighbors, neighbours, degree",
);

/// The last number that is stated, else a text that is a number alone; and a colouring of all nodes.
pub(crate) fn read(problem: Asked<'_, Whole>, reading: &Reading) -> Option<Answer> {
    if reading.lists_alone {
        return None;
    }
    let classes = shown(problem.graph, reading);
    let stated = reading.sentences.iter().rev().find_map(|sentence| stated(reading, sentence));
    let n_colors = stated.or_else(|| match &reading.sentences[..] {
        [only] => alone(reading, only),
        [.., last] => alone(reading, last),
        [] => None,
    });
    if n_colors.is_some() {
        reading.fire(ReadingRule::number("number of colours", None));
    }
    if !classes.is_empty() {
        reading.fire(ReadingRule::witness("colouring", None));
    }
    (n_colors.is_some() || !classes.is_empty()).then_some(Answer { n_colors, classes })
}

/// A sentence that is a number and nothing else.
fn alone(reading: &Reading, sentence: &Sentence) -> Option<u64> {
    let mut numbers = (sentence.start..sentence.end).filter_map(|at| reading.count(at));
    let number = numbers.next()?;
    (numbers.next().is_none() && sentence.plain.trim().split(' ').count() == 1).then_some(number)
}

/// The number of colours that a sentence states: before "colors", else behind "is" and its like.
fn stated(reading: &Reading, sentence: &Sentence) -> Option<u64> {
    if sentence.is_question()
        || !sentence.has_any(&NAMED)
        || muses(sentence)
        || sentence.has_any(&ASIDE)
    {
        return None;
    }
    let (start, end) = (sentence.start, sentence.end);
    let before_colors = (start..end).rev().find_map(|at| {
        let number = reading.count(at)?;
        let next = at + 1 + usize::from(matches!(reading.word(at + 1), "different" | "distinct"));
        matches!(reading.word(next), "colors" | "colours").then_some(number)
    });
    before_colors.or_else(|| {
        (start..end).rev().find_map(|at| {
            let number = reading.count(at)?;
            let mut lead = at.checked_sub(1)?;
            while lead > start && matches!(reading.kind(lead), Some(Kind::Mark(b'"' | b'(' | b'|')))
            {
                lead -= 1;
            }
            let states =
                matches!(reading.word(lead), "is" | "=" | ":" | "be" | "needs" | "exactly")
                    || lead == start
                    || reading.is_mark(at - 1, b'|')
                    || matches!(reading.word(lead), "colors" | "colours" | "number");
            let ends =
                at + 1 >= end || !matches!(reading.kind(at + 1), Some(Kind::Mark(b',' | b'-')));
            (states && ends).then_some(number)
        })
    })
}

/// `color 1: 0, 2` or `node 3: color 2`: the classes, if every node has one colour.
fn shown(graph: &Graph, reading: &Reading) -> Vec<Vec<NodeName>> {
    let is_color = |word: &str| matches!(word, "color" | "colour");
    let mut colors: BTreeMap<NodeName, String> = BTreeMap::new();
    for sentence in reading.sentences.iter().filter(|sentence| !sentence.is_question()) {
        let Some(at) = (sentence.start..sentence.end).find(|at| is_color(reading.word(*at))) else {
            continue;
        };
        let label =
            (at + 1..sentence.end).find(|at| !matches!(reading.kind(*at), Some(Kind::Mark(_))));
        let Some(label) = label else { continue };
        let color = reading.word(label).to_owned();
        let behind = label + 1..sentence.end;
        let numbers = |mut range: std::ops::Range<usize>| range.any(|at| reading.is_number(at));
        let of = if numbers(behind.clone()) { behind } else { sentence.start..at };
        for node in of.filter_map(|at| reading.integer(at)) {
            colors.insert(NodeName::Int(node), color.clone());
        }
    }
    if colors.len() != graph.n_nodes() || colors.keys().any(|node| !graph.has_node(node)) {
        return Vec::new();
    }
    let mut classes: BTreeMap<String, Vec<NodeName>> = BTreeMap::new();
    for (node, color) in colors {
        classes.entry(color).or_default().push(node);
    }
    classes.into_values().collect()
}

pub(crate) fn judge(
    problem: Asked<'_, Whole>,
    answer: &Answer,
    mut evidence: Evidence,
) -> Judgement {
    let graph = problem.graph;
    let mut fault = None;
    if !answer.classes.is_empty() {
        fault = clash(graph, &answer.classes, &mut evidence);
        let n = answer.classes.len() as u64;
        if fault.is_none() && answer.n_colors.is_some_and(|stated| stated != n) {
            fault = Some(format!("it has {n} colours"));
            evidence.check(false, format_args!("the colouring shown has {n} colours"));
        }
    }
    let Some(stated) = answer.n_colors.or(Some(answer.classes.len() as u64)).filter(|n| *n > 0)
    else {
        let text = "No graph with nodes needs no colour.";
        return Judgement::new(Verdict::Incorrect, evidence, text);
    };
    let truth = oracle::least_colors(graph).filter(|colors| colors.is_least);
    let Some(truth) = truth else {
        evidence.note("optimum not proven: the search gave up before it knew the least number");
        let text = "It is not known whether this is the least number: optimum not proven.";
        return Judgement::new(Verdict::Partial, evidence, text);
    };
    let least = truth.classes.len();
    let clique: Vec<&NodeName> = truth.clique.iter().collect();
    if clique.len() == least {
        evidence.check(
            true,
            format_args!(
                "{} are joined each with each, so fewer than {least} are not enough",
                listing(&clique)
            ),
        );
    } else {
        evidence.check(
            true,
            format_args!("{} colours are not enough: all {} choices fail", least - 1, truth.tries),
        );
    }
    let classes: Vec<String> =
        truth.classes.iter().map(|class| listing(&class.iter().collect::<Vec<_>>())).collect();
    evidence.check(true, format_args!("{least} are enough: {}", classes.join("; ")));
    if answer.classes.is_empty() {
        for (i, class) in (0_u8..).zip(&truth.classes) {
            class.iter().for_each(|node| evidence.node(node, MarkKind::Side(i)));
        }
    }
    let holds = stated == least as u64;
    evidence.check(holds, format_args!("claimed: {stated}"));
    if holds {
        return match fault {
            None => {
                let text = format_args!("Right: {least} colours are enough, and fewer are not.");
                Judgement::new(Verdict::Correct, evidence, text)
            }
            Some(fault) => {
                let text =
                    format_args!("{least} is right, but the colouring shown is none: {fault}.");
                Judgement::new(Verdict::Partial, evidence, text)
            }
        };
    }
    let greedy = oracle::largest_first(graph);
    let is_greedy = stated > least as u64 && greedy.is_some_and(|n| n as u64 == stated);
    let why = if is_greedy {
        " The greedy method \"largest_first\", which GraCoRe asks for, comes to that number; it is no \
         minimum."
    } else {
        ""
    };
    // Who shows a colouring that holds has found one, if not the best.
    let is_valid = fault.is_none() && !answer.classes.is_empty();
    let verdict = if is_valid { Verdict::Partial } else { Verdict::Incorrect };
    let text = format_args!("The answer says {stated}, but the least number is {least}.{why}");
    Judgement::new(verdict, evidence, text)
}

/// Two joined nodes of one colour.
fn clash(graph: &Graph, classes: &[Vec<NodeName>], evidence: &mut Evidence) -> Option<String> {
    let mut colors: BTreeMap<&NodeName, usize> = BTreeMap::new();
    let mut fault = None;
    for (i, class) in classes.iter().enumerate() {
        for node in class {
            evidence.node(node, MarkKind::Side(i.min(255) as u8));
            if colors.insert(node, i).is_some() || !graph.has_node(node) {
                fault = Some(format!("node {node} has two colours, or is not there"));
            }
        }
    }
    if let Some(node) = graph.names().find(|node| !colors.contains_key(node)) {
        fault = Some(format!("node {node} has no colour"));
    }
    let is_alike = |edge: &graph::EdgeRef<'_>| {
        edge.source != edge.target && colors.get(edge.source) == colors.get(edge.target)
    };
    for edge in graph.edges().filter(is_alike) {
        evidence.edge(edge.source, edge.target, MarkKind::False, None);
        fault.get_or_insert_with(|| {
            format!("{} and {} are joined and have one colour", edge.source, edge.target)
        });
    }
    match &fault {
        Some(fault) => evidence.check(false, fault.as_str()),
        None => evidence.check(true, "joined nodes have different colours"),
    };
    fault
}

#[cfg(test)]
mod tests {
    use crate::{Problem, Verdict, parse_question, verify};

    #[test]
    fn answers_in_words_are_read_and_judged() {
        use Verdict::{Correct, Incorrect, NoAnswer, Partial};
        // A ring of five nodes has no triangle and needs three colours.
        let edges = [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)];
        let lines: String =
            edges.iter().map(|(a, b)| format!("\nFrom node {a} to node {b}.")).collect();
        let problem: Problem = parse_question(&format!(
            "This is a undirected graph with the following edges:{lines}\nThe nodes are numbered from 0 \
             to 4.\nQ: What is the minimum number of colors needed to color the nodes of this graph so \
             that joined nodes have different colors?\nA:"
        ))
        .unwrap();
        for (text, verdict) in [
            ("3", Correct),
            ("3.", Correct),
            ("2", Incorrect),
            ("The minimum number of colors needed is 3.", Correct),
            ("2 colors are not enough. So three colors are needed.", Correct),
            ("The chromatic number is 4.", Incorrect),
            ("Color 1: 0, 2. Color 2: 1, 3. Color 3: 4. So 3 colors.", Correct),
            ("Color 1: 0, 1. Color 2: 2, 3. Color 3: 4. So 3 colors.", Partial),
            ("Color 1: 0. Color 2: 1, 3. Color 3: 4. Color 4: 2. So 4 colors.", Partial),
            (
                "Node 0: color 1\nNode 1: color 2\nNode 2: color 1\nNode 3: color 2\nNode 4: color 3\n\
                 The answer is 3.",
                Correct,
            ),
            ("Node 0 has color 2.", NoAnswer),
            ("I cannot say.", NoAnswer),
            ("", NoAnswer),
        ] {
            let judgement = verify(&problem, text);
            assert_eq!(judgement.verdict, verdict, "{text}: {}", judgement.explanation);
        }
        let lines = verify(&problem, "2").certificate.lines;
        assert!(lines.iter().any(|line| line.text.starts_with("2 colours are not enough: all ")));
    }

    #[test]
    fn a_greedy_number_is_told_as_one() {
        // The crown: greedy in the order of the nodes takes a colour for each pair.
        let lines: String = (0..3)
            .flat_map(|i| (0..3).filter(move |j| *j != i).map(move |j| (2 * i, 2 * j + 1)))
            .map(|(a, b)| format!("\nFrom node {a} to node {b}."))
            .collect();
        let problem = parse_question(&format!(
            "This is a undirected graph with the following edges:{lines}\nThe nodes are numbered from 0 \
             to 5.\nQ: What is the minimum number of colors needed to color the nodes of this graph?\nA:"
        ))
        .unwrap();
        assert_eq!(verify(&problem, "2").verdict, Verdict::Correct);
        let told = verify(&problem, "3").explanation;
        assert!(told.contains("least number is 2") && told.contains("largest_first"), "{told}");
    }
}
