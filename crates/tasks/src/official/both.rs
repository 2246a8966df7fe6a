//! An answer by both rules: the benchmark's own script, and ours.

use graph::{Graph, NodeName};

use super::arena::{self, ArenaClass, ArenaProblem, ArenaTask};
use super::gracore;
use super::instruct::{self, InstructOutcome, InstructProblem, InstructTask};
use super::nlgraph;
use super::wiz::{self, WizTask};
use crate::graph_arena::part;
use crate::verify::judged;
use crate::{Problem, Query, TaskGroup, TaskId, Verdict, reference_text, solve};

/// What both rules say of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct BothRules {
    /// Whose script it is.
    pub benchmark: TaskGroup,
    /// What the script says, as a verdict of ours: its classes correct, suboptimal, hallucinatory and
    /// missing are `Correct`, `Partial`, `Incorrect` and `NoAnswer`. `None` for an answer that is in none
    /// of its classes, or at which the script ends in an error.
    pub official: Option<Verdict>,
    /// The part of the script that decided.
    pub cause: &'static str,
    /// What our rule says.
    pub fair: Verdict,
}

impl BothRules {
    /// Whether both rules say the same. A script that knows only right and wrong agrees with every
    /// verdict but `Correct` when it says wrong.
    pub fn agree(&self) -> bool {
        match (self.benchmark, self.official) {
            (TaskGroup::GraphArena, official) => official == Some(self.fair),
            (_, official) => {
                (official == Some(Verdict::Correct)) == (self.fair == Verdict::Correct)
            }
        }
    }

    /// What the script says, in a sentence.
    pub fn sentence(&self) -> String {
        let says = match (self.benchmark, self.official) {
            (TaskGroup::GraphArena, Some(Verdict::Correct)) => "correct",
            (TaskGroup::GraphArena, Some(Verdict::Partial)) => "suboptimal",
            (TaskGroup::GraphArena, Some(Verdict::Incorrect)) => "hallucinatory",
            (TaskGroup::GraphArena, Some(Verdict::NoAnswer)) => "missing",
            (_, Some(Verdict::Correct)) => "right",
            (_, Some(_)) => "wrong",
            (TaskGroup::GraphArena, None) => "in none of its classes",
            (_, None) => "nothing and ends in an error",
        };
        let differs = if self.agree() { "" } else { ", other than here" };
        // GraCoRe published none; its paper says what the rule is.
        let whose = if self.benchmark == TaskGroup::GraCoRe { "rule" } else { "own script" };
        format!("{}'s {whose} says {says}{differs}: {}", self.benchmark.title(), self.cause)
    }
}

/// The largest graph that a script is asked about: ten times the largest of the benchmarks.
const MOST_NODES: usize = 1_000;

/// Judges an answer by the script of its benchmark and by our rule; `None` where the graph has more than
/// 1,000 nodes, which no benchmark has, and where the benchmark's script
/// cannot decide: NLGraph's on a graph whose nodes are not called `0`, `1`, …, or GraphArena's where two
/// molecules cannot be told apart in a bounded search.
///
/// The script needs a reference: it is our optimum, scored by the script itself.
///
/// # Complexity
/// That of solving the problem and of judging the answer.
pub fn both_rules(problem: &Problem, text: &str) -> Option<BothRules> {
    both_rules_beside(problem, text, judged(problem, text).verdict)
}

/// The same for an answer that is judged already.
///
/// # Complexity
/// That of solving the problem.
pub fn both_rules_beside(problem: &Problem, text: &str, fair: Verdict) -> Option<BothRules> {
    if problem.graph.n_nodes() > MOST_NODES {
        return None;
    }
    let (official, cause) = official(problem, text)?;
    Some(BothRules { benchmark: problem.task().group(), official, cause, fair })
}

