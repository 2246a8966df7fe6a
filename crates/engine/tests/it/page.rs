//! An engine with its place, as the tests have it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::rc::Rc;

use engine::{Arrived, Attachments, Host, List, Payload};
use futures::executor::{LocalPool, LocalSpawner, block_on};
use futures::task::LocalSpawnExt as _;
use graph::Graph;
use llm::{ApiKey, BoxFuture, Endpoint, HttpRequest, HttpResponse, ModelError, Scrub};
use protocol::kg::KgRun;
use protocol::page::{AnswerQuery, Clean, Fetch, SupplyData};
use protocol::problem::{CallFunction, GenerateProblem, ProblemView, ReadProblem};
use protocol::runs::{EndedRun, ModelChoice, ProblemRun, RunKind, StartRun};
use protocol::{Control, Envelope, FromWorker, Service, ToWorker};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use systems::experiment::Finished;
use systems::kgot::{GraphQuestion, Languages};
use systems::{kgqa, nlgraph};
use tasks::dataset::entry_json;
use tasks::kgqa::KgQuestion;
use tasks::{Difficulty, Judgement, Style, TaskId, Wording};
use trace::Step;

/// What a worker tells, with events and replies as JSON.
pub(crate) type Event = FromWorker<Value>;

/// A request as JSON.
#[derive(Clone, Debug)]
pub(crate) struct Json(pub(crate) Value);

impl Arrived for Json {
    fn read<T: DeserializeOwned>(self) -> Result<T, String> {
        serde_json::from_value(self.0).map_err(|e| e.to_string())
    }
}

/// The engine of these tests.
pub(crate) type Engine = engine::Engine<Json>;

/// The lists of an engine with all backends.
pub(crate) type Lists = engine::Services<Json, backends::All>;

/// Everything that an engine can have.
pub(crate) const ALL: [List<Json>; 16] = [
    List::Here(Lists::WHOLE),
    List::Here(Lists::PROBLEMS),
    List::Here(Lists::ANSWERS),
    List::Here(Lists::RUNS),
    List::Here(Lists::FILES),
    List::Here(Lists::TRACES),
    List::Here(Lists::LINKS),
    List::Here(Lists::RESCUE),
    List::Here(Lists::BENCH),
    List::Here(Lists::MINILM),
    List::Here(Lists::KNOWLEDGE),
    List::Here(Lists::FAMILIES),
    List::Here(Lists::KGOT),
    List::Here(Lists::RDF),
    List::Here(Lists::TRAINED),
    List::Here(Lists::TOOLFORMER),
];

/// A place for an engine: keeps what is posted, and has a clock that the test sets going.
pub(crate) struct Bench {
    pub(crate) posted: RefCell<Vec<Envelope<Event>>>,
    pub(crate) now_ms: Cell<f64>,
    /// How far the clock goes each time that it is looked at.
    pub(crate) tick_ms: Cell<f64>,
    /// What the page sends while a job pauses for the so manieth time, and to whom.
    pub(crate) meanwhile: RefCell<Option<(usize, Engine, u32, Control)>>,
    pub(crate) spawner: LocalSpawner,
}

impl Host for Bench {
    fn post(&self, message: Envelope<FromWorker<Payload>>) {
        let arrived: Envelope<Event> =
            serde_json::from_str(&serde_json::to_string(&message).unwrap())
                .unwrap_or_else(|e| panic!("{e}: this does not survive JSON"));
        self.posted.borrow_mut().push(through_json(&arrived));
    }

    fn now_ms(&self) -> f64 {
        self.now_ms.set(self.now_ms.get() + self.tick_ms.get());
        self.now_ms.get()
    }

