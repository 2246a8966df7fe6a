//! The canvas, its buffers and its shaders.

use js_sys::{Float32Array, Object, Reflect, Uint8Array, Uint32Array};
use wasm_bindgen::JsCast as _;
use web_sys::{
    HtmlCanvasElement, WebGl2RenderingContext as Gl, WebGlBuffer, WebGlProgram, WebGlShader,
    WebGlUniformLocation, WebGlVertexArrayObject,
};

use super::Frame;
use crate::state::whole::look::Rgb;

/// Nodes are discs of a size of their own; edges go from node to node. Both have the same places.
const VERTEX: &str = "#version 300 es
layout(location = 0) in vec2 at;
layout(location = 1) in vec4 tint;
layout(location = 2) in float radius;
uniform vec2 middle;
uniform vec2 scale;
uniform float dot_size;
uniform vec4 plain;
uniform bool is_plain;
out vec4 colour;
void main() {
  gl_Position = radius > 0.0 ? vec4((at - middle) * scale, 0.0, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
  gl_PointSize = max(radius * dot_size, 1.5);
  colour = is_plain ? plain : vec4(tint.rgb, plain.a);
}";
const FRAGMENT: &str = "#version 300 es
precision mediump float;
in vec4 colour;
uniform bool is_disc;
out vec4 drawn;
void main() {
  float alpha = colour.a;
  if (is_disc) {
    vec2 from_middle = gl_PointCoord * 2.0 - 1.0;
    float away = dot(from_middle, from_middle);
    if (away > 1.0) discard;
    alpha *= 1.0 - smoothstep(0.7, 1.0, away);
  }
  drawn = vec4(colour.rgb * alpha, alpha);
}";

/// The canvas with what lies on the graphics processor.
pub(crate) struct WebGl {
    gl: Gl,
    locations: Locations,
    /// Holds the buffers' places.
    _array: WebGlVertexArrayObject,
    at: WebGlBuffer,
    tints: WebGlBuffer,
    radii: WebGlBuffer,
    edges: WebGlBuffer,
    near: WebGlBuffer,
    n_nodes: i32,
    n_edge_ends: usize,
    /// Numbers in `near`: first the ends of edges, then nodes.
    n_near: (i32, i32),
}

struct Locations {
    middle: Option<WebGlUniformLocation>,
    scale: Option<WebGlUniformLocation>,
    dot_size: Option<WebGlUniformLocation>,
    plain: Option<WebGlUniformLocation>,
    is_plain: Option<WebGlUniformLocation>,
    is_disc: Option<WebGlUniformLocation>,
}

fn shader(gl: &Gl, kind: u32, text: &str) -> Option<WebGlShader> {
    let shader = gl.create_shader(kind)?;
    gl.shader_source(&shader, text);
    gl.compile_shader(&shader);
    Some(shader)
}

fn program(gl: &Gl) -> Option<WebGlProgram> {
    let program = gl.create_program()?;
    for (kind, text) in [(Gl::VERTEX_SHADER, VERTEX), (Gl::FRAGMENT_SHADER, FRAGMENT)] {
        gl.attach_shader(&program, &shader(gl, kind, text)?);
    }
    gl.link_program(&program);
    gl.get_program_parameter(&program, Gl::LINK_STATUS).as_bool()?.then_some(program)
}

impl WebGl {
    /// The canvas made ready; `None` where this browser has no WebGL 2.
    pub(in super::super) fn new(canvas: &HtmlCanvasElement) -> Option<Self> {
        let options = Object::new();
        // A picture of the drawing is taken at any time, not in the frame that drew it alone.
        Reflect::set(&options, &"preserveDrawingBuffer".into(), &true.into()).ok()?;
        let context = canvas.get_context_with_context_options("webgl2", &options).ok()??;
        let gl: Gl = context.dyn_into().ok()?;
        let program = program(&gl)?;
        gl.use_program(Some(&program));
        let place = |name: &str| gl.get_uniform_location(&program, name);
        let locations = Locations {
            middle: place("middle"),
            scale: place("scale"),
            dot_size: place("dot_size"),
            plain: place("plain"),
            is_plain: place("is_plain"),
            is_disc: place("is_disc"),
        };
        let array = gl.create_vertex_array()?;
        gl.bind_vertex_array(Some(&array));
        let attribute = |index: u32, size: i32, kind: u32, is_share: bool| {
            let buffer = gl.create_buffer()?;
            gl.bind_buffer(Gl::ARRAY_BUFFER, Some(&buffer));
            gl.enable_vertex_attrib_array(index);
            gl.vertex_attrib_pointer_with_i32(index, size, kind, is_share, 0, 0);
            Some(buffer)
        };
        let at = attribute(0, 2, Gl::FLOAT, false)?;
        let tints = attribute(1, 4, Gl::UNSIGNED_BYTE, true)?;
        let radii = attribute(2, 1, Gl::FLOAT, false)?;
        let (edges, near) = (gl.create_buffer()?, gl.create_buffer()?);
        gl.enable(Gl::BLEND);
        gl.blend_func(Gl::ONE, Gl::ONE_MINUS_SRC_ALPHA);
        let (n_nodes, n_edge_ends, n_near) = (0, 0, (0, 0));
        // Tests wait for it.
        let _ = canvas.set_attribute("data-gpu", "webgl2");
        Some(Self {
            gl,
            locations,
            _array: array,
            at,
            tints,
            radii,
            edges,
            near,
            n_nodes,
            n_edge_ends,
            n_near,
        })
    }

    fn fill(&self, target: u32, buffer: &WebGlBuffer, values: &Object) {
        self.gl.bind_buffer(target, Some(buffer));
        self.gl.buffer_data_with_array_buffer_view(target, values, Gl::DYNAMIC_DRAW);
    }

    /// Where the nodes are: two numbers each.
    pub(in super::super) fn set_places(&mut self, at: &[f32]) {
        self.n_nodes = (at.len() / 2) as i32;
        self.fill(Gl::ARRAY_BUFFER, &self.at, &Float32Array::from(at));
    }

    /// How they look.
    pub(in super::super) fn set_looks(&self, colours: &[Rgb], radii: &[f32]) {
        let tints: Vec<u8> = colours.iter().flat_map(|&[r, g, b]| [r, g, b, 255]).collect();
        self.fill(Gl::ARRAY_BUFFER, &self.tints, &Uint8Array::from(tints.as_slice()));
        self.fill(Gl::ARRAY_BUFFER, &self.radii, &Float32Array::from(radii));
    }

    /// The edges: two nodes each.
    pub(in super::super) fn set_edges(&mut self, ends: &[u32]) {
        self.n_edge_ends = ends.len();
        self.fill(Gl::ELEMENT_ARRAY_BUFFER, &self.edges, &Uint32Array::from(ends));
    }

    /// What is pointed at: the edges at a node as two nodes each, and the nodes. After places or looks
    /// have changed it is set again.
    pub(in super::super) fn set_near(&mut self, ends: &[u32], nodes: &[u32]) {
        self.n_near = (ends.len() as i32, nodes.len() as i32);
        let all: Vec<u32> = ends.iter().chain(nodes).copied().collect();
        self.fill(Gl::ELEMENT_ARRAY_BUFFER, &self.near, &Uint32Array::from(all.as_slice()));
    }

    /// Draws everything.
    pub(in super::super) fn draw(&self, frame: &Frame) {
        let (gl, at) = (&self.gl, &self.locations);
        let (width, height) = frame.camera.size;
        gl.viewport(0, 0, (width * frame.density) as i32, (height * frame.density) as i32);
        gl.clear_color(0.0, 0.0, 0.0, 0.0);
        gl.clear(Gl::COLOR_BUFFER_BIT);
        let ([x, y], [sx, sy]) = (frame.middle(), frame.scale());
        gl.uniform2f(at.middle.as_ref(), x, y);
        gl.uniform2f(at.scale.as_ref(), sx, sy);
        let steps = frame.steps();
        let begin = |step: usize, is_disc: bool| {
            let of = &steps[step];
            let [r, g, b, a] = of.plain;
            gl.uniform4f(at.plain.as_ref(), r, g, b, a);
            gl.uniform1i(at.is_plain.as_ref(), i32::from(of.is_plain));
            gl.uniform1i(at.is_disc.as_ref(), i32::from(is_disc));
            gl.uniform1f(at.dot_size.as_ref(), of.dot_size);
        };
        let elements = |kind: u32, buffer: &WebGlBuffer, n: i32, first: i32| {
            gl.bind_buffer(Gl::ELEMENT_ARRAY_BUFFER, Some(buffer));
            gl.draw_elements_with_i32(kind, n, Gl::UNSIGNED_INT, first * 4);
        };
        begin(0, false);
        elements(Gl::LINES, &self.edges, frame.n_ends(self.n_edge_ends) as i32, 0);
        begin(1, true);
        gl.draw_arrays(Gl::POINTS, 0, self.n_nodes);
        let (n_ends, n_nodes) = self.n_near;
        if n_nodes > 0 {
            begin(2, false);
            elements(Gl::LINES, &self.near, n_ends, 0);
            begin(3, true);
            elements(Gl::POINTS, &self.near, n_nodes, n_ends);
        }
    }
}
