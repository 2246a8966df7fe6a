//! Edges that the model drew between things that the question names and never joins.
//!
//! Names that follow each other are taken as joined: "Anna knows Ben", "0-1", "12: 13, 14", "Anna, Ben and
//! Carla know Dan". This joins too much rather than too little, so that an edge is called made up only
//! where no reading of the question has it.

use std::collections::{BTreeMap, BTreeSet};

use graph::{Graph, NodeName};

/// Words that speak of edges which they do not list: then nothing is called made up.
const SWEEPING: [&str; 16] = [
    "each",
    "every",
    "everyone",
    "everybody",
    "all",
    "any",
    "anyone",
    "complete",
    "fully",
    "others",
    "another",
    "consecutive",
    "previous",
    "next",
    "row",
    "respectively",
];
/// Words that mean somebody of the sentence before; and those that do where they come early in theirs.
const PRONOUNS: [&str; 8] = ["he", "she", "it", "they", "him", "her", "them", "his"];
const POINTING: [&str; 6] = ["this", "that", "these", "those", "there", "both"];
const EARLY: usize = 3;
/// Words between the names of a list; and words that may follow a comma or an "and" in it.
const LISTING: [&str; 9] = ["and", "or", "node", "nodes", "the", "also", "finally", "a", "an"];
const LINKING: [&str; 14] = [
    "to", "from", "up", "by", "with", "on", "in", "at", "of", "between", "most", "least", "only",
    "both",
];
/// Words that say more of the name before them.
const RELATIVE: [&str; 6] = ["who", "which", "that", "whose", "where", "whom"];
/// Words before and behind a number that measures something and is no node.
const MEASURES: [&str; 12] = [
    "weight", "cost", "costs", "capacity", "distance", "length", "takes", "with", "for", "=", "of",
    "price",
];
const UNITS: [&str; 16] = [
    "km", "m", "min", "mins", "minute", "minutes", "hour", "hours", "h", "euro", "euros", "coins",
    "units", "unit", "seconds", "days",
];
/// The longest question that is looked at, in words and marks.
const MAX_TOKENS: usize = 50_000;

/// What lies between two names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    /// A comma or "and".
    Lists,
    /// Words that say how they belong together.
    Says,
    /// The end of a sentence, a line or a pair in brackets.
    Ends,
}

struct Mention {
    node: usize,
    /// What lies before it.
    gap: Gap,
    is_after_comma: bool,
    is_relative: bool,
    /// It is asked about.
    is_asked: bool,
    /// A line or an arrow alone stands before it, or the comma of `(0,1)`.
    is_drawn: bool,
}

/// The edges between nodes that a question names and never joins, in the graph's order. Whoever asks whether
/// two are joined does not say that they are.
/// O(length × names of a sentence).
pub(super) fn unsaid(question: &str, graph: &Graph) -> Vec<(NodeName, NodeName)> {
    let text = question.to_lowercase();
    let tokens = tokens(&text);
    if tokens.len() > MAX_TOKENS || tokens.iter().any(|token| SWEEPING.contains(token)) {
        return Vec::new();
    }
    let names: Vec<String> = graph.names().map(|name| name.to_string().to_lowercase()).collect();
    let asked = tasks::asked_parts(&text);
    // In the order of the text, and apart.
    let is_asked = |token: &str| {
        let at = token.as_ptr().addr() - text.as_ptr().addr();
        let behind = asked.partition_point(|part| part.start <= at);
        behind > 0 && at < asked[behind - 1].end
    };
    let mentions = mentions(&tokens, &names, is_asked);
    let mut joined = BTreeSet::new();
    for (i, first) in mentions.iter().enumerate() {
        let (mut n_said, mut is_drawn) = (0, true);
        for next in &mentions[i + 1..] {
            n_said += usize::from(next.gap == Gap::Says);
            if next.gap == Gap::Ends || n_said > 1 {
                break;
            }
            // "Can Emma reach Mia?" joins nothing, but "what is the way from 0 to 3 in 0-1, 1-3?" lists edges.
            is_drawn &= next.is_drawn;
            if is_drawn || !next.is_asked {
                joined.insert((first.node.min(next.node), first.node.max(next.node)));
            }
        }
    }
    let named: BTreeSet<usize> = mentions.iter().map(|mention| mention.node).collect();
    let places: BTreeMap<&NodeName, usize> = graph.names().zip(0..).collect();
    let place = |name: &NodeName| places.get(name).copied();
    let mut unsaid = Vec::new();
    for edge in graph.edges() {
        if let (Some(a), Some(b)) = (place(edge.source), place(edge.target))
            && a != b
            && named.contains(&a)
            && named.contains(&b)
            && !joined.contains(&(a.min(b), a.max(b)))
        {
            unsaid.push((edge.source.clone(), edge.target.clone()));
        }
    }
    unsaid
}

