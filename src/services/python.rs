//! Python in a frame without an origin: started when it is first wanted, ended when it does not answer.
//!
//! The frame (`www/python.html`) asks for nothing itself: its files are loaded here and handed in. What
//! it says may be the words of hostile code, and is read as such.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use futures_channel::oneshot;
use futures_util::future::{Either, select};
use futures_util::lock::Mutex;
use gloo_net::http::Request;
use js_sys::{Array, ArrayBuffer, Object, Promise, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    HtmlIFrameElement, MessageChannel, MessageEvent, MessagePort, ReadableStreamDefaultReader,
    Window,
};

use leptos::prelude::{GetUntracked as _, RwSignal, Set as _};
use protocol::python::{FrameSaid, MAX_TEXT, read, written};
use systems::kgot::{PythonFailure, PythonFault, PythonReply, PythonRequest};

use super::single_file;

/// Python's files beside the page, with their bytes as they are unpacked. Ours are too small to count.
const FILES: [(&str, u32); 8] = [
    ("worker.js", 0),
    ("run.py", 0),
    ("pyodide.mjs", 17_931),
    ("pyodide-lock.json", 119_077),
    ("pyodide.asm.mjs", 1_250_344),
    ("networkx.whl", 2_068_504),
    ("python_stdlib.zip", 2_545_637),
    ("pyodide.asm.wasm", 9_598_218),
];

/// With what the frame is handed its port.
const HELLO: &str = "graphground-python-1";

/// How long Python may take to start on a slow machine.
const START_MS: u32 = 120_000;

/// The longest that a run may take.
const MAX_LIMIT_MS: u32 = 60_000;

/// By how much the frame may be late in saying that a run was ended.
const GRACE_MS: u32 = 5_000;

/// A run that the frame has not answered.
struct Pending {
    begun: Option<oneshot::Sender<()>>,
    ended: oneshot::Sender<Result<PythonReply, PythonFailure>>,
}

/// What the frame's words go to.
#[derive(Default)]
struct Heard {
    ready: Option<oneshot::Sender<Result<(), String>>>,
    runs: BTreeMap<u64, Pending>,
}

/// Python, ready to run code. Its frame goes with it.
pub(crate) struct Python {
    frame: HtmlIFrameElement,
    port: MessagePort,
    heard: Rc<RefCell<Heard>>,
    // One run at a time, so that the time of each can be told.
    turn: Mutex<()>,
    last: Cell<u64>,
    // Called by the port as long as this lives.
    _hear: Closure<dyn FnMut(MessageEvent)>,
}

impl Drop for Python {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Python {
    /// Loads Python's files and starts it; how many bytes of how many goes to `on_progress`.
    ///
    /// # Errors
    /// A file cannot be loaded, or this browser cannot start Python; says why.
    pub(crate) async fn load(on_progress: impl Fn(f64, f64)) -> Result<Self, String> {
        let total: f64 = FILES.iter().map(|(_, size)| f64::from(*size)).sum();
        let (files, buffers) = (Object::new(), Array::new());
        let mut loaded = 0.0;
        for (name, _) in FILES {
            let bytes = fetch(name, |part| {
                loaded += part;
                on_progress(loaded.min(total), total);
            })
            .await?;
            let _ = Reflect::set(&files, &name.into(), &bytes);
            buffers.push(&bytes);
        }
        let python = Self::open().await.map_err(|e| format!("the frame does not open: {e:?}"))?;
        let (ready, when_ready) = oneshot::channel();
        python.heard.borrow_mut().ready = Some(ready);
        let load = Object::new();
        let _ = Reflect::set(&load, &"load".into(), &files);
        let handed = python.port.post_message_with_transferable(&load, &buffers);
        handed.map_err(|e| format!("the frame does not take Python's files: {e:?}"))?;
        match within(START_MS, when_ready).await {
            Some(Ok(Ok(()))) => Ok(python),
            Some(Ok(Err(message))) => Err(format!("Python does not start: {message}")),
            _ => Err("Python does not start: its frame says nothing".to_owned()),
        }
    }

