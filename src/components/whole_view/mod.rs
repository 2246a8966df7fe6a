//! A large graph on a canvas: pan, zoom, names of what matters, and what a node is joined to.

mod gestures;
mod gpu;
mod names;

use std::collections::BTreeMap;
use std::sync::Arc;

use draw::whole::Spot;
use leptos::ev::{WheelEvent, resize};
use leptos::html::Canvas;
use leptos::prelude::*;
use web_sys::HtmlCanvasElement;

use crate::state::whole::camera::{Camera, Pixel, bounds};
use crate::state::whole::labels::{WrittenName, labels};
use crate::state::whole::look::{self, PageColours, read_rgb};
use crate::state::whole::nearest::Nearest;
use crate::state::whole::svg::{InSight, Svg};
use crate::state::whole::{Chosen, Dressed, LargeGraph, Measured};
use gestures::{drag, press, press_key, release};
use gpu::{Frame, WebGl};

/// How far from a node, in pixels, a pointer still means it.
const REACH: f64 = 14.0;
/// How much of the drawing edges may cover, so that dense graphs are no black spot.
const INK: f64 = 0.35;
/// The longest that a frame may take while the drawing moves, in milliseconds: where it takes longer,
/// fewer edges are drawn until it stands still.
const FRAME_MS: f64 = 40.0;
/// How long after a move the drawing counts as moving, in milliseconds.
const MOVING_MS: u32 = 200;
/// Edges whose lengths are looked at for that.
const SAMPLED: usize = 2_000;
/// Pixels of a canvas in a row at most: what graphics processors draw on.
const MOST_PIXELS: f64 = 8_192.0;

/// The colours of the page, from a canvas whose colours the style sheet sets: text is ink, background
/// paper, outline edges, caret accent.
fn theme_of(canvas: &HtmlCanvasElement) -> Option<PageColours> {
    let style = window().get_computed_style(canvas).ok().flatten()?;
    let colour = |name: &str| read_rgb(&style.get_property_value(name).ok()?);
    Some(PageColours {
        ink: colour("color")?,
        paper: colour("background-color")?,
        edge: colour("outline-color")?,
        accent: colour("caret-color")?,
    })
}

/// What is drawn of a graph, and how.
#[derive(Clone, Copy)]
pub(crate) struct Shown {
    pub(crate) whole: Signal<Arc<LargeGraph>>,
    /// Where the nodes stand.
    pub(crate) at: Signal<Arc<Vec<Spot>>>,
    pub(crate) chosen: Signal<Chosen>,
    pub(crate) measured: Signal<BTreeMap<look::By, Measured>>,
    /// What is in sight; nothing where that is everything.
    pub(crate) camera: RwSignal<Option<Camera>>,
    /// The node that was picked.
    pub(crate) picked: RwSignal<Option<u32>>,
}

/// What lies on the graphics processor, so that only what changed is sent there.
#[derive(Default)]
struct Sent {
    gpu: Option<WebGl>,
    at: Option<Arc<Vec<Spot>>>,
    dressed: Option<Arc<Dressed>>,
    near: Option<Option<u32>>,
    /// The square of the plane that the drawing takes, over the sum of the lengths of its edges.
    sparse: f64,
}

impl Sent {
    /// How opaque nodes of such a radius are.
    fn node_alpha(&self, radius: f64, camera: &Camera) -> f32 {
        let (Some(at), Some(dressed)) = (&self.at, &self.dressed) else { return 1.0 };
        look::node_alpha(&dressed.radii, radius, ground(at, camera))
    }
}

/// What fingers and the mouse hold.
#[derive(Clone, Default)]
struct Held {
    pointers: Vec<(i32, Pixel)>,
    has_moved: bool,
}

/// How the drawing moves, and what this browser manages meanwhile.
#[derive(Clone, Copy)]
struct Motion {
    /// When it was moved last, and when a frame was drawn last, in milliseconds.
    moved: f64,
    drawn: f64,
    /// The share of the edges that a frame has while it moves.
    share: f64,
}

