//! Knowledge graphs: opened, searched, asked by systems, and plans verified.
//!
//! The graph that is open stays in the worker; the page has its schema and what a run touched.

mod store;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use agent::Transport;
use draw::{LayoutKind, Mark, Marks, Places};
use graph::Graph;
use kg::find::Finder;
use kg::plan::{Plan, print_plan, read_plan, verify};
use kg::{Kg, KgBuilder, formats, generators};
use protocol::exact::Exact;
use protocol::kg::{
    FindNodes, FoundNodes, HitView, KgDrawn, KgRun, KgSource, KgView, LoadGraph, MakeQuestions,
    PreviewTable, QuestionFile, ReadQuestions, ShowWhole, VerifiedPlan, VerifyPlan, WholeKg,
    WriteGraph,
};
use protocol::numbers::PackedNumbers;
use protocol::problem::TableView;
use protocol::runs::StartRun;
use protocol::traces::TextFile;
use serde_json::Value;
use systems::Backends;
use systems::experiment::{Experiment, Finished, World};
use systems::kgqa::experiment::case;
use systems::kgqa::{KgQa, KgWorld, Outcome};
use tasks::kgqa::{KgQuestion, is_of_questions, known, questions_about, read_questions};

use crate::attachments::TextOf;
use crate::context::{Context, Ended};
use crate::fetch::PageTransport;
use crate::open::Open;
use crate::problems;
use crate::run::PageRun;
use crate::whole;

fn finder(context: &Context) -> Result<Rc<Finder>, Ended> {
    context.keep::<Open>().borrow().finder()
}

pub(crate) async fn open(context: &Context, ask: LoadGraph) -> Result<KgView, Ended> {
    let source = ask.source;
    let began = context.host.now_ms();
    let remote = match &source {
        KgSource::Store { kind, place } => {
            Some(Rc::new(store::open(context, kind, place.clone()).await?))
        }
        _ => None,
    };
    let (kg, faults) = match &remote {
        Some(remote) => (remote.outline().map_err(|e| e.to_string())?, formats::Faults::default()),
        None => load(source, context.attachments.take_files())?,
    };
    let kg = Arc::new(kg);
    let open = context.keep::<Open>();
    let meaning = open.borrow().meaning();
    let finder = Rc::new(Finder::new(kg.clone(), meaning));
    let took_ms = context.host.now_ms() - began;
    let mut view = view(&kg, &finder, &faults, took_ms);
    if let Some(remote) = &remote {
        store::tell(&mut view, remote);
    }
    let mut open = open.borrow_mut();
    (open.finder, open.remote) = (Some(finder), remote);
    Ok(view)
}

/// Tells the whole graph, to be drawn.
pub(crate) async fn show_whole(context: &Context, _: ShowWhole) -> Result<WholeKg, Ended> {
    if context.keep::<Open>().borrow().remote.is_some() {
        return Err("this graph stays in its store, so it cannot be drawn as a whole".into());
    }
    let finder = finder(context)?;
    let kg = finder.kg();
    whole::bounded(kg.n_nodes(), kg.n_edges())?;
    let types = kg.schema().node_types().iter().map(|t| t.name.clone());
    Ok(WholeKg {
        names: kg.nodes().map(|node| kg.name(node).to_owned()).collect(),
        types: types.collect(),
        type_of: PackedNumbers(kg.nodes().map(|node| u32::from(kg.node_type(node).0)).collect()),
        edges: PackedNumbers(kg.edges().flat_map(|(a, _, b)| [a.0, b.0]).collect()),
    })
}

pub(crate) async fn write(context: &Context, ask: WriteGraph) -> Result<TextFile, Ended> {
    let finder = finder(context)?;
    let known = formats::FORMATS.iter().map(|f| f.id).collect::<Vec<_>>();
    let format = formats::find(&ask.format).ok_or_else(|| {
        format!("there is no format {:?}; there are {}", ask.format, known.join(", "))
    })?;
    let extension = format.endings.first().copied().unwrap_or("txt").to_owned();
    Ok(TextFile { text: (format.write)(finder.kg()), extension })
}

