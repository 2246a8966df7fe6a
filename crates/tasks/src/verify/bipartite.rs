//! Bipartite check: the decision, and the two sides or the odd cycle where they are shown.

use std::collections::BTreeSet;

use graph::{Graph, NodeName};
use serde::{Deserialize, Serialize};

use super::{joined, left_out, listing, repeated, ring_of};
use crate::definition::Asked;
use crate::judgement::{Evidence, MarkKind};
use crate::names::join;
use crate::oracle;
use crate::reading::ReadingRule;
use crate::reading::{Decision, Said, leads, marked, muses};
use crate::reading::{Phrases, phrases};
use crate::reading::{Reading, Run, Sentence};
use crate::{Judgement, Verdict, Whole};

/// Whether a graph is bipartite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Whether the text says that the graph is bipartite.
    pub is_bipartite: bool,
    /// The two sides shown for a yes; none or two lists.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sides: Vec<Vec<NodeName>>,
    /// The odd cycle shown for a no, its nodes in order; the first is not repeated at the end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cycle: Vec<NodeName>,
}

/// Sentences that say what the word means, or what would have to hold.
static DEFINES: Phrases = Phrases::of(
    "bipartite if, bipartite when, bipartite only if, bipartite graph is, bipartite means, \
     to be bipartite, must be bipartite, were bipartite, would be bipartite, definition of, \
     condition for, conditions for, requirement for, whether",
);

/// Words that deny it, in a sentence that has the word.
static DENIES: Phrases = Phrases::of(
    "not, cannot, non, nor, neither, fails, violates, violating, prevents, impossible, \
     contradicts, never, unable, no bipartite",
);

static AFFIRMS: Phrases = Phrases::of(
    "is bipartite, is indeed bipartite, is therefore bipartite, is thus bipartite, \
     is also bipartite, is actually bipartite, is in fact bipartite, is a bipartite, \
     is indeed a bipartite, as bipartite, as a bipartite, be bipartite, considered bipartite, \
     it's bipartite, graph bipartite, indeed bipartite, forms a bipartite, bipartite true",
);

/// Other words for a yes and for a no, where the word itself does not come.
static SPLITS: Phrases = Phrases::of(
    "no odd cycle, no odd cycles, no cycle of odd length, no cycles of odd length, \
     no odd length cycle, no odd length cycles, is two colorable, is 2 colorable, \
     is two colourable, is 2 colourable",
);
static CLASHES: Phrases = Phrases::of(
    "is an odd cycle, has an odd cycle, contains an odd cycle, forms an odd cycle, \
     form an odd cycle, odd length cycle, cycle of odd length, not two colorable, \
     not 2 colorable, is a triangle",
);

/// What a sentence says about the graph, if anything.
fn says(sentence: &Sentence) -> Option<bool> {
    if sentence.has("bipartite") {
        if muses(sentence) || sentence.has_any(&DEFINES) {
            return None;
        }
        if sentence.has("bipartite false") || sentence.has_any(&DENIES) {
            return Some(false);
        }
        return sentence.has_any(&AFFIRMS).then_some(true);
    }
    None
}

/// Reads what stands behind `###`; else the last sentence that says yes or no about the graph.
pub(crate) fn read(problem: Asked<'_, Whole>, reading: &Reading) -> Option<Answer> {
    let plainly = |sentence: &Sentence| (sentence.plain.trim() == "bipartite").then_some(true);
    let marked = marked(reading, |sentence| says(sentence).or_else(|| plainly(sentence)));
    let is_bipartite = marked.or_else(|| read_decision(reading))?;
    let (mut sides, mut cycle) = (Vec::new(), Vec::new());
    if is_bipartite {
        sides = shown_sides(problem.graph, reading);
    } else {
        cycle = shown_cycle(reading);
    }
    if !sides.is_empty() || !cycle.is_empty() {
        let rule = if is_bipartite { "sides" } else { "odd cycle" };
        reading.fire(ReadingRule::witness(rule, None));
    }
    Some(Answer { is_bipartite, sides, cycle })
}

fn read_decision(reading: &Reading) -> Option<bool> {
    let asks = |sentence: &Sentence| sentence.has("bipartite");
    let decision = Decision::hear(reading, asks, |_, sentence, replies| {
        if let Some(yes) = says(sentence) {
            return Some((Said::new(yes, "says bipartite", "bipartite"), true));
        }
        let about_edges = || sentence.has_any(&["conflict", "edge", "edges"]);
        if let Some(said) = leads(reading, sentence).filter(|_| replies && !about_edges()) {
            return Some((said, true));
        }
        if muses(sentence) || sentence.has_any(&DEFINES) {
            return None;
        }
        let splits = |words| Said::new(true, "no odd cycle at the end", words);
        let clashes = |words| Said::new(false, "an odd cycle at the end", words);
        let hint = sentence.find(&SPLITS).map(splits);
        Some((hint.or_else(|| sentence.find(&CLASHES).map(clashes))?, false))
    });
    decision.conclude(reading)
}

