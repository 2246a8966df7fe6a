//! An engine with its place, as the tests have it.

use std::cell::{Cell, RefCell};
use std::fmt::Debug;
use std::rc::Rc;

use agent::Limits;
use engine::message::{ModelChoice, ProblemView};
use engine::{Attachments, Engine, Envelope, Event, Host, Output, Parts, Request};
use futures::executor::{LocalPool, LocalSpawner};
use futures::task::LocalSpawnExt as _;
use graph::Graph;
use llm::{ApiKey, BoxFuture, Endpoint, HttpRequest, HttpResponse, ModelError, Scrub};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use systems::Run;
use tasks::dataset::entry_json;
use tasks::{Difficulty, Judgement, Style, TaskId, Wording};

/// A place for an engine: keeps what is posted, and has a clock that the test sets going.
pub(crate) struct Bench {
    pub(crate) posted: RefCell<Vec<Envelope<Event>>>,
    pub(crate) now_ms: Cell<f64>,
    /// How far the clock goes each time that it is looked at.
    pub(crate) tick_ms: Cell<f64>,
    /// What the page sends while a job pauses for the so manieth time, and to whom.
    pub(crate) meanwhile: RefCell<Option<(usize, Engine, Envelope<Request>)>>,
    pub(crate) spawner: LocalSpawner,
}

impl Host for Bench {
    fn post(&self, event: Envelope<Event>) {
        self.posted.borrow_mut().push(through_json(&event));
    }

    fn now_ms(&self) -> f64 {
        self.now_ms.set(self.now_ms.get() + self.tick_ms.get());
        self.now_ms.get()
    }

    fn pause(&self) -> BoxFuture<'static, ()> {
        if let Some((pauses_left, engine, message)) = self.meanwhile.take() {
            match pauses_left.checked_sub(1) {
                Some(fewer) => *self.meanwhile.borrow_mut() = Some((fewer, engine, message)),
                None => engine.handle(message),
            }
        }
        let mut waited = false;
        Box::pin(futures::future::poll_fn(move |context| {
            if std::mem::replace(&mut waited, true) {
                return std::task::Poll::Ready(());
            }
            context.waker().wake_by_ref();
            std::task::Poll::Pending
        }))
    }

    /// The clock is set on; nobody has to wait.
    fn sleep(&self, ms: u64) -> BoxFuture<'static, ()> {
        self.now_ms.set(self.now_ms.get() + ms as f64);
        Box::pin(std::future::ready(()))
    }

    fn spawn(&self, job: BoxFuture<'static, ()>) {
        self.spawner.spawn_local(job).unwrap();
    }
}

/// What arrives at the other side; the same again, or the messages do not fit their types.
pub(crate) fn through_json<T: Serialize + DeserializeOwned + Debug>(message: &T) -> T {
    let text = serde_json::to_string(message).unwrap();
    let arrived: T = serde_json::from_str(&text)
        .unwrap_or_else(|e| panic!("{e}: this does not survive JSON: {text}"));
    assert_eq!(serde_json::to_string(&arrived).unwrap(), text);
    arrived
}

/// An engine with its place, and a page's few moves.
pub(crate) struct Page {
    pub(crate) pool: LocalPool,
    pub(crate) host: Rc<Bench>,
    pub(crate) engine: Engine,
    /// The key of every endpoint.
    pub(crate) key: Option<ApiKey>,
}

impl Page {
    pub(crate) fn new() -> Self {
        let pool = LocalPool::new();
        let host = Rc::new(Bench {
            posted: RefCell::default(),
            now_ms: Cell::new(0.0),
            tick_ms: Cell::new(0.25),
            meanwhile: RefCell::default(),
            spawner: pool.spawner(),
        });
        Self {
            pool,
            key: None,
            engine: Engine::new(
                host.clone(),
                Parts::PLAIN
                    .with_bench()
                    .with_knowledge()
                    .with_sparql()
                    .with_minilm()
                    .with_toolformer()
                    .with_trained(),
            ),
            host,
        }
    }

    /// Sends a request without waiting.
    pub(crate) fn send(&self, job: u64, request: Request) {
        self.engine.handle(through_json(&Envelope { job, body: request }));
    }

    /// Sends a request with bytes beside it, and gives everything that comes of it.
    pub(crate) fn play_with(&mut self, request: Request, bytes: Attachments) -> Vec<Event> {
        self.engine.handle_with(through_json(&Envelope { job: 1, body: request }), bytes);
        self.settle();
        self.events(1)
    }

    /// Lets every job go on until it waits for the page or is done. What is to be cleaned of the key
    /// comes back clean at once, as the page does it.
    pub(crate) fn settle(&mut self) {
        loop {
            self.pool.run_until_stalled();
            let is_clean = |event: &Event| matches!(event, Event::Clean { .. });
            let (asked, others) =
                self.host.posted.take().into_iter().partition::<Vec<_>, _>(|e| is_clean(&e.body));
            *self.host.posted.borrow_mut() = others;
            if asked.is_empty() {
                return;
            }
            for Envelope { job, body } in asked {
                let Event::Clean { fetch, outcome, .. } = body else { continue };
                let outcome = Box::new(Scrub::new(self.key.as_ref()).outcome(*outcome));
                self.send(job, Request::Cleaned { fetch, outcome });
            }
        }
    }

    /// What came of a job since the last look.
    pub(crate) fn events(&self, job: u64) -> Vec<Event> {
        let mut posted = self.host.posted.borrow_mut();
        let (mine, others) = posted.drain(..).partition(|e| e.job == job);
        *posted = others;
        let mine: Vec<Envelope<Event>> = mine;
        mine.into_iter().map(|e| e.body).collect()
    }

