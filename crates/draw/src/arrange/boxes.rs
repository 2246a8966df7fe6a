//! Shapes that must not cover each other: nodes, and the boxes of words.

use crate::{NODE_RADIUS, Point};

/// The size of the words in a node, beside a node, and on an edge, in the units of the drawing.
pub(super) const IN_NODE: f64 = 14.0;
pub(super) const BESIDE: f64 = 12.0;
pub(super) const ON_EDGE: f64 = 13.0;

/// About how wide words are, in units: fonts differ, so this is the wider side of the usual ones.
pub(super) fn width(text: &str, size: f64) -> f64 {
    let of = |c: char| match c {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' | '[' | ']' => 0.40,
        't' | 'f' | 'r' | '(' | ')' | '-' | '/' => 0.48,
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.98,
        c if c.is_ascii_uppercase() => 0.76,
        c if c.is_ascii() || c == '…' || c == '·' => 0.65,
        c if (c as u32) < 0x2e80 => 0.70,
        // Characters of East Asia, signs and the like are as wide as they are high.
        _ => 1.1,
    };
    text.chars().map(of).sum::<f64>() * size
}

/// A box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rect {
    pub at: Point,
    /// Half of its width and of its height.
    pub half: (f64, f64),
}

impl Rect {
    /// The box of words with their middle at a place.
    pub(super) fn of_words(text: &str, size: f64, at: Point) -> Self {
        Self { at, half: (width(text, size) / 2.0, size * 0.5) }
    }

    /// How much of the smaller box the other covers, from 0 to 1.
    pub(super) fn covered(&self, other: &Self) -> f64 {
        let side = |a: f64, b: f64, ha: f64, hb: f64| {
            ((ha + hb - (a - b).abs()).min(2.0 * ha.min(hb))).max(0.0)
        };
        let area = side(self.at.x, other.at.x, self.half.0, other.half.0)
            * side(self.at.y, other.at.y, self.half.1, other.half.1);
        let least = (self.half.0 * self.half.1).min(other.half.0 * other.half.1) * 4.0;
        area / least.max(1e-9)
    }

    /// The same with a margin.
    pub(super) fn grown(&self, by: f64) -> Self {
        Self { half: (self.half.0 + by, self.half.1 + by), ..*self }
    }

    fn distance(&self, p: Point) -> f64 {
        let dx = ((p.x - self.at.x).abs() - self.half.0).max(0.0);
        let dy = ((p.y - self.at.y).abs() - self.half.1).max(0.0);
        dx.hypot(dy)
    }

    /// Whether a place is in it.
    pub(super) fn has(&self, p: Point) -> bool {
        self.distance(p) <= 0.0
    }
}

/// A node: a circle, or a pill where its words are wider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shape {
    pub at: Point,
    /// Half of its width.
    pub half: f64,
}

impl Shape {
    /// How far a place is from its rim; below 0 within it.
    pub(super) fn distance(&self, p: Point) -> f64 {
        let straight = (self.half - NODE_RADIUS).max(0.0);
        let dx = ((p.x - self.at.x).abs() - straight).max(0.0);
        dx.hypot(p.y - self.at.y) - NODE_RADIUS
    }

    /// How deep a box reaches into it, in units; 0 where it does not.
    pub(super) fn depth(&self, rect: &Rect) -> f64 {
        let straight = (self.half - NODE_RADIUS).max(0.0);
        // The box grown by the straight part of a pill, against a circle.
        let wide = Rect { half: (rect.half.0 + straight, rect.half.1), ..*rect };
        (NODE_RADIUS - wide.distance(self.at)).max(0.0)
    }
}

/// The widest half of a pill.
const WIDEST: f64 = 42.0;

/// Half of the width of a node with these words in it; what does not fit a pill stands beside it.
pub(crate) fn half_width(label: &str) -> f64 {
    let words = width(label, IN_NODE);
    // Three digits fit a circle.
    if words <= 2.0 * NODE_RADIUS - 6.0 { NODE_RADIUS } else { words / 2.0 + 7.0 }
}

/// Whether words fit into a node. O(letters).
pub fn fits(label: &str) -> bool {
    half_width(label) <= WIDEST
}