impl Motion {
    fn is_moving(&self, now: f64) -> bool {
        now - self.moved < f64::from(MOVING_MS)
    }

    /// The share of the edges for a frame at this moment, by how long the frame before took.
    fn share_at(&mut self, now: f64) -> f64 {
        let took = now - self.drawn;
        self.drawn = now;
        if !self.is_moving(now) {
            return 1.0;
        }
        if took < 5.0 * f64::from(MOVING_MS) {
            self.share =
                (self.share * (FRAME_MS / took.max(1.0)).clamp(0.2, 1.25)).clamp(0.01, 1.0);
        }
        self.share
    }
}

fn now() -> f64 {
    window().performance().map_or(0.0, |p| p.now())
}

#[derive(Clone, Copy)]
struct Drawing {
    shown: Shown,
    canvas: NodeRef<Canvas>,
    over: NodeRef<Canvas>,
    theme: RwSignal<Option<PageColours>>,
    size: RwSignal<(f64, f64)>,
    hovered: RwSignal<Option<u32>>,
    dressed: Memo<Arc<Dressed>>,
    nearest: Memo<Arc<Nearest>>,
    sent: StoredValue<Sent, LocalStorage>,
    held: StoredValue<Held, LocalStorage>,
    is_drawing: StoredValue<bool>,
    motion: StoredValue<Motion>,
    has_gpu: RwSignal<bool>,
}

impl Drawing {
    fn camera(self) -> Camera {
        let size = self.size.get_untracked();
        match self.shown.camera.get_untracked() {
            Some(camera) => Camera { size, ..camera },
            None => self.fitting(),
        }
    }

    fn fitting(self) -> Camera {
        self.shown.at.with_untracked(|at| Camera::fit(at, self.size.get_untracked()))
    }

    fn set_camera(self, camera: Camera) {
        self.motion.update_value(|motion| motion.moved = now());
        self.shown.camera.set(Some(camera));
    }

    fn zoom(self, pixel: Pixel, factor: f64) {
        let least = self.fitting().scale / 3.0;
        self.set_camera(self.camera().zoomed(pixel, factor, least));
    }

    /// The place of an event in the drawing.
    fn pixel(self, x: i32, y: i32) -> Pixel {
        let area = self.canvas.get_untracked().map(|c| c.get_bounding_client_rect());
        area.map_or((0.0, 0.0), |a| (f64::from(x) - a.left(), f64::from(y) - a.top()))
    }

    /// The node under a pixel.
    fn node_at(self, pixel: Pixel) -> Option<u32> {
        let camera = self.camera();
        let (at, dressed) = (self.shown.at.get_untracked(), self.dressed.get_untracked());
        let is_shown =
            |node: u32| dressed.radii.get(node as usize).is_some_and(|&radius| radius > 0.0);
        let reach = REACH / camera.scale;
        self.nearest.with_untracked(|n| n.find(&at, camera.place(pixel), reach, is_shown))
    }

    /// The radius of a usual node, in pixels.
    fn radius(self, camera: &Camera) -> f64 {
        let n = self.shown.at.with_untracked(|at| at.len()).max(1) as f64;
        let least = ((camera.size.0 * camera.size.1 / n).sqrt() * 0.1).clamp(0.5, 2.5);
        (camera.scale * 0.07).clamp(least, 6.0)
    }

    /// Draws in the browser's next frame.
    fn ask_for_frame(self) {
        if self.is_drawing.get_value() {
            return;
        }
        self.is_drawing.set_value(true);
        request_animation_frame(move || {
            // The page may have gone on to something else meanwhile.
            if self.is_drawing.try_get_value().is_some() {
                self.is_drawing.set_value(false);
                self.draw(false);
            }
        });
    }