    /// Sends a request and gives everything that comes of it.
    pub(crate) fn play(&mut self, request: Request) -> Vec<Event> {
        self.send(1, request);
        self.settle();
        self.events(1)
    }

    /// Sends a request that is done at once, and gives its output.
    pub(crate) fn ask(&mut self, request: Request) -> Output {
        let mut events = self.play(request);
        assert_eq!(events.len(), 1, "{events:?}");
        done(events.remove(0))
    }

    /// Sends a request that gives a text.
    pub(crate) fn text(&mut self, request: Request) -> String {
        match self.ask(request) {
            Output::Text { text, .. } => text,
            other => panic!("{other:?}"),
        }
    }

    /// Sends a request that cannot be done, and gives the message.
    pub(crate) fn refused(&mut self, request: Request) -> String {
        match self.play(request).pop() {
            Some(Event::Failed { message }) => message,
            other => panic!("this should have failed: {other:?}"),
        }
    }

    /// Sends a request, stops it when it has paused so often, and gives everything that comes.
    pub(crate) fn play_and_stop(&mut self, request: Request, n_pauses: usize) -> Vec<Event> {
        let stop = Envelope { job: 1, body: Request::Cancel };
        *self.host.meanwhile.borrow_mut() = Some((n_pauses, self.engine.clone(), stop));
        let events = self.play(request);
        assert!(self.host.meanwhile.borrow().is_none(), "it ended before it was to be stopped");
        events
    }

    pub(crate) fn problem(&mut self, task: TaskId, seed: u64) -> ProblemView {
        let (difficulty, wording, style) = (Difficulty::Easy, Wording::Benchmark, Style::ZeroShot);
        match self.ask(Request::Generate { task, difficulty, seed, wording, style }) {
            Output::Problem { problem } => problem,
            other => panic!("{other:?}"),
        }
    }
}

pub(crate) fn done(event: Event) -> Output {
    match event {
        Event::Done { output } => *output,
        other => panic!("this should have been the end: {other:?}"),
    }
}

pub(crate) fn judged(output: Output) -> (String, Judgement) {
    match output {
        Output::Judged { text, judgement } => (text, judgement),
        other => panic!("{other:?}"),
    }
}

pub(crate) fn run_of(events: &mut Vec<Event>) -> Run {
    match done(events.pop().unwrap()) {
        Output::Run { run, .. } => *run,
        other => panic!("{other:?}"),
    }
}

/// The variant's name, as it stands in the message.
pub(crate) fn kind(message: &impl Serialize) -> String {
    match serde_json::to_value(message).unwrap() {
        Value::String(name) => name,
        Value::Object(fields) => fields.keys().next().unwrap().clone(),
        other => panic!("{other}"),
    }
}

pub(crate) fn read(text: &str) -> Request {
    Request::Read { text: text.into() }
}

pub(crate) fn script(name: &str) -> ModelChoice {
    ModelChoice::Script { name: name.into() }
}

pub(crate) fn endpoint() -> ModelChoice {
    let base_url = "http://127.0.0.1:8190/v1";
    ModelChoice::Endpoint { endpoint: Endpoint::new("openai", base_url), model: "small".into() }
}

pub(crate) fn run(system: &str, problem: &ProblemView, model: ModelChoice) -> Request {
    let (system, problem) = (system.into(), Box::new(problem.clone()));
    Request::Run {
        system,
        problem,
        model,
        limits: Limits::default(),
        options: Box::default(),
        n_runs: 1,
    }
}

pub(crate) fn call(function: &str, graph: &Graph, arguments: Value) -> Request {
    Request::Call { function: function.into(), graph: graph.clone(), arguments }
}

/// A small graph with weights, capacities and names of both kinds.
pub(crate) fn towns() -> Graph {
    let mut graph = Graph::undirected();
    graph.link_weighted("Bern", "Chur", 2.5).unwrap();
    graph.link_weighted("Chur", 7usize, 1.0).unwrap();
    graph
}

/// A file of problems, as the benchmark has them.
pub(crate) fn file(task: TaskId, n: u64) -> String {
    let mut all = serde_json::Map::new();
    for seed in 0..n {
        let problem = tasks::task(task).generate(Difficulty::Easy, seed);
        let entry = entry_json(&problem, seed.to_string());
        all.insert(seed.to_string(), serde_json::to_value(entry).unwrap());
    }
    Value::Object(all).to_string()
}

/// An answer of an endpoint in the shape that OpenAI publishes.
pub(crate) fn answer(message: Value) -> Result<HttpResponse, ModelError> {
    let finish = if message["tool_calls"].is_null() { "stop" } else { "tool_calls" };
    let body = json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "small",
        "choices": [{ "index": 0, "message": message, "finish_reason": finish }],
        "usage": { "prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14 },
    });
    Ok(HttpResponse {
        status: 200,
        content_type: Some("application/json".into()),
        body: body.to_string(),
        ..HttpResponse::default()
    })
}

pub(crate) fn fetch(events: &[Event]) -> (u64, &HttpRequest) {
    match events.last() {
        Some(Event::Fetch { fetch, request, .. }) => (*fetch, request),
        other => panic!("the engine should be waiting for the page: {other:?}"),
    }
}

pub(crate) fn core(view: &ProblemView) -> tasks::Problem {
    tasks::Problem {
        difficulty: view.difficulty,
        seed: view.seed,
        graph: view.graph.clone(),
        query: view.query.clone(),
    }
}