/// Words, numbers and marks, one each; a line break is a mark.
fn tokens(text: &str) -> Vec<&str> {
    let (mut tokens, mut rest) = (Vec::new(), text);
    while let Some(first) = rest.chars().next() {
        let behind = |is_part: fn(char) -> bool| rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let end = match first {
            c if c.is_ascii_digit() => behind(|c| c.is_ascii_digit()),
            c if c.is_alphanumeric() => behind(|c| c.is_alphanumeric() && !c.is_ascii_digit()),
            c => c.len_utf8(),
        };
        let (token, others) = rest.split_at(end);
        if token == "\n" || !token.trim().is_empty() {
            tokens.push(token);
        }
        rest = others;
    }
    tokens
}

/// Where nodes are named; of two names that begin alike the longer one counts.
fn mentions(tokens: &[&str], names: &[String], is_asked: impl Fn(&str) -> bool) -> Vec<Mention> {
    let mut by_first: BTreeMap<&str, Vec<(Vec<&str>, usize)>> = BTreeMap::new();
    for (node, name) in names.iter().enumerate() {
        let parts = self::tokens(name);
        if let Some(first) = parts.first().copied() {
            by_first.entry(first).or_default().push((parts, node));
        }
    }
    for of in by_first.values_mut() {
        of.sort_by_key(|(parts, _)| std::cmp::Reverse(parts.len()));
    }
    let (mut mentions, mut at, mut gap_start, mut is_open) = (Vec::new(), 0, 0, false);
    while at < tokens.len() {
        let of = by_first.get(tokens[at]).into_iter().flatten();
        let found = of.into_iter().find(|(parts, _)| tokens[at..].starts_with(parts));
        let Some((parts, node)) = found.filter(|(parts, _)| !measures(tokens, at, parts.len()))
        else {
            at += 1;
            continue;
        };
        let gap = &tokens[gap_start..at];
        mentions.push(Mention {
            node: *node,
            gap: gap_of(gap, &tokens[at..]),
            is_after_comma: gap.contains(&","),
            is_relative: gap.iter().any(|token| RELATIVE.contains(token)),
            is_asked: is_asked(tokens[at]),
            is_drawn: !gap.is_empty() && gap.iter().all(|token| "-–—→>".contains(*token))
                || is_open && gap == [","],
        });
        is_open = gap.last().is_some_and(|last| matches!(*last, "(" | "["));
        at += parts.len();
        gap_start = at;
    }
    // "Anna knows Ben, Carla knows Dan": the comma parts two pairs.
    for i in 2..mentions.len().saturating_sub(1) {
        let [before, here, behind] = [&mentions[i - 1], &mentions[i], &mentions[i + 1]];
        let says = before.gap == Gap::Says && behind.gap == Gap::Says && !behind.is_relative;
        if here.gap == Gap::Lists && here.is_after_comma && says {
            mentions[i].gap = Gap::Ends;
        }
    }
    mentions
}

/// Whether a number is a length or a price.
fn measures(tokens: &[&str], at: usize, n: usize) -> bool {
    tokens[at].starts_with(|c: char| c.is_ascii_digit())
        && (at.checked_sub(1).is_some_and(|before| MEASURES.contains(&tokens[before]))
            || tokens.get(at + n).is_some_and(|behind| UNITS.contains(behind)))
}

fn is_end(token: &&str) -> bool {
    matches!(*token, "\n" | "." | "?" | "!")
}