pub(crate) async fn make_questions(
    context: &Context,
    ask: MakeQuestions,
) -> Result<Vec<KgQuestion>, Ended> {
    if context.keep::<Open>().borrow().remote.is_some() {
        return Err(
            "this graph stays in its store; questions are made of a graph that is here".into()
        );
    }
    Ok(questions_about(finder(context)?.kg(), ask.n.min(1_000), ask.min_hops, ask.seed))
}

/// Reads the file that is attached, if it is one of questions.
pub(crate) async fn read_file_of_questions(
    context: &Context,
    ask: ReadQuestions,
) -> Result<Option<QuestionFile>, Ended> {
    let mut files = context.attachments.take_files();
    let Some((name, text)) = files.pop().filter(|_| files.is_empty()) else {
        return Err("internal error: one file of questions is read at a time".into());
    };
    if !is_of_questions(&text) {
        return Ok(None);
    }
    let rows = read_questions(&text).map_err(|e| format!("{name}, {e}"))?;
    // Without a graph, and of one in a store, nobody knows which names are nodes.
    let kg = finder(context).ok().filter(|_| context.keep::<Open>().borrow().remote.is_none());
    let is_known = |finder: &Finder, q: &KgQuestion| {
        let kg = finder.kg();
        let is_node = |a: &String| !kg.named(a).is_empty() || kg.find_id(a).is_some();
        !q.answers.is_empty() && q.answers.iter().all(is_node)
    };
    let n_known =
        kg.map(|finder| rows.iter().filter(|row| is_known(&finder, &row.question)).count());
    let n = rows.len();
    let questions = rows.into_iter().take(ask.n.min(5_000)).map(|row| row.question).collect();
    Ok(Some(QuestionFile { questions, n, n_known }))
}

impl<B: Backends> PageRun<B> for KgRun {
    const EXPERIMENT: &'static dyn Experiment = &KgQa;

    fn world(context: &Context, start: &mut StartRun<Self>) -> Result<World, Ended> {
        let finder = finder(context)?;
        // The graph was opened with a measure, and the run says with which.
        if let Value::Object(options) = &mut start.options {
            options.insert("measure".into(), finder.label().into());
        }
        let question: KgQuestion = start.case.body.read()?;
        // A question of one's own is judged where its answer can be found out.
        if question.answers.is_empty()
            && let Some(known) = known(&finder, &question.question)
        {
            start.case = case(&known, &start.case.world)?;
        }
        let remote = context.keep::<Open>().borrow().remote.clone();
        let away = remote.map(|remote| {
            let transport: Rc<dyn Transport> = Rc::new(PageTransport::new(context));
            (remote, transport)
        });
        Ok(World::new(KgWorld { finder, away }))
    }

    fn end(context: &Context, run: &Finished<Outcome>) -> Option<KgDrawn> {
        // Places once for all that is touched, so that nothing moves while a person steps.
        let places = run
            .trace
            .graph_after(run.trace.steps.len())
            .map(|g| draw::layout(&g, LayoutKind::Force, 1, &Places::default()))
            .unwrap_or_default();
        let finder = finder(context).ok();
        let way = run.outcome.plan.as_ref().zip(finder);
        let way = way.map_or_else(Marks::default, |(plan, finder)| way_of(finder.kg(), plan));
        Some(KgDrawn { places, way })
    }
}

pub(crate) async fn verify_plan(context: &Context, ask: VerifyPlan) -> Result<VerifiedPlan, Ended> {
    let VerifyPlan { plan, question, options } = ask;
    let finder = finder(context)?;
    let plan = read_plan(&plan).map_err(|e| e.to_string())?;
    let schema = finder.kg().schema();
    let verified = verify(&plan, schema, options.semantics, &question);
    let mut findings = verified.findings;
    if let (true, Some(ready)) = (options.check_data, &verified.ready) {
        findings.extend(kg::plan::check_data(ready, &finder, options.find));
    }
    let names = |types: &std::collections::BTreeSet<kg::NodeTypeIx>| -> Vec<String> {
        types.iter().map(|t| schema.node_type(*t).name.clone()).collect()
    };
    let types = verified.types.iter().map(names).collect();
    let way = way_of(finder.kg(), &plan);
    Ok(VerifiedPlan { printed: print_plan(&plan), findings, types, way })
}