/// The last two lists that are called sides, sets or groups and together have every node once.
fn shown_sides(graph: &Graph, reading: &Reading) -> Vec<Vec<NodeName>> {
    let speaks = |run: &Run| {
        reading.sentences[run.sentence].has_any(phrases!(
            "set, sets, group, groups, grouped, side, sides, part, parts, partition, partitions, \
             left, right, color, colour, partite"
        ))
    };
    let runs: Vec<Run> = reading.runs().into_iter().filter(speaks).collect();
    let whole = |pair: &&[Run]| {
        let nodes: BTreeSet<NodeName> = pair.iter().flat_map(Run::names).collect();
        let count: usize = pair.iter().map(|run| run.numbers.len()).sum();
        count == nodes.len() && count == graph.n_nodes() && nodes.iter().all(|n| graph.has_node(n))
    };
    let pair = runs.windows(2).rev().find(whole).unwrap_or_default();
    pair.iter().map(Run::names).collect()
}

/// The last nodes in a row that are called a cycle.
fn shown_cycle(reading: &Reading) -> Vec<NodeName> {
    let runs = reading.runs();
    let found = runs.iter().rev().find(|run| {
        let sentence = &reading.sentences[run.sentence];
        run.numbers.len() >= 3
            && sentence.has_any(&["cycle", "cycles", "triangle"])
            && !sentence.has_any(&["no cycle", "no odd", "not a cycle"])
            && (run.drawn || sentence.has_any(&["odd", "triangle"]))
    });
    let mut nodes = found.map(Run::names).unwrap_or_default();
    if nodes.len() > 3 && nodes.first() == nodes.last() {
        nodes.pop();
    }
    nodes
}

pub(crate) fn judge(
    problem: Asked<'_, Whole>,
    answer: &Answer,
    mut evidence: Evidence,
) -> Judgement {
    let graph = problem.graph;
    let truth = oracle::two_sides(graph);
    let claim = if answer.is_bipartite { "it is bipartite" } else { "it is not bipartite" };
    let holds = answer.is_bipartite == truth.is_ok();
    evidence.check(holds, format_args!("claimed: {claim}"));
    // What is shown is checked and drawn; where nothing is, the truth is.
    let fault = match (holds, answer.is_bipartite) {
        (true, true) if !answer.sides.is_empty() => {
            Some(sides_fault(graph, &answer.sides, &mut evidence))
        }
        (true, false) if !answer.cycle.is_empty() => {
            Some(cycle_fault(graph, &answer.cycle, &mut evidence))
        }
        _ => None,
    };
    if fault.as_ref().is_none_or(Option::is_some) {
        prove(graph, &truth, &mut evidence);
    }
    let fact = match &truth {
        Ok(_) => "every edge joins one side with the other".to_owned(),
        Err(cycle) => format!("a cycle has {} nodes, an odd number", cycle.len()),
    };
    if !holds {
        let text = format_args!("The answer says that {claim}, but {fact}.");
        return Judgement::new(Verdict::Incorrect, evidence, text);
    }
    match fault.flatten() {
        None => Judgement::new(Verdict::Correct, evidence, format_args!("Right: {fact}.")),
        Some(fault) => {
            let what =
                if answer.is_bipartite { "the sides shown are" } else { "the cycle shown is" };
            let text =
                format_args!("It is right that {claim}, but {what} not what they seem: {fault}.");
            Judgement::new(Verdict::Partial, evidence, text)
        }
    }
}

/// What is wrong with two sides.
fn sides_fault(graph: &Graph, sides: &[Vec<NodeName>], evidence: &mut Evidence) -> Option<String> {
    let [left, right] = sides else {
        evidence.check(false, format_args!("{} sides are shown, not two", sides.len()));
        return Some(format!("there are {} of them", sides.len()));
    };
    let all: Vec<NodeName> = left.iter().chain(right).cloned().collect();
    let (missing, unknown) = left_out(graph, &all);
    let mut fault = None;
    if !unknown.is_empty() {
        fault = Some(format!("the graph has no node {}", listing(&unknown)));
    } else if let Some(twice) = repeated(&all) {
        fault = Some(format!("node {twice} comes twice"));
    } else if !missing.is_empty() {
        fault = Some(format!("they leave out {}", listing(&missing)));
    }
    if let Some(fault) = &fault {
        evidence.check(false, fault.as_str());
    }
    for (side, nodes) in [(0, left), (1, right)] {
        for node in nodes {
            evidence.node(node, MarkKind::Side(side));
        }
    }
    let left: BTreeSet<&NodeName> = left.iter().collect();
    for edge in graph.edges() {
        if left.contains(edge.source) == left.contains(edge.target) {
            evidence.edge(edge.source, edge.target, MarkKind::False, None);
            let text = format!("{} and {} are joined and on one side", edge.source, edge.target);
            if fault.is_none() {
                evidence.check(false, text.as_str());
            }
            fault.get_or_insert(text);
        }
    }
    if fault.is_none() {
        evidence.check(true, "every edge joins the two sides shown");
    }
    fault
}

