//! The forms in which models of today wrap an answer: thoughts in tags, JSON, tables.
//!
//! Each is written out as the plain lines that say the same, and the rest of the reader knows of
//! none of them.

use std::ops::Range;

use serde_json::{Map, Value};

use super::lexicon::Phrases;
use super::origin::{Draft, Writer};

/// The marks between which reasoning models think.
const THOUGHTS: [(&str, &str); 12] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<thoughts>", "</thoughts>"),
    ("<reasoning>", "</reasoning>"),
    ("<reflection>", "</reflection>"),
    ("<analysis>", "</analysis>"),
    ("<scratchpad>", "</scratchpad>"),
    ("[think]", "[/think]"),
    ("◁think▷", "◁/think▷"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|channel|>analysis<|message|>", "<|end|>"),
];

/// What stands around the answer itself, and is no word of it.
const AROUND: [&str; 9] = [
    "<|start|>assistant",
    "<|channel|>final<|message|>",
    "<|return|>",
    "<|end|>",
    "<|begin_of_solution|>",
    "<|end_of_solution|>",
    "<|im_end|>",
    "<|eot_id|>",
    "</s>",
];

/// Leaves out what a reasoning model thinks aloud: it is not its answer. Gives whether the text breaks off
/// in the middle of a thought, and nothing was said before.
///
/// Thoughts that are closed and have nothing behind them are kept, since they are all that was
/// said. Thoughts that are never closed were cut off: the model had not come to an answer.
pub(crate) fn leave_thoughts(draft: &mut Draft<'_>) -> bool {
    if !may_have_marks(&draft.text) {
        return false;
    }
    // Lower case of ASCII letters alone keeps every place.
    let lower = draft.text.to_ascii_lowercase();
    let (ranges, unclosed) = marked_thoughts(&lower);
    if ranges.is_empty() && !lower.contains("<|") {
        return false;
    }
    let mut said = draft.clone();
    said.rewrite(|writer| {
        for range in ranges {
            writer.copy_to(range.start);
            writer.put(range.end, "");
        }
        writer.copy_rest();
    });
    said.replace(&AROUND.map(|mark| (mark, "\n")));
    let only_thinks = said.text.trim().is_empty() && unclosed;
    if only_thinks {
        said.rewrite(|_| {});
    }
    if only_thinks || !said.text.trim().is_empty() {
        *draft = said;
    }
    only_thinks
}

/// Most texts have none of the letters with which the marks of thoughts begin.
fn may_have_marks(text: &str) -> bool {
    text.contains(['<', '◁']) || text.contains("[/") || text.contains("[T") || text.contains("[t")
}

/// The thoughts of a text in lower case with their marks, and whether the last was never closed.
fn marked_thoughts(lower: &str) -> (Vec<Range<usize>>, bool) {
    // Every mark in its place: whether it opens, and of which kind it is.
    let mut marks: Vec<(usize, usize, bool, usize)> = Vec::new();
    for (kind, (open, close)) in THOUGHTS.iter().enumerate() {
        marks.extend(lower.match_indices(open).map(|(at, mark)| (at, mark.len(), true, kind)));
        marks.extend(lower.match_indices(close).map(|(at, mark)| (at, mark.len(), false, kind)));
    }
    marks.sort_unstable();
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut inside: Option<(usize, usize)> = None;
    for (at, length, opens, kind) in marks {
        match inside {
            Some((open, _)) if opens || open != kind => {}
            Some((_, start)) => {
                ranges.push(start..at + length);
                inside = None;
            }
            None if opens => inside = Some((kind, at)),
            // It ends every message of its protocol.
            None if THOUGHTS[kind].1 == "<|end|>" => {}
            // The prompt opened the thoughts: all up to here were some.
            None => {
                ranges.clear();
                ranges.push(0..at + length);
            }
        }
    }
    if let Some((_, start)) = inside {
        ranges.push(start..lower.len());
    }
    (ranges, inside.is_some())
}

/// Writes tagged answers, JSON objects and tables as plain lines.
pub(crate) fn write_plainly(draft: &mut Draft<'_>) {
    // Somebody may put a whole block on one line.
    let text = draft.text.trim();
    if text.contains("```") && (!text.starts_with("```") || text.contains('\n')) {
        draft.rewrite(write_blocks);
    }
    if draft.text.contains("answer>") {
        let (open, close) = ("\nfinal answer: ", "\n");
        draft.replace(&[
            ("<answer>", open),
            ("</answer>", close),
            ("<final_answer>", open),
            ("</final_answer>", close),
        ]);
    }
    if draft.text.contains('{') {
        draft.rewrite(write_objects);
    }
    if draft.text.contains('|') {
        draft.rewrite(super::tables::write_tables);
    }
}

