//! Answers with something false in them: the recorded ones, what kind of error they make, and what of
//! their text can be picked.

use std::collections::BTreeSet;

use draw::Marks;
use protocol::answers::CheckedAnswer;
use tasks::claims::{Claim, ClaimKind};
use tasks::{EdgeMark, MarkKind, Verdict};

use super::claimed::{self, stretches};
use super::marks;

/// What real models answered; `assets/answers/README.md` says how it was recorded.
pub static RECORDED: &str = include_str!("../../assets/answers/recorded.jsonl");

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

/// What can be picked in a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Pick {
    /// The claim, by its number in the list.
    pub claim: usize,
    /// What it says, in few words.
    pub says: String,
    /// Whether it is false.
    pub is_false: bool,
    /// Why, or what the graph has.
    pub why: String,
}

/// A stretch of a text that can be picked, or one between.
#[derive(Clone, Debug, PartialEq)]
pub struct TextPiece {
    /// The words as they stand in the text.
    pub text: String,
    /// What it claims, where it claims something.
    pub pick: Option<Pick>,
}

impl TextPiece {
    fn plain(text: &str) -> Self {
        Self { text: text.to_owned(), pick: None }
    }
}

/// The pieces of an answer, together the whole of it: each claim is one, and each step of a path.
pub fn pieces(answer: &CheckedAnswer) -> Vec<TextPiece> {
    let mut pieces = Vec::new();
    for part in stretches(&answer.text, &answer.claims) {
        let claim = part.claim.and_then(|at| Some((at, answer.claims.get(at)?)));
        match claim {
            None => pieces.push(TextPiece::plain(&part.text)),
            Some((at, claim)) => match steps(&part.text, at, claim, answer) {
                Some(steps) => pieces.extend(steps),
                None => pieces.push(TextPiece {
                    text: part.text,
                    pick: Some(Pick {
                        claim: at,
                        says: claim.says.clone(),
                        is_false: !claim.is_true,
                        why: claim.why.clone(),
                    }),
                }),
            },
        }
    }
    pieces
}

/// The places of a path's nodes in its words: start and end of each name, one behind the other.
fn places(text: &str, names: &[String]) -> Option<Vec<(usize, usize)>> {
    let is_part = |c: char| c.is_alphanumeric();
    let mut at = 0;
    let mut places = Vec::new();
    for name in names {
        let rest = text.get(at..)?;
        let found = rest.match_indices(name.as_str()).find(|(i, _)| {
            let before = rest[..*i].chars().next_back();
            let after = rest[i + name.len()..].chars().next();
            !before.is_some_and(is_part) && !after.is_some_and(is_part)
        })?;
        let start = at + found.0;
        at = start + name.len();
        places.push((start, at));
    }
    Some(places)
}

/// The words of a path, cut into its steps: each is picked at the node to which it leads.
fn steps(text: &str, at: usize, claim: &Claim, answer: &CheckedAnswer) -> Option<Vec<TextPiece>> {
    let edges = &claim.marks.edges;
    if claim.kind != ClaimKind::Path || edges.len() < 2 {
        return None;
    }
    let first = edges.first().map(|edge| edge.source.to_string());
    let names: Vec<String> =
        first.into_iter().chain(edges.iter().map(|edge| edge.target.to_string())).collect();
    let places = places(text, &names)?;
    let is_directed = answer.problem.graph.is_directed();
    let mut out = Vec::new();
    let mut done = 0;
    for (place, edge) in places.iter().skip(1).zip(edges) {
        let between = text.get(done..place.0)?;
        if !between.is_empty() {
            out.push(TextPiece::plain(between));
        }
        out.push(TextPiece {
            text: text.get(place.0..place.1)?.to_owned(),
            pick: Some(step(at, edge, is_directed)),
        });
        done = place.1;
    }
    let rest = text.get(done..)?;
    if !rest.is_empty() {
        out.push(TextPiece::plain(rest));
    }
    Some(out)
}

fn step(claim: usize, edge: &EdgeMark, is_directed: bool) -> Pick {
    let EdgeMark { source, target, kind, .. } = edge;
    let is_false = *kind == MarkKind::False;
    let ends = if is_directed {
        format!("from {source} to {target}")
    } else {
        format!("between {source} and {target}")
    };
    let there = if is_false { "there is no edge" } else { "there is an edge" };
    Pick {
        claim,
        says: format!("step {source}-{target}"),
        is_false,
        why: format!("{there} {ends}"),
    }
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
            claims: claims::find(&problem, &text),
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
        for (i, line) in RECORDED.lines().enumerate() {
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
    fn the_pieces_are_the_whole_text_and_tell_which_step_is_false() {
        let problem = task(TaskId::Hamilton).generate(tasks::Difficulty::Easy, 1);
        let (u, v) = problem.missing_edge().unwrap();
        let w = problem.graph.names().find(|n| problem.graph.edge(&v, n).is_some()).unwrap();
        let text = format!("Yes, the path is: {u} -> {v} -> {w}. Good.");
        let w = w.to_string();
        let answer = says(problem, &text);
        let cut = pieces(&answer);
        assert_eq!(cut.iter().map(|p| p.text.as_str()).collect::<String>(), text);
        let picks: Vec<(&str, bool)> =
            cut.iter().filter_map(|p| Some((p.text.as_str(), p.pick.as_ref()?.is_false))).collect();
        assert_eq!(picks, [(v.to_string().as_str(), true), (w.as_str(), false)]);
        assert_eq!(error_kinds(&answer.claims), BTreeSet::from([Hallucination::InventedEdge]));
        for answer in recorded() {
            let whole: String = pieces(&answer).iter().map(|p| p.text.as_str()).collect();
            assert_eq!(whole, answer.text);
        }
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
