//! Trying everything on small graphs is the oracle; and answers as models write them.

use graph::{Graph, NodeName};

use crate::{
    Answer, Difficulty, Problem, Style, TaskId, Verdict, Wording, answers, parse_question, task,
    verify, verify_answer,
};

use Verdict::{Correct, Incorrect, NoAnswer, Partial};

/// A small problem of a task.
fn small(id: TaskId, seed: u64, most: usize) -> Problem {
    let made = (seed * 1_000..).map(|seed| task(id).generate(Difficulty::Easy, seed));
    let n = |problem: &Problem| problem.graph.n_nodes();
    made.into_iter().find(|problem| n(problem) <= most).unwrap()
}

fn names(graph: &Graph) -> Vec<NodeName> {
    graph.names().cloned().collect()
}

/// Every set of nodes.
fn subsets(graph: &Graph) -> Vec<Vec<NodeName>> {
    let names = names(graph);
    let members = |set: u32| {
        let is_in = move |i: &usize| set >> i & 1 == 1;
        (0..names.len()).filter(is_in).map(|i| names[i].clone()).collect()
    };
    (0..1u32 << names.len()).map(members).collect()
}

/// Every order of the numbers up to n.
fn orders(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for order in orders(n - 1) {
        for at in 0..=order.len() {
            let mut longer = order.clone();
            longer.insert(at, n - 1);
            all.push(longer);
        }
    }
    all
}

fn joined(graph: &Graph, a: &NodeName, b: &NodeName) -> bool {
    graph.edge(a, b).is_some()
}

/// Holds the verdict on every set against what trying all of them tells.
fn hold_sets(
    id: TaskId,
    answer: fn(Vec<NodeName>) -> Answer,
    is_feasible: fn(&Graph, &[NodeName]) -> bool,
    is_large_good: bool,
) {
    for seed in 0..12 {
        let problem = small(id, seed, 9);
        let sets = subsets(&problem.graph);
        let feasible = sets.iter().filter(|set| is_feasible(&problem.graph, set));
        let sizes = feasible.map(Vec::len);
        let best = if is_large_good { sizes.max() } else { sizes.min() };
        for set in sets {
            let expected = match is_feasible(&problem.graph, &set) {
                false => Incorrect,
                true if Some(set.len()) == best => Correct,
                true => Partial,
            };
            // An empty set answers nothing where a larger one is asked for.
            let expected = if set.is_empty() && is_large_good { Incorrect } else { expected };
            let judgement = verify_answer(&problem, &answer(set.clone()));
            assert_eq!(judgement.verdict, expected, "{set:?}: {}", judgement.explanation);
        }
    }
}

fn each_pair(set: &[NodeName], holds: impl Fn(&NodeName, &NodeName) -> bool) -> bool {
    set.iter().enumerate().all(|(i, a)| set[i + 1..].iter().all(|b| holds(a, b)))
}

#[test]
fn cliques_are_judged_as_by_trying_all() {
    let list = |nodes| Answer::MaxClique(answers::MaxClique { nodes });
    let is_clique = |g: &Graph, set: &[NodeName]| each_pair(set, |a, b| joined(g, a, b));
    hold_sets(TaskId::MaxClique, list, is_clique, true);
}

#[test]
fn independent_sets_are_judged_as_by_trying_all() {
    let list = |nodes| Answer::IndependentSet(answers::IndependentSet { nodes });
    let is_free = |g: &Graph, set: &[NodeName]| each_pair(set, |a, b| !joined(g, a, b));
    hold_sets(TaskId::IndependentSet, list, is_free, true);
}

#[test]
fn covers_are_judged_as_by_trying_all() {
    let list = |nodes| Answer::VertexCover(answers::VertexCover { nodes });
    let covers = |g: &Graph, set: &[NodeName]| {
        g.edges().all(|edge| set.contains(edge.source) || set.contains(edge.target))
    };
    hold_sets(TaskId::VertexCover, list, covers, false);
}

