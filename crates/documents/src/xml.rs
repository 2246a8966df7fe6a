//! XML as an outline, and what all readers of XML share.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, BytesText, Event};

use crate::out::{Out, one_line};
use crate::{DocumentError, DocumentKind, DocumentLimits};

/// A reader that takes what it can: ends of elements are not checked, nothing is expanded.
pub(crate) fn reader(text: &str) -> Reader<&[u8]> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.expand_empty_elements = true;
    reader
}

/// A text with the entities that XML itself has, and characters by number; others stay as they
/// are written, so that no entity can make a text grow.
pub(crate) fn unescape(raw: &[u8]) -> String {
    let raw = String::from_utf8_lossy(raw);
    if !raw.contains('&') {
        return raw.into_owned();
    }
    let mut text = String::with_capacity(raw.len());
    let mut rest = &raw[..];
    while let Some(start) = rest.find('&') {
        text.push_str(&rest[..start]);
        rest = &rest[start..];
        let end = rest.bytes().take(12).position(|byte| byte == b';');
        match end.and_then(|end| Some((entity(&rest[1..end])?, end))) {
            Some((char, end)) => {
                text.push(char);
                rest = &rest[end + 1..];
            }
            None => {
                text.push('&');
                rest = &rest[1..];
            }
        }
    }
    text.push_str(rest);
    text
}

fn entity(name: &str) -> Option<char> {
    match name {
        "amp" => return Some('&'),
        "lt" => return Some('<'),
        "gt" => return Some('>'),
        "quot" => return Some('"'),
        "apos" => return Some('\''),
        _ => {}
    }
    let number = name.strip_prefix('#')?;
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => number.parse().ok()?,
    };
    char::from_u32(code).filter(|char| !char.is_control() || matches!(char, '\n' | '\t' | '\r'))
}

/// The text of a text event.
pub(crate) fn text_of(text: &BytesText<'_>) -> String {
    unescape(text)
}

/// The value of an attribute, by its name without a prefix.
pub(crate) fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    element
        .attributes()
        .with_checks(false)
        .flatten()
        .find(|attribute| attribute.key.local_name().as_ref() == name.as_bytes())
        .map(|attribute| unescape(&attribute.value))
}

/// An error of the reader, with the line where it is.
pub(crate) fn broken(
    kind: DocumentKind,
    part: &str,
    text: &str,
    at: u64,
    problem: String,
) -> DocumentError {
    let at = usize::try_from(at).unwrap_or(usize::MAX).min(text.len());
    let line = 1 + text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count();
    let place =
        if part.is_empty() { format!("line {line}") } else { format!("{part}, line {line}") };
    let advice = match kind {
        DocumentKind::Xml => "correct it there, or give the file as .txt",
        _ => "open it in its program and save it again",
    };
    DocumentError::broken(kind, place, problem, advice)
}

/// An element whose text is not written yet.
struct Open {
    line: String,
    is_written: bool,
}

/// Reads XML as an outline: a line for each element with its attributes, and its text after it.
///
/// Entities that the file declares are not expanded. In time that grows with the text.
pub(crate) fn read(
    out: &mut Out,
    text: &str,
    limits: &DocumentLimits,
) -> Result<(), DocumentError> {
    let mut reader = reader(text);
    let mut open: Vec<Open> = Vec::new();
    let (mut level, mut pending) = (0_usize, String::new());
    let mut has_element = false;
    while !out.is_full() {
        let at = reader.buffer_position();
        let event = reader
            .read_event()
            .map_err(|error| broken(DocumentKind::Xml, "", text, at, error.to_string()))?;
        match event {
            Event::Start(element) => {
                has_element = true;
                level += 1;
                if level > limits.depth {
                    out.note(format!("Elements deeper than {} are left out.", limits.depth));
                    continue;
                }
                flush(out, &mut open, &mut pending);
                open.push(Open { line: title(&element, out.room()), is_written: false });
            }
            Event::End(_) => {
                if level > limits.depth {
                    level -= 1;
                    continue;
                }
                level = level.saturating_sub(1);
                flush(out, &mut open, &mut pending);
                open.pop();
            }
            Event::Text(raw) if level <= limits.depth => {
                push_text(&mut pending, &text_of(&raw), out)
            }
            Event::CData(raw) if level <= limits.depth => {
                push_text(&mut pending, &String::from_utf8_lossy(&raw), out);
            }
            Event::DocType(_) => {
                out.note("The document type was ignored: entities that it declares stay as they are written.");
            }
            Event::Eof => break,
            _ => {}
        }
    }
    flush(out, &mut open, &mut pending);
    if !has_element && !out.is_full() {
        return Err(broken(DocumentKind::Xml, "", text, 0, "there is no element in it".to_owned()));
    }
    if level > 0 && !out.is_full() {
        out.note("The file ends inside an element: its end may be missing.");
    }
    Ok(())
}

fn push_text(pending: &mut String, text: &str, out: &Out) {
    let text = one_line(text);
    if !text.is_empty() && pending.len() <= out.room() {
        if !pending.is_empty() {
            pending.push(' ');
        }
        pending.push_str(&text);
    }
}

/// Writes what is open and not written yet, and the text that came since.
fn flush(out: &mut Out, open: &mut [Open], pending: &mut String) {
    let depth = open.len();
    if let Some(last) = open.last_mut() {
        if last.is_written {
            if !pending.is_empty() {
                write_line(out, depth, pending);
            }
        } else if pending.is_empty() {
            write_line(out, depth - 1, &last.line);
            last.is_written = true;
        } else {
            write_line(out, depth - 1, &format!("{}: {pending}", last.line));
            last.is_written = true;
        }
    }
    pending.clear();
}

fn write_line(out: &mut Out, depth: usize, text: &str) {
    out.line(&format!("{}- {text}", "  ".repeat(depth)));
}

/// The element's name and attributes, at most `room` bytes and a little.
fn title(element: &BytesStart<'_>, room: usize) -> String {
    let mut line = name(element.name().as_ref()).into_owned();
    for attribute in element.attributes().with_checks(false).flatten() {
        let key = name(attribute.key.as_ref());
        if key == "xmlns" || key.starts_with("xmlns:") {
            continue;
        }
        if line.len() > room {
            break;
        }
        line.push_str(&format!(" {key}=\"{}\"", one_line(&unescape(&attribute.value))));
    }
    line
}

fn name(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}
