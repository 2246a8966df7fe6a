//! A scene as an SVG file that needs nothing beside it.

use std::fmt::Write as _;

use crate::arrange::BASELINE;
use crate::{ARROW, Mark, NODE_RADIUS, Point, Scene};

/// Which colours a file gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Dark ink on a light ground.
    Light,
    /// Light ink on a dark ground.
    Dark,
}

/// The colours of a theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colours {
    /// The ground.
    pub paper: &'static str,
    /// A node's inside.
    pub sheet: &'static str,
    /// Text and rims.
    pub ink: &'static str,
    /// What stands back.
    pub muted: &'static str,
    /// Edges.
    pub edge: &'static str,
    /// A path, and what a page is about.
    pub accent: &'static str,
    /// Text on it.
    pub on_accent: &'static str,
    /// Claimed and true.
    pub ok: &'static str,
    /// Claimed and false.
    pub wrong: &'static str,
    /// Looked at.
    pub read: &'static str,
    /// Changed; right in part.
    pub written: &'static str,
}

impl Theme {
    /// Its colours.
    pub fn colours(self) -> &'static Colours {
        match self {
            Self::Light => &LIGHT,
            Self::Dark => &DARK,
        }
    }
}

// The same values as the page's tokens; a test of the page compares them.
const LIGHT: Colours = Colours {
    paper: "#faf9f5",
    sheet: "#ffffff",
    ink: "#1d1f23",
    muted: "#5f6570",
    edge: "#a9aeb8",
    accent: "#0c6b68",
    on_accent: "#ffffff",
    ok: "#1c7a43",
    wrong: "#c02f23",
    read: "#2a5cc4",
    written: "#a05a00",
};
const DARK: Colours = Colours {
    paper: "#15171a",
    sheet: "#1c1f24",
    ink: "#e9e7e1",
    muted: "#a2a7b0",
    edge: "#5a616d",
    accent: "#5fc9c0",
    on_accent: "#0d1a1a",
    ok: "#6fd394",
    wrong: "#ff8a7a",
    read: "#8fb4ff",
    written: "#f0b45a",
};

/// Text that is safe inside SVG and HTML.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // The last two are no characters of XML either.
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

impl Colours {
    fn of(&self, marks: &[Mark]) -> Option<(&'static str, f64, &'static str)> {
        let first = |m: Mark| marks.contains(&m);
        if first(Mark::False) {
            Some((self.wrong, 2.5, " stroke-dasharray=\"6 6\""))
        } else if first(Mark::Path) || first(Mark::Picked) {
            Some((self.accent, 4.0, ""))
        } else if first(Mark::True) {
            Some((self.ok, 4.0, ""))
        } else if first(Mark::Aside) {
            Some((self.written, 4.0, " stroke-dasharray=\"10 5\""))
        } else if first(Mark::Cut) {
            Some((self.written, 3.5, " stroke-dasharray=\"2 5\""))
        } else if first(Mark::Flow) {
            Some((self.accent, 3.0, ""))
        } else if first(Mark::Pair) {
            Some((self.muted, 1.2, " stroke-dasharray=\"1 4\""))
        } else if first(Mark::Written) {
            Some((self.written, 3.0, ""))
        } else if first(Mark::Read) {
            Some((self.read, 3.0, ""))
        } else {
            None
        }
    }
}

/// What draws a shape faintly, where it is to be.
fn faint(marks: &[Mark]) -> &'static str {
    if marks.contains(&Mark::Faded) { " opacity=\"0.35\"" } else { "" }
}

