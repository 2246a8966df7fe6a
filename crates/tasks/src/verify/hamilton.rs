//! Hamilton path: the decision, and the path, which is asked for.

use graph::{Graph, NodeName};
use serde::{Deserialize, Serialize};

use super::order::{Announced, is_beginning, list, list_alone, read_visits};
use super::{listing_fault, walk};
use crate::definition::Asked;
use crate::judgement::{Evidence, MarkKind};
use crate::oracle::{self, Hamilton};
use crate::reading::Phrases;
use crate::reading::ReadingRule;
use crate::reading::{Decision, Said, leads, marked, muses};
use crate::reading::{Reading, Sentence};
use crate::{Judgement, Verdict, Whole, YesOrNo};

/// A path through all nodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Whether there is one; `None` where that is not said in words, or not decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exists: Option<bool>,
    /// The nodes in the order in which they are visited.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<NodeName>,
}

impl Answer {
    /// Whether it comes to a yes: in words, or with a path.
    pub(crate) fn says_yes(&self) -> bool {
        self.exists.unwrap_or(!self.path.is_empty())
    }
}

static BY: Phrases = Phrases::of(
    "path, answer, order, sequence, visits every node, visit every node, solution, following, \
     hamiltonian",
);

static NO: Phrases = Phrases::of(
    "cannot find a path, could not find a path, unable to find a path, there is no path, \
     there is not a path, no such path, no hamiltonian path, no hamilton path, \
     it is not possible, not possible to visit, is impossible, impossible to visit, \
     does not exist, there does not exist, no path that visits, no path in this graph, \
     not have a hamiltonian path, not admit a hamiltonian path, there isn't a path, \
     no valid path, cannot visit every node, cannot be visited exactly once, there is no way",
);

static YES: Phrases = Phrases::of(
    "there is a path, there exists a path, there is a hamiltonian path, such a path exists, \
     a path exists, has a hamiltonian path, there is at least one path, \
     contains a hamiltonian path, it is possible to visit",
);

/// Whoever says what the path is says that there is one.
const SUPPOSED: [&str; 4] = [
    "the path that visits every node exactly once is",
    "the path that visits all nodes exactly once is",
    "the path that visits all the nodes exactly once is",
    "the hamiltonian path is",
];

