//! Slides of PowerPoint.

use std::collections::HashMap;

use quick_xml::events::{BytesStart, Event};

use super::{Relation, each, needed, part, relations};
use crate::blocks::Blocks;
use crate::formula::Formula;
use crate::inline::Look;
use crate::out::{Out, one_line, thousands};
use crate::xml::{attribute, text_of};
use crate::zip::Archive;
use crate::{DocumentError, DocumentKind, DocumentLimits};

const MAIN: &str = "ppt/presentation.xml";

/// Reads slides: a heading for each, its texts, tables and notes. Time grows with the parts.
pub(crate) fn read(
    out: &mut Out,
    bytes: &[u8],
    limits: &DocumentLimits,
) -> Result<(), DocumentError> {
    let archive = Archive::open(bytes, limits)?;
    let related = relations(&archive, DocumentKind::Pptx, MAIN)?;
    let mut slides = Vec::new();
    let mut count = 0;
    each(DocumentKind::Pptx, MAIN, &needed(&archive, DocumentKind::Pptx, MAIN)?, |event| {
        if let Event::Start(element) = event
            && element.local_name().as_ref() == b"sldId"
        {
            // `id` is a number, `r:id` the relation.
            let id = element.attributes().with_checks(false).flatten().find(|attribute| {
                attribute.key.prefix().is_some() && attribute.key.local_name().as_ref() == b"id"
            });
            count += 1;
            if slides.len() < limits.pages {
                slides.push(id.map_or(String::new(), |id| crate::xml::unescape(&id.value)));
            }
        }
        true
    })?;
    for (place, id) in slides.iter().enumerate() {
        if out.is_full() {
            break;
        }
        let number = place + 1;
        let Some(relation) = related.get(id) else {
            out.note(format!("Slide {number}: its part is missing."));
            continue;
        };
        slide(out, &archive, &relation.target, number, limits)?;
    }
    if count > slides.len() {
        let (read, all) = (thousands(slides.len()), thousands(count));
        out.leave_out(format!("Only the first {read} of {all} slides are read."));
    }
    if archive.parts.iter().any(|part| part.path.starts_with("ppt/media/")) {
        out.note("Images are left out; their descriptions are in the text.");
    }
    Ok(())
}

fn slide(
    out: &mut Out,
    archive: &Archive<'_>,
    path: &str,
    number: usize,
    limits: &DocumentLimits,
) -> Result<(), DocumentError> {
    let text = needed(archive, DocumentKind::Pptx, path)?;
    let related = relations(archive, DocumentKind::Pptx, path)?;
    let (mut title, mut is_hidden) = (Title::default(), false);
    each(DocumentKind::Pptx, path, &text, |event| {
        if let Event::Start(element) = event
            && element.local_name().as_ref() == b"sld"
        {
            is_hidden = attribute(element, "show").is_some_and(|show| show == "0");
        }
        title.take(event)
    })?;
    let hidden = if is_hidden { " (hidden)" } else { "" };
    let title = one_line(&title.text);
    let colon = if title.is_empty() { "" } else { ": " };
    out.heading(2, &format!("Slide {number}{hidden}{colon}{title}"));
    let mut shapes = Shapes::new(Blocks::new(out, limits), &related);
    each(DocumentKind::Pptx, path, &text, |event| shapes.take(event))?;
    shapes.blocks.finish();
    let notes = related.values().find(|relation| relation.kind == "notesSlide");
    if let Some(notes) = notes.filter(|_| !out.is_full())
        && let Some(text) = part(archive, &notes.target)?
    {
        let mut body = Title { is_body: true, ..Title::default() };
        each(DocumentKind::Pptx, &notes.target, &text, |event| body.take(event))?;
        let words = body.text.trim();
        if !words.is_empty() {
            out.paragraph(&format!("Notes: {words}"));
        }
    }
    Ok(())
}

/// The text of the shapes that hold a slide's title, or the body of its notes.
#[derive(Default)]
struct Title {
    text: String,
    is_body: bool,
    is_wanted: bool,
    is_text: bool,
}

impl Title {
    fn take(&mut self, event: &Event<'_>) -> bool {
        match event {
            Event::Start(element) => match element.local_name().as_ref() {
                b"sp" => self.is_wanted = false,
                b"ph" => {
                    self.is_wanted = if self.is_body { is_body(element) } else { is_title(element) }
                }
                b"t" => self.is_text = self.is_wanted,
                b"br" if self.is_wanted => self.text.push('\n'),
                _ => {}
            },
            Event::End(element) => match element.local_name().as_ref() {
                b"t" => self.is_text = false,
                b"p" if self.is_wanted => self.text.push('\n'),
                b"sp" => self.is_wanted = false,
                _ => {}
            },
            Event::Text(text) if self.is_text => self.text.push_str(&text_of(text)),
            _ => {}
        }
        true
    }
}

fn is_title(element: &BytesStart<'_>) -> bool {
    attribute(element, "type").is_some_and(|kind| matches!(kind.as_str(), "title" | "ctrTitle"))
}

fn is_body(element: &BytesStart<'_>) -> bool {
    attribute(element, "type").is_some_and(|kind| kind == "body")
}