/// The scene as a whole SVG document.
pub fn svg(scene: &Scene, theme: Theme, title: &str) -> String {
    let ink = theme.colours();
    let (x, y, width, height) = scene.view;
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{x:.1} {y:.1} {width:.1} {height:.1}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" font-family=\"system-ui, sans-serif\" \
         text-anchor=\"middle\"><title>{}</title>\
         <rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"100%\" height=\"100%\" fill=\"{}\"/>",
        escape(title),
        ink.paper
    );
    for edge in &scene.edges {
        let (colour, stroke, dash) = ink.of(&edge.marks).unwrap_or((ink.edge, 1.6, ""));
        let _ = write!(
            out,
            "<path d=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{stroke}\"{dash}{}/>",
            edge.line,
            faint(&edge.marks)
        );
        if let Some([a, b, c]) = edge.arrow {
            let _ = write!(
                out,
                "<path d=\"M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}Z\" fill=\"{colour}\"{}/>",
                a.x,
                a.y,
                b.x,
                b.y,
                c.x,
                c.y,
                faint(&edge.marks)
            );
        }
    }
    if !scene.cut.is_empty() {
        let _ = write!(
            out,
            "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" \
             stroke-dasharray=\"12 7\"/>",
            scene.cut, ink.written
        );
    }
    for edge in scene.edges.iter().filter(|e| e.tag.is_none()) {
        if let Some(words) = &edge.label {
            write_label(&mut out, edge.label_at, words, ink.muted, ink.paper);
        }
    }
    for node in &scene.nodes {
        let marked = ink.of(&node.marks);
        let filled = node.marks.iter().any(|m| matches!(m, Mark::Path | Mark::True));
        let (stroke, width, dash) = marked.unwrap_or((ink.ink, 1.6, ""));
        let (fill, text) = if filled { (stroke, ink.on_accent) } else { (ink.sheet, ink.ink) };
        let (x, y) = (node.at.x, node.at.y);
        let style = format!(
            "fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"{}\"{dash}{}/>",
            width.min(3.0),
            faint(&node.marks)
        );
        let _ = if node.half > NODE_RADIUS {
            write!(
                out,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"{NODE_RADIUS}\" {style}",
                x - node.half,
                y - NODE_RADIUS,
                2.0 * node.half,
                2.0 * NODE_RADIUS
            )
        } else {
            write!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{NODE_RADIUS}\" {style}")
        };
        let _ = write!(
            out,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" dy=\".35em\" font-size=\"14\" font-weight=\"600\" \
             fill=\"{text}\">{}</text>",
            escape(&node.label)
        );
        if let Some(tag) = &node.tag {
            let result = node.result.as_ref().map_or_else(String::new, |result| {
                let words = escape(result);
                format!("<tspan fill=\"{stroke}\">{ARROW}{words}</tspan>")
            });
            let _ = write!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"12\" fill=\"{}\" stroke=\"{}\" \
                 stroke-width=\"4\" paint-order=\"stroke\">{}{result}</text>",
                node.tag_at.x,
                node.tag_at.y + BASELINE,
                ink.muted,
                ink.paper,
                escape(tag)
            );
        }
    }
    // Words of a verdict stand above everything, or a node would cover them.
    for edge in &scene.edges {
        if let Some(words) = &edge.tag {
            write_label(&mut out, edge.label_at, words, ink.wrong, ink.paper);
        }
    }
    out.push_str("</svg>\n");
    out
}

fn write_label(out: &mut String, at: Point, words: &str, colour: &str, paper: &str) {
    let _ = write!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" dy=\".35em\" font-size=\"13\" fill=\"{colour}\" \
         stroke=\"{paper}\" stroke-width=\"5\" paint-order=\"stroke\">{}</text>",
        at.x,
        at.y,
        escape(words)
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LayoutKind, Marks, Places, layout};
    use graph::Graph;

    #[test]
    fn names_cannot_break_out_of_the_file() {
        let mut graph = Graph::directed();
        graph.link("<b>\"", "</svg>").unwrap();
        let places = layout(&graph, LayoutKind::Circle, 1, &Places::default());
        let file = svg(&Scene::new(&graph, &places, &Marks::default()), Theme::Dark, "<x>");
        assert_eq!(file.matches("</svg>").count(), 1);
        assert!(!file.contains("<b>") && !file.contains("<x>"));
    }

    #[test]
    fn the_same_scene_gives_the_same_file() {
        let mut graph = Graph::undirected();
        graph.link_weighted(0usize, 1usize, 4.0).unwrap();
        let places = layout(&graph, LayoutKind::Columns, 1, &Places::default());
        let scene = Scene::new(&graph, &places, &Marks::default());
        insta::assert_snapshot!(svg(&scene, Theme::Light, "two nodes"));
    }
}