    /// The frame, with a port to it.
    async fn open() -> Result<Self, JsValue> {
        let document = window()?.document().ok_or("no document")?;
        let frame: HtmlIFrameElement = document.create_element("iframe")?.unchecked_into();
        frame.set_attribute("sandbox", "allow-scripts")?;
        // A page with threads takes no frame whose answer lacks its headers, and a service worker
        // cannot add them to a frame without an origin; but it takes one without credentials.
        frame.set_attribute("credentialless", "")?;
        frame.set_attribute("title", "Python")?;
        frame.set_hidden(true);
        frame.set_src("python.html");
        let loaded = Promise::new(&mut |resolve, _| frame.set_onload(Some(&resolve)));
        document.body().ok_or("no body")?.append_child(&frame)?;
        JsFuture::from(loaded).await?;
        let channel = MessageChannel::new()?;
        let port = channel.port1();
        let heard = Rc::new(RefCell::new(Heard::default()));
        let hears = Rc::clone(&heard);
        let hear = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            // Anything but a text is not read, and neither is one that is too long to be copied.
            let text = event.data().dyn_into::<js_sys::JsString>().ok();
            let text = text.filter(|t| t.length() as usize <= MAX_TEXT).map(String::from);
            if let Some(said) = text.and_then(|t| read(&t).ok()) {
                hears.borrow_mut().hear(said);
            }
        });
        port.set_onmessage(Some(hear.as_ref().unchecked_ref()));
        let target = frame.content_window().ok_or("no window")?;
        // It has no origin that could be named.
        target.post_message_with_transfer(&HELLO.into(), "*", &Array::of1(&channel.port2()))?;
        let (turn, last) = (Mutex::new(()), Cell::new(0));
        Ok(Self { frame, port, heard, turn, last, _hear: hear })
    }

    /// Runs code, for as long as the request says.
    ///
    /// # Errors
    /// The code failed or was ended, or Python was stopped.
    async fn run(&self, request: &PythonRequest) -> Result<PythonReply, PythonFailure> {
        let _turn = self.turn.lock().await;
        let unavailable = |why: &str| PythonFailure::new(PythonFault::Unavailable, why);
        if !self.frame.is_connected() {
            return Err(unavailable("Python was stopped; load it again"));
        }
        let id = self.last.get() + 1;
        self.last.set(id);
        let limit_ms = u32::try_from(request.limit_ms).unwrap_or(u32::MAX).min(MAX_LIMIT_MS);
        let text = written(id, &PythonRequest { limit_ms: limit_ms.into(), ..request.clone() });
        if text.len() > MAX_TEXT {
            let words = format!("the request has {} bytes; {MAX_TEXT} is the limit", text.len());
            return Err(PythonFailure::new(PythonFault::TooLarge, words));
        }
        let (begun, when_begun) = oneshot::channel();
        let (ended, when_ended) = oneshot::channel();
        let pending = Pending { begun: Some(begun), ended };
        self.heard.borrow_mut().runs.insert(id, pending);
        if self.port.post_message(&text.into()).is_err() {
            return Err(unavailable("Python's frame takes no request"));
        }
        // Where it never begins, what it ended with says why.
        if within(START_MS, when_begun).await.is_none() {
            self.stop();
            return Err(unavailable("Python's frame does not answer, and was removed"));
        }
        match within(limit_ms + GRACE_MS, when_ended).await {
            Some(Ok(reply)) => reply,
            Some(Err(_)) => Err(unavailable("Python was stopped")),
            None => {
                self.stop();
                let words = "Python's frame did not end the code in time, and was removed";
                Err(PythonFailure::new(PythonFault::Timeout, words))
            }
        }
    }

    /// Ends what runs, and removes the frame with all of Python.
    pub(crate) fn stop(&self) {
        self.port.set_onmessage(None);
        self.port.close();
        self.frame.remove();
        // Whoever waits hears of it by its channel's end.
        self.heard.borrow_mut().runs.clear();
    }
}

impl Heard {
    fn hear(&mut self, said: FrameSaid) {
        match said {
            FrameSaid::Ready => self.start(Ok(())),
            FrameSaid::Broken(message) => self.start(Err(message)),
            FrameSaid::Begun(id) => {
                let begun = self.runs.get_mut(&id).and_then(|run| run.begun.take());
                begun.map(|begun| begun.send(()));
            }
            FrameSaid::Ended(id, reply) => {
                self.runs.remove(&id).map(|run| run.ended.send(reply));
            }
        }
    }

    fn start(&mut self, how: Result<(), String>) {
        self.ready.take().map(|ready| ready.send(how));
    }
}

/// How far Python is in this page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PythonState {
    /// Nobody wanted it yet.
    Off,
    /// Its files are loaded: bytes, of so many.
    Loading(f64, f64),
    /// It is there.
    Ready,
    /// It cannot be had; the words say why.
    Failed(String),
}

