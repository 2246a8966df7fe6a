//! How large a node is drawn and in which colour, by what is known of it.

/// What colour or size says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum By {
    /// Nothing: all nodes are alike.
    #[default]
    Nothing,
    /// The type of the node.
    Type,
    /// The connected component that it is in.
    Component,
    /// The number of its neighbours.
    Degree,
    /// Its PageRank.
    PageRank,
    /// Its betweenness.
    Betweenness,
}

impl By {
    /// All, with their names for people.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Nothing, "Nothing"),
        (Self::Type, "Type"),
        (Self::Component, "Component"),
        (Self::Degree, "Degree"),
        (Self::PageRank, "PageRank"),
        (Self::Betweenness, "Betweenness"),
    ];

    /// Whether it says of which kind a node is, and not how much.
    pub fn is_kind(self) -> bool {
        matches!(self, Self::Type | Self::Component)
    }
}

/// Red, green and blue.
pub type Rgb = [u8; 3];

/// The colours of the page around a drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PageColours {
    /// Of names.
    pub ink: Rgb,
    /// Of the ground.
    pub paper: Rgb,
    /// Of edges.
    pub edge: Rgb,
    /// Of what is pointed at, and of nodes whose colour says nothing.
    pub accent: Rgb,
}

impl PageColours {
    /// Whether the ground is dark.
    pub fn is_dark(self) -> bool {
        self.paper.iter().map(|&c| u32::from(c)).sum::<u32>() < 384
    }
}

/// How opaque all else is while something is pointed at.
pub const BACK: f32 = 0.35;
/// How opaque the edges are at what is pointed at.
pub const NEAR_ALPHA: f32 = 0.9;
/// By how much, in pixels of the page, its nodes have a larger radius.
pub const NEAR_LARGER: f64 = 1.5;

/// Colours for kinds, which differ for all eyes (Okabe and Ito, 2008), each with a darker or lighter
/// one for the two themes in mind: they are read on white and on black.
pub const KINDS: [Rgb; 8] = [
    [0, 114, 178],
    [213, 94, 0],
    [0, 158, 115],
    [204, 121, 167],
    [230, 159, 0],
    [86, 180, 233],
    [148, 103, 70],
    [128, 128, 128],
];

/// The colour of the so manieth kind; those after the seventh share a grey.
pub fn of_kind(kind: usize) -> Rgb {
    KINDS[kind.min(KINDS.len() - 1)]
}

/// Few to many, in steps that the eye finds even: from blue over green to yellow.
const RAMP: [Rgb; 5] = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];

/// The colour of a share from 0 to 1. On a light page the ramp ends before its yellow, on a dark one it
/// begins after its violet: both would be lost on the page.
pub fn of_share(share: f32, is_dark: bool) -> Rgb {
    let share = share.clamp(0.0, 1.0);
    let along = if is_dark { 0.25 + 0.75 * share } else { 0.72 * share };
    let place = along * (RAMP.len() - 1) as f32;
    let low = (place as usize).min(RAMP.len() - 2);
    let part = place - low as f32;
    let (a, b) = (RAMP[low], RAMP[low + 1]);
    [0, 1, 2].map(|i| (f32::from(a[i]) + part * (f32::from(b[i]) - f32::from(a[i]))).round() as u8)
}

/// Values as shares from 0 to 1, by their logarithms: a few nodes have most of it.
pub fn shares(values: &[f32]) -> Vec<f32> {
    let least = values.iter().copied().filter(|&v| v > 0.0).fold(f32::MAX, f32::min);
    let most = values.iter().copied().fold(0.0f32, f32::max);
    let span = (most / least).ln();
    values
        .iter()
        .map(|&value| {
            if value <= 0.0 || most <= 0.0 {
                0.0
            } else if span > 1e-6 {
                // What is there at all is a little more than nothing.
                0.05 + 0.95 * (value / least).ln() / span
            } else {
                0.5
            }
        })
        .collect()
}

/// The radius of a node with a share, as a multiple of the usual one.
pub fn radius(share: f32) -> f32 {
    0.6 + 2.4 * share * share
}

