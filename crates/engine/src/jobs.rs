//! Jobs: one request's life each.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use agent::{Cancel, EndpointModel};
use futures_channel::oneshot;
use graph::functions::FunctionError;
use llm::{Message, Model};
use systems::grounded::scripted::Script;
use tasks::verify;

use crate::fetch::{Fetches, PageTransport, Word};
use crate::message::{CallOutput, ModelChoice};
use crate::{
    Attachments, Envelope, Event, Host, Output, Parts, Request, bench, catalog, dataset, kg, link,
    person, problem, rescue, run, toolformer, traces,
};

/// Takes requests and tells the host what comes of them.
#[derive(Clone)]
pub struct Engine {
    host: Rc<dyn Host>,
    jobs: Rc<RefCell<BTreeMap<u64, Job>>>,
    files: Files,
    bench: bench::Kept,
    kg: kg::Open,
    calls: toolformer::Open,
    parts: Parts,
}

/// The files that were checked last, name and text.
pub(crate) type Files = Rc<RefCell<Rc<Vec<(String, String)>>>>;

/// What the engine keeps of a job that runs.
#[derive(Clone, Default)]
struct Job {
    cancel: Cancel,
    is_paused: Rc<Cell<bool>>,
    fetches: Fetches,
    asked: Asked,
}

/// Whoever waits for what a person says.
pub(crate) type Asked = Rc<RefCell<Option<oneshot::Sender<Message>>>>;

/// A job's own view of the world.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) id: u64,
    pub(crate) host: Rc<dyn Host>,
    pub(crate) cancel: Cancel,
    pub(crate) fetches: Fetches,
    pub(crate) asked: Asked,
    pub(crate) parts: Parts,
    is_paused: Rc<Cell<bool>>,
    /// Bytes that came with the request.
    pub(crate) attachments: Attachments,
    /// The benchmark that is open.
    bench: bench::Kept,
}

impl Context {
    /// Whether the page wants no further run to begin.
    pub(crate) fn is_paused(&self) -> bool {
        self.is_paused.get()
    }

    pub(crate) fn post(&self, body: Event) {
        self.host.post(Envelope { job: self.id, body });
    }
}

impl Engine {
    /// An engine in a place, with what it can do beyond what every visitor needs.
    pub fn new(host: Rc<dyn Host>, parts: Parts) -> Self {
        Self {
            host,
            parts,
            jobs: Rc::default(),
            files: Rc::default(),
            bench: Rc::default(),
            kg: Rc::default(),
            calls: Rc::default(),
        }
    }

    /// Takes a request. What comes of it is posted, now or later.
    pub fn handle(&self, envelope: Envelope<Request>) {
        self.handle_with(envelope, Attachments::default());
    }

    /// The same with bytes beside the request.
    pub fn handle_with(&self, envelope: Envelope<Request>, attachments: Attachments) {
        let Envelope { job, body } = envelope;
        match body {
            Request::Cancel => {
                if let Some(running) = self.jobs.borrow().get(&job).cloned() {
                    running.cancel.cancel();
                }
            }
            Request::Pause => {
                if let Some(running) = self.jobs.borrow().get(&job) {
                    running.is_paused.set(true);
                }
            }
            Request::Fetched { fetch, result } => {
                self.tell(job, fetch, Word::End(result));
            }
            Request::Said { message } => {
                let running = self.jobs.borrow().get(&job).cloned();
                if let Some(waiting) = running.and_then(|r| r.asked.borrow_mut().take()) {
                    let _ = waiting.send(message);
                }
            }
            Request::Cleaned { fetch, outcome } => self.tell(job, fetch, Word::Clean(outcome)),
            Request::Head { fetch, head } => self.tell(job, fetch, Word::Head(head)),
            Request::Chunk { fetch, text } => self.tell(job, fetch, Word::Text(text)),
            request => {
                let running = Job::default();
                self.jobs.borrow_mut().insert(job, running.clone());
                let context = Context {
                    id: job,
                    host: self.host.clone(),
                    cancel: running.cancel,
                    fetches: running.fetches,
                    asked: running.asked,
                    parts: self.parts,
                    is_paused: running.is_paused,
                    attachments,
                    bench: self.bench.clone(),
                };
                let (jobs, files) = (self.jobs.clone(), self.files.clone());
                let (open, calls) = (self.kg.clone(), self.calls.clone());
                self.host.spawn(Box::pin(async move {
                    let event = match perform(&context, &files, &open, &calls, request).await {
                        Ok(output) => Event::Done { output: Box::new(output) },
                        Err(message) => Event::Failed { message },
                    };
                    jobs.borrow_mut().remove(&job);
                    context.post(event);
                }));
            }
        }
    }
}

impl Engine {
    /// Hands on what the page says of a fetch; whoever waited may have been stopped meanwhile.
    fn tell(&self, job: u64, fetch: u64, word: Word) {
        let running = self.jobs.borrow().get(&job).cloned();
        if let Some(running) = running {
            running.fetches.tell(fetch, word);
        }
    }
}

