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
    let is_name = |c: char| c.is_alphanumeric() || "_-/:|｜▁ =\"'.".contains(c);
    if name.is_empty() || !name.chars().all(is_name) {
        return None;
    }
    // Of square brackets only names in capitals are marks: all else is a list.
    if open == '[' && !name.chars().all(|c| c.is_ascii_uppercase() || c == '_' || c == '/') {
        return None;
    }
    Some((name, &inside[end + close.len_utf8()..]))
}

/// Whether the name in a mark is that word, with whatever signs, prefix or suffix: `｜DSML｜invoke`,
/// `seed:think`, `arg_key:7`.
pub(super) fn is_word(name: &str, word: &str) -> bool {
    name.split([':', '|', '｜', ' ']).any(|part| part.eq_ignore_ascii_case(word))
}

/// The word in a mark that gives something a name or a value (`parameter=KEY`, `invoke name="NAME"`),
/// and what it gives.
pub(super) fn assigned(tag: &str) -> Option<(&str, &str)> {
    let (head, given) = tag.split_once('=')?;
    let word = head.trim_end().rsplit_once(' ').map_or(head, |(word, _)| word);
    let given = given.trim();
    let given = match given.strip_prefix(['"', '\'']) {
        Some(inside) => inside.split(['"', '\'']).next().unwrap_or(inside),
        None => given,
    };
    Some((word, given))
}

/// The bytes at which a mark can begin.
pub(super) fn starts(text: &str) -> impl Iterator<Item = usize> + '_ {
    text.char_indices().filter(|(_, c)| matches!(c, '<' | '[' | '◁')).map(|(at, _)| at)
}

/// Letters of marks that begin calls and say so in no word of theirs.
const BEGIN: [&str; 8] = [
    "calls",
    "dsmlcalls",
    "tools",
    "toolsprefix",
    "pythontag",
    "pythonstart",
    "startaction",
    "actionstart",
];

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
        || plain.contains("invokename")
        || BEGIN.contains(&plain.as_str())
}

/// Where calls begin: at the first mark of calls that begins a line or comes behind a whole sentence.
/// O(text).
pub(super) fn find_opening(text: &str) -> Option<Opening> {
    let mut was_shown = false;
    let mut before = Before::new(text);
    for at in starts(text) {
        let Some((name, _)) = tag(&text[at..]) else { continue };
        if !begins_calls(name) && !begins_channel_call(&text[at..]) {
            continue;
        }
        before.move_to(at);
        let line = text[before.line..at].trim_end();
        let is_apart = line.is_empty() || line.ends_with(['.', ':', '!', '?', '…', '>', ']']);
        if before.is_quoted() || !is_apart || is_explained(&text[..at]) {
            was_shown = true;
            continue;
        }
        return Some(Opening::Call { at });
    }
    was_shown.then_some(Opening::Explained {})
}

/// Whether that byte of a text is in a code block, between ticks or behind a quotation mark.
pub(super) fn is_quoted(text: &str, at: usize) -> bool {
    let mut before = Before::new(text);
    before.move_to(at);
    before.is_quoted()
}

/// What is open before a byte of a text. It moves forward only, so that a text is read once.
struct Before<'t> {
    text: &'t str,
    at: usize,
    /// Where the line begins.
    line: usize,
    is_in_block: bool,
    has_tick: bool,
    has_quote: bool,
    /// Whether the line is a reply's quotation, which begins with `>`; not known at its beginning.
    is_reply: Option<bool>,
}

impl<'t> Before<'t> {
    fn new(text: &'t str) -> Self {
        let (is_in_block, has_tick, has_quote) = (false, false, false);
        Self { text, at: 0, line: 0, is_in_block, has_tick, has_quote, is_reply: None }
    }

    fn move_to(&mut self, at: usize) {
        let passed = &self.text[self.at..at];
        if passed.matches("```").count() % 2 == 1 {
            self.is_in_block = !self.is_in_block;
        }
        let mut on_line = passed;
        if let Some((_, behind)) = passed.rsplit_once('\n') {
            self.line = at - behind.len();
            (self.has_tick, self.has_quote, self.is_reply) = (false, false, None);
            on_line = behind;
        }
        self.has_tick ^= on_line.matches('`').count() % 2 == 1;
        self.has_quote ^= on_line.matches('"').count() % 2 == 1;
        self.is_reply = self
            .is_reply
            .or_else(|| on_line.chars().find(|c| !c.is_whitespace()).map(|first| first == '>'));
        self.at = at;
    }

    fn is_quoted(&self) -> bool {
        let line = self.text[self.line..self.at].trim_end();
        self.is_in_block
            || self.has_tick
            || self.has_quote
            || line.ends_with('>') && self.is_reply == Some(true)
            || line.ends_with(['\'', '“', '„', '«', '‘'])
    }
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

/// The most bytes of a sentence that are looked at.
const MAX_SENTENCE: usize = 1000;

/// Whether the last sentence before a mark explains what comes.
fn is_explained(before: &str) -> bool {
    let before = before.trim_end();
    let before = &before[before.ceil_char_boundary(before.len().saturating_sub(MAX_SENTENCE))..];
    let paragraph = before.rsplit("\n\n").next().unwrap_or_default();
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
    let head = &rest[..rest.floor_char_boundary(MAX_NAME)];
    head.split_once(MESSAGE).is_some_and(|(head, _)| head.contains("to="))
}

/// Splits a text in channels into what is thought and what is said; a call stays as it is.
pub(super) fn split_channels(text: &str) -> Option<(String, String)> {
    let start = text.trim_start().strip_prefix("<|start|>assistant").unwrap_or(text.trim_start());
    if !start.starts_with(CHANNEL) {
        // Where the marks themselves were removed, the names of the channels stay.
        let (thoughts, said) = start.strip_prefix("analysis")?.split_once("assistantfinal")?;
        return Some((thoughts.trim().to_owned(), said.trim().to_owned()));
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
