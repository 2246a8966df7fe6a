//! Plots as shapes: the page renders them, and [`Plot::svg`] writes them as a file.
//!
//! A plot has no colours of its own: every shape has a role, which a style sheet colours, so that a
//! plot looks the same in the page and in an exported file, in light and dark.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::escape;

/// What a shape is, and with that its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ink {
    /// A line of the grid.
    Grid,
    /// Lines of an axis.
    Axis,
    /// Words and numbers beside the axes.
    Text,
    /// Words that matter less.
    Muted,
    /// The series of that number.
    Series(u8),
    /// The same, faint: an interval.
    Faint(u8),
}

/// So many series have a colour and a shape of their own.
pub const N_SERIES: u8 = 6;

impl Ink {
    /// Its class in a style sheet.
    pub fn class(self) -> String {
        match self {
            Self::Grid => "p-grid".into(),
            Self::Axis => "p-axis".into(),
            Self::Text => "p-text".into(),
            Self::Muted => "p-muted".into(),
            Self::Series(i) => format!("p-s{}", i % N_SERIES),
            Self::Faint(i) => format!("p-f{}", i % N_SERIES),
        }
    }
}

/// Where a text stands beside its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Anchor {
    /// To the right of it.
    Start,
    /// Half of the words on each side of the place.
    Middle,
    /// To the left of it.
    End,
}

impl Anchor {
    /// As SVG names it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }
}

/// A shape of a plot, in points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "shape", rename_all = "snake_case")]
pub enum Shape {
    /// A line, or several.
    Line {
        /// The line in the form of SVG's attribute `d`.
        path: String,
        /// The role that gives the colour.
        ink: Ink,
    },
    /// A filled shape, such as a bar.
    Area {
        /// The outline in the form of SVG's attribute `d`.
        path: String,
        /// The role that gives the colour.
        ink: Ink,
        /// What it stands for, told to whoever points at it.
        title: String,
    },
    /// Words at a place.
    Words {
        /// Points from the left.
        x: f64,
        /// From the top, to the base line.
        y: f64,
        /// The words, on one line.
        text: String,
        /// On which side of the place the words stand.
        anchor: Anchor,
        /// The role that gives the colour.
        ink: Ink,
    },
}

/// A plot: its size and its shapes, those behind first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plot {
    /// What the plot shows, for its title and for screen readers.
    pub title: String,
    /// The same in a sentence with its figures, for who cannot see it.
    pub description: String,
    /// In units of a pixel.
    pub width: f64,
    /// In units of a pixel.
    pub height: f64,
    /// In the order in which they are drawn.
    pub shapes: Vec<Shape>,
}

/// The colours of [`Ink`], as a style sheet; the page has the same by its own tokens.
pub const STYLE: &str = "\
.p-grid{stroke:#e3e1da;fill:none}.p-axis{stroke:#8b909a;fill:none}\
.p-text{fill:#1d1f23}.p-muted{fill:#5f6570}\
.p-s0{fill:#0c6b68;stroke:#0c6b68}.p-s1{fill:#a05a00;stroke:#a05a00}.p-s2{fill:#2a5cc4;stroke:#2a5cc4}\
.p-s3{fill:#8a3d8f;stroke:#8a3d8f}.p-s4{fill:#c02f23;stroke:#c02f23}.p-s5{fill:#4d5a14;stroke:#4d5a14}\
.p-f0{stroke:#0c6b68}.p-f1{stroke:#a05a00}.p-f2{stroke:#2a5cc4}\
.p-f3{stroke:#8a3d8f}.p-f4{stroke:#c02f23}.p-f5{stroke:#4d5a14}\
.p-f0,.p-f1,.p-f2,.p-f3,.p-f4,.p-f5{fill:none;stroke-opacity:.55;stroke-width:2}\
@media(prefers-color-scheme:dark){.p-grid{stroke:#33383f}.p-axis{stroke:#7d838d}\
.p-text{fill:#e9e7e1}.p-muted{fill:#a2a7b0}\
.p-s0{fill:#5fc9c0;stroke:#5fc9c0}.p-s1{fill:#f0b45a;stroke:#f0b45a}.p-s2{fill:#8fb4ff;stroke:#8fb4ff}\
.p-s3{fill:#d79be0;stroke:#d79be0}.p-s4{fill:#ff8a7a;stroke:#ff8a7a}.p-s5{fill:#bccb6a;stroke:#bccb6a}\
.p-f0{stroke:#5fc9c0}.p-f1{stroke:#f0b45a}.p-f2{stroke:#8fb4ff}\
.p-f3{stroke:#d79be0}.p-f4{stroke:#ff8a7a}.p-f5{stroke:#bccb6a}}";

