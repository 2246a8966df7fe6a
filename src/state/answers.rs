//! Answers with something false in them: the recorded ones, what kind of error they make, and what of
//! their text can be picked.

use std::collections::BTreeSet;

use draw::Marks;
use protocol::answers::CheckedAnswer;
use tasks::claims::{Claim, ClaimKind};
use tasks::{EvidenceMarks, Verdict};

use super::claimed::{self, TextSpan, stretches};
use super::marks;

/// What real models answered; `assets/answers/README.md` says how it was recorded.
pub static RECORDED: &str = include_str!("../../assets/answers/recorded.jsonl");

/// Files beside the page with more of them, plain or in gzip: logs, or runs files of `graphground bench`.
pub static BESIDE: &[&str] = &["assets/answers/qwen.jsonl", "assets/runs/example.jsonl.gz"];

/// How an answer goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hallucination {
    /// An edge or a node that the graph does not have.
    InventedEdge,
    /// A sum, a weight, a flow or a count that is another.
    WrongSum,
    /// Yes where it is no, or the other way round.
    WrongDecision,
    /// An order against an edge, or without a node.
    BrokenRule,
}

impl Hallucination {
    /// All kinds, in the order in which they are listed.
    pub const ALL: [Self; 4] =
        [Self::InventedEdge, Self::WrongSum, Self::WrongDecision, Self::BrokenRule];

    /// Its name in addresses.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InventedEdge => "invented_edge",
            Self::WrongSum => "wrong_sum",
            Self::WrongDecision => "wrong_decision",
            Self::BrokenRule => "broken_rule",
        }
    }

    /// Its name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::InventedEdge => "Invented edge",
            Self::WrongSum => "Wrong sum",
            Self::WrongDecision => "Wrong decision",
            Self::BrokenRule => "Broken rule",
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// Which error a claim is; none where it is true, or follows from an error that another claim is.
fn error_of(claim: &Claim, all: &[Claim]) -> Option<Hallucination> {
    if claim.is_true {
        return None;
    }
    Some(match claim.kind {
        // What is denied and is there draws nothing.
        ClaimKind::Edge if claim.marks.edges.is_empty() => Hallucination::WrongDecision,
        ClaimKind::Edge | ClaimKind::Path => Hallucination::InventedEdge,
        ClaimKind::Reach | ClaimKind::Cycle | ClaimKind::Whole | ClaimKind::Answer => {
            Hallucination::WrongDecision
        }
        ClaimKind::Order => Hallucination::BrokenRule,
        ClaimKind::Total => {
            // The total of a path with an invented edge is no sum that could be right.
            let path = claim.says.split(" totals ").next().unwrap_or_default();
            if all.iter().any(|c| c.kind == ClaimKind::Path && !c.is_true && c.says == path) {
                return None;
            }
            Hallucination::WrongSum
        }
        _ => Hallucination::WrongSum,
    })
}

/// The kinds of error that an answer makes.
pub fn error_kinds(claims: &[Claim]) -> BTreeSet<Hallucination> {
    claims.iter().filter_map(|claim| error_of(claim, claims)).collect()
}

/// What can be picked in a text: a claim, whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Pick {
    /// What it says, in few words.
    pub says: String,
    /// Whether it is false.
    pub is_false: bool,
    /// Why, or what the graph has.
    pub why: String,
    /// What of it to draw; of an answer as a whole, the evidence against it.
    pub marks: EvidenceMarks,
}

/// A stretch of a text that can be picked, or one between.
#[derive(Clone, Debug, PartialEq)]
pub struct TextPiece {
    /// The words as they stand in the text.
    pub text: String,
    /// What it claims, where it claims something.
    pub pick: Option<Pick>,
}

/// The pieces of an answer, together the whole of it: each claim is one. An answer that is wrong because of
/// a claim in its words is left to that claim.
pub fn pieces(answer: &CheckedAnswer) -> Vec<TextPiece> {
    let is_within = |claim: &Claim, of: &Claim| {
        claim.kind != ClaimKind::Answer && of.start <= claim.start && claim.end <= of.end
    };
    let has_cause = |of: &Claim| {
        of.kind == ClaimKind::Answer
            && answer.claims.iter().any(|claim| claim.is_true == of.is_true && is_within(claim, of))
    };
    let claims: Vec<Claim> = answer.claims.iter().filter(|c| !has_cause(c)).cloned().collect();
    let piece = |part: TextSpan| {
        let claim = part.claim.and_then(|at| claims.get(at));
        let pick = claim.map(|claim| Pick {
            says: claim.says.clone(),
            is_false: !claim.is_true,
            why: claim.why.clone(),
            marks: match claim.kind {
                ClaimKind::Answer if !claim.is_true => answer.judgement.certificate.marks.clone(),
                _ => claim.marks.clone(),
            },
        });
        TextPiece { text: part.text, pick }
    };
    stretches(&answer.text, &claims).into_iter().map(piece).collect()
}

