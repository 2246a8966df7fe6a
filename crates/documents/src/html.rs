//! Pages of the web as Markdown.
//!
//! The tokens are read as the standard says, but no tree is built: what is open is a few counters
//! and a list of lists, so nothing in a page makes the stack or the time grow beyond its length.

use html5gum::{DefaultEmitter, StartTag, Token, Tokenizer};

use crate::DocumentLimits;
use crate::blocks::Blocks;
use crate::formula::Formula;
use crate::out::Out;

/// Elements whose content is not text of the page.
const SKIPPED: [&str; 14] = [
    "script", "style", "template", "noscript", "svg", "iframe", "object", "select", "textarea",
    "noembed", "noframes", "canvas", "audio", "video",
];
/// Elements that have no end.
const VOID: [&str; 13] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
];
/// Elements that begin and end a paragraph.
const BLOCKS: [&str; 28] = [
    "address",
    "article",
    "aside",
    "body",
    "center",
    "dd",
    "details",
    "dialog",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "head",
    "header",
    "html",
    "legend",
    "main",
    "nav",
    "p",
    "section",
    "summary",
    "title",
    "caption",
    "option",
];

/// What is left out until its end: the element's name, and how many of that name are open.
struct Skip {
    name: String,
    depth: usize,
}

/// Reads a page. In time that grows with it.
pub(crate) fn read(out: &mut Out, text: &str, limits: &DocumentLimits) {
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    let mut blocks = Blocks::new(out, limits);
    let mut skip: Option<Skip> = None;
    let mut maths: Option<Maths> = None;
    let mut spans = Vec::new();
    for Ok(token) in Tokenizer::new_with_emitter(text, emitter) {
        if blocks.is_full() {
            break;
        }
        match token {
            Token::StartTag(tag) => {
                let name = String::from_utf8_lossy(&tag.name).into_owned();
                if let Some(skip) = &mut skip {
                    if skip.name == name && !tag.self_closing {
                        skip.depth += 1;
                    }
                } else if name == "math" || maths.is_some() {
                    maths.get_or_insert_default().start(&name, &tag);
                } else if is_skipped(&name, &tag) {
                    if !tag.self_closing {
                        skip = Some(Skip { name, depth: 1 });
                    }
                } else {
                    start(&mut blocks, &name, &tag);
                    if name == "span" && !tag.self_closing && spans.len() < MAX_SPANS {
                        let style = style_in(&attribute(&tag, "style").unwrap_or_default());
                        style.into_iter().for_each(|style| blocks.style(style, 1));
                        spans.push(style);
                    }
                }
            }
            Token::EndTag(tag) => {
                let name = String::from_utf8_lossy(&tag.name);
                if let Some(open) = &mut skip {
                    if open.name == name {
                        open.depth -= 1;
                        if open.depth == 0 {
                            skip = None;
                        }
                    }
                } else if let Some(open) = &mut maths {
                    if let Some(line) = open.end(&name) {
                        blocks.text(&line);
                        maths = None;
                    }
                } else {
                    if name == "span" {
                        let style = spans.pop().flatten();
                        style.into_iter().for_each(|style| blocks.style(style, -1));
                    }
                    end(&mut blocks, &name);
                }
            }
            Token::String(text) if skip.is_none() => {
                let text = String::from_utf8_lossy(&text);
                match &mut maths {
                    Some(open) => open.text(&text),
                    None => blocks.text(&text),
                }
            }
            _ => {}
        }
    }
    blocks.finish();
}

/// How an element makes letters look, as [`Blocks::style`] counts it.
fn style_of(name: &str) -> Option<usize> {
    Some(match name {
        "b" | "strong" => 0,
        "i" | "em" => 1,
        "s" | "strike" | "del" => 2,
        "sup" => 3,
        "sub" => 4,
        _ => return None,
    })
}

/// The most spans that are open at once.
const MAX_SPANS: usize = 100_000;

/// What a style sheet in the element itself says of the place of its letters.
fn style_in(style: &str) -> Option<usize> {
    let style = style.to_ascii_lowercase().replace(' ', "");
    if style.contains("line-through") {
        Some(2)
    } else if style.contains("vertical-align:super") {
        Some(3)
    } else {
        style.contains("vertical-align:sub").then_some(4)
    }
}

/// A formula of a page. Some have beside it how it is written in TeX, which says it better.
#[derive(Default)]
struct Maths {
    formula: Formula,
    tex: String,
    /// How many annotations are open, and whether the innermost is TeX.
    annotations: usize,
    is_tex: bool,
}