/// What some words between two names are; `behind` is what follows.
fn gap_of(gap: &[&str], behind: &[&str]) -> Gap {
    if let Some(end) = gap.iter().rposition(is_end) {
        let sentence = || gap[end + 1..].iter().chain(behind).take_while(|token| !is_end(token));
        let points_back = sentence().any(|token| PRONOUNS.contains(token))
            || sentence().take(EARLY).any(|token| POINTING.contains(token));
        return if points_back { Gap::Says } else { Gap::Ends };
    }
    let close = gap.iter().position(|token| matches!(*token, ")" | "]"));
    if close.is_some_and(|close| gap[close..].iter().any(|token| matches!(*token, "(" | "["))) {
        return Gap::Ends;
    }
    let leads = gap.first().is_some_and(|first| matches!(*first, "," | "and" | "or" | "&" | "("));
    let lists = |token: &&str| {
        LISTING.contains(token)
            || token.starts_with(|c: char| c.is_ascii_digit())
            || ",&|:\"'`*(){}[]".contains(*token)
            || leads && LINKING.contains(token)
    };
    if gap.iter().all(lists) { Gap::Lists } else { Gap::Says }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unsaid_of(question: &str, edges: &[(&str, &str)]) -> Vec<String> {
        let mut graph = Graph::undirected();
        for (a, b) in edges {
            graph.link(*a, *b).unwrap();
        }
        unsaid(question, &graph).iter().map(|(a, b)| format!("{a}-{b}")).collect()
    }

    #[test]
    fn an_edge_that_the_question_says_is_found_in_many_wordings() {
        for (question, edges) in [
            ("Anna knows Ben, Ben knows Carla.", &[("Anna", "Ben"), ("Ben", "Carla")][..]),
            ("Anna, Ben and Carla know Dan.", &[("Anna", "Dan"), ("Ben", "Dan"), ("Carla", "Dan")]),
            ("3: 4, 5\n4: 3", &[("3", "4"), ("3", "5")]),
            ("The edges are: (0,1) (1,2) (2,0).", &[("0", "1"), ("1", "2"), ("0", "2")]),
            (
                "Ulm-Aalen takes 40 minutes, Aalen-Crailsheim 25",
                &[("Ulm", "Aalen"), ("Aalen", "Crailsheim")],
            ),
            ("Anna knows Ben. He also knows Carla.", &[("Anna", "Ben"), ("Ben", "Carla")]),
            ("Anna's brother is Ben. Carla knows them.", &[("Anna", "Ben"), ("Ben", "Carla")]),
            ("From 2 with 3 km to 6, then on to 3", &[("2", "6"), ("6", "3")]),
            ("from;to;km\nUlm;Bonn;4\nBonn;Kiel;5", &[("Ulm", "Bonn"), ("Bonn", "Kiel")]),
            ("Everyone in the team knows everyone: Anna, Ben. Carla", &[("Anna", "Carla")]),
            ("Anna knows Ben. Is Anna a friend of Ben?", &[("Anna", "Ben")]),
            ("Given that Anna knows Ben, can Anna reach Carla?", &[("Anna", "Ben")]),
            ("Can Anna reach Carla if Anna knows Ben?", &[("Anna", "Ben")]),
            ("Wenn Anna Ben kennt, kann Anna dann Carla erreichen?", &[("Anna", "Ben")]),
            ("Anna knows Ben, Ben knows Carla; how can Anna reach Carla?", &[("Anna", "Ben")]),
            ("How can Anna reach Carla, Anna knows Ben, and Ben Carla?", &[("Anna", "Ben")]),
            ("What is the way from 0 to 3 in 0-1, 1-3?", &[("0", "1"), ("1", "3")]),
            ("Find the way from 0 to 3 in (0,1), (1,3).", &[("0", "1"), ("1", "3")]),
        ] {
            assert_eq!(unsaid_of(question, edges), <[String; 0]>::default(), "{question}");
        }
    }

    #[test]
    fn an_edge_that_no_reading_has_is_unsaid() {
        for (question, edges) in [
            (
                "Emma knows Noah, Noah knows Mia. Can Emma reach Mia?",
                [("Emma", "Noah"), ("Noah", "Mia"), ("Emma", "Mia")],
            ),
            ("1-3, 3-4, 7-2, 9-5: can you get from 3 to 9?", [("1", "3"), ("7", "2"), ("2", "9")]),
            ("The edges are: (0,1) (1,2) (2,3).", [("0", "1"), ("2", "3"), ("0", "3")]),
            (
                "Lund to Oslo, Oslo to Bergen",
                [("Lund", "Oslo"), ("Oslo", "Bergen"), ("Lund", "Bergen")],
            ),
            (
                "Kim likes jobs 4 and 5. Lee likes job 6.",
                [("Kim", "4"), ("Lee", "6"), ("Lee", "4")],
            ),
        ] {
            let [.., (a, b)] = edges;
            assert_eq!(unsaid_of(question, &edges), [format!("{a}-{b}")], "{question}");
        }
    }

    #[test]
    fn who_asks_whether_two_are_joined_says_no_edge() {
        for question in [
            "Is there a path between node 3 and node 7?",
            "Does 3 know 7?",
            "Are 7 and 3 connected?",
            "Find a path from 3 to 7.",
            "Tell me whether 3 and 7 are friends.",
            "I want to know how to get from 3 to 7.",
            "Is there a way, a short one, from 3 to 7?",
            "3 knows 5. Can 3 reach 7?",
            "If 3 knows 5, is there a way from 3 to 7?",
            "Gibt es einen Weg zwischen Knoten 3 und Knoten 7?",
        ] {
            assert_eq!(unsaid_of(question, &[("3", "7")]), ["3-7"], "{question}");
        }
        for said in ["3 knows 7.", "Node 3 and node 7 are friends.", "Is it far? 3-7", "3: 7"] {
            assert_eq!(unsaid_of(said, &[("3", "7")]), <[String; 0]>::default(), "{said}");
        }
    }

    #[test]
    fn no_edge_of_a_benchmark_s_question_is_unsaid() {
        use tasks::{Difficulty, Style, TaskId, Wording};
        for task in TaskId::ALL {
            for (level, seed) in Difficulty::ALL.into_iter().zip(0..) {
                let problem = tasks::task(task).generate(level, seed);
                let question = problem.question_alone(Wording::Improved, Style::ZeroShot);
                assert_eq!(unsaid(&question, &problem.graph), [], "{question}");
            }
        }
    }
}