pub(crate) async fn find(context: &Context, ask: FindNodes) -> Result<FoundNodes, Ended> {
    let FindNodes { hint, node_type, options } = ask;
    let finder = finder(context)?;
    let kg = finder.kg();
    let of = match node_type {
        Some(name) => {
            let found = kg.schema().find_node_type(&name);
            Some(found.ok_or_else(|| format!("there is no node type {name:?}"))?)
        }
        None => None,
    };
    let found = finder.find(&hint, of, options);
    let view = |hit: &kg::find::Hit| HitView {
        node: kg.label(hit.node),
        node_type: kg.schema().node_type(kg.node_type(hit.node)).name.clone(),
        score: hit.score,
        how: hit.how,
    };
    let hits = found.hits.iter().map(view).collect();
    Ok(FoundNodes { hits, near: found.near.iter().map(view).collect() })
}

pub(crate) async fn preview(
    _: &Context,
    ask: PreviewTable,
) -> Result<Exact<Option<TableView>>, Ended> {
    let error = formats::unknown_table(&ask.name, &ask.head);
    Ok(Exact(error.and_then(|error| problems::table_view(error).ok())))
}

fn made(kg: Result<Kg, kg::KgError>) -> Result<(Kg, formats::Faults), String> {
    Ok((kg.map_err(|e| e.to_string())?, formats::Faults::default()))
}

fn load(source: KgSource, files: Vec<TextOf>) -> Result<(Kg, formats::Faults), String> {
    let (title, columns, files) = match source {
        KgSource::Metro { n_lines, seed } => return made(generators::metro(n_lines, seed)),
        KgSource::Town { seed } => return made(generators::town(seed)),
        KgSource::Tiny { seed } => {
            return made(generators::tiny(seed, generators::TinyNames::Ordinary));
        }
        KgSource::Files { title, columns } => (title, columns, files),
        KgSource::Store { .. } => return Err("internal error: a store has no files".into()),
    };
    let mut builder = KgBuilder::new(title);
    let mut all = formats::Faults::default();
    for (name, text) in files {
        let format = formats::sniff(&name, &text).ok_or_else(|| {
            let known: Vec<String> =
                formats::FORMATS.iter().flat_map(|f| f.endings).map(|e| format!(".{e}")).collect();
            format!("{name}: no format has this ending; known are {}", known.join(", "))
        })?;
        let faults = match (formats::unknown_table(&name, &text), &columns) {
            (None, _) => (format.read)(&text, &mut builder),
            (Some(error), None) => return Err(format!("{name}: {error}")),
            (Some(_), Some(columns)) => formats::read_table(&text, columns, &mut builder)
                .map_err(|error| format!("{name}: {error}"))?,
        };
        if let Some(why) = faults.refusal(format) {
            return Err(format!("{name}: {why}"));
        }
        all.n += faults.n;
        all.notes.extend(faults.notes);
        all.first.extend(faults.first);
        all.first.truncate(formats::MAX_FAULTS);
    }
    if builder.n_nodes() == 0 {
        let why = all.first.first().map_or_else(String::new, |f| format!(": {f}"));
        return Err(format!("nothing in the files is a node or an edge{why}"));
    }
    let kg = builder.build().map_err(|e| e.to_string())?;
    Ok((kg, all))
}