async fn perform(
    context: &Context,
    files: &Files,
    open: &kg::Open,
    calls: &toolformer::Open,
    request: Request,
) -> Result<Output, String> {
    match request {
        Request::Generate { task, difficulty, seed, wording, style } => {
            let made = tasks::task(task).generate(difficulty, seed);
            let problem = problem::view(made, wording, style);
            Ok(Output::Problem { problem })
        }
        Request::Read { text } => problem::read(&text),
        Request::Reword { problem, wording, style } => {
            Ok(problem::reworded(&problem, wording, style))
        }
        Request::Layout { graph, kind, seed } => {
            if !draw::is_drawn_whole(&graph) {
                return Err(format!(
                    "a graph of {} nodes and {} edges is not drawn whole; at most {} nodes and {} \
                     edges are",
                    graph.n_nodes(),
                    graph.n_edges(),
                    draw::MOST_NODES,
                    draw::MOST_EDGES
                ));
            }
            let places = draw::layout(&graph, kind, seed, &draw::Places::default());
            Ok(Output::Layout { places })
        }
        Request::Solve { problem } => {
            let problem = problem::core(&problem);
            let text = tasks::reference_text(&problem, &tasks::solve(&problem));
            let judgement = verify(&problem, &text);
            Ok(Output::Judged { text, judgement })
        }
        Request::Verify { problem, text } => {
            let judgement = verify(&problem::core(&problem), &text);
            Ok(Output::Judged { text, judgement })
        }
        Request::Call { function, graph, arguments } => {
            let Some(function) = graph::functions::find(&function) else {
                return Err(format!("there is no function {function:?}"));
            };
            let result: Result<CallOutput, FunctionError> =
                function.call(&graph, arguments).map(|o| CallOutput {
                    value: o.value,
                    notes: o.notes,
                    deltas: o.deltas,
                    touched: o.touched,
                });
            Ok(Output::Called { result })
        }
        Request::Run { system, problem, model, limits, options, n_runs } => {
            let model = model_of(context, model)?;
            run::run(context, &system, &problem, model.as_ref(), limits, &options, n_runs).await
        }
        Request::ReadTraces { text } => traces::read(&text),
        Request::WriteTraces { records, format } => traces::write(&records, &format),
        Request::Replay { trace } => traces::replay(&trace),
        Request::Diff { left, right } => {
            Ok(Output::Diff { diff: trace::diff::diff(&left, &right) })
        }
        Request::Claims { problem, text } => {
            let claims = tasks::claims::find(&problem::core(&problem), &text);
            Ok(Output::Claims { claims })
        }
        Request::Dataset { files: new } => dataset::check(context, files, new).await,
        Request::Question { file, key } => {
            let files = files.borrow();
            let (_, text) = files.get(file).ok_or("that file is no longer here; drop it again")?;
            let entries = tasks::dataset::parse(text).map_err(|e| e.to_string())?;
            let entry = entries.into_iter().find(|e| e.key == key);
            let entry = entry.ok_or_else(|| format!("the file has no problem {key:?}"))?;
            problem::read_entry(&entry)
        }
        Request::Bench { ask } => {
            let part = context.parts.bench;
            part.ok_or("internal error: this engine has no benchmarks")?(
                context,
                &context.bench,
                ask,
            )
            .await
        }
        request @ (Request::Kg { .. } | Request::Family { .. }) => {
            let part = context.parts.knowledge;
            part.ok_or("a fault of ours: this engine has no knowledge graphs")?(
                context, open, request,
            )
            .await
        }
        Request::Toolformer { ask, files } => {
            let part = context.parts.toolformer;
            part.ok_or("a fault of ours: this engine has no calls in text")?(
                context, calls, ask, files,
            )
            .await
        }
        Request::Rescue { ask } => rescue::perform(context, &ask).await,
        Request::WriteLink { shared } => link::write(*shared),
        Request::ReadLink { link } => link::read(&link).map_err(|e| e.to_string()),
        Request::Sample { task, generator, seed, wording, style } => {
            link::sample(task, &generator, seed, wording, style)
        }
        Request::Catalog => Ok(Output::Catalog { functions: catalog::all() }),
        Request::Fetched { .. }
        | Request::Cleaned { .. }
        | Request::Head { .. }
        | Request::Chunk { .. }
        | Request::Said { .. }
        | Request::Pause
        | Request::Cancel => Ok(Output::Cancelled),
    }
}

/// The model that a request names.
pub(crate) fn model_of(context: &Context, choice: ModelChoice) -> Result<Box<dyn Model>, String> {
    Ok(match choice {
        ModelChoice::Script { name } => {
            Box::new(Script::by_name(&name).ok_or_else(|| format!("there is no script {name:?}"))?)
        }
        ModelChoice::Person => Box::new(person::Person::new(context.clone())),
        ModelChoice::Endpoint { endpoint, model } => {
            let transport = Rc::new(PageTransport::new(context));
            Box::new(EndpointModel::new(endpoint, model, transport)?)
        }
    })
}
