//! Makes one plain spelling out of the many ways in which people and models write.

use super::origin::{Draft, Writer};
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
pub(crate) fn normal(mut draft: Draft<'_>) -> (Draft<'static>, bool) {
    if draft.text.len() > MAX_TEXT {
        let end = draft.text.floor_char_boundary(MAX_TEXT);
        draft.rewrite(|writer| writer.copy_to(end));
    }
    let only_thinks = leave_thoughts(&mut draft);
    if draft.text.contains('&') {
        draft.replace(&ENTITIES);
    }
    write_plainly(&mut draft);
    draft.rewrite(spell_all);
    let mut draft = draft.owned();
    if let Some(at) = invented(&draft.text) {
        draft.text.to_mut().truncate(at);
    }
    (draft, only_thinks)
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

/// What stands behind each `###` on its line in the part that answers, the last first; at most so
/// many.
pub(crate) fn marked(text: &str, at_most: usize) -> Vec<String> {
    if !text.contains("###") {
        return Vec::new();
    }
    let mut said = Draft::of(text);
    leave_thoughts(&mut said);
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
    let mut draft = Draft::of(text);
    draft.rewrite(spell_all);
    draft.text.into_owned()
}

/// Spells a whole text.
pub(super) fn spell_all(writer: &mut Writer<'_>) {
    spell_to(writer, writer.source.len(), false);
}

/// Spells a text up to a place; `is_boxed` inside a box, where no other is opened, so that
/// boxes in boxes take no more time than their length.
fn spell_to(writer: &mut Writer<'_>, end: usize, is_boxed: bool) {
    while writer.at < end {
        let rest = &writer.source[writer.at..end];
        // Most of a text is plain: it is taken over in one piece.
        let plain = rest.bytes().take_while(|b| is_plain(*b)).count();
        writer.lower_to(writer.at + plain);
        let rest = &rest[plain..];
        let Some(c) = rest.chars().next() else { return };
        let after = writer.at + c.len_utf8();
        let plainly = match c {
            '\\' => {
                spell_latex(writer, end, is_boxed);
                continue;
            }
            // The comma of `1{,}200`.
            '{' if rest.starts_with("{,}") => {
                writer.put(writer.at + 3, ",");
                continue;
            }
            // The number of a node below its letter: `v_{0}`.
            '_' if rest[1..].starts_with('{') => {
                let inside = braced(&rest[1..]);
                let behind = after + inside.behind;
                writer.put(after + inside.start, " ");
                spell_to(writer, after + inside.end, true);
                writer.put(behind, "");
                continue;
            }
            '→' | '⟶' | '➔' | '➝' | '➜' | '➡' | '⇒' | '⟹' | '↦' | '⟼' | '►' | '▶' | '≺' | '↔'
            | '⟷' | '⇔' | '⟺' | '⇄' | '⇆' => "->",
            '←' | '⟵' | '⇐' | '⟸' | '≻' => "<-",
            '–' | '—' | '−' | '‐' | '‑' | '―' => "-",
            '’' | '‘' => "'",
            '“' | '”' => "\"",
            // Markdown emphasis, code, headings; formulas.
            '*' | '`' | '#' | '$' | '~' | '\r' | '\u{fe0f}' => "",
            '_' | '\t' | '\u{a0}' | '\u{2009}' | '\u{202f}' => " ",
            '•' | '·' | '●' | '▪' => "-",
            '，' | '、' | '،' => ",",
            '：' => ":",
            '；' => ";",
            '（' => "(",
            '）' => ")",
            // Full stops, questions and digits of other scripts.
            '。' | '．' | '।' => ". ",
            '？' | '؟' => "? ",
            '！' => "! ",
            _ => {
                let digit = ['０', '٠', '۰', '०'].iter().find_map(|zero| {
                    char::from_digit(u32::from(c).checked_sub(u32::from(*zero))?, 10)
                });
                match digit {
                    Some(digit) => writer.put(after, digit.encode_utf8(&mut [0; 4])),
                    None => writer.put(after, &c.to_lowercase().to_string()),
                }
                continue;
            }
        };
        writer.put(after, plainly);
    }
}

/// Whether a byte is spelled as it is, but for its case.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii()
        && !matches!(byte, b'\\' | b'{' | b'*' | b'`' | b'#' | b'$' | b'~' | b'\r' | b'_' | b'\t')
}

/// Spells the LaTeX command that comes next.
fn spell_latex(writer: &mut Writer<'_>, end: usize, is_boxed: bool) {
    let rest = &writer.source[writer.at..end];
    let name = rest[1..].bytes().take_while(u8::is_ascii_alphabetic).count();
    let after = writer.at + 1 + name;
    let plainly = match &rest[1..=name] {
        "" => {
            // `\\\\` ends a line of a matrix, or is a backslash that somebody escaped.
            if rest[1..].starts_with('\\') {
                let escapes = rest[2..].starts_with(|c: char| c.is_ascii_alphabetic());
                let (behind, plainly) = if escapes { (after, "") } else { (after + 1, "\n") };
                writer.put(behind, plainly);
                return;
            }
            // `\(`, `\[`, `\,` and their like stand around formulas; `\n` was meant as a line end.
            let sign = rest[1..].chars().next().map_or(0, char::len_utf8);
            writer.put(after + sign, " ");
            return;
        }
        "to" | "rightarrow" | "longrightarrow" | "Rightarrow" | "Longrightarrow" | "implies"
        | "leftrightarrow" | "longleftrightarrow" | "Leftrightarrow" | "mapsto" | "longmapsto"
        | "prec" => "->",
        "leftarrow" | "longleftarrow" | "Leftarrow" | "gets" | "succ" => "<-",
        // What stands above an arrow is a weight and no node.
        "xrightarrow" | "xleftrightarrow" => {
            writer.put(after + braced(&rest[1 + name..]).behind, "->");
            return;
        }
        // An answer in a box stands for itself, in whatever sentence it stands.
        "boxed" | "fbox" if !is_boxed => {
            let inside = braced(&rest[1 + name..]);
            let behind = after + inside.behind;
            writer.put(after + inside.start, "\nfinal answer: ");
            spell_to(writer, after + inside.end, true);
            writer.put(behind, "\n");
            return;
        }
        "n" => "\n",
        _ => " ",
    };
    writer.put(after, plainly);
}

/// Where in a text the braces at its start open and close.
#[derive(Default)]
struct Braced {
    /// For what is in them.
    start: usize,
    end: usize,
    /// For what follows them.
    behind: usize,
}

fn braced(text: &str) -> Braced {
    let Some(inside) = text.trim_start().strip_prefix('{') else { return Braced::default() };
    let start = text.len() - inside.len();
    let mut depth = 1;
    for (at, byte) in inside.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Braced { start, end: start + at, behind: start + at + 1 };
        }
    }
    Braced { start, end: text.len(), behind: text.len() }
}

/// The part of a text that answers, in its own spelling: without what a reasoning model thinks aloud
/// before it, which keeps its place, and without invented questions behind it.
fn cut_to_answer(text: &str) -> &str {
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
        let normal = |text: &str| normal(Draft::of(text)).0.text;
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
        let normal = |text: &str| normal(Draft::of(text)).0.text;
        let invented = "yes\n\nin a directed graph with 5 nodes numbered\nq: more?\na: no";
        assert_eq!(normal(invented).trim(), "yes");
        assert_eq!(normal("q: is there?\na: yes"), "q: is there?\na: yes");
        assert_eq!(normal("x\nthere are 12 job applicants"), "x\n");
    }
}
