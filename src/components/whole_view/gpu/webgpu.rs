//! The drawing by WebGPU.

use std::cell::RefCell;

use js_sys::{Array, Object, Promise, Reflect};
use leptos::prelude::window;
use protocol::whole::{MOST_EDGES, MOST_NODES};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::HtmlCanvasElement;

use super::Frame;
use super::bindings::{GpuAdapter, GpuBuffer, GpuContext, GpuDevice, GpuEntry, GpuTexture, told};

const SHADER: &str = include_str!("shader.wgsl");
/// The longest that a device is waited for, in milliseconds; then WebGL 2 draws.
const PATIENCE_MS: i32 = 4_000;
/// Devices that a visit may lose before WebGL 2 draws.
const MOST_LOST: u32 = 3;
/// Bytes from one step's numbers to the next's: the least that every device takes.
const STEP_BYTES: usize = 256;
/// Samples for each pixel, as WebGL takes them by itself: edges have no stairs.
const SAMPLES: u32 = 4;

/// What buffers are for, as WebGPU numbers it. All are written to.
const INDEX: u32 = 0x10 | 0x8;
const VERTEX: u32 = 0x20 | 0x8;
const UNIFORM: u32 = 0x40 | 0x8;

thread_local! {
    /// What the browser gave, once it was asked; and how many devices were lost.
    static GIVEN: RefCell<(Option<Option<Device>>, u32)> = const { RefCell::new((None, 0)) };
}

/// A device that draws, with what all drawings share.
#[derive(Clone)]
pub(crate) struct Device {
    device: GpuDevice,
    /// Of a canvas's pixels.
    format: String,
    group_layout: JsValue,
    edges: JsValue,
    nodes: JsValue,
}

/// The device of this visit; `None` where WebGL 2 is to draw. A canvas keeps the kind of its first
/// context, so this is asked before.
pub(crate) async fn device() -> Option<Device> {
    if let Some(given) = GIVEN.with_borrow(|(given, _)| given.clone()) {
        return given;
    }
    let device = Device::ask().await;
    GIVEN.with_borrow_mut(|(given, _)| *given = Some(device.clone()));
    device
}

/// Leaves the drawing to WebGL 2 for the rest of the visit.
pub(crate) fn give_up() {
    GIVEN.with_borrow_mut(|given| *given = (Some(None), MOST_LOST));
}

/// What a promise gives, unless that takes too long.
async fn in_time(promise: &Promise) -> Option<JsValue> {
    let late = Promise::new(&mut |resolve, _| {
        let window = window();
        let _ = window.set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, PATIENCE_MS);
    });
    let first = Promise::race(&Array::of2(promise, &late));
    let given = JsFuture::from(first).await.ok()?;
    given.is_truthy().then_some(given)
}

/// Whether an adapter is a program in a graphics processor's place: WebGL 2 draws faster then.
fn is_software(adapter: &GpuAdapter) -> bool {
    let told = |of: &JsValue| Reflect::get(of, &"isFallbackAdapter".into()).ok()?.as_bool();
    let info = Reflect::get(adapter.as_ref(), &"info".into()).unwrap_or_default();
    told(&info).or_else(|| told(adapter.as_ref())).unwrap_or(false)
}