    /// Draws; `is_whole` draws all edges, even while the drawing moves.
    fn draw(self, is_whole: bool) {
        let (Some(canvas), Some(over)) = (self.canvas.get_untracked(), self.over.get_untracked())
        else {
            return;
        };
        let size = self.measured(&canvas);
        if size.0 < 1.0 || size.1 < 1.0 {
            return;
        }
        let theme = theme_of(&canvas);
        if self.theme.get_untracked() != theme {
            // What follows from the colours asks for another frame.
            self.theme.set(theme);
        }
        let Some(theme) = theme else { return };
        let density = window().device_pixel_ratio().clamp(1.0, 2.0);
        let density = density.min(MOST_PIXELS / size.0.max(size.1));
        let wanted = ((size.0 * density) as u32, (size.1 * density) as u32);
        for canvas in [&canvas, &over] {
            if (canvas.width(), canvas.height()) != wanted {
                canvas.set_width(wanted.0);
                canvas.set_height(wanted.1);
            }
        }
        let camera = self.camera();
        let radius = self.radius(&camera);
        let pointed = self.pointed();
        let share = match is_whole {
            true => 1.0,
            false => self.motion.try_update_value(|m| m.share_at(now())).unwrap_or(1.0),
        };
        if share < 1.0 {
            // The rest of the edges, once it stands still.
            set_timeout(
                move || {
                    let still = self.motion.try_with_value(|motion| !motion.is_moving(now()));
                    if still == Some(true) {
                        self.ask_for_frame();
                    }
                },
                std::time::Duration::from_millis(u64::from(MOVING_MS) + 20),
            );
        }
        let drawn = self.sent.try_update_value(|sent| {
            self.send(sent, &canvas, pointed);
            let node_alpha = sent.node_alpha(radius, &camera);
            sent.gpu.as_ref()?.draw(&Frame {
                camera,
                density,
                radius,
                edge: theme.edge,
                edge_alpha: edge_alpha(sent.sparse, &camera),
                node_alpha,
                accent: theme.accent,
                is_dim: pointed.is_some(),
                share,
            });
            Some(())
        });
        self.has_gpu.set(drawn.flatten().is_some());
        let found = self.names(&camera, radius, pointed);
        names::write(&over, &found, theme, density, pointed);
    }

    /// Sends what changed to the graphics processor.
    fn send(self, sent: &mut Sent, canvas: &HtmlCanvasElement, pointed: Option<u32>) {
        if sent.gpu.is_none() {
            *sent = Sent { gpu: WebGl::new(canvas), ..Sent::default() };
        }
        let (at, dressed) = (self.shown.at.get_untracked(), self.dressed.get_untracked());
        let whole = self.shown.whole.get_untracked();
        let Some(gpu) = &mut sent.gpu else { return };
        if at.len() != whole.n_nodes() || dressed.radii.len() != whole.n_nodes() {
            return;
        }
        let is_new =
            |old: &Option<Arc<Dressed>>| old.as_ref().is_none_or(|old| !Arc::ptr_eq(old, &dressed));
        if sent.at.as_ref().is_none_or(|old| !Arc::ptr_eq(old, &at)) {
            gpu.set_places(&at.iter().flatten().copied().collect::<Vec<f32>>());
            sent.sparse = sparse(&whole, &at);
            sent.at = Some(at);
            sent.near = None;
        }
        let is_shown = |node: u32| dressed.radii[node as usize] > 0.0;
        if is_new(&sent.dressed) {
            gpu.set_looks(&dressed.colours, &dressed.radii);
            let shown = whole.edges.iter().filter(|(a, b)| is_shown(*a) && is_shown(*b));
            let mut shown: Vec<(u32, u32)> = shown.copied().collect();
            // In an order by chance the first of them are like all of them.
            draw::whole::shuffle(&mut shown, 1);
            gpu.set_edges(&shown.into_iter().flat_map(|(a, b)| [a, b]).collect::<Vec<u32>>());
            sent.dressed = Some(dressed.clone());
            sent.near = None;
        }
        if sent.near != Some(pointed) {
            let (mut ends, mut nodes) = (Vec::new(), Vec::new());
            if let Some(node) = pointed.filter(|&n| (n as usize) < whole.n_nodes() && is_shown(n)) {
                let near = whole.links.of(node as usize).iter().filter(|&&n| is_shown(n));
                for &other in near {
                    ends.extend([node, other]);
                    nodes.push(other);
                }
                nodes.push(node);
            }
            gpu.set_near(&ends, &nodes);
            sent.near = Some(pointed);
        }
    }

