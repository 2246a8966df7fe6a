//! Makes one plain spelling out of the many ways in which people and models write.

use std::borrow::Cow;

use super::wrappings::{leave_thoughts, write_plainly};
use crate::{TaskGroup, TaskId};

/// Texts that show that a model has begun to invent the next question. Each stands at the start of
/// a line.
const FOLLOW_UPS: [&str; 9] = [
    "q:",
    "question:",
    "determine if there is a path between two nodes",
    "in an undirected graph, (i,j) means",
    "in an undirected graph, the nodes are numbered",
    "in a directed graph, the nodes are numbered",
    "in a directed graph with",
    "in a country, the cities are numbered",
    "there are # job applicants",
];

/// The longest text that is read, in bytes; the rest is not looked at.
const MAX_TEXT: usize = 1_000_000;

/// The text in lower case, without markup, with one spelling for arrows, dashes and quotes, and
/// without the thoughts before and the invented questions after the answer; and whether there is
/// nothing but thoughts that break off.
pub(crate) fn normal(text: &str) -> (String, bool) {
    let mut end = text.len().min(MAX_TEXT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let said = leave_thoughts(&text[..end]);
    let mut out = spell(&write_plainly(&decode(&said.text)));
    if let Some(at) = invented(&out) {
        out.truncate(at);
    }
    (out, said.only_thinks)
}

/// Characters as HTML names them.
const ENTITIES: [(&str, &str); 12] = [
    ("&rarr;", "→"),
    ("&larr;", "←"),
    ("&harr;", "↔"),
    ("&ndash;", "-"),
    ("&mdash;", "-"),
    ("&minus;", "-"),
    ("&nbsp;", " "),
    ("&gt;", ">"),
    ("&lt;", "<"),
    ("&quot;", "\""),
    ("&#39;", "'"),
    ("&amp;", "&"),
];

/// The text with the characters that it calls by their names in HTML.
fn decode(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let decode = |text: Cow<'_, str>, (name, sign): &(&str, &str)| text.replace(name, sign).into();
    ENTITIES.iter().fold(text.to_owned().into(), decode)
}

/// What stands behind each `###` on its line in the part that answers, the last first; at most so
/// many.
pub(crate) fn marked(text: &str, at_most: usize) -> Vec<String> {
    if !text.contains("###") {
        return Vec::new();
    }
    let said = leave_thoughts(text);
    let text = cut_to_answer(&said.text);
    let behind = |(at, mark): (usize, &str)| {
        let line = text[at + mark.len()..].lines().next().unwrap_or_default();
        spell(line.trim_start_matches('#')).trim().to_owned()
    };
    let lines = text.rmatch_indices("###").map(behind).filter(|line| !line.is_empty());
    lines.take(at_most).collect()
}

/// A text in plain spelling: lower case, no markup, one spelling for arrows, dashes and quotes.
pub(crate) fn spell(text: &str) -> String {
    spell_part(text, false)
}

/// The same for a part of a text; `is_boxed` for what stands in a box, where no other is opened, so
/// that boxes in boxes take no more time than their length.
fn spell_part(text: &str, is_boxed: bool) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    loop {
        // Most of a text is plain: it is taken over in one piece.
        let plain = rest.bytes().take_while(|b| is_plain(*b)).count();
        let from = out.len();
        out.push_str(&rest[..plain]);
        out[from..].make_ascii_lowercase();
        rest = &rest[plain..];
        let Some(c) = rest.chars().next() else { return out };
        if c == '\\' {
            rest = latex(rest, is_boxed, &mut out);
            continue;
        }
        // The comma of `1{,}200`.
        if let Some(after) = rest.strip_prefix("{,}") {
            out.push(',');
            rest = after;
            continue;
        }
        rest = &rest[c.len_utf8()..];
        match c {
            '→' | '⟶' | '➔' | '➝' | '➜' | '➡' | '⇒' | '⟹' | '↦' | '⟼' | '►' | '▶' | '≺' | '↔'
            | '⟷' | '⇔' | '⟺' | '⇄' | '⇆' => out.push_str("->"),
            '←' | '⟵' | '⇐' | '⟸' | '≻' => out.push_str("<-"),
            // The number of a node below its letter: `v_{0}`.
            '_' if rest.starts_with('{') => {
                let (inside, after) = braced(rest);
                out.push(' ');
                out.push_str(&spell_part(inside, true));
                rest = after;
            }
            '–' | '—' | '−' | '‐' | '‑' | '―' => out.push('-'),
            '’' | '‘' => out.push('\''),
            '“' | '”' => out.push('"'),
            // Markdown emphasis, code, headings; formulas.
            '*' | '`' | '#' | '$' | '~' | '\r' | '\u{fe0f}' => {}
            '_' | '\t' | '\u{a0}' | '\u{2009}' | '\u{202f}' => out.push(' '),
            '•' | '·' | '●' | '▪' => out.push('-'),
            '，' | '、' | '،' => out.push(','),
            '：' => out.push(':'),
            '；' => out.push(';'),
            '（' => out.push('('),
            '）' => out.push(')'),
            // Full stops, questions and digits of other scripts.
            '。' | '．' | '।' => out.push_str(". "),
            '？' | '؟' => out.push_str("? "),
            '！' => out.push_str("! "),
            '０'..='９' => out.extend(digit(c, '０')),
            '٠'..='٩' => out.extend(digit(c, '٠')),
            '۰'..='۹' => out.extend(digit(c, '۰')),
            '०'..='९' => out.extend(digit(c, '०')),
            _ => out.extend(c.to_lowercase()),
        }
    }
}