fn view(kg: &Kg, finder: &Finder, faults: &formats::Faults, took_ms: f64) -> KgView {
    let schema = kg.schema().clone();
    let labels = labels(kg);
    let mut drawing = Graph::directed();
    // A schema of hundreds of types is a list, not a drawing.
    for node_type in schema.node_types().iter().take(60) {
        let _ = drawing.ensure_node(labels[&node_type.name].as_str());
    }
    for edge in schema.edge_types() {
        for ends in &edge.ends {
            let name = |t| graph::NodeName::from(labels[&schema.node_type(t).name].as_str());
            let (from, to) = (name(ends.from), name(ends.to));
            let is_drawn = drawing.has_node(&from) && drawing.has_node(&to);
            if is_drawn && from != to && drawing.edge(&to, &from).is_none() {
                let _ = drawing.apply(&graph::Delta::AddEdge {
                    source: from,
                    target: to,
                    weight: None,
                    capacity: None,
                });
            }
        }
    }
    let places = draw::layout(&drawing, LayoutKind::Force, 1, &Places::default());
    let samples = schema
        .node_type_ixs()
        .map(|t| kg.nodes_of_type(t).iter().take(5).map(|n| kg.name(*n).to_owned()).collect())
        .collect();
    KgView {
        title: kg.title().to_owned(),
        n_nodes: kg.n_nodes(),
        n_edges: kg.n_edges(),
        memory: kg.memory(),
        store: None,
        took_ms,
        schema,
        drawing,
        places,
        samples,
        similarity: finder.label(),
        n_faults: faults.n,
        faults: faults.first.iter().take(20).map(ToString::to_string).collect(),
        notes: faults.notes.clone(),
        labels,
    }
}

/// What types of nodes and edges are called for people, by their names. Of two that would be called the
/// same, each keeps its name.
fn labels(kg: &Kg) -> BTreeMap<String, String> {
    let schema = kg.schema();
    let nodes: Vec<&str> = schema.node_types().iter().map(|t| t.name.as_str()).collect();
    let edges: Vec<&str> = schema.edge_types().iter().map(|t| t.name.as_str()).collect();
    let mut labels = BTreeMap::new();
    for names in [edges, nodes] {
        let mut n: BTreeMap<String, usize> = BTreeMap::new();
        names.iter().for_each(|name| *n.entry(kg.label_of_type(name)).or_default() += 1);
        for name in names {
            let label = kg.label_of_type(name);
            let label = if n[&label] == 1 { label } else { name.to_owned() };
            labels.insert(name.to_owned(), label);
        }
    }
    labels
}

/// A plan's way over the types: those that each step has, and the edges that it follows.
fn way_of(kg: &Kg, plan: &Plan) -> Marks {
    let schema = kg.schema();
    let labels = labels(kg);
    let semantics = kg::plan::Semantics { extensions: true, ..Default::default() };
    let verified = verify(plan, schema, semantics, "");
    let wrong = |id: &str| verified.findings.iter().any(|f| f.step.as_deref() == Some(id));
    let name =
        |t: kg::NodeTypeIx| graph::NodeName::from(labels[&schema.node_type(t).name].as_str());
    let mut marks = Marks::default();
    for (i, step) in plan.steps.iter().enumerate() {
        let mark = if wrong(&step.id) { Mark::False } else { Mark::Path };
        for node_type in verified.types.get(i).into_iter().flatten() {
            match marks.nodes.iter_mut().find(|(n, _, _)| *n == name(*node_type)) {
                Some((_, _, Some(tag))) => *tag = format!("{tag}, {}", step.id),
                _ => marks.nodes.push((name(*node_type), mark, Some(step.id.clone()))),
            }
        }
        let hops: Vec<(Option<&str>, Option<&str>)> = if step.of.is_empty() {
            let before = i.checked_sub(1).and_then(|b| plan.steps.get(b)).map(|s| s.id.as_str());
            vec![(step.from.as_deref().or(before), step.edge_type.as_deref())]
        } else {
            step.of.iter().map(|e| (Some(e.from.as_str()), e.edge_type.as_deref())).collect()
        };
        for (from, edge) in hops {
            let from = from.and_then(|f| plan.steps.iter().position(|s| s.id == f));
            let edge = edge.and_then(|e| schema.find_edge_type(e));
            let (Some(from), Some(edge)) = (from, edge) else { continue };
            let tag = format!("{} {}", step.id, labels[&schema.edge_type(edge).name]);
            for ends in &schema.edge_type(edge).ends {
                let has = |t| verified.types.get(from).is_some_and(|s| s.contains(&t));
                if has(ends.from) || has(ends.to) {
                    marks.edges.push((name(ends.from), name(ends.to), mark, Some(tag.clone())));
                }
            }
        }
    }
    marks
}
