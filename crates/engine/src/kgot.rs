//! Knowledge Graph of Thoughts: tasks, runs that grow a graph, and the graph, which stays here.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use agent::RunContext;
use futures_channel::{mpsc, oneshot};
use futures_util::StreamExt as _;
use futures_util::future::join;
use kg::property::{PropertyGraph, snapshot_file};
use kg::stores::{ConfirmedForWriting, StoreError, StoreRows};
use llm::{BoxFuture, Model};
use protocol::FromWorker;
use protocol::exact::Exact;
use protocol::kgot::{
    AskGrown, AskStore, CopiedGraph, CopyGraph, CorrectGrown, GrownTable, KgotEvent, KgotTaskLine,
    ListKgotTasks, NO_GRAPH_YET, OpenKgotTask, OpenSnapshot, OpenedSnapshot, ReadKgotFiles,
    SolveTask, SolvedTask, TaskFile, TaskFiles, WriteSnapshot,
};
use systems::Backends;
use systems::kgot::experiment::{judge_answer, score_of};
use systems::kgot::scripted::{Faulty, KgotScript};
use systems::kgot::{
    CypherGraphs, GraphGrowth, GrowingGraph, KgotFile, KgotFusionOptions, KgotGate, KgotMethod,
    KgotModels, KgotPlace, Languages, Networkx, PythonRunner, ToolPlace, run, run_fusion,
    run_without_graph,
};
use systems::remote::{GraphCopy, RemoteError};
use tasks::kgot::{KgotCase, cases};
use trace::Step;

use crate::context::{Context, Controls, Ended};
use crate::fetch::{PageTransport, Watching};
use crate::models;
use crate::python::PagePython;
use crate::queries::page_sparql;

/// The rows of an answer that the page is told.
const MAX_ROWS: usize = 1_000;
/// The letters of a file that the page shows.
const MAX_PREVIEW: usize = 20_000;
/// The most bytes of a file of a task.
const MAX_FILE: usize = 50_000_000;

/// The graph that is at hand: what it began with, and what it was after each growth that the page
/// was told of. It is another one from the point on at which another language begins.
#[derive(Default)]
struct Grown(Vec<PropertyGraph>);

impl Grown {
    fn begin(&mut self, graph: &GrowingGraph) {
        self.0 = vec![graph.now().clone()];
    }

    /// The newest state as the first one of another graph.
    fn newest(&self) -> Option<GrowingGraph> {
        self.0.last().cloned().map(GrowingGraph::open)
    }
}

pub(crate) async fn list(_: &Context, ask: ListKgotTasks) -> Result<Vec<KgotTaskLine>, Ended> {
    let line = |case: KgotCase| KgotTaskLine { level: case.level, question: case.question };
    Ok(cases(ask.seed).into_iter().map(line).collect())
}

pub(crate) async fn open_task(_: &Context, ask: OpenKgotTask) -> Result<Exact<KgotCase>, Ended> {
    let mut all = cases(ask.seed);
    if ask.index >= all.len() {
        return Err(format!("the set has the tasks 1 to {}", all.len()).into());
    }
    Ok(Exact(all.swap_remove(ask.index)))
}

pub(crate) async fn read_files<B: Backends>(
    context: &Context,
    ask: ReadKgotFiles,
) -> Result<Exact<TaskFiles>, Ended> {
    let mut read = TaskFiles::default();
    for name in ask.names {
        let bytes = context.attachments.take(&name)?;
        if bytes.len() > MAX_FILE {
            let most = MAX_FILE / 1_000_000;
            read.refused.push(format!("{name:?} is larger than {most} MB"));
            continue;
        }
        let file = match String::from_utf8(bytes) {
            Ok(text) => KgotFile::of_text(name, text),
            Err(error) => KgotFile::of_bytes(name, error.into_bytes()),
        };
        // One file that is locked does not lose the others.
        match file.preview(B::files()) {
            Ok(text) => {
                let preview = text.chars().take(MAX_PREVIEW).collect();
                read.files.push(TaskFile { file, preview });
            }
            Err(message) => read.refused.push(message),
        }
    }
    Ok(Exact(read))
}