    /// The names of what matters in sight: of the node that is pointed at and its neighbours first.
    fn names(self, camera: &Camera, radius: f64, pointed: Option<u32>) -> Vec<WrittenName> {
        let (at, dressed) = (self.shown.at.get_untracked(), self.dressed.get_untracked());
        let whole = self.shown.whole.get_untracked();
        let mut first: Vec<u32> = pointed.into_iter().collect();
        if let Some(node) = pointed {
            let near = whole.links.of(node as usize).iter().take(200);
            first.extend(near);
        }
        let size = |node: u32| dressed.radii.get(node as usize).copied().unwrap_or(0.0);
        let name = |node: u32| {
            let name = whole.names.get(node as usize)?;
            (size(node) > 0.0).then_some(name.as_str())
        };
        // While one node is pointed at, others would hide what it is joined to.
        let order: &[u32] = if pointed.is_some() { &[] } else { &dressed.order };
        let beside = |node: u32| radius * f64::from(size(node)) + 4.0;
        labels(camera, &at, &first, order, name, beside)
    }

    /// The size of the canvas now: what stands around it may have changed since the last frame.
    fn measured(self, canvas: &HtmlCanvasElement) -> (f64, f64) {
        let size = (f64::from(canvas.client_width()), f64::from(canvas.client_height()));
        if size.0 >= 1.0 && size.1 >= 1.0 && self.size.get_untracked() != size {
            self.size.set(size);
        }
        size
    }

    fn svg(self) -> Option<Svg> {
        let canvas = self.canvas.get_untracked()?;
        self.measured(&canvas);
        let theme = theme_of(&canvas)?;
        let (whole, at) = (self.shown.whole.get_untracked(), self.shown.at.get_untracked());
        let dressed = self.dressed.get_untracked();
        if at.len() != whole.n_nodes() || dressed.radii.len() != whole.n_nodes() {
            return None;
        }
        let camera = self.camera();
        let radius = self.radius(&camera);
        let pointed = self.pointed();
        Some(whole.svg(&InSight {
            at: &at,
            dressed: &dressed,
            camera,
            radius,
            theme,
            edge_alpha: edge_alpha(sparse(&whole, &at), &camera),
            node_alpha: look::node_alpha(&dressed.radii, radius, ground(&at, &camera)),
            pointed,
            names: &self.names(&camera, radius, pointed),
        }))
    }

    /// The node that is pointed at, or else the one that was picked.
    fn pointed(self) -> Option<u32> {
        self.hovered.get_untracked().or(self.shown.picked.get_untracked())
    }
}

/// The square of the plane that a drawing takes, over the sum of the lengths of its edges.
fn sparse(whole: &LargeGraph, at: &[Spot]) -> f64 {
    let (low, high) = bounds(at);
    let step = (whole.edges.len() / SAMPLED).max(1);
    let sampled = whole.edges.iter().step_by(step).map(|&(a, b)| {
        let (a, b) = (at[a as usize], at[b as usize]);
        f64::from((a[0] - b[0]).hypot(a[1] - b[1]))
    });
    let (sum, n) = sampled.fold((0.0, 0usize), |(sum, n), length| (sum + length, n + 1));
    let all = sum / n.max(1) as f64 * whole.edges.len() as f64;
    (high.0 - low.0) * (high.1 - low.1) / all.max(1e-6)
}

/// The square that a drawing takes, in pixels.
fn ground(at: &[Spot], camera: &Camera) -> f64 {
    let (low, high) = bounds(at);
    (high.0 - low.0) * (high.1 - low.1) * camera.scale * camera.scale
}

/// How opaque edges are, so that dense graphs are no black spot.
fn edge_alpha(sparse: f64, camera: &Camera) -> f32 {
    (INK * sparse * camera.scale).clamp(0.04, 0.7) as f32
}

/// A drawing as files. Empty until one stands on the page.
#[derive(Clone, Copy)]
pub(crate) struct Pictures(StoredValue<Option<Drawing>, LocalStorage>);

