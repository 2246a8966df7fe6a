//! XML as a list of tags, each with its line.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::FormatError;

/// One piece of XML; names are without their prefixes.
pub(super) enum Piece {
    Open { tag: String, attributes: Vec<(String, String)>, is_closed: bool },
    Text(String),
    Close(String),
}

/// Reads pieces one after the other.
pub(super) struct Pieces<'a> {
    reader: Reader<&'a [u8]>,
    text: &'a str,
    counted_to: usize,
    line: usize,
}

impl<'a> Pieces<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { reader: Reader::from_str(text), text, counted_to: 0, line: 1 }
    }

    fn place(&mut self) -> usize {
        let at = (self.reader.buffer_position() as usize).min(self.text.len());
        let passed = self.text.as_bytes().get(self.counted_to..at).unwrap_or_default();
        self.line += passed.iter().filter(|&&b| b == b'\n').count();
        self.counted_to = at.max(self.counted_to);
        self.line
    }

    /// The next piece with the line in which it begins.
    pub fn next(&mut self) -> Result<Option<(usize, Piece)>, FormatError> {
        loop {
            let line = self.place();
            let event = self.reader.read_event();
            let piece = match event {
                Err(e) => {
                    let line = self.place();
                    return Err(FormatError::at(line, format!("this is not XML: {e}")));
                }
                Ok(Event::Eof) => return Ok(None),
                Ok(Event::Start(tag)) => open(&tag, false),
                Ok(Event::Empty(tag)) => open(&tag, true),
                Ok(Event::End(tag)) => {
                    Piece::Close(String::from_utf8_lossy(tag.local_name().as_ref()).into_owned())
                }
                // An entity that only a document's own type knows stays as it is written.
                Ok(Event::Text(part)) => Piece::Text(part.unescape().map_or_else(
                    |_| String::from_utf8_lossy(&part).into_owned(),
                    std::borrow::Cow::into_owned,
                )),
                Ok(Event::CData(part)) => {
                    Piece::Text(String::from_utf8_lossy(&part.into_inner()).into_owned())
                }
                Ok(_) => continue,
            };
            return Ok(Some((line, piece)));
        }
    }
}

fn open(tag: &BytesStart<'_>, is_closed: bool) -> Piece {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let attributes = tag.attributes().flatten().map(|a| {
        let value = a.unescape_value().map_or_else(|_| text(&a.value), |v| v.into_owned());
        (text(a.key.local_name().as_ref()), value)
    });
    let attributes = attributes.collect();
    Piece::Open { tag: text(tag.local_name().as_ref()), attributes, is_closed }
}

/// The value of an attribute.
pub(super) fn attribute<'a>(attributes: &'a [(String, String)], key: &str) -> Option<&'a str> {
    attributes.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str())
}

pub(super) fn needed<'a>(
    attributes: &'a [(String, String)],
    tag: &str,
    key: &str,
) -> Result<&'a str, FormatError> {
    attribute(attributes, key)
        .ok_or_else(|| FormatError::new(format!("a <{tag}> has no attribute `{key}`")))
}

pub(super) fn escaped(text: &str) -> String {
    quick_xml::escape::escape(text).into_owned()
}
