//! Marks that are spelled in several pieces, or that close without saying what, in the usual spelling:
//! `<think>…</think>`, `<tool_calls>…</tool_calls>`.

use std::borrow::Cow;

/// The longest head of a mark in three pieces, in bytes.
const MAX_HEAD: usize = 200;

/// Marks of one piece, and what they say.
const MARKS: [(&str, Meaning); 10] = [
    ("<|channel>thought", Meaning::Open("<think>", "</think>")),
    ("<channel|>", Meaning::Close),
    ("<|inner_prefix|>", Meaning::Open("<think>", "</think>")),
    ("<|inner_suffix|>", Meaning::Close),
    ("<|content_thinking|>", Meaning::Open("<think>", "</think>")),
    ("<|content_invoke_tool_json|>", Meaning::Open("<tool_call>", "</tool_call>")),
    ("<|content_text|>", Meaning::Open("", "")),
    ("<|end_message|>", Meaning::Close),
    ("<|message_model|>", Meaning::Header),
    ("<|content_model_end_sampling|>", Meaning::Nothing),
];

#[derive(Clone, Copy)]
enum Meaning {
    /// Something begins; how it is written, and how its end is.
    Open(&'static str, &'static str),
    /// What began last ends.
    Close,
    /// A name may stand behind it, which is said again in what follows.
    Header,
    Nothing,
}

/// The same text with every mark in the usual spelling. O(text).
pub(super) fn usual(text: &str) -> Cow<'_, str> {
    let mut usual = String::new();
    let (mut copied, mut at, mut end) = (0, 0, "");
    while let Some(found) = text[at..].find(['<', ']']) {
        at += found;
        let rest = &text[at..];
        let Some((len, word)) = one_mark(rest, &mut end).or_else(|| three_pieces(rest)) else {
            at += 1;
            continue;
        };
        usual.push_str(&text[copied..at]);
        usual.push_str(&word);
        at += len;
        copied = at;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    usual.push_str(&text[copied..]);
    Cow::Owned(usual)
}

/// How long the mark is that a text begins with, and its usual spelling.
fn one_mark(text: &str, end: &mut &'static str) -> Option<(usize, Cow<'static, str>)> {
    let (mark, meaning) = MARKS.iter().find(|(mark, _)| text.starts_with(mark))?;
    let word = match meaning {
        Meaning::Open(open, close) => {
            *end = close;
            open
        }
        Meaning::Close => std::mem::take(end),
        Meaning::Nothing => "",
        Meaning::Header => {
            let behind = &text[mark.len()..];
            let name = behind.find(|c: char| c.is_whitespace() || c == '<').unwrap_or(0);
            let is_name = behind[name..].starts_with("<|content_");
            return Some((mark.len() + if is_name { name } else { 0 }, "".into()));
        }
    };
    Some((mark.len(), (*word).into()))
}

/// `<|open|>HEAD<|sep|>` and `<|close|>HEAD<|sep|>`, or `<<<HEAD>>>`; a sign `]<]NAME[>[` before a mark says nothing.
fn three_pieces(text: &str) -> Option<(usize, Cow<'static, str>)> {
    if let Some(behind) = text.strip_prefix("]<]") {
        let name = behind.find(|c: char| !c.is_alphanumeric())?;
        let is_sign = behind[name..].starts_with("[>[");
        return is_sign.then(|| (name + 6, "".into()));
    }
    if let Some(behind) = text.strip_prefix("<<<") {
        let name = behind.find(|c: char| !c.is_alphanumeric() && c != '_')?;
        let is_mark = behind[name..].starts_with(">>>");
        return is_mark.then(|| (name + 6, format!("<{}>", &behind[..name]).into()));
    }
    let (slash, behind) = match text.strip_prefix("<|open|>") {
        Some(behind) => ("", behind),
        None => ("/", text.strip_prefix("<|close|>")?),
    };
    let len = behind.bytes().take(MAX_HEAD).position(|b| b == b'<')?;
    let mark = text.len() - behind.len() + len + "<|sep|>".len();
    if !behind[len..].starts_with("<|sep|>") {
        return None;
    }
    let word = match behind[..len].trim() {
        // What is said needs no mark.
        "response" | "message" => String::new(),
        "tools" => format!("<{slash}tool_calls>"),
        head => format!("<{slash}{head}>"),
    };
    Some((mark, word.into()))
}