impl Default for Pictures {
    fn default() -> Self {
        Self(StoredValue::new_local(None))
    }
}

impl Pictures {
    /// The drawing as one canvas.
    pub(crate) fn canvas(self) -> Option<HtmlCanvasElement> {
        let drawing = self.0.get_value()?;
        // All edges: a frame has fewer while the drawing moves.
        drawing.draw(true);
        names::picture(&drawing.canvas.get_untracked()?, &drawing.over.get_untracked()?)
    }

    /// The part of the drawing that is in sight as lines, circles and words.
    pub(crate) fn svg(self) -> Option<Svg> {
        self.0.get_value()?.svg()
    }
}

/// The drawing of a large graph.
#[component]
pub(crate) fn WholeView(
    shown: Shown,
    /// Gets this drawing, to make files of it.
    pictures: Pictures,
    /// What is drawn, for screen readers.
    #[prop(into)]
    words: Signal<String>,
) -> impl IntoView {
    let (canvas, over) = (NodeRef::<Canvas>::new(), NodeRef::<Canvas>::new());
    let theme = RwSignal::new(None::<PageColours>);
    let dressed = Memo::new(move |_| {
        let (plain, is_dark) = theme.get().map_or(([90; 3], false), |t| (t.accent, t.is_dark()));
        let (chosen, measured) = (shown.chosen.get(), shown.measured.get());
        Arc::new(shown.whole.with(|w| w.dressed(&chosen, &measured, plain, is_dark)))
    });
    let drawing = Drawing {
        shown,
        canvas,
        over,
        theme,
        size: RwSignal::new((1.0, 1.0)),
        hovered: RwSignal::new(None),
        dressed,
        nearest: Memo::new(move |_| Arc::new(shown.at.with(|at| Nearest::new(at)))),
        sent: StoredValue::new_local(Sent::default()),
        held: StoredValue::new_local(Held::default()),
        is_drawing: StoredValue::new(false),
        motion: StoredValue::new(Motion { moved: f64::MIN, drawn: f64::MIN, share: 1.0 }),
        has_gpu: RwSignal::new(true),
    };
    pictures.0.set_value(Some(drawing));
    Effect::new(move |_| {
        canvas.track();
        over.track();
        shown.at.track();
        shown.camera.track();
        shown.picked.track();
        drawing.hovered.track();
        drawing.size.track();
        dressed.track();
        drawing.ask_for_frame();
    });
    let resized = window_event_listener(resize, move |_| drawing.ask_for_frame());
    on_cleanup(move || resized.remove());
    view! {
        <div class="whole-drawing">
            <canvas
                node_ref=canvas
                class="whole-canvas"
                class:is-close=move || shown.camera.with(Option::is_some)
                tabindex="0"
                role="application"
                aria-label=move || words.get()
                data-testid="whole-canvas"
                on:pointerdown=move |e| press(drawing, &e)
                on:pointermove=move |e| drag(drawing, &e)
                on:pointerup=move |e| release(drawing, &e, true)
                on:pointercancel=move |e| release(drawing, &e, false)
                on:pointerleave=move |_| drawing.hovered.set(None)
                on:wheel=move |e: WheelEvent| {
                    e.prevent_default();
                    let factor = (-e.delta_y().clamp(-100.0, 100.0) * 0.0025).exp();
                    drawing.zoom(drawing.pixel(e.client_x(), e.client_y()), factor);
                }
                on:keydown=move |e| press_key(drawing, &e)
                on:webglcontextlost=move |e: web_sys::Event| e.prevent_default()
                on:webglcontextrestored=move |_: web_sys::Event| {
                    drawing.sent.set_value(Sent::default());
                    drawing.ask_for_frame();
                }
            ></canvas>
            <canvas node_ref=over class="whole-names" aria-hidden="true"></canvas>
            <Show when=move || !drawing.has_gpu.get()>
                <p class="empty" role="alert">
                    "This browser draws no large graphs: it has no WebGL 2, or it is switched off. The search below still lists what a node is joined to."
                </p>
            </Show>
        </div>
    }
    .into_any()
}