/// The least that a node is drawn with, in pixels across.
const LEAST_DOT: f64 = 1.5;
/// The share of the drawing's ground that nodes may cover and still be opaque.
const COVERED: f64 = 0.4;

/// How opaque nodes are that stand on so many square pixels: where they would cover each other, the eye
/// is to see where many lie. `usual` is the radius of a usual node in pixels, `radii` are multiples of it.
///
/// # Complexity
/// O(nodes).
pub fn node_alpha(radii: &[f32], usual: f64, ground: f64) -> f32 {
    let disc = |&multiple: &f32| {
        let radius = (f64::from(multiple) * usual).max(LEAST_DOT / 2.0);
        std::f64::consts::PI * radius * radius
    };
    let covered: f64 = radii.iter().filter(|r| **r > 0.0).map(disc).sum();
    (COVERED * ground / covered.max(1e-6)).clamp(0.12, 1.0) as f32
}

/// A colour as style sheets give computed ones: `rgb(1, 2, 3)`.
pub fn read_rgb(text: &str) -> Option<Rgb> {
    let inner = text.trim().strip_prefix("rgb")?.trim_start_matches('a');
    let inner = inner.strip_prefix('(')?.strip_suffix(')')?;
    let mut numbers = inner.split([',', ' ', '/']).filter(|part| !part.is_empty());
    let mut next = || Some(numbers.next()?.parse::<f32>().ok()?.round().clamp(0.0, 255.0) as u8);
    Some([next()?, next()?, next()?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_grow_with_values_and_stay_between_0_and_1() {
        let found = shares(&[0.0, 1.0, 2.0, 1000.0]);
        assert!(found.is_sorted() && found[0] == 0.0 && (found[3] - 1.0).abs() < 1e-6, "{found:?}");
        assert!(found[1] > 0.0);
        assert_eq!(shares(&[3.0, 3.0]), [0.5, 0.5]);
        assert_eq!(shares(&[0.0]), [0.0]);
        assert!(shares(&[]).is_empty());
        assert!(radius(0.0) < radius(0.5) && radius(0.5) < radius(1.0));
    }

    #[test]
    fn nodes_are_opaque_until_they_would_cover_each_other() {
        let few = vec![1.0; 100];
        assert_eq!(node_alpha(&few, 2.0, 10_000.0), 1.0);
        // 100,000 dots on a square of 500 pixels: 0.4 of the ground over 0.71 of it.
        let many = vec![1.0; 100_000];
        let alpha = node_alpha(&many, 0.5, 250_000.0);
        assert!((alpha - 0.566).abs() < 0.001, "{alpha}");
        assert!(node_alpha(&many, 6.0, 250_000.0) >= 0.12);
        assert_eq!(node_alpha(&[], 2.0, 1.0), 1.0);
        // What is hidden covers nothing.
        assert_eq!(node_alpha(&vec![0.0; 1_000_000], 6.0, 100.0), 1.0);
    }

    #[test]
    fn colours_are_read_as_browsers_compute_them() {
        assert_eq!(read_rgb("rgb(250, 249, 245)"), Some([250, 249, 245]));
        assert_eq!(read_rgb(" rgba(1, 2, 3, 0.5)"), Some([1, 2, 3]));
        assert_eq!(read_rgb("rgb(1 2 3 / 0.5)"), Some([1, 2, 3]));
        for bad in ["", "rgb", "rgb(1, 2)", "#fff", "rgb(a, b, c)"] {
            assert_eq!(read_rgb(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_ramp_is_read_on_light_and_on_dark() {
        let bright = |c: Rgb| 0.2 * f32::from(c[0]) + 0.7 * f32::from(c[1]) + 0.1 * f32::from(c[2]);
        for i in 0..=10 {
            let share = i as f32 / 10.0;
            assert!(bright(of_share(share, false)) < 185.0, "{share}");
            assert!(bright(of_share(share, true)) > 70.0, "{share}");
        }
        assert_eq!(of_kind(99), KINDS[7]);
    }
}