/// What the benchmark's script says, and the part of it that decided.
pub(crate) fn official(problem: &Problem, text: &str) -> Option<(Option<Verdict>, &'static str)> {
    // Not every script needs a reference.
    let best = || reference_text(problem, &solve(problem));
    match problem.task().group() {
        TaskGroup::NlGraph => {
            let score = nlgraph::score(problem, text)?;
            let verdict = if score.correct { Verdict::Correct } else { Verdict::Incorrect };
            Some((Some(verdict), score.cause))
        }
        TaskGroup::GraphWiz => {
            let task = match problem.task() {
                TaskId::Triplet => WizTask::Triplet,
                TaskId::Substructure => WizTask::Substructure,
                TaskId::Hamiltonian => WizTask::Hamilton,
                _ => WizTask::Bipartite,
            };
            let score = wiz::score(task, &best(), text);
            let verdict = if score.correct { Verdict::Correct } else { Verdict::Incorrect };
            Some((Some(verdict), score.cause))
        }
        TaskGroup::GraphInstruct => {
            let traversal = |task, start: &NodeName| (task, format!("Start from node {start},"));
            let (task, question) = match &problem.query {
                Query::BfsOrder(query) => traversal(InstructTask::Bfs, &query.start),
                Query::DfsOrder(query) => traversal(InstructTask::Dfs, &query.start),
                _ => (InstructTask::Cycle, String::new()),
            };
            let best = best();
            let (question, answer) = (question.as_str(), best.trim_matches(['<', '>']));
            let asked = InstructProblem { task, graph: &problem.graph, question, answer };
            let score = instruct::score(&asked, text);
            let verdict = match score.outcome {
                InstructOutcome::Right => Some(Verdict::Correct),
                InstructOutcome::Wrong => Some(Verdict::Incorrect),
                InstructOutcome::Stops => None,
            };
            Some((verdict, score.cause))
        }
        TaskGroup::GraCoRe => {
            let is_right = gracore::score(&best(), text);
            let verdict = if is_right { Verdict::Correct } else { Verdict::Incorrect };
            Some((Some(verdict), "exact match of the whole text"))
        }
        TaskGroup::GraphArena => {
            let mut asked = Asked::of(problem)?;
            let reference = arena::score(&asked.problem(None), &best()).ok()?.value;
            asked.reference = Some(reference);
            let score = arena::score(&asked.problem(asked.reference), text).ok()?;
            let verdict = |class| match class {
                ArenaClass::Correct => Verdict::Correct,
                ArenaClass::Suboptimal => Verdict::Partial,
                ArenaClass::Hallucinatory => Verdict::Incorrect,
                ArenaClass::Missing => Verdict::NoAnswer,
            };
            Some((score.table.map(verdict), score.cause))
        }
    }
}

/// The value of an answer by GraphArena's script, at least 0 if it is feasible.
pub(crate) fn value_of(problem: &Problem, text: &str) -> Option<f64> {
    let score = arena::score(&Asked::of(problem)?.problem(None), text).ok()?;
    Some(score.value)
}

/// A problem as GraphArena's script has it: two molecules are two graphs with numbered atoms.
struct Asked<'p> {
    task: ArenaTask,
    whole: &'p Graph,
    molecules: Option<[Graph; 2]>,
    ends: Option<(&'p NodeName, &'p NodeName)>,
    labels: [Vec<String>; 2],
    reference: Option<f64>,
}

impl<'p> Asked<'p> {
    fn of(problem: &'p Problem) -> Option<Self> {
        let task = ArenaTask::from_name(problem.task().as_str())?;
        let whole = &problem.graph;
        let two = |n, m| [numbered(&part(whole, 'a', n)), numbered(&part(whole, 'b', m))];
        let (molecules, labels) = match &problem.query {
            Query::CommonSubgraph(sizes) => {
                (Some(two(sizes.n_first, sizes.n_second)), [vec![], vec![]])
            }
            Query::EditDistance(atoms) => (
                Some(two(atoms.first.len(), atoms.second.len())),
                [atoms.first.clone(), atoms.second.clone()],
            ),
            _ => (None, [vec![], vec![]]),
        };
        let ends = problem.query.ends();
        Some(Self { task, whole, molecules, ends, labels, reference: None })
    }

    fn problem(&self, reference: Option<f64>) -> ArenaProblem<'_> {
        let molecules = self.molecules.as_ref();
        ArenaProblem {
            task: self.task,
            graph: molecules.map_or(self.whole, |two| &two[0]),
            ends: self.ends,
            second: molecules.map(|two| &two[1]),
            labels: self.labels.clone(),
            reference,
        }
    }
}