/// What a line says that announces the steps of a method.
static PLANS: Phrases = Phrases::of(
    "step-by-step, step by step, these steps, following steps, algorithm:, approach:, method:",
);

/// What a step of a plan does not say: then the steps come to a result.
static RESULTS: Phrases = Phrases::of("therefore, thus, hence, answer is, we get, we find");

/// The lines of a plan before a program that breaks off: steps in general words, which nobody took.
fn plan(text: &str) -> Option<Range<usize>> {
    let mut is_inside = false;
    let (mut at, mut program) = (0, None);
    for line in text.split_inclusive('\n') {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            is_inside = !is_inside;
            let is_program = PROGRAMS.contains(&language.trim().to_ascii_lowercase().as_str());
            program = (is_inside && is_program).then_some(at);
        }
        at += line.len();
    }
    let before = &text[..program?];
    let mut start = 0;
    for line in before.split_inclusive('\n') {
        let lower = line.trim_end().to_ascii_lowercase();
        if lower.ends_with(':') && PLANS.iter().any(|words| lower.contains(words)) {
            let steps = before[start + line.len()..].to_ascii_lowercase();
            let is_plan = steps.trim_start().starts_with(['1', '-', '*'])
                && !RESULTS.iter().any(|words| steps.contains(words));
            // What the line says before that stays.
            let last = line.trim_end().rfind(['.', '!', '?']).map_or(0, |end| end + 1);
            return is_plan.then_some(start + last..before.len());
        }
        start += line.len();
    }
    None
}

/// Blocks of code: what names the language of one is no word of the answer, and a program that nobody ran
/// gives none, whether or not its block is closed. Neither does the plan of one that breaks off.
fn write_blocks(writer: &mut Writer<'_>) {
    let plan = plan(writer.source);
    let (mut is_inside, mut is_program) = (false, false);
    for line in writer.source.split_inclusive('\n') {
        let end = writer.at + line.len();
        if let Some(language) = line.trim_start().strip_prefix("```") {
            is_inside = !is_inside;
            let language = language.trim().to_ascii_lowercase();
            is_program = is_inside && PROGRAMS.contains(&language.as_str());
            writer.put(end, "\n");
        } else if is_program {
            writer.put(end, "");
        } else if let Some(plan) = plan.as_ref().filter(|plan| plan.start < end && end <= plan.end)
        {
            writer.copy_to(plan.start.max(writer.at));
            writer.put(end, "");
        } else {
            writer.copy_to(end);
        }
    }
}

/// Leaves nothing but the programs.
pub(super) fn keep_programs(writer: &mut Writer<'_>) {
    let (mut is_inside, mut is_program) = (false, false);
    for line in writer.source.split_inclusive('\n') {
        let end = writer.at + line.len();
        if let Some(language) = line.trim_start().strip_prefix("```") {
            is_inside = !is_inside;
            let language = language.trim().to_ascii_lowercase();
            is_program = is_inside && PROGRAMS.contains(&language.as_str());
            writer.put(end, "");
        } else if is_program {
            writer.copy_to(end);
        } else {
            writer.put(end, "");
        }
    }
}

/// Languages whose blocks are programs.
static PROGRAMS: Phrases = Phrases::of(
    "python, python3, py, c, cpp, c++, csharp, c#, java, javascript, js, typescript, rust, go, \
     sql, bash",
);

/// How many opening braces that begin no JSON are tried: some texts have a brace in each line.
const MAX_TRIES: usize = 64;

/// Keys of what leads to an answer, which is read before it wherever it stands.
static REASONS: Phrases = Phrases::of(
    "reasoning, reason, explanation, rationale, justification, thought, thoughts, thinking, \
     analysis, steps, work, note, notes, comment, proof",
);

/// Keys of what counts in the end.
static CONCLUSIONS: Phrases =
    Phrases::of("answer, final, result, conclusion, decision, verdict, solution, output, response");

