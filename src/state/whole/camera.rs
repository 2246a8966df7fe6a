//! Which part of a large drawing is in sight.

use draw::whole::Spot;

/// A place on the screen, in pixels from the upper left corner of the drawing.
pub type Pixel = (f64, f64);

/// The part of the plane that is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// What is in the middle.
    pub middle: (f64, f64),
    /// Pixels for each unit of the plane.
    pub scale: f64,
    /// Width and height of the drawing in pixels.
    pub size: (f64, f64),
}

impl Default for Camera {
    fn default() -> Self {
        Self { middle: (0.0, 0.0), scale: 1.0, size: (1.0, 1.0) }
    }
}

/// Free space around a drawing that is seen whole, in pixels.
const MARGIN: f64 = 24.0;
/// The most pixels for a unit of the plane, which is about the length of an edge.
const CLOSEST: f64 = 400.0;

/// The least box around places: its upper left and its lower right corner.
pub fn bounds(at: &[Spot]) -> ((f64, f64), (f64, f64)) {
    let (mut low, mut high) = ((f64::MAX, f64::MAX), (f64::MIN, f64::MIN));
    for &[x, y] in at {
        let (x, y) = (f64::from(x), f64::from(y));
        low = (low.0.min(x), low.1.min(y));
        high = (high.0.max(x), high.1.max(y));
    }
    if at.is_empty() { ((0.0, 0.0), (1.0, 1.0)) } else { (low, high) }
}

impl Camera {
    /// All places in sight.
    pub fn fit(at: &[Spot], size: (f64, f64)) -> Self {
        let (low, high) = bounds(at);
        let room = |all: f64| (all - 2.0 * MARGIN).max(all / 2.0).max(1.0);
        let wide = room(size.0) / (high.0 - low.0).max(1e-6);
        let high_enough = room(size.1) / (high.1 - low.1).max(1e-6);
        Self {
            middle: ((low.0 + high.0) / 2.0, (low.1 + high.1) / 2.0),
            scale: wide.min(high_enough).min(CLOSEST),
            size,
        }
    }

    /// Where a place of the plane is on the screen.
    pub fn pixel(&self, place: Spot) -> Pixel {
        let (x, y) = (f64::from(place[0]), f64::from(place[1]));
        (
            (x - self.middle.0) * self.scale + self.size.0 / 2.0,
            (y - self.middle.1) * self.scale + self.size.1 / 2.0,
        )
    }

    /// The place of the plane under a pixel.
    pub fn place(&self, pixel: Pixel) -> (f64, f64) {
        (
            (pixel.0 - self.size.0 / 2.0) / self.scale + self.middle.0,
            (pixel.1 - self.size.1 / 2.0) / self.scale + self.middle.1,
        )
    }

    /// Moved by so many pixels, as a hand moves paper.
    #[must_use]
    pub fn panned(self, dx: f64, dy: f64) -> Self {
        let middle = (self.middle.0 - dx / self.scale, self.middle.1 - dy / self.scale);
        Self { middle, ..self }
    }

    /// Larger by a factor; what is under `pixel` stays there. `least` is the smallest scale.
    #[must_use]
    pub fn zoomed(self, pixel: Pixel, factor: f64, least: f64) -> Self {
        let before = self.place(pixel);
        let scale = (self.scale * factor).clamp(least.min(CLOSEST), CLOSEST);
        let zoomed = Self { scale, ..self };
        let after = zoomed.place(pixel);
        let middle = (zoomed.middle.0 + before.0 - after.0, zoomed.middle.1 + before.1 - after.1);
        Self { middle, ..zoomed }
    }

    /// With a place in the middle, at least so close.
    #[must_use]
    pub fn at(self, place: Spot, scale: f64) -> Self {
        let middle = (f64::from(place[0]), f64::from(place[1]));
        Self { middle, scale: self.scale.max(scale.min(CLOSEST)), ..self }
    }

    /// Whether a pixel is in the drawing.
    pub fn shows(&self, pixel: Pixel) -> bool {
        (0.0..=self.size.0).contains(&pixel.0) && (0.0..=self.size.1).contains(&pixel.1)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_under_the_pointer_stays_there(
            x in 0.0..800.0f64, y in 0.0..600.0f64, factor in 0.2..5.0f64, scale in 0.1..100.0f64,
        ) {
            let camera = Camera { middle: (3.0, -7.0), scale, size: (800.0, 600.0) };
            let zoomed = camera.zoomed((x, y), factor, 0.01);
            let (a, b) = (camera.place((x, y)), zoomed.place((x, y)));
            prop_assert!((a.0 - b.0).abs() < 1e-6 && (a.1 - b.1).abs() < 1e-6, "{a:?} {b:?}");
            let moved = camera.panned(30.0, -20.0);
            let c = moved.place((x + 30.0, y - 20.0));
            prop_assert!((a.0 - c.0).abs() < 1e-6 && (a.1 - c.1).abs() < 1e-6);
            let back = camera.pixel([a.0 as f32, a.1 as f32]);
            prop_assert!((back.0 - x).abs() < 0.1 && (back.1 - y).abs() < 0.1);
        }

        #[test]
        fn all_places_are_in_sight(
            at in prop::collection::vec(prop::array::uniform2(-500.0f32..500.0), 0..40),
        ) {
            let camera = Camera::fit(&at, (640.0, 300.0));
            for place in at {
                prop_assert!(camera.shows(camera.pixel(place)), "{place:?} {camera:?}");
            }
        }
    }
}
