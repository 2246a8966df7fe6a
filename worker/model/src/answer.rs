//! Loading a model and answering with it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gguf::{Beat, Draw, File, GgufError, LocalModel, LocalOptions};
use llm::served::{self, Reply};
use llm::{BoxFuture, Model as _, ModelError, Part, Watch};
use modelfiles::{FromModel, Speed, name_of};
use serde_json::json;

use crate::check;
use crate::host::Host;
use crate::reader::{Reader, Source};
use crate::store;

/// Milliseconds after which messages are let in, and text is sent.
const TURN_MS: f64 = 8.0;
/// Milliseconds of a layer of a batch of the prompt: nobody waits longer for a stop.
const PATIENCE_MS: f64 = 50.0;
/// Milliseconds between two messages about how far loading or reading is.
const TELL_MS: f64 = 100.0;

/// The fewest input tokens that tell a speed.
const FEW_READ: usize = 32;

/// Seconds since 1970.
fn now_s() -> f64 {
    js_sys::Date::now() / 1000.0
}

/// A model in memory.
pub(crate) struct Loaded {
    pub(crate) name: String,
    model: LocalModel,
}

/// What a run asks between tokens.
struct Turn {
    host: Rc<Host>,
    job: u32,
    last: Cell<f64>,
    /// When the page was last told how far the prompt is read.
    told: Cell<f64>,
    /// Who answers, where the answer is wanted as a stream.
    stream: Option<Reply>,
    /// Text that is not sent yet.
    text: RefCell<String>,
}

impl Turn {
    fn send(&self) {
        let text = self.text.take();
        if let Some(reply) = self.stream.as_ref().filter(|_| !text.is_empty()) {
            let piece = reply.piece(&json!({ "content": text }));
            self.host.post(self.job, &FromModel::Text { text: served::event(&piece) });
        }
    }
}

impl Beat for Turn {
    fn now_ms(&self) -> Option<f64> {
        Some(self.host.now_ms())
    }

    fn today_s(&self) -> Option<i64> {
        Some(now_s() as i64)
    }

    fn patience_ms(&self) -> Option<f64> {
        Some(PATIENCE_MS)
    }

    fn read(&self, done: usize, total: usize) {
        if self.host.now_ms() - self.told.get() > TELL_MS {
            self.told.set(self.host.now_ms());
            let (done, total) = (done as f64, total as f64);
            self.host.post(self.job, &FromModel::Reading { done, total });
        }
    }

    fn go_on(&self) -> BoxFuture<'_, bool> {
        Box::pin(async {
            if self.host.now_ms() - self.last.get() > TURN_MS {
                self.send();
                self.host.pause().await;
                self.last.set(self.host.now_ms());
            }
            !self.host.is_stopped(self.job)
        })
    }
}

impl Watch for Turn {
    fn part(&self, part: Part) {
        // Calls come whole, at the end.
        if let Part::Text { text } = part {
            self.text.borrow_mut().push_str(&text);
        }
    }
}

fn local(reason: impl Into<String>) -> ModelError {
    ModelError::Local { reason: reason.into() }
}

async fn load(host: &Rc<Host>, job: u32, name: &str) -> Result<LocalModel, ModelError> {
    let missing =
        || local(format!("there is no file {name} in this browser; add it, or choose another"));
    let kept = store::kept(name).await.ok_or_else(missing)?;
    if !kept.is_whole {
        return Err(local(format!("{name} is not whole; load the rest of it, or delete it")));
    }
    let opened = store::open_to_read(name).await.map_err(|e| local(format!("{name}: {e}")))?;
    let file = File::over(Reader::new(Source::Kept(opened)));
    let fault = |error: &GgufError| local(format!("{name}: {}", check::words(error)));
    let file = file.map_err(|error| fault(&error))?;
    let load = || {
        let budget = check::budget();
        let n_ctx = check::context(file.summary())?;
        let needed = file.summary().fits(budget, n_ctx)?.needed;
        Ok((budget, n_ctx, needed))
    };
    let (budget, n_ctx, needed) = load().map_err(|error| fault(&error))?;
    check::reserve(needed).map_err(|words| local(format!("{name}: {words}")))?;
    let load = || {
        let options = LocalOptions { n_ctx, budget_bytes: Some(budget), ..LocalOptions::default() };
        let mut last = host.now_ms();
        LocalModel::load_with(file, options, &mut |done, total| {
            if host.now_ms() - last > TELL_MS {
                last = host.now_ms();
                host.post(job, &FromModel::Progress { done: done as f64, total: total as f64 });
            }
        })
    };
    load().map_err(|error| fault(&error))
}

/// Answers a question of OpenAI's protocol; what comes goes to the page as the body of the reply.
///
/// # Errors
/// It cannot be answered, or was stopped.
pub(crate) async fn answer(host: &Rc<Host>, job: u32, body: &str) -> Result<Speed, ModelError> {
    let body =
        serde_json::from_str(body).map_err(|e| local(format!("the request is no JSON: {e}")))?;
    let wanted = served::read(&body).map_err(local)?;
    let request = &wanted.request;
    let name = name_of(&request.model).map_err(local)?;
    let mut loaded = host.loaded.lock().await;
    if host.is_stopped(job) {
        return Err(ModelError::Cancelled);
    }
    if loaded.as_ref().is_none_or(|l| l.name != name) {
        // Two models may not fit beside each other.
        *loaded = None;
        let model = load(host, job, &name).await?;
        *loaded = Some(Loaded { name: name.clone(), model });
    }
    let Some(Loaded { model, .. }) = &*loaded else { return Err(ModelError::Cancelled) };
    let reply = Reply { id: format!("answer-{job}"), created: now_s() as u64, model: name };
    let usual = model.options().draw;
    let draw = Draw {
        top_p: wanted.top_p.map_or(usual.top_p, |p| p as f32),
        min_p: wanted.min_p.map_or(usual.min_p, |p| p as f32),
        ..usual
    };
    let turn = Turn {
        host: host.clone(),
        job,
        last: Cell::new(f64::NEG_INFINITY),
        told: Cell::new(host.now_ms()),
        stream: wanted.is_stream.then(|| reply.clone()),
        text: RefCell::default(),
    };
    let answer = model.with_beat(&turn).with_draw(draw).complete(request, &turn).await?;
    turn.send();
    let text = if wanted.is_stream {
        let calls = answer.message.tool_calls.iter().enumerate();
        let calls = calls.flat_map(|(index, call)| reply.call(index, call));
        let last: Vec<String> =
            calls.chain(reply.last(&answer, true)).map(|piece| served::event(&piece)).collect();
        last.concat() + served::DONE
    } else {
        reply.whole(&answer).to_string()
    };
    host.post(job, &FromModel::Text { text });
    let stats = model.stats().unwrap_or_default();
    let n_read = stats.n_prompt.saturating_sub(stats.n_cached);
    Ok(Speed {
        // Where nearly all of a prompt was known, the few tokens that were read tell nothing.
        prefill_per_s: stats.prefill_per_s.filter(|_| n_read >= FEW_READ),
        decode_per_s: stats.decode_per_s,
        n_threads: host.n_threads,
    })
}
