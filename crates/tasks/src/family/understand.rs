//! What a request speaks of, read back out of its words: paths through the graph, and which tool's
//! frame it is in. This is what a script understands that plays a model.

use std::collections::BTreeSet;

use super::parameters::parameter;
use super::relations::{RELATIONS, relation};
use super::tools::{ToolTemplate, templates};

/// A thing that a request speaks of as somebody's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spoken {
    /// Where its words begin and end, in bytes.
    pub at: (usize, usize),
    /// The relations from the speaker to it.
    pub path: Vec<String>,
    /// Whether it stands at the beginning of a sentence that says something of somebody.
    pub is_chatter: bool,
}

/// Words for a relation: nouns, and paraphrases as what stands before and behind the owner.
struct Lexicon<'a> {
    nouns: Vec<(String, &'a str)>,
    around: Vec<(&'static str, &'static str, &'a str)>,
}

impl<'a> Lexicon<'a> {
    fn new(relations: &BTreeSet<&'a str>) -> Self {
        let (mut nouns, mut around) = (Vec::new(), Vec::new());
        for name in relations {
            let noun = name.replace('_', " ");
            if let Some(known) = relation(name) {
                nouns.push((known.synonym.to_owned(), *name));
                let (before, behind) = known.paraphrase.split_once("{p}").unwrap_or_default();
                around.push((before, behind, *name));
            }
            nouns.push((noun, *name));
        }
        // The longest first, so that "dinner slot" is no "dinner".
        nouns.sort_by_key(|(noun, _)| std::cmp::Reverse(noun.len()));
        around.sort_by_key(|(before, behind, _)| std::cmp::Reverse(before.len() + behind.len()));
        Self { nouns, around }
    }

    /// The relation whose noun a text begins with, and how long the noun is.
    fn noun(&self, text: &str) -> Option<(usize, &'a str)> {
        let is_end = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric());
        let fits = |noun: &str| {
            text.get(..noun.len()).is_some_and(|t| t.eq_ignore_ascii_case(noun))
                && is_end(&text[noun.len()..])
        };
        self.nouns.iter().find(|(noun, _)| fits(noun)).map(|(noun, name)| (noun.len(), *name))
    }
}

/// Finds what a request speaks of, for a graph that has these relations.
///
/// # Complexity
/// O(words × relations).
pub fn spoken_of(query: &str, relations: &BTreeSet<&str>) -> Vec<Spoken> {
    let lexicon = Lexicon::new(relations);
    let mut all = Vec::new();
    let mut from = 0;
    while let Some(found) = find_my(&query[from..]) {
        let begin = from + found;
        let mut at = begin + "my ".len();
        let mut path: Vec<String> = Vec::new();
        while let Some((length, name)) = lexicon.noun(&query[at..]) {
            path.push(name.to_owned());
            at += length;
            match query[at..].strip_prefix("'s ") {
                Some(_) => at += "'s ".len(),
                None => break,
            }
        }
        from = at;
        if path.is_empty() {
            continue;
        }
        // A name that was not understood leaves what was understood before it.
        let end = query[..at].trim_end_matches("'s ").len();
        let (mut start, mut end) = (begin, end);
        let paraphrase = lexicon.around.iter().find(|(before, behind, _)| {
            query[..start].ends_with(before) && query[end..].starts_with(behind)
        });
        if let Some((before, behind, name)) = paraphrase {
            path.push((*name).to_owned());
            (start, end) = (start - before.len(), end + behind.len());
            from = end;
        }
        let is_chatter = query[begin..].starts_with("My ")
            && [" says", " is ", " has "].iter().any(|verb| query[end..].starts_with(verb));
        all.push(Spoken { at: (start, end), path, is_chatter });
    }
    all
}

/// Where the next word "my" is.
fn find_my(text: &str) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from
            + [text[from..].find("my "), text[from..].find("My ")].into_iter().flatten().min()?;
        if !text[..at].ends_with(|c: char| c.is_alphanumeric()) {
            return Some(at);
        }
        from = at + 1;
    }
}

