//! The part of a large drawing that is in sight as an SVG file: lines, circles and words, for a
//! program that draws. A graph of 200,000 nodes and a million edges gives some 30 MB, so the file
//! says each edge and each node once and shortly.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use draw::whole::Spot;

use super::camera::{Camera, Pixel};
use super::labels::WrittenName;
use super::look::{BACK, NEAR_ALPHA, NEAR_LARGER, PageColours, Rgb};
use super::{Dressed, LargeGraph};
use crate::state::numbers::grouped;

/// Lines of one path cover each other without growing darker, so edges are dealt out to so many paths
/// at most: where many cross, the file is dark as the page is.
const MOST_PATHS: usize = 64;
/// Edges that make another path worth its bytes.
const EDGES_A_PATH: usize = 100;
/// Places in the file are whole numbers, so many for each pixel.
const PARTS: f64 = 10.0;
/// The least radius of a node, in pixels.
const LEAST_RADIUS: f64 = 0.75;
/// How far out of sight lines end, in pixels: their ends are not seen.
const RIM: f64 = 2.0;

/// What of a graph is drawn, and how.
#[derive(Clone, Copy, Debug)]
pub struct InSight<'a> {
    /// Where the nodes stand.
    pub at: &'a [Spot],
    /// How they look.
    pub dressed: &'a Dressed,
    /// What is in sight.
    pub camera: Camera,
    /// The radius of a usual node, in pixels.
    pub radius: f64,
    /// The colours around them.
    pub theme: PageColours,
    /// How opaque edges are.
    pub edge_alpha: f32,
    /// How opaque nodes are.
    pub node_alpha: f32,
    /// The node that is pointed at.
    pub pointed: Option<u32>,
    /// The names that are shown.
    pub names: &'a [WrittenName],
}

/// A drawing as a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Svg {
    /// The file.
    pub text: String,
    /// Nodes in it.
    pub n_nodes: usize,
    /// Edges in it.
    pub n_edges: usize,
}

/// A file that programs take long to open, in bytes.
const LARGE: usize = 5_000_000;

impl Svg {
    /// What it holds, for people; of a large one also what is smaller.
    pub fn said(&self) -> String {
        let said = format!(
            "graph.svg: {} nodes, {} edges, {:.1} MB.",
            grouped(self.n_nodes),
            grouped(self.n_edges),
            self.text.len() as f64 / 1e6
        );
        match self.text.len() > LARGE {
            true => format!(
                "{said} Many programs take long to open that: zoom in, and only what is in sight is saved; a PNG stays small."
            ),
            false => said,
        }
    }
}

/// The part of a line that is in a box from (-RIM, -RIM) to its size and RIM more (Liang and Barsky,
/// 1984).
fn clipped(a: Pixel, b: Pixel, size: (f64, f64)) -> Option<(Pixel, Pixel)> {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let (mut from, mut to) = (0.0f64, 1.0f64);
    for (step, room) in
        [(-dx, a.0 + RIM), (dx, size.0 + RIM - a.0), (-dy, a.1 + RIM), (dy, size.1 + RIM - a.1)]
    {
        if step == 0.0 {
            if room < 0.0 {
                return None;
            }
        } else if step < 0.0 {
            from = from.max(room / step);
        } else {
            to = to.min(room / step);
        }
    }
    let along = |share: f64| (a.0 + share * dx, a.1 + share * dy);
    (from <= to).then(|| (along(from), along(to)))
}

fn part(pixels: f64) -> i64 {
    (pixels * PARTS).round() as i64
}

fn hex([r, g, b]: Rgb) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

