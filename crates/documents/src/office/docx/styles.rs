//! What the styles and lists of a text are.

use std::collections::{HashMap, HashSet};

use quick_xml::events::Event;

use crate::office::{each, part};
use crate::xml::attribute;
use crate::zip::Archive;
use crate::{DocumentError, DocumentKind};

/// How many styles a style may stand on.
const PARENTS: usize = 20;

/// What a style says of a paragraph.
#[derive(Clone, Debug, Default)]
pub(super) struct Style {
    /// The level of a heading, from 1, else 0.
    pub heading: usize,
    /// The list that it is an item of.
    pub list: Option<String>,
    /// How deep in that list, from 0.
    pub level: usize,
    parent: Option<String>,
}

/// Styles and lists.
#[derive(Debug, Default)]
pub(super) struct Styles {
    styles: HashMap<String, Style>,
    /// Which kind of list a list is.
    kinds: HashMap<String, String>,
    /// The levels of kinds of lists that are numbered.
    numbered: HashSet<(String, usize)>,
}

impl Styles {
    /// Reads the parts about styles and lists, where there are any.
    pub(super) fn read(archive: &Archive<'_>) -> Result<Self, DocumentError> {
        let mut styles = Self::default();
        if let Some(text) = part(archive, "word/styles.xml")? {
            styles.read_styles(&text)?;
        }
        if let Some(text) = part(archive, "word/numbering.xml")? {
            styles.read_lists(&text)?;
        }
        Ok(styles)
    }

    /// The style of a paragraph, with what it has from those that it stands on.
    pub(super) fn style(&self, id: &str) -> Option<Style> {
        let mut style = self.styles.get(id)?.clone();
        for _ in 0..PARENTS {
            let Some(parent) = style.parent.take().and_then(|id| self.styles.get(&id)) else {
                break;
            };
            if style.heading == 0 {
                style.heading = parent.heading;
            }
            if style.list.is_none() {
                style.list.clone_from(&parent.list);
            }
            style.parent.clone_from(&parent.parent);
        }
        Some(style)
    }

    /// Whether a level of a list has numbers, not signs.
    pub(super) fn is_numbered(&self, list: &str, level: usize) -> bool {
        self.kinds.get(list).is_some_and(|kind| self.numbered.contains(&(kind.clone(), level)))
    }

    fn read_styles(&mut self, text: &str) -> Result<(), DocumentError> {
        let mut open: Option<(String, Style)> = None;
        each(DocumentKind::Docx, "word/styles.xml", text, |event| {
            match event {
                Event::Start(element) => {
                    let value = || attribute(element, "val").unwrap_or_default();
                    match (element.local_name().as_ref(), &mut open) {
                        (b"style", _) => {
                            let id = attribute(element, "styleId").unwrap_or_default();
                            open = Some((id, Style::default()));
                        }
                        (b"name", Some((_, style))) => {
                            let name = value().to_ascii_lowercase();
                            if name == "title" {
                                style.heading = 1;
                            } else if let Some(level) = name
                                .strip_prefix("heading ")
                                .and_then(|level| level.parse::<usize>().ok())
                            {
                                style.heading = level.clamp(1, 9);
                            }
                        }
                        (b"basedOn", Some((_, style))) => style.parent = Some(value()),
                        (b"outlineLvl", Some((_, style))) => {
                            if let Some(level) =
                                value().parse::<usize>().ok().filter(|level| *level < 9)
                            {
                                style.heading = level + 1;
                            }
                        }
                        (b"numId", Some((_, style))) => {
                            style.list = Some(value()).filter(|list| list != "0");
                        }
                        (b"ilvl", Some((_, style))) => {
                            style.level = value().parse::<usize>().unwrap_or(0).min(8);
                        }
                        _ => {}
                    }
                }
                Event::End(element) if element.local_name().as_ref() == b"style" => {
                    self.styles.extend(open.take());
                }
                _ => {}
            }
            true
        })
    }

    fn read_lists(&mut self, text: &str) -> Result<(), DocumentError> {
        let (mut kind, mut level, mut list) = (String::new(), 0, String::new());
        each(DocumentKind::Docx, "word/numbering.xml", text, |event| {
            let Event::Start(element) = event else { return true };
            let value = |name| attribute(element, name).unwrap_or_default();
            match element.local_name().as_ref() {
                b"abstractNum" => kind = value("abstractNumId"),
                b"lvl" => level = value("ilvl").parse::<usize>().unwrap_or(0).min(8),
                b"numFmt" if !matches!(value("val").as_str(), "bullet" | "none") => {
                    self.numbered.insert((kind.clone(), level));
                }
                b"num" => list = value("numId"),
                b"abstractNumId" => {
                    self.kinds.insert(list.clone(), value("val"));
                }
                _ => {}
            }
            true
        })
    }
}