#[test]
fn tours_are_judged_as_by_trying_all() {
    for seed in 0..6 {
        let problem = small(TaskId::Tour, seed, 6);
        let names = names(&problem.graph);
        let closed = |order: &[usize]| -> Vec<NodeName> {
            order.iter().chain(order.first()).map(|i| names[*i].clone()).collect()
        };
        let length = |nodes: &[NodeName]| -> f64 {
            let weight = |w: &[NodeName]| problem.graph.edge(&w[0], &w[1]).unwrap().weight_or_one();
            nodes.windows(2).map(weight).sum()
        };
        let tours: Vec<_> = orders(names.len()).iter().map(|order| closed(order)).collect();
        let best = tours.iter().map(|tour| length(tour)).fold(f64::INFINITY, f64::min);
        for nodes in tours {
            let expected = if length(&nodes) > best + 1e-9 { Partial } else { Correct };
            let judgement = verify_answer(&problem, &Answer::Tour(answers::Tour { nodes }));
            assert_eq!(judgement.verdict, expected, "{}", judgement.explanation);
        }
    }
}

#[test]
fn edit_distances_are_judged_as_by_trying_all() {
    for seed in 0..6 {
        let problem = small(TaskId::EditDistance, seed, 12);
        let crate::Query::EditDistance(query) = &problem.query else { panic!("a distance") };
        let n = query.first.len();
        let atom = |letter: char, i: usize| NodeName::from(format!("{letter}{i}").as_str());
        let bound = |letter: char, i: usize, j: usize| {
            joined(&problem.graph, &atom(letter, i), &atom(letter, j))
        };
        let cost = |order: &[usize]| {
            let atoms = (0..n).filter(|i| query.first[*i] != query.second[order[*i]]).count();
            let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
            let differs =
                |(i, j): &(usize, usize)| bound('a', *i, *j) != bound('b', order[*i], order[*j]);
            atoms + pairs.filter(differs).count()
        };
        let all = orders(n);
        let best = all.iter().map(|order| cost(order)).min().unwrap();
        for order in all {
            let pairs = order.iter().copied().enumerate().collect();
            let answer = Answer::EditDistance(answers::EditDistance { pairs, uneven: None });
            let expected = if cost(&order) > best { Partial } else { Correct };
            let judgement = verify_answer(&problem, &answer);
            assert_eq!(judgement.verdict, expected, "{order:?}: {}", judgement.explanation);
        }
    }
}

#[test]
fn common_parts_are_judged_as_by_trying_all() {
    for seed in 0..8 {
        let problem = small(TaskId::CommonSubgraph, seed, 10);
        let crate::Query::CommonSubgraph(sizes) = problem.query else { panic!("a common part") };
        let (n, m) = (sizes.n_first, sizes.n_second);
        let atom = |letter: char, i: usize| NodeName::from(format!("{letter}{i}").as_str());
        let bound = |letter: char, i: usize, j: usize| {
            joined(&problem.graph, &atom(letter, i), &atom(letter, j))
        };
        let is_common = |pairs: &[(usize, usize)]| {
            pairs.iter().enumerate().all(|(i, (a, b))| {
                pairs[i + 1..].iter().all(|(c, d)| bound('a', *a, *c) == bound('b', *b, *d))
            })
        };
        // All pairings, smaller ones first: each atom of the one with none or a free one of the other.
        let mut all: Vec<Vec<(usize, usize)>> = vec![Vec::new()];
        for a in 0..n {
            for i in 0..all.len() {
                let pairs = all[i].clone();
                let free = (0..m).filter(|b| pairs.iter().all(|p| p.1 != *b));
                let longer: Vec<_> = free.map(|b| [pairs.clone(), vec![(a, b)]].concat()).collect();
                all.extend(longer);
            }
        }
        let best = all.iter().filter(|pairs| is_common(pairs)).map(Vec::len).max().unwrap();
        for pairs in all.into_iter().filter(|pairs| !pairs.is_empty()).step_by(7) {
            let expected = match is_common(&pairs) {
                false => Incorrect,
                true if pairs.len() == best => Correct,
                true => Partial,
            };
            let answer = Answer::CommonSubgraph(answers::CommonSubgraph { pairs, uneven: None });
            let judgement = verify_answer(&problem, &answer);
            assert_eq!(judgement.verdict, expected, "{answer:?}: {}", judgement.explanation);
        }
    }
}

const SOCIAL: &str = "Your task is to solve the Maximum Independent Set problem in the given social \
    network.\n- Users in the network: Al, Bo, Cy, Di, Saint-Fiacre  Marne, J. R. Brown.\n- Fiendship \
    connections: Al and Bo, Bo and Cy, Cy and Di, Di and J. R. Brown, Bo and Saint-Fiacre  Marne.\n\
    Identify the Maximum Independent Set of this network.";