/// The shapes of a slide, as they are written.
struct Shapes<'a> {
    blocks: Blocks<'a>,
    related: &'a HashMap<String, Relation>,
    /// Whether the open shape is the title, a date or a number of the slide.
    is_skipped: bool,
    is_text: bool,
    is_run: bool,
    look: Look,
    formula: Option<Formula>,
    /// How deep the paragraph stands, and whether its first text came.
    level: usize,
    is_begun: bool,
    has_link: bool,
    is_fallback: bool,
}

impl<'a> Shapes<'a> {
    fn new(blocks: Blocks<'a>, related: &'a HashMap<String, Relation>) -> Self {
        Self {
            blocks,
            related,
            is_skipped: false,
            is_text: false,
            is_run: false,
            look: Look::default(),
            formula: None,
            level: 0,
            is_begun: false,
            has_link: false,
            is_fallback: false,
        }
    }

    fn take(&mut self, event: &Event<'_>) -> bool {
        match event {
            Event::Start(element) if !self.is_fallback => self.start(element),
            Event::End(element) if self.formula.is_some() => {
                self.is_text &= element.local_name().as_ref() != b"t";
                if let Some(line) = self.formula.as_mut().and_then(Formula::close) {
                    self.formula = None;
                    self.begin();
                    self.blocks.set_look(Look::default());
                    self.blocks.text(&line);
                }
            }
            Event::End(element) => match element.local_name().as_ref() {
                b"Fallback" => self.is_fallback = false,
                _ if self.is_fallback => {}
                b"t" => self.is_text = false,
                b"r" => {
                    self.is_run = false;
                    if std::mem::take(&mut self.has_link) {
                        self.blocks.close_link();
                    }
                }
                b"p" => self.blocks.flush(),
                b"sp" => {
                    self.is_skipped = false;
                    self.blocks.no_list();
                }
                b"tc" => self.blocks.close_cell(),
                b"tr" => self.blocks.close_row(),
                b"tbl" => self.blocks.close_table(),
                _ => {}
            },
            Event::Text(text) if self.is_text && !self.is_skipped && !self.is_fallback => {
                if let Some(formula) = &mut self.formula {
                    formula.text(&text_of(text));
                } else {
                    self.begin();
                    self.blocks.set_look(self.look);
                    self.blocks.text(&text_of(text));
                }
            }
            _ => {}
        }
        !self.blocks.is_full()
    }

    /// Sets up a paragraph when its first text comes.
    fn begin(&mut self) {
        if !std::mem::replace(&mut self.is_begun, true) && !self.blocks.is_table() {
            self.blocks.item_at(self.level, None);
        }
    }

    fn start(&mut self, element: &BytesStart<'_>) {
        let name = element.local_name();
        if name.as_ref() == b"oMath" || self.formula.is_some() {
            let formula = self.formula.get_or_insert_default();
            formula.property(name.as_ref(), attribute(element, "val"));
            formula.open(name.as_ref());
            self.is_text |= name.as_ref() == b"t";
            return;
        }
        match name.as_ref() {
            b"Fallback" => self.is_fallback = true,
            b"ph" => {
                let kind = attribute(element, "type").unwrap_or_default();
                self.is_skipped =
                    is_title(element) || matches!(kind.as_str(), "dt" | "sldNum" | "ftr" | "hdr");
            }
            b"sp" => self.is_skipped = false,
            b"p" => {
                self.blocks.flush();
                (self.level, self.is_begun) = (0, false);
            }
            b"pPr" => {
                let level = attribute(element, "lvl").and_then(|level| level.parse().ok());
                self.level = level.unwrap_or(0).min(8);
            }
            b"r" | b"fld" => (self.is_run, self.look) = (true, Look::default()),
            b"rPr" if self.is_run => {
                let is_set = |name| {
                    attribute(element, name).is_some_and(|on| matches!(on.as_str(), "1" | "true"))
                };
                // How far letters stand above the line, in thousandths of a percent.
                let rise = attribute(element, "baseline").and_then(|b| b.parse::<i32>().ok());
                let script = rise.filter(|rise| *rise != 0);
                let strike = attribute(element, "strike");
                self.look = Look {
                    is_bold: is_set("b"),
                    is_italic: is_set("i"),
                    is_struck: strike.is_some_and(|s| s != "noStrike"),
                    script: script.map(|rise| if rise > 0 { '^' } else { '_' }),
                };
            }
            b"hlinkClick" if self.is_run && !self.is_skipped => {
                let id = attribute(element, "id").unwrap_or_default();
                let to = self.related.get(&id).filter(|relation| relation.kind == "hyperlink");
                if let Some(relation) = to {
                    self.begin();
                    self.blocks.open_link(&relation.target);
                    self.has_link = true;
                }
            }
            b"t" => self.is_text = true,
            b"br" if !self.is_skipped => self.blocks.line_break(),
            b"cNvPr" => {
                if let Some(words) = attribute(element, "descr").filter(|words| !words.is_empty()) {
                    self.blocks.no_list();
                    self.blocks.text(&format!("[image: {words}]"));
                    self.blocks.flush();
                }
            }
            b"tbl" => {
                self.blocks.no_list();
                self.blocks.open_table();
            }
            b"tr" => self.blocks.row(),
            // A cell that another one covers is there too, and empty.
            b"tc" => self.blocks.cell(1, 1),
            _ => {}
        }
    }
}