impl Device {
    async fn ask() -> Option<Self> {
        let entry = Reflect::get(&window().navigator(), &"gpu".into()).ok()?;
        if !entry.is_object() {
            return None;
        }
        let entry: GpuEntry = entry.unchecked_into();
        let adapter: GpuAdapter = in_time(&entry.request_adapter()).await?.unchecked_into();
        if is_software(&adapter) {
            return None;
        }
        let device: GpuDevice = in_time(&adapter.request_device()).await?.unchecked_into();
        // The largest buffer has two numbers of four bytes for each edge or node.
        let room = Reflect::get(&device.limits(), &"maxBufferSize".into()).ok()?.as_f64()?;
        if room < (MOST_EDGES.max(MOST_NODES) * 8) as f64 {
            return None;
        }
        let format = entry.preferred_format();
        let group_layout = device.create_group_layout(&told(
            r#"{"entries":[{"binding":0,"visibility":3,"buffer":{}}]}"#,
            &[],
        ));
        let layouts = Array::of1(&group_layout);
        let layout = device.create_pipeline_layout(&told("{}", &[("bindGroupLayouts", &layouts)]));
        let shader = device.create_shader(&told("{}", &[("code", &SHADER.into())]));
        // A pipeline that this browser cannot make says so here, while WebGL 2 can still be had.
        let pipeline = |vertex: &str, fragment: &str, topology: &str| {
            let module: [(&str, &JsValue); 1] = [("module", &shader)];
            let blend = r#"{"srcFactor":"one","dstFactor":"one-minus-src-alpha"}"#;
            let fragment = format!(
                r#"{{"entryPoint":"{fragment}","targets":[{{"format":"{format}","blend":{{"color":{blend},"alpha":{blend}}}}}]}}"#
            );
            let rest = format!(
                r#"{{"primitive":{{"topology":"{topology}"}},"multisample":{{"count":{SAMPLES}}}}}"#
            );
            let how = told(
                &rest,
                &[
                    ("layout", &layout),
                    ("vertex", &told(vertex, &module)),
                    ("fragment", &told(&fragment, &module)),
                ],
            );
            device.create_pipeline(&how)
        };
        let edges = pipeline(
            r#"{"entryPoint":"edge","buffers":[{"arrayStride":8,"attributes":[{"shaderLocation":0,"offset":0,"format":"float32x2"}]}]}"#,
            "line",
            "line-list",
        );
        let nodes = pipeline(
            r#"{"entryPoint":"node","buffers":[
                {"arrayStride":8,"stepMode":"instance","attributes":[{"shaderLocation":0,"offset":0,"format":"float32x2"}]},
                {"arrayStride":4,"stepMode":"instance","attributes":[{"shaderLocation":1,"offset":0,"format":"unorm8x4"}]},
                {"arrayStride":4,"stepMode":"instance","attributes":[{"shaderLocation":2,"offset":0,"format":"float32"}]}]}"#,
            "disc",
            "triangle-strip",
        );
        let (edges, nodes) = (in_time(&edges).await?, in_time(&nodes).await?);
        Some(Self { device, format, group_layout, edges, nodes })
    }

    /// Comes back when the device is lost: the driver began anew, or the browser took it away. The next
    /// drawing asks for another.
    pub(crate) async fn lost(self) {
        let _ = JsFuture::from(self.device.lost()).await;
        GIVEN.with_borrow_mut(|(given, n_lost)| {
            let is_this = |known: &Option<Self>| {
                known.as_ref().is_some_and(|known| Object::is(&known.device, &self.device))
            };
            if given.as_ref().is_some_and(is_this) {
                *n_lost += 1;
                *given = (*n_lost >= MOST_LOST).then_some(None);
            }
        });
    }
}

/// A buffer that grows with what is put into it.
struct Kept {
    usage: u32,
    buffer: GpuBuffer,
    room: usize,
}