/// A digit of a script whose digits begin at `zero`.
fn digit(c: char, zero: char) -> Option<char> {
    char::from_digit(u32::from(c) - u32::from(zero), 10)
}

/// Whether a byte is spelled as it is, but for its case.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii()
        && !matches!(byte, b'\\' | b'{' | b'*' | b'`' | b'#' | b'$' | b'~' | b'\r' | b'_' | b'\t')
}

/// Spells the LaTeX command at the start of `rest` and gives back what follows it.
fn latex<'t>(rest: &'t str, is_boxed: bool, out: &mut String) -> &'t str {
    let name = rest[1..].bytes().take_while(u8::is_ascii_alphabetic).count();
    let (command, after) = rest[1..].split_at(name);
    match command {
        "" => {
            // `\\` ends a line of a matrix, or is a backslash that somebody escaped.
            if let Some(again) = after.strip_prefix('\\') {
                if again.starts_with(|c: char| c.is_ascii_alphabetic()) {
                    return after;
                }
                out.push('\n');
                return again;
            }
            // `\(`, `\[`, `\,` and their like stand around formulas; `\n` was meant as a line end.
            let mut chars = after.chars();
            chars.next();
            out.push(' ');
            chars.as_str()
        }
        "to" | "rightarrow" | "longrightarrow" | "Rightarrow" | "Longrightarrow" | "implies"
        | "leftrightarrow" | "longleftrightarrow" | "Leftrightarrow" | "mapsto" | "longmapsto"
        | "prec" => {
            out.push_str("->");
            after
        }
        "leftarrow" | "longleftarrow" | "Leftarrow" | "gets" | "succ" => {
            out.push_str("<-");
            after
        }
        // What stands above an arrow is a weight and no node.
        "xrightarrow" | "xleftrightarrow" => {
            out.push_str("->");
            braced(after).1
        }
        // An answer in a box stands for itself, in whatever sentence it stands.
        "boxed" | "fbox" if !is_boxed => {
            let (inside, after) = braced(after);
            out.push_str("\nfinal answer: ");
            out.push_str(&spell_part(inside, true));
            out.push('\n');
            after
        }
        "n" => {
            out.push('\n');
            after
        }
        _ => {
            out.push(' ');
            after
        }
    }
}

/// What stands in the braces at the start of a text, and what behind them.
fn braced(text: &str) -> (&str, &str) {
    let Some(inside) = text.trim_start().strip_prefix('{') else { return ("", text) };
    let mut depth = 1;
    for (at, byte) in inside.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (&inside[..at], &inside[at + 1..]);
        }
    }
    (inside, "")
}

/// The part of a text that answers, in its own spelling: without what a reasoning model thinks aloud
/// before it, which keeps its place, and without invented questions behind it.
pub(crate) fn cut_to_answer(text: &str) -> &str {
    // Lower case of ASCII letters alone keeps every place.
    invented(&text.to_ascii_lowercase()).map_or(text, |at| &text[..at])
}

/// Where the first invented question begins, if something answers before it.
fn invented(text: &str) -> Option<usize> {
    let mut start = 0;
    let mut said = false;
    for line in text.split_inclusive('\n') {
        let begun = line.trim_start();
        if said && (FOLLOW_UPS.iter().any(|opening| opens(begun, opening)) || asks_anew(begun)) {
            return Some(start);
        }
        said |= !begun.is_empty();
        start += line.len();
    }
    None
}

/// Whether the line opens a question of another benchmark than NLGraph, whose openings are above.
fn asks_anew(line: &str) -> bool {
    let others = TaskId::ALL.into_iter().filter(|task| task.group() != TaskGroup::NlGraph);
    others.flat_map(|task| task.openings()).any(|opening| {
        let start = line.as_bytes().get(..opening.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(opening.as_bytes()))
    })
}

/// Whether the line begins so; `#` stands for a number.
fn opens(line: &str, opening: &str) -> bool {
    match opening.split_once('#') {
        None => line.starts_with(opening),
        Some((before, after)) => line.strip_prefix(before).is_some_and(|rest| {
            rest.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(after)
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_thoughts_go_and_arrows_become_one() {
        let normal = |text: &str| normal(text).0;
        assert_eq!(normal("<think>no</think>**Yes** → `0`"), "yes -> 0");
        assert_eq!(normal("\\boxed{7}").trim(), "final answer: 7");
        assert_eq!(
            normal("it is $\\boxed{\\text{a} \\to b}$.").trim(),
            "it is \nfinal answer:  {a} -> b\n."
        );
        assert_eq!(normal("$0 \\rightarrow 1$"), "0 -> 1");
        assert_eq!(normal("路径：０，３。"), "路径:0,3. ");
    }

    #[test]
    fn marks_are_read_where_the_answer_is() {
        let text = "<think>### No</think>### **21**.\nSo it is.\nFind the maximum sum of the weights \
                    of three interconnected nodes. ### 7";
        assert_eq!(marked(text, 9), ["21."]);
        assert_eq!(marked("#### Yes\n### no\n### ", 1), ["no"]);
    }

    #[test]
    fn an_invented_question_is_cut_but_a_repeated_one_is_not() {
        let normal = |text: &str| normal(text).0;
        let invented = "yes\n\nin a directed graph with 5 nodes numbered\nq: more?\na: no";
        assert_eq!(normal(invented).trim(), "yes");
        assert_eq!(normal("q: is there?\na: yes"), "q: is there?\na: yes");
        assert_eq!(normal("x\nthere are 12 job applicants"), "x\n");
    }
}
