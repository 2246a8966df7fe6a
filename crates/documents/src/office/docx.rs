//! Texts of Word.

mod styles;

use std::collections::HashMap;

use quick_xml::events::{BytesStart, Event};

use super::{Relation, each, is_on, needed, part, relations};
use crate::blocks::Blocks;
use crate::formula::Formula;
use crate::inline::Look;
use crate::out::Out;
use crate::pdf::symbol;
use crate::xml::{attribute, text_of};
use crate::zip::Archive;
use crate::{DocumentError, DocumentKind, DocumentLimits, UNREADABLE};
use styles::Styles;

/// Whether a part is the text itself: Office on the web calls it `document2.xml`.
pub(crate) fn is_main(path: &str) -> bool {
    let number = path.strip_prefix("word/document").and_then(|rest| rest.strip_suffix(".xml"));
    number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Elements whose text is not what the reader of the text sees.
const SKIPPED: [&[u8]; 5] = [b"del", b"moveFrom", b"Fallback", b"rPrChange", b"pPrChange"];

/// Reads a text: headings, paragraphs, lists, tables, footnotes. Time grows with its parts.
pub(crate) fn read(
    out: &mut Out,
    bytes: &[u8],
    limits: &DocumentLimits,
) -> Result<(), DocumentError> {
    let archive = Archive::open(bytes, limits)?;
    let path = archive.parts.iter().find(|part| is_main(&part.path));
    let path = path.map_or("word/document.xml", |part| &part.path);
    let main = needed(&archive, DocumentKind::Docx, path)?;
    let relations = relations(&archive, DocumentKind::Docx, path)?;
    let styles = Styles::read(&archive)?;
    let mut text = Text::new(Blocks::new(out, limits), &styles, &relations);
    each(DocumentKind::Docx, path, &main, |event| text.take(event))?;
    text.blocks.finish();
    for (path, title, sign) in
        [("word/footnotes.xml", "Footnotes", ""), ("word/endnotes.xml", "Endnotes", "e")]
    {
        let Some(notes) = part(&archive, path)?.filter(|_| !out.is_full()) else { continue };
        // The two that every file has are lines, not notes.
        if notes.matches("<w:t>").count() + notes.matches("<w:t ").count() == 0 {
            continue;
        }
        out.heading(2, title);
        let mut text = Text::new(Blocks::new(out, limits), &styles, &relations);
        text.sign = sign;
        each(DocumentKind::Docx, path, &notes, |event| text.take(event))?;
        text.blocks.finish();
    }
    if archive.parts.iter().any(|part| part.path.starts_with("word/media/")) {
        out.note("Images are left out; their descriptions are in the text.");
    }
    if archive.find("word/comments.xml").is_some() {
        out.note("Comments are left out.");
    }
    Ok(())
}

/// Where we are in a text.
struct Text<'a> {
    blocks: Blocks<'a>,
    styles: &'a Styles,
    relations: &'a HashMap<String, Relation>,
    /// How many elements are open within one that is skipped, itself counted.
    skipped: usize,
    /// Whether the text of the open element counts.
    is_text: bool,
    /// How the letters of the open run look, and whether they are of the font of signs.
    look: Look,
    is_symbols: bool,
    formula: Option<Formula>,
    is_run: bool,
    paragraph: Paragraph,
    /// The next number of each list and level.
    numbers: HashMap<(String, usize), usize>,
    /// What stands before the numbers of notes.
    sign: &'static str,
    /// What the next paragraph begins with.
    mark: String,
    /// How many columns the open cell spans.
    columns: usize,
    is_cell_open: bool,
}

#[derive(Default)]
struct Paragraph {
    is_begun: bool,
    heading: usize,
    list: Option<String>,
    level: usize,
}