impl Maths {
    fn start(&mut self, name: &str, tag: &StartTag<()>) {
        if name.starts_with("annotation") {
            self.annotations += 1;
            let kind = attribute(tag, "encoding").unwrap_or_default().to_lowercase();
            self.is_tex = kind.contains("tex");
        } else if self.annotations == 0 {
            self.formula.open(name.as_bytes());
            if tag.self_closing {
                self.formula.close();
            }
        }
    }

    /// The line of the formula at its end.
    fn end(&mut self, name: &str) -> Option<String> {
        if name.starts_with("annotation") {
            self.annotations = self.annotations.saturating_sub(1);
            return None;
        }
        if self.annotations > 0 && name != "math" {
            return None;
        }
        let mut line = self.formula.close();
        while name == "math" && line.is_none() && !self.formula.is_empty() {
            line = self.formula.close();
        }
        let tex = self.tex.trim();
        line.map(|line| if tex.is_empty() { line } else { format!("${tex}$") })
    }

    fn text(&mut self, text: &str) {
        match (self.annotations, self.is_tex) {
            (0, _) => self.formula.text(text.trim()),
            (_, true) => self.tex.push_str(text),
            _ => {}
        }
    }
}

fn is_skipped(name: &str, tag: &StartTag<()>) -> bool {
    if VOID.contains(&name) {
        return false;
    }
    SKIPPED.contains(&name) || attribute(tag, "hidden").is_some() || {
        let style = attribute(tag, "style").unwrap_or_default().to_ascii_lowercase();
        style.replace(' ', "").contains("display:none")
    }
}

fn attribute(tag: &StartTag<()>, name: &str) -> Option<String> {
    tag.attributes
        .get(name.as_bytes())
        .map(|value| String::from_utf8_lossy(value).trim().to_owned())
}

fn start(blocks: &mut Blocks<'_>, name: &str, tag: &StartTag<()>) {
    match name {
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
            blocks.flush();
            blocks.heading = usize::from(name.as_bytes()[1] - b'0');
        }
        "ul" | "menu" | "ol" => {
            let start = attribute(tag, "start").and_then(|start| start.parse().ok()).unwrap_or(1);
            blocks.open_list((name == "ol").then_some(start));
        }
        "li" => blocks.item(),
        "blockquote" => blocks.quote(true),
        "pre" => blocks.open_pre(),
        "br" => blocks.line_break(),
        "hr" => blocks.rule(),
        _ if style_of(name).is_some() => blocks.style(style_of(name).unwrap_or(0), 1),
        "code" | "kbd" | "samp" => blocks.code(),
        "a" => {
            let to = attribute(tag, "href").unwrap_or_default();
            let is_link = !to.is_empty()
                && !to.starts_with('#')
                && !["javascript:", "data:"].iter().any(|scheme| {
                    to.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme))
                });
            blocks.open_link(if is_link { &to } else { "" });
        }
        "img" => {
            let words = attribute(tag, "alt").unwrap_or_default();
            if !words.is_empty() {
                blocks.text(&format!("[image: {words}]"));
            }
        }
        "input" if attribute(tag, "type").as_deref() == Some("checkbox") => {
            let is_set = attribute(tag, "checked").is_some();
            blocks.text(if is_set { "[x] " } else { "[ ] " });
        }
        "table" => blocks.open_table(),
        "tr" => blocks.row(),
        "td" | "th" => {
            let span = |name| attribute(tag, name).and_then(|span| span.parse().ok()).unwrap_or(1);
            blocks.cell(span("colspan"), span("rowspan"));
        }
        _ if BLOCKS.contains(&name) => blocks.flush(),
        _ => {}
    }
}

fn end(blocks: &mut Blocks<'_>, name: &str) {
    match name {
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
            blocks.flush();
            blocks.heading = 0;
        }
        "title" => blocks.title(),
        "ul" | "menu" | "ol" => blocks.close_list(),
        "li" => blocks.flush(),
        "blockquote" => blocks.quote(false),
        "pre" => blocks.close_pre(),
        _ if style_of(name).is_some() => blocks.style(style_of(name).unwrap_or(0), -1),
        "code" | "kbd" | "samp" => blocks.code(),
        "a" => blocks.close_link(),
        "table" => blocks.close_table(),
        "tr" => blocks.close_row(),
        "td" | "th" => blocks.close_cell(),
        _ if BLOCKS.contains(&name) => blocks.flush(),
        _ => {}
    }
}