pub(crate) async fn solve<B: Backends>(
    context: &Context,
    ask: SolveTask,
) -> Result<SolvedTask, Ended> {
    let page = PagePython(context.clone());
    let networkx = Networkx { runner: &page };
    let now = || context.host.now_ms();
    let cypher = CypherGraphs { clock: Some(&now) };
    let sparql = page_sparql(context);
    let languages =
        Languages { cypher: Some(&cypher), sparql: Some(&sparql), networkx: Some(&networkx) };
    let SolveTask {
        task,
        right,
        method,
        options,
        graph,
        tools,
        limits,
        keeps_graph,
        pauses,
        web,
        python,
        sees,
        copy,
    } = ask;
    for language in method.languages(&options) {
        languages.find(language)?;
    }
    let copy = copy
        .filter(|_| method != KgotMethod::NoGraph)
        .map(|place| GraphCopy::open(&place))
        .transpose();
    let copy = copy.map_err(|e| e.to_string())?;
    let tools = models::model(context, tools, script)?;
    let transport = PageTransport::new(context);
    let reach = ToolPlace {
        transport: Some(&transport),
        files: B::files(),
        python: python.then_some(&page as &dyn PythonRunner),
        web,
        sees,
        cache: None,
    };
    if method == KgotMethod::NoGraph {
        let (trace, outcome) = models::run(context, limits, async |at, on_step| {
            run_without_graph(&task, &*tools, &reach, at, on_step).await
        })
        .await;
        let score = right.map(|right| judge_answer(&right, &trace, &outcome));
        return Ok(SolvedTask { trace: Box::new(trace), outcome: Box::new(outcome), score });
    }
    let graph = models::model(context, graph, script)?;
    let kept = context.keep::<Grown>();
    let start = kept.borrow().newest().filter(|_| keeps_graph);
    // A graph before this one is not to be asked about any more.
    kept.borrow_mut().begin(start.as_ref().unwrap_or(&GrowingGraph::default()));
    let (copies, to_copy) = mpsc::unbounded();
    let copies = RefCell::new(copy.is_some().then_some(copies));
    let gate = Gate { context: context.clone(), kept, pauses, paused_ms: Cell::new(0.0), copies };
    gate.copy(start.as_ref().unwrap_or(&GrowingGraph::default()));
    let place = KgotPlace { tools: reach, languages, gate: &gate, start: start.as_ref() };
    let models = KgotModels { graph: &*graph, tools: &*tools };
    let watching = Watching::new(context);
    let host = context.host.clone();
    // What a person takes to look at the graph is no time of the run.
    let clock = || host.now_ms() - gate.paused_ms.get();
    let cancel = &context.controls.cancel;
    let at = RunContext { limits, seed: None, clock: &clock, cancel, watch: &watching };
    let mut on_step = |step: &Step| {
        watching.step();
        context.post(FromWorker::Step { step: Box::new(step.clone()) });
    };
    let solving = async {
        let answered = match method {
            KgotMethod::Fusion { members } => {
                let options = KgotFusionOptions { members, each: options };
                run_fusion(&task, &options, models, &place, at, &mut on_step).await
            }
            _ => run(&task, &options, models, &place, at, &mut on_step).await,
        };
        // No more will come, and the copying ends.
        gate.copies.borrow_mut().take();
        answered
    };
    let (answered, ()) = join(solving, keep_copy(context, copy, to_copy)).await;
    let system = answered.trace.system.as_str();
    let score = right.map(|right| score_of(system, &right, &answered.trace, &answered.outcome));
    let (trace, outcome) = (Box::new(answered.trace), Box::new(answered.outcome));
    Ok(SolvedTask { trace, outcome, score })
}