pub(crate) fn read(problem: Asked<'_, Whole>, reading: &Reading) -> Option<Answer> {
    let n = problem.graph.n_nodes();
    if reading.lists_alone {
        let exists = reading.sentences.first().and_then(|sentence| leads(reading, sentence));
        let exists = exists.map(|said| said.yes);
        let path = list_alone(reading, n).filter(|_| exists != Some(false)).unwrap_or_default();
        let path: Vec<NodeName> = path.into_iter().map(NodeName::Int).collect();
        return (exists.is_some() || !path.is_empty()).then_some(Answer { exists, path });
    }
    let about_all = |sentence: &Sentence| {
        sentence.has_any(&["every node", "all nodes", "all the nodes", "exactly once"])
    };
    let asks = |sentence: &Sentence| {
        let path = sentence.has_any(&["path", "hamiltonian", "hamilton", "visits", "visit"]);
        let step = sentence.has_any(&["from node", "between node", "edge"]);
        about_all(sentence) || path && !step
    };
    let decision = Decision::hear(reading, asks, |_, sentence, replies| {
        // "there is no path from node 3 to node 5" is about a step.
        let step = |words: &[&'static str]| sentence.has_any(words) && !about_all(sentence);
        let said = leads(reading, sentence).filter(|_| replies);
        let said = said.or_else(|| {
            if muses(sentence) {
                return None;
            }
            if let Some(words) = sentence.find(&NO) {
                let is_step = step(&["from node", "between node", "to node"]);
                return (!is_step).then(|| Said::new(false, "no path", words));
            }
            if let Some(words) = sentence.find(&YES)
                && !step(&["from node", "between node"])
            {
                return Some(Said::new(true, "a path", words));
            }
            let words =
                sentence.find(&SUPPOSED).filter(|_| !sentence.has_any(&["not", "impossible"]))?;
            Some(Said::new(true, "a path that is", words))
        });
        Some((said?, true))
    });
    let exists = decision.conclude(reading);
    let (mut path, mut rule) = list(reading, &Announced { by: &BY, full: n });
    let told = read_visits(reading);
    // A walk told to its end beats a list that says it again and was cut off.
    if path.is_empty() && told.len() >= n || is_beginning(reading, &rule, &path, &told) {
        path = told;
        rule = ReadingRule::witness("told visits", None);
    }
    if exists == Some(false) {
        path.clear();
    }
    if exists.is_none() && path.is_empty() {
        return None;
    }
    if !path.is_empty() {
        reading.fire(rule);
    }
    Some(Answer { exists, path: path.into_iter().map(NodeName::Int).collect() })
}

pub(crate) fn judge(
    problem: Asked<'_, Whole>,
    answer: &Answer,
    mut evidence: Evidence,
) -> Judgement {
    let Answer { exists, path } = answer;
    let graph = problem.graph;
    if path.is_empty() {
        let Some(claim) = *exists else {
            return Judgement::no_answer("There is neither a path nor a decision.");
        };
        return decision_only(problem.graph, claim, evidence, true);
    }
    let mut fault = listing_fault(graph, path, &mut evidence);
    if walk(graph, path, false, &mut evidence).is_none() {
        fault.get_or_insert_with(|| {
            let step = path.windows(2).find(|s| graph.edge(&s[0], &s[1]).is_none());
            match step {
                Some([a, b]) => format!("nodes {a} and {b} are not joined"),
                _ => "an edge is missing".into(),
            }
        });
    }
    let Some(fault) = fault else {
        let text = "Right: the path visits every node once along edges of the graph.";
        return Judgement::new(Verdict::Correct, evidence, text);
    };
    // Whoever gives a path says that there is one.
    let truth = exists != &Some(false) && matches!(oracle::hamilton(graph), Hamilton::Path(_));
    if truth {
        let text = format_args!("There is such a path, but the one given is not one: {fault}.");
        return Judgement::new(Verdict::Partial, evidence, text);
    }
    let text = format_args!("The path is not one: {fault}.");
    Judgement::new(Verdict::Incorrect, evidence, text)
}

/// As [`read`], where a yes or no is asked for: what stands behind `###` comes first.
pub(crate) fn read_decision(problem: Asked<'_, YesOrNo>, reading: &Reading) -> Option<Answer> {
    let answer = read(Asked { graph: problem.graph, query: &Whole }, reading);
    let Some(yes) = marked(reading, |_| None) else { return answer };
    let path = answer.filter(|_| yes).map(|answer| answer.path).unwrap_or_default();
    Some(Answer { exists: Some(yes), path })
}

/// As [`judge`], where a yes or no is asked for: a path is checked where one is shown.
pub(crate) fn judge_decision(
    problem: Asked<'_, YesOrNo>,
    answer: &Answer,
    evidence: Evidence,
) -> Judgement {
    match answer.exists {
        Some(claim) if answer.path.is_empty() => {
            decision_only(problem.graph, claim, evidence, false)
        }
        _ => judge(Asked { graph: problem.graph, query: &Whole }, answer, evidence),
    }
}

/// A yes or no without a path, which may have been asked for.
fn decision_only(graph: &Graph, claim: bool, mut evidence: Evidence, asks_path: bool) -> Judgement {
    let (verdict, text) = match (oracle::hamilton(graph), claim) {
        (Hamilton::Path(path), _) => {
            evidence.check(claim, format_args!("a path: {}", crate::names::join(&path, " - ")));
            for step in path.windows(2) {
                evidence.edge(&step[0], &step[1], MarkKind::Path, None);
            }
            if claim && !asks_path {
                (Verdict::Correct, "Right: there is such a path.".to_owned())
            } else if claim {
                (
                    Verdict::Partial,
                    "There is such a path, as it says, but the path that was asked for is missing."
                        .to_owned(),
                )
            } else {
                (
                    Verdict::Incorrect,
                    "It says that there is no such path, but there is one.".to_owned(),
                )
            }
        }
        (Hamilton::None(reason), _) => {
            evidence.check(!claim, reason.as_str());
            let verdict = if claim { Verdict::Incorrect } else { Verdict::Correct };
            let word = if claim { "Wrong" } else { "Right" };
            (verdict, format!("{word}: there is no path that visits every node once."))
        }
        (Hamilton::Unknown, _) => {
            evidence.note("the search for a path gave up before it knew");
            let verdict = if asks_path { Verdict::Incorrect } else { Verdict::Partial };
            (verdict, "Without a path nothing shows that this is right.".to_owned())
        }
    };
    Judgement::new(verdict, evidence, text)
}