/// Which of these tools a request asks for in its frame, and what it says in place of each parameter.
/// The frame may stand behind something else; of several the most words decide.
pub fn framed<'q>(
    query: &'q str,
    tools: &[&str],
) -> Option<(ToolTemplate, Vec<(&'static str, &'q str)>)> {
    let fitting = templates().into_iter().filter(|t| tools.contains(&t.name));
    let read = fitting.filter_map(|t| fill(query, t.frame).map(|said| (t, said)));
    read.max_by_key(|(t, _)| t.frame.split(['{', '}']).step_by(2).map(str::len).sum::<usize>())
}

/// What stands in place of each slot of a frame at the end of a query. Where a word of the frame
/// stands in a slot too, the split counts in which every slot is a value that requests give, or is
/// somebody's; a person who types may give other values, so that any split counts after those.
fn fill<'q>(query: &'q str, frame: &'static str) -> Option<Vec<(&'static str, &'q str)>> {
    let parts: Vec<&'static str> = frame.split(['{', '}']).collect();
    let (first, rest) = parts.split_first()?;
    let starts: Vec<&'q str> = query
        .match_indices(first)
        .filter(|(i, _)| *i == 0 || query[..*i].ends_with(". "))
        .map(|(i, _)| &query[i + first.len()..])
        .collect();
    [true, false]
        .iter()
        .find_map(|is_strict| starts.iter().find_map(|text| split(text, rest, *is_strict)))
}

/// `parts` are a slot's name and the words behind it, again and again.
fn split<'q>(
    text: &'q str,
    parts: &[&'static str],
    is_strict: bool,
) -> Option<Vec<(&'static str, &'q str)>> {
    let [slot, words, rest @ ..] = parts else {
        return text.is_empty().then(Vec::new);
    };
    let is_value = |said: &str| {
        let literals = parameter(slot).map_or(&[][..], |p| p.literals);
        !is_strict || literals.contains(&said) || is_understood(said)
    };
    let ends: Vec<usize> = if rest.is_empty() {
        text.strip_suffix(words).map(str::len).into_iter().collect()
    } else {
        text.match_indices(words).map(|(i, _)| i).collect()
    };
    ends.into_iter().filter(|end| *end > 0 && is_value(&text[..*end])).find_map(|end| {
        let mut said = split(&text[end + words.len()..], rest, is_strict)?;
        said.insert(0, (*slot, &text[..end]));
        Some(said)
    })
}

/// Whether words are somebody's thing from beginning to end, in the words of our own relations.
fn is_understood(said: &str) -> bool {
    let ours: BTreeSet<&str> = RELATIONS.iter().map(|r| r.name).collect();
    matches!(&spoken_of(said, &ours)[..], [spoken] if spoken.at == (0, said.len()))
}

#[cfg(test)]
mod tests {
    use super::super::{Recipe, generate};
    use super::*;

    #[test]
    fn every_generated_request_is_understood() {
        let benchmark = generate(Recipe { is_opaque: false, ..Recipe::full(11) }).unwrap();
        let mut faults = Vec::new();
        for sample in &benchmark.samples {
            let family = benchmark.family(sample).unwrap();
            let paths: Vec<Vec<String>> = spoken_of(&sample.query, &family.relations())
                .into_iter()
                .filter(|s| !s.is_chatter)
                .map(|s| s.path)
                .collect();
            let mut want: Vec<Vec<String>> =
                sample.searches.iter().chain(&sample.lacks).map(|s| s.path.clone()).collect();
            want.sort();
            let mut got = paths.clone();
            got.sort();
            if got != want {
                faults.push(format!("{:?}: {got:?}, not {want:?}", sample.query));
            }
            let names: Vec<&str> = sample.candidates.iter().map(String::as_str).collect();
            let tool = framed(&sample.query, &names).map(|(t, _)| t.name);
            if let Some(call) = &sample.call
                && tool != Some(call.name.as_str())
            {
                faults.push(format!("{:?}: {tool:?}, not {:?}", sample.query, call.name));
            }
        }
        assert!(faults.is_empty(), "{} of {}: {faults:#?}", faults.len(), benchmark.samples.len());
    }

    #[test]
    fn odd_requests_are_no_panic() {
        let relations = BTreeSet::from(["mother"]);
        for text in ["my", "my ", "My mother's ", "é my mother's é", "army mother", ""] {
            let _ = spoken_of(text, &relations);
            let _ = framed(text, &["set_alarm"]);
        }
        assert_eq!(spoken_of("Ask my mother's nurse.", &relations)[0].path, ["mother"]);
    }
}