/// Keeps a copy of a graph in a store up to date, until no more states come.
async fn keep_copy(
    context: &Context,
    copy: Option<GraphCopy>,
    mut states: mpsc::UnboundedReceiver<PropertyGraph>,
) {
    let Some(mut copy) = copy else { return };
    let transport = PageTransport::new(context);
    let mut copied = CopiedGraph { n_nodes: 0, n_edges: 0 };
    while let Some(mut graph) = states.next().await {
        // A store that is slower than the run gets the newest alone.
        while let Ok(newer) = states.try_recv() {
            graph = newer;
        }
        if let Err(error) = copy.update(&graph, &transport).await {
            return context.tell(KgotEvent::NotCopied(error.to_string()));
        }
        copied = CopiedGraph { n_nodes: graph.n_nodes(), n_edges: graph.n_edges() };
    }
    context.tell(KgotEvent::Copied(copied));
}

/// The page beside a run.
struct Gate {
    context: Context,
    kept: Rc<RefCell<Grown>>,
    /// Whether each round waits to be let go on.
    pauses: bool,
    /// How long the run has paused in all.
    paused_ms: Cell<f64>,
    /// Where each state goes, if a store has a copy.
    copies: RefCell<Option<mpsc::UnboundedSender<PropertyGraph>>>,
}

impl Gate {
    fn copy(&self, graph: &GrowingGraph) {
        if let Some(copies) = &*self.copies.borrow() {
            // Whoever does not listen any more has said why.
            let _ = copies.unbounded_send(graph.now().clone());
        }
    }
}

impl KgotGate for Gate {
    fn grown(&self, graph: &GrowingGraph, growth: GraphGrowth) {
        self.copy(graph);
        self.kept.borrow_mut().0.push(graph.now().clone());
        self.context.tell(KgotEvent::Grown(growth));
    }

    fn round(&self) {
        if self.pauses {
            self.context.controls.is_paused.set(true);
        }
    }

    fn correction(&self) -> BoxFuture<'_, Option<String>> {
        Box::pin(async move {
            let Controls { is_paused, corrections, woken, .. } = &self.context.controls;
            let mut was_told = false;
            let began = self.context.host.now_ms();
            let next = loop {
                let next = corrections.borrow_mut().pop_front();
                if next.is_some() || !is_paused.get() || self.context.is_cancelled() {
                    break next;
                }
                if !was_told {
                    was_told = true;
                    self.context.tell(KgotEvent::Paused);
                }
                let (wake, word) = oneshot::channel();
                *woken.borrow_mut() = Some(wake);
                // Whoever drops the sender has ended the job.
                let _ = word.await;
            };
            let lasted = self.context.host.now_ms() - began;
            self.paused_ms.set(self.paused_ms.get() + lasted);
            next
        })
    }

    fn corrected(&self, fault: Option<String>) {
        if let Some(why) = fault {
            self.context.tell(KgotEvent::Refused(why));
        }
    }
}

pub(crate) async fn open(context: &Context, ask: OpenSnapshot) -> Result<OpenedSnapshot, Ended> {
    let read = snapshot_file::read(&ask.text).map_err(|e| e.to_string())?;
    let grown = GrowingGraph::open(read.graph);
    let graph = grown.whole();
    context.keep::<Grown>().borrow_mut().begin(&grown);
    Ok(OpenedSnapshot { graph, notes: read.notes.lines() })
}

/// The graph after so many growths.
fn state(context: &Context, at: Option<usize>) -> Result<PropertyGraph, String> {
    let kept = context.keep::<Grown>();
    let kept = kept.borrow();
    let at = at.unwrap_or(usize::MAX).min(kept.0.len().saturating_sub(1));
    Ok(kept.0.get(at).ok_or(NO_GRAPH_YET)?.clone())
}

pub(crate) async fn write(context: &Context, ask: WriteSnapshot) -> Result<String, Ended> {
    Ok(snapshot_file::write(&state(context, ask.at)?))
}