/// A number with as few digits as tell it.
fn short(x: f64) -> String {
    let text = format!("{x:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

impl Plot {
    /// The plot as an `svg` element. `id` has to be unique in its document.
    pub fn svg(&self, id: &str) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" role=\"img\" \
             aria-labelledby=\"{id}-t {id}-d\" viewBox=\"0 0 {} {}\" \
             font-family=\"system-ui, sans-serif\" font-size=\"13\">\
             <title id=\"{id}-t\">{}</title><desc id=\"{id}-d\">{}</desc>",
            short(self.width),
            short(self.height),
            escape(&self.title),
            escape(&self.description),
        );
        for shape in &self.shapes {
            let _ = match shape {
                Shape::Line { path, ink } => {
                    write!(out, "<path class=\"{}\" fill=\"none\" d=\"{path}\"/>", ink.class())
                }
                Shape::Area { path, ink, title } => write!(
                    out,
                    "<path class=\"{}\" d=\"{path}\"><title>{}</title></path>",
                    ink.class(),
                    escape(title)
                ),
                Shape::Words { x, y, text, anchor, ink } => write!(
                    out,
                    "<text class=\"{}\" x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>",
                    ink.class(),
                    short(*x),
                    short(*y),
                    anchor.as_str(),
                    escape(text)
                ),
            };
        }
        out.push_str("</svg>");
        out
    }

    /// The plot as a file that needs nothing beside it.
    pub fn file(&self) -> String {
        self.svg("plot").replacen("><title", &format!("><style>{STYLE}</style><title"), 1)
    }

    fn words(&mut self, x: f64, y: f64, anchor: Anchor, ink: Ink, text: impl Into<String>) {
        self.shapes.push(Shape::Words { x, y, text: text.into(), anchor, ink });
    }

    fn line(&mut self, ink: Ink, path: String) {
        self.shapes.push(Shape::Line { path, ink });
    }

    fn area(&mut self, ink: Ink, path: String, title: impl Into<String>) {
        self.shapes.push(Shape::Area { path, ink, title: title.into() });
    }
}

/// A value with its interval and what it is called.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotValue {
    /// The value, in the units of the axis.
    pub value: f64,
    /// Its lower and upper bound, where there is an interval.
    pub bounds: Option<(f64, f64)>,
    /// In words, for whoever points at it.
    pub words: String,
}

/// A mark of a series: a shape of its own, so that colour is never alone.
fn mark(series: u8, x: f64, y: f64) -> String {
    let r = 4.5;
    match series % N_SERIES {
        0 => format!("M{:.1} {y:.1}a{r} {r} 0 1 0 9 0a{r} {r} 0 1 0-9 0Z", x - r),
        1 => format!("M{:.1} {:.1}h8v8h-8Z", x - 4.0, y - 4.0),
        2 => format!("M{x:.1} {:.1}l5 9h-10Z", y - 5.0),
        3 => format!("M{x:.1} {:.1}l5 5.5l-5 5.5l-5-5.5Z", y - 5.5),
        4 => format!("M{x:.1} {:.1}l-5-9h10Z", y + 5.0),
        _ => format!("M{:.1} {:.1}h10v3h-10Z", x - 5.0, y - 1.5),
    }
}

/// The width of a plot where there is room, in units of a pixel.
pub const WIDTH: f64 = 540.0;
/// Narrower than this, names stand over their rows and not beside them.
const NARROW: f64 = 440.0;
/// The least width that leaves room for anything.
const LEAST: f64 = 240.0;

/// The names of the series above a plot, with their marks; gives the height they took.
fn legend(plot: &mut Plot, series: &[String]) -> f64 {
    let (mut x, mut y) = (10.0, 16.0);
    for (i, name) in series.iter().enumerate() {
        let wide = 26.0 + 7.0 * name.chars().count() as f64;
        if x + wide > plot.width && x > 10.0 {
            (x, y) = (10.0, y + 18.0);
        }
        plot.area(Ink::Series(i as u8), mark(i as u8, x + 6.0, y - 4.0), name.clone());
        plot.words(x + 16.0, y, Anchor::Start, Ink::Text, name.clone());
        x += wide;
    }
    y
}