impl InSight<'_> {
    fn pixel(&self, node: u32) -> Pixel {
        self.camera.pixel(self.at[node as usize])
    }

    fn is_shown(&self, node: u32) -> bool {
        self.dressed.radii[node as usize] > 0.0
    }

    /// A line in the file's numbers: where it begins and how far it goes. Nothing where it is not seen.
    fn line(&self, (a, b): (u32, u32)) -> Option<[i64; 4]> {
        if !self.is_shown(a) || !self.is_shown(b) {
            return None;
        }
        let (a, b) = clipped(self.pixel(a), self.pixel(b), self.camera.size)?;
        let (x, y) = (part(a.0), part(a.1));
        let (dx, dy) = (part(b.0) - x, part(b.1) - y);
        (dx != 0 || dy != 0).then_some([x, y, dx, dy])
    }

    /// A circle in the file's numbers: its middle and its radius. Nothing where it is not seen.
    fn circle(&self, node: u32, radius: f64) -> Option<[i64; 3]> {
        if !self.is_shown(node) {
            return None;
        }
        let (x, y) = self.pixel(node);
        let radius = (f64::from(self.dressed.radii[node as usize]) * radius).max(LEAST_RADIUS);
        let is_in = |at: f64, room: f64| (-radius..=room + radius).contains(&at);
        let (width, height) = self.camera.size;
        (is_in(x, width) && is_in(y, height)).then(|| [part(x), part(y), part(radius).max(1)])
    }
}

fn write_path(out: &mut String, lines: impl Iterator<Item = [i64; 4]>) {
    out.push_str("<path d=\"");
    for [x, y, dx, dy] in lines {
        let _ = write!(out, "M{x} {y}l{dx} {dy}");
    }
    out.push_str("\"/>\n");
}

fn write_circles(out: &mut String, colour: Rgb, circles: &[[i64; 3]]) {
    let _ = writeln!(out, "<g fill=\"{}\">", hex(colour));
    for [x, y, r] in circles {
        let _ = writeln!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>");
    }
    out.push_str("</g>\n");
}