/// The words of an answer that are false, one for each false claim, and why.
pub fn false_words(answer: &CheckedAnswer) -> Vec<(String, String)> {
    let wrong = answer.claims.iter().filter(|claim| error_of(claim, &answer.claims).is_some());
    wrong
        .map(|claim| {
            let words = answer.text.get(claim.start..claim.end).unwrap_or_default();
            (words.to_owned(), claim.why.clone())
        })
        .collect()
}

/// Who answered, and that it was recorded.
pub fn who_answered(answer: &CheckedAnswer) -> String {
    let model = match answer.model.trim() {
        "" => "A model that the log does not name",
        "local:own" => "our own small model",
        name => name,
    };
    match &answer.recorded {
        Some(day) => format!("{model}, without tools, recorded on {day}"),
        None => format!("{model}, from a log"),
    }
}

/// What an answer claims, on the drawing; what was wrong, where its claims draw nothing.
pub fn drawn(answer: &CheckedAnswer) -> Marks {
    let claims = claimed::marks(&answer.claims);
    let has_claims = !claims.nodes.is_empty() || !claims.edges.is_empty();
    let shown = if has_claims { &claims } else { &answer.judgement.certificate.marks };
    marks::of_certificate(shown, answer.judgement.verdict == Verdict::Correct)
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::BTreeMap;

    use protocol::problem::ProblemView;
    use tasks::dataset::{AnsweredProblem, RecordedAnswer, parse_answered};
    use tasks::{Problem, Style, TaskId, Wording, claims, task, verify};

    use super::*;

    /// What the engine makes of an answer.
    pub(crate) fn checked(answered: AnsweredProblem) -> CheckedAnswer {
        let AnsweredProblem { problem, question, text, model, recorded } = answered;
        let layout = draw::suited(&problem.graph);
        CheckedAnswer {
            model,
            recorded,
            judgement: verify(&problem, &text),
            claims: claims::find_with_answer(&problem, &text),
            text,
            problem: ProblemView {
                task: problem.task(),
                difficulty: problem.difficulty,
                seed: problem.seed,
                places: draw::layout(&problem.graph, layout, 1, &draw::Places::default()),
                layout,
                question,
                query: problem.query,
                graph: problem.graph,
            },
        }
    }

    /// An answer of somebody's to a problem.
    pub(crate) fn says(problem: Problem, text: &str) -> CheckedAnswer {
        let question = problem.question(Wording::Improved, Style::ZeroShot);
        let (text, model) = (text.to_owned(), "m".to_owned());
        checked(AnsweredProblem { problem, question, text, model, recorded: None })
    }

    /// The recorded answers with something false in them.
    pub(crate) fn recorded() -> Vec<CheckedAnswer> {
        let read = RECORDED.lines().map(|line| checked(parse_answered(line).unwrap()));
        read.filter(|answer| answer.claims.iter().any(|claim| !claim.is_true)).collect()
    }

    #[test]
    fn every_recorded_problem_is_what_its_seed_makes_and_is_judged_as_recorded() {
        let mut models: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let qwen = include_str!("../../assets/answers/qwen.jsonl");
        for (i, line) in RECORDED.lines().chain(qwen.lines()).enumerate() {
            let answer: RecordedAnswer = serde_json::from_str(line).unwrap();
            let place = format!("line {}", i + 1);
            let problem = answer.problem();
            let settings = &answer.settings;
            assert!(answer.task.difficulties().contains(&answer.difficulty), "{place}");
            assert_eq!(
                problem.question(settings.wording, settings.style),
                answer.question,
                "{place}"
            );
            assert_eq!(verify(&problem, &answer.answer).verdict, answer.verdict, "{place}");
            // Read as a line of any log, it is the same problem.
            assert_eq!(parse_answered(line).unwrap().problem, problem, "{place}");
            assert!(!systems::nlgraph::find(&settings.system).unwrap().has_tools, "{place}");
            let is_hash = answer.model_sha256.len() == 64
                && answer.model_sha256.bytes().all(|b| b.is_ascii_hexdigit());
            assert!(is_hash, "{place}: {:?}", answer.model_sha256);
            models.entry(answer.model).or_default().insert(answer.model_sha256);
        }
        assert!(!models.is_empty());
        assert!(models.values().all(|hashes| hashes.len() == 1), "{models:?}");
    }

    #[test]
    fn every_answer_that_is_shown_has_something_false_in_it_that_is_found() {
        let all = recorded();
        assert!(all.len() >= 20, "{}", all.len());
        for answer in &all {
            assert!(!error_kinds(&answer.claims).is_empty(), "{}", answer.text);
            let wrong = false_words(answer);
            assert!(!wrong.is_empty(), "{}", answer.text);
            assert!(wrong.iter().all(|(words, why)| !words.is_empty() && !why.is_empty()));
        }
        let tasks: BTreeSet<TaskId> = all.iter().map(|answer| answer.problem.task).collect();
        assert!(tasks.len() >= 4, "{tasks:?}");
    }

    #[test]
    fn the_pieces_are_the_whole_text_and_each_claim_is_one() {
        let problem = task(TaskId::Hamilton).generate(tasks::Difficulty::Easy, 1);
        let (u, v) = problem.missing_edge().unwrap();
        let w = problem.graph.names().find(|n| problem.graph.edge(&v, n).is_some()).unwrap();
        let text = format!("Yes, the path is: {u} -> {v} -> {w}. Good.");
        let answer = says(problem.clone(), &text);
        let cut = pieces(&answer);
        assert_eq!(cut.iter().map(|p| p.text.as_str()).collect::<String>(), text);
        let false_one = cut.iter().find(|p| p.pick.as_ref().is_some_and(|pick| pick.is_false));
        let false_one = false_one.unwrap();
        assert!(false_one.text.contains(&format!("{u} -> {v} -> {w}")), "{false_one:?}");
        let red = |pick: &Pick| {
            pick.marks.edges.iter().filter(|edge| edge.kind == tasks::MarkKind::False).count()
        };
        assert_eq!(red(false_one.pick.as_ref().unwrap()), 1);
        assert_eq!(error_kinds(&answer.claims), BTreeSet::from([Hallucination::InventedEdge]));
        for answer in recorded() {
            let whole: String = pieces(&answer).iter().map(|p| p.text.as_str()).collect();
            assert_eq!(whole, answer.text);
        }
    }

    #[test]
    fn a_path_that_ends_elsewhere_is_picked_as_the_answer_that_it_is() {
        let problem = task(TaskId::ShortestPath).generate(tasks::Difficulty::Easy, 3);
        let (from, to) = problem.query.ends().unwrap();
        let is_next = |n: &&graph::NodeName| *n != to && problem.graph.edge(from, n).is_some();
        let next = problem.graph.names().find(is_next).unwrap();
        let text = format!("The shortest path from node {from} to node {to} is {from},{next}.");
        let answer = says(problem.clone(), &text);
        let picks: Vec<Pick> = pieces(&answer).into_iter().filter_map(|p| p.pick).collect();
        assert!(picks.iter().any(|pick| pick.is_false), "{picks:?}");
    }

    #[test]
    fn a_total_of_a_path_that_is_not_there_is_no_error_of_its_own() {
        let problem = task(TaskId::ShortestPath).generate(tasks::Difficulty::Easy, 3);
        let (u, v) = problem.missing_edge().unwrap();
        let far = problem.graph.names().find(|n| **n != u && **n != v).unwrap().clone();
        let text = format!("The shortest path is {u},{v},{far} with a total weight of 1.");
        let kinds = error_kinds(&says(problem, &text).claims);
        assert_eq!(kinds, BTreeSet::from([Hallucination::InventedEdge]));
    }

    #[test]
    fn each_kind_has_a_name_of_its_own() {
        for kind in Hallucination::ALL {
            assert_eq!(Hallucination::from_name(kind.as_str()), Some(kind));
        }
        let problem = task(TaskId::Cycle).generate(tasks::Difficulty::Easy, 3);
        let text = if tasks::reference_text(&problem, &tasks::solve(&problem)).contains("no cycle")
        {
            "There is a cycle in this graph."
        } else {
            "There is no cycle in this graph."
        };
        let kinds = error_kinds(&says(problem, text).claims);
        assert_eq!(kinds, BTreeSet::from([Hallucination::WrongDecision]));
    }
}