/// The JSON objects of a text as lines `key: value`.
fn write_objects(writer: &mut Writer<'_>) {
    let text = writer.source;
    let (mut search, mut tries) = (0, 0);
    while tries < MAX_TRIES
        && let Some(at) = text[search..].find('{').map(|at| at + search)
    {
        let mut values = serde_json::Deserializer::from_str(&text[at..]).into_iter();
        match values.next() {
            Some(Ok(Value::Object(object))) if !object.is_empty() => {
                writer.copy_to(at);
                let mut lines = String::from("\n");
                // One of a list is a row of it.
                if text[..at].trim_end().ends_with(['[', ',']) {
                    write_item(&object, &mut lines);
                } else {
                    write_object("", &object, &mut lines);
                }
                search = at + values.byte_offset();
                writer.put(search, &lines);
            }
            _ => {
                tries += 1;
                search = at + 1;
            }
        }
    }
    writer.copy_rest();
}

/// `hasCycle` and `has_cycle` as words.
fn spell_key(key: &str) -> String {
    let mut words = String::with_capacity(key.len() + 4);
    let mut lower = false;
    for c in key.chars() {
        if lower && c.is_uppercase() {
            words.push(' ');
        }
        lower = c.is_lowercase();
        match c {
            '_' | '-' => words.push(' '),
            _ => words.extend(c.to_lowercase()),
        }
    }
    words
}

fn rank(key: &str) -> usize {
    let has = |list: &[&str]| key.split(' ').any(|word| list.contains(&word));
    match (has(&REASONS), has(&CONCLUSIONS)) {
        (true, _) => 0,
        (_, true) => 2,
        _ => 1,
    }
}

fn write_object(label: &str, object: &Map<String, Value>, out: &mut String) {
    if let Some(line) = edge_line(object) {
        out.push_str(&line);
        out.push('\n');
        return;
    }
    // A question that is said again is no new one.
    let is_question = |key: &str| matches!(key, "question" | "problem" | "prompt" | "query" | "q");
    let mut entries: Vec<(String, &Value)> = object
        .iter()
        .map(|(key, value)| (spell_key(key), value))
        .filter(|(key, _)| !is_question(key))
        .collect();
    // Keys that are numbers in their order, whatever order the object keeps.
    entries.sort_by(|a, b| {
        let number = |key: &str| key.parse::<u64>().unwrap_or(u64::MAX);
        (rank(&a.0), number(&a.0)).cmp(&(rank(&b.0), number(&b.0))).then_with(|| a.0.cmp(&b.0))
    });
    for (key, value) in entries {
        // A name of what is listed is told once, before its entries.
        let numbered = key.starts_with(|c: char| c.is_ascii_digit());
        let full = match (label, numbered) {
            ("", _) | (_, true) => key,
            _ if rank(label) == 2 => key,
            _ => format!("{label} {key}"),
        };
        write_value(&full, value, out);
    }
}

fn write_value(label: &str, value: &Value, out: &mut String) {
    match value {
        Value::Null => {}
        Value::Object(object) => {
            if object.keys().all(|key| key.starts_with(|c: char| c.is_ascii_digit())) {
                out.push_str(&format!("{label}:\n"));
            }
            write_object(label, object, out);
        }
        Value::Array(items) if items.iter().any(Value::is_object) => {
            out.push_str(&format!("{label}:\n"));
            for item in items {
                match item {
                    Value::Object(object) => write_item(object, out),
                    other => write_value("", other, out),
                }
            }
        }
        _ => {
            let text = shown(value);
            match (label, rank(label)) {
                ("", _) | (_, 0) => out.push_str(&text),
                _ => out.push_str(&format!("{label}: {text}")),
            }
            out.push('\n');
        }
    }
}

/// An object of a list as one line: `applicant 0, job 3`.
fn write_item(object: &Map<String, Value>, out: &mut String) {
    if let Some(line) = edge_line(object) {
        out.push_str(&line);
        out.push('\n');
        return;
    }
    let own =
        ["node", "id", "vertex", "applicant"].iter().find_map(|key| object.get_key_value(*key));
    if let Some((name, number)) = own
        && number.is_number()
    {
        let rest: Vec<(&String, &Value)> =
            object.iter().filter(|(key, _)| *key != name && !is_place(key)).collect();
        if let [(key, value)] = rest[..] {
            let key = if value.is_array() { String::new() } else { format!("{} ", spell_key(key)) };
            let name = if name == "id" { "node" } else { name };
            out.push_str(&format!("{name} {}: {key}{}\n", shown(number), shown(value)));
            return;
        }
    }
    let parts: Vec<String> = object
        .iter()
        .filter(|(key, _)| object.len() == 1 || !is_place(key))
        .map(|(key, value)| match value {
            Value::Number(_) => format!("{} {}", spell_key(key), shown(value)),
            _ => format!("{}: {}", spell_key(key), shown(value)),
        })
        .collect();
    out.push_str(&parts.join(", "));
    out.push('\n');
}

