//! Nodes and edges on a canvas by the graphics processor, with WebGL 2.

mod webgl;

use crate::state::whole::camera::Camera;
use crate::state::whole::look::{BACK, NEAR_ALPHA, NEAR_LARGER, Rgb};
pub(super) use webgl::WebGl;

/// What a frame is drawn with.
pub(super) struct Frame {
    pub(super) camera: Camera,
    /// Pixels of the canvas for one of the page.
    pub(super) density: f64,
    /// The radius of a usual node, in pixels of the page.
    pub(super) radius: f64,
    pub(super) edge: Rgb,
    pub(super) edge_alpha: f32,
    pub(super) node_alpha: f32,
    pub(super) accent: Rgb,
    /// Whether everything but what is pointed at steps back.
    pub(super) is_dim: bool,
    /// The share of the edges that is drawn.
    pub(super) share: f64,
}

/// What lines or discs of a frame are drawn with.
struct Step {
    /// The one colour of all; of `is_plain` alone its opacity counts.
    plain: [f32; 4],
    /// Whether all have that colour, and not each its own.
    is_plain: bool,
    /// The diameter of a usual node, in pixels of the canvas.
    dot_size: f32,
}

impl Frame {
    /// The steps, one above the other: edges, nodes, edges at what is pointed at, and its nodes.
    fn steps(&self) -> [Step; 4] {
        let back = if self.is_dim { BACK } else { 1.0 };
        let step = |rgb: Rgb, alpha: f32, is_plain: bool, larger: f64| {
            let [r, g, b] = rgb.map(|c| f32::from(c) / 255.0);
            let dot_size = ((self.radius + larger) * 2.0 * self.density) as f32;
            Step { plain: [r, g, b, alpha], is_plain, dot_size }
        };
        [
            step(self.edge, self.edge_alpha * back, true, 0.0),
            step(self.edge, self.node_alpha * back, false, 0.0),
            step(self.accent, NEAR_ALPHA, true, 0.0),
            step(self.accent, 1.0, true, NEAR_LARGER),
        ]
    }

    /// Pixels of the canvas for a unit of the plane, as shares of half its width and height. The plane's
    /// second axis goes down.
    fn scale(&self) -> [f32; 2] {
        let (scale, (width, height)) = (self.camera.scale * 2.0, self.camera.size);
        [(scale / width) as f32, (-scale / height) as f32]
    }

    fn middle(&self) -> [f32; 2] {
        [self.camera.middle.0 as f32, self.camera.middle.1 as f32]
    }

    /// How many of so many ends of edges are drawn.
    fn n_ends(&self, all: usize) -> usize {
        ((all / 2) as f64 * self.share).ceil().min((all / 2) as f64) as usize * 2
    }
}
