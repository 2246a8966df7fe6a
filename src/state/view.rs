//! What part of a drawing is shown.

use draw::Point;

/// The part of the drawing that is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViewBox {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

impl From<(f64, f64, f64, f64)> for ViewBox {
    fn from((x, y, width, height): (f64, f64, f64, f64)) -> Self {
        Self { x, y, width, height }
    }
}

impl ViewBox {
    /// As SVG's `viewBox` has it.
    pub fn attribute(self) -> String {
        format!("{:.2} {:.2} {:.2} {:.2}", self.x, self.y, self.width, self.height)
    }

    /// The place in its middle.
    pub fn middle(self) -> Point {
        Point { x: self.x + self.width / 2.0, y: self.y + self.height / 2.0 }
    }

    /// The place in the drawing under a place on the screen.
    pub fn place(self, area: (f64, f64, f64, f64), x: f64, y: f64) -> Point {
        let (left, top, width, height) = area;
        let scale = (self.width / width.max(1.0)).max(self.height / height.max(1.0));
        let middle = self.middle();
        Point {
            x: middle.x + (x - left - width / 2.0) * scale,
            y: middle.y + (y - top - height / 2.0) * scale,
        }
    }

    /// Moved over the drawing.
    pub fn shifted(self, dx: f64, dy: f64) -> Self {
        Self { x: self.x + dx, y: self.y + dy, ..self }
    }

    /// Larger by a factor (smaller below 1), with one place staying where it is.
    pub fn zoomed(self, around: Point, factor: f64) -> Self {
        let factor = factor.clamp(80.0 / self.width, 20_000.0 / self.width);
        Self {
            x: around.x - (around.x - self.x) * factor,
            y: around.y - (around.y - self.y) * factor,
            width: self.width * factor,
            height: self.height * factor,
        }
    }

    /// As two fingers leave it that were at two places of the screen and are at two others: what was
    /// under their middle is under it still, and larger as they are further apart.
    pub fn pinched(self, area: (f64, f64, f64, f64), from: [Point; 2], to: [Point; 2]) -> Self {
        let middle = |[a, b]: [Point; 2]| Point { x: (a.x + b.x) / 2.0, y: (a.y + b.y) / 2.0 };
        let (before, after) = (middle(from), middle(to));
        let factor = from[0].distance(from[1]).max(1.0) / to[0].distance(to[1]).max(1.0);
        let held = self.place(area, before.x, before.y);
        let zoomed = self.zoomed(held, factor);
        let under = zoomed.place(area, after.x, after.y);
        zoomed.shifted(held.x - under.x, held.y - under.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AREA: (f64, f64, f64, f64) = (10.0, 20.0, 400.0, 300.0);

    fn at(x: f64, y: f64) -> Point {
        Point { x, y }
    }

    #[test]
    fn what_two_fingers_hold_stays_under_them() {
        let view = ViewBox::from((0.0, 0.0, 800.0, 600.0));
        let (from, to) =
            ([at(100.0, 100.0), at(200.0, 100.0)], [at(90.0, 150.0), at(290.0, 150.0)]);
        let pinched = view.pinched(AREA, from, to);
        assert_eq!(pinched.width, 400.0);
        for i in 0..2 {
            let before = view.place(AREA, from[i].x, from[i].y);
            let after = pinched.place(AREA, to[i].x, to[i].y);
            assert!(before.distance(after) < 1e-6, "{before:?} {after:?}");
        }
    }

    #[test]
    fn fingers_that_stay_or_meet_break_nothing() {
        let view = ViewBox::from((0.0, 0.0, 800.0, 600.0));
        let from = [at(100.0, 100.0), at(200.0, 100.0)];
        assert_eq!(view.pinched(AREA, from, from), view);
        let met = view.pinched(AREA, from, [at(100.0, 100.0); 2]);
        assert!(met.width.is_finite() && met.width > 0.0);
    }
}
