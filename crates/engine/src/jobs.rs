//! Jobs: one request's life each.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use agent::{Cancel, EndpointModel, Transport};
use futures_channel::oneshot;
use graph::functions::FunctionError;
use llm::{BoxFuture, Endpoint, HttpRequest, HttpResponse, Model, ModelError};
use systems::grounded::scripted::Script;
use systems::{RunRequest, run_system};
use tasks::verify;

use crate::message::{CallOutput, ModelChoice, ProblemView};
use crate::{Envelope, Event, Host, Output, Request, catalog, dataset, problem, rescue};

type Waiting = BTreeMap<u64, oneshot::Sender<Result<HttpResponse, ModelError>>>;

/// Takes requests and tells the host what comes of them.
#[derive(Clone)]
pub struct Engine {
    host: Rc<dyn Host>,
    jobs: Rc<RefCell<BTreeMap<u64, Job>>>,
    files: Files,
}

/// The files that were checked last, name and text.
pub(crate) type Files = Rc<RefCell<Rc<Vec<(String, String)>>>>;

/// What the engine keeps of a job that runs.
#[derive(Clone, Default)]
struct Job {
    cancel: Cancel,
    fetches: Rc<RefCell<Waiting>>,
}

/// A job's own view of the world.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) id: u64,
    pub(crate) host: Rc<dyn Host>,
    pub(crate) cancel: Cancel,
    fetches: Rc<RefCell<Waiting>>,
}

impl Context {
    pub(crate) fn post(&self, body: Event) {
        self.host.post(Envelope { job: self.id, body });
    }
}

impl Engine {
    /// An engine in a place.
    pub fn new(host: Rc<dyn Host>) -> Self {
        Self { host, jobs: Rc::default(), files: Rc::default() }
    }

    /// Takes a request. What comes of it is posted, now or later.
    pub fn handle(&self, envelope: Envelope<Request>) {
        let Envelope { job, body } = envelope;
        match body {
            Request::Cancel => {
                if let Some(running) = self.jobs.borrow().get(&job).cloned() {
                    running.cancel.cancel();
                }
            }
            Request::Fetched { fetch, result } => {
                let running = self.jobs.borrow().get(&job).cloned();
                let waiting = running.and_then(|r| r.fetches.borrow_mut().remove(&fetch));
                if let Some(waiting) = waiting {
                    // Whoever waited may have been stopped meanwhile.
                    let _ = waiting.send(result);
                }
            }
            request => {
                let running = Job::default();
                self.jobs.borrow_mut().insert(job, running.clone());
                let context = Context {
                    id: job,
                    host: self.host.clone(),
                    cancel: running.cancel,
                    fetches: running.fetches,
                };
                let (jobs, files) = (self.jobs.clone(), self.files.clone());
                self.host.spawn(Box::pin(async move {
                    let event = match perform(&context, &files, request).await {
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

async fn perform(context: &Context, files: &Files, request: Request) -> Result<Output, String> {
    match request {
        Request::Generate { task, difficulty, seed, wording, style } => {
            let made = tasks::task(task).generate(difficulty, seed);
            let problem = problem::view(made, wording, style);
            Ok(Output::Problem { problem })
        }
        Request::Read { text } => problem::read(&text),
        Request::Reword { problem, wording, style } => {
            Ok(Output::Problem { problem: problem::reworded(*problem, wording, style) })
        }
        Request::Layout { graph, kind, seed } => {
            let (n, most) = (graph.n_nodes(), problem::MAX_PLACED);
            if n > most {
                return Err(format!("a graph of {n} nodes is not drawn; at most {most} are"));
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
        Request::Run { system, problem, model, limits } => {
            run(context, &system, &problem, model, limits).await
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
        Request::Rescue { ask } => rescue::perform(context, &ask).await,
        Request::Catalog => Ok(Output::Catalog { functions: catalog::all() }),
        Request::Fetched { .. } | Request::Cancel => Ok(Output::Cancelled),
    }
}

async fn run(
    context: &Context,
    system: &str,
    problem: &ProblemView,
    model: ModelChoice,
    limits: agent::Limits,
) -> Result<Output, String> {
    let system = systems::find(system).ok_or_else(|| format!("there is no system {system:?}"))?;
    let model: Box<dyn Model> = match model {
        ModelChoice::Script { name } => {
            Box::new(Script::by_name(&name).ok_or_else(|| format!("there is no script {name:?}"))?)
        }
        ModelChoice::Endpoint { endpoint, model } => {
            let transport = Rc::new(PageTransport { context: context.clone() });
            Box::new(EndpointModel::new(endpoint, model, transport)?)
        }
    };
    let core = problem::core(problem);
    let request = RunRequest { system, problem: &core, question: &problem.question, limits };
    let host = context.host.clone();
    let clock = move || host.now_ms();
    let mut on_step =
        |step: &trace::Step| context.post(Event::Step { step: Box::new(step.clone()) });
    let run = run_system(request, model.as_ref(), &clock, &context.cancel, &mut on_step).await;
    Ok(Output::Run { run: Box::new(run) })
}

/// Asks the page to send bytes: keys never enter a worker, and the page's policy governs.
pub(crate) struct PageTransport {
    pub(crate) context: Context,
}

impl Transport for PageTransport {
    fn send<'a>(
        &'a self,
        endpoint: &'a Endpoint,
        request: HttpRequest,
    ) -> BoxFuture<'a, Result<HttpResponse, ModelError>> {
        Box::pin(async move {
            let (sender, receiver) = oneshot::channel();
            let fetch = {
                let mut fetches = self.context.fetches.borrow_mut();
                let fetch = fetches.last_key_value().map_or(0, |(last, _)| last + 1);
                fetches.insert(fetch, sender);
                fetch
            };
            let endpoint = endpoint.clone();
            self.context.post(Event::Fetch { fetch, endpoint, request });
            receiver.await.unwrap_or(Err(ModelError::Cancelled))
        })
    }
}