/// One row a name, one mark a series: values from 0 to `most` on a line, each with its interval.
/// `width` is in units of a pixel; [`WIDTH`] is usual, a phone has less.
pub fn dots(
    title: &str,
    description: &str,
    series: &[String],
    rows: &[(String, Vec<Option<PlotValue>>)],
    (most, unit): (f64, &str),
    width: f64,
) -> Plot {
    let mut plot = Plot {
        title: title.into(),
        description: description.into(),
        width: width.max(LEAST),
        height: 0.0,
        shapes: Vec::new(),
    };
    let start = legend(&mut plot, series) + 14.0;
    let longest = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let is_narrow = plot.width < NARROW;
    let left = if is_narrow { 20.0 } else { (20.0 + 6.9 * longest as f64).min(230.0) };
    let right = plot.width - 30.0;
    let over = if is_narrow { 16.0 } else { 0.0 };
    let step = 12.0 * series.len().max(1) as f64 + 10.0 + over;
    let end = start + step * rows.len() as f64;
    let most = if most > 0.0 { most } else { 1.0 };
    let at = |v: f64| left + (right - left) * (v / most).clamp(0.0, 1.0);
    for tick in ticks(most) {
        plot.line(Ink::Grid, format!("M{0:.1} {start:.1}V{end:.1}", at(tick)));
        plot.words(
            at(tick),
            end + 16.0,
            Anchor::Middle,
            Ink::Muted,
            format!("{}{unit}", short(tick)),
        );
    }
    for (i, (name, values)) in rows.iter().enumerate() {
        let top = start + step * i as f64;
        if is_narrow {
            plot.words(left, top + 14.0, Anchor::Start, Ink::Text, name.clone());
        } else {
            plot.words(left - 10.0, top + step / 2.0 + 4.0, Anchor::End, Ink::Text, name.clone());
        }
        for (k, value) in values.iter().enumerate() {
            let Some(value) = value else { continue };
            let y = top + over + 11.0 + 12.0 * k as f64;
            if let Some((low, high)) = value.bounds {
                plot.line(Ink::Faint(k as u8), format!("M{:.1} {y:.1}H{:.1}", at(low), at(high)));
            }
            plot.area(Ink::Series(k as u8), mark(k as u8, at(value.value), y), value.words.clone());
        }
    }
    plot.line(Ink::Axis, format!("M{left:.1} {end:.1}H{right:.1}"));
    plot.height = end + 26.0;
    plot
}

/// Points of several series over two axes; those of a series are joined where `joined`. `width` is as
/// in [`dots`].
pub fn points(
    title: &str,
    description: &str,
    series: &[String],
    data: &[Vec<(f64, PlotValue)>],
    axes: (&str, &str),
    joined: bool,
    width: f64,
) -> Plot {
    let mut plot = Plot {
        title: title.into(),
        description: description.into(),
        width: width.max(LEAST),
        height: 320.0,
        shapes: Vec::new(),
    };
    let top = legend(&mut plot, series) + 28.0;
    let (left, right, bottom) = (64.0, plot.width - 30.0, top + 200.0);
    plot.height = bottom + 44.0;
    let most_x = data.iter().flatten().map(|(x, _)| *x).fold(0.0, f64::max);
    let most_x = if most_x > 0.0 { most_x } else { 1.0 };
    let place_x = |x: f64| left + 14.0 + (right - left - 28.0) * (x / most_x).clamp(0.0, 1.0);
    let place_y = |y: f64| bottom - (bottom - top) * (y / 100.0).clamp(0.0, 1.0);
    for tick in ticks(100.0) {
        plot.line(Ink::Grid, format!("M{left:.1} {:.1}H{right:.1}", place_y(tick)));
        plot.words(
            left - 8.0,
            place_y(tick) + 4.0,
            Anchor::End,
            Ink::Muted,
            format!("{}%", short(tick)),
        );
    }
    for tick in ticks(most_x) {
        let text = if most_x < 0.1 {
            format!("{tick:.4}")
        } else if most_x < 10.0 {
            format!("{tick:.2}")
        } else {
            short(tick)
        };
        plot.words(place_x(tick), bottom + 16.0, Anchor::Middle, Ink::Muted, text);
    }
    plot.line(Ink::Axis, format!("M{left:.1} {bottom:.1}H{right:.1}"));
    plot.words(left - 54.0, top - 12.0, Anchor::Start, Ink::Muted, axes.1);
    plot.words(right, bottom + 36.0, Anchor::End, Ink::Muted, axes.0);
    for (k, values) in data.iter().enumerate() {
        let k = k as u8;
        if joined && values.len() > 1 {
            let mut path = String::new();
            for (i, (x, value)) in values.iter().enumerate() {
                let letter = if i == 0 { 'M' } else { 'L' };
                let px = place_x(*x) + 6.0 * (f64::from(k) - (data.len() as f64 - 1.0) / 2.0);
                let _ = write!(path, "{letter}{px:.1} {:.1}", place_y(value.value));
            }
            plot.line(Ink::Faint(k), path);
        }
        for (x, value) in values {
            // Series beside each other, or the last would hide the others where they agree.
            let px = place_x(*x) + 6.0 * (f64::from(k) - (data.len() as f64 - 1.0) / 2.0);
            if let Some((low, high)) = value.bounds {
                plot.line(
                    Ink::Faint(k),
                    format!("M{px:.1} {:.1}V{:.1}", place_y(low), place_y(high)),
                );
            }
            plot.area(Ink::Series(k), mark(k, px, place_y(value.value)), value.words.clone());
        }
    }
    plot
}