    fn pause(&self) -> BoxFuture<'static, ()> {
        if let Some((pauses_left, engine, job, control)) = self.meanwhile.take() {
            match pauses_left.checked_sub(1) {
                Some(fewer) => *self.meanwhile.borrow_mut() = Some((fewer, engine, job, control)),
                None => tell(&engine, job, control),
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

/// Tells a job of an engine something.
fn tell(engine: &Engine, job: u32, control: Control) {
    tell_with(engine, job, control, Attachments::default());
}

fn tell_with(engine: &Engine, job: u32, control: Control, beside: Attachments) {
    let body = ToWorker::Control(through_json(&control));
    engine.handle(Envelope { job, body }, beside);
}

/// What a worker asks of the page, if it asks for that: the number of the question, and the request.
pub(crate) fn question<S: Service>(event: &Event) -> Option<(u32, S)> {
    match event {
        Event::Ask { ask, service, request } if service == S::NAME => {
            Some((*ask, serde_json::from_str(request).unwrap()))
        }
        _ => None,
    }
}

/// The same, where the engine waits for nothing else.
pub(crate) fn waits<S: Service>(events: &[Event]) -> (u32, S) {
    events.last().and_then(question).unwrap_or_else(|| {
        panic!("the engine should be waiting for {}: {events:?}", S::NAME);
    })
}

/// A part of the page's answer.
pub(crate) fn part<S: Service>(ask: u32, part: &S::Event) -> Control {
    Control::Part { ask, part: serde_json::to_string(part).unwrap() }
}

/// An engine with its place, and a page's few moves.
pub(crate) struct Page {
    pub(crate) pool: LocalPool,
    pub(crate) host: Rc<Bench>,
    pub(crate) engine: Engine,
    /// The key of every endpoint.
    pub(crate) key: Option<ApiKey>,
    /// Whether queries on graphs are answered at once; else the test does.
    pub(crate) answers_queries: bool,
    /// The steps that were sent, by job.
    steps: RefCell<BTreeMap<u32, Vec<Step>>>,
    /// Whether something lies beside the page; then the test says when it is at hand.
    pub(crate) has_more: bool,
}

impl Page {
    pub(crate) fn new() -> Self {
        Self::with(ALL.to_vec())
    }

    /// With an engine of these lists.
    pub(crate) fn with(lists: Vec<List<Json>>) -> Self {
        let pool = LocalPool::new();
        let host = Rc::new(Bench {
            posted: RefCell::default(),
            now_ms: Cell::new(0.0),
            tick_ms: Cell::new(0.25),
            meanwhile: RefCell::default(),
            spawner: pool.spawner(),
        });
        let engine = Engine::new(host.clone(), lists);
        let steps = RefCell::default();
        Self { pool, key: None, has_more: false, answers_queries: true, engine, host, steps }
    }

    /// Sends a request without waiting.
    pub(crate) fn send<S: Service>(&self, job: u32, ask: S) {
        self.send_with(job, ask, Attachments::default());
    }

    fn send_with<S: Service>(&self, job: u32, ask: S, attachments: Attachments) {
        let service = S::NAME.to_owned();
        let body = ToWorker::Start { service, ask: serde_json::to_value(&ask).unwrap() };
        let Envelope { job, body } = through_json(&Envelope { job, body });
        let ToWorker::Start { service, ask } = body else { panic!("{body:?}") };
        let body = ToWorker::Start { service, ask: Json(ask) };
        self.engine.handle(Envelope { job, body }, attachments);
    }

    /// Tells a job something.
    pub(crate) fn tell(&self, job: u32, control: Control) {
        tell(&self.engine, job, control);
    }

    /// Sends a request with files and bytes beside it, and gives everything that comes of it.
    pub(crate) fn play_with<S: Service>(&mut self, ask: S, beside: Attachments) -> Vec<Event> {
        self.send_with(1, ask, beside);
        self.settle();
        self.events(1)
    }

    /// Sends another job's request with what lies beside it, while others go on.
    pub(crate) fn open_beside<S: Service>(&mut self, job: u32, ask: S, beside: Attachments) {
        self.send_with(job, ask, beside);
        self.settle();
    }

    /// Lets every job go on until it waits for the page or is done. What is to be cleaned of the key
    /// comes back clean at once, as the page does it, and what is beside no page cannot be had.
    pub(crate) fn settle(&mut self) {
        loop {
            self.pool.run_until_stalled();
            let posted = self.host.posted.take();
            let n = posted.len();
            let others: Vec<_> = posted.into_iter().filter(|e| !self.has_answered(e)).collect();
            let is_done = others.len() == n;
            self.host.posted.borrow_mut().splice(..0, others);
            if is_done {
                return;
            }
        }
    }

    /// Answers what the page answers by itself.
    fn has_answered(&self, message: &Envelope<Event>) -> bool {
        let Envelope { job, body } = message;
        if let Some((ask, Clean { outcome, .. })) = question(body) {
            let clean = Scrub::new(self.key.as_ref()).outcome(outcome);
            self.answer::<Clean>(*job, ask, &clean);
        } else if let Some((ask, SupplyData { .. })) = question(body).filter(|_| !self.has_more) {
            self.answer::<SupplyData>(*job, ask, &());
        } else if let Some((ask, AnswerQuery { question })) =
            question(body).filter(|_| self.answers_queries)
        {
            self.answer_query(*job, ask, &question);
        } else {
            return false;
        }
        true
    }

    /// Answers what a job asks.
    pub(crate) fn answer<S: Service>(&self, job: u32, ask: u32, reply: &S::Reply) {
        self.answer_with::<S>(job, ask, reply, Attachments::default());
    }

    /// The same with bytes beside the answer.
    pub(crate) fn answer_with<S: Service>(
        &self,
        job: u32,
        ask: u32,
        reply: &S::Reply,
        beside: Attachments,
    ) {
        let reply = Ok(serde_json::to_string(reply).unwrap());
        tell_with(&self.engine, job, Control::Reply { ask, reply }, beside);
    }

    /// Answers a query as the page's engine for it does.
    pub(crate) fn answer_query(&self, job: u32, ask: u32, question: &GraphQuestion) {
        let sparql = Some(&backends::SparqlGraphs as _);
        let languages = Languages { sparql, ..Languages::default() };
        match block_on(question.answer(&languages)) {
            Ok(answer) => self.answer::<AnswerQuery>(job, ask, &answer),
            Err(why) => self.refuse(job, ask, &why),
        }
    }

    /// Says why there is no answer to what a job asks.
    pub(crate) fn refuse(&self, job: u32, ask: u32, why: &str) {
        self.tell(job, Control::Reply { ask, reply: Err(why.to_owned()) });
    }

    /// What came of a fetch.
    pub(crate) fn fetched(&self, job: u32, ask: u32, result: Result<HttpResponse, ModelError>) {
        self.answer::<Fetch>(job, ask, &result);
    }

    /// What came of a job since the last look.
    pub(crate) fn events(&self, job: u32) -> Vec<Event> {
        let mut posted = self.host.posted.borrow_mut();
        let (mine, others) = posted.drain(..).partition(|e| e.job == job);
        *posted = others;
        let mine: Vec<Envelope<Event>> = mine;
        let mut mine: Vec<Event> = mine.into_iter().map(|e| e.body).collect();
        self.take_steps(job, &mut mine);
        mine
    }

    /// Keeps the steps of a job, and puts them back into a reply that leaves them out, as the page does.
    fn take_steps(&self, job: u32, events: &mut [Event]) {
        let mut all = self.steps.borrow_mut();
        let steps = all.entry(job).or_default();
        for event in events {
            match event {
                Event::Step { step } => steps.push((**step).clone()),
                Event::Progress { done, .. } if *done > 0 => steps.clear(),
                Event::Done { reply } if reply["n_sent"].is_u64() => {
                    let mut run: Value =
                        serde_json::from_str(reply["run"].as_str().unwrap()).unwrap();
                    let sent = serde_json::to_value(std::mem::take(steps)).unwrap();
                    let (sent, rest) = (sent.as_array().unwrap(), &run["trace"]["steps"]);
                    let rest = rest.as_array().unwrap();
                    assert!(rest.iter().all(|step| !sent.contains(step)), "a step is sent twice");
                    let n = reply["n_sent"].as_u64().unwrap() as usize;
                    run["trace"]["steps"] = [&sent[..n], &rest[..]].concat().into();
                    reply["run"] = run.to_string().into();
                    reply["n_sent"] = 0.into();
                }
                Event::Done { .. } => steps.clear(),
                _ => {}
            }
        }
    }

    /// Sends a request and gives everything that comes of it.
    pub(crate) fn play<S: Service>(&mut self, ask: S) -> Vec<Event> {
        self.play_with(ask, Attachments::default())
    }

    /// Sends a request that is done at once, and gives the reply.
    pub(crate) fn ask<S: Service>(&mut self, ask: S) -> S::Reply {
        let mut events = self.play(ask);
        assert_eq!(events.len(), 1, "{events:?}");
        done::<S>(events.remove(0))
    }

    /// Sends a request, and gives the reply or why there is none.
    pub(crate) fn try_ask<S: Service>(&mut self, ask: S) -> Result<S::Reply, String> {
        reply::<S>(self.play(ask).pop().unwrap())
    }

    /// The same with files and bytes beside it.
    pub(crate) fn try_with<S: Service>(
        &mut self,
        ask: S,
        beside: Attachments,
    ) -> Result<S::Reply, String> {
        reply::<S>(self.play_with(ask, beside).pop().unwrap())
    }

    /// Sends a request that cannot be done, and gives the message.
    pub(crate) fn refused<S: Service>(&mut self, ask: S) -> String {
        match self.play(ask).pop() {
            Some(Event::Failed { message }) => message,
            other => panic!("this should have failed: {other:?}"),
        }
    }

    /// Sends a request with files, stops it when it has paused so often, and gives everything that
    /// comes.
    pub(crate) fn play_and_stop<S: Service>(
        &mut self,
        ask: S,
        files: Attachments,
        n_pauses: usize,
    ) -> Vec<Event> {
        *self.host.meanwhile.borrow_mut() =
            Some((n_pauses, self.engine.clone(), 1, Control::Cancel));
        let events = self.play_with(ask, files);
        assert!(self.host.meanwhile.borrow().is_none(), "it ended before it was to be stopped");
        events
    }

    pub(crate) fn problem(&mut self, task: TaskId, seed: u64) -> ProblemView {
        let (difficulty, wording, style) = (Difficulty::Easy, Wording::Benchmark, Style::ZeroShot);
        self.ask(GenerateProblem { task, difficulty, seed, wording, style }).0
    }
}

/// The reply of a job that is done.
pub(crate) fn done<S: Service>(event: Event) -> S::Reply {
    reply::<S>(event).unwrap_or_else(|e| panic!("this should have been done: {e}"))
}

/// The reply that ends a job, or why there is none.
pub(crate) fn reply<S: Service>(event: Event) -> Result<S::Reply, String> {
    match event {
        Event::Done { reply } => Ok(serde_json::from_value(reply).unwrap()),
        Event::Failed { message } => Err(message),
        other => panic!("this should have been the end: {other:?}"),
    }
}

/// What a service tells on the way.
pub(crate) fn told<S: Service>(events: &[Event]) -> Vec<S::Event> {
    let of = |event: &Event| match event {
        Event::Event { event } => Some(serde_json::from_value(event.clone()).unwrap()),
        _ => None,
    };
    events.iter().filter_map(of).collect()
}

/// The steps that were sent.
pub(crate) fn sent_steps(events: &[Event]) -> Vec<Step> {
    let step = |event: &Event| match event {
        Event::Step { step } => Some((**step).clone()),
        _ => None,
    };
    events.iter().filter_map(step).collect()
}

/// A run that ended.
pub(crate) fn ended<K: RunKind>(mut events: Vec<Event>) -> EndedRun<K::Outcome> {
    done::<StartRun<K>>(events.pop().unwrap())
}

/// A case as a page makes it.
pub(crate) fn kg_run(system: &str, question: &KgQuestion, model: ModelChoice) -> StartRun<KgRun> {
    let case = kgqa::experiment::case(question, "").unwrap();
    let options = kgqa::KgOptions::default().of(system);
    StartRun { options, ..StartRun::new(system, case).with_model("model", model) }
}

/// A run on a graph problem; its outcome is the verdict.
pub(crate) fn run_of(events: &mut Vec<Event>) -> Finished<Judgement> {
    *done::<StartRun<ProblemRun>>(events.pop().unwrap()).run
}

pub(crate) fn read(text: &str) -> ReadProblem {
    ReadProblem::new(text)
}

/// Files beside a request.
pub(crate) fn files(files: &[(&str, String)]) -> Attachments {
    let own = files.iter().map(|(name, text)| ((*name).to_owned(), text.clone().into_bytes()));
    Attachments::default().with_files(own.collect())
}

pub(crate) fn script(name: &str) -> ModelChoice {
    ModelChoice::Script { name: name.into() }
}

pub(crate) fn endpoint() -> ModelChoice {
    let base_url = "http://127.0.0.1:8190/v1";
    ModelChoice::Endpoint { endpoint: Endpoint::new("openai", base_url), model: "small".into() }
}

pub(crate) fn run(system: &str, problem: &ProblemView, model: ModelChoice) -> StartRun<ProblemRun> {
    let question = Some(problem.question.clone());
    let item = nlgraph::Item { question, ..nlgraph::Item::new("own", core(problem)) };
    StartRun::new(system, nlgraph::case(&item).unwrap()).with_model("model", model)
}

pub(crate) fn call(function: &str, graph: &Graph, arguments: Value) -> CallFunction {
    CallFunction { function: function.into(), graph: graph.clone(), arguments }
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

pub(crate) fn fetch(events: &[Event]) -> (u32, HttpRequest) {
    let (ask, Fetch { request, .. }) = waits(events);
    (ask, request)
}

pub(crate) fn core(view: &ProblemView) -> tasks::Problem {
    tasks::Problem {
        difficulty: view.difficulty,
        seed: view.seed,
        graph: view.graph.clone(),
        query: view.query.clone(),
    }
}
