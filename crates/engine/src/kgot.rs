//! Knowledge Graph of Thoughts: tasks, runs that grow a graph, and the graph, which stays here.

use std::any::Any;
use std::rc::Rc;

use futures_channel::mpsc;
use futures_util::StreamExt as _;
use kg::property::{PropertyGraph, snapshot_file};
use kg::stores::{ConfirmedForWriting, StoreError, StoreRows};
use llm::BoxFuture;
use protocol::exact::Exact;
use protocol::kgot::{
    AskGrown, AskStore, CopiedGraph, CopyGraph, CorrectGrown, GrownTable, KgotByHand, KgotEvent,
    KgotRun, NO_GRAPH_YET, OpenSnapshot, OpenedSnapshot, ReadKgotFiles, TaskFile, TaskFiles,
    WriteSnapshot,
};
use protocol::runs::{RunEvent, StartRun};
use systems::Backends;
use systems::experiment::{Experiment, World};
use systems::kgot::experiment::{KgotTasks, KgotWorld};
use systems::kgot::{
    CypherGraphs, GraphGrowth, GrowingGraph, Grown as GraphGrew, KgotFile, Languages, NO_GRAPH,
    Networkx,
};
use systems::remote::{GraphCopy, RemoteError};

use crate::context::{Context, Ended};
use crate::fetch::PageTransport;
use crate::python::PagePython;
use crate::queries::page_sparql;
use crate::run::PageRun;

/// The rows of an answer that the page is told.
const MAX_ROWS: usize = 1_000;
/// The letters of a file that the page shows.
const MAX_PREVIEW: usize = 20_000;
/// The most bytes of a file of a task.
const MAX_FILE: usize = 50_000_000;

/// The graph that is at hand: what it began with, and what it was after each growth that the page
/// was told of. It is another one from the point on at which another language begins.
#[derive(Default)]
struct Grown {
    states: Vec<PropertyGraph>,
    /// Where each state goes, if a store has a copy.
    copies: Option<mpsc::UnboundedSender<PropertyGraph>>,
}

impl Grown {
    fn begin(&mut self, graph: &GrowingGraph) {
        self.states = vec![graph.now().clone()];
    }

    /// Hands the newest state on to the copy.
    fn copy(&self) {
        if let (Some(copies), Some(graph)) = (&self.copies, self.states.last()) {
            // A copy that ended has said why.
            let _ = copies.unbounded_send(graph.clone());
        }
    }

    /// The newest state as the first one of another graph.
    fn newest(&self) -> Option<GrowingGraph> {
        self.states.last().cloned().map(GrowingGraph::open)
    }
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

impl<B: Backends> PageRun<B> for KgotRun {
    const EXPERIMENT: &'static dyn Experiment = &KgotTasks;

    fn world(context: &Context, start: &mut StartRun<Self>) -> Result<World, Ended> {
        let KgotByHand { keeps_graph, web, python, sees, copy } = &start.by_hand;
        let mut world = KgotWorld {
            transport: Some(Rc::new(PageTransport::new(context))),
            files: B::files(),
            sparql: Some(Rc::new(page_sparql(context))),
            python: Some(Rc::new(PagePython(context.clone()))),
            withholds_python: !python,
            web: web.clone(),
            sees: *sees,
            ..KgotWorld::default()
        };
        if start.system != NO_GRAPH {
            if let Some(place) = copy {
                GraphCopy::open(place).map_err(|e| e.to_string())?;
            }
            let kept = context.keep::<Grown>();
            world.start = kept.borrow().newest().filter(|_| *keeps_graph);
            // A graph before this one is not to be asked about any more.
            kept.borrow_mut().begin(world.start.as_ref().unwrap_or(&GrowingGraph::default()));
        }
        Ok(World::new(world))
    }

    fn beside(context: &Context, by_hand: &KgotByHand) -> Option<BoxFuture<'static, ()>> {
        let copy = GraphCopy::open(by_hand.copy.as_ref()?).ok()?;
        let (copies, to_copy) = mpsc::unbounded();
        let kept = context.keep::<Grown>();
        let mut kept = kept.borrow_mut();
        kept.copies = Some(copies);
        kept.copy();
        Some(Box::pin(keep_copy(context.clone(), copy, to_copy)))
    }

    fn close(context: &Context) {
        // No more states come, and the copying ends.
        context.keep::<Grown>().borrow_mut().copies.take();
    }

    fn event(context: &Context, event: &dyn Any) -> Option<KgotEvent> {
        let GraphGrew { graph, growth } = event.downcast_ref()?;
        let kept = context.keep::<Grown>();
        let mut kept = kept.borrow_mut();
        kept.states.push(graph.clone());
        kept.copy();
        Some(KgotEvent::Grown(growth.clone()))
    }
}

/// Keeps a copy of a graph in a store up to date, until no more states come.
async fn keep_copy(
    context: Context,
    mut copy: GraphCopy,
    mut states: mpsc::UnboundedReceiver<PropertyGraph>,
) {
    let transport = PageTransport::new(&context);
    let tell = |event| context.tell(RunEvent::Own(event));
    let mut copied = CopiedGraph { n_nodes: 0, n_edges: 0 };
    while let Some(mut graph) = states.next().await {
        // A store that is slower than the run gets the newest alone.
        while let Ok(newer) = states.try_recv() {
            graph = newer;
        }
        if let Err(error) = copy.update(&graph, &transport).await {
            return tell(KgotEvent::NotCopied(error.to_string()));
        }
        copied = CopiedGraph { n_nodes: graph.n_nodes(), n_edges: graph.n_edges() };
    }
    tell(KgotEvent::Copied(copied));
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
    let at = at.unwrap_or(usize::MAX).min(kept.states.len().saturating_sub(1));
    Ok(kept.states.get(at).ok_or(NO_GRAPH_YET)?.clone())
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
    let now = if kept.borrow().states.is_empty() {
        PropertyGraph::default()
    } else {
        state(context, ask.at)?
    };
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