impl Kept {
    fn new(device: &Device, usage: u32, room: usize) -> Self {
        let how = told(&format!(r#"{{"size":{room},"usage":{usage}}}"#), &[]);
        Self { usage, buffer: device.device.create_buffer(&how), room }
    }

    /// The buffer with room for so many bytes.
    fn with_room(&mut self, device: &Device, bytes: usize) -> &GpuBuffer {
        if self.room < bytes {
            self.buffer.destroy();
            *self = Self::new(device, self.usage, bytes);
        }
        &self.buffer
    }

    fn set_floats(&mut self, device: &Device, values: &[f32]) {
        let buffer = self.with_room(device, values.len() * 4);
        device.device.queue().write_floats(buffer, 0, values);
    }

    fn set_numbers(&mut self, device: &Device, values: &[u32]) {
        let buffer = self.with_room(device, values.len() * 4);
        device.device.queue().write_numbers(buffer, 0, values);
    }
}

/// The canvas with what lies on the graphics processor.
pub(crate) struct WebGpu {
    device: Device,
    context: GpuContext,
    /// The numbers of the steps of a frame, and how each finds its own.
    steps: Kept,
    groups: [JsValue; 4],
    /// Where the samples of a frame go, and its width and height.
    samples: Option<(GpuTexture, [u32; 2])>,
    at: Kept,
    tints: Kept,
    radii: Kept,
    edges: Kept,
    near_edges: Kept,
    /// Places and radii of the nodes at what is pointed at: instances have no index.
    near_at: Kept,
    near_radii: Kept,
    /// The same of all nodes, to take those from.
    all_at: Vec<f32>,
    all_radii: Vec<f32>,
    n_edge_ends: usize,
    n_near: (usize, usize),
}

impl WebGpu {
    /// The canvas made ready; `None` where it is not to be had, and then it is as it was.
    pub(super) fn new(canvas: &HtmlCanvasElement, device: &Device) -> Option<Self> {
        let context: GpuContext = canvas.get_context("webgpu").ok()??.unchecked_into();
        let format: JsValue = device.format.as_str().into();
        let handles: [(&str, &JsValue); 2] = [("device", &device.device), ("format", &format)];
        context.configure(&told(r#"{"alphaMode":"premultiplied"}"#, &handles)).ok()?;
        let kept = |usage: u32, room: usize| Kept::new(device, usage, room);
        let steps = kept(UNIFORM, 4 * STEP_BYTES);
        let groups = [0, 1, 2, 3].map(|step| {
            let part = format!(r#"{{"offset":{},"size":48}}"#, step * STEP_BYTES);
            let part = told(&part, &[("buffer", &steps.buffer)]);
            let entry = told(r#"{"binding":0}"#, &[("resource", &part)]);
            let entries = Array::of1(&entry);
            let layout = &device.group_layout;
            device.device.create_group(&told("{}", &[("layout", layout), ("entries", &entries)]))
        });
        Some(Self {
            context,
            steps,
            groups,
            samples: None,
            at: kept(VERTEX, 8),
            tints: kept(VERTEX, 4),
            radii: kept(VERTEX, 4),
            edges: kept(INDEX, 8),
            near_edges: kept(INDEX, 8),
            near_at: kept(VERTEX, 8),
            near_radii: kept(VERTEX, 4),
            all_at: Vec::new(),
            all_radii: Vec::new(),
            n_edge_ends: 0,
            n_near: (0, 0),
            device: device.clone(),
        })
    }

    pub(super) fn set_places(&mut self, at: Vec<f32>) {
        self.at.set_floats(&self.device, &at);
        self.all_at = at;
    }

    pub(super) fn set_looks(&mut self, tints: &[u8], radii: &[f32]) {
        let buffer = self.tints.with_room(&self.device, tints.len());
        self.device.device.queue().write_bytes(buffer, 0, tints);
        self.radii.set_floats(&self.device, radii);
        self.all_radii = radii.to_vec();
    }

    pub(super) fn set_edges(&mut self, ends: &[u32]) {
        self.n_edge_ends = ends.len();
        self.edges.set_numbers(&self.device, ends);
    }

    pub(super) fn set_near(&mut self, ends: &[u32], nodes: &[u32]) {
        self.n_near = (ends.len(), nodes.len());
        self.near_edges.set_numbers(&self.device, ends);
        let (places, _) = self.all_at.as_chunks::<2>();
        let at: Vec<f32> = nodes.iter().flat_map(|&n| places[n as usize]).collect();
        let radii: Vec<f32> = nodes.iter().map(|&n| self.all_radii[n as usize]).collect();
        self.near_at.set_floats(&self.device, &at);
        self.near_radii.set_floats(&self.device, &radii);
    }

    /// Writes the numbers of the steps.
    fn set_steps(&mut self, frame: &Frame, [width, height]: [u32; 2]) {
        let mut numbers = [0.0f32; 4 * STEP_BYTES / 4];
        let (into, _) = numbers.as_chunks_mut::<{ STEP_BYTES / 4 }>();
        let ([x, y], [sx, sy]) = (frame.middle(), frame.scale());
        let pixel = [1.0 / width as f32, 1.0 / height as f32];
        for (into, step) in into.iter_mut().zip(frame.steps()) {
            let is_plain = f32::from(u8::from(step.is_plain));
            let [r, g, b, a] = step.plain;
            let all = [x, y, sx, sy, pixel[0], pixel[1], step.dot_size, is_plain, r, g, b, a];
            into[..all.len()].copy_from_slice(&all);
        }
        self.steps.set_floats(&self.device, &numbers);
    }

    /// Where the samples of a frame of this size go.
    fn samples(&mut self, size: [u32; 2]) -> JsValue {
        if let Some((texture, of)) = &self.samples {
            if *of == size {
                return texture.view();
            }
            texture.destroy_texture();
        }
        let format: JsValue = self.device.format.as_str().into();
        let how =
            format!(r#"{{"size":[{},{}],"sampleCount":{SAMPLES},"usage":16}}"#, size[0], size[1]);
        let texture = self.device.device.create_texture(&told(&how, &[("format", &format)]));
        let view = texture.view();
        self.samples = Some((texture, size));
        view
    }

    pub(super) fn draw(&mut self, frame: &Frame) {
        let Ok(target) = self.context.current_texture() else { return };
        let number = |name: &str| {
            let value = Reflect::get(target.as_ref(), &name.into()).ok();
            value.and_then(|v| v.as_f64()).map_or(1, |v| v as u32)
        };
        let size = [number("width"), number("height")];
        self.set_steps(frame, size);
        let samples = self.samples(size);
        let onto = told(
            r#"{"clearValue":[0,0,0,0],"loadOp":"clear","storeOp":"discard"}"#,
            &[("view", &samples), ("resolveTarget", &target.view())],
        );
        let encoder = self.device.device.create_encoder();
        let pass = encoder.begin_pass(&told("{}", &[("colorAttachments", &Array::of1(&onto))]));
        let lines = |step: usize, index: &Kept, n: usize| {
            if n == 0 {
                return;
            }
            pass.set_pipeline(&self.device.edges);
            pass.set_group(0, &self.groups[step]);
            pass.set_vertices(0, &self.at.buffer);
            pass.set_index(&index.buffer, "uint32");
            pass.draw_indexed(n as u32);
        };
        let discs = |step: usize, at: &Kept, radii: &Kept, n: usize| {
            if n == 0 {
                return;
            }
            pass.set_pipeline(&self.device.nodes);
            pass.set_group(0, &self.groups[step]);
            // Those that all have one colour read a tint, too, and leave it.
            for (place, kept) in (0..).zip([at, &self.tints, radii]) {
                pass.set_vertices(place, &kept.buffer);
            }
            pass.draw(4, n as u32);
        };
        lines(0, &self.edges, frame.n_ends(self.n_edge_ends));
        discs(1, &self.at, &self.radii, self.all_at.len() / 2);
        lines(2, &self.near_edges, self.n_near.0);
        discs(3, &self.near_at, &self.near_radii, self.n_near.1);
        pass.end();
        self.device.device.queue().submit(&Array::of1(&encoder.finish()));
    }
}

impl Drop for WebGpu {
    /// Gives the memory back at once, and not when the browser next looks for what nobody holds.
    fn drop(&mut self) {
        for kept in [
            &self.steps,
            &self.at,
            &self.tints,
            &self.radii,
            &self.edges,
            &self.near_edges,
            &self.near_at,
            &self.near_radii,
        ] {
            kept.buffer.destroy();
        }
        if let Some((texture, _)) = &self.samples {
            texture.destroy_texture();
        }
    }
}
