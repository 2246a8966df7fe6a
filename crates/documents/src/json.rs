//! JSON, indented, with its shape told.

use crate::out::{Out, thousands};
use crate::shape::Shape;
use crate::{DocumentError, DocumentKind, DocumentLimits};

/// How many values after each other are looked at for their shape.
const VALUES: usize = 10_000;
/// How many bytes the shape takes at most.
const SHAPE: usize = 4_000;

/// Reads JSON, or several values after each other as in JSON Lines.
///
/// The text itself is checked and indented, so numbers stay as they were written, and no tree of
/// it is built. In time that grows with the text, in memory that grows with what comes out.
pub(crate) fn read(
    out: &mut Out,
    text: &str,
    limits: &DocumentLimits,
) -> Result<(), DocumentError> {
    check_depth(text, limits.depth)?;
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Shape>();
    let mut shape: Option<Shape> = None;
    let mut count = 0;
    for value in values.by_ref() {
        let value = value.map_err(|error| {
            // "… at line 3 column 5": serde_json ends its message with the place.
            let message = error.to_string();
            let problem = message.split(" at line ").next().unwrap_or(&message).to_owned();
            DocumentError::broken(
                DocumentKind::Json,
                format!("line {}, column {}", error.line(), error.column()),
                problem,
                "correct it there, or give the file as .txt",
            )
        })?;
        count += 1;
        if count <= VALUES {
            shape = Some(match shape {
                Some(shape) => shape.or(value),
                None => value,
            });
        }
    }
    let Some(shape) = shape else {
        return Err(DocumentError::broken(
            DocumentKind::Json,
            "the whole file",
            "there is no value in it",
            "give a file with a value",
        ));
    };
    let mut shape = shape.to_string();
    if shape.len() > SHAPE {
        let end = (0..=SHAPE).rev().find(|end| shape.is_char_boundary(*end)).unwrap_or(0);
        shape.truncate(end);
        shape.push('…');
    }
    if count == 1 {
        out.paragraph(&format!("Shape: {shape}"));
    } else {
        out.paragraph(&format!("{} values after each other. Shape: {shape}", thousands(count)));
    }
    out.line("```json");
    let is_whole = indent(out, text);
    if is_whole {
        out.line("```");
    }
    Ok(())
}

/// Refuses what is nested deeper than `depth`, or than serde_json goes (128).
fn check_depth(text: &str, depth: usize) -> Result<(), DocumentError> {
    let limit = depth.min(127);
    let (mut level, mut is_string, mut is_escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        if is_string {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = true,
                b'"' => is_string = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => is_string = true,
            b'[' | b'{' => level += 1,
            b']' | b'}' => level = level.saturating_sub(1),
            _ => {}
        }
        if level > limit {
            let line = 1 + text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count();
            return Err(DocumentError::broken(
                DocumentKind::Json,
                format!("line {line}"),
                format!("lists and objects are nested deeper than {limit}"),
                "nest them less, or give the file as .txt",
            ));
        }
    }
    Ok(())
}

/// Writes checked JSON with two spaces for each level; whether all of it had room.
fn indent(out: &mut Out, text: &str) -> bool {
    let mut scan = Scan { line: String::new(), level: 0 };
    let (mut start, mut is_string, mut is_escaped) = (0, false, false);
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().copied().enumerate() {
        if out.is_full() {
            return false;
        }
        if is_string {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = true,
                b'"' => {
                    is_string = false;
                    scan.line.push_str(&text[start..=at]);
                }
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => {
                is_string = true;
                start = at;
            }
            b'[' | b'{' => {
                scan.line.push(char::from(byte));
                let close = if byte == b'[' { b']' } else { b'}' };
                let next = bytes[at + 1..].iter().find(|byte| !byte.is_ascii_whitespace());
                scan.level += 1;
                if next != Some(&close) {
                    scan.end_line(out);
                }
            }
            b']' | b'}' => {
                scan.level = scan.level.saturating_sub(1);
                if !scan.line.ends_with(['[', '{']) {
                    scan.end_line(out);
                }
                scan.line.push(char::from(byte));
                if scan.level == 0 {
                    scan.end_line(out);
                }
            }
            b',' => {
                scan.line.push(',');
                scan.end_line(out);
            }
            b':' => scan.line.push_str(": "),
            byte if byte.is_ascii_whitespace() => {
                if scan.level == 0 && !scan.line.trim().is_empty() {
                    scan.end_line(out);
                }
            }
            _ => scan.line.push(char::from(byte)),
        }
    }
    if !scan.line.trim().is_empty() {
        scan.end_line(out);
    }
    !out.is_full()
}

/// The line that is being written, and how deep the next one stands.
struct Scan {
    line: String,
    level: usize,
}

impl Scan {
    fn end_line(&mut self, out: &mut Out) {
        out.line(self.line.trim_end());
        self.line.clear();
        self.line.push_str(&"  ".repeat(self.level));
    }
}