impl LargeGraph {
    /// What is in sight of a drawing as an SVG file that needs nothing beside it. Nodes of one colour
    /// stand together, so where nodes cover each other another may be on top than on the page.
    ///
    /// Each edge takes at most 26 bytes and each node 70, in a drawing of up to 8,192 pixels a side.
    /// O(n log n).
    pub fn svg(&self, drawn: &InSight) -> Svg {
        let (width, height) = drawn.camera.size;
        let theme = drawn.theme;
        let back = if drawn.pointed.is_some() { BACK } else { 1.0 };
        let lines: Vec<[i64; 4]> = self.edges.iter().filter_map(|&ends| drawn.line(ends)).collect();
        let mut by_colour: BTreeMap<Rgb, Vec<[i64; 3]>> = BTreeMap::new();
        for (node, &colour) in (0u32..).zip(&drawn.dressed.colours) {
            if let Some(circle) = drawn.circle(node, drawn.radius) {
                by_colour.entry(colour).or_default().push(circle);
            }
        }
        let n_nodes = by_colour.values().map(Vec::len).sum();
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
             <title>{n_nodes} nodes and {} edges</title>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n",
            lines.len(),
            hex(theme.paper)
        );
        let _ = writeln!(
            out,
            "<g transform=\"scale({})\" fill=\"none\" stroke-width=\"{PARTS}\">",
            1.0 / PARTS
        );
        let alpha = drawn.edge_alpha * back;
        let _ = writeln!(out, "<g stroke=\"{}\" stroke-opacity=\"{alpha:.3}\">", hex(theme.edge));
        let n_paths = (lines.len() / EDGES_A_PATH).clamp(1, MOST_PATHS).min(lines.len());
        for path in 0..n_paths {
            write_path(&mut out, lines.iter().skip(path).step_by(n_paths).copied());
        }
        let alpha = (f64::from(drawn.node_alpha * back) * 1000.0).round() / 1000.0;
        let _ = writeln!(out, "</g>\n<g fill-opacity=\"{alpha}\">");
        for (colour, circles) in by_colour {
            write_circles(&mut out, colour, &circles);
        }
        out.push_str("</g>\n");
        if let Some(node) = drawn.pointed.filter(|&n| (n as usize) < self.n_nodes()) {
            let near = self.links.of(node as usize);
            let _ = writeln!(
                out,
                "<g stroke=\"{}\" stroke-opacity=\"{NEAR_ALPHA}\">",
                hex(theme.accent)
            );
            write_path(&mut out, near.iter().filter_map(|&other| drawn.line((node, other))));
            out.push_str("</g>\n");
            let larger = drawn.radius + NEAR_LARGER;
            let circles: Vec<[i64; 3]> =
                near.iter().chain([&node]).filter_map(|&n| drawn.circle(n, larger)).collect();
            write_circles(&mut out, theme.accent, &circles);
        }
        let _ = writeln!(
            out,
            "</g>\n<g font-family=\"ui-sans-serif, system-ui, sans-serif\" font-size=\"12\" fill=\"{}\" stroke=\"{}\" stroke-width=\"4\" stroke-linejoin=\"round\" paint-order=\"stroke\">",
            hex(theme.ink),
            hex(theme.paper)
        );
        for name in drawn.names {
            let bold = match Some(name.node) == drawn.pointed {
                true => " font-weight=\"600\"",
                false => "",
            };
            let ((x, y), text) = (name.at, draw::escape(&name.text));
            let _ =
                writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" dy=\".35em\"{bold}>{text}</text>");
        }
        out.push_str("</g>\n</svg>\n");
        Svg { text: out, n_nodes, n_edges: lines.len() }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use graph::Graph;
    use proptest::prelude::*;
    use protocol::kg::WholeKg;
    use protocol::numbers::PackedNumbers;
    use quick_xml::Reader;
    use quick_xml::events::Event;

    use super::*;
    use crate::state::whole::Chosen;
    use crate::state::whole::labels::short;
    use crate::state::whole::look::By;

    const LIGHT: PageColours = PageColours {
        ink: [29, 31, 35],
        paper: [250, 249, 245],
        edge: [169, 174, 184],
        accent: [1, 2, 3],
    };

    fn some(names: &[&str], ends: &[u32]) -> LargeGraph {
        LargeGraph::of_knowledge(WholeKg {
            names: names.iter().map(|&n| n.to_owned()).collect(),
            types: vec!["a".into(), "b".into()],
            type_of: PackedNumbers((0..names.len() as u32).map(|i| i % 2).collect()),
            edges: PackedNumbers(ends.to_vec()),
        })
    }

    fn dressed(whole: &LargeGraph, hidden: &[u32]) -> Dressed {
        let hidden: BTreeSet<u32> = hidden.iter().copied().collect();
        let chosen = Chosen { colour: By::Type, size: By::Degree, hidden };
        whole.dressed(&chosen, &BTreeMap::new(), LIGHT.accent, false)
    }

    fn drawn<'a>(at: &'a [Spot], dressed: &'a Dressed, names: &'a [WrittenName]) -> InSight<'a> {
        let camera = Camera::fit(at, (640.0, 480.0));
        let (radius, edge_alpha, pointed) = (3.0, 0.5, None);
        InSight {
            at,
            dressed,
            camera,
            radius,
            theme: LIGHT,
            edge_alpha,
            node_alpha: 1.0,
            pointed,
            names,
        }
    }

    /// What elements a file has, and its words, by a reader of XML that is not ours.
    fn read(text: &str) -> (BTreeMap<String, usize>, Vec<String>) {
        let (mut elements, mut words, mut depth) = (BTreeMap::new(), Vec::new(), 0);
        let mut reader = Reader::from_str(text);
        loop {
            match reader.read_event().unwrap() {
                Event::Start(tag) | Event::Empty(tag) if tag.attributes().any(|a| a.is_err()) => {
                    panic!("attributes")
                }
                Event::Start(tag) => {
                    depth += 1;
                    let name = String::from_utf8(tag.name().as_ref().to_vec()).unwrap();
                    *elements.entry(name).or_default() += 1;
                }
                Event::Empty(tag) => {
                    let name = String::from_utf8(tag.name().as_ref().to_vec()).unwrap();
                    *elements.entry(name).or_default() += 1;
                }
                Event::End(_) => depth -= 1,
                Event::Text(text) => {
                    let text = text.unescape().unwrap().trim().to_owned();
                    if !text.is_empty() {
                        words.push(text);
                    }
                }
                Event::Eof => break,
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(depth, 0);
        (elements, words)
    }

    fn n_lines(text: &str) -> usize {
        text.matches('M').count()
    }

    #[test]
    fn a_file_has_each_node_and_each_edge_once_and_names_are_words() {
        let whole = some(&["<&\"'>", "b", "c\u{1}\u{ffff}"], &[0, 1, 1, 2]);
        let at = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]];
        let names: Vec<WrittenName> = (0u32..)
            .zip(&whole.names)
            .map(|(node, name)| WrittenName { node, text: short(name), at: (5.0, 6.0) })
            .collect();
        let dressed = dressed(&whole, &[]);
        let svg = whole.svg(&drawn(&at, &dressed, &names));
        let (elements, words) = read(&svg.text);
        assert_eq!((svg.n_nodes, svg.n_edges), (3, 2));
        assert_eq!((elements["circle"], elements["path"], elements["text"]), (3, 1, 3));
        assert_eq!(words, ["3 nodes and 2 edges", "<&\"'>", "b", "c"]);
        assert_eq!(n_lines(&svg.text), 2);
        assert!(svg.text.contains("fill=\"#faf9f5\"") && svg.text.contains("stroke=\"#a9aeb8\""));
    }

    #[test]
    fn what_is_pointed_at_stands_out_and_hidden_types_are_left_out() {
        let whole = some(&["a", "b", "c", "d"], &[0, 1, 0, 2, 2, 3]);
        let at = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let all = dressed(&whole, &[]);
        let svg = whole.svg(&InSight { pointed: Some(0), ..drawn(&at, &all, &[]) });
        let (elements, _) = read(&svg.text);
        assert_eq!((svg.n_nodes, elements["circle"], elements["path"]), (4, 4 + 3, 2));
        assert_eq!(n_lines(&svg.text), 3 + 2);
        assert!(svg.text.contains("fill-opacity=\"0.35\""));
        let fewer = dressed(&whole, &[1]);
        let svg = whole.svg(&drawn(&at, &fewer, &[]));
        assert_eq!((svg.n_nodes, svg.n_edges), (2, 1));
    }

    #[test]
    fn an_empty_drawing_is_a_file_too() {
        let whole = LargeGraph::of_graph(&Graph::default());
        let svg = whole.svg(&drawn(&[], &Dressed::default(), &[]));
        assert_eq!((svg.n_nodes, svg.n_edges), (0, 0));
        assert!(!read(&svg.text).0.contains_key("path"));
    }

    #[test]
    fn a_large_drawing_has_few_paths_and_few_bytes() {
        let n = 20_000u32;
        let names: Vec<String> = (0..n).map(|i| i.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let ends: Vec<u32> = (1..n).flat_map(|i| [i, i / 2, i, i * 7919 % i]).collect();
        let whole = some(&names, &ends);
        let at: Vec<Spot> =
            (0..n).map(|i| [(i * 7919 % 1999) as f32, (i * 104_729 % 1997) as f32]).collect();
        let dressed = dressed(&whole, &[]);
        let camera = Camera::fit(&at, (8_192.0, 8_192.0));
        let svg = whole.svg(&InSight { camera, ..drawn(&at, &dressed, &[]) });
        assert_eq!(svg.n_nodes, n as usize);
        let (elements, _) = read(&svg.text);
        assert!(elements["path"] <= MOST_PATHS);
        let bytes = svg.text.len();
        assert!(bytes <= 3_000 + svg.n_edges * 26 + svg.n_nodes * 50, "{bytes} bytes");
    }

    proptest! {
        #[test]
        fn what_is_out_of_sight_is_left_out_and_all_else_is_in_the_page(
            at in prop::collection::vec(prop::array::uniform2(-100.0f32..100.0), 2..40),
            scale in 1.0..200.0f64,
        ) {
            let names = vec!["x"; at.len()];
            let ends: Vec<u32> = (1..at.len() as u32).flat_map(|i| [i - 1, i]).collect();
            let whole = some(&names, &ends);
            let dressed = dressed(&whole, &[]);
            let fitting = drawn(&at, &dressed, &[]);
            let camera = Camera { scale, ..fitting.camera };
            let close = InSight { camera, ..fitting };
            let svg = whole.svg(&close);
            read(&svg.text);
            let seen = at.iter().filter(|&&place| camera.shows(camera.pixel(place))).count();
            prop_assert!(svg.n_nodes >= seen);
            for &(a, b) in &whole.edges {
                let Some([x, y, dx, dy]) = close.line((a, b)) else { continue };
                let (most_x, most_y) = (640 * 10 + 20, 480 * 10 + 20);
                for (x, y) in [(x, y), (x + dx, y + dy)] {
                    prop_assert!((-20..=most_x).contains(&x) && (-20..=most_y).contains(&y));
                }
            }
        }
    }
}
