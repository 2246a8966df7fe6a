//! Nodes and edges on a canvas by the graphics processor: WebGPU where the browser gives it, else
//! WebGL 2. Both draw the same steps in the same colours.

mod bindings;
mod webgl;
mod webgpu;

use web_sys::HtmlCanvasElement;

use crate::state::whole::camera::Camera;
use crate::state::whole::look::{BACK, NEAR_ALPHA, NEAR_LARGER, Rgb};
use webgl::WebGl;
use webgpu::WebGpu;
pub(super) use webgpu::{Device, device, give_up};

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

/// The canvas with what lies on the graphics processor.
pub(super) enum Gpu {
    WebGl(WebGl),
    WebGpu(WebGpu),
}

impl Gpu {
    /// The canvas made ready, by a device of WebGPU where there is one; `None` where this browser has no
    /// WebGL 2 either.
    pub(super) fn new(canvas: &HtmlCanvasElement, device: Option<&Device>) -> Option<Self> {
        let by_device = device.and_then(|device| WebGpu::new(canvas, device));
        let gpu = match by_device {
            Some(gpu) => Self::WebGpu(gpu),
            None => Self::WebGl(WebGl::new(canvas)?),
        };
        let _ = canvas.set_attribute("data-gpu", gpu.name());
        Some(gpu)
    }

    pub(super) fn is_webgpu(&self) -> bool {
        matches!(self, Self::WebGpu(_))
    }

    fn name(&self) -> &'static str {
        match self {
            Self::WebGl(_) => "webgl2",
            Self::WebGpu(_) => "webgpu",
        }
    }

    /// Where the nodes stand: two numbers each.
    pub(super) fn set_places(&mut self, at: Vec<f32>) {
        match self {
            Self::WebGl(gpu) => gpu.set_places(&at),
            Self::WebGpu(gpu) => gpu.set_places(at),
        }
    }

    /// How they look.
    pub(super) fn set_looks(&mut self, colours: &[Rgb], radii: &[f32]) {
        let tints: Vec<u8> = colours.iter().flat_map(|&[r, g, b]| [r, g, b, 255]).collect();
        match self {
            Self::WebGl(gpu) => gpu.set_looks(&tints, radii),
            Self::WebGpu(gpu) => gpu.set_looks(&tints, radii),
        }
    }

    /// The edges: two nodes each.
    pub(super) fn set_edges(&mut self, ends: &[u32]) {
        match self {
            Self::WebGl(gpu) => gpu.set_edges(ends),
            Self::WebGpu(gpu) => gpu.set_edges(ends),
        }
    }

    /// What is pointed at: the edges at a node as two nodes each, and the nodes. After places or looks
    /// have changed it is set anew.
    pub(super) fn set_near(&mut self, ends: &[u32], nodes: &[u32]) {
        match self {
            Self::WebGl(gpu) => gpu.set_near(ends, nodes),
            Self::WebGpu(gpu) => gpu.set_near(ends, nodes),
        }
    }

    /// Draws everything.
    pub(super) fn draw(&mut self, frame: &Frame) {
        match self {
            Self::WebGl(gpu) => gpu.draw(frame),
            Self::WebGpu(gpu) => gpu.draw(frame),
        }
    }
}
