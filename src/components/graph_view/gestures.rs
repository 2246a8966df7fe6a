//! What part of the drawing is shown, and what a pointer holds.

use draw::Point;
use graph::NodeName;

/// The part of the drawing that is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct View {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

impl From<(f64, f64, f64, f64)> for View {
    fn from((x, y, width, height): (f64, f64, f64, f64)) -> Self {
        Self { x, y, width, height }
    }
}

impl View {
    pub(crate) fn attribute(self) -> String {
        format!("{:.2} {:.2} {:.2} {:.2}", self.x, self.y, self.width, self.height)
    }

    pub(crate) fn middle(self) -> Point {
        Point { x: self.x + self.width / 2.0, y: self.y + self.height / 2.0 }
    }

    /// The place in the drawing under a place on the screen.
    pub(super) fn place(self, area: (f64, f64, f64, f64), x: f64, y: f64) -> Point {
        let (left, top, width, height) = area;
        let scale = (self.width / width.max(1.0)).max(self.height / height.max(1.0));
        let middle = self.middle();
        Point {
            x: middle.x + (x - left - width / 2.0) * scale,
            y: middle.y + (y - top - height / 2.0) * scale,
        }
    }

    pub(crate) fn shifted(self, dx: f64, dy: f64) -> Self {
        Self { x: self.x + dx, y: self.y + dy, ..self }
    }

    /// Larger by a factor (smaller below 1), with one place staying where it is.
    pub(crate) fn zoomed(self, around: Point, factor: f64) -> Self {
        let factor = factor.clamp(80.0 / self.width, 20_000.0 / self.width);
        Self {
            x: around.x - (around.x - self.x) * factor,
            y: around.y - (around.y - self.y) * factor,
            width: self.width * factor,
            height: self.height * factor,
        }
    }
}

/// What a pointer holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Grip {
    Node { name: NodeName, start: Point, moved: bool },
    Background { start: Point, view: View, moved: bool },
}

/// The nearest node in the direction of an arrow key.
pub(super) fn neighbour_in(
    nodes: &[(NodeName, Point)],
    from: &NodeName,
    key: &str,
) -> Option<NodeName> {
    let (_, at) = nodes.iter().find(|(n, _)| n == from)?;
    nodes
        .iter()
        .filter(|(n, _)| n != from)
        .filter_map(|(n, p)| {
            let (dx, dy) = (p.x - at.x, p.y - at.y);
            let (along, across) = match key {
                "ArrowLeft" => (-dx, dy),
                "ArrowRight" => (dx, dy),
                "ArrowUp" => (-dy, dx),
                _ => (dy, dx),
            };
            (along > 1.0).then(|| (along + 2.0 * across.abs(), n))
        })
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, n)| n.clone())
}
