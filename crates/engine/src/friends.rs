//! Who knows whom, as somebody types it, with a question: a problem in the benchmark's words,
//! which every model reads.

use graph::{Delta, Graph, NodeName};
use protocol::exact::Exact;
use protocol::problem::{AskAboutPeople, ProblemView, facts_and_question};
use tasks::{Ends, Problem, Query, Style, Whole, Wording};

use crate::context::{Context, Ended};
use crate::problems::view;

/// The most letters that are read.
const MAX_TEXT: usize = 4_000;
/// The most people.
const MAX_PEOPLE: usize = 60;

/// Words of a question for the fewest steps, for a ring, and for a row of all.
const SHORTEST: &[&str] = &["shortest", "quickest", "fastest", "fewest", "how many steps"];
const RING: &[&str] = &["circle", "ring", "loop", "cycle", "round"];
const ROW: &[&str] = &["exactly once", "in a row", "everybody once", "everyone once", "visit all"];

/// The graph of a text: of the ways to cut it into sentences, the one that finds most.
fn read(facts: &str) -> Option<Graph> {
    let cut =
        |at: &[&str]| at.iter().fold(facts.to_owned(), |text, mark| text.replace(mark, ".\n"));
    let ways = [facts.to_owned(), cut(&[", and ", ", "]), cut(&[", and ", ", ", " and "])];
    let graphs =
        ways.iter().filter_map(|text| Some(graph::formats::open(text.trim()).ok()?.1.graph));
    // The first of those that find as much.
    graphs.fold(None, |best: Option<Graph>, next| match best {
        Some(best) if best.n_edges() >= next.n_edges() => Some(best),
        _ => Some(next),
    })
}

/// A friendship goes both ways.
fn mutual(read: &Graph) -> Graph {
    let mut graph = Graph::undirected();
    for name in read.names() {
        let _ = graph.apply(&Delta::AddNode { node: name.clone() });
    }
    for edge in read.edges() {
        let (source, target) = (edge.source.clone(), edge.target.clone());
        // Said from both sides it is one edge.
        let _ = graph.apply(&Delta::AddEdge { source, target, weight: None, capacity: None });
    }
    graph
}

/// The people that a question names, in the order in which it does.
fn named(graph: &Graph, question: &str) -> Vec<NodeName> {
    let question = question.to_lowercase();
    let mut found: Vec<(usize, usize, NodeName)> = Vec::new();
    for name in graph.names() {
        let text = name.to_string().to_lowercase();
        let is_word = |at: usize| {
            let outside = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
            outside(question[..at].chars().next_back())
                && outside(question[at + text.len()..].chars().next())
        };
        let at = question.match_indices(&text).map(|(at, _)| at).find(|at| is_word(*at));
        found.extend(at.map(|at| (at, text.len(), name.clone())));
    }
    found.sort();
    found.into_iter().map(|(_, _, name)| name).collect()
}

fn problem(text: &str) -> Result<Problem, String> {
    if text.len() > MAX_TEXT {
        return Err(format!("This is {} letters; {MAX_TEXT} are read.", text.len()));
    }
    let (facts, question) = facts_and_question(text);
    let how = "Write who knows whom, such as “Emma knows Noah. Noah knows Mia.”";
    let graph = read(&facts).map(|read| mutual(&read)).filter(|graph| graph.n_edges() > 0);
    let graph = graph.ok_or_else(|| format!("Nobody knows anybody in this text yet. {how}"))?;
    if graph.n_nodes() > MAX_PEOPLE {
        return Err(format!("These are {} people; at most {MAX_PEOPLE} fit.", graph.n_nodes()));
    }
    let question = question.ok_or_else(|| {
        "There is no question yet. End with one, such as “Can Emma reach Mia?”".to_owned()
    })?;
    let lower = question.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let people = named(&graph, &question);
    let query = match people.as_slice() {
        [source, target, ..] => {
            let ends = Ends { source: source.clone(), target: target.clone() };
            if has(SHORTEST) { Query::ShortestPath(ends) } else { Query::Connectivity(ends) }
        }
        _ if has(ROW) => Query::Hamilton(Whole),
        _ if has(RING) => Query::Cycle(Whole),
        _ => {
            let names: Vec<String> = graph.names().take(12).map(ToString::to_string).collect();
            return Err(format!(
                "“{question}” names {} of {}. Ask with two of them, such as “Can {} reach {}?”",
                people.first().map_or_else(|| "none".to_owned(), |name| format!("only {name}")),
                names.join(", "),
                names[0],
                names[names.len() - 1]
            ));
        }
    };
    Ok(Problem { difficulty: None, seed: None, graph, query })
}

pub(crate) async fn ask(_: &Context, ask: AskAboutPeople) -> Result<Exact<ProblemView>, Ended> {
    let problem = problem(&ask.text)?;
    Ok(Exact(view(problem, Wording::Improved, Style::ZeroShot)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(text: &str) -> Vec<String> {
        let problem = problem(text).unwrap();
        problem.graph.edges().map(|e| format!("{}-{}", e.source, e.target)).collect()
    }

    #[test]
    fn people_are_read_as_they_are_written() {
        let expected = ["Emma-Noah", "Noah-Mia"];
        for text in [
            "Emma knows Noah, Noah knows Mia. Can Emma reach Mia?",
            "Emma knows Noah. Noah knows Mia. Can Emma reach Mia?",
            "Emma knows Noah and Noah knows Mia. Can Emma reach Mia?",
            "Can Emma reach Mia?\nEmma Noah\nNoah Mia",
            "Emma - Noah\nNoah - Mia\nCan Emma reach Mia?",
            "Emma knows Noah. Noah knows Mia and Emma. Can Emma reach Mia?",
        ] {
            assert_eq!(edges(text), expected, "{text}");
        }
        assert_eq!(edges("Emma knows Noah, Mia and Ben. Is Ben near Mia?").len(), 3);
    }

    #[test]
    fn the_question_says_what_is_asked() {
        let task = |question: &str| {
            let text = format!("Émile knows Zoë. Zoë knows Åsa. {question}");
            problem(&text).unwrap().query.task().as_str()
        };
        assert_eq!(task("Can Émile reach Åsa?"), "connectivity");
        assert_eq!(task("What is the shortest chain from Åsa to Émile?"), "shortest_path");
        assert_eq!(task("Is there a circle of friends?"), "cycle");
        assert_eq!(task("Can they sit in a row beside friends only?"), "hamilton");
    }

    #[test]
    fn what_is_missing_is_said() {
        let why = |text: &str| problem(text).unwrap_err();
        assert!(why("").contains("Nobody knows anybody"));
        assert!(why("Emma knows Noah.").contains("There is no question yet"));
        let error = why("Emma knows Noah. Can Emma reach Lea?");
        assert!(error.contains("names only Emma of Emma, Noah"), "{error}");
        assert!(why(&"a".repeat(5000)).contains("4000 are read"));
    }
}