impl<'a> Text<'a> {
    fn new(
        blocks: Blocks<'a>,
        styles: &'a Styles,
        relations: &'a HashMap<String, Relation>,
    ) -> Self {
        Self {
            blocks,
            styles,
            relations,
            skipped: 0,
            is_text: false,
            look: Look::default(),
            is_symbols: false,
            formula: None,
            is_run: false,
            paragraph: Paragraph::default(),
            numbers: HashMap::new(),
            sign: "",
            mark: String::new(),
            columns: 1,
            is_cell_open: false,
        }
    }

    fn take(&mut self, event: &Event<'_>) -> bool {
        match event {
            Event::Start(element) => {
                if self.skipped > 0 || SKIPPED.contains(&element.local_name().as_ref()) {
                    self.skipped += 1;
                } else {
                    self.start(element);
                }
            }
            Event::End(_) if self.skipped > 0 => self.skipped -= 1,
            Event::End(element) => {
                let name = element.local_name();
                match &mut self.formula {
                    Some(formula) => {
                        self.is_text &= name.as_ref() != b"t";
                        if let Some(line) = formula.close() {
                            self.formula = None;
                            self.look = Look::default();
                            self.begin();
                            self.blocks.text(&line);
                        }
                    }
                    None => self.end(name.as_ref()),
                }
            }
            Event::Text(text) if self.is_text && self.skipped == 0 => {
                let text = text_of(text);
                match &mut self.formula {
                    Some(formula) => formula.text(&text),
                    None => {
                        self.begin();
                        self.blocks.text(&signs(&text, self.is_symbols));
                    }
                }
            }
            _ => {}
        }
        !self.blocks.is_full()
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
            b"p" => {
                self.blocks.flush();
                self.paragraph = Paragraph::default();
            }
            b"pStyle" => {
                let id = attribute(element, "val").unwrap_or_default();
                if let Some(style) = self.styles.style(&id) {
                    self.paragraph.heading = style.heading;
                    if self.paragraph.list.is_none() {
                        self.paragraph.list.clone_from(&style.list);
                        self.paragraph.level = style.level;
                    }
                }
            }
            b"outlineLvl" => {
                let level = attribute(element, "val").and_then(|level| level.parse().ok());
                self.paragraph.heading =
                    level.filter(|level| *level < 9).map_or(0, |level: usize| level + 1);
            }
            b"ilvl" => self.paragraph.level = number(element).min(8),
            b"numId" => {
                self.paragraph.list = attribute(element, "val").filter(|list| list != "0");
            }
            b"r" => {
                self.is_run = true;
                (self.look, self.is_symbols) = (Look::default(), false);
            }
            b"b" if self.is_run => self.look.is_bold = is_on(element),
            b"i" if self.is_run => self.look.is_italic = is_on(element),
            b"strike" | b"dstrike" if self.is_run => self.look.is_struck = is_on(element),
            b"vertAlign" if self.is_run => {
                self.look.script = match attribute(element, "val").as_deref() {
                    Some("superscript") => Some('^'),
                    Some("subscript") => Some('_'),
                    _ => None,
                };
            }
            b"rFonts" if self.is_run => {
                let font = attribute(element, "ascii").or_else(|| attribute(element, "hAnsi"));
                self.is_symbols = font.as_deref() == Some("Symbol");
            }
            b"sym" => {
                let code = attribute(element, "char");
                let code = code.and_then(|code| u32::from_str_radix(&code, 16).ok());
                let is_symbols = attribute(element, "font").as_deref() == Some("Symbol");
                let code = code.and_then(char::from_u32).unwrap_or('\u{f000}');
                self.begin();
                self.blocks.text(&signs(&code.to_string(), is_symbols));
            }
            b"t" => self.is_text = true,
            b"tab" if self.is_run => self.blocks.text(" "),
            b"br" | b"cr" if self.is_run => self.blocks.line_break(),
            b"noBreakHyphen" => self.blocks.text("-"),
            b"docPr" => {
                if let Some(words) = attribute(element, "descr").filter(|words| !words.is_empty()) {
                    self.begin();
                    self.blocks.text(&format!("[image: {words}]"));
                }
            }
            b"hyperlink" => {
                let id = attribute(element, "id").unwrap_or_default();
                let to = self.relations.get(&id).filter(|relation| relation.kind == "hyperlink");
                self.begin();
                self.blocks.open_link(to.map_or("", |relation| &relation.target));
            }
            b"footnoteReference" => self.refer(element, ""),
            b"endnoteReference" => self.refer(element, "e"),
            b"footnote" | b"endnote" => {
                let id = attribute(element, "id").unwrap_or_default();
                let is_line = attribute(element, "type").is_some_and(|kind| kind != "normal");
                if is_line {
                    self.skipped = 1;
                } else {
                    self.mark = format!("[^{}{id}]: ", self.sign);
                }
            }
            b"tbl" => {
                self.blocks.no_list();
                self.blocks.open_table();
            }
            b"tr" => self.blocks.row(),
            b"tc" => {
                self.columns = 1;
                self.is_cell_open = false;
            }
            b"gridSpan" => self.columns = number(element),
            _ => {}
        }
    }

    fn end(&mut self, name: &[u8]) {
        match name {
            b"tcPr" => self.open_cell_if_new(),
            b"p" => {
                self.open_cell_if_new();
                self.blocks.flush();
                self.paragraph = Paragraph::default();
                self.blocks.heading = 0;
            }
            b"r" => self.is_run = false,
            b"t" => self.is_text = false,
            b"hyperlink" => self.blocks.close_link(),
            b"tc" => {
                self.open_cell_if_new();
                self.blocks.close_cell();
                self.is_cell_open = true;
            }
            b"tr" => self.blocks.close_row(),
            b"tbl" => self.blocks.close_table(),
            _ => {}
        }
    }

    fn open_cell_if_new(&mut self) {
        if !self.is_cell_open && self.blocks.is_table() {
            self.blocks.cell(self.columns, 1);
            self.is_cell_open = true;
        }
    }

    /// Sets up a paragraph when its first text comes: all that is known of it was said before.
    fn begin(&mut self) {
        self.open_cell_if_new();
        if !std::mem::replace(&mut self.paragraph.is_begun, true) {
            let level = self.paragraph.level;
            if self.paragraph.heading > 0 {
                self.blocks.no_list();
                self.blocks.heading = self.paragraph.heading;
            } else if let Some(list) = &self.paragraph.list {
                let number = self.styles.is_numbered(list, level).then(|| {
                    let next = self.numbers.entry((list.clone(), level)).or_insert(0);
                    *next += 1;
                    *next
                });
                for below in level + 1..9 {
                    self.numbers.remove(&(list.clone(), below));
                }
                self.blocks.item_at(level, number);
            } else {
                self.blocks.no_list();
            }
        }
        if !self.mark.is_empty() {
            self.blocks.text(&std::mem::take(&mut self.mark));
        }
        self.blocks.set_look(self.look);
    }

    fn refer(&mut self, element: &BytesStart<'_>, sign: &str) {
        if let Some(id) = attribute(element, "id") {
            self.begin();
            self.blocks.text(&format!("[^{sign}{id}]"));
        }
    }
}

/// A text with characters of a symbol font, which use Unicode's private area.
fn signs(text: &str, is_symbols: bool) -> String {
    let is_own = |char: char| ('\u{f020}'..='\u{f0ff}').contains(&char);
    if !is_symbols && !text.contains(|char| is_own(char) || char == '\u{f000}') {
        return text.to_owned();
    }
    let mut shown = String::new();
    for char in text.chars() {
        let code = u8::try_from(char as u32 & 0xff).unwrap_or_default();
        let sign = match char {
            _ if is_own(char) || char.is_ascii_graphic() && is_symbols => symbol(code),
            '\u{f000}' => None,
            char => Some(char),
        };
        match sign {
            Some(sign) if is_symbols || !is_own(char) => shown.push(sign),
            _ => shown.push_str(UNREADABLE),
        }
    }
    shown
}

fn number(element: &BytesStart<'_>) -> usize {
    attribute(element, "val").and_then(|value| value.parse().ok()).unwrap_or(0)
}
