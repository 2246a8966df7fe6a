//! Files of Office: zips with XML in them.

pub(crate) mod docx;
mod numbers;
pub(crate) mod pptx;
pub(crate) mod xlsx;

use std::collections::HashMap;

use quick_xml::events::{BytesStart, Event};

use crate::xml::attribute;
use crate::zip::Archive;
use crate::{DocumentError, DocumentKind, xml};

/// How many relations one part has at most; further ones are not looked at.
const RELATIONS: usize = 100_000;

/// Where one part leads to.
#[derive(Debug)]
pub(crate) struct Relation {
    /// The last word of its type, such as `hyperlink`.
    pub kind: String,
    /// The path of another part, or an address.
    pub target: String,
}

/// The text of a part, if the file has it.
pub(crate) fn part(archive: &Archive<'_>, path: &str) -> Result<Option<String>, DocumentError> {
    let Some(part) = archive.find(path) else { return Ok(None) };
    let bytes = archive.unpack(part)?;
    // What is UTF-8, as nearly all is, stays where it is.
    Ok(Some(
        String::from_utf8(bytes)
            .unwrap_or_else(|error| crate::text::decode(error.as_bytes()).text.into_owned()),
    ))
}

/// The text of a part that the file must have.
pub(crate) fn needed(
    archive: &Archive<'_>,
    kind: DocumentKind,
    path: &str,
) -> Result<String, DocumentError> {
    part(archive, path)?.ok_or_else(|| {
        DocumentError::broken(
            kind,
            path,
            "the part is missing",
            "open it in its program and save it again",
        )
    })
}

/// Where a part leads to, by the names that it uses for that.
pub(crate) fn relations(
    archive: &Archive<'_>,
    kind: DocumentKind,
    path: &str,
) -> Result<HashMap<String, Relation>, DocumentError> {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let list = format!("{folder}/_rels/{file}.rels");
    let mut relations = HashMap::new();
    let Some(text) = part(archive, &list)? else { return Ok(relations) };
    each(kind, &list, &text, |event| {
        if let Event::Start(element) = event
            && element.local_name().as_ref() == b"Relationship"
            && let (Some(id), Some(target)) =
                (attribute(element, "Id"), attribute(element, "Target"))
            && relations.len() < RELATIONS
        {
            let kind = attribute(element, "Type").unwrap_or_default();
            let kind = kind.rsplit('/').next().unwrap_or_default().to_owned();
            let is_outside =
                attribute(element, "TargetMode").is_some_and(|mode| mode == "External");
            let target = if is_outside { target } else { resolve(folder, &target) };
            relations.insert(id, Relation { kind, target });
        }
        true
    })?;
    Ok(relations)
}

/// A path that is seen from a folder, as it is in the zip.
fn resolve(folder: &str, target: &str) -> String {
    if let Some(path) = target.strip_prefix('/') {
        return path.to_owned();
    }
    let mut names: Vec<&str> = folder.split('/').filter(|name| !name.is_empty()).collect();
    for name in target.split('/') {
        match name {
            ".." => {
                names.pop();
            }
            "." | "" => {}
            _ => names.push(name),
        }
    }
    names.join("/")
}

/// Hands each event of a part to `take` until that says `false`.
pub(crate) fn each(
    kind: DocumentKind,
    part: &str,
    text: &str,
    mut take: impl FnMut(&Event<'_>) -> bool,
) -> Result<(), DocumentError> {
    let mut reader = xml::reader(text);
    loop {
        let at = reader.buffer_position();
        let event = reader
            .read_event()
            .map_err(|error| xml::broken(kind, part, text, at, error.to_string()))?;
        if matches!(event, Event::Eof) || !take(&event) {
            return Ok(());
        }
    }
}

/// Whether an element that switches something on, switches it on.
pub(crate) fn is_on(element: &BytesStart<'_>) -> bool {
    !attribute(element, "val")
        .is_some_and(|value| matches!(value.as_str(), "0" | "false" | "off" | "none"))
}
