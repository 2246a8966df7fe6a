//! Which names are written: those of what matters most, none over another.

use draw::whole::Spot;

use super::camera::{Camera, Pixel};

/// The most names at once.
const MOST: usize = 40;
/// Letters of a name at most; the rest is an ellipsis.
const LETTERS: usize = 28;
/// The width of a letter and the height of a line, in pixels.
const LETTER: (f64, f64) = (6.6, 16.0);
/// Space between two names, in pixels.
const GAP: f64 = 6.0;

/// A name and where it stands: the middle of its left side.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenName {
    /// The node.
    pub node: u32,
    /// Its name, cut where it is long.
    pub text: String,
    /// Where it stands.
    pub at: Pixel,
}

/// A name as it is written: without what would break the line, and not longer than a label may be.
pub fn short(name: &str) -> String {
    let plain: String =
        name.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LETTERS + 1).collect();
    if plain.chars().count() <= LETTERS {
        return plain;
    }
    plain.chars().take(LETTERS - 1).chain(['…']).collect()
}

/// The names in sight, of `first` and then along `order`, as far as they do not cover each other.
/// `beside` is how far from the middle of its node, in pixels, a name begins.
///
/// O(n) and the square of the number of names.
pub fn labels<'a>(
    camera: &Camera,
    at: &[Spot],
    first: &[u32],
    order: &[u32],
    name: impl Fn(u32) -> Option<&'a str>,
    beside: impl Fn(u32) -> f64,
) -> Vec<WrittenName> {
    let mut found: Vec<WrittenName> = Vec::new();
    let mut boxes: Vec<(f64, f64, f64)> = Vec::new();
    for &node in first.iter().chain(order) {
        if found.len() >= MOST {
            break;
        }
        let Some(&place) = at.get(node as usize) else { continue };
        let pixel = camera.pixel(place);
        if !camera.shows(pixel) || found.iter().any(|label| label.node == node) {
            continue;
        }
        let Some(name) = name(node) else { continue };
        let text = short(name);
        let width = text.chars().count() as f64 * LETTER.0;
        let mut left = pixel.0 + beside(node);
        if left + width > camera.size.0 {
            // At the right end a name stands on the other side of its node.
            left = pixel.0 - beside(node) - width;
        }
        let is_free = boxes.iter().all(|&(l, w, y)| {
            left > l + w + GAP || left + width + GAP < l || (pixel.1 - y).abs() > LETTER.1
        });
        if is_free {
            boxes.push((left, width, pixel.1));
            found.push(WrittenName { node, text, at: (left, pixel.1) });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_name_covers_another_and_the_first_is_always_there(
            at in prop::collection::vec(prop::array::uniform2(0.0f32..10.0), 1..120),
            first in 0u32..120,
        ) {
            let camera = Camera::fit(&at, (700.0, 500.0));
            let order: Vec<u32> = (0..at.len() as u32).collect();
            let name = |_: u32| Some("a name");
            let first = first.min(at.len() as u32 - 1);
            let found = labels(&camera, &at, &[first], &order, name, |_| 5.0);
            prop_assert_eq!(found[0].node, first);
            prop_assert!(found.len() <= MOST);
            let width = 6.0 * LETTER.0;
            for (i, a) in found.iter().enumerate() {
                for b in &found[..i] {
                    let beside = (a.at.0 - b.at.0).abs() > width;
                    let above = (a.at.1 - b.at.1).abs() > LETTER.1;
                    prop_assert!(beside || above, "{:?} on {:?}", a, b);
                }
            }
        }
    }

    #[test]
    fn long_names_end_in_an_ellipsis() {
        assert_eq!(short("Bern"), "Bern");
        assert_eq!(short("a\nb"), "a b");
        let long = short(&"ä".repeat(500));
        assert_eq!(long.chars().count(), LETTERS);
        assert!(long.ends_with('…'));
    }
}