#[test]
fn names_are_read_as_people_write_them() {
    let problem = parse_question(SOCIAL).unwrap();
    assert_eq!(problem.graph.n_nodes(), 6);
    let right = "[Al, Cy, Saint-Fiacre  Marne, J. R. Brown]";
    for (text, expected) in [
        (right, Correct),
        ("[al, cy, SAINT-FIACRE MARNE, j. r. brown]", Correct),
        ("['Al', \"Cy\", `Saint-Fiacre Marne`, 'J. R. Brown']", Correct),
        ("[Al,\n Cy,\n Saint-Fiacre Marne,\n J. R. Brown]", Correct),
        ("The set is [Al, Cy, Saint-Fiacre Marne, J. R. Brown], so its size is [4].", Correct),
        ("- Al\n- Cy\n- Saint-Fiacre Marne\n- J. R. Brown", Correct),
        ("1. Al\n2. Cy\n3. Saint-Fiacre Marne\n4. J. R. Brown", Correct),
        ("The largest independent set is: Al, Cy, Saint-Fiacre Marne and J. R. Brown.", Correct),
        // Of two lists the last counts.
        ("[Al, Bo] is not one; the answer is [Al, Cy, Saint-Fiacre Marne, J. R. Brown]", Correct),
        ("[Al, Cy, Saint-Fiacre Marne, J. R. Brown] … finally [Al, Bo]", Incorrect),
        ("[Al, Cy]", Partial),
        // Named twice, invented, joined.
        ("[Al, Al, Al, Al]", Incorrect),
        ("[Al, Cy, Saint-Fiacre Marne, Zed]", Incorrect),
        ("[Zed, Yan]", Incorrect),
        ("[]", Incorrect),
        ("I cannot tell.", NoAnswer),
        ("The set has 4 nodes.", NoAnswer),
    ] {
        let judgement = verify(&problem, text);
        assert_eq!(judgement.verdict, expected, "{text}: {}", judgement.explanation);
    }
    // An invented name is told as it is written, without the markup around it.
    for text in ["Zed? No: [Al, Cy, Zed McQueen]", "[**Al**, **Cy**, **Zed McQueen**]"] {
        let told = verify(&problem, text).explanation;
        assert!(told.contains("no node Zed McQueen"), "{text}: {told}");
    }
    let told = verify(&problem, "[Al, Cy, Al]").explanation;
    assert!(told.contains("Al comes twice"), "{told}");
}

#[test]
fn a_smaller_answer_tells_its_gap_and_shows_a_better_one() {
    let problem = parse_question(SOCIAL).unwrap();
    let judgement = verify(&problem, "[Al, Cy]");
    let lines: Vec<String> = judgement.certificate.lines.iter().map(|l| l.text.clone()).collect();
    assert!(
        lines.iter().any(|l| l.contains("4 nodes can be had: a gap of 2 nodes, 50 %")),
        "{lines:?}"
    );
    let better =
        judgement.certificate.marks.nodes.iter().filter(|m| m.kind == crate::MarkKind::Path);
    assert!(better.count() >= 2);
}

#[test]
fn questions_say_what_is_wrong_with_them() {
    let broken = SOCIAL.replace("Cy and Di", "Cy and Zed");
    let error = parse_question(&broken).unwrap_err().to_string();
    assert!(error.contains("Cy and Zed"), "{error}");
    let cut = &SOCIAL[..SOCIAL.find("Identify").unwrap()];
    assert!(parse_question(cut).is_err());
}

/// The benchmark's prompts have a worked example before the problem: the problem counts.
#[test]
fn an_example_before_the_problem_is_passed_over() {
    let (head, body) = SOCIAL.split_once("\n- ").unwrap();
    let example = "**Example 1**\n- Users in the network: Xi, Yo.\n- Fiendship connections: Xi and Yo.\n\
        Identify the Maximum Independent Set of this network.\nThe answer is [Xi].";
    let text = format!("{head}\n\n{example}\n\n**Problem to Solve**\n\n- {body}");
    assert_eq!(parse_question(&text).unwrap().graph, parse_question(SOCIAL).unwrap().graph);
    let problem = task(TaskId::Tour).generate(Difficulty::Easy, 2);
    let plain = problem.question(Wording::Benchmark, Style::ZeroShot);
    assert_eq!(plain.matches("**Problem to Solve**").count(), 1);
}