pub(crate) async fn ask(context: &Context, ask: AskGrown) -> Result<GrownTable, Ended> {
    let graph = state(context, ask.at)?;
    let page = PagePython(context.clone());
    let networkx = Networkx { runner: &page };
    let now = || context.host.now_ms();
    let cypher = CypherGraphs { clock: Some(&now) };
    let sparql = page_sparql(context);
    let languages =
        Languages { cypher: Some(&cypher), sparql: Some(&sparql), networkx: Some(&networkx) };
    let language = languages.find(ask.language)?;
    let mut answer = language.read(&graph, &ask.query).await?;
    let is_cut = answer.rows.len() > MAX_ROWS;
    answer.rows.truncate(MAX_ROWS);
    let nodes = answer.nodes.iter().map(|id| id.0).collect();
    Ok(GrownTable { columns: answer.columns, rows: answer.rows, nodes, is_cut })
}

pub(crate) async fn correct(
    context: &Context,
    ask: CorrectGrown,
) -> Result<Exact<GraphGrowth>, Ended> {
    let kept = context.keep::<Grown>();
    // What is changed is a copy, so that a fault leaves the graph as it was.
    let now =
        if kept.borrow().0.is_empty() { PropertyGraph::default() } else { state(context, ask.at)? };
    let mut graph = GrowingGraph::open(now);
    let now = || context.host.now_ms();
    graph.write(&CypherGraphs { clock: Some(&now) }, &ask.query).await?;
    let graph = GrowingGraph::open(graph.now().clone());
    let whole = graph.whole();
    kept.borrow_mut().begin(&graph);
    Ok(Exact(whole))
}

pub(crate) async fn copy(context: &Context, ask: CopyGraph) -> Result<CopiedGraph, Ended> {
    let graph = state(context, ask.at)?;
    let mut copy = GraphCopy::open(&ask.place).map_err(|e| e.to_string())?;
    let transport = PageTransport::new(context);
    copy.update(&graph, &transport).await.map_err(|e| e.to_string())?;
    Ok(CopiedGraph { n_nodes: graph.n_nodes(), n_edges: graph.n_edges() })
}

pub(crate) async fn ask_store(context: &Context, ask: AskStore) -> Result<GrownTable, Ended> {
    let store = ask.store.open().map_err(|e| e.to_string())?;
    let transport = PageTransport::new(context);
    let rows = match &ask.confirmed {
        None => store.read(&ask.query, MAX_ROWS, &transport).await,
        Some(typed) => {
            let confirmed = ConfirmedForWriting::new(&store.writes_to(), typed);
            let confirmed = confirmed.map_err(|e| e.to_string())?;
            store.write(&ask.query, &confirmed, MAX_ROWS, &transport).await
        }
    };
    let StoreRows { mut columns, mut rows, is_cut, changes } = rows.map_err(|error| {
        // What a store refuses is not done. What was lost on the way back may be.
        let is_refused = matches!(error, RemoteError::Store(StoreError::Refused { .. }));
        if ask.confirmed.is_some() && !is_refused {
            return format!("{error}; nobody knows whether it wrote: look before you ask again");
        }
        error.to_string()
    })?;
    if columns.is_empty() {
        columns = vec!["changed".into(), "number".into()];
        rows = changes.into_iter().map(|(name, n)| vec![name.into(), n]).collect();
    }
    Ok(GrownTable { columns, rows, nodes: Vec::new(), is_cut })
}

/// The seeds whose tasks the scripts know.
const KNOWN_SEEDS: std::ops::Range<u64> = 0..4;

fn script(name: &str) -> Result<Box<dyn Model>, String> {
    match name {
        "script" => Ok(Box::new(KgotScript::new(KNOWN_SEEDS))),
        "hasty" => Ok(Box::new(KgotScript::new(KNOWN_SEEDS).hasty())),
        "faulty" => Ok(Box::new(Faulty::new(KgotScript::new(KNOWN_SEEDS), 1))),
        _ => Err(format!("there is no script {name:?}; there are script, faulty, hasty")),
    }
}
