//! Whether a question names what the model put into its graph.

use graph::{Graph, NodeName};
use llm::{Message, Role};
use trace::{StepBody, Trace};

/// Words that say what a name is of, and are no part of it.
const KINDS: [&str; 5] = ["node", "vertex", "point", "city", "station"];
/// Words of a question that describes a graph instead of listing it; its nodes may have any numbers up to
/// those in the question.
const SHAPES: [&str; 16] = [
    "node", "vert", "graph", "network", "cycle", "circle", "path", "grid", "tree", "clique",
    "star", "ring", "chain", "lattice", "cube", "complete",
];
const NUMBERS: [&str; 11] =
    ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
/// The most nodes of a described graph.
const MAX_DESCRIBED: i64 = 10_000;

/// The question and the replies: what a person wrote in a conversation. O(its length).
pub(super) fn written(trace: &Trace) -> String {
    let replies =
        trace.steps.iter().filter(|step| step.by_person).flat_map(|step| match &step.body {
            StepBody::Prompt { messages, .. } => messages.as_slice(),
            _ => &[],
        });
    let by_user = |message: &&Message| message.role == Role::User;
    let said = trace.prompt.iter().chain(replies).filter(by_user).map(|m| m.content.as_str());
    said.collect::<Vec<_>>().join("\n")
}

/// What a person names.
pub(super) struct Named {
    /// In lower case.
    text: String,
    words: Vec<String>,
    /// Words that begin with a capital letter, in lower case.
    proper: Vec<String>,
    /// The largest number of a node in a graph that is only described.
    most: Option<i64>,
}

impl Named {
    /// The names in a text. O(its length).
    pub(super) fn in_text(written: &str) -> Self {
        let text = written.to_lowercase();
        let words: Vec<String> = parts(&text).map(str::to_owned).collect();
        let is_proper = |word: &&str| word.starts_with(char::is_uppercase);
        let proper = parts(written).filter(is_proper).map(str::to_lowercase).collect();
        let is_described = words.iter().any(|word| SHAPES.iter().any(|shape| word.contains(shape)));
        let digits =
            text.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse::<i64>().ok());
        let spelt = words.iter().filter_map(|word| {
            let at = NUMBERS.iter().position(|number| number == word)?;
            Some(at as i64 + 2)
        });
        // A grid has as many nodes as its sides multiplied.
        let counts = digits.chain(spelt).filter(|n| (2..=MAX_DESCRIBED).contains(n));
        let most = counts.reduce(|a, b| a.saturating_mul(b).min(MAX_DESCRIBED));
        Self { text, words, proper, most: most.filter(|_| is_described) }
    }

    /// The nodes that a person never named, in the graph's order. O(nodes × words).
    pub(super) fn missing(&self, graph: &Graph) -> Vec<NodeName> {
        graph.names().filter(|name| !self.has(name)).cloned().collect()
    }

    fn has(&self, name: &NodeName) -> bool {
        if let Some(number) = name.as_int()
            && self.most.is_some_and(|most| (0..=most).contains(&number))
        {
            return true;
        }
        let name = name.to_string().to_lowercase();
        // Words are not apart in every script.
        let has_spaces = name.chars().all(|c| c < '\u{2E80}');
        if !has_spaces {
            return self.text.contains(&name);
        }
        let of_name: Vec<&str> = parts(&name).filter(|part| !KINDS.contains(part)).collect();
        let is_number = |part: &&&str| part.bytes().all(|b| b.is_ascii_digit());
        let (numbers, words): (Vec<&str>, Vec<&str>) = of_name.iter().partition(is_number);
        let has_numbers = numbers.iter().all(|number| self.has_word(number));
        let known = words.iter().filter(|word| self.has_word(word)).count();
        if of_name.is_empty() {
            return self.text.contains(&name);
        }
        has_numbers && (words.is_empty() || 2 * known >= words.len()) || self.has_short_form(&name)
    }

    /// Whether a word is there, in this form or with another ending.
    fn has_word(&self, word: &str) -> bool {
        let is_same = |other: &String| {
            let n = word.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
            let (longer, shorter) = (word.chars().count().max(other.chars().count()), n);
            word == other || shorter >= 3 && longer - shorter <= 3
        };
        let is_whole = word.bytes().all(|b| b.is_ascii_digit());
        self.words.iter().any(|other| if is_whole { other == word } else { is_same(other) })
    }

    /// Whether a name of up to three letters begins a proper name, or is made of their first letters.
    fn has_short_form(&self, name: &str) -> bool {
        let n = name.chars().count();
        let initials: String = self.proper.iter().filter_map(|word| word.chars().next()).collect();
        n <= 3
            && (self.proper.iter().any(|word| word.starts_with(name))
                || n > 1 && initials.contains(name))
    }
}

/// Words and numbers, apart where letters and digits meet.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
        let is_digit = rest.chars().next()?.is_ascii_digit();
        let is_other = |c: char| !c.is_alphanumeric() || c.is_ascii_digit() != is_digit;
        let (part, behind) = rest.split_at(rest.find(is_other).unwrap_or(rest.len()));
        rest = behind;
        Some(part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing(question: &str, nodes: &[&str]) -> Vec<String> {
        let named = Named::in_text(question);
        let node =
            |name: &&str| name.parse::<i64>().map_or_else(|_| (*name).into(), NodeName::from);
        let missing = nodes.iter().filter(|name| !named.has(&node(name)));
        missing.map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn names_are_found_in_other_forms() {
        for (question, nodes) in [
            ("Anna knows Ben, Ben knows Carla.", &["Anna", "ben", "Carla"][..]),
            ("The tests wait for the build, the docs for the design.", &["test", "build", "doc"]),
            ("Is there a path from node 0 to node 14?", &["0", "14", "node 0", "7"]),
            ("Basel-Olten 25 minutes, Olten-Zürich 33", &["Basel", "Olten", "Zürich"]),
            (
                "From New York to San Jose, and back to Rome",
                &["New York", "NY", "San José", "rome"],
            ),
            ("Anna knows Ben", &["A", "B"]),
            ("Draw a complete graph with five vertices", &["1", "2", "5", "0"]),
            ("A 3x4 grid", &["11", "12"]),
            ("小明认识小红", &["小明", "小红"]),
            ("Route R12 meets R7", &["R12", "R7", "12"]),
            ("task_a comes before task_b", &["task_a", "task_b", "a"]),
        ] {
            assert_eq!(missing(question, nodes), <[String; 0]>::default(), "{question}");
        }
    }

    #[test]
    fn what_nobody_named_is_made_up() {
        for (question, nodes) in [
            ("hello", &["18", "60"][..]),
            ("hi", &["18", "21"]),
            ("Who are you", &["0", "21", "Tom"]),
            ("Anna knows Ben", &["Carla", "18", "node 3"]),
            ("What is 7 times 8?", &["3", "5"]),
            ("Is there a path from node 3 to node 5?", &["90"]),
            ("小明认识小红", &["小刚"]),
        ] {
            assert_eq!(missing(question, nodes), nodes, "{question}");
        }
    }
}