/// Round numbers from 0 to `most`, about five.
fn ticks(most: f64) -> Vec<f64> {
    let rough = most / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0]
        .into_iter()
        .map(|m| m * power)
        .find(|s| *s >= rough * 0.999)
        .unwrap_or(rough);
    let n = (most / step + 1e-9).floor() as usize;
    (0..=n.min(12)).map(|i| i as f64 * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ticks_are_few_and_in_range(most in 1e-6f64..1e9) {
            let ticks = ticks(most);
            prop_assert!((2..=12).contains(&ticks.len()), "{:?}", ticks);
            prop_assert!(ticks.iter().all(|t| *t <= most * (1.0 + 1e-6)));
        }

        /// Whatever stands in a name, the file is one XML document with nothing of it as markup.
        #[test]
        fn names_are_never_markup(name in ".{0,20}", value in 0.0f64..100.0) {
            let dot = PlotValue { value, bounds: Some((0.0, 100.0)), words: name.clone() };
            let plot = dots(&name, &name, std::slice::from_ref(&name), &[(name.clone(), vec![Some(dot)])], (100.0, "%"), WIDTH);
            let file = plot.file();
            let tags = file.matches('<').count();
            let plain = dots("a", "a", &["a".into()], &[("a".into(), vec![Some(PlotValue { value, bounds: Some((0.0, 100.0)), words: "a".into() })])], (100.0, "%"), WIDTH);
            prop_assert_eq!(tags, plain.file().matches('<').count());
            prop_assert!(file.starts_with("<svg") && file.ends_with("</svg>"));
        }
    }

    #[test]
    fn every_value_has_a_mark_and_a_name_for_pointing() {
        let value = |v: f64| Some(PlotValue { value: v, bounds: None, words: format!("{v} %") });
        let rows = vec![
            ("a".into(), vec![value(50.0), None]),
            ("b".into(), vec![value(10.0), value(90.0)]),
        ];
        let plot = dots("t", "d", &["x".into(), "y".into()], &rows, (100.0, "%"), WIDTH);
        let marks = plot.shapes.iter().filter(|s| matches!(s, Shape::Area { .. })).count();
        assert_eq!(marks, 2 + 3, "two in the legend, three values");
        assert!(plot.svg("p").contains("<title>90 %</title>"));
    }

    #[test]
    fn a_narrow_plot_has_all_of_it_within_its_width() {
        let value =
            |v: f64| Some(PlotValue { value: v, bounds: Some((0.0, 100.0)), words: "w".into() });
        let rows = vec![("shortest_path, easy".to_owned(), vec![value(50.0), value(100.0)])];
        let series = ["a model, with graph tools".to_owned(), "a model, without tools".to_owned()];
        let plot = dots("t", "d", &series, &rows, (100.0, "%"), 300.0);
        assert!((plot.width - 300.0).abs() < 1e-9);
        for shape in &plot.shapes {
            if let Shape::Words { x, .. } = shape {
                assert!((0.0..=300.0).contains(x), "{x}");
            }
        }
        // The name has a line of its own over its marks.
        let name = plot.shapes.iter().find_map(|s| match s {
            Shape::Words { x, anchor: Anchor::Start, text, .. } if text.starts_with("shortest") => {
                Some(*x)
            }
            _ => None,
        });
        assert!(name.is_some_and(|x| x < 30.0));
    }
}