thread_local! {
    static ONE: RefCell<Option<Rc<Python>>> = const { RefCell::new(None) };
    // Two who want it at the same time wait for the same one.
    static LOADING: Rc<Mutex<()>> = Rc::new(Mutex::new(()));
}

/// Loads Python, if it is not there yet; `state` tells how far it is.
///
/// # Errors
/// It cannot be had; the words say why.
pub(crate) async fn load(state: Option<RwSignal<PythonState>>) -> Result<(), String> {
    one(state).await.map(drop)
}

/// Runs code in the one sandbox of the page, which is loaded first where it is not there. One that had
/// to be removed is replaced.
///
/// # Errors
/// The code failed or was ended, or there is no Python.
pub(crate) async fn run(request: PythonRequest) -> Result<PythonReply, PythonFailure> {
    let python =
        one(None).await.map_err(|why| PythonFailure::new(PythonFault::Unavailable, why))?;
    python.run(&request).await
}

async fn one(state: Option<RwSignal<PythonState>>) -> Result<Rc<Python>, String> {
    let tell = |now: PythonState| {
        if let Some(state) = state
            && state.try_get_untracked().is_some()
        {
            state.set(now);
        }
    };
    if single_file::is_one_file() {
        let why = "Python is not in the page as one file; open the page from a server".to_owned();
        tell(PythonState::Failed(why.clone()));
        return Err(why);
    }
    let loading = LOADING.with(Rc::clone);
    let _turn = loading.lock().await;
    let there = ONE.with_borrow(Clone::clone).filter(|python| python.frame.is_connected());
    let python = match there {
        Some(python) => python,
        None => match Python::load(|done, total| tell(PythonState::Loading(done, total))).await {
            Ok(python) => {
                let python = Rc::new(python);
                ONE.set(Some(Rc::clone(&python)));
                python
            }
            Err(why) => {
                tell(PythonState::Failed(why.clone()));
                return Err(why);
            }
        },
    };
    tell(PythonState::Ready);
    Ok(python)
}

fn window() -> Result<Window, JsValue> {
    web_sys::window().ok_or_else(|| "no window".into())
}

/// What comes, unless so many milliseconds pass first.
async fn within<F: Future + Unpin>(ms: u32, wanted: F) -> Option<F::Output> {
    let timer = Promise::new(&mut |resolve, _| {
        let ms = i32::try_from(ms).unwrap_or(i32::MAX);
        let _ = window()
            .and_then(|w| w.set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, ms));
    });
    match select(wanted, JsFuture::from(timer)).await {
        Either::Left((came, _)) => Some(came),
        Either::Right(_) => None,
    }
}

/// The bytes of one of Python's files; how many have come goes to `on_part`.
async fn fetch(name: &str, mut on_part: impl FnMut(f64)) -> Result<ArrayBuffer, String> {
    let url = format!("python/{name}");
    let broken = |why: &str| format!("{url} could not be loaded: {why}");
    let response = match Request::get(&url).send().await {
        Ok(response) if response.ok() => response,
        Ok(response) if response.status() == 404 => {
            return Err(broken("this page was built without Python"));
        }
        Ok(response) => return Err(broken(&format!("status {}", response.status()))),
        Err(_) => return Err(broken("is the page's server there?")),
    };
    let reader = response.body().map(|body| body.get_reader());
    let reader = reader.and_then(|r| r.dyn_into::<ReadableStreamDefaultReader>().ok());
    let reader = reader.ok_or_else(|| broken("the answer has no body"))?;
    let mut parts: Vec<Uint8Array> = Vec::new();
    loop {
        let came = JsFuture::from(reader.read()).await;
        let came = came.map_err(|_| broken("the connection was lost"))?;
        if Reflect::get(&came, &"done".into()).is_ok_and(|done| done.is_truthy()) {
            break;
        }
        let part = Reflect::get(&came, &"value".into()).ok().and_then(|v| v.dyn_into().ok());
        let part: Uint8Array = part.ok_or_else(|| broken("the answer is none of bytes"))?;
        on_part(f64::from(part.length()));
        parts.push(part);
    }
    let whole = Uint8Array::new_with_length(parts.iter().map(Uint8Array::length).sum());
    let mut at = 0;
    for part in &parts {
        whole.set(part, at);
        at += part.length();
    }
    Ok(whole.buffer())
}