/// Whether a key only counts the entries.
fn is_place(key: &str) -> bool {
    matches!(key.to_lowercase().as_str(), "step" | "position" | "order" | "index" | "rank")
}

/// `{"from": 0, "to": 3}` as `(0,3)`, with a flow as what is sent.
fn edge_line(object: &Map<String, Value>) -> Option<String> {
    let number = |keys: &[&str]| keys.iter().find_map(|key| object.get(*key)?.as_i64());
    let from = number(&["from", "source", "u"])?;
    let to = number(&["to", "target", "v"])?;
    let flow = ["flow", "amount", "units"].iter().find_map(|key| object.get(*key)?.as_f64());
    Some(match flow {
        Some(flow) => format!("send {flow} units of flow from node {from} to node {to}."),
        None => format!("({from},{to})"),
    })
}

/// A value in a line: `0, 3, 5` in brackets, pairs in round ones.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let pair = |item: &Value| {
                item.as_array().is_some_and(|a| a.len() == 2 && a.iter().all(Value::is_number))
            };
            let pairs = items.len() > 1 && items.iter().all(pair);
            let parts: Vec<String> = items
                .iter()
                .map(|item| match item {
                    Value::Array(two) if pairs => {
                        format!("({},{})", shown(&two[0]), shown(&two[1]))
                    }
                    other => shown(other),
                })
                .collect();
            let joined = parts.join(", ");
            if pairs || parts.iter().any(|part| part.contains(' ')) {
                joined
            } else {
                format!("[{joined}]")
            }
        }
        Value::Null => String::new(),
        Value::Object(object) => {
            let parts: Vec<String> =
                object.iter().map(|(key, value)| format!("{key}: {}", shown(value))).collect();
            parts.join(", ")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> (String, bool) {
        let mut said = Draft::of(text);
        let only_thinks = leave_thoughts(&mut said);
        (said.text.trim().to_owned(), only_thinks)
    }

    #[test]
    fn thoughts_go_whatever_marks_them() {
        for (open, close) in THOUGHTS {
            let text = format!("{open}it is no{close}It is yes.");
            assert_eq!(said(&text), ("It is yes.".to_owned(), false), "{open}");
            assert_eq!(said(&format!("{open}it is no")), (String::new(), true), "{open}");
        }
        assert_eq!(said("it is no</THINK>\nyes").0, "yes");
        assert_eq!(said("yes\n<think>or no").0, "yes");
        assert_eq!(said("<think>a</think>b<think>c</think>d").0, "bd");
        assert_eq!(said("<think>a <thinking> b</think>yes").0, "yes");
        assert_eq!(said("<think>so it is yes</think>\n").0, "<think>so it is yes</think>");
        let harmony = "<|channel|>analysis<|message|>no<|end|><|start|>assistant<|channel|>final\
                       <|message|>yes<|return|>";
        assert_eq!(said(harmony).0, "yes");
    }

    #[test]
    fn objects_become_lines() {
        let lines = |text: &str| {
            let mut draft = Draft::of(text);
            write_plainly(&mut draft);
            draft.text.trim().replace('\n', " / ")
        };
        assert_eq!(lines(r#"{"hasCycle": true}"#), "has cycle: true");
        assert_eq!(
            lines(r#"{"answer": "no", "reasoning": "node 2 is alone"}"#),
            "node 2 is alone / answer: no"
        );
        assert_eq!(
            lines(
                "So:\n```json\n{\"result\": {\"path\": [0, 3], \"total_weight\": 4}}\n```\nDone."
            ),
            "So: /  /  / path: [0, 3] / total weight: 4 /  /  / Done."
        );
        assert_eq!(
            lines(r#"{"pairs": [{"applicant": 0, "job": 3}, {"applicant": 1, "job": 2}]}"#),
            "pairs: / applicant 0: job 3 / applicant 1: job 2"
        );
        assert_eq!(lines(r#"{"edges": [[0, 1], [1, 2]]}"#), "edges: (0,1), (1,2)");
        assert_eq!(lines("{0, 1}"), "{0, 1}");
        assert_eq!(lines("{\"a\": [1, 2"), "{\"a\": [1, 2");
    }
}