/// What is wrong with an odd cycle.
fn cycle_fault(graph: &Graph, cycle: &[NodeName], evidence: &mut Evidence) -> Option<String> {
    let mut fault = None;
    if let Some(twice) = repeated(cycle) {
        fault = Some(format!("node {twice} comes twice"));
    } else if cycle.len().is_multiple_of(2) {
        fault = Some(format!("it has {} nodes, an even number", cycle.len()));
    }
    for (a, b) in ring_of(cycle) {
        let there = joined(graph, a, b);
        evidence.edge(a, b, MarkKind::of(there), None);
        if !there {
            fault.get_or_insert_with(|| format!("nodes {a} and {b} are not joined"));
        }
    }
    match &fault {
        Some(text) => evidence.check(false, format_args!("{}: {text}", join(cycle, " - "))),
        None => evidence.check(
            true,
            format_args!("{} is a cycle of {} nodes", join(cycle, " - "), cycle.len()),
        ),
    };
    fault
}

/// Shows the two sides, or an odd cycle.
fn prove(graph: &Graph, truth: &Result<Vec<bool>, Vec<NodeName>>, evidence: &mut Evidence) {
    if !evidence.is_wanted() {
        return;
    }
    match truth {
        Ok(sides) => {
            let side = |wanted: bool| -> Vec<&NodeName> {
                let is_there = |place: &graph::NodeIdx| sides[place.index()] == wanted;
                graph.indices().filter(is_there).map(|place| graph.name(place)).collect()
            };
            let (left, right) = (side(false), side(true));
            for (number, nodes) in [(0, &left), (1, &right)] {
                for node in nodes {
                    evidence.node(node, MarkKind::Side(number));
                }
            }
            evidence
                .check(true, format_args!("two sides: {}; {}", listing(&left), listing(&right)));
        }
        Err(cycle) => {
            for (a, b) in ring_of(cycle) {
                evidence.edge(a, b, MarkKind::Path, None);
            }
            evidence.check(
                true,
                format_args!("an odd cycle: {}, {} nodes", join(cycle, " - "), cycle.len()),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::verify::{verify, verify_answer};
    use crate::{
        Answer, Difficulty, Problem, TaskId, Verdict, answers, parse_question, solve, task,
    };

    fn problem(edges: &str) -> Problem {
        parse_question(&format!(
            "Determine whether or not a graph is bipartite. In a directed graph, (i->j) means that \
             node i and node j are connected with an directed edge from node i to node j. Q: The \
             nodes are numbered from 0 to 4, and the edges are: {edges}. Is this graph bipartite?"
        ))
        .unwrap()
    }

    fn check(problem: &Problem, texts: &[&str], verdict: Verdict) {
        for text in texts {
            let judgement = verify(problem, text);
            assert_eq!(judgement.verdict, verdict, "{text}: {}", judgement.explanation);
        }
    }

    const YES: &[&str] = &[
        "### Yes",
        "### Yes.",
        "###yes",
        "Yes",
        "yes, it is.",
        "The answer is yes.",
        "The graph is bipartite.",
        "So, the answer is yes, this graph is indeed bipartite. ### Yes.",
        "Therefore, the graph can be classified as bipartite.",
        "A graph is bipartite if it has no odd cycle. There is none here, so this graph is bipartite.",
        "{\"is_bipartite\": true}",
        "To determine if the graph is bipartite, we try two sets. It works. **Yes**",
        "### Step 1\nColour node 0.\n### Answer: Yes",
        "Is the graph bipartite? Yes.",
    ];
    const NO: &[&str] = &[
        "### No",
        "### No.",
        "No",
        "No, it is not.",
        "The graph is not bipartite.",
        "This is a non-bipartite graph.",
        "The graph cannot be classified as bipartite.",
        "Hence, the graph does not meet the criteria to be classified as bipartite. ### No.",
        "The answer to whether the graph is bipartite is no. ### No.",
        "This violates the primary condition for a graph to be bipartite. The answer is no.",
        "{\"is_bipartite\": false}",
        "At first the graph is bipartite as far as we see. But the last edge joins one side, so it \
         isn't bipartite.",
    ];

    #[test]
    fn answers_in_words_are_read_and_judged() {
        use Verdict::{Correct, Incorrect, NoAnswer, Partial};
        // 0, 3 on one side; 1, 2, 4 on the other.
        let even = problem("(0->1) (0->2) (3->1) (3->4)");
        // 0-1-2 is a triangle.
        let odd = problem("(0->1) (1->2) (0->2) (3->4)");
        check(&even, YES, Correct);
        check(&even, NO, Incorrect);
        check(&odd, NO, Correct);
        check(&odd, YES, Incorrect);
        // The benchmark's own script finds a "no" in "nodes" and in "cannot".
        check(&odd, &["### Yes, nodes 1-2-3 form a cycle"], Incorrect);
        let none =
            ["", "I cannot say.", "Let us look at the nodes.", "Node 0 is joined to node 1."];
        check(&even, &none, NoAnswer);
        check(&odd, &none, NoAnswer);
        check(
            &even,
            &[
                "Set A = {0, 3} and set B = {1, 2, 4}. The graph is bipartite.",
                "The two groups are {3, 0} and {4, 2, 1}. ### Yes",
            ],
            Correct,
        );
        check(&even, &["Set A = {0, 1} and set B = {2, 3, 4}. The graph is bipartite."], Partial);
        check(
            &odd,
            &[
                "The odd cycle 0-1-2-0 shows that it is not bipartite.",
                "Nodes 0, 1, 2 form an odd \
             cycle, so the graph is not bipartite.",
            ],
            Correct,
        );
        check(&odd, &["The odd cycle 0-1-3-0 shows that the graph is not bipartite."], Partial);
    }

    #[test]
    fn every_wrong_witness_is_refused() {
        for level in Difficulty::ALL {
            for seed in 0..40 {
                let problem = task(TaskId::Bipartite).generate(level, seed);
                let Answer::Bipartite(right) = solve(&problem) else { panic!("a bipartite check") };
                let verdict = |answer| verify_answer(&problem, &Answer::Bipartite(answer)).verdict;
                assert_eq!(verdict(right.clone()), Verdict::Correct);
                let turned =
                    answers::Bipartite { is_bipartite: !right.is_bipartite, ..right.clone() };
                assert_eq!(verdict(turned), Verdict::Incorrect);
                if let [left, other] = &right.sides[..] {
                    // A node with an edge on the wrong side, or on none.
                    let edge = problem.graph.edges().next();
                    let moved = edge.map(|edge| edge.source.clone());
                    for node in left.iter().filter(|node| Some(*node) == moved.as_ref()) {
                        let fewer: Vec<_> = left.iter().filter(|n| *n != node).cloned().collect();
                        let more = [&other[..], std::slice::from_ref(node)].concat();
                        for sides in [vec![fewer.clone(), more], vec![fewer, other.clone()]] {
                            let answer = answers::Bipartite { sides, ..right.clone() };
                            assert_eq!(verdict(answer), Verdict::Partial);
                        }
                    }
                    let answer = answers::Bipartite { sides: vec![left.clone()], ..right.clone() };
                    assert_eq!(verdict(answer), Verdict::Partial);
                }
                if !right.cycle.is_empty() {
                    let mut cycle = right.cycle.clone();
                    cycle.pop();
                    let answer = answers::Bipartite { cycle, ..right.clone() };
                    assert_eq!(verdict(answer), Verdict::Partial);
                }
            }
        }
    }

    #[test]
    fn the_oracle_and_the_library_agree_and_both_prove_it() {
        let mut n_yes = 0;
        for seed in 0..300u64 {
            let level = Difficulty::ALL[(seed % 3) as usize];
            let problem = task(TaskId::Bipartite).generate(level, seed);
            let graph = &problem.graph;
            let theirs = graph::functions::is_bipartite::is_bipartite(graph);
            match crate::oracle::two_sides(graph) {
                Ok(sides) => {
                    assert!(theirs.is_ok(), "seed {seed}");
                    let differ =
                        |a: graph::NodeIdx, b: graph::NodeIdx| sides[a.index()] != sides[b.index()];
                    assert!(graph.edges().all(|e| differ(e.source_idx, e.target_idx)));
                    n_yes += 1;
                }
                Err(cycle) => {
                    assert!(theirs.is_err(), "seed {seed}");
                    let mut evidence = super::Evidence::skip();
                    assert_eq!(super::cycle_fault(graph, &cycle, &mut evidence), None);
                }
            }
        }
        assert!((90..240).contains(&n_yes), "{n_yes} of 300 are bipartite");
    }
}