/// The same graph with its nodes called 0, 1, … in order.
fn numbered(part: &Graph) -> Graph {
    let mut out = Graph::undirected();
    let number = |name: &NodeName| name.to_string().get(1..).and_then(|n| n.parse::<usize>().ok());
    for i in 0..part.n_nodes() {
        // Small and well formed, so neither this nor the next can fail.
        let _ = out.ensure_node(i);
    }
    for edge in part.edges() {
        if let (Some(a), Some(b)) = (number(edge.source), number(edge.target)) {
            let _ = out.link(a, b);
        }
    }
    out
}

/// An answer that is not read from a text needs no script.
pub(crate) fn remark(problem: &Problem, text: &str, fair: Verdict) -> Option<String> {
    Some(both_rules_beside(problem, text, fair)?.sentence())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Difficulty, parse_question, task};

    #[test]
    fn our_own_solutions_are_right_by_both_rules() {
        for group in TaskGroup::ALL {
            for id in group.tasks() {
                for seed in 0..20 {
                    if id == TaskId::Hamilton {
                        // The script drops a number that ends the text, and so the end of this path.
                        continue;
                    }
                    let problem = task(id).generate(Difficulty::Easy, seed);
                    let answer = solve(&problem);
                    let both = both_rules(&problem, &reference_text(&problem, &answer)).unwrap();
                    assert_eq!(both.official, Some(Verdict::Correct), "{id} {seed}: {both:?}");
                    assert!(both.agree(), "{id} {seed}: {}", both.sentence());
                }
            }
        }
        let nlgraph = task(TaskId::Hamilton).generate(Difficulty::Easy, 1);
        let own = reference_text(&nlgraph, &solve(&nlgraph));
        assert_eq!(both_rules(&nlgraph, &own).unwrap().official, Some(Verdict::Incorrect));
        let own = format!("{own}.");
        assert_eq!(both_rules(&nlgraph, &own).unwrap().official, Some(Verdict::Correct));
    }

    #[test]
    fn no_script_is_asked_about_a_graph_larger_than_any_benchmarks() {
        let ring = |n: usize| {
            let mut graph = Graph::undirected();
            for i in 0..n {
                graph.link(i, (i + 1) % n).unwrap();
            }
            Problem { graph, query: Query::Cycle(crate::Whole), difficulty: None, seed: None }
        };
        let both = |n| both_rules(&ring(n), "There is a cycle.");
        assert_eq!(both(MOST_NODES).unwrap().official, Some(Verdict::Correct));
        assert_eq!(both(MOST_NODES + 1), None);
    }

    /// The faults of the script, as an answer by both rules.
    #[test]
    fn the_scripts_faults_show_as_differences() {
        let social = "Your task is to solve the Maximum Independent Set problem in the given social \
            network.\n- Users in the network: Al, Bo, Cy, Di, Saint-Fiacre  Marne.\n- Fiendship \
            connections: Al and Bo, Bo and Cy, Cy and Di, Bo and Saint-Fiacre  Marne.\nIdentify the \
            Maximum Independent Set of this network.";
        let problem = parse_question(social).unwrap();
        use Verdict::{Correct, Incorrect, NoAnswer, Partial};
        for (text, official, fair) in [
            ("[Al, Cy, Saint-Fiacre  Marne]", Some(Correct), Correct),
            // F1: a name that it does not know is dropped.
            ("[Al, Cy, Saint-Fiacre  Marne, Zed]", Some(Correct), Incorrect),
            // F2: a name that is repeated counts each time.
            ("[Al, Al, Al]", Some(Correct), Incorrect),
            // F4, F5: one blank for two, another case, quotes.
            ("[Al, Cy, Saint-Fiacre Marne]", Some(Partial), Correct),
            ("[al, cy, saint-fiacre  marne]", None, Correct),
            // F5: a list on several lines.
            ("[Al,\nCy,\nSaint-Fiacre  Marne]", Some(NoAnswer), Correct),
            ("[Al, Bo]", Some(Incorrect), Incorrect),
            ("[Al, Cy]", Some(Partial), Partial),
        ] {
            let both = both_rules(&problem, text).unwrap();
            assert_eq!((both.official, both.fair), (official, fair), "{text}: {}", both.sentence());
            let same = official == Some(fair);
            assert_eq!(both.agree(), same);
            assert_eq!(both.sentence().contains("other than here"), !same);
        }
    }
}
