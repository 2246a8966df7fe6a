//! Marks in a text: `<tool_call>`, `<|python_tag|>`, `[TOOL_CALLS]`, `<｜tool▁calls▁begin｜>`, and
//! where they stand.

/// A mark that begins calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    /// Calls begin here.
    Call {
        /// The byte of the mark.
        at: usize,
    },
    /// The mark is shown, not used.
    Explained {},
}

/// The longest name of a mark, in bytes.
const MAX_NAME: usize = 120;

/// The name within the mark that a text begins with, and what comes behind the mark.
pub(super) fn tag(text: &str) -> Option<(&str, &str)> {
    let (open, close) = match text.chars().next()? {
        '<' => ('<', '>'),
        '[' => ('[', ']'),
        '◁' => ('◁', '▷'),
        _ => return None,
    };
    let inside = &text[open.len_utf8()..];
    let end = inside.char_indices().take_while(|(at, _)| *at < MAX_NAME);
    let end = end.take_while(|(_, c)| *c != '\n' && *c != open).find(|(_, c)| *c == close)?.0;
    let name = &inside[..end];
    let is_name = |c: char| c.is_alphanumeric() || "_-/:|｜▁ =\".".contains(c);
    if name.is_empty() || !name.chars().all(is_name) {
        return None;
    }
    // Of square brackets only names in capitals are marks: all else is a list.
    if open == '[' && !name.chars().all(|c| c.is_ascii_uppercase() || c == '_' || c == '/') {
        return None;
    }
    Some((name, &inside[end + close.len_utf8()..]))
}

/// The bytes at which a mark can begin.
pub(super) fn starts(text: &str) -> impl Iterator<Item = usize> + '_ {
    text.char_indices().filter(|(_, c)| matches!(c, '<' | '[' | '◁')).map(|(at, _)| at)
}

/// Whether a mark of that name begins calls.
fn begins_calls(name: &str) -> bool {
    let plain: String =
        name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    if name.starts_with('/') || plain.ends_with("end") || plain.starts_with("end") {
        return false;
    }
    let has = |word: &str| plain.contains(word);
    (has("tool") && (has("call") || has("use")))
        || (has("function") && (has("call") || name.contains('=')))
        || plain.starts_with("invokename")
        || plain.starts_with("dsmlinvoke")
        || plain == "pythontag"
        || plain == "startaction"
        || plain == "actionstart"
}

/// Where calls begin: at the first mark of calls that begins a line or comes behind a whole sentence.
pub(super) fn find_opening(text: &str) -> Option<Opening> {
    let mut was_shown = false;
    for at in starts(text) {
        let Some((name, _)) = tag(&text[at..]) else { continue };
        if !begins_calls(name) && !begins_channel_call(&text[at..]) {
            continue;
        }
        let before = &text[..at];
        let line = before.rsplit('\n').next().unwrap_or_default().trim_end();
        let is_apart = line.is_empty() || line.ends_with(['.', ':', '!', '?', '…', '>', ']']);
        if is_quoted(text, at) || !is_apart || is_explained(before) {
            was_shown = true;
            continue;
        }
        return Some(Opening::Call { at });
    }
    was_shown.then_some(Opening::Explained {})
}

/// Whether that byte of a text is in a code block, between ticks or behind a quotation mark.
pub(super) fn is_quoted(text: &str, at: usize) -> bool {
    let before = &text[..at];
    if before.matches("```").count() % 2 == 1 {
        return true;
    }
    let line = before.rsplit('\n').next().unwrap_or_default();
    let is_open = |sign: char| line.matches(sign).count() % 2 == 1;
    is_open('`')
        || is_open('"')
        || line.trim_end().ends_with(['\'', '“', '„', '«', '‘', '>'])
            && line.trim_start().starts_with('>')
        || line.trim_end().ends_with(['\'', '“', '„', '«', '‘'])
}

/// Words of a sentence that explains how a call is written.
const EXPLAINS: [&str; 12] = [
    "example",
    "for instance",
    "e.g.",
    "such as",
    "format",
    "syntax",
    " would ",
    " could ",
    "looks like",
    "like this",
    "instead of",
    "do not write",
];

/// Whether the last sentence before a mark explains what comes.
fn is_explained(before: &str) -> bool {
    let paragraph = before.trim_end().rsplit("\n\n").next().unwrap_or_default();
    let sentence = paragraph.trim_end_matches([':', '.', ' ', '\n']);
    let last = sentence.rsplit(['.', '!', '?', '\n']).next().unwrap_or_default();
    // What ends with a mark is a call before this one.
    if sentence.ends_with(['>', ']']) {
        return false;
    }
    let last = format!(" {} ", last.to_lowercase());
    EXPLAINS.iter().any(|word| last.contains(word)) || sentence.ends_with("e.g")
}

/// The text in a code block, where it is nothing but one.
pub(super) fn without_fence(text: &str) -> &str {
    let Some(rest) = text.strip_prefix("```") else { return text };
    let Some(inside) = rest.strip_suffix("```") else { return text };
    let Some((language, code)) = inside.split_once('\n') else { return text };
    let is_language = language.trim().chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_language && !code.contains("```") { code.trim() } else { text }
}

const CHANNEL: &str = "<|channel|>";
const MESSAGE: &str = "<|message|>";

/// Whether a text begins with a channel on which a tool is called.
fn begins_channel_call(text: &str) -> bool {
    let Some(rest) = text.strip_prefix(CHANNEL) else { return false };
    let head = rest.split(MESSAGE).next().unwrap_or_default();
    head.len() < MAX_NAME && head.contains("to=")
}

/// Splits a text in channels into what is thought and what is said; a call stays as it is.
pub(super) fn split_channels(text: &str) -> Option<(String, String)> {
    let start = text.trim_start().strip_prefix("<|start|>assistant").unwrap_or(text.trim_start());
    if !start.starts_with(CHANNEL) {
        return None;
    }
    let (mut thoughts, mut said) = (Vec::new(), Vec::new());
    for piece in start.split("<|start|>assistant").flat_map(|piece| piece.split("<|end|>")) {
        let piece = piece.trim();
        let Some(rest) = piece.strip_prefix(CHANNEL) else { continue };
        let Some((head, body)) = rest.split_once(MESSAGE) else { continue };
        let body = body.trim_end_matches("<|return|>").trim();
        if head.contains("to=") {
            said.push(piece.to_owned());
        } else if head.trim() == "final" {
            said.push(body.to_owned());
        } else {
            thoughts.push(body.to_owned());
        }
    }
    Some((thoughts.join("\n\n"), said.join("\n\n")))
}
