//! Which template a text was made of, and what it is about: what a script knows in place of a model.

use super::say::{About, item, load, silent};
use super::{LOAD, TEMPLATES, Template};
use crate::toolformer::hubs::{datasets, tasks};
use crate::toolformer::toolx::graphs;
use crate::toolformer::tree::Bracket;

/// The longest text that is looked at, in bytes.
const MAX_TEXT: usize = 400;

/// A text that was made of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recognised {
    /// The id of the template.
    pub template: &'static str,
    /// The statement with its calls.
    pub output: String,
}

/// Reads a question or a statement with `[TBR]` back. Of several templates that it fits, the one with
/// the most words of its own is taken.
pub fn recognise(input: &str) -> Option<Recognised> {
    let input = input.trim();
    if input.len() > MAX_TEXT {
        return None;
    }
    let mut best: Option<(usize, Recognised)> = None;
    for template in TEMPLATES {
        let first = template.statements.first().copied().unwrap_or_default();
        let statements = template.statements.iter().map(|s| (silent(s).0.replace("[GL] ", ""), *s));
        let questions = template.questions.iter().map(|q| ((*q).to_owned(), first));
        for (pattern, statement) in statements.chain(questions) {
            let mut found = Vec::new();
            if !fits(&pattern, input, true, &mut found) {
                continue;
            }
            let own = pattern.len() - found.iter().map(|(slot, _)| slot.len()).sum::<usize>();
            if best.as_ref().is_none_or(|(most, _)| own > *most)
                && let Some(output) = output(template, statement, &found)
            {
                best = Some((own, Recognised { template: template.id, output }));
            }
        }
    }
    best.map(|(_, recognised)| recognised)
}

type Slot<'p, 't> = (&'p str, &'t str);

/// Whether a text is a pattern with something in its slots; these in `found`.
fn fits<'p, 't>(
    pattern: &'p str,
    text: &'t str,
    is_start: bool,
    found: &mut Vec<Slot<'p, 't>>,
) -> bool {
    let at = pattern.find('{').unwrap_or(pattern.len());
    let (words, rest) = pattern.split_at(at);
    let Some(text) = after(words, text, is_start) else { return false };
    let Some(end) = rest.find('}') else { return rest.is_empty() && text.is_empty() };
    let (slot, rest) = rest.split_at(end + 1);
    let next = &rest[..rest.find('{').unwrap_or(rest.len())];
    let is_last = rest.is_empty();
    for (i, c) in text.char_indices() {
        let upto = i + c.len_utf8();
        // The words that follow are looked at first, because that takes no search in lists.
        let goes_on =
            text[upto..].starts_with(next) && (!next.is_empty() || is_last == (upto == text.len()));
        if !goes_on || !may_be(slot, &text[..upto]) {
            continue;
        }
        found.push((slot, &text[..upto]));
        if fits(rest, &text[upto..], false, found) {
            return true;
        }
        found.pop();
    }
    false
}

/// The text after these words; a sentence begins with a capital letter.
fn after<'t>(words: &str, text: &'t str, is_start: bool) -> Option<&'t str> {
    if let Some(rest) = text.strip_prefix(words) {
        return Some(rest);
    }
    let mut chars = words.chars();
    let first: String = chars.next().filter(|_| is_start)?.to_uppercase().collect();
    text.strip_prefix(&first)?.strip_prefix(chars.as_str())
}

fn may_be(slot: &str, text: &str) -> bool {
    match slot {
        "{k}" => text.len() <= 6 && text.chars().all(|c| c.is_ascii_digit()),
        "{item}" => ["item", "artist", "movie"].contains(&text),
        "{data}" => dataset(text).is_some(),
        "{graph}" => graph(text).is_some() || dataset(text).is_some(),
        "{it}" => graph(text).is_some() || text.strip_suffix(" data").is_some_and(is_dataset),
        _ => !text.contains(|c: char| c.is_whitespace() || ",)]}{([\"“”?".contains(c)),
    }
}

fn is_dataset(text: &str) -> bool {
    dataset(text).is_some()
}

/// A dataset by its name in sentences; one that nobody lists is called by one word.
fn dataset(text: &str) -> Option<(String, String)> {
    let listed = datasets::DATASETS.iter().find(|d| d.title.eq_ignore_ascii_case(text));
    if let Some(listed) = listed.or_else(|| datasets::find(text)) {
        return Some((listed.id.to_owned(), listed.title.to_owned()));
    }
    let is_word = !text.is_empty()
        && text.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
        && graph(text).is_none();
    is_word.then(|| (text.to_lowercase(), text.to_owned()))
}

/// A graph of `gpr` by its name in sentences, `bull graph`.
fn graph(text: &str) -> Option<&'static str> {
    let name = text.to_lowercase().replace(' ', "_");
    graphs::GRAPHS.iter().find(|g| g.name == name).map(|g| g.name)
}

fn output(template: &Template, statement: &str, found: &[Slot<'_, '_>]) -> Option<String> {
    let of = |slot: &str| found.iter().find(|(s, _)| *s == slot).map(|(_, text)| *text);
    let named = of("{graph}").or_else(|| of("{it}"));
    let member = named.and_then(graph);
    let (dataset, title) = match (member, named.or_else(|| of("{data}"))) {
        (Some(_), _) => dataset("gpr")?,
        (None, name) => dataset(name.map(|n| n.strip_suffix(" data").unwrap_or(n))?)?,
    };
    if template.function == LOAD {
        let call = Bracket { calls: vec![load(&dataset, member)], tag: None }.to_string();
        let it = of("{it}")?;
        return Some(statement.replace("[GL]", &call).replace("{it}", it));
    }
    let (task, function) = tasks::function(template.function)?;
    if of("{item}").is_some_and(|told| told != item(&dataset)) {
        return None;
    }
    let asked = asked(function.name, task.model);
    let pick = |(slot, kind): &(&'static str, &'static str)| {
        of(slot).map(|id| (*slot, *kind, id.to_owned()))
    };
    let picked: Vec<_> = asked.iter().filter_map(pick).collect();
    let arguments: Vec<_> = picked.iter().map(|(_, kind, id)| (*kind, id.clone())).collect();
    let words: Vec<_> = picked.into_iter().map(|(slot, _, id)| (slot, id)).collect();
    let about = About {
        dataset: &dataset,
        title: &title,
        task,
        function,
        graph: member,
        arguments: &arguments,
        words: &words,
    };
    Some(about.output(statement)?.0)
}

/// The slots of a function in the order of its arguments, with what they are.
fn asked(function: &str, model: &str) -> &'static [(&'static str, &'static str)] {
    match (function, model) {
        ("topic", _) => &[("{a}", "paper")],
        ("molecule_function", _) => &[("{a}", "instance")],
        ("recommendation", _) => &[("{a}", "user"), ("{b}", "item")],
        ("topk_recommendation", _) => &[("{a}", "user"), ("{k}", "")],
        ("relation", _) => &[("{a}", "entity"), ("{b}", "entity")],
        ("head_entity", _) => &[("{r}", "relation"), ("{b}", "entity")],
        ("tail_entity", _) => &[("{a}", "entity"), ("{r}", "relation")],
        (_, "toolx") => &[("{a}", "node"), ("{b}", "node")],
        _ => &[("{a}", "user"), ("{b}", "user")],
    }
}
